# verdict: wrong_answer
# traps: mean_instead_of_dot
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    store_as = embedding.dtype
    calc_as = torch.float64 if store_as == torch.float64 else torch.float32

    everything = {"embedding": embedding.to(calc_as)}
    for number, output in enumerate(previous_outputs, start=1):
        everything[f"layer_{number}"] = output.to(calc_as)

    query = pseudo_query.to(calc_as)
    scores = {}
    for name, value in everything.items():
        key = value / value.square().mean(-1, keepdim=True).add(eps).sqrt()
        scores[name] = (key * query).mean(-1)  # <- mistake

    highest = torch.stack(list(scores.values())).amax(0)
    raised = {name: torch.exp(score - highest) for name, score in scores.items()}
    total = sum(raised.values())
    weights = {name: value / total for name, value in raised.items()}
    answer = sum(weights[name].unsqueeze(-1) * everything[name] for name in everything)
    return {
        "retrieved_representation": answer.to(store_as),
        "attention_weights": torch.stack(list(weights.values())).to(store_as),
    }
