"""Rows of reader studies: averages over readers, and differences of modalities or from a machine.

What is averaged in a group of the study (``Subject``) are areas, or rates of calls: calls become
ratings whose area is a sensitivity or a specificity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.estimate.answers import unanswered
from rocstats.estimate.areas import area_columns
from rocstats.estimate.claim import HypothesisPlan, hypothesis_columns
from rocstats.estimate.intervals import Area
from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import (
    Estimate,
    Quantity,
    ReaderInterval,
    average_limits,
    infer_difference,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size
from rocstats.facts.tolerances import (
    FEW_CLUSTERS,
    NO_CONTRAST_VARIANCE,
    SAME,
    SAME_TO_ROUNDING,
    cleared,
)
from rocstats.frame.question import Question
from rocstats.inference.readers.engines import Engine, ReaderPlan, Versus, engine_of, require_served
from rocstats.study.base import row_codes
from rocstats.study.cases import Reads
from rocstats.study.readers import ReaderSample

# --- What is averaged over the readers of one group -----------------------------------------------

ALL = "all"
"""The reader of an average, and the modality of a test of all modalities."""


class Subject(NamedTuple):
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
    def kind(self) -> Quantity:
        """Which limits there are without a variance."""
        return Quantity(self.plan.is_rate, self.plan.over.shares)

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

    @property
    def method(self) -> str:
        """The method as in the column ``method``, without the limits."""
        return self.engine.word

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

    def area(self, estimate: Estimate, i: int, j: int | None = None) -> Area:
        """Return an average, or the area of one reader, with its numbers of cases (clusters)."""
        read = self.read_cases(i, j)
        clusters = self.part.reads.pos_cluster, self.part.reads.neg_cluster
        m, n = (
            float(np.count_nonzero(cases) if codes is None else len(np.unique(codes[cases])))
            for cases, codes in zip(read, clusters, strict=True)
        )
        size = {"tpr": m, "tnr": n}.get(self.quantity, min(m, n))
        value = _snapped(estimate.value)
        return Area(value, cleared(estimate.variance), estimate.df, m, n, size)

    def side(self, i: int, j: int | None) -> Area:
        """Return the average of modality ``i``; of reader ``j`` the area, of random cases."""
        if j is None:
            return self.area(self.engine.average(i), i)
        table, curve = self.engine.table, i * len(self.part.readers) + j
        variance = float(table.sigma[curve, curve])
        return self.area(Estimate(float(table.theta[i, j]), variance, np.inf), i, j)

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

    def sizes(self, i: int, j: int | None = None) -> dict[str, int]:
        """Return the columns of the numbers of cases, and of readers, of modality ``i``."""
        return self.sizes_of([i], j)

    def sizes_of(self, modalities: Iterable[int], j: int | None = None) -> dict[str, int]:
        """Return the numbers of cases and readers of any of some modalities."""
        at = list(modalities)
        sides = [self.read_cases(i, j) for i in at]
        pos, neg = (np.any(side, axis=0) for side in zip(*sides, strict=True))
        readers = {j} if j is not None else {c for i in at for c in self.averaged(i)}
        return {
            "n_pos": int(np.count_nonzero(pos)),
            "n_neg": int(np.count_nonzero(neg)),
            "n_readers": len(readers),
        }

    def reader_columns(self, i: int, j: int) -> dict[str, Any]:
        """Return the columns that name one reader under modality ``i``, who is fixed."""
        return {
            "modality": self.part.modalities[i],
            "reader": self.part.readers[j],
            **self.columns,
            **self.at[i],
            **self.sizes(i, j),
            "readers": "fixed",
            "cases": "random",
        }

    def codes(self) -> list[str]:
        """Return the notes of all rows of the group."""
        design = self.part.design
        # Where blocks are left out by design no read is missing.
        missing = [f"missing-reads={design.n_missing}"] if design.uneven else []
        few = ["few-clusters"] if self._has_few_clusters else []
        return [*missing, *few, *row_codes(self.part)]

    @property
    def _has_few_clusters(self) -> bool:
        """Whether a class has cases in few clusters, by Kish's effective number."""
        sides = self.part.reads[2:]
        return any(
            side is not None and effective_size(np.bincount(side)) < FEW_CLUSTERS for side in sides
        )

    def doubts(self, *, one_modality: bool = False) -> list[str]:
        """Return the doubts about a variance, of an average of one modality or of a difference."""
        design = self.part.design
        # Under one modality of a partially paired study all readers read the same cases.
        uneven = design.uneven and not (one_modality and design.pattern == "partially paired")
        return ["uneven-reads"] if uneven and self.plan.method == "u-statistic" else []


def subjects(
    sample: ReaderSample,
    plan: ReaderPlan,
    quantities: Sequence[str] = ("auc",),
    thresholds: FloatArray | None = None,
    *,
    needs_served: bool = False,
) -> Iterator[Subject]:
    """Yield what is averaged over readers: each quantity in each group.

    ``thresholds`` (one a modality, on the user's scale) make rates of calls. Raise InputError where
    the method does not hold for the design, if what is asked needs that.
    """
    for group, part in sample.by_group():
        for quantity in quantities:
            reads, at = part.reads, _no_thresholds(part)
            if thresholds is not None:
                reads, at = _at_thresholds(part, thresholds, quantity)
            engine = engine_of(reads, plan)
            require_served(not needs_served or engine.served, plan, part)
            yield Subject(group, part, reads, plan, engine, quantity, at)


