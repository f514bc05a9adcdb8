"""Linear contrasts of areas: their weights, limits and tests, and the test that all are 0.

Limits of a contrast w'A are those of t (Wald's) with the variance w'Sw, MOVER on logit-t limits
[zou-2008], or percentiles of resamples. Where the variance is 0 or unknown though areas may differ,
MOVER combines limits that need none (docs/methods/comparison.md, "Differences at the boundary").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.estimate.claim import (
    HypothesisPlan,
    chi_square_test_of_zero_vector,
    hypothesis_test_with_largest_p,
    index_pairs,
)
from rocstats.estimate.compare import require_two_names_to_compare
from rocstats.estimate.covariance import AvailableInfluence
from rocstats.estimate.estimate import Result
from rocstats.estimate.influence import AreaCovariance
from rocstats.estimate.intervals import (
    LOGIT_T_LIMITS,
    NEWCOMBE_LIMITS,
    Area,
    IntervalMethod,
    percentile_method,
)
from rocstats.estimate.proportions import LARGEST_Z, Limit, z_where_limit_reaches_null
from rocstats.estimate.quantiles import limits_at_both_quantiles, normal_of_t, t_of_normal
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import NO_CONTRAST_VARIANCE, clear_rounding
from rocstats.study.points import number_array
from rocstats.study.vectors import index_of

# --- Contrasts, as requested ----------------------------------------------------------------------


class Contrast(NamedTuple):
    """Weights of the areas, and the names of the row."""

    predictor: str
    reference: str
    weights: FloatArray


def plan_contrasts(
    names: Sequence[str], kind: str, reference: str | None, contrasts: Any
) -> list[Contrast]:
    """Return the contrasts: those given, all others with the reference, or every pair."""
    require_two_names_to_compare(names, kind)
    if contrasts is not None:
        return _weighted_contrasts(names, reference, contrasts)
    pairs = index_pairs(names, reference)
    unit = np.eye(len(names))
    return [Contrast(names[i], names[j], unit[i] - unit[j]) for i, j in pairs]


def _weighted_contrasts(
    names: Sequence[str], reference: str | None, contrasts: Any
) -> list[Contrast]:
    if reference is not None:
        raise InputError(
            f"`reference` must stay None when `contrasts` are given; got {reference!r}."
            " Leave one of them out."
        )
    weights_of = contrasts.values() if isinstance(contrasts, Mapping) else [contrasts]
    for given in weights_of:
        _require_order_of_contrast_weights(given, names)
    if isinstance(contrasts, Mapping):
        labels, matrix = list(contrasts), number_array(list(contrasts.values()))
    else:
        matrix = np.atleast_2d(number_array(contrasts))
        labels = [f"contrast_{i + 1}" for i in range(len(matrix))]
    if matrix.ndim != 2 or matrix.shape[1] != len(names):
        raise InputError(
            f"`contrasts` must have one weight for each of {list(names)}; got shape {matrix.shape}."
            " Pass a row of weights per contrast."
        )
    # 1e-9 lets weights such as 1/3, typed with ten digits, sum to 0; twice that changes nothing.
    for label, weights in zip(labels, matrix, strict=True):
        if not np.isfinite(weights).all() or abs(weights.sum()) > 1e-9 or not weights.any():
            raise InputError(
                f"`contrasts` must be finite, not all 0 and sum to 0; got {weights.tolist()} for"
                f" {label!r}. Make the weights sum to 0."
            )
    return [
        Contrast(label, "contrast", weights) for label, weights in zip(labels, matrix, strict=True)
    ]


def _require_order_of_contrast_weights(weights: Any, names: Sequence[str]) -> None:
    """Raise InputError if weights have labels other than those compared, or in another order."""
    labels = weights.columns if isinstance(weights, pd.DataFrame) else index_of(weights)
    if labels is None or labels.equals(pd.RangeIndex(len(names))):  # unnamed
        return
    if [str(label) for label in labels] != list(names):
        raise InputError(
            f"`contrasts` must have weights in the order of {list(names)}; got weights for"
            f" {[str(label) for label in labels]}. Reorder the weights, or pass lists."
        )


# --- Limits and tests of a contrast, with the rules at the boundary -------------------------------


def infer_contrast(
    weights: FloatArray,
    areas: Sequence[Area],
    covariance: FloatArray,
    df: float,
    plan: HypothesisPlan,
    *,
    identical: bool,
    mover: bool = False,
    boundary: IntervalMethod = NEWCOMBE_LIMITS,
    draws: FloatArray | None = None,
) -> Result:
    """Return the inference about sum(weights * areas), its method the word of its limits.

    ``df`` infinite gives normal limits. ``identical`` says that the predictors involved rank all
    cases alike, or have the same placements: then there is no variance and no interval. ``mover``
    combines the logit-t limits of the areas. ``boundary`` gives the limits of each area where
    the variance is of no use. ``draws`` are resampled values of the sum, whose percentiles are the
    limits.
    """
    places = np.flatnonzero(weights).tolist()
    weights, covariance = weights[places], covariance.take(places, 0).take(places, 1)
    areas = [areas[place] for place in places]
    variance = contrast_variance(weights, covariance)
    estimate = float(weights @ np.array([area.value for area in areas]))
    # docs/methods/comparison.md, "Differences at the boundary": where the variance is 0 or unknown,
    # though the areas differ or may differ, MOVER combines limits that need none.
    if any(math.isnan(area.variance) for area in areas):
        return _contrast_at_boundary(weights, areas, plan, boundary, ("single-case",))
    if identical:
        p = 1.0 if plan.null_value == 0 else np.nan
        nan = float("nan")
        return Result(estimate, 0.0, nan, nan, nan, nan, p, "none", ("identical-predictors",))
    if any(area.at_boundary for area in areas):
        return _contrast_at_boundary(
            weights, areas, plan, boundary, ("auc-at-boundary",), np.sqrt(variance)
        )
    if variance == 0:
        return _contrast_at_boundary(weights, areas, plan, boundary, ("zero-variance",), 0.0)
    se = math.sqrt(variance)
    if draws is not None:
        return _percentile_contrast(weights, estimate, se, draws, plan)
    if mover:
        limit = _mover_limit_of_contrast(weights, areas, covariance, LOGIT_T_LIMITS)
        codes = (
            ("unbalanced-mover",)
            if any(_area_has_unbalanced_classes(area) for area in areas)
            else ()
        )
        return _mover_contrast(weights, estimate, se, df, plan, limit)._replace(codes=codes)
    return _wald_contrast(weights, estimate, se, df, plan)


def _wald_contrast(
    weights: FloatArray, estimate: float, se: float, df: float, plan: HypothesisPlan
) -> Result:
    low, high = _limits_of_contrast_sum(lambda q: estimate + q * se, weights, plan, df)
    statistic, p = hypothesis_test_with_largest_p(plan, lambda null: (estimate - null) / se, df)
    kind = "wald" if math.isinf(df) else "wald-t"
    return Result(estimate, se, low, high, statistic, df, p, kind, ())


def _percentile_contrast(
    weights: FloatArray, estimate: float, se: float, draws: FloatArray, plan: HypothesisPlan
) -> Result:
    """Return percentile limits of the draws, and the test that they invert."""
    method = percentile_method(draws)
    low, high = _limits_of_contrast_sum(method.draw_at, weights, plan)
    statistic, p = hypothesis_test_with_largest_p(plan, method.z_of)
    return Result(estimate, se, low, high, statistic, np.inf, p, "percentile", ())


def _mover_contrast(
    weights: FloatArray, estimate: float, se: float, df: float, plan: HypothesisPlan, limit: Limit
) -> Result:
    """Return MOVER limits of logit limits, and the test that they invert."""

    def statistic(null: float) -> float:
        # Logit limits end at 0 and 1, and with their correlation the sum may end short of the null
        # value: the t test then says how far away it is.
        beyond = min(normal_of_t(abs(estimate - null) / se, df), LARGEST_Z)
        return z_where_limit_reaches_null(limit, estimate, null, beyond)

    low, high = _limits_of_contrast_sum(limit, weights, plan)
    z, p = hypothesis_test_with_largest_p(plan, statistic)
    return Result(estimate, se, low, high, z, np.inf, p, "logit-mover", ())


def _mover_limit_of_contrast(
    weights: FloatArray, areas: Sequence[Area], covariance: FloatArray, method: IntervalMethod
) -> Limit:
    """Return the limits of a sum of areas from those of each (MOVER, Zou & Donner 2008).

    The limit at z is w'A + sign(z) sqrt(d'R d), d_i = w_i times the distance of area i to its limit
    on the side of z. The covariance gives the variances of the areas and their correlations R.
    """
    estimate = float(weights @ np.array([area.value for area in areas]))
    variances = np.diag(covariance)
    sd = np.sqrt(variances)
    correlation = covariance / np.outer(*[np.where(sd > 0, sd, 1.0)] * 2)
    np.fill_diagonal(correlation, 1.0)
    used = [area._replace(variance=float(v)) for area, v in zip(areas, variances, strict=True)]

    def limit(z: float) -> float:
        # A negative weight exchanges the limits: the distance of each area to its own.
        distance = [
            abs(
                method.limit(area, t_of_normal(z if weight > 0 else -z, method.df(area)))
                - area.value
            )
            for area, weight in zip(used, weights, strict=True)
        ]
        reach = weights * np.array(distance)
        return estimate + float(np.sign(z) * np.sqrt(max(reach @ correlation @ reach, 0.0)))

    return limit


def _contrast_at_boundary(
    weights: FloatArray,
    areas: Sequence[Area],
    plan: HypothesisPlan,
    boundary: IntervalMethod,
    codes: tuple[str, ...],
    se: float = float("nan"),
) -> Result:
    """Return limits and test from limits that need no variance, the areas as if independent."""
    estimate = float(weights @ np.array([area.value for area in areas]))
    limit = _mover_limit_of_contrast(weights, areas, np.zeros((len(areas), len(areas))), boundary)
    low, high = _limits_of_contrast_sum(limit, weights, plan)
    statistic, p = hypothesis_test_with_largest_p(
        plan, lambda null: z_where_limit_reaches_null(limit, estimate, null)
    )
    return Result(estimate, se, low, high, statistic, np.inf, p, "mover", codes)


def _limits_of_contrast_sum(
    limit: Limit, weights: FloatArray, plan: HypothesisPlan, df: float = np.inf
) -> tuple[float, float]:
    """Return both limits of a sum of areas, cut at its least and its largest value."""
    lowest, highest = float(weights[weights < 0].sum()), float(weights[weights > 0].sum())
    low, high = limits_at_both_quantiles(
        limit, plan.confidence_level, plan.alternative, lowest, highest, df
    )
    # Normal limits of a sum leave its range, those of MOVER only by rounding.
    return max(low, lowest), min(high, highest)


# At a margin and a level of .025 MOVER rejected in up to .061 of samples with 5 to 20 times as many
# cases of one class as of the other, of which there were 10 to 50; with up to 4 times as many, or
# 100 of the smaller class, in at most .030 (validation/size/margins.csv; mover_limits.csv, with
# another seed: .032).
_LARGEST_RATIO, _FEW_FOR_RATIO = 4, 50


def _area_has_unbalanced_classes(area: Area) -> bool:
    few, many = sorted((area.n_pos, area.n_neg))
    return bool(many > _LARGEST_RATIO * few and few <= _FEW_FOR_RATIO)


def contrast_variance(weights: FloatArray, covariance: FloatArray) -> float:
    """Return w' S w; below the rounding error of its terms it is 0."""
    variance = float(weights @ covariance @ weights)
    return clear_rounding(variance, float(weights**2 @ covariance.diagonal()), NO_CONTRAST_VARIANCE)


def contrast_with_variance_word(result: Result, word: str) -> Result:
    """Return a contrast whose method starts with the word of its variance.

    MOVER at the boundary takes Newcombe's limits of each area, not the variance.
    """
    limits = result.method.partition("/")[0]
    source = {"mover": "newcombe", "none": "none"}.get(limits, word)
    return result._replace(method=f"{source}/{result.method}")


# --- The test that all contrasts are 0 ------------------------------------------------------------


def all_contrasts_test(
    weights: FloatArray, covariance: AreaCovariance | AvailableInfluence
) -> tuple[float, float, float]:
    """Return chi-square, its df and p of "all contrasts are 0"; NaN when no variance explains them.

    chi2 = (L a)' (L S L')^- (L a), df = rank(L S L').
    """
    matrix = weights @ covariance.covariance @ weights.T
    # Relative to the variances of the areas: L S L' of equal predictors is nothing but rounding.
    largest = float(np.trace(covariance.covariance))
    return chi_square_test_of_zero_vector(weights @ covariance.area, matrix, largest, _NO_CONTRAST)


# Contrasts of areas that are 0 but for rounding, summed over some hundred areas, stay below this.
_NO_CONTRAST = 1e-10
