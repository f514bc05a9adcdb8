"""Draws the arguments of studies of models: several labels, ordered classes, shared items."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import rocstats as rs
from validation.torture.studies import Parts, Rng, draw_roles, draw_scores

_SIZES = (1, 2, 3, 5, 8, 13, 24, 60)
_SIZE_SHARES = (0.02, 0.04, 0.08, 0.12, 0.2, 0.24, 0.2, 0.1)

SCALES = (1e-160, 1e160)
"""Units in which squares of scores underflow and overflow."""


def _draw_size(rng: Rng) -> int:
    return int(rng.choice(_SIZES, p=_SIZE_SHARES))


def _draw_scores(rng: Rng, positive: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return scores of any kind, in some studies in an extreme unit."""
    scores = draw_scores(rng, positive)
    if rng.random() < 0.9 or np.abs(scores).max(initial=0.0) > 1e100:
        return scores
    return scores * float(rng.choice(SCALES))


def _with_holes(rng: Rng, column: npt.NDArray[np.float64], share: float) -> Any:
    return np.where(rng.random(len(column)) < share, np.nan, column)


def _policy_of_holes(rng: Rng) -> tuple[float, dict[str, str]]:
    """Return the share of missing values, 0 in most studies, and what is done about them."""
    if rng.random() < 0.9:
        return 0.0, {}
    return float(rng.choice([0.05, 0.3])), {"nan_policy": str(rng.choice(["raise", "omit"]))}


def draw_labels(rng: Rng) -> Parts:
    """Return the parts of a study of several labels; a share of them is refused when built."""
    n, width = _draw_size(rng), int(rng.choice([1, 2, 3, 4], p=[0.05, 0.4, 0.35, 0.2]))
    holes, policy = _policy_of_holes(rng)
    names = [f"l{k}" for k in range(width)]
    # Nobody or everybody may have a label, and two labels may be one.
    shares = rng.choice([0.0, 0.05, 0.3, 0.5, 0.9, 1.0], width, p=[0.04, 0.1, 0.3, 0.4, 0.12, 0.04])
    truth = {name: rng.random(n) < share for name, share in zip(names, shares, strict=True)}
    if width > 1 and rng.random() < 0.1:
        truth["l1"] = truth["l0"]
    tables = {
        f"m{k}": {
            name: _with_holes(rng, _draw_scores(rng, has), holes) for name, has in truth.items()
        }
        for k in range(int(rng.integers(1, 4)))
    }
    if len(tables) > 1 and rng.random() < 0.1:
        tables["m1"] = dict(tables["m0"])
    return Parts(
        rs.MultilabelStudy,
        {
            "y_true": {name: has.astype(int) for name, has in truth.items()},
            "y_score": tables,
            **policy,
            **draw_roles(rng, n, ("frequency", "sample_weight", "cluster", "fold", "group")),
        },
    )


def draw_ordinal(rng: Rng) -> Parts:
    """Return the parts of a study of ordered classes; a share of them is refused when built."""
    n, width = _draw_size(rng), int(rng.choice([1, 2, 3, 4, 5, 6, 9]))
    holes, policy = _policy_of_holes(rng)
    grade = rng.integers(0, width, n)
    if width > 1 and rng.random() < 0.2:  # a class of one case
        grade = np.where(np.arange(n) == 0, 0, np.maximum(grade, 1))
    scores = {}
    for name in ("a", "b", "c")[: int(rng.integers(1, 4))]:
        kind = rng.random()
        column = _draw_scores(rng, grade > rng.integers(0, width))
        if kind < 0.15:  # all pairs in order, or none
            column = np.float64(1 if kind < 0.1 else -1) * grade
        scores[name] = _with_holes(rng, column, holes)
    if "b" in scores and rng.random() < 0.1:
        scores["b"] = scores["a"].copy()
    words = [f"grade {k}" for k in range(width)]
    kinds: tuple[dict[str, Any], ...] = (
        {"y_true": grade},
        {"y_true": grade / 2 - 1.0},
        {"y_true": np.array(words)[grade], "order": words},
    )
    given = {**kinds[int(rng.integers(len(kinds)))], "y_score": scores, **policy}
    if rng.random() < 0.15:
        given["higher_is_positive"] = {name: bool(rng.integers(2)) for name in scores}
    return Parts(
        rs.OrdinalStudy, {**given, **draw_roles(rng, n, ("frequency", "cluster", "group"))}
    )


def draw_items(rng: Rng) -> Parts:
    """Return the parts of a study of items; a share of them is refused when it is built."""
    n = _draw_size(rng)
    holes, policy = _policy_of_holes(rng)
    ease = rng.random(n)
    graded = rng.random() < 0.4
    scores = {}
    for name in ("a", "b", "c", "d")[: int(rng.integers(1, 5))]:
        right = (ease < rng.choice([0.0, 0.3, 0.7, 1.0, 1.0])).astype(float)
        scores[name] = _with_holes(rng, _grades(rng, right) if graded else right, holes)
    if "b" in scores and rng.random() < 0.15:
        scores["b"] = scores["a"].copy()
    roles = draw_roles(rng, n, ("frequency", "cluster", "group"))
    return Parts(rs.ItemStudy, {"score": scores, **policy, **roles})


def _grades(rng: Rng, right: npt.NDArray[np.float64]) -> Any:
    kinds: tuple[Any, ...] = (
        lambda: rng.random(len(right)),
        lambda: rng.integers(0, 5, len(right)) / 4,
        lambda: np.full(len(right), 0.3),
        lambda: right * 1e-160,
        lambda: right * (1 - 2.0**-53),
        # Nearer to 1 the complement of a mean is rounding, and with it the effective number.
        lambda: np.clip(right + rng.normal(scale=1e-9, size=len(right)), 0, 1),
    )
    return kinds[int(rng.integers(len(kinds)))]()
