"""The forest plot: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import rocstats as rs
from tests.tables.hand_frames import NAN, area_row, auc_frame, compare_frame, difference_row


@pytest.fixture
def centres():
    """Two predictors in two centres; the second centre has nine positives."""
    rows = [
        area_row(name, area, area - half, area + half, group=group, n_pos=n_pos, n_neg=n_neg)
        for group, half, n_pos, n_neg in (("north", 0.05, 100.0, 300.0), ("south", 0.1, 9.0, 91.0))
        for name, area in (("a", 0.7), ("b", 0.8))
    ]
    return auc_frame(*rows)


def boxes(ax):
    return [line for line in ax.lines if line.get_marker() == "s"]


def texts(ax, y):
    """The words at a row, from left to right."""
    words = [word for word in ax.texts if word.get_text() and word.xy[1] == y]
    return [word.get_text() for word in sorted(words, key=lambda w: (w.xy[0], w.get_position()[0]))]


def test_groups_are_under_their_predictor(centres):
    ax = rs.plot_forest(centres)
    assert texts(ax, -1) == ["Estimate (95% CI)", "n"]
    assert [texts(ax, y) for y in range(6)] == [
        ["a"],
        ["north", "0.70 (0.65 to 0.75)", "400"],
        ["south", "0.70 (0.60 to 0.80)", "100"],
        ["b"],
        ["north", "0.80 (0.75 to 0.85)", "400"],
        ["south", "0.80 (0.70 to 0.90)", "100"],
    ]
    places = [tuple(line.get_xydata()[0]) for line in boxes(ax)]
    assert places == [(0.7, 1), (0.7, 2), (0.8, 4), (0.8, 5)]
    limits = [line.get_xydata().tolist() for line in ax.lines if line.get_linestyle() == "-"]
    assert limits[0] == pytest.approx(np.array([[0.65, 1], [0.75, 1]]))
    # one colour for each predictor
    colours = [line.get_color() for line in boxes(ax)]
    assert colours[0] == colours[1] != colours[2] == colours[3]


def test_the_area_of_a_box_is_the_number_of_cases(centres):
    big, small, *_ = boxes(rs.plot_forest(centres))
    assert (big.get_markersize() / small.get_markersize()) ** 2 == pytest.approx(4)
    # fewer than ten positives: hollow
    assert small.get_markerfacecolor() == "white" != big.get_markerfacecolor()


def test_the_stratified_area_is_a_diamond(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", group="site")
    whole = study.stratified_auc()
    ax = rs.plot_forest(pd.concat([study.auc(), whole]))
    (diamond,) = ax.patches
    x, y = diamond.get_xy()[:4].T
    low, middle, high = whole.loc[0, ["ci_low", "estimate", "ci_high"]]
    assert x.tolist() == [low, middle, high, middle]
    assert y.tolist() == [0, -0.3, 0, 0.3]
    assert texts(ax, 0)[0] == "a"
    assert [texts(ax, y)[0] for y in (1, 2)] == study.auc()["group"].tolist()
    assert len(boxes(ax)) == 2
    assert ax.get_xlabel() == "AUC"


def test_differences_have_a_line_at_zero_and_p_values(differences):
    ax = rs.plot_forest(differences, labels={"wfns": "WFNS"})
    assert ax.lines[0].get_xdata() == [0, 0]
    assert texts(ax, -1) == ["Estimate (95% CI)", "n", "P"]
    rows = [texts(ax, y) for y in range(6)]
    # names that would leave the axes no room have a line of their own
    assert rows[0] == ["WFNS − s100b"]
    assert rows[1] == ["0.09 (0.03 to 0.15)", "113", "0.01"]
    assert rows[5] == ["−0.03 (−0.15 to 0.08)", "113", "0.60"]
    wide = rs.plot_forest(differences, width="page")
    assert texts(wide, 2) == ["s100b − ndka", *rows[5]]


def test_ratios_are_on_a_logarithmic_axis():
    tables = pd.DataFrame({"tp": [14, 9], "fn": [6, 11], "fp": [8, 3], "tn": [22, 27]}, ["a", "b"])
    frame = rs.Study.from_confusion(tables).operating_points(quantities=["lr_positive"])
    ax = rs.plot_forest(frame)
    assert ax.get_xscale() == "log"
    assert ax.lines[0].get_xdata() == [1, 1]
    assert [line.get_xdata()[0] for line in boxes(ax)] == frame["estimate"].tolist()
    with pytest.raises(rs.InputError, match="`reference_line` must be a positive number; got 0"):
        rs.plot_forest(frame, reference_line=0)


def test_a_rate_counts_its_class(ct):
    points = ct.operating_points(threshold=[3, 4])
    ax = rs.plot_forest(points[points["quantity"] == "tpr"])
    assert [texts(ax, y) for y in (0, 1, 2)] == [
        ["rating"],
        ["≥ 3", "0.90 (0.79 to 0.96)", "51"],
        ["≥ 4", "0.86 (0.74 to 0.93)", "51"],
    ]


def test_a_limit_beyond_the_axis_is_an_arrow():
    rows = [area_row(name, 0.8, 0.79, 0.81) for name in "abc"]
    ax = rs.plot_forest(auc_frame(*rows, area_row("d", 0.8, 0.3, 0.82)), reference_line=0.78)
    left, right = ax.get_xlim()
    (arrow,) = [line for line in ax.lines if line.get_marker() == "<"]
    assert arrow.get_xydata().tolist() == [[left, 3]]
    assert 0.75 < left < 0.78
    assert right > 0.82
    assert ax.lines[0].get_xdata() == [0.78, 0.78]


def test_an_undefined_estimate_has_words_but_no_box():
    ax = rs.plot_forest(auc_frame(area_row("a", 0.8, 0.7, 0.9), area_row("b", NAN, NAN, NAN)))
    assert texts(ax, 1) == ["b", "NA", "113"]
    assert np.isfinite([line.get_xdata()[0] for line in boxes(ax)]).tolist() == [True, False]


def test_intervals_of_one_area_are_told_apart(ct):
    both = pd.concat([ct.auc(), ct.auc(interval="newcombe")])
    ax = rs.plot_forest(both, width="page")
    assert [texts(ax, y)[0] for y in range(3)] == ["rating", *both["method"]]


def test_words_are_beside_the_axes_of_a_user(differences):
    figure = Figure(figsize=(6, 2))
    ax = figure.subplots()
    before = ax.get_position()
    rs.plot_forest(differences, ax=ax)
    assert figure.get_size_inches().tolist() == [6, 2]
    after = ax.get_position()
    assert before.x0 < after.x0 < after.x1 < before.x1
    ends = [word.get_window_extent() for word in ax.texts if word.get_text()]
    assert min(box.x0 for box in ends) >= 0
    assert max(box.x1 for box in ends) <= 6 * figure.dpi


def test_a_figure_grows_by_its_rows(differences):
    heights = [rs.plot_forest(differences[:n], width="page").figure.get_figheight() for n in (1, 3)]
    assert heights[1] - heights[0] == pytest.approx(24 / 72)  # two rows of 12 points


def test_what_cannot_be_drawn_is_refused(ct, areas):
    with pytest.raises(rs.InputError) as caught:
        rs.plot_forest(ct.operating_points(threshold=4, quantities=["tpr", "tnr"]))
    assert str(caught.value) == (
        "`frame` must have estimates of one quantity; got Sensitivity, Specificity. Choose rows,"
        " such as frame[frame['quantity'] == 'tpr']."
    )
    with pytest.raises(rs.InputError) as caught:
        rs.plot_forest(pd.concat([areas] * 31))
    assert str(caught.value) == (
        "`frame` must have at most 60 rows, which fill a page; got 62. Choose rows, or print all"
        " of them with format_table()."
    )
    with pytest.raises(rs.InputError, match="`frame` must hold estimates with intervals"):
        rs.plot_forest(ct.roc_curve())
    with pytest.raises(rs.InputError, match=r"`frame` must have estimates .* got no estimates"):
        rs.plot_forest(compare_frame(difference_row("a", "b", NAN, NAN, NAN)))
    with pytest.raises(rs.InputError, match="`reference_line` must be a finite number; got nan"):
        rs.plot_forest(areas, reference_line=NAN)
