"""Tables of diagnostic accuracy: measures one below the other, a column for each cutoff."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from rocstats.frames.making import text_frame
from rocstats.present.footnotes import footnotes
from rocstats.present.formats.markup import printed_table
from rocstats.present.layouts import table_columns
from rocstats.present.places import LABELS, heading_of
from rocstats.present.report.areas import IN_SAMPLE, table_of
from rocstats.present.report.document import Block, Section, TableBlock
from rocstats.present.wording import note_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocstats.present.report.answers import Answers
    from rocstats.present.report.options import ReportOptions

# Columns of intervals beside the measures, on an upright page.
_MOST_COLUMNS = 4

_IN_WORDS = {
    "TP": "Found (TP)",
    "FN": "Missed (FN)",
    "FP": "False alarms (FP)",
    "TN": "Cleared (TN)",
}

Key = tuple[str, ...]


class _Measures(NamedTuple):
    """Cells of a frame by measure, and by the place (test, group, cutoff) they are of."""

    places: list[Key]
    cells: dict[str, dict[Key, str]]


def accuracy_section(answers: Answers, options: ReportOptions) -> list[Section]:
    """Return the section on accuracy at the cutoffs; nothing without any."""
    style = options.style
    blocks: list[Block] = []
    if answers.given is not None:
        frames = (answers.given, answers.given_elsewhere)
        only = set(answers.given["predictor"]) <= set(answers.yes_no)
        when = "of the results" if only else "at the cutoffs set before the study"
        blocks += _tables(_measures(frames, style), frames, f"Accuracy {when}")
        if answers.given_pairs is not None:
            blocks.append(table_of(answers.given_pairs, style, f"Paired differences {when}"))
    if answers.chosen is not None:
        frames = (_rates(answers.chosen), answers.observed, answers.observed_elsewhere)
        measures = _measures(frames[:1], style)
        raw = _measures(frames[1:], style)
        measures.cells.update(_as_observed(raw.cells))
        blocks += _tables(measures, frames, "Accuracy at the cutoffs chosen in these data")
        if answers.chosen_pairs is not None:
            caption = "Paired differences at the chosen cutoffs, as observed"
            blocks.append(table_of(answers.chosen_pairs, style, caption))
    return [Section("At the cutoffs", tuple(blocks), "accuracy")] if blocks else []


def _rates(chosen: pd.DataFrame) -> pd.DataFrame:
    """Return the cutoff and its rates; the value of the criterion follows from them."""
    kept = chosen[chosen["quantity"].isin(["threshold", "tpr", "tnr", "ppv", "npv"])]
    kept.attrs = chosen.attrs
    return kept


def _measures(frames: Iterable[pd.DataFrame | None], style: str) -> _Measures:
    """Return the cells of frames of the same cutoffs."""
    places: dict[Key, None] = {}
    cells: dict[str, dict[Key, str]] = {}
    for frame in frames:
        if frame is None or frame.empty:
            continue
        named = {heading_of(frame, name) for name in ("predictor", "group")}
        columns = table_columns(frame, style, layout="wide")
        cut = [column for column in columns if column.head == LABELS["threshold"]]
        keyed = [column for column in columns if column.head in named] + cut
        keys = list(zip(*(column.cells for column in keyed), strict=True))
        places.update(dict.fromkeys(keys))
        for column in columns:
            if column not in keyed:
                head = _IN_WORDS.get(column.head, column.head)
                cells.setdefault(head, dict(zip(keys, column.cells, strict=True)))
    return _Measures(list(places), cells)


def _as_observed(cells: dict[str, dict[Key, str]]) -> dict[str, dict[Key, str]]:
    """Return measures that are not corrected for the choice of the cutoff, marked as such."""
    found = {}
    for head, by_place in cells.items():
        if head in _IN_WORDS.values() or head.startswith(("Sensitivity", "Specificity")):
            continue  # those of the chosen cutoff have rows of their own
        # The cutoff is part of their places, but the chosen one is a measure.
        found[f"{head}, apparent"] = {place[:-1]: cell for place, cell in by_place.items()}
    return found


def _tables(
    measures: _Measures, frames: Sequence[pd.DataFrame | None], caption: str
) -> list[TableBlock]:
    """Return tables of a few cutoffs each."""
    blocks = []
    for start in range(0, len(measures.places), _MOST_COLUMNS):
        places = measures.places[start : start + _MOST_COLUMNS]
        columns = {"Measure": list(measures.cells)}
        for place in places:
            head = " ".join(place[:1]) + "".join(f", {word}" for word in place[1:])
            columns[head] = [cells.get(place, "") for cells in measures.cells.values()]
        notes = _notes(measures, frames)
        more = "" if start == 0 else ", continued"
        table = printed_table(
            text_frame(columns, footnotes=notes), caption=caption + more, footnotes=notes
        )
        blocks.append(TableBlock(table))
    return blocks


def _notes(measures: _Measures, frames: Sequence[pd.DataFrame | None]) -> list[str]:
    """Return caveats of all frames once, then the abbreviations."""
    known = [frame for frame in frames if frame is not None]
    caveats = [text for frame in known for text in note_sentences(frame, without=IN_SAMPLE)]
    cells = {head: list(by_place.values()) for head, by_place in measures.cells.items()}
    words = footnotes(known[0].drop(columns="note"), cells, methods=False)
    return list(dict.fromkeys([*caveats, *words]))
