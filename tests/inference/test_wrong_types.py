"""Options of the wrong type are refused in words by every question that has them."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import rocstats as rs

Y = np.tile([1, 0], 12)
SCORES = {"a": np.arange(24) % 7, "b": np.arange(24) % 5}
FOLD, GROUP = np.repeat([1, 2], 12), np.repeat(["x", "y"], 12)
STUDY = rs.Study(Y, SCORES)
CLASSES = rs.MulticlassStudy(
    np.tile([0, 1, 2], 8),
    {name: np.random.default_rng(k).random((24, 3)) for k, name in enumerate("pq")},
)
STUDIES = {
    **dict.fromkeys(("roc_average", "roc_average_difference"), rs.Study(Y, SCORES, fold=FOLD)),
    **dict.fromkeys(
        ("stratified_auc", "compare_stratified_auc", "test_equal_groups"),
        rs.Study(Y, SCORES, group=GROUP),
    ),
}
NEEDED = {
    "binormal_curve": {"fpr": 0.2},
    "compare_costs": {"cost_fp": 1, "cost_fn": 1, "threshold": 3},
    "compare_operating_points": {"threshold": 3},
    "lc_index": {"low": 0.2, "mode": 0.4, "high": 0.6},
    "operating_points": {"threshold": 3},
    "operating_points_versus_random": {"threshold": 3},
    "optimal_points": {"slope": 1},
    "test_performance_goals": {"threshold": 3, "tpr": 0.5, "tnr": 0.5},
}
WRONG = {
    "n_resamples": (10.5, "2000", True, -1, [2000], np.array([200, 200])),
    "n_samples": (10.5, "10", True, -1, [10]),
    "n_points": (10.5, "10", True, -1, [10]),
    "n_candidates": (10.5, "10", True, -1, [10]),
    "n_bins": (10.5, "10", True, -1, [10]),
    "confidence_level": ("0.95", True, [0.95], np.array([0.9, 0.95]), np.nan, 1, 95, 10**400),
    "rng": ("1", -1, 1.5, True, [1], np.array([1, 2])),
    "stratified": ("yes", 1, [True], np.array([True, False])),
    "same_scale": ("yes", 1, [True], None, np.array([True, False])),
    "joint": ("yes", 1, [True], None, np.array([True, False])),
    "independent": ("yes", 1, [True], None, np.array([True, False])),
    "threshold": ("0.5", [[1, 2]], {"a": "x"}, True, [None], {1, 2}, 10**400, np.nan),
    "at": ("0.5", [[0.1, 0.2]], {"c": 1}, True, [None], {0.1}, 10**400, np.nan),
    "fpr": ("0.5", [[0.1, 0.2]], True, [None], {0.1}, 10**400, np.nan, -1),
    "tpr": ("0.5", [[0.1, 0.2]], True, [None], {0.1}, 10**400, np.nan, -1),
    "prevalence": ("0.5", [[0.1, 0.2]], True, [None], {0.1}, 10**400, np.nan, -1),
    "contrasts": ("x", {1, 2}, [["a", "b"]], [1, [2]], {"c": "x"}, 10**400, [True, False]),
    "null_value": ("0.5", True, [0.5], np.array([0.5, 0.6]), np.nan, 10**400),
    "margin": ("0.1", True, [0.1], np.nan),
    "cost_fp": ("1", True, [1], -1, np.nan, np.inf, 10**400),
    "future": ("1", True, [1], -1, np.nan),
    "reference": (1, ["a", "b"], ["a"], np.array(["a", "b"]), "nobody"),
    **dict.fromkeys(
        ("interval", "method", "variance", "alternative", "hypothesis", "adjust", "across", "by"),
        (["x"], {"x": 1}, 1, True, np.array(["x", "y"]), "x"),
    ),
}
QUESTIONS = {
    (kind, name): getattr(STUDIES.get(name, study) if kind == "Study" else study, name)
    for kind, study in (("Study", STUDY), ("MulticlassStudy", CLASSES))
    for name, function in vars(type(study)).items()
    if inspect.isfunction(function)
}
CASES = [
    (kind, name, option)
    for (kind, name), ask in QUESTIONS.items()
    for option in inspect.signature(ask).parameters
    if option in WRONG
]


def needed(name, option):
    """The other arguments of a question; a rate takes the place of a threshold."""
    place = "threshold" if option in ("fpr", "tpr") and name != "test_performance_goals" else ""
    return {key: value for key, value in NEEDED.get(name, {}).items() if key != place}


@pytest.mark.parametrize(("kind", "name", "option"), CASES)
def test_an_option_of_the_wrong_type_is_refused(kind, name, option):
    ask = QUESTIONS[kind, name]
    for value in WRONG[option]:
        with pytest.raises(rs.InputError, match=rf"`{option}`.* must .*; got |`.*`{option}`"):
            ask(**{**needed(name, option), option: value})


ONE_SIDED = [
    (k, n) for k, n in QUESTIONS if "alternative" in inspect.signature(QUESTIONS[k, n]).parameters
]


@pytest.mark.parametrize(("kind", "name"), ONE_SIDED)
@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_a_one_sided_limit_beyond_the_estimate_is_refused(kind, name, alternative):
    ask = QUESTIONS[kind, name]
    if "confidence_level" not in inspect.signature(ask).parameters:
        return
    with pytest.raises(rs.InputError) as refused:
        ask(**NEEDED.get(name, {}), alternative=alternative, confidence_level=0.4)
    assert str(refused.value) == (
        f"`confidence_level` must exceed 0.5 for the alternative {alternative!r}, whose limit"
        " would lie beyond the estimate; got 0.4. Pass for instance 0.95."
    )
