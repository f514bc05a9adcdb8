"""Scores counted by cells: the cell of a score, counts in memory, of Polars and of pyarrow."""

from __future__ import annotations

import math
import re
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.counts.count import cell_of_score, with_cells
from tests import strategies
from tests.counts import adversarial
from tests.quick import each

# --- The cell of a score: its definition by fractions, the order of scores, narwhals and numpy ----

POWERS = 2.0 ** np.arange(-1074.0, 1024.0)
NEAR = np.concatenate([POWERS, np.nextafter(POWERS, 0), np.nextafter(POWERS, np.inf), 1.5 * POWERS])
HARD = np.concatenate([NEAR, -NEAR, [0.0, -0.0, np.inf, -np.inf, adversarial.LARGEST]])
BITS = (1, 10, 50)
FLOATS = st.floats(allow_nan=False)


@pytest.mark.parametrize("bits", BITS)
def test_the_cell_is_the_lower_end_of_its_definition(bits):
    some = np.concatenate([HARD[::7], HARD[-5:]])
    expected = [float(adversarial.cell(x, bits)) for x in some.tolist()]
    assert cell_of_score(some, bits).tolist() == expected


@pytest.mark.parametrize("bits", [*BITS, None])
@pytest.mark.parametrize("kind", ["polars", "lazy", "pyarrow"])
def test_narwhals_computes_the_same_bits(kind, bits):
    data = {"x": HARD}
    native = pa.table(data) if kind == "pyarrow" else pl.DataFrame(data)
    frame = nw.from_native(native.lazy() if kind == "lazy" else native)
    found = with_cells(frame, "x", "cell", bits)
    assert found.collect_schema().names() == ["x", "cell"]
    cells = (found.collect() if kind == "lazy" else found)["cell"].to_numpy()
    # Bits, not values: -0.0 must not stand beside 0.0.
    assert cells.tobytes() == cell_of_score(HARD, bits).tobytes()


@given(st.lists(FLOATS, min_size=2), st.integers(1, 50))
def test_the_order_of_scores_is_that_of_their_cells(scores, bits):
    cells = cell_of_score(np.sort(np.array(scores)), bits)
    assert (cells[1:] >= cells[:-1]).all()
    assert (cells <= np.sort(scores)).all()


@given(st.floats(-1e300, 1e300), st.integers(1, 49))
def test_a_bit_more_divides_cells(score, bits):
    neighbours = np.array([np.nextafter(score, -np.inf), score, np.nextafter(score, np.inf)])
    fine, coarse = cell_of_score(neighbours, bits + 1), cell_of_score(neighbours, bits)
    assert (coarse <= fine).all()
    assert ((np.diff(fine) != 0) | (np.diff(coarse) == 0)).all()


# --- Counts ---------------------------------------------------------------------------------------

DATA = adversarial.columns()
FRAMES = {
    "dict": lambda data: data,
    "pandas": pd.DataFrame,
    "polars": lambda data: pl.DataFrame(data, strict=False),
    "lazy": lambda data: pl.LazyFrame(data, strict=False),
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("label", adversarial.LABELS)
def test_counts_are_those_of_the_definition(kind, label):
    frame = FRAMES[kind](DATA)
    words = adversarial.LABELS[label]
    for score in adversarial.SCORES:
        for bits, how in ((10, {"tolerance": 0.999}), (None, {"exact": True})):
            counts = rs.count_scores(frame, label, score, **words, **how)
            expected = adversarial.expected(DATA, label, score, bits, **words)
            assert adversarial.rows_of(counts) == expected, (score, bits)


def test_float32_and_categories_of_labels_are_counted_alike():
    frame = pl.DataFrame(DATA, strict=False).with_columns(
        pl.col("single").cast(pl.Float32), pl.col("state").cast(pl.Categorical)
    )
    words = adversarial.LABELS["state"]
    counts = rs.count_scores(frame, "state", "single", exact=True, **words)
    expected = adversarial.expected(DATA, "state", "single", None, **words)
    assert adversarial.rows_of(counts) == expected


def test_the_table_has_its_types_and_where_it_is_from():
    frame = pl.LazyFrame({"y": [0, 1, 1], "x": [2, 1, 3], "by": [True, False, True]})
    counts = rs.count_scores(frame, "y", "x", by="by")
    assert counts.columns.tolist() == ["by", "score", "score_high", "n_pos", "n_neg"]
    assert counts["by"].tolist() == ["False", "True", "True"]
    kinds = [kind.name for kind in counts.dtypes[1:]]
    assert kinds == ["float64", "float64", "int64", "int64"]
    about = counts.attrs["rocstats"]
    assert about["function"] == "count_scores"
    assert (about["engine"], about["bits"], about["n_cases"]) == ("polars", 10, 3)
    exact = rs.count_scores(frame, "y", "x", exact=True)
    assert exact.columns.tolist() == ["score", "n_pos", "n_neg"]


def area(labels, scores):
    """Mann-Whitney by all pairs."""
    pairs = np.subtract.outer(scores[labels == 1], scores[labels == 0])
    return ((pairs > 0) + (pairs == 0) / 2).mean()


def binned_area(counts):
    """The area of a count table, a row a tie."""
    n_pos, n_neg = counts["n_pos"].to_numpy(), counts["n_neg"].to_numpy()
    below = np.cumsum(n_neg) - n_neg / 2
    return (n_pos * below).sum() / n_pos.sum() / n_neg.sum()


def bound(counts):
    """1/2 sum p_b n_b / (m n) over the rows of more than one score."""
    mixed = counts[counts["score"] < counts["score_high"]]
    pairs = counts["n_pos"].sum() * counts["n_neg"].sum()
    return (mixed["n_pos"] * mixed["n_neg"]).sum() / 2 / pairs


@given(strategies.SEEDS, st.integers(2, 200), st.integers(1, 12))
def test_the_bound_holds_and_the_order_is_kept(seed, size, bits):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(size) % 2)
    x = rng.normal(size=size) * 10.0 ** rng.integers(-5, 5, size)
    exact = area(y, x)
    cells = rs.count_scores({"y": y, "x": x}, "y", "x", tolerance=0.999)
    assert abs(binned_area(cells) - exact) <= bound(cells) + 1e-12
    assert (cells["score_high"][:-1].to_numpy() < cells["score"][1:].to_numpy()).all()
    assert abs(binned_area(rs.count_scores({"y": y, "x": x}, "y", "x", exact=True)) - exact) < 1e-12
    try:
        chosen = rs.count_scores({"y": y, "x": x}, "y", "x", bits=bits)
    except rs.InputError:
        return
    assert abs(binned_area(chosen) - exact) <= bound(chosen) + 1e-12


