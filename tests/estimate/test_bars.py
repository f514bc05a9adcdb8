from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from rocstats.curves.average import vertical_average
from rocstats.estimate.bars import (
    Bars,
    binomial_bars,
    binomial_size_of_mean_rate,
    cluster_units,
    clustered_bars,
    effective_size_bars,
    percentile_bars,
    sidak_level_of_each_axis,
    t_bars,
)
from rocstats.estimate.proportions import RATE_INTERVALS, binomial_limits_of_rates
from rocstats.estimate.rates import ClassUnderCurve, clustered_rate_variance
from rocstats.inference.bands.average_differences import (
    mover_bars_of_mean_differences,
    paired_t_bars,
)
from tests.curves.test_average import THREE

HALF = 5e-8  # half a unit of the seventh digit, as printed
SIZES = (20, 25, 30)


def one(value):
    return np.array([value], dtype=float)


def limits_of(bars):
    return float(bars.low[0]), float(bars.high[0])


def test_size_of_a_mean_of_unequal_curves():
    assert binomial_size_of_mean_rate(SIZES) == pytest.approx(
        72.9729730, abs=HALF
    )  # 9/(1/20 + 1/25 + 1/30)
    assert binomial_size_of_mean_rate([20] * 10) == pytest.approx(200)
    assert binomial_size_of_mean_rate([20]) == 20


# docs/methods/averages.md, "Worked bars", the mean at FPR .25 of three curves by their vertices
@pytest.mark.parametrize(
    ("interval", "printed"),
    [
        ("normal", (0.5286842, 0.7490936)),
        ("wald", (0.5286842, 0.7490936)),
        ("wilson", (0.5243051, 0.7395812)),
        ("clopper-pearson", (0.5180012, 0.7481244)),
    ],
)
def test_worked_binomial_bars(interval, printed):
    mean = vertical_average(THREE, one(0.25)).mean_tpr
    assert mean[0] == pytest.approx(0.6388888889, abs=5e-11)
    bars = binomial_bars(mean, binomial_size_of_mean_rate(SIZES), interval, 0.95)
    assert limits_of(bars) == pytest.approx(printed, abs=HALF)
    assert bars.se[0] == pytest.approx(
        np.sqrt(mean[0] * (1 - mean[0]) / binomial_size_of_mean_rate(SIZES))
    )
    assert not bars.replaced.any()


def test_worked_bars_at_other_places():
    low, high = binomial_limits_of_rates(one(23 / 36), 75, "wilson", 0.95)  # n = sum of the P_i
    assert (low[0], high[0]) == pytest.approx((0.5258820, 0.7383614), abs=HALF)
    found = vertical_average(THREE, np.array([0, 0.5]))
    assert found.tpr[:, 0].tolist() == [0.4, 0, 0.2]
    assert found.mean_tpr == pytest.approx([0.2, 0.8555555556], abs=5e-11)
    bars = binomial_bars(found.mean_tpr, binomial_size_of_mean_rate(SIZES), "wilson", 0.95)
    assert (bars.low[1], bars.high[1]) == pytest.approx((0.7571743, 0.9183744), abs=HALF)


def test_worked_t_bars():
    bars = t_bars(vertical_average(THREE, one(0.25)).tpr, binomial_size_of_mean_rate(SIZES), 0.95)
    assert limits_of(bars) == pytest.approx((0.5910816, 0.6866961), abs=HALF)


def test_worked_effective_bars():
    # V = p(1 - p)/m + slope^2 t(1 - t)/n at R = .8, m = 50, slope .6, t = .2, n = 40
    variance = 0.0048876885
    bars = effective_size_bars(one(0.8), 50, one(variance), 0.95)
    assert bars.size[0] == pytest.approx(35.2691103, abs=HALF)
    # in 40 digits the upper limit is .89931091259838...; first printed .8993110
    assert limits_of(bars) == pytest.approx((0.6417568, 0.8993109), abs=HALF)
    assert bars.se[0] == pytest.approx(np.sqrt(variance))


@pytest.mark.parametrize(
    ("rate", "interval", "low", "high"),
    [
        (1, "wilson", 0.8388748, 1),
        (1, "clopper-pearson", 0.8315665, 1),
        (0, "wilson", 0, 0.1611252),
    ],
)
def test_worked_edges(rate, interval, low, high):
    found = limits_of(binomial_bars(one(rate), 20, interval, 0.95))
    assert found == pytest.approx((low, high), abs=HALF)
    assert rate in found


