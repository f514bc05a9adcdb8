"""Which committed shares fall short of their level: docs/methods/simulation.md, "Shortfalls".

``too_low`` and ``too_high`` are the rule. ``below_margin`` is the bound of tables for which it was
published before they were run, and of exact tables, which have no Monte-Carlo error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

# Tables have hundreds of cells: four errors flag one in 30 000 that has its level, by chance.
_ERRORS = 4
MARGIN = 0.02
"""A setting falls short under its level less this, where that bound was published before."""


def too_low(share: Any, level: Any, samples: Any) -> npt.NDArray[np.bool_]:
    """Return whether shares are below a level by more than four Monte-Carlo standard errors."""
    return too_high(-np.asarray(share), -np.asarray(level), samples)


def too_high(share: Any, level: Any, samples: Any) -> npt.NDArray[np.bool_]:
    """Return whether shares are above a level by more than four Monte-Carlo standard errors."""
    level, p = np.asarray(level), np.abs(level)
    error = np.sqrt(p * (1 - p) / np.asarray(samples))
    return np.asarray(np.asarray(share) - level > _ERRORS * error)


def below_margin(share: Any, level: Any) -> npt.NDArray[np.bool_]:
    """Return whether shares are under a level less the margin, without allowance for error."""
    # 0.95 - 0.02 is under 0.93 by rounding.
    return np.asarray(np.asarray(share) < np.round(np.asarray(level) - MARGIN, 6))
