"""Simulate reader studies and their tests, and write the table."""

from __future__ import annotations

import argparse
from pathlib import Path

from validation.roe_metz.simulate import TABLE, run


def main() -> None:
    """Run the simulation."""
    parser = argparse.ArgumentParser(prog="python -m validation.roe_metz", description=__doc__)
    parser.add_argument("--replicates", type=int, default=4000, help="studies drawn per cell")
    parser.add_argument("--seed", type=int, default=19970403, help="root of the random numbers")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run(replicates=asked.replicates, seed=asked.seed, jobs=asked.jobs)
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(rows.to_string(index=False))


if __name__ == "__main__":
    main()
