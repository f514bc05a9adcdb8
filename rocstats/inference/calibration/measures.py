"""Calibration of predicted risks: ratio of events, intercept, slope, and tests of calibration.

Cox's line is logit P(y = 1) = a + b logit p [cox-1958]: calibration in the large is a at b = 1, and
the joint test is of a = 0 and b = 1. Spiegelhalter's z compares the Brier score with its mean under
calibration [spiegelhalter-1986]. ICI, E50, E90 [austin-2019] and the miscalibration part of the
Brier score [dimitriadis-2021] are above 0 for calibrated risks too; they are tested by redraws.
Derivations: docs/methods/calibration.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_rows, lacks_class, predictor_rows
from rocstats.estimate.claim import chi_square_test_of_zero_vector, read_hypothesis
from rocstats.estimate.crossing import find_root
from rocstats.estimate.estimate import (
    Estimate,
    Result,
    log_ratio_result,
    undefined_result,
    wald_result,
)
from rocstats.estimate.quantiles import t_p_value
from rocstats.estimate.resample import (
    NO_RESAMPLES,
    ResamplePlan,
    RngLike,
    plan_draws,
    require_drawing,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import QUANTITIES
from rocstats.facts.tolerances import clear_rounding
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.calibration.fits import (
    CurveErrors,
    curve_errors,
    fit_logistic,
    fit_logistic_in_population,
    logistic_log_likelihood,
    missing_fit_note,
    redraw_p_values,
    sandwich,
    spline_at_cases,
    spline_knots_of_risks,
)
from rocstats.inference.calibration.risks import (
    Risks,
    calibration_row,
    read_risk_population,
    require_cohort_to_redraw_outcomes,
)
from rocstats.inference.calibration.scores import brier_parts
from rocstats.study.base import BaseSample
from rocstats.study.sample import Sample

# --- The question ---------------------------------------------------------------------------------

CALIBRATION = Question(
    "calibration",
    estimate_columns(
        f"predictor group quantity prevalence {ESTIMATE} {TEST} hypothesis n_pos n_neg method note"
    ),
    (
        *("cox-1958", "spiegelhalter-1986", "austin-2019", "dimitriadis-2021"),
        *("prentice-1979", "hall-1992"),
    ),
)
CalibrationMeasure = Literal[
    "observed_expected_ratio",
    "calibration_intercept",
    "calibration_slope",
    "intercept_and_slope",
    "spiegelhalter_z",
    "ici",
    "e50",
    "e90",
    "miscalibration",
]
MEASURES: tuple[CalibrationMeasure, ...] = get_args(CalibrationMeasure)
_DEFAULT_MEASURES: tuple[CalibrationMeasure, ...] = tuple(
    name for name in MEASURES if not QUANTITIES[name].by_request
)
# Larger than 0 in every sample of calibrated risks: only a redraw says how much larger.
_REDRAWN_MEASURES: tuple[CalibrationMeasure, ...] = tuple(
    name for name in MEASURES if QUANTITIES[name].null_is_least
)


def calibration(
    sample: Sample,
    *,
    quantities: CalibrationMeasure | Sequence[CalibrationMeasure] | None = None,
    prevalence: float | None = None,
    clip: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return measures of calibration with intervals and tests; a row is one measure.

    Use this method to check whether predicted risks agree with observed frequencies, on average and
    over their range. Do not use it on the data to which the model was fitted, since the slope is
    then 1 by construction.

    Parameters
    ----------
    quantities : str or sequence of str, optional
        Measures to return; by default the first four of this list:

        - "observed_expected_ratio": number of events divided by the sum of the risks. It is 1 if
          risks are right on average, and below 1 if risks are too high.
        - "calibration_intercept": a similar comparison on the logit scale. It is 0 if risks are
          right on average.
        - "calibration_slope": slope of the outcome on the logit of the risk. It is 1 if the spread
          of the risks is right, and below 1 if risks are too extreme (an overfitted model).
        - "intercept_and_slope": the joint test of intercept 0 and slope 1. It has no estimate.
        - "spiegelhalter_z": Spiegelhalter's test of the Brier score.
        - "ici", "e50", "e90": mean, median and 90th percentile over cases of the distance between
          the spline curve and the risk. They have no limits, since they are above 0 even for
          calibrated risks.
        - "miscalibration": the miscalibration part of the Brier score (see ``probability_scores``).
    prevalence : float in (0, 1), optional
        Share of positives in the target population of the risks. Required for case-control samples.
        By default the cases are a random sample of that population.
    clip : float in (0, 0.5), optional
        Risks below ``clip`` become ``clip``; risks above 1 - ``clip`` become 1 - ``clip``. By
        default risks do not change. A predictor with risks of 0 or 1 then has only
        "observed_expected_ratio", "spiegelhalter_z" and "miscalibration". Other measures need
        logits and are NaN (note ``certain-risks``).
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 1000
        Number of simulated outcome sets for the P values of "ici", "e50", "e90" and
        "miscalibration".
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the simulated outcomes; the frame records a seed that reproduces
        them.
    progress : bool, default False
        Whether to show a progress bar if the simulations take over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, prevalence, n_pos, n_neg, confidence_level, null_value, hypothesis, method, note``.

    Raises
    ------
    InputError
        If scores are outside [0, 1]; if lower scores are positive; if an argument is invalid; or if
        Spiegelhalter's test or a simulated test is requested with clusters, weights or a
        ``prevalence``.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``few-cases``: a class has under 20 cases.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``separation``: risks separate the classes.
        - ``single-risk``: all risks are equal.
        - ``certain-risks``: some risks are 0 or 1.
        - ``no-expected-events``: all risks are 0 or 1.
        - ``no-variance``: nothing varies.
        - ``weights-need-bootstrap``: the study has weights, and only estimates are returned.

    Notes
    -----
    Let p be the risks and y the outcomes (0 or 1). The ratio O/E is the mean of y divided by the
    mean of p. Its limits are normal on the logarithmic scale. The intercept is a in the model logit
    P(y = 1) = a + logit p. Its standard error is the sandwich estimate, which is valid even if the
    slope is not 1. The slope is b in a second model, logit P(y = 1) = a + b logit p. Its standard
    error comes from this model. The frame does not contain the intercept of the second model. The
    joint test is the likelihood ratio test of (a, b) = (0, 1) in the second model, with 2 degrees
    of freedom. With clusters, both standard errors are sandwich estimates, and the joint test is
    Wald's test.

    With ``prevalence=pi``, the m positives and n negatives (N cases) have weights pi N/m and (1 -
    pi) N/n. O/E is pi divided by the mean risk. The limits of O/E correct for the skewness of the
    mean risk (Hall 1992). They use quantiles of t, with degrees of freedom from the influence
    values of both classes. A limit of the intercept is a value that is added to every logit p. With
    this value, a confidence limit of the mean risk equals pi. O/E and the intercept therefore have
    the same test.

    Sampling by class changes the intercept only (Prentice & Pyke 1979). Therefore the slope and the
    joint test use unweighted cases with the offset logit(m/N) - logit(pi). The joint test uses
    Wald's statistic W. Let k be the number of cases (or clusters) of the rarer class minus 1. The
    ``statistic`` is k log(1 + W/k), with a chi-square distribution of 2 degrees of freedom. The P
    value is the tail probability of W/2 under the distribution F(2, k).

    "ici", "e50", "e90" and "miscalibration" have simulated P values. Outcomes are simulated from
    the risks. The P value is the share of these outcome sets in which the measure is at least the
    observed value.

    A large P value does not prove calibration. With few cases the tests have little power. In
    simulations with 100 to 1000 cases, 30% or 5% of the cases were events. 95% limits had coverage
    .943 to .967, for calibrated and for overfitted models. The joint test rejected .044 to .056 of
    calibrated models. Simulations of ``prevalence`` had 10 to 200 positives and 50 to 500
    negatives. Limits of O/E, intercept and slope had coverage .940 to .961. The joint test rejected
    .038 to .055 of calibrated models. With 60 clusters, of which four were large, limits had
    coverage .91 to .93. The joint test then rejected .08 to .09 of calibrated models (note
    ``few-clusters``).

    References
    ----------
    - Cox (1958) [cox-1958]
    - Spiegelhalter (1986) [spiegelhalter-1986]
    - Austin & Steyerberg (2019), ICI, E50, E90 [austin-2019]
    - Dimitriadis, Gneiting & Jordan (2021), miscalibration [dimitriadis-2021]
    - Prentice & Pyke (1979), cases sampled by class [prentice-1979]
    - Hall (1992), means of skewed values [hall-1992]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 10
    >>> risk = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 10
    >>> study = rs.Study(y, risk, predictor="risk")
    >>> found = study.calibration()
    >>> found[["quantity", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
                      quantity  estimate  ci_low  ci_high  p_value
    0  observed_expected_ratio     1.111   0.912    1.353    0.295
    1    calibration_intercept     0.247  -0.222    0.716    0.302
    2        calibration_slope     1.202   0.736    1.669    0.395
    3      intercept_and_slope       NaN     NaN      NaN    0.410
    """
    CALIBRATION.require_roles(sample)
    plan = read_calibration_plan(quantities, confidence_level, n_resamples, rng, progress)
    population = read_risk_population(sample, prevalence, clip)
    plan.require_cohort(sample, prevalence)

    def measure_rows(part: Sample, g: int, k: int) -> Iterator[dict[str, Any]]:
        return calibration_rows(CALIBRATION, part, population.risks(part, k), plan, g, k)

    return answer_rows(CALIBRATION, sample, predictor_rows(sample, measure_rows), plan.draws)


