"""Predictors whose scores go the other way: what every row about them should say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocstats.curves.areas.whole import area
from rocstats.sample.base import BaseSample, once
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import estimate_area, infer

BELOW_CHANCE = "below-chance"


def mark_below_chance(
    sample: BaseSample, rows: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """Return rows, those of predictors whose whole AUC interval lies below .5 with a note."""
    if not isinstance(sample, Sample):
        return rows
    below = {name for k, name in enumerate(sample.predictors) if _is_below_chance(sample, k)}
    return [
        {**row, "note": [*row["note"], BELOW_CHANCE]} if row.get("predictor") in below else row
        for row in rows
    ]


def _is_below_chance(sample: Sample, k: int) -> bool:
    return once(sample, (BELOW_CHANCE, k), lambda: _has_limits_below_one_half(sample, k))


def _has_limits_below_one_half(sample: Sample, k: int) -> bool:
    """Return whether the upper .95 limit of the AUC is below .5."""
    cases = sample.cases.pooled()
    # Most areas are above .5 and need no limits: this is asked once a study by every question.
    if not area(cases.counts(k)) < 0.5 or cases.sample_weight is not None:
        return False
    found = infer(
        estimate_area(cases, k, "delong", spread=False),
        "logit-t",
        confidence_level=0.95,
        alternative="two-sided",
        null_value=float("nan"),
    )
    return found.ci_high < 0.5
