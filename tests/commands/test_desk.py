"""Every file of a desk goes to a report, a Word table and a figure by options of ``--help``."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest
from PIL import Image

from tests.commands.conftest import CLINIC, DESK
from tests.commands.test_clinic import WORDS as CLINIC_WORDS

CRP = "Diagnose|CRP|--positive|Sepsis|--cluster|ID"
KLINIK = (
    "Enddiagnose|CRP (mg/l)|--positive|Sepsis|--cluster|ID|--header-row|2|--footer-rows|1"
    "|--fold-case|--na|auto|--below-limit|lowest|--above-limit|highest"
)
WORDS = {
    "klinik.csv": KLINIK,
    "klinik.xlsx": KLINIK,
    "e1_limit_en.csv": f"{CRP}|--below-limit|lowest",
    "e2_na.csv": f"{CRP}|--na|auto|--missing|omit",
    "e3_cluster_clean.csv": CRP,
    "e3_cluster_space.csv": CRP,
    "e4_upper.csv": "Diagnose|CRP|--positive|sepsis|--cluster|ID|--fold-case",
    "e6b_pct.csv": CRP,
    "e7_sentinel.csv": f"{CRP}|--missing-code|999|--missing|omit",
    "saturated.csv": "ill|risk",
    "round.csv": "ill|risk",
    "folds.csv": "y|s|--fold|fold|--cluster|patient",
    "folds_named.csv": "y|s|--fold|fold|--cluster|patient",
    "sites.csv": "y|s|--group|site",
    "thousands.csv": "ill|plt|--decimal|,",
}
"""The words that describe each file of cases to a command, after the name of the file."""
OTHERS = {
    "readers_wide.csv": "readers|FILE|--truth|truth|--case|case|--reader-column|R*",
    "event_codes.csv": "survival|FILE|time|status|age|--time|20|--event|2|--censored|1",
    "s_lost.csv": "survival|FILE|months|status|marker|--time|20|--na|lost|--missing|omit",
}
"""The command of each other file."""
STUDIES = {
    **{f"desk/{name}": words for name, words in WORDS.items()},
    **{f"clinic/{name}": CLINIC_WORDS[name] for name in CLINIC_WORDS if name != "breast.csv"},
}


def test_every_file_of_the_desk_is_asked():
    assert WORDS.keys() | OTHERS.keys() == {path.name for path in DESK.iterdir()}
    data = {path.name for path in CLINIC.iterdir()} - {"README.md", "make.py"}
    assert data == CLINIC_WORDS.keys() - {"breast.csv"}


def require_help_has(app, words):
    """Require each option of a command to be one that its help shows."""
    command, *given = words
    options = {option for one in app.commands[command].params for option in one.opts}
    assert {word for word in map(str, given) if word.startswith("--")} <= options


@pytest.mark.parametrize("name", STUDIES)
def test_a_file_goes_to_report_word_table_and_figure(app, run, tmp_path, name):
    file = DESK.parent / name
    report, table, figure = tmp_path / "report", tmp_path / "table.docx", tmp_path / "figure.png"
    if name == "clinic/two_by_two.csv":
        tests = ("--file", file, "--layout", "wide")
        commands = [
            ("report", "--tables", file, "--kind", "html", "--out", report),
            ("table", *tests, "--out", table, "--figure", figure),
        ]
    else:
        cases = (file, *STUDIES[name].split("|"))
        commands = [
            ("report", *cases, "--criterion", "none", "--kind", "html", "--out", report),
            ("auc", *cases, "--out", table),
            ("plot", *cases, "--out", figure),
        ]
    for words in commands:
        require_help_has(app, words)
        status, printed, said = run(*words)
        assert (status, bool(printed)) == (0, True), said
    assert f"{file.name} (SHA-256 " in (report / "report.html").read_text(encoding="utf-8")
    require_interval_and_width(table, figure)


def require_interval_and_width(table: Path, figure: Path) -> None:
    """Require a Word table with an interval, and a figure of 85 mm."""
    (rows,) = docx.Document(str(table)).tables
    assert any(" (" in cell.text for row in rows.rows[1:] for cell in row.cells)
    with Image.open(figure) as drawn:
        assert drawn.width == int(85 / 25.4 * 300)  # matplotlib leaves out part of a pixel


@pytest.mark.parametrize("name", OTHERS)
def test_readers_and_patients_go_to_a_report_too(app, run, tmp_path, name):
    words = [str(DESK / name) if word == "FILE" else word for word in OTHERS[name].split("|")]
    words += ["--kind", "html", "--kind", "docx", "--out", str(tmp_path / "report")]
    require_help_has(app, words)
    status, _, said = run(*words)
    assert status == 0, said
    made = {path.suffix for path in (tmp_path / "report").iterdir()}
    assert made >= {".html", ".docx", ".csv", ".svg", ".png"}
    assert docx.Document(str(tmp_path / "report" / "report.docx")).tables
