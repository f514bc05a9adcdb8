"""Differences of averages over readers: between modalities, or from a machine; or of one reader.

Every difference has limits and test by ``estimate.readers``: of t from its variance, or, where that
is 0 or unknown, a combination of the limits of both sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.estimate.claim import Claim, HypothesisPlan, hypothesis_columns, index_pairs
from rocstats.estimate.compare import ComparedRow
from rocstats.estimate.estimate import undefined_result
from rocstats.estimate.intervals import Area
from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import ReaderEstimate, reader_difference_result
from rocstats.facts.tolerances import NO_CONTRAST_VARIANCE, SAME_TO_ROUNDING, clear_rounding
from rocstats.inference.readers.endpoints import Endpoint, notes_without_zero_variance
from rocstats.inference.readers.plan import By
from rocstats.study.cases import Reads
from rocstats.study.readers import ReaderSample


def modality_pairs(sample: ReaderSample, reference: str | None) -> list[tuple[int, int]]:
    """Return the pairs of modalities, each an earlier and a later, or all others with one."""
    if len(sample.modalities) < 2:
        raise InputError(
            f"`modality` must have two or more values to be compared; got"
            f" {list(sample.modalities)}. Pass modality= to the study, or compare its readers with"
            " a machine: compare_with()."
        )
    return index_pairs(sample.modalities, reference)


def modality_differences(endpoint: Endpoint, claim: Claim, by: By | None) -> list[ComparedRow]:
    """Return the differences of all pairs of modalities: of averages, or of each reader of both."""
    found = []
    for i, k in claim.pairs:
        both = [j for j in endpoint.active(i) if j in endpoint.active(k)]
        for j in both if by == "reader" else [None]:
            found.append(_minus_modality(endpoint, i, k, claim.tested, j))
    if not found:
        raise InputError(
            "`by` must be None unless a reader read two modalities; got 'reader'. Leave `by` out:"
            " averages over readers are then compared."
        )
    return found


def _minus_modality(
    endpoint: Endpoint, i: int, k: int, plan: HypothesisPlan, j: int | None
) -> ComparedRow:
    """Return modality ``i`` minus ``k``: averages over readers, or reader ``j`` alone."""
    engine = endpoint.engine
    known = {
        **endpoint.columns(i, k, j=j),
        "reference": endpoint.part.modalities[k],
        **{f"reference_{name}": value for name, value in endpoint.at[k].items()},
    }
    return _infer_difference(
        endpoint,
        known,
        engine.difference(i, k) if j is None else engine.reader_difference(i, k, j),
        (endpoint.side(i, j), endpoint.side(k, j)),
        plan,
        (i, k),
        by_reader=j is not None,
        alike=endpoint.ranks_alike(i, k, j),
    )


def minus_machine(
    endpoint: Endpoint,
    i: int,
    beside: Reads,
    columns: dict[str, Any],
    plan: HypothesisPlan,
    j: int | None,
) -> ComparedRow:
    """Return the readers of modality ``i``, or reader ``j``, minus a machine with its columns.

    ``beside`` are the active readers of the modality, and the machine as the last reader.
    """
    place = None if j is None else endpoint.active(i).index(j)
    alone = beside._replace(pos=beside.pos[:, -1:], neg=beside.neg[:, -1:])
    table = reader_table(alone, "delong", endpoint.plan.over)
    machine = ReaderEstimate(float(table.theta[0, 0]), float(table.sigma[0, 0]), np.inf)
    return _infer_difference(
        endpoint,
        {**columns, **endpoint.columns(i, j=j)},
        endpoint.engine.minus_machine(beside, place),
        (endpoint.side(i, j), endpoint.area(machine, i)),
        plan,
        (i,),
        by_reader=j is not None,
    )


def _infer_difference(
    endpoint: Endpoint,
    known: dict[str, Any],
    estimate: ReaderEstimate,
    sides: tuple[Area, Area],
    plan: HypothesisPlan,
    modalities: tuple[int, ...],
    *,
    by_reader: bool,
    alike: bool = False,
) -> ComparedRow:
    """Return limits and test of a difference of two sides, averages or areas of one reader.

    ``modalities`` are those whose readers must be several; ``alike`` says that both sides rank all
    cases alike for every reader.
    """
    # Without rounding errors: a variance of 0 is no small variance.
    total = sum(area.variance for area in sides if not np.isnan(area.variance))
    variance = clear_rounding(estimate.variance, total, NO_CONTRAST_VARIANCE)
    value = 0.0 if abs(estimate.value) < SAME_TO_ROUNDING else estimate.value
    estimate = estimate._replace(value=value, variance=variance)
    known = {**known, **hypothesis_columns(plan)}
    notes = [*estimate.codes, *endpoint.variance_notes(), *endpoint.notes()]
    reason = endpoint.why_undefined(estimate, *modalities)
    if reason:
        return known, undefined_result(reason, endpoint.width * value), notes
    notes = notes_without_zero_variance(notes)
    if not alike and endpoint.is_certain(variance):
        return known, undefined_result("no-variance", endpoint.width * value), notes
    # One reader with equal placements on both sides, away from 0 and 1.
    inside = all(0 < area.value < 1 for area in sides)
    same_placements = by_reader and inside and variance == 0 and value == 0
    result = reader_difference_result(
        estimate,
        sides,
        endpoint.boundary,
        plan.over(endpoint.width),
        endpoint.engine.word,
        alike=alike or same_placements,
        random_readers=endpoint.plan.readers == "random",
        random_cases=endpoint.plan.cases == "random",
    )
    return known, result.times(endpoint.width), notes
