"""Compare resampling by blocks with resampling of cases; write the tables, fail on a shortfall."""

from __future__ import annotations

import argparse
import sys

from validation.blocks import bands, cutpoints, smoothed

TOPICS = {"bands": bands, "cutpoints": cutpoints, "smoothed": smoothed}


def main() -> None:
    """Run the comparisons that the command line asks for, or all."""
    parser = argparse.ArgumentParser(prog="python -m validation.blocks", description=__doc__)
    parser.add_argument("topics", nargs="*", choices=list(TOPICS), default=list(TOPICS))
    broken = False
    for topic in parser.parse_args().topics:
        compared = TOPICS[topic]
        found = []
        for row in compared.rows():
            print(row, file=sys.stderr, flush=True)
            found.append(row)
        table = compared.as_table(found)
        table.to_csv(compared.TABLE, index=False, lineterminator="\n", float_format="%.6g")
        print(table.to_string(index=False))
        broken = broken or bool(table["shortfall"].any())
    sys.exit(int(broken))


if __name__ == "__main__":
    main()
