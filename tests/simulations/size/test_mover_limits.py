"""MOVER on other limits: array code, and why none of them is offered."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from validation.size.mover_limits import CELLS, METHODS, OTHERS, UNEQUAL, lower_limits, summary

COMMITTED = "size/mover_limits"


def test_the_null_value_is_the_true_difference_but_in_cells_of_power(committed):
    nulls = committed["auc_1"] - committed["auc_2"] - committed["null_value"]
    assert ((nulls.abs() < 1e-9) == (committed["set"] != "power")).all()


# docs/methods/comparison.md, "Other limits under MOVER"
def test_no_other_limits_pass_the_rule(committed):
    found = summary(committed).set_index(["limits", "classes"])
    for name in METHODS[1:]:
        rows = found.loc[name]
        lost = rows.drop(index=UNEQUAL)["largest loss of power"].max()
        assert rows["shortfalls"].sum() > 0 or lost > 0.02, name


@pytest.mark.parametrize("position", [3, 60, 130])
def test_array_code_is_the_package(position):
    cell, n = CELLS[position].predictors, 6
    pos, neg = cell.draw(np.random.default_rng(4), n)
    found = lower_limits(cell, pos, neg)
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    for i, scores in enumerate(np.concatenate([pos, neg], axis=2)):
        study = rs.Study(y, {"a": scores[0], "b": scores[1]})
        package = {name: study.compare_auc(interval=name).iloc[0] for name in ("t", "mover")}
        own = {name: study.auc(interval=name) for name in OTHERS}
        a, b = own["newcombe"]["estimate"]
        assert 0 < a < 1
        assert 0 < b < 1
        assert found["mover"][i] == pytest.approx(package["mover"]["ci_low"], abs=1e-9)
        either = min(row["ci_low"] for row in package.values())
        assert found["mover-or-t"][i] == pytest.approx(either, abs=1e-9)
        # The covariance of the areas, from the standard errors of both and of their difference.
        first, second = study.auc()["se"]
        r = (first**2 + second**2 - package["t"]["se"] ** 2) / (2 * first * second)
        for name, frame in own.items():
            down, up = a - frame["ci_low"][0], frame["ci_high"][1] - b
            low = a - b - np.sqrt(down**2 - 2 * r * down * up + up**2)
            assert found[name][i] == pytest.approx(low, abs=1e-8)
