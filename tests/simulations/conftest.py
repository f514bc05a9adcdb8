from __future__ import annotations

import pandas as pd
import pytest

from tests.simulations.committed import read


@pytest.fixture(scope="module")
def committed(request: pytest.FixtureRequest) -> pd.DataFrame:
    """The committed table that a file of tests is about: its name is ``COMMITTED``."""
    return read(request.module.COMMITTED)
