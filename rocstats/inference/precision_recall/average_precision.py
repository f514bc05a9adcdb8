"""Average precision and the area under the precision-recall curve, and their differences.

``average_precision`` has the areas of each predictor with intervals, ``compare_average_precision``
the differences of predictors on the same cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.curves.precision import precision_errors, recall_steps
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    predictor_rows,
)
from rocstats.estimate.areas import areas_of_covariance
from rocstats.estimate.claim import Adjustment, Claim, Hypothesis, read_claim
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.contrasts import infer_contrast
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.intervals import LOGIT_LIMITS, Area, limits_of_area, percentile_method
from rocstats.estimate.precision import (
    AREAS,
    MOVER,
    EffectiveCasesPrecisionLimits,
    PrecisionInterval,
    PrecisionPrevalence,
    PrecisionVariance,
    few_negatives_for_precision_codes,
    precision_area,
    precision_codes,
    precision_covariance_and_df,
    precision_limits,
    precision_variance_word,
    prevalence_of_precision_row,
    read_precision_prevalence,
)
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    plan_draws,
    redrawn_notes,
    require_drawing,
)
from rocstats.estimate.resample_statistics import draw_statistics
from rocstats.estimate.tables import Sampling
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import NO_SPREAD
from rocstats.frame.question import (
    BINNING_ERROR,
    ESTIMATE,
    TEST,
    Question,
    RoleRefusal,
    estimate_columns,
)
from rocstats.study.base import require_cases, sample_notes
from rocstats.study.binned import is_binned
from rocstats.study.sample import Sample, require_fold_classes, require_same_cases

# --- Question: the areas of each predictor --------------------------------------------------------

AVERAGE_PRECISION = Question(
    "average_precision",
    estimate_columns(f"predictor group quantity {ESTIMATE} prevalence n_pos n_neg method note"),
    ("boyd-2013", "efron-1993", "davis-2006", "keilwagen-2014", "fawcett-2004"),
    binned=True,
)


def average_precision(
    sample: Sample,
    *,
    variance: PrecisionVariance | None = None,
    interval: PrecisionInterval | None = None,
    confidence_level: float = 0.95,
    prevalence: float | None = None,
    sampling: Sampling = "cohort",
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return average precision and PR AUC; a row is one area of one predictor (in one group).

    Parameters
    ----------
    variance : {"influence", "bootstrap"}, optional
        - "influence" (default): computed from the influence values of the cases, without random
          numbers.
        - "bootstrap": computed from resamples. It is the default with ``interval="percentile"`` and
          is required for weighted cases. Resamples contain repeated cases. These ties increase
          average precision.
    interval : {"logit-t", "logit", "percentile"}, optional
        - "logit-t" (default with "influence"): t limits on the logit scale.
        - "logit" (default with "bootstrap"): normal limits on the logit scale.
        - "percentile": order statistics of the resamples.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, treated as exact. By default the share in the
        study is used (see ``sampling``).
    sampling : {"cohort", "case-control"}, default "cohort"
        Origin of the share of positives in the study, as in ``operating_points``.

        - "cohort": the cases are a random sample of the population. Their share of positives is an
          estimate, and the limits include its error.
        - "case-control": the share was chosen, and ``prevalence`` is required.
    n_resamples : int >= 100, default 2000
        Number of resamples of "bootstrap".
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, prevalence, n_pos,
        n_neg, confidence_level, method, note``. Each predictor has two rows, with ``quantity``
        "average_precision" and "pr_auc". ``attrs`` has the number of resamples and the seed.

    Raises
    ------
    InputError
        If an option or number is invalid; if options cannot be combined; or if a fold lacks a
        class.

    Warns
    -----
    StatisticalWarning
        If a group lacks a class and its row is NaN (``one-class``), and once for each warning in
        ``note``.

    Notes
    -----
    At the k-th highest distinct score, let R_k be the recall and F_k the false positive rate. The
    precision at the prevalence pi is P_k = pi R_k/(pi R_k + (1 - pi) F_k). The "average_precision"
    is the sum of (R_k - R_{k-1}) P_k over all distinct scores. Cases with equal scores enter
    together. Therefore the order of the rows does not matter. The "pr_auc" is the exact area under
    the interpolated curve of ``pr_curve``. The two areas differ in the interpolation between
    points. With many distinct scores the difference is small. For perfect separation both areas are
    1. If all scores are equal, both areas equal the prevalence.

    "influence": the influence value of a case is the derivative of the area A with respect to the
    weight of the case. The square of ``se`` is the sum of the squared influence values. In a
    cohort, class sizes are random. The sum is then over all N cases, with the factor N/(N - 1)
    ("cohort-influence" in ``method``). With ``prevalence`` the sum is computed for the m positives
    and for the n negatives, with the factors m/(m - 1) and n/(n - 1). With clusters, influence
    values are first summed within clusters.

    Limits are expit(logit A -+ t se/(A (1 - A))). The degrees of freedom of t come from the
    influence values of both classes, as in ``test_equal_groups``. This choice is not published
    elsewhere. The standard error is 0 for perfect separation and for equal scores. Limits are then
    Wilson's, with an effective number of cases (note ``precision-at-boundary``). This choice is not
    published elsewhere and not peer-reviewed. If a class has one case or cluster, there are no
    limits (``single-unit``).

    Simulations had 10 to 150 positives. 95% logit-t limits had coverage .92 to .98 for average
    precision, and .91 to .97 for pr_auc. With few cases both areas are too high on average
    (``few-positives``). Therefore most intervals that miss the true value are too high.

    A ``prevalence`` below the share of positives in the study needs many negatives. The required
    number is m (1 - pi)/pi, as in a cohort with m positives. With fewer negatives there are no
    limits. The note ``few-negatives`` states the required number. The precision of the highest
    scores depends on false positive rates near pi, but the data have no rate between 0 and 1/n. An
    example has 50 cases of each class, a prevalence of .02 and a true value of .19. The estimate is
    then .33 on average, and 95% limits would have coverage .47.

    "bootstrap" resamples positives and negatives separately, in each fold. Clusters are resampled
    as a whole. A resample that lacks a class is drawn again (note ``resamples-redrawn``). ``se`` is
    the standard deviation of the resampled values. Both rows of a predictor use the same resamples.
    Resamples do not vary for perfect separation, or if a class has one case. There are then no
    limits (note ``no-resampled-spread``). In simulations the coverage of bootstrap limits was not
    better than the coverage with "influence". The computing time is proportional to the number of
    distinct scores times ``n_resamples``.

    With folds, both areas are means over folds. With ``sample_weight``, counts are sums of weights.
    A weight stays with its case in resamples. Resamples keep the class sizes. They therefore treat
    the share of positives as exact (note ``known-prevalence``).

    The expected value of an uninformative predictor is the prevalence, not 0.5. Do not compare
    samples of different prevalence. Pass ``prevalence`` for case-control data.

    References
    ----------
    - Boyd, Eng & Page (2013), average precision, and a logit interval with a binomial standard
      error [boyd-2013]
    - Efron & Tibshirani (1993), chapters 6 and 13 [efron-1993]
    - Davis & Goadrich (2006), interpolated area [davis-2006]
    - Keilwagen, Grosse & Grau (2014), interpolated area [keilwagen-2014]
    - Fawcett (2004), section 3.2 [fawcett-2004]

    Examples
    --------
    In this example average_precision is (1 + 1 + 3/5)/3, and pr_auc is (1 + 1 + 1/2 +
    log(5/3)/4)/3:

    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> study.average_precision()[["quantity", "estimate", "n_pos", "n_neg"]].round(3)
                quantity  estimate  n_pos  n_neg
    0  average_precision     0.867      3      2
    1             pr_auc     0.876      3      2

    A case-control sample with nine controls per case, evaluated at a prevalence of 0.1:

    >>> y, score = [1] * 5 + [0] * 45, [9, 8, 6, 5, 2] + [k % 15 / 2 for k in range(45)]
    >>> frame = rs.Study(y * 2, score * 2).average_precision(prevalence=0.1)
    >>> frame[["quantity", "estimate", "se", "ci_low", "ci_high"]].round(3)
                quantity  estimate     se  ci_low  ci_high
    0  average_precision     0.518  0.143   0.229    0.796
    1             pr_auc     0.516  0.149   0.217    0.804
    """
    AVERAGE_PRECISION.refuse_covariates(sample)
    at = read_precision_prevalence(prevalence, sampling)
    variance = require_choice("variance", variance, (None, *get_args(PrecisionVariance)))
    interval = _read_interval(variance, interval)
    resampled = variance == "bootstrap" or interval == "percentile"
    require_open_interval("confidence_level", confidence_level, 0, 1)
    # A wrong number is refused without resamples too; the source is not touched then.
    require_drawing(n_resamples, rng, progress)
    draws = plan_draws(n_resamples, rng, progress) if resampled else None

    def area_rows(part: Sample, g: int, k: int) -> Iterator[dict[str, Any]]:
        results, codes = _area_results(part, g, k, interval, confidence_level, at, draws)
        known: dict[str, Any] = {
            **class_size_columns(part),
            "prevalence": prevalence_of_precision_row(part, at),
        }
        defined = not np.isnan(results[0].estimate)
        errors = precision_errors(part, k, at.given) if is_binned(part) and defined else {}
        for name, result in zip(AREAS, results, strict=True):
            known |= {"quantity": name, BINNING_ERROR: errors.get(name, np.nan)}
            known["confidence_level"] = np.nan if result.method == "none/none" else confidence_level
            yield answer_row_of_result(AVERAGE_PRECISION, known, result, codes)

    return answer_rows(AVERAGE_PRECISION, sample, predictor_rows(sample, area_rows), draws)


