"""The committed simulations of folds and clusters are complete, sound, and of today's package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from validation.bounds import too_high, too_low
from validation.coverage.cluster_df import ALPHA, LEVEL, RULES, read_cluster_df, run_cell
from validation.coverage.cluster_df import CELLS as KIND_CELLS
from validation.coverage.roles import (
    CLUSTER_CELLS,
    CLUSTER_NAMES,
    CLUSTERS,
    FOLD_CELLS,
    FOLD_NAMES,
    ROLE_FAMILIES,
    RoleCell,
    run_role_cell,
)

FOLDER = Path(__file__).parents[3] / "validation" / "coverage"
KEY = ["design", "n_parts", "auc"]


def committed(family: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / f"{family}.csv")


def coverage_of(family: str, cell: RoleCell) -> pd.Series:
    rows = committed(family)
    chosen = rows[(rows[KEY] == [cell.design, cell.n_parts, cell.auc]).all(axis=1)]
    return chosen.set_index("method")["coverage"]


@pytest.mark.parametrize(
    ("family", "cells", "names"),
    [("auc_folds", FOLD_CELLS, FOLD_NAMES), ("auc_clusters", CLUSTER_CELLS, CLUSTER_NAMES)],
)
def test_table_has_every_cell_and_method_once_and_adds_up(family, cells, names):
    rows = committed(family)
    wanted = [(cell.design, cell.n_parts, cell.auc, name) for cell in cells for name in names]
    assert list(rows[[*KEY, "method"]].itertuples(index=False, name=None)) == wanted
    assert (rows["replicates"] >= 2000).all()
    assert rows["seed"].nunique() == 1
    total = rows["coverage"] + rows["miss_low"] + rows["miss_high"]
    np.testing.assert_allclose(total, 1, atol=1e-12)
    se = np.sqrt(rows["coverage"] * (1 - rows["coverage"]) / rows["replicates"])
    np.testing.assert_allclose(rows["se"], se, atol=1e-6)


# docs/methods/areas.md, "Folds": 10 folds of 3 + 10 and 5 folds of 5 + 45, AUC .9; printed to three
# digits
@pytest.mark.parametrize(
    ("position", "printed"), [(1, (0.957, 0.891, 0.928)), (3, (0.935, 0.884, 0.912))]
)
def test_coverage_of_cross_validated_areas_is_what_the_methods_page_says(position, printed):
    cell = FOLD_CELLS[position]
    assert (cell.n_parts, cell.auc) == ((10, 0.9) if position == 1 else (5, 0.9))
    found = coverage_of("auc_folds", cell)
    names = ("foldwise-delong/logit", "ledell/wald", "ledell/logit")
    for name, p in zip(names, printed, strict=True):
        # The page does not say how many samples its shares are of: 2000 are taken.
        assert found[name] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) * (1 / 2000 + 1 / 4000)))


# docs/methods/effective-size.md, "Coverage of the effective sample size": 15 or 30 clusters,
# intraclass correlation .5, AUC .8 and .95, 3000 replicates
def test_effective_wilson_covers_clusters_as_the_method_text_says():
    found = pd.concat([coverage_of("auc_clusters", cell) for cell in CLUSTER_CELLS[:8]])
    noise = 4 * np.sqrt(0.95 * 0.05 * (1 / 3000 + 1 / 4000))
    ours = found["obuchowski/effective-wilson"]
    assert ours.min() >= 0.950 - noise
    assert ours.max() <= 0.977 + noise
    assert found["obuchowski/logit"].min() >= 0.916 - noise
    assert found["clusters-ignored/logit"].min() >= 0.857 - noise


@pytest.mark.parametrize(
    ("family", "position"),
    [("auc_folds", 1), ("auc_folds", 3), ("auc_clusters", 1), ("auc_clusters", 4)],
)
def test_cell_run_again_agrees(family, position):
    cell, n = ROLE_FAMILIES[family][0][position], 150
    again = pd.DataFrame(run_role_cell(cell, family, n, 7)).set_index("method")["coverage"]
    p = coverage_of(family, cell)
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / 4000))
    assert list(again.index) == list(p.index)
    assert ((again - p).abs() <= bound).all()


def test_cell_is_a_function_of_itself_and_the_seed():
    cell = CLUSTER_CELLS[2]
    draws = [cell.draw(np.random.default_rng(1), replicates) for replicates in (3, 8)]
    np.testing.assert_array_equal(draws[0], draws[1][:3])
    alone = CLUSTERS.run([cell], replicates=4, seed=1)
    assert alone.equals(CLUSTERS.run([cell], replicates=4, seed=1))
    assert len(alone) == len(CLUSTER_NAMES)


@pytest.mark.parametrize("cell", [FOLD_CELLS[2], CLUSTER_CELLS[0], CLUSTER_CELLS[4]])
def test_scores_have_the_law_that_the_cell_names(cell):
    n, parts = 4000, cell.parts
    scores = cell.draw(np.random.default_rng(3), n)
    centred = scores - cell.is_positive * np.sqrt(2) * ndtri(cell.auc)
    assert centred.mean(axis=0) == pytest.approx(0, abs=5 / np.sqrt(n))
    assert centred.var(axis=0) == pytest.approx(1, abs=5 * np.sqrt(2 / n))
    for other in (1, len(parts) - 1):
        expected = cell.correlation if parts[0] == parts[other] else 0.0
        assert np.mean(centred[:, 0] * centred[:, other]) == pytest.approx(
            expected, abs=5 * np.sqrt((1 + expected**2) / n)
        )


def test_clusters_apart_hold_one_class_each():
    cell = CLUSTER_CELLS[4]
    assert cell.apart
    classes = [set(cell.is_positive[cell.parts == part]) for part in np.unique(cell.parts)]
    assert len(classes) == 2 * cell.n_parts
    assert all(len(found) == 1 for found in classes)


KIND_SETTING = ["pos", "neg", "both", "auc", "rule"]


@pytest.fixture(scope="module")
def kinds() -> pd.DataFrame:
    return read_cluster_df()


def test_marks_of_kinds_follow_from_the_rule(kinds):
    assert len(kinds) == len(KIND_CELLS) * len(RULES)
    short = too_low(kinds["coverage"], LEVEL, kinds["usable"])
    large = too_high(kinds["size"], ALPHA, kinds["replicates"])
    assert kinds["coverage_shortfall"].tolist() == short.tolist()
    assert kinds["size_shortfall"].tolist() == large.tolist()


def test_kinds_have_the_fewer_shortfalls(kinds):
    marks = kinds[["coverage_shortfall", "size_shortfall"]].sum(axis=1).groupby(kinds["rule"]).sum()
    assert marks["kinds"] < marks["clusters"]


def test_a_cell_of_kinds_agrees_with_a_short_run_of_it(kinds):
    # four errors of both runs: docs/methods/simulation.md, "When two simulated shares agree"
    rows = run_cell(KIND_CELLS[6], 200, 1)
    committed = kinds.iloc[12:14].to_dict("records")
    for row, stored in zip(rows, committed, strict=True):
        assert [row[name] for name in KIND_SETTING] == [stored[name] for name in KIND_SETTING]
        for share in ("coverage", "size"):
            p = (row[share] + stored[share]) / 2
            error = (p * (1 - p) * (1 / 200 + 1 / 4000)) ** 0.5
            assert abs(row[share] - stored[share]) <= 4 * error


def test_the_truth_of_kinds_is_the_mean_of_the_area(rng):
    cell = KIND_CELLS[9]
    assert cell.clusters == (0, 0, 8)
    scores = np.sqrt(0.5) * rng.standard_normal((4000, 2, 8, 1))
    scores = scores[:, :1] + np.sqrt(0.5) * rng.standard_normal((4000, 2, 8, 3))
    pos, neg = (scores[:, k].reshape(4000, -1) for k in (0, 1))
    areas = (pos[:, :, None] + np.sqrt(2) * ndtri(cell.auc) > neg[:, None]).mean(axis=(1, 2))
    assert areas.mean() == pytest.approx(cell.truth, abs=4 * areas.std() / 4000**0.5)
    assert KIND_CELLS[0].truth == pytest.approx(KIND_CELLS[0].auc)
