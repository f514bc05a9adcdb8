"""What is averaged over the readers of a group: areas, or rates of calls; and the averages.

An ``Endpoint`` has the table of these values, the columns and notes of its rows, and the average
of a modality as an area with its variance and numbers of cases. ``differences`` are made of two
averages. Calls at thresholds are ratings whose area is a sensitivity or a specificity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.estimate.areas import area_name_columns, snap_to_boundary
from rocstats.estimate.compare import ComparedRow
from rocstats.estimate.estimate import undefined_result
from rocstats.estimate.intervals import Area
from rocstats.estimate.readers import (
    ReaderBoundaryLimits,
    ReaderEstimate,
    ReaderInterval,
    reader_average_result,
)
from rocstats.facts.arrays import BoolArray, FloatArray, effective_size
from rocstats.facts.tolerances import FEW_CLUSTERS, clear_rounding
from rocstats.inference.readers.engines import Engine, reader_engine
from rocstats.inference.readers.plan import ReaderPlan, require_served_reader_design
from rocstats.study.base import sample_notes
from rocstats.study.cases import Reads
from rocstats.study.points import read_single_thresholds
from rocstats.study.readers import ReaderSample

# --- Calls at thresholds, as ratings --------------------------------------------------------------

CalledRate = Literal["tpr", "tnr"]
CALLED_RATES: tuple[CalledRate, ...] = ("tpr", "tnr")


def read_modality_thresholds(sample: ReaderSample, threshold: Any) -> FloatArray:
    """Return the threshold of each modality; raise InputError if one has none."""
    thresholds = read_single_thresholds(threshold, sample.modalities, of=("modality", "modalities"))
    without = [name for name in sample.modalities if name not in thresholds]
    if without:
        raise InputError(
            f"`threshold` must be one number, or one for each modality; got none for {without}."
            " Add them to the mapping."
        )
    return np.array([thresholds[name] for name in sample.modalities])


def called_reads(reads: Reads, threshold: FloatArray, quantity: CalledRate) -> Reads:
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


# --- Endpoints ------------------------------------------------------------------------------------

ALL = "all"
"""The reader of an average, and the modality of a test of all modalities."""


class Endpoint(NamedTuple):
    """What is averaged over the readers of one group: areas, or rates of calls.

    ``part`` is the group. ``engine`` has its ratings, or calls as ratings that make areas of
    rates. ``at`` are the columns of the thresholds of each modality (none for areas).
    """

    group: str
    part: ReaderSample
    plan: ReaderPlan
    engine: Engine
    quantity: str
    at: Sequence[dict[str, Any]]

    # Readers and cases: modalities are i and k, readers j.

    def active(self, i: int) -> list[int]:
        """Return the readers with reads under modality ``i``."""
        read = self.part.reads.has_read[i].any(axis=1)
        return [int(j) for j in np.flatnonzero(read)]

    def averaged(self, i: int) -> list[int]:
        """Return the readers with a value under modality ``i``: an area needs both classes."""
        return [j for j in self.active(i) if not np.isnan(self.engine.areas[i, j])]

    def read_cases(self, i: int, j: int | None = None) -> tuple[BoolArray, BoolArray]:
        """Return which positives and negatives were read by those averaged, or reader ``j``."""
        readers = self.averaged(i) if j is None else [j]
        pos, neg = self.part.reads.pos[i, readers], self.part.reads.neg[i, readers]
        return np.any(~np.isnan(pos), axis=0), np.any(~np.isnan(neg), axis=0)

    def ranks_alike(self, i: int, k: int, j: int | None = None) -> bool:
        """Return whether every reader, or reader ``j``, ranks all cases alike under both."""
        readers = self.active(i) if j is None else [j]
        if j is None and readers != self.active(k):
            return False
        return all(np.array_equal(self._ranks(i, c), self._ranks(k, c)) for c in readers)

    def _ranks(self, i: int, j: int) -> Any:
        reads = self.engine.reads
        # Cases that were not read have the last rank: both must leave out the same.
        return np.unique(np.concatenate([reads.pos[i, j], reads.neg[i, j]]), return_inverse=True)[1]

    # Columns and notes of rows.

    def columns(self, i: int, *others: int, j: int | None = None) -> dict[str, Any]:
        """Return the columns of a row about modality ``i``: its name, readers and numbers.

        The row is about the average over readers, or about reader ``j``, who is fixed. Numbers are
        of cases and readers of any of ``i`` and the ``others`` that it is compared with.
        """
        ranges = {} if self.plan.is_rate else area_name_columns(self.plan.over)
        return {
            "group": self.group,
            "quantity": self.quantity,
            **ranges,
            "modality": self.part.modalities[i],
            **self.at[i],
            "reader": ALL if j is None else self.part.readers[j],
            "readers": self.plan.readers if j is None else "fixed",
            "cases": self.plan.cases if j is None else "random",
            **self.sizes(i, *others, j=j),
        }

    def sizes(self, *modalities: int, j: int | None = None) -> dict[str, int]:
        """Return the columns of the numbers of cases, and of readers, of any of some modalities."""
        cases = [self.read_cases(i, j) for i in modalities]
        pos, neg = (np.any(side, axis=0) for side in zip(*cases, strict=True))
        readers = {j} if j is not None else {c for i in modalities for c in self.averaged(i)}
        return {
            "n_pos": int(np.count_nonzero(pos)),
            "n_neg": int(np.count_nonzero(neg)),
            "n_readers": len(readers),
        }

    def notes(self) -> list[str]:
        """Return the notes of all rows of the group."""
        design = self.part.design
        # Where blocks are left out by design no read is missing.
        missing = [f"missing-reads={design.n_missing}"] if design.uneven else []
        # Kish's effective number of clusters, by class.
        clusters = [side for side in self.part.reads[2:] if side is not None]
        sizes = [effective_size(np.bincount(side)) for side in clusters]
        few = ["few-clusters"] if min(sizes, default=np.inf) < FEW_CLUSTERS else []
        return [*missing, *few, *sample_notes(self.part)]

    def variance_notes(self, *, one_modality: bool = False) -> list[str]:
        """Return the notes on a variance, of an average of one modality or of a difference."""
        design = self.part.design
        # Under one modality of a partially paired study all readers read the same cases.
        uneven = design.uneven and not (one_modality and design.pattern == "partially paired")
        return ["uneven-reads"] if uneven and self.plan.method == "u-statistic" else []

    # Averages, or areas of a reader, with what their limits need.

    @property
    def width(self) -> float:
        """Width of the range of an area: mean rates times it are areas."""
        return self.plan.over.width

    @property
    def boundary(self) -> ReaderBoundaryLimits:
        """The limits where there is no variance."""
        return ReaderBoundaryLimits(self.plan.is_rate, self.plan.over.shares)

    def side(self, i: int, j: int | None) -> Area:
        """Return the average of modality ``i``; of reader ``j`` the area, of random cases."""
        if j is None:
            return self.area(self.engine.average(i), i)
        table, curve = self.engine.table, i * len(self.part.readers) + j
        variance = float(table.sigma[curve, curve])
        return self.area(ReaderEstimate(float(table.theta[i, j]), variance, np.inf), i, j)

    def area(self, estimate: ReaderEstimate, i: int, j: int | None = None) -> Area:
        """Return an estimate of modality ``i`` with its numbers of cases (clusters)."""
        clusters = self.part.reads.pos_cluster, self.part.reads.neg_cluster
        m, n = (
            float(np.count_nonzero(cases) if codes is None else len(np.unique(codes[cases])))
            for cases, codes in zip(self.read_cases(i, j), clusters, strict=True)
        )
        size = {"tpr": m, "tnr": n}.get(self.quantity, min(m, n))
        value = estimate.value if np.isnan(estimate.value) else snap_to_boundary(estimate.value)
        return Area(value, clear_rounding(estimate.variance), estimate.df, m, n, size)

    def why_undefined(self, estimate: ReaderEstimate, *modalities: int) -> str:
        """Return the note of an average, or difference, without an inference; "" if it has one.

        There is no value, or a single random reader does not show how readers differ.
        """
        if np.isnan(estimate.value):
            return "reader-one-class"
        n_readers = [np.count_nonzero(~np.isnan(self.engine.areas[i])) for i in modalities]
        return "single-reader" if self.plan.readers == "random" and min(n_readers) < 2 else ""

    def is_certain(self, variance: float) -> bool:
        """Return whether cases are fixed and readers do not differ: nothing is left to vary."""
        return self.plan.cases == "fixed" and not variance > 0


def endpoints(
    sample: ReaderSample,
    plan: ReaderPlan,
    thresholds: FloatArray | None = None,
    *,
    needs_served: bool = False,
) -> Iterator[Endpoint]:
    """Yield the areas of each group, or the rates of calls at thresholds.

    ``thresholds`` are one for each modality, on the user's scale. Raise InputError where the method
    does not hold for the design, if the question needs that (``needs_served``).
    """
    for group, part in sample.by_group():
        rated = {"auc": part.reads}
        at: list[dict[str, Any]] = [{} for _ in part.modalities]
        if thresholds is not None:
            higher = np.array(part.higher_is_positive)
            cuts = np.where(higher, thresholds, -thresholds)
            rated = {rate: called_reads(part.reads, cuts, rate) for rate in CALLED_RATES}
            at = [
                {"threshold": float(threshold), "direction": ">=" if up else "<="}
                for threshold, up in zip(thresholds, higher, strict=True)
            ]
        for quantity, reads in rated.items():
            engine = reader_engine(reads, plan)
            if needs_served:
                require_served_reader_design(engine.served, plan, part)
            yield Endpoint(group, part, plan, engine, quantity, at)


def infer_average(
    endpoint: Endpoint, i: int, interval: ReaderInterval, confidence_level: float
) -> ComparedRow:
    """Return the average over readers of modality ``i``, with its limits."""
    estimate = endpoint.engine.average(i)
    known = {**endpoint.columns(i), "confidence_level": confidence_level}
    notes = [*estimate.codes, *endpoint.variance_notes(one_modality=True), *endpoint.notes()]
    value = endpoint.width * estimate.value
    reason = endpoint.why_undefined(estimate, i)
    if reason:
        return known, undefined_result(reason, value), notes
    notes, area = notes_without_zero_variance(notes), endpoint.area(estimate, i)
    if endpoint.is_certain(area.variance):
        return known, undefined_result("no-variance", value), notes
    word = endpoint.engine.word
    result = reader_average_result(area, endpoint.boundary, interval, confidence_level, word)
    return known, result.times(endpoint.width), notes


def notes_without_zero_variance(notes: Sequence[str]) -> list[str]:
    """Return the notes without that of a variance of 0, for which the limits have their note."""
    return [note for note in notes if note != "zero-variance"]
