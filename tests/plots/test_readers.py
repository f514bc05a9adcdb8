"""Figures of reader studies: what is drawn is compared, not pixels."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import rocstats as rs
from rocstats.plots.axes import CURVE, PALETTE, THIN
from tests.plots.drawn import names_of
from tests.tables import hand_readers as hand

LABELS = {"plain": "CT alone", "aided": "CT with AI"}


def machine(name="AI"):
    """The frame of ``roc_curve()`` of a study of a machine's scores."""
    x = np.array([0, 0.2, 1])
    return pd.DataFrame({"predictor": name, "fold": "", "fpr": x, "tpr": x**0.1})


def curves_of(ax):
    return [line for line in ax.lines if line.get_linestyle() not in (":", "None")]


def inside(figure):
    """The words of a figure that reach beyond it, by more than rounding."""
    width, height = figure.get_size_inches() * figure.dpi
    figure.draw_without_rendering()
    words = [t for ax in figure.axes for t in (*ax.texts, *ax.get_yticklabels()) if t.get_text()]
    words += figure.texts
    boxes = {word.get_text(): word.get_window_extent() for word in words}
    return [
        text
        for text, box in boxes.items()
        if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]


def test_readers_are_thin_and_averages_thick():
    ax = rs.plot_readers(hand.curves(), labels=LABELS)
    lines = curves_of(ax)
    assert [line.get_linewidth() for line in lines] == [*[THIN] * 4, CURVE] * 2
    assert [line.get_color() for line in lines] == [PALETTE[0]] * 5 + [PALETTE[1]] * 5
    average = hand.curves().query("modality == 'aided' and reader == 'all'")
    assert lines[-1].get_ydata().tolist() == average["tpr"].tolist()
    names = {text.get_text() for text in ax.texts} or set(names_of(ax))
    assert names == {"CT alone", "CT with AI"}
    assert len(ax.figure.axes) == 1


def test_areas_are_in_the_key_and_beside_it_reader_by_reader():
    ax = rs.plot_readers(
        hand.curves(), auc=hand.areas(), comparison=hand.comparison(), labels=LABELS
    )
    assert names_of(ax) == ["CT with AI 0.906 (0.779-0.964)", "CT alone 0.880 (0.766-0.942)"]
    assert ax.get_legend().get_title().get_text() == "Average area under the curve (95% CI)"
    _, dots = ax.figure.axes
    rows = [label.get_text() for label in dots.get_yticklabels()]
    assert rows == ["Reader 1", "Reader 2", "Reader 3", "Reader 4", "Average"]
    first, second = (
        line for line in dots.lines if line.get_linestyle() == "None" and len(line.get_xdata()) == 4
    )
    assert tuple(first.get_xdata()) == hand.AREAS["plain"]
    assert tuple(second.get_xdata()) == hand.AREAS["aided"]
    assert first.get_marker() != second.get_marker()
    assert [list(line.get_ydata()) for line in (first, second)] == [[0, 1, 2, 3]] * 2
    words = " ".join(text.get_text() for text in ax.figure.texts).replace("\n", " ")
    assert "CT alone − CT with AI: −0.027 (95% CI −0.125 to 0.072), P=0.510" in words
    assert "results are meant for readers and cases like these" in words
    assert inside(ax.figure) == []


@pytest.mark.parametrize(("width", "inches"), [("page", 174 / 25.4), ("column", 85 / 25.4)])
def test_panels_are_beside_each_other_on_a_page_and_stacked_in_a_column(width, inches):
    long = {"plain": "Digital mammography alone", "aided": "Digital mammography with software"}
    areas = hand.areas()
    areas["reader"] = areas["reader"].replace("2", "Professor Bartholomew Featherstonehaugh")
    ax = rs.plot_readers(
        hand.curves(), auc=areas, comparison=hand.comparison(), labels=long, width=width
    )
    figure = ax.figure
    assert figure.get_figwidth() == pytest.approx(inches)
    figure.draw_without_rendering()
    curves, dots = (one.get_window_extent() for one in figure.axes)
    assert (curves.x1 < dots.x0) == (width == "page")
    assert (dots.y1 < curves.y0) == (width == "column")
    assert inside(figure) == []


def test_the_key_covers_no_data():
    """Readers in the lower right triangle move the key below the axes."""
    curves = hand.curves()
    curves["tpr"] = curves["tpr"] ** 12
    ax = rs.plot_readers(curves, auc=hand.areas())
    figure = ax.figure
    figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0


def test_each_reader_has_a_point_where_it_works():
    ax = rs.plot_readers(hand.curves(), points=hand.points())
    marks = [line for line in ax.lines if line.get_linestyle() == "None" and len(line.get_xdata())]
    assert [len(line.get_xdata()) for line in marks] == [4, 4]
    assert marks[0].get_xdata() == pytest.approx([0.14, 0.18, 0.22, 0.26])
    rates = hand.points().query("modality == 'plain' and quantity == 'tpr' and reader != 'all'")
    assert marks[0].get_ydata() == pytest.approx(rates["estimate"].to_numpy())
    assert "Each reader at ≥ 3" in names_of(ax)
    twice = pd.concat([hand.points(), hand.points().assign(threshold=4.0)])
    with pytest.raises(rs.InputError, match="one point for each reader; got 8 rows of tnr for 4"):
        rs.plot_readers(hand.curves(), points=twice)
    with pytest.raises(rs.InputError, match="must have rows of both rates; got quantities tpr"):
        rs.plot_readers(hand.curves(), points=hand.points().query("quantity == 'tpr'"))


