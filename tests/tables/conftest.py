"""Frames that several files of this folder print."""

from __future__ import annotations

import pytest

from tests.tables.hand_frames import area_row, auc_frame, compare_frame, difference_row

HOLM = ["adjusted=holm"]


@pytest.fixture
def areas():
    return auc_frame(
        area_row("wfns", 0.8231, 0.7489, 0.8957), area_row("ndka", 0.6120, 0.5011, 0.7125)
    )


@pytest.fixture
def differences():
    """Three pairs; Holm: 3 * .004 = .012, 2 * .03 = .06, 1 * .6 = .6."""
    return compare_frame(
        difference_row(
            "wfns", "s100b", 0.0925, 0.0302, 0.1548, p_value=0.004, p_adjusted=0.012, note=HOLM
        ),
        difference_row(
            "wfns", "ndka", 0.2114, 0.0049, 0.4179, p_value=0.03, p_adjusted=0.06, note=HOLM
        ),
        difference_row(
            "s100b", "ndka", -0.0311, -0.1468, 0.0846, p_value=0.6, p_adjusted=0.6, note=HOLM
        ),
    )
