"""A document as one HTML page that needs no network, and the page as PDF.

A browser without a window prints the PDF, where the machine has a browser.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from markupsafe import Markup

from rocstats.errors import InputError
from rocstats.explorer.html import explorer_fragment
from rocstats.reports.document import (
    FigureBlock,
    ListBlock,
    Paragraph,
    TableBlock,
    reference_numbers,
)
from rocstats.reports.figures import svg_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Template

    from rocstats.reports.document import Printable


# --- The page -------------------------------------------------------------------------------------

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
        label=_caption_number_and_rest,
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


def _caption_number_and_rest(caption: str) -> tuple[str, str]:
    """Return the number of a table or figure, "Table 1. ", and the rest of its caption."""
    head, mark, rest = caption.partition(". ")
    return head + mark, rest


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


# --- PDF ------------------------------------------------------------------------------------------

# Browsers of one family, which print from the command line alike: their names on PATH.
_BROWSER_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)

# Where the installers of macOS and Windows put them, which is not on PATH.
_BROWSER_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)

_TIMEOUT = 120  # a page takes two; a browser that hangs is ended


def to_pdf(report: Printable) -> bytes:
    """Return a report as PDF: its page as printed, with the view that it opens with.

    Parameters
    ----------
    report : Printable
        The report.

    Returns
    -------
    bytes
        The file. It holds the time of printing, so that two are never the same bytes.

    Raises
    ------
    BrowserError
        If no browser is found, or the browser does not print the page.
    """
    browser = find_browser()
    if browser is None:
        raise BrowserError(
            "`path` must end in .html or .docx where no browser is found that can print; got .pdf."
            " Install Chromium, Chrome or Edge, or print the .html from your browser."
        )
    with TemporaryDirectory(prefix="rocstats-") as folder:
        page, printed = Path(folder) / "report.html", Path(folder) / "report.pdf"
        page.write_bytes(to_page(report))
        failure = _run_browser(_print_command(browser, page, printed))
        if not printed.is_file():
            raise BrowserError(
                f"`path` must be printed by {browser}; got {failure}."
                " Write the .html and print it from your browser."
            )
        return printed.read_bytes()


class BrowserError(InputError):
    """No browser printed the page."""


def find_browser() -> str | None:
    """Return the path of a browser that can print a page, or None."""
    found = (shutil.which(name) for name in _BROWSER_NAMES)
    there = (place for place in _BROWSER_PATHS if Path(place).is_file())
    return next((path for path in (*found, *there) if path), None)


def _run_browser(command: list[str]) -> str:
    """Run a browser to its end, and return how it ended, for a message."""
    try:
        ended = subprocess.run(command, capture_output=True, check=False, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"no page in {_TIMEOUT} seconds"
    last = ended.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    return f"exit status {ended.returncode}: {last}"


def _print_command(browser: str, page: Path, printed: Path) -> list[str]:
    # The sandbox needs a user other than root; the page is ours and runs nothing from outside.
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    # A profile of its own: a browser that is open keeps the user's.
    profile = f"--user-data-dir={page.parent / 'profile'}"
    return [
        browser, "--headless", "--disable-gpu", *root, profile, "--no-pdf-header-footer",
        f"--print-to-pdf={printed}", page.as_uri(),
    ]  # fmt: skip
