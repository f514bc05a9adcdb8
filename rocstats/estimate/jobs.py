"""Calls of a function of the user's for many resamples, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from numbers import Integral
from typing import Any, TypeVar

from rocstats.errors import InputError

_Argument = TypeVar("_Argument")
_Value = TypeVar("_Value")


def read_jobs(n_jobs: Any) -> int:
    """Return the number of processes, negative to count from all processors; 1 needs no joblib."""
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is None or (whole and n_jobs == 1):
        return 1
    if not whole or n_jobs == 0:
        raise InputError(
            f"`n_jobs` must be a whole number other than 0, or None; got {n_jobs!r}. Pass 2 for two"
            " processes, or -1 for one process per processor."
        )
    try:
        import joblib  # noqa: F401
    except ImportError as error:
        raise InputError(
            f"`n_jobs` must be 1 without the package joblib; got {n_jobs}."
            ' Install it with: pip install "rocstats[jobs]".'
        ) from error
    return int(n_jobs)


def evaluate_in_jobs(
    function: Callable[[_Argument], _Value], arguments: Iterable[_Argument], n_jobs: int
) -> Iterator[_Value]:
    """Yield the values of a function in the order of its arguments, whatever the number of jobs."""
    if n_jobs == 1:
        yield from map(function, arguments)
        return
    from joblib import Parallel, delayed

    calls = (delayed(function)(argument) for argument in arguments)
    yield from Parallel(n_jobs=n_jobs, return_as="generator")(calls)
