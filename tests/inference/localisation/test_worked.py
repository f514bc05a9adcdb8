"""The worked numbers of docs/methods/localisation.md, by hand and of the shipped marks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.inference.localisation.figures import (
    MARKS_AREAS,
    jackknife_covariance,
    marks_areas,
)
from tests.inference.localisation.studies import example, hand, hand_tables, simulated_marks
from tests.quick import each

CLOSE = 1e-9


def near(value):
    return pytest.approx(value, rel=CLOSE, abs=CLOSE)


def one(frame, **cells):
    """Return the only row with these cells."""
    chosen = frame[np.all([frame[name] == cell for name, cell in cells.items()], axis=0)]
    assert len(chosen) == 1
    return chosen.iloc[0]


HAND = {
    "wafroc": (7 / 12, 0.2763853992, 0.3205897344),
    "afroc": (0.5625, 0.2524296003, 0.2915475947),
    "wafroc1": (0.4833333333, 0.3104656002, 0.3440970470),
    "afroc1": (0.475, 0.2704885626, 0.2739880370),
    "inferred-roc": (0.9166666667, 0.1178511302, 0.1394433378),
    "lroc": (0.5833333333, 0.3118047822, None),
}


@each("curve", HAND)
def test_areas_by_hand(curve):
    value, se, jackknife = HAND[curve]
    row = hand().auc(curve=curve).iloc[0]
    assert (row["estimate"], row["se"]) == (near(value), near(se))
    found = marks_areas(hand(), MARKS_AREAS[curve], [0], ["reader"])
    if jackknife is not None:
        assert np.sqrt(jackknife_covariance(found.without)[0, 0]) == near(jackknife)


def test_limits_by_hand():
    row = hand().auc(interval="logit-t").iloc[0]
    assert row["df"] == near(2.98765432098765)
    assert (row["ci_low"], row["ci_high"]) == (near(0.0358863343), near(0.9813630647))
    row = hand().auc().iloc[0]
    assert (row["ci_low"], row["ci_high"]) == (near(0.1587476422), near(0.9121777808))
    assert row["df"] == near(18.91634612)


def test_a_perfect_reader_of_20_and_20_cases():
    cases = pd.DataFrame({"case": range(40)})
    lesions = pd.DataFrame({"case": range(20), "lesion": 1})
    marks = lesions.assign(rating=1)
    row = rs.DetectionStudy(marks, cases, lesions).auc().iloc[0]
    assert (row["estimate"], row["ci_low"], row["ci_high"]) == (1, near(0.8818461141), 1)


def test_the_froc_curve_by_hand():
    curve = hand().curve()
    points = [(0, 0), (0.2, 0), (0.2, 0.25), (0.4, 0.5), (0.6, 0.5), (0.8, 0.5)]
    assert curve[["false_marks", "lesion_tpr"]].to_numpy() == near(np.array(points))
    assert curve["threshold"].tolist() == [np.inf, 5, 4, 3, 2, 1]
    assert curve["n_false"].tolist() == [0, 1, 1, 2, 3, 4]
    assert curve["n_found"].tolist() == [0, 0, 1, 2, 2, 2]
    read = hand().operating_points(false_marks=[1 / 8, 1 / 4, 1 / 2, 1, 8], rng=1, n_resamples=100)
    assert read["estimate"].to_numpy() == near([0, 0.3125, 0.5, 0.5, 0.5])
    score = hand().froc_score(rng=1, n_resamples=100)
    assert score["estimate"].item() == near(0.4017857143)
    # Without case b: adding a case without lesions and marks moves FROC, and not wAFROC by itself.
    marks, cases, lesions = hand_tables()
    less = rs.DetectionStudy(marks, cases[cases["case"] != "b"], lesions)
    read = less.operating_points(false_marks=1 / 4, rng=1, n_resamples=100)
    assert read["estimate"].item() == near(0.25)
    assert less.froc_score(rng=1, n_resamples=100)["estimate"].item() == near(0.3928571429)


def test_a_threshold_by_hand():
    points = hand().operating_points(threshold=3)
    found, false = (one(points, quantity=word) for word in ("lesion_tpr", "false_marks"))
    assert (found["estimate"], found["se"] ** 2) == (near(0.5), near(0.046875))
    assert (false["estimate"], false["se"] ** 2) == (near(0.4), near(0.08))


def test_the_shipped_marks_are_those_of_the_generator():
    marks, cases, lesions = rs.load_marks_example()
    pd.testing.assert_frame_equal(marks, simulated_marks())
    assert (len(lesions), len(cases), len(marks)) == (49, 55, 737)
    assert marks["lesion"].isna().sum() == 440
    assert marks["rating"].sum() == pytest.approx(561.2, abs=1e-9)


WAFROC = {
    "A": [0.8787777778, 0.8213333333, 0.8424444444, 0.8311111111],
    "B": [0.6851111111, 0.6932222222, 0.637, 0.7703333333],
}


def test_areas_of_readers():
    found = example().auc()
    for modality, areas in WAFROC.items():
        rows = found[(found["modality"] == modality) & (found["reader"] != "all")]
        assert rows["estimate"].to_numpy() == near(areas)
    row = one(found, modality="A", reader="0")
    assert row["se"] == near(0.0425603546)
    assert (row["ci_low"], row["ci_high"]) == (near(0.7636880416), near(0.9420679534))
    row = one(example().auc(interval="logit-t"), modality="A", reader="0")
    assert row["df"] == pytest.approx(49.88400949, abs=1e-8)
    assert (row["ci_low"], row["ci_high"]) == (near(0.7646583577), near(0.9417734002))
    row = one(found, modality="A", reader="all")
    assert (row["estimate"], row["se"]) == (near(0.8434166667), near(0.0255005706))
    assert row["df"] == pytest.approx(51.11533957, abs=1e-8)
    area = marks_areas(example(), MARKS_AREAS["wafroc"], [0], ["0"])
    assert np.sqrt(jackknife_covariance(area.without)[0, 0]) == near(0.0429784863)


def test_components():
    found = example().components()
    found = found[found["model"] == "obuchowski-rockette"].set_index("component")["estimate"]
    known = {
        "error": 0.003281325687,
        "cov-1": 0.0001751104642,
        "cov-2": 0.0004410693871,
        "cov-3": -0.0000999121751,
    }
    for name, value in known.items():
        assert found[name] == pytest.approx(value, abs=5e-13)
    # MS(TR) = modality-x-reader + error - cov-1 - cov-2 + cov-3.
    square = found["modality-x-reader"] + found["error"] - found["cov-1"]
    square += found["cov-3"] - found["cov-2"]
    assert square == pytest.approx(0.002230765432, abs=5e-13)


TESTS = {
    "wafroc": (0.147, 0.0468758556, 9.834136986, 11.64314392, 0.008888912613),
    "afroc": (0.1403061224, 0.0401905060, 12.18726618, 19.60621905, 0.002356143616),
    "wafroc1": (0.1548181818, 0.0478114967, 10.48526104, 10.08728851, 0.008800802257),
    "afroc1": (0.1481447124, 0.0411320536, 12.97213697, 20.42250865, 0.001735501160),
    "inferred-roc": (0.0771666667, 0.0476913569, 2.618063188, 3.981167947, 0.1812989268),
}


@each("curve", TESTS)
def test_modalities_compared(curve):
    difference, se, f, ddf, p = TESTS[curve]
    both, row = (r for _, r in example().compare_auc(curve=curve).iterrows())
    # Printed with nine or ten digits.
    assert (row["estimate"], row["se"]) == (near(difference), near(se))
    assert both["statistic"] == pytest.approx(f, rel=1e-9)
    assert both["df"] == row["df"] == pytest.approx(ddf, rel=1e-9)
    assert both["p_value"] == pytest.approx(p, rel=1e-9)
    assert row["p_value"] == pytest.approx(p, rel=1e-9)


def test_other_covariances_and_fixed_factors():
    both = example().compare_auc(covariance="delong").iloc[0]
    assert both["statistic"] == pytest.approx(9.938535612, rel=1e-9)
    assert both["df"] == pytest.approx(11.39981954, rel=1e-9)
    both = example().compare_auc(readers="fixed").iloc[0]
    assert both["statistic"] == pytest.approx(9.138620988, rel=1e-9)
    both = example().compare_auc(cases="fixed").iloc[0]
    assert both["statistic"] == pytest.approx(19.3736192, rel=1e-8)


def test_two_algorithms():
    marks, cases, lesions = rs.load_marks_example()
    alone = rs.DetectionStudy(marks[marks["reader"] == 0], cases, lesions, modality="modality")
    rows = alone.compare_auc(), example().compare_auc(by="reader").iloc[:1]
    for row in rows:
        assert row["estimate"].item() == near(0.1936666667)
        assert row["se"].item() == near(0.0723299531)
        assert row["df"].item() == pytest.approx(42.54767374, rel=1e-9)
        assert row["p_value"].item() == pytest.approx(0.01049348441, rel=1e-9)


def test_readers_and_a_machine():
    row = one(example(machine="0").compare_with(), modality="A")
    assert row["estimate"] == near(-0.04714814815)
    assert row["se"] == near(0.03757413078)
    assert row["df"] == pytest.approx(2879.607868, rel=1e-9)
    assert row["p_value"] == pytest.approx(0.2096519573, rel=1e-9)


def test_points_of_readers():
    at = [1 / 8, 1 / 4, 1 / 2, 1, 2, 8]
    read = example().operating_points(false_marks=at, rng=1, n_resamples=100)
    of_a, of_b = (
        read[(read["reader"] == "0") & (read["modality"] == m)]["estimate"].to_numpy() for m in "AB"
    )
    assert of_a * 49 == near([38, 40, 40, 41, 41, 41])
    assert of_b == near([3 / 7, 23 / 49, 0.5484693878, *[5 / 7] * 3])
    score = example().froc_score(rng=1, n_resamples=100)
    assert one(score, modality="A", reader="0")["estimate"] == near(0.8221574344)
    assert one(score, modality="B", reader="0")["estimate"] == near(0.6147959184)
    points = example().operating_points(threshold=1)
    found = one(points, modality="A", reader="0", quantity="lesion_tpr")
    assert (found["estimate"], found["se"]) == (near(37 / 49), near(0.0709211285))
    assert found["ci_low"] == pytest.approx(0.60054692, abs=5e-9)
    assert found["ci_high"] == pytest.approx(0.86345388, abs=5e-9)
    false = one(points, modality="A", reader="0", quantity="false_marks")
    assert (false["estimate"], false["se"]) == (near(0.0727272727), near(0.0354107116))


def test_the_lroc_curve_of_a_reader():
    row = one(example().auc(curve="lroc"), modality="A", reader="0")
    assert (row["estimate"], row["se"]) == (near(0.928), near(0.0452311221))
    read = example().operating_points(fpr=0.1, rng=1, n_resamples=100)
    assert one(read, modality="A", reader="0")["estimate"] == near(0.92)


def test_a_located_lesion_of_the_lowest_rating_is_located():
    # Another program takes the lowest rating as "not located": .5 in place of .625.
    marks = pd.DataFrame(
        [(0, 1, ""), (1, 3, ""), (2, 1, "1"), (3, 4, "1")], columns=["case", "rating", "lesion"]
    )
    cases = pd.DataFrame({"case": range(4)})
    lesions = pd.DataFrame({"case": [2, 3], "lesion": "1"})
    study = rs.DetectionStudy(marks, cases, lesions)
    assert study.auc(curve="lroc")["estimate"].item() == 0.625
    assert study.operating_points(threshold="any")["estimate"].iloc[0] == 1


def test_a_perfect_detector_finds_every_lesion_before_a_false_mark():
    # Two other programs lose the lowest mark: 2/3 in place of 1.
    cases = pd.DataFrame({"case": range(6)})
    lesions = pd.DataFrame({"case": range(3), "lesion": "1"})
    study = rs.DetectionStudy(lesions.assign(rating=[0.9, 0.8, 0.7]), cases, lesions)
    assert study.froc_score(rng=1, n_resamples=100)["estimate"].item() == 1
    assert study.operating_points(false_marks=1, rng=1, n_resamples=100)["estimate"].item() == 1


def test_whole_cases_are_the_inferred_roc():
    whole, marks = example().whole_cases(), example()
    ours, theirs = marks.compare_auc(curve="inferred-roc"), whole.compare_auc()
    for name in ("estimate", "se", "statistic", "df", "p_value"):
        assert ours[name].to_numpy() == pytest.approx(theirs[name].to_numpy(), nan_ok=True)