def delong_se(labels, scores):
    """The standard error from the placements of single cases."""
    pairs = np.subtract.outer(scores[labels == 1], scores[labels == 0])
    wins = (pairs > 0) + (pairs == 0) / 2
    m, n = wins.shape
    return math.sqrt(wins.mean(axis=1).var(ddof=1) / m + wins.mean(axis=0).var(ddof=1) / n)


def lower_ends(x, bits):
    return np.array([float(adversarial.cell(each, bits)) for each in x.tolist()])


def test_too_few_bits_are_refused_with_bits_that_are_enough(rng):
    y, x = np.arange(400) % 2, rng.uniform(1, 2, 400)
    frame = pl.DataFrame({"y": y, "x": x})
    with pytest.raises(rs.InputError) as problem:
        rs.count_scores(frame, "y", "x", bits=3)
    enough = int(re.search(r"Pass bits=(\d+), which is enough", str(problem.value))[1])
    assert "`bits` must keep the error of the area below a tenth" in str(problem.value)
    counts = rs.count_scores(frame, "y", "x", bits=enough)
    # DeLong's standard error of the cases as they are counted, each at the end of its cell.
    assert bound(counts) <= delong_se(y, lower_ends(x, enough)) / 10
    se = delong_se(y, lower_ends(x, 3))
    shown = float(re.search(r"a bound of ([\d.]+) standard errors", str(problem.value))[1])
    coarse = rs.count_scores(frame, "y", "x", tolerance=0.999)
    assert len(coarse) > 8
    cells = lower_ends(x, 3)
    pairs = sum((y[cells == c] == 1).sum() * (y[cells == c] == 0).sum() for c in set(cells))
    assert shown == pytest.approx(pairs / 2 / 200**2 / se, rel=0.05)  # two digits are shown


def test_the_tolerance_is_met_in_every_group(rng):
    y, x = np.arange(3000) % 2, rng.uniform(1, 2, 3000)
    frame = pd.DataFrame({"y": y, "x": x, "site": np.repeat(["a", "b"], [2900, 100])})
    counts = rs.count_scores(frame, "y", "x", by="site", tolerance=1e-5)
    assert 10 < counts.attrs["rocstats"]["bits"] <= 50
    for _, of_site in counts.groupby("site"):
        assert bound(of_site) <= 1e-5
    # Scores one unit in the last place apart have no cells of their own within 50 bits.
    close: dict[str, Any] = {"y": [0, 1, 0, 1], "x": 1 + np.arange(4) * 2.0**-52}
    counts = rs.count_scores(close, "y", "x", tolerance=1e-9)
    assert counts.attrs["rocstats"]["bits"] is None
    assert counts["score"].tolist() == counts["score_high"].tolist() == close["x"].tolist()


# Scores from 1 to 1 + 2^-10, of which ten bits make one cell or two, as in millions of rows.
CLOSE = np.arange(4000) * 2.0**-22 + 1
CLOSE_Y = np.random.default_rng(13).random(4000) < (CLOSE - 1) * 2**10


@pytest.mark.parametrize("kind", ["dict", "polars", "pyarrow"])
def test_without_a_word_as_many_bits_are_taken_as_are_needed(kind):
    frame = FRAMES[kind]({"y": CLOSE_Y, "x": CLOSE})
    counts = rs.count_scores(frame, "y", "x")
    bits = counts.attrs["rocstats"]["bits"]
    assert bits > 10
    # What is enough by definition: DeLong's standard error of the cells, and the bound of the area.
    assert bound(counts) <= delong_se(CLOSE_Y, lower_ends(CLOSE, bits)) / 10
    with pytest.raises(rs.InputError, match=r"`bits` must keep the error of the area below"):
        rs.count_scores(frame, "y", "x", bits=10)
    same = rs.count_scores(frame, "y", "x", bits=bits)
    pd.testing.assert_frame_equal(pd.DataFrame(counts), pd.DataFrame(same))


