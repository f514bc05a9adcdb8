"""What an answer shows at a prompt and in a notebook: ``brief`` of it, cut to the screen."""

from __future__ import annotations

import math
from collections.abc import Callable
from shutil import get_terminal_size
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import require_whole
from rocstats.frames.brief import ANSWER, P_VALUES, chosen, decimals_of, is_real

_CUTS = (50, 36, 28, 20)  # letters of a text on the screen; 50 is pandas' own
_MOST_COLUMNS = 20  # of a table in a notebook, as pandas has it
_NEVER_WHOLE = ("estimate", "ci_low", "ci_high", "se", "power")  # an area of 1 is 1.000


def brief(frame: pd.DataFrame, *, digits: int = 3) -> pd.DataFrame:
    """Return the columns of a frame that tell something, rounded, its quantities in words.

    Parameters
    ----------
    frame : pandas.DataFrame
        An answer of this package, or rows and columns of one.
    digits : int, default 3
        Decimals of estimates and limits, at least 1. Columns of large numbers have fewer, those
        of small ones more; P values below the last decimal keep one significant digit.

    Returns
    -------
    pandas.DataFrame
        A frame of numbers and texts, printed with the decimals of each unit. Columns that are empty
        or the same in all rows are left out, but for the predictor, its reference and its group,
        the quantity, the estimate with its limits and P value, and notes. One row without an
        estimate keeps all that is not empty.
        ``attrs["rocstats"]["left_out"]`` has the value of each column left out, None where empty.

    Raises
    ------
    InputError
        If ``digits`` is not a whole number of 1 or more.

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
    plain = chosen(frame, digits)
    shown = Brief(plain)
    shown.attrs = plain.attrs
    return shown


class Brief(pd.DataFrame):
    """A frame of few columns that prints each number with the decimals of its unit."""

    # No _constructor, so that what pandas makes of it is a DataFrame.

    def __repr__(self) -> str:
        """Return all columns side by side."""
        return _text(_printed(self), _CUTS[0])

    def _repr_html_(self) -> str | None:
        """Return the table of a notebook."""
        return _html(_printed(self))


class Answer(pd.DataFrame):
    """A frame that shows its answer: ``brief`` of it, and how many columns it has in all.

    Nothing else differs from a DataFrame; slices, copies and frames made of it are plain ones.
    """

    # No _constructor, so that what pandas makes of it is a DataFrame. Of a subclass pandas makes it
    # twice, which doubles the time of taking a column; these two make what a plain frame would.

    def _constructor_from_mgr(self, mgr: Any, axes: Any) -> Any:
        return pd.DataFrame._from_mgr(mgr, axes)  # type: ignore[attr-defined]

    def _constructor_sliced_from_mgr(self, mgr: Any, axes: Any) -> Any:
        column = pd.Series._from_mgr(mgr, axes)  # type: ignore[attr-defined]
        column._name = None  # the caller names it
        return column

    def __repr__(self) -> str:
        """Return the leading columns of ``brief`` that fit the width of the screen."""
        return f"{_fitting(_printed(brief(self)))}\n{self._sizes()}"

    def _repr_html_(self) -> str | None:
        """Return ``brief`` as a table of a notebook."""
        table = _html(_printed(brief(self)).iloc[:, :_MOST_COLUMNS])
        return table and f"{table}\n<p>{self._sizes()}</p>"

    def _sizes(self) -> str:
        rows, columns = self.shape
        return f"[{rows} row{'s' * (rows != 1)}, {columns} columns in all]"


def _printed(shown: pd.DataFrame) -> pd.DataFrame:
    """Return a brief frame as texts.

    By itself pandas prints a column with the decimals that its smallest number needs.
    """
    digits = shown.attrs["rocstats"]["digits"]
    ends = _ends(len(shown))
    printed = shown.iloc[ends].copy()
    for name in filter(is_real, shown.columns):
        decimals = _decimals(shown, name, digits)[ends]
        printed[name] = list(map(_text_of(name), printed[name], decimals))
    return printed


def _html(printed: pd.DataFrame) -> str | None:
    with pd.option_context("display.show_dimensions", False):
        return printed._repr_html_()  # type: ignore[operator, no-any-return]


def _ends(n_rows: int) -> npt.NDArray[np.intp]:
    """Return the rows that pandas may print, and one more, so that it draws its line of dots."""
    most = pd.get_option("display.max_rows") or n_rows
    rows = np.arange(n_rows)
    return rows if n_rows <= most else np.delete(rows, slice(most // 2 + 1, n_rows - most // 2))


def _decimals(shown: pd.DataFrame, name: str, digits: int) -> npt.NDArray[np.intp]:
    """Return the decimals of each row; none where a column has whole numbers only."""
    if name in P_VALUES:
        return np.full(len(shown), digits)
    values = shown[name].to_numpy(dtype=np.float64)
    if name not in _NEVER_WHOLE and np.all(np.floor(values) == values, where=~np.isnan(values)):
        return np.zeros(len(shown), np.intp)
    return decimals_of(shown, name, digits)


def _text_of(name: str) -> Callable[[float, int], str]:
    return _p_text if name in P_VALUES else _number_text


def _number_text(value: float, decimals: int) -> str:
    return "NaN" if math.isnan(value) else f"{value:.{decimals}f}"


def _p_text(value: float, decimals: int) -> str:
    """Return a P value with the usual decimals, or with one digit where they would all be 0."""
    return f"{value:.0e}" if 0 < value < 0.5 * 10.0**-decimals else _number_text(value, decimals)


def _fitting(frame: pd.DataFrame) -> str:
    """Return the leading columns as text that fits the screen, at least up to the limits."""
    width = get_terminal_size((pd.get_option("display.width") or 80, 24)).columns
    names = list(frame.columns)
    last = names.index("ci_high") + 1 if "ci_high" in names else min(len(names), 1)
    shown, cut = _beginning(frame[names[:last]], width)
    for name in names[last:]:
        if _width(frame[[*shown, name]], cut) > width:
            break
        shown = [*shown, name]
    return _text(frame[shown], cut)


def _beginning(frame: pd.DataFrame, width: int) -> tuple[list[str], int]:
    """Return the columns that fit the screen, and to how many letters texts are cut."""
    names = list(frame.columns)
    # Long words are cut before an answer is, then what else tells the place of the row.
    places = [name for name in names if name not in ANSWER]
    tries = [(names, cut) for cut in _CUTS]
    for k in reversed(range(len(places))):
        if k == 0 and "quantity" in frame and frame["quantity"].nunique() == 1:
            # The first place tells rows apart, a quantity that all of them share does not.
            hidden = {"quantity", *places[1:]}
            tries.append(([name for name in names if name not in hidden], _CUTS[-1]))
        tries.append(([name for name in names if name not in places[k:]], _CUTS[-1]))
    fitting = (each for each in tries if _width(frame[each[0]], each[1]) <= width)
    return next(fitting, tries[-1])


def _text(frame: pd.DataFrame, cut: int) -> str:
    """Return all columns side by side, texts cut to so many letters."""
    wide = ("display.max_columns", None, "display.expand_frame_repr", False)
    with pd.option_context(*wide, "display.show_dimensions", False, "display.max_colwidth", cut):
        return pd.DataFrame.__repr__(frame)


def _width(frame: pd.DataFrame, cut: int) -> int:
    return max(map(len, _text(frame, cut).splitlines()))
