"""Precision-recall and lift figures: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

import rocstats as rs
from rocstats.curves.precision import LIFT_CURVE, PR_CURVE
from rocstats.errors import InputError
from rocstats.frame.make import make_frame
from rocstats.plots.axes import PALETTE, SECOND_TEXT
from rocstats.plots.precision_recall import dense_counts_for_precision, plot_lift, plot_pr
from tests.examples import D1, D2, Y
from tests.plots.drawn import names_of
from tests.tables.hand_frames import INF, NAN, precision_frame

STEPS = [(0, 0), (0, 2), (1, 2), (1, 4), (4, 4)]
TIES = [(0, 0), (1, 2), (4, 3), (12, 4)]


def columns_of(curves, grouped):
    """Text columns and counts; a curve is (predictor, group, fold, vertices (fp, tp))."""
    rows = [(p, g, f, *point) for p, g, f, points in curves for point in points]
    predictor, group, fold, fp, tp = (list(column) for column in zip(*rows, strict=True))
    columns = {
        "predictor": predictor,
        "fold": fold,
        "direction": [">="] * len(rows),
        "next_score": np.nan,
        "threshold": [INF if fp == tp == 0 else -float(fp + tp) for *_, fp, tp in rows],
        "fp": fp,
        "tp": tp,
    }
    if grouped:
        columns["group"] = group
    return columns, [points[-1] for *_, points in curves for _ in points]


def precisions(points):
    found = [tp / (fp + tp) for fp, tp in points[1:]]
    return [found[0], *found]


def pr_frame(*curves, grouped=False):
    columns, totals = columns_of(curves, grouped)
    columns["tpr"] = [tp / total[1] for tp, total in zip(columns["tp"], totals, strict=True)]
    columns["ppv"] = [value for *_, points in curves for value in precisions(points)]
    return make_frame(PR_CURVE, columns, grouped=grouped)


def lift_frame(*curves, grouped=False):
    columns, totals = columns_of(curves, grouped)
    called = np.add(columns["fp"], columns["tp"])
    columns["tpr"] = [tp / total[1] for tp, total in zip(columns["tp"], totals, strict=True)]
    columns["positive_rate"] = called / np.sum(totals, axis=1)
    columns["lift"] = [
        value * sum(points[-1]) / points[-1][1]
        for *_, points in curves
        for value in precisions(points)
    ]
    return make_frame(LIFT_CURVE, columns, grouped=grouped)


@pytest.fixture
def curve():
    return pr_frame(("steps", "", "", STEPS), ("ties", "", "", TIES))


def solid(ax):
    """Lines but those of chance."""
    return [line for line in ax.lines if line.get_linestyle() != ":"]


def dotted(ax):
    return [line for line in ax.lines if line.get_linestyle() == ":"]


def test_every_point_of_the_frame_is_on_its_line(curve):
    for line, (_, piece) in zip(
        solid(plot_pr(curve)), curve.groupby("predictor", sort=False), strict=True
    ):
        drawn = {tuple(point) for point in line.get_xydata().round(12)}
        assert {tuple(point) for point in piece[["tpr", "ppv"]].to_numpy().round(12)} <= drawn


def test_lines_bend_between_the_points(curve):
    _, ties = solid(plot_pr(curve))
    x, y = ties.get_data()
    tp = 4 * x
    fp = np.interp(tp, [0, 2, 3, 4], [0, 1, 4, 12])
    assert y[1:] == pytest.approx(tp[1:] / (tp[1:] + fp[1:]))
    assert np.abs(np.diff(y)).max() <= y.max() / 200 + 1e-12
    # straight lines between the points would promise more
    assert np.interp(0.9, [0.75, 1.0], [3 / 7, 1 / 4]) > np.interp(0.9, x, y) + 0.02


def test_steps_are_drawn_as_steps(curve):
    steps, _ = solid(plot_pr(curve))
    x, y = steps.get_data()
    assert (x[0], y[0]) == (0, 1)
    assert (x[1], y[1]) == (0.5, 1)
    assert (x[2], y[2]) == (0.5, pytest.approx(2 / 3))
    assert (x[-1], y[-1]) == (1, 0.5)


def test_axes_in_words(curve):
    ax = plot_pr(curve)
    assert ax.get_xlim() == ax.get_ylim() == (0, 1)
    assert ax.get_aspect() == 1
    assert ax.get_xlabel() == "Recall (sensitivity)"
    assert ax.get_ylabel() == "Precision (positive predictive value)"
    assert not any(line.get_clip_on() for line in solid(ax))


def test_chance_is_the_prevalence():
    (line,) = dotted(plot_pr(pr_frame(("a", "", "", TIES), ("b", "", "", TIES))))
    assert line.get_xydata().tolist() == [[0, 0.25], [1, 0.25]]
    assert line.get_color() == SECOND_TEXT


def test_groups_with_prevalences_of_their_own():
    curve = pr_frame(("a", "u", "", STEPS), ("a", "v", "", TIES), grouped=True)
    ax = plot_pr(
        curve, average_precision=precision_frame(("a", "v", 0.4), ("a", "u", 0.8), grouped=True)
    )
    assert [line.get_ydata()[0] for line in dotted(ax)] == [0.5, 0.25]
    assert [line.get_color() for line in dotted(ax)] == [line.get_color() for line in solid(ax)]
    assert names_of(ax) == ["a, u 0.800", "a, v 0.400"]


def test_folds_are_thin_and_share_the_prevalence_of_all():
    ax = plot_pr(pr_frame(("a", "", "1", STEPS), ("a", "", "2", TIES)))
    assert [line.get_linewidth() for line in solid(ax)] == [0.7, 0.7]
    assert {line.get_color() for line in solid(ax)} == {PALETTE[0]}
    (line,) = dotted(ax)
    assert line.get_ydata()[0] == pytest.approx(8 / 24)


def test_the_legend_gives_the_average_precision(curve):
    areas = precision_frame(("ties", "", 0.4567), ("steps", "", 0.9996))
    ax = plot_pr(curve, average_precision=areas)
    assert names_of(ax) == ["steps >0.999", "ties 0.457"]
    assert ax.get_legend().get_title().get_text() == "Average precision"


def test_an_interval_is_shown_where_one_was_asked(curve):
    areas = precision_frame(("steps", "", 0.9), ("ties", "", 0.4))
    areas[["ci_low", "ci_high", "confidence_level"]] = [0.3, 0.95, 0.9]
    ax = plot_pr(curve, average_precision=areas)
    legend = names_of(ax)
    assert ax.get_legend().get_title().get_text() == "Average precision (90% CI)"
    assert legend[0] == "steps 0.900 (0.300-0.950)"


@pytest.mark.parametrize("points", [STEPS, TIES, [(0, 0), (0, 9), (2, 10)], [(0, 0), (70, 2)]])
def test_the_legend_keeps_out_of_the_curves(points):
    ax = plot_pr(pr_frame(("a", "", "", points), ("b", "", "", points)))
    ax.figure.canvas.draw()
    box = ax.get_legend().get_window_extent().transformed(ax.transData.inverted())
    for line in ax.lines:
        assert not line.get_path().intersects_bbox(box, filled=False)


def test_one_curve_needs_no_legend(curve):
    assert plot_pr(curve[curve["predictor"] == "ties"]).get_legend() is None
    assert names_of(plot_pr(curve)) == ["steps", "ties"]


def test_a_group_without_a_class_is_an_empty_line():
    curve = pr_frame(("a", "u", "", STEPS), ("a", "v", "", [(0, 0), (0, 3)]), grouped=True)
    curve.loc[curve["group"] == "v", "ppv"] = NAN
    full, empty = solid(plot_pr(curve))
    assert not np.isnan(full.get_ydata()).any()
    assert np.isnan(empty.get_ydata()).all()


def test_bent_counts_keep_the_vertices_and_take_equal_steps():
    fp, tp = dense_counts_for_precision(
        np.array([0.0, 2, 2, 50, 50]), np.array([0.0, 0, 3, 10, 10])
    )
    assert {(0, 0), (2, 0), (2, 3), (50, 10)} <= set(zip(fp.tolist(), tp.tolist(), strict=True))
    precision = tp[1:] / (fp + tp)[1:]
    rise = precision[: precision.argmax() + 1]
    assert np.diff(rise) == pytest.approx(np.full(200, 0.6 / 200))
    assert np.ptp(np.diff(precision[precision.argmax() : -1])) < 1e-12


def test_a_long_curve_is_thinned_without_moving():
    rng = np.random.default_rng(3)
    positive = rng.random(10**6) < np.linspace(0.6, 0.01, 10**6)
    fp, tp = (np.concatenate([[0], np.cumsum(x)]).astype(float) for x in (~positive, positive))
    first = 1.0 if positive[0] else 0.0
    curve = pd.DataFrame(
        {"predictor": "a", "fold": "", "threshold": -np.arange(len(fp)), "fp": fp, "tp": tp}
    ).assign(tpr=tp / tp[-1], ppv=np.append(first, tp[1:] / (fp + tp)[1:]))
    (line,) = solid(plot_pr(curve))
    x, y = line.get_data()
    assert len(x) < 40_000
    # beyond the first steps the curve is smooth enough to be read by recall
    later = curve["tpr"] > 0.01
    assert np.abs(np.interp(curve["tpr"], x, y) - curve["ppv"])[later].max() < 3 / 2000


def test_lift_lines_bend_and_end_at_1():
    ax = plot_lift(lift_frame(("steps", "", "", STEPS), ("ties", "", "", TIES)))
    steps, ties = solid(ax)
    x, y = ties.get_data()
    assert (x[0], y[0]) == (0, pytest.approx(2 / 3 * 4))
    assert (x[-1], y[-1]) == (1, 1)
    called = 16 * x[1:]
    assert y[1:] == pytest.approx(np.interp(called, [0, 3, 7, 16], [0, 2, 3, 4]) / called * 4)
    assert steps.get_data()[1][0] == 2
    (chance,) = dotted(ax)
    assert chance.get_xydata().tolist() == [[0, 1], [1, 1]]
    assert ax.get_xlim() == (0, 1)
    assert ax.get_ylim() == (0, pytest.approx(1.05 * 8 / 3))
    assert names_of(ax) == ["steps", "ties"]
    assert ax.get_xlabel() == "Share of cases called positive"


def test_lift_without_any_gain_shows_chance():
    ax = plot_lift(lift_frame(("a", "", "", [(0, 0), (2, 0), (2, 2)])))
    assert ax.get_ylim() == (0, 1.05)
    assert ax.get_legend() is None


def test_lines_look_as_on_every_graph(curve):
    first, second = solid(plot_pr(curve))
    assert to_rgb(first.get_color()) == to_rgb(PALETTE[0])
    assert first.get_linewidth() == second.get_linewidth() == 1.6
    assert first.get_linestyle() != second.get_linestyle()


def test_only_a_part_of_a_curve(curve):
    message = (
        r"^`curve` must hold whole curves, a row for every threshold; got only a part of them\."
        r" Pass study\.pr_curve\(\) without tpr=\.$"
    )
    with pytest.raises(InputError, match=message):
        plot_pr(curve.assign(threshold=NAN))
    with pytest.raises(InputError, match=message):
        plot_pr(curve.query("tpr < 1"))
    with pytest.raises(InputError, match=r"whole curves"):
        plot_lift(lift_frame(("a", "", "", TIES)).iloc[:-1])


def test_areas_of_another_study(curve):
    with pytest.raises(
        InputError,
        match=r"^`average_precision` must have one average precision for each curve; got 0 for"
        r" 'ties'\. Pass average_precision\(\) of the study that gave the curve\.$",
    ):
        plot_pr(curve, average_precision=precision_frame(("steps", "", 0.9)))


def test_lift_bends_where_only_negatives_are_added():
    study = rs.Study([1, 0], [2, 1], frequency=[4, 10])
    x, y = rs.plot_lift(study.lift_curve()).lines[1].get_data()
    # 9 cases called, 4 of them positive: precision 4/9 over prevalence 4/14
    assert np.interp(9 / 14, x, y) == pytest.approx((4 / 9) / (4 / 14), rel=1e-3)


def test_lines_start_at_ten_calls():
    points = [(0, 0), (0, 1), (3, 5), (5, 15), (300, 100)]
    (line,) = solid(plot_lift(lift_frame(("a", "", "", points))))
    x, y = line.get_data()
    # of 10 calls between (3, 5) and (5, 15): a sixth of the way
    called, precision = 10 / 400, (5 + 10 / 6) / 10
    assert (x[0], y[0]) == pytest.approx((called, precision * 4))
    (line,) = solid(plot_pr(pr_frame(("a", "", "", points))))
    assert line.get_xydata()[0] == pytest.approx([(5 + 10 / 6) / 100, precision])


def test_the_line_of_chance_is_named(curve):
    for ax in (plot_lift(lift_frame(("a", "", "", STEPS))), plot_pr(curve[:5])):
        assert [text.get_text() for text in ax.texts] == ["if called at random"]


def test_a_band_is_drawn_at_the_prevalence_of_its_curve():
    study = rs.Study(Y, {"d1": D1, "d2": D2})
    curve, band = study.pr_curve(), study.pr_band("joint")
    ax = plot_pr(curve, band=band, labels={"d1": "First"})
    fills = ax.collections
    assert len(fills) == 2
    one = band[band["predictor"] == "d1"]
    drawn = fills[0].get_paths()[0].vertices
    assert drawn[:, 1].min() == pytest.approx(one["ppv_low"].min())
    assert drawn[:, 1].max() == pytest.approx(one["ppv_high"].max())
    with pytest.raises(InputError, match=r"`band` must be at the prevalence of the curve, 0\.4"):
        plot_pr(curve, band=study.pr_band("joint", prevalence=0.1))
    with pytest.raises(InputError, match="band"):
        plot_pr(rs.Study(Y, {"d1": D1}).pr_curve(), band=band)
