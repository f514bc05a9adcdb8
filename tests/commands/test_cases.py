from __future__ import annotations

import io
import json
import sys

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import rocstats as rs
from tests.commands.conftest import WANTED, require_same


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
    roles = {"cluster": "who", "group": "site", "frequency": "n", "fold": "cv"}
    words = [word for role, name in roles.items() for word in (f"--{role}", name)]
    words += ["--positive", "1", "--lower", "s", "--missing", "omit", "--level", "0.9"]
    status, out, err = run("auc", tmp_path / "d.csv", "sick", "s", *words, "--format", "json")
    assert status == 0
    study = rs.Study("sick", "s", data=frame, higher_is_positive=False, nan_policy="omit", **roles)
    require_same(json.loads(out), study.auc(confidence_level=0.9))
    assert "rocstats: note: a class has cases in fewer than 30 clusters" in err
    assert err.rstrip().endswith("(few-clusters)")


def test_a_dash_is_standard_input(ask, monkeypatch):
    text = "y;s\n1;0,5\n0;0,25\n1;0,75\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-16"))))
    (row,), said = ask("auc", "-", "y", "s")
    assert row["estimate"] == 1
    assert said.startswith("rocstats: read -: separated by ;, decimal comma, utf-16 rocstats: ")


@pytest.mark.parametrize("positive", ["malignant", "1"])
def test_a_code_or_its_word_is_the_positive_class(ask, tmp_path, positive):
    path = tmp_path / "study.sav"
    codes = pd.DataFrame({"dx": [1.0, 0.0, 1.0, 0.0], "s": [4.0, 1.0, 3.0, 2.0]})
    words = {"dx": {0: "benign", 1: "malignant"}}
    pyreadstat.write_sav(codes, path, variable_value_labels=words)
    assert ask("auc", path, "dx", "s", "--positive", positive)[0][0]["estimate"] == 1


def test_an_arm_called_na_is_not_dropped(ask, tmp_path):
    lines = [f"{k % 2},{k},{arm}" for arm in ("NA", "drug") for k in range(8)]
    path = tmp_path / "arms.csv"
    path.write_text("\n".join(["y,s,arm", *lines]), encoding="utf-8")
    rows, _ = ask("auc", path, "y", "s", "--group", "arm", "--missing", "omit")
    found = [(row["group"], row["n_pos"], row["n_neg"]) for row in rows]
    assert found == [("NA", 4, 4), ("drug", 4, 4)]


def test_several_groups_are_each_combination(ask, data):
    frame = rs.load_breast_cancer()
    frame["sex"] = np.where(np.arange(len(frame)) % 2, "f", "m")
    frame["site"] = np.where(np.arange(len(frame)) % 3, "u", "v")
    frame.to_csv(data, index=False)
    rows, _ = ask("auc", data, *WANTED, "--group", "sex", "--group", "site")
    assert {row["group"] for row in rows} == {"m / u", "m / v", "f / u", "f / v"}
    study = rs.Study("diagnosis", "area", data=frame, pos_label="malignant", group=["sex", "site"])
    require_same([row for row in rows if row["predictor"] == "area"], study.auc())


def test_each_score_may_keep_its_own_cases(ask, tmp_path):
    path = tmp_path / "holes.csv"
    lines = [f"{k % 2},{k},{'' if k < 3 else 9 - k}" for k in range(12)]
    path.write_text("\n".join(["y,a,b", *lines]), encoding="utf-8")
    for policy, numbers in {"available": [6, 5], "omit": [5, 5]}.items():
        rows, _ = ask("auc", path, "y", "a", "b", "--lower", "b", "--missing", policy)
        assert [row["n_pos"] for row in rows] == numbers
