from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

import rocstats as rs

RATES = [0.0, 0.1, 0.3, 0.6, 1.0]


@pytest.fixture
def study(rng):
    """Three predictors on four folds of 25 + 60 cases; the third is much better."""
    y = np.tile(np.repeat([1, 0], [25, 60]), 4)
    scores = {
        name: rng.normal(size=340) + shift * y for name, shift in zip("abc", (1, 1, 3), strict=True)
    }
    return rs.Study(y, scores, fold=np.repeat(list("wxyz"), 85))


def per_fold(study, name):
    return np.array(
        [
            rs.Study(
                part.is_positive, part.scores[study.predictors.index(name)], fold=[0] * 85
            ).roc_average(at=RATES)["estimate"]
            for _, part in study.cases.by_fold()
        ]
    )


def test_the_estimate_is_the_difference_of_the_averages(study):
    frame = study.roc_average_difference(at=RATES, n_resamples=100, rng=1)
    average = study.roc_average(at=RATES)
    mean = {name: rows["estimate"].to_numpy() for name, rows in average.groupby("predictor")}
    pairs = frame[["predictor", "reference"]].drop_duplicates().to_numpy().tolist()
    assert pairs == [["a", "b"], ["a", "c"], ["b", "c"]]
    for (one, two), rows in frame.groupby(["predictor", "reference"]):
        assert rows["estimate"].to_numpy() == pytest.approx(mean[one] - mean[two], abs=1e-12)
        assert rows["fpr"].tolist() == RATES
    assert set(frame["n_curves"]) == {4}


def test_t_bars_are_a_paired_t_test_over_folds(study):
    frame = study.roc_average_difference(bars="t", at=RATES, reference="a", confidence_level=0.9)
    assert frame["predictor"].tolist() == ["b"] * 5 + ["c"] * 5
    rows = frame[(frame["predictor"] == "c") & (frame["fpr"] < 1)]
    test = ttest_rel(per_fold(study, "c")[:, :4], per_fold(study, "a")[:, :4])
    expected = test.confidence_interval(0.9)
    assert rows["ci_low"].to_numpy() == pytest.approx(np.maximum(expected.low, -1))
    assert rows["ci_high"].to_numpy() == pytest.approx(np.minimum(expected.high, 1))
    end = frame[frame["fpr"] == 1]
    # 100 positives, both rates 1: Wilson's lower limit is 100/(100 + z^2)
    reach = 1 - 100 / (100 + 1.6448536269514722**2)
    assert end["ci_high"].to_numpy() == pytest.approx(reach)
    assert end["ci_low"].to_numpy() == pytest.approx(-reach)
    assert set(end["note"]) == {"no-paired-spread"}
    assert set(end["method"]) == {"curves/newcombe-hybrid"}
    assert set(frame["n_resamples"]) == {0}


def test_effective_bars_know_the_better_curve(study):
    frame = study.roc_average_difference(at=RATES, rng=1).set_index(["predictor", "fpr"])
    assert (frame.loc["a"].groupby("fpr")["ci_low"].min() < 0).all()
    against = study.roc_average_difference(at=0.1, reference="c", rng=1)
    assert (against["ci_high"] < 0).all()
    width = frame["ci_high"] - frame["ci_low"]
    assert (width > 0).all()


def test_sharing_cases_narrows_the_bars(rng):
    y = np.tile(np.repeat([1, 0], [25, 60]), 4)
    common, fold = 2 * rng.normal(size=340), np.repeat(range(4), 85)
    scores = {name: common + 0.5 * rng.normal(size=340) + 2 * y for name in "ab"}
    paired = rs.Study(y, scores, fold=fold)
    bars = paired.roc_average(bars="effective", at=0.3)
    apart = np.hypot(*bars["se"])
    frame = paired.roc_average_difference(at=0.3, rng=1)
    assert frame["se"][0] < 0.7 * apart


def test_exchanging_predictors_turns_the_sign(study):
    one = study.roc_average_difference(at=RATES, reference="a", rng=3)
    two = study.roc_average_difference(at=RATES, rng=3)
    first = one[one["predictor"] == "b"].reset_index(drop=True)
    second = two[(two["predictor"] == "a") & (two["reference"] == "b")].reset_index(drop=True)
    assert first["estimate"].tolist() == pytest.approx((-second["estimate"]).tolist())
    assert first["ci_low"].tolist() == pytest.approx((-second["ci_high"]).tolist())
    assert first["se"].tolist() == pytest.approx(second["se"].tolist())


