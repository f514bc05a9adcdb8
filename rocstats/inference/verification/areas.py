"""Area under the curve when only some cases were verified, by inverse probability weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import require_choice
from rocstats.frames.glossary import FULL_AREA
from rocstats.frames.making import estimate_frame
from rocstats.frames.questions import AREA, TEST, Question, estimate_columns
from rocstats.inference.estimates.answers import class_sizes
from rocstats.inference.estimates.area_inference import AreaTest, inferred_columns, read_area_test
from rocstats.inference.estimates.randomness import (
    RngLike,
    enough_valid_resamples,
    plan_draws,
)
from rocstats.sample.arrays import FloatArray, effective_size
from rocstats.sample.sample import Sample
from rocstats.sample.verified import read_probability, read_verification
from rocstats.stats.areas import estimates
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.resampled import percentile
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.resampling import verification
from rocstats.stats.resampling.streams import ValidDraws, redrawn_notes
from rocstats.tolerances import FEW_CASES, SAME, cleared

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
        Label of the positive class; needed unless labels are 0/1, -1/1 or booleans.
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
    cases = verification.VerifiedCases(
        len(inputs.verified),
        inputs.rows,
        inputs.sample.is_positive,
        signs * inputs.sample.scores,
        inputs.cluster,
    )
    # The weights of the sample itself; each resample has its own, from its own probabilities.
    weight = verification.inverse_weights(cases, np.arange(cases.n_cases), chances)
    with enough_valid_resamples():
        drawn = verification.draw_verified_areas(cases, chances, plan)
    about = {**FULL_AREA, **test.columns(), **class_sizes(inputs.sample), "n_cases": cases.n_cases}
    rows = [
        {**about, "predictor": name, **row}
        for k, name in enumerate(inputs.sample.predictors)
        for row in (
            _weighted_row(cases, k, weight, drawn, interval, test),
            _plain_row(inputs.sample, k, test),
        )
    ]
    return estimate_frame(
        VERIFIED_AUC, rows, grouped=False, seed=plan.seed, n_resamples=plan.n_resamples
    )


def _weighted_row(
    cases: verification.VerifiedCases,
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
    found = test.infer(area, interval, percentile(draws) if interval == "percentile" else None)
    # Resamples without verified cases of both classes have no area and are drawn again.
    codes = redrawn_notes(drawn.n_redrawn)
    few = ["few-cases"] if min(units) < FEW_CASES else []
    return {
        **inferred_columns(area, found),
        "kind": "missing-at-random",
        "n_resamples": len(draws),
        "method": f"inverse-probability/{found.method}",
        "note": [*found.codes, *few, "weighted-limits-short", *codes],
    }


def _plain_row(sample: Sample, k: int, test: AreaTest) -> dict[str, Any]:
    """Return the row of the verified cases alone, as ``Study.auc`` has it."""
    # Without a spread the limits are those of ``auc`` where the variance is 0: Newcombe's method 5.
    area = estimates.estimate_area(sample.cases, k, "delong", spread=False)
    found = test.infer(area, "logit")
    return {
        **inferred_columns(area, found),
        "kind": "verified-only",
        "n_resamples": 0,
        "method": f"{estimates.variance_name(sample.cases, 'delong')}/{found.method}",
        "note": [*found.codes, *estimates.size_codes(sample.cases), "verification-bias"],
    }
