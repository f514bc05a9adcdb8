"""Sensitivity and specificity at a threshold fixed beforehand, against performance goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.roc import called_positive, next_of_sample
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    predictor_rows,
)
from rocstats.estimate.claim import require_test_side_and_level
from rocstats.estimate.estimate import Result
from rocstats.estimate.proportions import (
    PROPORTION_INTERVALS,
    ProportionInterval,
    binomial_p_value,
    proportion_limits,
)
from rocstats.estimate.quantiles import Alternative
from rocstats.frame.question import (
    BINNING_ERROR,
    ESTIMATE,
    TEST,
    Question,
    RoleRefusal,
    estimate_columns,
)
from rocstats.inference.points.measures import class_and_fold_notes
from rocstats.study.base import sample_notes
from rocstats.study.binned import require_between_bins
from rocstats.study.points import as_mapping, number_array
from rocstats.study.sample import Sample

TEST_PERFORMANCE_GOALS = Question(
    "test_performance_goals",
    estimate_columns(
        f"predictor group quantity direction threshold next_score {ESTIMATE} {TEST} "
        "hypothesis fp tp n_pos n_neg method note"
    ),
    ("clopper-1934", "wilson-1927", "berger-1982"),
    # The sum of correlated or weighted calls is not binomial: an exact p value would be wrong.
    dict.fromkeys(
        ("cluster", "sample_weight"),
        RoleRefusal(
            "stay None for exact binomial tests, which count independent cases",
            "Make a study without this argument, of independent cases.",
        ),
    ),
    binned=True,
)


# The linter takes a public function called test_ for a test of the suite.
def test_performance_goals(
    sample: Sample,
    *,
    threshold: float | Mapping[str, float],
    tpr: float,
    tnr: float,
    interval: ProportionInterval = "clopper-pearson",  # noqa: PT028
    confidence_level: float = 0.95,  # noqa: PT028
    alternative: Alternative = "greater",  # noqa: PT028
) -> pd.DataFrame:
    """Return tests of sensitivity and specificity against goals; a row is one rate, or both rates.

    Parameters
    ----------
    threshold : float, or mapping of str to float
        Threshold on the scale of the scores, chosen before these data were seen. A mapping has a
        threshold for each predictor. Scores at or above the threshold are called positive. With
        ``higher_is_positive=False``, scores at or below the threshold are called positive. The
        first row of ``roc_curve`` has an infinite threshold (``inf`` or ``-inf``). This threshold
        calls every case negative, even a case with an infinite score.
    tpr, tnr : float in (0, 1)
        The goals of sensitivity and of specificity.
    interval : {"clopper-pearson", "wilson"}, default "clopper-pearson"
        Limits of the rates:

        - "clopper-pearson": agrees with the exact p value.
        - "wilson": narrower; may disagree with the p value near the goal.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval. A one-sided limit has this level too.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        "greater" tests whether the rates are above their goals. The upper limits are then 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, direction, threshold, next_score, estimate, ci_low,
        ci_high, p_value, se, statistic, df, fp, tp, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. Each predictor has three rows. The ``quantity`` of the first two
        rows is "tpr" and "tnr", and their ``null_value`` is the goal. The third row, "co_primary",
        has the larger of the two p values and no estimate. ``statistic`` and ``df`` are NaN, since
        the tests are exact.

    Raises
    ------
    InputError
        If a goal is not inside (0, 1); if a threshold is missing or not a number; if an option is
        unknown; or if the study has clusters or weights.

    Warns
    -----
    StatisticalWarning
        - ``one-class``: a group lacks a class.
        - ``pooled-folds``: folds are pooled.

    Notes
    -----
    TP ~ Binomial(m, sensitivity) among the m positives, and TN ~ Binomial(n, specificity) among the
    n negatives. The one-sided p value of sensitivity is the probability of at least TP true
    positives if sensitivity equals its goal. The two-sided p value is twice the smaller tail
    probability. Specificity has the same test with TN. Both goals are met if both tests reject at
    the full level, without adjustment. This rule is called the intersection-union test. Its p value
    is the larger of the two p values. It is conservative unless one rate is far above its goal.

    The test assumes independent cases and a threshold chosen on other data. A threshold optimised
    on these data makes both rates optimistic. Clusters are refused, since exact binomial tests are
    invalid for them. Folds are pooled; every case must be in one fold only.

    References
    ----------
    - Clopper & Pearson (1934) [clopper-1934]
    - Wilson (1927) [wilson-1927]
    - Berger (1982), theorem 1 [berger-1982]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=46, fn=4, fp=9, tn=91)
    >>> frame = study.test_performance_goals(threshold=1, tpr=0.8, tnr=0.85)
    >>> frame[["quantity", "estimate", "ci_low", "null_value", "p_value"]].round(3)
         quantity  estimate  ci_low  null_value  p_value
    0         tpr      0.92   0.826        0.80    0.018
    1         tnr      0.91   0.848        0.85    0.055
    2  co_primary       NaN     NaN         NaN    0.055
    """
    for name, goal in (("tpr", tpr), ("tnr", tnr)):
        require_open_interval(name, goal, 0, 1)
    alternative = require_test_side_and_level(confidence_level, alternative)
    interval = require_choice("interval", interval, PROPORTION_INTERVALS)
    thresholds = _read_goal_thresholds(threshold, sample.predictors)
    TEST_PERFORMANCE_GOALS.require_roles(sample)
    rows = predictor_rows(
        sample,
        lambda part, _, k: _performance_goal_rows(
            part,
            k,
            thresholds[k],
            (float(tpr), float(tnr)),
            interval,
            confidence_level,
            alternative,
        ),
    )
    return answer_rows(TEST_PERFORMANCE_GOALS, sample, rows)


def _read_goal_thresholds(threshold: Any, names: tuple[str, ...]) -> tuple[float, ...]:
    """Return one threshold for each predictor; raise InputError for anything but numbers."""
    threshold = as_mapping(threshold)
    if isinstance(threshold, Mapping):
        # A goal belongs to one threshold: a predictor left out would have no test, silently.
        if set(threshold) != set(names):
            raise InputError(
                f"`threshold` must have one entry for each predictor; got {list(threshold)}."
                f" The predictors are {list(names)}."
            )
        values = [threshold[name] for name in names]
    else:
        values = [threshold] * len(names)
    for value in values:
        number = number_array(value)
        if not isinstance(value, Real) or len(number) != 1 or np.isnan(number[0]):
            raise InputError(
                f"`threshold` must be a number, or a dict of them; got {value!r}."
                " Pass the threshold on the scale of the scores."
            )
    return tuple(float(value) for value in values)


def _performance_goal_rows(
    sample: Sample,
    k: int,
    threshold: float,
    goals: tuple[float, float],
    interval: ProportionInterval,
    confidence_level: float,
    alternative: Alternative,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of both rates of predictor ``k``, then that of the larger p value."""
    counts, higher = sample.cases.counts(k), sample.higher_is_positive[k]
    called = called_positive(counts.score, threshold, higher_is_positive=higher)
    tp, fp = float(counts.n_pos[called].sum()), float(counts.n_neg[called].sum())
    require_between_bins(sample, k, threshold, int(np.count_nonzero(called)))
    codes = [*class_and_fold_notes(sample.cases), *sample_notes(sample)]
    known = {
        "direction": ">=" if higher else "<=",
        "threshold": threshold,
        "next_score": float(next_of_sample(sample, k, [threshold], given=True)[0]),
        "confidence_level": confidence_level,
        "hypothesis": alternative,
        "fp": fp,
        "tp": tp,
        **class_size_columns(sample),
    }
    p_values = []
    for quantity, count, size, goal in (
        ("tpr", tp, sample.n_pos, goals[0]),
        ("tnr", sample.n_neg - fp, sample.n_neg, goals[1]),
    ):
        about = {"quantity": quantity, "null_value": goal, BINNING_ERROR: 0.0}
        result = _performance_goal_result(
            count, size, goal, interval, confidence_level, alternative
        )
        p_values.append(result.p_value)
        yield answer_row_of_result(TEST_PERFORMANCE_GOALS, {**known, **about}, result, codes)
    # Intersection-union test: the union null hypothesis is rejected when both parts are, so its p
    # value is the larger one, without adjustment (Berger 1982, theorem 1). np.max keeps NaN.
    p = float(np.max(p_values))
    method = "none/none" if np.isnan(p) else "intersection-union/none"
    both = Result(np.nan, p_value=p, method=method)
    yield answer_row_of_result(
        TEST_PERFORMANCE_GOALS, {**known, "quantity": "co_primary"}, both, codes
    )


def _performance_goal_result(
    count: float,
    size: float,
    goal: float,
    interval: ProportionInterval,
    confidence_level: float,
    alternative: Alternative,
) -> Result:
    """Return one rate with its limits and the exact test against its goal."""
    if size == 0:
        return Result(np.nan)
    low, high = proportion_limits(count, size, interval, confidence_level, alternative)
    rate = count / size
    return Result(
        rate,
        np.sqrt(rate * (1 - rate) / size),
        low,
        high,
        p_value=binomial_p_value(count, size, goal, alternative),
        method=f"binomial/{interval}",
    )
