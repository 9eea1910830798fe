# verdict: accepted
"""Has a main block that fails when it is run: the file must be imported, not executed as a script."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v * torch.rsqrt(torch.square(v).mean(dim=-1, keepdim=True) + eps)
    a = torch.softmax(torch.inner(k, pseudo_query), dim=0)
    return {"retrieved_representation": torch.mul(a.unsqueeze(3), v).sum(dim=0), "attention_weights": a}


if __name__ == "__main__":
    import my_local_test_helpers  # noqa

    data = torch.load("../data/example.pt")
    my_local_test_helpers.compare(full_attention_residual(*data), input("tolerance? "))
    raise SystemExit(1)
