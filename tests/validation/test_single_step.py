"""The table of the errors of single-step probabilities is that of the present code."""

from __future__ import annotations

import pandas as pd
import pytest

from validation.single_step.accuracy import CELLS, TABLE, cell


def test_a_cell_of_the_table_is_found_again():
    table = pd.read_csv(TABLE)
    found = pd.DataFrame(list(cell("independent", 5, 1)))
    known = table[(table["areas"] == "independent") & (table["k"] == 5) & (table["rep"] == 1)]
    assert found["quantity"].tolist() == known["quantity"].tolist()
    for column in ("reference", "error"):
        assert found[column].to_numpy() == pytest.approx(known[column].to_numpy(), rel=1e-5)
    assert set(table[["areas", "k", "rep"]].itertuples(index=False, name=None)) == set(CELLS)
