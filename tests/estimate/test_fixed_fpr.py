from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.roc import roc_points, tpr_at
from rocstats.estimate.resample import (
    ResamplePlan,
    Streams,
    TooFewValidResamplesError,
    draw_weights,
)
from rocstats.estimate.resample_curves import fixed_fpr_draws, tpr_at_fpr
from tests import examples
from tests.strategies import samples

FPR = np.array([0.0, 0.1, 0.25, 1 / 3, 0.8])


def sensitivity(y, score, fpr):
    """Largest TPR at an FPR, linear between the points of all thresholds."""
    points = {(0.0, 0.0)}
    for cut in np.unique(score):
        points.add((np.mean(score[y == 0] >= cut), np.mean(score[y == 1] >= cut)))
    points = sorted(points)
    reached = max(tpr for x, tpr in points if x <= fpr + 1e-12)
    left = max(x for x, _ in points if x <= fpr + 1e-12)
    beyond = [(x, tpr) for x, tpr in points if x > fpr + 1e-12]
    if not beyond or left >= fpr - 1e-12:
        return reached
    x, tpr = beyond[0]
    return reached + (fpr - left) / (x - left) * (tpr - reached)


@given(samples(predictors=2))
def test_rates_are_read_off_the_points(data):
    y, scores = data
    found = tpr_at_fpr(rs.Study(y, scores.T).cases, [0, 1], FPR)
    for row, score in zip(found, scores, strict=True):
        assert row == pytest.approx([sensitivity(y, score, fpr) for fpr in FPR], abs=1e-12)


@given(samples(predictors=2), st.booleans())
def test_draws_are_the_curves_of_resampled_cases(data, higher):
    y, scores = data
    study = rs.Study(y, scores.T, higher_is_positive=higher)
    found = fixed_fpr_draws(study.cases, [0, 1], FPR, ResamplePlan(6, 4))
    weights = draw_weights(Streams(4, 8), study.cases, 6, stratified=True).astype(int)
    for draw, weight in enumerate(weights):
        for k, score in enumerate(scores):
            rows = np.repeat(np.arange(len(y)), weight)
            signed = score[rows] if higher else -score[rows]
            expected = [sensitivity(y[rows], signed, fpr) for fpr in FPR]
            assert found.values[k, :, draw] == pytest.approx(expected, abs=1e-12)
    assert found.n_redrawn == 0


def test_a_frequency_is_so_many_cases_in_law():
    y, score = np.array([1, 1, 1, 0, 0, 0]), np.array([3.0, 2, 1, 3, 2, 1])
    times = np.array([8, 5, 3, 2, 6, 9])
    tabled = rs.Study(y, score, frequency=times)
    many = rs.Study(np.repeat(y, times), np.repeat(score, times))
    draws = [
        fixed_fpr_draws(s.cases, [0], FPR, ResamplePlan(4000, 1)).values[0] for s in (tabled, many)
    ]
    spread = [d.std(axis=1) for d in draws]
    assert draws[0].mean(axis=1) == pytest.approx(draws[1].mean(axis=1), abs=0.02)
    assert spread[0] == pytest.approx(spread[1], rel=0.1)


def test_clusters_are_drawn_whole_and_lacking_resamples_again():
    cluster = np.repeat(np.arange(6), 3)
    study = rs.Study(examples.Y, examples.D1, cluster=cluster)
    found = fixed_fpr_draws(study.cases, [0], FPR, ResamplePlan(300, 1))
    assert found.values.shape == (1, 5, 300)
    assert np.isfinite(found.values).all()
    assert found.n_redrawn > 0
    weights = draw_weights(Streams(1, 8), study.cases, 300, stratified=False)
    assert all(np.ptp(w.reshape(6, 3), axis=1).max() == 0 for w in weights)


def test_clusters_that_split_the_classes_too_rarely_are_refused(monkeypatch):
    monkeypatch.setattr("rocstats.estimate.resample._MOST_REDRAWN", 0)
    study = rs.Study(examples.Y, examples.D1, cluster=np.repeat([0, 1], [8, 10]))
    with pytest.raises(TooFewValidResamplesError) as failure:
        fixed_fpr_draws(study.cases, [0], FPR, ResamplePlan(300, 1))
    assert failure.value.resampled == "rates"


def test_the_sample_itself_has_the_rates_of_the_average():
    study = rs.Study(examples.Y, examples.D1)
    curve = roc_points(study.cases.counts(0))
    assert tpr_at_fpr(study.cases, [0], FPR)[0] == pytest.approx(tpr_at(curve.fpr, curve.tpr, FPR))