class CalibrationPlan(NamedTuple):
    """The measures of calibration of an answer, the level of their limits, and the redraws."""

    measures: tuple[CalibrationMeasure, ...]
    confidence_level: float
    draws: ResamplePlan

    def require_cohort(self, sample: BaseSample, prevalence: float | None) -> None:
        """Raise InputError if outcomes cannot be redrawn although a measure needs it."""
        for name in self.measures:
            if name not in _DEFAULT_MEASURES:
                require_cohort_to_redraw_outcomes(sample, prevalence, f"the quantity {name!r}")


def read_calibration_plan(
    quantities: Any, confidence_level: float, n_resamples: int, rng: RngLike, progress: bool
) -> CalibrationPlan:
    """Return the plan of an answer, or raise InputError."""
    measures = _read_measures(quantities)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    require_drawing(n_resamples, rng, progress)
    drawn = any(name in _REDRAWN_MEASURES for name in measures)
    draws = plan_draws(n_resamples, rng, progress) if drawn else NO_RESAMPLES
    return CalibrationPlan(measures, confidence_level, draws)


def calibration_rows(
    question: Question, part: Sample, risks: Risks, plan: CalibrationPlan, *stream: int
) -> Iterator[dict[str, Any]]:
    """Yield the row of each measure of the risks of a part; ``stream`` keys its redraws."""
    results = dict.fromkeys(plan.measures, undefined_result("one-class"))
    if not lacks_class(part):
        results = _measure_results(
            risks, plan.measures, plan.confidence_level, plan.draws.at(*stream)
        )
    for name in plan.measures:
        cells = {
            "quantity": name,
            "confidence_level": plan.confidence_level,
            "null_value": QUANTITIES[name].null,
            "hypothesis": "greater" if name in _REDRAWN_MEASURES else "two-sided",
        }
        yield calibration_row(question, part, risks, cells, results[name])


