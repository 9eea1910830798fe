# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def key(v):
        return v / torch.sqrt((v * v).mean(-1, keepdim=True) + eps)

    def go(i, best):
        """Walk down the layers with the best logit so far; come back with mass and mix."""
        if i == len(previous_outputs):
            return best, [], 0, 0
        v = previous_outputs[i]
        logit = key(v) @ pseudo_query
        top, powers, mass, mix = go(i + 1, torch.maximum(best, logit))
        p = torch.exp(logit - top)
        return top, [p] + powers, mass + p, mix + p[..., None] * v

    e_logit = key(embedding) @ pseudo_query
    top, powers, mass, mix = go(0, e_logit)
    p0 = torch.exp(e_logit - top)
    mass = mass + p0
    mix = mix + p0[..., None] * embedding
    return {
        "retrieved_representation": mix / mass[..., None],
        "attention_weights": torch.stack([p0] + powers) / mass,
    }
