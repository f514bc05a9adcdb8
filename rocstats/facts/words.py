"""What quantities and axes are called in print, and the word that a user's spelling means."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any, Protocol

import pandas as pd

from rocstats.facts.measures import (
    QUANTITIES,
    base_of,
    difference_of,
    record_of,
    title_of_difference,
    uncapital,
)

# --- Quantities and axes in print -----------------------------------------------------------------

AXES = {word: one.plural for word, one in QUANTITIES.items() if one.plural} | {
    "risk_threshold": "risk thresholds"
}
"""What the values along an axis are called, by the word of the column ``range_axis``."""


class RowLike(Protocol):
    """A row of a frame by column: a pandas.Series, or a dict, which is read fifty times faster."""

    def get(self, key: str, default: Any = None, /) -> Any: ...  # noqa: D102
    def __getitem__(self, key: str, /) -> Any: ...
    def __contains__(self, key: object, /) -> bool: ...


def row_dicts(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as dicts."""
    # to_dict("records") takes each column by .iloc, which costs more than the rest.
    names = [str(name) for name in frame.columns]
    columns = [column.tolist() for _, column in frame.items()]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def quantity_title(quantity: str) -> str:
    """Return the printed name of a quantity; a user's quantity is its name with blanks."""
    base = base_of(quantity)
    one = None if "=" in base else record_of(base)
    title = capital(base.replace("_", " ")) if one is None else one.title
    return title if base == quantity else title_of_difference(title)


def quantity_of(row: RowLike) -> str:
    """Return the word of the quantity of a row, as frames have it since version 0.3."""
    # Before, a difference had the word of what it is a difference of.
    word = str(row.get("quantity", "estimate"))
    return difference_of(word) if is_difference(row) else word


MOST_TYPED_DECIMALS = 12
"""Decimals of a typed risk threshold, at most; those of a grid, such as 1/99, have more."""


def risk_text(risk: float) -> str:
    """Return a risk threshold as it was typed; one of a grid with six digits."""
    text = f"{risk:.{MOST_TYPED_DECIMALS}g}"
    return text if float(text) == risk else f"{risk:g}"


def quantity_text(row: RowLike, *, with_risk: bool = True) -> str:
    """Return the printed name of the quantity of a row.

    Parameters
    ----------
    row : pandas.Series or dict
        Row of an estimate frame.

    Returns
    -------
    str
        For instance "Difference in AUC" or "Partial AUC (false positive rates 0 to 0.1)".

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.facts.words import quantity_text
    >>> quantity_text(pd.Series({"quantity": "auc_difference", "reference": "ndka"}))
    'Difference in AUC'
    """
    name = quantity_of(row)
    words = quantity_title(name)
    if row.get("reference") == "contrast":
        words = f"Contrast of {uncapital(quantity_title(base_of(name)))}"
    low, high = row.get("range_low", math.nan), row.get("range_high", math.nan)
    if low > 0 or high < 1:
        axis = AXES.get(str(row["range_axis"]), str(row["range_axis"]))
        words += f" ({axis} {low:g} to {high:g})"
    if isinstance(at := row.get("covariates"), str):
        words += f" ({at})"
    if with_risk and row.get("risk_threshold", math.nan) > 0:
        words += f" (risk threshold {risk_text(row['risk_threshold'])})"
    return words


def is_difference(row: RowLike) -> bool:
    """Return whether a row compares areas or other quantities: its ``reference`` is filled.

    Parameters
    ----------
    row : pandas.Series or dict
        Row of an estimate frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.facts.words import is_difference
    >>> is_difference(pd.Series({"predictor": "wfns", "reference": "ndka"}))
    True
    """
    reference = row.get("reference", "")
    return isinstance(reference, str) and reference != ""


def capital(text: str) -> str:
    """Return the text with a capital letter, unless it begins with the name of an argument."""
    return text if "_" in text.partition(" ")[0] else text[:1].upper() + text[1:]


# --- Spellings: aliases, and the nearest word to a mistyped one -----------------------------------

# As of quantities, only spellings with one meaning: "exact" (of several tests) is left out.
ALIASES: dict[str, tuple[str, ...]] = {
    **{word: one.aliases for word, one in QUANTITIES.items() if one.aliases},
    "closest-topleft": ("topleft", "closest-to-topleft", "closest-to-top-left"),
    "equal-error": ("eer", "equal-error-rate"),
    "fixed-tpr": ("fixed-sensitivity",),
    "fixed-fpr": ("fixed-false-positive-rate",),
    "two-sided": ("two-tailed",),
    "bonferroni": ("bonferroni-dunn",),
    "holm": ("holm-bonferroni",),
    "wilson": ("wilson-score",),
    "ovo-macro": ("hand-till", "ovo"),
    "ovr-weighted": ("class-reference",),
    "fisher": ("fisher-exact", "fisher's-exact"),
}
"""Other spellings of a word of the package; case, blanks and hyphens never matter."""

