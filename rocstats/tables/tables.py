"""Estimate frames as the tables of a paper, on the screen and in files.

A table has the rows of the frame one below the other ("long"), or measures side by side ("wide").
"""

from __future__ import annotations

import csv
import math
import re
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import (
    InputError,
    require_choice,
    require_flag,
    require_text,
    require_writable,
)
from rocstats.facts.measures import QUANTITIES, STARD, base_of, uncapital
from rocstats.facts.words import RowLike, row_dicts
from rocstats.frame.checks import require_frame
from rocstats.frame.make import (
    about_of,
    in_print,
    labelled,
    labels_in,
    read_print_labels,
    text_frame,
)
from rocstats.tables.cells import (
    AVERAGE_OF_CLASSES,
    LABELS,
    SIGNS,
    CellRules,
    Row,
    TableColumn,
    apparent_text,
    averages_as_rows,
    count_columns,
    do_calls_make_rates,
    fraction_text,
    heading_of_identifying_column,
    measure_columns,
    measure_text,
    number_column,
    p_columns,
    prevalence_text,
    row_identifying_columns,
    rows_of_interaction_tests,
    rows_without_interaction_tests,
    rules_of,
    true_and_false_calls_of_row,
    unit_text,
)
from rocstats.tables.excel import to_xlsx
from rocstats.tables.files import path_with_known_ending, write_files_all_or_none
from rocstats.tables.footnotes import footnotes, reader_footnotes
from rocstats.tables.latex import to_latex
from rocstats.tables.markup import printed_table, to_html_page, to_markdown
from rocstats.tables.reader_frames import is_of_readers, rows_without_global_tests
from rocstats.tables.reader_table import are_frames_of_readers, reader_columns
from rocstats.tables.sentences import format_sentences
from rocstats.tables.text import StyleName, style_of
from rocstats.tables.word import to_docx

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path


# --- Tables on the screen and in files ------------------------------------------------------------

Layout = Literal["long", "wide"]
_WRITERS = {".md": to_markdown, ".html": to_html_page, ".tex": to_latex}
ENDINGS = (".csv", *_WRITERS, ".docx", ".xlsx")


