"""Confidence bands of the ROC curve, and of the difference of two ROC curves on the same cases.

The methods for one curve are records of ``estimate.bands``. The band of a difference holds at all
false positive rates together: resamples of both curves on the same cases [horvath-2008], at least
as wide as one more discordant case on either side allows [bonett-2012].
Derivations: docs/methods/bands.md and docs/methods/smoothed-band.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, read_range
from rocstats.curves.roc import roc_points
from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import answer_columns, answerable_predictors, stacked_curve_columns
from rocstats.estimate.band_answers import (
    band_codes,
    band_columns_at_fpr,
    band_or_joint_band,
    require_band_method,
)
from rocstats.estimate.band_record import BandRequest, largest_empirical_tpr_at_fpr
from rocstats.estimate.bands import BandName, resolved_fpr
from rocstats.estimate.difference_bands import (
    GRID,
    CurveDifferences,
    DifferenceBand,
    difference_band,
    difference_band_limits,
    discordance_floor,
)
from rocstats.estimate.resample import (
    NO_RESAMPLES,
    ResamplePlan,
    RngLike,
    plan_draws,
    require_drawing,
)
from rocstats.estimate.resample_curves import draw_averaged_curves
from rocstats.facts.arrays import FloatArray, Limits
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import (
    BINNING_ERROR,
    Question,
    columns_in,
    counts_only,
    estimate_columns,
)
from rocstats.study.base import require_cases, sample_notes, warned_doubts
from rocstats.study.binned import binning_error, is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.points import read_increasing_rates
from rocstats.study.sample import Sample

# --- Bands around one curve -----------------------------------------------------------------------

ROC_BAND = Question(
    "roc_band",
    columns_in("predictor group fpr tpr tpr_low tpr_high confidence_level scope method note"),
    ("campbell-1994", "macskassy-2005", "ma-1993", "demidenko-2012", "owen-1995", "jensen-2000"),
    {"sample_weight": counts_only("roc_band", "The band needs counts", "weights")},
    binned=True,
)
_NO_BAND_REASONS = " (an area of 0 or 1, a single score, a fit without a maximum)"


def roc_band(
    sample: Sample,
    method: BandName = "fixed-width",
    *,
    confidence_level: float = 0.95,
    at: npt.ArrayLike | None = None,
    fpr_range: tuple[float, float] | None = None,
    future: float | None = None,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return a band around the ROC curve of every predictor; a row is one false positive rate.

    Parameters
    ----------
    method : str, default "fixed-width"
        Simultaneous bands contain the whole true curve with the confidence level:

        - "fixed-width": Campbell's band of constant width along lines of slope -sqrt(n_neg/n_pos),
          by resampling. Of the published bands its coverage is closest to the level. In simulations
          it contained the curve in at least .87 of samples. The lowest coverage was for an AUC of
          .99 with 20 positives and 200 negatives.
        - "smoothed-score": a band along the same lines, from smoothed resamples; its width follows
          the local variance. It is narrower than "fixed-width", except at AUC .99 or with classes
          of 5 or 10 cases. In simulations it contained the curve in at least .93 of samples. This
          method is not published elsewhere and not peer-reviewed.
        - "working-hotelling": a band around the binormal curve fitted to the ranks. It is narrow,
          and valid only if the binormal model is right.
        - "working-hotelling-normal": the same band for scores that are normal in each class.
        - "ellipse": Demidenko's envelope of confidence ellipses; for scores that are normal in each
          class.
        - "joint": combines limits of the score distributions of both classes, from Kolmogorov's
          quantiles. Its coverage is guaranteed for any distributions. It is wide.
        - "joint-exact": as "joint", but the limits of each distribution have the same level at each
          score.
        - "bootstrap": a vertical band whose width is a multiple of the standard error. The standard
          error is at least as large as in Wilson's limits.
        - "kolmogorov": a vertical band of constant width.
        - "regional": a band over ``fpr_range`` only, from the asymptotic distribution of the curve.

        Pointwise limits contain one point chosen beforehand, *not* the whole curve:

        - "pointwise": Wilson's limits with the effective number of positives, by resampling.
        - "vertical-average", "threshold-average": joined pointwise limits of resampled curves that
          are averaged by Fawcett's method. They were published as bands, but are far too narrow for
          a whole curve.
    confidence_level : float in (0, 1), default 0.95
        Probability that the band contains the true curve (everywhere, or at each rate).
    at : array-like of shape (g,), optional
        False positive rates of the rows in [0, 1], in increasing order. The default is 0 to 1 in
        steps of 0.005. For "regional" all rates must be within ``fpr_range``.
    fpr_range : (float, float), optional
        Range of false positive rates of the band "regional", strictly inside (0, 1). Required for
        "regional", refused for other methods.
    future : float > 0, optional
        Size of a new test set divided by the size of this test set. The band is then wider by the
        factor sqrt(1 + 1/future). It contains the *empirical curve* of the new set with the
        confidence level. For "fixed-width" only.
    n_resamples : int >= 100, default 2000
        Number of resamples, or of simulated paths for "regional". Ignored for bands that need no
        resampling.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, tpr, tpr_low, tpr_high, confidence_level, scope, method,
        note``. ``tpr`` is the empirical curve (the top of a vertical step), or the fitted curve.
        ``scope`` is "simultaneous", "pointwise" or "future". ``method`` ends in "/joint" if the
        joint band replaces the requested band. ``note`` has ``blocked-resamples`` if blocks of
        neighbouring scores were resampled (see Notes). A group that lacks a class has no rows.

    Raises
    ------
    InputError
        If an argument is invalid or unsupported by the method; if the study has weights; if it has
        clusters and the method is for independent cases; or if it has infinite scores and the
        method is for normal scores.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``few-clusters``: a class is in under 30 clusters.
        - ``few-cases-for-band``: a class has under 20 cases, and the coverage of the band is not
          guaranteed.
        - ``joint-band``: the joint band replaces the requested band. The reason is that the fit has
          no maximum, or that resamples do not vary (an area of 0 or 1, or a single score).

    Notes
    -----
    Let R(t) be the TPR of the curve at FPR t. The study has m positives and n negatives. Let h =
    FPR sqrt(n) + TPR sqrt(m) and lam = (TPR sqrt(m) - FPR sqrt(n))/2. Every curve is then a
    function lam(h).

    The "fixed-width" band is lam -+ d. Let lam* be the curve of a stratified resample. The width d
    is the ceil((B + 1) level)-th smallest of the B values of sup abs(lam* - lam). In ROC
    coordinates, the upper limit is U(t) = R(t + d/sqrt n) + d/sqrt m. The lower limit is L(t) =
    R(t - d/sqrt n) - d/sqrt m. For "joint", Kolmogorov's one-sample quantiles at sqrt(level)
    replace d/sqrt n and d/sqrt m. The "working-hotelling" band is Phi(a + b z -+ k s(z)). Here a
    and b are the binormal parameters, z is the probit of t, and s(z) is the standard error of a + b
    z. The square of k is the chi-square quantile with 2 degrees of freedom.

    If the curve has over 16 384 line segments, "fixed-width" resamples blocks of neighbouring
    scores, with a Brownian bridge in each block. The time then does not grow with the number of
    cases. Clusters are still resampled as a whole. In simulations, the mean of sup abs(lam* - lam)
    differed by at most .3 % from the mean with resampled cases. Its 95% quantile differed by at
    most 1 %. If sqrt(m) + sqrt(n) is at least 200, "smoothed-score" resamples the numbers of cases
    in its bins. Both situations have the note ``blocked-resamples``.

    Resampled bands assume independent cases within classes. With clusters they assume independent
    clusters, and resample whole clusters. A resample that lacks a class is drawn again. The
    documentation has the simulated coverage and width of each band, and the designs in which the
    band fails. If the classes are exchanged, the bands "fixed-width", "joint" and "joint-exact" are
    reflected. All bands except "working-hotelling-normal" and "ellipse" depend on ranks only.

    References
    ----------
    - Campbell (1994), "fixed-width" and "joint" [campbell-1994]
    - Macskassy, Provost & Rosset (2005), comparison and future curves [macskassy-2005]
    - Ma & Hall (1993) [ma-1993]
    - Demidenko (2012) [demidenko-2012]
    - Owen (1995), "joint-exact" [owen-1995]
    - Jensen, Mueller & Schaefer (2000), bands like "regional" [jensen-2000]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> band = study.roc_band(at=[0.1, 0.3], rng=1)
    >>> band[["fpr", "tpr_low", "tpr", "tpr_high"]].round(2)
       fpr  tpr_low   tpr  tpr_high
    0  0.1     0.35  0.72      0.89
    1  0.3     0.78  0.89      1.00
    """
    ROC_BAND.refuse_covariates(sample)
    kind = require_band_method(sample, method, fpr_range, future)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    places = _fprs_of_band(at, fpr_range)
    require_drawing(n_resamples, rng, progress)
    # A closed form neither draws nor records the source: the frame would promise draws.
    plan = plan_draws(n_resamples, rng, progress) if kind.resamples else NO_RESAMPLES
    pooled = ["pooled-folds"] if sample.fold is not None else []
    codes = list(pooled)
    bands: list[dict[str, Any]] = []
    errors: list[float] = []
    for g, group, k, name, part in answerable_predictors(sample, codes):
        # Keyed by places: a predictor has the same band whatever other predictors there are.
        beyond = np.inf if future is None else future
        request = BandRequest(places, confidence_level, plan.at(g, k), beyond)
        band, used = band_or_joint_band(part.cases, k, kind, request, none=_NO_BAND_REASONS)
        notes = band_codes(part.cases, kind, band, used)
        codes += notes
        errors.append(_largest_share_of_positives_in_bin(part, k))
        bands.append(
            {
                "predictor": name,
                "group": group,
                **band_columns_at_fpr(places, band),
                "confidence_level": confidence_level,
                "scope": kind.scope if future is None else "future",
                "method": used,
                "note": "; ".join([*notes, *pooled, *sample_notes(part)]),
            }
        )
    warn_of_doubts([*codes, *sample_notes(sample)], warned_doubts(sample))
    columns = stacked_curve_columns(ROC_BAND, bands)
    if is_binned(sample):
        columns[BINNING_ERROR] = np.repeat(errors, len(places))
    return answer_columns(ROC_BAND, sample, columns, plan)


