"""What an answer shows at a prompt and in a notebook: ``brief`` of it, cut to the screen."""

from __future__ import annotations

import math
from collections.abc import Callable
from shutil import get_terminal_size

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.frames.brief import ANSWER, P_VALUES, brief, decimals_of, is_real

_DIGITS = 3  # as ``brief``
_CUTS = (50, 36, 28, 20)  # letters of a text on the screen; 50 is pandas' own
_MOST_COLUMNS = 20  # of a table in a notebook, as pandas has it
_NEVER_WHOLE = (
    "estimate",
    "ci_low",
    "ci_high",
    "se",
    *P_VALUES,
)  # an area of 1 is printed as 1.000


class Answer(pd.DataFrame):
    """A frame that shows its answer: ``brief`` of it, and how many columns it has in all.

    Nothing else differs from a DataFrame; slices, copies and frames made of it are plain ones.
    """

    # No _constructor, so that what pandas makes of it is a DataFrame.

    def __repr__(self) -> str:
        """Return the leading columns of ``brief`` that fit the width of the screen."""
        return f"{_fitting(_printed(self))}\n{self._sizes()}"

    def _repr_html_(self) -> str | None:
        """Return ``brief`` as a table of a notebook."""
        with pd.option_context("display.show_dimensions", False):
            table = _printed(self).iloc[:, :_MOST_COLUMNS]._repr_html_()  # type: ignore[operator]
        return table and f"{table}\n<p>{self._sizes()}</p>"

    def _sizes(self) -> str:
        rows, columns = self.shape
        return f"[{rows} row{'s' * (rows != 1)}, {columns} columns in all]"


def _printed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return ``brief`` of a frame as texts, each number with the decimals of its unit.

    By itself pandas prints a column with the decimals that its smallest number needs.
    """
    shown = brief(frame, digits=_DIGITS)
    ends = _ends(len(frame))
    printed = shown.iloc[ends].copy()
    for name in filter(is_real, shown.columns):
        printed[name] = list(map(_text_of(name), printed[name], _decimals(frame, name)[ends]))
    return printed


def _ends(n_rows: int) -> npt.NDArray[np.intp]:
    """Return the rows that pandas may print, and one more, so that it draws its line of dots."""
    most = pd.get_option("display.max_rows") or n_rows
    rows = np.arange(n_rows)
    return rows if n_rows <= most else np.delete(rows, slice(most // 2 + 1, n_rows - most // 2))


def _decimals(frame: pd.DataFrame, name: str) -> npt.NDArray[np.intp]:
    """Return the decimals of each row; none where a column has whole numbers only."""
    values = frame[name].to_numpy(dtype=np.float64)
    if name not in _NEVER_WHOLE and np.all(np.floor(values) == values, where=~np.isnan(values)):
        return np.zeros(len(frame), np.intp)
    return decimals_of(frame, name, _DIGITS)


def _text_of(name: str) -> Callable[[float, int], str]:
    return _p_text if name in P_VALUES else _number_text


def _number_text(value: float, decimals: int) -> str:
    return "NaN" if math.isnan(value) else f"{value:.{decimals}f}"


def _p_text(value: float, _: int) -> str:
    """Return a P value with the usual decimals, or with one digit where they would all be 0."""
    return f"{value:.0e}" if 0 < value < 0.5 * 10.0**-_DIGITS else _number_text(value, _DIGITS)


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
