"""Area, sensitivity and specificity when only some of the tested cases were verified.

``verified_auc`` weights verified cases by the inverse of their probability of verification.
``begg_greenes`` corrects the rates of a test from counts [begg-1983]: verification depends on the
test result only, so that the shares within a result are unbiased.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval, require_text
from rocstats.estimate.answers import class_sizes, result_row
from rocstats.estimate.areas import (
    AreaTest,
    estimate_areas,
    infer,
    read_area_test,
    size_codes,
    variance_name,
)
from rocstats.estimate.bars import binomial_bars
from rocstats.estimate.estimate import Result, undefined
from rocstats.estimate.intervals import Area, percentile
from rocstats.estimate.quantiles import Alternative, quantile
from rocstats.estimate.resample import (
    RngLike,
    ValidDraws,
    enough_valid_resamples,
    plan_draws,
    redrawn_notes,
)
from rocstats.estimate.resample_areas import VerifiedCases, draw_verified_areas, inverse_weights
from rocstats.facts import special as sp
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray, effective_size
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import FEW_CASES, SAME, cleared
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import AREA, ESTIMATE, TEST, Question, estimate_columns
from rocstats.study.columns import (
    Rows,
    count_rows,
    require_complete,
    require_equal_indexes,
    require_same_index,
    rows_of_features,
)
from rocstats.study.forms import predictor_naming, read_inputs
from rocstats.study.points import is_whole
from rocstats.study.sample import Sample
from rocstats.study.tables import read_cells
from rocstats.study.vectors import (
    Vector,
    index_of,
    read_directions,
    read_factor,
    read_labels,
    read_scores,
    read_vector,
)

# --- Question: the area ---------------------------------------------------------------------------

VerifiedInterval = Literal["logit", "percentile"]
ProbabilityOf = Callable[[Any, Any], npt.ArrayLike]
VERIFIED_AUC = Question(
    "verified_auc",
    estimate_columns(
        f"predictor kind {AREA} {TEST} hypothesis n_pos n_neg n_cases n_resamples method note"
    ),
    ("begg-1983", "delong-1988"),
)


def verified_auc(
    y_true: Any,
    y_score: Any,
    verified: Any,
    *,
    probability: npt.ArrayLike | str | ProbabilityOf,
    X: Any = None,
    data: Any = None,
    pos_label: Any = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    cluster: Any = None,
    interval: VerifiedInterval = "logit",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
    n_resamples: int = 1000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the AUC corrected for partial verification; a row is one AUC of a predictor.

    Parameters
    ----------
    y_true : array-like of shape (n,), or str
        Class labels; those of cases that were not verified are not used, and may be missing.
    y_score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or several predictors, as in ``Study``; needed of verified cases only.
    verified : array-like of bool of shape (n,), or str
        Whether the true class of a case is known.
    probability : array-like of shape (n,), str or callable
        Probability of verification of each case, in (0, 1]. Known from the design of the study; or
        a function ``probability(X, verified)`` that estimates it and returns one number a row. The
        function is called again in every resample.
    X : object, optional
        Argument of the function: an array, frame or list with a row for each case. Pass all
        variables that verification depends on, often including the scores.
    data : dataframe, optional
        Frame of the named columns.
    pos_label : object, optional
        Label of the positive class; never guessed but for 0/1, -1/1 and booleans.
    higher_is_positive : bool or mapping of str to bool, default True
        Whether higher scores mean positive.
    cluster : array-like of shape (n,), or str, optional
        Cluster of each case; clusters are resampled whole.
    interval : {"logit", "percentile"}, default "logit"
        - "logit": logit limits with the standard deviation of the resampled areas.
        - "percentile": percentiles of the resampled areas.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" gives a lower limit only and tests AUC > ``null_value``; "less" the reverse.
    null_value : float in (0, 1), optional
        A performance goal to test against.
    n_resamples : int >= 100, default 1000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, kind, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        n_pos, n_neg, n_cases, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, n_resamples, method, note``. Two rows a predictor: the ``kind``
        "missing-at-random", and "verified-only", the AUC of ``Study.auc`` among verified cases, for
        comparison. ``n_pos`` and ``n_neg`` count verified cases, ``n_cases`` all.

    Raises
    ------
    InputError
        If arguments do not fit, a probability is not in (0, 1], or verified cases are of one class.

    Warns
    -----
    StatisticalWarning
        ``verification-bias``: the AUC of verified cases alone. ``few-cases``: under 20 verified
        cases of a class, or an effective number below 20 by unequal weights.

    Notes
    -----
    A verified case i represents 1/p_i cases, p_i its probability of verification:
    A = sum_ij w_i w_j k_ij / sum_ij w_i w_j over verified positives i and negatives j, w = 1/p and
    k = 1, 1/2 or 0 for a higher, equal or lower score. For a test of two results, with p estimated
    within each result, A is the mean of the ``begg_greenes`` tpr and tnr.

    A resample draws all cases, verified or not, with replacement; then p is estimated, then A. The
    limits therefore allow for estimated probabilities. Where the area is 0 or 1 limits come from
    Newcombe's method 5 with effective numbers (sum w)^2 / sum w^2.

    Assumes that verification is independent of the true class given X (missing at random), that the
    probabilities are right, and that none is 0. The data cannot show the first. With probabilities
    near 0 single cases dominate: inspect the smallest. Models of the disease (imputation, doubly
    robust estimators) are not offered.

    References
    ----------
    - Begg & Greenes (1983), for a test of two results [begg-1983]
    - DeLong, DeLong & Clarke-Pearson (1988), for the row of the verified alone [delong-1988]

    Examples
    --------
    High scores were always verified, others with probability 1/2:

    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = np.repeat([1, 0], [100, 300])
    >>> score = draw.normal(size=400) + y
    >>> chance = np.where(score > 1, 1, 0.5)
    >>> verified = draw.uniform(size=400) < chance
    >>> frame = rs.verified_auc(y, score, verified, probability=chance, rng=1)
    >>> frame[["kind", "estimate", "ci_low", "ci_high"]].round(3)
                    kind  estimate  ci_low  ci_high
    0  missing-at-random     0.746   0.663    0.813
    1      verified-only     0.767   0.696    0.826
    """
    interval = require_choice("interval", interval, get_args(VerifiedInterval))
    test = read_area_test(confidence_level, alternative, null_value)
    plan = plan_draws(n_resamples, rng, progress)
    inputs = read_verification(
        y_true,
        y_score,
        verified,
        data=data,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        cluster=cluster,
        probability=probability,
    )
    chances = read_probability(inputs, probability, X)
    # From here on higher scores mean positive.
    signs = np.where(inputs.sample.higher_is_positive, 1.0, -1.0)[:, np.newaxis]
    cases = VerifiedCases(
        len(inputs.verified),
        inputs.rows,
        inputs.sample.is_positive,
        signs * inputs.sample.scores,
        inputs.cluster,
    )
    # The weights of the sample itself; each resample has its own, from its own probabilities.
    weight = inverse_weights(cases, np.arange(cases.n_cases), chances)
    with enough_valid_resamples():
        drawn = draw_verified_areas(cases, chances, plan)
    about = {**FULL_AREA, **test.columns(), **class_sizes(inputs.sample), "n_cases": cases.n_cases}
    rows = [
        {**about, "predictor": name, **row}
        for k, name in enumerate(inputs.sample.predictors)
        for row in (
            _weighted_row(cases, k, weight, drawn, interval, test),
            _verified_only_row(inputs.sample, k, test),
        )
    ]
    return estimate_frame(
        VERIFIED_AUC, rows, grouped=False, seed=plan.seed, n_resamples=plan.n_resamples
    )