def _fprs_of_band(at: npt.ArrayLike | None, fpr_range: tuple[float, float] | None) -> FloatArray:
    over = read_range(fpr_range, None) or FULL_RANGE
    # Clipping puts the ends of the range among the places; unique takes off the copies.
    if at is None:
        return np.unique(np.clip(GRID, over.low, over.high))
    return read_increasing_rates(at, over.low, over.high)


def _largest_share_of_positives_in_bin(sample: Sample, k: int) -> float:
    """Return the largest share of the positives in one bin: no curve is further from this one."""
    # Limits at a rate take the curve at other rates, so that the bins around one rate do not do.
    points = roc_points(sample.cases.counts(k))
    errors = binning_error(
        sample, lambda one: largest_empirical_tpr_at_fpr(one.cases, k, points.fpr)
    )
    return float(np.max(errors))


# --- The simultaneous band of a difference --------------------------------------------------------

ROC_DIFFERENCE_BAND = Question(
    "roc_difference_band",
    estimate_columns(
        "predictor reference group quantity fpr estimate ci_low ci_high confidence_level "
        "scope n_pos n_neg method note"
    ),
    ("horvath-2008", "bonett-2012"),
    # A weight is no case: neither the floor nor the resamples know how often it was seen.
    {"sample_weight": counts_only("roc_difference_band", "The band needs counts", "weights")},
)


