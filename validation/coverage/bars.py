"""Coverage of the bars of averaged curves, of their differences and of clustered rates."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import beta, ndtr, ndtri

from rocstats.errors import StatisticalWarning
from rocstats.estimate.bars import Bars, binomial_bars, cluster_units, clustered_bars, t_bars
from rocstats.estimate.rates import ClassUnderCurve, clustered_rate_variance
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import FloatArray
from rocstats.inference.bands.average_differences import roc_average_difference
from rocstats.inference.bands.average_limits import (
    AveragedCurves,
    AveragePlan,
    average_rate,
    curves_to_average,
    sampled_rates,
)
from rocstats.study.sample import Sample
from validation.simulation import Simulation, collect, columns_of, share_error, stream, tally

TABLE = Path(__file__).with_name("bars.csv")
SEED = 19980727
LEVEL = 0.95
N_RESAMPLES = 500
CURVES = ("curve", "mean curve")
"""What bars are to cover: the true curve, or the expectation of the average."""


@dataclass(frozen=True)
class BarCell:
    """Curves of normal scores of equal variance; ``position`` is the key of the random numbers.

    ``set`` says what is simulated, see ``SETS``. ``rates`` are false positive rates, of which the
    set "threshold" takes the true thresholds and "clusters" nothing. ``scale`` counts in units of
    the replicates asked for.
    """

    position: int
    set: str
    n_curves: int
    n_pos: int
    n_neg: int
    auc: float
    rates: tuple[float, ...]
    scale: float = 1.0

    @property
    def shift(self) -> float:
        """Mean of the positives."""
        return float(np.sqrt(2) * ndtri(self.auc))

    @property
    def at(self) -> FloatArray:
        """False positive rates as an array."""
        return np.array(self.rates)

    @property
    def truth(self) -> FloatArray:
        """True curve at the rates."""
        return np.asarray(ndtr(self.shift + ndtri(self.at)))

    @property
    def mean_truth(self) -> FloatArray:
        """Expectation of the highest TPR at each rate: the threshold is an order statistic."""
        return np.array([self._mean_tpr(int(rate * self.n_neg + 1e-9)) for rate in self.rates])

    def _mean_tpr(self, rank: int) -> float:
        a, b = rank + 1, self.n_neg - rank

        def integrand(u: float) -> float:
            density = u ** (a - 1) * (1 - u) ** (b - 1) / beta(a, b)
            return float(density * ndtr(self.shift + ndtri(u)))

        return float(quad(integrand, 0, 1, limit=200)[0])

    @property
    def fold(self) -> np.ndarray[Any, Any]:
        """Curve of each row, the positives of a curve first."""
        return np.repeat(np.arange(self.n_curves), self.n_pos + self.n_neg)

    @property
    def is_positive(self) -> np.ndarray[Any, Any]:
        """Class of each row."""
        return np.tile(np.repeat([True, False], [self.n_pos, self.n_neg]), self.n_curves)

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the scores of one study."""
        positive = self.is_positive
        return np.asarray(rng.standard_normal(len(positive)) + self.shift * positive)


THREE = (0.1, 0.3, 0.5)
_SETTINGS: tuple[tuple[Any, ...], ...] = (
    ("folds", 10, 20, 20, 0.8, THREE),
    ("folds", 5, 100, 100, 0.8, THREE),
    ("folds", 10, 50, 500, 0.8, THREE),
    ("resamples", 50, 50, 50, 0.8, THREE, 0.25),
    ("single", 1, 30, 30, 0.8, (0.1,)),
    ("single", 1, 30, 30, 0.9, (0.1,)),
    ("single", 1, 50, 50, 0.8, (0.1,)),
    ("single", 1, 50, 50, 0.9, (0.2,)),
    ("single", 1, 100, 100, 0.8, (0.1,)),
    ("single", 1, 100, 100, 0.95, (0.1,)),
    ("single", 1, 30, 300, 0.9, (0.1,)),
    ("threshold", 10, 20, 20, 0.8, THREE),
    ("difference", 10, 20, 20, 0.8, THREE, 0.25),
    ("difference", 5, 50, 50, 0.9, THREE, 0.25),
    ("clusters", 30, 3, 3, 0.8, ()),
    ("clusters", 100, 2, 2, 0.9, ()),
)
BAR_CELLS = tuple(BarCell(position, *setting) for position, setting in enumerate(_SETTINGS))

Drawn = Mapping[str, FloatArray]
"""Limits (2 x places) of each method for one simulated study."""


