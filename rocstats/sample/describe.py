"""What a sample says of itself, as text and as HTML."""

from __future__ import annotations

from html import escape
from typing import Any, Protocol

from rocstats.sample.vectors import FloatArray

_MOST_NAMES = 8


class Described(Protocol):
    """What a sample must have to be described."""

    predictors: tuple[str, ...]
    higher_is_positive: tuple[bool, ...]
    pos_label: Any
    frequency: FloatArray | None
    sample_weight: FloatArray | None
    n_dropped: int

    @property
    def n_pos(self) -> float:
        """Number of positives."""
        ...

    @property
    def n_neg(self) -> float:
        """Number of negatives."""
        ...

    @property
    def prevalence(self) -> float:
        """Share of positives."""
        ...


def _facts(sample: Described) -> dict[str, str]:
    names = list(sample.predictors)
    more = f", ... ({len(names)} in all)" if len(names) > _MOST_NAMES else ""
    facts = {
        "predictors": ", ".join(
            f"{name}{'' if higher else ' (lower is positive)'}"
            for name, higher in zip(
                names[:_MOST_NAMES], sample.higher_is_positive[:_MOST_NAMES], strict=True
            )
        )
        + more,
        "positives": f"{sample.n_pos:,.0f} (label {sample.pos_label!r})",
        "negatives": f"{sample.n_neg:,.0f}",
        "prevalence": f"{sample.prevalence:.4g}",
    }
    for role in ("cluster", "fold", "group"):
        factor = getattr(sample, role)
        if factor is not None:
            facts[f"{role}s"] = f"{len(factor.present):,}"
    if sample.frequency is not None:
        facts["frequency"] = "rows stand for several cases"
    if sample.sample_weight is not None:
        facts["sample_weight"] = "rows are weighted"
    if sample.n_dropped:
        facts["rows dropped"] = f"{sample.n_dropped:,} with a missing value"
    return facts


def as_text(sample: Described) -> str:
    """Return a few aligned lines."""
    facts = _facts(sample)
    width = max(map(len, facts))
    lines = [f"  {name:<{width}}  {value}" for name, value in facts.items()]
    return "\n".join([type(sample).__name__, *lines])


def as_html(sample: Described) -> str:
    """Return a small table for notebooks, every name escaped."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in _facts(sample).items()
    )
    return f"<table><caption>{type(sample).__name__}</caption><tbody>{rows}</tbody></table>"
