"""Tests at margins: array code, what is drawn, and which tests hold their level."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from tests.oracles import definitions as oracles
from validation.size.margins import CELLS, KEY, METHODS, limits_of, parts_of

COLUMNS = list(KEY)


COMMITTED = "size/margins"


def test_without_a_margin_both_sides_are_rejected_at_twice_the_level(committed):
    both = np.where(committed["margin"] == 0, committed["below"], 0.0)
    np.testing.assert_allclose(committed["rejected"], committed["above"] + both, atol=1e-12)
    assert committed["alpha"].tolist() == pytest.approx(
        np.where(committed["margin"] == 0, 0.05, 0.025).tolist()
    )


def test_t_holds_its_level_in_every_cell_without_a_margin(committed):
    rows = committed[(committed["method"] == "t") & (committed["margin"] == 0)]
    assert not rows["shortfall"].any()


# the rule of the note unbalanced-mover
def test_mover_fails_at_a_margin_only_where_its_rows_have_a_note(committed):
    rows = committed[(committed["method"] == "mover") & (committed["margin"] > 0)]
    units = rows[["n_pos", "n_neg"]].div(rows["cluster_size"], axis=0)
    few, many = units.min(axis=1), units.max(axis=1)
    noted = (many > 4 * few) & (few <= 50)
    assert not (rows["shortfall"] & ~noted).any()
    assert (rows["shortfall"] & noted).any()


def test_at_a_margin_mover_rejects_less_often_than_t_and_wald(committed):
    worst = committed[committed["margin"] > 0].groupby("method")["rejected"].max()
    assert worst["mover"] < worst["t"] < worst["wald"]


@pytest.mark.parametrize("position", [0, 4, 34, 46, 88, 110])
def test_array_code_is_the_package(position):
    cell, n = CELLS[position], 12
    pos, neg = cell.draw(np.random.default_rng(4), n)
    answers, _ = limits_of(cell, parts_of(cell, pos, neg))
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    cluster = np.arange(len(y)) // cell.cluster_size if cell.cluster_size > 1 else None
    for i in range(n):
        scores = np.concatenate([pos[i], neg[i]], axis=1)
        study = rs.Study(y, {"a": scores[0], "b": scores[1]}, cluster=cluster)
        for name in METHODS:
            row = study.compare_auc(interval=name).iloc[0]
            expected = [row["ci_low"], row["ci_high"]]
            assert answers[name][i].tolist() == pytest.approx(expected, abs=1e-9)


def test_boundary_rules_are_those_of_the_package():
    (cell,) = (c for c in CELLS if (c.set, c.n_pos, c.n_neg, c.auc_2) == ("size", 10, 50, 0.95))
    pos, neg = cell.draw(np.random.default_rng(4), 400)
    found = parts_of(cell, pos, neg)
    answers, n_ruled = limits_of(cell, found)
    perfect = np.flatnonzero((found.area == 1).any(axis=1))
    assert 0 < len(perfect) <= n_ruled
    y = np.repeat([1, 0], [10, 50])
    for i in perfect[:4]:
        scores = np.concatenate([pos[i], neg[i]], axis=1)
        with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
            row = rs.Study(y, scores.T).compare_auc().iloc[0]
        for name in METHODS:
            assert answers[name][i].tolist() == pytest.approx(
                [row["ci_low"], row["ci_high"]], abs=1e-9
            )


@pytest.mark.parametrize("position", [3, 88, 110])
def test_scores_have_the_law_that_the_cell_names(position):
    cell = CELLS[position]
    pos, neg = cell.draw(np.random.default_rng(3), 400)
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    scores = np.concatenate([pos, neg], axis=2)
    areas = np.array([[oracles.auc(y, score) for score in pair] for pair in scores])
    assert areas.mean(axis=0) == pytest.approx(
        [cell.auc_1, cell.auc_2], abs=4 * areas.std(axis=0).max() / 20
    )
    assert np.mean(neg[:, 0] * neg[:, 1]) == pytest.approx(cell.correlation, abs=0.06)
    size = cell.cluster_size
    if size > 1:
        within = neg[:, 0].reshape(400, -1, size)
        assert np.mean(within[..., 0] * within[..., 1]) == pytest.approx(0.5, abs=0.06)
