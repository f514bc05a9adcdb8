"""The data of an explorer are those of the frames it was made of, and claim no more than tables."""

from __future__ import annotations

import json
import math
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.criteria import CRITERIA, CriterionName
from rocstats.explorer.data import (
    ExplorerFrames,
    caution_on_limits_at_moved_cutoff,
    explorer_data,
    why_no_explorer,
    why_no_moved_limits,
)
from rocstats.reports.answers import _refusal_without_code
from rocstats.reports.contents import report_of
from rocstats.reports.options import ReportCriterion, read_report_options
from rocstats.tables.text import p_statement
from tests.reports.pages import small
from tests.strategies import SEEDS

# The prevalence at which predictive values were asked, and another.
ASKED, OTHER = 0.1, 0.37


@pytest.fixture(scope="module")
def masses():
    data = rs.load_breast_cancer()
    return rs.Study("diagnosis", ["texture", "area"], data=data, pos_label="malignant")


@pytest.fixture(scope="module")
def frames(masses):
    cutpoints = masses.cutpoints(n_resamples=100, prevalence=ASKED, rng=1)
    chosen = cutpoints[cutpoints["quantity"] == "threshold"]
    best = dict(zip(chosen["predictor"], chosen["estimate"], strict=True))
    beforehand = {"texture": [20.0, 18.25], "area": [600.0]}
    return ExplorerFrames(
        masses.roc_curve(),
        masses.auc(),
        masses.roc_band(n_resamples=100, rng=1),
        cutpoints,
        masses.cutpoint_draws(n_resamples=100, rng=1),
        masses.operating_points(threshold=beforehand, prevalence=ASKED),
        [
            masses.compare_operating_points(threshold=best),
            masses.compare_operating_points(threshold={"texture": 18.25, "area": 600.0}),
        ],
    )


@pytest.fixture(scope="module")
def data(masses, frames):
    return explorer_data(frames, prevalence=ASKED, study_prevalence=masses.prevalence)


def plain(study, **options):
    """The data of a study's curves and areas alone."""
    return explorer_data(ExplorerFrames(study.roc_curve(), study.auc()), **options)


def rows_of(frame, **wanted):
    for name, value in wanted.items():
        frame = frame[frame[name] == value]
    return frame


def test_the_data_are_json(data):
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["version"] == 1
    assert data["level"] == 0.95
    assert data["prevalence"] == ASKED
    assert data["study_prevalence"] == 212 / 569
    assert [test["id"] for test in data["tests"]] == ["texture", "area"]
    assert data["left_out"] == []


def test_presets_are_edges_with_the_counts_of_their_frames(data, frames):
    for test in data["tests"]:
        cut = rows_of(frames.cutpoints, predictor=test["predictor"], quantity="tpr").iloc[0]
        points = rows_of(frames.points, predictor=test["predictor"], quantity="tpr")
        expected = [*points[["threshold", "tp", "fp"]].to_numpy().tolist()]
        expected.append([cut["threshold"], cut["tp"], cut["fp"]])
        found = [
            [preset["threshold"], sum(test["pos"][edge + 1 :]), sum(test["neg"][edge + 1 :])]
            for preset in test["presets"]
            for edge in [preset["edge"]]
        ]
        assert found == expected
        assert all(test["edges"][one["edge"]] == one["threshold"] for one in test["presets"])


def test_rates_of_presets_are_those_of_the_frames(data, frames):
    texture, area = data["tests"]
    assert [one["key"] for one in texture["presets"]] == [
        *("prespecified-1", "prespecified-2"),
        "youden",
    ]
    for test in (texture, area):
        rows = rows_of(frames.cutpoints, predictor=test["id"]).set_index("quantity")
        chosen = test["presets"][-1]
        for name in ("tpr", "tnr"):
            row = rows.loc[name]
            values = [row["estimate"], row["ci_low"], row["ci_high"], row["apparent"]]
            assert list(chosen[name].values()) == values
        limits = rows.loc["threshold", ["ci_low", "ci_high"]]
        shown = [round(float(limit), test["decimals"]) for limit in limits]
        assert [chosen["threshold_low"], chosen["threshold_high"]] == shown
    row = rows_of(frames.points, predictor="texture", quantity="tnr", threshold=18.25).iloc[0]
    values = [row["estimate"], row["ci_low"], row["ci_high"], row["estimate"]]
    assert list(texture["presets"][1]["tnr"].values()) == values
    assert texture["presets"][1]["threshold_low"] is None
    assert texture["presets"][1]["draws"] == []


