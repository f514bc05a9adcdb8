"""Inputs that have the form of scores and are something else are refused in plain words."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

import rocstats as rs

Y = [1, 0, 1, 0]
FRAME = pd.DataFrame({"sick": Y, "marker": [3.0, 1.0, 2.0, 2.5]})
PAIR = (
    "`y_score` must hold the scores of the positive class; got two columns that sum to 1 in every"
    " row, as predict_proba returns them. Pass y_score[:, 1], or name both columns with predictor="
    " if these are two predictors."
)
OUTCOME = (
    "`y_score` must not hold the outcome; got the column 'sick' in both. Leave it out:"
    " y_score.drop(columns='sick')."
)
FIRST = (
    "`y_true` must be the labels, or the name of their column; got a frame (DataFrame). Pass the"
    " names first: Study('outcome', ['marker'], data=frame)."
)


def probabilities(dtype: type) -> np.ndarray:
    fitted = LogisticRegression().fit(FRAME[["marker"]], Y)
    return fitted.predict_proba(FRAME[["marker"]]).astype(dtype)


REFUSED = {
    "both probabilities": (lambda: rs.Study(Y, probabilities(np.float64)), PAIR),
    "both probabilities, rounded": (lambda: rs.Study(Y, probabilities(np.float32)), PAIR),
    "the outcome in the frame": (lambda: rs.Study(FRAME["sick"], FRAME), OUTCOME),
    "the outcome in a frame of polars": (
        lambda: rs.Study(pl.Series("sick", Y), pl.from_pandas(FRAME)),
        OUTCOME,
    ),
    "the outcome by name": (lambda: rs.Study("sick", ["sick", "marker"], data=FRAME), OUTCOME),
    "the frame first": (lambda: rs.Study(FRAME, "sick"), FIRST),
    "the frame first, and a marker": (lambda: rs.Study(FRAME, "sick", "marker"), FIRST),
    "the frame first, with data": (lambda: rs.Study(FRAME, "marker", data=FRAME), FIRST),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_score_is_refused(make, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        make()


def test_what_only_looks_like_it_is_taken():
    rows = probabilities(np.float64)
    assert rs.Study(Y, rows, predictor=["a", "b"]).predictors == ("a", "b")
    assert rs.Study(Y, {"a": rows[:, 0], "b": rows[:, 1]}).predictors == ("a", "b")
    assert rs.Study(Y, rows * 2).predictors == ("score_1", "score_2")
    assert rs.Study(Y, np.column_stack([Y, Y])).predictors == ("score_1", "score_2")
    # a score that tells the classes apart without error is no outcome unless it has its name
    assert rs.Study(FRAME["sick"], {"perfect": Y}).auc()["estimate"].tolist() == [1]
    assert rs.Study(FRAME["sick"], {"sick": FRAME["marker"]}).predictors == ("sick",)


def test_arguments_after_the_scores_have_names():
    message = (
        "`data` and what follows must be given by name; got 1 more after the scores. Write data=,"
        " predictor=, pos_label=."
    )
    with pytest.raises(rs.InputError, match=re.escape(message)):
        rs.Study(Y, FRAME["marker"], ["a"])
