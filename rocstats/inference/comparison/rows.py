"""Pairs and contrasts of the areas of a study, with the covariance of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rocstats.inference.comparison.options import require_correlated_scores
from rocstats.inference.estimates.area_inference import area_error
from rocstats.inference.estimates.contrasts import plan_contrasts
from rocstats.inference.estimates.groups import (
    require_comparable,
    require_grouped,
    require_separate_clusters,
)
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import require_cases
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import clusters_span
from rocstats.sample.counts.summed import SummedCases
from rocstats.sample.sample import Sample, own_sample, require_fold_classes
from rocstats.stats.comparison.contrasts import (
    ContrastResult,
    contrast_variance,
    infer_contrast,
)
from rocstats.stats.comparison.covariance import (
    AreaFamily,
    area_family,
    available_family,
    joint_covariance,
    range_df,
)
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.permutation import exchange_test
from rocstats.stats.comparison.plan import ComparisonPlan
from rocstats.stats.influence.areas import contrast_df, satterthwaite, spanning_covariance
from rocstats.stats.intervals.methods.newcombe import NewcombeOver
from rocstats.tolerances import SAME_TO_ROUNDING


class Planned(NamedTuple):
    """A row of the answer: its names, and the areas (group, predictor) that it weighs."""

    names: dict[str, str]
    at: list[tuple[int, int]]
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class Compared:
    """The areas of each group, the covariance of all of them, and how they are compared."""

    families: list[AreaFamily | None]
    covariance: FloatArray
    choice: ComparisonPlan
    sample: Sample

    @cached_property
    def parts(self) -> list[Sample]:
        """The sample of each group."""
        return [part for _, part in self.sample.by_group()]

    def size(self, row: Planned) -> tuple[float, float]:
        """Return the numbers of positives and negatives in the groups of a row."""
        used = [self.parts[g] for g in dict.fromkeys(g for g, _ in row.at)]
        return sum(part.n_pos for part in used), sum(part.n_neg for part in used)

    def cases(self, g: int, k: int) -> ScoredCases:
        """Return the cases of predictor ``k`` in group ``g``."""
        return own_sample(self.parts[g], k).cases

    def places(self, row: Planned) -> list[int]:
        """Return the positions of the areas of a row in the covariance."""
        k = len(self.sample.predictors)
        return [k * g + i for g, i in row.at]

    def value(self, g: int, k: int) -> float:
        """Return the area of predictor ``k`` in group ``g`` over its width; NaN without a class."""
        family = self.families[g]
        return float("nan") if family is None else family.areas[k].value

    def estimate(self, row: Planned) -> float:
        """Return the difference of areas, or the contrast of them."""
        values = np.array([self.value(g, k) for g, k in row.at])
        return self.choice.over.width * float(row.weights @ values)

    def binning_error(self, row: Planned) -> float:
        """Return how far the estimate of a row can be from that of all scores."""
        over = self.choice.over
        errors = [area_error(self.parts[g], k, over) for g, k in row.at]
        return over.width * float(np.abs(row.weights) @ np.array(errors))

    def row_covariance(self, planned: Sequence[Planned]) -> FloatArray:
        """Return the covariance of all rows."""
        weights = np.zeros((len(planned), len(self.covariance)))
        for line, row in zip(weights, planned, strict=True):
            line[self.places(row)] = row.weights
        return np.asarray(weights @ self.covariance @ weights.T)


def plan_rows(sample: Sample, across: str, reference: str | None, contrasts: Any) -> list[Planned]:
    """Return the rows: pairs of predictors in each group, or of groups for each predictor."""
    groups = [label for label, _ in sample.by_group()]
    if across == "predictors":
        require_cases(sample, "a comparison of predictors")
        inner = plan_contrasts(sample.predictors, "predictors", reference, contrasts)
        return [
            Planned(
                {"predictor": c.predictor, "reference": c.reference, "group": label},
                # Areas without weight stay out: their boundary rules must not reach this row.
                [(g, int(k)) for k in np.flatnonzero(c.weights)],
                c.weights[c.weights != 0],
            )
            for g, label in enumerate(groups)
            for c in inner
        ]
    require_grouped(sample)
    inner = plan_contrasts(groups, "groups", reference, contrasts)
    return [
        Planned(
            {"predictor": name, "reference": c.reference, "group": c.predictor},
            [(int(g), k) for g in np.flatnonzero(c.weights)],
            c.weights[c.weights != 0],
        )
        for k, name in enumerate(sample.predictors)
        for c in inner
    ]


def compare_families(
    sample: Sample, choice: ComparisonPlan, planned: Sequence[Planned], across: str, adjust: str
) -> Compared:
    """Return the areas of a study with the covariance that its rows and adjustment need."""
    parts = sample.by_group()
    spanning = _spanning(sample, choice, across, adjust)
    paired = across == "predictors"
    if paired:
        _require_paired(parts, choice)
    with enough_valid_resamples():
        families = [_family(part, g, choice, paired=paired) for g, (_, part) in enumerate(parts)]
    covariance = np.empty((0, 0))
    if any(family is not None for family in families):
        # Under weights there are estimates only, and no influence values to sum by cluster.
        spanning = spanning and sample.sample_weight is None
        covariance = joint_covariance(families, choice, spanning=spanning)
    return Compared(families, covariance, choice, sample)


def _spanning(sample: Sample, choice: ComparisonPlan, across: str, adjust: str) -> bool:
    """Return whether areas of several groups covary through clusters that span them."""
    parts = sample.by_group()
    by_influence = choice.by_influence and sample.own_dropped is None
    if across == "groups":
        for mine in zip(*(_own_parts(part) for _, part in parts), strict=True):
            labels = [label for label, _ in parts]
            require_comparable(list(zip(labels, mine, strict=True)), clusters_may_span=by_influence)
    # Pairs inside a group need that covariance only for a joint adjustment; only influence values
    # of the same cases can give it.
    elif adjust != "single-step":
        return False
    spanning = clusters_span([part.all_cases for _, part in parts])
    if spanning and not by_influence:
        require_separate_clusters(parts)
    return spanning


def _require_paired(parts: Sequence[tuple[str, Sample]], choice: ComparisonPlan) -> None:
    for _, part in parts:
        require_correlated_scores(part.all_cases, choice)
        for own in _own_parts(part):
            if not own.cases.lacks_class:
                require_fold_classes(own)


def _own_parts(part: Sample) -> list[Sample]:
    """Return the cases of each predictor, once if all have the same."""
    return [
        own_sample(part, k) for k in range(1 if part.own_dropped is None else len(part.predictors))
    ]


def _family(part: Sample, g: int, choice: ComparisonPlan, *, paired: bool) -> AreaFamily | None:
    if part.own_dropped is None:
        return area_family(part.cases, g, choice, paired=paired)
    own = [None if one.cases.lacks_class else one.cases for one in _own_parts(part)]
    return available_family(part.all_cases, own, choice)


def infer_row(compared: Compared, row: Planned, tested: HypothesisPlan) -> ContrastResult | None:
    """Return the inference about a row of mean rates; None without a class, or under weights."""
    families = [compared.families[g] for g, _ in row.at]
    known = [family for family in families if family is not None and family.is_known]
    if len(known) < len(families):
        return None
    places = compared.places(row)
    covariance = compared.covariance.take(places, 0).take(places, 1)
    variance = contrast_variance(row.weights, covariance)
    areas = [family.areas[k] for family, (_, k) in zip(known, row.at, strict=True)]
    # Of predictors with their own cases one may lack a class that others have.
    if any(np.isnan(area.value) for area in areas):
        return None
    result = infer_contrast(
        row.weights,
        areas,
        covariance,
        _df(compared, row),
        tested,
        identical=_identical(compared, row, [area.value for area in areas], variance),
        mover=compared.choice.combined,
        own=NewcombeOver(compared.choice.over.shares),
        draws=_draws(known, row),
    )
    if not compared.choice.permuted:
        return result
    # The permutation replaces the test and leaves DeLong's limits: it does not extend to other
    # null values, whose inversion would give an interval. The predictor has the weight 1.
    first, second = (row.at[int(i)][1] for i in np.argsort(-row.weights))
    test = exchange_test(known[0].cases, first, second, compared.choice, row.at[0][0], tested.side)
    return result._replace(
        statistic=test.statistic,
        df=test.df,
        p_value=test.p_value,
        kind=f"{result.kind}/{test.word}",
    )


def _df(compared: Compared, row: Planned) -> float:
    """Return Satterthwaite's degrees of freedom; infinite for normal limits."""
    families = {g: compared.families[g] for g, _ in row.at}
    available = [
        family.available.components(_weights(compared, row, g))
        for g, family in families.items()
        if family is not None and family.available is not None
    ]
    if compared.choice.interval == "wald":
        return float("inf")
    if available:
        parts, part_df = (np.concatenate(arrays) for arrays in zip(*available, strict=True))
        return satterthwaite(parts, part_df)
    known = {
        g: (family.cases, family.result)
        for g, family in families.items()
        if family is not None and family.result is not None
    }
    if len(known) < len(families):
        return float("inf")
    cases = [part for part, _ in known.values()]
    if clusters_span(cases):
        # Groups that share clusters are no independent samples: a row is of one predictor in all.
        over, predictor = compared.choice.over, row.at[0][1]
        _, parts, part_df = spanning_covariance(cases, [predictor], over=over)
        return contrast_df([(row.weights, parts, range_df(cases, part_df, over))])
    return contrast_df(
        [
            (_weights(compared, row, g), result.parts, result.part_df)
            for g, (_, result) in known.items()
        ]
    )


