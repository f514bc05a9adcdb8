"""Uneven studies: true values by many cases, and frames without the rest."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest

from rocstats.facts.measures import base_of
from validation.coverage import uneven
from validation.coverage.uneven import COVERAGE, DESIGNS, SIZE, run_design
from validation.coverage.uneven_designs import Followed, Risks, Scores

COMMITTED = "coverage/uneven"


def kind_of(design):
    return type(design).__name__.lower()


def place_of(kind, name):
    return next(k for k, d in enumerate(DESIGNS) if (kind_of(d), d.name) == (kind, name))


def test_every_design_is_there_with_its_bound(committed):
    found = set(zip(committed["kind"], committed["design"], strict=True))
    assert {(kind_of(d), d.name) for d in DESIGNS} <= found
    bounds = np.where(committed["what"] == "size", SIZE, COVERAGE)
    assert (committed["bound"] == bounds).all()


def test_rows_are_those_of_the_frames(monkeypatch):
    places = [place_of("risks", "60 unequal clusters"), place_of("scores", "17 + 171")]
    alone = [run_design(place, 3) for place in places]
    monkeypatch.setattr(uneven, "RowsAlone", nullcontext)
    for place, rows in zip(places, alone, strict=True):
        found = pd.DataFrame(run_design(place, 3))
        # The rows have not been made a frame, which names differences.
        found["quantity"] = found["quantity"].map(base_of)
        pd.testing.assert_frame_equal(found, pd.DataFrame(rows))


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
