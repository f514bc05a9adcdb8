"""Estimate frames as the tables of a paper, on the screen and in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from rocstats.frames.labels import in_print, read_labels
from rocstats.frames.making import text_frame
from rocstats.present.cells import require_frame, table_columns
from rocstats.present.files import checked_path
from rocstats.present.footnotes import footnotes
from rocstats.present.html_tables import to_html_page
from rocstats.present.markup import printed_table, to_latex, to_markdown
from rocstats.present.styles import StyleName, style_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from pathlib import Path

_WRITERS = {".md": to_markdown, ".html": to_html_page, ".tex": to_latex}
ENDINGS = (".csv", *_WRITERS)


def format_table(
    frame: pd.DataFrame,
    style: StyleName = "plain",
    *,
    digits: int | None = None,
    labels: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Return an estimate frame as a table of text for a paper, row by row.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame of estimates: ``study.auc()``, ``study.compare_auc()`` and so on.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        The journal whose rules of print apply:

        - "plain": 0.823 (95% CI 0.749-0.896); P values with three decimals. Ours.
        - "jama": 0.82 (95% CI, 0.75-0.90); P values without the leading zero.
        - "radiology": 0.82 (95% CI: 0.75, 0.90); P values without the leading zero.
        - "nejm": 0.823 (95% CI, 0.749 to 0.896).
        - "bmj": 0.823 (95% confidence interval 0.749 to 0.896).
    digits : int, optional
        Decimals of estimates and limits; by default 2 in "jama" and "radiology", 3 elsewhere.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study, which frames
        carry until pandas combines them or a file drops them. Names that the frame lacks are
        passed over, so that one dict serves all tables.

    Returns
    -------
    pandas.DataFrame
        Text: labels (Predictor, Reference, Group, and Quantity when it varies); the estimate
        with its interval, under a heading that names the quantity and the level; P value and
        Adjusted P value if there are any; Positives and Negatives, of the reference and shared
        ones too where predictors keep their own cases. Footnotes (methods, tests,
        caveats, abbreviations) are in ``attrs["rocstats"]["footnotes"]``.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates, ``style`` is unknown, or ``digits`` is not a
        whole number from 0 to 15.

    Notes
    -----
    Numbers are rounded half up on their decimal digits. An AUC that is not exactly 0 or 1 is
    printed as "<0.01" or ">0.99", never as 0.00 or 1.00. A limit of a difference is not printed as
    zero where the interval excludes zero. P values keep three decimals where two would move them
    across 1 minus the confidence level (0.05 where there is no interval). Missing numbers are
    "NA". A global test has no estimate: its statistic and degrees of freedom are printed instead.

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
    require_frame(frame)
    frame, _ = in_print(labels, frame)
    columns = table_columns(frame, style, digits=digits)
    return text_frame(columns, footnotes=footnotes(frame, columns))


def save_table(
    frame: pd.DataFrame,
    path: str | PathLike[str],
    *,
    style: StyleName = "plain",
    caption: str | None = None,
    labels: Mapping[str, str] | None = None,
) -> Path:
    """Write a table to a file as CSV, Markdown, HTML or LaTeX, and return its path.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates, or a table from ``format_table``, which is written unchanged.
    path : str or path-like
        The ending chooses the format: ``.csv``, ``.md``, ``.html`` or ``.tex``. An existing file
        is replaced.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Rules of print, see ``format_table``; a CSV file of estimates holds unrounded numbers.
    caption : str, optional
        Line above the table; not written to CSV.
    labels : mapping of str to str, optional
        What predictors are called, see ``format_table``; a CSV file of estimates holds names.

    Returns
    -------
    pathlib.Path
        The path of the file.

    Raises
    ------
    InputError
        If the ending is another, the directory does not exist, ``style`` is unknown, or ``frame``
        is neither a frame of estimates nor a table of text.

    Notes
    -----
    A CSV file of a frame of estimates holds every digit: ``rocstats.read_csv`` gives the same frame
    back. The other formats hold the table of ``format_table`` with its footnotes. Markup in names
    is escaped and printed as it is. LaTeX needs the package booktabs.

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
    file = checked_path(path, ENDINGS)
    # A mistyped style, or label, is refused for CSV too, which does not use it.
    style_of(style)
    read_labels(labels)
    if file.suffix.lower() == ".csv":
        require_frame(frame)
        # Windows would write "\r\n": the same frame gives the same bytes everywhere.
        text = frame.to_csv(index=False, lineterminator="\n")
        file.write_text(text, encoding="utf-8", newline="")
        return file
    table = frame if _is_text(frame) else format_table(frame, style, labels=labels)
    notes = table.attrs.get("rocstats", {}).get("footnotes", [])
    printed = printed_table(table, caption=caption, footnotes=notes)
    file.write_text(_WRITERS[file.suffix.lower()](printed), encoding="utf-8")
    return file


def _is_text(frame: pd.DataFrame) -> bool:
    require_frame(frame)
    return all(pd.api.types.is_string_dtype(dtype) for dtype in frame.dtypes)
