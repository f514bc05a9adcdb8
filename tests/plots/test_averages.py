"""Averages and operating points on the ROC figure: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

import rocstats as rs
from rocstats.plots.axes import MARKERS, PALETTE


@pytest.fixture
def study(rng):
    y = np.tile(np.repeat([1, 0], [20, 30]), 3)
    scores = {name: rng.normal(size=150) + y for name in ("svm", "net")}
    return rs.Study(y, scores, fold=np.repeat([1, 2, 3], 50))


@pytest.fixture
def curve(study):
    return study.roc_curve(by="fold")


def segments(ax):
    """The bars as arrays of two ends, in the order drawn, and their colours."""
    found = []
    for collection in ax.collections:
        colour = to_hex(collection.get_edgecolor()[0])
        for segment in collection.get_segments():
            if len(segment) == 2 and not np.isnan(segment).any():
                found.append((colour, segment))
    return found


def rectangles(ax):
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


def thick(ax):
    return [line for line in ax.lines if line.get_linewidth() == 1.6]


def test_vertical_bars_stand_on_the_line_of_the_average(study, curve):
    average = study.roc_average(at=[0.5, 0.1, 1])
    for name, colour in zip(("svm", "net"), PALETTE, strict=False):
        rows = average[average["predictor"] == name].sort_values("fpr")
        ax = rs.plot_roc(curve, average=rows)
        (line,) = thick(ax)
        assert line.get_xdata().tolist() == [0.1, 0.5, 1]
        assert line.get_ydata().tolist() == rows["estimate"].tolist()
        bars = [s for c, s in segments(ax) if c == colour]
        assert [bar[0, 0] for bar in bars] == rows["fpr"].tolist()
        assert all(bar[0, 0] == bar[1, 0] for bar in bars)
        ends = np.array([bar[:, 1] for bar in bars])
        assert ends == pytest.approx(rows[["ci_low", "ci_high"]].to_numpy())


def test_several_averages_have_bands_and_no_folds(study, curve):
    average = study.roc_average(at=[0.5, 0.1, 1])
    ax = rs.plot_roc(curve, average=average)
    assert not [line for line in ax.lines if line.get_linewidth() == 0.7]
    edges = [line for line in ax.lines if line.get_linewidth() == 0.8][1:]  # the first is chance
    assert [handle.get_linewidth() for handle in ax.get_legend().get_lines()] == [1.6, 1.6]
    for i, name in enumerate(("svm", "net")):
        rows = average[average["predictor"] == name].sort_values("fpr")
        assert thick(ax)[i].get_ydata().tolist() == rows["estimate"].tolist()
        assert to_hex(ax.collections[i].get_facecolor()[0]) == PALETTE[i]
        for edge, column in zip(edges[2 * i :], ("ci_low", "ci_high"), strict=False):
            assert edge.get_xydata().tolist() == rows[["fpr", column]].to_numpy().tolist()
            assert edge.get_color() == PALETTE[i]


def test_bars_of_one_average_stand_at_their_rates(study, curve):
    ax = rs.plot_roc(curve, average=study.roc_average(at={"net": [0.2, 0.6]}))
    assert [bar[0, 0] for _, bar in segments(ax)] == [0.2, 0.6]


def test_fold_curves_are_thin_and_pale_under_the_average(study, curve):
    own = curve[curve["predictor"] == "svm"]
    ax = rs.plot_roc(own, average=study.roc_average().query("predictor == 'svm'"))
    pale = [line for line in ax.lines if line.get_linewidth() == 0.7]
    assert len(pale) == 3
    assert {line.get_alpha() for line in pale} == {0.35}
    assert max(line.get_zorder() for line in pale) < min(line.get_zorder() for line in thick(ax))
    alone = rs.plot_roc(curve)
    assert {line.get_alpha() for line in alone.lines if line.get_linewidth() == 0.7} == {1.0}


def test_the_difference_of_averages_is_drawn_with_its_limits(study):
    frame = study.roc_average_difference(at=[0.1, 0.5], rng=1, n_resamples=100)
    ax = rs.plot_roc_difference(frame)
    line = ax.lines[1]
    assert line.get_xydata().tolist() == frame[["fpr", "estimate"]].to_numpy().tolist()
    corners = ax.collections[0].get_paths()[0].vertices
    limits = frame[["ci_low", "ci_high"]].to_numpy()
    assert np.isin(limits.ravel(), corners[:, 1]).all()
    assert ax.get_title(loc="left").splitlines()[:2] == [
        "Above 0: svm better",
        "below 0: net better",
    ]
    apart = frame.assign(ci_low=0.1, estimate=0.2, ci_high=0.3)
    title = rs.plot_roc_difference(apart).get_title(loc="left")
    assert title.endswith("thick line: the limits exclude 0")


def test_threshold_averages_have_crosses(study, curve):
    average = study.roc_average("threshold", at={"net": [1.0, 0.2]})
    ax = rs.plot_roc(curve, average=average)
    fpr, tpr = (average[average["quantity"] == axis] for axis in ("fpr", "tpr"))
    (line,) = thick(ax)
    assert line.get_xdata().tolist() == fpr["estimate"].tolist()
    assert line.get_ydata().tolist() == tpr["estimate"].tolist()
    across = [s for _, s in segments(ax) if s[0, 1] == s[1, 1]]
    upright = [s for _, s in segments(ax) if s[0, 0] == s[1, 0]]
    assert np.array(across)[:, :, 0] == pytest.approx(fpr[["ci_low", "ci_high"]].to_numpy())
    assert np.array(upright)[:, :, 1] == pytest.approx(tpr[["ci_low", "ci_high"]].to_numpy())
    assert {colour for colour, _ in segments(ax)} == {PALETTE[1]}


def test_points_are_sorted_along_the_curve(study, curve):
    average = study.roc_average("threshold", at={"net": [0.2, 1.0, -0.4]})
    (line,) = thick(rs.plot_roc(curve, average=average))
    assert (np.diff(line.get_xdata()) >= 0).all()
    assert (np.diff(line.get_ydata()) >= 0).all()


@pytest.mark.parametrize("which", ["average", "points", "dkw"])
def test_joint_limits_are_rectangles(study, curve, which):
    if which == "average":
        frame = study.roc_average("threshold", at={"svm": [1.0, 0.2]}, joint=True)
    else:
        words = {"joint": True} if which == "points" else {"interval": "dkw"}
        frame = study.operating_points(threshold={"svm": [1.0, 0.2]}, **words)
    ax = rs.plot_roc(curve, **{"average" if which == "average" else "points": frame})
    fpr, tpr = (frame[frame["quantity"] == axis] for axis in ("fpr", "tpr"))
    boxes = [
        (box.get_x(), box.get_y(), box.get_width(), box.get_height()) for box in rectangles(ax)
    ]
    expected = np.column_stack(
        [
            fpr["ci_low"],
            tpr["ci_low"],
            fpr["ci_high"] - fpr["ci_low"],
            tpr["ci_high"] - tpr["ci_low"],
        ]
    )
    assert boxes == [pytest.approx(row) for row in expected]
    assert segments(ax) == []


def test_operating_points_are_markers_with_crosses(study):
    points = study.operating_points(threshold={"svm": 0.5, "net": [0.3, 0.9]})
    ax = rs.plot_roc(study.roc_curve(), points=points)
    markers = [line for line in ax.lines if line.get_linestyle() == "None"]
    markers = [line for line in markers if line.get_marker() in MARKERS]
    assert [len(line.get_xdata()) for line in markers] == [1, 2]
    fpr = points[(points["predictor"] == "svm") & (points["quantity"] == "fpr")].iloc[0]
    assert markers[0].get_xdata().tolist() == [fpr["estimate"]]
    assert markers[0].get_ydata().tolist() == [fpr["tpr"]]
    assert len(segments(ax)) == 6
    curve = next(line for line in ax.lines[1:] if line.get_color() == PALETTE[0])
    at = np.flatnonzero(curve.get_xdata() == fpr["estimate"])
    assert fpr["tpr"] in curve.get_ydata()[at]


def test_points_at_a_false_positive_rate_have_upright_bars_only(study):
    points = study.operating_points(fpr={"svm": [0.2, 0.5]}, rng=1)
    ax = rs.plot_roc(study.roc_curve(), points=points)
    bars = [segment for _, segment in segments(ax)]
    assert [bar[0, 0] for bar in bars] == [0.2, 0.5]
    rates = points[points["quantity"] == "tpr"]
    ends = np.array([bar[:, 1] for bar in bars])
    assert ends == pytest.approx(rates[["ci_low", "ci_high"]].to_numpy())


def test_points_without_limits_are_drawn_without_bars(study):
    weighted = rs.Study(study.is_positive, {"svm": study.scores[0]}, sample_weight=np.ones(150))
    points = weighted.operating_points(threshold=0.5, joint=True)
    ax = rs.plot_roc(weighted.roc_curve(), points=points)
    assert rectangles(ax) == []
    plain = weighted.operating_points(threshold=0.5)
    ax = rs.plot_roc(weighted.roc_curve(), points=plain)
    assert segments(ax) == []


def test_what_does_not_fit_the_curve(study, curve):
    average = study.roc_average("threshold", at=0.5)
    one = curve[curve["predictor"] == "svm"]
    with pytest.raises(rs.InputError, match=r"`average` must be of predictors .* got 'net'"):
        rs.plot_roc(one, average=average)
    with pytest.raises(rs.InputError, match="`average` must have rows of both rates at each thr"):
        rs.plot_roc(curve, average=average.iloc[1:])
    with pytest.raises(
        rs.InputError, match=r"`average` must have columns .* Pass study\.roc_average"
    ):
        rs.plot_roc(curve, average=study.auc())
