from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from rocstats.estimate.claim import add_adjusted_p_values_to_rows, adjust_p_values


@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
def test_adjusted_p_values_are_those_of_statsmodels(adjust, rng):
    for size in (1, 2, 7):
        p = rng.uniform(size=size) ** 3
        assert adjust_p_values(p, adjust) == pytest.approx(multipletests(p, method=adjust)[1])


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "none"])
def test_undefined_p_values_do_not_count(adjust):
    found = adjust_p_values(np.array([0.01, np.nan, 0.04]), adjust)
    expected = {"holm": [0.02, 0.04], "bonferroni": [0.02, 0.08], "none": [0.01, 0.04]}[adjust]
    assert found[[0, 2]] == pytest.approx(expected)
    assert np.isnan(found[1])


def test_rows_are_adjusted_within_their_family():
    p_values = [("tpr", 0.01), ("tnr", 0.02), ("tpr", 0.04), ("ppv", 0.03), ("tpr", np.nan)]
    rows = [{"quantity": name, "p_value": p, "note": ["x"]} for name, p in p_values]
    add_adjusted_p_values_to_rows(rows, "bonferroni", within=["quantity"])
    found = [row["p_adjusted"] for row in rows]
    assert found == pytest.approx([0.02, 0.02, 0.08, 0.03, np.nan], nan_ok=True)
    noted = ["x", "adjusted=bonferroni"]
    assert [row["note"] for row in rows] == [noted, ["x"], noted, ["x"], ["x"]]
    add_adjusted_p_values_to_rows(rows, "holm")
    assert rows[0]["p_adjusted"] == pytest.approx(0.04)
    add_adjusted_p_values_to_rows(rows, "none")
    assert [row["p_adjusted"] for row in rows[:2]] == [0.01, 0.02]
