"""The sentences of a report: templates with {names} to fill, in ``texts.toml``.

Those that a page shares with its explorer are in ``explorer/texts.json``.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from rocstats.explorer.texts import explorer_texts


@cache
def report_texts() -> dict[str, str]:
    """Return the templates of ``texts.toml`` by "section.key", and the explorer's."""
    text = files("rocstats.reports").joinpath("texts.toml").read_text(encoding="utf-8")
    sections: dict[str, dict[str, str]] = tomllib.loads(text)
    return explorer_texts() | {
        f"{section}.{key}": template
        for section, templates in sections.items()
        for key, template in templates.items()
    }


def say(key: str, **values: Any) -> str:
    """Return a sentence with its names filled; KeyError if a name has no value."""
    return report_texts()[key].format(**values)
