# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def score(x):
        return (x * pseudo_query).sum(-1) * torch.rsqrt(x.pow(2).mean(-1) + eps)

    e_logit = -score(embedding)  # <- mistake
    f_logits = score(previous_outputs)
    logits = torch.cat((e_logit[None], f_logits), dim=0)
    weights = logits.softmax(dim=0)
    e_part = weights[0].unsqueeze(-1) * embedding
    f_part = (weights[1:].unsqueeze(-1) * previous_outputs).sum(dim=0)
    return {"retrieved_representation": e_part + f_part, "attention_weights": weights}
