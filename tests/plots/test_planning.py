from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

import rocstats as rs
from rocstats.plots.axes import PALETTE
from tests.plots.drawn import names_of

SIZES = [30, 60, 120]


def plan(auc, **keywords):
    return rs.power(auc=auc, null_auc=0.7, n_pos=SIZES, n_neg=SIZES, **keywords)


def test_a_line_is_the_power_over_all_cases():
    frame = plan(0.8).iloc[::-1]
    ax = rs.plot_power(frame)
    (line,) = ax.lines
    assert line.get_xdata().tolist() == [60, 120, 240]
    assert line.get_ydata() == pytest.approx(frame["power"][::-1].to_numpy())
    assert ax.get_ylim() == (0, 1)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Number of cases", "Power")
    assert ax.get_legend() is None


def test_plans_are_told_apart_by_what_differs():
    frame = pd.concat([plan(0.8), plan(0.75), plan(0.75, alpha=0.1)], ignore_index=True)
    ax = rs.plot_power(frame)
    assert names_of(ax) == [
        "true AUC 0.8, alpha 0.05",
        "true AUC 0.75, alpha 0.05",
        "true AUC 0.75, alpha 0.1",
    ]
    assert [to_rgb(line.get_color()) for line in ax.lines] == [to_rgb(c) for c in PALETTE[:3]]


def test_a_margin_that_only_one_plan_has_is_named_there():
    two = rs.TwoAUCs(0.8, 0.75)
    other = rs.TwoAUCs(0.8, 0.75, hypothesis="non-inferiority", margin=0.05)
    frames = [rs.power(design, n_pos=SIZES, n_neg=SIZES) for design in (two, other)]
    ax = rs.plot_power(pd.concat(frames))
    assert names_of(ax) == ["two-sided", "margin 0.05, non-inferiority"]


def test_a_difference_is_said_to_be_one():
    frames = [rs.power(rs.TwoAUCs(0.8, low), n_pos=SIZES, n_neg=SIZES) for low in (0.65, 0.7)]
    assert names_of(rs.plot_power(pd.concat(frames))) == [
        "true difference 0.15",
        "true difference 0.1",
    ]


def test_simulated_powers_are_dots_with_their_error():
    frame = plan(0.8, simulate=True, n_simulations=100, rng=1)
    ax = rs.plot_power(frame)
    _, dots = ax.lines
    assert np.asarray(dots.get_ydata(), dtype=float) == pytest.approx(
        frame["power_simulated"].to_numpy()
    )
    (bars,) = ax.collections
    ends = np.array([segment[:, 1] for segment in bars.get_segments()])
    assert ends == pytest.approx(frame[["power_low", "power_high"]].to_numpy())


def test_a_simulated_power_of_1_is_drawn():
    frame = rs.power(auc=0.99, n_pos=30, n_neg=30, simulate=True, n_simulations=300, rng=1)
    assert frame[["power_simulated", "power_high"]].to_numpy().tolist() == [[1, 1]]
    assert len(rs.plot_power(frame).collections) == 1


def test_a_wanted_power_is_marked():
    frame = plan(0.8)
    ax = rs.plot_power(frame, wanted=0.8)
    assert set(ax.lines[0].get_ydata()) == {0.8}
    # from where the line crosses it, down to the number of cases
    x, y = ax.lines[2].get_data()
    assert list(y) == [0, 0.8]
    assert np.interp(x[0], frame["n_cases"], frame["power"]) == pytest.approx(0.8)
    assert len(rs.plot_power(frame, wanted=0.999).lines) == 2


def test_one_number_of_cases_is_a_mark():
    frame = rs.sample_size(auc=0.8, power=0.9)
    (line,) = rs.plot_power(frame).lines
    assert line.get_marker() == "s"


def test_a_wanted_power_beyond_1_is_refused():
    with pytest.raises(rs.InputError, match=r"`wanted` must be a number strictly between 0 and 1"):
        rs.plot_power(plan(0.8), wanted=80)


@pytest.mark.parametrize(
    ("keywords", "labels"),
    [
        ({"n_readers": [5, 10]}, {"5 readers", "10 readers"}),
        ({"n_readers": 6, "n_groups": [1, 3]}, {"one group", "3 groups"}),
    ],
)
def test_a_line_for_each_number_of_readers_and_of_groups(keywords, labels):
    design = rs.ReaderDesign(0.86, 0.78, structure="HL")
    ax = rs.plot_power(rs.power(design, n_pos=SIZES, n_neg=SIZES, **keywords))
    assert len(ax.lines) == 2
    assert set(names_of(ax)) == labels
