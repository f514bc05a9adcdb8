"""Studies of several yes/no tests, from the confusion table of each."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocstats as rs
from tests.quick import each

TABLE = {
    "predictor": ["smear", "antigen", "rapid"],
    "tp": [14, 18, 9],
    "fn": [6, 7, 0],
    "fp": [8, 3, 2],
    "tn": [22, 30, 11],
}
CELLS = {name: TABLE[name] for name in ("tp", "fn", "fp", "tn")}
ARGUMENTS = {
    "dict": (TABLE, {}),
    "pandas": (pd.DataFrame(TABLE), {}),
    "index": (pd.DataFrame(CELLS, index=TABLE["predictor"]), {}),
    "polars": (pl.DataFrame(TABLE), {}),
    "arrays": (
        None,
        {k: np.array(v) for k, v in CELLS.items()} | {"predictor": TABLE["predictor"]},
    ),
}
QUESTIONS = {
    "auc": {},
    "auc_bounds": {},
    "cutpoints": {"n_resamples": 100, "rng": 1},
    "operating_points": {"prevalence": 0.1, "quantities": ["tpr", "ppv", "lr_positive"]},
    "optimal_points": {"cost_fp": 1, "cost_fn": 3},
    "roc_curve": {},
    "roc_hull": {},
}


def singles():
    for i, name in enumerate(TABLE["predictor"]):
        yield rs.Study.from_confusion(**{k: v[i] for k, v in CELLS.items()}, predictor=name)


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("question", QUESTIONS)
def test_each_test_is_answered_from_its_own_table(question):
    found = getattr(rs.Study.from_confusion(TABLE), question)(**QUESTIONS[question])
    alone = [getattr(study, question)(**QUESTIONS[question]) for study in singles()]
    if question == "cutpoints":  # draws are keyed by the place of a predictor
        same = ["predictor", "quantity", "apparent", "n_pos", "n_neg"]
        found, alone = found[same], [frame[same] for frame in alone]
    pd.testing.assert_frame_equal(found, pd.concat(alone, ignore_index=True))


@pytest.mark.parametrize(("table", "arguments"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_tables_come_as_any_frame_or_as_arrays(table, arguments):
    study = rs.Study.from_confusion(table, **arguments)
    assert study.predictors == tuple(TABLE["predictor"])
    points = study.operating_points(quantities=["tpr", "tnr"])
    assert points["estimate"].tolist() == [14 / 20, 22 / 30, 18 / 25, 30 / 33, 1.0, 11 / 13]
    assert points["n_neg"].tolist() == [30, 30, 33, 33, 13, 13]


def test_names_by_default_and_the_printed_sizes():
    study = rs.Study.from_confusion(**CELLS)
    assert study.predictors == ("score_1", "score_2", "score_3")
    assert str(study).splitlines()[2:] == ["  positives   20, 25, 9", "  negatives   30, 33, 13"]
    assert str(pickle.loads(pickle.dumps(study))) == str(study)


def test_a_table_is_a_study():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22, predictor="test")
    assert study.predictors == ("test",)
    inner = study.roc_curve().iloc[1]
    assert (inner["fpr"], inner["tpr"]) == (8 / 30, 0.7)
    # one point: A = (tpr + 1 - fpr)/2
    assert study.auc()["estimate"][0] == pytest.approx((0.7 + 22 / 30) / 2)


def test_a_yes_no_test_needs_no_threshold():
    for study in (*singles(), rs.Study.from_confusion(TABLE)):
        pd.testing.assert_frame_equal(study.operating_points(), study.operating_points(threshold=1))
    with pytest.raises(rs.InputError, match="`threshold` must be given, or `fpr` or `tpr` instead"):
        rs.Study([1, 1, 0, 0], [1, 0, 1, 0]).operating_points()


UNPAIRED = (
    "`table` must not be the only data of a comparison of tests, since tables do not show which"
    " cases tests share; got 3 tables."
)


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("compare_auc", {}),
        ("compare_auc", {"method": "bootstrap", "interval": "percentile", "rng": 1}),
        ("test_equal_auc", {}),
        ("compare_operating_points", {"threshold": 1}),
        ("compare_costs", {"cost_fp": 1, "cost_fn": 1}),
        ("compare_curves", {"rng": 1}),
        ("roc_difference_band", {"rng": 1}),
        ("roc_hull", {"across": "predictors"}),
        ("superiority_curve", {}),
    ],
)
def test_comparisons_are_refused_as_the_pairing_is_unknown(question, arguments):
    study = rs.Study.from_confusion(TABLE)
    with pytest.raises(rs.InputError, match=f"^{re.escape(UNPAIRED)}"):
        getattr(study, question)(**arguments)


def test_the_number_of_all_cases_is_unknown():
    study = rs.Study.from_confusion(TABLE)
    for name in ("n_pos", "n_neg", "prevalence", "cases"):
        with pytest.raises(rs.InputError, match="do not show which cases tests share"):
            getattr(study, name)


def test_independent_samples_are_compared_as_the_message_says():
    # smear against antigen, of different patients: one predictor, the test as the group
    y, result = np.tile([1, 1, 0, 0], 2), np.tile([1, 0, 1, 0], 2)
    counts = [14, 6, 8, 22, 18, 7, 3, 30]
    group = np.repeat(["smear", "antigen"], 4)
    study = rs.Study(y, result, frequency=counts, group=group)
    found = study.compare_auc(across="groups", interval="wald")
    areas = rs.Study.from_confusion(TABLE).auc()
    assert found["estimate"][0] == pytest.approx(areas["estimate"][0] - areas["estimate"][1])
    assert found["se"][0] == pytest.approx(np.hypot(*areas["se"][:2]))


def changed(**cells):
    return TABLE | cells


MESSAGES = [
    ({}, "`table` must be given, or the counts tp, fn, fp and tn; got none of them."),
    ({"table": TABLE, "tp": 3}, "`table` must hold the counts and the names"),
    ({"table": TABLE, "predictor": "a"}, "`table` must hold the counts and the names"),
    ({"tp": 1, "fn": 2, "fp": 3}, "`tn` must be a whole number >= 0"),
    (
        {"table": {k: v for k, v in TABLE.items() if k != "fp"}},
        "`table` must have one column for each of ['predictor', 'tp', 'fn', 'fp', 'tn']",
    ),
    ({"table": CELLS}, "`table` must name its rows; got the columns ['tp', 'fn', 'fp', 'tn']."),
    (
        {"table": changed(predictor=["a", "b", "a"])},
        "`predictor` must have unique names; got ['a'] more than once.",
    ),
    (
        {"table": changed(tp=[14, 18.5, 9])},
        "`table` must hold whole numbers >= 0; got tp = 18.5 for 'antigen'.",
    ),
    (
        CELLS | {"fp": [8, -3, 2]},
        "`tp, fn, fp, tn` must hold whole numbers >= 0; got fp = -3 for 'score_2'.",
    ),
    ({"tp": 1, "fn": -1, "fp": 1, "tn": 1}, "`fn` must be a whole number >= 0"),
    (
        {"table": changed(tn=[22, None, 11])},
        "`table` must hold whole numbers >= 0; got tn = nan for 'antigen'.",
    ),
    (CELLS | {"fn": [6, 7]}, "`fn` must have as many rows as `tp`; got shapes (2,) and (3,)."),
    (CELLS | {"predictor": ["a", "b"]}, "`predictor` must name each of the 3 tests; got 2 names."),
    (
        {"table": changed(tp=[14, 0, 9], fn=[6, 0, 0])},
        "`tp`, `fn`, `fp` and `tn` must have both classes in each test; got 0 positives and 33"
        " negatives in 'antigen'.",
    ),
]


@each(("arguments", "message"), MESSAGES)
def test_message(arguments, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.Study.from_confusion(**arguments)
