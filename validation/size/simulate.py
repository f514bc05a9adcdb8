"""How often the tests reject a null hypothesis that holds: the package's own frames are asked."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

import rocstats as rs
from rocstats.estimate.two_by_two import TableTest
from rocstats.inference.chance.areas import ChanceMethod
from validation.bounds import too_high
from validation.simulation import Bound, Simulation, columns_of, share_error, stream

TABLE = Path(__file__).with_name("size.csv")
LEVEL = 0.05
N_PERMUTATIONS = 199
N_CANDIDATES = 5

Design = Literal["same-law", "same-law-tied", "unequal-spread"]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """One null hypothesis: both classes N(0, 1), in five categories if tied, or sd 2 and 1.

    ``position`` is the cell's place in ``CELLS`` and the key of its random numbers.
    """

    position: int
    design: Design
    n_pos: int
    n_neg: int

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """Labels, the positives first."""
        return np.repeat([1, 0], [self.n_pos, self.n_neg])

    @property
    def middle(self) -> float:
        """A threshold fixed beforehand, where tpr = fpr in every design."""
        return 2.0 if self.design == "same-law-tied" else 0.0

    def draw(self, rng: np.random.Generator, number: int) -> Matrix:
        """Return scores, a column per data set."""
        scores = rng.standard_normal((self.n_pos + self.n_neg, number))
        if self.design == "unequal-spread":
            scores[: self.n_pos] *= 2
        if self.design == "same-law-tied":
            return np.searchsorted([-0.84, -0.25, 0.25, 0.84], scores).astype(np.float64)
        return scores


SIZES = ((5, 5), (10, 10), (20, 20), (10, 50), (50, 10), (50, 50))
_LAWS: list[tuple[Design, tuple[int, int]]] = [
    *(("same-law", sizes) for sizes in SIZES),
    *(("same-law-tied", sizes) for sizes in SIZES),
    *(("unequal-spread", sizes) for sizes in SIZES[1:]),
]
CELLS = tuple(Cell(i, design, *sizes) for i, (design, sizes) in enumerate(_LAWS))


def rank_p_values(cell: Cell, scores: Matrix) -> dict[str, Matrix]:
    """Return the p values of the tests of an area: data sets are predictors of one study."""
    study = rs.Study(cell.labels, scores)
    methods: tuple[ChanceMethod, ...] = ("exact", "mid-p", "asymptotic", "brunner-munzel")
    found: dict[str, Matrix] = {
        method: _p(study.versus_random(method=method)) for method in methods
    }
    shuffled: dict[str, Any] = {"method": "permutation", "n_resamples": N_PERMUTATIONS}
    found["permutation/auc"] = _p(study.versus_random(**shuffled, rng=cell.position))
    found["permutation/youden"] = _p(
        study.versus_random(
            **shuffled, statistic="youden", alternative="greater", rng=cell.position
        )
    )
    return found


def best_p_values(cell: Cell, scores: Matrix) -> Matrix:
    """Return the p values of the best of several predictors, successive columns of scores."""
    study = rs.Study(cell.labels, scores)
    frame = study.versus_random(method="exact", alternative="greater", n_candidates=N_CANDIDATES)
    return np.asarray(_p(frame).reshape(-1, N_CANDIDATES).min(axis=1))


def band_p_values(cell: Cell, scores: Matrix) -> Matrix:
    """Return 0 where a curve touches the simultaneous band of random scorers, else 1."""
    study = rs.Study(cell.labels, scores)
    curve = study.roc_curve()
    distance = (curve["tpr"] - curve["fpr"]).abs()
    largest = distance.groupby(curve["predictor"], sort=False).max().to_numpy()
    band = rs.Study(cell.labels, scores[:, 0]).random_band(scope="simultaneous")
    height = float((band["tpr_high"] - band["fpr"]).max())
    return np.asarray(largest < height - 1e-9, dtype=np.float64)


def point_p_values(cell: Cell, scores: Matrix) -> dict[str, Matrix]:
    """Return the p values of the tests of one point, at a threshold fixed beforehand."""
    called = scores >= cell.middle
    tables = list(
        zip(
            called[: cell.n_pos].sum(axis=0).tolist(),
            called[cell.n_pos :].sum(axis=0).tolist(),
            strict=True,
        )
    )
    tests: tuple[TableTest, ...] = ("fisher", "mid-p", "boschloo")
    return {
        f"point/{test}": np.array(
            [_point(tp, fp, cell.n_pos, cell.n_neg, test) for tp, fp in tables]
        )
        for test in tests
    }


@lru_cache(maxsize=100_000)
def _point(tp: int, fp: int, n_pos: int, n_neg: int, test: TableTest) -> float:
    study = rs.Study.from_confusion(tp=tp, fn=n_pos - tp, fp=fp, tn=n_neg - fp)
    return float(_p(study.operating_points_versus_random(threshold=1, method=test))[0])


def best_distance(X: Matrix, y: npt.NDArray[np.int64]) -> float:
    """Return the largest distance between class means over the features: a pipeline."""
    positive = y == 1
    return float(np.abs(X[positive].mean(axis=0) - X[~positive].mean(axis=0)).max())


def pipeline_p_values(cell: Cell, scores: Matrix) -> Matrix:
    """Return the p values of a pipeline that selects one of several predictors."""
    tried = np.split(scores, scores.shape[1] // N_CANDIDATES, axis=1)
    return np.array(
        [
            _p(rs.permute_pipeline(best_distance, X, cell.labels, n_resamples=99, rng=number))[0]
            for number, X in enumerate(tried)
        ]
    )


def _p(frame: pd.DataFrame) -> Matrix:
    return frame["p_value"].to_numpy()


def p_values(cell: Cell, replicates: int, seed: int) -> dict[str, Matrix]:
    """Return the p values of every test that makes sense in a cell."""
    rng = stream(seed, cell.position)
    scores = cell.draw(rng, replicates)
    found = rank_p_values(cell, scores) | point_p_values(cell, scores)
    if cell.design != "unequal-spread":
        found["band/simultaneous"] = band_p_values(cell, scores)
        tried = cell.draw(rng, replicates * N_CANDIDATES)
        found[f"best-of-{N_CANDIDATES}"] = best_p_values(cell, tried)
        if cell.design == "same-law" and max(cell.n_pos, cell.n_neg) <= 20:
            found["pipeline"] = pipeline_p_values(cell, tried)
    return found


def run_cell(cell: Cell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        found = p_values(cell, replicates, seed)
    return [
        {
            **columns_of(cell, "design n_pos n_neg"),
            "test": test,
            "replicates": replicates,
            **_tally(p),
        }
        for test, p in found.items()
    ]


def _tally(p: Matrix) -> dict[str, float]:
    size = float(np.mean(p <= LEVEL + 1e-12))
    return {"size": size, "se": share_error(size, len(p))}


SIMULATION = Simulation(
    table=TABLE,
    shows="How often tests against chance reject where the area is one half.",
    cells=CELLS,
    rows=run_cell,
    replicates=4000,
    seed=20040316,
    bounds=(Bound("size", too_high, LEVEL),),
    ends=("seed", "shortfall"),
)
