"""The counts behind the rates of a table, as far as its frame holds them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocstats.frames.words import RowLike
from rocstats.present.styles import style_of
from rocstats.present.text import format_count
from rocstats.tolerances import SAME

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEEDED = ("tp", "fp", "n_pos", "n_neg")


def table_of(row: RowLike) -> dict[str, int] | None:
    """Return the true and false calls behind a row, None unless they are whole and known.

    Parameters
    ----------
    row : pandas.Series or dict
        Row of an estimate frame.

    Returns
    -------
    dict of str to int, or None
        "TP", "FN", "FP" and "TN".

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.fractions import table_of
    >>> table_of(pd.Series({"tp": 14, "fp": 8, "n_pos": 20, "n_neg": 30}))
    {'TP': 14, 'FN': 6, 'FP': 8, 'TN': 22}
    """
    counts = [float(row.get(name, math.nan)) for name in _NEEDED]
    # Sums of weights, and points between two thresholds, are no numbers of cases.
    if not all(math.isfinite(count) and count == round(count) for count in counts):
        return None
    tp, fp, n_pos, n_neg = map(round, counts)
    return {"TP": tp, "FN": n_pos - tp, "FP": fp, "TN": n_neg - fp}


def fraction_text(row: RowLike, style: str) -> str:
    """Return the fraction that a rate is, "26/41"; "" where the counts do not give the rate."""
    table, name = table_of(row), str(row.get("quantity"))
    if table is None or name not in _SHARES:
        return ""
    # With a correction, the fraction is that of the apparent value.
    apparent = row.get("apparent", math.nan)
    rate = row["estimate"] if math.isnan(apparent) else apparent
    part, whole = (sum(table[cell] for cell in cells.split()) for cells in _SHARES[name])
    # A mean over folds, or a predictive value at another prevalence, is another number.
    if whole == 0 or not abs(part / whole - rate) < SAME:
        return ""
    return f"{format_count(part)}{style_of(style).fraction}{format_count(whole)}"


_SHARES: Mapping[str, tuple[str, str]] = {
    "tpr": ("TP", "TP FN"),
    "ppa": ("TP", "TP FN"),
    "fnr": ("FN", "TP FN"),
    "tnr": ("TN", "TN FP"),
    "npa": ("TN", "TN FP"),
    "fpr": ("FP", "TN FP"),
    "ppv": ("TP", "TP FP"),
    "npv": ("TN", "TN FN"),
    "accuracy": ("TP TN", "TP FN FP TN"),
    "overall_agreement": ("TP TN", "TP FN FP TN"),
}