def _read_measures(quantities: Any) -> tuple[CalibrationMeasure, ...]:
    if quantities is None:
        return _DEFAULT_MEASURES
    names: Any = [quantities] if isinstance(quantities, str) else quantities
    if not isinstance(names, Sequence) or not len(names):
        raise InputError(
            f"`quantities` must be a measure or a sequence of them; got {quantities!r}. Pass some"
            f" of {list(MEASURES)}."
        )
    return tuple(dict.fromkeys(require_choice("quantities", name, MEASURES) for name in names))


# --- Estimators: ratio of events, Cox's line and Spiegelhalter's test -----------------------------

_UNREACHED_T = 1e9  # a t that no confidence level reaches
_MOST_DOUBLINGS = 6  # a shift of 32 on the logit scale makes risks of 1e-14 certain
_COEF_ROUNDING = 1e-9  # of coefficients, whose last step is below 1e-8 and doubles its right digits


class JointTest(NamedTuple):
    """A test of calibration: its statistic, degrees of freedom and P value."""

    statistic: float
    df: float
    p_value: float


class CoxLine(NamedTuple):
    """Cox's line logit P(y = 1) = a + b logit p [cox-1958], the error of b, and the joint test."""

    coef: FloatArray
    slope_se: float
    joint: JointTest


