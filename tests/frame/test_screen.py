"""The texts of numbers on the screen: decimals of the unit, P values, many rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.frame.screen import Answer


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")


def cells_of(frame: pd.DataFrame) -> list[list[str]]:
    return [line.split()[1:] for line in repr(frame).splitlines()[1:-1]]


def test_a_threshold_has_the_decimals_of_its_score():
    frame = Answer(
        {
            "predictor": ["troponin", "troponin", "area", "area"],
            "quantity": ["threshold", "tpr", "threshold", "tpr"],
            "threshold": [0.0489, 0.0489, 696.25, 696.25],
            "estimate": [0.0489, 0.91, 696.25, 0.8],
        }
    )
    assert cells_of(frame) == [
        ["troponin", "threshold", "0.0489", "0.0489"],
        ["troponin", "tpr", "0.0489", "0.910"],
        ["area", "threshold", "696.25", "696.25"],
        ["area", "tpr", "696.25", "0.800"],
    ]


def test_a_small_p_value_leaves_the_others_as_they_are():
    frame = Answer({"estimate": [0.9, 0.8, 0.7, 0.6], "p_value": [3.21e-17, 0.0451, 0.5, np.nan]})
    assert [row[1] for row in cells_of(frame)] == ["3e-17", "0.045", "0.500", "NaN"]
    html = frame._repr_html_()
    assert "<td>3e-17</td>" in html
    assert "<td>0.045</td>" in html


def test_whole_numbers_have_no_decimals_but_estimates_do():
    frame = Answer({"threshold": [1.0, 5.0], "df": [np.inf, 2.0], "estimate": [1.0, 0.0]})
    assert cells_of(frame) == [["1", "inf", "1.000"], ["5", "2", "0.000"]]


@pytest.mark.parametrize("n_rows", [60, 61, 500])
def test_many_rows_are_cut_as_pandas_cuts_them(n_rows):
    values = np.arange(n_rows) / n_rows
    frame = Answer({"predictor": [f"x{i}" for i in range(n_rows)], "estimate": values})
    shown = [line.split()[0] for line in repr(frame).splitlines()[1:-1]]
    with pd.option_context("display.show_dimensions", False):
        plain = [line.split()[0] for line in repr(pd.DataFrame(frame)).splitlines()[1:]]
    assert shown == plain
    assert frame._repr_html_().count("<tr") == len(plain) + 1


def test_a_pair_has_both_names(rng):
    y = np.repeat([1, 0], 40)
    study = rs.Study(y, {"new": rng.normal(size=80) + y, "old": rng.normal(size=80) + y})
    assert cells_of(study.compare_auc())[0][:2] == ["new", "old"]


def test_an_estimate_has_the_decimals_of_its_limits():
    frame = Answer({"estimate": [0.0044], "ci_low": [-0.0032], "ci_high": [0.0121]})
    assert cells_of(frame) == [["0.004", "-0.003", "0.012"]]


# --- The P value that is seen ---------------------------------------------------------------------


def compared(adjust="bonferroni", names=("new", "old", "none")):
    """Return the differences of three predictors, of which two are alike."""
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], 40)
    scores = {name: rng.normal(size=80) + y * k for k, name in enumerate(names)}
    return rs.Study(y, scores).compare_auc(adjust=adjust)


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "single-step"])
def test_the_adjusted_p_value_is_the_first_one(adjust, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    frame = compared(adjust)
    heads = repr(frame).splitlines()[0].split()
    assert heads[-1] == "p_adjusted"
    assert "p_value" not in heads
    shown = list(rs.brief(frame).columns)
    assert shown.index("p_value") == shown.index("p_adjusted") + 1
    table = list(rs.format_table(frame).columns)
    assert table.index("P value") == table.index("Adjusted P value") + 1
    # Stored, the order is that of the question.
    assert list(frame.columns).index("p_adjusted") == list(frame.columns).index("p_value") + 1


def test_adjusted_p_values_that_are_all_1_are_shown():
    frame = compared().assign(p_adjusted=1.0)
    frame = Answer(frame[["predictor", "reference", "estimate", "p_value", "p_adjusted"]])
    assert list(rs.brief(frame).columns)[-2:] == ["p_adjusted", "p_value"]


def test_p_values_without_an_adjustment_are_shown_once():
    frame = compared("none")
    assert "p_adjusted" not in rs.brief(frame)
    assert "p_value" in repr(frame).splitlines()[0]


@pytest.mark.parametrize("adjust", ["bonferroni", "none"])
@pytest.mark.parametrize("length", [8, 14, 20, 40])
def test_words_give_way_before_the_p_value(adjust, length, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    frame = compared(adjust, [f"{name}{'x' * length}" for name in ("new", "old", "none")])
    lines = repr(frame).splitlines()
    heads = lines[0].split()
    assert ("p_value" if adjust == "none" else "p_adjusted") in heads
    assert max(map(len, lines)) <= 80
    # What a hidden column of words says for all rows stands below.
    assert ("quantity" in heads) != ("In all rows: quantity auc_difference" in lines)
