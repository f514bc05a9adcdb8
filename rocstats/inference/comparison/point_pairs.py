"""The rows of each pair of classifiers, at thresholds or where one of the rates is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.inference.comparison.point_rows import PointChoice, compared
from rocstats.inference.estimates.hypotheses import hypothesis_columns
from rocstats.inference.estimates.pairs import Pair
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.calls import Calls
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.point_tests import PointComparison, undefined
from rocstats.stats.comparison.rates_at_fpr import RatesAtFpr, compare_rates, rates_at_fpr
from rocstats.stats.points.readings import Axis
from rocstats.stats.resampling.streams import ResamplePlan, redrawn_notes

_NUMBERS = ("estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value", "method")


def rows_at_thresholds(
    pairs: Sequence[Pair],
    thresholds: Mapping[str, float],
    wanted: Sequence[str],
    choice: PointChoice,
    tested: HypothesisPlan,
) -> list[dict[str, Any]]:
    """Return the rows of each pair at the thresholds of its predictors, one a wanted quantity."""
    # Calls are made once for each predictor of a group, however many pairs it is in.
    calls: dict[tuple[int, int], Calls] = {}
    rows = []
    for pair in pairs:
        at = [thresholds[pair.samples[0].predictors[k]] for k in pair.predictors]
        blank = _blank(pair, tested) | {"threshold": at[0], "reference_threshold": at[1]}
        if pair.lacks_class:
            results = dict.fromkeys(wanted, undefined("one-class"))
        else:
            both = pair.calls(at, calls)
            results = compared(*both, wanted, choice, tested, paired=pair.paired)
        rows += [_row(blank, quantity, one) for quantity, one in results.items()]
    return rows


def rows_at_rates(
    pairs: Sequence[Pair],
    axis: Axis,
    given: FloatArray,
    tested: HypothesisPlan,
    draws: ResamplePlan,
) -> list[dict[str, Any]]:
    """Return the rows of each pair at given rates of ``axis``: differences of the other rate."""
    # A specificity at a sensitivity is a sensitivity of the mirrored curve at an FPR.
    of_fpr = axis == "fpr"
    fpr, read = (given, "tpr") if of_fpr else (1 - given, "tnr")
    resampled: dict[int, RatesAtFpr] = {}
    rows = []
    for pair in pairs:
        blank = _blank(pair, tested)
        if pair.lacks_class:
            results = [undefined("one-class")] * len(given)
        else:
            both = _rates(pair, fpr, draws, resampled, mirrored=not of_fpr)
            results = compare_rates(*both, pair.predictors, tested, paired=pair.paired)
            # Each group once: a paired row has one set of resamples, an unpaired row two.
            redrawn = sum(resampled[g].n_redrawn for g in dict.fromkeys(pair.groups))
            blank["note"] += redrawn_notes(redrawn)
            blank["n_resamples"] = draws.n_resamples
        rows += [
            {**_row(blank, read, one), axis: rate}
            for rate, one in zip(given.tolist(), results, strict=True)
        ]
    return rows


def _rates(
    pair: Pair,
    fpr: FloatArray,
    draws: ResamplePlan,
    resampled: dict[int, RatesAtFpr],
    *,
    mirrored: bool,
) -> tuple[RatesAtFpr, RatesAtFpr]:
    """Return the rates of both; ``resampled`` caches those of each group."""
    # All predictors of a group share its resamples, from a stream keyed by the group: pairs keep
    # their correlation, and groups are independent.
    for g, part in zip(pair.groups, pair.samples, strict=True):
        if g not in resampled:
            cases = part.cases.exchanged() if mirrored else part.cases
            with enough_valid_resamples():
                resampled[g] = rates_at_fpr(cases, fpr, draws.at(g))
    first, second = pair.groups
    return resampled[first], resampled[second]


def _blank(pair: Pair, tested: HypothesisPlan) -> dict[str, Any]:
    """Return what all rows of a pair share."""
    return {
        **pair.columns(),
        **pair.directions(),
        **dict.fromkeys(("threshold", "reference_threshold", "fpr", "tpr"), np.nan),
        **hypothesis_columns(tested),
        "n_resamples": 0,
        # Alone of its kind: tables have exact and score methods, clusters rest on a normal limit.
        "note": pair.codes(of_size=["few-clusters"]),
    }


def _row(blank: Mapping[str, Any], quantity: str, result: PointComparison) -> dict[str, Any]:
    return {
        **blank,
        **{name: getattr(result, name) for name in _NUMBERS},
        **_limits_apart(result),
        "quantity": quantity,
        # Hypotheses are about differences; a ratio without a difference is 1.
        "null_value": 1.0 if quantity.endswith("_ratio") else blank["null_value"],
        "note": [*result.codes, *blank["note"]],
    }


def _limits_apart(result: PointComparison) -> dict[str, float]:
    """Return the limits; those that round to one number, at levels near 0, are neighbours of it."""
    low, high = result.ci_low, result.ci_high
    if low == high:
        # Towards the middle of the range, whose ends limits must not pass.
        low, high = (np.nextafter(low, 0), high) if low > 0 else (low, np.nextafter(high, 1))
    return {"ci_low": float(low), "ci_high": float(high)}
