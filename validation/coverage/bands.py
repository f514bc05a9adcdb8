"""Containment of the whole true curve by the rotated bands, by the package's own code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rocstats.curves.areas import area
from rocstats.curves.rotated import (
    Rotation,
    tpr_limits_of_fixed_width_band,
    tpr_limits_of_rotated_band,
    turned_curve,
)
from rocstats.estimate.exact_bands import kolmogorov_joint_band_limits
from rocstats.estimate.resample import ResamplePlan, sup_quantile
from rocstats.estimate.resample_bands import rotated_sup_distances
from rocstats.estimate.smoothed_band import smoothed_score_limits
from rocstats.facts.arrays import FloatArray
from rocstats.study.sample import Sample
from validation.bounds import too_low
from validation.coverage.band_designs import BAND_CELLS, BandCell
from validation.simulation import Bound, Simulation, columns_of, share_error, stream

TABLE = Path(__file__).with_name("bands_rotated.csv")
SEED = 20261120
LEVEL = 0.95
N_RESAMPLES = 400
METHODS = ("fixed-width", "smoothed-score")
WIDTH_AT = np.arange(1, 100) / 100
_PLACES = 1601
_ROUNDING = 1e-9


class Truth:
    """The true curve of a cell in rotated coordinates, at fine places."""

    def __init__(self, cell: BandCell) -> None:
        self.rotation = Rotation(float(np.sqrt(cell.n_pos)), float(np.sqrt(cell.n_neg)))
        fpr, tpr = cell.law.curve()
        self.h, self.lam = self.rotation.turn(fpr, tpr)
        self.tpr = np.interp(WIDTH_AT, fpr, tpr)
        self.at = np.linspace(0, self.rotation.h_max, _PLACES)
        self.lam_at = np.interp(self.at, self.h, self.lam)

    def outside(self, h: FloatArray, low: FloatArray, high: FloatArray) -> tuple[bool, bool]:
        """Return whether the lower limit is above the curve, and the upper one below it."""
        low, high = (np.interp(self.at, h, self.rotation.clip(h, lam)) for lam in (low, high))
        rounding = 1e-9
        return bool(np.any(low > self.lam_at + rounding)), bool(
            np.any(high < self.lam_at - rounding)
        )


def run_band_cell(cell: BandCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per band; the random numbers depend on nothing but the cell and the seed.

    Samples with an area of 0 or 1 have the joint band, as ``roc_band`` gives it; ``degenerate``
    counts them.
    """
    rng = stream(seed, cell.position)
    is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
    truth = Truth(cell)
    found: dict[str, list[tuple[bool, bool, float]]] = {name: [] for name in METHODS}
    degenerate = 0
    for number in range(replicates):
        sample = Sample(is_positive, cell.law.draw(rng, cell.n_pos, cell.n_neg))
        if area(sample.cases.counts(0)) in (0.0, 1.0):
            degenerate += 1
            joint = _joint(sample, truth)
            for drawn in found.values():
                drawn.append(joint)
            continue
        found["fixed-width"].append(_fixed_width(sample, truth, number))
        found["smoothed-score"].append(_smoothed(sample, truth, number))
    return [
        {
            **columns_of(cell, "set design n_pos n_neg"),
            "method": name,
            "replicates": replicates,
            "degenerate": degenerate,
            "n_resamples": N_RESAMPLES,
            **contained(np.array(drawn, dtype=np.float64)),
        }
        for name, drawn in found.items()
    ]


def _fixed_width(sample: Sample, truth: Truth, number: int) -> tuple[bool, bool, float]:
    counts = sample.cases.counts(0)
    half_width = sup_quantile(
        rotated_sup_distances(sample.cases, 0, ResamplePlan(N_RESAMPLES, number)), LEVEL
    )
    h, lam = turned_curve(counts.n_pos, counts.n_neg, truth.rotation)
    low, high = tpr_limits_of_fixed_width_band(counts, truth.rotation, half_width, WIDTH_AT)
    above = lam - half_width, lam + half_width
    places = np.interp(truth.at, h, lam)
    miss_low = bool(np.any(places - half_width > truth.lam_at))
    miss_high = bool(np.any(places + half_width < truth.lam_at))
    at_vertices = np.interp(h, truth.h, truth.lam)
    miss_low |= bool(np.any(above[0] > at_vertices))
    miss_high |= bool(np.any(above[1] < at_vertices))
    return miss_low, miss_high, float(np.mean(high - low))


def _joint(sample: Sample, truth: Truth) -> tuple[bool, bool, float]:
    low, high = kolmogorov_joint_band_limits(sample.cases.counts(0), WIDTH_AT, LEVEL)
    above = bool(np.any(low > truth.tpr + _ROUNDING))
    return above, bool(np.any(high < truth.tpr - _ROUNDING)), float(np.mean(high - low))


def _smoothed(sample: Sample, truth: Truth, number: int) -> tuple[bool, bool, float]:
    limits = smoothed_score_limits(sample.cases, 0, LEVEL, ResamplePlan(N_RESAMPLES, number))
    if limits is None:
        raise ArithmeticError("resamples of a sample that is not degenerate do not vary")
    low, high = tpr_limits_of_rotated_band(truth.rotation, *limits, WIDTH_AT)
    return *truth.outside(*limits), float(np.mean(high - low))


def contained(drawn: FloatArray) -> dict[str, float]:
    """Return how often a band holds the truth; rows are misses below, above, and the width."""
    share = float(np.mean((drawn[:, 0] == 0) & (drawn[:, 1] == 0)))
    return {
        "containment": round(share, 6),
        "se": share_error(share, len(drawn)),
        "miss_low": round(float(drawn[:, 0].mean()), 6),
        "miss_high": round(float(drawn[:, 1].mean()), 6),
        "mean_width": round(float(drawn[:, 2].mean()), 6),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Containment of the whole true curve by both rotated bands.",
    cells=BAND_CELLS,
    rows=run_band_cell,
    replicates=2000,
    seed=SEED,
    bounds=(Bound("containment", too_low, LEVEL),),
    ends=("seed", "shortfall"),
)
read_bands = SIMULATION.read
