"""Make the cases of net benefit: ``python validation/net_benefit/make.py``.

Sums over cases one by one, Wilson's limits as roots of their quadratic, Tango's by bisection of the
largest likelihood, integrals over a fine grid between the scores; nothing is taken from the
package.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import normal_tail, root_of, t_of, tango_limit, wilson, z_of
from validation.reference import (
    D1,
    D2,
    Expected,
    Y,
    agree,
    as_limits,
    by_class,
    computed,
    derived,
    write_case,
)

PATIENT = [1, 1, 2, 3, 3, 4, 5, 6, 1, 2, 2, 3, 4, 4, 5, 6, 7, 7]
Z = z_of(0.95)
SOURCE = """Source of the methods: Vickers AJ, Elkin EB. Med Decis Making 2006;26:565-74; Pfeiffer
RM, Gail MH. Biom J 2020;62:764-76; Wilson 1927, Tango 1998 and Zou and Donner 2008 for the limits,
Korn and Graubard 1998 and Carter, Schnepel and Steigerwald 2017 for unequal clusters.

- `computed`: sums case by case, Wilson's limits as roots of their quadratic, Tango's by bisection
  of the likelihood, means over a range by Simpson's rule.
"""
Limit = Callable[[float], float]


class Part(NamedTuple):
    """A share or a difference of shares: value, factor, and its limit at a normal quantile."""

    value: float
    factor: float
    limit: Limit


def share_of(p: float, factor: float, n: float) -> Part:
    """Return a share with Wilson's limits."""
    return Part(p, factor, lambda z: wilson(p, n, z)[z > 0])


def mover(parts: tuple[Part, Part], r: float, ends: tuple[float, float], z: float) -> float:
    """Return a limit of the first part less the second, their correlation being r."""
    x, y = (f * abs(limit(s) - v) for (v, f, limit), s in zip(parts, (z, -z), strict=True))
    middle = parts[0].factor * parts[0].value - parts[1].factor * parts[1].value
    reach = math.sqrt(x * x + y * y - 2 * r * x * y)
    return min(max(middle + math.copysign(reach, z), ends[0]), ends[1])


def mean(values: Sequence[float]) -> float:
    """Return the mean of values."""
    return math.fsum(values) / len(values)


def squared_se(values: Sequence[float]) -> float:
    """Return the squared standard error of a mean."""
    middle, n = mean(values), len(values)
    return math.fsum((value - middle) ** 2 for value in values) / (n * (n - 1))


def benefits(scores: Sequence[float], t: float) -> list[float]:
    """Return what each case adds to the net benefit."""
    w = t / (1 - t)
    return [(1.0 if y else -w) if s >= t else 0.0 for s, y in zip(scores, Y, strict=True)]


def over_classes(values: Sequence[float], pi: float | None) -> tuple[float, float]:
    """Return the mean of values and its standard error, at a known prevalence or over all."""
    if pi is None:
        return mean(values), math.sqrt(squared_se(values))
    pos, neg = by_class(values)
    se = math.sqrt(pi**2 * squared_se(pos) + (1 - pi) ** 2 * squared_se(neg))
    return pi * mean(pos) + (1 - pi) * mean(neg), se


def equal_units(values: Sequence[float], pi: float | None) -> float:
    """Return (sum u^2)^2 / sum u^4 of what the cases add to the squared standard error."""
    sides = [(1.0, list(values))]
    if pi is not None:
        sides = list(zip((pi, 1 - pi), by_class(values), strict=True))
    squares = [
        (share * (value - mean(side))) ** 2 / (len(side) * (len(side) - 1))
        for share, side in sides
        for value in side
    ]
    return math.fsum(squares) ** 2 / math.fsum(square**2 for square in squares)


def of_shares(a: float, b: float) -> float:
    """Return the correlation of the shares of two events that exclude each other."""
    return -math.sqrt(a * b / ((1 - a) * (1 - b))) if max(a, b) < 1 and min(a, b) > 0 else 0.0


