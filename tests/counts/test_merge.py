"""Count tables merged: equal to the count of all cases, in any order, within the bound."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from tests import strategies


def parts_of(seed, sizes, digits=1):
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    frame = pd.DataFrame(
        {
            "y": rng.integers(0, 2, n),
            "x": np.round(rng.normal(size=n), digits),
            "site": rng.choice(["a", "b"], n),
        }
    )
    frame.loc[:1, "y"] = [0, 1]
    starts = np.cumsum([0, *sizes])
    parts = [frame[i:j].copy() for i, j in pairwise(starts)]
    for part in parts:  # both classes in each part, as count_scores asks for
        part.loc[part.index[:2], "y"] = [0, 1]
    return pd.concat(parts), parts


SIZES = st.lists(st.integers(2, 40), min_size=3, max_size=3)


def same(first, second):
    pd.testing.assert_frame_equal(pd.DataFrame(first), pd.DataFrame(second), check_exact=True)


@settings(max_examples=10)  # six merged tables each
@given(strategies.SEEDS, SIZES, st.sampled_from([(), "site"]))
def test_merged_exact_counts_are_those_of_all_cases(seed, sizes, by):
    whole, parts = parts_of(seed, sizes)
    tables = [rs.count_scores(part, "y", "x", by=by, exact=True) for part in parts]
    expected = rs.count_scores(whole, "y", "x", by=by, exact=True)
    same(rs.merge_counts(tables), expected)
    same(rs.merge_counts(tables[::-1]), expected)
    same(rs.merge_counts([rs.merge_counts(tables[:2]), tables[2]]), expected)
    same(rs.merge_counts([tables[0], rs.merge_counts(tables[1:])]), expected)


def coarse(frame, width):
    """Cells of a width that is no power of two, and differs between tables."""
    cell = np.floor(frame["x"] / width)
    by_cell = frame.assign(neg=1 - frame["y"]).groupby(cell)
    table = {"score": by_cell["x"].min(), "score_high": by_cell["x"].max()}
    return pd.DataFrame({**table, "n_pos": by_cell["y"].sum(), "n_neg": by_cell["neg"].sum()})


@settings(max_examples=10)  # six merged tables each
@given(strategies.SEEDS, SIZES)
def test_cells_of_any_ends_merge_in_any_order_within_the_bound(seed, sizes):
    whole, parts = parts_of(seed, sizes, digits=3)
    a, b, c = (coarse(part, width) for part, width in zip(parts, (0.05, 0.07, 0.2), strict=True))
    merged = rs.merge_counts([a, b, c])
    same(merged, rs.merge_counts([c, a, b]))
    same(merged, rs.merge_counts([rs.merge_counts([a, b]), c]))
    same(merged, rs.merge_counts([a, rs.merge_counts([b, c])]))
    assert (merged["score_high"][:-1].to_numpy() < merged["score"][1:].to_numpy()).all()
    # The area of all cases, by pairs.
    y, x = whole["y"].to_numpy(), whole["x"].to_numpy()
    pairs = np.subtract.outer(x[y == 1], x[y == 0])
    exact = ((pairs > 0) + (pairs == 0) / 2).mean()
    n_pos, n_neg = merged["n_pos"].to_numpy(), merged["n_neg"].to_numpy()
    found = (n_pos * (np.cumsum(n_neg) - n_neg / 2)).sum() / n_pos.sum() / n_neg.sum()
    mixed = (merged["score"] < merged["score_high"]).to_numpy() * n_pos * n_neg
    assert abs(found - exact) <= mixed.sum() / 2 / n_pos.sum() / n_neg.sum() + 1e-12


def test_an_exact_table_merges_with_one_of_cells():
    exact = pd.DataFrame({"score": [1.0, 2.5], "n_pos": [1, 0], "n_neg": [0, 1]})
    cells = pd.DataFrame({"score": [2.0], "score_high": [3.0], "n_pos": [2], "n_neg": [4]})
    merged = rs.merge_counts([exact, cells])
    assert merged.to_dict("list") == {
        "score": [1.0, 2.0], "score_high": [1.0, 3.0], "n_pos": [1, 2], "n_neg": [0, 5],
    }  # fmt: skip
    about = merged.attrs["rocstats"]
    assert (about["engine"], about["bits"], about["n_cases"]) == ("", None, 8)


def test_cells_that_touch_become_one():
    # Scores of 2 are in both: that they tie is lost if the cells stay apart.
    low = pd.DataFrame({"score": [1.0], "score_high": [2.0], "n_pos": [1], "n_neg": [1]})
    high = pd.DataFrame({"score": [2.0], "score_high": [3.0], "n_pos": [1], "n_neg": [1]})
    assert len(rs.merge_counts([low, high])) == 1


def test_counts_of_a_csv_file_merge_with_those_of_memory(tmp_path):
    cases = {"y": [0, 1, 1, 0], "x": [1, 2, 2, 3], "wave": [1, 1, 2, 2]}
    counts = rs.count_scores(cases, "y", "x", by="wave", exact=True)
    counts.to_csv(tmp_path / "counts.csv", index=False)
    merged = rs.merge_counts([counts, pd.read_csv(tmp_path / "counts.csv")])
    assert merged["n_pos"].tolist() == (2 * counts["n_pos"]).tolist()
    assert merged["wave"].tolist() == counts["wave"].tolist()


ONE = pd.DataFrame({"score": [1.0, 2.0], "n_pos": [1, 0], "n_neg": [0, 1]})
FAULTS = {
    "a single table": (ONE, "`counts` must be a list of count tables, at least one; got DataF"),
    "no table": ([], "`counts` must be a list of count tables, at least one; got list."),
    "groups": (
        [ONE, ONE.assign(site="a")],
        "`counts[1]` must have the same columns of groups as `counts[0]`, which has []; got",
    ),
    "no counts": (
        [ONE.drop(columns="n_neg")],
        "`counts[0]` must be a table of count_scores, with the columns score, n_pos and n_neg; got"
        " none, or several, of ['n_neg'].",
    ),
    "cases without a score": (
        [ONE.assign(score=[1.0, np.nan], n_pos=[1, 3])],
        "`counts[0]` must have a score in each row; got 4 cases without a score.",
    ),
    "no whole number": (
        [ONE.assign(n_pos=[0.5, 1])],
        "`counts[0]['n_pos']` must be whole numbers >= 0; got 0.5 in row 0",
    ),
    "turned": (
        [ONE.assign(score_high=[1.0, 1.5])],
        "`counts[0]` must have score_high >= score in each row; got 1 other rows.",
    ),
    "group without a label": (
        [ONE.assign(site=np.array(["a", None], dtype=object))],
        "`counts[0]['site']` must have no missing labels; got 1.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_tables_that_cannot_be_merged(name):
    tables, message = FAULTS[name]
    with pytest.raises(rs.InputError, match=re.escape(message)):
        rs.merge_counts(tables)
