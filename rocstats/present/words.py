"""What quantities and axes are called in print, and the references in full."""

from __future__ import annotations

REFERENCES: dict[str, str] = {
    "begg-1983": "Begg CB, Greenes RA. Assessment of diagnostic tests when disease verification is"
    " subject to selection bias. Biometrics. 1983;39(1):207-215.",
    "hand-2001": "Hand DJ, Till RJ. A simple generalisation of the area under the ROC curve for"
    " multiple class classification problems. Mach Learn. 2001;45:171-186.",
    "bandos-2005": "Bandos AI, Rockette HE, Gur D. A permutation test sensitive to differences in"
    " areas for comparing ROC curves from a paired design. Stat Med. 2005;24(18):2873-2893.",
    "delong-1988": "DeLong ER, DeLong DM, Clarke-Pearson DL. Comparing the areas under two or more"
    " correlated receiver operating characteristic curves: a nonparametric approach. Biometrics."
    " 1988;44(3):837-845.",
    "efron-1987": "Efron B. Better bootstrap confidence intervals. J Am Stat Assoc."
    " 1987;82(397):171-185.",
    "fawcett-2004": "Fawcett T. ROC Graphs: Notes and Practical Considerations for Researchers."
    " Technical report. Palo Alto, CA: HP Laboratories; 2004.",
    "campbell-1994": "Campbell G. Advances in statistical methodology for the evaluation of"
    " diagnostic and laboratory tests. Stat Med. 1994;13:499-508.",
    "hanley-mcneil-1982": "Hanley JA, McNeil BJ. The meaning and use of the area under a receiver"
    " operating characteristic (ROC) curve. Radiology. 1982;143(1):29-36.",
    "hanley-mcneil-1983": "Hanley JA, McNeil BJ. A method of comparing the areas under receiver"
    " operating characteristic curves derived from the same cases. Radiology."
    " 1983;148(3):839-843.",
    "holm-1979": "Holm S. A simple sequentially rejective multiple test procedure. Scand J Stat."
    " 1979;6(2):65-70.",
    "koopman-1984": "Koopman PAR. Confidence intervals for the ratio of two binomial proportions."
    " Biometrics. 1984;40(2):513-517.",
    "ledell-2015": "LeDell E, Petersen M, van der Laan M. Computationally efficient confidence"
    " intervals for cross-validated area under the ROC curve estimates. Electron J Stat."
    " 2015;9(1):1583-1607.",
    "mercaldo-2007": "Mercaldo ND, Lau KF, Zhou XH. Confidence intervals for predictive values with"
    " an emphasis to case-control studies. Stat Med. 2007;26(10):2170-2183.",
    "newcombe-2006": "Newcombe RG. Confidence intervals for an effect size measure based on the"
    " Mann-Whitney statistic. Part 2: asymptotic methods and evaluation. Stat Med."
    " 2006;25(4):559-573.",
    "obuchowski-1997": "Obuchowski NA. Nonparametric analysis of clustered ROC curve data."
    " Biometrics. 1997;53(2):567-578.",
    "newcombe-1998": "Newcombe RG. Improved confidence intervals for the difference between"
    " binomial proportions based on paired data. Stat Med. 1998;17(22):2635-2650.",
    "tango-1998": "Tango T. Equivalence test and confidence interval for the difference in"
    " proportions for the paired-sample design. Stat Med. 1998;17(8):891-908.",
    "zou-2008": "Zou GY, Donner A. Construction of confidence limits about effect measures: a"
    " general approach. Stat Med. 2008;27(10):1693-1702.",
}

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
