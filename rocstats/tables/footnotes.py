"""Footnotes of tables: sentences on methods, caveats and abbreviations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pandas as pd

from rocstats.facts.measures import QUANTITIES, uncapital
from rocstats.frame.make import about_of
from rocstats.frame.screen import is_adjusted
from rocstats.tables.cells import LABELS, added_columns, heading_of_identifying_column
from rocstats.tables.reader_frames import EVERY, is_of_readers
from rocstats.tables.readers import (
    case_sentence,
    component_sentences,
    sentences_on_global_tests,
    sentences_on_reader_model,
    subject_of_methods_sentences,
)
from rocstats.tables.sizes import footnotes_on_counted_units
from rocstats.tables.wording import list_words, method_sentences, note_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


ABBREVIATIONS = {
    "AUC": "area under the receiver operating characteristic curve",
    "ROC": "receiver operating characteristic",
    "CI": "confidence interval",
    "df": "degrees of freedom",
    "NA": "not available",
    **{one.short: uncapital(one.title) for one in QUANTITIES.values() if one.short},
    "TP": "true positives",
    "FP": "false positives",
    "FN": "false negatives",
    "TN": "true negatives",
    "n/N": "numerator and denominator of the rate",
}
"""Abbreviations that a table may print, in the order of their explanations."""

_UNADJUSTED = "P values of single readers are not adjusted for their number."
_APPARENT = "Apparent values are from the cases in which the threshold was chosen."


def footnotes(
    frame: pd.DataFrame,
    columns: Mapping[str, Sequence[str]],
    *,
    methods: bool = True,
    without: Sequence[str] = (),
) -> list[str]:
    """Return the footnotes of a table: methods, caveats, abbreviations.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame of estimates.
    columns : mapping of str to sequence of str
        Its headings and cells as text; abbreviations in them are explained.
    methods : bool, default True
        Whether sentences on the methods come first.
    without : sequence of str, default empty
        Codes of the column ``note`` to omit, because the page explains them elsewhere; "units"
        omits the numbers of patients and of their rows.

    Returns
    -------
    list of str
        Methods, caveats, counted units (if rows are not patients) and abbreviations, in that order.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.footnotes import footnotes
    >>> footnotes(pd.DataFrame(), {"AUC (95% CI)": ["0.82 (NA)"]})
    ['AUC, area under the receiver operating characteristic curve; CI, confidence interval;
    NA, not available.']
    """
    sentences = [sentence.text for sentence in method_sentences(frame)] if methods else []
    sentences += note_sentences(frame, without=without)
    sentences += footnotes_on_counted_units(frame, columns, without=without)
    if left_out := added_columns(frame).numbers:
        sentences.append(f"Columns of the frame that are not printed: {list_words(left_out)}.")
    return _with_abbreviations(sentences, frame, columns)


def reader_footnotes(
    frames: Sequence[pd.DataFrame],
    columns: Mapping[str, Sequence[str]],
    style: str,
    *,
    methods: bool = True,
    without: Sequence[str] = (),
) -> list[str]:
    """Return the footnotes of the table of a reader study.

    Parameters
    ----------
    frames : sequence of pandas.DataFrame
        Its answers, with or without ``components()``.
    columns : mapping of str to sequence of str
        Headings and cells of the table as text.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    methods : bool, default True
        Whether there are sentences on the methods.
    without : sequence of str, default empty
        Codes of the column ``note`` to leave out, because the page explains them elsewhere.

    Returns
    -------
    list of str
        Cases, global tests, for whom the results are meant, variance components, methods, caveats
        and abbreviations, in that order.
    """
    answers = [frame for frame in frames if is_of_readers(frame)]
    components = [frame for frame in frames if not is_of_readers(frame)]
    described = (
        [method_sentences(frame, subject_of_methods_sentences(frame)) for frame in answers]
        if methods
        else []
    )
    sentences = [
        *(case_sentence(answers) if "Positives" not in columns else ()),
        *footnotes_on_counted_units(answers[0], ["Positives"], without=without),
        *(text for frame in answers for text in sentences_on_global_tests(frame, style)),
        *(text for frame in answers for text in sentences_on_reader_model(frame)),
        *(_UNADJUSTED for frame in answers if _has_unadjusted_p_values_of_readers(frame)),
        *(text for frame in components for text in component_sentences(frame)),
        *(sentence.text for each in described for sentence in each),
        *(text for frame in frames for text in note_sentences(frame, without=without)),
    ]
    return _with_abbreviations(sentences, answers[0], columns)


def _has_unadjusted_p_values_of_readers(frame: pd.DataFrame) -> bool:
    """Return whether several readers have P values that do not allow for their number."""
    single = frame[frame["reader"] != EVERY]
    tested = "p_value" in frame and single["p_value"].notna().sum() > 1
    return bool(tested) and not is_adjusted(frame)


def _with_abbreviations(
    sentences: list[str], frame: pd.DataFrame, columns: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return sentences, each once, with the explanations of what the columns print."""
    outcome = about_of(frame).get("outcome")
    if outcome and not {"Positives", "TP"}.isdisjoint(columns):
        sentences.append(f"Positives: {outcome}.")
    if outcome and "Censored" in columns:
        sentences.append(f"Cases: {outcome} by the time.")
    if any("pparent" in head for head in columns) and "apparent" in frame:
        sentences.append(_APPARENT)
    # Labels are the user's own words: a predictor called "NA" is no abbreviation.
    label_heads = {heading_of_identifying_column(frame, name) for name in LABELS}
    numbers = {head: cells for head, cells in columns.items() if head not in label_heads}
    printed = " ".join([*numbers, *(cell for cells in numbers.values() for cell in cells)])
    sentences += filter(None, [abbreviation_sentence(printed)])
    # Two codes may mean the same in print.
    return list(dict.fromkeys(sentences))


def abbreviation_sentence(printed: str) -> str:
    """Return the explanation of the abbreviations in a text; "" without any."""
    used = [
        f"{word}, {text}"
        for word, text in ABBREVIATIONS.items()
        if re.search(rf"(?<![\w+]){re.escape(word)}(?!\w)", printed)
    ]
    return f"{'; '.join(used)}." if used else ""
