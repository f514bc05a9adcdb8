"""The committed simulation of coverage is complete, sound, and what the package does today."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.coverage.designs import CELLS, QUINTILES, Cell
from validation.coverage.simulate import (
    DEFAULT,
    NAMES,
    RESAMPLED_NAMES,
    require_honest,
    run_cell,
)
from validation.coverage.summary import RESAMPLED_TABLE, coverage_figure, read_auc, summarise

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


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return read_auc()


def test_table_has_every_cell_and_method_once(committed: pd.DataFrame) -> None:
    assert len(CELLS) == 60
    rows = committed[[*KEY, "method"]].itertuples(index=False, name=None)
    wanted = [
        (cell.design, cell.n_pos, cell.n_neg, cell.auc, name) for cell in CELLS for name in NAMES
    ]
    assert list(rows) == wanted
    assert committed["seed"].nunique() == 1
    assert (committed["replicates"] >= 2000).all()


def test_table_adds_up(committed: pd.DataFrame) -> None:
    total = committed["coverage"] + committed["miss_low"] + committed["miss_high"]
    np.testing.assert_allclose(total, 1, atol=1e-12)
    coverage = committed["coverage"]
    se = np.sqrt(coverage * (1 - coverage) / committed["replicates"])
    np.testing.assert_allclose(committed["se"], se, atol=1e-6)
    assert committed["mean_width"].between(0, 1, inclusive="neither").all()


def test_default_covers_on_average(committed: pd.DataFrame) -> None:
    table = summarise(committed).set_index("method")
    assert 0.94 <= table.loc[DEFAULT, "mean"] <= 0.98


@pytest.mark.parametrize(
    "cell",
    [
        cell_of("equal-variance", 20, 20, 0.90),
        cell_of("sd-ratio-2", 10, 50, 0.90),
        cell_of("five-categories", 10, 10, 0.99),
    ],
    ids=lambda cell: f"{cell.design}-{cell.n_pos}-{cell.n_neg}-{cell.auc}",
)
def test_cell_run_again_agrees(cell: Cell, committed: pd.DataFrame) -> None:
    n = 200
    again = pd.DataFrame(run_cell(cell, n, int(committed["seed"].iloc[0])))
    before = committed.merge(again[[*KEY, "method"]])
    assert list(again["method"]) == list(before["method"])
    p = before["coverage"]
    # Two proportions agree within 4 standard errors of their difference.
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / before["replicates"]))
    assert ((again["coverage"] - p).abs() <= bound).all()


def test_cell_is_a_function_of_itself_and_the_seed() -> None:
    cell = CELLS[7]
    assert run_cell(cell, 5, 1) == run_cell(cell, 5, 1)
    draws = [cell.draw(np.random.default_rng(1), replicates) for replicates in (3, 8)]
    np.testing.assert_array_equal(draws[0], draws[1][:3])


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


def test_resampled_intervals_have_their_table() -> None:
    rows = pd.read_csv(RESAMPLED_TABLE)
    wanted = [
        (cell.design, cell.n_pos, cell.n_neg, cell.auc, name)
        for cell in CELLS
        for name in RESAMPLED_NAMES
    ]
    assert list(rows[[*KEY, "method"]].itertuples(index=False, name=None)) == wanted
    assert (rows["replicates"] >= 2000).all()
    cell = cell_of("equal-variance", 20, 20, 0.90)
    committed = rows[(rows[KEY] == [cell.design, 20, 20, 0.90]).all(axis=1)]
    again = pd.DataFrame(run_cell(cell, 300, 5, family="auc_resampled"))
    p = committed["coverage"].to_numpy()
    noise = np.sqrt(p * (1 - p) * (1 / 300 + 1 / committed["replicates"].to_numpy()))
    assert (np.abs(again["coverage"].to_numpy() - p) < 4 * noise).all()
