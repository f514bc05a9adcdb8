"""A vector from the user: values, mask of missing values, index and name.

Every argument with a value for each row is read here, so that its index is known where pandas gave
one. Also read here: the class of each row and the direction of each predictor. Neither is ever
guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import infer_dtype

from rocstats.errors import InputError, require_writable
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray
from rocstats.facts.tolerances import LEAST_UNIT
from rocstats.facts.words import did_you_mean, spelled_alike
from rocstats.frame.make import warn_of_doubts

EXACT_INTEGERS = 2**53  # float64 has a significand of 53 bits: every integer up to here is exact

MISSING_MARKS = frozenset({"", "NA", "NaN", "nan", "."})
"""An empty cell of a file, and what R, pandas, SAS and Stata write for a missing number."""

COMMON_MISSING_MARKS = frozenset(
    {*(mark.casefold() for mark in MISSING_MARKS), "n/a", "n.a.", "#n/a", "#nv", "-", "--", "?"}
    | {"none", "null", "missing", "k.a."}
)
"""Marks that many files have for a missing number, in any case; blanks alone are "" too."""

LIMIT_OF_DETECTION = re.compile(r"\s*([<>]=?|[≤≥])\s*([+-]?(?:\d[\d.,]*|[.,]\d+))\s*")
"""A result beyond a limit: sign and number."""

BOOLEAN_WORDS = {
    **dict.fromkeys(("True", "TRUE", "true"), True),
    **dict.fromkeys(("False", "FALSE", "false"), False),
}
"""How Python, R and databases write a boolean: a column of these words is read as booleans."""

_SPELLED_ALIKE = "labels-spelled-alike"
"""Note of labels that may be one."""

_MIXED_KINDS = ("mixed", "mixed-integer")  # kinds of objects as pandas calls them


# --- Vectors from arrays, pandas and other libraries ----------------------------------------------


@dataclass(frozen=True, eq=False)
class Vector:
    """A one-dimensional input.

    ``values`` is a numpy array or a pandas Categorical; ``missing`` is None if nothing is missing.
    ``index`` is None unless pandas gave one.
    """

    argument: str
    values: Any
    missing: BoolArray | None
    index: pd.Index[Any] | None
    name: str | None

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: IntArray) -> Vector:
        """Return the vector of some rows."""
        missing = None if self.missing is None else self.missing[rows]
        index = None if self.index is None else self.index.take(rows)
        if missing is not None and not missing.any():
            missing = None
        return replace(self, values=self.values[rows], missing=missing, index=index)


def read_vector(obj: Any, argument: str) -> Vector:
    """Return an array, a list, pandas data or any series narwhals reads as a Vector.

    A Vector is returned as it is: a constructor may give a study what it has read already.
    """
    if isinstance(obj, Vector):
        return obj
    if isinstance(obj, (pd.Series, pd.Index)):
        index = obj.index if isinstance(obj, pd.Series) else None
        name = None if obj.name is None else str(obj.name)
        return _vector_of_pandas_array(obj.array, argument, index, name)
    if isinstance(obj, pd.api.extensions.ExtensionArray):
        return _vector_of_pandas_array(obj, argument, None, None)
    if isinstance(obj, pd.DataFrame):  # of a name that two columns have, pandas gives both
        require_unique([str(name) for name in obj.columns], argument)
    if isinstance(obj, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(obj)
        return _one_dimensional_vector(_vector_of(np.asarray(obj.data), argument, mask))
    if is_of_other_library(obj):
        series = _as_narwhals_series(obj, argument)
        if series is not None:
            native, name = series.to_native(), series.name or None
            if isinstance(native, pd.Series):
                return read_vector(native, argument)
            return _vector_of_pandas_array(
                _narwhals_values(series), argument, index_of(native), name
            )
    return _one_dimensional_vector(_vector_of(as_array(obj, argument), argument))


def _vector_of_pandas_array(array: Any, argument: str, index: Any, name: str | None) -> Vector:
    """Return a pandas array as a vector, with its own missing values in the mask."""
    if isinstance(array, pd.Categorical):  # kept: the order of its categories gives the scores
        missing = np.asarray(array.codes) < 0
        return Vector(argument, array, missing if missing.any() else None, index, name)
    if isinstance(array, pd.arrays.NumpyExtensionArray):
        # Not to_numpy(), with which pandas 2 looks for missing values first.
        return _vector_of(np.asarray(array), argument, None, index, name)
    missing = np.asarray(pd.isna(array))
    if not missing.any():
        return _vector_of(np.asarray(array), argument, None, index, name)
    if pd.api.types.is_float_dtype(array.dtype):
        values = array.to_numpy(dtype=np.float64, na_value=np.nan)
        return _vector_of(values, argument, missing, index, name)
    # As objects: integers and decimals beside a missing value would become floats, and tie.
    values = array.to_numpy(dtype=object, na_value=None)
    return Vector(argument, values, missing, index, name)


def _vector_of(
    values: npt.NDArray[Any],
    argument: str,
    mask: BoolArray | None = None,
    index: pd.Index[Any] | None = None,
    name: str | None = None,
) -> Vector:
    """Return an array as a vector; values that are NaN, None or NaT are missing, as masked ones."""
    return Vector(argument, values, _missing_in(mask, values, argument), index, name)


def index_of(obj: Any) -> pd.Index[Any] | None:
    """Return the index of a Series or frame of pandas (or of a library like it), else None."""
    native = obj.to_native() if hasattr(obj, "to_native") else obj  # of narwhals
    index = getattr(native, "index", None)  # a method of lists
    return index if isinstance(index, pd.Index) else None


_KNOWN_LIBRARIES = {"builtins", "numpy", "pandas", "rocstats", "scipy"}


def is_of_other_library(obj: Any) -> bool:
    """Return whether an object is of a library that narwhals may know."""
    # narwhals is imported for these alone: the import would cost every study.
    return type(obj).__module__.partition(".")[0] not in _KNOWN_LIBRARIES


def as_narwhals(obj: Any, argument: str) -> Any:
    """Return a frame or series of another library as narwhals has it, other objects unchanged."""
    import narwhals as nw

    try:
        return nw.from_native(obj, allow_series=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        # Arrow tables have the arrays themselves in ``columns``.
        names = obj.column_names if hasattr(obj, "column_names") else obj.columns
        require_unique([str(name) for name in names], argument)
        # True and 1 are equal, and differ as text.
        raise InputError(
            f"`{argument}` must have unique names; got {list(names)[:20]}. Rename the columns."
        ) from None


def require_in_memory(frame: Any, argument: str) -> None:
    """Raise InputError for a lazy frame of narwhals."""
    import narwhals as nw

    if isinstance(frame, nw.LazyFrame):
        of_cases = argument in ("data", "y_score")
        other = ", or count its scores where they are: count_scores(frame, 'label', 'score')"
        raise InputError(
            f"`{argument}` must be held in memory; got a lazy frame. Call its collect() first"
            f"{other if of_cases else ''}."
        )


def _as_narwhals_series(obj: Any, argument: str) -> Any:
    import narwhals as nw

    series = as_narwhals(obj, argument)
    require_in_memory(series, argument)
    return series if isinstance(series, nw.Series) else None


def _narwhals_values(series: Any) -> Any:
    """Return a narwhals series as a pandas array; an Enum becomes ordered categories."""
    # The categories of an Enum are declared in order, those of a Categorical come by appearance.
    import narwhals as nw

    if series.dtype == nw.Enum:
        return pd.Categorical(series.to_list(), list(series.dtype.categories), ordered=True)
    if series.dtype == nw.Categorical:
        return pd.Categorical(series.to_list())
    kind = series.dtype
    inexact = series.null_count() or kind in (nw.Int128, nw.UInt128)
    if kind.is_decimal() or (kind.is_integer() and inexact):
        # As objects: to_numpy makes floats of them, where integers beyond 2**53 tie.
        return pd.Series(series.to_list(), dtype=object).array
    values = series.to_numpy()
    return pd.Series(values).array


def dense_array_of_sparse_matrix(obj: Any) -> Any:
    """Return a sparse matrix of scipy as an array, other objects unchanged."""
    # Of a sparse matrix np.asarray makes a single object.
    return obj.toarray() if type(obj).__module__.startswith("scipy.sparse") else obj


def as_array(obj: Any, argument: str) -> npt.NDArray[Any]:
    """Return an array-like of any shape as an array, its integers exact."""
    try:
        values = np.asarray(dense_array_of_sparse_matrix(obj))
    except ValueError as problem:
        raise InputError(
            f"`{argument}` must be one-dimensional; got rows of unequal length ({problem})."
            " Pass one value per row."
        ) from None
    except (TypeError, RuntimeError) as problem:  # of libraries whose objects are no arrays
        raise InputError(
            f"`{argument}` must be values that NumPy reads; got {type(obj).__name__} ({problem})."
            " Pass an array, a list or a Series."
        ) from None
    if isinstance(obj, (list, tuple)) and values.ndim > 0:
        # NumPy makes text of 1 beside "1", and floats of integers beside one: those may tie.
        objects = np.array(obj, dtype=object)
        beyond = values.dtype == np.float64 and (np.abs(values) >= EXACT_INTEGERS).any()
        return objects if beyond or infer_dtype(objects.ravel()) in _MIXED_KINDS else values
    return values


def _one_dimensional_vector(vector: Vector) -> Vector:
    if vector.values.ndim != 1:
        raise InputError(
            f"`{vector.argument}` must be one-dimensional; got shape {vector.values.shape}."
            " Pass one value per row."
        )
    return vector


def _missing_in(
    mask: BoolArray | None, values: npt.NDArray[Any], argument: str
) -> BoolArray | None:
    """Return the mask together with the values that are NaN, None or NaT; None if none are."""
    missing = mask
    # Other kinds (integers, booleans, NumPy strings) have no missing values.
    kind = values.dtype.kind
    if kind in "fcOmM" and values.ndim == 1:
        try:
            # For plain numbers pandas would only add its own overhead.
            empty = np.isnan(values) if kind in "fc" else np.asarray(pd.isna(values))
        except ArithmeticError:  # a signaling NaN raises at every comparison
            raise InputError(
                f"`{argument}` must hold values that can be compared; got Decimal('sNaN')."
                " Replace it by None where a value is missing."
            ) from None
        missing = empty if mask is None else mask | empty
    return missing if missing is not None and missing.any() else None


def require_unique(
    names: Sequence[str], argument: str, advice: str = "Rename the columns."
) -> None:
    """Raise InputError if a name is there twice."""
    # As text: the keys 1 and "1" of a dict differ, their labels in a frame do not.
    twice = sorted(name for name, number in Counter(names).items() if number > 1)
    if twice:
        raise InputError(
            f"`{argument}` must have unique names; got {twice} more than once. {advice}"
        )


def describe_rows(
    rows: Sequence[Any] | IntArray, index: pd.Index[Any] | None, limit: int = 5
) -> str:
    """Return the first rows as text, by their labels where pandas gave an index.

    For instance "rows 3, 8, 9, ...", or "row 'p7'". Commands give an index of the rows of the file.
    """
    first = np.asarray(rows[:limit])
    names = (first if index is None else index.take(first)).tolist()
    shown = ", ".join(map(_row_label, names))
    return f"{'row' if len(rows) == 1 else 'rows'} {shown}{', ...' if len(rows) > limit else ''}"


def _row_label(label: Any) -> str:
    return repr(label) if isinstance(label, (str, bytes, tuple)) else str(label)


# --- Scores and weights ---------------------------------------------------------------------------


def read_scores(vector: Vector) -> FloatArray:
    """Return scores as float64, NaN where missing; ordered categories are numbered from 0."""
    values = vector.values
    if isinstance(values, pd.Categorical):
        if not values.ordered:
            raise InputError(
                f"`{vector.argument}` must be numbers or ordered categories; got unordered"
                " categories. Pass their order with pandas.Categorical(..., ordered=True)."
            )
        codes = np.asarray(values.codes, dtype=np.float64)
        return np.asarray(np.where(codes < 0, np.nan, codes))
    scores = _as_numbers(vector)
    if vector.missing is not None:
        scores = np.where(vector.missing, np.nan, scores)
    return scores


def read_categories(vector: Vector) -> tuple[str, ...]:
    """Return the words of ordered categories in their order; () for numbers."""
    values = vector.values
    if not isinstance(values, pd.Categorical):
        return ()
    return tuple(map(str, values.categories))


def _as_numbers(vector: Vector) -> FloatArray:
    """Return the values of a vector as float64; raise InputError if they are no numbers."""
    values = vector.values
    kind = values.dtype.kind
    if kind in "OUS":
        return _vector_objects_as_numbers(vector)
    if kind not in "biuf":
        raise InputError(
            f"`{vector.argument}` must be numbers; got {values.dtype.name} values."
            " Convert them to numbers, or to ordered categories."
        )
    # Wider than float64: long doubles, and integers beyond 2**53.
    numbers: FloatArray = values.astype(np.float64)
    wide = kind == "f" if values.dtype.itemsize > 8 else kind in "iu"
    if wide and (kind == "f" or (np.abs(numbers) >= EXACT_INTEGERS).any()):
        _require_numbers_exact_as_floats(vector, values, numbers)
    return numbers


# A number, whatever mark it is written with.
_NUMBER = re.compile(r"\s*[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?\s*", re.IGNORECASE)
_MOST_CELLS = 3  # of text that a message names
_LONGEST_TEXT = 40
_NO_TEXT_ADVICE = "Convert it to numbers, or to ordered categories."


def require_no_text(vector: Vector, advice: str = _NO_TEXT_ADVICE) -> None:
    """Raise InputError for text among numbers; it names the cells that are none, and their rows."""
    values = vector.values
    if values.dtype.kind not in "OUS":
        return
    missing = np.zeros(len(values), bool) if vector.missing is None else vector.missing
    texts = {
        int(row): value if isinstance(value, str) else str(value)
        for row, value in zip(np.flatnonzero(~missing), values[~missing], strict=True)
        if isinstance(value, (str, bytes))
    }
    if not texts:
        return
    # A column with one word is read as words: its numbers, and marks for missing ones, are right.
    odd = {row: text for row, text in texts.items() if not _NUMBER.fullmatch(text)}
    odd = {row: text for row, text in odd.items() if text not in MISSING_MARKS} or odd or texts
    first: dict[str, int] = {}
    for row, text in odd.items():
        first.setdefault(str(text), row)
    shown = [
        f"{text[:_LONGEST_TEXT]!r} ({describe_rows([row], vector.index)})"
        for text, row in islice(first.items(), _MOST_CELLS)
    ]
    where = f" in column {vector.name!r}" if vector.name else ""
    advice = _advice_on_marks(odd.values()) or advice
    raise InputError(
        f"`{vector.argument}` must be numbers; got {len(odd):,} cell{'s' * (len(odd) > 1)} of text"
        f"{where}: {', '.join(shown)}{' and others' if len(first) > _MOST_CELLS else ''}. {advice}"
    )


def _advice_on_marks(texts: Collection[str]) -> str:
    """Return what to do about texts that are all missing marks or limits; "" of other texts."""
    limits = {text for text in texts if LIMIT_OF_DETECTION.fullmatch(text)}
    others = {*texts} - limits
    if not all(text.strip().casefold() in COMMON_MISSING_MARKS for text in others):
        return ""
    signs = {text.strip()[0] for text in limits}
    options = [
        option
        for option, wanted in (
            ("na='auto'", bool(others)),
            ("below_limit='lowest'", not signs.isdisjoint("<≤")),
            ("above_limit='highest'", not signs.isdisjoint(">≥")),
        )
        if wanted
    ]
    meanings = [
        *(["missing values"] if others else []),
        *(["beyond a limit of detection"] if limits else []),
    ]
    return f"If they are {' or '.join(meanings)}, pass {' and '.join(options)} to read_table."


def _vector_objects_as_numbers(vector: Vector) -> FloatArray:
    """Return Python objects as float64, NaN where missing."""
    # float("1") would turn text into a number silently: text is refused before the conversion.
    require_no_text(vector)
    missing = vector.missing if vector.missing is not None else np.zeros(len(vector), dtype=bool)
    filled = np.where(missing, np.nan, vector.values)
    try:
        numbers = np.asarray(filled, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(
            f"`{vector.argument}` must be numbers; got objects that are not numbers ({problem})."
            " Convert them to numbers."
        ) from None
    _require_numbers_exact_as_floats(vector, vector.values[~missing], numbers[~missing])
    return numbers


def _require_numbers_exact_as_floats(
    vector: Vector, values: npt.NDArray[Any], numbers: FloatArray
) -> None:
    """Raise InputError if integers are not exact as floats, or other numbers tie as floats."""
    # Python's integers, not NumPy's, which are compared with floats as floats.
    rounded = any(
        isinstance(value, Integral) and int(value) != number
        for value, number in zip(values, numbers.tolist(), strict=True)
    )
    if rounded or len(set(values)) > len(set(numbers.tolist())):
        what = "integers beyond 2**53" if rounded else "numbers of more digits"
        raise InputError(
            f"`{vector.argument}` must be exact as 64-bit floats; got {what} (some would become"
            " equal). Pass their ranks."
        )


def read_weights(vector: Vector, *, whole: bool) -> FloatArray:
    """Return finite weights >= 0; frequencies must be whole numbers."""
    weights = read_scores(vector)
    kind = "whole numbers >= 0" if whole else "finite numbers >= 0"
    wrong = ~np.isfinite(weights) | (weights < 0)
    if whole:
        wrong |= weights != np.floor(weights)
    if wrong.any():
        rows = np.flatnonzero(wrong)
        raise InputError(
            f"`{vector.argument}` must be {kind}; got {weights[rows[0]]:g} in"
            f" {describe_rows(rows[:1], vector.index)} (wrong values: {int(wrong.sum())})."
            " Correct or remove these rows."
        )
    largest = float(weights.max(initial=0.0))
    if largest and not LEAST_UNIT <= largest <= 1 / LEAST_UNIT:
        raise InputError(
            f"`{vector.argument}` must have its largest value between {LEAST_UNIT:g} and"
            f" {1 / LEAST_UNIT:g}; got {largest:g}. Express it in another unit."
        )
    return weights


# --- Labels of roles ------------------------------------------------------------------------------


def read_factor(vector: Vector, as_text: Callable[[Any], str] = str) -> Factor:
    """Return a role as a Factor, the code -1 where missing."""
    # Missing entries may be masked values: the mask decides, not pandas.factorize.
    codes, labels = distinct_labels(vector)
    if vector.missing is not None:
        codes = np.where(vector.missing, -1, codes)
    # Of Python's numbers a text is made in half the time that NumPy's take.
    plain = labels.tolist() if _is_number_array(labels) else labels
    return Factor(tuple(map(as_text, plain)), codes.astype(np.intp, copy=False))


def label_text(label: Any) -> str:
    """Return a label as text, 1.0 as "1"."""
    # A missing label turns a column of whole numbers into floats: 1.0 and 1 are the same label.
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def distinct_labels(vector: Vector) -> tuple[IntArray, Any]:
    """Return the code of each row, and the distinct labels; refuse labels that could be mixed up.

    1 and "1", or 1 and True, in one column could be the same label or two.
    """
    values = vector.values
    kinds = values.categories.to_numpy() if isinstance(values, pd.Categorical) else values
    try:
        if kinds.dtype == object and infer_dtype(kinds) in _MIXED_KINDS:
            known = slice(None) if vector.missing is None else ~vector.missing
            _require_labels_of_one_kind(
                vector.argument, kinds if kinds is not values else kinds[known]
            )
        codes, labels = pd.factorize(values)
    except TypeError as problem:
        raise InputError(
            f"`{vector.argument}` must hold labels; got {problem}. Pass texts or numbers."
        ) from None
    if not _is_number_array(labels):
        require_writable(labels, f"`{vector.argument}`")
        _warn_of_label_spellings(vector.argument, labels)
    return codes, labels


def _is_number_array(labels: Any) -> bool:
    """Return whether labels are an array of integers or of doubles, whose texts are Python's."""
    dtype = getattr(labels, "dtype", None)
    return isinstance(dtype, np.dtype) and (dtype.kind in "iu" or dtype == np.float64)


