from __future__ import annotations

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
