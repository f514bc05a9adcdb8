"""Every measure at thresholds fixed beforehand, with its limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import scipy.special as sp

from rocstats.curves.points.measures import OF_PREVALENCE, RATES, cells_at, measure, shifted
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.bands.bars import Bars, rate_limits
from rocstats.stats.intervals.quantiles import quantile
from rocstats.stats.intervals.rates.mover_arrays import (
    Term,
    odds_ratio_limits,
    ratio_limits,
    sum_limits,
)
from rocstats.stats.intervals.rates.proportions import RateInterval
from rocstats.stats.points.predictive_limits import npv_limits, ppv_limits
from rocstats.stats.points.ratio_limits import (
    RatePairs,
    odds_log_limits,
    odds_score_limits,
    ratio_log_limits,
    ratio_score_limits,
)
from rocstats.stats.points.tables import PointTables, Spread, slopes

RatioInterval = Literal["score", "log"]
Sampling = Literal["cohort", "case-control"]
_RATIOS = ("lr_positive", "lr_negative", "odds_ratio")


@dataclass(frozen=True)
class PointPlan:
    """Which limits; ``prevalence_cases`` is infinite where a prevalence is known."""

    interval: RateInterval
    ratio_interval: RatioInterval
    sampling: Sampling | None
    level: float
    prevalence_cases: float = np.inf

    def prevalence_term(self, prevalence: float) -> Term:
        """Return a prevalence with Wilson's limits from the cases that it was estimated in."""
        value = np.array([prevalence])
        if np.isinf(self.prevalence_cases):
            return Term(value, value, value)
        return Term(value, *rate_limits(value, self.prevalence_cases, "wilson", self.level))


