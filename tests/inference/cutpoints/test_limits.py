"""Limits at a chosen cutpoint: MOVER, clusters, optimism by loops, predictive values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit

import rocstats as rs
from rocstats.curves.criteria import CRITERIA, CutpointRequest, make_criterion
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.estimate.rates import ClassUnderCurve, clustered_rate_variance
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.cutpoints.limits import (
    CorrectedRates,
    RateSizes,
    corrected_estimates,
    corrected_predictive_values,
    effective_rate_sizes,
)
from rocstats.inference.cutpoints.rule import CutpointDraws, draw_cutpoints

# docs/methods/points.md, "Worked table": TP=670 FP=202 FN=74 TN=640
WORKED = CorrectedRates(202 / 842, 670 / 744, RateSizes(744, 842), 0.95)


def test_mover_of_youdens_index_is_newcombes_as_printed():
    value, se, low, high = WORKED.function_limits(lambda fpr, tpr: tpr - fpr)
    found = [value, low, high]
    assert found == pytest.approx([0.6606326463, 0.6224721255, 0.6944379485], abs=5e-11)
    # Wald 0.6246547516-0.6966105410 in print
    assert value - 1.959963984540054 * se == pytest.approx(0.6246547516, abs=5e-11)
    assert value + 1.959963984540054 * se == pytest.approx(0.6966105410, abs=5e-11)


def test_functions_that_fall_have_mirrored_limits():
    up = WORKED.function_limits(lambda fpr, tpr: tpr - fpr)
    down = WORKED.function_limits(lambda fpr, tpr: fpr - tpr)
    assert down == pytest.approx((-up[0], up[1], -up[3], -up[2]))


def test_a_function_of_one_rate_has_its_wilson_limits():
    value, _, low, high = WORKED.function_limits(lambda fpr, tpr: tpr)
    assert (low, high) == pytest.approx(WORKED.limits(670 / 744, 744))
    assert (value, low, high) == pytest.approx(
        (0.9005376344, 0.8769319125, 0.9200284498), abs=5e-11
    )


@pytest.mark.parametrize(("correlation", "wider"), [(-0.6, True), (0.6, False)])
def test_correlated_rates_widen_or_narrow_the_index(correlation, wider):
    sizes = RateSizes(744, 842, correlation)
    _, se, low, high = CorrectedRates(202 / 842, 670 / 744, sizes, 0.95).function_limits(
        lambda fpr, tpr: tpr - fpr
    )
    _, plain_se, plain_low, plain_high = WORKED.function_limits(lambda fpr, tpr: tpr - fpr)
    assert (high - low > plain_high - plain_low) is wider
    assert (se > plain_se) is wider
    a, b = (np.sqrt(p * (1 - p) / n) for p, n in ((670 / 744, 744), (202 / 842, 842)))
    assert se == pytest.approx(np.sqrt(a**2 + b**2 - 2 * correlation * a * b), rel=1e-8)


def test_effective_sizes_are_those_of_the_ratio_estimator(rng):
    y = rng.integers(0, 2, 60)
    cluster = rng.integers(0, 15, 60)
    score = np.round(y + rng.normal(size=60) + rng.normal(size=15)[cluster], 1)
    frequency = rng.integers(1, 4, 60)
    study = rs.Study(y, score, cluster=cluster, frequency=frequency)
    vertex = len(study.cases.counts(0).score) // 2
    sizes = effective_rate_sizes(study.cases, 0, vertex)
    called = study.cases.codes(0) < vertex
    found, influence = [], []
    for label, size in ((1, sizes.n_pos), (0, sizes.n_neg)):
        own = y == label
        rows = ClassUnderCurve(
            study.cases.codes(0)[own],
            cluster[own],
            frequency[own].astype(float),
            np.array([vertex]),
        )
        p = np.average(called[own], weights=frequency[own])
        found.append(p * (1 - p) / clustered_rate_variance([rows])[0])
        assert size == pytest.approx(found[-1], rel=1e-12)
        weight = np.where(own, frequency, 0) / frequency[own].sum()
        influence.append(
            [np.sum((weight * (called - p))[cluster == c]) for c in np.unique(cluster)]
        )
    variances = [np.sum(np.square(i)) for i in influence]
    factors = [
        len(np.unique(cluster[y == label])) / (len(np.unique(cluster[y == label])) - 1)
        for label in (1, 0)
    ]
    i = len(np.unique(cluster))
    covariance = i / (i - 1) * np.dot(*influence)
    spread = np.sqrt(np.prod(factors) * np.prod(variances))
    assert sizes.correlation == pytest.approx(covariance / spread, rel=1e-12)


def test_rates_that_do_not_vary_count_their_clusters():
    study = rs.Study([1, 1, 0, 0], [4.0, 3, 2, 1], cluster=[0, 1, 2, 2])
    sizes = effective_rate_sizes(study.cases, 0, 2)
    assert (sizes.n_pos, sizes.n_neg, sizes.correlation) == (2, 1, 0.0)


@pytest.mark.parametrize("name", ["youden", "product", "closest-topleft", "kappa", "cost"])
def test_optimism_by_loops_over_the_resamples(name, rng):
    y = np.repeat([1, 0], [15, 20])
    score = np.round(y + rng.normal(size=35), 1)
    study = rs.Study(y, score)
    criterion = make_criterion(name, CutpointRequest(cost_fp=1, cost_fn=2, prevalence=0.3))
    draws = draw_cutpoints(study.cases, 0, criterion, ResamplePlan(200, 1))
    curve = roc_points(study.cases.counts(0))
    found = corrected_estimates(curve, 5, draws, criterion, RateSizes(15, 20), 0.95)
    gains = {"tpr": [], "tnr": [], criterion.quantity: []}
    for b in range(200):
        cut = curve.threshold[draws.vertex[b]]
        tpr, fpr = np.mean(score[y == 1] >= cut), np.mean(score[y == 0] >= cut)
        gains["tpr"].append(draws.tpr[b] - tpr)
        gains["tnr"].append(fpr - draws.fpr[b])
        values = [
            criterion.value(np.array([f]), np.array([t]), np.array([15.0]), np.array([20.0]))[0]
            for f, t in ((draws.fpr[b], draws.tpr[b]), (fpr, tpr))
        ]
        gains[criterion.quantity].append(values[0] - values[1])
    for quantity, gain in gains.items():
        estimate = found[quantity]
        assert estimate.optimism == pytest.approx(np.mean(gain), abs=1e-12)
        assert estimate.value == pytest.approx(estimate.apparent - estimate.optimism, abs=1e-12)
        assert estimate.low < estimate.value < estimate.high
    assert found["youden"].value == pytest.approx(found["tpr"].value + found["tnr"].value - 1)


def values_at(tpr, fpr, optimism, sizes, prevalence):
    """PPV and NPV at the only inner vertex of a curve of 100 and 200 cases."""
    curve = RocPoints(
        np.array([np.inf, 2.0, 1.0]),
        np.array([0.0, 200 * fpr, 200.0]),
        np.array([0.0, 100 * tpr, 100.0]),
    )
    one = np.ones(1, dtype=np.intp)
    gained = (np.array([fpr - optimism]), np.array([tpr + optimism]))
    draws = CutpointDraws(one, one, *gained, np.array([100.0]), np.array([200.0]))
    return corrected_predictive_values(curve, 1, draws, sizes, 0.95, prevalence)


# docs/methods/points.md, "Predictive values of a chosen cutpoint": .80 and .15, optimism
# .05 each, so that the corrected rates are .75 and .20, of 100 and 200 cases; prevalence .2.
@pytest.mark.parametrize(
    ("name", "correlation", "apparent", "expected"),
    [
        ("ppv", 0.0, 0.5714285714, (0.4838709677, 0.4100090500, 0.5584443527)),
        ("npv", 0.0, 0.9444444444, (0.9275362319, 0.9005158307, 0.9476444350)),
        ("ppv", 0.5, 0.5714285714, (0.4838709677, 0.4241090897, 0.5440977509)),
        ("npv", 0.5, 0.9444444444, (0.9275362319, 0.9036770977, 0.9458396700)),
    ],
)
def test_worked_predictive_values_of_corrected_rates(name, correlation, apparent, expected):
    found = values_at(0.80, 0.15, 0.05, RateSizes(100, 200, correlation), 0.2)[name]
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=5e-11)
    assert found.apparent == pytest.approx(apparent, abs=5e-11)
    assert found.optimism == pytest.approx(apparent - expected[0], abs=1e-10)
    assert not found.adjusted


@pytest.mark.parametrize(("tpr", "fpr"), [(0.8, 0.15), (0.8, 0.0), (1.0, 0.3), (1.0, 0.0)])
def test_without_optimism_predictive_values_are_those_of_a_given_threshold(tpr, fpr):
    tp, fp = round(100 * tpr), round(200 * fpr)
    study = rs.Study.from_confusion(tp=tp, fn=100 - tp, fp=fp, tn=200 - fp)
    given = study.operating_points(quantities=["ppv", "npv"], prevalence=0.2)
    found = values_at(tp / 100, fp / 200, 0.0, RateSizes(100, 200), 0.2)
    for row in given.itertuples():
        here = found[row.quantity]
        expected = (row.estimate, row.se, row.ci_low, row.ci_high)
        assert (here.value, here.se, here.low, here.high) == pytest.approx(expected, rel=1e-9)
        assert here.adjusted is ("adjusted-cells" in row.note)


def test_rates_that_vary_as_one_leave_limits_of_some_width():
    found = values_at(0.5, 0.5, 0.0, RateSizes(100, 100, 1.0), 0.2)["ppv"]
    assert found.value == pytest.approx(0.2)
    assert found.low < 0.19
    assert found.high > 0.21


Z = 1.959963984540054

EXTRA = {"cost": {"cost_fp": 1, "cost_fn": 5}, "fixed-tpr": {"tpr": 0.9}, "fixed-fpr": {"fpr": 0.1}}

OF_MERCALDO = {
    "ppv": lambda t, f: (np.log(t / f), (1 - t) / t, (1 - f) / f),
    "npv": lambda t, f: (np.log((1 - f) / (1 - t)), t / (1 - t), f / (1 - f)),
}


def ask(study, criterion="youden", **more):
    return study.cutpoints(criterion, **{"n_resamples": 200, "rng": 1, **more})


def by_hand(quantity, tpr, fpr, sizes, prevalence):
    """docs/methods/points.md, "Predictive values of a chosen cutpoint"."""
    centre, of_pos, of_neg = OF_MERCALDO[quantity](tpr, fpr)
    a, b = of_pos / sizes.n_pos, of_neg / sizes.n_neg
    reach = Z * np.sqrt(a + b - 2 * sizes.correlation * np.sqrt(a * b))
    odds = logit(prevalence) if quantity == "ppv" else -logit(prevalence)
    return expit(centre + odds + np.array([0, -reach, reach]))


@pytest.mark.parametrize("criterion", [*CRITERIA, lambda tpr, fpr: tpr - 2 * fpr])
def test_any_criterion_takes_a_prevalence(masses, criterion):
    extra = {} if callable(criterion) else EXTRA.get(criterion, {})
    frame = ask(masses, criterion, prevalence=0.05, **extra)
    rest, values = frame.iloc[:-2], frame.iloc[-2:].set_index("quantity")
    if criterion != "cost":
        plain = ask(masses, criterion, **extra)
        assert rest.equals(plain)
    assert values.index.tolist() == ["ppv", "npv"]
    assert (values["prevalence"] == 0.05).all()
    assert set(values["target"]) == {"chosen"}
    assert set(values["method"]) == {"binomial/mercaldo-corrected"}
    np.testing.assert_allclose(values["apparent"] - values["optimism"], values["estimate"])
    assert (values["ci_low"] < values["estimate"]).all()
    assert (values["estimate"] < values["ci_high"]).all()
    assert frame.columns.tolist() == masses.cutpoints(n_resamples=100).columns.tolist()


@pytest.mark.parametrize("clustered", [False, True])
def test_values_are_mercaldos_at_the_corrected_rates(clustered, rng):
    cluster = np.repeat(np.arange(40), 5)
    y = np.tile([1, 1, 0, 0, 0], 40)
    score = np.round(y + rng.normal(size=200) + rng.normal(size=40)[cluster], 1)
    study = rs.Study(y, score, cluster=cluster if clustered else None)
    frame = ask(study, prevalence=0.2).set_index("quantity")
    tpr, tnr = frame.loc[["tpr", "tnr"], "estimate"]
    point = frame.iloc[0]
    # The threshold of the first vertex is infinite.
    vertex = int(np.count_nonzero(study.roc_curve()["threshold"] >= point["threshold"])) - 1
    sizes = effective_rate_sizes(study.cases, 0, vertex)
    assert (abs(sizes.correlation) > 0.1) is clustered
    for quantity in ("ppv", "npv"):
        row = frame.loc[quantity]
        expected = by_hand(quantity, tpr, 1 - tnr, sizes, 0.2)
        found = row[["estimate", "ci_low", "ci_high"]].tolist()
        assert found == pytest.approx(expected.tolist(), rel=1e-9)
        apparent = by_hand(quantity, point["tpr"], point["fpr"], sizes, 0.2)[0]
        assert row["apparent"] == pytest.approx(apparent)
        source = "clusters" if clustered else "binomial"
        assert row["method"] == f"{source}/mercaldo-corrected"


def test_frequencies_are_repeated_rows(rng):
    y, score, times = rng.integers(0, 2, 40), rng.integers(0, 6, 40), rng.integers(1, 4, 40)
    grouped = ask(rs.Study(y, score, frequency=times), prevalence=0.1)
    each = ask(rs.Study(np.repeat(y, times), np.repeat(score, times)), prevalence=0.1)
    columns = ["estimate", "ci_low", "ci_high", "se", "apparent"]
    np.testing.assert_allclose(grouped[columns], each[columns], rtol=1e-10)


def test_a_cutpoint_that_calls_nobody_has_no_ppv():
    study = rs.Study([1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1])
    values = ask(study, prevalence=0.1).set_index("quantity")
    assert values.loc["ppv", ["estimate", "ci_low", "ci_high", "se"]].isna().all()
    assert values.loc["ppv", "method"] == "none/none"
    assert values.loc["ppv", "note"].startswith("no-calls; nobody-positive")
    # Without a positive call NPV is the share of negatives, and its limits have a width.
    assert values.loc["npv", "estimate"] == pytest.approx(0.9)
    assert values.loc["npv", "ci_low"] < 0.9 < values.loc["npv", "ci_high"]
    assert values.loc["npv", "note"].startswith("adjusted-cells; nobody-positive")


def test_a_perfect_cutpoint_has_limits_of_adjusted_cells():
    study = rs.Study([1] * 5 + [0] * 7, [2] * 5 + [1] * 7)
    values = ask(study, prevalence=0.1).iloc[-2:]
    assert values["estimate"].tolist() == [1, 1]
    assert (values["ci_low"] < 0.99).all()
    assert values["ci_high"].tolist() == [1, 1]
    assert values["note"].str.startswith("adjusted-cells").all()


def test_a_group_without_a_class_has_blank_values():
    study = rs.Study([1, 0, 1, 1], [3, 1, 2, 4], group=["x", "x", "y", "y"])
    frame = ask(study, prevalence=0.1)
    empty = frame[frame["group"] == "y"]
    assert empty["quantity"].tolist() == ["threshold", "tpr", "tnr", "youden", "ppv", "npv"]
    assert empty["prevalence"].tolist()[-2:] == [0.1, 0.1]
    assert empty["prevalence"].iloc[:-2].isna().all()
    assert empty[["apparent", "estimate", "ci_low", "ci_high"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prevalence": 1.0}, "`prevalence` must be a number strictly between 0 and 1; got 1.0."),
        ({"prevalence": [0.1, 0.2]}, "`prevalence` must be a number strictly between 0 and 1"),
        (
            {"prevalence": 0.1, "method": "kernel"},
            "`prevalence` must be left out for smoothed cutpoints, because their predictive"
            " values have no limits; got 0.1 with the method 'kernel'. Use the method"
            " 'empirical'.",
        ),
    ],
)
def test_messages(masses, arguments, message):
    with pytest.raises(rs.InputError) as caught:
        masses.cutpoints(**arguments)
    assert str(caught.value).startswith(message)


def test_draws_take_a_prevalence_for_costs_alone(masses):
    with pytest.raises(rs.InputError, match="`prevalence` must stay None with the criterion 'youd"):
        masses.cutpoint_draws(prevalence=0.1)


def test_the_methods_paragraph_names_the_correction(masses):
    table = rs.format_table(ask(masses, prevalence=0.1))
    text = " ".join(table.attrs["rocstats"]["footnotes"])
    assert "Mercaldo et al around values at rates corrected for optimism" in text
