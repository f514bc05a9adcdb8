"""Coverage of limits and bands of net benefit, its differences, and means over a range.

The risk of a case is p = expit(a + 1.5 x) with x standard normal and a so that the mean of p is the
prevalence: the first predictor is calibrated. The second is expit(a + 1.5 x2), x2 and x correlated
by .8. ``known`` treats the prevalence as given, with fixed numbers of both classes. In clusters x
has the correlation ``ICC`` between the members of one, and the outcome is drawn for each. The rule
of shortfalls was fixed before the run: docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

from rocstats.estimate.benefit import (
    DRAWS,
    Benefit,
    GradedCases,
    Stakes,
    band_quantile_of_joint_normals,
    benefit_of_calls,
    case_benefits,
    mean_benefit,
    net_benefit_band_df,
    net_benefit_difference,
    net_benefit_over_treat_all,
    standardized_benefit_of_calls,
)
from rocstats.estimate.influence import matrix_product_in_blocks
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.shares import EstimatedMeasure, WeightedCases, effective_units
from rocstats.facts.arrays import BoolArray, FloatArray
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, Variant, collect, columns_of, stream

TABLE = Path(__file__).with_name("net_benefit.csv")
SEED, LEVEL, SLOPE, CORRELATION, ICC = 20061126, 0.95, 1.5, 0.8, 0.9
Z = float(norm.ppf((1 + LEVEL) / 2))
REPLICATES = {
    "net_benefit": 2000, "known": 2000, "treat-all": 1500, "pair": 1500, "mean-pair": 4000,
    "band": 750, "treat-all-band": 750, "pair-band": 750, "standardized": 4000,
    "mean": 4000, "mean-treat-all": 4000,
}  # fmt: skip
"""Number of samples by what the limits are of."""

N_POINTS = 24
_X = np.linspace(-9, 9, 18001)
_NODES, _WEIGHTS = hermegauss(40)


class BenefitCell(NamedTuple):
    """Cases and prevalence of a cell, in clusters of ``size``; ``position`` keys the streams."""

    position: int
    n: int
    prevalence: float
    size: int = 1

    @property
    def at(self) -> FloatArray:
        """The risk thresholds of pointwise limits."""
        return np.array([0.1, 0.2, 0.4, 0.6] if self.prevalence > 0.1 else [0.03, 0.05, 0.1, 0.2])

    @property
    def range(self) -> tuple[float, float]:
        """The range of bands and means."""
        return (0.05, 0.6) if self.prevalence > 0.1 else (0.02, 0.25)


_CELLS: tuple[tuple[int, float, int], ...] = (
    (100, 0.3, 1), (500, 0.3, 1), (100, 0.05, 1), (500, 0.05, 1), (2000, 0.02, 1),
    (150, 0.3, 5), (300, 0.3, 3), (500, 0.3, 5),
    (333, 0.03, 1), (1000, 0.01, 1), (101, 0.1, 1),
)  # fmt: skip
MEANS = {"mean": "net_benefit", "mean-pair": "pair", "mean-treat-all": "treat-all"}
"""The kinds of means over a range, each of a kind of limits at one risk threshold."""
FEW = {333, 1000, 101}
"""Sizes of the cells with some 10 positives: limits of one predictor alone."""
CELLS = tuple(BenefitCell(i, *cell) for i, cell in enumerate(_CELLS))


class Truth(NamedTuple):
    """The intercept of the model, and the true shares above each cut of x, or of x2.

    ``above`` (2 x 2 x cuts) are true positives, and all cases, called by both predictors.
    """

    intercept: float
    prevalence: float
    above: FloatArray

    @classmethod
    @cache
    def of(cls, prevalence: float) -> Truth:
        """Return the truth at a prevalence."""
        mass = norm.pdf(_X) * (_X[1] - _X[0])
        a = float(brentq(lambda a: mass @ expit(a + SLOPE * _X) - prevalence, -12, 5, xtol=1e-14))
        # Given x2, x is normal with mean rho x2 and variance 1 - rho^2.
        inner = CORRELATION * _X[:, np.newaxis] + np.sqrt(1 - CORRELATION**2) * _NODES
        risks = expit(a + SLOPE * _X), expit(a + SLOPE * inner) @ _WEIGHTS / _WEIGHTS.sum()
        pairs = [(risk * mass, mass) for risk in risks]
        # The trapezium rule from above, half of the cell at the cut.
        above = [[np.cumsum(part[::-1])[::-1] - part / 2 for part in pair] for pair in pairs]
        return cls(a, prevalence, np.array(above))

    def shares(self, risk_threshold: float, *, second: bool = False) -> tuple[float, float]:
        """Return the true shares of true and of false positives among all cases."""
        cut = (np.log(risk_threshold / (1 - risk_threshold)) - self.intercept) / SLOPE
        tp, every = (float(np.interp(cut, _X, part)) for part in self.above[int(second)])
        return tp, every - tp

    def benefit(self, risk_threshold: float, *, second: bool = False) -> float:
        """Return the true net benefit."""
        tp, fp = self.shares(risk_threshold, second=second)
        return tp - risk_threshold / (1 - risk_threshold) * fp

    def treat_all(self, risk_threshold: float) -> float:
        """Return the true net benefit of treating all."""
        return self.prevalence - risk_threshold / (1 - risk_threshold) * (1 - self.prevalence)

    def value(self, kind: str, risk_threshold: float) -> float:
        """Return what the limits of a kind are to hold."""
        own = self.benefit(risk_threshold)
        if kind == "standardized":
            return own / self.prevalence
        if kind.startswith("treat-all"):
            return own - self.treat_all(risk_threshold)
        return own - self.benefit(risk_threshold, second=True) if kind.startswith("pair") else own


class Draw(NamedTuple):
    """A sample: outcomes, risks of both predictors, and clusters or None."""

    is_positive: BoolArray
    risks: tuple[FloatArray, FloatArray]
    cases: WeightedCases

    def graded(self, at: FloatArray) -> GradedCases:
        """Return the grades of both predictors at risk thresholds."""
        grades = tuple(np.searchsorted(at, risk, side="right") for risk in self.risks)
        return GradedCases(self.cases, grades)


def draw_sample(cell: BenefitCell, rng: np.random.Generator, *, fixed: bool = False) -> Draw:
    """Return a sample; ``fixed`` draws the expected numbers of both classes."""
    truth, n = Truth.of(cell.prevalence), cell.n
    if fixed:
        m = round(n * cell.prevalence)
        is_positive = np.arange(n) < m
        risk = expit(truth.intercept + SLOPE * _X)
        x = np.empty(n)
        for side, weight in ((is_positive, risk), (~is_positive, 1 - risk)):
            mass = np.cumsum(weight * norm.pdf(_X))
            x[side] = np.interp(rng.random(side.sum()), mass / mass[-1], _X)
    else:
        shared = np.repeat(rng.standard_normal(n // cell.size), cell.size)
        icc = ICC if cell.size > 1 else 0.0
        x = np.sqrt(icc) * shared + np.sqrt(1 - icc) * rng.standard_normal(n)
        is_positive = rng.random(n) < expit(truth.intercept + SLOPE * x)
    other = CORRELATION * x + np.sqrt(1 - CORRELATION**2) * rng.standard_normal(n)
    first, second = (expit(truth.intercept + SLOPE * score) for score in (x, other))
    cluster = np.repeat(np.arange(n // cell.size), cell.size) if cell.size > 1 else None
    cases = WeightedCases(is_positive, np.ones(n), cluster)
    return Draw(is_positive, (first, second), cases)


def benefits_of(
    kind: str, graded: GradedCases, stakes: Sequence[Stakes]
) -> Sequence[EstimatedMeasure]:
    """Return the estimates of a kind at each risk threshold."""
    first = [graded.called(g) for g in range(len(stakes))]
    if kind.startswith("pair"):
        second = [graded.called(g, 1) for g in range(len(stakes))]
        triples = zip(first, second, stakes, strict=True)
        return [net_benefit_difference(graded.cases, a, b, at) for a, b, at in triples]
    if kind == "standardized":
        pairs = zip(first, stakes, strict=True)
        return [standardized_benefit_of_calls(graded.cases, a, at) for a, at in pairs]
    make = net_benefit_over_treat_all if kind.startswith("treat-all") else benefit_of_calls
    return [make(graded.cases, a, at) for a, at in zip(first, stakes, strict=True)]


def limits_by(word: str, estimates: Sequence[EstimatedMeasure], quantile: float) -> FloatArray:
    """Return both limits of each estimate: normal ones, or by MOVER."""
    if word == "wald":
        value = np.array([estimate.value for estimate in estimates])
        reach = quantile * np.sqrt([estimate.variance for estimate in estimates])
        return np.array([value - reach, value + reach])
    return np.array([[one.limit(at) for one in estimates] for at in (-quantile, quantile)])


def pointwise(cell: BenefitCell, kind: str, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Return the limits of one sample, by kind of limits (2 x risk thresholds)."""
    sample = draw_sample(cell, rng, fixed=kind == "known")
    while kind == "standardized" and not sample.is_positive.any():  # not defined
        sample = draw_sample(cell, rng)
    prevalence = cell.prevalence if kind == "known" else None
    stakes = [Stakes(float(t), prevalence) for t in cell.at]
    estimates = benefits_of(kind, sample.graded(cell.at), stakes)
    found = {word: limits_by(word, estimates, Z) for word in ("wald", "mover")}
    if cell.size > 1:
        alone = sample._replace(cases=sample.cases._replace(cluster=None))
        estimates = benefits_of(kind, alone.graded(cell.at), stakes)
        found["mover-naive"] = limits_by("mover", estimates, Z)
    return found