def _read_interval(
    variance: PrecisionVariance | None, interval: PrecisionInterval | None
) -> PrecisionInterval:
    """Return the interval; raise InputError for words that do not go together."""
    interval = require_choice("interval", interval, (None, *get_args(PrecisionInterval)))
    if variance == "influence" and interval == "percentile":
        raise InputError(
            "`interval` must be 'logit-t' or 'logit' with the variance 'influence', which draws no"
            " resamples; got 'percentile'. Pass variance='bootstrap', or leave `variance` out."
        )
    if variance == "bootstrap" and interval == "logit-t":
        raise InputError(
            "`interval` must be 'logit' or 'percentile' with the variance 'bootstrap', which has no"
            " degrees of freedom; got 'logit-t'. Leave one of them out."
        )
    if interval is not None:
        return interval
    return "logit" if variance == "bootstrap" else "logit-t"


# --- Estimates and limits -------------------------------------------------------------------------


def _area_results(
    part: Sample,
    g: int,
    k: int,
    interval: PrecisionInterval,
    level: float,
    at: PrecisionPrevalence,
    draws: ResamplePlan | None,
) -> tuple[list[Result], list[str]]:
    """Return both areas of predictor ``k`` in group ``g``, and the notes on the cases."""
    if not lacks_class(part):
        require_fold_classes(part)
    codes: list[str] = []
    if draws is None and part.sample_weight is None and not lacks_class(part):
        results = [_influence_result(part, k, name, interval, level, at) for name in AREAS]
    else:
        values = _mean_precision_areas(part, k, at)
        one_class = bool(np.isnan(values).any())
        if one_class or draws is None:
            reason = "one-class" if one_class else "weights-need-bootstrap"
            return [undefined_result(reason, value) for value in values], sample_notes(part)
        results = _resampled_results(part, k, values, interval, level, at, draws.at(g))
        codes += ["known-prevalence"] if at.given is None else []
    few = few_negatives_for_precision_codes(part, at)
    if few:
        results = [Result(result.estimate) for result in results]
    return results, [*few, *precision_codes(part), *codes]


