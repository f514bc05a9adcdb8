"""The commands about areas, of a file or published; files too large to read."""

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


def test_adjusted_areas_are_compared(ask, refused, data):
    words = ("compare", data, *WANTED, "--covariate", "symmetry")
    frame = rs.load_breast_cancer()
    roles = {"pos_label": "malignant", "covariate": "symmetry"}
    study = rs.Study("diagnosis", ["area", "texture"], data=frame, **roles)
    claim = {"hypothesis": "non-inferiority", "margin": 0.1}
    rows, _ = ask(*words, "--hypothesis", "non-inferiority", "--margin", "0.1")
    require_same(rows, study.compare_adjusted_auc(**claim))
    said = refused(*words, "--threshold", "20")
    assert "`--threshold` must be left out for adjusted areas; got 20" in said


def test_areas_at_values_of_covariates(ask, refused, data):
    frame = rs.load_breast_cancer()
    frame["centre"] = [("1", "b", "c")[k % 3] for k in range(len(frame))]
    frame.to_csv(data, index=False)
    covariates = ("--covariate", "symmetry", "--covariate", "centre")
    words = ("auc", data, "diagnosis", "area", "--positive", "malignant", *covariates)
    roles = {"pos_label": "malignant", "covariate": ["symmetry", "centre"]}
    study = rs.Study("diagnosis", "area", data=frame, **roles)
    values = ("--at", "symmetry=0.16", "--at", "symmetry=0.2", "--at", "centre=1")
    expected = study.covariate_auc({"symmetry": [0.16, 0.2], "centre": "1"})
    require_same(ask(*words, *values)[0], expected)
    said = refused(*words, "--at", "symmetry=0.2")
    assert "`--at` must have values of each --covariate, which are symmetry, centre" in said
    said = refused(*words, "--at", "symmetry=x", "--at", "centre=b")
    assert "`--at` must be COLUMN=NUMBER; got 'x'." in said
    said = refused("auc", data, *WANTED, "--at", "symmetry=0.2")
    assert "`--at` must be used with --covariate" in said


def test_areas_within_groups(ask, refused, data):
    frame = rs.load_breast_cancer()
    frame["centre"] = ["u", "v"] * (len(frame) // 2) + ["u"]
    frame.to_csv(data, index=False)
    study = rs.Study(
        "diagnosis", ["area", "texture"], data=frame, pos_label="malignant", group="centre"
    )
    words = (data, *WANTED, "--group", "centre", "--within-groups")
    require_same(ask("auc", *words, "--interval", "wald")[0], study.stratified_auc(interval="wald"))
    require_same(ask("compare", *words)[0], study.compare_stratified_auc())
    said = refused("compare", *words, "--hypothesis", "equivalence", "--margin", "0.1")
    assert "`--hypothesis` must be left out for areas within groups; got 'equivalence'" in said
    said = refused("auc", *words, "--variance", "unbiased")
    assert "`--variance` must be left out for areas within groups" in said
    assert "`--group` must" in refused("auc", data, *WANTED, "--within-groups")


@pytest.mark.usefixtures("folder")
def test_an_area_where_some_were_verified(ask):
    words = ("ill", "score", "--verified", "verified", "--probability", "chance")
    rows, _ = ask("verified-auc", "partly.csv", *words, "--resamples", "100", "--seed", "1")
    data = pd.read_csv("partly.csv")
    expected = rs.verified_auc(
        "ill", ["score"], "verified", probability="chance", data=data, n_resamples=100, rng=1
    )
    require_same(rows, expected)


def test_published_areas_are_compared_without_a_file(ask, refused):
    areas = ("compare-published", "--auc", "0.85", "--reference-auc", "0.78")
    rows, _ = ask(*areas, "--se", "0.03", "--reference-se", "0.035", "--correlation", "0.4")
    expected = rs.compare_published_auc(0.85, 0.78, se=0.03, reference_se=0.035, correlation=0.4)
    require_same(rows, expected)
    rows, _ = ask(*areas, "--n-pos", "60", "--n-neg", "90", "--correlation", "0.4")
    require_same(rows, rs.compare_published_auc(0.85, 0.78, n_pos=60, n_neg=90, correlation=0.4))
    said = refused(*areas, "--n-pos", "60", "--n-neg", "90")
    assert "`--reference-se` must be given, or both `--reference-n-pos` and" in said


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
