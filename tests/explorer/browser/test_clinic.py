"""Eight small studies, from a file by one command to a page: what a clinician looks for is on it.

The table below has the expectations that a report is to meet; a row is a study, an expectation, the
place on the page and what is written there: the result, or the reason why there can be none.
Margins, simultaneous intervals and the size of a study are questions of commands of their own.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import docx
import pandas as pd
import pytest

import rocstats as rs
from rocstats import cli
from tests.commands.conftest import CLINIC
from tests.explorer.browser.expected import expected_of, rows_of, shows
from tests.explorer.browser.pages import Page, is_shown

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]

SHARE = 0.05
LESIONS = ("--lower", "Albumin", "--cluster", "Patient ID", "--missing", "omit")
LESIONS = ("Diagnose", "Prüfgröße (µg/l)", "Albumin", "--positive", "bösartig", *LESIONS)
STUDIES = {
    "german": (CLINIC / "german.csv", *LESIONS),
    "cp1252": (CLINIC / "german_cp1252.csv", *LESIONS),
    "sheets": (CLINIC / "sheets.xlsx", "Diagnose", "Läsionsgröße", *LESIONS[1:]),
    "missing": (
        *(CLINIC / "two_tests_missing.csv", "disease", "test_a", "test_b"),
        *("--positive", "yes", "--missing", "available"),
    ),
    "ratings": (CLINIC / "ratings.csv", "status", "rating", "--frequency", "n"),
    "tables": ("--tables", CLINIC / "two_by_two.csv"),
    "folds": (
        *(CLINIC / "folds.csv", "y", "logistic", "forest"),
        *("--fold", "fold", "--cluster", "case"),
    ),
    "example": ("--example",),
}
GRADED = [name for name in STUDIES if name != "tables"]
CLUSTERED = ["german", "cp1252", "sheets", "folds"]
PAIRED = ["german", "cp1252", "sheets", "folds", "example"]

LIMITS = r"\d\.\d{3} \(\d\.\d{3}-\d\.\d{3}\)"
SIGNED = r"−?\d\.\d{3} \(−?\d\.\d{3} to −?\d\.\d{3}\)"
NO_CURVE = "no curve, no area under it, and no cutoff to choose"
CRITERION = r"Cutoff\tFound, of 100.*\n.+\(.+\)\n.+\(.+\)"
P_VALUE = r"\t(<0\.001|0\.\d{3})\t"
CONTROLS = "[data-part=controls]"
ROC, AREAS, ACCURACY = "[data-part=figure-roc]", "section.areas", "section.accuracy"
STUDIED, METHODS, LIMITS_OF = "section.studied", "section.methods", "section.limits"


def _rows(expectation, names, place, text):
    return [(expectation, name, place, text) for name in names]


EXPECTED = [
    *_rows("AUC with interval", GRADED, AREAS, r"AUC \(95% CI\)[\s\S]+?" + LIMITS),
    *_rows("AUC with interval", ["tables"], AREAS, NO_CURVE),
    *_rows("honest interval at AUC 1", ["perfect"], AREAS, r"1\.000 \(0\.[1-9]\d\d-1\.000\)"),
    *_rows("P against 0.5", GRADED, AREAS, LIMITS + P_VALUE),
    *_rows("paired areas", [*PAIRED, "missing"], AREAS, r"Difference in AUC[\s\S]+" + SIGNED),
    *_rows("paired rates", PAIRED, ACCURACY, r"Paired differences at[\s\S]+" + SIGNED),
    *_rows("paired rates", ["missing", "tables"], LIMITS_OF, "are not compared in pairs"),
    *_rows("adjusted P", ["sheets", "example"], AREAS, "Adjusted P value"),
    *_rows("adjusted P", ["sheets", "example"], ACCURACY, r"Adjusted P value, sensitivity"),
    *_rows("rates at a cutoff", GRADED, ACCURACY, r"Sensitivity, corrected \(95% CI\)\t" + LIMITS),
    *_rows("rates at a cutoff", ["tables"], ACCURACY, r"Specificity \(95% CI\)\t" + LIMITS),
    *_rows("criterion table", ["missing", "ratings", "example"], ROC, CRITERION),
    *_rows("criterion table", CLUSTERED, ROC, CRITERION.replace(r".+\(.+\)", r"\S+\t\S+\t\S+")),
    *_rows("criterion table", CLUSTERED, ROC, "of a cluster are not independent"),
    *_rows("all cutoffs", ["ratings"], CONTROLS, "All 4 cutoffs: the data are a table of counts"),
    *_rows("some cutoffs", ["example"], CONTROLS, r"\d+ of 541 cutoffs, so that no woman is"),
    *_rows("some cutoffs", ["example"], ROC, "at least 5 women lie between two"),
    *_rows("best cutoff with interval", GRADED, ACCURACY, r"Cutoff \(95% CI\)\t[≥≤] .+ \(.+\)"),
    *_rows("best cutoff with interval", ["tables"], AREAS, NO_CURVE),
    *_rows("corrected rates, labelled", GRADED, ACCURACY, r"Sensitivity, apparent\t0\.\d{3}"),
    *_rows("corrected rates, labelled", GRADED, "[data-part=notice]", "Chosen after seeing"),
    *_rows("predictive values", STUDIES, ACCURACY, r"PPV at prevalence 0\.05.*\t" + LIMITS),
    *_rows("two by two table", STUDIES, ACCURACY, r"Found \(TP\)\t\d+[\s\S]+Cleared \(TN\)\t\d+"),
    *_rows("whole-curve band", GRADED, ROC, "shaded: 95% band, whole curve"),
    *_rows("cutoff on the curve", GRADED, ROC, r"chosen, corrected; box: 95% limits of each rate"),
    *_rows("cutoff on the curve", ["tables"], ROC, r"rapid; box: 95% limits of each rate"),
    *_rows("clusters", ["german", "cp1252", "sheets"], STUDIED, "109 patients"),
    *_rows("clusters", CLUSTERED, METHODS, "Obuchowski for clustered data"),
    *_rows("clusters", CLUSTERED, METHODS, "ratio estimator for clustered data"),
    *_rows("clusters", ["german", "cp1252", "sheets"], "[data-part=answer]", "100 cases with"),
    *_rows("folds", ["folds"], "[data-part=answer]", "100 patients with"),
    *_rows("folds", ["folds"], STUDIED, "15 cross-validation folds"),
    *_rows("folds", ["folds"], ACCURACY, "One curve pools the scores of all folds"),
    *_rows("frequency table of ratings", ["ratings"], STUDIED, "counted in a table"),
    *_rows("missing results", ["missing"], STUDIED, "0 for test a and 11 for test b"),
    *_rows("missing results", ["german", "sheets"], STUDIED, "missing value: 6 rows"),
    *_rows("Methods with references", STUDIES, METHODS, r"Wilson[\s\S]+rocstats"),
    *_rows("Methods with references", STUDIES, "section.references", r"Wilson EB\."),
    *_rows("the file is named", ["sheets"], "section.source", r"sheets\.xlsx \(SHA-256"),
]
SAID = {
    "german": "read german.csv: separated by ;, decimal comma\n",
    "cp1252": "read german_cp1252.csv: separated by ;, decimal comma, cp1252\n",
    "sheets": "read sheets.xlsx: sheet 'Data' of 'Read me', 'Data'\n",
    "tables": "rapid: true positives 670, false positives 202, false negatives 74,",
}


class Desk(NamedTuple):
    """The folder of a report, and what the command said."""

    folder: Path
    said: str

    def frame(self, name):
        return rs.read_csv(self.folder / f"{name}.csv")


def command(*words):
    """Run the command in this process; return what it said beside its results."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(said):
        patch.setattr(sys, "argv", ["rocstats", *map(str, words)])
        with pytest.raises(SystemExit) as stop, contextlib.redirect_stdout(io.StringIO()):
            cli.main()
    assert not stop.value.code, said.getvalue()
    return said.getvalue()


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Return a function that writes the report of a study once."""
    folder, known = tmp_path_factory.mktemp("clinic"), {}

    def write(name):
        if name not in known:
            words = STUDIES.get(name) or _perfect(folder)
            out = folder / name
            said = command("report", *words, "--prevalence", SHARE, "--kind", "html", "--out", out)
            known[name] = Desk(out, said)
        return known[name]

    return write


def _perfect(folder):
    """A file of seven with the condition and nine without, all of whom the test tells apart."""
    rows = [f"{int(score > 9)},{score}" for score in range(1, 17)]
    path = folder / "perfect.csv"
    path.write_text("\n".join(["ill,marker", *rows]), encoding="utf-8")
    return path, "ill", "marker"


@pytest.fixture(scope="module")
def sheet(driver, desk):
    """Return a function that opens the page of a study, unless that is the one on the screen."""
    size = {"width": 1200, "height": 900, "deviceScaleFactor": 1, "mobile": False}

    def show(name, address=""):
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get("about:blank")  # another address alone would not load a page again
        driver.get_log("browser")
        driver.get((desk(name).folder / "report.html").as_uri() + address)
        return Page(driver)

    return show


@pytest.fixture(scope="module")
def words_of(sheet):
    """Return a function for the words at a place of a page, with what is folded."""
    known = {}

    def words(name, place):
        if name not in known:
            page = sheet(name)
            page.open_details()
            known[name] = page.script("""
                const places = document.querySelectorAll("main section, [data-part]");
                return [...places].flatMap((each) => [
                  ["section." + each.className, each.innerText],
                  ["[data-part=" + each.dataset.part + "]", each.innerText]]);
            """)
        return "\n".join(text for where, text in known[name] if where == place)

    return words


@pytest.mark.parametrize(
    ("name", "place", "text"),
    [row[1:] for row in EXPECTED],
    ids=[" ".join(row[:3]) for row in EXPECTED],
)
def test_what_is_looked_for_is_on_the_page(words_of, name, place, text):
    assert re.search(text, words_of(name, place)), words_of(name, place)


@pytest.mark.parametrize("name", STUDIES)
def test_numbers_of_the_page_are_those_of_the_tables_beside_it(sheet, driver, desk, name):
    """At 5 in 100; the corrected rates of a chosen cutoff, and the plain ones of a yes/no test."""
    written, page = desk(name), sheet(name)
    yes_no = name == "tables"
    rates = written.frame("operating_points" if yes_no else "cutpoints")
    values = "predictive_values" if yes_no else f"predictive_values_at_cutpoints_{SHARE}"
    kept = rates[rates["quantity"].isin(["tpr", "tnr"])]
    frame = pd.concat([kept, written.frame(values)])
    tests = page.known("payload")["tests"]
    assert [test["predictor"] for test in tests] == rates["predictor"].unique().tolist()
    for test in tests:
        page = sheet(name, page.address_of(test["id"], SHARE))
        rows, cells = rows_of(frame, test), page.rows()
        for line, shares in expected_of(rows).items():
            assert shows(cells[line][0], shares), (line, cells[line], shares)
        answer = page.text("answer")
        assert test["label"] in answer or len(tests) == 1
        for word, rate in ((" finds ", "tpr"), (" clears ", "tnr")):
            said = answer.partition(word)[2]
            assert is_shown(said, rows.loc[rate, "estimate"])
        if not yes_no:
            raw = page.text("notice").partition("raw results (")[2]
            assert is_shown(raw, *rows.loc[["tpr", "tnr"], "apparent"])
        assert driver.get_log("browser") == []


@pytest.mark.parametrize("name", STUDIES)
def test_the_command_says_how_it_read_a_file(desk, name):
    said = desk(name).said
    assert SAID.get(name, "") in said
    assert "Traceback" not in said


def test_word_and_pdf_have_the_numbers_of_the_page(desk, tmp_path):
    kinds = ("--kind", "docx", "--kind", "pdf")
    command("report", *STUDIES["german"], "--prevalence", SHARE, *kinds, "--out", tmp_path)
    document = docx.Document(str(tmp_path / "report.docx"))
    word = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    reader = shutil.which("pdftotext")
    assert reader, "tests marked browser need pdftotext: .ci/programs installs it"
    order = [reader, "-layout", str(tmp_path / "report.pdf"), "-"]
    printed = subprocess.run(order, capture_output=True, check=True, timeout=60).stdout.decode()
    auc, rates = desk("german").frame("auc"), desk("german").frame("cutpoints")
    rows = pd.concat([auc, rates[rates["quantity"].isin(["tpr", "tnr"])]])
    assert len(rows) == 6
    for row in rows.itertuples():
        text = f"{row.estimate:.3f} ({row.ci_low:.3f}-{row.ci_high:.3f})"
        assert text in word
        assert text in printed