def _warn_of_label_spellings(argument: str, labels: Any) -> None:
    """Warn of labels that differ by case, or by blanks at their ends, alone."""
    # str(): NumPy's texts do not print as the user wrote them.
    texts = [str(label) for label in labels if isinstance(label, str)]
    if alike := spelled_alike(texts):
        got = " and ".join(map(repr, alike[0]))
        warn_of_doubts([_SPELLED_ALIKE], advice={_SPELLED_ALIKE: f"{got} in `{argument}`"})


def _require_labels_of_one_kind(argument: str, labels: npt.NDArray[Any]) -> None:
    seen: dict[str, Any] = {}
    label: Any
    for label in labels:
        number = isinstance(label, (bool, np.bool_, Real))
        whole = number and (isinstance(label, Integral) or float(label).is_integer())
        for form in {str(label), str(int(label))} if whole else {str(label)}:
            other = seen.setdefault(form, label)
            if _kind_of_label(other) is not _kind_of_label(label):
                raise InputError(
                    f"`{argument}` must not hold labels that look the same; got {other!r} and"
                    f" {label!r}. Make all of them texts, or all of them numbers."
                )


def _kind_of_label(label: Any) -> type:
    for kind, members in ((bool, (bool, np.bool_)), (float, Real)):
        if isinstance(label, members):
            return kind
    return type(label)


