"""How many cases a study needs, and what it will be able to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.frames import estimate_frame
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, PilotAUCs, TwoAUCs, range_of
from rocstats.inference.planning.normal_tests import NormalTest, fewest_cases, planned_test
from rocstats.inference.planning.numbers import (
    read_goals,
    read_numbers,
    read_numbers_of_one,
    read_simulations,
)
from rocstats.inference.planning.rate_designs import OneRate, PairedRates, planned_rate_test
from rocstats.inference.planning.simulation import simulate_power
from rocstats.questions import Question, columns_in
from rocstats.stats.resampling.streams import RngLike, resolve_seed

_PLAN = "design quantity assumed null_value margin hypothesis alpha"
_PLANNED = (
    "n_pos n_neg n_cases power half_width power_simulated power_low power_high"
    " half_width_simulated n_simulations test method note"
)
_REFERENCES = (
    "bamber-1975",
    "hanley-mcneil-1982",
    "obuchowski-mcclish-1997",
    "liu-2006",
    "fagerland-2013",
)
SAMPLE_SIZE = Question(
    "sample_size",
    columns_in(
        f"{_PLAN} power_wanted half_width_wanted n_pos_unrounded n_neg_unrounded {_PLANNED}"
    ),
    _REFERENCES,
)
POWER = Question("power", columns_in(f"{_PLAN} {_PLANNED}"), _REFERENCES)
Design = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs | OneRate | PairedRates
_NAMES = {
    OneAUC: "one-auc",
    TwoAUCs: "two-aucs",
    PairedAUCs: "paired-aucs",
    PilotAUCs: "pilot-aucs",
    OneRate: "one-rate",
    PairedRates: "paired-rates",
}
_FEW = 20


@dataclass(frozen=True)
class _Asked:
    """The level, and what is simulated; no seed means no simulation."""

    alpha: float
    n_simulations: int
    seed: int | None


def sample_size(
    design: Design | None = None,
    *,
    auc: float | None = None,
    null_auc: float | None = None,
    power: float | Sequence[float] | None = None,
    half_width: float | Sequence[float] | None = None,
    ratio: float | None = None,
    alpha: float = 0.05,
    simulate: bool = False,
    n_simulations: int = 2000,
    rng: RngLike = None,
) -> pd.DataFrame:
    """Return the numbers of cases that a study needs; a row is one wanted power or half width.

    Parameters
    ----------
    design : OneAUC, TwoAUCs, PairedAUCs, PilotAUCs, OneRate or PairedRates, optional
        What is assumed and what is tested.
    auc, null_auc : float in (0, 1), optional
        Instead of ``design``: short for ``OneAUC(auc, null_auc=null_auc)``, ``null_auc`` 1/2
        unless given.
    power : float in (alpha, 1), or sequence of float, optional
        The wanted chance that the test finds what is assumed. This or ``half_width``.
    half_width : float in (0, 0.5), or sequence of float, optional
        The wanted half width of the normal interval at the level ``1 - alpha``.
    ratio : float > 0, optional
        Negatives per positive, 1 unless given; not for rates, which rest on one class.
    alpha : float in (0, 0.5), default 0.05
        One minus the confidence level of the test or interval: a two-sided test, superiority and
        non-inferiority are at ``alpha / 2`` a side, one-sided tests and equivalence at ``alpha``.
    simulate : bool, default False
        Whether to draw studies of the sizes found, and ask the real test of each.
    n_simulations : int >= 100, default 2000
        Number of studies drawn; 2000 give the power to about 0.02.
    rng : int, SeedSequence, Generator or None
        Source of the draws; the frame records one integer that repeats them.

    Returns
    -------
    pandas.DataFrame
        Columns ``design, quantity, assumed, null_value, margin, hypothesis, alpha, power_wanted,
        half_width_wanted, n_pos_unrounded, n_neg_unrounded, n_pos, n_neg, n_cases, power,
        half_width, power_simulated, power_low, power_high, half_width_simulated, n_simulations,
        test, method, note``. ``power`` and ``half_width`` are those of the rounded numbers.
        ``n_pos`` and ``n_neg`` are of each group if there are two (note ``per-group``), ``n_cases``
        is of all. Without a simulation its columns are NaN, ``n_simulations`` 0 and ``test`` "".

    Raises
    ------
    InputError
        If nothing, or both, or something impossible is wanted, an argument does not fit the
        design, or the design cannot be simulated (a pilot, a partial area, a rate).

    Warns
    -----
    StatisticalWarning
        If a class has under 20 cases and nothing is simulated (``few-planned-cases``).

    Notes
    -----
    n_pos = (z sqrt(V0) + z_power sqrt(V1))^2/D^2 with D the distance of the truth from the null
    value, V0 and V1 the variances of one positive and its negatives under both, see the design;
    for non-inferiority D is the difference plus the margin, and V0 = V1. Equivalence solves
    Phi(.) + Phi(.) - 1 = power for its two tests. n_pos = z^2 V1/half_width^2 for an interval.
    Numbers are rounded up. Exact tests of rates take the least number from which on the power is
    never below the wanted one.

    The normal approximation is off for few cases and for areas near 1: simulate. A simulation
    draws normal scores (binormal, correlated in each class) and asks ``versus_random`` of each
    study (``OneAUC`` against 1/2), ``auc(null_value=)`` or ``compare_auc``; its limits are Wilson's
    at 95%. The half width simulated is that of the logit interval for one area.

    A power of studies already made, at what they found, says nothing beyond their p value.

    References
    ----------
    - Bamber (1975) [bamber-1975]
    - Hanley & McNeil (1982) [hanley-mcneil-1982]
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]
    - Liu, Ma, Wu & Tai (2006) [liu-2006]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]

    Examples
    --------
    >>> import rocstats as rs
    >>> shown = ["n_pos", "n_neg", "power", "method"]
    >>> rs.sample_size(auc=0.8, null_auc=0.7, power=0.9, ratio=2)[shown].round(3)
       n_pos  n_neg  power          method
    0   93.0  185.0  0.902  binormal/model
    """
    design = _read_design(design, auc, null_auc)
    asked = _asked(design, alpha, simulate, n_simulations, rng)
    goals = read_goals(design, power, half_width, alpha)
    if isinstance(design, (OneRate, PairedRates)):
        if ratio is not None:
            raise InputError(
                f"`ratio` must stay out for a rate, which rests on one class; got {ratio!r}."
                " Leave it out."
            )
        rows = [_rate_size_row(design, goal, alpha) for goal in goals]
    else:
        ratio = 1.0 if ratio is None else ratio
        require_open_interval("ratio", ratio, 0, np.inf)
        rows = [_area_size_row(design, goal, ratio, asked) for goal in goals]
    return _frame(SAMPLE_SIZE, rows, asked)


def power(
    design: Design | None = None,
    *,
    auc: float | None = None,
    null_auc: float | None = None,
    n_pos: int | Sequence[int] | None = None,
    n_neg: int | Sequence[int] | None = None,
    alpha: float = 0.05,
    simulate: bool = False,
    n_simulations: int = 2000,
    rng: RngLike = None,
) -> pd.DataFrame:
    """Return the power of a study; a row is one pair of numbers of cases.

    Parameters
    ----------
    design : OneAUC, TwoAUCs, PairedAUCs, PilotAUCs, OneRate or PairedRates, optional
        What is assumed and what is tested.
    auc, null_auc : float in (0, 1), optional
        Instead of ``design``: short for ``OneAUC(auc, null_auc=null_auc)``, ``null_auc`` 1/2
        unless given.
    n_pos, n_neg : int >= 2, or sequence of int
        Numbers of cases, in each group if there are two; sequences go along with one another.
        Both for areas; for a rate that of its class alone.
    alpha : float in (0, 0.5), default 0.05
        One minus the confidence level, as in ``sample_size``.
    simulate : bool, default False
        Whether to draw studies of these sizes, and ask the real test of each.
    n_simulations : int >= 100, default 2000
        Number of studies drawn; 2000 give the power to about 0.02.
    rng : int, SeedSequence, Generator or None
        Source of the draws; the frame records one integer that repeats them.

    Returns
    -------
    pandas.DataFrame
        Columns ``design, quantity, assumed, null_value, margin, hypothesis, alpha, n_pos, n_neg,
        n_cases, power, half_width, power_simulated, power_low, power_high, half_width_simulated,
        n_simulations, test, method, note``, as ``sample_size`` gives them. ``plot_power`` draws
        them.

    Raises
    ------
    InputError
        If a number is missing or not possible, an argument does not fit the design, or the design
        cannot be simulated (a pilot, a partial area, a rate).

    Warns
    -----
    StatisticalWarning
        If a class has under 20 cases and nothing is simulated (``few-planned-cases``).

    Notes
    -----
    Phi((D - z sd0)/sd1), the symbols as in ``sample_size``; a two-sided test counts what it finds
    on the side of the truth.

    References
    ----------
    - Bamber (1975) [bamber-1975]
    - Hanley & McNeil (1982) [hanley-mcneil-1982]
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]
    - Liu, Ma, Wu & Tai (2006) [liu-2006]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.power(auc=0.8, null_auc=0.7, n_pos=[50, 100], n_neg=100)[["n_pos", "power"]].round(3)
       n_pos  power
    0   50.0  0.628
    1  100.0  0.822
    """
    design = _read_design(design, auc, null_auc)
    asked = _asked(design, alpha, simulate, n_simulations, rng)
    if isinstance(design, (OneRate, PairedRates)):
        rows = [_rate_row(design, n, alpha) for n in read_numbers_of_one(design, n_pos, n_neg)]
    else:
        test = planned_test(design)
        rows = [_area_row(design, test, sizes, asked) for sizes in read_numbers(n_pos, n_neg)]
    return _frame(POWER, rows, asked)


def _frame(question: Question, rows: list[dict[str, Any]], asked: _Asked) -> pd.DataFrame:
    drawn = asked.seed is not None
    return estimate_frame(
        question,
        rows,
        grouped=False,
        seed=asked.seed,
        n_resamples=asked.n_simulations if drawn else None,
    )


def _read_design(design: Any, auc: float | None, null_auc: float | None) -> Design:
    if (design is None) == (auc is None) or (design is not None and null_auc is not None):
        raise InputError(
            "`design` or `auc` must be given, one of them, `null_auc` with `auc` only; got"
            f" design={design!r}, auc={auc!r}, null_auc={null_auc!r}."
            " Pass for instance auc=0.8, or a design such as TwoAUCs(0.8, 0.7)."
        )
    if design is None:
        return OneAUC(auc, null_auc=0.5 if null_auc is None else null_auc)  # type: ignore[arg-type]
    if type(design) not in _NAMES:
        names = ", ".join(kind.__name__ for kind in _NAMES)
        raise InputError(
            f"`design` must be one of {names}; got {type(design).__name__}. Pass one of these."
        )
    return design  # type: ignore[no-any-return]


def _asked(design: Design, alpha: float, simulate: bool, n_simulations: Any, rng: Any) -> _Asked:
    require_open_interval("alpha", alpha, 0, 0.5)
    number = read_simulations(n_simulations)
    if not simulate:
        return _Asked(alpha, 0, None)
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
    return _Asked(alpha, number, resolve_seed(rng))


def _area_size_row(
    design: OneAUC | TwoAUCs | PairedAUCs | PilotAUCs,
    goal: tuple[str, float],
    ratio: float,
    asked: _Asked,
) -> dict[str, Any]:
    test, (name, value) = planned_test(design), goal
    solve = test.positives_for_power if name == "power" else test.positives_for_width
    unrounded = solve(value, ratio, asked.alpha)
    row = _area_row(design, test, fewest_cases(unrounded, ratio), asked)
    return {**row, **_wanted(goal, unrounded, ratio * unrounded)}


def _wanted(goal: tuple[str, float], n_pos: float, n_neg: float) -> dict[str, float]:
    return {
        "power_wanted": np.nan,
        "half_width_wanted": np.nan,
        f"{goal[0]}_wanted": goal[1],
        "n_pos_unrounded": n_pos,
        "n_neg_unrounded": n_neg,
    }


def _area_row(
    design: OneAUC | TwoAUCs | PairedAUCs | PilotAUCs,
    test: NormalTest,
    sizes: tuple[int, int],
    asked: _Asked,
) -> dict[str, Any]:
    partial = isinstance(design, PairedAUCs) and not range_of(design).full
    one = isinstance(design, OneAUC)
    codes = ["per-group"] if isinstance(design, TwoAUCs) else []
    if min(sizes) < _FEW and asked.seed is None:
        codes.append("few-planned-cases")
    return {
        **_unsimulated(),
        "design": _NAMES[type(design)],
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


def _simulated(design: Any, sizes: tuple[int, int], asked: _Asked, seed: int) -> dict[str, Any]:
    found = simulate_power(design, *sizes, asked.alpha, asked.n_simulations, seed)
    return {
        "power_simulated": found.power,
        "power_low": found.low,
        "power_high": found.high,
        "half_width_simulated": found.half_width,
        "n_simulations": asked.n_simulations,
        "test": found.test,
    }


def _rate_size_row(
    design: OneRate | PairedRates, goal: tuple[str, float], alpha: float
) -> dict[str, Any]:
    test, (name, value) = planned_rate_test(design), goal
    if name == "half_width":
        unrounded = test.cases_for_width(value, alpha)
    elif test.exact is None:
        unrounded = test.normal_cases(value, alpha)
    else:
        unrounded = float(test.exact_cases(value, alpha))
    n, _ = fewest_cases(unrounded, 1.0)
    mine = (unrounded, 0.0) if design.quantity == "tpr" else (0.0, unrounded)
    return {**_rate_row(design, n, alpha), **_wanted(goal, *mine)}


def _rate_row(design: OneRate | PairedRates, n: int, alpha: float) -> dict[str, Any]:
    test = planned_rate_test(design)
    return {
        **_unsimulated(),
        **_rate_question(design),
        "design": _NAMES[type(design)],
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
