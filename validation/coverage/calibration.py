"""Simulated coverage of limits and size of tests of calibration, of right and overfitted models.

Logits of predicted risks are normal with standard deviation 1.5. Outcomes have these risks
("calibrated"), or those of intercept -.3 and slope .7 ("overfitted"); the mean of the logits gives
the share of events. ``curve`` is the least coverage at the 10th, 50th and 90th percentile of the
risks, ``curve_band`` that of the whole curve from the 1st to the 99th percentile of the cases.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import chdtrc, expit, logit
from scipy.stats import norm, t

from rocstats.estimate.shares import WeightedCases, satterthwaite_df_by_class
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.inference.calibration.fits import (
    logistic_log_likelihood,
    newton_logistic_coefficients,
    spline_design,
    spline_knots_of_risks,
)
from rocstats.inference.calibration.measures import events_ratio, spiegelhalter
from rocstats.inference.calibration.risks import Risks
from rocstats.inference.calibration.scores import SCORES, probability_score
from validation.bounds import too_high, too_low
from validation.simulation import Bound, Simulation, batches

TABLE = Path(__file__).with_name("calibration.csv")
REPLICATES = 1500
SEED = 20211
LEVEL = 0.95
_SD = 1.5
_Z = float(norm.ppf((1 + LEVEL) / 2))
_BATCH = 100  # data sets of 1000 cases with four columns: some 3 MB a batch
_DRAWS = 2000  # of the largest normal variable: error of the quantile about 0.03
_GRID = 25
_LIMITS = (
    "observed_expected_ratio", "calibration_intercept", "intercept_of_model", "calibration_slope",
    *SCORES, "curve", "curve_band",
)  # fmt: skip
_TESTS = ("intercept_and_slope", "spiegelhalter_z")


class Cell(NamedTuple):
    """Number of cases, share of events, and the model."""

    n: int
    events: float
    model: str

    @property
    def truth(self) -> tuple[float, float]:
        """Intercept and slope of the logit of the true risk on that of the predicted one."""
        return (0.0, 1.0) if self.model == "calibrated" else (-0.3, 0.7)


CELLS = tuple(
    Cell(n, events, model)
    for n, events in ((100, 0.3), (500, 0.3), (1000, 0.3), (500, 0.05), (1000, 0.05))
    for model in ("calibrated", "overfitted")
)


class Truth(NamedTuple):
    """True values of a cell, and the mean of its logits."""

    mean: float
    values: dict[str, float]


def true_values(cell: Cell) -> Truth:
    """Return the true values, by sums over normal quantiles."""
    z = np.linspace(-9, 9, 20_001)
    weight = norm.pdf(z) / norm.pdf(z).sum()
    a, b = cell.truth

    def share_at(mean: float) -> float:
        return float(weight @ expit(a + b * (mean + _SD * z))) - cell.events

    mean = float(brentq(share_at, -10, 10))
    at = mean + _SD * z
    p, q = expit(at), expit(a + b * at)
    brier = float(weight @ (q * (1 - p) ** 2 + (1 - q) * p**2))
    values = {
        "observed_expected_ratio": cell.events / float(weight @ p),
        "calibration_intercept": float(
            brentq(lambda c: float(weight @ expit(c + at)) - cell.events, -10, 10)
        ),
        "calibration_slope": b,
        "brier_score": brier,
        "scaled_brier_score": 1 - brier / (cell.events * (1 - cell.events)),
        "log_score": float(-weight @ (q * np.log(p) + (1 - q) * np.log1p(-p))),
    }
    return Truth(mean, {**values, "intercept_of_model": values["calibration_intercept"]})


def run_cell(cell: Cell, replicates: int = REPLICATES, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the rows of a cell: shares of samples with limits around the truth, or rejected."""
    truth, rng = true_values(cell), np.random.default_rng([seed, CELLS.index(cell)])
    held: dict[str, list[FloatArray]] = {}
    for size in batches(replicates, _BATCH):
        at = truth.mean + _SD * rng.standard_normal((size, cell.n))
        outcome = rng.random(at.shape) < expit(cell.truth[0] + cell.truth[1] * at)
        for name, values in _batch(cell, truth, at, outcome, rng).items():
            held.setdefault(name, []).append(values)
    return [_row(cell, name, np.concatenate(values)) for name, values in held.items()]


def _row(cell: Cell, name: str, held: FloatArray) -> dict[str, Any]:
    kind = "coverage"
    if name in _TESTS:
        kind = "size" if cell.model == "calibrated" else "power"
    return {
        **cell._asdict(),
        "quantity": name,
        "kind": kind,
        # A fit without a maximum has no limits: it counts as a miss, and its share is given.
        "share": float(np.min(np.mean(np.nan_to_num(held), axis=0))),
        "undefined": float(np.isnan(held).mean()),
        "replicates": len(held),
    }


