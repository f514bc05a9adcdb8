"""The intervals for an area, in the order in which messages and pages name them.

A new interval has its own file, a line in ``AREA_INTERVALS`` and its word in ``Interval``.
"""

from __future__ import annotations

from typing import Literal

from rocstats.stats.intervals.methods.effective_wilson import EFFECTIVE_WILSON, EFFECTIVE_WILSON_T
from rocstats.stats.intervals.methods.exact import EXACT
from rocstats.stats.intervals.methods.hanley_mcneil_score import HANLEY_MCNEIL_SCORE
from rocstats.stats.intervals.methods.logit import LOGIT
from rocstats.stats.intervals.methods.logit_t import LOGIT_T
from rocstats.stats.intervals.methods.newcombe import NEWCOMBE
from rocstats.stats.intervals.methods.probit import PROBIT
from rocstats.stats.intervals.methods.resampled import BCA, PERCENTILE
from rocstats.stats.intervals.methods.wald import WALD
from rocstats.stats.intervals.record import AreaInterval

Interval = Literal[
    "logit",
    "wald",
    "probit",
    "logit-t",
    "newcombe",
    "hanley-mcneil-score",
    "exact",
    "effective-wilson",
    "effective-wilson-t",
    "percentile",
    "bca",
]
AREA_INTERVALS: tuple[AreaInterval, ...] = (
    LOGIT,
    WALD,
    PROBIT,
    LOGIT_T,
    NEWCOMBE,
    HANLEY_MCNEIL_SCORE,
    EXACT,
    EFFECTIVE_WILSON,
    EFFECTIVE_WILSON_T,
    PERCENTILE,
    BCA,
)
_BY_WORD = {record.word: record for record in AREA_INTERVALS}


def area_interval(word: str) -> AreaInterval:
    """Return the interval called ``word``."""
    return _BY_WORD[word]
