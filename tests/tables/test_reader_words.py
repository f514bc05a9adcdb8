"""Sentences about reader studies: results, methods, models."""

from __future__ import annotations

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.tables.methods import methods_lines
from rocstats.tables.readers import (
    component_text,
    machine_sentences,
    reader_result_sentences,
    sentences_on_global_tests,
    small_number_text,
)
from tests.tables import hand_readers as hand


def test_the_result_of_two_modalities():
    assert reader_result_sentences(hand.areas(), hand.comparison(), "jama") == [
        "The average AUC of 4 readers was 0.88 (95% CI, 0.77-0.94) with plain and 0.91"
        " (95% CI, 0.78-0.96) with aided.",
        "The difference, plain minus aided, was −0.03 (95% CI, −0.13 to 0.07), P=.51.",
        "Readers and cases are both treated as random: results are meant for readers and cases"
        " like these.",
    ]
    alone = reader_result_sentences(hand.areas().iloc[:5], None, "plain")
    assert alone[0] == "The average AUC of 4 readers was 0.880 (95% CI 0.766-0.942) with plain."


def test_a_limit_that_excludes_0_is_not_printed_as_0():
    ends = [((0.0004, 0.12), "<0.001 to 0.120"), ((-0.12, -0.0004), "−0.120 to >−0.001")]
    for (low, high), text in ends:
        row = hand.average_row(estimate=(low + high) / 2, ci_low=low, ci_high=high)
        said = reader_result_sentences(hand.areas(), pd.DataFrame([row]), "nejm")[1]
        assert text in said, said


def test_a_margin_is_said():
    row = hand.average_row(hypothesis="non-inferiority", null_value=-0.15, p_value=0.019)
    text = reader_result_sentences(
        hand.areas(), pd.DataFrame([{**row, "p_adjusted": 0.019}]), "plain"
    )[1]
    assert text.endswith("P=0.019 for non-inferiority of plain with a margin of 0.15.")


def test_several_pairs_have_adjusted_p_values_and_the_global_test():
    rows = [
        hand.global_row(df_numerator=2.0),
        hand.average_row(p_adjusted=0.9),
        hand.average_row(reference="third", p_adjusted=0.9),
    ]
    said = reader_result_sentences(hand.areas(), pd.DataFrame(rows), "plain")
    assert said[1].endswith("P=0.900 (adjusted).")
    assert said[3] == "Test that all averages are equal: F(2, 4.6) = 0.51, P=0.510."
    three = [rows[0], *[hand.average_row(reference=name) for name in "bcd"]]
    said = reader_result_sentences(hand.areas(), pd.DataFrame(three), "plain")
    assert [f"minus {name}" in said[k] for k, name in enumerate("bcd", 1)] == [True] * 3
    many = pd.DataFrame([rows[0], *[hand.average_row(reference=name) for name in "bcde"]])
    said = reader_result_sentences(hand.areas(), many, "plain")
    assert said[1] == "The 4 differences are in the tables."
    assert said[2].startswith("Test that all averages are equal")


def test_a_test_of_fixed_readers_has_no_denominator_and_one_that_failed_is_named():
    fixed = pd.DataFrame([hand.global_row(df=np.inf)])
    assert sentences_on_global_tests(fixed, "plain")[0].startswith(
        "Test that all averages are equal: F(1, ∞) = 0.51"
    )
    failed = pd.DataFrame([hand.global_row(statistic=np.nan)])
    assert sentences_on_global_tests(failed, "plain") == ["The global test is not available."]


def test_readers_and_a_machine():
    said = machine_sentences(hand.against_machine("AI"), "jama")
    assert said[0] == (
        "With plain, the readers' average minus AI was −0.03 (95% CI, −0.13 to 0.07), P=.51."
    )
    assert len(said) == 3


def test_the_methods_of_several_answers_are_one_paragraph():
    frames = [hand.areas(), hand.by_reader(), hand.comparison(), hand.against_machine()]
    paragraph, *references = methods_lines(frames)
    assert "Averages are means over readers." in paragraph
    assert "results are meant for readers and cases like these." in paragraph
    assert "P values of the differences of single readers are for two-sided z tests" in paragraph
    assert "F tests that all averages are equal and two-sided t tests" in paragraph
    assert "Confidence intervals of the differences from the machine (95%)" in paragraph
    assert any("Rockette" in line for line in references)
    assert paragraph.endswith("rocstats 0.2.0.")
    weighted = hand.comparison().assign(method="u-statistic/t")
    assert (
        "Averages weight readers by their numbers of pairs of cases." in methods_lines(weighted)[0]
    )


def test_components_are_named_in_words():
    assert component_text("reader-x-case") == "reader × case"
    assert component_text("correlation-3") == "correlation of two readers with two modalities"
    assert [small_number_text(v) for v in (0.0, -0.000567264, 12.345, np.nan)] == [
        "0",
        "−0.000567",
        "12.3",
        "NA",
    ]


def test_what_a_study_finds_is_what_the_sentence_says():
    """A study of two readers and four cases, whose areas are counted by hand."""
    # Reader a: 3 of 4 pairs right; reader b: all, then one tie of four.
    ratings = {
        ("x", "a"): [3, 1, 2, 0], ("x", "b"): [3, 2, 1, 0],
        ("y", "a"): [3, 1, 2, 0], ("y", "b"): [3, 1, 1, 0],
    }  # fmt: skip
    rows = [
        {"truth": t, "rating": r, "case": k, "modality": m, "reader": who}
        for (m, who), own in ratings.items()
        for k, (t, r) in enumerate(zip((1, 1, 0, 0), own, strict=True))
    ]
    study = rs.ReaderStudy(
        "truth", "rating", data=pd.DataFrame(rows), reader="reader", case="case",
        modality="modality",
    )  # fmt: skip
    with np.errstate(all="ignore"):
        said = " ".join(reader_result_sentences(study.auc(), study.compare_auc(), "nejm"))
    # (3/4 + 1)/2 and (3/4 + 7/8)/2
    assert "0.875 (95% CI" in said
    assert "0.812" in said or "0.813" in said
    assert "x minus y, was 0.062" in said or "x minus y, was 0.063" in said