# --- Cases, and their probabilities of verification -----------------------------------------------


class VerificationData(NamedTuple):
    """The sample of the verified cases, and the verification status of every case.

    ``cases`` are the rows of the arguments. ``probability`` are known probabilities of
    verification, None if they are to be estimated.
    """

    cases: Rows
    sample: Sample
    verified: BoolArray
    cluster: Factor | None
    probability: Vector | None

    @property
    def rows(self) -> IntArray:
        """Row numbers of the verified cases among all cases."""
        return np.flatnonzero(self.verified)


def read_verification(
    y_true: Any,
    y_score: Any,
    verified: Any,
    *,
    data: Any,
    pos_label: Any,
    higher_is_positive: bool | Mapping[str, bool],
    cluster: Any,
    probability: Any,
) -> VerificationData:
    """Return the verified cases as a sample; labels and scores of the others may be missing."""
    if probability is None:
        raise InputError(
            "`probability` must be the chances to be verified, or a function that estimates them;"
            " got None. With verified=True for all, ask a Study."
        )
    if verified is None:
        raise InputError(
            "`verified` must say for each case whether its true class is known; got None."
            " Pass booleans, one a case."
        )
    known = None if callable(probability) else probability
    roles = {"verified": verified, "cluster": cluster, "probability": known}
    inputs = read_inputs(y_true, y_score, data=data, naming=predictor_naming(None), roles=roles)
    is_verified = _read_status(inputs.roles["verified"])
    rows = np.flatnonzero(is_verified)
    labels = inputs.y_true.take(rows)
    scores = {name: vector.take(rows) for name, vector in inputs.scores.items()}
    for vector in (labels, *scores.values()):
        require_complete(vector)
    is_positive = read_labels(labels, pos_label)
    _require_verified_classes(is_positive)
    factor = None
    if "cluster" in inputs.roles:
        require_complete(inputs.roles["cluster"])
        factor = read_factor(inputs.roles["cluster"])
    names = tuple(scores)
    # Weights enter by the probability of verification, folds and groups have no theory here.
    sample = Sample._of(
        {
            "predictors": names,
            "pos_label": 1 if pos_label is None else pos_label,
            "higher_is_positive": read_directions(higher_is_positive, names),
            "is_positive": is_positive,
            "scores": np.stack([read_scores(vector) for vector in scores.values()]),
            **dict.fromkeys(("frequency", "sample_weight", "fold", "group")),
            "cluster": None if factor is None else factor.take(rows),
            "n_dropped": 0,
        }
    )
    return VerificationData(
        inputs.cases, sample, is_verified, factor, inputs.roles.get("probability")
    )


