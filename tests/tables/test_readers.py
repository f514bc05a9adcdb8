"""Tables of reader studies: readers in rows, modalities and differences in columns."""

from __future__ import annotations

import pandas as pd
import pytest

import rocstats as rs
from rocstats.inference.readers.auc import READER_AUC
from rocstats.inference.readers.compare import READER_COMPARE_AUC
from rocstats.inference.readers.components import READER_COMPONENTS
from rocstats.inference.readers.machine import READER_COMPARE_WITH
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
