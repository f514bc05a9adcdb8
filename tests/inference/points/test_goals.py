from __future__ import annotations

import re
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

import rocstats as rs
from tests import examples
from tests.quick import each
from tests.strategies import samples


def ask(study, threshold=1, tpr=0.8, tnr=0.7, **arguments):
    frame = study.test_performance_goals(threshold=threshold, tpr=tpr, tnr=tnr, **arguments)
    return frame.set_index("quantity")


def upper_tail(count, size, goal):
    """P(X >= count), X ~ Binomial(size, goal), in fractions."""
    p = Fraction(goal)
    return sum(comb(size, i) * p**i * (1 - p) ** (size - i) for i in range(count, size + 1))


# docs/methods/points.md, "Worked table": TP=670 FP=202 FN=74 TN=640
@pytest.mark.parametrize(
    ("interval", "of_tpr", "of_tnr"),
    [
        (
            "clopper-pearson",
            (0.8767461768, 0.9210922996),
            (0.7297764632, 0.7885803246),
        ),
        ("wilson", (0.8769319125, 0.9200284498), (0.7301117625, 0.7877157753)),
    ],
)
def test_printed_limits(interval, of_tpr, of_tnr):
    study = rs.Study.from_confusion(tp=670, fn=74, fp=202, tn=640)
    frame = ask(study, interval=interval, alternative="two-sided")
    assert frame.loc["tpr", "estimate"] == pytest.approx(0.9005376344, abs=5e-11)
    assert frame.loc["tnr", "estimate"] == pytest.approx(0.7600950119, abs=5e-11)
    for quantity, printed in (("tpr", of_tpr), ("tnr", of_tnr)):
        row = frame.loc[quantity]
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(printed, abs=1e-10)
        assert row["method"] == f"binomial/{interval}"


# docs/methods/chance.md, "Worked point" prints the limits of 14 of 20
def test_printed_limits_of_a_small_table():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    for interval, printed in (
        ("clopper-pearson", (0.4572108, 0.8810684)),
        ("wilson", (0.4810272, 0.8545228)),
    ):
        row = ask(study, interval=interval, alternative="two-sided").loc["tpr"]
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(printed, abs=6e-8)


@given(st.integers(0, 25), st.integers(0, 25), st.sampled_from([0.25, 0.5, 0.75]))
def test_p_values_are_binomial_tails(tp, tn, goal):
    study = rs.Study.from_confusion(tp=tp, fn=25 - tp, fp=25 - tn, tn=tn)
    frame = ask(study, tpr=goal, tnr=goal)
    tails = [upper_tail(tp, 25, goal), upper_tail(tn, 25, goal)]
    assert frame["p_value"].to_numpy() == pytest.approx([*map(float, tails), float(max(tails))])
    lower = [1 - upper_tail(count + 1, 25, goal) for count in (tp, tn)]
    less = ask(study, tpr=goal, tnr=goal, alternative="less")["p_value"]
    assert less.to_numpy()[:2] == pytest.approx([float(tail) for tail in lower])
    both = ask(study, tpr=goal, tnr=goal, alternative="two-sided")["p_value"]
    twice = [float(min(1, 2 * min(pair))) for pair in zip(tails, lower, strict=True)]
    assert both.to_numpy()[:2] == pytest.approx(twice)


@given(
    st.integers(0, 20),
    st.sampled_from(["greater", "less", "two-sided"]),
    st.sampled_from([0.9, 0.95]),
)
def test_clopper_pearson_agrees_with_the_test(tp, alternative, level):
    study = rs.Study.from_confusion(tp=tp, fn=20 - tp, fp=3, tn=7)
    for goal in (0.15, 0.4, 0.62, 0.85):
        row = ask(study, tpr=goal, confidence_level=level, alternative=alternative).loc["tpr"]
        assert 0 <= row["ci_low"] <= row["estimate"] <= row["ci_high"] <= 1
        assert row["ci_low"] < row["ci_high"]
        outside = not row["ci_low"] <= goal <= row["ci_high"]
        assert outside == (row["p_value"] < 1 - level)


def test_one_sided_limits_are_at_the_full_level():
    row = ask(rs.Study.from_confusion(tp=46, fn=4, fp=9, tn=91)).loc["tpr"]
    assert row["ci_low"] == pytest.approx(beta.ppf(0.05, 46, 5))
    assert (row["ci_high"], row["hypothesis"]) == (1.0, "greater")


@pytest.mark.parametrize("interval", ["clopper-pearson", "wilson"])
def test_rates_of_zero_and_one_have_limits(interval):
    study = rs.Study.from_confusion(tp=12, fn=0, fp=9, tn=0)
    frame = ask(study, interval=interval, alternative="two-sided")
    assert tuple(frame.loc["tpr", ["estimate", "ci_high"]]) == (1.0, 1.0)
    assert 0.6 < frame.loc["tpr", "ci_low"] < 1
    assert tuple(frame.loc["tnr", ["estimate", "ci_low"]]) == (0.0, 0.0)
    assert 0 < frame.loc["tnr", "ci_high"] < 0.5


