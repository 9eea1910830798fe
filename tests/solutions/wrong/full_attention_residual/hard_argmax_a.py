# verdict: wrong_answer
# traps: hard_argmax
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # "each token chooses among depths"
    num = 1 + previous_outputs.shape[0]
    big = torch.promote_types(embedding.dtype, torch.float32)
    states = torch.cat([embedding[None, :], previous_outputs[:]]).to(big)
    scores = F.linear(
        states / torch.sqrt(states.pow(2).mean(3, keepdim=True) + eps), pseudo_query[None].to(big)
    )[..., 0]
    choice = F.one_hot(scores.argmax(dim=0), num).movedim(-1, 0).to(big)  # <- mistake
    picked = torch.einsum("s b t, s b t d -> b t d", choice, states)
    return {
        "retrieved_representation": picked.to(embedding.dtype),
        "attention_weights": choice.to(embedding.dtype),
    }
