from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import Any

import pytest
import typer

import rocstats as rs
from rocstats import cli
from tests.commands.conftest import WANTED, examples_of


def test_the_installed_command_runs():
    found = subprocess.run(
        [sys.executable, "-m", "rocstats", "--version"], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == rs.__version__


EXAMPLES = [(name, line) for name in cli.COMMANDS for line in examples_of(name)]


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_every_command_has_an_example_that_its_help_shows(run, name, monkeypatch):
    # The width of a terminal, in which no line of an example may break.
    monkeypatch.setenv("COLUMNS", "80")
    status, out, _ = run(name, "--help")
    own = [line for command, line in EXAMPLES if command == name]
    assert status == 0
    assert own
    assert all(line.startswith(f"rocstats {name}") for line in own)
    assert all(line.split("  ")[0].removesuffix(" \\") in out for line in own)


# The examples of these run in tests of their own, which read their pages; the window waits for one
# who uses it.
PAGES = ("report", "readers", "marks", "survival", "app")


@pytest.mark.parametrize("line", [line for name, line in EXAMPLES if name not in PAGES])
def test_examples_of_the_help_run(run, folder, line):
    status, out, _ = run(*shlex.split(line)[1:])
    assert status == 0
    assert out


def test_shared_options_are_the_same_in_every_command():
    cases = {"--positive", "--lower", "--frequency", "--cluster", "--fold", "--group", "--missing"}
    cases |= {"--sep", "--decimal", "--encoding", "--sheet", "--label", "--outcome-name"}
    shown = {"--format", "--style", "--layout", "--digits", "--out", "--force"}
    whole: Any = typer.main.get_command(cli.app)
    options = {
        name: {option for parameter in command.params for option in parameter.opts}
        for name, command in whole.commands.items()
    }
    # A file of reads has a row for each read: reader, case and modality are its roles. Patients who
    # are followed have times and events.
    others = {"classes", "table", "power", "size", "completion", "app", "readers", "survival"}
    others |= {"correct", "ordered", "marks"}
    others |= {"compare-published", "verified-auc", "verified-table"}
    others |= {"meta", "pool"}  # rows are studies
    of_cases = set(options) - others
    assert all(cases <= options[name] for name in of_cases)
    assert cases - options["classes"] == {"--positive", "--lower", "--outcome-name"}
    assert (cases - options["readers"]) == {"--frequency", "--fold"}
    # Ratings of marks have one direction, and no value of a mark may be missing.
    assert (cases - options["marks"]) == {
        "--positive", "--lower", "--frequency", "--fold", "--missing"
    }  # fmt: skip
    assert (cases - options["survival"]) == {"--frequency", "--fold", "--positive"}
    assert all(shown <= options[name] for name in set(options) - {"plot", *PAGES, "completion"})
    # Several answers are one table, which is always wide.
    assert (shown - options["readers"]) == {"--layout"}
    assert (shown - options["marks"]) == {"--layout"}
    assert (shown - options["survival"]) == {"--layout"}


def test_the_help_is_printed_where_it_is_asked_for(run):
    ended, out, err = run("--help")
    assert (ended, err) == (0, "")
    assert "Exit status: 0 done, 1 a bug of rocstats" in out


def test_three_commands_to_begin_with_are_said_where_nothing_is_asked(run, data, tmp_path):
    ended, out, err = run()
    assert (ended, err) == (2, "")
    assert max(map(len, out.splitlines())) < 80
    lines = re.findall(r"^  rocstats (.*)$", out, re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        for place, word in {"FILE": data, "OUTCOME": "diagnosis", "SCORE": "area"}.items():
            line = line.replace(place, str(word))
        words = shlex.split(line.replace("LABEL", "malignant"))
        if words[0] == "report":
            words += ["--kind", "html", "--criterion", "none", "--out", tmp_path / "report"]
            words += ["--force"]
        status, printed, said = run(*words)
        assert (status, bool(printed)) == (0, True), said


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_asks_the_command(run, shell):
    status, out, _ = run("completion", shell)
    assert status == 0
    assert "_ROCSTATS_COMPLETE=complete_" in out


def test_completion_knows_commands_and_words_of_options(run, monkeypatch):
    monkeypatch.setenv("_ROCSTATS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "rocstats cu")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run()[1].split() == ["curve", "cutpoint"]
    monkeypatch.setenv("COMP_WORDS", "rocstats points --reading ")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert run()[1].split() == ["interpolated", "attained"]


def test_a_bug_is_a_traceback_and_not_wrong_input(run, data, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(rs.Study, "auc", broken)
    with pytest.raises(ZeroDivisionError):
        run("auc", data, *WANTED)
