"""Coverage and size of comparisons of two predictors in clusters of unequal size.

``before`` has limits and tests as they were, that take clusters for equal; ``after`` as the package
has them. Estimates and standard errors are the same. No cell has equal clusters:

- 150 clusters of which a share of 5 % has 60 cases, the others 1 to 3; 40 of which a tenth has 30;
  40 of 1 to 10 cases.
- The class is drawn by cluster or by case, with a prevalence of 40 % or 1 in 11.
- Normal scores, 1.2 higher in positives. ``dependence`` is their correlation in a cluster; half of
  every effect, of clusters and of cases, is common to the predictors.

Calls are made at a threshold of .5. ``coverage`` is of differences from, and ratios to, a predictor
whose positives are .5 lower; ``size`` of the test of a predictor with the same law. A test inverts
its limits, so that its size is the share of limits without 0 (or 1). Costs have t with
Satterthwaite's degrees of freedom before and after.

All samples of a cell are answered by array code of this file; a test asks the package for the same
samples. ``bound`` was set before the run: coverage of .93 or more, size of .065 or less;
``shortfall`` marks rows whose ``after`` is beyond it. Samples without limits count for neither
(``undefined``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import chi2, norm

from rocstats.estimate.quantiles import t_quantiles
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import cells_at, measure
from validation.simulation import Bound, Simulation, batches, over, under

TABLE = Path(__file__).with_name("unequal_pairs.csv")
SEED, REPLICATES, LEVEL = 20372, 4000, 0.95
COVERAGE, SIZE = 0.93, 0.065
UPPER = (1 + LEVEL) / 2
Z = float(norm.ppf(UPPER))
SHIFT, LOWER, CUT = 1.2, 0.5, 0.5
RISK, ELSEWHERE = 0.2, 0.2
"""The risk threshold of net benefits and costs, and the prevalence of other cases."""
ODDS = RISK / (1 - RISK)
_CHUNK = 250  # samples whose clusters are in memory at once

Limits = dict[str, tuple[FloatArray, FloatArray]]


class Setting(NamedTuple):
    """Clusters, of which a share is ``large``, and how classes and scores are drawn."""

    name: str
    n: int
    large: float
    of: int
    small: tuple[int, int]
    by: str
    prevalence: float
    dependence: float


RARE = 1 / 11
SETTINGS = (
    Setting("5 % of 60, by cluster", 150, 0.05, 60, (1, 3), "cluster", 0.4, 0.5),
    Setting("5 % of 60, by case, correlation .9", 150, 0.05, 60, (1, 3), "case", 0.4, 0.9),
    Setting("5 % of 60, by cluster, 1 to 10", 150, 0.05, 60, (1, 3), "cluster", RARE, 0.5),
    Setting("5 % of 60, by case, 1 to 10", 150, 0.05, 60, (1, 3), "case", RARE, 0.5),
    Setting("40, a tenth of 30, by cluster", 40, 0.1, 30, (1, 3), "cluster", 0.4, 0.5),
    Setting("40, a tenth of 30, by case", 40, 0.1, 30, (1, 3), "case", 0.4, 0.5),
    Setting("40 of 1 to 10, correlation .9", 40, 0.0, 0, (1, 10), "cluster", 0.4, 0.9),
)
RATES = ("tpr", "tnr")
VALUES = ("ppv", "npv")
RATIOS = ("tpr", *VALUES, "lr_positive", "lr_negative")


# --- Samples --------------------------------------------------------------------------------------


def drawn_classes(cell: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return the classes and the clusters of a sample."""
    low, high = cell.small
    large = rng.random(cell.n) < cell.large
    size = np.where(large, cell.of, rng.integers(low, high + 1, cell.n))
    cluster = np.repeat(np.arange(cell.n), size)
    y = (rng.random(cell.n) < cell.prevalence)[cluster]
    if cell.by == "case":
        y = rng.random(len(cluster)) < cell.prevalence
    return y, cluster


