"""The look of all figures: colours by study, printed sizes, words that cover no data."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

import rocstats as rs
from rocstats.plots.axes import OTHERS, PALETTE, text_colour
from rocstats.plots.roc import roc_figure
from tests.plots.drawn import assert_words_are_on_the_figure_and_off_the_data, dense


def study_of(*shifts, n=60, **more):
    """Predictors a, b, ... of normal scores, shifted so far in the positives."""
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], n)
    scores = {
        name: rng.normal(size=2 * n) + d * y for name, d in zip("abcdef", shifts, strict=False)
    }
    return rs.Study(y, scores, **more)


@pytest.fixture(scope="module")
def three():
    return study_of(3.0, 1.4, 0.5)


def curves_of(ax):
    return [line for line in ax.lines if line.get_linewidth() == 1.6]


def contrast(colour):
    """Contrast with white: WCAG 2.1, relative luminance."""
    c = np.array(to_rgb(colour))
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05)


def test_lines_and_words_can_be_seen_on_white():
    # Graphical objects need a contrast of 3 (WCAG 2.1, criterion 1.4.11), text 4.5 (1.4.3).
    assert [round(contrast(colour), 1) for colour in PALETTE] == [15.5, 8.4, 4.8, 3.1]
    for colour in (*PALETTE, "yellow"):
        assert contrast(text_colour(colour)) >= 4.5


def test_a_predictor_has_its_colour_in_every_graph(three):
    curve = three.roc_curve()
    looks = {
        name: curves_of(rs.plot_roc(curve[curve["predictor"] == name]))[0].get_color()
        for name in "cab"
    }
    assert looks == dict(zip("abc", PALETTE, strict=False))
    assert [line.get_color() for line in curves_of(rs.plot_roc(curve))] == list(PALETTE[:3])
    (lift,) = curves_of(rs.plot_lift(three.lift_curve().query("predictor == 'b'")))
    assert lift.get_color() == PALETTE[1]
    # a frame that lost its attrs has only its own order
    bare = curve[curve["predictor"] == "c"].copy()
    bare.attrs = {}
    assert curves_of(rs.plot_roc(bare))[0].get_color() == PALETTE[0]


def test_a_group_has_its_colour_in_every_graph():
    study = study_of(2.0, group=np.tile(["u", "v"], 60))
    curve = study.roc_curve()
    (line,) = curves_of(rs.plot_roc(curve[curve["group"] == "v"]))
    assert line.get_color() == PALETTE[1]
    lines = curves_of(rs.plot_roc(curve, colors=["red", "green"]))
    assert [line.get_color() for line in lines] == ["red", "green"]


def test_colours_of_a_user_go_first(three):
    curve = three.roc_curve()
    by_name = rs.plot_roc(curve, colors={"b": "green", "elsewhere": "red"})
    assert [line.get_color() for line in curves_of(by_name)] == [PALETTE[0], "green", PALETTE[2]]
    in_order = rs.plot_roc(curve[curve["predictor"] != "a"], colors=["red", "green", "blue"])
    assert [line.get_color() for line in curves_of(in_order)] == ["green", "blue"]
    labelled = rs.plot_roc(curve, labels={"b": "Test B"}, colors={"b": "green"})
    assert curves_of(labelled)[1].get_color() == "green"


def test_labels_of_a_study_keep_its_colours_in_every_graph():
    study = study_of(1.0, 2.0, labels={"b": "Test B"})
    curve = study.det_curve()
    (line,) = curves_of(rs.plot_det(curve[curve["predictor"] == "b"]))
    assert line.get_color() == PALETTE[1]
    by_name = curves_of(rs.plot_det(curve, colors={"b": "green"}))
    assert [line.get_color() for line in by_name] == [PALETTE[0], "green"]


@pytest.mark.parametrize("colors", ["red", [], ["no colour"], {"a": "no colour"}, 3])
def test_what_is_no_colour_is_refused(three, colors):
    with pytest.raises(rs.InputError, match="`colors` must be colours of matplotlib"):
        rs.plot_roc(three.roc_curve(), colors=colors)


def test_what_is_no_axes_is_refused(three):
    axes = plt.subplots(1, 2)[1]
    points = three.operating_points(threshold=1, prevalence=[0.1, 0.3])
    for draw in (
        lambda: rs.plot_roc(three.roc_curve(), ax=axes),
        lambda: rs.plot_det(three.det_curve(), ax=axes),
        lambda: rs.plot_forest(three.auc(), ax=axes),
        lambda: rs.plot_predictive_values(points, ax=axes),
    ):
        with pytest.raises(rs.InputError, match="`ax` must be the axes of a graph; got ndarray"):
            draw()


def test_figures_have_printed_widths(three):
    curve = three.roc_curve()
    for width, millimetres in (("column", 85), ("page", 174), ("Page", 174)):
        figure = rs.plot_roc(curve, auc=three.auc(), width=width).figure
        assert figure.get_figwidth() * 25.4 == pytest.approx(millimetres)
        words = [text for text in figure.findobj(Text) if text.get_text()]
        assert min(text.get_fontsize() for text in words) == 7
        assert max(text.get_fontsize() for text in words) == 8
    with pytest.raises(rs.InputError, match="`width` must be"):
        rs.plot_roc(curve, width="wide")


def test_settings_of_matplotlib_are_left_alone(three):
    before = dict(mpl.rcParams)
    rs.plot_roc(three.roc_curve(), auc=three.auc(), points=three.operating_points(threshold=1.0))
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("ending", ["pdf", "svg", "png", "tiff"])
def test_figures_are_saved_in_each_format(three, tmp_path, ending):
    path = tmp_path / f"figure.{ending}"
    rs.plot_roc(three.roc_curve(), auc=three.auc()).figure.savefig(path, dpi=300)
    if ending in ("png", "tiff"):
        with Image.open(path) as image:
            assert abs(image.size[0] - 300 * 85 / 25.4) <= 1
    else:
        assert path.read_bytes()[:5] in (b"%PDF-", b"<?xml")


@pytest.mark.parametrize(
    "shifts", [(3.0, 1.4, 0.5), (0.1, 0.0), (-0.8,), (2.5, 0.2, -1.5, -3.0), (1.0, 1.02, 0.98)]
)
@pytest.mark.parametrize("areas", [True, False])
def test_words_cover_no_curve(shifts, areas):
    study = study_of(*shifts)
    ax = rs.plot_roc(study.roc_curve(), auc=study.auc() if areas else None)
    assert_words_are_on_the_figure_and_off_the_data(ax.figure)


def test_words_cover_no_band():
    study = study_of(1.0)
    band = study.roc_band("fixed-width", rng=1)
    assert_words_are_on_the_figure_and_off_the_data(
        rs.plot_roc(study.roc_curve(), auc=study.auc(), band=band).figure
    )
    wide = study_of(-0.5, n=15)
    ax = rs.plot_roc(wide.roc_curve(), auc=wide.auc(), band=wide.roc_band("fixed-width", rng=1))
    assert_words_are_on_the_figure_and_off_the_data(ax.figure)
    # no room inside: the key is below the axes, and the figure has grown for it
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0
    assert ax.figure.get_figheight() > ax.figure.get_figwidth()


def test_a_figure_of_a_user_keeps_its_size():
    study = study_of(-0.5)
    figure = Figure(figsize=(3, 3), layout="constrained")
    ax = rs.plot_roc(study.roc_curve(), auc=study.auc(), ax=figure.subplots())
    assert figure.get_size_inches().tolist() == [3, 3]
    assert_words_are_on_the_figure_and_off_the_data(ax.figure)


def test_names_are_next_to_their_own_curve():
    study = study_of(3.0, 0.8)
    ax = rs.plot_roc(study.roc_curve())
    assert ax.get_legend() is None
    ax.figure.draw_without_rendering()
    lines = [ax.transData.transform(line.get_xydata()) for line in curves_of(ax)]
    along = [dense(line) for line in lines]
    for own, text in enumerate(ax.texts):
        box = text.get_window_extent()
        beyond = [np.maximum(np.maximum(box.min - xy, xy - box.max), 0) for xy in along]
        distance = [np.hypot(*gap.T).min() for gap in beyond]
        assert np.argmin(distance) == own
        assert text.get_text() == "ab"[own]


def test_the_key_lists_the_highest_curve_first():
    study = study_of(0.3, 1.5, 0.9)
    ax = rs.plot_roc(study.roc_curve(), auc=study.auc())
    assert [text.get_text()[0] for text in ax.get_legend().get_texts()] == ["b", "c", "a"]


def test_five_curves_have_a_panel_each():
    study = study_of(2.0, 1.5, 1.0, 0.5, 0.0)
    curve = study.roc_curve()
    first = rs.plot_roc(curve, auc=study.auc())
    axes = first.figure.axes
    assert axes[0] is first
    assert [ax.get_title(loc="left")[0] for ax in axes] == list("abcde")
    for ax, (_, rows) in zip(axes, curve.groupby("predictor"), strict=True):
        (line,) = curves_of(ax)
        assert line.get_color() == PALETTE[0]
        np.testing.assert_array_equal(line.get_xydata(), rows[["fpr", "tpr"]])
        assert [line.get_color() for line in ax.lines].count(OTHERS) == 4
    assert first.figure.get_suptitle() == "Area under the curve (95% CI)"


def test_reports_and_the_command_draw_panels_too():
    study = study_of(2.0, 1.5, 1.0, 0.5, 0.0)
    curve, areas = study.roc_curve(), study.auc()
    axes = roc_figure(curve, auc=areas).axes
    assert plt.get_fignums() == []
    assert [ax.get_title(loc="left")[0] for ax in axes] == list("abcde")


def test_three_bands_have_a_panel_each(three):
    band = three.roc_band("fixed-width", rng=1)
    axes = rs.plot_roc(three.roc_curve(), band=band).figure.axes
    assert [len(ax.collections) for ax in axes] == [1, 1, 1]
    two = three.roc_curve().query("predictor != 'b'"), band.query("predictor != 'b'")
    (ax,) = rs.plot_roc(two[0], band=two[1]).figure.axes
    assert [filled.get_alpha() for filled in ax.collections] == [0.08, 0.08]


def test_a_cutpoint_is_a_ring_on_the_curve_with_its_corrected_rates():
    study = study_of(1.5)
    cut = study.cutpoints(rng=1, n_resamples=200)
    ax = rs.plot_roc(study.roc_curve(), points=cut)
    row = cut.iloc[0]
    (ring,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert ring.get_xydata().tolist() == [[row["fpr"], row["tpr"]]]
    assert ring.get_markerfacecolor() == "white"
    rates = cut.set_index("quantity")["estimate"]
    words = ax.texts[0].get_text().replace("\n", " ")
    side, _, of = words.partition(": ")
    assert side.startswith("≥ ")
    cutoff = side.removeprefix("≥ ")
    assert row["next_score"] < float(cutoff) <= row["threshold"]
    assert len(cutoff) <= 6  # 0.2658, not all digits
    assert of == (f"sensitivity {100 * rates['tpr']:.0f}%, specificity {100 * rates['tnr']:.0f}%")
    assert_words_are_on_the_figure_and_off_the_data(ax.figure)
    bars = [path.vertices for c in ax.collections for path in c.get_paths()]
    limits = cut.set_index("quantity")[["ci_low", "ci_high"]]
    assert bars[0][:, 0] == pytest.approx(1 - limits.loc["tnr"].to_numpy()[::-1])
    assert bars[0][:, 1] == pytest.approx([rates["tpr"]] * 2)
    assert bars[1][:, 1] == pytest.approx(limits.loc["tpr"].to_numpy())
    assert bars[1][:, 0] == pytest.approx([1 - rates["tnr"]] * 2)


def test_points_without_room_are_in_the_key_and_many_have_no_words(three):
    points = three.operating_points(threshold={"a": 1.0, "b": 0.5})
    ax = rs.plot_roc(three.roc_curve(), auc=three.auc(), points=points)
    texts = [*ax.texts, *ax.get_legend().get_texts()]
    assert sum("sensitivity" in text.get_text() for text in texts) == 2
    every = three.operating_points(threshold={"a": [0.0, 0.5, 1.0, 1.5, 2.0]})
    ax = rs.plot_roc(three.roc_curve(), points=every)
    assert not any("sensitivity" in text.get_text() for text in ax.texts)


@pytest.mark.parametrize("asked", [{"fpr_range": (0.05, 0.3)}, {"tpr_range": (0.7, 0.95)}])
def test_the_shaded_range_is_the_partial_area(asked):
    study = study_of(1.2)
    areas = study.auc(**asked)
    ax = rs.plot_roc(study.roc_curve(), auc=pd.concat([study.auc(), areas]))
    (filled,) = ax.collections
    x, y = filled.get_paths()[0].vertices.T
    area = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    partial = areas.set_index("quantity")["estimate"]["partial_auc"]
    assert area == pytest.approx(partial)
    axis, (low, high) = asked.popitem()
    text = ax.get_legend().get_texts()[0].get_text()
    assert text.endswith(f"{partial:.3f}" + text[text.rindex(" (") :])
    assert f"{axis[:3].upper()} {low:g} to {high:g}: " in text
    alone = rs.plot_roc(study.roc_curve(), auc=areas).get_legend().get_title().get_text()
    assert alone == f"Area for {axis[:3].upper()} {low:g} to {high:g} (95% CI)"


def test_an_undefined_curve_is_named_in_the_key():
    curve = study_of(2.0, 0.5).roc_curve()
    curve.loc[curve["predictor"] == "b", ["fpr", "tpr"]] = np.nan
    ax = rs.plot_roc(curve)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]


def test_a_missing_area_is_printed_in_the_key_as_in_tables():
    study = rs.Study([1, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], group=list("aaaabb"))
    ax = rs.plot_roc(study.roc_curve(), auc=study.auc())
    assert ax.get_legend().get_texts()[1].get_text() == "score, b NA"
