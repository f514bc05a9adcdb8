"""The committed simulation of tests of other areas is complete and marked by its rule."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.size.other_areas import (
    CELLS,
    KEY,
    KINDS,
    METHODS,
    TABLE,
    answer,
    p_values,
)

COLUMNS = list(KEY)


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE, keep_default_na=False)


@pytest.mark.parametrize("kind", KINDS)
def test_array_code_is_the_package(kind):
    for cell in [c for c in CELLS if c.kind == kind][1::11][:3]:
        scores = cell.draw(np.random.default_rng(6), 3)
        found, _ = p_values(cell, scores)
        for p, one in zip(found, scores, strict=True):
            expected = [answer(cell, one, name)["p_value"] for name in METHODS]
            assert p.tolist() == pytest.approx(expected, abs=1e-9)
