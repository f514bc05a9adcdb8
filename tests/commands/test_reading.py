"""A file as it is meant: labels are text, and what can be read in two ways is asked for."""

from __future__ import annotations

import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pytest

from tests.commands.conftest import DESK, reads


@pytest.mark.parametrize("role", ["fold", "cluster", "group"])
def test_folds_1_1_and_1_10_are_two(ask, role):
    options = ("y", "s", f"--{role}", "fold")
    number, _ = ask("auc", DESK / "folds.csv", *options)
    named, _ = ask("auc", DESK / "folds_named.csv", *options)
    for row in number:
        if role == "group":
            row["group"] = f"r{row['group']}"
    assert number == named
    if role == "group":
        assert len(number) == 20


def test_sites_are_as_they_are_written(ask):
    rows, _ = ask("auc", DESK / "sites.csv", "y", "s", "--group", "site")
    assert [row["group"] for row in rows] == ["010", "10", "1.0", "1"]
    rows, _ = ask("subgroups", DESK / "folds.csv", "y", "s", "--by", "fold")
    assert {"1.1", "1.10"} <= {row["level"] for row in rows}


def test_blanks_at_the_ends_are_stripped_and_said(ask):
    words = ("Diagnose", "CRP", "--positive", "Sepsis", "--cluster", "ID")
    clean, said = ask("auc", DESK / "e3_cluster_clean.csv", *words)
    assert said == ""
    spaced, said = ask("auc", DESK / "e3_cluster_space.csv", *words)
    assert spaced == clean
    assert f"{clean[0]['ci_low']:.3f} {clean[0]['ci_high']:.3f}" == "0.707 0.852"
    assert "without the blanks at the ends of 60 labels in 'ID'" in said


UPPER = (DESK / "e4_upper.csv", "Diagnose", "CRP", "--positive", "sepsis")


def test_labels_that_differ_by_case_alone_are_refused(refused):
    said = refused("auc", *UPPER)
    assert "got 'keine' (59) and 'KEINE' (15) in column 'Diagnose'" in said
    assert "--fold-case if they are one label, or --keep-case if they are not" in said


def test_fold_case_makes_one_label_of_both(ask):
    folded, said = ask("auc", *UPPER, "--fold-case")
    words = ("Diagnose", "CRP", "--positive", "Sepsis")
    clean, _ = ask("auc", DESK / "e3_cluster_clean.csv", *words)
    assert folded == clean
    assert "'KEINE' as 'keine'" in said


def test_keep_case_keeps_them_apart(refused, ask, tmp_path):
    file = tmp_path / "sites.csv"
    file.write_text("y,s,site\n1,3,a\n0,1,a\n1,2,A\n0,2.5,A\n")
    rows, said = ask("auc", file, "y", "s", "--group", "site", "--keep-case")
    assert [row["group"] for row in rows] == ["a", "A"]
    assert "'a' and 'A' in `--group`" in said
    said = refused("auc", file, "y", "s", "--fold-case", "--keep-case")
    assert "`--fold-case` must be left out with --keep-case" in said


def test_a_file_of_a_statistics_package_has_stripped_labels_too(ask, tmp_path):
    file = tmp_path / "sites.parquet"
    pd.read_csv(DESK / "e3_cluster_space.csv").to_parquet(file)
    words = ("Diagnose", "CRP", "--positive", "Sepsis", "--cluster", "ID")
    rows, said = ask("auc", file, *words)
    assert rows == ask("auc", DESK / "e3_cluster_clean.csv", *words)[0]
    assert "60 labels in 'ID'" in said


def test_in_a_workbook_the_type_of_a_cell_rules(ask, tmp_path):
    book = openpyxl.Workbook()
    cells = [[1, 3, "010"], [0, 1, "010"], [1, 2, 10], [0, 2.5, 10], [1, 2, 1.5], [0, 1, 1.5]]
    for row in [["y", "s", "site"], *cells, [1, 2, "x "], [0, 3, "x"]]:
        book.active.append(row)
    book.save(tmp_path / "sites.xlsx")
    rows, said = ask("auc", tmp_path / "sites.xlsx", "y", "s", "--group", "site")
    assert [row["group"] for row in rows] == ["010", "10", "1.5", "x"]
    assert "without the blanks at the ends of 1 label in 'site'" in said


