"""Predicted probabilities of several classes: scores, their differences, and calibration by class.

Brier score as Brier defined it, the mean of sum_k (p_k - y_k)^2 [brier-1950], its scaled form
1 - B/(1 - sum_k pi_k^2) [kattan-2018], and log score. Calibration is that of each class against the
rest. Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.claim import Adjustment, Claim, Hypothesis, read_claim
from rocstats.estimate.class_units import ClassUnits, class_notes, class_units
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Result, score_result, undefined_result, wald_result
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.resample import RngLike
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import difference_of, range_of
from rocstats.frame.question import ESTIMATE, TEST, Question, RoleRefusal, estimate_columns
from rocstats.inference.calibration.measures import (
    CALIBRATION,
    CalibrationMeasure,
    calibration_rows,
    read_calibration_plan,
)
from rocstats.inference.calibration.risks import read_risk_population
from rocstats.study.cases import ClassCases
from rocstats.study.multiclass import MulticlassSample

# --- Scores ---------------------------------------------------------------------------------------

ClassScoreName = Literal["multiclass_brier_score", "scaled_brier_score", "log_score"]
CLASS_SCORES: tuple[ClassScoreName, ...] = get_args(ClassScoreName)
MULTICLASS_PROBABILITY_SCORES = Question(
    "multiclass_probability_scores",
    estimate_columns(f"predictor group quantity {ESTIMATE} n_pos n_neg method note"),
    ("brier-1950", "kattan-2018"),
)


def multiclass_probability_scores(
    sample: MulticlassSample, *, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Return probability scores of several classes with intervals; a row is one score.

    Use probability scores to compare classifiers on the same cases. A score depends on calibration
    and on discrimination. Do not compare scores of different samples, since scores depend on the
    mix of classes. A good score does not prove calibration.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, n_pos, n_neg,
        confidence_level, method, note``; ``n_pos`` and ``n_neg`` are NaN. The values of
        ``quantity`` are:

        - "multiclass_brier_score": 0 is best, 2 is worst. This is Brier's sum over classes. With
          two classes it is twice the "brier_score" of ``Study``. With more classes it equals
          scikit-learn's ``brier_score_loss`` with ``scale_by_half=False``.
        - "scaled_brier_score": 1 is best. A model that predicts the shares of the classes for every
          case has the score 0.
        - "log_score": 0 is best. It equals scikit-learn's ``log_loss``.

    Raises
    ------
    InputError
        If scores are not probabilities (from 0 to 1, with sum 1 in each row); or if the level is
        invalid.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``few-cases``: a class has under 20 cases.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``infinite-score``: the class of a case has probability 0.
        - ``no-variance``: nothing varies.
        - ``weights-need-bootstrap``: the study has weights, and only estimates are returned.

    Notes
    -----
    Let p_k be the predicted probability of class k, and pi_k the share of class k among the cases.
    Let y_k be 1 for the class of the case, and 0 for the other classes. The Brier score B is the
    mean of the sum over k of (p_k - y_k)^2. The scaled score is 1 - B/(1 - sum pi_k^2). The log
    score is the mean of -log p, where p is the predicted probability of the class of the case. If
    one of these probabilities is 0, the log score is infinite and has no limits. In this situation
    scikit-learn replaces 0 by 2.2e-16. Limits are t limits from influence values, with
    Satterthwaite's degrees of freedom over the classes. With clusters, influence values are summed
    within clusters.

    The method assumes independent cases (or clusters) that are a sample of all classes together. Do
    not use it if cases were sampled by class. Do not use it on the training data of a model. In
    simulations of five classes with 50 to 500 cases, 5% of them in the rarest class, 95% limits had
    coverage .931 to .965.

    References
    ----------
    - Brier (1950) [brier-1950]
    - Kattan & Gerds (2018), the scaled score [kattan-2018]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> y = np.tile([0, 1, 2, 0], 10)
    >>> risk = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.1, 0.4, 0.5], [0.4, 0.4, 0.2]] * 10
    >>> found = rs.MulticlassStudy(y, risk).probability_scores()
    >>> found[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
                     quantity  estimate  ci_low  ci_high
    0  multiclass_brier_score     0.345   0.293    0.397
    1      scaled_brier_score     0.448   0.336    0.560
    2               log_score     0.619   0.550    0.688
    """
    MULTICLASS_PROBABILITY_SCORES.require_roles(sample)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    _require_probabilities(sample)
    rows = list(_class_score_rows(sample, confidence_level))
    return answer_rows(MULTICLASS_PROBABILITY_SCORES, sample, rows)


