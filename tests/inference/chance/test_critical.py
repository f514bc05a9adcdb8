from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy.stats import norm

import rocstats as rs
from rocstats.inference.chance import areas

# docs/methods/chance.md, "Worked best of many": K = 1, 10, 100, 1000
PRINTED = {
    (10, 10): [0.73, 0.84, 0.92, 0.97],
    (20, 20): [0.655, 0.7375, 0.7975, 0.845],
    (20, 100): [0.6175, 0.681, 0.729, 0.7675],
    (50, 50): [0.596, 0.6484, 0.6888, 0.7216],
}


@pytest.mark.parametrize("sizes", list(PRINTED))
def test_printed_critical_values(sizes):
    frame = rs.critical_auc(*sizes, n_candidates=[1, 10, 100, 1000])
    assert frame["critical_value"].tolist() == pytest.approx(PRINTED[sizes], abs=1e-12)
    assert frame["n_candidates"].tolist() == [1, 10, 100, 1000]
    assert (frame["p_value"] <= 0.05).all()


def test_a_critical_area_is_just_significant():
    frame = rs.critical_auc(6, 9, n_candidates=[1, 7])
    for value, p, n in frame[["critical_value", "p_value", "n_candidates"]].to_numpy():
        for wins, rejected in ((round(value * 54), True), (round(value * 54) - 1, False)):
            study = rs.Study(*untied_sample(6, 9, wins))
            row = study.versus_random(alternative="greater", n_candidates=int(n)).iloc[0]
            assert row["estimate"] == pytest.approx(wins / 54)
            assert (row["p_value"] <= 0.05) == rejected
            if rejected:
                assert row["p_value"] == pytest.approx(p, rel=1e-12)


def untied_sample(m, n, wins):
    """Positives that together outrank ``wins`` negatives, no ties."""
    below = []
    for _ in range(m):
        below.append(min(n, wins))
        wins -= below[-1]
    assert wins == 0
    score = [b + 0.5 + i / 100 for i, b in enumerate(below)]
    return [1] * m + [0] * n, score + list(range(1, n + 1))


def test_levels_that_no_area_reaches():
    with pytest.warns(rs.StatisticalWarning, match="unattainable-level"):
        row = rs.critical_auc(2, 3).iloc[0]
    assert 1 / comb(5, 2) > 0.05
    assert np.isnan(row["critical_value"])
    assert np.isnan(row["p_value"])
    assert row["note"] == "unattainable-level"
    assert rs.critical_auc(2, 3, alpha=0.1)["critical_value"][0] == 1


def test_large_samples_are_normal_and_near_the_exact_value():
    row = rs.critical_auc(200, 300, n_candidates=50).iloc[0]
    assert row["method"] == "mann-whitney/normal-continuity"
    assert row["p_value"] <= 0.05
    assert round(row["critical_value"] * 60000, 6) % 1 == 0
    for sizes in ((60, 80), (100, 100)):
        exact = areas._exact_critical_area(*sizes, 10, 0.05)[0]
        assert areas._normal_critical_area(*sizes, 10, 0.05)[0] == pytest.approx(exact, abs=2e-3)
    with pytest.warns(rs.StatisticalWarning, match="unattainable-level"):
        assert np.isnan(rs.critical_auc(1, 10001, alpha=1e-6)["critical_value"][0])


def test_the_critical_value_of_large_samples_is_the_least_area_at_the_level():
    row = rs.critical_auc(200, 300).iloc[0]
    # Mann and Whitney: Var A = (m + n + 1)/(12 m n); half a step of 1/(m n) for continuity.
    deviates = (np.array([0, -1]) / 60000 + row["critical_value"] - 0.5 - 1 / 120000) / np.sqrt(
        501 / (12 * 60000)
    )
    at, below = norm.sf(deviates)
    assert row["p_value"] == pytest.approx(at, rel=1e-9)
    assert at <= 0.05 < below