# Of mistyped words of this package, those with one letter wrong, missing or too many, or two
# exchanged, are at least as similar; "ppv" and "npv", "tpr" and "fpr" (0.67) are less.
_LEAST_SIMILARITY = 0.75


def known_word(text: str, words: Collection[str | None]) -> str | None:
    """Return the word of ``words`` that a text spells, or None.

    Parameters
    ----------
    text : str
        What the user wrote.
    words : collection of str or None
        The legal words.

    Examples
    --------
    >>> from rocstats.facts.words import known_word
    >>> known_word("Sensitivity", ["tpr", "tnr"]), known_word("hanley_mcneil", ["hanley-mcneil"])
    ('tpr', 'hanley-mcneil')
    """
    return _words_by_plain_spelling(words).get(_plain_spelling(text))


def as_known(word: Any, words: Collection[str]) -> Any:
    """Return the word of ``words`` that a user's word spells, or the user's own."""
    if not isinstance(word, str) or word in words:
        return word
    return known_word(word, words) or word


def listed(words: Any) -> list[Any]:
    """Return the words of a user's list, or the one word that was given."""
    one = (
        isinstance(words, str) or not isinstance(words, Iterable) or getattr(words, "ndim", 1) == 0
    )
    return [words] if one else list(words)


def did_you_mean(text: object, names: Collection[str | None]) -> str:
    """Return " Did you mean 'this'?" with the name nearest to a text, or "" where none is near.

    Parameters
    ----------
    text : object
        What the user wrote; anything but a text is near to no name.
    names : collection of str or None
        The legal names.

    Examples
    --------
    >>> from rocstats.facts.words import did_you_mean
    >>> did_you_mean("yuoden", ["youden", "cost"]), did_you_mean("best", ["youden", "cost"])
    (" Did you mean 'youden'?", '')
    """
    if not isinstance(text, str):
        return ""
    spelled = _words_by_plain_spelling(names)
    near = get_close_matches(_plain_spelling(text), spelled, n=1, cutoff=_LEAST_SIMILARITY)
    return f" Did you mean {spelled[near[0]]!r}?" if near else ""


def label_order(label: str) -> tuple[bool, float, str]:
    """Return the key by which labels are sorted: numbers by size, before words.

    Parameters
    ----------
    label : str
        A label.

    Returns
    -------
    tuple
        Whether it is a word, its number, and itself.

    Examples
    --------
    >>> from rocstats.facts.words import label_order
    >>> sorted(["10", "x", "9", "9.0"], key=label_order)
    ['9', '9.0', '10', 'x']
    """
    try:
        number = float(label)
    except ValueError:
        return True, 0.0, label
    # NaN is in no order.
    return (True, 0.0, label) if math.isnan(number) else (False, number, label)


def spelled_alike(labels: Iterable[str]) -> list[list[str]]:
    """Return the labels that differ by case, or by blanks at their ends, alone.

    Parameters
    ----------
    labels : iterable of str
        Distinct labels.

    Returns
    -------
    list of list of str
        The spellings of each label that has several, in the order of ``labels``.

    Examples
    --------
    >>> from rocstats.facts.words import spelled_alike
    >>> spelled_alike(["ill", "well", "Ill"])
    [['ill', 'Ill']]
    """
    spellings: dict[str, list[str]] = {}
    for label in labels:
        spellings.setdefault(label.strip().casefold(), []).append(label)
    return [alike for alike in spellings.values() if len(alike) > 1]


def _words_by_plain_spelling(words: Collection[str | None]) -> dict[str, str]:
    """Return each word by its plain spellings; its own spelling wins over an alias."""
    own = [str(word) for word in words if isinstance(word, str)]  # a label may be a numpy.str_
    others = {_plain_spelling(alias): word for word in own for alias in ALIASES.get(word, ())}
    return {**others, **{_plain_spelling(word): word for word in own}}


def _plain_spelling(text: str) -> str:
    """Return a text in lower case without blanks, hyphens and points between its letters."""
    # A sign at the end is meant: "lr-" is the negative likelihood ratio.
    return re.sub(r"[ _.'’-]+(?=.)", "", text.strip().casefold())
