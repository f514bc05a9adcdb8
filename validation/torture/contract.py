"""What must hold of every answer: the declared columns, their types, ranges and notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import rocstats as rs
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import difference_of, range_of
from rocstats.facts.notes import NOTES
from rocstats.frame.cutoffs import NEXT_SCORES, cutoff_text
from rocstats.frame.groups import columns_of_groups
from rocstats.frame.question import Question
from rocstats.studies.catalogue import declared_questions

IN_UNIT = (
    "fpr", "tpr", "fpr_low", "fpr_high", "tpr_low", "tpr_high", "fpr_repaired", "tpr_repaired",
    "ppv", "fnr", "tnr", "npv", "accuracy", "f1", "positive_rate", "probability_cost",
    "normalized_cost", "cost_share_low", "cost_share_high", "prevalence", "confidence_level",
    "p_value", "p_adjusted", "power", "power_simulated", "power_low", "power_high", "power_wanted",
    "range_low", "range_high", "alpha",
)  # fmt: skip
"""Columns of rates and probabilities."""

DATA = ("simulate_readers", "count_scores", "merge_counts")
"""Functions whose frame is data for a study, not an answer: its columns are no estimates."""

NOT_AROUND = ("percentile", "bca", "both-ends", "neighbours", "consistency")
"""Words of a method whose limits need not hold the estimate: order statistics of (re)draws."""

SLACK = 1e-12
"""Rounding of sums of up to 10^7 terms of order 1 (SAME of the package)."""

_MOST_CUTOFFS = 50  # of a long curve: each costs some microseconds

Columns = dict[str, npt.NDArray[Any]]


@cache
def declared() -> dict[str, Question]:
    """Return the declared questions by name."""
    return dict(declared_questions())


def frames_in(answer: Any) -> Iterator[pd.DataFrame]:
    """Yield the frames of an answer, which may be a rule that holds some."""
    if isinstance(answer, pd.DataFrame):
        yield answer
    elif isinstance(answer, tuple) and hasattr(answer, "_fields"):
        yield from (part for part in answer if isinstance(part, pd.DataFrame))


def faults_of(frame: pd.DataFrame, *, grouped: bool, warned: set[str]) -> Iterator[str]:
    """Yield what is wrong with a frame, in a few words each."""
    about = frame.attrs.get("rocstats", {})
    if about.get("function") in DATA:
        yield from _provenance(about)
        return
    question = declared().get(about.get("function", ""))
    if question is None:
        yield f"the frame is of no declared question: {about}"
        return
    # Where predictors keep their own cases some questions have more columns.
    schemas = [one.columns_of(grouped=grouped) for one in (question, question.of_own_cases())]
    # Groups of several columns have these columns behind the label that joins them.
    ours = [name for name in frame.columns if name not in columns_of_groups(frame)]
    if ours not in schemas:
        yield f"columns are {list(frame.columns)}"
    if not isinstance(frame.index, pd.RangeIndex):
        yield "the index is no RangeIndex"
    yield from _provenance(about)
    # Arrays: a column of a frame costs a copy of its attrs, and these checks are of all columns.
    columns = columns_of(frame)
    if "note" in columns:
        yield from _notes(columns, warned)
    yield from faults_of_columns(columns)


def faults_of_columns(columns: Columns) -> Iterator[str]:
    """Yield what is wrong with the types and the numbers of columns, in a few words each."""
    yield from _types(columns)
    yield from _ranges(columns)
    yield from _comparisons(columns)
    if {"ci_low", "ci_high"} <= set(columns):
        yield from _limits(columns)
    yield from _tests(columns)
    yield from _cutoffs(columns)


def _cutoffs(columns: Columns) -> Iterator[str]:
    """Yield the cutoffs whose print would call other scores than they do."""
    for name, beside in NEXT_SCORES.items():
        if name not in columns or beside not in columns:
            continue
        pairs = dict.fromkeys(zip(columns[name].tolist(), columns[beside].tolist(), strict=True))
        for cutoff, other in list(pairs)[:_MOST_CUTOFFS]:
            if not np.isfinite(cutoff):
                continue
            printed = float(cutoff_text(cutoff, other))
            sign = 1 if other < cutoff else -1
            alike = sign * other < sign * printed <= sign * cutoff
            if not (printed == cutoff if np.isnan(other) else alike):
                yield f"{name} {cutoff!r} beside {other!r} is printed as {printed!r}"


def faults_of_message(message: str) -> Iterator[str]:
    """Yield that a message has not the house's form: `argument` must ...; got .... What to do."""
    if not message.startswith("`") or "; got " not in message:
        yield f"a message in another form: {message[:100]}"


def _provenance(about: dict[str, Any]) -> Iterator[str]:
    if json.loads(json.dumps(about)) != about or not about["references"]:
        yield "the provenance is no JSON, or has no references"


def kind_of(name: str) -> str:
    """Return the kind of a column; columns of groups, named by the user, are text."""
    return GLOSSARY[name].kind if name in GLOSSARY else "text"


def columns_of(frame: pd.DataFrame) -> Columns:
    """Return the columns of a frame as arrays."""
    bare = frame.copy(deep=False)
    bare.attrs = {}
    return {str(name): bare[name].to_numpy() for name in bare.columns}


def _types(columns: Columns) -> Iterator[str]:
    for name, values in columns.items():
        if kind_of(name) != "text":
            counts = kind_of(name) == "count" and len(values) > 0
            # From 2^53 on, as sums of weights may be, floating point numbers are all whole.
            whole = counts and bool(((values % 1 == 0) & (np.abs(values) < 2**53)).all())
            if values.dtype != (np.int64 if whole else np.float64):
                yield f"{name} is {values.dtype}"
        elif not all(type(value) is str for value in values):
            yield f"{name} holds something that is no text"


