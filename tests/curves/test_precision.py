"""Precision-recall and lift: the points, what lies between them, the areas, and what skew does."""

from __future__ import annotations

import re
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

import rocstats as rs
from rocstats.curves.precision import average_precision_of_counts, pr_area
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


def counts_of(y, score, weight=None):
    """Return positives and negatives at the distinct scores, from the most positive one."""
    return count_scores_of(
        LabelledScores(np.asarray(score, float), np.asarray(y) == 1, weight, True)
    )[1:]


def table(*cells):
    """Counts of positives and negatives from the most positive score down."""
    return np.array(cells, dtype=float).T


@given(samples(least=1))
def test_points_are_counted(data):
    y, (score,) = data
    curve = rs.Study(y, score).pr_curve()
    expected = oracles.algorithm_1(y, score)
    assert curve[["threshold", "fp", "tp"]].to_numpy() == pytest.approx(expected)
    _, fp, tp = expected[1:].T
    assert curve["tpr"].to_numpy()[1:] == pytest.approx(tp / (y == 1).sum())
    assert curve["ppv"].to_numpy()[1:] == pytest.approx(tp / (tp + fp))


@given(samples(least=1))
def test_the_first_row_is_the_limit_at_recall_0(data):
    y, (score,) = data
    first = rs.Study(y, score).pr_curve().iloc[0]
    assert np.isinf(first["threshold"])
    assert first["tpr"] == first["fp"] == first["tp"] == 0
    assert first["ppv"] == pytest.approx(float(oracles.precision_at(y, score, 1e-9)), abs=1e-6)


