"""Areas that are compared with each other, and their joint covariance by any method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.partial import AreaRange
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import clusters_present
from rocstats.stats.areas.delong import areas_of
from rocstats.stats.areas.estimates import variance_name, weighted_area
from rocstats.stats.comparison.bootstrap_covariance import bootstrap_covariance
from rocstats.stats.comparison.hanley_mcneil import Correlation, hanley_mcneil_covariance
from rocstats.stats.comparison.plan import ComparisonPlan
from rocstats.stats.influence.areas import AreaCovariance, area_covariance, spanning_covariance
from rocstats.stats.influence.available import AvailableInfluence, available_influence
from rocstats.stats.intervals.area import Area
from rocstats.stats.resampling.areas import draw_joint_areas

_NO_AREA = Area(np.nan, np.nan, np.nan, np.nan, np.nan, np.nan)


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
        return _resampled(cases, g, choice)
    if choice.method == "hanley-mcneil":
        return _hanley_mcneil(cases, choice.correlation if paired else None)
    everyone = range(cases.n_predictors)
    # Weighted areas have a variance from resamples only, which were handled above.
    if cases.sample_weight is not None:
        areas = [weighted_area(cases, k, np.nan, choice.over) for k in everyone]
        unknown = np.full((len(areas), len(areas)), np.nan)
        return AreaFamily(cases, areas, unknown, "none", is_known=False)
    result = area_covariance(cases, everyone, over=choice.over)
    result = result._replace(part_df=range_df([cases], result.part_df, choice.over))
    areas = areas_of(cases, result, choice.over)
    if choice.method == "bootstrap":
        covariance = bootstrap_covariance(cases, everyone)
        return AreaFamily(cases, areas, covariance, variance_name(cases, "bootstrap"), result)
    # Influence values are those of the partial area itself: over its width they are a mean rate's.
    covariance = result.covariance / choice.over.width**2
    return AreaFamily(cases, areas, covariance, variance_name(cases, "delong"), result)


def available_family(
    cases: ScoredCases, own: Sequence[ScoredCases | None], choice: ComparisonPlan
) -> AreaFamily:
    """Return the areas of predictors that do not share all cases; NaN where a class is lacking.

    ``cases`` are all rows, where a missing score is NaN; ``own`` are those of each predictor, None
    where they lack a class.
    """
    over, k = choice.over, len(own)
    if cases.sample_weight is not None:
        areas = [
            _NO_AREA if mine is None else weighted_area(mine, i, np.nan, over)
            for i, mine in enumerate(own)
        ]
        return AreaFamily(cases, areas, np.full((k, k), np.nan), "none", is_known=False)
    areas = []
    for i, mine in enumerate(own):
        if mine is None:
            areas.append(_NO_AREA)
            continue
        result = area_covariance(mine, [i], over=over)
        result = result._replace(part_df=range_df([mine], result.part_df, over))
        areas += areas_of(mine, result, over)
    influence = available_influence(cases, own, over)
    return AreaFamily(
        cases,
        areas,
        influence.covariance / over.width**2,
        f"available-{variance_name(cases, 'delong')}",
        available=influence,
    )


def range_df(parts: Sequence[ScoredCases], part_df: FloatArray, over: AreaRange) -> FloatArray:
    """Return df of parts of a variance that count, of the class on the axis, the expected cases.

    Outside the range all cases of that class have one placement: its variance rests on the others.
    Clusters, here of all ``parts`` of a sample, count as cases; those of both classes are whole.
    """
    if over.full:
        return part_df
    if parts[0].cluster is None:
        # Positives before negatives, fold by fold.
        units = (part_df + 1) * np.tile(over.shares, len(part_df) // 2)
    else:
        has_neg, has_pos = np.any([clusters_present(part) for part in parts], axis=0)
        kinds = np.sum([has_pos & ~has_neg, has_neg & ~has_pos, has_neg & has_pos], axis=1)
        units = (kinds * [*over.shares, 1.0])[kinds > 0]
    return np.asarray(np.maximum(units - 1, 1.0))


def joint_covariance(
    families: Sequence[AreaFamily | None], choice: ComparisonPlan, *, spanning: bool
) -> FloatArray:
    """Return the covariance of the areas of all groups, group by group.

    ``spanning`` says that clusters have cases in several groups, whose areas covary then.
    """
    known = [family for family in families if family is not None]
    k = len(known[0].areas)
    joint = np.zeros((k * len(families), k * len(families)))
    for g, family in enumerate(families):
        if family is not None:
            joint[k * g : k * (g + 1), k * g : k * (g + 1)] = family.covariance
    if spanning:
        rows = np.concatenate(
            [np.arange(k * g, k * (g + 1)) for g, f in enumerate(families) if f is not None]
        )
        parts = [family.cases for family in known]
        # A cluster adds up its influence over all groups: the blocks off the diagonal are not 0.
        spanned, *_ = spanning_covariance(parts, range(k), over=choice.over)
        joint[np.ix_(rows, rows)] = spanned / choice.over.width**2
    return joint


def _resampled(cases: ScoredCases, g: int, choice: ComparisonPlan) -> AreaFamily:
    everyone = range(cases.n_predictors)
    if choice.plan is None:
        raise ValueError("resampled limits need a plan")
    draws, codes = draw_joint_areas(cases, choice.plan.at(g), choice.over)
    # One predictor alone gives a scalar.
    covariance = np.atleast_2d(np.cov(draws))
    if cases.sample_weight is not None:
        areas = [weighted_area(cases, k, float(covariance[k, k]), choice.over) for k in everyone]
    else:
        result = area_covariance(cases, everyone, over=choice.over)
        areas = areas_of(cases, result, choice.over)
    return AreaFamily(cases, areas, covariance, "resamples", draws=draws, codes=codes)


def _hanley_mcneil(cases: ScoredCases, correlation: Correlation | None) -> AreaFamily:
    values, covariance, varying = hanley_mcneil_covariance(cases, correlation)
    m, n = cases.n_pos, cases.n_neg
    areas = [
        Area(value, variance, np.inf, m, n, min(m, n))
        for value, variance in zip(values.tolist(), np.diag(covariance).tolist(), strict=True)
    ]
    codes = () if varying else ("no-score-correlation",)
    name = "hanley-mcneil" if correlation is None else f"hanley-mcneil-{correlation}"
    return AreaFamily(cases, areas, covariance, name, codes=codes)
