from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import triang

import rocstats as rs
from rocstats.curves.superiority import triangular_cdf
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import assert_frames_equal, each
from tests.strategies import samples

BELIEF = {"low": 0.3, "mode": 0.4, "high": 0.7}
TWO = {"a": examples.D1, "b": examples.D2}


def rates_of(y, score):
    points = oracles.algorithm_1(y, score)
    return [
        (Fraction(int(fp), int(points[-1, 1])), Fraction(int(tp), int(points[-1, 2])))
        for _, fp, tp in points
    ]


def loss(points, share, prevalence):
    """Least loss over all points, exactly."""
    return min(
        share * (1 - prevalence) * fpr + (1 - share) * prevalence * (1 - tpr) for fpr, tpr in points
    )


def best_of(curves, share, prevalence):
    losses = {name: loss(points, share, prevalence) for name, points in curves.items()}
    best = [name for name, value in losses.items() if value == min(losses.values())]
    return best[0] if len(best) == 1 else ""


@given(samples(predictors=3, least=1), st.sampled_from([None, 0.5, 0.125]))
def test_the_winner_has_the_least_loss(data, prevalence):
    y, scores = data
    named = dict(zip("abc", scores, strict=True))
    frame = rs.Study(y, named).superiority_curve(prevalence=prevalence)
    curves = {name: rates_of(y, score) for name, score in named.items()}
    exact = Fraction(int(y.sum()), len(y)) if prevalence is None else Fraction(prevalence)
    ends = [*frame["cost_share_low"], frame["cost_share_high"].iloc[-1]]
    assert (ends[0], ends[-1]) == (0, 1)
    assert frame["cost_share_low"][1:].tolist() == frame["cost_share_high"][:-1].tolist()
    for winner, (low, high) in zip(frame["predictor"], pairwise(ends), strict=True):
        assert low < high
        # shares with large denominators: none is a single point at which losses happen to be equal
        for part in (
            Fraction(14_143, 100_003),
            Fraction(50_021, 100_003),
            Fraction(85_711, 100_003),
        ):
            share = Fraction(low) + part * (Fraction(high) - Fraction(low))
            assert best_of(curves, share, exact) == winner
    assert all(a != b for a, b in pairwise(frame["predictor"]))


@pytest.fixture
def a_and_b():
    """docs/methods/costs.md, "Worked costs", by frequencies.

    A is the point (.1, .6), B the point (.4, .95), 20 cases a class.
    """
    rows = [
        *[(1, 1, 1, 12), (1, 0, 1, 7), (1, 0, 0, 1)],
        *[(0, 1, 1, 2), (0, 0, 1, 6), (0, 0, 0, 12)],
    ]
    table = pd.DataFrame(rows, columns=["y", "A", "B", "n"])
    return rs.Study("y", ["A", "B"], data=table, frequency="n")


def test_example_of_f5(a_and_b):
    curve = a_and_b.roc_curve()
    assert curve[["fpr", "tpr"]].to_numpy()[[1, 4]].tolist() == [[0.1, 0.6], [0.4, 0.95]]
    # loss of A: .05 c + .2 (1 - c); of B: .2 c + .025 (1 - c); of nobody and everybody: trivial
    frame = a_and_b.superiority_curve()
    assert frame["predictor"].tolist() == ["", "B", "A", ""]
    # .025 (1 - c) + .2 c = .5 c; .15 c = .175 (1 - c); .05 c + .2 (1 - c) = .5 (1 - c)
    switches = [0.025 / 0.325, 0.175 / 0.325, 0.3 / 0.35]
    assert frame["cost_share_high"].tolist() == pytest.approx([*switches, 1])
    (row,) = a_and_b.lc_index(**BELIEF).to_dict("records")
    assert row["estimate"] == pytest.approx(-0.5650888, abs=5e-8)
    assert (row["predictor"], row["reference"], row["n_pos"], row["n_neg"]) == ("A", "B", 20, 20)
    assert (row["quantity"], row["method"], row["note"]) == ("lc_index", "none/none", "no-interval")
    assert np.isnan([row[name] for name in ("se", "ci_low", "ci_high", "confidence_level")]).all()


def quadrature(y, scores, belief, prevalence):
    """Numerical integral of the density times the sign of the loss difference."""
    low, mode, high = belief
    density = triang((mode - low) / (high - low), loc=low, scale=high - low).pdf
    curves = [[(float(f), float(t)) for f, t in rates_of(y, score)] for score in scores]

    def sign(share):
        first, second = (loss(points, share, prevalence) for points in curves)
        return 0.0 if abs(first - second) < 1e-12 else np.sign(second - first)

    shares = low + (np.arange(4000) + 0.5) * (high - low) / 4000
    return np.mean(density(shares) * [sign(share) for share in shares]) * (high - low)


