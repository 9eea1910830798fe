# verdict: wrong_answer
# traps: detached_gradients
import torch


class Mix(torch.autograd.Function):
    """h = sum_s alpha_s v_s with a backward that keeps no product of the full size."""

    @staticmethod
    def forward(ctx, alpha, values):
        ctx.save_for_backward(alpha, values)
        return torch.einsum("sbt,sbtd->btd", alpha, values)

    @staticmethod
    def backward(ctx, grad):
        alpha, values = ctx.saved_tensors
        grad_alpha = torch.einsum("btd,sbtd->sbt", grad, values)
        grad_values = None  # <- mistake
        return grad_alpha, grad_values


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    work = torch.float64 if embedding.dtype == torch.float64 else torch.float32
    values = torch.cat([embedding[None], previous_outputs]).to(work)
    keys = torch.nn.functional.rms_norm(values, values.shape[-1:], eps=eps)
    alpha = torch.softmax(torch.matmul(keys, pseudo_query.to(work)), dim=0)
    return {
        "retrieved_representation": Mix.apply(alpha, values).to(embedding.dtype),
        "attention_weights": alpha.to(embedding.dtype),
    }
