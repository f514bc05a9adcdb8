"""Bad input to the comparisons of curves and of operating points: the whole message."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocstats as rs
from tests import examples
from tests.quick import each

Y, A, B = examples.Y, examples.D1, examples.D2
CLUSTER = np.arange(18) // 2
GROUP = np.tile(["x", "y"], 9)
NO_DATA = " chosen before the data were seen."


def study(**roles):
    return rs.Study(Y, {"a": A, "b": B}, **roles)


def points(threshold=0.5, *, roles=(), **arguments):
    return study(**dict(roles)).compare_operating_points(threshold=threshold, **arguments)


def curves(*, roles=(), **arguments):
    return study(**dict(roles)).compare_curves(**arguments)


WEIGHTS = {"sample_weight": np.ones(18)}

CASES = {
    "curves of one predictor": (
        lambda: rs.Study(Y, A).compare_curves(),
        "`y_score` must hold two predictors or more to be compared; got 1. Pass more"
        " predictors to the study.",
    ),
    "points of one predictor": (
        lambda: points({"a": 0.5}),
        "`y_score` must hold two predictors or more to be compared; got 1. Pass more"
        " predictors to the study.",
    ),
    "unknown method": (
        lambda: curves(method="delong"),
        "`method` must be one of 'venkatraman'; got 'delong'. Pass one of these.",
    ),
    "unknown across": (
        lambda: curves(across="centres"),
        "`across` must be one of 'predictors', 'groups'; got 'centres'. Pass one of these.",
    ),
    "unknown adjustment": (
        lambda: curves(adjust="fdr"),
        "`adjust` must be one of 'holm', 'bonferroni', 'none'; got 'fdr'. Pass one of these.",
    ),
    "unknown reference": (
        lambda: curves(reference="c", n_resamples=99),
        "`reference` must be one of 'a', 'b'; got 'c'. Pass one of these.",
    ),
    "too few permutations": (
        lambda: curves(n_resamples=98),
        "`n_resamples` must be a whole number >= 99; got 98. Use 9999 or more for printed results.",
    ),
    "a seed that is none": (
        lambda: curves(rng="one"),
        "`rng` must be None, a whole number >= 0, a SeedSequence or a Generator; got 'one'."
        " Pass an integer to make the result repeatable.",
    ),
    "weighted curves": (
        lambda: curves(roles=WEIGHTS),
        "`sample_weight` must stay None for a permutation of cases; got a study with"
        " sample_weight=. Pass frequency=, or leave the weights out.",
    ),
    "groups of curves without groups": (
        lambda: curves(across="groups"),
        "`across` must be 'predictors' without groups; got 'groups'. Pass group= to the study.",
    ),
    "clusters of groups of curves": (
        lambda: curves(roles={"cluster": CLUSTER, "group": GROUP}, across="groups"),
        "`cluster` must stay None when groups are compared, as the test moves single cases between"
        " them; got a study with cluster=. Compare areas, or keep one case of each cluster.",
    ),
    "a group of curves without a class": (
        lambda: curves(roles={"group": np.where(Y, "x", "y")}, across="groups"),
        "`group` must leave both classes in groups that are compared; got 8 positives and 0"
        " negatives in 'x'. Merge it with another, or leave it out.",
    ),
    "neither threshold nor rate": (
        lambda: points(None),
        "`threshold` must be given, or `fpr` or `tpr` in place of it; got none of them. Pass one"
        " of them.",
    ),
    "both threshold and rate": (
        lambda: points(fpr=0.1),
        "`threshold` must be given, or `fpr` or `tpr` in place of it; got threshold and fpr. Pass"
        " one of them.",
    ),
    "both rates": (
        lambda: points(None, fpr=0.1, tpr=0.9),
        "`threshold` must be given, or `fpr` or `tpr` in place of it; got fpr and tpr. Pass one of"
        " them.",
    ),
    "a sensitivity of 0": (
        lambda: points(None, tpr=[0.9, 0]),
        "`tpr` must be a number in (0, 1], or a sequence of them; got [0.9, 0]. Pass true positive"
        " rates.",
    ),
    "an exact test at a sensitivity": (
        lambda: points(None, tpr=0.9, test="exact"),
        "`test` must stay None at a true positive rate, where the test inverts the limits; got"
        " 'exact'. Leave `test` out.",
    ),
    "quantities at a rate": (
        lambda: points(None, tpr=0.9, quantities=["tnr"]),
        "`quantities` must stay None at a given rate, where the other rate is compared; got"
        " ['tnr']. Leave `quantities` out.",
    ),
    "a margin of a ratio": (
        lambda: points(quantities=["tpr_ratio"], hypothesis="superiority"),
        "`quantities` must be some of tpr, tnr, balanced_accuracy, youden for this hypothesis, each"
        " once; got ['tpr_ratio']. Leave it out for those by default.",
    ),
    "an unknown quantity": (
        lambda: points(quantities="f2", alternative="less"),
        "`quantities` must be some of tpr, tnr, ppv, npv, ppv_ratio, npv_ratio, lr_positive_ratio,"
        " lr_negative_ratio, tpr_ratio, fpr_ratio, accuracy, f1, mcc, balanced_accuracy, youden for"
        " this hypothesis, each once; got ['f2']. Leave it out for those by default.",
    ),
    "a quantity twice": (
        lambda: points(quantities=["youden", "youden"], hypothesis="superiority"),
        "`quantities` must be some of tpr, tnr, balanced_accuracy, youden for this hypothesis, each"
        " once; got ['youden', 'youden']. Leave it out for those by default.",
    ),
    "several thresholds": (
        lambda: points([0.4, 0.5]),
        "`threshold` must be one number, or one for each predictor; got [0.4, 0.5]. Call"
        " the method once for each threshold.",
    ),
    "a threshold in words": (
        lambda: points("half"),
        "`threshold` must be a number, or a sequence of numbers; got 'half'. Pass thresholds on the"
        " scale of the scores.",
    ),
    "a threshold of nobody": (
        lambda: points({"a": 0.5, "c": 1}),
        "`threshold` must name predictors; got ['c']. The predictors are ['a', 'b'].",
    ),
    "a rate above 1": (
        lambda: points(None, fpr=[0.1, 1.0]),
        "`fpr` must be a number in [0, 1), or a sequence of them; got [0.1, 1.0]. Pass false"
        " positive rates.",
    ),
    "a rate in words": (
        lambda: points(None, fpr="low"),
        "`fpr` must be a number in [0, 1), or a sequence of them; got 'low'. Pass false positive"
        " rates.",
    ),
    "no rate": (
        lambda: points(None, fpr=[]),
        "`fpr` must be a number in [0, 1), or a sequence of them; got []. Pass false positive"
        " rates.",
    ),
    "weighted points": (
        lambda: points(roles=WEIGHTS),
        "`sample_weight` must stay None for a comparison of points, which counts cases; got a study"
        " with sample_weight=. Pass frequency=, or leave the weights out.",
    ),
    "unknown test": (
        lambda: points(test="mcnemar"),
        "`test` must be one of None, 'mid-p', 'exact', 'asymptotic'; got 'mcnemar'. Pass one of"
        " these.",
    ),
    "unknown interval": (
        lambda: points(interval="wald"),
        "`interval` must be one of None, 'tango', 'newcombe'; got 'wald'. Pass one of these.",
    ),
    "an exact test of clusters": (
        lambda: points(roles={"cluster": CLUSTER}, test="exact"),
        "`test` must stay None when the study has clusters, where the test inverts the limits; got"
        " 'exact'. Leave `test` out.",
    ),
    "Tango's interval of clusters": (
        lambda: points(roles={"cluster": CLUSTER}, interval="tango"),
        "`interval` must stay None when the study has clusters, where the test inverts the limits;"
        " got 'tango'. Leave `interval` out.",
    ),
    "an exact test of a margin": (
        lambda: points(test="exact", hypothesis="non-inferiority", margin=0.1),
        "`test` must stay None for the hypothesis 'non-inferiority', which has one test; got"
        " 'exact'. Leave `test` out.",
    ),
    "an exact test at a rate": (
        lambda: points(None, fpr=0.1, test="mid-p"),
        "`test` must stay None at a false positive rate, where the test inverts the limits; got"
        " 'mid-p'. Leave `test` out.",
    ),
    "Tango's interval across groups": (
        lambda: points(roles={"group": GROUP}, across="groups", interval="tango"),
        "`interval` must be 'newcombe' when groups are compared, which share no cases; got 'tango'."
        " Leave `interval` out.",
    ),
    "a margin without its hypothesis": (
        lambda: points(margin=0.1),
        "`margin` must stay None for the hypothesis 'difference'; got 0.1. Pass"
        " hypothesis='superiority', 'non-inferiority' or 'equivalence' with it.",
    ),
    "no margin": (
        lambda: points(hypothesis="non-inferiority"),
        "`margin` must be given for the hypothesis 'non-inferiority'; got None. Pass the largest"
        " difference that does not matter," + NO_DATA,
    ),
    "a margin of 0": (
        lambda: points(hypothesis="equivalence", margin=0),
        "`margin` must be a number strictly between 0 and 1; got 0. Pass a value inside (0, 1).",
    ),
    "a level of 1": (
        lambda: points(confidence_level=1),
        "`confidence_level` must be a number strictly between 0 and 1; got 1. Pass a value inside"
        " (0, 1).",
    ),
    "too few resamples": (
        lambda: points(None, fpr=0.1, n_resamples=50),
        "`n_resamples` must be a whole number >= 100; got 50. Use 2000 or more for printed"
        " results.",
    ),
    "a cluster in two groups": (
        lambda: points(roles={"cluster": CLUSTER, "group": GROUP}, across="groups"),
        "`cluster` must not span groups that are compared; got cluster '0' in 'x' and 'y'. Compare"
        " predictors instead, or split such clusters.",
    ),
}


@each("case", CASES)
def test_the_whole_message(case):
    call, message = CASES[case]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()


def test_a_mistyped_word_is_a_type_error():
    with pytest.raises(TypeError):
        study().compare_curves(n_permutations=99)
    with pytest.raises(TypeError):
        study().compare_operating_points(thresholds=0.5)
