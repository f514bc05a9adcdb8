"""Two thresholds and the grey zone between them: docs/points/bands-of-scores.md."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from tests.examples import D1, Y

STUDY = rs.Study(Y, D1)
DRAWN = {"n_resamples": 200, "rng": 1}


def values(frame):
    return frame.set_index(["zone", "quantity"])


def test_zones_of_given_thresholds_are_the_worked_ones():
    found = values(STUDY.grey_zone((0.4, 0.7)))
    # Positives 0/4/4 and negatives 5/4/1 below, between and above.
    known = {
        "negative": (0, 0, 0.729195302),
        "grey": (1.25, 0.441120500, 3.486063674),
        "positive": (5, 0.948575713, 30.205947922),
    }
    for zone, digits in known.items():
        row = found.loc[(zone, "lr")]
        assert row[["estimate", "ci_low", "ci_high"]].tolist() == pytest.approx(digits, abs=6e-10)
    shares = [
        found.loc[("grey", f"share_of_{name}"), "estimate"]
        for name in ("positives", "negatives", "all")
    ]
    assert shares == [4 / 8, 4 / 10, 8 / 18]
    assert found.loc[("negative", "npv"), "estimate"] == 1
    assert found.loc[("positive", "ppv"), "estimate"] == 4 / 5
    lower = rs.Study(Y, [-x for x in D1], higher_is_positive=False).grey_zone((-0.7, -0.4))
    columns = ["estimate", "ci_low", "ci_high"]
    assert lower[columns].to_numpy() == pytest.approx(found[columns].to_numpy(), nan_ok=True)
    assert lower["rule_in_threshold"].iloc[0] == -0.7


def test_measures_are_those_of_bands_and_of_operating_points():
    found = values(STUDY.grey_zone({"score": (0.4, 0.7)}, prevalence=0.2))
    bands = STUDY.band_likelihood_ratios([0.4, 0.7])
    names = ["estimate", "ci_low", "ci_high", "se"]
    for zone, (_, band) in zip(("negative", "grey", "positive"), bands.iterrows(), strict=True):
        row = found.loc[(zone, "lr")]
        assert row[names].tolist() == pytest.approx(band[names].tolist(), nan_ok=True)
    for zone, name, at in (("negative", "npv", 0.4), ("positive", "ppv", 0.7)):
        point = STUDY.operating_points(threshold=at, quantities=[name], prevalence=0.2).iloc[0]
        row = found.loc[(zone, name)]
        assert row[names].tolist() == pytest.approx(point[names].tolist())
        assert row["method"] == point["method"]
    every = found.loc[("grey", "share_of_all")]
    assert every["estimate"] == pytest.approx(0.2 * 0.5 + 0.8 * 0.4)
    parts = [found.loc[("grey", f"share_of_{name}")] for name in ("positives", "negatives")]
    below = sum(
        (w * (p["estimate"] - p["ci_low"])) ** 2 for w, p in zip((0.2, 0.8), parts, strict=True)
    )
    assert every["ci_low"] == pytest.approx(every["estimate"] - np.sqrt(below))
    above = sum(
        (w * (p["ci_high"] - p["estimate"])) ** 2 for w, p in zip((0.2, 0.8), parts, strict=True)
    )
    assert every["ci_high"] == pytest.approx(every["estimate"] + np.sqrt(above))
    assert every["se"] ** 2 == pytest.approx(
        (0.2 * parts[0]["se"]) ** 2 + (0.8 * parts[1]["se"]) ** 2
    )


def test_clusters_of_one_are_as_none_but_for_the_small_sample_factor():
    plain = values(STUDY.grey_zone((0.5, 0.8), prevalence=0.2))
    each = values(rs.Study(Y, D1, cluster=np.arange(18)).grey_zone((0.5, 0.8), prevalence=0.2))
    assert each["estimate"].to_numpy() == pytest.approx(plain["estimate"].to_numpy())
    for name, n in (("positives", 8), ("negatives", 10)):
        key = ("grey", f"share_of_{name}")
        assert each.loc[key, "se"] == pytest.approx(plain.loc[key, "se"] * np.sqrt(n / (n - 1)))


def test_a_cluster_in_both_classes_counts_once_in_the_share_of_all_cases():
    # Three patients, each with two positives and two negatives: 2, 1, 0 positives and 1, 2, 0
    # negatives are grey (score 1). Both shares are 1/2, with influence (1, 0, -1)/6 and
    # (0, 1, -1)/6 by patient. At prevalence 1/2 the sums are (1, 1, -2)/12; their variance is
    # 3/2 * 6/144 = 1/16. Of each class it is 3/2 * 2/36 = 1/12, and the correlation is 1/2.
    positives, negatives = [1, 1, 1, 2, 2, 2], [1, 2, 1, 1, 2, 2]
    study = rs.Study([1] * 6 + [0] * 6, positives + negatives, cluster=[0, 0, 1, 1, 2, 2] * 2)
    found = values(study.grey_zone((1, 2), prevalence=0.5)).loc["grey"]
    pos, neg, every = (found.loc[f"share_of_{name}"] for name in ("positives", "negatives", "all"))
    assert [part["estimate"] for part in (pos, neg, every)] == pytest.approx([1 / 2] * 3)
    assert [part["se"] ** 2 for part in (pos, neg)] == pytest.approx([1 / 12] * 2)
    assert every["se"] == pytest.approx(1 / 4)
    # MOVER with a correlation of 1/2, the distances of both limits being equal: d sqrt(3)/2.
    for end in ("ci_low", "ci_high"):
        distance = pos[end] - 1 / 2
        assert neg[end] - 1 / 2 == pytest.approx(distance)
        assert every[end] - 1 / 2 == pytest.approx(distance * np.sqrt(3) / 2)


def test_targets_choose_the_thresholds_by_their_definition():
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], 40)
    score = np.round(rng.normal(size=80) + 1.5 * y, 1)
    found = rs.Study(y, score).grey_zone(tpr=0.9, tnr=0.95, **DRAWN)
    scores = np.unique(score)
    tpr = np.array([(score[y == 1] >= t).mean() for t in scores])
    tnr = np.array([(score[y == 0] < t).mean() for t in scores])
    low, high = scores[tpr >= 0.9].max(), scores[tnr >= 0.95].min()
    assert found[["rule_out_threshold", "rule_in_threshold"]].iloc[0].tolist() == [low, high]
    fixed = rs.Study(y, score).grey_zone((low, high))
    assert found["estimate"].to_numpy() == pytest.approx(fixed["estimate"].to_numpy())
    assert (found["ci_low"] <= found["estimate"]).all()
    assert (found["ci_high"] >= found["estimate"]).all()
    # Thresholds that are chosen vary: shares have wider limits than at fixed ones.
    grey = found["quantity"].str.startswith("share")
    width = (found["ci_high"] - found["ci_low"])[grey]
    assert (width > (fixed["ci_high"] - fixed["ci_low"])[grey]).all()
    again = rs.Study(y, score).grey_zone(tpr=0.9, tnr=0.95, **DRAWN)
    assert again.equals(found)
    assert found.attrs["rocstats"]["n_resamples"] == 200


def test_one_threshold_that_reaches_both_targets_leaves_no_grey_zone():
    y, score = np.repeat([1, 0], 20), np.r_[np.arange(20) + 15.0, np.arange(20)]
    found = values(rs.Study(y, score).grey_zone(tpr=0.7, tnr=0.7, **DRAWN))
    assert found["note"].str.contains("no-grey-zone").all()
    low, high = found[["rule_out_threshold", "rule_in_threshold"]].iloc[0]
    assert low == high
    assert found.loc[("grey", "share_of_all"), "estimate"] == 0
    row = found.loc[("grey", "lr")]
    assert "empty-band" in row["note"]
    assert np.isnan(row[["estimate", "ci_low"]].astype(float)).all()
    assert (score[y == 1] >= low).mean() >= 0.7
    assert (score[y == 0] < low).mean() >= 0.7


def test_what_is_not_possible_is_refused_and_groups_of_one_class_have_their_rows():
    refused: dict[str, list[dict[str, Any]]] = {
        "`thresholds` must be given, or tpr and tnr": [{}, {"thresholds": (1, 2), "tpr": 0.9}],
        "`tnr` must be a number strictly between": [{"tpr": 0.9}, {"tpr": 0.9, "tnr": 1}],
        "`thresholds` must be two ascending": [
            {"thresholds": 0.4}, {"thresholds": (0.7, 0.4)}, {"thresholds": (0.4, 0.4)},
            {"thresholds": {"score": (0.1, 0.2, 0.3)}},
        ],
        "`thresholds` must name predictors": [{"thresholds": {"other": (0.1, 0.2)}}],
        "`prevalence` must be": [{"thresholds": (0.4, 0.7), "prevalence": 2}],
    }  # fmt: skip
    for words, several in refused.items():
        for options in several:
            with pytest.raises(rs.InputError) as caught:
                STUDY.grey_zone(**options)
            assert re.match(words, str(caught.value)), str(caught.value)
    with pytest.raises(rs.InputError, match="`sample_weight` must not be in a study"):
        rs.Study(Y, D1, sample_weight=np.ones(18)).grey_zone((0.4, 0.7))
    group = np.where(np.arange(18) < 3, "few", "rest")
    for options in ({"thresholds": (0.4, 0.7)}, {"tpr": 0.8, "tnr": 0.8, **DRAWN}):
        found = rs.Study(Y, D1, group=group).grey_zone(**options)
        few = found[found["group"] == "few"]
        assert few["note"].str.contains("one-class").all()
        assert few[["estimate", "ci_low"]].isna().all(axis=None)
        assert len(few) == 8
    single = rs.Study([1, 0, 0, 0], [3, 1, 2, 4]).grey_zone(tpr=0.8, tnr=0.6, **DRAWN)
    assert single["ci_low"].isna().all()
    assert single["note"].str.contains("no-resampled-spread").all()


def limits_by_loops(own, other, share, beyond, level):
    """Return limits of the share of ``other`` beyond a quantile of ``own``; both rise inwards."""
    m, n, tail = len(own), len(other), (1 - level) / 2
    first = max(r for r in range(m + 2) if r == 0 or stats.binom.cdf(r - 1, m, share) <= tail)
    last = min(s for s in range(m + 2) if stats.binom.sf(s - 1, m, share) <= tail)
    at = [-np.inf, *np.sort(own), np.inf]
    counts = [(other < at[rank]).sum() for rank in (first, last)]
    low, high = proportion_confint(beyond, n, 1 - level, "wilson")
    value = beyond / n
    low = value - np.hypot(max(value - counts[0] / n, 0), value - low)
    high = value + np.hypot(max(counts[1] / n - value, 0), high - value)
    return max(low, 0), min(high, 1)


def test_limits_at_targets_are_those_of_both_thresholds_by_their_definition():
    rng = np.random.default_rng(9)
    y = np.repeat([1, 0], [90, 110])
    score = rng.normal(size=200) + 1.2 * y
    found = values(rs.Study(y, score).grey_zone(tpr=0.9, tnr=0.93, prevalence=0.2, **DRAWN))
    pos, neg = score[y == 1], score[y == 0]
    rule_out, rule_in = found[["rule_out_threshold", "rule_in_threshold"]].iloc[0]
    for level, names in ((0.95, "single"), (0.975, "both")):
        d = limits_by_loops(pos, neg, 1 - 0.9, (neg < rule_out).sum(), level)
        c = limits_by_loops(-neg, -pos, 1 - 0.93, (pos >= rule_in).sum(), level)
        grey_pos, grey_neg = (0.9 - c[1], 0.9 - c[0]), (0.93 - d[1], 0.93 - d[0])
        if names == "single":
            expected = {
                ("negative", "lr"): (0.1 / d[1], 0.1 / d[0]),
                ("negative", "npv"): [0.8 * x / (0.8 * x + 0.2 * 0.1) for x in d],
                ("grey", "share_of_positives"): grey_pos,
                ("grey", "share_of_negatives"): grey_neg,
                ("positive", "lr"): (c[0] / 0.07, c[1] / 0.07),
                ("positive", "ppv"): [0.2 * x / (0.2 * x + 0.8 * 0.07) for x in c],
            }
        else:
            expected = {
                ("grey", "lr"): (grey_pos[0] / grey_neg[1], grey_pos[1] / grey_neg[0]),
                ("grey", "share_of_all"): [
                    0.2 * p + 0.8 * n for p, n in zip(grey_pos, grey_neg, strict=True)
                ],
            }
        for key, limits in expected.items():
            row = found.loc[key]
            limits = min(limits[0], row["estimate"]), max(limits[1], row["estimate"])
            assert [row["ci_low"], row["ci_high"]] == pytest.approx(limits, rel=1e-8), key
            assert row["method"] == "resamples/order-mover"
            assert row["se"] > 0


def test_limits_at_targets_change_with_the_classes_and_not_with_a_transformation():
    rng = np.random.default_rng(2)
    y = np.repeat([1, 0], [60, 45])
    score = rng.normal(size=105) + y
    columns = ["estimate", "ci_low", "ci_high"]
    found = values(rs.Study(y, score).grey_zone(tpr=0.9, tnr=0.8, **DRAWN))
    moved = values(rs.Study(y, np.exp(score)).grey_zone(tpr=0.9, tnr=0.8, **DRAWN))
    assert moved[columns].to_numpy() == pytest.approx(found[columns].to_numpy(), nan_ok=True)
    turned = values(rs.Study(1 - y, -score).grey_zone(tpr=0.8, tnr=0.9, **DRAWN))
    for one, other in (("share_of_positives", "share_of_negatives"), ("share_of_all",) * 2):
        a, b = found.loc[("grey", one), columns], turned.loc[("grey", other), columns]
        assert a.tolist() == pytest.approx(b.tolist(), rel=1e-10)
    # A frequency is so many rows.
    times = np.arange(105) % 3 + 1
    rows = np.repeat(np.arange(105), times)
    counted = values(rs.Study(y, score, frequency=times).grey_zone(tpr=0.9, tnr=0.8, **DRAWN))
    listed = values(rs.Study(y[rows], score[rows]).grey_zone(tpr=0.9, tnr=0.8, **DRAWN))
    assert counted[columns].to_numpy() == pytest.approx(listed[columns].to_numpy(), nan_ok=True)


def test_few_cases_beyond_a_target_leave_one_side_open():
    y = np.repeat([1, 0], 30)
    score = np.random.default_rng(4).normal(size=60) + 1.8 * y
    found = values(rs.Study(y, score).grey_zone(tpr=0.95, tnr=0.95, **DRAWN))
    # With the chance .21 no positive of 30 is below the threshold: any negative may be.
    assert np.isinf(found.loc[("negative", "lr"), "ci_high"])
    assert found.loc[("positive", "lr"), "ci_low"] == 0


def test_clusters_have_no_limits_at_targets_and_the_row_says_why():
    study = rs.Study(
        [1, 1, 1, 1, 0, 1, 0, 0], [1, 3, 2, 3, 0, 2, 1, 1], cluster=[0, 3, 1, 0, 2, 2, 1, 1]
    )
    found = study.grey_zone(tpr=0.9, tnr=0.9, n_resamples=100, rng=0)
    assert found[["ci_low", "ci_high", "se"]].isna().all(axis=None)
    assert found["note"].str.contains("cluster-targets").all()
    assert found["estimate"].notna().any()
