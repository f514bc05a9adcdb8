"""What quantities and axes are called in print."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas as pd

QUANTITIES: dict[str, str] = {
    "auc": "AUC",
    "partial_auc": "Partial AUC",
    "partial_auc_standardized": "Standardized partial AUC",
    "mean_tpr": "Mean sensitivity",
    "mean_tnr": "Mean specificity",
    "stratified_auc": "Stratified AUC",
    "adjusted_auc": "AUC adjusted for covariates",
    "covariate_auc": "AUC at given covariates",
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
    "lr": "Likelihood ratio",
    "post_test_probability": "Post-test probability",
    "odds_ratio": "Diagnostic odds ratio",
    "share_of_positives": "Share of positives",
    "share_of_negatives": "Share of negatives",
    "share_of_all": "Share of all cases",
    "youden": "Youden index",
    "both_rates": "Sensitivity and specificity together",
    "tpr_ratio": "Ratio of sensitivities",
    "fpr_ratio": "Ratio of false positive rates",
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
    "f_beta": "F score",
    "kappa": "Cohen's kappa",
    "false_discovery": "False discovery rate",
    "false_omission": "False omission rate",
    "number_needed_to_diagnose": "Number needed to diagnose",
    "true_prevalence": "True prevalence",
    "lc_index": "LC index",
    "observed_expected_ratio": "Observed over expected events",
    "intercept_and_slope": "Intercept and slope together",
    "spiegelhalter_z": "Spiegelhalter's z",
    "ici": "Integrated calibration index",
    "e50": "Median distance from calibration",
    "e90": "90th percentile of the distance from calibration",
    "brier_score": "Brier score",
    "scaled_brier_score": "Scaled Brier score",
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
        "tpr_ratio",
        "fpr_ratio",
        "ppv_ratio",
        "npv_ratio",
        "lr_positive_ratio",
        "lr_negative_ratio",
        "curve_distance",
    ]
)
"""Quantities that are themselves a comparison, and no difference."""

AXES = {
    "fpr": "false positive rates",
    "tpr": "sensitivities",
    "risk_threshold": "risk thresholds",
}


class RowLike(Protocol):
    """A row of a frame by column: a pandas.Series, or a dict, which is read fifty times faster."""

    def get(self, key: str, default: Any = None, /) -> Any: ...  # noqa: D102
    def __getitem__(self, key: str, /) -> Any: ...
    def __contains__(self, key: object, /) -> bool: ...


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as dicts."""
    # to_dict("records") takes each column by .iloc, which costs more than the rest.
    names = [str(name) for name in frame.columns]
    columns = [column.tolist() for _, column in frame.items()]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def quantity_text(row: RowLike, *, with_risk: bool = True) -> str:
    """Return what a row estimates, in words.

    Parameters
    ----------
    row : pandas.Series or dict
        Row of an estimate frame.

    Returns
    -------
    str
        For instance "Difference in AUC" or "Partial AUC (false positive rates 0 to 0.1)".

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.frames.words import quantity_text
    >>> quantity_text(pd.Series({"quantity": "auc", "reference": "ndka"}))
    'Difference in AUC'
    """
    name = str(row.get("quantity", "estimate"))
    words = QUANTITIES.get(name, capital(name.replace("_", " ")))
    low, high = row.get("range_low", math.nan), row.get("range_high", math.nan)
    if low > 0 or high < 1:
        axis = AXES.get(str(row["range_axis"]), str(row["range_axis"]))
        words += f" ({axis} {low:g} to {high:g})"
    if isinstance(at := row.get("covariates"), str):
        words += f" ({at})"
    if with_risk and row.get("risk_threshold", math.nan) > 0:
        words += f" (risk threshold {row['risk_threshold']:g})"
    if not is_difference(row) or name in COMPARISONS:
        return words
    kind = "Contrast of" if row["reference"] == "contrast" else "Difference in"
    return f"{kind} {uncapital(words)}"


def is_difference(row: RowLike) -> bool:
    """Return whether a row compares areas or other quantities: its ``reference`` is filled.

    Parameters
    ----------
    row : pandas.Series or dict
        Row of an estimate frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.frames.words import is_difference
    >>> is_difference(pd.Series({"predictor": "wfns", "reference": "ndka"}))
    True
    """
    reference = row.get("reference", "")
    return isinstance(reference, str) and reference != ""


def capital(text: str) -> str:
    """Return the text with a capital letter, unless it begins with the name of an argument."""
    return text if "_" in text.partition(" ")[0] else text[:1].upper() + text[1:]


def uncapital(text: str) -> str:
    """Return the text as it stands inside a sentence."""
    names = ("AUC", "Brier", "F1", "LC", "Matthews", "Spiegelhalter", "Youden")
    return text if text.startswith(names) else text[:1].lower() + text[1:]
