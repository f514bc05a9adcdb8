"""Calibration curves, the share of events at each predicted risk, and their bands.

A curve is a restricted cubic spline of the logit [harrell-2015], the monotone regression of
outcomes on risks (CORP) [dimitriadis-2021], or the shares of events in bins of the risk, each with
Wilson's limits. The spline has pointwise or simultaneous limits around
it. The monotone curve has a consistency band: where the curve of calibrated risks would lie. Fits:
``fits.py``.
Derivations: docs/methods/calibration.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval, require_whole
from rocstats.estimate.answers import (
    answer_columns,
    answerable_predictors,
    class_size_columns,
    stacked_curve_columns,
)
from rocstats.estimate.benefit import DRAWS, band_quantile_of_joint_normals
from rocstats.estimate.quantiles import limits_at_both_quantiles
from rocstats.estimate.resample import NO_RESAMPLES, ResamplePlan, RngLike, plan_draws
from rocstats.estimate.shares import share_among
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.methods import BINS, CONSISTENCY, SPLINE_BANDS
from rocstats.facts.tolerances import NO_VARIANCE, SAME
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, counts_only, estimate_columns
from rocstats.inference.calibration.fits import (
    CURVE_METHODS,
    CurveMethod,
    consistency_band,
    fit_isotonic,
    fit_spline,
    missing_fit_note,
)
from rocstats.inference.calibration.risks import (
    RiskPopulation,
    Risks,
    calibration_case_notes,
    calibration_risk_grid,
    quantiles_of_weighted_risks,
    read_risk_population,
    require_cohort_to_redraw_outcomes,
)
from rocstats.study.base import warned_doubts
from rocstats.study.points import require_points
from rocstats.study.sample import Sample, own_sample

# --- Curves ---------------------------------------------------------------------------------------

CALIBRATION_CURVE = Question(
    "calibration_curve",
    estimate_columns(
        "predictor group quantity risk estimate ci_low ci_high confidence_level prevalence n_pos"
        " n_neg method note"
    ),
    ("harrell-2015", "austin-2019", "dimitriadis-2021", "van-calster-2016", "wilson-1927"),
)
CurveOrBins = Literal[CurveMethod, "bins"]
BinStrategy = Literal["quantile", "uniform"]


def calibration_curve(
    sample: Sample,
    *,
    method: CurveOrBins = "spline",
    n_points: int = 100,
    n_bins: int = 10,
    strategy: BinStrategy = "quantile",
    prevalence: float | None = None,
    clip: float | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return calibration curves, the share of events at each predicted risk; a row is one risk.

    Parameters
    ----------
    method : {"spline", "isotonic", "bins"}, default "spline"
        - "spline": a smooth curve from logistic regression on a restricted cubic spline of the
          logit.
        - "isotonic": a step function that never falls as the risk rises (CORP). It needs no tuning.
          Risks of 0 and 1 are allowed.
        - "bins": the share of events in each bin of the risk, with an interval. Use bins for
          display next to a curve. The picture depends on the choice of the bins, and the intervals
          are not a test of calibration. Risks of 0 and 1 are allowed.
    n_points : int from 2 to 1000, default 100
        Number of risks of "spline" and "isotonic". They are evenly spaced from the 1st to the 99th
        percentile of the risks of the cases. If this range has fewer distinct risks than
        ``n_points``, the distinct risks are used.
    n_bins : int from 1 to 1000, default 10
        Number of bins. Bins without cases have no row.
    strategy : {"quantile", "uniform"}, default "quantile"
        - "quantile": bins with about the same number of cases, between quantiles of the risks. If
          quantiles are tied, there are fewer bins.
        - "uniform": bins of the same width, from 0 to 1.
    prevalence : float in (0, 1), optional
        Share of positives in the target population of the risks. Unavailable for "bins".
    clip : float in (0, 0.5), optional
        Risks below ``clip`` become ``clip``; risks above 1 - ``clip`` become 1 - ``clip``, as in
        ``calibration``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval of each bin.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, risk, estimate, ci_low, ci_high, prevalence, n_pos,
        n_neg, confidence_level, method, note``. ``quantity`` is "observed_risk". ``risk`` is the
        predicted risk, or the mean risk of a bin. ``estimate`` is the share of events at this risk.
        Only bins have limits; ``calibration_band`` has limits of curves. For bins, ``n_pos`` and
        ``n_neg`` count the cases of the bin. A group that lacks a class has no rows.

    Raises
    ------
    InputError
        If scores are outside [0, 1]; if lower scores are positive; if an argument is invalid; or if
        ``prevalence`` is passed for bins.

    Warns
    -----
    StatisticalWarning
        - ``curve-imprecise``: a class has under 100 cases.
        - ``few-cases``: a class has under 20 cases.
        - ``pooled-folds``: folds are pooled.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``separation``: risks separate the classes.
        - ``single-risk``: all risks are equal.
        - ``certain-risks``: risks are 0 or 1, and ``clip`` is not passed. The spline is NaN.
        - ``weights-need-bootstrap``: the study has weights, and bins have no limits.

    Notes
    -----
    A bin contains the risks above its lower edge, up to and including its upper edge. The first bin
    also contains its lower edge. Equal risks are in the same bin. The limits of a bin are Wilson's
    limits. With clusters, they use the effective number of cases p(1 - p)/v. Here v is the variance
    of the share p, from sums within clusters. If all cases of a bin are in one cluster, the bin has
    no limits. Simulations had ten bins and 100 to 1000 cases. 95% limits contained the mean true
    risk of the cases of the bin in .946 to .973 of all bins.

    The spline has Harrell's basis with knots at the quantiles .05, .35, .65 and .95 of the logits.
    If a class has under 40 cases, the knots are at the quantiles .1, .5 and .9. If quantiles are
    tied, there are fewer knots. Beyond the outer knots the curve is a straight line on the logit
    scale.

    The true curve of a calibrated model is the diagonal. ``calibration_band`` shows how far a curve
    may differ from the diagonal by chance.

    References
    ----------
    - Harrell (2015), restricted cubic splines [harrell-2015]
    - Austin & Steyerberg (2019) [austin-2019]
    - Dimitriadis, Gneiting & Jordan (2021), CORP [dimitriadis-2021]
    - Van Calster, Nieboer, Vergouwe, De Cock et al (2016) [van-calster-2016]
    - Wilson (1927), limits of bins [wilson-1927]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 40
    >>> risk = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 40
    >>> study = rs.Study(y, risk, predictor="risk")
    >>> study.calibration_curve(method="isotonic")[["risk", "estimate"]].round(3)
       risk  estimate
    0   0.1      0.00
    1   0.2      0.00
    2   0.3      0.75
    3   0.4      0.75
    4   0.6      0.75
    5   0.7      0.75
    6   0.9      1.00
    """
    CALIBRATION_CURVE.require_roles(sample)
    method = require_choice("method", method, (*CURVE_METHODS, BINS))
    number = require_points(n_points, "risks")
    n_bins = _require_bins(n_bins)
    strategy = require_choice("strategy", strategy, get_args(BinStrategy))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if method == BINS and prevalence is not None:
        raise InputError(
            "`prevalence` must stay None for method 'bins', which shows the shares of events in"
            f" these cases; got {prevalence!r}. Leave it out, or pass method='spline'."
        )
    population = read_risk_population(sample, prevalence, clip)
    level: float | None = confidence_level
    reasons = ["bins-no-test"]
    if sample.sample_weight is not None:
        level, reasons = None, ["weights-need-bootstrap", "bins-no-test"]

    def curve(risks: Risks, g: int, k: int) -> tuple[dict[str, Any], list[str]]:
        if method == BINS:
            part, bins = own_sample(sample.by_group()[g][1], k), risk_bins(risks, n_bins, strategy)
            sizes = _class_sizes_of_bins(part, bins, risks.cases.weight)
            return {**shares_in_bins(risks, bins, level), **sizes}, reasons
        at = calibration_risk_grid(risks, number)
        found, missing = _observed_risks(risks, at, method)
        return {**found, "ci_low": np.nan, "ci_high": np.nan}, missing

    cells = {"confidence_level": confidence_level, "method": method}
    curves = calibration_curve_rows(sample, population, curve)
    columns = stacked_curve_columns(CALIBRATION_CURVE, [{**one, **cells} for one in curves])
    return answer_columns(CALIBRATION_CURVE, sample, columns)


