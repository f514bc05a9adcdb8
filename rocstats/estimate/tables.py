"""Tables of one predictor at many thresholds: rates, shares, their variances, and measures.

Cluster c has m positives and n negatives, of which x and y are called positive. The influence of a
cluster on any measure of a table is linear in these four, so that its variance is a quadratic form
of the sums of their products, which one pass over the sorted cases gives for every threshold. See
docs/methods/points.md, "Limits for every threshold" and "Clustered rates".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.curves.roc import RocPoints
from rocstats.estimate.bars import Bars, ClusterUnits, binomial_bars, clustered_bars, undefined_bars
from rocstats.estimate.proportions import MoverTerm, RateInterval, binomial_limits_of_rates
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.measures import QUANTITIES, Cells, Fraction, cells_at, measure
from rocstats.facts.tolerances import NO_SPREAD
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_numbers

# --- Methods and level of limits, as requested ----------------------------------------------------

RatioInterval = Literal["score", "log"]
Sampling = Literal["cohort", "case-control"]


class ApparentPrevalence(NamedTuple):
    """Cases called positive among all of a sample of unknown status."""

    positive: float
    size: float


class PointPlan(NamedTuple):
    """Methods and level of limits; ``prevalence_cases`` is infinite for a known prevalence.

    ``apparent`` is what the rule called positive in cases of unknown status, if that was given.
    """

    interval: RateInterval
    ratio_interval: RatioInterval
    sampling: Sampling | None
    level: float
    prevalence_cases: float = np.inf
    apparent: ApparentPrevalence | None = None

    def prevalence_term(self, prevalence: float) -> MoverTerm:
        """Return a prevalence with Wilson's limits from the cases in which it was estimated."""
        value = np.array([prevalence])
        if np.isinf(self.prevalence_cases):
            return MoverTerm(value, value, value)
        return MoverTerm(
            value, *binomial_limits_of_rates(value, self.prevalence_cases, "wilson", self.level)
        )


# --- Tables at many thresholds, and the variances of their rates and shares -----------------------


class RateVariances(NamedTuple):
    """Variances and covariances of the TPR (t), the FPR (f) and the prevalence (p)."""

    t: FloatArray
    f: FloatArray
    tf: FloatArray
    p: FloatArray | float = 0.0
    tp: FloatArray | float = 0.0
    fp: FloatArray | float = 0.0

    def of(self, slopes: tuple[FloatArray, FloatArray, FloatArray]) -> FloatArray:
        """Return the delta-method variance of a measure with these slopes in t, f and p."""
        t, f, p = slopes
        own = t**2 * self.t + f**2 * self.f + p**2 * self.p
        shared = t * f * self.tf + t * p * self.tp + f * p * self.fp
        # Perfectly correlated parts can cancel to less than 0 by rounding.
        return np.maximum(own + 2 * shared, 0.0)


# Im f(x + ih)/h = f'(x) - h^2 f'''(x)/6 ... has no difference that cancels (Squire & Trapp 1998):
# the error h^2 is far below rounding, and h is far above the least double.
_COMPLEX_STEP = 1e-30
_COMPLEX_STEPS = _COMPLEX_STEP * 1j * np.eye(3)[:, :, np.newaxis]  # of each rate in turn


