from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import rocstats as rs
from rocstats.estimate.permute import venkatraman_begg_distance
from tests import examples
from tests.quick import each
from tests.strategies import samples

Y = np.repeat([1, 0], [20, 25])


@pytest.fixture
def markers(rng):
    shared = rng.normal(size=45)
    return {
        "a": shared + rng.normal(size=45) + 1.5 * Y,
        "b": shared + rng.normal(size=45) + 0.2 * Y,
        "c": rng.normal(size=45) + 1.0 * Y,
    }


def statistic(y, first, second):
    """Sum over cuts of the difference in errors, by counting (tie-free scores)."""
    total = 0
    for k in range(1, len(y)):
        errors = []
        for score in (first, second):
            cut = np.sort(score)[k - 1]
            errors.append(np.sum((y == 1) & (score <= cut)) + np.sum((y == 0) & (score > cut)))
        total += abs(int(errors[0]) - int(errors[1]))
    return total


def test_every_pair_has_the_statistic_of_its_errors(markers):
    frame = rs.Study(Y, markers).compare_curves(n_resamples=99, rng=1)
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    assert list(zip(frame["predictor"], frame["reference"], strict=True)) == pairs
    expected = [statistic(Y, markers[i], markers[j]) for i, j in pairs]
    assert frame["statistic"].tolist() == expected
    assert frame["estimate"].tolist() == pytest.approx([e / 45**2 for e in expected])
    assert set(frame["method"]) == {"venkatraman/permutation"}
    assert set(frame["note"]) == {"no-interval; adjusted=holm"}
    assert frame[["se", "ci_low", "ci_high", "confidence_level", "df"]].isna().all(axis=None)
    assert frame.attrs["rocstats"]["seed"] == 1
    assert frame.attrs["rocstats"]["n_resamples"] == 99


def test_p_values_count_the_observed_exchange(markers):
    frame = rs.Study(Y, markers).compare_curves(reference="b", n_resamples=999, rng=5)
    assert frame["predictor"].tolist() == ["a", "c"]
    counted = frame["p_value"] * 1000
    assert counted.to_numpy() == pytest.approx(np.round(counted))
    assert (frame["p_value"] >= 0.001).all()
    assert frame["p_adjusted"].max() >= frame["p_value"].max()


def test_a_large_difference_is_found_and_none_is_not(rng):
    noise = rng.normal(size=(3, 200))
    y = np.repeat([1, 0], 100)
    study = rs.Study(
        y, {"good": noise[0] + 2 * y, "bad": noise[1] + 0.2 * y, "equal": noise[2] + 2 * y}
    )
    p = study.compare_curves(n_resamples=499, rng=1)["p_value"].tolist()
    assert p[0] == p[2] == 1 / 500
    assert p[1] > 0.05


# docs/methods/comparison.md, "Venkatraman's test": curves of equal area that cross are told apart,
# their areas are not
def test_crossing_curves_are_told_apart(rng):
    y = np.repeat([1, 0], 300)
    shift = 0.8416212335729143 * np.sqrt(2)  # area .8 with equal spread
    narrow = rng.normal(size=600) + shift * y
    wide = rng.normal(size=600) * np.where(y == 1, 3, 1)
    wide = wide + 0.8416212335729143 * np.sqrt(10) * y
    study = rs.Study(y, {"narrow": narrow, "wide": wide})
    assert study.compare_curves(n_resamples=499, rng=1)["p_value"][0] < 0.01
    assert study.compare_auc()["p_value"][0] > 0.05


@settings(max_examples=15)
@given(samples(predictors=2))
def test_monotone_transforms_and_exchanged_classes_change_nothing(data):
    y, (a, b) = data
    frame = rs.Study(y, {"a": a, "b": b}).compare_curves(n_resamples=99, rng=2)
    moved = rs.Study(y, {"a": np.exp(a / 4), "b": 3 * b - 1})
    assert frame.equals(moved.compare_curves(n_resamples=99, rng=2))
    exchanged = rs.Study(1 - y, {"a": a, "b": b}).compare_curves(n_resamples=99, rng=2)
    # Shares of positives within a tie round otherwise than those of negatives.
    assert exchanged["statistic"].tolist() == pytest.approx(frame["statistic"].tolist(), rel=1e-12)
    assert exchanged["p_value"].equals(frame["p_value"])


