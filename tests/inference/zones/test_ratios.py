"""Likelihood ratios of bands of scores: docs/points/bands-of-scores.md."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import rocstats as rs
from tests.examples import D1, Y

# Koopman's limits, worked out while the method was specified.
CT = (
    (0.103386809, 0.034860073, 0.287800823),
    (0.379084967, 0.089779881, 1.557495742),
    (0.379084967, 0.089779881, 1.557495742),
    (1.137254902, None, None),
    (18.764705882, 5.420137502, 68.863822497),
)

OF_D1 = ((0, 0, 0.729195302), (1.25, 0.441120500, 3.486063674), (5, 0.948575713, 30.205947922))


def test_ratios_of_ratings_and_of_bands_are_the_worked_ones(ct):
    for found, expected in (
        (ct.band_likelihood_ratios(), CT),
        (rs.Study(Y, D1).band_likelihood_ratios([0.4, 0.7]), OF_D1),
    ):
        for row, digits in zip(found.itertuples(), expected, strict=True):
            for value, known in zip((row.estimate, row.ci_low, row.ci_high), digits, strict=True):
                assert known is None or value == pytest.approx(known, abs=6e-10)
    assert found[["n_pos", "n_neg"]].to_numpy().tolist() == [[0, 5], [4, 4], [4, 1]]
    assert found["band_low"].tolist() == [-np.inf, 0.4, 0.7]
    assert found["band_high"].tolist() == [0.4, 0.7, np.inf]
    assert found["note"].iloc[0] == "empty-cell"
    assert np.isnan(found["se"].iloc[0])


def test_bands_hold_their_lower_edge_and_all_cases_whatever_the_direction(ct):
    edges = [2, 4]
    found = ct.band_likelihood_ratios(edges)
    table = rs.load_ct_ratings()
    for low, high, n_pos, n_neg in found[["band_low", "band_high", "n_pos", "n_neg"]].to_numpy():
        inside = table[(table["rating"] >= low) & (table["rating"] < high)]
        assert [n_pos, n_neg] == [inside.loc[inside["abnormal"] == c, "n"].sum() for c in (1, 0)]
    again = rs.Study("abnormal", "rating", data=table, frequency="n", higher_is_positive=False)
    other = again.band_likelihood_ratios([-np.inf, *edges, np.inf])
    assert other["estimate"].tolist() == pytest.approx(found["estimate"].tolist())
    # Infinite scores are in the outer bands.
    ends = rs.Study([1, 0, 1, 0], [np.inf, -np.inf, 3, 1]).band_likelihood_ratios([2])
    assert ends[["n_pos", "n_neg"]].to_numpy().tolist() == [[0, 2], [2, 0]]


def test_log_limits_and_what_they_make_of_a_prevalence(ct):
    found = ct.band_likelihood_ratios([3], prevalence=[0.1, 0.4], ratio_interval="log")
    lr = found[found["quantity"] == "lr"].iloc[1]
    x1, n1, x0, n0 = 46, 51, 19, 58
    ratio, se = x1 / n1 / (x0 / n0), np.sqrt(1 / x1 - 1 / n1 + 1 / x0 - 1 / n0)
    assert lr["estimate"] == pytest.approx(ratio)
    assert lr["se"] == pytest.approx(ratio * se)
    assert lr["ci_high"] == pytest.approx(ratio * np.exp(norm.ppf(0.975) * se))
    after = found[found["quantity"] == "post_test_probability"].iloc[2:]
    for row in after.itertuples():
        odds = row.prevalence / (1 - row.prevalence)
        for name in ("estimate", "ci_low", "ci_high"):
            p = odds * lr[name] / (1 + odds * lr[name])
            assert getattr(row, name) == pytest.approx(p)
        assert row.se == pytest.approx(row.estimate * (1 - row.estimate) * se)
    assert after["prevalence"].tolist() == [0.1, 0.4]


def test_clusters_have_the_variance_of_their_sums():
    rng = np.random.default_rng(3)
    y, cluster = np.tile([1, 0, 1, 0], 30), np.repeat(np.arange(30), 4)
    score = rng.normal(size=120) + y
    found = rs.Study(y, score, cluster=cluster).band_likelihood_ratios([0, 1])
    zone = np.searchsorted([0, 1], score, side="right")

    def log_ratio(weight, b):
        inside = weight * (zone == b)
        rates = [inside[y == c].sum() / weight[y == c].sum() for c in (1, 0)]
        return np.log(rates[0] / rates[1])

    for b in range(3):
        # Numerical derivatives in the weight of a cluster.
        h, ones = 1e-5, np.ones(120)
        slopes = [
            (log_ratio(ones + h * (cluster == c), b) - log_ratio(ones - h * (cluster == c), b))
            / (2 * h)
            for c in range(30)
        ]
        se = np.sqrt(30 / 29 * np.sum(np.square(slopes)))
        row = found.iloc[b]
        assert row["se"] == pytest.approx(row["estimate"] * se, rel=1e-6)
        assert row["ci_high"] == pytest.approx(
            row["estimate"] * np.exp(norm.ppf(0.975) * se), rel=1e-6
        )
        assert row["method"] == "cluster-influence/log"
    assert found["note"].eq("").all()
    # The same cases in clusters of 2 and of 6: the errors are of these clusters, limits are longer.
    unequal = np.where(cluster < 15, np.arange(120) // 2, 100 + np.arange(120) // 6)
    other = rs.Study(y, score, cluster=unequal).band_likelihood_ratios([0, 1])
    z = np.log(other["ci_high"] / other["estimate"]) / (other["se"] / other["estimate"])
    assert (z > norm.ppf(0.975) + 0.01).all()
    each = rs.Study(y, score, cluster=np.arange(120)).band_likelihood_ratios([0, 1])
    plain = rs.Study(y, score).band_likelihood_ratios([0, 1])
    assert each["se"].to_numpy() == pytest.approx(plain["se"].to_numpy() * np.sqrt(120 / 119))


def test_what_is_not_known_is_noted():
    empty = rs.Study(Y, D1).band_likelihood_ratios([0.05, 0.4])
    assert "empty-band" in empty["note"].iloc[0]
    assert np.isnan(empty[["estimate", "ci_low", "ci_high", "se"]].iloc[0]).all()
    weighted = rs.Study(Y, D1, sample_weight=np.linspace(1, 2, 18))
    rows = weighted.band_likelihood_ratios([0.4], prevalence=0.2)
    assert rows["ci_low"].isna().all()
    assert rows["estimate"].notna().all()
    assert rows["note"].str.contains("weights-need-bootstrap").all()
    group = np.where(np.arange(18) < 3, "few", "rest")
    by_group = rs.Study(Y, D1, group=group).band_likelihood_ratios([0.6])
    assert by_group["note"].str.contains("one-class").tolist() == [True, True, False, False]
    pairs = rs.Study(Y, D1, cluster=np.arange(18) // 2).band_likelihood_ratios([0.4, 0.7])
    assert "zero-cell" in pairs["note"].iloc[0]
    assert "few-clusters" in pairs["note"].iloc[1]


def test_few_clusters_are_noted_beside_pooled_folds():
    clusters, folds = np.arange(18) // 2, np.arange(18) % 2
    study = rs.Study(Y, D1, cluster=clusters, fold=folds)
    for frame in (study.band_likelihood_ratios([0.4, 0.7]), study.grey_zone([0.4, 0.7])):
        notes = [set(note.split("; ")) for note in frame["note"]]
        assert all({"pooled-folds", "few-clusters"} <= codes for codes in notes)


def test_wrong_edges_are_refused_and_tables_name_the_bands(ct):
    study = rs.Study(Y, D1)
    with pytest.raises(rs.InputError, match="`edges` must be given for over 10 distinct scores"):
        study.band_likelihood_ratios()
    for edges in ([], [2, 1], [1, 1], [1, np.nan], "low", [[1, 2]], [1, np.inf, 2], [np.inf]):
        with pytest.raises(rs.InputError, match="`edges` must be numbers in ascending order"):
            study.band_likelihood_ratios(edges)
    with pytest.raises(rs.InputError, match="`prevalence` must be"):
        study.band_likelihood_ratios([0.4], prevalence=1)
    found = ct.band_likelihood_ratios([2, 4])
    assert rs.format_table(found)["Band"].tolist() == ["< 2", "2 to < 4", "≥ 4"]
    ax = rs.plot_forest(found)
    assert ax.get_xscale() == "log"
    assert "2 to < 4" in [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("interval", ["score", "log"])
def test_a_band_without_cases_has_no_limits(interval):
    study = rs.Study([1, 1, 1, 0, 0, 0], [1, 2, 3, 0, 1, 2])
    first = study.band_likelihood_ratios([-5, 1.5], ratio_interval=interval).iloc[0]
    assert np.isnan(first[["estimate", "ci_low", "ci_high"]].astype(float)).all()
    assert first["note"] == "empty-band"


def test_a_billionth_of_a_case_is_a_weight_as_others():
    study = rs.Study([1, 1, 0, 0], [1, 2, 1, 2], sample_weight=[1, 1, 1e-9, 1])
    found = study.band_likelihood_ratios([1.5], ratio_interval="log")
    assert found["estimate"].round(1).tolist() == [500000000.5, 0.5]
    assert found["ci_high"].isna().all()
