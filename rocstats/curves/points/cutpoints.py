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
from rocstats.sample.arrays import FloatArray

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
class Asked:
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


def expected_cost(asked: Asked) -> Value:
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


def make_criterion(criterion: CriterionName | Value, asked: Asked) -> Criterion:
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
) -> Asked:
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
    return Asked(*(np.nan if value is None else float(value) for value in numbers))


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