def format_table(
    frame: pd.DataFrame | Sequence[pd.DataFrame],
    style: StyleName = "plain",
    *,
    layout: Layout = "long",
    digits: int | None = None,
    percent: bool | None = None,
    labels: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Return a frame of estimates as a table of text for a paper.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame of estimates: ``study.auc()``, ``study.compare_auc()`` and so on. A list of
        several frames of a ``ReaderStudy`` makes one table: ``[readers.auc(),
        readers.compare_auc(by="reader"), readers.compare_auc(), readers.components()]``.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Journal style of numbers:

        - "plain": 0.823 (0.749-0.896); P values with three decimals. This is the style of rocstats.
        - "jama": 0.82 (0.75-0.90); rates are percentages, 85% (181/212; 80%-90%); P values without
          the leading zero.
        - "radiology": 0.82 (0.75, 0.90); rates are percentages, 85% (181 of 212; 80, 90); P values
          without the leading zero.
        - "nejm": 0.823 (0.749 to 0.896).
        - "bmj": 0.823 (0.749 to 0.896), headed "95% confidence interval".
    layout : {"long", "wide"}, default "long"
        Arrangement of the rows:

        - "long": a row for each row of the frame.
        - "wide": a row for each predictor (group, class, threshold), with columns for true and
          false calls and for each measure. Averages over classes are rows too. If there are more
          than eight quantities, only sensitivity, specificity, predictive values and likelihood
          ratios are printed. The table of a reader study has a row for each reader, and the average
          in the last row. It has a column for each modality and each difference. Several frames
          always make a "wide" table.
    digits : int, optional
        Decimals of estimates and limits; by default 2 in "jama" and "radiology", 3 elsewhere.
        Percentages have two decimals less.
    percent : bool, optional
        Whether shares of cases (sensitivity, specificity, predictive values, accuracy, prevalence)
        are percentages, with the counts behind them; by default in "jama" and "radiology". Their
        differences are then percentage points.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Frames lose
        these labels in files, and if pandas combines two frames. In these cases, pass
        ``study.labels``. Names absent from the frame are ignored, so that one dict can be used for
        all tables.

    Returns
    -------
    pandas.DataFrame
        Columns of text:

        - labels: Predictor, Reference, Group, Threshold, columns of words that you added to the
          frame, and Quantity if it varies.
        - the estimate with its interval, under a heading with quantity and level.
        - Apparent, beside estimates corrected for optimism.
        - n/N, beside rates; percentages have n/N in their cells.
        - Adjusted P value and P value, if any.
        - Positives and Negatives. If predictors have different cases, also the numbers for the
          reference and the numbers of shared cases.

        The first column of a comparison at thresholds has both thresholds, as in "s100b ≥ 0.20 vs
        wfns ≥ 4". Footnotes (methods, tests, caveats, abbreviations) are in
        ``attrs["rocstats"]["footnotes"]``.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates; if ``style`` or ``layout`` is unknown; if
        ``digits`` is not a whole number from 0 to 15; or if two rows of the frame would share a
        cell of a wide table.

    Notes
    -----
    Numbers are rounded half up on their decimal digits. An AUC between 0 and 1 is never printed as
    0.00 or 1.00, but as "<0.01" or ">0.99". A limit of a difference is not printed as zero if the
    interval excludes zero. The level of intervals is in the heading, and in the cells only if rows
    have different levels. All intervals of a table have the same form: with "to" if any limit has a
    minus sign. A P value has up to four decimals if rounding would move it across 1 minus the
    confidence level (0.05 without an interval). A threshold has the sign of its direction and the
    fewest decimals that call the same cases positive; a yes/no test (``from_confusion``) has no
    threshold. A fraction n/N is printed only if the counts of the frame give the rate exactly:
    corrected rates, weighted rates and predictive values at another prevalence have none, and true
    and false calls are not printed beside them alone.
    A criterion table (points at more than eight thresholds) names each predictor in its first row,
    and begins at the first score: the point beyond all scores is not printed if there are others.
    Missing numbers are "NA". A global test has no estimate: its statistic and degrees of freedom
    are printed instead. The global test of a reader study is a footnote.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapters 18 and 19 [ama-2020]
    - Instructions to authors of Radiology, NEJM and The BMJ

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> rs.format_table(study.auc(), "jama")
      Predictor      AUC (95% CI) Positives Negatives
    0     score  0.72 (0.57-0.83)        20        30
    >>> points = study.operating_points(threshold=1, quantities=["tpr", "tnr"])
    >>> rs.format_table(points, layout="wide").T  # printed on its side
                                          0
    Predictor                         score
    TP                                   14
    FN                                    6
    FP                                    8
    TN                                   22
    Sensitivity (95% CI)  0.700 (0.481-0.855)
    Specificity (95% CI)  0.733 (0.556-0.858)
    """
    columns, notes = _columns_and_footnotes(
        frame, style, layout, labels, digits, _read_percent(percent)
    )
    return text_frame(table_cells_by_heading(columns), footnotes=notes)


def save_table(
    frame: pd.DataFrame | Sequence[pd.DataFrame],
    path: str | PathLike[str],
    *,
    style: StyleName = "plain",
    layout: Layout = "long",
    percent: bool | None = None,
    caption: str | None = None,
    labels: Mapping[str, str] | None = None,
) -> Path:
    """Write a table to a file of Word, Excel, LaTeX, HTML, Markdown or CSV, and return its path.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates, or a table from ``format_table``, which is written unchanged. A list
        of several frames of a ``ReaderStudy`` makes one table, see ``format_table``.
    path : str or path-like
        The file; its extension determines the format. An existing file is replaced only after the
        new file is complete.

        - ``.docx``: a Word table for a manuscript, with its heading on every page; below it, the
          sentences of ``format_sentences``.
        - ``.xlsx``: a sheet of numbers with all digits, displayed as the style rounds them, with
          separate columns for limits. A table from ``format_table`` is text.
        - ``.tex``, ``.html``, ``.md``: the printed table.
        - ``.csv``: all columns and digits of a frame of estimates, for ``rocstats.read_csv``.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Journal style, see ``format_table``; a CSV file of estimates has unrounded numbers.
    layout : {"long", "wide"}, default "long"
        Arrangement of the rows, see ``format_table``; a CSV file of estimates has the rows of the
        frame.
    percent : bool, optional
        Whether shares of cases are percentages, see ``format_table``; not in a CSV file.
    caption : str, optional
        Line above the table; not written to CSV.
    labels : mapping of str to str, optional
        Printed names of predictors, see ``format_table``; a CSV file of estimates has the names of
        the frame.

    Returns
    -------
    pathlib.Path
        The path of the file.

    Raises
    ------
    InputError
        If the extension is not supported; if the directory does not exist; if ``style`` or
        ``layout`` is unknown; if ``frame`` is neither a frame of estimates nor a table of text; if
        several frames are passed for one CSV file; or if the library that writes the format is not
        installed (``pip install "rocstats[files]"``).

    Notes
    -----
    A CSV file of a frame of estimates has every digit: ``rocstats.read_csv`` returns the same
    frame. The other formats contain the table of ``format_table`` with its footnotes. Markup in
    names is escaped, and no cell of a sheet is a formula. A CSV file has unchanged names; a
    spreadsheet may interpret a name that begins with "=" as a formula. The same frame gives the
    same bytes.

    If a table is wider than a page, its headings are divided into lines. If the table is still too
    wide, its text becomes smaller. If that is not enough, the table is divided into panels, each
    with the label columns of its rows. The page is a letter page in Word and a line of 345 points
    in LaTeX (``article``). Long tables repeat their heading on each page. LaTeX needs the package
    booktabs, and longtable for tables longer than a page.

    References
    ----------
    - See ``format_table``

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rs.save_table(study.auc(), Path(folder) / "table.docx", style="jama").name
    'table.docx'
    """
    file = path_with_known_ending(path, ENDINGS)
    content = table_file(
        frame, file.suffix.lower(), style=style, layout=layout, percent=percent, caption=caption,
        labels=labels,
    )  # fmt: skip
    write_files_all_or_none({file: content})
    return file


def table_file(
    frame: pd.DataFrame | Sequence[pd.DataFrame],
    ending: str,
    *,
    style: StyleName = "plain",
    layout: Layout = "long",
    percent: bool | None = None,
    caption: str | None = None,
    labels: Mapping[str, str] | None = None,
) -> bytes:
    """Return the content of the file that ``save_table`` writes, by the ending of its name."""
    percent = _read_percent(percent)
    # A mistyped word, or label, is refused for CSV too, which does not use it.
    style_of(style)
    layout = require_choice("layout", layout, get_args(Layout))
    read_print_labels(labels)
    if caption is not None:
        require_text("caption", caption)
    if isinstance(frame, pd.DataFrame):  # a table may be the user's own
        for name, column in frame.select_dtypes(exclude="number").items():
            require_writable([name, *column], "`frame`")
    if ending == ".csv":
        frame = require_frame(frame)
        # Windows would write "\r\n": the same frame gives the same bytes everywhere.
        text = frame.to_csv(index=False, lineterminator="\n")
        if "\r" in text:  # in a name, where it would end the row unless the name is quoted
            text = frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        return text.encode()
    said: list[str] = []
    if isinstance(frame, pd.DataFrame) and _is_table_of_text(frame):
        columns = [
            TableColumn(str(name), frame[name].astype(str).tolist()) for name in frame.columns
        ]
        table = frame
        notes = about_of(table).get("footnotes", [])
    else:
        columns, notes = _columns_and_footnotes(frame, style, layout, labels, percent=percent)
        table = text_frame(table_cells_by_heading(columns), footnotes=notes)
        answers = [frame] if isinstance(frame, pd.DataFrame) else frame
        said = [
            text
            for answer in answers
            for text in format_sentences(answer, style, percent=percent, labels=labels)
        ]
    if ending == ".xlsx":
        return to_xlsx(columns, caption=caption, footnotes=notes)
    printed = printed_table(table, caption=caption, footnotes=notes, sentences=said)
    return to_docx(printed) if ending == ".docx" else _WRITERS[ending](printed).encode()


def _columns_and_footnotes(
    answers: pd.DataFrame | Sequence[pd.DataFrame],
    style: str,
    layout: str,
    labels: Mapping[str, str] | None,
    digits: int | None = None,
    percent: bool | None = None,
) -> tuple[list[TableColumn], list[str]]:
    """Return the columns of a table, with labels in the place of names, and its footnotes."""
    if not isinstance(answers, pd.DataFrame) and are_frames_of_readers(answers):
        names = labels_in(labels, *answers)
        frames = [labelled(frame, names) for frame in answers]
        columns = reader_columns(frames, style, digits, percent)
        return columns, reader_footnotes(frames, table_cells_by_heading(columns), style)
    frame = require_frame(answers)
    layout = require_choice("layout", layout, get_args(Layout))
    frame, _ = in_print(labels, frame)
    frame = _rows_that_table_prints(frame, layout)
    columns = table_columns(frame, style, digits=digits, layout=layout, percent=percent)
    columns = _named_once(columns, frame)
    if is_of_readers(frame):
        return columns, reader_footnotes([frame], table_cells_by_heading(columns), style)
    return columns, footnotes(frame, table_cells_by_heading(columns))


def _read_percent(percent: Any) -> bool | None:
    """Return the option ``percent``; raise InputError unless it is True, False or None."""
    if percent is not None:
        require_flag("percent", percent)
    return percent if percent is None else bool(percent)


def _is_table_of_text(frame: pd.DataFrame) -> bool:
    """Return whether a frame is a table of texts, as ``format_table`` makes them."""
    texts = (pd.api.types.is_string_dtype(column) for _, column in frame.items())
    return bool(len(frame.columns)) and frame.columns.is_unique and all(texts)


# --- Columns of a table ---------------------------------------------------------------------------


def table_columns(
    frame: pd.DataFrame,
    style: str,
    *,
    digits: int | None = None,
    layout: str = "long",
    percent: bool | None = None,
) -> list[TableColumn]:
    """Return the columns of an estimate frame in print.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    digits : int, optional
        Decimals; by default the decimals of the style.
    layout : {"long", "wide"}, default "long"
        A row for each row of the frame, or a column for each measure.
    percent : bool, optional
        Whether shares are printed as percentages; by default the style decides.

    Returns
    -------
    list of TableColumn
        Columns in order of print.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates, ``style``, ``digits`` or ``layout`` is not
        possible, or two rows would share a cell.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.tables.tables import table_columns
    >>> frame = pd.DataFrame({"predictor": ["wfns"], "quantity": ["auc"], "estimate": [0.8231],
    ...                       "ci_low": [0.7489], "ci_high": [0.8957], "confidence_level": [0.95]})
    >>> [column.head for column in table_columns(frame, "jama")]
    ['Predictor', 'AUC (95% CI)']
    """
    layout = require_choice("layout", layout, get_args(Layout))
    if is_of_readers(frame):
        if layout == "wide":
            return reader_columns([frame], style, digits, percent)
        # Footnotes have the global tests, which share no column with estimates.
        rows = rows_without_global_tests(frame)
        frame = rows if len(rows) else frame
    rules = rules_of(frame, style, digits, percent)
    return (_long_columns if layout == "long" else _wide_columns)(frame, rules)


def table_cells_by_heading(columns: Sequence[TableColumn]) -> dict[str, list[str]]:
    """Return the cells of columns by heading."""
    return {column.head: column.cells for column in columns}


# A page on its side holds some eight columns of intervals.
_MOST_MEASURES = 8


def _rows_that_table_prints(frame: pd.DataFrame, layout: str) -> pd.DataFrame:
    """Return the rows of a frame that its table prints.

    A criterion table begins at the first score. In "wide" it has eight measures at most.
    """
    frame = _without_thresholds_beyond_scores(frame)
    if layout == "long" or "quantity" not in frame:
        return frame
    frame = averages_as_rows(frame)
    if frame["quantity"].nunique() <= _MOST_MEASURES:
        return frame
    kept = frame[frame["quantity"].map(base_of).isin(STARD)]
    kept.attrs = frame.attrs
    return kept if len(kept) else frame


def _without_thresholds_beyond_scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Return points at thresholds without those beyond all scores, if there are others."""
    if about_of(frame).get("function") != "operating_points" or "threshold" not in frame:
        return frame
    beyond = np.isinf(frame["threshold"].to_numpy(dtype=np.float64))
    kept = frame[~beyond]
    kept.attrs = frame.attrs
    return kept if kept["threshold"].notna().any() else frame


# A table of more thresholds of a predictor names the predictor in its first row.
_MOST_NAMED = 8


def _named_once(columns: list[TableColumn], frame: pd.DataFrame) -> list[TableColumn]:
    """Return the columns of a criterion table with each test and group named once.

    Rows of one test stand together, as in the answer.
    """
    if "threshold" not in frame or frame["threshold"].nunique() <= _MOST_NAMED:
        return columns
    names = [heading_of_identifying_column(frame, name) for name in ("predictor", "group")]
    owners = [column for column in columns if column.head in names]
    keys = list(zip(*(column.cells for column in owners), strict=True))
    again = [k > 0 and key == keys[k - 1] for k, key in enumerate(keys)]
    once = {
        column.head: column._replace(
            cells=["" if same else cell for cell, same in zip(column.cells, again, strict=True)]
        )
        for column in owners
    }
    return [once.get(column.head, column) for column in columns]


# --- Long tables ----------------------------------------------------------------------------------


def _long_columns(frame: pd.DataFrame, rules: CellRules) -> list[TableColumn]:
    rows: list[Row] = [*row_dicts(frame)]
    places = [TableColumn(*pair) for pair in row_identifying_columns(frame, rules.digits).items()]
    texts = [measure_text(row) for row in rows if row is not None]
    several = len(set(texts)) > 1
    units = [unit_text(row, rules) for row in rows if row is not None]
    of_rows = units if not all(units) else [""] * len(units)  # the heading has the unit of all
    quantities = [f"{text}{unit}" for text, unit in zip(texts, of_rows, strict=True)]
    named = [TableColumn("Quantity", quantities)] if several else []
    return [
        *places,
        *named,
        *measure_columns(
            "Estimate" if several else texts[0], rows_without_interaction_tests(rows), rules
        ),
        *_apparent_columns(rows, rules),
        *_columns_of_fractions_of_cases(rows, rules),
        *p_columns(rows_of_interaction_tests(rows), rules),
        *count_columns(frame),
    ]


def _apparent_columns(
    rows: Sequence[Row], rules: CellRules, head: str = "Apparent"
) -> list[TableColumn]:
    """Return what the cases that chose a threshold show at it; nothing of other frames."""
    values = [
        math.nan if row is None or row["quantity"] == "threshold" else row.get("apparent", math.nan)
        for row in rows
    ]
    if all(map(math.isnan, values)):
        return []
    cells = [
        "" if row is None or math.isnan(value) else apparent_text(row, value, rules)
        for row, value in zip(rows, values, strict=True)
    ]
    return [number_column(head, values, cells)]


def _columns_of_fractions_of_cases(rows: Sequence[Row], rules: CellRules) -> list[TableColumn]:
    """Return the counts behind rates; nothing where they stand beside percentages."""
    if rules.percent:
        return []
    cells = ["" if row is None else fraction_text(row, rules.style) for row in rows]
    corrected = any(
        row is not None and not math.isnan(row.get("apparent", math.nan)) for row in rows
    )
    return [TableColumn("Apparent n/N" if corrected else "n/N", cells)] if any(cells) else []


# --- Wide tables ----------------------------------------------------------------------------------

_THRESHOLD = LABELS["threshold"]


def _wide_columns(frame: pd.DataFrame, rules: CellRules) -> list[TableColumn]:
    places = row_identifying_columns(frame, rules.digits)
    prevalences = _prevalences(frame, list(zip(*places.values(), strict=True)))
    if prevalences:
        places["Prevalence"] = prevalences
    keys = list(zip(*places.values(), strict=True))
    rows = row_dicts(frame)
    texts = [measure_text(row, with_prevalence=not prevalences) for row in rows]
    table: dict[str, dict[tuple[str, ...], RowLike]] = {}
    for key, name, row in zip(keys, texts, rows, strict=True):
        cells = table.setdefault(name, {})
        if key in cells:
            raise InputError(
                f"`layout` 'wide' must have one row of the frame for each cell; got two for"
                f" {_abbreviated_measure_text(name)} of {', '.join(filter(None, key))}."
                " Pass layout='long', or select rows."
            )
        cells[key] = row
    at: dict[tuple[str, ...], list[int]] = {}
    for i, key in enumerate(keys):
        at.setdefault(key, []).append(i)
    lines = list(at)
    marked = {head: [line[k] for line in lines] for k, head in enumerate(places)}
    measured = [
        column
        for text, cells in table.items()
        for column in _wide_measure_columns(
            text, [cells.get(line) for line in lines], rules, len(table) > 1
        )
    ]
    if _THRESHOLD in table:  # an estimate of its own, with limits
        marked.pop(_THRESHOLD, None)
    counts = _counts_of_lines(frame, list(at.values()))
    return [*(TableColumn(*pair) for pair in marked.items()), *counts, *measured]


def _prevalences(frame: pd.DataFrame, keys: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the prevalence of each row's line where lines differ in it, as groups do; else []."""
    if "prevalence" not in frame:
        return []
    of_lines: dict[tuple[str, ...], set[str]] = {key: set() for key in keys}
    for key, value in zip(keys, frame["prevalence"], strict=True):
        if not math.isnan(value):
            of_lines[key].add(prevalence_text(value))
    if len(set().union(*of_lines.values())) < 2 or any(len(each) > 1 for each in of_lines.values()):
        return []
    return ["".join(of_lines[key]) for key in keys]


def _wide_measure_columns(
    text: str, rows: Sequence[Row], rules: CellRules, several: bool
) -> list[TableColumn]:
    """Return the columns of one measure of a wide table."""
    head = _abbreviated_measure_text(text)
    tested = p_columns(rows, rules, f", {uncapital(head)}" if several else "")
    if several and all(row is None or math.isnan(row["estimate"]) for row in rows) and tested:
        return tested
    columns = measure_columns(head, rows, rules)
    if text == _THRESHOLD:
        signs = ["" if row is None else SIGNS.get(str(row.get("direction")), "") for row in rows]
        columns = [_threshold_column_with_signs(columns[0], signs)]
    name = head.partition(", corrected")[0]
    return [*columns, *_apparent_columns(rows, rules, f"{name}, apparent"), *tested]


def _threshold_column_with_signs(column: TableColumn, signs: Sequence[str]) -> TableColumn:
    """Return a column of thresholds with the sides that are positive."""
    cells = [f"{sign}{cell}" for sign, cell in zip(signs, column.cells, strict=True)]
    numbers = [
        tuple(number._replace(text=f"{sign}{number.text}") for number in cell[:1]) + cell[1:]
        for sign, cell in zip(signs, column.numbers, strict=True)
    ]
    return TableColumn(column.head, cells, numbers)


_SHORT = {one.title: one.short for one in QUANTITIES.values() if one.short} | {
    ", corrected for optimism": ", corrected"
}


def _abbreviated_measure_text(text: str) -> str:
    """Return a measure with the abbreviations of papers."""
    for words, letters in _SHORT.items():
        text = re.sub(words, letters, text, flags=re.IGNORECASE)
    return text


def _counts_of_lines(frame: pd.DataFrame, lines: Sequence[Sequence[int]]) -> list[TableColumn]:
    """Return the true and false calls of each line if all are known, else its numbers of cases."""
    tables = [true_and_false_calls_of_row(row) for row in row_dicts(frame)]
    complete = [table for table in tables if table is not None]
    columns = count_columns(frame)
    classes = frame["class"] if "class" in frame else [""] * len(tables)
    # A summary of all classes has no calls.
    summary = [name == "all" or name.endswith(AVERAGE_OF_CLASSES) for name in classes]
    lacking = [table is None for table in tables]
    whole = all(one or not lacks for one, lacks in zip(summary, lacking, strict=True))
    single = (row for row, one in zip(row_dicts(frame), summary, strict=True) if not one)
    if complete and whole and do_calls_make_rates(single):
        calls = {head: [math.nan if t is None else t[head] for t in tables] for head in complete[0]}
        columns = [
            number_column(head, n, ["" if math.isnan(x) else f"{x:.0f}" for x in n])
            for head, n in calls.items()
        ]
    return [_one_cell_a_line(column, lines) for column in columns]


def _one_cell_a_line(column: TableColumn, lines: Sequence[Sequence[int]]) -> TableColumn:
    """Return a column with one cell a line; numbers that differ inside a line are all printed."""
    firsts = [line[0] for line in lines]
    cells = [list(dict.fromkeys(column.cells[i] for i in line)) for line in lines]
    if all(len(texts) == 1 for texts in cells):
        return TableColumn(
            column.head, [texts[0] for texts in cells], [column.numbers[i] for i in firsts]
        )
    return TableColumn(column.head, ["; ".join(texts) for texts in cells])
