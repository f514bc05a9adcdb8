"""The explorer claims no more than the tables of its report, and shows the same P values."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.criteria import CRITERIA, CriterionName
from rocstats.explorer.data import ExplorerFrames, caution_on_limits_at_moved_cutoff, explorer_data
from rocstats.reports.contents import report_of
from rocstats.reports.options import ReportCriterion, read_report_options
from rocstats.tables.text import p_statement
from tests.reports.pages import small

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")


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
            row = rows[rows["quantity"] == name].iloc[0]
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
    assert chosen["tpr"]["low"] == pairs.loc["tpr", "ci_low"]


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
