from __future__ import annotations

import pytest

import rocstats as rs
from tests import examples


@pytest.fixture
def pair() -> rs.Study:
    """D1 and D2 of docs/methods/index.md, "The worked data"."""
    return rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})


@pytest.fixture
def crossing() -> rs.Study:
    """Two classifiers of docs/methods/costs.md, "Worked costs": (.1, .6) and (.4, .95)."""
    return rs.Study(
        [1, 1, 1, 0, 0, 0],
        {"A": [1, 0, 0, 1, 0, 0], "B": [1, 1, 0, 1, 1, 0]},
        frequency=[12, 7, 1, 2, 6, 12],
    )
