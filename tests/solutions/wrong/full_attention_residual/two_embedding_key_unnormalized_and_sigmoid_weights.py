# verdict: wrong_answer
# traps: embedding_key_unnormalized, sigmoid_weights
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    layer_keys = previous_outputs * torch.rsqrt(
        previous_outputs.pow(2).mean(-1, keepdim=True) + eps
    )
    # the embedding table is already well scaled
    embedding_score = (embedding @ pseudo_query).unsqueeze(0)  # <- mistake
    scores = torch.cat([embedding_score, layer_keys @ pseudo_query])
    gates = torch.sigmoid(scores)  # <- mistake
    picked = gates[0].unsqueeze(-1) * embedding
    picked = picked + torch.einsum("lbt,lbtd->btd", gates[1:], previous_outputs)
    return {"retrieved_representation": picked, "attention_weights": gates}
