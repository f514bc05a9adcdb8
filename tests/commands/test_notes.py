"""What notes advise can be done with the command that shows them."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from rocstats.facts.notes import NOTES
from rocstats.inference.auc.auc import AUC
from tests.inference.readers.studies import rows_of
from tests.inference.readers.worked import random_study

# Few cases, of which some scores go the other way, and some tell all apart.
ASKED = [
    "auc few.csv y a b perfect --fpr-range 0 0.2",
    "compare few.csv y perfect close",
    "binormal few.csv y a b",
    "points few.csv y perfect --threshold 8",
    "random few.csv y a b",
    "calibration few.csv y risk",
    "subgroups few.csv y a b --by site",
    "plot few.csv y a b --out drawn.svg --seed 1",
    "report few.csv y perfect close b --out report --kind html --seed 1",
    "readers reads.csv --truth truth --rating rating --reader reader --case case"
    " --modality modality",
    "survival times.csv months event marker --time 8",
    "survival times.csv months event marker --lower marker --time 8",
]


@pytest.fixture
def _files(tmp_path, monkeypatch, rng):
    monkeypatch.chdir(tmp_path)
    y = (np.arange(30) < 9).astype(int)
    perfect = 10 * y + rng.integers(0, 5, 30)
    few = {
        "y": y,
        "a": rng.normal(size=30) + y,
        "b": rng.normal(size=30) - 3 * y,
        "perfect": perfect,
        "close": np.where(np.arange(30) == 8, 2.5, perfect),
        "risk": (rng.random(30) + y) / 2,
        "site": np.where(np.arange(30) % 2, "x", "z"),
    }
    pd.DataFrame(few).to_csv("few.csv", index=False)
    rows_of(random_study(rng)).to_csv("reads.csv", index=False)
    k = np.arange(40)
    times = {"months": k % 13 + 1, "event": (k % 3 > 0) * 1, "marker": k % 13}
    pd.DataFrame(times).to_csv("times.csv", index=False)


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize("line", ASKED)
def test_notes_name_options_of_their_command(app, run, line):
    command, *words = line.split()
    status, _, err = run(command, *words)
    notes = re.findall(r"^rocstats: note: (.*)$", err, re.MULTILINE)
    assert status == 0
    assert notes
    for note in notes:
        for other, option in re.findall(r"(?:rocstats (\w+) )?(--[a-z-]+)", note):
            there = {name for p in app.commands[other or command].params for name in p.opts}
            assert option in there, note
        assert not re.search(r"\w\(|\w_\w|\w=", note), note  # no words of Python
        if command in ("readers", "survival"):
            assert "rocstats auc" not in note  # which does not take such a file


def test_advice_is_about_notes():
    assert set(AUC.advice) <= set(NOTES)
