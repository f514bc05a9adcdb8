"""The query that counts scores in a database, in its dialect.

A dialect writes names in quotes, texts, and the type of 64-bit floats in its own way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from rocstats.counts.count import HUGE, LIFT, SMALL, SPLIT, names_given, read_by, read_precision
from rocstats.errors import InputError, require_choice, require_text

# --- Dialects -------------------------------------------------------------------------------------

DialectName = Literal["bigquery", "duckdb", "postgres", "redshift", "snowflake", "spark", "vertica"]


class Dialect(NamedTuple):
    """How a dialect writes names, texts and the type of a 64-bit float."""

    word: DialectName
    float_type: str
    quote: str
    # Whether a backslash in a text escapes what follows it; else a quote is doubled.
    backslash: bool = False
    # Whether it does in a quoted name too.
    backslash_in_names: bool = False

    def name(self, name: str) -> str:
        """Return a name of a column in quotes, its letters as they are."""
        if self.backslash_in_names:
            return f"{self.quote}{_escaped_for_sql(name, self.quote)}{self.quote}"
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def text(self, text: str) -> str:
        """Return a text as a literal."""
        plain = _escaped_for_sql(text, "'") if self.backslash else text.replace("'", "''")
        return f"'{plain}'"

    def number(self, number: float) -> str:
        """Return a float as a literal, all its digits kept."""
        # As a bare literal it would be a decimal number of 38 digits in some dialects, or 0.
        return f"CAST('{number!r}' AS {self.float_type})"


def _escaped_for_sql(text: str, quote: str) -> str:
    plain = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    return plain.replace("\n", "\\n").replace("\r", "\\r")


DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        dialect.word: dialect
        for dialect in (
            Dialect("bigquery", "FLOAT64", "`", backslash=True, backslash_in_names=True),
            Dialect("duckdb", "DOUBLE", '"'),
            Dialect("postgres", "DOUBLE PRECISION", '"'),
            Dialect("redshift", "DOUBLE PRECISION", '"', backslash=True),
            Dialect("snowflake", "DOUBLE PRECISION", '"', backslash=True),
            Dialect("spark", "DOUBLE", "`", backslash=True),
            Dialect("vertica", "DOUBLE PRECISION", '"'),
        )
    }
)


# --- The query ------------------------------------------------------------------------------------


def count_sql(
    dialect: DialectName,
    table: str | Sequence[str],
    label: str,
    score: str,
    *,
    pos_label: str | float | bool | None = None,
    by: str | Sequence[str] = (),
    bits: int | None = None,
    exact: bool = False,
) -> str:
    """Return an SQL query that counts scores in a database; its result is a ``count_scores`` table.

    Use this query if Python cannot access the database, or if only SQL can be reviewed. The query
    reads the table twice, writes nothing, and returns only counts.

    Parameters
    ----------
    dialect : str
        "bigquery", "duckdb", "postgres", "redshift", "snowflake", "spark" or "vertica".
    table : str or sequence of str
        Name of the table, divided at dots: "schema.table". Pass a sequence of parts if a part
        contains a dot.
    label, score : str
        Columns of the class and of the score. Names are quoted: use the same capital or small
        letters as the database (in Snowflake mostly capitals). Scores must be numbers, since
        several databases refuse to cast booleans.
    pos_label : str, float or bool, optional
        Label of the positive class in the database: a text, a number, True or False. Needed unless
        labels are the numbers 0/1 or -1/1.
    by : str or sequence of str, default ()
        Columns of groups.
    bits : int in [1, 50], optional
        Number of significant bits of a cell; 10 by default.
    exact : bool, default False
        Whether to count each distinct score.

    Returns
    -------
    str
        One SELECT statement. Its result has the columns of ``count_scores``: the columns of ``by``,
        then ``score``, ``score_high`` (not with ``exact=True``), ``n_pos`` and ``n_neg``.

    Raises
    ------
    InputError
        If the dialect is unknown; if a name or ``pos_label`` cannot be written in SQL; or if both
        ``bits`` and ``exact`` are passed.

    Notes
    -----
    A case cannot be used if its score, label or group is NULL or NaN, or if it has a third label.
    These cases are counted in a row whose ``score`` is NULL. ``merge_counts`` and
    ``Study.from_counts`` refuse such a row. The error states the number of these cases. The
    negative class is the smallest label other than ``pos_label``.

    The query cannot check the error of its cells: ``Study.from_counts`` reports a bound on the
    error with each result. If the bound is too large, query again with more bits or ``exact=True``.

    The query was tested in DuckDB and PostgreSQL against ``count_scores``. For the other dialects
    only the syntax was checked (for Vertica, the syntax of PostgreSQL).

    References
    ----------
    - Dekker (1971), section 5: splitting a float by multiplication [dekker-1971]

    Examples
    --------
    >>> import rocstats as rs
    >>> query = rs.count_sql("postgres", "clinic.visits", "sick", "risk", exact=True)
    >>> print(query[query.index("SELECT MIN(x)") :].strip())
    SELECT MIN(x) AS "score",
        SUM(positive) AS "n_pos",
        SUM(1 - positive) AS "n_neg"
    FROM roc_scores
    GROUP BY x
    ORDER BY 1
    """
    words = DIALECTS[require_choice("dialect", dialect, tuple(DIALECTS))]
    names = read_by(by)
    for argument, name in (("label", label), ("score", score), *(("by", each) for each in names)):
        _require_sql_name(argument, name)
    bits = read_precision(bits, exact).bits
    parts = [words.name(part) for part in _table_parts(table)]
    groups = [f"roc_group_{k}" for k in range(1, len(names) + 1)]
    source = ".".join(parts)
    taken = [f"{words.name(name)} AS {group}" for name, group in zip(names, groups, strict=True)]
    steps = {
        **_sql_steps_of_cases(words, source, label, score, pos_label, taken),
        "roc_scores": _sql_step_of_score(words, pos_label, groups),
        **({} if bits is None else _sql_steps_of_cells(words, groups, bits)),
    }
    chain = ",\n".join(f"{name} AS (\n{body}\n)" for name, body in steps.items())
    return (
        f"WITH {chain}\n{_sql_select_of_cell_counts(words, names, groups, list(steps)[-1], bits)}"
    )


def _table_parts(table: str | Sequence[str]) -> list[str]:
    """Return the parts of the name of a table; a text is divided at its dots."""
    parts = table.split(".") if isinstance(table, str) else list(names_given(table))
    if not parts or not all(isinstance(part, str) and part for part in parts):
        raise InputError(
            f"`table` must be the name of a table; got {table!r}. Pass 'schema.table', or a list"
            " of its parts if a part contains a dot."
        )
    for part in parts:
        _require_sql_name("table", part)
    return parts


def _require_sql_name(argument: str, name: Any) -> None:
    """Raise InputError for a name that no database has."""
    if isinstance(name, str) and not (name and _is_sql_text(name)):
        raise InputError(
            f"`{argument}` must be a valid name in a database; got {name!r}. Use the same letters"
            " as the database."
        )
    require_text(argument, name)


def _is_sql_text(text: str) -> bool:
    """Return whether a text can stand in a query: no NUL, and no half of a surrogate pair."""
    return not any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text)


def _sql_steps_of_cases(
    words: Dialect, source: str, label: str, score: str, pos_label: Any, groups: list[str]
) -> dict[str, str]:
    """Return the steps that read the table: its cases, and its label that is not positive."""
    y = words.name(label)
    if pos_label is None or _is_number_label(pos_label):
        # 1 and 1.0 are one label; a column of truth values needs pos_label=True.
        y = f"CAST({y} AS {words.float_type})"
    x = f"CAST({words.name(score)} AS {words.float_type})"
    columns = ", ".join([*groups, f"{y} AS roc_label", f"{x} AS roc_raw"])
    steps = {"roc_cases": f"  SELECT {columns}\n  FROM {source}"}
    if not isinstance(pos_label, bool):
        # From the table: PostgreSQL would write down a step that two others read.
        steps["roc_other"] = (
            f"  SELECT MIN({y}) AS other\n  FROM {source}\n"
            f"  WHERE {y} <> {_sql_literal_of_label(words, pos_label)}"
        )
    return steps


# Between the columns of a query: each has a line.
_BETWEEN = ",\n    "


def _sql_step_of_score(words: Dialect, pos_label: Any, groups: list[str]) -> str:
    """Return the step that keeps the score of cases that can be counted, NULL of the others."""
    positive = _sql_literal_of_label(words, pos_label)
    source = "roc_cases" if isinstance(pos_label, bool) else "roc_cases CROSS JOIN roc_other"
    conditions = [
        *_conditions_of_label(pos_label, positive),
        *(f"{group} IS NOT NULL" for group in groups),
        _sql_is_no_nan("roc_raw"),
    ]
    columns = [
        *groups,
        f"CASE WHEN roc_label = {positive} THEN 1 ELSE 0 END AS positive",
        # 0 in place of -0.0, which is the same score.
        f"CASE WHEN {' AND '.join(conditions)}\n"
        "    THEN CASE WHEN roc_raw = 0 THEN 0 ELSE roc_raw END END AS x",
    ]
    return f"  SELECT {_BETWEEN.join(columns)}\n  FROM {source}"


def _conditions_of_label(pos_label: Any, positive: str) -> list[str]:
    if isinstance(pos_label, bool):
        return ["roc_label IS NOT NULL"]
    # A third label equals neither, nor does NULL.
    conditions = [f"(roc_label = {positive} OR roc_label = other)"]
    if pos_label is None:
        conditions.append("roc_label IN (-1, 0, 1)")
    elif _is_number_label(pos_label):
        conditions.append(_sql_is_no_nan("roc_label"))
    return conditions


def _sql_is_no_nan(x: str) -> str:
    # Where NaN equals NaN and exceeds all numbers (PostgreSQL), and where it does not (IEEE 754),
    # it is neither 0 nor different from its negative.
    return f"({x} = 0 OR {x} < -{x} OR {x} > -{x})"


def _sql_steps_of_cells(words: Dialect, groups: list[str], bits: int) -> dict[str, str]:
    """Return the steps from a score to its cell, as ``count.with_cells`` has them."""
    kept = [*groups, "positive", "x"]
    own = f"x = 0 OR ABS(x) > {words.number(HUGE)}"
    small = f"ABS(x) < {words.number(SMALL)}"
    lift, size = words.number(LIFT), "ABS(lifted)"
    whole = "FLOOR(lifted / width) * width"
    lifted = f"CASE WHEN {own} THEN 1\n    WHEN {small} THEN x * {lift}\n    ELSE x END AS lifted"
    rounded = f"{size} * {SPLIT:.0f} - ({size} * {SPLIT:.0f} - {size}) AS binade"
    width = f"CASE WHEN binade > {size} THEN binade / 2 ELSE binade END / {2**bits} AS width"
    cell = (
        f"CASE WHEN {own} THEN x\n    WHEN {small} THEN {whole} / {lift}\n    ELSE {whole} END"
        " AS cell"
    )
    return {
        "roc_lifted": f"  SELECT {_BETWEEN.join([*kept, lifted])}\n  FROM roc_scores",
        "roc_binade": f"  SELECT {_BETWEEN.join([*kept, 'lifted', rounded])}\n  FROM roc_lifted",
        "roc_width": f"  SELECT {_BETWEEN.join([*kept, 'lifted', width])}\n  FROM roc_binade",
        "roc_cells": f"  SELECT {_BETWEEN.join([*kept, cell])}\n  FROM roc_width",
    }


def _sql_select_of_cell_counts(
    words: Dialect, names: Sequence[str], groups: list[str], source: str, bits: int | None
) -> str:
    """Return the query itself: a row for each cell of each group."""
    columns = [
        *(f"{group} AS {words.name(name)}" for group, name in zip(groups, names, strict=True)),
        f"MIN(x) AS {words.name('score')}",
        *([] if bits is None else [f"MAX(x) AS {words.name('score_high')}"]),
        f"SUM(positive) AS {words.name('n_pos')}",
        f"SUM(1 - positive) AS {words.name('n_neg')}",
    ]
    key = ", ".join([*groups, "x" if bits is None else "cell"])
    order = ", ".join(str(k) for k in range(1, len(groups) + 2))
    return f"SELECT {_BETWEEN.join(columns)}\nFROM {source}\nGROUP BY {key}\nORDER BY {order}\n"


def _is_number_label(pos_label: Any) -> bool:
    return isinstance(pos_label, Real) and not isinstance(pos_label, bool)


def _sql_literal_of_label(words: Dialect, pos_label: Any) -> str:
    """Return the label of the positives in SQL."""
    if pos_label is None:
        return "1"
    if isinstance(pos_label, bool):
        return "TRUE" if pos_label else "FALSE"
    if isinstance(pos_label, str) and _is_sql_text(pos_label):
        return words.text(pos_label)
    if isinstance(pos_label, Integral):
        return str(int(pos_label))
    if isinstance(pos_label, Real) and math.isfinite(pos_label):
        return words.number(float(pos_label))
    raise InputError(
        f"`pos_label` must be a text, a number, True or False; got {pos_label!r}. Pass the label"
        " of the positive class in the database."
    )