def read_probability(
    cases: VerificationData, probability: Any, X: Any
) -> Callable[[IntArray], FloatArray]:
    """Return a function from rows to their probabilities of verification, known or fitted."""
    verified = cases.verified
    if cases.probability is None:
        if X is None:
            raise InputError(
                "`X` must be given when `probability` is a function, which fits it; got None."
                " Pass what verification depends on, one row a case."
            )
        n_rows = count_rows(X)
        if n_rows != len(verified):
            raise InputError(
                f"`X` must have as many rows as `verified`; got {n_rows} and {len(verified)}."
                " Pass one row a case."
            )
        require_equal_indexes([cases.cases, Rows.of(X, "X")])

        # Fitted again to the rows of each resample: the estimate of the model adds to the variance.
        def fitted(rows: IntArray) -> FloatArray:
            features = rows_of_features(X, rows)
            chances = read_vector(probability(features, verified[rows]), "probability(X, verified)")
            require_same_index(chances.argument, "X", chances.index, index_of(features))
            return _probabilities(chances, verified[rows])

        return fitted
    if X is not None:
        raise InputError(
            "`X` must stay None when `probability` holds known chances; got both."
            " Pass a function of X and verified to have them estimated."
        )
    known = _probabilities(cases.probability, verified)
    return lambda rows: known[rows]


def _probabilities(vector: Vector, verified: BoolArray) -> FloatArray:
    """Return probabilities in (0, 1], infinite for cases that were not verified."""
    if len(vector) != len(verified):
        raise InputError(
            f"`{vector.argument}` must have a chance for each of the {len(verified)} cases; got"
            f" {len(vector)}. Pass one number a case."
        )
    values = read_scores(vector)
    wrong = verified & ~((values > 0) & (values <= 1))
    if wrong.any():
        raise InputError(
            f"`{vector.argument}` must be in (0, 1] for verified cases; got"
            f" {values[wrong][0]:g} and {int(wrong.sum())} such values."
            " A verified case had a chance to be verified."
        )
    return np.where(verified, values, np.inf)  # weights are 1 / probability: 0 if not verified


def _read_status(vector: Vector) -> BoolArray:
    """Return the verification status of each case from booleans or 0/1."""
    require_complete(vector)
    values = np.asarray(vector.values)
    if values.dtype.kind not in "biuf" or not np.isin(values, (0, 1)).all():
        raise InputError(
            f"`verified` must be booleans, one a case; got {values[:3].tolist()}, ..."
            " Say for each case whether its true class is known."
        )
    return values.astype(bool)