def _observed_risks(
    risks: Risks, at: FloatArray, method: CurveMethod
) -> tuple[dict[str, FloatArray], list[str]]:
    """Return a curve at some risks, and the notes that say why it has none."""
    if method == "isotonic":
        return {"risk": at, "estimate": fit_isotonic(risks).at(at)}, []
    spline = fit_spline(risks)
    if spline is None:
        return {"risk": at, "estimate": np.full(len(at), np.nan)}, [missing_fit_note(risks)]
    return {"risk": at, "estimate": np.asarray(sp.expit(spline.eta(sp.logit(at))))}, []


# --- Shares of events in bins ---------------------------------------------------------------------

_MOST_BINS = 1000  # more than a figure can show


def _require_bins(n_bins: Any) -> int:
    number = require_whole("n_bins", n_bins, 1, "10 bins are usual.")
    if number > _MOST_BINS:
        raise InputError(f"`n_bins` must be {_MOST_BINS} at most; got {number}. 10 bins are usual.")
    return number


def shares_in_bins(risks: Risks, bins: IntArray, level: float | None) -> dict[str, FloatArray]:
    """Return mean risk and share of events of each bin with limits; none (NaN) without a level."""
    weight, rows = risks.cases.weight, []
    for number in np.unique(bins[weight > 0]).tolist():
        among = bins == number
        share = share_among(risks.cases, among=among, event=risks.cases.is_positive)
        low, high = np.nan, np.nan
        if level is not None and not np.isnan(share.variance):  # that of a single cluster is
            low, high = limits_at_both_quantiles(share.limit, level, "two-sided")
        mean = float(weight[among] @ risks.risk[among]) / share.size
        rows.append((mean, share.value, *np.clip([low, high], 0.0, 1.0)))
    names = ("risk", "estimate", "ci_low", "ci_high")
    return dict(zip(names, np.array(rows).T, strict=True))