def events_ratio(risks: Risks) -> Estimate:
    """Return O/E = sum of y/sum of p; the influence of a case is (y - (O/E) p)/mean p."""
    expected = risks.mean(risks.risk).value
    if expected == 0:
        return Estimate(np.nan, np.full(len(risks.risk), np.nan))
    ratio = risks.mean(risks.outcome).value / expected
    return risks.mean((risks.outcome - ratio * risks.risk) / expected)._replace(value=ratio)


def calibration_intercept(risks: Risks) -> tuple[float, float] | None:
    """Return the intercept at slope 1 and its sandwich standard error; None without a maximum.

    logit P(y = 1) = a + logit p [cox-1958].
    """
    design = np.ones((len(risks.risk), 1))
    fit = fit_logistic(risks, design, np.zeros(1), offset=risks.logit)
    if fit is None:
        return None
    # The variance of the model holds only if the slope is 1: overfitted models covered .92.
    variance = sandwich(risks, design, risks.logit + fit.coef[0])[0, 0]
    return float(fit.coef[0]), float(np.sqrt(clear_rounding(float(variance))))


def cox_line(risks: Risks) -> CoxLine | None:
    """Return Cox's line; None if the likelihood has no maximum."""
    design = np.column_stack([np.ones(len(risks.risk)), risks.logit])
    fit = fit_logistic_in_population(risks, design, np.array([0.0, 1.0]))
    if fit is None:
        return None
    se = float(np.sqrt(clear_rounding(float(fit.covariance[1, 1]))))
    if not risks.is_plain:
        # Two clusters have a singular covariance, which has no test: NaN.
        largest = float(np.trace(fit.covariance))
        test = chi_square_test_of_zero_vector(
            fit.coef - [0.0, 1.0], fit.covariance, largest, _COEF_ROUNDING
        )
        joint = JointTest(*test)
        if risks.prevalence is not None:
            joint = _small_sample_test(risks, joint)
        return CoxLine(fit.coef, se, joint)
    null = logistic_log_likelihood(risks.outcome, risks.weight, risks.logit)
    statistic = max(2 * (fit.log_likelihood - float(null)), 0.0)
    return CoxLine(fit.coef, se, JointTest(statistic, 2.0, float(sp.chdtrc(2.0, statistic))))


def _small_sample_test(risks: Risks, test: JointTest) -> JointTest:
    """Return a Wald test of two coefficients as if it had the cases of the rarer class less one.

    With n degrees of freedom W/2 is F(2, n), whose P value is (1 + W/n)^(-n/2): that of the
    chi-square n log(1 + W/n).
    """
    if test.df != 2 or np.isnan(test.statistic):
        return test
    positive, cases = risks.cases.is_positive, risks.cases
    sizes = [
        float(cases.weight[side].sum())
        if cases.cluster is None
        else float(len(np.unique(cases.cluster[side])))
        for side in (positive, ~positive)
    ]
    n = max(min(sizes) - 1, 1.0)
    statistic = n * float(np.log1p(test.statistic / n))
    return JointTest(statistic, 2.0, float(sp.chdtrc(2.0, statistic)))


