"""Seeds and numbers of resamples as users give them, and resamples that lack a class."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate import resample as randomness
from rocstats.estimate import resample as streams
from tests import examples


@pytest.mark.parametrize("wrong", [-1, 1.5, "7", True, [1]])
def test_wrong_seeds_are_refused(wrong):
    with pytest.raises(rs.InputError, match="`rng` must be None, a whole number >= 0"):
        randomness.resolve_seed(wrong)


def test_seeds_of_every_kind():
    assert randomness.resolve_seed(7) == 7
    assert 0 <= randomness.resolve_seed(None) < 2**48
    assert randomness.resolve_seed(np.random.default_rng(3)) == randomness.resolve_seed(
        np.random.default_rng(3)
    )
    assert randomness.resolve_seed(np.random.SeedSequence(5)) == randomness.resolve_seed(
        np.random.SeedSequence(5)
    )


@pytest.mark.parametrize("wrong", [99, 0, 1e3, "2000", True])
def test_wrong_numbers_of_resamples_are_refused(wrong):
    with pytest.raises(rs.InputError, match="`n_resamples` must be a whole number >= 100"):
        randomness.require_resamples(wrong)


def few_clusters(**roles):
    """Return a study of two predictors whose two clusters hold one class each."""
    order = np.argsort(examples.Y, kind="stable")
    y = np.asarray(examples.Y)[order]
    scores = {
        "a": np.asarray(examples.D1)[order],
        "b": np.asarray(examples.D2)[order],
    }
    return rs.Study(y, scores, cluster=y, **roles)


ONE_FOLD = np.zeros(len(examples.Y), int)
FOLDS = "`n_resamples` resamples must hold both classes in every fold; got almost none that do."
APART = f"{FOLDS} Resample the classes apart (stratified=True), or merge folds."
MERGE = f"{FOLDS} Merge folds."
RATES = (
    "`n_resamples` resamples of clusters must hold both classes; got almost none that do."
    " Compare at thresholds instead."
)
BANDS = (
    "`n_resamples` resamples of clusters must hold both classes; got almost none that do."
    " Use the interval of the area instead."
)
ASKED = {
    "auc": (APART, lambda s: s.auc(interval="percentile", rng=1)),
    "auc_draws": (APART, lambda s: s.auc_draws(rng=1)),
    "compare_auc": (
        APART,
        lambda s: s.compare_auc(method="bootstrap", interval="percentile", rng=1),
    ),
    "average_precision": (MERGE, lambda s: s.average_precision(interval="percentile", rng=1)),
    "operating_points": (MERGE, lambda s: s.operating_points(fpr=0.2, rng=1)),
    "roc_band": (MERGE, lambda s: s.roc_band(method="bootstrap", rng=1)),
    "fixed-width band": (BANDS, lambda s: s.roc_band(rng=1)),
    "smoothed-score band": (BANDS, lambda s: s.roc_band("smoothed-score", rng=1)),
    "roc_difference_band": (MERGE, lambda s: s.roc_difference_band(rng=1)),
    "compare_costs": (
        MERGE,
        lambda s: s.compare_costs(cost_fp=1, cost_fn=2, rng=1),
    ),
    "cost_difference_band": (MERGE, lambda s: s.cost_difference_band(rng=1)),
    "lc_index": (
        MERGE,
        lambda s: s.lc_index(low=0.2, mode=0.5, high=0.8, interval="percentile", rng=1),
    ),
    "compare_operating_points": (RATES, lambda s: s.compare_operating_points(fpr=0.2, rng=1)),
}
ASKED_OF_FOLDS = {
    "roc_average": lambda s: s.roc_average(bars="effective", rng=1),
    "roc_average_difference": lambda s: s.roc_average_difference(bars="effective", rng=1),
}


@pytest.fixture
def impatient(monkeypatch):
    """Give up at the first resample that lacks a class."""
    monkeypatch.setattr(streams, "_MOST_REDRAWN", 0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", list(ASKED))
def test_every_question_refuses_resamples_that_hardly_ever_hold_both_classes(name):
    message, ask = ASKED[name]
    with pytest.raises(rs.InputError) as refusal:
        ask(few_clusters())
    assert str(refusal.value) == message


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", list(ASKED_OF_FOLDS))
def test_averages_refuse_them_too(name):
    with pytest.raises(rs.InputError) as refusal:
        ASKED_OF_FOLDS[name](few_clusters(fold=ONE_FOLD))
    assert str(refusal.value) == MERGE


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("question", ["auc", "compare_auc"])
def test_several_classes_refuse_them_too(question):
    y = np.arange(3).repeat(4)
    scores = {"a": np.eye(3)[y], "b": np.eye(3)[y[::-1]]}
    study = rs.MulticlassStudy(y, scores, cluster=y)
    with pytest.raises(rs.InputError) as refusal:
        getattr(study, question)(interval="percentile", rng=1)
    assert str(refusal.value) == (
        "`n_resamples` resamples must hold every class in every fold; got almost none that do."
        " Resample the classes apart (stratified=True), or merge folds."
    )


@pytest.mark.usefixtures("impatient")
def test_verified_cases_refuse_them_too():
    y, verified = np.tile([1, 0], 4), np.arange(8) < 4
    with pytest.raises(rs.InputError) as refusal:
        rs.verified_auc(y, np.arange(8.0), verified, probability=np.full(8, 0.5), rng=1)
    assert str(refusal.value) == (
        "`n_resamples` resamples must hold verified cases of both classes; got almost none that"
        " do. Verify more cases."
    )
