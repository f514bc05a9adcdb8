"""Simulate how often each test against chance rejects a true null hypothesis; write its table."""

from __future__ import annotations

import argparse
from pathlib import Path

from validation.bounds import too_high
from validation.size.simulate import LEVEL, TABLE, run


def main() -> None:
    """Run the simulation."""
    parser = argparse.ArgumentParser(prog="python -m validation.size", description=__doc__)
    parser.add_argument("--replicates", type=int, default=2000, help="data sets per cell")
    parser.add_argument(
        "--seed", type=int, default=20040316, help="one seed; each cell has a child"
    )
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run(replicates=asked.replicates, seed=asked.seed)
    rows = rows.assign(shortfall=too_high(rows["size"], LEVEL, rows["replicates"]))
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(rows.to_string(index=False))


if __name__ == "__main__":
    main()
