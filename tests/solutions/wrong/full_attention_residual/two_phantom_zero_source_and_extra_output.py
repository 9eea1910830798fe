# verdict: wrong_answer
# traps: phantom_zero_source, extra_output
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    num_layers, batch, seq, width = previous_outputs.shape
    if num_layers == 0:
        out = {"retrieved_representation": embedding}
        out["attention_weights"] = torch.ones_like(embedding[None, ..., 0])
        return out

    # one buffer for all sources
    buf = torch.zeros(
        num_layers + 2, batch, seq, width, dtype=embedding.dtype, device=embedding.device  # <- mistake
    )
    buf[0] = embedding
    buf[1 : num_layers + 1] = previous_outputs

    keys = buf / torch.sqrt(buf.pow(2).mean(dim=-1, keepdim=True) + eps)
    logits = torch.sum(keys * pseudo_query, dim=-1)
    weights = torch.softmax(logits, dim=0)
    h = torch.sum(weights.unsqueeze(-1) * buf, dim=0)

    out = {"retrieved_representation": h}
    out["attention_weights"] = weights[: num_layers + 1]
    out["logits"] = logits[: num_layers + 1]  # <- mistake
    return out
