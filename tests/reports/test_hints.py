"""Hints on mistakes that data may have: what earns one, and what does not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.reports.contents import report_of
from rocstats.reports.hints import hints_on_missing_codes, hints_on_repeated_patients
from rocstats.reports.options import read_report_options


@pytest.mark.parametrize("name", ["ID", "Patient ID", "patient_id", "pat_nr", "Case"])
def test_a_patient_in_several_rows(name):
    frame = pd.DataFrame({name: ["a", "a", "b", "c"], "site": list("uvuv")})
    (hint,) = hints_on_repeated_patients(frame, [])
    assert f"{name!r} has 4 rows but 3 values" in hint
    assert hints_on_repeated_patients(frame, [name]) == []


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"ID": list("abcd")}),  # a row each
        pd.DataFrame({"site": list("aabb")}),  # no name of patients
        pd.DataFrame({"case": [0, 1] * 20}),  # two labels of many rows are no patients
        pd.DataFrame({"width": [1, 1, 2], "acid": [1, 1, 2]}),
    ],
)
def test_other_columns_earn_no_hint(frame):
    assert hints_on_repeated_patients(frame, []) == []


def test_a_repeated_code_far_from_all_others():
    values = [1.0, 4.5, 30.0, 999, 999]
    (hint,) = hints_on_missing_codes(pd.DataFrame({"crp": values}), ["crp"])
    assert "2 values of 'crp' are 999" in hint
    assert "the nearest is 30" in hint
    low = pd.DataFrame({"crp": [-9, -9, 1.0, 4.5]})
    assert "are -9" in hints_on_missing_codes(low, ["crp"])[0]


@pytest.mark.parametrize(
    "values",
    [
        [1.0, 4.5, 30.0, 999],  # once
        [1.0, 600.0, 999, 999],  # no farther than others are apart
        [1.0, 4.5, 1234, 1234],  # no usual code
        [9, 9, 9],  # nothing else
        [1, 2, 9, 9, 5],  # a rating
    ],
)
def test_values_that_are_no_codes(values):
    assert hints_on_missing_codes(pd.DataFrame({"crp": values}), ["crp"]) == []


def test_a_test_that_points_down_is_told_first(rng):
    y = np.repeat([0, 1], 40)
    study = rs.Study(y, {"albumin": rng.normal(-2.0 * y)}, outcome="sepsis")
    options = read_report_options(study, rng=1, hints=["One."], reading="decimal comma")
    document = report_of(study, options).document
    first = document.sections[0]
    assert first.key == "hints"
    text = first.blocks[0].text
    assert text.startswith("One. albumin has an AUC of 0.")
    assert "low values go with sepsis" in text
    studied = next(section for section in document.sections if section.key == "studied")
    assert "Reading of the file: decimal comma." in studied.blocks[0].text


def test_no_hint_no_section(rng):
    y = np.repeat([0, 1], 40)
    study = rs.Study(y, rng.normal(y))
    document = report_of(study, read_report_options(study, rng=1)).document
    assert document.sections[0].key == "answer"


def test_risks_in_percent_are_told(rng):
    risk = rng.uniform(0.01, 0.6, 400)
    y = (rng.random(400) < risk).astype(int)
    options = {"criterion": None, "rng": 1}
    study = rs.Study(y, {"model": 100 * risk})
    first = report_of(study, read_report_options(study, **options)).document.sections[0]
    assert first.key == "hints"
    assert "model lies between 0 and 100, and agrees with risks in percent." in first.blocks[0].text
    # an age has no events in proportion to it, a risk of 1 is no percentage
    for scores in (30 + 60 * rng.random(400), risk):
        study = rs.Study(y, scores)
        made = report_of(study, read_report_options(study, **options))
        words = " ".join(b.text for s in made.document.sections[:1] for b in s.blocks)
        assert "percent" not in words


def test_hints_serve_the_command_line_and_python():
    frame = pd.DataFrame({"ID": ["a", "a", "b"], "crp": [999, 999, 1.0]})
    (patient,) = hints_on_repeated_patients(frame, ["crp"])
    (code,) = hints_on_missing_codes(pd.DataFrame({"crp": [999, 999, 1.0, 4.5]}), ["crp"])
    assert "--cluster 'ID' (in Python, cluster='ID')" in patient
    assert "--missing-code 999 (in Python, replace 999 by NaN)" in code
