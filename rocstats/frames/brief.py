"""What a reader looks for in a frame: the columns that tell something, rounded."""

from __future__ import annotations

from shutil import get_terminal_size

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import require_whole
from rocstats.frames.glossary import GLOSSARY
from rocstats.frames.words import quantity_text

# The answer of a row, shown even where all rows agree, or where there is one row only.
_ANSWER = frozenset(["predictor", "quantity", "estimate", "ci_low", "ci_high", "p_value", "note"])
_RANGE = ("range_axis", "range_low", "range_high")
_CUTS = (50, 36, 28, 20)  # letters of a text on the screen; 50 is pandas' own
_MOST_COLUMNS = 20  # of a table in a notebook, as pandas has it


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
        A frame of numbers and texts. Columns that are empty or the same in all rows are left out,
        but for the predictor, the quantity, the estimate with its limits and P value, and notes.
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
      predictor quantity  estimate  ci_low  ci_high    se       note
    0         a      AUC      0.89    0.09     1.00  0.16  few-cases
    1         b      AUC      0.67    0.06     0.98  0.27  few-cases
    """
    require_whole("digits", digits, 1, "Pass the number of decimals, for instance 3.")
    told = [name for name in frame.columns if name in _ANSWER or _varies(frame[name])]
    kept = [name for name in told if not _is_empty(frame[name])]
    if "quantity" in kept:  # whose words say the range
        kept = [name for name in kept if name not in _RANGE]
    shown = pd.DataFrame({name: _shown(frame, name, digits) for name in kept}, index=frame.index)
    left_out = {name: _constant(frame[name]) for name in frame.columns if name not in kept}
    shown.attrs["rocstats"] = {**frame.attrs.get("rocstats", {}), "left_out": left_out}
    return shown


class Answer(pd.DataFrame):
    """A frame that shows its answer: ``brief`` of it, and how many columns it has in all.

    Nothing else differs from a DataFrame; slices, copies and frames made of it are plain ones.
    """

    # No _constructor, so that what pandas makes of it is a DataFrame.

    def __repr__(self) -> str:
        """Return the leading columns of ``brief`` that fit the width of the screen."""
        return f"{_fitting(brief(self))}\n{self._sizes()}"

    def _repr_html_(self) -> str | None:
        """Return ``brief`` as a table of a notebook."""
        with pd.option_context("display.show_dimensions", False):
            table = brief(self).iloc[:, :_MOST_COLUMNS]._repr_html_()  # type: ignore[operator]
        return table and f"{table}\n<p>{self._sizes()}</p>"

    def _sizes(self) -> str:
        rows, columns = self.shape
        return f"[{rows} row{'s' * (rows != 1)}, {columns} columns in all]"


def _varies(column: pd.Series) -> bool:
    return column.nunique(dropna=False) > 1


def _is_empty(column: pd.Series) -> bool:
    missing = column.isna()
    # Numbers are not compared with a text: a million of them would be made objects.
    return bool((missing if column.dtype.kind in "biuf" else missing | (column == "")).all())


def _constant(column: pd.Series) -> str | float | None:
    """Return the value of all rows; None where there is none, or where rows differ."""
    if _is_empty(column) or _varies(column):
        return None
    value = column.iloc[0]
    return value if isinstance(value, str) else float(value)


def _shown(frame: pd.DataFrame, name: str, digits: int) -> pd.Series:
    """Return a column in words, or rounded."""
    if name == "quantity":
        return _quantities(frame)
    column = frame[name]
    if name not in GLOSSARY or GLOSSARY[name].kind != "real":
        return column
    values = column.to_numpy(dtype=np.float64)
    if name in ("p_value", "p_adjusted"):
        values = _rounded_p(values, digits)
    elif "quantity" in frame:  # rates and ratios have decimals of their own
        values = values.copy()
        for rows in frame.groupby("quantity", sort=False).indices.values():
            values[rows] = _rounded(values[rows], digits)
    else:
        values = _rounded(values, digits)
    return pd.Series(values, index=frame.index)


def _quantities(frame: pd.DataFrame) -> pd.Series:
    """Return the quantity of each row in words."""
    names = [name for name in ("quantity", "reference", *_RANGE) if name in frame]
    # Many rows say the same: the words are made once for each combination.
    number = frame.groupby(names, sort=False, dropna=False).ngroup()
    each = [quantity_text(row) for _, row in frame[names].drop_duplicates().iterrows()]
    return number.map(dict(enumerate(each)))


def _rounded(values: npt.NDArray[np.float64], digits: int) -> npt.NDArray[np.float64]:
    """Return numbers with the same decimals: more where all are small, fewer where some are large.

    Columns of up to .01 to 10 have ``digits`` decimals, smaller ones as many digits in all, larger
    ones one decimal less for each place before the point.
    """
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    if largest == 0:
        return values
    place = int(np.floor(np.log10(largest)))
    decimals = digits if -2 <= place <= 0 else digits - place - (place < 0)
    return np.round(values, max(decimals, 0)) + 0.0  # -0 is 0


def _rounded_p(values: npt.NDArray[np.float64], digits: int) -> npt.NDArray[np.float64]:
    """Return P values with ``digits`` decimals; one digit of those that would be 0."""
    rounded = np.round(values, digits)
    for i in np.flatnonzero((rounded == 0) & (values > 0)):
        rounded[i] = float(f"{values[i]:.0e}")
    return rounded


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
    places = [name for name in names if name not in _ANSWER | {"reference"}]
    tries = [(names, cut) for cut in _CUTS]
    for k in reversed(range(len(places))):
        tries.append(([name for name in names if name not in places[k:]], _CUTS[-1]))
    fitting = (each for each in tries if _width(frame[each[0]], each[1]) <= width)
    return next(fitting, tries[-1])


def _text(frame: pd.DataFrame, cut: int) -> str:
    """Return all columns side by side, texts cut to so many letters."""
    options = ("display.max_columns", None, "display.expand_frame_repr", False)
    with pd.option_context(
        *options,
        "display.show_dimensions",
        False,
        "display.max_colwidth",
        cut,
        "display.precision",
        3,
    ):
        return pd.DataFrame.__repr__(frame)


def _width(frame: pd.DataFrame, cut: int) -> int:
    return max(map(len, _text(frame, cut).splitlines()))