@dataclass(frozen=True, eq=False)
class Measured:
    """One measure at G places with its limits.

    ``method`` is what was used, but for the places of ``otherwise``; ``notes`` has the places where
    a code of the column ``note`` stands.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    se: FloatArray
    size: FloatArray
    method: str
    otherwise: tuple[BoolArray, str] | None = None
    notes: dict[str, BoolArray] = field(default_factory=dict)

    def noted(self, code: str, where: BoolArray | bool = True) -> Measured:
        """Return the same with a code at some places."""
        places = np.broadcast_to(where, self.estimate.shape)
        return replace(self, notes={**self.notes, code: places})


def unlimited(estimate: FloatArray) -> Measured:
    """Return estimates without limits."""
    nothing = np.full(len(estimate), np.nan)
    return Measured(estimate, nothing, nothing, nothing, nothing, "none/none")


def measured(tables: PointTables, name: str, prevalence: float | None, plan: PointPlan) -> Measured:
    """Return a measure at every threshold.

    Parameters
    ----------
    tables : PointTables
        Counts.
    name : str
        A key of ``MEASURES``.
    prevalence : float, optional
        Share of positives where the rule is used; by default that of the study.
    plan : PointPlan
        Which limits.
    """
    own = prevalence is None
    if own and name in OF_PREVALENCE and plan.sampling == "case-control":
        return unlimited(np.full(len(tables.tpr), np.nan)).noted("prevalence-needed")
    shown = tables.cells if own else shifted(tables.cells, float(prevalence or 0.0))
    estimate = measure(name, shown)
    found = _LIMITS[name](tables, name, estimate, prevalence, plan)
    unknown = np.isnan(estimate)
    nan = np.where(unknown, np.nan, 0.0)
    found = replace(
        found,
        low=found.low + nan,
        high=found.high + nan,
        se=found.se + nan,
        size=found.size + nan,
    )
    if own and name in OF_PREVALENCE and plan.sampling is None:
        found = found.noted("study-prevalence")
    return found.noted("no-calls", unknown & (min(tables.n_pos, tables.n_neg) > 0))


def _of_bars(estimate: FloatArray, bars: Bars, source: str, interval: str) -> Measured:
    otherwise = (bars.replaced, f"{source}/wilson")
    found = Measured(
        estimate, bars.low, bars.high, bars.se, bars.size, f"{source}/{interval}", otherwise
    )
    return found.noted("no-width", bars.replaced)


def _rate(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    bars = tables.rate(name, plan.interval, plan.level)
    return _of_bars(estimate, bars, tables.source, plan.interval)


def _terms(tables: PointTables, plan: PointPlan, names: tuple[str, str]) -> list[Term]:
    """Return two rates with their limits."""
    found = []
    for name in names:
        bars = tables.rate(name, plan.interval, plan.level)
        found.append(Term(measure(name, tables.cells), bars.low, bars.high))
    return found


def delta_se(tables: PointTables, name: str, p: float | None, plan: PointPlan) -> FloatArray:
    """Return the standard error of a measure by the delta method; NaN where there is none."""
    own = p is None
    share = tables.prevalence if p is None else p
    spread = tables.spread(
        own_prevalence=own and name in OF_PREVALENCE,
        prevalence_variance=share * (1 - share) / plan.prevalence_cases,
    )
    with np.errstate(invalid="ignore", over="ignore"):
        variance = spread.of(slopes(name, tables.tpr, tables.fpr, share))
    return np.sqrt(np.where(np.isfinite(variance), variance, np.nan))


def _ratio(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    """Return likelihood ratios and odds ratios."""
    se = delta_se(tables, name, None, plan)
    at_end = (estimate == 0) | np.isinf(estimate)
    se = np.where(at_end, np.nan, se)
    size = np.full(len(estimate), np.nan)
    if tables.clusters is not None:
        low, high = _clustered_ratio(tables, name, plan)
        found = Measured(estimate, low, high, se, size, f"clusters/mover-{plan.interval}")
        return found.noted("empty-cell", at_end)
    pairs = _pairs(tables, negative=name == "lr_negative")
    odds = name == "odds_ratio"
    if plan.ratio_interval == "score":
        limits = odds_score_limits if odds else ratio_score_limits
        found = Measured(estimate, *limits(pairs, plan.level), se, size, "binomial/score")
        return found.noted("empty-cell", at_end)
    low, high, added = (odds_log_limits if odds else ratio_log_limits)(pairs, plan.level)
    low, high = np.minimum(low, estimate), np.maximum(high, estimate)
    found = Measured(estimate, low, high, se, size, "binomial/log")
    return found.noted("half-added", added).noted("empty-cell", at_end)


def _pairs(tables: PointTables, *, negative: bool) -> RatePairs:
    """Return what a ratio is of: the rates called positive, or those called negative."""
    c = tables.cells
    x1, x0 = (c.fn, c.tn) if negative else (c.tp, c.fp)
    return RatePairs(x1, c.tp + c.fn, x0, c.fp + c.tn)


def _clustered_ratio(
    tables: PointTables, name: str, plan: PointPlan
) -> tuple[FloatArray, FloatArray]:
    correlation = tables.correlation()
    names = ("fnr", "tnr") if name == "lr_negative" else ("tpr", "fpr")
    first, second = _terms(tables, plan, names)
    limits = odds_ratio_limits if name == "odds_ratio" else ratio_limits
    return limits(first, second, correlation)


def _predictive(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    if p is None:
        return _share(tables, name, estimate, p, plan)
    se = delta_se(tables, name, p, plan)
    size = np.full(len(estimate), np.nan)
    if tables.clusters is not None:
        low, high = _clustered_predictive(tables, name, p, plan)
        return Measured(estimate, low, high, se, size, f"clusters/mover-{plan.interval}")
    limits = ppv_limits if name == "ppv" else npv_limits
    found = limits(tables.cells, p, plan.level, prevalence_cases=plan.prevalence_cases)
    low, high = np.minimum(found.low, estimate), np.maximum(found.high, estimate)
    result = Measured(estimate, low, high, se, size, "binomial/mercaldo")
    return result.noted("adjusted-cells", found.adjusted)


def _clustered_predictive(
    tables: PointTables, name: str, p: float, plan: PointPlan
) -> tuple[FloatArray, FloatArray]:
    """Return limits of the odds of a predictive value: prevalence odds times a ratio of rates."""
    names = ("tpr", "fpr") if name == "ppv" else ("tnr", "fnr")
    first, second = _terms(tables, plan, names)
    correlation = tables.correlation()
    share = plan.prevalence_term(p).logit
    terms = [first.log, second.log.times(-1.0), share.times(1.0 if name == "ppv" else -1.0)]
    low, high = sum_limits(terms, -correlation)
    return sp.expit(low), sp.expit(high)


def _share(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    """Return a share of cases of both classes, at the prevalence of the study."""
    _, bars = tables.share(name, plan.interval, plan.level)
    return _of_bars(estimate, bars, tables.source, plan.interval)


def _accuracy(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    if p is None:
        return _share(tables, name, estimate, p, plan)
    return _weighted(tables, name, estimate, p, plan)


def _weighted(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    """Return a weighted sum of sensitivity and specificity by MOVER."""
    weights = {"youden": (1.0, 1.0), "balanced_accuracy": (0.5, 0.5)}
    pos, neg = weights.get(name, (p or 0.0, 1 - (p or 0.0)))
    tpr, fpr = _terms(tables, plan, ("tpr", "fpr"))
    terms = [tpr.times(pos), fpr.times(-neg)]
    if name == "accuracy":
        share = plan.prevalence_term(p or 0.0)
        terms.append(share.times(tpr.value - (1 - fpr.value)))
    low, high = sum_limits(terms, -tables.correlation())
    # The sum of the terms is off by what is certain: the estimate itself says by how much.
    off = estimate - sum(term.value for term in terms)
    least = -1.0 if name == "youden" else 0.0
    size = np.full(len(estimate), np.nan)
    return Measured(
        estimate,
        np.maximum(low + off, least),
        np.minimum(high + off, 1.0),
        delta_se(tables, name, p, plan),
        size,
        f"{tables.source}/mover-{plan.interval}",
    )


def _f1(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    """Return F1 = 2 j/(1 + j): at the prevalence of the study j is a share of cases."""
    if p is not None:
        return _delta(tables, name, estimate, p, plan)
    j, bars = tables.share("jaccard", plan.interval, plan.level)
    with np.errstate(invalid="ignore"):
        low, high = (2 * x / (1 + x) for x in (bars.low, bars.high))
        se = bars.se * 2 / (1 + j) ** 2
    return _of_bars(
        estimate, Bars(low, high, se, bars.size, bars.replaced), tables.source, plan.interval
    )


def _delta(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    """Return limits by the delta method: of F1 on the logit scale, of MCC on Fisher's.

    Where a cell is empty the limits are those of a table with 1/2 more in every cell.
    """
    share = tables.prevalence if p is None else p
    tpr, fpr, spread, added = _half_added(tables, p, plan)
    centre = measure(name, cells_at(tpr, fpr, share))
    z = quantile((1 + plan.level) / 2, np.inf)
    forward, back, slope = _SCALES[name]
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(spread.of(slopes(name, tpr, fpr, share)))
        middle, reach = forward(centre), z * se * slope(centre)
        low, high = back(middle - reach), back(middle + reach)
    found = Measured(
        estimate,
        np.minimum(low, estimate),
        np.maximum(high, estimate),
        delta_se(tables, name, p, plan),
        np.full(len(estimate), np.nan),
        f"{tables.source}/{'logit' if name == 'f1' else 'fisher'}",
    )
    return found.noted("half-added", added)


def _half_added(
    tables: PointTables, p: float | None, plan: PointPlan
) -> tuple[FloatArray, FloatArray, Spread, BoolArray]:
    """Return the rates and their variances, with 1/2 in every cell where one is empty.

    Of clustered cases the cells have the effective numbers of cases.
    """
    c = tables.cells
    added = np.any([cell == 0 for cell in (c.tp, c.fn, c.fp, c.tn)], axis=0)
    share = tables.prevalence if p is None else p
    spread = tables.spread(
        own_prevalence=p is None, prevalence_variance=share * (1 - share) / plan.prevalence_cases
    )
    moved = []
    for name, rate, variance in (("tpr", tables.tpr, spread.t), ("fpr", tables.fpr, spread.f)):
        size = tables.rate(name, plan.interval, plan.level).size
        shrunk = (rate * size + 0.5) / (size + 1)
        moved.append(np.where(added, shrunk, rate))
        moved.append(np.where(added, shrunk * (1 - shrunk) / (size + 1), variance))
    tpr, of_tpr, fpr, of_fpr = moved
    shared = [np.where(added, 0.0, part) for part in (spread.tf, spread.tp, spread.fp)]
    return tpr, fpr, Spread(of_tpr, of_fpr, shared[0], spread.p, shared[1], shared[2]), added


def _logit(x: FloatArray) -> FloatArray:
    return np.asarray(np.log(x) - np.log1p(-x))


Function = Callable[[FloatArray], FloatArray]

_SCALES: dict[str, tuple[Function, Function, Function]] = {
    "f1": (_logit, sp.expit, lambda x: 1 / (x * (1 - x))),
    "mcc": (np.arctanh, np.tanh, lambda x: 1 / (1 - x**2)),
}
"""A scale, the way back from it, and its slope."""

_LIMITS: dict[str, Callable[..., Measured]] = {
    **dict.fromkeys(RATES, _rate),
    **dict.fromkeys(("ppv", "npv"), _predictive),
    **dict.fromkeys(_RATIOS, _ratio),
    **dict.fromkeys(("balanced_accuracy", "youden"), _weighted),
    "accuracy": _accuracy,
    "f1": _f1,
    "mcc": _delta,
}