@pytest.mark.parametrize("interval", ["normal", "wald"])
def test_normal_bars_without_width_become_wilsons(interval):
    bars = binomial_bars(np.array([0, 0.5, 1]), 20, interval, 0.95)
    wilson = binomial_bars(np.array([0, 0.5, 1]), 20, "wilson", 0.95)
    assert bars.replaced.tolist() == [True, False, True]
    assert bars.low[[0, 2]].tolist() == wilson.low[[0, 2]].tolist()
    assert bars.high[[0, 2]].tolist() == wilson.high[[0, 2]].tolist()
    assert bars.low[1] == pytest.approx(0.5 - 1.959963984540054 * np.sqrt(0.25 / 20))


def test_no_resampled_variance_leaves_wilson_with_z2_cases_more():
    z2 = 1.959963984540054**2
    bars = effective_size_bars(np.array([0, 0.4, 1]), 20, np.zeros(3), 0.95)
    assert bars.size == pytest.approx([20 + z2] * 3)
    assert (bars.high > bars.low).all()


def test_curves_that_do_not_vary_have_wilsons_bars():
    values = np.array([[0.5, 1.0], [0.7, 1.0], [0.6, 1.0]])
    for bars in (t_bars(values, 60, 0.95), percentile_bars(values, 20, 0.9)):
        assert bars.replaced.tolist() == [False, True]
        assert bars.high[1] == 1
        assert np.isnan(bars.size[0])
    assert t_bars(values, 60, 0.95).low[1] == pytest.approx(60 / (60 + 1.959963984540054**2))
    assert percentile_bars(values, 20, 0.9).size[1] == 20


def test_one_curve_has_no_t_bars():
    bars = t_bars(np.array([[0.5, 1.0]]), 60, 0.95)
    assert np.isnan([bars.low, bars.high, bars.se]).all()


def test_percentiles_are_order_statistics():
    values = np.random.default_rng(1).permutation(np.arange(1.0, 1000))[:, np.newaxis] / 1000
    bars = percentile_bars(values, 50, 0.95)  # ranks 25 and 975 of 999
    assert limits_of(bars) == (0.025, 0.975)
    assert limits_of(percentile_bars(values[:3], 50, 0.95)) == (
        values[:3].min(),
        values[:3].max(),
    )


def test_joint_level_is_sidaks():
    assert sidak_level_of_each_axis(0.95) ** 2 == pytest.approx(0.95)


@given(st.floats(0, 1), st.floats(1, 500), st.floats(0, 0.1), st.floats(0.5, 0.98))
def test_effective_bars_have_width_hold_the_rate_and_grow_with_level_and_variance(
    rate, size, variance, level
):
    bars = effective_size_bars(one(rate), size, one(variance), level)
    more = effective_size_bars(one(rate), size, one(variance + 0.01), level)
    wider = effective_size_bars(one(rate), size, one(variance), level + 0.01)
    assert 0 <= bars.low[0] < bars.high[0] <= 1
    assert bars.low[0] - 1e-12 <= rate <= bars.high[0] + 1e-12
    assert np.ptp(limits_of(more)) >= np.ptp(limits_of(bars)) - 1e-12
    assert np.ptp(limits_of(wider)) > np.ptp(limits_of(bars))


@given(
    st.integers(1, 40),
    st.integers(41, 80),
    st.sampled_from(sorted(record.word for record in RATE_INTERVALS)),
)
def test_bars_of_the_complement_are_mirrored(count, size, interval):
    low, high = limits_of(binomial_bars(one(count / size), size, interval, 0.95))
    mirrored = limits_of(binomial_bars(one(1 - count / size), size, interval, 0.95))
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def ratio_variance(called, sizes):
    """docs/methods/points.md, "Clustered rates", cluster by cluster."""
    called, sizes = np.asarray(called, float), np.asarray(sizes, float)
    p, n = called.sum() / sizes.sum(), len(sizes)
    return n / (n - 1) * np.sum((called - p * sizes) ** 2) / sizes.sum() ** 2


def rows_of(called, sizes):
    """Cases of clusters: code 0 is called positive at vertex 1."""
    codes = np.concatenate(
        [np.repeat([0, 1], [x, n - x]) for x, n in zip(called, sizes, strict=True)]
    )
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    return ClassUnderCurve(codes.astype(np.int32), cluster, np.ones(len(codes)), np.array([1]))


def test_clustered_variance_is_the_ratio_estimator():
    called, sizes = [2, 0, 1, 3, 1], [3, 2, 1, 3, 4]
    found = clustered_rate_variance([rows_of(called, sizes)])
    assert found[0] == pytest.approx(ratio_variance(called, sizes), rel=1e-12)
    rate = one(7 / 13)
    bars = clustered_bars(rate, cluster_units(np.array([sizes])), found, "wilson", 0.95)
    # 39^2 / 435 (squares, fourth powers) equal clusters: t of one less, and of 4
    equal = 39**2 / 435
    share = (stats.t.ppf(0.975, 4) / stats.t.ppf(0.975, equal - 1)) ** 2
    assert bars.size[0] == pytest.approx(rate[0] * (1 - rate[0]) / found[0] * share)
    assert limits_of(bars) == pytest.approx(
        proportion_confint(bars.size[0] * rate[0], bars.size[0], method="wilson")
    )


