"""Average precision and its differences: numbers, limits, resamples, edges and roles."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import expit
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from rocstats.curves import precision as precision_recall
from rocstats.estimate.precision import PrecisionPrevalence, precision_covariance
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_statistics import draw_statistics
from tests import examples
from tests.examples import D1, D1_CLUSTERS, D2, D3, Y
from tests.oracles import definitions as oracles
from tests.quick import each


def test_two_rows_a_predictor_with_limits_and_nothing_random(three):
    with pytest.warns(rs.StatisticalWarning) as caught:
        frame = three.average_precision()
    assert [str(one.message).partition(":")[0] for one in caught] == ["few-cases", "few-positives"]
    assert frame["predictor"].tolist() == ["d1", "d1", "d2", "d2", "d3", "d3"]
    assert frame["quantity"].tolist() == ["average_precision", "pr_auc"] * 3
    assert set(frame["method"]) == {"cohort-influence/logit-t"}
    assert set(frame["note"]) == {"few-cases; few-positives"}
    assert set(frame["n_pos"]) == {8.0}
    assert set(frame["n_neg"]) == {10.0}
    for name, score in (("d1", examples.D1), ("d2", examples.D2), ("d3", examples.D3)):
        expected = oracles.average_precision(examples.Y, score), oracles.pr_area(examples.Y, score)
        found = frame.loc[frame["predictor"] == name, "estimate"].to_numpy()
        assert found == pytest.approx(expected)


# docs/methods/precision-recall.md, "Worked figures": 0.841208791 is scikit-learn's, too.
@pytest.mark.parametrize(
    ("prevalence", "estimate", "se"),
    [
        (8 / 18, 0.841208791, 0.086089453),
        (None, 0.841208791, 0.098415291),
        (0.1, 0.616132579, np.nan),
    ],
)
def test_areas_by_hand(three, prevalence, estimate, se):
    row = three.average_precision(interval="logit", prevalence=prevalence).iloc[0]
    assert row["estimate"] == pytest.approx(estimate, abs=5e-10)
    assert row["se"] == pytest.approx(se, abs=5e-10, nan_ok=True)
    assert row["prevalence"] == pytest.approx(0.1 if prevalence == 0.1 else 8 / 18)


def test_a_prevalence_has_limits_with_the_negatives_of_a_cohort_alone(three):
    # Eight positives at .1 have 72 negatives in a cohort; ten are here.
    frame = three.average_precision(prevalence=0.1)
    assert frame[["se", "ci_low", "ci_high", "confidence_level"]].isna().all(axis=None)
    assert set(frame["method"]) == {"none/none"}
    assert frame["note"].str.startswith("few-negatives=72; few-cases").all()
    drawn = three.average_precision(prevalence=0.1, variance="bootstrap", n_resamples=100)
    assert drawn["note"].str.startswith("few-negatives=72").all()
    assert drawn["estimate"].tolist() == frame["estimate"].tolist()
    gap = three.compare_average_precision(prevalence=0.1)
    assert gap[["se", "ci_low", "p_value"]].isna().all(axis=None)
    assert gap["note"].str.startswith("few-negatives=72").all()
    y = np.repeat([1, 0], [8, 72])
    score = np.random.default_rng(3).normal(size=80) + y
    enough = rs.Study(y, score).average_precision(prevalence=0.1)
    assert enough[["se", "ci_low", "ci_high"]].notna().all(axis=None)
    assert set(enough["method"]) == {"influence/logit-t"}
    # The share of positives of the cases is a prevalence that they have, however it is rounded.
    for m, n in ((8, 10), (3, 7), (1, 2), (49, 51)):
        y = np.repeat([1, 0], [m, n])
        one = rs.Study(y, score[: m + n] if m + n <= 80 else np.arange(m + n) % 7)
        assert not one.average_precision(prevalence=m / (m + n))["note"].str.contains("negat").any()


def test_the_share_of_positives_of_a_case_control_study_is_not_used(three):
    message = "`prevalence` must be given with sampling='case-control', because the study"
    for question in ("average_precision", "compare_average_precision", "pr_band"):
        with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
            getattr(three, question)(sampling="case-control")
        with pytest.raises(rs.InputError, match="`sampling` must be one of 'cohort', 'case-contr"):
            getattr(three, question)(sampling="random")
    asked = {"prevalence": 0.45}
    pd.testing.assert_frame_equal(
        three.average_precision(**asked, sampling="case-control"), three.average_precision(**asked)
    )


@pytest.mark.parametrize("prevalence", [None, 8 / 18])
def test_logit_t_limits_have_the_degrees_of_freedom_of_both_classes(three, prevalence):
    row = three.average_precision(prevalence=prevalence).iloc[2]
    at = PrecisionPrevalence(prevalence, random=prevalence is None)
    covariance = precision_covariance(three.cases, [1], "average_precision", at)
    (v1,), (v0,) = covariance.components
    df = []
    for u in influence_by_class(examples.Y, examples.D2, prevalence):
        kurtosis = (u**4).sum() / (u**2).sum() ** 2
        df.append(min(2 / (kurtosis - 1 / len(u)), len(u) - 1))
    t = stats.t.ppf(0.975, (v1 + v0) ** 2 / (v1**2 / df[0] + v0**2 / df[1]))
    a = row["estimate"]
    reach = t * np.sqrt(v1 + v0) / (a * (1 - a))
    expected = expit(np.log(a / (1 - a)) + np.array([-reach, reach]))
    assert row["estimate"] == pytest.approx(0.829247835, abs=5e-10)
    np.testing.assert_allclose(row[["ci_low", "ci_high"]].tolist(), expected, rtol=1e-6)


def influence_by_class(y, score, prevalence):
    """Return the derivatives of average precision in the weights of cases, by differences."""
    y, score, step = np.asarray(y), np.asarray(score), 1e-5

    def area(weight):
        pos, neg = weight * (y == 1), weight * (y == 0)
        if prevalence is not None:  # whatever the weights are
            neg = neg * (1 - prevalence) / prevalence * pos.sum() / neg.sum()
        total = 0.0
        for cut in np.unique(score):
            called = score >= cut
            precision = pos[called].sum() / (pos[called].sum() + neg[called].sum())
            total += pos[score == cut].sum() * precision
        return total / pos.sum()

    moves = step * np.eye(len(y))
    values = np.array([(area(1 + move) - area(1 - move)) / (2 * step) for move in moves])
    return values[y == 1], values[y == 0]


@pytest.mark.parametrize("prevalence", [None, 0.5, 0.6])
def test_an_area_without_variance_has_wilson_limits_of_effective_size(prevalence):
    # Perfect separation of 9 positives: V = e, e = 1/18; equal scores: V = e^2/(p (1 - p) + e).
    perfect = rs.Study([1] * 9 + [0] * 9, np.arange(18)[::-1])
    equal = rs.Study([1] * 9 + [0] * 9, np.ones(18))
    for study, p in ((perfect, 1.0), (equal, prevalence or 0.5)):
        row = study.average_precision(prevalence=prevalence).iloc[0]
        if study is equal and prevalence is None:
            assert row["se"] > 0  # the prevalence alone varies
            continue
        size = (p * (1 - p) + 1 / 18) / (1 / 18) ** 2
        expected = proportion_confint(p * size, size, method="wilson")
        assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(expected, abs=1e-12)
        assert row["estimate"] == pytest.approx(p)
        assert row["method"].endswith("/effective-cases")
        assert "precision-at-boundary" in row["note"]


@pytest.mark.parametrize(
    ("y", "role"),
    [([1, 0, 0, 0], {}), ([1, 1, 1, 0], {}), ([1, 1, 0, 0], {"cluster": [1, 1, 2, 3]})],
)
def test_a_class_of_one_case_or_cluster_has_no_limits(y, role):
    frame = rs.Study(y, [2.5, 1, 2, 3], **role).average_precision()
    assert frame[["se", "ci_low", "ci_high", "confidence_level"]].isna().all(axis=None)
    assert frame["estimate"].notna().all()
    assert frame["note"].str.startswith("single-unit").all()


def test_a_prevalence_is_that_of_negatives_counted_more_often(three):
    # 8 positives and 10 negatives of 7.2 times the weight: 0.1.
    weight = np.where(examples.Y == 1, 1.0, 7.2)
    scores = {"d1": examples.D1, "d2": examples.D2, "d3": examples.D3}
    weighted = rs.Study(examples.Y, scores, sample_weight=weight)
    drawn = {"variance": "bootstrap", "n_resamples": 200, "rng": 5}
    for options in ({}, drawn):
        found = three.average_precision(prevalence=0.1, **options)
        known = weighted.average_precision(**options)
        np.testing.assert_allclose(found["estimate"], known["estimate"], rtol=1e-12)
        np.testing.assert_allclose(found["prevalence"], known["prevalence"], rtol=1e-12)
    bins = {"score": [0, 2], "score_high": [1, 3], "n_pos": [3, 5], "n_neg": [8, 2]}
    more = rs.Study.from_counts({**bins, "n_neg": [8 * 36, 2 * 36]}).average_precision()
    np.testing.assert_allclose(more["prevalence"], 8 / 368)
    at = rs.Study.from_counts(bins).average_precision(prevalence=8 / 368)
    np.testing.assert_allclose(at["estimate"], more["estimate"], rtol=1e-12)
    # Of any order of the cases inside their bins the area is within the bound, at the prevalence.
    rng = np.random.default_rng(2)
    y = np.repeat([1, 0, 1, 0], [3, 8, 5, 2])
    for _ in range(30):
        order = np.repeat([0, 2], [11, 7]) + rng.integers(0, 1 + rng.integers(9), 18) / 9
        area = rs.Study(y, order).average_precision(prevalence=8 / 368)["estimate"]
        assert (np.abs(area - at["estimate"]) <= at["binning_error"]).all()


def test_folds_are_averaged():
    fold = np.arange(18) % 2
    frame = rs.Study(examples.Y, examples.D1, fold=fold).average_precision()
    for row, area in enumerate((oracles.average_precision, oracles.pr_area)):
        parts = [area(examples.Y[fold == k], examples.D1[fold == k]) for k in (0, 1)]
        assert frame["estimate"][row] == pytest.approx(np.mean(parts))


def test_a_fold_that_lacks_a_class():
    study = rs.Study([1, 0, 1, 0], [4, 3, 2, 1], fold=[1, 1, 2, 3])
    with pytest.raises(rs.InputError, match=r"`fold` must have both classes in every fold; got 1"):
        study.average_precision()


def test_a_group_that_lacks_a_class_has_rows_of_nan():
    study = rs.Study([1, 0, 1], [3, 1, 0], group=["u", "u", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class") as caught:
        frame = study.average_precision()
    assert sum("one-class" in str(one.message) for one in caught) == 1
    assert frame["estimate"].isna().tolist() == [False, False, True, True]
    alone = "single-unit; few-cases; few-positives"
    assert frame["note"].tolist() == [alone] * 2 + ["one-class"] * 2
    assert frame["n_neg"].tolist() == [1, 1, 0, 0]


def test_a_class_without_weight_in_a_group():
    study = rs.Study([1, 0, 1, 0], [3, 1, 2, 0], group=list("uuvv"), sample_weight=[1.0, 1, 0, 1])
    frame = study.average_precision()
    assert frame["estimate"].isna().tolist() == [False, False, True, True]


def test_weights_give_estimates(patients):
    # whole weights are frequencies
    arguments = {"data": patients, "pos_label": "Poor"}
    weighted = rs.Study("outcome", "b", sample_weight="n", **arguments).average_precision()
    tabled = rs.Study("outcome", "b", frequency="n", **arguments).average_precision()
    assert weighted["estimate"].tolist() == tabled["estimate"].tolist()
    assert set(weighted["note"]) == {"weights-need-bootstrap"}
    assert weighted["ci_low"].isna().all()
    assert weighted["n_pos"].tolist() == [6, 6]
    assert tabled["n_pos"].tolist() == [7, 7]


def test_clusters_change_no_estimate_and_clusters_of_one_change_nothing(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    clustered = rs.Study("outcome", ["a", "b"], cluster="patient", **arguments)
    plain = rs.Study("outcome", ["a", "b"], **arguments)
    known, names = plain.average_precision(), ["estimate", "se", "ci_low", "ci_high"]
    found = clustered.average_precision()
    assert found["estimate"].tolist() == known["estimate"].tolist()
    assert set(found["method"]) == {"cluster-cohort-influence/logit-t"}
    assert not np.isclose(found["se"], known["se"]).any()
    alone = rs.Study("outcome", ["a", "b"], cluster=np.arange(len(patients)), **arguments)
    np.testing.assert_allclose(alone.average_precision()[names], known[names], rtol=1e-12)


def test_dropped_rows_are_told():
    study = rs.Study([1, 0, 1, 0], [4, 3, np.nan, 1], nan_policy="omit")
    assert (
        study.average_precision()["note"].tolist()
        == ["single-unit; few-cases; few-positives; rows-dropped=1"] * 2
    )


@pytest.mark.parametrize("interval", ["logit", "percentile"])
def test_intervals_record_what_repeats_them(three, interval):
    asked = {"variance": "bootstrap", "interval": interval, "n_resamples": 300}
    first = three.average_precision(**asked)
    seed = first.attrs["rocstats"]["seed"]
    again = three.average_precision(**asked, rng=seed)
    pd.testing.assert_frame_equal(first, again, check_exact=True)
    assert set(first["method"]) == {f"resamples/{interval}"}
    assert first.attrs["rocstats"]["n_resamples"] == 300
    assert set(first["note"]) == {"few-cases; few-positives; known-prevalence"}
    assert set(first["confidence_level"]) == {0.95}
    alone = rs.Study(examples.Y, {"d1": examples.D1}).average_precision(**asked, rng=seed)
    pd.testing.assert_frame_equal(first.iloc[:2], alone.copy(), check_exact=True)


def test_limits_are_those_of_the_resamples(three):
    study = rs.Study(examples.Y, examples.D2)
    areas = [precision_recall.average_precision_of_counts, precision_recall.pr_area]
    draws = draw_statistics(study.cases, 0, areas, ResamplePlan(1999, 8, (0,))).values
    by_logit = study.average_precision(variance="bootstrap", n_resamples=1999, rng=8)
    ordered = study.average_precision(interval="percentile", n_resamples=1999, rng=8)
    for i, values in enumerate(draws):
        a, se = by_logit["estimate"][i], by_logit["se"][i]
        assert se == pytest.approx(np.std(values, ddof=1))
        shift = 1.959963984540054 * se / (a * (1 - a))
        limits = [1 / (1 + np.exp(-(np.log(a / (1 - a)) + sign * shift))) for sign in (-1, 1)]
        assert by_logit.loc[i, ["ci_low", "ci_high"]].tolist() == pytest.approx(limits)
        found = ordered.loc[i, ["ci_low", "ci_high"]].tolist()
        assert found == [np.sort(values)[49], np.sort(values)[1949]]


def test_width_grows_with_the_level(three):
    narrow, wide = (
        three.average_precision(interval="logit", confidence_level=level, rng=1)
        for level in (0.8, 0.99)
    )
    assert (wide["ci_low"] < narrow["ci_low"]).all()
    assert (wide["ci_high"] > narrow["ci_high"]).all()
    assert ((wide["ci_low"] > 0) & (wide["ci_high"] < 1)).all()


@pytest.mark.parametrize(
    ("y", "score"),
    [([1] * 9 + [0] * 9, np.arange(18)[::-1]), ([1, 0, 0, 0], [2.5, 1, 2, 3])],
    ids=["perfect", "single"],
)
@pytest.mark.parametrize("interval", ["logit", "percentile"])
def test_resamples_that_cannot_vary_give_no_limits(y, score, interval):
    with pytest.warns(rs.StatisticalWarning, match="no-resampled-spread"):
        frame = rs.Study(y, score).average_precision(
            variance="bootstrap", interval=interval, n_resamples=100
        )
    assert frame[["se", "ci_low", "ci_high", "confidence_level"]].isna().all(axis=None)
    assert frame["estimate"].notna().all()
    assert set(frame["method"]) == {"none/none"}


def test_clusters_are_resampled_whole(patients):
    study = rs.Study("outcome", ["a"], data=patients, pos_label="Poor", cluster="patient")
    row = study.average_precision(interval="percentile", n_resamples=500, rng=1).iloc[0]
    values = draw_statistics(
        study.cases, 0, [precision_recall.average_precision_of_counts], ResamplePlan(500, 1, (0,))
    ).values
    assert row["ci_low"] in values[0]
    assert "few-clusters" in row["note"]


def test_a_group_without_a_class_has_no_interval():
    study = rs.Study([1, 1, 0, 0, 1], [3, 1, 2, 0, 0], group=["u", "u", "u", "u", "v"])
    for variance in ("influence", "bootstrap"):
        frame = study.average_precision(variance=variance, n_resamples=100, rng=1)
        assert frame["ci_low"].isna().tolist() == [False, False, True, True]
        assert frame["note"][2] == "one-class"


def test_logit_interval_covers():
    # Truth by a large sample: prevalence 1/3, scores N(0, 1) and N(1.5, 1). 300 studies of 40 + 80.
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], [200_000, 400_000])
    truth = precision_recall.average_precision_of_counts(
        *rs.Study(y, rng.normal(size=600_000) + 1.5 * y).cases.counts(0)[1:]
    )
    y, hits, n = np.repeat([1, 0], [40, 80]), 0, 300
    for _ in range(n):
        study = rs.Study(y, rng.normal(size=120) + 1.5 * y)
        row = study.average_precision(
            variance="bootstrap", n_resamples=200, rng=int(rng.integers(9e9))
        )
        hits += row["ci_low"][0] <= truth <= row["ci_high"][0]
    assert hits / n >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / n)


@each(
    ("arguments", "message"),
    [
        ({"interval": "bca"}, "`interval` must be one of"),
        (
            {"variance": "influence", "interval": "percentile"},
            "`interval` must be 'logit-t' or 'logit' with the variance 'influence'",
        ),
        (
            {"variance": "bootstrap", "interval": "logit-t"},
            "`interval` must be 'logit' or 'percentile' with the variance 'bootstrap'",
        ),
        ({"prevalence": 1.0}, "`prevalence` must be a number strictly between 0 and 1"),
        ({"prevalence": "random"}, "`prevalence` must be a number strictly between 0 and 1"),
        ({"n_resamples": 10}, "`n_resamples` must be a whole number >= 100"),
        ({"confidence_level": 95}, "`confidence_level` must be a number strictly between 0 and 1"),
    ],
)
def test_message(arguments, message):
    with pytest.raises(rs.InputError, match=f"^{message}"):
        rs.Study(examples.Y, examples.D1).average_precision(**arguments)


def weighted_resamples(rng, y, score, weight, frequency, number):
    """Average precision of resampled cases, whose weights go with them, by brute force."""
    cases = np.repeat(np.arange(len(y)), frequency)
    classes = [cases[y[cases] == label] for label in (1, 0)]
    rows = np.hstack([rng.choice(rows, (number, len(rows))) for rows in classes])
    s, w, m = score[rows], weight[rows], len(classes[0])
    # resamples, positives, and the weights of all cases with scores as high as the positive's
    called = w[:, None, :] * (s[:, None, :] >= s[:, :m, None])
    precision = called[:, :, :m].sum(axis=2) / called.sum(axis=2)
    return (w[:, :m] * precision).sum(axis=1) / w[:, :m].sum(axis=1)


@pytest.mark.parametrize("most", [1, 3])
def test_weights_go_with_their_cases_into_resamples(rng, most):
    y, score = np.repeat([1, 0], [9, 12]), np.round(rng.normal(size=21) * 2)
    score[:9] += 1
    weight, frequency = rng.uniform(0.2, 3, 21), rng.integers(1, most + 1, 21)
    study = rs.Study(y, score, sample_weight=weight, frequency=frequency)
    b = 4000
    row = study.average_precision(interval="percentile", n_resamples=b, rng=1).iloc[0]
    values = weighted_resamples(rng, y, score, weight, frequency, b)
    # standard deviations of both within 4 of their Monte-Carlo errors
    fourth = np.mean((values - values.mean()) ** 4) / values.var() ** 2
    assert row["se"] == pytest.approx(values.std(), rel=4 * np.sqrt((fourth - 1) / 4 * 2 / b))
    for limit, level in (("ci_low", 0.025), ("ci_high", 0.975)):
        below = np.mean(values <= row[limit] + 1e-12)
        strictly = np.mean(values < row[limit] - 1e-12)
        error = 4 * np.sqrt(level * (1 - level) * 2 / b)
        assert strictly - error <= level <= below + error
    assert row["method"] == "resamples/percentile"


def test_weights_of_one_are_no_weights_and_clusters_carry_theirs(rng):
    y, score = np.tile([1, 0, 0], 30), rng.normal(size=90)
    plain, unit = (
        rs.Study(y, score, sample_weight=weight).average_precision(
            variance="bootstrap", n_resamples=2000, rng=2
        )
        for weight in (None, np.ones(90))
    )
    assert unit["estimate"].tolist() == plain["estimate"].tolist()
    assert unit["se"].tolist() == pytest.approx(plain["se"].tolist(), rel=4 / np.sqrt(2000))
    cluster = np.arange(90) // 2
    doubled, single = (
        rs.Study(y, score, cluster=cluster, **role).average_precision(
            interval="percentile", n_resamples=200, rng=3
        )
        for role in ({"sample_weight": np.full(90, 2.0)}, {})
    )
    names = ["estimate", "se", "ci_low", "ci_high"]
    np.testing.assert_allclose(doubled[names], single[names], rtol=1e-12)


def test_an_area_that_weights_round_to_1_has_percentile_limits():
    # The negative above a positive has 1e-49 of the weight; resamples without the heavy positive
    # have a lower area.
    study = rs.Study([1, 1, 1, 0, 0], [5, 3, 2, 4, 1], sample_weight=[1e49, 1, 1, 1, 1])
    frame = study.average_precision(variance="bootstrap", n_resamples=200, rng=1)
    assert frame["estimate"][0] == 1.0
    assert frame["method"].tolist()[0] == "resamples/percentile"
    assert frame["ci_low"][0] < 1 == frame["ci_high"][0]


SCORES = {"d1": D1, "d2": D2, "d3": D3}

STUDY = rs.Study(Y, SCORES)

NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]


# docs/methods/precision-recall.md, "Worked figures".
@pytest.mark.parametrize(
    ("prevalence", "estimate", "se"),
    [(8 / 18, 0.011960956, 0.080921965), (None, 0.011960956, 0.078212102)],
)
def test_differences_by_hand(prevalence, estimate, se):
    row = STUDY.compare_average_precision(prevalence=prevalence).iloc[0]
    assert row["estimate"] == pytest.approx(estimate, abs=5e-10)
    assert row["se"] == pytest.approx(se, abs=5e-10)
    reach = stats.t.ppf(0.975, row["df"]) * row["se"]
    limits = [row["estimate"] - reach, row["estimate"] + reach]
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(limits, rel=1e-10)
    p = 2 * stats.t.sf(abs(row["estimate"] / row["se"]), row["df"])
    assert row["p_value"] == pytest.approx(p, rel=1e-10)
    # The degrees of freedom are those of validation/precision_recall, made without the package;
    # there are no more than of normal values.
    at = PrecisionPrevalence(prevalence, random=prevalence is None)
    found = precision_covariance(STUDY.cases, [0, 1], "average_precision", at)
    v = [part[0, 0] + part[1, 1] - 2 * part[0, 1] for part in found.parts]
    assert 1 <= row["df"] < sum(v) ** 2 / (v[0] ** 2 / 7 + v[1] ** 2 / 9)


def test_without_the_negatives_of_a_cohort_there_is_the_estimate_alone():
    row = STUDY.compare_average_precision(prevalence=0.1).iloc[0]
    assert row["estimate"] == pytest.approx(0.005586750, abs=5e-10)
    assert row[NUMBERS[1:]].isna().all()


def test_pairs_references_and_adjustment():
    every = STUDY.compare_average_precision()
    assert every[["predictor", "reference"]].to_numpy().tolist() == [
        ["d1", "d2"],
        ["d1", "d3"],
        ["d2", "d3"],
    ]
    assert set(every["quantity"]) == {"average_precision_difference"}
    assert (every["p_adjusted"] >= every["p_value"]).all()
    assert every["note"].str.contains("adjusted=holm").all()
    areas = STUDY.average_precision().query("quantity == 'pr_auc'").set_index("predictor")
    of_pr = STUDY.compare_average_precision(quantity="pr_auc", reference="d2", adjust="none")
    gaps = [areas["estimate"][name] - areas["estimate"]["d2"] for name in ("d1", "d3")]
    assert of_pr["estimate"].tolist() == pytest.approx(gaps)
    swapped = STUDY.compare_average_precision(reference="d1").iloc[0]
    assert swapped["estimate"] == pytest.approx(-every["estimate"][0])
    assert swapped["se"] == pytest.approx(every["se"][0])


def test_hypotheses():
    plain = STUDY.compare_average_precision(reference="d3").iloc[0]
    claim = STUDY.compare_average_precision(
        reference="d3", hypothesis="non-inferiority", margin=0.1
    ).iloc[0]
    t = (plain["estimate"] + 0.1) / plain["se"]
    assert claim["p_value"] == pytest.approx(stats.t.sf(t, plain["df"]), rel=1e-10)
    assert claim["null_value"] == -0.1
    same = STUDY.compare_average_precision(reference="d3", hypothesis="equivalence", margin=0.1)
    assert same["confidence_level"].iloc[0] == pytest.approx(0.9)


def test_predictors_alike_and_perfect_ones():
    alike = rs.Study(Y, {"a": D1, "b": 2 * D1}).compare_average_precision().iloc[0]
    assert (alike["estimate"], alike["p_value"], alike["method"]) == (0, 1, "none/none")
    assert np.isnan(alike["ci_low"])
    perfect = rs.Study(Y, {"a": Y + 0.0, "b": D1}).compare_average_precision().iloc[0]
    assert perfect["method"] == "cohort-influence/boundary-mover"
    assert "precision-at-boundary" in perfect["note"]
    assert perfect["ci_low"] < perfect["estimate"] < perfect["ci_high"]
    # Two perfect predictors that are not the same.
    both = rs.Study(Y, {"a": Y + D1 / 9, "b": Y + D2 / 9}).compare_average_precision().iloc[0]
    assert both["ci_low"] < 0 < both["ci_high"]
    assert both["p_value"] == pytest.approx(1)
    single = rs.Study([1, 0, 0], {"a": [1, 2, 0], "b": [2, 1, 0]}).compare_average_precision()
    assert single["note"].iloc[0].startswith("single-unit")
    assert single[["se", "ci_low"]].isna().all(axis=None)


def test_roles():
    clustered = rs.Study(Y, SCORES, cluster=D1_CLUSTERS).compare_average_precision()
    plain = STUDY.compare_average_precision()
    assert clustered["estimate"].tolist() == plain["estimate"].tolist()
    assert set(clustered["method"]) == {"cluster-cohort-influence/wald-t"}
    alone = rs.Study(Y, SCORES, cluster=np.arange(18)).compare_average_precision()
    np.testing.assert_allclose(alone[NUMBERS], plain[NUMBERS], rtol=1e-10)
    times = np.arange(18) % 3 + 1
    rows = np.repeat(np.arange(18), times)
    counted = rs.Study(Y, SCORES, frequency=times).compare_average_precision()
    listed = rs.Study(
        Y[rows], {name: score[rows] for name, score in SCORES.items()}
    ).compare_average_precision()
    np.testing.assert_allclose(counted[NUMBERS], listed[NUMBERS], rtol=1e-10)
    fold = np.arange(18) % 2
    folded = rs.Study(Y, SCORES, fold=fold).compare_average_precision().iloc[0]
    parts = [
        rs.Study(Y[fold == v], {"a": D1[fold == v], "b": D2[fold == v]})
        .compare_average_precision()
        .iloc[0]
        for v in (0, 1)
    ]
    assert folded["estimate"] == pytest.approx(np.mean([part["estimate"] for part in parts]))
    assert folded["se"] == pytest.approx(np.sqrt(sum(part["se"] ** 2 for part in parts)) / 2)
    scores = {"a": [4, 3, 2, 1, 5], "b": [4, 1, 2, 3, 5]}
    grouped = rs.Study([1, 0, 1, 0, 1], scores, group=list("uuuuv"))
    found = grouped.compare_average_precision()
    assert found["note"].tolist()[1].startswith("one-class")


@pytest.mark.parametrize(
    ("study", "options", "message"),
    [
        (rs.Study(Y, D1), {}, "`y_score` must hold two or more predictors to compare; got 1."),
        (
            rs.Study(Y, SCORES, sample_weight=np.ones(18)),
            {},
            "`sample_weight` must stay None for a comparison of average precisions",
        ),
        (STUDY, {"quantity": "auc"}, "`quantity` must be one of 'average_precision', 'pr_auc'"),
        (STUDY, {"prevalence": 0}, "`prevalence` must be a number strictly between 0 and 1"),
        (STUDY, {"hypothesis": "equivalence"}, "`margin` must be given for the hypothesis"),
    ],
)
def test_message_of_differences(study, options, message):
    with pytest.raises(rs.InputError, match=f"^{message}"):
        study.compare_average_precision(**options)
