"""Answers about binned scores: limits that hold for the answer from all scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rocstats.frames.making import Labels
from rocstats.frames.questions import BINNING_ERROR

FloatArray = npt.NDArray[np.float64]

NOTE = "binned-scores"
# Quantities that are no rates or areas, with their least and greatest values.
_RANGES = {
    **dict.fromkeys(("youden", "mcc", "kappa"), (-1.0, 1.0)),
    **dict.fromkeys(
        ("lr_positive", "lr_negative", "odds_ratio", "expected_cost", "distance"), (0.0, np.inf)
    ),
    **dict.fromkeys(
        ("net_benefit", "standardized_net_benefit", "interventions_avoided"), (-np.inf, 1.0)
    ),
    "number_needed_to_diagnose": (1.0, np.inf),
    "threshold": (-np.inf, np.inf),
}


def widened_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with limits widened by its ``binning_error``, and the note that says so."""
    error = float(row[BINNING_ERROR])
    if not error > 0:
        return dict(row)
    low, high = widened(
        np.array([row.get("ci_low", np.nan)]), np.array([row.get("ci_high", np.nan)]),
        np.array([error]), np.array([_range(row)]),
    )  # fmt: skip
    note = [*row["note"], NOTE]
    return {**row, "ci_low": float(low[0]), "ci_high": float(high[0]), "note": note}


def widened_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of an answer with limits widened by ``binning_error``, and the note."""
    found, error = dict(columns), np.asarray(columns[BINNING_ERROR], dtype=np.float64)
    for low, high in (("ci_low", "ci_high"), ("tpr_low", "tpr_high")):
        if low in found:
            ends = _ranges(found.get("quantity"), len(error))
            found[low], found[high] = widened(found[low], found[high], error, ends)
    if "note" in found:
        found["note"] = _noted(found["note"], error > 0)
    return found


def widened(
    low: FloatArray, high: FloatArray, error: FloatArray, ends: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return limits moved outwards by an error, to the ends (n x 2) of their quantity at most."""
    error = np.where(error > 0, error, 0.0)
    # Limits of the quantity's own method may lie at its ends: an infinite end stays.
    with np.errstate(invalid="ignore"):
        wide_low = np.fmin(np.maximum(low - error, ends[:, 0]), low)
        wide_high = np.fmax(np.minimum(high + error, ends[:, 1]), high)
    return np.where(np.isnan(low), low, wide_low), np.where(np.isnan(high), high, wide_high)


def _range(row: Mapping[str, Any]) -> tuple[float, float]:
    """Return the least and the greatest value of a row: its own ``ends``, or by quantity."""
    ends: tuple[float, float] = row.get("ends") or _RANGES.get(row["quantity"], (0.0, 1.0))
    return ends


def _ranges(quantities: Labels | None, n: int) -> FloatArray:
    if quantities is None:
        return np.tile([0.0, 1.0], (n, 1))
    ends = np.array([_RANGES.get(word, (0.0, 1.0)) for word in quantities.labels])
    return np.asarray(ends[quantities.codes])


def _noted(notes: Labels, where: npt.NDArray[np.bool_]) -> Labels:
    """Return notes with that of binned scores at some places."""
    labels = list(notes.labels)
    more = [f"{label}; {NOTE}" if label else NOTE for label in labels]
    return Labels([*labels, *more], notes.codes + len(labels) * np.asarray(where, dtype=np.intp))