def _batch(
    cell: Cell, truth: Truth, at: FloatArray, outcome: BoolArray, rng: np.random.Generator
) -> dict[str, FloatArray]:
    """Return whether limits hold the truth, or tests reject, in each data set; NaN: undefined."""
    found = _lines(truth, at, outcome.astype(np.float64))
    singles = [_means(truth, row, y) for row, y in zip(at, outcome, strict=True)]
    for name in singles[0]:
        found[name] = np.array([one[name] for one in singles])
    curves = [
        _curve(cell, truth, row, y, rng.standard_normal((_DRAWS, 4)))
        for row, y in zip(at, outcome, strict=True)
    ]
    found["curve"] = np.array([one[:3] for one in curves])
    found["curve_band"] = np.array([one[3] for one in curves])
    return found


def _holds(value: Any, se: Any, truth: float) -> FloatArray:
    gap = np.abs(np.asarray(value) - truth)
    return np.where(np.isnan(se), np.nan, gap <= _Z * np.asarray(se))


def _lines(truth: Truth, at: FloatArray, y: FloatArray) -> dict[str, FloatArray]:
    """Return intercepts, slopes and joint tests of all data sets at once."""
    one, n = np.ones((*at.shape, 1)), at.shape[1]
    free, _ = newton_logistic_coefficients(one, y, np.ones_like(y), at, np.zeros(1))
    mu = expit(at + free)
    information = (mu * (1 - mu)).sum(axis=1)
    robust = np.sqrt(((y - mu) ** 2).sum(axis=1) * n / (n - 1)) / information
    design = np.stack([np.ones_like(at), at], axis=-1)
    coef, found = newton_logistic_coefficients(
        design, y, np.ones_like(y), np.zeros_like(at), np.array([0.0, 1.0])
    )
    eta = np.einsum("bnq,bq->bn", design, coef)
    weighted = design * (expit(eta) * expit(-eta))[..., np.newaxis]
    covariance = np.linalg.inv(np.swapaxes(weighted, 1, 2) @ design)
    se = np.where(found, np.sqrt(covariance[:, 1, 1]), np.nan)
    ones = np.ones_like(y)
    ratio = 2 * (logistic_log_likelihood(y, ones, eta) - logistic_log_likelihood(y, ones, at))
    intercept = truth.values["calibration_intercept"]
    return {
        "calibration_intercept": _holds(free[:, 0], robust, intercept),
        "intercept_of_model": _holds(free[:, 0], information**-0.5, intercept),
        "calibration_slope": _holds(coef[:, 1], se, truth.values["calibration_slope"]),
        "intercept_and_slope": np.where(found, chdtrc(2.0, ratio) < 1 - LEVEL, np.nan),
    }


def _means(truth: Truth, at: FloatArray, outcome: BoolArray) -> dict[str, float]:
    """Return what means over cases show in one data set."""
    risks = Risks(expit(at), WeightedCases(outcome, np.ones(len(at)), None))
    ratio = events_ratio(risks)
    name = "observed_expected_ratio"
    held = {name: float(_holds(np.log(ratio.value), ratio.se / ratio.value,
                               float(np.log(truth.values[name]))))}  # fmt: skip
    for which in SCORES:
        found = probability_score(risks, which)
        # Limits of t: in units of a normal standard error.
        longer = (
            t.ppf((1 + LEVEL) / 2, satterthwaite_df_by_class(risks.cases, found.influence)) / _Z
        )
        held[which] = float(_holds(found.value, longer * found.se, truth.values[which]))
    return {**held, "spiegelhalter_z": float(abs(spiegelhalter(risks)) > _Z)}


def _curve(
    cell: Cell, truth: Truth, at: FloatArray, outcome: BoolArray, normal: FloatArray
) -> FloatArray:
    """Return whether pointwise limits hold at three risks, and the band all along the curve."""
    risks = Risks(expit(at), WeightedCases(outcome, np.ones(len(at)), None))
    knots = spline_knots_of_risks(risks)
    design, y = spline_design(at, knots), outcome.astype(np.float64)
    start = np.eye(design.shape[1])[1]
    coef, found = newton_logistic_coefficients(design, y, np.ones_like(y), np.zeros_like(y), start)
    if not found:
        return np.full(4, np.nan)
    eta = design @ coef
    information = (design * (expit(eta) * expit(-eta))[:, np.newaxis]).T @ design
    root = np.linalg.cholesky(np.linalg.inv(information))
    p = risks.risk
    ends = np.linspace(float(np.quantile(p, 0.01)), float(np.quantile(p, 0.99)), _GRID)
    points = truth.mean + _SD * norm.ppf([0.1, 0.5, 0.9])
    where = np.concatenate([points, logit(ends)])
    moved = spline_design(where, knots) @ root
    se = np.linalg.norm(moved, axis=1)
    a, b = cell.truth
    gap = np.abs(spline_design(where, knots) @ coef - (a + b * where)) / se
    largest = np.abs(normal[:, : len(coef)] @ (moved[3:] / se[3:, np.newaxis]).T).max(axis=1)
    return np.array([*(gap[:3] <= _Z), gap[3:].max() <= np.quantile(largest, LEVEL)], dtype=float)


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits and size of tests of calibration, of right and overfitted models.",
    cells=CELLS,
    rows=run_cell,
    replicates=REPLICATES,
    seed=SEED,
    bounds=(
        Bound("share", too_low, LEVEL, where="kind == 'coverage'"),
        Bound("share", too_high, 1 - LEVEL, where="kind == 'size'"),
    ),
    ends=("shortfall",),
    digits=6,
    words=True,
)
