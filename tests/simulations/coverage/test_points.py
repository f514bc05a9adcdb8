"""Two operating points: true rates, and coverage in small and committed runs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.quick import each
from tests.simulations.committed import read
from validation.coverage import point_measures
from validation.coverage.point_roles import FPR, ROLE_CELLS, THRESHOLD, RoleCell
from validation.coverage.point_roles import SIMULATION as ROLES
from validation.coverage.points import DISEASED, FIRST, POINT_CELLS, SECOND, SIMULATION, MarginCell


@each("cell", POINT_CELLS)
def test_the_law_has_the_rates(cell):
    law = cell.law
    assert law.sum() == pytest.approx(1)
    assert (law >= 0).all()
    assert law[DISEASED].sum() == pytest.approx(cell.prevalence)
    for called, tpr, tnr in zip((FIRST, SECOND), cell.tpr, cell.tnr, strict=True):
        assert law[DISEASED & called].sum() / cell.prevalence == pytest.approx(tpr)
        assert law[~DISEASED & ~called].sum() / (1 - cell.prevalence) == pytest.approx(tnr)
    assert cell.truth["tpr"] == pytest.approx(cell.tpr[0] - cell.tpr[1])
    ratio = cell.tpr[0] / (1 - cell.tnr[0]) / (cell.tpr[1] / (1 - cell.tnr[1]))
    assert cell.truth["lr_positive_ratio"] == pytest.approx(ratio)


def test_a_small_run_covers():
    rows = SIMULATION.run([POINT_CELLS[7], POINT_CELLS[13]], replicates=150)
    rates = rows[rows["quantity"].isin(["tpr", "tnr"])]
    # within 4 Monte-Carlo standard errors of 0.95, or above
    assert (rates["coverage"] > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 150)).all()
    assert (rates["defined"] == 1).all()
    assert set(rows["method"]) == {"tango", "newcombe", "groups"}
    large = rows[rows["size"] == 200]
    assert (large["coverage"] > 0.9).all()


def test_committed_coverage_holds_for_rates_and_for_ratios_of_filled_cells():
    rows = read("coverage/points")
    assert (rows["replicates"] >= 4000).all()
    differences = rows[rows["quantity"].isin(["tpr", "tnr", "ppv", "npv"])]
    assert (differences["coverage"] >= 0.93).all()
    assert (differences["defined"] > 0.99).all()
    ratios = rows[rows["quantity"].str.endswith("_ratio") & (rows["defined"] > 0.99)]
    assert len(ratios) > 80
    assert (ratios["coverage"] >= 0.92).all()


def test_committed_coverage_at_a_rate_and_of_clusters_holds():
    rows = read("coverage/point_roles")
    assert (rows["replicates"] >= 2000).all()
    at_rate = rows[rows["family"] == "fpr"]
    assert (at_rate["coverage"] >= 0.95 - 3 * at_rate["se"]).all()
    # few clusters: known to fall short a little
    assert (rows["coverage"] >= 0.93 - 3 * rows["se"]).all()


@pytest.mark.parametrize("cell", [MarginCell(100, 0.85, 0.1, 0.5), MarginCell(200, 0.9, 0.05, 0.5)])
def test_non_inferiority_keeps_its_size_at_the_margin(cell):
    size = cell.size_of_test(10_000, 1)
    assert 0.015 < size < 0.025 + 3 * np.sqrt(0.025 * 0.975 / 10_000)


@pytest.mark.parametrize("cell", ROLE_CELLS, ids=lambda cell: f"{cell.family}-{cell.position}")
def test_truth_of_roles_is_what_large_samples_show(cell):
    large = RoleCell(cell.position, cell.family, 20_000, 20_000, cell.shifts)
    study = large.study(np.random.default_rng(1))
    positive, scores = study.is_positive, study.scores
    if cell.family == "fpr":
        cuts = [np.quantile(score[~positive], 1 - FPR) for score in scores]
    else:
        cuts = [THRESHOLD, THRESHOLD]
    called = [score >= cut for score, cut in zip(scores, cuts, strict=True)]
    gap = called[0].astype(float) - called[1]
    assert gap[positive].mean() == pytest.approx(cell.truth["tpr"], abs=0.02)
    if "tnr" in cell.truth:
        assert -gap[~positive].mean() == pytest.approx(cell.truth["tnr"], abs=0.02)
        assert study.cluster is not None


def test_a_small_run_with_roles_covers():
    rows = ROLES.run([ROLE_CELLS[0], ROLE_CELLS[4]], replicates=50)
    assert (rows["coverage"] > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 50)).all()
    assert (rows["defined"] == 1).all()


def test_limits_of_relative_rates_and_other_measures_exist():
    """Limits of these exist in every sample; those of others need a called or a discordant case."""
    rows = read("coverage/point_measures")
    n_quantities = sum(len(names) for names in point_measures.METHODS.values())
    assert len(rows) == len(point_measures.CELLS) * n_quantities
    always = rows["quantity"].isin(["tpr_ratio", "accuracy", "youden"])
    assert (rows.loc[always | (rows["method"] == "groups"), "defined"] == 1).all()
    truths = rows.loc[rows["quantity"] == "tpr_ratio", "truth"]
    ratios = rows["tpr_first"] / rows["tpr_second"]
    assert truths.tolist() == pytest.approx(ratios[truths.index].tolist())