def _require_verified_classes(is_positive: BoolArray) -> None:
    if is_positive.all() or not is_positive.any():
        raise InputError(
            "`y_true` must hold verified cases of both classes; got"
            f" {int(is_positive.sum())} positives and {int((~is_positive).sum())} negatives."
            " Check `pos_label`, and `verified`."
        )


# --- Rows of areas --------------------------------------------------------------------------------


def _weighted_row(
    cases: VerifiedCases,
    k: int,
    weight: FloatArray,
    drawn: ValidDraws,
    interval: VerifiedInterval,
    test: AreaTest,
) -> dict[str, Any]:
    """Return the row of the weighted area, with the variance of the resamples."""
    draws = drawn.values[k]
    value = float(cases.sides().areas(weight[np.newaxis])[k, 0])
    # Sums of weights miss 0 and 1 by rounding, and would then have logit limits of no width.
    value = float(round(value)) if abs(value - round(value)) < SAME else value
    # Kish's effective numbers: unequal weights are worth fewer cases (Newcombe's limits, notes).
    units = [effective_size(weight[side]) for side in (cases.is_positive, ~cases.is_positive)]
    variance = cleared(float(np.var(draws, ddof=1)))
    area = Area(value, variance, np.inf, units[0], units[1], min(units))
    found = infer(area, interval, test, percentile(draws) if interval == "percentile" else None)
    # Resamples without verified cases of both classes have no area and are drawn again.
    codes = redrawn_notes(drawn.n_redrawn)
    few = ["few-cases"] if min(units) < FEW_CASES else []
    return {
        **found.columns(),
        "kind": "missing-at-random",
        "n_resamples": len(draws),
        "method": f"inverse-probability/{found.method}",
        "note": [*found.codes, *few, "weighted-limits-short", *codes],
    }


def _verified_only_row(sample: Sample, k: int, test: AreaTest) -> dict[str, Any]:
    """Return the row of the verified cases alone, as ``Study.auc`` has it."""
    # Without a spread the limits are those of ``auc`` where the variance is 0: Newcombe's method 5.
    found = infer(estimate_areas(sample.cases, [k]).take(0), "logit", test)
    return {
        **found.columns(),
        "kind": "verified-only",
        "n_resamples": 0,
        "method": f"{variance_name(sample.cases, 'delong')}/{found.method}",
        "note": [*found.codes, *size_codes(sample.cases), "verification-bias"],
    }


# --- Question: sensitivity and specificity from counts --------------------------------------------

BEGG_GREENES = Question(
    "begg_greenes",
    estimate_columns(f"predictor kind quantity {ESTIMATE} n_pos n_neg n_cases method note"),
    ("begg-1983",),
)


