"""DuckDB, Dask and Spark: the same tables from hard data, the same refusals, the same answers.

Dask and Spark read parquet files by processes of their own; only counts and sums come back, and
frames are those of the rows in memory.
"""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

import rocstats as rs
from tests.counts import adversarial
from tests.counts.pairs import pairs_of, require_equal, rows, study_of

pytestmark = [
    pytest.mark.engines,
    # narwhals announces that Dask needs another package in future; PySpark 4 that pandas 3 may.
    pytest.mark.filterwarnings("ignore:Dask support is moving out of Narwhals:FutureWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

DATA = adversarial.columns()
TYPES = {
    "single": pa.float32(),
    "money": pa.decimal128(10, 2),
    "wave": pa.int8(),
    "whole": pa.int64(),
}
CASE_TYPES = {"y": pa.int64(), "x": pa.float64(), "site": pa.string()}


def arrow(data, types):
    """The columns with the type given; a missing value is null, and NaN is NaN."""
    arrays = {name: pa.array(values, types.get(name)) for name, values in data.items()}
    return pa.table(arrays)


@pytest.fixture(scope="module")
def spark():
    """One session of two threads for all tests, since it takes seconds to start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of imports
        warnings.simplefilter("ignore", DeprecationWarning)
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[2]").appName("rocstats")
        settings = {
            "spark.driver.memory": "1g",
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module", params=["duckdb", "dask", "spark"])
def framed(request, tmp_path_factory):
    """Return what makes a frame of an engine from a table of Arrow."""
    if request.param == "duckdb":
        import duckdb

        return lambda table: duckdb.connect().from_arrow(table)
    if request.param == "dask":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of imports
            warnings.simplefilter("ignore", DeprecationWarning)
            import dask.dataframe as dd

        types = {"types_mapper": pd.ArrowDtype}
        return lambda table: dd.from_pandas(table.to_pandas(**types), npartitions=3)
    session, folder = request.getfixturevalue("spark"), tmp_path_factory.mktemp("spark")

    def frame(table):
        # From Parquet: rows of Python objects would be read by Python workers at every query.
        path = str(folder / f"{len(list(folder.iterdir()))}.parquet")
        pq.write_table(table, path)
        return session.read.parquet(path)

    return frame


@pytest.fixture(scope="module")
def hard(framed):
    return framed(arrow(DATA, TYPES))


@pytest.mark.parametrize("score", adversarial.SCORES)
def test_all_engines_give_the_same_table(hard, score):
    # Spark takes a second a table: labels of each kind are counted with one score only.
    for label in adversarial.LABELS if score == "ulp" else ("sick", "state"):
        words = adversarial.LABELS[label]
        bits, how = (None, {"exact": True}) if label == "sick" else (10, {"tolerance": 0.999})
        counts = rs.count_scores(hard, label, score, **words, **how)
        expected = adversarial.expected(DATA, label, score, bits, **words)
        assert adversarial.rows_of(counts) == expected, label
        assert counts.dtypes["n_pos"] == "int64"


def test_bits_are_found_as_in_memory(framed):
    cases = {"y": DATA["sick"], "x": DATA["smooth"], "site": DATA["site"]}
    frame = framed(arrow(cases, {}))
    found = rs.count_scores(frame, "y", "x", by="site", tolerance=1e-4)
    same = rs.count_scores(cases, "y", "x", by="site", tolerance=1e-4)
    pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(same), check_exact=True)
    assert found.attrs["rocstats"]["bits"] == same.attrs["rocstats"]["bits"]


FAULTS: dict[str, Any] = {
    **adversarial.FAULTS,
    "all null": (
        {"y": [None, None, None, None]},
        {},
        "`label` must have no missing values; got 4 null or NaN in the column 'y'.",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_counted_is_refused_alike(framed, fault):
    changed, words, message = FAULTS[fault]
    kinds = {"text": pa.string(), "whole numbers beyond 2^53": pa.int64()}
    types = {**CASE_TYPES, "x": kinds.get(fault, pa.float64())}
    frame = framed(arrow({**adversarial.GOOD, **changed}, types))
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.count_scores(frame, "y", "x", **words)


def test_labels_of_other_types(framed):
    price = {"y": [Decimal("1.00"), Decimal("0.00")] * 2, "x": adversarial.GOOD["x"]}
    frame = framed(arrow(price, {"y": pa.decimal128(10, 2)}))
    assert rs.count_scores(frame, "y", "x", exact=True)["n_pos"].tolist() == [1, 0, 1, 0]
    share = framed(arrow({"y": [1.0, 0.0, 1.0, 0.0], "x": adversarial.GOOD["x"]}, {}))
    assert rs.count_scores(share, "y", "x", exact=True)["n_pos"].tolist() == [1, 0, 1, 0]


# --- Parquet files read by processes --------------------------------------------------------------

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
def spark_rows(files, spark):
    return spark.read.parquet(str(files))


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
