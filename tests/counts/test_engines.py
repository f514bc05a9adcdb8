"""DuckDB, Dask and Spark: the same table from the same hard data, the same refusals."""

from __future__ import annotations

import re
import warnings
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

import rocstats as rs
from tests.counts import adversarial

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
CASES = {"y": [0, 1, 0, 1], "x": [1.0, 2.0, 3.0, 4.0], "site": ["a", "a", "b", "b"]}
NAN = float("nan")
CASE_TYPES = {"y": pa.int64(), "x": pa.float64(), "site": pa.string()}


def arrow(data, types):
    """The columns with the type given; a missing value is null, and NaN is NaN."""
    arrays = {name: pa.array(values, types.get(name)) for name, values in data.items()}
    return pa.table(arrays)


class DuckDB:
    def frame(self, table):
        import duckdb

        return duckdb.connect().from_arrow(table)


class Dask:
    def frame(self, table):
        import dask.dataframe as dd

        return dd.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype), npartitions=3)


class Spark:
    """One session of two threads for all tests, since it takes seconds to start."""

    def __init__(self, folder):
        from pyspark.sql import SparkSession

        settings = {
            "spark.driver.memory": "1g",
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
        builder = SparkSession.builder.master("local[2]").appName("rocstats")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.folder = folder

    def frame(self, table):
        # From Parquet: rows of Python objects would be read by Python workers at every query.
        path = str(self.folder / f"{len(list(self.folder.iterdir()))}.parquet")
        pq.write_table(table, path)
        return self.session.read.parquet(path)


@pytest.fixture(scope="module", params=[DuckDB, Dask, Spark], ids=lambda kind: kind.__name__)
def engine(request, tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of imports
        warnings.simplefilter("ignore", DeprecationWarning)
        made = request.param(*([tmp_path_factory.mktemp("spark")] * (request.param is Spark)))
    yield made
    if isinstance(made, Spark):
        made.session.stop()


@pytest.fixture(scope="module")
def hard(engine):
    return engine.frame(arrow(DATA, TYPES))


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


def test_bits_are_found_as_in_memory(engine):
    cases = {"y": DATA["sick"], "x": DATA["smooth"], "site": DATA["site"]}
    frame = engine.frame(arrow(cases, {}))
    found = rs.count_scores(frame, "y", "x", by="site", tolerance=1e-4)
    same = rs.count_scores(cases, "y", "x", by="site", tolerance=1e-4)
    pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(same), check_exact=True)
    assert found.attrs["rocstats"]["bits"] == same.attrs["rocstats"]["bits"]


FAULTS: dict[str, Any] = {
    "scores null and NaN": (
        {"x": [1.0, None, NAN, 4.0]},
        {},
        "`score` must have no missing values; got 2 null or NaN in the column 'x'.",
    ),
    "label null": (
        {"y": [0, 1, None, 1]},
        {},
        "`label` must have no missing values; got 1 null or NaN in the column 'y'.",
    ),
    "group null": (
        {"site": ["a", None, None, None]},
        {"by": "site"},
        "`by` must have no missing values; got 3 null or NaN in the column 'site'.",
    ),
    "all null": (
        {"y": [None, None, None, None]},
        {},
        "`label` must have no missing values; got 4 null or NaN in the column 'y'.",
    ),
    "one class": ({"y": [0, 0, 0, 0]}, {}, "`label` must hold both classes; got 0 positives and 4"),
    "third label": ({"y": [0, 1, 2, 1]}, {}, "`label` must hold two classes; got 3 labels:"),
    "text": ({"x": ["1", "2", "3", "4"]}, {}, "`score` must be numbers; got the column 'x' of"),
    "beyond 2^53": (
        {"x": [1, 2, 3, 2**53 + 1]},
        {"exact": True},
        "`score` must be exact as 64-bit floats; got integers",
    ),
    "no rows": ({"y": [], "x": [], "site": []}, {}, "`frame` must have at least one row; got 0."),
    "no column": ({}, {"by": "sit"}, "`by` must name one column of `frame`; got 'sit'"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_counted_is_refused_alike(engine, fault):
    changed, words, message = FAULTS[fault]
    data = {**CASES, **changed}
    types = dict(CASE_TYPES)
    if fault == "text":
        types["x"] = pa.string()
    elif fault == "beyond 2^53":
        types["x"] = pa.int64()
    with pytest.raises(rs.InputError, match=re.escape(message)):
        rs.count_scores(engine.frame(arrow(data, types)), "y", "x", **words)


def test_labels_of_other_types(engine):
    price = {"y": [Decimal("1.00"), Decimal("0.00")] * 2, "x": CASES["x"]}
    frame = engine.frame(arrow(price, {"y": pa.decimal128(10, 2)}))
    assert rs.count_scores(frame, "y", "x", exact=True)["n_pos"].tolist() == [1, 0, 1, 0]
    share = engine.frame(arrow({"y": [1.0, 0.0, 1.0, 0.0], "x": CASES["x"]}, {}))
    assert rs.count_scores(share, "y", "x", exact=True)["n_pos"].tolist() == [1, 0, 1, 0]
