"""Averages of curves: over samples against Fawcett's algorithms, and over classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.average import (
    merged_counts,
    pooled_thresholds,
    threshold_average,
    vertical_average,
)
from rocstats.curves.roc import RocPoints, roc_points, tpr_at
from tests.oracles import definitions as oracles
from tests.oracles import fawcett as oracle
from tests.strategies import multiclass_samples, samples


def curve_of(y, score, *, higher_is_positive=True):
    study = rs.Study(y, score, higher_is_positive=higher_is_positive)
    return roc_points(study.cases.counts(0), higher_is_positive=higher_is_positive)


def curve_through(*vertices):
    """A curve by its vertices as rates; thresholds do not matter."""
    fpr, tpr = np.array(vertices).T
    threshold = np.concatenate([[np.inf], -np.arange(1.0, len(fpr))])
    return RocPoints(threshold, fpr, tpr)


@st.composite
def several(draw):
    """Some samples (labels, scores) of different sizes and score ranges."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        y, (score,) = draw(samples(least=1, most=8))
        found.append((y, score + draw(st.integers(0, 15))))
    return found


# the three curves of docs/methods/averages.md, "Worked bars"
THREE = [
    curve_through((0, 0), (0, 0.4), (0.2, 0.6), (0.5, 0.9), (1, 1)),
    curve_through((0, 0), (0.1, 0.5), (0.4, 0.8), (1, 1)),
    curve_through((0, 0), (0, 0.2), (0.3, 0.7), (0.6, 0.9), (1, 1)),
]


def test_worked_vertical_average():
    found = vertical_average(THREE, np.array([0, 0.25, 0.5, 1]))
    # at .25: .6 + .3/.3 * .05; .5 + .3/.3 * .15; .2 + .5/.3 * .25
    assert found.tpr[:, 0].tolist() == [0.4, 0, 0.2]
    assert found.tpr[:, 1] == pytest.approx([0.65, 0.65, 0.2 + 0.5 * 0.25 / 0.3])
    assert found.mean_tpr == pytest.approx([0.2, 0.6388888889, 0.8555555556, 1], abs=5e-11)
    assert found.fpr.tolist() == [[0, 0.25, 0.5, 1]] * 3
    assert found.mean_fpr.tolist() == [0, 0.25, 0.5, 1]


@given(several(), st.integers(1, 24))
def test_vertical_average_is_algorithm_4(data, steps):
    curves = [curve_of(y, score) for y, score in data]
    points = [oracle.algorithm_2(y.tolist(), score.tolist()) for y, score in data]
    expected = [float(mean) for mean in oracle.algorithm_4(points, steps)]
    grids = [
        np.array([k / steps for k in range(steps + 1)]),
        np.cumsum([0.0] + [1 / steps] * steps),  # 0.1 + 0.1 + 0.1 is not the float 0.3
    ]
    for grid in grids:
        assert vertical_average(curves, grid).mean_tpr == pytest.approx(expected, abs=1e-12)


def test_a_rate_that_misses_its_count_by_rounding_is_that_count():
    # 1000 positives between the 3rd and the 4th of ten negatives: the step is at FPR .3
    y = np.repeat([0, 1, 0], [3, 1000, 7])
    curve = curve_of(y, -np.arange(1010.0))
    for rate in (0.3, 0.1 + 0.1 + 0.1, np.nextafter(0.3, 0), 3 * 0.1):
        assert tpr_at(curve.fpr, curve.tpr, np.array([rate])) == [1.0]
    assert tpr_at(curve.fpr, curve.tpr, np.array([0.299999])) == [0.0]


@given(samples(least=1), st.integers(1, 5))
def test_the_average_of_identical_curves_is_that_curve(data, n):
    y, (score,) = data
    curve = curve_of(y, score)
    top = np.append(np.diff(curve.fp) > 0, True)  # the highest vertex at each FPR
    found = vertical_average([curve] * n, curve.fpr[top])
    assert found.mean_tpr == pytest.approx(curve.tpr[top], abs=1e-12)
    by_threshold = threshold_average([curve] * n, curve.threshold)
    assert by_threshold.mean_fpr == pytest.approx(curve.fpr, abs=1e-12)
    assert by_threshold.mean_tpr == pytest.approx(curve.tpr, abs=1e-12)


