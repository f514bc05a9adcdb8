"""Columns that a user adds to a frame: words tell rows of tables apart, numbers are left out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.facts.columns import GLOSSARY
from rocstats.studies.catalogue import declared_questions
from rocstats.tables.cells import LABELS, added_columns


@pytest.fixture
def answers(rng) -> list[pd.DataFrame]:
    """The areas of two predictors in each of two data sets."""
    y = np.repeat([1, 0], 30)
    studies = [
        rs.Study(y, {"new": rng.normal(size=60) + y, "old": rng.normal(size=60) + y})
        for _ in range(2)
    ]
    return [study.auc() for study in studies]


@pytest.fixture
def frame(answers) -> pd.DataFrame:
    return pd.concat(
        [one.assign(model=name) for one, name in zip(answers, ("lasso", "forest"), strict=True)],
        ignore_index=True,
    )


def test_words_tell_rows_apart(frame):
    table = rs.format_table(frame)
    assert list(table.columns[:3]) == ["Predictor", "model", "AUC (95% CI)"]
    assert table["model"].tolist() == ["lasso", "lasso", "forest", "forest"]
    wide = rs.format_table(frame, layout="wide")
    assert len(wide) == 4


def test_words_before_the_predictor_come_first(frame):
    first = frame[["model", *frame.columns.drop("model")]]
    assert list(rs.format_table(first).columns[:2]) == ["model", "Predictor"]


def test_a_heading_of_ours_is_not_hidden(frame):
    table = rs.format_table(frame.rename(columns={"model": "Predictor"}))
    assert list(table.columns[:2]) == ["Predictor", "Predictor (added)"]
    assert table["Predictor"].tolist() == ["new", "old"] * 2


def test_missing_words_are_empty_cells(frame):
    table = rs.format_table(frame.assign(model=["lasso", None, np.nan, "forest"]))
    assert table["model"].tolist() == ["lasso", "", "", "forest"]


def test_numbers_are_left_out_and_named(frame):
    table = rs.format_table(frame.assign(seconds=1.5, year=2020))
    assert not {"seconds", "year"} & set(table)
    notes = table.attrs["rocstats"]["footnotes"]
    assert "Columns of the frame that are not printed: seconds and year." in notes
    plain = rs.format_table(frame).attrs["rocstats"]["footnotes"]
    assert not any("not printed" in note for note in plain)


def test_files_have_them_too(frame, tmp_path):
    path = rs.save_table(frame, tmp_path / "areas.md")
    assert "| lasso |" in path.read_text(encoding="utf-8")
    path = rs.save_table(frame, tmp_path / "areas.csv")
    assert pd.read_csv(path)["model"].tolist() == ["lasso", "lasso", "forest", "forest"]


def test_a_forest_has_a_line_for_each(frame):
    ax = rs.plot_forest(frame)
    texts = [text.get_text() for text in ax.texts]
    assert texts.count("lasso") == texts.count("forest") == 2


def test_no_column_of_a_question_counts_as_added():
    for question in declared_questions().values():
        names = {*question.columns, *question.own_columns}
        if not {"quantity", "estimate", "ci_low", "confidence_level"} <= names:
            continue
        empty = {n: pd.Series(dtype=str if GLOSSARY[n].kind == "text" else float) for n in names}
        found = added_columns(pd.DataFrame(empty))
        assert (found.words, found.numbers) == ([], []), question.name
    assert "model" not in LABELS
