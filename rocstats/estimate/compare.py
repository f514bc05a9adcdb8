"""Comparisons: pairs of predictors or groups, linear contrasts of areas, their limits and tests.

Limits of a contrast are those of t (Wald's), MOVER on logit-t limits [zou-2008], or percentiles of
resamples. Where the variance is 0 or unknown though areas may differ, MOVER combines limits that
need none (docs/methods/comparison.md, "Differences at the boundary").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.roc import next_of_sample
from rocstats.errors import InputError, require_choice, require_name
from rocstats.estimate.answers import (
    answer_rows,
    lacks_class,
    require_comparable,
    require_grouped,
    result_row,
)
from rocstats.estimate.areas import size_codes
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    Hypothesis,
    HypothesisPlan,
    adjust_rows,
    chi_square,
    hardest_test,
    hypothesis_columns,
    read_hypothesis,
)
from rocstats.estimate.covariance import AvailableInfluence
from rocstats.estimate.estimate import Result
from rocstats.estimate.influence import AreaCovariance
from rocstats.estimate.intervals import (
    LOGIT_LIMITS,
    NEWCOMBE_LIMITS,
    Area,
    IntervalMethod,
    percentile,
)
from rocstats.estimate.paired_tables import Calls, calls_of
from rocstats.estimate.proportions import LARGEST_Z, Limit, inverted_statistic
from rocstats.estimate.quantiles import Alternative, limits_between, normal_of_t, t_of_normal
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import NO_CONTRAST_VARIANCE, cleared
from rocstats.frame.cutoffs import NEXT_SCORES
from rocstats.frame.question import Question
from rocstats.study.base import BaseSample, row_codes
from rocstats.study.points import number_array
from rocstats.study.sample import Sample
from rocstats.study.vectors import index_of

# --- Contrasts ------------------------------------------------------------------------------------


class Contrast(NamedTuple):
    """Weights of the areas, and the names of the row."""

    predictor: str
    reference: str
    weights: FloatArray


def index_pairs(names: Sequence[str], reference: str | None) -> list[tuple[int, int]]:
    """Return every pair of positions, the earlier first, or all others with the reference."""
    if reference is None:
        return list(combinations(range(len(names)), 2))
    require_name("reference", reference, names)
    fixed = list(names).index(reference)
    return [(i, fixed) for i in range(len(names)) if i != fixed]


def require_several(names: Sequence[str], kind: str) -> None:
    """Raise InputError unless there are two names to compare."""
    if len(names) < 2:
        raise InputError(
            f"`across` must name something of which there are two or more; got {len(names)}"
            f" {kind}. Pass more {kind} to the study."
        )


def plan_contrasts(
    names: Sequence[str], kind: str, reference: str | None, contrasts: Any
) -> list[Contrast]:
    """Return the contrasts: those given, all others with the reference, or every pair."""
    require_several(names, kind)
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
        _require_in_order(given, names)
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


def _require_in_order(weights: Any, names: Sequence[str]) -> None:
    """Raise InputError if weights have labels, and not those of what is compared, in its order."""
    labels = weights.columns if isinstance(weights, pd.DataFrame) else index_of(weights)
    if labels is None or labels.equals(pd.RangeIndex(len(names))):  # unnamed
        return
    if [str(label) for label in labels] != list(names):
        raise InputError(
            f"`contrasts` must have its weights in the order of {list(names)}; got them for"
            f" {[str(label) for label in labels]}. Bring them into that order, or pass lists."
        )


# --- What a comparison claims, and its frame ------------------------------------------------------


class Claim(NamedTuple):
    """What is claimed of the difference of each pair of predictors, by their positions.

    ``adjust`` is the adjustment of the p values.
    """

    plan: HypothesisPlan
    adjust: Adjustment
    pairs: list[tuple[int, int]]

    def words(self, part: BaseSample, pair: tuple[int, int]) -> dict[str, Any]:
        """Return the columns that name a pair and the hypothesis."""
        first, second = (part.predictors[k] for k in pair)
        return {"predictor": first, "reference": second, **hypothesis_columns(self.plan)}


def read_claim(
    sample: BaseSample,
    reference: str | None,
    hypothesis: Hypothesis,
    margin: float | None,
    alternative: Alternative,
    null_value: float,
    adjust: Adjustment,
    confidence_level: float,
    *,
    largest: float = 1.0,
    scores: str = "y_score",
) -> Claim:
    """Return the claim about differences in (-largest, largest), or raise InputError."""
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    plan = read_hypothesis(
        hypothesis, margin, alternative, null_value, confidence_level, largest=largest
    )
    if len(sample.predictors) < 2:
        raise InputError(
            f"`{scores}` must hold two predictors or more to compare; got 1. Pass the scores of"
            " another predictor too."
        )
    return Claim(plan, adjust, index_pairs(sample.predictors, reference))


Compared = tuple[Mapping[str, Any], Result, Sequence[str]]
"""What is known of a row, the difference with its limits and test, and the notes on the cases."""


def compare(
    question: Question,
    sample: BaseSample,
    adjust: Adjustment,
    differences: Iterable[Compared],
    *,
    within: Sequence[str] = (),
    draws: ResamplePlan | None = None,
) -> pd.DataFrame:
    """Return the frame of differences, with p values adjusted over rows that share ``within``.

    A row with a known ``p_adjusted`` is none of the family: it tests all differences at once.
    """
    rows, family = [], []
    for known, result, codes in differences:
        rows.append(result_row(question, known, result, codes))
        if "p_adjusted" not in known:
            family.append(rows[-1])
    adjust_rows(family, adjust, within=within)
    return answer_rows(question, sample, rows, draws)


# --- Pairs of predictors of the same cases, and of groups for one predictor -----------------------

Across = Literal["predictors", "groups"]


_THRESHOLD_COLUMNS = [(name, NEXT_SCORES[name]) for name in ("threshold", "reference_threshold")]


class Pair(NamedTuple):
    """Two predictors of one sample (paired), or one predictor of two samples.

    ``groups`` are the positions of the samples among all groups; ``words`` name the row.
    """

    samples: tuple[Sample, Sample]
    predictors: tuple[int, int]
    groups: tuple[int, int]
    words: dict[str, str]

    @property
    def paired(self) -> bool:
        """Whether both are measured on the same cases."""
        return self.groups[0] == self.groups[1]

    @property
    def distinct(self) -> tuple[Sample, ...]:
        """The samples, each once."""
        return self.samples[:1] if self.paired else self.samples

    @property
    def lacks_class(self) -> bool:
        """Whether one of the samples has no positives or no negatives."""
        return any(lacks_class(part) for part in self.samples)

    def columns(self) -> dict[str, Any]:
        """Return the words of the row and its numbers of cases, each case once."""
        return {
            **self.words,
            "n_pos": sum(part.n_pos for part in self.distinct),
            "n_neg": sum(part.n_neg for part in self.distinct),
        }

    def directions(self) -> dict[str, str]:
        """Return which side of its threshold is positive, of the predictor and the reference."""
        higher = self.samples[0].higher_is_positive
        first, second = (">=" if higher[k] else "<=" for k in self.predictors)
        return {"direction": first, "reference_direction": second}

    def cutoffs(self, at: Sequence[float], *, given: bool) -> dict[str, float]:
        """Return the columns of both thresholds, ``given`` by the user or chosen in these cases."""
        found = {}
        for k, part, threshold, (name, beside) in zip(
            self.predictors, self.samples, at, _THRESHOLD_COLUMNS, strict=True
        ):
            found[name] = threshold
            found[beside] = float(next_of_sample(part, k, [threshold], given=given)[0])
        return found

    def codes(self, *, of_size: Sequence[str] = ()) -> list[str]:
        """Return the notes on the cases, of those about their number only ``of_size``."""
        codes = ["pooled-folds"] if self.samples[0].fold is not None else []
        for part in self.distinct:
            codes += [code for code in size_codes(part.cases) if code in of_size]
            codes += row_codes(part)
        return codes

    def calls(
        self, thresholds: Sequence[float], made: dict[tuple[int, int], Calls]
    ) -> tuple[Calls, Calls]:
        """Return the calls at two thresholds; ``made`` keeps those of each group and predictor."""
        first, second = places = tuple(zip(self.groups, self.predictors, strict=True))
        for (g, k), part, t in zip(places, self.samples, thresholds, strict=True):
            if (g, k) not in made:
                made[g, k] = calls_of(part.cases, k, t)
        return made[first], made[second]


def predictor_pairs(sample: Sample, names: Sequence[str], reference: str | None) -> list[Pair]:
    """Return the pairs of some predictors in each group."""
    # Pairs are formed among the names, which a mapping of thresholds may have thinned out, and read
    # at the positions that they have in the sample.
    require_several(names, "predictors")
    chosen = [(names[i], names[j]) for i, j in index_pairs(names, reference)]
    place = sample.predictors.index
    return [
        Pair(
            (part, part),
            (place(first), place(second)),
            (g, g),
            {"predictor": first, "group": group, "reference": second},
        )
        for g, (group, part) in enumerate(sample.by_group())
        for first, second in chosen
    ]


def group_pairs(sample: Sample, names: Sequence[str], reference: str | None) -> list[Pair]:
    """Return the pairs of groups for each of some predictors."""
    require_grouped(sample)
    parts = sample.by_group()
    labels = [label for label, _ in parts]
    require_several(labels, "groups")
    chosen = index_pairs(labels, reference)
    require_comparable(parts)
    return [
        Pair(
            (parts[i][1], parts[j][1]),
            (k, k),
            (i, j),
            {"predictor": name, "group": parts[i][0], "reference": parts[j][0]},
        )
        for name in names
        for k in [sample.predictors.index(name)]
        for i, j in chosen
    ]


# --- Limits and tests of linear combinations of areas, with their boundary rules ------------------

# Contrasts of areas that are 0 but for rounding, summed over some hundred areas, stay below this.
_NO_CONTRAST = 1e-10
_LOGIT_T = LOGIT_LIMITS._replace(student=True)
# At a margin and a level of .025 MOVER rejected in up to .061 of samples with 5 to 20 times as many
# cases of one class as of the other, of which there were 10 to 50; with up to 4 times as many, or
# 100 of the smaller class, in at most .030 (validation/size/margins.csv; mover_limits.csv, with
# another seed: .032).
_LARGEST_RATIO, _FEW_FOR_RATIO = 4, 50


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
    combines the logit limits of the areas. ``boundary`` gives the limits of each area where
    the variance is of no use. ``draws`` are resampled values of the sum: limits are their
    percentiles.
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
        limit = _mover_limit(weights, areas, covariance, _LOGIT_T)
        codes = ("unbalanced-mover",) if any(_unbalanced(area) for area in areas) else ()
        return _mover_contrast(weights, estimate, se, df, plan, limit)._replace(codes=codes)
    return _wald_contrast(weights, estimate, se, df, plan)


def with_variance_word(result: Result, word: str) -> Result:
    """Return a contrast whose method starts with the word of its variance.

    MOVER at the boundary takes Newcombe's limits of each area, not the variance.
    """
    limits = result.method.partition("/")[0]
    source = {"mover": "newcombe", "none": "none"}.get(limits, word)
    return result._replace(method=f"{source}/{result.method}")


def contrast_variance(weights: FloatArray, covariance: FloatArray) -> float:
    """Return w' S w; below the rounding error of its terms it is 0."""
    variance = float(weights @ covariance @ weights)
    return cleared(variance, float(weights**2 @ covariance.diagonal()), NO_CONTRAST_VARIANCE)


