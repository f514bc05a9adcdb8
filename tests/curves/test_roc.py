"""ROC, DET and other curves of a study: points, ties, folds, groups and weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import norm

import rocstats as rs
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


@given(samples(least=1))
def test_curve_equals_fawcetts_algorithm_1(data):
    y, (score,) = data
    curve = rs.Study(y, score).roc_curve()
    expected = oracles.algorithm_1(y, score)
    assert curve[["threshold", "fp", "tp"]].to_numpy() == pytest.approx(expected)
    assert curve["fpr"].to_numpy() == pytest.approx(expected[:, 1] / (y == 0).sum())
    assert curve["tpr"].to_numpy() == pytest.approx(expected[:, 2] / (y == 1).sum())


@given(samples(least=1))
def test_trapezoid_area_is_the_mann_whitney_area(data):
    y, (score,) = data
    study = rs.Study(y, score)
    curve = study.roc_curve()
    area = oracles.trapezoid(curve["fpr"].tolist(), curve["tpr"].tolist())
    assert study.auc()["estimate"][0] == pytest.approx(area, abs=1e-14)
    assert area == pytest.approx(oracles.auc(y, score), abs=1e-14)


CURVES = ["roc_curve", "pr_curve", "lift_curve", "det_curve", "cost_curve"]


@pytest.mark.parametrize("question", [*CURVES, "roc_hull"])
@given(data=samples(least=1))
def test_a_strictly_increasing_transform_moves_thresholds_only(question, data):
    y, (score,) = data
    before, after = (getattr(rs.Study(y, s), question)() for s in (score, np.exp(score) - 3))
    scores = ["threshold", "next_score"]
    assert after.drop(columns=scores).equals(before.drop(columns=scores))
    assert after["threshold"].to_numpy() == pytest.approx(np.exp(before["threshold"]) - 3)


@given(samples(least=1))
def test_swapping_labels_and_direction_reflects_the_curve(data):
    y, (score,) = data
    curve = rs.Study(y, score).roc_curve()
    other = rs.Study(1 - y, score, higher_is_positive=False).roc_curve()
    # "positive" <=> "negative": a point (f, t) becomes (1 - t, 1 - f), read backwards
    assert other["fpr"].to_numpy() == pytest.approx(1 - curve["tpr"].to_numpy()[::-1])
    assert other["tpr"].to_numpy() == pytest.approx(1 - curve["fpr"].to_numpy()[::-1])


# figure 6: six positives and four negatives with one score, between one of each
def test_tie_rules_of_figure_6():
    y = [1] + [1] * 6 + [0] * 4 + [0]
    score = [2.0] + [1.0] * 10 + [0.0]
    study = rs.Study(y, score)
    areas = {}
    for ties, corner in (("optimistic", (0, 7)), ("pessimistic", (4, 1))):
        curve = study.roc_curve(ties=ties)
        assert len(curve) == 5
        assert tuple(curve.loc[2, ["fp", "tp"]]) == corner
        assert curve.loc[2, "threshold"] == 1.0
        areas[ties] = oracles.trapezoid(curve["fpr"].tolist(), curve["tpr"].tolist())
    expected = study.auc()["estimate"][0]
    assert areas["optimistic"] + areas["pessimistic"] == pytest.approx(2 * expected)
    # the error bound nm/(2PN) is attained: P = 7, N = 5
    assert areas["optimistic"] - expected == pytest.approx(6 * 4 / (2 * 7 * 5))


# a tie of n positives and m negatives is an edge over n by m: the corner moves the area by half
@given(samples(least=1))
def test_tie_rules_move_the_area_by_half_of_each_tie(data):
    y, (score,) = data
    study = rs.Study(y, score)
    ties = sum(((score == at) & (y == 1)).sum() * ((score == at) & (y == 0)).sum()
               for at in np.unique(score))  # fmt: skip
    half = ties / (2 * (y == 1).sum() * (y == 0).sum())
    for rule, sign in (("optimistic", 1), ("pessimistic", -1)):
        curve = study.roc_curve(ties=rule)
        area = oracles.trapezoid(curve["fpr"].tolist(), curve["tpr"].tolist())
        assert area == pytest.approx(oracles.auc(y, score) + sign * half, abs=1e-14)


@pytest.mark.parametrize("question", CURVES)
def test_curves_by_fold_and_pooled(question):
    y, score = examples.Y, examples.D1
    fold = np.where(np.arange(18) % 2 == 0, "even", "odd")
    study = rs.Study(y, score, fold=fold)
    by_fold = getattr(study, question)(by="fold")
    for label in ("even", "odd"):
        alone = getattr(rs.Study(y[fold == label], score[fold == label]), question)()
        part = by_fold[by_fold["fold"] == label].reset_index(drop=True)
        assert part.drop(columns="fold").equals(alone.drop(columns="fold"))
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds") as caught:
        pooled = getattr(study, question)()
    assert len(caught) == 1
    assert pooled.equals(getattr(rs.Study(y, score), question)())


@pytest.mark.parametrize("question", [*CURVES, "roc_hull"])
def test_curves_of_groups_and_predictors_are_each_alone_in_input_order(patients, question):
    study = rs.Study("outcome", ["b", "a"], data=patients, pos_label="Poor", group="site")
    curve = getattr(study, question)()
    order = curve[["group", "predictor"]].drop_duplicates().to_numpy().tolist()
    assert order == [["x", "b"], ["x", "a"], ["y", "b"], ["y", "a"]]
    for site in "xy":
        rows = patients[patients["site"] == site].reset_index(drop=True)
        alone = rs.Study("outcome", ["b", "a"], data=rows, pos_label="Poor")
        part = curve[curve["group"] == site].reset_index(drop=True)
        assert part.drop(columns="group").equals(getattr(alone, question)())


@pytest.mark.parametrize("question", CURVES)
def test_folds_that_cannot_be(question):
    with pytest.raises(rs.InputError, match=r"^`by` must stay None without folds; got 'fold'"):
        getattr(rs.Study([1, 0], [2, 1]), question)(by="fold")
    study = rs.Study([1, 0, 1], [3, 2, 1], fold=[1, 1, 2])
    with pytest.raises(rs.InputError, match=r"^`by` must be one of None, 'fold'; got 'group'"):
        getattr(study, question)(by="group")
    with pytest.raises(rs.InputError, match=r"`fold` must have both classes .* in fold '2'"):
        getattr(study, question)(by="fold")


@pytest.mark.parametrize("question", CURVES)
def test_groups_that_lack_a_class_are_warned_of_once(question):
    study = rs.Study([1, 0, 0, 1], [3, 1, 0, 2], group=["u", "u", "v", "w"], fold=[1, 1, 1, 1])
    with pytest.warns(rs.StatisticalWarning) as caught:
        curve = getattr(study, question)(by="fold")
    assert [str(w.message).partition(":")[0] for w in caught] == ["one-class"]
    assert curve["group"].drop_duplicates().tolist() == ["u", "v", "w"]


def test_weights_are_counts():
    y, score = [1, 1, 0, 0], [3.0, 1, 2, 0]
    curve = rs.Study(y, score, sample_weight=[0.5, 1.5, 2.0, 1.0]).roc_curve()
    assert curve["tp"].tolist() == [0, 0.5, 0.5, 2, 2]
    assert curve["fp"].tolist() == [0, 0, 2, 2, 3]
    assert (curve["fpr"].iloc[-1], curve["tpr"].iloc[-1]) == (1, 1)


@pytest.mark.parametrize(
    ("question", "of_v", "undefined", "defined"),
    [
        ("roc_curve", 1, ["fpr"], ["tpr"]),
        ("det_curve", 0, ["fnr", "fnr_deviate"], ["fpr"]),
        ("lift_curve", 1, ["lift"], ["positive_rate", "tpr"]),
        ("cost_curve", 1, ["threshold", "fpr", "tpr", "normalized_cost"], ["probability_cost"]),
    ],
)
def test_the_rate_of_a_class_that_a_group_lacks_is_undefined(question, of_v, undefined, defined):
    study = rs.Study([1, 0, of_v], [3, 1, 0], group=["u", "u", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        curve = getattr(study, question)()
    lone = curve[curve["group"] == "v"]
    assert lone[undefined].isna().all(axis=None)
    assert lone[defined].to_numpy().T.tolist() == [[0, 1]] * len(defined)


@given(samples(least=1))
def test_error_rates_and_their_deviates(data):
    y, (score,) = data
    curve = rs.Study(y, score).det_curve()
    threshold, fp, tp = oracles.algorithm_1(y, score).T
    fpr, fnr = fp / (y == 0).sum(), ((y == 1).sum() - tp) / (y == 1).sum()
    assert curve["threshold"].to_numpy() == pytest.approx(threshold)
    assert curve["fpr"].to_numpy() == pytest.approx(fpr)
    assert curve["fnr"].to_numpy() == pytest.approx(fnr)
    assert curve["fpr_deviate"].to_numpy() == pytest.approx(norm.ppf(fpr))
    assert curve["fnr_deviate"].to_numpy() == pytest.approx(norm.ppf(fnr))


def test_rates_of_0_and_1_lie_at_infinity():
    curve = rs.Study([1, 0], [2, 1]).det_curve()
    assert curve["fpr_deviate"].tolist() == [-np.inf, -np.inf, np.inf]
    assert curve["fnr_deviate"].tolist() == [np.inf, -np.inf, -np.inf]


@given(samples(least=1))
def test_swapping_labels_and_direction_swaps_the_error_rates(data):
    y, (score,) = data
    curve = rs.Study(y, score).det_curve()
    other = rs.Study(1 - y, score, higher_is_positive=False).det_curve()
    assert other["fpr_deviate"].to_numpy()[::-1] == pytest.approx(curve["fnr_deviate"].to_numpy())
    assert other["fnr_deviate"].to_numpy()[::-1] == pytest.approx(curve["fpr_deviate"].to_numpy())


def test_normal_scores_give_a_straight_line():
    # negatives N(0, 1) and positives N(2, 1/2), as quantiles: the slope is -sd_neg/sd_pos = -2
    p = (np.arange(4000) + 0.5) / 4000
    score = np.concatenate([norm.ppf(p), 2 + norm.ppf(p) / 2])
    curve = rs.Study(np.repeat([0, 1], 4000), score).det_curve()
    middle = curve[(np.abs(curve["fpr_deviate"]) < 2.5) & (np.abs(curve["fnr_deviate"]) < 2.5)]
    slope, intercept = np.polyfit(middle["fpr_deviate"], middle["fnr_deviate"], 1)
    assert slope == pytest.approx(-2, abs=0.01)
    assert intercept == pytest.approx(-4, abs=0.01)


def test_small_false_negative_rates_keep_their_digits():
    n = 2**40
    study = rs.Study([1, 1, 0], [2, 1, 0], frequency=[n - 1, 1, 5])
    assert study.det_curve()["fnr"].tolist() == [1, 2.0**-40, 0, 0]


@pytest.mark.parametrize("question", [*CURVES, "roc_hull"])
@given(data=samples(least=1))
def test_lower_scores_as_positive_are_negated_scores(question, data):
    y, (score,) = data
    up = getattr(rs.Study(y, score), question)()
    down = getattr(rs.Study(y, -score, higher_is_positive=False), question)()
    assert set(down["direction"]) == {"<="}
    scores = ["threshold", "next_score"]
    assert down[scores].equals(-up[scores])
    assert down.drop(columns=[*scores, "direction"]).equals(up.drop(columns=[*scores, "direction"]))
