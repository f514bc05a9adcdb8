"""The ground of every answer: the glossary of columns, and the only maker of frames.

One row is one estimate of one quantity with one interval. Column names, their order and their
types are fixed per question, whatever its arguments; ``GLOSSARY`` says what each column means and
``NOTES`` what each code in the column ``note`` means.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, StatisticalWarning

Kind = Literal["text", "real", "count"]
"""``text`` is str, ``real`` is float64, ``count`` is float64 (a sum of frequencies or weights)."""


@dataclass(frozen=True)
class Column:
    """One column of the glossary: its type and what it means."""

    kind: Kind
    meaning: str


GLOSSARY: dict[str, Column] = {
    "predictor": Column(
        "text",
        'Name of the predictor (test, marker, classifier); "all" in a test of all predictors.',
    ),
    "reference": Column(
        "text",
        "What the row is compared with: the estimate is predictor minus"
        " reference. Across groups, the other group.",
    ),
    "group": Column(
        "text", "Label of the group (site, subgroup). Present iff the study has groups."
    ),
    "fold": Column("text", 'Label of the cross-validation fold; "" when folds are pooled.'),
    "quantity": Column(
        "text", "What is estimated; a difference carries the quantity it is a difference of."
    ),
    "range_axis": Column("text", 'Axis of the range of an area: "fpr" or "tpr".'),
    "range_low": Column("real", "Lower end of the range of an area, in [0, 1]."),
    "range_high": Column("real", "Upper end of the range of an area, in [0, 1]."),
    "direction": Column(
        "text",
        '">=" when scores at or above the threshold are called positive,'
        ' "<=" when scores at or below it are.',
    ),
    "threshold": Column(
        "real",
        "Threshold on the user's scale; infinite in the first row of a"
        " curve, where nothing is called positive.",
    ),
    "fpr": Column("real", "False positive rate (1 - specificity), in [0, 1]."),
    "tpr": Column("real", "True positive rate (sensitivity), in [0, 1]."),
    "fp": Column(
        "count", "False positives: negatives called positive, a sum of frequencies or weights."
    ),
    "tp": Column(
        "count", "True positives: positives called positive, a sum of frequencies or weights."
    ),
    "estimate": Column("real", "The point estimate."),
    "se": Column("real", "Standard error of the estimate; NaN where there is none."),
    "ci_low": Column("real", "Lower confidence limit."),
    "ci_high": Column("real", "Upper confidence limit."),
    "confidence_level": Column("real", "Two-sided coverage of the interval, in (0, 1)."),
    "null_value": Column(
        "real", "Value of the quantity under the null hypothesis; NaN when nothing was tested."
    ),
    "statistic": Column(
        "real",
        "Test statistic: z or t (chi-square in a global test), on the scale of the interval.",
    ),
    "df": Column("real", "Degrees of freedom of the statistic; infinite for z."),
    "p_value": Column("real", "P value, unadjusted."),
    "p_adjusted": Column("real", "P value adjusted over all rows of the frame."),
    "hypothesis": Column("text", 'The alternative tested: "two-sided", "greater", "less".'),
    "n_pos": Column("count", "Number of positives (sum of frequencies)."),
    "n_neg": Column("count", "Number of negatives (sum of frequencies)."),
    "method": Column(
        "text", "What was actually used, as variance/interval or statistic/reference distribution."
    ),
    "note": Column("text", 'Caveats of the row: "" or codes joined by "; ".'),
}


@dataclass(frozen=True)
class Note:
    """A code of the column ``note``: what it means, and whether it is a doubt worth a warning."""

    meaning: str
    doubt: bool = True


NOTES: dict[str, Note] = {
    "auc-at-boundary": Note(
        "an AUC is 0 or 1, where standard errors vanish: limits come from Newcombe's method 5"
    ),
    "zero-variance": Note(
        "the estimated variance is 0 away from 0 and 1: limits come from Newcombe's method 5"
    ),
    "single-case": Note(
        "a class has one member, so there is no standard error: Newcombe's method 5 was used"
    ),
    "few-cases": Note("the smaller class has under 20 members: coverage may be below nominal"),
    "few-clusters": Note("under 30 clusters hold a class: the clustered standard error is noisy"),
    "one-class": Note("the group lacks one class, so nothing can be estimated"),
    "identical-predictors": Note("the predictors rank all cases alike: there is no variance"),
    "no-variance": Note("the areas differ but the estimated variance is 0: no test is possible"),
    "weights-need-bootstrap": Note(
        "sample_weight has no closed-form variance: only the estimate is given"
    ),
    "pooled-folds": Note(
        "one curve pools the scores of all folds, which assumes that they are comparable"
    ),
    "rows-dropped": Note(
        "rows with a missing value were left out (nan_policy='omit')", doubt=False
    ),
    "adjusted": Note(
        "p_adjusted allows for the number of rows by this method, the interval does not",
        doubt=False,
    ),
}

FULL_AREA = {"quantity": "auc", "range_axis": "fpr", "range_low": 0.0, "range_high": 1.0}
"""What says that a row is about the whole area under the curve."""

_AREA = (
    "quantity",
    "range_axis",
    "range_low",
    "range_high",
    "estimate",
    "se",
    "ci_low",
    "ci_high",
    "confidence_level",
    "null_value",
    "statistic",
    "df",
    "p_value",
)
_END = ("hypothesis", "n_pos", "n_neg", "method", "note")

SCHEMAS: dict[str, tuple[str, ...]] = {
    "auc": ("predictor", "group", *_AREA, *_END),
    "compare_auc": ("predictor", "reference", "group", *_AREA, "p_adjusted", *_END),
    "test_equal_auc": ("predictor", "group", *_AREA, *_END),
    "roc_curve": ("predictor", "group", "fold", "direction", "threshold", "fpr", "tpr", "fp", "tp"),
}
"""Columns of each question's frame in order; ``group`` is there iff the study has groups."""