def _class_sizes_of_bins(part: Sample, bins: IntArray, weight: FloatArray) -> dict[str, FloatArray]:
    """Return the numbers of positives and of negatives of each bin that has a case of weight."""
    used = np.unique(bins[weight > 0])
    return {
        name: np.bincount(
            bins[side], None if part.frequency is None else part.frequency[side], used.max() + 1
        )[used].astype(np.float64)
        for name, side in (("n_pos", part.is_positive), ("n_neg", ~part.is_positive))
    }


def risk_bins(risks: Risks, n_bins: int, strategy: BinStrategy) -> IntArray:
    """Return the bin of each case: the number of inner edges below its risk."""
    shares = np.linspace(0, 1, n_bins + 1)[1:-1]
    edges = shares
    if strategy == "quantile":
        edges = quantiles_of_weighted_risks(risks.risk, risks.cases.weight, shares)
    # A risk that equals an edge but for rounding is in the bin below it.
    return np.asarray(np.searchsorted(edges + SAME, risks.risk))


# --- Bands ----------------------------------------------------------------------------------------

CALIBRATION_BAND = Question(
    "calibration_band",
    estimate_columns(
        "predictor group quantity risk estimate ci_low ci_high confidence_level scope prevalence"
        " n_pos n_neg method note"
    ),
    ("harrell-2015", "dimitriadis-2021"),
    {"sample_weight": counts_only("calibration_band", "The band needs counts", "weights")},
)
BandScope = Literal["pointwise", "simultaneous"]
SCOPES: tuple[BandScope, ...] = get_args(BandScope)