def banded(cell: BenefitCell, kind: str, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Return the bands of one sample, by kind of limits (2 x grid)."""
    sample, grid = draw_sample(cell, rng), np.linspace(*cell.range, N_POINTS)
    stakes = [Stakes(float(t), None) for t in grid]
    graded = sample.graded(grid)
    estimates = [one for one in benefits_of(kind, graded, stakes) if isinstance(one, Benefit)]
    influence = np.stack([estimate.influence for estimate in estimates])
    draws = ResamplePlan(DRAWS, int(rng.integers(2**48)))
    c = band_quantile_of_joint_normals(matrix_product_in_blocks(influence, influence), LEVEL, draws)
    found = {word: limits_by(word, estimates, c) for word in ("wald", "mover")}
    c = t_quantile(float(norm.cdf(c)), net_benefit_band_df(graded.cases, estimates))
    return {**found, "mover-t": limits_by("mover", estimates, c)}


def of_means(cell: BenefitCell, kind: str, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Return the limits of a mean over the range, or of a difference: normal, and of t."""
    sample = draw_sample(cell, rng)
    risks = [*sample.risks, np.ones(cell.n)]
    first, second, every = (case_benefits(r, sample.is_positive, *cell.range) for r in risks)
    less: dict[str, Any] = {"mean": 0.0, "mean-pair": second, "mean-treat-all": every}
    mean = mean_benefit(sample.cases, first - less[kind], None)
    df = effective_units(sample.cases, mean.influence)
    reach = {"wald": Z, "wald-t": t_quantile((1 + LEVEL) / 2, df)}
    return {
        word: np.array([[mean.value - z * mean.se], [mean.value + z * mean.se]])
        for word, z in reach.items()
    }


def kinds_of(cell: BenefitCell) -> list[str]:
    """Return what limits are simulated in a cell: of clusters, pointwise ones."""
    if cell.n in FEW:
        return ["net_benefit", "band", "treat-all-band", "standardized", *MEANS]
    clustered = ["net_benefit", "treat-all", "pair", "standardized"]
    return list(REPLICATES) if cell.size == 1 else clustered


def truths_of(cell: BenefitCell, kind: str) -> FloatArray:
    """Return the true values at the risk thresholds, or over the range."""
    truth = Truth.of(cell.prevalence)
    if kind in MEANS:
        grid = np.linspace(*cell.range, 201)
        middles = ((grid[1:] + grid[:-1]) / 2).tolist()
        return np.array([np.mean([truth.value(MEANS[kind], t) for t in middles])])
    grid = np.linspace(*cell.range, N_POINTS) if kind.endswith("band") else cell.at
    return np.array([truth.value(kind, float(t)) for t in grid])


def run_benefit_cell(
    cell: BenefitCell, kind: str, replicates: int, seed: int
) -> list[dict[str, Any]]:
    """Return the rows of one kind of limits in a cell."""
    make: Callable[..., dict[str, FloatArray]] = pointwise
    if kind in MEANS:
        make = of_means
    elif kind.endswith("band"):
        make = banded
    rng = stream(seed, cell.position, list(REPLICATES).index(kind))
    drawn = collect(make(cell, kind, rng) for _ in range(replicates))
    truth = truths_of(cell, kind)
    return [
        {
            **columns_of(cell, "n prevalence"),
            "cluster_size": cell.size,
            "kind": kind,
            "limits": word,
            **row,
        }
        for word, limits in drawn.items()
        for row in _rows(cell, kind, limits, truth)
    ]


def _rows(
    cell: BenefitCell, kind: str, limits: FloatArray, truth: FloatArray
) -> Iterator[dict[str, Any]]:
    """Yield a row for each risk threshold, or one for a band or a mean."""
    low, high = limits[:, 0], limits[:, 1]
    held, width = (low <= truth) & (truth <= high), high - low
    places = cell.at.tolist()
    if kind.endswith("band") or kind in MEANS:
        held, width = np.array([held.all(axis=1)]).T, np.array([width.mean(axis=1)]).T
        places = [np.nan]
        truth = np.array([truth[0] if kind in MEANS else np.nan])
    for g, at in enumerate(places):
        coverage = float(held[:, g].mean())
        yield {
            "risk_threshold": at,
            "truth": round(float(truth[g]), 9),
            "replicates": len(held),
            "coverage": round(coverage, 6),
            "mean_width": round(float(width[:, g].mean()), 6),
            "first_widths": round(float(width[:3, g].mean()), 9),
        }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits and bands of net benefit, its differences, and means over a range.",
    cells=[Variant(cell, {"kind": kind}) for cell in CELLS for kind in kinds_of(cell)],
    rows=run_benefit_cell,
    replicates=lambda cell: REPLICATES[cell.arguments["kind"]],
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL),),
    ends=("shortfall", "seed"),
)
read_benefits = SIMULATION.read