def limits_of(
    scores: Sequence[float], t: float, pi: float | None, *, beside_all: bool
) -> list[float]:
    """Return both MOVER limits of a net benefit, or of its difference from treating all."""
    w, m, n = t / (1 - t), sum(Y), len(Y) - sum(Y)
    tp = sum(s >= t and y for s, y in zip(scores, Y, strict=True))
    fp = sum(s >= t and not y for s, y in zip(scores, Y, strict=True))
    counts = (n - fp, m - tp) if beside_all else (tp, fp)
    sizes = (n, m) if beside_all else (m, n)
    factors = (1.0, w) if pi is None else (pi, w * (1 - pi))
    factors = factors[::-1] if beside_all else factors
    totals = (len(Y), len(Y)) if pi is None else sizes
    a, b = counts[0] / totals[0], counts[1] / totals[1]
    parts = (share_of(a, factors[0], totals[0]), share_of(b, factors[1], totals[1]))
    r = of_shares(a, b) if pi is None else 0.0
    return [mover(parts, r, (-factors[1], factors[0]), z) for z in (-Z, Z)]


def pair_limit(t: float, pi: float | None) -> Limit:
    """Return the MOVER limit of the net benefit of a less that of b."""
    w = t / (1 - t)
    factors = (1.0, w) if pi is None else (pi, w * (1 - pi))
    parts, spreads = [], []
    for label, factor in zip((1, 0), factors, strict=True):
        rows = [(x >= t, z >= t) for x, z, y in zip(D1, D2, Y, strict=True) if y == label]
        b, c = sum(x and not z for x, z in rows), sum(z and not x for x, z in rows)
        n = len(Y) if pi is None else len(rows)
        parts.append(Part((b - c) / n, factor, partial(tango_limit, b, c, n)))
        spreads.append((b + c) / n - ((b - c) / n) ** 2)
    r = 0.0
    if pi is None and min(spreads) > 0:
        r = -parts[0].value * parts[1].value / math.sqrt(spreads[0] * spreads[1])
    furthest = max(factors) if pi is None else sum(factors)
    return partial(mover, (parts[0], parts[1]), r, (-furthest, furthest))


def alone_rows(
    name: str, scores: Sequence[float], t: float, pi: float | None
) -> Iterator[Expected]:
    """Yield the net benefit of a predictor, alone and beside treating all."""
    w, given = t / (1 - t), {} if pi is None else {"prevalence": pi}
    asked: dict[str, Any] = {"risk_threshold": [t], **given}
    u = benefits(scores, t)
    everyone = [1.0 if y else -w for y in Y]
    spared = [x - y for x, y in zip(u, everyone, strict=True)]
    share = mean([float(y) for y in Y]) if pi is None else pi
    for quantity, values, divisor, beside_all in (
        ("net_benefit", u, 1.0, False),
        ("interventions_avoided", spared, w, True),
    ):
        where = {"predictor": name, "quantity": quantity}
        value, se = over_classes(values, pi)
        numbers = {"estimate": value, "se": se}
        numbers |= as_limits(limits_of(scores, t, pi, beside_all=beside_all))
        numbers = {column: number / divisor for column, number in numbers.items()}
        yield from computed("net_benefit", where, numbers, **asked)
    value, se = over_classes(u, pi)
    where = {"predictor": name, "quantity": "standardized_net_benefit"}
    yield from computed("net_benefit", where, {"estimate": value / share}, **asked)
    if pi is None:
        rest = [
            (x - value - value / share * (y - share)) / share for x, y in zip(u, Y, strict=True)
        ]
        yield from computed("net_benefit", where, {"se": math.sqrt(squared_se(rest))}, **asked)
    if name == "a":
        where = {"predictor": "treat-all", "quantity": "net_benefit"}
        yield from computed("net_benefit", where, {"estimate": share - w * (1 - share)}, **asked)
    factors = (1.0, w) if pi is None else (pi, w * (1 - pi))
    wald = max(value - Z * se, -factors[1]), min(value + Z * se, factors[0])
    where = {"predictor": name, "quantity": "net_benefit"}
    yield from computed("net_benefit", where, as_limits(wald), **asked, interval="wald")


