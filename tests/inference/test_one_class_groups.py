"""A group of one class has rows without an answer, a note, and no warning of NumPy."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import rocstats as rs
from tests import examples

ROWS = np.arange(40)
GROUP = ROWS // 20
SCORES = {"a": ROWS * 7 % 11, "b": ROWS * 5 % 13}
ROLES = {
    "plain": {},
    "frequency": {"frequency": ROWS % 3 + 1},
    "sample_weight": {"sample_weight": ROWS % 3 + 0.5},
    "cluster": {"cluster": ROWS // 2},
    "fold": {"fold": ROWS // 5 % 2},
}
QUESTIONS = [name for name, value in vars(rs.Study).items() if inspect.isfunction(value)]


@pytest.mark.parametrize("present", [0, 1])
@pytest.mark.parametrize("role", list(ROLES))
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_group_of_one_class_has_no_answer_and_no_warning_of_numpy(name, role, present):
    y = np.where(GROUP == 1, present, ROWS % 2)
    _require_no_answer(rs.Study(y, SCORES, group=GROUP, **ROLES[role]), name)


@pytest.mark.parametrize("role", ["frequency", "fold"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_group_with_a_class_of_weight_0_has_no_answer_either(name, role):
    weight = np.where((GROUP == 1) & (ROWS % 2 == 1), 0.0, 1.5)
    study = rs.Study(ROWS % 2, SCORES, group=GROUP, sample_weight=weight, **ROLES[role])
    _require_no_answer(study, name)


def _require_no_answer(study, name):
    ask = getattr(study, name)
    options = {"n_resamples": 100, "rng": 1}
    drawn = {key: options[key] for key in options if key in inspect.signature(ask).parameters}
    try:  # every other warning is an error in these tests
        frame = ask(**examples.NEEDED.get(name, {}), **drawn)
    except rs.InputError:
        return
    if {"group", "estimate", "p_value", "note"} <= set(frame.columns):
        rows = frame[(frame["group"] == "1") & frame["estimate"].isna()]
        assert rows["p_value"].isna().all()
        assert (rows["note"] != "").all()
