"""Measures at a threshold: sums over all tables, true values, coverage."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rocstats.estimate.bars import binomial_bars
from rocstats.facts.measures import MEASURES
from validation.coverage.called_measures import CELLS, KINDS
from validation.coverage.clustered_measures import TABLE as CLUSTER_TABLE
from validation.coverage.clustered_measures import run_cluster_cell
from validation.coverage.measures import (
    MEASURE_CELLS,
    OF_PREVALENCE,
    MeasureCell,
    run_measure_cell,
    tables_of,
)

COMMITTED = "coverage/measures"


def test_clustered_measures_are_held():
    rows = pd.read_csv(CLUSTER_TABLE)
    assert (rows["replicates"] >= 2000).all()
    assert (rows["coverage"] >= 0.93 - 3 * rows["se"]).all()
    assert rows.groupby("quantity")["coverage"].mean().between(0.935, 0.965).all()


@pytest.mark.parametrize("cell", [MEASURE_CELLS[1], MEASURE_CELLS[16], MEASURE_CELLS[-2]])
def test_all_tables_have_probability_one(cell):
    # other cases without a positive estimate no prevalence
    none = 0.0 if cell.prevalence_cases is None else (1 - cell.prevalence) ** 100
    total = sum(one.probability.sum() for one in tables_of(cell))
    assert total == pytest.approx(1 - none, abs=1e-8)


def test_coverage_by_drawing(rng):
    """Accuracy in a cohort is a proportion of all cases: drawn, not summed."""
    cell = MeasureCell(60, None, 0.8, 0.2, 0.5)
    row = next(row for row in run_measure_cell(cell) if row["quantity"] == "accuracy")
    share = rng.binomial(60, 0.8, 20000) / 60
    bars = binomial_bars(share, 60, "wilson", 0.95)
    drawn = np.mean((bars.low <= 0.8) & (bars.high >= 0.8))
    assert row["coverage"] == pytest.approx(drawn, abs=0.007)


def test_intervals_hold_and_sums_of_limits_are_too_wide(committed):
    ours = committed[~committed["method"].str.startswith("sum")]
    # Newcombe's J with a sensitivity of .97 in small classes is known to be short
    easy = ours[(ours["tpr"] < 0.95) & (ours["n_pos"] >= 30)]
    assert easy["coverage"].min() > 0.93
    assert ours["coverage"].min() > 0.88
    youden = committed[committed["quantity"] == "youden"]
    summed = youden["method"].str.startswith("sum")
    assert youden.loc[summed, "coverage"].min() > 0.995
    ratio = (
        youden.loc[summed, "median_width"].to_numpy()
        / youden.loc[~summed, "median_width"].to_numpy()
    )
    assert 1.25 < ratio.min() < ratio.max() < 1.6


def test_clusters_are_drawn_and_counted():
    rows = pd.DataFrame(run_cluster_cell(1, 40))
    assert run_cluster_cell(1, 3) == run_cluster_cell(1, 3)
    assert rows["quantity"].tolist() == [*MEASURES, *OF_PREVALENCE]
    assert rows["method"].str.startswith("clusters/").all()
    assert (rows["defined"] == 1).all()
    # 40 data sets: a level of .95 gives at least 31 with a chance of .9999
    assert (rows["coverage"] >= 31 / 40).all()
    elsewhere = rows.iloc[-len(OF_PREVALENCE) :]
    assert set(elsewhere["at_prevalence"]) == {0.1}
    assert rows.set_index("quantity").loc["ppv", "truth"].tolist() == pytest.approx(
        [0.32 / 0.44, 0.08 / 0.26]
    )


def test_the_truth_of_called_classes_is_that_of_many_cases():
    for cell in (CELLS[0], CELLS[6]):
        many = cell._replace(n=4_000_000)
        for _, truth, low, high in KINDS[cell.kind](many, 1, np.random.default_rng(1)):
            # Limits of four million cases are some .002 around the truth, four widths allowed.
            assert abs(low[0] - truth) < 0.01 * max(1, truth)
            assert abs(high[0] - truth) < 0.01 * max(1, truth)
