"""The columns of every frame: the meaning of each column, and the columns of each question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "real", "count"]
"""``text`` is str, ``real`` is float64, ``count`` is float64 (a sum of frequencies or weights)."""


@dataclass(frozen=True)
class Column:
    """One column of the glossary: its type and what it means."""

    kind: Kind
    meaning: str


GLOSSARY: dict[str, Column] = {
    "predictor": Column(
        "text",
        'Name of the predictor (test, marker, classifier); "all" in a test of all predictors,'
        ' "" where none is meant or several tie.',
    ),
    "reference": Column(
        "text",
        "What the row is compared with: the estimate is predictor minus"
        ' reference. Across groups, the other group; "contrast" for a combination.',
    ),
    "group": Column(
        "text",
        'Label of the group (site, subgroup); "all" in an answer over all groups. There only if the'
        " study has groups.",
    ),
    "fold": Column("text", 'Label of the cross-validation fold; "" when folds are pooled.'),
    "quantity": Column(
        "text", "What is estimated; a difference carries the quantity it is a difference of."
    ),
    # A row about the whole area has the axis "fpr" and the range 0 to 1 (FULL_AREA).
    "range_axis": Column("text", 'Axis of the range of an area: "fpr" or "tpr".'),
    "range_low": Column("real", "Lower end of the range of an area, in [0, 1]."),
    "range_high": Column("real", "Upper end of the range of an area, in [0, 1]."),
    "direction": Column(
        "text",
        '">=" when scores at or above the threshold are called positive,'
        ' "<=" when scores at or below it are.',
    ),
    "threshold": Column(  # never negated, even where lower scores are positive
        "real",
        "Threshold on the user's scale; infinite in the first row of a"
        " curve, where nothing is called positive; NaN at the shared ends of a joint hull.",
    ),
    "reference_threshold": Column("real", "Threshold of the reference, on the user's scale."),
    "threshold_start": Column(
        "real", "Threshold where a concavity starts; infinite where nothing is called positive."
    ),
    "threshold_end": Column("real", "Threshold where a concavity ends."),
    "fpr": Column("real", "False positive rate (1 - specificity), in [0, 1]."),
    "tpr": Column("real", "True positive rate (sensitivity), in [0, 1]."),
    "fpr_low": Column("real", "False positive rate where a band ends above, at ``tpr_high``."),
    "fpr_high": Column("real", "False positive rate where a band ends below, at ``tpr_low``."),
    "tpr_low": Column("real", "Lower limit of a band at a false positive rate, in [0, 1]."),
    "tpr_high": Column("real", "Upper limit of a band at a false positive rate, in [0, 1]."),
    "scope": Column(
        "text",
        'What a band holds with its level: "simultaneous" the whole true curve, "pointwise" each'
        ' point by itself, "future" the whole empirical curve of a new test set.',
    ),
    "fp": Column(
        "count", "False positives: negatives called positive, a sum of frequencies or weights."
    ),
    "tp": Column(
        "count", "True positives: positives called positive, a sum of frequencies or weights."
    ),
    "fpr_repaired": Column("real", "False positive rate of the point that repairs a concavity."),
    "tpr_repaired": Column("real", "True positive rate of the point that repairs a concavity."),
    "class_weight": Column(
        "real", "Weight of the positive class in the fit, that of the negative class being 1."
    ),
    "ppv": Column("real", "Positive predictive value (precision), in [0, 1]."),
    "fnr": Column("real", "False negative rate (1 - sensitivity), in [0, 1]."),
    "tnr": Column("real", "True negative rate (specificity), in [0, 1]."),
    "npv": Column("real", "Negative predictive value, in [0, 1]."),
    "accuracy": Column("real", "Share of cases called right, in [0, 1]."),
    "f1": Column("real", "Harmonic mean of precision and recall, in [0, 1]."),
    "positive_rate": Column("real", "Share of all cases called positive, in [0, 1]."),
    "lift": Column("real", "Precision over prevalence."),
    "fpr_deviate": Column("real", "Normal deviate (probit) of the false positive rate."),
    "fnr_deviate": Column("real", "Normal deviate (probit) of the false negative rate."),
    "probability_cost": Column(
        "real", "Share of the expected cost that positives carry, in [0, 1]: the x of a cost curve."
    ),
    "normalized_cost": Column(
        "real", "Expected cost over that of being always wrong, in [0, 1]: the y of a cost curve."
    ),
    "hull": Column("text", 'Name of the predictor whose hull it is; "all" across predictors.'),
    "slope_low": Column("real", "Lowest slope of an iso-performance line that touches here."),
    "slope_high": Column("real", "Highest slope of an iso-performance line that touches here."),
    "slope": Column(
        "real",
        "Slope of the iso-performance lines: cost_fp (1 - prevalence) over cost_fn prevalence.",
    ),
    "cost_fp": Column("real", "Cost of a false positive; NaN when none was given."),
    "cost_fn": Column("real", "Cost of a false negative; NaN when none was given."),
    "prevalence": Column(
        "real", "Share of positives where the rule is used, in (0, 1); NaN where it has no part."
    ),
    "expected_cost": Column("real", "Expected cost of a case; NaN when a slope was given."),
    "cost_share_low": Column(
        "real", "Lower end of a range of cost_fp / (cost_fp + cost_fn), in [0, 1]."
    ),
    "cost_share_high": Column(
        "real", "Upper end of a range of cost_fp / (cost_fp + cost_fn), in [0, 1]."
    ),
    "class": Column(
        "text",
        'The class that counts as positive, each of a pair in turn; "all" in a summary,'
        ' "micro-average" or "macro-average" in a curve of all classes.',
    ),
    "versus": Column(
        "text", 'What the class is told from: "rest", another class; "" in a summary.'
    ),
    "criterion": Column(
        "text", 'What the cutpoint makes best; "user" for a function that was passed.'
    ),
    "target": Column(
        "text",
        'What the interval is about: "optimal", the best cutpoint of the population, or "chosen",'
        " the very cutpoint that was chosen in these cases, used on new ones.",
    ),
    "provenance": Column("text", 'Where the threshold is from: "selected" in these very cases.'),
    "rate_wanted": Column("real", "Rate that the criterion asks for; NaN where it asks for none."),
    "apparent": Column(
        "real", "What the very cases show that the threshold was chosen in, optimism included."
    ),
    "optimism": Column(
        "real",
        "By how much a measure looks better in the cases that chose the threshold: what"
        " ``apparent`` is more than ``estimate``; NaN where none is estimated.",
    ),
    "kind": Column(
        "text",
        "What a point is: observed, or derived under an assumption it names. Of an average of"
        ' curves: "vertical", "threshold" or "merged". "missing-at-random" (all cases, under this'
        ' assumption) or "verified-only", where only some cases were verified.',
    ),
    "reading": Column(
        "text",
        'How a point of the curve was found: "threshold" where its threshold was given,'
        ' "interpolated" or "attained" where a rate was.',
    ),
    "estimate": Column("real", "The point estimate."),
    # NaN, not 0, without a standard error: 0 would claim that nothing varies.
    "se": Column("real", "Standard error of the estimate; NaN where there is none."),
    "ci_low": Column("real", "Lower confidence limit."),
    "ci_high": Column("real", "Upper confidence limit."),
    "confidence_level": Column("real", "Two-sided coverage of the interval, in (0, 1)."),
    "null_value": Column(
        "real", "Value of the quantity under the null hypothesis; NaN when nothing was tested."
    ),
    "statistic": Column(  # on the scale of the interval, so that both reject alike
        "real",
        "Test statistic: z or t (chi-square in a global test), on the scale of the interval.",
    ),
    # Satterthwaite's degrees of freedom need not be whole: real, not a count.
    "df": Column("real", "Degrees of freedom of the statistic; infinite for z."),
    "p_value": Column("real", "P value, unadjusted."),
    "p_adjusted": Column(
        "real",
        "P value adjusted over all rows of the frame (of points: over those of its quantity).",
    ),
    "hypothesis": Column(
        "text",
        'The alternative tested: "two-sided", "greater", "less"; "superiority" and'
        ' "non-inferiority" (greater, of costs less, beside a two-sided interval), "equivalence"'
        " (the difference lies between minus and plus ``null_value``).",
    ),
    # Counts are float64: sums of weights need not be whole, and NaN marks an unknown count.
    "n_pos": Column("count", "Number of positives (sum of frequencies)."),
    "n_neg": Column("count", "Number of negatives (sum of frequencies)."),
    "n_effective": Column(
        "real",
        "Number of independent cases that the limits allow for: binomial n, or effective sample"
        " size; NaN where they rest on no such number.",
    ),
    "n_curves": Column("count", "Number of curves averaged or merged."),
    "mean_rank": Column(
        "real",
        "Mean over data sets of the rank of the predictor among all, the best having rank 1.",
    ),
    "reference_mean_rank": Column("real", "Mean rank of the reference."),
    "n_folds": Column("count", "Number of test folds, over all repeats."),
    "n_datasets": Column("count", "Number of data sets."),
    "n_cases": Column("count", "Number of all cases, of both classes and all groups."),
    "n_candidates": Column(
        "count", "Number of predictors tried, of which the best is meant; p values allow for it."
    ),
    "alpha": Column("real", "Level of a test, in (0, 1)."),
    "design": Column("text", "What is planned: the kind of test, and of what."),
    "assumed": Column("real", "Value of the quantity (of a difference) that a plan assumes true."),
    "margin": Column(
        "real",
        "Difference that matters for superiority, non-inferiority or equivalence; else NaN.",
    ),
    "power_wanted": Column("real", "Power that was asked for; NaN where a half width was."),
    "half_width_wanted": Column("real", "Half width that was asked for; NaN where a power was."),
    "n_pos_unrounded": Column("real", "Number of positives before it is rounded up."),
    "n_neg_unrounded": Column("real", "Number of negatives before it is rounded up."),
    "power": Column(
        "real", "Chance that the test finds what is assumed, by formula or exact sums, in [0, 1]."
    ),
    "half_width": Column("real", "Half width of the normal interval that is to be expected."),
    "power_simulated": Column(
        "real", "Share of simulated studies whose test finds what is assumed; NaN if none are."
    ),
    "power_low": Column("real", "Lower 95% limit of the simulated power, for Monte-Carlo error."),
    "power_high": Column("real", "Upper 95% limit of the simulated power, for Monte-Carlo error."),
    "half_width_simulated": Column(
        "real", "Mean half width of the intervals of the simulated studies."
    ),
    "n_simulations": Column("count", "Number of simulated studies; 0 for none."),
    "test": Column("text", 'The test that the simulated studies were asked; "" for none.'),
    "critical_value": Column("real", "The least value of the quantity that a test rejects."),
    "n_resamples": Column(
        "count", "Number of resamples behind the interval or the p value; 0 for a closed form."
    ),
    "resample": Column("count", "Number of the resample, from 0."),
    "method": Column(  # not the option that was passed: a fallback has its own name
        "text", "What was actually used, as variance/interval or statistic/reference distribution."
    ),
    # Codes of NOTES, a number after "=" where a code has one.
    "note": Column("text", 'Caveats of the row: "" or codes joined by "; ".'),
}


FULL_AREA = {"quantity": "auc", "range_axis": "fpr", "range_low": 0.0, "range_high": 1.0}
"""What says that a row is about the whole area under the curve."""

_AREA = (
    "quantity range_axis range_low range_high estimate se ci_low ci_high confidence_level"
    " null_value statistic df p_value"
)
_PLAIN = "quantity estimate se ci_low ci_high confidence_level n_pos n_neg method note"
_END = "hypothesis n_pos n_neg method note"
_CURVE = "predictor group fold direction threshold"
_PLAN = "design quantity assumed null_value margin hypothesis alpha"
_PLANNED = (
    "n_pos n_neg n_cases power half_width power_simulated power_low power_high"
    " half_width_simulated n_simulations test method note"
)

_IN_WORDS = {
    "auc": f"predictor group {_AREA} hypothesis n_pos n_neg n_resamples method note",
    "auc_draws": "predictor group quantity resample estimate",
    "compare_auc": (
        f"predictor reference group {_AREA} p_adjusted hypothesis n_pos n_neg n_resamples method"
        " note"
    ),
    "compare_costs": (
        "predictor reference group quantity threshold reference_threshold cost_fp cost_fn"
        " prevalence estimate se ci_low ci_high confidence_level null_value statistic df p_value"
        " p_adjusted hypothesis n_pos n_neg n_resamples method note"
    ),
    "compare_curves": (
        "predictor reference group quantity estimate se ci_low ci_high confidence_level null_value"
        " statistic df p_value p_adjusted hypothesis n_pos n_neg n_resamples method note"
    ),
    "compare_operating_points": (
        "predictor reference group quantity threshold reference_threshold fpr estimate se ci_low"
        " ci_high confidence_level null_value statistic df p_value p_adjusted hypothesis n_pos"
        " n_neg n_resamples method note"
    ),
    "test_equal_auc": f"predictor group {_AREA} {_END}",
    "test_equal_groups": f"predictor group {_AREA} {_END}",
    "stratified_auc": f"predictor group {_AREA} {_END}",
    "compare_stratified_auc": f"predictor reference group {_AREA} p_adjusted {_END}",
    "versus_random": (
        f"predictor group {_AREA} hypothesis n_pos n_neg n_candidates n_resamples method note"
    ),
    "critical_auc": "quantity n_pos n_neg n_candidates alpha critical_value p_value method note",
    "sample_size": (
        f"{_PLAN} power_wanted half_width_wanted n_pos_unrounded n_neg_unrounded {_PLANNED}"
    ),
    "power": f"{_PLAN} {_PLANNED}",
    "compare_learners": (
        "predictor reference quantity estimate se ci_low ci_high confidence_level null_value"
        " statistic df p_value p_adjusted hypothesis n_folds method note"
    ),
    "compare_over_datasets": (
        "predictor reference quantity estimate se ci_low ci_high confidence_level null_value"
        " statistic df p_value p_adjusted hypothesis mean_rank reference_mean_rank n_datasets"
        " method note"
    ),
    "operating_points_versus_random": (
        "predictor group quantity direction threshold fpr tpr fp tp estimate se ci_low ci_high"
        " confidence_level null_value statistic df p_value hypothesis n_pos n_neg n_candidates"
        " method note"
    ),
    "roc_band": "predictor group fpr tpr tpr_low tpr_high confidence_level scope method",
    "roc_difference_band": (
        "predictor reference group fpr estimate ci_low ci_high confidence_level scope n_pos n_neg"
        " method note"
    ),
    "cost_difference_band": (
        "predictor reference group probability_cost estimate ci_low ci_high confidence_level scope"
        " n_pos n_neg method note"
    ),
    "random_band": (
        "predictor group fpr fpr_low fpr_high tpr tpr_low tpr_high confidence_level scope method"
    ),
    "random_points": "predictor group fpr tpr fp tp",
    "binormal": (
        "predictor group quantity range_axis range_low range_high estimate se ci_low ci_high"
        " confidence_level n_pos n_neg method note"
    ),
    "binormal_curve": "predictor group fpr tpr method",
    "permute_pipeline": (
        "predictor quantity estimate se ci_low ci_high confidence_level null_value statistic df"
        " p_value hypothesis n_resamples method note"
    ),
    "auc_bounds": (
        "predictor group quantity range_axis range_low range_high estimate se ci_low ci_high"
        " confidence_level n_pos n_neg method note"
    ),
    "test_performance_goals": (
        "predictor group quantity direction threshold estimate se ci_low ci_high confidence_level"
        " null_value statistic df p_value hypothesis fp tp n_pos n_neg method note"
    ),
    "roc_curve": f"{_CURVE} fpr tpr fp tp",
    "roc_average": (
        "predictor group kind quantity direction threshold fpr estimate se ci_low ci_high"
        " confidence_level n_pos n_neg n_effective n_curves n_resamples method note"
    ),
    "roc_average_difference": (
        "predictor reference group kind quantity fpr estimate se ci_low ci_high confidence_level"
        " n_pos n_neg n_curves n_resamples method note"
    ),
    "operating_points": (
        "predictor group quantity direction threshold fpr tpr reading prevalence fp tp estimate se"
        " ci_low ci_high confidence_level n_pos n_neg n_effective n_resamples method note"
    ),
    "cutpoints": (
        "predictor group criterion quantity target provenance direction threshold fpr tpr fp tp"
        " cost_fp cost_fn prevalence rate_wanted apparent optimism estimate se ci_low ci_high"
        " confidence_level n_pos n_neg n_resamples method note"
    ),
    "cutpoint_draws": "predictor group criterion resample direction threshold fpr tpr",
    "pr_curve": f"{_CURVE} tpr ppv fp tp",
    "lift_curve": f"{_CURVE} positive_rate tpr lift fp tp",
    "det_curve": f"{_CURVE} fpr fnr fpr_deviate fnr_deviate fp tp",
    "cost_curve": f"{_CURVE} fpr tpr probability_cost normalized_cost",
    "roc_hull": "hull predictor group direction threshold fpr tpr fp tp slope_low slope_high",
    "optimal_points": (
        "predictor group direction threshold slope cost_fp cost_fn prevalence fpr tpr fp tp"
        " expected_cost"
    ),
    "superiority_curve": "predictor group cost_share_low cost_share_high",
    "lc_index": f"predictor reference group {_PLAIN}",
    "average_precision": f"predictor group {_PLAIN}",
    "optimism_corrected_auc": (
        "predictor quantity estimate se ci_low ci_high confidence_level n_pos n_neg n_resamples"
        " method note"
    ),
    "multiclass_roc_curve": ("predictor class versus group fold direction threshold fpr tpr fp tp"),
    "multiclass_auc": (
        f"predictor class versus group {_AREA} hypothesis n_pos n_neg n_resamples method note"
    ),
    "multiclass_compare_auc": (
        f"predictor reference group {_AREA} p_adjusted hypothesis n_pos n_neg n_resamples method"
        " note"
    ),
    "multiclass_roc_band": (
        "predictor class versus group fpr tpr tpr_low tpr_high confidence_level scope method"
    ),
    "begg_greenes": (
        "predictor kind quantity estimate se ci_low ci_high confidence_level n_pos n_neg n_cases"
        " method note"
    ),
    "verified_auc": (
        f"predictor kind {_AREA} hypothesis n_pos n_neg n_cases n_resamples method note"
    ),
    "combined_points": "predictor kind fpr tpr",
    "concavities": (
        "predictor direction threshold_start threshold threshold_end fpr tpr fpr_repaired"
        " tpr_repaired p_value p_adjusted n_pos n_neg method note"
    ),
    "class_weight_sweep": (
        "predictor class_weight fpr tpr fp tp slope_low slope_high n_pos n_neg method"
    ),
    "confusion_rates": "predictor kind fp tp fpr tpr fnr tnr ppv npv accuracy f1 n_pos n_neg",
}

SCHEMAS = {function: tuple(words.split()) for function, words in _IN_WORDS.items()}
"""Columns of each question's frame in order; ``group`` is there iff the study has groups."""
