"""How often new markers of pure noise are found useful: ``python -m validation.net_benefit.noise``.

A logistic model of one useful marker, and the same model with two markers of standard normal noise
added, are fitted to ``n`` cases and judged on 2000 new ones. The new model is worse in truth: each
significant improvement (one-sided, .05) is an error. NRI and IDI are those of Pencina et al. (Stat
Med 2008;27:157 and 2011;30:11), with their standard errors; the differences of area, Brier score
and net benefit are those of the package.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import norm

import rocstats as rs

TABLE = Path(__file__).with_name("noise.csv")
SEED, RUNS, N_NEW, LEVEL = 20151201, 600, 2000, 0.05
SIZES = (50, 100, 300)
INTERCEPT, SLOPE, N_NOISE = -1.0, 1.0, 2
"""Of the useful marker: 30% of cases have the condition, its area is about .75."""
RISK_THRESHOLD = 0.2
MEASURES = ("nri", "idi", "auc", "brier_score", "net_benefit")
_STEPS = 30  # Newton's method doubles its digits at each step; few are needed but near separation
Floats = np.ndarray[Any, np.dtype[np.float64]]


def fitted(x: Floats, y: Floats) -> Floats | None:
    """Return the coefficients of a logistic regression; None where a class is separated."""
    beta: Floats = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = expit(x @ beta)
        step = np.linalg.lstsq((x.T * (p * (1 - p))) @ x, x.T @ (y - p), rcond=None)[0]
        beta = beta + step
        if not np.abs(beta).max() < 30:  # a risk of e^-30: separated
            return None
        if np.abs(step).max() < 1e-10:
            return beta
    return None


def two_models(n: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return outcomes of new cases, and their risks by the old model and by the one with noise."""
    while True:
        x = np.column_stack([np.ones(n + N_NEW), rng.normal(size=(n + N_NEW, 1 + N_NOISE))])
        y = (rng.random(n + N_NEW) < expit(INTERCEPT + SLOPE * x[:, 1])).astype(float)
        old, new = fitted(x[:n, :2], y[:n]), fitted(x[:n], y[:n])
        if old is not None and new is not None:
            return y[n:], expit(x[n:, :2] @ old), expit(x[n:] @ new)


def reclassified(y: Floats, old: Floats, new: Floats) -> dict[str, tuple[float, float]]:
    """Return the category-free NRI and the IDI, each with its one-sided P value."""
    ill = y == 1
    up, moved = np.sign(new - old), new - old
    nri = up[ill].mean() - up[~ill].mean()
    nri_se = np.sqrt(up[ill].var() / ill.sum() + up[~ill].var() / (~ill).sum())
    idi = moved[ill].mean() - moved[~ill].mean()
    idi_se = np.sqrt(moved[ill].var(ddof=1) / ill.sum() + moved[~ill].var(ddof=1) / (~ill).sum())
    return {
        name: (float(value), float(norm.sf(value / se)))
        for name, value, se in (("nri", nri, nri_se), ("idi", idi, idi_se))
    }


def differences(y: Floats, old: Floats, new: Floats) -> dict[str, tuple[float, float]]:
    """Return what the package says of the new model minus the old one: gains are above 0."""
    study = rs.Study(y, {"new": new, "old": old})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        area = study.compare_auc(alternative="greater").iloc[0]
        benefit = study.compare_net_benefit(risk_threshold=RISK_THRESHOLD, alternative="greater")
        brier = study.compare_probability_scores(alternative="less").iloc[0]
    gain = benefit.iloc[0]
    return {
        "auc": (area["estimate"], area["p_value"]),
        "brier_score": (-brier["estimate"], brier["p_value"]),
        "net_benefit": (gain["estimate"], gain["p_value"]),
    }


def simulated(n: int, runs: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each measure: its mean, and the share of runs that found noise useful."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in MEASURES}
    for run in range(runs):
        rng = np.random.default_rng([SEED, n, run])
        models = two_models(n, rng)
        for name, value in {**reclassified(*models), **differences(*models)}.items():
            found[name].append(value)
    for name, values in found.items():
        gain, p = np.array(values).T
        yield {
            "n": n,
            "measure": name,
            "runs": runs,
            "mean_gain": round(float(gain.mean()), 5),
            "significant": round(float((p < LEVEL).mean()), 4),
        }


def read_noise() -> pd.DataFrame:
    """Return the committed simulation: a row for each number of cases and measure."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.net_benefit.noise", description=__doc__
    )
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of a number of cases")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = [row for n in SIZES for row in simulated(n, asked.runs)]
    pd.DataFrame(rows).to_csv(asked.output, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
