"""What quantities and axes are called in print, and the references in full."""

from __future__ import annotations

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
