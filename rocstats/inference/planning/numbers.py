"""The numbers of a plan, read and checked: powers, half widths and numbers of cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError, require_open_interval
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.sample.inputs.points.thresholds import is_whole


def read_goals(
    design: object, power: Any, half_width: Any, alpha: float
) -> list[tuple[str, float]]:
    """Return the wanted powers or half widths, each with the name of its column."""
    if (power is None) == (half_width is None):
        raise InputError(
            f"`power` or `half_width` must be given, one of them; got {power!r} and"
            f" {half_width!r}. Pass for instance power=0.9."
        )
    if power is not None and isinstance(design, OneRate) and design.goal is None:
        raise InputError(
            "`power` must go with a goal to be tested; got a rate without goal."
            " Give OneRate a goal=, or ask for a half_width."
        )
    name, given = ("power", power) if power is not None else ("half_width", half_width)
    # A test at level alpha has the power alpha without cases; an interval in [0, 1] has a half
    # width of 1/2 at most.
    low, high = (alpha, 1.0) if name == "power" else (0.0, 0.5)
    # dtype=object keeps a text a text, so that it gets the message on numbers.
    values = np.atleast_1d(np.asarray(given, dtype=object)).tolist()
    for value in values:
        require_open_interval(name, value, low, high)
    return [(name, float(value)) for value in values]


def _whole(argument: str, given: Any) -> list[int]:
    """Return numbers of cases; 80.0 is one, as the columns of ``sample_size`` are floats."""
    values = [] if given is None else np.atleast_1d(np.asarray(given, dtype=object)).tolist()
    for value in values:
        # A variance needs two cases.
        if not is_whole(value, 2):
            raise InputError(
                f"`{argument}` must be whole numbers >= 2; got {value!r}. Pass numbers of cases."
            )
    if not values:
        raise InputError(f"`{argument}` must be given; got {given!r}. Pass numbers of cases.")
    return [int(value) for value in values]


def read_numbers(n_pos: Any, n_neg: Any) -> list[tuple[int, int]]:
    """Return pairs of numbers of cases; a single number is repeated for each of the other class."""
    of_pos, of_neg = _whole("n_pos", n_pos), _whole("n_neg", n_neg)
    length = max(len(of_pos), len(of_neg))
    if {len(of_pos), len(of_neg)} - {1, length}:
        raise InputError(
            f"`n_pos` and `n_neg` must have one length, or be single; got {len(of_pos)} and"
            f" {len(of_neg)}. Pass a number for each row."
        )
    of_pos, of_neg = (n * (length // len(n)) for n in (of_pos, of_neg))
    return list(zip(of_pos, of_neg, strict=True))


def read_numbers_of_one(design: OneRate | PairedRates, n_pos: Any, n_neg: Any) -> list[int]:
    """Return the numbers of cases of the class of a rate."""
    mine, other = ("n_pos", "n_neg") if design.quantity == "tpr" else ("n_neg", "n_pos")
    given = {"n_pos": n_pos, "n_neg": n_neg}
    if given[other] is not None:
        raise InputError(
            f"`{other}` must stay out for the rate {design.quantity!r}, which rests on the other"
            f" class; got {given[other]!r}. Leave it out."
        )
    return _whole(mine, given[mine])