def drawn(cell: Setting, rng: np.random.Generator) -> tuple[Any, FloatArray, Any]:
    """Return the classes, the scores of three predictors, and the clusters of a sample."""
    y, cluster = drawn_classes(cell, rng)

    def effects(number: int) -> FloatArray:
        common, own = rng.normal(size=number), rng.normal(size=(3, number))
        return np.asarray(np.sqrt(0.5) * (common + own))

    scores = np.sqrt(cell.dependence) * effects(cell.n)[:, cluster]
    scores += np.sqrt(1 - cell.dependence) * effects(len(cluster))
    return y, scores + np.array([[SHIFT], [SHIFT - LOWER], [SHIFT]]) * y, cluster


_KINDS = np.arange(16)  # bits: positive (8), called by the first (4), the lower (2), the same (1)
POSITIVE = _KINDS >= 8
CALLED = [(_KINDS & bit) > 0 for bit in (4, 2, 1)]


def counted(cell: Setting, rng: np.random.Generator) -> FloatArray:
    """Return the number of cases of each kind in each cluster of a sample."""
    y, scores, cluster = drawn(cell, rng)
    first, lower, same = scores >= CUT
    kind = 8 * y + 4 * first + 2 * lower + same
    counts = np.bincount(16 * cluster + kind, minlength=16 * cell.n)
    return np.asarray(counts.reshape(cell.n, 16), dtype=np.float64)


def truths(cell: Setting) -> dict[str, float]:
    """Return the differences and ratios of the first predictor and the lower one."""
    tpr = norm.sf(CUT - np.array([SHIFT, SHIFT - LOWER]))
    cells = cells_at(tpr, np.full(2, norm.sf(CUT)), cell.prevalence)
    found = {}
    for name in (*RATES, *VALUES, "accuracy", "f1", "youden"):
        found[name] = float(-np.diff(measure(name, cells))[0])
    for name in RATIOS:
        first, lower = measure(name, cells)
        found[f"{name}_ratio"] = float(first / lower)
    found["net_benefit"] = float(cell.prevalence * (tpr[0] - tpr[1]))
    found["net_benefit, elsewhere"] = float(ELSEWHERE * (tpr[0] - tpr[1]))
    found["cost"] = -found["net_benefit"]
    found["cost, elsewhere"] = -found["net_benefit, elsewhere"]
    return found


# --- Limits of many samples: counts are samples x clusters x kinds --------------------------------


class Means(NamedTuple):
    """Means among some of the cases, influence values of clusters, and the stretch of limits."""

    value: FloatArray
    influence: FloatArray
    spread: FloatArray
    stretch: FloatArray


def mean_of(counts: FloatArray, among: Any, what: Any, *, unequal: bool) -> Means:
    """Return the mean of a number that the kinds of cases have."""
    sizes, sums = counts @ among.astype(float), counts @ (among * what).astype(float)
    total = sizes.sum(axis=1)
    value = sums.sum(axis=1) / total
    spread = (counts @ (among * what.astype(float) ** 2)).sum(axis=1) / total - value**2
    clusters = np.count_nonzero(sizes, axis=1)
    factor = np.sqrt(clusters / (clusters - 1)) / total
    influence = (sums - value[:, np.newaxis] * sizes) * factor[:, np.newaxis]
    stretch = np.ones(len(value))
    if unequal:
        equal = (sizes**2).sum(axis=1) ** 2 / (sizes**4).sum(axis=1)
        few, many = (np.maximum(number - 1, 1.0) for number in (equal, clusters))
        stretch = t_quantiles(UPPER, few) / t_quantiles(UPPER, many)
    return Means(value, influence, spread, stretch)


