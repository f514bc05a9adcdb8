"""Adjusted areas: true values, and the shortfalls that the pages name."""

from __future__ import annotations

import numpy as np
import pytest

from validation.coverage.covariates import distance_of

COMMITTED = "coverage/covariates"


def test_shortfalls_are_those_that_the_pages_name(committed):
    short = committed[committed["shortfall"] != ""]
    normal = short["question"] == "adjusted_auc, normal"
    assert normal.sum() == 12
    assert set(short.loc[normal, "errors"]) == {"exponential", "t3"}
    assert short.loc[~normal, ["n_pos", "area", "errors", "question"]].to_numpy().tolist() == [
        [50, 0.95, "t3", "adjusted_auc, empirical"],
    ]


@pytest.mark.parametrize("errors", ["normal", "exponential", "t3"])
def test_truth_by_many_cases(errors):
    rng = np.random.default_rng(3)
    draw = {
        "normal": rng.standard_normal,
        "exponential": rng.standard_exponential,
        "t3": lambda n: rng.standard_t(3, n),
    }[errors]
    above = draw(200_000) + distance_of(0.95, errors) > draw(200_000)
    assert above.mean() == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 200_000))
