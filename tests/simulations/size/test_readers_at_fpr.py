"""The committed simulation of readers at a false positive rate is complete, marked, repeatable."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.size.readers_at_fpr import CELLS, FIRST, N_RESAMPLES, TABLE, answers


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE)


def test_every_cell_is_there_and_marked_by_the_rule(committed):
    sizes = committed[["structure", "n_readers", "n_pos", "n_neg"]]
    assert list(sizes.itertuples(index=False, name=None)) == list(CELLS)
    assert (committed["studies"] == 2000).all()
    assert (committed["n_resamples"] == N_RESAMPLES).all()
    outside = (committed["size"] < 0.03) | (committed["size"] > 0.075)
    assert committed["shortfall"].tolist() == outside.tolist()


def test_the_first_studies_of_a_cell_are_drawn_again(committed):
    again = answers(CELLS[1], FIRST)
    assert np.sqrt(again[:, 1].mean()) == pytest.approx(committed["first_se"][1], rel=1e-8)