def compared_rows(t: float, pi: float | None) -> Iterator[Expected]:
    """Yield the difference of both predictors with its test, and the first beside treating all."""
    asked: dict[str, Any] = {"risk_threshold": [t], **({} if pi is None else {"prevalence": pi})}
    gaps = [x - y for x, y in zip(benefits(D1, t), benefits(D2, t), strict=True)]
    where = {"predictor": "a", "reference": "b"}
    value, se = over_classes(gaps, pi)
    limit = pair_limit(t, pi)
    # The z at which a limit reaches 0.
    sign = math.copysign(1, value)
    z = sign * root_of(lambda x: sign * limit(-sign * x), 0.0, 30.0) if value else 0.0
    numbers = {"estimate": value, "se": se, "ci_low": limit(-Z), "ci_high": limit(Z)}
    numbers |= {"statistic": z, "p_value": min(1.0, 2 * normal_tail(abs(z)))}
    yield from computed("compare_net_benefit", where, numbers, **asked)
    w = t / (1 - t)
    spared = [x - (1.0 if y else -w) for x, y in zip(benefits(D1, t), Y, strict=True)]
    value, se = over_classes(spared, pi)
    numbers = {"estimate": value, "se": se, **as_limits(limits_of(D1, t, pi, beside_all=True))}
    where = {"predictor": "a", "reference": "treat-all"}
    yield from computed("compare_net_benefit", where, numbers, **asked, reference="treat-all")


def integrated(score: float, y: int, low: float, high: float) -> float:
    """Return the mean of what a case adds over a range, by Simpson's rule where it is treated."""
    end = min(max(score, low), high)
    steps = 2000
    at = [low + (end - low) * k / steps for k in range(steps + 1)]
    values = [1.0 if y else -t / (1 - t) for t in at]
    weights = [1, *(4 if k % 2 else 2 for k in range(1, steps)), 1]
    area = sum(v * k for v, k in zip(values, weights, strict=True)) * (end - low) / steps / 3
    return area / (high - low)


def mean_rows(low: float, high: float, pi: float | None) -> Iterator[Expected]:
    """Yield mean net benefits and their difference."""
    asked: dict[str, Any] = {"risk_threshold": [low, high]}
    asked |= {} if pi is None else {"prevalence": pi}
    a, b = ([integrated(s, y, low, high) for s, y in zip(d, Y, strict=True)] for d in (D1, D2))
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    for where, values, more in (
        ({"predictor": "a"}, a, {}),
        ({"predictor": "b"}, b, {}),
        ({"predictor": "a", "reference": "b"}, gaps, {"reference": "b"}),
    ):
        value, se = over_classes(values, pi)
        reach = t_of(0.95, equal_units(values, pi)) * se
        numbers = {"estimate": value, "se": se, "ci_low": value - reach, "ci_high": value + reach}
        yield from computed("mean_net_benefit", where, numbers, **asked, **more)


def clustered_rows(t: float) -> Iterator[Expected]:
    """Yield the net benefit with the cases of a patient summed."""
    u = benefits(D1, t)
    value, n = mean(u), len(u)
    units = sorted(set(PATIENT))
    factor = len(units) / (len(units) - 1)

    def summed(values: Sequence[float]) -> list[float]:
        middle = mean(values)
        deviations = list(zip(PATIENT, values, strict=True))
        return [math.fsum(v - middle for p, v in deviations if p == unit) / n for unit in units]

    def covariance(x: Sequence[float], y: Sequence[float]) -> float:
        return factor * math.fsum(a * b for a, b in zip(summed(x), summed(y), strict=True))

    w = t / (1 - t)
    tp = [float(s >= t and y) for s, y in zip(D1, Y, strict=True)]
    fp = [float(s >= t and not y) for s, y in zip(D1, Y, strict=True)]
    spread = {"a": covariance(tp, tp), "b": covariance(fp, fp)}
    a, b = mean(tp), mean(fp)
    # Unequal patients: the number J of equal ones with as many degrees of freedom.
    squares = [PATIENT.count(unit) ** 2 for unit in units]
    equal = sum(squares) ** 2 / sum(square**2 for square in squares)
    left = (t_of(0.95, len(units) - 1) / t_of(0.95, equal - 1)) ** 2
    parts = (
        share_of(a, 1.0, left * a * (1 - a) / spread["a"]),
        share_of(b, w, left * b * (1 - b) / spread["b"]),
    )
    r = covariance(tp, fp) / math.sqrt(spread["a"] * spread["b"])
    where = {"predictor": "a", "quantity": "net_benefit"}
    numbers = {"estimate": value, "se": math.sqrt(covariance(u, u))}
    numbers |= as_limits(mover(parts, r, (-w, 1), z) for z in (-Z, Z))
    agree(numbers["se"], "0.100085486")
    yield from computed("net_benefit", where, numbers, risk_threshold=[t])


