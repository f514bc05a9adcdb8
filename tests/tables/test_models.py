"""Tables of studies of models: several labels, ordered classes, shared items."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.tables.text import format_estimate


@pytest.fixture
def labels(rng) -> rs.MultilabelStudy:
    y = (rng.random((120, 3)) < [0.5, 0.3, 0.2]).astype(int)
    scores = {name: gain * y + rng.normal(size=(120, 3)) for name, gain in (("m", 2), ("n", 1))}
    return rs.MultilabelStudy(y, scores, labels=list("uvw"), display_labels={"u": "Cough"})


@pytest.fixture
def grades(rng) -> rs.OrdinalStudy:
    grade = np.repeat([0, 1, 2], 20)
    return rs.OrdinalStudy(grade, {"a": grade + rng.normal(size=60), "b": rng.normal(size=60)})


def test_labels_are_called_labels(labels):
    table = rs.format_table(labels.auc())
    assert table.columns[:2].tolist() == ["Predictor", "Label"]
    assert table["Label"].tolist() == ["Cough", "v", "w", "all"] * 2
    scores = np.random.default_rng(1).random((18, 2))
    several = rs.MulticlassStudy(["u", "v"] * 9, scores, labels=list("uv"))
    assert "Class" in rs.format_table(several.auc())


def test_averages_over_labels_are_named_in_words(labels):
    table = rs.format_table(labels.classification_report(threshold=0.5))
    assert {"Micro F1 score", "Macro sensitivity", "Weighted positive predictive value"} <= set(
        table["Quantity"]
    )
    frame = labels.compare_operating_points(threshold=0.5, quantities="micro_f1")
    assert "Difference in micro F1 score (95% CI)" in rs.format_table(frame)


def test_a_wide_table_has_averages_below_the_labels(labels):
    frame = labels.operating_points(threshold=0.5)
    table = rs.format_table(frame, layout="wide")
    of_m = table[table["Predictor"] == "m"]
    assert of_m["Label"].tolist() == ["Cough", "v", "w", "macro average", "micro average"]
    calls = of_m[["TP", "FN", "FP", "TN"]].to_numpy()
    assert (calls[3:] == "").all()
    assert (calls[:3].astype(int).sum(axis=1) == 120).all()
    # Every estimate of the frame has a cell, but macro and micro averages share columns.
    measures = {
        "tpr": "Sensitivity", "tnr": "Specificity", "ppv": "PPV", "npv": "NPV", "f1": "F1 score",
    }  # fmt: skip
    for row in frame[frame["class"] == "all"].to_dict("records"):
        average, _, word = row["quantity"].partition("_")
        lines = (table["Predictor"] == row["predictor"]) & (table["Label"] == f"{average} average")
        cell = table.loc[lines, f"{measures[word]} (95% CI)"].item()
        limits = (row["ci_low"], row["ci_high"])
        printed = format_estimate(
            row["estimate"], *limits, style="plain", digits=3, confidence_level=0.95
        )
        assert cell == printed.replace("95% CI ", "")


def test_a_wide_report_of_classes_keeps_counts_beside_the_accuracy():
    rng = np.random.default_rng(1)
    study = rs.MulticlassStudy(np.tile(list("abc"), 20), rng.random((60, 3)), labels=list("abc"))
    table = rs.format_table(study.classification_report(), layout="wide")
    assert table["Class"].tolist() == [*"abc", "all", "macro average", "weighted average"]
    assert {"TP", "FN", "FP", "TN"} <= set(table)
    assert (table.loc[3:, "TP"] == "").all()
    assert table["Accuracy (95% CI)"].ne("").tolist() == [False] * 3 + [True] + [False] * 2


def test_ordered_classes_have_their_number_of_cases(grades):
    for frame in (grades.concordance(), grades.vus(), grades.compare_concordance()):
        for layout in ("long", "wide"):
            assert set(rs.format_table(frame, layout=layout)["Cases"]) == {"60"}
    texts = [text.get_text() for text in rs.plot_forest(grades.concordance()).texts]
    assert texts.count("60") == 2


def test_a_forest_has_averages_below_the_labels(labels):
    frame = labels.average_precision().query("predictor == 'm'")
    texts = [text.get_text() for text in rs.plot_forest(frame).texts]
    assert {"Cough", "v", "w", "macro average"} <= set(texts)


@pytest.mark.parametrize("ending", [".csv", ".md", ".tex", ".html", ".xlsx"])
def test_files_and_brief_take_them(labels, grades, ending, tmp_path):
    items = rs.ItemStudy({"s": [1, 0] * 15, "t": [1, 1, 0] * 10})
    frames = [
        labels.auc(), labels.average_precision(), labels.operating_points(threshold=0.5),
        labels.classification_report(threshold=0.5), labels.compare_auc(),
        labels.compare_operating_points(threshold=0.5),
        grades.concordance(), grades.vus(), grades.compare_concordance(),
        items.accuracy(), items.compare_accuracy(),
    ]  # fmt: skip
    for k, frame in enumerate(frames):
        path = rs.save_table(frame, tmp_path / f"table{k}{ending}")
        assert path.stat().st_size > 0
        assert len(rs.brief(frame)) == len(frame)
        if ending == ".csv":
            assert rs.read_csv(path).equals(frame)
