"""Areas, influences, the jackknife and FROC curves against their definitions as slow loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import trapezoid

from rocstats.inference.localisation.figures import (
    MARKS_AREAS,
    jackknife_covariance,
    marks_areas,
    units_of,
)
from rocstats.inference.localisation.froc import curve_points, found_at, froc_events, lroc_events
from tests.inference.localisation.studies import CURVES, random_study, slow_area
from tests.quick import each


def found_areas(study, curve):
    return marks_areas(study, MARKS_AREAS[curve], [0, 1], ["r", "s", "t"])


def options_of(curve):
    return {"weight": "weight"} if not curve.startswith("afroc") else {}


@each("curve", CURVES)
def test_areas_and_influences_are_values_and_derivatives_of_the_definition(curve, rng):
    for silent in (0.0, 0.7):
        study = random_study(rng, silent=silent, **options_of(curve))
        found = found_areas(study, curve)
        n, positive = len(study.is_positive), study.is_positive
        for k, (i, reader) in enumerate((i, r) for i in (0, 1) for r in "rst"):
            ones = np.ones(n)
            assert found.value[k] == pytest.approx(slow_area(study, curve, i, reader, ones))
            for case in range(n):
                # Weights of a case, each class keeping its share of all cases.
                values = []
                for step in (1e-5, -1e-5):
                    v = ones.copy()
                    v[case] += step
                    for side in (positive, ~positive):
                        v[side] /= v[side].mean()
                    values.append(slow_area(study, curve, i, reader, v))
                slope = (values[0] - values[1]) / 2e-5
                assert found.influence[k, case] == pytest.approx(slope, abs=1e-8)


@each("curve", CURVES)
@each("clustered", [False, True])
def test_the_jackknife_leaves_out_one_unit_at_a_time(curve, clustered, rng):
    study = random_study(rng, cluster="unit" if clustered else None, **options_of(curve))
    found, units = found_areas(study, curve), units_of(study)
    expected = []
    for i in (0, 1):
        for reader in "rst":
            expected.append(
                [
                    slow_area(study, curve, i, reader, (units != unit).astype(float))
                    for unit in range(units.max() + 1)
                ]
            )
    assert found.without == pytest.approx(np.array(expected), abs=1e-12)
    deviations = np.array(expected) - np.mean(expected, axis=1, keepdims=True)
    g = deviations.shape[1]
    assert jackknife_covariance(found.without) == pytest.approx(
        (g - 1) / g * deviations @ deviations.T, abs=1e-14
    )


@each("curve", ["wafroc", "inferred-roc", "lroc"])
def test_the_jackknife_is_delong_by_class(curve, rng):
    study = random_study(rng, n=20)
    found, n = found_areas(study, curve), 20
    parts = 0.0
    for side in (study.is_positive, ~study.is_positive):
        k, values = np.count_nonzero(side), found.influence[:, side]
        # (N - 1)/N [K/(K - 1) S], S = K/(K - 1) sum II'.
        parts = parts + (k / (k - 1)) ** 2 * values @ values.T
    assert jackknife_covariance(found.without) == pytest.approx((n - 1) / n * parts, abs=1e-14)


def slow_points(study, marks, v):
    """Return a FROC curve by counting at each rating."""
    lesions = np.bincount(study.lesion_case, minlength=len(v))
    ratings = np.unique([*marks.false_rating, *marks.found[np.isfinite(marks.found)]])[::-1]
    points = [(0.0, 0.0)]
    for t in ratings:
        false = v[marks.false_case[marks.false_rating >= t]].sum() / v.sum()
        found = v[study.lesion_case[marks.found >= t]].sum() / (v * lesions).sum()
        points.append((false, found))
    return np.array(points)


def test_froc_points_are_counts_at_each_rating(rng):
    study = random_study(rng)
    for i in (0, 1):
        for reader in "rst":
            marks = study.marks_of(i, reader)
            v = rng.integers(0, 4, len(study.is_positive)).astype(float)
            points = curve_points(froc_events(study, marks), v[np.newaxis])
            expected = slow_points(study, marks, v)
            assert points.false[0] == pytest.approx(expected[:, 0])
            assert points.found[0] == pytest.approx(expected[:, 1])


def slow_reading(x, y, at):
    """Return the share found at one place: the top of a vertical, a straight line, or the end."""
    last = max(k for k in range(len(x)) if x[k] <= at + 1e-12)
    if last == len(x) - 1 or abs(x[last] - at) < 1e-12:
        return y[last]
    share = (at - x[last]) / (x[last + 1] - x[last])
    return y[last] + share * (y[last + 1] - y[last])


def test_readings_of_a_curve(rng):
    study = random_study(rng)
    for events in (
        make(study, study.marks_of(0, reader))
        for make in (froc_events, lroc_events)
        for reader in "rst"
    ):
        weights = rng.integers(1, 4, (5, len(study.is_positive))).astype(float)
        points = curve_points(events, weights)
        at = np.array([0.05, 0.2, 0.5, 1.0, 3.0, *points.false[0][1:4]])
        for row, read in enumerate(found_at(points, at)):
            expected = [slow_reading(points.false[row], points.found[row], a) for a in at]
            assert read == pytest.approx(expected)


def test_the_area_under_the_wafroc_curve_is_the_wafroc_area(rng):
    study = random_study(rng, weight="weight")
    curve, areas = study.curve("wafroc"), study.auc()
    for (modality, reader), points in curve.groupby(["modality", "reader"]):
        x, y = ([*points[name], 1.0] for name in ("fpr", "lesion_tpr"))
        of_one = areas[(areas["modality"] == modality) & (areas["reader"] == reader)]
        assert trapezoid(y, x) == pytest.approx(of_one["estimate"].item())
