"""What the words in frames are called in print, and whom they cite."""

from __future__ import annotations

_DELONG = ("delong-1988",)
_OBUCHOWSKI = ("obuchowski-1997",)
_HANLEY = ("hanley-mcneil-1982",)
_HANLEY_PAIRED = ("hanley-mcneil-1983",)
_BANDOS = ("bandos-2005",)
_NEWCOMBE = ("newcombe-2006",)
_EFRON = ("efron-1987",)
_LEDELL = ("ledell-2015",)

Phrase = tuple[str, tuple[str, ...]]
"""Words that continue a sentence, and the keys of the bibliography they rest on."""

VARIANCES: dict[str, Phrase] = {
    "delong": ("by the method of DeLong et al", _DELONG),
    "obuchowski": ("by the method of Obuchowski for clustered data", _OBUCHOWSKI),
    "foldwise-delong": ("by the method of DeLong et al within each cross-validation fold", _DELONG),
    "foldwise-obuchowski": (
        "by the method of Obuchowski for clustered data, over the cross-validation folds",
        _OBUCHOWSKI,
    ),
    "hanley-mcneil": ("by the exponential approximation of Hanley and McNeil", _HANLEY),
    "hanley-mcneil-data": (
        "by the formula of Hanley and McNeil with its probabilities taken from the data",
        _HANLEY,
    ),
    "unbiased": ("by the unbiased estimator of the variance of a U statistic", ()),
    "bootstrap": ("by the stratified bootstrap with infinitely many resamples", ()),
    "foldwise-bootstrap": (
        "by the stratified bootstrap with infinitely many resamples within each cross-validation"
        " fold",
        (),
    ),
    **{
        f"hanley-mcneil-{name}{suffix}": (
            f"by the method of Hanley and McNeil for the same cases, from {name.capitalize()}"
            f" correlations of the scores{how}",
            _HANLEY_PAIRED,
        )
        for name in ("pearson", "kendall")
        for suffix, how in (("", ""), ("-by-class", " in each class"))
    },
    "ledell": ("by the influence function of the cross-validated area", _LEDELL),
    "ledell-clustered": (
        "by the influence function of the cross-validated area, summed by cluster",
        _LEDELL,
    ),
    "stratified-delong": ("by the method of DeLong et al within strata", _DELONG),
    "stratified-obuchowski": (
        "by the method of Obuchowski for clustered data, over strata",
        _OBUCHOWSKI,
    ),
    "maximum-likelihood": (
        "from the observed information of a binormal model fitted by maximum likelihood",
        (),
    ),
    "maximum-likelihood-expected": (
        "from the expected information of a binormal model fitted by maximum likelihood",
        (),
    ),
    "maximum-likelihood-clustered": (
        "from the observed information of a binormal model fitted by maximum likelihood, with the"
        " covariance of cases of one cluster added",
        (),
    ),
    "maximum-likelihood-expected-clustered": (
        "from the expected information of a binormal model fitted by maximum likelihood, with the"
        " covariance of cases of one cluster added",
        (),
    ),
    "normal-theory": ("by a binormal model that takes the scores for normal", ()),
    "normal-theory-clustered": (
        "by a binormal model that takes the scores for normal, with the covariance of cases of one"
        " cluster added",
        (),
    ),
    "hand-till": (
        "from influence values, summed over the areas of pairs of classes that a case enters",
        ("hand-2001", *_DELONG),
    ),
    "class-reference": (
        "from influence values, summed over the areas of the classes and their shares",
        _DELONG,
    ),
    "begg-greenes": (
        "by the method of Begg and Greenes for verification that depends on the result of the test",
        ("begg-1983",),
    ),
    "inverse-probability": (
        "by the standard deviation of resamples, cases weighted by the inverse of their chance to"
        " be verified",
        (),
    ),
    "binomial": ("by the binomial distribution", ()),
    "mcnemar-mid-p": ("from the discordant cases", ()),
    "mcnemar-exact": ("from the discordant cases", ()),
    "mcnemar-asymptotic": ("from the discordant cases", ()),
    "tango-score": ("from the discordant cases", ()),
    "fisher": ("by the binomial distribution", ()),
    "mid-p": ("by the binomial distribution", ()),
    "pooled-z": ("by the binomial distribution", ()),
    "weighted-score": ("from influence values", ()),
    "influence": ("from influence values", ()),
    "cluster-influence": ("from influence values, summed by cluster", ()),
    "resamples": ("by the standard deviation of resamples", ()),
    "reselection": (
        "as the larger of the standard deviation of resamples, whose thresholds were chosen again,"
        " and of that from influence values",
        (),
    ),
    "kernel": ("by the delta method from kernel-smoothed distributions", ()),
    "curves": ("by the standard deviation over curves", ()),
    "clusters": ("by the ratio estimator for clustered data", ()),
}
"""How a standard error came about, by the first word of ``method``, and who to cite."""

