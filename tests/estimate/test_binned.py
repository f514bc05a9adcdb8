"""No question ignores that scores are binned: it bounds the error, or it refuses."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.precision import average_precision_of_counts, precision_errors
from rocstats.curves.roc import tpr_at
from rocstats.estimate.answers import answer_rows
from rocstats.frame.make import Labels, widened_columns
from rocstats.frame.question import Question

DRAWS = {"n_resamples": 100, "rng": 1}
OPTIONS: dict[str, dict[str, Any]] = {
    "bootstrap": {"statistic": lambda y_true, y_score: float(np.mean(y_score)), **DRAWS},
    "compare_auc": {"across": "groups"},
    "compare_costs": {"cost_fp": 1, "cost_fn": 1},
    "compare_curves": {"across": "groups", "n_resamples": 99, "rng": 1},
    "compare_operating_points": {"across": "groups", "threshold": 0.5},
    "covariate_auc": {"at": {"age": 60}},
    "cutpoints": DRAWS,
    "compare_net_benefit": {"reference": "treat-all", "risk_threshold": 0.3},
    "grey_zone": {"thresholds": (0.4, 1.0)},
    "lc_index": {"low": 0.1, "mode": 0.2, "high": 0.3},
    "mean_net_benefit": {"risk_threshold": (0.1, 0.5)},
    "net_benefit": {"risk_threshold": [0.3, 0.31], "threshold": {"score": {0.3: 0.31, 0.31: 1.0}}},
    "net_benefit_band": {"risk_threshold": (0.1, 0.5), "rng": 1},
    "operating_points": {"threshold": [0.31, 1.0]},
    "operating_points_versus_random": {"threshold": 1.0},
    "optimal_points": {"cost_fp": 1, "cost_fn": 2},
    "random_points": {"n_points": 5, "rng": 1},
    "roc_band": {"at": [0.05, 0.3], **DRAWS},
    "subgroups": {"by": ["a"]},
    "test_performance_goals": {"threshold": 1.0, "tpr": 0.5, "tnr": 0.5},
}
# Where the value of a row is, if not in ``estimate``.
VALUES = {"cutpoints": "apparent", "optimal_points": "expected_cost", "roc_band": "tpr"}
REFUSED = {
    *("adjusted_auc", "adjusted_roc_curve", "compare_adjusted_auc", "covariate_auc"),
    *("auc_draws", "band_likelihood_ratios", "binormal", "binormal_curve", "bootstrap"),
    "compare_curves",
    *("calibration", "calibration_band", "calibration_curve", "probability_scores"),
    *("compare_probability_scores", "pr_band"),
    *("compare_net_benefit", "mean_net_benefit", "net_benefit_band"),
    *("compare_operating_points", "cutpoint_draws", "test_equal_groups"),
    "grey_zone",
}
OF_CASES = {
    *("compare_average_precision", "compare_costs", "compare_stratified_auc"),
    *("cost_difference_band", "lc_index"),
    *("roc_average", "roc_average_difference", "roc_difference_band", "superiority_curve"),
    *("subgroups", "test_equal_auc"),
}
QUESTIONS = sorted(name for name in vars(rs.Study) if not name.startswith("_"))
# Vertices of the curve of bins are vertices of that of scores, with the same threshold.
OF_VERTICES = {"roc_curve": "tpr", "det_curve": "fnr", "pr_curve": "ppv", "lift_curve": "lift"}


@pytest.fixture(scope="module")
def cases():
    # By cells of .2; 1.0 is between two cells.
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0, 1, 0], [40, 60, 30, 50])
    score = np.round(np.abs(rng.normal(1.0 + 0.7 * y, 0.8)), 3) + 0.0005
    site = np.repeat(["a", "b"], [100, 80])
    table = pd.DataFrame({"site": site, "cell": np.floor(score * 5), "score": score, "y": y})
    cells = table.groupby(["site", "cell"]).agg(
        score=("score", "min"), score_high=("score", "max"), n_pos=("y", "sum"), n=("y", "size")
    )
    cells["n_neg"] = cells.pop("n") - cells["n_pos"]
    counts = cells.reset_index("site").reset_index(drop=True)
    return rs.Study(y, score, group={"site": site}), rs.Study.from_counts(counts)


def curve(study, group):
    return study.roc_curve().query("group == @group")


def of_scores(whole, name, found):
    """Return the values of the rows of an answer, from all scores."""
    if name in OF_VERTICES:
        known = getattr(whole, name)()
        keys = ["group", "threshold"]
        return found[keys].merge(known, on=keys, how="left")[OF_VERTICES[name]]
    if name == "roc_hull":
        hulls = whole.roc_hull()
        parts = [hulls[hulls["group"] == group] for group in found["group"].unique()]
        return np.concatenate(
            [
                tpr_at(hull["fpr"].to_numpy(), hull["tpr"].to_numpy(), rows["fpr"].to_numpy())
                for hull, (_, rows) in zip(parts, found.groupby("group"), strict=True)
            ]
        )
    if name == "cost_curve":
        costs = []
        for group, rows in found.groupby("group"):
            points, x = curve(whole, group), rows["probability_cost"].to_numpy()
            lines = np.outer(x, 1 - points["tpr"]) + np.outer(1 - x, points["fpr"])
            costs.append(lines.min(axis=1))
        return np.concatenate(costs)
    return getattr(whole, name)(**OPTIONS.get(name, {}))[VALUES.get(name, "estimate")]


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_bounds_the_error_of_bins_or_refuses(cases, name):
    whole, binned = cases
    ask = getattr(binned, name)
    if name in REFUSED | OF_CASES:
        words = (
            "must not be used for" if name in OF_CASES else f"a study for {name}; got binned scores"
        )
        with pytest.raises(rs.InputError, match=words):
            ask(**OPTIONS.get(name, {}))
        return
    found = ask(**OPTIONS.get(name, {}))
    bound = found["binning_error"].to_numpy()
    if name.startswith("random"):  # these know the class sizes alone
        assert (bound == 0).all()
        return
    value = {"roc_hull": "tpr", "cost_curve": "normalized_cost", **OF_VERTICES, **VALUES}
    here = found[value.get(name, "estimate")].to_numpy()
    known = np.asarray(of_scores(whole, name, found))
    given = ~np.isnan(known)
    assert np.array_equal(np.isnan(here), ~given)
    assert not np.isnan(bound[given]).any()
    with np.errstate(invalid="ignore"):  # both infinite
        gap = np.where(here == known, 0.0, np.abs(here - known))[given]
    assert (gap <= bound[given] + 1e-12).all()
    assert (bound[given] >= 0).all()
    if "note" in found:
        assert (found["note"].str.contains("binned-scores") == (bound > 0)).all()


def test_a_question_refuses_binned_scores_unless_it_says_otherwise(cases):
    silent = Question("silent", ("predictor", "estimate", "note"))
    row = {"predictor": "score", "estimate": 1.0, "note": []}
    with pytest.raises(rs.InputError, match="a study for silent; got binned scores"):
        answer_rows(silent, cases[1], [row])
    with pytest.raises(KeyError, match="binning_error"):
        answer_rows(silent._replace(binned=True), cases[1], [row])


@pytest.mark.parametrize(
    ("quantity", "low", "high", "error", "wide"),
    [
        ("auc", 0.6, 0.95, 0.1, (0.5, 1.0)),
        ("youden", -0.95, 0.2, 0.1, (-1.0, 0.3)),
        ("lr_positive", 0.05, np.inf, 0.1, (0.0, np.inf)),
        ("threshold", -3.0, 2.0, 0.5, (-3.5, 2.5)),
        ("tpr", np.nan, 0.5, 0.1, (np.nan, 0.6)),
        ("tpr", 0.2, 0.5, np.inf, (0.0, 1.0)),
        ("auc", 0.6, 0.9, 0.0, (0.6, 0.9)),
    ],
)
def test_limits_are_widened_by_the_bound_to_the_ends_of_the_quantity(
    quantity, low, high, error, wide
):
    place = np.zeros(1, dtype=np.intp)
    columns = {"ci_low": [low], "ci_high": [high], "binning_error": [error]}
    for quantities in (quantity, Labels([quantity], place)):
        found = widened_columns(
            {**columns, "quantity": quantities, "note": Labels(["few-cases"], place)}
        )
        limits = found["ci_low"][0], found["ci_high"][0]
        assert limits == pytest.approx(wide, nan_ok=True)
        notes = found["note"]
        expected = "few-cases; binned-scores" if error else "few-cases"
        assert notes.labels[notes.codes[0]] == expected


def one_bin(p, n):
    return rs.Study.from_counts({"score": [0], "score_high": [1], "n_pos": [p], "n_neg": [n]})


def test_the_bound_of_the_area_is_half_the_pairs_inside_bins():
    # 2 + 3 pairs of 20 in bins with a range; the 4 x 1 in the exact cell are a real tie.
    counts = {"score": [1, 3, 5], "score_high": [2, 3, 6], "n_pos": [2, 2, 1], "n_neg": [1, 1, 3]}
    study = rs.Study.from_counts(counts)
    assert study.auc()["binning_error"].iloc[0] == pytest.approx(5 / 25 / 2, rel=1e-9)
    assert one_bin(3, 4).auc()["binning_error"].iloc[0] == pytest.approx(0.5)


@settings(max_examples=12)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 2), st.integers(0, 2))
def test_bounds_of_average_precision_are_those_of_all_orders(p, n, above_pos, above_neg):
    # The bin is below ``above`` cases with scores of their own; every order of it, ties included.
    counts = {"score": [0, 2], "score_high": [1, 2]}
    counts |= {"n_pos": [p, above_pos], "n_neg": [n, above_neg]}
    study = rs.Study.from_counts(counts)
    values = []
    for order in set(itertools.permutations([1] * p + [0] * n)):
        for cuts in itertools.product([0, 1], repeat=p + n - 1):
            place = 1 + np.concatenate([[0], np.cumsum(cuts)])
            pos, neg = (np.bincount(place, np.array(order) == c) for c in (1, 0))
            pos[0], neg[0] = above_pos, above_neg
            values.append(float(average_precision_of_counts(pos, neg)))
    here = study.average_precision()["estimate"].iloc[0]
    largest = max(abs(value - here) for value in values)
    error = precision_errors(study, 0)["average_precision"]
    assert error == pytest.approx(largest, abs=1e-12)


def test_the_bound_of_the_best_value_is_the_largest_gain_within_a_bin():
    bins = {"score": [0, 2], "score_high": [1, 3], "n_pos": [1, 4], "n_neg": [4, 3]}
    frame = rs.Study.from_counts(bins).cutpoints(n_resamples=100, rng=1)
    best = frame.set_index("quantity").loc["youden"]
    assert best["apparent"] == pytest.approx(4 / 5 - 3 / 7)
    # If the four positives of the upper bin are above its negatives, (0, 4/5) is a point. In the
    # lower bin, a point (3/7, 1) is the most there is.
    assert best["binning_error"] == pytest.approx(3 / 7)


def test_between_bins_rates_are_exact():
    counts = {"score": [1, 3], "score_high": [2, 4], "n_pos": [2, 3], "n_neg": [4, 1]}
    for threshold, error in ((3, 0), (2.5, 0), (4.5, 0), (1, 0), (-9, 0), (np.inf, 0)):
        found = rs.Study.from_counts(counts).operating_points(
            threshold=threshold, quantities=["tpr"]
        )
        assert found["binning_error"].iloc[0] == error
    for threshold, error in ((3.5, 3 / 5), (4, 3 / 5), (2, 2 / 5), (1.1, 2 / 5)):
        found = rs.Study.from_counts(counts).operating_points(
            threshold=threshold, quantities=["tpr"]
        )
        assert found["binning_error"].iloc[0] == pytest.approx(error)


def test_lower_scores_have_the_other_end_of_a_bin_for_a_threshold():
    counts = {"score": [1, 3], "score_high": [2, 4], "n_pos": [2, 3], "n_neg": [4, 1]}
    study = rs.Study.from_counts(counts, higher_is_positive=False)
    found = study.operating_points(threshold=[2, 1.5, 0.5, 3, 4], quantities=["tpr"])
    assert found["estimate"].tolist() == pytest.approx([0.4, 0.0, 0.0, 0.4, 1.0])
    assert found["binning_error"].tolist() == pytest.approx([0, 0.4, 0, 0.6, 0])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("test_performance_goals", {"threshold": 3.5, "tpr": 0.5, "tnr": 0.5}),
        ("operating_points_versus_random", {"threshold": 3.5}),
    ],
)
def test_tests_of_points_refuse_thresholds_inside_a_bin(name, options):
    counts = {"score": [1, 3], "score_high": [2, 4], "n_pos": [2, 3], "n_neg": [4, 1]}
    with pytest.raises(rs.InputError, match=r"in the bin from 3 to 4\. Pass 3\.0"):
        getattr(rs.Study.from_counts(counts), name)(**options)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("roc_curve", {"ties": "optimistic"}, "`ties` must be 'expected' for binned scores"),
        (
            "roc_band",
            {"method": "working-hotelling"},
            "must be a band around the empirical curve for binned",
        ),
        ("cutpoints", {"method": "kernel"}, "`method` must be 'empirical' for binned scores"),
        (
            "cutpoints",
            {"criterion": lambda tpr, fpr: tpr - fpr},
            "must be a named criterion for binned",
        ),
        ("operating_points", {"fpr": 0.1, "reading": "attained"}, "must be 'interpolated' for"),
    ],
)
def test_options_without_a_bound_are_refused(cases, name, options, words):
    with pytest.raises(rs.InputError, match=words):
        getattr(cases[1], name)(**options)


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("name", sorted(set(QUESTIONS) - REFUSED - OF_CASES))
def test_a_group_of_one_class_has_its_row_or_none(name):
    counts = {
        "g": ["a", "a", "b", "c", "c"],
        "score": [1, 3, 1, 0, 1],
        "score_high": [2, 4, 2, 0.5, 2],
    }
    counts |= {"n_pos": [2, 3, 5, 1, 3], "n_neg": [4, 1, 0, 2, 2]}
    if name == "compare_auc":
        with pytest.raises(rs.InputError, match="must have both classes in each compared group"):
            rs.Study.from_counts(counts).compare_auc(across="groups")
        return
    found = getattr(rs.Study.from_counts(counts), name)(**OPTIONS.get(name, {}))
    assert "binning_error" in found
