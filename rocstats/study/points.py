"""Points at which a study is asked: thresholds, rates, prevalences, risk thresholds and times.

Each is one number or several. Thresholds are common to all predictors, or for each predictor; risk
thresholds may be a range, or have thresholds on other scales in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype

from rocstats.errors import InputError, require_whole
from rocstats.facts.arrays import FloatArray
from rocstats.facts.words import did_you_mean

# --- Numbers --------------------------------------------------------------------------------------

# Kinds of objects that are numbers, as pandas calls them.
_OBJECTS_AS_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal")


def number_array(value: Any) -> FloatArray:
    """Return a number or a sequence of numbers as an array; empty for anything else."""
    try:
        given = np.asarray(value)
        # Text would be read as numbers, and booleans are none. Objects may be decimals, say.
        if given.dtype.kind in "iuf" or (
            given.dtype.kind == "O" and infer_dtype(given.ravel()) in _OBJECTS_AS_NUMBERS
        ):
            return np.atleast_1d(given.astype(np.float64))
    except (TypeError, ValueError, OverflowError):
        pass  # rows of unequal length, or an integer beyond every float
    return np.empty(0)


def is_whole(value: Any, least: float) -> bool:
    """Return whether a value is a whole number >= ``least``: 2.0 is one, True and "2" are none."""
    number = number_array(value)
    scalar = isinstance(value, Real) and len(number) == 1
    return scalar and bool(number[0] >= least) and float(number[0]).is_integer()


# --- Thresholds -----------------------------------------------------------------------------------


def as_mapping(value: Any) -> Any:
    """Return a Series whose labels are texts as a mapping: they name predictors, not places.

    Anything else is returned as it is: a Series with numbers as labels is a sequence. A label that
    comes several times has the list of its values.
    """
    if not isinstance(value, pd.Series) or not len(value):
        return value
    if not all(isinstance(label, str) for label in value.index):
        return value
    found: dict[str, Any] = {}
    for label, one in value.items():
        found.setdefault(str(label), []).append(one)
    return {label: each if len(each) > 1 else each[0] for label, each in found.items()}


def read_thresholds(
    threshold: Any,
    predictors: Sequence[str],
    *,
    argument: str = "threshold",
    of: tuple[str, str] = ("predictor", "predictors"),
) -> dict[str, FloatArray]:
    """Return the thresholds of each predictor; an empty array if a mapping leaves it out.

    A Series whose labels are texts is a mapping.

    ``of`` says in messages what the names are of: one, and several.
    """
    threshold = as_mapping(threshold)
    if not isinstance(threshold, Mapping):
        numbers = _threshold_numbers(threshold, argument)
        return dict.fromkeys(predictors, numbers)
    unknown = [name for name in threshold if name not in predictors]
    if unknown or not threshold:
        raise InputError(
            f"`{argument}` must name {of[1]}; got {unknown or threshold}."
            f" The {of[1]} are {list(predictors)}."
            f"{did_you_mean(next(iter(unknown), None), predictors)}"
        )
    return {
        name: _threshold_numbers(threshold[name], argument) if name in threshold else np.empty(0)
        for name in predictors
    }


def read_single_thresholds(
    threshold: Any,
    predictors: Sequence[str],
    *,
    argument: str = "threshold",
    of: tuple[str, str] = ("predictor", "predictors"),
) -> dict[str, float]:
    """Return the single threshold of each predictor that has a threshold."""
    read = read_thresholds(threshold, predictors, argument=argument, of=of)
    given = {name: at for name, at in read.items() if len(at)}
    if any(len(at) > 1 for at in given.values()):
        raise InputError(
            f"`{argument}` must be one number, or one for each {of[0]}; got {threshold!r}."
            " Call the method once for each threshold."
        )
    return {name: float(at[0]) for name, at in given.items()}


def _threshold_numbers(value: Any, argument: str) -> FloatArray:
    """Return a number or a sequence of numbers as an array without NaN."""
    numbers = number_array(value)
    # Infinite thresholds are legal: they call nobody, or everybody, positive.
    if numbers.ndim != 1 or len(numbers) == 0 or np.isnan(numbers).any():
        raise InputError(
            f"`{argument}` must be a number, or a sequence of numbers; got {value!r}."
            " Pass thresholds on the scale of the scores."
        )
    return numbers


# --- Rates ----------------------------------------------------------------------------------------

_RATES_ADVICE = "Pass rates, or average by threshold."
_RATE_NAMES = {
    "at": "false positive rates",
    "fpr": "false positive rates",
    "tpr": "true positive rates",
}


def read_rates(
    at: Any, predictors: Sequence[str], *, argument: str = "at", advice: str = _RATES_ADVICE
) -> dict[str, FloatArray]:
    """Return the rates in [0, 1] given for each predictor."""
    rates = read_thresholds(at, predictors, argument=argument)
    for values in rates.values():
        outside = values[(values < 0) | (values > 1)]
        if len(outside):
            raise InputError(
                f"`{argument}` must be {_RATE_NAMES[argument]} in [0, 1]; got {outside[0]:g}."
                f" {advice}"
            )
    return rates


def read_common_rates(at: Any) -> FloatArray:
    """Return the false positive rates in [0, 1] at which all predictors are compared."""
    if isinstance(at, Mapping):
        raise InputError(
            f"`at` must be the same for predictors that are compared; got {type(at).__name__}."
            " Pass a number or a sequence."
        )
    return read_rates(at, ["all"])["all"]  # a stand-in for the predictors, who share the rates


def read_increasing_rates(
    at: Any, low: float = 0.0, high: float = 1.0, *, what: str = "false positive rates"
) -> FloatArray:
    """Return increasing rates (``what`` in messages) in [low, high] at which a band is read."""
    rates = number_array(at)
    increasing = rates.ndim == 1 and len(rates) > 0 and bool(np.all(np.diff(rates) > 0))
    if not (increasing and rates[0] >= low and rates[-1] <= high):
        raise InputError(
            f"`at` must be increasing {what} in [{low:g}, {high:g}]; got {at!r}."
            " Sort them, and leave out repeats."
        )
    return rates


def require_samples(n_samples: Any) -> int:
    """Return ``n_samples`` as int; raise InputError unless it is a whole number >= 2."""
    return require_whole("n_samples", n_samples, 2, "Both ends of the curve are samples.")


# A covariance of 10^6 numbers; a curve in print resolves some 500.
_MOST_POINTS_OF_CURVE = 1000


def require_points(n_points: Any, points: str) -> int:
    """Return ``n_points`` as int; raise InputError unless it is a whole number from 2 to 1000."""
    number = require_whole("n_points", n_points, 2, f"100 {points} make a smooth curve.")
    if number > _MOST_POINTS_OF_CURVE:
        raise InputError(
            f"`n_points` must be {_MOST_POINTS_OF_CURVE} at most; got {number}. 100 points make a"
            " smooth curve."
        )
    return number


def read_points_of_curve(fpr: Any) -> FloatArray:
    """Return the false positive rates; raise InputError unless they are numbers in [0, 1]."""
    rates = number_array(fpr)
    # "not all inside" refuses NaN too, which compares as False.
    if rates.ndim != 1 or len(rates) == 0 or not np.all((rates >= 0) & (rates <= 1)):
        raise InputError(
            f"`fpr` must be rates in [0, 1]; got {fpr!r}. Pass for instance [0.1, 0.2]."
        )
    return rates


# --- Prevalences ----------------------------------------------------------------------------------


def read_prevalences(prevalence: Any) -> tuple[float, ...]:
    """Return the given prevalences, each in (0, 1); an empty tuple for None."""
    if prevalence is None:
        return ()
    values = number_array(prevalence)
    if values.ndim != 1 or len(values) == 0 or not ((values > 0) & (values < 1)).all():
        raise InputError(
            "`prevalence` must be a number strictly between 0 and 1, or a sequence of them; got"
            f" {prevalence!r}. Pass the share of positives in the population of use."
        )
    return tuple(float(value) for value in values)


def read_prevalence_cases(prevalence_cases: Any, prevalences: tuple[float, ...]) -> float:
    """Return the number of cases that gave the prevalence; infinite for a known prevalence."""
    if prevalence_cases is None:  # infinite: the variance of the prevalence, p (1 - p) / n, is 0
        return float("inf")
    if not prevalences:
        raise InputError(
            "`prevalence_cases` must stay None without a prevalence; got"
            f" {prevalence_cases!r}. Pass prevalence= too."
        )
    number = isinstance(prevalence_cases, (int, float, np.integer, np.floating))
    if not number or isinstance(prevalence_cases, bool) or not prevalence_cases >= 1:
        raise InputError(
            f"`prevalence_cases` must be a number of cases >= 1; got {prevalence_cases!r}."
            " Pass the number of all cases, of both classes, in which the prevalence was estimated."
        )
    return float(prevalence_cases)


# --- Risk thresholds ------------------------------------------------------------------------------

TREAT_ALL = "treat-all"
"""The rule that treats every case, in the place of a predictor."""


def read_risk_thresholds(value: Any) -> FloatArray:
    """Return the distinct risk thresholds in (0, 1), in increasing order."""
    at = number_array(value)
    if at.ndim != 1 or len(at) == 0 or not ((at > 0) & (at < 1)).all():
        raise InputError(
            "`risk_threshold` must be a number strictly between 0 and 1, or a sequence of them;"
            f" got {value!r}. Pass the lowest risks that lead to treatment."
        )
    return np.unique(at)


def read_risk_range(value: Any) -> tuple[float, float]:
    """Return the ends of a range of risk thresholds, 0 < low < high < 1."""
    ends = number_array(value)
    if ends.shape != (2,) or not 0 < ends[0] < ends[1] < 1:
        raise InputError(
            "`risk_threshold` must be two numbers, 0 < low < high < 1; got"
            f" {value!r}. Pass the lowest and the highest risk threshold."
        )
    return float(ends[0]), float(ends[1])


def read_cuts(
    threshold: Any, predictors: Sequence[str], directions: Sequence[bool], at: FloatArray
) -> dict[str, FloatArray]:
    """Return the thresholds of some predictors in the place of risk thresholds.

    They are finite and become stricter, or stay, as the risk threshold rises.
    """
    if threshold is None:
        return {}
    form = "Pass threshold={predictor: {risk_threshold: threshold}}."
    if not isinstance(threshold, Mapping) or not threshold:
        raise InputError(
            "`threshold` must map predictors to their thresholds at each risk threshold; got"
            f" {threshold!r}. {form}"
        )
    unknown = [name for name in threshold if name not in predictors]
    if unknown:
        raise InputError(
            f"`threshold` must name predictors; got {unknown}. The predictors are"
            f" {list(predictors)}.{did_you_mean(unknown[0], predictors)}"
        )
    higher = dict(zip(predictors, directions, strict=True))
    return {
        str(name): _cuts_of_predictor(name, cuts, at, higher[name])
        for name, cuts in threshold.items()
    }


def _cuts_of_predictor(name: Any, cuts: Any, at: FloatArray, higher: bool) -> FloatArray:
    """Return the thresholds of one predictor."""
    given = cuts if isinstance(cuts, Mapping) else {}
    lacking = [risk for risk in at.tolist() if risk not in given]
    if lacking:
        raise InputError(
            f"`threshold` must have a score threshold of {name!r} for each value of"
            f" `risk_threshold`; got {cuts!r}, and none for {lacking}. Add the missing thresholds."
        )
    values = number_array([given[risk] for risk in at.tolist()])
    if len(values) != len(at) or values.ndim != 1 or not np.isfinite(values).all():
        raise InputError(
            f"`threshold` must have finite numbers for {name!r}; got {cuts!r}."
            " Pass thresholds on the scale of the scores."
        )
    steps = np.diff(values) if higher else -np.diff(values)
    if (steps < 0).any():
        raise InputError(
            f"`threshold` must become stricter for {name!r} as the risk threshold rises; got"
            f" {cuts!r}. Exchange the thresholds, or check higher_is_positive."
        )
    return values


def require_no_treat_all(predictors: Sequence[str], argument: str = "y_score") -> None:
    """Raise InputError if a predictor has the name of the rule that treats every case."""
    if TREAT_ALL in predictors:
        raise InputError(
            f"`{argument}` must not name a predictor {TREAT_ALL!r}, which is the rule that treats"
            " every case; got one. Rename the predictor."
        )


def require_risk(
    name: str, score: FloatArray, *, higher: bool, mapped: bool, argument: str = "y_score"
) -> None:
    """Raise InputError unless the scores of a predictor are risks: from 0 to 1, higher for more.

    ``mapped`` says that other predictors have thresholds of their own.
    """
    instead = f"Pass threshold={{{name!r}: {{risk_threshold: threshold}}}} to net_benefit, or risks"
    if not higher:
        raise InputError(
            f"`higher_is_positive` must be True for a risk; got False for {name!r}. {instead} of"
            " the positive class."
        )
    low, high = float(score.min()), float(score.max())
    if low < 0 or high > 1:
        also = ", too" if mapped else ""
        raise InputError(
            f"`{argument}` must be risks in [0, 1]; got scores of {name!r} from {low:g} to"
            f" {high:g}. {instead} of a fitted model{also}."
        )


_SAME_RISK = 4
"""Units in the last place within which a threshold is a risk: 29 steps of 0.01 are one off 0.29."""


def thresholds_of_risks(at: FloatArray, score: FloatArray) -> FloatArray:
    """Return ascending risk thresholds, each replaced by the lowest risk that equals it.

    A risk equals a threshold within a rounding error of some units in the last place: people mean
    0.29 by ``np.arange(0.01, 0.36, 0.01)[28]``, which is the next larger number.
    """
    reach = _SAME_RISK * np.spacing(at)
    place = np.searchsorted(at - reach, score, side="right") - 1
    equal = np.flatnonzero((place >= 0) & (score <= (at + reach)[place]))
    found = at.copy()
    # A threshold that no risk equals keeps its value; else the lowest such risk is called, too.
    lowest = np.full(len(at), np.inf)
    np.minimum.at(lowest, place[equal], score[equal])
    hit = np.isfinite(lowest)
    found[hit] = lowest[hit]
    # Thresholds closer than the error itself stay in order.
    return np.minimum.accumulate(found[::-1])[::-1]


# --- Times of a survival study --------------------------------------------------------------------


def read_horizons(value: Any, argument: str = "time") -> FloatArray:
    """Return the distinct times > 0, in increasing order."""
    at = number_array(value)
    if at.ndim != 1 or len(at) == 0 or not ((at > 0) & np.isfinite(at)).all():
        raise InputError(
            f"`{argument}` must be a finite number > 0, or a sequence of them; got {value!r}. Pass"
            " times in the unit of the study, for instance 12 for a year in months."
        )
    return np.unique(at)