def _influence_result(
    part: Sample,
    k: int,
    quantity: str,
    interval: PrecisionInterval,
    level: float,
    at: PrecisionPrevalence,
) -> Result:
    """Return an area with limits from the influence values of the cases."""
    area = precision_area(part.cases, k, quantity, at)
    return precision_result(area, precision_variance_word(part.cases, at), interval, level)


def precision_result(area: Area, word: str, interval: PrecisionInterval, level: float) -> Result:
    """Return an area with limits; none for a class of a single case or cluster."""
    if np.isnan(area.variance):
        return undefined_result("single-unit", area.value)
    low, high, limits_word, codes = precision_limits(area, interval, level)
    se = float(np.sqrt(area.variance))
    return Result(area.value, se, low, high, method=f"{word}/{limits_word}", codes=codes)


def _mean_precision_areas(part: Sample, k: int, at: PrecisionPrevalence) -> list[float]:
    """Return the areas of predictor ``k``, means over folds; NaN where a class has no weight."""
    folds = [fold.counts(k) for _, fold in part.cases.by_fold()]
    # Totals, not numbers of cases: all weights of a class may be 0.
    if any(counts.total_pos == 0 or counts.total_neg == 0 for counts in folds):
        return [float("nan")] * len(AREAS)
    steps = [recall_steps(counts) for counts in folds]
    return [
        float(np.mean([at.area_of_steps(quantity, each) for each in steps])) for quantity in AREAS
    ]