def begg_greenes(
    *,
    tp: float,
    fp: float,
    fn: float,
    tn: float,
    n_test_positive: float,
    n_test_negative: float,
    confidence_level: float = 0.95,
    predictor: str = "test",
) -> pd.DataFrame:
    """Return the rates of a test corrected for verification bias; a row is one rate.

    Parameters
    ----------
    tp, fp : int >= 0
        Verified cases with a positive test, with and without the condition.
    fn, tn : int >= 0
        Verified cases with a negative test, with and without the condition.
    n_test_positive, n_test_negative : int
        All cases with a positive, and with a negative test, verified or not.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    predictor : str, default "test"
        Name of the test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, kind, quantity, estimate, ci_low, ci_high, se, n_pos, n_neg, n_cases,
        confidence_level, method, note``. Four rows of the ``kind`` "missing-at-random" (``tpr, tnr,
        ppv, npv``), and the uncorrected ``tpr`` and ``tnr`` of the "verified-only" for comparison.
        ``n_pos`` and ``n_neg`` count verified cases, ``n_cases`` all.

    Raises
    ------
    InputError
        If a count is negative or not whole, there are more verified cases than cases, or no case
        was verified among those with a positive (or with a negative) test.

    Warns
    -----
    StatisticalWarning
        ``verification-bias``: the rates of verified cases alone. ``zero-verified-cell``: a rate of
        0 or 1. ``none-verified``: no verified case has (or lacks) the condition, its rate is NaN.

    Notes
    -----
    With a = tp/(tp + fp) and b = fn/(fn + tn), n+ and n- the numbers of all tested:
    tpr = n+ a/(n+ a + n- b), tnr = n- (1 - b)/(n- (1 - b) + n+ (1 - a)). The logit of tpr has the
    variance (n+ + n-)/(n+ n-) + fp/(tp (tp + fp)) + tn/(fn (fn + tn)), that of tnr the same with
    the conditions exchanged. The predictive values are those of the verified, with Wilson's
    limits: they need no correction. Where a rate is 0 or 1 its other limit comes from cells with
    1/2 added to each.

    Assumes that verification depends on the result of this test only, not on the condition given
    the result (missing at random). If verification depends on more (symptoms, a second test), the
    correction is wrong: model the probability of verification and use ``verified_auc``. The data
    cannot show that no such variable is missing.

    References
    ----------
    - Begg & Greenes (1983) [begg-1983]

    Examples
    --------
    A liver scan: 263 of 429 positive and 81 of 221 negative patients were verified.

    >>> import rocstats as rs
    >>> frame = rs.begg_greenes(
    ...     tp=231, fp=32, fn=27, tn=54, n_test_positive=429, n_test_negative=221
    ... )
    >>> frame[["kind", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
                    kind quantity  estimate  ci_low  ci_high
    0  missing-at-random      tpr     0.836   0.783    0.879
    1  missing-at-random      tnr     0.738   0.656    0.807
    2  missing-at-random      ppv     0.878   0.833    0.912
    3  missing-at-random      npv     0.667   0.559    0.760
    4      verified-only      tpr     0.895   0.852    0.927
    5      verified-only      tnr     0.628   0.522    0.723
    """
    require_text("predictor", predictor)
    read_cells({"tp": tp, "fn": fn, "fp": fp, "tn": tn})
    require_open_interval("confidence_level", confidence_level, 0, 1)
    _require_tested("n_test_positive", n_test_positive, tp + fp)
    _require_tested("n_test_negative", n_test_negative, fn + tn)
    about = {
        "predictor": predictor,
        "confidence_level": confidence_level,
        "n_pos": tp + fn,
        "n_neg": fp + tn,
        "n_cases": n_test_positive + n_test_negative,
    }
    # The specificity is the sensitivity with test results and conditions exchanged.
    diseased = VerifiedCounts(tp, fn, fp, tn, n_test_positive, n_test_negative)
    healthy = VerifiedCounts(tn, fp, fn, tp, n_test_negative, n_test_positive)
    corrected = {
        "tpr": _corrected_rate(diseased, confidence_level),
        "tnr": _corrected_rate(healthy, confidence_level),
        # Predictive values are conditional on the result, as verification is: they are unbiased.
        "ppv": _binomial_share(tp, tp + fp, confidence_level),
        "npv": _binomial_share(tn, fn + tn, confidence_level),
    }
    alone = {
        "tpr": _binomial_share(tp, tp + fn, confidence_level),
        "tnr": _binomial_share(tn, fp + tn, confidence_level),
    }
    rows = [
        result_row(BEGG_GREENES, {**about, "kind": kind, "quantity": quantity}, result, codes)
        for kind, results, codes in (
            ("missing-at-random", corrected, []),
            ("verified-only", alone, ["verification-bias"]),
        )
        for quantity, result in results.items()
    ]
    return estimate_frame(BEGG_GREENES, rows, grouped=False)


def _require_tested(name: str, tested: Any, verified: float) -> None:
    """Raise InputError unless some of the tested cases were verified, and no more than all."""
    if not is_whole(tested, verified):
        raise InputError(
            f"`{name}` must be a whole number, at least the {verified:g} verified cases; got"
            f" {tested!r}. Pass the number of all cases with this result."
        )
    # P(condition | result) is estimated in these cases; Bayes' rule needs it for both results.
    if verified == 0:
        raise InputError(
            f"`{name}` must be of cases of which some were verified; got none of {tested:g}."
            " Without any the rates are not identified."
        )


# --- Rates, limits and standard errors (Begg & Greenes 1983) --------------------------------------


