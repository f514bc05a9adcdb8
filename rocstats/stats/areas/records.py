"""The variances of one area, in the order in which messages and pages name them.

A new variance has its own file, a line in ``AREA_VARIANCES`` and its word in ``Variance``.
"""

from __future__ import annotations

from typing import Literal

from rocstats.stats.areas.delong import DELONG
from rocstats.stats.areas.ledell import LEDELL
from rocstats.stats.areas.record import AreaVariance
from rocstats.stats.areas.variances import BOOTSTRAP, HANLEY_MCNEIL, HANLEY_MCNEIL_DATA, UNBIASED

Variance = Literal[
    "delong", "hanley-mcneil", "hanley-mcneil-data", "unbiased", "bootstrap", "ledell"
]
AREA_VARIANCES: tuple[AreaVariance, ...] = (
    DELONG,
    HANLEY_MCNEIL,
    HANLEY_MCNEIL_DATA,
    UNBIASED,
    BOOTSTRAP,
    LEDELL,
)
_BY_WORD = {record.word: record for record in AREA_VARIANCES}


def area_variance(word: str) -> AreaVariance:
    """Return the variance called ``word``."""
    return _BY_WORD[word]
