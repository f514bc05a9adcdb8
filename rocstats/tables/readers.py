"""The results of a reader study in sentences: what it found, and by which model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from rocstats.facts.measures import RATES, uncapital
from rocstats.facts.words import is_difference, quantity_text
from rocstats.frame.make import about_of
from rocstats.tables.cells import CellRules, estimate_text
from rocstats.tables.reader_frames import (
    EVERY,
    is_of_readers,
    rows_of_global_tests,
    rows_of_reader_averages,
    rows_without_global_tests,
)
from rocstats.tables.text import digits_of, format_count, format_number, p_statement
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# --- Results in sentences -------------------------------------------------------------------------

# Differences that a reader takes in from a sentence each: those of three modalities.
_MOST_PAIRS = 3


def reader_result_sentences(
    areas: pd.DataFrame, comparison: pd.DataFrame | None, style: str
) -> list[str]:
    """Return what a reader study found, in sentences for an abstract.

    Parameters
    ----------
    areas : pandas.DataFrame
        ``auc()`` of the study, labels in the place of names.
    comparison : pandas.DataFrame or None
        ``compare_auc()`` of it; None of one modality.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    """
    found = [*_average_sentences(_rows_that_sentences_tell(areas), style)]
    if comparison is not None:
        pairs = _rows_that_sentences_tell(comparison)
        many = len(pairs) > _MOST_PAIRS
        found += (
            [f"The {len(pairs)} differences are in the tables."]
            if many
            else [_difference_sentence(row, style) for _, row in pairs.iterrows()]
        )
        # Of two modalities the global test is that of their difference.
        found += sentences_on_global_tests(comparison, style) if len(pairs) > 1 else []
    return [*found, *sentences_on_reader_model(rows_of_reader_averages(areas))]


def _rows_that_sentences_tell(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows about averages; where there are none, those of the first reader."""
    averages = rows_of_reader_averages(frame)
    if len(averages) or frame.empty:
        return averages
    rows = rows_without_global_tests(frame)
    first: pd.DataFrame = rows[rows["reader"] == rows["reader"].iloc[0]]
    return first


def _average_sentences(rows: pd.DataFrame, style: str) -> Iterator[str]:
    """Yield the averages over readers of each quantity and group."""
    keys = [name for name in ("group", "quantity") if name in rows]
    for _, piece in rows.groupby(keys, sort=False):
        first = piece.iloc[0]
        number = first.get("n_readers", math.nan)
        readers = "the readers" if number != number else f"{format_count(number)} readers"
        listed = [
            f"{_estimate_with_limits(row, style)} with {row['modality']}"
            for _, row in piece.iterrows()
        ]
        quantity = uncapital(quantity_text(first))
        subject = f"average {quantity} of {readers}" if number != 1 else f"{quantity} of the reader"
        what = f"The {subject}{_in_group_of_readers(first)}"
        yield f"{what} was {list_words(listed)}."


def _difference_sentence(row: pd.Series, style: str) -> str:
    pair = f"{row['modality']} minus {row['reference']}"
    return f"The difference{_in_group_of_readers(row)}, {pair}, was {difference_text(row, style)}."


_MARGINS = ("superiority", "non-inferiority", "equivalence")


def difference_text(row: pd.Series, style: str, subject: str | None = None) -> str:
    """Return a difference with interval and P value: "0.08 (95% CI 0.04 to 0.12), P = 0.003".

    ``subject`` is what a margin is claimed of; by default the modality.
    """
    level = row["confidence_level"]
    alpha = 0.05 if math.isnan(level) else 1 - level
    allowed = row.get("p_adjusted", math.nan)
    adjusted = not math.isnan(allowed) and allowed != row["p_value"]
    p = p_statement(allowed if adjusted else row["p_value"], style=style, alpha=alpha)
    hypothesis = row["hypothesis"]
    tested = ""
    if hypothesis in _MARGINS:
        margin = abs(float(row["null_value"]))
        # "The readers' average minus the machine" tests a claim about the readers.
        of = "" if hypothesis == "equivalence" else f" of {subject or row['modality']}"
        tested = f" for {hypothesis}{of}" + (f" with a margin of {margin:g}" if margin else "")
    return f"{_estimate_with_limits(row, style)}, {p}{' (adjusted)' if adjusted else ''}{tested}"


def _estimate_with_limits(row: pd.Series, style: str) -> str:
    rules = CellRules(style, digits_of(style, None), signed=is_difference(row), adjusted=False)
    return estimate_text(row, rules, with_level=True)


def _in_group_of_readers(row: pd.Series) -> str:
    group = row.get("group", "")
    return f" in {group}" if isinstance(group, str) and group not in ("", "all") else ""


def machine_sentences(frame: pd.DataFrame, style: str) -> list[str]:
    """Return how readers compare with a machine, a sentence for each modality.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``compare_with()`` of a reader study, labels in the place of names.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    """
    rows = _rows_that_sentences_tell(frame)
    whose = "readers' average" if rows["reader"].eq(EVERY).all() else "reader"
    return [
        *(
            f"With {row['modality']}{_in_group_of_readers(row)}, the {whose} minus"
            f" {row['reference']}"
            f" was {difference_text(row, style, subject='the readers')}."
            for _, row in rows.iterrows()
        ),
        *sentences_on_reader_model(rows),
    ]


