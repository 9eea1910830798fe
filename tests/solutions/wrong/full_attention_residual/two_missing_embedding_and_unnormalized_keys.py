# verdict: wrong_answer
# traps: missing_embedding, unnormalized_keys
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # the layers we can look back at
    memory = previous_outputs  # <- mistake
    # how much does the query like every one of them?
    scores = torch.matmul(memory, pseudo_query)  # <- mistake
    alphas = torch.softmax(scores, dim=0)
    out = torch.zeros_like(embedding)
    for alpha, layer in zip(alphas, memory):
        out = out + alpha.unsqueeze(-1) * layer
    return {"retrieved_representation": out, "attention_weights": alphas}
