"""Labels of a study are what tables, plots and reports print; frames keep the names."""

from __future__ import annotations

import copy
import io
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import rocstats as rs

PRINTED = {"s100b": "S100B, µg/L", "ndka": "NDKA"}
LABELS = {**PRINTED, "sex": "Sex at birth"}  # of all columns, whatever a study has
ODD = "<b>50% & more</b> | _x_ 😀 "


@pytest.fixture
def data(rng):
    y = np.tile([1, 0], 40)
    return pd.DataFrame(
        {
            "y": y,
            "s100b": y + rng.normal(size=80),
            "ndka": y + rng.normal(size=80),
            "wfns": y + rng.normal(size=80),
            "sex": rng.permutation(np.repeat(["F", "M"], 40)),
        }
    )


@pytest.fixture
def study(data):
    scores = ["s100b", "ndka", "wfns"]
    return rs.Study("y", scores, data=data, labels=LABELS, outcome="Poor outcome")


def shown(ax):
    """Return all words on a figure, from which predictors are told."""
    return " ".join(text.get_text() for text in ax.figure.findobj(Text))


def test_frames_keep_names_and_carry_labels(study):
    frame = study.auc()
    assert frame["predictor"].tolist() == ["s100b", "ndka", "wfns"]
    about = frame.attrs["rocstats"]
    assert about["labels"] == PRINTED
    assert about["outcome"] == "Poor outcome"
    assert json.loads(json.dumps(about)) == about
    for name in ("roc_curve", "roc_hull", "compare_auc", "superiority_curve"):
        assert getattr(study, name)().attrs["rocstats"]["labels"] == PRINTED


def test_labels_when_frames_are_put_together(study):
    # pandas keeps the attributes of frames that have the same ones
    of_one_question = pd.concat([study.auc(), study.auc(fpr_range=(0, 0.2))])
    wanted = {"S100B, µg/L", "NDKA", "wfns"}
    assert set(rs.format_table(of_one_question)["Predictor"]) == wanted
    of_two = pd.concat([study.auc(), study.average_precision()])
    assert set(rs.format_table(of_two)["Predictor"]) == {"s100b", "ndka", "wfns"}
    assert set(rs.format_table(of_two, labels=study.labels)["Predictor"]) == wanted


def test_a_study_without_labels_has_frames_without_them(data):
    about = rs.Study("y", "s100b", data=data, group="sex").auc().attrs["rocstats"]
    assert {"labels", "outcome", "group_label"}.isdisjoint(about)


def test_a_changed_frame_does_not_change_the_study(study):
    study.auc().attrs["rocstats"]["labels"]["s100b"] = "other"
    study.labels["s100b"] = "other"
    assert study.labels == PRINTED == study.auc().attrs["rocstats"]["labels"]


def test_copies_have_the_words(study):
    for other in (pickle.loads(pickle.dumps(study)), copy.copy(study), copy.deepcopy(study)):
        assert (other.labels, other.outcome) == (PRINTED, "Poor outcome")


class Fitted:
    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float) / 10
        return np.column_stack([1 - p, p])


def _of_folds(**words):
    results = {"estimator": [Fitted()], "indices": {"test": [[0, 1, 2, 3]]}}
    return rs.Study.from_cv_results({"score": results}, [1, 2, 3, 4], [0, 1, 0, 1], **words)


@pytest.mark.parametrize(
    "make",
    [
        lambda **words: rs.Study([1, 0], [2, 1], **words),
        lambda **words: rs.Study.from_confusion(tp=3, fn=1, fp=1, tn=3, **words),
        lambda **words: rs.Study.from_leaves(
            {"class": ["p", "n"], "matched": [4, 4], "errors": [1, 1]}, pos_label="p", **words
        ),
        lambda **words: rs.Study.from_samples(positives=[3, 2], negatives=[1, 2], **words),
        lambda **words: rs.Study.from_estimator({"score": Fitted()}, [1, 2], [0, 1], **words),
        lambda **words: rs.Study.from_tree(Fitted(), [1, 2], [0, 1], **words),
        _of_folds,
    ],
    ids=["arrays", "confusion", "leaves", "samples", "estimator", "tree", "folds"],
)
def test_every_way_to_make_a_study_takes_the_words(make):
    made = make(labels={"score": "Net"}, outcome="Ill")
    assert (made.labels, made.outcome) == ({"score": "Net"}, "Ill")
    with pytest.raises(rs.InputError, match=r"got \['net'\]. The names are \['score'\]"):
        make(labels={"net": "Net"})


