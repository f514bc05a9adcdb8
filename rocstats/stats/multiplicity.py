"""Adjustment of p values for the number of tests."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rocstats.sample.vectors import FloatArray

Adjustment = Literal["holm", "bonferroni", "none"]
ADJUSTMENTS = ("holm", "bonferroni", "none")


def adjust_p_values(p_values: FloatArray, adjust: Adjustment) -> FloatArray:
    """Return adjusted p values; NaN stay NaN and do not count as tests."""
    adjusted = p_values.copy()
    tested = np.isfinite(p_values)
    if adjust != "none" and tested.any():
        from statsmodels.stats.multitest import multipletests

        adjusted[tested] = multipletests(p_values[tested], method=adjust)[1]
    return adjusted