class VerifiedCounts(NamedTuple):
    """Verified cases by true class and test result, and all tested cases by test result.

    ``positive`` and ``negative`` are verified cases of the class whose rate is estimated, by test
    result; ``other_positive`` and ``other_negative`` those of the other class. ``n_positive`` and
    ``n_negative`` are all cases with the result, verified or not.
    """

    positive: float
    negative: float
    other_positive: float
    other_negative: float
    n_positive: float
    n_negative: float

    @property
    def share_positive(self) -> float:
        """Share of the class among verified cases with a positive result."""
        return self.positive / (self.positive + self.other_positive)

    @property
    def share_negative(self) -> float:
        """Share of the class among verified cases with a negative result."""
        return self.negative / (self.negative + self.other_negative)

    @property
    def has_zero(self) -> bool:
        """Whether one of the results has no verified case of the class."""
        return self.positive == 0 or self.negative == 0

    def rate(self) -> float:
        """Return the share of positive results in the class; NaN if no verified case has it."""
        # Bayes' rule: verification depends on the result only, so that the shares within a result
        # are unbiased (docs/methods/verification.md, "Rates of a test").
        expected = self.n_positive * self.share_positive
        total = expected + self.n_negative * self.share_negative
        return expected / total if total > 0 else float("nan")

    def logit_variance(self) -> float:
        """Return the variance of the logit of the rate (Begg & Greenes); infinite with a zero."""
        if self.has_zero:
            return float("inf")
        n = self.n_positive + self.n_negative
        of_positive = self.other_positive / (self.positive * (self.positive + self.other_positive))
        of_negative = self.other_negative / (self.negative * (self.negative + self.other_negative))
        return n / (self.n_positive * self.n_negative) + of_positive + of_negative

    def smoothed(self) -> VerifiedCounts:
        """Return the counts with 1/2 added to each verified cell."""
        # The variance of the logit stays finite (docs/methods/verification.md, "Rates of a test").
        return VerifiedCounts(
            self.positive + 0.5,
            self.negative + 0.5,
            self.other_positive + 0.5,
            self.other_negative + 0.5,
            self.n_positive,
            self.n_negative,
        )


def verified_limits(cells: VerifiedCounts, confidence_level: float) -> tuple[float, float]:
    """Return logit limits, from smoothed cells where a cell is 0; at 0 or 1 that is a limit."""
    rate = cells.rate()
    if np.isnan(rate):
        return float("nan"), float("nan")
    used = cells.smoothed() if cells.has_zero else cells
    centre, sd = sp.logit(used.rate()), np.sqrt(used.logit_variance())
    step = quantile((1 + confidence_level) / 2, np.inf) * sd
    low, high = float(sp.expit(centre - step)), float(sp.expit(centre + step))
    return (0.0 if rate == 0 else low), (1.0 if rate == 1 else high)


def verified_se(cells: VerifiedCounts) -> float:
    """Return the standard error of the rate by the delta method; NaN where a cell is 0."""
    rate = cells.rate()
    return float("nan") if cells.has_zero else rate * (1 - rate) * np.sqrt(cells.logit_variance())


# --- Rates with their limits ----------------------------------------------------------------------


def _corrected_rate(cells: VerifiedCounts, confidence_level: float) -> Result:
    """Return a rate corrected for verification bias (Begg & Greenes 1983)."""
    rate = cells.rate()
    if np.isnan(rate):
        return undefined("none-verified")
    low, high = verified_limits(cells, confidence_level)
    codes = ("zero-verified-cell",) if cells.has_zero else ()
    se = verified_se(cells)
    return Result(rate, se, low, high, method="begg-greenes/logit", codes=codes)


def _binomial_share(count: float, total: float, confidence_level: float) -> Result:
    """Return a share of verified cases with Wilson's limits."""
    if total == 0:
        return undefined("none-verified")
    # binomial_bars takes arrays of rates, such as the points of a curve.
    rate = np.array([count / total])
    bars = binomial_bars(rate, total, "wilson", confidence_level)
    estimate, se, low, high = (float(each[0]) for each in (rate, bars.se, bars.low, bars.high))
    return Result(estimate, se, low, high, method="binomial/wilson")


# --- Words for standard errors in ``method`` ------------------------------------------------------

PRINTED = (
    Word(
        "begg-greenes",
        "by the method of Begg and Greenes for verification that depends on the result of the test",
        ("begg-1983",),
    ),
    Word(
        "inverse-probability",
        "by the standard deviation of resamples, cases weighted by the inverse of their chance to"
        " be verified",
    ),
)
"""The words for standard errors where not every case was verified."""
