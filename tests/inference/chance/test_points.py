from __future__ import annotations

import re

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.two_by_two import (
    TwoByTwoTable,
    newcombe_rate_difference_limits,
    two_by_two_p_value,
)
from tests import examples
from tests.quick import each


@pytest.fixture
def printed():
    return rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)


def row_of(study, **arguments):
    return study.operating_points_versus_random(**arguments).iloc[0]


# docs/methods/chance.md, "Worked point"
def test_printed_point(printed):
    row = row_of(printed, threshold=1, alternative="greater")
    assert row["p_value"] == pytest.approx(0.0029461132, abs=5e-11)
    assert (row["fp"], row["tp"], row["n_pos"], row["n_neg"]) == (8, 14, 20, 30)
    assert (row["fpr"], row["tpr"]) == (8 / 30, 14 / 20)
    assert row["statistic"] == pytest.approx(3.0240737, abs=5e-8)
    assert np.isnan(row["df"])
    row = row_of(printed, threshold=1)
    assert row["p_value"] == pytest.approx(0.0037154181, abs=5e-11)
    assert row["estimate"] == pytest.approx(0.4333333, abs=5e-8)
    assert row["ci_low"] == pytest.approx(0.1512579, abs=5e-8)
    assert row["ci_high"] == pytest.approx(0.6319846, abs=5e-8)
    assert row["method"] == "fisher/newcombe-hybrid"


@pytest.mark.parametrize(
    ("method", "expected", "digits"), [("mid-p", 0.0016680296, 10), ("boschloo", 0.0014736, 7)]
)
def test_printed_sharper_tests(printed, method, expected, digits):
    row = row_of(printed, threshold=1, method=method, alternative="greater")
    assert row["p_value"] == pytest.approx(expected, abs=0.5 * 10.0**-digits)


def test_the_best_of_many(printed):
    row = row_of(printed, threshold=1, alternative="greater", n_candidates=10)
    assert row["p_value"] == pytest.approx(1 - (1 - 0.0029461132) ** 10, rel=1e-7)
    assert row["n_candidates"] == 10


def test_points_are_those_of_the_curve(three):
    thresholds = [0.58, 0.3]
    frame = three.operating_points_versus_random(threshold=thresholds)
    assert frame["predictor"].tolist() == ["d1", "d1", "d2", "d2", "d3", "d3"]
    for _, row in frame.iterrows():
        score = getattr(examples, row["predictor"].upper())
        tp = np.sum(score[:8] >= row["threshold"])
        fp = np.sum(score[8:] >= row["threshold"])
        assert (row["tp"], row["fp"]) == (tp, fp)
        table = TwoByTwoTable(tp, fp, 8, 10)
        assert row["p_value"] == two_by_two_p_value(table, "fisher", "two-sided")
        assert (row["ci_low"], row["ci_high"]) == newcombe_rate_difference_limits(
            table, 0.95, "two-sided"
        )


def test_each_predictor_has_its_thresholds(three):
    frame = three.operating_points_versus_random(threshold={"d2": [0.5, 0.6], "d1": 0.7})
    assert frame[["predictor", "threshold"]].to_numpy().tolist() == [
        ["d1", 0.7],
        ["d2", 0.5],
        ["d2", 0.6],
    ]


@pytest.mark.parametrize("higher", [True, False])
def test_the_infinite_threshold_is_beyond_every_score(higher):
    sign = 1 if higher else -1
    score = sign * np.array([np.inf, 1, 2, 0])
    study = rs.Study([1, 1, 0, 0], score, higher_is_positive=higher)
    frame = study.operating_points_versus_random(threshold=[sign * np.inf, -sign * np.inf])
    assert frame[["tp", "fp"]].to_numpy().tolist() == [[0, 0], [2, 2]]
    assert frame["p_value"].tolist() == [1, 1]


def test_folds_are_pooled_with_a_warning():
    study = rs.Study(examples.Y, examples.D1, fold=np.arange(18) % 2)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        row = row_of(study, threshold=0.5)
    assert row["note"] == "pooled-folds"


def refused(threshold, method="fisher", **roles):
    study = rs.Study(examples.Y, examples.D1, **roles)
    study.operating_points_versus_random(threshold=threshold, method=method)


MESSAGES = [
    (lambda: refused({"b": 1}), "`threshold` must name predictors; got ['b']"),
    (lambda: refused([]), "`threshold` must be a number, or a sequence of numbers"),
    (lambda: refused(1, cluster=np.arange(18) % 2), "`cluster` must not be in a study for tests"),
    (lambda: refused(1, sample_weight=examples.D1), "`sample_weight` must not be in a study"),
    (
        lambda: rs.Study.from_confusion(
            tp=900, fn=200, fp=300, tn=800
        ).operating_points_versus_random(threshold=1, method="boschloo"),
        "`method` must be 'fisher' or 'mid-p' with over 1_000_000 tables of the class sizes",
    ),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
