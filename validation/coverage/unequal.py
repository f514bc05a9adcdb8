"""Coverage where one class is over four times the other and the smaller has 20 cases or more."""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import pandas as pd

from validation.coverage.heldout import AT_OTHER_LEVELS, run_heldout_cell, summarise_sets
from validation.coverage.heldout_designs import FIRST, SECOND, THIRD, HeldoutCell

TABLE = Path(__file__).with_name("unequal.csv")
SEED = 20130311
REPLICATES = 2000
SIZES = ((20, 110), (30, 200), (200, 30), (60, 400), (120, 800))
AREAS = (0.75, 0.93)
_LAWS = {"held-out-1": FIRST, "held-out-2": SECOND, "held-out-3": THIRD}
UNEQUAL_CELLS = tuple(
    HeldoutCell(position, set_name, design, *size, auc)
    for position, ((set_name, design), size, auc) in enumerate(
        product(((name, law) for name, laws in _LAWS.items() for law in laws), SIZES, AREAS)
    )
)


def read_unequal() -> pd.DataFrame:
    """Return the committed simulation, a row per cell and method."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.coverage.unequal", description=__doc__
    )
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    output = parser.parse_args().output
    rows = pd.DataFrame(
        [
            row
            for cell in UNEQUAL_CELLS
            for row in run_heldout_cell(cell, REPLICATES, SEED, methods=AT_OTHER_LEVELS)
        ]
    )
    rows.to_csv(output, index=False, lineterminator="\n")
    print(summarise_sets(rows).round(3).to_string(index=False))


if __name__ == "__main__":
    main()
