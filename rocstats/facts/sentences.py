"""The sentences on answers: templates with {names} to fill, in ``sentences.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def sentence_templates() -> dict[str, str]:
    """Return the templates of ``sentences.toml`` by "section.key"."""
    text = files("rocstats.facts").joinpath("sentences.toml").read_text(encoding="utf-8")
    sections: dict[str, dict[str, str]] = tomllib.loads(text)
    return {
        f"{section}.{key}": template
        for section, templates in sections.items()
        for key, template in templates.items()
    }


def phrase(key: str, **values: Any) -> str:
    """Return a phrase with its names filled; KeyError if a name has no value."""
    return sentence_templates()[key].format(**values)


def phrase_or(key: str, other: str, **values: Any) -> str:
    """Return the phrase of a key, or that of another key if there is none."""
    return phrase(key if key in sentence_templates() else other, **values)
