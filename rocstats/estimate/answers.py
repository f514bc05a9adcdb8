"""The frame of an answer: its rows by group and predictor, and the groups that can be compared.

``answer_rows`` and ``answer_columns`` make the frame, with the seed and the number of resamples
that repeat the answer, the words of the study in print and its numbers of clusters.
``predictor_rows`` returns rows for every predictor in every group. A row that cannot be estimated
is NaN; groups without both classes are left out and noted. Every row about a predictor whose scores
go the other way has a note (``mark_below_chance``). Answers that take single cases refuse numbers
of cases with which they would not end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.areas import area_of
from rocstats.errors import InputError
from rocstats.estimate.areas import AreaTest, estimate_areas, infer_areas
from rocstats.estimate.estimate import Result
from rocstats.estimate.intervals import Area
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import BoolArray
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import range_of
from rocstats.frame.make import Labels, make_frame, note_column, widened_columns
from rocstats.frame.question import BINNING_ERROR, Question
from rocstats.study.base import BaseSample, cached, print_attrs, question_for, warned_doubts
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_numbers
from rocstats.study.multiclass import MulticlassSample
from rocstats.study.sample import Sample, own_sample, require_fold_classes

# --- The frame ------------------------------------------------------------------------------------


def answer_rows(
    question: Question,
    sample: BaseSample,
    rows: Sequence[Mapping[str, Any]],
    draws: ResamplePlan | None = None,
) -> pd.DataFrame:
    """Return the frame of rows about a study; ``draws`` are None for a closed form."""
    names = question_for(question, sample).columns_of(grouped=sample.group is not None)
    # The direction is judged by pooled areas, which may lie elsewhere than adjusted ones.
    rows = rows if question.adjusts else mark_below_chance(sample, rows)
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in names}
    if BINNING_ERROR in columns:
        columns["ends"] = [row.get("ends") or range_of(row["quantity"]) for row in rows]
    columns["note"] = note_column(columns["note"], warned_doubts(sample), question.advice)
    return answer_columns(question, sample, columns, draws)


def answer_columns(
    question: Question,
    sample: BaseSample,
    columns: Mapping[str, Any],
    draws: ResamplePlan | None = None,
) -> pd.DataFrame:
    """Return the frame of columns about a study.

    Others than those of the frame are left out. ``ends`` are the least and the greatest value of
    each row (n x 2), if not those of its quantity.
    """
    grouped, question = sample.group is not None, question_for(question, sample)
    if BINNING_ERROR in question.columns:
        columns = widened_columns(columns)
    cells = {name: columns[name] for name in question.columns_of(grouped=grouped)}
    about = {
        "shown": _answer_attributes_of_study(sample),
        **_answer_attributes_of_resampling(draws),
    }
    return make_frame(question, cells, grouped=grouped, group=sample.group, **about)


CLUSTERS = "clusters"
"""What frames carry of clusters: for each group those with a positive, a negative, and all."""

# To count clusters takes time in the product of their number and that of groups.
_MOST_GROUPS = 100


def _answer_attributes_of_study(sample: BaseSample) -> Mapping[str, Any]:
    """Return what a frame carries of its study: words in print, and numbers of clusters."""
    if sample.cluster is None or not isinstance(sample, Sample):
        return print_attrs(sample)
    # No column has these numbers, which are degrees of freedom where answers are pooled.
    groups = sample.by_group()
    counted = groups if len(groups) <= _MOST_GROUPS else []
    numbers = {group: list(cluster_numbers(part.all_cases)) for group, part in counted}
    return {**print_attrs(sample), CLUSTERS: numbers}


def _answer_attributes_of_resampling(draws: ResamplePlan | None) -> dict[str, Any]:
    # A closed form has no plan, or one of no resamples.
    if draws is None or not draws.n_resamples:
        return {}
    return {"seed": draws.seed, "n_resamples": draws.n_resamples}


def stacked_curve_columns(
    question: Question, curves: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the columns of curves, one below the other.

    A curve maps each column of the question to its text, its number, or the numbers at its points.
    """
    sizes = [
        next(len(value) for value in curve.values() if isinstance(value, np.ndarray))
        for curve in curves
    ]
    codes = np.repeat(np.arange(len(curves)), sizes)
    columns: dict[str, Any] = {}
    for name in question.columns:
        values = [curve[name] for curve in curves]
        if GLOSSARY[name].kind == "text":
            # Labels by code: many points of many curves would make a string a row.
            alike = len(set(values)) == 1
            columns[name] = (
                Labels(values[:1], np.zeros_like(codes)) if alike else Labels(values, codes)
            )
        else:
            points = [np.broadcast_to(*each) for each in zip(values, sizes, strict=True)]
            # The empty array gives the column its type where there is no curve.
            columns[name] = np.concatenate([np.empty(0), *points])
    return columns


