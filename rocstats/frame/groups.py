"""Groups of several columns: the label that joins their values, and the columns beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.columns import GLOSSARY

# Not a comma: sentences list groups, and legends join a predictor and a group, with commas.
_JOINT = " / "


def joined_group_label(values: Iterable[str]) -> str:
    """Return the label of a group from its values in several columns."""
    return _JOINT.join(values)


def name_of_group_column(name: str) -> str:
    """Return the name that a column of groups has in answers, which have columns of their own."""
    return f"group_{name}" if name in GLOSSARY else name


def names_of_group_columns(names: Sequence[str]) -> list[str]:
    """Return the names of columns of groups in answers; InputError if two of them are alike."""
    found = list(map(name_of_group_column, names))
    if len(set(found)) < len(found):
        raise InputError(
            "`group` must have columns that answers can tell apart; got"
            f" {list(names)}, which answers call {found}. Rename one of them."
        )
    return found


def require_distinct_group_labels(labels: Sequence[str]) -> None:
    """Raise InputError if two groups have the same joined label."""
    if len(set(labels)) < len(labels):
        alike = next(label for label in labels if labels.count(label) > 1)
        raise InputError(
            "`group` must have different names for different groups when its columns are joined"
            f" by {_JOINT!r}; got {alike!r} for two groups. Rename the values."
        )


def columns_of_groups(frame: pd.DataFrame) -> list[str]:
    """Return the columns behind ``group`` whose values its labels join; [] if there are none.

    They are found by their values: a csv file keeps nothing else.
    """
    if "group" not in frame:
        return []
    behind = list(frame.columns[list(frame.columns).index("group") + 1 :])
    names = list(takewhile(lambda name: name not in GLOSSARY, behind))
    for last in range(len(names), 1, -1):
        rows = frame[["group", *names[:last]]].drop_duplicates().dropna()
        if all(_is_label_of(*row) for row in rows.itertuples(index=False, name=None)):
            return names[:last]
    return []


def _is_label_of(label: object, *values: object) -> bool:
    """Return whether a label joins values; a label of several groups, as "all", stands in each."""
    return label == joined_group_label(map(str, values)) or {label} == set(values)
