"""The only maker of frames: columns checked against the glossary, ordered and typed.

One row is one estimate of one quantity with one interval. Column names, their order and their
types are fixed per question, whatever its arguments. Labels, texts and numbers come in; pandas gets
blocks of columns, each of one type.

Frames keep the names of a user's columns. What predictors, classes, groups and the outcome are
called in print is put in their place by ``labelled``, for tables and plots.

Answers about binned scores have limits widened by ``binning_error``, so that they hold for the
answer from all scores.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache, reduce
from importlib import import_module
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, StatisticalWarning, require_writable
from rocstats.facts.arrays import Factor, FloatArray, IntArray, spans
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import difference_of, range_of
from rocstats.facts.notes import NOTES
from rocstats.facts.references import require_keys
from rocstats.frame.groups import name_of_group_column
from rocstats.frame.question import BINNING_ERROR, Question
from rocstats.frame.screen import About, Answer, as_answer, columns_to_read


class Labels(NamedTuple):
    """A text column as distinct labels and a code for each row."""

    # A million rows then need no million Python strings: pandas takes the labels by code.

    labels: Sequence[str]
    codes: np.ndarray[Any, np.dtype[np.intp]]


# --- Frames of answers, counts and texts ----------------------------------------------------------


def make_frame(
    question: Question,
    columns: Mapping[str, Any],
    *,
    grouped: bool,
    group: Factor | None = None,
    seed: int | None = None,
    n_resamples: int | None = None,
    shown: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Return the frame of a question, its columns checked, ordered and typed.

    Parameters
    ----------
    question : Question
        The question; the frame has its columns, and the keys of its references in
        ``attrs["rocstats"]["references"]`` (a key that is not in the bibliography is a KeyError).
    columns : mapping of str to array, list, Labels or scalar
        Exactly the columns of the question (``group`` only if ``grouped``).
    grouped : bool
        Whether the study has groups.
    group : Factor, optional
        The groups of the study: if they have several columns, these follow ``group``.
    seed, n_resamples : int, optional
        The integer that repeats the draws, and their number; None for closed forms.
    shown : mapping, optional
        Words of the study in print, see ``read_print_words``; they join the ``attrs``.
    """
    names = question.columns_of(grouped=grouped)
    # A mistake of ours, not of the user: KeyError, not InputError.
    if set(names) != set(columns):
        odd = set(names) ^ set(columns)
        raise KeyError(f"{question.name}: columns {odd} do not fit the schema")
    if "reference" in columns and "quantity" in columns:
        n_rows = len(_as_labels(columns[names[0]]).codes)
        compared = [_as_labels(columns[name], n_rows) for name in ("quantity", "reference")]
        columns = {**columns, "quantity": _words_of_differences(*compared)}
    if group is not None and group.columns:
        names, columns = _with_columns_of_groups(names, columns, group)
    frame = _typed_frame(tuple(names), columns)
    about = {
        "function": question.name,
        "version": __version__,
        "seed": seed,
        "n_resamples": n_resamples,
        "references": require_keys(question.references),
    }
    copies = {name: copy(words) for name, words in (shown or {}).items()}
    frame.attrs["rocstats"] = About(about, **copies)
    return frame


def _words_of_differences(quantities: Labels, references: Labels) -> Labels:
    """Return the quantity of each row: where ``reference`` is filled, that of a difference.

    Made here, so that no question can forget it.
    """
    # Rows of a curve are many: the words are made once for each pair of labels.
    words = [
        difference_of(word) if reference else word
        for word in quantities.labels
        for reference in references.labels
    ]
    return Labels(words, quantities.codes * len(references.labels) + references.codes)


def _with_columns_of_groups(
    names: Sequence[str], columns: Mapping[str, Any], group: Factor
) -> tuple[list[str], Mapping[str, Any]]:
    """Return names and columns with those of the groups behind ``group``."""
    labels, codes = _as_labels(columns["group"], len(_as_labels(columns[names[0]]).codes))
    found = {}
    for name, values in group.columns:
        value_of = dict(zip(group.labels, values, strict=True))
        # A row of all groups has their word, such as "all", in each column.
        found[name] = Labels([value_of.get(label, label) for label in labels], codes)
    behind = names.index("group") + 1
    return [*names[:behind], *found, *names[behind:]], {**columns, **found}


