"""Notes on predictors below chance, and tables of a billion cases that questions refuse."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocstats as rs
from tests import examples

CODE = "below-chance"
Y = np.tile([1, 0], 30)


@pytest.fixture
def scores(rng):
    good = rng.normal(size=60) + 1.5 * Y
    return {"up": good, "down": -good, "none": np.tile([1.0, 2.0, 2.0, 1.0], 15)}


def marked(frame, of="predictor"):
    """Return whose rows have the note, and whose have not."""
    has = frame["note"].str.split("; ").map(lambda codes: CODE in codes)
    return set(frame.loc[has, of]), set(frame.loc[~has, of])


QUESTIONS = {
    "auc": {},
    "average_precision": {},
    "binormal": {"method": "normal-theory"},
    "bootstrap": {"n_resamples": 100, "rng": 1, **examples.NEEDED["bootstrap"]},
    "cutpoints": {"n_resamples": 100, "rng": 1},
    "operating_points": {"threshold": 0.5},
    "operating_points at rates": {"fpr": 0.2, "n_resamples": 100, "rng": 1},
    "test_performance_goals": examples.NEEDED["test_performance_goals"],
    "versus_random": {},
}


@pytest.mark.parametrize("question", list(QUESTIONS))
def test_rows_of_a_predictor_below_chance_have_the_note_and_others_have_not(scores, question):
    study = rs.Study(Y, scores)
    frame = getattr(study, question.partition(" ")[0])(**QUESTIONS[question])
    assert marked(frame) == ({"down"}, {"up", "none"})


def test_the_study_warns_of_it_once_and_points_to_the_direction(scores):
    study = rs.Study(Y, scores)
    with pytest.warns(rs.StatisticalWarning, match="below-chance: .* higher_is_positive=False"):
        study.auc()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study.operating_points(threshold=0.5, quantities="tpr")


def test_a_study_that_is_told_the_direction_has_no_doubt(scores):
    study = rs.Study(Y, scores, higher_is_positive={"down": False})
    assert marked(study.auc())[0] == set()
    assert marked(study.operating_points(threshold=0.5))[0] == set()


def test_the_classes_exchanged_reverse_it(scores):
    assert marked(rs.Study(1 - Y, scores).auc()) == ({"up"}, {"down", "none"})
    negated = {name: -values for name, values in scores.items()}
    assert marked(rs.Study(1 - Y, negated).auc()) == ({"down"}, {"up", "none"})


def test_the_order_of_the_rows_is_of_no_account(rng, scores):
    rows = rng.permutation(60)
    shuffled = rs.Study(Y[rows], {name: values[rows] for name, values in scores.items()})
    assert marked(shuffled.auc()) == ({"down"}, {"up", "none"})


def test_an_area_whose_interval_has_one_half_has_no_note():
    study = rs.Study(Y, np.tile([1.0, 2.0, 2.0, 1.0, 1.0, 1.5], 10))
    row = study.auc().iloc[0]
    assert row["estimate"] < 0.5 < row["ci_high"]
    assert row["note"] == ""


def test_weights_have_no_interval_and_no_note(scores):
    study = rs.Study(Y, scores, sample_weight=np.linspace(1, 2, 60))
    assert marked(study.auc())[0] == set()


def test_a_row_about_a_group_goes_by_the_group(scores):
    group = np.where(np.arange(60) < 30, "u", "v")
    score = np.where(group == "u", scores["up"], scores["down"])
    study = rs.Study(Y, score, group=group)
    assert marked(study.auc(), "group") == ({"v"}, {"u"})
    assert marked(study.operating_points(threshold=0.5), "group") == ({"v"}, {"u"})
    # One group goes the right way: the answer over both has no doubt.
    assert marked(study.stratified_auc())[0] == set()
    turned = rs.Study(Y, scores["down"], group=group)
    assert marked(turned.stratified_auc(), "group") == ({"all"}, set())


@pytest.mark.parametrize("question", ["auc", "binormal", "operating_points"])
def test_a_group_by_itself_has_the_notes_that_it_has_among_others(scores, question):
    options = {"threshold": 0.5} if question == "operating_points" else {}
    group = np.where(np.arange(60) < 30, "u", "v")
    frame = getattr(rs.Study(Y, scores, group=group), question)(**options)
    for label in ("u", "v"):
        part = {name: values[group == label] for name, values in scores.items()}
        alone = getattr(rs.Study(Y[group == label], part), question)(**options)
        assert frame.loc[frame["group"] == label, "note"].tolist() == alone["note"].tolist()


def test_folds_are_averaged(scores):
    # Scores of the second fold are higher, and most of its cases negatives: pooled, they lie above
    # the positives of the first fold, and within each fold below its own.
    row = np.arange(60)
    fold = np.where(Y == 0, row >= 8, row >= 54)
    score = scores["up"] + 20 * fold
    assert marked(rs.Study(Y, score).auc()) == ({"score"}, set())
    assert marked(rs.Study(Y, score, fold=fold).auc()) == (set(), {"score"})


def test_folds_are_pooled_where_one_lacks_a_class(scores):
    lacking = np.where(np.arange(60) == 0, "first", "others")
    frame = rs.Study(Y, scores, fold=lacking).operating_points(threshold=0.5)
    assert marked(frame) == ({"down"}, {"up", "none"})


def test_a_comparison_has_the_note_if_either_side_is_below_chance(scores):
    frame = rs.Study(Y, scores).compare_auc()
    pairs = list(zip(frame["predictor"], frame["reference"], strict=True))
    has = frame["note"].str.contains(CODE).tolist()
    assert dict(zip(pairs, has, strict=True)) == {
        ("up", "down"): True,
        ("up", "none"): False,
        ("down", "none"): True,
    }


@pytest.mark.parametrize("order", [("u", "v"), ("v", "u")])
def test_a_comparison_across_groups_has_the_note_of_either_group(scores, order):
    group = np.where(np.arange(60) < 30, *order)
    score = np.where(group == "u", scores["up"], scores["down"])
    # The first half is the first group, and the reference the second: the note is of both ways.
    frame = rs.Study(Y, score, group=group).compare_auc(across="groups")
    assert frame["note"].str.contains(CODE).tolist() == [True]
    same = rs.Study(Y, scores["up"], group=group).compare_auc(across="groups")
    assert not same["note"].str.contains(CODE).any()


def test_a_group_without_a_name_says_nothing_of_other_groups(scores):
    group = np.where(np.arange(len(Y)) // 2 % 2, "", "x").astype(object)
    down = np.where(group == "", scores["down"], scores["up"])
    found = rs.Study(Y, down, group=group).auc_bounds()
    assert marked(found, of="group") == ({""}, {"x"})


def study_of_table(times):
    scores = {"a": [3.0, 2, 1, 2, 1, 0], "b": [3.0, 1, 2, 2, 0, 1]}
    frequency = np.array([10, 7, 1, 9, 10, 3]) * times
    return rs.Study([1, 1, 1, 0, 0, 0], scores, frequency=frequency)


@pytest.fixture(scope="module")
def huge():
    return study_of_table(10**8)


@pytest.mark.parametrize(
    "question",
    [
        lambda study: study.roc_curve()[["fpr", "tpr"]],
        lambda study: study.pr_curve()[["tpr", "ppv"]],
        lambda study: study.operating_points(tpr=0.9)[["threshold", "estimate"]],
        lambda study: study.auc()[["estimate"]],
    ],
)
def test_estimates_of_huge_tables_are_those_of_small_ones(huge, question):
    small = question(study_of_table(1))
    assert question(huge).to_numpy(float) == pytest.approx(small.to_numpy(float), nan_ok=True)


@pytest.mark.parametrize(
    ("question", "instead"),
    [
        (lambda s: s.compare_curves(), "Compare areas"),
        (lambda s: s.random_band(), "simultaneous"),
        (lambda s: s.random_points(), "Pass fewer"),
        (lambda s: s.versus_random(method="permutation"), "asymptotic"),
        (lambda s: s.operating_points_versus_random(threshold=2, method="boschloo"), "fisher"),
    ],
)
def test_what_takes_single_cases_refuses_with_its_limit(huge, question, instead):
    with pytest.raises(rs.InputError, match=r"1_000_000|10_000_000|999_999_999") as refused:
        question(huge)
    assert instead in str(refused.value)
