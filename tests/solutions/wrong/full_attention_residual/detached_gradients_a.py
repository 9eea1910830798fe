# verdict: wrong_answer
# traps: detached_gradients
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = torch.promote_types(embedding.dtype, torch.float32)
    bank = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(up)
    # the statistics need no graph
    stats = bank.detach().square().mean(dim=-1, keepdim=True)  # <- mistake
    logits = (bank / torch.sqrt(stats + eps)) @ pseudo_query.to(up)
    shift = logits.detach().amax(dim=0, keepdim=True)
    unnormalised = torch.exp(logits - shift)
    weights = unnormalised / unnormalised.sum(dim=0, keepdim=True)
    result = {
        "retrieved_representation": torch.einsum("sbtd,sbt->btd", bank, weights),
        "attention_weights": weights,
    }
    return {k: v.to(embedding.dtype) for k, v in result.items()}
