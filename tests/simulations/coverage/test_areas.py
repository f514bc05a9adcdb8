"""Intervals of the AUC: true areas, draws, and what the pages say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.coverage.designs import CELLS, QUINTILES, Cell
from validation.coverage.moves import raised, read_moves
from validation.coverage.simulate import DEFAULT, NAMES, require_honest
from validation.coverage.summary import coverage_figure, summarise

KEY = ["design", "n_pos", "n_neg", "auc"]


def cell_of(design: str, n_pos: int, n_neg: int, auc: float) -> Cell:
    (found,) = (
        cell
        for cell in CELLS
        if (cell.design, cell.n_pos, cell.n_neg, cell.auc) == (design, n_pos, n_neg, auc)
    )
    return found


def area_by_pairs(pos: np.ndarray, neg: np.ndarray) -> np.ndarray:
    """Compare all pairs of each row."""
    above = np.sign(pos[:, :, np.newaxis] - neg[:, np.newaxis, :])
    return (1 + above.mean(axis=(1, 2))) / 2


COMMITTED = "coverage/auc"


def test_default_covers_on_average(committed: pd.DataFrame) -> None:
    table = summarise(committed).set_index("method")
    assert 0.94 <= table.loc[DEFAULT, "mean"] <= 0.98


@pytest.mark.parametrize(
    "limits", [[0.8, 0.8], [-0.1, 0.9], [0.8, 1.1], [np.nan, 1.0], [0.9, 0.8]], ids=str
)
def test_interval_without_width_or_outside_is_refused(limits: list[float]) -> None:
    with pytest.raises(ArithmeticError, match="no width"):
        require_honest(np.array([[[0.5, 0.9]], [limits]]))


@pytest.mark.parametrize("design", ["equal-variance", "sd-ratio-2", "five-categories"])
@pytest.mark.parametrize("auc", [0.70, 0.99])
def test_truth_is_the_mean_area_of_the_draws(design: str, auc: float) -> None:
    cell = cell_of(design, 50, 50, auc)
    scores = cell.draw(np.random.default_rng(7), 2000)
    areas = area_by_pairs(scores[:, :50], scores[:, 50:])
    assert abs(areas.mean() - cell.truth) <= 4 * areas.std() / np.sqrt(2000)


def test_truth_of_binormal_cells_is_their_nominal_area() -> None:
    assert all(cell.truth == cell.auc for cell in CELLS if cell.design != "five-categories")


def test_categories_are_equally_frequent_at_prevalence_one_half() -> None:
    cell = cell_of("five-categories", 50, 50, 0.90)
    scores = cell.draw(np.random.default_rng(8), 4000)
    assert set(np.unique(scores)) == {0.0, 1.0, 2.0, 3.0, 4.0}
    below = [(scores <= category).mean() for category in range(4)]
    np.testing.assert_allclose(below, QUINTILES, atol=4 * 0.5 / np.sqrt(scores.size))


def test_figure_draws_every_cell_of_every_method(committed: pd.DataFrame) -> None:
    figure = coverage_figure(committed)
    points = [
        x
        for panel in figure.axes
        for dots in panel.collections
        for x in np.asarray(dots.get_offsets())[:, 0]
    ]
    np.testing.assert_allclose(np.sort(points), np.sort(committed["coverage"]))
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert sorted(labels) == sorted(NAMES)


def test_a_move_raises_one_positive_over_one_negative() -> None:
    cell = CELLS[0]
    scores = np.asarray(cell.draw(np.random.default_rng(1), 50))
    moved = raised(scores, cell.n_pos, np.random.default_rng(2))
    assert ((moved != scores).sum(axis=1) <= 1).all()
    pairs = [
        (row[: cell.n_pos, np.newaxis] > row[cell.n_pos :]).sum(axis=None)
        for both in zip(scores, moved, strict=True)
        for row in both
    ]
    assert set(np.diff(np.reshape(pairs, (-1, 2)), axis=1).ravel()) <= {0, 1}


# docs/methods/effective-size.md, "Properties of the effective sample size"
def test_drops_are_as_small_as_printed() -> None:
    largest = read_moves().groupby("method")["largest"].max()
    half = 0.0005  # half a unit of the last printed digit
    assert abs(largest["effective-wilson"] - 0.009) <= half
    assert abs(largest["logit-t"] - 0.085) <= half
