"""The words for survival in ``method``, and their phrases in print."""

from __future__ import annotations

from rocstats.stats.word import Word

_WEIGHTS = ("uno-2007", "hung-chiang-2010", "blanche-2013")
STANDARD_ERRORS = (
    Word("ipcw", "from influence values that allow for estimated censoring weights", _WEIGHTS),
    Word(
        "cluster-ipcw",
        "from influence values that allow for estimated censoring weights, summed by cluster",
        _WEIGHTS,
    ),
    Word(
        "uno",
        "from influence values of Uno's concordance with its censoring weights",
        ("uno-2011",),
    ),
    Word(
        "cluster-uno",
        "from influence values of Uno's concordance with its censoring weights, summed by cluster",
        ("uno-2011",),
    ),
    Word("harrell", "from influence values of Harrell's concordance", ("harrell-1982",)),
    Word(
        "cluster-harrell",
        "from influence values of Harrell's concordance, summed by cluster",
        ("harrell-1982",),
    ),
)
"""The words for standard errors at a time, and of concordance."""

BAND = "logit-max-normal"
LIMITS = (
    Word(
        BAND,
        "on the logit scale, the normal quantile replaced by that of the largest of correlated"
        " normal variables with the correlation of influence values",
        ("blanche-2013",),
    ),
)
"""The word for limits that hold at several times together."""
