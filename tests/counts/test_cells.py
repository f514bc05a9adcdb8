"""The cell of a score: its definition by fractions, the order of scores, narwhals and numpy."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocstats.counts.count import cell_of_score, with_cells
from tests.counts import adversarial

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
