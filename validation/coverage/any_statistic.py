"""Simulated coverage of the limits of ``Study.bootstrap``: three statistics and their differences.

Two binormal markers of areas .80 and .70, correlated by 1/2 in each class, are given as risks at a
prevalence of 1/2. ``auc`` is a smooth statistic, ``brier`` a mean over cases at the prevalence of
the sample, ``tpr_at_fpr`` (sensitivity at a false positive rate of at most .1) one that jumps. The
rule of shortfalls was fixed before the run: docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtr, ndtri
from scipy.stats import norm

from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_limits import resampled_result
from rocstats.estimate.resample_statistics import (
    draw_statistic_values,
    jackknife_values,
    statistic_values_of_cases,
)
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.study.cases import ScoredCases
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, misses, stream

TABLE = Path(__file__).with_name("any_statistic.csv")
SEED, LEVEL, N_RESAMPLES = 20040316, 0.95, 999
SIZES = ((30, 30), (15, 60), (100, 100))
SHIFTS = np.sqrt(2) * ndtri([0.80, 0.70])
NAMES = ("auc", "brier", "tpr_at_fpr")
INTERVALS = ("bca", "percentile")
FPR = 0.1
FIRST = 3
"""The mean width of so many data sets has a column of its own, which the tests make again."""


def statistics(y_true: BoolArray, y_score: FloatArray) -> FloatArray:
    """Return area, Brier score, and sensitivity at a false positive rate of at most ``FPR``."""
    pos, neg = y_score[y_true], np.sort(y_score[~y_true])
    ranks = np.searchsorted(neg, pos, "left") + np.searchsorted(neg, pos, "right")
    area = ranks.sum() / (2 * len(pos) * len(neg))
    cut = neg[len(neg) - 1 - int(FPR * len(neg) + 1e-9)]
    errors = ((1 - pos) ** 2).sum() + (neg**2).sum()
    return np.array([area, errors / len(y_true), (pos > cut).mean()])


def truths(n_pos: int, n_neg: int) -> FloatArray:
    """Return the true values (predictor x statistic); the share of positives is the sample's."""
    rows = []
    for shift in SHIFTS:

        def error(x: float, shift: float = shift) -> float:
            pos, neg = (1 - _risk(x, shift)) ** 2 * norm.pdf(x - shift), _risk(x, shift) ** 2
            return float((n_pos * pos + n_neg * neg * norm.pdf(x)) / (n_pos + n_neg))

        brier = quad(error, -12, 12 + shift, epsabs=1e-12)[0]
        rows.append([ndtr(shift / np.sqrt(2)), brier, ndtr(shift + ndtri(FPR))])
    return np.array(rows)


def _risk(x: Any, shift: Any) -> Any:
    """Return the probability of a positive at marker ``x``, at a prevalence of 1/2."""
    return expit(shift * (x - shift / 2))


def draw_cases(n_pos: int, n_neg: int, rng: np.random.Generator) -> ScoredCases:
    """Return the risks of one data set, positives first."""
    common = rng.standard_normal(n_pos + n_neg)
    own = rng.standard_normal((2, n_pos + n_neg))
    is_positive = np.arange(n_pos + n_neg) < n_pos
    markers = np.sqrt(0.5) * (common + own) + SHIFTS[:, np.newaxis] * is_positive
    risks = _risk(markers, SHIFTS[:, np.newaxis])
    return ScoredCases(scores=risks, is_positive=is_positive, higher_is_positive=(True, True))


def limits_in(cases: ScoredCases, plan: ResamplePlan) -> Iterator[tuple[float, float]]:
    """Yield limits by interval, of the first marker and of the difference, of each statistic."""
    values = (
        statistic_values_of_cases(cases, statistics),
        draw_statistic_values(cases, statistics, plan).values,
    )
    deleted = jackknife_values(cases, statistics)
    tested = read_hypothesis("difference", None, "two-sided", 0.0, LEVEL)
    for interval in INTERVALS:
        parts = (*values, deleted.values) if interval == "bca" else values
        for paired in (False, True):
            for q in range(len(NAMES)):
                found = resampled_result(
                    [part[0, q] - paired * part[1, q] for part in parts],
                    deleted if interval == "bca" else None,
                    tested,
                )
                yield found.ci_low, found.ci_high


def limits_of_cell(position: int, replicates: int, seed: int) -> FloatArray:
    """Return limits (replicates x answers x 2); a shorter run is the start of a longer one."""
    made = []
    for number in range(replicates):
        cases = draw_cases(*SIZES[position], stream(seed, position, number))
        made.append(list(limits_in(cases, ResamplePlan(N_RESAMPLES, number))))
    return np.array(made)


def rows_of_cell(position: int, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each interval, contrast and statistic of one pair of sizes."""
    limits = limits_of_cell(position, replicates, seed)
    n_pos, n_neg = SIZES[position]
    true = truths(n_pos, n_neg)
    rows, places = [], ((i, p, q) for i in INTERVALS for p in (False, True) for q in range(3))
    for (interval, paired, q), (low, high) in zip(places, limits.transpose(1, 2, 0), strict=True):
        truth = true[0, q] - paired * true[1, q]
        defined = np.isfinite(low)
        rows.append(
            {
                "n_pos": n_pos, "n_neg": n_neg, "quantity": NAMES[q], "difference": paired,
                "interval": interval, "truth": truth,
                **misses(low[defined], high[defined], truth),
                "mean_width": np.mean((high - low)[defined]),
                "first_width": np.mean((high - low)[:FIRST]), "defined": defined.sum(),
                "replicates": replicates, "n_resamples": N_RESAMPLES, "level": LEVEL,
            }
        )  # fmt: skip
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of the limits of Study.bootstrap for three statistics and differences.",
    cells=range(len(SIZES)),
    rows=rows_of_cell,
    replicates=2000,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL, samples="defined"),),
    ends=("seed", "shortfall"),
    digits=6,
)
read_any_statistic = SIMULATION.read
