"""Size, power and coverage of the comparisons of areas.

Each replicate is one study of two predictors, asked by every method through the package's own code.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.claim import (
    ComparisonPlan,
    DifferenceInterval,
    HypothesisPlan,
    read_hypothesis,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.auc.compare import (
    compared_areas_with_covariance,
    infer_area_difference,
    plan_area_difference_rows,
)
from rocstats.study.sample import Sample
from validation.bounds import too_high
from validation.coverage.designs import area_of_categories
from validation.simulation import Bound, Simulation, share_error, stream

TABLE = Path(__file__).with_name("differences.csv")
SEED = 19880901
N_PERMUTATIONS = 999
N_RESAMPLES = 500
QUINTILES = (0.2, 0.4, 0.6, 0.8)
Matrix = npt.NDArray[np.float64]

CLOSED = {
    "delong": ("delong", "pearson"),
    "permutation-asymptotic": ("permutation-asymptotic", "pearson"),
    "bootstrap": ("bootstrap", "pearson"),
    "hanley-mcneil-pearson": ("hanley-mcneil", "pearson"),
    "hanley-mcneil-kendall": ("hanley-mcneil", "kendall"),
}


@dataclass(frozen=True)
class DifferenceCell:
    """Two predictors: negatives N(0, 1), positives N(shift, sd^2), correlated inside each class.

    ``position`` is the key of the random numbers. ``margin`` makes the test one of non-inferiority
    at it; ``across`` puts the predictors on different cases; ``cluster_size`` cases share half of
    their variance; ``high`` below 1 makes the areas partial ones.
    """

    position: int
    set: str
    n_pos: int
    n_neg: int
    aucs: tuple[float, float]
    correlation: float
    sds: tuple[float, float] = (1.0, 1.0)
    categories: bool = False
    margin: float | None = None
    across: str = "predictors"
    cluster_size: int = 1
    high: float = 1.0

    @property
    def over(self) -> AreaRange:
        """The range of the areas."""
        return FULL_RANGE if self.high == 1 else AreaRange("fpr", 0.0, self.high)

    @property
    def is_positive(self) -> npt.NDArray[np.bool_]:
        """Class of each case, the positives first."""
        return np.repeat([True, False], [self.n_pos, self.n_neg])

    @property
    def shifts(self) -> list[float]:
        """Means of the positives."""
        return [
            float(np.hypot(1, sd) * ndtri(auc)) for auc, sd in zip(self.aucs, self.sds, strict=True)
        ]

    @property
    def cuts(self) -> Matrix:
        """Cuts between the categories of either predictor: quintiles half way to the positives."""
        return np.asarray(ndtri(QUINTILES) + np.array(self.shifts)[:, np.newaxis] / 2)

    @property
    def truth(self) -> float:
        """True difference, of the areas of the categories where there are some."""
        areas = [self._area(k) for k in (0, 1)]
        return areas[0] - areas[1]

    def draw(self, rng: np.random.Generator, replicates: int) -> Matrix:
        """Return replicates x 2 x cases scores."""
        n = self.n_pos + self.n_neg
        normal = rng.standard_normal((replicates, 3, n))
        if self.cluster_size > 1:
            # The first case of each cluster lends the others half of the variance.
            first = np.arange(n) // self.cluster_size * self.cluster_size
            shared = rng.standard_normal((replicates, 3, n))[..., first]
            normal = np.sqrt(0.5) * (normal + shared)
        r = self.correlation
        scores = np.sqrt(r) * normal[:, :1] + np.sqrt(1 - r) * normal[:, 1:]
        for k, (shift, sd) in enumerate(zip(self.shifts, self.sds, strict=True)):
            scores[:, k, : self.n_pos] = shift + sd * scores[:, k, : self.n_pos]
            if self.categories:
                scores[:, k] = np.searchsorted(self.cuts[k], scores[:, k])
        return np.asarray(scores)

    def sample(self, scores: Matrix) -> Sample:
        """Return the study of one replicate."""
        y = self.is_positive
        if self.across == "groups":
            return Sample(np.tile(y, 2), scores.ravel(), group=np.repeat(["a", "b"], len(y)))
        clusters = np.arange(len(y)) // self.cluster_size
        return Sample(y, scores.T, cluster=clusters if self.cluster_size > 1 else None)

    def _area(self, k: int) -> float:
        shift, sd = self.shifts[k], self.sds[k]
        if self.categories:
            ends = np.concatenate(([-np.inf], self.cuts[k], [np.inf]))
            pos, neg = np.diff(ndtr((ends - shift) / sd)), np.diff(ndtr(ends))
            return area_of_categories(pos, neg)
        if self.high == 1:
            return self.aucs[k]
        return float(quad(lambda u: ndtr((shift + ndtri(u)) / sd), 0, self.high, epsabs=1e-12)[0])


def _cells() -> tuple[DifferenceCell, ...]:
    """Return the cells of docs/methods/comparison.md, then crossing curves, margins and roles."""
    cells: list[DifferenceCell] = []

    def add(
        what: str, n: tuple[int, int], aucs: tuple[float, float], r: float, **more: Any
    ) -> None:
        cells.append(DifferenceCell(len(cells), what, *n, aucs, r, **more))

    for n, auc, r in (
        ((15, 15), 0.8, 0.5),
        ((15, 15), 0.95, 0.5),
        ((30, 30), 0.8, 0.5),
        ((30, 30), 0.95, 0.5),
        ((10, 50), 0.85, 0.7),
        ((50, 50), 0.8, 0.0),
    ):
        add("size", n, (auc, auc), r)
    same = (0.8, 0.8)
    add("size-categories", (30, 30), same, 0.5, categories=True)
    add("power", (30, 30), (0.9, 0.75), 0.5)
    add("power", (50, 50), (0.9, 0.8), 0.5)
    add("crossing", (50, 50), same, 0.5, sds=(1.0, 3.0))
    add("margin", (50, 50), (0.8, 0.85), 0.5, margin=0.05)
    add("margin", (100, 100), (0.8, 0.85), 0.5, margin=0.05)
    add("margin", (50, 50), (0.85, 0.95), 0.5, margin=0.1)
    add("near-perfect", (20, 20), (0.99, 0.95), 0.5)
    add("groups", (15, 15), same, 0.0, across="groups")
    add("groups", (10, 50), same, 0.0, across="groups")
    add("clusters", (60, 60), same, 0.5, cluster_size=3)
    add("partial", (50, 50), (0.9, 0.8), 0.5, high=0.2)
    add("partial", (100, 100), (0.9, 0.8), 0.5, high=0.2)
    return tuple(cells)


CELLS = _cells()


def methods_of(cell: DifferenceCell) -> dict[str, ComparisonPlan]:
    """Return the methods that make sense in a cell; the seed of draws is set by replicate."""
    # Normal limits, but t between groups.
    interval: DifferenceInterval = "t" if cell.set == "groups" else "wald"
    plain = ComparisonPlan("delong", interval, "pearson", False, cell.over, None)
    names = list(CLOSED)
    if cell.set in ("groups", "clusters", "partial"):
        names = ["delong"]
    elif cell.margin is not None:
        names = [name for name in CLOSED if not name.startswith("permutation")]
    found = {
        name: plain._replace(method=CLOSED[name][0], correlation=CLOSED[name][1])  # type: ignore[arg-type]
        for name in names
    }
    if len(names) == len(CLOSED):
        plan = ResamplePlan(N_PERMUTATIONS, 0)
        found["permutation"] = plain._replace(method="permutation", resamples=plan)
    plan = ResamplePlan(N_RESAMPLES, 0, stratified=cell.cluster_size == 1)
    found["percentile"] = plain._replace(method="bootstrap", interval="percentile", resamples=plan)
    return found


def asked_of(cell: DifferenceCell) -> HypothesisPlan:
    """Return what is asked in a cell."""
    hypothesis = "difference" if cell.margin is None else "non-inferiority"
    return read_hypothesis(hypothesis, cell.margin, "two-sided", 0.0, 0.95)  # type: ignore[arg-type]


def answers(cell: DifferenceCell, scores: Matrix, number: int) -> list[tuple[float, float, float]]:
    """Return the p value and limits of one study by each method, its number their seed."""
    sample, asked, width = cell.sample(scores), asked_of(cell), cell.over.width
    (row,) = plan_area_difference_rows(sample, cell.across, None, None)
    found = []
    for choice in methods_of(cell).values():
        seeded = (
            choice
            if choice.resamples is None
            else choice._replace(resamples=choice.resamples._replace(seed=number))
        )
        compared = compared_areas_with_covariance(sample, seeded, [row], cell.across, "none")
        result = infer_area_difference(compared, row, asked.over(width))
        if result is None:
            raise ArithmeticError("a simulated study must have an answer")
        found.append((result.p_value, width * result.ci_low, width * result.ci_high))
    return found


def run_cell(cell: DifferenceCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    found = np.array(
        [
            answers(cell, scores, number)
            for number in range(replicates)
            for scores in cell.draw(rng, 1)
        ]
    )
    alpha = asked_of(cell).alpha
    rows = []
    for k, name in enumerate(methods_of(cell)):
        p, low, high = found[:, k].T
        rejected = float(np.mean(p <= alpha + 1e-12))
        known = ~np.isnan(low)
        covered = (low[known] <= cell.truth + 1e-12) & (cell.truth - 1e-12 <= high[known])
        rows.append(
            {
                **setting_of(cell),
                "method": name,
                "replicates": replicates,
                "alpha": alpha,
                "rejected": rejected,
                "rejected_se": share_error(rejected, replicates),
                "coverage": float(np.mean(covered)),
                "miss_low": float(np.mean(cell.truth + 1e-12 < low[known])),
                "miss_high": float(np.mean(cell.truth - 1e-12 > high[known])),
                "mean_width": round(float(np.mean(high[known] - low[known])), 6),
                "identical": int((~known).sum()),
            }
        )
    return rows


def setting_of(cell: DifferenceCell) -> dict[str, Any]:
    """Return the columns that say which cell it is."""
    return {
        "set": cell.set,
        "n_pos": cell.n_pos,
        "n_neg": cell.n_neg,
        "auc_1": cell.aucs[0],
        "auc_2": cell.aucs[1],
        "correlation": cell.correlation,
        "truth": round(cell.truth, 10),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Size, power and coverage of the comparisons of two areas.",
    cells=CELLS,
    rows=run_cell,
    replicates=2000,
    seed=SEED,
    # Where a null hypothesis holds.
    bounds=(Bound("rejected", too_high, "alpha", where="truth == 0 or set == 'margin'"),),
    ends=("seed", "shortfall"),
)
