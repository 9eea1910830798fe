# verdict: wrong_answer
# traps: softmax_over_everything
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """
    Full attention residual retrieval.

    Args:
        embedding: Tensor of shape (batch, sequence, width).
        previous_outputs: Tensor of shape (layers, batch, sequence, width).
        pseudo_query: Tensor of shape (width,).
        eps: Small constant for numerical stability.

    Returns:
        Dictionary with the retrieved representation and the attention weights.
    """
    # ---- Validate the inputs ----
    assert embedding.dim() == 3, f"embedding must be 3-D, got {embedding.dim()}-D"
    assert previous_outputs.dim() == 4, "previous_outputs must be 4-D"
    assert previous_outputs.shape[1:] == embedding.shape, "shape mismatch"
    assert pseudo_query.shape == embedding.shape[-1:], "pseudo_query must be (width,)"
    assert eps > 0, "eps must be positive"

    original_dtype = embedding.dtype
    is_low_precision = original_dtype in (torch.float16, torch.bfloat16)
    compute_dtype = torch.float32 if is_low_precision else original_dtype

    # ---- Step 1: Assemble sources, shape (layers + 1, batch, sequence, width) ----
    sources = torch.cat((embedding.unsqueeze(0), previous_outputs), dim=0).to(compute_dtype)
    num_sources, batch, sequence, width = sources.shape

    # ---- Step 2: Normalize keys ----
    mean_square = sources.pow(2).mean(dim=-1, keepdim=True)
    keys = sources * torch.rsqrt(mean_square + eps)

    # ---- Step 3: Compute logits ----
    logits = torch.einsum("d,sbtd->sbt", pseudo_query.to(compute_dtype), keys)

    # ---- Step 4: Compute weights ----
    weights = torch.softmax(logits.flatten(), dim=0).view(logits.shape)  # <- mistake

    # ---- Step 5: Aggregate ----
    retrieved = (weights.unsqueeze(-1) * sources).sum(dim=0)
    assert retrieved.shape == embedding.shape

    return {
        "retrieved_representation": retrieved.to(original_dtype),
        "attention_weights": weights.to(original_dtype),
    }
