"""Bad input to the questions about chance: the whole message."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocstats as rs
from tests import examples
from tests.quick import each

Y, A, B = examples.Y, examples.D1, examples.D2
FOLD = np.arange(18) % 2
MIXED = np.arange(18) // 2 * (np.arange(18) > 5)  # the first six cases, all positive, are one
SPANNING = np.repeat(np.arange(9), 2)


def study(**roles):
    return rs.Study(Y, A, **roles)


CASES = {
    "unknown method": (
        lambda: study().versus_random(method="wilcoxon"),
        "`method` must be one of None, 'exact', 'mid-p', 'asymptotic', 'permutation',"
        " 'brunner-munzel'; got 'wilcoxon'. Pass one of these.",
    ),
    "unknown statistic": (
        lambda: study().versus_random(statistic="gini"),
        "`statistic` must be one of 'auc', 'youden', 'average_precision'; got 'gini'. Pass one of"
        " these.",
    ),
    "unknown alternative": (
        lambda: study().versus_random(alternative="better"),
        "`alternative` must be one of 'two-sided', 'greater', 'less'; got 'better'. Pass one of"
        " these.",
    ),
    "no candidates": (
        lambda: study().versus_random(n_candidates=0),
        "`n_candidates` must be a whole number >= 1; got 0. Pass how many predictors were tried.",
    ),
    "half a candidate": (
        lambda: rs.critical_auc(5, 5, n_candidates=1.5),
        "`n_candidates` must be a whole number >= 1; got 1.5. Pass how many predictors were tried.",
    ),
    "too few permutations": (
        lambda: study().versus_random(method="permutation", n_resamples=98),
        "`n_resamples` must be a whole number >= 99; got 98. Use 2000 or more for printed results.",
    ),
    "an exact test of another statistic": (
        lambda: study().versus_random(method="exact", statistic="youden"),
        "`method` must be 'permutation' for the statistic 'youden'; got 'exact'. Leave `method`"
        " out.",
    ),
    "a rank test of a partial area": (
        lambda: study().versus_random(method="exact", fpr_range=(0, 0.2)),
        "`method` must be 'permutation' for a partial area; got 'exact'. Leave `method` out.",
    ),
    "a range of another statistic": (
        lambda: study().versus_random(statistic="youden", fpr_range=(0, 0.2)),
        "`statistic` must be 'auc' for a range of rates; got 'youden'. Leave the range out.",
    ),
    "a range that is none": (
        lambda: study().versus_random(tpr_range=(0.9, 0.8)),
        "`tpr_range` must be two rates, 0 <= low < high <= 1; got (0.9, 0.8). Pass for instance"
        " (0, 0.1).",
    ),
    "weights in a rank test": (
        lambda: study(sample_weight=A).versus_random(method="asymptotic"),
        "`method` must be 'permutation' when the study has weights; got 'asymptotic'. Leave"
        " `method` out.",
    ),
    "weights in Brunner-Munzel": (
        lambda: study(sample_weight=A).versus_random(method="brunner-munzel"),
        "`method` must be 'permutation' when the study has weights; got 'brunner-munzel'. Leave"
        " `method` out.",
    ),
    "clusters in a rank test": (
        lambda: study(cluster=MIXED).versus_random(method="exact"),
        "`method` must be 'permutation' or 'brunner-munzel' when the study has clusters; got"
        " 'exact'. Leave `method` out.",
    ),
    "Youden's index of clusters by Brunner-Munzel": (
        lambda: study(cluster=MIXED).versus_random(method="brunner-munzel", statistic="youden"),
        "`method` must be 'permutation' for the statistic 'youden'; got 'brunner-munzel'. Leave"
        " `method` out.",
    ),
    "clusters with both classes": (
        lambda: study(cluster=np.arange(18) % 9).versus_random(),
        "`cluster` must lie in one class for labels to be shuffled by cluster; got cluster '0' in"
        " two. Use method='brunner-munzel', which needs no shuffling.",
    ),
    "clusters in several folds": (
        lambda: study(cluster=SPANNING, fold=FOLD).versus_random(),
        "`cluster` must lie in one fold for labels to be shuffled by cluster; got cluster '0' in"
        " two. Use method='brunner-munzel', which needs no shuffling.",
    ),
    "an exact test of folds": (
        lambda: study(fold=FOLD).versus_random(method="exact"),
        "`method` must be 'asymptotic' or 'permutation' or 'brunner-munzel' when the study has"
        " folds, whose area is a mean; got 'exact'. Leave `method` out.",
    ),
    "an exact test of many pairs": (
        lambda: study(frequency=np.full(18, 20)).versus_random(method="mid-p"),
        "`method` must be 'asymptotic' or 'permutation' or 'brunner-munzel' beyond 10000 pairs of"
        " cases; got 'mid-p'. Leave `method` out.",
    ),
    "a fold lacking a class": (
        lambda: study(fold=(np.arange(18) < 2).astype(int)).versus_random(),
        "`fold` must leave both classes in every fold; got 2 positives and 0 negatives in fold '1'."
        " Stratify the folds, or merge them.",
    ),
    "no positives": (
        lambda: rs.critical_auc(0, 5),
        "`n_pos` must be a whole number >= 1; got 0. Pass the number of cases.",
    ),
    "negatives that are text": (
        lambda: rs.critical_auc(5, "5"),
        "`n_neg` must be a whole number >= 1; got '5'. Pass the number of cases.",
    ),
    "a level of one": (
        lambda: rs.critical_auc(5, 5, alpha=1),
        "`alpha` must be a number strictly between 0 and 1; got 1. Pass a value inside (0, 1).",
    ),
    "a threshold of nobody": (
        lambda: study().operating_points_versus_random(threshold={"b": 1}),
        "`threshold` must name predictors; got ['b']. The predictors are ['score'].",
    ),
    "no thresholds": (
        lambda: study().operating_points_versus_random(threshold=[]),
        "`threshold` must be a number, or a sequence of numbers; got []. Pass thresholds on the"
        " scale of the scores.",
    ),
    "a threshold that is text": (
        lambda: study().operating_points_versus_random(threshold="youden"),
        "`threshold` must be a number, or a sequence of numbers; got 'youden'. Pass thresholds on"
        " the scale of the scores.",
    ),
    "a threshold that is missing": (
        lambda: study().operating_points_versus_random(threshold=[0.5, np.nan]),
        "`threshold` must be a number, or a sequence of numbers; got [0.5, nan]. Pass thresholds on"
        " the scale of the scores.",
    ),
    "unknown test of a point": (
        lambda: study().operating_points_versus_random(threshold=1, method="chi2"),
        "`method` must be one of 'fisher', 'mid-p', 'boschloo'; got 'chi2'. Pass one of these.",
    ),
    "a test of too many tables": (
        lambda: rs.Study.from_confusion(
            tp=900, fn=200, fp=300, tn=800
        ).operating_points_versus_random(threshold=1, method="boschloo"),
        "`method` must be 'fisher' or 'mid-p' with over 1_000_000 tables of the class sizes; got"
        " 'boschloo', 1100 positives and 1100 negatives. Change it.",
    ),
    "clustered points": (
        lambda: study(cluster=FOLD).operating_points_versus_random(threshold=1),
        "`cluster` must not be in a study for tests of points; got cluster=. The test"
        " needs independent cases: keep one case of each cluster.",
    ),
    "weighted points": (
        lambda: study(sample_weight=A).operating_points_versus_random(threshold=1),
        "`sample_weight` must not be in a study for tests of points; got sample_weight=."
        " The test needs counts: pass frequency=, or leave the weights out.",
    ),
    "unknown scope": (
        lambda: study().random_band(scope="future"),
        "`scope` must be one of 'pointwise', 'simultaneous'; got 'future'. Pass one of these.",
    ),
    "a percentage": (
        lambda: study().random_band(confidence_level=95),
        "`confidence_level` must be a number strictly between 0 and 1; got 95. Pass a value inside"
        " (0, 1).",
    ),
    "a band of clusters": (
        lambda: study(cluster=FOLD).random_band(),
        "`cluster` must not be in a study for random_band; got cluster=. The"
        " band needs independent cases: keep one case of each cluster.",
    ),
    "a band of weights": (
        lambda: study(sample_weight=A).random_band(),
        "`sample_weight` must not be in a study for random_band; got"
        " sample_weight=. The band needs counts: pass frequency=, or leave the weights out.",
    ),
    "an unknown reading": (
        lambda: study().random_band(at="tpr"),
        "`at` must be one of 'fpr', 'flagged'; got 'tpr'. Pass one of these.",
    ),
    "a simultaneous band of numbers flagged": (
        lambda: study().random_band(at="flagged", scope="simultaneous"),
        "`at` must be 'fpr' for the simultaneous band, which is one of the whole curve; got"
        " 'flagged'. Leave `at` out, or use scope='pointwise'.",
    ),
    "no random points": (
        lambda: study().random_points(n_points=0),
        "`n_points` must be a whole number >= 1; got 0. Pass how many random classifiers to draw.",
    ),
    "random points of clusters": (
        lambda: study(cluster=FOLD).random_points(),
        "`cluster` must not be in a study for random_points; got cluster=. The"
        " cloud needs independent cases: keep one case of each cluster.",
    ),
    "random points of weights": (
        lambda: study(sample_weight=A).random_points(),
        "`sample_weight` must not be in a study for random_points; got"
        " sample_weight=. The cloud needs counts: pass frequency=, or leave the weights out.",
    ),
    "a pipeline that is none": (
        lambda: rs.permute_pipeline(0.7, A, Y),
        "`fit_and_score` must be a function of X and y; got float. Pass the function that trains"
        " and evaluates.",
    ),
    "a pipeline that returns nothing": (
        lambda: rs.permute_pipeline(lambda X, y: None, A, Y),  # type: ignore[return-value]
        "`fit_and_score` must return a finite number; got None for the data. Return the statistic,"
        " larger being better.",
    ),
    "a pipeline that fails on shuffled labels": (
        lambda: rs.permute_pipeline(lambda X, y: 1.0 if y[:8].all() else np.nan, A, Y, rng=1),
        "`fit_and_score` must return a finite number; got nan for permutation 0. Return the"
        " statistic, larger being better.",
    ),
    "labels that do not fit": (
        lambda: rs.permute_pipeline(lambda X, y: 1.0, A, Y[:5]),
        "`y` must have one label for each row of `X`; got shape (5,) for 18 rows. Pass one label a"
        " case.",
    ),
    "labels that are all alike": (
        lambda: rs.permute_pipeline(lambda X, y: 1.0, A, np.ones(18)),
        "`y` must hold at least two labels; got 1. Shuffling changes nothing otherwise.",
    ),
    "too few runs": (
        lambda: rs.permute_pipeline(lambda X, y: 1.0, A, Y, n_resamples=10),
        "`n_resamples` must be a whole number >= 19; got 10. Use 2000 or more for printed results.",
    ),
}


@each("name", list(CASES))
def test_message(name):
    call, message = CASES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()
