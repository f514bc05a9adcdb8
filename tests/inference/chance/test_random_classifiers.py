"""Curves and points of random scorers: printed limits, SciPy's quantiles, enumeration."""

from __future__ import annotations

import re
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom

import rocstats as rs
from rocstats.inference.chance.random_classifiers import (
    kolmogorov_critical,
    random_tp_hypergeometric_limits,
    random_tpr_beta_binomial_limits,
    share_of_random_curves_inside,
)
from tests import examples
from tests.quick import each


# docs/methods/chance.md, "Worked limits of a random scorer"
def test_printed_pointwise_limits():
    low, high = random_tpr_beta_binomial_limits(20, 30, np.array([3, 15]), 0.95)
    assert low.tolist() == [0.0, 0.25]
    assert high.tolist() == [0.35, 0.80]


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (20, 30), (50, 7), (4, 90)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_pointwise_limits_are_the_quantiles_of_scipy(m, n, level):
    from scipy.stats import betabinom

    low, high = random_tpr_beta_binomial_limits(m, n, np.arange(n + 1), level)
    for k in range(n):
        law = betabinom(m, k + 1, n - k)
        for found, p in ((low[k], (1 - level) / 2), (high[k], (1 + level) / 2)):
            tp = round(found * m)
            assert law.cdf(tp) >= p - 1e-9
            assert tp == 0 or law.cdf(tp - 1) < p + 1e-9
    assert (low[n], high[n]) == (1, 1)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (20, 30), (50, 7), (4, 90), (900, 2500)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_limits_of_flagged_cases_are_the_quantiles_of_scipy(m, n, level):
    flagged = np.unique(np.linspace(0, m + n, 60).astype(int))
    low, high = random_tp_hypergeometric_limits(m, n, flagged, level)
    law = hypergeom(m + n, m, flagged)
    assert low.tolist() == law.ppf((1 - level) / 2 - 1e-10).tolist()
    assert high.tolist() == law.ppf((1 + level) / 2 - 1e-10).tolist()


def test_true_positives_above_a_negative_are_beta_binomial_by_enumeration():
    # m = 3, n = 4, k = 1: positives above the second highest negative, over all C(7, 3) orders
    above = []
    for positives in combinations(range(7), 3):
        negatives = [place for place in range(7) if place not in positives]
        above.append(sum(place < negatives[1] for place in positives))
    shares = np.bincount(above, minlength=4) / len(above)
    reached = np.cumsum(shares)
    for level in (0.2, 0.6, 0.9):
        low, high = random_tpr_beta_binomial_limits(3, 4, np.array([1]), level)
        assert low[0] * 3 == np.searchsorted(reached, (1 - level) / 2 - 1e-12)
        assert high[0] * 3 == np.searchsorted(reached, (1 + level) / 2 - 1e-12)


def test_windows_do_not_change_the_limits_of_large_samples():
    from scipy.stats import betabinom

    k = np.array([0, 1, 500, 1999])
    low, high = random_tpr_beta_binomial_limits(3000, 2000, k, 0.95)
    for i, flagged in enumerate(k):
        law = betabinom(3000, flagged + 1, 2000 - flagged)
        assert (low[i] * 3000, high[i] * 3000) == pytest.approx(law.ppf([0.025, 0.975]))


def kolmogorov_p_value(n_pos: int, n_neg: int, distance: float) -> float:
    """Return P(max abs(TPR - FPR) >= distance) of a random scorer without ties, exactly."""
    reach = round(distance * n_pos * n_neg / np.gcd(n_pos, n_neg)) * np.gcd(n_pos, n_neg)
    return 1 - share_of_random_curves_inside(n_pos, n_neg, reach)


def test_printed_kolmogorov_values():
    assert kolmogorov_critical(20, 30, 0.05) == pytest.approx(0.3833333, abs=5e-8)
    assert kolmogorov_p_value(20, 30, 23 / 60) == pytest.approx(0.0480403, abs=5e-8)
    # the largest Youden index of D1, 8 positives and 10 negatives
    assert kolmogorov_p_value(8, 10, 0.575) == pytest.approx(0.0704, abs=5e-5)


