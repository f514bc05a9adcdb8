"""Studies of count tables: exact counts answer as the cases, and what is wrong is refused."""

import pickle

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import rocstats as rs

COUNTS = {"score": [1.0, 2.0, 3.0], "n_pos": [1, 4, 5], "n_neg": [6, 3, 1]}
# What is drawn from the rows themselves has other draws for cells than for cases.
DRAWN = {"auc_draws", "bootstrap"}
OPTIONS = {
    "auc": {"fpr_range": (0.1, 0.6)},
    "average_precision": {"interval": "percentile", "n_resamples": 100, "rng": 1},
    "band_likelihood_ratios": {"edges": [0.5, 2]},
    "compare_auc": {"across": "groups"},
    "compare_curves": {"across": "groups", "n_resamples": 99, "rng": 1},
    "compare_operating_points": {"across": "groups", "threshold": 0.3},
    "cutpoint_draws": {"n_resamples": 100, "rng": 1},
    "cutpoints": {"n_resamples": 100, "rng": 1},
    "grey_zone": {"thresholds": (0.5, 2)},
    "operating_points": {"fpr": [0.1, 0.5], "n_resamples": 100, "rng": 1},
    "operating_points_versus_random": {"threshold": 0.3},
    "optimal_points": {"cost_fp": 1, "cost_fn": 2},
    "random_points": {"n_points": 5, "rng": 1},
    "roc_band": {"n_resamples": 100, "rng": 1},
    "pr_band": {"n_resamples": 100, "rng": 1},
    "test_performance_goals": {"threshold": 0.3, "tpr": 0.5, "tnr": 0.5},
    "versus_random": {"method": "permutation", "n_resamples": 99, "rng": 1},
}
OF_CASES = {
    *("compare_average_precision", "compare_costs", "compare_stratified_auc"),
    *("cost_difference_band", "lc_index"),
    *("roc_average", "roc_average_difference", "roc_difference_band", "subgroups"),
    *("superiority_curve", "test_equal_auc"),
}
OF_RISKS = {
    "calibration": {},
    "calibration_band": {},
    "calibration_curve": {},
    "compare_net_benefit": {"reference": "treat-all", "risk_threshold": 0.3},
    "mean_net_benefit": {"risk_threshold": (0.1, 0.5)},
    "net_benefit": {"risk_threshold": [0.2, 0.5]},
    "net_benefit_band": {"risk_threshold": (0.1, 0.5), "rng": 1},
    "probability_scores": {},
}
# A table of counts has no covariates, which these ask for.
OF_COVARIATES = {"adjusted_auc", "adjusted_roc_curve", "compare_adjusted_auc", "covariate_auc"}
OF_PAIRS = {"compare_probability_scores"}  # one table of counts has one predictor
OTHERS = DRAWN | OF_CASES | OF_COVARIATES | OF_PAIRS | set(OF_RISKS)
METHODS = {name for name in vars(rs.Study) if not name.startswith("_")}


def ratings():
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0, 1, 0], [30, 40, 20, 35])
    score = np.round(rng.normal(y, 1.0) * 3) / 3 + 0.1
    return y, score, np.repeat(["a", "b"], [70, 55])


def counted(y, score, site):
    cases = pd.DataFrame({"site": site, "score": score, "n_pos": y, "n_neg": 1 - y})
    return cases.groupby(["site", "score"]).sum().reset_index()


