"""Measures against the threshold: what is drawn is compared with the frame."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import rocstats as rs
from rocstats.facts.measures import FURTHER, MEASURES, range_of
from rocstats.plots.axes import PALETTE
from tests import examples


@pytest.fixture
def every():
    return rs.Study(examples.Y, examples.D1).operating_points(threshold="all")


def texts(ax):
    """Names where the lines end, on lines of a few words each, or in the key."""
    words = ax.texts if ax.get_legend() is None else ax.get_legend().get_texts()
    return [text.get_text().replace("\n", " ") for text in words if text.get_text()]


def of(frame, quantity):
    rows = frame[(frame["quantity"] == quantity) & np.isfinite(frame["threshold"])]
    return rows.sort_values("threshold")


@pytest.mark.parametrize("higher", [True, False])
def test_lines_are_steps_of_every_threshold(higher):
    study = rs.Study(examples.Y, examples.D1 if higher else -examples.D1, higher_is_positive=higher)
    frame = study.operating_points(threshold="all")
    ax = rs.plot_measures(frame, ["tnr", "ppv"])
    assert texts(ax) == ["Specificity", "Positive predictive value"]
    for line, quantity, colour in zip(ax.lines, ("tnr", "ppv"), PALETTE, strict=False):
        rows = of(frame, quantity)
        assert line.get_xdata().tolist() == rows["threshold"].tolist()
        assert line.get_ydata().tolist() == rows["estimate"].tolist()
        assert line.get_color() == colour
        assert line.get_drawstyle() == ("steps-pre" if higher else "steps-post")


def test_a_step_has_the_value_of_the_calls_that_it_makes(every):
    """Between two scores the calls are those of the next higher one."""
    study = rs.Study(examples.Y, examples.D1)
    ax = rs.plot_measures(every, ["tpr"])
    path = ax.lines[0]
    x, y = path.get_xdata(), path.get_ydata()
    middle = (x[:-1] + x[1:]) / 2
    between = study.operating_points(threshold=middle.tolist(), quantities="tpr")
    assert between["estimate"].tolist() == y[1:].tolist()


def test_bands_are_the_limits(every):
    ax = rs.plot_measures(every, ["tpr"])
    rows = of(every, "tpr")
    (band,) = ax.collections
    corners = np.unique(band.get_paths()[0].vertices[:, 1])
    limits = rows[["ci_low", "ci_high"]].to_numpy().ravel()
    assert np.isin(np.round(limits, 12), np.round(corners, 12)).all()


def test_some_thresholds_are_joined_straight():
    frame = rs.Study(examples.Y, examples.D1).operating_points(threshold=[0.7, 0.2, 0.5])
    ax = rs.plot_measures(frame)
    assert ax.lines[0].get_xdata().tolist() == [0.2, 0.5, 0.7]
    assert ax.lines[0].get_drawstyle() == "default"
    assert texts(ax) == ["Sensitivity", "Specificity"]


def test_ratios_have_a_logarithmic_axis_without_what_is_infinite(every):
    ax = rs.plot_measures(every, ["lr_positive"])
    assert ax.get_yscale() == "log"
    assert not np.isinf(ax.lines[0].get_ydata()).any()
    assert ax.get_ylabel() == "Ratio"


def test_differences_reach_below_nought(every):
    ax = rs.plot_measures(every, ["youden", "mcc"])
    assert ax.get_ylim()[0] < 0
    assert ax.get_ylim()[1] == 1
    assert rs.plot_measures(every).get_ylim() == (0, 1)


@pytest.fixture
def weak():
    """Every measure of a weak test, at every threshold."""
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [15, 25])
    study = rs.Study(y, rng.normal(size=40) + 0.3 * y)
    return study.operating_points(
        threshold="all", quantities=[*MEASURES, *FURTHER, "f_beta"], sampling="cohort"
    )


@pytest.mark.parametrize("quantity", [*MEASURES, *FURTHER, "f_beta"])
def test_every_value_of_every_measure_is_on_its_axis(weak, quantity):
    ax = rs.plot_measures(weak, [quantity])
    low, high = ax.get_ylim()
    numbers = of(weak, quantity)[["ci_low", "estimate", "ci_high"]].to_numpy()
    if ax.get_yscale() == "log":
        numbers = numbers[numbers > 0]
    numbers = numbers[np.isfinite(numbers)]
    assert low <= numbers.min()
    assert numbers.max() <= high
    # Nor is the axis that of another quantity.
    least, most = range_of(quantity)
    assert low >= min(least, 0)
    assert high <= most
    assert (high == 1) == (most == 1)
    assert (low < 0) == (least < 0)


def test_the_number_needed_to_diagnose_has_an_axis_of_its_own(weak):
    ax = rs.plot_measures(weak, ["number_needed_to_diagnose"])
    assert ax.get_yscale() == "log"
    assert ax.get_ylim()[0] == 1
    assert ax.get_ylabel() == "Number needed to diagnose"
    # An infinite limit is the end of the axis.
    (band,) = ax.collections
    assert max(path.vertices[:, 1].max() for path in band.get_paths()) > ax.get_ylim()[1]
    for others in (["tpr"], ["lr_positive"]):
        with pytest.raises(rs.InputError, match="the number needed to diagnose alone"):
            rs.plot_measures(weak, ["number_needed_to_diagnose", *others])


def test_kappa_below_nought_has_ticks(weak):
    ax = rs.plot_measures(weak, ["kappa", "tpr"])
    assert ax.get_ylim() == (of(weak, "kappa")["ci_low"].min(), 1)
    ticks = ax.get_yticks()
    assert ticks[0] < 0
    assert ticks[0] >= ax.get_ylim()[0]
    assert np.diff(ticks) == pytest.approx(0.2)


def test_each_prevalence_has_a_line():
    study = rs.Study(examples.Y, examples.D1)
    frame = study.operating_points(threshold="all", prevalence=[0.1, 0.4])
    ax = rs.plot_measures(frame, ["tpr", "ppv"])
    assert texts(ax) == [
        "Sensitivity",
        "Positive predictive value, prevalence 0.1",
        "Positive predictive value, prevalence 0.4",
    ]
    high = frame[(frame["prevalence"] == 0.4) & (frame["quantity"] == "ppv")]
    drawn = ax.lines[2].get_ydata()
    np.testing.assert_array_equal(drawn, of(high, "ppv")["estimate"])


def test_predictive_values_of_few_calls_are_left_out():
    scores = np.arange(300)
    study = rs.Study((scores % 3 == 0) | (scores > 200), scores)
    every = study.operating_points(threshold="all")
    ppv, npv = rs.plot_measures(every, ["ppv", "npv"]).lines
    # at least 10 of 300 are called positive (from 290 on), or negative (below 10)
    assert (ppv.get_xdata().min(), ppv.get_xdata().max()) == (0, 290)
    assert (npv.get_xdata().min(), npv.get_xdata().max()) == (10, 299)
    (tpr,) = rs.plot_measures(every, ["tpr"]).lines
    assert len(tpr.get_xdata()) == 300


def test_the_cutpoint_is_marked_with_its_interval():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    every = study.operating_points(threshold="all").query("predictor == 'a'")
    cuts = study.cutpoints(rng=1, n_resamples=100)
    cut = cuts.query("predictor == 'a' and quantity == 'threshold'").iloc[0]
    before = rs.plot_measures(every).get_xlim()
    ax = rs.plot_measures(every, cutpoints=cuts)
    (line,) = [line for line in ax.lines if len(set(line.get_xdata())) == 1]
    assert line.get_xdata()[0] == cut["estimate"]
    (band,) = ax.patches
    ends = np.clip([cut["ci_low"], cut["ci_high"]], *before)
    corners = ax.transData.inverted().transform(band.get_window_extent())
    assert corners[:, 0] == pytest.approx(ends)
    printed = float(ax.get_title().removeprefix("Cutpoint ").partition(" (95% CI ")[0])
    assert cut["next_score"] < printed <= cut["estimate"]
    assert ax.get_xlim() == before
    with pytest.raises(
        rs.InputError, match="`cutpoints` must have one row with the threshold of 'a'"
    ):
        rs.plot_measures(every, cutpoints=cuts.query("predictor == 'b'"))


def test_names_are_beside_the_ends_of_their_lines(every):
    ax = rs.plot_measures(every, ["tpr", "tnr", "ppv"])
    ax.figure.draw_without_rendering()
    right = ax.get_window_extent().x1
    places = [Text.get_window_extent(text) for text in ax.texts]
    assert min(box.x0 for box in places) > right
    # from the lowest end to the highest, apart from each other
    last = [ax.transData.transform(line.get_xydata()[-1])[1] for line in ax.lines]
    order = np.argsort(last, kind="stable")
    assert all(places[a].y1 <= places[b].y0 for a, b in pairwise(order))
    # without a layout there is no margin: names are on the lines, or in a key
    bare = rs.plot_measures(every, ax=Figure().subplots())
    inside = bare.get_window_extent()
    assert all(Text.get_window_extent(text).x1 <= inside.x1 for text in bare.texts)
    assert texts(bare) == ["Sensitivity", "Specificity"]


def test_messages(every):
    two = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    with pytest.raises(rs.InputError, match=r"`frame` must be of one predictor .* got a, b. Pass"):
        rs.plot_measures(two.operating_points(threshold="all"))
    with pytest.raises(
        rs.InputError, match=r"`quantities` must be among the measures .* got \['auc'\]"
    ):
        rs.plot_measures(every, ["auc"])
    with pytest.raises(rs.InputError, match="`quantities` must be among the measures of the frame"):
        rs.plot_measures(every, [])
    with pytest.raises(rs.InputError, match="`quantities` must share an axis: ratios alone"):
        rs.plot_measures(every, ["tpr", "lr_positive"])
    beyond = every[np.isinf(every["threshold"])]
    with pytest.raises(rs.InputError, match=r"must have a finite threshold.* none for tpr, tnr"):
        rs.plot_measures(beyond)