# --- The class of each row, and the direction of each predictor -----------------------------------

CONVENTIONAL_LABELS = ({0, 1}, {-1, 1})
"""Pairs of labels whose positive class is 1 by convention."""


def read_positives(vector: Vector, pos_label: Any) -> BoolArray:
    """Return a mask of the positives; rows with a missing label are False.

    ``pos_label`` is optional for labels 0/1, -1/1 and booleans, where 1 (True) is positive.
    """
    values = vector.values
    if pos_label is None and vector.missing is None and _labels_are_zero_one(values):
        return np.array(values, dtype=bool)  # a copy: the array is the caller's
    codes, distinct = distinct_labels(vector)
    if vector.missing is not None:
        # A masked value may be a label that no other row has: it must not count as a third class.
        codes = np.where(vector.missing, -1, codes)
        present = np.unique(codes[codes >= 0])
        distinct = distinct[present]
        codes = np.where(codes >= 0, np.searchsorted(present, codes), -1)
    labels = list(distinct)
    _require_at_most_two(vector, labels)
    positive = _positive_label(vector, labels, pos_label)
    # The code -1 of a missing label reads the last entry, False.
    return np.asarray(
        [_are_equal_labels(label, positive) for label in labels] + [False], dtype=bool
    )[codes]


def require_both_classes(
    argument: str, n_pos: float, n_neg: float, *, label: str = "", of: str = ""
) -> None:
    """Raise InputError unless both classes have cases.

    ``label`` follows the positives in the message, ``of`` both classes.
    """
    if n_pos == 0 or n_neg == 0:
        raise InputError(
            f"`{argument}` must hold both classes; got {n_pos:.0f} positives{label} and"
            f" {n_neg:.0f} negatives{of}. Check `pos_label`, and that cases of both classes are in"
            " the data."
        )