@pytest.fixture(scope="module", params=[True, False])
def both(request):
    y, score, site = ratings()
    options = {"higher_is_positive": request.param}
    whole = rs.Study(y, {"score": score}, group={"site": site}, **options)
    return whole, rs.Study.from_counts(counted(y, score, site), **options)


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("name", OF_RISKS)
def test_exact_counts_of_risks_answer_as_the_cases(name):
    y, score, site = ratings()
    risk = 1 / (1 + np.exp(-score))
    whole = rs.Study(y, {"score": risk}, group={"site": site})
    studies = whole, rs.Study.from_counts(counted(y, risk, site))
    of_cases, of_counts = (getattr(study, name)(**OF_RISKS[name]) for study in studies)
    assert_frame_equal(pd.DataFrame(of_cases), pd.DataFrame(of_counts), rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("name", sorted(METHODS - OTHERS))
def test_exact_counts_answer_as_the_cases(both, name):
    of_cases, of_counts = (getattr(study, name)(**OPTIONS.get(name, {})) for study in both)
    assert_frame_equal(pd.DataFrame(of_cases), pd.DataFrame(of_counts), rtol=1e-12, atol=1e-12)
    assert of_cases.attrs == of_counts.attrs


def test_draws_of_exact_counts_have_the_law_of_those_of_cases(both):
    # 2000 draws: the means differ by under five standard errors of their difference.
    of_cases, of_counts = (study.auc_draws(rng=1).groupby("group")["estimate"] for study in both)
    error = np.sqrt((of_cases.var() + of_counts.var()) / 2000)
    assert (abs(of_cases.mean() - of_counts.mean()) < 5 * error).all()
    # A standard deviation of 2000 draws has a relative error of 1/sqrt(4000).
    assert np.allclose(of_cases.std() / of_counts.std(), 1, atol=5 * np.sqrt(2 / 4000))


@pytest.mark.parametrize("name", sorted(OF_CASES))
def test_what_needs_single_cases_is_refused_by_its_reason(name):
    options = {
        "compare_costs": {"cost_fp": 1.0, "cost_fn": 1.0},
        "lc_index": {"low": 0.1, "mode": 0.2, "high": 0.3},
        "subgroups": {"by": ["a"]},
    }
    for high in (COUNTS["score"], [1.0, 2.5, 3.5]):
        study = rs.Study.from_counts({**COUNTS, "score_high": high})
        with pytest.raises(rs.InputError, match="Individual cases are needed"):
            getattr(study, name)(**options.get(name, {}))


def test_curves_of_folds_need_single_cases():
    with pytest.raises(rs.InputError, match="Individual cases are needed"):
        rs.Study.from_counts(COUNTS).roc_curve(by="fold")


def test_a_study_of_counts_has_their_cases():
    study = rs.Study.from_counts({"hospital": ["x", "x", "y"], **COUNTS}, predictor="marker")
    assert (study.n_pos, study.n_neg, study.predictors) == (10, 10, ("marker",))
    assert [label for label, _ in study.by_group()] == ["x", "y"]
    assert "frequency" in repr(study)


def test_columns_of_groups_make_one_group_of_each_combination():
    counts = {"sex": ["f", "f", "m", "m"], "age": ["1", "2", "1", "1"], "score": [1, 1, 1, 2]}
    counts |= {"n_pos": [1, 2, 3, 4], "n_neg": [4, 3, 2, 1]}
    groups = [label for label, _ in rs.Study.from_counts(counts).by_group()]
    assert groups == ["f / 1", "f / 2", "m / 1"]


def test_the_threshold_of_a_bin_calls_all_of_it():
    binned = {**COUNTS, "score_high": [1.5, 2.5, 3.5]}
    higher = rs.Study.from_counts(binned).roc_curve()
    lower = rs.Study.from_counts(binned, higher_is_positive=False).roc_curve()
    assert higher["threshold"].tolist() == [np.inf, 3.0, 2.0, 1.0]
    assert lower["threshold"].tolist() == [-np.inf, 1.5, 2.5, 3.5]


def test_a_binned_study_is_pickled_with_its_bins():
    study = rs.Study.from_counts({**COUNTS, "score_high": [1.5, 2.5, 3.5]})
    again = pickle.loads(pickle.dumps(study))
    assert_frame_equal(study.auc(), again.auc())
    assert again.auc()["binning_error"].iloc[0] > 0


def test_overlapping_cells_are_united():
    # Scores 1 to 2 and 1.5 to 3 of two sites: their order is unknown.
    apart = {"score": [1.0, 1.5], "score_high": [2.0, 3.0], "n_pos": [1, 3], "n_neg": [2, 2]}
    one = {"score": [1.0], "score_high": [3.0], "n_pos": [4], "n_neg": [4]}
    assert_frame_equal(rs.Study.from_counts(apart).auc(), rs.Study.from_counts(one).auc())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"n_pos": None}, "columns score, n_pos and"),
        ({"n_pos": [1, -4, 5]}, "n_pos"),
        ({"n_neg": [1, 0.5, 5]}, "n_neg"),
        ({"n_neg": [0, 0, 0]}, "`counts` must hold both classes; got 10 positives and 0"),
        ({"n_pos": [0, 0, 0], "n_neg": [0, 0, 0]}, "both classes; got 0 positives and 0"),
        ({"score_high": [1.0, 1.5, 3.0]}, "must have score_high >= score in each row"),
        ({"score": [1.0, np.nan, 3.0]}, "a score in each row"),
    ],
)
def test_a_wrong_table_is_refused(wrong, words):
    counts = {name: values for name, values in {**COUNTS, **wrong}.items() if values is not None}
    with pytest.raises(rs.InputError, match=words):
        rs.Study.from_counts(counts)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"predictor": 3}, "`predictor` must be a text"),
        ({"higher_is_positive": {"score": True}}, "`higher_is_positive` must be True or False"),
    ],
)
def test_a_wrong_option_is_refused(options, words):
    with pytest.raises(rs.InputError, match=words):
        rs.Study.from_counts(COUNTS, **options)
