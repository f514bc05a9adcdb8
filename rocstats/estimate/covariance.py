"""Areas that are compared with each other, and their joint covariance by any method.

For predictors on the same cases the covariance is DeLong's (Obuchowski's with clusters), that of
the ideal bootstrap [bandos-2007], of Hanley and McNeil [hanley-mcneil-1983], or of resamples; for
predictors that do not share all cases that of available cases [zhou-gatsonis-1996].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.area_variances import ideal_bootstrap_area_covariance
from rocstats.estimate.areas import areas_of_covariance, variance_name, weighted_sample_areas
from rocstats.estimate.claim import ComparisonPlan
from rocstats.estimate.hanley_mcneil import Correlation, hanley_mcneil_covariance
from rocstats.estimate.influence import (
    AreaCovariance,
    area_covariance,
    area_covariance_spanning_groups,
    cluster_influence,
    cluster_kinds,
    cluster_sums_with_factors,
    df_of_cluster_numbers,
    fold_influence,
    matrix_product_in_blocks,
    small_sample_factor,
)
from rocstats.estimate.intervals import Area
from rocstats.estimate.resample_areas import draw_joint_areas
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, equal_clusters
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import clusters_present

# --- The areas that are compared ------------------------------------------------------------------


class AreaFamily(NamedTuple):
    """Areas of all predictors of a sample (over the width of their range) with their covariance.

    ``result`` has the parts that Satterthwaite's rule takes, unless the covariance is Hanley and
    McNeil's or that of resamples, the ``draws``. Where predictors have their own cases,
    ``available`` has these parts. Without ``is_known`` there are estimates only.
    """

    cases: ScoredCases
    areas: list[Area]
    covariance: FloatArray
    name: str
    result: AreaCovariance | None = None
    draws: FloatArray | None = None
    available: AvailableInfluence | None = None
    codes: tuple[str, ...] = ()
    is_known: bool = True


def area_family(
    cases: ScoredCases, g: int, choice: ComparisonPlan, *, paired: bool
) -> AreaFamily | None:
    """Return the areas of group ``g`` of a study; None if it lacks a class.

    ``paired`` says that areas of the same cases are compared.
    """
    if cases.lacks_class:
        return None
    if choice.resampled:
        return _resampled_family(cases, g, choice)
    if choice.method == "hanley-mcneil":
        return _hanley_mcneil_family(cases, choice.correlation if paired else None)
    everyone = range(cases.n_predictors)
    # Weighted areas have a variance from resamples only, which were handled above.
    if cases.sample_weight is not None:
        areas = weighted_sample_areas(cases, everyone, np.nan, choice.over).each()
        unknown = np.full((len(areas), len(areas)), np.nan)
        return AreaFamily(cases, areas, unknown, "none", is_known=False)
    result = _partial_area_covariance(cases, everyone, choice.over)
    areas = areas_of_covariance(cases, result, choice.over).each()
    if choice.method == "bootstrap":
        covariance = ideal_bootstrap_area_covariance(cases, everyone)
        return AreaFamily(cases, areas, covariance, variance_name(cases, "bootstrap"), result)
    # Influence values are those of the partial area itself: over its width they are a mean rate's.
    covariance = result.covariance / choice.over.width**2
    return AreaFamily(cases, areas, covariance, variance_name(cases, "delong"), result)


def _resampled_family(cases: ScoredCases, g: int, choice: ComparisonPlan) -> AreaFamily:
    everyone = range(cases.n_predictors)
    if choice.resamples is None:
        raise ValueError("resampled limits need a plan")
    draws, codes = draw_joint_areas(cases, choice.resamples.at(g), choice.over)
    # One predictor alone gives a scalar.
    covariance = np.atleast_2d(np.cov(draws))
    if cases.sample_weight is not None:
        areas = weighted_sample_areas(cases, everyone, covariance.diagonal(), choice.over).each()
    else:
        result = area_covariance(cases, everyone, over=choice.over)
        areas = areas_of_covariance(cases, result, choice.over).each()
    return AreaFamily(cases, areas, covariance, "resamples", draws=draws, codes=codes)


def _hanley_mcneil_family(cases: ScoredCases, correlation: Correlation | None) -> AreaFamily:
    values, covariance, varying = hanley_mcneil_covariance(cases, correlation)
    m, n = cases.n_pos, cases.n_neg
    areas = [
        Area(value, variance, np.inf, m, n, min(m, n))
        for value, variance in zip(values.tolist(), np.diag(covariance).tolist(), strict=True)
    ]
    codes = () if varying else ("no-score-correlation",)
    name = "hanley-mcneil" if correlation is None else f"hanley-mcneil-{correlation}"
    return AreaFamily(cases, areas, covariance, name, codes=codes)


_NO_AREA = Area(np.nan, np.nan, np.nan, np.nan, np.nan, np.nan)


def available_area_family(
    cases: ScoredCases, scored: Sequence[ScoredCases | None], choice: ComparisonPlan
) -> AreaFamily:
    """Return the areas of predictors that do not share all cases; NaN where a class is lacking.

    ``cases`` are all rows, where a missing score is NaN; ``scored`` are those of each predictor,
    None where they lack a class.
    """
    over, k = choice.over, len(scored)
    if cases.sample_weight is not None:
        areas = [
            _NO_AREA if part is None else weighted_sample_areas(part, [i], np.nan, over).take(0)
            for i, part in enumerate(scored)
        ]
        return AreaFamily(cases, areas, np.full((k, k), np.nan), "none", is_known=False)
    areas = []
    for i, part in enumerate(scored):
        if part is None:
            areas.append(_NO_AREA)
            continue
        areas += areas_of_covariance(part, _partial_area_covariance(part, [i], over), over).each()
    influence = available_influence(cases, scored, over)
    return AreaFamily(
        cases,
        areas,
        influence.covariance / over.width**2,
        f"available-{variance_name(cases, 'delong')}",
        available=influence,
    )


def _partial_area_covariance(
    cases: ScoredCases, predictors: Sequence[int], over: AreaRange
) -> AreaCovariance:
    """Return areas with their covariance, its df those of the cases expected in the range."""
    result = area_covariance(cases, predictors, over=over)
    return result._replace(part_df=partial_area_variance_df([cases], result.part_df, over))


def partial_area_variance_df(
    parts: Sequence[ScoredCases], part_df: FloatArray, over: AreaRange
) -> FloatArray:
    """Return df of parts of a variance that count, of the class on the axis, the expected cases.

    Outside the range all cases of that class have one placement: its variance rests on the others.
    Clusters, here of all ``parts`` of a sample, count as cases; those of both classes are whole.
    """
    if over.full:
        return part_df
    if parts[0].cluster is None:
        # Positives before negatives, fold by fold.
        shares = np.tile(over.shares, len(part_df) // 2)
    else:
        kinds = cluster_kinds(np.any([clusters_present(part) for part in parts], axis=0))
        shares = np.array([*over.shares, 1.0])[np.any(kinds, axis=1)]
    units = (part_df + 1) * shares
    return np.asarray(np.maximum(units - 1, 1.0))


def joint_covariance(
    families: Sequence[AreaFamily | None], choice: ComparisonPlan, *, spanning: bool
) -> FloatArray:
    """Return the covariance of the areas of all groups, group by group.

    ``spanning`` says that clusters have cases in several groups, whose areas covary then.
    """
    with_areas = [family for family in families if family is not None]
    k = len(with_areas[0].areas)
    joint = np.zeros((k * len(families), k * len(families)))
    for g, family in enumerate(families):
        if family is not None:
            joint[k * g : k * (g + 1), k * g : k * (g + 1)] = family.covariance
    if spanning:
        rows = np.concatenate(
            [np.arange(k * g, k * (g + 1)) for g, f in enumerate(families) if f is not None]
        )
        parts = [family.cases for family in with_areas]
        # A cluster adds up its influence over all groups: the blocks off the diagonal are not 0.
        spanned, *_ = area_covariance_spanning_groups(parts, range(k), over=choice.over)
        joint[np.ix_(rows, rows)] = spanned / choice.over.width**2
    return joint


# --- Available cases ------------------------------------------------------------------------------
# Each area is that of the cases with a score of its predictor. The influence value of a case on an
# area is 0 where it has no score, so that sums of products over all cases hold the shared ones only
# (the idea of Zhou & Gatsonis 1996). Each value carries the root of the small-sample factor of its
# own predictor, m/(m - 1): the covariance is then a matrix of inner products, so that no contrast
# has a negative variance. With the same cases it is that of DeLong (of Obuchowski by clusters).


class AvailableInfluence(NamedTuple):
    """Influence of u independent units (cases, or clusters) on k areas.

    The covariance is the sum of A B' over ``pairs`` of k x u matrices. ``kind`` (u) tells units of
    different classes and folds apart, ``present`` (k x r x u) those that a predictor has (in each
    class, r = 2, of a cluster); ``size`` is the number of cases (clusters) of a unit, ``share``
    (k x u) the share of the cases of a predictor that a cluster has, 1 for units that are cases.
    """

    area: FloatArray
    pairs: list[tuple[FloatArray, FloatArray]]
    kind: IntArray
    present: BoolArray
    size: FloatArray
    share: FloatArray

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the areas (k x k)."""
        return np.asarray(sum(matrix_product_in_blocks(a, b) for a, b in self.pairs))

    def components(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the independent parts of the variance of a contrast, and their df."""
        # Units that one of two predictors has are another sample than those that both have. Where
        # none is shared, the samples are those of two groups; where all are, the classes.
        used = np.flatnonzero(weights)
        w, of_sample = weights[used], self.kind
        for row in self.present[used].reshape(-1, len(self.kind)):
            of_sample = np.unique(2 * of_sample + row, return_inverse=True)[1].ravel()
        squares = np.sum([(w @ a[used]) * (w @ b[used]) for a, b in self.pairs], axis=0)
        share = self.share[used].sum(axis=0)
        alike = np.array(
            [
                equal_clusters(share[here]) / np.count_nonzero(here)
                for here in (of_sample == s for s in range(of_sample.max() + 1))
            ]
        )
        df = df_of_cluster_numbers(np.bincount(of_sample, self.size) * alike)
        return np.bincount(of_sample, squares).astype(np.float64, copy=False), df


def available_influence(
    cases: ScoredCases, scored: Sequence[ScoredCases | None], over: AreaRange = FULL_RANGE
) -> AvailableInfluence:
    """Return the influence on the area of each predictor in its own cases.

    ``cases`` are all rows, where a missing score is NaN; ``scored`` are those of each predictor,
    None where they lack a class: the area is NaN, and has no influence.
    """
    if cases.cluster is None:
        return _influence_by_case(cases, scored, over)
    return _influence_by_cluster(cases, scored, over)


def _influence_by_case(
    cases: ScoredCases, scored: Sequence[ScoredCases | None], over: AreaRange
) -> AvailableInfluence:
    present = ~np.isnan(cases.scores)
    area, values = np.full(len(scored), np.nan), np.zeros(present.shape)
    for k, part in enumerate(scored):
        if part is not None:
            area[k], values[k, present[k]] = _area_and_influence_of_cases(part, k, over)
    kind = cases.is_positive.astype(np.intp)
    size = np.where(cases.is_positive, *over.shares)
    if cases.fold is not None:
        kind += 2 * cases.fold.codes
    weighted = values
    if cases.frequency is not None:
        size, weighted = size * cases.frequency, values * cases.frequency
    every, alike = present[:, np.newaxis], np.ones(values.shape)
    return AvailableInfluence(area, [(weighted, values)], kind, every, size, alike)


def _area_and_influence_of_cases(
    cases: ScoredCases, k: int, over: AreaRange
) -> tuple[float, FloatArray]:
    """Return the area of predictor ``k`` and the influence of each of its cases."""
    areas, values = [], np.empty(len(cases.is_positive))
    fold = cases.fold
    rows = [np.arange(len(values))] if fold is None else [r for _, r in fold.rows_by_label()]
    for at, (_, part) in zip(rows, cases.by_fold(), strict=True):
        found, codes = fold_influence(part, [k], over), part.codes(k)
        areas.append(found.area[0])
        of_pos, of_neg = (
            np.sqrt(small_sample_factor(side.size)) * side.values[0].take(codes)
            for side in (found.pos, found.neg)
        )
        values[at] = np.where(part.is_positive, of_pos, of_neg)
    return float(np.mean(areas)), values / len(rows)


def _influence_by_cluster(
    cases: ScoredCases, scored: Sequence[ScoredCases | None], over: AreaRange
) -> AvailableInfluence:
    n_clusters = len(cases.cluster.labels)  # type: ignore[union-attr]
    area = np.full(len(scored), np.nan)
    within, crossed = np.zeros((2, len(scored), 2, n_clusters))
    present, share = (
        np.zeros((len(scored), 2, n_clusters), dtype=bool),
        np.zeros((len(scored), n_clusters)),
    )
    for k, part in enumerate(scored):
        if part is not None:
            folds = [cluster_influence(fold, [k], over) for _, fold in part.by_fold()]
            area[k] = np.mean([fold.area[0] for fold in folds])
            present[k] = np.any([fold.present for fold in folds], axis=0)
            share[k] = np.sum([fold.share for fold in folds], axis=0)
            sums = cluster_sums_with_factors(folds)
            within[k], crossed[k] = (of[0] / len(folds) for of in sums)
    has_neg, has_pos = np.any(present, axis=0)
    of_pos, of_neg = over.shares
    size = np.where(has_neg & has_pos, 1.0, np.where(has_pos, of_pos, of_neg))
    neg, pos = within[:, 0], within[:, 1]
    pairs = [(neg, neg), (pos, pos)]
    pairs += [(crossed[:, 1], crossed[:, 0]), (crossed[:, 0], crossed[:, 1])]
    kind = np.zeros(n_clusters, dtype=np.intp)
    return AvailableInfluence(area, pairs, kind, present, size, share)
