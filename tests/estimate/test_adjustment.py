from __future__ import annotations

import numpy as np
import pytest

from rocstats.estimate.claim import add_adjusted_p_values_to_rows


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
