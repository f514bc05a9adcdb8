"""Simulate the power of the numbers of cases that formulas give; write the table."""

from __future__ import annotations

import argparse
from pathlib import Path

from validation.power.simulate import TABLE, run


def main() -> None:
    """Run the simulation."""
    parser = argparse.ArgumentParser(prog="python -m validation.power", description=__doc__)
    parser.add_argument("--replicates", type=int, default=4000, help="studies drawn per design")
    parser.add_argument("--seed", type=int, default=20040316, help="each design adds its position")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run(replicates=asked.replicates, seed=asked.seed)
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(rows.to_string(index=False))


if __name__ == "__main__":
    main()
