"""The figure of random classifiers: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocstats as rs


@pytest.fixture
def points(three):
    return three.random_points(n_points=30, rng=1)


def test_every_random_classifier_is_drawn_behind_curve_and_points(three, points):
    found = three.operating_points_versus_random(threshold=0.5)
    ax = rs.plot_random_points(points, curve=three.roc_curve(), found=found)
    (cloud,) = ax.collections
    np.testing.assert_array_equal(cloud.get_offsets(), points[["fpr", "tpr"]])
    assert cloud.get_zorder() < min(line.get_zorder() for line in ax.lines)
    marks = [line for line in ax.lines if line.get_linestyle() == "None"]
    curves = [line for line in ax.lines if line.get_linestyle() not in ("None", ":")]
    for curve, mark, row in zip(curves, marks, found.itertuples(), strict=True):
        assert mark.get_color() == curve.get_color()
        assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (row.fpr, row.tpr)
        assert mark.get_zorder() > curve.get_zorder()


def test_points_alone_are_named_by_the_legend(three, points):
    ax = rs.plot_random_points(points, found=three.operating_points_versus_random(threshold=0.5))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["d1", "d2", "d3"]


def test_points_of_groups_keep_to_the_colours_of_their_curves(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", group="site")
    found = study.operating_points_versus_random(threshold=3)
    ax = rs.plot_random_points(
        study.random_points(n_points=9, rng=1), curve=study.roc_curve(), found=found
    )
    assert len(ax.collections[0].get_offsets()) == 18
    mark, other, _, first, second = ax.lines
    assert [mark.get_color(), other.get_color()] == [first.get_color(), second.get_color()]


def test_the_cloud_alone_has_no_key(points):
    ax = rs.plot_random_points(points, ax=Figure().subplots())
    assert ax.get_legend() is None
    assert len(ax.lines) == 1  # chance


def test_the_band_of_numbers_flagged_is_drawn_between_its_ends(three):
    band = three.random_band(at="flagged")
    ax = rs.plot_roc(three.roc_curve(), null_band=band)
    vertices = ax.collections[0].get_paths()[0].vertices
    first = band[band["predictor"] == "d1"]
    for ends in (("fpr_low", "tpr_high"), ("fpr_high", "tpr_low")):
        for point in first[list(ends)].to_numpy():
            assert np.min(np.abs(vertices - point).sum(axis=1)) < 1e-12
