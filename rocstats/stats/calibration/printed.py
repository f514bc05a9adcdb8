"""The words for calibration in ``method``, and their phrases in print."""

from __future__ import annotations

from rocstats.stats.word import Word

_WALD = "Wald tests of intercept and slope together"
STANDARD_ERRORS = (
    Word("logistic", "from the logistic model"),
    Word("sandwich", "from the scores of cases (sandwich)"),
    Word("cluster-sandwich", "from the scores of cases, summed by cluster (sandwich)"),
)
TESTS = (
    Word(
        "likelihood-ratio/chi-square",
        "likelihood ratio tests of intercept and slope together",
        ("cox-1958",),
    ),
    Word("sandwich/chi-square", _WALD, ("cox-1958",)),
    Word("cluster-sandwich/chi-square", _WALD, ("cox-1958",)),
    Word("spiegelhalter/normal", "Spiegelhalter's z test", ("spiegelhalter-1986",)),
    Word("redraws/spline", "redraws of the outcomes from the risks", ("dimitriadis-2021",)),
    Word("redraws/isotonic", "redraws of the outcomes from the risks", ("dimitriadis-2021",)),
)
"""Tests whose P value needs no statistic, by the whole ``method``."""

SPLINE_BANDS = {"pointwise": "spline", "simultaneous": "spline-max-normal"}
CONSISTENCY = "consistency"
BANDS = (
    Word("spline", "normal limits of a restricted cubic spline of the logit", ("harrell-2015",)),
    Word(
        "spline-max-normal",
        "limits of a restricted cubic spline of the logit, the normal quantile replaced by that of"
        " the largest of correlated normal variables",
        ("harrell-2015",),
    ),
    Word(
        CONSISTENCY,
        "quantiles of monotone curves refitted to outcomes drawn from the risks",
        ("dimitriadis-2021",),
    ),
)
"""The words for bands of calibration curves."""
