"""Plots on axes of a user: any number of curves, keys, options of lines, styles, grids."""

from __future__ import annotations

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

import rocstats as rs
from rocstats.plots.axes import MORE_COLOURS, PALETTE
from tests.plots.drawn import names_of
from tests.tables.hand_frames import area_row, auc_frame

NAMES = ("logistic", "forest", "boosting", "bayes", "neighbours")


def study_of(names, n=60, seed=5):
    """Predictors of normal scores, the first one the best."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], n)
    shifts = np.linspace(2.0, 0.2, len(names))
    return rs.Study(
        y, {name: rng.normal(size=2 * n) + d * y for name, d in zip(names, shifts, strict=True)}
    )


@pytest.fixture(scope="module")
def five():
    return study_of(NAMES)


@pytest.fixture(scope="module")
def two():
    return study_of(NAMES[:2])


def axes(size=(4, 4), **more):
    return Figure(figsize=size, **more).subplots()


def curves_of(ax):
    """The lines of curves: all but dotted lines of chance."""
    return [line for line in ax.lines if line.get_linestyle() not in (":", "None")]


def look(line):
    """Colour and dashes of a line, as they are drawn."""
    return to_hex(line.get_color()), str(line._unscaled_dash_pattern)


def test_forty_curves_on_one_axes_are_distinct_lines():
    names = [f"m{i:02d}" for i in range(40)]
    ax = rs.plot_roc(study_of(names, n=15).roc_curve(), ax=axes(), legend=False)
    lines = curves_of(ax)
    assert len({look(line) for line in ax.lines[1:]}) == 40
    assert [line.get_color() for line in lines[:3]] == list(PALETTE[:3])
    assert [line.get_color() for line in ax.lines[1:11]] == [*PALETTE, *MORE_COLOURS]


def test_ten_colours_can_be_seen_on_white_and_told_apart():
    def contrast_with_white(colour):
        c = np.array(to_rgb(colour))
        linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        return 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05)

    every = [*PALETTE, *MORE_COLOURS]
    assert min(contrast_with_white(colour) for colour in every) >= 3
    pairs = combinations(np.array([to_rgb(colour) for colour in every]), 2)
    assert min(np.abs(a - b).max() for a, b in pairs) > 0.15


@pytest.mark.parametrize(
    ("layout", "legend"),
    [
        *[(None, legend) for legend in ("auto", "inside", "outside", "direct")],
        ("constrained", "outside"),
        ("constrained", "auto"),
        ("tight", "outside"),
    ],
)
def test_every_curve_is_named_within_the_place_of_the_axes(five, layout, legend):
    figure = Figure(figsize=(10.5, 7), layout=layout)
    ax = figure.subplots(2, 3)[0, 1]
    rs.plot_roc(five.roc_curve(), auc=five.auc(), legend=legend, ax=ax)
    figure.draw_without_rendering()
    written = [*(text.get_text() for text in ax.texts), *names_of(ax)]
    assert all(any(text.startswith(name) for text in written) for name in NAMES)
    place = ax.get_position(original=True).transformed(figure.transSubfigure)
    key = ax.get_legend()
    inside = ax.get_window_extent()
    if legend in ("inside", "direct"):
        assert key is None or inside.x0 <= key.get_window_extent().x0
        assert key is None or inside.y0 <= key.get_window_extent().y0
    if legend == "outside":
        box = key.get_window_extent()
        assert not box.overlaps(inside)
        assert box.y0 > place.y0 - 50  # no deeper than ticks and label would be
        assert box.x1 < place.x1 + 10
    for other in figure.axes:
        assert other is ax or not key or not key.get_window_extent().overlaps(other.bbox)


def test_a_narrow_key_is_at_the_right_and_the_axes_become_narrower(five):
    ax = axes((6, 3))
    before = ax.get_window_extent().frozen()
    rs.plot_lift(five.lift_curve(), legend="outside", ax=ax)
    ax.figure.draw_without_rendering()
    key, after = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert after.x1 < key.x0 < key.x1 <= before.x1
    assert (after.x0, after.y0, after.y1) == (before.x0, before.y0, before.y1)
    # another layout moves the place of the axes, and the key with it
    ax.figure.tight_layout()
    ax.figure.draw_without_rendering()
    assert ax.get_window_extent().x1 < ax.get_legend().get_window_extent().x0
    assert ax.get_legend().get_window_extent().x1 <= ax.figure.bbox.x1


def test_a_key_of_a_new_figure_that_is_outside_is_below_its_axes(two):
    ax = rs.plot_roc(two.roc_curve(), legend="outside")
    ax.figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0
    assert ax.figure.get_figwidth() * 25.4 == pytest.approx(85)


def test_no_names_are_written_where_none_are_wanted(two):
    ax = rs.plot_roc(two.roc_curve(), auc=two.auc(), legend=False, ax=axes())
    assert ax.get_legend() is None
    assert not [text for text in ax.texts if text.get_text()]


@pytest.mark.parametrize("legend", ["best", True, None, 0])
def test_another_place_of_names_is_refused_before_anything_is_drawn(two, legend):
    ax = axes()
    with pytest.raises(rs.InputError, match="`legend` must be"):
        rs.plot_roc(two.roc_curve(), legend=legend, ax=ax)
    assert not ax.lines


def test_options_are_for_the_line_of_a_predictor_or_for_all(two):
    one = {"forest": {"lw": 3, "c": "red", "zorder": 9}}
    lines = curves_of(rs.plot_roc(two.roc_curve(), line=one, ax=axes()))
    assert [line.get_linewidth() for line in lines] == [1.6, 3]
    assert [line.get_color() for line in lines] == [PALETTE[0], "red"]
    assert lines[1].get_zorder() == 9
    for plot, frame in ((rs.plot_det, two.det_curve()), (rs.plot_pr, two.pr_curve())):
        lines = curves_of(plot(frame, line={"linestyle": "--", "alpha": 0.5}, ax=axes()))
        assert [line.get_alpha() for line in lines] == [0.5, 0.5]
        assert {line.get_linestyle() for line in lines} == {"--"}


def test_options_of_a_line_hold_for_its_folds_and_labels(five):
    rng = np.random.default_rng(0)
    y = np.tile([1, 0], 30)
    folds = rs.Study(y, {"a": rng.normal(size=60) + y}, fold=np.repeat([1, 2], 30))
    curve = folds.roc_curve(by="fold")
    ax = rs.plot_roc(curve, line={"a": {"linewidth": 4}}, labels={"a": "A model"}, ax=axes())
    assert [line.get_linewidth() for line in curves_of(ax)] == [4, 4]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (3, "int"),
        ({"forest": {"penwidth": 2}}, "penwidth"),
        ({"linewidth": "thick"}, "thick"),
        ({"label": "x"}, "which `labels` sets"),
        ({"forest": {"lw": 1, "linewidth": 2}}, "linewidth"),
    ],
)
def test_what_is_no_option_of_a_line_is_refused(two, line, problem):
    ax = axes()
    with pytest.raises(rs.InputError, match=f"`line` must have options .*{problem}"):
        rs.plot_roc(two.roc_curve(), line=line, ax=ax)
    assert not ax.lines


def test_colours_can_be_of_a_map(five):
    lines = curves_of(rs.plot_roc(five.roc_curve(), colors="viridis", legend=False, ax=axes()))
    wanted = [mpl.colormaps["viridis"](place) for place in (0.0, 0.25, 0.5)]
    assert [to_hex(line.get_color()) for line in lines[:3]] == [to_hex(c) for c in wanted]
    ax = rs.plot_roc(five.roc_curve(), colors="tab10", legend=False, ax=axes())
    listed = [to_hex(line.get_color()) for line in ax.lines[1:]]
    assert listed == [to_hex(f"C{i}") for i in range(5)]
    with pytest.raises(rs.InputError, match=r"or the name of a colour map; got 'viridi'"):
        rs.plot_roc(five.roc_curve(), colors="viridi", ax=axes())


def test_a_second_study_on_the_same_axes_has_other_colours_and_one_key(two):
    other = study_of(("net", "svm"), seed=8)
    ax = axes()
    for study in (two, other):
        rs.plot_roc(study.roc_curve(), auc=study.auc(), ax=ax)
    lines = [line for line in ax.lines if line.get_linewidth() == 1.6]
    assert [line.get_color() for line in lines] == list(PALETTE)
    assert sorted(text.split()[0] for text in names_of(ax)) == sorted([*NAMES[:2], "net", "svm"])
    # the same predictors keep theirs
    rs.plot_roc(two.roc_curve(), legend=False, ax=ax)
    assert [line.get_color() for line in ax.lines[-2:]] == list(PALETTE[:2])


def test_dark_style_of_a_user_is_followed(two):
    with plt.style.context("dark_background"):
        cycle = mpl.rcParams["axes.prop_cycle"].by_key()["color"]
        ax = rs.plot_roc(two.roc_curve(), auc=two.auc(), ax=axes())
        new = rs.plot_roc(two.roc_curve())
        forest = rs.plot_forest(two.auc(), ax=axes())
    assert [to_hex(line.get_color()) for line in ax.lines[1:]] == cycle[:2]
    words = [ax.xaxis.label, *ax.get_legend().get_texts(), *ax.get_xticklabels()]
    assert {to_hex(text.get_color()) for text in words} == {"#ffffff"}
    assert min(to_rgb(ax.lines[0].get_color())) > 0.6
    assert to_hex(new.get_facecolor()) == to_hex(new.figure.get_facecolor()) == "#000000"
    assert all(min(to_rgb(text.get_color())) > 0.6 for text in forest.texts if text.get_text())


def test_own_colours_are_lightened_on_a_dark_ground_alone(two):
    with mpl.rc_context({"axes.facecolor": "#101418"}):
        ax = rs.plot_roc(two.roc_curve(), ax=axes())
    assert all(max(to_rgb(line.get_color())) > 0.35 for line in ax.lines)
    assert [to_hex(line.get_color()) for line in ax.lines[1:]] != list(PALETTE[:2])


def test_settings_of_a_user_go_first_and_others_stay_ours(two):
    settings = {
        "axes.grid": True, "font.size": 12, "axes.labelsize": "large", "legend.fontsize": 9,
        "xtick.labelsize": 11, "axes.spines.right": False, "lines.linewidth": 2.5,
        "axes.labelcolor": "red", "xtick.color": "green",
    }  # fmt: skip
    with mpl.rc_context(settings):
        ax = rs.plot_roc(two.roc_curve(), auc=two.auc(), ax=axes((8, 8)))
        new = rs.plot_roc(two.roc_curve())
    assert ax.xaxis.label.get_fontsize() == pytest.approx(14.4)
    assert [text.get_fontsize() for text in ax.get_legend().get_texts()] == [9, 9]
    assert {text.get_fontsize() for text in ax.get_xticklabels()} == {11}
    assert {text.get_color() for text in ax.get_xticklabels()} == {"green"}
    assert ax.xaxis.label.get_color() == "red"
    assert not ax.spines["right"].get_visible()
    assert ax.spines["top"].get_visible()
    assert {line.get_linewidth() for line in ax.lines[1:]} == {2.5}
    # a new figure has the sizes of its printed width
    assert new.xaxis.label.get_fontsize() == 8


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_a_forest_is_within_its_cell_of_a_grid(five, layout):
    figure = Figure(figsize=(10.5, 7), layout=layout)
    ax = figure.subplots(2, 3)[0, 1]
    rs.plot_forest(five.compare_auc(reference="logistic"), ax=ax)
    figure.draw_without_rendering()
    place = ax.get_position(original=True).transformed(figure.transSubfigure)
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert min(box.x0 for box in boxes) >= place.x0 - 1
    assert max(box.x1 for box in boxes) <= place.x1 + 1
    assert place.x0 < ax.get_window_extent().x0 + 1 < ax.get_window_extent().x1 < place.x1


def test_columns_of_a_forest_without_room_are_left_out():
    frame = auc_frame(area_row("a", 0.7, 0.6, 0.8), area_row("b", 0.8, 0.7, 0.9))
    heads = []
    for wide in (6, 2.85, 1.4):
        ax = rs.plot_forest(frame, ax=axes((wide, 2)))
        heads.append([text.get_text() for text in ax.texts if text.xy[1] == -1])
    assert heads == [["Estimate (95% CI)", "n"], ["Estimate (95% CI)"], [""]]


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_axes_may_be_in_a_subfigure(five, layout):
    figure = Figure(figsize=(10, 4), layout=layout)
    left, right = figure.subfigures(1, 2)
    rs.plot_roc(five.roc_curve(), auc=five.auc(), ax=left.subplots())
    ax = rs.plot_forest(five.auc(), ax=right.subplots())
    figure.draw_without_rendering()
    assert figure.get_size_inches().tolist() == [10, 4]
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert min(box.x0 for box in boxes) >= right.bbox.x0
    assert max(box.x1 for box in boxes) <= right.bbox.x1
