"""For every test and doctest: one thread for each worker, no windows, no figures left open."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

# Before NumPy is loaded. Each worker has a core: more threads of OpenBLAS than cores wait busily
# for each other, which took a tenth of the time of tests/estimate.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    """Close the figures of a test: matplotlib warns of more than 20 open ones."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