def test_stacked_studies_have_the_words_of_all():
    one = rs.Study([1, 0], {"a": [2, 1]}, labels={"a": "A"}, outcome="Ill")
    both = rs.stack_test_sets([one, one])
    assert (both.labels, both.outcome) == ({"a": "A"}, "Ill")
    other = rs.Study([1, 0], {"a": [2, 1]}, labels={"a": "B"}, outcome="Ill")
    with pytest.raises(rs.InputError, match="`studies` must agree in labels; got"):
        rs.stack_test_sets([one, other])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"labels": {"s100": "x"}}, r"`labels` must use names of the study; got \['s100'\]"),
        ({"labels": {"s100b": "ndka"}}, r"got the label 'ndka' for \['s100b', 'ndka'\]"),
        ({"labels": {"s100b": 1}}, "`labels` must be a dict of names and their labels"),
        ({"labels": {"s100b": " "}}, "`labels` must be a dict of names and their labels"),
        ({"labels": ["S100B"]}, "`labels` must be a dict of names and their labels"),
        ({"outcome": 1}, "`outcome` must be a text, the name of the condition; got 1"),
    ],
)
def test_wrong_words_are_refused(data, words, message):
    with pytest.raises(rs.InputError, match=message):
        rs.Study("y", ["s100b", "ndka"], data=data, **words)


def test_tables_print_labels_and_the_outcome(study):
    table = rs.format_table(study.compare_auc())
    assert table["Predictor"].tolist() == ["S100B, µg/L", "S100B, µg/L", "NDKA"]
    assert table["Reference"].tolist() == ["NDKA", "wfns", "wfns"]
    assert "Positives: Poor outcome." in table.attrs["rocstats"]["footnotes"]


def test_footnotes_name_rows_by_labels(data):
    few = data.assign(s100b=-3 * data["y"])
    frame = rs.Study("y", ["s100b", "ndka"], data=few, labels=LABELS | {"sex": "S"}, group="sex")
    with pytest.warns(rs.StatisticalWarning):
        table = rs.format_table(frame.auc())
    notes = " ".join(table.attrs["rocstats"]["footnotes"])
    assert "(S100B, µg/L, " in notes
    assert "s100b" not in notes


def test_the_label_of_groups_is_their_heading(data):
    grouped = rs.Study("y", "s100b", data=data, group="sex", labels=LABELS)
    assert list(rs.format_table(grouped.auc()))[:2] == ["Predictor", "Sex at birth"]
    assert "Group" in rs.format_table(rs.Study("y", "s100b", data=data, group="sex").auc())


def test_labels_lost_in_a_file_are_given_again(study):
    frame = rs.read_csv(io.StringIO(study.auc().to_csv(index=False)))
    assert rs.format_table(frame)["Predictor"].tolist() == ["s100b", "ndka", "wfns"]
    table = rs.format_table(frame, labels=LABELS)
    assert table["Predictor"].tolist() == ["S100B, µg/L", "NDKA", "wfns"]
    curve = pd.concat([study.roc_curve(), study.det_curve()])
    assert "s100b" in shown(rs.plot_roc(curve))
    assert "S100B" not in shown(rs.plot_roc(curve))
    assert "S100B, µg/L" in shown(rs.plot_roc(curve, labels=LABELS))


def test_labels_given_go_before_those_of_the_study(study):
    table = rs.format_table(study.auc(), labels={"ndka": "N"})
    assert table["Predictor"].tolist() == ["S100B, µg/L", "N", "wfns"]
    with pytest.raises(
        rs.InputError, match="`labels` must be different for each name; got the label 'x'"
    ):
        rs.format_table(study.auc(), labels={"ndka": "x", "wfns": "x"})