def _sum_range(weights: FloatArray) -> tuple[float, float]:
    """Return the least and the largest sum of areas in [0, 1] with these weights."""
    return float(weights[weights < 0].sum()), float(weights[weights > 0].sum())


def _wald_contrast(
    weights: FloatArray, estimate: float, se: float, df: float, plan: HypothesisPlan
) -> Result:
    low, high = _limits_in_range(lambda q: estimate + q * se, plan, df, *_sum_range(weights))
    statistic, p = hardest_test(plan, lambda null: (estimate - null) / se, df)
    kind = "wald" if math.isinf(df) else "wald-t"
    return Result(estimate, se, low, high, statistic, df, p, kind, ())


def _unbalanced(area: Area) -> bool:
    few, many = sorted((area.n_pos, area.n_neg))
    return bool(many > _LARGEST_RATIO * few and few <= _FEW_FOR_RATIO)


def _mover_contrast(
    weights: FloatArray, estimate: float, se: float, df: float, plan: HypothesisPlan, limit: Limit
) -> Result:
    """Return MOVER limits of logit limits, and the test that they invert."""

    def statistic(null: float) -> float:
        # Logit limits end at 0 and 1, and with their correlation the sum may end short of the null
        # value: the t test then says how far away it is.
        beyond = min(normal_of_t(abs(estimate - null) / se, df), LARGEST_Z)
        return inverted_statistic(limit, estimate, null, beyond)

    low, high = _limits_in_range(limit, plan, np.inf, *_sum_range(weights))
    z, p = hardest_test(plan, statistic)
    return Result(estimate, se, low, high, z, np.inf, p, "logit-mover", ())


