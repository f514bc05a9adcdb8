"""The request of a plan, read and checked: the design, the level, and the simulation."""

from __future__ import annotations

from typing import Any, NamedTuple

from rocstats.errors import InputError, require_flag, require_open_interval, require_whole
from rocstats.inference.estimates.randomness import plan_draws, require_drawing
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, range_of
from rocstats.inference.planning.pilot_design import PilotAUCs
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.inference.planning.readers.design import ReaderDesign
from rocstats.stats.resampling.streams import ResamplePlan

Design = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs | OneRate | PairedRates | ReaderDesign
NAMES = {
    OneAUC: "one-auc",
    TwoAUCs: "two-aucs",
    PairedAUCs: "paired-aucs",
    PilotAUCs: "pilot-aucs",
    OneRate: "one-rate",
    PairedRates: "paired-rates",
    ReaderDesign: "readers",
}


class PlanRequest(NamedTuple):
    """The level, and the simulated studies if there are any."""

    alpha: float
    studies: ResamplePlan | None


def read_design(design: Any, auc: float | None, null_auc: float | None) -> Design:
    """Return the design, or that of ``auc``; raise InputError unless exactly one is given."""
    if (design is None) == (auc is None) or (design is not None and null_auc is not None):
        raise InputError(
            "`design` or `auc` must be given, one of them, `null_auc` with `auc` only; got"
            f" design={design!r}, auc={auc!r}, null_auc={null_auc!r}."
            " Pass for instance auc=0.8, or a design such as TwoAUCs(0.8, 0.7)."
        )
    if design is None:
        return OneAUC(auc, null_auc=0.5 if null_auc is None else null_auc)  # type: ignore[arg-type]
    if type(design) not in NAMES:
        names = ", ".join(kind.__name__ for kind in NAMES)
        raise InputError(
            f"`design` must be one of {names}; got {type(design).__name__}. Pass one of these."
        )
    return design  # type: ignore[no-any-return]


def read_request(
    design: Design, alpha: float, simulate: bool, n_simulations: Any, rng: Any, progress: bool
) -> PlanRequest:
    """Return the level and the simulation; raise InputError for a design without a simulation."""
    # Beyond 1/2 a one-sided test would reject on the wrong side of its null value.
    require_open_interval("alpha", alpha, 0, 0.5)
    advice = "Use 2000 or more for printed results."
    # The standard error of a power from 100 studies is up to 0.05: fewer are too coarse.
    number = require_whole("n_simulations", n_simulations, 100, advice)
    require_flag("simulate", simulate)
    require_drawing(n_simulations, rng, progress)
    if not simulate:
        return PlanRequest(alpha, None)
    reasons = {
        PilotAUCs: "a pilot, which has no distribution of the scores to simulate",
        OneRate: "a rate, whose power method='exact' knows",
        PairedRates: "rates, whose power method='exact' knows",
        ReaderDesign: "a reader study; draw some with simulate_readers",
    }
    why = reasons.get(type(design))
    if isinstance(design, PairedAUCs) and not range_of(design).full:
        why = "a partial area"
    if why is not None:
        raise InputError(f"`simulate` must stay False for {why}; got True. Leave it out.")
    return PlanRequest(alpha, plan_draws(number, rng, progress))
