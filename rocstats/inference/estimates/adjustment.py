"""P values adjusted for the number of tests in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.stats.comparison.multiplicity import Adjustment, adjust_p_values


def adjust_rows(
    rows: Sequence[dict[str, Any]], adjust: Adjustment, *, within: Sequence[str] = ()
) -> None:
    """Give each row of an answer its ``p_adjusted``, and a note where it allows for other rows.

    ``within`` names the entries that rows of one family of tests share; by default all rows are
    one family.
    """
    # By default the rows of all groups of the study are one family too: they are tested at once.
    families: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault(tuple(row[name] for name in within), []).append(row)
    for family in families.values():
        adjusted = adjust_p_values(np.array([row["p_value"] for row in family]), adjust)
        for row, p in zip(family, adjusted, strict=True):
            row["p_adjusted"] = float(p)
            if adjust != "none" and len(family) > 1 and np.isfinite(p):
                row["note"] = [*row["note"], f"adjusted={adjust}"]
