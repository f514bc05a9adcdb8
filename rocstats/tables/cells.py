"""Headings and cells of a table of estimates.

A table has columns that say what a row is about (predictor, reference, group, threshold), then
estimates with their intervals, the counts behind rates as far as the frame holds them, P values,
and numbers of cases.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import (
    QUANTITIES,
    base_of,
    class_of,
    fraction_of,
    is_share_of_cases,
    range_of,
)
from rocstats.facts.tolerances import SAME
from rocstats.facts.words import RowLike, is_difference, quantity_text, risk_text, row_dicts
from rocstats.frame.checks import ANSWERS, require_frame
from rocstats.frame.cutoffs import MOST_DECIMALS, NEXT_SCORES, cutoff_text, shortest_decimals
from rocstats.frame.groups import columns_of_groups
from rocstats.frame.make import CLASS_HEADING, SUBJECT, about_of
from rocstats.frame.screen import P_VALUES, ROC_AXES, given_rates, is_adjusted
from rocstats.tables.reader_frames import reader_text
from rocstats.tables.text import (
    MINUS,
    MISSING,
    MOST_DIGITS,
    as_percentage,
    digits_of,
    format_count,
    format_estimate,
    format_interval,
    format_level,
    format_number,
    format_p,
    round_half_up,
    sign_of_limits,
    style_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# --- Columns, and the rules of all cells ----------------------------------------------------------

_INTERVAL_COLUMNS = ("quantity", "estimate", "ci_low", "ci_high", "confidence_level")

# Rows are about one of these: reader studies have modalities.
_SUBJECTS = ("predictor", "modality")

Row = RowLike | None
"""A row of a frame; None for a cell that the frame says nothing about."""


class Number(NamedTuple):
    """A number, and how it is printed."""

    value: float
    text: str


class TableColumn(NamedTuple):
    """A column of a printed table, and the numbers in its cells."""

    head: str
    cells: list[str]
    numbers: Sequence[tuple[Number, ...]] = ()
    """One tuple a cell: an estimate and its limits, or a single number; () of an empty cell."""
    fractions: Sequence[str] = ()
    """The counts behind each rate if cells have them: a column of their own in a sheet."""


class CellRules(NamedTuple):
    """What all cells of a table have in common."""

    style: str
    digits: int
    signed: bool
    """Whether limits are joined as those of differences are: in one table by one separator."""
    adjusted: bool
    percent: bool = False
    """Whether shares of cases are percentages, with the counts behind them."""


def rules_of(
    frame: pd.DataFrame, style: str, digits: int | None, percent: bool | None = None
) -> CellRules:
    """Return the rules of print of a frame of estimates.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    digits : int, optional
        Decimals; by default the decimals of the style.
    percent : bool, optional
        Whether shares are printed as percentages; by default the style decides.

    Returns
    -------
    Rules
        The rules.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates, or ``style`` or ``digits`` is invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.cells import rules_of
    >>> frame = pd.DataFrame({"predictor": ["wfns"], "quantity": ["auc"], "estimate": [0.8231],
    ...                       "ci_low": [0.7489], "ci_high": [0.8957], "confidence_level": [0.95]})
    >>> rules_of(frame, "jama", None).signed
    False
    """
    _require_estimates(frame)
    decimals = digits_of(style, digits)
    signed = any(_is_printed_with_sign(row, decimals) for row in row_dicts(frame))
    return CellRules(style, decimals, signed, is_adjusted(frame), are_in_percent(style, percent))


def are_in_percent(style: str, percent: bool | None) -> bool:
    """Return whether shares are printed as percentages: as the caller wants, else the style."""
    return style_of(style).percent is not None if percent is None else percent


def _percent_sign(row: RowLike, rules: CellRules) -> str | None:
    """Return the sign behind a percentage, "" behind percentage points; None of other numbers."""
    quantity = str(row.get("quantity"))
    if not rules.percent or not is_share_of_cases(base_of(quantity)):
        return None
    return "" if is_difference(row) else "%"


def unit_text(row: RowLike, rules: CellRules) -> str:
    """Return ", percentage points" for a difference of percentages; "" for other rows."""
    return ", percentage points" if _percent_sign(row, rules) == "" else ""


def _is_printed_with_sign(row: RowLike, digits: int) -> bool:
    limits = [
        format_number(row[name], digits, guard=_values_printed_only_if_exact(row))
        for name in ("ci_low", "ci_high")
    ]
    return is_difference(row) or any(limit[0] in f"<>{MINUS}" for limit in limits)


def _require_estimates(frame: pd.DataFrame) -> None:
    require_frame(frame)
    missing = [name for name in _INTERVAL_COLUMNS if name not in frame]
    if not set(_SUBJECTS) & set(frame):
        missing.insert(0, _SUBJECTS[0])
    if missing:
        raise InputError(
            f"`frame` must hold estimates with intervals; got no columns {', '.join(missing)}."
            f" Pass {ANSWERS}."
        )
    if frame.empty:
        raise InputError(f"`frame` must have rows; got 0. Pass {ANSWERS}.")


def number_column(head: str, values: Iterable[float], texts: Iterable[str]) -> TableColumn:
    """Return a column of single numbers; NaN with the text "" is an empty cell."""
    cells = [Number(float(value), text) for value, text in zip(values, texts, strict=True)]
    numbers = [(cell,) if cell.text else () for cell in cells]
    return TableColumn(head, [cell.text for cell in cells], numbers)


# --- What a row is about --------------------------------------------------------------------------

_PLACES_IN_ORDER = (
    "predictor", "modality", "reference", "group", "variable", "level", "study", "zone", "band_low",
    "fold",
    "class", "versus", "kind", "reader", "criterion", "time", "controls", "risk", "risk_threshold",
    "probability_cost", "threshold", "reference_threshold", "fpr", "tpr",
)  # fmt: skip
LABELS = {name: GLOSSARY[name].heading for name in _PLACES_IN_ORDER}
"""Columns that identify a row, in the order of print, with their headings."""

_NOT_PRINTED = frozenset([
    "quantity", "covariates", "target", "provenance", "direction", "reference_direction", "reading",
    "hypothesis", "readers", "cases", "scope", "range_axis", "method", "note",
])  # fmt: skip
"""Columns of words in frames of estimates that no column of a table has as they are."""

COMPARISON = "Comparison"
"""Heading of what is compared where each side has a threshold."""

SIGNS = {">=": "≥ ", "<=": "≤ "}
"""Which side of a threshold is positive, in print."""

_DIRECTIONS = {"threshold": "direction", "reference_threshold": "reference_direction"}

# Places along a curve, which may be closer than an estimate is printed.
_PLACES = (*ROC_AXES, "risk", "probability_cost")

# A label only where a table holds two of them.
_LABELS_IF_SEVERAL = ("kind", "criterion", "controls")

_OUR_HEADS = {*LABELS.values(), COMPARISON, "Quantity", "Estimate", "Apparent", "n/N"} - {"Group"}
_OUR_HEADS |= {"P value", "Adjusted P value", "Statistic", "df", "Positives", "Negatives"}
_OUR_HEADS |= {"TP", "FN", "FP", "TN", "Prevalence", "Cases", "Censored", "System"}
_OUR_HEADS |= {"Better", "Worse", "Items", "Clusters", "Label", "Studies"}


def row_identifying_columns(frame: pd.DataFrame, digits: int) -> dict[str, list[str]]:
    """Return the columns that identify a row, without those that are empty or constant.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates.
    digits : int
        Decimals of estimates and of thresholds; a threshold has more if it would call other cases.

    Returns
    -------
    dict of str to list of str
        Cells by heading. Thresholds have the sign of their direction. Columns of words that a user
        added come first where they stand before the predictor, and last elsewhere. Groups of
        several columns have one each.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.cells import row_identifying_columns
    >>> frame = pd.DataFrame({"predictor": ["s100b"], "reference": ["wfns"], "direction": [">="],
    ...                       "reference_direction": ["<="], "threshold": [0.2],
    ...                       "reference_threshold": [4.0]})
    >>> row_identifying_columns(frame, 2)
    {'Comparison': ['s100b ≥ 0.20 vs wfns ≤ 4']}
    """
    columns: dict[str, list[str]] = {}
    of_groups = columns_of_groups(frame)
    words = [name for name in added_columns(frame).words if name not in of_groups]
    if of_groups and "reference" in frame and frame["reference"].isin(frame["group"]).any():
        of_groups = []  # across groups both sides have the joined label
    first = [name for name in words if name in _names_before_subject(frame)]
    columns |= {_heading_of_added_column(name): _cells_of_words(frame[name]) for name in first}
    for name in (name for name in LABELS if _is_row_identifying_column(frame, name)):
        if name == "group" and of_groups:
            heads = headings_of_groups(frame, of_groups)
            columns |= {head: _cells_of_words(frame[each]) for each, head in heads.items()}
            continue
        cells = _cells_of_identifying_column(frame, name, digits)
        if any(cells):
            columns[heading_of_identifying_column(frame, name)] = cells
    last = [name for name in words if name not in first]
    columns |= {_heading_of_added_column(name): _cells_of_words(frame[name]) for name in last}
    return _with_column_of_compared_thresholds(frame, columns)


def _cells_of_identifying_column(frame: pd.DataFrame, name: str, digits: int) -> list[str]:
    column = frame[name]
    if name in _DIRECTIONS:
        return _threshold_cells(frame, name, digits)
    if name == "band_low":
        return _score_range_cells(frame, digits)
    if name in _PLACES:
        return _cells_of_given_rates(column, digits)
    if name == "reader":
        return [reader_text(str(reader), alone=False) for reader in column]
    if name == "criterion":
        return [word.replace("-", " ") for word in column]
    if name in ("risk_threshold", "time"):
        in_words = risk_text if name == "risk_threshold" else "{:g}".format
        return ["" if value != value else in_words(value) for value in column]
    return _cells_of_words(column)


class AddedColumns(NamedTuple):
    """The columns that a user added to a frame: words tell rows apart, numbers are not printed.

    Whole numbers before the predictor, such as years, are words.
    """

    words: list[Any]
    numbers: list[Any]


def added_columns(frame: pd.DataFrame) -> AddedColumns:
    """Return the columns of a frame of estimates that no question has.

    A word of the glossary that no frame of estimates has, such as "model", may be a user's.
    """
    words, numbers = [], []
    first = _names_before_subject(frame)
    for name, column in frame.items():
        key = name not in GLOSSARY and name in first and not pd.api.types.is_float_dtype(column)
        if pd.api.types.is_numeric_dtype(column) and not key:
            numbers += [name] if name not in GLOSSARY else []
        elif name not in LABELS and name not in _NOT_PRINTED:
            words.append(name)
    return AddedColumns(words, numbers)


def _names_before_subject(frame: pd.DataFrame) -> list[Any]:
    subject = next((place for place, name in enumerate(frame) if name in _SUBJECTS), 0)
    return list(frame.columns[:subject])


def _heading_of_added_column(name: Any) -> str:
    """Return the heading of a user's column, which must not hide a column of ours."""
    return f"{name} (added)" if name in _OUR_HEADS | {"Group"} else str(name)