def test_identical_predictors_have_no_variance(study):
    same = rs.Study(
        study.is_positive,
        {"a": study.scores[0], "b": np.exp(study.scores[0])},
        fold=study.fold.codes,
    )
    for bars in ("t", "effective"):
        frame = same.roc_average_difference(bars=bars, at=RATES, rng=1)
        assert frame["estimate"].tolist() == [0] * 5
        assert frame[["se", "ci_low", "ci_high"]].isna().all(axis=None)
        assert set(frame["note"]) == {"identical-predictors"}


def test_two_perfect_predictors_have_unpaired_bars():
    y, fold = np.tile([1, 1, 0, 0], 10), np.repeat([1, 2], 20)
    other = y + np.tile([0.1, 0.2, 0.3, 0.4], 10)
    frame = rs.Study(y, {"a": y, "b": other}, fold=fold).roc_average_difference(at=0, rng=1)
    row = frame.iloc[0]
    assert row["estimate"] == 0
    assert row["ci_low"] == pytest.approx(-row["ci_high"])
    assert 0.1 < row["ci_high"] < 0.2
    assert row["note"].startswith("no-paired-spread")


def test_clusters_of_copies_are_as_good_as_one_case(rng):
    y, cluster = np.repeat(np.tile([1, 0], 80), 3), np.repeat(range(160), 3)
    scores = {name: np.repeat(rng.normal(size=160), 3) + y for name in "ab"}
    fold = cluster // 2 % 2
    copies = rs.Study(y, scores, cluster=cluster, fold=fold)
    single = rs.Study(
        y[::3], {name: s[::3] for name, s in scores.items()}, cluster=cluster[::3], fold=fold[::3]
    )
    one, two = (s.roc_average_difference(at=0.3, rng=1) for s in (copies, single))
    assert one["se"].tolist() == pytest.approx(two["se"].tolist())
    with pytest.raises(rs.InputError, match="`bars` must not be 't' when clusters span folds"):
        rs.Study(y, scores, cluster=cluster, fold=np.tile([0, 1, 0], 160)).roc_average_difference(
            bars="t"
        )


def test_weights_have_t_bars_only(study):
    weighted = rs.Study(
        study.is_positive,
        {"a": study.scores[0], "b": study.scores[1]},
        fold=study.fold.codes,
        sample_weight=np.linspace(1, 2, 340),
    )
    frame = weighted.roc_average_difference(at=0.3, rng=1)
    assert np.isnan(frame["ci_low"][0])
    assert frame["note"][0] == "weights-need-bootstrap"
    assert weighted.roc_average_difference(bars="t", at=0.3)["ci_low"].notna().all()


def test_groups_and_a_group_without_a_class(study):
    group = np.where(np.arange(340) % 2, "x", "y")
    scores = {"a": study.scores[0], "b": study.scores[1]}
    frame = rs.Study(
        study.is_positive, scores, fold=study.fold.codes, group=group
    ).roc_average_difference(at=0.3, rng=1)
    assert frame["group"].tolist() == ["x", "y"] or frame["group"].tolist() == ["y", "x"]
    none = rs.Study(
        [1, 0, 1, 0, 1],
        {"a": [3, 2, 1, 4, 5], "b": [1, 2, 3, 4, 5]},
        fold=[1, 1, 2, 2, 1],
        group=list("mmmmn"),
    ).roc_average_difference(at=0.3, rng=1)
    last = none[none["group"] == "n"].iloc[0]
    assert last["note"] == "one-class"
    assert np.isnan(last["estimate"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bars": "binomial"}, "`bars` must be one of 'effective', 't'; got 'binomial'"),
        ({"at": {"a": 0.1}}, "`at` must be the same for predictors that are compared; got dict"),
        ({"at": -0.1}, r"`at` must be false positive rates in \[0, 1\]; got -0.1"),
        ({"n_samples": 0}, "`n_samples` must be a whole number >= 2"),
        ({"reference": "z"}, "`reference` must be one of 'a', 'b', 'c'; got 'z'"),
        ({"confidence_level": 0}, "`confidence_level` must be a number strictly between 0 and 1"),
    ],
)
def test_messages(study, arguments, message):
    with pytest.raises(rs.InputError, match=message):
        study.roc_average_difference(**arguments)


def test_messages_of_roles(study):
    scores = {"a": study.scores[0], "b": study.scores[1]}
    with pytest.raises(rs.InputError, match="`fold` must name the test set of each row"):
        rs.Study(study.is_positive, scores).roc_average_difference()
    one = rs.Study(study.is_positive, study.scores[0], fold=study.fold.codes)
    with pytest.raises(rs.InputError, match="`y_score` must have two or more predictors"):
        one.roc_average_difference()
