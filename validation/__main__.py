"""``python -m validation``: check all cases again, print one line an authority, write the ledger.

``--remake`` makes the cases from scratch first, in a copy, and compares them with those recorded.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from validation.harness import check, read_all_rows, summarise
from validation.ledger.table import LEDGER, REMADE, make_ledger
from validation.remake import remake


def main(arguments: Sequence[str] = (), ledger: Path = LEDGER) -> int:
    """Print the disagreements and the summary; return 1 if any number disagrees."""
    parser = argparse.ArgumentParser(prog="python -m validation", description=__doc__)
    parser.add_argument("--remake", action="store_true", help="make the cases from scratch first")
    asked = parser.parse_args(arguments)
    if asked.remake:
        remade = remake()
        remade.to_csv(REMADE, index=False, lineterminator="\n")
        print(remade.drop(columns="command").to_string(index=False, na_rep=""))
        if (remade["differ"].fillna(0) > 0).any():
            return 1
    outcomes = [check(row) for row in read_all_rows()]
    for outcome in outcomes:
        if not outcome.agrees:
            row = outcome.row
            print(
                f"{row.id}: {row.question}{row.arguments} {row.where} {row.column}:"
                f" expected {row.expected!r} ({row.origin}), found {outcome.found!r}"
            )
    print(summarise(outcomes).to_string(index=False, float_format=lambda x: f"{x:.2g}"))
    if not all(outcome.agrees for outcome in outcomes):
        return 1
    make_ledger(outcomes).to_csv(ledger, index=False, lineterminator="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
