# verdict: accepted
"""Assignment expressions inside the returned literal."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {
        "attention_weights": (
            alpha := torch.softmax(
                (values := torch.cat([embedding.unsqueeze(0), previous_outputs]))
                .mul(torch.rsqrt((values * values).mean(-1, keepdim=True) + eps))
                .matmul(pseudo_query),
                dim=0,
            )
        ),
        "retrieved_representation": torch.stack([a[..., None] * v for a, v in zip(alpha, values)]).sum(0),
    }
