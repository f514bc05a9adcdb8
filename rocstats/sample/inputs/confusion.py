"""A confusion table as rows with frequencies."""

from __future__ import annotations

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray


def confusion_rows(
    *, tp: float, fn: float, fp: float, tn: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return labels, scores (1 = called positive) and frequencies of the four cells."""
    for name, count in {"tp": tp, "fn": fn, "fp": fp, "tn": tn}.items():
        if not (np.isfinite(count) and count >= 0 and count == np.floor(count)):
            raise InputError(
                f"`{name}` must be a whole number >= 0; got {count!r}. Pass the count of cases."
            )
    labels = np.array([1.0, 1.0, 0.0, 0.0])
    scores = np.array([1.0, 0.0, 1.0, 0.0])
    return labels, scores, np.array([tp, fn, fp, tn], dtype=np.float64)
