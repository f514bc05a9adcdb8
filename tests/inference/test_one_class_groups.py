"""A group of one class has rows without an answer, a note, and no warning of NumPy."""

from __future__ import annotations

import inspect
from functools import cache

import numpy as np

import rocstats as rs
from tests import examples
from tests.quick import each

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


@each("present", [0, 1])
@each("role", list(ROLES))
@each("name", QUESTIONS)
def test_a_group_of_one_class_has_no_answer_and_no_warning_of_numpy(name, role, present):
    _require_no_answer(_one_class(name in examples.OF_RISKS, role, present), name)


@each("role", ["frequency", "fold"])
@each("name", QUESTIONS)
def test_a_group_with_a_class_of_weight_0_has_no_answer_either(name, role):
    _require_no_answer(_one_class_by_weight(name in examples.OF_RISKS, role), name)


@cache
def _one_class(risks, role, present):
    y = np.where(GROUP == 1, present, ROWS % 2)
    return rs.Study(y, _scores(risks), group=GROUP, **ROLES[role])


@cache
def _one_class_by_weight(risks, role):
    weight = np.where((GROUP == 1) & (ROWS % 2 == 1), 0.0, 1.5)
    return rs.Study(ROWS % 2, _scores(risks), group=GROUP, sample_weight=weight, **ROLES[role])


def _scores(risks):
    """Scores, as risks for a question that takes them for such."""
    return {predictor: score / (13 if risks else 1) for predictor, score in SCORES.items()}


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
