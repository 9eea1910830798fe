# verdict: wrong_answer
# traps: softmax_over_batch
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers = previous_outputs.shape[0]
    batch, seq, width = embedding.shape

    sources = torch.empty(
        num_layers + 1, batch, seq, width, dtype=embedding.dtype, device=embedding.device
    )
    sources[0] = embedding
    sources[1:] = previous_outputs

    rms = torch.sqrt(torch.mean(sources**2, dim=3) + eps)
    keys = sources / rms.unsqueeze(3)
    logits = torch.sum(keys * pseudo_query, dim=3)
    attention = torch.softmax(logits, dim=1)  # <- mistake
    result = torch.sum(attention.unsqueeze(3) * sources, dim=0)

    return {"retrieved_representation": result, "attention_weights": attention}
