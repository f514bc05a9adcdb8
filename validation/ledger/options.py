"""The public questions, their options and the values of these, read from the signatures."""

from __future__ import annotations

import inspect
import tomllib
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import rocstats as rs

HERE = Path(__file__).parent
STUDIES = (
    rs.Study,
    rs.ItemStudy,
    rs.MetaStudy,
    rs.OrdinalStudy,
    rs.MulticlassStudy,
    rs.MultilabelStudy,
    rs.ReaderStudy,
    rs.DetectionStudy,
    rs.SurvivalStudy,
    rs.PairedCounts,
)


class Option(NamedTuple):
    """An option of a question: its legal words, and the one that holds unless another is given."""

    name: str
    values: tuple[str, ...]
    default: str | None


class Asked(NamedTuple):
    """A public question by its label (`Study.auc`, `sample_size`), and its options by name."""

    label: str
    options: Mapping[str, Option]
    is_class: bool


@cache
def words() -> dict[str, Any]:
    """Return words.toml: what signatures do not tell."""
    return tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))


@cache
def questions() -> Mapping[str, Asked]:
    """Return every public question by its label: a new one needs no line anywhere."""
    return {label: _asked(label, function) for label, function in _functions()}


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield all that is public and can be called, also what words.toml leaves out."""
    for kind in STUDIES:
        yield kind.__name__, kind
        for name, value in vars(kind).items():
            if not name.startswith("_") and inspect.isfunction(value):
                yield f"{kind.__name__}.{name}", value
    for name in rs.__all__:
        value = getattr(rs, name)
        if callable(value) and value not in STUDIES:
            yield name, value


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    left_out = words()["no_question"]
    for label, function in public_functions():
        if label not in left_out and not label.startswith("plot_"):
            yield label, function


def _asked(label: str, function: Callable[..., Any]) -> Asked:
    called = function.__init__ if inspect.isclass(function) else function
    annotations = typing.get_type_hints(called)
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        values = tuple(dict.fromkeys(_legal(annotations.get(name))))
        if values and name not in words()["no_evidence_needed"] and not name.startswith("_"):
            default = parameter.default
            known = isinstance(default, (str, bool)) and str(default) in values
            found[name] = Option(name, values, str(default) if known else None)
    return Asked(label, found, inspect.isclass(function))


def _legal(annotation: Any) -> list[str]:
    """Return the words that an annotation allows; those of a flag are True and False."""
    if annotation is bool:
        return ["True", "False"]
    if typing.get_origin(annotation) is Literal:
        return [str(word) for word in typing.get_args(annotation)]
    # The arguments of a function that is an option are no words of the option.
    parts = typing.get_args(annotation) if typing.get_origin(annotation) is not Callable else ()
    # Where numbers are allowed, True and False are numbers too: arrays of NumPy before 2.
    flags = {bool} if float in parts else set()
    kept = (part for part in parts if not isinstance(part, list) and part not in flags)
    return [word for part in kept for word in _legal(part)]
