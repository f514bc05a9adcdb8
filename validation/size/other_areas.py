"""Size of paired t and Wald tests of other areas: ``python -m validation.size.other_areas``.

Areas of several classes, of strata, of folds, over ranges and of clustered cases, by the package's
own kernels; ``margins.py`` has whole areas of independent cases.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.inference.estimates.hypotheses import read_hypothesis
from rocstats.sample.arrays import Factor
from rocstats.sample.counts.cases import ClassCases, ScoredCases
from rocstats.stats.areas.delong import areas_of
from rocstats.stats.areas.estimates import range_codes, size_codes
from rocstats.stats.areas.strata import (
    strata_of,
    stratified_areas,
    stratified_covariance,
    stratified_newcombe,
)
from rocstats.stats.classes.areas import class_results, few_codes
from rocstats.stats.comparison.contrasts import contrast_variance, infer_contrast
from rocstats.stats.influence.areas import area_covariance, contrast_df
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.newcombe import NEWCOMBE_LIMITS
from rocstats.stats.intervals.record import IntervalMethod
from validation.bounds import too_high

TABLE = Path(__file__).with_name("other_areas.csv")
SEED = 20070815
ALPHA = 0.05
METHODS = ("t", "wald")
Kind = Literal[
    "hand-till", "class-reference", "strata", "folds", "fpr", "tpr", "clusters", "both-clusters"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
RANGES = {"fpr": AreaRange("fpr", 0.0, 0.2), "tpr": AreaRange("tpr", 0.8, 1.0)}
SIZES = ((10, 10), (10, 50), (30, 30), (20, 200))
# Of the class on the axis of a range 10 or more cases are expected in it.
MORE_SIZES = ((50, 50), (100, 100))
SHARES = (0.2, 0.3, 0.5)  # of each class in the strata
N_FOLDS = 5
Matrix = npt.NDArray[np.float64]
_DIFFERENCE = np.array([1.0, -1.0])
_ASKED = read_hypothesis("difference", None, "two-sided", 0.0, 1 - ALPHA)


class AreaCell(NamedTuple):
    """Two predictors of one true area on the same cases, compared by one kind of area.

    ``auc`` is the whole area of a predictor of equal spreads; the second one's positives have the
    standard deviation ``spread``, and the same true area of the kind. ``correlation`` is that of
    the scores. Two positives, or two negatives, are a cluster in "clusters"; in "both-clusters" it
    is a positive and its share of the negatives. Cases of a cluster share half of their variance.
    """

    position: int
    kind: Kind
    n_pos: int
    n_neg: int
    auc: float
    correlation: float
    spread: float = 1.0

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of cases by class, the last the negatives: two classes are of the smaller size."""
        several = self.kind in ("hand-till", "class-reference")
        return (self.n_pos, self.n_pos, self.n_neg) if several else (self.n_pos, self.n_neg)

    @property
    def codes(self) -> npt.NDArray[np.intp]:
        """Class of each case, the positives first: 0."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def over(self) -> AreaRange:
        """Range of the area."""
        return RANGES.get(self.kind, FULL_RANGE)

    @property
    def parts(self) -> npt.NDArray[np.intp]:
        """Stratum, fold or cluster of each case."""
        pos, neg = np.arange(self.n_pos), np.arange(self.n_neg)
        if self.kind == "strata":
            ends = np.cumsum(SHARES)[:-1]
            return np.concatenate([np.searchsorted(ends * len(x), x, "right") for x in (pos, neg)])
        if self.kind == "folds":
            return np.concatenate([pos % N_FOLDS, neg % N_FOLDS])
        if self.kind == "clusters":
            return np.concatenate([pos // 2, self.n_pos + neg // 2])
        return np.concatenate([pos, neg % self.n_pos])

    def draw(self, rng: np.random.Generator, replicates: int) -> Matrix:
        """Return scores, replicates x 2 x cases; x 2 x classes x cases of several classes."""
        classes = (len(self.sizes),) if len(self.sizes) > 2 else ()
        shape = (replicates, 3, *classes, len(self.codes))
        normal = rng.standard_normal(shape)
        if self.kind.endswith("clusters"):
            normal = np.sqrt(0.5) * (normal + rng.standard_normal(shape)[..., self.parts])
        r = self.correlation
        scores = np.sqrt(r) * normal[:, :1] + np.sqrt(1 - r) * normal[:, 1:]
        own = self.codes == (np.arange(*classes)[:, np.newaxis] if classes else 0)
        for k, spread in enumerate((1.0, self.spread)):
            moved = shift_of(self.auc, spread, self.over) + spread * scores[:, k]
            scores[:, k] = np.where(own, moved, scores[:, k])
        return np.asarray(scores)


@lru_cache
def shift_of(auc: float, spread: float, over: AreaRange) -> float:
    """Return the mean of positives of a spread with the area that ``auc`` has at equal spreads."""
    if over.full:
        return float(np.hypot(1, spread) * ndtri(auc))
    wanted = area_over(float(np.sqrt(2) * ndtri(auc)), 1.0, over)
    return float(brentq(lambda shift: area_over(shift, spread, over) - wanted, -9, 9, xtol=1e-12))


def area_over(shift: float, spread: float, over: AreaRange) -> float:
    """Return the binormal area over a range."""

    def rate(u: float) -> float:
        # Sensitivity at the FPR u; or specificity where a share u of the positives is missed.
        z = (shift + ndtri(u)) / spread if over.axis == "fpr" else shift + spread * ndtri(u)
        return float(ndtr(z))

    low, high = (over.low, over.high) if over.axis == "fpr" else (1 - over.high, 1 - over.low)
    return float(quad(rate, low, high, epsabs=1e-13)[0])


def _cells() -> tuple[AreaCell, ...]:
    cells: list[AreaCell] = []

    def add(kind: Kind, n: tuple[int, int], auc: float, r: float, spread: float = 1.0) -> None:
        cells.append(AreaCell(len(cells), kind, *n, auc, r, spread))

    for kind in KINDS:
        sizes = (*SIZES, *MORE_SIZES) if kind in RANGES else SIZES
        for n, auc, r in product(sizes, (0.7, 0.85, 0.95), (0.0, 0.6)):
            add(kind, n, auc, r)
        add(kind, (30, 30), 0.99, 0.6)
        # Pairs inside a cluster of both classes have other areas, which unequal spreads would move.
        for n in sizes if kind != "both-clusters" else ():
            add(kind, n, 0.85, 0.6, 2.0)
    return tuple(cells)


CELLS = _cells()


class Compared(NamedTuple):
    """Two areas with their covariance, the df and the notes of their difference.

    ``own`` gives the limits of each area where there is no variance.
    """

    areas: list[Area]
    covariance: Matrix
    df: float
    codes: tuple[str, ...]
    own: IntervalMethod = NEWCOMBE_LIMITS


def compared(cell: AreaCell, scores: Matrix) -> Compared:
    """Return what the package infers a difference from, for one data set."""
    if len(cell.sizes) > 2:
        return _of_classes(cell, scores)
    labels = tuple(map(str, range(int(cell.parts.max()) + 1)))
    role = {"folds": "fold", "clusters": "cluster", "both-clusters": "cluster"}.get(cell.kind)
    cases = _scored(cell, scores, **({role: Factor(labels, cell.parts)} if role else {}))
    if cell.kind == "strata":
        return _of_strata(cell, cases)
    result = area_covariance(cases, (0, 1), over=cell.over)
    df = contrast_df([(_DIFFERENCE, result.parts, result.part_df)])
    areas = areas_of(cases, result, cell.over)
    codes = (*range_codes(cases, 0, cell.over), *size_codes(cases))
    return Compared(areas, result.covariance / cell.over.width**2, df, codes)


def _scored(cell: AreaCell, scores: Matrix, **roles: Factor) -> ScoredCases:
    return ScoredCases(
        scores=scores, is_positive=cell.codes == 0, higher_is_positive=(True, True), **roles
    )


def _of_strata(cell: AreaCell, cases: ScoredCases) -> Compared:
    strata = strata_of(
        [
            _scored(cell._replace(n_pos=pos, n_neg=neg), cases.scores.take(rows, axis=1))
            for rows, pos, neg in _rows_of_strata(cell)
        ]
    )
    result = stratified_covariance(cases, strata, (0, 1))
    df = contrast_df([(_DIFFERENCE, result.parts, result.part_df)])
    areas = stratified_areas(result, strata)
    return Compared(areas, result.covariance, df, size_codes(cases), stratified_newcombe(strata))


@lru_cache
def _rows_of_strata(cell: AreaCell) -> list[tuple[npt.NDArray[np.intp], int, int]]:
    rows = [np.flatnonzero(cell.parts == s) for s in range(len(SHARES))]
    return [(r, *np.bincount(cell.codes[r]).tolist()) for r in rows]


def _of_classes(cell: AreaCell, scores: Matrix) -> Compared:
    cases = ClassCases(scores=scores, class_codes=cell.codes)
    *_, summary = class_results(cases, cell.kind)  # type: ignore[arg-type]
    areas = [summary.of(p) for p in (0, 1)]
    codes = tuple(few_codes(cases, summary))
    return Compared(areas, summary.covariance, summary.contrast_df(_DIFFERENCE), codes)


def answers(found: Compared) -> tuple[list[float], bool]:
    """Return the p value of each method for one data set, and whether a boundary rule gave it."""
    # Without a variance, equal areas inside (0, 1) are those of equal placements.
    first, second = found.areas
    none = contrast_variance(_DIFFERENCE, found.covariance) == 0
    alike = bool(none and first.value == second.value and not first.at_boundary)
    results = [
        infer_contrast(
            _DIFFERENCE, found.areas, found.covariance, df, _ASKED, identical=alike, own=found.own
        )
        for df in (found.df, np.inf)
    ]
    return [result.p_value for result in results], not results[0].kind.startswith("wald")


def notes_of(cell: AreaCell) -> str:
    """Return the notes of the sizes of a cell, which all its data sets have."""
    found = compared(cell, cell.draw(np.random.default_rng(0), 1)[0])
    return "; ".join(code for code in found.codes if code.startswith("few"))


def run_cell(cell: AreaCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.position,)))
    drawn = (scores for _ in range(replicates) for scores in cell.draw(rng, 1))
    found = [answers(compared(cell, scores)) for scores in drawn]
    p_values = np.array([p for p, _ in found])
    rows = []
    for name, p in zip(METHODS, p_values.T, strict=True):
        rejected = float(np.mean(p <= ALPHA))
        rows.append(
            {
                **dict(zip(KEY, cell[1:], strict=True)),
                "method": name,
                "replicates": replicates,
                "alpha": ALPHA,
                "rejected": rejected,
                "rejected_se": round(float(np.sqrt(rejected * (1 - rejected) / replicates)), 6),
                "boundary": sum(ruled for _, ruled in found),
                "note": notes_of(cell),
                "shortfall": bool(too_high(rejected, ALPHA, replicates)),
                "seed": seed,
            }
        )
    return rows


KEY = AreaCell._fields[1:]


def run(cells: Iterable[AreaCell] = CELLS, *, replicates: int, seed: int = SEED) -> pd.DataFrame:
    """Return the simulation of some cells, a row per cell and method."""
    with ProcessPoolExecutor() as pool:
        done = [pool.submit(run_cell, cell, replicates, seed) for cell in cells]
        return pd.DataFrame([row for cell in done for row in cell.result()])


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.size.other_areas", description=__doc__
    )
    parser.add_argument("--replicates", type=int, default=4000, help="data sets per cell")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each cell has a child")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run(replicates=asked.replicates, seed=asked.seed)
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(rows[rows["shortfall"]].drop(columns="seed").to_string(index=False))


if __name__ == "__main__":
    main()
