"""Size of paired t and Wald tests of other areas.

Areas of several classes, of strata, of folds, over ranges and of clustered cases. All replicates of
a cell are answered at once, by arrays; replicates at which a boundary rule of the package applies
are answered by the package. ``margins.py`` has whole areas of independent cases.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtr

import rocstats as rs
from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.facts.tolerances import SAME
from validation.bounds import too_high
from validation.simulation import Bound, Simulation, batches, share_error, stream
from validation.size import margins

TABLE = Path(__file__).with_name("other_areas.csv")
SEED = 20070815
ALPHA = 0.05
METHODS = ("t", "wald")
Kind = Literal[
    "ovo-macro", "ovr-weighted", "strata", "folds", "fpr", "tpr", "clusters", "both-clusters"
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
_ROLES = {"strata": "group", "folds": "fold", "clusters": "cluster", "both-clusters": "cluster"}
_NOTES = ("few-cases", "few-clusters", "few-cases-in-range")
_BLOCK = 250  # replicates at a time: 250 x 8000 pairs are 2 MB


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
        several = self.kind in ("ovo-macro", "ovr-weighted")
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


def parts_of(cell: AreaCell, scores: Matrix) -> margins.Parts:
    """Return areas, and their covariances over independent samples, of many data sets."""
    samples = [scores[..., cell.codes == c] for c in range(len(cell.sizes))]
    if len(samples) > 2:
        area, values = _of_classes(cell.kind, samples)
    elif cell.kind in ("strata", "folds"):
        area, values = _of_parts(cell, scores)
    elif cell.kind == "fpr":
        area, values = _over_fpr(samples[0], samples[1], cell.over.width)
    elif cell.kind == "tpr":
        # The mirrored curve: classes and directions exchanged.
        area, values = _over_fpr(-samples[1], -samples[0], cell.over.width)
    else:
        area, values = influence(*samples)
    if cell.kind == "clusters":
        values = [v.reshape(*v.shape[:2], -1, 2).sum(axis=3) for v in values]
    if cell.kind == "both-clusters":
        negatives = values[1].reshape(*values[0].shape[:2], -1, cell.n_pos)
        values = [values[0] + negatives.sum(axis=2)]
    n = np.array([v.shape[2] for v in values])
    products = np.stack([np.einsum("rki,rli->rkl", v, v) for v in values], axis=1)
    covariances = products * (n / (n - 1))[:, np.newaxis, np.newaxis]
    # Of the class on the axis of a range, the last, the cases expected in it.
    in_range = n * [1, cell.over.width] if cell.kind in RANGES else n
    return margins.Parts(area, covariances, np.maximum(in_range - 1.0, 1.0))


Influence = tuple[Matrix, list[Matrix]]
"""Areas (replicates x 2), and influence values (replicates x 2 x units) of each sample."""


def influence(pos: Matrix, neg: Matrix) -> Influence:
    """Return whole areas with the influence of positives and of negatives."""
    return _centred(*margins.placements(pos, neg))


def _centred(of_pos: Matrix, of_neg: Matrix) -> Influence:
    values = [(v - v.mean(axis=2, keepdims=True)) / v.shape[2] for v in (of_pos, of_neg)]
    return of_pos.mean(axis=2), values


def _of_parts(cell: AreaCell, scores: Matrix) -> Influence:
    """Return the areas of strata, weighted by their pairs of cases, or the means over folds."""
    rows = [
        [np.flatnonzero((cell.parts == part) & (cell.codes == c)) for c in (0, 1)]
        for part in range(cell.parts.max() + 1)
    ]
    pairs = [len(pos) * len(neg) if cell.kind == "strata" else 1 for pos, neg in rows]
    total, values = np.zeros(scores.shape[:2]), []
    for (pos, neg), share in zip(rows, np.array(pairs) / sum(pairs), strict=True):
        area, own = influence(scores[..., pos], scores[..., neg])
        total += share * area
        values += [share * v for v in own]
    return total, values


def _over_fpr(pos: Matrix, neg: Matrix, high: float) -> Influence:
    """Return areas up to an FPR that is a whole number of negatives, with influence values."""
    above = (neg[:, :, np.newaxis] > pos[..., np.newaxis]).mean(axis=3)
    # The TPR at each negative; beyond the range that of the middle of the step at its end.
    sensitivity = (pos[:, :, np.newaxis] > neg[..., np.newaxis]).mean(axis=3)
    last = round(high * neg.shape[2])
    end = np.sort(sensitivity, axis=2)[..., last - 1 : last + 1].mean(axis=2, keepdims=True)
    return _centred(np.clip(high - above, 0, None), np.minimum(sensitivity, end))


def _of_classes(kind: Kind, samples: list[Matrix]) -> Influence:
    """Return the summaries of several classes, with the influence of the cases of each class."""
    n = np.array([scores.shape[3] for scores in samples])
    values = [np.zeros((*scores.shape[:2], k)) for scores, k in zip(samples, n, strict=True)]
    total, found = np.zeros(samples[0].shape[:2]), []
    for k, own in enumerate(samples):
        others = [c for c in range(len(n)) if c != k]
        versus = [[c] for c in others] if kind == "ovo-macro" else [others]
        share = 1 / (len(n) * len(others)) if kind == "ovo-macro" else n[k] / n.sum()
        for rest in versus:
            neg = np.concatenate([samples[c][:, :, k] for c in rest], axis=2)
            area, (of_pos, of_neg) = influence(own[:, :, k], neg)
            found.append(area)
            total += share * area
            values[k] += share * of_pos
            for c, part in zip(
                rest, np.split(of_neg, np.cumsum(n[rest])[:-1], axis=2), strict=True
            ):
                values[c] += share * part
    if kind == "ovr-weighted":
        # The shares of the classes are estimated too.
        for value, area in zip(values, found, strict=True):
            value += ((area - total) / n.sum())[..., np.newaxis]
    return total, values


def p_values(cell: AreaCell, scores: Matrix) -> tuple[Matrix, int]:
    """Return p values (replicates x methods), and how many data sets the package answered."""
    found = parts_of(cell, scores)
    variance = np.einsum("i,rij,j->r", _DIFFERENCE, found.covariance, _DIFFERENCE)
    own = np.trace(found.covariance, axis1=1, axis2=2)
    rate = found.area / cell.over.width
    ruled = np.any((rate < SAME) | (rate > 1 - SAME), axis=1) | ~(variance > 1e-12 * own)
    parts = np.einsum("i,rcij,j->rc", _DIFFERENCE, found.parts, _DIFFERENCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.abs(found.area @ _DIFFERENCE) / np.sqrt(variance)
        df = margins.satterthwaite(parts, found.df)
    p = 2 * np.stack([stdtr(df, -statistic), ndtr(-statistic)], axis=1)
    for i in np.flatnonzero(ruled).tolist():
        # Without a variance t and Wald are the same.
        p[i] = answer(cell, scores[i])["p_value"]
    return p, int(ruled.sum())


def answer(cell: AreaCell, scores: Matrix, interval: Literal["t", "wald"] = "t") -> pd.Series:
    """Return the row of the package for one data set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        if len(cell.sizes) > 2:
            tables = {name: table.T for name, table in zip("ab", scores, strict=True)}
            several = rs.MulticlassStudy(cell.codes, tables)
            return several.compare_auc(method=cell.kind, interval=interval).iloc[0]  # type: ignore[arg-type]
        role = _ROLES.get(cell.kind)
        roles: dict[str, Any] = {role: cell.parts} if role else {}
        study = rs.Study(cell.codes == 0, dict(zip("ab", scores, strict=True)), **roles)
        if cell.kind == "strata":
            return study.compare_stratified_auc(interval=interval).iloc[0]
        over: dict[str, Any] = {}
        if cell.kind in RANGES:
            over = {f"{cell.kind}_range": cell.over[1:]}
        return study.compare_auc(interval=interval, **over).iloc[0]


