"""Degrees of freedom of clustered areas and differences: clusters less one, or by kind of cluster.

Two predictors of equal areas are drawn in clusters with positives only, with negatives only and
with both. ``clusters`` has C - 1 degrees of freedom; ``kinds`` has Satterthwaite's, C - 1 in each
kind. Limits of the first area are logit-t, the test of the difference is t.

The rule was fixed before the run: that with fewer shortfalls (``validation.bounds``) of coverage
and size together is taken, for areas and differences alike; of equals ``kinds``, under which
clusters of one case are cases.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri
from scipy.stats import t

from rocstats.estimate.influence import area_covariance, satterthwaite
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.sample import Sample
from validation.bounds import too_high, too_low
from validation.simulation import Bound, Simulation, stream

TABLE = Path(__file__).with_name("cluster_df.csv")
LEVEL, ALPHA = 0.95, 0.05
RULES = ("clusters", "kinds")
CORRELATION = 0.5
"""Of any two cases of a cluster, and of the predictors in a case."""

# Clusters with positives only, with negatives only, with both; cases of a class in one of them.
KINDS = (
    *((4, 4, 0), (4, 12, 0), (6, 14, 0), (10, 10, 0)),
    *((0, 0, 8), (0, 0, 14), (0, 0, 20)),
    *((3, 3, 2), (4, 4, 4), (2, 12, 6), (0, 10, 4), (9, 9, 2), (6, 6, 8)),
)
EACH = 3


class KindCell(NamedTuple):
    """Numbers of clusters of each kind, and the area of cases of different clusters."""

    position: int
    clusters: tuple[int, int, int]
    auc: float

    @property
    def cases(self) -> tuple[IntArray, IntArray]:
        """Class and cluster of each case."""
        pos, neg, both = self.clusters
        makes = [[1] * EACH] * pos + [[0] * EACH] * neg + [[1] * EACH + [0] * EACH] * both
        cluster = np.repeat(np.arange(len(makes)), [len(make) for make in makes])
        return np.concatenate(makes).astype(np.intp), cluster.astype(np.intp)

    @property
    def truth(self) -> float:
        """Expectation of the area: pairs of one cluster are ranked right more often."""
        pos, neg, both = self.clusters
        shift = np.sqrt(2) * ndtri(self.auc)
        share = both / ((pos + both) * (neg + both))
        within = ndtr(shift / np.sqrt(2 * (1 - CORRELATION)))
        return float(share * within + (1 - share) * self.auc)


CELLS = tuple(KindCell(i, *cell) for i, cell in enumerate(product(KINDS, (0.7, 0.9))))


def run_cell(cell: KindCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per rule, whose random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    found = np.array([_one(cell, rng) for _ in range(replicates)])
    area, variance, difference, spread = found[:, :4].T
    # An area of 0 or 1 has other limits, the same for both rules: it is left out.
    usable = (area > 0) & (area < 1) & (variance > 0)
    rows = []
    for k, rule in enumerate(RULES):
        of_area, of_difference = found[:, 4 + k], found[:, 6 + k]
        with np.errstate(all="ignore"):
            reach = t.ppf((1 + LEVEL) / 2, of_area) * np.sqrt(variance) / (area * (1 - area))
            statistic = np.abs(difference) / np.sqrt(spread)
        low, high = (expit(logit(area[usable]) + sign * reach[usable]) for sign in (-1, 1))
        coverage = float(((low <= cell.truth) & (cell.truth <= high)).mean())
        # Equal placements have no variance, and no test.
        size = float(
            (statistic[spread > 0] > t.ppf(1 - ALPHA / 2, of_difference[spread > 0])).mean()
        )
        rows.append(
            {
                **dict(zip(("pos", "neg", "both"), cell.clusters, strict=True)),
                "auc": cell.auc,
                "rule": rule,
                "replicates": replicates,
                "usable": int(usable.sum()),
                "median_df": round(float(np.median(of_area)), 3),
                "coverage": round(coverage, 5),
                "mean_width": round(float((high - low).mean()), 6),
                "size": round(size, 5),
            }
        )
    return rows


def _one(cell: KindCell, rng: np.random.Generator) -> tuple[float, ...]:
    label, cluster = cell.cases
    shape = 2, len(label)
    root, rest = np.sqrt(CORRELATION), np.sqrt(1 - CORRELATION)

    def paired(size: int) -> FloatArray:
        shared, own = rng.standard_normal(size), rng.standard_normal((2, size))
        return np.asarray(root * shared + rest * own)

    scores = root * paired(int(cluster[-1]) + 1)[:, cluster] + rest * paired(shape[1])
    scores += label * np.sqrt(2) * ndtri(cell.auc)
    result = area_covariance(Sample(label, scores.T, cluster=cluster).cases, [0, 1])
    contrast = np.array([1.0, -1.0])
    parts = np.einsum("i,cij,j->c", contrast, result.parts, contrast)
    clusters = float(cluster[-1])
    return (
        float(result.area[0]),
        float(result.covariance[0, 0]),
        float(contrast @ result.area),
        float(contrast @ result.covariance @ contrast),
        clusters,
        satterthwaite(result.components[:, 0], result.part_df),
        clusters,
        satterthwaite(parts, result.part_df),
    )


SIMULATION = Simulation(
    table=TABLE,
    shows="Two rules for the degrees of freedom of clustered areas: coverage and size.",
    cells=CELLS,
    rows=run_cell,
    replicates=4000,
    seed=20040316,
    bounds=(
        Bound("coverage", too_low, LEVEL, samples="usable", mark="coverage_shortfall"),
        Bound("size", too_high, ALPHA, mark="size_shortfall"),
    ),
    ends=("seed", "coverage_shortfall", "size_shortfall"),
)
read_cluster_df = SIMULATION.read
