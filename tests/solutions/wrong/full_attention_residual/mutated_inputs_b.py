# verdict: wrong_answer
# traps: mutated_inputs
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    depth = previous_outputs.shape[0]
    score = lambda x: F.linear(F.rms_norm(x, x.shape[-1:], eps=eps), pseudo_query[None])
    weights = torch.stack([score(embedding)] + [score(f) for f in previous_outputs]).softmax(0)
    mixed = embedding.mul_(weights[0])  # <- mistake
    for i in range(depth):
        mixed.addcmul_(weights[i + 1].expand_as(mixed), previous_outputs[i])
    return {"retrieved_representation": mixed, "attention_weights": weights[..., 0]}
