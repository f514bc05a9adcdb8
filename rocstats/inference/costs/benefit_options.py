"""What the questions of net benefit are asked: risks, their thresholds, the prevalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError, require_name, require_open_interval
from rocstats.inference.estimates.contrasts import index_pairs
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import row_codes
from rocstats.sample.inputs.points.risks import (
    TREAT_ALL,
    read_cuts,
    require_no_treat_all,
    require_risk,
)
from rocstats.sample.sample import Sample, require_same_cases
from rocstats.stats.areas.estimates import size_codes
from rocstats.stats.costs.net_benefit import Stakes


class RiskThresholds(NamedTuple):
    """Increasing risk thresholds, the thresholds of each predictor, and the prevalence.

    ``risks`` are the predictors whose scores are taken as risks.
    """

    at: FloatArray
    cuts: Mapping[str, FloatArray]
    risks: frozenset[str]
    prevalence: float | None

    def stakes(self) -> list[Stakes]:
        """Return the stakes at each risk threshold."""
        return [Stakes(risk, self.prevalence) for risk in self.at.tolist()]

    def codes(self, names: Sequence[str]) -> list[str]:
        """Return the note on scores that are taken as risks, if some of the names have them."""
        return ["scores-taken-as-risks"] if self.risks.intersection(names) else []


def read_risks(
    sample: Sample, at: FloatArray, prevalence: Any, threshold: Any = None
) -> RiskThresholds:
    """Return the thresholds of all predictors; raise InputError for scores that are no risks."""
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
        prevalence = float(prevalence)
    require_same_cases(sample)
    require_no_treat_all(sample.predictors)
    cuts = read_cuts(threshold, sample.predictors, sample.higher_is_positive, at)
    risks = frozenset(name for name in sample.predictors if name not in cuts)
    for k, name in enumerate(sample.predictors):
        if name in risks:
            higher = sample.higher_is_positive[k]
            require_risk(name, sample.scores[k], higher=higher, mapped=threshold is not None)
    return RiskThresholds(at, {**dict.fromkeys(risks, at), **cuts}, risks, prevalence)


def benefit_pairs(sample: Sample, reference: Any) -> list[tuple[int, int | None]]:
    """Return which predictors are compared with which others, None being treat-all."""
    if reference is not None:
        require_name("reference", reference, [*sample.predictors, TREAT_ALL])
    if reference == TREAT_ALL:
        return [(k, None) for k in range(len(sample.predictors))]
    if reference is None and len(sample.predictors) < 2:
        raise InputError(
            "`reference` must be 'treat-all' for a study of one predictor; got None."
            " Pass it, or the scores of another predictor too."
        )
    return list(index_pairs(sample.predictors, reference))


def benefit_codes(part: Sample, *, normal: bool) -> list[str]:
    """Return the notes on the cases; few cases matter to normal limits only."""
    wanted = ("few-clusters", "few-cases") if normal else ("few-clusters",)
    return [
        *(["pooled-folds"] if part.fold is not None else []),
        *(code for code in size_codes(part.cases) if code in wanted),
        *row_codes(part),
    ]


def share_of_positives(part: Sample, given: float | None) -> float:
    """Return the prevalence of a row: as given, or the share of positives in the cases."""
    if given is not None:
        return given
    cases = part.cases
    if cases.weight is None:
        return part.prevalence
    total = float(cases.weight.sum())
    return float(cases.weight[cases.is_positive].sum()) / total if total else np.nan
