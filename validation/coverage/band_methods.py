"""Containment and width of every kind of band, read at false positive rates from .01 to .99."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.estimate.band_record import (
    Band,
    BandRequest,
    largest_empirical_tpr_at_fpr,
    resamples_cannot_vary,
)
from rocstats.estimate.bands import BANDS, band_method
from rocstats.estimate.exact_bands import joint
from rocstats.estimate.resample import ResamplePlan, percentile_limits_of_draws
from rocstats.estimate.resample_curves import curve_draws
from rocstats.facts.arrays import FloatArray
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample
from validation.coverage.band_designs import BAND_CELLS, BandCell
from validation.coverage.bands import LEVEL, N_RESAMPLES, WIDTH_AT, contained
from validation.simulation import Simulation, columns_of, stream

TABLE = Path(__file__).with_name("bands.csv")
SEED = 20261121
REGION = (0.05, 0.95)
AS_PUBLISHED = "vertical-average, as published"
NAMES = (*(record.word for record in BANDS if record.published), AS_PUBLISHED)
"""Last, percentile limits that may have no width; the package has Wilson's in their place."""

_DESIGNS = ("binormal .80", "binormal .90 b=.6", "biexponential .80", "5 categories")
_ROUNDING = 1e-9

CELLS = tuple(cell for cell in BAND_CELLS if cell.set == "main" and cell.design in _DESIGNS)


def run_methods_cell(
    cell: BandCell, replicates: int, seed: int, names: Sequence[str] = NAMES
) -> list[dict[str, Any]]:
    """Return a row per band; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
    truth = np.interp(WIDTH_AT, *cell.law.curve())
    inside = (REGION[0] - _ROUNDING <= WIDTH_AT) & (REGION[1] + _ROUNDING >= WIDTH_AT)
    found: dict[str, list[tuple[bool, bool, float]]] = {name: [] for name in names}
    for number in range(replicates):
        sample = Sample(is_positive, cell.law.draw(rng, cell.n_pos, cell.n_neg))
        for name in names:
            places = inside if name == "regional" else np.ones(len(WIDTH_AT), dtype=bool)
            request = BandRequest(WIDTH_AT[places], LEVEL, ResamplePlan(N_RESAMPLES, number))
            found[name].append(_judged(_band(sample, name, request), truth[places]))
    return [
        {
            **columns_of(cell, "design n_pos n_neg"),
            "method": name,
            "replicates": replicates,
            "n_resamples": N_RESAMPLES,
            **contained(np.array(drawn)),
        }
        for name, drawn in found.items()
    ]


def _band(sample: Sample, name: str, request: BandRequest) -> Band:
    if name == AS_PUBLISHED:
        return _percentiles(sample.cases, request)
    kind = band_method(name)
    still = kind.resamples and not kind.has_floor and resamples_cannot_vary(sample.cases, 0)
    return (None if still else kind.make(sample.cases, 0, request)) or joint(
        sample.cases, 0, request
    )


def _percentiles(cases: ScoredCases, request: BandRequest) -> Band:
    draws = curve_draws(cases, 0, request.at, request.plan).values
    limits = percentile_limits_of_draws(draws, request.confidence_level)
    return Band(largest_empirical_tpr_at_fpr(cases, 0, request.at), *limits)


def _judged(band: Band, truth: FloatArray) -> tuple[bool, bool, float]:
    above = bool(np.any(band.low > truth + _ROUNDING))
    below = bool(np.any(band.high < truth - _ROUNDING))
    return above, below, float(np.mean(band.high - band.low))


SIMULATION = Simulation(
    table=TABLE,
    shows="Containment and width of every kind of band, from a false positive rate of .01 to .99.",
    cells=CELLS,
    rows=run_methods_cell,
    replicates=1000,
    seed=SEED,
    ends=("seed",),
)
read_methods = SIMULATION.read
