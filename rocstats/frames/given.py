"""Which of its two rates a point on a curve was asked at."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

RATES = ("fpr", "tpr")
# What is fixed, not estimated, where one of the rates is given.
_FIXED = {"fpr": {"fpr", "tnr"}, "tpr": {"tpr", "fnr"}}


def given_rates(frame: pd.DataFrame) -> Sequence[str]:
    """Return the rate that was given at points on curves; both where no row of the frame tells."""
    notes = frame["note"].fillna("") if "note" in frame else pd.Series("", frame.index)
    fixed = set(frame.loc[notes.str.contains("given-rate"), "quantity"])
    given = [rate for rate, names in _FIXED.items() if fixed & names]
    return given if len(given) == 1 else RATES
