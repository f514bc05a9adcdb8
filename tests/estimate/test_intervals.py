"""Intervals of an area: each method at its edges, score limits, effective Wilson, percentiles."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

import rocstats as rs
from rocstats.curves.areas import AreaRange
from rocstats.estimate.areas import AreaTest, estimate_areas, infer_area, infer_areas
from rocstats.estimate.influence import area_covariance
from rocstats.estimate.intervals import (
    AREA_INTERVALS,
    HANLEY_MCNEIL_SCORE_INTERVAL,
    NEWCOMBE_LIMITS,
    Area,
    ClassVariances,
    area_interval,
    bca_method,
    limits_of_area,
    percentile_method,
)
from rocstats.estimate.quantiles import t_p_value
from tests import examples
from tests.quick import each
from tests.strategies import samples

INTERVALS = {
    record.word: record.method
    for record in AREA_INTERVALS
    if not record.resampled and not record.needs_spread
}


def perfect(m, n):
    return Area(1.0, 0.0, np.inf, m, n, min(m, n))


# docs/methods/area-intervals.md, "Lower limits at an area of 1"
@each(
    ("interval", "m", "n", "low"),
    [
        ("newcombe", 5, 5, 0.6427028),
        ("newcombe", 10, 10, 0.8002136),
        ("newcombe", 20, 20, 0.8986681),
        ("newcombe", 50, 50, 0.9603443),
        ("newcombe", 8, 10, 0.7776378),
        ("newcombe", 10, 50, 0.8804399),
        ("hanley-mcneil-score", 8, 10, 0.7698916),
        ("hanley-mcneil-score", 10, 50, 0.8409437),
        ("exact", 10, 10, 0.6915029),
    ],
)
def test_lower_limit_at_a_perfect_area(interval, m, n, low):
    found = limits_of_area(INTERVALS[interval], perfect(m, n), 0.95, "two-sided")
    assert found == pytest.approx((low, 1.0), abs=5e-8)
    assert found[1] == 1.0


def test_one_sided_exact_limit_at_a_perfect_area():
    found = limits_of_area(INTERVALS["exact"], perfect(10, 10), 0.95, "greater")
    assert found == pytest.approx((0.7411344, 1.0), abs=5e-8)


@pytest.mark.parametrize("interval", ["newcombe", "hanley-mcneil-score", "exact"])
def test_an_area_of_zero_mirrors_an_area_of_one(interval):
    low, high = limits_of_area(INTERVALS[interval], perfect(10, 50), 0.9, "two-sided")
    worst = Area(0.0, 0.0, np.inf, 50, 10, 10)
    mirrored = limits_of_area(INTERVALS[interval], worst, 0.9, "two-sided")
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)


@each("interval", list(INTERVALS))
@each("value", [0.03, 0.4, 0.8625, 0.999])
@each("alternative", ["two-sided", "greater", "less"])
def test_the_test_is_the_inversion_of_the_interval(interval, value, alternative):
    area = Area(value, 0.004, 12.5, 14, 9, 9)
    method = INTERVALS[interval]
    low, high = limits_of_area(method, area, 0.9, alternative)
    for limit, other_end in ((low, 0.0), (high, 1.0)):
        if limit == other_end:
            continue
        df = method.df(area)
        p = t_p_value(method.statistic(area, limit), df, alternative)
        assert p == pytest.approx(0.1, abs=1e-9)


# With a variance and without, at 0 and 1 too; a class with one case; no pair of its own clusters.
SEVERAL = Area(
    np.array([0.03, 0.4, 0.8625, 1.0, 0.0, 0.7, 0.9, 1.0, 0.8625]),
    np.array([0.001, 0.004, 0.002, 0.0, 0.0, 0.0, np.nan, 0.0, 0.002]),
    np.array([12.5, 7.0, np.inf, np.inf, np.inf, np.inf, np.inf, np.inf, 3.0]),
    np.array([14.0, 8.0, 8.0, 9.0, 9.0, 5.0, 1.0, 3.0, 8.0]),
    10.0,
    np.array([10.0, 8.0, 8.0, 9.0, 9.0, 5.0, 1.0, 0.0, 8.0]),
    ClassVariances(
        np.array([14.0, 8.0, 7.0, 9.0, 9.0, 5.0, 1.0, 3.0, 8.0]),
        10.0,
        np.array([0.0006, 0.003, 0.001, 0.0, 0.0, 0.0, np.nan, 0.0, 0.001]),
        np.array([0.0004, 0.001, 0.001, 0.0, 0.0, 0.0, np.nan, 0.0, 0.001]),
    ),
)


@each("interval", [record.word for record in AREA_INTERVALS])
@each("alternative", ["two-sided", "greater", "less"])
@each("null_value", [0.5, np.nan])
def test_areas_together_have_the_limits_of_each(interval, alternative, null_value):
    test = AreaTest(0.9, alternative, null_value)
    draws = np.linspace(0.2, 1.0, 9 * 99).reshape(99, 9).T
    resampled = area_interval(interval).resampled
    together = infer_areas(SEVERAL, interval, test, percentile_method(draws) if resampled else None)
    for k, area in enumerate(SEVERAL.each()):
        one = infer_area(area, interval, test, percentile_method(draws[k]) if resampled else None)
        for name in one._fields:
            expected = getattr(one, name)
            if isinstance(expected, (str, tuple)):
                assert getattr(together, name)[k] == expected
            else:
                assert getattr(together, name)[k] == pytest.approx(expected, rel=1e-13, nan_ok=True)


@pytest.mark.parametrize(("value", "theta", "side"), [(1.0, 0.8, "greater"), (0.0, 0.2, "less")])
def test_exact_test_at_the_ends_is_the_binomial_tail(value, theta, side):
    # all ten disjoint pairs ranked right (or wrong), each with probability 0.8
    method, area = INTERVALS["exact"], Area(value, 0.0, np.inf, 10, 12, 10)
    assert t_p_value(method.statistic(area, theta), np.inf, side) == pytest.approx(0.8**10)
    assert t_p_value(method.statistic(area, theta), np.inf, "two-sided") == pytest.approx(
        2 * 0.8**10
    )


@pytest.mark.parametrize("interval", list(INTERVALS))
def test_limits_are_nested_in_the_level_and_inside_the_range(interval):
    area = Area(0.97, 0.003, 9.0, 12, 7, 7)
    found = [
        limits_of_area(INTERVALS[interval], area, level, "two-sided") for level in (0.5, 0.9, 0.999)
    ]
    lows, highs = zip(*found, strict=True)
    assert 0 <= lows[2] < lows[1] < lows[0] < 0.97 < highs[0] <= highs[1] <= highs[2] <= 1


def test_percentile_limits_are_the_stated_order_statistics():
    draws = np.random.default_rng(1).permutation(np.arange(1, 2000) / 2000)
    method = percentile_method(draws)
    # B = 1999: ceil(2000 * .025) = 50, and 2000 - 50 = 1950
    assert method.limit(None, -1.959963984540054) == pytest.approx(50 / 2000)
    assert method.limit(None, 1.959963984540054) == pytest.approx(1950 / 2000)
    assert method.limit(None, -8.0) == pytest.approx(1 / 2000)


def bca_of_one(draws, study, estimate):
    return bca_method(draws[np.newaxis], study.cases, [0], np.array([estimate]))[0]


def test_bca_without_bias_and_skewness_is_the_percentile(three):
    symmetric = np.linspace(0, 1, 1999)
    plain, method = percentile_method(symmetric), bca_of_one(symmetric, three, 0.5)
    assert method.z0 == pytest.approx(0, abs=1e-9)
    moved = method.limit(None, -1.96) - plain.limit(None, -1.96)
    # a < 0 moves the lower quantile p to Phi(q/(1 - a q)): from .0250 to .0178
    assert moved == pytest.approx(-0.0072, abs=0.0006)
    draws = np.stack([symmetric, symmetric])
    # All draws below the estimate: an infinite bias, and the plain percentiles.
    method, infinite = bca_method(draws, three.cases, [0, 0], np.array([0.5, 2.0]))
    assert infinite.tolist() == [False, True]
    assert method.limit(None, -1.96)[1] == plain.limit(None, -1.96)
    assert method.limit(None, -1.96)[0] == bca_of_one(symmetric, three, 0.5).limit(None, -1.96)


@pytest.mark.parametrize("bias_corrected", [False, True])
def test_the_resampled_test_inverts_its_limits(bias_corrected, three, rng):
    draws = np.sort(rng.normal(0.6, 0.1, 9999))
    method = bca_of_one(draws, three, 0.6) if bias_corrected else percentile_method(draws)
    for q in (-1.96, -0.7, 1.3):
        assert method.statistic(None, method.limit(None, q)) == pytest.approx(-q, abs=0.02)


SCORES = {"newcombe": NEWCOMBE_LIMITS, "hanley-mcneil-score": HANLEY_MCNEIL_SCORE_INTERVAL.method}


def area_without_variance(value, m=1500, n=1500):
    return Area(value, 0.0, np.inf, m, n, m * n)


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@given(
    value=st.sampled_from([0.0, 1e-9, 1 / 2250000, 0.3, 0.5, 1 - 1 / 2250000, 1 - 1e-12, 1.0]),
    quantile=st.floats(-38, 38),
    m=st.integers(2, 10**9),
    n=st.integers(2, 10**9),
)
def test_a_limit_solves_its_equation_at_every_quantile(score, value, quantile, m, n):
    limit = score.limit(area_without_variance(value, m, n), quantile)
    assert 0 <= limit <= 1
    assert (limit - value) * quantile >= -1e-15
    if 1e-3 < limit < 1 - 1e-3 and abs(limit - value) > 1e-6:  # where the statistic has its digits
        assert score.statistic(area_without_variance(value, m, n), limit) == pytest.approx(
            -quantile, rel=1e-5
        )


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("quantile", [0.0, -1e-200, -1e-9])
def test_the_limit_at_no_quantile_is_the_estimate(score, quantile):
    assert score.limit(area_without_variance(1.0), quantile) == pytest.approx(1.0, abs=1e-15)


def nearly_perfect(m, n):
    """One predictor separates the classes; the other has one pair of cases exchanged."""
    perfect = np.r_[np.arange(n), n + np.arange(m)].astype(float)
    nearly = perfect.copy()
    nearly[[n - 1, n]] = nearly[[n, n - 1]]
    y = np.r_[np.zeros(n), np.ones(m)]
    frame = pd.DataFrame({"perfect": perfect, "nearly": nearly})
    return y, frame


@pytest.mark.parametrize(("m", "n"), [(1500, 1500), (200, 20000)])
def test_a_perfect_and_a_nearly_perfect_predictor_are_compared(m, n):
    y, frame = nearly_perfect(m, n)
    row = rs.Study(y, frame, pos_label=1).compare_auc().iloc[0]
    assert row["estimate"] == pytest.approx(1 / (m * n))
    assert row["ci_low"] < row["estimate"] < row["ci_high"]
    # One pair of m n: the data do not tell the two apart.
    assert 0.5 < row["p_value"] <= 1


@pytest.mark.parametrize("interval", ["newcombe", "hanley-mcneil-score"])
def test_a_one_sided_limit_at_one_half_is_the_perfect_estimate(interval):
    y, frame = nearly_perfect(20, 30)
    study = rs.Study(y, frame, pos_label=1)
    row = study.auc(interval=interval, confidence_level=0.5 + 1e-12, alternative="greater").iloc[0]
    assert row["ci_low"] == pytest.approx(1.0, abs=1e-15)


def test_stratified_multiclass_and_short_ranges_are_compared():
    y, frame = nearly_perfect(200, 200)
    strata = (np.arange(400) + 1) // 2 % 2  # the exchanged cases are of one stratum
    study = rs.Study(y, frame, pos_label=1, group=strata)
    assert study.compare_stratified_auc()["ci_high"].notna().all()
    short = rs.Study(y, frame, pos_label=1).compare_auc(fpr_range=(0.0, 1e-4))
    assert short["ci_high"].notna().all()
    classes = np.repeat([0, 1, 2], 200)
    shares = pd.DataFrame(np.eye(3)[classes] * 0.8 + 0.1, columns=[0, 1, 2])
    multi = rs.MulticlassStudy(classes, shares)
    assert multi.auc()["ci_low"].notna().all()


LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


def wilson_row(study, **arguments):
    return study.auc(interval="effective-wilson", **arguments).iloc[0]


def wilson_limits(study, level=0.95, **arguments):
    row = wilson_row(study, confidence_level=level, **arguments)
    return row["ci_low"], row["ci_high"]


def perfect_study(m, n):
    return rs.Study([1] * m + [0] * n, np.arange(m + n)[::-1])


def worked(which):
    scores = {"d1": examples.D1, "perfect": examples.D1 + examples.Y}
    if which in scores:
        return rs.Study(examples.Y, scores[which])
    return rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")


# docs/methods/effective-size.md, "Worked effective sizes": D1, the CT ratings, and D1 with every
# positive raised by 1
@pytest.mark.parametrize(
    ("which", "level", "printed"),
    [
        ("d1", 0.95, (0.60876129, 0.96195925)),
        ("d1", 0.90, (0.65732261, 0.95351551)),
        ("d1", 0.99, (0.51301320, 0.97392502)),
        ("ct", 0.95, (0.81526271, 0.94061671)),
        ("perfect", 0.95, (0.75929798, 1.0)),
    ],
)
def test_printed_effective_wilson_limits(which, level, printed):
    assert wilson_limits(worked(which), level) == pytest.approx(printed, abs=5.1e-9)


# docs/methods/effective-size.md, "Worked effective sizes"
@pytest.mark.parametrize(
    ("which", "share", "df"),
    [
        ("d1", 0.065086435, 31.59159232),
        ("ct", 0.010261790, 110.13289388),
        ("perfect", 0.075925926, 29.63394400),
    ],
)
def test_printed_sizes_and_degrees_of_freedom(which, share, df):
    study = worked(which)
    row = wilson_row(study, null_value=0.6)
    assert row["df"] == pytest.approx(df, abs=5.1e-9)
    # statistic = (A - 0.6)/sqrt(V 0.6 0.4)
    found = (row["estimate"] - 0.6) ** 2 / (row["statistic"] ** 2 * 0.24)
    assert found == pytest.approx(share, abs=5.1e-10)


# docs/methods/effective-size.md, "Worked effective sizes": lower limits at A = 1
@pytest.mark.parametrize(
    ("m", "n", "printed"),
    [
        (5, 5, 0.6377726),
        (10, 10, 0.7841080),
        (50, 50, 0.9502773),
        (10, 50, 0.7972749),
        (10, 1000, 0.7728949),
    ],
)
def test_printed_limits_of_a_perfect_area(m, n, printed):
    row = wilson_row(perfect_study(m, n), null_value=0.5)
    assert row["ci_high"] == 1
    assert row["ci_low"] == pytest.approx(printed, abs=5.1e-8)


def test_a_perfect_area_has_a_lower_limit_in_closed_form():
    m, n = 9, 31
    row = wilson_row(perfect_study(m, n), null_value=0.5)
    n0, q = 1.5 * m * n * (m + n) / (m**2 + n**2), stats.t.ppf(0.975, row["df"])
    assert row["ci_low"] == pytest.approx(n0 / (n0 + q**2), abs=1e-12)


def test_printed_limits_of_constant_scores():
    study = rs.Study([1] * 10 + [0] * 10, np.ones(20))
    assert wilson_limits(study) == pytest.approx((0.26767910, 0.73232090), abs=5.1e-9)


def wilson_recipe(area, s10, s01, m, n, units, level):
    """The limits by a root search of the score equation, and the degrees of freedom.

    docs/methods/effective-size.md, "Recipe of the effective sample size", step by step.
    """
    e = np.sqrt((1 / m + 1 / n) / 2) / 8
    pi10, pi01 = 2 / 3 * n / (m + n), 2 / 3 * m / (m + n)
    q = area * (1 - area)
    r10, r01 = (s10 + e * pi10) / (q + e), (s01 + e * pi01) / (q + e)
    if s10 == s01 == 0:
        r10, r01 = pi10, pi01
    a, b = r10 / m, r01 / n
    df = (a + b) ** 2 / (a**2 / (units[0] + 7) + b**2 / (units[1] + 7))
    k = stats.t.ppf((1 + level) / 2, df) ** 2 * (a + b)

    def excess(theta):
        return (area - theta) ** 2 - k * theta * (1 - theta)

    edge = 1e-15  # next to the trivial root at an area of 0 or 1
    low = 0.0 if area == 0 else brentq(excess, 0.0, area - edge * (area == 1), xtol=1e-15)
    high = 1.0 if area == 1 else brentq(excess, area + edge * (area == 0), 1.0, xtol=1e-15)
    return (low, high), df


@given(samples(), st.sampled_from(LEVELS))
def test_effective_wilson_is_the_root_of_the_score_equation(data, level):
    y, (score,) = data
    pairs = np.sign(score[y == 1][:, np.newaxis] - score[y == 0]) / 2 + 0.5
    m, n = pairs.shape
    # Whole numbers of half wins: constant placements have a variance of exactly 0.
    v10, v01 = (2 * pairs).sum(axis=1), (2 * pairs).sum(axis=0)
    s10, s01 = v10.var(ddof=1) / (2 * n) ** 2, v01.var(ddof=1) / (2 * m) ** 2
    area = pairs.mean()
    area = round(area) if abs(area - round(area)) < 1e-12 else area
    wanted, df = wilson_recipe(area, s10, s01, m, n, (m, n), level)
    study = rs.Study(y, score)
    assert wilson_limits(study, level) == pytest.approx(wanted, abs=1e-9)
    assert wilson_row(study, null_value=0.4)["df"] == pytest.approx(df, rel=1e-9)


@given(samples())
def test_symmetries_range_and_width_of_effective_wilson(data):
    y, (score,) = data
    low, high = wilson_limits(rs.Study(y, score))
    estimate = rs.Study(y, score).auc()["estimate"][0]
    assert 0 <= low <= estimate <= high <= 1
    assert low < high
    for mirrored in (rs.Study(y, -score), rs.Study(1 - y, score)):
        assert wilson_limits(mirrored) == pytest.approx((1 - high, 1 - low), abs=1e-12)
    assert wilson_limits(rs.Study(1 - y, -score)) == pytest.approx((low, high), abs=1e-12)


@given(samples())
def test_a_higher_level_of_effective_wilson_holds_a_lower_one(data):
    y, (score,) = data
    low, high = np.transpose([wilson_limits(rs.Study(y, score), level) for level in LEVELS])
    # At an area of 0 or 1 one limit is that area at every level.
    assert (np.diff(low) < 0).all() or (low == 0).all()
    assert (np.diff(high) > 0).all() or (high == 1).all()


def test_one_sided_effective_wilson_is_that_of_the_lower_level():
    low, high = wilson_limits(worked("d1"), 0.95, alternative="greater")
    assert (low, high) == pytest.approx((0.65732261, 1.0), abs=5.1e-9)


def test_effective_wilson_becomes_wald_as_cases_grow():
    table = rs.load_ct_ratings()
    many = rs.Study("abnormal", "rating", data=table.assign(n=table["n"] * 10**8), frequency="n")
    wald = many.auc(interval="wald").iloc[0]
    # The weight of the prior falls as 1/sqrt(H): 1e-6 of a width of 1e-5.
    assert wilson_limits(many) == pytest.approx((wald["ci_low"], wald["ci_high"]), abs=1e-8)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("which", ["d1", "ct", "perfect"])
def test_the_test_inverts_effective_wilson(which, level):
    study = worked(which)
    low, high = wilson_limits(study, level)
    for limit in {low, high} - {0.0, 1.0}:
        p = wilson_row(study, null_value=limit)["p_value"]
        assert p == pytest.approx(1 - level, abs=1e-9)
    if level == 0.5:  # the one-sided limit is the estimate
        return
    low, _ = wilson_limits(study, level, alternative="greater")
    p = wilson_row(study, null_value=low, alternative="greater")["p_value"]
    assert p == pytest.approx(1 - level, abs=1e-9)


def test_clusters_of_repeated_cases_count_once_in_effective_wilson():
    y, score = np.repeat(examples.Y, 2), np.repeat(examples.D1, 2)
    doubled = rs.Study(y, score, cluster=np.repeat(np.arange(18), 2))
    once = rs.Study(examples.Y, examples.D1)
    spread = estimate_areas(doubled.cases, [0], spread=True).spread
    # The two of a pair have one variance between them: m* is held at the 8 clusters, n* at the 10.
    assert (spread.n_pos, spread.n_neg) == (8, 10)
    # DeLong's parts of doubled cases have the factors 16/15 and 20/19 for 8/7 and 10/9, in which
    # proportion v, that of the cases once, is split; all that follows is the recipe.
    s10, s01 = area_covariance(once.cases, [0]).components[:, 0] * (8, 10)
    wrong10, wrong01 = s10 / 8 * (7 / 15), s01 / 10 * (9 / 19)
    scale = (s10 / 8 + s01 / 10) / (wrong10 + wrong01)
    wanted, _ = wilson_recipe(
        0.8625, wrong10 * scale * 8, wrong01 * scale * 10, 8, 10, (8, 10), 0.95
    )
    assert wilson_limits(doubled) == pytest.approx(wanted, abs=1e-9)


def test_clusters_shrink_the_effective_sizes_by_their_design_effect(rng):
    cluster = np.repeat(np.arange(30), 5)
    y = (cluster < 12).astype(int)  # clusters of one class: their cases help less than they would
    score = rng.normal(size=30)[cluster] + rng.normal(size=150) + y
    clustered, plain = rs.Study(y, score, cluster=cluster), rs.Study(y, score)
    found, parts = (area_covariance(study.cases, [0]) for study in (clustered, plain))
    v = found.covariance[0, 0]
    share = parts.covariance[0, 0] / v
    m, n = 60 * share, 90 * share
    assert 12 < m < 60  # neither end of the ranges of m* and n*
    assert 18 < n < 90
    s10, s01 = parts.components[:, 0] / share * (m, n)
    wanted, df = wilson_recipe(found.area[0], s10, s01, m, n, (12, 18), 0.95)
    assert wilson_limits(clustered) == pytest.approx(wanted, abs=1e-9)
    row = wilson_row(clustered, null_value=0.5)
    assert row["df"] == pytest.approx(df, rel=1e-9)


RANGES = [("fpr", 0.0, 0.2), ("fpr", 0.1, 0.3), ("fpr", 0.0, 0.02), ("tpr", 0.8, 1.0)]


@pytest.mark.parametrize("over", RANGES, ids=str)
@given(samples())
def test_a_range_counts_the_cases_expected_in_it(over, data):
    y, (score,) = data
    over = AreaRange(*over)
    study = rs.Study(y, score)
    area = estimate_areas(study.cases, [0], "delong", over, spread=True).take(0)
    parts = area_covariance(study.cases, [0], over=over).components[:, 0] / over.width**2
    m, n = (y == 1).sum(), (y == 0).sum()
    m, n = (m, max(1, n * over.width)) if over.axis == "fpr" else (max(1, m * over.width), n)
    if area.variance == 0:
        parts = np.zeros(2)
    s10, s01 = parts * (m, n)
    wanted, _ = wilson_recipe(area.value, s10, s01, m, n, (m, n), 0.95)
    frame = study.auc(interval="effective-wilson", **{f"{over.axis}_range": (over.low, over.high)})
    rate = frame.iloc[2]  # the mean rate over the range
    assert rate["method"] == "delong/effective-wilson"
    assert (rate["ci_low"], rate["ci_high"]) == pytest.approx(wanted, abs=1e-9)
    assert 0 <= rate["ci_low"] < rate["ci_high"] <= 1


@given(samples(), st.sampled_from([(0.8, 1.0), (0.7, 0.9), (0.5, 1.0)]))
def test_a_range_of_sensitivities_is_the_mirror_image(data, ends):
    """What is simulated over false positive rates holds for the mirrored study and range."""
    y, (score,) = data
    low, high = ends
    over_tpr = rs.Study(y, score).auc(interval="effective-wilson", tpr_range=ends).iloc[2]
    over_fpr = (
        rs.Study(1 - y, -score)
        .auc(interval="effective-wilson", fpr_range=(1 - high, 1 - low))
        .iloc[2]
    )
    places = ["estimate", "se", "ci_low", "ci_high"]
    np.testing.assert_allclose(
        over_tpr[places].astype(float), over_fpr[places].astype(float), atol=1e-9
    )


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_the_whole_range_is_the_whole_area(axis):
    whole = worked("d1").auc(interval="effective-wilson", **{f"{axis}_range": (0, 1)}).iloc[2]
    assert (whole["ci_low"], whole["ci_high"]) == pytest.approx(
        wilson_limits(worked("d1")), abs=1e-12
    )


def test_a_range_with_clusters_is_refused():
    study = rs.Study(examples.Y, examples.D1, cluster=np.arange(18) // 2)
    with pytest.raises(
        rs.InputError, match=r"resamples for a partial area of a study with clusters.*'logit'"
    ):
        study.auc(interval="effective-wilson", fpr_range=(0, 0.5))


def test_a_single_case_falls_back_to_newcombe():
    row = wilson_row(rs.Study([1, 0, 0], [2, 1, 3]))
    assert row["method"] == "delong/newcombe"