CONVENTIONS = ["0 1", "-1 1", "false true", "FALSE TRUE", "0.0 1.0", "-1 +1", "0, 1", "NA 0 1"]


@pytest.mark.parametrize("labels", CONVENTIONS)
def test_an_outcome_of_two_numbers_needs_no_positive(ask, tmp_path, labels):
    *missing, negative, positive = labels.replace(",", "").split()
    outcome = [negative, positive, positive, negative, *missing]
    text = "".join(f"{label},{k}\n" for k, label in enumerate(outcome))
    file = tmp_path / "outcome.csv"
    file.write_text(f"y,s\n{text}")
    rows, _ = ask("auc", file, "y", "s", "--missing", "omit")
    assert (rows[0]["n_pos"], rows[0]["estimate"]) == (2, 0.5)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("rows", [10**7, 4])
def test_an_outcome_of_true_and_false_has_the_positive_of_the_file(
    ask, most_rows, tmp_path, rows, ending
):
    most_rows(rows)
    frame = pd.DataFrame({"y": [True, False, True, False, False], "s": [3, 1, 4, 2, 0]})
    file = tmp_path / f"outcome.{ending}"
    if ending == "csv":
        file.write_text(frame.to_csv(index=False).replace("True", "TRUE").replace("False", "FALSE"))
    else:
        frame.to_parquet(file)
    for label, area in {"TRUE": 1, "FALSE": 0}.items():
        found, _ = ask("auc", file, "y", "s", "--positive", label)
        assert found[0]["estimate"] == area


def test_an_outcome_in_other_numbers_is_as_it_is_written(refused, ask, tmp_path):
    file = tmp_path / "outcome.csv"
    file.write_text("y,s\n01,1\n02,3\n02,2\n01,0\n")
    assert ask("auc", file, "y", "s", "--positive", "02")[0][0]["estimate"] == 1
    file.write_text("y,s\n01,1\n1,3\n1,2\n01,0\n")
    assert ask("auc", file, "y", "s", "--positive", "1")[0][0]["estimate"] == 1
    said = refused("auc", file, "y", "s")
    assert "got labels '01', '1'" in said
    file.write_text("y,s\n1,1\n2,3\n2,2\n1,0\n")
    assert ask("auc", file, "y", "s", "--positive", "2")[0][0]["estimate"] == 1


def test_readers_and_cases_are_text(run, tmp_path):
    frame = reads()
    frame["case"] = "1." + frame["case"].astype(str)  # 1.1 and 1.10 are two
    assert frame["case"].nunique() > frame["case"].astype(float).nunique()
    words = ("--truth", "truth", "--rating", "rating", "--reader", "reader", "--case", "case")
    printed = {}
    for name, each in {"numbers": frame, "named": frame.assign(case="c" + frame["case"])}.items():
        each.to_csv(tmp_path / f"{name}.csv", index=False)
        status, printed[name], said = run(
            "readers", tmp_path / f"{name}.csv", *words, "--modality", "modality"
        )
        assert status == 0, said
    assert printed["numbers"] == printed["named"]


def test_codes_of_events_lose_their_blanks(run, refused, tmp_path):
    lines = ["5,died ,3", "8,alive,1", "9,died,2", "11,alive,2", "12,died,1", "14,alive ,0"]
    file = tmp_path / "patients.csv"
    file.write_text("\n".join(["months,event,s", *lines]))
    words = ("--time", 10, "--event", "died", "--censored", "alive")
    status, _, said = run("survival", file, "months", "event", "s", *words)
    assert status == 0, said
    assert "2 labels in 'event'" in said
    file.write_text("\n".join(["months,event,s", *lines, "15,Died,1"]))
    said = refused("survival", file, "months", "event", "s", *words)
    assert "'died' (3) and 'Died' (1) in column 'event'" in said


