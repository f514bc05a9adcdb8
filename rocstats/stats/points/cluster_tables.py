"""Clustered cases under many thresholds at once: products of the counts of their clusters.

Cluster c has m positives and n negatives, of which x and y are called positive. The influence of a
cluster on any measure of a table is linear in these four, so that its variance is a quadratic form
of the sums of their products, which one pass over the sorted cases gives for every threshold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers

Weights = tuple[FloatArray | float, FloatArray | float, FloatArray | float, FloatArray | float]
"""Weights of x, y, m and n in an influence at each threshold."""

_COUNTS = "xymn"


class ClusterTables(NamedTuple):
    """Sums of products of the clusters' counts at G thresholds, and numbers of clusters.

    ``products`` has an array for each pair of the letters x, y, m and n; ``called`` and ``left``
    count the clusters with a case called positive, or called negative; ``missed`` those with a
    positive or a case called positive, which F1 is about.
    """

    products: dict[str, FloatArray]
    n_pos: int
    n_neg: int
    n_all: int
    called: FloatArray
    left: FloatArray
    missed: FloatArray

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


def small_sample(n_clusters: FloatArray | float) -> FloatArray:
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
    rows = _Rows.sorted(codes[kept], cluster[kept], weight[kept], cases.is_positive[kept])
    of_pos, of_neg, _ = cluster_numbers(cases)
    # A cluster has a case called positive once the vertex passes its most positive score.
    first, last = rows.ends()
    negative_only = np.bincount(rows.cluster, rows.positive, minlength=len(first)) == 0
    return ClusterTables(
        rows.products(vertex),
        of_pos,
        of_neg,
        len(first),
        _before(first, vertex),
        len(last) - _before(last, vertex),
        of_pos + _before(first[negative_only], vertex),
    )


def _before(codes: IntArray, vertex: IntArray) -> FloatArray:
    return np.searchsorted(np.sort(codes), vertex).astype(np.float64)


class _Rows(NamedTuple):
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
    ) -> _Rows:
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

    def _earlier(self, part: FloatArray) -> FloatArray:
        """Return the sum of earlier cases of the same cluster."""
        before = np.cumsum(part) - part
        return np.asarray(before - before[self.starts][self.cluster])
