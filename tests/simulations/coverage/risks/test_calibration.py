"""The simulation of calibration knows its truth, repeats its cells, and is marked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import rocstats as rs
from validation.bounds import too_high, too_low
from validation.coverage import calibration_by_class as by_class
from validation.coverage.calibration import CELLS, LEVEL, TABLE, Cell, run_cell, true_values


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE, keep_default_na=False)


def test_every_cell_is_there_and_marked(committed):
    assert list(committed[["n", "events", "model"]].drop_duplicates().itertuples(False, None)) == [
        tuple(cell) for cell in CELLS
    ]
    short = too_low(committed["share"], LEVEL, committed["replicates"])
    sized = too_high(committed["share"], 1 - LEVEL, committed["replicates"])
    kind = committed["kind"].to_numpy()
    marks = np.select([kind == "coverage", kind == "size"], [short, sized], default=False)
    assert ((committed["shortfall"] == "shortfall") == marks).all()


def test_shortfalls_are_those_that_the_pages_name(committed):
    short = committed[committed["shortfall"] != ""]
    assert short[["n", "events", "model", "quantity"]].to_numpy().tolist() == [
        [500, 0.05, "overfitted", "scaled_brier_score"],
    ]


def test_a_cell_again(committed):
    cell = CELLS[0]
    again = pd.DataFrame(run_cell(cell, replicates=100))
    assert len(again) == 11
    own = committed[(committed["n"] == cell.n) & (committed["model"] == cell.model)]
    wanted = own.set_index("quantity")["share"].reindex(again["quantity"]).to_numpy(float)
    # The first hundred of 1500 data sets: four Monte-Carlo errors of their difference.
    error = np.sqrt(wanted * (1 - wanted) * (1 / 100 - 1 / 1500))
    assert (np.abs(again["share"] - wanted) <= 4 * error + 1e-9).all()


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


def test_at_a_prevalence_every_cell_is_there_and_marked():
    table = by_class.read_table()
    cells = table[[*by_class.Cell._fields]].drop_duplicates()
    assert [*cells.itertuples(index=False, name=None)] == [tuple(c) for c in by_class.CELLS]
    coverage, size = (table["kind"] == kind for kind in ("coverage", "size"))
    short = coverage & (table["share"] < by_class.COVERAGE)
    short |= size & (table["share"] > by_class.SIZE)
    assert (short == table["shortfall"]).all()
    # What the pages say.
    assert not short.any()
    limits = table[coverage & (table["quantity"] != "curve")]
    assert limits["share"].round(3).agg(["min", "max"]).tolist() == [0.94, 0.961]
    assert table[size]["share"].round(3).agg(["min", "max"]).tolist() == [0.038, 0.055]
    curves = table[table["quantity"] == "curve"]["share"]
    assert curves.round(3).agg(["min", "max"]).tolist() == [0.934, 0.958]


def test_a_cell_at_a_prevalence_again():
    position, replicates = 4, 120
    known = by_class.read_table()
    cell = by_class.CELLS[position]
    known = known[(known[[*cell._fields]] == [*cell]).all(axis=1)].set_index("quantity")
    for row in by_class.run_cell(position, replicates, by_class.SEED + 1):
        share = known["share"][row["quantity"]]
        error = np.sqrt(share * (1 - share) * (1 / replicates + 1 / 500))
        assert abs(row["share"] - share) < 4 * error + 0.02, row["quantity"]


def test_limits_at_a_prevalence_are_those_of_the_question():
    cell, rng = by_class.CELLS[0], np.random.default_rng(5)
    risks = by_class.risks_of(cell, by_class.logits_of(cell, by_class.true_values(cell), rng))
    study = rs.Study(risks.cases.is_positive, risks.risk)
    asked = study.calibration(prevalence=cell.prevalence).set_index("quantity")
    for name, limits in by_class.limits_of(risks).items():
        assert asked.loc[name, ["ci_low", "ci_high"]].tolist() == pytest.approx(limits, rel=1e-9)
