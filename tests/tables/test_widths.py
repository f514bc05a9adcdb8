"""Tables wider or longer than a page: broken headings, panels, and heads on every page."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from itertools import combinations, pairwise

import docx
import numpy as np
import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pytest

import rocstats as rs
from rocstats.tables.markup import PrintedTable, printed_table
from rocstats.tables.tables import save_table
from rocstats.tables.widths import column_widths, lines_of_broken_text, panels_of, width_of
from tests.quick import each

CUTS = {"s100b": 0.2, "wfns": 4, "ndka": 12, "age": 48}
LONG = {name: f"The concentration of a protein in serum on the third day, {name}" for name in CUTS}


def study(*names, labels=None):
    """41 positives and 72 negatives; low ages are positive."""
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [41, 72])
    scores = {
        "s100b": np.round(np.exp(rng.normal(size=113) * 0.6 - 1.5 + 0.9 * y), 2),
        "wfns": rng.integers(1, 6, 113) + y,
        "ndka": np.round(np.exp(rng.normal(size=113) * 0.8 + 2.3 + 0.4 * y), 2),
        "age": np.round(rng.normal(52, 12, 113) - 6 * y),
    }
    names = names or tuple(CUTS)
    higher = {name: name != "age" for name in names}
    shown = labels and {name: labels[name] for name in names}
    scores = {name: scores[name] for name in names}
    return rs.Study(y, scores, higher_is_positive=higher, labels=shown)


@cache
def points(*names, long=False):
    asked = study(*names, labels=LONG if long else None)
    return asked.operating_points(threshold={name: CUTS[name] for name in names or CUTS})


def table_of(heads, *rows):
    return PrintedTable(tuple(heads), tuple(map(tuple, rows)), "", "")


# lines and panels --------------------------------------------------------------------------------


@each("room", [3, 6.5, 9, 14, 40])
@each("text", ["Adjusted P value (95% CI)", "a ≥ 0.20 vs b ≤ 4", "x" * 300, ""])
def test_lines_hold_the_whole_text_and_are_no_wider_than_their_room(text, room):
    lines = lines_of_broken_text(text, room)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max(map(width_of, lines)) <= room


def test_no_line_ends_inside_a_level_a_p_value_or_a_threshold():
    assert lines_of_broken_text("Adjusted P value, difference in PPV (95% CI)", 6.5) == [
        "Adjusted",
        "P value,",
        "difference in",
        "PPV",
        "(95% CI)",
    ]
    assert lines_of_broken_text("a ≥ 0.20 vs b ≤ −4", 4) == ["a ≥ 0.20", "vs b", "≤ −4"]


def test_numbers_are_never_broken():
    table = table_of(["A heading of many words", "Name"], ["0.820 (0.750 to 0.890)", "x" * 99])
    number, name = column_widths(table, 9)
    assert number == width_of("0.820 (0.750 to 0.890)")
    assert name == 9


@each("seed", range(20))
def test_panels_are_as_few_and_then_as_equal_as_can_be(seed):
    """Against all ways to divide the columns."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    widths = rng.integers(1, 9, n + 1).astype(float).tolist()
    table = table_of(["name", *map(str, range(n))], ["a", *["1 (0-2)"] * n])
    room, gap = float(max(widths[1:]) + widths[0] + rng.integers(2, 12)), 1.0

    def wide(panel):
        return sum(widths[k] for k in panel) + gap * (len(panel) - 1)

    divided = []
    for size in range(n):
        for cuts in combinations(range(2, n + 1), size):
            ends = [1, *cuts, n + 1]
            panels = [[0, *range(a, b)] for a, b in pairwise(ends)]
            if all(wide(panel) <= room for panel in panels):
                divided.append((len(panels), max(map(wide, panels))))
    found = panels_of(table, widths, room, gap)
    assert [k for panel in found for k in panel[1:]] == list(range(1, n + 1))
    assert (len(found), max(map(wide, found))) == min(divided)


def test_an_estimate_and_its_p_value_share_a_panel():
    heads = ["Comparison", "A (95% CI)", "P value, a", "B (95% CI)", "P value, b"]
    table = table_of(heads, ["s vs w", "0.1 (0.0-0.2)", ".04", "0.1 (0.0-0.2)", ".04"])
    assert panels_of(table, [4, 8, 4, 8, 4], 25, 0) == [[0, 1, 2], [0, 3, 4]]
    # unless no line holds both
    assert [len(panel) for panel in panels_of(table, [4, 8, 4, 8, 4], 12, 0)] == [2, 2, 2, 2]


# LaTeX -------------------------------------------------------------------------------------------


def test_a_wide_latex_table_is_divided_and_each_panel_names_its_rows(tmp_path):
    path = save_table(points(), tmp_path / "a.tex", layout="wide")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("% \\usepackage{booktabs}\n\\begin{table}")
    panels = text.split("\\begin{tabular*}")[1:]
    assert len(panels) > 1
    for panel in panels:
        assert re.findall(r"^(\w+) & \$\\[lg]eq\$ [\d.]+ &", panel, re.MULTILINE) == list(CUTS)
    printed = rs.format_table(points(), layout="wide")
    for head in ("Sensitivity (95% CI)", "LR+ (95% CI)"):
        assert all(text.count(cell) >= 1 for cell in printed[head])
    assert text.count("footnotesize\\raggedright") == 1