@given(samples(), st.integers(-1, 13), st.booleans())
def test_rates_are_counted_at_the_threshold(data, threshold, higher):
    y, (score,) = data
    frame = ask(rs.Study(y, score, higher_is_positive=higher), threshold=threshold)
    called = score >= threshold if higher else score <= threshold
    assert frame.loc["tpr", "estimate"] == pytest.approx(np.mean(called[y == 1]))
    assert frame.loc["tnr", "estimate"] == pytest.approx(np.mean(~called[y == 0]))
    assert frame["tp"].tolist() == [np.sum(called & (y == 1))] * 3
    assert frame["fp"].tolist() == [np.sum(called & (y == 0))] * 3
    assert set(frame["direction"]) == {">=" if higher else "<="}


def test_the_co_primary_row_has_the_larger_p_value_and_no_estimate(three):
    frame = three.test_performance_goals(
        threshold={"d1": 0.5, "d2": 0.6, "d3": 0.5}, tpr=0.6, tnr=0.5
    )
    assert frame["quantity"].tolist() == ["tpr", "tnr", "co_primary"] * 3
    assert frame["threshold"].tolist() == [0.5] * 3 + [0.6] * 3 + [0.5] * 3
    for at in (0, 3, 6):
        both = frame.iloc[at + 2]
        assert both["p_value"] == frame["p_value"][at : at + 2].max()
        assert both[["estimate", "se", "ci_low", "ci_high", "null_value"]].isna().all()
        assert both["method"] == "intersection-union/none"
    assert set(frame["note"]) == {""}


def test_groups_are_split_first_and_folds_pooled(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", group="site", fold="part")
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        frame = study.test_performance_goals(threshold=3, tpr=0.5, tnr=0.5)
    assert frame["group"].tolist() == ["x"] * 3 + ["y"] * 3
    part = patients[patients["site"] == "y"]
    poor = part["outcome"] == "Poor"
    assert frame["estimate"][3] == np.mean(part["a"][poor] >= 3)
    assert frame["estimate"][4] == np.mean(part["a"][~poor] < 3)


def test_a_group_that_lacks_a_class_has_no_co_primary_test():
    study = rs.Study([1, 0, 1, 1], [3, 1, 2, 0], group=["u", "u", "v", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.test_performance_goals(threshold=1, tpr=0.5, tnr=0.5)
    assert frame["p_value"].isna().tolist() == [False, False, False, False, True, True]
    assert frame["method"].tolist()[4:] == ["none/none", "none/none"]


def test_size_of_the_co_primary_test_is_kept():
    # Sensitivity at its goal, specificity above: rejected in at most 5% of 1000 tables.
    rng, n = np.random.default_rng(3), 1000
    drawn = np.column_stack([rng.binomial(60, 0.8, n), rng.binomial(80, 0.9, n)])
    rejected = 0
    # a table that is drawn again has the same answer
    for (a, b), times in zip(*np.unique(drawn, axis=0, return_counts=True), strict=True):
        study = rs.Study.from_confusion(tp=a, fn=60 - a, fp=80 - b, tn=b)
        rejected += times * (ask(study)["p_value"]["co_primary"] < 0.05)
    assert rejected / n <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n)


Y, A = examples.Y, examples.D1
GOALS = {"tpr": 0.8, "tnr": 0.7}
MESSAGES = [
    (
        lambda: rs.Study(Y, A).test_performance_goals(threshold=0.5, tpr=80, tnr=0.7),
        "`tpr` must be a number strictly between 0 and 1",
    ),
    (
        lambda: rs.Study(Y, A).test_performance_goals(threshold="0.5", **GOALS),
        "`threshold` must be a number, or a dict of them",
    ),
    (
        lambda: rs.Study(Y, A).test_performance_goals(threshold=np.nan, **GOALS),
        "`threshold` must be a number, or a dict of them; got nan",
    ),
    (
        lambda: rs.Study(Y, {"a": A, "b": A}).test_performance_goals(threshold={"a": 1}, **GOALS),
        "`threshold` must have one entry for each predictor; got ['a']",
    ),
    (
        lambda: rs.Study(Y, A, cluster=Y).test_performance_goals(threshold=0.5, **GOALS),
        "`cluster` must stay None for exact binomial tests, which count independent cases",
    ),
    (
        lambda: rs.Study(Y, A, sample_weight=A).test_performance_goals(threshold=0.5, **GOALS),
        "`sample_weight` must stay None for exact binomial tests, which count independent cases",
    ),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()


@pytest.mark.parametrize("sign", [1, -1])
def test_the_infinite_threshold_calls_nobody_as_the_first_point_of_the_curve(sign):
    scores = sign * np.array([np.inf, 2, np.inf, 1, 0])
    study = rs.Study([1, 1, 0, 0, 0], scores, higher_is_positive=sign > 0)
    first = study.roc_curve().iloc[0]
    assert first["threshold"] == sign * np.inf
    asked = {"threshold": sign * np.inf}
    rows = [
        study.test_performance_goals(tpr=0.5, tnr=0.5, **asked),
        study.operating_points_versus_random(**asked),
        study.operating_points(quantities=["tpr", "fpr"], **asked),
    ]
    for frame in rows:
        assert set(frame["tp"]) == {first["tp"]} == {0}
        assert set(frame["fp"]) == {first["fp"]} == {0}
    # At every finite threshold infinite scores are called.
    found = study.test_performance_goals(threshold=sign * 1e300, tpr=0.5, tnr=0.5)
    assert set(found["tp"]) == set(found["fp"]) == {1}
