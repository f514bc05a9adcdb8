"""Convex hulls: what is drawn is compared, not pixels."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.plots.axes import OTHERS, PALETTE
from tests.plots.drawn import names_of
from tests.tables.hand_frames import curve_frame

INF = float("inf")
STEEP = [(0.0, 0.0), (0.0, 0.5), (0.5, 0.75), (1.0, 1.0)]
LATE = [(0.0, 0.0), (0.25, 0.25), (0.5, 1.0), (1.0, 1.0)]


def hull_frame(*rows):
    columns = ["hull", "predictor", "fpr", "tpr", "slope_low", "slope_high"]
    return pd.DataFrame(rows, columns=columns)


@pytest.fixture
def own():
    return hull_frame(
        ("steep", "steep", 0.0, 0.0, INF, INF),
        ("steep", "steep", 0.0, 0.5, 0.5, INF),
        ("steep", "steep", 1.0, 1.0, 0.0, 0.5),
        ("late", "late", 0.0, 0.0, 2.0, INF),
        ("late", "late", 0.5, 1.0, 0.0, 2.0),
        ("late", "late", 1.0, 1.0, 0.0, 0.0),
    )


@pytest.fixture
def joint():
    return hull_frame(
        ("all", "", 0.0, 0.0, INF, INF),
        ("all", "steep", 0.0, 0.5, 1.0, INF),
        ("all", "late", 0.5, 1.0, 0.0, 1.0),
        ("all", "", 1.0, 1.0, 0.0, 0.0),
    )


@pytest.fixture
def curve():
    return curve_frame([("steep", "", STEEP), ("late", "", LATE)])


def data_of(lines):
    return [list(zip(*line.get_data(), strict=True)) for line in lines]


def joined(ax):
    return [line for line in ax.lines[1:] if line.get_linestyle() != "None"]


def marked(ax):
    return [line for line in ax.lines if line.get_marker() != "None" and line.get_markersize() < 9]


def rings(ax):
    return [line for line in ax.lines if line.get_markersize() > 9]


def named(ax):
    """What is written of the best vertices, beside them or in the key."""
    key = ax.get_legend()
    words = [*ax.texts, *(key.get_texts() if key else [])]
    texts = {text.get_text().replace("\n", " ") for text in words}
    return {text for text in texts if text.startswith("best")}


def test_the_lines_are_the_hulls_with_their_vertices_marked(own):
    ax = rs.plot_hull(own)
    expected = [[(0, 0), (0, 0.5), (1, 1)], [(0, 0), (0.5, 1), (1, 1)]]
    assert data_of(joined(ax)) == expected
    assert data_of(marked(ax)) == expected
    assert ax.lines[0].get_xydata().tolist() == [[0, 0], [1, 1]]
    assert ax.get_xlim() == ax.get_ylim() == (0, 1)
    assert names_of(ax) == ["steep", "late"]
    # in black and white: dashes and marks
    assert len({line.get_marker() for line in marked(ax)}) == 2
    assert len({str(line._unscaled_dash_pattern) for line in joined(ax)}) == 2


def test_curves_are_thin_and_grey(own, curve):
    ax = rs.plot_hull(own, curve=curve)
    thin = [line for line in joined(ax) if line.get_linewidth() < 1]
    thick = [line for line in joined(ax) if line.get_linewidth() > 1]
    assert data_of(thin) == [STEEP, LATE]
    assert [line.get_color() for line in thin] == [OTHERS, OTHERS]
    assert [line.get_color() for line in thick] == list(PALETTE[:2])
    assert names_of(ax) == ["steep", "late"]


def test_the_hull_across_predictors_says_whose_vertices_are(joint, curve):
    ax = rs.plot_hull(joint, curve=curve)
    thick = [line for line in joined(ax) if line.get_linewidth() > 1]
    assert data_of(thick) == [[(0, 0), (0, 0.5), (0.5, 1), (1, 1)]]
    assert thick[0].get_color() not in PALETTE
    marks = marked(ax)
    assert dict(zip([mark.get_color() for mark in marks], data_of(marks), strict=True)) == {
        thick[0].get_color(): [(0, 0), (1, 1)],
        PALETTE[0]: [(0, 0.5)],
        PALETTE[1]: [(0.5, 1)],
    }
    assert names_of(ax) == ["all predictors", "steep", "late"]
    assert names_of(rs.plot_hull(joint)) == ["all predictors", "steep", "late"]


def test_iso_performance_lines_touch_the_hulls(own):
    ax = rs.plot_hull(own, slope=[1, 4])
    # both slopes are best at one vertex of the first hull, which has one ring
    assert [point for (point,) in data_of(rings(ax))] == [(0, 0.5), (0.5, 1), (0, 0)]
    touched = [(0, 0.5), (0, 0.5), (0.5, 1), (0, 0)]
    straight = [line for line in joined(ax) if line.get_linewidth() == 0.8]
    for line, (f, t), slope in zip(straight, touched, [1, 4, 1, 4], strict=True):
        x, y = line.get_data()
        assert (y[1] - y[0]) / (x[1] - x[0]) == pytest.approx(slope)
        assert y[0] + slope * (f - x[0]) == pytest.approx(t)
        assert min(x) >= 0
        assert max(y) <= 1 + 1e-12
        heights = own["tpr"] - slope * own["fpr"]
        assert (heights[own["hull"] == "steep"] <= 0.5).all()
    # Lines stay in the square: from its lower or left edge to its upper or right one.
    for start, end in (line.get_xydata() for line in straight):
        assert min(start) == pytest.approx(0)
        assert max(end) == pytest.approx(1)


def test_the_best_vertices_are_named(own):
    own = own.assign(direction="<=", threshold=[-INF, -3.0, 9.0, -INF, 0.25, 9.0])
    assert named(rs.plot_hull(own, slope=[1, 4])) == {
        "best at slopes 1, 4: steep ≤ −3",
        "best at slope 1: late ≤ 0.25",
        "best at slope 4: call nobody",
    }
    assert named(rs.plot_hull(own.iloc[:3], slope=0.1)) == {"best at slope 0.1: call everybody"}
    # frames without thresholds tell the predictor only
    bare = own.iloc[:3].drop(columns="threshold")
    assert named(rs.plot_hull(bare, slope=1)) == {"best at slope 1: steep"}


def test_slopes_of_costs_go_in_as_they_come():
    study = rs.Study([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    best = study.optimal_points(cost_fp=1, cost_fn=3)
    ax = rs.plot_hull(study.roc_hull(), curve=study.roc_curve(), slope=best["slope"])
    assert data_of(rings(ax)) == [[(best["fpr"][0], best["tpr"][0])]]


def test_groups_and_a_group_without_a_class():
    study = rs.Study(
        [1, 1, 0, 0, 1, 1], {"a": [3, 1, 1, 2, 0, 2], "b": [1, 2, 1, 2, 0, 3]}, group=list("uuuuvv")
    )
    for across in (None, "predictors"):
        ax = rs.plot_hull(study.roc_hull(across=across), curve=study.roc_curve(), slope=1)
        assert len(rings(ax)) == (2 if across is None else 1)
        assert len(named(ax)) == len(rings(ax))
        ax.figure.canvas.draw()
    assert names_of(rs.plot_hull(study.roc_hull()))[:2] == ["a, u", "b, u"]


def test_many_vertices_are_not_marked():
    x = np.linspace(0, 1, 101)
    rows = [("a", "a", f, np.sqrt(f), 1.0, 1.0) for f in x]
    assert marked(rs.plot_hull(hull_frame(*rows))) == []


def test_one_hull_needs_no_legend(own):
    assert rs.plot_hull(own[own["hull"] == "late"]).get_legend() is None


@pytest.mark.parametrize("slope", [0, -1, INF, float("nan"), [1, -2], "steep"])
def test_slopes_must_be_positive(own, slope):
    message = (
        f"`slope` must be a positive and finite number, or several; got {slope!r}."
        " Pass cost_fp (1 - prevalence) / (cost_fn prevalence)."
    )
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        rs.plot_hull(own, slope=slope)


def test_a_curve_must_have_the_predictors_of_the_hulls(own, curve):
    with pytest.raises(rs.InputError, match=r"`curve` must have the predictors .* none for 'late'"):
        rs.plot_hull(own, curve=curve[curve["predictor"] == "steep"])