# --- Rows -----------------------------------------------------------------------------------------


def predictor_rows(
    sample: Sample, rows: Callable[[Sample, int, int], Iterable[Mapping[str, Any]]]
) -> list[dict[str, Any]]:
    """Return the rows of every predictor in every group; both are counted, as streams need."""
    return [
        {"predictor": name, "group": group, **row}
        for g, (group, part) in enumerate(sample.by_group())
        for k, name in enumerate(sample.predictors)
        for row in rows(own_sample(part, k), g, k)
    ]


def answer_row_of_result(
    question: Question, cells: Mapping[str, Any], result: Result, codes: Sequence[str]
) -> dict[str, Any]:
    """Return the row of a result with its notes and those of the cases."""
    return {
        **answer_row_without_result(question, cells, [*result.codes, *codes]),
        **result.columns(),
    }


def answer_row_without_result(
    question: Question, cells: Mapping[str, Any], codes: Sequence[str]
) -> dict[str, Any]:
    """Return a row without an answer: NaN in each number column that ``cells`` lacks."""
    # No text column is filled: one that the caller forgot is a mistake of ours, and a KeyError.
    numbers = {name: np.nan for name in question.columns if GLOSSARY[name].kind != "text"}
    if question.binned:
        numbers[BINNING_ERROR] = np.nan  # left out of the frame unless scores are binned
    return {**numbers, "method": "none/none", **cells, "note": list(codes)}


def class_size_columns(sample: Sample) -> dict[str, float]:
    """Return the columns of the numbers of positives and negatives."""
    return {"n_pos": sample.n_pos, "n_neg": sample.n_neg}


# --- Groups and predictors with an answer ---------------------------------------------------------


def lacks_class(sample: Sample | MulticlassSample) -> bool:
    """Return whether a sample has no case of a class (positives, negatives), or none of weight."""
    return sample.cases.lacks_class


def answerable_groups(sample: Sample, codes: list[str]) -> Iterator[tuple[int, str, Sample]]:
    """Yield number, name and sample of each group with both classes; note others in ``codes``."""
    # The number counts the groups left out too: it keys the stream of the draws of a group.
    for g, (group, part) in enumerate(sample.by_group()):
        if lacks_class(part):
            codes.append("one-class")
        else:
            yield g, group, part


def answerable_predictors(
    sample: Sample, codes: list[str]
) -> Iterator[tuple[int, str, int, str, Sample]]:
    """Yield each group, each predictor (number and name) and its cases there.

    Those without both classes are left out, and noted in ``codes``.
    """
    for g, (group, part) in enumerate(sample.by_group()):
        for k, name in enumerate(sample.predictors):
            scored = own_sample(part, k)
            if lacks_class(scored):
                codes.append("one-class")
            else:
                yield g, group, k, name, scored


def require_at_most_cases(n: float, most: int, what: str, instead: str) -> None:
    """Raise InputError if ``what`` would have to go through more than ``most`` cases."""
    if n > most:
        raise InputError(
            f"`y_true` must have at most {most:_} cases for {what}; got {n:.0f}. {instead}"
        )


# --- Groups that can be compared ------------------------------------------------------------------


def require_groups(sample: Sample, what: str, least: int = 1) -> list[tuple[str, Sample]]:
    """Return the groups of a sample; raise InputError unless there are ``least`` of them."""
    parts = sample.by_group() if sample.group is not None else []
    if len(parts) < least:
        raise InputError(
            f"`group` must name {what}; got {len(parts)}. Pass group= to the study, with"
            f" {'at least one label' if least == 1 else 'two or more labels'}."
        )
    return parts