def read_directions(
    higher: bool | Mapping[str, bool], names: tuple[str, ...], kind: str = "predictor"
) -> tuple[bool, ...]:
    """Return the direction of each predictor: True if higher scores mean positive."""
    plural = "modalities" if kind == "modality" else "predictors"
    if isinstance(higher, Mapping):
        unknown = [name for name in higher if name not in names]
        if unknown:
            raise InputError(
                f"`higher_is_positive` must name {plural}; got {unknown}."
                f" The {plural} are {list(names)}.{did_you_mean(unknown[0], names)}"
            )
        values = [higher.get(name, True) for name in names]
    else:
        values = [higher] * len(names)
    if not all(isinstance(value, (bool, np.bool_)) for value in values):
        raise InputError(
            f"`higher_is_positive` must be True or False, or a dict of them; got {higher!r}."
            f" State for each {kind} whether higher scores mean positive."
        )
    return tuple(bool(value) for value in values)


def _labels_are_zero_one(values: Any) -> bool:
    if isinstance(values, pd.Categorical) or values.dtype.kind not in "biuf":
        return False
    if values.dtype.kind == "f":
        return bool(((values == 0) | (values == 1)).all())
    # Of whole numbers the least and the largest say it, without arrays of comparisons.
    return values.dtype.kind == "b" or bool(values.size and values.min() >= 0 and values.max() <= 1)


