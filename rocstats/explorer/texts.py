"""Sentences that the page and its explorer have in common: templates with {names} to fill."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def texts() -> dict[str, str]:
    """Return the templates of texts.json by their keys."""
    text = files("rocstats.explorer").joinpath("texts.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def say(key: str, **values: str) -> str:
    """Return a sentence with its names filled; KeyError if a name has no value."""
    return texts()[key].format(**values)
