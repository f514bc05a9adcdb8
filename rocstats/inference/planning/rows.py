"""The rows of a plan: numbers of cases or power, by formula and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.frames import estimate_frame
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, range_of
from rocstats.inference.planning.planned_tests import AreaDesign, planned_rate_test, planned_test
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.inference.planning.request import NAMES, PlanRequest
from rocstats.inference.planning.simulation import simulate_power
from rocstats.questions import Question
from rocstats.stats.planning.areas import NormalTest, fewest_cases
from rocstats.stats.planning.rates import RateTest
from rocstats.tolerances import FEW_CASES

PLAN = "design quantity assumed null_value margin hypothesis alpha"
PLANNED = (
    "n_pos n_neg n_cases power half_width power_simulated power_low power_high"
    " half_width_simulated n_simulations test method note"
)
"""Columns of a plan, before and after what the question adds."""
CITED = (
    "bamber-1975",
    "hanley-mcneil-1982",
    "obuchowski-mcclish-1997",
    "liu-2006",
    "fagerland-2013",
)


def plan_frame(question: Question, rows: list[dict[str, Any]], asked: PlanRequest) -> pd.DataFrame:
    """Return the frame of a plan from its rows."""
    drawn = asked.seed is not None
    return estimate_frame(
        question,
        rows,
        grouped=False,
        seed=asked.seed,
        n_resamples=asked.n_simulations if drawn else None,
    )


def area_size_row(
    design: AreaDesign,
    goal: tuple[str, float],
    ratio: float,
    asked: PlanRequest,
) -> dict[str, Any]:
    """Return the row of the numbers of cases that have a wanted power or half width of an area."""
    test, (name, value) = planned_test(design), goal
    if name == "power":
        _require_null_variance(test, 1, ratio)
    solve = test.positives_for_power if name == "power" else test.positives_for_width
    unrounded = solve(value, ratio, asked.alpha)
    row = area_row(design, test, fewest_cases(unrounded, ratio), asked)
    return {**row, **_wanted(goal, unrounded, ratio * unrounded)}


def _require_null_variance(test: NormalTest, n_pos: float, n_neg: float) -> None:
    if not test.has_null_variance(n_pos, n_neg):
        raise InputError(
            "`null_variance` must be 'alternative' where the reference varies less than what it"
            " shares with the predictor; got 'reference'. Leave it out."
        )


def _wanted(goal: tuple[str, float], n_pos: float, n_neg: float) -> dict[str, float]:
    return {
        "power_wanted": np.nan,
        "half_width_wanted": np.nan,
        f"{goal[0]}_wanted": goal[1],
        "n_pos_unrounded": n_pos,
        "n_neg_unrounded": n_neg,
    }


def area_row(
    design: AreaDesign,
    test: NormalTest,
    sizes: tuple[int, int],
    asked: PlanRequest,
) -> dict[str, Any]:
    """Return the row of the power that numbers of cases have for a test of areas."""
    _require_null_variance(test, *sizes)
    partial = isinstance(design, PairedAUCs) and not range_of(design).full
    one = isinstance(design, OneAUC)
    codes = ["per-group"] if isinstance(design, TwoAUCs) else []
    if min(sizes) < FEW_CASES and asked.seed is None:
        codes.append("few-planned-cases")
    return {
        **_unsimulated(),
        "design": NAMES[type(design)],
        "quantity": "partial_auc" if partial else "auc",
        "assumed": design.auc if isinstance(design, OneAUC) else design.difference,
        "null_value": design.null_auc if isinstance(design, OneAUC) else 0.0,
        "margin": np.nan if one or design.margin is None else design.margin,  # type: ignore[union-attr]
        "hypothesis": _hypothesis(design),
        "alpha": asked.alpha,
        "n_pos": sizes[0],
        "n_neg": sizes[1],
        "n_cases": sum(sizes) * (2 if isinstance(design, TwoAUCs) else 1),
        "power": test.power(*sizes, asked.alpha),
        "half_width": test.half_width(*sizes, asked.alpha),
        **({} if asked.seed is None else _simulated(design, sizes, asked, asked.seed)),
        "method": test.variance,
        "note": codes,
    }


def _hypothesis(design: Any) -> str:
    kind = getattr(design, "hypothesis", "difference")
    return str(design.alternative if kind == "difference" else kind)


def _unsimulated() -> dict[str, Any]:
    missing = ("power_simulated", "power_low", "power_high", "half_width_simulated")
    return {**dict.fromkeys(missing, np.nan), "n_simulations": 0, "test": ""}


def _simulated(
    design: Any, sizes: tuple[int, int], asked: PlanRequest, seed: int
) -> dict[str, Any]:
    found = simulate_power(design, *sizes, asked.alpha, asked.n_simulations, seed)
    return {
        "power_simulated": found.power,
        "power_low": found.low,
        "power_high": found.high,
        "half_width_simulated": found.half_width,
        "n_simulations": asked.n_simulations,
        "test": found.test,
    }


def rate_size_row(
    design: OneRate | PairedRates, goal: tuple[str, float], alpha: float
) -> dict[str, Any]:
    """Return the row of the number of cases that has a wanted power or half width of a rate."""
    test, (name, value) = planned_rate_test(design), goal
    if name == "half_width":
        unrounded = test.cases_for_width(value, alpha)
    elif test.exact is None:
        unrounded = test.normal_cases(value, alpha)
    else:
        _require_reach(test, value, alpha)
        unrounded = float(test.exact_cases(value, alpha))
    n, _ = fewest_cases(unrounded, 1.0)
    mine = (unrounded, 0.0) if design.quantity == "tpr" else (0.0, unrounded)
    return {**rate_row(design, n, alpha), **_wanted(goal, *mine)}


def _require_reach(test: RateTest, power: float, alpha: float) -> None:
    if not test.in_reach(power, alpha):
        guess = test.normal_cases(power, alpha)
        raise InputError(
            f"`method` must be 'asymptotic' beyond {test.most} cases; about {guess:.0f} are"
            " needed. Change it, or the rates."
        )


def rate_row(design: OneRate | PairedRates, n: int, alpha: float) -> dict[str, Any]:
    """Return the row of the power that a number of cases has for a test of rates."""
    test = planned_rate_test(design)
    return {
        **_unsimulated(),
        **_rate_question(design),
        "design": NAMES[type(design)],
        "quantity": design.quantity,
        "margin": np.nan,
        "hypothesis": design.alternative,
        "alpha": alpha,
        "n_pos": n if design.quantity == "tpr" else 0,
        "n_neg": n if design.quantity == "tnr" else 0,
        "n_cases": n,
        "power": test.power(n, alpha),
        "half_width": test.half_width(n, alpha),
        "note": [],
    }


def _rate_question(design: OneRate | PairedRates) -> dict[str, Any]:
    if isinstance(design, OneRate):
        goal = np.nan if design.goal is None else design.goal
        return {"assumed": design.rate, "null_value": goal, "method": f"binomial/{design.method}"}
    difference = design.only_predictor - design.only_reference
    return {"assumed": difference, "null_value": 0.0, "method": f"mcnemar/{design.method}"}
