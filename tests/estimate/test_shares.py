from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm

from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.shares import (
    RATIOS,
    ShareDifference,
    ShareName,
    WeightedCases,
    kosinski_score_of_shares,
    ratio_of_classifier_shares,
    shares_of,
)
from rocstats.estimate.two_by_two import TwoByTwoTable, newcombe_rate_difference_limits

SHARES = get_args(ShareName)
Z = 1.959963984540054
# docs/methods/paired-tables.md, "Worked example B": T1+T2+, T1+T2-, T1-T2+, T1-T2- among the
# diseased, then the others
COUNTS = np.array([319.0, 78, 22, 32, 31, 53, 22, 155])
DISEASED = np.repeat([True, False], 4)
FIRST = np.tile([True, True, False, False], 2)
SECOND = np.tile([True, False, True, False], 2)


def example(cluster=None):
    cases = WeightedCases(DISEASED, COUNTS, cluster)
    return shares_of(cases, FIRST), shares_of(cases, SECOND)


def ratio_of(name, cases, first=FIRST, second=SECOND):
    of = (shares_of(cases, called) for called in (first, second))
    return ratio_of_classifier_shares(name, *of, paired=True)


# docs/methods/paired-tables.md, "Worked predictive values"
def test_printed_predictive_values():
    first, second = example()
    found = [shares[name].value for name in ("ppv", "npv") for shares in (first, second)]
    printed = [0.8253638254, 0.8654822335, 0.7662337662, 0.6540880503]
    assert found == pytest.approx(printed, abs=5e-11)
    z_ppv = kosinski_score_of_shares(first["ppv"], second["ppv"], 319, 350)
    z_npv = kosinski_score_of_shares(first["npv"], second["npv"], 155, 187)
    assert (z_ppv**2, z_npv**2) == pytest.approx((5.4658874464, 16.5354041432), abs=5e-11)
    assert 2 * norm.sf(abs(z_ppv)) == pytest.approx(0.0193912041, abs=6e-11)
    assert 2 * norm.sf(abs(z_npv)) == pytest.approx(4.775012e-05, abs=5e-12)


# docs/methods/paired-tables.md, "Worked predictive values": ratios of predictive values T2/T1
# (Moskowitz & Pepe), of likelihood ratios T1/T2; estimate, SE of its logarithm, limits
@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("ppv", (1.0486069378, 0.0199124719, 1.0084705030, 1.0903407752)),
        ("npv", (0.8536403369, 0.0378367855, 0.7926257887, 0.9193516475)),
        ("lr_positive", (0.7345691942, 0.1326085936, 0.5664428142, 0.9525973101)),
        ("lr_negative", (0.5768875193, 0.1373760335, 0.4407135989, 0.7551371474)),
    ],
)
def test_printed_ratios(name, printed):
    order = (FIRST, SECOND) if name.startswith("lr") else (SECOND, FIRST)
    found = ratio_of(name, WeightedCases(DISEASED, COUNTS, None), *order)
    numbers = (found.estimate, found.log_se, *found.limits(0.95, "two-sided"))
    assert numbers == pytest.approx(printed, abs=5e-11)
    p_value = found.test("two-sided")[1]
    if name == "lr_positive":
        assert p_value == pytest.approx(0.0200091015, abs=5e-11)
    if name == "lr_negative":
        assert p_value == pytest.approx(6.2176e-05, abs=5e-10)


# docs/methods/points.md, "Worked table": variances of log LR of one table, TP=670 FP=202 FN=74
# TN=640
def test_printed_likelihood_ratios_of_one_table_add_up_across_groups():
    cases = WeightedCases(
        np.array([True, True, False, False]), np.array([670.0, 74, 202, 640]), None
    )
    shares = shares_of(cases, np.array([True, False, True, False]))
    for name, printed in (("lr_positive", 0.0625403700), ("lr_negative", 0.1120012457)):
        found = ratio_of_classifier_shares(name, shares, shares, paired=False)
        assert found.log_se == pytest.approx(np.sqrt(2) * printed, abs=1e-10)
        assert found.estimate == pytest.approx(1.0)


