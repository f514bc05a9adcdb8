"""Random curves for bands: bootstrap curves at false positive rates, and the limit process."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.averages import average_draws
from rocstats.stats.resampling.curves.polygons import crossed_ties, table_curves
from rocstats.stats.resampling.curves.rates import tpr_draws
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws

# Both engines draw the same distribution: the bound decides the time only. It is below that of an
# area (CASES_PER_CELL), as E1 here also gathers and sums the weights of cases by score.
_CASES_PER_SCORE = 10


def curve_draws(sample: ScoredCases, k: int, fpr: FloatArray, plan: ResamplePlan) -> ValidDraws:
    """Return resampled curves of predictor ``k`` at increasing FPRs; folds are pooled.

    A curve is read at the top of its vertical steps and along the sloped segments of ties. Classes
    are resampled apart, clusters whole.
    """
    counts = sample.counts(k)
    cases = counts.total_pos + counts.total_neg
    of_cases = sample.cluster is not None or sample.sample_weight is not None
    # Without ties across classes curves are steps, drawn at a cost that does not grow with n (E3);
    # with them the segment of a tie varies, so that tables (E2) or cases (E1) are drawn.
    if not of_cases and not crossed_ties(counts):
        return ValidDraws(tpr_draws(counts, fpr, plan))
    if not of_cases and (
        sample.frequency is not None or cases > _CASES_PER_SCORE * len(counts.score)
    ):
        return ValidDraws(table_curves(counts, fpr, plan))
    draws = average_draws(sample.pooled(), [k], fpr, plan)
    return draws._replace(values=draws.values[:, 0])


def limit_process_sups(
    fpr: FloatArray,
    tpr: FloatArray,
    slope: FloatArray,
    n_pos: float,
    n_neg: float,
    plan: ResamplePlan,
) -> FloatArray:
    """Return the largest abs(G)/sd over the FPRs of each path of the limit process of a curve.

    G(t) = B1(R(t))/sqrt(m) + r(t) B0(t)/sqrt(n), with independent Brownian bridges and r the slope
    of the curve R (Hsieh & Turnbull 1996). The rates increase; where sd is 0 the path is 0.
    """
    sd = limit_process_sd(fpr, tpr, slope, n_pos, n_neg)
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    sups = np.empty(plan.n_resamples)
    for part in plan.chunks(len(fpr) + 1):
        size = part.stop - part.start
        path = _bridges(of_pos, tpr, size) / np.sqrt(n_pos)
        path += slope * _bridges(of_neg, fpr, size) / np.sqrt(n_neg)
        scaled = np.divide(np.abs(path), sd, out=np.zeros(path.shape), where=sd > 0)
        sups[part] = scaled.max(axis=1)
    return sups


def limit_process_sd(
    fpr: FloatArray, tpr: FloatArray, slope: FloatArray, n_pos: float, n_neg: float
) -> FloatArray:
    """Return the standard deviation of the limit process of a curve at each FPR."""
    variance = tpr * (1 - tpr) / n_pos + slope**2 * fpr * (1 - fpr) / n_neg
    return np.asarray(np.sqrt(variance))


def _bridges(rng: np.random.Generator, at: FloatArray, size: int) -> FloatArray:
    """Return size Brownian bridges at increasing times in [0, 1]."""
    # W(t) - t W(1): exact at the given times, so that their grid adds no discretisation error.
    steps = np.sqrt(np.diff(at, prepend=0.0, append=1.0))
    motion = np.cumsum(rng.standard_normal((size, len(at) + 1)) * steps, axis=1)
    return np.asarray(motion[:, :-1] - at * motion[:, -1:])
