"""The intervals for an area, in the order in which messages and pages name them.

A new interval has its own file, a line in ``AREA_INTERVALS`` and its word in ``Interval``.
"""

from __future__ import annotations

from typing import Literal

from rocstats.stats.intervals.methods.effective_wilson import EFFECTIVE_WILSON
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
    PERCENTILE,
    BCA,
)
_BY_WORD = {record.word: record for record in AREA_INTERVALS}


DEFAULT_INTERVAL: Interval = "logit-t"
"""The default of every area by DeLong's variance: published, and better than logit in few cases."""


def default_interval(variance: str) -> Interval:
    """Return the default interval that goes with a variance: logit where it has no parts."""
    return DEFAULT_INTERVAL if variance in LOGIT_T.variances else "logit"


def area_interval(word: str) -> AreaInterval:
    """Return the interval called ``word``."""
    return _BY_WORD[word]
