"""Which measures are asked for, and their columns: measures side by side become rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocstats.curves.points.measures import MEASURES, OF_PREVALENCE, RATES
from rocstats.errors import InputError, require_choice
from rocstats.frames import Labels
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.stats.points.measured import Measured

ReferenceStandard = Literal["perfect", "imperfect"]
AGREEMENT = {"ppa": "tpr", "npa": "tnr", "overall_agreement": "accuracy"}
"""What is reported against an imperfect reference standard, and the measure whose number it is."""


@dataclass(frozen=True)
class MeasureRequest:
    """One measure: its word, the measure, and a prevalence from outside the study if it has one."""

    word: str
    measure: str
    prevalence: float | None


def read_quantities(
    quantities: Sequence[str] | str | None,
    prevalences: Sequence[float],
    *,
    reference_standard: ReferenceStandard,
    joint: bool,
) -> list[MeasureRequest]:
    """Return the measures asked for, each at every prevalence that it depends on."""
    require_choice("reference_standard", reference_standard, ("perfect", "imperfect"))
    known = {name: name for name in (RATES if joint else MEASURES)}
    if reference_standard == "imperfect":
        known = {w: name for w, name in AGREEMENT.items() if name in RATES or not joint}
    words = [quantities] if isinstance(quantities, str) else quantities
    words = list(known) if words is None else list(words)
    unknown = [word for word in words if word not in known]
    if unknown or not words or len(set(words)) < len(words):
        raise InputError(
            f"`quantities` must be some of {', '.join(known)}, each once; got {words!r}."
            f" {_mend(unknown, reference_standard, joint)}"
        )
    asked = []
    for word in words:
        name = known[word]
        at = list(prevalences) if name in OF_PREVALENCE and prevalences else [None]
        asked += [MeasureRequest(word, name, share) for share in at]
    return asked


def _mend(unknown: Sequence[str], reference_standard: str, joint: bool) -> str:
    if reference_standard == "imperfect":
        return "Others have no meaning against an imperfect reference standard."
    if joint and any(word in MEASURES for word in unknown):
        return "Limits that hold together are those of rates: leave joint out for the others."
    return "Leave it out for all of them."


@dataclass(frozen=True, eq=False)
class PointBlock:
    """The points of one predictor in one group, and every measure at them.

    ``texts`` and ``numbers`` are the same in every row, ``places`` of every measure at a point.
    """

    texts: Mapping[str, str]
    numbers: Mapping[str, float]
    places: Mapping[str, FloatArray]
    asked: Sequence[MeasureRequest]
    measures: Sequence[Measured]
    own_prevalence: float
    codes: Sequence[Sequence[str]]

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.places["threshold"])


def point_columns(blocks: Sequence[PointBlock]) -> dict[str, Any]:
    """Return the columns of a frame: block after block, point after point, measure by measure."""
    texts = [_texts(block) for block in blocks]
    numbers = [_numbers(block) for block in blocks]
    return {
        **{name: _joined([text[name] for text in texts]) for name in texts[0]},
        **{name: np.concatenate([number[name] for number in numbers]) for name in numbers[0]},
    }


def _numbers(block: PointBlock) -> dict[str, FloatArray]:
    width, n = len(block.asked), block.n_points
    parts = {"estimate": "estimate", "se": "se", "ci_low": "low", "ci_high": "high"}
    parts["n_effective"] = "size"
    shares = [_prevalence(one, found, block.own_prevalence) for one, found in _pairs(block)]
    return {
        **{name: np.repeat(values, width) for name, values in block.places.items()},
        **{name: np.full(n * width, value) for name, value in block.numbers.items()},
        **{
            column: np.stack([getattr(found, part) for found in block.measures], axis=1).ravel()
            for column, part in parts.items()
        },
        "prevalence": np.tile(shares, n),
    }


def _pairs(block: PointBlock) -> Iterable[tuple[MeasureRequest, Measured]]:
    return zip(block.asked, block.measures, strict=True)


def _prevalence(asked: MeasureRequest, found: Measured, own: float) -> float:
    if asked.measure not in OF_PREVALENCE or "prevalence-needed" in found.notes:
        return float("nan")
    return own if asked.prevalence is None else asked.prevalence


def _texts(block: PointBlock) -> dict[str, Labels]:
    width, n = len(block.asked), block.n_points
    fixed = {
        name: Labels([word], np.zeros(n * width, dtype=np.intp))
        for name, word in block.texts.items()
    }
    quantity = Labels([one.word for one in block.asked], np.tile(np.arange(width), n))
    methods = [_methods(found) for found in block.measures]
    notes = [_notes(found, codes) for found, codes in zip(block.measures, block.codes, strict=True)]
    return {**fixed, "quantity": quantity, "method": _side(methods), "note": _side(notes)}


def _methods(found: Measured) -> Labels:
    codes = np.zeros(len(found.estimate), dtype=np.intp)
    words = [found.method, "none/none"]
    codes[np.isnan(found.low) & np.isnan(found.high)] = 1
    if found.otherwise is not None:
        where, word = found.otherwise
        words.append(word)
        codes[where & (codes == 0 if word != "given/none" else ~np.isnan(found.estimate))] = 2
    return Labels(words, codes)


def _notes(found: Measured, common: Sequence[str]) -> Labels:
    """Return the notes of a measure: a number for each combination of codes that occurs."""
    number = np.zeros(len(found.estimate), dtype=np.intp)
    names = list(found.notes)
    for bit, name in enumerate(names):
        number += found.notes[name].astype(np.intp) << bit
    present, codes = np.unique(number, return_inverse=True)
    labels = []
    for bits in present:
        own = [name for bit, name in enumerate(names) if bits >> bit & 1]
        labels.append("; ".join(dict.fromkeys([*own, *common])))
    return Labels(labels, np.asarray(codes, dtype=np.intp))


def _joined(parts: Sequence[Labels]) -> Labels:
    """Return labels one under the other."""
    starts = np.cumsum([0, *(len(part.labels) for part in parts)])
    codes = [part.codes + start for part, start in zip(parts, starts, strict=False)]
    return Labels([label for part in parts for label in part.labels], np.concatenate(codes))


def _side(columns: Sequence[Labels]) -> Labels:
    """Return labels of columns row by row."""
    joined = _joined(columns)
    table: IntArray = joined.codes.reshape(len(columns), -1).T
    return Labels(joined.labels, table.ravel())


def codes_of(labels: Labels) -> list[str]:
    """Return the distinct codes in a column of notes."""
    used: list[int] = np.unique(labels.codes).tolist()
    return list(dict.fromkeys(c for i in used for c in labels.labels[i].split("; ") if c))
