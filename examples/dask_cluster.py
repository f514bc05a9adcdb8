"""Compare two predictors in Parquet files on a Dask cluster.

python examples/dask_cluster.py                                        # makes its own rows, here
python examples/dask_cluster.py "s3://bucket/rows/*.parquet" --scheduler tcp://10.0.0.1:8786

The files have the columns ``label`` (0 or 1), ``a`` and ``b`` (scores).
"""

import argparse
import tempfile
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd
from dask.distributed import Client, LocalCluster

import rocstats as rs


def write_rows(folder: Path, n_files: int = 4, n_rows: int = 5000) -> str:
    """Write small files, each with its own seed, and return their pattern."""
    for i in range(n_files):
        rng = np.random.default_rng(i)
        label = rng.integers(0, 2, n_rows)
        shared = label + rng.normal(size=n_rows)
        rows = {name: shared + rng.normal(scale=scale, size=n_rows) for name, scale in SPREAD}
        pd.DataFrame({"label": label, **rows}).to_parquet(folder / f"{i}.parquet")
    return str(folder / "*.parquet")


SPREAD = (("a", 0.5), ("b", 1.0))


def compare(pattern: str) -> None:
    """Print areas and their difference; only counts and sums leave the workers."""
    rows = dd.read_parquet(pattern, columns=["label", "a", "b"])
    pairs = rs.count_paired(rows, "label", ["a", "b"])
    print(pairs)
    print(rs.brief(pairs.auc()).to_string())
    print(rs.brief(pairs.compare_auc()).to_string())


def main() -> None:
    """Run on a cluster that is there, or on two processes of this machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern", nargs="?", help="Parquet files; small ones are made without it")
    parser.add_argument("--scheduler", help="address of a Dask scheduler")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pattern = asked.pattern or write_rows(Path(folder))
        if asked.scheduler:
            with Client(asked.scheduler):
                compare(pattern)
            return
        here = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with here as cluster, Client(cluster):
            compare(pattern)


# Workers are processes that import this file again: they must not run it.
if __name__ == "__main__":
    main()
