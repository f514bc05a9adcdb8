"""Net benefit: influence values, identities with costs, hulls and the Brier score, bands."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.stats import norm

import rocstats as rs
from rocstats.estimate.benefit import (
    DRAWS,
    Stakes,
    band_quantile_of_joint_normals,
    benefit_band,
    benefit_of_calls,
    case_benefits,
    cases_graded_by_thresholds,
    mean_benefit,
    net_benefit_difference,
    net_benefit_over_treat_all,
    standardized_benefit_of_calls,
)
from rocstats.estimate.paired_tables import PairedTable, tango_limit
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.shares import WeightedCases
from tests import examples
from tests.quick import each
from tests.strategies import samples

Y, N = examples.Y == 1, len(examples.Y)
Z = norm.ppf(0.975)
AT = 0.58  # a score that cases of both classes share


def cases(weight=None, cluster=None):
    return WeightedCases(Y, np.ones(N) if weight is None else weight, cluster)


def estimators(at):
    """Every estimator, from cases to a value with influence values."""
    a, b = examples.D1 >= AT, examples.D2 >= AT
    ks = [case_benefits(d, Y, 0.2, 0.5) for d in (examples.D1, examples.D2)]
    return {
        "alone": lambda c: benefit_of_calls(c, a, at),
        "beside all": lambda c: net_benefit_over_treat_all(c, a, at),
        "pair": lambda c: net_benefit_difference(c, a, b, at),
        "standardized": lambda c: standardized_benefit_of_calls(c, a, at),
        "mean": lambda c: mean_benefit(c, ks[0], at.prevalence),
        "mean of pair": lambda c: mean_benefit(c, ks[0] - ks[1], at.prevalence),
    }


@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("name", list(estimators(Stakes(AT, None))))
def test_influence_is_the_derivative_in_the_weight_of_a_case(name, prevalence):
    ask, h = estimators(Stakes(AT, prevalence))[name], 1e-6
    # Of an unbiased variance: n/(n - 1), by class where the class sizes are fixed.
    size = np.full(N, N) if prevalence is None else np.where(Y, Y.sum(), (~Y).sum())
    found = ask(cases()).influence / np.sqrt(size / (size - 1))
    for i in range(N):
        ends = [ask(cases(np.ones(N) + step * (np.arange(N) == i))).value for step in (h, -h)]
        assert found[i] == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-9)


@each("prevalence", [None, 0.1])
@each("name", list(estimators(Stakes(AT, None))))
def test_clusters_of_one_have_the_variance_of_cases(name, prevalence):
    ask = estimators(Stakes(AT, prevalence))[name]
    plain, single = ask(cases()).influence, ask(cases(cluster=np.arange(N))).influence
    assert single @ single == pytest.approx(plain @ plain, rel=1e-12)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_a_pair_in_clusters_has_tangos_limits_of_as_many_independent_cases(prevalence):
    """docs/methods/costs.md, "Net benefit": a paired difference has the size v/Var d.

    Unequal clusters take (t_{I-1} / t_{J-1})^2 of it, J = (sum n^2)^2 / sum n^4.
    """
    first, second = examples.D1 >= AT, examples.D2 >= AT
    clustered = cases(cluster=examples.D1_CLUSTERS)
    found = net_benefit_difference(clustered, first, second, Stakes(AT, prevalence))
    for part, side in zip(found.parts, (Y, ~Y), strict=True):
        among = np.full(N, True) if prevalence is None else side
        a, b = (first & side)[among], (second & side)[among]
        shares = np.array([np.mean(cell) for cell in (a & b, a & ~b, ~a & b, ~a & ~b)])
        apart = 1.0 * a - b - np.mean(1.0 * a - b)
        codes = examples.D1_CLUSTERS[among]
        sums = [apart[codes == c].sum() for c in np.unique(codes)]
        variance = len(sums) / (len(sums) - 1) * np.sum(np.square(sums)) / among.sum() ** 2
        held = np.unique(codes, return_counts=True)[1].astype(float)
        equal = (held**2).sum() ** 2 / (held**4).sum()
        few, many = examples.t_quantile(norm.cdf(1.96), np.maximum([equal - 1, len(sums) - 1], 1))
        table = PairedTable(*shares * np.var(1.0 * a - b) / variance * (many / few) ** 2)
        wanted = [tango_limit(table, z) for z in (-1.96, 1.96)]
        assert [part.limit(z) for z in (-1.96, 1.96)] == pytest.approx(wanted, rel=1e-9)


@given(samples(predictors=2), st.data())
def test_kinds_of_cases_stand_for_the_cases(data, more):
    y, scores = data
    frequency = more.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y)))
    risks = [np.clip(score / 10 + 0.4, 0, 1) for score in scores]
    at = np.array([0.3, 0.4, 0.5, 0.6])
    study = rs.Study(y, np.transpose(risks), frequency=frequency)
    graded = cases_graded_by_thresholds(study.cases, [0, 1], [at, at])
    alone = WeightedCases(study.is_positive, np.asarray(study.frequency), None)
    for g, t in enumerate(at):
        stakes = Stakes(float(t), None)
        one = net_benefit_difference(graded.cases, graded.called(g), graded.called(g, 1), stakes)
        first, second = (risk >= t for risk in risks)
        two = net_benefit_difference(alone, first, second, stakes)
        assert one.value == pytest.approx(two.value, abs=1e-14)
        assert one.variance == pytest.approx(two.variance, abs=1e-14)
        assert [one.limit(z) for z in (-2, 2)] == pytest.approx([two.limit(z) for z in (-2, 2)])


@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("t", [0.2, 0.41, AT])
def test_it_is_the_prevalence_less_the_expected_cost(t, prevalence):
    """docs/methods/costs.md, "Net benefit": NB = pi - C(t)/(1 - t) at costs t and 1 - t."""
    costs = {"cost_fp": t, "cost_fn": 1 - t, "threshold": t, "prevalence": prevalence}
    for cluster in (None, examples.D1_CLUSTERS):
        study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, cluster=cluster)
        found = study.compare_net_benefit(risk_threshold=t, prevalence=prevalence).iloc[0]
        row = study.compare_costs(**costs).iloc[0]
        assert found["estimate"] == pytest.approx(-row["estimate"] / (1 - t), abs=1e-14)
    # The same influence values in clusters: the same normal statistic, of the other sign.
    z = found["estimate"] / found["se"]
    assert z == pytest.approx(-row["estimate"] / row["se"], rel=1e-12)
    assert z == pytest.approx(-row["statistic"], rel=1e-12)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_interventions_avoided_are_what_is_gained_beside_treating_all(prevalence):
    frame = rs.Study(examples.Y, examples.D1, predictor="a").net_benefit(
        risk_threshold=[0.2, 0.41, AT], prevalence=prevalence
    )
    at = frame.pivot_table("estimate", "risk_threshold", ["predictor", "quantity"])
    gained = at["a", "net_benefit"] - at["treat-all", "net_benefit"]
    odds = at.index / (1 - at.index)
    np.testing.assert_allclose(gained, odds * at["a", "interventions_avoided"], atol=1e-14)


@pytest.mark.parametrize("score", [examples.D1, examples.D2])
def test_the_brier_score_is_an_integral_of_it(score):
    """docs/methods/costs.md, "Net benefit": 2 int (1 - t)(pi - NB(t)) dt over (0, 1)."""

    def height(t):
        return (1 - t) * (Y.mean() - benefit_of_calls(cases(), score >= t, Stakes(t, None)).value)

    ends = [0.0, *np.unique(score), 1.0]
    total = sum(quad(height, *pair, epsabs=1e-13)[0] for pair in pairwise(ends))
    assert 2 * total == pytest.approx(np.mean((score - Y) ** 2), abs=1e-12)
    if score is examples.D1:
        assert 2 * total == pytest.approx(0.159016667, abs=5e-10)


@pytest.mark.parametrize("t", [0.2, 0.41, AT])
def test_the_best_threshold_is_a_vertex_of_the_hull(t):
    study = rs.Study(examples.Y, examples.D1)
    at, pi = Stakes(t, None), Y.mean()
    best = max(
        benefit_of_calls(cases(), c <= examples.D1, at).value for c in np.unique(examples.D1)
    )
    point = study.optimal_points(slope=at.odds * (1 - pi) / pi).iloc[0]
    height = pi * point["tpr"] - at.odds * (1 - pi) * point["fpr"]
    assert best == pytest.approx(height, abs=1e-14)


CALLS = {"all": np.ones(N, bool), "nobody": np.zeros(N, bool), "right": Y, "wrong": ~Y}


@each("prevalence", [None, 0.1])
@each("cluster", [None, examples.D1_CLUSTERS])
@each("word", list(CALLS))
def test_limits_at_the_edges_hold_the_estimate_and_have_width(word, cluster, prevalence):
    at, called, c = Stakes(0.3, prevalence), CALLS[word], cases(cluster=cluster)
    alone = (benefit_of_calls, net_benefit_over_treat_all, standardized_benefit_of_calls)
    found: list[Any] = [estimate(c, called, at) for estimate in alone]
    found += [net_benefit_difference(c, called, other, at) for other in CALLS.values()]
    for one in found:
        low, high = one.limit(-1.96), one.limit(1.96)
        assert low <= one.value + 1e-12
        assert one.value <= high + 1e-12
        assert high - low > 1e-3
        assert one.ends[0] <= low
        assert high <= one.ends[1]


def test_treating_all_has_the_limits_of_the_prevalence():
    one = benefit_of_calls(cases(), np.ones(N, bool), Stakes(0.3, None))
    p, z2 = 8 / 18, 1.96**2
    root = np.sqrt(p * (1 - p) / 18 + z2 / (4 * 18**2))
    ends = [(p + z2 / 36 + sign * 1.96 * root) / (1 + z2 / 18) for sign in (-1, 1)]
    wanted = [end - 3 / 7 * (1 - end) for end in ends]
    assert [one.limit(-1.96), one.limit(1.96)] == pytest.approx(wanted, abs=1e-14)


def mover_of_cells(factors, counts, n, side):
    """MOVER's limit of a sum of shares of a multinomial sample, from Wilson's limits of each."""
    shares, reach = counts / n, []
    for factor, share in zip(factors, shares, strict=True):
        k = Z**2 / n
        root = np.sqrt(k * share * (1 - share) + k**2 / 4)
        limit = (share + k / 2 + np.sign(factor) * side * root) / (1 + k)
        reach.append(factor * (limit - share))
    squares = 0.0
    for i, j in product(range(3), repeat=2):
        odds = shares / (1 - shares)
        correlation = 1.0 if i == j else -np.sqrt(odds[i] * odds[j])
        squares += correlation * np.sign(factors[i] * factors[j]) * reach[i] * reach[j]
    return factors @ shares + side * np.sqrt(squares)


def cases_of(counts):
    """Cases of four cells: true and missed positives, false and true alarms; and their calls."""
    y, called = (
        np.repeat(v, counts) for v in ([True, True, False, False], [True, False, True, False])
    )
    return WeightedCases(y, np.ones(len(y)), None), called


@pytest.mark.parametrize("counts", [(8, 3, 20, 69), (1, 9, 1, 189), (5, 0, 40, 55), (0, 6, 3, 91)])
def test_limits_of_a_standardized_benefit_solve_the_limit_of_a_sum(counts):
    """P(NB/pi > s) is asked of (1 - s) TP - s FN - w FP, whose MOVER limit is 0 at the limit."""
    tp, fn, fp, _ = counts
    at, (of_cells, called) = Stakes(0.1, None), cases_of(counts)
    found = standardized_benefit_of_calls(of_cells, called, at)
    assert found.value == pytest.approx((tp - at.odds * fp) / (tp + fn))
    for side in (-1, 1):
        s = found.limit(side * Z)
        factors = np.array([1 - s, -s, -at.odds])
        reached = mover_of_cells(factors, np.array([tp, fn, fp]), sum(counts), side)
        assert reached == pytest.approx(0, abs=1e-10) or (s == 1 and reached >= 0)


@given(st.tuples(*[st.integers(0, 30)] * 4), st.sampled_from([0.02, 0.1, 0.3, 0.6]))
def test_a_standardized_benefit_excludes_0_with_its_net_benefit(counts, risk_threshold):
    assume(sum(counts[:2]) > 0)
    asked = (*cases_of(counts), Stakes(risk_threshold, None))
    one, other = standardized_benefit_of_calls(*asked), benefit_of_calls(*asked)
    for z in (-Z, Z):
        assert np.sign(round(one.limit(z), 9)) == np.sign(round(other.limit(z), 9))
        assert one.limit(-abs(z)) <= one.value + 1e-9 <= one.limit(abs(z)) + 2e-9


def test_limits_that_reach_less_than_a_rounding_are_the_value():
    """Of weights of 10^49: the search of a limit ended in an error of its own."""
    risk, weight = [0.2, 0.8, 0.3, 0.7, 0.9], [1e49, 1e49, 1.0, 1e49, 0.5]
    study = rs.Study([0, 1, 0, 1, 1], risk, sample_weight=weight)
    found = study.net_benefit(risk_threshold=1e-9, confidence_level=0.999999)
    of_test = found[found["predictor"] == "score"].set_index("quantity")
    # All three cases that weigh anything are treated: 1 - w b/a with a = 2/3 and b = 1/3.
    assert of_test.loc["standardized_net_benefit", "estimate"] == pytest.approx(1 - 5e-10)


def test_a_lower_limit_is_infinite_where_that_of_the_prevalence_is_0():
    """Of positives that weigh 1e-9: the search doubled its step until the sum overflowed."""
    positive, called = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]], dtype=bool)
    weighted = WeightedCases(positive, np.array([0, 1e-9, 1.0, 1e-9, 0.5]), None)
    found = standardized_benefit_of_calls(weighted, called, Stakes(0.01, None))
    # The positive and a weight of 1 + 1e-9 are treated: 1 - w (1 + 1e-9)/1e-9 with w = 1/99.
    assert found.value == pytest.approx(1 - (1 + 1e-9) / 1e-9 / 99)
    assert found.limit(-Z) == -np.inf
    assert found.value < found.limit(Z) <= 1


PLAN = ResamplePlan(DRAWS, 1)


def benefits_at(at):
    return [benefit_of_calls(cases(), cut <= examples.D1, Stakes(cut, None)) for cut in at]


# docs/methods/costs.md, "Net benefit": c = 2.2008559; integrals of four variables are right to 1e-4
def test_printed_band():
    found = benefits_at([0.2, 0.3, 0.4, 0.5])
    influence = np.stack([one.influence for one in found])
    c = band_quantile_of_joint_normals(influence @ influence.T, 0.95, PLAN)
    assert c == pytest.approx(2.2008559, abs=1e-4)
    # A change of c by 1e-4 moves a limit by 2e-5.
    limits = [[one.limit(-c), one.limit(c)] for one in (found[0], found[3])]
    assert limits[0] == pytest.approx([0.06537, 0.61956], abs=2.5e-5)
    assert limits[1] == pytest.approx([-0.15660, 0.53171], abs=2.5e-5)
    # The band has the quantile of t with the same probability, df the least of Satterthwaite's.
    positive, df = examples.Y == 1, []
    for one in found:
        parts = [float((one.influence[side] ** 2).sum()) for side in (positive, ~positive)]
        units = [positive.sum() - 1, (~positive).sum() - 1]
        df.append(sum(parts) ** 2 / sum(v**2 / n for v, n in zip(parts, units, strict=True)))
    reach = stats.t.ppf(norm.cdf(c), min(df))
    assert reach > c
    band = rs.Study(examples.Y, examples.D1).net_benefit_band(
        risk_threshold=(0.2, 0.5), n_points=4, rng=1
    )
    assert band["risk_threshold"].tolist() == [0.2, 0.3, 0.4, 0.5]
    for one, low, high in zip(found, band["ci_low"], band["ci_high"], strict=True):
        assert [low, high] == pytest.approx([one.limit(-reach), one.limit(reach)], abs=1e-4)


def test_what_does_not_vary_has_no_part():
    covariance = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 0.0]])
    two = band_quantile_of_joint_normals(covariance[:2, :2], 0.95, PLAN)
    assert band_quantile_of_joint_normals(covariance, 0.95, PLAN) == two
    assert band_quantile_of_joint_normals(np.zeros((3, 3)), 0.95, PLAN) == pytest.approx(Z)
    assert band_quantile_of_joint_normals(np.full((9, 9), 4.0), 0.95, PLAN) == pytest.approx(
        Z, abs=0.06
    )
    assert band_quantile_of_joint_normals(np.eye(3) * [1, 2, 5], 0.95, PLAN) == pytest.approx(
        norm.ppf((1 + 0.95 ** (1 / 3)) / 2), abs=1e-4
    )


def test_draws_agree_with_independent_variables_and_repeat():
    c = band_quantile_of_joint_normals(np.eye(20), 0.95, PLAN)
    # The density of the largest is .161 there, the Monte-Carlo error .0135: four of them.
    assert c == pytest.approx(norm.ppf((1 + 0.95 ** (1 / 20)) / 2), abs=0.054)
    assert band_quantile_of_joint_normals(np.eye(20), 0.95, PLAN) == c
    assert band_quantile_of_joint_normals(np.eye(20), 0.95, ResamplePlan(DRAWS, 2)) != c


def test_bands_are_wider_than_limits():
    found = benefits_at(np.linspace(0.1, 0.6, 12))
    low, high = benefit_band(found, np.inf, 0.95, PLAN)
    for one, below, above in zip(found, low, high, strict=True):
        assert below < one.limit(-Z)
        assert one.limit(Z) < above
