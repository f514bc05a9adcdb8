"""Coverage where one class is over four times the other and the smaller has 20 cases or more."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path

from validation.coverage.batch import LEVEL
from validation.coverage.heldout import AT_OTHER_LEVELS, run_heldout_cell
from validation.coverage.heldout_designs import FIRST, SECOND, THIRD, HeldoutCell
from validation.simulation import Bound, Simulation, under_margin

TABLE = Path(__file__).with_name("unequal.csv")
SEED = 20130311
SIZES = ((20, 110), (30, 200), (200, 30), (60, 400), (120, 800))
AREAS = (0.75, 0.93)
_LAWS = {"held-out-1": FIRST, "held-out-2": SECOND, "held-out-3": THIRD}
UNEQUAL_CELLS = tuple(
    HeldoutCell(position, set_name, design, *size, auc)
    for position, ((set_name, design), size, auc) in enumerate(
        product(((name, law) for name, laws in _LAWS.items() for law in laws), SIZES, AREAS)
    )
)


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of intervals of an area where one class is over four times the other.",
    cells=UNEQUAL_CELLS,
    rows=partial(run_heldout_cell, methods=AT_OTHER_LEVELS),
    replicates=2000,
    seed=SEED,
    bounds=(Bound("coverage", under_margin, LEVEL),),
    ends=("shortfall", "seed"),
)
read_unequal = SIMULATION.read
