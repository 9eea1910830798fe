# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    memory = {"embedding": embedding}
    memory.update({f"layer {i + 1}": f for i, f in enumerate(previous_outputs)})

    keys = {
        name: v / v.pow(2).mean(-1, keepdim=True).add(eps).sqrt() for name, v in memory.items()
    }
    logits = {name: k.matmul(pseudo_query) for name, k in keys.items()}
    top = torch.stack(list(logits.values())).amax(0)
    powers = {name: torch.exp(l - top) for name, l in logits.items()}
    mass = sum(powers.values())
    weights = {name: p / mass for name, p in powers.items()}
    parts = {name: weights[name][..., None] * memory[name] for name in memory}
    return {
        "retrieved_representation": sum(parts.values()),
        "attention_weights": torch.stack([*weights.values()], dim=0),
    }
