"""Tests of other areas: array code, true areas, and what is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from tests.oracles import definitions as oracles
from validation.size.other_areas import (
    CELLS,
    KEY,
    KINDS,
    METHODS,
    answer,
    area_over,
    p_values,
    shift_of,
)

COLUMNS = list(KEY)


COMMITTED = "size/other_areas"


@pytest.mark.parametrize("kind", KINDS)
def test_array_code_is_the_package(kind):
    for cell in [c for c in CELLS if c.kind == kind][1::11][:3]:
        scores = cell.draw(np.random.default_rng(6), 3)
        found, _ = p_values(cell, scores)
        for p, one in zip(found, scores, strict=True):
            expected = [answer(cell, one, name)["p_value"] for name in METHODS]
            assert p.tolist() == pytest.approx(expected, abs=1e-9)


def test_t_holds_its_level_in_every_cell(committed):
    assert set(committed["alpha"]) == {0.05}
    assert not committed.loc[committed["method"] == "t", "shortfall"].any()


@pytest.mark.parametrize("kind", ["fpr", "tpr", "folds"])
def test_both_predictors_have_one_true_area(kind):
    over = next(cell.over for cell in CELLS if cell.kind == kind)
    cut = np.linspace(-12, 12, 100_001)
    found = []
    for spread in (1.0, 2.0):
        fpr, tpr = ndtr(-cut), ndtr((shift_of(0.85, spread, over) - cut) / spread)
        # The part of the unit square under the curve, or to its right, inside the range.
        x, height = (fpr, tpr) if over.axis == "fpr" else (tpr, 1 - fpr)
        ends = np.clip(x, over.low, over.high)
        found.append(-np.sum(np.diff(ends) * (height[1:] + height[:-1]) / 2))
        assert found[-1] == pytest.approx(
            area_over(shift_of(0.85, spread, over), spread, over), abs=1e-7
        )
    assert found[0] == pytest.approx(found[1], abs=1e-7)


@pytest.mark.parametrize("kind", ["ovr-weighted", "strata", "clusters", "both-clusters"])
def test_scores_have_the_law_that_the_cell_names(kind):
    cell = next(c for c in CELLS if c[1:6] == (kind, 30, 30, 0.85, 0.6))
    scores = cell.draw(np.random.default_rng(3), 400)
    if len(cell.sizes) > 2:
        others = scores[:, :, 1:, cell.codes == 0]
        assert others.mean() == pytest.approx(0, abs=0.03)
        scores = scores[:, :, 0]
    areas = np.array([[oracles.auc(cell.codes == 0, s) for s in pair] for pair in scores])
    # Pairs inside a cluster of both classes have another area: a thirtieth of all pairs.
    close = 0.01 if kind == "both-clusters" else 4 * areas.std(axis=0).max() / 20
    assert areas.mean(axis=0) == pytest.approx([0.85, 0.85], abs=close)
    neg = scores[..., cell.codes == len(cell.sizes) - 1]
    assert np.mean(neg[:, 0] * neg[:, 1]) == pytest.approx(0.6, abs=0.06)
    assert np.unique(cell.parts, return_counts=True)[1].tolist() == {"strata": [12, 18, 30]}.get(
        kind, [2] * 30
    )
    if kind.endswith("clusters"):
        residual = scores[:, 0] - shift_of(0.85, 1.0, cell.over) * (cell.codes == 0)
        first, second = residual[:, np.argsort(cell.parts).reshape(30, 2)].transpose(2, 0, 1)
        assert np.mean(first * second) == pytest.approx(0.5, abs=0.06)
