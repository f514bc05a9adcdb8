"""The simulation of adjusted areas knows its truth, repeats its cells, and is marked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.bounds import too_low
from validation.coverage.covariates import CELLS, LEVEL, TABLE, distance_of, run_cell


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE, keep_default_na=False)


def test_every_cell_is_there_and_marked(committed):
    names = ["design", "n_pos", "n_neg", "area", "errors"]
    assert list(committed[names].drop_duplicates().itertuples(False, None)) == list(
        map(tuple, CELLS)
    )
    short = too_low(committed["coverage"], LEVEL, committed["replicates"])
    assert ((committed["shortfall"] == "shortfall") == short).all()
    assert np.allclose(
        committed["coverage"], 1 - committed["below"] - committed["above"], atol=2e-6
    )


def test_shortfalls_are_those_that_the_pages_name(committed):
    short = committed[committed["shortfall"] != ""]
    normal = short["question"] == "adjusted_auc, normal"
    assert normal.sum() == 12
    assert set(short.loc[normal, "errors"]) == {"exponential", "t3"}
    assert short.loc[~normal, ["n_pos", "area", "errors", "question"]].to_numpy().tolist() == [
        [50, 0.95, "t3", "adjusted_auc, empirical"],
    ]


def test_a_cell_again(committed):
    cell = CELLS[0]
    again = pd.DataFrame(run_cell(cell, replicates=60)).set_index("question")["coverage"]
    own = committed[(committed[["n_pos", "area", "errors"]] == [20, 0.78, "normal"]).all(axis=1)]
    wanted = own[own["design"] == "cases"].set_index("question")["coverage"].reindex(again.index)
    assert len(again) == 3
    # The first sixty of 4000 samples: four Monte-Carlo errors of their difference.
    error = np.sqrt(wanted * (1 - wanted) * (1 / 60 - 1 / 4000))
    assert (np.abs(again - wanted) <= 4 * error + 1e-9).all()


@pytest.mark.parametrize("errors", ["normal", "exponential", "t3"])
def test_truth_by_many_cases(errors):
    rng = np.random.default_rng(3)
    draw = {
        "normal": rng.standard_normal,
        "exponential": rng.standard_exponential,
        "t3": lambda n: rng.standard_t(3, n),
    }[errors]
    above = draw(200_000) + distance_of(0.95, errors) > draw(200_000)
    assert above.mean() == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 200_000))
