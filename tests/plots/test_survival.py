"""Graphs of survival studies draw what their frames say."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocstats as rs
from tests.inference.survival.studies import EVENT, TIME, forty

STUDY = forty(labels={"s1": "First"}, higher_is_positive={"s1": True, "s2": False})


def words_of(ax):
    legend = [] if ax.get_legend() is None else ax.get_legend().get_texts()
    return [text.get_text() for text in (*ax.texts, *legend)]


def test_a_panel_has_the_curves_of_its_time_with_their_areas():
    curve, auc = STUDY.roc_curve(time=[8, 14]), STUDY.auc(time=[8, 14])
    first = rs.plot_survival_roc(curve, auc=auc, width="page")
    panels = first.figure.axes
    assert [ax.get_title(loc="left") for ax in panels] == ["At 8", "At 14"]
    for ax, time in zip(panels, (8, 14), strict=True):
        _, *lines = ax.lines  # the first is chance
        for line, (name, piece) in zip(lines, curve[curve["time"] == time].groupby("predictor"),
                                       strict=True):  # fmt: skip
            vertices = set(map(tuple, piece[["fpr", "tpr"]].to_numpy()))
            assert set(map(tuple, line.get_xydata())) == vertices
            row = auc[(auc["predictor"] == name) & (auc["time"] == time)].iloc[0]
            shown = f"{'First' if name == 's1' else name} {row['estimate']:.3f}"
            assert any(text.startswith(shown) for text in words_of(ax))
    alone = rs.plot_survival_roc(STUDY.roc_curve(time=8), colors={"s2": "red"})
    assert alone.lines[2].get_color() == "red"
    _, ax = plt.subplots()
    with pytest.raises(
        rs.InputError, match="`curve` must have a single time if `ax` is passed; got 2"
    ):
        rs.plot_survival_roc(curve, ax=ax)
    with pytest.raises(rs.InputError, match="`auc` must have rows"):
        rs.plot_survival_roc(curve, auc=STUDY.auc(time=8))


def test_limits_over_time_are_a_band_if_they_hold_together_else_bars():
    band = STUDY.auc_band(time=[4, 8, 14])
    ax = rs.plot_auc_over_time(band)
    mine = band[band["predictor"] == "s1"]
    corners = ax.collections[0].get_paths()[0].vertices
    assert corners[:, 1].max() == pytest.approx(mine["ci_high"].max())
    assert corners[:, 1].min() == pytest.approx(mine["ci_low"].min())
    assert {"First", "s2"} <= set(words_of(ax))
    assert ax.get_ylim()[0] < band["ci_low"].min()
    bars = rs.plot_auc_over_time(STUDY.auc(time=[8, 14]))
    ends = np.concatenate([path.vertices for path in bars.collections[0].get_paths()])
    first = STUDY.auc(time=[8, 14]).query("predictor == 's1'")
    np.testing.assert_allclose(
        np.sort(ends[:, 1]), np.sort(first[["ci_low", "ci_high"]], axis=None)
    )
    with pytest.raises(rs.InputError, match="`frame` must hold areas; got differences"):
        rs.plot_auc_over_time(STUDY.compare_auc(time=[8, 14]))


def test_scores_have_the_shares_of_each_status():
    curve = STUDY.roc_curve(time=14)
    ax = rs.plot_survival_scores(curve[curve["predictor"] == "s2"])
    heights = np.array([bar.get_height() for bar in ax.patches])
    assert heights[heights > 0].sum() == pytest.approx(1)
    assert heights[heights < 0].sum() == pytest.approx(-1)
    n = curve[["tp", "fp"]].iloc[-1].round().astype(int)
    censored = np.sum((EVENT == 0) & (TIME <= 14))
    assert words_of(ax) == [
        f"about {n['tp']} with the event by 14", f"about {n['fp']} without",
        f"dotted: {censored} censored",
    ]  # fmt: skip
    assert ax.get_xlabel() == "s2 (low is positive)"
    # The outline of the censored, on both sides: 1 under each.
    up, down = (line.get_ydata() for line in ax.lines[:2])
    assert up[1:-1:2].sum() == pytest.approx(1)
    np.testing.assert_array_equal(up, -down)
    with pytest.raises(rs.InputError, match="`curve` must be a curve of one predictor"):
        rs.plot_survival_scores(curve)
    late = STUDY.roc_curve(time=40)
    with pytest.raises(rs.InputError, match="`curve` must have cases and controls; got none at"):
        rs.plot_survival_scores(late[late["predictor"] == "s1"])
