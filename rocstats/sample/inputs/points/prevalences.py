"""Prevalences: one or several, known or estimated from other cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.inputs.points.thresholds import number_array


def read_prevalences(prevalence: Any) -> tuple[float, ...]:
    """Return the given prevalences, each in (0, 1); an empty tuple for None."""
    if prevalence is None:
        return ()
    values = number_array(prevalence)
    if values.ndim != 1 or len(values) == 0 or not ((values > 0) & (values < 1)).all():
        raise InputError(
            "`prevalence` must be a number strictly between 0 and 1, or a sequence of them; got"
            f" {prevalence!r}. Pass the share of positives where the rule is to be used."
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
            " Pass the number of all cases, of both classes, that gave the prevalence."
        )
    return float(prevalence_cases)