@given(samples(least=1), st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_the_curve_read_between_its_points(data, recalls):
    y, (score,) = data
    curve = rs.Study(y, score).pr_curve(tpr=recalls)
    assert curve["tpr"].tolist() == recalls
    assert curve["threshold"].isna().all()
    expected = [float(oracles.precision_at(y, score, recall)) for recall in recalls]
    assert curve["ppv"].to_numpy() == pytest.approx(expected)
    assert curve["tp"].to_numpy() == pytest.approx(np.array(recalls) * (y == 1).sum())
    called = curve["tp"] + curve["fp"]
    assert (curve["ppv"] * called).to_numpy() == pytest.approx(curve["tp"].to_numpy())


@given(samples(least=1))
def test_the_curve_read_at_its_own_recalls_is_the_curve(data):
    y, (score,) = data
    study = rs.Study(y, score)
    curve = study.pr_curve().drop_duplicates("tpr")
    again = study.pr_curve(tpr=curve["tpr"].tolist())
    assert again["fp"].tolist() == curve["fp"].tolist()
    assert again["tp"].tolist() == curve["tp"].tolist()
    # 0 is read on the first segment, which ends in a vertex of its own if it holds a positive.
    assert again["ppv"].tolist() == curve["ppv"].tolist()


def test_a_recall_that_rounds_up_still_finds_its_vertex():
    # (1/49) * 49 is below 1: from counts, the recall 48/49 would miss its vertex by one bit.
    y = [1] * 48 + [0] * 10 + [1]
    study = rs.Study(y, -np.arange(59.0))
    assert study.pr_curve(tpr=[k / 49 for k in range(1, 49)])["ppv"].tolist() == [1.0] * 48


# 2 positives and 1 negative above, then a tie of 3 and 4: at recall 4/5 the tie gives 2 and 8/3
def test_interpolation_by_hand():
    y = [1, 1, 0] + [1] * 3 + [0] * 4
    curve = rs.Study(y, [9.0, 8, 7] + [1] * 7).pr_curve(tpr=[0.8, 0.4, 1.0])
    assert curve["tp"].tolist() == [4, 2, 5]
    assert curve["fp"].to_numpy() == pytest.approx([1 + 8 / 3, 0, 5])
    assert curve["ppv"].to_numpy() == pytest.approx([4 / (4 + 11 / 3), 1.0, 0.5])


@given(samples(least=1))
def test_average_precision_is_the_mean_over_positives(data):
    y, (score,) = data
    found = average_precision_of_counts(*counts_of(y, score))
    assert found == pytest.approx(oracles.average_precision(y, score))
    assert found == pytest.approx(average_precision_score(y, score))


@given(samples(least=1))
def test_area_is_the_integral_of_the_interpolation(data):
    y, (score,) = data
    assert pr_area(*counts_of(y, score)) == pytest.approx(oracles.pr_area(y, score), abs=1e-13)


@given(samples(least=1))
def test_area_is_the_limit_of_the_curve_read_ever_more_densely(data):
    y, (score,) = data
    n = 4000
    recalls = (np.arange(n) + 0.5) / n
    read = rs.Study(y, score).pr_curve(tpr=recalls)["ppv"].mean()
    assert pr_area(*counts_of(y, score)) == pytest.approx(read, abs=2e-3)


@pytest.mark.parametrize("area", [average_precision_of_counts, pr_area])
@given(data=samples(least=1))
def test_areas_lie_between_0_and_1(area, data):
    y, (score,) = data
    assert 0 < area(*counts_of(y, score)) <= 1


@pytest.mark.parametrize("area", [average_precision_of_counts, pr_area])
def test_perfect_and_constant_predictors(area):
    y = np.array([1, 1, 1, 0, 0, 0, 0])
    assert area(*counts_of(y, y)) == 1
    assert area(*counts_of(y, 7.0 - np.arange(7))) == 1
    assert area(*counts_of(y, np.ones(7))) == pytest.approx(3 / 7)


def test_areas_by_hand():
    # precision 1/2 along the tie of one and one, then (1 + x)/(2 + x) for the last positive
    counts = table((1, 1), (1, 0))
    assert average_precision_of_counts(*counts) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert pr_area(*counts) == pytest.approx((1 / 2 + 1 - log(3 / 2)) / 2)


def test_degenerate_segments():
    # the curve starts with negatives: x/(1 + x) has the integral 1 - log(2)
    assert pr_area(*table((0, 1), (1, 0))) == pytest.approx(1 - log(2))
    # a segment without cases, at the start and later
    assert pr_area(*table((0, 0), (0, 1), (0, 0), (1, 0))) == pytest.approx(1 - log(2))
    # tiny and huge weights in one table
    assert pr_area(*table((1e-300, 0), (0, 1e300), (1, 0))) == pytest.approx(0, abs=1e-12)
    assert pr_area(*table((1e300, 1e300), (1e-300, 0))) == pytest.approx(0.5)


def test_area_at_extreme_skew_loses_no_digits():
    # one positive below n negatives: 1 - n log(1 + 1/n) = 1/(2n) - 1/(3n^2) + 1/(4n^3) - ...
    for n in (1e4, 1e6, 1e8):
        expected = 1 / (2 * n) - 1 / (3 * n**2) + 1 / (4 * n**3)
        assert pr_area(*table((0, n), (1, 0))) == pytest.approx(expected, abs=1e-15)


@given(samples(least=1), st.integers(0, 2**32 - 1))
def test_a_frequency_is_so_many_rows(data, seed):
    y, (score,) = data
    n = np.random.default_rng(seed).integers(1, 4, len(y))
    tabled, rows = rs.Study(y, score, frequency=n), rs.Study(np.repeat(y, n), np.repeat(score, n))
    assert tabled.pr_curve().equals(rows.pr_curve())
    assert tabled.average_precision().equals(rows.average_precision())


@given(samples(least=1))
def test_what_roc_keeps_and_precision_recall_loses(data):
    """Figure 5: every negative ten times over."""
    y, (score,) = data
    often = np.where(y == 0, 10, 1)
    balanced, skewed = rs.Study(y, score), rs.Study(y, score, frequency=often)
    rates = ["threshold", "fpr", "tpr"]
    assert skewed.roc_curve()[rates].equals(balanced.roc_curve()[rates])
    one, ten = balanced.pr_curve(), skewed.pr_curve()
    assert ten["tpr"].equals(one["tpr"])
    # the odds of being positive among those called fall to a tenth
    p = one["ppv"].to_numpy()
    assert ten["ppv"].to_numpy() == pytest.approx(p / (p + 10 * (1 - p)))
    assert ten["ppv"].iloc[-1] < one["ppv"].iloc[-1]
    kept, lost = skewed.auc()["estimate"], skewed.average_precision()["estimate"]
    assert kept.to_numpy() == pytest.approx(balanced.auc()["estimate"].to_numpy())
    assert (lost <= balanced.average_precision()["estimate"] + 1e-12).all()


def test_weights_are_counts_and_may_be_zero():
    y, score = [1, 1, 0, 0], [3.0, 2, 2, 0]
    curve = rs.Study(y, score, sample_weight=[0.0, 1.5, 0.5, 1.0]).pr_curve()
    # nothing is called positive by weight until the second score: the limit reaches there
    assert curve["ppv"].to_numpy() == pytest.approx([0.75, 0.75, 0.75, 0.5])
    assert curve["tpr"].tolist() == [0, 0, 1, 1]


def test_infinite_scores_have_rows_of_their_own():
    curve = rs.Study([1, 0, 1], [np.inf, 0, -np.inf]).pr_curve()
    assert curve["threshold"].tolist() == [np.inf, np.inf, 0, -np.inf]
    assert curve["ppv"].to_numpy() == pytest.approx([1, 1, 0.5, 2 / 3])


def test_the_precision_of_a_group_without_a_class_is_undefined():
    y, score, group = [1, 1, 0, 0, 1, 0], [3, 2, 1, 2, 0, 5], ["u", "u", "u", "u", "pos", "neg"]
    study, again = (rs.Study(y, score, group=group) for _ in range(2))
    with pytest.warns(rs.StatisticalWarning, match="one-class") as caught:
        curve = study.pr_curve()
    assert len(caught) == 1
    lone = curve[curve["group"] != "u"]
    assert lone["ppv"].isna().all()
    assert lone.loc[lone["group"] == "pos", "tpr"].tolist() == [0, 1]
    assert lone.loc[lone["group"] == "neg", "tpr"].isna().all()
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        read = again.pr_curve(tpr=[0.0, 0.5])
    lone = read[read["group"] != "u"]
    assert lone["ppv"].isna().all()
    assert lone.loc[lone["group"] == "neg", ["fp", "tp"]].isna().all(axis=None)
    assert lone.loc[lone["group"] == "pos", ["fp", "tp"]].to_numpy().tolist() == [[0, 0], [0, 0.5]]


def test_read_by_fold():
    fold = np.where(np.arange(18) % 2 == 0, "even", "odd")
    found = rs.Study(examples.Y, examples.D1, fold=fold).pr_curve(tpr=[0.3, 0.7], by="fold")
    assert found["fold"].tolist() == ["even", "even", "odd", "odd"]
    alone = rs.Study(examples.Y[fold == "odd"], examples.D1[fold == "odd"])
    assert found["ppv"].tolist()[2:] == alone.pr_curve(tpr=[0.3, 0.7])["ppv"].tolist()


@pytest.mark.parametrize(
    ("tpr", "got"),
    [
        ([0.5, 1.2], "1.2"),
        ([-0.1, 0.5], "-0.1"),
        ([float("nan")], "nan"),
        ([], "[]"),
        (0.5, "0.5"),
        (["x"], "['x']"),
        ([[0.1, 0.2]], "[[0.1, 0.2]]"),
    ],
)
def test_recalls_that_are_none(tpr, got):
    message = f"`tpr` must be a list of numbers from 0 to 1; got {got}."
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.Study([1, 0], [2, 1]).pr_curve(tpr=tpr)


@given(samples(least=1))
def test_lift_is_the_gain_over_the_share_called(data):
    y, (score,) = data
    curve = rs.Study(y, score).lift_curve()
    threshold, fp, tp = oracles.algorithm_1(y, score)[1:].T
    assert curve["threshold"].to_numpy()[1:] == pytest.approx(threshold)
    rate, gain = (fp + tp) / len(y), tp / (y == 1).sum()
    assert curve["positive_rate"].to_numpy()[1:] == pytest.approx(rate)
    assert curve["tpr"].to_numpy()[1:] == pytest.approx(gain)
    assert curve["lift"].to_numpy()[1:] == pytest.approx(gain / rate)


@given(samples(least=1))
def test_ends_and_bounds_of_the_lift(data):
    y, (score,) = data
    curve = rs.Study(y, score).lift_curve()
    first, second, last = curve.iloc[0], curve.iloc[1], curve.iloc[-1]
    assert np.isinf(first["threshold"])
    assert (first["positive_rate"], first["tpr"]) == (0, 0)
    assert first["lift"] == second["lift"]
    assert (last["positive_rate"], last["tpr"], last["lift"]) == (1, 1, 1)
    assert curve["lift"].between(0, len(y) / (y == 1).sum() * (1 + 1e-12)).all()


def test_lift_of_perfect_and_constant_predictors():
    y = [1, 1, 0, 0, 0, 0]
    perfect = rs.Study(y, [6.0, 5, 4, 3, 2, 1]).lift_curve()
    # the third of the cases that is called first holds all positives
    assert perfect["lift"].to_numpy() == pytest.approx([3, 3, 3, 2, 1.5, 1.2, 1])
    assert rs.Study(y, np.ones(6)).lift_curve()["lift"].tolist() == [1, 1]


@given(samples(least=1))
def test_lift_is_precision_over_prevalence(data):
    y, (score,) = data
    study = rs.Study(y, score)
    expected = study.pr_curve()["ppv"].to_numpy() / study.prevalence
    assert study.lift_curve()["lift"].to_numpy() == pytest.approx(expected)


def test_weights_are_counts_of_the_lift():
    study = rs.Study([1, 1, 0, 0], [3.0, 1, 2, 0], sample_weight=[0.5, 1.5, 2.0, 1.0])
    curve = study.lift_curve()
    assert curve["positive_rate"].to_numpy() == pytest.approx([0, 0.1, 0.5, 0.8, 1])
    assert curve["lift"].to_numpy() == pytest.approx([2.5, 2.5, 0.5, 1.25, 1])


def test_a_group_whose_weights_are_all_zero():
    study = rs.Study(
        [1, 0, 1, 0], [3, 1, 0, 2], group=list("uuvv"), sample_weight=[1.0, 1.0, 0.0, 0.0]
    )
    lone = study.lift_curve().query("group == 'v'")
    assert lone[["positive_rate", "tpr", "lift"]].isna().all(axis=None)
