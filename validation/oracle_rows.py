"""Lines of expected.csv from the brute force: what one area, or two, should be told to have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from scipy import stats

from validation import brute_force as bf
from validation.reference import Expected, as_limits, computed

LEVEL = 0.95
NULL = 0.7


def clip(limits: tuple[float, float], low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    """Return limits cut at the ends of the range."""
    return max(limits[0], low), min(limits[1], high)


def estimate_rows(
    question: str, where: Mapping[str, Any], value: float, se: float, **asked: Any
) -> list[Expected]:
    """Return an estimate, its standard error, and the logit limits that rest on it."""
    limits = as_limits(bf.logit_limits(value, se, bf.z_of(LEVEL)))
    return [
        *computed(question, where, {"estimate": value, "se": se}, **asked),
        *computed(question, where, limits, interval="logit", **asked),
    ]


def area_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> list[Expected]:
    """Return all that is asked of one area strictly between 0 and 1."""
    return [
        *variance_rows(pairs, where),
        *interval_rows(pairs, where),
        *one_sided_rows(pairs, where),
        *null_rows(pairs, where, NULL),
    ]


def perfect_rows(m: int, n: int, where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield the limits of m positives that all outrank n negatives."""
    z = bf.z_of(LEVEL)
    newcombe = as_limits(bf.score_limits(1.0, m, n, z, bf.newcombe))
    yield from computed("auc", where, newcombe)
    yield from computed("auc", where, newcombe, interval="wald")
    score = as_limits(bf.score_limits(1.0, m, n, z, bf.hanley_mcneil))
    yield from computed("auc", where, score, interval="hanley-mcneil-score")
    exact = as_limits((((1 - LEVEL) / 2) ** (1 / min(m, n)), 1.0))
    yield from computed("auc", where, exact, interval="exact")


def variance_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield the area, its variance by every method, and the limits that rest on a variance."""
    area, z = float(pairs.area), bf.z_of(LEVEL)
    yield from computed("auc", where, {"estimate": area})
    both = {**where, "reference": where["predictor"]}
    yield from computed("covariance", both, {"covariance": bf.delong(pairs)})
    for name, variance in bf.VARIANCES.items():
        se = math.sqrt(variance(pairs))
        yield from computed("auc", where, {"se": se}, variance=name)
        for interval, limits in (
            ("wald", clip(bf.wald_limits(area, se, z))),
            ("logit", bf.logit_limits(area, se, z)),
            ("probit", bf.probit_limits(area, se, z)),
        ):
            asked = {"variance": name, "interval": interval}
            yield from computed("auc", where, as_limits(limits), **asked)
    wald = bf.wald_limits(area, math.sqrt(bf.delong(pairs)), z)
    yield from computed("wald_unclipped", where, as_limits(wald))


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
            asked = {"interval": interval, "confidence_level": level}
            yield from computed("auc", where, as_limits(limits), **asked)


def one_sided_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield one-sided limits: the two-sided ones of level 2 * 0.95 - 1, the other end free."""
    area, se, z = float(pairs.area), math.sqrt(bf.delong(pairs)), bf.z_of(2 * LEVEL - 1)
    low, high = bf.logit_limits(area, se, z)
    for alternative, limits in (("greater", (low, 1.0)), ("less", (0.0, high))):
        asked = {"interval": "logit", "alternative": alternative}
        yield from computed("auc", where, as_limits(limits), **asked)


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
        asked: dict[str, Any] = {"interval": interval, "null_value": null}
        test = {"statistic": statistic, "df": df, "p_value": 2 * tail(abs(statistic), df)}
        yield from computed("auc", where, test, **asked)
        for alternative, sign in (("greater", 1), ("less", -1)):
            p = {"p_value": tail(sign * statistic, df)}
            yield from computed("auc", where, p, **asked, alternative=alternative)


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
    areas: tuple[Fraction, Fraction],
    variance: Fraction,
    question: str = "compare_auc",
) -> Iterator[Expected]:
    """Yield what is told of a difference of two areas with its variance, by z."""
    where, wald = pair_where(*names), {"interval": "wald"}
    difference, se = float(areas[0]) - float(areas[1]), math.sqrt(variance)
    statistic = difference / se
    test = {
        "estimate": difference,
        "se": se,
        "statistic": statistic,
        "df": math.inf,
        "p_value": 2 * bf.normal_tail(abs(statistic)),
    }
    yield from computed(question, where, test, **wald)
    for level in (LEVEL, 0.9):
        limits = clip(bf.wald_limits(difference, se, bf.z_of(level)), -1.0, 1.0)
        yield from computed(question, where, as_limits(limits), **wald, confidence_level=level)
    shifted = (difference + 0.1) / se
    one_sided = {
        "statistic": shifted,
        "p_value": bf.normal_tail(shifted),
        "ci_low": max(difference - bf.z_of(2 * LEVEL - 1) * se, -1.0),
        "ci_high": 1.0,
    }
    asked: dict[str, Any] = {**wald, "alternative": "greater", "null_value": -0.1}
    yield from computed(question, where, one_sided, **asked)


def covariance_rows(predictors: Mapping[str, bf.Pairs]) -> Iterator[Expected]:
    """Yield DeLong's covariance of every two predictors on the same cases."""
    for a, one in predictors.items():
        for b, two in predictors.items():
            yield from computed("covariance", pair_where(a, b), {"covariance": bf.delong(one, two)})


def holm_rows(pairs: Sequence[tuple[str, str]], p_values: Sequence[float]) -> Iterator[Expected]:
    """Yield the p values of all pairs, adjusted by Holm's and by Bonferroni's rule."""
    for (a, b), p, holm in zip(pairs, p_values, bf.holm(p_values), strict=True):
        where, wald = pair_where(a, b), {"interval": "wald"}
        yield from computed("compare_auc", where, {"p_adjusted": holm}, **wald)
        bonferroni = {"p_adjusted": min(1.0, len(p_values) * p)}
        yield from computed("compare_auc", where, bonferroni, **wald, adjust="bonferroni")
