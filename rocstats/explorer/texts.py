"""Sentences that the page and its explorer have in common: templates with {names} to fill."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def explorer_texts() -> dict[str, str]:
    """Return the templates of texts.json by their keys."""
    text = files("rocstats.explorer").joinpath("texts.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found
