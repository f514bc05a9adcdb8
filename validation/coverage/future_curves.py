"""Whether a band holds the empirical curve of a new test set: widened, and as for the true curve.

Simulated scores, and features of the breast cancer data of scikit-learn: of its cases, split at
random within the classes, one part has the band and the other is the new test set.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.rotated import Rotation, turned_curve
from rocstats.estimate.resample import ResamplePlan, sup_quantile
from rocstats.estimate.resample_bands import rotated_sup_distances
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample
from validation.coverage.band_designs import MAIN

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
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.position,)))
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
        "source": cell.source,
        "design": cell.design,
        "replicates": replicates,
        "n_resamples": N_RESAMPLES,
        "unwidened": round(plain, 6),
        "unwidened_se": _error(plain, replicates),
        "widened": round(widened, 6),
        "widened_se": _error(widened, replicates),
        "seed": seed,
    }


def curve_distance(band: ScoreCounts, new: ScoreCounts) -> float:
    """Return the largest distance of two curves in the rotated coordinates of the first."""
    rotation = Rotation.of(band)
    one, other = (turned_curve(c.n_pos, c.n_neg, rotation) for c in (band, new))
    h = np.union1d(one[0], other[0])
    return float(np.abs(np.interp(h, *one) - np.interp(h, *other)).max())


def _size(sample: Sample) -> float:
    return sample.n_pos + sample.n_neg


def _error(share: float, replicates: int) -> float:
    return round(float(np.sqrt(share * (1 - share) / replicates)), 6)


def run_future(*, replicates: int, seed: int = SEED) -> pd.DataFrame:
    """Return the containment of new curves in all cells."""
    return pd.DataFrame([run_future_cell(cell, replicates, seed) for cell in FUTURE_CELLS])


def read_future() -> pd.DataFrame:
    """Return the committed simulation, a row per cell."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.coverage.future_curves", description=__doc__
    )
    parser.add_argument("--replicates", type=int, default=2000, help="pairs of test sets per cell")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each cell has a child")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run_future(replicates=asked.replicates, seed=asked.seed)
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(rows.to_string(index=False))


if __name__ == "__main__":
    main()
