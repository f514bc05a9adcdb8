"""Parquet files read by processes: Dask's workers and Spark's, and DuckDB beside them.

Only counts and sums come back; frames are those of the rows in memory.
"""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import rocstats as rs
from tests.counts.pairs import pairs_of, require_equal, rows, study_of

pytestmark = [
    pytest.mark.engines,
    # Of narwhals, whose part for Dask will be a package of its own.
    pytest.mark.filterwarnings("ignore:Dask support is moving out:FutureWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
EXAMPLES = Path(__file__).parents[2] / "examples"
N_FILES = 4


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the folder of Parquet files of the rows."""
    folder = tmp_path_factory.mktemp("rows")
    frame = rows(2000)
    for i in range(N_FILES):
        # Every file has some rows of each group.
        frame[i::N_FILES].to_parquet(folder / f"{i}.parquet", index=False)
    return folder


@pytest.fixture(scope="module")
def dask_rows(files):
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        assert len({worker.pid for worker in cluster.workers.values()}) == 2
        assert client.submit(lambda: 1).result() == 1
        yield dd.read_parquet(files)


@pytest.fixture(scope="module")
def spark_rows(files):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("rocstats")
    settings = {
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session.read.parquet(str(files))
    session.stop()


@pytest.fixture(scope="module")
def duckdb_rows(files):
    import duckdb

    # Not the default connection: what is joined to the rows must be of theirs.
    with duckdb.connect() as connection:
        yield connection.read_parquet(f"{files}/*.parquet")


@pytest.fixture(params=["duckdb", "dask", "spark"])
def engine_rows(request):
    return request.getfixturevalue(f"{request.param}_rows")


def test_counts_are_those_of_memory(engine_rows):
    frame = rows(2000)
    for options in ({"exact": True}, {"bits": 14, "by": "site"}):
        pd.testing.assert_frame_equal(
            rs.count_scores(engine_rows, "label", "b", **options),
            rs.count_scores(frame, "label", "b", **options),
        )


@pytest.mark.parametrize("roles", [{}, {"cluster": "patient", "by": "site"}], ids=str)
def test_pairs_are_those_of_memory(engine_rows, roles):
    pairs = pairs_of(engine_rows, **roles)
    require_equal(pairs, study_of(rows(2000), **roles), across_groups="by" in roles)


@pytest.mark.parametrize("engine", ["duckdb", "dask"])  # the cells of Spark are tested above
def test_bins_are_those_of_memory(request, engine):
    binned = pairs_of(request.getfixturevalue(f"{engine}_rows"), bits=14)
    frame = rows(2000)
    expected = pairs_of(frame, bits=14).compare_auc()
    pd.testing.assert_frame_equal(binned.compare_auc(), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["dask_cluster.py", "spark_cluster.py"])
def test_an_example_runs_as_it_is_written(name):
    command = [sys.executable, "-W", "ignore", str(EXAMPLES / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "PairedCounts" in done.stdout
    assert "reference" in done.stdout
