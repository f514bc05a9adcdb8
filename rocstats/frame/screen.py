"""What an answer shows at a prompt and in a notebook: the columns that tell something, rounded.

``brief`` returns them with quantities in words; an answer displays its words as they are stored,
cut to the screen. ``About`` is what a frame carries about itself in ``attrs``, in a form that
pandas copies fast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from html import escape
from shutil import get_terminal_size
from types import NoneType
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import require_whole
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import class_of
from rocstats.facts.words import MOST_TYPED_DECIMALS, quantity_text, row_dicts
from rocstats.frame.checks import require_frame
from rocstats.frame.cutoffs import (
    CUTOFFS,
    MOST_DECIMALS,
    NEXT_SCORES,
    cutoff_text,
    shortest_decimals,
)
from rocstats.frame.plans import is_plan, plan_sentences

# --- What a frame carries about itself ------------------------------------------------------------

# Values of these types never change, so that a copy of a dict may share them.
_IMMUTABLE = frozenset({str, int, float, bool, NoneType})


class About(dict[str, Any]):
    """The dict ``attrs["rocstats"]`` of a frame, with a deep copy that takes a third of the time.

    Pandas makes a deep copy of ``attrs`` for each column, row and part that is taken of a frame,
    and for each result of an operation. The general ``deepcopy`` took two fifths of the time in
    which a column is taken.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> About:
        """Return a dict that shares nothing that can be changed with this one."""
        # Noted first, as deepcopy wants it of a container that may hold itself.
        found = memo[id(self)] = About()
        for key, value in self.items():
            if type(value) in _IMMUTABLE:
                found[key] = value
            elif type(value) is list and _IMMUTABLE.issuperset(map(type, value)):
                found[key] = value.copy()
            else:
                found[key] = deepcopy(value, memo)
        return found


# --- Which columns tell something, and how far they are rounded -----------------------------------


def brief(frame: pd.DataFrame, *, digits: int = 3) -> pd.DataFrame:
    """Return a frame for the screen: informative columns, rounded, with quantities in words.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of this package, or some rows and columns of it.
    digits : int, default 3
        Decimals of estimates and limits, at least 1. Columns of large numbers have fewer decimals,
        columns of small numbers more; P values below the last decimal keep one significant digit.
        Thresholds have as many decimals as they need to call the same cases positive.

    Returns
    -------
    pandas.DataFrame
        A frame of numbers and texts, printed with the decimals of each unit. Columns that are empty
        or constant are omitted, except predictor, reference, group, quantity, estimate with limits
        and P value, and notes. ``next_score``, the nearest score beyond a threshold, is omitted
        too. A single row without an estimate keeps all other columns that are not empty.
        ``attrs["rocstats"]["left_out"]`` has the value of each omitted column, None if empty.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of this package, or ``digits`` is not a whole number >= 1.

    References
    ----------
    - The page "Columns" of the documentation lists the glossary

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 0, 1, 0, 0]
    >>> study = rs.Study(y, {"a": [6, 5, 4, 3, 2, 1], "b": [6, 4, 5, 2, 3, 1]})
    >>> rs.brief(study.auc(), digits=2)
      predictor quantity estimate ci_low ci_high    se       note
    0         a      AUC     0.89   0.09    1.00  0.16  few-cases
    1         b      AUC     0.67   0.06    0.98  0.27  few-cases
    """
    require_whole("digits", digits, 1, "Pass the number of decimals, for instance 3.")
    plain = _brief_frame(require_frame(frame), digits, in_words=True)
    shown = Brief(plain)
    shown.attrs = plain.attrs
    return shown


# The answer of a row, shown even where all rows agree, or where there is one row only.
ANSWER = frozenset(
    [
        *("predictor", "modality", "reference", "group", "reader", "quantity"),
        *("estimate", "ci_low", "ci_high", "p_adjusted", "p_value", "note"),
    ]
)
P_VALUES = ("p_adjusted", "p_value")
"""The adjusted P value first, which belongs to the requested adjustment."""
_ESTIMATE_AND_LIMITS = ("estimate", "ci_low", "ci_high")
_RANGE = ("range_axis", "range_low", "range_high")
_MOST_PLACES = 308  # np.round multiplies by a power of ten, which must be a number


