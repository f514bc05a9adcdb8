from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import friedmanchisquare, rankdata, wilcoxon

import rocstats as rs
from rocstats.inference.learners import (
    corrected_resampled_se,
    friedman_test,
    learner_ranks_by_row,
    signed_rank_p_value,
    walsh_interval,
)
from tests.quick import each

RNG = np.random.default_rng(8)

FOLDS = pd.DataFrame(
    {
        name: np.round(0.8 + shift + 0.03 * RNG.normal(size=10), 3)
        for name, shift in (("a", 0.03), ("b", 0), ("c", -0.02))
    }
)

SETS = {name: FOLDS[name].tolist() for name in FOLDS}


def test_a_row_by_hand():
    frame = rs.compare_learners(FOLDS, n_train=90, n_test=10)
    d = (FOLDS["a"] - FOLDS["b"]).to_numpy()
    row = frame.iloc[0]
    se = np.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))
    t = d.mean() / se
    assert row[["estimate", "se", "statistic"]].tolist() == pytest.approx([d.mean(), se, t])
    assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(t), 9))
    half = stats.t.ppf(0.975, 9) * se
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx([d.mean() - half, d.mean() + half])
    assert row[["df", "n_folds"]].tolist() == [9, 10]
    assert row["method"] == "corrected-resampled/t"
    assert frame[["predictor", "reference"]].to_numpy().tolist() == [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
    ]
    assert frame["p_adjusted"].max() >= frame["p_value"].max()
    assert frame["note"].tolist() == ["adjusted=holm"] * 3


def test_without_the_correction_it_is_the_t_test():
    frame = rs.compare_learners(FOLDS, n_train=1e12, n_test=1, adjust="none")
    expected = stats.ttest_rel(FOLDS["a"], FOLDS["b"])
    assert frame["p_value"][0] == pytest.approx(expected.pvalue)
    limits = expected.confidence_interval()
    assert frame[["ci_low", "ci_high"]].iloc[0].tolist() == pytest.approx([limits.low, limits.high])


def test_only_the_ratio_of_the_sizes_counts():
    pd.testing.assert_frame_equal(
        rs.compare_learners(FOLDS, n_train=900, n_test=100),
        rs.compare_learners(FOLDS, n_train=9, n_test=1),
    )


def test_sides_and_margins():
    keywords = {"n_train": 9, "n_test": 1, "reference": "b"}
    two = rs.compare_learners(FOLDS, **keywords, confidence_level=0.9)
    up = rs.compare_learners(FOLDS, **keywords, alternative="greater", confidence_level=0.95)
    down = rs.compare_learners(FOLDS, **keywords, alternative="less", confidence_level=0.95)
    assert up["ci_low"].tolist() == pytest.approx(two["ci_low"].tolist())
    assert down["ci_high"].tolist() == pytest.approx(two["ci_high"].tolist())
    assert set(up["ci_high"]) == {1.0}
    assert set(down["ci_low"]) == {-1.0}
    assert (up["p_value"] + down["p_value"]).tolist() == pytest.approx([1, 1])
    margin = rs.compare_learners(FOLDS, **keywords, alternative="greater", null_value=-0.05)
    assert (margin["statistic"] > up["statistic"]).all()
    assert up["predictor"].tolist() == ["a", "c"]


def test_limits_stay_inside_the_range():
    frame = rs.compare_learners({"a": [1, 0.2, 0.9], "b": [0, 0.1, 0.4]}, n_train=1, n_test=1)
    assert frame["ci_high"][0] == 1


def test_the_same_learner_twice():
    twice = {"a": FOLDS["a"], "b": FOLDS["a"], "c": FOLDS["a"] - 0.1}
    with pytest.warns(rs.StatisticalWarning) as caught:
        frame = rs.compare_learners(twice, n_train=9, n_test=1, adjust="none")
    assert {str(w.message).partition(":")[0] for w in caught} == {"identical-areas", "no-variance"}
    assert frame["p_value"].tolist()[0] == 1
    assert frame["p_value"].isna().tolist() == [False, True, True]
    assert frame[["ci_low", "ci_high"]].isna().all(axis=None)
    assert frame["note"].tolist() == ["identical-areas", "no-variance", "no-variance"]
    over = rs.compare_over_datasets({"a": FOLDS["a"], "b": FOLDS["a"]})
    assert (over["estimate"][0], over["p_value"][0]) == (0, 1)
    assert over["note"][0] == "identical-areas"


