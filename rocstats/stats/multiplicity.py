"""Adjustment of p values for the number of tests."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rocstats.sample.vectors import FloatArray

Adjustment = Literal["holm", "bonferroni", "none"]
ADJUSTMENTS = ("holm", "bonferroni", "none")


def adjust_p_values(p_values: FloatArray, adjust: Adjustment) -> FloatArray:
    """Return adjusted p values; NaN stay NaN and do not count as tests.

    Holm (1979): the i-th smallest of m p values times m - i + 1, made monotone.
    """
    adjusted = p_values.copy()
    tested = np.flatnonzero(np.isfinite(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    if adjust == "holm":
        steps = p_values[order] * np.arange(len(order), 0, -1)
        adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    elif adjust == "bonferroni":
        adjusted[order] = np.minimum(p_values[order] * len(order), 1.0)
    return adjusted
