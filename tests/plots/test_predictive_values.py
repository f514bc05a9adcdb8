"""Predictive values against the prevalence: what is drawn is compared with the frame."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

import rocstats as rs
from rocstats.plots.axes import PALETTE
from tests import examples


@pytest.fixture
def every():
    return rs.Study(examples.Y, examples.D1).operating_points(threshold="all")


def names_of(panel):
    """The names where the lines end, from the first line on."""
    return [text.get_text().replace("\n", " ") for text in panel.texts]


def test_predictive_values_against_prevalence():
    study = rs.Study(examples.Y, examples.D1)
    shares = [0.4, 0.1, 0.2]
    frame = study.operating_points(threshold=[0.6, 0.4], prevalence=shares)
    panels = rs.plot_predictive_values(frame).figure.axes
    names = ["Positive predictive value", "Negative predictive value"]
    assert [panel.get_title(loc="left") for panel in panels] == names
    for panel, quantity in zip(panels, ("ppv", "npv"), strict=True):
        for line, cut, colour in zip(panel.lines, (0.6, 0.4), PALETTE, strict=False):
            rows = frame[(frame["quantity"] == quantity) & (frame["threshold"] == cut)]
            assert line.get_xdata().tolist() == [0.1, 0.2, 0.4]
            assert line.get_ydata().tolist() == rows.sort_values("prevalence")["estimate"].tolist()
            assert line.get_color() == colour
        assert [line.get_linestyle() for line in panel.lines] == ["-", "--"]
        assert names_of(panel) == ["threshold 0.6", "threshold 0.4"]
    # one below the other in a column, side by side on a page
    assert panels[0].get_position().y0 > panels[1].get_position().y1
    left, right = rs.plot_predictive_values(frame, width="Page").figure.axes
    assert left.get_position().x1 < right.get_position().x0


def test_on_axes_of_a_user_both_are_together():
    study = rs.Study(examples.Y, examples.D1)
    frame = study.operating_points(threshold=[0.6, 0.4], prevalence=[0.1, 0.4])
    own = Figure().subplots()
    assert rs.plot_predictive_values(frame, ax=own) is own
    assert [text.get_text() for text in own.get_legend().get_texts()] == [
        f"{name} predictive value, threshold {cut}"
        for name in ("Positive", "Negative")
        for cut in (0.6, 0.4)
    ]
    assert [line.get_color() for line in own.lines] == [PALETTE[0]] * 2 + [PALETTE[1]] * 2


def test_points_without_a_threshold_are_named_by_their_rates():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    frame = study.operating_points(fpr=0.25, prevalence=[0.1, 0.2], rng=1, n_resamples=100)
    labels = names_of(rs.plot_predictive_values(frame))
    assert labels[0].startswith("a, FPR 0.25, TPR ")
    assert labels[1].startswith("b, FPR 0.25, TPR ")


def test_predictive_values_need_two_prevalences(every):
    with pytest.raises(
        rs.InputError, match="`frame` must have predictive values at two or more preval"
    ):
        rs.plot_predictive_values(every)
