"""Estimate frames as the tables of a paper, on the screen and in files."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pandas as pd

from rocstats.errors import InputError
from rocstats.frames import text_frame
from rocstats.present.files import checked_path
from rocstats.present.markup import printed_table, to_html_page, to_latex, to_markdown
from rocstats.present.text import (
    digits_of,
    format_count,
    format_estimate,
    format_interval,
    format_level,
    format_number,
    format_p,
    style_of,
)
from rocstats.present.wording import (
    is_adjusted,
    is_difference,
    method_sentences,
    note_sentences,
    quantity_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Any

    import numpy as np

    FloatArray = np.ndarray[Any, np.dtype[np.float64]]

LABELS = {
    "predictor": "Predictor",
    "reference": "Reference",
    "group": "Group",
    "fold": "Fold",
    "class": "Class",
    "versus": "Versus",
    "kind": "Kind",
    "reader": "Reader",
    "threshold": "Threshold",
    "fpr": "At false positive rate",
}
"""Columns that say what a row is about, in the order of print, and their headings."""

PROPORTIONS = frozenset(
    [
        "auc",
        "partial_auc_standardized",
        "mean_tpr",
        "average_precision",
        "pr_auc",
        "tpr",
        "fpr",
        "tnr",
        "fnr",
        "ppa",
        "npa",
        "overall_agreement",
        "ppv",
        "npv",
        "accuracy",
        "balanced_accuracy",
        "f1",
    ]
)
"""Quantities from 0 to 1 whose ends would be claims: 1.00 is printed for nothing less than 1."""

_PLACES = ("threshold", "fpr")
_WRITERS = {".md": to_markdown, ".html": to_html_page, ".tex": to_latex}
_ENDINGS = (".csv", *_WRITERS)
_NEEDED = ("predictor", "estimate", "ci_low", "ci_high", "confidence_level")


def format_table(
    frame: pd.DataFrame, style: str = "plain", *, digits: int | None = None
) -> pd.DataFrame:
    """Return an estimate frame as a table of a paper; a row is a row of ``frame``, in words.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame of estimates: ``study.auc()``, ``study.compare_auc()`` and so on.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules of print. "plain" keeps three decimals everywhere.
    digits : int, optional
        Decimals of estimates and limits; by default 2 in "jama" and "radiology", 3 elsewhere.

    Returns
    -------
    pandas.DataFrame
        Strings: labels (Predictor, Reference, Group, and Quantity when it varies); the estimate
        with its interval, whose heading names the quantity and the level; P value and Adjusted P
        value if there are any; Positives and Negatives. Sentences for the foot of the table
        (methods, tests, caveats, abbreviations) are in ``attrs["rocstats"]["footnotes"]``.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates, or ``style`` or ``digits`` is not possible.

    Notes
    -----
    Numbers are rounded half up on their decimal digits. An AUC that is not exactly 0 or 1 is never
    printed as 0.00 or 1.00 but as "<0.01" or ">0.99", and neither is the limit of a difference
    whose interval excludes zero printed as zero. P values keep three decimals where two would hide
    which side of 1 minus the confidence level they are on (0.05 where there is no interval).
    Missing numbers are "NA". A global test has no estimate: its statistic and degrees of freedom
    stand in place of it.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapters 18 and 19 [ama-2020]
    - Instructions to authors of Radiology, NEJM and The BMJ

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> rs.format_table(study.auc(), "jama")
      Predictor               AUC (95% CI) Positives Negatives
    0     score  0.72 (95% CI, 0.57-0.83)        20        30
    """
    columns = table_columns(frame, style, digits=digits)
    return text_frame(columns, footnotes=footnotes(frame, columns))


def save_table(
    frame: pd.DataFrame,
    path: str | PathLike[str],
    *,
    style: str = "plain",
    caption: str | None = None,
) -> Path:
    """Return the path of the file into which the table was written.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates, or a table that ``format_table`` made, which is written as it is.
    path : str or path-like
        The ending chooses the format: ``.csv``, ``.md``, ``.html`` or ``.tex``. A file that is
        there already is replaced.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules of print; a csv file holds the numbers themselves and has no style.
    caption : str, optional
        Line above the table; a csv file has no place for one.

    Returns
    -------
    pathlib.Path
        Where the table is.

    Raises
    ------
    InputError
        If the ending is another one, the directory does not exist, or ``frame`` is neither a frame
        of estimates nor a table of strings.

    Notes
    -----
    A csv file of a frame of estimates holds every digit, so that ``rocstats.read_csv`` gives
    the same frame back. The other formats hold the table of ``format_table`` with its footnotes;
    names are escaped, so that markup in them is printed, not obeyed. LaTeX needs the package
    booktabs.

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
    ...     rs.save_table(study.auc(), Path(folder) / "table.md", style="jama").name
    'table.md'
    """
    file = checked_path(path, _ENDINGS)
    style_of(style)
    if file.suffix.lower() == ".csv":
        _require_frame(frame)
        file.write_text(
            frame.to_csv(index=False, lineterminator="\n"), encoding="utf-8", newline=""
        )
        return file
    table = frame if _is_text(frame) else format_table(frame, style)
    notes = table.attrs.get("rocstats", {}).get("footnotes", [])
    printed = printed_table(table, caption=caption, footnotes=notes)
    file.write_text(_WRITERS[file.suffix.lower()](printed), encoding="utf-8")
    return file


def table_columns(
    frame: pd.DataFrame, style: str, *, digits: int | None = None, compact: bool = False
) -> dict[str, list[str]]:
    """Return headings and cells of an estimate frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates.
    style : str
        A key of ``rocstats.present.text.STYLES``.
    digits : int, optional
        Decimals; by default those of the style.
    compact : bool, default False
        Whether cells leave the level to the heading: "0.82 (0.75-0.90)". They keep it when it
        differs between rows.

    Returns
    -------
    dict of str to list of str
        Columns in order of print.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates, or ``style`` or ``digits`` is not possible.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.tables import table_columns
    >>> frame = pd.DataFrame({"predictor": ["wfns"], "quantity": ["auc"], "estimate": [0.8231],
    ...                       "ci_low": [0.7489], "ci_high": [0.8957], "confidence_level": [0.95]})
    >>> table_columns(frame, "jama", compact=True)
    {'Predictor': ['wfns'], 'AUC (95% CI)': ['0.82 (0.75-0.90)']}
    """
    _require_estimates(frame)
    decimals = digits_of(style, digits)
    rows = [row for _, row in frame.iterrows()]
    columns = _label_columns(frame, decimals)
    quantities = [_quantity(row) for row in rows]
    if len(set(quantities)) > 1:
        columns["Quantity"] = quantities
    if frame["estimate"].isna().all() and _has(frame, "p_value"):
        columns["Statistic"] = [format_number(value, decimals) for value in frame["statistic"]]
        columns["df"] = [format_count(value) for value in frame["df"]]
    else:
        levels = frame["confidence_level"].dropna().unique()
        short = compact and len(levels) == 1
        columns[_heading(set(quantities), levels, style)] = [
            _estimate_cell(row, style, decimals, short) for row in rows
        ]
    return {**columns, **_p_columns(frame, style), **_count_columns(frame)}


def footnotes(
    frame: pd.DataFrame,
    columns: Mapping[str, Sequence[str]],
    *,
    methods: bool = True,
    without: Sequence[str] = (),
) -> list[str]:
    """Return the sentences for the foot of a table.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame of estimates.
    columns : mapping of str to sequence of str
        Its headings and cells in print, which decide on the abbreviations to explain.
    methods : bool, default True
        Whether to say how the numbers came about.
    without : sequence of str, default empty
        Codes of the column ``note`` that are said elsewhere.

    Returns
    -------
    list of str
        Methods, caveats, abbreviations.

    Examples
    --------
    >>> from rocstats.present.tables import footnotes
    >>> import pandas as pd
    >>> footnotes(pd.DataFrame(), {"AUC (95% CI)": ["0.82 (NA)"]})
    ['AUC, area under the receiver operating characteristic curve; CI, confidence interval;
    NA, not available.']
    """
    sentences = [sentence.text for sentence in method_sentences(frame)] if methods else []
    sentences += note_sentences(frame, without=without)
    numbers = {head: cells for head, cells in columns.items() if head not in LABELS.values()}
    printed = " ".join([*numbers, *(cell for cells in numbers.values() for cell in cells)])
    known = {
        "AUC": "area under the receiver operating characteristic curve",
        "CI": "confidence interval",
        "df": "degrees of freedom",
        "NA": "not available",
    }
    used = [f"{word}, {text}" for word, text in known.items() if re.search(rf"\b{word}\b", printed)]
    return [*sentences, f"{'; '.join(used)}."] if used else sentences


def _quantity(row: pd.Series) -> str:
    prevalence = row.get("prevalence", math.nan)
    where = "" if math.isnan(prevalence) else f" at prevalence {prevalence:.3g}"
    return f"{quantity_text(row)}{where}"


def _label_columns(frame: pd.DataFrame, digits: int) -> dict[str, list[str]]:
    columns = {}
    for name, heading in LABELS.items():
        if name not in frame or (name in _PLACES and not _says_where(frame, name)):
            continue
        if name == "kind" and frame[name].nunique() < 2:
            continue
        if name in _PLACES:
            cells = [format_number(value, digits) for value in frame[name]]
        else:
            cells = frame[name].fillna("").astype(str).tolist()
        if any(cells):
            columns[heading] = cells
    return columns


def _says_where(frame: pd.DataFrame, name: str) -> bool:
    """Return whether rows are at thresholds or, where they are at none, at rates."""
    if name == "threshold":
        return bool(frame[name].notna().any())
    return "threshold" not in frame or bool(frame["threshold"].isna().any())


def _heading(quantities: set[str], levels: FloatArray, style: str) -> str:
    what = quantities.pop() if len(quantities) == 1 else "Estimate"
    if len(levels) == 0:
        return what
    interval = style_of(style).interval.strip(" ,:")
    return f"{what} ({format_level(levels[0]) + ' ' if len(levels) == 1 else ''}{interval})"


def _estimate_cell(row: pd.Series, style: str, digits: int, short: bool) -> str:
    difference, guard = is_difference(row), _guard(row)
    if math.isnan(row["confidence_level"]):
        return format_number(row["estimate"], digits, guard=guard)
    if not short:
        return format_estimate(
            row["estimate"], row["ci_low"], row["ci_high"], style=style, digits=digits,
            confidence_level=row["confidence_level"], guard=guard, difference=difference,
        )  # fmt: skip
    number = format_number(row["estimate"], digits, guard=guard)
    interval = format_interval(
        row["ci_low"], row["ci_high"], style=style, digits=digits, guard=guard,
        difference=difference,
    )  # fmt: skip
    return number if number == interval else f"{number} ({interval})"


def _guard(row: pd.Series) -> tuple[int, ...]:
    if str(row.get("quantity")).endswith("_ratio"):
        return (0, 1) if row["ci_low"] > 1 or row["ci_high"] < 1 else (0,)
    if is_difference(row):
        return (0,) if row["ci_low"] > 0 or row["ci_high"] < 0 else ()
    return (0, 1) if row.get("quantity") in PROPORTIONS else (0,)


def _p_columns(frame: pd.DataFrame, style: str) -> dict[str, list[str]]:
    if not _has(frame, "p_value"):
        return {}
    alphas = (1 - frame["confidence_level"]).fillna(0.05)
    names = {"p_value": "P value", "p_adjusted": "Adjusted P value"}
    return {
        heading: [
            format_p(p, style=style, alpha=alpha)
            for p, alpha in zip(frame[name], alphas, strict=True)
        ]
        for name, heading in names.items()
        if name == "p_value" or is_adjusted(frame)
    }


def _count_columns(frame: pd.DataFrame) -> dict[str, list[str]]:
    names = {"n_pos": "Positives", "n_neg": "Negatives"}
    return {
        heading: [format_count(count) for count in frame[name]]
        for name, heading in names.items()
        if name in frame
    }


def _has(frame: pd.DataFrame, name: str) -> bool:
    return name in frame and bool(frame[name].notna().any())


def _is_text(frame: pd.DataFrame) -> bool:
    _require_frame(frame)
    return all(pd.api.types.is_string_dtype(dtype) for dtype in frame.dtypes)


def _require_frame(frame: object) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise InputError(
            f"`frame` must be a pandas frame; got {type(frame).__name__}."
            " Pass the answer of a study, such as study.auc()."
        )


def _require_estimates(frame: pd.DataFrame) -> None:
    _require_frame(frame)
    missing = [name for name in _NEEDED if name not in frame]
    if missing:
        raise InputError(
            f"`frame` must hold estimates with intervals; got no columns {', '.join(missing)}."
            " Pass the answer of a study, such as study.auc()."
        )
    if frame.empty:
        raise InputError(
            "`frame` must have rows; got 0. Pass the answer of a study, such as study.auc()."
        )
