"""Expected costs compared: printed numbers, brute force, symmetries, roles, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

import rocstats as rs
from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.paired_tables import PairedTable, tango_limit
from rocstats.estimate.resample import Streams, draw_weights
from rocstats.estimate.shares import WeightedCases
from rocstats.inference.costs.costs import Costs, compare_costs_at_fixed_thresholds, cost_difference
from tests import examples
from tests.quick import each
from tests.strategies import samples

Z = 1.959963984540054
PAIR = {"a": examples.D1, "b": examples.D2}
COSTS = {"cost_fp": 1, "cost_fn": 3}
AT = {"a": 0.6, "b": 0.5}


def ask(study, **arguments):
    (row,) = study.compare_costs(**{**COSTS, **arguments}).to_dict("records")
    return row


def between(row):
    return row["ci_low"], row["ci_high"]


def losses(y, scores, thresholds, cost_fp, cost_fn):
    """The cost of each case under each classifier."""
    called = [score >= t for score, t in zip(scores, thresholds, strict=True)]
    return [np.where(y == 1, cost_fn * ~calls, cost_fp * calls) for calls in called]


def least_cost(y, score, weight, cost_fp, cost_fn, prevalence):
    """The least expected cost over all thresholds, nobody included."""
    m, n = weight[y == 1].sum(), weight[y == 0].sum()
    p = m / (m + n) if prevalence is None else prevalence
    return min(
        cost_fp * (1 - p) * weight[(y == 0) & (score >= t)].sum() / n
        + cost_fn * p * weight[(y == 1) & (score < t)].sum() / m
        for t in [*np.unique(score), np.inf]
    )


def test_limits_of_sensitivities_as_printed():
    """docs/methods/paired-tables.md, "Worked example B".

    A difference of costs of misses alone is that of sensitivities.
    """
    counts = np.array([319, 78, 22, 32, 31, 53, 22, 155.0])
    first, second = np.array([1, 1, 0, 0] * 2) == 1, np.array([1, 0, 1, 0] * 2) == 1
    cases = WeightedCases(np.repeat([True, False], 4), counts, None)
    difference = cost_difference(cases, first, second, Costs(0.0, 2.0, 0.5))
    assert -difference.estimate == pytest.approx(0.1241685144, abs=5e-11)
    asked = read_hypothesis("difference", None, "two-sided", 0.0, 0.95)
    found = compare_costs_at_fixed_thresholds(difference, asked)
    assert found.se == pytest.approx((0.1660885572 - 0.0822484716) / (2 * Z), abs=5e-11)
    assert -found.ci_high == pytest.approx(0.0827495694, abs=5e-11)
    assert -found.ci_low == pytest.approx(0.1673204489, abs=5e-11)


def test_costs_are_equal_where_superiority_switches(crossing):
    """docs/methods/costs.md, "Worked costs": (.1, .6) and (.4, .95) cost the same."""
    shares = {"cost_fp": 0.5384615, "cost_fn": 1 - 0.5384615}
    for threshold in (1, None):
        with_default = {} if threshold else {"n_resamples": 100, "rng": 1}
        row = ask(crossing, **shares, threshold=threshold, prevalence=0.5, **with_default)
        assert row["estimate"] == pytest.approx(0, abs=5e-8)
    cheaper = ask(crossing, cost_fp=0.6, cost_fn=0.4, threshold=1, prevalence=0.5)
    # loss of A: .05 c + .2 (1 - c), of B: .2 c + .025 (1 - c)
    assert cheaper["estimate"] == pytest.approx(0.03 + 0.08 - 0.12 - 0.01)


def combined_limit(gap, prevalence, z):
    """MOVER of Tango's limits of both classes and, if it is estimated, Wilson's of the prevalence.

    The costs are 1 and 3, ``gap`` the difference of what each of the 8 positives and 10 negatives
    of ``examples`` costs.
    """
    rates, reach = [], []
    for label, cost in ((1, 3), (0, 1)):
        apart = gap[label == examples.Y] / cost
        worse, better = np.sum(apart == 1), np.sum(apart == -1)
        table = PairedTable(0, worse, better, len(apart) - worse - better)
        rates.append(apart.mean())
        reach.append(cost * (tango_limit(table, z) - apart.mean()))
    p = 8 / 18 if prevalence is None else prevalence
    slope = 3 * rates[0] - rates[1]
    reach = [p * reach[0], (1 - p) * reach[1]]
    if prevalence is None:
        roots = np.roots([18 + z**2, -(2 * 8 + z**2), 8**2 / 18])
        reach.append(slope * ((roots.max() if z * slope > 0 else roots.min()) - p))
    return 3 * p * rates[0] + (1 - p) * rates[1] + np.sign(z) * np.sqrt(np.sum(np.square(reach)))


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_fixed_thresholds_by_cases(pair, prevalence):
    row = ask(pair, threshold=AT, prevalence=prevalence)
    one, two = losses(examples.Y, (examples.D1, examples.D2), AT.values(), 1, 3)
    gap = one - two
    if prevalence is None:
        estimate, variance = gap.mean(), gap.var() / 18
    else:
        of_pos, of_neg = gap[examples.Y == 1], gap[examples.Y == 0]
        estimate = 0.1 * of_pos.mean() + 0.9 * of_neg.mean()
        variance = 0.01 * of_pos.var() / 8 + 0.81 * of_neg.var() / 10
    assert row["estimate"] == pytest.approx(estimate, abs=1e-12)
    assert row["se"] == pytest.approx(np.sqrt(variance))
    assert between(row) == pytest.approx([combined_limit(gap, prevalence, z) for z in (-Z, Z)])
    z = norm.isf(row["p_value"] / 2)
    assert row["statistic"] == pytest.approx(np.sign(estimate) * z)
    assert combined_limit(gap, prevalence, -np.sign(estimate) * z) == pytest.approx(0, abs=1e-9)
    assert row["prevalence"] == pytest.approx(8 / 18 if prevalence is None else 0.1)
    assert (row["threshold"], row["reference_threshold"]) == (0.6, 0.5)
    assert (row["quantity"], row["method"], row["note"]) == (
        "expected_cost_difference",
        "influence/tango-mover",
        "",
    )


@pytest.mark.parametrize("prevalence", [None, 0.3])
def test_clusters_sum_influence_values(pair, prevalence):
    cluster = np.arange(18) % 5
    study = rs.Study(examples.Y, PAIR, cluster=cluster)
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        row = ask(study, threshold=AT, prevalence=prevalence)
    one, two = losses(examples.Y, (examples.D1, examples.D2), AT.values(), 1, 3)
    gap, y = one - two, examples.Y
    if prevalence is None:
        value = (gap - gap.mean()) / 18
    else:
        value = np.where(
            y == 1, 0.3 * (gap - gap[y == 1].mean()) / 8, 0.7 * (gap - gap[y == 0].mean()) / 10
        )
    total = sum(value[cluster == c].sum() ** 2 for c in range(5))
    assert row["se"] == pytest.approx(np.sqrt(total * 5 / 4))
    # five clusters that hold both classes, of unequal shares
    share = sum(np.bincount(cluster[y == k]) / np.sum(y == k) for k in (0, 1))
    df = (share**2).sum() ** 2 / (share**4).sum() - 1
    reach = t.ppf(0.975, df) * row["se"]
    assert between(row) == pytest.approx((row["estimate"] - reach, row["estimate"] + reach))
    assert row["p_value"] == pytest.approx(2 * t.sf(abs(row["estimate"] / row["se"]), df))
    assert (row["method"], row["df"]) == ("cluster-influence/wald-t", pytest.approx(df))


@pytest.mark.parametrize("prevalence", [None, 0.3])
@pytest.mark.parametrize("seed", [None, 20])
def test_draws_choose_the_threshold_again(prevalence, seed):
    """Resample by resample and threshold by threshold; with the seed, draws vary more than once."""
    y, scores = examples.Y, PAIR
    if seed is not None:
        rng = np.random.default_rng(seed)
        y = np.repeat([1, 0], 12)
        scores = {name: rng.permutation(24) + 4.0 * y for name in "ab"}
    study = rs.Study(y, scores)
    row = ask(study, prevalence=prevalence, n_resamples=200, rng=7)
    weights = draw_weights(Streams(7, 0, 2), study.cases, 200, stratified=prevalence is not None)
    costs = [[least_cost(y, s, w, 1, 3, prevalence) for s in scores.values()] for w in weights]
    drawn = np.std(np.subtract(*np.transpose(costs)), ddof=1)
    at = {"a": row["threshold"], "b": row["reference_threshold"]}
    fixed = ask(study, threshold=at, prevalence=prevalence)
    assert seed is None or drawn > 1.2 * fixed["se"]
    once = np.ones(len(y))
    one, two = (least_cost(y, s, once, 1, 3, prevalence) for s in scores.values())
    assert row["estimate"] == pytest.approx(one - two, abs=1e-12)
    assert row["estimate"] == pytest.approx(fixed["estimate"], abs=1e-12)
    se = max(drawn, fixed["se"])
    assert row["se"] == pytest.approx(se)
    assert between(row) == pytest.approx((one - two - Z * se, one - two + Z * se))
    assert row["p_value"] == pytest.approx(2 * norm.sf(abs(one - two) / se))
    assert (row["n_resamples"], row["method"]) == (200, "reselection/wald")
    assert row["note"].startswith("selected-thresholds")


def test_thresholds_are_those_of_optimal_points(pair):
    best = pair.optimal_points(**COSTS, prevalence=0.2)
    row = ask(pair, prevalence=0.2, n_resamples=100, rng=1)
    assert [row["threshold"], row["reference_threshold"]] == best["threshold"].tolist()
    assert row["estimate"] == pytest.approx(-np.diff(best["expected_cost"])[0])


@given(samples(predictors=2), st.integers(0, 12), st.integers(0, 12), st.sampled_from([None, 0.2]))
@settings(max_examples=25)  # each asks for six comparisons
def test_symmetries(data, first, second, prevalence):
    y, (a, b) = data
    at = {"threshold": {"a": first, "b": second}, "prevalence": prevalence}
    row = ask(rs.Study(y, {"a": a, "b": b}), **at)
    low, high = between(row)
    swapped = ask(rs.Study(y, {"b": b, "a": a}), **at)
    assert swapped["estimate"] == pytest.approx(-row["estimate"], abs=1e-12)
    assert between(swapped) == pytest.approx((-high, -low), abs=1e-9)
    moved = ask(
        rs.Study(y, {"a": np.exp(a), "b": -b}, higher_is_positive={"b": False}),
        threshold={"a": np.exp(first), "b": -second},
        prevalence=prevalence,
    )
    often = ask(rs.Study(y, {"a": a, "b": b}, frequency=np.full(len(y), 2)), **at)
    twice = ask(rs.Study(np.tile(y, 2), {"a": np.tile(a, 2), "b": np.tile(b, 2)}), **at)
    # the classes trade places: not called is called, from the next lower score down
    other = ask(
        rs.Study(1 - y, {"a": -a, "b": -b}),
        cost_fp=3,
        cost_fn=1,
        threshold={"a": -first + 0.5, "b": -second + 0.5},
        prevalence=None if prevalence is None else 1 - prevalence,
    )
    for same in (moved, other):
        assert same["estimate"] == pytest.approx(row["estimate"], abs=1e-12)
        assert between(same) == pytest.approx((low, high), abs=1e-9)
        assert same["p_value"] == pytest.approx(row["p_value"], abs=1e-9)
    for name in ("estimate", "se", "ci_low", "ci_high", "p_value"):
        assert often[name] == pytest.approx(twice[name], abs=1e-9)
    assert low < high
    assert low <= row["estimate"] <= high


def test_a_class_without_discordant_calls_has_tangos_limits():
    y = np.repeat([1, 0], 10)
    first, second = np.zeros(20), np.zeros(20)
    first[:7], second[:4] = 1, 1
    row = ask(rs.Study(y, {"a": first, "b": second}), threshold=1, prevalence=0.5)
    assert (row["note"], row["method"]) == ("alike-in-a-class", "influence/tango-mover")
    missed, alarmed = PairedTable(3, 0, 3, 4), PairedTable(0, 0, 0, 10)
    for limit, z in ((row["ci_low"], -Z), (row["ci_high"], Z)):
        parts = 1.5 * (tango_limit(missed, z) + 0.3), 0.5 * tango_limit(alarmed, z)
        assert limit == pytest.approx(-0.45 + np.sign(z) * np.hypot(*parts))
    # the test inverts the limits: at the level of its p value a limit reaches 0
    inverted = ask(
        rs.Study(y, {"a": first, "b": second}),
        threshold=1,
        prevalence=0.5,
        confidence_level=1 - row["p_value"],
    )
    assert inverted["ci_high"] == pytest.approx(0, abs=1e-7)


def test_perfect_predictors_have_limits_with_a_width(perfect_pair):
    with pytest.warns(rs.StatisticalWarning, match="selected-thresholds"):
        row = ask(perfect_pair, n_resamples=100, rng=1)
    assert (row["estimate"], row["p_value"]) == (0, 1)
    assert row["ci_low"] == pytest.approx(-row["ci_high"])
    assert row["ci_high"] > 0.2
    assert row["note"] == "selected-thresholds; alike-in-a-class"


def test_draws_that_differ_by_rounding_alone_have_tangos_limits():
    """Perfect against useless: each resample costs the same, .01 * 3."""
    y = np.repeat([1, 0], 15)
    study = rs.Study(y, {"perfect": y, "flat": np.ones(30)})
    row = ask(study, prevalence=0.01, n_resamples=200, rng=1)
    assert row["estimate"] == pytest.approx(-0.03)
    assert row["method"] == "influence/tango-mover"
    assert row["ci_high"] - row["ci_low"] > 0.02


def test_a_single_cluster_has_no_limits():
    study = rs.Study(examples.Y, PAIR, cluster=np.zeros(18))
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        row = ask(study, threshold=AT)
    assert np.isfinite(row["estimate"])
    assert np.isnan([row["se"], *between(row), row["p_value"]]).all()
    assert (row["method"], row["note"]) == ("none/none", "few-clusters")


def test_identical_predictors():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": 2 * examples.D1})
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        row = ask(study, n_resamples=100, rng=1)
    assert (row["estimate"], row["p_value"]) == (0, 1)
    assert np.isnan(between(row)).all()


@pytest.mark.parametrize("clustered", [False, True])
def test_hypotheses_of_lower_costs(clustered):
    """A limit at the level of the p value is the null value, and sides are those of lower costs."""
    study = rs.Study(examples.Y, PAIR, cluster=np.arange(18) // 2 if clustered else None)
    given = {"threshold": AT, "prevalence": 0.3}

    def limits_at(p):
        return between(ask(study, **given, confidence_level=1 - 2 * min(p, 1 - p)))

    superior = ask(study, **given, hypothesis="superiority", margin=0.1)
    inferior = ask(study, **given, hypothesis="non-inferiority", margin=0.2)
    equal = ask(study, **given, hypothesis="equivalence", margin=0.9)
    less = ask(study, **given, alternative="less")
    d = less["estimate"]
    assert superior["null_value"] == -0.1
    assert inferior["null_value"] == 0.2
    for row, null in ((superior, -0.1), (inferior, 0.2), (less, 0.0)):
        # evidence of lower costs: below 1/2 exactly where the estimate is below the null value
        assert (row["p_value"] < 0.5) == (d < null)
        assert limits_at(row["p_value"])[int(d < null)] == pytest.approx(null, abs=1e-6)
    nearer = 0.9 if abs(d - 0.9) < abs(d + 0.9) else -0.9
    assert limits_at(equal["p_value"])[int(nearer > d)] == pytest.approx(nearer, abs=1e-6)
    assert (inferior["p_value"] < 0.025) == (inferior["ci_high"] < 0.2)
    # the largest cost of a case: .7 * 1 + .3 * 3
    assert less["ci_low"] == pytest.approx(-1.6)


def test_limits_stay_in_the_range_of_costs():
    y = np.repeat([1, 0], 4)
    scores = {"a": [0, 0, 0, 1, 1, 1, 1, 0], "b": [1, 1, 1, 0, 0, 0, 0, 1]}
    for cluster, same in ((np.arange(8), True), (None, False)):
        study = rs.Study(y, scores, cluster=cluster)
        for prevalence, largest in ((0.5, 2), (None, 3)):
            row = ask(study, threshold=1, prevalence=prevalence, confidence_level=0.9999)
            assert row["estimate"] < row["ci_high"] <= largest
            assert not same or row["ci_high"] == largest


@pytest.mark.parametrize("scale", [2.0**-120, 2.0**90, 3e-20, 0.1, 7e15])
@pytest.mark.parametrize("threshold", [AT, 0.55, None])
@pytest.mark.parametrize("clustered", [False, True])
def test_the_unit_of_costs_changes_nothing_else(scale, threshold, clustered):
    study = rs.Study(
        examples.Y, PAIR | {"c": examples.D3}, cluster=np.arange(18) // 2 if clustered else None
    )
    asked = {"hypothesis": "non-inferiority", "n_resamples": 100, "rng": 3}
    if threshold is not None:
        asked["threshold"] = threshold
    plain = study.compare_costs(**COSTS, **asked, margin=0.2)
    scaled = study.compare_costs(cost_fp=scale, cost_fn=3 * scale, **asked, margin=0.2 * scale)
    exact = float(scale).hex().startswith("0x1.0000000000000p")
    for name in ("estimate", "se", "ci_low", "ci_high", "null_value", "cost_fp", "cost_fn"):
        error = 0 if exact else 1e-9
        np.testing.assert_allclose(scaled[name] / scale, plain[name], rtol=error, atol=error)
    for name in ("statistic", "p_value", "p_adjusted"):
        np.testing.assert_allclose(scaled[name], plain[name], rtol=0 if exact else 1e-9)
    assert (scaled["note"] == plain["note"]).all()


@pytest.mark.parametrize(("n", "few"), [(19, True), (20, False)])
def test_few_cases_are_noted_where_limits_are_normal(n, few):
    y = np.repeat([1, 0], [n, 40])
    scores = {"a": np.arange(n + 40) % 7 + y, "b": np.arange(n + 40) % 5 + 2 * y}
    drawn = {"n_resamples": 100, "rng": 1}
    chosen = ask(rs.Study(y, scores), **drawn)
    clustered = ask(rs.Study(y, scores, cluster=np.arange(n + 40)), threshold=4)
    fixed = ask(rs.Study(y, scores), threshold=4)
    assert ["few-cases" in row["note"] for row in (chosen, clustered, fixed)] == [few, few, False]


def test_pairs_are_adjusted_together():
    study = rs.Study(examples.Y, {**PAIR, "c": examples.D3})
    frame = study.compare_costs(**COSTS, threshold={"a": 0.6, "b": 0.5, "c": 0.5})
    assert frame["predictor"].tolist() == ["a", "a", "b"]
    assert (frame["p_adjusted"] >= frame["p_value"]).all()
    assert frame["note"].str.endswith("adjusted=holm").all()
    left_out = study.compare_costs(**COSTS, threshold=AT)
    assert left_out[["predictor", "reference"]].to_numpy().tolist() == [["a", "b"]]


def test_groups_and_folds(patients):
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    frame = study.compare_costs(**COSTS, n_resamples=100, rng=1)
    assert frame["group"].tolist() == ["x", "y"]
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", fold="part")
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        study.compare_costs(**COSTS, threshold=3)
    y = [*examples.Y, 1, 1]
    scores = {"a": [*examples.D1, 1, 2], "b": [*examples.D2, 2, 1]}
    for threshold in (0.5, None):
        lacking = rs.Study(y, scores, group=["u"] * 18 + ["v"] * 2)
        with pytest.warns(rs.StatisticalWarning, match="one-class"):
            frame = lacking.compare_costs(**COSTS, threshold=threshold, n_resamples=100, rng=1)
        assert np.isnan(frame["estimate"][1])
        assert frame["note"][1] == "one-class"


@each(
    ("roles", "arguments", "message"),
    [
        ({"sample_weight": np.arange(1.0, 19)}, {}, "`sample_weight` must stay None"),
        ({}, {"cost_fp": 0}, "`cost_fp` must be a number strictly between 0 and inf; got 0"),
        ({}, {"cost_fn": -1}, "`cost_fn` must be a number strictly"),
        ({}, {"cost_fn": 1e200}, "`cost_fn` must lie between 1e-50 and 1e[+]50; got 1e[+]200"),
        ({}, {"cost_fn": "dear"}, "`cost_fn` must be a number strictly"),
        ({}, {"prevalence": 1}, "`prevalence` must be a number strictly between 0 and 1"),
        ({}, {"threshold": {"z": 1}}, r"`threshold` must name predictors; got \['z'\]"),
        ({}, {"threshold": [1, 2]}, "`threshold` must be one number, or one for each predictor"),
        ({}, {"threshold": {"a": 1}}, "`y_score` must hold two or more predictors"),
        ({}, {"reference": "z"}, "`reference` must be one of 'a', 'b'"),
        ({}, {"hypothesis": "equivalence"}, "`margin` must be given"),
        (
            {},
            {"hypothesis": "equivalence", "margin": 2, "prevalence": 0.5},
            "`margin` must be a number strictly between 0 and 2",
        ),
        ({}, {"adjust": "single-step"}, "`adjust` must be one of"),
        ({}, {"alternative": "more"}, "`alternative` must be one of"),
        ({}, {"n_resamples": 3}, "`n_resamples` must be a whole number"),
        ({}, {"rng": "x"}, "`rng` must be None"),
        ({}, {"confidence_level": 1}, "`confidence_level` must be a number strictly"),
    ],
)
def test_messages(roles, arguments, message):
    study = rs.Study(examples.Y, PAIR, **roles)
    with pytest.raises(rs.InputError, match=message):
        ask(study, **arguments)


def test_tables_say_how_limits_came_about():
    y = np.repeat([1, 0], 10)
    alike = rs.Study(y, {"a": np.arange(20) < 7, "b": np.arange(20) < 4})
    footnotes = {
        "Tango for both classes (MOVER)": alike.compare_costs(**COSTS, threshold=1),
        "thresholds were chosen again": rs.Study(examples.Y, PAIR).compare_costs(
            **COSTS, n_resamples=100, rng=1
        ),
    }
    for words, frame in footnotes.items():
        table = rs.format_table(frame)
        assert any(words in line for line in table.attrs["rocstats"]["footnotes"])
        assert any(str(name).startswith("Difference in expected cost at") for name in table)


def test_one_predictor_is_refused():
    with pytest.raises(rs.InputError, match="two or more predictors to be compared; got 1"):
        ask(rs.Study(examples.Y, examples.D1))