def test_tied_scores_have_one_answer_whatever_the_seed(rng):
    y = np.repeat([1, 0], 60)
    ratings = {name: np.digitize(rng.normal(y), [-0.5, 0.5, 1.5]) for name in "ab"}
    study = rs.Study(y, ratings)
    found = [study.compare_curves(n_resamples=999, rng=seed).iloc[0] for seed in range(4)]
    assert len({row["estimate"] for row in found}) == 1
    # Four Monte-Carlo errors of a p value from 999 exchanges, at most 4 sqrt(1/4/999) either side.
    p = [row["p_value"] for row in found]
    assert max(p) - min(p) < 2 * 4 * np.sqrt(0.25 / 999)
    groups = rs.Study(
        np.tile(y, 2), np.concatenate([*ratings.values()]), group=np.repeat([1, 2], 120)
    )
    estimates = {
        groups.compare_curves(across="groups", n_resamples=99, rng=s)["estimate"][0] for s in (1, 2)
    }
    assert len(estimates) == 1


def test_predictors_that_rank_all_cases_alike():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": np.exp(examples.D1), "c": examples.D2})
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        frame = study.compare_curves(n_resamples=99, rng=1)
    first = frame.iloc[0]
    assert (first["estimate"], first["statistic"], first["p_value"]) == (0, 0, 1)
    assert first["note"].startswith("identical-predictors")
    assert not frame["note"][1:].str.contains("identical").any()
    # the third predictor meets both in the same way
    assert frame["p_value"][1] == frame["p_value"][2]


def test_the_answer_does_not_depend_on_how_many_predictors_are_asked(markers):
    everyone = rs.Study(Y, markers).compare_curves(n_resamples=199, rng=3)
    two = rs.Study(Y, {name: markers[name] for name in "ab"}).compare_curves(n_resamples=199, rng=3)
    assert two["p_value"][0] == everyone["p_value"][0]


def test_frequencies_are_replicated_rows(rng):
    y, times = np.repeat([1, 0], 10), rng.integers(1, 4, 20)
    scores = {name: np.round(rng.normal(y), 1) for name in "ab"}
    rows = np.repeat(np.arange(20), times)
    tabled = rs.Study(y, scores, frequency=times).compare_curves(n_resamples=99, rng=1)
    many = rs.Study(y[rows], {name: score[rows] for name, score in scores.items()})
    assert tabled.equals(many.compare_curves(n_resamples=99, rng=1))


