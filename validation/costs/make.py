"""Make the cases of two predictors whose costs are compared: ``python validation/costs/make.py``.

Costs case by case and sums of squares in fractions, least costs over every threshold; nothing is
taken from the package.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import normal_tail, root_of, t_of, tango_limit, z_of
from validation.reference import D1, D2, Expected, Y, computed, derived, write_case

PAIR = {"predictor": "a", "reference": "b"}
SOURCE = """Source of the methods: Fawcett T, ROC graphs (2004), sections 7.1 and 7.5.2; Drummond C,
Holte RC. Machine Learning 2006;65:95-130; influence values as those of paired tables.

- `computed`: costs case by case and their sums in fractions, squares of influence values in
  floating point, Tango's limits by bisection, least costs over every threshold.
"""


@dataclass(frozen=True)
class Data:
    """Truth, scores of both predictors, and how often each row counts; perhaps clusters."""

    y: Sequence[int]
    scores: Mapping[str, Sequence[float]]
    frequency: Sequence[int]
    cluster: Sequence[int] | None = None

    def size(self, among: Sequence[int]) -> int:
        """Return the number of cases among some classes."""
        return sum(n for n, label in zip(self.frequency, self.y, strict=True) if label in among)

    def costs(self, name: str, threshold: float, cost_fp: int, cost_fn: int) -> list[int]:
        """Return what each row costs."""
        return [
            (0 if x >= threshold else cost_fn) if label else (cost_fp if x >= threshold else 0)
            for label, x in zip(self.y, self.scores[name], strict=True)
        ]

    def mean(self, values: Sequence[Fraction | int], among: Sequence[int]) -> Fraction:
        """Return the mean among some classes."""
        rows = zip(self.frequency, values, self.y, strict=True)
        return Fraction(sum(n * v for n, v, label in rows if label in among)) / self.size(among)


def parts_of(data: Data, prevalence: Fraction | None) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Return the means that an expected cost is a sum of: shares, and classes."""
    if prevalence is None:
        return [(Fraction(1), (0, 1))]
    return [(prevalence, (1,)), (1 - prevalence, (0,))]


def expected_cost(data: Data, costs: Sequence[int], prevalence: Fraction | None) -> Fraction:
    """Return the expected cost of a case."""
    parts = parts_of(data, prevalence)
    return sum((share * data.mean(costs, among) for share, among in parts), Fraction())


def cluster_df(data: Data, of_unit: Mapping[int, float]) -> float:
    """Return Satterthwaite's df over clusters with positives, with negatives, and with both."""
    held = {
        label: [sum(c == label and y == k for c, y in zip(data.cluster or [], data.y, strict=True))
                for k in (1, 0)]
        for label in of_unit
    }  # fmt: skip
    totals = [sum(counts[k] for counts in held.values()) for k in (0, 1)]
    below = above = 0.0
    for kind in ((True, False), (False, True), (True, True)):
        mine = [label for label in held if (held[label][0] > 0, held[label][1] > 0) == kind]
        if not mine:
            continue
        shares = [held[c][0] / totals[0] + held[c][1] / totals[1] for c in mine]
        equal = sum(s**2 for s in shares) ** 2 / sum(s**4 for s in shares)
        part = sum(of_unit[label] ** 2 for label in mine)
        above += part
        below += part**2 / max(equal - 1, 1)
    return above**2 / below


def squared_se(
    data: Data, gaps: Sequence[int], prevalence: Fraction | None
) -> tuple[float, dict[int, float]]:
    """Return the sum of squared influence values of the difference, and the values of clusters."""
    of_unit = dict.fromkeys(sorted(set(data.cluster or [])), 0.0)
    squares = 0.0
    for share, among in parts_of(data, prevalence):
        mean, size = data.mean(gaps, among), data.size(among)
        inside = [i for i, label in enumerate(data.y) if label in among]
        held = len({data.cluster[i] for i in inside}) if data.cluster else 0
        for i in inside:
            value = float(share * (gaps[i] - mean) / size)
            if data.cluster is None:
                squares += data.frequency[i] * value**2
            else:
                value *= math.sqrt(held / (held - 1))
                of_unit[data.cluster[i]] += data.frequency[i] * value
    return squares + sum(value**2 for value in of_unit.values()), of_unit


def combined_limit(data: Data, gaps: Sequence[int], asked: Mapping[str, Any], z: float) -> float:
    """Return the MOVER limit at z: Tango's of both classes, Wilson's of an unknown prevalence."""
    size = data.size((0, 1))
    p = float(asked["prevalence"]) if "prevalence" in asked else data.size((1,)) / size
    estimate, slope, squares = 0.0, 0.0, 0.0
    for label, cost, share, sign in ((0, asked["cost_fp"], 1 - p, -1), (1, asked["cost_fn"], p, 1)):
        rows = [(k, g) for k, g, y in zip(data.frequency, gaps, data.y, strict=True) if y == label]
        n, b = sum(k for k, _ in rows), sum(k for k, g in rows if g > 0)
        c = sum(k for k, g in rows if g < 0)
        mean = (b - c) / n
        estimate, slope = estimate + share * cost * mean, slope + sign * cost * mean
        squares += (share * cost * (tango_limit(b, c, n, z) - mean)) ** 2
    if "prevalence" not in asked:
        # Wilson: (p - u)^2 = z^2 u (1 - u)/n, above p where more positives move towards the limit.
        ends = (p, 1.0) if slope * z > 0 else (0.0, p)
        sign = 1 if slope * z > 0 else -1
        limit = root_of(lambda u: sign * (z**2 * u * (1 - u) / size - (p - u) ** 2), *ends)
        squares += (slope * (limit - p)) ** 2
    return estimate + math.copysign(math.sqrt(squares), z)