def test_data_with_room_are_counted_by_ten_bits():
    frame = {"y": np.arange(400) % 2, "x": np.linspace(0.01, 1, 400)}
    assert rs.count_scores(frame, "y", "x").attrs["rocstats"]["bits"] == 10


def test_columns_of_other_lengths_or_orders_are_refused():
    y, x = pd.Series([0, 1, 0, 1]), pd.Series([1.0, 2, 3, 4])
    with pytest.raises(rs.InputError, match="`score` must have the same index as `label`"):
        rs.count_scores({"y": y, "x": x[::-1]}, "y", "x", exact=True)
    with pytest.raises(rs.InputError, match="`score` must have as many rows as `label`"):
        rs.count_scores({"y": y, "x": x[:3].to_list()}, "y", "x", exact=True)


@pytest.mark.parametrize("name", ["*", "^x$", "^.*$"])
@pytest.mark.parametrize("role", ["label", "score", "by", "cluster"])
def test_a_name_that_an_engine_takes_for_other_columns_is_refused(role, name):
    words: dict[str, Any] = {"label": "y", "score": "x", role: name}
    frame = pl.DataFrame({"y": [0, 1, 0, 1], "x": [1.0, 2, 3, 4], "z": [2.0, 1, 4, 3]})
    frame = frame.with_columns(pl.col({"label": "y", "score": "x"}.get(role, "z")).alias(name))
    message = f"`{role}` must not be a pattern (engines would select other columns); got {name!r}"
    for rows in (frame, frame.lazy()):
        more = {"score": ["x", "z"], "cluster": name} if role == "cluster" else {}
        count = rs.count_paired if more else rs.count_scores
        with pytest.raises(rs.InputError, match=re.escape(message)):
            count(rows, **{**words, **more})
    if role != "cluster":  # in memory a name is a name
        found = rs.count_scores(frame.to_arrow(), **words, exact=True)
        plain = rs.count_scores(
            frame.rename({name: "w"}).to_arrow(), **{**words, role: "w"}, exact=True
        )
        assert found.to_numpy().tolist() == plain.to_numpy().tolist()


def test_scores_one_unit_apart_need_exact_counts():
    close = pl.DataFrame({"y": [0, 1, 0, 1], "x": 1 + np.arange(4) * 2.0**-52})
    with pytest.raises(rs.InputError, match=r"Pass exact=True, which is enough"):
        rs.count_scores(close, "y", "x", bits=10)
    counts = rs.count_scores(close, "y", "x")
    assert counts["n_pos"].tolist() == [0, 1, 0, 1]
    assert counts["score"].tolist() == counts["score_high"].tolist() == close["x"].to_list()
    assert counts.attrs["rocstats"]["bits"] is None


FAULTS: dict[str, Any] = {
    **adversarial.FAULTS,
    "words without pos_label": (
        {"y": ["ill", "well", "ill", "well"]},
        {},
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels '",
    ),
}


@each("kind", FRAMES)
@each("fault", FAULTS)
def test_what_cannot_be_counted_is_refused_alike(kind, fault):
    changed, words, message = FAULTS[fault]
    data = {**adversarial.GOOD, **changed}
    if fault == "no rows":
        data = {"y": np.array([], int), "x": np.array([]), "site": np.array([], str)}
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.count_scores(FRAMES[kind](data), "y", "x", **words)


WORDS = {
    "two words": ({"bits": 4, "exact": True}, "got bits= and exact=. Pass one of them."),
    "bits": ({"bits": 51}, "`bits` must be at most 50; got 51. Pass exact=True"),
    "no bits": ({"bits": 0}, "`bits` must be a whole number >= 1; got 0."),
    "tolerance": ({"tolerance": 1.5}, "`tolerance` must be a number strictly between 0 and 1"),
    "group of counts": (
        {"by": ["n_pos"]},
        "`by` must be names of columns, each once and different",
    ),
    "group twice": ({"by": ["site", "site"]}, "got ['site', 'site']. Rename the column first."),
}


@pytest.mark.parametrize("name", WORDS)
def test_words_that_cannot_be_meant(name):
    words, message = WORDS[name]
    with pytest.raises(rs.InputError, match=re.escape(message)):
        rs.count_scores(adversarial.GOOD, "y", "x", **words)


def test_other_objects_are_no_frames():
    with pytest.raises(rs.InputError, match=r"`frame` must be a frame that narwhals reads.*list"):
        rs.count_scores([1, 2], "y", "x")
    with pytest.raises(rs.InputError, match=r"`score` must be numbers; got categories"):
        rs.count_scores(pd.DataFrame(adversarial.GOOD).astype({"x": "category"}), "y", "x")
