"""Calibration: true values, the limits of the package, what the pages say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

import rocstats as rs
from validation.coverage import calibration_by_class as by_class
from validation.coverage.calibration import Cell, true_values

COMMITTED = "coverage/calibration"


def test_shortfalls_are_those_that_the_pages_name(committed):
    short = committed[committed["shortfall"] != ""]
    assert short[["n", "events", "model", "quantity"]].to_numpy().tolist() == [
        [500, 0.05, "overfitted", "scaled_brier_score"],
    ]


def test_truth_by_many_cases():
    cell = Cell(500, 0.05, "overfitted")
    truth = true_values(cell)
    at = truth.mean + 1.5 * np.random.default_rng(2).standard_normal(400_000)
    p, q = expit(at), expit(-0.3 + 0.7 * at)
    assert q.mean() == pytest.approx(0.05, abs=4e-4)
    ratio = truth.values["observed_expected_ratio"]
    assert q.mean() / p.mean() == pytest.approx(ratio, rel=0.02)
    moved = expit(at + truth.values["calibration_intercept"])
    assert moved.mean() == pytest.approx(q.mean(), rel=0.02)
    brier = (q * (1 - p) ** 2 + (1 - q) * p**2).mean()
    assert brier == pytest.approx(truth.values["brier_score"], rel=0.02)


def test_what_the_pages_say_of_limits_at_a_prevalence():
    table = by_class.read_table()
    coverage, size = (table["kind"] == kind for kind in ("coverage", "size"))
    assert not table["shortfall"].any()
    limits = table[coverage & (table["quantity"] != "curve")]
    assert limits["share"].round(3).agg(["min", "max"]).tolist() == [0.94, 0.961]
    assert table[size]["share"].round(3).agg(["min", "max"]).tolist() == [0.038, 0.055]
    curves = table[table["quantity"] == "curve"]["share"]
    assert curves.round(3).agg(["min", "max"]).tolist() == [0.934, 0.958]


def test_limits_at_a_prevalence_are_those_of_the_question():
    cell, rng = by_class.CELLS[0], np.random.default_rng(5)
    risks = by_class.risks_of(cell, by_class.logits_of(cell, by_class.true_values(cell), rng))
    study = rs.Study(risks.cases.is_positive, risks.risk)
    asked = study.calibration(prevalence=cell.prevalence).set_index("quantity")
    for name, limits in by_class.limits_of(risks).items():
        assert asked.loc[name, ["ci_low", "ci_high"]].tolist() == pytest.approx(limits, rel=1e-9)
