"""Full Attention Residuals in six stages, and the wrong steps that people take at each of them.

    sources (S, B, T, D)   the embedding, then the layer outputs; S = layers + 1
    keys    (S, B, T, D)   each source divided by its own RMS
    logits  (S, B, T)      each key times the pseudo-query
    weights (S, B, T)      softmax over the sources
    mix     (B, T, D)      the raw sources, weighted and summed: the retrieved representation
    returns (S, B, T)      the weights as they are handed over

A trap is listed with all its usual ways. They are one mistake and get one explanation, but give
different numbers, and a solution is recognised by its numbers. What each trap is about is told in
problem.yaml. Each stage's traps stand at the end of its part, all stages at the end of the file.

Not here: mistakes of the contract (shapes, dtypes, devices, side effects), which the checks see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from torch.nn.functional import normalize

from grader.stages import Computation, Fitted, Stage, Step, Variant

Traps = Mapping[str, Sequence[Step | Fitted | Variant]]
Measure = Callable[[Tensor], Tensor]
Root = Callable[[Tensor, float], Tensor]
Order = Callable[[Tensor], Tensor]
State = Callable[[Tensor, Tensor], Tensor]


# sources: which vectors take part, and in which order


def stacked(*parts: Tensor) -> Tensor:
    """One tensor of sources, made from single sources (B, T, D) and stacks of them."""
    return torch.cat([part if part.dim() == 4 else part.unsqueeze(0) for part in parts])


def right_sources(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return stacked(embedding, previous_outputs)


def only_layers(previous_outputs: Tensor) -> Tensor:
    return previous_outputs


def only_layers_if_any(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    """Without layers there would be nothing at all: that case is often treated apart."""
    return previous_outputs if len(previous_outputs) else embedding.unsqueeze(0)


def without_last_layer(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return stacked(embedding, previous_outputs[:-1])


def without_first_layer(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return stacked(embedding, previous_outputs[1:])


def embedding_at_both_ends(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return stacked(embedding, previous_outputs, embedding)


def embedding_twice_in_front(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return stacked(embedding, embedding, previous_outputs)


def zeros_at_the_end(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return stacked(embedding, previous_outputs, torch.zeros_like(embedding))


def zeros_in_front(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return stacked(torch.zeros_like(embedding), embedding, previous_outputs)


def buffer_of_64(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    empty = embedding.new_zeros(max(63 - len(previous_outputs), 0), *embedding.shape)
    return stacked(embedding, previous_outputs, empty)


def sources_kept(attention_weights: Tensor, previous_outputs: Tensor) -> float | None:
    """How many sources the solution let take part, by the weights that it returned.

    A row of zeros is a source that was dropped. With few sources it may as well be a loser at huge
    logits. A single source that is left is a mistake of another kind.
    """
    sources = len(previous_outputs) + 1
    if sources < 8:
        return None
    kept = int((attention_weights != 0).flatten(1).any(1).sum())
    return kept if 1 < kept < sources else None


def oldest(embedding: Tensor, previous_outputs: Tensor, constant: float) -> Tensor:
    return stacked(embedding, previous_outputs)[: int(constant)]


def newest(embedding: Tensor, previous_outputs: Tensor, constant: float) -> Tensor:
    return stacked(embedding, previous_outputs)[-int(constant) :]


def embedding_and_newest(embedding: Tensor, previous_outputs: Tensor, constant: float) -> Tensor:
    first_kept = max(len(previous_outputs) + 1 - int(constant), 0)
    return stacked(embedding, previous_outputs[first_kept:])


OLDEST = Fitted(oldest, sources_kept)
NEWEST = Fitted(newest, sources_kept)
EMBEDDING_AND_NEWEST = Fitted(embedding_and_newest, sources_kept)


# Weights of too many or too few sources are handed over as they are, or made to fit.


def last_cut(weights: Tensor) -> Tensor:
    return weights[:-1]


def cut_to_fit(weights: Tensor, previous_outputs: Tensor) -> Tensor:
    return weights[: len(previous_outputs) + 1]


def zero_rows(weights: Tensor, previous_outputs: Tensor) -> Tensor:
    """As many as are missing."""
    missing = len(previous_outputs) + 1 - len(weights)
    return weights.new_zeros(max(missing, 0), *weights.shape[1:])


def zeros_before(weights: Tensor, previous_outputs: Tensor) -> Tensor:
    return torch.cat([zero_rows(weights, previous_outputs), weights])


def zeros_after(weights: Tensor, previous_outputs: Tensor) -> Tensor:
    return torch.cat([weights, zero_rows(weights, previous_outputs)])


def zeros_after_first(weights: Tensor, previous_outputs: Tensor) -> Tensor:
    return torch.cat([weights[:1], zero_rows(weights, previous_outputs), weights[1:]])


SOURCES_TRAPS: Traps = {
    "missing_embedding": [
        only_layers,
        only_layers_if_any,
        Variant({"sources": only_layers, "returns": zeros_before}),
        Variant({"sources": only_layers_if_any, "returns": zeros_before}),
    ],
    "embedding_last": [
        lambda embedding, previous_outputs: stacked(previous_outputs, embedding),
    ],
    "reversed_layers": [
        lambda embedding, previous_outputs: stacked(embedding, previous_outputs.flip(0)),
        # All of the list turned around, the embedding with it.
        lambda embedding, previous_outputs: stacked(previous_outputs.flip(0), embedding),
    ],
    "missing_last_layer": [
        without_last_layer,
        Variant({"sources": without_last_layer, "returns": zeros_after}),
    ],
    "missing_first_layer": [
        without_first_layer,
        Variant({"sources": without_first_layer, "returns": zeros_after_first}),
    ],
    "embedding_twice": [
        embedding_twice_in_front,
        Variant({"sources": embedding_twice_in_front, "returns": last_cut}),
        embedding_at_both_ends,
        Variant({"sources": embedding_at_both_ends, "returns": last_cut}),
    ],
    "running_sums": [
        lambda embedding, previous_outputs: stacked(embedding, previous_outputs).cumsum(0),
        lambda embedding, previous_outputs: stacked(embedding, previous_outputs.cumsum(0)),
    ],
    "embedding_added_to_layers": [
        lambda embedding, previous_outputs: stacked(embedding, previous_outputs + embedding),
        lambda embedding, previous_outputs: stacked(embedding, previous_outputs) + embedding,
    ],
    "phantom_zero_source": [
        # With the zeros cut off it is also a softmax that has one more in its denominator.
        Variant({"sources": zeros_at_the_end, "returns": last_cut}),
        zeros_at_the_end,
        zeros_in_front,
        Variant({"sources": zeros_in_front, "returns": last_cut}),
        Variant({"sources": buffer_of_64, "returns": cut_to_fit}),
    ],
    "capped_sources": [
        OLDEST,
        NEWEST,
        EMBEDDING_AND_NEWEST,
        Variant({"sources": OLDEST, "returns": zeros_after}),
        Variant({"sources": NEWEST, "returns": zeros_before}),
        Variant({"sources": EMBEDDING_AND_NEWEST, "returns": zeros_after_first}),
    ],
}


# keys: a source divided by the root of some square, with eps in some place


def mean_square(values: Tensor) -> Tensor:
    return values.square().mean(-1, keepdim=True)


def sum_of_squares(values: Tensor) -> Tensor:
    return values.square().sum(-1, keepdim=True)


def variance(values: Tensor) -> Tensor:
    return mean_square(centred(values))


def unbiased_variance(values: Tensor) -> Tensor:
    """By hand: `Tensor.var` warns at a width of one, where this is 0 / 0."""
    return sum_of_squares(centred(values)) / (values.shape[-1] - 1)


def squared_mean_absolute(values: Tensor) -> Tensor:
    return values.abs().mean(-1, keepdim=True).square()


def mean_square_over(*axes: int) -> Measure:
    return lambda values: values.square().mean(axes, keepdim=True)


def centred(values: Tensor) -> Tensor:
    return values - values.mean(-1, keepdim=True)


def root_width(values: Tensor) -> float:
    return float(values.shape[-1] ** 0.5)


def under_the_root(square: Tensor, eps: float) -> Tensor:
    return (square + eps).sqrt()


def after_the_root(square: Tensor, eps: float) -> Tensor:
    return square.sqrt() + eps


def bound_of_the_root(square: Tensor, eps: float) -> Tensor:
    return square.sqrt().clamp(min=eps)


def bound_of_the_square(square: Tensor, eps: float) -> Tensor:
    return square.clamp(min=eps).sqrt()


def without_eps(square: Tensor, eps: float) -> Tensor:
    return square.sqrt()


ROOTS = (under_the_root, after_the_root, without_eps)


def rms_norm(values: Tensor, eps: float) -> Tensor:
    return values / under_the_root(mean_square(values), eps)


def layer_norm(values: Tensor, eps: float) -> Tensor:
    return centred(values) / under_the_root(variance(values), eps)


def right_keys(sources: Tensor, eps: float) -> Tensor:
    return rms_norm(sources, eps)


def divided(measure: Measure, root: Root = under_the_root) -> Step:
    """The sources, divided."""
    return lambda sources, eps: sources / root(measure(sources), eps)


def centred_and_divided(measure: Measure, root: Root) -> Step:
    """The sources minus their means, divided."""
    return lambda sources, eps: centred(sources) / root(measure(sources), eps)


def with_eps(constant: float) -> Step:
    """Right keys, but for the argument eps."""
    return lambda sources: rms_norm(sources, constant)


KEYS_TRAPS: Traps = {
    "unnormalized_keys": [lambda sources: sources],
    "l2_normalized_keys": [
        *(divided(sum_of_squares, root) for root in (*ROOTS, bound_of_the_root)),
        lambda sources: normalize(sources, dim=-1),
    ],
    "layer_norm_keys": [
        *(centred_and_divided(variance, root) for root in ROOTS),
        *(centred_and_divided(unbiased_variance, root) for root in ROOTS),
        lambda sources: layer_norm(sources, 1e-5),  # what F.layer_norm has for an eps
    ],
    "std_keys": [
        *(divided(variance, root) for root in ROOTS),
        *(divided(unbiased_variance, root) for root in ROOTS),
    ],
    "eps_outside_root": [
        divided(mean_square, after_the_root),
        lambda sources, eps: sources * (mean_square(sources).rsqrt() + eps),
        # The length plus eps, divided by the root of the width.
        lambda sources, eps: sources / (sum_of_squares(sources).sqrt() + eps) * root_width(sources),
    ],
    "eps_ignored": [divided(mean_square, without_eps)],
    "eps_hard_coded": [
        *(with_eps(10.0**-digits) for digits in (6, 5, 8, 12, 3, 4, 7, 9, 10)),
        # What F.rms_norm and nn.RMSNorm use when they are not told.
        lambda sources, dtype: rms_norm(sources, torch.finfo(dtype).eps),
    ],
    "eps_as_floor": [
        divided(mean_square, bound_of_the_square),
        divided(mean_square, bound_of_the_root),
        # A bound of the length, as F.normalize has it.
        lambda sources, eps: normalize(sources, dim=-1, eps=eps) * root_width(sources),
    ],
    "missing_root": [lambda sources, eps: sources / (mean_square(sources) + eps)],
    "mean_absolute_keys": [
        divided(squared_mean_absolute, root) for root in (after_the_root, without_eps)
    ],
    "norm_over_tokens": [divided(mean_square_over(*axes)) for axes in [(2,), (2, 3), (1, 2), (1,)]],
    "norm_over_sources": [divided(mean_square_over(*axes)) for axes in [(0,), (0, 3)]],
    # Over all that is at hand: the stack, or the one source or sequence of a loop.
    "norm_over_everything": [
        divided(mean_square_over(*axes)) for axes in [(0, 1, 2, 3), (1, 2, 3), (0, 2, 3)]
    ],
    "norm_from_embedding": [
        lambda sources, embedding, eps: sources / under_the_root(mean_square(embedding), eps),
    ],
    "embedding_key_unnormalized": [
        lambda sources, eps: stacked(sources[:1], rms_norm(sources[1:], eps)),
    ],
    "keys_normalized_twice": [lambda sources, eps: rms_norm(rms_norm(sources, eps), eps)],
}


# logits: one number for each source and token


def right_logits(keys: Tensor, pseudo_query: Tensor) -> Tensor:
    return keys @ pseudo_query


def query_divided(measure: Measure, root: Root) -> Step:
    return lambda keys, pseudo_query, eps: keys @ (pseudo_query / root(measure(pseudo_query), eps))


def newest_state(sources: Tensor, keys: Tensor) -> Tensor:
    return sources[-1]


def newest_key(sources: Tensor, keys: Tensor) -> Tensor:
    return keys[-1]


def first_state(sources: Tensor, keys: Tensor) -> Tensor:
    return sources[0]


def first_key(sources: Tensor, keys: Tensor) -> Tensor:
    return keys[0]


def residual_stream(sources: Tensor, keys: Tensor) -> Tensor:
    return sources.sum(0)


STATES = (newest_state, newest_key, first_state, first_key, residual_stream)


def asked_by(state: State) -> Step:
    """A state of the token is the query."""
    return lambda sources, keys: (keys * state(sources, keys)).sum(-1)


def asked_by_and_scaled(state: State) -> Step:
    """Likewise, all as in ordinary attention."""
    return lambda sources, keys: (keys * state(sources, keys)).sum(-1) / root_width(keys)


def gated_by(state: State) -> Step:
    """A state of the token is multiplied into the query."""
    return lambda sources, keys, pseudo_query: (keys * state(sources, keys)) @ pseudo_query


def with_bias(keys: Tensor, pseudo_query: Tensor, constant: float) -> Tensor:
    logits = keys @ pseudo_query
    logits[-1] += constant
    return logits


def bias(attention_weights: Tensor, logits: Tensor) -> float | None:
    """What the odds of the newest source, against all others together, have too much.

    Where either side has hardly any weight the odds are mostly rounding. Rows that sum to anything
    else than one are no weights, but the logits with the constant in them, maybe.
    """
    if attention_weights.shape != logits.shape or len(logits) < 2:
        return None
    if not torch.allclose(attention_weights.sum(0), torch.ones(()).double(), atol=1e-3):
        return float((attention_weights[-1] - logits[-1]).median())
    odds = attention_weights.double().clamp(min=0)
    others, last = odds[:-1].sum(0), odds[-1]
    extra = (last / others).log() - (logits[-1] - logits[:-1].logsumexp(0))
    clear = (last > 1e-3) & (others > 1e-3)
    return float(extra[clear].median()) if clear.any() else None


LOGITS_TRAPS: Traps = {
    "scaled_by_sqrt_width": [lambda keys, pseudo_query: keys @ pseudo_query / root_width(keys)],
    "mean_instead_of_dot": [lambda keys, pseudo_query: (keys * pseudo_query).mean(-1)],
    "negated_logits": [lambda keys, pseudo_query: -(keys @ pseudo_query)],
    "absolute_logits": [lambda keys, pseudo_query: (keys @ pseudo_query).abs()],
    "normalized_query": [
        query_divided(mean_square, under_the_root),
        query_divided(mean_square, without_eps),
        lambda keys, pseudo_query, dtype: keys @ rms_norm(pseudo_query, torch.finfo(dtype).eps),
        *(query_divided(sum_of_squares, root) for root in (*ROOTS, bound_of_the_root)),
        lambda keys, pseudo_query: keys @ normalize(pseudo_query, dim=0),
        lambda keys, pseudo_query, eps: keys @ layer_norm(pseudo_query, eps),
    ],
    "token_dependent_query": [
        *(asked_by(state) for state in STATES),
        *(asked_by_and_scaled(state) for state in STATES),
        *(gated_by(state) for state in (newest_state, newest_key)),
    ],
    "recency_bias": [Fitted(with_bias, bias)],
}


# weights: softmax over the sources


def right_weights(logits: Tensor) -> Tensor:
    return logits.softmax(0)


def softmax_over(*axes: int) -> Step:
    return lambda logits: (logits - logits.logsumexp(axes, keepdim=True)).exp()


def softmax_of_features(axis: int) -> Step:
    """The products are not summed up first: (S, B, T, D)."""
    return lambda keys, pseudo_query: (keys * pseudo_query).softmax(axis)


def mean_of_gates(gates: Step) -> Step:
    return lambda keys, pseudo_query: gates(keys, pseudo_query).mean(-1)


def sum_of_gates(gates: Step) -> Step:
    return lambda keys, pseudo_query: gates(keys, pseudo_query).sum(-1)


def gated_sum(weights: Tensor, sources: Tensor) -> Tensor:
    return (weights * sources).sum(0)


def gated(gates: Step) -> list[Step | Variant]:
    """Each feature has weights of its own; what is reported then has to be made up."""
    return [
        Variant({"weights": gates, "mix": gated_sum, "returns": lambda weights: weights.mean(-1)}),
        Variant({"weights": gates, "mix": gated_sum, "returns": lambda weights: weights.sum(-1)}),
        Variant({"weights": gates, "mix": gated_sum}),
        mean_of_gates(gates),
    ]


def exponentials(logits: Tensor, dtype: torch.dtype) -> Tensor:
    """In the dtype of the case, where large ones are infinite."""
    return logits.exp().to(dtype)


def overflowing(logits: Tensor, dtype: torch.dtype) -> Tensor:
    unshifted = exponentials(logits, dtype)
    return (unshifted / unshifted.sum(0)).double()


def sigmoids_divided(logits: Tensor) -> Tensor:
    gates = logits.sigmoid()
    return gates / gates.sum(0)


def over_all_tokens(one: Tensor, logits: Tensor) -> Tensor:
    """One (S, 1, 1), or one for each sequence (S, B, 1), for all."""
    return one.expand_as(logits)


def mean_of_logits(*axes: int) -> Step:
    return lambda logits: over_all_tokens(logits.mean(axes, keepdim=True).softmax(0), logits)


def mean_of_weights(*axes: int) -> Step:
    return lambda logits: over_all_tokens(logits.softmax(0).mean(axes, keepdim=True), logits)


def of_mean_sources(*axes: int) -> Step:
    """The sources are averaged before they are judged."""
    return lambda sources, pseudo_query, eps, logits: over_all_tokens(
        (rms_norm(sources.mean(axes, keepdim=True), eps) @ pseudo_query).softmax(0), logits
    )


def uniform(logits: Tensor) -> Tensor:
    return torch.full_like(logits, 1 / max(len(logits), 1))


def best(logits: Tensor) -> Tensor:
    """A one for the first of the best."""
    return torch.zeros_like(logits).scatter(0, logits.argmax(0, keepdim=True), 1.0)


def all_best(logits: Tensor) -> Tensor:
    """A one for each of them: equal sources have equal logits."""
    return (logits == logits.amax(0)).double()


def best_share(logits: Tensor) -> Tensor:
    return all_best(logits) / all_best(logits).sum(0)


WEIGHTS_TRAPS: Traps = {
    "softmax_over_tokens": [softmax_over(2)],
    "softmax_over_batch": [softmax_over(1)],
    "softmax_over_everything": [
        softmax_over(*axes) for axes in [(0, 1, 2), (0, 2), (0, 1), (1, 2)]
    ],
    "softmax_per_feature": [
        *gated(softmax_of_features(0)),
        sum_of_gates(softmax_of_features(0)),
    ],
    # Without the sum of the gates: it is one, and the mix a plain residual sum.
    "softmax_over_features": gated(softmax_of_features(-1)),
    "sigmoid_weights": [lambda logits: logits.sigmoid()],
    "normalized_sigmoid_weights": [sigmoids_divided],
    "unnormalized_exponentials": [
        lambda logits, dtype: exponentials(logits, dtype).double(),
        lambda logits: (logits - logits.amax(0)).exp(),
        lambda logits: (logits - logits.max()).exp(),
    ],
    "overflowing_softmax": [overflowing],
    "double_softmax": [lambda logits: logits.softmax(0).softmax(0)],
    "shared_over_tokens": [
        way(*axes)
        for way in (mean_of_logits, mean_of_weights, of_mean_sources)
        for axes in [(1, 2), (2,)]
    ],
    "first_token_weights": [
        lambda logits: over_all_tokens(logits[:, :, :1].softmax(0), logits),
        lambda logits: over_all_tokens(logits[:, :1, :1].softmax(0), logits),
    ],
    "uniform_weights": [uniform],
    "hard_argmax": [best, all_best, best_share],
}


# mix: the weighted sum of the raw sources


def right_mix(weights: Tensor, sources: Tensor) -> Tensor:
    return (weights.unsqueeze(-1) * sources).sum(0)


def rolled_back(rows: Tensor) -> Tensor:
    """The embedding last."""
    return rows.roll(-1, 0)


def rolled_on(rows: Tensor) -> Tensor:
    """The newest layer first."""
    return rows.roll(1, 0)


def turned(rows: Tensor) -> Tensor:
    return rows.flip(0)


def layers_turned(rows: Tensor) -> Tensor:
    return torch.cat([rows[:1], rows[1:].flip(0)])


def values_in(order: Order) -> Step:
    """The values are in another order than the weights."""
    return lambda weights, sources: right_mix(weights, order(sources))


def weights_in(order: Order) -> Variant:
    """The weights are in another order than the values, and are handed over so."""
    return Variant(
        {
            "mix": lambda weights, sources: right_mix(order(weights), sources),
            "returns": lambda weights: order(weights),
        }
    )


ORDERS = (rolled_back, rolled_on, turned, layers_turned)


def sum_of_sources(sources: Tensor) -> Tensor:
    return sources.sum(0)


def newest_source(sources: Tensor) -> Tensor:
    return sources[-1]


# Weights to report where none were used.


def one_each(logits: Tensor) -> Tensor:
    return torch.ones_like(logits)


def one_for_the_newest(logits: Tensor) -> Tensor:
    return torch.cat([torch.zeros_like(logits[:-1]), torch.ones_like(logits[-1:])])


MIX_TRAPS: Traps = {
    "normalized_values": [
        lambda weights, keys: right_mix(weights, keys),
        lambda weights, sources, eps: right_mix(weights, rms_norm(sources, eps)),
    ],
    "values_times_query": [
        lambda weights, sources, pseudo_query: right_mix(weights, sources) * pseudo_query,
    ],
    "mean_instead_of_sum": [lambda weights, sources: (weights.unsqueeze(-1) * sources).mean(0)],
    "last_output_added": [
        lambda weights, sources: right_mix(weights, sources) + sources[-1],
        # Without layers nothing is added.
        lambda weights, sources, previous_outputs: (
            right_mix(weights, sources) + previous_outputs[-1:].sum(0)
        ),
    ],
    "embedding_added": [
        lambda weights, sources, embedding: right_mix(weights, sources) + embedding
    ],
    "normalized_output": [
        lambda weights, sources, eps: rms_norm(right_mix(weights, sources), eps),
        lambda weights, sources, dtype: rms_norm(
            right_mix(weights, sources), torch.finfo(dtype).eps
        ),
        lambda weights, sources, eps: layer_norm(right_mix(weights, sources), eps),
        lambda weights, sources: layer_norm(right_mix(weights, sources), 1e-5),
        lambda weights, sources: normalize(right_mix(weights, sources), dim=-1),
    ],
    "embedding_not_mixed": [lambda weights, sources: right_mix(weights[1:], sources[1:])],
    "misaligned_weights": [
        *(values_in(order) for order in ORDERS),
        *(weights_in(order) for order in ORDERS),
        # zip(weights, previous_outputs): the last weight is left over.
        lambda weights, sources: right_mix(weights[:-1], sources[1:]),
    ],
    "plain_residual_sum": [
        sum_of_sources,
        Variant({"mix": sum_of_sources, "returns": one_each}),
        Variant({"mix": sum_of_sources, "returns": uniform}),
    ],
    "last_source_only": [
        newest_source,
        Variant({"mix": newest_source, "returns": one_for_the_newest}),
        Variant({"mix": newest_source, "returns": uniform}),
    ],
}


# returns: right inside, but something else is handed over


def right_returns(weights: Tensor) -> Tensor:
    return weights


def log_of_weights(weights: Tensor, dtype: torch.dtype) -> Tensor:
    """A weight that the dtype of the case rounds to zero has a logarithm of minus infinity."""
    return weights.to(dtype).double().log()


RETURNS_TRAPS: Traps = {
    "logits_as_weights": [lambda logits: logits],
    "log_weights": [lambda logits: logits.log_softmax(0), log_of_weights],
}


# What is right elsewhere, and yet where these mistakes are made.

SOURCES_SIGNS: Mapping[str, Sequence[Step]] = {
    "missing_last_layer": [lambda previous_outputs: previous_outputs[:-1]],
    "missing_first_layer": [lambda previous_outputs: previous_outputs[1:]],
}


def sum_of_squares_of_sources(sources: Tensor) -> Tensor:
    return sum_of_squares(sources)


KEYS_SIGNS: Mapping[str, Sequence[Step]] = {
    "eps_ignored": [lambda sources: mean_square(sources).sqrt()],
    "missing_root": [lambda sources, eps: mean_square(sources) + eps],
    "l2_normalized_keys": [
        sum_of_squares_of_sources,
        lambda sources: sum_of_squares(sources).sqrt(),
    ],
    "norm_from_embedding": [
        lambda embedding: mean_square(embedding),
        lambda embedding, eps: mean_square(embedding) + eps,
        lambda embedding, eps: under_the_root(mean_square(embedding), eps),
        lambda embedding, eps: 1 / under_the_root(mean_square(embedding), eps),
    ],
}

LOGITS_SIGNS: Mapping[str, Sequence[Step]] = {
    "token_dependent_query": [
        lambda sources, keys: newest_state(sources, keys),
        lambda sources, keys: newest_key(sources, keys),
        lambda sources, keys: residual_stream(sources, keys),
    ],
}

WEIGHTS_SIGNS: Mapping[str, Sequence[Step]] = {
    "first_token_weights": [
        lambda sources: sources[:, :, 0],
        lambda keys: keys[:, :, 0],
        lambda logits: logits[:, :, 0],
        lambda weights: weights[:, :, 0],
        lambda sources: sources[:, 0, 0],
        lambda keys: keys[:, 0, 0],
        lambda logits: logits[:, 0, 0],
        lambda weights: weights[:, 0, 0],
    ],
    "uniform_weights": [lambda pseudo_query: torch.zeros_like(pseudo_query)],
    "softmax_per_feature": [lambda keys, pseudo_query: keys * pseudo_query],
    "softmax_over_features": [lambda keys, pseudo_query: keys * pseudo_query],
}

MIX_SIGNS: Mapping[str, Sequence[Step]] = {"last_source_only": [newest_source]}


# Right intermediate results, on the usual ways from stage to stage.


def squares_mean(sources: Tensor) -> Tensor:
    return sources.square().mean(-1)


KEYS_WAYPOINTS: list[Step] = [
    lambda sources: sources.square(),
    lambda sources: sources.square().sum(-1),
    lambda sources: sources.square().sum(-1).sqrt(),
    squares_mean,
    lambda sources: squares_mean(sources).sqrt(),
    lambda sources, eps: squares_mean(sources) + eps,
    lambda sources, eps: (squares_mean(sources) + eps).sqrt(),
    lambda sources, eps: (squares_mean(sources) + eps).rsqrt(),
    lambda sources: sources / sources.shape[-1] ** 0.5,
]

LOGITS_WAYPOINTS: list[Step] = [
    lambda keys, pseudo_query: keys * pseudo_query,
    lambda sources, pseudo_query: sources * pseudo_query,
    lambda sources, pseudo_query: sources @ pseudo_query,
    lambda sources, pseudo_query, eps: (
        pseudo_query * (squares_mean(sources) + eps).rsqrt().unsqueeze(-1)
    ),
]

WEIGHTS_WAYPOINTS: list[Step] = [
    lambda logits: logits.amax(0),
    lambda logits: logits.amax(),
    lambda logits: logits - logits.amax(0),
    lambda logits: logits - logits.amax(),
    lambda logits: (logits - logits.amax(0)).exp(),
    lambda logits: (logits - logits.amax()).exp(),
    lambda logits: (logits - logits.amax(0)).exp().sum(0),
    lambda logits: (logits - logits.amax()).exp().sum(0),
    lambda logits: logits.logsumexp(0),
    lambda logits: logits.log_softmax(0),
]

MIX_WAYPOINTS: list[Step] = [
    lambda weights, sources: weights.unsqueeze(-1) * sources,
    lambda weights, sources: (weights.unsqueeze(-1) * sources).cumsum(0),
]


COMPUTATION = Computation(
    stages=(
        Stage("sources", right_sources, SOURCES_TRAPS, (), SOURCES_SIGNS),
        Stage("keys", right_keys, KEYS_TRAPS, KEYS_WAYPOINTS, KEYS_SIGNS),
        Stage("logits", right_logits, LOGITS_TRAPS, LOGITS_WAYPOINTS, LOGITS_SIGNS),
        Stage("weights", right_weights, WEIGHTS_TRAPS, WEIGHTS_WAYPOINTS, WEIGHTS_SIGNS),
        Stage("mix", right_mix, MIX_TRAPS, MIX_WAYPOINTS, MIX_SIGNS),
        Stage("returns", right_returns, RETURNS_TRAPS),
    ),
    outputs={"attention_weights": "returns", "retrieved_representation": "mix"},
)
