"""Which vertex of a curve a criterion chooses: kernels over the count table, row by row.

A criterion is a function of both rates and of the numbers in the classes, of which the best value
is wanted. Arrays are (resamples x vertices); the numbers are columns, (resamples x 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.tables import ScoreCounts

Value = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
"""A function of fpr, tpr, n_pos and n_neg."""

CriterionName = Literal[
    "youden",
    "closest-topleft",
    "product",
    "equal-error",
    "accuracy",
    "kappa",
    "cost",
    "fixed-tpr",
    "fixed-fpr",
]

# Values that differ by less, relative to their size, are equal.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Criterion:
    """What is to be best.

    ``quantity`` is the word for its value, "" where the value is none of interest. ``rising`` says
    that, better than vertex 0 once, it rises with the TPR and never with the FPR: then only
    thresholds between a positive and a negative can be best. ``crossing`` says that the best vertex
    is where tpr + fpr, which only rises, passes 1.
    """

    name: str
    quantity: str
    value: Value
    smaller_is_better: bool = False
    rising: bool = True
    crossing: bool = False
    low: float = 0.0
    high: float = 1.0
    uses_prevalence: bool = False

    def merit(
        self, fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray
    ) -> FloatArray:
        """Return the value so that the largest is best."""
        value = self.value(fpr, tpr, n_pos, n_neg)
        return -value if self.smaller_is_better else value


@dataclass(frozen=True)
class CutpointRequest:
    """What the user said of a criterion besides its name; NaN is what was not given."""

    cost_fp: float = np.nan
    cost_fn: float = np.nan
    prevalence: float = np.nan
    rate: float = np.nan


def youden(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return tpr - fpr."""
    return tpr - fpr


