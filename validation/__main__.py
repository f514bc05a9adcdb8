"""``python -m validation``: check all cases again and print one line an authority."""

from __future__ import annotations

import sys

from validation.harness import check, read_all_rows, summarise


def main() -> int:
    """Print the disagreements and the summary; return 1 if any number disagrees."""
    outcomes = [check(row) for row in read_all_rows()]
    for outcome in outcomes:
        if not outcome.agrees:
            row = outcome.row
            print(
                f"{row.id}: {row.question}{row.arguments} {row.where} {row.column}:"
                f" expected {row.expected!r} ({row.origin}), found {outcome.found!r}"
            )
    print(summarise(outcomes).to_string(index=False, float_format=lambda x: f"{x:.2g}"))
    return int(any(not outcome.agrees for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
