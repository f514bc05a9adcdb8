"""The one bibliography: every work the package cites, by key, and how an entry is printed.

Entries are in ``references.toml``. Keys are the first author and the year in lower case
("delong-1988"), longer where two works share them. Frames and docstrings cite keys; reports and the
documentation print entries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple


class Reference(NamedTuple):
    """One cited work; a field that is None is not known, or the work has none.

    ``source`` is the abbreviated journal, the proceedings, or place and publisher.
    """

    authors: str
    title: str
    source: str
    year: int
    volume: str | None = None
    issue: str | None = None
    first_page: str | None = None
    last_page: str | None = None
    doi: str | None = None


@cache
def bibliography() -> Mapping[str, Reference]:
    """Return every cited work by its key, in the order of the keys."""
    # Through importlib: the file may be inside a zip archive, without a path of its own.
    text = files("rocstats.facts").joinpath("references.toml").read_text(encoding="utf-8")
    return MappingProxyType({key: Reference(**entry) for key, entry in tomllib.loads(text).items()})


def require_keys(keys: Iterable[str]) -> list[str]:
    """Return the keys as a list; raise KeyError for one that is not in the bibliography."""
    cited = list(keys)
    if unknown := [key for key in cited if key not in bibliography()]:
        raise KeyError(f"{unknown} are not in references.toml")
    return cited


UNVERIFIED: tuple[tuple[str, str], ...] = (
    ("ama-2020", "doi"),
    ("bandos-2007", "doi"),
    ("campbell-1994", "issue"),
    ("campbell-1994", "doi"),
    ("dorfman-1992", "doi"),
    ("efron-1993", "doi"),
    ("flach-2003", "first_page"),
    ("flach-2003", "last_page"),
    ("forman-2005", "first_page"),
    ("forman-2005", "last_page"),
    ("forman-2005", "doi"),
    ("hillis-2012", "doi"),
    ("horvath-2008", "last_page"),
    ("horvath-2008", "doi"),
    ("linnet-1987", "doi"),
    ("ma-1993", "doi"),
    ("macskassy-2004", "first_page"),
    ("macskassy-2004", "last_page"),
    ("macskassy-2005", "doi"),
    ("martin-1997", "doi"),
    ("owen-1995", "doi"),
    ("schisterman-2007", "doi"),
    ("streitberg-1986", "last_page"),
)
"""Key and field of details that a work has but no source confirmed; they are left empty."""


def vancouver(key: str) -> str:
    """Return the entry of a key as medical journals print it (Vancouver, AMA).

    Parameters
    ----------
    key : str
        A key of ``bibliography()``; others raise KeyError.

    Returns
    -------
    str
        Authors, title, source, year, volume, issue, pages and DOI, as far as they are known.

    Examples
    --------
    >>> from rocstats.facts.references import vancouver
    >>> vancouver("hodges-1958").partition(". Ark")[0]
    'Hodges JL Jr. The significance probability of the Smirnov two-sample test'
    >>> vancouver("hodges-1958")[-50:]
    'Ark Mat. 1958;3(5):469-486. doi:10.1007/BF02589501'
    """
    work = bibliography()[key]
    doi = f" doi:{work.doi}" if work.doi else ""
    return f"{work.authors}. {work.title}. {work.source}{_year_and_pages_of_reference(work)}.{doi}"


def _year_and_pages_of_reference(work: Reference) -> str:
    """Return year, volume, issue and pages; after a publisher the year alone, after a semicolon."""
    pages = "-".join(page for page in (work.first_page, work.last_page) if page)
    # A book: Vancouver separates publisher and year by a semicolon.
    if not work.volume and not pages:
        return f"; {work.year}"
    volume = f";{work.volume}" if work.volume else ""
    issue = f"({work.issue})" if work.issue else ""
    return f". {work.year}{volume}{issue}" + (f":{pages}" if pages else "")
