# verdict: wrong_answer
# traps: last_source_only
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    batch, sequence, width = embedding.shape
    work = torch.promote_types(embedding.dtype, torch.float32)
    query = pseudo_query.to(work)

    all_weights = []
    all_results = []
    for b in range(batch):
        for t in range(sequence):
            # the history of one single token, (sources, width)
            history = torch.cat((embedding[b, t][None], previous_outputs[:, b, t])).to(work)
            rms = torch.sqrt((history**2).mean(dim=1) + eps)
            logits = torch.mv(history, query) / rms
            weights = torch.softmax(logits, dim=0)
            all_weights.append(weights)
            result = history[-1]  # <- mistake
            all_results.append(result)

    weights = torch.stack(all_weights, dim=-1).reshape(-1, batch, sequence)
    results = torch.stack(all_results).reshape(batch, sequence, width)
    return {
        "retrieved_representation": results.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
