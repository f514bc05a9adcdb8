"""What SQL dialects write differently: names in quotes, texts, and the type of 64-bit floats."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

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
            return f"{self.quote}{_escaped(name, self.quote)}{self.quote}"
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def text(self, text: str) -> str:
        """Return a text as a literal."""
        plain = _escaped(text, "'") if self.backslash else text.replace("'", "''")
        return f"'{plain}'"

    def number(self, number: float) -> str:
        """Return a float as a literal, all its digits kept."""
        # As a bare literal it would be a decimal number of 38 digits in some dialects, or 0.
        return f"CAST('{number!r}' AS {self.float_type})"


def _escaped(text: str, quote: str) -> str:
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
