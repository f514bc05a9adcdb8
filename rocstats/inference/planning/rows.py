"""The rows of a plan: numbers of cases and power, by formula and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.making import estimate_frame
from rocstats.frames.questions import Question
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, range_of
from rocstats.inference.planning.planned_tests import AreaDesign, planned_rate_test, planned_test
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.inference.planning.request import NAMES, Design, PlanRequest
from rocstats.inference.planning.simulation import simulate_power
from rocstats.stats.planning.areas import NormalTest, fewest_cases
from rocstats.stats.planning.rates import MOST_EVALUATED, RateTest
from rocstats.stats.planning.simulation import MOST_SIMULATED
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.tolerances import FEW_CASES

PLAN = (
    "design quantity n_readers n_groups n_pos n_neg n_cases power half_width"
    " assumed null_value margin hypothesis alpha"
)
SIMULATED = (
    "power_simulated power_low power_high half_width_simulated n_simulations test method note"
)
"""Columns of a plan, before and after those of the question: the answer first."""
CITED = (
    "bamber-1975",
    "hanley-mcneil-1982",
    "obuchowski-mcclish-1997",
    "liu-2006",
    "fagerland-2013",
    "hillis-2011",
    "roe-1997",
    "gallas-2014",
)


def plan_frame(
    question: Question, rows: list[dict[str, Any]], request: PlanRequest
) -> pd.DataFrame:
    """Return the frame of a plan; the seed and number of simulations are None without any."""
    studies = request.studies
    seed, number = (studies.seed, studies.n_resamples) if studies else (None, None)
    return estimate_frame(question, rows, grouped=False, seed=seed, n_resamples=number)


def area_size_row(
    design: AreaDesign,
    goal: tuple[str, float],
    ratio: float,
    request: PlanRequest,
) -> dict[str, Any]:
    """Return the row of the numbers of cases with a wanted power or half width of areas."""
    test, (name, value) = planned_test(design), goal
    if name == "power":
        _require_variances(design, test, 1, ratio)
    solve = test.positives_for_power if name == "power" else test.positives_for_width
    unrounded = solve(value, ratio, request.alpha)
    _require_finite(name, value, max(unrounded, ratio * unrounded))
    # Rounding up raises the power above the wanted one: the row has that of the rounded numbers.
    row = area_row(design, test, fewest_cases(unrounded, ratio), request)
    return {**row, **_wanted(goal, unrounded, ratio * unrounded)}


def _require_variances(design: AreaDesign, test: NormalTest, n_pos: float, n_neg: float) -> None:
    # A variance below 1e-308 is 0 in floating point; correlations of almost 1 leave rounding.
    one = isinstance(design, OneAUC)
    needed = {"auc": test.assumed, "null_auc": test.null} if one else {"design": test.assumed}
    for name, variance in needed.items():
        if not variance.at(n_pos, n_neg) > 0:
            raise InputError(
                f"`{name}` must leave the estimate a variance above 0; got"
                f" {variance.at(n_pos, n_neg):g}. Take areas further from 0 and 1, and correlations"
                " further from 1."
            )
    # 2 V2 - 2 C is negative where the covariance exceeds the variance of the reference.
    if not test.null.at(n_pos, n_neg) > 0:
        raise InputError(
            "`null_variance` must be 'alternative' where the reference varies less than what it"
            " shares with the predictor; got 'reference'. Leave it out."
        )


def _require_finite(name: str, value: float, n: float) -> None:
    # The square of a distance, or of a half width, below 1e-154 is 0 in floating point.
    if not np.isfinite(n):
        raise InputError(
            f"`{name}` must be within reach of some number of cases; got {value!r}, which takes"
            " over 1e308. Change it, the ratio, or the distance from the null value."
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
    request: PlanRequest,
) -> dict[str, Any]:
    """Return the row of the power of a test of areas with numbers of cases."""
    _require_variances(design, test, *sizes)
    partial = isinstance(design, PairedAUCs) and not range_of(design).full
    codes = ["per-group"] if isinstance(design, TwoAUCs) else []
    # A simulation has the real test of these sizes; only the formula is in doubt.
    if min(sizes) < FEW_CASES and request.studies is None:
        codes.append("few-planned-cases")
    if isinstance(design, OneAUC):
        question: dict[str, Any] = {"assumed": design.auc, "null_value": design.null_auc}
    else:
        margin = np.nan if design.margin is None else design.margin
        question = {"assumed": design.difference, "null_value": 0.0, "margin": margin}
    kind = "difference" if isinstance(design, OneAUC) else design.hypothesis
    simulated = _simulated(design, sizes, request.alpha, request.studies) if request.studies else {}
    return {
        **_common(design, sizes, request.alpha),
        **question,
        "quantity": "partial_auc" if partial else "auc",
        "hypothesis": design.alternative if kind == "difference" else kind,
        "n_cases": sum(sizes) * (2 if isinstance(design, TwoAUCs) else 1),
        "power": test.power(*sizes, request.alpha),
        "half_width": test.half_width(*sizes, request.alpha),
        **simulated,
        "method": test.variance,
        "note": codes,
    }


def _common(design: Design, sizes: tuple[float, float], alpha: float) -> dict[str, Any]:
    """Return the columns of every plan, those of readers, a margin and a simulation empty."""
    simulated = ("power_simulated", "power_low", "power_high", "half_width_simulated")
    return {
        **dict.fromkeys(("n_readers", "n_groups", "margin", *simulated), np.nan),
        "n_simulations": 0,
        "test": "",
        "design": NAMES[type(design)],
        "alpha": alpha,
        "n_pos": sizes[0],
        "n_neg": sizes[1],
    }


def _simulated(
    design: Any, sizes: tuple[int, int], alpha: float, studies: ResamplePlan
) -> dict[str, Any]:
    if max(sizes) > MOST_SIMULATED:
        raise InputError(
            f"`simulate` must stay False beyond {MOST_SIMULATED:_} cases of a class; got"
            f" {max(sizes)}. Leave it out: with so many the formula is as good."
        )
    simulated = simulate_power(design, *sizes, alpha, studies)
    return {
        "power_simulated": simulated.power,
        "power_low": simulated.low,
        "power_high": simulated.high,
        "half_width_simulated": simulated.half_width,
        "n_simulations": studies.n_resamples,
        "test": simulated.test,
    }


def rate_size_row(
    design: OneRate | PairedRates, goal: tuple[str, float], alpha: float
) -> dict[str, Any]:
    """Return the row of the number of cases with a wanted power or half width of rates."""
    test, (name, value) = planned_rate_test(design), goal
    if name == "half_width":
        unrounded = test.cases_for_width(value, alpha)
    else:
        unrounded = test.normal_cases(value, alpha)
    _require_finite(name, value, unrounded)
    if name == "power" and test.exact is not None:
        _require_reach(test, value, alpha)
        unrounded = float(test.exact_cases(value, alpha))
    n, _ = fewest_cases(unrounded, 1.0)
    return {**rate_row(design, n, alpha), **_wanted(goal, *_of_class(design, unrounded))}


def _require_reach(test: RateTest, power: float, alpha: float) -> None:
    # Exact power is not monotone in n, so that all numbers around the normal one are tried.
    if not test.in_reach(power, alpha):
        guess = test.normal_cases(power, alpha)
        raise InputError(
            f"`method` must be 'asymptotic' beyond {test.most} cases; about {guess:.0f} are"
            " needed. Change it, or the rates."
        )


def rate_row(design: OneRate | PairedRates, n: int, alpha: float) -> dict[str, Any]:
    """Return the row of the power of a test of rates with a number of cases."""
    test = planned_rate_test(design)
    if isinstance(design, PairedRates) and test.exact is not None and n > MOST_EVALUATED:
        raise InputError(
            f"`method` must be 'asymptotic' beyond {MOST_EVALUATED:_} cases; got {n}. Change it."
        )
    if isinstance(design, OneRate):
        goal = np.nan if design.goal is None else design.goal
        assumed, null_value, name = design.rate, goal, "binomial"
    else:
        difference = design.only_predictor - design.only_reference
        assumed, null_value, name = difference, 0.0, "mcnemar"
    return {
        **_common(design, _of_class(design, n), alpha),
        "assumed": assumed,
        "null_value": null_value,
        "quantity": design.quantity,
        "hypothesis": design.alternative,
        "n_cases": n,
        "power": test.power(n, alpha),
        "half_width": test.half_width(n, alpha),
        "method": f"{name}/{design.method}",
        "note": [],
    }


def _of_class(design: OneRate | PairedRates, n: float) -> tuple[float, float]:
    """Return the numbers of positives and negatives of a rate, which one class has."""
    return (n, 0) if design.quantity == "tpr" else (0, n)
