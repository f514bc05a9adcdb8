"""The explorer claims no more than the tables of its report, and shows the same P values."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.present.explorer.data import ExplorerFrames, caution_of_moved, explorer_data
from rocstats.present.p_values import p_statement
from rocstats.present.report.contents import report_of
from rocstats.present.report.options import read_options
from tests.present.report_pages import small

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")


def explored(study, **options):
    return report_of(study, read_options(study, rng=1, **options)).explorer


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


def test_limits_over_folds_say_what_they_assume():
    study = small(fold=np.arange(70) % 2)
    (test,) = explored(study, criterion=None)["tests"]
    assert test["moved"] is not None
    assert test["moved_reason"] == caution_of_moved(study) != ""
    assert "folds are comparable and independent" in test["moved_reason"]
    assert caution_of_moved(rs.Study([0, 1], [1, 2])) == ""
