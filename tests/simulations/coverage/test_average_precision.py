"""Average precision: true values, and the limits of the package."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.precision import average_precision_of_counts, pr_area
from validation.coverage import precision_sampling as sampling
from validation.coverage.average_precision import CELLS, draw_cases, true_value


def test_the_truth_is_that_of_many_cases():
    cell = CELLS[1]._replace(n_pos=20_000, n_neg=180_000)
    counts = draw_cases(cell, np.random.default_rng(4)).counts(0)
    truth = true_value(cell.shift, 0.1)
    # An area of .36 of 20 000 positives has a standard error of .003.
    assert float(average_precision_of_counts(*counts[1:])) == pytest.approx(truth, abs=0.012)
    assert float(pr_area(*counts[1:])) == pytest.approx(truth, abs=0.012)


def test_what_the_pages_say_of_limits_by_sampling():
    table = sampling.read_sampling()
    assert (table["coverage"].isna() == ~table["given"]).all()
    bad = table[~table["given"] & (table["n_pos"] == 50)].iloc[0]
    assert [round(bad[name], 2) for name in ("truth", "mean", "before")] == [0.19, 0.33, 0.47]
    assert table["coverage"].min() > 0.92


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