def _no_thresholds(part: ReaderSample) -> list[dict[str, Any]]:
    return [{} for _ in part.modalities]


def _at_thresholds(
    part: ReaderSample, thresholds: FloatArray, quantity: str
) -> tuple[Reads, list[dict[str, Any]]]:
    """Return the calls at the thresholds of each modality, and the columns that tell these."""
    higher = np.array(part.higher_is_positive)
    calls = called_reads(part.reads, np.where(higher, thresholds, -thresholds), quantity)  # type: ignore[arg-type]
    at = [
        {"threshold": float(threshold), "direction": ">=" if up else "<="}
        for threshold, up in zip(thresholds, higher, strict=True)
    ]
    return calls, at


def _snapped(value: float) -> float:
    """Return a mean of areas, 0 or 1 where only rounding keeps it from there."""
    for end in (0.0, 1.0):
        if abs(value - end) < SAME:
            return end
    return value


# --- Calls as ratings, whose area is a sensitivity or a specificity -------------------------------

CalledRate = Literal["tpr", "tnr"]


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
    cases = np.where(read, 2.0 * _called(ratings, at), np.nan)
    marks = np.where(read.any(axis=2, keepdims=True), np.ones(2), np.nan)
    clusters, mark_clusters = _clusters(reads, quantity)
    if quantity == "tpr":
        return Reads(cases, marks, clusters, mark_clusters)
    return Reads(marks, cases, mark_clusters, clusters)


def _called(ratings: FloatArray, at: FloatArray) -> BoolArray:
    # As everywhere in the package, the threshold beyond every score calls nobody positive.
    return np.asarray((ratings >= at) & (at < np.inf))


def _clusters(reads: Reads, quantity: CalledRate) -> tuple[IntArray | None, IntArray | None]:
    """Return the clusters of the cases, and one of its own for each mark."""
    if reads.pos_cluster is None or reads.neg_cluster is None:
        return None, None
    of_rate = reads.pos_cluster if quantity == "tpr" else reads.neg_cluster
    last = max(int(side.max()) for side in (reads.pos_cluster, reads.neg_cluster) if len(side))
    return of_rate, np.array([last + 1, last + 2])


# --- Row of an average ----------------------------------------------------------------------------


def average_row(
    question: Question, subject: Subject, i: int, interval: ReaderInterval, confidence_level: float
) -> dict[str, Any]:
    """Return the row of the average over readers of modality ``i``."""
    estimate = subject.engine.average(i)
    about = {
        "modality": subject.part.modalities[i],
        "reader": ALL,
        **subject.columns,
        **subject.at[i],
        **subject.sizes(i),
        **subject.plan.factors,
        "confidence_level": confidence_level,
        "estimate": subject.scale * estimate.value,
    }
    codes = [*estimate.codes, *subject.doubts(one_modality=True), *subject.codes()]
    if not _has_spread(subject, estimate, i):
        code = "reader-one-class" if np.isnan(estimate.value) else "single-reader"
        return unanswered(question, about, list(dict.fromkeys([code, *codes])))
    area = subject.area(estimate, i)
    if _is_certain(subject, area.variance):
        return unanswered(question, about, ["no-variance", *_without_zero_variance(codes)])
    found = average_limits(area, subject.kind, interval, confidence_level)
    numbers = {"se": np.sqrt(area.variance), "ci_low": found.low, "ci_high": found.high}
    return {
        **about,
        **{name: subject.scale * value for name, value in numbers.items()},
        "df": area.df,
        "method": f"{subject.method}/{found.word}",
        "note": [*found.codes, *_without_zero_variance(codes)],
    }


# --- Rows of differences --------------------------------------------------------------------------


class Compared(NamedTuple):
    """Two sides compared: averages over readers, or reader ``j`` alone.

    ``alike`` says that both rank all cases alike, ``has_spread`` that readers enough have an area
    to tell how they differ.
    """

    estimate: Estimate
    sides: tuple[Area, Area]
    j: int | None
    alike: bool
    has_spread: bool


def difference_row(
    question: Question,
    subject: Subject,
    pair: tuple[int, int],
    tested: HypothesisPlan,
    j: int | None = None,
) -> dict[str, Any]:
    """Return the row of two modalities compared: averages over readers, or reader ``j`` alone."""
    i, k = pair
    if j is None:
        estimate = subject.engine.difference(i, k)
    else:
        estimate = subject.engine.reader_difference(i, k, j)
    sides = subject.side(i, j), subject.side(k, j)
    estimate = _cleared(estimate, sides)
    alike = subject.ranks_alike(i, k, j) or (j is not None and _same_placements(estimate, sides))
    has_spread = j is not None or all(_has_spread(subject, estimate, at) for at in pair)
    about = {
        **_side_columns(subject, i, j),
        "reference": subject.part.modalities[k],
        **{f"reference_{name}": value for name, value in subject.at[k].items()},
        **subject.sizes_of(pair, j),
    }
    compared = Compared(estimate, sides, j, alike, has_spread)
    return {**about, **_inference_columns(question, subject, about, compared, tested)}


