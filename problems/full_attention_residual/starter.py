"""Full Attention Residuals: let each token choose among the embedding and all earlier layers.

Read `statement.md`, replace the last line, and try it: python cli.py check PATH
"""

from __future__ import annotations

from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    """Mix the embedding and the outputs of all earlier layers, with weights for each token.

    Args:
        embedding: (batch, sequence, width), the state of each token before the first layer.
        previous_outputs: (layers, batch, sequence, width), the outputs of the layers so far, the
            oldest first; layers may be 0.
        pseudo_query: (width,), one learned vector, the same for every token.
        eps: added to the mean square, inside the root.

    Returns:
        A dict with exactly these keys:
        "retrieved_representation": (batch, sequence, width), the mixed sources;
        "attention_weights": (layers + 1, batch, sequence), the weight of each source, the
            embedding first; for each token they sum to one.
    """
    raise NotImplementedError("nothing here yet: write the body of full_attention_residual")