@st.composite
def eight_cells(draw):
    return np.array([float(draw(st.integers(1, 30))) for _ in range(8)])


def values(counts):
    """Rates, predictive values and likelihood ratios of both classifiers, by counting."""
    found = []
    for called in (FIRST, SECOND):
        tp, fn = counts[DISEASED & called].sum(), counts[DISEASED & ~called].sum()
        fp, tn = counts[~DISEASED & called].sum(), counts[~DISEASED & ~called].sum()
        tpr, tnr = tp / (tp + fn), tn / (tn + fp)
        found.append(
            {
                "tpr": tpr,
                "tnr": tnr,
                "ppv": tp / (tp + fp),
                "npv": tn / (tn + fn),
                "lr_positive": tpr / (1 - tnr),
                "lr_negative": (1 - tpr) / tnr,
            }
        )
    return found


def delta_variance(function, counts):
    """Delta method on eight counts of a multinomial sample, derivatives by differences."""
    step = 1e-5
    slope = np.array(
        [
            (function(counts + step * cell) - function(counts - step * cell)) / (2 * step)
            for cell in np.eye(8)
        ]
    )
    return float(slope**2 @ counts - (slope @ counts) ** 2 / counts.sum())


@given(eight_cells(), st.sampled_from(RATIOS))
def test_log_variances_are_those_of_the_delta_method(counts, name):
    found = ratio_of(name, WeightedCases(DISEASED, counts, None))

    def log_ratio(n):
        first, second = values(n)
        return np.log(first[name] / second[name])

    assert found.estimate == pytest.approx(np.exp(log_ratio(counts)), rel=1e-12)
    expected = delta_variance(log_ratio, counts)
    assume(expected > 1e-6)
    assert found.log_se**2 == pytest.approx(expected, rel=1e-4)


@given(eight_cells(), st.sampled_from(SHARES))
def test_variances_of_differences_are_those_of_the_delta_method(counts, name):
    cases = WeightedCases(DISEASED, counts, None)
    first, second = shares_of(cases, FIRST)[name], shares_of(cases, SECOND)[name]
    difference = ShareDifference(first, second, paired=True)

    def gap(n):
        return values(n)[0][name] - values(n)[1][name]

    assert difference.estimate == pytest.approx(gap(counts), abs=1e-12)
    assert difference.variance == pytest.approx(delta_variance(gap, counts), rel=1e-4)
    apart = ShareDifference(first, second, paired=False)
    assert apart.variance == pytest.approx(
        sum(s.value * (1 - s.value) / s.size for s in (first, second)), rel=1e-12
    )


@given(eight_cells())
def test_a_frequency_is_so_many_rows(counts):
    times = counts.astype(int)
    y, a, b = (np.repeat(v, times) for v in (DISEASED, FIRST, SECOND))
    for name in RATIOS:
        tabled = ratio_of(name, WeightedCases(DISEASED, counts, None))
        replicated = ratio_of(name, WeightedCases(y, np.ones(len(y)), None), a, b)
        assert tabled.log_se == pytest.approx(replicated.log_se, rel=1e-9, nan_ok=True)


@given(eight_cells())
def test_swapping_inverts_ratios_and_mirrors_differences(counts):
    cases = WeightedCases(DISEASED, counts, None)
    for name in RATIOS:
        one, other = ratio_of(name, cases), ratio_of(name, cases, SECOND, FIRST)
        assert one.estimate * other.estimate == pytest.approx(1, rel=1e-12)
        assert one.log_se == pytest.approx(other.log_se, rel=1e-9, nan_ok=True)
    first, second = shares_of(cases, FIRST), shares_of(cases, SECOND)
    for name in SHARES:
        one = ShareDifference(first[name], second[name], paired=True)
        other = ShareDifference(second[name], first[name], paired=True)
        assert one.limit(-Z) == pytest.approx(-other.limit(Z), abs=1e-14)


def test_influence_values_sum_to_zero():
    for shares in example():
        for share in shares.values():
            assert share.influence @ np.sqrt(COUNTS) == pytest.approx(0, abs=1e-12)


