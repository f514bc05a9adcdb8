"""Criteria by which a cutpoint is chosen: functions of the rates and the class sizes to optimise.

Rates are arrays (resamples x vertices); class sizes are columns (resamples x 1).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.curves.points.own_criterion import (
    OwnCriterion,
    Value,
    checked,
    required_inputs,
)
from rocstats.errors import InputError, require_choice, require_cost, require_open_interval
from rocstats.sample.arrays import FloatArray
from rocstats.tolerances import SAME

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


class Criterion(NamedTuple):
    """A criterion: the function whose best value chooses the cutpoint.

    ``quantity`` is the name of its value, "" where the value is of no interest. ``rising``: values
    above that of vertex 0 rise with the TPR and never with the FPR, so that only thresholds between
    a positive and a negative can be best. ``crossing``: the best vertex is next to where tpr + fpr,
    which only rises, passes 1. ``low`` and ``high`` are the bounds of the value.
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
        """Return the value, negated if smaller is better, so that the largest is best."""
        value = self.value(fpr, tpr, n_pos, n_neg)
        return -value if self.smaller_is_better else value


class CutpointRequest(NamedTuple):
    """The numbers that a criterion needs besides its name; NaN for those not given."""

    cost_fp: float = np.nan
    cost_fn: float = np.nan
    prevalence: float = np.nan
    rate: float = np.nan


def distance(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the distance from (0, 1), the point without errors."""
    return np.asarray(np.hypot(fpr, 1 - tpr))


def error_gap(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the absolute difference of the error rates of the classes, |fpr - fnr|."""
    return np.abs(fpr - (1 - tpr))


def accuracy(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the share of cases classified correctly."""
    return (tpr * n_pos + (1 - fpr) * n_neg) / (n_pos + n_neg)


def kappa(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return Cohen's kappa, the agreement of decisions and classes beyond that of chance."""
    # Of the equal forms of kappa 2 p (1 - p) (tpr - fpr) / (p + c (1 - 2 p)), with share p of
    # positives and c of positive decisions, is exactly 0 where both rates are equal.
    share = n_pos / (n_pos + n_neg)
    called = tpr * share + fpr * (1 - share)
    return 2 * share * (1 - share) * (tpr - fpr) / (share + called * (1 - 2 * share))


def expected_cost(request: CutpointRequest) -> Value:
    """Return the criterion function "expected cost of a case" for given costs and prevalence."""
    of_fp, of_fn = request.cost_fp * (1 - request.prevalence), request.cost_fn * request.prevalence
    return lambda fpr, tpr, n_pos, n_neg: of_fp * fpr + of_fn * (1 - tpr)


def specificity_at(least: float) -> Value:
    """Return the criterion function "specificity where the TPR is at least ``least``", ties by TPR.

    Other points have the value -1.
    """

    def value(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        # tpr / (2 n_neg) is at most half a step of the FPR: it orders points of equal FPR only.
        return np.where(tpr >= least - SAME, 1 - fpr + tpr / (2 * n_neg), -1.0)

    return value


def sensitivity_at(most: float) -> Value:
    """Return the criterion function "sensitivity where the FPR is at most ``most``", else -1."""
    return lambda fpr, tpr, n_pos, n_neg: np.where(fpr <= most + SAME, tpr, -1.0)


# Every criterion function has all four arguments, whether it uses them or not.
_PLAIN = {
    "youden": Criterion("youden", "youden", lambda fpr, tpr, n_pos, n_neg: tpr - fpr, low=-1.0),
    "closest-topleft": Criterion(
        "closest-topleft", "distance", distance, smaller_is_better=True, high=float(np.sqrt(2))
    ),
    "product": Criterion("product", "product", lambda fpr, tpr, n_pos, n_neg: tpr * (1 - fpr)),
    # |fpr - fnr| falls to the crossing of the error rates and rises after it: it is not "rising".
    "equal-error": Criterion(
        "equal-error", "", error_gap, smaller_is_better=True, rising=False, crossing=True
    ),
    "accuracy": Criterion("accuracy", "accuracy", accuracy, uses_prevalence=True),
    "kappa": Criterion("kappa", "kappa", kappa, low=-1.0, uses_prevalence=True),
}
CRITERIA = (*_PLAIN, "cost", "fixed-tpr", "fixed-fpr")


def make_criterion(criterion: CriterionName | OwnCriterion, request: CutpointRequest) -> Criterion:
    """Return the criterion with a name, or with the user's own function."""
    if callable(criterion):  # of an unknown function nothing is known: no bounds, all vertices
        return Criterion(
            "user", "criterion", checked(criterion), rising=False, low=-np.inf, high=np.inf
        )
    if criterion == "cost":
        return Criterion(
            "cost", "expected_cost", expected_cost(request), smaller_is_better=True, high=np.inf,
            uses_prevalence=True,
        )  # fmt: skip
    if criterion == "fixed-tpr":
        return Criterion("fixed-tpr", "", specificity_at(request.rate))
    if criterion == "fixed-fpr":
        return Criterion("fixed-fpr", "", sensitivity_at(request.rate))
    return _PLAIN[criterion]


def read_criterion(criterion: CriterionName | OwnCriterion) -> CriterionName | OwnCriterion:
    """Return the criterion that a word spells, or a function; raise InputError for others."""
    if not callable(criterion):
        return require_choice("criterion", criterion, CRITERIA)
    required_inputs(criterion)
    return criterion


def read_asked(
    criterion: Any,
    *,
    tpr: float | None,
    fpr: float | None,
    cost_fp: float | None,
    cost_fn: float | None,
    prevalence: float | None,
) -> CutpointRequest:
    """Return the numbers of a criterion; raise InputError if one is lacking or has no use."""
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
        if name == "prevalence":  # the caller takes that of the sample
            return
        raise InputError(
            f"`{name}` must be given with the criterion {word}; got None. Pass {name}=."
        )
    if name.startswith("cost"):
        require_cost(name, value)
    else:
        require_open_interval(name, value, 0, 1)
