"""Which of several predictors (or groups) are compared."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rocstats.errors import require_choice


def index_pairs(names: Sequence[str], reference: str | None) -> list[tuple[int, int]]:
    """Return every pair of positions, the earlier first, or all others with the reference."""
    if reference is None:
        return list(combinations(range(len(names)), 2))
    require_choice("reference", reference, names)
    fixed = list(names).index(reference)
    return [(i, fixed) for i in range(len(names)) if i != fixed]
