"""Tables in files of Word and Excel, opened again; names that try to be something else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

import docx
import openpyxl  # type: ignore[import-untyped]
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn

import rocstats as rs
from rocstats.errors import InputError
from rocstats.tables.excel import _n_lines_of_sheet_cell
from rocstats.tables.files import write_files_all_or_none
from rocstats.tables.tables import format_table, save_table
from tests.tables.hand_frames import NAN, area_row, auc_frame, compare_frame, difference_row

HOSTILE = [
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "+1",
    "-2+3",
    "a_b&c%",
    "{\\bf $x$}~#",
    "🩺 naïve 名前",
    "x" * 300,
    "#N/A",
    "_x0041_",
]
ENDINGS = [".csv", ".md", ".html", ".tex", ".docx", ".xlsx"]


def hostile_frame():
    return auc_frame(*(area_row(name, 0.8231, 0.7489, 0.8957) for name in HOSTILE))


def texts(row):
    return [cell.text for cell in row.cells]


def grid(path):
    """Return the cells of a sheet by row, empty ones as None."""
    return [list(row) for row in openpyxl.load_workbook(path).active.iter_rows()]


# Word ------------------------------------------------------------------------------------------


def test_word_table(areas, tmp_path):
    path = save_table(areas, tmp_path / "a.docx", style="jama", caption="Table 2. Areas")
    document = docx.Document(path)
    (table,) = document.tables
    printed = format_table(areas, "jama")
    heads = [head.replace("% CI", "%\u00a0CI") for head in printed.columns]  # not broken there
    assert texts(table.rows[0]) == heads
    assert [texts(row) for row in table.rows[1:]] == printed.to_numpy().tolist()
    above, said, below = document.paragraphs
    assert said.text.startswith("The AUC of wfns was 0.82 (95% CI, 0.75-0.90)")
    assert above.text == "Table 2. Areas"
    assert below.text == " ".join(printed.attrs["rocstats"]["footnotes"])
    body = [element.tag.rpartition("}")[2] for element in document.element.body]
    assert body == ["p", "tbl", "p", "p", "sectPr"]


def test_word_table_has_the_rules_of_journals_and_a_head_on_every_page(areas, tmp_path):
    table = docx.Document(save_table(areas, tmp_path / "a.docx")).tables[0]

    def rules(parent):
        return {rule.tag.rpartition("}")[2]: rule.get(qn("w:sz")) for rule in parent}

    # in eighths of a point: 1.5 at the ends, 0.75 under the head, none between columns
    assert rules(table._tbl.tblPr.find(qn("w:tblBorders"))) == {"top": "12", "bottom": "12"}
    for i, row in enumerate(table.rows):
        assert (row._tr.trPr.find(qn("w:tblHeader")) is not None) == (i == 0)
        for cell in row.cells:
            borders = cell._tc.tcPr.find(qn("w:tcBorders"))
            assert (borders is None) if i else (rules(borders) == {"bottom": "6"})
        sides = [cell.paragraphs[0].alignment for cell in row.cells]
        right = WD_ALIGN_PARAGRAPH.RIGHT
        assert sides == [None, right, right, right]


def test_a_wide_word_table_lies_on_its_side(tmp_path):
    study = rs.Study.from_confusion(tp=50, fn=6, fp=8, tn=70)
    path = save_table(study.operating_points(threshold=1), tmp_path / "a.docx", layout="wide")
    section = docx.Document(path).sections[0]
    assert section.page_width > section.page_height
    room = section.page_width - section.left_margin - section.right_margin
    assert sum(column.width for column in docx.Document(path).tables[0].columns) <= room


def test_hostile_names_in_word(tmp_path):
    path = save_table(hostile_frame(), tmp_path / "a.docx", caption="<b>&amp;\n=1+1")
    document = docx.Document(path)
    assert [row.cells[0].text for row in document.tables[0].rows[1:]] == HOSTILE
    assert document.paragraphs[0].text == "<b>&amp; =1+1"


# Excel -----------------------------------------------------------------------------------------


def test_numbers_of_a_sheet_are_numbers_and_show_as_printed(tmp_path):
    frame = compare_frame(
        difference_row("a", "b", -0.04, -0.09, 0.001, p_value=0.0004, p_adjusted=0.0004),
        difference_row("a", "c", 0.2, 0.0049, 0.4, p_value=0.0449, p_adjusted=0.0898),
    )
    path = save_table(frame, tmp_path / "a.xlsx", style="jama", caption="Pairs")
    rows = grid(path)
    assert rows[0][0].value == "Pairs"
    assert [cell.value for cell in rows[1]] == [
        "Predictor",
        "Reference",
        "Difference in AUC",
        "Difference in AUC: lower limit (95% CI)",
        "Difference in AUC: upper limit (95% CI)",
        "Adjusted P value",
        "P value",
        "Positives",
        "Negatives",
    ]
    assert [cell.value for cell in rows[2]] == ["a", "b", -0.04, -0.09, 0.001, 4e-4, 4e-4, 41, 72]
    assert [cell.number_format for cell in rows[2]][2:7] == [
        *('0.00;"−"0.00',) * 3,
        *('"<.001"',) * 2,
    ]
    # a limit that rounds to zero although the interval excludes it
    assert rows[3][3].number_format == '"<0.01"'
    assert rows[3][6].number_format == '.00;"−".00'
    notes = [row[0].value for row in rows[4:]]
    assert notes == format_table(frame, "jama").attrs["rocstats"]["footnotes"]


def test_missing_limits_and_levels_that_differ_in_a_sheet(tmp_path):
    frame = auc_frame(
        area_row("a", 0.8, 0.7, 0.9), area_row("b", 0.7, NAN, NAN, confidence_level=0.9)
    )
    rows = grid(save_table(frame, tmp_path / "a.xlsx"))
    assert [cell.value for cell in rows[0]][1:5] == [
        "AUC",
        "AUC: lower limit (CI)",
        "AUC: upper limit (CI)",
        "AUC: confidence level",
    ]
    assert [cell.value for cell in rows[2]][1:5] == [0.7, "NA", "NA", 0.9]


def test_a_wide_sheet_shows_the_side_of_a_threshold(tmp_path):
    study = rs.Study([1, 1, 1, 0, 0, 0] * 20, [3.5, 2.5, 1.5, 2.5, 1.5, 0.5] * 20)
    frame = study.cutpoints(n_resamples=100, rng=1)
    rows = grid(save_table(frame, tmp_path / "a.xlsx", layout="wide"))
    (k,) = (k for k, cell in enumerate(rows[0]) if cell.value == "Threshold")
    assert rows[1][k].value == frame["threshold"].iloc[0]
    assert rows[1][k].number_format.startswith('"≥ "0.000')


def test_no_text_of_a_sheet_becomes_a_formula(tmp_path):
    path = save_table(hostile_frame(), tmp_path / "a.xlsx", caption="=1+1")
    rows = grid(path)
    assert [row[0].value for row in rows[2 : 2 + len(HOSTILE)]] == HOSTILE
    for row in rows:
        assert {cell.data_type for cell in row} <= {"s", "n"}
    assert rows[0][0].value == "=1+1"
    # what is typed over it in Excel is no formula either
    assert all(row[0].quotePrefix for row in rows[3:7])
    formatted = grid(save_table(format_table(hostile_frame()), tmp_path / "b.xlsx"))
    assert [row[0].value for row in formatted[1 : 1 + len(HOSTILE)]] == HOSTILE


# all formats -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".md", ".html", ".tex", ".docx", ".xlsx"])
def test_line_breaks_and_control_characters_are_printed_as_one_line(tmp_path, ending):
    frame = auc_frame(area_row("two\r\n\tlines\x00\x1b", 0.8, 0.7, 0.9))
    path = save_table(frame, tmp_path / f"a{ending}", caption="a\x07")
    if ending == ".docx":
        name = docx.Document(path).tables[0].rows[1].cells[0].text
    elif ending == ".xlsx":
        name = grid(path)[2][0].value
    else:
        name = path.read_text(encoding="utf-8")
    assert "two lines\ufffd\ufffd" in name


def test_csv_gives_hostile_names_back(tmp_path):
    names = [
        *HOSTILE,
        "two\nlines",
        "re\rturn",
        "both\r\n",
        'a "quote", a comma',
        " blank",
        "NA",
        "",
    ]
    frame = auc_frame(*(area_row(name, 0.8, 0.7, NAN) for name in names))
    back = rs.read_csv(save_table(frame, tmp_path / "a.csv"))
    assert back["predictor"].tolist() == names
    assert back.equals(frame)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_frame_gives_the_same_bytes(areas, tmp_path, ending):
    first, second = (save_table(areas, tmp_path / f"{name}{ending}", caption="A") for name in "ab")
    assert first.read_bytes() == second.read_bytes()
    if ending in (".docx", ".xlsx"):  # whenever it is made
        with ZipFile(first) as archive:
            assert {part.date_time[0] for part in archive.infolist()} == {1980}
            years = re.findall(rb"(\d{4})-\d\d-\d\dT", archive.read("docProps/core.xml"))
        assert set(years) == {b"1980"}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, OSError("disk full")])
def test_an_interrupted_table_leaves_the_old_file(areas, tmp_path, monkeypatch, ending, interrupt):
    path = save_table(areas, tmp_path / f"a{ending}")
    old = path.read_bytes()

    def half(self, content):
        with self.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise interrupt

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises((KeyboardInterrupt, OSError)):
        save_table(areas.iloc[:1], path)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == old


@pytest.mark.parametrize("name", ["replace", "write_bytes"])
def test_ctrl_c_leaves_no_file(areas, tmp_path, monkeypatch, name):
    def stop(self, *rest):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, name, stop)
    with pytest.raises(KeyboardInterrupt):
        save_table(areas, tmp_path / "a.docx")
    assert list(tmp_path.iterdir()) == []


def test_a_replaced_file_keeps_its_permissions_and_links(tmp_path):
    real = tmp_path / "real.md"
    real.write_text("old")
    real.chmod(0o600)
    link = tmp_path / "link.md"
    link.symlink_to(real)
    write_files_all_or_none({link: b"new"})
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o600


def test_a_private_file_is_never_open_to_others_while_it_is_written(tmp_path, monkeypatch):
    private = tmp_path / "private.md"
    private.write_text("old")
    private.chmod(0o600)
    seen = []

    def watched(self, content):
        seen.append(self.stat().st_mode & 0o777)
        return write_bytes(self, content)

    write_bytes = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", watched)
    write_files_all_or_none({private: b"new"})
    assert seen == [0o600]


def test_a_new_file_has_the_permissions_of_its_maker(tmp_path):
    (tmp_path / "usual.md").write_text("usual")
    write_files_all_or_none({tmp_path / "new.md": b"new"})
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_threads_that_write_into_one_folder_keep_their_contents_apart(tmp_path, monkeypatch):
    # Both have written before either file is put in its place.
    both_have_written = threading.Barrier(2, timeout=10)

    def waiting(self, content):
        write_bytes(self, content)
        both_have_written.wait()

    write_bytes = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", waiting)
    with ThreadPoolExecutor(2) as pool:
        list(
            pool.map(
                lambda name: write_files_all_or_none({tmp_path / name: name.encode()}), ["a", "b"]
            )
        )
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"a": "a", "b": "b"}


@pytest.mark.parametrize("path", [None, 3.0, b"a.csv"])
def test_what_is_no_path_is_refused(areas, path):
    with pytest.raises(InputError, match="`path` must be the path of a file to write; got"):
        save_table(areas, path)


def test_no_file_is_replaced_before_all_are_written(tmp_path):
    old, nowhere = tmp_path / "old.md", tmp_path / "no folder" / "new.md"
    old.write_text("old")
    with pytest.raises(FileNotFoundError):
        write_files_all_or_none({old: b"new", nowhere: b"new"})
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.parametrize(("ending", "module"), [(".docx", "docx"), (".xlsx", "openpyxl")])
def test_a_missing_library_is_named(areas, tmp_path, monkeypatch, ending, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=r'installed; .*pip install "rocstats\[files\]"'):
        save_table(areas, tmp_path / f"a{ending}")
    assert list(tmp_path.iterdir()) == []


def test_saved_layouts_are_those_of_print(tmp_path):
    study = rs.Study.from_confusion(tp=50, fn=6, fp=8, tn=70)
    points = study.operating_points(threshold=1)
    text = save_table(points, tmp_path / "a.md", layout="wide").read_text(encoding="utf-8")
    assert text.startswith("| Predictor | TP | FN | FP | TN | Sensitivity (95% CI) |")
    with pytest.raises(InputError, match="`layout` must be one of"):
        save_table(points, tmp_path / "a.csv", layout="tall")


# programs that print ------------------------------------------------------------------------------


def printed(path, *command):
    """Return the text of the PDF that a program makes of a file."""
    assert shutil.which(command[0]), f"{command[0]} must be installed for the tests marked office"
    subprocess.run(command, cwd=path.parent, check=True, capture_output=True, timeout=120)
    made = subprocess.run(
        ["pdftotext", "-layout", str(path.with_suffix(".pdf")), "-"],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    return made.stdout.decode()


@pytest.mark.office
@pytest.mark.parametrize("ending", [".docx", ".xlsx"])
def test_libreoffice_prints_the_table(tmp_path, ending):
    path = save_table(hostile_frame(), tmp_path / f"a{ending}", caption="Table 2. Areas")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    text = printed(path, "soffice", profile, "--headless", "--convert-to", "pdf", path.name)
    assert "Table 2. Areas" in text
    assert "=cmd|' /C calc'!A0" in text
    assert "<script>alert(1)</script>" in text
    # A Word table has a sentence for each row below it.
    assert text.count("0.823") == len(HOSTILE) * (2 if ending == ".docx" else 1)
    assert "method of DeLong" in text


@pytest.mark.office
def test_latex_prints_the_table(tmp_path):
    # Other alphabets need another engine than pdflatex.
    names = [name for name in HOSTILE if name.isascii() and len(name) < 100]
    frame = auc_frame(*(area_row(name, 0.8231, 0.7489, 0.8957) for name in names))
    table = save_table(frame, tmp_path / "table.tex", caption="100% of a_b")
    page = tmp_path / "page.tex"
    page.write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}"
        f"\\begin{{document}}\\input{{{table.name}}}\\end{{document}}"
    )
    text = printed(page, "pdflatex", "-interaction=nonstopmode", "-halt-on-error", page.name)
    assert "100% of a_b" in text
    assert "a_b&c%" in text
    assert text.count("0.823 (0.749-0.896)") == len(names)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 1),
        ("aaa bbb", 1),  # 7 characters
        ("aaa bbb c", 2),
        ("aaaa bbb", 2),
        ("aaaaaaaaaa", 2),  # broken
        ("aaa bbb ccc ddd eee", 3),
    ],
)
def test_cells_of_sheets_are_as_high_as_their_lines(text, lines):
    assert _n_lines_of_sheet_cell(text, 7) == lines


def test_texts_of_sheets_stand_apart_from_the_column_before(differences, tmp_path):
    heads, *rows = grid(save_table(differences, tmp_path / "a.xlsx"))
    texts_at = [k for k, head in enumerate(heads) if head.value in ("Predictor", "Reference")]
    assert len(texts_at) == 2
    for row in (heads, rows[0]):
        sides = [(cell.alignment.horizontal, cell.alignment.indent) for cell in row]
        assert [sides[k] for k in texts_at] == [("left", 0), ("left", 1)]
        assert {side for k, side in enumerate(sides) if k not in texts_at} == {("right", 0)}
