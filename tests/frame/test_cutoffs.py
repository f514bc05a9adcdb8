"""A printed cutoff calls the same cases as the one used."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.frame.cutoffs import NEXT_SCORES, cutoff_text, next_of_given, shortest_decimals

DESK = Path(__file__).parents[1] / "data" / "desk"
REALS = st.floats(allow_nan=False, allow_infinity=False, width=64)


def calls(score, cutoff, direction):
    return score >= cutoff if direction == ">=" else score <= cutoff


@given(REALS, REALS)
@example(1.0, math.nextafter(1.0, 2))
@example(-1e-15, 0.0)
@example(1e300, 1.1e300)
@example(5e-324, 1e-323)
@example(0.1, 0.25)
@example(-0.5, -0.25)
@example(2.0**53 - 1, 2.0**53)
def test_a_printed_cutoff_lies_between_the_next_score_and_the_cutoff(low, high):
    if low == high:
        return
    low, high = sorted((low, high))
    assert low < float(cutoff_text(high, low)) <= high
    assert low <= float(cutoff_text(low, high)) < high  # where low scores are positive
    assert float(cutoff_text(high)) == high
    assert float(cutoff_text(high, -math.inf)) <= high
    assert float(cutoff_text(low, math.inf)) >= low


@given(REALS.filter(lambda x: abs(x) < 1e6), st.floats(1e-9, 10))
def test_no_decimal_between_them_is_shorter(cutoff, gap):
    low = cutoff - gap
    if low == cutoff or cutoff == round(cutoff):
        return
    (value,), (decimals,) = shortest_decimals(low, cutoff)
    for fewer in range(decimals):
        below = math.floor(cutoff * 10**fewer) / 10**fewer
        assert not low < below <= cutoff or below == value


@pytest.mark.parametrize(
    ("cutoff", "next_score", "decimals", "text"),
    [
        (0.99999862, 0.9999982, 2, "0.9999986"),
        (0.04923, 0.04908, 0, "0.0492"),
        (0.04923, 0.04908, 5, "0.04920"),
        (0.25, math.nan, 3, "0.250"),
        (0.123456789012, math.nan, 2, "0.123456789012"),
        (35.0, 20.0, 2, "35"),
        (-0.0004, 1.0, 0, "0"),
        (0.123, -math.inf, 0, "0.1"),
        (-0.123, -math.inf, 0, "-0.2"),
        (1e300, 1e299, 0, "1e+300"),
        (1.5e-30, 1e-30, 0, "1.5e-30"),
    ],
)
def test_examples(cutoff, next_score, decimals, text):
    assert cutoff_text(cutoff, next_score, decimals) == text


def test_a_typed_cutoff_stays_as_it_was_typed():
    found = next_of_given(np.full(4, 0.1), np.array([0.25, 1 / 3, 0.1 + 0.2, np.inf]))
    np.testing.assert_array_equal(found, [np.nan, 0.1, 0.1, np.nan])


# --- The frames of a study ------------------------------------------------------------------------

KINDS = {
    "normal": lambda rng: rng.normal(size=60),
    "rounded": lambda rng: rng.normal(size=60).round(1),
    "saturated": lambda rng: 1 / (1 + np.exp(-9 * rng.normal(size=60) - 9)),
    "close": lambda rng: 1 + 1e-15 * rng.integers(0, 40, size=60),
    "huge": lambda rng: 1e300 * rng.normal(size=60),
    "tiny": lambda rng: 1e-300 * rng.normal(size=60),
    "negative": lambda rng: -np.exp(rng.normal(size=60)),
}


def frames_of(study, rng):
    yield study.roc_curve()
    yield study.roc_curve(ties="optimistic")
    yield study.pr_curve()
    yield study.lift_curve()
    yield study.det_curve()
    yield study.cost_curve()
    yield study.roc_hull()
    yield study.roc_hull(across="predictors")
    yield study.optimal_points(cost_fp=1, cost_fn=2)
    yield study.operating_points(threshold="all", quantities=["tpr"])
    yield study.operating_points(fpr=[0.1, 0.5], reading="attained", rng=1, n_resamples=100)
    score = study.roc_curve()["threshold"].iloc[7]
    yield study.operating_points(threshold=[0.25, score, score / 3])
    yield study.operating_points_versus_random(threshold=score / 3)
    yield study.test_performance_goals(threshold=score / 3, tpr=0.5, tnr=0.5)
    yield study.compare_operating_points(threshold=score / 3)
    if study.sample_weight is None:
        options = {"rng": 1, "n_resamples": 100}
        yield study.cutpoints(**options)
        yield study.cutpoints("youden", threshold_at="observed", **options)
        yield study.cutpoint_draws(**options)
        yield study.compare_costs(cost_fp=1, cost_fn=1, **options)
        yield study.grey_zone(tpr=0.8, tnr=0.8, **options)


def assert_same_calls(frame, scores):
    """Every cutoff of a frame, printed by its next score, calls the scores as itself does."""
    found = 0
    for name, beside in NEXT_SCORES.items():
        if name not in frame:
            continue
        of = "reference" if name.startswith("reference") else "predictor"
        direction = "reference_direction" if of == "reference" else "direction"
        for row in frame.to_dict("records"):
            cutoff = row[name]
            if not math.isfinite(cutoff) or row[of] not in scores:
                continue
            printed = float(cutoff_text(cutoff, row[beside]))
            expected = calls(scores[row[of]], cutoff, row[direction])
            np.testing.assert_array_equal(
                calls(scores[row[of]], printed, row[direction]), expected, str((name, cutoff))
            )
            if math.isfinite(row[beside]):
                uncalled = scores[row[of]][~expected]
                sign = 1 if row[direction] == ">=" else -1
                assert sign * row[beside] == (sign * uncalled).max()
            found += 1
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", ["", "sample_weight", "group"])
def test_cutoffs_of_every_frame_print_as_they_call(kind, role, rng):
    scores = {"high": KINDS[kind](rng), "low": KINDS[kind](rng)}
    y = np.resize([1, 0, 0, 1, 1, 0], 60)
    roles = {"sample_weight": rng.uniform(0.1, 2, 60), "group": np.repeat(["a", "b"], 30)}
    study = rs.Study(
        y,
        scores,
        higher_is_positive={"high": True, "low": False},
        **({role: roles[role]} if role else {}),
    )
    if role == "group":
        for label in "ab":
            mine = roles["group"] == label
            own = {name: values[mine] for name, values in scores.items()}
            for frame in (study.roc_curve(), study.cutpoints(rng=1, n_resamples=100)):
                assert assert_same_calls(frame[frame["group"] == label], own)
        return
    for frame in frames_of(study, rng) if role == "" else [study.roc_curve(), study.roc_hull()]:
        assert assert_same_calls(frame, scores), frame.attrs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_brief_does_not_round_a_cutoff_over_a_score(kind, rng):
    score = KINDS[kind](rng)
    study = rs.Study(np.resize([1, 0, 1], 60), {"s": score})
    for frame in (study.roc_curve(), study.cutpoints(rng=1, n_resamples=100)):
        shown = rs.brief(frame, digits=1)
        assert not set(shown.columns) & set(NEXT_SCORES.values())
        column = frame["threshold"]
        printed = shown.get("threshold", column)
        for cutoff, other in zip(column, printed, strict=True):
            np.testing.assert_array_equal(score >= cutoff, score >= other)
        if "target" in frame:
            cut = frame["quantity"] == "threshold"
            estimate = shown.loc[cut, "estimate"].item()
            np.testing.assert_array_equal(
                score >= frame.loc[cut, "estimate"].item(), score >= estimate
            )


@pytest.mark.filterwarnings("ignore")
def test_an_average_by_threshold_prints_as_it_calls(rng):
    score = 1 / (1 + np.exp(-9 * rng.normal(size=60) - 9))
    study = rs.Study(np.resize([1, 0, 1], 60), {"s": score}, fold=np.repeat(["a", "b"], 30))
    frame = study.roc_average("threshold")
    assert frame["next_score"].notna().all()
    assert assert_same_calls(frame, {"s": score})


@pytest.mark.filterwarnings("ignore")
def test_saturated_probabilities_on_the_screen(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    data = pd.read_csv(DESK / "saturated.csv")
    study = rs.Study("ill", "risk", data=data)
    frame = study.cutpoints(rng=1)
    cut = frame["threshold"].iloc[0]
    words = repr(frame).splitlines()[1].split()
    printed = float(next(word for word in words[1:] if word[0].isdigit()))
    assert (data["risk"] >= printed).equals(data["risk"] >= cut)


def test_binned_scores_have_no_next_score(rng):
    score = rng.normal(size=400)
    data = pd.DataFrame({"y": rng.integers(0, 2, 400), "s": score})
    counts = rs.count_scores(data, "y", "s", bits=6)
    study = rs.Study.from_counts(counts)
    for frame in (study.roc_curve(), study.roc_hull(), study.operating_points(threshold="all")):
        assert frame["next_score"].isna().all()


@pytest.mark.filterwarnings("ignore")
def test_pooled_frames_keep_a_next_score_that_all_share(rng):
    y = np.resize([1, 0], 40)
    frames = []
    for shift in (0, 0.01):
        study = rs.Study(y, {"s": np.append(rng.normal(size=38), [0.31, 0.2 + shift])})
        frames.append(study.operating_points(threshold=1 / 3, quantities=["tpr"]))
    pooled = rs.pool_imputations(frames)
    assert pooled["threshold"].iloc[0] == 1 / 3
    agree = frames[0]["next_score"].iloc[0] == frames[1]["next_score"].iloc[0]
    assert np.isnan(pooled["next_score"].iloc[0]) != agree