@pytest.mark.parametrize("belief", [(0.1, 0.3, 0.6), (0.2, 0.2, 0.9), (0.0, 1.0, 1.0)])
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_the_index_against_quadrature(belief, prevalence):
    scores = (examples.D1, examples.D3)
    study = rs.Study(examples.Y, {"a": scores[0], "b": scores[1]})
    low, mode, high = belief
    frame = study.lc_index(low=low, mode=mode, high=high, prevalence=prevalence)
    share = 8 / 18 if prevalence is None else prevalence
    expected = quadrature(examples.Y, scores, belief, share)
    assert frame["estimate"][0] == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("belief", [(0.1, 0.3, 0.6), (0.2, 0.2, 0.9), (0.0, 1.0, 1.0)])
def test_the_belief_is_a_triangle(belief):
    low, mode, high = belief
    x = np.linspace(-0.1, 1.1, 25)
    known = triang((mode - low) / (high - low), loc=low, scale=high - low)
    assert triangular_cdf(x, *belief) == pytest.approx(known.cdf(x), abs=1e-12)


def test_a_mode_next_to_an_end_is_that_end():
    x = np.linspace(-0.1, 1.1, 25)
    for near, at in (
        ((0.0, 1e-320, 0.6), (0.0, 0.0, 0.6)),
        ((0.0, 1 - 2**-53, 1.0), (0, 1.0, 1.0)),
    ):
        assert triangular_cdf(x, *near) == pytest.approx(triangular_cdf(x, *at), abs=1e-15)


def test_a_prevalence_that_weights_round_to_1_leaves_every_edge_defined():
    # 1e49 against 3: the prevalence is 1 in floating point, and only positives cost anything.
    weights = [1e49, 1, 1, 2]
    study = rs.Study([1, 1, 0, 0], {"a": [3, 1, 2, 0], "b": [1, 0, 3, 2]}, sample_weight=weights)
    curve = study.superiority_curve()
    assert curve["cost_share_low"].tolist()[0] == 0
    assert curve["cost_share_high"].tolist()[-1] == 1
    assert curve[["cost_share_low", "cost_share_high"]].notna().all(axis=None)


@st.composite
def beliefs(draw):
    low, mode, high = sorted(draw(st.lists(st.integers(0, 20), min_size=3, max_size=3)))
    return {"low": low / 22, "mode": mode / 22, "high": (high + 1) / 22}


@given(samples(predictors=3, least=1), beliefs())
def test_the_index_is_antisymmetric_and_the_mass_of_the_curve(data, belief):
    y, (a, b, c) = data
    forth = rs.Study(y, {"a": a, "b": b, "c": c}).lc_index(**belief)
    back = rs.Study(y, {"c": c, "b": b, "a": a}).lc_index(**belief)
    found = {(r.predictor, r.reference): r.estimate for r in back.itertuples()}
    assert forth["predictor"].tolist() == ["a", "a", "b"]
    assert forth["reference"].tolist() == ["b", "c", "c"]
    for row in forth.itertuples():
        assert found[row.reference, row.predictor] == -row.estimate
        assert -1 <= row.estimate <= 1
    pair = rs.Study(y, {"a": a, "b": b}).superiority_curve()
    mass = {"a": 0.0, "b": 0.0, "": 0.0}
    cdf = triang(
        (belief["mode"] - belief["low"]) / (belief["high"] - belief["low"]),
        loc=belief["low"],
        scale=belief["high"] - belief["low"],
    ).cdf
    for row in pair.itertuples():
        mass[row.predictor] += cdf(row.cost_share_high) - cdf(row.cost_share_low)
    assert forth["estimate"][0] == pytest.approx(mass["a"] - mass["b"], abs=1e-12)


@given(samples(predictors=2, least=1), beliefs())
def test_transforms_and_frequencies_change_nothing(data, belief):
    y, (a, b) = data
    study = rs.Study(y, {"a": a, "b": b})
    moved = rs.Study(y, {"a": np.exp(a), "b": -b}, higher_is_positive={"b": False})
    often = rs.Study(np.tile(y, 3), {"a": np.tile(a, 3), "b": np.tile(b, 3)})
    once = rs.Study(y, {"a": a, "b": b}, frequency=np.full(len(y), 3))
    columns = ["predictor", "reference", "estimate"]
    curve, index = study.superiority_curve(), study.lc_index(**belief)[columns]
    for other in (moved, often, once):
        assert_frames_equal(other.superiority_curve(), curve)
        assert_frames_equal(other.lc_index(**belief)[columns], index)