def _percentile_contrast(
    weights: FloatArray, estimate: float, se: float, draws: FloatArray, plan: HypothesisPlan
) -> Result:
    """Return percentile limits of the draws, and the test that they invert."""
    method, unused = percentile(draws), Area(estimate, se**2, np.inf, np.nan, np.nan, np.nan)
    low, high = _limits_in_range(
        lambda q: method.limit(unused, q), plan, np.inf, *_sum_range(weights)
    )
    statistic, p = hardest_test(plan, lambda null: method.statistic(unused, null))
    return Result(estimate, se, low, high, statistic, np.inf, p, "percentile", ())


def _mover_limit(
    weights: FloatArray, areas: Sequence[Area], covariance: FloatArray, method: IntervalMethod
) -> Limit:
    """Return the limits of a sum of areas from those of each (MOVER, Zou & Donner 2008).

    The covariance gives the variances of the areas and their correlations.
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
    limit = _mover_limit(weights, areas, np.zeros((len(areas), len(areas))), boundary)
    low, high = _limits_in_range(limit, plan, np.inf, *_sum_range(weights))
    statistic, p = hardest_test(plan, lambda null: inverted_statistic(limit, estimate, null))
    return Result(estimate, se, low, high, statistic, np.inf, p, "mover", codes)


def _limits_in_range(
    limit: Callable[[float], float], plan: HypothesisPlan, df: float, lowest: float, highest: float
) -> tuple[float, float]:
    low, high = limits_between(limit, plan.confidence_level, plan.alternative, lowest, highest, df)
    # Normal limits of a sum leave its range, those of MOVER only by rounding.
    return max(low, lowest), min(high, highest)


# --- The global test ------------------------------------------------------------------------------


def global_test(
    weights: FloatArray, covariance: AreaCovariance | AvailableInfluence
) -> tuple[float, float, float]:
    """Return chi-square, its df and p of "all contrasts are 0"; NaN when no variance explains them.

    chi2 = (L a)' (L S L')^- (L a), df = rank(L S L').
    """
    matrix = weights @ covariance.covariance @ weights.T
    # Relative to the variances of the areas: L S L' of equal predictors is nothing but rounding.
    largest = float(np.trace(covariance.covariance))
    return chi_square(weights @ covariance.area, matrix, largest, _NO_CONTRAST)