def dot(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return sums over clusters of products."""
    return np.asarray((first * second).sum(axis=1))


def wilson(share: Means, sign: int) -> FloatArray:
    """Return the distance of Wilson's limit of a share from it."""
    z2 = (Z * share.stretch) ** 2 / (share.spread / dot(share.influence, share.influence))
    p = share.value
    reach = np.sqrt(z2 * p * (1 - p) + z2**2 / 4)
    return np.asarray((p + z2 / 2 + sign * reach) / (1 + z2) - p)


def tango(gap: Means, plus: FloatArray, minus: FloatArray, sign: int) -> FloatArray:
    """Return the distance of Tango's limit from a difference, by bisection.

    ``plus`` and ``minus`` are the shares of cases that the first, or the second alone calls.
    """
    if sign > 0:
        mirrored = gap._replace(value=-gap.value)
        return -tango(mirrored, minus, plus, -1)
    d, n = gap.value, gap.spread / dot(gap.influence, gap.influence)
    z2 = (Z * gap.stretch) ** 2 / n
    low, high = np.full(len(d), -1.0), d
    for _ in range(60):
        t = (low + high) / 2
        # Tango 1998: 2 q^2 + b q - c = 0 for the share of the second alone under the difference t.
        b, c = (2 - d) * t - plus - minus, -minus * t * (1 - t)
        q = (np.sqrt(np.maximum(b**2 - 8 * c, 0.0)) - b) / 4
        inside = (d - t) ** 2 <= z2 * np.maximum(2 * q + t * (1 - t), 0.0)
        low, high = np.where(inside, low, t), np.where(inside, t, high)
    return np.asarray((low + high) / 2 - d)


def mover(
    estimate: FloatArray, parts: tuple[Means, Means], factors: tuple[float, float], distance: Any
) -> tuple[FloatArray, FloatArray]:
    """Return MOVER limits of factor times the first part less factor times the second."""
    first, second = parts
    scale = np.sqrt(dot(first.influence, first.influence) * dot(second.influence, second.influence))
    correlation = dot(first.influence, second.influence) / scale
    ends = []
    for sign in (-1, 1):
        one, other = factors[0] * distance(0, sign), factors[1] * distance(1, -sign)
        squares = one**2 + other**2 + 2 * correlation * one * other
        ends.append(estimate + sign * np.sqrt(np.maximum(squares, 0.0)))
    return ends[0], ends[1]


def of_shares(first: Means, second: Means) -> tuple[FloatArray, FloatArray]:
    """Return the limits of a difference of shares."""
    pair = first, second
    estimate = first.value - second.value
    return mover(estimate, pair, (1.0, 1.0), lambda i, sign: wilson(pair[i], sign))


def as_f1(j: Means) -> Means:
    """Return F1 = 2 j / (1 + j) with its influence values."""
    slope = 2 / (1 + j.value) ** 2
    return j._replace(
        value=2 * j.value / (1 + j.value), influence=j.influence * slope[:, np.newaxis]
    )


def limits(counts: FloatArray, calls: tuple[Any, Any], *, unequal: bool) -> Limits:
    """Return the limits of all differences and ratios of two predictors."""
    everyone = np.ones(16, dtype=bool)

    def share(among: Any, event: Any) -> Means:
        return mean_of(counts, among, event, unequal=unequal)

    shares = [
        {
            "tpr": share(POSITIVE, called),
            "tnr": share(~POSITIVE, ~called),
            "ppv": share(called, POSITIVE),
            "npv": share(~called, ~POSITIVE),
            "accuracy": share(everyone, called == POSITIVE),
        }
        for called in calls
    ]
    found = {name: of_shares(*(each[name] for each in shares)) for name in shares[0]}
    overlap = [share(called | POSITIVE, called & POSITIVE) for called in calls]
    one, two = (as_f1(j) for j in overlap)

    def of_f1(i: int, sign: int) -> FloatArray:
        at = overlap[i].value + wilson(overlap[i], sign)
        return 2 * at / (1 + at) - (one, two)[i].value

    found["f1"] = mover(one.value - two.value, (one, two), (1.0, 1.0), of_f1)
    found["youden"] = _youden(shares, found)
    for name in RATIOS:
        value, log = zip(*(_log_influence(name, each) for each in shares), strict=True)
        reach = Z * np.sqrt(((log[0] - log[1]) ** 2).sum(axis=1))
        if unequal:
            usual = [_log_influence(name, _as_equal(each))[1] for each in shares]
            reach = np.maximum(reach, Z * np.sqrt(((usual[0] - usual[1]) ** 2).sum(axis=1)))
        estimate = np.where((value[1] > 0) & (value[0] > 0), value[0] / value[1], np.nan)
        found[f"{name}_ratio"] = estimate * np.exp(-reach), estimate * np.exp(reach)
    found |= _benefits(counts, calls, unequal=unequal)
    return found


def _youden(shares: list[dict[str, Means]], found: Limits) -> tuple[FloatArray, FloatArray]:
    rates = [(shares[0][name], shares[1][name]) for name in RATES]
    gaps = [first.influence - second.influence for first, second in rates]
    scale = np.sqrt(dot(gaps[0], gaps[0]) * dot(gaps[1], gaps[1]))
    correlation = dot(gaps[0], gaps[1]) / scale
    values = [first.value - second.value for first, second in rates]
    ends = []
    for end, sign in enumerate((-1, 1)):
        one, other = (found[k][end] - d for k, d in zip(RATES, values, strict=True))
        squares = one**2 + other**2 + 2 * correlation * one * other
        ends.append(sum(values) + sign * np.sqrt(np.maximum(squares, 0.0)))
    return ends[0], ends[1]


def _as_equal(shares: dict[str, Means]) -> dict[str, Means]:
    """Return shares as of equal clusters."""
    return {name: one._replace(stretch=np.ones_like(one.stretch)) for name, one in shares.items()}


def _log_influence(name: str, shares: dict[str, Means]) -> tuple[FloatArray, FloatArray]:
    """Return a rate, value or likelihood ratio, and the stretched influence values of its log."""

    def of(name: str, base: FloatArray) -> FloatArray:
        share = shares[name]
        return np.asarray(share.influence * (share.stretch / base)[:, np.newaxis])

    tpr, tnr = shares["tpr"].value, shares["tnr"].value
    if name == "lr_positive":
        return tpr / (1 - tnr), of("tpr", tpr) + of("tnr", 1 - tnr)
    if name == "lr_negative":
        return (1 - tpr) / tnr, -of("tpr", 1 - tpr) - of("tnr", tnr)
    return shares[name].value, of(name, shares[name].value)


def _benefits(counts: FloatArray, calls: tuple[Any, Any], *, unequal: bool) -> Limits:
    """Return limits of differences of net benefits, and of expected costs in the same units."""
    found: Limits = {}
    gap = calls[0].astype(float) - calls[1]
    alone = calls[0] & ~calls[1], ~calls[0] & calls[1]
    for word, p in (("", None), (", elsewhere", ELSEWHERE)):
        sides = POSITIVE, ~POSITIVE
        factors = (1.0, ODDS) if p is None else (p, ODDS * (1 - p))
        among = (np.ones(16, dtype=bool),) * 2 if p is None else sides
        gain, loss = (
            mean_of(counts, all_, side * gap, unequal=unequal)
            for all_, side in zip(among, sides, strict=True)
        )
        tables = [
            [mean_of(counts, all_, side & one, unequal=False).value for one in alone]
            for all_, side in zip(among, sides, strict=True)
        ]
        pair = gain, loss

        def distance(i: int, sign: int, pair: Any = pair, tables: Any = tables) -> FloatArray:
            return tango(pair[i], tables[i][0], tables[i][1], sign)

        value = factors[0] * gain.value - factors[1] * loss.value
        ends = mover(value, pair, factors, distance)
        cost = factors[1] * loss.influence - factors[0] * gain.influence
        reach = np.sqrt(dot(cost, cost)) * t_quantiles(UPPER, _class_df(counts, cost))
        # No difference is larger than that of always right and always wrong.
        most = 1.0 if p is None else sum(factors)
        for name, (low, high) in (("net_benefit", ends), ("cost", (-value - reach, reach - value))):
            found[f"{name}{word}"] = np.clip(low, -most, most), np.clip(high, -most, most)
    return found


def _class_df(counts: FloatArray, influence: FloatArray) -> FloatArray:
    """Return Satterthwaite's degrees of freedom over clusters with one class, the other, both."""
    held = [counts @ side.astype(float) for side in (POSITIVE, ~POSITIVE)]
    size = sum(side / side.sum(axis=1, keepdims=True) for side in held)
    whole, below = np.zeros(len(counts)), np.zeros(len(counts))
    for kind in ((True, False), (False, True), (True, True)):
        here = ((held[0] > 0) == kind[0]) & ((held[1] > 0) == kind[1])
        part, of_kind = dot(influence * here, influence), size * here
        fourths = np.maximum((of_kind**4).sum(axis=1), np.finfo(float).tiny)
        df = np.maximum((of_kind**2).sum(axis=1) ** 2 / fourths - 1, 1.0)
        whole, below = whole + part, below + part**2 / df
    return np.asarray(whole**2 / below)


def both_rates(counts: FloatArray, calls: tuple[Any, Any], *, unequal: bool) -> FloatArray:
    """Return whether the test that both rates are equal rejects."""
    values, rows = [], []
    for side, sign in ((POSITIVE, 1.0), (~POSITIVE, -1.0)):
        gap = mean_of(counts, side, sign * (calls[0].astype(float) - calls[1]), unequal=unequal)
        values.append(gap.value)
        rows.append(gap.influence * gap.stretch[:, np.newaxis])
    (a, c), b = (dot(row, row) for row in rows), dot(rows[0], rows[1])
    x, y = values
    statistic = (c * x**2 - 2 * b * x * y + a * y**2) / (a * c - b**2)
    return np.asarray(statistic > chi2.ppf(LEVEL, 2)).astype(float)


# --- Tables ---------------------------------------------------------------------------------------


def answers(
    cell: Setting, counts: FloatArray, *, unequal: bool
) -> dict[tuple[str, str], tuple[FloatArray, FloatArray]]:
    """Return by quantity whether limits hold the truth, or a test rejects, and the widths."""
    first, lower, same = CALLED
    truth, found = truths(cell), {}
    for name, (low, high) in limits(counts, (first, lower), unequal=unequal).items():
        held = np.where(np.isnan(high - low), np.nan, (low <= truth[name]) & (truth[name] <= high))
        found[name, "coverage"] = held, high - low
    for name, (low, high) in limits(counts, (first, same), unequal=unequal).items():
        null = float(name.endswith("ratio"))
        beyond = np.where(np.isnan(high - low), np.nan, (null < low) | (high < null))
        found[name, "size"] = beyond, np.full(len(low), np.nan)
    rejects = both_rates(counts, (first, same), unequal=unequal)
    found["both_rates", "size"] = rejects, np.full(len(rejects), np.nan)
    return found


def run_setting(place: int, replicates: int, seed: int = SEED) -> Iterator[dict[str, Any]]:
    """Yield the rows of a setting; samples that lack a class are drawn again."""
    cell, rng = SETTINGS[place], np.random.default_rng([seed, place])
    found: dict[tuple[str, str], list[Any]] = {}
    with np.errstate(all="ignore"):
        for size in batches(replicates, _CHUNK):
            counts = np.array(list(_samples(cell, rng, size)))
            before, after = (answers(cell, counts, unequal=value) for value in (False, True))
            for key in after:
                found.setdefault(key, []).append(np.array([before[key], after[key]]))
    for (quantity, what), chunks in found.items():
        # samples; before and after; held and width
        array = np.concatenate(chunks, axis=2).transpose(2, 0, 1)
        yield {
            "setting": cell.name,
            "quantity": quantity,
            **before_and_after(array, what, replicates, _CHUNK),
            "bound": SIZE if what == "size" else COVERAGE,
        }


def before_and_after(array: FloatArray, what: str, replicates: int, first: int) -> dict[str, Any]:
    """Return shares and mean widths, from samples x (before, after) x (held or rejected, width).

    Samples without limits count for neither.
    """
    known = ~np.isnan(array[:, :, 0]).any(axis=1)
    (before, width), (after, wider) = array[known].mean(axis=0)
    return {
        "what": what,
        "before": before,
        "after": after,
        "width_before": width,
        "width_after": wider,
        "undefined": 1 - known.sum() / replicates,
        "replicates": replicates,
        "first_after": float(np.nanmean(array[:first, 1, 0])),
    }


def _samples(cell: Setting, rng: np.random.Generator, number: int) -> Iterator[FloatArray]:
    made = 0
    while made < number:
        counts = counted(cell, rng)
        cases = counts.sum(axis=0)
        # Three cases of each class, in two clusters at least.
        if all(
            cases[side].sum() >= 3 and np.count_nonzero(counts[:, side].sum(axis=1)) > 1
            for side in (POSITIVE, ~POSITIVE)
        ):
            made += 1
            yield counts


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size of comparisons of two predictors in clusters of unequal size.",
    cells=range(len(SETTINGS)),
    rows=run_setting,
    replicates=REPLICATES,
    seed=SEED,
    bounds=(
        Bound("after", under, "bound", where="what == 'coverage'"),
        Bound("after", over, "bound", where="what == 'size'"),
    ),
    ends=("bound", "shortfall", "first_after"),
    digits=6,
)