def _resampled_results(
    part: Sample,
    k: int,
    values: list[float],
    interval: PrecisionInterval,
    level: float,
    at: PrecisionPrevalence,
    plan: ResamplePlan,
) -> list[Result]:
    """Return both areas of predictor ``k`` with limits from resamples."""
    # One call for both areas: they share every resample, so that their rows are comparable.
    with enough_valid_resamples():
        statistics = [partial(at.area, name) for name in AREAS]
        drawn = draw_statistics(part.cases, k, statistics, plan)
    redrawn = redrawn_notes(drawn.n_redrawn)
    results = [
        _resampled_result(value, resamples, part, interval, level)
        for value, resamples in zip(values, drawn.values, strict=True)
    ]
    return [result._replace(codes=(*result.codes, *redrawn)) for result in results]


def _resampled_result(
    estimate: float, resamples: FloatArray, part: Sample, interval: PrecisionInterval, level: float
) -> Result:
    """Return an area with limits from its resamples; none where resamples cannot vary."""
    se = float(np.std(resamples, ddof=1))
    m, n = part.n_pos, part.n_neg
    # A class of one case is the same case in every resample, whose spread then lacks a term.
    if min(m, n) == 1 or np.ptp(resamples) < NO_SPREAD:
        return undefined_result("no-resampled-spread", estimate)
    # Weights may round an area below 1 to 1, whose logit is infinite.
    if not 0 < estimate < 1:
        interval = "percentile"
    method = LOGIT_LIMITS if interval == "logit" else percentile_method(resamples)
    # Infinite degrees of freedom: normal quantiles, as in the logit interval of Boyd et al (2013).
    area = Area(estimate, se**2, np.inf, m, n, min(m, n))
    low, high = limits_of_area(method, area, level, "two-sided")
    return Result(estimate, se, low, high, method=f"resamples/{interval}")


# --- Question: differences of predictors ----------------------------------------------------------

