"""Options of the wrong type are refused in words by every question that has them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.calls import CASES, CLASSES, OF_STUDIES, Call, N, Y, fit_first
from tests.quick import each

WRONG = {
    "n_resamples": (10.5, "2000", True, -1, [2000], np.array([200, 200])),
    "n_samples": (10.5, "10", True, -1, [10]),
    "n_points": (10.5, "10", True, -1, [10]),
    "n_candidates": (10.5, "10", True, -1, [10]),
    "n_bins": (10.5, "10", True, -1, [10]),
    "confidence_level": ("0.95", True, [0.95], np.array([0.9, 0.95]), np.nan, 1, 95, 10**400),
    "rng": ("1", -1, 1.5, True, [1], np.array([1, 2])),
    "stratified": ("yes", 1, [True], np.array([True, False])),
    "progress": ("yes", 1, [True], None, np.array([True, False])),
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
        (
            "interval",
            "method",
            "variance",
            "alternative",
            "hypothesis",
            "adjust",
            "across",
            "by",
            "residuals",
        ),
        (["x"], {"x": 1}, 1, True, np.array(["x", "y"]), "x"),
    ),
}
PLAIN = {name: call for name, call in OF_STUDIES.items() if "," not in name}
OPTIONS = [
    (name, option) for name, call in PLAIN.items() for option in call.parameters if option in WRONG
]


def call_with(name: str, option: str) -> Call:
    """Return a call of a question that has an option, or that may have it as well."""
    calls = [call for label, call in OF_STUDIES.items() if label.partition(",")[0] == name]
    call = next((call for call in calls if option in call.options), PLAIN[name])
    if option in ("fpr", "tpr") and option not in call.options:  # in the place of a threshold
        call = call._replace(options={k: v for k, v in call.options.items() if k != "threshold"})
    return call


@each(("name", "option"), OPTIONS)
def test_an_option_of_the_wrong_type_is_refused(name, option):
    call = call_with(name, option)
    for value in WRONG[option]:
        with pytest.raises(rs.InputError, match=rf"`{option}`.* must .*; got |`.*`{option}`"):
            call.asking(**{option: value}).answer()


ONE_SIDED = [
    name
    for name, call in PLAIN.items()
    if {"alternative", "confidence_level"} <= set(call.parameters)
]


@each("name", ONE_SIDED)
@each("alternative", ["less", "greater"])
def test_a_one_sided_limit_beyond_the_estimate_is_refused(name, alternative):
    with pytest.raises(rs.InputError) as refused:
        PLAIN[name].asking(alternative=alternative, confidence_level=0.4).answer()
    assert str(refused.value) == (
        f"`confidence_level` must exceed 0.5 for the alternative {alternative!r} (at a lower"
        " level the limit is on the wrong side of the estimate); got 0.4. Pass for instance 0.95."
    )


SCORES = CASES["y_score"]
PILOT = rs.Study(Y, SCORES)
ONE_AUC = rs.OneAUC(auc=0.8)
CELLS = {"tp": 14, "fn": 6, "fp": 8, "tn": 22}
NO_NUMBERS = ("10", True, [1], None, np.nan, np.inf, -1, 0.5, 10**400, 1j, np.array([1, 2]))
NO_LABELS = ([1], np.array([1, 2]), ["a", [1]], {}, {1}, "1", np.nan, pd.NA)
NO_NAMES = (1j, {"a": 1}, {1}, object(), [None], [["a"]], ["a", [1]])
NO_TEXTS = (1, ["a"], None, np.array(["a", "b"]))
OTHERS = {
    "tp": (lambda tp: rs.Study.from_confusion(**{**CELLS, "tp": tp}), NO_NUMBERS),
    "pos_label": (lambda label: rs.Study(Y, SCORES, pos_label=label), NO_LABELS),
    "predictor": (lambda names: rs.Study(Y, SCORES["a"], predictor=names), NO_NAMES),
    "labels": (
        lambda labels: rs.MulticlassStudy(Y, np.ones((N, 2)), labels=labels),
        (1, 1j, {"a": 1}, {1}, ["a", [1]], [["a"]]),
    ),
    "verified": (
        lambda known: rs.verified_auc(Y, SCORES["a"], known, probability=np.full(N, 0.5)),
        (None, "yes", 1, [2] * N, ["yes"] * N),
    ),
    "studies": (rs.stack_test_sets, (None, 1, True, "ab", [1], {1}, np.array([1]))),
    "study": (rs.repair_concavities, (None, 1, "a", [PILOT], {})),
    "predictor of repair": (
        lambda name: rs.repair_concavities(PILOT, predictor=name),
        (*NO_TEXTS, "x"),
    ),
    "predictor of a pilot": (
        lambda name: rs.PilotAUCs(PILOT, predictor=name, reference="b"),
        (*NO_TEXTS, "x"),
    ),
    "n_pos": (lambda n: rs.power(ONE_AUC, n_pos=n, n_neg=20), NO_NUMBERS[:-2]),
    "simulate": (
        lambda flag: rs.power(ONE_AUC, n_pos=20, n_neg=20, simulate=flag),
        ("yes", 1, [True], None, np.array([True, False])),
    ),
    "n_candidates": (
        lambda n: rs.critical_auc(20, 20, n_candidates=n),
        ("1", True, 0, 1.5, [1, "a"], ["a", [1]], np.nan),
    ),
    "n_test_positive": (
        lambda n: rs.begg_greenes(**CELLS, n_test_positive=n, n_test_negative=90),
        NO_NUMBERS,
    ),
    "X of a pipeline": (
        lambda X: rs.permute_pipeline(lambda X, y: 0.0, X, Y, n_resamples=19),
        (2.0, None, np.array(1.0)),
    ),
    "y of a pipeline": (
        lambda y: rs.permute_pipeline(lambda X, y: 0.0, np.ones(2), y, n_resamples=19),
        ([[0.1], [0.2, 0.3]], 1, "ab"),
    ),
    "n_resamples of a pipeline": (
        lambda n: rs.permute_pipeline(lambda X, y: 0.0, Y, Y, n_resamples=n),
        (10**400, 2**53, 19.0, None),
    ),
    **{
        f"progress of {name}": (ask, WRONG["progress"])
        for name, ask in {
            "a pipeline": lambda bar: rs.permute_pipeline(lambda X, y: 0.0, Y, Y, progress=bar),
            "a model": lambda bar: rs.optimism_corrected_auc(fit_first, Y, Y, progress=bar),
            "power": lambda bar: rs.power(ONE_AUC, n_pos=20, n_neg=20, progress=bar),
            "a sample size": lambda bar: rs.sample_size(ONE_AUC, power=0.8, progress=bar),
            "verification": lambda bar: rs.verified_auc(
                Y, Y, Y > -1, probability=Y + 1, progress=bar
            ),
            "a report": lambda bar: rs.report(PILOT, "report.html", progress=bar),
        }.items()
    },
    "X of a model": (
        lambda X: rs.optimism_corrected_auc(fit_first, X, Y, n_resamples=100),
        (2.0, None, np.array(1.0)),
    ),
    "k": (rs.MulticlassStudy(**CLASSES).one_against_rest, ("0", 0.5, True, -1, 3, None)),
    "digits": (
        lambda digits: rs.format_table(PILOT.auc(), digits=digits),
        ("2", True, [1], 1.5, -1, 16, np.array([1, 2])),
    ),
}


@each("argument", list(OTHERS))
def test_an_argument_of_the_wrong_type_is_refused(argument):
    ask, wrong = OTHERS[argument]
    for value in wrong:
        with pytest.raises(rs.InputError, match=rf"`{argument.split()[0]}`.* must .*; got "):
            ask(value)