def spiegelhalter(risks: Risks) -> float:
    """Return Spiegelhalter's z, of the Brier score beside its mean under calibration.

    z = sum (y - p)(1 - 2p)/sqrt(sum (1 - 2p)^2 p (1 - p)) [spiegelhalter-1986].
    """
    p, weight = risks.risk, risks.cases.weight
    # Under calibration a mean over the population has the variance of the outcomes alone.
    total = float(weight @ ((risks.outcome - p) * (1 - 2 * p)))
    variance = float(weight @ ((1 - 2 * p) ** 2 * p * (1 - p)))
    return total / np.sqrt(variance) if variance > 0 else np.nan


# --- Limits and tests of each measure -------------------------------------------------------------


def _measure_results(
    risks: Risks, measures: Sequence[CalibrationMeasure], level: float, draws: ResamplePlan
) -> dict[CalibrationMeasure, Result]:
    results: dict[CalibrationMeasure, Result] = {}
    if "observed_expected_ratio" in measures:
        results["observed_expected_ratio"] = _events_ratio_result(risks, level)
    if "calibration_intercept" in measures:
        results["calibration_intercept"] = _intercept_result(risks, level)
    if {"calibration_slope", "intercept_and_slope"} & set(measures):
        slope, joint = _slope_results(risks, level)
        results |= {"calibration_slope": slope, "intercept_and_slope": joint}
    if "spiegelhalter_z" in measures:
        results["spiegelhalter_z"] = _spiegelhalter_result(risks)
    wanted: list[CalibrationMeasure] = [name for name in _REDRAWN_MEASURES if name in measures]
    return {**results, **_redrawn_results(risks, wanted, draws)}


def _events_ratio_result(risks: Risks, level: float) -> Result:
    ratio, word = events_ratio(risks), f"{risks.cluster_prefix}influence"
    if np.isnan(ratio.value):  # every risk is 0: no events are expected
        return undefined_result("no-expected-events")
    result = log_ratio_result(ratio, level, word)
    if risks.prevalence is None or np.isnan(result.se):
        return result
    return _result_at_given_prevalence(
        risks, ratio.value, ratio.se, events_ratio_limits(risks, level), word
    )


def events_ratio_limits(risks: Risks, level: float) -> tuple[float, float]:
    """Return limits of events over expected ones at a prevalence, from those of the mean risk.

    Limits of a small level would both be on one side of a skewed mean: none passes the estimate.
    """
    # Few high risks of negatives, weighted by 1 - prevalence, make the mean risk skewed: normal
    # limits of its logarithm covered .84 with 50 + 50 cases at .02.
    expected, prevalence = risks.skewed_mean(risks.risk), float(risks.prevalence or 0.0)
    low, high = (expected.limit(at * expected.reach(level)) for at in (-1, 1))
    low, high = min(low, expected.value), max(high, expected.value)
    return prevalence / high, prevalence / low if low > 0 else np.inf


def _result_at_given_prevalence(
    risks: Risks, value: float, se: float, limits: tuple[float, float], word: str
) -> Result:
    """Return a result at a prevalence, with the test that the mean risk is the prevalence."""
    expected = risks.skewed_mean(risks.risk)
    t = -expected.t(float(risks.prevalence or 0.0))
    p = t_p_value(t, expected.df, "two-sided")
    return Result(value, se, *limits, t, expected.df, p, f"{word}/hall-t")


def _intercept_result(risks: Risks, level: float) -> Result:
    if not risks.has_logits:
        return undefined_result("certain-risks")
    found = calibration_intercept(risks)
    if found is None:
        return undefined_result("separation")
    plan = read_hypothesis("difference", None, "two-sided", 0.0, level)
    result = wald_result(*found, plan, f"{risks.cluster_prefix}sandwich")
    if risks.prevalence is None or np.isnan(result.se):
        return result
    limits = intercept_limits(risks, found[0], level)
    return _result_at_given_prevalence(risks, *found, limits, f"{risks.cluster_prefix}sandwich")


