"""Bootstrap of a user's statistic of several classes: the binary study, loops, refusals."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_statistics import draw_statistic_values, jackknife_values
from tests.quick import each

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
LABELS = np.array(["b", "a", "c"])
DRAWN = {"n_resamples": 100, "rng": 1}


def draw(rng, n=45):
    """Return labels and rounded scores, the columns in the order b, a, c."""
    codes = rng.permutation(np.repeat([0, 1, 2], [n // 3, n // 5, n - n // 3 - n // 5]))
    return LABELS[codes], np.round(rng.normal(size=(n, 3)) + np.eye(3)[codes], 1)


def study_of(y, scores, **roles):
    return rs.MulticlassStudy(y, scores, labels=LABELS.tolist(), **roles)


def accuracy(y_true, y_score):
    """The share of cases that are called their class."""
    return float((LABELS[y_score.argmax(axis=1)] == y_true).mean())


@pytest.mark.parametrize("interval", ["bca", "percentile"])
@pytest.mark.parametrize("role", ["plain", "frequency", "cluster", "group"])
def test_two_classes_are_the_binary_study(interval, role, rng):
    y = rng.permutation(np.repeat([1, 0], [20, 25]))
    score = {"m": np.round(rng.normal(size=45) + y, 1), "n": np.round(rng.normal(size=45) + y, 1)}
    roles = {
        "plain": {},
        "frequency": {"frequency": rng.integers(1, 3, 45)},
        "cluster": {"cluster": np.arange(45) // 2},
        "group": {"group": np.arange(45) % 2},
    }[role]

    def brier(y_true, y_score):
        return {"brier": ((y_score - y_true) ** 2).mean(), "mean": y_score[y_true == 1].mean()}

    def of_classes(y_true, y_score):
        return brier(y_true == "1", y_score[:, 0])

    asked = {"interval": interval, **DRAWN}
    binary = rs.Study(y, score, **roles)
    # Positives are resampled first: theirs is the first column.
    tables = {name: np.column_stack([s, s]) for name, s in score.items()}
    classes = rs.MulticlassStudy(y, tables, labels=[1, 0], **roles)
    for more in ({}, {"reference": "n"}):
        found = classes.bootstrap(of_classes, **asked, **more)
        expected = binary.bootstrap(brier, **asked, **more)
        kept = [name for name in found if name not in ("n_pos", "n_neg", "note")]
        assert found[kept].equals(expected[kept])


def test_resamples_keep_the_classes_and_the_jackknife_leaves_one_out(rng):
    y, scores = draw(rng)
    times = rng.integers(1, 3, 45)
    cases = study_of(y, scores, frequency=times).cases
    sizes = np.bincount(cases.class_codes, times)

    def counted(codes, table):
        assert table.shape == (len(codes), 3)
        return np.append(np.bincount(codes, minlength=3), table[:, 0].sum())

    plan = ResamplePlan(100, 2, stratified=None)
    drawn = draw_statistic_values(cases, counted, plan).values[0]
    assert (drawn[:3] == sizes[:, np.newaxis]).all()
    deleted = jackknife_values(cases, counted)
    for row in range(45):
        fewer = times.copy()
        fewer[row] -= 1
        np.testing.assert_array_equal(
            deleted.values[0, :3, row], np.bincount(cases.class_codes, fewer, 3)
        )
        total = np.sum(fewer * scores[:, 0])
        assert deleted.values[0, 3, row] == pytest.approx(total)
    assert (deleted.strata == cases.class_codes).all()


def test_the_standard_error_is_that_of_stratified_resamples(rng):
    y, scores = draw(rng, 90)
    found = study_of(y, scores).bootstrap(accuracy, interval="percentile", rng=1)
    right = LABELS[scores.argmax(axis=1)] == y
    # Sums of a class have n p (1 - p): the class sizes are constant.
    variance = sum(np.sum(y == k) * right[y == k].var() for k in LABELS) / 90**2
    assert found["estimate"][0] == right.mean()
    assert found["se"][0] == pytest.approx(np.sqrt(variance), rel=0.06)


def test_names_of_statistics(rng):
    study = study_of(*draw(rng))
    # An object without a name does not get that of the wrapper.
    partial = functools.partial(lambda y_true, y_score, k: y_score[y_true == "c", k].mean(), k=2)
    for statistic, name in (
        (accuracy, "accuracy"),
        (partial, "statistic"),
        (lambda y_true, y_score: 0.5 + y_score[0, 0] * 0, "statistic"),
    ):
        found = study.bootstrap(statistic, interval="percentile", **DRAWN)
        assert found["quantity"].tolist() == [name]


def test_clusters_are_drawn_whole_and_folds_pooled(rng):
    y, scores = draw(rng)
    whole = study_of(np.repeat(y, 2), np.repeat(scores, 2, axis=0), cluster=np.arange(90) // 2)
    found = whole.bootstrap(accuracy, interval="percentile", rng=1)
    plain = study_of(y, scores).bootstrap(accuracy, interval="percentile", rng=1)
    # Twice each case is no more than once; classes of whole clusters vary, those of cases do not.
    assert found["estimate"][0] == plain["estimate"][0]
    assert 0.9 < found["se"][0] / plain["se"][0] < 1.3
    folded = study_of(y, scores, fold=np.arange(45) % 3).bootstrap(accuracy, **DRAWN)
    assert folded["note"].str.contains("pooled-folds").all()


def test_edges():
    y = np.array(["b", "b", "a", "a", "c"])
    scores = np.eye(3)[[0, 1, 1, 1, 2]]
    single = study_of(y, scores).bootstrap(accuracy, **DRAWN)
    assert single["note"][0].startswith("no-resampled-spread")
    assert np.isnan(single["ci_low"][0])
    y, scores = np.tile(y, 4), np.tile(scores, (4, 1))
    lacking = study_of(y, scores, group=np.where(y == "c", "u", np.repeat(["u", "v"], 10)))
    found = lacking.bootstrap(accuracy, **DRAWN)
    assert found["note"].tolist()[1].startswith("one-class")
    assert np.isnan(found["estimate"][1])


MESSAGES = [
    (
        {},
        "accuracy",
        "`statistic` must be a function of y_true and y_score, or functions by name; got",
    ),
    ({}, lambda y, s: "x", "`statistic` must return a number, or a dict of numbers by name"),
    ({}, lambda y, s: 1 / 0, "`statistic` must return a number for all cases"),
    ({"sample_weight": np.ones(45)}, accuracy, "`statistic` must return a number for all cases"),
]


@each(("roles", "statistic", "message"), MESSAGES)
def test_message(roles, statistic, message, rng):
    study = study_of(*draw(rng), **roles)
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        study.bootstrap(statistic, **DRAWN)
