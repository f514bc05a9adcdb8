"""Rows of three predictors, asked in memory and by counts and sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs

PREDICTORS = ["a", "b", "c"]
DIRECTIONS = {"c": False}
# Frames from sums of products equal those from rows but for rounding.
WITHIN = 1e-9
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("auc", {}),
    ("auc", {"interval": "effective-wilson", "null_value": 0.6, "alternative": "greater"}),
    ("compare_auc", {}),
    ("compare_auc", {"hypothesis": "non-inferiority", "margin": 0.05, "reference": "c"}),
    ("compare_auc", {"adjust": "single-step", "interval": "wald", "confidence_level": 0.9}),
    ("compare_auc", {"contrasts": {"mean of a, b": [0.5, 0.5, -1]}, "alternative": "less"}),
    ("test_equal_auc", {}),
]


def rows(n: int = 400) -> pd.DataFrame:
    """Return rows with ties across classes, a lower score that is positive, groups and clusters.

    Clusters in ``patient`` are of one group each and hold one or both classes; in ``reader`` they
    have cases in both groups.
    """
    rng = np.random.default_rng(20260419)
    label, shared = rng.integers(0, 2, n), rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "label": label,
            "a": np.round(label + shared + rng.normal(size=n), 1),
            "b": 0.7 * label + shared + 0.5 * rng.normal(size=n),
            "c": -np.round(label + shared, 2),
            "site": np.where(rng.random(n) < 0.4, "x", "y"),
            "reader": rng.integers(0, n // 5, n),
        }
    )
    frame["patient"] = frame["reader"] * 2 + (frame["site"] == "x")
    # In the order in which an engine lists the groups.
    return frame.sort_values("site", ignore_index=True)


def study_of(frame: pd.DataFrame, cluster: str | None = None, by: str | None = None) -> rs.Study:
    """Return the study of the rows in memory."""
    return rs.Study(
        "label",
        PREDICTORS,
        data=frame,
        higher_is_positive=DIRECTIONS,
        cluster=cluster,
        group=by,
    )


def pairs_of(
    frame: Any, cluster: str | None = None, by: str | None = None, **precision: Any
) -> Any:
    """Return what an engine counts and sums of the rows; exact unless asked otherwise."""
    return rs.count_paired(
        frame,
        "label",
        PREDICTORS,
        higher_is_positive=DIRECTIONS,
        cluster=cluster,
        by=() if by is None else by,
        **(precision or {"exact": True}),
    )


def require_equal(pairs: Any, study: rs.Study, *, across_groups: bool = False) -> None:
    """Compare every answer about counts and sums with that about rows."""
    asked = list(QUESTIONS)
    if across_groups:
        asked += [("compare_auc", {"across": "groups"})]
    for question, options in asked:
        pd.testing.assert_frame_equal(
            getattr(pairs, question)(**options),
            getattr(study, question)(**options),
            rtol=WITHIN,
            atol=WITHIN,
        )