def machine_row(
    question: Question,
    subject: Subject,
    i: int,
    versus: Versus,
    names: dict[str, Any],
    tested: HypothesisPlan,
    j: int | None = None,
) -> dict[str, Any]:
    """Return the row of a modality's readers, or of reader ``j``, minus a machine."""
    # ``versus`` has the readers of this modality only.
    place = None if j is None else subject.active(i).index(j)
    estimate = subject.engine.against(versus, place)
    table = reader_table(versus.together, "delong", subject.plan.over)
    machine = Estimate(float(table.theta[0, -1]), float(table.sigma[-1, -1]), np.inf)
    sides = subject.side(i, j), subject.area(machine, i)
    estimate = _cleared(estimate, sides)
    alike = j is not None and _same_placements(estimate, sides)
    has_spread = j is not None or _has_spread(subject, estimate, i)
    about = {**_side_columns(subject, i, j), **names, **subject.sizes(i, j)}
    compared = Compared(estimate, sides, j, alike, has_spread)
    return {**about, **_inference_columns(question, subject, about, compared, tested)}


def _side_columns(subject: Subject, i: int, j: int | None) -> dict[str, Any]:
    """Return the columns that name the first side of a comparison, and what is random in it."""
    factors = subject.plan.factors if j is None else {"readers": "fixed", "cases": "random"}
    return {
        "modality": subject.part.modalities[i],
        "reader": ALL if j is None else subject.part.readers[j],
        **subject.columns,
        **subject.at[i],
        **factors,
    }


_SCALED = ("estimate", "se", "ci_low", "ci_high")


def _inference_columns(
    question: Question,
    subject: Subject,
    about: dict[str, Any],
    compared: Compared,
    tested: HypothesisPlan,
) -> dict[str, Any]:
    """Return the columns of limits and test of what is compared, and the notes."""
    estimate = compared.estimate
    request = {**hypothesis_columns(tested), "estimate": subject.scale * estimate.value}
    codes = [*estimate.codes, *subject.doubts(), *subject.codes()]
    if not compared.has_spread or np.isnan(estimate.value):
        code = "reader-one-class" if np.isnan(estimate.value) else "single-reader"
        return unanswered(question, {**about, **request}, list(dict.fromkeys([code, *codes])))
    averaged = compared.j is None
    if averaged and not compared.alike and _is_certain(subject, estimate.variance):
        return unanswered(
            question, {**about, **request}, ["no-variance", *_without_zero_variance(codes)]
        )
    result = infer_difference(
        estimate,
        *compared.sides,
        subject.kind,
        tested.over(subject.scale),
        alike=compared.alike,
        random_readers=averaged and subject.plan.readers == "random",
        random_cases=not averaged or subject.plan.cases == "random",
    )
    return {
        **request,
        "df_numerator": np.nan,  # of the F test alone
        **{name: subject.scale * getattr(result, name) for name in _SCALED},
        **{name: getattr(result, name) for name in ("statistic", "df", "p_value")},
        "method": f"{subject.method}/{result.method}",
        "note": [*result.codes, *_without_zero_variance(codes)],
    }


# --- Estimates without variance, or of too few readers --------------------------------------------


def _has_spread(subject: Subject, estimate: Estimate, i: int) -> bool:
    """Return whether there is an average, and readers enough to tell how they differ."""
    if np.isnan(estimate.value):
        return False
    alone = np.count_nonzero(~np.isnan(subject.engine.areas[i])) < 2
    return subject.plan.readers == "fixed" or not alone


def _is_certain(subject: Subject, variance: float) -> bool:
    """Return whether cases are fixed and readers do not differ: nothing is left to vary."""
    return subject.plan.cases == "fixed" and not variance > 0


def _without_zero_variance(codes: Sequence[str]) -> list[str]:
    """Return the notes without that of a variance of 0, which has a name of the limits' own."""
    return [code for code in codes if code != "zero-variance"]


def _cleared(estimate: Estimate, sides: Sequence[Area]) -> Estimate:
    """Return an estimate without rounding errors: a variance of 0 is no small variance."""
    terms = sum(area.variance for area in sides if area.variance == area.variance)
    value = 0.0 if abs(estimate.value) < SAME_TO_ROUNDING else estimate.value
    return estimate._replace(
        value=value, variance=cleared(estimate.variance, terms, NO_CONTRAST_VARIANCE)
    )


def _same_placements(estimate: Estimate, sides: Sequence[Area]) -> bool:
    """Return whether one reader has equal placements on both sides, away from 0 and 1."""
    inside = all(0 < area.value < 1 for area in sides)
    return inside and estimate.variance == 0 and estimate.value == 0
