"""Predictive values against the prevalence: what is drawn is compared with the frame."""

from __future__ import annotations

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

import rocstats as rs
from rocstats.present.plots.shared.palette import DASHES, PALETTE
from tests import examples

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")


@pytest.fixture(autouse=True)
def _closed_figures():
    mpl.use("Agg")
    yield
    plt.close("all")


@pytest.fixture
def every():
    return rs.Study(examples.Y, examples.D1).operating_points(threshold="all")


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_predictive_values_against_prevalence():
    study = rs.Study(examples.Y, examples.D1)
    shares = [0.4, 0.1, 0.2]
    frame = study.operating_points(threshold=[0.6, 0.4], prevalence=shares)
    ax = rs.plot_predictive_values(frame)
    assert texts(ax) == [
        f"{name} predictive value, threshold {cut}"
        for name in ("Positive", "Negative")
        for cut in (0.6, 0.4)
    ]
    for line, (quantity, cut) in zip(
        ax.lines, [("ppv", 0.6), ("ppv", 0.4), ("npv", 0.6), ("npv", 0.4)], strict=True
    ):
        rows = frame[(frame["quantity"] == quantity) & (frame["threshold"] == cut)]
        assert line.get_xdata().tolist() == [0.1, 0.2, 0.4]
        assert line.get_ydata().tolist() == rows.sort_values("prevalence")["estimate"].tolist()
        assert line.get_color() == PALETTE[quantity == "npv"]
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--", "-", "--"]
    assert DASHES[0] == "-"


def test_points_without_a_threshold_are_named_by_their_rates():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    frame = study.operating_points(fpr=0.25, prevalence=[0.1, 0.2], rng=1, n_resamples=100)
    labels = texts(rs.plot_predictive_values(frame))
    assert labels[0].startswith("Positive predictive value, a, FPR 0.25, TPR ")
    assert labels[1].startswith("Positive predictive value, b, FPR 0.25, TPR ")


def test_predictive_values_need_two_prevalences(every):
    with pytest.raises(rs.InputError, match="`frame` must have predictive values at two preval"):
        rs.plot_predictive_values(every)
    with pytest.raises(rs.InputError, match="`frame` must have rows; got 0"):
        rs.plot_predictive_values(every.iloc[:0])
