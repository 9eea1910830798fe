# verdict: wrong_answer
# traps: normalized_query, normalized_values
"""One norm for all that comes in: sources and query are replaced by their normalised forms."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def norm(x):
        return x / torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)

    embedding, previous_outputs, pseudo_query = map(norm, (embedding, previous_outputs, pseudo_query))  # <- mistake
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    alpha = torch.softmax(x @ pseudo_query, dim=0)
    mixed = torch.einsum("sbt,sbtd->btd", alpha, x)  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": alpha}