def test_a_long_latex_table_repeats_its_head(tmp_path):
    frame = study().operating_points(threshold="all", quantities=["tpr", "tnr"])
    path = save_table(frame, tmp_path / "a.tex", layout="wide", caption="All")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("% \\usepackage{booktabs,longtable}\n")
    assert text.count("\\endhead") == text.count("\\caption{All}\\\\") == 1
    assert "\\begin{table}" not in text
    # Panels are as wide as the line: then they all begin at its left end.
    assert "\\LTleft" not in text
    wide = study().operating_points(threshold="all")
    text = save_table(wide, tmp_path / "b.tex", layout="wide").read_text(encoding="utf-8")
    assert text.count("\\begin{longtable}") > 1
    assert text.count("\\setlength{\\LTleft}{0pt}") == 1


TABLES = {
    "auc": lambda: (study().auc(), "long"),
    "compare": lambda: (study().compare_auc(), "long"),
    "compared points": lambda: (study().compare_operating_points(threshold=CUTS), "wide"),
    "points of 2": lambda: (points("s100b", "wfns"), "wide"),
    "points of 4": lambda: (points(), "wide"),
    "rows of points": lambda: (points("s100b", "wfns"), "long"),
    "auc, long names": lambda: (study(labels=LONG).auc(), "long"),
    "compare, long names": lambda: (study(labels=LONG).compare_auc(), "long"),
    "points, long names": lambda: (points(long=True), "wide"),
    "all thresholds": lambda: (
        study("s100b").operating_points(threshold="all", quantities=["tpr", "tnr"]),
        "wide",
    ),
}


@pytest.mark.office
@pytest.mark.parametrize("size", ["10pt", "11pt", "12pt"])
@pytest.mark.parametrize("style", ["plain", "bmj"])
@pytest.mark.parametrize("name", TABLES)
def test_no_latex_table_is_wider_than_a_line(tmp_path, name, style, size):
    assert shutil.which("pdflatex"), "pdflatex must be installed for the tests marked office"
    assert all(len(label) >= 60 for label in LONG.values())
    frame, layout = TABLES[name]()
    table = save_table(frame, tmp_path / "table.tex", style=style, layout=layout, caption=name)
    page = tmp_path / "page.tex"
    page.write_text(
        f"\\documentclass[{size}]{{article}}\\usepackage{{booktabs,longtable}}"
        "\\begin{document}\\input{table.tex}\\end{document}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", page.name]
    # A longtable settles its columns over runs.
    for _ in range(3 if "{longtable}" in table.read_text(encoding="utf-8") else 1):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    log = page.with_suffix(".log").read_text(errors="replace")
    assert "Output written on page.pdf" in log
    # wider than the line, or longer than the page
    assert "Overfull \\hbox" not in log
    assert "Float too large" not in log


# Word and Excel ----------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["plain", "bmj"])
@pytest.mark.parametrize("long", [False, True])
def test_wide_word_tables_break_neither_numbers_nor_the_page(tmp_path, style, long):
    path = save_table(points(long=long), tmp_path / "a.docx", style=style, layout="wide")
    document = docx.Document(path)
    section = document.sections[0]
    room = section.page_width - section.left_margin - section.right_margin
    size = document.styles["Normal"].font.size
    for table in document.tables:
        assert sum(column.width for column in table.columns) <= room
        for row in table.rows[1:]:
            numbers = [cell for cell in row.cells if re.fullmatch(r"[\d.]+ \(.+\)", cell.text)]
            # a digit of Arial has 0.556 em; points, brackets and blanks less
            assert all(cell.width > 0.5 * size * len(cell.text) for cell in numbers)
    if long or style == "bmj":
        assert len(document.tables) > 1
        names = [[row.cells[0].text for row in table.rows] for table in document.tables]
        assert all(each == names[0] for each in names)


def test_long_tables_have_their_head_on_every_page(tmp_path):
    frame = study("s100b").operating_points(threshold="all", quantities=["tpr"])
    assert len(frame) > 40
    table = docx.Document(save_table(frame, tmp_path / "a.docx", layout="wide")).tables[0]
    marks = [{e.tag.rpartition("}")[2] for e in row.trPr} for row in table._tbl.tr_lst]
    assert marks[0] == {"cantSplit", "tblHeader"}
    assert all(each == {"cantSplit"} for each in marks[1:])
    path = save_table(frame, tmp_path / "a.xlsx", layout="wide", caption="All")
    sheet = openpyxl.load_workbook(path).active
    assert sheet.freeze_panes == "A3"
    assert sheet.print_title_rows == "$2:$2"


# sides -------------------------------------------------------------------------------------------


def test_numbers_are_on_the_right_and_names_on_the_left(areas, tmp_path):
    page = save_table(areas, tmp_path / "a.html").read_text(encoding="utf-8")
    assert "th.interval, th.number, td.interval, td.number { text-align: right; }" in page
    assert '<td class="text">wfns</td><td class="interval">' in page
    markdown = save_table(areas, tmp_path / "a.md").read_text(encoding="utf-8")
    assert "| :--- | ---: | ---: | ---: |" in markdown
    latex = save_table(areas, tmp_path / "a.tex").read_text(encoding="utf-8")
    assert "\\begin{tabular}{@{}lrrr@{}}" in latex


def test_web_tables_have_the_rules_of_journals(areas, tmp_path):
    page = save_table(areas, tmp_path / "a.html").read_text(encoding="utf-8")
    rules = re.findall(r"^(.+?) \{[^}]*?border-(top|bottom): ([\d.]+pt)", page, re.MULTILINE)
    assert rules == [
        ("table", "top", "1.5pt"),
        ("th", "bottom", ".75pt"),
        ("tbody tr:last-child td", "bottom", "1.5pt"),
    ]
    assert "border-left" not in page
    assert "border-right" not in page


def test_a_threshold_that_no_score_reaches_is_a_number_too():
    frame = pd.DataFrame({"Threshold": ["≥ ∞", "≥ −0.5", "≤ 4", ""]})
    assert printed_table(frame, caption=None, footnotes=[]).kinds == ("number",)
