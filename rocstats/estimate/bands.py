"""The bands of one curve, and a band as requested: its options, columns and notes.

Fixed width along the slope -sqrt(n_neg/n_pos), by resampling [campbell-1994]; Working-Hotelling
[ma-1993] and ellipses [demidenko-2012] around a binormal curve; vertical bands from resampled
curves; over a range of rates from the limit process of the curve [jensen-2000]; limits of both
rates at each threshold, joined [fawcett-2004, macskassy-2005]: published as a band, but pointwise.
Joint bands are in exact_bands, the smoothed one in smoothed_band, bands of differences in
difference_bands; derivations in docs/methods/bands.md. A new band needs its record, a place in
``BANDS`` (the order of messages and pages) and its word in ``BandName``.

``require_band_method`` reads the options; ``band_or_joint_band`` makes the band, or the joint band
where its method has none.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, Literal

import numpy as np

from rocstats.curves.areas import read_range
from rocstats.curves.roc import roc_points, tpr_at
from rocstats.curves.rotated import Rotation, tpr_limits_of_fixed_width_band
from rocstats.errors import InputError, require_choice
from rocstats.estimate.band_record import (
    Band,
    BandMethod,
    BandRequest,
    MakeBand,
    largest_empirical_tpr_at_fpr,
    resamples_cannot_vary,
)
from rocstats.estimate.bars import binomial_bars, effective_size_bars, percentile_bars
from rocstats.estimate.binormal import (
    BinormalFit,
    ellipse_limits,
    fit_binormal_to_counts,
    fit_binormal_to_normal_scores,
    fitted_binormal_curve,
    fitted_binormal_slope,
    working_hotelling_limits,
)
from rocstats.estimate.exact_bands import JOINT, JOINT_EXACT, joint
from rocstats.estimate.proportions import wilson_centre
from rocstats.estimate.resample import ResamplePlan, enough_valid_resamples, sup_quantile
from rocstats.estimate.resample_bands import rotated_curve_distances
from rocstats.estimate.resample_curves import curve_draws, limit_process_sd, limit_process_sups
from rocstats.estimate.smoothed_band import SMOOTHED_SCORE
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, Limits
from rocstats.facts.tolerances import FEW_CASES, SAME
from rocstats.study.binned import is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample, own_sample

# --- Equal precision: half-widths of the same number of standard deviations everywhere ------------


def resolved_fpr(fpr: FloatArray, n_neg: float) -> BoolArray:
    """Return a mask of the rates from 1/n to 1 - 1/n, between the extreme ones of n negatives."""
    return (fpr >= 1 / n_neg - SAME) & (fpr <= 1 - 1 / n_neg + SAME)


def equal_precision_band_reach(
    estimate: FloatArray, draws: FloatArray, floor: FloatArray, inside: BoolArray, level: float
) -> FloatArray:
    """Return q s at each place, simultaneous over the places ``inside``.

    s is the larger of the standard deviation of the draws (resamples x places) and of the floor, q
    the quantile of the largest abs(draw - estimate)/s.
    """
    s = np.maximum(draws.std(axis=0), floor)
    distance = (np.abs(draws - estimate) / s)[:, inside].max(axis=1)
    # Resamples of perfect curves do not vary: q must not fall below that of a single place.
    pointwise = float(sp.ndtri((1 + level) / 2))
    return np.asarray(max(sup_quantile(distance, level), pointwise) * s)


# --- Campbell's band of constant width ------------------------------------------------------------

# One case more or less moves lam by 1/(2 sqrt(n)), over 1e-4 for 10^7 cases: a largest distance
# below 1e-9 is rounding, and all resampled curves are the same.
_NO_CURVE_DISTANCE = 1e-9


def _fixed_width_band(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    distances, blocked = rotated_curve_distances(cases, k, request.plan)
    half_width = sup_quantile(distances, request.confidence_level)
    if half_width < _NO_CURVE_DISTANCE:
        return None
    # The curve of a new test set varies too, by n_band/n_future of the variance of this one
    # (docs/methods/bands.md, "Fixed-width bands"); the true curve does not: future is infinite.
    half_width *= np.sqrt(1 + 1 / request.future)
    counts = cases.counts(k)
    limits = tpr_limits_of_fixed_width_band(counts, Rotation.of(counts), half_width, request.at)
    codes = ("blocked-resamples",) if blocked else ()
    return Band(largest_empirical_tpr_at_fpr(cases, k, request.at), *limits, codes)


FIXED_WIDTH = BandMethod(
    "fixed-width",
    "Campbell's fixed-width bands",
    _fixed_width_band,
    holds_future=True,
    references=("campbell-1994",),
)


# --- Bands around a binormal curve ----------------------------------------------------------------


def _maker_of_binormal_band(
    fit: Callable[[ScoredCases, int], BinormalFit],
    limits: Callable[[BinormalFit, FloatArray, float], Limits],
) -> MakeBand:
    """Return the function that makes a band around a binormal curve."""

    def make(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
        fitted = fit(cases, k)
        if not fitted.converged:
            return None
        low, high = limits(fitted, request.at, request.confidence_level)
        return Band(fitted_binormal_curve(fitted, request.at), low, high)

    return make


def fit_binormal_to_ranks(cases: ScoredCases, k: int) -> BinormalFit:
    """Return the binormal fit of predictor ``k``, which depends on ranks only."""
    return fit_binormal_to_counts(cases.counts(k))


def _fit_binormal_to_scores(cases: ScoredCases, k: int) -> BinormalFit:
    counts = cases.counts(k)
    # Normal theory needs the direction of the scores; the fit to ranks has it in its counts.
    sign = 1.0 if cases.higher_is_positive[k] else -1.0
    return fit_binormal_to_normal_scores(sign * counts.score, counts.n_pos, counts.n_neg)


def _working_hotelling_band_limits(fit: BinormalFit, at: FloatArray, level: float) -> Limits:
    return working_hotelling_limits(fit, at, level, "simultaneous")


WORKING_HOTELLING = BandMethod(
    "working-hotelling",
    "Working-Hotelling bands of a binormal model fitted to the ranks",
    _maker_of_binormal_band(fit_binormal_to_ranks, _working_hotelling_band_limits),
    resamples=False,
    clusters=False,
    fitted=True,
    references=("ma-1993",),
)
WORKING_HOTELLING_NORMAL = BandMethod(
    "working-hotelling-normal",
    "Working-Hotelling bands of a binormal model that takes the scores for normal",
    _maker_of_binormal_band(_fit_binormal_to_scores, _working_hotelling_band_limits),
    resamples=False,
    clusters=False,
    fitted=True,
    ranks_only=False,
    references=("ma-1993",),
)
ELLIPSE = BandMethod(
    "ellipse",
    "envelopes of confidence ellipses of a binormal model that takes the scores for normal",
    _maker_of_binormal_band(_fit_binormal_to_scores, ellipse_limits),
    resamples=False,
    clusters=False,
    fitted=True,
    ranks_only=False,
    references=("demidenko-2012",),
)


# --- Vertical bands: limits of the TPR at each FPR, from resampled curves -------------------------
# Draws are n_resamples x g TPRs of resampled curves at g rates, ``curve`` the TPRs of the sample
# there. Where the resamples are all alike, as those of a perfect curve are, only the bands with
# Wilson's floor have a width.


def kolmogorov_band_limits(curve: FloatArray, draws: FloatArray, level: float) -> Limits:
    """Return curve -+ q, q the quantile of the largest distance of a resampled curve."""
    # The band of Kolmogorov type: one half-width for all rates.
    q = sup_quantile(np.abs(draws - curve).max(axis=1), level)
    return np.clip(curve - q, 0.0, 1.0), np.clip(curve + q, 0.0, 1.0)


def sup_t_band_limits(
    fpr: FloatArray, curve: FloatArray, draws: FloatArray, n_pos: float, n_neg: float, level: float
) -> Limits:
    """Return limits of equal precision with Wilson's floor, all rates at once.

    With p Wilson's centre and q s from ``equal_precision_band_reach``, L = min(curve, p) - q s and
    U = max(curve, p) + q s at the rates from 1/n to 1 - 1/n of n negatives.
    """
    inside = resolved_fpr(fpr, n_neg)
    centre, floor = wilson_tpr_centre_and_sd(curve, n_pos, level)
    low, high = np.zeros(len(fpr)), np.ones(len(fpr))
    if inside.any():
        reach = equal_precision_band_reach(curve, draws, floor, inside, level)
        low[inside] = (np.minimum(curve, centre) - reach)[inside]
        high[inside] = (np.maximum(curve, centre) + reach)[inside]
        # Nearer to the ends resamples say nothing of their own. The true curve increases: below U
        # of the first rate to its left, above L of the last rate to its right.
        first, last = np.flatnonzero(inside)[[0, -1]]
        high[:first], low[last + 1 :] = high[first], low[last]
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


def wilson_tpr_centre_and_sd(
    curve: FloatArray, n_pos: float, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the centre of Wilson's interval of each TPR, and the standard deviation there.

    p = (m R + z^2/2)/(m + z^2) and sqrt(p (1 - p)/(m + z^2)), never 0.
    """
    z2 = sp.ndtri((1 + level) / 2) ** 2
    centre = wilson_centre(curve, n_pos, z2)
    return centre, np.asarray(np.sqrt(centre * (1 - centre) / (n_pos + z2)))