def _weights(compared: Compared, row: Planned, g: int) -> FloatArray:
    """Return the weight of each predictor of a group in a row."""
    weights = np.zeros(len(compared.sample.predictors))
    for (group, k), weight in zip(row.at, row.weights, strict=True):
        weights[k] += weight if group == g else 0.0
    return weights


def _draws(families: Sequence[AreaFamily], row: Planned) -> FloatArray | None:
    if families[0].draws is None:
        return None
    resampled = [
        f.draws[k] for f, (_, k) in zip(families, row.at, strict=True) if f.draws is not None
    ]
    return np.asarray(row.weights @ np.array(resampled))


def _identical(compared: Compared, row: Planned, values: Sequence[float], variance: float) -> bool:
    """Return whether the predictors rank all cases alike, or have the same placements."""
    same = abs(float(row.weights @ np.array(values))) < SAME_TO_ROUNDING
    if not same or len({g for g, _ in row.at}) > 1:
        return False
    g, k = row.at[0]
    alike = all(_rank_alike(compared, g, k, i) for _, i in row.at[1:])
    if alike and _same_rows(compared.parts[g], [i for _, i in row.at]):
        return True
    # At areas of 0 or 1 the placements are equal whatever the scores: the boundary rule applies.
    return variance == 0 and all(0 < value < 1 for value in values)


def _rank_alike(compared: Compared, g: int, first: int, other: int) -> bool:
    cases = compared.cases(g, first)
    if isinstance(cases, SummedCases) and cases.sums is not None:
        return bool(cases.sums.alike[first, other])
    return np.array_equal(cases.codes(first), compared.cases(g, other).codes(other))


def _same_rows(part: Sample, predictors: Sequence[int]) -> bool:
    """Return whether predictors have scores of the same cases."""
    if part.own_dropped is None:
        return True
    missing = np.isnan(part.scores[predictors])
    return bool(np.all(missing == missing[0]))