def test_a_machine_is_a_curve_or_a_point():
    ax = rs.plot_readers(hand.curves(), machine=machine())
    line = curves_of(ax)[-1]
    assert line.get_color() == PALETTE[2]
    assert line.get_linewidth() == CURVE
    assert "AI" in names_of(ax)
    rates = pd.DataFrame({"predictor": "AI", "quantity": ["tpr", "tnr"], "estimate": [0.8, 0.7]})
    (mark,) = [
        line
        for line in rs.plot_readers(hand.curves(), machine=rates).lines
        if line.get_markerfacecolor() == "white"
    ]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (pytest.approx(0.3), 0.8)


def test_more_than_four_modalities_have_a_panel_each():
    names = ("plain", "aided", "c", "d", "e")
    curves = hand.curves(names, 2)
    areas = pd.concat(
        [hand.areas().query("modality == 'plain'").assign(modality=name) for name in names]
    )
    ax = rs.plot_readers(curves, auc=areas, points=hand.points(), machine=machine())
    figure = ax.figure
    assert len(figure.axes) == 5
    assert [one.get_title(loc="left") for one in figure.axes][:2] == [
        f"{name}\n0.880 (0.766-0.942)" for name in names[:2]
    ]
    # two readers and the average; the averages of the others are grey
    assert len(curves_of(figure.axes[0])) == 2 + 1 + 4 + 1
    own = rs.plot_readers(curves, ax=Figure().subplots())
    assert len(curves_of(own)) == 15


def test_groups_are_drawn_as_modalities_are():
    groups = [hand.curves(("plain",)).assign(group=name) for name in ("east", "west")]
    areas = [hand.areas().query("modality == 'plain'").assign(group=g) for g in ("east", "west")]
    ax = rs.plot_readers(pd.concat(groups), auc=pd.concat(areas))
    assert [text.partition(" 0")[0] for text in names_of(ax)] == ["plain, east", "plain, west"]
    assert len({line.get_color() for line in curves_of(ax)}) == 2


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(rs.InputError, match="`comparison` must be passed with `auc`"):
        rs.plot_readers(hand.curves(), comparison=hand.comparison())
    with pytest.raises(rs.InputError, match="in `curve`; got 'aided'"):
        rs.plot_readers(hand.curves(("plain",)), auc=hand.areas())
    with pytest.raises(rs.InputError, match="one average area for each curve; got 0 for 'plain'"):
        rs.plot_readers(hand.curves(), auc=hand.areas().query("reader != 'all'"))


def test_a_forest_has_readers_under_their_average():
    frame = pd.concat([hand.by_reader(), hand.comparison()])
    ax = rs.plot_forest(frame, labels=LABELS, width="page")
    words: Any = ax.texts
    rows = {
        y: [word.get_text() for word in sorted(words, key=lambda w: w.xy[0]) if word.xy[1] == y]
        for y in range(6)
    }
    assert [rows[y][0] for y in range(6)] == ["CT alone − CT with AI", "Average"] + [
        f"Reader {j}" for j in range(1, 5)
    ]
    assert set(rows[1]) == {"Average", "−0.03 (−0.13 to 0.07)", "40", "0.51"}
    (diamond,) = cast("Any", ax.patches)
    assert diamond.get_xy()[:4, 0].tolist() == [-0.125457, -0.026693, 0.072071, -0.026693]
    assert diamond.get_xy()[:4, 1].tolist() == [1, 0.7, 1, 1.3]
    assert ax.get_xlabel() == "Difference in AUC"
    boxes = [line.get_ydata()[0] for line in ax.lines if line.get_marker() == "s"]
    assert boxes == [2, 3, 4, 5]


def test_in_a_forest_of_groups_each_average_is_above_its_readers():
    frames = [
        frame.assign(group=group)
        for frame in (hand.by_reader(), hand.comparison())
        for group in ("east", "west")
    ]
    ax = rs.plot_forest(pd.concat(frames), width="page")
    words: Any = ax.texts
    names = {word.xy[1]: word.get_text() for word in words if word.xy[0] == 0}
    assert [names[y] for y in (0, 1, 2, 6, 7)] == [
        "plain − aided", "east, Average", "east, Reader 1", "west, Average", "west, Reader 1",
    ]  # fmt: skip
    dotted = [list(line.get_ydata()) for line in ax.lines[1:] if line.get_linestyle() == ":"]
    assert dotted == [[1, 5.5], [6, 10.5]]


def test_a_forest_of_areas_has_a_colour_for_each_modality():
    ax = rs.plot_forest(hand.areas())
    assert len(ax.patches) == 2
    colours = [line.get_color() for line in ax.lines if line.get_marker() == "s"]
    assert colours == [PALETTE[0]] * 4 + [PALETTE[1]] * 4
    only = rs.plot_forest(hand.comparison())
    assert len(only.patches) == 0
    assert "plain − aided" in {word.get_text() for word in only.texts}
