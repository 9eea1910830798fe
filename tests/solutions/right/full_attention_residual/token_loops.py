# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # one token at a time, the way it is written in the text
    batch, sequence, width = embedding.shape
    all_results = []
    all_weights = []
    for b in range(batch):
        results_row = []
        weights_row = []
        for t in range(sequence):
            sources = [embedding[b, t]]
            for f in previous_outputs:
                sources.append(f[b, t])
            logits = []
            for v in sources:
                rms = torch.sqrt((v * v).mean() + eps)
                logits.append((v / rms * pseudo_query).sum())
            alphas = torch.softmax(torch.stack(logits), dim=0)
            h = alphas[0] * sources[0]
            for i in range(1, len(sources)):
                h = h + alphas[i] * sources[i]
            results_row.append(h)
            weights_row.append(alphas)
        all_results.append(torch.stack(results_row))
        all_weights.append(torch.stack(weights_row))
    h = torch.stack(all_results)
    a = torch.stack(all_weights)
    return {"retrieved_representation": h, "attention_weights": a.permute(2, 0, 1)}
