"""Cross entropy with label smoothing in four stages, and the wrong steps at each of them.

log_probabilities (batch, classes)   the logarithm of a softmax over the classes
targets           (batch, classes)   1 - smoothing for the label, smoothing shared by all
losses            (batch,)           the cross entropy of the two, for each row
loss              ()                 the mean over the batch
"""

from __future__ import annotations

import torch
from torch import Tensor

from grader.stages import Computation, Fitted, Stage

# log_probabilities


def log_of_softmax(logits: Tensor, dtype: torch.dtype) -> Tensor:
    """The softmax is sound, and rounds small probabilities to 0 in the dtype of the case."""
    return logits.to(dtype).softmax(-1).double().log()


def log_of_quotient(logits: Tensor, dtype: torch.dtype) -> Tensor:
    exponentials = logits.to(dtype).exp()
    return (exponentials / exponentials.sum(-1, keepdim=True)).double().log()


def less_log_of_sum(logits: Tensor, dtype: torch.dtype) -> Tensor:
    return logits - logits.to(dtype).exp().sum(-1, keepdim=True).double().log()


LOG_PROBABILITIES = Stage(
    "log_probabilities",
    right=lambda logits: logits - logits.logsumexp(-1, keepdim=True),
    traps={
        "softmax_over_batch": [lambda logits: logits.log_softmax(0)],
        "missing_logarithm": [lambda logits: logits.softmax(-1)],
        "logits_not_normalised": [lambda logits: logits],
        "double_softmax": [lambda logits: logits.softmax(-1).log_softmax(-1)],
        "unstable_logarithm": [log_of_softmax, log_of_quotient, less_log_of_sum],
    },
    waypoints=[
        lambda logits: logits.amax(-1),
        lambda logits: logits - logits.amax(-1, keepdim=True),
        lambda logits: (logits - logits.amax(-1, keepdim=True)).exp(),
        lambda logits: (logits - logits.amax(-1, keepdim=True)).exp().sum(-1),
        lambda logits: (logits - logits.amax(-1, keepdim=True)).exp().sum(-1).log(),
        lambda logits: logits.logsumexp(-1),
    ],
)


# targets


def one_hot(labels: Tensor, logits: Tensor) -> Tensor:
    """1 for the label, 0 for the others."""
    return torch.nn.functional.one_hot(labels, logits.shape[-1]).double()


def smoothed(labels: Tensor, logits: Tensor, smoothing: float) -> Tensor:
    return (1 - smoothing) * one_hot(labels, logits) + smoothing / logits.shape[-1]


def over_others(labels: Tensor, logits: Tensor, smoothing: float) -> Tensor:
    label = one_hot(labels, logits)
    others = 1 - label
    return (1 - smoothing) * label + smoothing * others / others.sum(-1, keepdim=True)


def smoothing_of(losses: Tensor, log_probabilities: Tensor, labels: Tensor) -> float | None:
    """The smoothing that the solution used, by the losses that it returned.

    They are a part of the label's loss and a part of the mean over all classes. Both parts are
    fitted, so that a wrong sign or factor beside it does no harm. None: it cannot be told from
    these rows, or there is no smoothing at all, which is another trap.
    """
    parts = torch.stack([of_label(log_probabilities, labels), log_probabilities.mean(-1)], dim=-1)
    if not (parts.isfinite().all() and losses.isfinite().all()):
        return None
    if torch.linalg.matrix_rank(parts, rtol=1e-6) < 2:
        return None
    label, uniform = torch.linalg.pinv(parts) @ losses
    used = float(uniform / (label + uniform))
    return used if abs(used) > 1e-3 else None


TARGETS = Stage(
    "targets",
    right=smoothed,
    traps={
        "smoothing_ignored": [one_hot],
        "smoothing_hard_coded": [
            Fitted(
                lambda labels, logits, constant: smoothed(labels, logits, constant),
                estimate=smoothing_of,
            )
        ],
        "smoothing_over_other_classes": [over_others],
        "label_not_lowered": [
            lambda labels, logits, smoothing: one_hot(labels, logits) + smoothing / logits.shape[-1]
        ],
        "smoothing_not_shared": [
            lambda labels, logits, smoothing: (1 - smoothing) * one_hot(labels, logits) + smoothing
        ],
        "uniform_part_missing": [
            lambda labels, logits, smoothing: (1 - smoothing) * one_hot(labels, logits)
        ],
        "exchanged_parts": [
            lambda labels, logits, smoothing: smoothed(labels, logits, 1 - smoothing)
        ],
    },
    waypoints=[
        one_hot,
        lambda labels, logits, smoothing: (1 - smoothing) * one_hot(labels, logits),
        # For targets that are filled with the uniform part first, the label's written over it.
        lambda logits, smoothing: torch.full_like(logits, smoothing / logits.shape[-1]),
    ],
    # The line that fills them so is where that mistake is made, though no stage's result is wrong
    # there yet.
    signs={
        "smoothing_over_other_classes": [
            lambda logits, smoothing: torch.full_like(logits, smoothing) / (logits.shape[-1] - 1)
        ],
    },
)


# losses and loss


def of_label(log_probabilities: Tensor, labels: Tensor) -> Tensor:
    return log_probabilities.gather(-1, labels.unsqueeze(-1)).squeeze(-1)


LOSSES = Stage(
    "losses",
    right=lambda targets, log_probabilities: -(targets * log_probabilities).sum(-1),
    traps={
        "missing_minus": [lambda targets, log_probabilities: (targets * log_probabilities).sum(-1)],
        "mean_over_classes": [
            lambda targets, log_probabilities: -(targets * log_probabilities).mean(-1)
        ],
    },
    waypoints=[
        lambda targets, log_probabilities: targets * log_probabilities,
        lambda targets, log_probabilities: (targets * log_probabilities).sum(-1),
        # The way that needs no targets: the label's part and that of all classes.
        of_label,
        lambda log_probabilities, labels: -of_label(log_probabilities, labels),
        lambda log_probabilities: log_probabilities.sum(-1),
        lambda log_probabilities: -log_probabilities.sum(-1),
        lambda log_probabilities: log_probabilities.mean(-1),
        lambda log_probabilities: -log_probabilities.mean(-1),
        lambda log_probabilities, labels, smoothing: (
            (1 - smoothing) * of_label(log_probabilities, labels)
        ),
        lambda log_probabilities, labels, smoothing: (
            -(1 - smoothing) * of_label(log_probabilities, labels)
        ),
    ],
)
LOSS = Stage(
    "loss",
    right=lambda losses: losses.mean(),
    traps={"sum_over_batch": [lambda losses: losses.sum()]},
    waypoints=[lambda losses: losses.sum()],
)

COMPUTATION = Computation(
    stages=(LOG_PROBABILITIES, TARGETS, LOSSES, LOSS),
    outputs={"losses": "losses", "loss": "loss"},
)