@given(several())
def test_averages_rise_and_end_in_the_corner(data):
    curves = [curve_of(y, score) for y, score in data]
    vertical = vertical_average(curves, np.linspace(0, 1, 41)).mean_tpr
    assert (np.diff(vertical) >= -1e-12).all()
    assert vertical[-1] == 1
    by_threshold = threshold_average(curves, pooled_thresholds(curves))
    for rate in (by_threshold.mean_fpr, by_threshold.mean_tpr):
        assert (np.diff(rate) >= -1e-12).all()
        assert (rate[0], rate[-1]) == (0, 1)


@given(several())
def test_threshold_average_counts_cases_at_or_beyond(data):
    curves = [curve_of(y, score) for y, score in data]
    thresholds = np.array([np.inf, *np.arange(28, -2, -0.5)])
    found = threshold_average(curves, thresholds)
    cases = [(y.tolist(), score.tolist()) for y, score in data]
    for i, threshold in enumerate(thresholds):
        fpr, tpr = oracle.at_or_beyond(cases, threshold)
        assert found.mean_fpr[i] == pytest.approx(float(fpr), abs=1e-12)
        assert found.mean_tpr[i] == pytest.approx(float(tpr), abs=1e-12)


@given(several())
def test_the_printed_rule_is_algorithm_5(data):
    curves = [curve_of(y, score) for y, score in data]
    points = [oracle.algorithm_2(y.tolist(), score.tolist()) for y, score in data]
    thresholds = np.arange(28, -2, -0.5)
    found = threshold_average(curves, thresholds, rule="printed")
    expected = np.array(oracle.algorithm_5(points, thresholds), dtype=float)
    assert found.mean_fpr == pytest.approx(expected[:, 0], abs=1e-12)
    assert found.mean_tpr == pytest.approx(expected[:, 1], abs=1e-12)


@given(several())
def test_lower_is_positive_mirrors_the_thresholds(data):
    higher = [curve_of(y, score) for y, score in data]
    lower = [curve_of(y, -score, higher_is_positive=False) for y, score in data]
    thresholds = pooled_thresholds(higher)
    assert pooled_thresholds(lower).tolist() == (-thresholds).tolist()
    for rule in ("at-or-beyond", "printed"):
        one = threshold_average(higher, thresholds, rule=rule)
        two = threshold_average(lower, -thresholds, rule=rule)
        assert one.fpr.tolist() == two.fpr.tolist()
        assert one.tpr.tolist() == two.tpr.tolist()


def test_curves_with_no_common_score_range():
    low, high = curve_of([1, 0], [2.0, 1.0]), curve_of([1, 0], [20.0, 10.0])
    thresholds = pooled_thresholds([low, high])
    assert thresholds.tolist() == [np.inf, 20, 10, 2, 1]
    found = threshold_average([low, high], thresholds)
    assert found.tpr.tolist() == [[0, 0, 0, 1, 1], [0, 1, 1, 1, 1]]
    assert found.mean_fpr.tolist() == [0, 0, 0.5, 0.5, 1]


def test_curves_of_a_single_score():
    tied = curve_of([1, 0, 0], [3.0, 3.0, 3.0])
    found = vertical_average([tied, tied], np.array([0, 0.25, 1]))
    assert found.mean_tpr.tolist() == [0, 0.25, 1]
    found = threshold_average([tied], np.array([np.inf, 4, 3, 2, -np.inf]))
    assert found.tpr.tolist() == [[0, 0, 1, 1, 1]]
    printed = threshold_average([tied], np.array([4.0, 3, 2]), rule="printed")
    assert printed.tpr.tolist() == [[0, 0, 1]]