def measure_slopes_in_rates(
    name: str, tpr: FloatArray, fpr: FloatArray, prevalence: FloatArray | float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the derivatives of a measure in TPR, FPR and prevalence, by a complex step."""
    at = np.empty((3, 1, len(tpr)))
    at[0], at[1], at[2] = tpr, fpr, prevalence
    # Three points for each place, one moved in each direction.
    moved = at + _COMPLEX_STEPS
    with np.errstate(all="ignore"):
        of_tpr, of_fpr, of_prevalence = np.imag(measure(name, cells_at(*moved))) / _COMPLEX_STEP
    return of_tpr, of_fpr, of_prevalence


@dataclass(frozen=True, eq=False)
class PointTables:
    """Counts at G thresholds, with the products of their clusters if cases have clusters."""

    cells: Cells
    n_pos: float
    n_neg: float
    clusters: ClusterTables | None = None
    _rates: dict[tuple[str, RateInterval, float], Bars] = field(default_factory=dict, init=False)

    @cached_property
    def tpr(self) -> FloatArray:
        """True positive rate."""
        return measure("tpr", self.cells)

    @cached_property
    def fpr(self) -> FloatArray:
        """False positive rate."""
        return measure("fpr", self.cells)

    @property
    def prevalence(self) -> float:
        """Share of positives in the study; NaN without cases."""
        total = self.n_pos + self.n_neg
        return self.n_pos / total if total else float("nan")

    @property
    def source(self) -> str:
        """Where variances come from, as ``method`` says it."""
        return "binomial" if self.clusters is None else "clusters"

    @cached_property
    def _influence(self) -> dict[str, Weights]:
        """Influence of a cluster on TPR, FPR and prevalence, from its counts x, y, m and n."""
        total, p = self.n_pos + self.n_neg, self.prevalence
        with np.errstate(divide="ignore", invalid="ignore"):
            pos, neg = np.divide(1.0, [self.n_pos, self.n_neg])
            return {
                "t": (pos, 0.0, -pos * self.tpr, 0.0),
                "f": (0.0, neg, 0.0, -neg * self.fpr),
                "p": (0.0, 0.0, float(np.divide(1 - p, total)), float(np.divide(-p, total))),
            }

    def spread(self, *, own_prevalence: bool, prevalence_variance: float = 0.0) -> RateVariances:
        """Return the variances of the rates, and of a prevalence that the study itself has.

        Parameters
        ----------
        own_prevalence : bool
            Whether the prevalence is the share of positives in these cases.
        prevalence_variance : float, default 0
            Variance of a prevalence that other cases have.
        """
        if self.clusters is not None:
            return self._clustered(self.clusters, own_prevalence, prevalence_variance)
        # Given the class sizes both rates are independent binomials, also of the prevalence.
        nothing, p = np.zeros(len(self.tpr)), self.prevalence
        if own_prevalence:
            prevalence_variance = p * (1 - p) / (self.n_pos + self.n_neg)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = self.tpr * (1 - self.tpr) / self.n_pos if self.n_pos else nothing + np.nan
            f = self.fpr * (1 - self.fpr) / self.n_neg if self.n_neg else nothing + np.nan
        return RateVariances(t, f, nothing, prevalence_variance)

    def _clustered(
        self, clusters: ClusterTables, own: bool, prevalence_variance: float
    ) -> RateVariances:
        # I/(I - 1) with the clusters that hold the class; covariances with all clusters.
        influence, factor = self._influence, float(small_sample_factor_of_clusters(clusters.n_all))

        def summed(a: str, b: str, times: float) -> FloatArray:
            return times * clusters.product(influence[a], influence[b])

        t = summed("t", "t", float(small_sample_factor_of_clusters(clusters.n_pos)))
        f = summed("f", "f", float(small_sample_factor_of_clusters(clusters.n_neg)))
        tf = summed("t", "f", factor)
        if not own:
            return RateVariances(t, f, tf, prevalence_variance)
        p, tp, fp = (summed(a, b, factor) for a, b in (("p", "p"), ("t", "p"), ("f", "p")))
        return RateVariances(t, f, tf, p, tp, fp)

    def correlation(self) -> FloatArray:
        """Return the correlation of TPR and FPR: 0 without clusters, or if a rate is constant."""
        if self.clusters is None:
            return np.zeros(len(self.tpr))
        spread = self.spread(own_prevalence=False)
        certain = np.zeros(len(spread.t))
        with np.errstate(invalid="ignore"):  # rounding leaves a variance of 0 below 0
            both = np.sqrt(spread.t * spread.f)
            correlation = np.divide(spread.tf, both, out=certain, where=both > NO_SPREAD)
        # The small-sample factors of variances and covariance differ: the quotient can pass 1.
        return np.clip(correlation, -1.0, 1.0)

    def rate(self, name: str, interval: RateInterval, confidence_level: float) -> Bars:
        """Return the bars of a rate that one class alone has, kept: several measures need them."""
        key = name, interval, confidence_level
        if key not in self._rates:
            self._rates[key] = self._rate(*key)
        return self._rates[key]

    def _rate(self, name: str, interval: RateInterval, confidence_level: float) -> Bars:
        fraction = QUANTITIES[name].fraction
        if fraction is None or fraction.of_class is None:
            raise KeyError(f"{name} is no rate of one class")
        positive = fraction.of_class == "positives"
        size = self.n_pos if positive else self.n_neg
        counts, _ = fraction.counts(self.cells)
        if self.clusters is None:
            return share_bars(counts, np.full(len(counts), size), interval, confidence_level)
        spread = self.spread(own_prevalence=False)
        clusters = self.clusters
        units = clusters.units(*(("pos", clusters.n_pos) if positive else ("neg", clusters.n_neg)))
        variance = spread.t if positive else spread.f
        rates = measure(name, self.cells)
        return _clustered_share_bars(rates, units, variance, interval, confidence_level)

    def share(
        self, fraction: Fraction, interval: RateInterval, confidence_level: float
    ) -> tuple[FloatArray, Bars]:
        """Return a share whose denominator has cases of both classes, and its bars.

        With clusters the denominator is the cases called positive, those called negative, all, or
        the positives and the cases called positive.
        """
        part, whole = fraction.counts(self.cells)
        with np.errstate(invalid="ignore"):
            rate = part / whole
        if self.clusters is None:
            return rate, share_bars(part, whole, interval, confidence_level)
        weights, among, n_clusters = _share_influence(fraction, rate, self.clusters)
        with np.errstate(divide="ignore", invalid="ignore"):
            x, y, m, n = (weight / whole for weight in weights)
        summed = self.clusters.product((x, y, m, n), (x, y, m, n))
        variance = small_sample_factor_of_clusters(n_clusters) * summed
        units = self.clusters.units(among, n_clusters)
        return rate, _clustered_share_bars(rate, units, variance, interval, confidence_level)


# Each cell as a sum of x, y, m and n, and the denominators whose clusters are counted.
_CELLS_OF_COUNTS = {
    "tp": (1, 0, 0, 0),
    "fp": (0, 1, 0, 0),
    "fn": (-1, 0, 1, 0),
    "tn": (0, -1, 0, 1),
}
_DENOMINATORS = {
    frozenset(("tp", "fp")): "called",
    frozenset(("tn", "fn")): "left",
    frozenset(("tp", "fp", "fn")): "missed",
    frozenset(("tp", "fp", "fn", "tn")): "all",
}


def _share_influence(
    fraction: Fraction, rate: FloatArray, clusters: ClusterTables
) -> tuple[tuple[FloatArray, ...], str, FloatArray | float]:
    """Return weights of x, y, m and n in the influence of a cluster; denominator and clusters."""
    # part - rate * whole, the influence on a ratio of sums: part and whole are sums of the counts.
    part, whole = (np.sum([_CELLS_OF_COUNTS[cell] for cell in cells], axis=0) for cells in fraction)
    among = _DENOMINATORS[frozenset(fraction.whole)]
    number = clusters.n_all if among == "all" else getattr(clusters, among)
    return tuple(p - rate * w for p, w in zip(part, whole, strict=True)), among, number


def share_bars(
    part: FloatArray, whole: FloatArray, interval: RateInterval, confidence_level: float
) -> Bars:
    """Return binomial bars of shares, NaN where there are no cases."""
    return _share_bars_where(
        whole > 0,
        lambda at: binomial_bars(part[at] / whole[at], whole[at], interval, confidence_level),
    )


def _clustered_share_bars(
    rate: FloatArray,
    units: ClusterUnits,
    variance: FloatArray,
    interval: RateInterval,
    confidence_level: float,
) -> Bars:
    """Return clustered bars of shares, NaN where there are no cases."""

    def bars(at: BoolArray | slice) -> Bars:
        here = ClusterUnits(*(of_units[at] for of_units in units))
        return clustered_bars(rate[at], here, variance[at], interval, confidence_level)

    return _share_bars_where(~np.isnan(rate), bars)


def _share_bars_where(at: BoolArray, make: Callable[[BoolArray | slice], Bars]) -> Bars:
    """Return the bars made at the places found, NaN elsewhere."""
    if at.all():
        return make(slice(None))
    columns: list[Any] = [column.copy() for column in undefined_bars(len(at))]
    if at.any():
        for column, made in zip(columns, make(at), strict=True):
            column[at] = made
    return Bars(*columns)


# --- Clustered cases: products of the counts of their clusters ------------------------------------

Weights = tuple[FloatArray | float, FloatArray | float, FloatArray | float, FloatArray | float]
"""Weights of x, y, m and n in an influence at each threshold."""

_COUNTS = "xymn"


class ClusterTables(NamedTuple):
    """Sums of products of the clusters' counts at G thresholds, and numbers of clusters.

    ``products`` has an array for each pair of the letters x, y, m and n; ``called`` and ``left``
    count the clusters with a case called positive, or called negative; ``missed`` those with a
    positive or a case called positive, which F1 is about. ``moments`` has for each of these
    denominators (and "pos", "neg" and "all") the sums of sizes of clusters, of their squares and of
    their fourth powers.
    """

    products: dict[str, FloatArray]
    moments: dict[str, FloatArray]
    n_pos: int
    n_neg: int
    n_all: int
    called: FloatArray
    left: FloatArray
    missed: FloatArray

    def units(self, among: str, number: FloatArray | float) -> ClusterUnits:
        """Return the units of a rate among the cases of a denominator, in a number of clusters."""
        total, squares, fourths = self.moments[among]
        with np.errstate(divide="ignore", invalid="ignore"):  # without cases there is no rate
            effective, equal = total**2 / squares, squares**2 / fourths
        return ClusterUnits(np.broadcast_to(number, total.shape), effective, equal)

    def product(self, first: Weights, second: Weights) -> FloatArray:
        """Return the sum over clusters of the product of two influences."""
        total = np.zeros(len(self.called))
        # Products are stored once for each unordered pair of letters. The weights of an absent
        # class are infinite: infinity times 0 is NaN, as the variance is.
        with np.errstate(invalid="ignore"):
            for a, u in zip(_COUNTS, first, strict=True):
                for b, v in zip(_COUNTS, second, strict=True):
                    total = total + u * v * self.products["".join(sorted(a + b, key=_COUNTS.index))]
        return total


def small_sample_factor_of_clusters(n_clusters: FloatArray | float) -> FloatArray:
    """Return I/(I - 1); NaN for fewer than two clusters."""
    n = np.asarray(n_clusters, dtype=np.float64)
    return np.asarray(np.divide(n, n - 1, out=np.full(n.shape, np.nan), where=n > 1))


def cluster_tables(cases: ScoredCases, k: int, vertex: IntArray) -> ClusterTables:
    """Return the tables of predictor ``k`` where the scores before each vertex are called positive.

    The sample has clusters.
    """
    codes = np.asarray(cases.codes(k), dtype=np.intp)
    _, cluster = np.unique(cases.cluster.codes, return_inverse=True)  # type: ignore[union-attr]
    weight = np.ones(len(codes)) if cases.frequency is None else cases.frequency
    kept = weight > 0
    # Rows without weight would open clusters that the sample does not have.
    rows = _ClusteredCases.sorted(codes[kept], cluster[kept], weight[kept], cases.is_positive[kept])
    of_pos, of_neg, _ = cluster_numbers(cases)
    # A cluster has a case called positive once the vertex passes its most positive score.
    first, last = rows.ends()
    negative_only = np.bincount(rows.cluster, rows.positive, minlength=len(first)) == 0
    return ClusterTables(
        rows.products(vertex),
        rows.moments(vertex),
        of_pos,
        of_neg,
        len(first),
        _n_cases_before_each_vertex(first, vertex),
        len(last) - _n_cases_before_each_vertex(last, vertex),
        of_pos + _n_cases_before_each_vertex(first[negative_only], vertex),
    )


def point_tables_at_vertices(
    cases: ScoredCases, k: int, curve: RocPoints, vertex: IntArray
) -> PointTables:
    """Return the tables of predictor ``k`` at vertices of its curve; weights have no clusters."""
    tp, fp = curve.tp[vertex], curve.fp[vertex]
    cells = Cells(tp, curve.tp[-1] - tp, fp, curve.fp[-1] - fp)
    # With weights no limits are made, so that the sums by cluster are not needed.
    clustered = cases.cluster is not None and cases.sample_weight is None
    clusters = cluster_tables(cases, k, vertex) if clustered else None
    return PointTables(cells, float(curve.tp[-1]), float(curve.fp[-1]), clusters)


def _n_cases_before_each_vertex(codes: IntArray, vertex: IntArray) -> FloatArray:
    return np.searchsorted(np.sort(codes), vertex).astype(np.float64)


class _ClusteredCases(NamedTuple):
    """Cases by cluster and, within it, from the most positive score down.

    ``positive`` and ``negative`` hold the frequency of a case in the place of its class.
    """

    codes: IntArray
    cluster: IntArray
    starts: BoolArray
    positive: FloatArray
    negative: FloatArray

    @classmethod
    def sorted(
        cls, codes: IntArray, cluster: IntArray, weight: FloatArray, is_positive: BoolArray
    ) -> _ClusteredCases:
        order = np.lexsort((codes, cluster))
        _, unit = np.unique(cluster[order], return_inverse=True)
        starts = np.diff(unit, prepend=-1) > 0
        weight, member = weight[order], is_positive[order]
        return cls(codes[order], unit, starts, weight * member, weight * ~member)

    def ends(self) -> tuple[IntArray, IntArray]:
        """Return the most and the least positive score of each cluster."""
        return self.codes[self.starts], self.codes[np.append(self.starts, True)[1:]]

    def products(self, vertex: IntArray) -> dict[str, FloatArray]:
        """Return the sums of products at each vertex, from what every case adds to them."""
        pos, neg = self.positive, self.negative
        # x^2 grows by (x + w)^2 - x^2 = w (2 x + w) with each positive of weight w, x y likewise.
        x, y = self._earlier(pos), self._earlier(neg)
        m, n = (np.bincount(self.cluster, part)[self.cluster] for part in (pos, neg))
        order = np.argsort(self.codes, kind="stable")
        reached = np.searchsorted(self.codes[order], vertex)

        def at(added: FloatArray) -> FloatArray:
            return np.concatenate([[0.0], np.cumsum(added[order])])[reached]

        def whole(value: float) -> FloatArray:
            return np.full(len(vertex), value)

        return {
            "xx": at(pos * (2 * x + pos)),
            "xy": at(pos * y + neg * x),
            "xm": at(pos * m),
            "xn": at(pos * n),
            "yy": at(neg * (2 * y + neg)),
            "ym": at(neg * m),
            "yn": at(neg * n),
            "mm": whole(float(pos @ m)),
            "mn": whole(float(pos @ n)),
            "nn": whole(float(neg @ n)),
        }

    def moments(self, vertex: IntArray) -> dict[str, FloatArray]:
        """Return sums over clusters of powers 1, 2 and 4 of each denominator (3 x G)."""
        pos, neg = self.positive, self.negative
        every, powers = pos + neg, np.array([[1], [2], [4]])
        order = np.argsort(self.codes, kind="stable")
        reached = np.searchsorted(self.codes[order], vertex)

        def at(before: FloatArray, after: FloatArray) -> FloatArray:
            added = np.cumsum((after**powers - before**powers)[:, order], axis=1)
            return np.concatenate([np.zeros((3, 1)), added], axis=1)[:, reached]

        def whole(part: FloatArray) -> FloatArray:
            sizes = np.bincount(self.cluster, part)
            return np.repeat((sizes**powers).sum(axis=1, keepdims=True), len(vertex), axis=1)

        x, y = self._earlier(every), self._earlier(neg)
        # Cases called negative are all but those called positive.
        left = np.bincount(self.cluster, every)[self.cluster] - x
        missed = np.bincount(self.cluster, pos)[self.cluster] + y
        return {
            "pos": whole(pos),
            "neg": whole(neg),
            "all": whole(every),
            "called": at(x, x + every),
            "left": whole(every) + at(left, left - every),
            "missed": whole(pos) + at(missed, missed + neg),
        }

    def _earlier(self, part: FloatArray) -> FloatArray:
        """Return the sum of earlier cases of the same cluster."""
        before = np.cumsum(part) - part
        return np.asarray(before - before[self.starts][self.cluster])


# --- A measure at many thresholds with its limits -------------------------------------------------


@dataclass(frozen=True, eq=False)
class MeasureWithLimits:
    """One measure at G places with its limits.

    ``method`` is the method used, except at the places of ``otherwise``; ``notes`` has the places
    of each code of the column ``note``.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    se: FloatArray
    size: FloatArray
    method: str
    otherwise: tuple[BoolArray, str] | None = None
    notes: dict[str, BoolArray] = field(default_factory=dict)

    def blanked(self, where: BoolArray) -> MeasureWithLimits:
        """Return the measure without limits, standard error and size at some places."""
        if not where.any():
            return self
        nan = np.where(where, np.nan, 0.0)
        low, high, se, size = (x + nan for x in (self.low, self.high, self.se, self.size))
        return replace(self, low=low, high=high, se=se, size=size)

    def noted(self, code: str, where: BoolArray | bool = True) -> MeasureWithLimits:
        """Return the measure with a note at some places, if there are any."""
        places = np.full(len(self.estimate), where) if isinstance(where, bool) else where
        if not places.any():
            return self
        return replace(self, notes={**self.notes, code: places})


def measure_without_limits(estimate: FloatArray) -> MeasureWithLimits:
    """Return estimates without limits."""
    nothing = np.full(len(estimate), np.nan)
    return MeasureWithLimits(estimate, nothing, nothing, nothing, nothing, "none/none")


def measure_without_sample_size(
    estimate: FloatArray, low: FloatArray, high: FloatArray, se: FloatArray, method: str
) -> MeasureWithLimits:
    """Return a measure without a single effective sample size of its limits."""
    return MeasureWithLimits(estimate, low, high, se, np.full(len(estimate), np.nan), method)


def rate_terms_with_limits(
    tables: PointTables, plan: PointPlan, names: tuple[str, str]
) -> list[MoverTerm]:
    """Return rates of the tables with their limits."""
    bars = [tables.rate(name, plan.interval, plan.level) for name in names]
    return [
        MoverTerm(measure(name, tables.cells), bar.low, bar.high)
        for name, bar in zip(names, bars, strict=True)
    ]