# Half precision, or probabilities written with three or four digits, miss 1 by less.
_NEAR_ONE = 1e-3


def _require_probabilities(sample: MulticlassSample) -> None:
    """Raise InputError unless the scores of each case are probabilities of all classes."""
    for name, table in zip(sample.predictors, sample.scores, strict=True):
        low, high = table.min(), table.max()
        if not 0 <= low <= high <= 1:
            raise InputError(
                f"`y_score` must be probabilities in [0, 1]; got scores of {name!r} from {low:g} to"
                f" {high:g}. Pass the probabilities that a fitted model predicts."
            )
        sums = table.sum(axis=0)
        furthest = sums[np.argmax(np.abs(sums - 1))]
        if abs(furthest - 1) > _NEAR_ONE:
            raise InputError(
                f"`y_score` must have probabilities of sum 1 in each row; got a sum of"
                f" {furthest:g} for {name!r}. Pass the probabilities of all classes."
            )


def class_score_influence(
    cases: ClassCases, p: int, name: ClassScoreName
) -> tuple[float, FloatArray]:
    """Return a score and the influence of a case of each row; NaN if the score is infinite."""
    weight = np.ones(len(cases.class_codes)) if cases.weight is None else cases.weight
    size = float(weight.sum())
    risk, truth = cases.scores[p], cases.class_codes
    if name == "log_score":
        with np.errstate(divide="ignore"):
            values = -np.log(np.take_along_axis(risk, truth[np.newaxis], axis=0)[0])
        if np.isinf(values[weight > 0]).any():
            return np.inf, np.full_like(values, np.nan)
        value = float(weight @ np.where(weight > 0, values, 0.0)) / size
        return value, (values - value) / size
    own = truth == np.arange(cases.n_classes)[:, np.newaxis]
    values = ((risk - own) ** 2).sum(axis=0)
    brier = float(weight @ values) / size
    if name == "multiclass_brier_score":
        return brier, (values - brier) / size
    # S = 1 - B/v, v = 1 - sum pi^2 [kattan-2018]; a case of class t moves v by 2 (sum pi^2 - pi_t).
    share = cases.weight_of / size
    # v as a sum of products: where nearly all weight is on one class, a difference would be 0.
    others = np.array([np.delete(share, k).sum() for k in range(len(share))])
    spread = float(share @ others)
    if not spread**2 > np.finfo(np.float64).tiny:
        return np.nan, np.full_like(values, np.nan)
    moved = 2 * (float(share @ share) - share.take(truth)) * brier / spread**2
    return 1 - brier / spread, (moved - (values - brier) / spread) / size


_ONE = np.ones(1)


def _class_score_rows(sample: MulticlassSample, level: float) -> Iterator[dict[str, Any]]:
    for group, part in sample.by_group():
        cases = part.cases.pooled()
        for p, predictor in enumerate(part.predictors):
            for name in CLASS_SCORES:
                result = undefined_result("one-class")
                if not cases.lacks_class:
                    result = class_score_result(cases, p, name, level)
                cells = {
                    "predictor": predictor,
                    "group": group,
                    "quantity": name,
                    "confidence_level": level,
                }
                yield answer_row_of_result(
                    MULTICLASS_PROBABILITY_SCORES, cells, result, class_notes(part)
                )


def class_score_result(cases: ClassCases, p: int, name: ClassScoreName, level: float) -> Result:
    """Return a score of classifier ``p`` with its limits."""
    value, influence = class_score_influence(cases, p, name)
    if cases.sample_weight is not None:
        return undefined_result("weights-need-bootstrap", value)
    units = class_units(cases, influence[np.newaxis])
    score, df = units.estimate(np.array([value]), _ONE), units.df_of_numbers(_ONE)
    return score_result(score, level, _influence_word(units), range_of(name), df)


def _influence_word(units: ClassUnits) -> str:
    return "cluster-influence" if units.clustered else "influence"


# --- Differences of scores of classifiers on the same cases ---------------------------------------

