"""Words for what frames carry as codes: methods as sentences, references, notes, quantities.

Every sentence is assembled from the rows, so that it stays true whatever was asked. The phrase of
each method is in its record: tables, reports and figures read methods here and nowhere else. No
plotting and no models are loaded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from rocstats.estimate import (
    benefit,
    claim,
    classes,
    labels,
    precision,
    proportions,
)
from rocstats.estimate import (
    reader_covariance as readers,
)
from rocstats.estimate.areas import AREA_VARIANCES
from rocstats.estimate.bands import BANDS
from rocstats.estimate.claim import P_ADJUSTMENTS, SINGLE_STEP
from rocstats.estimate.intervals import AREA_INTERVALS
from rocstats.facts import methods
from rocstats.facts.measures import uncapital
from rocstats.facts.methods import Word
from rocstats.facts.notes import note_in_print
from rocstats.facts.words import (
    RowLike,
    capital,
    is_difference,
    quantity_text,
    row_dicts,
)
from rocstats.frame.make import about_of
from rocstats.frame.screen import is_adjusted
from rocstats.inference.auc import published, strata
from rocstats.inference.bands.average_limits import AVERAGE_BARS, PRINTED_LIMITS
from rocstats.inference.imputation import POOLED_BY
from rocstats.inference.verification import areas as verified_areas
from rocstats.inference.verification import rates as verified_rates
from rocstats.tables.reader_frames import EVERY, is_of_readers, reader_text
from rocstats.tables.text import format_level, format_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# --- Records of methods ---------------------------------------------------------------------------

Words = Mapping[str, Word]
_UNPUBLISHED = " (of rocstats, not peer-reviewed)"


def _method_records_by_word(*families: Iterable[Word]) -> Words:
    """Return records of methods by word, with our own methods marked as such in print."""
    # The mark is added here, once: no phrase of a method that is not published can lack it.
    return {
        word.word: word if word.published else word._replace(phrase=word.phrase + _UNPUBLISHED)
        for word in chain.from_iterable(families)
    }


STANDARD_ERRORS: Words = _method_records_by_word(
    *(variance.printed for variance in AREA_VARIANCES),
    strata.PRINTED,
    published.PRINTED,
    precision.PRINTED,
    *(bars.printed for bars in AVERAGE_BARS),
    *(test.standard_errors for test in claim.DIFFERENCE_TESTS),
    claim.STANDARD_ERRORS,
    methods.BINORMAL_STANDARD_ERRORS,
    methods.CHANCE_STANDARD_ERRORS,
    methods.POINT_STANDARD_ERRORS,
    methods.CALIBRATION_STANDARD_ERRORS,
    methods.COVARIATE_STANDARD_ERRORS,
    classes.PRINTED,
    labels.PRINTED,
    verified_rates.PRINTED,
    verified_areas.PRINTED,
    readers.STANDARD_ERRORS,
    methods.SURVIVAL_STANDARD_ERRORS,
    methods.META_STANDARD_ERRORS,
)
"""Standard errors, by the first word of ``method``."""

LIMITS: Words = _method_records_by_word(
    (Word(m.word, m.phrase, m.references, m.published) for m in AREA_INTERVALS),
    proportions.PRINTED,
    PRINTED_LIMITS,
    claim.LIMITS,
    methods.CHANCE_LIMITS,
    methods.POINT_LIMITS,
    methods.MARK_LIMITS,
    precision.LIMITS,
    readers.LIMITS,
    methods.SURVIVAL_LIMITS,
    methods.META_LIMITS,
)
"""Limits, by the second word of ``method``."""

EXCHANGES: Words = _method_records_by_word(*(test.exchange for test in claim.DIFFERENCE_TESTS))
"""Tests beside an interval that is not theirs, by the third word of ``method``."""

TESTS: Words = _method_records_by_word(
    methods.CHANCE_TESTS,
    claim.TESTS,
    methods.POINT_TESTS,
    methods.CALIBRATION_TESTS,
    methods.META_TESTS,
)
"""Tests with a P value without a statistic, by the whole ``method``."""

BAND_WORDS: Words = _method_records_by_word(
    (Word(m.word, m.phrase, m.references, m.published) for m in BANDS),
    benefit.PRINTED,
    methods.CALIBRATION_BANDS,
)
"""Bands, by the first word of ``method``."""

ADJUSTMENTS = (SINGLE_STEP, *P_ADJUSTMENTS)
"""Adjustments of P values for the number of tests."""

POOLED: Words = _method_records_by_word(POOLED_BY)
"""How answers to imputed data sets are pooled, by the third word of ``method``."""


# --- Methods --------------------------------------------------------------------------------------


class Sentence(NamedTuple):
    """A sentence for print, and the keys of the bibliography it rests on."""

    text: str
    references: tuple[str, ...] = ()


def method_sentences(frame: pd.DataFrame, subject: str = "") -> list[Sentence]:
    """Return sentences on how the numbers of an estimate frame came about.

    Parameters
    ----------
    frame : pandas.DataFrame
        An estimate frame; the columns read are ``method``, ``confidence_level``, ``null_value``,
        ``hypothesis``, ``df``, ``p_value`` and ``p_adjusted``, as far as they are there.
    subject : str, default ""
        What the sentences are about where that is not plain, for instance "the differences".

    Returns
    -------
    list of Sentence
        Standard errors, intervals, imputations, tests and multiplicity, in that order.

    Examples
    --------
    >>> from rocstats.frame.make import estimate_frame
    >>> from rocstats.inference.auc.auc import AUC
    >>> from rocstats.tables.wording import method_sentences
    >>> row = dict(predictor="wfns", quantity="auc", range_axis="fpr", range_low=0, range_high=1,
    ...            estimate=0.82, se=0.04, ci_low=0.75, ci_high=0.9, confidence_level=0.95,
    ...            null_value=float("nan"), statistic=float("nan"), df=float("inf"),
    ...            p_value=float("nan"), hypothesis="two-sided", n_pos=41, n_neg=72, n_resamples=0,
    ...            method="delong/logit", note=[])
    >>> for sentence in method_sentences(estimate_frame(AUC, [row], grouped=False)):
    ...     print(sentence.text)
    Standard errors were estimated by the method of DeLong et al.
    Confidence intervals (95%) were computed on the logit scale.
    """
    of = f" of {subject}" if subject else ""
    sentences = []
    if "method" in frame and "se" in frame:
        estimates = frame[frame["se"].notna()]
        sentences += _sentence_on_word_of_method(
            estimates, 0, STANDARD_ERRORS, f"Standard errors{of} were estimated"
        )
    if "method" in frame and "ci_low" in frame:
        estimates = frame[frame["ci_low"].notna()]
        sentences += _sentence_on_word_of_method(
            estimates, 1, LIMITS, f"{_interval_methods_in_words(estimates, of)} were computed"
        )
    rest = [
        *_resample_sentences(frame),
        *_pooling_sentences(frame),
        *_test_sentences(frame, of),
        *_adjustment_sentences(frame),
    ]
    return [*sentences, *rest]


def _sentence_on_word_of_method(
    frame: pd.DataFrame, place: int, table: Words, beginning: str
) -> list[Sentence]:
    """Return one sentence on the words at a place of ``method``, rows named where they differ."""
    rows: dict[str, list[int]] = {}
    for i, method in enumerate(frame["method"].astype(str)):
        word = (*method.split("/"), "", "")[place]
        if word not in ("", "none") and not _is_variance_explained_by_interval(word, table):
            rows.setdefault(word, []).append(i)
    if not rows:
        return []
    # Several words may have one phrase, which is said once.
    phrases: dict[str, list[int]] = {}
    for word, at in rows.items():
        phrase = table[word].phrase if word in table else f"by the method {word!r}"
        phrases.setdefault(phrase, []).extend(at)
    parts = [f"{phrase}{_rows_in_words(frame, sorted(at))}" for phrase, at in phrases.items()]
    references = dict.fromkeys(
        key for word in rows if word in table for key in table[word].references
    )
    return [Sentence(f"{beginning} {list_words(parts)}.", tuple(references))]


def _is_variance_explained_by_interval(word: str, table: Words) -> bool:
    """Return whether a word in place of a variance says that the limits need none ("newcombe")."""
    return table is STANDARD_ERRORS and word in LIMITS


def _interval_methods_in_words(frame: pd.DataFrame, of: str) -> str:
    levels = frame["confidence_level"].dropna().unique()
    level = f" ({format_level(levels[0])})" if len(levels) == 1 else ""
    one_sided = "hypothesis" in frame and set(frame["hypothesis"]) <= {"greater", "less"}
    return f"{'One-sided c' if one_sided else 'C'}onfidence intervals{of}{level}"


def _resample_sentences(frame: pd.DataFrame) -> list[Sentence]:
    numbers = frame["n_resamples"].max() if "n_resamples" in frame and len(frame) else 0
    if not numbers > 0:
        return []
    seed = about_of(frame).get("seed")
    repeat = "" if seed is None else f" (seed {seed})"
    return [Sentence(f"There were {format_number(float(numbers), 0)} resamples{repeat}.")]


def _pooling_sentences(frame: pd.DataFrame) -> list[Sentence]:
    """Return how answers to imputed data sets were pooled."""
    if "n_imputations" not in frame or frame.empty:
        return []
    sets = format_number(float(frame["n_imputations"].max()), 0)
    words = dict.fromkeys(frame["method"].map(_third_word))
    return [
        Sentence(
            f"Estimates of {sets} imputed data sets were pooled {used.phrase}.", used.references
        )
        for used in (POOLED[word] for word in words if word in POOLED)
    ]


def _test_sentences(frame: pd.DataFrame, of: str) -> list[Sentence]:
    if "p_value" not in frame:
        return []
    tests = frame[frame["p_value"].notna()]
    at = [i for i, word in enumerate(tests["method"]) if word in TESTS]
    exact = dict.fromkeys(TESTS[tests["method"].iloc[i]].phrase for i in at)
    rows = _rows_in_words(tests, at)
    sentences = [Sentence(f"P values{of} are from {list_words(exact)}{rows}.")] if exact else []
    sentences += _permutation_sentences(tests, of)
    is_explained = tests["method"].map(_third_word).isin(EXCHANGES) | tests["method"].isin(
        list(TESTS)
    )
    tested = tests[tests["df"].notna() & ~is_explained]
    if tested.empty:
        return sentences
    hypotheses = dict.fromkeys(_null_hypothesis(row) for row in row_dicts(tested))
    keys = dict.fromkeys(key for sentence in hypotheses for key in sentence.references)
    text = list_words(sentence.text for sentence in hypotheses)
    return [*sentences, Sentence(f"P values{of} are for {text}.", tuple(keys))]


def _permutation_sentences(rows: pd.DataFrame, of: str) -> list[Sentence]:
    """Return what the permutation tests of differences are."""
    words = [word for word in dict.fromkeys(rows["method"].map(_third_word)) if word in EXCHANGES]
    return [
        Sentence(f"P values{of} are from {EXCHANGES[word].phrase}.", EXCHANGES[word].references)
        for word in words
    ]


def _third_word(method: str) -> str:
    """Return the third word of a method."""
    return (*str(method).split("/"), "", "")[2]


def _null_hypothesis(row: RowLike) -> Sentence:
    word, _, reference = str(row["method"]).partition("/")
    if "level" in row and reference == "chi2":
        return Sentence("chi-square tests of interaction (Cochran's Q)", ("cochran-1954",))
    if reference == "welch":
        kind = "of interaction" if "level" in row else "of equal areas in all groups"
        return Sentence(f"Welch's F tests {kind}", ("welch-1951",))
    if not math.isnan(row.get("df_numerator", math.nan)):
        return Sentence("F tests that all averages are equal")
    if math.isnan(row["estimate"]):
        used = STANDARD_ERRORS.get(word)
        covariance = "" if used is None else f", with covariances estimated {used.phrase}"
        keys = () if used is None else used.references
        if row["quantity"] == "both_rates":
            return Sentence(f"chi-square tests of equal rates of both classes{covariance}", keys)
        return Sentence(f"chi-square tests of equal areas{covariance}", keys)
    kind = "z" if math.isinf(row["df"]) else "t"
    # Its statistic is the normal quantile at which the limit reaches the null value: no z of a
    # difference over a standard error.
    if str(row["method"]).endswith("/logit-mover"):
        kind = "MOVER"
    # A question whose tests are all two-sided has no column of hypotheses.
    hypothesis = row.get("hypothesis", "two-sided")
    if hypothesis in ("superiority", "non-inferiority", "equivalence"):
        return Sentence(_margin_test_in_words(row, kind))
    side = "two-sided" if hypothesis == "two-sided" else f'one-sided ("{hypothesis}")'
    return Sentence(f"{side} {kind} tests of {_null_value_in_words(row)}")


def _margin_test_in_words(row: RowLike, kind: str) -> str:
    """Return a test against a margin in words."""
    sides = "two one-sided" if row["hypothesis"] == "equivalence" else "one-sided"
    margin = abs(row["null_value"])
    return f"{sides} {kind} tests of {row['hypothesis']}" + (
        f" with a margin of {margin:g}" if margin else ""
    )


def _null_value_in_words(row: RowLike) -> str:
    value = f"{row['null_value']:g}".replace("-", "−")
    if not is_difference(row):
        return f"{quantity_text(row)} = {value}"
    if str(row.get("quantity")).endswith("_ratio"):
        return f"a ratio of {value}"
    return "no difference" if row["null_value"] == 0 else f"a difference of {value}"


def _adjustment_sentences(frame: pd.DataFrame) -> list[Sentence]:
    if not is_adjusted(frame):
        return []
    # Of subgroups the family is that of the variables of a predictor.
    family = "predictor" if "level" in frame else "quantity"
    tested = frame[frame["p_adjusted"].notna()]
    if "reference" in tested and "level" not in tested:  # a test of all at once is no comparison
        tested = tested[tested["reference"] != ""]
    families = tested.groupby(family).size()
    of_each = f" of each {family}" if len(families) > 1 else ""
    beginning = f"Adjusted P values allow for the {families.max()} comparisons{of_each}"
    notes = "; ".join(frame["note"])
    for used in ADJUSTMENTS:
        code = "simultaneous-intervals" if used.simultaneous else f"adjusted={used.word}"
        if code in notes:
            intervals = "simultaneous" if used.simultaneous else "not adjusted"
            text = f"{beginning} {used.phrase}; intervals are {intervals}."
            return [Sentence(text, used.references)]
    return [Sentence(f"{beginning}.")]


# --- Notes, and the rows that carry them ----------------------------------------------------------


def note_sentences(frame: pd.DataFrame, *, without: Sequence[str] = ()) -> list[str]:
    """Return what the codes in the column ``note`` mean, and the rows they stand in.

    Parameters
    ----------
    frame : pandas.DataFrame
        An estimate frame.
    without : sequence of str, default empty
        Codes that are said elsewhere.

    Returns
    -------
    list of str
        One sentence a code, in order of appearance; rows are named unless all are meant.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.wording import note_sentences
    >>> note_sentences(pd.DataFrame({"predictor": ["wfns", "ndka"], "note": ["", "one-class"]}))
    ['The group lacks one class: measures that need both classes are not estimated (ndka).']
    """
    if "note" not in frame:
        return []
    rows: dict[str, list[int]] = {}
    for i, note in enumerate(frame["note"].fillna("").astype(str)):
        for code in note.split("; ") if note else ():
            rows.setdefault(code, []).append(i)
    return [
        capital(f"{_note_in_words(code)}{_rows_in_words(frame, at)}.")
        for code, at in rows.items()
        # What method_sentences says is left out.
        if code.partition("=")[0] not in (*without, "adjusted", "simultaneous-intervals")
    ]


def _note_in_words(code: str) -> str:
    key, _, count = code.partition("=")
    meaning = note_in_print(key)
    if count.isdigit():
        return f"{meaning}: {format_number(float(count), 0)}"
    return f"{meaning}: {count}" if count else meaning


def _rows_in_words(frame: pd.DataFrame, at: Sequence[int]) -> str:
    if len(at) == len(frame):
        return ""
    rows = frame.iloc[list(at)]
    if is_of_readers(frame):
        averaged = rows["reader"].eq(EVERY)
        if averaged.all() and frame["reader"].eq(EVERY).sum() == len(at):
            return " (averages)"
        if not averaged.any() and frame["reader"].ne(EVERY).sum() == len(at):
            return " (single readers)"
    if "quantity" in frame and frame["quantity"].isin(rows["quantity"]).sum() == len(at):
        # All rows of these quantities are meant: at which risk thresholds goes without saying.
        names = [uncapital(quantity_text(row, with_risk=False)) for row in row_dicts(rows)]
        return f" ({'; '.join(dict.fromkeys(names))})"
    several = "kind" in frame and frame["kind"].nunique() > 1
    names = [_row_in_words(row, with_kind=several) for row in row_dicts(rows)]
    return f" ({'; '.join(dict.fromkeys(names))})"


def _row_in_words(row: RowLike, *, with_kind: bool) -> str:
    name = str(row["predictor"] if "predictor" in row else row["modality"])
    if "reader" in row:
        name += f", {reader_text(str(row['reader']))}"
    if "class" in row:
        name += f", {row['class']}" + (f" versus {row['versus']}" if row.get("versus") else "")
    if with_kind:
        name += f", {row['kind']}"
    if is_difference(row) and row["reference"]:
        name += f" versus {row['reference']}"
    group = row.get("group", "")
    return f"{name}, {group}" if isinstance(group, str) and group else name


def list_words(words: Iterable[str]) -> str:
    """Return words as a list in a sentence: "wfns, s100b and ndka"."""
    *head, last = words
    return f"{', '.join(head)} and {last}" if head else last
