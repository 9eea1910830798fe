# verdict: wrong_answer
# traps: recency_bias
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    depth = previous_outputs.shape[0]
    f = embedding.dtype if embedding.dtype == torch.float64 else torch.float32
    stack = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(f)
    keys = stack / torch.sqrt(stack.square().mean(-1, keepdim=True) + eps)
    logits = keys @ pseudo_query.to(f)

    # lean on the state the layer would have seen in an ordinary network
    prior = torch.zeros(depth + 1, 1, 1, dtype=f, device=stack.device)
    prior[-1] = 1.0  # <- mistake

    weights = torch.softmax(logits + prior, dim=0)
    result = torch.zeros_like(stack[0])
    for d in range(depth + 1):
        result += weights[d].unsqueeze(-1) * stack[d]
    return {
        "retrieved_representation": result.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