def require_study_with_groups(sample: Sample) -> None:
    """Raise InputError for a comparison across groups of a study without any."""
    if sample.group is None:
        raise InputError(
            "`across` must be 'predictors' without groups; got 'groups'. Pass group= to the study."
        )


def require_comparable_groups(
    parts: Sequence[tuple[str, Sample]], *, clusters_may_span: bool = False
) -> None:
    """Raise InputError unless each group has both classes, in each fold, and its own clusters.

    ``clusters_may_span`` allows clusters with cases in several groups.
    """
    for label, part in parts:
        if lacks_class(part):
            raise InputError(
                f"`group` must have both classes in each compared group; got {part.n_pos:.0f}"
                f" positives and {part.n_neg:.0f} negatives in {label!r}. Merge this group with"
                " another, or leave it out."
            )
        require_fold_classes(part)
    if not clusters_may_span:
        require_separate_clusters(parts)


def require_separate_clusters(parts: Sequence[tuple[str, Sample]]) -> None:
    """Raise InputError if a cluster has cases in several groups."""
    # A cluster in two groups makes their areas covary, which sums of variances leave out.
    seen: dict[int, str] = {}
    for label, part in parts:
        if part.cluster is None:
            return
        for code in part.cluster.present:
            if int(code) in seen:
                raise InputError(
                    f"`cluster` must not span groups that are compared; got cluster"
                    f" {part.cluster.labels[code]!r} in {seen[int(code)]!r} and {label!r}."
                    " Compare predictors instead, or split such clusters."
                )
            seen[int(code)] = label


# --- Predictors whose scores go the other way -----------------------------------------------------

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
        # Not "" for none: a group may be named so.
        name: Any = row.get("predictor")
        other: Any = row.get("reference")
        sides = [(about, name)]
        # The other side is another predictor, or the same one in another group.
        if other in number:
            sides.append((about, other))
        elif other in parts:
            sides.append(([parts[other]], name))
        codes = [code for on, side in sides for code in below_chance_codes(on, number.get(side))]
        marked.append({**row, "note": [*row["note"], *codes]} if codes else row)
    return marked


def below_chance_codes(parts: Sequence[Sample], k: int | None) -> tuple[str, ...]:
    """Return the note on predictor ``k`` if it is below chance in all parts with both classes."""
    if k is None:
        return ()
    usable = [one for one in (own_sample(part, k) for part in parts) if one.n_pos and one.n_neg]
    if not usable or not all(_is_auc_below_chance(part, k) for part in usable):
        return ()
    return (BELOW_CHANCE,)


def _is_auc_below_chance(sample: Sample, k: int) -> bool:
    cases = sample.cases
    if not all(part.n_pos and part.n_neg for _, part in cases.by_fold()):
        # There is no mean of folds: questions that can be answered pool them.
        cases = cases.pooled()
    return cached(sample, (BELOW_CHANCE, k), lambda: bool(predictors_below_chance(cases, [k])[0]))


DIRECTION_TEST = AreaTest(0.95, "two-sided", float("nan"))


def predictors_below_chance(
    cases: ScoredCases, predictors: Sequence[int], areas: Area | None = None
) -> BoolArray:
    """Return which predictors have an upper .95 limit of the AUC (mean over folds) below .5.

    ``areas`` are theirs with DeLong's variance.
    """
    below = np.zeros(len(predictors), dtype=bool)
    if cases.sample_weight is not None:
        return below  # whose variance has no closed form
    # Most areas are above .5 and need no limits: this is asked once a study by every question.
    if areas is None:
        value = np.mean(
            [[area_of(part, k) for k in predictors] for _, part in cases.by_fold()], axis=0
        )
    else:
        value = areas.value
    rows = np.flatnonzero(value < 0.5)
    if len(rows):
        chosen = [predictors[row] for row in rows.tolist()]
        low = estimate_areas(cases, chosen) if areas is None else areas.take(rows)
        below[rows] = infer_areas(low, "logit-t", DIRECTION_TEST).ci_high < 0.5
    return below