def notes_of(cell: AreaCell) -> str:
    """Return the notes on few cases, which all rows of a cell have."""
    notes = answer(cell, cell.draw(np.random.default_rng(0), 1)[0])["note"].split("; ")
    return "; ".join(note for note in notes if note in _NOTES)


def run_cell(cell: AreaCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    found = [p_values(cell, cell.draw(rng, size)) for size in batches(replicates, _BLOCK)]
    rows = []
    for name, p in zip(METHODS, np.concatenate([p for p, _ in found]).T, strict=True):
        rejected = float(np.mean(p <= ALPHA))
        rows.append(
            {
                **dict(zip(KEY, cell[1:], strict=True)),
                "method": name,
                "replicates": replicates,
                "alpha": ALPHA,
                "rejected": rejected,
                "rejected_se": share_error(rejected, replicates),
                "boundary": sum(ruled for _, ruled in found),
                "note": notes_of(cell),
            }
        )
    return rows


KEY = AreaCell._fields[1:]


SIMULATION = Simulation(
    table=TABLE,
    shows="Size of paired tests of areas of several classes, strata, folds, ranges and clusters.",
    cells=CELLS,
    rows=run_cell,
    replicates=4000,
    seed=SEED,
    bounds=(Bound("rejected", too_high, "alpha"),),
    ends=("shortfall", "seed"),
)
