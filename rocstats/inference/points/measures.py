"""Measures of operating points: those requested, their bounds for binned scores, their columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Real
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.average import vertex_at
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.errors import InputError, require_choice
from rocstats.estimate.rates import Axis, Reading, read_curve
from rocstats.estimate.tables import Measured
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.measures import (
    AGREEMENT,
    BY_REQUEST,
    MEASURES,
    RATES,
    Cells,
    depends_on_prevalence,
    measure,
    shifted,
)
from rocstats.facts.words import as_known, did_you_mean, listed
from rocstats.frame.make import Labels
from rocstats.frame.question import BINNING_ERROR
from rocstats.study.binned import extremes, inside_bins, largest_deviation
from rocstats.study.sample import Sample

# --- Requested measures ---------------------------------------------------------------------------

ReferenceStandard = Literal["perfect", "imperfect"]


class MeasureRequest(NamedTuple):
    """One requested measure; ``prevalence`` is None for that of the study."""

    word: str
    measure: str
    prevalence: float | None


def read_quantities(
    quantities: Sequence[str] | str | None,
    prevalences: Sequence[float],
    *,
    reference_standard: ReferenceStandard,
    joint: bool,
    beta: float | None = None,
) -> list[MeasureRequest]:
    """Return the requested measures, those that depend on prevalence once for each prevalence."""
    standards = get_args(ReferenceStandard)
    reference_standard = require_choice("reference_standard", reference_standard, standards)
    # A joint region is a rectangle of both rates; other measures have no side of it.
    usual = {name: name for name in (RATES if joint else MEASURES)}
    possible = usual if joint else {**usual, **{name: name for name in BY_REQUEST}}
    if reference_standard == "imperfect":
        usual = {w: name for w, name in AGREEMENT.items() if name in RATES or not joint}
        possible = usual
    wanted = listed(quantities)
    words = list(usual) if quantities is None else [as_known(word, possible) for word in wanted]
    unknown = [word for word in words if not (isinstance(word, str) and word in possible)]
    if unknown or not words or len(set(words)) < len(words):
        raise InputError(
            f"`quantities` must be some of {', '.join(possible)}, each once; got {wanted!r}."
            f"{_advice(unknown, possible, reference_standard, joint)}"
        )
    if "f_beta" in words:
        possible = {**possible, "f_beta": f"f_beta={_read_beta(beta)!r}"}
    return [
        MeasureRequest(word, possible[word], share)
        for word in words
        for share in (
            prevalences if depends_on_prevalence(possible[word]) and prevalences else [None]
        )
    ]


def _read_beta(beta: Any) -> float:
    if beta is None:
        return 1.0
    number = isinstance(beta, Real) and not isinstance(beta, bool)
    # Beyond these one of both rates has next to no weight.
    if not (number and 1e-6 <= float(beta) <= 1e6):
        raise InputError(
            f"`beta` must be a number from 1e-6 to 1e6; got {beta!r}. Pass 2 where recall counts"
            " twice as much as precision."
        )
    return float(beta)


def _advice(
    unknown: Sequence[Any], possible: Collection[str], reference_standard: str, joint: bool
) -> str:
    meant = [advice for word in unknown if (advice := did_you_mean(word, possible))]
    if meant:
        return meant[0]
    if reference_standard == "imperfect":
        return " Others have no meaning against an imperfect reference standard."
    if joint and any(as_known(word, MEASURES) in MEASURES for word in unknown):
        return " Simultaneous limits are offered for rates only: leave joint out for the others."
    return " Leave it out for all of them."


# --- Scores in bins: how far each measure is from that of all scores ------------------------------

CalledCounts = tuple[FloatArray, FloatArray]
"""Positives and negatives called positive, at each place."""


def errors_at_thresholds(
    sample: Sample,
    k: int,
    curve: RocPoints,
    thresholds: FloatArray | None,
    requests: Sequence[MeasureRequest],
) -> list[FloatArray]:
    """Return the bound of each measure: 0 between bins, else from the corners of the bin."""
    thresholds = curve.threshold if thresholds is None else thresholds
    vertex = vertex_at(curve, thresholds)
    # Every measure rises or falls with either rate, so that its extremes are at corners.
    end = vertex + inside_bins(sample, k, thresholds, vertex)
    corners = [(curve.tp[tp], curve.fp[fp]) for tp in (vertex, end) for fp in (vertex, end)]
    return _errors(curve, corners, requests)


def errors_at_rates(
    sample: Sample,
    k: int,
    curve: RocPoints,
    axis: Axis,
    rates: FloatArray,
    reading: Reading,
    requests: Sequence[MeasureRequest],
) -> list[FloatArray]:
    """Return the bound of each measure where one rate is given: from the extreme curves."""
    if reading == "attained":
        # Which rates are attained inside a bin is unknown.
        raise InputError(
            "`reading` must be 'interpolated' for binned scores, where it is unknown which rates"
            " are attained; got 'attained'. Leave it out, or count the scores with exact=True."
        )
    if min(sample.n_pos, sample.n_neg) == 0:
        return [np.full(len(rates), np.nan) for _ in requests]
    curves = [curve, *(roc_points(one.cases.counts(k)) for one in extremes(sample))]
    points = [read_curve(one, axis, rates, reading) for one in curves]
    return _errors(curve, [(p.tpr * curve.tp[-1], p.fpr * curve.fp[-1]) for p in points], requests)


def _errors(
    curve: RocPoints, called: Sequence[CalledCounts], requests: Sequence[MeasureRequest]
) -> list[FloatArray]:
    """Return how far each measure at the first calls is from those at the others."""
    n_pos, n_neg = curve.tp[-1], curve.fp[-1]
    tables = [Cells(tp, n_pos - tp, fp, n_neg - fp) for tp, fp in called]
    errors = []
    for request in requests:
        share = request.prevalence
        values = [
            measure(request.measure, cells if share is None else shifted(cells, share))
            for cells in tables
        ]
        errors.append(largest_deviation(values[0], list(values[1:])))
    return errors


# --- Columns of the frame -------------------------------------------------------------------------


class PointBlock(NamedTuple):
    """Every measure at the operating points of one predictor in one group.

    ``texts`` and ``numbers`` are columns with one value, ``places`` columns with one value a point.
    ``errors`` are the bounds of the measures of binned scores, None for exact ones.
    """

    texts: Mapping[str, str]
    numbers: Mapping[str, float]
    places: Mapping[str, FloatArray]
    requests: Sequence[MeasureRequest]
    measures: Sequence[Measured]
    own_prevalence: float
    codes: Sequence[Sequence[str]]
    errors: Sequence[FloatArray] | None = None

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.places["threshold"])


def point_columns(blocks: Sequence[PointBlock]) -> dict[str, Any]:
    """Return the columns of a frame, sorted by block, then point, then measure."""
    texts = [_label_columns(block) for block in blocks]
    numbers = [_number_columns(block) for block in blocks]
    return {
        **{name: _concatenated([text[name] for text in texts]) for name in texts[0]},
        **{name: np.concatenate([number[name] for number in numbers]) for name in numbers[0]},
    }


def _number_columns(block: PointBlock) -> dict[str, FloatArray]:
    width, n, errors = len(block.requests), block.n_points, block.errors
    parts = {"estimate": "estimate", "se": "se", "ci_low": "low", "ci_high": "high"}
    parts["n_effective"] = "size"
    shares = [
        _reported_prevalence(request, result, block.own_prevalence)
        for request, result in zip(block.requests, block.measures, strict=True)
    ]
    # Measures are arrays over points; axis 1 and ravel put the measures of a point in a row.
    return {
        **{name: np.repeat(values, width) for name, values in block.places.items()},
        **{name: np.full(n * width, value) for name, value in block.numbers.items()},
        **{
            column: np.stack([getattr(result, part) for result in block.measures], axis=1).ravel()
            for column, part in parts.items()
        },
        "prevalence": np.tile(shares, n),
        **({} if errors is None else {BINNING_ERROR: np.stack(errors, axis=1).ravel()}),
    }


def _reported_prevalence(request: MeasureRequest, result: Measured, own: float) -> float:
    # A case-control study has no prevalence of its own: the share of positives was chosen.
    if not depends_on_prevalence(request.measure) or "prevalence-needed" in result.notes:
        return float("nan")
    return own if request.prevalence is None else request.prevalence


def _label_columns(block: PointBlock) -> dict[str, Labels]:
    width, n = len(block.requests), block.n_points
    fixed = {
        name: Labels([word], np.zeros(n * width, dtype=np.intp))
        for name, word in block.texts.items()
    }
    quantity = Labels([request.word for request in block.requests], np.tile(np.arange(width), n))
    methods = [_method_labels(result) for result in block.measures]
    notes = [_note_labels(*pair) for pair in zip(block.measures, block.codes, strict=True)]
    return {
        **fixed,
        "quantity": quantity,
        "method": _interleaved(methods),
        "note": _interleaved(notes),
    }


def _method_labels(result: Measured) -> Labels:
    """Return the method of a measure at each point; "none/none" where it has no limits."""
    codes = np.zeros(len(result.estimate), dtype=np.intp)
    words = [result.method, "none/none"]
    codes[np.isnan(result.low) & np.isnan(result.high)] = 1
    if result.otherwise is not None:
        where, word = result.otherwise
        words.append(word)
        # A rate that was given is known and needs no limits: "given/none", unless it is undefined.
        codes[where & (codes == 0 if word != "given/none" else ~np.isnan(result.estimate))] = 2
    return Labels(words, codes)


def _note_labels(result: Measured, common: Sequence[str]) -> Labels:
    """Return the notes of a measure at each point."""
    if not result.notes:
        labels = ["; ".join(dict.fromkeys(common))]
        return Labels(labels, np.zeros(len(result.estimate), dtype=np.intp))
    # Each combination of notes is a number, its bits, so that strings are joined once a combination
    # and not once a vertex.
    number = np.zeros(len(result.estimate), dtype=np.intp)
    names = list(result.notes)
    for bit, name in enumerate(names):
        number += result.notes[name].astype(np.intp) << bit
    present, codes = number[:1], np.zeros_like(number)
    if (number != present).any():  # as a rule all points have the same notes, and need no sort
        present, codes = np.unique(number, return_inverse=True)
    labels = []
    for bits in present:
        own = [name for bit, name in enumerate(names) if bits >> bit & 1]
        labels.append("; ".join(dict.fromkeys([*own, *common])))
    return Labels(labels, np.asarray(codes, dtype=np.intp))


def _concatenated(parts: Sequence[Labels]) -> Labels:
    """Return label columns concatenated, the codes of each shifted past the labels before it."""
    if len(parts) == 1:
        return parts[0]
    # ``starts`` has one entry more than there are parts, the total: strict=False drops it.
    starts = np.cumsum([0, *(len(part.labels) for part in parts)])
    codes = [part.codes + start for part, start in zip(parts, starts, strict=False)]
    return Labels([label for part in parts for label in part.labels], np.concatenate(codes))


def _interleaved(columns: Sequence[Labels]) -> Labels:
    """Return the labels of several measures in the order of rows: point by point."""
    joined = _concatenated(columns)
    table: IntArray = joined.codes.reshape(len(columns), -1).T
    return Labels(joined.labels, table.ravel())


def distinct_notes(labels: Labels) -> list[str]:
    """Return the distinct notes in a column of notes."""
    used: list[int] = np.unique(labels.codes).tolist()
    return list(dict.fromkeys(c for i in used for c in labels.labels[i].split("; ") if c))
