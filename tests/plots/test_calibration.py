"""Calibration curves are drawn as their frames say, with bands of their method."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs

RNG = np.random.default_rng(5)
RISK = RNG.uniform(0.02, 0.98, 300)
OUTCOME = (RNG.random(300) < RISK).astype(int)
BOTH = rs.Study(OUTCOME, {"a": RISK, "b": RISK**2})


@pytest.mark.parametrize("method", ["spline", "isotonic"])
def test_a_line_is_the_curve_and_the_area_its_band(method):
    study = rs.Study(OUTCOME, RISK)
    curve = study.calibration_curve(method=method, n_points=20)
    band = study.calibration_band(method=method, n_points=20, n_resamples=100, rng=1)
    ax = rs.plot_calibration(curve, band=band)
    diagonal, line = ax.lines
    np.testing.assert_array_equal(diagonal.get_xydata(), [[0, 0], [1, 1]])
    np.testing.assert_allclose(line.get_xdata()[[0, -1]], curve["risk"].iloc[[0, -1]])
    np.testing.assert_allclose(line.get_ydata()[[0, -1]], curve["estimate"].iloc[[0, -1]])
    corners = ax.collections[0].get_paths()[0].vertices
    assert corners[:, 1].max() == pytest.approx(band["ci_high"].max())
    assert corners[:, 1].min() == pytest.approx(band["ci_low"].min())
    assert ax.get_legend() is None


def test_bins_are_points_with_bars_beside_the_curve_or_alone():
    study = rs.Study(OUTCOME, RISK)
    bins = study.calibration_curve(method="bins", n_bins=5)
    beside = rs.plot_calibration(study.calibration_curve(n_points=20), bins=bins)
    alone = rs.plot_calibration(bins)
    for ax, number in ((beside, 1), (alone, 0)):
        points = ax.containers[0].lines[0].get_xydata()
        np.testing.assert_allclose(points, bins[["risk", "estimate"]])
        bars = np.array(ax.containers[0].lines[2][0].get_segments())[:, :, 1]
        np.testing.assert_allclose(bars, bins[["ci_low", "ci_high"]])
        assert sum(len(line.get_xdata()) == 20 for line in ax.lines) == number
    with pytest.raises(rs.InputError, match="`band` must be left out for bins"):
        rs.plot_calibration(bins, band=study.calibration_band())
    other = rs.Study(OUTCOME, RISK, predictor="c").calibration_curve(method="bins")
    with pytest.raises(rs.InputError, match="`bins` must be of predictors"):
        rs.plot_calibration(study.calibration_curve(), bins=other)


def test_a_curve_that_could_not_be_estimated_has_no_line():
    study = rs.Study(OUTCOME, {"forest": np.round(RISK, 1), "model": RISK})
    ax = rs.plot_calibration(study.calibration_curve(n_points=20))
    assert [len(line.get_xdata()) for line in ax.lines] == [2, 20]


def test_several_predictors_are_named():
    ax = rs.plot_calibration(BOTH.calibration_curve(), labels={"a": "old model"})
    words = [text.get_text() for text in ax.texts]
    if ax.get_legend() is not None:
        words += [text.get_text() for text in ax.get_legend().get_texts()]
    assert {"old model", "b"} <= set(words)


def test_a_band_of_another_method_or_predictor_is_refused():
    curve = BOTH.calibration_curve()
    with pytest.raises(
        rs.InputError, match="must have the method of the curve, 'spline'; got one of 'is"
    ):
        rs.plot_calibration(curve, band=BOTH.calibration_band(method="isotonic", rng=1))
    other = rs.Study(OUTCOME, RISK, predictor="c").calibration_band()
    with pytest.raises(rs.InputError, match="`band` must"):
        rs.plot_calibration(curve, band=other)


def test_risks_are_counted_below_the_curve():
    y = [1, 0, 1, 0, 0, 0] * 30
    risk = [0.91, 0.63, 0.63, 0.21, 0.21, 0.21] * 30
    study = rs.Study(y, risk, predictor="risk")
    ax = rs.plot_calibration(study.calibration_curve(), risks=study.roc_curve())
    bars = [bar for bar in ax.patches if bar.get_height()]
    height = {(round(bar.get_x(), 2), bar.get_height() > 0): abs(bar.get_height()) for bar in bars}
    # bins of .02: 30 events at .91 and at .63, 30 others at .63, 90 at .21
    assert set(height) == {(0.9, True), (0.62, True), (0.62, False), (0.2, False)}
    assert height[0.9, True] == pytest.approx(height[0.62, True])
    assert height[0.2, False] == pytest.approx(3 * height[0.62, False])
    # all are below the curve, and above the end of the axis
    low = ax.get_ylim()[0]
    assert all(low < bar.get_y() + min(bar.get_height(), 0) < 0 for bar in bars)
    assert all(bar.get_y() + bar.get_height() < 0 for bar in bars)
    with pytest.raises(rs.InputError, match="`risks`"):
        rs.plot_calibration(study.calibration_curve(), risks=study.auc())
