"""The commands about curves: curve, band, average, precision-recall and plot."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from matplotlib.figure import Figure
from PIL import Image

import rocstats as rs
from rocstats.commands import curves
from tests.commands.conftest import SEEDED, WANTED, require_same

QUESTIONS = {
    "curve --ties optimistic": lambda s: s.roc_curve(ties="optimistic"),
    "band --method pointwise --at 0.1 --at 0.3 DRAWN": lambda s: s.roc_band(
        "pointwise", at=[0.1, 0.3], **SEEDED
    ),
    "precision-recall --prevalence 0.05 --level 0.9": lambda s: s.average_precision(
        prevalence=0.05, confidence_level=0.9
    ),
    "precision-recall --reference texture": lambda s: s.compare_average_precision(
        reference="texture"
    ),
    "band --method regional --fpr-range 0.05 0.2 DRAWN": lambda s: s.roc_band(
        "regional", fpr_range=(0.05, 0.2), **SEEDED
    ),
}


@pytest.mark.parametrize("words", QUESTIONS)
def test_the_frame_of_the_question_is_printed(of_patients, study, words):
    require_same(of_patients(words), QUESTIONS[words](study))


def test_averages_over_folds_of_repeated_cases(ask, folder):
    words = ("y", "forest", "--fold", "repeat", "--cluster", "case", "--repeated", "--at", "0.2")
    words = (*words, "--interval", "normal")
    study = rs.Study("y", "forest", data=pd.read_csv("folds.csv"), fold="repeat", cluster="case")
    expected = study.roc_average(interval="normal", at=[0.2], independent=False)
    require_same(ask("average", "folds.csv", *words)[0], expected)


def test_curves_of_precision_are_drawn_with_bands(run, refused, data, tmp_path):
    figure = tmp_path / "precision.svg"
    words = ("precision-recall", data, *WANTED, "--resamples", "100", "--seed", "1")
    status, out, err = run(*words, "--figure", figure)
    assert (status, out.splitlines()[-1]) == (0, str(figure)), err
    drawn = figure.read_text(encoding="utf-8")
    assert "Average precision (95% CI)" in drawn
    said = refused(*words, "--prevalence", "0.1", "--figure", tmp_path / "other.svg")
    assert "`--prevalence` must be left out with --figure" in said


BEGINS = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG", "tiff": b"II*\0"}


@pytest.mark.parametrize("ending", list(BEGINS))
def test_the_ending_chooses_the_picture(run, data, tmp_path, ending):
    out = tmp_path / f"roc.{ending}"
    assert run("plot", data, *WANTED, "--out", out) == (0, f"{out}\n", "")
    assert out.read_bytes().startswith(BEGINS[ending])


@pytest.mark.parametrize(("width", "millimetres"), [("column", 85), ("page", 174)])
def test_the_figure_is_as_wide_as_it_is_printed(run, data, tmp_path, width, millimetres):
    out = tmp_path / "roc.svg"
    run("plot", data, *WANTED, "--out", out, "--width", width)
    points = float(re.search(r'width="([\d.]+)pt"', out.read_text(encoding="utf-8"))[1])
    assert points == pytest.approx(millimetres / 25.4 * 72, abs=0.01)


def test_the_figure_has_what_is_asked(run, data, tmp_path, monkeypatch):
    drawn = {}

    def figure(curve, **frames):
        drawn.update(frames)
        return Figure()

    monkeypatch.setattr(curves, "roc_figure", figure)
    words = ("--band", "working-hotelling", "--threshold", "600", "--level", "0.9")
    words = ("plot", data, "diagnosis", "area", "--positive", "malignant", *words)
    assert run(*words, "--out", tmp_path / "roc.png")[0] == 0
    assert set(drawn["band"]["method"]) == {"working-hotelling"}
    assert set(drawn["points"]["threshold"]) == {600}
    assert set(drawn["auc"]["confidence_level"]) == {0.9}


def test_a_figure_for_a_journal(run, data, tmp_path):
    path = tmp_path / "figure.tiff"
    options = ("--style", "radiology", "--dpi", "400", "--threshold", "area=600")
    status, _, _ = run("plot", data, *WANTED, "--out", path, *options)
    assert status == 0
    with Image.open(path) as picture:
        assert picture.mode == "RGB"
        assert picture.info["dpi"] == (400, 400)
    status, _, said = run("plot", data, *WANTED, "--out", tmp_path / "a.png", "--dpi", "10")
    assert status == 2
    assert "--dpi" in said
