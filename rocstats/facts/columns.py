"""The words of every frame: the meaning of each column."""

from __future__ import annotations

from typing import Literal, NamedTuple

ColumnKind = Literal["text", "real", "count"]
"""``text`` is str, ``real`` float64, ``count`` int64, or float64 where one is not whole."""


class Column(NamedTuple):
    """One column of the glossary: type, meaning, and heading in a table, if any."""

    kind: ColumnKind
    meaning: str
    heading: str = ""


GLOSSARY: dict[str, Column] = {
    "hull": Column("text", 'Name of the predictor whose hull it is; "all" across predictors.'),
    "design": Column("text", "What is planned: the kind of test, and of what."),
    "predictor": Column(
        "text",
        'Name of the predictor (test, marker, classifier); "all" in a test of all predictors,'
        ' "" where none is meant or several tie.',
        "Predictor",
    ),
    "model": Column(
        "text",
        'Analysis of variance that has the component: "obuchowski-rockette" or'
        ' "dorfman-berbaum-metz".',
    ),
    "component": Column("text", "Variance, covariance or correlation of a reader study."),
    "modality": Column(
        "text",
        'Modality (test, treatment) under which cases were read; "all" in a test of all of them.',
        "Modality",
    ),
    "reference": Column(
        "text",
        "What the row is compared with: the estimate is predictor minus"
        ' reference. Across groups, the other group; "contrast" for a combination.',
        "Reference",
    ),
    "class": Column(
        "text",
        'The class (label) that counts as positive, each of a pair in turn; "all" in a summary,'
        ' "micro-average" or "macro-average" in a curve of all classes.',
        "Class",
    ),
    "versus": Column(
        "text", 'What the class is told from: "rest", another class; "" in a summary.', "Versus"
    ),
    "group": Column(
        "text",
        'Label of the group (site, subgroup); "all" in an answer over all groups. There only if the'
        " study has groups.",
        "Group",
    ),
    "variable": Column(
        "text",
        'Variable that splits the cases into subgroups; "" in the row of all cases.',
        "Variable",
    ),
    "level": Column(
        "text",
        'Value of that variable; "all" in the row of all cases, and in the test that its levels do'
        " not differ.",
        "Level",
    ),
    "reader": Column(
        "text",
        'Name of the reader; "all" in an average over readers and in a comparison of these.',
        "Reader",
    ),
    "part": Column(
        "text",
        'Part of a summary ROC plot: "study", "summary", "confidence-region", "prediction-region"'
        ' or "curve".',
    ),
    "study": Column("text", 'Name of the study of a review; "" for all of them.', "Study"),
    "fold": Column("text", 'Label of the cross-validation fold; "" when folds are pooled.', "Fold"),
    "resample": Column("count", "Number of the resample, from 0."),
    "criterion": Column(
        "text", 'What the cutpoint makes best; "user" for a function that was passed.', "Criterion"
    ),
    "kind": Column(
        "text",
        "What a point is: observed, or derived under an assumption it names. Of an average of"
        ' curves: "vertical", "threshold" or "merged". "missing-at-random" (all cases, under this'
        ' assumption) or "verified-only", where only some cases were verified.',
        "Kind",
    ),
    "quantity": Column(
        "text",
        'What is estimated: "auc", "tpr"; of a difference of predictor and reference with'
        ' "_difference" behind it: "auc_difference".',
    ),
    "covariates": Column(
        "text", 'Values of the covariates that the row is about: "age = 60, sex = F".'
    ),
    "target": Column(
        "text",
        'What the interval is about: "optimal", the best cutpoint of the population, or "chosen",'
        " the very cutpoint that was chosen in these cases, used on new ones.",
    ),
    "provenance": Column("text", 'Where the threshold is from: "selected" in these very cases.'),
    "direction": Column(
        "text",
        '">=" when scores at or above the threshold are called positive,'
        ' "<=" when scores at or below it are.',
    ),
    "reference_direction": Column("text", "The same of the reference."),
    "risk_threshold": Column(
        "real",
        "Risk from which on one would treat, in (0, 1); its odds weigh false positives.",
        "Risk threshold",
    ),
    "time": Column(
        "real",
        "Time at which cases and controls are told apart, in the unit of the study; of a"
        " concordance the last time of an event that counts, NaN where all count.",
        "Time",
    ),
    "controls": Column(
        "text",
        'Who is a control at a time: "not-case", whoever has not had the event of interest, or'
        ' "event-free", who has had no event at all.',
        "Controls are",
    ),
    "risk": Column(
        "real",
        "Predicted risk, in [0, 1], at which a calibration curve is read; of a bin, its mean.",
        "Predicted risk",
    ),
    "threshold_start": Column(
        "real", "Threshold where a concavity starts; infinite where nothing is called positive."
    ),
    "threshold": Column(  # never negated, even where lower scores are positive
        "real",
        "Threshold on the user's scale; infinite in the first row of a"
        " curve, where nothing is called positive; NaN at the shared ends of a joint hull. That of"
        " an empirical cutpoint is midway between two scores; whole-number scores are not split.",
        "Threshold",
    ),
    "next_score": Column(
        "real",
        "The nearest score that the threshold does not call positive, by which print shortens the"
        " threshold; infinite where it calls every score, NaN where print keeps the threshold as it"
        " is: given with 15 digits at most, or of binned scores.",
    ),
    "threshold_end": Column("real", "Threshold where a concavity ends."),
    "reference_threshold": Column(
        "real", "Threshold of the reference, on the user's scale.", "Threshold of the reference"
    ),
    "reference_next_score": Column("real", "The same of ``reference_threshold``."),
    "next_score_start": Column("real", "The same of ``threshold_start``."),
    "next_score_end": Column("real", "The same of ``threshold_end``."),
    "class_weight": Column(
        "real", "Weight of the positive class in the fit, that of the negative class being 1."
    ),
    "score": Column(
        "real", "Score; in a count table with ``score_high``, the lowest of those counted together."
    ),
    "zone": Column(
        "text",
        'Range of scores between two thresholds: "negative", "grey" (neither) or "positive"; each'
        " case is in one.",
        "Zone",
    ),
    "rule_out_threshold": Column(
        "real", "Threshold of the negative zone: cases that it does not call positive are in it."
    ),
    "rule_in_threshold": Column(
        "real", "Threshold of the positive zone: cases that it calls positive are in it."
    ),
    "rule_out_next_score": Column(
        "real", "The nearest score that ``rule_out_threshold`` does not call positive, or NaN."
    ),
    "rule_in_next_score": Column("real", "The same of ``rule_in_threshold``."),
    "band_low": Column(
        "real", "Lower end of a range of scores, which it holds; infinite below all.", "Band"
    ),
    "band_high": Column(
        "real", "Upper end of a range of scores, which it does not hold; infinite above all."
    ),
    "score_high": Column(
        "real",
        "The highest of the scores counted together; equal to ``score`` if all are the same.",
    ),
    "reading": Column(
        "text",
        'How a point of the curve was found: "threshold" where its threshold was given,'
        ' "interpolated" or "attained" where a rate was.',
    ),
    "fpr": Column(
        "real", "False positive rate (1 - specificity), in [0, 1].", "At false positive rate"
    ),
    "curve": Column(
        "text", 'Curve of marks: "froc", or "wafroc", which weighs the lesions of each case.'
    ),
    "false_marks": Column(
        "real", "False marks per case, over all cases.", "At false marks per case"
    ),
    "lesion_tpr": Column(
        "real", "Share of lesions found (lesion sensitivity), in [0, 1].", "Lesion sensitivity"
    ),
    "lesion_tpr_low": Column("real", "Lower limit of a band of it, in [0, 1]."),
    "lesion_tpr_high": Column("real", "Upper limit of a band of it, in [0, 1]."),
    "fpr_low": Column("real", "False positive rate where a band ends above, at ``tpr_high``."),
    "fpr_high": Column("real", "False positive rate where a band ends below, at ``tpr_low``."),
    "tpr": Column("real", "True positive rate (sensitivity), in [0, 1].", "At sensitivity"),
    "tpr_low": Column("real", "Lower limit of a band at a false positive rate, in [0, 1]."),
    "tpr_high": Column("real", "Upper limit of a band at a false positive rate, in [0, 1]."),
    "probability_cost": Column(
        "real",
        "Share of the expected cost that positives carry, in [0, 1]: the x of a cost curve.",
        "Probability cost",
    ),
    "positive_rate": Column("real", "Share of all cases called positive, in [0, 1]."),
    "assumed": Column("real", "Value of the quantity (of a difference) that a plan assumes true."),
    "estimate": Column("real", "The point estimate."),
    "ci_low": Column("real", "Lower confidence limit."),
    "ci_high": Column("real", "Upper confidence limit."),
    "binning_error": Column(
        "real",
        "Bound on how far the estimate (the curve at this place) is from that of all scores;"
        " limits are widened by it. There only if the study is of binned scores.",
    ),
    "p_value": Column("real", "P value, unadjusted."),
    "p_adjusted": Column(
        "real",
        "P value adjusted over all rows of the frame (of points: over those of its quantity; of"
        " subgroups: over the variables).",
    ),
    # NaN, not 0, without a standard error: 0 would claim that nothing varies.
    "se": Column("real", "Standard error of the estimate; NaN where there is none."),
    "statistic": Column(  # on the scale of the interval, so that both reject alike
        "real",
        "Test statistic: z or t (chi-square or F in a global test), on the scale of the interval.",
    ),
    # Satterthwaite's degrees of freedom need not be whole: real, not a count.
    "df": Column("real", "Degrees of freedom of the statistic; infinite for z."),
    "df_numerator": Column(
        "real", "Numerator degrees of freedom of an F statistic, whose denominator has ``df``."
    ),
    "cook_distance": Column(
        "real",
        "Squared distance by which the means move without a study, over their covariance and their"
        " number.",
    ),
    "fraction_missing": Column(
        "real", "Share of the information on the estimate that missing values took, in [0, 1]."
    ),
    "fnr": Column("real", "False negative rate (1 - sensitivity), in [0, 1]."),
    "tnr": Column("real", "True negative rate (specificity), in [0, 1]."),
    "ppv": Column("real", "Positive predictive value (precision), in [0, 1]."),
    "npv": Column("real", "Negative predictive value, in [0, 1]."),
    "accuracy": Column("real", "Share of cases called right, in [0, 1]."),
    "f1": Column("real", "Harmonic mean of precision and recall, in [0, 1]."),
    "ppv_low": Column("real", "Lower limit of a band at a recall, in [0, 1]."),
    "ppv_high": Column("real", "Upper limit of a band at a recall, in [0, 1]."),
    "lift": Column("real", "Precision over prevalence."),
    "fpr_deviate": Column("real", "Normal deviate (probit) of the false positive rate."),
    "fnr_deviate": Column("real", "Normal deviate (probit) of the false negative rate."),
    "fpr_repaired": Column("real", "False positive rate of the point that repairs a concavity."),
    "tpr_repaired": Column("real", "True positive rate of the point that repairs a concavity."),
    "normalized_cost": Column(
        "real", "Expected cost over that of being always wrong, in [0, 1]: the y of a cost curve."
    ),
    "slope_low": Column("real", "Lowest slope of an iso-performance line that touches here."),
    "slope_high": Column("real", "Highest slope of an iso-performance line that touches here."),
    "slope": Column(
        "real",
        "Slope of the iso-performance lines: cost_fp (1 - prevalence) over cost_fn prevalence.",
    ),
    "prevalence": Column(
        "real", "Share of positives where the rule is used, in (0, 1); NaN where it has no part."
    ),
    "cost_fp": Column("real", "Cost of a false positive; NaN when none was given."),
    "cost_fn": Column("real", "Cost of a false negative; NaN when none was given."),
    "expected_cost": Column("real", "Expected cost of a case; NaN when a slope was given."),
    "cost_share_low": Column(
        "real", "Lower end of a range of cost_fp / (cost_fp + cost_fn), in [0, 1]."
    ),
    "cost_share_high": Column(
        "real", "Upper end of a range of cost_fp / (cost_fp + cost_fn), in [0, 1]."
    ),
    "rate_wanted": Column("real", "Rate that the criterion asks for; NaN where it asks for none."),
    "apparent": Column(
        "real", "What the very cases show that the threshold was chosen in, optimism included."
    ),
    "optimism": Column(
        "real",
        "By how much a measure looks better in the cases that chose the threshold: what"
        " ``apparent`` is more than ``estimate``; NaN where none is estimated.",
    ),
    "fp": Column(
        "count", "False positives: negatives called positive, a sum of frequencies or weights."
    ),
    "tp": Column(
        "count", "True positives: positives called positive, a sum of frequencies or weights."
    ),
    "censored": Column(
        "count",
        "Patients censored by the time with a score at or beyond the threshold: neither positives"
        " nor negatives.",
    ),
    "mean_rank": Column(
        "real",
        "Mean over data sets of the rank of the predictor among all, the best having rank 1.",
    ),
    "reference_mean_rank": Column("real", "Mean rank of the reference."),
    "power_wanted": Column("real", "Power that was asked for; NaN where a half width was."),
    "half_width_wanted": Column("real", "Half width that was asked for; NaN where a power was."),
    "n_pos_unrounded": Column("real", "Number of positives before it is rounded up."),
    "n_neg_unrounded": Column("real", "Number of negatives before it is rounded up."),
    "n_pos": Column("count", "Number of positives (sum of frequencies).", "Positives"),
    "n_neg": Column("count", "Number of negatives (sum of frequencies).", "Negatives"),
    "n_lesions": Column("count", "Number of lesions.", "Lesions"),
    "n_false": Column("count", "Number of false marks at or above the threshold."),
    "n_found": Column("count", "Number of lesions marked at or above the threshold."),
    "n_censored": Column("count", "Number of patients censored by the time.", "Censored"),
    "reference_n_pos": Column(
        "count",
        "Number of positives with a score of the reference; NaN for a contrast.",
        "Positives of the reference",
    ),
    "reference_n_neg": Column(
        "count",
        "Number of negatives with a score of the reference; NaN for a contrast.",
        "Negatives of the reference",
    ),
    "n_pos_shared": Column(
        "count", "Number of positives with a score of all that is compared.", "Shared positives"
    ),
    "n_neg_shared": Column(
        "count", "Number of negatives with a score of all that is compared.", "Shared negatives"
    ),
    "n_readers": Column("count", "Number of readers behind the row."),
    "n_groups": Column(
        "count",
        "Number of groups of readers, each with its own part of the cases; 1 if all read all.",
    ),
    "n_studies": Column("count", "Number of studies behind the row.", "Studies"),
    "n_cases": Column(
        "count", "Number of all cases, of all classes; in a plan also of all groups.", "Cases"
    ),
    "n_better": Column(
        "count",
        "Number of items with a higher score of the predictor than of the reference.",
        "Better",
    ),
    "n_worse": Column(
        "count",
        "Number of items with a lower score of the predictor than of the reference.",
        "Worse",
    ),
    "n_items": Column("count", "Number of items (sum of frequencies).", "Items"),
    "n_clusters": Column(
        "count", "Number of clusters of items; NaN if the study has none.", "Clusters"
    ),
    "n_effective": Column(
        "real",
        "Number of independent cases that the limits allow for: binomial n, or effective sample"
        " size; NaN where they rest on no such number.",
    ),
    "n_candidates": Column(
        "count", "Number of predictors tried, of which the best is meant; p values allow for it."
    ),
    "n_folds": Column("count", "Number of test folds, over all repeats."),
    "n_datasets": Column("count", "Number of data sets."),
    "power": Column(
        "real", "Chance that the test finds what is assumed, by formula or exact sums, in [0, 1]."
    ),
    "half_width": Column(
        "real", "Half width of the normal interval that is to be expected; of readers that of t."
    ),
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
    "alpha": Column("real", "Level of a test, in (0, 1)."),
    "critical_value": Column("real", "The least value of the quantity that a test rejects."),
    "confidence_level": Column("real", "Two-sided coverage of the interval, in (0, 1)."),
    "null_value": Column(
        "real", "Value of the quantity under the null hypothesis; NaN when nothing was tested."
    ),
    "margin": Column(
        "real",
        "Difference that matters for superiority, non-inferiority or equivalence; else NaN.",
    ),
    "hypothesis": Column(
        "text",
        'The alternative tested: "two-sided", "greater", "less"; "superiority" and'
        ' "non-inferiority" (greater, of costs less, beside a two-sided interval), "equivalence"'
        " (the difference lies between minus and plus ``null_value``).",
    ),
    "readers": Column(
        "text",
        'What the row generalises to: "random" to the population of readers, "fixed" to these'
        " readers alone.",
    ),
    "cases": Column(
        "text",
        'What the row generalises to: "random" to the population of cases, "fixed" to these cases'
        " alone.",
    ),
    "scope": Column(
        "text",
        'What a band holds with its level: "simultaneous" the whole true curve, "pointwise" each'
        ' point by itself, "future" the whole empirical curve of a new test set.',
    ),
    # A row about the whole area has the axis "fpr" and the range 0 to 1 (FULL_AREA).
    "range_axis": Column(
        "text",
        'Axis of the range of an area, "fpr" or "tpr", or of a mean net benefit, "risk_threshold".',
    ),
    "range_low": Column("real", "Lower end of that range, in [0, 1]."),
    "range_high": Column("real", "Upper end of that range, in [0, 1]."),
    "n_curves": Column("count", "Number of curves averaged or merged."),
    "n_resamples": Column(
        "count", "Number of resamples behind the interval or the p value; 0 for a closed form."
    ),
    "n_imputations": Column("count", "Number of imputed data sets whose answers were pooled."),
    "method": Column(  # not the option that was passed: a fallback has its own name
        "text", "What was actually used, as variance/interval or statistic/reference distribution."
    ),
    # Codes of NOTES, a number after "=" where a code has one.
    "note": Column("text", 'Caveats of the row: "" or codes joined by "; ".'),
}


FULL_AREA = {"quantity": "auc", "range_axis": "fpr", "range_low": 0.0, "range_high": 1.0}
"""What says that a row is about the whole area under the curve."""

NO_RANGE = {"range_axis": "", "range_low": float("nan"), "range_high": float("nan")}
"""The same columns in rows of other quantities."""

POINT = ("threshold", "next_score", "fpr", "tpr", "fp", "tp")
"""The columns of a point of an ROC curve."""
