"""Folds and clusters: draws, true areas, and what the methods pages say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from tests.simulations.committed import read
from validation.coverage.cluster_df import CELLS as KIND_CELLS
from validation.coverage.roles import CLUSTER_CELLS, FOLD_CELLS, RoleCell

KEY = ["design", "n_parts", "auc"]


def coverage_of(family: str, cell: RoleCell) -> pd.Series:
    rows = read(f"coverage/{family}")
    chosen = rows[(rows[KEY] == [cell.design, cell.n_parts, cell.auc]).all(axis=1)]
    return chosen.set_index("method")["coverage"]


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


def test_kinds_have_the_fewer_shortfalls():
    kinds = read("coverage/cluster_df")
    marks = kinds[["coverage_shortfall", "size_shortfall"]].sum(axis=1).groupby(kinds["rule"]).sum()
    assert marks["kinds"] < marks["clusters"]


def test_the_truth_of_kinds_is_the_mean_of_the_area(rng):
    cell = KIND_CELLS[9]
    assert cell.clusters == (0, 0, 8)
    scores = np.sqrt(0.5) * rng.standard_normal((4000, 2, 8, 1))
    scores = scores[:, :1] + np.sqrt(0.5) * rng.standard_normal((4000, 2, 8, 3))
    pos, neg = (scores[:, k].reshape(4000, -1) for k in (0, 1))
    areas = (pos[:, :, None] + np.sqrt(2) * ndtri(cell.auc) > neg[:, None]).mean(axis=(1, 2))
    assert areas.mean() == pytest.approx(cell.truth, abs=4 * areas.std() / 4000**0.5)
    assert KIND_CELLS[0].truth == pytest.approx(KIND_CELLS[0].auc)
