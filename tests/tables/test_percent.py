"""Rates as percentages with their counts, and the rates that have none."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.tables.text import format_estimate, format_number

STUDY = rs.Study.from_confusion(tp=181, fn=31, fp=30, tn=327)
Y = np.tile([1, 0], 30)
SCORE = np.arange(60) % 7 + Y


def cell(frame, style="radiology", **options):
    """The first cell of a long table that has an estimate."""
    table = rs.format_table(frame, style, **options)
    return next(table[head].iloc[0] for head in table if "CI)" in head)


def test_a_rate_is_printed_as_journals_print_it():
    # 181/212 = .85377, Wilson's limits .79992 and .89504
    assert (
        format_estimate(
            181 / 212, 0.79992, 0.89504, style="radiology", percent="%", fraction="181 of 212"
        )
        == "85% (181 of 212; 95% CI: 80, 90)"
    )
    points = STUDY.operating_points(threshold=1, quantities=["tpr"])
    assert cell(points) == "85% (181 of 212; 80, 90)"
    assert cell(points, "jama") == "85% (181/212; 80%-90%)"
    assert cell(points, "plain") == "0.854 (0.800-0.895)"
    assert cell(points, "plain", percent=True) == "85.4% (181/212; 80.0-89.5)"
    assert cell(points, "radiology", percent=False) == "0.85 (0.80, 0.90)"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.285, 3, "28.5%"),
        (0.285, 2, "29%"),
        (0.999, 2, ">99%"),
        (0.001, 2, "<1%"),
        (1.0, 2, "100%"),
    ],
)
def test_a_percentage_is_rounded_from_its_decimals(value, digits, text):
    assert format_number(value, digits, guard=(0, 1), percent="%") == text


def test_differences_of_rates_are_percentage_points():
    study = rs.Study(Y, {"a": SCORE, "b": np.arange(60) % 5 + Y})
    frame = study.compare_operating_points(threshold=4, quantities=["tpr"])
    table = rs.format_table(frame, "radiology")
    (head,) = (name for name in map(str, table) if name.endswith("CI)"))
    assert head == "Difference in sensitivity, percentage points (95% CI)"
    # 16 of 30 and 12 of 30 are called
    assert table[head].iloc[0].startswith("13 (")


def test_corrected_rates_stand_beside_no_counts():
    frame = rs.Study(Y, SCORE).cutpoints(n_resamples=100, rng=1)
    table = rs.format_table(frame, "radiology").set_index("Quantity")
    corrected = "Sensitivity, corrected for optimism"
    assert " of " not in table.loc[corrected, "Estimate (95% CI)"]
    assert table.loc[corrected, "Apparent"].endswith(f"({int(frame['tp'].iloc[1])} of 30)")


def test_rates_that_calls_do_not_make_stand_without_calls():
    calls = {"TP", "FN", "FP", "TN"}
    usual = rs.Study(Y, SCORE).operating_points(threshold=4)
    assert calls <= set(rs.format_table(usual, layout="wide"))
    options = {"prevalence": 0.1, "quantities": ["ppv", "npv"]}
    elsewhere = rs.Study(Y, SCORE).operating_points(threshold=4, **options)
    with pytest.warns(rs.StatisticalWarning):
        weighted = rs.Study(Y, SCORE, sample_weight=np.arange(60) % 3 + 1.0).operating_points(
            threshold=4
        )
    verified = rs.begg_greenes(tp=30, fp=10, fn=4, tn=40, n_test_positive=60, n_test_negative=90)
    for frame in (elsewhere, weighted, verified):
        assert not calls & set(rs.format_table(frame, layout="wide"))
        for layout in ("long", "wide"):
            table = rs.format_table(frame, "radiology", layout=layout)
            assert not any("n/N" in head for head in table)
            assert not table.astype(str).apply(lambda c: c.str.contains(" of ")).to_numpy().any()


def test_a_sheet_has_percentages_and_their_counts(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    points = STUDY.operating_points(threshold=1, quantities=["tpr", "lr_positive"])
    path = rs.save_table(points, tmp_path / "a.xlsx", style="radiology")
    sheet = openpyxl.load_workbook(path).active
    heads = [one.value for one in sheet[1]]
    first = dict(zip(heads, sheet[2], strict=True))
    assert first["Estimate"].value == points["estimate"].iloc[0]
    assert first["Estimate"].number_format.startswith("0%")
    assert first["Estimate: n/N"].value == "181 of 212"


def test_percent_is_a_flag():
    with pytest.raises(rs.InputError, match="`percent` must be"):
        rs.format_table(STUDY.operating_points(threshold=1), percent="yes")
