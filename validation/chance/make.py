"""Make the cases of better than chance: ``python validation/chance/make.py``.

Every choice of positives is listed; nothing is taken from the package.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.oracle_rows import LEVEL, satterthwaite_df, tail
from validation.reference import (
    D1,
    Expected,
    Y,
    agree,
    by_class,
    computed,
    derived,
    write_case,
)

SIDES = ("two-sided", "greater", "less")

RATINGS = {5: (3, 1), 4: (2, 2), 3: (1, 1), 2: (1, 4), 1: (0, 2)}
"""Positives and negatives at each rating."""

TP, FN, FP, TN = 14, 6, 8, 22


def all_deviations(pos: Sequence[float], neg: Sequence[float]) -> list[int]:
    """Return 2 m n (A - 1/2) for every choice of m of the cases as positives."""
    pooled = [*pos, *neg]
    twice_rank = [2 * sum(b < a for b in pooled) + sum(b == a for b in pooled) + 1 for a in pooled]
    m, total = len(pos), len(pooled)
    centre = m * (total + 1)  # of the sum of m doubled mid-ranks
    return [sum(chosen) - centre for chosen in combinations(twice_rank, m)]


def observed_deviation(pos: Sequence[float], neg: Sequence[float]) -> int:
    """Return 2 m n (A - 1/2) by comparing all pairs."""
    pairs = [(x > y) - (x < y) for x in pos for y in neg]
    return sum(pairs)


def shares(deviations: Sequence[int], observed: int, side: str) -> tuple[Fraction, Fraction]:
    """Return the shares of choices that are more extreme than observed, and as extreme."""
    if side == "two-sided":
        deviations, observed = [abs(d) for d in deviations], abs(observed)
    sign = -1 if side == "less" else 1
    beyond = sum(sign * d > sign * observed for d in deviations)
    equal = sum(d == observed for d in deviations)
    return Fraction(beyond, len(deviations)), Fraction(equal, len(deviations))


def test_rows(
    pos: Sequence[float], neg: Sequence[float], where: Mapping[str, Any]
) -> Iterator[Expected]:
    """Yield the tests of one area."""
    deviations, observed = all_deviations(pos, neg), observed_deviation(pos, neg)
    m, n = len(pos), len(neg)
    variance = Fraction(sum(d * d for d in deviations), len(deviations) * (2 * m * n) ** 2)
    distance, root = Fraction(observed, 2 * m * n), math.sqrt(variance)
    answer = {"estimate": float(distance + Fraction(1, 2)), "statistic": float(distance) / root}
    yield from computed("versus_random", where, answer)
    for side in SIDES:
        beyond, equal = shares(deviations, observed, side)
        p = beyond + equal
        keywords = {"alternative": side}
        yield from computed("versus_random", where, {"p_value": p}, method="exact", **keywords)
        mid = beyond + equal / 2
        yield from computed("versus_random", where, {"p_value": mid}, method="mid-p", **keywords)
        for k in (5, 20, 100):
            best = {"p_value": 1 - (1 - p) ** k}
            yield from computed("versus_random", where, best, n_candidates=k, **keywords)
        half = Fraction(1, 2 * m * n) * (-1 if side == "less" else 1)
        z = float(distance - half) / root
        p_normal = {
            "two-sided": 2 * tail(abs(z), math.inf),
            "greater": tail(z, math.inf),
            "less": tail(-z, math.inf),
        }[side]
        normal = {"statistic": z, "p_value": p_normal}
        yield from computed("versus_random", where, normal, method="asymptotic", **keywords)
    yield from brunner_munzel_rows(bf.Pairs.of(pos, neg), where)


def brunner_munzel_rows(pairs: bf.Pairs, where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield the t test with DeLong's variance."""
    t = (float(pairs.area) - 0.5) / math.sqrt(bf.delong(pairs))
    df = satterthwaite_df(pairs)
    test = {"statistic": t, "df": df, "p_value": 2 * tail(abs(t), df)}
    yield from computed("versus_random", where, test, method="brunner-munzel")