def test_clusters_of_one_are_no_clusters(markers):
    study = rs.Study(Y, markers)
    single = rs.Study(Y, markers, cluster=np.arange(45))
    frames = [one.compare_curves(n_resamples=199, rng=3) for one in (study, single)]
    assert frames[0].equals(frames[1])
    paired = rs.Study(Y, markers, cluster=np.arange(45) // 2)
    other = paired.compare_curves(n_resamples=199, rng=3)
    assert other["statistic"].equals(frames[0]["statistic"])
    assert not other["p_value"].equals(frames[0]["p_value"])


def test_groups_are_split_first_and_folds_pooled(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    study = rs.Study("outcome", ["a", "b"], group="site", fold="part", **arguments)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        frame = study.compare_curves(n_resamples=99, rng=1)
    assert frame["group"].tolist() == ["x", "y"]
    assert frame["n_pos"].tolist() == [2, 4]


def test_a_group_that_lacks_a_class_has_no_test():
    group = np.where(np.arange(18) < 4, "x", "y")
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, group=group)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.compare_curves(n_resamples=99, rng=1)
    first = frame.iloc[0]
    assert np.isnan(first["estimate"])
    assert np.isnan(first["p_adjusted"])
    assert (first["method"], first["note"], first["n_resamples"]) == ("none/none", "one-class", 0)
    assert np.isfinite(frame["p_value"][1])


def test_groups_of_equal_size_have_the_paired_distance(rng):
    y = np.repeat([1, 0], [12, 18])
    first, second = rng.normal(y), rng.normal(y)
    both = rs.Study(y, {"a": first, "b": second})
    apart = rs.Study(
        np.tile(y, 2), {"a": np.concatenate([first, second])}, group=np.repeat(["x", "y"], 30)
    )
    paired = both.compare_curves(n_resamples=99, rng=1).iloc[0]
    row = apart.compare_curves(across="groups", n_resamples=199, rng=1).iloc[0]
    assert row["estimate"] == pytest.approx(paired["estimate"], rel=1e-12)
    assert row["statistic"] == row["estimate"]
    assert (row["predictor"], row["group"], row["reference"]) == ("a", "x", "y")
    assert (row["n_pos"], row["n_neg"]) == (24, 36)


def test_groups_that_differ_are_told_apart(rng):
    y = np.tile(np.repeat([1, 0], [60, 60]), 3)
    site = np.repeat(["x", "y", "z"], 120)
    strength = np.repeat([2.0, 0.3, 2.0], 120)
    study = rs.Study(y, rng.normal(size=360) + strength * y, group=site)
    frame = study.compare_curves(across="groups", n_resamples=299, rng=1)
    assert list(zip(frame["group"], frame["reference"], strict=True)) == [
        ("x", "y"),
        ("x", "z"),
        ("y", "z"),
    ]
    assert frame["p_value"].to_numpy()[[0, 2]].tolist() == [1 / 300, 1 / 300]
    assert frame["p_value"][1] > 0.05


def test_swapping_the_predictors_changes_the_statistic_not(three):
    forward = three.compare_curves(n_resamples=99, rng=1)
    back = rs.Study(
        examples.Y, {"d3": examples.D3, "d2": examples.D2, "d1": examples.D1}
    ).compare_curves(n_resamples=99, rng=1)
    assert forward["statistic"].tolist() == back["statistic"].tolist()[::-1]


def test_the_kernel_is_asked_with_ranks(three):
    ranks = [np.argsort(np.argsort(s)) for s in (np.arange(18.0), np.arange(18.0)[::-1])]
    y = examples.Y == 1
    frame = rs.Study(examples.Y, {"up": np.arange(18.0), "down": -np.arange(18.0)}).compare_curves(
        n_resamples=99, rng=1
    )
    assert frame["statistic"][0] == venkatraman_begg_distance(y, *ranks)


PAIR = {"a": examples.D1, "b": examples.D2}
GROUP = np.tile(["x", "y"], 9)


@each(
    ("scores", "roles", "arguments", "message"),
    [
        (examples.D1, {}, {}, "`y_score` must hold two or more predictors to be compared; got 1"),
        (PAIR, {}, {"n_resamples": 98}, "`n_resamples` must be a whole number >= 99"),
        (PAIR, {"sample_weight": np.ones(18)}, {}, "`sample_weight` must stay None for"),
        (PAIR, {}, {"across": "groups"}, "`across` must be 'predictors' without groups"),
        (
            PAIR,
            {"cluster": np.arange(18) // 2, "group": GROUP},
            {"across": "groups"},
            "`cluster` must stay None when groups are compared",
        ),
        (
            PAIR,
            {"group": np.where(examples.Y, "x", "y")},
            {"across": "groups"},
            "`group` must have both classes in each compared group; got 8 positives and 0",
        ),
    ],
)
def test_message(scores, roles, arguments, message):
    with pytest.raises(rs.InputError, match=f"^{message}"):
        rs.Study(examples.Y, scores, **roles).compare_curves(**arguments)
