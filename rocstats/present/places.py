"""What a row of a table is about: predictor, reference, group, threshold."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from rocstats.frames.given import RATES, given_rates
from rocstats.frames.labels import about_of
from rocstats.present.readers.frames import reader_text
from rocstats.present.text import format_number, round_half_up

LABELS = {
    "predictor": "Predictor",
    "modality": "Modality",
    "reference": "Reference",
    "group": "Group",
    "variable": "Variable",
    "level": "Level",
    "zone": "Zone",
    "band_low": "Band",
    "fold": "Fold",
    "class": "Class",
    "versus": "Versus",
    "kind": "Kind",
    "reader": "Reader",
    "criterion": "Criterion",
    "time": "Time",
    "controls": "Controls are",
    "risk_threshold": "Risk threshold",
    "threshold": "Threshold",
    "reference_threshold": "Threshold of the reference",
    "fpr": "At false positive rate",
    "tpr": "At sensitivity",
}
"""Columns that identify a row, in the order of print, with their headings."""

COMPARISON = "Comparison"
"""Heading of what is compared where each side has a threshold."""

SIGNS = {">=": "≥ ", "<=": "≤ "}
"""Which side of a threshold is positive, in print."""

_DIRECTIONS = {"threshold": "direction", "reference_threshold": "reference_direction"}
# A label only where a table holds two of them.
_SELDOM = ("kind", "criterion", "controls")
# A threshold is applied to new patients: rounded like an estimate, it might decide otherwise.
# Midpoints of scores of four digits have five.
_DIGITS_OF_THRESHOLDS = 5
_TAKEN = {*LABELS.values(), COMPARISON, "Quantity", "Estimate", "Apparent", "n/N"} - {"Group"}
_TAKEN |= {"P value", "Adjusted P value", "Statistic", "df", "Positives", "Negatives"}
_TAKEN |= {"TP", "FN", "FP", "TN", "Prevalence", "Cases", "Censored"}


def place_columns(frame: pd.DataFrame, digits: int) -> dict[str, list[str]]:
    """Return the columns that identify a row, without those that are empty or always alike.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates.
    digits : int
        Decimals of estimates; a threshold has them too, or more if it needs them.

    Returns
    -------
    dict of str to list of str
        Cells by heading. Thresholds have the sign of their direction.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.places import place_columns
    >>> frame = pd.DataFrame({"predictor": ["s100b"], "reference": ["wfns"], "direction": [">="],
    ...                       "reference_direction": ["<="], "threshold": [0.2],
    ...                       "reference_threshold": [4.0]})
    >>> place_columns(frame, 2)
    {'Comparison': ['s100b ≥ 0.20 vs wfns ≤ 4']}
    """
    columns = {}
    for name in (name for name in LABELS if _is_label(frame, name)):
        if name in _DIRECTIONS:
            cells = _thresholds(frame, name, digits)
        elif name == "band_low":
            cells = _bands(frame, digits)
        elif name in RATES:
            cells = [
                "" if value != value else format_number(value, digits) for value in frame[name]
            ]
        elif name == "reader":
            cells = [reader_text(str(reader), alone=False) for reader in frame[name]]
        elif name in ("risk_threshold", "time"):
            cells = ["" if value != value else f"{value:g}" for value in frame[name]]
        elif name == "criterion":
            cells = [word.replace("-", " ") for word in frame[name]]
        else:
            cells = frame[name].fillna("").astype(str).tolist()
        if any(cells):
            columns[heading_of(frame, name)] = cells
    return _joined(frame, columns)


def heading_of(frame: pd.DataFrame, name: str) -> str:
    """Return the heading of a column that identifies a row; of groups, that of the study."""
    if name != "group":
        return LABELS[name]
    # The name of a user's column, which must not hide a column of ours.
    group: str = about_of(frame).get("group_label", LABELS["group"])
    return f"{group} (group)" if group in _TAKEN else group


def _is_label(frame: pd.DataFrame, name: str) -> bool:
    if name not in frame or (name in _SELDOM and frame[name].nunique() < 2):
        return False
    if name in _DIRECTIONS:
        # The 1 that stands for the positive result of a yes/no test is no cutoff.
        called = about_of(frame).get("yes_no", False) and (frame[name] == 1).all()
        return bool(frame[name].notna().any()) and not called and not _is_risk(frame, name)
    if name not in RATES:
        return True
    # At a threshold a rate is an estimate with a row of its own, not the place of the row.
    placed = frame[name].notna()
    placed &= frame["threshold"].isna() if "threshold" in frame else True
    if not placed.any():
        return False
    # A point on the curve has both rates: its place is the one that was given.
    both = all(rate in frame and frame.loc[placed, rate].notna().all() for rate in RATES)
    return not both or name in given_rates(frame[placed])


def _is_risk(frame: pd.DataFrame, name: str) -> bool:
    """Return whether thresholds are the risk thresholds that a column says, or treat all."""
    if "risk_threshold" not in frame:
        return False
    return bool(((frame[name] == frame["risk_threshold"]) | np.isneginf(frame[name])).all())


def _thresholds(frame: pd.DataFrame, name: str, digits: int) -> list[str]:
    direction = _DIRECTIONS[name]
    words = frame[direction] if direction in frame else [""] * len(frame)
    # Minus infinity: a rule that treats all, whose name says so.
    return [
        ""
        if math.isnan(value) or value == -math.inf
        else f"{SIGNS.get(str(word), '')}{threshold_text(value, digits)}"
        for value, word in zip(frame[name], words, strict=True)
    ]


def _bands(frame: pd.DataFrame, digits: int) -> list[str]:
    """Return ranges of scores, which hold their lower end."""
    cells = []
    for low, high in zip(frame["band_low"], frame["band_high"], strict=True):
        start, end = (threshold_text(value, digits) for value in (low, high))
        if math.isinf(low) or math.isinf(high):
            cells.append(f"≥ {start}" if math.isinf(high) else f"< {end}")
        else:
            cells.append(f"{start} to < {end}")
    return cells


def threshold_text(value: float, digits: int) -> str:
    """Return a threshold as text: a whole number as it is, others with five digits if need be."""
    if not math.isfinite(value) or value == round(value):
        return format_number(value, 0)
    enough = _DIGITS_OF_THRESHOLDS - 1 - math.floor(math.log10(abs(value)))
    exact = (d for d in range(digits, enough) if float(round_half_up(value, d)) == value)
    return format_number(value, next(exact, max(digits, enough)))


def _joined(frame: pd.DataFrame, columns: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the columns with one for both sides of a comparison of thresholds."""
    sides = [LABELS[name] for name in ("predictor", "threshold", "reference")]
    sides.append(LABELS["reference_threshold"])
    # The reference of a row may be another group: its threshold is then of the same predictor.
    known = "reference_direction" in frame and "group" not in frame
    if not known or any(side not in columns for side in sides):
        return columns
    parts = zip(*(columns[side] for side in sides), strict=True)
    compared = [f"{first} {cut} vs {second} {its}".rstrip() for first, cut, second, its in parts]
    rest = {head: cells for head, cells in columns.items() if head not in sides}
    return {COMPARISON: compared, **rest}
