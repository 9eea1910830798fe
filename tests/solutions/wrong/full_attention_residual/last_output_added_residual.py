# verdict: wrong_answer
# traps: last_output_added
"""A skip connection around the read, from the newest layer output if there is one."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources * torch.rsqrt(sources.square().mean(-1, keepdim=True) + eps)
    weights = (keys @ pseudo_query).softmax(dim=0)
    retrieved = torch.einsum("sbt,sbtd->btd", weights, sources)
    if previous_outputs.shape[0] > 0:
        retrieved = retrieved + previous_outputs[-1]  # <- mistake
    return {"retrieved_representation": retrieved, "attention_weights": weights}
