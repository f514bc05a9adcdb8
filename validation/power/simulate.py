"""Whether the numbers of cases found for a power have it: the tests are asked of drawn studies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rocstats as rs
from rocstats.inference.planning.designs import AreaModel, PairedModel
from validation.simulation import Simulation

TABLE = Path(__file__).with_name("power.csv")
WANTED = 0.8
ONE = ((0.65, 0.5), (0.7, 0.6), (0.8, 0.7), (0.9, 0.8), (0.95, 0.9))
TWO = ((0.75, 0.65), (0.85, 0.75), (0.9, 0.8), (0.95, 0.9))
PAIRED = tuple((*areas, r) for areas in TWO for r in (0.3, 0.7))
ONE_MODELS: tuple[AreaModel, ...] = ("binormal", "obuchowski", "hanley-mcneil")
PAIRED_MODELS: tuple[PairedModel, ...] = ("binormal", "obuchowski")
MARGINS = (("non-inferiority", 0.8, 0.8), ("superiority", 0.9, 0.75), ("equivalence", 0.8, 0.8))


def designs() -> list[Any]:
    """Return every design of the table."""
    one = [
        rs.OneAUC(auc, null_auc=null, variance=model) for auc, null in ONE for model in ONE_MODELS
    ]
    two = [
        rs.TwoAUCs(auc, reference, variance=model) for auc, reference in TWO for model in ONE_MODELS
    ]
    paired = [
        rs.PairedAUCs(auc, reference, correlation_pos=r, correlation_neg=r, variance=model)
        for auc, reference, r in PAIRED
        for model in PAIRED_MODELS
    ]
    margins: list[Any] = [
        rs.PairedAUCs(
            auc,
            reference,
            correlation_pos=0.5,
            correlation_neg=0.5,
            hypothesis=hypothesis,  # type: ignore[arg-type]
            margin=0.08,
        )
        for hypothesis, auc, reference in MARGINS
    ]
    return [*one, *two, *paired, *margins]


COLUMNS = (
    "design auc reference_auc null_value correlation hypothesis margin method n_pos n_neg power"
    " power_simulated power_low power_high half_width half_width_simulated test n_simulations"
)


def run_design(place: int, replicates: int, seed: int) -> dict[str, Any]:
    """Return the row of a design: numbers of cases for a power, and the power that they have."""
    design = designs()[place]
    found = rs.sample_size(
        design,
        power=WANTED,
        ratio=1.5,
        simulate=True,
        n_simulations=replicates,
        rng=seed + place,
    )
    row = {
        **found.iloc[0],
        "auc": design.auc,
        "reference_auc": getattr(design, "reference_auc", float("nan")),
        "correlation": getattr(design, "correlation_pos", 0.0),
    }
    return {name: row[name] for name in COLUMNS.split()}


SIMULATION = Simulation(
    table=TABLE,
    shows="The power that numbers of cases have which formulas give for a power of .8.",
    cells=range(len(designs())),
    rows=run_design,
    replicates=4000,
    seed=20040316,
    ends=("seed",),
)