INTERVALS: dict[str, Phrase] = {
    "logit": ("on the logit scale", ()),
    "wald": ("by the normal approximation", ()),
    "probit": ("on the probit scale", ()),
    "log": ("on the logarithmic scale", ()),
    "logit-t": ("on the logit scale with quantiles of the t distribution", ()),
    "wald-t": ("with quantiles of the t distribution", ()),
    "newcombe": ("by Newcombe's method 5", _NEWCOMBE),
    "mover": (
        "by combining the Newcombe limits of both areas (MOVER)",
        ("newcombe-2006", "zou-2008"),
    ),
    "hanley-mcneil-score": ("by inverting the score test of Hanley and McNeil", _HANLEY),
    "percentile": ("as percentiles of resamples", ()),
    "bca": ("as bias-corrected and accelerated percentiles of resamples", _EFRON),
    "clopper-pearson": ("by the method of Clopper and Pearson", ()),
    "wilson": ("by the method of Wilson", ()),
    "normal": ("by the normal approximation", ()),
    "agresti-coull": ("by the method of Agresti and Coull", ()),
    "jeffreys": ("by the method of Jeffreys", ()),
    "wilson-effective-n": ("by the method of Wilson with an effective sample size", ()),
    "mover-wilson": (
        "by combining Wilson limits of both rates (MOVER)",
        ("zou-2008",),
    ),
    "neighbours": ("as the neighbouring scores, since resamples agreed", ()),
    "wilson-corrected": ("by the method of Wilson around rates corrected for optimism", ()),
    "mover-corrected": (
        "by combining Wilson limits of both rates (MOVER) around values corrected for optimism",
        ("zou-2008",),
    ),
    "wilson-conditional": ("by the method of Wilson, as if thresholds were known", ()),
    "score": ("by inverting the score test", ("koopman-1984",)),
    "mercaldo": ("on the logit scale by the method of Mercaldo et al", ("mercaldo-2007",)),
    "fisher": ("on Fisher's scale", ()),
    **{
        f"mover-{word}": (f"by combining {name} limits of both rates (MOVER)", ("zou-2008",))
        for word, name in (
            ("clopper-pearson", "Clopper-Pearson"),
            ("agresti-coull", "Agresti-Coull"),
            ("jeffreys", "Jeffreys"),
            ("wald", "Wald"),
        )
    },
    "t": ("with quantiles of the t distribution", ()),
    "newcombe-hybrid": ("from Wilson limits of both rates by the hybrid method of Newcombe", ()),
    "tango": ("by inverting the score test of Tango", ("tango-1998",)),
    "tango-mover": (
        "by combining the limits of Tango for both classes (MOVER)",
        ("tango-1998", "zou-2008"),
    ),
    "newcombe-paired": ("by Newcombe's method 10", ("newcombe-1998",)),
    "wilson-mover": ("by combining the Wilson limits of both (MOVER)", ("zou-2008",)),
    "effective-wilson": (
        "by the method of Wilson with an effective sample size (of rocstats, not peer-reviewed)",
        (),
    ),
    "effective-wilson-t": (
        "by the method of Wilson with an effective sample size and quantiles of the t distribution"
        " (of rocstats, not peer-reviewed)",
        (),
    ),
    "exact": ("on the logit scale, with the distribution-free bound at areas of 0 and 1", ()),
}
"""How limits came about, by the second word of ``method``, and who to cite."""