def _plan(kind: Any, bars: Any, interval: Any = "wilson", **changes: Any) -> AveragePlan:
    settings = {"joint": False, "independent": True, **changes}
    return AveragePlan(
        kind=kind,
        bars=bars,
        interval=interval,
        confidence_level=LEVEL,
        n_samples=2,
        draws=ResamplePlan(N_RESAMPLES, 0),
        **settings,
    )


FOLD_PLANS = {
    "binomial/wilson": _plan("vertical", "binomial"),
    "binomial/normal": _plan("vertical", "binomial", "normal"),
    "binomial/clopper-pearson": _plan("vertical", "binomial", "clopper-pearson"),
    "curves/t": _plan("vertical", "t"),
    "bootstrap/wilson-effective-n": _plan("vertical", "effective"),
}
ONE_CURVE = "n of one curve/wilson"
"""A wrong reading: the n of a single curve for the mean of all."""

ALL_ROWS = "n of all resamples/wilson"
"""Another: every row of every resample counted as a case."""


def _limits(bars: Bars) -> FloatArray:
    return np.stack([bars.low, bars.high])


def _average(sample: Sample, plan: AveragePlan, places: FloatArray) -> tuple[AveragedCurves, Any]:
    averaged = curves_to_average(sample.cases, 0, places, plan)
    return averaged, sampled_rates(averaged, plan)


def _of_folds(cell: BarCell, rng: np.random.Generator) -> Drawn:
    """Return bars of an average over curves of different cases."""
    sample = Sample(cell.is_positive, cell.draw(rng), fold=cell.fold)
    plans = FOLD_PLANS
    if cell.n_curves == 1:
        plans = {name: plan for name, plan in plans.items() if name.endswith(("wilson", "-n"))}
    averaged, rates = _average(sample, next(iter(plans.values())), cell.at)
    found = {
        name: _limits(average_rate(averaged, "tpr", rates["tpr"], 0, plan).bars)
        for name, plan in plans.items()
    }
    if cell.n_curves > 1:
        mean = rates["tpr"].mean(axis=0)
        found[ONE_CURVE] = _limits(binomial_bars(mean, cell.n_pos, "wilson", LEVEL))
    return found


def _of_resamples(cell: BarCell, rng: np.random.Generator) -> Drawn:
    """Return bars of an average over bootstrap curves of one test set."""
    positive = cell.is_positive[: cell.n_pos + cell.n_neg]
    scores = rng.standard_normal(len(positive)) + cell.shift * positive
    drawn = [
        np.concatenate([rng.choice(scores[positive == label], n) for label, n in sizes])
        for sizes in [((True, cell.n_pos), (False, cell.n_neg))] * cell.n_curves
    ]
    sample = Sample(cell.is_positive, np.concatenate(drawn), fold=cell.fold)
    plans = {
        "binomial/wilson": _plan("vertical", "binomial", independent=False),
        "curves/percentile": _plan("vertical", "percentile", independent=False),
    }
    averaged, rates = _average(sample, plans["binomial/wilson"], cell.at)
    found = {
        name: _limits(average_rate(averaged, "tpr", rates["tpr"], 0, plan).bars)
        for name, plan in plans.items()
    }
    every_row = binomial_bars(
        rates["tpr"].mean(axis=0), cell.n_curves * cell.n_pos, "wilson", LEVEL
    )
    found[ALL_ROWS] = _limits(every_row)
    found["curves/t"] = _limits(t_bars(rates["tpr"], cell.n_pos, LEVEL))
    return found


def _of_thresholds(cell: BarCell, rng: np.random.Generator) -> Drawn:
    """Return bars of both rates at the true thresholds; FPR above TPR in one array."""
    sample = Sample(cell.is_positive, cell.draw(rng), fold=cell.fold)
    plans = {
        "binomial/wilson": _plan("threshold", "binomial"),
        "binomial/wilson, joint": _plan("threshold", "binomial", joint=True),
        "curves/t": _plan("threshold", "t"),
    }
    averaged, rates = _average(sample, plans["binomial/wilson"], -ndtri(cell.at))
    return {
        name: np.concatenate(
            [
                _limits(average_rate(averaged, axis, rates[axis], 0, plan).bars)
                for axis in ("fpr", "tpr")
            ],
            axis=1,
        )
        for name, plan in plans.items()
    }


def _of_differences(cell: BarCell, rng: np.random.Generator) -> Drawn:
    """Return bars of the difference of two equal curves whose scores have correlation 0.5."""
    common = rng.standard_normal(len(cell.is_positive))
    scores = {
        name: np.sqrt(0.5) * (common + rng.standard_normal(len(common)))
        + cell.shift * cell.is_positive
        for name in ("a", "b")
    }
    sample = Sample(cell.is_positive, scores, fold=cell.fold)
    asked: dict[str, Any] = {"at": list(cell.rates), "n_resamples": N_RESAMPLES, "rng": rng}
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StatisticalWarning)
        for bars in ("effective", "t"):
            frame = roc_average_difference(sample, bars=bars, **asked)
            found[str(frame["method"].iloc[0])] = frame[["ci_low", "ci_high"]].to_numpy().T
    return found


