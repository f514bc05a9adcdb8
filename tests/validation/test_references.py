"""Every number of validation/*/*/expected.csv, one test a case, and a guard that counts them."""

from __future__ import annotations

import csv
from collections import Counter

import pandas as pd
import pytest

from tests.quick import each
from validation.__main__ import main
from validation.harness import (
    FILES,
    Case,
    ask,
    check,
    deviation,
    find,
    list_cases,
    read_all_rows,
    read_rows,
)
from validation.ledger.table import MEASURED, read_ledger

ROWS = read_all_rows()
N_ROWS = {
    "binormal": 183,
    "calibration": 34,
    "called_measures": 8,
    "chance": 410,
    "comparisons": 57,
    "costs": 113,
    "covariates": 11,
    "delong_examples": 433,
    "design": 41,
    "fawcett": 2566,
    "hanley_mcneil": 109,
    "imputation": 12,
    "items": 24,
    "multiclass": 91,
    "net_benefit": 460,
    "obuchowski": 77,
    "ordinal": 16,
    "paired_tables": 327,
    "precision_recall": 142,
    "published": 94,
    "r_criterion_table": 888,
    "r_cutpointr": 73,
    "r_epir": 570,
    "r_imrmc": 165,
    "r_mice": 74,
    "r_optimalcutpoints": 149,
    "r_proc": 2062,
    "r_proc_best": 55,
    "r_proc_curves": 25,
    "r_proc_power": 42,
    "r_riskregression": 36,
    "r_rms": 159,
    "r_rocr": 860,
    "r_rocr_average": 84,
    "r_survival": 36,
    "r_timeroc": 60,
    "readers": 539,
    "sklearn": 72,
    "statsmodels": 200,
    "survival": 73,
    "verification": 27,
}


def told(outcome):
    row = outcome.row
    return (
        f"{row.id}: {row.question}{row.arguments} {row.where} {row.column}: expected"
        f" {row.expected!r} ({row.origin}, tolerance {row.tolerance}), found {outcome.found!r}"
    )


@pytest.mark.parametrize("case", list_cases(), ids=lambda case: f"{case.authority}/{case.name}")
def test_every_row_of_a_case_agrees(case):
    outcomes = [check(row) for row in read_rows(case)]
    apart = [told(outcome) for outcome in outcomes if not outcome.agrees]
    assert not apart, "\n".join(apart)


def test_number_of_rows():
    assert Counter(row.case.authority for row in ROWS) == N_ROWS


@each("case", list_cases())
def test_case_is_complete(case):
    assert sorted(path.name for path in case.folder.iterdir()) == sorted(FILES)
    assert len(read_rows(case)) > 0
    readme = (case.folder / "README.md").read_text(encoding="utf-8")
    assert "Made by `" in readme
    assert "Source" in readme


def test_computed_rows_are_held_to_ten_digits():
    assert {row.tolerance for row in ROWS if row.origin == "computed"} == {1e-10}


def test_no_row_is_given_twice():
    asked = Counter(
        (row.case, row.question, row.arguments, row.where, row.column, row.origin) for row in ROWS
    )
    assert [key for key, count in asked.items() if count > 1] == []


def test_deviation():
    nan, inf = float("nan"), float("inf")
    assert deviation(1.1, 1.0) == pytest.approx(0.1)
    assert deviation(-1.0, 1.0) == 2.0
    assert deviation(inf, inf) == deviation(nan, nan) == deviation(0.0, 0.0) == 0.0
    assert deviation(1e-300, 0.0) == deviation(nan, 1.0) == deviation(1.0, inf) == inf


def wrong_case(root, expected, tolerance, origin):
    """A case of four instances with an AUC of 0.75, and one row."""
    folder = root / "nobody" / "four"
    folder.mkdir(parents=True)
    (folder / "input.csv").write_text("y,s\n1,4\n0,3\n1,2\n0,1\n")
    (folder / "study.json").write_text('{"y_true": "y", "y_score": "s"}')
    with (folder / "expected.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["question", "arguments", "where", "column", "expected", "tolerance", "origin"]
        )
        where = '{"predictor": "s"}'
        writer.writerow(["auc", "{}", where, "estimate", expected, tolerance, origin])
    return Case("nobody", "four", root)


@pytest.mark.parametrize(
    ("expected", "tolerance", "origin", "agrees"),
    [
        ("0.75", "1e-10", "computed", True),
        ("0.7500001", "1e-10", "computed", False),
        ("0.8", "0.05", "printed", True),
        ("0.7", "0.005", "printed", False),
        ("nan", "0.005", "derived", False),
    ],
)
def test_a_wrong_number_is_found(tmp_path, expected, tolerance, origin, agrees):
    (row,) = read_rows(wrong_case(tmp_path, expected, tolerance, origin))
    assert check(row).agrees is agrees


def test_an_unknown_origin_is_refused(tmp_path):
    with pytest.raises(ValueError, match="origin must be one of"):
        read_rows(wrong_case(tmp_path, "0.75", "1e-10", "remembered"))


def test_a_row_must_select_one_number(tmp_path):
    case = wrong_case(tmp_path, "0.75", "1e-10", "computed")
    columns = ask(case, "roc_curve", "{}")
    assert find(columns, {"threshold": "inf"}, "tpr") == 0.0
    with pytest.raises(LookupError, match="selects 5"):
        find(columns, {"predictor": "s"}, "tpr")
    with pytest.raises(LookupError, match="selects 0"):
        find(columns, {"threshold": 17}, "tpr")


def test_the_command_prints_one_line_an_authority_and_writes_the_ledger(capsys, tmp_path):
    # Here, where every number has been compared already, and is not compared again.
    written = tmp_path / "ledger.csv"
    assert main(ledger=written) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[1:]] == list(N_ROWS)
    found, committed = read_ledger(written), read_ledger()
    differ = "ledger.csv is old: run `python -m validation`"
    # How far a number is from another's is the machine's; that it is near enough is tested above.
    pd.testing.assert_frame_equal(
        found.drop(columns=MEASURED), committed.drop(columns=MEASURED), obj=differ
    )
    for name in MEASURED:
        assert ((found[name] == "") == (committed[name] == "")).all(), differ
