"""The query: as a text, run in DuckDB and in PostgreSQL, and parsed in every dialect."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rocstats as rs
from rocstats.counts.sql import DIALECTS
from tests.counts import adversarial

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
    "by": ({"by": "score"}, "`by` must be names of columns, each once and different"),
    "empty label": ({"label": ""}, "`label` must be a valid name in a database; got ''."),
    "empty score": ({"score": ""}, "`score` must be a valid name in a database; got ''."),
    "empty group": ({"by": ["g", ""]}, "`by` must be a valid name in a database; got ''."),
    "empty table": ({"table": ""}, "`table` must be the name of a table; got ''."),
    "a NUL": ({"label": "a\0"}, "`label` must be a valid name in a database; got 'a\\x00'."),
    "half a surrogate pair": (
        {"table": ["a", "\ud800"]},
        "`table` must be a valid name in a database; got '\\ud800'.",
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


# --- The query run --------------------------------------------------------------------------------

DATA = adversarial.columns()
# A name that needs its quotes, and one that is a name of the query's own.
NAMES = {"sick": 'the "label"', "ulp": "roc_score", "site": "da`y"}
KINDS = {str: "TEXT", bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE PRECISION"}
NAN, INF = float("nan"), float("inf")


def program(name):
    """The path of a program of PostgreSQL, which Debian keeps out of the path of programs."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(places[-1]) if places else shutil.which(name) or name


@pytest.fixture(scope="module")
def postgres():
    """A server of this test alone, which listens at a socket in its folder."""
    import psycopg

    # Not in the folder of pytest, which no other user may read: the server does not run as root.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        as_user = []
        if os.geteuid() == 0:
            as_user = ["runuser", "-u", "nobody", "--"]
            shutil.chown(folder, "nobody")

        def run(*command):
            subprocess.run([*as_user, *command], check=True, cwd="/", stdout=subprocess.DEVNULL)

        data = f"{folder}/data"
        run(program("initdb"), "-D", data, "-A", "trust", "-U", "tester", "-N")
        settings = f"-k {folder} -c listen_addresses='' -c fsync=off"
        control = [program("pg_ctl"), "-D", data, "-w"]
        run(*control, "-l", f"{folder}/log", "-o", settings, "start")
        try:
            where = f"host={folder} user=tester dbname=postgres"
            with psycopg.connect(where, autocommit=True) as connection:
                yield connection
        finally:
            run(*control, "-m", "immediate", "stop")


class Database:
    """A connection that DuckDB and PostgreSQL are asked by alike."""

    def __init__(self, connection, dialect):
        self.dialect = dialect
        self.execute = connection.execute
        self.mark = "%s" if dialect == "postgres" else "?"

    def fill(self, data):
        """Make the table of the columns."""
        kinds = {
            name: KINDS[type(next((x for x in values if x is not None), 0.0))]
            for name, values in data.items()
        }
        self.execute('DROP TABLE IF EXISTS "case table"')
        quoted = DIALECTS[self.dialect].name
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in kinds.items())
        self.execute(f'CREATE TABLE "case table" ({columns})')
        marks = ", ".join(f"CAST({self.mark} AS {kind})" for kind in kinds.values())
        for row in zip(*data.values(), strict=True):
            self.execute(f'INSERT INTO "case table" VALUES ({marks})', row)

    def counts(self, label, score, **words):
        """The rows of the query, with the names that it gives."""
        found = self.execute(rs.count_sql(self.dialect, ["case table"], label, score, **words))
        return pd.DataFrame(found.fetchall(), columns=[column[0] for column in found.description])


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def database(request):
    if request.param == "postgres":
        return Database(request.getfixturevalue("postgres"), "postgres")
    import duckdb

    return Database(duckdb.connect(), "duckdb")


@pytest.fixture(scope="module")
def hard(database):
    kept = {name: values for name, values in DATA.items() if name != "money"}
    database.fill({NAMES.get(name, name): values for name, values in kept.items()})
    return database


