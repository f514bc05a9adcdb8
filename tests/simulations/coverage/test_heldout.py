"""Held-out distributions and partial areas: array code, true areas, worst cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.estimate.areas import AreaTest, estimate_areas, infer_area
from rocstats.study.sample import Sample
from tests.simulations.committed import read
from validation.coverage import partial
from validation.coverage.batch import LEVEL, METHODS, areas_of
from validation.coverage.heldout import OTHER_LEVELS, summarise_sets
from validation.coverage.heldout_designs import HELDOUT_CELLS, HeldoutCell
from validation.coverage.partial import PARTIAL_CELLS, run_partial_cell

KEY = ["set", "design", "n_pos", "n_neg", "auc"]
RANGE = [*KEY, "range_low", "range_high"]
DESIGNS = list(dict.fromkeys((cell.set, cell.design) for cell in HELDOUT_CELLS))


COMMITTED = "coverage/heldout"


@pytest.fixture(scope="module")
def committed_partial() -> pd.DataFrame:
    return read("coverage/partial")


def cells_of(set_name: str, design: str) -> list[HeldoutCell]:
    return [cell for cell in HELDOUT_CELLS if (cell.set, cell.design) == (set_name, design)]


def awkward_scores(cell: HeldoutCell) -> np.ndarray:
    """Eight data sets of a cell: as drawn, with ties, all tied, all ranked right, all wrong."""
    scores = cell.draw(np.random.default_rng((31, cell.position)), 8)
    scores[1:3] = scores[1:3].round()
    scores[3] = 0.0
    scores[4, : cell.n_pos] += 1e6
    scores[5, : cell.n_pos] -= 1e6
    scores[6, 0] = scores[6].max() + 1
    return scores


@pytest.mark.parametrize("level", [LEVEL, *OTHER_LEVELS])
@pytest.mark.parametrize(("set_name", "design"), DESIGNS)
def test_batch_is_the_package(set_name: str, design: str, level: float) -> None:
    # Limits know the law of the scores through the areas only: some cells of each design do.
    for cell in cells_of(set_name, design)[:: 5 if level == LEVEL else 20]:
        scores = awkward_scores(cell)
        areas = areas_of(scores, cell.n_pos, level)
        is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
        limits = {name: limits_of(areas) for name, limits_of in METHODS.items()}
        found = [
            estimate_areas(Sample(is_positive, row).cases, [0], "delong", spread=True).take(0)
            for row in scores
        ]
        assert areas.value == pytest.approx([area.value for area in found], abs=1e-12)
        assert areas.variance == pytest.approx([area.variance for area in found], abs=1e-12)
        for name in METHODS:
            wanted = [
                infer_area(
                    area,
                    name,
                    AreaTest(level, "two-sided", np.nan),
                )
                for area in found
            ]
            np.testing.assert_allclose(
                limits[name], [(one.ci_low, one.ci_high) for one in wanted], rtol=0, atol=1e-9
            )


@pytest.mark.parametrize(("set_name", "design"), DESIGNS)
def test_batch_is_the_study(set_name: str, design: str) -> None:
    cell = cells_of(set_name, design)[5]
    scores = awkward_scores(cell)
    areas = areas_of(scores, cell.n_pos)
    is_positive = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    # The data sets are predictors of one study, each of which has an area of its own.
    study = rs.Study(is_positive, {str(i): row for i, row in enumerate(scores[:7])})
    for name, limits_of in METHODS.items():
        found = study.auc(interval=name)[["ci_low", "ci_high"]].to_numpy(dtype=float)
        np.testing.assert_allclose(limits_of(areas)[:7], found, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("set_name", "design"), DESIGNS)
def test_truth_is_the_mean_area_of_the_draws(set_name: str, design: str) -> None:
    for cell in cells_of(set_name, design)[-4:]:
        areas = areas_of(cell.draw(np.random.default_rng((5, cell.position)), 1000), cell.n_pos)
        noise = areas.value.std() / np.sqrt(1000)
        assert abs(areas.value.mean() - cell.truth) <= 4 * noise
        assert cell.truth == pytest.approx(cell.auc, abs=1e-9) or "categories" in design


def test_truths_of_the_table_are_those_of_the_cells(committed: pd.DataFrame) -> None:
    truths = [cell.truth for cell in HELDOUT_CELLS for _ in METHODS]
    np.testing.assert_allclose(committed["truth"], truths, atol=1e-9)


def test_effective_wilson_falls_short_in_none_of_the_380_first_settings(
    committed: pd.DataFrame,
) -> None:
    ours = committed.query("method == 'effective-wilson' and set != 'held-out-3'")
    assert len(ours) == 380
    assert not ours["shortfall"].any()


def test_effective_wilson_has_the_best_worst_cells(committed: pd.DataFrame) -> None:
    least = summarise_sets(committed).pivot(index="set", columns="method", values="min")
    others = least[["logit", "logit-t", "newcombe", "wald"]].max(axis=1)
    assert (least["effective-wilson"] > others).all()


def test_the_spread_of_a_partial_area_is_found_again(committed_partial: pd.DataFrame) -> None:
    again = run_partial_cell(PARTIAL_CELLS[2], 800, 3)[0]
    same = (committed_partial[RANGE] == [again[name] for name in RANGE]).all(axis=1)
    assert again["sd"] == pytest.approx(committed_partial.loc[same, "sd"].iloc[0], rel=0.1)


def test_partial_limits_are_those_of_the_study() -> None:
    cell = PARTIAL_CELLS[0]
    scores = cell.draw(np.random.default_rng(2))
    is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
    drawn = partial.closed_limits(Sample(is_positive, scores), cell.over)
    for name in partial.CLOSED:
        frame = rs.Study(is_positive, scores).auc(interval=name, fpr_range=(cell.low, cell.high))
        rate = frame.set_index("quantity").loc["mean_tpr"]
        assert drawn.value == pytest.approx(rate["estimate"], abs=1e-12)
        np.testing.assert_allclose(drawn.limits[name], rate[["ci_low", "ci_high"]].astype(float))


@pytest.mark.parametrize("position", [0, 1, 40, 85, 111])
def test_partial_truth_is_that_of_a_large_sample(position: int) -> None:
    cell = PARTIAL_CELLS[position]
    large = replace(cell, n_pos=40_000, n_neg=40_000)
    is_positive = np.repeat([True, False], 40_000)
    sample = Sample(is_positive, large.draw(np.random.default_rng(9)))
    area = estimate_areas(sample.cases, [0], "delong", cell.over).take(0)
    assert abs(area.value - cell.truth) <= 4 * np.sqrt(area.variance)


def test_effective_wilson_has_the_best_worst_partial_areas(
    committed_partial: pd.DataFrame,
) -> None:
    grid = committed_partial.query("set == 'grid'")
    least = grid.groupby(["range_low", "range_high", "method"])["coverage"].min().unstack()
    others = least[["logit", "logit-t", "wald"]].max(axis=1)
    assert (least["effective-wilson"] > others).all()


def test_standard_error_of_partial_areas_is_right(committed_partial: pd.DataFrame) -> None:
    """Named settings: sd and root-mean-square standard error agree within 3%."""
    named = committed_partial.query("set == 'named'")
    assert (named["rms_se"] / named["sd"]).between(0.97, 1.03).all()
    wald = named[named["method"] == "wald"].set_index(RANGE)["coverage"].to_numpy()
    logit = named[named["method"] == "logit"].set_index(RANGE)["coverage"].to_numpy()
    # Simulated independently beforehand, with 2000 data sets.
    for ours, theirs in (
        (wald, (0.922, 0.921, 0.917, 0.944)),
        (logit, (0.940, 0.947, 0.927, 0.951)),
    ):
        p = np.array(theirs)
        assert (np.abs(ours - p) <= 4 * np.sqrt(p * (1 - p) * (1 / 2000 + 1 / 8000))).all()
