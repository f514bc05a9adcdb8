"""The band of the package rocci, a peer of the simulation of bands: its studentised envelope.

rocci is no dependency of the package or its tests: ``pip install ".[peers]"``.
"""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.facts.arrays import BoolArray, FloatArray
from validation.coverage.band_designs import BAND_CELLS, BandCell
from validation.coverage.bands import LEVEL, SEED, WIDTH_AT, contained
from validation.simulation import Simulation, columns_of, stream

TABLE = Path(__file__).with_name("bands_rocci.csv")
N_RESAMPLES = 1000
"""Fewer than rocci's default of 2000, with which its band is wider."""

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Envelope:
    """Limits of the TPR at the FPRs that rocci takes: min(512, n_neg + 1) even ones from 0 to 1."""

    fpr: FloatArray
    low: FloatArray
    high: FloatArray


def envelope(is_positive: BoolArray, scores: FloatArray, seed: int) -> Envelope:
    """Return rocci's band for one sample, its resamples drawn by ``seed`` in one thread."""
    try:
        rocci = importlib.import_module("rocci")
    except ImportError as missing:
        raise ModuleNotFoundError(
            'rocci is a peer that has to be installed: pip install ".[peers]"'
        ) from missing
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ties and of small samples
        band = rocci.roc_band(
            is_positive.astype(int),
            scores,
            confidence=LEVEL,
            n_boot=N_RESAMPLES,
            random_state=seed,
            n_threads=1,
        )
    return Envelope(band.fpr, band.lower, band.upper)


def compare_with_truth(
    band: Envelope, fpr: FloatArray, tpr: FloatArray
) -> tuple[bool, bool, float]:
    """Return whether the lower limit is above the true curve, the upper one below; the mean width.

    The true curve goes through points (``fpr``, ``tpr``). It is looked at where the band is given,
    from .01 to .99, and the width is linear between: steps would miss more, and be wider.
    """
    counted = (band.fpr >= WIDTH_AT[0] - _ROUNDING) & (band.fpr <= WIDTH_AT[-1] + _ROUNDING)
    truth = np.interp(band.fpr[counted], fpr, tpr)
    above = bool(np.any(band.low[counted] > truth + _ROUNDING))
    below = bool(np.any(band.high[counted] < truth - _ROUNDING))
    return above, below, float(np.mean(np.interp(WIDTH_AT, band.fpr, band.high - band.low)))


def run_rocci_cell(cell: BandCell, replicates: int, seed: int) -> dict[str, Any]:
    """Return the row of one cell: the first samples are those of the simulation of our bands."""
    rng = stream(seed, cell.position)
    is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
    truth = cell.law.curve()
    judged = []
    for number in range(replicates):
        scores = cell.law.draw(rng, cell.n_pos, cell.n_neg)
        judged.append(compare_with_truth(envelope(is_positive, scores, number), *truth))
    drawn = np.array(judged, dtype=np.float64)
    return {
        **columns_of(cell, "set design n_pos n_neg"),
        "method": "rocci envelope",
        "replicates": replicates,
        "n_resamples": N_RESAMPLES,
        **contained(drawn),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Containment of the true curve by the studentised envelope of the package rocci.",
    cells=BAND_CELLS,
    rows=run_rocci_cell,
    replicates=300,
    seed=SEED,
    ends=("seed",),
)
