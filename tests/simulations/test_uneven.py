"""The simulation off the line of symmetry knows its truths, repeats its cells, and is marked."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest

from validation.coverage import uneven
from validation.coverage.uneven import COVERAGE, DESIGNS, FIRST, SIZE, TABLE, run_design
from validation.coverage.uneven_designs import Followed, Risks, Scores


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return pd.read_csv(TABLE, keep_default_na=False, na_values={"share": "", "width": ""})


def kind_of(design):
    return type(design).__name__.lower()


def place_of(kind, name):
    return next(k for k, d in enumerate(DESIGNS) if (kind_of(d), d.name) == (kind, name))


def test_every_design_is_there_and_marked(table):
    found = set(zip(table["kind"], table["design"], strict=True))
    assert {(kind_of(d), d.name) for d in DESIGNS} <= found
    is_size = table["what"] == "size"
    assert (table["bound"] == np.where(is_size, SIZE, COVERAGE)).all()
    beyond = np.where(is_size, table["share"] > SIZE, table["share"] < COVERAGE)
    assert (table["shortfall"].astype(str) == beyond.astype(str)).all()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("scores", "31 + 63, five points, chance"),
        ("risks", "17 + 171, at 3 %"),
        ("followed", "131 patients, five points"),
        ("adjusted", "60 unequal clusters"),
        ("classes", "9 + 31 + 171"),
        ("readers", "3 readers, 13 + 117, five points"),
    ],
)
def test_a_design_again(table, kind, name):
    own = table[(table["kind"] == kind) & (table["design"] == name)]
    again = pd.DataFrame(run_design(place_of(kind, name), FIRST))
    keys = ["question", "asked", "quantity"]
    both = own.merge(again, on=keys, suffixes=("", "_again"))
    assert len(both) == len(own)
    assert np.allclose(both["first"].astype(float), both["first_again"])


def test_rows_are_those_of_the_frames(monkeypatch):
    places = [place_of("risks", "60 unequal clusters"), place_of("scores", "17 + 171")]
    alone = [run_design(place, 3) for place in places]
    monkeypatch.setattr(uneven, "RowsAlone", nullcontext)
    for place, rows in zip(places, alone, strict=True):
        pd.testing.assert_frame_equal(pd.DataFrame(run_design(place, 3)), pd.DataFrame(rows))


@pytest.mark.parametrize("points", [False, True])
def test_truths_of_scores_by_many_cases(points):
    n = 400_000
    d = Scores("many", n // 2, n // 2, points=points)
    sample = d.draw(np.random.default_rng(1))
    study = sample.one()
    found = study.auc(fpr_range=(0, 0.2))["estimate"].iloc[0]
    assert study.auc()["estimate"].iloc[0] == pytest.approx(d.area()["auc"], abs=0.004)
    assert found == pytest.approx(d.partial()["partial_auc"], abs=0.002)
    precision = study.average_precision(prevalence=0.4, sampling="case-control")
    wanted = d.precision(0.4)["average_precision"]
    assert precision["estimate"].iloc[0] == pytest.approx(wanted, abs=0.006)
    zones = study.grey_zone(d.thresholds).set_index(["zone", "quantity"])["estimate"]
    for name, value in d.zones().items():
        zone, quantity = name.split(" ")
        assert zones[zone, quantity] == pytest.approx(value, rel=0.03)


@pytest.mark.parametrize("five", [False, True])
def test_truths_of_risks_by_many_cases(five):
    d = Risks("many", 50_000, 350_000, 0.107, given=True, five=five)
    sample = d.draw(np.random.default_rng(2))
    rows = sample.one().probability_scores(prevalence=0.107).set_index("quantity")
    for name, value in d.scores().items():
        assert rows.loc[name, "estimate"] == pytest.approx(value, rel=0.02)
    fit = sample.one().calibration(prevalence=0.107).set_index("quantity")["estimate"]
    for name, value in d.calibration().items():
        assert fit[name] == pytest.approx(value, abs=0.02)


@pytest.mark.parametrize("points", [False, True])
def test_truths_at_a_time_by_many_patients(points):
    d = Followed("many", 40_000, 0.2, 0.3, points=points)
    study = d.draw(np.random.default_rng(3)).one()
    wanted = d.truth()
    area = study.auc(time=d.time).iloc[0]
    assert abs(area["estimate"] - wanted["auc"]) < 4 * area["se"]
    rows = study.operating_points(threshold=d.threshold, time=d.time).set_index("quantity")
    for name in ("tpr", "tnr", "ppv", "npv"):
        assert abs(rows.loc[name, "estimate"] - wanted[name]) < 4 * rows.loc[name, "se"]
