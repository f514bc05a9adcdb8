"""Labels: what predictors, classes, groups and the outcome are called in print.

Frames keep the names of a user's columns; tables and plots put labels in their place, here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.about import About

# Columns whose values may be names of predictors, classes, modalities or readers.
_NAMED = ("predictor", "modality", "reader", "reference", "class", "versus", "hull")


def read_labels(labels: Any, argument: str = "labels") -> dict[str, str]:
    """Return labels by name; refuse what is no text."""
    if labels is None:
        return {}
    texts = labels.values() if isinstance(labels, Mapping) else [None]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise InputError(
            f"`{argument}` must be a dict of names and their labels, each a text; got {labels!r}."
            f" Pass {argument}={{'column': 'label'}}."
        )
    return {str(name): str(label) for name, label in labels.items()}


def read_shown(
    labels: Any,
    outcome: Any,
    names: Sequence[str],
    groups: Sequence[str] = (),
    *,
    columns: Sequence[str] = (),
    argument: str = "labels",
) -> dict[str, Any]:
    """Return what the frames of a study carry about its words in print; {} if it has none.

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
    given, used = read_labels(labels, argument), [*names, *groups]
    unknown = [name for name in given if name not in (*used, *columns)]
    if unknown:
        raise InputError(
            f"`{argument}` must be of names of the study; got {unknown}. The names are"
            f" {list(dict.fromkeys([*used, *columns]))[:20]}."
        )
    _require_distinct({name: given.get(name, name) for name in used}, argument)
    read = {name: label for name, label in given.items() if name in used}
    shown: dict[str, Any] = {"labels": read} if read else {}
    if outcome is not None:
        if not isinstance(outcome, str) or not outcome.strip():
            raise InputError(
                f"`outcome` must be a text, the name of the condition; got {outcome!r}."
                " Pass for instance outcome='Poor outcome'."
            )
        shown["outcome"] = outcome
    # Values of several columns, such as "0, 1", say little without the names of the columns.
    if len(groups) > 1 or any(name in read for name in groups):
        shown["group_label"] = ", ".join(read.get(name, name) for name in groups)
    return shown


def labels_in(labels: Any, *frames: pd.DataFrame | None) -> dict[str, str]:
    """Return the labels that frames carry; those given by a user go before them."""
    carried = [about_of(frame).get("labels", {}) for frame in frames if frame is not None]
    merged = {name: label for each in carried for name, label in each.items()}
    return {**merged, **read_labels(labels)}


def labelled(frame: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame with labels in the place of names; names without a label stay."""
    if not labels:
        return frame
    shown = {}
    for column in (name for name in _NAMED if name in frame):
        words = {name: labels.get(str(name), name) for name in frame[column].unique().tolist()}
        _require_distinct(words, "labels")
        shown[column] = frame[column].map(words)
    found = frame.assign(**shown)
    # Without the labels, which would otherwise be put in the place of labels that are names too.
    about = About((key, value) for key, value in about_of(frame).items() if key != "labels")
    found.attrs = {**frame.attrs, "rocstats": about}
    return found


def in_print(
    labels: Any, frame: pd.DataFrame, other: pd.DataFrame | None = None
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return one or two frames with labels in the place of names: a user's, else their own."""
    known = labels_in(labels, frame, other)
    return labelled(frame, known), other if other is None else labelled(other, known)


def about_of(frame: pd.DataFrame) -> dict[str, Any]:
    """Return what a frame carries about itself; {} after pandas or a csv file dropped it."""
    about: dict[str, Any] = frame.attrs.get("rocstats", {})
    return about


def _require_distinct(words: Mapping[Any, str], argument: str) -> None:
    """Raise InputError if two names would be printed alike: no reader could tell them apart."""
    numbers = Counter(words.values())
    twice = next((label for label, number in numbers.items() if number > 1), None)
    if twice is not None:
        alike = [name for name, label in words.items() if label == twice]
        raise InputError(
            f"`{argument}` must tell names apart; got the label {twice!r} for {alike}."
            " Give each a label of its own."
        )