def test_names_of_yes_no_tests_are_text(run, tmp_path):
    file = tmp_path / "tests.csv"
    file.write_text("test,tp,fp,fn,tn\n010,5,2,1,9\n10,6,3,2,8\n")
    status, printed, said = run("table", "--file", file, "--quantity", "tpr")
    assert status == 0
    assert "rocstats: 010: true positives 5" in said
    assert "010" in printed


# --- Thousands ------------------------------------------------------------------------------------


def test_a_point_that_may_divide_thousands_is_asked_for(refused, ask):
    said = refused("auc", DESK / "thousands.csv", "ill", "plt")
    assert "`--decimal` must be given" in said
    assert "'1.234' in column 'plt' of 'thousands.csv'" in said
    assert 'Pass --decimal "," or --decimal "." (or --thousands)' in said
    for option in ("--decimal=,", "--thousands=."):
        rows, _ = ask("auc", DESK / "thousands.csv", "ill", "plt", option)
        assert rows[0]["estimate"] == 8 / 9


# --- Cells and their rows -------------------------------------------------------------------------

CULPRITS = {
    "e1_limit_en.csv": "got 12 cells of text in column 'CRP': '<0.5' (row 3). If they are beyond a"
    " limit of detection, pass --below-limit lowest.",
    "e2_na.csv": "got 7 cells of text in column 'CRP': 'n/a' (row 7).",
}


@pytest.mark.parametrize("name", CULPRITS)
def test_cells_that_are_no_numbers_are_named_with_their_rows(refused, name):
    said = refused("auc", DESK / name, "Diagnose", "CRP", "--positive", "Sepsis")
    assert CULPRITS[name] in said


def test_rows_are_counted_as_a_spreadsheet_counts_them(refused, tmp_path):
    """Empty rows are counted, and a field of two lines is in one row."""
    file = tmp_path / "rows.csv"
    file.write_text('\ny,s,n\n0,1,1\n\n,,\n1,"2\n3",1\n0,x,1\n1,4,0.5\n')
    said = refused("auc", file, "y", "s")
    assert "'x' (row 7)" in said
    said = refused("auc", file, "y", "n", "--frequency", "n")
    assert "got 0.5 in row 8" in said
    book = openpyxl.Workbook()
    for cells in [[], ["y", "s"], [0, 1], [], [1, "x"], [1, 2]]:
        book.active.append(cells)
    book.save(tmp_path / "rows.xlsx")
    said = refused("auc", tmp_path / "rows.xlsx", "y", "s")
    assert "'x' (row 5)" in said
    tests = tmp_path / "tests.csv"
    tests.write_text("test,tp,fp,fn,tn\na,1,2,3,4\nb,1,2,3,x\n")
    said = refused("table", "--file", tests)
    assert "in column 'tn': 'x' (row 3). Write the number of cases." in said


# --- Files too large for memory -------------------------------------------------------------------


@pytest.fixture
def large(most_rows, tmp_path):
    """Write a file that an engine reads."""
    most_rows(4)

    def call(text):
        file = tmp_path / "large.csv"
        file.write_text(text)
        return file

    return call


SITES = (DESK / "sites.csv").read_text()


def test_an_engine_reads_labels_as_text(ask, large):
    text = "".join(f"{line}\n" for line in [*SITES.split(), "1,3,9", "0,2,9"])
    rows, said = ask("auc", large(text.replace(",010\n", ",010 \n")), "y", "s", "--group", "site")
    assert [row["group"] for row in rows] == ["1", "1.0", "9", "010", "10"]
    assert "2 labels in 'site'" in said


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_engine_finds_names_with_blanks_at_their_ends(refused, ask, large, ending):
    file = large(" y,s ,site\n1,3,010\n0,1,010\n1,2,10\n0,2.5,10\n0,2,10\n")
    if ending == "parquet":
        frame = pd.read_csv(file, dtype={"site": str})
        file = file.with_suffix(".parquet")
        frame.to_parquet(file)
    rows, _ = ask("auc", file, "y", "s", "--group", "site")
    assert [(row["group"], row["estimate"]) for row in rows] == [("010", 1), ("10", 0.25)]
    frame = pd.DataFrame({"y": [0, 1] * 3, "s": range(6), " s": range(6)})
    twice = file.with_name("twice.parquet")
    frame.to_parquet(twice)
    said = refused("auc", twice, "y", "s")
    assert "got ['s'] more than once in 'twice.parquet'" in said


