from __future__ import annotations

import io
import json
import sys

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import rocstats as rs

WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")


@pytest.mark.parametrize("ending", ["tsv", "parquet", "xlsx"])
def test_other_kinds_of_files(run, data, tmp_path, ending):
    frame = pd.read_csv(data)
    path = tmp_path / f"patients.{ending}"
    write = {
        "tsv": lambda: frame.to_csv(path, sep="\t", index=False),
        "parquet": lambda: frame.to_parquet(path),
        "xlsx": lambda: frame.to_excel(path, index=False),
    }
    write[ending]()
    assert run("auc", path, *WANTED)[1] == run("auc", data, *WANTED)[1]


def test_roles_and_directions_reach_the_study(run, tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "sick": np.tile([1.0, 0.0], 40),
            "s": rng.normal(size=80),
            "who": np.repeat(range(40), 2),
            "site": np.repeat(["u", "v"], 40),
            "n": 2,
            "cv": np.tile(np.repeat([0, 1], 20), 2),
        }
    )
    frame.loc[3, "s"] = np.nan
    frame.to_csv(tmp_path / "d.csv", index=False)
    words = (
        "--positive",
        "1",
        "--lower",
        "s",
        "--cluster",
        "who",
        "--group",
        "site",
        "--frequency",
        "n",
        "--fold",
        "cv",
        "--missing",
        "omit",
        "--level",
        "0.9",
    )
    status, out, err = run("auc", tmp_path / "d.csv", "sick", "s", *words, "--format", "json")
    assert status == 0
    study = rs.Study(
        "sick",
        "s",
        data=frame,
        higher_is_positive=False,
        cluster="who",
        group="site",
        frequency="n",
        fold="cv",
        nan_policy="omit",
    )
    expected = study.auc(confidence_level=0.9)
    for row, (_, other) in zip(json.loads(out), expected.iterrows(), strict=True):
        assert row["ci_low"] == other["ci_low"]
        assert row["note"] == other["note"]
    assert "rocstats: note: a class has cases in fewer than 30 clusters" in err
    assert err.rstrip().endswith("(few-clusters)")


def test_resampled_intervals_are_repeated_by_their_seed(run, data):
    words = ("--interval", "bca", "--resamples", "300", "--seed", "4", "--format", "json")
    _, out, err = run("auc", data, *WANTED, *words)
    frame = rs.load_breast_cancer()
    study = rs.Study("diagnosis", ["area", "texture"], data=frame, pos_label="malignant")
    expected = study.auc(interval="bca", n_resamples=300, rng=4)
    assert [row["ci_low"] for row in json.loads(out)] == expected["ci_low"].tolist()
    assert err == ""


def test_a_dash_is_standard_input(run, monkeypatch):
    text = "y;s\n1;0,5\n0;0,25\n1;0,75\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-16"))))
    status, out, err = run("auc", "-", "y", "s", "--format", "json")
    assert (status, json.loads(out)[0]["estimate"]) == (0, 1)
    assert err.startswith("rocstats: read -: separated by ;, decimal comma, utf-16\n")


@pytest.mark.parametrize("positive", ["malignant", "1"])
def test_a_code_or_its_word_is_the_positive_class(run, tmp_path, positive):
    path = tmp_path / "study.sav"
    codes = pd.DataFrame({"dx": [1.0, 0.0, 1.0, 0.0], "s": [4.0, 1.0, 3.0, 2.0]})
    words = {"dx": {0: "benign", 1: "malignant"}}
    pyreadstat.write_sav(codes, path, variable_value_labels=words)
    status, out, _ = run("auc", path, "dx", "s", "--positive", positive, "--format", "json")
    assert (status, json.loads(out)[0]["estimate"]) == (0, 1)


def test_an_arm_called_na_is_not_dropped(run, tmp_path):
    lines = [f"{k % 2},{k},{arm}" for arm in ("NA", "drug") for k in range(8)]
    path = tmp_path / "arms.csv"
    path.write_text("\n".join(["y,s,arm", *lines]), encoding="utf-8")
    words = ("auc", path, "y", "s", "--group", "arm", "--missing", "omit", "--format", "json")
    rows = json.loads(run(*words)[1])
    assert [(row["group"], row["n_pos"], row["n_neg"]) for row in rows] == [
        ("NA", 4, 4),
        ("drug", 4, 4),
    ]


def test_several_groups_are_each_combination(run, data):
    frame = rs.load_breast_cancer()
    frame["sex"] = np.where(np.arange(len(frame)) % 2, "f", "m")
    frame["site"] = np.where(np.arange(len(frame)) % 3, "u", "v")
    frame.to_csv(data, index=False)
    words = ("--group", "sex", "--group", "site", "--format", "json")
    rows = json.loads(run("auc", data, *WANTED, *words)[1])
    assert {row["group"] for row in rows} == {"m / u", "m / v", "f / u", "f / v"}
    study = rs.Study("diagnosis", "area", data=frame, pos_label="malignant", group=["sex", "site"])
    expected = study.auc()["estimate"].tolist()
    assert [row["estimate"] for row in rows if row["predictor"] == "area"] == expected


def test_each_score_may_keep_its_own_cases(run, tmp_path):
    path = tmp_path / "holes.csv"
    rows = [f"{k % 2},{k},{'' if k < 3 else 9 - k}" for k in range(12)]
    path.write_text("\n".join(["y,a,b", *rows]), encoding="utf-8")
    words = ("auc", path, "y", "a", "b", "--lower", "b", "--format", "json", "--missing")
    assert [row["n_pos"] for row in json.loads(run(*words, "available")[1])] == [6, 5]
    assert [row["n_pos"] for row in json.loads(run(*words, "omit")[1])] == [5, 5]


def test_areas_are_adjusted_for_covariates(run, data):
    words = ("auc", data, *WANTED, "--covariate", "symmetry")
    study = rs.Study(
        "diagnosis",
        ["area", "texture"],
        data=rs.load_breast_cancer(),
        pos_label="malignant",
        covariate="symmetry",
    )
    rows = json.loads(run(*words, "--format", "json")[1])
    assert [row["estimate"] for row in rows] == study.adjusted_auc()["estimate"].tolist()
    assert {row["quantity"] for row in rows} == {"adjusted_auc"}
    status, _, err = run(*words, "--interval", "bca", "--seed", "1")
    assert status != 0
    assert "`--interval` must be left out for adjusted areas; got 'bca'" in err
