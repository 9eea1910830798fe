# verdict: wrong_answer
# traps: scaled_by_sqrt_width
# %% [markdown]
# Exercise: full attention residual

# %%
import torch

torch.set_printoptions(precision=4)


# %%
def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # step 1: sources (L+1, B, T, D)
    V = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    # step 2: keys
    K = V / V.pow(2).mean(dim=-1, keepdim=True).add(eps).sqrt()
    # step 3: softmax(Q K^T / sqrt(d))
    d = V.size(-1)
    A = torch.softmax((K @ pseudo_query) / d**0.5, dim=0)  # <- mistake
    # step 4: mix
    H = (A.unsqueeze(-1) * V).sum(dim=0)
    return {"retrieved_representation": H, "attention_weights": A}


# %%
if __name__ == "__main__":
    e = torch.ones(1, 1, 4)
    f = -5 * torch.ones(1, 1, 1, 4)
    q = torch.tensor([0.34657, 0.0, 0.0, 0.0])
    print(full_attention_residual(e, f, q))
