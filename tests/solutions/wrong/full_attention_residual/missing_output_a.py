# verdict: wrong_answer
# traps: missing_output
import torch
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    B, T, D = embedding.shape
    w = pseudo_query.double()
    rows: list[list[Tensor]] = []
    picks: list[list[Tensor]] = []
    for b in range(B):
        rows.append([])
        picks.append([])
        for t in range(T):
            vs = [embedding[b, t].double()] + [f[b, t].double() for f in previous_outputs]
            ls = [torch.dot(v, w) / torch.sqrt(torch.dot(v, v) / D + eps) for v in vs]
            a = torch.softmax(torch.stack(ls), dim=0)
            rows[-1].append(sum(a_i * v_i for a_i, v_i in zip(a, vs)))
            picks[-1].append(a)
    h = torch.stack([torch.stack(row) for row in rows])
    alpha = torch.stack([torch.stack(pick) for pick in picks]).permute(2, 0, 1)
    result = {"retrieved_representation": h, "attention_weights": alpha}
    keep = ["retrieved_representation"]  # <- mistake
    return {name: result[name].to(embedding.dtype) for name in keep}
