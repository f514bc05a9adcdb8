from __future__ import annotations

import re

import pytest
from matplotlib.figure import Figure

from rocstats.commands import curves as pictures

WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")


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
