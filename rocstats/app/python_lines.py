"""The lines of Python that give the same answer as a command about the cases of a file."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from rocstats.app.forms import Command, Field, Values, fields_of, reading_fields, texts_of
from rocstats.facts.options import OPTIONS
from rocstats.studies.studies import Study
from rocstats.study.files import read_table

_METHODS = {
    "auc": "auc",
    "band": "roc_band",
    "binormal": "binormal",
    "calibration": "calibration",
    "compare": "compare_auc",
    "cutpoint": "cutpoints",
    "points": "operating_points",
    "random": "versus_random",
}
"""The question that a command asks; other commands do more than ask one."""


def python_lines(command: Command, name: str, values: Values, file: str | None) -> str:
    """Return the lines of Python for a command with its values; "" where there are none.

    Parameters
    ----------
    command : callable
        The command, by whose options values are read.
    name : str
        Its name.
    values : mapping of str to sequence of str
        The texts of its form.
    file : str or None
        Name of the file of cases.
    """
    if name not in _METHODS or file is None:
        return ""
    filled = {f: texts for f in fields_of(command) if (texts := texts_of(f, values))}
    reading = reading_fields(list(filled))
    of_study = [f for f in filled if f.panel == "The study" or not f.flag]
    others = [f for f in filled if f not in (*reading, *of_study) and f.name != "style"]
    if {f.name for f in reading} - set(inspect.signature(read_table).parameters):
        return ""
    method = getattr(Study, _METHODS[name])
    asked = {_parameter_of(f): _value_of(f, filled[f]) for f in others}
    if set(asked) - set(inspect.signature(method).parameters):
        return ""
    labels = [texts[0] for f, texts in filled.items() if f.name in ("outcome", "cluster", "fold")]
    labels += [text for f, texts in filled.items() if f.name == "group" for text in texts]
    read = {f.name: _value_of(f, filled[f]) for f in reading} | {"text": labels}
    study = _study_arguments(of_study, filled)
    return "\n".join(
        [
            "import rocstats as rs",
            "",
            f"data = rs.read_table({file!r}, {_as_call(read)})",
            f"study = rs.Study({study})",
            f"study.{_METHODS[name]}({_as_call(asked)})",
        ]
    )


def _study_arguments(fields: Sequence[Field], filled: dict[Field, list[str]]) -> str:
    texts = {field.name: filled[field] for field in fields}
    asked: dict[str, Any] = {}
    for name in ("frequency", "cluster", "fold"):
        if name in texts:
            asked[name] = texts[name][0]
    if group := texts.get("group"):
        asked["group"] = group[0] if len(group) == 1 else group
    if "positive" in texts:
        asked["pos_label"] = texts["positive"][0]
    if "lower" in texts:
        asked["higher_is_positive"] = dict.fromkeys(texts["lower"], False)
    if "missing" in texts:
        asked["nan_policy"] = texts["missing"][0]
    if "label" in texts:
        asked["labels"] = dict(text.split("=", 1) for text in texts["label"])
    if "outcome_name" in texts:
        asked["outcome"] = texts["outcome_name"][0]
    places = f"{texts['outcome'][0]!r}, {texts['scores']!r}, data=data"
    return f"{places}, {_as_call(asked)}" if asked else places


def _parameter_of(field: Field) -> str:
    """Return the parameter of the library that an option is for."""
    found = [name for name, record in OPTIONS.items() if record.command == field.flag]
    return found[0] if found and field.name not in OPTIONS else field.name


def _value_of(field: Field, texts: Sequence[str]) -> Any:
    if field.kind == "flag":
        return True
    if field.kind == "pair":
        return tuple(_number(text) for text in texts)
    if field.kind in ("lines", "columns"):
        if all("=" in text for text in texts):
            return {k: _number(v) for k, v in (text.split("=", 1) for text in texts)}
        found = [_number(text) for text in texts]
        return found[0] if len(found) == 1 and field.name == "threshold" else found
    return _number(texts[0])


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _as_call(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
