"""What a report says of each kind of study: true of its frames, and silent where they are."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats import format_table
from rocstats.reports.answers import ask_report_answers
from rocstats.reports.cutoffs import Rate, limits_of_rate_in_people, of_hundred
from rocstats.reports.document import (
    Document,
    FigureBlock,
    Paragraph,
    Section,
    blocks_of,
    reference_numbers,
)
from rocstats.reports.figures import ScoredTest, resampled_cutpoints_figure
from rocstats.reports.options import read_report_options
from rocstats.tables.text import format_level, format_number
from rocstats.tables.wording import Sentence
from tests.explorer.rounding import FRACTIONS, LEVELS, LIMITS_OF_HUNDRED, OF_HUNDRED
from tests.quick import each
from tests.reports.pages import (
    document_of,
    measures,
    references_of,
    small,
    tables_of,
    words_of,
)

CHOSEN = "Accuracy at the cutoffs chosen in these data"
GIVEN = "Accuracy at the cutoffs set before the study"
SIDES = np.repeat([1, 0], 20)
WORDS = {"case": "woman", "condition": "cancer", "action": "biopsy"}


@pytest.fixture(scope="module")
def two():
    study = small(predictors=("a", "b"), labels={"b": "Second"})
    return study, document_of(study, words=WORDS, prevalence=0.1)


def test_the_answer_is_that_of_the_cutpoints(two):
    study, document = two
    frame = study.cutpoints(rng=1).set_index(["predictor", "quantity"])["estimate"]
    answers = [block for block in document.sections[0].blocks if block.role == "answer"]
    for answer, name, label in zip(answers, ("a", "b"), ("a", "Second"), strict=True):
        found, cleared = (f"{100 * frame[name, rate]:.0f}" for rate in ("tpr", "tnr"))
        assert answer.text.startswith(f"{label} at ")
        assert f" finds {found} (95% CI " in answer.text
        assert f" and clears {cleared} (" in answer.text


def test_a_chosen_cutoff_says_so(two):
    notice = next(block for block in two[1].sections[0].blocks if block.role == "notice")
    assert notice.lead == "Chosen after seeing the data."
    assert "Youden" in notice.text
    assert notice.text.endswith("Confirm in new women.")


def test_tables_are_those_of_the_frames(two):
    study, document = two
    tables = tables_of(document)
    printed = rs.format_table(study.auc(null_value=0.5))
    assert [list(row) for row in tables["How well each test separates"].rows] == (
        printed.to_numpy().tolist()
    )
    chosen = study.cutpoints(rng=1)
    cells = measures(tables[CHOSEN])
    for name, rate in (("tpr", "Sensitivity"), ("tnr", "Specificity")):
        rows = rs.format_table(chosen[chosen["quantity"] == name])
        head = f"{rate}, corrected for optimism (95% CI)"
        assert cells[f"{rate}, corrected (95% CI)"] == rows[head].tolist()
        assert cells[f"{rate}, apparent"] == rows["Apparent"].tolist()


def test_counts_of_a_cutoff_are_those_of_its_point(two):
    study, document = two
    rows = study.cutpoints(rng=1).query("quantity == 'tpr'")
    cells = measures(tables_of(document)[CHOSEN])
    assert cells["Found (TP)"] == [str(n) for n in rows["tp"]]
    assert cells["Missed (FN)"] == [str(n) for n in 30 - rows["tp"]]
    assert cells["False alarms (FP)"] == [str(n) for n in rows["fp"]]
    assert cells["Cleared (TN)"] == [str(n) for n in 40 - rows["fp"]]


def test_pairs_are_compared(two):
    study, document = two
    table = tables_of(document)["Paired differences at the chosen cutoffs, as observed"]
    cuts = study.cutpoints(rng=1).query("quantity == 'threshold'")
    pairs = study.compare_operating_points(threshold=dict(zip("ab", cuts["estimate"], strict=True)))
    wanted = rs.format_table(pairs[pairs["quantity"] == "tpr_difference"]).iloc[0]
    assert table.rows[0][:2] == ("a", "Second")
    assert table.rows[0][2] == wanted["Difference in sensitivity (95% CI)"]
    areas = tables_of(document)["Differences in area between tests"]
    assert areas.rows[0][2] == rs.format_table(study.compare_auc()).iloc[0, 2]


def test_words_of_the_study_are_everywhere(two):
    words = words_of(two[1])
    assert "70 women; 30 had cancer (43%)." in words  # 30 of 70 is 42.9%
    assert "Those with cancer are labelled 1." in words
    assert "Positive at or above a cutoff: a and Second." in words
    assert "Whether to biopsy by the test" in words
    assert "patient" not in words


def test_methods_cite_in_order_and_references_answer(two):
    document = two[1]
    authors = [entry.partition(" ")[0] for entry in references_of(document)]
    assert authors[:3] == ["Fawcett", "Hanley", "DeLong"]
    assert authors[-1] == "Bossuyt"
    assert list(reference_numbers(document).values()) == list(range(1, len(authors) + 1))
    words = words_of(document)
    assert f"rocstats {rs.__version__} (numpy {np.__version__}" in words
    assert "Seed of the resamples: 1." in words


FEW = rs.Study([1, 1, 1, 0, 0, 0], [3, 4, 5, 1, 2, 3.5])
PAIRS = small(cluster=np.arange(70) // 2)
WEIGHTS = {"sample_weight": np.linspace(1, 2, 70)}
SAID = {
    "yes or no, other cases": (
        rs.Study.from_confusion(tp=[14, 15], fn=[6, 5], fp=[8, 2], tn=[22, 28]),
        {},
        ["Each test has a table of its own", "not all measured in the same cases"],
    ),
    "yes or no beside a score": (
        rs.Study(SIDES, {"a": np.arange(40) % 3 == 0, "b": np.arange(40) * 7 % 13}),
        {},
        ["a: yes or no. The area is the mean of", "Positive at or above a cutoff: b."],
    ),
    "weights, explorer": (
        small(**WEIGHTS), {"explorer": "counts"}, ["With weights there are no counts of cases"],
    ),
    "weights, marks": (
        small(**WEIGHTS), {"prespecified": 0.5}, ["Marks: cutoffs set before the study."],
    ),
    "marks": (
        small(),
        {"prespecified": 0.5, "criterion": None},
        ["Marks: cutoffs set before the study, with limits."],
    ),
    "few cases": (FEW, {"criterion": None, "explorer": "counts"}, ["There is no explorer."]),
    "few cases, each shown": (
        FEW, {"criterion": None, "explorer": "exact"}, ["absent: There is no explorer."],
    ),
    "a group without negatives": (
        rs.Study([0, 1] * 20 + [1] * 3, np.arange(43.0), group=["Basel"] * 40 + ["Bern"] * 3),
        {"criterion": None, "explorer": "counts"},
        ["The explorer is not of all tests. score, Bern: There are no negatives."],
    ),
    "folds": (
        small(fold=np.arange(70) % 2, cluster=np.arange(70) // 2),
        {},
        [
            "Scores come from 2 cross-validation folds.",
            "The study has 35 patients, 15 with the condition; 70 rows",
            "One curve pools the scores of all folds",
            "as the mean over the folds of its estimates by the Mann-Whitney statistic",
        ],
    ),
    "missing values": (
        rs.Study(
            np.repeat([1, 0], 35),
            np.where(np.arange(70) == 3, np.nan, np.arange(70) % 9),
            nan_policy="omit",
        ),
        {"criterion": None},
        ["Left out for a missing value: 1 row."],
    ),
    "frequencies": (
        rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n"),
        {"criterion": None, "prespecified": 4},
        ["109 patients; 51 had the condition (46.8%).", "They are counted in a table."],
    ),
    "many curves": (
        small(predictors=("a", "b"), group=(np.arange(70) % 7).astype(str)),
        {"criterion": None},
        ["the figure of 14 ROC curves.", "the distributions of 11 others."],
    ),
    # Both eyes of a patient, or the repeats of cross-validation, are several rows each.
    "clusters": (
        PAIRS,
        {"criterion": None},
        ["35 clusters; 15 had the condition in some row (43%). 70 rows;", "absent: patient"],
    ),
    "eyes": (PAIRS, {"criterion": None, "words": {"case": "eye"}}, ["Each row is one eye."]),
    "one cutoff each": (
        small(predictors=("a", "b")),
        {"criterion": None, "prespecified": {"a": 0, "b": 1}},
        ["Paired differences", "absent: Tests with several cutoffs set before the study are not"],
    ),
    "several cutoffs": (
        small(predictors=("a", "b")),
        {"criterion": None, "prespecified": {"a": [0, 1], "b": 1}},
        ["Tests with several cutoffs set before the study are not", "absent: Paired differences"],
    ),
    "predictive values": (
        small(),
        {},
        ["around values at rates corrected for optimism (positive predictive value;"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("study", "options", "said"), SAID.values(), ids=list(SAID))
def test_a_report_says_what_its_study_is(study, options, said):
    words = words_of(document_of(study, **options))
    for text in said:
        wanted = text.removeprefix("absent: ")
        assert (wanted in words) == (wanted == text), text


def test_a_reference_has_the_number_of_its_first_citation():
    blocks = (
        Paragraph((Sentence("", ("holm-1979", "delong-1988")),)),
        Paragraph((Sentence("", ("delong-1988", "efron-1993")),)),
    )
    numbers = reference_numbers(Document("", "", (Section("", blocks),)))
    assert numbers == {"holm-1979": 1, "delong-1988": 2, "efron-1993": 3}


def test_one_test_has_two_sentences():
    # 8 of 10 at or above 5, and 15 of 20 below it.
    y = np.repeat([1, 0], [10, 20])
    score = np.repeat([6, 2, 5, 1], [8, 2, 5, 15])
    document = document_of(rs.Study(y, score), criterion=None, prespecified=5)
    answer, note, notice = document.sections[0].blocks
    assert answer.text == (
        "Of 100 patients with the condition the test finds 80. Of 100 without, it clears 75."
    )
    assert "score ≥ 5 is positive." in note.text
    assert notice.lead == "Set before the study."
    assert "Chosen" not in words_of(document)
    cells = measures(tables_of(document)[GIVEN])
    assert [cells[name] for name in ("Found (TP)", "Missed (FN)")] == [["8"], ["2"]]
    assert [cells[name] for name in ("False alarms (FP)", "Cleared (TN)")] == [["5"], ["15"]]
    # Likelihood ratio (8/10)/(5/20) = 3.2.
    assert cells["LR+ (95% CI)"][0].startswith("3.200 (")


def test_cutoffs_set_before_lead_and_predictive_values_are_at_each_prevalence():
    study = small(predictors=("a", "b"))
    document = document_of(study, prespecified={"b": [0.2, 0.5]}, prevalence=[0.05, 0.2])
    roles = [block.lead for block in document.sections[0].blocks if block.lead]
    assert roles == ["Set before the study.", "Chosen after seeing the data."]
    table = tables_of(document)[GIVEN]
    assert table.heads == ("Measure", "b ≥ 0.2", "b ≥ 0.5")
    points = study.operating_points(threshold={"b": [0.2, 0.5]}, prevalence=0.05)
    wanted = rs.format_table(points[points["quantity"] == "ppv"]).iloc[:, 2].tolist()
    assert measures(table)["PPV at prevalence 0.05 (95% CI)"] == wanted
    assert "PPV at prevalence 0.2 (95% CI)" in measures(table)


def test_without_a_cutoff_the_area_answers():
    # Of the four pairs of (3, 1) and (2, 0), three are in order.
    study = rs.Study([1, 1, 0, 0], [3, 1, 2, 0])
    document = document_of(study, criterion=None)
    assert "in 75 of 100 such pairs, score points more" in words_of(document)
    assert [key for key in tables_of(document) if "cutoff" in key] == []


def test_a_yes_no_test_has_its_table_first_and_no_areas():
    document = document_of(rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22))
    words = words_of(document)
    assert "the test finds 70. Of 100 without, it clears 73." in words
    assert [section.key for section in document.sections[:2]] == ["answer", "accuracy"]
    assert "it has no curve, no area under it, and no cutoff to choose." in words
    for absent in ("AUC", "ROC curve", "band", "Chosen after", "labelled", "at or above"):
        assert absent not in words
    cells = measures(tables_of(document)["Accuracy of the results"])
    assert [cells[name] for name in ("Found (TP)", "Cleared (TN)")] == [["14"], ["22"]]


def test_yes_no_tests_of_the_same_cases_are_compared():
    y = np.repeat([1, 0], 20)
    study = rs.Study(y, {"a": np.arange(40) % 3 == 0, "b": np.arange(40) % 4 == 0})
    assert "Paired differences of the results" in tables_of(document_of(study))


def test_lower_scores_may_be_positive():
    study = small(higher_is_positive=False)
    document = document_of(study, criterion=None, prespecified=0.5)
    words = words_of(document)
    assert "Positive at or below a cutoff: a." in words
    assert "a ≤ 0.5 is positive." in words
    assert tables_of(document)[GIVEN].heads == ("Measure", "a ≤ 0.5")


def test_weights_leave_estimates_and_a_reason():
    study = small(predictors=("a", "b"), sample_weight=np.linspace(1, 2, 70))
    document = document_of(study, prespecified=0.5)
    words = words_of(document)
    assert "The rates have no confidence intervals." in words
    assert "The cases have sampling weights. Only estimates are given" in words
    assert CHOSEN not in tables_of(document)
    assert "Standard errors" not in words
    assert "Each has a sampling weight." in words


def test_groups_are_apart():
    site = np.where(np.arange(70) % 2, "Basel", "Örebro")
    document = document_of(small(predictors=("a", "b"), group=site))
    words = words_of(document)
    assert "They are in 2 groups (Örebro and Basel), analysed apart." in words
    assert "The test that areas of a are equal in all groups gives F(1, " in words
    assert "Each group has cutoffs of its own" in words
    heads = tables_of(document)[CHOSEN].heads
    assert heads == ("Measure", "a in Örebro", "b in Örebro", "a in Basel", "b in Basel")
    assert "groups" in [section.key for section in document.sections]


def test_a_group_of_one_class_has_areas_of_nothing():
    group = np.repeat(["both", "healthy"], [50, 20])
    document = document_of(small(group=group))
    words = words_of(document)
    assert "A group lacks one class: areas are not compared between groups." in words
    assert "a in both at" in words
    assert "a in healthy" not in words
    assert tables_of(document)[CHOSEN].heads == ("Measure", "a in both")


def test_tests_of_their_own_cases_have_their_own_numbers():
    order = np.arange(70)[::-1]
    scores = {"a": order + 9 * (order % 3), "b": np.where(order % 10 == 4, np.nan, order)}
    study = rs.Study(np.repeat([1, 0], 35), scores, nan_policy="available")
    document = document_of(study, criterion=None, prespecified=40)
    words = words_of(document)
    assert "Rows left out for a missing value: 0 for a and 7 for b." in words
    assert "not all measured in the same cases" in words
    assert "Shared negatives" in tables_of(document)["Differences in area between tests"].heads


def test_perfect_separation_is_no_certainty():
    study = rs.Study(np.repeat([1, 0], 5), np.arange(10)[::-1])
    document = document_of(study)
    cells = measures(tables_of(document)[CHOSEN])
    assert cells["Sensitivity, apparent"] == ["1.000"]
    assert not cells["Sensitivity, corrected (95% CI)"][0].startswith("1.000 (1.000")
    assert "(1.000-1.000)" not in words_of(document)


def test_equal_scores_have_no_cutoff():
    document = document_of(rs.Study(np.repeat([1, 0], 5), np.ones(10)))
    words = words_of(document)
    assert "No cutoff of score was better in these data than calling nobody positive" in words
    assert "in 50 of 100 such pairs" in words
    assert CHOSEN not in tables_of(document)


def test_many_cutoffs_are_counted_not_listed():
    names = [f"m{k}" for k in range(8)]
    document = document_of(small(predictors=names), criterion=None, prespecified=0.5)
    blocks = document.sections[0].blocks
    assert sum(block.role == "answer" for block in blocks) == 6
    assert "The tables below have all 8 cutoffs." in words_of(document)
    tables = [key for key in tables_of(document) if key.startswith(GIVEN)]
    assert tables == [GIVEN, f"{GIVEN}, continued"]
    assert document.title == "8 tests for the condition"


def test_tables_and_figures_are_numbered_in_order(two):
    captions = [line for line in words_of(two[1]).splitlines() if line[:5] in ("Table", "Figur")]
    numbers = [caption.partition(". ")[0] for caption in captions]
    tables = [number for number in numbers if number.startswith("Table")]
    assert tables == [f"Table {k + 1}" for k in range(len(tables))]
    figures = [number for number in numbers if number.startswith("Figure")]
    # curves, two distributions, and the flow of each test
    assert figures == [f"Figure {k + 1}" for k in range(5)]


def test_stard_is_listed_whole(two):
    words = words_of(two[1]).partition("STARD")[2]
    # "6 to 9" names four items.
    for item in {*range(1, 31)} - {7, 8}:
        known = (f" {item} ", f" {item}a", f"{item}b", f"to {item} ")
        assert any(name in words for name in known), item


@each(("share", "text"), [*OF_HUNDRED.items(), (float("nan"), "NA")])
def test_numbers_of_a_hundred_people(share, text):
    assert of_hundred(share) == text


@pytest.mark.parametrize(("rate", "text"), LIMITS_OF_HUNDRED.items())
def test_limits_have_the_decimals_of_their_rate(rate, text):
    assert limits_of_rate_in_people(Rate(*rate)) == text


@pytest.mark.parametrize(("share", "text"), FRACTIONS.items())
def test_fractions_of_an_answer(share, text):
    assert format_number(share, 2, guard=(0, 1)) == text


@pytest.mark.parametrize(("level", "text"), LEVELS.items())
def test_levels(level, text):
    assert format_level(level) == text


@pytest.mark.parametrize(
    ("case", "cases"),
    [("woman", "women"), ("child", "children"), ("baby", "babies"), ("mass", "masses"),
     ("eye", "eyes"), ("person", "people"), ("day", "days")],
)  # fmt: skip
def test_plurals(case, cases):
    words = words_of(document_of(rs.Study.from_confusion(tp=9, fn=1, fp=2, tn=8),
                                 words={"case": case}))  # fmt: skip
    assert f"Of 100 {cases} with" in words


def test_a_band_that_clusters_do_not_allow_is_left_out_with_its_reason():
    y, order = np.repeat([1, 0], 35), np.arange(70)
    scores = {"a": order[::-1] + 9 * (order % 3), "constant": np.ones(70)}
    document = document_of(rs.Study(y, scores, cluster=order // 2))
    words = words_of(document)
    assert "Bands of the curves cannot be given: method must have a band" in words
    assert "How well each test separates" in tables_of(document)


@pytest.mark.parametrize("cluster", [None, np.arange(80) // 2])
def test_a_group_without_a_class_is_no_point_of_a_figure(cluster):
    """Its sensitivity is known, its specificity is not: the report has all but the mark."""
    y, order = np.repeat([1, 0, 1], [35, 35, 10]), np.arange(80)
    group = np.where(order < 70, order % 2, 2)
    study = rs.Study(y, order[::-1] + 9 * (order % 3), group=group, cluster=cluster)
    document = document_of(study, prespecified=40, criterion=None)
    assert "A group lacks one class" in words_of(document)
    drawn = [block for block in blocks_of(document) if isinstance(block, FigureBlock)]
    for block in drawn:
        block.draw()
    # curves, scores of the two groups with both classes, a forest, and the flow of three groups
    assert len(drawn) == 7
    assert len(tables_of(document)[GIVEN].heads) == 4


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
        wanted = cells(pairs, "tnr_difference")["Difference in specificity (90% CI)"]
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


def test_resampled_cutoffs_are_drawn_with_the_chosen_one():
    """Not with one set before the study, whose interval they would all be outside of."""
    study = small()
    answers = ask_report_answers(study, read_report_options(study, rng=1, prespecified=1.5))
    axes = resampled_cutpoints_figure(answers, ScoredTest("a")).axes[0]
    cuts = study.cutpoints(rng=1).query("quantity == 'threshold'").iloc[0]
    drawn = [list(line.get_xdata()) for line in axes.lines]
    assert [cuts["ci_low"], cuts["ci_high"]] in drawn
    assert not any(1.5 in line for line in drawn)


def test_a_notice_has_the_raw_results_before_their_correction():
    study = small()
    notice = document_of(study).sections[0].blocks[2].text
    raw = study.cutpoints(rng=1).set_index("quantity")["apparent"]
    wanted = f"({100 * raw['tpr']:.0f} found and {100 * raw['tnr']:.0f} cleared)"
    assert f"raw results {wanted}" in notice
