# verdict: wrong_answer
# traps: mean_absolute_keys
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    cast = (lambda t: t.float()) if embedding.dtype.itemsize < 4 else (lambda t: t)
    values = torch.cat([cast(embedding).unsqueeze(-1), cast(previous_outputs).movedim(0, -1)], -1)
    # values: (batch, sequence, width, sources)
    size = values.abs().mean(dim=2, keepdim=True) + eps  # <- mistake
    logits = torch.einsum("btds,d->bts", values / size, cast(pseudo_query))
    weights = logits.softmax(-1)
    mixed = torch.einsum("btds,bts->btd", values, weights)
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": torch.einsum("bts->sbt", weights).to(embedding.dtype),
    }
