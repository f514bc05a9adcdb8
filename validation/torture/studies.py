"""Draws the arguments of studies: ordinary ones, and those at every edge of what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import rocstats as rs

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]


class Parts(NamedTuple):
    """The class of a study and its keyword arguments, which a relation may change."""

    kind: type
    arguments: Mapping[str, Any]

    def build(self) -> Any:
        """Return the study."""
        return self.kind(**self.arguments)

    def replaced(self, **arguments: Any) -> Parts:
        """Return the parts with some arguments replaced."""
        return type(self)(self.kind, {**self.arguments, **arguments})

    @property
    def scores(self) -> Any:
        """Scores by predictor."""
        return self.arguments[self._scores_name]

    @property
    def _scores_name(self) -> str:
        """What the study calls its scores."""
        return "score" if "score" in self.arguments else "y_score"

    def with_scores(self, scores: Any) -> Parts:
        """Return the parts with other scores of the same predictors."""
        return self.replaced(**{self._scores_name: scores})

    def taken(self, rows: npt.NDArray[np.intp]) -> Parts:
        """Return the parts with the given rows, in their order."""
        names = ("y_true", self._scores_name, *ROLES)
        taken = {n: _rows_of(value, rows) for n, value in self.arguments.items() if n in names}
        return self.replaced(**taken)

    def __len__(self) -> int:
        column = self.arguments.get("y_true", self.scores)
        while isinstance(column, dict):
            column = next(iter(column.values()))
        return len(column)


def _rows_of(value: Any, rows: npt.NDArray[np.intp]) -> Any:
    """Return some rows of a column, or of each column of a table."""
    if isinstance(value, dict):
        return {name: _rows_of(column, rows) for name, column in value.items()}
    return np.asarray(value)[rows]


OF_RISKS = (
    "calibration", "calibration_band", "calibration_curve", "compare_net_benefit",
    "compare_probability_scores", "mean_net_benefit", "net_benefit", "net_benefit_band",
    "probability_scores",
)  # fmt: skip
"""Questions whose scores are risks, which no map leaves as they are."""


def as_risks(rng: Rng, parts: Parts) -> Parts:
    """Return the parts with most scores in [0, 1], most of them higher for positives."""
    if rng.random() < 0.1:
        return parts
    if parts.kind is rs.MulticlassStudy:
        return _as_probabilities(rng, parts)
    risks = {}
    for name, score in parts.scores.items():
        with np.errstate(all="ignore"):  # infinite and missing scores stay what they are
            known = np.asarray(score, dtype=np.float64)
            gap = known - np.median(np.append(known[np.isfinite(known)], 0.0))
            risks[name] = 1 / (1 + np.exp(-np.clip(gap, -5, 5)))
    digits = int(rng.choice([1, 2, 9]))
    scores = {name: np.round(risk, digits) for name, risk in risks.items()}
    return parts.with_scores(scores).replaced(higher_is_positive=True)


def _as_probabilities(rng: Rng, parts: Parts) -> Parts:
    """Return the parts with scores that are probabilities of all classes; a few of them are 0."""
    tables = {}
    for name, table in parts.scores.items():
        ranks = np.array([np.unique(score, return_inverse=True)[1] for score in table.values()])
        # Equal shares where all ranks are 0.
        shares = np.where(ranks.any(axis=0), ranks + float(rng.choice([0.0, 0.5, 5.0])), 1.0)
        tables[name] = dict(zip(table, shares / shares.sum(axis=0), strict=True))
    return parts.with_scores(tables)


def draw_study(rng: Rng, *, multiclass: bool = False, need: str | None = None) -> Parts:
    """Return the parts of a study; a share of them is refused when it is built."""
    n = int(rng.choice([2, 3, 5, 8, 13, 24, 40, 60], p=_SIZE_SHARES))
    parts = _multiclass(rng, n) if multiclass else _binary(rng, n)
    parts = parts.replaced(**draw_roles(rng, n, ROLES[:-1] if multiclass else ROLES, need))
    return parts if multiclass else _with_holes(rng, parts)


def _with_holes(rng: Rng, parts: Parts) -> Parts:
    """Return the parts, in some studies with missing scores and what is done about them."""
    if rng.random() < 0.9:
        return parts
    share = float(rng.choice([0.05, 0.3, 0.7]))
    scores = {
        name: np.where(rng.random(len(score)) < share * rng.integers(2), np.nan, score)
        for name, score in parts.arguments["y_score"].items()
    }
    policy = str(rng.choice(["raise", "omit", "available", "available", "available"]))
    return parts.replaced(y_score=scores, nan_policy=policy)


_SIZE_SHARES = [0.03, 0.04, 0.1, 0.15, 0.2, 0.23, 0.15, 0.1]


def _binary(rng: Rng, n: int) -> Parts:
    positive = _classes(rng, n)
    names = ["a", "b", "c"][: int(rng.choice([1, 2, 3], p=[0.3, 0.5, 0.2]))]
    scores = {"a": draw_scores(rng, positive)}
    for name in names[1:]:
        scores[name] = _another(rng, scores["a"], positive)
    words = ("sick", "well")
    labels, pos_label = [
        (positive.astype(int), None),
        (positive, None),
        (np.where(positive, *words), "sick"),
        (positive.astype(float), 1),
    ][rng.integers(4)]
    higher: Any = True
    if rng.random() < 0.15:
        higher = {name: bool(rng.integers(2)) for name in names}
    return Parts(
        rs.Study,
        {
            "y_true": labels,
            "y_score": scores,
            "pos_label": pos_label,
            "higher_is_positive": higher,
            "labels": {"a": "S100B, µg/L <b>"} if rng.random() < 0.2 else None,
        },
    )


def _multiclass(rng: Rng, n: int) -> Parts:
    width = int(rng.integers(2, 5))
    y = rng.integers(0, width, n).astype(str)
    tables = {
        f"m{k}": {str(c): draw_scores(rng, y == str(c)) for c in range(width)}
        for k in range(rng.integers(1, 3))
    }
    return Parts(rs.MulticlassStudy, {"y_true": y, "y_score": tables})


def _classes(rng: Rng, n: int) -> npt.NDArray[np.bool_]:
    share = rng.choice([0.5, 0.5, 0.2, 0.9, 0.02])
    positive = rng.random(n) < share
    # Most studies have both classes; those of one class are refused unless groups hide it.
    if rng.random() < 0.97:
        positive[0], positive[-1] = True, False
    return np.asarray(rng.permutation(positive))


def draw_scores(rng: Rng, positive: npt.NDArray[np.bool_]) -> Floats:
    """Return scores of any kind."""
    kind = int(rng.choice(len(SCORES), p=_SCORE_SHARES))
    return np.asarray(SCORES[kind](rng, positive), dtype=float)


def _ratings(rng: Rng, positive: npt.NDArray[np.bool_]) -> Any:
    high = int(rng.choice([2, 3, 5, 9]))
    return np.clip(rng.integers(0, high, len(positive)) + positive * rng.integers(0, 3), 0, high)


def _normal(rng: Rng, positive: npt.NDArray[np.bool_]) -> Floats:
    means = positive * rng.choice([0.0, 1.0, 3.0])
    return np.asarray(rng.normal(means, rng.choice([0.3, 1.0, 4.0])), dtype=float)


def _infinite(rng: Rng, positive: npt.NDArray[np.bool_]) -> Floats:
    score = _normal(rng, positive)
    score[rng.random(len(score)) < 0.2] = np.inf
    score[rng.random(len(score)) < 0.2] = -np.inf
    return score


def _nearly_tied(rng: Rng, positive: npt.NDArray[np.bool_]) -> Any:
    # Neighbouring floats: a mean of two of them is one of them.
    return 1.0 + rng.integers(0, 4, len(positive)) * np.finfo(float).eps


SCORES: tuple[Callable[[Rng, npt.NDArray[np.bool_]], Any], ...] = (
    _ratings,
    _normal,
    lambda rng, positive: positive.astype(float),
    lambda rng, positive: 1.0 - positive,
    lambda rng, positive: np.full(len(positive), 2.5),
    lambda rng, positive: _normal(rng, positive) * rng.choice([1e300, 1e-300, 1e150, 5e-324]),
    _infinite,
    _nearly_tied,
    lambda rng, positive: np.arange(len(positive)) + 100.0 * positive,
)
"""Ratings, normal, separated (both ways), tied, extreme in scale, infinite, nearly tied, a line."""

_SCORE_SHARES = [0.36, 0.32, 0.05, 0.03, 0.04, 0.06, 0.05, 0.04, 0.05]


def _another(rng: Rng, first: Floats, positive: npt.NDArray[np.bool_]) -> Floats:
    kind = rng.random()
    if kind < 0.08:
        return first.copy()
    if kind < 0.14:
        return -first
    if kind < 0.24:  # differs in one case
        other = first.copy()
        other[rng.integers(len(first))] = rng.normal()
        return other
    return draw_scores(rng, positive)


ROLES = ("frequency", "sample_weight", "cluster", "fold", "group", "covariate")


def draw_roles(rng: Rng, n: int, names: tuple[str, ...], need: str | None = None) -> dict[str, Any]:
    """Return some of the named roles, and the one that is needed."""
    draws: dict[str, tuple[float, Callable[[], Any]]] = {
        "frequency": (0.14, lambda: rng.choice([0, 1, 1, 2, 5, _large(rng)], n)),
        "sample_weight": (0.07, lambda: rng.choice([0.0, 0.5, 1.0, 2.0, _huge(rng)], n)),
        "cluster": (0.14, lambda: rng.integers(0, rng.choice([1, 2, 5, 20, 10**6]), n)),
        "fold": (0.12, lambda: rng.integers(0, rng.choice([1, 2, 3]), n)),
        "group": (0.16, lambda: _groups(rng, n)),
        "covariate": (0.03, lambda: _covariates(rng, n)),
    }
    return {
        name: draw()
        for name, (share, draw) in draws.items()
        if name in names and (rng.random() < share or name == need)
    }


def _groups(rng: Rng, n: int) -> Any:
    column = np.array(["x", "y", ""])[rng.integers(0, rng.integers(1, 4), n)]
    # Two columns make a group of each combination.
    return column if rng.random() < 0.8 else np.column_stack([column, rng.integers(0, 2, n)])


def _covariates(rng: Rng, n: int) -> Any:
    kind = rng.integers(4)
    if kind == 0:
        return np.array(["F", "M"])[rng.integers(0, 2, n)]
    column = rng.normal(60, 8, n) if kind < 3 else np.floor(rng.normal(0, 2, n))
    # Two columns need more cases, and may be one and the same.
    return column if kind != 2 else np.column_stack([column, rng.integers(0, 2, n)])


def _large(rng: Rng) -> int:
    return int(rng.choice([3, 50, 10**4]))


def _huge(rng: Rng) -> float:
    return float(rng.choice([1.0, 1e-9, 1e9, 1e49]))