def test_frequencies_are_repeated_cases_of_the_cluster():
    rows = rows_of([2, 0, 1], [3, 2, 4])
    kept = np.unique(np.stack([rows.cluster, rows.codes]), axis=1, return_counts=True)
    grouped = ClassUnderCurve(
        kept[0][1].astype(np.int32), kept[0][0], kept[1].astype(float), rows.vertex
    )
    assert clustered_rate_variance([grouped]) == pytest.approx(clustered_rate_variance([rows]))


def test_influences_of_a_cluster_add_up_over_curves():
    # the same cases in two curves: as much variance as in one, not half of it
    rows = rows_of([2, 0, 1, 3, 1], [3, 2, 1, 3, 4])
    assert clustered_rate_variance([rows, rows]) == pytest.approx(clustered_rate_variance([rows]))
    other = ClassUnderCurve(rows.codes, rows.cluster + 5, rows.frequency, rows.vertex)
    apart = clustered_rate_variance([rows, other])
    # I/(I - 1) is 10/9 instead of 5/4
    assert apart == pytest.approx(clustered_rate_variance([rows]) / 2 * (10 / 9) / (5 / 4))


def test_clusters_without_spread_count_once():
    for called, rate in (([3, 2], 1.0), ([0, 0], 0.0)):
        variance = clustered_rate_variance([rows_of(called, [3, 2])])
        bars = clustered_bars(one(rate), cluster_units(np.array([[3, 2]])), variance, "wald", 0.95)
        # Kish's effective number of clusters of 3 and 2 cases
        assert bars.size.tolist() == pytest.approx([25 / 13])
        assert bars.replaced.tolist() == [True]
        assert bars.high[0] > bars.low[0]
    alone = clustered_rate_variance([rows_of([2], [3])])
    assert np.isnan(alone).all()
    bars = clustered_bars(one(2 / 3), cluster_units(np.array([[3]])), alone, "wilson", 0.95)
    assert (bars.size[0], bars.high[0] > bars.low[0]) == (1, True)
    assert np.isnan(bars.se[0])


def test_paired_t_bars_are_those_of_the_differences():
    rng = np.random.default_rng(2)
    first, second = rng.random((2, 8, 3))
    bars = paired_t_bars(first - second, 0.9)
    expected = stats.ttest_rel(first, second).confidence_interval(0.9)
    assert bars.low == pytest.approx(np.maximum(expected.low, -1))
    assert bars.high == pytest.approx(np.minimum(expected.high, 1))
    still = paired_t_bars(np.zeros((4, 1)), 0.9)
    assert np.isnan(still.low[0])
    assert still.unpaired[0]
    assert np.isnan(paired_t_bars(np.zeros((1, 1)), 0.9).se[0])


def test_mover_is_newcombes_method_10():
    # docs/methods/paired-tables.md, "Worked rates of 60 cases": a = 30, b = 12, c = 4, d = 14 of
    # 60; phi (corrected) .4183493
    rates = np.array([[42 / 60], [34 / 60]])
    bars = tuple(binomial_bars(rate, 60, "wilson", 0.95) for rate in rates)
    variances = np.stack([bar.se**2 for bar in bars])
    covariance = 0.4183493 * np.sqrt(variances.prod(axis=0))
    found = mover_bars_of_mean_differences(rates, bars, covariance, variances)
    assert limits_of(found) == pytest.approx((0.0023000, 0.2573071), abs=HALF)
    assert not found.unpaired.any()


def test_mover_without_paired_spread_is_unpaired():
    rates = np.array([[1.0], [1.0]])
    bars = tuple(binomial_bars(rate, 20, "wilson", 0.95) for rate in rates)
    found = mover_bars_of_mean_differences(rates, bars, np.zeros(1), np.zeros((2, 1)))
    assert found.unpaired[0]
    # Newcombe's hybrid of two independent rates: both limits move by 1 - .8388748
    assert limits_of(found) == pytest.approx((-0.1611252, 0.1611252), abs=HALF)


def test_limits_of_a_difference_stay_inside():
    bars = Bars(one(0.5), one(1), one(0.1), one(9), np.array([False]))
    found = mover_bars_of_mean_differences(
        np.array([[1.0], [0.0]]),
        (bars, Bars(one(0), one(0.9), *[one(0)] * 2, replaced=bars.replaced)),
        one(0),
        np.full((2, 1), 0.01),
    )
    assert found.high[0] == 1
