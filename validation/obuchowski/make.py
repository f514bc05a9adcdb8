"""Make the clustered examples: ``python validation/obuchowski/make.py``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.oracle_rows import (
    LEVEL,
    clip,
    covariance_rows,
    estimate_rows,
    pair_rows,
    pair_where,
)
from validation.reference import (
    D1,
    Expected,
    Y,
    agree,
    as_limits,
    computed,
    derived,
    write_case,
)


@dataclass(frozen=True)
class Unit:
    """A case: its class, its cluster, its scores."""

    positive: bool
    cluster: int
    scores: tuple[float, ...]


def kernel(x: float, y: float) -> Fraction:
    """Return 1, 1/2 or 0."""
    return Fraction(int(x > y)) + Fraction(int(x == y), 2)


class Clusters:
    """Obuchowski's sums, written as loops over clusters and units."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self.pos = [unit for unit in units if unit.positive]
        self.neg = [unit for unit in units if not unit.positive]
        self.labels = sorted({unit.cluster for unit in units})

    def area(self, k: int) -> Fraction:
        """Return the area of predictor k, over all pairs of units."""
        total = sum(
            (kernel(p.scores[k], n.scores[k]) for p in self.pos for n in self.neg), Fraction()
        )
        return total / (len(self.pos) * len(self.neg))

    def sums(self, k: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """Return by cluster the sums of V10 - A over positives and of V01 - A over negatives."""
        area, m, n = self.area(k), len(self.pos), len(self.neg)
        of_pos = dict.fromkeys(self.labels, Fraction())
        of_neg = dict.fromkeys(self.labels, Fraction())
        for p in self.pos:
            placed = sum((kernel(p.scores[k], other.scores[k]) for other in self.neg), Fraction())
            of_pos[p.cluster] += placed / n - area
        for q in self.neg:
            placed = sum((kernel(other.scores[k], q.scores[k]) for other in self.pos), Fraction())
            of_neg[q.cluster] += placed / m - area
        return of_pos, of_neg

    def parts(self, r: int, s: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Return S10, S01 and both S11 of predictors r and s."""
        m, n, every = len(self.pos), len(self.neg), len(self.labels)
        with_pos = len({unit.cluster for unit in self.pos})
        with_neg = len({unit.cluster for unit in self.neg})
        (pos_r, neg_r), (pos_s, neg_s) = self.sums(r), self.sums(s)

        def products(a: Mapping[int, Fraction], b: Mapping[int, Fraction]) -> Fraction:
            return sum((a[label] * b[label] for label in self.labels), Fraction())

        return (
            Fraction(with_pos, (with_pos - 1) * m) * products(pos_r, pos_s),
            Fraction(with_neg, (with_neg - 1) * n) * products(neg_r, neg_s),
            Fraction(every, every - 1) * products(pos_r, neg_s),
            Fraction(every, every - 1) * products(pos_s, neg_r),
        )

    def covariance(self, r: int, s: int) -> Fraction:
        """Return S10/m + S01/n + (S11_rs + S11_sr)/(mn)."""
        m, n = len(self.pos), len(self.neg)
        s10, s01, s11, other = self.parts(r, s)
        return s10 / m + s01 / n + (s11 + other) / (m * n)

    def df(self, k: int) -> float:
        """Return Satterthwaite's df of area k: clusters with positives, negatives or both alone."""
        m, n, every = len(self.pos), len(self.neg), len(self.labels)
        pos, neg = ({unit.cluster for unit in units} for units in (self.pos, self.neg))
        of_pos, of_neg = self.sums(k)
        kinds = [kind for kind in (pos - neg, neg - pos, pos & neg) if kind]
        parts = [
            sum(
                (
                    Fraction(len(pos), len(pos) - 1) * of_pos[label] ** 2 / m**2
                    + Fraction(len(neg), len(neg) - 1) * of_neg[label] ** 2 / n**2
                    + Fraction(2 * every, every - 1) * of_pos[label] * of_neg[label] / (m * n)
                    for label in kind
                ),
                Fraction(),
            )
            for kind in kinds
        ]
        return float(
            bf.satterthwaite(parts, [max(self.equal(kind) - 1, Fraction(1)) for kind in kinds])
        )

    def equal(self, kind: set[int]) -> Fraction:
        """Return (sum s^2)^2 / sum s^4 of the shares of both classes that clusters have."""
        shares = [
            sum(
                (
                    Fraction(sum(unit.cluster == label for unit in units), len(units))
                    for units in (self.pos, self.neg)
                ),
                Fraction(),
            )
            for label in kind
        ]
        return sum(s**2 for s in shares) ** 2 / Fraction(sum(s**4 for s in shares))


def area_rows(data: Clusters, k: int, name: str) -> Iterator[Expected]:
    """Yield the area of a predictor with its clustered variance and limits."""
    where, area = {"predictor": name}, float(data.area(k))
    se, df = math.sqrt(data.covariance(k, k)), data.df(k)
    z, t = bf.z_of(LEVEL), bf.t_of(LEVEL, df)
    yield from estimate_rows("auc", where, area, se)
    yield from computed("auc", where, as_limits(bf.probit_limits(area, se, z)), interval="probit")
    yield from computed("auc", where, as_limits(clip(bf.wald_limits(area, se, z))), interval="wald")
    yield from computed("auc", where, as_limits(bf.logit_limits(area, se, t)), interval="logit-t")
    test = {"df": df, "statistic": bf.logit(area) * area * (1 - area) / se}
    yield from computed("auc", where, test, interval="logit-t", null_value=0.5)
    of_pos = len({unit.cluster for unit in data.pos})
    of_neg = len({unit.cluster for unit in data.neg})
    newcombe = bf.score_limits(area, of_pos, of_neg, z, bf.newcombe)
    yield from computed("auc", where, as_limits(newcombe), interval="newcombe")


def columns(units: Sequence[Unit], names: Sequence[str]) -> dict[str, Sequence[object]]:
    """Return the columns of input.csv."""
    return {
        "positive": [int(unit.positive) for unit in units],
        "cluster": [unit.cluster for unit in units],
        **{name: [unit.scores[k] for unit in units] for k, name in enumerate(names)},
    }


def write_d1() -> None:
    """Write a small marker in seven clusters."""
    clusters = [1, 1, 2, 3, 3, 4, 5, 6, 1, 2, 2, 3, 4, 4, 5, 6, 7, 7]
    units = [Unit(bool(y), c, (s,)) for y, c, s in zip(Y, clusters, D1, strict=True)]
    data, where = Clusters(units), {"predictor": "score"}
    for value, digits in zip(
        data.parts(0, 0), ("0.03496875", "0.053703125", "-0.27671875"), strict=False
    ):
        agree(value, digits)
    both = pair_where("score", "score")
    write_case(
        __file__,
        "d1_clusters",
        study={"y_true": "positive", "y_score": "score", "cluster": "cluster"},
        columns=columns(units, ["score"]),
        expected=[
            *derived("auc", where, {"se": "0.0531360283"}),
            *derived("covariance", both, {"covariance": "0.0028234375"}),
            *area_rows(data, 0, "score"),
        ],
    )


def units_of_20() -> list[Unit]:
    """Return 41 units in 20 clusters, by rule."""
    units = []
    for i in range(1, 21):
        for j in range(1, 2 + i % 3):
            positive = (7 * i + 3 * j) % 5 < 2
            x = ((37 * i + 17 * j) % 29) / 10 + 0.9 * positive
            y = ((23 * i + 11 * j) % 31) / 10 + 0.5 * positive
            units.append(Unit(positive, i, (round(x, 6), round(y, 6))))
    return units


def digits_of_20(variances: Mapping[tuple[str, str], str]) -> Iterator[Expected]:
    """Yield the derived rows of the 41 units."""
    for name, digits in (("x", "0.8625"), ("y", "0.47375")):
        yield from derived("auc", {"predictor": name}, {"estimate": digits})
    for names, digits in variances.items():
        yield from derived("covariance", pair_where(*names), {"covariance": digits})


def write_clusters_20() -> None:
    """Write two markers in 20 clusters, made by rule."""
    units = units_of_20()
    data = Clusters(units)
    variance = data.covariance(0, 0) + data.covariance(1, 1) - 2 * data.covariance(0, 1)
    areas = (data.area(0), data.area(1))
    variances = {
        ("x", "x"): "0.00462571120226",
        ("y", "y"): "0.01112863610742",
        ("x", "y"): "-0.00166158549129",
    }
    test = {"statistic": "2.8145532046", "p_value": "0.00488450914597"}
    covariances: list[Expected] = []
    for (i, a), (j, b) in product(enumerate("xy"), repeat=2):
        value = {"covariance": data.covariance(i, j)}
        covariances += computed("covariance", pair_where(a, b), value)
    write_case(
        __file__,
        "clusters_20",
        study={"y_true": "positive", "y_score": ["x", "y"], "cluster": "cluster"},
        columns=columns(units, ["x", "y"]),
        expected=[
            *digits_of_20(variances),
            *derived("compare_auc", pair_where("x", "y"), test, interval="wald"),
            *area_rows(data, 0, "x"),
            *area_rows(data, 1, "y"),
            *covariances,
            *pair_rows(("x", "y"), areas, variance),
        ],
    )


def write_clusters_ignored() -> None:
    """Write the same units as if each were alone."""
    units = units_of_20()
    predictors = {
        name: bf.Pairs.of(
            [unit.scores[k] for unit in units if unit.positive],
            [unit.scores[k] for unit in units if not unit.positive],
        )
        for k, name in enumerate("xy")
    }
    alone = Clusters([Unit(u.positive, i, u.scores) for i, u in enumerate(units)])
    if alone.covariance(0, 1) != bf.delong(predictors["x"], predictors["y"]):
        raise ValueError("clusters of one must give DeLong's covariance")
    rows = digits_of_20(
        {("x", "x"): "0.00373867", ("y", "y"): "0.00928169", ("x", "y"): "-0.00137298"}
    )
    write_case(
        __file__,
        "clusters_ignored",
        study={"y_true": "positive", "y_score": ["x", "y"]},
        columns=columns(units, ["x", "y"]),
        expected=[*rows, *covariance_rows(predictors)],
    )


if __name__ == "__main__":
    write_d1()
    write_clusters_20()
    write_clusters_ignored()
