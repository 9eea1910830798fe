# verdict: wrong_answer
# traps: norm_from_embedding
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    acc_dtype = torch.promote_types(embedding.dtype, torch.float32)
    sources = torch.cat([embedding[None], previous_outputs]).to(acc_dtype)
    query = pseudo_query.to(acc_dtype)

    # fold the norm into the score: w.(v / r) == (w.v) / r
    dots = sources @ query
    scale = (sources[0].square().mean(-1) + eps).rsqrt()  # <- mistake
    attention = torch.softmax(dots * scale, dim=0)

    # depth becomes the contracted dimension of a batched matrix product
    left = attention.permute(1, 2, 0).unsqueeze(2)
    right = sources.permute(1, 2, 0, 3)
    retrieved = torch.matmul(left, right)[:, :, 0]
    return {
        "retrieved_representation": retrieved.to(embedding.dtype),
        "attention_weights": attention.to(embedding.dtype),
    }
