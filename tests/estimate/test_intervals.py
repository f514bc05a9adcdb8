from __future__ import annotations

import numpy as np
import pytest

from rocstats.estimate import quantiles
from rocstats.estimate.areas import AreaTest, infer_area, infer_areas
from rocstats.estimate.intervals import (
    AREA_INTERVALS,
    Area,
    ClassVariances,
    area_interval,
    limits_of_area,
    percentile_method,
)
from rocstats.estimate.quantiles import t_p_value, t_quantile
from tests.quick import each

INTERVALS = {
    record.word: record.method
    for record in AREA_INTERVALS
    if not record.resampled and not record.needs_spread
}


def perfect(m, n):
    return Area(1.0, 0.0, np.inf, m, n, min(m, n))


# docs/methods/area-intervals.md, "Lower limits at an area of 1"
@pytest.mark.parametrize(
    ("interval", "m", "n", "alternative", "low"),
    [
        ("newcombe", 5, 5, "two-sided", 0.6427028),
        ("newcombe", 10, 10, "two-sided", 0.8002136),
        ("newcombe", 20, 20, "two-sided", 0.8986681),
        ("newcombe", 50, 50, "two-sided", 0.9603443),
        ("newcombe", 8, 10, "two-sided", 0.7776378),
        ("newcombe", 10, 50, "two-sided", 0.8804399),
        ("hanley-mcneil-score", 8, 10, "two-sided", 0.7698916),
        ("hanley-mcneil-score", 10, 50, "two-sided", 0.8409437),
        ("exact", 10, 10, "two-sided", 0.6915029),
        ("exact", 10, 10, "greater", 0.7411344),
    ],
)
def test_lower_limit_at_a_perfect_area(interval, m, n, alternative, low):
    found = limits_of_area(INTERVALS[interval], perfect(m, n), 0.95, alternative)
    assert found[0] == pytest.approx(low, abs=5e-8)
    assert found[1] == 1.0


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


def test_exact_test_at_a_perfect_area_is_the_binomial_tail():
    # all ten disjoint pairs ranked right under theta = 0.8: P = 0.8^10
    method, area = INTERVALS["exact"], perfect(10, 12)
    assert t_p_value(method.statistic(area, 0.8), np.inf, "greater") == pytest.approx(0.8**10)
    assert t_p_value(method.statistic(area, 0.8), np.inf, "two-sided") == pytest.approx(2 * 0.8**10)


def test_exact_test_at_an_area_of_zero_is_the_other_tail():
    # all ten disjoint pairs ranked wrong under theta = 0.2: P = 0.8^10
    method, area = INTERVALS["exact"], Area(0.0, 0.0, np.inf, 10, 12, 10)
    assert t_p_value(method.statistic(area, 0.2), np.inf, "less") == pytest.approx(0.8**10)
    assert t_p_value(method.statistic(area, 0.2), np.inf, "two-sided") == pytest.approx(2 * 0.8**10)


@pytest.mark.parametrize("interval", list(INTERVALS))
def test_limits_are_nested_in_the_level_and_inside_the_range(interval):
    area = Area(0.97, 0.003, 9.0, 12, 7, 7)
    found = [
        limits_of_area(INTERVALS[interval], area, level, "two-sided") for level in (0.5, 0.9, 0.999)
    ]
    lows, highs = zip(*found, strict=True)
    assert 0 <= lows[2] < lows[1] < lows[0] < 0.97 < highs[0] <= highs[1] <= highs[2] <= 1


@each("df", [1.0, 2.5, 6.0, 15.8, 400.0, 1e6])
@each("p", [0.6, 0.95, 0.975, 0.9995])
def test_quantiles_of_t_invert_its_distribution_to_the_last_digits(df, p):
    from scipy.special import stdtr

    assert stdtr(df, t_quantile(p, df)) == pytest.approx(p, abs=1e-14)
    assert t_quantile(1 - p, df) == pytest.approx(-t_quantile(p, df), rel=1e-11)


def test_one_step_corrects_quantiles_that_miss_as_those_of_older_scipy_do(monkeypatch):
    """Shaw (2006): quantiles of t with 1, 2 and 4 degrees of freedom have closed forms."""
    from scipy.special import stdtrit

    missed = "rocstats.estimate.quantiles.sp.stdtrit"
    monkeypatch.setattr(missed, lambda df, p: stdtrit(df, p) * (1 + 1e-7))
    df = np.array([1.0, 2.0, 4.0])
    for p in (0.6, 0.975):
        four = 4 * p * (1 - p)
        of_four = 2 * np.sqrt(np.cos(np.arccos(np.sqrt(four)) / 3) / np.sqrt(four) - 1)
        expected = [np.tan(np.pi * (p - 0.5)), (2 * p - 1) / np.sqrt(2 * p * (1 - p)), of_four]
        # Newton's step squares an error; a wrong slope would leave a share of it.
        for copies in (1, 2):  # few one by one, more as an array
            found = quantiles.t_quantiles(p, np.tile(df, copies))
            assert found == pytest.approx(np.tile(expected, copies), rel=1e-12)
        assert [t_quantile(p, one) for one in df] == pytest.approx(expected, rel=1e-12)


def test_quantiles_of_t_far_out_are_finite():
    # With one degree of freedom (Cauchy) the quantile of a tiny p is -1/(pi p).
    assert t_quantile(1e-200, 1.0) == pytest.approx(-1e200 / np.pi)


def test_a_quantile_beyond_every_number_is_infinite():
    """P(T > t) of 1e-4 degrees of freedom: t^-df is 1/40 at 40^10000."""
    with np.errstate(all="raise"):
        assert t_quantile(0.975, 1e-4) == np.inf
