"""The commands about yes/no tests: table and verified-table."""

from __future__ import annotations

import pytest

import rocstats as rs
from tests.commands.conftest import require_same


def test_a_table_of_counts_is_said_with_names(ask):
    rows, said = ask("table", 670, 202, 74, 640, "--prevalence", "0.05")
    assert said == (
        "rocstats: test: true positives 670, false positives 202, false negatives 74,"
        " true negatives 640"
    )
    study = rs.Study.from_confusion(tp=670, fp=202, fn=74, tn=640, predictor="test")
    require_same(rows, study.operating_points(prevalence=[0.05]))
    (sensitivity,) = (row["estimate"] for row in rows if row["quantity"] == "tpr")
    assert sensitivity == 670 / 744


@pytest.mark.usefixtures("folder")
def test_a_file_of_tables_has_a_row_a_test(ask):
    rows, said = ask("table", "--file", "two_by_two.csv", "--quantity", "tnr")
    # Specificities of the two rows: 640 / (202 + 640) and 711 / (131 + 711).
    found = {row["predictor"]: row["estimate"] for row in rows}
    assert found == {"rapid": 640 / 842, "laboratory": 711 / 842}
    assert "rocstats: laboratory: true positives 698, false positives 131" in said


@pytest.mark.usefixtures("folder")
def test_independent_tests_are_compared(ask):
    (row,), _ = ask("table", "--file", "two_by_two.csv", "--independent", "--quantity", "tpr")
    assert (row["group"], row["reference"]) == ("rapid", "laboratory")
    assert row["estimate"] == pytest.approx(670 / 744 - 698 / 744, abs=1e-15)


def test_tests_of_tables_are_drawn(run, folder):
    figure = folder / "tests.svg"
    status, out, err = run("table", "--file", "two_by_two.csv", "--figure", figure)
    assert (status, out.splitlines()[-1]) == (0, str(figure))
    assert "tables do not say which cases the tests share" in err
    assert figure.read_bytes().startswith(b"<?xml")


def test_rates_are_corrected_for_partial_verification(ask):
    tested = {"n_test_positive": 429, "n_test_negative": 221}
    options = [word for name in tested for word in (f"--{name.replace('_', '-')}", tested[name])]
    rows, _ = ask("verified-table", 231, 32, 27, 54, *options)
    require_same(rows, rs.begg_greenes(tp=231, fp=32, fn=27, tn=54, **tested))
