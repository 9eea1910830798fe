# verdict: runtime_error
# traps: zero_layers
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    outputs = []
    for i in range(previous_outputs.shape[0]):
        outputs.append(previous_outputs[i])
    outputs = torch.stack(outputs, dim=0)  # <- mistake
    V = torch.cat([embedding.unsqueeze(0), outputs], dim=0)

    K = V / torch.sqrt(torch.mean(V**2, dim=-1, keepdim=True) + eps)
    scores = torch.sum(K * pseudo_query, dim=-1)
    A = torch.softmax(scores, dim=0)
    H = torch.sum(A.unsqueeze(-1) * V, dim=0)
    return {"retrieved_representation": H, "attention_weights": A}
