from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from tests import examples


@pytest.fixture
def d1() -> rs.Study:
    """D1 of docs/methods/index.md, "The worked data"."""
    return rs.Study(examples.Y, examples.D1)


@pytest.fixture
def pair() -> rs.Study:
    """D1 and D2 of docs/methods/index.md, "The worked data"."""
    return rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2})


@pytest.fixture(scope="module")
def masses() -> rs.Study:
    """Texture of breast masses, 212 of 569 malignant."""
    data = rs.load_breast_cancer()
    return rs.Study("diagnosis", "texture", data=data, pos_label="malignant")


@pytest.fixture
def perfect_pair() -> rs.Study:
    """Two predictors that tell ten positives from ten negatives and rank neither alike."""
    scores = {"a": np.arange(20)[::-1], "b": np.append(np.arange(20, 30), np.arange(10))}
    return rs.Study(np.repeat([1, 0], 10), scores)


@pytest.fixture
def five_copies(rng):
    """Labels and scores of fifty cases, each five times, and the case of each row."""
    truth = np.repeat([1, 0], 25)
    scores = {name: np.repeat(truth + rng.normal(size=50), 5) for name in "ab"}
    return np.repeat(truth, 5), scores, np.repeat(np.arange(50), 5)
