"""Everything that takes frames answers, or says in one sentence why not."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import rocstats as rs

FIGURES = sorted(name for name in dir(rs) if name.startswith("plot_"))


@pytest.fixture(scope="module")
def study():
    y = np.repeat([1, 0], 30)
    scores = np.random.default_rng(0).normal(size=(60, 2)) + y[:, np.newaxis]
    return rs.Study(y, scores, predictor=["a", "b"])


@pytest.fixture(scope="module")
def areas(study):
    return study.auc()


def odd_values(areas):
    """Return values that are no answer, by what they are."""
    levels = areas.copy()
    levels.columns = pd.MultiIndex.from_product([areas.columns, ["x"]])
    return {
        "nothing": None, "a number": 1, "a text": "auc", "a dict": {"estimate": [1]},
        "a list": [1, 2], "no frames": [], "a column": areas["estimate"], "a class": pd.DataFrame,
        "an array": np.ones((2, 2)), "twice": pd.concat([areas, areas[["estimate"]]], axis=1),
        "levels": levels, "texts": areas.assign(estimate="many"),
        "P values of text": areas.assign(p_value="0.05*"), "numbered": areas.assign(quantity=3),
    }  # fmt: skip


def callers(tmp_path):
    """Return the public functions that take a frame, by name."""
    tables = {
        "brief": rs.brief,
        "format_table": rs.format_table,
        "wide": lambda frame: rs.format_table(frame, layout="wide"),
        "save_table": lambda frame: rs.save_table(frame, tmp_path / "table.docx"),
        "report": lambda study: rs.report(study, tmp_path / "report.html"),
    }
    return tables | {name: getattr(rs, name) for name in FIGURES}


def test_what_is_no_answer_is_refused_in_one_sentence(areas, tmp_path):
    for name, call in callers(tmp_path).items():
        for what, value in odd_values(areas).items():
            with pytest.raises(rs.InputError, match=r"^`\w+` must .*; got .*\. .*\.$") as refused:
                call(value)
            assert "\n" not in str(refused.value), (name, what)
        plt.close("all")


def test_a_frame_of_other_columns_has_a_brief():
    assert rs.brief(pd.DataFrame({"mine": [1, 2]})).columns.tolist() == ["mine"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"estimate": "0,82"}, "numbers in the column 'estimate'; got '0,82'"),
        ({"ci_low": [0.5, "x"]}, "numbers in the column 'ci_low'; got 'x'"),
        ({"quantity": 3}, r"words in the column 'quantity'; got \[3\]"),
    ],
)
def test_the_message_names_the_column_and_the_value(areas, changed, said):
    with pytest.raises(rs.InputError, match=said):
        rs.brief(areas.assign(**changed))


def test_numbers_as_objects_are_numbers(areas):
    objects = areas.astype({"estimate": object})
    assert rs.brief(objects)["estimate"].tolist() == rs.brief(areas)["estimate"].tolist()


@pytest.mark.parametrize("caption", [1, True, object(), ["Pairs"]])
def test_a_caption_is_a_text(areas, caption, tmp_path):
    with pytest.raises(rs.InputError, match="`caption` must be a text"):
        rs.save_table(areas, tmp_path / "a.md", caption=caption)


@pytest.mark.parametrize("line", ["0.5", [0.5], True, object()])
def test_a_line_of_reference_is_a_number(areas, line):
    with pytest.raises(rs.InputError, match="`reference_line` must be a finite number"):
        rs.plot_forest(areas, reference_line=line)


def test_an_array_is_no_layout(areas):
    with pytest.raises(rs.InputError, match="`layout`"):
        rs.format_table(areas, layout=np.array(["long", "wide"]))