# docs/methods/points.md, "Clustered rates": I/(I - 1) sum (x_i - p n_i)^2 / (sum n_i)^2
def test_the_clustered_variance_is_that_of_the_ratio_estimator(rng):
    y, called = rng.random(60) < 0.6, rng.random(60) < 0.7
    cluster = rng.integers(0, 14, 60)
    share = shares_of(WeightedCases(y, np.ones(60), cluster), called)["tpr"]
    x = np.bincount(cluster, y & called, minlength=14)
    n = np.bincount(cluster, y, minlength=14)
    p, used = x.sum() / n.sum(), (n > 0).sum()
    expected = used / (used - 1) * np.sum((x - p * n) ** 2) / n.sum() ** 2
    assert share.variance == pytest.approx(expected, rel=1e-12)
    # Kish's number of clusters
    assert share.n_units == pytest.approx(n.sum() ** 2 / (n**2).sum(), rel=1e-12)


def test_clusters_of_one_are_no_clusters_but_for_the_factor():
    y, a, b = (np.repeat(v, COUNTS.astype(int)) for v in (DISEASED, FIRST, SECOND))
    n = len(y)
    both = [WeightedCases(y, np.ones(n), cluster) for cluster in (None, np.arange(n))]
    for name, among in zip(SHARES, (y, ~y, a, ~a), strict=True):
        size = among.sum()
        plain, clustered = (shares_of(cases, a)[name].variance for cases in both)
        assert clustered == pytest.approx(plain * size / (size - 1), rel=1e-12)
    for name in RATIOS:
        plain, clustered = (ratio_of(name, cases, a, b).log_se for cases in both)
        assert clustered == pytest.approx(plain, rel=4e-3)


def test_limits_across_groups_are_newcombes():
    table = TwoByTwoTable(tp=14, fp=8, n_pos=20, n_neg=30)
    cases = WeightedCases(np.array([True, True, False]), np.array([14.0, 6, 1]), None)
    others = WeightedCases(np.array([True, True, False]), np.array([8.0, 22, 1]), None)
    called = np.array([True, False, False])
    shares = [shares_of(part, called)["tpr"] for part in (cases, others)]
    difference = ShareDifference(shares[0], shares[1], paired=False)
    expected = newcombe_rate_difference_limits(table, 0.95, "two-sided")
    assert (difference.limit(-Z), difference.limit(Z)) == pytest.approx(expected, rel=1e-12)


def test_a_share_without_variance_has_a_limit():
    cases = WeightedCases(np.ones(6, dtype=bool), np.ones(6), np.array([0, 0, 0, 1, 1, 1]))
    share = shares_of(cases, np.ones(6, dtype=bool))["tpr"]
    assert share.variance == 0
    assert share.limit(-Z) == pytest.approx(
        wilson_limit_of_proportion(2, 2, -Z)
    )  # two clusters, once each


def test_empty_cells_leave_ratios_undefined():
    cases = WeightedCases(np.array([True, True, False, False]), np.full(4, 5.0), None)
    words = {"none": "0000", "all": "1110", "half": "1010", "right": "1000", "other": "0100"}
    calls = {name: np.array([c == "1" for c in word]) for name, word in words.items()}

    def ratio(name, first, second):
        return ratio_of(name, cases, calls[first], calls[second])

    assert np.isnan(ratio("ppv", "none", "half").estimate)
    assert ratio("lr_negative", "all", "half").estimate == 0
    assert np.isnan(ratio("lr_negative", "half", "all").estimate)
    assert np.isnan(ratio("lr_negative", "all", "all").estimate)
    same, perfect = ratio("ppv", "half", "half"), ratio("ppv", "right", "other")
    assert (same.estimate, same.alike) == (1.0, True)
    assert (perfect.estimate, perfect.alike) == (1.0, False)
    assert np.isnan(perfect.log_se)


def test_the_weighted_score_of_calls_that_agree_is_undefined():
    first, _ = example()
    assert np.isnan(kosinski_score_of_shares(first["ppv"], first["ppv"], 397, 481))
