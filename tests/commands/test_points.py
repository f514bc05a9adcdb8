"""The commands about thresholds: points, cutpoint, goals, likelihood-ratios and grey-zone."""

from __future__ import annotations

import pytest

import rocstats as rs
from rocstats.commands import points
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
    "goals --threshold area=600 --threshold texture=20 --tpr 0.8 --tnr 0.7": (
        lambda s: s.test_performance_goals(threshold={"area": 600, "texture": 20}, tpr=0.8, tnr=0.7)
    ),
    "goals --threshold 20 --tpr 0.8 --tnr 0.7 --alternative two-sided --level 0.9": (
        lambda s: s.test_performance_goals(
            threshold=20, tpr=0.8, tnr=0.7, alternative="two-sided", confidence_level=0.9
        )
    ),
    "likelihood-ratios --edge 700 --edge 500 --prevalence 0.05 --prevalence 0.2": (
        lambda s: s.band_likelihood_ratios([500, 700], prevalence=[0.05, 0.2])
    ),
    "grey-zone --tpr 0.95 --tnr 0.9 --prevalence 0.1 DRAWN": lambda s: s.grey_zone(
        tpr=0.95, tnr=0.9, prevalence=0.1, **SEEDED
    ),
    "grey-zone --threshold area=800 --threshold area=500 --threshold texture=18"
    " --threshold texture=22": lambda s: s.grey_zone({"area": [500, 800], "texture": [18, 22]}),
    "grey-zone --threshold 20 --threshold 18": lambda s: s.grey_zone([18, 20]),
    "cutpoint --criterion fixed-tpr --tpr 0.9 DRAWN": lambda s: s.cutpoints(
        "fixed-tpr", tpr=0.9, **SEEDED
    ),
}


@pytest.mark.parametrize("words", QUESTIONS)
def test_the_frame_of_the_question_is_printed(of_patients, study, words):
    require_same(of_patients(words), QUESTIONS[words](study))


@pytest.fixture
def drawn(monkeypatch):
    """The frames that figures are drawn of, by the name of the figure."""
    found = {}
    for name in ("plot_measures", "plot_predictive_values"):
        plot = getattr(points, name)

        def keep(frame, *rest, name=name, plot=plot, **more):
            found[name] = frame, rest
            return plot(frame, *rest, **more)

        monkeypatch.setattr(points, name, keep)
    return found


def test_measures_are_drawn_against_the_threshold(run, data, tmp_path, drawn):
    one = ("points", data, "diagnosis", "area", "--positive", "malignant", "--threshold", "all")
    figure = tmp_path / "all.svg"
    for words, names in (
        ((), ("tpr", "tnr")),
        (("--quantity", "ppv", "--quantity", "npv"), ["ppv", "npv"]),
    ):
        status, out, _ = run(*one, *words, "--figure", figure, "--force")
        assert (status, out.splitlines()[-1]) == (0, str(figure))
        frame, (quantities,) = drawn["plot_measures"]
        assert quantities == names
        # A row for each distinct score, and that which calls nobody ill.
        assert frame["threshold"].nunique() == rs.load_breast_cancer()["area"].nunique() + 1
    assert figure.read_bytes().startswith(b"<?xml")


def test_predictive_values_are_drawn_against_the_prevalence(run, data, tmp_path, drawn):
    values = ("--prevalence", "0.5", "--prevalence", "0.1", "--quantity", "ppv")
    words = (*WANTED, "--threshold", "20", *values, "--figure", tmp_path / "values.svg")
    status, out, err = run("points", data, *words)
    assert status == 0, err
    assert "at prevalence 0.1" in out
    frame, _ = drawn["plot_predictive_values"]
    assert (frame["prevalence"].min(), frame["prevalence"].max()) == (0.1, 0.5)
    assert set(frame["quantity"]) == {"ppv", "npv"}
    # Bayes' rule at the prevalence in the middle, from the counts at the threshold.
    cases = rs.load_breast_cancer()
    ill, called = cases["diagnosis"] == "malignant", cases["texture"] >= 20
    tpr, fpr = called[ill].mean(), called[~ill].mean()
    of_texture = frame[(frame["predictor"] == "texture") & (frame["quantity"] == "ppv")]
    expected = [p * tpr / (p * tpr + (1 - p) * fpr) for p in of_texture["prevalence"]]
    assert of_texture["estimate"].tolist() == pytest.approx(expected, abs=1e-12)


def test_a_figure_of_points_needs_an_axis(refused, data, tmp_path):
    words = ("points", data, *WANTED, "--threshold", "20", "--figure", tmp_path / "none.svg")
    assert "`--figure` must be used with --threshold all, or with two or more" in refused(*words)
    assert list(tmp_path.glob("*.svg")) == []


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
