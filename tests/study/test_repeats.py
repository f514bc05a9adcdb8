"""Cases that stand in several folds without cluster= are found, and ordinary folds raise no alarm.

The chance of a false alarm by the order of outcomes is that of docs/study.md: a list of outcomes
repeats another of the same counts and runs with the chance 1 / number of such orders.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.study import repeats
from rocstats.study.base import sample_notes
from rocstats.study.repeats import _log_number_of_outcome_orders, cases_of_outcomes

CODE = "repeated-cases"


def noted(y, fold, index=None, **roles):
    """Return whether a study of these outcomes and folds has the note."""
    score = np.random.default_rng(4).normal(size=len(y))
    labels = np.asarray(y) if index is None else pd.Series(np.asarray(y), index=index)
    return CODE in sample_notes(rs.Study(labels, score, fold=fold, **roles))


def folds(rng, n, k):
    return rng.permutation(np.arange(n) % k)


@pytest.fixture
def y(rng):
    return rng.permutation(np.repeat([1, 0], [40, 60]))


@pytest.fixture
def repeated(rng, y):
    """Return outcomes and folds of a cross-validation in 5 folds, three times over."""
    return np.tile(y, 3), np.concatenate([folds(rng, 100, 5) + 5 * r for r in range(3)])


def test_outcomes_in_the_same_order_three_times_are_noted(repeated):
    assert noted(*repeated)


def test_cases_that_are_clusters_are_not(repeated):
    assert not noted(*repeated, cluster=np.tile(np.arange(100), 3))


def test_without_folds_nothing_is_looked_for(repeated):
    assert not noted(repeated[0], None)


def test_folds_one_after_the_other_are_known_by_their_index(rng, repeated):
    y, fold = repeated
    index = np.tile(np.arange(100), 3)
    order = np.argsort(fold, kind="stable")
    assert noted(y[order], fold[order], index=index[order])
    assert noted(y[order], fold[order], index=pd.Index([f"P{i}" for i in index[order]]))
    assert not noted(y[order], fold[order])
    # In the frame of `data` too.
    data = pd.DataFrame({"y": y, "s": rng.normal(size=300), "f": fold}, index=index).iloc[order]
    with pytest.warns(rs.StatisticalWarning, match=CODE):
        rs.Study("y", "s", data=data, fold="f").auc()


def test_folds_named_by_their_repeat_are_known(repeated):
    y, fold = repeated
    order = np.argsort(fold, kind="stable")
    for name in ("Fold{1}.Rep{0}", "repeat {0}, fold {1}", "rep-{0}_{1}"):
        assert noted(y[order], [name.format(f // 5, f % 5) for f in fold[order]])
    assert not noted(y[order], [f"{f // 5}-{f % 5}" for f in fold[order]])
    # One repeat lacks a case: then it is no repeat of the same cases.
    assert not noted(y[order][1:], [f"rep{f // 5}.{f % 5}" for f in fold[order][1:]])


def test_ordinary_folds_are_not_noted(rng, y):
    for k in (2, 5, 10):
        assert not noted(y, folds(rng, 100, k))
        assert not noted(y, folds(rng, 100, k), index=rng.permutation(100))


@pytest.mark.parametrize(
    "outcomes",
    [
        np.repeat([1, 0], [100, 100]),
        np.tile([1, 0], 100),
        np.tile(np.repeat([1, 0], 10), 10),
        np.tile(np.repeat([1, 0, 1], [4, 10, 6]), 10),
        np.tile([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], 20),
    ],
    ids=["sorted", "pairs", "sorted in folds", "blocks in folds", "a short pattern"],
)
def test_regular_orders_are_not_noted(rng, outcomes):
    assert not noted(outcomes, np.repeat(np.arange(10), 20))
    assert not noted(outcomes, folds(rng, 200, 10))


def test_rows_numbered_anew_in_each_fold_are_not_noted(rng):
    outcomes = np.tile(np.repeat([1, 0], [8, 12]), 10)
    fold, row = np.repeat(np.arange(10), 20), np.tile(np.arange(20), 10)
    assert not noted(outcomes, fold, index=row)
    kept = np.sort(rng.permutation(200)[:180])  # some left out afterwards
    assert not noted(outcomes[kept], fold[kept], index=row[kept])


def test_an_index_of_other_things_is_not_noted(rng, y):
    fold = folds(rng, 100, 5)
    assert not noted(y, fold, index=np.where(y, "sick", "well"))
    assert not noted(y, fold, index=rng.integers(0, 4, 100))


def test_small_studies_are_not_noted(rng):
    for n in range(4, 41, 4):
        outcomes = np.tile(rng.permutation(np.arange(n // 2) % 2), 2)
        assert not noted(outcomes, np.arange(n) % 2)


def test_every_group_has_the_note_and_the_study_warns_once(rng, repeated):
    y, fold = repeated[0], np.concatenate([folds(rng, 100, 2) + 2 * r for r in range(3)])
    group = np.tile(np.arange(100) % 2, 3)
    study = rs.Study(y, {"a": np.arange(300), "b": -np.arange(300)}, fold=fold, group=group)
    with pytest.warns(
        rs.StatisticalWarning,
        match="repeated-cases: .* Pass the identifier of the case as cluster=",
    ):
        assert study.auc()["note"].str.contains(CODE).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="(below-chance|few-|pooled)")
        assert study.compare_auc()["note"].str.contains(CODE).all()
    # Bars of dependent curves allow for cases that are shared.
    with pytest.warns(rs.StatisticalWarning):
        bars = study.roc_average(independent=False, bars="percentile", confidence_level=0.5)
    assert not bars["note"].str.contains(CODE).any()


def test_several_classes_and_stacked_test_sets_are_noted(rng, repeated):
    fold = repeated[1]
    y = np.tile(rng.integers(0, 3, 100), 3)
    study = rs.MulticlassStudy(y, rng.random((300, 3)), fold=fold)
    with pytest.warns(rs.StatisticalWarning, match=CODE):
        assert study.auc()["note"].str.contains(CODE).all()
    one = rs.Study(repeated[0][:100], rng.random(100))
    with pytest.warns(rs.StatisticalWarning, match=CODE):
        rs.stack_test_sets([one, one]).auc()


def test_the_number_of_orders_is_that_of_all_orders_written_out():
    def kind(marks):
        return marks[0], sum(marks), sum(a != b for a, b in itertools.pairwise(marks))

    orders = list(itertools.product([False, True], repeat=9))
    alike = Counter(map(kind, orders))
    for marks in orders:
        lengths = [len(list(part)) for _, part in itertools.groupby(marks)]
        if math.gcd(*lengths) == 1:
            number = math.exp(_log_number_of_outcome_orders(np.array(marks)))
            assert number == pytest.approx(alike[kind(marks)], rel=1e-9)


@pytest.mark.parametrize("persistence", [0.2, 0.5, 0.8])
def test_the_chance_of_a_false_alarm_is_not_above_the_stated_one(rng, monkeypatch, persistence):
    # At a chance of .05 alarms can be counted; 12 outcomes in any order that depends on the last.
    monkeypatch.setattr(repeats, "_CHANCE", 0.05)
    changes = rng.random((4000, 12)) > persistence
    alarms = np.mean([cases_of_outcomes(row) is not None for row in np.cumsum(changes, axis=1) % 2])
    assert alarms <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 4000)


def test_outcomes_of_patients_count_by_patient():
    # Five rows a patient: 12 patients have far fewer orders than 60 rows.
    patients = np.array([1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0])
    assert cases_of_outcomes(np.tile(np.repeat(patients, 5), 2)) is None
    assert _log_number_of_outcome_orders(
        np.repeat(patients, 5) == 1
    ) == _log_number_of_outcome_orders(patients == 1)
