"""The query as a text: its names, its labels, and what it cannot say."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rocstats as rs
from rocstats.counts.sql import DIALECTS

QUOTED = {
    "bigquery": ("`da``y".replace("``", "\\`") + "`", "'it\\'s \\\\ so'"),
    "duckdb": ('"da`y"', "'it''s \\ so'"),
    "postgres": ('"da`y"', "'it''s \\ so'"),
    "redshift": ('"da`y"', "'it\\'s \\\\ so'"),
    "snowflake": ('"da`y"', "'it\\'s \\\\ so'"),
    "spark": ("`da``y`", "'it\\'s \\\\ so'"),
    "vertica": ('"da`y"', "'it''s \\ so'"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_and_texts_are_quoted_as_the_dialect_has_them(dialect):
    query = rs.count_sql(dialect, "a.b", "y", "x", by="da`y", pos_label="it's \\ so")
    name, text = QUOTED[dialect]
    assert f"SELECT {name} AS roc_group_1" in query
    assert f"roc_group_1 AS {name}" in query
    assert f"CASE WHEN roc_label = {text} THEN 1" in query
    quote = name[0]
    assert f"FROM {quote}a{quote}.{quote}b{quote}\n" in query


def test_a_quote_in_a_name_is_doubled():
    query = rs.count_sql("postgres", ["my.db", 'odd"name'], "y", "x")
    assert 'FROM "my.db"."odd""name"\n' in query


@pytest.mark.parametrize("dialect", DIALECTS)
def test_cells_need_no_logarithm_and_no_power(dialect):
    query = rs.count_sql(dialect, "t", "y", "x", bits=7)
    assert not re.search(r"\b(LOG|LN|LOG2|POW|POWER|EXP|ROUND)\b *\(", query, re.IGNORECASE)
    assert "/ 128 AS width" in query
    assert "roc_width" not in rs.count_sql(dialect, "t", "y", "x", exact=True)


def test_labels_of_each_kind():
    numbers = rs.count_sql("duckdb", "t", "y", "x")
    assert "roc_label IN (-1, 0, 1)" in numbers
    assert 'CAST("y" AS DOUBLE) AS roc_label' in rs.count_sql("duckdb", "t", "y", "x", pos_label=2)
    truth = rs.count_sql("duckdb", "t", "y", "x", pos_label=True)
    assert "roc_label = TRUE THEN 1" in truth
    assert "roc_other" not in truth


FAULTS: dict[str, Any] = {
    "dialect": ({"dialect": "mysql"}, "`dialect` must be one of 'bigquery', 'duckdb', 'postgres'"),
    "table": ({"table": "a..b"}, "`table` must be the name of a table; got 'a..b'. Pass 'schema."),
    "label": ({"label": 3}, "`label` must be a text; got 3."),
    "score": ({"score": None}, "`score` must be a text; got None."),
    "pos_label": ({"pos_label": [1]}, "`pos_label` must be a text, a number, True or False; got"),
    "nan": (
        {"pos_label": float("nan")},
        "`pos_label` must be a text, a number, True or False; got",
    ),
    "by": ({"by": "score"}, "`by` must be names of columns, each once and none of"),
    "empty label": ({"label": ""}, "`label` must be a name that a database can have; got ''."),
    "empty score": ({"score": ""}, "`score` must be a name that a database can have; got ''."),
    "empty group": ({"by": ["g", ""]}, "`by` must be a name that a database can have; got ''."),
    "empty table": ({"table": ""}, "`table` must be the name of a table; got ''."),
    "a NUL": ({"label": "a\0"}, "`label` must be a name that a database can have; got 'a\\x00'."),
    "half a surrogate pair": (
        {"table": ["a", "\ud800"]},
        "`table` must be a name that a database can have; got '\\ud800'.",
    ),
    "a NUL in the label": (
        {"pos_label": "a\0"},
        "`pos_label` must be a text, a number, True or False; got 'a\\x00'.",
    ),
    "both": ({"bits": 5, "exact": True}, "got bits= and exact=. Pass one of them."),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_no_query_can_say(fault):
    changed, message = FAULTS[fault]
    words = {"dialect": "duckdb", "table": "t", "label": "y", "score": "x", **changed}
    with pytest.raises(rs.InputError, match=re.escape(message)):
        rs.count_sql(**words)
