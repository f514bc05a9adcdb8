"""Simulated coverage of limits of calibration at a prevalence, of cases sampled by class.

Logits of predicted risks are normal in the population with standard deviation 1.5. Outcomes have
these risks ("calibrated"), or those of intercept -.3 and slope .7 ("overfitted"); the mean of the
logits gives the prevalence. Positives and negatives are drawn from their distributions. Of
"hundredths" the risks are rounded to .01, those below .005 to .005.

``before`` and ``before_width`` are of the methods before: class weights in every fit, with
sandwich errors and normal quantiles. ``curve`` is the least coverage at the 10th, 50th and 90th
percentile of the risks in the population. The bound was set before the run: coverage of .93, size
of .065.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import chdtrc, expit, logit
from scipy.stats import norm

from rocstats.estimate.shares import WeightedCases
from rocstats.facts.arrays import FloatArray
from rocstats.inference.calibration.fits import (
    fit_logistic,
    fit_spline,
    spline_design,
    spline_knots_of_risks,
)
from rocstats.inference.calibration.measures import (
    calibration_intercept,
    cox_line,
    events_ratio,
    events_ratio_limits,
    intercept_limits,
)
from rocstats.inference.calibration.risks import Risks
from validation.simulation import Bound, Simulation, over, under

TABLE = Path(__file__).with_name("calibration_by_class.csv")
SEED, LEVEL = 19790966, 0.95
COVERAGE, SIZE = 0.93, 0.065
"""The bounds, set before the run."""
_SD = 1.5
_Z = float(norm.ppf((1 + LEVEL) / 2))
# Of the first samples alone: widths, curves and the methods before, which take most of the time.
_FIRST = 500


class Cell(NamedTuple):
    """Positives, negatives, prevalence, the model, and how risks are written."""

    n_pos: int
    n_neg: int
    prevalence: float
    model: str
    risks: str = "continuous"

    @property
    def truth(self) -> tuple[float, float]:
        """Intercept and slope of the logit of the true risk on that of the predicted one."""
        return (0.0, 1.0) if self.model == "calibrated" else (-0.3, 0.7)


CELLS = (
    *(
        Cell(*sizes, model)
        for sizes in (
            (50, 50, 0.02), (101, 99, 0.02), (30, 103, 0.01), (10, 100, 0.05), (20, 200, 0.1),
            (50, 500, 0.02), (200, 50, 0.3),
        )
        for model in ("calibrated", "overfitted")
    ),
    Cell(50, 100, 0.1, "calibrated", "hundredths"),
)  # fmt: skip


class Truth(NamedTuple):
    """True values of a cell, the places of the logits, and their weights by class."""

    values: dict[str, float]
    places: FloatArray
    by_class: tuple[FloatArray, FloatArray]


def rounded(cell: Cell, at: FloatArray) -> FloatArray:
    """Return logits as they are, or those of risks in hundredths."""
    if cell.risks == "continuous":
        return at
    return np.asarray(logit(np.maximum(np.round(expit(at), 2), 0.005)))


def true_values(cell: Cell) -> Truth:
    """Return the true values, by sums over normal quantiles."""
    z = np.linspace(-8, 8, 16_001)
    weight = norm.pdf(z) / norm.pdf(z).sum()
    a, b = cell.truth

    def gap(mean: float) -> float:
        return float(weight @ expit(a + b * (mean + _SD * z))) - cell.prevalence

    at = float(brentq(gap, -20, 10)) + _SD * z
    of_event, shown = expit(a + b * at), rounded(cell, at)
    values = {
        "observed_expected_ratio": cell.prevalence / float(weight @ expit(shown)),
        "calibration_intercept": float(
            brentq(lambda c: float(weight @ expit(c + shown)) - cell.prevalence, -10, 10)
        ),
        "calibration_slope": b,
    }
    return Truth(values, at, (weight * of_event, weight * (1 - of_event)))


def logits_of(cell: Cell, truth: Truth, rng: np.random.Generator) -> FloatArray:
    """Return the logits of the cases of one sample, positives first."""
    drawn = [
        np.interp(rng.random(n), np.cumsum(weight) / weight.sum(), truth.places)
        for n, weight in zip((cell.n_pos, cell.n_neg), truth.by_class, strict=True)
    ]
    return rounded(cell, np.concatenate(drawn))


def risks_of(cell: Cell, at: FloatArray) -> Risks:
    """Return the risks of a sample at the prevalence of its cell."""
    positive = np.arange(len(at)) < cell.n_pos
    return Risks(expit(at), WeightedCases(positive, np.ones(len(at)), None), cell.prevalence)


def limits_of(risks: Risks) -> dict[str, tuple[float, float]]:
    """Return the limits of a sample; NaN where a likelihood has no maximum."""
    found, line = calibration_intercept(risks), cox_line(risks)
    nothing = (np.nan, np.nan)
    slope = nothing
    if line is not None:
        slope = (line.coef[1] - _Z * line.slope_se, line.coef[1] + _Z * line.slope_se)
    return {
        "observed_expected_ratio": events_ratio_limits(risks, LEVEL),
        "calibration_intercept": (
            nothing if found is None else intercept_limits(risks, found[0], LEVEL)
        ),
        "calibration_slope": slope,
    }


def limits_before(risks: Risks) -> dict[str, tuple[float, float]]:
    """Return the limits of the methods before, by class weights, and their joint test's P value."""
    ratio, found = events_ratio(risks), calibration_intercept(risks)
    reach = _Z * ratio.se / ratio.value
    limits = {
        "observed_expected_ratio": (ratio.value * np.exp(-reach), ratio.value * np.exp(reach))
    }
    value, se = (np.nan, np.nan) if found is None else found
    limits["calibration_intercept"] = (value - _Z * se, value + _Z * se)
    design = np.column_stack([np.ones(len(risks.risk)), risks.logit])
    fit, perfect = fit_logistic(risks, design, np.array([0.0, 1.0])), np.array([0.0, 1.0])
    if fit is None:
        return {**limits, "calibration_slope": (np.nan, np.nan), "joint": (np.nan, np.nan)}
    se = float(np.sqrt(fit.covariance[1, 1]))
    wald = (fit.coef - perfect) @ np.linalg.solve(fit.covariance, fit.coef - perfect)
    limits["calibration_slope"] = (fit.coef[1] - _Z * se, fit.coef[1] + _Z * se)
    return {**limits, "joint": (float(chdtrc(2, wald)), np.nan)}


