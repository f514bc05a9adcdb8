"""The area when only some of the tested cases were verified.

Verified cases are weighted by the inverse of their probability of verification.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import class_size_columns
from rocstats.estimate.areas import (
    AreaTest,
    estimate_areas,
    infer_area,
    read_area_test,
    size_codes,
    variance_name,
)
from rocstats.estimate.intervals import Area, percentile_method
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.resample import (
    RngLike,
    ValidDraws,
    enough_valid_resamples,
    plan_draws,
    redrawn_notes,
)
from rocstats.estimate.resample_areas import VerifiedCases, draw_verified_areas, inverse_weights
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray, effective_size
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import FEW_CASES, SAME, clear_rounding
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.study.columns import (
    Rows,
    count_rows,
    require_complete,
    require_equal_indexes,
    require_same_index,
    rows_of_features,
)
from rocstats.study.forms import predictor_naming, read_inputs
from rocstats.study.sample import Sample
from rocstats.study.vectors import (
    Vector,
    index_of,
    read_directions,
    read_factor,
    read_positives,
    read_scores,
    read_vector,
)

# --- Question and rows ----------------------------------------------------------------------------

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
    """Return the AUC corrected for partial verification; a row is one AUC of one predictor.

    Parameters
    ----------
    y_true : array-like of shape (n,), or str
        Class labels. Labels of cases that were not verified are ignored. They may be missing.
    y_score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or several predictors, in the forms that ``Study`` accepts. Only verified
        cases need a score.
    verified : array-like of bool of shape (n,), or str
        Whether the true class of a case is known.
    probability : array-like of shape (n,), str or callable
        Probability of verification of each case, in (0, 1], from the design of the study. Instead,
        pass a function ``probability(X, verified)`` that estimates these probabilities and returns
        one number per row. The function is called in every resample.
    X : object, optional
        Argument of the function ``probability``: an array, frame or list with one row for each
        case. Pass all variables that affect verification. Scores often affect verification.
    data : dataframe, optional
        Frame with the named columns.
    pos_label : object, optional
        Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
    higher_is_positive : bool or mapping of str to bool, default True
        Whether higher scores mean positive.
    cluster : array-like of shape (n,), or str, optional
        Cluster of each case; clusters are resampled as a whole.
    interval : {"logit", "percentile"}, default "logit"
        - "logit": limits on the logit scale with the standard deviation of the resampled areas.
        - "percentile": percentiles of the resampled areas.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests AUC > ``null_value`` and gives a lower limit only. "less" tests AUC <
        ``null_value`` and gives an upper limit only.
    null_value : float in (0, 1), optional
        Performance goal to test against.
    n_resamples : int >= 100, default 1000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, kind, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        n_pos, n_neg, n_cases, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, n_resamples, method, note``. Each predictor has two rows. The row with ``kind``
        "missing-at-random" has the corrected AUC. For comparison, the row with ``kind``
        "verified-only" has the AUC of ``Study.auc`` among verified cases. ``n_pos`` and ``n_neg``
        count verified cases. ``n_cases`` counts all cases.

    Raises
    ------
    InputError
        If an argument is invalid; if a probability is not in (0, 1]; or if all verified cases are
        of one class.

    Warns
    -----
    StatisticalWarning
        - ``verification-bias``: the row has the AUC of verified cases only.
        - ``few-cases``: a class has under 20 verified cases, or its effective number of cases is
          below 20 because of unequal weights.

    Notes
    -----
    A verified case i with the probability of verification p_i represents w_i = 1/p_i cases. The
    corrected AUC is A = sum_ij w_i w_j k_ij / sum_ij w_i w_j over verified positives i and verified
    negatives j. Here k_ij is 1, 1/2 or 0 if the positive has a higher, equal or lower score. For a
    binary test, A is the mean of tpr and tnr of ``begg_greenes``, if p is estimated separately for
    both test results.

    In each resample all cases, verified or not, are drawn with replacement. Then p and A are
    estimated again. The limits therefore include the error of estimated probabilities. If the area
    is 0 or 1, Newcombe's method 5 is used, with effective numbers of cases (sum w)^2 / sum w^2.

    The estimate assumes that verification is independent of the true class for cases with the same
    X (missing at random). It also assumes that the probabilities are right and above 0. The data
    cannot test the first assumption. If some probabilities are near 0, a few cases dominate the
    result. Inspect the smallest probabilities. Models of the disease (imputation, doubly robust
    estimators) are not available.

    References
    ----------
    - Begg & Greenes (1983), for a binary test [begg-1983]
    - DeLong, DeLong & Clarke-Pearson (1988), for the row "verified-only" [delong-1988]

    Examples
    --------
    Cases with scores above 1 were always verified, and other cases with probability 1/2:

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
    inputs = _read_verification(
        y_true,
        y_score,
        verified,
        data=data,
        pos_label=pos_label,
        higher_is_positive=higher_is_positive,
        cluster=cluster,
        probability=probability,
    )
    chances = _read_probability(inputs, probability, X)
    sample = inputs.sample
    # From here on higher scores mean positive.
    signs = np.where(sample.higher_is_positive, 1.0, -1.0)[:, np.newaxis]
    cases = VerifiedCases(
        len(inputs.verified),
        np.flatnonzero(inputs.verified),
        sample.is_positive,
        signs * sample.scores,
        inputs.cluster,
    )
    # The weights of the sample itself; each resample has its own, from its own probabilities.
    weight = inverse_weights(cases, np.arange(cases.n_cases), chances)
    with enough_valid_resamples():
        drawn = draw_verified_areas(cases, chances, plan)
    about = {**FULL_AREA, **test.columns(), **class_size_columns(sample), "n_cases": cases.n_cases}
    rows = [
        {**about, "predictor": name, **row}
        for k, name in enumerate(sample.predictors)
        for row in (
            _weighted_row(cases, k, weight, drawn, interval, test),
            _verified_only_row(sample, k, test),
        )
    ]
    return estimate_frame(
        VERIFIED_AUC, rows, grouped=False, seed=plan.seed, n_resamples=plan.n_resamples
    )


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
    variance = clear_rounding(float(np.var(draws, ddof=1)))
    area = Area(value, variance, np.inf, units[0], units[1], min(units))
    found = infer_area(
        area, interval, test, percentile_method(draws) if interval == "percentile" else None
    )
    few = ["few-cases"] if min(units) < FEW_CASES else []
    # Resamples without verified cases of both classes have no area and are drawn again.
    redrawn = redrawn_notes(drawn.n_redrawn)
    return {
        **found.columns(),
        "kind": "missing-at-random",
        "n_resamples": len(draws),
        "method": f"inverse-probability/{found.method}",
        "note": [*found.codes, *few, "weighted-limits-short", *redrawn],
    }


