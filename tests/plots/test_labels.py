"""Long names in a column: nothing is beyond the edge of a figure, no words cover data."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.plots.roc import roc_figure
from tests.plots.drawn import assert_words_are_on_the_figure_and_off_the_data
from tests.tables import hand_readers

NAMES = ("concave points, worst of three", "standard error of the texture")
LONG = "gradient boosting on 30 standardised measurements of nuclei"


def study_of(*names, **roles):
    rng = np.random.default_rng(7)
    y = np.tile([1, 0], 40)
    shifts = np.linspace(1.6, 0.6, len(names))
    scores = {n: rng.normal(10, 1, 80) + d * y for n, d in zip(names, shifts, strict=True)}
    return rs.Study(y, scores, **roles)


@pytest.fixture(scope="module")
def two():
    return study_of(*NAMES)


@pytest.fixture(scope="module")
def one():
    return study_of(LONG)


def of_command(two, one):
    """What ``rocstats plot --band working-hotelling --threshold 10`` draws."""
    curve, band = two.roc_curve(), two.roc_band("working-hotelling")
    points = two.operating_points(threshold=10)
    return roc_figure(curve, auc=two.auc(), band=band, points=points)


def in_panels(two, one):
    five = study_of(*(f"{LONG} {i}" for i in range(5)))
    return roc_figure(five.roc_curve(), auc=five.auc())


def averages(two, one):
    folds = study_of(*NAMES, fold=np.repeat([1, 2], 40))
    return rs.plot_roc(folds.roc_curve(by="fold"), average=folds.roc_average(), auc=folds.auc())


def predictive_values(two, one):
    asked = {"threshold": {name: [10, 10.5] for name in NAMES}, "prevalence": [0.1, 0.3, 0.5]}
    return rs.plot_predictive_values(two.operating_points(**asked))


def powers(two, one):
    plans = [rs.power(auc=auc, null_auc=0.7, n_pos=[20, 60], n_neg=[20, 60]) for auc in (0.8, 0.85)]
    return rs.plot_power(pd.concat(plans), wanted=0.8)


def measures(two, one):
    frame = one.operating_points(threshold="all", prevalence=0.1)
    cut = one.cutpoints(rng=1, n_resamples=100)
    return rs.plot_measures(frame, ["tpr", "tnr", "ppv", "npv"], cutpoints=cut)


def readers(two, one):
    areas = hand_readers.areas()
    areas["reader"] = areas["reader"].replace("2", LONG)
    return rs.plot_readers(
        hand_readers.curves(),
        auc=areas,
        comparison=hand_readers.comparison(),
        labels=dict(zip(hand_readers.AREAS, NAMES, strict=True)),
        width="column",
    )


FAMILIES = {
    "command": of_command,
    "panels": in_panels,
    "averages": averages,
    "difference": lambda two, one: rs.plot_roc_difference(
        study_of(NAMES[0], LONG).roc_difference_band(rng=1, n_resamples=100)
    ),
    "cost": lambda two, one: rs.plot_cost(two.cost_curve()),
    "cost difference": lambda two, one: rs.plot_cost_difference(
        two.cost_difference_band(rng=1, n_resamples=100)
    ),
    "superiority": lambda two, one: rs.plot_superiority(two.superiority_curve()),
    "det": lambda two, one: rs.plot_det(two.det_curve()),
    "hull": lambda two, one: rs.plot_hull(two.roc_hull(), curve=two.roc_curve(), slope=[0.5, 2]),
    "pr": lambda two, one: rs.plot_pr(two.pr_curve(), average_precision=two.average_precision()),
    "lift": lambda two, one: rs.plot_lift(two.lift_curve()),
    "measures": measures,
    "predictive values": predictive_values,
    "power": powers,
    "random points": lambda two, one: rs.plot_random_points(
        two.random_points(rng=1), curve=two.roc_curve()
    ),
    "scores": lambda two, one: rs.plot_scores(
        one.roc_curve(), cutpoints=one.cutpoints(rng=1, n_resamples=100)
    ),
    "cutpoint draws": lambda two, one: rs.plot_cutpoint_draws(
        one.cutpoint_draws(rng=1, n_resamples=100),
        cutpoints=one.cutpoints(rng=1, n_resamples=100),
    ),
    "forest": lambda two, one: rs.plot_forest(two.auc()),
    "readers": readers,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_words_stay_on_the_figure_and_off_the_data(family, two, one):
    made = FAMILIES[family](two, one)
    figure = made if isinstance(made, mpl.figure.Figure) else made.figure
    assert figure.get_figwidth() * 25.4 == pytest.approx(85)
    assert_words_are_on_the_figure_and_off_the_data(figure)
