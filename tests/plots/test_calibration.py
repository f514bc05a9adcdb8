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


def test_several_predictors_are_named():
    ax = rs.plot_calibration(BOTH.calibration_curve(), labels={"a": "old model"})
    words = [text.get_text() for text in ax.texts]
    if ax.get_legend() is not None:
        words += [text.get_text() for text in ax.get_legend().get_texts()]
    assert {"old model", "b"} <= set(words)


def test_a_band_of_another_method_or_predictor_is_refused():
    curve = BOTH.calibration_curve()
    with pytest.raises(rs.InputError, match="of the method of the curve, 'spline'; got one of 'is"):
        rs.plot_calibration(curve, band=BOTH.calibration_band(method="isotonic", rng=1))
    other = rs.Study(OUTCOME, RISK, predictor="c").calibration_band()
    with pytest.raises(rs.InputError, match="`band` must"):
        rs.plot_calibration(curve, band=other)