@dataclass(frozen=True)
class Labels:
    """A text column as distinct labels and a code for each row: never built row by row."""

    labels: Sequence[str]
    codes: np.ndarray[Any, np.dtype[np.intp]]


def make_frame(
    function: str,
    columns: Mapping[str, Any],
    *,
    grouped: bool,
    references: Iterable[str] = (),
) -> pd.DataFrame:
    """Return the frame of a question, its columns checked, ordered and typed.

    Parameters
    ----------
    function : str
        Name of the question; its columns are ``SCHEMAS[function]``.
    columns : mapping of str to array, list, Labels or scalar
        Exactly the columns of the schema (``group`` only if ``grouped``).
    grouped : bool
        Whether the study has groups.
    references : iterable of str
        Literature behind the numbers, kept in ``attrs["rocstats"]["references"]``.
    """
    names = [name for name in SCHEMAS[function] if name != "group" or grouped]
    if set(names) != set(columns):
        raise KeyError(f"{function}: columns {set(names) ^ set(columns)} do not fit the schema")
    frame = pd.DataFrame({name: _typed(name, columns[name]) for name in names})
    frame.attrs["rocstats"] = {
        "function": function,
        "version": __version__,
        "seed": None,
        "n_resamples": None,
        "references": list(references),
    }
    return frame


def estimate_frame(
    function: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    grouped: bool,
    references: Iterable[str] = (),
) -> pd.DataFrame:
    """Return a frame of estimates from one mapping a row, and warn once per code of doubt.

    Parameters
    ----------
    function : str
        Name of the question; its columns are ``SCHEMAS[function]``.
    rows : sequence of mapping
        The rows; the entry ``note`` is a sequence of codes of ``NOTES``.
    grouped : bool
        Whether the study has groups; without them an entry ``group`` is left out.
    references : iterable of str
        Literature behind the numbers.
    """
    warn_of([code for row in rows for code in row["note"]])
    names = [name for name in SCHEMAS[function] if name != "group" or grouped]
    columns = {name: [row[name] for row in rows] for name in names}
    columns["note"] = ["; ".join(dict.fromkeys(row["note"])) for row in rows]
    return make_frame(function, columns, grouped=grouped, references=references)


def warn_of(codes: Iterable[str]) -> None:
    """Issue one StatisticalWarning for each distinct code that stands for a doubt.

    Parameters
    ----------
    codes : iterable of str
        Codes of the column ``note``; what follows a "=" is a count, not part of the code.
    """
    for code in dict.fromkeys(code.partition("=")[0] for code in codes):
        if NOTES[code].doubt:
            message = f"{code}: {NOTES[code].meaning}"
            warnings.warn(message, StatisticalWarning, stacklevel=_level_of_the_caller())


def _level_of_the_caller() -> int:
    """Return the stacklevel, seen from ``warn_of``, of the first frame outside this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "rocstats":
        frame, level = frame.f_back, level + 1
    return level


def text_frame(columns: Mapping[str, Sequence[str]], *, footnotes: Sequence[str]) -> pd.DataFrame:
    """Return a frame of strings for print, its footnotes in ``attrs["rocstats"]["footnotes"]``.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        Headings and cells.
    footnotes : sequence of str
        Sentences that belong under the table.
    """
    frame = pd.DataFrame(dict(columns), dtype=_text_dtype())
    frame.attrs["rocstats"] = {
        "function": "format_table",
        "version": __version__,
        "footnotes": list(footnotes),
    }
    return frame


def read_csv(path: str | PathLike[str]) -> pd.DataFrame:
    r"""Read a frame of this package back from csv, every column in its glossary type.

    Writing with ``frame.to_csv(path, index=False)`` and reading with this function gives the same
    values, bit for bit; ``pandas.read_csv`` alone would turn a group called "NA" into a missing
    value and a fold called "1" into a number.

    Parameters
    ----------
    path : str or path-like
        The csv file, its header the columns of a frame made here.

    Returns
    -------
    pandas.DataFrame
        The frame; ``attrs`` are not part of a csv file and stay empty.

    Raises
    ------
    InputError
        If a column is not in the glossary.

    References
    ----------
    The page "Columns" of the documentation lists the glossary.

    Examples
    --------
    >>> import io
    >>> from rocstats.frames import read_csv
    >>> read_csv(io.StringIO("predictor,threshold,fpr\nNA,inf,0.1\n"))
      predictor  threshold  fpr
    0        NA        inf  0.1
    """
    raw = pd.read_csv(path, dtype=str, keep_default_na=False)
    unknown = [name for name in raw.columns if name not in GLOSSARY]
    if unknown:
        raise InputError(
            f"`path` must hold columns of the glossary; got {unknown}."
            " Read other files with pandas.read_csv."
        )
    columns = {}
    for name in raw.columns:
        if GLOSSARY[name].kind == "text":
            columns[name] = raw[name].astype(_text_dtype())
        else:
            columns[name] = raw[name].replace("", "nan").map(float).astype("float64")
    return pd.DataFrame(columns)


def _typed(name: str, values: Any) -> Any:
    if GLOSSARY[name].kind != "text":
        return np.asarray(values, dtype=np.float64)
    if isinstance(values, Labels):
        return pd.Series(list(values.labels), dtype=_text_dtype()).array.take(values.codes)
    return pd.Series(list(values), dtype=_text_dtype()).array


def _text_dtype() -> Any:
    """Return pandas' own text type: "str" from version 3 on, object before."""
    return "str" if int(pd.__version__.partition(".")[0]) >= 3 else object
