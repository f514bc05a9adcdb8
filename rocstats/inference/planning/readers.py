"""Rows of a plan of a reader study: power of numbers of readers and cases, and numbers of cases."""

from __future__ import annotations

from itertools import product
from math import ceil
from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.facts.tolerances import FEW_CASES
from rocstats.inference.planning.planned_tests import comparison_columns, distances_of, is_halved
from rocstats.inference.planning.reader_design import ReaderDesign, ReaderSizes, planned_reader_test
from rocstats.study.points import is_whole

# --- Options: numbers of readers and of groups ----------------------------------------------------


def read_readers(design: object, n_readers: Any, n_groups: Any) -> list[tuple[int, int]]:
    """Return numbers of readers with numbers of groups, each with each; none without readers."""
    if not isinstance(design, ReaderDesign):
        for name, given in (("n_readers", n_readers), ("n_groups", n_groups)):
            if given is not None:
                raise InputError(
                    f"`{name}` must stay out of a design without readers; got {given!r}. Describe"
                    " a reader study with ReaderDesign."
                )
        return []
    readers = _read_whole_numbers("n_readers", n_readers, "readers")
    groups = _read_whole_numbers(
        "n_groups", 1 if n_groups is None else n_groups, "groups of readers"
    )
    pairs = list(product(readers, groups))
    for r, g in pairs:
        least = _least_readers(design, g)
        if r < least:
            raise InputError(
                f"`n_readers` must be at least {least} with n_groups={g} and"
                f" {design.readers} readers; got {r}. Take more readers, or fewer groups."
            )
    return pairs


def _least_readers(design: ReaderDesign, n_groups: int) -> int:
    """Return the fewest readers, who need a variance between them unless they are fixed."""
    of_each = 2 if design.nested == "readers" else 1
    if design.readers == "fixed":
        return n_groups * of_each
    # The analysis of variance compares readers within groups, U-statistics all readers.
    return n_groups + 1 if design.components is not None else max(n_groups, 2) * of_each


def _read_whole_numbers(name: str, given: Any, what: str) -> list[int]:
    values = [] if given is None else np.atleast_1d(np.asarray(given, dtype=object)).tolist()
    if not values or not all(is_whole(value, 1) for value in values):
        raise InputError(
            f"`{name}` must be whole numbers >= 1; got {given!r}. Pass numbers of {what}."
        )
    return [int(value) for value in values]


# --- Rows -----------------------------------------------------------------------------------------


def reader_rows(
    design: ReaderDesign,
    readers: list[tuple[int, int]],
    cases: list[tuple[int, int]],
    alpha: float,
) -> list[dict[str, Any]]:
    """Return a row for each number of readers, of groups and of cases."""
    return [
        _reader_power_row(design, ReaderSizes(*both, *of_cases), alpha)
        for both, of_cases in product(readers, cases)
    ]


def _reader_power_row(design: ReaderDesign, sizes: ReaderSizes, alpha: float) -> dict[str, Any]:
    """Return the row of the power with numbers of readers and cases."""
    _require_all_groups(design, sizes)
    test = planned_reader_test(design, sizes)
    codes = ["few-planned-cases"] if min(sizes.n_pos, sizes.n_neg) < FEW_CASES else []
    return {
        **_reader_design_columns(design, sizes, alpha),
        "n_pos": sizes.n_pos,
        "n_neg": sizes.n_neg,
        "n_cases": sizes.n_pos + sizes.n_neg,
        "power": test.power(distances_of(design), _one_sided_level(design, alpha)),
        "half_width": test.half_width(alpha),
        "note": codes,
    }


def reader_size_row(
    design: ReaderDesign,
    goal: tuple[str, float],
    readers: tuple[int, int],
    ratio: float,
    alpha: float,
) -> dict[str, Any]:
    """Return the row of the fewest cases with a wanted power or half width; NaN if none have it."""
    sizes = _fewest(design, goal, readers, ratio, alpha)
    if sizes is None:
        row = {
            **_reader_design_columns(design, ReaderSizes(*readers, 2, 2), alpha),
            **dict.fromkeys(("n_pos", "n_neg", "n_cases", "power", "half_width"), np.nan),
            "note": ["more-readers-needed"],
        }
    else:
        row = _reader_power_row(design, sizes, alpha)
    return {
        **row,
        f"{goal[0]}_wanted": goal[1],
        "n_pos_unrounded": row["n_pos"],
        "n_neg_unrounded": row["n_neg"],
    }


# Cases of a class beyond which no study goes: if so many do not do, readers are too few.
_MOST_PLANNED = 10**7


def _fewest(
    design: ReaderDesign,
    goal: tuple[str, float],
    readers: tuple[int, int],
    ratio: float,
    alpha: float,
) -> ReaderSizes | None:
    """Return the least numbers of cases that reach a goal, a multiple of the parts of a study."""
    step = readers[1] * (2 if design.nested == "cases" else 1)

    def sizes(k: int) -> ReaderSizes:
        return ReaderSizes(*readers, step * k, step * max(ceil(ratio * k - 1e-9), 1))

    def reached(k: int) -> bool:
        test = planned_reader_test(design, sizes(k))
        if goal[0] == "half_width":
            return test.half_width(alpha) <= goal[1]
        return test.power(distances_of(design), _one_sided_level(design, alpha)) >= goal[1]

    # At least two cases of each class and part, as for every other plan.
    low, high = 1, 2
    while not reached(high):
        low, high = high, 2 * high
        if step * high * max(ratio, 1.0) > _MOST_PLANNED:
            return None
    if high == 2:
        return sizes(2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return sizes(high)


def _require_all_groups(design: ReaderDesign, sizes: ReaderSizes) -> None:
    least = sizes.n_groups * (2 if design.nested == "cases" else 1)
    for name in ("n_pos", "n_neg"):
        if getattr(sizes, name) < least:
            raise InputError(
                f"`{name}` must be at least {least}, one for each group"
                f"{' and modality' if design.nested == 'cases' else ''}; got"
                f" {getattr(sizes, name)}. Take more cases, or fewer groups."
            )


def _one_sided_level(design: ReaderDesign, alpha: float) -> float:
    """Return the level of each one-sided test."""
    return alpha / 2 if is_halved(design) else alpha


def _reader_design_columns(
    design: ReaderDesign, sizes: ReaderSizes, alpha: float
) -> dict[str, Any]:
    # The planned test, and where its variances come from.
    if design.components is not None:
        method = "obuchowski-rockette/pilot"
    else:
        crossed = sizes.n_groups == 1 and design.nested is None
        method = f"{'obuchowski-rockette' if crossed else 'u-statistic'}/roe-metz"
    return {
        "design": "readers",
        "quantity": "auc",
        "n_readers": sizes.n_readers,
        "n_groups": sizes.n_groups,
        **comparison_columns(design),
        "alpha": alpha,
        "method": method,
    }
