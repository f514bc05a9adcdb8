"""What holds of every plot: its axes, its names, its frames, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.text import Text

import rocstats as rs
from tests.examples import D1, D2, Y
from tests.inference.survival.studies import forty
from tests.tables import hand_readers

DRAWN = {"n_resamples": 100, "rng": 1}
RISKS = (0.1, 0.5)
SIZES = [30, 60]
REVIEW = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c())


def study_of(*names: str, **words: Any) -> rs.Study:
    return rs.Study(Y, dict(zip(names, (D1, D2), strict=False)), **words)


def points(s: rs.Study) -> pd.DataFrame:
    return s.operating_points(threshold=0.5, prevalence=[0.1, 0.3])


def first(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first predictor."""
    return frame[frame["predictor"] == frame["predictor"].iloc[0]]


def marks_of_one_reader() -> rs.DetectionStudy:
    marks, cases, lesions = rs.load_marks_example()
    return rs.DetectionStudy(marks[marks["reader"] == 0], cases, lesions, modality="modality")


marked = marks_of_one_reader()
Frames = dict[str, pd.DataFrame]
PLOTS: dict[Callable[..., Any], Callable[[rs.Study], Frames]] = {
    rs.plot_roc: lambda s: {
        "curve": s.roc_curve(), "auc": s.auc(), "band": s.roc_band("joint"), "points": points(s),
        "fit": s.binormal_curve(fpr=[0.1, 0.3, 0.5]),
    },
    rs.plot_pr: lambda s: {
        "curve": s.pr_curve(), "average_precision": s.average_precision(),
        "band": s.pr_band("joint"),
    },
    rs.plot_lift: lambda s: {"curve": s.lift_curve()},
    rs.plot_det: lambda s: {"curve": s.det_curve()},
    rs.plot_hull: lambda s: {"hull": s.roc_hull(), "curve": s.roc_curve()},
    rs.plot_cost: lambda s: {"cost": s.cost_curve(), "curve": s.roc_curve()},
    rs.plot_superiority: lambda s: {"superiority": s.superiority_curve()},
    rs.plot_roc_difference: lambda s: {"difference": s.roc_difference_band(**DRAWN)},
    rs.plot_cost_difference: lambda s: {"difference": s.cost_difference_band(**DRAWN)},
    rs.plot_predictive_values: lambda s: {"frame": points(s)},
    rs.plot_measures: lambda s: {
        "frame": first(s.operating_points(threshold="all")), "cutpoints": s.cutpoints(**DRAWN)
    },
    rs.plot_random_points: lambda s: {
        "points": s.random_points(rng=1), "curve": s.roc_curve(),
        "found": s.operating_points_versus_random(threshold=0.5),
    },
    rs.plot_scores: lambda s: {"curve": first(s.roc_curve()), "cutpoints": s.cutpoints(**DRAWN)},
    rs.plot_cutpoint_draws: lambda s: {
        "draws": first(s.cutpoint_draws(**DRAWN)), "cutpoints": s.cutpoints(**DRAWN)
    },
    rs.plot_net_benefit: lambda s: {
        "frame": s.net_benefit(risk_threshold=[0.1, 0.3, 0.5]),
        "band": s.net_benefit_band(risk_threshold=RISKS, n_points=5, rng=1),
    },
    rs.plot_calibration: lambda s: {
        "frame": s.calibration_curve(n_points=9), "band": s.calibration_band(n_points=9, rng=1)
    },
    rs.plot_forest: lambda s: {"frame": s.auc()},
    rs.plot_flow: lambda s: {"points": first(s.operating_points(threshold=0.5))},
    rs.plot_power: lambda _: {"power": rs.power(auc=0.8, n_pos=SIZES, n_neg=SIZES)},
    rs.plot_readers: lambda _: {"curve": hand_readers.curves(), "auc": hand_readers.areas()},
    rs.plot_froc: lambda _: {
        "curve": marked.curve(), "band": marked.froc_band(**DRAWN),
        "points": marked.operating_points(threshold=1),
    },
    rs.plot_survival_roc: lambda _: {
        "curve": forty().roc_curve(time=8), "auc": forty().auc(time=8)
    },
    rs.plot_auc_over_time: lambda _: {"frame": forty().auc_band(time=[8, 14])},
    rs.plot_survival_scores: lambda _: {"curve": first(forty().roc_curve(time=14))},
    rs.plot_summary_roc: lambda _: {"frame": REVIEW.summary_roc()},
}  # fmt: skip
# Measures are of one predictor, which has no name; the last six are of no study of two classes.
NAMELESS = {
    rs.plot_measures,
    rs.plot_power,
    rs.plot_readers,
    rs.plot_froc,
    rs.plot_survival_roc,
    rs.plot_auc_over_time,
    rs.plot_survival_scores,
    rs.plot_summary_roc,
}
each_plot = pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.__name__)
each_plot_of_predictors = pytest.mark.parametrize(
    "plot", [plot for plot in PLOTS if plot not in NAMELESS], ids=lambda plot: plot.__name__
)


