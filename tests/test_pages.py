"""What the pages promise of themselves."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
import typer

import rocstats as rs
from rocstats import cli
from rocstats.cli import COMMANDS
from validation.coverage.summary import read_auc, summarise
from validation.harness import read_all_rows

DOCS = Path(rs.__file__).parents[1] / "docs"
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DRAWN = re.compile(r"\brs\.plot_\w+\(|_figure\(|\broc_space\(|\bplt\.subplots\(")
CAPTION = re.compile(r"^:caption: (?:>-\n((?::  .*\n)+)|(.*)\n)", re.MULTILINE)
# How the pages call what is asked of a study, or of the package.
ASKED = re.compile(r"\b(study|rs)\.([A-Za-z_]+)(?:\.([a-z_]+))?")


def pages():
    """The text of each page, by its name."""
    return {str(path.relative_to(DOCS)): path.read_text("utf-8") for path in DOCS.rglob("*.md")}


def test_every_figure_has_a_caption_of_its_own():
    """The build checks every image; this finds a cell without a caption in a moment."""
    captions = {}
    for page, text in pages().items():
        for cell in filter(DRAWN.search, CELL.findall(text)):
            found = CAPTION.search(cell)
            assert found, f"docs/{page}: give this cell a `:caption:`\n{cell}"
            caption = (found[1] or found[2].strip('"')).replace("\n:", "\n").lstrip(":")
            caption = " ".join(caption.split())
            assert caption.endswith("."), f"docs/{page}: {caption}"
            assert len(caption.split()) > 6, f"docs/{page}: {caption}"
            assert captions.setdefault(caption, page) == page, caption
    assert len(captions) > 50


def test_no_cell_unstacks_in_the_order_of_appearance():
    """With ``unstack(sort=False)`` pandas before 3 puts numbers into wrong cells."""
    cells = {page: "".join(CELL.findall(text)) for page, text in pages().items()}
    assert [page for page, code in cells.items() if "unstack(sort=" in code] == []


def test_every_plot_is_in_the_gallery():
    drawn = "\n".join(cell for text in pages().values() for cell in CELL.findall(text))
    plots = [name for name in rs.__all__ if name.startswith("plot_")]
    assert [name for name in plots if f"rs.{name}(" not in drawn] == []


def test_the_chooser_has_every_question_and_no_other():
    asked = set()
    calls = " ".join(re.findall("`.*?`", pages()["which-question.md"]))
    for owner, name, method in ASKED.findall(calls):
        home = rs.Study if owner == "study" else rs
        assert hasattr(home, name), f"{owner}.{name}"
        assert not method or hasattr(getattr(home, name), method), f"{owner}.{name}.{method}"
        asked.add(name)
    questions = {name for name in vars(rs.Study) if not name.startswith(("_", "from_"))}
    assert questions - asked == set(), "docs/which-question.md has no line for these"


def test_commands_of_the_chooser_have_their_options():
    app: Any = typer.main.get_command(cli.app)
    commands = re.findall(r"`rocstats ([a-z-]+)([^`]*)`", pages()["which-question.md"])
    assert len(commands) > 30
    for name, words in commands:
        options = {option for one in app.commands[name].params for option in one.opts}
        assert set(re.findall(r"--[a-z-]+", words)) <= options, (name, words)


def test_every_command_has_a_section_in_the_reference_of_commands():
    sections = re.findall(r'^commandline\.describe\("(.*)"\)$', pages()["command-line.md"], re.M)
    assert sections == list(COMMANDS)


def test_each_of_the_ten_workflows_has_five_lines_of_the_package():
    _, *sections = re.split(r"^## ", (DOCS / "workflows.md").read_text("utf-8"), flags=re.MULTILINE)
    assert len(sections) == 10
    for section in sections:
        lines = [line for line in CELL.findall(section)[-1].splitlines() if line.strip()]
        assert 1 <= len(lines) <= 5, section
        assert max(map(len, lines)) <= 100, section


def test_at_least_fifteen_workflows_of_model_evaluation_have_five_lines_each():
    text = (DOCS / "model-workflows.md").read_text("utf-8")
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    assert len(sections) >= 15
    for section in sections:
        lines = [line for line in "".join(CELL.findall(section)).splitlines() if line.strip()]
        assert 1 <= len(lines) <= 5, section
        assert max(map(len, lines)) <= 100, section


def calls_of_the_sheet():
    """What the cheat sheet tells to write, in its order, and the cell that defines its names."""
    text = (DOCS / "cheat-sheet.md").read_text("utf-8")
    tables = re.findall(r"^````\{container\} calls\n(.*?)^````$", text, re.MULTILINE | re.DOTALL)
    rows = [row.strip("| ").split(" | ") for table in tables for row in table.splitlines()[2:]]
    return [(asked, call.strip("`")) for asked, call in rows], CELL.findall(text)[-1]


def test_every_call_of_the_cheat_sheet_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # one of them writes a table
    calls, cell = calls_of_the_sheet()
    assert len(calls) >= 30
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(cell, names)
        for _, call in calls:
            exec(call, names)
            plt.close("all")


@pytest.mark.parametrize("sheet", ["cheat-sheet.svg", "cheat-sheet-phone.svg"])
def test_the_picture_of_the_cheat_sheet_says_what_its_page_says(sheet):
    """matplotlib writes each text beside its glyphs, as a comment."""
    drawn = re.findall(r"<!-- (.*?) -->", (DOCS / "images" / sheet).read_text("utf-8"))
    drawn = "".join("".join(drawn).split())
    for asked, call in calls_of_the_sheet()[0]:
        for text in (asked.replace("`", ""), call):
            assert "".join(text.split()) in drawn, "python docs/images/cheat_sheet.py"


def test_the_numbers_of_the_paper_are_those_of_the_tables():
    text = (DOCS / "paper" / "paper.md").read_text("utf-8")
    assert f"{len(list(read_all_rows())):,} numbers" in text
    covered = summarise(read_auc()).set_index("method")

    def span(method):
        return "{:.1%} to {:.1%}".format(*covered.loc[method, ["min", "max"]])

    assert f"{span('delong/wald')} of\nsamples" in text
    assert f"the default interval covers {span('delong/logit')}." in text
