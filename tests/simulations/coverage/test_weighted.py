"""Weighted cases: the truth of the simulated cells, and what the pages say of the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import f1_score, recall_score, roc_auc_score

from validation.coverage.weighted import CELLS, EDGES

COMMITTED = "coverage/weighted"


@pytest.mark.parametrize("position", [1, 4, 12])
def test_truths_are_those_of_many_weighted_cases(position):
    cell = replace(CELLS[position], n=400_000)
    y, (score, other), weight = cell.draw(np.random.default_rng(position))
    truth, called = cell.truths(), score >= (3 if cell.tied else EDGES[2])
    # Weights up to nine times others, and a class of a tenth: some 20 000 effective cases.
    for values in (score, other):
        assert roc_auc_score(y, values, sample_weight=weight) == pytest.approx(cell.auc, abs=0.01)
    assert recall_score(y, called, sample_weight=weight) == pytest.approx(truth["tpr"], abs=0.02)
    assert recall_score(~y, ~called, sample_weight=weight) == pytest.approx(truth["tnr"], abs=0.02)
    assert f1_score(y, called, sample_weight=weight) == pytest.approx(truth["f1"], abs=0.02)


def test_no_interval_is_without_width(committed):
    assert (committed["least_width"] > 0).all()