def intercept_limits(risks: Risks, value: float, level: float) -> tuple[float, float]:
    """Return the intercepts that give a mean risk which differs from the prevalence by chance."""
    prevalence = float(risks.prevalence or 0.0)

    def distance(moved: float, side: int) -> float:
        mean = risks.skewed_mean(np.asarray(sp.expit(risks.logit + moved)))
        # Where all risks are 0 or 1 the mean does not vary, and t is infinite.
        t = float(np.clip(side * mean.t(prevalence), -_UNREACHED_T, _UNREACHED_T))
        return t - mean.reach(level)

    limits = []
    for side in (-1, 1):
        if distance(value, side) >= 0:  # skewness outweighs a small level
            limits.append(value)
            continue
        # The mean risk rises with the intercept: twice as far at each step.
        steps = (value + side * 2.0**k for k in range(_MOST_DOUBLINGS))
        beyond = next((to for to in steps if distance(to, side) > 0), None)
        if beyond is None:
            limits.append(side * np.inf)
            continue
        limits.append(find_root(partial(distance, side=side), value, beyond, xtol=1e-12))
    return limits[0], limits[1]


def _slope_results(risks: Risks, level: float) -> tuple[Result, Result]:
    """Return the slope, and the joint test of intercept and slope."""
    cox = cox_line(risks) if risks.has_line else None
    if cox is None:
        undefined = undefined_result(missing_fit_note(risks))
        return undefined, undefined
    plan = read_hypothesis("difference", None, "two-sided", 1.0, level, largest=np.inf)
    plain = risks.is_plain
    clustered = risks.cases.cluster is not None
    word = "logistic" if plain else "case-control-logistic"
    if clustered:
        word = "cluster-sandwich"
    slope = wald_result(float(cox.coef[1]), cox.slope_se, plan, word)
    if np.isnan(cox.joint.statistic):
        return slope, undefined_result("few-clusters" if clustered else "no-variance")
    method = f"{'likelihood-ratio' if plain else word}/chi-square"
    # The joint test is of two measures, which have no common estimate.
    return slope, Result(np.nan, **cox.joint._asdict(), method=method)


def _spiegelhalter_result(risks: Risks) -> Result:
    z = spiegelhalter(risks)
    if np.isnan(z):
        return undefined_result("no-variance")
    p = t_p_value(z, np.inf, "two-sided")
    word, codes = "spiegelhalter/normal", ("no-interval",)
    return Result(z, statistic=z, df=np.inf, p_value=p, method=word, codes=codes)


def _redrawn_results(
    risks: Risks, names: Sequence[CalibrationMeasure], draws: ResamplePlan
) -> dict[CalibrationMeasure, Result]:
    """Return measures that are above 0 under calibration too, with P values by redraws."""
    if not names:
        return {}
    needs_spline = set(names) != {"miscalibration"}
    knots = spline_knots_of_risks(risks) if needs_spline and risks.has_line else None
    values = _curve_distances(risks, names, knots)
    p_values = redraw_p_values(
        risks, lambda one: _curve_distances(one, names, knots), values, draws
    )
    results = {}
    for name, value, p in zip(names, values.tolist(), p_values.tolist(), strict=True):
        word = "isotonic" if name == "miscalibration" else "spline"
        results[name] = Result(value, p_value=p, method=f"redraws/{word}", codes=("no-interval",))
        if np.isnan(p):  # risks that are all 0, or all 1, give no sample of both classes
            results[name] = undefined_result("no-expected-events", value)
        if np.isnan(value):
            results[name] = undefined_result(missing_fit_note(risks))
    return results


def _curve_distances(
    risks: Risks, names: Sequence[CalibrationMeasure], knots: FloatArray | None
) -> FloatArray:
    """Return measures of the distance from calibration; NaN where there is none."""
    positive = risks.cases.is_positive
    if positive.all() or not positive.any():
        return np.full(len(names), np.nan)
    curve = None if knots is None else spline_at_cases(risks, knots)
    errors = CurveErrors(np.nan, np.nan, np.nan)
    if curve is not None:
        errors = curve_errors(risks, curve)
    distances = errors._asdict()
    if "miscalibration" in names:
        distances["miscalibration"] = brier_parts(risks).miscalibration
    return np.array([distances[name] for name in names])
