"""Tables in print and in files; the cells follow from the rules of the styles by hand."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frame.make import read_csv
from rocstats.tables.cells import measure_text
from rocstats.tables.methods import methods_lines
from rocstats.tables.tables import format_table, save_table
from tests.inference.survival.studies import forty
from tests.tables.hand_frames import (
    NAN,
    area_row,
    auc_frame,
    compare_frame,
    difference_row,
    equality_frame,
    precision_frame,
)


def footnotes(table):
    return table.attrs["rocstats"]["footnotes"]


def test_areas(areas):
    table = format_table(areas, "jama")
    assert table.to_dict("list") == {
        "Predictor": ["wfns", "ndka"],
        "AUC (95% CI)": ["0.82 (0.75-0.90)", "0.61 (0.50-0.71)"],
        "Positives": ["41", "41"],
        "Negatives": ["72", "72"],
    }
    assert footnotes(table) == [
        "Standard errors were estimated by the method of DeLong et al.",
        "Confidence intervals (95%) were computed on the logit scale.",
        "AUC, area under the receiver operating characteristic curve; CI, confidence interval.",
    ]


def test_differences(differences):
    table = format_table(differences, "jama")
    assert table.to_dict("list") == {
        "Predictor": ["wfns", "wfns", "s100b"],
        "Reference": ["s100b", "ndka", "ndka"],
        "Difference in AUC (95% CI)": [
            "0.09 (0.03 to 0.15)",
            # The interval excludes zero, so its limit .0049 must not be printed as 0.00.
            "0.21 (<0.01 to 0.42)",
            "−0.03 (−0.15 to 0.08)",
        ],
        "P value": [".004", ".03", ".60"],
        "Adjusted P value": [".01", ".06", ".60"],
        "Positives": ["41"] * 3,
        "Negatives": ["72"] * 3,
    }
    assert "P values are for two-sided z tests of no difference." in footnotes(table)
    assert (
        "Adjusted P values allow for the 3 comparisons by the method of Holm; intervals are not"
        " adjusted." in footnotes(table)
    )


def test_interval_around_zero_may_end_in_printed_zero():
    frame = compare_frame(difference_row("a", "b", -0.04, -0.09, 0.001))
    assert format_table(frame, "jama").iloc[0, 2] == "−0.04 (−0.09 to 0.00)"


@pytest.mark.parametrize(
    ("style", "heading", "cell"),
    [
        ("plain", "AUC (95% CI)", "0.823 (0.749-0.896)"),
        ("jama", "AUC (95% CI)", "0.82 (0.75-0.90)"),
        ("radiology", "AUC (95% CI)", "0.82 (0.75, 0.90)"),
        ("nejm", "AUC (95% CI)", "0.823 (0.749 to 0.896)"),
        ("bmj", "AUC (95% confidence interval)", "0.823 (0.749 to 0.896)"),
    ],
)
def test_styles(areas, style, heading, cell):
    assert format_table(areas, style)[heading].iloc[0] == cell


def test_digits(areas):
    assert format_table(areas, "jama", digits=1).iloc[0, 1] == "0.8 (0.7-0.9)"


def test_near_perfect_area_is_not_printed_as_perfect():
    frame = auc_frame(area_row("a", 0.998, 0.97, 0.9999), area_row("b", 1.0, 0.8, 1.0))
    assert format_table(frame, "jama").iloc[:, 1].tolist() == [
        ">0.99 (0.97 to >0.99)",
        # one separator for the whole table
        "1.00 (0.80 to 1.00)",
    ]


def test_a_number_needed_to_diagnose_above_1_is_not_printed_as_1():
    study = rs.Study([1, 1, 1, 0, 0, 0], [5, 4, 2, 3, 1, 0])
    frame = study.operating_points(threshold=3.5, quantities=["number_needed_to_diagnose"])
    frame = frame.assign(estimate=1.003, ci_low=1.0, ci_high=1.21)
    assert format_table(frame, "jama").iloc[0].str.contains("<1.01 (1.00-1.21)", regex=False).any()


def test_groups_and_levels_that_differ():
    frame = auc_frame(
        area_row("a", 0.8, 0.7, 0.9, group="Basel"),
        area_row("a", 0.7, 0.6, 0.8, group="Örebro", confidence_level=0.9),
    )
    table = format_table(frame)
    assert table["Group"].tolist() == ["Basel", "Örebro"]
    assert table["AUC (CI)"].tolist() == [
        "0.800 (95% CI 0.700-0.900)",
        "0.700 (90% CI 0.600-0.800)",
    ]
    assert "Confidence intervals were computed on the logit scale." in footnotes(table)


def test_quantity_is_a_column_only_when_it_varies(areas, differences):
    partial = auc_frame(area_row("a", 0.031, 0.02, 0.04, quantity="partial_auc", range_high=0.1))
    heading = "Partial AUC (false positive rates 0 to 0.1) (95% CI)"
    assert heading in format_table(partial)
    both = format_table(pd.concat([areas, differences], ignore_index=True), "jama")
    assert both["Quantity"].tolist() == ["AUC"] * 2 + ["Difference in AUC"] * 3
    assert both["Reference"].tolist() == ["", "", "s100b", "ndka", "ndka"]
    assert both["Estimate (95% CI)"].tolist()[1:3] == [
        "0.61 (0.50 to 0.71)",
        "0.09 (0.03 to 0.15)",
    ]
    assert both["P value"].tolist() == ["NA", "NA", ".004", ".03", ".60"]


def test_contrast_is_not_taken_for_an_area():
    frame = compare_frame(
        difference_row(
            "mean of both", "contrast", -0.03, -0.06, -0.001, p_value=0.04, p_adjusted=0.04
        )
    )
    table = format_table(frame, "jama")
    assert table.columns.tolist()[:3] == ["Predictor", "Reference", "Contrast of AUC (95% CI)"]
    assert table.iloc[0, 2] == "−0.03 (−0.06 to >−0.01)"


def test_global_test_shows_its_statistic():
    table = format_table(equality_frame(12.345, 2.0, 0.002084), "nejm")
    assert table.to_dict("list") == {
        "Predictor": ["all"],
        "Statistic": ["12.345"],
        "df": ["2"],
        "P value": ["0.002"],
        "Positives": ["41"],
        "Negatives": ["72"],
    }
    assert footnotes(table) == [
        "P values are for chi-square tests of equal areas, with covariances estimated by the"
        " method of DeLong et al.",
        "df, degrees of freedom.",
    ]


@pytest.mark.parametrize(
    ("adjust", "words"),
    [
        ("holm", " by the method of Holm; intervals are not adjusted."),
        ("bonferroni", " by the method of Bonferroni; intervals are not adjusted."),
    ],
)
def test_adjustment_is_named_by_the_note(adjust, words):
    rows = [
        difference_row(
            name, "c", 0.1, 0.01, 0.2, p_value=p, p_adjusted=2 * p, note=[f"adjusted={adjust}"]
        )
        for name, p in (("a", 0.01), ("b", 0.04))
    ]
    expected = f"Adjusted P values allow for the 2 comparisons{words}"
    assert expected in footnotes(format_table(compare_frame(*rows)))


def test_no_adjustment_no_column():
    frame = compare_frame(difference_row("a", "b", 0.1, 0.01, 0.2, p_value=0.03, p_adjusted=0.03))
    table = format_table(frame)
    assert "Adjusted P value" not in table
    assert not any("djusted" in note for note in footnotes(table))


def test_footnotes_name_the_rows_they_are_about():
    with pytest.warns(StatisticalWarning, match="auc-at-boundary"):
        frame = auc_frame(
            area_row("wfns", 0.82, 0.75, 0.9, note=["rows-dropped=3"]),
            area_row(
                "ideal",
                1.0,
                0.8,
                1.0,
                method="delong/newcombe",
                note=["auc-at-boundary", "rows-dropped=3"],
            ),
        )
    assert footnotes(format_table(frame)) == [
        "Standard errors were estimated by the method of DeLong et al.",
        "Confidence intervals (95%) were computed on the logit scale (wfns) and by Newcombe's"
        " method 5 (ideal).",
        "Rows with a missing value were left out: 3.",
        "An AUC is 0 or 1, so its standard error is 0: the limits are computed by"
        " Newcombe's method 5 (ideal).",
        "AUC, area under the receiver operating characteristic curve; CI, confidence interval.",
    ]


def test_one_sided_tests_are_called_so():
    frame = auc_frame(
        area_row(
            "a",
            0.8,
            0.7,
            1.0,
            hypothesis="greater",
            null_value=0.5,
            statistic=3.0,
            df=20.5,
            p_value=0.003,
            method="unbiased/logit-t",
        )
    )
    assert footnotes(format_table(frame))[:3] == [
        "Standard errors were estimated by the unbiased estimator of the variance of a"
        " U statistic.",
        "One-sided confidence intervals (95%) were computed on the logit scale with quantiles of"
        " the t distribution.",
        'P values are for one-sided ("greater") t tests of AUC = 0.5.',
    ]


@pytest.mark.parametrize(
    ("hypotheses", "beginning"),
    [
        (("greater", "greater"), "One-sided confidence intervals (95%)"),
        (("less", "less"), "One-sided confidence intervals (95%)"),
        (("less", "greater"), "One-sided confidence intervals (95%)"),
        (("greater", "two-sided"), "Confidence intervals (95%)"),
        (("two-sided", "two-sided"), "Confidence intervals (95%)"),
        # One-sided tests against a margin have two-sided intervals.
        (("non-inferiority", "superiority"), "Confidence intervals (95%)"),
    ],
)
def test_intervals_are_called_one_sided_if_all_are(hypotheses, beginning):
    rows = [
        area_row(name, 0.8, 0.7, 0.9, hypothesis=asked)
        for name, asked in zip("ab", hypotheses, strict=True)
    ]
    notes = footnotes(format_table(auc_frame(*rows)))
    (intervals,) = (note for note in notes if "intervals" in note)
    assert intervals.startswith(beginning)


def test_weights_leave_estimates_without_intervals():
    with pytest.warns(StatisticalWarning, match="weights-need-bootstrap"):
        frame = auc_frame(
            area_row(
                "a", 0.8, NAN, NAN, se=NAN, method="none/none", note=["weights-need-bootstrap"]
            )
        )
    table = format_table(frame, "jama")
    assert table["AUC (95% CI)"].tolist() == ["0.80 (NA)"]
    assert footnotes(table) == [
        "There is no variance formula for sampling weights, so only the estimate is given.",
        "AUC, area under the receiver operating characteristic curve; CI, confidence interval;"
        " NA, not available.",
    ]


def test_estimates_that_never_have_an_interval_are_printed_alone():
    frame = precision_frame(("a", "", 0.8), ("b", "", 0.6))
    table = format_table(frame, "jama")
    assert table["Estimate"].tolist() == ["0.80", "0.40", "0.60", "0.30"]
    assert footnotes(table) == ["Only the estimate is given, without an interval."]
    # beside estimates with intervals, in a table that names their level once
    mixed = format_table(pd.concat([auc_frame(area_row("a", 0.9, 0.8, 0.95)), frame]), "plain")
    assert mixed["Estimate (95% CI)"].tolist()[:2] == ["0.900 (0.800-0.950)", "0.800"]


def test_a_predictor_called_na_needs_no_explanation():
    frame = auc_frame(area_row("NA", 0.8, 0.7, 0.9))
    assert not any("not available" in note for note in footnotes(format_table(frame)))


def test_unknown_words_of_later_methods_are_quoted_not_lost():
    frame = auc_frame(area_row("a", 0.8, 0.7, 0.9, method="spline/empirical-likelihood"))
    assert footnotes(format_table(frame))[:2] == [
        "Standard errors were estimated by the method 'spline'.",
        "Confidence intervals (95%) were computed by the method 'empirical-likelihood'.",
    ]


def test_input_is_untouched_and_output_is_text(areas):
    before = areas.copy(deep=True)
    table = format_table(areas)
    pd.testing.assert_frame_equal(areas, before)
    assert all(isinstance(cell, str) for cell in table.to_numpy().ravel())


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ([1, 2], r"`frame` must be a pandas frame; got list\. Pass the answer"),
        (
            pd.DataFrame({"predictor": ["a"], "estimate": [1.0], "ci_low": [0.0]}),
            r"`frame` must hold estimates .* no columns quantity, ci_high, confidence_level\. Pass",
        ),
    ],
)
def test_frames_that_are_none(frame, message):
    with pytest.raises(InputError, match=message):
        format_table(frame)


def test_frame_without_rows(areas):
    with pytest.raises(InputError, match=r"`frame` must have rows; got 0\."):
        format_table(areas.iloc[:0])


@pytest.mark.parametrize("arguments", [{"style": "lancet"}, {"digits": -1}])
def test_impossible_arguments(areas, arguments):
    with pytest.raises(InputError):
        format_table(areas, **arguments)


# files ---------------------------------------------------------------------------------------


def test_csv_keeps_every_bit(tmp_path):
    frame = auc_frame(
        area_row("NA", 0.1 + 0.2, 1 / 3, np.nextafter(0.9, 1), group="1", df=np.inf),
        area_row('b,"c"\nd', 0.5, NAN, NAN, group=""),
    )
    path = save_table(frame, tmp_path / "areas.csv", style="jama", caption="ignored")
    pd.testing.assert_frame_equal(read_csv(path), frame, check_exact=True)


@pytest.mark.parametrize("ending", [".md", ".html", ".tex", ".HTML"])
def test_saved_table_is_the_formatted_one(areas, tmp_path, ending):
    direct = save_table(areas, tmp_path / f"a{ending}", style="jama", caption="Areas")
    formatted = save_table(format_table(areas, "jama"), tmp_path / f"b{ending}", caption="Areas")
    assert direct == tmp_path / f"a{ending}"
    text = direct.read_text(encoding="utf-8")
    assert text == formatted.read_text(encoding="utf-8")
    assert "0.82 (0.75-0.90)" in text.replace("\\%", "%")
    assert text.index("Areas") < text.index("wfns") < text.index("by the method of DeLong et al.")


def test_formatted_table_as_csv_is_written_as_it_is(areas, tmp_path):
    path = save_table(format_table(areas, "jama"), tmp_path / "a.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1] == ["wfns", "0.82 (0.75-0.90)", "41", "72"]


def test_unknown_ending_lists_the_endings(areas, tmp_path):
    with pytest.raises(
        InputError,
        match=r"end in \.csv, \.md, \.html, \.tex, \.docx, \.xlsx; got '.*table\.doc'\.",
    ):
        save_table(areas, tmp_path / "table.doc")


@pytest.mark.parametrize("ending", [".csv", ".md"])
def test_missing_directory_is_not_created(areas, tmp_path, ending):
    with pytest.raises(InputError, match=r"`path` must lie in a directory.*Create '.*typo' first"):
        save_table(areas, tmp_path / "typo" / f"a{ending}")
    assert not (tmp_path / "typo").exists()


def test_only_tables_are_saved(tmp_path):
    numbers = pd.DataFrame({"predictor": ["a"], "fpr": [0.5]})
    with pytest.raises(InputError, match="`frame` must hold estimates"):
        save_table(numbers, tmp_path / "a.md")
    with pytest.raises(InputError, match="`frame` must be a pandas frame; got dict"):
        save_table({}, tmp_path / "a.csv")
    with pytest.raises(InputError, match="`style` must be one of"):
        save_table(numbers, tmp_path / "a.csv", style="lancet")
    assert list(tmp_path.iterdir()) == []


def test_resampled_intervals_say_how_to_repeat_them():
    study = rs.Study([1, 1, 1, 0, 0, 0], [4, 3, 1, 2, 1, 0])
    notes = footnotes(format_table(study.auc(interval="percentile", n_resamples=500, rng=9)))
    assert "Confidence intervals (95%) were computed as percentiles of resamples." in notes
    assert "There were 500 resamples (seed 9)." in notes


def test_every_method_of_an_area_has_its_words(ct):
    from rocstats.estimate.areas import AREA_VARIANCES
    from rocstats.estimate.intervals import AREA_INTERVALS
    from rocstats.tables.wording import LIMITS, STANDARD_ERRORS

    assert {record.word for record in AREA_VARIANCES} <= set(STANDARD_ERRORS)
    assert {record.word for record in AREA_INTERVALS} <= set(LIMITS)


def test_exact_tests_are_named(three):
    notes = footnotes(format_table(three.versus_random()))
    assert "P values are from the exact Mann-Whitney test." in notes


def test_rows_of_averages_say_where_they_are(rng):
    y, fold = np.tile([1, 1, 0, 0], 50), np.repeat([1, 2], 100)
    study = rs.Study(y, rng.normal(size=200) + y, fold=fold)
    vertical = format_table(study.roc_average(at=[0.1, 0.5]))
    assert vertical["At false positive rate"].tolist() == ["0.100", "0.500"]
    assert "Threshold" not in vertical
    crosses = format_table(study.roc_average("threshold", at=0.5, joint=True))
    assert crosses["Threshold"].tolist() == ["≥ 0.500", "≥ 0.500"]
    assert "At false positive rate" not in crosses
    assert crosses.columns[3] == "Estimate (97.47% CI)"
    points = format_table(study.operating_points(threshold=0.5))
    assert list(points)[:3] == ["Predictor", "Threshold", "Quantity"]


def test_comparisons_of_points_and_curves_are_put_in_words():
    study = rs.Study([1, 1, 0, 0], {"a": [1, 0, 1, 0], "b": [0, 1, 1, 0]}, frequency=[30, 9, 8, 40])
    table = format_table(study.compare_operating_points(threshold=1))
    assert table["Quantity"].tolist() == [
        "Difference in sensitivity",
        "Difference in specificity",
        "Sensitivity and specificity together",
        "Difference in positive predictive value",
        "Difference in negative predictive value",
        "Ratio of positive predictive values",
        "Ratio of negative predictive values",
        "Ratio of positive likelihood ratios",
        "Ratio of negative likelihood ratios",
    ]
    notes = " ".join(footnotes(table))
    assert "by inverting the score test of Tango (difference in sensitivity;" in notes
    rows = "(difference in sensitivity; difference in specificity)"
    assert f"P values are from the mid-P McNemar test {rows}." in notes
    assert "chi-square tests of equal rates of both classes" in notes
    assert "two-sided z tests of a ratio of 1" in notes
    wanted = ["tpr_ratio", "fpr_ratio", "accuracy", "mcc", "youden"]
    table = format_table(study.compare_operating_points(threshold=1, quantities=wanted))
    assert table["Quantity"].tolist() == [
        "Ratio of sensitivities",
        "Ratio of false positive rates",
        "Difference in accuracy",
        "Difference in Matthews correlation coefficient",
        "Difference in Youden index",
    ]
    notes = " ".join(footnotes(table))
    assert "by inverting the score test of Tang, Tang and Chan (ratio of sensitivities" in notes
    assert "by combining the limits of both on Fisher's scale (MOVER)" in notes
    scores = rs.Study([1, 1, 0, 0] * 3, {"a": range(12), "b": [3, 1, 2, 0] * 3})
    curves = format_table(scores.compare_curves(n_resamples=99, rng=1))
    assert "Distance of the curves" in curves
    assert "P values are from Venkatraman's permutation test of equal curves." in footnotes(curves)


def test_a_ratio_apart_from_1_is_not_printed_as_1():
    study = rs.Study(
        [1, 1, 1, 1, 0, 0, 0, 0],
        {"a": [1, 1, 0, 0] * 2, "b": [1, 0, 1, 0] * 2},
        frequency=[9000, 260, 60, 80, 400, 200, 190, 9000],
    )
    frame = study.compare_operating_points(threshold=1)
    row = frame[frame["quantity"] == "npv_ratio"]
    assert row["ci_low"].iloc[0] > 1
    assert ">1.00" not in format_table(row, "jama").iloc[0].to_string()
    assert "1.00 to" not in format_table(row, "jama").iloc[0].to_string()


def test_adjustment_counts_the_pairs_of_each_quantity(three):
    table = format_table(
        three.compare_operating_points(threshold={"d1": 0.5, "d2": 0.5, "d3": 0.6})
    )
    wanted = "Adjusted P values allow for the 3 comparisons of each quantity by the method of Holm"
    assert any(note.startswith(wanted) for note in footnotes(table))


def test_measures_say_for_which_prevalence_they_are():
    study = rs.Study.from_confusion(tp=50, fn=6, fp=8, tn=70)
    points = study.operating_points(
        threshold=1, quantities=["tpr", "ppv", "lr_positive"], prevalence=[0.05, 0.2]
    )
    table = rs.format_table(points, "jama")
    assert table["Quantity"].tolist() == [
        "Sensitivity",
        "Positive predictive value at prevalence 0.05",
        "Positive predictive value at prevalence 0.2",
        "Positive likelihood ratio",
    ]
    assert "by the method of Mercaldo et al" in " ".join(table.attrs["rocstats"]["footnotes"])
    agreement = study.operating_points(threshold=1, reference_standard="imperfect")
    assert rs.format_table(agreement)["Quantity"].tolist() == [
        "Positive percent agreement",
        "Negative percent agreement",
        "Overall percent agreement at prevalence 0.418",
    ]


def test_an_infinite_ratio_is_printed():
    study = rs.Study.from_confusion(tp=5, fn=0, fp=0, tn=7)
    points = study.operating_points(threshold=1, quantities=["lr_positive", "tpr"])
    assert "∞ (2.82-∞)" in rs.format_table(points, "jama").iloc[0].tolist()


def test_words_of_measures_are_there():
    from rocstats.inference.points.options import POINT_INTERVALS, RATE_BARS
    from rocstats.tables.wording import LIMITS

    wanted = {*POINT_INTERVALS, *RATE_BARS, "score", "log", "logit", "fisher", "mercaldo"}
    # Limits for all thresholds at once are combined at corners: MOVER would make them shorter.
    # Resamples are of the measure itself.
    combined = {f"mover-{name}" for name in POINT_INTERVALS if name not in ("dkw", "percentile")}
    assert wanted | combined | {"dkw-corners"} <= set(LIMITS)


def test_measures_of_these_cases_name_a_prevalence_that_is_not_that_of_the_cases():
    brier = {"quantity": "brier_score", "prevalence": 0.25, "n_pos": 10, "n_neg": 30}
    plain = measure_text(brier)
    assert measure_text({**brier, "n_neg": 90}) == f"{plain} at prevalence 0.25"
    assert measure_text({**brier, "n_pos": 0, "n_neg": 0}) == f"{plain} at prevalence 0.25"
    assert measure_text({**brier, "n_neg": 90}, with_prevalence=False) == plain
    with pytest.raises(TypeError, match="positional"):
        measure_text(brier, False)


def test_rows_have_their_time_and_their_numbers():
    study = forty(outcome="Death")
    table = rs.format_table(study.auc(time=[8, 14]))
    heads = ["Predictor", "Time", "AUC (95% CI)", "Cases", "Controls", "Censored"]
    assert list(table.columns) == heads
    assert table["Time"].tolist() == ["8", "14", "8", "14"]
    assert table["Cases"].tolist() == ["8", "13", "8", "13"]
    assert "Cases: Death by the time." in table.attrs["rocstats"]["footnotes"]
    points = study.operating_points(threshold=15, time=[8, 14])
    wide = rs.format_table(points, layout="wide")
    assert len(wide) == 4
    assert "Prevalence (95% CI)" in wide
    both = pd.concat([study.auc(time=14), study.auc(time=14, controls="event-free")])
    printed = rs.format_table(both)
    assert printed["Controls are"].tolist() == ["not-case"] * 2 + ["event-free"] * 2
    assert printed["Controls"].tolist() == ["18", "18", "12", "12"]


def test_methods_say_who_are_compared():
    study = forty()
    free = methods_lines(study.auc(time=14, controls="event-free"))
    assert "patients who had the event by then with those without any event by then" in free[0]
    band = methods_lines(study.auc_band(time=[8, 14]))
    assert "the largest of correlated normal variables" in band[0]
    assert any("Blanche" in line for line in band[1:])
    points = methods_lines(study.operating_points(threshold=15, time=14))
    assert "allow for estimated censoring weights" in points[0]
    assert "Wilson with an effective sample size" in points[0]
