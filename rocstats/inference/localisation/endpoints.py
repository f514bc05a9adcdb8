"""What is averaged over the readers of a group: areas of marks, rates, or false marks per case.

An ``Endpoint`` has the estimates of all curves with two covariances: ``sigma`` of the analysis of
readers, and ``alone`` of a reader by itself. Averages, their differences and those from a machine
are by the analysis of variance of ``estimate.readers``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.errors import InputError, require_choice
from rocstats.estimate.areas import snap_to_boundary
from rocstats.estimate.claim import Claim, HypothesisPlan, hypothesis_columns, index_pairs
from rocstats.estimate.compare import ComparedRow
from rocstats.estimate.estimate import Result, undefined_result, wald_result
from rocstats.estimate.intervals import Area
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.readers import (
    Effect,
    ReaderBoundaryLimits,
    ReaderEstimate,
    ReaderInterval,
    ReaderTable,
    mean_of_readers,
    modality_difference,
    modality_test,
    reader_average,
    reader_average_result,
    reader_difference_result,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, effective_size
from rocstats.facts.tolerances import (
    FEW_CLUSTERS,
    NO_CONTRAST_VARIANCE,
    SAME_TO_ROUNDING,
    are_few_cases,
    clear_rounding,
)
from rocstats.inference.localisation.figures import units_of
from rocstats.study.base import sample_notes
from rocstats.study.detection import DetectionSample

ALL = "all"
"""The reader of an average, and the modality of a test of all modalities."""

By = Literal["reader"]
MarksCovariance = Literal["jackknife", "delong"]
Kind = Literal["area", "rate", "count"]
"""What an endpoint is: an area or a share in [0, 1], or a number of marks per case."""


# --- Options --------------------------------------------------------------------------------------


class MarksPlan(NamedTuple):
    """Effects of readers and cases, and the covariance of the analysis of readers."""

    readers: Effect
    cases: Effect
    covariance: MarksCovariance = "jackknife"


def read_marks_plan(
    names: Sequence[str],
    readers: Any,
    cases: Any,
    covariance: Any = "jackknife",
    *,
    by_reader: bool = False,
) -> MarksPlan:
    """Return the plan of an analysis of readers; raise InputError for what cannot be.

    Readers are random by default, unless there is only one.
    """
    readers = require_choice("readers", readers, (None, *get_args(Effect)))
    cases = require_choice("cases", cases, get_args(Effect))
    covariance = require_choice("covariance", covariance, get_args(MarksCovariance))
    alone = by_reader or len(names) == 1
    if cases == "fixed" and (alone or readers == "fixed"):
        raise InputError(
            "`cases` must be 'random' if the reader is fixed (one reader, readers='fixed' or"
            " by='reader'); got 'fixed'. Leave `cases` out."
        )
    if readers == "random" and len(names) == 1:
        raise InputError(
            "`readers` must be 'fixed' in a study with one reader, because the variation of"
            " readers is not known; got 'random'. Leave `readers` out: the result is then for this"
            " reader only."
        )
    return MarksPlan("fixed" if alone else readers or "random", cases, covariance)


def modality_pairs(sample: DetectionSample, reference: str | None) -> list[tuple[int, int]]:
    """Return the pairs of modalities, each an earlier and a later, or all others with one."""
    if len(sample.modalities) < 2:
        raise InputError(
            f"`modality` must have two or more values to be compared; got"
            f" {list(sample.modalities)}. Pass modality= to the study, or compare its readers with"
            " an algorithm: compare_with()."
        )
    return index_pairs(sample.modalities, reference)


# --- Endpoints ------------------------------------------------------------------------------------


class Endpoint(NamedTuple):
    """Estimates of all readers under all modalities of one group; curve i R + j of R ``names``.

    ``value`` (k) are the estimates, ``sigma`` their covariance in the analysis of readers,
    ``alone`` that of single readers (both k x k). ``rows`` (k x n or k x B) are influences or
    resamples, whose equality says that two curves are alike; ``df_of`` returns the degrees of
    freedom of a difference of two curves. ``columns`` are cells of the rows of each modality.
    ``words`` are those of ``method``, of averages and of single readers. ``notes_of`` has the notes
    of each curve, ``codes`` those of all rows.
    ``sizes`` are the numbers of independent units: positives, negatives, and those behind a rate of
    0 or 1; of numbers of marks, the first is that of all units.
    """

    group: str
    part: DetectionSample
    plan: MarksPlan
    kind: Kind
    names: Sequence[str]
    value: FloatArray
    sigma: FloatArray
    alone: FloatArray
    rows: FloatArray
    df_of: Any
    columns: Sequence[Mapping[str, Any]]
    words: tuple[str, str]
    notes_of: Sequence[Sequence[str]]
    codes: Sequence[str]
    sizes: tuple[float, float, float]

    @property
    def table(self) -> ReaderTable:
        """The estimates as a table of modalities and readers."""
        return ReaderTable(self.value.reshape(-1, len(self.names)), self.sigma)

    @property
    def boundary(self) -> ReaderBoundaryLimits:
        """The limits where there is no variance."""
        return ReaderBoundaryLimits(self.kind != "area")

    def curve(self, i: int, j: int) -> int:
        """Return the place of reader ``j`` under modality ``i``."""
        return i * len(self.names) + j

    def known(self, i: int, j: int | None, n_readers: int) -> dict[str, Any]:
        """Return the cells of a row about modality ``i``, all readers or reader ``j``."""
        return {
            "group": self.group,
            "modality": self.part.modalities[i],
            **self.columns[i],
            "reader": ALL if j is None else self.names[j],
            "readers": self.plan.readers if j is None else "fixed",
            "cases": self.plan.cases if j is None else "random",
            "n_readers": n_readers if j is None else 1,
            "n_pos": self.part.n_pos,
            "n_neg": self.part.n_neg,
            "n_lesions": self.part.n_lesions,
        }

    def notes(self, *curves: int) -> list[str]:
        """Return the notes of a row about some curves."""
        of_curves = [note for k in curves for note in self.notes_of[k]]
        return list(dict.fromkeys([*of_curves, *self.codes]))

    def area(self, value: float, variance: float, df: float = np.inf) -> Area:
        """Return an estimate with the numbers of independent units, for limits in [0, 1]."""
        value = float(snap_to_boundary(value))
        return Area(value, float(clear_rounding(variance)), df, *self.sizes)

    def side(self, i: int, j: int | None) -> Area:
        """Return the average of modality ``i``, or the estimate of reader ``j``."""
        if j is None:
            found = self.average(i)
            return self.area(found.value, found.variance, found.df)
        k = self.curve(i, j)
        return self.area(float(self.value[k]), float(self.alone[k, k]))

    def average(self, i: int) -> ReaderEstimate:
        """Return the average over readers of modality ``i``."""
        return _at_least_0(reader_average(self.table, i, self.plan.readers, self.plan.cases))

    def alike(self, first: Sequence[int], second: Sequence[int]) -> bool:
        """Return whether each curve has the same estimate and influences as its counterpart."""
        return bool(
            np.allclose(self.value[list(first)], self.value[list(second)], 0, SAME_TO_ROUNDING)
            and np.allclose(self.rows[list(first)], self.rows[list(second)], 0, SAME_TO_ROUNDING)
        )

    def lone_difference(self, first: int, second: int) -> ReaderEstimate:
        """Return the difference of two curves, of random cases."""
        at = [first, second]
        variance = float(np.array([1.0, -1.0]) @ self.alone[np.ix_(at, at)] @ np.array([1.0, -1.0]))
        value = float(self.value[first] - self.value[second])
        return ReaderEstimate(value, variance, self.df_of(first, second))


def group_notes(part: DetectionSample, *, weights: bool = False) -> list[str]:
    """Return the notes of all rows of a group; ``weights`` if the weights of lesions count."""
    notes = [f"extra-marks={part.n_extra_marks}"] if part.n_extra_marks else []
    if weights and part.weighted:
        notes.append("weights-given")
    if part.cluster is not None:
        units = units_of(part)
        sizes = [
            effective_size(np.bincount(units[side]))
            for side in (part.is_positive, ~part.is_positive)
            if side.any()
        ]
        notes += ["few-clusters"] if min(sizes) < FEW_CLUSTERS else []
    return [*notes, *sample_notes(part)]


def few_cases_notes(part: DetectionSample) -> list[str]:
    """Return the note on few cases, of limits of a single reader."""
    n_neg = part.n_neg or part.n_pos
    return ["few-cases"] if are_few_cases(part.n_pos, n_neg, unequal=True) else []


# --- Averages -------------------------------------------------------------------------------------


def infer_average(
    endpoint: Endpoint, i: int, interval: ReaderInterval, level: float
) -> ComparedRow:
    """Return the average over readers of modality ``i``, with its limits."""
    estimate = endpoint.average(i)
    n = len(endpoint.names)
    known = {**endpoint.known(i, None, n), "confidence_level": level}
    notes = [*estimate.codes, *endpoint.notes(*range(i * n, (i + 1) * n))]
    word = endpoint.words[0]
    if endpoint.kind == "count":
        return known, count_result(estimate, endpoint, level, word), notes
    area = endpoint.area(estimate.value, estimate.variance, estimate.df)
    if endpoint.plan.cases == "fixed" and not area.variance > 0:
        return known, undefined_result("no-variance", area.value), notes
    if "no-marks" in notes and not area.variance > 0:
        return known, undefined_result("no-marks", area.value), notes
    result = reader_average_result(area, endpoint.boundary, interval, level, word)
    return known, result, [note for note in notes if note != "zero-variance"]


def count_result(estimate: ReaderEstimate, endpoint: Endpoint, level: float, word: str) -> Result:
    """Return limits of a number of marks per case on the logarithmic scale.

    Without a variance they are exact Poisson limits of the number in all independent units.
    """
    value, variance = estimate.value, clear_rounding(estimate.variance)
    if np.isnan(variance):
        return undefined_result("single-unit", value)
    tail = (1 - level) / 2
    if variance > 0 and value > 0:
        se = float(np.sqrt(variance))
        with np.errstate(over="ignore"):  # a limit beyond every number is infinite
            reach = float(np.exp(t_quantile(1 - tail, estimate.df) * se / value))
        kind = "log" if np.isinf(estimate.df) else "log-t"
        return Result(
            value, se, value / reach, value * reach, np.nan, estimate.df, np.nan, f"{word}/{kind}"
        )
    # Garwood 1936: quantiles of gamma distributions.
    size = endpoint.sizes[0]
    count = value * size
    low = float(sp.gammaincinv(count, tail)) / size if count > 0 else 0.0
    high = float(sp.gammaincinv(count + 1, 1 - tail)) / size
    se = float(np.sqrt(variance))
    return Result(value, se, low, high, method=f"{word}/poisson", codes=("no-spread-of-marks",))


# --- Differences ----------------------------------------------------------------------------------


def modality_differences(endpoint: Endpoint, claim: Claim, by: By | None) -> Iterator[ComparedRow]:
    """Yield the differences of all pairs of modalities: of averages, or of each reader."""
    n = len(endpoint.names)
    for i, k in claim.pairs:
        for j in range(n) if by == "reader" or n == 1 else [None]:
            each = range(n) if j is None else [j]
            first, second = ([endpoint.curve(m, c) for c in each] for m in (i, k))
            if j is not None:
                estimate = endpoint.lone_difference(first[0], second[0])
            else:
                estimate = _at_least_0(
                    modality_difference(
                        endpoint.table, i, k, endpoint.plan.readers, endpoint.plan.cases
                    )
                )
            known = {
                **endpoint.known(i, j, n),
                "reference": endpoint.part.modalities[k],
                "reference_threshold": endpoint.columns[k].get("threshold", np.nan),
            }
            sides = endpoint.side(i, j), endpoint.side(k, j)
            yield _infer_difference(
                endpoint, known, estimate, sides, claim.tested, (first, second), j
            )


def minus_machine(endpoint: Endpoint, i: int, tested: HypothesisPlan, j: int | None) -> ComparedRow:
    """Return the readers of modality ``i``, or reader ``j``, minus the last of the names.

    A single reader is reader 0.
    """
    n = len(endpoint.names) - 1
    each = range(n) if j is None else [j]
    first, machine = [endpoint.curve(i, c) for c in each], endpoint.curve(i, n)
    value, sigma = endpoint.value, endpoint.sigma
    if j is not None:
        estimate, side = endpoint.lone_difference(first[0], machine), endpoint.side(i, j)
    else:
        rows = [*first, machine]
        contrast = np.column_stack([np.eye(n), -np.ones(n)])
        apart = contrast @ sigma[np.ix_(rows, rows)] @ contrast.T
        effects = endpoint.plan.readers, endpoint.plan.cases
        estimate = _at_least_0(mean_of_readers(value[first] - value[machine], apart, *effects))
        readers = mean_of_readers(value[first], sigma[np.ix_(first, first)], *effects)
        side = endpoint.area(readers.value, max(readers.variance, 0.0), readers.df)
    known = {**endpoint.known(i, j, n), "reference": endpoint.names[-1]}
    sides = side, endpoint.side(i, n)
    curves = first, [machine] * len(first)
    return _infer_difference(endpoint, known, estimate, sides, tested, curves, j)


def _infer_difference(
    endpoint: Endpoint,
    known: dict[str, Any],
    estimate: ReaderEstimate,
    sides: tuple[Area, Area],
    tested: HypothesisPlan,
    curves: tuple[list[int], list[int]],
    j: int | None,
) -> ComparedRow:
    """Return limits and test of a difference of two sides, averages or single readers."""
    total = sum(area.variance for area in sides if not np.isnan(area.variance))
    variance = float(clear_rounding(estimate.variance, total, NO_CONTRAST_VARIANCE))
    value = 0.0 if abs(estimate.value) < SAME_TO_ROUNDING else estimate.value
    estimate = estimate._replace(value=value, variance=variance)
    known = {**known, **hypothesis_columns(tested)}
    notes = [*estimate.codes, *endpoint.notes(*curves[0], *curves[1])]
    notes = [note for note in notes if note != "zero-variance"]
    word, plan = endpoint.words[0 if j is None else 1], endpoint.plan
    alike = value == 0 and endpoint.alike(*curves)
    if not alike and plan.cases == "fixed" and not variance > 0:
        return known, undefined_result("no-variance", value), notes
    if endpoint.kind == "count" and not alike:
        se = float(np.sqrt(variance))
        return known, wald_result(value, se, tested, word, df=estimate.df), notes
    result = reader_difference_result(
        estimate,
        sides,
        endpoint.boundary,
        tested,
        word,
        alike=alike,
        random_readers=plan.readers == "random" and j is None,
        random_cases=plan.cases == "random",
    )
    return known, result, notes


def _at_least_0(estimate: ReaderEstimate) -> ReaderEstimate:
    """Return an estimate whose negative variance is 0, which has limits without a variance."""
    if "negative-variance" not in estimate.codes:
        return estimate
    codes = tuple(code for code in estimate.codes if code != "negative-variance")
    return estimate._replace(variance=0.0, codes=codes)


def global_test(
    endpoint: Endpoint, differences: Sequence[ComparedRow], tested: HypothesisPlan
) -> Iterator[ComparedRow]:
    """Yield the test that all modalities are equal, if the differences are tested for equality.

    Two modalities of one reader have none: their difference has that test.
    """
    t, n = len(endpoint.part.modalities), len(endpoint.names)
    if not tested.tests_equality or (n == 1 and t == 2):
        return
    test = modality_test(endpoint.table, endpoint.plan.readers, endpoint.plan.cases)
    known = {
        **endpoint.known(0, None, n),
        "modality": ALL,
        "reference": "",
        **hypothesis_columns(tested),
        "confidence_level": np.nan,
        "df_numerator": test.df,
        "p_adjusted": np.nan,  # none of the family: it answers a question of its own
    }
    # Where a pair leaves the model, as at an area of 1, the test of all would contradict it.
    left = [
        note
        for _, result, notes in differences
        if result.method.endswith("mover") or result.method.endswith("none")
        for note in (*result.codes, *notes)
    ]
    if left or np.isnan(test.p_value):
        yield known, undefined_result("no-variance"), left
        return
    kind = "chi-square" if np.isinf(test.df_denominator) else "f"
    result = Result(
        np.nan,
        statistic=test.statistic,
        df=test.df_denominator,
        p_value=test.p_value,
        method=f"{endpoint.words[0]}/{kind}",
    )
    yield known, result, endpoint.notes(*range(t * n))
