"""The words for rates, measures and cutpoints in ``method``, and their phrases in print."""

from __future__ import annotations

from rocstats.stats.word import Word

_ZOU = ("zou-2008",)

STANDARD_ERRORS = (
    Word("influence", "from influence values"),
    Word("cluster-influence", "from influence values, summed by cluster"),
    Word(
        "reselection",
        "as the larger of the standard deviation of resamples, whose thresholds were chosen again,"
        " and of that from influence values",
    ),
    Word("kernel", "from resamples of kernel-smoothed distributions"),
)
LIMITS = (
    Word("neighbours", "as the neighbouring scores, since resamples agreed"),
    Word(
        "both-ends",
        "as percentiles of resamples of both ends of the range of thresholds that decide alike",
    ),
    Word(
        "wilson-corrected",
        "by the method of Wilson around rates corrected for optimism",
        ("wilson-1927",),
    ),
    Word(
        "mover-corrected",
        "by combining Wilson limits of both rates (MOVER) around values corrected for optimism",
        _ZOU,
    ),
    Word("wilson-conditional", "by the method of Wilson, as if thresholds were known"),
    Word("score", "by inverting the score test", ("koopman-1984",)),
    Word("mercaldo", "on the logit scale by the method of Mercaldo et al", ("mercaldo-2007",)),
    Word(
        "dkw-corners",
        "at the corners of limits of both rates that hold for all thresholds at once",
        ("dvoretzky-1956", "massart-1990"),
    ),
    Word(
        "mercaldo-corrected",
        "on the logit scale by the method of Mercaldo et al around values at rates corrected for"
        " optimism",
        ("mercaldo-2007",),
    ),
    Word("fisher", "on Fisher's scale"),
    Word(
        "lang-reiczigel",
        "by the method of Lang and Reiczigel",
        ("lang-2014",),
    ),
)
TESTS = (Word("binomial/clopper-pearson", "exact binomial tests"),)
"""Tests whose P value needs no statistic, by the whole ``method``."""
