"""Simulated coverage of limits, differences and bands of areas at a time, and of Uno's concordance.

The marker is standard normal, and the hazard exp(slope x marker); the second marker is correlated
.7 with it. Censoring is exponential, but for "dependent", where a standard deviation of the marker
doubles its hazard. With "competing" events of another cause have the hazard .5 exp(.4 x marker).
Times are quantiles of the event of interest (``shares`` of patients have it by then).

``auc`` and ``difference`` have a row for each time, ``band`` one for all times together. "logit-t",
the default, has quantiles of t with the degrees of freedom of the influence values, "logit" and
"wald" normal ones; differences are Wald's with t. Quantiles of bands are those of 4000 normal draws
here, where the package integrates; a test compares both.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtr, stdtrit
from scipy.stats import norm

from rocstats.estimate.intervals import Area, Interval
from rocstats.estimate.simultaneous import correlation_root
from rocstats.facts.arrays import FloatArray
from rocstats.inference.survival.areas import survival_area_at
from rocstats.inference.survival.concordance import comparable_pairs, concordance_of
from rocstats.inference.survival.follow_up import FollowUp, StatusAt, SurvivalRatio, status_at
from rocstats.inference.survival.ratios import (
    SURVIVAL_INTERVALS,
    score_codes_by_risk,
    survival_ratio_as_area,
)
from validation.bounds import too_low
from validation.coverage.simulate import inferred
from validation.simulation import Bound, Simulation, collect, columns_of

TABLE = Path(__file__).with_name("survival.csv")
REPLICATES = 4000
SEED = 20213
LEVEL = 0.95
_UPPER = (1 + LEVEL) / 2
_CORRELATION = 0.7
_DRAWS = 4000  # of the largest normal variable: error of the quantile about .02
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(80)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Cell(NamedTuple):
    """A setting: number of patients, slope, and the shares that have the event by each time."""

    setting: str
    n: int
    slope: float
    shares: tuple[float, ...]
    censoring: float = 0.3
    kind: str = ""

    @property
    def other(self) -> float:
        """Hazard of the other cause at a marker of 0."""
        return 0.5 if self.kind == "competing" else 0.0


USUAL = (0.2, 0.35, 0.5, 0.65)
CELLS = (
    Cell("moderate", 100, 1.2, USUAL),
    Cell("moderate", 300, 1.2, USUAL),
    Cell("high", 100, 2.2, USUAL),
    Cell("competing", 100, 1.2, (0.15, 0.25, 0.35, 0.45), kind="competing"),
    Cell("competing", 300, 1.2, (0.15, 0.25, 0.35, 0.45), kind="competing"),
    Cell("rare", 1000, 1.2, (0.035, 0.07, 0.1, 0.15)),
    Cell("dependent", 300, 1.2, USUAL, kind="dependent"),
    Cell("concordance", 60, 1.2, (0.6,)),
    Cell("concordance", 100, 1.2, (0.6,)),
    Cell("concordance", 300, 1.2, (0.6,)),
)


def share_by(cell: Cell, marker: FloatArray, t: float) -> FloatArray:
    """Return the probability of the event of interest by t."""
    hazard, other = np.exp(cell.slope * marker), cell.other * np.exp(0.4 * marker)
    return np.asarray(hazard / (hazard + other) * -np.expm1(-(hazard + other) * t))


def times_of(cell: Cell) -> FloatArray:
    """Return the times by which the shares of patients have the event of interest."""

    def excess(log_t: float, share: float) -> float:
        return float(_WEIGHTS @ share_by(cell, _NODES, np.exp(log_t))) - share

    return np.array([np.exp(brentq(excess, -20, 20, args=(share,))) for share in cell.shares])


def population(cell: Cell, t: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a fine grid of markers, and the shares of cases and controls by t at each."""
    # Thresholds with one decimal are midway between two nodes.
    z = np.arange(-8, 8, 0.001) + 0.0005
    weight = norm.pdf(z) / norm.pdf(z).sum()
    case = weight * share_by(cell, z, t)
    return z, case, weight - case


