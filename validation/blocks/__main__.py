"""Compare resampling by blocks with resampling of cases; write the tables, fail on a shortfall."""

from __future__ import annotations

import sys

from validation.blocks import bands


def main() -> None:
    """Run every comparison."""
    found = []
    for row in bands.rows():
        print(row, file=sys.stderr, flush=True)
        found.append(row)
    table = bands.as_table(found)
    table.to_csv(bands.TABLE, index=False, lineterminator="\n", float_format="%.6g")
    print(table.to_string(index=False))
    if table["shortfall"].any():
        sys.exit(1)


if __name__ == "__main__":
    main()