def calibration_band(
    sample: Sample,
    *,
    method: CurveMethod = "spline",
    scope: BandScope = "pointwise",
    n_points: int = 100,
    prevalence: float | None = None,
    clip: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return bands of calibration curves; a row is one curve at one predicted risk.

    Parameters
    ----------
    method : {"spline", "isotonic"}, default "spline"
        - "spline": a confidence band around the spline curve. It contains the true curve.
        - "isotonic": a consistency band around the diagonal. It contains the monotone curve if the
          risks are calibrated. A curve outside the band is a sign of miscalibration.
    scope : {"pointwise", "simultaneous"}, default "pointwise"
        - "pointwise": limits have the level at each single risk, not at all risks together.
        - "simultaneous": the band has the level for the whole curve between its ends. For "spline"
          only.
    n_points : int from 2 to 1000, default 100
        Number of risks; ``calibration_curve`` explains how they are chosen.
    prevalence : float in (0, 1), optional
        Share of positives in the target population of the risks. Unavailable for "isotonic".
    clip : float in (0, 0.5), optional
        Risks below ``clip`` become ``clip``; risks above 1 - ``clip`` become 1 - ``clip``, as in
        ``calibration``.
    confidence_level : float in (0, 1), default 0.95
        Level of the band.
    n_resamples : int >= 100, default 1000
        Number of simulated outcome sets for a consistency band.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the simulations for the band; the frame records a seed that
        reproduces them.
    progress : bool, default False
        Whether to show a progress bar if the simulations take over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, risk, estimate, ci_low, ci_high, prevalence, n_pos,
        n_neg, confidence_level, scope, method, note``. A group that lacks a class has no rows.

    Raises
    ------
    InputError
        For the reasons listed in ``calibration_curve``; if the study has weights; or if a
        consistency band is requested with clusters, with a ``prevalence`` or as simultaneous band.

    Warns
    -----
    StatisticalWarning
        For the reasons listed in ``calibration_curve``.

    Notes
    -----
    The spline has normal limits on the logit scale, from the covariance of its coefficients. With
    clusters, this covariance is the sandwich estimate. With ``prevalence``, it is computed as in
    ``calibration``. A simultaneous band uses the quantile of the maximum of correlated normal
    variables along the curve. For the consistency band, outcomes are simulated from the risks. The
    monotone curve is fitted again to each set of outcomes, and the limits are quantiles of these
    curves.

    In simulations with 100 to 1000 cases, pointwise limits had coverage .935 to .956 at the worst
    of three risks. Simultaneous bands contained the whole curve in .939 to .961 of samples.

    References
    ----------
    - Harrell (2015), restricted cubic splines [harrell-2015]
    - Dimitriadis, Gneiting & Jordan (2021), consistency bands [dimitriadis-2021]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 40
    >>> risk = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 40
    >>> study = rs.Study(y, risk, predictor="risk")
    >>> study.calibration_band()[["risk", "estimate", "ci_low", "ci_high"]].round(3)
       risk  estimate  ci_low  ci_high
    0   0.1       NaN     NaN      NaN
    1   0.2       NaN     NaN      NaN
    2   0.3       NaN     NaN      NaN
    3   0.4       NaN     NaN      NaN
    4   0.6       NaN     NaN      NaN
    5   0.7       NaN     NaN      NaN
    6   0.9       NaN     NaN      NaN
    """
    CALIBRATION_BAND.require_roles(sample)
    method = require_choice("method", method, CURVE_METHODS)
    scope = require_choice("scope", scope, SCOPES)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if method == "isotonic" and scope == "simultaneous":
        raise InputError(
            "`scope` must be 'pointwise' for a consistency band; got 'simultaneous'. Leave it out,"
            " or pass method='spline'."
        )
    number = require_points(n_points, "risks")
    draws = plan_draws(n_resamples, rng, progress)
    if method == "isotonic":
        require_cohort_to_redraw_outcomes(sample, prevalence, "method 'isotonic'")
    elif scope == "pointwise":
        draws = NO_RESAMPLES
    else:
        draws = draws._replace(n_resamples=DRAWS)
    population = read_risk_population(sample, prevalence, clip)

    def band(risks: Risks, g: int, k: int) -> tuple[dict[str, FloatArray], list[str]]:
        at = calibration_risk_grid(risks, number)
        if method == "spline":
            return _spline_band(risks, at, scope, confidence_level, draws.at(g, k))
        low, high = consistency_band(risks, at, confidence_level, draws.at(g, k))
        curve = fit_isotonic(risks).at(at)
        return {"risk": at, "estimate": curve, "ci_low": low, "ci_high": high}, []

    word = CONSISTENCY if method == "isotonic" else SPLINE_BANDS[scope]
    cells = {"confidence_level": confidence_level, "scope": scope, "method": word}
    curves = calibration_curve_rows(sample, population, band)
    columns = stacked_curve_columns(CALIBRATION_BAND, [{**curve, **cells} for curve in curves])
    return answer_columns(CALIBRATION_BAND, sample, columns, draws)


def _spline_band(
    risks: Risks, at: FloatArray, scope: BandScope, level: float, draws: ResamplePlan
) -> tuple[dict[str, FloatArray], list[str]]:
    """Return the spline with normal limits on the logit scale, and the notes that say why not."""
    spline = fit_spline(risks)
    if spline is None:
        none = np.full(len(at), np.nan)
        numbers = {"risk": at, "estimate": none, "ci_low": none, "ci_high": none}
        return numbers, [missing_fit_note(risks)]
    logit = np.asarray(sp.logit(at))
    eta, covariance = spline.eta(logit), spline.covariance(logit)
    c = float(sp.ndtri((1 + level) / 2))
    if scope == "simultaneous":
        c = band_quantile_of_joint_normals(covariance, level, draws)
    variance = np.diag(covariance)
    # Two clusters may agree at a risk: the variance there is a rounding, of either sign.
    varies = variance > max(NO_VARIANCE, SAME * variance.max())
    reach = c * np.sqrt(np.where(varies, variance, np.nan))
    estimate, low, high = (np.asarray(sp.expit(x)) for x in (eta, eta - reach, eta + reach))
    # No limit is 0 or 1 where it bounds the risk away from there: it is rounded outwards.
    low = np.minimum(low, np.nextafter(1.0, 0.0))
    high = np.maximum(high, np.nextafter(0.0, 1.0))
    reasons = [] if varies.all() else ["no-variance"]
    return {"risk": at, "estimate": estimate, "ci_low": low, "ci_high": high}, reasons


# --- The curve of each predictor in each group ----------------------------------------------------


def calibration_curve_rows(
    sample: Sample,
    population: RiskPopulation,
    curve: Callable[[Risks, int, int], tuple[dict[str, Any], list[str]]],
) -> list[dict[str, Any]]:
    """Return the curve of each predictor in each group with both classes; warn of the notes.

    ``curve`` returns its numbers, and the notes that say why it has none.
    """
    all_notes: list[str] = []
    curves: list[dict[str, Any]] = []
    for g, group, k, name, part in answerable_predictors(sample, all_notes):
        risks = population.risks(part, k)
        numbers, reasons = curve(risks, g, k)
        notes = [*reasons, *calibration_case_notes(part, curve=True)]
        all_notes += notes
        curves.append(
            {
                "predictor": name,
                "group": group,
                "quantity": "observed_risk",
                "prevalence": risks.mean(risks.outcome).value,
                **class_size_columns(part),
                **numbers,
                "note": "; ".join(dict.fromkeys(notes)),
            }
        )
    warn_of_doubts(all_notes, warned_doubts(sample))
    return curves