def _maker_of_vertical_band(
    limits: Callable[[ScoredCases, BandRequest, FloatArray, FloatArray], Limits],
) -> MakeBand:
    """Return the function that makes a band from resampled curves, read at the FPRs."""

    def make(cases: ScoredCases, k: int, request: BandRequest) -> Band:
        curve = largest_empirical_tpr_at_fpr(cases, k, request.at)
        draws = curve_draws(cases, k, request.at, request.plan)
        return Band(curve, *limits(cases, request, curve, draws.values))

    return make


def _effective_size_band_limits(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> Limits:
    bars = effective_size_bars(curve, cases.n_pos, draws.var(axis=0), request.confidence_level)
    return bars.low, bars.high


def _percentile_band_limits(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> Limits:
    bars = percentile_bars(draws, cases.n_pos, request.confidence_level)
    return bars.low, bars.high


BOOTSTRAP = BandMethod(
    "bootstrap",
    "vertical bands of equal precision from resampled curves",
    _maker_of_vertical_band(
        lambda cases, request, curve, draws: sup_t_band_limits(
            request.at, curve, draws, cases.n_pos, cases.n_neg, request.confidence_level
        )
    ),
)
KOLMOGOROV = BandMethod(
    "kolmogorov",
    "vertical bands of constant width from resampled curves",
    _maker_of_vertical_band(
        lambda cases, request, curve, draws: kolmogorov_band_limits(
            curve, draws, request.confidence_level
        )
    ),
)
# Wilson's floor gives a width at an area of 0 or 1, where resamples do not vary.
POINTWISE = BandMethod(
    "pointwise",
    "pointwise limits by the method of Wilson with an effective sample size",
    _maker_of_vertical_band(_effective_size_band_limits),
    scope="pointwise",
    has_floor=True,
)
# Macskassy & Provost (2004, 2005) join these percentiles; simultaneous containment is far lower.
VERTICAL_AVERAGE = BandMethod(
    "vertical-average",
    "joined percentiles of resampled curves",
    _maker_of_vertical_band(_percentile_band_limits),
    scope="pointwise",
    references=("fawcett-2004", "macskassy-2005"),
)


# --- The band over a range of false positive rates ------------------------------------------------


def regional_band_limits(
    fpr: FloatArray,
    curve: FloatArray,
    fitted: FloatArray,
    slope: FloatArray,
    n_pos: float,
    n_neg: float,
    level: float,
    plan: ResamplePlan,
) -> Limits:
    """Return curve -+ q sd over the increasing rates of a region (cf. Jensen et al. 2000).

    ``fitted`` and ``slope`` are a smooth curve R and its derivative r there, as of a binormal fit:
    sd(t)^2 = R(1 - R)/m + r^2 t(1 - t)/n, and q the quantile of the largest abs(G)/sd on the
    simulated paths of the limit process. Other rates have no limits.
    """
    # G(t) = B1(R(t))/sqrt(m) + r(t) B0(t)/sqrt(n), Brownian bridges (Hsieh & Turnbull 1996).
    sups = limit_process_sups(fpr, fitted, slope, n_pos, n_neg, plan)
    reach = sup_quantile(sups, level) * limit_process_sd(fpr, fitted, slope, n_pos, n_neg)
    return np.clip(curve - reach, 0.0, 1.0), np.clip(curve + reach, 0.0, 1.0)


def _regional_band(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    # The binormal fit gives the smooth R and its slope of the variance only; the band is around
    # the empirical curve.
    fit = fit_binormal_to_ranks(cases, k)
    if not fit.converged:  # no slope, no variance
        return None
    curve = largest_empirical_tpr_at_fpr(cases, k, request.at)
    low, high = regional_band_limits(
        request.at,
        curve,
        fitted_binormal_curve(fit, request.at),
        fitted_binormal_slope(fit, request.at),
        cases.n_pos,
        cases.n_neg,
        request.confidence_level,
        request.plan,
    )
    return Band(curve, low, high)


REGIONAL = BandMethod(
    "regional",
    "regional bands from the limit process of the curve",
    _regional_band,
    clusters=False,
    needs_range=True,
    references=("jensen-2000",),
)


# --- Limits of both rates at each threshold -------------------------------------------------------


def _threshold_average_band(cases: ScoredCases, k: int, request: BandRequest) -> Band:
    """Join the corners of the boxes of Wilson limits around the point of each threshold."""
    points = roc_points(cases.counts(k))
    fpr, tpr = (
        binomial_bars(rates, size, "wilson", request.confidence_level)
        for rates, size in ((points.fpr, cases.n_neg), (points.tpr, cases.n_pos))
    )
    # The lower edge joins the lower right corners of the boxes, the upper edge the upper left
    # ones, both from (0, 0) to (1, 1).
    fpr_low, fpr_high, tpr_low, tpr_high = (
        np.concatenate([[0.0], edge, [1.0]]) for edge in (fpr.low, fpr.high, tpr.low, tpr.high)
    )
    low, high = tpr_at(fpr_high, tpr_low, request.at), tpr_at(fpr_low, tpr_high, request.at)
    return Band(largest_empirical_tpr_at_fpr(cases, k, request.at), low, high)


THRESHOLD_AVERAGE = BandMethod(
    "threshold-average",
    "joined limits of both rates at each threshold",
    _threshold_average_band,
    scope="pointwise",
    resamples=False,
    clusters=False,
    references=("fawcett-2004", "macskassy-2005"),
)


# --- The bands by name ----------------------------------------------------------------------------

BandName = Literal[
    "fixed-width",
    "smoothed-score",
    "working-hotelling",
    "working-hotelling-normal",
    "ellipse",
    "joint",
    "joint-exact",
    "bootstrap",
    "kolmogorov",
    "regional",
    "pointwise",
    "vertical-average",
    "threshold-average",
]
BANDS: tuple[BandMethod, ...] = (
    FIXED_WIDTH,
    SMOOTHED_SCORE,
    WORKING_HOTELLING,
    WORKING_HOTELLING_NORMAL,
    ELLIPSE,
    JOINT,
    JOINT_EXACT,
    BOOTSTRAP,
    KOLMOGOROV,
    REGIONAL,
    POINTWISE,
    VERTICAL_AVERAGE,
    THRESHOLD_AVERAGE,
)
_BANDS_BY_WORD = {record.word: record for record in BANDS}


def band_method(word: str) -> BandMethod:
    """Return the band called ``word``."""
    return _BANDS_BY_WORD[word]


# --- Options of a band around one curve -----------------------------------------------------------


def require_band_method(
    sample: Sample, method: BandName, fpr_range: tuple[float, float] | None, future: float | None
) -> BandMethod:
    """Return the record of a band; raise InputError where the study does not allow the band."""
    method = require_choice("method", method, [record.word for record in BANDS])
    kind = band_method(method)
    if sample.sample_weight is not None:
        raise InputError(
            "`sample_weight` must not be in a study for roc_band; got weights."
            " The band needs counts: pass frequency=, or leave the weights out."
        )
    if sample.cluster is not None and not kind.clusters:
        allowed = ", ".join(record.word for record in BANDS if record.clusters)
        raise InputError(
            f"`method` must be one of {allowed} when the study has clusters; got {method!r}."
            " The others assume independent cases."
        )
    if (fpr_range is not None) != kind.needs_range:
        methods = _methods_with(lambda one: one.needs_range)
        raise InputError(
            f"`fpr_range` must be given with {methods} and with no"
            f" other; got {fpr_range!r} with {method!r}. Use at= to read a band at some rates."
        )
    if fpr_range is not None:
        _require_inner_fpr_range_of_band(fpr_range)
    if future is not None:
        _require_future(future, kind)
    # Normal theory takes means and variances of the scores, which infinite scores do not have.
    if not kind.ranks_only:
        _require_finite_scores_for_band(sample, method)
    if kind.fitted:
        _require_unbinned_for_fitted_band(sample, method)
    return kind


def _require_unbinned_for_fitted_band(sample: Sample, method: str) -> None:
    """Raise InputError for a fitted curve of binned scores, whose error has no known bound."""
    if is_binned(sample):
        raise InputError(
            f"`method` must be a band around the curve of the sample for binned scores; got"
            f" {method!r}, whose curve is fitted. Pass 'fixed-width', or count the scores with"
            " exact=True."
        )


def _methods_with(able: Callable[[BandMethod], bool]) -> str:
    """Return the bands with a property, as a user writes them."""
    return " or ".join(f'method="{record.word}"' for record in BANDS if able(record))


def _require_inner_fpr_range_of_band(fpr_range: tuple[float, float]) -> None:
    # The slope of the curve may be infinite at 0 and 1, and with it the variance of the process.
    over = read_range(fpr_range, None)
    if over is not None and (over.low == 0 or over.high == 1):
        raise InputError(
            f"`fpr_range` must lie strictly inside (0, 1); got {fpr_range!r}."
            " At its ends a curve has no limit process: pass for instance (0.01, 0.3)."
        )


def _require_future(future: Any, kind: BandMethod) -> None:
    # Only a band of constant width widens by one known factor, sqrt(1 + 1/future).
    if not kind.holds_future:
        raise InputError(
            f"`future` must stay None but for {_methods_with(lambda one: one.holds_future)}; got"
            f" {future!r} with {kind.word!r}. No other band has a known width for a new test set."
        )
    number = isinstance(future, Real) and not isinstance(future, bool)
    if not (number and 0 < float(future) < np.inf):
        raise InputError(
            f"`future` must be a number > 0; got {future!r}."
            " Pass the size of the new test set over that of this one."
        )


def _require_finite_scores_for_band(sample: Sample, method: str) -> None:
    for k, name in enumerate(sample.predictors):
        infinite = int(np.isinf(own_sample(sample, k).cases.counts(k).score).sum())
        if infinite:
            raise InputError(
                f"`method` must be one that uses ranks when scores are infinite; got {method!r} and"
                f" {infinite} infinite scores of {name!r}. Use 'working-hotelling'."
            )


# --- A band around one curve ----------------------------------------------------------------------


def band_or_joint_band(
    cases: ScoredCases, k: int, kind: BandMethod, request: BandRequest, *, none: str
) -> tuple[Band, str]:
    """Return the band, or the joint band where the method has none, and the method used.

    ``none`` says of what, and for which data, the method has no band.
    """
    # Resamples of perfect separation or of one score are all alike: their band would have no width.
    still = kind.resamples and not kind.has_floor and resamples_cannot_vary(cases, k)
    with enough_valid_resamples():
        band = None if still else kind.make(cases, k, request)
    if band is not None:
        return band, kind.word
    # Kolmogorov's quantiles are those of independent cases, so that clusters have no fallback.
    if cases.cluster is not None:
        raise InputError(
            f"`method` must be one that has a band for these data; got {kind.word!r}, which has"
            f" none{none}, and clusters do not allow the joint band. Use the interval of the area"
            f" instead."
        )
    return joint(cases, k, request), f"{kind.word}/joint"


def few_cases_for_band_codes(cases: ScoredCases) -> list[str]:
    """Return the note of cases of which a class is small for a band, else nothing."""
    return ["few-cases-for-band"] if min(cases.n_pos, cases.n_neg) < FEW_CASES else []


def band_codes(cases: ScoredCases, kind: BandMethod, band: Band, used: str) -> list[str]:
    """Return the notes of one band, made by the method ``used``."""
    return [
        *([] if kind.guaranteed else few_cases_for_band_codes(cases)),
        *(["joint-band"] if used != kind.word else []),
        *band.codes,
    ]


def band_columns_at_fpr(at: FloatArray, band: Band) -> dict[str, FloatArray]:
    """Return the columns of a band read at some false positive rates."""
    return {"fpr": at, "tpr": band.tpr, "tpr_low": band.low, "tpr_high": band.high}
