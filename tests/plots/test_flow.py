"""The flow of participants: its numbers are those of the data."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs


def words(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_the_boxes_have_the_counts_of_the_data():
    y = [1] * 20 + [0] * 30
    score = [5] * 14 + [1] * 6 + [5] * 8 + [1] * 19 + [np.nan] * 3
    study = rs.Study(y, score, predictor="test", nan_policy="omit", outcome="cancer")
    points = study.operating_points(threshold=5)
    assert words(rs.plot_flow(points)) == [
        "50 patients",
        "Left out: missing value\nn = 3",
        "Index test: test\nn = 47",
        "Reference\nstandard",
        "Positive (≥ 5)\nn = 22",
        "With\ncancer\nn = 14",
        "Without\ncancer\nn = 8",
        "Negative (< 5)\nn = 25",
        "With\ncancer\nn = 6",
        "Without\ncancer\nn = 19",
    ]


def test_a_yes_no_test_has_no_cutoff_and_low_values_the_other_side():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    shown = words(rs.plot_flow(study.operating_points(threshold=1), cases="women"))
    assert shown[0] == "50 women"
    assert "Positive\nn = 22" in shown
    low = rs.Study([1, 0] * 9, [1, 3] * 9, higher_is_positive=False)
    shown = words(rs.plot_flow(low.operating_points(threshold=2)))
    assert "Positive (≤ 2)\nn = 9" in shown
    assert "Negative (> 2)\nn = 9" in shown


def test_several_points_and_weights_are_refused():
    study = rs.Study([1, 0] * 9, {"a": [1, 3] * 9, "b": [3, 1] * 9})
    with pytest.raises(rs.InputError, match="`points` must be of one predictor"):
        rs.plot_flow(study.operating_points(threshold=2))
    points = study.operating_points(threshold=2).query("predictor == 'a'")
    with pytest.raises(rs.InputError, match="`points` must have whole numbers"):
        rs.plot_flow(points.assign(tp=4.5))
