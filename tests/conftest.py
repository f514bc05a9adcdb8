from __future__ import annotations

import gc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from tests import examples
from tests.tables.hand_frames import area_row, auc_frame, compare_frame, difference_row

HOLM = ["adjusted=holm"]

# The suite draws the same examples at every run; `--hypothesis-profile=thorough` draws others.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=500, print_blob=True)
settings.load_profile("repeatable")


@given(st.none())
def _first_draw(_: None) -> None:
    """Let Hypothesis make its generator."""


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Look for doctests in the package, not in its tests, which have none."""
    return [found for found in (yield) if type(found) is pytest.Module]


def pytest_collection_finish() -> None:
    """Leave modules and collected tests, which live to the end, out of the search for garbage."""
    # Hypothesis 6.100 warns of a generator whose owner this search does not find.
    _first_draw()
    gc.freeze()
    # Searches every 700 objects took 5% of the time of the suite, every 20 000 still 2%. What ten
    # figures leave is a few MB.
    gc.set_threshold(100_000)


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
    return examples.patients()


@pytest.fixture
def areas():
    """Two areas as a frame, for tables and figures."""
    return auc_frame(
        area_row("wfns", 0.8231, 0.7489, 0.8957), area_row("ndka", 0.6120, 0.5011, 0.7125)
    )


@pytest.fixture
def differences():
    """Three pairs; Holm: 3 * .004 = .012, 2 * .03 = .06, 1 * .6 = .6."""
    return compare_frame(
        difference_row(
            "wfns",
            "s100b",
            0.0925,
            0.0302,
            0.1548,
            p_value=0.004,
            p_adjusted=0.012,
            note=["adjusted=holm"],
        ),
        difference_row(
            "wfns",
            "ndka",
            0.2114,
            0.0049,
            0.4179,
            p_value=0.03,
            p_adjusted=0.06,
            note=["adjusted=holm"],
        ),
        difference_row(
            "s100b",
            "ndka",
            -0.0311,
            -0.1468,
            0.0846,
            p_value=0.6,
            p_adjusted=0.6,
            note=["adjusted=holm"],
        ),
    )