def test_labels_that_exchange_names_are_put_once(data, tmp_path):
    swapped = {"s100b": "ndka", "ndka": "s100b"}
    study = rs.Study("y", ["s100b", "ndka"], data=data, labels=swapped)
    assert rs.format_table(study.auc())["Predictor"].tolist() == ["ndka", "s100b"]
    page = rs.report(study, tmp_path / "r.html", criterion=None).read_text(encoding="utf-8")
    plain = rs.format_table(study.auc(), digits=3)
    first = str(plain.iloc[0, 1]).partition(" ")[0]
    assert f"ndka {first}" in page


def test_csv_files_hold_names(study, tmp_path):
    path = rs.save_table(study.auc(), tmp_path / "t.csv", labels={"ndka": "N"})
    assert rs.read_csv(path).equals(study.auc())
    with pytest.raises(rs.InputError, match="`labels` must be a dict"):
        rs.save_table(study.auc(), tmp_path / "t.csv", labels=3)


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("html", "&lt;b&gt;50% &amp; more&lt;/b&gt; | _x_ 😀"),
        ("tex", r"$<$b$>$50\% \& more$<$/b$>$ $|$ \_x\_ 😀"),
        ("md", r"\<b>50% & more\</b> \| \_x\_ 😀"),
    ],
)
def test_labels_are_escaped(data, tmp_path, ending, expected):
    study = rs.Study("y", "s100b", data=data, labels={"s100b": ODD}, outcome=ODD)
    text = rs.save_table(study.auc(), tmp_path / f"t.{ending}").read_text(encoding="utf-8")
    assert text.count(expected) == 2  # the row, and the footnote on the outcome


def test_a_report_uses_the_words(study, tmp_path):
    path = tmp_path / "r.html"
    page = rs.report(study, path, criterion=None, explorer=None).read_text(encoding="utf-8")
    assert "<h1>S100B, µg/L, NDKA and wfns as tests for Poor outcome</h1>" in page
    assert "40 had Poor outcome" in page
    assert "points more to Poor outcome" in page
    assert "s100b" not in page
    assert "ndka" not in page


def test_a_report_escapes_the_words(data, tmp_path):
    study = rs.Study("y", "s100b", data=data, labels={"s100b": ODD}, outcome=ODD)
    page = rs.report(study, tmp_path / "r.html", criterion=None).read_text(encoding="utf-8")
    assert "<b>50%" not in page
    assert "&lt;b&gt;50% &amp; more" in page


def _first(frame):
    return frame[frame["predictor"] == "s100b"]


def test_scores_of_positives_are_named_by_the_outcome(study):
    assert "positives (Poor outcome)" in shown(rs.plot_scores(_first(study.roc_curve())))


def test_classes_and_classifiers_have_labels(rng):
    y = np.repeat(["a", "b", "c"], 20)
    tables = {
        name: {label: (y == label) + rng.normal(size=60) for label in "abc"} for name in ("m", "n")
    }
    words = {"a": "Adenoma", "m": "Net"}
    study = rs.MulticlassStudy(y, tables, display_labels=words)
    frame = study.auc(method="ovr-weighted")
    table = rs.format_table(frame)
    assert set(frame["class"]) == {"a", "b", "c", "all"}
    assert set(table["Predictor"]) == {"Net", "n"}
    assert "Adenoma" in set(table["Class"])
    text = shown(rs.plot_roc(study.roc_curve(), auc=frame))
    assert "Net: Adenoma vs rest" in text
    assert "m: a" not in text
    assert study.one_against_rest(0).labels == words
    assert pickle.loads(pickle.dumps(study)).labels == words
    with pytest.raises(rs.InputError, match=r"`display_labels` must use names of the study"):
        rs.MulticlassStudy(y, tables, display_labels={"d": "x"})


def test_a_long_label_is_whole_in_a_table_and_shortened_in_a_legend(data):
    long = "Serum concentration of the protein " * 5 + "at 24 hours"
    study = rs.Study("y", ["s100b", "ndka"], data=data, labels={"s100b": long})
    assert rs.format_table(study.auc())["Predictor"][0] == long
    # 38 letters: the first 25 and the last 12.
    ax = rs.plot_roc(study.roc_curve())
    names = {text.get_text() for text in (ax.texts or ax.get_legend().get_texts())}
    assert names == {f"{long[:25]}…{long[-12:]}", "ndka"}
