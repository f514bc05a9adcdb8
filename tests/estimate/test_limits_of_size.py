"""Tables of a billion cases: curves and points answer, what takes single cases refuses at once."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs

Y = np.array([1, 1, 1, 0, 0, 0])
SCORES = {"a": [3.0, 2, 1, 2, 1, 0], "b": [3.0, 1, 2, 2, 0, 1]}
SMALL = np.array([10, 7, 1, 9, 10, 3])


@pytest.fixture(scope="module")
def huge():
    return rs.Study(Y, SCORES, frequency=SMALL * 10**8)


@pytest.mark.parametrize(
    "question",
    [
        lambda study: study.roc_curve()[["fpr", "tpr"]],
        lambda study: study.pr_curve()[["tpr", "ppv"]],
        lambda study: study.operating_points(tpr=0.9)[["threshold", "estimate"]],
        lambda study: study.auc()[["estimate"]],
    ],
)
@pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")
def test_estimates_of_huge_tables_are_those_of_small_ones(huge, question):
    small = question(rs.Study(Y, SCORES, frequency=SMALL))
    assert question(huge).to_numpy(float) == pytest.approx(small.to_numpy(float), nan_ok=True)


@pytest.mark.parametrize(
    ("question", "instead"),
    [
        (lambda s: s.compare_curves(), "Compare areas"),
        (lambda s: s.random_band(), "simultaneous"),
        (lambda s: s.random_points(), "Pass fewer"),
        (lambda s: s.versus_random(method="permutation"), "asymptotic"),
        (lambda s: s.operating_points_versus_random(threshold=2, method="boschloo"), "fisher"),
    ],
)
def test_what_takes_single_cases_refuses_with_its_limit(huge, question, instead):
    with pytest.raises(rs.InputError, match=r"1_000_000|10_000_000|999_999_999") as refused:
        question(huge)
    assert instead in str(refused.value)


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