@given(samples(predictors=2, least=1))
def test_swapping_labels_turns_the_cost_share_round(data):
    y, (a, b) = data
    curve = rs.Study(y, {"a": a, "b": b}).superiority_curve()
    other = rs.Study(1 - y, {"a": -a, "b": -b}).superiority_curve().iloc[::-1]
    assert other["predictor"].tolist() == curve["predictor"].tolist()
    low = curve["cost_share_low"].to_numpy()
    assert other["cost_share_high"].to_numpy() == pytest.approx(1 - low, abs=1e-12)


def test_equal_predictors_tie_everywhere():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": 2 * examples.D1})
    frame = study.superiority_curve()
    assert frame.to_numpy().tolist() == [["", 0, 1]]
    assert study.lc_index(**BELIEF)["estimate"].tolist() == [0]


def test_a_perfect_predictor_wins_everywhere():
    y = [1, 1, 0, 0]
    study = rs.Study(y, {"bad": [1, 2, 3, 4], "good": [4, 3, 2, 1], "flat": [1, 1, 1, 1]})
    assert study.superiority_curve().to_numpy().tolist() == [["good", 0, 1]]
    index = study.lc_index(**BELIEF)
    assert index["estimate"].tolist() == [-1, 0, 1]
    assert study.lc_index(**BELIEF, reference="flat")["estimate"].tolist() == [0, 1]


def test_sums_of_weights_in_different_order_tie():
    y, weight = [1, 1, 1, 0, 0], [0.1, 0.2, 0.3, 0.7, 0.1]
    study = rs.Study(y, {"a": [5, 4, 3, 2, 1], "b": [3, 4, 5, 1, 2]}, sample_weight=weight)
    assert study.superiority_curve().to_numpy().tolist() == [["", 0, 1]]


def test_groups_folds_and_what_lacks_a_class():
    y = [*examples.Y, 1, 1]
    scores = {"a": [*examples.D1, 1, 2], "b": [*examples.D2, 2, 1]}
    study, again = (rs.Study(y, scores, group=["u"] * 18 + ["v"] * 2) for _ in range(2))
    with pytest.warns(rs.StatisticalWarning, match="one-class") as caught:
        curve = study.superiority_curve()
    assert len(caught) == 1
    with pytest.warns(rs.StatisticalWarning, match="one-class") as caught:
        index = again.lc_index(**BELIEF)
    assert len(caught) == 1
    alone = rs.Study(examples.Y, TWO)
    mine = curve[curve["group"] == "u"].drop(columns="group")
    assert mine.equals(alone.superiority_curve())
    assert curve[curve["group"] == "v"]["cost_share_low"].isna().tolist() == [True]
    assert index["estimate"][0] == alone.lc_index(**BELIEF)["estimate"][0]
    assert np.isnan(index["estimate"][1])
    assert index["note"].tolist() == ["no-interval", "one-class"]


def test_pooled_folds_are_noted_and_warned_of_once():
    fold = np.where(np.arange(18) % 2 == 0, "even", "odd")
    study = rs.Study(examples.Y, TWO, fold=fold)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds") as caught:
        index = study.lc_index(**BELIEF)
    assert len(caught) == 1
    assert index["note"].tolist() == ["no-interval; pooled-folds"]


@each("belief", [(0.4, 0.3, 0.7), (1, 2, 5), (0.5, 0.5, 0.5), (0, "likely", 1), (0, np.nan, 1)])
def test_no_belief_is_refused(belief):
    with pytest.raises(rs.InputError, match=r"^`low`, `mode` and `high` must be cost shares"):
        rs.Study(examples.Y, TWO).lc_index(**dict(zip(BELIEF, belief, strict=True)))


@each(("question", "options"), [("superiority_curve", {}), ("lc_index", BELIEF)])
def test_messages(question, options):
    with pytest.raises(rs.InputError, match=r"^`y_score` must hold at least two predictors"):
        getattr(rs.Study(examples.Y, examples.D1), question)(**options)
    for prevalence in (0, 1):
        with pytest.raises(rs.InputError, match=r"^`prevalence` must be a number strictly between"):
            getattr(rs.Study(examples.Y, TWO), question)(**options, prevalence=prevalence)


def test_an_unknown_reference():
    with pytest.raises(rs.InputError, match=r"^`reference` must be one of 'a', 'b'; got 'c'"):
        rs.Study(examples.Y, TWO).lc_index(**BELIEF, reference="c")
