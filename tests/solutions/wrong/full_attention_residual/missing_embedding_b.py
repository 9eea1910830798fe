# verdict: wrong_answer
# traps: missing_embedding
import torch
import torch.nn.functional as F
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    n_layers, width = previous_outputs.size(0), previous_outputs.size(-1)

    def source(i: int) -> Tensor:
        return embedding if i == 0 else previous_outputs[i - 1]

    picked = [source(i) for i in range(1, n_layers + 1)]  # <- mistake
    bank = torch.stack(picked, dim=2)  # (B, T, S, D)
    scores = F.linear(F.rms_norm(bank, (width,), eps=eps), pseudo_query.unsqueeze(0))
    alpha = scores.softmax(dim=2)  # (B, T, S, 1)
    return {
        "retrieved_representation": torch.matmul(alpha.transpose(2, 3), bank).squeeze(2),
        "attention_weights": alpha.squeeze(3).permute(2, 0, 1),
    }
