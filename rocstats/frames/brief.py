"""What a reader looks for in a frame: which columns tell something, and how far to round them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.frames.about import About
from rocstats.frames.glossary import GLOSSARY
from rocstats.frames.words import quantity_text, rows_of

# The answer of a row, shown even where all rows agree, or where there is one row only.
ANSWER = frozenset(
    [
        *("predictor", "modality", "reference", "group", "reader", "quantity"),
        *("estimate", "ci_low", "ci_high", "p_value", "note"),
    ]
)
P_VALUES = ("p_value", "p_adjusted")
_TOGETHER = ("estimate", "ci_low", "ci_high")
_RANGE = ("range_axis", "range_low", "range_high")


def chosen(frame: pd.DataFrame, digits: int) -> pd.DataFrame:
    """Return ``brief`` of a frame, as a plain frame."""
    full = [name for name in frame.columns if not _is_empty(frame[name])]
    # One row without an estimate, as of a plan or a global test, has its answer in other columns.
    whole = len(frame) == 1 and "estimate" not in full
    kept = [name for name in full if whole or name in ANSWER or _varies(frame[name])]
    if "quantity" in kept:  # whose words say the range
        kept = [name for name in kept if name not in _RANGE]
    shown = pd.DataFrame({name: _shown(frame, name, digits) for name in kept}, index=frame.index)
    left_out = {name: _constant(frame[name]) for name in frame.columns if name not in kept}
    told = {"digits": digits, "left_out": left_out}
    shown.attrs["rocstats"] = About(frame.attrs.get("rocstats", {}), **told)
    return shown


def _varies(column: pd.Series) -> bool:
    return column.nunique(dropna=False) > 1


def _is_empty(column: pd.Series) -> bool:
    missing = column.isna()
    # Numbers are not compared with a text: a million of them would be made objects.
    return bool((missing if column.dtype.kind in "biuf" else missing | (column == "")).all())


def _constant(column: pd.Series) -> str | float | None:
    """Return the value of all rows; None where there is none, or where rows differ."""
    if _is_empty(column) or _varies(column):
        return None
    value = column.iloc[0]
    return value if isinstance(value, str) else float(value)


def _shown(frame: pd.DataFrame, name: str, digits: int) -> pd.Series:
    """Return a column in words, or rounded."""
    if name == "quantity":
        return _quantities(frame)
    column = frame[name]
    if not is_real(name):
        return column
    values = column.to_numpy(dtype=np.float64)
    if name in P_VALUES:
        return pd.Series(_rounded_p(values, digits), index=frame.index)
    rounded, decimals = values.copy(), decimals_of(frame, name, digits)
    for places in np.unique(decimals):
        rows = decimals == places
        rounded[rows] = np.round(values[rows], places) + 0.0  # -0 is 0
    return pd.Series(rounded, index=frame.index)


def is_real(name: str) -> bool:
    """Return whether a column holds numbers that are no counts."""
    return name in GLOSSARY and GLOSSARY[name].kind == "real"


def decimals_of(frame: pd.DataFrame, name: str, digits: int) -> npt.NDArray[np.intp]:
    """Return the decimals of each row: rows of one unit have the same.

    Units of up to .01 to 10 have ``digits`` decimals, smaller ones as many digits in all, larger
    ones one decimal less for each place before the point.
    """
    # An estimate and its limits are read together: they have the decimals of the largest.
    together = [other for other in _TOGETHER if other in frame] if name in _TOGETHER else [name]
    sizes = frame[together].astype(np.float64).abs()
    size = sizes.where(np.isfinite(sizes) & (sizes > 0)).max(axis=1)
    units = _units(frame, name)
    largest = size.groupby(units, sort=False).transform("max") if units else size * 0 + size.max()
    place = np.floor(np.log10(largest.fillna(1.0).to_numpy())).astype(np.intp)
    decimals = np.where((place >= -2) & (place <= 0), digits, digits - place - (place < 0))
    return np.maximum(decimals, 0)


def _units(frame: pd.DataFrame, name: str) -> list[pd.Series]:
    """Return what tells rows of different units apart: their quantity, and whose score it is."""
    names = [key for key in ("predictor", "quantity") if key in frame]
    if "threshold" in name:
        names = names[:1]
    units = [frame[key] for key in names]
    if len(units) == 2:  # a threshold is in units of its score, other quantities of all are alike
        units[0] = units[0].where(units[1].str.casefold() == "threshold", "")
    return units


def _quantities(frame: pd.DataFrame) -> pd.Series:
    """Return the quantity of each row in words."""
    names = [name for name in ("quantity", "reference", *_RANGE) if name in frame]
    # Many rows say the same: the words are made once for each combination.
    number = frame.groupby(names, sort=False, dropna=False).ngroup()
    each = [quantity_text(row) for row in rows_of(frame[names].drop_duplicates())]
    return number.map(dict(enumerate(each)))


def _rounded_p(values: npt.NDArray[np.float64], digits: int) -> npt.NDArray[np.float64]:
    """Return P values with ``digits`` decimals; one digit of those that would be 0."""
    rounded = np.round(values, digits)
    for i in np.flatnonzero((rounded == 0) & (values > 0)):
        rounded[i] = float(f"{values[i]:.0e}")
    return rounded