def _as_labels(texts: Labels | Sequence[str], n_rows: int = 0) -> Labels:
    """Return texts, one a row or one for all, as labels and codes."""
    if isinstance(texts, Labels):
        return texts
    if isinstance(texts, str):
        return Labels([texts], np.zeros(n_rows, dtype=np.intp))
    place = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return Labels(list(place), np.array([place[text] for text in texts], dtype=np.intp))


def estimate_frame(
    question: Question,
    rows: Sequence[Mapping[str, Any]],
    *,
    grouped: bool,
    said: set[str] | None = None,
    seed: int | None = None,
    n_resamples: int | None = None,
    shown: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Return a frame of estimates from one mapping a row, and warn once per code of doubt.

    Parameters
    ----------
    question : Question
        The question; the frame has its columns and references.
    rows : sequence of mapping
        The rows; the entry ``note`` is a sequence of codes of ``NOTES``.
    grouped : bool
        Whether the study has groups; without them an entry ``group`` is left out.
    said : set of str, optional
        The doubts that the study has warned of, which are not warned of again.
    seed, n_resamples : int, optional
        The integer that repeats the draws, and their number; None for closed forms.
    shown : mapping, optional
        Words of the study in print, see ``read_print_words``.
    """
    names = question.columns_of(grouped=grouped)
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in names}
    return make_frame(
        question,
        {**columns, "note": note_column(columns["note"], said, question.advice)},
        grouped=grouped,
        seed=seed,
        n_resamples=n_resamples,
        shown=shown,
    )


def note_column(
    codes: Sequence[Sequence[str]],
    said: set[str] | None = None,
    advice: Mapping[str, str] = MappingProxyType({}),
) -> Labels:
    """Return the column ``note`` from the codes of each row, and warn as ``warn_of_doubts``."""
    rows = [tuple(row) for row in codes]
    place = {row: number for number, row in enumerate(dict.fromkeys(rows))}
    warn_of_doubts([code for row in place for code in row], said, advice)
    # dict.fromkeys drops repeats and keeps the order, as a set would not.
    texts = ["; ".join(dict.fromkeys(row)) for row in place]
    return Labels(texts, np.array([place[row] for row in rows], dtype=np.intp))


def warn_of_doubts(
    codes: Iterable[str],
    said: set[str] | None = None,
    advice: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Issue one StatisticalWarning for each distinct code with a warning.

    Parameters
    ----------
    codes : iterable of str
        Codes of the column ``note``; what follows a "=" is a count, not part of the code.
    said : set of str, optional
        The doubts that the study has warned of: the others are added.
    advice : mapping of str to str, optional
        What the options of the question can do about a note, by code.
    """
    said = set() if said is None else said
    for code in dict.fromkeys(code.partition("=")[0] for code in codes):
        if NOTES[code].doubt and code not in said:
            said.add(code)
            more = f" ({advice[code]})" if code in advice else ""
            message = f"{code}: {NOTES[code].meaning}{more}"
            warnings.warn(message, StatisticalWarning, stacklevel=_level_of_the_caller())


def _level_of_the_caller() -> int:
    """Return the stacklevel, seen from ``warn_of_doubts``, of the first frame outside rocstats."""
    # The warning then names the line of the user, and Python's filters by module work on it.
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "rocstats":
        frame, level = frame.f_back, level + 1
    return level


def count_frame(
    question: Question,
    groups: Mapping[str, Sequence[str]],
    columns: Mapping[str, Any],
    about: Mapping[str, Any],
) -> pd.DataFrame:
    """Return a count table: the columns of the user that name the groups, then the counts.

    Parameters
    ----------
    question : Question
        What made the table, and its columns; ``score_high`` is left out of exact tables.
    groups : mapping of str to sequence of str
        Label of each row in each column of groups.
    columns : mapping of str to array
        The counts, and the scores that they are of.
    about : mapping
        Where the counts are from, joined to ``attrs["rocstats"]``.
    """
    n_rows = len(columns["score"])
    used = [name for name in question.columns if name in columns]
    typed = {name: text_column(values).copy() for name, values in groups.items()}
    typed |= {name: typed_column(name, columns[name], n_rows) for name in used}
    frame = as_answer(
        pd.DataFrame(typed, index=pd.RangeIndex(n_rows), copy=False), columns_to_read(typed)
    )
    frame.attrs["rocstats"] = {
        "function": question.name,
        "version": __version__,
        "references": require_keys(question.references),
        **about,
    }
    return frame


def text_frame(columns: Mapping[str, Sequence[str]], *, footnotes: Sequence[str]) -> pd.DataFrame:
    """Return a frame of strings for print, its footnotes in ``attrs["rocstats"]["footnotes"]``.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        Headings and cells.
    footnotes : sequence of str
        Sentences that belong under the table.
    """
    frame = pd.DataFrame(dict(columns), dtype=text_dtype())
    frame.attrs["rocstats"] = {
        "function": "format_table",
        "version": __version__,
        "footnotes": list(footnotes),
    }
    return frame


def stacked_frames(*frames: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of several answers of a study one below the other, for one graph."""
    found = pd.concat(frames, ignore_index=True)
    found.attrs = frames[0].attrs
    return found


def read_csv(path: str | PathLike[str]) -> pd.DataFrame:
    r"""Return a frame of this package from a csv file, with the documented type of every column.

    A frame written by ``frame.to_csv(path, index=False)`` is restored exactly. ``pandas.read_csv``
    would read a group named "NA" as missing and a fold named "1" as a number. Columns of the page
    "Columns" have their types. All other columns, those of groups or added by a user, stay in their
    places and are text: a year 2020 is the label "2020". Version 0.2 wrote the
    quantity "auc" for a difference of areas too: where ``reference`` is filled, the word becomes
    "auc_difference", as frames have it now.

    Parameters
    ----------
    path : str or path-like
        The csv file, with the columns of a frame of this package as header, and others.

    Returns
    -------
    pandas.DataFrame
        The frame; ``attrs`` are empty, since a csv file does not store them.

    Raises
    ------
    InputError
        If no column is in the glossary, a name is that of two columns, or a number is none.

    References
    ----------
    - The page "Columns" of the documentation lists the glossary

    Examples
    --------
    >>> import io
    >>> import rocstats as rs
    >>> rs.read_csv(io.StringIO("year,predictor,threshold,fpr\n2020,NA,inf,0.1\n"))
       year predictor threshold    fpr
    0  2020        NA       inf  0.100
    [1 row, 4 columns in all]
    """
    # All as text first: pandas would guess a type for each column, and drop "NA".
    raw = pd.read_csv(path, dtype=str, keep_default_na=False, header=None)
    raw, names = raw.iloc[1:].reset_index(drop=True), raw.iloc[0].tolist()
    known = [name for name in names if name in GLOSSARY]
    if not known or len(set(names)) < len(names):
        raise InputError(
            f"`path` must be a saved frame of this package; got the columns {names}, of which"
            f" {'none is one of an answer' if not known else 'two have the same name'}. Read other"
            " files with pandas.read_csv."
        )
    raw.columns = pd.Index(names)
    columns: dict[str, Any] = {}
    for name in names:
        if name not in GLOSSARY or GLOSSARY[name].kind == "text":
            columns[name] = raw[name].astype(text_dtype())
        else:
            # Python's float rounds correctly; the default parser of pandas may err in the last bit.
            columns[name] = typed_numbers(name, np.array([*map(_number_of_text, raw[name])]))
    if "reference" in columns and "quantity" in columns:
        compared = [_as_labels(raw[name].tolist()) for name in ("quantity", "reference")]
        columns["quantity"] = _text_values(_words_of_differences(*compared), len(raw))
    return as_answer(pd.DataFrame(columns), columns_to_read(known))


def _number_of_text(text: str) -> float:
    """Return a number of a csv file; NaN of an empty cell."""
    try:
        return float(text or "nan")
    except ValueError:
        raise InputError(
            f"`path` must hold numbers in its columns of numbers; got {text!r}. Write the file with"
            " frame.to_csv(path, index=False)."
        ) from None


# --- Columns in their types -----------------------------------------------------------------------


def _typed_frame(names: tuple[str, ...], columns: Mapping[str, Any]) -> Answer:
    """Return columns in their types as a frame; a number or a text is that of all rows.

    The first column has a value for each row.
    """
    layout, make = _layout_of_frame_columns(names), _maker_of_blocks()
    heading = layout.heading.view()  # its own: a user may name the axis
    first = columns[names[0]]
    n_rows = len(first.codes if isinstance(first, Labels) else first)
    index = pd.RangeIndex(n_rows)
    if make is None:
        # Numbers in the place of names, which pandas would make an array of anew for each frame.
        typed = [typed_column(name, columns[name], n_rows) for name in names]
        frame = pd.DataFrame(dict(enumerate(typed)), index=index, copy=False)
        frame.columns = heading
        return as_answer(frame, layout.needed)
    blocks = [(_text_values(columns[name], n_rows), place) for name, place in layout.texts]
    for kind, places in layout.numbers:
        numbers = np.empty((len(places), n_rows))
        for row, place in enumerate(places.tolist()):
            numbers[row] = columns[names[place]]
        blocks += _blocks_of_frame_columns(kind, numbers, places)
    return as_answer(make(blocks, index, heading), layout.needed)


class _Layout(NamedTuple):
    """Where the columns of a frame are: each of text, and those of each kind of number."""

    needed: frozenset[str]
    heading: pd.Index[str]
    texts: list[tuple[str, IntArray]]
    numbers: list[tuple[str, IntArray]]


@lru_cache(maxsize=256)  # twice the questions: with groups and without
def _layout_of_frame_columns(names: tuple[str, ...]) -> _Layout:
    # Columns of groups have the names of the user.
    kinds = [GLOSSARY[name].kind if name in GLOSSARY else "text" for name in names]
    places = {kind: np.flatnonzero([each == kind for each in kinds]) for kind in ("count", "real")}
    texts = [
        (name, np.array([place]))
        for place, (name, kind) in enumerate(zip(names, kinds, strict=True))
        if kind == "text"
    ]
    numbers = [(kind, found) for kind, found in places.items() if len(found)]
    return _Layout(columns_to_read(GLOSSARY.keys() & names), pd.Index(names), texts, numbers)


def _blocks_of_frame_columns(
    kind: str, numbers: FloatArray, places: IntArray
) -> list[tuple[Any, IntArray]]:
    """Return rows of numbers as blocks, counts that are all whole as integers."""
    if kind != "count" or not numbers.size:
        return [(numbers, places)]
    whole = _are_whole_counts(numbers)
    if whole.all():
        return [(_as_integers(numbers), places)]
    blocks = [(_as_integers(numbers[whole]), places[whole]), (numbers[~whole], places[~whole])]
    return [block for block in blocks if len(block[1])]


def _as_integers(numbers: FloatArray) -> npt.NDArray[np.int64]:
    """Return whole numbers as integers, in their own memory."""
    whole = numbers.view(np.int64)
    for some in spans(numbers.shape[-1]):
        whole[..., some] = numbers[..., some].astype(np.int64)
    return whole


@cache
def _maker_of_blocks() -> Callable[..., Any] | None:
    """Return what makes a frame of blocks of columns; None in pandas 2."""
    # One by one, twenty columns cost pandas as much as an area of 1000 cases. What takes blocks
    # checks nothing: arrays of objects, as texts are in pandas 2, would have to be rows too.
    if not isinstance(text_dtype(), pd.api.extensions.ExtensionDtype):
        return None
    internals = import_module("pandas.api.internals")  # the stubs of pandas have no such module
    make: Callable[..., Any] = internals.create_dataframe_from_blocks
    return make


def typed_column(name: str, values: Any, n_rows: int) -> Any:
    """Return a column in the type of its name, from one value a row or one for all rows."""
    if name in GLOSSARY and GLOSSARY[name].kind != "text":
        return typed_numbers(name, np.full(n_rows, values, dtype=np.float64))
    return _text_values(values, n_rows)


def _text_values(values: Any, n_rows: int) -> Any:
    """Return a column of texts, or of one text that all rows share."""
    if isinstance(values, str):
        values = Labels([values], np.zeros(n_rows, dtype=np.intp))
    if not isinstance(values, Labels):
        return text_column(values).copy()
    if len(values.labels) == 1 and len(values.codes) <= _LONGEST_KEPT:
        return _text_column_of_one_label(values.labels[0], len(values.codes)).copy()
    if len(values.codes) <= _SHORT_COLUMN:
        return text_column([values.labels[int(code)] for code in values.codes]).copy()
    return text_column(values.labels).take(values.codes)


def typed_numbers(name: str, values: FloatArray) -> FloatArray | npt.NDArray[np.int64]:
    """Return counts that are all whole as integers; other numbers as they are."""
    if GLOSSARY[name].kind != "count" or not len(values):
        return values
    # Not pandas' Int64: beside floats it would make arrays of objects of a frame.
    return values.astype(np.int64) if _are_whole_counts(values) else values


def _are_whole_counts(values: FloatArray) -> Any:
    """Return whether the numbers of a row, or of each of several, are all whole."""
    parts = (values[..., some] for some in spans(values.shape[-1]))
    found = (((np.rint(part) == part) & (np.abs(part) < 2**53)).all(axis=-1) for part in parts)
    return reduce(np.logical_and, found)


# A short text column costs as much as ten numeric ones, and a loop over studies makes the same few
# again and again.
_SHORT_COLUMN = 32  # all measures at two operating points are 28 rows
_LONGEST_KEPT = 10**4  # one curve of as many cases; the columns kept are then 20 MB at most


def text_column(values: Sequence[str]) -> Any:
    """Return a column of text, which is kept if it is short."""
    if len(values) <= _SHORT_COLUMN:
        return _short_text_column(tuple(values))
    require_writable(values)
    return pd.array(list(values), dtype=text_dtype())


@lru_cache(maxsize=256)  # some fifty frames with columns of their own
def _short_text_column(values: tuple[str, ...]) -> Any:
    require_writable(values)
    return pd.array(list(values), dtype=text_dtype())


@lru_cache(maxsize=64)
def _text_column_of_one_label(label: str, n: int) -> Any:
    require_writable([label])
    return pd.array([label] * n, dtype=text_dtype())


# A dtype made once: to find it by its name costs more than to make the array of a short column.
@cache
def text_dtype() -> Any:
    """Return the default text type of pandas: "str" from version 3 on, object before."""
    return pd.api.types.pandas_dtype("str" if int(pd.__version__.split(".")[0]) >= 3 else object)


# --- Labels in print ------------------------------------------------------------------------------

SUBJECT = "subject"
"""Key of the metadata of a frame: what its predictors are called in the heading of a table."""

CLASS_HEADING = "class_heading"
"""The same of the heading of its classes."""

# Columns whose values may be names of predictors, classes, modalities or readers.
_COLUMNS_OF_NAMES = ("predictor", "modality", "reader", "reference", "class", "versus", "hull")


def read_print_labels(labels: Any, argument: str = "labels") -> dict[str, str]:
    """Return labels by name; raise InputError unless they are text."""
    if labels is None:
        return {}
    texts = labels.values() if isinstance(labels, Mapping) else [None]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise InputError(
            f"`{argument}` must be a dict of names and their labels, each a text; got {labels!r}."
            f" Pass {argument}={{'column': 'label'}}."
        )
    require_writable([*labels, *texts], f"`{argument}`")
    return {str(name): str(label) for name, label in labels.items()}


def read_print_words(
    labels: Any,
    outcome: Any,
    names: Sequence[str],
    groups: Sequence[str] = (),
    *,
    columns: Sequence[str] = (),
    argument: str = "labels",
) -> dict[str, Any]:
    """Return the metadata on printed names in the frames of a study; {} without any.

    Parameters
    ----------
    labels : mapping of str to str, or None
        Labels of names of the study.
    outcome : str or None
        Name of the condition.
    names, groups : sequence of str
        Predictors (and classes), and the columns of the groups: all that have a label in print.
    columns : sequence of str, optional
        Columns of the data: one dict may label them all, and those of other studies are left out.
    argument : str, default "labels"
        Name of the argument, for messages.
    """
    given, used = read_print_labels(labels, argument), [*names, *groups]
    unknown = [name for name in given if name not in (*used, *columns)]
    if unknown:
        raise InputError(
            f"`{argument}` must use names of the study; got {unknown}. The names are"
            f" {list(dict.fromkeys([*used, *columns]))[:20]}."
        )
    _require_distinct_print_labels({name: given.get(name, name) for name in used}, argument)
    read = {name: label for name, label in given.items() if name in used}
    shown: dict[str, Any] = {"labels": read} if read else {}
    if outcome is not None:
        if not isinstance(outcome, str) or not outcome.strip():
            raise InputError(
                f"`outcome` must be a text, the name of the condition; got {outcome!r}."
                " Pass for instance outcome='Poor outcome'."
            )
        require_writable([outcome], "`outcome`")
        shown["outcome"] = outcome
    # Values of several columns, such as "0, 1", say little without the names of the columns.
    if len(groups) > 1 or any(name in read for name in groups):
        shown["group_label"] = ", ".join(read.get(name, name) for name in groups)
    if len(groups) > 1:
        # By the names of the columns in answers.
        shown["group_labels"] = {
            name_of_group_column(name): read.get(name, name) for name in groups
        }
    return shown


def labels_in(labels: Any, *frames: pd.DataFrame | None) -> dict[str, str]:
    """Return the labels that frames carry; those given by a user go before them."""
    carried = [about_of(frame).get("labels", {}) for frame in frames if frame is not None]
    merged = {name: label for each in carried for name, label in each.items()}
    return {**merged, **read_print_labels(labels)}


def labelled(frame: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame with labels in the place of names; names without a label stay."""
    if not labels:
        return frame
    shown = {}
    for column in (name for name in _COLUMNS_OF_NAMES if name in frame):
        words = {name: labels.get(str(name), name) for name in frame[column].unique().tolist()}
        _require_distinct_print_labels(words, "labels")
        shown[column] = frame[column].map(words)
    found = frame.assign(**shown)
    # Without the labels, which would otherwise be put in the place of labels that are names too.
    about = About((key, value) for key, value in about_of(frame).items() if key != "labels")
    found.attrs = {**frame.attrs, "rocstats": about}
    return found


def in_print(
    labels: Any, frame: pd.DataFrame, other: pd.DataFrame | None = None
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return one or two frames with printed labels: the user's, else those of the frame."""
    known = labels_in(labels, frame, other)
    return labelled(frame, known), other if other is None else labelled(other, known)


def about_of(frame: pd.DataFrame) -> dict[str, Any]:
    """Return the metadata of a frame; {} after pandas or a csv file dropped it."""
    about: dict[str, Any] = frame.attrs.get("rocstats", {})
    return about


def _require_distinct_print_labels(words: Mapping[Any, str], argument: str) -> None:
    """Raise InputError if two names would have the same printed label."""
    numbers = Counter(words.values())
    twice = next((label for label, number in numbers.items() if number > 1), None)
    if twice is not None:
        alike = [name for name, label in words.items() if label == twice]
        raise InputError(
            f"`{argument}` must be different for each name; got the label {twice!r} for {alike}."
            " Give each name a different label."
        )


# --- Limits of binned scores ----------------------------------------------------------------------

_BINNED_NOTE = "binned-scores"


def widened_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of an answer with limits widened by ``binning_error``, and the note.

    The least and the greatest value of each row are in ``ends`` (n x 2), else by quantity.
    """
    found, error = dict(columns), np.asarray(columns[BINNING_ERROR], dtype=np.float64)
    ends = found.get("ends")
    if ends is None:
        ends = _ranges_of_rows(found.get("quantity"), len(error))
    for low, high in (("ci_low", "ci_high"), ("tpr_low", "tpr_high")):
        if low in found:
            limits = (np.asarray(found[name], dtype=np.float64) for name in (low, high))
            found[low], found[high] = widened(limits, error, np.reshape(ends, (-1, 2)))
    if "note" in found:
        found["note"] = _with_binned_note(found["note"], error > 0)
    return found


def widened(
    limits: Iterable[FloatArray], error: FloatArray, ends: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return limits moved outwards by an error, to the ends (n x 2) of their quantity at most."""
    low, high = limits
    error = np.where(error > 0, error, 0.0)
    # Limits of the quantity's own method may lie at its ends: an infinite end stays.
    with np.errstate(invalid="ignore"):
        wide_low = np.fmin(np.maximum(low - error, ends[:, 0]), low)
        wide_high = np.fmax(np.minimum(high + error, ends[:, 1]), high)
    return np.where(np.isnan(low), low, wide_low), np.where(np.isnan(high), high, wide_high)


def _ranges_of_rows(quantities: Labels | Sequence[str] | None, n: int) -> FloatArray:
    """Return the least and the greatest value of each row, of quantities as texts or one text."""
    if quantities is None:
        return np.tile([0.0, 1.0], (n, 1))
    if isinstance(quantities, Labels):
        return np.asarray(
            np.array([range_of(word) for word in quantities.labels])[quantities.codes]
        )
    words = [quantities] * n if isinstance(quantities, str) else quantities
    return np.array([range_of(word) for word in words])


def _with_binned_note(notes: Labels, where: npt.NDArray[np.bool_]) -> Labels:
    """Return notes with that of binned scores at some places."""
    labels = list(notes.labels)
    more = [f"{label}; {_BINNED_NOTE}" if label else _BINNED_NOTE for label in labels]
    return Labels([*labels, *more], notes.codes + len(labels) * np.asarray(where, dtype=np.intp))
