"""One curve of several classes: pooled decisions and means of curves."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

import rocstats as rs
from tests.oracles import definitions as oracles
from tests.strategies import multiclass_samples


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
    areas = study.auc(method="class-reference")["estimate"].to_numpy()[:-1]
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
    y = np.array(["a", "b", "c"] * 6)
    scores = {
        "a": (y == "a") + 0.0,
        "b": np.arange(18.0) % 5 / 4,
        "c": np.arange(18.0) % 7 / 6,
    }
    more = np.where(y == "a", 9, 1)
    areas = {}
    for name, roles in (("plain", {}), ("more a", {"frequency": more})):
        study = rs.MulticlassStudy(y, scores, **roles)
        for average in ("micro", "macro"):
            areas[average, name] = area_under(study.roc_curve(average=average))
        long = {c: np.repeat(s, more if roles else 1) for c, s in scores.items()}
        again = rs.MulticlassStudy(np.repeat(y, more if roles else 1), long)
        for average in ("micro", "macro"):
            assert area_under(again.roc_curve(average=average)) == pytest.approx(
                areas[average, name], abs=1e-12
            )
    assert areas["micro", "more a"] > areas["micro", "plain"] + 0.05


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
    message = "`average` must be one of None, 'micro', 'macro'; got 'weighted'. Pass one of these."
    with pytest.raises(rs.InputError, match=re.escape(message)):
        study.roc_curve(average="weighted")
