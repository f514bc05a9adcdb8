"""Bad input of a reader study: the whole message, for every row of the table."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.quick import each

# Two readers, two modalities, cases a, b (positive) and c, d: 16 reads, by reader, then modality.
CASE = ["a", "b", "c", "d"] * 4
TRUTH = [1, 1, 0, 0] * 4
READER = ["r1"] * 8 + ["r2"] * 8
MODALITY = (["film"] * 4 + ["digital"] * 4) * 2
RATING = np.arange(16.0)
DATA = pd.DataFrame(
    {"truth": TRUTH, "rating": RATING, "reader": READER, "case": CASE, "modality": MODALITY}
)


def study(truth=TRUTH, rating=RATING, **changed):
    roles = {"reader": READER, "case": CASE, "modality": MODALITY, **changed}
    return rs.ReaderStudy(truth, rating, **roles)


def named(**changed):
    return rs.ReaderStudy("truth", "rating", data=DATA, reader="reader", case="case", **changed)


def at(values, row, value):
    found = list(values)
    found[row] = value
    return found


CASES = {
    "a read twice": (
        lambda: study(case=at(CASE, 5, "a"), truth=at(TRUTH, 5, 1)),
        "`rating` must be one for each reader, case and modality; got 2 of reader 'r1', case 'a',"
        " modality 'digital' (rows 4, 5). Keep one of them, or pass modality= if they differ"
        " in modality.",
    ),
    "reads twice": (
        lambda: study(case=at(at(CASE, 9, "a"), 13, "a")),
        "`rating` must be one for each reader, case and modality; got 2 of reader 'r2', case 'a',"
        " modality 'film' (rows 8, 9), the first of 2 such reads. Keep one of them, or pass"
        " modality= if they differ in modality.",
    ),
    "two truths": (
        lambda: study(truth=at(TRUTH, 5, 0)),
        "`truth` must be the same in all rows of a case; got different ones for case 'b' (rows 1,"
        " 5, 9, 13). Correct the truth, or give different cases different names.",
    ),
    "two clusters": (
        lambda: study(cluster=at(at(CASE, 6, "x"), 7, "x")),
        "`cluster` must be the same in all rows of a case; got different ones for case 'c' (rows"
        " 2, 6, 10, 14), the first of 2 such cases. Correct these rows, or give different"
        " cases different"
        " names.",
    ),
    "groups of readers": (
        lambda: study(group=READER),
        "`group` must be the same in all rows of a case; got different ones for case 'a' (rows 0,"
        " 4, 8, 12), the first of 4 such cases. Groups are of cases; for groups of readers"
        " make a study of"
        " each.",
    ),
    "two machine scores": (
        lambda: study(machine=at([1, 2, 3, 4] * 4, 4, 9)),
        "`machine` must be the same in all rows of a case; got different ones for case 'a' (rows"
        " 0, 4, 8, 12). A machine has one score a case: repeat it in every row of"
        " the case.",
    ),
    "no machine score": (
        lambda: study(machine={"AI": at([1, 2, 3, 4] * 4, 4, np.nan)}),
        "`machine` must score every case; got missing scores of 'AI' (row 4). Fill them in, or"
        " leave these cases out.",
    ),
    "a machine with the name of a modality": (
        lambda: study(machine={"film": [1, 2, 3, 4] * 4}),
        "`machine` must have a name that no modality has; got 'film'. Rename it.",
    ),
    "machine without data": (
        lambda: study(machine="AI"),
        "`machine` must be an array unless `data` is given; got the name 'AI'. Pass data=, the"
        " frame that has this column.",
    ),
    "texts as ratings": (
        lambda: study(rating=at(list(RATING), 3, "high")),
        "`rating` must be numbers; got 1 cell of text: 'high' (row 3). Convert it to numbers, or"
        " to ordered categories.",
    ),
    "unordered categories": (
        lambda: study(rating=pd.Categorical(["low", "high"] * 8)),
        "`rating` must be numbers or ordered categories; got unordered categories. Say their order"
        " with pandas.Categorical(..., ordered=True).",
    ),
    "a missing rating": (
        lambda: study(rating=at(RATING, 3, np.nan)),
        "`rating` must have no missing values; got 1 of 'modality' (row 3). Pass"
        " nan_policy='omit' to leave these rows out, or fill them in.",
    ),
    "a missing reader": (
        lambda: study(reader=at(READER, 2, None)),
        "`reader` must have no missing values; got 1 (row 2). Pass nan_policy='omit' to leave"
        " these rows out, or fill them in.",
    ),
    "a category nobody read": (
        lambda: study(modality=pd.Categorical(MODALITY, ["film", "digital", "tomo"])),
        "`modality` must be read by at least one reader; got no reads of 'tomo'. Leave this"
        " category out, or check its ratings.",
    ),
    "a modality without ratings": (
        lambda: study(
            rating=np.where(np.array(MODALITY) == "film", np.nan, RATING), nan_policy="omit"
        ),
        "`modality` must be read by at least one reader; got no reads of 'film'. Leave this"
        " category out, or check its ratings.",
    ),
    "no positive": (
        lambda: study(truth=[0] * 16),
        "`truth` must hold both classes; got 0 positive cases (label 1) and 4 negative ones. Check"
        " `pos_label`, and that cases of both classes are in the data.",
    ),
    "no negative": (
        lambda: study(truth=["ill"] * 16, pos_label="ill"),
        "`truth` must hold both classes; got 4 positive cases (label 'ill') and 0 negative ones."
        " Check `pos_label`, and that cases of both classes are in the data.",
    ),
    "labels that are words": (
        lambda: study(truth=["ill", "ill", "well", "well"] * 4),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels 'ill',"
        " 'well'. Pass the label of the positive class.",
    ),
    "a group of one class": (
        lambda: study(group=TRUTH),
        "`group` must leave both classes in every group; got 2 positive and 0 negative cases in"
        " '1'. Merge groups, or leave this one out.",
    ),
    "a group without a modality": (
        lambda: rs.ReaderStudy(
            [1, 0, 1, 0],
            [1, 2, 3, 4],
            reader=["r"] * 4,
            case=list("abcd"),
            modality=["A", "A", "B", "B"],
            group=[1, 1, 2, 2],
        ),
        "`group` must leave reads under every modality in every group; got none of 'B' in '1'."
        " Merge groups, or leave this one out.",
    ),
    "unknown column": (
        lambda: named(modality="modalty"),
        "`modality` must name one column of `data`; got 'modalty', of which there is no column. The"
        " columns are ['truth', 'rating', 'reader', 'case', 'modality']. Did you mean 'modality'?",
    ),
    "unknown rating": (
        lambda: rs.ReaderStudy("truth", "score", data=DATA, reader="reader", case="case"),
        "`rating` must name one column of `data`; got 'score', of which there is no column. The"
        " columns are ['truth', 'rating', 'reader', 'case', 'modality'].",
    ),
    "too few cases": (
        lambda: study(case=CASE[:15]),
        "`case` must have as many rows as `truth`; got shapes (15,) and (16,). Pass one value per"
        " row.",
    ),
    "too few machine scores": (
        lambda: study(machine=[1, 2, 3, 4]),
        "`machine` must have as many rows as `truth`; got shapes (4,) and (16,). Pass one value per"
        " row.",
    ),
    "no reader": (
        lambda: study(reader=None),
        "`reader` must be one-dimensional; got shape (). Pass one value per row.",
    ),
    "mixed cases": (
        lambda: study(case=at(CASE, 0, 1)[:8] + at(CASE, 0, "1")[:8]),
        "`case` must not hold labels that could be mixed up; got 1 and '1'. Make all of them"
        " texts, or all of them numbers.",
    ),
    "unknown direction": (
        lambda: study(higher_is_positive={"flim": False}),
        "`higher_is_positive` must name modalities; got ['flim']. The modalities are ['film',"
        " 'digital']. Did you mean 'film'?",
    ),
    "no direction": (
        lambda: study(higher_is_positive="film"),
        "`higher_is_positive` must be True or False, or a dict of them; got 'film'. Say for each"
        " modality whether higher scores mean positive.",
    ),
    "unknown policy": (
        lambda: study(nan_policy="available"),
        "`nan_policy` must be one of 'raise', 'omit'; got 'available'. Pass one of these.",
    ),
    "label of nobody": (
        lambda: study(labels={"mri": "MRI"}),
        "`labels` must be of names of the study; got ['mri']. The names are ['film', 'digital',"
        " 'r1', 'r2'].",
    ),
    "unknown machine": (
        lambda: study(machine={"AI-1": [1, 2, 3, 4] * 4}).machine_scores("AI-11"),
        "`machine` must name a machine of the study; got 'AI-11'. The machines are ['AI-1']."
        " Did you mean 'AI-1'? Pass machine= when the study is made, or scores by case.",
    ),
    "a machine by position": (
        lambda: study().machine_scores([1, 2, 3, 4]),
        "`machine` must be the name of a machine, or scores by case; got list. Pass a Series whose"
        " index is the cases, or a dict.",
    ),
    "cases without a machine score": (
        lambda: study().machine_scores({"a": 1, "b": np.nan, "c": 2}),
        "`machine` must score every case; got none of 2 of the 4 cases, as of ['b', 'd']. Add"
        " them, or"
        " leave these cases out of the study.",
    ),
    "many cases without a machine score": (
        lambda: study(
            [0, 1] * 4, range(8), reader=["r"] * 8, case=list("abcdefgh"), modality=["m"] * 8
        ).machine_scores({"a": 1}),
        "`machine` must score every case; got none of 7 of the 8 cases, as of ['b', 'c', 'd', 'e',"
        " 'f']. Add them, or leave these cases out of the study.",
    ),
    "cases with two machine scores": (
        lambda: study().machine_scores(pd.Series([1, 2], ["a", "a"])),
        "`machine` must have one score a case; got several of case 'a'. Keep one of them.",
    ),
    "without an unknown modality": (
        lambda: study().without("flim"),
        "`modality` must be one of several modalities; got 'flim' of ['film', 'digital']. Did you"
        " mean 'film'? Leave in at least one modality.",
    ),
    "without the only modality": (
        lambda: study().without("film").without("digital"),
        "`modality` must be one of several modalities; got 'digital' of ['digital']. Leave in at"
        " least one modality.",
    ),
}


@each("name", CASES)
def test_messages(name):
    call, message = CASES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()


def test_a_forgotten_reader_is_pythons_error():
    with pytest.raises(TypeError, match=r"ReaderStudy.__init__\(\) missing .* 'reader'"):
        rs.ReaderStudy(TRUTH, RATING, case=CASE)  # type: ignore[call-arg]


def test_rows_are_those_of_the_data_after_rows_are_left_out():
    rating = at(RATING, 0, np.nan)
    with pytest.raises(rs.InputError, match=r"case 'b' \(rows 1, 5, 9, 13\)"):
        study(truth=at(TRUTH, 5, 0), rating=rating, nan_policy="omit")
