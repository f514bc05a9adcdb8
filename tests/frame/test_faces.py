"""Answers through pandas: which results are answers, and that each of them prints."""

from __future__ import annotations

import pickle
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.frame.screen import Answer

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def study(rng) -> rs.Study:
    y = np.repeat([1, 0], 40)
    scores = {name: np.round(rng.normal(3, 1, 80) + y, 1) for name in ("ndka", "s100b", "wfns")}
    return rs.Study(y, scores, group=np.tile(["x", "y"], 40))


FIRST = ["predictor", "group"]

# Operations of pandas on an answer that keep the columns of a row.
ANSWERS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "filter": lambda f: f[f["predictor"] == "ndka"],
    "filter to nothing": lambda f: f[f["predictor"] == "none"],
    "slice": lambda f: f[:2],
    "head": lambda f: f.head(2),
    "tail": lambda f: f.tail(2),
    "sample": lambda f: f.sample(3, random_state=1),
    "nlargest": lambda f: f.nlargest(2, "estimate"),
    "query": lambda f: f.query("estimate > 0.5"),
    "loc": lambda f: f.loc[f["estimate"] > 0.5],
    "loc with columns": lambda f: f.loc[:2, f.columns != "method"],
    "iloc": lambda f: f.iloc[[0, 2]],
    "isin": lambda f: f[f["group"].isin(["x"])],
    "sort_values": lambda f: f.sort_values("estimate"),
    "sort_index": lambda f: f.sort_index(ascending=False),
    "reset_index": lambda f: f[f["group"] == "x"].reset_index(drop=True),
    "reindex": lambda f: f.reindex([2, 1, 0]),
    "round": lambda f: f.round(2),
    "round one column": lambda f: f.round({"estimate": 2}),
    "copy": lambda f: f.copy(),
    "deepcopy": deepcopy,
    "pickle": lambda f: pickle.loads(pickle.dumps(f)),
    "concat": lambda f: pd.concat([f, f]),
    "concat, new index": lambda f: pd.concat([f, f], ignore_index=True),
    "concat of keys": lambda f: pd.concat({"one": f, "two": f}),
    "assign": lambda f: f.assign(model="logistic"),
    "insert": lambda f: _inserted(f),
    "drop": lambda f: f.drop(columns=["n_resamples", "method"]),
    "drop_duplicates": lambda f: f.drop_duplicates(FIRST),
    "dropna": lambda f: f.dropna(subset=["ci_low"]),
    "merge": lambda f: f.merge(pd.DataFrame({"group": ["x", "y"], "site": [1, 2]}), on="group"),
    "replace": lambda f: f.replace({"predictor": {"wfns": "WFNS"}}),
    "rename rows": lambda f: f.rename(index={0: "first"}),
    "where": lambda f: f.where(f["estimate"] > 0.5).dropna(subset=["predictor"]),
    "pipe": lambda f: f.pipe(lambda one: one[one["estimate"] > 0.5]),
    "astype of counts": lambda f: f.astype({"n_pos": "float64"}),
    "convert_dtypes": lambda f: f.convert_dtypes(),
    "group": lambda f: f.groupby("group").get_group("x"),
    "groupby, head": lambda f: f.groupby("group").head(1),
    "groupby, filter": lambda f: f.groupby("group").filter(lambda rows: len(rows) > 1),
}

# Those that leave out, rename or move a column that is needed to read a row, or change its type.
PLAIN: dict[str, Callable[[pd.DataFrame], Any]] = {
    "columns": lambda f: f[["predictor", "estimate"]],
    "drop": lambda f: f.drop(columns="estimate"),
    "select_dtypes": lambda f: f.select_dtypes("number"),
    "transpose": lambda f: f.T,
    "describe": lambda f: f.describe(),
    "pivot": lambda f: f.pivot(index="predictor", columns="group", values="estimate"),
    "melt": lambda f: f.melt(id_vars=FIRST, value_vars=["ci_low", "ci_high"]),
    "mean": lambda f: f.groupby("predictor").mean(numeric_only=True),
    "first": lambda f: f.groupby("predictor").first(),
    "isna": lambda f: f.isna(),
    "compared": lambda f: f == f,
    "as text": lambda f: f.astype(str),
    "filled": lambda f: f.astype(object).where(f.notna(), ""),
    "suffixes": lambda f: f.merge(f, on=FIRST),
    "side by side": lambda f: pd.concat([f, f], axis=1),
    "dummies": lambda f: pd.get_dummies(f, columns=["predictor"]),
    "to_frame": lambda f: f["estimate"].to_frame(),
    "renamed in place": lambda f: _renamed(f)[:2],
}


