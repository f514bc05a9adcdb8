"""What a frame shows: the answer, on any screen; and ``brief``, which chooses it."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.facts.columns import GLOSSARY
from rocstats.studies.catalogue import declared_questions
from tests import examples

ASKED = {
    "auc": {},
    "compare_auc": {},
    "operating_points": {"threshold": 3},
    "cutpoints": {"n_resamples": 100, "rng": 1},
    "versus_random": {},
}


@pytest.fixture
def study(rng) -> rs.Study:
    y = np.repeat([1, 0], 40)
    names = ["ndka", "s100b", "world_federation_grade"]
    return rs.Study(y, {name: np.round(rng.normal(3, 1, 80) + y, 1) for name in names})


@pytest.fixture(params=ASKED)
def frame(request, study) -> pd.DataFrame:
    return getattr(study, request.param)(**ASKED[request.param])


@pytest.mark.parametrize("width", [80, 120])
def test_the_answer_is_on_the_screen(frame, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = repr(frame).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[-1] == f"[{len(frame)} rows, {frame.shape[1]} columns in all]"
    heads = lines[0].split()
    answer = ["estimate", *(n for n in ("ci_low", "ci_high") if frame[n].notna().any())]
    # Words that all rows share give way before a P value does.
    shared = "In all rows: quantity auc_difference" in lines
    assert shared == (frame.attrs["rocstats"]["function"] == "compare_auc" and width == 80)
    answer = answer if shared else ["quantity", *answer]
    assert [name for name in heads if name in answer] == answer
    assert "..." not in heads


def test_the_answer_is_in_a_notebook(frame):
    html = frame._repr_html_()
    for name in ("predictor", "quantity", "estimate"):
        assert f"<th>{name}</th>" in html
    assert f"[{len(frame)} rows, {frame.shape[1]} columns in all]" in html
    assert html.count("<th></th>") == 1
    assert "..." not in html.split("<tbody>")[0]


def test_nothing_else_differs_from_a_frame_of_pandas(frame, tmp_path):
    plain = pd.DataFrame(frame)
    assert type(plain) is pd.DataFrame
    assert frame.to_string() == plain.to_string()
    assert frame.to_csv() == plain.to_csv()
    assert frame.dtypes.equals(plain.dtypes)
    assert frame.copy().attrs == frame.attrs


def test_every_estimate_is_followed_by_its_limits():
    for question in declared_questions().values():
        names = list(question.columns)
        if "estimate" in names:
            assert names == sorted(names, key=list(GLOSSARY).index)
        if "ci_low" in names:
            at = names.index("estimate")
            assert names[at : at + 3] == ["estimate", "ci_low", "ci_high"]


def test_brief_leaves_out_what_tells_nothing(study):
    frame = study.auc()
    found = rs.brief(frame)
    assert list(found.columns) == ["predictor", "quantity", "estimate", "ci_low", "ci_high", "se"]
    assert set(found["quantity"]) == {"AUC"}
    left_out = found.attrs["rocstats"]["left_out"]
    assert set(left_out) == set(frame.columns) - set(found.columns)
    assert (left_out["n_pos"], left_out["method"]) == (40.0, "delong/logit-t")
    assert left_out["p_value"] is None
    about = found.attrs["rocstats"]
    assert json.loads(json.dumps(about)) == about
    assert found.attrs["rocstats"]["function"] == "auc"
    assert "left_out" not in frame.attrs["rocstats"]


def test_brief_of_one_row_is_its_answer():
    with pytest.warns(rs.StatisticalWarning, match="few-cases"):
        frame = rs.Study(examples.Y, examples.D1).auc()
    found = rs.brief(frame)
    names = ["predictor", "quantity", "estimate", "ci_low", "ci_high", "note"]
    assert list(found.columns) == names
    assert found["note"][0] == "few-cases"


def test_quantities_say_the_range_and_the_difference(study):
    found = rs.brief(study.compare_auc(fpr_range=(0, 0.1)))
    assert set(found["quantity"]) == {
        "Difference in partial AUC (false positive rates 0 to 0.1)",
    }
    assert "range_high" not in found


@pytest.mark.parametrize(
    ("values", "digits", "expected"),
    [
        ([0.12345, 0.98765], 3, [0.123, 0.988]),
        ([12.3456, 0.5], 3, [12.35, 0.5]),
        ([123456.7, 1.0], 3, [123457.0, 1.0]),
        ([0.00012345, 0.0], 3, [0.000123, 0.0]),
        ([np.inf, 2.34567], 2, [np.inf, 2.35]),
        ([np.nan, -0.0001], 1, [np.nan, -0.0001]),
    ],
)
def test_numbers_are_rounded_as_they_are_large(values, digits, expected):
    frame = pd.DataFrame({"predictor": ["a", "b"], "slope": values})
    assert rs.brief(frame, digits=digits)["slope"].tolist() == pytest.approx(
        expected, nan_ok=True, abs=1e-15
    )


def test_rates_and_ratios_have_decimals_of_their_own(study):
    frame = study.operating_points(threshold=3)
    found = rs.brief(frame)
    for quantity, rows in frame.groupby("quantity"):
        expected = rows["estimate"]
        largest = rows[["estimate", "ci_low", "ci_high"]].abs().max().max()
        decimals = 3 if largest < 10 else 2 if largest < 100 else 1
        np.testing.assert_allclose(
            found.loc[expected.index, "estimate"], expected.round(decimals), err_msg=quantity
        )


@pytest.mark.parametrize("digits", [1, 3, 8])
def test_infinite_and_subnormal_numbers_stay_what_they_are(digits):
    values = [np.inf, -np.inf, 5e-324]
    frame = pd.DataFrame({"predictor": ["a", "a", "b"], "threshold": values})
    assert rs.brief(frame, digits=digits)["threshold"].tolist() == values


def test_a_p_value_is_never_rounded_to_0():
    frame = pd.DataFrame({"estimate": [0.9, 0.8, 0.7], "p_value": [3.21e-9, 0.04567, 0.0]})
    assert rs.brief(frame)["p_value"].tolist() == [3e-9, 0.046, 0.0]


def test_digits_are_a_whole_number(study):
    with pytest.raises(rs.InputError, match=r"^`digits` must be a whole number >= 1; got 0\. Pass"):
        rs.brief(study.auc(), digits=0)