def true_areas(cell: Cell, t: float) -> tuple[float, float]:
    """Return the areas of both markers, by sums over a grid of the normal distribution."""
    z = np.linspace(-8, 8, 4001)
    weight = norm.pdf(z) / norm.pdf(z).sum()
    rest = np.sqrt(1 - _CORRELATION**2)
    first = share_by(cell, z, t)
    # Given the second marker, the first is normal around its part of it.
    second = share_by(cell, _CORRELATION * z[:, np.newaxis] + rest * _NODES, t) @ _WEIGHTS
    one, other = (_area(weight * case, weight * (1 - case)) for case in (first, second))
    return one, other


def _area(case: FloatArray, control: FloatArray) -> float:
    below = np.cumsum(control) - control / 2
    return float(case @ below / (case.sum() * control.sum()))


def true_concordance(cell: Cell, limit: float) -> float:
    """Return P(marker of i > that of j | T_i < T_j, T_i <= limit), by a sum over times."""
    z = np.linspace(-8, 8, 2001)
    weight = norm.pdf(z) / norm.pdf(z).sum()
    hazard = np.exp(cell.slope * z)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    # Times on the scale of their fourth root: densities of high markers are concentrated at 0.
    root = limit**0.25 * (nodes + 1) / 2
    won = total = 0.0
    for u, w in zip(root, weights * 4 * root**3, strict=True):
        still = weight * np.exp(-hazard * u**4)
        density = still * hazard
        won += w * float(density @ (np.cumsum(still) - still / 2))
        total += w * float(density.sum() * still.sum())
    return won / total


def draw(cell: Cell, rng: np.random.Generator) -> tuple[FollowUp, FloatArray]:
    """Return the times of a study, and both markers."""
    first, noise = rng.standard_normal((2, cell.n))
    second = _CORRELATION * first + np.sqrt(1 - _CORRELATION**2) * noise
    event = rng.exponential(size=cell.n) / np.exp(cell.slope * first)
    other = rng.exponential(size=cell.n) / np.exp(0.4 * first)
    other = other / cell.other if cell.other else np.full(cell.n, np.inf)
    tilt = 0.7 if cell.kind == "dependent" else 0.0
    censored = rng.exponential(size=cell.n) / (cell.censoring * np.exp(tilt * first))
    ends = np.stack([censored, event, other])
    return FollowUp(ends.min(axis=0), ends.argmin(axis=0)), np.stack([first, second])


