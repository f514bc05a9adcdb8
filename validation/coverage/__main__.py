"""Simulate the coverage of a family of intervals and write its table."""

from __future__ import annotations

import argparse
from pathlib import Path

from validation.coverage.roles import ROLE_FAMILIES, run_roles
from validation.coverage.simulate import FAMILIES, run
from validation.coverage.summary import AUC_TABLE, summarise


def main() -> None:
    """Run the simulation that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m validation.coverage", description=__doc__)
    parser.add_argument("family", choices=[*FAMILIES, *ROLE_FAMILIES], help="which intervals")
    parser.add_argument("--replicates", type=int, default=2000, help="data sets per cell")
    parser.add_argument(
        "--seed", type=int, default=20040316, help="one seed; each cell has a child"
    )
    parser.add_argument("--output", type=Path, help="csv to write; default: the committed one")
    asked = parser.parse_args()
    if asked.family in ROLE_FAMILIES:
        rows = run_roles(asked.family, replicates=asked.replicates, seed=asked.seed)
    else:
        rows = run(replicates=asked.replicates, seed=asked.seed, family=asked.family)
    rows.to_csv(
        asked.output or AUC_TABLE.with_name(f"{asked.family}.csv"), index=False, lineterminator="\n"
    )
    print(summarise(rows).round(3).to_string(index=False))


if __name__ == "__main__":
    main()
