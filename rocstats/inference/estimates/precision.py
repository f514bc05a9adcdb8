"""What the questions of average precision are asked, and the notes of their rows."""

from __future__ import annotations

from typing import Any

from rocstats.errors import require_choice, require_open_interval
from rocstats.sample.base import row_codes
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import size_codes
from rocstats.stats.influence.precision import Prevalence
from rocstats.tolerances import FEW_POSITIVES


def read_prevalence(prevalence: Any) -> Prevalence:
    """Return the prevalence at which precision is wanted; raise InputError for a wrong one."""
    if prevalence is None:
        return Prevalence()
    if isinstance(prevalence, str):
        word = require_choice("prevalence", prevalence, (None, "random"))
        return Prevalence(random=word == "random")
    require_open_interval("prevalence", prevalence, 0, 1)
    return Prevalence(float(prevalence))


def share_of_positives(sample: Sample, prevalence: Prevalence) -> float:
    """Return the prevalence of a row: as given, or the (weighted) share of positives."""
    if prevalence.given is not None:
        return prevalence.given
    weight = sample.cases.weight
    if weight is None or sample.sample_weight is None:
        return sample.prevalence
    total = float(weight.sum())
    return float(weight[sample.is_positive].sum()) / total if total else float("nan")


def precision_codes(sample: Sample) -> list[str]:
    """Return the notes on the cases of a row."""
    few = ["few-positives"] if sample.n_pos < FEW_POSITIVES else []
    return [*size_codes(sample.cases), *few, *row_codes(sample)]
