"""Tables and methods of survival studies say the time, and who are cases and controls."""

from __future__ import annotations

import pandas as pd
import pytest

import rocstats as rs
from rocstats.tables.methods import methods_lines
from tests.inference.survival.studies import forty

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


def test_rows_have_their_time_and_their_numbers():
    study = forty(outcome="Death")
    table = rs.format_table(study.auc(time=[8, 14]))
    heads = ["Predictor", "Time", "AUC (95% CI)", "Cases", "Controls", "Censored"]
    assert list(table.columns) == heads
    assert table["Time"].tolist() == ["8", "14", "8", "14"]
    assert table["Cases"].tolist() == ["8", "13", "8", "13"]
    assert "Cases: Death by the time." in table.attrs["rocstats"]["footnotes"]
    points = study.operating_points(threshold=15, time=[8, 14])
    wide = rs.format_table(points, layout="wide")
    assert len(wide) == 4
    assert "Prevalence (95% CI)" in wide
    both = pd.concat([study.auc(time=14), study.auc(time=14, controls="event-free")])
    printed = rs.format_table(both)
    assert printed["Controls are"].tolist() == ["not-case"] * 2 + ["event-free"] * 2
    assert printed["Controls"].tolist() == ["18", "18", "12", "12"]


def test_methods_say_who_are_compared():
    study = forty()
    free = methods_lines(study.auc(time=14, controls="event-free"))
    assert "patients who had the event by then with those without any event by then" in free[0]
    band = methods_lines(study.auc_band(time=[8, 14]))
    assert "the largest of correlated normal variables" in band[0]
    assert any("Blanche" in line for line in band[1:])
    points = methods_lines(study.operating_points(threshold=15, time=14))
    assert "allow for estimated censoring weights" in points[0]
    assert "Wilson with an effective sample size" in points[0]