def _cells_of_words(column: pd.Series) -> list[str]:
    return ["" if pd.isna(value) else str(value) for value in column]


# Columns whose heading a study may name: systems on items, labels of cases.
_NAMED_BY_STUDY = {"predictor": SUBJECT, "class": CLASS_HEADING}


def heading_of_identifying_column(frame: pd.DataFrame, name: str) -> str:
    """Return the heading of a column that identifies a row; of groups, that of the study."""
    if name in _NAMED_BY_STUDY:
        return str(about_of(frame).get(_NAMED_BY_STUDY[name], LABELS[name]))
    if name != "group":
        return LABELS[name]
    # The name of a user's column, which must not hide a column of ours.
    group: str = about_of(frame).get("group_label", LABELS["group"])
    return f"{group} (group)" if group in _OUR_HEADS else group


def headings_of_groups(frame: pd.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """Return the heading of each of several columns of groups."""
    labels = about_of(frame).get("group_labels", {})
    return {name: _heading_of_added_column(labels.get(name, name)) for name in names}


def _is_row_identifying_column(frame: pd.DataFrame, name: str) -> bool:
    if name not in frame or (name in _LABELS_IF_SEVERAL and frame[name].nunique() < 2):
        return False
    if name in _DIRECTIONS:
        # The 1 that stands for the positive result of a yes/no test is no cutoff.
        is_yes_no = about_of(frame).get("yes_no", False) and (frame[name] == 1).all()
        return bool(frame[name].notna().any()) and not is_yes_no and not _is_risk(frame, name)
    if name not in ROC_AXES:
        return True
    # At a threshold a rate is an estimate with a row of its own, not the place of the row.
    placed = frame[name].notna()
    placed &= frame["threshold"].isna() if "threshold" in frame else True
    if not placed.any():
        return False
    # A point on the curve has both rates: its place is the one that was given.
    both = all(rate in frame and frame.loc[placed, rate].notna().all() for rate in ROC_AXES)
    return not both or name in given_rates(frame[placed])


def _is_risk(frame: pd.DataFrame, name: str) -> bool:
    """Return whether thresholds are the risk thresholds that a column says, or treat all."""
    if "risk_threshold" not in frame:
        return False
    # The lowest risk that equals a threshold within rounding stands in its place.
    same = np.isclose(frame[name], frame["risk_threshold"], rtol=1e-15, atol=0)
    return bool((same | np.isneginf(frame[name])).all())


# Whose threshold it is.
_OWNERS = ("predictor", "modality", "reference", "group", "reader", "class", "versus", "criterion")


def _threshold_cells(frame: pd.DataFrame, name: str, digits: int) -> list[str]:
    direction = _DIRECTIONS[name]
    signs = [SIGNS.get(str(word), "") for word in frame.get(direction, [""] * len(frame))]
    values = frame[name].tolist()
    beside = frame.get(NEXT_SCORES[name], pd.Series(math.nan, frame.index)).tolist()
    short = [threshold_text(*pair, digits) for pair in zip(values, beside, strict=True)]
    owners = [frame[key] for key in _OWNERS if key in frame]
    places = list(zip(*owners, short, strict=True))
    of_text: dict[Any, set[float]] = {}
    for place, value in zip(places, values, strict=True):
        of_text.setdefault(place, set()).add(value)
    # Of two thresholds that call the same cases each is printed in full.
    texts = [
        text if len(of_text[place]) == 1 else threshold_text(value, math.nan, digits)
        for place, text, value in zip(places, short, values, strict=True)
    ]
    # Minus infinity: a rule that treats all, whose name says so.
    return [
        "" if math.isnan(value) or value == -math.inf else f"{sign}{text}"
        for value, sign, text in zip(values, signs, texts, strict=True)
    ]


def threshold_text(value: float, next_score: float, digits: int) -> str:
    """Return a threshold as text: the shortest decimal that calls the same cases.

    Parameters
    ----------
    value : float
        The threshold.
    next_score : float
        The nearest score that it does not call positive; NaN if unknown, when all its digits are
        printed.
    digits : int
        Decimals to which a number that is not whole is filled with zeros.
    """
    if not math.isfinite(value):
        return format_number(value, 0)
    return cutoff_text(value, next_score, digits).replace("-", MINUS)


# Limits of a cutoff of four digits, a midpoint, have five.
_DIGITS_OF_LIMITS = 5


def limit_text(value: float, cutoff: str) -> str:
    """Return a limit of a cutoff as text: with its decimals, or five digits if that is more."""
    if not math.isfinite(value) or value == round(value):
        return format_number(value, 0)
    needed = _DIGITS_OF_LIMITS - 1 - math.floor(math.log10(abs(value)))
    decimals = max(needed, len(cutoff.partition(".")[2]), 0)
    text = format_number(value, min(decimals, MOST_DECIMALS))
    return text.rstrip("0").rstrip(".") if "." in text else text


def _cells_of_given_rates(values: pd.Series, digits: int) -> list[str]:
    """Return numbers in [0, 1] as text, with as many decimals as tell them apart."""
    different = values.dropna().unique()
    apart = (
        d
        for d in range(digits, MOST_DIGITS)
        if len({round_half_up(value, d) for value in different}) == len(different)
    )
    enough = next(apart, MOST_DIGITS)
    return ["" if value != value else format_number(value, enough) for value in values]


def _score_range_cells(frame: pd.DataFrame, digits: int) -> list[str]:
    """Return ranges of scores, which hold their lower end."""
    cells = []
    for low, high in zip(frame["band_low"], frame["band_high"], strict=True):
        start, end = (threshold_text(value, math.nan, digits) for value in (low, high))
        if math.isinf(low) or math.isinf(high):
            cells.append(f"≥ {start}" if math.isinf(high) else f"< {end}")
        else:
            cells.append(f"{start} to < {end}")
    return cells


def _with_column_of_compared_thresholds(
    frame: pd.DataFrame, columns: dict[str, list[str]]
) -> dict[str, list[str]]:
    """Return the columns with one for both sides of a comparison of thresholds."""
    sides = [LABELS[name] for name in ("predictor", "threshold", "reference")]
    sides.append(LABELS["reference_threshold"])
    # The reference of a row may be another group: its threshold is then of the same predictor.
    has_pairs = "reference_direction" in frame and "group" not in frame
    if not has_pairs or any(side not in columns for side in sides):
        return columns
    parts = zip(*(columns[side] for side in sides), strict=True)
    compared = [f"{first} {cut} vs {second} {its}".rstrip() for first, cut, second, its in parts]
    rest = {head: cells for head, cells in columns.items() if head not in sides}
    return {COMPARISON: compared, **rest}


# --- What is estimated ----------------------------------------------------------------------------

AVERAGE_OF_CLASSES = " average"
"""How the name of an average over classes ends."""


def averages_as_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame in which averages over classes are rows of what they average."""
    if "class" not in frame:
        return frame
    parts = frame["quantity"].str.extract(r"^(macro|weighted|micro)_(.+)$")
    average, measure = parts[0], parts[1]
    moved = average.notna() & (frame["class"] == "all")
    found = frame.assign(
        **{"class": (average + AVERAGE_OF_CLASSES).where(moved, frame["class"])},
        quantity=measure.where(moved, frame["quantity"]),
    )
    found.attrs = frame.attrs
    return found


_SAMPLE_MEASURES = frozenset(one.word for one in QUANTITIES.values() if one.family)
"""Quantities of the cases at hand unless a prevalence was given: their own share goes unsaid."""


def measure_text(row: RowLike, *, with_prevalence: bool = True) -> str:
    """Return the quantity in words; values are told apart by prevalence and by correction."""
    prevalence = row.get("prevalence", math.nan) if with_prevalence else math.nan
    if (
        prevalence > 0
        and base_of(str(row.get("quantity"))) in _SAMPLE_MEASURES
        and _is_sample_prevalence(row)
    ):
        prevalence = math.nan
    suffix = "" if math.isnan(prevalence) else f" at prevalence {prevalence_text(prevalence)}"
    corrected = not math.isnan(row.get("optimism", math.nan))
    # The risk threshold has a column of its own.
    words = quantity_text(row, with_risk=False)
    return f"{words}{suffix}{', corrected for optimism' if corrected else ''}"


def _is_sample_prevalence(row: RowLike) -> bool:
    """Return whether the prevalence of a row is that of its cases."""
    n_pos, n_neg = float(row.get("n_pos", math.nan)), float(row.get("n_neg", math.nan))
    n_all = n_pos + n_neg
    return n_all > 0 and math.isclose(float(row["prevalence"]), n_pos / n_all)


def prevalence_text(value: float) -> str:
    """Return a prevalence with three significant digits, of its complement where it is near 1."""
    if not 0.9995 <= value < 1:  # from here on three digits print "1"
        return f"{value:.3g}"
    return f"{value:.{2 - math.floor(math.log10(1 - value))}f}".rstrip("0")


# --- Estimates with their intervals ---------------------------------------------------------------


def measure_columns(head: str, rows: Sequence[Row], rules: CellRules) -> list[TableColumn]:
    """Return what is printed of rows of one measure: estimates, apparent values.

    Parameters
    ----------
    head : str
        Printed name of the measure.
    rows : sequence of pandas.Series, dict or None
        A row of the frame for each row of the table; an empty cell for None.
    rules : Rules
        The rules of print.

    Returns
    -------
    list of TableColumn
        The estimates with their intervals, or the statistics of global tests.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.cells import CellRules, measure_columns
    >>> row = pd.Series({"quantity": "auc", "estimate": 0.8231, "ci_low": 0.7489,
    ...                  "ci_high": 0.8957, "confidence_level": 0.95})
    >>> column, = measure_columns("AUC", [row, None], CellRules("jama", 2, False, False))
    >>> column.head, column.cells
    ('AUC (95% CI)', ['0.82 (0.75-0.90)', ''])
    """
    present = [row for row in rows if row is not None]
    # A global test has no estimate: its statistic and degrees of freedom take the place.
    if all(math.isnan(row["estimate"]) and "statistic" in row for row in present) and any(
        not math.isnan(row["p_value"]) for row in present
    ):
        return _test_statistic_columns(rows, rules)
    levels = {row["confidence_level"] for row in present if not math.isnan(row["confidence_level"])}
    numbers = [() if row is None else _numbers_of_cell(row, rules, len(levels)) for row in rows]
    fractions = ["" if row is None else fraction_beside_estimate(row, rules) for row in rows]
    if present and all(unit_text(row, rules) for row in present):
        head += unit_text(present[0], rules)
    cells = [
        "" if row is None else estimate_text(row, rules, with_level=len(levels) != 1)
        for row in rows
    ]
    # The punctuation of a style joins the level to limits; a heading has none.
    interval = style_of(rules.style).interval.strip(" ,:")
    level = f"{format_level(next(iter(levels)))} " if len(levels) == 1 else ""
    parts = [*(["n/N"] if any(fractions) else []), *([f"{level}{interval}"] if levels else [])]
    heading = f"{head} ({'; '.join(parts)})" if parts else head
    return [TableColumn(heading, cells, numbers, fractions if any(fractions) else ())]


def _test_statistic_columns(rows: Sequence[Row], rules: CellRules) -> list[TableColumn]:
    values, degrees = (
        [math.nan if row is None else float(row[name]) for row in rows]
        for name in ("statistic", "df")
    )
    columns = [
        number_column("Statistic", values, [format_number(v, rules.digits) for v in values]),
        number_column("df", degrees, map(format_count, degrees)),
    ]
    first = [math.nan if row is None else row.get("df_numerator", math.nan) for row in rows]
    if all(map(math.isnan, first)):
        return columns
    # Of an F statistic, the degrees of freedom of its two mean squares.
    return [columns[0], number_column("Numerator df", first, map(format_count, first)), columns[1]]


def _numbers_of_cell(row: RowLike, rules: CellRules, n_levels: int) -> tuple[Number, ...]:
    """Return the estimate, its limits if there are any, and its level where rows differ in it."""
    names = ("estimate", "ci_low", "ci_high") if n_levels else ("estimate",)
    values = [float(row[name]) for name in names]
    texts = [number_cell(row, value, rules) for value in (_estimate_of_row(row), *values[1:])]
    if _percent_sign(row, rules) == "":  # a sheet has no format for percentage points
        values = list(map(as_percentage, values))
    numbers = list(map(Number, values, texts))
    if n_levels > 1:
        level = float(row["confidence_level"])
        numbers.append(Number(level, MISSING if math.isnan(level) else f"{level:.6g}"))
    return tuple(numbers)


def estimate_text(row: RowLike, rules: CellRules, *, with_level: bool) -> str:
    """Return an estimate with its interval as text, and with the level of the interval."""
    estimate, guard, digits = (
        _estimate_of_row(row),
        _values_printed_only_if_exact(row),
        _decimals_of_row(row, rules),
    )
    level = float(row["confidence_level"])
    percent, fraction = _percent_sign(row, rules), fraction_beside_estimate(row, rules)
    if with_level or math.isnan(level):
        return format_estimate(
            estimate, row["ci_low"], row["ci_high"], style=rules.style, digits=digits,
            confidence_level=level, guard=guard, difference=rules.signed, percent=percent,
            fraction=fraction,
        )  # fmt: skip
    number = format_number(estimate, digits, guard=guard, percent=percent)
    interval = format_interval(
        row["ci_low"], row["ci_high"], style=rules.style, digits=digits, guard=guard,
        difference=rules.signed, percent=sign_of_limits(rules.style, percent),
    )  # fmt: skip
    # Both are "NA" where there is neither an estimate nor an interval.
    if number == interval:
        return number
    return f"{number} ({'; '.join(part for part in (fraction, interval) if part)})"


def fraction_beside_estimate(row: RowLike, rules: CellRules) -> str:
    """Return the counts that make the estimate of a row; "" unless it is a percentage.

    A corrected rate has none: its counts make the apparent rate.
    """
    if not _percent_sign(row, rules) or not math.isnan(row.get("apparent", math.nan)):
        return ""
    return fraction_text(row, rules.style)


def apparent_text(row: RowLike, value: float, rules: CellRules) -> str:
    """Return an apparent value as text, with the counts that make it if it is a percentage."""
    text = number_cell(row, value, rules)
    fraction = fraction_text(row, rules.style) if _percent_sign(row, rules) else ""
    return f"{text} ({fraction})" if fraction else text


def number_cell(row: RowLike, value: float, rules: CellRules) -> str:
    """Return a value of the quantity of a row as text."""
    return format_number(
        value,
        _decimals_of_row(row, rules),
        guard=_values_printed_only_if_exact(row),
        percent=_percent_sign(row, rules),
    )


def _decimals_of_row(row: RowLike, rules: CellRules) -> int:
    """Return the decimals of an estimate and its limits: of a threshold, those that decide."""
    if row.get("quantity") != "threshold":
        return rules.digits
    values = [_estimate_of_row(row), float(row["ci_low"]), float(row["ci_high"])]
    if all(value == round(value) for value in values if math.isfinite(value)):
        return 0
    _, needed = shortest_decimals(math.nan, values[0])
    return max(rules.digits, min(int(needed[0]), MOST_DECIMALS))


def _estimate_of_row(row: RowLike) -> float:
    """Return the estimate of a row; of a threshold, the shortest one that calls the same cases."""
    value = float(row["estimate"])
    if row.get("quantity") != "threshold":
        return value
    found, _ = shortest_decimals(row.get("next_score", math.nan), value)
    return float(found[0])


def _values_printed_only_if_exact(row: RowLike) -> tuple[int, ...]:
    """Return the values that the estimate and its limits may be printed as only if exact."""
    # A ratio of 1 and a difference of 0 mean equality: where the interval excludes it, a limit that
    # rounds to it must not be printed as if the interval reached it.
    if str(row.get("quantity")).endswith("_ratio"):
        return (0, 1) if row["ci_low"] > 1 or row["ci_high"] < 1 else (0,)
    if row.get("quantity") == "threshold":
        return ()
    if is_difference(row):
        return (0,) if row["ci_low"] > 0 or row["ci_high"] < 0 else ()
    return (0, 1) if 1 in range_of(str(row.get("quantity"))) else (0,)


# --- P values, and tests of interaction -----------------------------------------------------------

# Rows without an interval have no level of their own: P values are then read at the usual 0.05.
_USUAL_ALPHA = 0.05


def p_columns(rows: Sequence[Row], rules: CellRules, of: str = "") -> list[TableColumn]:
    """Return the adjusted P values of rows, and the others; nothing without a test."""
    if not any(row is not None and not math.isnan(row.get("p_value", math.nan)) for row in rows):
        return []
    heads = {"p_value": "P value", "p_adjusted": "Adjusted P value"}
    return [
        number_column(
            f"{heads[name]}{of}",
            [math.nan if row is None else row[name] for row in rows],
            ["" if row is None else _p_cell(row, name, rules) for row in rows],
        )
        for name in P_VALUES
        if name == "p_value" or rules.adjusted
    ]


def _p_cell(row: RowLike, name: str, rules: CellRules) -> str:
    level = row["confidence_level"]
    alpha = _USUAL_ALPHA if math.isnan(level) else 1 - level
    return format_p(row[name], style=rules.style, alpha=alpha)


def rows_without_interaction_tests(rows: Sequence[Row]) -> list[Row]:
    """Return rows with None in the place of tests of interaction, whose estimate is no cell."""
    tests = [row is not None and "variable" in row and is_interaction(row) for row in rows]
    # Alone, tests have a table of statistics.
    return [None if test and not all(tests) else row for row, test in zip(rows, tests, strict=True)]


def rows_of_interaction_tests(rows: Sequence[Row]) -> list[Row]:
    """Return rows with None in the place of subgroups, which are not tested one by one."""
    return [
        None if row is not None and "variable" in row and not is_interaction(row) else row
        for row in rows
    ]


def is_interaction(row: RowLike) -> bool:
    """Return whether a row is the test that the levels of a variable do not differ."""
    return bool(row["variable"] != "" and row["level"] == "all")


# --- Counts ---------------------------------------------------------------------------------------


_COUNTS = (
    "n_pos", "n_neg", "reference_n_pos", "reference_n_neg", "n_pos_shared", "n_neg_shared",
    "n_censored", "n_cases", "n_better", "n_worse", "n_items", "n_clusters",
    "n_studies",
)  # fmt: skip


def count_columns(frame: pd.DataFrame) -> list[TableColumn]:
    """Return the numbers of cases of each row."""
    # The others are there where predictors keep their own cases; a contrast has no reference.
    names = {name: GLOSSARY[name].heading for name in _COUNTS}
    if "n_censored" in frame:  # classes at a time
        names |= {"n_pos": "Cases", "n_neg": "Controls"}
    return [
        number_column(
            head,
            frame[name],
            ["" if pd.isna(count) else format_count(count) for count in frame[name]],
        )
        for name, head in names.items()
        # Areas may be published without the numbers of cases.
        if name in frame
        and not (frame[name].isna().all() and (name == "n_clusters" or len(frame) > 0))
    ]


def fraction_text(row: RowLike, style: str) -> str:
    """Return the fraction that a rate is, "26/41"; "" where the counts do not give the rate."""
    table, fraction = true_and_false_calls_of_row(row), fraction_of(str(row.get("quantity")))
    if table is None or fraction is None or _NOT_COUNTED in str(row.get("note", "")):
        return ""
    # With a correction, the fraction is that of the apparent value.
    apparent = row.get("apparent", math.nan)
    rate = row["estimate"] if math.isnan(apparent) else apparent
    part, whole = (sum(table[cell.upper()] for cell in cells) for cells in fraction)
    # A mean over folds, or a predictive value at another prevalence, is another number.
    if whole == 0 or not abs(part / whole - rate) < SAME:
        return ""
    return f"{format_count(part)}{style_of(style).fraction}{format_count(whole)}"


_COUNTS_OF_CALLS = ("tp", "fp", "n_pos", "n_neg")

# Sums of sampling weights may be whole, and are no numbers of cases.
_NOT_COUNTED = "weights-need-bootstrap"


def do_calls_make_rates(rows: Iterable[RowLike]) -> bool:
    """Return whether true and false calls give the rates of some rows, and no row another rate.

    Rates that are corrected for verification, weighted, or at another prevalence are not made of
    the calls.
    """
    rates = [row for row in rows if fraction_of(str(row.get("quantity"))) is not None]
    known = [row for row in rates if not math.isnan(row["estimate"])]
    made = [bool(fraction_text(row, "plain")) for row in known]
    of_one_class = [class_of(str(row["quantity"])) is not None for row in known]
    if not rates:  # measures such as likelihood ratios
        return True
    if not known:
        return True
    return any(made) and all(
        fits for fits, of_one in zip(made, of_one_class, strict=True) if of_one
    )


def true_and_false_calls_of_row(row: RowLike) -> dict[str, int] | None:
    """Return the true and false calls behind a row, None unless they are whole and known.

    Parameters
    ----------
    row : pandas.Series or dict
        Row of an estimate frame.

    Returns
    -------
    dict of str to int, or None
        "TP", "FN", "FP" and "TN".

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.cells import true_and_false_calls_of_row
    >>> true_and_false_calls_of_row(pd.Series({"tp": 14, "fp": 8, "n_pos": 20, "n_neg": 30}))
    {'TP': 14, 'FN': 6, 'FP': 8, 'TN': 22}
    """
    counts = [float(row.get(name, math.nan)) for name in _COUNTS_OF_CALLS]
    # Sums of weights, and points between two thresholds, are no numbers of cases.
    if not all(math.isfinite(count) and count == round(count) for count in counts):
        return None
    tp, fp, n_pos, n_neg = map(round, counts)
    return {"TP": tp, "FN": n_pos - tp, "FP": fp, "TN": n_neg - fp}
