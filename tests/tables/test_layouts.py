"""Tables as papers print them: thresholds, counts, corrected values, and measures side by side."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.errors import InputError
from rocstats.facts.notes import NOTES, note_in_print
from rocstats.tables.cells import fraction_text, prevalence_text, threshold_text
from tests.quick import each
from tests.tables.hand_frames import area_row, auc_frame, compare_frame, difference_row


@pytest.fixture(scope="module")
def two():
    """41 positives and 72 negatives; low values of the second marker are positive."""
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [41, 72])
    scores = {"s100b": rng.normal(size=113) + y, "wfns": rng.integers(0, 6, 113) - 2 * y}
    return rs.Study(y, scores, higher_is_positive={"s100b": True, "wfns": False})


def footnotes(table):
    return table.attrs["rocstats"]["footnotes"]


def test_a_comparison_of_points_has_both_thresholds_and_their_sides(two):
    frame = two.compare_operating_points(threshold={"s100b": 0.2, "wfns": 4})
    assert set(frame["direction"]) == {">="}
    assert set(frame["reference_direction"]) == {"<="}
    table = rs.format_table(frame, "jama", labels={"s100b": "S100B", "wfns": "WFNS"})
    assert set(table["Comparison"]) == {"S100B ≥ 0.20 vs WFNS ≤ 4"}
    assert not {"Predictor", "Reference", "Threshold"} & set(table)
    # after pandas or a csv file dropped the attributes too
    bare = frame.copy()
    bare.attrs = {}
    assert set(rs.format_table(bare, "jama")["Comparison"]) == {"s100b ≥ 0.20 vs wfns ≤ 4"}


def test_a_comparison_of_costs_has_both_thresholds(two):
    frame = two.compare_costs(cost_fp=1, cost_fn=2, threshold={"s100b": 0.25, "wfns": 1})
    assert rs.format_table(frame)["Comparison"].tolist() == ["s100b ≥ 0.250 vs wfns ≤ 1"]


def test_across_groups_thresholds_are_columns():
    y, group = np.tile([1, 1, 1, 0, 0, 0], 20), np.repeat(["A", "B"], 60)
    study = rs.Study(y, np.arange(120) % 7 + y, group=group)
    table = rs.format_table(study.compare_operating_points(threshold=4, across="groups"))
    first = table.iloc[0]
    assert first[["Reference", "Group", "Threshold"]].tolist() == ["B", "A", "≥ 4"]
    assert first["Threshold of the reference"] == "≥ 4"


def test_points_at_a_rate_say_at_which(two):
    options = {"n_resamples": 100, "rng": 1, "quantities": ["tpr", "tnr"]}
    given = rs.format_table(two.operating_points(tpr=[0.8, 0.9], **options), "jama", layout="wide")
    assert given["At sensitivity"].tolist() == ["0.80", "0.90"] * 2
    assert not {"At false positive rate", "Threshold"} & set(given)
    given = rs.format_table(two.operating_points(fpr=0.1, **options))
    assert set(given["At false positive rate"]) == {"0.100"}
    assert "At sensitivity" not in given
    # no row tells which rate was given: both are the place
    options["quantities"] = ["lr_positive"]
    frame = two.operating_points(tpr=0.9, **options)
    told = rs.format_table(frame)
    assert told["At sensitivity"].tolist() == ["0.900"] * 2
    assert told["At false positive rate"].tolist() == [f"{rate:.3f}" for rate in frame["fpr"]]


def test_a_yes_or_no_test_has_no_cutoff():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    points = study.operating_points(quantities=["tpr", "tnr"])
    for layout in ("long", "wide"):
        assert "Threshold" not in rs.format_table(points, layout=layout)
    bare = points.copy()
    bare.attrs = {}
    assert rs.format_table(bare)["Threshold"].tolist() == ["≥ 1"] * 2
    # all cuts of its curve are told apart
    every = rs.format_table(study.operating_points(threshold="all", quantities=["tpr"]))
    assert every["Threshold"].tolist() == ["≥ 1", "≥ 0"]
    # a point that stands alone is printed
    beyond = study.operating_points(threshold=np.inf, quantities=["tpr"])
    assert rs.format_table(beyond)["Threshold"].tolist() == ["≥ ∞"]


def test_a_criterion_table_names_each_test_once():
    y = np.tile([1, 0], 30)
    study = rs.Study(y, {"a": np.arange(60) % 11 + y, "b": np.arange(60) % 13 + y})
    frame = study.operating_points(threshold="all", quantities=["tpr", "tnr"])
    table = rs.format_table(frame, layout="wide")
    named = table.index[table["Predictor"] != ""]
    assert table.loc[named, "Predictor"].tolist() == ["a", "b"]
    first = table.loc[named, "Threshold"].tolist()
    assert first == ["≥ 11", "≥ 13"]
    # 11 and 13 scores from 0 or 1 on
    assert len(table) == 12 + 14
    few = rs.format_table(study.operating_points(threshold=[3, 4]))
    assert "" not in few["Predictor"].tolist()


def test_an_estimated_threshold_has_the_digits_that_decide():
    study = rs.Study([1, 1, 1, 0, 0, 0] * 20, [3.5, 2.5, 1.5, 2.5, 1.255, 0.5] * 20)
    frame = study.cutpoints(n_resamples=100, rng=1).assign(next_score=np.nan)
    frame.loc[0, ["estimate", "ci_low", "ci_high"]] = 1.375, 1.0, 2.004
    assert rs.format_table(frame, "jama").loc[0, "Estimate (95% CI)"] == "1.375 (1.000-2.004)"
    frame.loc[0, ["estimate", "ci_low", "ci_high"]] = 3.0, 2.0, 4.0
    assert rs.format_table(frame, "jama").loc[0, "Estimate (95% CI)"] == "3 (2-4)"
    frame.loc[0, ["estimate", "ci_low", "ci_high"]] = 3.0, 2.5, 4.0
    assert rs.format_table(frame, "jama").loc[0, "Estimate (95% CI)"] == "3.00 (2.50-4.00)"
    frame.loc[0, ["estimate", "ci_low", "ci_high"]] = 0.0004, 0.0003, 0.0006
    text = rs.format_table(frame, "jama").loc[0, "Estimate (95% CI)"]
    assert text == "0.0004 (0.0003-0.0006)"


def test_groups_share_a_column_of_predictive_values_and_have_a_prevalence_each():
    y = np.tile([1, 1, 0, 0, 0, 1, 0, 0, 0, 0], 12)
    study = rs.Study(y, np.arange(120) % 7 + y, group=np.repeat(["F", "M"], 60))
    frame = study.operating_points(threshold=4, quantities=["tpr", "ppv"])
    frame.loc[frame["group"] == "M", "prevalence"] *= 0.5
    table = rs.format_table(frame, layout="wide")
    assert table.columns.tolist()[:4] == ["Predictor", "Group", "Threshold", "Prevalence"]
    assert table["Prevalence"].tolist() == ["0.3", "0.15"]
    assert "" not in table["PPV (95% CI)"].tolist()
    # several prevalences of one line have a column each
    asked = study.operating_points(threshold=4, quantities=["ppv"], prevalence=[0.1, 0.2])
    heads = rs.format_table(asked, layout="wide").columns
    assert {"PPV at prevalence 0.1 (95% CI)", "PPV at prevalence 0.2 (95% CI)"} <= set(heads)


def test_the_outcome_of_true_positives_is_named():
    study = rs.Study([1, 1, 0, 0] * 9, [3, 1, 2, 0] * 9, outcome="Death")
    points = study.operating_points(threshold=2, quantities=["tpr"])
    assert "Positives: Death." in footnotes(rs.format_table(points, layout="wide"))


def test_a_comparison_at_a_rate_says_at_which(two):
    at_sensitivity = rs.format_table(two.compare_operating_points(tpr=0.8, n_resamples=100, rng=1))
    assert at_sensitivity["At sensitivity"].tolist() == ["0.800"]
    assert not {"At false positive rate", "Threshold"} & set(at_sensitivity)
    at_fpr = rs.format_table(two.compare_operating_points(fpr=0.1, n_resamples=100, rng=1))
    assert at_fpr["At false positive rate"].tolist() == ["0.100"]
    assert "At sensitivity" not in at_fpr


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (4.0, 3, "4"),
        (-12.0, 2, "−12"),
        (0.2, 2, "0.20"),
        (0.2, 3, "0.200"),
        # rounded to two decimals, it would decide otherwise
        (19.315, 2, "19.315"),
        (0.004, 2, "0.004"),
        (1 / 3, 2, "0.3333333333333333"),
        (1234.56789, 2, "1234.56789"),
        (1e300, 2, "1e+300"),
        (np.inf, 2, "∞"),
    ],
)
def test_thresholds_are_not_rounded_like_estimates(value, digits, text):
    assert threshold_text(value, np.nan, digits) == text


def test_rates_have_their_fractions(two):
    frame = two.operating_points(threshold={"s100b": 0.2, "wfns": 1})
    table = rs.format_table(frame, "radiology")
    of = table[table["Predictor"] == "s100b"].set_index("Quantity")["Estimate (n/N; 95% CI)"]
    first = frame.iloc[0]
    assert f"% ({first['tp']} of 41; " in of["Sensitivity"]
    assert f"% ({72 - first['fp']} of 72; " in of["Specificity"]
    calls = first["tp"] + first["fp"]
    assert f" ({first['tp']} of {calls}; " in of["Positive predictive value at prevalence 0.363"]
    assert " of " not in of["Positive likelihood ratio"]
    assert "n/N, numerator and denominator of the rate." in footnotes(table)[-1]
    decimals = rs.format_table(frame, "radiology", percent=False)
    assert decimals["n/N"].tolist()[0] == f"{first['tp']} of 41"


def test_no_fraction_is_printed_that_is_not_the_rate(two):
    elsewhere = two.operating_points(threshold=1, quantities=["ppv"], prevalence=0.05)
    assert "n/N" not in rs.format_table(elsewhere)
    row = pd.Series({"quantity": "tpr", "tp": 14, "fp": 8, "n_pos": 20, "n_neg": 30})
    assert fraction_text(pd.Series({**row, "estimate": 0.7}), "plain") == "14/20"
    assert fraction_text(pd.Series({**row, "estimate": 0.71}), "plain") == ""
    assert fraction_text(pd.Series({**row, "tp": 13.5, "estimate": 0.675}), "plain") == ""
    assert fraction_text(pd.Series({**row, "n_pos": 0, "tp": 0, "estimate": np.nan}), "plain") == ""


def test_corrected_and_apparent_values_are_told_apart(two):
    frame = two.cutpoints(n_resamples=100, rng=1)
    table = rs.format_table(frame)
    assert table["Quantity"].tolist()[:4] == [
        "Threshold",
        "Sensitivity, corrected for optimism",
        "Specificity, corrected for optimism",
        "Youden index, corrected for optimism",
    ]
    assert table["Apparent"].tolist()[0] == ""
    row = frame.iloc[1]
    assert table["Apparent"].tolist()[1] == f"{row['apparent']:.3f}"
    assert table["Apparent n/N"].tolist()[1] == f"{row['tp']}/41"
    assert any(
        note.startswith("Apparent values are from the cases in which") for note in footnotes(table)
    )
    # a smooth estimate is not corrected
    smooth = rs.format_table(two.cutpoints(method="normal-theory"))
    assert "Sensitivity" in smooth["Quantity"].tolist()


def test_one_separator_in_a_table():
    frame = auc_frame(area_row("a", 0.962, 0.948, 0.976), area_row("b", 0.01, -0.004, 0.048))
    assert rs.format_table(frame)["AUC (95% CI)"].tolist() == [
        "0.962 (0.948 to 0.976)",
        "0.010 (−0.004 to 0.048)",
    ]


def test_no_footnote_is_printed_twice():
    rows = [
        difference_row(a, "c", 0.1, 0.01, 0.2, method=f"{word}/wald")
        for a, word in (("a", "influence"), ("b", "cluster-influence"))
    ]
    notes = footnotes(rs.format_table(compare_frame(*rows)))
    assert len(notes) == len(set(notes))
    study = rs.Study([1, 1, 0, 0], {"a": [1, 0, 1, 0], "b": [0, 1, 1, 0]}, frequency=[9, 9, 8, 40])
    notes = " ".join(footnotes(rs.format_table(study.compare_operating_points(threshold=1))))
    assert notes.count("from influence values") == 1


@each("code", NOTES)
def test_notes_in_print_have_no_words_of_python(code):
    text = note_in_print(code)
    assert not re.search(r"\w_\w|\w=|\w\(\)|\bse\b|\bpass |\braise n", text), text


def test_names_keep_their_capitals(two):
    points = two.operating_points(threshold=1, quantities=["youden", "mcc", "tpr"])
    notes = " ".join(footnotes(rs.format_table(points)))
    assert "Youden index" in notes
    assert "Matthews correlation" in notes


def test_wide_table_of_operating_points(two):
    frame = two.operating_points(threshold={"s100b": 0.2, "wfns": 1})
    table = rs.format_table(frame, "jama", layout="wide")
    assert table.columns.tolist() == [
        "Predictor",
        "Threshold",
        "TP",
        "FN",
        "FP",
        "TN",
        "Sensitivity (n/N; 95% CI)",
        "Specificity (n/N; 95% CI)",
        "PPV at prevalence 0.363 (n/N; 95% CI)",
        "NPV at prevalence 0.363 (n/N; 95% CI)",
        "LR+ (95% CI)",
        "LR− (95% CI)",
    ]
    assert table["Threshold"].tolist() == ["≥ 0.20", "≤ 1"]
    counts = table[["TP", "FN", "FP", "TN"]].astype(int)
    assert (counts["TP"] + counts["FN"]).tolist() == [41, 41]
    assert (counts["FP"] + counts["TN"]).tolist() == [72, 72]
    long = rs.format_table(frame, "jama")
    rows = long[long["Quantity"] == "Positive likelihood ratio"]
    assert table["LR+ (95% CI)"].tolist() == rows["Estimate (n/N; 95% CI)"].tolist()
    assert "LR+, positive likelihood ratio; LR−, negative" in footnotes(table)[-1]
    assert "odds ratio" not in " ".join(footnotes(table))


def test_wide_table_keeps_what_was_asked(two):
    frame = two.operating_points(threshold=1, quantities=["odds_ratio", "f1"])
    table = rs.format_table(frame, layout="wide")
    wanted = ["Diagnostic odds ratio (95% CI)", "F1 score at prevalence 0.363 (95% CI)"]
    assert table.columns.tolist()[-2:] == wanted


def test_wide_table_of_a_comparison(two):
    frame = two.compare_operating_points(threshold={"s100b": 0.2, "wfns": 1})
    table = rs.format_table(frame, layout="wide")
    assert len(table) == 1
    assert table.columns.tolist()[:5] == [
        "Comparison",
        "Positives",
        "Negatives",
        "Difference in sensitivity (95% CI)",
        "P value, difference in sensitivity",
    ]


def test_wide_table_of_cutpoints(two):
    table = rs.format_table(two.cutpoints(n_resamples=100, rng=1), layout="wide")
    assert table.columns.tolist()[:8] == [
        "Predictor",
        "TP",
        "FN",
        "FP",
        "TN",
        "Threshold (95% CI)",
        "Sensitivity, corrected (95% CI)",
        "Sensitivity, apparent",
    ]
    assert table["Threshold (95% CI)"].str[:2].tolist() == ["≥ ", "≤ "]


def test_wide_tables_of_groups_and_of_several_ranges():
    parts = [
        auc_frame(
            *(area_row(name, 0.8, 0.7, 0.9, group=group) for group in ("F", "M") for name in "ab")
        ),
        auc_frame(
            area_row("a", 0.03, 0.02, 0.04, group="F", quantity="partial_auc", range_high=0.1)
        ),
    ]
    table = rs.format_table(pd.concat(parts), layout="wide")
    assert table[["Predictor", "Group"]].agg(" ".join, axis=1).tolist() == [
        "a F",
        "b F",
        "a M",
        "b M",
    ]
    partial = "Partial AUC (false positive rates 0 to 0.1) (95% CI)"
    assert table[partial].tolist() == ["0.030 (0.020-0.040)", "", "", ""]
    assert table["AUC (95% CI)"].tolist() == ["0.800 (0.700-0.900)"] * 4


def test_numbers_of_cases_that_differ_between_measures_are_all_printed():
    rows = [area_row("a", 0.8, 0.7, 0.9), area_row("b", 0.8, 0.7, 0.9)]
    rows.append(area_row("a", 0.7, 0.6, 0.8, quantity="partial_auc_standardized", n_pos=39.0))
    table = rs.format_table(auc_frame(*rows), layout="wide")
    assert table["Positives"].tolist() == ["41; 39", "41"]
    assert table["Negatives"].tolist() == ["72", "72"]


def test_a_group_called_like_a_column_hides_none():
    frame = auc_frame(area_row("a", 0.8, 0.7, 0.9, group="F"))
    frame.attrs["rocstats"]["group_label"] = "Positives"
    table = rs.format_table(frame)
    assert table["Positives (group)"].tolist() == ["F"]
    assert table["Positives"].tolist() == ["41"]


def test_wide_table_of_classes():
    rng = np.random.default_rng(1)
    study = rs.MulticlassStudy(np.tile(list("abc"), 20), rng.random((60, 3)), labels=list("abc"))
    table = rs.format_table(study.auc(), layout="wide")
    assert table["Class"].tolist() == ["a", "a", "b", "all"]
    assert "AUC (95% CI)" in table


def test_what_has_two_rows_for_a_cell_is_refused():
    frame = auc_frame(area_row("a", 0.8, 0.7, 0.9), area_row("a", 0.7, 0.6, 0.8))
    wanted = r"`layout` 'wide' must have one row .* got two for AUC of a\. Pass layout='long'"
    with pytest.raises(InputError, match=wanted):
        rs.format_table(frame, layout="wide")
    with pytest.raises(InputError, match="`layout` must be one of 'long', 'wide'; got 'broad'"):
        rs.format_table(frame, layout="broad")


@pytest.mark.parametrize(
    ("prevalence", "printed"),
    [
        (0.05, "0.05"),
        (0.36312, "0.363"),
        (0.9994, "0.999"),
        (0.9997, "0.9997"),
        (0.99962345, "0.999623"),
        (1 - 1e-5, "0.99999"),
        (1e-5, "1e-05"),
        (1.0, "1"),
    ],
)
def test_a_prevalence_below_1_is_not_printed_as_1(prevalence, printed):
    assert prevalence_text(prevalence) == printed
