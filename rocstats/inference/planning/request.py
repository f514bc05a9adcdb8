"""What is asked of a plan: the design, the level, and what is simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.errors import InputError, require_open_interval
from rocstats.inference.estimates.randomness import resolve_seed
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, PilotAUCs, TwoAUCs, range_of
from rocstats.inference.planning.rate_designs import OneRate, PairedRates

Design = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs | OneRate | PairedRates
NAMES = {
    OneAUC: "one-auc",
    TwoAUCs: "two-aucs",
    PairedAUCs: "paired-aucs",
    PilotAUCs: "pilot-aucs",
    OneRate: "one-rate",
    PairedRates: "paired-rates",
}


@dataclass(frozen=True)
class PlanRequest:
    """The level, and what is simulated; no seed means no simulation."""

    alpha: float
    n_simulations: int
    seed: int | None


def read_design(design: Any, auc: float | None, null_auc: float | None) -> Design:
    """Return the design; raise InputError unless it is given, as such or by an area."""
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
    design: Design, alpha: float, simulate: bool, n_simulations: Any, rng: Any
) -> PlanRequest:
    """Return the level and what is simulated; raise InputError for what is not possible."""
    require_open_interval("alpha", alpha, 0, 0.5)
    number = _read_simulations(n_simulations)
    if not simulate:
        return PlanRequest(alpha, 0, None)
    reasons = {
        PilotAUCs: "a pilot, which says nothing of the laws of the scores",
        OneRate: "a rate, whose power method='exact' knows",
        PairedRates: "rates, whose power method='exact' knows",
    }
    why = reasons.get(type(design))
    if isinstance(design, PairedAUCs) and not range_of(design).full:
        why = "a partial area"
    if why is not None:
        raise InputError(f"`simulate` must stay False for {why}; got True. Leave it out.")
    return PlanRequest(alpha, number, resolve_seed(rng))


def _read_simulations(n_simulations: Any) -> int:
    """Return the number of simulations; raise InputError unless it is whole and 100 or more."""
    whole = isinstance(n_simulations, (int, np.integer)) and not isinstance(n_simulations, bool)
    if not whole or n_simulations < 100:
        raise InputError(
            f"`n_simulations` must be a whole number >= 100; got {n_simulations!r}."
            " Use 2000 or more for printed results."
        )
    return int(n_simulations)
