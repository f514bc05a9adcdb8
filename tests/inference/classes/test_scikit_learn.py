"""Measures of several classes are those of scikit-learn, on 200 random studies with ties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
import validation
from validation.scikit_learn_classes import make

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
CASES = Path(validation.__file__).parent / "scikit_learn_classes"


@pytest.fixture(scope="module")
def expected():
    return pd.read_csv(CASES / "expected.csv", index_col="study")


def cases_of(n_classes):
    """Return the studies, the labels and the probabilities of some number of classes."""
    table = pd.read_csv(CASES / "input.csv")
    table = table[table["study"].str.startswith(f"{n_classes}-")]
    counts = table[[str(k) for k in range(n_classes)]].to_numpy()
    return (
        table["study"].to_numpy(),
        table["class"].to_numpy(),
        counts / counts.sum(axis=1, keepdims=True),
    )


def by_group(frame):
    """Return the estimates of a frame by group, class and quantity."""
    keys = zip(frame["group"], frame["class"] + ":" + frame["quantity"], strict=True)
    return dict(zip(keys, frame["estimate"], strict=True))


@pytest.mark.parametrize("n_classes", make.N_STUDIES)
def test_measures_are_those_of_scikit_learn(n_classes, expected):
    studies, y, scores = cases_of(n_classes)
    study = rs.MulticlassStudy(y, scores, group=studies)
    found = {}
    for method in make.AREAS:
        areas = study.auc(method=method)
        found |= by_group(areas[areas["class"] == "all"].assign(quantity=method))
    found |= by_group(study.classification_report())
    found |= by_group(study.average_precision())
    found |= by_group(study.probability_scores().assign(**{"class": "all"}))
    lines = expected[expected.index.str.startswith(f"{n_classes}-")].dropna(axis="columns")
    assert lines.shape == (make.N_STUDIES[n_classes], 16 + 4 * n_classes + 1)
    ours = [[found[name, key] for key in lines] for name in lines.index]
    np.testing.assert_allclose(ours, lines, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_classes", make.N_STUDIES)
def test_the_committed_numbers_are_of_the_installed_scikit_learn(n_classes, expected):
    studies, y, scores = cases_of(n_classes)
    name = f"{n_classes}-7"
    asked = make.measures(y[studies == name], scores[studies == name])
    assert asked == pytest.approx(expected.loc[name, list(asked)].to_dict(), abs=1e-14)
