"""The committed simulations of held-out laws and of partial areas are what the package does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.estimate.areas import AreaTest, estimate_areas, infer_area
from rocstats.study.sample import Sample
from validation.coverage import partial
from validation.coverage.batch import LEVEL, METHODS, areas_of
from validation.coverage.heldout import (
    AT_OTHER_LEVELS,
    OTHER_LEVELS,
    read_heldout,
    read_levels,
    run_heldout_cell,
    summarise_sets,
)
from validation.coverage.heldout_designs import HELDOUT_CELLS, HeldoutCell
from validation.coverage.partial import PARTIAL_CELLS, read_partial, run_partial_cell
from validation.coverage.unequal import UNEQUAL_CELLS, read_unequal

KEY = ["set", "design", "n_pos", "n_neg", "auc"]
RANGE = [*KEY, "range_low", "range_high"]
TABLES = ["committed", "committed_levels", "committed_partial", "committed_unequal"]
DESIGNS = list(dict.fromkeys((cell.set, cell.design) for cell in HELDOUT_CELLS))


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return read_heldout()


@pytest.fixture(scope="module")
def committed_levels() -> pd.DataFrame:
    return read_levels()


@pytest.fixture(scope="module")
def committed_partial() -> pd.DataFrame:
    return read_partial()


@pytest.fixture(scope="module")
def committed_unequal() -> pd.DataFrame:
    return read_unequal()


def cells_of(set_name: str, design: str) -> list[HeldoutCell]:
    return [cell for cell in HELDOUT_CELLS if (cell.set, cell.design) == (set_name, design)]


def cell_of(*key: object) -> HeldoutCell:
    (found,) = (cell for cell in HELDOUT_CELLS if tuple(getattr(cell, name) for name in KEY) == key)
    return found


def rows_of(rows: pd.DataFrame, columns: list[str], cell: object) -> pd.DataFrame:
    names = ["low" if c == "range_low" else "high" if c == "range_high" else c for c in columns]
    same = [rows[c] == getattr(cell, n) for c, n in zip(columns, names, strict=True)]
    return rows[np.logical_and.reduce(same)].set_index("method")


def awkward_scores(cell: HeldoutCell) -> np.ndarray:
    """Eight data sets of a cell: as drawn, with ties, all tied, all ranked right, all wrong."""
    scores = cell.draw(np.random.default_rng((31, cell.position)), 8)
    scores[1:3] = scores[1:3].round()
    scores[3] = 0.0
    scores[4, : cell.n_pos] += 1e6
    scores[5, : cell.n_pos] -= 1e6
    scores[6, 0] = scores[6].max() + 1
    return scores


def agree(again: pd.DataFrame, before: pd.DataFrame) -> None:
    """Require two simulations to agree within 4 standard errors of their difference."""
    before = before.loc[again.index]
    p = before["coverage"]
    noise = np.sqrt(p * (1 - p) * (1 / again["replicates"] + 1 / before["replicates"]))
    assert ((again["coverage"] - p).abs() <= 4 * noise).all()


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


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
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


def test_table_has_every_cell_and_method_once(committed: pd.DataFrame) -> None:
    sizes = [sum(cell.set == name for cell in HELDOUT_CELLS) for name in committed["set"].unique()]
    assert sizes == [60, 180, 140, 330]
    wanted = [
        (*(getattr(cell, name) for name in KEY), method)
        for cell in HELDOUT_CELLS
        for method in METHODS
    ]
    assert list(committed[[*KEY, "method"]].itertuples(index=False, name=None)) == wanted
    assert committed["seed"].nunique() == 1
    fresh = committed["set"] == "held-out-3"
    assert (committed["replicates"] == np.where(fresh, 10_000, 20_000)).all()
    truths = [cell.truth for cell in HELDOUT_CELLS for _ in METHODS]
    np.testing.assert_allclose(committed["truth"], truths, atol=1e-9)


def test_table_of_levels_has_every_cell_and_method_once(committed_levels: pd.DataFrame) -> None:
    wanted = [
        (level, *(getattr(cell, name) for name in KEY), method)
        for level in OTHER_LEVELS
        for cell in HELDOUT_CELLS
        for method in AT_OTHER_LEVELS
    ]
    columns = ["confidence_level", *KEY, "method"]
    assert list(committed_levels[columns].itertuples(index=False, name=None)) == wanted
    assert (committed_levels["replicates"] == 10_000).all()


# docs/methods/simulation.md, "Bounds": under the level less .02, without allowance
@pytest.mark.parametrize("table", TABLES)
def test_marks_follow_from_coverage_and_rule(table: str, request: pytest.FixtureRequest) -> None:
    rows = request.getfixturevalue(table)
    level = rows.get("confidence_level", 0.95)
    # Whole numbers of samples: .95 - .02 is not .93 in floating point.
    hits = (rows["coverage"] * rows["replicates"]).round()
    least = ((level - 0.02) * rows["replicates"]).round(6)
    assert (rows["shortfall"] == (hits < least)).all()


@pytest.mark.parametrize("table", TABLES)
def test_tables_add_up(table: str, request: pytest.FixtureRequest) -> None:
    rows = request.getfixturevalue(table)
    assert not rows.isna().any(axis=None)
    total = rows["coverage"] + rows["miss_low"] + rows["miss_high"]
    np.testing.assert_allclose(total, 1, atol=1e-12)
    se = np.sqrt(rows["coverage"] * (1 - rows["coverage"]) / rows["replicates"])
    np.testing.assert_allclose(rows["se"], se, atol=1e-6)
    assert rows["mean_width"].between(0, 1, inclusive="neither").all()


@pytest.mark.parametrize(
    "key",
    [
        ("tuning", "sd-ratio-2", 10, 50, 0.70),
        ("held-out-1", "t3-shift", 15, 30, 0.80),
        ("held-out-2", "poisson-counts", 9, 14, 0.93),
    ],
    ids=str,
)
def test_cell_run_again_agrees(key: tuple[object, ...], committed: pd.DataFrame) -> None:
    cell = cell_of(*key)
    again = pd.DataFrame(run_heldout_cell(cell, 4000, 77)).set_index("method")
    agree(again, rows_of(committed, KEY, cell))
    assert run_heldout_cell(cell, 50, 1) == run_heldout_cell(cell, 50, 1)


def test_unequal_classes_are_complete_and_run_again_agree(committed_unequal: pd.DataFrame) -> None:
    wanted = [
        (*(getattr(cell, name) for name in KEY), method)
        for cell in UNEQUAL_CELLS
        for method in AT_OTHER_LEVELS
    ]
    assert list(committed_unequal[[*KEY, "method"]].itertuples(index=False, name=None)) == wanted
    assert (committed_unequal["replicates"] == 2000).all()
    cell = UNEQUAL_CELLS[12]
    rows = run_heldout_cell(cell, 2000, 77, methods=AT_OTHER_LEVELS)
    agree(pd.DataFrame(rows).set_index("method"), rows_of(committed_unequal, KEY, cell))


def test_cell_run_again_agrees_at_another_level(committed_levels: pd.DataFrame) -> None:
    cell = cell_of("held-out-3", "t2-over-normal", 35, 70, 0.92)
    rows = run_heldout_cell(cell, 4000, 77, 0.90, AT_OTHER_LEVELS)
    before = committed_levels[committed_levels["confidence_level"] == 0.90]
    agree(pd.DataFrame(rows).set_index("method"), rows_of(before, KEY, cell))


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


def test_partial_table_has_every_cell_and_method_once(committed_partial: pd.DataFrame) -> None:
    closed = list(partial.CLOSED)
    wanted = [
        (cell.set, cell.design, cell.n_pos, cell.n_neg, cell.auc, cell.low, cell.high, method)
        for cell in PARTIAL_CELLS
        for method in [*closed, *(partial.RESAMPLED if cell.set == "named" else ())]
    ]
    rows = committed_partial[[*RANGE, "method"]].itertuples(index=False, name=None)
    assert list(rows) == wanted
    assert (committed_partial.query("n_resamples == 0")["replicates"] >= 4000).all()
    assert (committed_partial.query("n_resamples == 500")["replicates"] >= 1000).all()


def test_partial_cell_run_again_agrees(committed_partial: pd.DataFrame) -> None:
    cell = PARTIAL_CELLS[2]
    before = rows_of(committed_partial[committed_partial["set"] == "named"], RANGE, cell)
    rows = [*run_partial_cell(cell, 800, 3), *run_partial_cell(cell, 120, 3, resampled=True)]
    again = pd.DataFrame(rows).set_index("method")
    agree(again, before)
    np.testing.assert_allclose(again["sd"].iloc[0], before["sd"].iloc[0], rtol=4 / np.sqrt(1600))


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
