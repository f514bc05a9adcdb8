from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

import rocstats as rs
from tests import examples

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")


@pytest.fixture
def rng() -> np.random.Generator:
    """The one source of randomness of the suite."""
    return np.random.default_rng(20040316)


@pytest.fixture
def three() -> rs.Study:
    """D1, D2 and D3 of docs/methods/index.md, "The worked data", on the same 18 cases."""
    return rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2, "d3": examples.D3})


@pytest.fixture
def ct() -> rs.Study:
    """Hanley & McNeil's CT ratings with frequencies."""
    return rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")


@pytest.fixture
def patients() -> pd.DataFrame:
    """Twelve patients with every role, no missing values."""
    return pd.DataFrame(
        {
            "outcome": ["Poor", "Good"] * 6,
            "a": [5.0, 1, 4, 2, 6, 3, 2, 2, 7, 1, 3, 5],
            "b": [1.0, 3, 2, 2, 5, 4, 6, 1, 2, 2, 8, 3],
            "n": [1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 1, 2],
            "patient": ["p1", "p1", "p2", "p2", "p3", "p3", "p4", "p5", "p6", "p6", "p7", "p8"],
            "part": [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2],
            "site": ["x"] * 4 + ["y"] * 8,
        }
    )
