"""Tables of reader studies: readers in rows, modalities and differences in columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.inference.readers.auc import READER_AUC
from rocstats.inference.readers.compare import READER_COMPARE_AUC
from rocstats.inference.readers.components import READER_COMPONENTS
from rocstats.inference.readers.machine import READER_COMPARE_WITH
from rocstats.tables.methods import methods_lines
from rocstats.tables.readers import (
    component_text,
    machine_sentences,
    reader_result_sentences,
    sentences_on_global_tests,
    small_number_text,
)
from tests.tables import hand_readers as hand

LABELS = {"plain": "CT alone", "aided": "CT with AI"}
SIMULTANEOUS = "Readers and cases are both treated as random: results are meant for readers and"


def whole():
    return [hand.areas(), hand.by_reader(), hand.comparison()]


def notes_of(table):
    return table.attrs["rocstats"]["footnotes"]


@pytest.mark.parametrize(
    ("question", "frame"),
    [
        (READER_AUC, hand.areas()),
        (READER_COMPARE_AUC, hand.comparison()),
        (READER_COMPARE_AUC, hand.by_reader()),
        (READER_COMPONENTS, hand.components()),
        (READER_COMPARE_WITH, hand.against_machine()),
    ],
)
def test_frames_written_by_hand_have_the_columns_of_answers(question, frame):
    assert set(frame) == set(question.columns_of(grouped=False))


def test_several_answers_are_one_table():
    table = rs.format_table(whole(), "nejm", digits=2, labels=LABELS)
    heads = [
        "Reader",
        "AUC, CT alone (95% CI)",
        "AUC, CT with AI (95% CI)",
        "Difference, CT alone − CT with AI (95% CI)",
        "P value",
    ]
    assert table.columns.tolist() == heads
    # Areas come before differences, whichever is passed first.
    turned = rs.format_table(whole()[::-1], "nejm", digits=2, labels=LABELS)
    assert turned.columns.tolist() == heads
    assert table["Reader"].tolist() == ["1", "2", "3", "4", "Average"]
    assert table.iloc[0].tolist()[1:] == [
        "0.88 (0.78 to 0.94)",
        "0.97 (0.87 to >0.99)",
        "−0.10 (−0.18 to −0.02)",
        "0.02",
    ]
    assert table.iloc[-1].tolist()[1:] == [
        "0.88 (0.77 to 0.94)",
        "0.91 (0.78 to 0.96)",
        "−0.03 (−0.13 to 0.07)",
        "0.51",
    ]


def test_the_footnotes_say_the_model_the_global_test_and_the_components():
    notes = notes_of(rs.format_table([*whole(), hand.components()]))
    assert notes[0] == "Cases: 16 positive, 24 negative."
    assert notes[1] == "Test that all averages are equal: F(1, 4.6) = 0.51, P=0.510."
    assert notes[2].startswith(SIMULTANEOUS)
    assert notes[3] == "Limits of a single reader allow for other cases, not for other readers."
    assert notes[4] == "P values of single readers are not adjusted for their number."
    # three significant digits
    assert "error 0.00244" in notes[5]
    assert "covariance of two readers with one modality 0.00142" in notes[5]
    assert "reader −0.000567; case 0.0516" in notes[6]
    text = " ".join(notes)
    assert "method of DeLong et al (single readers)" in text
    assert "Obuchowski and Rockette" in text
    assert "by the jackknife (averages)" in text
    assert len(set(notes)) == len(notes)
    jama = notes_of(rs.format_table(whole(), "jama"))
    assert "Test that all averages are equal: F(1, 4.6) = 0.51, P=.51." in jama


@pytest.mark.parametrize(
    ("factors", "words"),
    [
        (("fixed", "random"), "readers as fixed: results are meant for these very readers"),
        (("random", "fixed"), "cases as fixed: results are meant for readers like these"),
    ],
)
def test_fixed_factors_are_said(factors, words):
    readers, cases = factors
    frame = pd.DataFrame([hand.average_row(readers=readers, cases=cases)])
    assert any(words in note for note in notes_of(rs.format_table(frame)))


def test_a_long_table_has_estimates_and_the_global_test_is_a_footnote():
    table = rs.format_table(hand.comparison(), "jama")
    assert table["Modality"].tolist() == ["plain"]
    assert table["Reader"].tolist() == ["Average"]
    assert table["Difference in AUC (95% CI)"].tolist() == ["−0.03 (−0.13 to 0.07)"]
    alone = rs.format_table(hand.comparison().head(1))
    assert alone[["Statistic", "Numerator df", "df"]].iloc[0].tolist() == ["0.509", "1", "4.6"]
    areas = rs.format_table(hand.areas(), labels={"plain": "CT", "3": "Dr Lee"})
    assert areas["Modality"].tolist()[:5] == ["CT"] * 5
    assert areas["Reader"].tolist()[:5] == ["1", "2", "Dr Lee", "4", "Average"]


def test_one_frame_is_wide_too():
    table = rs.format_table(hand.areas(), layout="wide")
    assert table.columns.tolist() == ["Reader", "AUC, plain (95% CI)", "AUC, aided (95% CI)"]
    rates = rs.format_table(hand.points(), layout="wide")
    assert rates.columns[1] == "Sensitivity at ≥ 3, plain (95% CI)"
    assert rates["Reader"].tolist() == ["1", "2", "3", "4", "Average"]


def test_numbers_of_cases_that_differ_between_readers_are_columns():
    areas = hand.areas()
    areas.loc[areas["reader"] == "2", "n_neg"] = 20
    areas.loc[0, "n_pos"] = 15  # reader 1 with one modality only
    table = rs.format_table(areas, layout="wide")
    assert table["Negatives"].tolist() == ["24", "20", "24", "24", "24"]
    assert table["Positives"].tolist() == ["15; 16", "16", "16", "16", "16"]
    assert not any(note.startswith("Cases:") for note in notes_of(table))


def test_groups_have_rows_of_their_own():
    frames = [frame.assign(group=group) for group in ("east", "west") for frame in whole()]
    table = rs.format_table(frames)
    assert table["Group"].tolist() == ["east"] * 5 + ["west"] * 5
    assert table["Reader"].tolist() == ["1", "2", "3", "4", "Average"] * 2
    tests = [note for note in notes_of(table) if note.startswith("Test that all")]
    assert [note.partition(":")[0][-8:] for note in tests] == [" in east", " in west"]


def test_several_pairs_name_their_p_values():
    pairs = pd.DataFrame(
        [
            hand.average_row(p_adjusted=0.9, note="adjusted=holm"),
            hand.average_row(reference="third", p_adjusted=0.9, note="adjusted=holm"),
        ]
    )
    table = rs.format_table([hand.areas(), pairs])
    assert table.columns[3:].tolist() == [
        "Difference, plain − aided (95% CI)",
        "Adjusted P value, plain − aided",
        "P value, plain − aided",
        "Difference, plain − third (95% CI)",
        "Adjusted P value, plain − third",
        "P value, plain − third",
    ]
    assert table["P value, plain − aided"].tolist() == ["", "", "", "", "0.510"]


def test_what_makes_no_table_is_refused(areas):
    with pytest.raises(rs.InputError, match="several answers of a reader study; got several"):
        rs.format_table([areas, areas])
    with pytest.raises(rs.InputError, match="got list"):
        rs.format_table([])
    with pytest.raises(rs.InputError, match="must hold estimates of a reader study; got none"):
        rs.format_table([hand.components()])
    other = hand.areas().assign(estimate=0.5)
    with pytest.raises(rs.InputError, match="got two for AUC with plain, Reader 1"):
        rs.format_table([hand.areas(), other])


@pytest.mark.parametrize("ending", [".md", ".html", ".tex", ".docx", ".xlsx"])
def test_every_format_has_the_table(ending, tmp_path):
    path = rs.save_table(whole(), tmp_path / f"table{ending}", style="jama", labels=LABELS)
    content = path.read_bytes()
    if ending in (".docx", ".xlsx"):
        assert content[:2] == b"PK"
    else:
        text = content.decode()
        assert "Average" in text
        assert "F(1, 4.6) = 0.51" in text


def test_several_frames_are_no_csv(tmp_path):
    with pytest.raises(rs.InputError, match="`frame` must be a pandas frame; got list"):
        rs.save_table(whole(), tmp_path / "table.csv")


def test_readers_that_are_not_adjusted_have_no_adjusted_p_value():
    pairs = [
        hand.average_row(p_adjusted=0.9, note="adjusted=holm"),
        hand.average_row(reference="third", p_adjusted=0.9, note="adjusted=holm"),
    ]
    table = rs.format_table([hand.areas(), hand.by_reader(), pd.DataFrame(pairs)])
    assert table["Adjusted P value, plain − aided"].tolist() == ["", "", "", "", "0.900"]
    assert table["P value, plain − aided"].tolist()[0] == "0.020"


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
