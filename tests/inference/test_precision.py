from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests import examples, oracles


def test_two_rows_a_predictor_without_interval_and_without_warning(three, recwarn):
    frame = three.average_precision()
    assert not recwarn.list
    assert frame["predictor"].tolist() == ["d1", "d1", "d2", "d2", "d3", "d3"]
    assert frame["quantity"].tolist() == ["average_precision", "pr_auc"] * 3
    assert frame[["se", "ci_low", "ci_high", "confidence_level"]].isna().all(axis=None)
    assert set(frame["method"]) == {"none/none"}
    assert set(frame["note"]) == {"no-interval"}
    assert set(frame["n_pos"]) == {8.0}
    assert set(frame["n_neg"]) == {10.0}
    for name, score in (("d1", examples.D1), ("d2", examples.D2), ("d3", examples.D3)):
        expected = oracles.average_precision(examples.Y, score), oracles.pr_area(examples.Y, score)
        found = frame.loc[frame["predictor"] == name, "estimate"].to_numpy()
        assert found == pytest.approx(expected)


def test_folds_are_averaged():
    fold = np.arange(18) % 2
    frame = rs.Study(examples.Y, examples.D1, fold=fold).average_precision()
    for row, area in enumerate((oracles.average_precision, oracles.pr_area)):
        parts = [area(examples.Y[fold == k], examples.D1[fold == k]) for k in (0, 1)]
        assert frame["estimate"][row] == pytest.approx(np.mean(parts))


def test_a_fold_that_lacks_a_class():
    study = rs.Study([1, 0, 1, 0], [4, 3, 2, 1], fold=[1, 1, 2, 3])
    with pytest.raises(rs.InputError, match=r"`fold` must leave both classes in every fold; got 1"):
        study.average_precision()


def test_groups_are_split_first(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", group="site")
    frame = study.average_precision()
    assert frame["group"].tolist() == ["x", "x", "y", "y"]
    part = patients[patients["site"] == "y"]
    y = part["outcome"] == "Poor"
    assert frame["estimate"][2] == pytest.approx(oracles.average_precision(y, part["a"]))
    assert frame["n_pos"].tolist() == [2, 2, 4, 4]


def test_a_group_that_lacks_a_class_has_rows_of_nan():
    study = rs.Study([1, 0, 1], [3, 1, 0], group=["u", "u", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class") as caught:
        frame = study.average_precision()
    assert len(caught) == 1
    assert frame["estimate"].isna().tolist() == [False, False, True, True]
    assert frame["note"].tolist() == ["no-interval"] * 2 + ["one-class; no-interval"] * 2
    assert frame["n_neg"].tolist() == [1, 1, 0, 0]


def test_a_class_without_weight_in_a_group():
    study = rs.Study([1, 0, 1, 0], [3, 1, 2, 0], group=list("uuvv"), sample_weight=[1.0, 1, 0, 1])
    frame = study.average_precision()
    assert frame["estimate"].isna().tolist() == [False, False, True, True]


def test_weights_give_estimates(patients):
    # whole weights are frequencies
    arguments = {"data": patients, "pos_label": "Poor"}
    weighted = rs.Study("outcome", "b", sample_weight="n", **arguments).average_precision()
    tabled = rs.Study("outcome", "b", frequency="n", **arguments).average_precision()
    assert weighted["estimate"].tolist() == tabled["estimate"].tolist()
    assert set(weighted["note"]) == {"no-interval"}
    assert weighted["n_pos"].tolist() == [6, 6]
    assert tabled["n_pos"].tolist() == [7, 7]


def test_clusters_change_nothing(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    clustered = rs.Study("outcome", ["a", "b"], cluster="patient", **arguments)
    plain = rs.Study("outcome", ["a", "b"], **arguments)
    pd.testing.assert_frame_equal(clustered.average_precision(), plain.average_precision())


def test_dropped_rows_are_told():
    study = rs.Study([1, 0, 1, 0], [4, 3, np.nan, 1], nan_policy="omit")
    assert study.average_precision()["note"].tolist() == ["no-interval; rows-dropped=1"] * 2


def test_the_order_of_tied_rows_does_not_matter(rng):
    y, score = np.repeat([1, 0], [9, 12]), rng.integers(0, 3, 21)
    first = rs.Study(y, score).average_precision()
    order = rng.permutation(21)
    second = rs.Study(y[order], score[order]).average_precision()
    assert first.equals(second)
