"""Lines of expected.csv from the brute force: what one area, or two, should be told to have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scipy import stats

from validation import brute_force as bf
from validation.files import Expected, computed

LEVEL = 0.95
NULL = 0.7


def clip(limits: tuple[float, float], low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    """Return limits cut at the ends of the range."""
    return max(limits[0], low), min(limits[1], high)


def limit_rows(
    question: str, where: Mapping[str, Any], limits: tuple[float, float], **arguments: Any
) -> list[Expected]:
    """Return the lines of both limits."""
    return [
        computed(question, where, column, value, **arguments)
        for column, value in zip(("ci_low", "ci_high"), limits, strict=True)
    ]


def area_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> list[Expected]:
    """Return all that is asked of one area strictly between 0 and 1."""
    return [
        *variance_rows(pairs, where),
        *interval_rows(pairs, where),
        *one_sided_rows(pairs, where),
        *null_rows(pairs, where, NULL),
    ]


def variance_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield the area, its variance by every method, and the limits that rest on a variance."""
    area, z = float(pairs.area), bf.z_of(LEVEL)
    yield computed("auc", where, "estimate", area)
    both = {**where, "reference": where["predictor"]}
    yield computed("covariance", both, "covariance", float(bf.delong(pairs)))
    for name, variance in bf.VARIANCES.items():
        se = math.sqrt(variance(pairs))
        yield computed("auc", where, "se", se, variance=name)
        wald = bf.wald_limits(area, se, z)
        for interval, limits in (
            ("wald", clip(wald)),
            ("logit", bf.logit_limits(area, se, z)),
            ("probit", bf.probit_limits(area, se, z)),
        ):
            yield from limit_rows("auc", where, limits, variance=name, interval=interval)
    se = math.sqrt(bf.delong(pairs))
    yield from limit_rows("wald_unclipped", where, bf.wald_limits(area, se, z))


def satterthwaite_df(pairs: bf.Pairs) -> float:
    """Return the degrees of freedom of DeLong's variance."""
    return float(bf.satterthwaite(bf.delong_parts(pairs, pairs), (pairs.m - 1, pairs.n - 1)))


def interval_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield the limits of the other intervals, and some at another level."""
    area, m, n = float(pairs.area), pairs.m, pairs.n
    se = math.sqrt(bf.delong(pairs))
    for level in (LEVEL, 0.9):
        z = bf.z_of(level)
        t = bf.t_of(level, satterthwaite_df(pairs))
        for interval, limits in (
            ("logit", bf.logit_limits(area, se, z)),
            ("exact", bf.logit_limits(area, se, z)),
            ("logit-t", bf.logit_limits(area, se, t)),
            ("newcombe", bf.score_limits(area, m, n, z, bf.newcombe)),
            ("hanley-mcneil-score", bf.score_limits(area, m, n, z, bf.hanley_mcneil)),
        ):
            arguments = {"interval": interval, "confidence_level": level}
            yield from limit_rows("auc", where, limits, **arguments)


def one_sided_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield one-sided limits: the two-sided ones of level 2 * 0.95 - 1, the other end free."""
    area, se, z = float(pairs.area), math.sqrt(bf.delong(pairs)), bf.z_of(2 * LEVEL - 1)
    low, high = bf.logit_limits(area, se, z)
    yield from limit_rows("auc", where, (low, 1.0), interval="logit", alternative="greater")
    yield from limit_rows("auc", where, (0.0, high), interval="logit", alternative="less")


def null_statistics(pairs: bf.Pairs, null: float) -> dict[str, tuple[float, float]]:
    """Return statistic and degrees of freedom of the test that each interval inverts."""
    area, m, n = float(pairs.area), pairs.m, pairs.n
    se = math.sqrt(bf.delong(pairs))
    on_logit = (bf.logit(area) - bf.logit(null)) * area * (1 - area) / se
    return {
        "wald": ((area - null) / se, math.inf),
        "logit": (on_logit, math.inf),
        "logit-t": (on_logit, satterthwaite_df(pairs)),
        "newcombe": ((area - null) / math.sqrt(bf.newcombe(null, m, n)), math.inf),
        "hanley-mcneil-score": (
            (area - null) / math.sqrt(bf.hanley_mcneil(null, m, n)),
            math.inf,
        ),
    }


def null_rows(pairs: bf.Pairs, where: Mapping[str, Any], null: float) -> Iterator[Expected]:
    """Yield the tests against a null value, two-sided and one-sided."""
    for interval, (statistic, df) in null_statistics(pairs, null).items():
        arguments: dict[str, Any] = {"interval": interval, "null_value": null}
        yield computed("auc", where, "statistic", statistic, **arguments)
        yield computed("auc", where, "df", df, **arguments)
        two_sided = 2 * tail(abs(statistic), df)
        yield computed("auc", where, "p_value", two_sided, **arguments)
        for alternative, sign in (("greater", 1), ("less", -1)):
            p = tail(sign * statistic, df)
            yield computed("auc", where, "p_value", p, **arguments, alternative=alternative)


def tail(statistic: float, df: float) -> float:
    """Return P(T > statistic), T normal if df is infinite."""
    if math.isinf(df):
        return bf.normal_tail(statistic)
    return float(stats.t.sf(statistic, df))


def pair_where(predictor: str, reference: str) -> dict[str, str]:
    """Return what selects the row of a pair."""
    return {"predictor": predictor, "reference": reference}


def pair_rows(
    names: tuple[str, str],
    areas: tuple[float, float],
    variance: float,
    df: float = math.inf,
    question: str = "compare_auc",
) -> Iterator[Expected]:
    """Yield what is told of a difference of two areas with its variance."""
    where = pair_where(*names)
    difference, se = areas[0] - areas[1], math.sqrt(variance)
    statistic = difference / se
    yield computed(question, where, "estimate", difference)
    yield computed(question, where, "se", se)
    yield computed(question, where, "statistic", statistic)
    yield computed(question, where, "df", df)
    yield computed(question, where, "p_value", 2 * tail(abs(statistic), df))
    for level in (LEVEL, 0.9):
        limits = clip(bf.wald_limits(difference, se, bf.z_of(level)), -1.0, 1.0)
        yield from limit_rows(question, where, limits, confidence_level=level)
    one_sided = {"alternative": "greater", "null_value": -0.1}
    shifted = (difference + 0.1) / se
    yield computed(question, where, "statistic", shifted, **one_sided)
    yield computed(question, where, "p_value", tail(shifted, df), **one_sided)
    low = difference - bf.z_of(2 * LEVEL - 1) * se
    yield from limit_rows(question, where, clip((low, 1.0), -1.0), **one_sided)


def covariance_rows(predictors: Mapping[str, bf.Pairs]) -> Iterator[Expected]:
    """Yield DeLong's covariance of every two predictors on the same cases."""
    for a, one in predictors.items():
        for b, two in predictors.items():
            value = float(bf.delong(one, two))
            yield computed("covariance", pair_where(a, b), "covariance", value)


def holm_rows(pairs: Sequence[tuple[str, str]], p_values: Sequence[float]) -> Iterator[Expected]:
    """Yield the p values of all pairs, adjusted by Holm's and by Bonferroni's rule."""
    for (a, b), p, holm in zip(pairs, p_values, bf.holm(p_values), strict=True):
        where = pair_where(a, b)
        yield computed("compare_auc", where, "p_adjusted", holm)
        bonferroni = min(1.0, len(p_values) * p)
        yield computed("compare_auc", where, "p_adjusted", bonferroni, adjust="bonferroni")