def distance(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the distance from the point of no errors."""
    return np.asarray(np.hypot(fpr, 1 - tpr))


def product(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return tpr (1 - fpr)."""
    return tpr * (1 - fpr)


def error_gap(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return by how much the error rates of both classes differ."""
    return np.abs(fpr - (1 - tpr))


def accuracy(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the share of cases called right."""
    return (tpr * n_pos + (1 - fpr) * n_neg) / (n_pos + n_neg)


def kappa(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return Cohen's kappa, the agreement of calls and classes beyond that of chance.

    With share p of positives and c of calls it is 2 p (1 - p) (tpr - fpr)/(p + c (1 - 2 p)), which
    is exactly 0 where both rates are equal.
    """
    share = n_pos / (n_pos + n_neg)
    called = tpr * share + fpr * (1 - share)
    return 2 * share * (1 - share) * (tpr - fpr) / (share + called * (1 - 2 * share))


def expected_cost(asked: CutpointRequest) -> Value:
    """Return the function that gives the expected cost of a case."""
    of_fp, of_fn = asked.cost_fp * (1 - asked.prevalence), asked.cost_fn * asked.prevalence

    def cost(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        return of_fp * fpr + of_fn * (1 - tpr)

    return cost


def specificity_at(least: float) -> Value:
    """Return what puts the specificity of points with at least a TPR first, then their TPR.

    Half a step of the FPR is worth all of the TPR. Other points have -1.
    """

    def value(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        return np.where(tpr >= least - _ROUNDING, 1 - fpr + tpr / (2 * n_neg), -1.0)

    return value


def sensitivity_at(most: float) -> Value:
    """Return what gives the sensitivity of points with at most an FPR, -1 for others."""

    def value(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        return np.where(fpr <= most + _ROUNDING, tpr, -1.0)

    return value


_PLAIN = {
    "youden": Criterion("youden", "youden", youden, low=-1.0),
    "closest-topleft": Criterion(
        "closest-topleft", "distance", distance, smaller_is_better=True, high=float(np.sqrt(2))
    ),
    "product": Criterion("product", "product", product),
    "equal-error": Criterion(
        "equal-error", "", error_gap, smaller_is_better=True, rising=False, crossing=True
    ),
    "accuracy": Criterion("accuracy", "accuracy", accuracy, uses_prevalence=True),
    "kappa": Criterion("kappa", "kappa", kappa, low=-1.0, uses_prevalence=True),
}
CRITERIA = (*_PLAIN, "cost", "fixed-tpr", "fixed-fpr")


def make_criterion(criterion: CriterionName | Value, asked: CutpointRequest) -> Criterion:
    """Return the criterion of a name, or of the user's own function."""
    if callable(criterion):
        return Criterion(
            "user", "criterion", _checked(criterion), rising=False, low=-np.inf, high=np.inf
        )
    if criterion == "cost":
        return Criterion(
            "cost", "expected_cost", expected_cost(asked), smaller_is_better=True, high=np.inf,
            uses_prevalence=True,
        )  # fmt: skip
    if criterion == "fixed-tpr":
        return Criterion("fixed-tpr", "", specificity_at(asked.rate))
    if criterion == "fixed-fpr":
        return Criterion("fixed-fpr", "", sensitivity_at(asked.rate))
    return _PLAIN[criterion]


def _checked(criterion: Value) -> Value:
    """Return the user's function, its answer looked at."""

    def value(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        found = np.asarray(criterion(fpr, tpr, n_pos, n_neg), dtype=np.float64)
        if found.shape != np.shape(fpr):
            raise InputError(
                f"`criterion` must return an array like fpr, of shape {np.shape(fpr)}; got shape"
                f" {found.shape}. Use functions that work on arrays."
            )
        if np.isnan(found).any():
            raise InputError(
                f"`criterion` must return numbers; got {int(np.isnan(found).sum())} NaN of"
                f" {found.size}. Return -inf where a point cannot be chosen."
            )
        return found

    return value


def read_asked(
    criterion: Any,
    *,
    tpr: float | None,
    fpr: float | None,
    cost_fp: float | None,
    cost_fn: float | None,
    prevalence: float | None,
) -> CutpointRequest:
    """Return what a criterion needs; raise InputError for what it lacks, or has no use for."""
    if not callable(criterion):
        require_choice("criterion", criterion, CRITERIA)
    given = {
        "tpr": tpr,
        "fpr": fpr,
        "cost_fp": cost_fp,
        "cost_fn": cost_fn,
        "prevalence": prevalence,
    }
    uses = {"cost": ("cost_fp", "cost_fn", "prevalence"), "fixed-tpr": ("tpr",)}
    uses["fixed-fpr"] = ("fpr",)
    used = () if callable(criterion) else uses.get(criterion, ())
    for name, value in given.items():
        _require_use(name, value, criterion, used)
    rate = tpr if tpr is not None else fpr
    numbers = (cost_fp, cost_fn, prevalence, rate)
    return CutpointRequest(*(np.nan if value is None else float(value) for value in numbers))


def _require_use(name: str, value: float | None, criterion: Any, used: tuple[str, ...]) -> None:
    """Raise InputError where a number is needed and not given, has no use, or is out of range."""
    word = "a function" if callable(criterion) else repr(criterion)
    if name not in used:
        if value is not None:
            raise InputError(
                f"`{name}` must stay None with the criterion {word}, which has no use for it;"
                f" got {value!r}. Leave it out."
            )
        return
    if value is None:
        if name == "prevalence":
            return
        raise InputError(
            f"`{name}` must be given with the criterion {word}; got None. Pass {name}=."
        )
    require_open_interval(name, value, 0, np.inf if name.startswith("cost") else 1)


def candidates(counts: ScoreCounts, criterion: Criterion) -> IntArray:
    """Return the vertices that a criterion can choose, in the sample and in its resamples.

    Vertex v calls the v most positive scores positive. For a rising criterion these are vertex 0
    and those after a score with positives and before one with negatives.
    """
    if not criterion.rising:
        return np.arange(len(counts.score) + 1)
    before_negatives = np.append(counts.n_neg[1:] > 0, True)
    return np.append(0, np.flatnonzero((counts.n_pos > 0) & before_negatives) + 1)


def first_best(merit: FloatArray) -> IntArray:
    """Return where the largest merit of each row stands first, as good as rounding can tell."""
    best = merit.max(axis=1, keepdims=True)
    size = np.maximum(np.abs(best), np.abs(merit[:, :1]))
    with np.errstate(invalid="ignore"):
        least = best - _ROUNDING * np.where(np.isfinite(size), size, 0.0)
    return np.asarray((merit >= least).argmax(axis=1))


def choose(fp: Any, tp: Any, columns: IntArray, criterion: Criterion) -> IntArray:
    """Return the vertex that a criterion chooses in each row of cumulative counts.

    Of equally good points the one with the fewest called positive is taken, and of thresholds that
    call the same cases positive the strictest, which is a score that was observed.
    """
    n_pos, n_neg = (np.asarray(cumulative[:, -1:], dtype=np.float64) for cumulative in (tp, fp))
    if criterion.crossing:
        near = _around_crossing(fp, tp, n_pos, n_neg)
        fpr, tpr = (np.take_along_axis(c, near, 1) / n for c, n in ((fp, n_neg), (tp, n_pos)))
        best = first_best(criterion.merit(fpr, tpr, n_pos, n_neg))
        vertex = near[np.arange(len(near)), best]
    else:
        if len(columns) < tp.shape[1]:
            fpr, tpr = fp.take(columns, axis=1) / n_neg, tp.take(columns, axis=1) / n_pos
        else:
            fpr, tpr = fp / n_neg, tp / n_pos
        vertex = columns[first_best(criterion.merit(fpr, tpr, n_pos, n_neg))]
    moving = np.flatnonzero(vertex > 0)
    while len(moving):
        at = vertex[moving]
        same = (tp[moving, at] == tp[moving, at - 1]) & (fp[moving, at] == fp[moving, at - 1])
        vertex[moving[same]] -= 1
        moving = moving[same & (at > 1)]
    return np.asarray(vertex)


def _around_crossing(fp: Any, tp: Any, n_pos: FloatArray, n_neg: FloatArray) -> IntArray:
    """Return the vertices of each row among which tpr + fpr passes 1, found by a coarse search."""
    width = tp.shape[1]
    step = max(int(np.sqrt(width)), 1)
    coarse = np.arange(0, width, step)
    passed = fp[:, coarse] / n_neg + tp[:, coarse] / n_pos
    start = step * (np.count_nonzero(passed < 1, axis=1) - 1)
    return np.asarray(np.minimum(start[:, np.newaxis] + np.arange(step + 1), width - 1))


def cumulated(counts: Any) -> Any:
    """Return the cumulative counts of each row, beginning with 0."""
    found = np.zeros((len(counts), counts.shape[1] + 1), dtype=counts.dtype)
    np.cumsum(counts, axis=1, out=found[:, 1:])
    return found