def _of_clusters(cell: BarCell, rng: np.random.Generator) -> Drawn:
    """Return limits of a true positive rate, correlation 0.5 within clusters.

    Clusters are the curves of the cell, its AUC the rate; half of each score is the cluster's.
    """
    shape = (cell.n_curves, cell.n_pos)
    scores = np.sqrt(0.5) * (rng.standard_normal((shape[0], 1)) + rng.standard_normal(shape))
    called = (scores < ndtri(cell.auc)).ravel()
    rate = np.array([called.mean()])
    cluster = np.repeat(np.arange(shape[0]), shape[1])
    rows = ClassUnderCurve((~called).astype(np.int32), cluster, np.ones(len(called)), np.array([1]))
    variance = clustered_rate_variance([rows])
    units = cluster_units(np.full((1, shape[0]), float(shape[1])))
    found = {
        f"clusters/{name}": clustered_bars(rate, units, variance, name, LEVEL)
        for name in ("wilson", "clopper-pearson", "wald")
    }
    found["clusters ignored/wilson"] = binomial_bars(rate, len(called), "wilson", LEVEL)
    return {name: _limits(bars) for name, bars in found.items()}


SETS: dict[str, Callable[[BarCell, np.random.Generator], Drawn]] = {
    "folds": _of_folds,
    "single": _of_folds,
    "resamples": _of_resamples,
    "threshold": _of_thresholds,
    "difference": _of_differences,
    "clusters": _of_clusters,
}


def run_bar_cell(cell: BarCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method and target; random numbers depend on the cell and the seed only."""
    rng = stream(seed, cell.position)
    n = max(1, round(cell.scale * replicates))
    drawn = collect(SETS[cell.set](cell, rng) for _ in range(n))
    setting = columns_of(cell, "set n_curves n_pos n_neg auc")
    return [
        {**setting, **about, "method": method, "replicates": n, **counted}
        for method, limits in drawn.items()
        for about, counted in _counted(cell, limits)
    ]


def _counted(cell: BarCell, limits: FloatArray) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield what limits (replicates x 2 x places) were to cover, and how often they did."""
    if cell.set == "clusters":
        yield _about("rate", np.nan, cell.auc), tally(limits[:, :, 0], cell.auc)
        return
    truths = {}
    if cell.set not in ("difference", "threshold"):
        truths = dict(zip(CURVES, (cell.truth, cell.mean_truth), strict=True))
    for g, rate in enumerate(cell.rates):
        if cell.set == "difference":
            yield _about("difference", rate, 0.0), tally(limits[:, :, g], 0.0)
        elif cell.set == "threshold":
            yield from _on_both_axes(cell, limits, g)
        else:
            for name, truth in truths.items():
                value = float(truth[g])
                yield _about(name, rate, value), tally(limits[:, :, g], value)


def _about(target: str, rate: float, truth: float) -> dict[str, Any]:
    return {"target": target, "fpr": rate, "truth": round(truth, 8)}


def _on_both_axes(
    cell: BarCell, limits: FloatArray, g: int
) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the coverage of each axis, and of both together, whose width is an area."""
    rate, truth = cell.rates[g], float(cell.truth[g])
    of_fpr, of_tpr = limits[:, :, g], limits[:, :, len(cell.rates) + g]
    yield _about("fpr", rate, rate), tally(of_fpr, rate)
    yield _about("tpr", rate, truth), tally(of_tpr, truth)
    inside = [
        (low <= value) & (value <= high)
        for (low, high), value in ((of_fpr.T, rate), (of_tpr.T, truth))
    ]
    coverage = float(np.mean(inside[0] & inside[1]))
    yield (
        _about("both", rate, truth),
        {
            "coverage": coverage,
            "se": share_error(coverage, len(limits)),
            "miss_low": np.nan,
            "miss_high": np.nan,
            "mean_width": round(float(np.mean(np.ptp(of_fpr, axis=1) * np.ptp(of_tpr, axis=1))), 6),
        },
    )


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of the bars of averaged curves, of their differences and of clustered rates.",
    cells=BAR_CELLS,
    rows=run_bar_cell,
    replicates=8000,
    seed=SEED,
    ends=("seed",),
)
read_bars = SIMULATION.read