@pytest.mark.parametrize(("m", "n"), [(1, 2), (7, 30), (7, 200), (100, 200)])
def test_all_curves_are_a_share_of_1_without_rounding_past_it(m, n):
    share = share_of_random_curves_inside(m, n, m * n + 1)
    assert share <= 1
    assert share == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("m", "n"), [(2, 3), (4, 4), (5, 3), (6, 5)])
def test_kolmogorov_p_values_are_those_of_full_enumeration(m, n):
    largest = []
    for positives in combinations(range(m + n), m):
        tpr = np.cumsum(np.isin(np.arange(m + n), positives)) / m
        fpr = np.cumsum(~np.isin(np.arange(m + n), positives)) / n
        largest.append(np.abs(tpr - fpr).max())
    for d in np.unique(np.round(largest, 12)):
        expected = np.mean(np.array(largest) >= d - 1e-9)
        assert kolmogorov_p_value(m, n, d) == pytest.approx(expected, abs=1e-12)
    for alpha in (0.05, 0.3, 0.8):
        d = kolmogorov_critical(m, n, alpha)
        if np.isinf(d):
            assert np.mean(np.array(largest) >= 1 - 1e-9) > alpha
        else:
            step = 1 / np.lcm(m, n)
            assert np.mean(np.array(largest) >= d - 1e-9) <= alpha
            assert np.mean(np.array(largest) >= d - step - 1e-9) > alpha


@pytest.mark.parametrize(("m", "n"), [(30, 40), (7, 200), (400, 500)])
def test_kolmogorov_p_values_are_those_of_scipy(m, n, rng):
    from scipy.stats import ks_2samp

    found = ks_2samp(rng.normal(size=m), rng.normal(0.4, size=n), method="exact")
    assert kolmogorov_p_value(m, n, found.statistic) == pytest.approx(found.pvalue, abs=1e-9)


def test_large_samples_take_the_asymptotic_value():
    # the 5 % point of the Kolmogorov distribution is 1.3581
    assert kolmogorov_critical(2000, 3000, 0.05) == pytest.approx(
        1.3581 * np.sqrt(1 / 2000 + 1 / 3000), abs=1e-5
    )
    assert 1.3581 * np.sqrt(1 / 20 + 1 / 30) == pytest.approx(0.392, abs=5e-4)
    near = kolmogorov_critical(1000, 1000, 0.05)
    assert near == pytest.approx(1.3581 * np.sqrt(2 / 1000), abs=2e-3)


def test_no_distance_is_beyond_chance_in_tiny_samples():
    assert np.isinf(kolmogorov_critical(1, 1, 0.05))
    assert np.isinf(kolmogorov_critical(2, 3, 0.05))


@pytest.fixture
def twenty_thirty():
    return rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)


# docs/methods/chance.md, "Worked limits of a random scorer"
def test_printed_pointwise_band(twenty_thirty):
    band = twenty_thirty.random_band()
    assert band["fpr"].tolist() == pytest.approx(np.arange(31) / 30)
    assert band["tpr"].equals(band["fpr"].rename("tpr"))
    assert band.loc[[3, 15], ["tpr_low", "tpr_high"]].to_numpy().tolist() == [
        [0, 0.35],
        [0.25, 0.80],
    ]
    assert set(band["scope"]) == {"pointwise"}
    assert set(band["method"]) == {"beta-binomial"}


def test_printed_simultaneous_band(twenty_thirty):
    band = twenty_thirty.random_band(scope="simultaneous")
    expected = np.clip(band["fpr"].to_numpy()[:, None] + [-0.3833333, 0.3833333], 0, 1)
    np.testing.assert_allclose(band[["tpr_low", "tpr_high"]], expected, atol=5e-8)
    assert set(band["method"]) == {"kolmogorov/exact"}
    assert set(band["confidence_level"]) == {0.95}


