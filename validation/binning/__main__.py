"""Compare answers from bins with those from all scores; write the table, fail on a shortfall."""

from __future__ import annotations

import sys

from validation.binning.compare import TABLE, as_table, rows


def main() -> None:
    """Run the comparison."""
    found = []
    for row in rows():
        print(row, file=sys.stderr, flush=True)
        found.append(row)
    table = as_table(found)
    table.to_csv(TABLE, index=False, lineterminator="\n", float_format="%.6g")
    print(table.to_string(index=False))
    sys.exit(int(table["shortfall"].any()))


if __name__ == "__main__":
    main()