def _inserted(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    frame.insert(0, "dataset", "first")
    frame["share"] = frame["n_pos"] / (frame["n_pos"] + frame["n_neg"])
    return frame


def _renamed(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    frame.columns = [f"{name}_1" for name in frame.columns]
    return frame


# Those that change the columns of a copy, whose class pandas then leaves: it prints as plain frames
# do, and what is made of it is one.
CHANGED: dict[str, Callable[[pd.DataFrame], Any]] = {
    "rename": lambda f: f.rename(columns={"estimate": "auc"}),
    "set_index": lambda f: f.set_index("predictor"),
    "pop": lambda f: _popped(f),
    "columns": lambda f: _renamed(f),
    "setitem": lambda f: _written(f),
}


def _popped(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    frame.pop("quantity")
    return frame


def _written(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    frame["estimate"] = "high"
    return frame


def test_the_tables_have_thirty_operations():
    assert len(ANSWERS) >= 30
    assert len(PLAIN) + len(CHANGED) >= 20


@pytest.mark.parametrize("operation", ANSWERS)
def test_an_answer_stays_an_answer(study, operation):
    frame = study.auc()
    found = ANSWERS[operation](frame)
    assert type(found) is Answer
    lines = repr(found).splitlines()
    count = f"[{len(found)} row{'s' * (len(found) != 1)}, {found.shape[1]} columns in all]"
    assert lines[-1] == count
    assert "estimate" in lines[0] or found.empty
    assert count in found._repr_html_()
    # Numbers are as those of a plain frame.
    same = ANSWERS[operation](pd.DataFrame(frame))
    pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(same))


@pytest.mark.parametrize("operation", PLAIN)
def test_without_its_columns_it_is_a_frame_of_pandas(study, operation):
    frame = study.auc()
    found = PLAIN[operation](frame)
    assert type(found) is pd.DataFrame
    assert "columns in all]" not in repr(found)
    pd.testing.assert_frame_equal(found, pd.DataFrame(PLAIN[operation](pd.DataFrame(frame))))


@pytest.mark.parametrize("operation", CHANGED)
def test_what_lost_a_column_in_place_prints_as_pandas_prints_it(study, operation):
    found = CHANGED[operation](study.auc())
    assert repr(found) == repr(pd.DataFrame(found))
    assert found._repr_html_() == pd.DataFrame(found)._repr_html_()
    assert type(found.head(1)) is pd.DataFrame


def test_curves_stay_answers_with_all_their_columns(study):
    curve = study.roc_curve()
    assert type(curve[curve["predictor"] == "ndka"]) is Answer
    assert type(curve.assign(model="a").drop(columns="model")) is Answer
    assert type(curve[["fpr", "tpr"]]) is pd.DataFrame


def test_areas_and_differences_stand_in_one_frame(study, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    found = pd.concat([study.auc(), study.compare_auc()], ignore_index=True)
    assert type(found) is Answer
    assert set(found["quantity"]) == {"auc", "auc_difference"}
    # The reference, the last column of the whole frame, is displayed where it is read.
    heads = repr(found).splitlines()[0].split()
    assert heads[:4] == ["predictor", "group", "quantity", "reference"]
    table = rs.format_table(found)
    assert set(table["Quantity"]) == {"AUC", "Difference in AUC"}


def test_two_studies_keep_the_attributes_that_they_share(study, rng):
    """Attributes follow pandas: equal ones stay, of different studies none does."""
    areas = study.auc()
    assert pd.concat([areas, areas.head(2)]).attrs == areas.attrs
    assert areas[areas["group"] == "x"].attrs == areas.attrs
    y = np.repeat([1, 0], 40)
    other = rs.Study(y, {"ndka": rng.normal(size=80) + y}, labels={"ndka": "NDKA"}).auc()
    both = pd.concat([areas, other])
    assert type(both) is Answer
    assert both.attrs == {}
    assert "columns in all]" in repr(both)


def test_a_copy_shares_nothing(study):
    frame = study.auc()
    other = frame.copy()
    other.loc[0, "estimate"] = 0.0
    other.attrs["rocstats"]["seed"] = 5
    assert frame.loc[0, "estimate"] > 0
    assert frame.attrs["rocstats"]["seed"] is None
