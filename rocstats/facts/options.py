"""Parameters that several questions or commands share: a record each, for docstrings and messages.

Signatures and docstrings are written out, for help and completion; a test compares them with the
records. Commands take the names and the shared help of their options from here, and messages of the
library name the option in place of the parameter.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Option(NamedTuple):
    """A parameter: its option on the command line, and how questions document it.

    ``command`` is the option, or the argument of a command, and ``help`` its help where commands
    share it. ``kind`` is the documented type; a parameter of that type has the ``default`` and one
    of the ``sentences``, the usual one first. "{}" stands for words that differ between questions.
    """

    name: str
    command: str = ""
    help: str = ""
    kind: str = ""
    default: Any = None
    sentences: tuple[str, ...] = ()


_COVERAGE = "Two-sided coverage of"
_RECORDS = (
    # Any question.
    Option(
        "confidence_level", "--level", "Confidence level, between 0 and 1.",
        "float in (0, 1), default 0.95", 0.95,
        (
            f"{_COVERAGE} each interval{{}}.", f"{_COVERAGE} the interval{{}}.",
            f"{_COVERAGE} a bar{{}}.", f"{_COVERAGE} intervals and bands.", "Probability that {}.",
            "Level of the {}.",
        ),
    ),
    Option(
        "n_resamples", "--resamples", "Number of resamples; by default that of the method.",
        "int >= 100, default 2000", 2000, ("Number of resamples{}.",),
    ),
    Option(
        "rng", "--seed", "Seed of the resamples.", "int, SeedSequence, Generator or None", None,
        (
            "Random generator or seed of the {}; the frame records a seed that reproduces {}.",
            "Seed of the resamples; the page states the integer that reproduces them.",
        ),
    ),
    Option(
        "progress", kind="bool, default False", default=False,
        sentences=("Whether to show a progress bar if {} over two seconds.",),
    ),
    Option(
        "by", "--by", "", '{"fold"}, optional', None, ("One curve per fold.",),
    ),
    Option(
        "prevalence", "--prevalence", "Share of positives where the test is used.",
        "float in (0, 1), optional", None, ("Share of positives {}",),
    ),
    Option(
        "sampling", kind='{"cohort", "case-control"}, default "cohort"', default="cohort",
        sentences=("Origin of the share of positives in the study, as in ``{}``.",),
    ),
    Option(
        "fpr_range", "--fpr-range", "Partial areas over these false positive rates.",
        "(float, float), optional", None, ("Range of {}", "Compare the partial areas over {}"),
    ),
    Option("fpr", "--fpr", "False positive rate."),
    Option("tpr", "--tpr", "Sensitivity."),
    # Claims about one value, or a difference.
    Option(
        "hypothesis", "--hypothesis", "Claim to test.",
        '{"difference", "superiority", "non-inferiority", "equivalence"}', "difference",
        (
            "Claim about {}", "Tested hypothesis about predictor minus reference:",
            "Hypothesis that the study tests:",
        ),
    ),
    Option(
        "margin", "--margin", "Margin of hypotheses that have one.", "float in (0, 1), optional",
        None,
        ("Largest difference {}that does not matter{}", "Margin of the last three hypotheses."),
    ),
    Option(
        "alternative", "--alternative", "Side of the test.",
        '{"two-sided", "greater", "less"}, default "two-sided"', "two-sided",
        (
            '"greater" {}', "Side of the {}",
            "A one-sided test has the level ``alpha``, a two-sided test ``alpha / 2`` per side.",
        ),
    ),
    Option(
        "null_value", kind="float in (-1, 1), default 0", default=0.0,
        sentences=("Difference under the null hypothesis{}.",),
    ),
    Option(
        "adjust", "--adjust", "", '{"holm", "bonferroni", "none"}, default "holm"', "holm",
        ("Adjustment of the p values {}",),
    ),
    Option(
        "reference", "--reference", "", "str, optional", None,
        (
            "{} to compare all others with{}; default: every pair{}, earlier {} later.",
            "{} that all others are compared with{}: {}", '"treat-all" or a predictor: {}',
            "The predictors to be compared; {}",
        ),
    ),
    # Studies.
    Option(
        "pos_label", "--positive", "Label of the positive class.", "object, optional", None,
        ("Label of the positive class{}. Needed unless the labels are 0/1, -1/1 or booleans.",),
    ),
    Option(
        "labels", "--label", "Printed name of a predictor, class or group of the study.",
        "mapping of str to str, optional", None, ("Printed names of {}",),
    ),
    Option("display_labels", "--label"),
    Option("outcome", "--outcome-name", "Printed name of the positive class."),
    Option("nan_policy", "--missing", "Rows with a missing value."),
    Option("higher_is_positive", "--lower"),
    Option(
        "data", "FILE", kind="dataframe, optional", sentences=("Frame {} the named columns{}",),
    ),
    Option(
        "cluster", "--cluster", "Column that says which rows belong together.",
        "array-like, or str, optional", None,
        ("Units whose {} are dependent ({}). Clusters change standard errors only{}",),
    ),
    Option(
        "group", "--group", "Column with the subgroup.",
        "array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional", None,
        ("Independent subgroups{}: every method returns a set of rows per group{}",),
    ),
    # Cutpoints, costs, risks.
    Option(
        "cost_fp", "--cost-fp", "", "float > 0, optional", None,
        ("Cost{} of a false positive and of a false negative{}",),
    ),
    Option(
        "cost_fn", "--cost-fn", "", "float > 0, optional", None,
        ("Cost{} of a false positive and of a false negative{}",),
    ),
    Option(
        "clip", "--clip", "Replace risks of 0 and 1 by this value and 1 minus it.",
        "float in (0, 0.5), optional", None,
        ("Risks below ``clip`` become ``clip``; risks above 1 - ``clip`` become 1 - ``clip``{}",),
    ),
    Option(
        "controls", "--controls", "Definition of the controls at a time.",
        '{"not-case", "event-free"}, default "not-case"', "not-case",
        ("Definition of the controls at {}",),
    ),
    # Figures and tables.
    Option(
        "ax", kind="matplotlib.axes.Axes, optional", sentences=("Axes {}; by default {}",),
    ),
    Option(
        "width", "--width", "Width in print: 85 or 174 mm.",
        '{"column", "page"}, default "column"', "column",
        ("Width of a new figure: 85 or 174 mm{}",),
    ),
    Option(
        "colors", kind="mapping of str to colour, sequence of colours, or str, optional",
        sentences=(
            "Colours by {}, or in the order of the study; {}",
            "Colours by {}, in the order of the study, or the name of a colour map {}",
        ),
    ),
    Option(
        "line", kind="mapping, optional",
        sentences=("Options of matplotlib lines, for all curves{} by predictor (or group){}",),
    ),
    Option("digits", "--digits", "Decimals; by default those of the style."),
    Option(
        "percent", "--percent",
        "Rates as percentages with their counts; by default as the style has them.",
    ),
    Option("dpi", "--dpi", "Dots an inch of a .png or .tiff file."),
    Option("title", "--title", "Heading of the report."),
    Option("words", "--word"),
    Option("quantities", "--quantity"),
    Option("thresholds", "--threshold"),
    Option("edges", "--edge"),
    # Arguments of commands.
    Option("path", "FILE"),
    Option("marks", "MARKS"),
    Option("lesions", "--lesion-table"),
    Option("time", "TIME"),
    Option("event", "EVENT"),
    Option("event_code", "--event"),
    Option("censored_code", "--censored"),
    Option("score", "SCORE"),
    Option("y_true", "OUTCOME"),
    Option("y_score", "SCORE"),
    Option("estimate", "ESTIMATE"),
    Option("se", "SE"),
    Option("frames_or_table", "FILE"),
    Option("tp", "TP"),
    Option("fp", "FP"),
    Option("fn", "FN"),
    Option("tn", "TN"),
)  # fmt: skip

# Parameters whose option has their name, with the help that all commands share.
_SHARED_HELPS = {
    # Reading a file.
    "sep": "Separator of a text file: , ; | or tab.",
    "decimal": "Decimal mark of the numbers: . or ,",
    "thousands": "Mark that divides thousands: . or ,",
    "encoding": "Encoding of a text file: utf-8, cp1252, ...",
    "sheet": "Sheet of a workbook: its name, or number from 1.",
    "header_row": "Line or row with the names of the columns; lines above it are left out.",
    "footer_rows": "Number of rows at the end to leave out, such as totals.",
    "na": "Text of a missing value (repeatable); auto: n/a, -, ? and the like.",
    "below_limit": "What <0.5 among numbers means: the lowest result, tied with its like.",
    "above_limit": "What >100 among numbers means: the highest result, tied with its like.",
    "missing_code": "Number that means a missing value in all columns but OUTCOME.",
    "filter": "Rows to keep, such as \"age >= 18 and sex == 'F'\".",
    "cut": "Make ranges of a column of numbers, for --group or --by.",
    # Roles of columns.
    "frequency": "Column with the number of cases of a row.",
    "fold": "Column with the cross-validation fold.",
    "covariate": "Column to adjust for.",
    # Partial verification.
    "n_test_positive": "Number of all cases with a positive test, verified or not.",
    "n_test_negative": "Number of all cases with a negative test, verified or not.",
    "verified": "Column that says who had the reference standard: 1 or 0.",
    "probability": "Column with the probability of each case to be verified.",
    # Published areas.
    "se": "Standard error of the area.",
    "reference_se": "Standard error of the other area.",
    "correlation": "Correlation of the areas: 0 of different patients.",
}

# Other parameters whose option has their name: each command has its own help.
_SAME_NAMES = (
    "interval method across at threshold reading criterion bars kind n_candidates auc null_auc"
    " reference_auc correlation_pos correlation_neg n_pos n_neg power half_width ratio alpha tnr"
    " reference_n_pos reference_n_neg simulate n_simulations variance band n_readers n_groups"
    " structure readers nested truth rating reader case cases modality machine covariance"
    " prespecified risk_threshold cause quantity ties difference rate goal only_predictor"
    " only_reference style explorer layout reader_column"
    " item system test order"
    " case_table lesion_table lesion weight curve"
    " study scale heterogeneity guard low high"
)

OPTIONS = {one.name: one for one in _RECORDS} | {
    name: Option(name, f"--{name.replace('_', '-')}", _SHARED_HELPS.get(name, ""))
    for name in (*_SHARED_HELPS, *_SAME_NAMES.split())
}
"""All of them by the name of the parameter."""
