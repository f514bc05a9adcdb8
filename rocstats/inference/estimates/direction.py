"""Predictors whose scores go the other way: what every row about them should say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.curves.areas.ranks import area_of
from rocstats.sample.base import BaseSample, once
from rocstats.sample.sample import Sample, own_sample
from rocstats.stats.areas.estimates import estimate_area, infer

BELOW_CHANCE = "below-chance"


def mark_below_chance(
    sample: BaseSample, rows: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """Return rows, those of predictors whose whole AUC interval lies below .5 with a note.

    A row about one group goes by that group alone; a row about all groups by every group that has
    both classes, so that a shift of the scores of a group changes nothing. A comparison has the
    note if either side is below chance.
    """
    if not isinstance(sample, Sample):
        return rows
    number = {name: k for k, name in enumerate(sample.predictors)}
    parts = dict(sample.by_group())
    marked = []
    for row in rows:
        about = [parts[row["group"]]] if row.get("group") in parts else list(parts.values())
        name, other = row.get("predictor", ""), row.get("reference", "")
        sides = [(about, name)]
        # The other side is another predictor, or the same one in another group.
        if other in number:
            sides.append((about, other))
        elif other in parts:
            sides.append(([parts[other]], name))
        codes = [code for on, side in sides for code in direction_codes(on, number.get(side))]
        marked.append({**row, "note": [*row["note"], *codes]} if codes else row)
    return marked


def direction_codes(parts: Sequence[Sample], k: int | None) -> tuple[str, ...]:
    """Return the note on predictor ``k`` if it is below chance in all parts with both classes."""
    if k is None:
        return ()
    told = [own for own in (own_sample(part, k) for part in parts) if own.n_pos and own.n_neg]
    if not told or not all(_is_below_chance(part, k) for part in told):
        return ()
    return (BELOW_CHANCE,)


def _is_below_chance(sample: Sample, k: int) -> bool:
    return once(sample, (BELOW_CHANCE, k), lambda: _has_limits_below_one_half(sample, k))


def _has_limits_below_one_half(sample: Sample, k: int) -> bool:
    """Return whether the upper .95 limit of the AUC is below .5; of the mean AUC of folds."""
    cases = sample.cases
    if cases.sample_weight is not None:
        return False  # whose variance has no closed form
    folds = [part for _, part in cases.by_fold()]
    if not all(part.n_pos and part.n_neg for part in folds):
        # There is no mean of folds: questions that can be answered pool them.
        cases = cases.pooled()
        folds = [cases]
    # Most areas are above .5 and need no limits: this is asked once a study by every question.
    areas = [area_of(part, k) for part in folds]
    if not (areas[0] if len(areas) == 1 else np.mean(areas)) < 0.5:
        return False
    found = infer(
        estimate_area(cases, k, "delong", spread=False),
        "logit-t",
        confidence_level=0.95,
        alternative="two-sided",
        null_value=float("nan"),
    )
    return found.ci_high < 0.5