def derived_rows() -> Iterator[Expected]:
    """Yield digits that were worked out in R and in Python while the methods were specified."""
    table = (
        (0.2, "0.333333333", "0.145745772", "0.088603396", "0.593211969"),
        (0.4, "0.259259259", "0.171616171", "-0.052528994", "0.546915929"),
        (0.5, "0.222222222", "0.172553971", "-0.117361409", "0.504531944"),
    )
    known = (
        (0.2, "-0.080000000", "0.030000000", "-0.125741015", "-0.010286556"),
        (0.4, "-0.200000000", "0.100000000", "-0.361339253", "-0.041955854"),
        (0.5, "-0.182500000", "0.138044377", "-0.457582923", "-0.009208248"),
    )
    beside = (
        (0.2, "0.027777778", "0.019055398", "-0.149237526", "0.081999413"),
        (0.4, "0.185185185", "0.072421656", "-0.018057615", "0.339151044"),
        (0.5, "0.333333333", "0.140028008", "0.033544584", "0.571349609"),
    )
    pair = (
        (0.2, "0.013888889", "0.013888889", "-0.168011161", "0.196875752"),
        (0.4, "0.055555556", "0.077403394", "-0.179757145", "0.303984796"),
        (0.5, "0.055555556", "0.127115362", "-0.261941396", "0.374696307"),
    )
    columns = ("estimate", "se", "ci_low", "ci_high")
    own = {"predictor": "a", "quantity": "net_benefit"}
    all_, other = ({"predictor": "a", "reference": name} for name in ("treat-all", "b"))
    for rows, question, where, more in (
        (table, "net_benefit", own, {}),
        (known, "net_benefit", own, {"prevalence": 0.1}),
        (beside, "compare_net_benefit", all_, {"reference": "treat-all"}),
        (pair, "compare_net_benefit", other, {}),
    ):
        for t, *digits in rows:
            numbers = dict(zip(columns, digits, strict=True))
            yield from derived(question, where, numbers, risk_threshold=[t], **more)
    ratio = {"predictor": "a", "quantity": "standardized_net_benefit"}
    numbers = {"estimate": "0.583333333", "se": "0.244423090"}
    yield from derived("net_benefit", ratio, numbers, risk_threshold=[0.4])
    numbers = {"estimate": "0.0125", "se": "0.090311959"}
    asked: dict[str, Any] = {"risk_threshold": [0.4], "prevalence": 0.1}
    yield from derived("compare_net_benefit", other, numbers, **asked)
    asked = {"risk_threshold": [0.2, 0.5]}
    numbers = {"estimate": "0.274733270", "se": "0.155683080"}
    yield from derived("mean_net_benefit", {"predictor": "a"}, numbers, **asked)
    numbers = {"estimate": "0.036759676", "se": "0.045083795"}
    yield from derived("mean_net_benefit", other, numbers, **asked, reference="b")


def write(
    name: str, title: str, notes: str, expected: Iterable[Expected], *, patients: bool
) -> None:
    """Write one case."""
    study: dict[str, Any] = {"y_true": "y", "y_score": ["a", "b"]}
    columns: dict[str, Sequence[object]] = {"y": Y, "a": D1, "b": D2}
    if patients:
        study["cluster"], columns["patient"] = "patient", PATIENT
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
    settings = [(t, pi) for t in (0.2, 0.4, 0.58) for pi in (None, 0.1)]
    expected = [
        *derived_rows(),
        *(row for t, pi in settings for name, d in (("a", D1), ("b", D2))
          for row in alone_rows(name, d, t, pi)),
        *(row for t, pi in settings for row in compared_rows(t, pi)),
        *(row for pi in (None, 0.1) for row in mean_rows(0.2, 0.5, pi)),
        *mean_rows(0.05, 0.95, None),
    ]  # fmt: skip
    notes = (
        "Net benefits, their differences and their means; 0.58 is a tied score of both classes.\n\n"
        "- `derived`: digits worked out while the methods were specified, in Python and in R."
    )
    write("d1_d2", "Two risks of eighteen cases", notes, expected, patients=False)
    write(
        "clusters", "Two risks of the lesions of seven patients",
        "Net benefit with the cases of a patient summed.", clustered_rows(0.4), patients=True,
    )  # fmt: skip


if __name__ == "__main__":
    main()
