"""Cutpoints: what a row says, every role, edges, and the words of every refusal."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import rocstats as rs
from rocstats.curves.criteria import CRITERIA
from rocstats.estimate.quantiles import order_rank
from rocstats.estimate.resample import plan_draws, resampled_cells
from rocstats.inference.cutpoints.cutpoints import CUT_METHODS
from rocstats.inference.cutpoints.smooth import kernel_youden
from tests.quick import each
from tests.strategies import samples

EXTRA = {
    "cost": {"cost_fp": 1, "cost_fn": 5, "prevalence": 0.06},
    "fixed-tpr": {"tpr": 0.9},
    "fixed-fpr": {"fpr": 0.1},
}
LIMITS = ["estimate", "ci_low", "ci_high"]


def ask(study, criterion="youden", **more):
    return study.cutpoints(criterion, **{"n_resamples": 200, "rng": 1, **more})


@pytest.mark.parametrize("criterion", CRITERIA)
def test_rows_say_what_they_are_about(masses, criterion):
    frame = ask(masses, criterion, **EXTRA.get(criterion, {}))
    own = {"closest-topleft": "distance", "cost": "expected_cost"}.get(criterion, criterion)
    rows = ["threshold", "tpr", "tnr", "youden"]
    if criterion not in ("youden", "equal-error", "fixed-tpr", "fixed-fpr"):
        rows.append(own)
    if "prevalence" in EXTRA.get(criterion, {}):
        rows += ["ppv", "npv"]
    assert frame["quantity"].tolist() == rows
    assert frame["target"].tolist() == ["optimal"] + ["chosen"] * (len(rows) - 1)
    assert set(frame["provenance"]) == {"selected"}
    assert set(frame["criterion"]) == {criterion}
    assert set(frame["n_resamples"]) == {200}
    assert (frame["ci_low"] < frame["ci_high"]).all()
    assert (frame["ci_low"] <= frame["estimate"]).all()
    assert (frame["estimate"] <= frame["ci_high"]).all()
    rest = frame.iloc[1:]
    np.testing.assert_allclose(rest["apparent"] - rest["optimism"], rest["estimate"])
    point = frame.iloc[0]
    assert (point["tpr"], point["fpr"]) == (point["tp"] / 212, point["fp"] / 357)
    at = masses.operating_points(threshold=point["threshold"]).set_index("quantity")["estimate"]
    assert frame.loc[1:2, "apparent"].tolist() == pytest.approx([at["tpr"], at["tnr"]])
    assert frame.attrs["rocstats"]["seed"] == 1


def test_conditions_stand_in_the_row(masses):
    row = ask(masses, "cost", cost_fp=1, cost_fn=5, prevalence=0.06).iloc[0]
    assert (row["cost_fp"], row["cost_fn"], row["prevalence"]) == (1, 5, 0.06)
    own = ask(masses, "cost", cost_fp=1, cost_fn=5).iloc[0]
    assert own["prevalence"] == 212 / 569
    assert ask(masses, "kappa").iloc[0]["prevalence"] == 212 / 569
    plain = ask(masses, "fixed-fpr", fpr=0.1).iloc[0]
    assert plain["rate_wanted"] == 0.1
    assert np.isnan([plain["cost_fp"], plain["cost_fn"], plain["prevalence"]]).all()


def test_a_function_is_a_criterion_of_its_own(masses):
    def youden(fpr, tpr):
        return tpr - fpr

    def from_counts(tn, fp, fn, tp):
        return tp / (tp + fn) + tn / (tn + fp) - 1

    def accuracy(tpr, prevalence, fpr):
        return prevalence * tpr + (1 - prevalence) * (1 - fpr)

    def of_all(**at):
        return (at["tp"] + at["tn"]) / (at["tp"] + at["fp"] + at["tn"] + at["fn"])

    named_as = {youden: "youden", from_counts: "youden", accuracy: "accuracy", of_all: "accuracy"}
    for function, name in named_as.items():
        own, named = ask(masses, function), ask(masses, name)
        assert set(own["criterion"]) == {"user"}
        assert own["quantity"].iloc[-1] == "criterion"
        columns = ["apparent", "optimism", "estimate", "ci_low", "ci_high"]
        np.testing.assert_allclose(own.loc[:3, columns], named.loc[:3, columns])
        np.testing.assert_allclose(own[columns].iloc[-1], named[columns].iloc[-1])


def test_the_interval_of_the_threshold_is_of_order_statistics_of_the_draws(masses):
    asked = {"rng": 3, "n_resamples": 500, "threshold_at": "observed"}
    frame = masses.cutpoints(confidence_level=0.9, **asked)
    draws = masses.cutpoint_draws(**asked)
    ordered = np.sort(draws["threshold"])
    rank = order_rank(0.05, 500)
    assert frame.loc[0, ["ci_low", "ci_high"]].tolist() == [ordered[rank - 1], ordered[-rank]]
    assert frame.loc[0, "method"] == "resamples/percentile"
    assert set(draws["threshold"]) <= set(masses.scores[0])


@pytest.mark.parametrize("threshold_at", ["midpoint", "observed"])
def test_spread_and_optimism_are_those_of_the_drawn_thresholds(masses, threshold_at):
    asked = {"rng": 3, "n_resamples": 500, "threshold_at": threshold_at}
    frame, draws = masses.cutpoints(**asked), masses.cutpoint_draws(**asked)
    assert frame.loc[0, "se"] == pytest.approx(np.std(draws["threshold"], ddof=1), rel=1e-12)
    gain = draws["tpr"] - [
        np.mean(masses.scores[0][masses.is_positive] >= cut) for cut in draws["threshold"]
    ]
    assert frame.loc[1, "optimism"] == pytest.approx(gain.mean(), abs=1e-12)


@pytest.mark.parametrize("sign", [1, -1])
def test_limits_go_from_the_lower_to_the_upper_ends_of_what_decides_alike(sign, rng):
    """Plain loops over the resamples: the best threshold, and the next score of the resample."""
    y = np.repeat([1, 0], [15, 25])
    score = y + rng.normal(size=40)
    study = rs.Study(y, sign * score, higher_is_positive=sign > 0)
    asked = {"rng": 3, "n_resamples": 300}
    frame, draws = study.cutpoints(confidence_level=0.9, **asked), study.cutpoint_draws(**asked)
    counts = study.cases.counts(0)
    plan = plan_draws(300, 3, False).at(0, 0)
    tables = resampled_cells(study.cases, study.cases.codes(0), *counts[1:3], plan)
    ends = []
    for _, pos, neg in tables:
        for of_pos, of_neg in zip(pos, neg, strict=True):
            held = np.flatnonzero(of_pos + of_neg)
            best = (0.0, np.inf, counts.score[held[0]] * sign)
            for i, at in enumerate(held):
                index = of_pos[: at + 1].sum() / 15 - of_neg[: at + 1].sum() / 25
                after = counts.score[held[i + 1]] * sign if i + 1 < len(held) else -np.inf
                if index > best[0] + 1e-12:
                    best = (index, counts.score[at] * sign, after)
            ends.append(best[1:])
    upper, lower = np.array(ends).T
    rank = order_rank(0.05, 300)
    limits = sorted([sign * np.sort(lower)[rank - 1], sign * np.sort(upper)[-rank]])
    assert frame.loc[0, ["ci_low", "ci_high"]].tolist() == limits
    assert frame.loc[0, "method"] == "resamples/both-ends"
    np.testing.assert_allclose(draws["threshold"], sign * (lower + upper) / 2, rtol=1e-14)


def test_ordered_categories_stay_at_their_numbers():
    y = [1, 1, 1, 0, 0, 0, 1, 0]
    rating = pd.Categorical(list("ccbbaaba"), categories=list("abc"), ordered=True)
    frame = ask(rs.Study(y, rating))
    assert frame.loc[0, "estimate"] in (0, 1, 2)
    assert frame.loc[0, "method"] in ("resamples/percentile", "resamples/neighbours")


@given(samples(least=1), st.sampled_from([0, 0.5]))
def test_every_sample_has_honest_limits(data, shift):
    y, (score,) = data
    frame = rs.Study(y, score + shift).cutpoints(n_resamples=100, rng=2)
    assert (frame["ci_low"] < frame["ci_high"]).all()
    rates = frame[frame["quantity"].isin(["tpr", "tnr"])]
    assert rates[LIMITS].stack().between(0, 1).all()
    assert frame.loc[3, LIMITS].between(-1, 1).all()
    assert (frame["ci_low"] <= frame["estimate"]).all()
    assert (frame["estimate"] <= frame["ci_high"]).all()
    # Fractions are no ratings, which have neighbours.
    assert shift == 0 or "single-cutpoint" not in frame["note"][0]


def test_perfect_separation_is_not_taken_for_perfect():
    frame = ask(rs.Study([1] * 10 + [0] * 10, [*range(20, 10, -1), *range(10, 0, -1)]))
    assert frame["apparent"].tolist() == [11, 1, 1, 1]
    assert frame.loc[3, "optimism"] > 0
    assert frame.loc[3, "ci_low"] < 0.9
    assert frame.loc[3, "ci_high"] < 1


def test_one_score_calls_nobody_positive():
    with pytest.warns(rs.StatisticalWarning, match="nobody-positive"):
        frame = ask(rs.Study([1, 0, 1, 0], [7, 7, 7, 7]))
    assert frame.loc[0, ["estimate", "ci_low", "ci_high"]].tolist() == [np.inf, 7, np.inf]
    assert np.isnan(frame.loc[0, "se"])
    assert frame.loc[0, "method"] == "resamples/neighbours"
    assert frame["estimate"].tolist()[1:] == [0, 1, 0]
    assert frame["note"].iloc[0].startswith("single-cutpoint; nobody-positive")


def test_resamples_that_agree_give_the_neighbouring_scores():
    study = rs.Study.from_confusion(tp=90, fn=10, fp=10, tn=90)
    row = ask(study).iloc[0]
    assert row[LIMITS].tolist() == [1, 0, np.inf]
    turned = rs.Study(
        [1, 1, 0, 0], [0, 1, 0, 1], frequency=[90, 10, 10, 90], higher_is_positive=False
    )
    row = ask(turned).iloc[0]
    assert (row["direction"], *row[LIMITS]) == ("<=", 0, -np.inf, 1)


def test_one_case_a_class():
    frame = ask(rs.Study([1, 0], [2, 1]))
    assert frame["apparent"].tolist() == [2, 1, 1, 1]
    assert frame.loc[1:, "ci_low"].between(-0.2, 0.3).all()


def test_the_warning_of_few_cases_goes_with_their_number(rng):
    y = np.arange(200) % 2
    study = rs.Study(y, y + rng.normal(size=200))
    assert set(ask(study)["note"]) == {""}
    part = rs.Study(y[:98], y[:98] + rng.normal(size=98))
    assert set(ask(part)["note"]) == {"few-cases-for-cutpoint"}


def test_frequencies_are_replicated_rows(patients):
    again = patients.loc[patients.index.repeat(patients["n"])]
    for criterion in ("youden", "kappa"):
        counted = ask(
            rs.Study("outcome", "a", data=patients, pos_label="Poor", frequency="n"), criterion
        )
        rows = ask(rs.Study("outcome", "a", data=again, pos_label="Poor"), criterion)
        assert counted.equals(rows)


def test_frequencies_of_clustered_cases_are_replicated_rows(rng):
    y, cluster = rng.integers(0, 2, 80), rng.integers(0, 20, 80)
    score, frequency = y + rng.normal(size=80), rng.integers(1, 5, 80)
    counted = ask(rs.Study(y, score, frequency=frequency, cluster=cluster))
    rows = np.repeat(np.arange(80), frequency)
    again = ask(rs.Study(y[rows], score[rows], cluster=cluster[rows]))
    columns = ["apparent", "optimism", "se", *LIMITS]
    np.testing.assert_allclose(counted[columns], again[columns], rtol=1e-10)


def test_groups_are_studies_of_their_own(patients):
    grouped = ask(rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site"))
    assert grouped["group"].tolist() == ["x"] * 8 + ["y"] * 8
    alone = patients[patients["site"] == "x"]
    first = ask(rs.Study("outcome", ["a", "b"], data=alone, pos_label="Poor"))
    columns = ["apparent", "optimism", *LIMITS]
    assert grouped.loc[:7, columns].equals(first[columns])


def test_draws_do_not_depend_on_other_predictors(patients):
    one = ask(rs.Study("outcome", "a", data=patients, pos_label="Poor"))
    two = ask(rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor"))
    assert two.iloc[:4].equals(one)


def test_a_group_without_a_class_has_rows_of_nan():
    study = rs.Study([1, 0, 1, 1], [3, 1, 2, 4], group=["x", "x", "y", "y"])
    for method in CUT_METHODS:
        frame = ask(study, method=method)
        empty = frame[frame["group"] == "y"]
        assert set(empty["note"]) == {"one-class"}
        assert empty[["threshold", "apparent", "se", *LIMITS]].isna().all(axis=None)
        answered = frame[frame["group"] == "x"]
        assert empty["quantity"].tolist() == answered["quantity"].tolist()
        assert empty["target"].tolist() == answered["target"].tolist()
        assert len(study.cutpoint_draws(n_resamples=100, rng=1)) == 100
    cost = ask(study, "cost", cost_fp=1, cost_fn=1)
    assert cost["quantity"].tolist()[-1] == "expected_cost"


def test_folds_are_pooled_with_a_note(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    folded = ask(rs.Study("outcome", "a", fold="part", **arguments))
    plain = ask(rs.Study("outcome", "a", **arguments))
    assert set(folded["note"]) == {"few-cases-for-cutpoint; pooled-folds"}
    assert folded.drop(columns="note").equals(plain.drop(columns="note"))


def test_clusters_change_the_limits_and_not_what_is_apparent(rng):
    cluster = np.repeat(np.arange(40), 5)
    y = np.tile([1, 1, 0, 0, 0], 40)
    score = y + rng.normal(size=200) + 2 * rng.normal(size=40)[cluster]
    plain, clustered = (ask(rs.Study(y, score, cluster=c)) for c in (None, cluster))
    assert clustered["apparent"].equals(plain["apparent"])
    width = [frame["ci_high"] - frame["ci_low"] for frame in (plain, clustered)]
    assert (width[1][1:3] > 1.2 * width[0][1:3]).all()
    # Rates of one cluster err to one side together, so that the index varies less than they do.
    assert width[1][3] < width[1][1]
    assert clustered["method"].tolist()[1:] == [
        "clusters/wilson-corrected",
        "clusters/wilson-corrected",
        "clusters/mover-corrected",
    ]
    kernel = ask(rs.Study(y, score, cluster=cluster), method="kernel")
    apart = ask(rs.Study(y, score), method="kernel")
    assert kernel["estimate"].equals(apart["estimate"])
    assert kernel.loc[3, "se"] < 0.9 * apart.loc[3, "se"]


def test_few_clusters_are_noted(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", cluster="patient")
    assert set(ask(study)["note"]) == {"few-cases-for-cutpoint; few-clusters"}


@pytest.mark.parametrize("method", ["normal-theory", "kernel"])
def test_smooth_cutpoints_are_about_the_optimal_one(masses, method):
    asked = {"method": method, "n_resamples": 300, "rng": 1}
    frame = masses.cutpoints(**asked)
    assert frame["quantity"].tolist() == ["threshold", "tpr", "tnr", "youden"]
    assert set(frame["target"]) == {"optimal"}
    # Normal distributions have limits in closed form.
    drawn = method == "kernel"
    assert set(frame["n_resamples"]) == {300 if drawn else 0}
    assert frame["optimism"].isna().all()
    assert frame.attrs["rocstats"]["seed"] == (1 if drawn else None)
    rates = frame.set_index("quantity")["estimate"]
    assert rates["youden"] == pytest.approx(rates["tpr"] + rates["tnr"] - 1)
    negated = rs.Study(masses.is_positive, -masses.scores[0], higher_is_positive=False)
    turned = negated.cutpoints(**asked)
    np.testing.assert_allclose(turned["estimate"].iloc[0], -frame["estimate"].iloc[0])
    np.testing.assert_allclose(turned["ci_low"].iloc[0], -frame["ci_high"].iloc[0])
    columns = ["apparent", *LIMITS]
    np.testing.assert_allclose(turned.loc[1:, columns], frame.loc[1:, columns])


@pytest.mark.parametrize("method", ["normal-theory", "kernel"])
def test_smooth_cutpoints_mirror_when_classes_are_exchanged(masses, method):
    asked = {"method": method, "n_resamples": 1000, "rng": 1}
    frame = masses.cutpoints(**asked)
    exchanged = rs.Study(~masses.is_positive, masses.scores[0], higher_is_positive=False)
    mirrored = exchanged.cutpoints(**asked)
    assert mirrored.loc[0, "estimate"] == pytest.approx(frame.loc[0, "estimate"], rel=1e-8)
    assert mirrored.loc[1, "estimate"] == pytest.approx(frame.loc[2, "estimate"], rel=1e-7)
    assert mirrored.loc[3, "estimate"] == pytest.approx(frame.loc[3, "estimate"], rel=1e-7)
    ends = [rows.loc[3, ["ci_low", "ci_high"]].to_numpy(float) for rows in (mirrored, frame)]
    if method == "normal-theory":
        np.testing.assert_allclose(*ends, rtol=1e-7)
    else:  # other resamples: four standard errors of the difference of two 2.5% quantiles
        of_quantile = np.sqrt(0.025 * 0.975 / 1000) / norm.pdf(norm.ppf(0.025))
        bound = 4 * np.sqrt(2) * of_quantile * frame.loc[3, "se"]
        np.testing.assert_allclose(*ends, atol=bound, rtol=0)


def test_kernel_limits_of_skewed_scores_are_said_to_be_short(masses, rng):
    y, normal = np.repeat([1, 0], 60), np.r_[rng.normal(1, 1, 60), rng.normal(0, 1, 60)]
    assert set(ask(rs.Study(y, normal), method="kernel")["note"]) == {""}
    with pytest.warns(rs.StatisticalWarning, match="kernel-limits-short"):
        frame = ask(rs.Study(y, np.exp(normal)), method="kernel")
    assert frame["note"].tolist() == ["kernel-limits-short"] * 3 + [""]
    assert set(masses.cutpoints(method="normal-theory")["note"]) == {""}


def test_kernel_limits_are_percentiles_whose_bandwidths_vary(rng):
    """The same resamples, their cuts found one by one."""
    y = np.repeat([1, 0], 25)
    study = rs.Study(y, rng.normal(size=50) + 2 * y)
    frame = study.cutpoints(method="kernel", confidence_level=0.9, n_resamples=100, rng=3)
    cases = study.cases
    counts, codes = cases.counts(0), cases.codes(0).astype(np.intp)
    plan = plan_draws(100, 3, progress=False).at(0, 0)
    drawn = []
    for _, pos, neg in resampled_cells(cases, codes, counts.n_pos, counts.n_neg, plan):
        rows = zip(pos[:, ::-1], neg[:, ::-1], strict=True)
        drawn += [kernel_youden(counts.score[::-1], *row).values for row in rows]
    rank = order_rank(0.05, 100)
    ends = np.sort(drawn, axis=0)[[rank - 1, -rank]].T
    np.testing.assert_allclose(
        frame[["ci_low", "ci_high"]] / frame[["se"]].to_numpy(),
        ends / frame[["se"]].to_numpy(),
        atol=0.1,
    )
    assert frame["se"].tolist() == pytest.approx(np.std(drawn, axis=0, ddof=1), rel=0.02)
    assert set(frame["method"]) == {"kernel/percentile"}


@pytest.mark.parametrize("method", ["normal-theory", "kernel"])
def test_nothing_smooth_without_a_maximum(method):
    with pytest.warns(rs.StatisticalWarning, match="no-smooth-cutpoint"):
        frame = rs.Study([1, 1, 0, 0], [1, 1, 1, 1]).cutpoints(method=method)
    assert frame[["threshold", *LIMITS]].isna().all(axis=None)


def test_rates_of_kernels_far_apart_have_no_standard_error():
    score = np.r_[np.arange(16.0), np.arange(16.0) + 100]
    study = rs.Study(np.repeat([0, 1], 16), score)
    with pytest.warns(rs.StatisticalWarning, match="no-variance"):
        frame = study.cutpoints(method="kernel", rng=1).set_index("quantity")
    rates = frame.loc[["tpr", "tnr", "youden"]]
    np.testing.assert_allclose(rates["estimate"], 1.0, rtol=1e-12)
    assert (rates["se"] == 0).all()
    assert rates[["ci_low", "ci_high"]].isna().all(axis=None)
    assert 15 < frame.loc["threshold", "estimate"] < 100
    assert frame.loc["threshold", "se"] > 0


def test_a_criterion_gets_whole_counts_and_rates_as_arrays_of_one_shape():
    """49 positives: 1/49 * 49 is less than 1 in floating point, and no count."""
    seen = []

    def criterion(weight=2.0, prevalence=0.3, **at):
        assert (weight, prevalence) == (2.0, 0.3)
        seen.append(at)
        return at["tpr"]

    n_pos, n_neg = 49, 98
    y, score = np.repeat([1, 0], [n_pos, n_neg]), np.arange(n_pos + n_neg)[::-1]
    ask(rs.Study(y, score), criterion)
    vertices = seen[0]
    assert sorted(vertices) == ["fn", "fp", "fpr", "tn", "tp", "tpr"]
    tp = np.minimum(np.arange(n_pos + n_neg + 1), n_pos)[np.newaxis]
    fp = np.maximum(np.arange(n_pos + n_neg + 1) - n_pos, 0)[np.newaxis]
    for name, count in {"tp": tp, "fn": n_pos - tp, "fp": fp, "tn": n_neg - fp}.items():
        np.testing.assert_array_equal(vertices[name], count)
    assert any(at["tp"].shape[0] > 1 for at in seen)  # resamples, many at once
    for at in seen:
        assert {np.shape(values) for values in at.values()} == {np.shape(at["tpr"])}


def test_the_prevalence_of_a_criterion_is_that_of_the_cases(masses):
    seen = []

    def criterion(tpr, prevalence):
        seen.append(prevalence)
        assert np.shape(prevalence) == np.shape(tpr)
        return tpr * prevalence

    masses.cutpoint_draws(criterion, rng=1, n_resamples=100)
    assert set(np.unique(np.concatenate([at.ravel() for at in seen]))) == {212 / 569}


class Unsigned:
    """Stands for a function written in C, of which Python does not know the arguments."""

    __signature__ = 1

    def __call__(self, tpr):
        return tpr


@each("ask_of", ["cutpoints", "cutpoint_draws"])
@each(
    ("criterion", "message"),
    [
        (lambda fpr, tpr, n_pos, n_neg: tpr, "'n_pos'"),
        (lambda f, t: t - f, "'f'"),
        (lambda tpr, fprs: tpr, r"'fprs'\. Did you mean 'fpr'"),
        (lambda tpr, sensitivity: tpr, r"'sensitivity'\. Did you mean 'tpr'"),
        (lambda tpr, /: tpr, "'tpr' by position only"),
        (lambda *rates: rates[0], "a function without them"),
        (lambda: 1, "a function without them"),
        (Unsigned(), "a function without a signature"),
    ],
)
def test_a_criterion_of_other_arguments_is_refused(ask_of, criterion, message):
    study = rs.Study([1, 1, 0, 0], [4, 2, 3, 1])
    named = "^`criterion` must take its arguments by name, any of tp, fp, .*; got"
    with pytest.raises(rs.InputError, match=f"{named} {message}"):
        getattr(study, ask_of)(criterion)


MESSAGES = [
    ({"criterion": "yuoden"}, "`criterion` must be one of"),
    ({"criterion": "gini"}, "`criterion` must be one of"),
    ({"criterion": "fixed-tpr"}, "`tpr` must be given with the criterion 'fixed-tpr'"),
    ({"criterion": "cost", "cost_fp": 1}, "`cost_fn` must be given with the criterion 'cost'"),
    ({"tpr": 0.9}, "`tpr` must stay None with the criterion 'youden', which does not use it"),
    ({"criterion": lambda tpr: tpr, "cost_fp": 2}, "`cost_fp` must stay None with the criterion a"),
    ({"criterion": "fixed-fpr", "fpr": 1}, "`fpr` must be a number strictly between 0 and 1"),
    (
        {"criterion": "cost", "cost_fp": 0, "cost_fn": 1},
        "`cost_fp` must be a number strictly between 0 and inf",
    ),
    (
        {"criterion": lambda tpr: 1.0},
        "`criterion` must return an array like fpr, of shape (1, 5); got shape ()",
    ),
    ({"criterion": lambda tpr: tpr + np.nan}, "`criterion` must return numbers; got 5 NaN of 5"),
    ({"criterion": "kappa", "method": "kernel"}, "`criterion` must be 'youden' with the method"),
    (
        {"criterion": lambda tpr: tpr, "method": "kernel"},
        "`criterion` must be 'youden' with the method 'kernel'; got a function",
    ),
    ({"threshold_at": "score"}, "`threshold_at` must be one of"),
    ({"n_resamples": 99}, "`n_resamples` must be a whole number >= 100"),
    ({"confidence_level": 95}, "`confidence_level` must be a number strictly between 0 and 1"),
]


@each(("arguments", "message"), MESSAGES)
def test_wrong_arguments_are_refused(arguments, message):
    study = rs.Study([1, 1, 0, 0], [4, 2, 3, 1])
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        study.cutpoints(**arguments)
    if not {"method", "confidence_level"} & set(arguments):
        clause = re.split("; got|, of shape", message)[0]
        with pytest.raises(rs.InputError, match=f"^{re.escape(clause)}"):
            study.cutpoint_draws(**{"n_resamples": 100, **arguments})


def test_roles_and_scores_that_a_method_cannot_use_are_refused():
    y, score = [1, 1, 0, 0], [4, 2, 3, 1]
    weighted = rs.Study(y, score, sample_weight=[1, 2, 1, 1])
    for question in ("cutpoints", "cutpoint_draws"):
        with pytest.raises(rs.InputError, match=f"^`sample_weight` must not .* for {question}"):
            getattr(weighted, question)()
    clustered = rs.Study(y, score, cluster=[1, 1, 2, 2])
    with pytest.raises(rs.InputError, match=r"^`method` must not be 'normal-theory' when"):
        clustered.cutpoints(method="normal-theory")
    infinite = rs.Study(y, [np.inf, 2, 3, 1])
    with pytest.raises(rs.InputError, match=r"^`method` must be 'empirical' .* 1 infinite score"):
        infinite.cutpoints(method="kernel")
    assert ask(infinite)["estimate"].notna().all()


def test_printed_tables_name_the_quantities(masses):
    table = rs.format_table(ask(masses, "product"))
    text = table.to_string()
    assert "Youden index" in text
    assert "Product of sensitivity and specificity" in text
    notes = " ".join(table.attrs["rocstats"]["footnotes"])
    assert "corrected for optimism" in notes
    assert "percentiles of resamples" in notes


def test_note_says_where_blocks_were_resampled(rng):
    y = rng.integers(0, 2, 17_000)
    score = y + rng.normal(size=len(y))
    many, few = rs.Study(y, score), rs.Study(y[:500], score[:500])
    asked = {"n_resamples": 100, "rng": 1}
    for ask in (rs.Study.cutpoints, rs.Study.cutpoint_draws):
        assert set(ask(many, **asked)["note"]) == {"blocked-resamples"}
        assert set(ask(few, **asked)["note"]) == {""}
    cut = many.cutpoints(**asked).set_index("quantity")
    draws = many.cutpoint_draws(**asked)
    assert cut.loc["threshold", "ci_low"] <= draws["threshold"].median()
    assert draws["threshold"].median() <= cut.loc["threshold", "ci_high"]
    assert (cut.loc[["tpr", "tnr", "youden"], "optimism"].abs() < 0.01).all()
    assert cut.loc["youden", "optimism"] > 0