def _ranges(columns: Columns) -> Iterator[str]:
    for name, values in columns.items():
        if name in IN_UNIT and ((values < 0) | (values > 1)).any():
            yield f"{name} leaves [0, 1]"
        if (kind_of(name) == "count" or name == "se") and (values < 0).any():
            yield f"{name} is negative"
    if "quantity" in columns:
        quantity = columns["quantity"].astype(str)
        low, high = np.array([range_of(word) for word in quantity]).reshape(-1, 2).T
        # Weights of a contrast may have any size: 2 A - 2 B has twice the range of a difference.
        if "reference" in columns:
            of_contrast = columns["reference"] == "contrast"
            low, high = (
                np.where(of_contrast, s * np.inf, end) for s, end in ((-1, low), (1, high))
            )
        for name in {"estimate", "ci_low", "ci_high"} & set(columns):
            # Resampled areas are sums of weights, divided.
            outside = (columns[name] < low - SLACK) | (columns[name] > high + SLACK)
            for word in dict.fromkeys(quantity[outside]):
                yield f"{name} of {word} leaves its range"


def _comparisons(columns: Columns) -> Iterator[str]:
    if not {"quantity", "reference"} <= set(columns):
        return
    pairs = zip(*(columns[name].astype(str) for name in ("quantity", "reference")), strict=True)
    for word, reference in dict.fromkeys(pairs):
        # Ratios, distances and tests compare by themselves, a global test without a reference.
        alone = word.endswith("_difference") and reference == ""
        if alone or (reference != "" and difference_of(word) != word):
            yield f"{word} does not say whether the row compares"


def _notes(columns: Columns, warned: set[str]) -> Iterator[str]:
    noted = set()
    for text in set(columns["note"]) - {""}:
        for part in text.split("; "):
            code, _, number = part.partition("=")
            noted.add(code)
            if code not in NOTES:
                yield f"the note {code!r} is not registered"
            elif number and not (number.isalpha() or _is_number(number)):
                yield f"the note {part!r} has no number"
    doubts = {code for code in noted if code in NOTES and NOTES[code].doubt}
    if doubts - warned:
        yield f"doubts without a warning: {sorted(doubts - warned)}"


def _is_number(text: str) -> bool:
    """Return whether a text is a finite number, or a count of a count: 3/20."""
    return all(np.isfinite(float(part)) for part in text.split("/"))


def _limits(columns: Columns) -> Iterator[str]:
    low, high = columns["ci_low"], columns["ci_high"]
    nothing = np.full(len(low), "")
    note, method = (columns.get(name, nothing).astype(str) for name in ("note", "method"))
    if (low > high).any():
        yield "ci_low > ci_high"
    # At the ends of a cost curve all costs are 0: a difference there is known.
    known = np.isin(columns.get("probability_cost", np.full(len(low), np.nan)), (0, 1))
    if ((low == high) & np.isfinite(low) & (note == "") & ~known).any():
        yield "an interval without width and without a note"
    if (np.isnan(low) != np.isnan(high)).any():
        yield "one limit is missing and the other is not"
    if "estimate" not in columns:
        return
    estimate = columns["estimate"]
    resampled = [any(word in text for word in NOT_AROUND) for text in method]
    slack = SLACK * (1 + np.abs(np.where(np.isfinite(estimate), estimate, 0)))
    outside = ((estimate < low - slack) | (estimate > high + slack)) & ~np.array(resampled, bool)
    if outside.any():
        yield f"the estimate is outside its interval ({method[outside][0]})"
    if (np.isnan(estimate) & ~np.isnan(low)).any():
        yield "limits without an estimate"


def _near_an_end(null: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return whether a score test of an area has a tiny standard error by its null value alone."""
    # It is at least sqrt(null (1 - null)/N), so that 1/1e8 takes a null value within 1e-16 of an
    # end. A difference of 0 is none: that is its usual null value.
    return np.asarray(((null > 0) & (null < 1e-16)) | ((null < 1) & (null > 1 - 1e-15)))


def _tests(columns: Columns) -> Iterator[str]:
    if "p_value" not in columns:
        return
    p, statistic = columns["p_value"], columns.get("statistic", np.empty(0))
    if len(statistic):
        noise = (columns.get("se", np.ones(len(p))) < 1e-12) & (np.abs(statistic) > 1e8)
        ends = _near_an_end(columns.get("null_value", np.full(len(p), np.nan)))
        # At a prevalence of 1e-9 ratios and precisions are as near to an end, and vary as little.
        share = columns.get("prevalence", np.full(len(p), 0.5))
        if (noise & ~ends & ~(np.minimum(share, 1 - share) < 1e-8)).any():
            yield "a statistic of rounding: se < 1e-12 and |statistic| > 1e8"
        # An exact p value may be too small for a float; a share of resamples may not be 0.
        drawn = columns.get("n_resamples", np.zeros(len(p))) > 0
        if (np.isnan(statistic) & (p == 0) & drawn).any():
            yield "a share of resamples is 0"
    if (columns.get("p_adjusted", p) < p - SLACK).any():
        yield "p_adjusted < p_value"


def codes_of(caught: list[Any]) -> set[str]:
    """Return the codes of doubt that were warned of."""
    texts = (str(w.message) for w in caught if issubclass(w.category, rs.StatisticalWarning))
    return {text.partition(":")[0] for text in texts}


def other_warnings(caught: list[Any]) -> Iterator[str]:
    """Yield the warnings that are not ours."""
    for w in caught:
        if not issubclass(w.category, rs.StatisticalWarning):
            place = w.filename.rpartition("site-packages/")[2].rpartition("rocstats/")[2]
            yield f"{w.category.__name__}: {w.message} ({place}:{w.lineno})"
