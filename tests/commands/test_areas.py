"""The commands about areas: auc, compare, random, binormal and classes; files too large to read."""

from __future__ import annotations

import pandas as pd
import pytest

import rocstats as rs
from rocstats.study import large_files
from tests.commands.conftest import SEEDED, WANTED, require_same

# The words of a command, and the same question in Python.
QUESTIONS = {
    "auc --variance hanley-mcneil --level 0.9": lambda s: s.auc(
        variance="hanley-mcneil", confidence_level=0.9
    ),
    "auc --fpr-range 0 0.1": lambda s: s.auc(fpr_range=(0, 0.1)),
    "auc --interval bca DRAWN": lambda s: s.auc(interval="bca", **SEEDED),
    "auc --interval percentile DRAWN": lambda s: s.auc(interval="percentile", **SEEDED),
    "compare --reference texture --hypothesis superiority --margin 0.1": lambda s: s.compare_auc(
        reference="texture", hypothesis="superiority", margin=0.1
    ),
    "compare --method bootstrap DRAWN": lambda s: s.compare_auc(method="bootstrap", **SEEDED),
    "compare --alternative greater --adjust none": lambda s: s.compare_auc(
        alternative="greater", adjust="none"
    ),
    "compare --threshold area=600 --threshold texture=20": lambda s: s.compare_operating_points(
        threshold={"area": 600, "texture": 20}
    ),
    "compare --threshold 20": lambda s: s.compare_operating_points(threshold=20),
    "compare --fpr 0.1 --fpr 0.2 DRAWN": lambda s: s.compare_operating_points(
        fpr=[0.1, 0.2], **SEEDED
    ),
    "compare --tpr 0.9 DRAWN": lambda s: s.compare_operating_points(tpr=[0.9], **SEEDED),
    "random --method permutation --n-candidates 5 DRAWN": lambda s: s.versus_random(
        method="permutation", n_candidates=5, **SEEDED
    ),
    "binormal --method normal-theory": lambda s: s.binormal(method="normal-theory"),
}


@pytest.mark.parametrize("words", QUESTIONS)
def test_the_frame_of_the_question_is_printed(of_patients, study, words):
    require_same(of_patients(words), QUESTIONS[words](study))


def test_areas_are_adjusted_for_covariates(ask, refused, data):
    words = ("auc", data, *WANTED, "--covariate", "symmetry")
    frame = rs.load_breast_cancer()
    roles = {"pos_label": "malignant", "covariate": "symmetry"}
    study = rs.Study("diagnosis", ["area", "texture"], data=frame, **roles)
    rows, _ = ask(*words)
    assert [row["estimate"] for row in rows] == study.adjusted_auc()["estimate"].tolist()
    assert {row["quantity"] for row in rows} == {"adjusted_auc"}
    said = refused(*words, "--interval", "bca", "--seed", "1")
    assert "`--interval` must be left out for adjusted areas; got 'bca'" in said


@pytest.mark.parametrize("method", ["ovo-macro", "ovr-weighted"])
def test_classes_are_columns_of_their_names(ask, folder, method):
    words = ("kind", "low", "middle", "high", "--method", method)
    names = ["low", "middle", "high"]
    expected = rs.MulticlassStudy("kind", names, data=pd.read_csv("classes.csv"))
    require_same(ask("classes", "classes.csv", *words)[0], expected.auc(method=method))


def test_classes_are_named_by_an_option(ask, folder):
    names = ("--class", "0=p_none", "--class", "1=p_mild", "--class", "2=p_severe")
    words = ("grade", "p_none", "p_mild", "p_severe", *names)
    data = pd.read_csv("graded.csv")
    expected = rs.MulticlassStudy(data["grade"], data.drop(columns="grade").to_numpy())
    require_same(ask("classes", "graded.csv", *words)[0], expected.auc())


# --- Files with more rows than are read, counted by an engine: here from 100 rows on --------------

ONE = ("diagnosis", "area", "--positive", "malignant")


@pytest.fixture
def parquet(data, tmp_path, most_rows):
    most_rows(100)
    path = tmp_path / "patients.parquet"
    pd.read_csv(data).to_parquet(path)
    return path


@pytest.mark.parametrize("words", [ONE, WANTED], ids=["one", "two"])
def test_areas_are_those_of_the_rows_within_the_bound(
    run, parquet, data, tmp_path, most_rows, words
):
    for name, file in (("parquet", parquet), ("csv", data)):
        status, _, said = run("auc", file, *words, "--out", tmp_path / f"{name}.csv")
        assert status == 0
        assert f"{file.name} has more than 100 rows; Polars counts them" in said
    most_rows(10**7)
    _, _, said = run("auc", parquet, *words, "--out", tmp_path / "rows.csv")
    assert "counts" not in said
    found, text, rows = (
        pd.read_csv(tmp_path / f"{name}.csv") for name in ("parquet", "csv", "rows")
    )
    pd.testing.assert_frame_equal(found, text)
    assert list(found["predictor"]) == list(rows["predictor"])
    error = found.get("binning_error", pd.Series(0.0, found.index))
    assert (error <= 1e-4).all()
    assert ((found["estimate"] - rows["estimate"]).abs() <= error + 1e-12).all()


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ((*WANTED, "--fold", "area"), "--fold"),
        ((*ONE, "--cluster", "area"), "--cluster"),
        ((*ONE, "--interval", "bca"), "--interval"),
        ((*ONE, "--fpr-range", "0", "0.1"), "--fpr-range"),
        ((*WANTED, "--label", "area=Area"), "--label"),
    ],
)
def test_options_that_need_rows_are_refused(refused, parquet, words, option):
    message = f"`{option}` must be left out for a file of more than 100 rows"
    assert message in refused("auc", parquet, *words)


def test_without_an_engine_the_message_names_the_extra(refused, parquet, monkeypatch):
    monkeypatch.setattr(large_files, "find_spec", lambda name: None)
    assert "pip install 'rocstats[duckdb]'" in refused("auc", parquet, *ONE)