def _brief_frame(frame: pd.DataFrame, digits: int, *, in_words: bool) -> pd.DataFrame:
    """Return the informative columns of a frame, rounded, as a plain frame."""
    beside = NEXT_SCORES.values()
    full = [
        name for name in frame.columns if name not in beside and not _column_is_empty(frame[name])
    ]
    # One row without an estimate, as of a plan or a global test, has its answer in other columns.
    whole = len(frame) == 1 and "estimate" not in full
    kept = [name for name in full if whole or name in ANSWER or _column_varies(frame[name])]
    if in_words and "quantity" in kept:  # its words say the range
        kept = [name for name in kept if name not in _RANGE]
    kept = _p_values_first(frame, _places_before_estimate(kept))
    columns = {name: _rounded_column(frame, name, digits) for name in kept}
    if in_words and "quantity" in columns:
        columns["quantity"] = _quantities_in_words(frame)
    shown = pd.DataFrame(columns, index=frame.index)
    left_out = {
        name: _constant_value_of_column(frame[name]) for name in frame.columns if name not in kept
    }
    about = frame.attrs.get("rocstats", {})
    shown.attrs["rocstats"] = About(about, digits=digits, left_out=left_out)
    return shown


_ORDER = {name: place for place, name in enumerate(GLOSSARY)}


def _places_before_estimate(names: list[str]) -> list[str]:
    """Return columns, those that tell what a row is about before the estimate.

    Of frames with different columns, ``pandas.concat`` puts what the first one lacks at the end.
    """
    if "estimate" not in names:
        return names
    at, last = names.index("estimate"), _ORDER["estimate"]
    late = [name for name in names[at:] if _ORDER.get(name, last) < last]
    return [*names[:at], *late, *(name for name in names[at:] if name not in late)]


