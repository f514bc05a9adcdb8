"""Labels that differ by case, or by blanks at their ends, alone: a note, and they stay apart."""

from __future__ import annotations

import warnings

import pytest

import rocstats as rs

Y, S = [0, 1, 0, 1, 1, 0], [1.0, 2, 3, 4, 5, 6]
LABELS = ["a", "A", "b", "b ", "a", "A"]


@pytest.mark.parametrize("role", ["cluster", "fold", "group"])
def test_a_role_is_noted(role):
    with pytest.warns(
        rs.StatisticalWarning, match=f"labels-spelled-alike: .*'a' and 'A' in `{role}`"
    ):
        study = rs.Study(Y, S, **{role: LABELS})
    assert len(getattr(study, role).labels) == 4


def test_an_outcome_and_subgroups_are_noted():
    with pytest.warns(rs.StatisticalWarning, match="'ill' and 'Ill' in `y_true`"):
        rs.Study(["ill", "Ill"] * 3, S, pos_label="ill")
    study = rs.Study(Y * 4, S * 4)
    with pytest.warns(rs.StatisticalWarning, match="'a' and 'A' in `by`"):
        study.subgroups(by=LABELS * 4)


@pytest.mark.parametrize("labels", [[1, 2, 1.5] * 2, ["a", "b", "c"] * 2, ["ß", "s", "t"] * 2])
def test_other_labels_are_not(labels):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.Study(Y, S, group=labels)


def test_numbers_of_groups_are_sorted_by_size():
    frame = {"y": Y * 2, "s": S * 2, "site": ["10", "9", "-1", "x", "9", "10"] * 2}
    counts = rs.count_scores(frame, "y", "s", by="site")
    assert list(dict.fromkeys(counts["site"])) == ["-1", "9", "10", "x"]