def test_pairs_and_all_over_datasets():
    frame = rs.compare_over_datasets(SETS)
    assert frame["predictor"].tolist() == ["all", "a", "a", "b"]
    expected = stats.friedmanchisquare(*SETS.values())
    first = frame.iloc[0]
    assert first[["statistic", "p_value", "df"]].tolist() == pytest.approx([*expected, 2])
    assert np.isnan(first["mean_rank"])
    ranks = stats.rankdata(-FOLDS.to_numpy(), axis=1).mean(axis=0)
    assert frame["mean_rank"][1:].tolist() == pytest.approx(ranks[[0, 0, 1]].tolist())
    assert frame["reference_mean_rank"][1:].tolist() == pytest.approx(ranks[[1, 2, 2]].tolist())
    p = frame["p_value"].to_numpy()[1:]
    order = np.argsort(p)
    holm = np.minimum(np.maximum.accumulate(p[order] * [3, 2, 1]), 1)
    assert frame["p_adjusted"].to_numpy()[1:][order] == pytest.approx(holm)
    assert frame["method"].tolist() == ["friedman/chi2", *["signed-rank/exact"] * 3]
    assert frame["n_datasets"].tolist() == [10] * 4


def test_few_data_sets_have_no_interval():
    few = {name: areas[:4] for name, areas in SETS.items() if name != "c"}
    with pytest.warns(rs.StatisticalWarning, match="unattainable-level"):
        frame = rs.compare_over_datasets(few)
    assert frame[["ci_low", "ci_high"]].iloc[0].tolist() == [-1, 1]
    assert rs.compare_over_datasets(few, confidence_level=0.8)["note"][0] == ""


def test_columns_in_any_form_give_one_answer():
    keywords = {"n_train": 9, "n_test": 1}
    frame = rs.compare_learners(FOLDS, **keywords)
    pd.testing.assert_frame_equal(rs.compare_learners(SETS, **keywords), frame)
    plain = rs.compare_learners(FOLDS.to_numpy(), **keywords)
    assert plain["predictor"].tolist() == ["learner_1", "learner_1", "learner_2"]
    pd.testing.assert_frame_equal(
        plain.drop(columns=["predictor", "reference"]),
        frame.drop(columns=["predictor", "reference"]),
    )


GOOD = {"a": [0.9, 0.8], "b": [0.7, 0.8]}

MESSAGES = {
    "one learner": ({"a": [0.9, 0.8]}, r"^`areas` must have a column for each of two .*; got 1\."),
    "one row": ({"a": [0.9], "b": [0.8]}, r"^`areas` must have at least 2 rows; got 1\."),
    "missing": (
        {"a": [0.9, np.nan], "b": [0.7, 0.8]},
        r"^`areas` must be numbers in \[0, 1\], without missing values; got nan in row 1 of 'a' ",
    ),
    "percent": ({"a": [90, 80], "b": [70, 80]}, r"got 90 in row 0 of 'a' \(wrong values: 4\)"),
    "text": ({"a": ["x", "y"], "b": [0.7, 0.8]}, r"^`areas` must be numbers; got 2 .* 'x'"),
    "lengths": (
        {"a": [0.9, 0.8, 0.7], "b": [0.7, 0.8]},
        r"^`areas\['b'\]` must have as many rows as `areas\['a'\]`",
    ),
    "indexes": (
        {"a": pd.Series([0.9, 0.8]), "b": pd.Series([0.7, 0.8], index=[1, 0])},
        r"^`areas\['b'\]` must have the same index as `areas\['a'\]`; got unequal indexes \(1 and",
    ),
    "names": (
        pd.DataFrame([[0.9, 0.8], [0.7, 0.6]], columns=[1, "1"]),
        r"^`areas` must have unique names; got \['1'\] more than once",
    ),
    "columns of one name": (
        pd.DataFrame([[0.9, 0.8], [0.7, 0.6]], columns=["a", "a"]),
        r"^`areas` must have unique names; got \['a'\] more than once\. Rename the columns\.",
    ),
    "vector": ([0.9, 0.8], r"^`areas` must be a dict or a dataframe of columns, .*; got list\."),
    "ragged": ([[0.9, 0.8], [0.7]], r"^`areas` must be a dict or a dataframe .*; got list\."),
}


