"""Words of the column ``method``, with their phrases in print and their references.

They name standard errors, limits, bands and tests of: binormal fits, calibration, comparisons with
chance, adjustment for covariates, points on curves, and survival. Methods that need a function
(intervals and variances of areas, bands of ROC curves) have their own records, in ``estimate``.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Word(NamedTuple):
    """Word of the column ``method`` with its phrase in print.

    ``phrase`` continues a sentence of the Methods paragraph, ``references`` are keys of the
    bibliography. ``published`` is False for our own methods, simulated but not peer-reviewed.
    """

    word: str
    phrase: str
    references: tuple[str, ...] = ()
    published: bool = True


# --- Binormal model -------------------------------------------------------------------------------

_BINORMAL_INFORMATION = "information of a binormal model fitted by maximum likelihood"
_NORMAL_SCORES = "by a binormal model that takes the scores for normal"
_CLUSTER_COVARIANCE = ", with the covariance of cases of one cluster added"

BINORMAL_STANDARD_ERRORS = (
    Word("maximum-likelihood", f"from the observed {_BINORMAL_INFORMATION}"),
    Word("maximum-likelihood-expected", f"from the expected {_BINORMAL_INFORMATION}"),
    Word(
        "maximum-likelihood-clustered",
        f"from the observed {_BINORMAL_INFORMATION}{_CLUSTER_COVARIANCE}",
    ),
    Word(
        "maximum-likelihood-expected-clustered",
        f"from the expected {_BINORMAL_INFORMATION}{_CLUSTER_COVARIANCE}",
    ),
    Word("normal-theory", _NORMAL_SCORES),
    Word("normal-theory-clustered", f"{_NORMAL_SCORES}{_CLUSTER_COVARIANCE}"),
)


# --- Calibration ----------------------------------------------------------------------------------

_WALD = "Wald tests of intercept and slope together"
CALIBRATION_STANDARD_ERRORS = (
    Word("logistic", "from the logistic model"),
    Word(
        "case-control-logistic",
        "from the logistic model of cases sampled by class",
        ("prentice-1979",),
    ),
    Word("sandwich", "from the scores of cases (sandwich)"),
    Word("cluster-sandwich", "from the scores of cases, summed by cluster (sandwich)"),
)
CALIBRATION_TESTS = (
    Word(
        "likelihood-ratio/chi-square",
        "likelihood ratio tests of intercept and slope together",
        ("cox-1958",),
    ),
    Word("case-control-logistic/chi-square", _WALD, ("cox-1958", "prentice-1979")),
    Word("sandwich/chi-square", _WALD, ("cox-1958",)),
    Word("cluster-sandwich/chi-square", _WALD, ("cox-1958",)),
    Word("spiegelhalter/normal", "Spiegelhalter's z test", ("spiegelhalter-1986",)),
    Word("redraws/spline", "redraws of the outcomes from the risks", ("dimitriadis-2021",)),
    Word("redraws/isotonic", "redraws of the outcomes from the risks", ("dimitriadis-2021",)),
)
"""Tests with a P value without a statistic, by the whole ``method``."""

SPLINE_BANDS = {"pointwise": "spline", "simultaneous": "spline-max-normal"}
CONSISTENCY = "consistency"
BINS: Final = "bins"
CALIBRATION_BANDS = (
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
    Word(BINS, "Wilson limits of the share of events in each bin of the risks", ("wilson-1927",)),
)
"""The words for bands of calibration curves, and for limits of their bins."""


# --- Comparison with chance -----------------------------------------------------------------------

CHANCE_STANDARD_ERRORS = tuple(
    Word(word, "by the binomial distribution") for word in ("fisher", "mid-p", "pooled-z")
)
CHANCE_LIMITS = (
    Word("newcombe-hybrid", "from Wilson limits of both rates by the hybrid method of Newcombe"),
)
CHANCE_TESTS = (
    Word("mann-whitney/exact", "the exact Mann-Whitney test"),
    Word("mann-whitney/mid-p", "the mid-P Mann-Whitney test"),
    Word("label-permutation/auc", "permutation of the labels"),
    Word("cluster-permutation/auc", "permutation of the labels of whole clusters"),
    Word("fisher/newcombe-hybrid", "Fisher's exact test"),
    Word("mid-p/newcombe-hybrid", "the mid-P form of Fisher's exact test"),
    Word("boschloo/newcombe-hybrid", "the exact test of Boschloo"),
)
"""Tests with a P value without a statistic, by the whole ``method``."""


# --- Adjustment for covariates --------------------------------------------------------------------

_ADJUSTED_INFLUENCE = (
    "from influence values that allow for the regression of the negatives on covariates"
)
_EMPIRICAL_RESIDUALS, _NORMAL_RESIDUALS = (
    f"{_ADJUSTED_INFLUENCE}, with empirical residuals",
    f"{_ADJUSTED_INFLUENCE}, with normal residuals",
)
_SUMMED_BY_CLUSTER = ", summed by cluster"
_JANES = ("janes-2009",)

COVARIATE_STANDARD_ERRORS = (
    Word("adjusted-empirical", _EMPIRICAL_RESIDUALS, _JANES),
    Word("adjusted-empirical-cluster", _EMPIRICAL_RESIDUALS + _SUMMED_BY_CLUSTER, _JANES),
    Word("adjusted-normal", _NORMAL_RESIDUALS, _JANES),
    Word("adjusted-normal-cluster", _NORMAL_RESIDUALS + _SUMMED_BY_CLUSTER, _JANES),
    Word(
        "regression",
        "by the delta method from a normal linear regression in each class",
        ("faraggi-2003",),
    ),
)


# --- Points on curves: rates, measures and cutpoints ----------------------------------------------

_ZOU = ("zou-2008",)

POINT_STANDARD_ERRORS = (
    Word("influence", "from influence values"),
    Word("cluster-influence", "from influence values, summed by cluster"),
    Word("effective", "for effective numbers of cases", ("korn-1998",)),
    Word(
        "reselection",
        "as the larger of the standard deviation of resamples, whose thresholds were chosen again,"
        " and of that from influence values",
    ),
    Word("kernel", "from resamples of kernel-smoothed distributions"),
)
POINT_LIMITS = (
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
    Word("independent-mover", "by combining the limits of both without correlation (MOVER)", _ZOU),
    Word(
        "lang-reiczigel",
        "by the method of Lang and Reiczigel",
        ("lang-2014",),
    ),
)
POINT_TESTS = (Word("binomial/clopper-pearson", "exact binomial tests"),)
"""Tests with a P value without a statistic, by the whole ``method``."""


# --- Marks of lesions -----------------------------------------------------------------------------

MARK_LIMITS = (
    Word("log-t", "on the logarithmic scale with quantiles of the t distribution"),
    Word("poisson", "by the exact method of Garwood", ("garwood-1936",)),
)
"""The words for limits of numbers of false marks."""


# --- Survival -------------------------------------------------------------------------------------

_CENSORING_WEIGHTS = ("uno-2007", "hung-chiang-2010", "blanche-2013")
SURVIVAL_STANDARD_ERRORS = (
    Word(
        "ipcw",
        "from influence values that allow for estimated censoring weights",
        _CENSORING_WEIGHTS,
    ),
    Word(
        "cluster-ipcw",
        "from influence values that allow for estimated censoring weights, summed by cluster",
        _CENSORING_WEIGHTS,
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

SURVIVAL_BAND = "logit-max-normal"
SURVIVAL_LIMITS = (
    Word(
        SURVIVAL_BAND,
        "on the logit scale, the normal quantile replaced by that of the largest of correlated"
        " normal variables with the correlation of influence values",
        ("blanche-2013",),
    ),
)
"""The word for limits that hold at several times together."""


# --- Reviews of several studies -------------------------------------------------------------------

_BIVARIATE = ("chu-2006", "reitsma-2005")
META_STANDARD_ERRORS = (
    Word(
        "exact-bivariate",
        "from the information of a bivariate binomial-normal model, fitted by maximum likelihood"
        " with adaptive Gauss-Hermite quadrature",
        _BIVARIATE,
    ),
    Word(
        "exact-univariate",
        "from the information of a binomial-normal model, fitted by maximum likelihood with"
        " adaptive Gauss-Hermite quadrature",
        _BIVARIATE,
    ),
    Word("binomial", "by the binomial distribution"),
    Word("deeks", "by weighted regression of the log odds ratio on size", ("deeks-2005",)),
    Word("reml", "with the variance between studies by restricted maximum likelihood"),
    Word(
        "paule-mandel",
        "with the variance between studies by the method of Paule and Mandel",
        ("paule-1982",),
    ),
    Word(
        "dersimonian-laird",
        "with the variance between studies by the method of DerSimonian and Laird",
        ("dersimonian-1986",),
    ),
)
META_LIMITS = (
    Word("t", "on the scale of the model, with quantiles of the t distribution"),
    Word("profile", "from the profile of the likelihood"),
    Word(
        "prediction-t", "for a new study, with quantiles of the t distribution", ("higgins-2009",)
    ),
    Word(
        "restricted-profile",
        "from the profile of the restricted likelihood",
        ("cox-1987",),
        published=False,
    ),
    Word("hartung-knapp", "by the method of Hartung and Knapp", ("hartung-2001",)),
    Word("q-profile", "by inverting Cochran's Q", ("viechtbauer-2007",)),
)
META_TESTS = (
    Word("exact-bivariate/likelihood-ratio", "likelihood ratio tests of the bivariate model"),
    Word("exact-univariate/likelihood-ratio", "likelihood ratio tests of the binomial model"),
    Word(
        "exact-bivariate/likelihood-ratio-f",
        "likelihood ratio tests of the bivariate model, with F quantiles",
    ),
    Word(
        "exact-univariate/likelihood-ratio-f",
        "likelihood ratio tests of the binomial model, with F quantiles",
    ),
    Word("deeks/t", "the test of Deeks for effects of small studies", ("deeks-2005",)),
    Word("cochran/chi-square", "Cochran's Q test", ("cochran-1954",)),
)
"""Tests by the whole ``method``."""
