"""Adjusted areas by brute force; influence as numerical derivatives; roles and refusals."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.special import logit, ndtr

import rocstats as rs
from rocstats.inference.covariates.adjusted import (
    PositivesWithCovariates,
    adjusted_area,
    adjusted_curve_vertices,
    adjusted_tpr_at_fpr,
)
from rocstats.inference.covariates.at_values import area_at_values
from rocstats.inference.covariates.regression import fit_covariate_regression

# docs/methods/covariates.md, "Influence values": m times those of positives, n times of negatives.


@pytest.fixture
def ratings(rng):
    """Scores with ties of both classes, a number and a label as covariates; positives first."""
    y = np.repeat([True, False], [14, 25])
    site, age = rng.integers(0, 2, 39), rng.integers(0, 4, 39)
    score = np.round(0.5 * age + 0.7 * site + y + rng.normal(size=39))
    return y, score, np.column_stack([np.ones(39), age, site])


def parts(y, score, design, weight=None):
    weight = np.ones(len(y)) if weight is None else weight
    positives = PositivesWithCovariates(score[y], design[y], weight[y])
    return positives, fit_covariate_regression(score[~y], design[~y], weight[~y])


def residuals_of(y, score, design, weight, factor):
    """Standardised residuals of both classes by weighted normal equations."""
    own, w = ~y, weight[~y]
    beta = np.linalg.solve(
        design[own].T @ (w[:, None] * design[own]), design[own].T @ (w * score[own])
    )
    rest = score - design @ beta
    return rest / np.sqrt(factor * np.sum(w * rest[own] ** 2) / w.sum()), beta


def derivatives(function, n):
    """Derivative of a function of n weights by each, to some 1e-11 (five points)."""
    found = np.empty(n)
    for k in range(n):
        moved = [np.ones(n) for _ in range(4)]
        for weight, step in zip(moved, (-2, -1, 1, 2), strict=True):
            weight[k] += 1e-3 * step
        a, b, c, d = map(function, moved)
        found[k] = (a - 8 * b + 8 * c - d) / 12e-3
    return found


def test_placements_and_area_count_residuals_below_and_half_of_equal_ones(ratings):
    y, score, design = ratings
    z, _ = residuals_of(y, score, design, np.ones(39), 25 / 22)
    z = np.round(z, 9)
    kernel = (z[y][:, None] > z[~y]) + 0.5 * (z[y][:, None] == z[~y])
    assert (kernel == 0.5).any()
    found = adjusted_area(*parts(y, score, design), kind="empirical")
    assert found.placement == pytest.approx(kernel.mean(axis=1), abs=1e-12)
    assert found.value == pytest.approx(kernel.mean(), abs=1e-12)


def test_normal_influence_is_the_derivative_of_the_whole_estimator(ratings):
    y, score, design = ratings
    factor = 25 / 22

    def area(weight):
        z, _ = residuals_of(y, score, design, weight, factor)
        return np.average(ndtr(z[y]), weights=weight[y])

    found = adjusted_area(*parts(y, score, design), kind="normal")
    wanted = derivatives(area, 39)
    assert found.value == pytest.approx(area(np.ones(39)), abs=1e-13)
    assert found.of_positives == pytest.approx(wanted[y], abs=1e-9)
    # The factor n/(n - p) of the variance stands in the values: n - 1 is taken off elsewhere.
    assert found.of_negatives / np.sqrt(24 / 22) == pytest.approx(wanted[~y], abs=1e-9)


def test_empirical_influence_is_that_of_ranks_and_the_derivative_of_the_smoothed_area(ratings):
    y, score, design = ratings
    ones = np.ones(39)
    z, beta = residuals_of(y, score, design, ones, 25 / 22)
    s = np.sqrt(np.sum((score - design @ beta)[~y] ** 2) / 22)
    gaps = z[y][:, None] - z[~y]
    width = 1.06 * gaps.std() * 14**-0.2

    def smoothed(weight):
        _, moved = residuals_of(y, score, design, np.where(y, 1.0, weight), 1.0)
        rest = (score - design @ moved) / s
        return ndtr((rest[y][:, None] - rest[~y]) / width).mean()

    ranks = np.round(z, 9)
    kernel = (ranks[y][:, None] > ranks[~y]) + 0.5 * (ranks[y][:, None] == ranks[~y])
    found = adjusted_area(*parts(y, score, design), kind="empirical")
    of_ranks = (kernel.mean(axis=0) - kernel.mean()) / 25
    wanted = of_ranks + derivatives(smoothed, 39)[~y]
    assert found.of_negatives / np.sqrt(24 / 22) == pytest.approx(wanted, abs=1e-9)
    assert found.of_positives == pytest.approx((kernel.mean(axis=1) - kernel.mean()) / 14)


@pytest.mark.parametrize("kind", ["empirical", "normal"])
def test_weights_are_numbers_of_equal_cases(ratings, rng, kind):
    y, score, design = ratings
    times = rng.integers(1, 4, 39)
    grouped = adjusted_area(*parts(y, score, design, times.astype(float)), kind=kind)
    rows = np.repeat(np.arange(39), times)
    single = adjusted_area(*parts(y[rows], score[rows], design[rows]), kind=kind)
    assert grouped.value == pytest.approx(single.value, abs=1e-12)
    assert np.repeat(grouped.of_positives, times[y]) == pytest.approx(single.of_positives)
    assert np.repeat(grouped.of_negatives, times[~y]) == pytest.approx(single.of_negatives)


def test_scores_that_the_covariates_explain_whole():
    design = np.column_stack([np.ones(12), np.arange(12)])
    y = np.arange(12) % 3 == 0
    score = 2.0 + 0.1 * np.arange(12)
    flat = adjusted_area(*parts(y, score, design), kind="empirical")
    assert flat.value == 0.5
    assert np.abs(flat.of_negatives).max() == 0
    above = adjusted_area(*parts(y, score + y, design), kind="empirical")
    assert above.value == 1.0
    assert np.isnan(adjusted_area(*parts(y, score + y, design), kind="normal").value)


def test_the_area_under_the_staircase_is_the_adjusted_area(ratings):
    y, score, design = ratings
    weight = np.arange(1.0, 40.0)
    for kind in ("empirical", "normal"):
        found = adjusted_area(*parts(y, score, design, weight), kind=kind)
        fpr, tpr = adjusted_curve_vertices(found.placement, weight[y])
        assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
        assert ((np.diff(fpr) >= 0) & (np.diff(tpr) >= 0)).all()
        assert np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2 == pytest.approx(found.value)
        at = np.linspace(0, 1, 41)
        shares = [np.average(1 - found.placement <= f + 1e-12, weights=weight[y]) for f in at]
        assert adjusted_tpr_at_fpr(at, found.placement, weight[y]) == pytest.approx(shares)


def test_area_at_covariates_is_that_of_two_normal_samples_without_covariates(rng):
    x, y = rng.normal(1, 2, 15), rng.normal(size=22)
    one = [fit_covariate_regression(v, np.ones((len(v), 1)), np.ones(len(v))) for v in (x, y)]
    found = area_at_values(np.ones(1), *one)
    spread = x.var(ddof=1) + y.var(ddof=1)
    w = (x.mean() - y.mean()) / np.sqrt(spread)
    assert found.value == pytest.approx(ndtr(w))
    line = (x.var(ddof=1) / 15 + y.var(ddof=1) / 22) / spread
    of_s = (2 * x.var(ddof=1) ** 2 / 14 + 2 * y.var(ddof=1) ** 2 / 21) / (4 * spread**2)
    density = np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi)
    assert found.se == pytest.approx(density * np.sqrt(line + w**2 * of_s))


HONOURED = {"adjusted_auc", "adjusted_roc_curve", "compare_adjusted_auc", "covariate_auc"}


@pytest.fixture
def table(rng):
    """Sixty cases with two scores, two covariates, a site and a patient."""
    y = np.arange(60) % 3 == 0
    age = rng.normal(60, 8, 60) + 3 * y
    x = 0.1 * age + y + rng.normal(size=60)
    return pd.DataFrame(
        {
            "ill": y.astype(int),
            "x": x,
            "x2": 0.5 * x + rng.normal(size=60),
            "age": age,
            "sex": np.where(np.arange(60) % 2, "F", "M"),
            "site": np.where(np.arange(60) < 30, "a", "b"),
            "patient": np.arange(60) // 2,
            "n": np.arange(60) % 2 + 1,
        }
    )


def study_of(table, scores="x", covariate="age", **more):
    return rs.Study("ill", scores, data=table, covariate=covariate, **more)


def test_functions_and_reports_of_a_study_refuse_covariates(table, tmp_path):
    study = study_of(table)
    with pytest.raises(rs.InputError, match="`covariate` must not be in a study"):
        rs.report(study, tmp_path / "report.html")
    with pytest.raises(rs.InputError, match="`covariate` must not be in a study"):
        rs.repair_concavities(study)
    with pytest.raises(rs.InputError, match="`pilot` must have no covariate"):
        rs.PilotAUCs(study)
    with pytest.raises(rs.InputError, match="`studies` must be without covariates"):
        rs.stack_test_sets([study, study])


def test_questions_about_covariates_refuse_what_they_cannot_honour(table):
    options = {"covariate_auc": {"at": {"age": 60}}}
    plain = rs.Study("ill", ["x", "x2"], data=table)
    for name in HONOURED:
        with pytest.raises(rs.InputError, match="`covariate` must be in a study"):
            getattr(plain, name)(**options.get(name, {}))
        for role in ("fold", "sample_weight", "cluster"):
            study = study_of(table, ["x", "x2"], **{role: "n"})
            if role == "cluster" and name != "covariate_auc":
                getattr(study, name)()
                continue
            with pytest.raises(rs.InputError, match=f"`{role}` must stay None for areas"):
                getattr(study, name)(**options.get(name, {}))


def test_a_regression_that_cannot_be_fitted_is_refused(table):
    table["twice"], table["centre"] = 2 * table["age"], np.where(table["ill"] & 1, "A", "B")
    table["one"] = 3.0
    table["centres"] = np.where(table["centre"] == "A", "A" + (table.index % 2).astype(str), "B")
    for covariate, words in (
        (["age", "twice"], r"got rank 2 of the 3 columns \['intercept', 'age', 'twice'\]"),
        ("one", "got rank 1 of the 2 columns"),
        ("centre", "negatives with each label; got none with 'A' of 'centre'"),
        ("centres", "got none with 'A0' of 'centres'"),
        ({"id": [f"p{k // 3}" for k in range(60)]}, "got 40 negatives and 20 coefficients"),
    ):
        with pytest.raises(rs.InputError, match=words):
            study_of(table, covariate=covariate).adjusted_auc()
    few = table[(table["site"] == "a") | (table["ill"] == 1) | (table.index > 52)]
    with pytest.raises(rs.InputError, match=r"got 5 negatives and 2 coefficients in group 'b'"):
        study_of(few, group="site").adjusted_auc()
    with pytest.raises(rs.InputError, match="positives or more for each coefficient"):
        study_of(few[few.index.isin(few.index[few["ill"] == 0]) | (few.index < 20)]).covariate_auc(
            {"age": 60}
        )
    table.loc[3, "x"] = np.inf
    with pytest.raises(rs.InputError, match=r"`y_score` must be finite .* got inf by 'x'"):
        study_of(table).adjusted_auc()
    table.loc[3, "age"] = np.inf
    with pytest.raises(
        rs.InputError, match=r"`covariate` must be numbers below .* got inf in row 3"
    ):
        study_of(table)


def test_missing_covariates_follow_the_policy(table):
    known = study_of(table.drop(index=[4, 5]), covariate=["age", "sex"]).adjusted_auc()
    table.loc[4, "age"], table.loc[5, "sex"] = np.nan, None
    with pytest.raises(rs.InputError, match=r"`covariate` must have no missing values; got 1"):
        study_of(table, covariate=["age", "sex"])
    omitted = study_of(table, covariate=["age", "sex"], nan_policy="omit").adjusted_auc()
    assert omitted["note"].str.contains("rows-dropped=2").all()
    assert omitted["estimate"].tolist() == pytest.approx(known["estimate"].tolist())


def test_units_labels_and_forms_of_covariates_make_no_difference(table):
    wanted = study_of(table, covariate=["age", "sex"]).adjusted_auc()
    sexes = pd.Categorical(table["sex"], ["F", "other", "M"])
    forms = (
        {"age": table["age"] * 1e9 - 4e12, "sex": (table["sex"] == "F").to_numpy()},
        pd.DataFrame({"age": table["age"] / 7, "sex": sexes}),
    )
    for form in forms:
        found = study_of(table, covariate=form).adjusted_auc()
        assert found["estimate"].tolist() == pytest.approx(wanted["estimate"].tolist(), abs=1e-12)
        assert found["se"].tolist() == pytest.approx(wanted["se"].tolist(), rel=1e-9)


def test_limits_below_one_half_are_noted_and_others_are_not(table):
    assert "below-chance" not in study_of(table).adjusted_auc()["note"][0]
    with pytest.warns(rs.StatisticalWarning, match="below-chance"):
        found = study_of(table.assign(x=table["x"] - 9 * table["ill"])).adjusted_auc()
    assert found["ci_high"][0] < 0.5
    assert "below-chance" in found["note"][0]


@pytest.mark.parametrize("residuals", ["empirical", "normal"])
def test_frequency_is_replicated_rows_and_clusters_of_one_are_none(table, residuals):
    scores, asked = ["x", "x2"], {"residuals": residuals}
    rows = table.loc[np.repeat(table.index, table["n"])].reset_index(drop=True)
    pairs = (
        (study_of(table, scores, frequency="n"), study_of(rows, scores)),
        (study_of(table, scores, cluster=np.arange(60)), study_of(table, scores)),
    )
    for one, other in pairs:
        for name in ("adjusted_auc", "compare_adjusted_auc"):
            numbers = ["estimate", "se", "ci_low", "ci_high", "n_pos", "n_neg"]
            found, wanted = (getattr(study, name)(**asked)[numbers] for study in (one, other))
            np.testing.assert_allclose(found, wanted, rtol=1e-9)
    curves = [study.adjusted_roc_curve(**asked) for study in pairs[0]]
    np.testing.assert_allclose(*(curve[["fpr", "tpr"]] for curve in curves), atol=1e-12)
    areas = [study.covariate_auc({"age": [55, 65]})["se"] for study in pairs[0]]
    np.testing.assert_allclose(*areas, rtol=1e-9)


def test_the_clustered_variance_sums_influence_by_cluster(table):
    # Every case twice in its cluster: sums are twice the values of one, over twice the cases.
    twice = pd.concat([table, table], ignore_index=True)
    one = study_of(table, ["x", "x2"], cluster=np.arange(60))
    both = study_of(twice, ["x", "x2"], cluster=np.tile(np.arange(60), 2))
    normal = {"residuals": "normal"}
    # Of clusters alone n - p = 38 of 40 negatives, of all cases 78 of 80; s^2 moves with them.
    found, wanted = both.adjusted_auc(**normal), one.adjusted_auc(**normal)
    assert found["se"].to_numpy() == pytest.approx(wanted["se"].to_numpy(), rel=0.02)
    assert found["method"].tolist() == ["adjusted-normal-cluster/logit-t"] * 2
    assert (found["se"] > 1.3 * study_of(twice, ["x", "x2"]).adjusted_auc(**normal)["se"]).all()


def test_groups_have_their_own_regressions_and_one_class_has_no_answer(table):
    table.loc[(table["site"] == "b") & (table["age"] > 62), "ill"] = 1
    table["third"] = np.where(table.index < 3, "c", table["site"])
    table.loc[table["third"] == "c", "ill"] = 1
    study = study_of(table, ["x", "x2"], group="third")
    alone = study_of(table[table["third"] == "a"].reset_index(drop=True), ["x", "x2"])
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        found = study.adjusted_auc()
    same = found[found["group"] == "a"]["estimate"].tolist()
    assert same == pytest.approx(alone.adjusted_auc()["estimate"].tolist())
    with pytest.raises(rs.InputError, match="got 9 positives and 2 coefficients in group 'a'"):
        study.covariate_auc({"age": 60})
    for frame in (found, study.compare_adjusted_auc()):
        lost = frame[frame["group"] == "c"]
        assert lost["estimate"].isna().all()
        assert lost["note"].str.contains("one-class").all()
        assert (lost["method"] == "none/none").all()
    assert set(study.adjusted_roc_curve()["group"]) == {"a", "b"}


def test_positives_outside_the_range_of_the_negatives_are_counted(table):
    table.loc[table["ill"] == 1, "age"] += np.where(np.arange(20) < 4, 100, 0)
    with pytest.warns(rs.StatisticalWarning, match="extrapolates"):
        frame = study_of(table).adjusted_auc()
    high = table.loc[table["ill"] == 0, "age"].max()
    low = table.loc[table["ill"] == 0, "age"].min()
    out = ((table["age"] > high) | (table["age"] < low)) & (table["ill"] == 1)
    assert out.sum() >= 4
    assert frame["note"].str.contains(f"extrapolates={out.sum()}").all()
    with pytest.warns(rs.StatisticalWarning, match="values-extrapolate"):
        there = study_of(table).covariate_auc({"age": [60, 300]})
    assert there["note"].str.contains("values-extrapolate").tolist() == [False, True]


def test_areas_of_1_have_limits_and_no_spread_has_a_note(table):
    table["x"] = table["age"] + 1000.0 * table["ill"]
    table["x2"] = np.where(table["ill"] == 1, 100.0, 0.0) + table["age"] / 10
    table["x2"] += np.sin(np.arange(60))
    study = study_of(table, ["x", "x2"])
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        frame = study.adjusted_auc()
    assert frame["estimate"].tolist() == [1.0, 1.0]
    assert ((frame["ci_low"] > 0.7) & (frame["ci_low"] < 1)).all()
    assert frame["method"].str.endswith("/newcombe").all()
    pair = study.compare_adjusted_auc()
    assert pair["ci_low"].iloc[0] < 0 < pair["ci_high"].iloc[0]
    with pytest.warns(rs.StatisticalWarning, match="no-residual-spread"):
        normal = study.adjusted_auc(residuals="normal")
    assert normal["estimate"].isna().tolist() == [True, False]


def test_predictors_that_differ_by_what_covariates_explain_are_identical(table):
    table["x2"] = 2 * table["x"] + 5 * table["age"]
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        frame = study_of(table, ["x", "x2"]).compare_adjusted_auc()
    assert abs(frame["estimate"].iloc[0]) < 1e-12
    assert np.isnan(frame["ci_low"].iloc[0])


def test_values_of_covariates_are_checked(table):
    study = study_of(table, covariate=["age", "sex"])
    frame = study.covariate_auc({"sex": "F", "age": [60, 70]})
    assert frame["covariates"].tolist() == ["age = 60, sex = F", "age = 70, sex = F"]
    for at, words in (
        ({"age": 60}, r"map each of the covariates \['age', 'sex'\]"),
        ({"age": 60, "sex": "X"}, r"labels of 'sex', which are \['M', 'F'\]; got \['X'\]"),
        ({"age": "old", "sex": "F"}, "finite numbers for 'age'; got 'old'"),
        ({"age": [], "sex": "F"}, r"finite numbers for 'age'; got \[\]"),
        (60, "got 60. Pass for instance {'age': ...}."),
    ):
        with pytest.raises(rs.InputError, match=words):
            study.covariate_auc(at)


def test_frames_print_and_record_what_they_are(table):
    study = study_of(table, ["x", "x2"], labels={"x": "Marker"})
    frame = study.adjusted_auc(null_value=0.5)
    assert json.loads(json.dumps(frame.attrs["rocstats"])) == frame.attrs["rocstats"]
    printed = rs.format_table(frame)
    assert printed.iloc[0, 0] == "Marker"
    assert any("AUC adjusted for covariates" in column for column in printed)
    there = rs.format_table(study.covariate_auc({"age": [60, 65]}))
    assert "AUC at given covariates (age = 60)" in there.to_string()
    pair = rs.format_table(study.compare_adjusted_auc())
    assert any("Difference in AUC adjusted for covariates" in column for column in pair)


def test_the_adjusted_curve_is_drawn_over_the_pooled_one(table):
    study, pooled = study_of(table), rs.Study("ill", "x", data=table)
    curve = study.adjusted_roc_curve()
    alone = rs.plot_roc(curve)
    both = rs.plot_roc(pooled.roc_curve(), fit=curve)
    for ax, number in ((alone, 0), (both, -1)):
        lines = [line for line in ax.get_lines() if len(line.get_xdata()) > 2]
        drawn = lines[number].get_xydata()
        assert drawn[0].tolist() == [0, 0]
        assert drawn[-1].tolist() == [1, 1]


def test_patients_who_are_alike_have_one_vertex_of_the_adjusted_curve():
    rng = np.random.default_rng(0)
    for _ in range(60):
        y, age, weight = np.arange(60) % 2, rng.integers(0, 3, 60) / 3, rng.integers(0, 2, 60) * 1.1
        score = rng.integers(0, 3, 60) * 0.7 + y
        study = rs.Study(y, score, covariate={"age": age, "weight": weight})
        curve = study.adjusted_roc_curve(residuals="normal")
        design = np.column_stack([np.ones(60), age, weight])
        line = np.linalg.lstsq(design[y == 0], score[y == 0], rcond=None)[0]
        rest = (score - design @ line)[y == 1]
        assert len(np.unique(curve["fpr"])) == len(np.unique(rest.round(9))) + 2  # the corners


def test_a_study_says_which_covariates_it_has(table):
    study = study_of(table, covariate=["age", "sex"])
    assert "covariates  age, sex" in repr(study)
    assert study.covariate.shape == (2, 60)
    assert not study.covariate.flags.writeable


def test_answers_of_imputed_covariates_are_pooled_on_the_logit_scale(table, rng):
    imputed = [table.assign(age=table["age"] + rng.normal(size=60)) for _ in range(3)]
    for name, options in (("adjusted_auc", {}), ("covariate_auc", {"at": {"age": [58, 62]}})):
        frames = [getattr(study_of(one), name)(**options) for one in imputed]
        pooled = rs.pool_imputations(frames)
        logits = np.mean([logit(frame["estimate"].to_numpy()) for frame in frames], axis=0)
        assert logit(pooled["estimate"].to_numpy()) == pytest.approx(logits)
        assert len(pooled) == len(frames[0])
        assert ((pooled["ci_low"] > 0) & (pooled["ci_high"] < 1)).all()
