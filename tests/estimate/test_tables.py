"""Tables of points: products of the counts of clusters, slopes of measures in the rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate.tables import (
    PointTables,
    cluster_tables,
    measure_slopes_in_rates,
    small_sample_factor_of_clusters,
)
from rocstats.facts.measures import MEASURES, Cells, cells_at, measure
from tests.strategies import samples


@st.composite
def clustered(draw):
    y, (score,) = draw(samples(least=1))
    n = len(y)
    cluster = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    times = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    times = np.array(times)
    times[np.argmax(y)] = times[np.argmin(y)] = 1
    return y, score, np.array(cluster), times


@given(clustered(), st.booleans())
def test_products_are_sums_over_clusters(data, higher):
    y, score, cluster, times = data
    study = rs.Study(y, score, cluster=cluster, frequency=times, higher_is_positive=higher)
    curve = study.roc_curve()
    vertex = np.arange(len(curve))
    tables = cluster_tables(study.cases, 0, vertex)
    for i, threshold in enumerate(curve["threshold"]):
        called = score >= threshold if higher else score <= threshold
        each = {
            "x": [times[(cluster == c) & called & (y == 1)].sum() for c in range(6)],
            "y": [times[(cluster == c) & called & (y == 0)].sum() for c in range(6)],
            "m": [times[(cluster == c) & (y == 1)].sum() for c in range(6)],
            "n": [times[(cluster == c) & (y == 0)].sum() for c in range(6)],
        }
        x, v, m, n = (np.array(each[name]) for name in "xymn")
        for pair, found in tables.products.items():
            assert found[i] == np.dot(each[pair[0]], each[pair[1]]), pair
        assert tables.called[i] == np.count_nonzero(x + v)
        assert tables.left[i] == np.count_nonzero(m + n - x - v)
        assert tables.missed[i] == np.count_nonzero(m + v)
    assert (tables.n_pos, tables.n_neg, tables.n_all) == tuple(
        np.count_nonzero(counts) for counts in (m, n, m + n)
    )


def test_a_product_of_influences_is_a_quadratic_form(rng):
    y, score = np.tile([1, 0, 1], 10), rng.integers(0, 5, 30).astype(float)
    cluster = rng.integers(0, 7, 30)
    study = rs.Study(y, score, cluster=cluster)
    tables = cluster_tables(study.cases, 0, np.array([2]))
    called = score >= np.unique(score)[-2]
    counts = np.array(
        [
            [np.sum((cluster == c) & (y == label) & mask) for c in range(7)]
            for label, mask in ((1, called), (0, called), (1, True), (0, True))
        ]
    )
    first, second = rng.normal(size=(2, 4))
    expected = (first @ counts) @ (second @ counts)
    assert tables.product(tuple(first), tuple(second))[0] == pytest.approx(expected)


def test_one_cluster_has_no_variance():
    assert small_sample_factor_of_clusters(
        np.array([0.0, 1.0, 2.0, 5.0])
    ).tolist() == pytest.approx([np.nan, np.nan, 2, 1.25], nan_ok=True)


def test_a_rate_that_all_clusters_share_is_not_correlated():
    # 3 of 7 negatives in both clusters: the variance of the FPR is 0, and -3e-17 as computed.
    y, score = [1, 1, 1, 1] + [0] * 14, [1, 1, 0, 0] + [1, 1, 1, 0, 0, 0, 0] * 2
    study = rs.Study(y, score, cluster=[0, 0, 0, 1] + [0] * 7 + [1] * 7)
    vertex = np.flatnonzero(study.roc_curve()["threshold"] == 1)
    tables = PointTables(
        Cells(*(np.array([float(n)]) for n in (2, 2, 6, 8))), 4.0, 14.0,
        cluster_tables(study.cases, 0, vertex),
    )  # fmt: skip
    assert tables.correlation().tolist() == [0.0]


@given(st.sampled_from(list(MEASURES)), *[st.floats(0.05, 0.95)] * 3)
def test_slopes_are_differences(name, t, f, p):
    found = [
        float(slope[0]) for slope in measure_slopes_in_rates(name, np.array([t]), np.array([f]), p)
    ]
    h = 1e-6
    for i, slope in enumerate(found):
        ends = [[t, f, p], [t, f, p]]
        ends[0][i] -= h
        ends[1][i] += h
        low, high = (
            measure(name, cells_at(np.array([a]), np.array([b]), c))[0] for a, b, c in ends
        )
        assert slope == pytest.approx((high - low) / (2 * h), rel=1e-4, abs=1e-5)