def expit(x):
    return 1 / (1 + math.exp(-x))


def predictive_values(preset, prevalence):
    """Estimate and limits of ppv and npv by Bayes' rule from the data."""
    log = math.log(prevalence / (1 - prevalence))
    ppv = [expit(log + preset["ppv"][key]) for key in ("log_ratio", "low", "high")]
    npv = [1 - expit(log + preset["npv"][key]) for key in ("log_ratio", "high", "low")]
    return ppv, npv


@pytest.mark.parametrize("cluster", [None, np.arange(569) // 3])
@pytest.mark.parametrize("cutoff", [20.0, 35.0, 40.0])
def test_predictive_values_hold_at_every_prevalence(cluster, cutoff):
    """Of clusters they are not symmetric, and above the benign maximum of 33.81 PPV is 1."""
    table = rs.load_breast_cancer()
    study = rs.Study("diagnosis", "texture", data=table, pos_label="malignant")
    if cluster is not None:
        study = rs.Study(study.is_positive, study.scores[0], predictor="texture", cluster=cluster)
    points = study.operating_points(threshold=cutoff, prevalence=ASKED)
    data = explorer_data(ExplorerFrames(study.roc_curve(), study.auc(), points=points))
    (preset,) = data["tests"][0]["presets"]
    again = study.operating_points(threshold=cutoff, prevalence=OTHER).set_index("quantity")
    columns = ["estimate", "ci_low", "ci_high"]
    if cutoff == 40:  # nobody is positive
        assert preset["ppv"] is None
        return
    ppv, npv = predictive_values(preset, OTHER)
    assert ppv == pytest.approx(again.loc["ppv", columns].tolist(), abs=1e-12)
    assert npv == pytest.approx(again.loc["npv", columns].tolist(), abs=1e-12)
    assert (ppv[0] == 1.0) == (cutoff == 35)


def test_a_prevalence_of_the_study_itself_gives_no_predictive_values(masses):
    points = masses.operating_points(threshold=20.0)
    frames = ExplorerFrames(masses.roc_curve(), masses.auc(), points=points)
    assert explorer_data(frames)["tests"][0]["presets"][0]["ppv"] is None


def test_limits_of_moved_cutoffs_are_those_of_dvoretzky_kiefer_and_wolfowitz(data):
    texture = data["tests"][0]
    assert texture["moved"]["pos"] == pytest.approx(0.1017, abs=5e-5)  # sqrt(ln 80 / 424)
    assert texture["moved"]["neg"] == pytest.approx(0.0783, abs=5e-5)  # sqrt(ln 80 / 714)
    assert texture["moved_reason"] == ""


def test_a_cutoff_of_clusters_that_was_moved_has_no_limits():
    study = rs.Study([0, 1] * 20, np.arange(40.0), cluster=np.arange(40) // 4)
    reason = why_no_moved_limits(study)
    assert reason.startswith("Cases of a cluster are not independent")
    (test,) = plain(study, unmoved=reason)["tests"]
    assert test["moved"] is None
    assert test["moved_reason"] == reason
    assert why_no_explorer(study) == ""


def test_a_study_with_weights_has_no_explorer():
    study = rs.Study([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 1, 0.5])
    assert "weights" in why_no_explorer(study)


def test_pairs_are_the_paired_differences_at_two_presets(data, frames):
    for frame, key in zip(frames.comparisons, (["youden"] * 2, None), strict=True):
        keys = key or ["prespecified-2", "prespecified-1"]
        (pair,) = [
            pair for pair in data["pairs"] if [pair["first_preset"], pair["second_preset"]] == keys
        ]
        assert (pair["first"], pair["second"]) == ("texture", "area")
        for name in ("tpr", "tnr"):
            row = rows_of(frame, quantity=f"{name}_difference").iloc[0]
            assert list(pair[name].values()) == [
                *(row[column] for column in ("estimate", "ci_low", "ci_high", "p_value")),
                p_statement(row["p_value"], alpha=0.05),
            ]
    assert len(data["pairs"]) == 2


def test_areas_and_bands_are_those_of_the_frames(data, frames):
    for test in data["tests"]:
        row = rows_of(frames.auc, predictor=test["id"]).iloc[0]
        assert test["auc"] == {
            "estimate": row["estimate"], "low": row["ci_low"], "high": row["ci_high"],
            "p_value": None,
        }  # fmt: skip
        band = rows_of(frames.band, predictor=test["id"])
        assert test["band"]["fpr"] == pytest.approx(band["fpr"].tolist(), abs=5e-7)
        assert test["band"]["high"] == pytest.approx(band["tpr_high"].tolist(), abs=5e-7)


def test_vertices_are_the_corners_of_the_curve(data, frames):
    curve = rows_of(frames.curve, predictor="area")
    found = data["tests"][1]["curve"]
    assert np.interp(curve["fpr"], found["fpr"], found["tpr"]).max() == 1
    points = set(zip(curve["fpr"].round(6), curve["tpr"].round(6), strict=True))
    assert set(zip(found["fpr"], found["tpr"], strict=True)) <= points
    # a corner is a turn: 0|0, up, right, up, right ... 1|1
    right, up = np.diff([found["fpr"], found["tpr"]])
    assert (np.abs(right[1:] * up[:-1] - right[:-1] * up[1:]) > 1e-6).all()


def test_a_long_curve_keeps_500_vertices_along_it():
    rng = np.random.default_rng(1)
    labels = np.arange(4000) % 4 == 0
    study = rs.Study(labels, rng.normal(labels))
    (test,) = plain(study)["tests"]
    fpr, tpr = np.array(test["curve"]["fpr"]), np.array(test["curve"]["tpr"])
    assert 400 < len(fpr) <= 500
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    # what is cut off between two vertices is no longer than twice their distance, 2 / 499
    curve = study.roc_curve()
    drawn = np.interp(curve["fpr"] + curve["tpr"], fpr + tpr, tpr)
    assert np.abs(drawn - curve["tpr"]).max() < 2 * 2 / 499


def test_both_directions_have_cells_in_the_order_of_the_scale():
    """Positive at or below 2: 5 + 6 positives."""
    table = {"score": [1, 2, 3, 4] * 2, "ill": [1] * 4 + [0] * 4, "n": [5, 6, 7, 8, 9, 10, 11, 12]}
    high = rs.Study("ill", "score", data=pd.DataFrame(table), frequency="n")
    (test,) = plain(high)["tests"]
    assert (test["edges"], test["direction"]) == ([2, 3, 4], ">=")
    assert (test["pos"], test["neg"]) == ([5, 6, 7, 8], [9, 10, 11, 12])
    low = rs.Study(
        "ill", "score", data=pd.DataFrame(table), frequency="n", higher_is_positive=False
    )
    (test,) = plain(low)["tests"]
    assert (test["edges"], test["direction"]) == ([1, 2, 3], "<=")
    assert (test["pos"], test["neg"]) == ([5, 6, 7, 8], [9, 10, 11, 12])


def test_ratings_have_the_words_of_what_is_called_positive():
    names = ["normal", "doubtful", "abnormal"]
    table = pd.DataFrame({"x": [0, 1, 2] * 2, "ill": [1] * 3 + [0] * 3, "n": [9] * 6})
    study = rs.Study("ill", "x", data=table, frequency="n")
    points = study.operating_points(threshold=0.5, prevalence=ASKED)
    frames = ExplorerFrames(study.roc_curve(), study.auc(), points=points)
    (test,) = explorer_data(frames, categories={"x": names})["tests"]
    assert test["names"] == {"0.5": "doubtful", "2": "abnormal"}
    assert test["presets"][0]["name"] == "Set beforehand: doubtful"
    low = rs.Study("ill", "x", data=table, frequency="n", higher_is_positive=False)
    assert plain(low, categories={"x": names})["tests"][0]["names"] == {
        "0": "normal",
        "1": "doubtful",
    }


def test_a_test_with_two_results_has_one_cutoff_and_no_area():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=3, tn=22)
    points = study.operating_points(threshold=1.0, prevalence=ASKED)
    frames = ExplorerFrames(
        study.roc_curve(), study.auc(), None, study.cutpoints(n_resamples=100, rng=1), points=points
    )
    (test,) = explorer_data(frames)["tests"]
    assert test["yes_no"]
    assert (test["edges"], test["pos"], test["neg"]) == ([1.0], [6, 14], [22, 3])
    assert test["auc"] is None
    assert [preset["kind"] for preset in test["presets"]] == ["prespecified"]


def test_two_results_where_the_lower_is_positive():
    study = rs.Study([1, 1, 1, 0, 0], [0, 0, 1, 1, 1], higher_is_positive=False)
    (test,) = plain(study)["tests"]
    assert (test["edges"], test["pos"], test["neg"]) == ([0.0], [2, 1], [0, 2])


def test_a_group_with_two_scores_does_not_make_a_yes_or_no_test():
    study = rs.Study([0, 1] * 10, [*range(16), 1, 2, 1, 2], group=["a"] * 16 + ["b"] * 4)
    tests = plain(study, exact=True)["tests"]
    assert [test["yes_no"] for test in tests] == [False, False]
    assert tests[1]["edges"] == [1, 2]


def test_a_yes_or_no_test_has_its_cutoff_in_a_group_without_a_yes():
    study = rs.Study([0, 1] * 4, [0, 1, 0, 1, 0, 0, 0, 0], group=["a"] * 4 + ["b"] * 4)
    tests = plain(study)["tests"]
    assert [(test["yes_no"], test["edges"]) for test in tests] == [(True, [1.0]), (True, [1.0])]
    assert (tests[1]["pos"], tests[1]["neg"]) == ([2, 0], [2, 0])


def test_groups_are_tests_of_their_own_and_one_class_is_left_out_with_its_reason():
    labels, group = [0, 1] * 10 + [1] * 3, ["a"] * 20 + ["b"] * 3
    study = rs.Study(labels, np.arange(23.0), group=group)
    data = plain(study)
    (test,) = data["tests"]
    assert (test["id"], test["group"], test["label"]) == ("score@a", "a", "score, a")
    assert (test["n_pos"], test["n_neg"]) == (10, 10)
    assert data["left_out"] == [
        {
            "id": "score@b", "predictor": "score", "group": "b", "label": "score, b",
            "reason": "There are no negatives.",
        }
    ]  # fmt: skip


def test_ids_are_unique_whatever_the_names():
    labels = [0, 1] * 20
    scores = dict.fromkeys(["a@b", "a", "</script>", "日本語", "a,b&t=1"], np.arange(40.0))
    study = rs.Study(labels, scores, group=["b"] * 20 + ["b@b"] * 20)
    ids = [test["id"] for test in plain(study)["tests"]]
    assert len(set(ids)) == len(ids) == 10
    assert {"</script>@b", "日本語@b@b"} <= set(ids)


def test_predictors_have_their_own_cases():
    a, b = np.arange(40.0), np.arange(40.0)
    a[:10] = np.nan
    study = rs.Study([0, 1] * 20, {"a": a, "b": b}, nan_policy="available")
    assert [test["n_pos"] for test in plain(study)["tests"]] == [15, 20]


def test_labels_and_words_are_those_of_the_study():
    study = rs.Study(
        [0, 1] * 10, {"psa": np.arange(20.0)}, labels={"psa": "PSA, ng/mL"}, outcome="cancer"
    )
    data = plain(study, words={"case": "man", "cases": "men"})
    assert data["tests"][0]["label"] == "PSA, ng/mL"
    assert data["words"] == {
        "case": "man", "cases": "men", "condition": "cancer", "action": "treat",
        "outcome": "cancer", "counted": "men",
    }  # fmt: skip


def test_scores_that_cannot_be_told_apart_are_left_out():
    data = plain(rs.Study([0, 1] * 5, [3.0] * 10))
    assert data["tests"] == []
    assert "cutoff" in data["left_out"][0]["reason"]
    exact = plain(rs.Study([0, 1] * 5, [3.0] * 10), exact=True)
    assert exact["tests"][0]["edges"] == [3.0]


def test_infinite_scores_are_beyond_the_last_edges():
    scores = [-math.inf, *range(18), math.inf] * 2
    (test,) = plain(rs.Study([1] * 20 + [0] * 20, scores), exact=True)["tests"]
    assert test["edges"] == list(range(18))
    assert test["pos"] == [1] * 17 + [1, 2]
    assert test["axis"] == [0, 17]


def test_a_cutoff_that_calls_nobody_positive_is_no_preset():
    study = rs.Study([1] * 10 + [0] * 10, [*range(10), *range(20, 30)])
    cutpoints = study.cutpoints(n_resamples=100, rng=1)
    assert np.isinf(cutpoints["estimate"].iloc[0])
    data = explorer_data(ExplorerFrames(study.roc_curve(), study.auc(), cutpoints=cutpoints))
    assert data["tests"][0]["presets"] == []
    assert json.dumps(data, allow_nan=False)


def test_draws_are_quantiles_without_the_digits_that_tell_scores(data, frames):
    values = rows_of(frames.draws, predictor="texture")["threshold"].sort_values().to_numpy()
    # quantiles 1/100, 3/100 ... of 100; numbers round like the text of numbers, not like arrays
    expected = [round(float(values[2 * k]), 2) for k in range(50)]
    assert data["tests"][0]["presets"][-1]["draws"] == expected
    exact = explorer_data(frames, exact=True)["tests"][0]["presets"][-1]["draws"]
    assert exact == values[[2 * k for k in range(50)]].tolist()


@settings(max_examples=4)
@given(SEEDS, st.booleans())
def test_scores_of_patients_are_nowhere_but_among_the_edges(seed, high):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(120) % 3 == 0)
    scores = rng.normal(labels) * 37.123
    study = rs.Study(labels, scores, higher_is_positive=high)
    cutpoints = study.cutpoints(n_resamples=100, rng=1)
    draws = study.cutpoint_draws(n_resamples=100, rng=1)
    points = study.operating_points(threshold=11.0, prevalence=ASKED)
    frames = ExplorerFrames(study.roc_curve(), study.auc(), None, cutpoints, draws, points)
    data = explorer_data(frames, study_prevalence=study.prevalence)
    (test,) = data["tests"]
    test["edges"] = []
    assert not set(scores) & set(numbers_in(data))


def numbers_in(value):
    if isinstance(value, dict):
        return [number for each in value.values() for number in numbers_in(each)]
    if isinstance(value, list):
        return [number for each in value for number in numbers_in(each)]
    return [value] if isinstance(value, float) else []


def explored(study, **options):
    return report_of(study, read_report_options(study, rng=1, **options)).explorer


def test_p_values_are_adjusted_as_in_the_table():
    study = small(predictors=("a", "b", "c"))
    pairs = explored(study, prespecified=0.5, criterion=None)["pairs"]
    frame = study.compare_operating_points(threshold=dict.fromkeys("abc", 0.5))
    assert len(pairs) == 3
    for pair in pairs:
        rows = frame[(frame["predictor"] == pair["first"]) & (frame["reference"] == pair["second"])]
        for name in ("tpr", "tnr"):
            row = rows[rows["quantity"] == f"{name}_difference"].iloc[0]
            assert pair[name]["p_text"] == f"adjusted {p_statement(row['p_adjusted'])}"


def test_an_explorer_of_a_report_has_its_level_its_prevalences_and_its_cutoffs():
    study, level = small(predictors=("a", "b")), {"confidence_level": 0.9}
    data = explored(study, prespecified=0.5, prevalence=[0.1, 0.2], **level)
    assert (data["level"], data["prevalence"], data["study_prevalence"]) == (0.9, 0.1, 30 / 70)
    points = study.operating_points(threshold=0.5, prevalence=0.1, **level)
    cutpoints = study.cutpoints(prevalence=0.1, rng=1, **level)
    moved = study.operating_points(threshold=0.5, interval="dkw", **level)
    for test in data["tests"]:
        for preset, frame in zip(test["presets"], (points, cutpoints), strict=True):
            rows = frame[frame["predictor"] == test["id"]].set_index("quantity")
            for name in ("tpr", "tnr"):
                row = rows.loc[name]
                found = [preset[name][key] for key in ("estimate", "low", "high")]
                assert found == row[["estimate", "ci_low", "ci_high"]].tolist()
            for name, sign in (("ppv", 1), ("npv", -1)):
                # the odds before the test are 1 : 9
                shares = rows.loc[name, ["estimate", "ci_low", "ci_high"]].to_numpy(dtype=float)
                odds = sign * np.log(shares / (1 - shares)) + np.log(9)
                wanted = odds if sign == 1 else odds[[0, 2, 1]]
                found = [preset[name][key] for key in ("log_ratio", "low", "high")]
                assert found == pytest.approx(wanted)
        rows = moved[moved["predictor"] == test["id"]].set_index("quantity")
        for name, key in (("tpr", "pos"), ("tnr", "neg")):
            row = rows.loc[name]
            reach = max(row["ci_high"] - row["estimate"], row["estimate"] - row["ci_low"])
            assert test["moved"][key] == pytest.approx(reach)
    (chosen,) = [pair for pair in data["pairs"] if pair["first_preset"] == "youden"]
    cuts = cutpoints[cutpoints["quantity"] == "threshold"]
    cuts = dict(zip(cuts["predictor"], cuts["estimate"], strict=True))
    pairs = study.compare_operating_points(threshold=cuts, **level).set_index("quantity")
    assert chosen["tpr"]["low"] == pairs.loc["tpr_difference", "ci_low"]


def test_a_rule_of_choice_has_one_name_on_the_page():
    study = small()
    made = report_of(study, read_report_options(study, criterion="product", rng=1))
    (preset,) = made.explorer["tests"][0]["presets"]
    assert preset["name"] == CRITERIA["product"].phrase
    (notice,) = [block for block in made.document.sections[0].blocks if block.role == "notice"]
    assert f"what the rule “{preset['name']}” gave" in notice.text
    assert get_args(CriterionName) == tuple(CRITERIA)
    plain = [name for name, one in CRITERIA.items() if not one.needs]
    assert list(get_args(ReportCriterion)) == plain


def test_dots_are_of_all_resamples():
    """Of 100 resamples 40 call nobody positive: 30 of the 50 dots are left."""
    study = small()
    draws = study.cutpoint_draws(n_resamples=100, rng=1)
    draws.loc[:39, "threshold"] = np.inf
    cutpoints = study.cutpoints(n_resamples=100, rng=1)
    frames = ExplorerFrames(study.roc_curve(), study.auc(), None, cutpoints, draws)
    (preset,) = explorer_data(frames)["tests"][0]["presets"]
    assert len(preset["draws"]) == 30


@pytest.mark.parametrize(("n_pos", "partly"), [(49, True), (50, False)])
def test_a_preset_knows_whether_much_optimism_remains(n_pos, partly):
    (preset,) = explored(small(n_pos, 60))["tests"][0]["presets"]
    assert preset["partly"] == partly


def test_repeated_cases_are_not_independent():
    """Twice the same outcomes in the same order, in other folds: repeated cross-validation."""
    draw = np.random.default_rng(3)
    outcome = draw.random(100) < 0.4
    scores = np.tile(draw.normal(size=100) + outcome, 2)
    fold = np.concatenate([np.arange(100) % 5, 5 + np.arange(100) % 5])
    study = rs.Study(np.tile(outcome, 2), scores, fold=fold)
    (test,) = explored(study, criterion=None)["tests"]
    assert test["moved"] is None
    assert test["moved_reason"].startswith("The same cases stand in several folds")


def test_limits_over_folds_say_what_they_assume():
    study = small(fold=np.arange(70) % 2)
    (test,) = explored(study, criterion=None)["tests"]
    assert test["moved"] is not None
    assert test["moved_reason"] == caution_on_limits_at_moved_cutoff(study) != ""
    assert "folds are comparable and independent" in test["moved_reason"]
    assert caution_on_limits_at_moved_cutoff(rs.Study([0, 1], [1, 2])) == ""


def test_a_study_of_frequencies_has_all_its_cutoffs():
    table = pd.DataFrame({"x": [1, 2, 3] * 2, "ill": [1] * 3 + [0] * 3, "n": [1, 1, 4, 6, 2, 1]})
    data = explored(rs.Study("ill", "x", data=table, frequency="n"), criterion=None)
    (test,) = data["tests"]
    assert data["frequencies"]
    assert (test["edges"], test["cutoffs"]) == ([1, 2, 3], [2, 2])
    few = explored(rs.Study([0, 1] * 10, np.arange(20.0)), criterion=None)
    assert not few["frequencies"]
    assert few["tests"][0]["cutoffs"] == [1, 19]


def test_a_model_opens_with_the_stated_risk_not_with_a_chosen_one():
    rng = np.random.default_rng(1)
    risk = rng.uniform(size=200)
    study = rs.Study(rng.random(200) < risk, {"model": risk, "older": risk**2})
    made = report_of(study, read_report_options(study, risk_threshold=[0.3, 0.1], rng=1))
    for test in made.explorer["tests"]:
        assert [preset["threshold"] for preset in test["presets"][:2]] == [0.3, 0.1]
        assert [one["kind"] for one in test["presets"]] == ["prespecified"] * 2 + ["chosen"]
    given = made.answers.given
    assert given["threshold"].unique().tolist() == [0.3, 0.1]
    first = made.document.sections[0].blocks[0]
    assert first.text.startswith("model at 0.3 finds")
    also = report_of(
        study, read_report_options(study, risk_threshold=0.3, prespecified={"model": 0.5}, rng=1)
    )
    assert [one["threshold"] for one in also.explorer["tests"][0]["presets"][:2]] == [0.5, 0.3]
    # What is no risk has no such cutoff.
    beyond = rs.Study(study.is_positive, study.scores[0] * 7)
    assert (
        report_of(beyond, read_report_options(beyond, risk_threshold=0.3, rng=1)).answers.given
        is None
    )


def test_reasons_of_a_page_have_no_names_of_arguments():
    assert (
        _refusal_without_code(
            "`y_score` must have risks between 0 and 1; got 1.5. Pass `clip=1e-6`."
        )
        == "the scores must have risks between 0 and 1."
    )
    assert _refusal_without_code("no components of this covariance.") == (
        "no components of this covariance."
    )


def test_a_chosen_cutoff_keeps_its_short_text_beside_the_scores_of_an_exact_page():
    """The midpoint of 38.0 and 38.2 is 38.099999999999994: in print 38.1, as in the tables."""
    labels = np.repeat([1, 0], 20)
    scores = np.r_[38.2 + np.arange(20), 38.0 - np.arange(20)]
    data = explored(rs.Study(labels, scores), explorer="exact")
    (test,) = data["tests"]
    (preset,) = [one for one in test["presets"] if one["kind"] == "chosen"]
    assert preset["threshold"] == pytest.approx(38.1)
    assert test["texts"][preset["edge"]] == "38.1"
    assert len(set(test["texts"])) == len(test["texts"])
