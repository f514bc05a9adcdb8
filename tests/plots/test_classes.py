"""Curves of several classes on one graph, and their areas in a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import rocstats as rs
from tests.plots.drawn import names_of

Y = ["a", "b", "c", "a"]
SCORES = {"a": [0.8, 0.3, 0.1, 0.4], "b": [0.1, 0.6, 0.3, 0.7], "c": [0.1, 0.1, 0.6, 0.1]}


@pytest.fixture
def study():
    return rs.MulticlassStudy(Y, SCORES)


def test_each_class_has_a_line_and_a_name(study):
    curve = study.roc_curve()
    ax = rs.plot_roc(curve, ax=Figure().subplots())
    # from the highest curve to the lowest
    assert names_of(ax) == ["a vs rest", "c vs rest", "b vs rest"]
    lines = [line for line in ax.get_lines() if line.get_linestyle() != ":"]
    for line, name in zip(lines, "abc", strict=True):
        rows = curve[curve["class"] == name]
        np.testing.assert_array_equal(line.get_xdata(), rows["fpr"])
        np.testing.assert_array_equal(line.get_ydata(), rows["tpr"])
    assert len({line.get_color() for line in lines}) == 3
    assert set(curve["predictor"]) == {"score"}, "the frame itself is left alone"


def test_an_average_curve_is_of_no_class_against_the_rest(study):
    averages = [study.roc_curve(average=average) for average in ("micro", "macro")]
    ax = rs.plot_roc(pd.concat(averages), ax=Figure().subplots())
    assert names_of(ax) == ["micro-average", "macro-average"]


def test_areas_against_the_rest_stand_in_the_legend(study):
    areas = study.auc(method="ovr-weighted")
    ax = rs.plot_roc(study.roc_curve(), auc=areas, ax=Figure().subplots())
    # b: 0.6 is above 0.1 and 0.3, below 0.7
    assert [text[:15] for text in names_of(ax)] == [
        "a vs rest 1.000",
        "c vs rest 1.000",
        "b vs rest 0.667",
    ]
    assert all(text[15:].startswith(" (") for text in names_of(ax))


def test_areas_of_pairs_belong_to_no_curve(study):
    with pytest.raises(rs.InputError, match="one full area for each curve; got 0 for 'a vs rest'"):
        rs.plot_roc(study.roc_curve(), auc=study.auc(), ax=Figure().subplots())


def test_groups_and_folds_of_classes():
    twice = {name: column * 4 for name, column in SCORES.items()}
    study = rs.MulticlassStudy(Y * 4, twice, group=["u"] * 8 + ["v"] * 8, fold=[1] * 4 + [2] * 12)
    panels = rs.plot_roc(study.roc_curve()).figure.axes
    assert [panel.get_title(loc="left") for panel in panels] == [
        f"{name} vs rest, {group}" for group in "uv" for name in "abc"
    ]
    by_fold = rs.MulticlassStudy(
        Y * 2, {k: v * 2 for k, v in SCORES.items()}, fold=[1] * 4 + [2] * 4
    )
    ax = rs.plot_roc(by_fold.roc_curve(by="fold"), ax=Figure().subplots())
    assert names_of(ax) == ["a vs rest", "c vs rest", "b vs rest"]
    assert len(ax.get_lines()) == 1 + 6


def test_a_table_says_what_each_class_is_told_from(study):
    table = rs.format_table(study.auc())
    assert table["Class"].tolist() == ["a", "a", "b", "all"]
    assert table["Versus"].tolist() == ["b", "c", "c", ""]


def test_several_classifiers_are_told_apart_by_name(study):
    both = rs.MulticlassStudy(Y, {"one": SCORES, "two": SCORES})
    panels = rs.plot_roc(both.roc_curve()).figure.axes
    assert [panel.get_title(loc="left") for panel in panels] == [
        f"{who}: {name} vs rest" for who in ("one", "two") for name in "abc"
    ]


def test_bands_and_averages_belong_to_their_curves(study):
    twice = {name: column * 3 for name, column in SCORES.items()}
    study = rs.MulticlassStudy(Y * 3, twice)
    band = study.roc_band("joint", at=[0.1, 0.5])
    ax = rs.plot_roc(study.roc_curve(), band=band, ax=Figure().subplots())
    assert len(ax.collections) == 3
    ax = rs.plot_roc(study.roc_curve(average="macro"), ax=Figure().subplots())
    assert len(ax.get_lines()) == 2


def test_a_table_says_how_classes_were_compared():
    rows = [0.9, 0.2, 0.4, 0.7, 0.6, 0.3] * 5
    one = {name: [(k * v) % 1 for v in rows] for k, name in enumerate("abc", start=3)}
    two = {name: [(k * v) % 1 for v in rows] for k, name in enumerate("abc", start=7)}
    study = rs.MulticlassStudy(["a", "b", "c"] * 10, {"one": one, "two": two})
    notes = rs.format_table(study.compare_auc()).attrs["rocstats"]["footnotes"]
    assert notes[0] == (
        "Standard errors were estimated from influence values, summed over the areas of pairs of"
        " classes that a case enters."
    )


def test_a_table_of_verification_names_what_was_corrected():
    frame = rs.begg_greenes(tp=231, fp=32, fn=27, tn=54, n_test_positive=429, n_test_negative=221)
    table = rs.format_table(frame)
    assert table["Kind"].tolist() == ["missing-at-random"] * 4 + ["verified-only"] * 2
    notes = table.attrs["rocstats"]["footnotes"]
    assert notes[0] == (
        "Standard errors were estimated by the method of Begg and Greenes for verification that"
        " depends on the result of the test (test, missing-at-random) and by the binomial"
        " distribution (test, missing-at-random; test, verified-only)."
    )
