"""Coverage of the limits of any statistic: the committed table, and what is said of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from validation.bounds import too_low
from validation.coverage.any_statistic import (
    FIRST,
    INTERVALS,
    N_RESAMPLES,
    NAMES,
    SEED,
    SIZES,
    draw_cases,
    limits_in,
    limits_of_cell,
    read_any_statistic,
    statistics,
    truths,
)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return read_any_statistic()


def test_the_first_data_sets_are_repeated(table):
    low, high = limits_of_cell(0, FIRST, SEED).transpose(2, 0, 1)
    rows = table[(table["n_pos"] == 30) & (table["n_neg"] == 30)]
    assert (high - low).mean(axis=0) == pytest.approx(rows["first_width"].to_numpy(), abs=2e-6)


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


def test_what_the_page_says(table):
    least = table.groupby(["n_pos", "n_neg"])["coverage"].min()
    assert (least >= pd.Series({(15, 60): 0.91, (30, 30): 0.93, (100, 100): 0.935})).all()
    short = table[table["shortfall"]]
    assert (short["n_pos"] == 15).sum() == 5 == len(short) - 1
    assert short["coverage"].between(0.91, 0.935).all()
    single = table[(table["interval"] == "bca") & ~table["difference"]]["coverage"]
    assert single.round(2).between(0.94, 0.96).all()


def test_marks_are_those_of_the_rule(table):
    assert len(table) == len(SIZES) * len(INTERVALS) * 2 * len(NAMES)
    short = too_low(table["coverage"], table["level"], table["defined"])
    assert table["shortfall"].tolist() == short.tolist()
    assert (table["defined"] >= 0.99 * table["replicates"]).all()
