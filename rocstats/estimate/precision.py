"""Areas under the precision-recall curve: influence values, variances and intervals.

The areas are means over folds; prevalences are known (class sizes fixed), or those of the cases,
which are then a sample of both classes together. Where nothing varies, Wilson's limits with an
effective number of cases replace those of the variance (docs/methods/precision-recall.md, "Where
nothing varies").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.precision import (
    RecallSteps,
    average_precision_of_counts,
    influence_and_slope,
    pr_area,
    recall_steps,
)
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.areas import areas_of_covariance, size_codes
from rocstats.estimate.influence import (
    AreaCovariance,
    ClassInfluence,
    ClusterInfluence,
    FoldInfluence,
    area_variance_df_by_class,
    area_variance_df_by_cluster_kind,
    centre_placements,
    class_shares_of_clusters,
    cluster_sums_with_factors,
    contrast_df,
    delong_covariance_over_folds,
    df_of_cluster_numbers,
    matrix_product_in_blocks,
    obuchowski_covariance_over_folds,
    small_sample_factor,
)
from rocstats.estimate.intervals import (
    LOGIT_LIMITS,
    LOGIT_T_INTERVAL,
    Area,
    NormalLimits,
    lacks_variance,
    limits_of_area,
)
from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.tables import Sampling
from rocstats.facts.arrays import FloatArray, equal_clusters
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import FEW_POSITIVES, SAME
from rocstats.study.base import sample_notes
from rocstats.study.cases import ScoredCases, WeightedRows
from rocstats.study.clusters import clusters_present
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample

# --- The prevalence at which precision is wanted --------------------------------------------------

AREAS: dict[str, Callable[..., FloatArray]] = {
    "average_precision": average_precision_of_counts,
    "pr_auc": pr_area,
}
"""Both areas of tables of positives and negatives, by their quantity."""


class PrecisionPrevalence(NamedTuple):
    """Share of positives where precision is wanted: given, or (None) that of the cases.

    ``random`` says that the shares of the classes are those of a sample of all cases.
    """

    given: float | None = None
    random: bool = False

    def area(self, quantity: str, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        """Return an area of tables of counts, whose last axis is the score."""
        if self.given is None:
            return AREAS[quantity](n_pos, n_neg)
        totals = n_pos.sum(axis=-1, keepdims=True), n_neg.sum(axis=-1, keepdims=True)
        return AREAS[quantity](n_pos, n_neg * self.times_of_a_negative(*totals))

    def area_of_steps(self, quantity: str, steps: RecallSteps) -> float:
        """Return an area of the steps of recall of one table."""
        times = self.times_of_a_negative(steps.total_pos, steps.total_neg)
        called = steps.tp, steps.fp * times
        return float(AREAS[quantity](steps.n_pos, steps.n_neg * times, called))

    def times_of_a_negative(
        self, total_pos: FloatArray | float, total_neg: FloatArray | float
    ) -> FloatArray | float:
        """Return how many times a negative counts where the cases have the prevalence."""
        if self.given is None:
            return 1.0
        return total_pos / total_neg * (1 - self.given) / self.given


def read_precision_prevalence(prevalence: Any, sampling: Any) -> PrecisionPrevalence:
    """Return the prevalence at which precision is wanted; raise InputError for a wrong one."""
    sampling = require_choice("sampling", sampling, get_args(Sampling))
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
        return PrecisionPrevalence(float(prevalence))
    if sampling == "case-control":
        raise InputError(
            "`prevalence` must be given with sampling='case-control', because the study chose its"
            " share of positives; got None. Pass the prevalence of the population."
        )
    return PrecisionPrevalence(random=True)


def few_negatives_for_precision_codes(sample: Sample, prevalence: PrecisionPrevalence) -> list[str]:
    """Return the note on cases that have no limits at a given prevalence.

    A cohort with these positives would have n_pos (1 - p)/p negatives. With fewer the precision of
    the highest scores hangs on false positive rates below 1/n_neg, which no case shows.
    """
    if prevalence.given is None:
        return []
    needed = sample.n_pos * (1 - prevalence.given) / prevalence.given
    # The share of positives of the cases themselves is a prevalence that they have, but rounded.
    short = sample.n_neg < needed * (1 - SAME)
    return [f"few-negatives={np.ceil(needed * (1 - SAME)):.0f}"] if short else []


def prevalence_of_precision_row(sample: Sample, prevalence: PrecisionPrevalence) -> float:
    """Return the prevalence of a row: as given, or the (weighted) share of positives."""
    if prevalence.given is not None:
        return prevalence.given
    weight = sample.cases.weight
    if weight is None or sample.sample_weight is None:
        return sample.prevalence
    total = float(weight.sum())
    return float(weight[sample.is_positive].sum()) / total if total else float("nan")


# --- Influence values -----------------------------------------------------------------------------


def _precision_influence_at_steps(
    steps: RecallSteps, quantity: str, prevalence: PrecisionPrevalence
) -> FoldInfluence:
    """Return an area, and the influence of a positive and of a negative at each step of recall.

    Negatives at scores without positives stand at the end, as in ``RecallSteps``.
    """
    m, n = steps.total_pos, steps.total_neg
    pi = m / (m + n) if prevalence.given is None else prevalence.given
    found = influence_and_slope(quantity, steps, pi)
    pos, neg = found.pos[np.newaxis], np.concatenate((found.neg, found.between))[np.newaxis]
    n_neg = np.concatenate((steps.n_neg, steps.between))
    centre_placements(pos, steps.n_pos)
    centre_placements(neg, n_neg)
    if prevalence.random:
        pos += found.prevalence * (1 - pi) / (m + n)
        neg -= found.prevalence * pi / (m + n)
    area = np.array([prevalence.area_of_steps(quantity, steps)])
    return FoldInfluence(area, ClassInfluence(pos, steps.n_pos), ClassInfluence(neg, n_neg))


def precision_influence_by_score(
    counts: ScoreCounts, quantity: str, prevalence: PrecisionPrevalence
) -> tuple[float, FloatArray]:
    """Return an area, and the influence of a positive and of a negative at each score (2 x d).

    That of a positive is arbitrary at a score without positives.
    """
    steps = recall_steps(counts)
    found = _precision_influence_at_steps(steps, quantity, prevalence)
    # A negative stands with the positives of its score, or between two steps.
    number, has_pos = steps.number, counts.n_pos > 0
    pos = found.pos.values[0].take(np.where(has_pos, number - 1, 0))
    neg = found.neg.values[0].take(np.where(has_pos, number - 1, len(steps.tp) + number))
    return float(found.area[0]), np.array([pos, neg])


def _precision_influence_in_fold(
    cases: ScoredCases, predictors: Sequence[int], quantity: str, prevalence: PrecisionPrevalence
) -> FoldInfluence:
    """Return areas and influence values: by step of recall for one predictor, else by case."""
    if len(predictors) == 1 and cases.cluster is None:
        (k,) = predictors
        steps = cases.cached(("recall_steps", k), lambda: recall_steps(cases.counts(k)))
        return _precision_influence_at_steps(steps, quantity, prevalence)
    rows = [np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)]
    areas, of_rows = [], [np.empty((len(predictors), len(side))) for side in rows]
    for place, k in enumerate(predictors):
        codes = cases.codes(k)
        area, values = precision_influence_by_score(cases.counts(k), quantity, prevalence)
        areas.append(area)
        for by_row, side, value in zip(of_rows, rows, values, strict=True):
            by_row[place] = value.take(codes.take(side))
    weight = cases.frequency
    weights = [None if weight is None else weight.take(side) for side in rows]
    pos, neg = (ClassInfluence(*both) for both in zip(of_rows, weights, strict=True))
    return FoldInfluence(np.array(areas), pos, neg)


def _precision_influence_by_cluster(
    cases: ScoredCases, predictors: Sequence[int], quantity: str, prevalence: PrecisionPrevalence
) -> ClusterInfluence:
    """Return areas with influence summed by cluster and class."""
    fold, present = (
        _precision_influence_in_fold(cases, predictors, quantity, prevalence),
        clusters_present(cases),
    )
    codes = cases.cluster.codes  # type: ignore[union-attr]  # asked of cases in clusters
    sums = np.empty((len(predictors), *present.shape))
    sides = ((fold.neg, ~cases.is_positive), (fold.pos, cases.is_positive))
    for place, (side, rows) in enumerate(sides):
        values = side.values if side.weight is None else side.values * side.weight
        for k, of_rows in enumerate(values):
            sums[k, place] = np.bincount(codes[rows], of_rows, present.shape[1])
    alone = [
        np.diag(side.products()) * small_sample_factor(side.size) for side in (fold.pos, fold.neg)
    ]
    return ClusterInfluence(
        fold.area, np.array(alone), sums, present, class_shares_of_clusters(cases)
    )


# --- Variances ------------------------------------------------------------------------------------

PrecisionVariance = Literal["influence", "bootstrap"]


def precision_covariance(
    cases: ScoredCases, predictors: Sequence[int], quantity: str, prevalence: PrecisionPrevalence
) -> AreaCovariance:
    """Return an area of some predictors of a sample, and the covariance of their areas.

    Variances are NaN where a class (in some fold) has a single case or a single cluster.
    """
    return precision_covariance_and_df(cases, predictors, quantity, prevalence)[0]


def precision_covariance_and_df(
    cases: ScoredCases, predictors: Sequence[int], quantity: str, prevalence: PrecisionPrevalence
) -> tuple[AreaCovariance, float]:
    """Return areas as ``precision_covariance`` does, and df from their influence values.

    The degrees of freedom are those of the first area less the second, or of a single area.
    """
    weights = np.array([1.0, -1.0, *np.zeros(len(predictors))])[: len(predictors)]
    parts = [part for _, part in cases.by_fold()]
    if cases.cluster is None:
        folds = [
            _precision_influence_in_fold(part, predictors, quantity, prevalence) for part in parts
        ]
        covariance = (
            _precision_cohort_covariance if prevalence.random else delong_covariance_over_folds
        )
        found, part_df = covariance(folds), area_variance_df_by_class(folds, weights)
    else:
        clusters = [
            _precision_influence_by_cluster(part, predictors, quantity, prevalence)
            for part in parts
        ]
        of_clusters = (
            _precision_cluster_covariance if prevalence.random else obuchowski_covariance_over_folds
        )
        found, part_df = of_clusters(clusters), area_variance_df_by_cluster_kind(clusters, weights)
    return found, contrast_df([(weights, found.parts, part_df)])


def _precision_cohort_covariance(folds: Sequence[FoldInfluence]) -> AreaCovariance:
    """Return areas with their covariance over samples of both classes together, one a fold.

    The degrees of freedom are those of the parts of both classes, of which the rarer has few.
    """
    # A class with one case shows nothing of how its scores vary, in a cohort too.
    factors = [
        small_sample_factor(fold.pos.size + fold.neg.size) / len(folds) ** 2
        if min(fold.pos.size, fold.neg.size) > 1
        else np.nan
        for fold in folds
    ]
    by_fold = [
        [side.products() * factor for side in (fold.pos, fold.neg)]
        for fold, factor in zip(folds, factors, strict=True)
    ]
    parts = np.concatenate(by_fold)
    alone = np.sum([[np.diag(side) for side in both] for both in by_fold], axis=0)
    areas = np.mean([fold.area for fold in folds], axis=0)
    part_df = np.array([side.size - 1 for fold in folds for side in (fold.pos, fold.neg)])
    return AreaCovariance(areas, parts.sum(axis=0), alone, parts, np.maximum(part_df, 1.0))


def _precision_cluster_covariance(folds: Sequence[ClusterInfluence]) -> AreaCovariance:
    """Return areas with their covariance over a sample of clusters of any kind.

    The degrees of freedom are those of the parts of clusters of positives, of negatives and of
    both, so that clusters of one case are cases.
    """
    sums = cluster_sums_with_factors(folds)[1].sum(axis=1) / len(folds)
    if any(fold.present.sum(axis=1).min() < 2 for fold in folds):
        sums = np.full_like(sums, np.nan)
    has_neg, has_pos = np.any([fold.present for fold in folds], axis=0)
    kinds = [has_pos & ~has_neg, has_neg & ~has_pos, has_neg & has_pos]
    kinds = [kind for kind in kinds if kind.any()]
    parts = np.array([matrix_product_in_blocks(sums[:, kind], sums[:, kind]) for kind in kinds])
    share = np.sum([fold.share for fold in folds], axis=0)
    part_df = df_of_cluster_numbers([equal_clusters(share[kind]) for kind in kinds])
    alone = np.sum([fold.unclustered for fold in folds], axis=0) / len(folds) ** 2
    areas = np.mean([fold.area for fold in folds], axis=0)
    return AreaCovariance(areas, parts.sum(axis=0), alone, parts, part_df)


def precision_variance_word(cases: WeightedRows, prevalence: PrecisionPrevalence) -> str:
    """Return the word for the variance under the roles of a sample."""
    word = "cohort-influence" if prevalence.random else "influence"
    return word if cases.cluster is None else f"cluster-{word}"


def precision_area(
    cases: ScoredCases, k: int, quantity: str, prevalence: PrecisionPrevalence
) -> Area:
    """Return an area of predictor ``k`` with its variance and degrees of freedom."""
    found, df = precision_covariance_and_df(cases, [k], quantity, prevalence)
    area = areas_of_covariance(cases, found).take(0)
    return area._replace(df=df) if area.variance > 0 else area


# --- Intervals ------------------------------------------------------------------------------------

PrecisionInterval = Literal["logit-t", "logit", "percentile"]

MOVER = "boundary-mover"
"""Word for a difference one of whose areas has no variance."""

PRINTED = (
    Word("cohort-influence", "from influence values, the prevalence being estimated too"),
    Word(
        "cluster-cohort-influence",
        "from influence values, summed by cluster, the prevalence being estimated too",
    ),
)
BOUNDARY = Word(
    "effective-cases",
    "by the method of Wilson with an effective number of cases",
    ("wilson-1927",),
    published=False,
)
LIMITS = (
    BOUNDARY,
    Word(
        MOVER,
        "by combining the Wilson limits of both, with effective numbers of cases (MOVER)",
        ("zou-2008",),
        published=False,
    ),
)


class EffectiveCasesPrecisionLimits(NormalLimits):
    """Wilson's limits with 1/V cases, V = (v + e^2)/(A(1 - A) + e), e = 1/(2 m)."""

    def size(self, area: Area) -> float:
        """Return the effective number of cases."""
        # docs/methods/precision-recall.md, "Where nothing varies": e is half a positive.
        e = 1 / (2 * area.n_pos)
        return float((area.value * (1 - area.value) + e) / (area.variance + e**2))

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a normal quantile."""
        size = self.size(area)
        return wilson_limit_of_proportion(area.value * size, size, quantile)

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the z of the score test whose inversion the limits are."""
        spread = null_value * (1 - null_value) / self.size(area)
        return float((area.value - null_value) / np.sqrt(spread))


def precision_limits(
    area: Area, interval: PrecisionInterval, confidence_level: float
) -> tuple[float, float, str, tuple[str, ...]]:
    """Return both limits of an area, the word of their method, and their notes."""
    if lacks_variance(area):
        low, high = limits_of_area(
            EffectiveCasesPrecisionLimits(), area, confidence_level, "two-sided"
        )
        return low, high, BOUNDARY.word, ("precision-at-boundary",)
    method = LOGIT_LIMITS._replace(student=interval == LOGIT_T_INTERVAL.word)
    return *limits_of_area(method, area, confidence_level, "two-sided"), interval, ()


# --- Notes ----------------------------------------------------------------------------------------


def precision_codes(sample: Sample) -> list[str]:
    """Return the notes on the cases of a row."""
    few = ["few-positives"] if sample.n_pos < FEW_POSITIVES else []
    return [*size_codes(sample.cases), *few, *sample_notes(sample)]
