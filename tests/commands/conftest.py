from __future__ import annotations

import json
import math
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer

import rocstats as rs
from rocstats import cli
from rocstats.reports import word
from rocstats.study import large_files
from tests.inference.readers.studies import rows_of
from tests.inference.readers.worked import worked

CLINIC = Path(__file__).parents[1] / "data" / "clinic"
DESK = CLINIC.with_name("desk")

# The options of the study of the fixture ``study``; options of resampling, and the same in Python.
WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")
DRAWN, SEEDED = "--resamples 200 --seed 1", {"n_resamples": 200, "rng": 1}


def examples_of(command):
    """Return the lines that the help of a command gives as examples."""
    text = cli.COMMANDS[command].__doc__.replace("\\\n", "")
    return [line.strip() for line in re.findall(r"^ +(rocstats .*)$", text, re.MULTILINE)]


@pytest.fixture(scope="session")
def app():
    """The commands, made from their functions once: that takes longer than most answers."""
    return typer.main.get_command(cli.app)


@pytest.fixture
def run(app, capsys, monkeypatch):
    """Run the command in this process; return exit status, standard output and error."""
    monkeypatch.setattr(cli, "app", app)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["rocstats", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        printed = capsys.readouterr()
        return stop.value.code or 0, printed.out, printed.err

    return call


@pytest.fixture
def ask(run):
    """Return the rows that a command answers, and what is said of them, in one line."""

    def call(*words):
        status, printed, said = run(*words, "--format", "json")
        assert status == 0, said
        return json.loads(printed), " ".join(said.split())

    return call


@pytest.fixture
def refused(run):
    """Return, in one line, what is said of a command that prints nothing and ends with status 2."""

    def call(*words):
        status, printed, said = run(*words)
        assert (status, printed) == (2, ""), said
        return " ".join(said.split())

    return call


@pytest.fixture
def of_patients(ask, data):
    """Return the rows that a command and its options answer about the study WANTED."""

    def call(words):
        name, *options = words.replace("DRAWN", DRAWN).split()
        return ask(name, data, *WANTED, *options)[0]

    return call


def require_same(rows, frame):
    """Require the rows of a command to be those of a frame."""
    for row, (_, other) in zip(rows, frame.iterrows(), strict=True):
        for name, value in other.items():
            known = not (isinstance(value, float) and not math.isfinite(value))
            assert row[name] == (value if known else None), name


@pytest.fixture
def most_rows(monkeypatch):
    """Set the number of rows above which an engine counts them."""

    def call(number):
        monkeypatch.setattr(large_files, "MOST_ROWS", number)
        # The engine that every environment of the tests has.
        monkeypatch.setattr(large_files, "_ENGINES", ("polars",))

    return call


@pytest.fixture(scope="session")
def breast_cancer():
    """The text of a file of patients, made once: most tests write it to a folder of their own."""
    return rs.load_breast_cancer().to_csv(index=False)


@pytest.fixture
def data(breast_cancer, tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text(breast_cancer, encoding="utf-8")
    return path


@pytest.fixture
def study():
    """The study that the options WANTED describe."""
    frame = rs.load_breast_cancer()
    return rs.Study("diagnosis", ["area", "texture"], data=frame, pos_label="malignant")


@pytest.fixture
def rows(tmp_path):
    """A file of twelve cases, each of its columns wrong for something."""
    columns = {
        "y": [0, 1] * 6,
        "s": range(12),
        "holes": [0, 1, 2, None, *range(8)],
        "all": 1,
        "part": [1, 1, 2, 2] * 3,
        "site": ["u", "v", "w"] * 4,
        "n": 0.5,
        "n_resamples": 1,
    }
    path = tmp_path / "rows.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def reads():
    """The worked study of docs/methods/readers.md as a user has it, with a machine's scores."""
    rows = rows_of(worked())
    names = rows["modality"].map({"m1": "plain", "m2": "aided"})
    return rows.assign(modality=names, score=11 * rows["case"] % 41 + 20 * rows["truth"])


@pytest.fixture
def folder(data, rng, monkeypatch):
    """A working folder with the files that the examples of the help name."""
    monkeypatch.chdir(data.parent)
    # No test of an example looks at how fine the pictures of the Word document are.
    monkeypatch.setattr(word, "_DOTS", 60)
    for name in ("folds.csv", "two_by_two.csv"):
        shutil.copy(CLINIC / name, name)
    shutil.copy(DESK / "readers_wide.csv", "wide.csv")
    pd.read_csv(CLINIC / "two_tests_missing.csv").dropna().to_csv("pilot.csv", index=False)
    joint = {"disease": [1] * 4 + [0] * 4, "rapid": [1, 1, 0, 0] * 2, "laboratory": [1, 0] * 4}
    pd.DataFrame({**joint, "n": [30, 5, 9, 6, 10, 8, 3, 60]}).to_csv("joint.csv", index=False)
    died, risk = np.arange(80) % 4 == 0, (1 + np.arange(80) * 37 % 79) / 161
    models = {"model": risk + 0.4 * died, "older": risk + 0.3 * died}
    models["sex"] = np.where(np.arange(80) % 3 > 0, "man", "woman")
    pd.DataFrame({"died": died.astype(int), **models}).round(3).to_csv("risks.csv", index=False)
    reads().to_csv("reads.csv", index=False)
    n = np.arange(120)
    ill, score = n % 3 == 0, np.round((n * 37 % 101) / 100 + 0.5 * (n % 3 == 0), 2)
    chance = np.where(score > 0.6, 1, 0.5)
    verified = (chance == 1) | (n % 2 == 0)
    partly = {"score": score, "chance": chance, "verified": verified.astype(int)}
    partly["ill"] = np.where(verified, ill.astype(float), np.nan)
    pd.DataFrame(partly).to_csv("partly.csv", index=False)
    kind = np.array(["low", "middle", "high"])[np.arange(60) % 3]
    scores = {name: (kind == name) + rng.normal(size=60) for name in dict.fromkeys(kind)}
    pd.DataFrame({"kind": kind, **scores}).to_csv("classes.csv", index=False)
    graded = dict(zip(["p_none", "p_mild", "p_severe"], scores.values(), strict=True))
    pd.DataFrame({"grade": np.arange(60) % 3, **graded}).to_csv("graded.csv", index=False)
    right = rng.random((60, 3)) < [0.8, 0.6, 0.5]
    answers = pd.DataFrame(right.astype(int), columns=["large", "small", "tiny"])
    answers.assign(document=np.arange(60) // 3).to_csv("answers.csv", index=False)
    runs = answers.rename(columns={"small": "base"})[["large", "base"]].rename_axis("question")
    runs.stack().rename_axis(["question", "model"]).rename("right").to_csv("runs.csv")
    rs.load_lymph_nodes().rename(columns={"study": "author"}).to_csv("review.csv", index=False)
    areas = {"centre": list("abc"), "auc": [0.8, 0.7, 0.75], "se": [0.03, 0.02, 0.04]}
    pd.DataFrame(areas).to_csv("centres.csv", index=False)
    return data.parent
