"""Frames do not depend on the processor, nor on the size of the chunks of the resamples."""

from __future__ import annotations

import numpy as np
import pytest

from rocstats.estimate import resample as streams
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import draw_tpr_by_order_statistics
from validation import machines

DRAWN = (
    "auc percentile",
    "auc partial",
    "average precision",
    "points at rates",
    "band",
    "average",
    "rates",
    "average difference",
    "versus random",
)


@pytest.mark.parametrize("question", DRAWN)
def test_draws_do_not_depend_on_the_size_of_the_chunks(question, monkeypatch):
    usual = dict(machines.answers([question]))
    assert usual
    monkeypatch.setattr(streams, "DRAWS_PER_CHUNK", 700)
    small = dict(machines.answers([question]))
    assert max(apart for *_, apart in machines.differences(usual, small)) < 1e-10


def test_an_older_processor_gives_the_same_frames(tmp_path):
    questions = ["auc percentile", "compare, single step", "equal auc"]
    older = machines.as_on("Prescott", tmp_path, vectors=False, questions=questions)
    here = dict(machines.answers(questions))
    assert set(older) == set(here)
    assert max(apart for *_, apart in machines.differences(here, older)) < machines.TOLERANCE


def test_rates_along_a_curve_do_not_depend_on_the_size_of_the_chunks(monkeypatch):
    counts = machines.studies()["plain"].cases.counts(0)
    fpr = np.linspace(0, 1, 11)
    usual = draw_tpr_by_order_statistics(counts, fpr, ResamplePlan(50, 1))
    monkeypatch.setattr(streams, "DRAWS_PER_CHUNK", 40)
    assert np.array_equal(draw_tpr_by_order_statistics(counts, fpr, ResamplePlan(50, 1)), usual)
