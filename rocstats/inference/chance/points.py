"""Tests of single operating points against the diagonal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.roc import called_positive, next_of_sample
from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    predictor_rows,
)
from rocstats.estimate.claim import require_test_side_and_level
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.two_by_two import (
    TABLE_TESTS,
    TableTest,
    TwoByTwoTable,
    newcombe_rate_difference_limits,
    pooled_z,
    two_by_two_p_value,
)
from rocstats.frame.question import (
    BINNING_ERROR,
    ESTIMATE,
    TEST,
    Question,
    RoleRefusal,
    estimate_columns,
)
from rocstats.inference.chance.areas import p_value_of_best_candidate, require_candidates
from rocstats.study.base import sample_notes
from rocstats.study.binned import require_between_bins
from rocstats.study.points import read_thresholds
from rocstats.study.sample import Sample

OPERATING_POINTS_VERSUS_RANDOM = Question(
    "operating_points_versus_random",
    estimate_columns(
        f"predictor group quantity direction threshold next_score fpr tpr fp tp {ESTIMATE} "
        f"{TEST} hypothesis n_pos n_neg n_candidates method note"
    ),
    ("newcombe-1998-independent", "boschloo-1970", "lancaster-1961", "forman-2005"),
    # Exact tests of a table of counts: clusters and weights have neither margins nor counts.
    {
        role: RoleRefusal("not be in a study for tests of points", mend, "{role}=")
        for role, mend in (
            ("cluster", "The test needs independent cases: keep one case of each cluster."),
            ("sample_weight", "The test needs counts: pass frequency=, or leave the weights out."),
        )
    },
    binned=True,
)


def operating_points_versus_random(
    sample: Sample,
    *,
    threshold: float | Sequence[float] | Mapping[str, float | Sequence[float]],
    method: TableTest = "fisher",
    alternative: Alternative = "two-sided",
    n_candidates: int = 1,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return tests of operating points against the diagonal; a row is one threshold.

    Parameters
    ----------
    threshold : float, sequence of float, or mapping of str to them
        Thresholds on the scale of the scores, chosen beforehand. A mapping has separate thresholds
        for each predictor. Use 1 for a study made with ``from_confusion``.
    method : {"fisher", "mid-p", "boschloo"}, default "fisher"
        - "fisher": Fisher's exact test against random guessing with the same number of positive
          calls.
        - "mid-p": as "fisher", but counts half the probability of the observed table. It is less
          conservative.
        - "boschloo": Boschloo's test, which fixes only the class sizes. It has more power.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests whether the point is above the diagonal.
    n_candidates : int >= 1, default 1
        Number of classifiers that were tried, if the tested classifier is the best of them.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval of Youden's index.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, direction, threshold, next_score, fpr, tpr,
        estimate, ci_low, ci_high, p_value, se, statistic, df, fp, tp, n_pos, n_neg, n_candidates,
        confidence_level, null_value, hypothesis, method, note``. ``quantity`` is "youden", which is
        tpr - fpr, the height above the diagonal. The p value is exact and ``df`` is NaN.
        ``statistic`` is z with pooled variance, for information only; the p value does not use z.

    Raises
    ------
    InputError
        If an argument is invalid, or the study has clusters or weights.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.

    Notes
    -----
    A random guesser that calls k of the N cases positive has TP ~ Hypergeometric(N, n_pos, k). Let
    TP' be the number of true positives of the random guesser. The p value of "greater" is P(TP' >=
    TP). The two-sided p value adds the probabilities of all tables that are at most as probable as
    the observed table. For Boschloo's test it is twice the smaller tail. Boschloo's p value is the
    probability of a Fisher p value that is not larger than the observed Fisher p value. This
    probability is maximised over the common rate. The limits of J = tpr - fpr are Newcombe's: J -
    sqrt((tpr - l1)^2 + (u0 - fpr)^2) and J + sqrt((u1 - tpr)^2 + (fpr - l0)^2). Here (l1, u1) are
    the Wilson limits of tpr, and (l0, u0) are the Wilson limits of fpr. The p value of the best of
    K classifiers is p_K = 1 - (1 - p)^K.

    Do not test the best threshold of a curve on the same data. Compare the whole curve with the
    simultaneous ``random_band`` instead.

    References
    ----------
    - Newcombe (1998), method 10 [newcombe-1998-independent]
    - Boschloo (1970) [boschloo-1970]
    - Lancaster (1961) [lancaster-1961]
    - Forman & Cohen (2005) [forman-2005]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> point = study.operating_points_versus_random(threshold=1, alternative="greater")
    >>> point[["fpr", "tpr", "estimate", "p_value"]].round(4)
          fpr  tpr  estimate  p_value
    0  0.2667  0.7    0.4333   0.0029
    """
    method = require_choice("method", method, TABLE_TESTS)
    alternative = require_test_side_and_level(confidence_level, alternative)
    n_candidates = require_candidates(n_candidates)
    question = OPERATING_POINTS_VERSUS_RANDOM
    question.require_roles(sample)
    thresholds = read_thresholds(threshold, sample.predictors)

    def test_row(part: Sample, k: int, at: float) -> dict[str, Any]:
        fp, tp = _positive_calls(part, k, at)
        columns = {
            "quantity": "youden",
            "direction": ">=" if part.higher_is_positive[k] else "<=",
            "threshold": at,
            "next_score": float(next_of_sample(part, k, [at], given=True)[0]),
            "fp": fp,
            "tp": tp,
            "confidence_level": confidence_level,
            "null_value": 0.0,
            "hypothesis": alternative,
            **class_size_columns(part),
            "n_candidates": n_candidates,
        }
        notes = ["pooled-folds"] if part.fold is not None else []
        notes += sample_notes(part)
        if lacks_class(part):
            return answer_row_of_result(question, columns, undefined_result("one-class"), notes)
        if method == "boschloo":
            _require_few_tables(part.n_pos, part.n_neg)
        table = TwoByTwoTable(tp, fp, part.n_pos, part.n_neg)
        low, high = newcombe_rate_difference_limits(table, confidence_level, alternative)
        p = two_by_two_p_value(table, method, alternative)
        columns |= {"fpr": table.fpr, "tpr": table.tpr, BINNING_ERROR: 0.0}
        # Newcombe's hybrid has limits without a standard error of the difference.
        result = Result(
            table.tpr - table.fpr,
            ci_low=low,
            ci_high=high,
            statistic=pooled_z(table),
            p_value=float(p_value_of_best_candidate(p, n_candidates)),
            method=f"{method}/newcombe-hybrid",
        )
        return answer_row_of_result(question, columns, result, notes)

    rows = predictor_rows(
        sample,
        lambda part, _, k: [test_row(part, k, at) for at in thresholds[part.predictors[k]]],
    )
    return answer_rows(question, sample, rows)


def _positive_calls(sample: Sample, k: int, threshold: float) -> tuple[float, float]:
    """Return the numbers of false and true positives at a threshold, which is in no bin."""
    counts = sample.cases.counts(k)
    higher = sample.higher_is_positive[k]
    called = called_positive(counts.score, threshold, higher_is_positive=higher)
    require_between_bins(sample, k, threshold, int(np.count_nonzero(called)))
    return float(counts.n_neg[called].sum()), float(counts.n_pos[called].sum())


# Boschloo's test holds the probability of each table: a million take some 50 MB.
_MOST_TABLES = 1_000_000


def _require_few_tables(n_pos: float, n_neg: float) -> None:
    """Raise InputError where Boschloo's test would hold too many tables."""
    if (n_pos + 1) * (n_neg + 1) > _MOST_TABLES:
        raise InputError(
            f"`method` must be 'fisher' or 'mid-p' with over {_MOST_TABLES:_} tables of the class"
            f" sizes; got 'boschloo', {n_pos:.0f} positives and {n_neg:.0f} negatives. Pass"
            " method='fisher'."
        )
