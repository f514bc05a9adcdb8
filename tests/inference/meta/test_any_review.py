"""Any review, any question: the contract of answers, and refusals in their form."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from validation.torture.contract import codes_of, faults_of, faults_of_message, other_warnings

QUESTIONS = (
    *("studies", "summary", "summary_roc", "heterogeneity", "compare", "influence"),
    "small_study_effects",
)


def any_counts(rng: np.random.Generator) -> dict[str, Any]:
    """Return counts of reviews at every edge: few studies, empty classes, perfect rates."""
    k = int(rng.choice([2, 3, 4, 5, 6, 9, 12]))
    largest = int(rng.choice([1, 2, 5, 40, 3000]))
    n = rng.integers(0 if rng.random() < 0.3 else 1, largest + 1, (2, k))
    rates = rng.choice([0.0, 0.02, 0.5, 0.9, 0.99, 1.0], (2, 1))
    if rng.random() < 0.5:
        rates = np.clip(rates + rng.choice([0.0, 0.05, 0.4]) * rng.normal(size=(2, k)), 0, 1)
    if rng.random() < 0.1:
        rates = rng.integers(0, 2, (2, k)).astype(float)
    tp, tn = rng.binomial(n, np.broadcast_to(rates, (2, k)))
    return {"tp": tp, "fp": n[1] - tn, "fn": n[0] - tp, "tn": tn}


def any_review(rng: np.random.Generator) -> dict[str, Any]:
    """Return the arguments of a review; some are refused."""
    given = any_counts(rng)
    k = len(given["tp"])
    if rng.random() < 0.3:
        given["group"] = rng.choice(["x", "y"], k)
    if rng.random() < 0.6:
        given["covariate"] = rng.choice(["a", "b", "c"][: rng.integers(1, 4)], k)
        if rng.random() < 0.4:
            given["covariate"] = np.round(rng.normal(size=k), 1) * float(rng.choice([1, 1e6]))
    if rng.random() < 0.2:
        given["study"] = rng.integers(0, k, k)
    return given


def any_options(rng: np.random.Generator, question: str) -> dict[str, Any]:
    """Return options of a question; some are refused."""
    options: dict[str, Any] = {}
    if question not in ("studies", "small_study_effects"):
        options["n_nodes"] = 7
    if rng.random() < 0.3:
        options["confidence_level"] = float(rng.choice([0.5, 0.9, 0.999, 1.0]))
    if question == "summary":
        options["interval"] = rng.choice(["t", "wald"])
        if rng.random() < 0.4:
            options["prevalence"] = float(rng.choice([1e-9, 0.1, 0.999]))
    if question == "compare":
        options["covariance"] = rng.choice(["common", "separate"])
    return options


def faults_of_call(
    given: dict[str, Any], question: str, options: dict[str, Any], warned: list[Any]
) -> list[str]:
    """Return what is wrong with the answer, or with the message of a refusal."""
    try:
        frame = getattr(rs.MetaStudy(**given), question)(**options)
    except rs.InputError as refused:
        return list(faults_of_message(str(refused)))
    return list(faults_of(frame, grouped="group" in given, warned=codes_of(warned)))


@pytest.mark.parametrize("seed", range(8))
def test_any_question_about_any_review_keeps_the_contract(seed):
    rng = np.random.default_rng([7, seed])
    given = any_review(rng)
    for question in QUESTIONS:
        options = any_options(rng, question)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            faults = faults_of_call(given, question, options, warned)
        assert [*faults, *other_warnings(warned)] == [], question
