"""The simulation of average precision knows its truth, repeats a cell, and is marked."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.precision import average_precision_of_counts, pr_area
from validation.bounds import too_low
from validation.coverage import precision_sampling as sampling
from validation.coverage.average_precision import (
    CELLS,
    LEVEL,
    SEED,
    draw_cases,
    read_precision,
    run_precision_cell,
    true_value,
)


def test_every_row_is_there_and_marked():
    table = read_precision()
    found = set(table[["n_pos", "n_neg", "shift", "random"]].itertuples(index=False, name=None))
    assert found == {(c.n_pos, c.n_neg, c.shift, c.random) for c in CELLS}
    assert (table["shortfall"] == too_low(table["coverage"], LEVEL, table["replicates"])).all()
    np.testing.assert_allclose(table.eval("coverage + miss_low + miss_high"), 1, atol=2e-6)


def test_the_truth_is_that_of_many_cases():
    cell = CELLS[1]._replace(n_pos=20_000, n_neg=180_000)
    counts = draw_cases(cell, np.random.default_rng(4)).counts(0)
    truth = true_value(cell.shift, 0.1)
    # An area of .36 of 20 000 positives has a standard error of .003.
    assert float(average_precision_of_counts(*counts[1:])) == pytest.approx(truth, abs=0.012)
    assert float(pr_area(*counts[1:])) == pytest.approx(truth, abs=0.012)


def test_a_cell_repeats():
    table = read_precision()
    cell = CELLS[4]
    rows = run_precision_cell(cell, 3, 0, SEED)
    own = table[(table["n_pos"] == cell.n_pos) & (table["n_neg"] == cell.n_neg)]
    own = own[(own["shift"] == cell.shift) & ~own["random"]]
    own = own.set_index(["quantity", "limits"])["first_widths"]
    for row in rows:
        known = own[row["quantity"], row["limits"]]
        assert row["first_widths"] == pytest.approx(known, rel=1e-7)


def test_by_sampling_every_cell_is_there_and_marked():
    table = sampling.read_sampling()
    cells = table[[*sampling.Cell._fields]].drop_duplicates()
    for cell, known in zip(cells.itertuples(index=False), sampling.CELLS, strict=True):
        assert cell.prevalence == pytest.approx(known.prevalence, abs=1e-6)
        assert tuple(cell)[:3] == tuple(known)[:3]
    assert ((table["coverage"] < sampling.BOUND) == table["shortfall"]).all()
    assert (table["coverage"].isna() == ~table["given"]).all()
    # What the pages say.
    bad = table[~table["given"] & (table["n_pos"] == 50)].iloc[0]
    assert [round(bad[name], 2) for name in ("truth", "mean", "before")] == [0.19, 0.33, 0.47]
    assert table["coverage"].min() > 0.92


def test_a_cell_by_sampling_again():
    table, position, replicates = sampling.read_sampling(), 6, 150
    known = table.iloc[2 * position : 2 * position + 2]
    rows = sampling.run_cell(position, replicates, sampling.SEED)
    for row, share in zip(rows, known["coverage"], strict=True):
        # The first of the samples.
        error = np.sqrt(0.95 * 0.05 * (1 / replicates - 1 / 4000))
        assert abs(row["coverage"] - share) < 4 * error


def test_limits_by_sampling_are_those_of_the_question():
    for position in (0, 9):
        cell = sampling.CELLS[position]
        cases = sampling.draw_cases(cell, np.random.default_rng(5))
        study = rs.Study(cases.is_positive, {"a": cases.scores[0], "b": cases.scores[1]})
        given = {} if cell.sampling == "cohort" else {"prevalence": cell.prevalence}
        found = sampling.limits_of(cases, cell.at)
        one = study.average_precision(**given).iloc[0]
        assert one[["estimate", "ci_low", "ci_high"]].tolist() == pytest.approx(
            found["average_precision"], rel=1e-10
        )
        two = study.compare_average_precision(**given).iloc[0]
        assert two[["estimate", "ci_low", "ci_high"]].tolist() == pytest.approx(
            found["difference"], rel=1e-10
        )
