# verdict: wrong_answer
# traps: returned_tuple
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    src = torch.cat([embedding[None], previous_outputs])
    key = src / torch.sqrt(src.pow(2).mean(-1, keepdim=True) + eps)
    attention_weights = torch.softmax(key @ pseudo_query, dim=0)
    retrieved_representation = (attention_weights[..., None] * src).sum(0)
    return retrieved_representation, attention_weights  # <- mistake