def _verified_only_row(sample: Sample, k: int, test: AreaTest) -> dict[str, Any]:
    """Return the row of the verified cases alone, as ``Study.auc`` has it."""
    # Without a spread the limits are those of ``auc`` where the variance is 0: Newcombe's method 5.
    found = infer_area(estimate_areas(sample.cases, [k]).take(0), "logit", test)
    return {
        **found.columns(),
        "kind": "verified-only",
        "n_resamples": 0,
        "method": f"{variance_name(sample.cases, 'delong')}/{found.method}",
        "note": [*found.codes, *size_codes(sample.cases), "verification-bias"],
    }


PRINTED = (
    Word(
        "inverse-probability",
        "by the standard deviation of resamples, cases weighted by the inverse of their chance to"
        " be verified",
    ),
)
"""The word for the standard error, in ``method``."""


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


def _read_verification(
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
            "`probability` must be probabilities of verification, or a function that estimates"
            " them; got None. If all cases are verified, use a Study."
        )
    if verified is None:
        raise InputError(
            "`verified` must say for each case whether its true class is known; got None. Pass"
            " booleans, one per case."
        )
    known = None if callable(probability) else probability
    roles = {"verified": verified, "cluster": cluster, "probability": known}
    inputs = read_inputs(y_true, y_score, data=data, naming=predictor_naming(None), roles=roles)
    is_verified = _read_verification_status(inputs.roles["verified"])
    rows = np.flatnonzero(is_verified)
    labels = inputs.y_true.take(rows)
    scores = {name: vector.take(rows) for name, vector in inputs.scores.items()}
    for vector in (labels, *scores.values()):
        require_complete(vector)
    is_positive = read_positives(labels, pos_label)
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


def _read_probability(
    cases: VerificationData, probability: Any, X: Any
) -> Callable[[IntArray], FloatArray]:
    """Return a function from rows to their probabilities of verification, known or fitted."""
    verified = cases.verified
    if cases.probability is None:
        if X is None:
            raise InputError(
                "`X` must be given when `probability` is a function; got None. Pass the"
                " variables that affect verification, one row per case."
            )
        n_rows = count_rows(X)
        if n_rows != len(verified):
            raise InputError(
                f"`X` must have as many rows as `verified`; got {n_rows} and {len(verified)}."
                " Pass one row per case."
            )
        require_equal_indexes([cases.cases, Rows.of(X, "X")])

        # Fitted again to the rows of each resample: the estimate of the model adds to the variance.
        def fitted(rows: IntArray) -> FloatArray:
            features = rows_of_features(X, rows)
            chances = read_vector(probability(features, verified[rows]), "probability(X, verified)")
            require_same_index(chances.argument, "X", chances.index, index_of(features))
            return _verification_probabilities(chances, verified[rows])

        return fitted
    if X is not None:
        raise InputError(
            "`X` must stay None when `probability` contains the values themselves; got both. Pass"
            " a function of X and verified as `probability`."
        )
    known = _verification_probabilities(cases.probability, verified)
    return lambda rows: known[rows]


def _verification_probabilities(vector: Vector, verified: BoolArray) -> FloatArray:
    """Return probabilities in (0, 1], infinite for cases that were not verified."""
    if len(vector) != len(verified):
        raise InputError(
            f"`{vector.argument}` must have a probability for each of the {len(verified)} cases;"
            f" got {len(vector)}. Pass one number per case."
        )
    values = read_scores(vector)
    wrong = verified & ~((values > 0) & (values <= 1))
    if wrong.any():
        raise InputError(
            f"`{vector.argument}` must be in (0, 1] for verified cases; got"
            f" {values[wrong][0]:g} (wrong values: {int(wrong.sum())})."
            " A verified case has a probability above 0."
        )
    return np.where(verified, values, np.inf)  # weights are 1 / probability: 0 if not verified


def _read_verification_status(vector: Vector) -> BoolArray:
    """Return the verification status of each case from booleans or 0/1."""
    require_complete(vector)
    values = np.asarray(vector.values)
    if values.dtype.kind not in "biuf" or not np.isin(values, (0, 1)).all():
        raise InputError(
            f"`verified` must be booleans, one per case; got {values[:3].tolist()}, ... Pass True"
            " for each case with a known true class."
        )
    return values.astype(bool)


def _require_verified_classes(is_positive: BoolArray) -> None:
    if is_positive.all() or not is_positive.any():
        raise InputError(
            "`y_true` must hold verified cases of both classes; got"
            f" {int(is_positive.sum())} positives and {int((~is_positive).sum())} negatives."
            " Check `pos_label`, and `verified`."
        )