def test_random_scorers_stay_inside(rng):
    m, n, replicates = 20, 30, 2000
    study = rs.Study.from_confusion(tp=1, fn=m - 1, fp=1, tn=n - 1)
    limits = {
        scope: study.random_band(scope=scope)[["tpr_low", "tpr_high"]].to_numpy().T
        for scope in ("pointwise", "simultaneous")
    }
    at_rate, everywhere = np.zeros(n + 1), 0
    for _ in range(replicates):
        order = rng.permutation(np.repeat([1, 0], [m, n]))
        places = np.append(np.flatnonzero(order == 0), m + n)
        top = np.cumsum(np.append(order, 0))[places] / m  # upper end of each vertical step
        low, high = limits["pointwise"]
        at_rate += (low <= top) & (top <= high)
        bottom = np.append(0, top[:-1])
        low, high = limits["simultaneous"]
        inside = (top < high) | (high == 1)
        everywhere += np.all(inside & ((bottom > low) | (low == 0)))
    error = 4 * np.sqrt(0.95 * 0.05 / replicates)
    assert (at_rate[:-1] / replicates >= 0.95 - error).all()
    # 1 - .0480403 of all curves, docs/methods/chance.md, "Worked limits of a random scorer"
    assert everywhere / replicates == pytest.approx(1 - 0.0480403, abs=error)


def test_random_scorers_stay_inside_at_each_number_flagged(rng):
    m, n, replicates = 12, 18, 4000
    band = rs.Study.from_confusion(tp=1, fn=m - 1, fp=1, tn=n - 1).random_band(at="flagged")
    assert band["fpr"].tolist() == pytest.approx(np.arange(31) / 30)
    assert set(band["method"]) == {"hypergeometric"}
    # Both ends of a row flag so many cases.
    for ends in (("tpr_low", "fpr_high"), ("tpr_high", "fpr_low")):
        found = m * band[ends[0]] + n * band[ends[1]]
        assert found.tolist() == pytest.approx(np.arange(31), abs=1e-12)
    order = rng.permuted(np.tile(np.repeat([1, 0], [m, n]), (replicates, 1)), axis=1)
    tpr = np.cumsum(np.hstack([np.zeros((replicates, 1)), order]), axis=1) / m
    outside = [
        np.mean(tpr < band["tpr_low"].to_numpy() - 1e-9, axis=0),
        np.mean(tpr > band["tpr_high"].to_numpy() + 1e-9, axis=0),
    ]
    assert np.max(outside) <= 0.025 + 4 * np.sqrt(0.025 * 0.975 / replicates)


def test_exchanged_classes_mirror_the_band_at_numbers_flagged():
    # Positives among the flagged are the flagged less their negatives.
    band = rs.Study.from_confusion(tp=3, fn=4, fp=2, tn=9).random_band(at="flagged")
    other = rs.Study.from_confusion(tp=2, fn=9, fp=3, tn=4).random_band(at="flagged")
    np.testing.assert_allclose(band["fpr_low"], other["tpr_low"], atol=1e-12)
    np.testing.assert_allclose(band["fpr_high"], other["tpr_high"], atol=1e-12)


def test_many_numbers_flagged_are_thinned():
    band = rs.Study.from_confusion(tp=300, fn=700, fp=500, tn=4500).random_band(at="flagged")
    assert len(band) == 501
    assert band[["fpr", "tpr_high", "fpr_high"]].iloc[-1].tolist() == [1, 1, 1]


def test_random_points_are_hypergeometric_at_numbers_that_are_uniform():
    m, n, size = 5, 7, 60_000
    study = rs.Study.from_confusion(tp=1, fn=m - 1, fp=1, tn=n - 1)
    points = study.random_points(n_points=size, rng=3)
    assert points["fpr"].tolist() == (points["fp"] / n).tolist()
    assert points["tpr"].tolist() == (points["tp"] / m).tolist()
    for tp in range(m + 1):
        for fp in range(n + 1):
            k = tp + fp
            chance = comb(m, tp) * comb(n, fp) / comb(m + n, k) / (m + n + 1)
            found = np.mean((points["tp"] == tp) & (points["fp"] == fp))
            assert abs(found - chance) < 4.5 * np.sqrt(chance / size)
    pd.testing.assert_frame_equal(points, study.random_points(n_points=size, rng=3))
    assert points.attrs["rocstats"]["seed"] == 3


