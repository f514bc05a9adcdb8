"""Bands around a binormal curve."""

from __future__ import annotations

from collections.abc import Callable

from rocstats.sample.arrays import FloatArray, Limits
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.record import Band, BandMethod, BandRequest, MakeBand
from rocstats.stats.binormal.areas import curve as fitted_curve
from rocstats.stats.binormal.bands import ellipse_limits, working_hotelling_limits
from rocstats.stats.binormal.fit import BinormalFit, fit_counts, fit_normal


def _fitted(
    fit: Callable[[ScoredCases, int], BinormalFit],
    limits: Callable[[BinormalFit, FloatArray, float], Limits],
) -> MakeBand:
    """Return the function that makes a band around a binormal curve."""

    def make(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
        fitted = fit(cases, k)
        if not fitted.converged:
            return None
        low, high = limits(fitted, request.at, request.confidence_level)
        return Band(fitted_curve(fitted, request.at), low, high)

    return make


def fit_ranks(cases: ScoredCases, k: int) -> BinormalFit:
    """Return the binormal fit of predictor ``k``, which depends on ranks only."""
    return fit_counts(cases.counts(k))


def _by_scores(cases: ScoredCases, k: int) -> BinormalFit:
    counts = cases.counts(k)
    # Normal theory needs the direction of the scores; the fit to ranks has it in its counts.
    sign = 1.0 if cases.higher_is_positive[k] else -1.0
    return fit_normal(sign * counts.score, counts.n_pos, counts.n_neg)


def _working_hotelling(fit: BinormalFit, at: FloatArray, level: float) -> Limits:
    return working_hotelling_limits(fit, at, level, "simultaneous")


WORKING_HOTELLING = BandMethod(
    "working-hotelling",
    "Working-Hotelling bands of a binormal model fitted to the ranks",
    _fitted(fit_ranks, _working_hotelling),
    resamples=False,
    clusters=False,
    fitted=True,
    references=("ma-1993",),
)
WORKING_HOTELLING_NORMAL = BandMethod(
    "working-hotelling-normal",
    "Working-Hotelling bands of a binormal model that takes the scores for normal",
    _fitted(_by_scores, _working_hotelling),
    resamples=False,
    clusters=False,
    fitted=True,
    ranks_only=False,
    references=("ma-1993",),
)
ELLIPSE = BandMethod(
    "ellipse",
    "envelopes of confidence ellipses of a binormal model that takes the scores for normal",
    _fitted(_by_scores, ellipse_limits),
    resamples=False,
    clusters=False,
    fitted=True,
    ranks_only=False,
    references=("demidenko-2012",),
)
