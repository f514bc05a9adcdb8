"""The lines of a forest plot: names, estimates and numbers in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.frames.words import rows_of
from rocstats.present.cells import (
    interaction_only,
    is_interaction,
    measure_columns,
    measure_text,
    p_columns,
    rules_of,
    without_interaction,
)
from rocstats.present.places import COMPARISON, LABELS, heading_of, place_columns
from rocstats.present.readers.frames import AVERAGE
from rocstats.present.text import format_count

if TYPE_CHECKING:
    import pandas as pd

# Limits joined by "to", two decimals.
STYLE = ("nejm", 2)

# What is written before the cells of a column that tells rows apart.
_BEFORE = {
    "fold": "fold ",
    "fpr": "at false positive rate ",
    "tpr": "at sensitivity ",
    "reference_threshold": "vs ",
}

_OF_POSITIVES, _OF_NEGATIVES = ("tpr", "fnr", "ppa"), ("tnr", "fpr", "npa")


class ForestRow(NamedTuple):
    """A line of the figure: a heading alone, or an estimate."""

    name: str
    indent: bool
    overall: bool
    main: bool
    cells: tuple[str, ...]
    at: int | None
    """Place in the frame; None for a heading alone."""


def forest_table(frame: pd.DataFrame) -> tuple[list[str], list[ForestRow], str]:
    """Return the headings of the columns of words, the lines, and the name of the quantity."""
    rules = rules_of(frame, *STYLE)
    rows = rows_of(frame)
    quantities = list(dict.fromkeys(measure_text(row) for row in rows))
    if len(quantities) > 1 or not np.isfinite(frame["estimate"]).any():
        got = ", ".join(quantities) if len(quantities) > 1 else "no estimates"
        raise InputError(
            f"`frame` must have estimates of one quantity; got {got}. Choose rows, such"
            " as frame[frame['quantity'] == 'tpr']."
        )
    estimates = measure_columns("Estimate", without_interaction(rows), rules)
    shown = {column.head: column.cells for column in estimates}
    counts = case_counts(frame)
    if counts is not None:
        shown["n"] = [format_count(count) if count == count else "" for count in counts]
    # Of P values and adjusted ones, the last: the adjusted.
    for column in p_columns(interaction_only(rows), rules)[-1:]:
        shown["P for interaction" if "variable" in frame else "P"] = column.cells
    lines = list(zip(*shown.values(), strict=True))
    if "variable" in frame:
        return list(shown), _of_subgroups(frame, lines), quantities[0]
    return list(shown), _rows(*_names(frame), frame["overall"], lines), quantities[0]


def _of_subgroups(frame: pd.DataFrame, lines: Sequence[tuple[str, ...]]) -> list[ForestRow]:
    """Return a line for all cases of a predictor, and its variables with their levels below it."""
    rows: list[ForestRow] = []
    several = frame["predictor"].nunique() > 1
    for i, row in enumerate(rows_of(frame)):
        variable, cells = str(row["variable"]), lines[i]
        if is_interaction(row):
            # The number of cases is that of all levels, which stand below.
            rows.append(
                ForestRow(variable, False, False, True, (*[""] * (len(cells) - 1), cells[-1]), None)
            )
        elif variable:
            rows.append(ForestRow(str(row["level"]), True, False, False, cells, i))
        else:
            name = str(row["predictor"]) if several else "All cases"
            rows.append(ForestRow(name, False, True, True, cells, i))
    return rows


def _names(frame: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Return the predictor (or pair) of each row, and what tells its rows apart."""
    columns = place_columns(frame, STYLE[1])
    heads = {name: heading_of(frame, name) for name in LABELS}
    if COMPARISON in columns:
        main = columns.pop(COMPARISON)
    else:
        names = columns.pop(heads["predictor"])
        references = columns.pop(heads["reference"], [""] * len(names))
        pairs = zip(names, references, strict=True)
        main = [f"{a} − {b}" if b not in ("", "contrast") else a for a, b in pairs]
    parts = [
        [f"{_BEFORE.get(name, '')}{text}" if text else "" for text in columns[head]]
        for name, head in heads.items()
        if head in columns and _tells(name, columns[head], main)
    ]
    rests = [", ".join(part[i] for part in parts if part[i]) for i in range(len(main))]
    alike = len(set(zip(main, rests, strict=True))) < len(main)
    if alike and "method" in frame:
        methods = frame["method"].astype(str)
        rests = [", ".join(filter(None, pair)) for pair in zip(rests, methods, strict=True)]
    return main, rests


def _rows(
    main: Sequence[str], rests: Sequence[str], whole: Any, cells: Sequence[tuple[str, ...]]
) -> list[ForestRow]:
    """Return a line for each estimate, under the name of its predictor where that has several."""
    if len(set(main)) == len(main):
        names = [", ".join(filter(None, pair)) for pair in zip(main, rests, strict=True)]
        return [ForestRow(name, False, False, False, cells[i], i) for i, name in enumerate(names)]
    rows: list[ForestRow] = []
    for name in dict.fromkeys(main):
        own = [i for i, other in enumerate(main) if other == name]
        first = [i for i in own if whole[i] or not rests[i]]
        if len(first) == 1 and rests[first[0]] != AVERAGE:
            rows.append(ForestRow(name, False, len(own) > 1, True, cells[first[0]], first[0]))
            own.remove(first[0])
        else:
            rows.append(ForestRow(name, False, False, True, (), None))
        rows += [ForestRow(rests[i], True, whole[i], whole[i], cells[i], i) for i in own]
    return rows


def _tells(name: str, texts: Sequence[str], main: Sequence[str]) -> bool:
    """Return whether a column tells rows of one predictor apart, or is the group."""
    return name == "group" or len(set(zip(main, texts, strict=True))) > len(set(main))


def case_counts(frame: pd.DataFrame) -> pd.Series | None:
    """Return the number of cases that each estimate is of; None if the frame has no numbers."""
    if not {"n_pos", "n_neg"} <= set(frame):
        return None
    quantity = frame["quantity"].iloc[0]
    if quantity in _OF_POSITIVES:
        return frame["n_pos"]
    return frame["n_neg"] if quantity in _OF_NEGATIVES else frame["n_pos"] + frame["n_neg"]
