"""The band of the package rocci, a peer of the simulation of bands: its studentised envelope.

rocci is no dependency of the package or its tests: ``pip install ".[peers]"``.
"""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass

import numpy as np

from rocstats.sample.vectors import BoolArray, FloatArray

LEVEL = 0.95
N_RESAMPLES = 1000
"""Fewer than rocci's default of 2000, with which its band is wider."""

WIDTH_AT = np.arange(1, 100) / 100
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