def test_an_engine_reads_outcomes_as_text_unless_they_are_numbers(ask, large):
    text = "y,s\n01,1\n1,3\n1,2\n01,0\n01 ,0\n"
    assert ask("auc", large(text), "y", "s", "--positive", "1")[0][0]["estimate"] == 1
    text = text.replace("01", "-1")
    assert ask("auc", large(text), "y", "s")[0][0]["estimate"] == 1


def test_points_that_may_divide_thousands_are_asked_for_in_a_large_file(refused, ask, large):
    file = large("y;s;t\n1;1.234;1\n0;900;1\n1;2.100;2\n0;850;2\n0;1;2\n")
    said = refused("auc", file, "y", "s", "--sep", ";")
    assert "`--decimal` must be given" in said
    assert ask("auc", file, "y", "s", "--sep", ";", "--decimal", ".")[0][0]["estimate"] == 1 / 3
    said = refused("auc", file, "y", "s", "--sep", ";", "--thousands", ".")
    assert "`--thousands` must be left out for a file of more" in said


def test_an_engine_refuses_labels_that_differ_by_case_alone(run, refused, large):
    file = large("y,s,site\n1,3,a\n0,1,a\n1,2,A\n0,2.5,A\n0,2,A\n")
    said = refused("auc", file, "y", "s", "--group", "site")
    assert "'A' (3) and 'a' (2) in column 'site'" in said
    assert run("auc", file, "y", "s", "--group", "site", "--keep-case")[0] == 0
    said = refused("auc", file, "y", "s", "--fold-case")
    assert "`--fold-case` must be left out for a file of more" in said


# --- Files as they come from a desk ---------------------------------------------------------------

KLINIK = ("Enddiagnose", "CRP (mg/l)", "--positive", "Sepsis")
READ = ("--header-row", "2", "--footer-rows", "1", "--fold-case", "--na", "auto")
LIMITS = ("--below-limit", "lowest", "--above-limit", "highest")


@pytest.mark.parametrize("name", ["klinik.csv", "klinik.xlsx"])
def test_every_message_on_an_export_names_its_mend(refused, ask, name):
    file = DESK / name
    assert "pass --header-row with the number" in refused("auc", file, *KLINIK)
    said = refused("auc", file, *KLINIK, "--header-row", "2")
    assert "got 'Summe' in its last row, 123" in said
    assert "Pass --footer-rows 1" in said
    said = refused("auc", file, *KLINIK, *READ[:4])
    assert "--fold-case if they are one label" in said
    said = refused("auc", file, *KLINIK, *READ)
    assert "'<0,5' (row 4)" in said
    assert "--below-limit lowest" in said
    rows, said = ask("auc", file, *KLINIK, *READ, *LIMITS)
    assert (rows[0]["n_pos"], rows[0]["n_neg"]) == (51, 69)
    assert "'<0,5' (2) as the lowest in 'CRP (mg/l)', tied" in said
    assert "without the last row" in said
    assert "Column 'ID' has 120 rows but 114 values" in said


def test_an_export_in_two_formats_is_one_study(ask):
    words = (*KLINIK, *READ, *LIMITS, "--cluster", "ID")
    text, _ = ask("auc", DESK / "klinik.csv", *words)
    sheet, _ = ask("auc", DESK / "klinik.xlsx", *words)
    assert text == sheet


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("e1_limit_en.csv", ("--below-limit", "lowest")),
        ("e2_na.csv", ("--na", "auto", "--missing", "omit")),
        ("e2_na.csv", ("--na", "n/a", "--missing", "omit")),
    ],
)
def test_the_culprit_among_numbers_and_its_mend(refused, ask, name, mend):
    words = ("Diagnose", "CRP", "--positive", "Sepsis")
    said = refused("auc", DESK / name, *words)
    assert "30.8" not in said
    assert mend[0] in said
    rows, _ = ask("auc", DESK / name, *words, *mend)
    assert rows[0]["n_pos"] > 40


