# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # collect everything the layer may look at
    things = [embedding]
    for k in range(len(previous_outputs)):
        things.append(previous_outputs[k])

    # logits
    logit_list = []
    for thing in things:
        mean = thing.mean(dim=-1, keepdim=True)
        rms = torch.sqrt(mean**2 + eps)  # <- mistake
        key = thing / rms
        logit_list.append((key * pseudo_query).sum(dim=-1))
    logits = torch.stack(logit_list)

    # softmax
    weights = torch.softmax(logits, dim=0)

    # mix
    answer = torch.zeros_like(embedding)
    for k in range(len(things)):
        answer = answer + weights[k].unsqueeze(-1) * things[k]
    return {"retrieved_representation": answer, "attention_weights": weights}
