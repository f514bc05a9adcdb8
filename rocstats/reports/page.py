"""A document as one HTML page that needs no network."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from rocstats.explorer.html import explorer_fragment
from rocstats.reports.document import (
    FigureBlock,
    ListBlock,
    Paragraph,
    TableBlock,
    caption_number_and_rest,
    reference_numbers,
)
from rocstats.reports.figures import svg_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Template

    from rocstats.reports.document import Printable


# What the reader sees first; the explorer shows it anew for each cutoff.
_OPENING = ("answer", "drawn")
# What may make the rest of the page wrong.
_BEFORE = "hints"

_KINDS = {Paragraph: "paragraph", TableBlock: "table", FigureBlock: "figure", ListBlock: "list"}


def to_page(report: Printable) -> bytes:
    """Return a report as an HTML page; all names in it are escaped.

    Parameters
    ----------
    report : Printable
        The report.

    Returns
    -------
    bytes
        The page in UTF-8. Equal reports give equal pages.
    """
    document = report.document
    page = _html_template_of_page().render(
        document=document,
        opening=[section for section in document.sections if section.key in _OPENING],
        before=[section for section in document.sections if section.key == _BEFORE],
        rest=[section for section in document.sections if section.key not in (*_OPENING, _BEFORE)],
        numbers=reference_numbers(document),
        kind=lambda block: _KINDS[type(block)],
        label=caption_number_and_rest,
        # Markup() exempts from escaping what is escaped already: style sheet and figures.
        css=Markup(_resource_of_page("page.css")),
        figure=lambda block: Markup(svg_of(block.draw, block.description)),
        explorer=_explorer_maker_of_page(report),
    )
    return (page.strip() + "\n").encode()


def _explorer_maker_of_page(report: Printable) -> Callable[[str], Markup] | None:
    """Return what makes the explorer around the sections that replace it without scripts."""
    payload = report.explorer
    if payload is None:
        return None
    return lambda static: Markup(explorer_fragment(payload, static))


@cache
def _html_template_of_page() -> Template:
    from jinja2 import Environment, StrictUndefined

    # StrictUndefined: a word misspelt in the template fails instead of leaving a gap on the page.
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_resource_of_page("template.html"))


def _resource_of_page(name: str) -> str:
    return files("rocstats.reports").joinpath(name).read_text(encoding="utf-8")
