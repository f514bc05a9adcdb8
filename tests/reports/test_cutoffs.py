"""Cutoffs in the sentences of a report call the same cases as those used."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.reports.pages import document_of, tables_of, words_of

DESK = Path(__file__).parents[1] / "data" / "desk"


@pytest.mark.parametrize("name", ["saturated", "round"])
def test_a_report_prints_the_cutoff_that_it_used(name):
    data = pd.read_csv(DESK / f"{name}.csv")
    study = rs.Study("ill", "risk", data=data)
    document = document_of(study)
    used = study.cutpoints(rng=1)["threshold"].iloc[0]
    words = words_of(document)
    printed = re.findall(r"(?:risk ≥ |\. |\n)(\d\.\d+)(?: is positive| is what the rule)", words)
    printed += re.findall(r"risk ≥ (\d\.\d+)", words)
    printed += [tables_of(document)["Accuracy at the cutoffs chosen in these data"].rows[0][1][2:]]
    assert len(printed) >= 3
    for text in printed:
        cutoff = float(text.partition(" ")[0])
        np.testing.assert_array_equal(data["risk"] >= cutoff, data["risk"] >= used)
    low, high = re.search(r"put the cutoff between (\S+) and (\S+)\.", words).groups()
    assert float(low) < float(high)


def test_prespecified_cutoffs_are_printed_as_they_were_typed():
    data = pd.read_csv(DESK / "saturated.csv")
    study = rs.Study("ill", "risk", data=data)
    words = words_of(document_of(study, prespecified=[0.99999812, 0.5]))
    assert "risk at 0.99999812 finds" in words
    assert "risk at 0.5 finds" in words


def test_two_prespecified_cutoffs_that_call_the_same_cases_stay_apart():
    study = rs.Study([1, 1, 0, 0] * 5, [0.9, 0.8, 0.3, 0.1] * 5, predictor="risk")
    words = words_of(document_of(study, prespecified=[2 / 3, 2 / 3 - 1e-16]))
    assert "0.6666666666666666" in words
    assert "0.6666666666666665" in words