def case_sentence(frames: Sequence[pd.DataFrame]) -> list[str]:
    """Return the numbers of cases, if all rows have the same."""
    counted = [frame for frame in frames if {"n_pos", "n_neg"} <= set(frame)]
    pairs = {
        pair
        for frame in counted
        for pair in frame[["n_pos", "n_neg"]].itertuples(index=False, name=None)
    }
    if len(pairs) != 1:
        return []
    n_pos, n_neg = (format_count(count) for count in next(iter(pairs)))
    return [f"Cases: {n_pos} positive, {n_neg} negative."]


# Digits of an F statistic, and significant ones of components, which are near 0.
_F_DIGITS, _COMPONENT_DIGITS = 2, 3


def sentences_on_global_tests(frame: pd.DataFrame, style: str) -> list[str]:
    """Return the results of the global tests that all averages are equal: F(1, 15.3) = 4.52."""
    found = []
    for _, row in rows_of_global_tests(frame).iterrows() if is_of_readers(frame) else ():
        if math.isnan(row["statistic"]):
            found.append(f"The global test{_in_group_of_readers(row)} is not available.")
            continue
        p = p_statement(row["p_value"], style=style)
        found.append(
            f"Test that all averages are equal{_in_group_of_readers(row)}: {f_statistic(row)}, {p}."
        )
    return found


def f_statistic(row: pd.Series) -> str:
    """Return F with its degrees of freedom; one without a denominator is a chi-square over them."""
    value, first, second = (float(row[name]) for name in ("statistic", "df_numerator", "df"))
    degrees = [
        "\u221e" if math.isinf(df) else f"{df:.1f}".removesuffix(".0") for df in (first, second)
    ]
    return f"F({', '.join(degrees)}) = {format_number(value, _F_DIGITS)}"


# --- The model in sentences -----------------------------------------------------------------------

_MODELS = {
    ("random", "random"): "Readers and cases are both treated as random: results are meant for"
    " readers and cases like these.",
    ("fixed", "random"): "Cases are treated as random, readers as fixed: results are meant for"
    " these very readers, and for cases like these.",
    ("random", "fixed"): "Readers are treated as random, cases as fixed: results are meant for"
    " readers like these, and for these very cases.",
}

_ONE_READER = "Limits of a single reader allow for other cases, not for other readers."


def sentences_on_reader_model(frame: pd.DataFrame) -> list[str]:
    """Return for whom the results of a reader study are meant.

    Parameters
    ----------
    frame : pandas.DataFrame
        An answer of a reader study; the columns read are ``reader``, ``readers`` and ``cases``.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.readers import sentences_on_reader_model
    >>> row = {"modality": "CT", "reader": "all", "readers": "fixed", "cases": "random"}
    >>> sentences_on_reader_model(pd.DataFrame([row]))
    ['Cases are treated as random, readers as fixed: results are meant for these very readers, and
    for cases like these.']
    """
    if not is_of_readers(frame) or not {"readers", "cases"} <= set(frame):
        return []
    rows = rows_of_reader_averages(frame)
    used = rows[["readers", "cases"]].drop_duplicates().itertuples(index=False, name=None)
    sentences = [_MODELS[pair] for pair in used if pair in _MODELS]
    return [*sentences, _ONE_READER] if (frame["reader"] != EVERY).any() else sentences


def subject_of_methods_sentences(frame: pd.DataFrame) -> str:
    """Return what sentences on the methods of a frame are about."""
    if "reference" not in frame:
        return "the rates" if frame["quantity"].isin(RATES).all() else ""
    if str(about_of(frame).get("function")).endswith("compare_with"):
        return "the differences from the machine"
    averaged = frame["reader"].eq(EVERY)
    whose = " of averages" if averaged.all() else "" if averaged.any() else " of single readers"
    return f"the differences{whose}"


# --- Variance components --------------------------------------------------------------------------


def component_sentences(components: pd.DataFrame) -> list[str]:
    """Return the variance components of each model as a sentence.

    Parameters
    ----------
    components : pandas.DataFrame
        ``components()`` of a reader study.
    """
    keys = [name for name in ("group", "model") if name in components]
    found = []
    for names, piece in components.groupby(keys, sort=False):
        *group, model = map(str, names)
        values = "; ".join(
            f"{component_text(str(row['component']))} {small_number_text(row['estimate'])}"
            for _, row in piece.iterrows()
        )
        place = "".join(f", {name}" for name in group if name)
        name = list_words([part.capitalize() for part in model.split("-")])
        found.append(f"Variance components ({name}{place}): {values}.")
    return found


# Covariances and correlations of the errors of two areas, and whose areas they are.
_ERROR_TERMS = {"cov": "covariance", "correlation": "correlation"}

_PAIRS = {
    "1": "one reader with two modalities",
    "2": "two readers with one modality",
    "3": "two readers with two modalities",
}


def component_text(name: str) -> str:
    """Return what a variance component is called in print.

    Examples
    --------
    >>> from rocstats.tables.readers import component_text
    >>> component_text("modality-x-reader"), component_text("cov-2")
    ('modality × reader', 'covariance of two readers with one modality')
    """
    kind, _, number = name.partition("-")
    if kind in _ERROR_TERMS and number in _PAIRS:
        return f"{_ERROR_TERMS[kind]} of {_PAIRS[number]}"
    return name.replace("-x-", " × ").replace("-", " ")


def small_number_text(value: float) -> str:
    """Return a small number with three significant digits, never as a power of ten."""
    if value == 0 or not math.isfinite(value):
        return format_number(value, 0)
    digits = _COMPONENT_DIGITS - 1 - math.floor(math.log10(abs(value)))
    return format_number(value, max(digits, 0))
