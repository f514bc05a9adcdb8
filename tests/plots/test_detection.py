"""The DET figure: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import norm

from rocstats.curves.roc import DET_CURVE
from rocstats.frame.make import make_frame
from rocstats.plots.detection import dense_error_rates_of_det_curve, plot_det

INF = float("inf")
STEPS = [(0.0, 1.0), (0.0, 0.6), (0.04, 0.6), (0.04, 0.1), (0.5, 0.1), (0.5, 0.0), (1.0, 0.0)]
TIES = [(0.0, 1.0), (0.1, 0.3), (0.6, 0.08), (1.0, 0.0)]


def det_frame(*curves):
    """Predictor, fold and the points (fpr, fnr) of each curve."""
    rows = [(p, f, *point) for p, f, points in curves for point in points]
    predictor, fold, fpr, fnr = (list(column) for column in zip(*rows, strict=True))
    columns = {
        "predictor": predictor,
        "fold": fold,
        "direction": [">="] * len(rows),
        "next_score": np.nan,
        "threshold": [INF if rate == 1 else -float(i) for i, rate in enumerate(fnr)],
        "fpr": fpr,
        "fnr": fnr,
        "fpr_deviate": norm.ppf(fpr),
        "fnr_deviate": norm.ppf(fnr),
        "fp": 100 * np.array(fpr),
        "tp": 50 * (1 - np.array(fnr)),
    }
    return make_frame(DET_CURVE, columns, grouped=False)


@pytest.fixture
def curve():
    return det_frame(("steps", "", STEPS), ("ties", "", TIES))


def curves_of(ax):
    """Lines but the first, which is chance."""
    return ax.lines[1:]


def ticks_of(ax):
    return [label.get_text() for label in ax.get_xticklabels()]


def words_of(ax):
    legend = ax.get_legend()
    texts = [*ax.texts, *(legend.get_texts() if legend else [])]
    return [text.get_text().strip() for text in texts]


def test_every_finite_point_of_the_frame_is_on_its_line(curve):
    ax = plot_det(curve)
    for line, (_, piece) in zip(curves_of(ax), curve.groupby("predictor", sort=False), strict=True):
        points = piece[["fpr_deviate", "fnr_deviate"]].to_numpy()
        finite = points[np.isfinite(points).all(axis=1)]
        drawn = {tuple(point) for point in line.get_xydata().round(9)}
        assert len(finite) > 1
        assert {tuple(point) for point in finite.round(9)} <= drawn


def test_lines_run_off_at_the_edge(curve):
    ax = plot_det(curve)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for line in curves_of(ax):
        x, y = line.get_data()
        assert np.isfinite(x).all()
        assert np.isfinite(y).all()
        assert (x[0] < left, y[0] > high) == (True, True)
        assert (x[-1] > right, y[-1] < low) == (True, True)
        assert line.get_clip_on()
    # the steps enter from the left at fnr 0.6, and leave downwards at fpr 0.5
    steps = curves_of(ax)[0].get_xydata()
    assert steps[steps[:, 0] < left][-1][1] == pytest.approx(norm.ppf(0.6))
    assert steps[steps[:, 1] < low][0][0] == pytest.approx(0, abs=1e-12)


def test_ties_are_straight_in_rates_not_in_deviates(curve):
    ties = curves_of(plot_det(curve))[1]
    fpr, fnr = norm.cdf(ties.get_data())
    inside = (fpr > 0.005) & (fnr > 0.005)
    expected = np.interp(fpr[inside], *zip(*TIES, strict=True))
    assert fnr[inside] == pytest.approx(expected, abs=1e-9)
    # points are dense enough on the scale that is drawn
    assert np.abs(np.diff(ties.get_xydata()[inside], axis=0)).max() < 0.05


def test_axes_are_deviates_in_percent(curve):
    ax = plot_det(curve)
    assert ticks_of(ax) == ["1%", "5%", "20%", "50%", "80%"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["5%", "20%", "50%", "80%"]
    percent = [float(text[:-1]) for text in ticks_of(ax)]
    assert ax.get_xticks() == pytest.approx(norm.ppf(np.array(percent) / 100))
    assert ax.get_aspect() == 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("False positive rate", "False negative rate")


def test_axes_hold_what_has_an_error_of_each_kind_behind_it(curve):
    """100 negatives and 50 positives: rates of 1% and 2% are one error."""
    ax = plot_det(curve)
    # ties: FPR .6 to 1 on the last segment, where FNR is .02 at .6 + .4 (.08 - .02) / .08 = .9;
    # FNR 1 to .3 on the first, where FPR is .01 at .93
    first, last = norm.ppf([0.01, 0.02]), norm.ppf([0.9, 0.93])
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    # room of 7% and 4%; the points of a line are less than 0.02 apart
    assert low == pytest.approx(first - 0.07 * (last - first), abs=0.02)
    assert high == pytest.approx(last + 0.04 * (last - first), abs=0.02)
    strips = [patch.get_window_extent() for patch in ax.patches]
    corners = ax.transData.inverted().transform([(strips[0].x1, strips[1].y1)])
    assert corners[0] == pytest.approx(norm.ppf([0.01, 0.02]))
    assert words_of(ax)[:2] == ["under one error"] * 2


def test_errors_that_are_not_counted_are_not_marked(curve):
    bare = plot_det(curve.drop(columns=["fp", "tp"]))
    # a weight of 0.1 is no error
    weighted = plot_det(curve.assign(fp=curve["fp"] / 10, tp=curve["tp"] / 10))
    for ax in (bare, weighted):
        assert not ax.patches
        assert words_of(ax) == ["steps", "ties"]


@pytest.mark.parametrize(
    ("rate", "ticks"),
    [
        # Of 100 negatives, 1% is one error; the last two rates are no errors of 100.
        (0.3, ["1%", "5%", "20%", "50%", "80%", "95%"]),
        (0.05, ["1%", "5%", "20%", "50%", "80%", "95%"]),
        (0.001, ["0.1%", "1%", "5%", "20%", "50%", "80%", "95%"]),
        (1e-9, ["0.001%", "0.01%", "0.1%", "1%", "5%", "20%", "50%", "80%", "95%"]),
    ],
)
def test_axes_reach_to_the_smallest_rate(rate, ticks):
    ax = plot_det(det_frame(("a", "", [(0.0, 1.0), (rate, 0.4), (1.0, 0.0)])))
    assert ticks_of(ax) == ticks


def test_a_perfect_predictor_has_axes_too():
    ax = plot_det(det_frame(("a", "", [(0.0, 1.0), (0.0, 0.0), (1.0, 0.0)])))
    assert ticks_of(ax) == ["5%", "20%", "50%", "80%", "95%"]


def test_chance_is_the_falling_diagonal(curve):
    ax = plot_det(curve)
    x, y = ax.lines[0].get_data()
    assert ax.lines[0].get_linestyle() == ":"
    assert list(x) == list(-y)
    reach = max(abs(end) for end in (*ax.get_xlim(), *ax.get_ylim()))
    assert x[0] <= -reach
    assert x[1] >= reach


def test_an_uninformative_predictor_lies_on_chance():
    (line,) = curves_of(plot_det(det_frame(("a", "", [(0.0, 1.0), (1.0, 0.0)]))))
    x, y = line.get_data()
    assert x == pytest.approx(-y)


def test_legend_and_folds(curve):
    ax = plot_det(curve)
    assert words_of(ax)[2:] == ["steps", "ties"]
    folds = det_frame(("a", "1", STEPS), ("a", "2", TIES))
    own = plot_det(folds, ax=Figure().subplots())
    assert [line.get_linewidth() for line in curves_of(own)] == [0.7, 0.7]
    assert own.get_legend() is None


def test_a_group_without_a_class_is_an_empty_line(curve):
    curve.loc[curve["predictor"] == "ties", "fnr"] = float("nan")
    full, empty = curves_of(plot_det(curve))
    assert np.isfinite(full.get_ydata()).all()
    assert np.isnan(empty.get_ydata()).all()


def test_dense_rates_lie_on_the_curve():
    fpr, fnr = dense_error_rates_of_det_curve(*np.array(TIES).T, high=2.0)
    assert fnr == pytest.approx(np.interp(fpr, *zip(*TIES, strict=True)))
    assert (np.diff(fpr) >= 0).all()
    assert set(np.array(TIES)[:, 0]) <= set(fpr)
