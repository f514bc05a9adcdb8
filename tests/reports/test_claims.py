"""What a report claims is what its study allows, and what was done."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats import format_table
from rocstats.reports.answers import ask_report_answers
from rocstats.reports.figures import ScoredTest, resampled_cutpoints_figure
from rocstats.reports.options import read_report_options
from tests.reports.pages import document_of, measures, small, tables_of, words_of

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")


def section_of(document, key):
    (found,) = [section for section in document.sections if section.key == key]
    return " ".join(block.text for block in found.blocks)


@pytest.fixture(scope="module")
def backwards():
    """Positives score lower: calling nobody positive is the best that can be done."""
    study = small()
    return document_of(rs.Study(~study.is_positive, study.scores[0]))


def test_where_no_cutoff_was_found_none_is_said_to_be_chosen_or_corrected(backwards):
    methods = section_of(backwards, "methods")
    assert "Cutoffs were sought in these data" in methods
    assert "none was found" in methods
    assert "corrected" not in methods
    assert "optimism" not in methods
    assert "a cutoff chosen here" not in section_of(backwards, "limits")
    assert "chosen cutoff and its interval" not in words_of(backwards)


def test_methods_name_both_predictive_values():
    methods = section_of(document_of(small()), "methods")
    assert "around values at rates corrected for optimism (positive predictive value;" in methods


def test_methods_name_the_limits_of_a_moved_cutoff_where_there_are_any():
    name, options = "Dvoretzky", {"criterion": None, "explorer": "counts"}
    assert name in section_of(document_of(small(), **options), "methods")
    same = document_of(rs.Study(np.repeat([1, 0], 20), np.ones(40)), **options)
    assert "interactive part" not in words_of(same)
    clusters = small(cluster=np.arange(70) // 2)
    methods = section_of(document_of(clusters, **options), "methods")
    assert name not in methods
    assert "a cutoff that a reader moved has no limits" in methods


@pytest.mark.parametrize(("n_pos", "partly"), [(49, True), (50, False)])
def test_a_notice_says_that_few_cases_are_corrected_in_part(n_pos, partly):
    """By the simulations of the cutpoints, under 50 cases of a class keep a quarter or more."""
    notice = next(
        block.text
        for block in document_of(small(n_pos, 60)).sections[0].blocks
        if block.role == "notice"
    )
    assert ("a quarter or more of the flattery remains" in notice) == partly


def test_every_table_has_the_level_and_the_prevalence_that_were_asked():
    study, level = small(predictors=("a", "b")), {"confidence_level": 0.9}
    tables = tables_of(document_of(study, prespecified=0.5, prevalence=0.1, **level))

    def cells(frame, quantity):
        return format_table(frame[frame["quantity"] == quantity])

    areas = format_table(study.auc(null_value=0.5, **level)).to_numpy().tolist()
    assert [list(row) for row in tables["How well each test separates"].rows] == areas
    differences = format_table(study.compare_auc(**level)).iloc[0].tolist()
    assert list(tables["Differences in area between tests"].rows[0]) == differences[:-2]
    chosen = measures(tables["Accuracy at the cutoffs chosen in these data"])
    frame = study.cutpoints(prevalence=0.1, rng=1, **level)
    assert chosen["PPV at prevalence 0.1, corrected (90% CI)"] == (
        cells(frame, "ppv").iloc[:, 2].tolist()
    )
    cuts = frame[frame["quantity"] == "threshold"]
    cuts = dict(zip(cuts["predictor"], cuts["estimate"], strict=True))
    ratios = study.operating_points(threshold={k: [v] for k, v in cuts.items()}, **level)
    found = chosen["LR+ (90% CI), apparent"]
    assert found == cells(ratios, "lr_positive")["Positive likelihood ratio (90% CI)"].tolist()
    for at, caption in (
        (cuts, "Paired differences at the chosen cutoffs, as observed"),
        ({"a": 0.5, "b": 0.5}, "Paired differences at the cutoffs set before the study"),
    ):
        pairs = study.compare_operating_points(threshold=at, **level)
        wanted = cells(pairs, "tnr")["Difference in specificity (90% CI)"]
        assert wanted.iloc[0] in tables[caption].rows[0]


def test_items_of_stard_are_not_claimed_without_what_they_ask():
    """Item 17 asks whether analyses were planned, item 24 for the precision of estimates."""
    groups = document_of(small(group=np.arange(70) % 2), criterion=None)
    has, begins = section_of(groups, "stard").split("It begins")
    assert "17 " not in has
    assert "17 variability between groups (add whether it was planned)" in begins
    assert "24 estimates with their precision" in has
    weights = document_of(small(sample_weight=np.linspace(1, 2, 70)), criterion=None)
    has, begins = section_of(weights, "stard").split("It begins")
    assert "24 " not in has
    assert "24 estimates (add their precision)" in begins


def test_marks_without_limits_are_not_said_to_have_them():
    weights = small(sample_weight=np.linspace(1, 2, 70))
    words = words_of(document_of(weights, prespecified=0.5))
    assert "Marks: cutoffs set before the study." in words
    words = words_of(document_of(small(), prespecified=0.5, criterion=None))
    assert "Marks: cutoffs set before the study, with limits." in words


def test_resampled_cutoffs_are_drawn_with_the_chosen_one():
    """Not with one set before the study, whose interval they would all be outside of."""
    study = small()
    answers = ask_report_answers(study, read_report_options(study, rng=1, prespecified=1.5))
    axes = resampled_cutpoints_figure(answers, ScoredTest("a")).axes[0]
    cuts = study.cutpoints(rng=1).query("quantity == 'threshold'").iloc[0]
    drawn = [list(line.get_xdata()) for line in axes.lines]
    assert [cuts["ci_low"], cuts["ci_high"]] in drawn
    assert not any(1.5 in line for line in drawn)


def test_cases_of_clusters_are_not_called_patients():
    """Both eyes of a patient, or the repeats of cross-validation, are several rows each."""
    clusters = small(cluster=np.arange(70) // 2)
    words = words_of(document_of(clusters, criterion=None))
    assert "35 clusters; 15 had the condition in some row (43%). 70 rows; 30 with" in words
    assert "patient" not in words
    eyes = words_of(document_of(clusters, criterion=None, words={"case": "eye"}))
    assert "Each row is one eye." in eyes


def test_a_notice_has_the_raw_results_before_their_correction():
    study = small()
    notice = document_of(study).sections[0].blocks[2].text
    raw = study.cutpoints(rng=1).set_index("quantity")["apparent"]
    wanted = f"({100 * raw['tpr']:.0f} found and {100 * raw['tnr']:.0f} cleared)"
    assert f"raw results {wanted}" in notice
