"""Questions about reviews: worked numbers, what rows say, boundaries and refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

import rocstats as rs
from rocstats.inference.meta.fits import fit_model
from rocstats.inference.meta.reviews import fit_of, read_review
from rocstats.inference.meta.spread import CONFIDENCE, PREDICTION, curve_of, regions_of
from tests.inference.meta.reviews import REVIEWS, WORKED, drawn, study, tables
from tests.quick import each

LIMITS = ["estimate", "ci_low", "ci_high"]
AUDIT = study(REVIEWS["audit-c"])
LAG = study(REVIEWS["lag"])


def values(frame: pd.DataFrame, quantity: str) -> list[float]:
    return frame[frame["quantity"] == quantity][LIMITS].iloc[0].tolist()


def lymph_nodes(**roles):
    return study(rs.load_lymph_nodes(), study="study", **roles)


# --- Worked numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REVIEWS)
@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_mean_rates_are_the_worked_ones(name):
    found, known = study(REVIEWS[name]).summary(), WORKED[name]
    assert values(found, "tpr") == pytest.approx(known["tpr"], abs=1e-6)
    assert values(found, "tnr") == pytest.approx(known["tnr"], abs=1e-6)
    profile = study(REVIEWS[name]).summary(interval="profile")
    assert profile["quantity"].tolist() == ["tpr", "tnr"]
    assert values(profile, "tpr")[1:] == pytest.approx(known["tpr_profile"], abs=1e-6)


def test_ratios_and_predictive_values_are_the_worked_ones():
    found = AUDIT.summary(prevalence=0.05)
    for quantity, known in {
        "odds_ratio": (44.151126, 20.506001, 95.061048),
        "lr_positive": (4.2392778, 3.3520551, 5.3613309),
        "lr_negative": (0.0960174, 0.0403612, 0.2284212),
        "ppv": (0.1824187, 0.1499663, 0.2200755),
        "npv": (0.9949719, 0.9881206, 0.9978802),
    }.items():
        assert values(found, quantity) == pytest.approx(known, rel=1e-6, abs=1e-6)
    assert found["prevalence"].isna().tolist() == [True] * 5 + [False] * 2


def test_predictive_values_are_bayes_rule_at_the_mean_rates():
    found = AUDIT.summary(prevalence=[0.1, 0.4]).set_index(["quantity", "prevalence"])["estimate"]
    tpr, tnr = (found.loc[name].iloc[0] for name in ("tpr", "tnr"))
    for p in (0.1, 0.4):
        positive = p * tpr / (p * tpr + (1 - p) * (1 - tnr))
        assert found.loc["ppv", p] == pytest.approx(positive)
        assert found.loc["npv", p] == pytest.approx((1 - p) * tnr / ((1 - p) * tnr + p * (1 - tpr)))


def test_spread_has_the_worked_numbers():
    found = AUDIT.heterogeneity()
    assert values(found, "prediction_tpr")[1:] == pytest.approx((0.2086421, 0.9983377), abs=1e-6)
    assert values(found, "prediction_tnr")[1:] == pytest.approx((0.4554340, 0.9389606), abs=1e-6)
    assert values(found, "sd_tpr")[0] == pytest.approx(1.7086655, abs=1e-6)
    test = found[found["quantity"] == "heterogeneity"].iloc[0]
    assert test["statistic"] == pytest.approx(2450.957978, abs=1e-5)
    assert (test["df"], test["p_value"]) == (3, 0)


def test_the_curve_and_both_regions_have_the_worked_numbers():
    curve = curve_of(fit_of(AUDIT, 21))
    assert curve == pytest.approx((3.6170359, -0.2560211, -0.9618902), abs=1e-6)
    assert curve.at(np.array([0.2])) == pytest.approx([0.9023397], abs=1e-6)
    regions = regions_of(LAG, 21, 0.95)
    known = {
        CONFIDENCE: ((0.1515833, 0.7612540), (0.0881396, 0.6740663)),
        PREDICTION: ((0.0992895, 0.8733837), (0.0125825, 0.6750487)),
    }
    for word, (first, quarter) in known.items():
        fpr, tpr = regions[word]
        assert (fpr[0], tpr[0]) == pytest.approx(first, abs=1e-6)
        assert (fpr[90], tpr[90]) == pytest.approx(quarter, abs=1e-6)


def test_comparisons_have_the_worked_numbers():
    found = lymph_nodes(covariate="modality").compare()
    tests = found[found["level"] == "all"].set_index("quantity")
    for quantity, x, d, p in (
        ("both_rates", 16.9020976, 4, 0.0059013),
        ("tpr", 6.6494116, 2, 0.0459081),
        ("tnr", 14.3679273, 2, 0.0021148),
    ):
        row = tests.loc[quantity]
        assert row["statistic"] * d == pytest.approx(x, abs=1e-5)
        assert (row["df_numerator"], row["df"]) == (d, 41)
        assert row["p_value"] == pytest.approx(p, abs=1e-6)
    assert set(found["note"]) == {"studies-shared=7"}
    apart = lymph_nodes(covariate="modality").compare(covariance="separate").iloc[-1]
    assert apart["statistic"] == pytest.approx(14.622833, abs=1e-5)
    assert (apart["df"], apart["p_value"]) == (6, pytest.approx(0.0234021, abs=1e-6))


def test_comparisons_have_the_worked_likelihoods():
    data = rs.load_lymph_nodes()
    codes, _ = pd.factorize(data["modality"])
    x = np.equal.outer(codes, np.arange(3)).astype(float)
    for design, value in ((x, -214.32710642), (np.ones((44, 1)), -222.77815524)):
        review = read_review(tables(data), design)
        assert fit_model(review.counts, review.free).value == pytest.approx(value, abs=1e-6)


def test_influence_and_small_studies_have_the_worked_numbers():
    found = AUDIT.influence()
    without = found[found["study"] == "8"]
    assert without["estimate"].tolist() == pytest.approx([0.8889156, 0.7995082], abs=1e-6)
    assert without["cook_distance"].tolist() == pytest.approx([0.4396387] * 2, abs=1e-6)
    row = AUDIT.small_study_effects().iloc[0]
    assert row["estimate"] == pytest.approx(-59.611596, abs=1e-5)
    assert row["se"] == pytest.approx(23.313335, abs=1e-5)
    assert row["p_value"] == pytest.approx(0.0251411, abs=1e-6)


# --- Against other ways ---------------------------------------------------------------------------


def test_a_comparison_does_not_depend_on_its_reference_or_coding():
    review = lymph_nodes(covariate="modality")
    one, other = review.compare(reference="CT"), review.compare(reference="MRI")
    for level in ("CT", "LAG", "MRI", "all"):
        for column in ("estimate", "ci_low", "statistic"):
            a, b = (
                frame[(frame["level"] == level) & frame["quantity"].isin(["tpr", "tnr"])][column]
                for frame in (one, other)
            )
            assert a.tolist() == pytest.approx(b.tolist(), abs=1e-6, nan_ok=True)
    ratio = {
        (frame["reference"] + frame["level"] + frame["quantity"]).iloc[i]: frame["estimate"].iloc[i]
        for frame in (one, other)
        for i in range(len(frame))
    }
    assert ratio["CTMRItpr_odds_ratio"] == pytest.approx(1 / ratio["MRICTtpr_odds_ratio"], rel=1e-6)


def test_two_levels_as_a_number_are_two_levels():
    data = rs.load_lymph_nodes().query("modality != 'MRI'").reset_index(drop=True)
    as_number = study(data.assign(lag=(data["modality"] == "LAG") * 10.0), covariate="lag")
    slope = as_number.compare()
    assert slope["level"].tolist()[0] == "lag, per unit"
    levels = study(data, covariate="modality").compare(reference="CT")
    ratios = levels[levels["quantity"].str.endswith("odds_ratio")]["estimate"]
    assert (slope["estimate"][:2] ** 10).tolist() == pytest.approx(ratios.tolist(), rel=1e-5)
    for quantity in ("both_rates", "tpr", "tnr"):
        a, b = (f[(f["quantity"] == quantity) & (f["level"] == "all")] for f in (slope, levels))
        assert a["p_value"].iloc[0] == pytest.approx(b["p_value"].iloc[0], abs=1e-6)


def test_groups_are_reviews_of_their_own():
    whole = lymph_nodes(group="modality")
    for question in ("summary", "heterogeneity", "influence"):
        frame = getattr(whole, question)()
        mine = frame[frame["group"] == "LAG"][LIMITS].to_numpy()
        assert mine == pytest.approx(getattr(LAG, question)()[LIMITS].to_numpy(), nan_ok=True)


def test_single_studies_have_wilson_limits():
    found = AUDIT.studies()
    point = rs.Study.from_confusion(tp=47, fn=9, fp=101, tn=738).operating_points()
    for quantity in ("tpr", "tnr"):
        mine = found[(found["study"] == "1") & (found["quantity"] == quantity)]
        theirs = point[point["quantity"] == quantity]
        assert mine[LIMITS].to_numpy() == pytest.approx(theirs[LIMITS].to_numpy())
    table = rs.format_table(found, layout="wide")
    assert table["TN"].iloc[1] == "1543"


def test_cooks_distance_is_the_step_of_the_means():
    data = REVIEWS["mri"]
    found = study(data).influence()
    whole, rest = (read_review(t, correlated=True) for t in (tables(data), tables(data[1:])))
    fit, without = (fit_model(r.counts, r.free) for r in (whole, rest))
    step = without.beta - fit.beta
    distance = step @ np.linalg.inv(fit.covariance) @ step / 2
    assert found["cook_distance"].iloc[0] == pytest.approx(distance, rel=1e-8)


# --- The plot's points ----------------------------------------------------------------------------


def test_the_curve_stays_within_the_observed_rates_and_holds_the_mean():
    found = AUDIT.summary_roc()
    curve, mean = (found[found["part"] == part] for part in ("curve", "summary"))
    rates = found[found["part"] == "study"]["fpr"]
    assert (curve["fpr"].min(), curve["fpr"].max()) == (rates.min(), rates.max())
    at = np.interp(mean["fpr"].iloc[0], curve["fpr"], curve["tpr"])
    assert at == pytest.approx(mean["tpr"].iloc[0], abs=1e-3)


def test_without_a_threshold_effect_there_is_no_curve():
    found = LAG.summary_roc()
    assert "curve" not in set(found["part"])
    assert set(found["note"]) == {"no-threshold-effect"}


def test_a_prediction_region_holds_the_confidence_region():
    for review in (AUDIT, LAG):
        regions = regions_of(review, 21, 0.95)
        wide, narrow = (np.ptp(regions[word], axis=1) for word in (PREDICTION, CONFIDENCE))
        assert (wide > narrow).all()


# --- Boundaries -----------------------------------------------------------------------------------


def test_a_perfect_margin_has_exact_limits_of_the_totals():
    data = REVIEWS["mri"]
    perfect = study(data.assign(tn=data["tn"] + data["fp"], fp=0))
    with pytest.warns(rs.StatisticalWarning, match="perfect-margin"):
        found = perfect.summary(prevalence=0.2)
    n = (data["tn"] + data["fp"]).sum()
    assert values(found, "tnr") == [1.0, pytest.approx(beta.ppf(0.025, n, 1)), 1.0]
    rest = found[~found["quantity"].isin(["tpr", "tnr"])]
    assert rest[LIMITS].isna().all(axis=None)
    alone = read_review(tables(data), correlated=False)
    fit = fit_model(alone.counts, alone.free)
    tpr = found[found["quantity"] == "tpr"].iloc[0]
    assert tpr["estimate"] == pytest.approx(1 / (1 + np.exp(-fit.beta[0])), abs=1e-8)
    assert tpr["method"] == "exact-univariate/t"
    parts = set(perfect.summary_roc()["part"])
    assert parts == {"study", "summary"}
    spread = perfect.heterogeneity().set_index("quantity")
    assert spread.loc[["sd_tnr", "correlation", "prediction_tnr"], "estimate"].isna().all()
    assert spread.loc["heterogeneity", "df"] == 1
    assert perfect.influence()["cook_distance"].notna().all()


def test_a_level_with_a_perfect_margin_leaves_the_other_rate():
    data = rs.load_lymph_nodes()
    perfect = np.where(data["modality"] == "MRI", data["fp"], 0)
    data = data.assign(tn=data["tn"] + perfect, fp=data["fp"] - perfect)
    review = study(data, study="study", covariate="modality")
    with pytest.warns(rs.StatisticalWarning, match="perfect-margin"):
        found = review.compare()
    tests = found[found["level"] == "all"].set_index("quantity")["p_value"]
    assert tests.isna().to_dict() == {"both_rates": True, "tpr": False, "tnr": True}
    row = found[(found["level"] == "MRI") & (found["quantity"] == "tnr")].iloc[0]
    assert (row["estimate"], row["method"]) == (1.0, "totals/clopper-pearson")


def test_rates_of_all_or_none_have_no_mean():
    split = study(
        pd.DataFrame({"tp": [5, 0, 7], "fp": [1, 2, 3], "fn": [0, 6, 0], "tn": [9, 9, 9]})
    )
    with pytest.warns(rs.StatisticalWarning, match="rates-all-or-none"):
        found = split.summary().set_index("quantity")
    assert np.isnan(found.loc["tpr", "estimate"])
    assert 0 < found.loc["tnr", "ci_low"] < found.loc["tnr", "estimate"]


def test_a_study_without_a_class_informs_the_other_rate():
    data = REVIEWS["lag"].copy()
    data.loc[0, ["fp", "tn"]] = 0
    found = study(data).summary()
    assert set(found["note"]) == {"one-sided-study=1"}
    singles = study(data).studies()
    assert np.isnan(singles["estimate"].iloc[1])
    assert singles["note"].iloc[1] == "one-sided-study"
    only = study(data.assign(fp=0, tn=0)).summary().set_index("quantity")
    assert only.loc["tpr", "method"] == "exact-univariate/t"
    assert np.isnan(only.loc["tnr", "estimate"])


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("k", [2, 3, 4])
def test_few_studies_have_no_correlation(k, rng):
    review = study(drawn(rng, k, sizes=(30, 80)))
    found = review.summary()
    assert all("correlation-fixed" in note for note in found["note"])
    assert found[["ci_low", "ci_high"]].notna().all(axis=None)
    assert set(review.summary_roc()["part"]) == {"study", "summary"}
    spread = review.heterogeneity().set_index("quantity")
    assert np.isnan(spread.loc["correlation", "estimate"])
    assert np.isnan(spread.loc["prediction_tpr", "ci_low"]) == (k == 2)
    assert spread.loc["heterogeneity", "df"] == 2


def test_a_correlation_of_one_has_limits_regions_and_a_note():
    review = study(REVIEWS["telomerase"])
    with pytest.warns(rs.StatisticalWarning, match="few-studies") as caught:
        study(REVIEWS["telomerase"][:9]).summary()
    assert len(caught) == 1
    found = review.summary()
    assert set(found["note"]) == {"correlation-at-boundary"}
    assert found[["ci_low", "ci_high"]].notna().all(axis=None)
    assert {"confidence-region", "prediction-region", "curve"} <= set(review.summary_roc()["part"])
    assert review.heterogeneity().set_index("quantity").loc["correlation", "estimate"] >= -1


def test_studies_that_agree_are_noted():
    equal = study(pd.DataFrame({"tp": [16] * 12, "fp": [3] * 12, "fn": [4] * 12, "tn": [27] * 12}))
    assert set(equal.summary()["note"]) == {"no-heterogeneity"}
    spread = equal.heterogeneity().set_index("quantity")
    assert spread.loc["sd_tpr", "estimate"] == 0
    assert spread.loc["sd_tpr", "ci_low"] == 0 < spread.loc["sd_tpr", "ci_high"]
    assert spread.loc["heterogeneity", "p_value"] == pytest.approx(1)


# --- Refusals -------------------------------------------------------------------------------------

GOOD = REVIEWS["mri"]


@each(
    ("change", "message"),
    [
        ({"tp": -1}, r"^`tp` must be whole numbers >= 0; got -1"),
        ({"fn": 1.5}, r"^`fn` must be whole numbers >= 0; got 1.5"),
        ({"tn": np.nan}, r"^`tn` must have no missing values; got 10"),
        ({"tp": 0, "fp": 0, "fn": 0, "tn": 0}, r"must count at least one person"),
    ],
)
def test_counts_are_whole(change, message):
    with pytest.raises(rs.InputError, match=message):
        study(GOOD.assign(**change))


def test_a_review_needs_two_studies_of_different_names():
    with pytest.raises(rs.InputError, match=r"at least two studies; got 1\. Use Study.from_conf"):
        study(GOOD[:1])
    with pytest.raises(rs.InputError, match=r"got 1 in group 'b'"):
        study(GOOD, group=["a"] * 9 + ["b"])
    with pytest.raises(rs.InputError, match=r"got 'Kim' twice\. Choose one threshold"):
        study(GOOD, study=["Kim", "Kim", *"abcdefgh"])
    # One name in two groups, or with two values of a covariate, is allowed.
    names = ["Kim", *"abcd", "Kim", *"efgh"]
    study(GOOD, study=names, group=["x"] * 5 + ["y"] * 5)
    assert study(GOOD, study=names, covariate=["x"] * 5 + ["y"] * 5).n_shared == 1


def test_missing_studies_are_left_out_on_request():
    data = GOOD.assign(tp=GOOD["tp"].astype(float))
    data.loc[0, "tp"] = np.nan
    with pytest.warns(rs.StatisticalWarning, match="few-studies"):
        found = rs.MetaStudy("tp", "fp", "fn", "tn", data=data, nan_policy="omit").summary()
    assert found["note"].str.startswith("rows-dropped=1").all()
    assert found["n_studies"].tolist() == [9] * 5


@each(
    ("options", "message"),
    [
        ({"interval": "profile", "prevalence": 0.1}, r"^`interval` must be 't' or 'wald' for ppv"),
        ({"interval": "profile", "quantities": ["odds_ratio"]}, r"for odds_ratio; got 'profile'"),
        ({"quantities": ["auc"]}, r"^`quantities` must be some of tpr, tnr"),
        ({"quantities": ["tpr", "sensitivity"]}, r"each once"),
        ({"prevalence": 1}, r"^`prevalence` must be"),
        ({"interval": "logit"}, r"^`interval` must be one of"),
        ({"n_nodes": 0}, r"^`n_nodes` must be a whole number >= 1"),
        ({"n_nodes": 3}, r"^`n_nodes` must be 1, or 7 or more; got 3"),
        ({"confidence_level": 95}, r"^`confidence_level` must be"),
    ],
)
def test_options_of_a_summary(options, message):
    with pytest.raises(rs.InputError, match=message):
        AUDIT.summary(**options)


def test_options_of_a_comparison():
    with pytest.raises(rs.InputError, match=r"^`covariate` must be in the study for compare"):
        AUDIT.compare()
    with pytest.raises(rs.InputError, match=r"^`by` must name one of \['modality', 'half'\]"):
        study(
            rs.load_lymph_nodes().assign(half=["x", "y"] * 22), covariate=["modality", "half"]
        ).compare()
    for labels, message in (
        (["a"] * 10, r"two or more levels"),
        (["a"] * 8 + ["b"] * 2, r"^`by` must have levels of at least 3 studies; got 2"),
        (range(10), None),
        ([2001] * 10, r"^`by` must be a covariate that varies"),
    ):
        review = study(GOOD, covariate=list(labels))
        if message:
            with pytest.raises(rs.InputError, match=message):
                review.compare()
        else:
            with pytest.raises(rs.InputError, match=r"^`reference` must be left out"):
                review.compare(reference="a")
    with pytest.raises(rs.InputError, match=r"at least 5 studies"):
        study(GOOD[:8], covariate=["a", "b"] * 4).compare(covariance="separate")
    with pytest.raises(rs.InputError, match=r"at most a third as many coefficients"):
        study(GOOD[:5], covariate=[1.0, 2.0, 3.0, 4.0, 5.0]).compare()
    with pytest.raises(rs.InputError, match=r"^`reference` must be"):
        lymph_nodes(covariate="modality").compare(reference="PET")


def test_small_reviews_have_no_test_of_small_studies_and_no_influence():
    with pytest.raises(rs.InputError, match=r"at least 10 studies with both classes"):
        study(GOOD[:9]).small_study_effects()
    with pytest.raises(rs.InputError, match=r"at least three studies for influence; got 2"):
        study(GOOD[:2]).influence()
    same = pd.DataFrame({"tp": range(5, 15), "fp": 3, "fn": range(15, 5, -1), "tn": 27})
    with pytest.raises(rs.InputError, match=r"different sizes"):
        study(same).small_study_effects()
