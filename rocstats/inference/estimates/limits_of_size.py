"""The numbers of cases beyond which an answer that takes single cases would not end."""

from __future__ import annotations

from rocstats.errors import InputError


def require_at_most(n: float, most: int, what: str, instead: str) -> None:
    """Raise InputError if ``what`` would have to go through more than ``most`` cases."""
    if n > most:
        raise InputError(
            f"`y_true` must have at most {most:_} cases for {what}; got {n:.0f}. {instead}"
        )
