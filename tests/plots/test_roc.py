"""The ROC figure: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from rocstats.errors import InputError
from rocstats.plots.axes import KEY_LINE, PALETTE
from rocstats.plots.costs import plot_cost
from rocstats.plots.lines import visible_points
from rocstats.plots.roc import plot_roc, roc_figure
from tests.plots.drawn import names_of
from tests.tables.hand_frames import NAN, area_row, auc_frame, curve_frame, long_curve

WFNS = [(0.0, 0.0), (0.0, 0.4), (0.25, 0.8), (1.0, 1.0)]
NDKA = [(0.0, 0.0), (0.5, 0.5), (0.5, 0.75), (1.0, 1.0)]


@pytest.fixture
def curve():
    return curve_frame([("wfns", "", WFNS), ("ndka", "", NDKA)])


@pytest.fixture
def areas():
    return auc_frame(
        area_row("wfns", 0.8231, 0.7489, 0.8957), area_row("ndka", 0.6120, 0.5011, 0.7125)
    )


def curves_of(ax):
    """Lines but the first, which is chance."""
    return ax.lines[1:]


def luminance(color):
    return float(np.dot(to_rgb(color), (0.299, 0.587, 0.114)))


def test_the_lines_are_the_curves(curve):
    ax = plot_roc(curve)
    drawn = [list(zip(*line.get_data(), strict=True)) for line in curves_of(ax)]
    assert drawn == [WFNS, NDKA]
    assert ax.lines[0].get_xydata().tolist() == [[0, 0], [1, 1]]


def test_the_axes_are_the_unit_square_with_words(curve):
    ax = plot_roc(curve)
    assert ax.get_xlim() == ax.get_ylim() == (0, 1)
    assert ax.get_aspect() == 1
    # Half of a line along an axis would be cut away.
    assert not any(line.get_clip_on() for line in curves_of(ax))
    assert ax.get_xlabel() == "False positive rate (1 − specificity)"
    assert ax.get_ylabel() == "True positive rate (sensitivity)"


def test_the_legend_gives_areas_in_print(curve, areas):
    ax = plot_roc(curve, auc=areas)
    assert names_of(ax) == [
        "wfns 0.823 (0.749-0.896)",
        "ndka 0.612 (0.501-0.713)",
    ]
    assert ax.get_legend().get_title().get_text() == "Area under the curve (95% CI)"
    handles = ax.get_legend().get_lines()
    assert [h.get_color() for h in handles] == [line.get_color() for line in curves_of(ax)]


def test_the_legend_follows_the_curves_not_the_order_of_areas(curve, areas):
    ax = plot_roc(curve, auc=areas.iloc[::-1])
    assert [label.split()[0] for label in names_of(ax)] == ["wfns", "ndka"]


def test_the_style_of_the_legend(curve, areas):
    (ax,) = roc_figure(curve, auc=areas, style="radiology").axes
    assert names_of(ax)[0] == "wfns 0.82 (0.75, 0.90)"


def test_one_curve_needs_no_legend(curve):
    ax = plot_roc(curve[curve["predictor"] == "wfns"])
    assert ax.get_legend() is None
    assert not ax.texts
    assert names_of(plot_roc(curve)) == ["wfns", "ndka"]


def test_an_area_without_interval(curve, areas):
    areas[["ci_low", "ci_high"]] = NAN
    assert names_of(plot_roc(curve, auc=areas))[0] == "wfns 0.823 (NA)"


def test_lines_differ_in_print_without_colour():
    names = [f"p{i}" for i in range(16)]
    share = pd.DataFrame({"probability_cost": [0.0, 0.5, 1.0], "normalized_cost": [0, 0.2, 0]})
    ax = plot_cost(pd.concat([share.assign(predictor=name, fold="") for name in names]))
    looks = {
        (line.get_color(), line.get_linestyle(), str(line._unscaled_dash_pattern))
        for line in curves_of(ax)
    }
    assert len(looks) == 16
    greys = [luminance(color) for color in PALETTE]
    assert min(np.diff(greys)) > 0.1
    assert greys[-1] < 0.7


def test_folds_are_thin_and_share_the_look_of_their_predictor(areas):
    curve = curve_frame(
        [
            ("wfns", "1", WFNS),
            ("wfns", "2", NDKA),
            ("wfns", "", WFNS),
            ("ndka", "1", NDKA),
            ("ndka", "2", WFNS),
        ]
    )
    ax = plot_roc(curve, auc=areas)
    lines = curves_of(ax)
    assert [line.get_linewidth() for line in lines] == [0.7, 0.7, 1.6, 0.7, 0.7]
    assert len({line.get_color() for line in lines[:3]}) == 1
    assert lines[0].get_color() != lines[3].get_color()
    assert lines[0].get_zorder() < lines[2].get_zorder()
    assert [label.split()[0] for label in names_of(ax)] == ["wfns", "ndka"]
    assert [h.get_linewidth() for h in ax.get_legend().get_lines()] == [1.6, 0.7]


def test_groups_have_lines_and_areas_of_their_own(curve):
    curve["group"] = np.where(curve["predictor"] == "wfns", "Basel", "Örebro")
    curve["predictor"] = "score"
    areas = auc_frame(
        area_row("score", 0.6, 0.5, 0.7, group="Örebro"),
        area_row("score", 0.8, 0.7, 0.9, group="Basel"),
    )
    ax = plot_roc(curve, auc=areas)
    assert names_of(ax) == [
        "score, Basel 0.800 (0.700-0.900)",
        "score, Örebro 0.600 (0.500-0.700)",
    ]
    assert curves_of(ax)[0].get_xydata().tolist() == [list(point) for point in WFNS]


def test_the_band_is_filled_in_the_colour_of_its_predictor(curve):
    band = pd.DataFrame(
        {
            "predictor": "ndka",
            "fpr": [0.0, 0.5, 1.0],
            "tpr": [0.0, 0.6, 1.0],
            "tpr_low": [0.0, 0.4, 0.9],
            "tpr_high": [0.2, 0.8, 1.0],
        }
    )
    ax = plot_roc(curve, band=band)
    (filled,) = ax.collections
    corners = {tuple(point) for point in filled.get_paths()[0].vertices.round(9)}
    assert corners == {(0.0, 0.0), (0.0, 0.2), (0.5, 0.4), (0.5, 0.8), (1.0, 0.9), (1.0, 1.0)}
    assert tuple(filled.get_facecolor()[0]) == (*to_rgb(curves_of(ax)[1].get_color()), 0.14)


def test_long_names_leave_room_for_the_curves():
    name = "marker_" * 30 + "17"
    ax = plot_roc(curve_frame([(name, "", WFNS)]), auc=auc_frame(area_row(name, 0.8, 0.7, 0.9)))
    first, second = names_of(ax)[0].split("\n")
    assert len(first) == KEY_LINE
    assert first.startswith("marker_marker_")
    assert first.endswith("_17")
    assert second == "0.800 (0.700-0.900)"


def test_a_million_rows_are_thinned_without_moving_the_line():
    curve = long_curve(10**6)
    (line,) = curves_of(plot_roc(curve))
    x, y = line.get_data()
    assert len(x) < 8004
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    # A rising line is a function of u = x + y; where it moves by d in v = y - x, no coordinate
    # moves by more than d / 2.
    u, v = curve["fpr"] + curve["tpr"], curve["tpr"] - curve["fpr"]
    moved = np.abs(np.interp(u, x + y, y - x) - v) / 2
    assert moved.max() <= 1 / 2000
    assert moved.max() > 0


def test_the_line_stays_where_steps_are_as_wide_as_cells():
    # 700 steps of 1000 points each: a thinned line that cut their corners would move by 1/1400.
    t = np.arange(700_001) / 1000
    up = np.minimum(t % 1, 0.5) * 2
    x, y = (np.floor(t) + 2 * (t % 1) - up) / 700, (np.floor(t) + up) / 700
    kept_x, kept_y = visible_points(x, y)
    moved = np.abs(np.interp(x + y, kept_x + kept_y, kept_y - kept_x) - (y - x)) / 2
    assert moved.max() <= 1 / 2000


def test_long_segments_are_kept_exactly():
    x = np.array([0.0, 0.0001, 0.0002, 0.0003, 0.0003, 1.0])
    y = np.array([0.0, 0.0, 0.0, 0.0, 0.5, 1.0])
    kept = list(zip(*visible_points(x, y), strict=True))
    assert kept == [(0, 0), (0.0003, 0), (0.0003, 0.5), (1, 1)]


def test_short_curves_are_kept_whole():
    x, y = visible_points(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]))
    assert (x.tolist(), y.tolist()) == ([0, 0, 1], [0, 0.5, 1])


def test_areas_and_bands_of_another_study(curve, areas):
    with pytest.raises(InputError, match=r"`auc` must have one full area .*; got 0 for 'ndka'"):
        plot_roc(curve, auc=areas.iloc[:1])
    with pytest.raises(InputError, match=r"got 2 for 'wfns'"):
        plot_roc(curve, auc=pd.concat([areas, areas]))
    band = pd.DataFrame({"predictor": ["other"], "fpr": 0.5, "tpr_low": 0.4, "tpr_high": 0.6})
    with pytest.raises(InputError, match=r"`band` must be of predictors .*; got 'other'"):
        plot_roc(curve, band=band)


def fit_frame(*names):
    x = np.linspace(0, 1, 21)
    pieces = [pd.DataFrame({"predictor": name, "fpr": x, "tpr": x ** (i / 4)}) for i, name in names]
    return pd.concat(pieces, ignore_index=True)


def test_fits_are_thin_lines_in_the_colours_of_their_curves(curve):
    fit = fit_frame((1, "ndka"), (2, "wfns"))
    ax = plot_roc(curve, fit=fit)
    wfns, ndka, first, second = curves_of(ax)
    assert [first.get_color(), second.get_color()] == [ndka.get_color(), wfns.get_color()]
    for line, (name, piece) in zip(
        (first, second), fit.groupby("predictor", sort=False), strict=True
    ):
        np.testing.assert_array_equal(line.get_xydata(), piece[["fpr", "tpr"]], err_msg=name)
        assert line.get_linewidth() < wfns.get_linewidth()
        assert line.get_zorder() < wfns.get_zorder()
    assert names_of(ax) == ["wfns", "ndka"]


def test_a_fit_of_another_study_is_refused(curve):
    with pytest.raises(
        InputError, match=r"^`fit` must be of predictors \(and groups\) in `curve`; got 's100b'"
    ):
        plot_roc(curve, fit=fit_frame((1, "s100b")))
    with pytest.raises(InputError, match=r"^`fit` must have rows; got 0\. Pass study\.binormal_c"):
        plot_roc(curve, fit=fit_frame((1, "wfns")).iloc[:0])
