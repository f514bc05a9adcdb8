"""The rows of the run: Parquet files of a million rows each, from a seed a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

SEED = 20260419
ROWS_OF_FILE = 10**6
PREVALENCE = 0.1


def write_rows(folder: Path, n_rows: int, seed: int = SEED) -> None:
    """Write files that are not there yet: label, two continuous scores, cluster.

    Labels are 0 and 1. Scores of both predictors are normal and share a part: AUC .80 and .76.
    """
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    folder.mkdir(parents=True, exist_ok=True)
    for i in range(n_rows // ROWS_OF_FILE):
        path = folder / f"{i:04d}.parquet"
        if not path.exists():
            part = path.with_suffix(".part")
            pq.write_table(pa.table(draw(np.random.default_rng([seed, i]), ROWS_OF_FILE)), part)
            part.rename(path)


def draw(rng: np.random.Generator, n: int) -> dict[str, Any]:
    """Return the columns of some rows."""
    label = (rng.random(n) < PREVALENCE).astype(np.int8)
    shared = rng.normal(size=n)
    return {
        "label": label,
        "a": 1.2 * label + 0.7 * shared + rng.normal(scale=0.7, size=n),
        "b": 1.0 * label + 0.7 * shared + rng.normal(scale=0.7, size=n),
        "site": rng.integers(0, 10**5, size=n, dtype=np.int32),
    }