@each("name", list(MESSAGES))
def test_areas_that_cannot_be_compared(name):
    areas, message = MESSAGES[name]
    with pytest.raises(rs.InputError, match=message):
        rs.compare_learners(areas, n_train=9, n_test=1)
    with pytest.raises(rs.InputError, match=message):
        rs.compare_over_datasets(areas)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"n_train": 0}, r"^`n_train` must be a number strictly between 0 and inf; got 0\."),
        ({"n_test": "1"}, r"^`n_test` must be a number"),
        ({"reference": "x"}, r"^`reference` must be one of 'a', 'b'; got 'x'\."),
        ({"alternative": "up"}, r"^`alternative` must be one of"),
        ({"adjust": "fdr"}, r"^`adjust` must be one of"),
        ({"null_value": 1}, r"^`null_value` must be a number strictly between -1 and 1"),
        ({"confidence_level": 95}, r"^`confidence_level` must be a number"),
    ],
)
def test_words_and_numbers_that_are_not_possible(keywords, message):
    with pytest.raises(rs.InputError, match=message):
        rs.compare_learners(GOOD, **{"n_train": 9, "n_test": 1, **keywords})
    if set(keywords) <= {"reference", "alternative", "adjust", "confidence_level"}:
        with pytest.raises(rs.InputError, match=message):
            rs.compare_over_datasets(GOOD, **keywords)


# hundredths, so that ties and zeros are common and sums exact
DIFFERENCES = st.lists(st.integers(-6, 6), min_size=2, max_size=9).map(lambda d: np.array(d) / 64)


def listed_p_value(d, alternative):
    """Every choice of signs, the ranks of what differs kept (zeros ranked, then left out)."""
    ranks = rankdata(np.abs(d))[d != 0]
    sums = np.array(
        [
            sum(r for r, up in zip(ranks, s, strict=True) if up)
            for s in product((0, 1), repeat=len(ranks))
        ]
    )
    observed = rankdata(np.abs(d))[d > 0].sum()
    upper, lower = (sums >= observed).mean(), (sums <= observed).mean()
    return {"greater": upper, "less": lower, "two-sided": min(1.0, 2 * min(upper, lower))}[
        alternative
    ]


@given(DIFFERENCES, st.sampled_from(["two-sided", "greater", "less"]))
def test_signed_rank_lists_every_choice_of_signs(d, alternative):
    assert signed_rank_p_value(d, alternative) == pytest.approx(listed_p_value(d, alternative))


@given(st.integers(0, 2**32), st.integers(2, 40), st.sampled_from(["two-sided", "greater", "less"]))
def test_signed_rank_without_ties_is_that_of_scipy(seed, n, alternative):
    d = np.random.default_rng(seed).normal(0.3, 1, n)
    expected = wilcoxon(d, alternative=alternative, method="exact").pvalue
    assert signed_rank_p_value(d, alternative) == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 2**32), st.integers(2, 25), st.sampled_from([0.5, 0.8, 0.95]))
def test_limits_hold_what_the_test_does_not_reject(seed, n, level):
    d = np.random.default_rng(seed).normal(0.3, 1, n)
    estimate, low, high = walsh_interval(d, level, "two-sided")
    assert low <= estimate <= high
    for limit, inside in ((low, 1), (high, -1)):
        if np.isfinite(limit):
            for step, accepted in ((1e-6, True), (-1e-6, False)):
                p = signed_rank_p_value(d - (limit + inside * step), "two-sided")
                assert (p > 1 - level) == accepted
        else:
            assert 2 * 0.5**n > 1 - level


def test_one_sided_limits_are_at_the_level():
    d = np.array([0.05, 0.03, 0.01, 0.06, 0.04, -0.02])
    _, low, high = walsh_interval(d, 0.95, "two-sided")
    assert walsh_interval(d, 0.975, "greater")[1:] == (low, np.inf)
    assert walsh_interval(d, 0.975, "less")[1:] == (-np.inf, high)


@given(st.integers(0, 2**32), st.integers(3, 12), st.integers(3, 6), st.booleans())
def test_friedman_is_that_of_scipy(seed, n, k, tied):
    areas = np.random.default_rng(seed).random((n, k))
    areas = np.round(areas, 1) if tied else areas
    if any(len(set(row)) == 1 for row in areas.tolist()) or np.ptp(areas) == 0:
        return
    expected = friedmanchisquare(*areas.T)
    statistic, df, p = friedman_test(areas)
    assert (statistic, p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    assert df == k - 1


def test_learners_that_always_tie_do_not_differ():
    assert friedman_test(np.full((4, 3), 0.7)) == (0.0, 2.0, 1.0)


def test_ranks_count_from_the_best():
    table = learner_ranks_by_row(np.array([[0.9, 0.7, 0.8], [0.5, 0.5, 0.6]]))
    assert table.tolist() == [[1, 3, 2], [2.5, 2.5, 1]]


def test_correction_of_nadeau_and_bengio():
    d = np.array([0.03, 0.01, 0.04, 0.02])
    # s^2 = .0005/3; (1/4 + 1/3) s^2
    assert corrected_resampled_se(d, 3, 1) == pytest.approx(np.sqrt((1 / 4 + 1 / 3) * 0.0005 / 3))
    assert corrected_resampled_se(np.full(5, 0.1 + 0.2), 3, 1) == 0