def _p_values_first(frame: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """Return the columns with the adjusted P value before the other; without it where all agree."""
    if not set(P_VALUES) <= set(names):
        return list(names)
    rest = [name for name in names if name != "p_adjusted"]
    place = rest.index("p_value")
    adjusted = [] if frame["p_adjusted"].equals(frame["p_value"]) else ["p_adjusted"]
    return [*rest[:place], *adjusted, *rest[place:]]


def is_adjusted(frame: pd.DataFrame) -> bool:
    """Return whether an estimate frame has P values that an adjustment for multiplicity changed.

    Parameters
    ----------
    frame : pandas.DataFrame
        An estimate frame.

    Returns
    -------
    bool
        True if any ``p_adjusted`` differs from its ``p_value``.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.frame.screen import is_adjusted
    >>> is_adjusted(pd.DataFrame({"p_value": [0.01, 0.04], "p_adjusted": [0.02, 0.04]}))
    True
    """
    if "p_adjusted" not in frame:
        return False
    pairs = frame[["p_value", "p_adjusted"]].dropna()
    return bool((pairs["p_value"] != pairs["p_adjusted"]).any())


def _column_varies(column: pd.Series) -> bool:
    return column.nunique(dropna=False) > 1


def _column_is_empty(column: pd.Series) -> bool:
    missing = column.isna()
    # Numbers are not compared with a text: a million of them would be made objects.
    return bool((missing if column.dtype.kind in "biuf" else missing | (column == "")).all())


def _constant_value_of_column(column: pd.Series) -> str | float | None:
    """Return the value of all rows; None where there is none, or where rows differ."""
    if _column_is_empty(column) or _column_varies(column):
        return None
    value = column.iloc[0]
    return value if isinstance(value, str) else float(value)


def _rounded_column(frame: pd.DataFrame, name: str, digits: int) -> pd.Series:
    """Return a column of numbers rounded; a column of words as it is."""
    column = frame[name]
    if not is_real(name):
        return column
    values = column.to_numpy(dtype=np.float64)
    if name in P_VALUES:
        return pd.Series(_rounded_p(values, digits), index=frame.index)
    decimals = decimals_by_row(frame, name, digits)
    if name in CUTOFFS:
        rounded, _ = shortest_decimals(_next_score_column(frame, name), values, decimals)
    elif name in _ESTIMATE_AND_LIMITS:
        rounded = _rounded_estimates(frame, name, decimals)
    elif name == "risk_threshold":  # one that was typed stays so, those of a grid are rounded
        _, typed = shortest_decimals(np.nan, values)
        typed = np.where(typed <= MOST_TYPED_DECIMALS, typed, 0)
        rounded = _rounded_to(values, np.maximum(decimals, typed))
    else:
        rounded = _rounded_to(values, decimals)
    return pd.Series(rounded, index=frame.index)


def _rounded_estimates(
    frame: pd.DataFrame, name: str, decimals: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """Return estimates or limits rounded, those of cutpoints so that they call the same cases."""
    values, chosen = frame[name].to_numpy(dtype=np.float64), _are_cutoffs(frame)
    if not chosen.any():
        return _rounded_to(values, decimals)
    rows = frame[chosen]
    cutoffs, needed = shortest_decimals(
        _next_score_column(rows, "threshold"), rows["estimate"], decimals[chosen]
    )
    # The limits of a cutpoint have the decimals of the cutpoint.
    decimals = decimals.copy()
    decimals[chosen] = np.minimum(np.maximum(decimals[chosen], needed), MOST_DECIMALS)
    rounded = _rounded_to(values, decimals)
    if name == "estimate":
        rounded[chosen] = cutoffs
    return rounded


def _rounded_to(
    values: npt.NDArray[np.float64], decimals: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """Return finite values rounded to the decimals of each row, as far as np.round can."""
    rounded = values.copy()
    for places in np.unique(decimals[decimals <= _MOST_PLACES]):
        rows = (decimals == places) & np.isfinite(values)
        rounded[rows] = np.round(values[rows], places) + 0.0  # -0 is 0
    return rounded


def _next_score_column(frame: pd.DataFrame, name: str) -> npt.NDArray[np.float64]:
    """Return the score next to each cutoff of a column; NaN in a frame that has none."""
    if NEXT_SCORES.get(name) not in frame:
        return np.full(len(frame), np.nan)
    return frame[NEXT_SCORES[name]].to_numpy(dtype=np.float64)


def _are_cutoffs(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows that estimate a chosen cutoff."""
    if "quantity" not in frame:
        return np.zeros(len(frame), bool)
    return (frame["quantity"].str.casefold() == "threshold").to_numpy(dtype=bool)


def is_real(name: str) -> bool:
    """Return whether a column holds numbers that are no counts."""
    return name in GLOSSARY and GLOSSARY[name].kind == "real"


def decimals_by_row(frame: pd.DataFrame, name: str, digits: int) -> npt.NDArray[np.intp]:
    """Return the decimals of each row: rows of one unit have the same.

    Units of up to .01 to 10 have ``digits`` decimals, smaller ones as many digits in all, larger
    ones one decimal less for each place before the point.
    """
    # An estimate and its limits are read together: they have the decimals of the largest.
    together = (
        [other for other in _ESTIMATE_AND_LIMITS if other in frame]
        if name in _ESTIMATE_AND_LIMITS
        else [name]
    )
    sizes = frame[together].astype(np.float64).abs()
    size = sizes.where(np.isfinite(sizes) & (sizes > 0)).max(axis=1)
    units = _units(frame, name)
    largest = size.groupby(units, sort=False).transform("max") if units else size * 0 + size.max()
    place = np.floor(np.log10(largest.fillna(1.0).to_numpy())).astype(np.intp)
    decimals = np.where((place >= -2) & (place <= 0), digits, digits - place - (place < 0))
    return np.maximum(decimals, 0)


def _units(frame: pd.DataFrame, name: str) -> list[pd.Series]:
    """Return the columns that distinguish rows of different units: quantity and predictor."""
    names = [key for key in ("predictor", "quantity") if key in frame]
    if "threshold" in name:
        names = names[:1]
    units = [frame[key] for key in names]
    if len(units) == 2:  # a threshold is in units of its score, other quantities of all are alike
        units[0] = units[0].where(units[1].str.casefold() == "threshold", "")
    return units


def _quantities_in_words(frame: pd.DataFrame) -> pd.Series:
    """Return the quantity of each row in words."""
    names = [name for name in ("quantity", "reference", *_RANGE) if name in frame]
    # Many rows say the same: the words are made once for each combination.
    number = frame.groupby(names, sort=False, dropna=False).ngroup()
    each = [quantity_text(row) for row in row_dicts(frame[names].drop_duplicates())]
    return number.map(dict(enumerate(each)))


def _rounded_p(values: npt.NDArray[np.float64], digits: int) -> npt.NDArray[np.float64]:
    """Return P values with ``digits`` decimals; one digit of those that would be 0."""
    rounded = np.round(values, digits)
    for i in np.flatnonzero((rounded == 0) & (values > 0)):
        rounded[i] = float(f"{values[i]:.0e}")
    return rounded


# --- Frames that print their answer ---------------------------------------------------------------

_TEXT_LENGTHS = (50, 36, 28, 20)  # characters of a text on the screen; 50 is that of pandas
_SHORTEST_TEXT = 12  # where a P value has no room otherwise
_MOST_COLUMNS = 20  # of a table in a notebook, as pandas has it
_SCREEN_DIGITS = 3
_NEVER_WHOLE = ("estimate", "ci_low", "ci_high", "se", "power")  # an area of 1 is 1.000


class Brief(pd.DataFrame):
    """A frame of few columns that prints each number with the decimals of its unit."""

    # No _constructor, so that what pandas makes of it is a DataFrame.

    def __repr__(self) -> str:
        """Return all columns side by side."""
        return _frame_as_text(_printed(self), _TEXT_LENGTHS[0])

    def _repr_html_(self) -> str | None:
        """Return the table of a notebook."""
        return _html(_printed(self))


class Answer(pd.DataFrame):
    """A frame that displays its informative columns, rounded, and the number of all its columns.

    Words are shown as they are stored. What pandas makes of it is an answer too, as long as it has
    the columns without which a row cannot be read (``columns_to_read``), in their types; anything
    else is a plain DataFrame, as are columns that were picked. Nothing else differs.
    """

    _metadata: ClassVar[list[str]] = ["_needed"]  # which pandas copies, and keeps in pickles
    _needed: frozenset[str] = frozenset()

    # Of a subclass without these three pandas makes each result twice, which doubles the time of
    # taking a column. They make a plain frame, whose class is then all that changes.

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return self._made

    def _made(self, *args: Any, **kwargs: Any) -> pd.DataFrame:
        return self._with_face(pd.DataFrame(*args, **kwargs))

    def _constructor_from_mgr(self, mgr: Any, axes: Any) -> Any:
        return self._with_face(pd.DataFrame._from_mgr(mgr, axes))  # type: ignore[attr-defined]

    def _constructor_sliced_from_mgr(self, mgr: Any, axes: Any) -> Any:
        column = pd.Series._from_mgr(mgr, axes)  # type: ignore[attr-defined]
        column._name = None  # the caller names it
        return column

    def _with_face(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return what pandas made of this answer as an answer, where it can be read as one."""
        return as_answer(frame, self._needed) if _can_be_read(frame, self._needed) else frame

    def __repr__(self) -> str:
        """Return the leading informative columns that fit the width of the screen."""
        if not _can_be_read(self, self._needed):  # after a change in place
            return pd.DataFrame.__repr__(self)
        return "\n".join([_fitting(_printed(_shown_as_stored(self))), self._sizes(), *self._said()])

    def _repr_html_(self) -> str | None:
        """Return the informative columns as a table of a notebook."""
        if not _can_be_read(self, self._needed):
            return super()._repr_html_()  # type: ignore[misc, no-any-return]
        table = _html(_printed(_shown_as_stored(self)).iloc[:, :_MOST_COLUMNS])
        below = "".join(f"\n<p>{text}</p>" for text in (self._sizes(), *map(escape, self._said())))
        return table and f"{table}{below}"

    def _said(self) -> list[str]:
        """Return the sentences of a plan, for a grant application; [] of other answers."""
        return plan_sentences(self) if is_plan(self) else []

    def _sizes(self) -> str:
        rows, columns = self.shape
        return f"[{rows} row{'s' * (rows != 1)}, {columns} columns in all]"


def columns_to_read(names: Iterable[str]) -> frozenset[str]:
    """Return the columns without which a row of an answer cannot be read.

    Of estimates these are the columns that no display leaves out; of curves and others, all.
    """
    names = frozenset(names)
    return names & ANSWER if "estimate" in names else names


def as_answer(frame: pd.DataFrame, needed: frozenset[str]) -> Answer:
    """Return a frame, itself, as an answer with the columns that are needed to read it."""
    # The class has methods only; Answer(frame) would copy each block of columns twice.
    frame.__class__ = Answer
    object.__setattr__(frame, "_needed", needed)  # not by pandas, which would look for a column
    return cast("Answer", frame)


def _can_be_read(frame: pd.DataFrame, needed: frozenset[str]) -> bool:
    """Return whether a frame has some columns, each once, and those of the glossary their types."""
    names = frame.columns
    if not (needed.issubset(names) and names.is_unique and names.nlevels == 1):
        return False
    for name, dtype in zip(names, frame.dtypes, strict=True):
        column = GLOSSARY.get(name)
        if column and (dtype.kind in "iuf") != (column.kind != "text"):
            return False
    return True


def _shown_as_stored(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the informative columns of an answer, rounded, with words as they are stored."""
    return _brief_frame(frame, _SCREEN_DIGITS, in_words=False)


def _printed(shown: pd.DataFrame) -> pd.DataFrame:
    """Return a brief frame as texts.

    By itself pandas prints a column with the decimals that its smallest number needs.
    """
    digits = shown.attrs["rocstats"]["digits"]
    ends = _printed_rows(len(shown))
    printed = shown.iloc[ends].copy()
    for name in filter(is_real, shown.columns):
        decimals = _printed_decimals(shown, name, digits)[ends]
        if name in _ESTIMATE_AND_LIMITS:
            decimals = _decimals_of_chosen(shown.iloc[ends], decimals)
        printed[name] = list(map(_cell_writer(name), printed[name], decimals))
    return printed


def _decimals_of_chosen(
    shown: pd.DataFrame, decimals: npt.NDArray[np.intp]
) -> npt.NDArray[np.intp]:
    """Return decimals with which the rows of chosen cutoffs print the cutoff as it is."""
    chosen = _are_cutoffs(shown)
    if not chosen.any() or "estimate" not in shown:
        return decimals
    _, needed = shortest_decimals(np.nan, shown["estimate"])
    return np.where(chosen, np.maximum(decimals, np.minimum(needed, MOST_DECIMALS)), decimals)


def _html(printed: pd.DataFrame) -> str | None:
    with pd.option_context("display.show_dimensions", False):
        return printed._repr_html_()  # type: ignore[operator, no-any-return]


def _printed_rows(n_rows: int) -> npt.NDArray[np.intp]:
    """Return the rows that pandas may print, and one more, so that it draws its line of dots."""
    most = pd.get_option("display.max_rows") or n_rows
    rows = np.arange(n_rows)
    return rows if n_rows <= most else np.delete(rows, slice(most // 2 + 1, n_rows - most // 2))


def _printed_decimals(shown: pd.DataFrame, name: str, digits: int) -> npt.NDArray[np.intp]:
    """Return the decimals of each row; none where a column has whole numbers only."""
    if name in P_VALUES:
        return np.full(len(shown), digits)
    values = shown[name].to_numpy(dtype=np.float64)
    if name not in _NEVER_WHOLE and np.all(np.floor(values) == values, where=~np.isnan(values)):
        return np.zeros(len(shown), np.intp)
    return decimals_by_row(shown, name, digits)


def _cell_writer(name: str) -> Callable[[float, int], str]:
    if name in CUTOFFS or name == "risk_threshold":
        return _cutoff_cell
    return _p_value_cell if name in P_VALUES else _number_cell


def _cutoff_cell(value: float, decimals: int) -> str:
    """Return a cutoff that is short already; a very large or small one with an exponent."""
    if math.isnan(value) or math.isinf(value):
        return _number_cell(value, 0)
    text = cutoff_text(value, decimals=decimals)
    # In a column that is not of whole numbers only, a whole one has the decimals of the others.
    return text if "." in text or "e" in text else f"{text}.{'0' * decimals}".rstrip(".")


def _number_cell(value: float, decimals: int) -> str:
    return "NaN" if math.isnan(value) else f"{value:.{decimals}f}"


def _p_value_cell(value: float, decimals: int) -> str:
    """Return a P value with the usual decimals, or with one digit where they would all be 0."""
    return f"{value:.0e}" if 0 < value < 0.5 * 10.0**-decimals else _number_cell(value, decimals)


def _fitting(frame: pd.DataFrame) -> str:
    """Return the leading columns as text that fits the screen, at least up to the P value."""
    width = get_terminal_size((pd.get_option("display.width") or 80, 24)).columns
    names = list(frame.columns)
    last = names.index("ci_high") + 1 if "ci_high" in names else min(len(names), 1)
    # The first P value is part of the answer: words give way before it does.
    tested = [name for name in P_VALUES if name in names[last:]][:1]
    shown, cut = _leading_columns(frame[[*names[:last], *tested]], width)
    for name in names[last:]:
        if name in shown:
            continue
        more = [each for each in names if each in shown or each == name]
        if _frame_width(frame[more], cut) > width:
            break
        shown = more
    hidden = "quantity" in frame and "quantity" not in shown  # then all rows share it
    below = f"\nIn all rows: quantity {frame['quantity'].iloc[0]}"[: width + 1] if hidden else ""
    return _frame_as_text(frame[shown], cut) + below


def _leading_columns(frame: pd.DataFrame, width: int) -> tuple[list[str], int]:
    """Return the columns that fit the screen, and the number of characters of cut texts."""
    names = list(frame.columns)
    # Long words are cut before an answer is, then what else tells the place of the row.
    places = [name for name in names if name not in ANSWER]
    tries = [(names, cut) for cut in _TEXT_LENGTHS]
    for k in reversed(range(len(places))):
        if k == 0 and "quantity" in frame and frame["quantity"].nunique() == 1:
            # The first place tells rows apart, a quantity that all of them share does not.
            hidden = {"quantity", *places[1:]}
            tries.append(([name for name in names if name not in hidden], _TEXT_LENGTHS[-1]))
        tries.append(([name for name in names if name not in places[k:]], _TEXT_LENGTHS[-1]))
    rest = tries[-1][0]
    if any(name in rest for name in P_VALUES):
        shared = ["quantity"] if "quantity" in rest and frame["quantity"].nunique() == 1 else []
        least = [name for name in rest if name not in shared]
        tries += [(least, cut) for cut in (_TEXT_LENGTHS[-1], _SHORTEST_TEXT)]
    fitting = (each for each in tries if _frame_width(frame[each[0]], each[1]) <= width)
    return next(fitting, tries[-1])


def _frame_as_text(frame: pd.DataFrame, cut: int) -> str:
    """Return all columns side by side, texts cut to ``cut`` characters."""
    wide = ("display.max_columns", None, "display.expand_frame_repr", False)
    with pd.option_context(*wide, "display.show_dimensions", False, "display.max_colwidth", cut):
        return pd.DataFrame.__repr__(frame)


def _frame_width(frame: pd.DataFrame, cut: int) -> int:
    return max(map(len, _frame_as_text(frame, cut).splitlines()))


# --- Points on curves -----------------------------------------------------------------------------

ROC_AXES = ("fpr", "tpr")


def given_rates(frame: pd.DataFrame) -> Sequence[str]:
    """Return the rate that was given at points on curves; both where no row of the frame tells."""
    notes = frame["note"].fillna("") if "note" in frame else pd.Series("", frame.index)
    # Where a rate is given, all quantities of its class are fixed, not estimated.
    fixed = {class_of(word) for word in frame.loc[notes.str.contains("given-rate"), "quantity"]}
    given = [rate for rate in ROC_AXES if class_of(rate) in fixed]
    return given if len(given) == 1 else ROC_AXES
