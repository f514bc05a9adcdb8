"""Compare answers from bins with those from all scores; write the table, fail on a shortfall."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from validation.binning.compare import TABLE, as_table, rows
from validation.binning.designs import DESIGNS


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(prog="python -m validation.binning", description=__doc__)
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    with ProcessPoolExecutor(parser.parse_args().jobs) as pool:
        found = [row for part in pool.map(rows, DESIGNS) for row in part]
    table = as_table(found)
    table.to_csv(TABLE, index=False, lineterminator="\n", float_format="%.6g")
    print(table.to_string(index=False))
    sys.exit(int(table["shortfall"].any()))


if __name__ == "__main__":
    main()
