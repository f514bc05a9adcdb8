"""FROC and wAFROC curves: what is drawn, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.inference.localisation.studies import example, hand

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


def one_reader():
    marks, cases, lesions = rs.load_marks_example()
    return rs.DetectionStudy(marks[marks["reader"] == 0], cases, lesions, modality="modality")


def test_a_curve_passes_through_its_points_on_a_logarithmic_axis():
    ax = rs.plot_froc(hand().curve())
    assert ax.get_xscale() == "log"
    (line,) = ax.lines
    x, y = line.get_data()
    for point in [(0.2, 0), (0.2, 0.25), (0.4, 0.5), (0.8, 0.5)]:
        assert np.min(np.hypot(x - point[0], y - point[1])) < 1e-12
    # Straight between points, as sensitivities are read.
    assert np.interp(0.3, x[x > 0.2], y[x > 0.2]) == pytest.approx(0.375, abs=1e-3)
    texts = [text.get_text() for text in ax.get_xticklabels()]
    assert texts[:4] == ["1/8", "1/4", "1/2", "1"]


def test_readers_of_a_modality_are_thin_lines_of_one_colour():
    ax = rs.plot_froc(example().curve())
    assert len(ax.lines) == 8
    assert len({line.get_color() for line in ax.lines}) == 2


def test_readers_of_one_modality_have_a_colour_each():
    marks, cases, lesions = rs.load_marks_example()
    marks = marks[marks["modality"] == "A"]
    study = rs.DetectionStudy(marks, cases, lesions, reader="reader", labels={"0": "AI"})
    ax = rs.plot_froc(study.curve())
    assert len({line.get_color() for line in ax.lines}) == 4
    words = " ".join(text.get_text() for text in ax.figure.findobj(match=type(ax.title)))
    assert "AI" in words
    assert "Reader 3" in words


def test_points_are_at_false_marks_and_lesion_sensitivity():
    study = one_reader()
    ax = rs.plot_froc(study.curve(), points=study.operating_points(threshold=0))
    points = study.operating_points(threshold=0).set_index(["modality", "quantity"])["estimate"]
    marks = [
        line.get_xydata()[0] for line in ax.lines if line.get_marker() not in ("None", None, "")
    ]
    expected = [(points[m, "false_marks"], points[m, "lesion_tpr"]) for m in "AB"]
    for place in expected:
        assert any(np.allclose(place, mark) for mark in marks)


def test_a_wafroc_curve_ends_with_a_dashed_line_to_the_corner():
    ax = rs.plot_froc(one_reader().curve("wafroc"))
    ends = [line for line in ax.lines if tuple(line.get_xydata()[-1]) == (1.0, 1.0)]
    assert len(ends) == 2
    assert ax.get_xscale() == "linear"


def test_what_cannot_be_drawn_is_refused():
    study, several = one_reader(), example()
    both = pd.concat([study.curve(), study.curve("wafroc")])
    with pytest.raises(rs.InputError, match="`curve` must be of one kind"):
        rs.plot_froc(both)
    band = study.froc_band(n_resamples=100, rng=1)
    with pytest.raises(rs.InputError, match="`band` and `points` must be left out"):
        rs.plot_froc(study.curve("wafroc"), band=band)
    every = several.froc_band(n_resamples=100, rng=1)
    with pytest.raises(rs.InputError, match="`band` must be of one reader"):
        rs.plot_froc(several.curve(), band=every)
    with pytest.raises(rs.InputError, match="`points` must be of modalities"):
        rs.plot_froc(
            study.curve()[study.curve()["modality"] == "A"],
            points=several.operating_points(threshold=1),
        )