def derived_rows(where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield the digits of D1 that were worked out while the package was specified."""
    question = "versus_random"
    yield from derived(question, where, {"p_value": "0.0073586544"})
    yield from derived(question, where, {"p_value": "0.0038392980"}, alternative="greater")
    mid = {"p_value": "0.0034850770"}
    yield from derived(question, where, mid, method="mid-p", alternative="greater")
    test = {"statistic": "2.5428098", "p_value": "0.0109965057"}
    yield from derived(question, where, test, method="asymptotic")
    test = {"statistic": "4.2531293", "df": "15.8322553", "p_value": "0.0006205579"}
    yield from derived(question, where, test, method="brunner-munzel")
    for k, digits in {5: "0.0190497", 20: "0.0740488", 100: "0.3193239"}.items():
        best = {"p_value": digits}
        yield from derived(question, where, best, alternative="greater", n_candidates=k)


def make_d1() -> None:
    """Write the worked marker against chance."""
    pos, neg = by_class(D1)
    where = {"predictor": "d1"}
    deviations = all_deviations(pos, neg)
    if len(deviations) != 43758:
        raise ValueError("the text counts 43 758 subsets")
    squares = sum(d * d for d in deviations) / len(deviations)
    agree(squares / (2 * 80) ** 2, "0.0196282680")
    write_case(
        __file__,
        "d1",
        study={"y_true": "positive", "y_score": "d1"},
        columns={"positive": Y, "d1": D1},
        expected=[*derived_rows(where), *test_rows(pos, neg, where)],
    )


def make_ratings() -> None:
    """Write seventeen ratings with ties."""
    pos = [rating for rating, (count, _) in RATINGS.items() for _ in range(count)]
    neg = [rating for rating, (_, count) in RATINGS.items() for _ in range(count)]
    write_case(
        __file__,
        "ratings",
        study={"y_true": "positive", "y_score": "rating", "frequency": "n"},
        columns={
            "positive": [1, 0] * len(RATINGS),
            "rating": [rating for rating in RATINGS for _ in (1, 0)],
            "n": [count for counts in RATINGS.values() for count in counts],
        },
        expected=test_rows(pos, neg, {"predictor": "rating"}),
    )


def table_p_values() -> dict[str, dict[str, Fraction]]:
    """Return Fisher's p values and mid-p of the table in rational numbers, by side."""
    m, n, called = TP + FN, FP + TN, TP + FP
    mass = {
        tp: Fraction(comb(m, tp) * comb(n, called - tp), comb(m + n, called))
        for tp in range(max(0, called - n), min(m, called) + 1)
    }
    fisher = {
        "two-sided": sum((p for p in mass.values() if p <= mass[TP]), Fraction()),
        "greater": sum((p for tp, p in mass.items() if tp >= TP), Fraction()),
        "less": sum((p for tp, p in mass.items() if tp <= TP), Fraction()),
    }
    return {"fisher": fisher, "mid-p": {side: p - mass[TP] / 2 for side, p in fisher.items()}}


def point_rows() -> Iterator[Expected]:
    """Yield the tests and limits of the point; Wilson limits as roots of their equation."""
    question, where = "operating_points_versus_random", {"predictor": "called"}
    given: dict[str, Any] = {"threshold": 1}
    known = {
        "fisher": {"two-sided": "0.0037154181", "greater": "0.0029461132"},
        "mid-p": {"greater": "0.0016680296"},
    }
    for method, by_side in table_p_values().items():
        asked = {**given, "method": method}
        for side, p in by_side.items():
            yield from computed(question, where, {"p_value": p}, **asked, alternative=side)
        for side, digits in known[method].items():
            yield from derived(question, where, {"p_value": digits}, **asked, alternative=side)
    boschloo = {**given, "method": "boschloo", "alternative": "greater"}
    yield from derived(question, where, {"p_value": "0.0014736"}, **boschloo)
    yield from derived(question, where, {"statistic": "3.0240737"}, **given)
    low, high = newcombe_limits()
    for column, value, digits in (
        ("estimate", 13 / 30, "0.4333333"),
        ("ci_low", low, "0.1512579"),
        ("ci_high", high, "0.6319846"),
    ):
        yield from computed(question, where, {column: value}, **given)
        yield from derived(question, where, {column: digits}, **given)


def newcombe_limits() -> tuple[float, float]:
    """Return the hybrid limits of the difference of rates."""
    z = bf.z_of(LEVEL)
    (l1, u1), (l0, u0) = (bf.wilson(a / n, n, z) for a, n in ((TP, TP + FN), (FP, FP + TN)))
    for value, digits in zip(
        (l1, u1, l0, u0), ("0.4810272", "0.8545228", "0.1418266", "0.4444796"), strict=True
    ):
        agree(value, digits)
    tpr, fpr = TP / (TP + FN), FP / (FP + TN)
    return (
        tpr - fpr - math.sqrt((tpr - l1) ** 2 + (u0 - fpr) ** 2),
        tpr - fpr + math.sqrt((u1 - tpr) ** 2 + (fpr - l0) ** 2),
    )


def band_rows() -> Iterator[Expected]:
    """Yield the bands of random scorers, 20 positives and 30 negatives."""
    m, n = TP + FN, FP + TN
    for k in range(n):
        # positives above the (k + 1)-th negative: arrangements of all cases that have tp there
        mass = [
            Fraction(comb(tp + k, k) * comb(m - tp + n - k - 1, n - k - 1), comb(m + n, m))
            for tp in range(m + 1)
        ]
        ends = {
            column: next(t for t in range(m + 1) if sum(mass[: t + 1]) >= level) / m
            for column, level in (("tpr_low", Fraction(1, 40)), ("tpr_high", Fraction(39, 40)))
        }
        yield from computed("random_band", {"fpr": k / n}, ends)
    for k, low, high in ((3, "0.00", "0.35"), (15, "0.25", "0.80")):
        yield from derived("random_band", {"fpr": k / n}, {"tpr_low": low, "tpr_high": high})
    yield from flagged_rows(m, n)
    d = kolmogorov_distance(m, n)
    for k in range(n + 1):
        fpr = Fraction(k, n)
        band = {"tpr_low": max(Fraction(0), fpr - d), "tpr_high": min(Fraction(1), fpr + d)}
        yield from computed("random_band", {"fpr": k / n}, band, scope="simultaneous")


def flagged_rows(m: int, n: int) -> Iterator[Expected]:
    """Yield the band at each number of cases flagged: every choice of them is alike."""
    for k in range(m + n + 1):
        mass = [
            Fraction(comb(m, tp) * comb(n, k - tp), comb(m + n, k)) for tp in range(min(m, k) + 1)
        ]
        where = {"fpr": k / (m + n)}
        for of_pos, of_neg, level in (
            ("tpr_low", "fpr_high", Fraction(1, 40)),
            ("tpr_high", "fpr_low", Fraction(39, 40)),
        ):
            tp = next(t for t in range(len(mass)) if sum(mass[: t + 1]) >= level)
            rates = {of_pos: tp / m, of_neg: (k - tp) / n}
            yield from computed("random_band", where, rates, at="flagged")


def kolmogorov_distance(m: int, n: int) -> Fraction:
    """Return the least d that at most 5 % of all curves reach, by counting curves."""
    step = Fraction(1, math.lcm(m, n))
    reach = Fraction(1)
    while outside(m, n, reach - step) <= Fraction(1, 20):
        reach -= step
    agree(reach, "0.3833333")
    agree(outside(m, n, reach), "0.0480403")
    agree(float(outside(8, 10, Fraction(575, 1000))), "0.0704")
    return reach


def outside(m: int, n: int, d: Fraction) -> Fraction:
    """Return the share of curves with abs(i/m - j/n) >= d somewhere, counted in whole numbers."""
    paths: dict[tuple[int, int], int] = {}
    for i in range(m + 1):
        for j in range(n + 1):
            if abs(Fraction(i, m) - Fraction(j, n)) >= d:
                continue
            before = paths.get((i - 1, j), 0) + paths.get((i, j - 1), 0)
            paths[i, j] = before if i + j else 1
    return 1 - Fraction(paths.get((m, n), 0), comb(m + n, m))


def make_table() -> None:
    """Write one point of ROC space, and the bands of random scorers."""
    write_case(
        __file__,
        "table_14_6_8_22",
        study={"y_true": "positive", "y_score": "called", "frequency": "n"},
        columns={"positive": [1, 1, 0, 0], "called": [1, 0, 1, 0], "n": [TP, FN, FP, TN]},
        expected=[*point_rows(), *band_rows()],
    )


if __name__ == "__main__":
    make_d1()
    make_ratings()
    make_table()
