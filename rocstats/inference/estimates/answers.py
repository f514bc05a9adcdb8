"""The frame of an answer, with the draws that repeat it, and its rows for each predictor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from rocstats.frames.binned import widened_columns, widened_row
from rocstats.frames.making import estimate_frame, make_frame, warn_of
from rocstats.frames.questions import BINNING_ERROR, Question
from rocstats.inference.estimates.direction import mark_below_chance
from rocstats.sample.base import BaseSample, asked, said_of, shown_of
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.sample import Sample, own_sample
from rocstats.stats.resampling.streams import ResamplePlan

CLUSTERS = "clusters"
"""What frames carry of clusters: for each group those with a positive, a negative, and all."""

# To count clusters takes time in the product of their number and that of groups.
_MOST_GROUPS = 100


def rows_of(
    sample: Sample, rows: Callable[[Sample, int, int], Iterable[Mapping[str, Any]]]
) -> list[dict[str, Any]]:
    """Return the rows of every predictor in every group; both are counted, as streams need."""
    return [
        {"predictor": name, "group": group, **row}
        for g, (group, part) in enumerate(sample.by_group())
        for k, name in enumerate(sample.predictors)
        for row in rows(own_sample(part, k), g, k)
    ]


def class_sizes(sample: Sample) -> dict[str, float]:
    """Return the columns of the numbers of positives and negatives."""
    return {"n_pos": sample.n_pos, "n_neg": sample.n_neg}


def answer_rows(
    question: Question,
    sample: BaseSample,
    rows: Sequence[Mapping[str, Any]],
    draws: ResamplePlan | None = None,
) -> pd.DataFrame:
    """Return the frame of rows about a study; ``draws`` are None for a closed form."""
    grouped, question = sample.group is not None, asked(question, sample)
    # The direction is judged by pooled areas, which may lie elsewhere than adjusted ones.
    rows = rows if question.adjusts else mark_below_chance(sample, rows)
    if BINNING_ERROR in question.columns:
        rows = [widened_row(row) for row in rows]
    about = {"said": said_of(sample), "shown": _shown(sample), **_recorded(draws)}
    return estimate_frame(question, rows, grouped=grouped, **about)


def answer_columns(
    question: Question,
    sample: BaseSample,
    columns: Mapping[str, Any],
    draws: ResamplePlan | None = None,
) -> pd.DataFrame:
    """Return the frame of columns about a study; ``group`` is left out of one without groups."""
    grouped, question = sample.group is not None, asked(question, sample)
    given = {name: values for name, values in columns.items() if grouped or name != "group"}
    if BINNING_ERROR in question.columns:
        given = widened_columns(given)
    about = {"shown": _shown(sample), **_recorded(draws)}
    return make_frame(question, given, grouped=grouped, **about)


def answer_many(
    question: Question,
    sample: BaseSample,
    columns: Mapping[str, Any],
    notes: Sequence[tuple[str, ...]],
) -> pd.DataFrame:
    """Return the frame of columns of estimates by closed forms, with the codes of each row.

    It is that of ``answer_rows``, without a mapping for each of many rows.
    """
    distinct = dict.fromkeys(notes)
    warn_of([code for codes in distinct for code in codes], said_of(sample))
    texts = {codes: "; ".join(dict.fromkeys(codes)) for codes in distinct}
    noted = {**columns, "note": [texts[codes] for codes in notes]}
    return answer_columns(question, sample, noted)


def _shown(sample: BaseSample) -> Mapping[str, Any]:
    """Return what a frame carries of its study: words in print, and numbers of clusters."""
    if sample.cluster is None or not isinstance(sample, Sample):
        return shown_of(sample)
    # No column has these numbers, which are degrees of freedom where answers are pooled.
    groups = sample.by_group()
    counted = groups if len(groups) <= _MOST_GROUPS else []
    numbers = {group: list(cluster_numbers(part.all_cases)) for group, part in counted}
    return {**shown_of(sample), CLUSTERS: numbers}


def _recorded(draws: ResamplePlan | None) -> dict[str, Any]:
    # A closed form has no plan, or one of no resamples.
    if draws is None or not draws.n_resamples:
        return {}
    return {"seed": draws.seed, "n_resamples": draws.n_resamples}
