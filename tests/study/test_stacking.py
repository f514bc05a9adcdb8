from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.study.base import sample_notes


def test_stacked_studies_are_folds_of_one():
    first = rs.Study([1, 1, 0], {"a": [3, 1, 2], "b": [1, 2, 3]})
    second = rs.Study([0, 1], {"a": [5, 4], "b": [6, 7]})
    together = rs.stack_test_sets([first, second])
    plain = rs.Study(
        [1, 1, 0, 0, 1], {"a": [3, 1, 2, 5, 4], "b": [1, 2, 3, 6, 7]}, fold=list("11122")
    )
    assert isinstance(together, rs.Study)
    assert together.roc_curve(by="fold").equals(plain.roc_curve(by="fold"))
    with pytest.warns(rs.StatisticalWarning):
        assert together.roc_average().equals(plain.roc_average())


def test_names_are_folds():
    one, two = rs.Study([1, 0], [2, 1]), rs.Study([1, 0], [1, 2])
    named = rs.stack_test_sets({"2019": one, 2020: two})  # type: ignore[dict-item]
    assert [label for label, _ in named.cases.by_fold()] == ["2019", "2020"]


def test_labels_of_roles_keep_their_meaning():
    first = rs.Study([1, 0, 1], [3, 1, 2], cluster=["p", "q", "r"], group=["x", "y", "x"])
    second = rs.Study([1, 0], [4, 1], cluster=["r", "p"], group=["y", "y"])
    together = rs.stack_test_sets([first, second])
    assert [together.cluster.labels[code] for code in together.cluster.codes] == list("pqrrp")
    assert [together.group.labels[code] for code in together.group.codes] == list("xyxyy")


def test_frequencies_and_omitted_rows_are_added_up():
    first = rs.Study([1, 0, 1], [3, 1, np.nan], frequency=[2, 3, 1], nan_policy="omit")
    second = rs.Study([1, 0], [4, 1], frequency=[1, 5])
    together = rs.stack_test_sets([first, second])
    assert (together.n_pos, together.n_neg) == (3, 8)
    assert together.n_dropped == 1
    assert sample_notes(together) == ["rows-dropped=1"]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (rs.Study([1, 0], {"b": [2, 1]}), r"`studies` must agree in predictors; got \('a',\)"),
        (
            rs.Study([1, 0], {"a": [2, 1]}, higher_is_positive=False),
            r"`studies` must agree in higher_is_positive; got \(True,\) in the first",
        ),
        (
            rs.Study(["p", "n"], {"a": [2, 1]}, pos_label="p"),
            "`studies` must agree in pos_label; got 1 in the first and 'p' in '2'",
        ),
        (
            rs.Study([1, 0], {"a": [2, 1]}, frequency=[1, 2]),
            "`studies` must all have frequency=, or none of them; got a difference",
        ),
        (
            rs.Study([1, 0], {"a": [2, 1]}, fold=[1, 1]),
            "`studies` must be without folds, because each study becomes a fold; got a fold in"
            " study",
        ),
        ([1, 0], r"`studies` must hold studies; got \['Study', 'list'\]"),
    ],
)
def test_what_does_not_stack(other, message):
    with pytest.raises(rs.InputError, match=message):
        rs.stack_test_sets([rs.Study([1, 0], {"a": [2, 1]}), other])


def test_nothing_does_not_stack():
    with pytest.raises(rs.InputError, match="`studies` must hold studies; got none"):
        rs.stack_test_sets([])


def test_names_that_are_the_same_text():
    one = rs.Study([1, 0], [2, 1])
    with pytest.raises(
        rs.InputError, match=r"must have different names, compared as text; got \['1', '1'\]"
    ):
        rs.stack_test_sets({1: one, "1": one})  # type: ignore[dict-item]
