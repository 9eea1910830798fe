# verdict: wrong_answer
# traps: mean_instead_of_sum
import torch as t


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = t.float64 if embedding.dtype == t.float64 else t.float32
    return (
        (v := t.cat([embedding[None], previous_outputs]).to(up)) is not None
        and (a := ((v / (v.pow(2).mean(-1, True) + eps).sqrt()) @ pseudo_query.to(up)).softmax(0))
        is not None
        and {
            "retrieved_representation": (a[..., None] * v).mean(0).to(embedding.dtype),  # <- mistake
            "attention_weights": a.to(embedding.dtype),
        }
    )
