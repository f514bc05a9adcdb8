"""Compare every engine with its closed form, write the table, fail on a broken bound."""

from __future__ import annotations

import argparse
import sys

from validation.engines.cells import SEED
from validation.engines.simulate import run
from validation.engines.summary import TABLE, summarise, use_of_allowance


def main() -> None:
    """Run the comparisons that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m validation.engines", description=__doc__)
    parser.add_argument("--replicates", type=int, help="in place of each cell's; writes no file")
    parser.add_argument("--seed", type=int, default=SEED, help="another one writes no file")
    asked = parser.parse_args()
    rows = run(replicates=asked.replicates, seed=asked.seed)
    if asked.replicates is None and asked.seed == SEED:
        rows.to_csv(TABLE, index=False, lineterminator="\n", float_format="%.9g")
    print(summarise(rows).round(4).to_string(index=False))
    broken = rows[use_of_allowance(rows) > 1]
    if len(broken):
        print(broken.to_string(index=False))
        sys.exit(1)


if __name__ == "__main__":
    main()