@pytest.mark.engines
@pytest.mark.parametrize("score", ["ulp", "edges", "smooth", "single", "whole"])
@pytest.mark.parametrize("bits", [10, 50, None])
def test_the_query_counts_as_python_does(hard, score, bits):
    words = {"exact": True} if bits is None else {"bits": bits}
    found = hard.counts(NAMES["sick"], NAMES.get(score, score), by=[NAMES["site"], "wave"], **words)
    expected = adversarial.expected(DATA, "sick", score, bits, by=["site", "wave"])
    assert list(found.columns)[:2] == [NAMES["site"], "wave"]
    found["wave"] = found["wave"].astype(str)
    numbers = {name: found[name].astype(float) for name in found.columns[2:]}
    assert adversarial.rows_of(found.assign(**numbers)) == expected


@pytest.mark.engines
@pytest.mark.parametrize(("label", "positive"), [("state", "ill"), ("flag", True), ("sign", None)])
def test_labels_of_each_kind_are_counted(hard, label, positive):
    found = hard.counts(label, "whole", pos_label=positive, bits=10).astype(float)
    expected = adversarial.expected(DATA, label, "whole", 10, pos_label=positive)
    assert adversarial.rows_of(found) == expected


UNCOUNTED: dict[str, Any] = {
    "null score": ({"x": [1.0, None, None, 4.0]}, {}, 2),
    "nan score": ({"x": [1.0, NAN, 3.0, INF]}, {}, 1),
    "null label": ({"y": [0, 1, None, 1]}, {}, 1),
    "nan label": ({"y": [0.0, 1.0, NAN, 1.0]}, {}, 1),
    "nan beside 2": ({"y": [2.0, 1.0, NAN, 1.0]}, {"pos_label": 2}, 1),
    "null group": ({"site": ["a", None, None, None]}, {"by": "site"}, 3),
    "third number": ({"y": [0, 1, 2, 1]}, {}, 1),
    "both 0 and -1": ({"y": [0, 1, -1, 1]}, {}, 1),
    "third text": ({"y": ["ill", "well", "?", "?"]}, {"pos_label": "ill"}, 1),
    "null truth": ({"y": [True, None, False, None]}, {"pos_label": True}, 2),
}


@pytest.mark.engines
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("fault", UNCOUNTED)
def test_cases_that_cannot_be_counted_are_a_row_without_a_score(database, fault, exact):
    changed, words, number = UNCOUNTED[fault]
    data = {"y": [0, 1, 0, 1], "x": [1.0, 2.0, 3.0, 4.0], "site": ["a", "a", "b", "b"], **changed}
    database.fill(data)
    counts = database.counts("y", "x", exact=exact, **words)
    without = counts[counts["score"].isna()]
    assert int((without["n_pos"] + without["n_neg"]).sum()) == number
    assert int((counts["n_pos"] + counts["n_neg"]).sum()) == 4
    with pytest.raises(rs.InputError, match=f"got {number} cases without a score"):
        rs.merge_counts([counts])


@pytest.mark.engines
def test_an_empty_table_has_no_counts(database):
    database.fill({"y": [1], "x": [1.0]})
    database.execute('DELETE FROM "case table"')
    assert len(database.counts("y", "x")) == 0


PARSED = [
    {},
    {"exact": True},
    {"pos_label": "it's \\ so", "by": ['a "b"', "c`d"]},
    {"pos_label": True},
    {"pos_label": 2.5, "bits": 20},
]


@pytest.mark.engines
@pytest.mark.parametrize("words", PARSED)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_parses(dialect, words):
    import sqlglot

    # sqlglot has no Vertica, whose syntax was PostgreSQL's at first.
    known = "postgres" if dialect == "vertica" else dialect
    query = rs.count_sql(dialect, "clinic.visits", "sick", "risk", **words)
    (parsed,) = sqlglot.parse(query, read=known)
    expected = [*words.get("by", ()), "score", "score_high", "n_pos", "n_neg"]
    if words.get("exact"):
        expected.remove("score_high")
    assert parsed.named_selects == expected
    if "by" in words:
        texts = [each.this for each in parsed.find_all(sqlglot.exp.Literal) if each.is_string]
        assert words["pos_label"] in texts