def _require_at_most_two(vector: Vector, labels: list[Any]) -> None:
    if len(labels) > 2:
        raise InputError(
            f"`{vector.argument}` must hold two classes; got {len(labels)} labels:"
            f" {_first_labels(labels)}."
            " Use MulticlassStudy for more classes, or pass one class against the rest."
        )


def _positive_label(vector: Vector, labels: list[Any], pos_label: Any) -> Any:
    """Return the label of the positive class; raise InputError if not given or not present."""
    if pos_label is None:
        if any(_labels_are_within_pair(labels, pair) for pair in CONVENTIONAL_LABELS):
            return 1
        raise InputError(
            f"`pos_label` must be given for labels other than 0/1, -1/1 and booleans;"
            f" got labels {_first_labels(labels)}. Pass the label of the positive class."
        )
    if isinstance(pos_label, str) and all(isinstance(label, (bool, np.bool_)) for label in labels):
        pos_label = BOOLEAN_WORDS.get(pos_label, pos_label)  # TRUE in a file that is read
    if len(labels) == 2 and not any(_are_equal_labels(label, pos_label) for label in labels):
        raise InputError(
            f"`pos_label` must be one of the labels of `{vector.argument}`:"
            f" {_first_labels(labels)}; got {pos_label!r}."
            f"{did_you_mean(pos_label, labels) or ' Pass one of them.'}"
        )
    return pos_label


def _are_equal_labels(label: Any, other: Any) -> bool:
    # Against an array NumPy compares by element, and pandas answers NA for NA: neither is a label.
    try:
        equal = label == other
    except (ValueError, OverflowError):  # rows of unequal length, an integer beyond any float
        return False
    return isinstance(equal, (bool, np.bool_)) and bool(equal)


def _labels_are_within_pair(labels: list[Any], pair: set[int]) -> bool:
    return all(not isinstance(label, str) and label in pair for label in labels)


def _first_labels(labels: list[Any]) -> str:
    # item() turns NumPy scalars into Python ones, which print as the user wrote them.
    shown = ", ".join(
        repr(getattr(label, "item", lambda label=label: label)()) for label in labels[:6]
    )
    return f"{shown}{', ...' if len(labels) > 6 else ''}"
