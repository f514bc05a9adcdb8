"""The printed description of a sample, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Protocol

from rocstats.sample.arrays import Factor, FloatArray
from rocstats.sample.covariates import Covariate

_MOST_NAMES = 8  # names of usual length fill a line of about 100 characters


class HasRoles(Protocol):
    """A sample with roles."""

    frequency: FloatArray | None
    sample_weight: FloatArray | None
    cluster: Factor | None
    fold: Factor | None
    group: Factor | None
    covariate: FloatArray | None
    _covariates: tuple[Covariate, ...]
    n_dropped: int


def in_short(names: Iterable[str]) -> str:
    """Return the first names of a list, and the number of all if not all are shown."""
    shown: Sequence[str] = list(names)
    more = f", ... ({len(shown)} in all)" if len(shown) > _MOST_NAMES else ""
    return ", ".join(shown[:_MOST_NAMES]) + more


def role_facts(sample: HasRoles) -> dict[str, str]:
    """Return a line of the description for each role that a sample has."""
    facts = {}
    for role in ("cluster", "fold", "group"):
        factor = getattr(sample, role)
        if factor is not None:
            # Labels present, not all labels: the sample of a group keeps the labels of the whole.
            facts[f"{role}s"] = f"{len(factor.present):,}"
    if sample.covariate is not None:
        facts["covariates"] = in_short(covariate.name for covariate in sample._covariates)
    if sample.frequency is not None:
        facts["frequency"] = "rows stand for several cases"
    if sample.sample_weight is not None:
        facts["sample_weight"] = "rows are weighted"
    if sample.n_dropped:
        facts["rows dropped"] = f"{sample.n_dropped:,} with a missing value"
    return facts


def as_text(title: str, facts: Mapping[str, str]) -> str:
    """Return the description as aligned lines under a title."""
    width = max(map(len, facts))
    lines = [f"  {name:<{width}}  {value}" for name, value in facts.items()]
    return "\n".join([title, *lines])


def as_html(title: str, facts: Mapping[str, str]) -> str:
    """Return the description as an HTML table for notebooks, names and values escaped."""
    # Names come from the columns of the user, which may contain markup.
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<table><caption>{title}</caption><tbody>{rows}</tbody></table>"
