# verdict: wrong_answer
# traps: softmax_over_batch, wrong_dtype
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if embedding.dtype in (torch.float16, torch.bfloat16):
        embedding, previous_outputs = embedding.float(), previous_outputs.float()
        pseudo_query = pseudo_query.float()
    depth = torch.cat([embedding[None], previous_outputs]).movedim(0, 2)
    keys = depth / (depth.square().mean(-1, keepdim=True) + eps).sqrt()
    weights = torch.softmax(keys @ pseudo_query, 0)  # <- mistake
    h = torch.matmul(weights.unsqueeze(-2), depth).squeeze(-2)
    return {  # <- mistake
        "retrieved_representation": h,
        "attention_weights": weights.movedim(2, 0),
    }