def shown(ax: Any) -> str:
    """Return all words on a figure, from which predictors are told."""
    return " ".join(text.get_text() for text in ax.figure.findobj(Text))


def test_every_plot_is_here():
    assert {plot.__name__ for plot in PLOTS} == {n for n in rs.__all__ if n.startswith("plot_")}


def state_of_others(figure: Figure, ax: Any) -> list[Any]:
    """Return what a plot on ``ax`` must not change: the figure, and its other axes."""
    others = [one for one in figure.axes if one is not ax]
    words = [text for other in others for text in other.findobj(Text)]
    return [
        figure.get_children(), figure.get_size_inches().tolist(), figure.get_layout_engine(),
        figure.get_suptitle(), figure.get_supxlabel(), figure.get_supylabel(),
        *[other.get_children() for other in others],
        *[other.get_position().bounds for other in others],
        *[(other.get_xlim(), other.get_ylim(), other.axison) for other in others],
        *[(text.get_text(), text.get_fontsize(), text.get_visible()) for text in words],
    ]  # fmt: skip


def assert_it_stays_in_its_cell_of_a_grid(plot: Callable[..., Any], frames: Frames) -> None:
    """Require that a plot on one axes of a grid changes nothing else, and covers nothing else."""
    figure = Figure(figsize=(12, 8))
    ax = figure.subplots(2, 3, gridspec_kw={"wspace": 0.35, "hspace": 0.4})[0, 1]
    figure.draw_without_rendering()
    before = state_of_others(figure, ax)
    plot(**frames, ax=ax)
    figure.draw_without_rendering()
    assert state_of_others(figure, ax) == before
    box: Any = ax.get_tightbbox()
    for other in figure.axes:
        assert other is ax or not box.overlaps(other.get_tightbbox()), other


@each_plot
def test_axes_of_a_user_are_drawn_on_nothing_is_shown_and_frames_are_untouched(plot, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: pytest.fail("show() was called"))
    frames = PLOTS[plot](study_of("a", "b"))
    before = {name: frame.copy(deep=True) for name, frame in frames.items()}
    ax = Figure().subplots()
    assert plot(**frames, ax=ax) is ax
    assert plt.get_fignums() == []
    assert_it_stays_in_its_cell_of_a_grid(plot, frames)
    for name, frame in frames.items():
        pd.testing.assert_frame_equal(frame, before[name])
    assert plot(**frames) is not ax
    assert len(plt.get_fignums()) == 1


@each_plot
def test_frames_without_their_columns_or_rows_are_refused_by_name(plot):
    frames = PLOTS[plot](study_of("a", "b"))
    for name, frame in frames.items():
        other = pd.DataFrame({"x": [1]})
        with pytest.raises(rs.InputError, match=rf"^`{name}` must .*; got .*\. Pass "):
            plot(**{**frames, name: other})
        with pytest.raises(rs.InputError, match=rf"^`{name}` must .*; got list\."):
            plot(**{**frames, name: [1, 2]})
        if name == next(iter(frames)):
            with pytest.raises(rs.InputError, match=rf"^`{name}` must have rows; got 0"):
                plot(**{**frames, name: frame.iloc[:0]})


@each_plot_of_predictors
def test_labels_stand_in_the_place_of_names(plot):
    labels = {"s100b": "S100B, µg/L", "ndka": "NDKA"}
    named = study_of("s100b", "ndka", labels=labels)
    bare = PLOTS[plot](study_of("s100b", "ndka"))
    words = shown(plot(**PLOTS[plot](named)))
    assert "S100B, µg/L" in words
    assert "s100b" not in words
    assert "s100b" in shown(plot(**bare))
    assert shown(plot(**bare, labels=labels)) == words


@each_plot_of_predictors
@pytest.mark.parametrize("name", ["$broken", "_hidden", "<b>&", "$\\oops$"])
def test_names_are_drawn_as_they_are(plot, name):
    ax = plot(**PLOTS[plot](study_of(name, "b")))
    assert name in shown(ax)
    ax.figure.canvas.draw()