MULTICLASS_COMPARE_PROBABILITY_SCORES = Question(
    "multiclass_compare_probability_scores",
    estimate_columns(
        f"predictor reference group quantity {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_pos n_neg method note"
    ),
    ("brier-1950", "kattan-2018", "holm-1979"),
    {
        "sample_weight": RoleRefusal(
            "stay None for a comparison of scores, whose variance counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)


def multiclass_compare_probability_scores(
    sample: MulticlassSample,
    *,
    quantity: ClassScoreName = "multiclass_brier_score",
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of a probability score of several classes; a row is one pair.

    Parameters
    ----------
    quantity : {"multiclass_brier_score", "scaled_brier_score", "log_score"}
        Score to compare (see ``probability_scores``); default "multiclass_brier_score". A lower
        Brier or log score is better.
    reference : str, optional
        Classifier to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of scores. The list is for scores where lower values are
        better. For the scaled score higher values are better. Superiority is then d > ``margin``,
        and non-inferiority is d > -``margin``.

        - "difference" (default): d is not 0; ``alternative`` names the direction.
        - "superiority": d < -``margin``.
        - "non-inferiority": d < ``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float > 0, optional
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
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        method, note``. ``estimate`` is the score of the predictor minus the score of the reference.
        ``n_pos`` and ``n_neg`` are NaN.

    Raises
    ------
    InputError
        For the reasons listed in ``probability_scores``; if the study has only one classifier; if
        it has weights; or if options cannot be combined.

    Warns
    -----
    StatisticalWarning
        For the reasons listed in ``probability_scores``.

    Notes
    -----
    The difference is the mean over cases of the paired differences. For the scaled score, the
    paired differences of influence values are used. Limits and test use t with the degrees of
    freedom of ``probability_scores``. With clusters, the values are summed within clusters. Use
    classifiers that were not fitted to these cases. In simulations of five classes with 50 to 500
    cases, the size of the test at .05 was .030 to .062.

    References
    ----------
    - Brier (1950) [brier-1950]
    - Kattan & Gerds (2018) [kattan-2018]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> y = np.tile([0, 1, 2, 0], 10)
    >>> new = np.array([[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.1, 0.4, 0.5], [0.4, 0.4, 0.2]] * 10)
    >>> study = rs.MulticlassStudy(y, {"new": new, "old": (new + 1 / 3) / 2})
    >>> found = study.compare_probability_scores()
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0       new       old    -0.133  -0.154   -0.112
    """
    MULTICLASS_COMPARE_PROBABILITY_SCORES.require_roles(sample)
    quantity = require_choice("quantity", quantity, CLASS_SCORES)
    _, largest = range_of(difference_of(quantity))
    claim = read_claim(
        sample,
        reference,
        hypothesis,
        margin,
        alternative,
        0.0,
        adjust,
        confidence_level,
        largest=largest,
    )
    plan = claim.tested if quantity == "scaled_brier_score" else claim.tested.lower_is_better()
    _require_probabilities(sample)
    differences = _class_score_differences(sample, quantity, claim._replace(tested=plan))
    return comparison_frame(
        MULTICLASS_COMPARE_PROBABILITY_SCORES, sample, claim.adjust, differences
    )


def _class_score_differences(
    sample: MulticlassSample, quantity: ClassScoreName, claim: Claim
) -> Iterator[ComparedRow]:
    for group, part in sample.by_group():
        for pair in claim.pairs:
            cells = {"quantity": quantity, "group": group, **claim.words(part, pair)}
            result = undefined_result("one-class")
            if not part.cases.lacks_class:
                result = class_score_difference(part.cases.pooled(), pair, quantity, claim)
            yield cells, result, class_notes(part)


def class_score_difference(
    cases: ClassCases, pair: tuple[int, int], quantity: ClassScoreName, claim: Claim
) -> Result:
    """Return the difference of a score of two classifiers, first minus second."""
    (first, of_first), (second, of_second) = (
        class_score_influence(cases, p, quantity) for p in pair
    )
    if np.isinf(first) or np.isinf(second):
        # Two infinite scores have no difference, not even an infinite one.
        gap = first - second if first != second else np.nan
        return undefined_result("infinite-score", gap)
    # The influence of the difference, not a sum of variances, which cancels for alike models.
    units = class_units(cases, (of_first - of_second)[np.newaxis])
    se, df = units.estimate(np.array([first - second]), _ONE).se, units.df_of_numbers(_ONE)
    ends = range_of(difference_of(quantity))
    return wald_result(first - second, se, claim.tested, _influence_word(units), ends, df)


# --- Calibration of each class against the rest ---------------------------------------------------

MULTICLASS_CALIBRATION = CALIBRATION._replace(
    references=("cox-1958", "spiegelhalter-1986", "austin-2019", "dimitriadis-2021"),
    name="multiclass_calibration",
    columns=estimate_columns(f"class {' '.join(CALIBRATION.columns)}"),
)


def multiclass_calibration(
    sample: MulticlassSample,
    *,
    quantities: CalibrationMeasure | Sequence[CalibrationMeasure] | None = None,
    clip: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return calibration of the probabilities of each class against the rest; a row is one measure.

    Use this method to check whether predicted probabilities of each class agree with observed
    frequencies. Do not use it on the data to which the model was fitted.

    Parameters
    ----------
    quantities : str or sequence of str, optional
        Measures to return; ``Study.calibration`` has the list. The default is
        "observed_expected_ratio", "calibration_intercept", "calibration_slope" and
        "intercept_and_slope".
    clip : float in (0, 0.5), optional
        Risks below ``clip`` become ``clip``; risks above 1 - ``clip`` become 1 - ``clip``. By
        default risks of 0 and 1 are refused, since their logit is infinite.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; it is not adjusted for the number of classes.
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
        Columns ``predictor, class, [group], quantity, estimate, ci_low, ci_high, p_value, se,
        statistic, df, prevalence, n_pos, n_neg, confidence_level, null_value, hypothesis, method,
        note``. ``n_pos`` counts the cases of ``class``, and ``n_neg`` all other cases.

    Raises
    ------
    InputError
        If scores are outside [0, 1]; if risks are 0 or 1 and ``clip`` is not passed; if an argument
        is invalid; or if Spiegelhalter's test or a simulated test is requested with clusters or
        weights.

    Warns
    -----
    StatisticalWarning
        For the reasons listed in ``Study.calibration``.

    Notes
    -----
    The rows of a class equal the rows of ``Study.calibration`` for the class against the rest, with
    the probability of the class as risk. Calibration of every class does not imply joint
    calibration of all probabilities. Errors of two classes may cancel in a third class. P values
    are not adjusted for the number of classes. With C classes, compare each P value with 0.05/C.

    There is no expected calibration error (ECE) over classes. It is above 0 for calibrated
    probabilities, depends on the bins, and has no interval of known coverage. "ici" and
    "miscalibration" are also above 0 for calibrated probabilities, but their P values take this
    into account.

    References
    ----------
    - Cox (1958) [cox-1958]
    - Spiegelhalter (1986) [spiegelhalter-1986]
    - Austin & Steyerberg (2019), ICI, E50, E90 [austin-2019]
    - Dimitriadis, Gneiting & Jordan (2021), miscalibration [dimitriadis-2021]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> y = np.tile([0, 1, 2, 0], 10)
    >>> risk = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.1, 0.4, 0.5], [0.4, 0.4, 0.2]] * 10
    >>> found = rs.MulticlassStudy(y, risk).calibration(quantities="observed_expected_ratio")
    >>> found[["class", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
      class  estimate  ci_low  ci_high  p_value
    0     0     1.333   1.093    1.626    0.005
    1     1     0.625   0.396    0.988    0.044
    2     2     1.111   0.801    1.541    0.528
    """
    MULTICLASS_CALIBRATION.require_roles(sample)
    plan = read_calibration_plan(quantities, confidence_level, n_resamples, rng, progress)
    places = [(p, k) for p in range(len(sample.predictors)) for k in range(len(sample.classes))]
    # Checked in the whole sample, so that a refusal does not depend on the groups.
    population, *_ = [
        read_risk_population(sample.one_against_rest(k, predictor=p), None, clip) for p, k in places
    ]
    plan.require_cohort(sample, None)

    def rows() -> Iterator[dict[str, Any]]:
        for g, (group, part) in enumerate(sample.by_group()):
            for p, k in places:
                one = part.one_against_rest(k, predictor=p)
                names = {
                    "predictor": sample.predictors[p],
                    "group": group,
                    "class": sample.classes[k],
                }
                risks = population.risks(one, 0)
                for row in calibration_rows(MULTICLASS_CALIBRATION, one, risks, plan, g, p, k):
                    yield {**row, **names}

    return answer_rows(MULTICLASS_CALIBRATION, sample, list(rows()), plan.draws)
