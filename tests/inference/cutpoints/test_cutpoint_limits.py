"""Limits at a chosen cutpoint: MOVER of functions, clusters, and optimism by loops."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.criteria import CutpointRequest, make_criterion
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