def test_groups_have_random_points_of_their_sizes(patients):
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    points = study.random_points(n_points=50, rng=1)
    assert points.groupby("group").size().to_dict() == {"x": 50, "y": 50}
    for group, part in study.by_group():
        own = points[points["group"] == group]
        assert own["tp"].max() <= part.n_pos
        assert own["fp"].max() <= part.n_neg
    alone = study.by_group()[0][1].random_points(n_points=50, rng=1)
    assert alone["tp"].tolist() == points["tp"].tolist()[:50]


def test_every_predictor_has_the_same_band(three):
    band = three.random_band(confidence_level=0.8)
    pieces = [piece.drop(columns="predictor") for _, piece in band.groupby("predictor")]
    assert len(pieces) == 3
    for piece in pieces[1:]:
        np.testing.assert_array_equal(piece["tpr_high"], pieces[0]["tpr_high"])


def test_groups_have_bands_of_their_sizes(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", group="site")
    assert study.random_band().groupby("group").size().to_dict() == {"x": 3, "y": 5}
    one = rs.Study([1, 1, 0, 0, 1], [3, 2, 1, 2, 0], group=["u", "u", "u", "u", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        assert set(one.random_band()["group"]) == {"u"}


def test_folds_are_pooled_with_a_warning():
    study = rs.Study(examples.Y, examples.D1, fold=np.arange(18) % 2)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        study.random_band()


def test_nothing_is_beyond_chance_in_tiny_samples():
    band = rs.Study([1, 0], [1, 0]).random_band(scope="simultaneous")
    assert band[["tpr_low", "tpr_high"]].to_numpy().tolist() == [[0, 1], [0, 1]]


def test_many_negatives_are_thinned_and_the_largest_are_asymptotic():
    study = rs.Study.from_confusion(tp=300, fn=700, fp=500, tn=4500)
    band = study.random_band()
    assert len(band) == 501
    assert (band["fpr"].iloc[0], band["fpr"].iloc[-1]) == (0, 1)
    wide = study.random_band(scope="simultaneous")
    assert set(wide["method"]) == {"kolmogorov/asymptotic"}
    assert (wide["tpr_high"] >= band["tpr_high"])[5:].all()


def test_the_band_is_drawn_once_behind_the_curves(three):

    band = three.random_band()
    ax = rs.plot_roc(three.roc_curve(), null_band=band)
    (drawn,) = ax.collections
    assert drawn.get_zorder() < min(line.get_zorder() for line in ax.lines)
    vertices = drawn.get_paths()[0].vertices
    first = band[band["predictor"] == "d1"]
    for fpr, high in zip(first["fpr"], first["tpr_high"], strict=True):
        assert np.min(np.abs(vertices - [fpr, high]).sum(axis=1)) < 1e-12
    with pytest.raises(rs.InputError, match=r"`null_band` must have columns .* study.random_band"):
        rs.plot_roc(three.roc_curve(), null_band=three.roc_curve())


def test_the_band_of_each_group_is_drawn(patients):

    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    ax = rs.plot_roc(study.roc_curve(), null_band=study.random_band())
    assert len(ax.collections) == 2


def of_d1(**roles):
    return rs.Study(examples.Y, examples.D1, **roles)


MESSAGES = [
    (lambda: of_d1().random_band(scope="future"), "`scope` must be one of"),
    (lambda: of_d1().random_band(at="tpr"), "`at` must be one of"),
    (
        lambda: of_d1().random_band(confidence_level=95),
        "`confidence_level` must be a number strictly between 0 and 1",
    ),
    (
        lambda: of_d1().random_band(at="flagged", scope="simultaneous"),
        "`at` must be 'fpr' for the simultaneous band",
    ),
    (lambda: of_d1().random_points(n_points=0), "`n_points` must be a whole number >= 1"),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
