"""Normal limits of the area itself, cut at 0 and 1."""

from __future__ import annotations

from typing import Any

from rocstats.stats.intervals.methods.transformed import Transformed
from rocstats.stats.intervals.record import AreaInterval


def _identity(x: Any) -> Any:
    return x


# Kept to reproduce other software: near 1 the cut at 1 leaves its coverage below nominal.
WALD = AreaInterval(
    "wald", "by the normal approximation", Transformed(_identity, lambda a: 1.0, _identity)
)
