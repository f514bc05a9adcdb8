"""Cost curves and superiority: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

import rocstats as rs
from rocstats.plots.axes import PALETTE
from tests.tables.hand_frames import curve_frame, long_curve

POINTS = [(0.0, 0.0), (0.25, 0.75), (1.0, 1.0)]


@pytest.fixture
def cost():
    return pd.DataFrame(
        {
            "predictor": ["a"] * 4 + ["b"] * 3,
            "fold": "",
            "probability_cost": [0, 0.25, 0.75, 1, 0, 0.5, 1],
            "normalized_cost": [0, 0.25, 0.25, 0, 0, 0.5, 0],
        }
    )


@pytest.fixture
def superiority():
    return pd.DataFrame(
        {
            "predictor": ["", "b", "a", "b", ""],
            "cost_share_low": [0, 0.125, 0.25, 0.5, 0.875],
            "cost_share_high": [0.125, 0.25, 0.5, 0.875, 1],
        }
    )


def test_the_lines_are_the_envelopes_under_the_triangle(cost):
    ax = rs.plot_cost(cost)
    drawn = [list(zip(*line.get_data(), strict=True)) for line in ax.lines]
    assert drawn[0] == [(0, 0), (0.5, 0.5), (1, 0)]
    assert drawn[1:] == [
        [(0, 0), (0.25, 0.25), (0.75, 0.25), (1, 0)],
        [(0, 0), (0.5, 0.5), (1, 0)],
    ]
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 1), (0, 0.5))
    assert [text.get_text() for text in ax.texts] == ["call nobody", "call everybody", "a", "b"]
    assert len({str(line._unscaled_dash_pattern) for line in ax.lines[1:]}) == 2


def test_a_point_of_the_curve_is_a_line(cost):
    ax = rs.plot_cost(cost, curve=curve_frame([("a", "", POINTS)]))
    (lines,) = ax.collections
    # (f, t) is the line from (0, f) to (1, 1 - t)
    expected = [[[0, 0], [1, 1]], [[0, 0.25], [1, 0.25]], [[0, 1], [1, 0]]]
    assert [segment.tolist() for segment in lines.get_segments()] == expected
    # above the triangle, where calling nobody or everybody costs less, they are not seen
    clip, affine = lines.get_transformed_clip_path_and_affine()
    corners = ax.transData.inverted().transform(affine.transform(clip.vertices))
    assert corners[:3] == pytest.approx(np.array([[0, 0], [0.5, 0.5], [1, 0]]))
    assert ax.get_ylim() == (0, 0.5)


def test_the_lines_of_folds_and_of_long_curves(cost):
    folds = curve_frame([("a", "1", POINTS), ("a", "2", POINTS[::2])])
    ax = rs.plot_cost(cost, curve=folds)
    assert [len(lines.get_segments()) for lines in ax.collections] == [3, 2]
    curve = long_curve(10**5)
    ax = rs.plot_cost(cost.assign(predictor="score"), curve=curve)
    (lines,) = ax.collections
    ends = np.array([segment[:, 1] for segment in lines.get_segments()])
    assert len(ends) <= 40
    along = ends[:, 0] + 1 - ends[:, 1]
    assert (along[0], along[-1]) == (0, 2)
    assert np.diff(along).max() < 2 / 39 * 1.01
    known = {(f, 1 - t) for f, t in zip(curve["fpr"], curve["tpr"], strict=True)}
    assert {tuple(end) for end in ends.tolist()} <= known


def test_the_envelope_touches_the_drawn_lines():
    study = rs.Study([1, 1, 0, 1, 0, 0], {"a": [6, 5, 4, 3, 2, 1], "b": [1, 2, 3, 6, 5, 4]})
    ax = rs.plot_cost(study.cost_curve(), curve=study.roc_curve())
    x = np.linspace(0, 1, 101)
    for line, collection in zip(ax.lines[1:], ax.collections, strict=True):
        ends = np.array([segment[:, 1] for segment in collection.get_segments()])
        lowest = (ends[:, :1] * (1 - x) + ends[:, 1:] * x).min(axis=0)
        assert np.interp(x, *line.get_data()) == pytest.approx(lowest)


def pieces_of(ax):
    """Row, ends as cost shares, and colour of each piece of a strip; no colour of a tie."""
    pieces = []
    for bar in (bar for container in ax.containers for bar in container):
        ratios = np.array([bar.get_x(), bar.get_x() + bar.get_width()])
        row = round(bar.get_y() + bar.get_height() / 2)
        colour = "" if bar.get_hatch() else to_hex(bar.get_facecolor())
        pieces.append((row, *(ratios / (1 + ratios)).round(9), colour))
    return sorted(pieces)


def test_a_strip_has_the_ranges_from_1_20_to_20_1(superiority):
    ax = rs.plot_superiority(superiority)
    ends = round(1 / 21, 9), round(20 / 21, 9)
    assert pieces_of(ax) == [
        (0, ends[0], 0.125, ""),
        (0, 0.125, 0.25, PALETTE[0]),
        (0, 0.25, 0.5, PALETTE[1]),
        (0, 0.5, 0.875, PALETTE[0]),
        (0, 0.875, ends[1], ""),
    ]
    assert sorted(text.get_text() for text in ax.texts) == ["a", "b", "b", "tie", "tie"]
    assert ax.get_xlim() == (0.05, 20)
    assert ax.get_xticklabels()[1].get_text() == "1 : 5"
    assert ax.get_xlabel() == "Cost of a false positive : cost of a false negative"
    # cost shares beyond the ends have no piece
    far = superiority.assign(cost_share_low=[0, 0.01, 0.02, 0.03, 0.96])
    far["cost_share_high"] = [0.01, 0.02, 0.03, 0.96, 1]
    assert pieces_of(rs.plot_superiority(far)) == [(0, *ends, PALETTE[0])]


def test_names_are_inside_their_pieces_else_in_a_key(superiority):
    wide = "a name wider than its part"
    ax = rs.plot_superiority(superiority.replace({"predictor": {"a": wide}}))
    ax.figure.draw_without_rendering()
    bars = [bar.get_window_extent() for container in ax.containers for bar in container]
    for text in ax.texts:
        box = text.get_window_extent()
        assert any(bar.x0 < box.x0 and box.x1 < bar.x1 for bar in bars)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [wide]


def test_groups_have_strips_of_their_own(superiority):
    superiority["group"] = ["x", "x", "x", "y", "y"]
    lone = pd.DataFrame({"predictor": [""], "group": ["z"]})
    ax = rs.plot_superiority(pd.concat([superiority, lone], ignore_index=True))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x", "y"]
    assert ax.yaxis_inverted()
    # a predictor has one colour in all groups
    rows_and_colours = [(row, colour) for row, *_, colour in pieces_of(ax)]
    assert rows_and_colours == [
        (0, ""), (0, PALETTE[0]), (0, PALETTE[1]), (1, PALETTE[0]), (1, ""),
    ]  # fmt: skip


def test_curves_of_other_predictors_are_refused(cost):
    other = curve_frame([("other", "", POINTS)])
    with pytest.raises(rs.InputError, match=r"`curve` must be of predictors .*; got 'other'"):
        rs.plot_cost(cost, curve=other)


def test_differences_are_drawn_with_the_places_that_exclude_zero():
    frame = pd.DataFrame(
        {
            "predictor": "a",
            "reference": "b",
            "probability_cost": [0.0, 0.5, 1.0],
            "estimate": [0.0, -0.2, 0.0],
            "ci_low": [0.0, -0.3, 0.0],
            "ci_high": [0.0, -0.1, 0.0],
            "note": ["", "excludes-zero", ""],
        }
    )
    ax = rs.plot_cost_difference(frame)
    zero, line, differs = ax.lines
    assert list(zero.get_ydata()) == [0, 0]
    assert line.get_xydata().tolist() == [[0, 0], [0.5, -0.2], [1, 0]]
    np.testing.assert_array_equal(differs.get_ydata(), [np.nan, 0, np.nan])
    # below 0 the first costs less
    assert ax.get_title(loc="left").splitlines() == [
        "Above 0: b costs less", "below 0: a costs less", "thick line: the band excludes 0",
    ]  # fmt: skip
    assert ax.get_ylim() == pytest.approx((-0.3 - 0.015, 0.015))
    assert ax.get_xlabel() == "Weight of missed positives, PC(+)"
