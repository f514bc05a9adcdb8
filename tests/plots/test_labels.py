"""Long names in a column: nothing is beyond the edge of a figure, no words cover data."""

from __future__ import annotations

from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.path import Path
from matplotlib.text import Text

import rocstats as rs
from rocstats.plots.roc import roc_figure
from tests.tables import hand_readers

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")

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


def dense(ends):
    return np.concatenate([np.linspace(a, b, 30) for a, b in pairwise(ends)])


def drawn_data(ax):
    """Points along lines and error bars, and the outlines of bands, in pixels."""
    lines = [
        ax.transData.transform(line.get_xydata())
        for line in ax.lines
        if line.get_linestyle() not in (":", "None") and line.get_transform() == ax.transData
    ]
    bands = []
    for collection in ax.collections:
        paths = [ax.transData.transform(path.vertices) for path in collection.get_paths()]
        if isinstance(collection, LineCollection):
            lines += paths
        elif isinstance(collection, PolyCollection):
            bands += [Path(path) for path in paths]
    return [dense(line) for line in lines if len(line) > 1], bands


def words_of(ax):
    """Boxes of words in the axes; those on a piece of a strip that holds them are left out."""
    bars = [patch.get_window_extent() for patch in ax.patches]
    key = ax.get_legend()
    # the words alone, without the line that leads to them
    boxes = [Text.get_window_extent(text) for text in ax.texts if text.get_text()]
    inside = [any(b.x0 <= x.x0 and x.x1 <= b.x1 and b.y0 <= x.y0 for b in bars) for x in boxes]
    free = [box for box, held in zip(boxes, inside, strict=True) if not held]
    return free + ([key.get_window_extent()] if key else [])


def covers(box, points, bands):
    if any(((xy > box.min) & (xy < box.max)).all(axis=1).any() for xy in points):
        return True
    x, y = np.meshgrid(np.linspace(box.x0, box.x1, 20), np.linspace(box.y0, box.y1, 20))
    grid = np.column_stack([x.ravel(), y.ravel()])
    return any(band.contains_points(grid).any() for band in bands)


@pytest.mark.parametrize("family", FAMILIES)
def test_words_stay_on_the_figure_and_off_the_data(family, two, one):
    made = FAMILIES[family](two, one)
    figure = made if isinstance(made, mpl.figure.Figure) else made.figure
    assert figure.get_figwidth() * 25.4 == pytest.approx(85)
    figure.set_dpi(137)  # words are not as wide as where they were placed
    figure.draw_without_rendering()
    tight = figure.get_tightbbox()  # in inches
    wide, high = figure.get_size_inches()
    assert tight.x0 >= 0
    assert tight.y0 >= 0
    assert tight.x1 <= wide
    assert tight.y1 <= high
    for ax in figure.axes:
        boxes = words_of(ax)
        data = drawn_data(ax)
        assert not any(covers(box, *data) for box in boxes)
        assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