def test_an_infinite_score_is_not_beyond_every_score():
    curve = curve_of([1, 0, 0], [np.inf, 1.0, 0.0])
    thresholds = pooled_thresholds([curve])
    assert thresholds.tolist() == [np.inf, np.inf, 1, 0]
    assert threshold_average([curve], thresholds).tpr.tolist() == [[0, 0, 1, 1]]


def test_pooled_thresholds_are_evenly_spaced_with_both_ends():
    curves = [curve_of([1, 0, 1, 0], [1.0, 2, 3, 4]), curve_of([1, 0, 1], [4.0, 5, 6])]
    everything = [np.inf, 6, 5, 4, 3, 2, 1]
    assert pooled_thresholds(curves).tolist() == everything
    assert pooled_thresholds(curves, 4).tolist() == [np.inf, 5, 3, 1]
    assert pooled_thresholds(curves, 2).tolist() == [np.inf, 1]
    for plenty in (7, 8, 1000):  # the printed step int(length/samples) would be 0
        assert pooled_thresholds(curves, plenty).tolist() == everything


@given(several(), st.integers(2, 12))
def test_pooled_thresholds_are_distinct_and_as_many_as_asked(data, n):
    curves = [curve_of(y, score) for y, score in data]
    everything = pooled_thresholds(curves)
    found = pooled_thresholds(curves, n)
    assert len(set(found.tolist())) == len(found) == min(n, len(everything))
    assert (found[0], found[-1]) == (np.inf, everything[-1])


@given(several(), st.booleans())
def test_merging_tables_is_pooling_cases(data, higher):
    sign = 1 if higher else -1
    studies = [rs.Study(y, sign * score, higher_is_positive=higher) for y, score in data]
    tables = [study.cases.counts(0) for study in studies]
    # Higher scores are positive unless told otherwise.
    found = merged_counts(tables) if higher else merged_counts(tables, higher_is_positive=False)
    y = np.concatenate([y for y, _ in data])
    score = sign * np.concatenate([score for _, score in data])
    pooled = rs.Study(y, score, higher_is_positive=higher).cases.counts(0)
    for name in ("score", "n_pos", "n_neg"):
        assert getattr(found, name).tolist() == getattr(pooled, name).tolist()


def area_under(curve):
    return oracles.trapezoid(curve["fpr"].tolist(), curve["tpr"].tolist())


def rates_by_class(frame):
    """FPR and TPR of each class, as arrays: frames of a few rows cost more than what is in them."""
    rates, of_row = frame[["fpr", "tpr"]].to_numpy(), frame["class"].to_numpy()
    return [rates[of_row == name].T for name in dict.fromkeys(of_row)]


@given(multiclass_samples())
def test_micro_is_the_curve_of_all_decisions(data):
    y, scores = data
    found = rs.MulticlassStudy(y, scores).roc_curve(average="micro")
    own = np.concatenate([y == c for c in scores])
    expected = oracles.algorithm_1(own, np.concatenate(list(scores.values())))
    assert found[["threshold", "fp", "tp"]].to_numpy() == pytest.approx(expected)
    assert set(found["class"]) == {"micro-average"}
    assert set(found["versus"]) == {"rest"}


@given(multiclass_samples())
def test_the_area_under_macro_is_the_mean_of_the_areas(data):
    y, scores = data
    study = rs.MulticlassStudy(y, scores)
    areas = study.auc(method="ovr-weighted")["estimate"].to_numpy()[:-1]
    for ties in ("expected", "optimistic", "pessimistic"):
        found = study.roc_curve(average="macro", ties=ties)
        own = [oracles.trapezoid(*rates) for rates in rates_by_class(study.roc_curve(ties=ties))]
        assert area_under(found) == pytest.approx(np.mean(own), abs=1e-12)
    assert np.mean(areas) == pytest.approx(area_under(study.roc_curve(average="macro")), abs=1e-12)