def curve_held(cell: Cell, truth: Truth, risks: Risks, *, weighted: bool) -> FloatArray:
    """Return whether the limits of the spline curve hold at three risks; NaN without a curve."""
    mean = float(np.median(truth.places))
    points = mean + _SD * np.asarray(norm.ppf([0.1, 0.5, 0.9]), dtype=np.float64)
    knots = spline_knots_of_risks(risks)
    if weighted:
        design = spline_design(risks.logit, knots)
        fit = fit_logistic(risks, design, np.eye(design.shape[1])[1])
    else:
        spline = fit_spline(risks)
        fit = None if spline is None else spline.fit
    if fit is None:
        return np.full(3, np.nan)
    at = spline_design(points, knots)
    se = np.sqrt(np.einsum("ij,jk,ik->i", at, fit.covariance, at))
    a, b = cell.truth
    return np.asarray(np.abs(at @ fit.coef - (a + b * points)) <= _Z * se, dtype=np.float64)


def run_cell(position: int, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of a cell."""
    cell = CELLS[position]
    truth, rng = true_values(cell), np.random.default_rng([seed, position])
    held: dict[str, list[Any]] = {}
    ratio = truth.values["observed_expected_ratio"]
    places = (
        ("observed_expected_ratio", 0.0, cell.prevalence / ratio),
        ("calibration_intercept", truth.values["calibration_intercept"], cell.prevalence),
    )

    def note(name: str, value: Any) -> None:
        held.setdefault(name, []).append(value)

    for number in range(replicates):
        risks = risks_of(cell, logits_of(cell, truth, rng))
        line = cox_line(risks)
        note("intercept_and_slope", np.nan if line is None else line.joint.p_value < 1 - LEVEL)
        # The truth lies between limits where its t is between the quantiles: no limit is sought.
        for name, moved, share in places:
            mean = risks.skewed_mean(expit(risks.logit + moved))
            note(name, abs(mean.t(share)) <= mean.reach(LEVEL))
        slope = np.nan
        if line is not None:
            gap = abs(line.coef[1] - truth.values["calibration_slope"])
            slope = gap <= _Z * line.slope_se
        note("calibration_slope", slope)
        if number >= _FIRST:
            continue
        for name, (low, high) in limits_of(risks).items():
            note(f"width {name}", high - low)
        before = limits_before(risks)
        note("before intercept_and_slope", before.pop("joint")[0] < 1 - LEVEL)
        for name, (low, high) in before.items():
            note(f"before {name}", low <= truth.values[name] <= high)
            note(f"before_width {name}", high - low)
        if cell.risks == "continuous":
            note("curve", curve_held(cell, truth, risks, weighted=False))
            note("before curve", curve_held(cell, truth, risks, weighted=True))
    return [_row(cell, name, held) for name in _quantities(held)]


def _quantities(held: dict[str, list[Any]]) -> list[str]:
    return [name for name in held if " " not in name]


def _row(cell: Cell, name: str, held: dict[str, list[Any]]) -> dict[str, Any]:
    """Return a row; a sample without limits counts as a miss, and its share is given."""
    share, before = (_share(held[key]) for key in (name, f"before {name}"))
    kind = "coverage"
    if name == "intercept_and_slope":
        kind = "size" if cell.model == "calibrated" and cell.risks == "continuous" else "power"
    return {
        **cell._asdict(),
        "quantity": name,
        "kind": kind,
        "share": share,
        "before": before,
        **{
            column: _median(held.get(f"{column} {name}", []))
            for column in ("width", "before_width")
        },
        "undefined": float(np.isnan(np.asarray(held[name], dtype=np.float64)).mean()),
        "replicates": len(held[name]),
    }


def _share(values: list[Any]) -> float:
    return float(np.min(np.mean(np.nan_to_num(np.asarray(values, dtype=np.float64)), axis=0)))


def _median(values: list[float]) -> float:
    return float(np.nanmedian(values)) if values else np.nan


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size of calibration at a prevalence, of cases sampled by class.",
    cells=range(len(CELLS)),
    rows=run_cell,
    replicates=4000,
    seed=SEED,
    bounds=(
        Bound("share", under, COVERAGE, where="kind == 'coverage'"),
        Bound("share", over, SIZE, where="kind == 'size'"),
    ),
    ends=("shortfall",),
    digits=6,
)
read_table = SIMULATION.read