def test_percentages_are_read_without_their_signs_and_that_is_said(refused, ask, tmp_path):
    words = ("Diagnose", "CRP", "--positive", "Sepsis", "--cluster", "ID")
    rows, said = ask("auc", DESK / "e6b_pct.csv", *words)
    assert rows == ask("auc", DESK / "e3_cluster_clean.csv", *words)[0]
    assert "read e6b_pct.csv: without the percent signs in 'CRP'" in said
    mixed = tmp_path / "mixed.csv"
    mixed.write_text((DESK / "e6b_pct.csv").read_text().replace("0.6%", "0.6"))
    assert "'30.8%' (row 2)" in refused("auc", mixed, *words)


def test_a_code_for_a_missing_value_is_hinted_at(ask):
    words = ("Diagnose", "CRP", "--positive", "Sepsis", "--cluster", "ID")
    _, said = ask("auc", DESK / "e7_sentinel.csv", *words)
    assert "7 values of 'CRP' are 999" in said
    mend = ("--missing-code", "999", "--missing", "omit")
    rows, said = ask("auc", DESK / "e7_sentinel.csv", *words, *mend)
    assert rows[0]["n_pos"] + rows[0]["n_neg"] == 113
    assert "'999' (7) as missing in 'CRP'" in said
    assert "hint" not in said


def test_rows_of_a_condition_and_ranges(ask, refused):
    words = ("Diagnose", "CRP", "--positive", "Sepsis", "--cluster", "ID")
    file = DESK / "e3_cluster_clean.csv"
    rows, said = ask("auc", file, *words, "--filter", "CRP < 40")
    assert "rows with CRP < 40 only" in said
    by_hand = pd.read_csv(file).query("CRP < 40")
    assert rows[0]["n_pos"] == (by_hand["Diagnose"] == "Sepsis").sum()
    assert "`--filter` must" in refused("auc", file, *words, "--filter", "CRP.max() > 3")


def test_ranges_are_groups(ask, tmp_path):
    file = tmp_path / "ages.csv"
    ages = [20, 30, 45, 50, 70, 80, 85, 39]
    pd.DataFrame({"ill": [0, 1] * 4, "s": range(8), "age": ages}).to_csv(file, index=False)
    rows, _ = ask("auc", file, "ill", "s", "--group", "age", "--cut", "age=40,60")
    found = {row["group"]: row["n_pos"] + row["n_neg"] for row in rows}
    assert found == {"under 40": 3, "40 to under 60": 2, "60 and over": 3}


def test_dates_are_no_groups(refused):
    words = (*KLINIK, *READ, *LIMITS, "--group", "Aufnahme")
    for name in ("klinik.csv", "klinik.xlsx"):
        said = refused("auc", DESK / name, *words)
        assert "`--group` must not be dates" in said
        assert "'Aufnahme'" in said


def test_readers_in_columns(run, refused):
    words = ("--truth", "truth", "--case", "case")
    status, printed, _ = run("readers", DESK / "readers_wide.csv", *words, "--reader-column", "R*")
    assert status == 0
    assert [f"R{k}" in printed for k in (1, 2, 3, 4)] == [True] * 4
    assert "Some reads of a fully crossed study are missing: 16." in printed
    said = refused("readers", DESK / "readers_wide.csv", *words)
    assert "--reader-column for a file with a column for each reader" in said


def test_cells_of_a_two_by_two_table_in_any_case(run, tmp_path):
    file = tmp_path / "tests.csv"
    file.write_text("test,TP,Fp,fn,TN\na,14,8,6,22\n")
    status, printed, _ = run("table", "--file", file)
    assert status == 0
    assert "14" in printed
