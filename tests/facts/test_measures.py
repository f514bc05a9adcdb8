"""Measures of a decision: rational arithmetic, symmetries, edges."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from rocstats.curves.roc import roc_points
from rocstats.facts.measures import (
    MEASURES,
    Cells,
    cells_at,
    depends_on_prevalence,
    measure,
    measures,
    shifted,
)
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests.strategies import samples

counts = st.integers(1, 40)


def one(tp, fn, fp, tn):
    return Cells(*(np.array([float(x)]) for x in (tp, fn, fp, tn)))


@given(counts, counts, counts, counts)
def test_every_measure_is_its_definition(tp, fn, fp, tn):
    t, f = Fraction(tp, tp + fn), Fraction(fp, fp + tn)
    ppv, npv = Fraction(tp, tp + fp), Fraction(tn, tn + fn)
    expected = {
        "tpr": t,
        "tnr": 1 - f,
        "fpr": f,
        "fnr": 1 - t,
        "ppv": ppv,
        "npv": npv,
        "lr_positive": t / f,
        "lr_negative": (1 - t) / (1 - f),
        "odds_ratio": (t / (1 - t)) / (f / (1 - f)),
        "accuracy": Fraction(tp + tn, tp + fn + fp + tn),
        "balanced_accuracy": (t + 1 - f) / 2,
        "youden": t - f,
        "f1": 2 * ppv * t / (ppv + t),
        "mcc": sqrt(ppv * t * (1 - f) * npv) - sqrt((1 - ppv) * (1 - t) * f * (1 - npv)),
    }
    found = measures(one(tp, fn, fp, tn))
    assert list(found) == list(expected)
    for name, value in expected.items():
        assert found[name][0] == pytest.approx(float(value), rel=1e-12, abs=1e-14), name


@settings(max_examples=20)  # each asks scikit-learn four times a vertex
@given(samples(least=1))
def test_every_vertex_of_a_curve_has_the_measures_of_scikit_learn(data):
    y, (score,) = data
    curve = roc_points(count_scores_of(LabelledScores(score, y == 1, None, True)))
    tp, fp = curve.tp, curve.fp
    found = measures(Cells(tp, tp[-1] - tp, fp, fp[-1] - fp))
    called = [score >= threshold for threshold in curve.threshold]
    # Half the time of these four functions goes to checks of their arguments.
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        theirs = {
            "accuracy": [metrics.accuracy_score(y, c) for c in called],
            "balanced_accuracy": [metrics.balanced_accuracy_score(y, c) for c in called],
            "f1": [metrics.f1_score(y, c, zero_division=np.nan) for c in called],
            "mcc": [metrics.matthews_corrcoef(y, c) for c in called],
        }
    for name, values in theirs.items():
        # Where all or none are called, scikit-learn's correlation is 0 and ours undefined.
        of = slice(1, -1) if name == "mcc" else slice(None)
        assert found[name][of] == pytest.approx(values[of], nan_ok=True)


@given(counts, counts, counts, counts, st.floats(0.01, 0.99))
def test_a_prevalence_is_a_population(tp, fn, fp, tn, p):
    cells = one(tp, fn, fp, tn)
    t, f = tp / (tp + fn), fp / (fp + tn)
    moved = shifted(cells, p)
    for name in MEASURES:
        at_rates = measure(name, cells_at(np.array([t]), np.array([f]), p))
        assert measure(name, moved) == pytest.approx(at_rates, rel=1e-9, abs=1e-12)
        if not depends_on_prevalence(name):
            assert measure(name, moved) == pytest.approx(measure(name, cells), rel=1e-9, abs=1e-12)
    own = shifted(cells, (tp + fn) / (tp + fn + fp + tn))
    for name in filter(depends_on_prevalence, MEASURES):
        assert measure(name, own) == pytest.approx(measure(name, cells), rel=1e-9, abs=1e-12)
    bayes = t * p / (t * p + f * (1 - p))
    assert measure("ppv", moved)[0] == pytest.approx(bayes)


@given(counts, counts, counts, counts)
def test_exchanged_classes(tp, fn, fp, tn):
    first, second = measures(one(tp, fn, fp, tn)), measures(one(tn, fp, fn, tp))
    mirror = {"tpr": "tnr", "fpr": "fnr", "ppv": "npv"}
    for name, other in {**mirror, **{b: a for a, b in mirror.items()}}.items():
        assert first[name] == pytest.approx(second[other])
    for name in ("odds_ratio", "accuracy", "balanced_accuracy", "youden", "mcc"):
        assert first[name] == pytest.approx(second[name])
    assert first["lr_positive"] == pytest.approx(1 / second["lr_negative"])


def test_a_measure_without_a_denominator_is_nan_and_one_over_nothing_is_infinite():
    nobody = measures(one(0, 5, 0, 7))
    unknown = {name for name, value in nobody.items() if np.isnan(value[0])}
    assert unknown == {"ppv", "lr_positive", "odds_ratio", "mcc"}
    perfect = measures(one(5, 0, 0, 7))
    assert {name for name, value in perfect.items() if np.isinf(value[0])} == {
        "lr_positive",
        "odds_ratio",
    }
    assert perfect["lr_negative"] == 0
    assert perfect["mcc"] == perfect["f1"] == 1
    no_positives = measures(one(0, 0, 3, 4))
    assert np.isnan(no_positives["tpr"][0])
    assert no_positives["fpr"][0] == pytest.approx(3 / 7)


def test_counts_beyond_whole_numbers_of_64_bits():
    big = measures(one(7e17, 3e17, 2e17, 8e17))
    small = measures(one(7, 3, 2, 8))
    for name in MEASURES:
        assert big[name] == pytest.approx(small[name])
