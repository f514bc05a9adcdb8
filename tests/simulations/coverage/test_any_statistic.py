"""Limits of any statistic: true values, and what the page says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from validation.coverage.any_statistic import (
    INTERVALS,
    N_RESAMPLES,
    NAMES,
    draw_cases,
    limits_in,
    statistics,
    truths,
)

COMMITTED = "coverage/any_statistic"


def test_limits_are_those_of_the_question():
    cases = draw_cases(30, 30, np.random.default_rng(1))
    found = list(limits_in(cases, ResamplePlan(N_RESAMPLES, 8).at(0)))
    study = rs.Study(cases.is_positive, dict(zip("ab", cases.scores, strict=True)))
    expected = []
    for interval in INTERVALS:
        for reference in (None, "b"):
            frame = study.bootstrap(
                lambda y, s: dict(zip(NAMES, map(float, statistics(y, s)), strict=True)),
                interval=interval, reference=reference, n_resamples=N_RESAMPLES, rng=8,
            )  # fmt: skip
            expected += frame[["ci_low", "ci_high"]].head(3).to_numpy().tolist()
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-12)


def test_truths_are_means_of_many_cases():
    cases = draw_cases(40_000, 40_000, np.random.default_rng(2))
    found = np.array([statistics(cases.is_positive, score) for score in cases.scores])
    # four standard errors of 40 000 cases a class, of variance at most 1/4
    assert found == pytest.approx(truths(1, 1), abs=4 * np.sqrt(0.25 / 40_000 * 2))


def test_what_the_page_says(committed):
    least = committed.groupby(["n_pos", "n_neg"])["coverage"].min()
    assert (least >= pd.Series({(15, 60): 0.91, (30, 30): 0.93, (100, 100): 0.935})).all()
    short = committed[committed["shortfall"]]
    assert (short["n_pos"] == 15).sum() == 5 == len(short) - 1
    assert short["coverage"].between(0.91, 0.935).all()
    single = committed[(committed["interval"] == "bca") & ~committed["difference"]]["coverage"]
    assert single.round(2).between(0.94, 0.96).all()
    assert (committed["defined"] >= 0.99 * committed["replicates"]).all()