def run_cell(cell: Cell, replicates: int = REPLICATES, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the rows of a cell: shares of samples whose limits hold the truth."""
    rng = np.random.default_rng([seed, CELLS.index(cell)])
    times = times_of(cell)
    one = _concordance if cell.setting == "concordance" else _areas
    if cell.setting == "concordance":
        truth = [(true_concordance(cell, t), np.nan) for t in times.tolist()]
    else:
        truth = [true_areas(cell, t) for t in times.tolist()]
    normal = rng.standard_normal((_DRAWS, len(times)))
    found = collect(one(*draw(cell, rng), times, truth, normal) for _ in range(replicates))
    return [_row(cell, key, values, times) for key, values in found.items()]


def _row(
    cell: Cell,
    key: tuple[str, str, int],
    values: FloatArray,
    times: FloatArray,
) -> dict[str, Any]:
    quantity, interval, place = key
    return {
        **columns_of(cell, "setting n"),
        "quantity": quantity,
        "interval": interval,
        "share_by_time": cell.shares[place] if place >= 0 else np.nan,
        "time": times[place] if place >= 0 else np.nan,
        "bias": float(np.nanmean(values[:, 1])) if place >= 0 else np.nan,
        # No limits count as a miss.
        "share": float(np.nan_to_num(values[:, 0]).mean()),
        "undefined": float(np.isnan(values[:, 0]).mean()),
        "replicates": len(values),
    }


def _held(found: Area, interval: Interval, truth: float) -> tuple[float, float]:
    low, high = inferred(found, interval)
    return float(low <= truth <= high), found.value - truth


def _areas(
    follow_up: FollowUp,
    markers: FloatArray,
    times: FloatArray,
    truth: Sequence[tuple[float, float]],
    normal: FloatArray,
) -> dict[tuple[str, str, int], tuple[float, float]]:
    """Return whether limits hold the truth in one study, and by how much the estimate is off."""
    scores = [score_codes_by_risk(marker, higher=True) for marker in markers]
    held: dict[tuple[str, str, int], tuple[float, float]] = {}
    firsts: list[tuple[StatusAt, SurvivalRatio]] = []
    for place, (t, (a, b)) in enumerate(zip(times.tolist(), truth, strict=True)):
        at = status_at(follow_up, t, "not-case")
        keys: list[tuple[str, str, int]] = [("auc", word, place) for word in SURVIVAL_INTERVALS]
        keys.append(("difference", "wald-t", place))
        if not at.is_defined:
            held |= dict.fromkeys(keys, (np.nan, np.nan))
            continue
        first, second = (survival_area_at(at, score) for score in scores)
        firsts.append((at, first))
        area = survival_ratio_as_area(at, first)
        held |= {("auc", word, place): _held(area, word, a) for word in SURVIVAL_INTERVALS}
        gap, influence = first.value - second.value - (a - b), first.influence - second.influence
        reach = np.sqrt(at.variance(influence)) * stdtrit(at.df(influence), _UPPER)
        held[keys[-1]] = float(abs(gap) <= reach), gap
    inside = _bands(follow_up, firsts, [a for a, _ in truth], normal)
    return held | {("band", word, -1): (value, np.nan) for word, value in inside.items()}


def _bands(
    follow_up: FollowUp,
    found: Sequence[tuple[StatusAt, SurvivalRatio]],
    truth: Sequence[float],
    normal: FloatArray,
) -> dict[str, float]:
    """Return whether the band of the package, and one of Wald's limits, hold all true areas."""
    if len(found) < len(truth):
        return {"wald": np.nan, "logit-t": np.nan}
    areas = [area for _, area in found]
    df = np.array([at.df(area.influence) for at, area in found])
    units = follow_up.units(np.stack([area.influence for area in areas]))
    covariance = units @ units.T
    root = correlation_root(covariance)
    c = np.quantile(np.abs(normal[:, : root.shape[1]] @ root.T).max(axis=1), LEVEL)
    value, target = np.array([area.value for area in areas]), np.array(truth)
    se = np.sqrt(np.diag(covariance))
    inner = (value > 0) & (value < 1)
    slope = np.where(inner, value * (1 - value), 1.0)
    reach = stdtrit(df, ndtr(c)) * se / slope
    safe = np.where(inner, value, 0.5)
    low, high = expit(logit(safe) - reach), expit(logit(safe) + reach)
    # At 0 and 1 the package has Newcombe's limits; so rare here that a hit is counted.
    holds = ~inner | ((low <= target) & (target <= high))
    return {
        "wald": float((np.abs(value - target) <= c * se).all()),
        "logit-t": float(holds.all()),
    }


def _concordance(
    follow_up: FollowUp,
    markers: FloatArray,
    times: FloatArray,
    truth: Sequence[tuple[float, float]],
    normal: FloatArray,
) -> dict[tuple[str, str, int], tuple[float, float]]:
    """Return the same of Uno's concordance."""
    pairs = comparable_pairs(follow_up, float(times[0]), weighs_g=True)
    found = survival_ratio_as_area(
        pairs, concordance_of(pairs, score_codes_by_risk(markers[0], higher=True))
    )
    return {
        ("concordance", word, 0): _held(found, word, truth[0][0]) for word in SURVIVAL_INTERVALS
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits, differences and bands of areas at a time, and of concordance.",
    cells=CELLS,
    rows=run_cell,
    replicates=REPLICATES,
    seed=SEED,
    bounds=(Bound("share", too_low, LEVEL),),
    ends=("shortfall",),
    digits=6,
    words=True,
)