COMPARE_AVERAGE_PRECISION = Question(
    "compare_average_precision",
    estimate_columns(
        f"predictor reference group quantity prevalence {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_pos n_neg method note"
    ),
    ("boyd-2013", "davis-2006", "holm-1979"),
    {
        "sample_weight": RoleRefusal(
            "stay None for a comparison of average precisions, whose variance counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)
PrecisionQuantity = Literal["average_precision", "pr_auc"]


def compare_average_precision(
    sample: Sample,
    *,
    quantity: PrecisionQuantity = "average_precision",
    reference: str | None = None,
    prevalence: float | None = None,
    sampling: Sampling = "cohort",
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of average precision; a row is one pair of predictors.

    Parameters
    ----------
    quantity : {"average_precision", "pr_auc"}, default "average_precision"
        Area under the precision-recall curve; ``average_precision`` explains both areas.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, treated as exact. By default the share in the
        study is used.
    sampling : {"cohort", "case-control"}, default "cohort"
        Origin of the share of positives in the study, as in ``average_precision``.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d.

        - "difference" (default): d is not 0; ``alternative`` names the direction.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter. For superiority the default is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference". "greater" tests d > 0.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the coverage is 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, prevalence, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. ``quantity`` is "average_precision_difference" or
        "pr_auc_difference". ``estimate`` is the area of the predictor minus the area of the
        reference.

    Raises
    ------
    InputError
        If the study has one predictor; if predictors have different cases; if the study has weights
        or was made from counts; if a fold lacks a class; or if options cannot be combined.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``; ``average_precision`` has examples.

    Notes
    -----
    The influence of a case on the difference is its influence on one area minus its influence on
    the other area. Influence values are summed within clusters and averaged over folds. Limits are
    d -+ t se with Satterthwaite's degrees of freedom, cut at -1 and 1. An area has no variance for
    perfect separation or equal scores. MOVER then combines Wilson's limits of both areas, with
    effective numbers of cases (note ``precision-at-boundary``). This choice is not published
    elsewhere. If two predictors rank all cases in the same order, p = 1 and there is no interval.

    In simulations with 10 to 150 positives, 95% limits had coverage .929 to .977. A difference of
    average precision is valid at one prevalence only. At another prevalence its size and sign may
    change. Do not compare models on the cases to which they were fitted.

    References
    ----------
    - Boyd, Eng & Page (2013), average precision [boyd-2013]
    - Davis & Goadrich (2006), interpolated area [davis-2006]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> found = study.compare_average_precision()
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(2)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture      0.33    0.26      0.4
    """
    require_cases(sample, "a comparison of predictors")
    COMPARE_AVERAGE_PRECISION.require_roles(sample)
    quantity = require_choice("quantity", quantity, tuple(AREAS))
    at = read_precision_prevalence(prevalence, sampling)
    claim = read_claim(
        sample, reference, hypothesis, margin, alternative, 0.0, adjust, confidence_level
    )
    require_same_cases(sample)
    differences = _precision_differences(sample, quantity, at, claim)
    return comparison_frame(COMPARE_AVERAGE_PRECISION, sample, claim.adjust, differences)


# --- Differences ----------------------------------------------------------------------------------

PAIR_WEIGHTS = np.array([1.0, -1.0])
# The notes of areas, and those of average precision in the same place.
_NOTES_OF_PRECISION = {
    "auc-at-boundary": "precision-at-boundary",
    "zero-variance": "precision-at-boundary",
}


def _precision_differences(
    sample: Sample, quantity: PrecisionQuantity, at: PrecisionPrevalence, claim: Claim
) -> Iterator[ComparedRow]:
    for group, part in sample.by_group():
        for pair in claim.pairs:
            known = {
                "quantity": quantity,
                "group": group,
                "prevalence": prevalence_of_precision_row(part, at),
                **claim.words(part, pair),
                **class_size_columns(part),
            }
            if lacks_class(part):
                yield known, undefined_result("one-class"), sample_notes(part)
            else:
                require_fold_classes(part)
                difference = _precision_difference(part, pair, quantity, at, claim)
                yield known, difference, precision_codes(part)


def _precision_difference(
    part: Sample,
    pair: tuple[int, int],
    quantity: PrecisionQuantity,
    at: PrecisionPrevalence,
    claim: Claim,
) -> Result:
    cases = part.cases
    found, df = precision_covariance_and_df(cases, pair, quantity, at)
    areas, few = (
        areas_of_covariance(cases, found).each(),
        few_negatives_for_precision_codes(part, at),
    )
    if few or np.isnan(found.covariance).any():
        return Result(areas[0].value - areas[1].value, codes=tuple(few or ["single-unit"]))
    result = infer_contrast(
        PAIR_WEIGHTS,
        areas,
        found.covariance,
        df,
        claim.tested,
        identical=np.array_equal(cases.codes(pair[0]), cases.codes(pair[1])),
        boundary=EffectiveCasesPrecisionLimits(),
    )
    return precision_difference(result, precision_variance_word(cases, at))


def precision_difference(result: Result, word: str) -> Result:
    """Return a contrast of areas with the words and notes of average precision."""
    limits = MOVER if result.method == "mover" else result.method
    method = "none/none" if limits == "none" else f"{word}/{limits}"
    codes = tuple(_NOTES_OF_PRECISION.get(code, code) for code in result.codes)
    return result._replace(method=method, codes=codes)