@given(multiclass_samples())
def test_macro_lies_between_the_curves_at_every_rate(data):
    y, scores = data
    study = rs.MulticlassStudy(y, scores)
    found = study.roc_curve(average="macro")
    assert found[["fpr", "tpr"]].iloc[0].tolist() == [0, 0]
    assert found[["fpr", "tpr"]].iloc[-1].tolist() == pytest.approx([1, 1])
    assert found["threshold"][0] == np.inf
    assert found["threshold"][1:].isna().all()
    assert found[["fp", "tp"]].isna().all().all()
    assert found["fpr"].is_monotonic_increasing
    assert (np.diff(found["tpr"]) >= -1e-12).all()
    curves = rates_by_class(study.roc_curve())
    fpr, tpr = found["fpr"].to_numpy(), found["tpr"].to_numpy()
    assert ((np.diff(fpr) > 0) | (np.diff(tpr) > 0)).all()  # no vertex comes twice
    for rate in np.unique(fpr):
        # the top of each curve at the rate, by looking at every piece
        tops = [oracles_top(fprs, tprs, rate) for fprs, tprs in curves]
        assert tpr[fpr == rate][-1] == pytest.approx(np.mean(tops), abs=1e-9)


def oracles_top(fpr, tpr, rate):
    best = 0.0
    for i in range(1, len(fpr)):
        left, right = fpr[i - 1], fpr[i]
        if abs(right - rate) < 1e-12:
            best = max(best, tpr[i])
        elif left < rate < right:
            best = max(best, tpr[i - 1] + (rate - left) / (right - left) * (tpr[i] - tpr[i - 1]))
    return best


def test_frequent_classes_rule_the_micro_average_only():
    y, rows = np.array(["a", "b", "c"] * 6), np.arange(18.0)
    scores = {"a": (y == "a") + 0.0, "b": rows % 5 / 4, "c": rows % 7 / 6}
    more = np.where(y == "a", 9, 1)
    long = {c: np.repeat(s, more) for c, s in scores.items()}
    plain, frequent, repeated = (
        rs.MulticlassStudy(y, scores),
        rs.MulticlassStudy(y, scores, frequency=more),
        rs.MulticlassStudy(np.repeat(y, more), long),
    )
    for average in ("micro", "macro"):
        one, often, rows = (
            area_under(study.roc_curve(average=average)) for study in (plain, frequent, repeated)
        )
        assert often == pytest.approx(rows, abs=1e-12)
        assert (often > one + 0.05) is (average == "micro")


def test_averages_of_groups_folds_and_predictors(rng):
    y = np.tile(["a", "b", "c"], 12)
    one, two = ({c: rng.normal(size=36) for c in "abc"} for _ in range(2))
    group, fold = np.repeat(["u", "v"], 18), np.tile(np.repeat([1, 2], 9), 2)
    study = rs.MulticlassStudy(y, {"one": one, "two": two}, group=group, fold=fold)
    found = study.roc_curve(average="macro", by="fold")
    order = found[["group", "predictor", "fold"]].drop_duplicates().to_numpy().tolist()
    assert order == [[g, p, f] for g in "uv" for p in ("one", "two") for f in "12"]
    rows = (group == "v") & (fold == 2)
    alone = rs.MulticlassStudy(y[rows], {c: s[rows] for c, s in two.items()})
    part = found[(found["group"] == "v") & (found["fold"] == "2") & (found["predictor"] == "two")]
    np.testing.assert_allclose(part["tpr"], alone.roc_curve(average="macro")["tpr"])


def test_a_class_without_cases_leaves_no_mean():
    scores = {name: np.arange(6.0) for name in "abc"}
    group = ["u", "u", "u", "u", "v", "v"]
    study = rs.MulticlassStudy(["a", "b", "c", "c", "a", "b"], scores, group=group)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        found = study.roc_curve(average="macro")
    empty = found[found["group"] == "v"]
    assert empty["tpr"].isna().all()
    assert empty["fpr"].tolist() == [0, 1]
    assert found.loc[found["group"] == "u", "tpr"].notna().all()


def test_an_unknown_average():
    study = rs.MulticlassStudy([0, 1], np.eye(2))
    with pytest.raises(rs.InputError, match=r"^`average` must be one of None, 'micro', 'macro'"):
        study.roc_curve(average="weighted")