def roc_difference_band(
    sample: Sample,
    *,
    reference: str | None = None,
    at: npt.ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return simultaneous bands of the difference of two ROC curves; a row is one pair at one FPR.

    Parameters
    ----------
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    at : array-like of shape (g,), optional
        False positive rates in [0, 1], in increasing order. The default is 0 to 1 in steps of
        0.005.
    confidence_level : float in (0, 1), default 0.95
        Probability that the band of a pair contains the true difference at all rates.
    n_resamples : int >= 100, default 2000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, fpr, estimate, ci_low, ci_high, n_pos,
        n_neg, confidence_level, scope, method, note``. ``quantity`` is "tpr_difference": the TPR of
        the predictor minus the TPR of the reference. ``scope`` is "simultaneous". ``note`` is
        ``excludes-zero`` at rates where the band excludes 0. At these rates the curves differ. A
        group that lacks a class has no rows.

    Raises
    ------
    InputError
        If the study has fewer than two predictors; if it has weights; or if an argument is invalid.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``identical-predictors``: two predictors rank all cases in the same order.
        - ``few-cases-for-band``: a class has under 20 cases.
        - ``few-clusters``: a class is in under 30 clusters.

    Notes
    -----
    Let R1(t) and R2(t) be the TPR of both curves at FPR t, and D(t) = R1(t) - R2(t). D*(t) is the
    difference in a resample that both curves share. The band is D(t) -+ q s(t). Here s(t) is the
    larger of two standard deviations: the standard deviation of D*(t), and the standard deviation
    of paired proportions at fixed thresholds (Bonett & Price). In each of B resamples, let M be the
    largest value of abs(D* - D)/s over the rates from 1/n_neg to 1 - 1/n_neg. The factor q is the
    ceil((B + 1) level)-th smallest value of M, but at least the normal quantile for a single rate.
    At rates below 1/n_neg and above 1 - 1/n_neg the limits are -1 and 1. Cases are resampled within
    their class; clusters are resampled as a whole.

    If curves cross, neither predictor is better overall. The band shows at which rates each curve
    is higher. Bands of several pairs are not adjusted for the number of pairs. Equal areas do not
    mean equal curves. A band that contains 0 everywhere does not prove equality.

    References
    ----------
    - Horvath, Horvath & Zhou (2008), bootstrap bands of curves [horvath-2008]
    - Bonett & Price (2012), the lower bound of the width [bonett-2012]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([1, 0], 100)
    >>> study = rs.Study(y, {"good": 2 * y + rng.normal(size=200), "poor": rng.normal(size=200)})
    >>> band = study.roc_difference_band(at=[0.05, 0.2, 0.9], rng=1)
    >>> band["note"].tolist()
    ['excludes-zero', 'excludes-zero', '']
    """
    ROC_DIFFERENCE_BAND.refuse_covariates(sample)
    fpr = GRID if at is None else read_increasing_rates(at)
    require_two_predictors(sample)
    draws = plan_draws(n_resamples, rng, progress)
    return difference_band(
        sample, ROC_DIFFERENCE_BAND, _TPR_DIFFERENCES, reference, fpr, confidence_level, draws
    )


def require_two_predictors(sample: Sample) -> None:
    """Raise InputError unless there are two predictors."""
    require_cases(sample, "a comparison of predictors")
    if len(sample.predictors) < 2:
        raise InputError(
            "`y_score` must have two or more predictors to be compared; got 1."
            " Pass the scores of both in one study."
        )


def _resampled_tprs_for_difference_band(
    cases: ScoredCases, fpr: FloatArray, draws: ResamplePlan, g: int
) -> tuple[FloatArray, FloatArray]:
    predictors = range(cases.n_predictors)
    curves = np.array([largest_empirical_tpr_at_fpr(cases, k, fpr) for k in predictors])
    return curves, draw_averaged_curves(cases, predictors, fpr, draws.at(g)).values


def _difference_band_limits(gaps: CurveDifferences, confidence_level: float) -> Limits:
    # Where few positives are discordant, resamples vary too little: Bonett & Price (2012) add one
    # discordant case on either side. Nearer to the ends than 1/n, thresholds are not told apart.
    floor = discordance_floor(gaps.cases, gaps.pair, gaps.places)
    inside = resolved_fpr(gaps.places, gaps.cases.n_neg)
    return difference_band_limits(gaps.estimate, gaps.draws, floor, inside, confidence_level)


_TPR_DIFFERENCES = DifferenceBand(
    "tpr", "fpr", _resampled_tprs_for_difference_band, _difference_band_limits
)
