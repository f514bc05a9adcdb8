"""Headings and cells of a table of estimates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.labels import about_of
from rocstats.frames.words import is_difference, quantity_text
from rocstats.present.p_values import format_p
from rocstats.present.styles import digits_of, style_of
from rocstats.present.text import (
    format_count,
    format_estimate,
    format_interval,
    format_level,
    format_number,
)
from rocstats.present.wording import is_adjusted

if TYPE_CHECKING:
    from collections.abc import Sequence

LABELS = {
    "predictor": "Predictor",
    "reference": "Reference",
    "group": "Group",
    "fold": "Fold",
    "class": "Class",
    "versus": "Versus",
    "kind": "Kind",
    "reader": "Reader",
    "threshold": "Threshold",
    "fpr": "At false positive rate",
}
"""Columns that identify a row, in the order of print, with their headings."""

PROPORTIONS = frozenset(
    [
        "auc",
        "partial_auc_standardized",
        "mean_tpr",
        "average_precision",
        "pr_auc",
        "tpr",
        "fpr",
        "tnr",
        "fnr",
        "ppa",
        "npa",
        "overall_agreement",
        "ppv",
        "npv",
        "accuracy",
        "balanced_accuracy",
        "f1",
    ]
)
"""Quantities from 0 to 1 that are printed as 0.00 or 1.00 only if they are exactly 0 or 1."""

_PLACES = ("threshold", "fpr")
_NEEDED = ("predictor", "estimate", "ci_low", "ci_high", "confidence_level")

# Rows without an interval have no level of their own: P values are then read at the usual 0.05.
_USUAL_ALPHA = 0.05


def table_columns(
    frame: pd.DataFrame, style: str, *, digits: int | None = None, compact: bool = False
) -> dict[str, list[str]]:
    """Return the cells of an estimate frame as text, by heading.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates.
    style : str
        Name of a style, see ``rocstats.present.styles``.
    digits : int, optional
        Decimals; by default those of the style.
    compact : bool, default False
        Whether only the heading names the confidence level: "0.82 (0.75-0.90)". Cells name it
        where it differs between rows.

    Returns
    -------
    dict of str to list of str
        Columns in order of print.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates, or ``style`` or ``digits`` is not possible.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.cells import table_columns
    >>> frame = pd.DataFrame({"predictor": ["wfns"], "quantity": ["auc"], "estimate": [0.8231],
    ...                       "ci_low": [0.7489], "ci_high": [0.8957], "confidence_level": [0.95]})
    >>> table_columns(frame, "jama", compact=True)
    {'Predictor': ['wfns'], 'AUC (95% CI)': ['0.82 (0.75-0.90)']}
    """
    _require_estimates(frame)
    decimals = digits_of(style, digits)
    rows = [row for _, row in frame.iterrows()]
    columns = _label_columns(frame, decimals)
    quantities = [_quantity(row) for row in rows]
    if len(set(quantities)) > 1:
        columns["Quantity"] = quantities
    # A global test has no estimate: its statistic and degrees of freedom take the place.
    if frame["estimate"].isna().all() and _has(frame, "p_value"):
        columns["Statistic"] = [format_number(value, decimals) for value in frame["statistic"]]
        columns["df"] = [format_count(value) for value in frame["df"]]
    else:
        levels = frame["confidence_level"].dropna().unique().tolist()
        short = compact and len(levels) == 1
        columns[_heading(set(quantities), levels, style)] = [
            _estimate_cell(row, style, decimals, short) for row in rows
        ]
    return {**columns, **_p_columns(frame, style), **_count_columns(frame)}


def _quantity(row: pd.Series) -> str:
    """Return the quantity in words; predictive values are told apart by their prevalence."""
    prevalence = row.get("prevalence", math.nan)
    suffix = "" if math.isnan(prevalence) else f" at prevalence {prevalence:.3g}"
    return f"{quantity_text(row)}{suffix}"


def _label_columns(frame: pd.DataFrame, digits: int) -> dict[str, list[str]]:
    """Return the columns that identify a row, without those that are empty or always alike."""
    columns = {}
    for name in LABELS:
        heading = heading_of(frame, name)
        if name not in frame or (name in _PLACES and not _is_place(frame, name)):
            continue
        # The kind of an average is a label only where a table holds two of them.
        if name == "kind" and frame[name].nunique() < 2:
            continue
        if name in _PLACES:
            cells = [format_number(value, digits) for value in frame[name]]
        else:
            cells = frame[name].fillna("").astype(str).tolist()
        if any(cells):
            columns[heading] = cells
    return columns


def heading_of(frame: pd.DataFrame, name: str) -> str:
    """Return the heading of a column that identifies a row; of groups, that of the study."""
    group: str = about_of(frame).get("group_label", LABELS["group"])
    return group if name == "group" else LABELS[name]


def _is_place(frame: pd.DataFrame, name: str) -> bool:
    """Return whether the column tells at which threshold, or else at which FPR, a row is."""
    # At a threshold the FPR is an estimate with a row of its own, not the place of the row.
    if name == "threshold":
        return bool(frame[name].notna().any())
    return "threshold" not in frame or bool(frame["threshold"].isna().any())


def _heading(quantities: set[str], levels: Sequence[float], style: str) -> str:
    quantity = quantities.pop() if len(quantities) == 1 else "Estimate"
    if len(levels) == 0:
        return quantity
    # The punctuation of a style joins the level to limits; a heading has none.
    interval = style_of(style).interval.strip(" ,:")
    return f"{quantity} ({format_level(levels[0]) + ' ' if len(levels) == 1 else ''}{interval})"


def _estimate_cell(row: pd.Series, style: str, digits: int, short: bool) -> str:
    difference, guard = is_difference(row), _guard(row)
    if math.isnan(row["confidence_level"]):
        return format_number(row["estimate"], digits, guard=guard)
    if not short:
        return format_estimate(
            row["estimate"], row["ci_low"], row["ci_high"], style=style, digits=digits,
            confidence_level=row["confidence_level"], guard=guard, difference=difference,
        )  # fmt: skip
    # `compact`: the level is in the heading, so that `format_estimate` would say it twice.
    number = format_number(row["estimate"], digits, guard=guard)
    interval = format_interval(
        row["ci_low"], row["ci_high"], style=style, digits=digits, guard=guard,
        difference=difference,
    )  # fmt: skip
    # Both are "NA" where there is neither an estimate nor an interval.
    return number if number == interval else f"{number} ({interval})"


def _guard(row: pd.Series) -> tuple[int, ...]:
    """Return the values that the estimate and its limits may be printed as only if exact."""
    # A ratio of 1 and a difference of 0 mean equality: where the interval excludes it, a limit that
    # rounds to it must not be printed as if the interval reached it.
    if str(row.get("quantity")).endswith("_ratio"):
        return (0, 1) if row["ci_low"] > 1 or row["ci_high"] < 1 else (0,)
    if is_difference(row):
        return (0,) if row["ci_low"] > 0 or row["ci_high"] < 0 else ()
    return (0, 1) if row.get("quantity") in PROPORTIONS else (0,)


def _p_columns(frame: pd.DataFrame, style: str) -> dict[str, list[str]]:
    if not _has(frame, "p_value"):
        return {}
    alphas = (1 - frame["confidence_level"]).fillna(_USUAL_ALPHA)
    names = {"p_value": "P value", "p_adjusted": "Adjusted P value"}
    return {
        heading: [
            format_p(p, style=style, alpha=alpha)
            for p, alpha in zip(frame[name], alphas, strict=True)
        ]
        for name, heading in names.items()
        if name == "p_value" or is_adjusted(frame)
    }


def _count_columns(frame: pd.DataFrame) -> dict[str, list[str]]:
    # The others are there where predictors keep their own cases; a contrast has no reference.
    names = {
        "n_pos": "Positives",
        "n_neg": "Negatives",
        "reference_n_pos": "Positives of the reference",
        "reference_n_neg": "Negatives of the reference",
        "n_pos_shared": "Shared positives",
        "n_neg_shared": "Shared negatives",
    }
    return {
        heading: ["" if pd.isna(count) else format_count(count) for count in frame[name]]
        for name, heading in names.items()
        if name in frame
    }


def _has(frame: pd.DataFrame, name: str) -> bool:
    return name in frame and bool(frame[name].notna().any())


def require_frame(frame: object) -> None:
    """Raise InputError unless ``frame`` is a pandas frame."""
    if not isinstance(frame, pd.DataFrame):
        raise InputError(
            f"`frame` must be a pandas frame; got {type(frame).__name__}."
            " Pass the answer of a study, such as study.auc()."
        )


def _require_estimates(frame: pd.DataFrame) -> None:
    require_frame(frame)
    missing = [name for name in _NEEDED if name not in frame]
    if missing:
        raise InputError(
            f"`frame` must hold estimates with intervals; got no columns {', '.join(missing)}."
            " Pass the answer of a study, such as study.auc()."
        )
    if frame.empty:
        raise InputError(
            "`frame` must have rows; got 0. Pass the answer of a study, such as study.auc()."
        )
