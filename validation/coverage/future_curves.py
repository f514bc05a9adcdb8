"""Whether a band holds the empirical curve of a new test set: widened, and as for the true curve.

Simulated scores, and features of the breast cancer data of scikit-learn: of its cases, split at
random within the classes, one part has the band and the other is the new test set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.curves.rotated import Rotation, turned_curve
from rocstats.estimate.resample import ResamplePlan, sup_quantile
from rocstats.estimate.resample_bands import rotated_sup_distances
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample
from validation.coverage.band_designs import MAIN
from validation.simulation import Simulation, columns_of, share_error, stream

TABLE = Path(__file__).with_name("future_curves.csv")
SEED = 20261122
LEVEL = 0.95
N_RESAMPLES = 500
FEATURES = ("mean texture", "mean smoothness", "mean symmetry", "mean radius")

Pair = tuple[Sample, Sample]
"""The test set of the band, and the new one."""


@dataclass(frozen=True)
class FutureCell:
    """Where pairs of test sets come from; ``position`` is the key of the random numbers."""

    position: int
    source: str
    design: str
    pairs: Callable[[np.random.Generator], Iterator[Pair]]


def simulated(design: str, n_band: int, n_future: int) -> Callable[..., Iterator[Pair]]:
    """Return what draws pairs of test sets with so many cases of each class."""

    def pairs(rng: np.random.Generator) -> Iterator[Pair]:
        while True:
            drawn = [MAIN[design].draw(rng, n, n) for n in (n_band, n_future)]
            both = [Sample(np.repeat([True, False], len(s) // 2), s) for s in drawn]
            yield both[0], both[1]

    return pairs


def breast_cancer(feature: str, share: float) -> Callable[..., Iterator[Pair]]:
    """Return what splits the data, a share of each class for the band; malignant is positive."""

    def pairs(rng: np.random.Generator) -> Iterator[Pair]:
        malignant, score = _feature(feature)
        while True:
            first = _split(rng, malignant, share)
            yield Sample(malignant[first], score[first]), Sample(malignant[~first], score[~first])

    return pairs


def _feature(name: str) -> tuple[BoolArray, FloatArray]:
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    return data.target == 0, data.data[:, list(data.feature_names).index(name)]


def _split(rng: np.random.Generator, malignant: BoolArray, share: float) -> BoolArray:
    first = np.zeros(len(malignant), dtype=bool)
    for label in (True, False):
        rows = np.flatnonzero(malignant == label)
        first[rng.permutation(rows)[: round(share * len(rows))]] = True
    return first


def _cells() -> tuple[FutureCell, ...]:
    named = [
        ("simulated", f"binormal .80, {n} and {m} a class", simulated("binormal .80", n, m))
        for n, m in ((100, 100), (100, 400), (100, 50), (400, 400))
    ]
    named += [
        ("breast cancer", f"{name}, {share:.0%} for the band", breast_cancer(name, share))
        for name in FEATURES
        for share in (0.5, 0.25)
    ]
    return tuple(FutureCell(position, *cell) for position, cell in enumerate(named))


FUTURE_CELLS = _cells()


def run_future_cell(cell: FutureCell, replicates: int, seed: int) -> dict[str, Any]:
    """Return the containment of new curves by the band as it is, and widened."""
    rng = stream(seed, cell.position)
    held = np.zeros((replicates, 2), dtype=bool)
    pairs = cell.pairs(rng)
    for number in range(replicates):
        band, new = next(pairs)
        d = sup_quantile(
            rotated_sup_distances(band.cases, 0, ResamplePlan(N_RESAMPLES, number)), LEVEL
        )
        wider = d * np.sqrt(1 + _size(band) / _size(new))
        distance = curve_distance(band.cases.counts(0), new.cases.counts(0))
        held[number] = distance <= d, distance <= wider
    plain, widened = (float(share) for share in held.mean(axis=0))
    return {
        **columns_of(cell, "source design"),
        "replicates": replicates,
        "n_resamples": N_RESAMPLES,
        "unwidened": round(plain, 6),
        "unwidened_se": share_error(plain, replicates),
        "widened": round(widened, 6),
        "widened_se": share_error(widened, replicates),
    }


def curve_distance(band: ScoreCounts, new: ScoreCounts) -> float:
    """Return the largest distance of two curves in the rotated coordinates of the first."""
    rotation = Rotation.of(band)
    one, other = (turned_curve(c.n_pos, c.n_neg, rotation) for c in (band, new))
    h = np.union1d(one[0], other[0])
    return float(np.abs(np.interp(h, *one) - np.interp(h, *other)).max())


def _size(sample: Sample) -> float:
    return sample.n_pos + sample.n_neg


SIMULATION = Simulation(
    table=TABLE,
    shows="Whether a band holds the empirical curve of a new test set, widened and as it is.",
    cells=FUTURE_CELLS,
    rows=run_future_cell,
    replicates=2000,
    seed=SEED,
    ends=("seed",),
)
read_future = SIMULATION.read