QUANTITIES: dict[str, str] = {
    "auc": "AUC",
    "partial_auc": "Partial AUC",
    "partial_auc_standardized": "Standardized partial AUC",
    "mean_tpr": "Mean sensitivity",
    "mean_tnr": "Mean specificity",
    "stratified_auc": "Stratified AUC",
    "apparent_auc": "Apparent AUC",
    "auc_optimism": "Optimism of the AUC",
    "corrected_auc": "AUC corrected for optimism",
    "auc_worst": "AUC, worst case",
    "auc_best": "AUC, best case",
    "co_primary": "Both goals",
    "average_precision": "Average precision",
    "pr_auc": "Area under the precision-recall curve",
    "tpr": "Sensitivity",
    "fpr": "False positive rate",
    "tnr": "Specificity",
    "fnr": "False negative rate",
    "ppa": "Positive percent agreement",
    "npa": "Negative percent agreement",
    "overall_agreement": "Overall percent agreement",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
    "lr_positive": "Positive likelihood ratio",
    "lr_negative": "Negative likelihood ratio",
    "odds_ratio": "Diagnostic odds ratio",
    "youden": "Youden index",
    "both_rates": "Sensitivity and specificity together",
    "ppv_ratio": "Ratio of positive predictive values",
    "npv_ratio": "Ratio of negative predictive values",
    "lr_positive_ratio": "Ratio of positive likelihood ratios",
    "lr_negative_ratio": "Ratio of negative likelihood ratios",
    "curve_distance": "Distance of the curves",
    "distance": "Distance from (0, 1)",
    "product": "Product of sensitivity and specificity",
    "criterion": "Value of the criterion",
    "mcc": "Matthews correlation coefficient",
    "f1": "F1 score",
    "lc_index": "LC index",
    "a": "Binormal intercept a",
    "b": "Binormal slope b",
    "d_a": "d_a",
    "d_e": "d_e",
}
"""Quantities in print; others are their own name with blanks."""

COMPARISONS = frozenset(
    [
        "lc_index",
        "both_rates",
        "ppv_ratio",
        "npv_ratio",
        "lr_positive_ratio",
        "lr_negative_ratio",
        "curve_distance",
    ]
)
"""Quantities that are themselves a comparison, and no difference."""

AXES = {"fpr": "false positive rates", "tpr": "sensitivities"}

EXCHANGES: dict[str, Phrase] = {
    "permutation-exact": (
        "the permutation test of Bandos et al, which exchanges the values of a case (every"
        " exchange)",
        _BANDOS,
    ),
    "permutation": (
        "the permutation test of Bandos et al, which exchanges the values of a case (random"
        " exchanges)",
        _BANDOS,
    ),
    "permutation-asymptotic": (
        "the normal form of the permutation test of Bandos et al, which exchanges the values of a"
        " case",
        _BANDOS,
    ),
}
"""Tests beside an interval that is not theirs, by the third word of ``method``."""

TESTS: dict[str, str] = {
    "mann-whitney/exact": "the exact Mann-Whitney test",
    "mann-whitney/mid-p": "the mid-P Mann-Whitney test",
    "label-permutation/auc": "permutation of the labels",
    "cluster-permutation/auc": "permutation of the labels of whole clusters",
    "binomial/clopper-pearson": "exact binomial tests",
    "fisher/newcombe-hybrid": "Fisher's exact test",
    "mid-p/newcombe-hybrid": "the mid-P form of Fisher's exact test",
    "venkatraman/permutation": "Venkatraman's permutation test of equal curves",
    **{
        f"mcnemar-{test}/{interval}": f"the {words} McNemar test"
        for test, words in (("mid-p", "mid-P"), ("exact", "exact"))
        for interval in ("tango", "newcombe-paired")
    },
    "boschloo/newcombe-hybrid": "the exact test of Boschloo",
}
"""Tests whose P value needs no statistic, by ``method``."""
