"""The commands about thresholds: points and cutpoint."""

from __future__ import annotations

import pytest

import rocstats as rs
from rocstats.facts.measures import STARD
from tests.commands.conftest import SEEDED, WANTED, require_same

QUESTIONS = {
    "points --threshold 20 --threshold 600 --prevalence 0.05 --quantity ppv": (
        lambda s: s.operating_points(threshold=[20, 600], prevalence=[0.05], quantities=["ppv"])
    ),
    "points --threshold area=500 --threshold texture=20 --threshold area=600": (
        lambda s: s.operating_points(threshold={"area": [500, 600], "texture": [20]})
    ),
    "points --threshold all --quantity tpr": lambda s: s.operating_points(
        threshold="all", quantities=["tpr"]
    ),
    "points --tpr 0.9 --reading attained DRAWN": lambda s: s.operating_points(
        tpr=[0.9], reading="attained", **SEEDED
    ),
    "cutpoint --criterion cost --cost-fp 1 --cost-fn 5 --prevalence 0.05 DRAWN": (
        lambda s: s.cutpoints("cost", cost_fp=1, cost_fn=5, prevalence=0.05, **SEEDED)
    ),
    "cutpoint --criterion fixed-tpr --tpr 0.9 DRAWN": lambda s: s.cutpoints(
        "fixed-tpr", tpr=0.9, **SEEDED
    ),
}


@pytest.mark.parametrize("words", QUESTIONS)
def test_the_frame_of_the_question_is_printed(of_patients, study, words):
    require_same(of_patients(words), QUESTIONS[words](study))


def test_rows_of_the_criterion_table_at_sensitivities(run, data, study):
    drawn = ("--seed", "1", "--resamples", "200")
    status, printed, _ = run(
        "points", data, *WANTED, "--at-sensitivity", "80,97.5", "--layout", "wide", *drawn
    )
    assert status == 0
    asked = study.operating_points(
        tpr=[0.8, 0.975], reading="attained", quantities=list(STARD), n_resamples=200, rng=1
    )
    assert rs.format_table(asked, layout="wide").to_string(index=False) in printed
    status, printed, _ = run("points", data, *WANTED, "--at-specificity", "90", *drawn)
    assert status == 0
    asked = study.operating_points(
        fpr=[0.1], reading="attained", quantities=list(STARD), n_resamples=200, rng=1
    )
    assert rs.format_table(asked).to_string(index=False) in printed