def fixed_rows(data: Data, at: Mapping[str, float], **asked: Any) -> Iterator[Expected]:
    """Yield the comparison at thresholds, all numbers of its row."""
    p = Fraction(asked["prevalence"]) if "prevalence" in asked else None
    a, b = (data.costs(name, at[name], asked["cost_fp"], asked["cost_fn"]) for name in "ab")
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    estimate = float(expected_cost(data, a, p) - expected_cost(data, b, p))
    squares, of_unit = squared_se(data, gaps, p)
    se = math.sqrt(squares)
    arguments = {**asked, "threshold": dict(at)}
    if "prevalence" in asked:
        arguments["prevalence"] = float(asked["prevalence"])
    if data.cluster is None:
        low, high = (combined_limit(data, gaps, asked, z) for z in (-z_of(0.95), z_of(0.95)))
        sign = math.copysign(1, estimate)
        z = sign * root_of(lambda z: sign * combined_limit(data, gaps, asked, -sign * z), 0, 30)
        statistic, p_value = (z, 2 * normal_tail(abs(z))) if estimate else (0.0, 1.0)
    else:
        df = cluster_df(data, of_unit)
        low, high = (estimate + sign * t_of(0.95, df) * se for sign in (-1, 1))
        statistic = estimate / se
        p_value = 2 * float(stats.t.sf(abs(statistic), df))
    answer = {"estimate": estimate, "se": se, "statistic": statistic, "p_value": p_value}
    yield from computed(
        "compare_costs", PAIR, {**answer, "ci_low": low, "ci_high": high}, **arguments
    )


def least_cost(data: Data, name: str, prevalence: Fraction | None, fp: int, fn: int) -> Fraction:
    """Return the least expected cost over every threshold, nobody called included."""
    cuts = [*set(data.scores[name]), math.inf]
    return min(expected_cost(data, data.costs(name, t, fp, fn), prevalence) for t in cuts)


def least_rows(data: Data) -> Iterator[Expected]:
    """Yield differences of least costs: at given costs, and along the cost curves."""
    drawn = {"n_resamples": 100, "rng": 1}
    for fp, fn, p in ((1, 1, None), (1, 5, None), (1, 5, "0.1"), (3, 2, "0.25")):
        share = None if p is None else Fraction(p)
        a, b = (least_cost(data, name, share, fp, fn) for name in "ab")
        asked: dict[str, Any] = {"cost_fp": fp, "cost_fn": fn, **drawn}
        if p is not None:
            asked["prevalence"] = float(p)
        yield from computed("compare_costs", PAIR, {"estimate": a - b}, **asked)
    places = [Fraction(k, 8) for k in range(9)]
    asked = {"at": [float(x) for x in places], **drawn}
    for x in places:
        a, b = (least_cost(data, name, x, 1, 1) for name in "ab")
        where = {**PAIR, "probability_cost": float(x)}
        yield from computed("cost_difference_band", where, {"estimate": a - b}, **asked)


def write(name: str, data: Data, expected: Sequence[Expected], title: str, notes: str) -> None:
    """Write one case."""
    study: dict[str, Any] = {"y_true": "y", "y_score": ["a", "b"], "frequency": "n"}
    columns: dict[str, Sequence[object]] = {"y": data.y, **data.scores, "n": data.frequency}
    if data.cluster is not None:
        study["cluster"], columns["patient"] = "patient", data.cluster
    write_case(
        __file__,
        name,
        study=study,
        columns=columns,
        expected=expected,
        readme=f"# {title}\n\n{notes}\n\n{SOURCE}",
    )


def main() -> None:
    """Write all cases."""
    pair = Data(Y, {"a": D1, "b": D2}, [1] * 18)
    tripled = [1 + i % 3 for i in range(18)]
    counted = Data(pair.y, pair.scores, tripled)
    clustered = Data(pair.y, pair.scores, [1] * 18, [i % 7 for i in range(18)])
    at, other = {"a": 0.6, "b": 0.5}, {"a": 0.41, "b": 0.55}
    for name, data, title in (
        ("d1_d2", pair, "Two markers on eighteen cases"),
        ("counted", counted, "Two markers, rows that stand for several cases"),
        ("clustered", clustered, "Two markers on the lesions of seven patients"),
    ):
        expected = [
            *fixed_rows(data, at, cost_fp=1, cost_fn=3),
            *fixed_rows(data, at, cost_fp=1, cost_fn=3, prevalence="0.2"),
            *fixed_rows(data, other, cost_fp=2, cost_fn=1, prevalence="0.5"),
            *least_rows(data),
        ]
        notes = "Costs at fixed thresholds, least costs, and differences of cost curves."
        write(name, data, expected, title, notes)
    decisions = {"a": [1, 0, 0, 1, 0, 0], "b": [1, 1, 0, 1, 1, 0]}
    two = Data([1, 1, 1, 0, 0, 0], decisions, [12, 7, 1, 2, 6, 12])
    switch = {**PAIR, "probability_cost": 0.4615385}
    asked = {"at": [0.3, 0.4615385, 0.6], "n_resamples": 100, "rng": 1}
    expected = [
        *fixed_rows(two, {"a": 1, "b": 1}, cost_fp=7, cost_fn=6, prevalence="0.5"),
        *derived("cost_difference_band", switch, {"estimate": "0.0000000"}, **asked),
        *least_rows(two),
    ]
    write(
        "switch",
        two,
        expected,
        "Where the cheaper of two classifiers changes",
        "Points (.1, .6) and (.4, .95) cost the same at the cost share 7/13 = .5384615.\n\n"
        "- `derived`: digits worked out while the package was specified.",
    )


if __name__ == "__main__":
    main()
