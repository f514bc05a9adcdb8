from __future__ import annotations

import pytest

import rocstats as rs


def test_exact_power_of_paired_rates_refuses_with_its_limit():
    rates = {"only_predictor": 0.2, "only_reference": 0.1}
    with pytest.raises(rs.InputError, match="beyond 1_000_000 cases; got 1000000000"):
        rs.power(rs.PairedRates("tpr", **rates), n_pos=10**9)
    asymptotic = rs.power(rs.PairedRates("tpr", **rates, method="asymptotic"), n_pos=10**9)
    assert asymptotic["power"][0] == 1.0


@pytest.mark.parametrize("n", [200, 1000, 5000, 20000])
def test_power_is_never_above_one(n):
    power = rs.power(rs.PairedRates("tpr", only_predictor=0.6, only_reference=0.05), n_pos=n)[
        "power"
    ][0]
    assert 0.99 < power <= 1.0
