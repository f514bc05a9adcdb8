from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

import rocstats as rs
from rocstats.commands import pictures

WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")


def test_the_report_and_its_files(run, data, study, tmp_path):
    out = tmp_path / "new" / "report"
    status, printed, _ = run("report", data, *WANTED, "--out", out)
    assert status == 0
    names = {
        "report.html",
        "auc.csv",
        "roc_curve.csv",
        "compare_auc.csv",
        "test_equal_auc.csv",
        "roc_band.csv",
        "roc.svg",
        "roc.png",
    }
    assert {path.name for path in out.iterdir()} == names
    assert {Path(line).name for line in printed.splitlines()} == names
    pd.testing.assert_frame_equal(rs.read_csv(out / "auc.csv"), study.auc())
    assert (out / "roc.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_example_needs_no_arguments(run, tmp_path):
    status, _, _ = run("report", "--example", "--out", tmp_path / "r")
    page = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert status == 0
    assert "malignan" in page


def test_a_report_is_replaced_only_if_forced(run, data, tmp_path):
    (tmp_path / "auc.csv").write_text("mine", encoding="utf-8")
    words = ("report", data, "diagnosis", "area", "--positive", "malignant", "--out", tmp_path)
    status, _, err = run(*words)
    assert status == 2
    assert "which has auc.csv. Name another, or pass --force" in err
    before = {path.name for path in tmp_path.iterdir()}
    assert before == {"patients.csv", "auc.csv"}
    assert run(*words, "--force")[0] == 0
    assert (tmp_path / "auc.csv").read_text(encoding="utf-8").startswith("predictor,")


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

    monkeypatch.setattr(pictures, "roc_figure", figure)
    words = ("--band", "working-hotelling", "--threshold", "600", "--level", "0.9")
    words = ("plot", data, "diagnosis", "area", "--positive", "malignant", *words)
    assert run(*words, "--out", tmp_path / "roc.png")[0] == 0
    assert set(drawn["band"]["method"]) == {"working-hotelling"}
    assert set(drawn["points"]["threshold"]) == {600}
    assert set(drawn["auc"]["confidence_level"]) == {0.9}
