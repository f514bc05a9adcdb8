"""Endpoints of reader studies: averages over readers, differences of modalities or from a machine.

An ``Endpoint`` is what is averaged in a group of the study: areas, or rates of calls. Calls become
ratings whose area is a sensitivity or a specificity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.estimate.areas import area_columns, snapped
from rocstats.estimate.claim import HypothesisPlan, hypothesis_columns
from rocstats.estimate.compare import Compared
from rocstats.estimate.estimate import undefined
from rocstats.estimate.intervals import Area
from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import (
    BoundaryLimits,
    ReaderEstimate,
    ReaderInterval,
    average_result,
    difference_result,
)
from rocstats.facts.arrays import BoolArray, FloatArray, effective_size
from rocstats.facts.tolerances import (
    FEW_CLUSTERS,
    NO_CONTRAST_VARIANCE,
    SAME_TO_ROUNDING,
    cleared,
)
from rocstats.inference.readers.engines import (
    Engine,
    ReaderPlan,
    Versus,
    reader_engine,
    require_served,
)
from rocstats.study.base import row_codes
from rocstats.study.cases import Reads
from rocstats.study.readers import ReaderSample

# --- What is averaged over the readers of one group -----------------------------------------------

ALL = "all"
"""The reader of an average, and the modality of a test of all modalities."""


class Endpoint(NamedTuple):
    """What is averaged over the readers of one group: areas, or rates of calls.

    ``part`` is the group, ``reads`` its ratings, or the calls that make areas of rates, ``at`` the
    columns of the thresholds of each modality (none for areas).
    """

    group: str
    part: ReaderSample
    reads: Reads
    plan: ReaderPlan
    engine: Engine
    quantity: str
    at: Sequence[dict[str, Any]]

    @property
    def boundary(self) -> BoundaryLimits:
        """The limits where there is no variance."""
        return BoundaryLimits(self.plan.is_rate, self.plan.over.shares)

    @property
    def scale(self) -> float:
        """What mean rates are multiplied by: the width of the range of an area."""
        return self.plan.over.width

    @property
    def columns(self) -> dict[str, Any]:
        """The columns that say what is estimated, and where."""
        if self.plan.is_rate:
            return {"group": self.group, "quantity": self.quantity}
        return {"group": self.group, **area_columns(self.plan.over)}

    def active(self, i: int) -> list[int]:
        """Return the readers with reads under modality ``i``."""
        read = self.part.reads.has_read[i].any(axis=1)
        return [int(j) for j in np.flatnonzero(read)]

    def averaged(self, i: int) -> list[int]:
        """Return the readers with a value under modality ``i``: an area needs both classes."""
        return [j for j in self.active(i) if not np.isnan(self.engine.table.theta[i, j])]

    def read_cases(self, i: int, j: int | None = None) -> tuple[BoolArray, BoolArray]:
        """Return which positives and negatives were read by those averaged, or reader ``j``."""
        chosen = self.averaged(i) if j is None else [j]
        pos, neg = self.part.reads.pos[i, chosen], self.part.reads.neg[i, chosen]
        return np.any(~np.isnan(pos), axis=0), np.any(~np.isnan(neg), axis=0)

    def area(self, estimate: ReaderEstimate, i: int, j: int | None = None) -> Area:
        """Return an average, or the area of one reader, with its numbers of cases (clusters)."""
        read = self.read_cases(i, j)
        clusters = self.part.reads.pos_cluster, self.part.reads.neg_cluster
        m, n = (
            float(np.count_nonzero(cases) if codes is None else len(np.unique(codes[cases])))
            for cases, codes in zip(read, clusters, strict=True)
        )
        size = {"tpr": m, "tnr": n}.get(self.quantity, min(m, n))
        value = estimate.value if np.isnan(estimate.value) else snapped(estimate.value)
        return Area(value, cleared(estimate.variance), estimate.df, m, n, size)

    def side(self, i: int, j: int | None) -> Area:
        """Return the average of modality ``i``; of reader ``j`` the area, of random cases."""
        if j is None:
            return self.area(self.engine.average(i), i)
        table, curve = self.engine.table, i * len(self.part.readers) + j
        variance = float(table.sigma[curve, curve])
        return self.area(ReaderEstimate(float(table.theta[i, j]), variance, np.inf), i, j)

    def ranks_alike(self, i: int, k: int, j: int | None = None) -> bool:
        """Return whether every reader, or reader ``j``, ranks all cases alike under both."""
        chosen = self.active(i) if j is None else [j]
        if j is None and chosen != self.active(k):
            return False
        return all(np.array_equal(self._ranks(i, c), self._ranks(k, c)) for c in chosen)

    def _ranks(self, i: int, j: int) -> Any:
        ratings = np.concatenate([self.reads.pos[i, j], self.reads.neg[i, j]])
        # Cases that were not read have the last rank: both must leave out the same.
        return np.unique(ratings, return_inverse=True)[1]

    def sizes(self, *modalities: int, j: int | None = None) -> dict[str, int]:
        """Return the columns of the numbers of cases, and of readers, of any of some modalities."""
        sides = [self.read_cases(i, j) for i in modalities]
        pos, neg = (np.any(side, axis=0) for side in zip(*sides, strict=True))
        readers = {j} if j is not None else {c for i in modalities for c in self.averaged(i)}
        return {
            "n_pos": int(np.count_nonzero(pos)),
            "n_neg": int(np.count_nonzero(neg)),
            "n_readers": len(readers),
        }

    def names(self, i: int, j: int | None = None) -> dict[str, Any]:
        """Return the columns that name modality ``i`` and its readers, or reader ``j``, fixed."""
        plan = self.plan
        return {
            "modality": self.part.modalities[i],
            "reader": ALL if j is None else self.part.readers[j],
            **self.columns,
            **self.at[i],
            "readers": plan.readers if j is None else "fixed",
            "cases": plan.cases if j is None else "random",
        }

    def codes(self) -> list[str]:
        """Return the notes of all rows of the group."""
        design = self.part.design
        # Where blocks are left out by design no read is missing.
        missing = [f"missing-reads={design.n_missing}"] if design.uneven else []
        # Kish's effective number of clusters, by class.
        clusters = [side for side in self.part.reads[2:] if side is not None]
        sizes = [effective_size(np.bincount(side)) for side in clusters]
        few = ["few-clusters"] if min(sizes, default=np.inf) < FEW_CLUSTERS else []
        return [*missing, *few, *row_codes(self.part)]

    def doubts(self, *, one_modality: bool = False) -> list[str]:
        """Return the doubts about a variance, of an average of one modality or of a difference."""
        design = self.part.design
        # Under one modality of a partially paired study all readers read the same cases.
        uneven = design.uneven and not (one_modality and design.pattern == "partially paired")
        return ["uneven-reads"] if uneven and self.plan.method == "u-statistic" else []


def endpoints(
    sample: ReaderSample,
    plan: ReaderPlan,
    quantities: Sequence[str] = ("auc",),
    thresholds: FloatArray | None = None,
    *,
    needs_served: bool = False,
) -> Iterator[Endpoint]:
    """Yield what is averaged over readers: each quantity in each group.

    ``thresholds`` (one a modality, on the user's scale) make rates of calls. Raise InputError where
    the method does not hold for the design, if what is asked needs that.
    """
    for group, part in sample.by_group():
        for quantity in quantities:
            reads = part.reads
            at: list[dict[str, Any]] = [{} for _ in part.modalities]
            if thresholds is not None:
                higher = np.array(part.higher_is_positive)
                cuts = np.where(higher, thresholds, -thresholds)
                reads = called_reads(reads, cuts, quantity)  # type: ignore[arg-type]
                at = [
                    {"threshold": float(threshold), "direction": ">=" if up else "<="}
                    for threshold, up in zip(thresholds, higher, strict=True)
                ]
            engine = reader_engine(reads, plan)
            require_served(not needs_served or engine.served, plan, part)
            yield Endpoint(group, part, reads, plan, engine, quantity, at)


# --- Calls as ratings, whose area is a sensitivity or a specificity -------------------------------


def called_reads(reads: Reads, threshold: FloatArray, quantity: Literal["tpr", "tnr"]) -> Reads:
    """Return reads whose areas are the rates of calls at thresholds.

    ``threshold`` (t, or t x r) is on the scale of the reads, where higher is more positive: ratings
    at or above it are called positive, none at an infinite one.

    The cases of the rate have the rating 2 if they are called positive and else 0. Those of the
    other class are replaced by two marks rated 1: positives called right lie above them, negatives
    called right below. The placements of the marks are equal, so that they add nothing to a
    variance; with one mark, variances of the other class would be undefined.
    """
    at = np.asarray(threshold, dtype=np.float64).reshape(len(threshold), -1, 1)
    ratings = reads.pos if quantity == "tpr" else reads.neg
    read = ~np.isnan(ratings)
    # As everywhere in the package, the threshold beyond every score calls nobody positive.
    called = (ratings >= at) & (at < np.inf)
    cases = np.where(read, 2.0 * called, np.nan)
    marks = np.where(read.any(axis=2, keepdims=True), np.ones(2), np.nan)
    clusters, mark_clusters = None, None
    if reads.pos_cluster is not None and reads.neg_cluster is not None:
        clusters = reads.pos_cluster if quantity == "tpr" else reads.neg_cluster
        # Each mark is a cluster of its own.
        last = max(int(side.max()) for side in (reads.pos_cluster, reads.neg_cluster) if len(side))
        mark_clusters = np.array([last + 1, last + 2])
    if quantity == "tpr":
        return Reads(cases, marks, clusters, mark_clusters)
    return Reads(marks, cases, mark_clusters, clusters)


# --- Averages -------------------------------------------------------------------------------------


def endpoint_average(
    endpoint: Endpoint, i: int, interval: ReaderInterval, confidence_level: float
) -> Compared:
    """Return the average over readers of modality ``i``."""
    estimate = endpoint.engine.average(i)
    known = {
        **endpoint.names(i),
        **endpoint.sizes(i),
        "confidence_level": confidence_level,
    }
    codes = [*estimate.codes, *endpoint.doubts(one_modality=True), *endpoint.codes()]
    value = endpoint.scale * estimate.value
    if not _has_spread(endpoint, estimate, i):
        return known, undefined(_why_undefined(estimate), value), codes
    area, codes = endpoint.area(estimate, i), _without_zero_variance(codes)
    if _is_certain(endpoint, area.variance):
        return known, undefined("no-variance", value), codes
    word = endpoint.engine.word
    result = average_result(area, endpoint.boundary, interval, confidence_level, word)
    return known, result.times(endpoint.scale), codes


# --- Differences ----------------------------------------------------------------------------------


def modality_pair(
    endpoint: Endpoint, pair: tuple[int, int], tested: HypothesisPlan, j: int | None = None
) -> Compared:
    """Return the difference of two modalities: averages over readers, or reader ``j`` alone."""
    i, k = pair
    if j is None:
        estimate = endpoint.engine.difference(i, k)
    else:
        estimate = endpoint.engine.reader_difference(i, k, j)
    known = {
        **endpoint.names(i, j),
        "reference": endpoint.part.modalities[k],
        **{f"reference_{name}": value for name, value in endpoint.at[k].items()},
        **endpoint.sizes(i, k, j=j),
    }
    return _compare_sides(
        endpoint,
        known,
        estimate,
        (endpoint.side(i, j), endpoint.side(k, j)),
        tested,
        j,
        alike=endpoint.ranks_alike(i, k, j),
        has_spread=j is not None or all(_has_spread(endpoint, estimate, at) for at in pair),
    )


def minus_machine(
    endpoint: Endpoint,
    i: int,
    versus: Versus,
    names: dict[str, Any],
    tested: HypothesisPlan,
    j: int | None = None,
) -> Compared:
    """Return the readers of modality ``i``, or reader ``j``, minus a machine with its names."""
    # ``versus`` has the readers of this modality only.
    place = None if j is None else endpoint.active(i).index(j)
    estimate = endpoint.engine.against(versus, place)
    table = reader_table(versus.together, "delong", endpoint.plan.over)
    machine = ReaderEstimate(float(table.theta[0, -1]), float(table.sigma[-1, -1]), np.inf)
    return _compare_sides(
        endpoint,
        {**names, **endpoint.names(i, j), **endpoint.sizes(i, j=j)},
        estimate,
        (endpoint.side(i, j), endpoint.area(machine, i)),
        tested,
        j,
        alike=False,
        has_spread=j is not None or _has_spread(endpoint, estimate, i),
    )


def _compare_sides(
    endpoint: Endpoint,
    known: dict[str, Any],
    estimate: ReaderEstimate,
    sides: tuple[Area, Area],
    tested: HypothesisPlan,
    j: int | None,
    *,
    alike: bool,
    has_spread: bool,
) -> Compared:
    """Return limits and test of two sides: averages over readers, or reader ``j`` alone.

    ``alike`` says that both rank all cases alike, ``has_spread`` that readers enough have an area
    to tell how they differ.
    """
    # Without rounding errors: a variance of 0 is no small variance.
    terms = sum(area.variance for area in sides if area.variance == area.variance)
    variance = cleared(estimate.variance, terms, NO_CONTRAST_VARIANCE)
    value = 0.0 if abs(estimate.value) < SAME_TO_ROUNDING else estimate.value
    estimate = estimate._replace(value=value, variance=variance)
    known = {**known, **hypothesis_columns(tested)}
    codes = [*estimate.codes, *endpoint.doubts(), *endpoint.codes()]
    scaled = endpoint.scale * value
    if not has_spread or np.isnan(value):
        return known, undefined(_why_undefined(estimate), scaled), codes
    codes = _without_zero_variance(codes)
    averaged = j is None
    if averaged and not alike and _is_certain(endpoint, variance):
        return known, undefined("no-variance", scaled), codes
    # One reader with equal placements on both sides, away from 0 and 1.
    inside = all(0 < area.value < 1 for area in sides)
    same_placements = not averaged and inside and variance == 0 and value == 0
    result = difference_result(
        estimate,
        sides,
        endpoint.boundary,
        tested.over(endpoint.scale),
        endpoint.engine.word,
        alike=alike or same_placements,
        random_readers=averaged and endpoint.plan.readers == "random",
        random_cases=not averaged or endpoint.plan.cases == "random",
    )
    return known, result.times(endpoint.scale), codes


# --- Estimates without variance, or of too few readers --------------------------------------------


def _has_spread(endpoint: Endpoint, estimate: ReaderEstimate, i: int) -> bool:
    """Return whether there is an average, and readers enough to tell how they differ."""
    if np.isnan(estimate.value):
        return False
    alone = np.count_nonzero(~np.isnan(endpoint.engine.areas[i])) < 2
    return endpoint.plan.readers == "fixed" or not alone


def _why_undefined(estimate: ReaderEstimate) -> str:
    return "reader-one-class" if np.isnan(estimate.value) else "single-reader"


def _is_certain(endpoint: Endpoint, variance: float) -> bool:
    """Return whether cases are fixed and readers do not differ: nothing is left to vary."""
    return endpoint.plan.cases == "fixed" and not variance > 0


def _without_zero_variance(codes: Sequence[str]) -> list[str]:
    """Return the notes without that of a variance of 0, which has a name of the limits' own."""
    return [code for code in codes if code != "zero-variance"]
