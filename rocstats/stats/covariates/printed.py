"""The words for areas adjusted for covariates in ``method``, and their phrases in print."""

from __future__ import annotations

from rocstats.stats.word import Word

_OF = "from influence values that allow for the regression of the negatives on covariates"
_EMPIRICAL, _NORMAL = f"{_OF}, with empirical residuals", f"{_OF}, with normal residuals"
_SUMMED = ", summed by cluster"
_KEYS = ("janes-2009",)

STANDARD_ERRORS = (
    Word("adjusted-empirical", _EMPIRICAL, _KEYS),
    Word("adjusted-empirical-cluster", _EMPIRICAL + _SUMMED, _KEYS),
    Word("adjusted-normal", _NORMAL, _KEYS),
    Word("adjusted-normal-cluster", _NORMAL + _SUMMED, _KEYS),
    Word(
        "regression",
        "by the delta method from a normal linear regression in each class",
        ("faraggi-2003",),
    ),
)
