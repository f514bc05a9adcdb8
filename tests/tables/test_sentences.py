"""The sentences on answers: every question has one, and its numbers are those of the frame."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.facts.sentences import sentence_templates
from rocstats.tables.sentences import format_sentences
from tests.calls import CALLS

Y = np.tile([1, 0], 30)
TWO = rs.Study(Y, {"a": np.arange(60) % 7 + Y, "b": np.arange(60) % 5 + Y})


@pytest.mark.parametrize("name", list(CALLS))
@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_every_question_has_a_sentence(name):
    answer = CALLS[name].answer()
    if not isinstance(answer, pd.DataFrame):
        pytest.skip("no frame")
    for style in ("plain", "radiology"):
        sentences = format_sentences(answer, style)
        assert sentences
        for text in sentences:
            assert text.endswith(".")
            assert not re.search(r"nan|NaN|None|  | ,|\(\)|NA\)", text), text
            # an answer has no places without a name
            assert "{" not in text


def test_each_number_of_a_sentence_is_in_the_table():
    points = TWO.operating_points(threshold=4, quantities=["tpr", "tnr", "lr_positive"])
    compared = TWO.compare_auc()
    for frame in (points, compared, TWO.auc(null_value=0.5)):
        for style in ("plain", "jama", "radiology", "nejm", "bmj"):
            table = rs.format_table(frame, style).astype(str)
            cells = " ".join(table.to_numpy().ravel())
            for text in format_sentences(frame, style):
                said = re.sub(r"\d+(\.\d+)?% (CI|confidence)|against 0\.5", "", text)
                for number in re.findall(r"−?\d*\.?\d+%?", said):
                    assert number in cells, (number, text)


def test_measures_of_one_place_share_a_sentence():
    points = TWO.operating_points(threshold=4, quantities=["tpr", "tnr"])
    first, second = format_sentences(points, "radiology")
    # 16 of 30 positives, and 18 of 30 negatives, are called rightly
    assert first.startswith("The sensitivity of a at ≥ 4 was 53% (16 of 30; 95% CI: ")
    assert "; the specificity was 60% (18 of 30; 95% CI: " in first
    assert second.startswith("The sensitivity of b at ≥ 4 was ")


def test_a_difference_names_both_sides_and_its_test():
    (text,) = format_sentences(TWO.compare_auc(), "jama")
    assert re.fullmatch(
        r"The difference in AUC, a minus b, was .+ \(95% CI, .+ to .+\), P[=<>]\.\d+\.", text
    )
    (text,) = format_sentences(TWO.compare_auc(hypothesis="non-inferiority", margin=0.1))
    assert text.endswith(" for non-inferiority with a margin of 0.1.")


def test_a_corrected_rate_says_so_and_a_chosen_cutoff_has_its_sign():
    first = format_sentences(TWO.cutpoints(n_resamples=100, rng=1))[0]
    assert first.startswith("The threshold of a was ≥ ")
    assert "the sensitivity, corrected for optimism, was " in first


def test_many_places_are_told_by_their_ends():
    points = TWO.operating_points(threshold=[0.5 + k for k in range(9)], quantities=["tpr"])
    assert len(format_sentences(points)) == 2
    assert format_sentences(points)[0].endswith("; the table has all 9 values.")


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (
            lambda: rs.sample_size(auc=0.8, null_auc=0.7, power=0.9),
            "a two-sided test of AUC = 0.7 at a significance level of 0.05",
        ),
        (
            lambda: rs.power(
                rs.TwoAUCs(0.75, 0.75, hypothesis="non-inferiority", margin=0.05),
                n_pos=200,
                n_neg=200,
            ),
            # tested at alpha / 2
            "a one-sided test of non-inferiority with a margin of 0.05 at a significance level of"
            " 0.025",
        ),
        (
            lambda: rs.sample_size(rs.OneRate("tpr", 0.9), half_width=0.05),
            "For a half width of 0.05 of the 95% confidence interval, the study needs 139"
            " positives if the sensitivity is 0.9.",
        ),
    ],
)
def test_a_plan_prints_its_sentence(plan, said):
    frame = plan()
    assert said in format_sentences(frame)[0]
    assert said in repr(frame)
    assert said in frame._repr_html_()
    size = frame["n_pos"].iloc[0]
    assert f"{size} positives" in format_sentences(frame)[0]


def test_word_has_the_sentences_under_the_table(tmp_path):
    docx = pytest.importorskip("docx")
    frame = TWO.auc()
    path = rs.save_table(frame, tmp_path / "a.docx", style="radiology")
    paragraphs = [one.text for one in docx.Document(path).paragraphs]
    assert " ".join(format_sentences(frame, "radiology")) in paragraphs


def test_a_frame_that_is_no_answer_is_refused():
    with pytest.raises(rs.InputError, match="`frame` must"):
        format_sentences([1])
    with pytest.raises(rs.InputError, match="`frame` must have rows"):
        format_sentences(TWO.auc().head(0))


def test_templates_are_sentences_of_a_table_of_texts():
    assert all(isinstance(text, str) for text in sentence_templates().values())
