"""The groups of a study as strata, inside which pairs of cases are compared.

One area comes from the pairs inside strata, each stratum with its share of all such pairs; the test
of equal areas compares independent groups on the logit scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.estimate.answers import lacks_class, require_groups
from rocstats.estimate.area_variances import newcombe_relative_variance
from rocstats.estimate.areas import estimate_areas, snap_to_boundary
from rocstats.estimate.influence import (
    AreaCovariance,
    df_of_area_variance,
    weighted_area_covariance,
)
from rocstats.estimate.intervals import Area, ScoreLimits
from rocstats.facts.methods import Word
from rocstats.facts.scales import LOGIT, EqualityTest, equal_on_scale
from rocstats.facts.tolerances import SAME_TO_ROUNDING, clear_rounding
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample, own_sample, require_fold_classes

# --- Strata ---------------------------------------------------------------------------------------


class Stratum(NamedTuple):
    """A stratum with both classes, its share of all pairs inside strata, its units of each class.

    Units are cases, or clusters that hold a case of the class.
    """

    cases: ScoredCases
    share: float
    n_pos: float
    n_neg: float


def require_strata(sample: Sample, k: int | None = None) -> list[Stratum]:
    """Return the groups that hold pairs; raise InputError if there is none, or a fold has none.

    ``k`` takes the cases of one predictor; None needs the same cases of all.
    """
    groups = [part for _, part in require_groups(sample, "the strata of the cases")]
    parts = groups if k is None else [own_sample(part, k) for part in groups]
    strata = _strata_with_pairs([part.cases for part in parts])
    if not strata:
        raise InputError(
            "`group` must leave both classes in at least one group; got none that holds a pair."
            " Merge groups."
        )
    for part in parts:
        if not lacks_class(part):
            require_fold_classes(part)
    return strata


def _strata_with_pairs(parts: Sequence[ScoredCases]) -> list[Stratum]:
    """Return the groups that hold pairs; the shares are of weighted pairs if rows are weighted."""
    kept = [part for part in parts if not part.lacks_class]
    pairs = np.array([part.counts(0).total_pos * part.counts(0).total_neg for part in kept])
    shares = pairs / pairs.sum() if len(kept) else pairs
    return [
        Stratum(part, float(share), *_independent_units_by_class([part]))
        for part, share in zip(kept, shares, strict=True)
    ]


def strata_codes(sample: Sample, strata: Sequence[Stratum]) -> list[str]:
    """Return the note about groups that hold no pairs."""
    n_without = len(sample.by_group()) - len(strata)
    return [f"strata-without-pairs={n_without}"] if n_without else []


def _independent_units_by_class(parts: Sequence[ScoredCases]) -> tuple[float, float]:
    """Return the numbers of independent units with a positive, and with a negative."""
    if parts[0].cluster is None:
        return sum(part.n_pos for part in parts), sum(part.n_neg for part in parts)
    pos = [part.cluster.codes[part.is_positive] for part in parts if part.cluster is not None]
    neg = [part.cluster.codes[~part.is_positive] for part in parts if part.cluster is not None]
    # A cluster with cases in several strata is counted in none of them twice.
    return float(len(np.unique(np.concatenate(pos)))), float(len(np.unique(np.concatenate(neg))))


# --- The area from pairs inside strata ------------------------------------------------------------


def stratified_covariance(
    cases: ScoredCases, strata: Sequence[Stratum], predictors: Sequence[int]
) -> AreaCovariance:
    """Return the areas over pairs inside strata, sums of share times area, and their covariance."""
    parts = [
        (stratum.share / len(folds), fold)
        for stratum in strata
        for folds in [stratum.cases.by_fold()]
        for _, fold in folds
    ]
    return weighted_area_covariance(cases, parts, predictors)


def areas_over_strata(result: AreaCovariance, strata: Sequence[Stratum]) -> list[Area]:
    """Return each area of a joint covariance over strata as an Area."""
    m, n = _independent_units_by_class([stratum.cases for stratum in strata])
    areas = []
    for k, value in enumerate(result.area.tolist()):
        # Shares that sum to 1 but for rounding must not hide a perfect area.
        variance = clear_rounding(float(result.covariance[k, k]))
        areas.append(Area(snap_to_boundary(value), variance, result.df(k), m, n, min(m, n)))
    return areas


def predictors_alike_in_strata(
    result: AreaCovariance, strata: Sequence[Stratum], i: int, j: int
) -> bool:
    """Return whether two predictors whose difference has no variance do not differ at all.

    They rank the cases of every stratum alike, or have the same placements there.
    """
    if all(np.array_equal(s.cases.codes(i), s.cases.codes(j)) for s in strata):
        return True
    first, second = float(result.area[i]), float(result.area[j])
    # Areas of 0 or 1 never have a variance: to them the rules at the boundary apply.
    return 0 < first < 1 and abs(first - second) < SAME_TO_ROUNDING


def stratified_newcombe(strata: Sequence[Stratum]) -> ScoreLimits:
    """Return score limits with Newcombe's variance of each stratum, its share squared.

    Clusters that span strata count once: the variance is at least that of all units together.
    """
    together = _independent_units_by_class([stratum.cases for stratum in strata])

    def relative(theta: float, n_pos: float, n_neg: float) -> float:
        apart = sum(
            s.share**2 * newcombe_relative_variance(theta, s.n_pos, s.n_neg) for s in strata
        )
        # A cluster of several strata counts in each as if it were another unit.
        return max(apart, newcombe_relative_variance(theta, *together))

    return ScoreLimits(relative)


# --- The test that independent areas are equal ----------------------------------------------------


def equality_test_of_logit_areas(parts: Sequence[ScoredCases], k: int) -> EqualityTest:
    """Return the test that predictor ``k`` has one area in independent parts, on the logit scale.

    NaN where an area is 0 or 1 or has no variance, whose logit has no standard error.
    """
    areas = [estimate_areas(part, [k]) for part in parts]
    value = np.concatenate([area.value for area in areas])
    # The logit has the variance v/(A(1 - A))^2 (delta method).
    se = np.sqrt(np.concatenate([area.variance for area in areas]))
    return equal_on_scale(
        LOGIT, value, se, np.array([df_of_area_variance(part, k) for part in parts])
    )


# --- The words of standard errors in `method` -----------------------------------------------------

PRINTED = (
    Word("stratified-delong", "by the method of DeLong et al within strata", ("delong-1988",)),
    Word(
        "stratified-obuchowski",
        "by the method of Obuchowski for clustered data, over strata",
        ("obuchowski-1997",),
    ),
)
"""The words for standard errors of stratified areas."""
