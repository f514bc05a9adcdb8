"""Sample size and power: the questions, their options, and the rows of a plan.

``sample_size`` has a row for each wanted power or half width, ``power`` one for each pair of
numbers of cases. The numbers come from formulas (``planned_tests``) and, on request,
from simulated studies beside them (``simulation``). The rows of reader studies are made by
``reader_plan``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_flag, require_open_interval, require_whole
from rocstats.estimate.answers import answer_row_without_result
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws, require_drawing
from rocstats.facts.tolerances import FEW_CASES
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import Question, columns_in
from rocstats.inference.planning.designs import (
    OneAUC,
    OneRate,
    PairedAUCs,
    PairedRates,
    PilotAUCs,
    TwoAUCs,
    comparison_columns,
    planned_range,
)
from rocstats.inference.planning.planned_tests import (
    MOST_PAIRS,
    AreaDesign,
    PlannedAreaTest,
    PlannedRateTest,
    planned_area_test,
    planned_cases_rounded_up,
    planned_rate_test,
)
from rocstats.inference.planning.reader_plan import (
    ReaderDesign,
    read_planned_readers,
    reader_power_rows,
    reader_sample_size_rows,
)
from rocstats.inference.planning.simulation import MOST_SIMULATED, simulate_power
from rocstats.study.columns import require_same_index
from rocstats.study.points import is_whole
from rocstats.study.vectors import index_of

# --- Questions ------------------------------------------------------------------------------------

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

SAMPLE_SIZE = Question(
    "sample_size",
    columns_in(
        f"{PLAN} power_wanted half_width_wanted n_pos_unrounded n_neg_unrounded {SIMULATED}"
    ),
    CITED,
)


def sample_size(
    design: PlannedDesign | None = None,
    *,
    auc: float | None = None,
    null_auc: float | None = None,
    power: float | Sequence[float] | None = None,
    half_width: float | Sequence[float] | None = None,
    ratio: float | None = None,
    n_readers: int | Sequence[int] | None = None,
    n_groups: int | Sequence[int] | None = None,
    alpha: float = 0.05,
    simulate: bool = False,
    n_simulations: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the required numbers of cases; a row is one target power or half width.

    Parameters
    ----------
    design : OneAUC, TwoAUCs, PairedAUCs, PilotAUCs, OneRate, PairedRates, ReaderDesign, optional
        The assumptions and the planned test.
    auc, null_auc : float in (0, 1), optional
        Short form of the design ``OneAUC(auc, null_auc=null_auc)``; ``null_auc`` is 1/2 by default.
    power : float in (alpha, 1), or sequence of float, optional
        Target probability to reject the null hypothesis if the assumptions are true.
    half_width : float in (0, 0.5), or sequence of float, optional
        Target half width of the normal interval at the level ``1 - alpha``. Pass it instead of
        ``power``.
    ratio : float > 0, optional
        Negatives per positive, by default 1. A design of rates needs only one class, and has no
        ratio.
    n_readers, n_groups : int >= 1, or sequence of int, optional
        Numbers of readers and of reader groups of the whole study, as in ``power``; each
        combination has a row. For a ``ReaderDesign`` only.
    alpha : float in (0, 0.5), default 0.05
        One minus the confidence level:

        - two-sided tests, superiority and non-inferiority: ``alpha / 2`` per side.
        - one-sided tests and equivalence: ``alpha`` per side.
    simulate : bool, default False
        Whether to simulate studies of these sizes and apply the planned test to each.
    n_simulations : int >= 100, default 2000
        Number of simulated studies; 2000 studies estimate the power with an error of about 0.02.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the simulation; the frame records a seed that reproduces it.
    progress : bool, default False
        Whether to show a progress bar if the simulation takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``design, quantity, n_readers, n_groups, n_pos, n_neg, n_cases, power, half_width,
        assumed, null_value, margin, hypothesis, alpha, power_wanted, half_width_wanted,
        n_pos_unrounded, n_neg_unrounded, power_simulated, power_low, power_high,
        half_width_simulated, n_simulations, test, method, note``. ``power`` and ``half_width`` are
        for the rounded numbers. In a design of two groups, ``n_pos`` and ``n_neg`` are the numbers
        per group (note ``per-group``); ``n_cases`` is the total. Without ``simulate`` the columns
        of the simulation are NaN, ``n_simulations`` is 0 and ``test`` is "". ``n_readers`` and
        ``n_groups`` are NaN except for a ``ReaderDesign``. Numbers of cases are NaN if there are
        too few readers for any number of cases (note ``more-readers-needed``).

    Raises
    ------
    InputError
        If not exactly one of ``power`` and ``half_width`` is passed; if a value is invalid or
        unattainable; if the design does not use an argument; or if the design cannot be simulated
        (a pilot, a partial area, a rate, over 50 000 cases of a class).

    Warns
    -----
    StatisticalWarning
        If a class has under 20 cases and there is no simulation (``few-planned-cases``); or if
        there are too few readers for any number of cases (``more-readers-needed``).

    Notes
    -----
    n_pos = (z sqrt(V0) + z_power sqrt(V1))^2/D^2. The normal quantiles z and z_power belong to the
    level of the test and to the power. D is the assumed value minus the null value. V0 and V1 are
    the variances per positive under the null and the alternative hypothesis; the design defines
    them. For non-inferiority, D is the difference plus the margin, and V0 = V1. For equivalence,
    the power is Phi(.) + Phi(.) - 1, with a term for each of the two tests. For an interval, n_pos
    = z^2 V1/half_width^2. Numbers are rounded up. For exact tests of rates, the power does not
    increase steadily with the number of cases. The result is the least number from which the power
    is always at least the target.

    The normal approximation is poor for few cases and for areas near 1; then use ``simulate=True``.
    A simulation draws normal scores (binormal, correlated in each class) and applies a test to each
    study. The test is ``versus_random`` for ``OneAUC`` against 1/2. For other designs it is
    ``auc(null_value=)`` or ``compare_auc`` (t, or MOVER with a margin). Limits of the simulated
    power are Wilson's 95% limits. The simulated half width is for the default interval.

    A ``ReaderDesign`` is planned for the t test of Obuchowski and Rockette with the degrees of
    freedom of Hillis. Some designs take their variances from the model, and have reader groups,
    nested readers or nested cases. For these designs, the planned test is the test of U-statistics.
    With components of a pilot, the variances of case sampling are divided by c/c*, where 1/c =
    1/n_pos + 1/n_neg, and c* is the value of the pilot. Variances of the model are exact. The least
    numbers of cases are found by search; groups have equal sizes.

    Do not compute the power of a completed study at its estimate: such a power adds no information
    to the p value.

    References
    ----------
    - Bamber (1975) [bamber-1975]
    - Hanley & McNeil (1982) [hanley-mcneil-1982]
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]
    - Liu, Ma, Wu & Tai (2006) [liu-2006]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]
    - Hillis, Obuchowski & Berbaum (2011) [hillis-2011]
    - Roe & Metz (1997) [roe-1997]
    - Gallas & Hillis (2014) [gallas-2014]

    Examples
    --------
    >>> import rocstats as rs
    >>> shown = ["n_pos", "n_neg", "power", "method"]
    >>> rs.sample_size(auc=0.8, null_auc=0.7, power=0.9, ratio=2)[shown].round(3)
       n_pos  n_neg  power          method
    0     93    185  0.902  binormal/model
    """
    design = read_planned_design(design, auc, null_auc)
    # Beyond 1/2 a one-sided test would reject on the wrong side of its null value.
    require_open_interval("alpha", alpha, 0, 0.5)
    studies = read_simulation(design, simulate, n_simulations, rng, progress)
    goals = read_power_or_width_goals(design, power, half_width, alpha)
    readers = read_planned_readers(design, n_readers, n_groups)
    if isinstance(design, (OneRate, PairedRates)):
        # A ratio would be ignored in silence: the other class does not enter a rate.
        if ratio is not None:
            raise InputError(
                f"`ratio` must be left out for a rate, which depends on one class; got {ratio!r}."
                " Leave it out."
            )
        rows = [sample_size_row_of_rates(design, goal, alpha) for goal in goals]
    else:
        ratio = 1.0 if ratio is None else ratio
        require_open_interval("ratio", ratio, 0, np.inf)
        if isinstance(design, ReaderDesign):
            rows = reader_sample_size_rows(design, goals, readers, ratio, alpha)
        else:
            rows = [sample_size_row_of_areas(design, goal, ratio, alpha, studies) for goal in goals]
    return planned_rows_frame(SAMPLE_SIZE, design, alpha, rows, studies)


POWER = Question("power", columns_in(f"{PLAN} {SIMULATED}"), CITED)


def power(
    design: PlannedDesign | None = None,
    *,
    auc: float | None = None,
    null_auc: float | None = None,
    n_pos: int | Sequence[int] | None = None,
    n_neg: int | Sequence[int] | None = None,
    n_readers: int | Sequence[int] | None = None,
    n_groups: int | Sequence[int] | None = None,
    alpha: float = 0.05,
    simulate: bool = False,
    n_simulations: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the power of a study; a row is one combination of numbers of cases and readers.

    Parameters
    ----------
    design : OneAUC, TwoAUCs, PairedAUCs, PilotAUCs, OneRate, PairedRates, ReaderDesign, optional
        The assumptions and the planned test.
    auc, null_auc : float in (0, 1), optional
        Short form of the design ``OneAUC(auc, null_auc=null_auc)``; ``null_auc`` is 1/2 by default.
    n_pos, n_neg : int >= 2, or sequence of int
        Numbers of cases (per group, in a design of two groups). Sequences of ``n_pos`` and
        ``n_neg`` are paired element by element. Areas need both numbers; a rate needs only the
        number of its class. For a reader study, these are the numbers of the whole study.
    n_readers : int >= 1, or sequence of int, optional
        Number of readers of the whole study, at least two if readers are random; for a
        ``ReaderDesign`` only.
    n_groups : int >= 1, or sequence of int, optional
        Number of reader groups; each group reads a different part of the cases (split plot). By
        default 1: every reader reads every case. Each number of readers is combined with each
        number of groups and each pair of numbers of cases.
    alpha : float in (0, 0.5), default 0.05
        One minus the confidence level, as in ``sample_size``.
    simulate : bool, default False
        Whether to simulate studies of these sizes and apply the planned test to each.
    n_simulations : int >= 100, default 2000
        Number of simulated studies; 2000 studies estimate the power with an error of about 0.02.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the simulation; the frame records a seed that reproduces it.
    progress : bool, default False
        Whether to show a progress bar if the simulation takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``design, quantity, n_readers, n_groups, n_pos, n_neg, n_cases, power, half_width,
        assumed, null_value, margin, hypothesis, alpha, power_simulated, power_low, power_high,
        half_width_simulated, n_simulations, test, method, note``, as in ``sample_size``.
        ``plot_power`` draws the frame.

    Raises
    ------
    InputError
        If a number is missing or invalid; if the design does not use an argument; or if the design
        cannot be simulated (a pilot, a partial area, a rate, over 50 000 cases of a class).

    Warns
    -----
    StatisticalWarning
        If a class has under 20 cases and there is no simulation (``few-planned-cases``).

    Notes
    -----
    Power = Phi((D - z sd0)/sd1); ``sample_size`` defines the symbols. For a two-sided test, only
    rejections on the side of the true difference count. The power of a ``ReaderDesign`` is P(T > t)
    with the noncentral t distribution and the degrees of freedom of the planned test; see
    ``sample_size``.

    References
    ----------
    - Bamber (1975) [bamber-1975]
    - Hanley & McNeil (1982) [hanley-mcneil-1982]
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]
    - Liu, Ma, Wu & Tai (2006) [liu-2006]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]
    - Hillis, Obuchowski & Berbaum (2011) [hillis-2011]
    - Roe & Metz (1997) [roe-1997]
    - Gallas & Hillis (2014) [gallas-2014]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.power(auc=0.8, null_auc=0.7, n_pos=[50, 100], n_neg=100)[["n_pos", "power"]].round(3)
       n_pos  power
    0     50  0.628
    1    100  0.822
    """
    design = read_planned_design(design, auc, null_auc)
    # Beyond 1/2 a one-sided test would reject on the wrong side of its null value.
    require_open_interval("alpha", alpha, 0, 0.5)
    studies = read_simulation(design, simulate, n_simulations, rng, progress)
    readers = read_planned_readers(design, n_readers, n_groups)
    if isinstance(design, ReaderDesign):
        rows = reader_power_rows(design, readers, read_planned_case_numbers(n_pos, n_neg), alpha)
    elif isinstance(design, (OneRate, PairedRates)):
        rows = [
            power_row_of_rates(design, n, alpha)
            for n in read_planned_numbers_of_class(design, n_pos, n_neg)
        ]
    else:
        test = planned_area_test(design)
        numbers = read_planned_case_numbers(n_pos, n_neg)
        rows = [power_row_of_areas(design, test, sizes, alpha, studies) for sizes in numbers]
    return planned_rows_frame(POWER, design, alpha, rows, studies)


# --- Options: design, level, simulation, goals and numbers of cases -------------------------------

PlannedDesign = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs | OneRate | PairedRates | ReaderDesign
DESIGN_NAMES = {
    OneAUC: "one-auc",
    TwoAUCs: "two-aucs",
    PairedAUCs: "paired-aucs",
    PilotAUCs: "pilot-aucs",
    OneRate: "one-rate",
    PairedRates: "paired-rates",
    ReaderDesign: "readers",
}


def read_planned_design(design: Any, auc: float | None, null_auc: float | None) -> PlannedDesign:
    """Return the design, or that of ``auc``; raise InputError unless exactly one is given."""
    if (design is None) == (auc is None) or (design is not None and null_auc is not None):
        raise InputError(
            "`design` or `auc` must be given, but not both, and `null_auc` only with `auc`; got"
            f" design={design!r}, auc={auc!r}, null_auc={null_auc!r}. Pass for instance auc=0.8,"
            " or a design such as TwoAUCs(0.8, 0.7)."
        )
    if design is None:
        return OneAUC(auc, null_auc=0.5 if null_auc is None else null_auc)  # type: ignore[arg-type]
    if type(design) not in DESIGN_NAMES:
        names = ", ".join(kind.__name__ for kind in DESIGN_NAMES)
        raise InputError(
            f"`design` must be one of {names}; got {type(design).__name__}. Pass one of these."
        )
    return design  # type: ignore[no-any-return]


def read_simulation(
    design: PlannedDesign, simulate: bool, n_simulations: Any, rng: Any, progress: bool
) -> ResamplePlan | None:
    """Return the plan of simulated studies; raise InputError for a design that has none."""
    advice = "Use 2000 or more for printed results."
    # The standard error of a power from 100 studies is up to 0.05: fewer are too coarse.
    number = require_whole("n_simulations", n_simulations, 100, advice)
    require_flag("simulate", simulate)
    require_drawing(n_simulations, rng, progress)
    if not simulate:
        return None
    why = {
        PilotAUCs: "a pilot, which has no distribution of the scores to simulate",
        OneRate: "a rate, whose power method='exact' knows",
        PairedRates: "rates, whose power method='exact' knows",
        ReaderDesign: "a reader study; draw some with simulate_readers",
    }.get(type(design))
    if isinstance(design, PairedAUCs) and not planned_range(design).full:
        why = "a partial area"
    if why is not None:
        raise InputError(f"`simulate` must stay False for {why}; got True. Leave it out.")
    return plan_draws(number, rng, progress)


def read_power_or_width_goals(
    design: object, power: Any, half_width: Any, alpha: float
) -> list[tuple[str, float]]:
    """Return the wanted powers or half widths, each with the name of its column."""
    if (power is None) == (half_width is None):
        raise InputError(
            f"`power` or `half_width` must be given, but not both; got {power!r} and"
            f" {half_width!r}. Pass for instance power=0.9."
        )
    if power is not None and isinstance(design, OneRate) and design.goal is None:
        raise InputError(
            "`power` must be used with a goal; got a rate without goal. Pass goal= to OneRate,"
            " or pass half_width=."
        )
    name, goals = ("power", power) if power is not None else ("half_width", half_width)
    # A test at level alpha has the power alpha without cases; an interval in [0, 1] has a half
    # width of 1/2 at most.
    low, high = (alpha, 1.0) if name == "power" else (0.0, 0.5)
    # dtype=object keeps a text a text, so that it gets the message on numbers.
    values = np.atleast_1d(np.asarray(goals, dtype=object)).tolist()
    for value in values:
        require_open_interval(name, value, low, high)
    return [(name, float(value)) for value in values]


def read_planned_case_numbers(n_pos: Any, n_neg: Any) -> list[tuple[int, int]]:
    """Return pairs of numbers of cases; a single number is repeated for each of the other class."""
    of_pos, of_neg = _read_planned_sizes("n_pos", n_pos), _read_planned_sizes("n_neg", n_neg)
    length = max(len(of_pos), len(of_neg))
    if {len(of_pos), len(of_neg)} - {1, length}:
        raise InputError(
            f"`n_pos` and `n_neg` must have the same length, or one of them must be a single"
            f" number; got {len(of_pos)} and {len(of_neg)} numbers. Pass as many numbers for one"
            " class as for the other class."
        )
    if len(of_pos) == len(of_neg):
        require_same_index("n_neg", "n_pos", index_of(n_neg), index_of(n_pos))
    of_pos, of_neg = (n * (length // len(n)) for n in (of_pos, of_neg))
    return list(zip(of_pos, of_neg, strict=True))


def read_planned_numbers_of_class(
    design: OneRate | PairedRates, n_pos: Any, n_neg: Any
) -> list[int]:
    """Return the numbers of cases of the class of a rate."""
    argument, other = ("n_pos", "n_neg") if design.quantity == "tpr" else ("n_neg", "n_pos")
    given = {"n_pos": n_pos, "n_neg": n_neg}
    if given[other] is not None:
        raise InputError(
            f"`{other}` must be left out for the rate {design.quantity!r}, which depends on the"
            f" other class; got {given[other]!r}. Leave it out."
        )
    return _read_planned_sizes(argument, given[argument])


def _read_planned_sizes(argument: str, sizes: Any) -> list[int]:
    """Return numbers of cases; 80.0 is one, as the columns of ``sample_size`` are floats."""
    values = [] if sizes is None else np.atleast_1d(np.asarray(sizes, dtype=object)).tolist()
    for value in values:
        # A variance needs two cases.
        if not is_whole(value, 2):
            raise InputError(
                f"`{argument}` must be whole numbers >= 2; got {value!r}. Pass numbers of cases."
            )
    if not values:
        raise InputError(f"`{argument}` must be given; got {sizes!r}. Pass numbers of cases.")
    return [int(value) for value in values]


# --- Rows of areas --------------------------------------------------------------------------------


def sample_size_row_of_areas(
    design: AreaDesign,
    goal: tuple[str, float],
    ratio: float,
    alpha: float,
    studies: ResamplePlan | None,
) -> dict[str, Any]:
    """Return the row of the numbers of cases with a wanted power or half width of areas."""
    test, (name, value) = planned_area_test(design), goal
    if name == "power":
        _require_planned_area_variances(design, test, 1, ratio)
        n_pos = test.positives_for_power(value, ratio, alpha)
    else:
        n_pos = test.positives_for_width(value, ratio, alpha)
    n_neg = ratio * n_pos
    _require_reachable_planning_goal(name, value, max(n_pos, n_neg))
    # Rounding up raises the power above the wanted one: the row has that of the rounded numbers.
    row = power_row_of_areas(
        design,
        test,
        (planned_cases_rounded_up(n_pos), planned_cases_rounded_up(n_neg)),
        alpha,
        studies,
    )
    return {**row, **_planning_goal_columns(goal, n_pos, n_neg)}


def power_row_of_areas(
    design: AreaDesign,
    test: PlannedAreaTest,
    sizes: tuple[int, int],
    alpha: float,
    studies: ResamplePlan | None,
) -> dict[str, Any]:
    """Return the row of the power of a test of areas with numbers of cases."""
    _require_planned_area_variances(design, test, *sizes)
    partial = isinstance(design, PairedAUCs) and not planned_range(design).full
    codes = ["per-group"] if isinstance(design, TwoAUCs) else []
    # A simulation has the real test of these sizes; only the formula is in doubt.
    if min(sizes) < FEW_CASES and studies is None:
        codes.append("few-planned-cases")
    if isinstance(design, OneAUC):
        hypothesis = {
            "assumed": design.auc,
            "null_value": design.null_auc,
            "hypothesis": design.alternative,
        }
    else:
        hypothesis = comparison_columns(design)
    simulated = _simulated_columns(design, sizes, alpha, studies) if studies else {}
    return {
        **hypothesis,
        "quantity": "partial_auc" if partial else "auc",
        "n_pos": sizes[0],
        "n_neg": sizes[1],
        "n_cases": sum(sizes) * (2 if isinstance(design, TwoAUCs) else 1),
        "power": test.power(*sizes, alpha),
        "half_width": test.half_width(*sizes, alpha),
        **simulated,
        "method": test.variance,
        "note": codes,
    }


def _require_planned_area_variances(
    design: AreaDesign, test: PlannedAreaTest, n_pos: float, n_neg: float
) -> None:
    # A variance below 1e-308 is 0 in floating point; correlations of almost 1 leave rounding.
    one = isinstance(design, OneAUC)
    needed = {"auc": test.assumed, "null_auc": test.null} if one else {"design": test.assumed}
    for name, variance in needed.items():
        if not variance.at(n_pos, n_neg) > 0:
            raise InputError(
                f"`{name}` must give the estimate a variance above 0; got"
                f" {variance.at(n_pos, n_neg):g}. Choose areas further from 0 and 1, and"
                " correlations further from 1."
            )
    # 2 V2 - 2 C is negative where the covariance exceeds the variance of the reference.
    if not test.null.at(n_pos, n_neg) > 0:
        raise InputError(
            "`null_variance` must be 'alternative' if the variance of the reference is below its"
            " covariance with the predictor; got 'reference'. Leave it out."
        )


def _simulated_columns(
    design: Any, sizes: tuple[int, int], alpha: float, studies: ResamplePlan
) -> dict[str, Any]:
    if max(sizes) > MOST_SIMULATED:
        raise InputError(
            f"`simulate` must stay False beyond {MOST_SIMULATED:_} cases of a class; got"
            f" {max(sizes)}. Leave it out: with so many cases the formula is accurate."
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


# --- Rows of rates --------------------------------------------------------------------------------


def sample_size_row_of_rates(
    design: OneRate | PairedRates, goal: tuple[str, float], alpha: float
) -> dict[str, Any]:
    """Return the row of the number of cases with a wanted power or half width of rates."""
    test, (name, value) = planned_rate_test(design), goal
    if name == "half_width":
        unrounded = test.cases_for_width(value, alpha)
    else:
        unrounded = test.normal_cases(value, alpha)
    _require_reachable_planning_goal(name, value, unrounded)
    if name == "power" and test.exact is not None:
        _require_reach_of_exact_rate_power(test, value, alpha)
        unrounded = float(test.exact_cases(value, alpha))
    row = power_row_of_rates(design, planned_cases_rounded_up(unrounded), alpha)
    return {**row, **_planning_goal_columns(goal, *_planned_cases_by_class(design, unrounded))}


def power_row_of_rates(design: OneRate | PairedRates, n: int, alpha: float) -> dict[str, Any]:
    """Return the row of the power of a test of rates with a number of cases."""
    test = planned_rate_test(design)
    if isinstance(design, PairedRates) and test.exact is not None and n > MOST_PAIRS:
        raise InputError(
            f"`method` must be 'asymptotic' beyond {MOST_PAIRS:_} cases; got {n}. Pass"
            " method='asymptotic' to the design."
        )
    if isinstance(design, OneRate):
        goal = np.nan if design.goal is None else design.goal
        assumed, null_value, name = design.rate, goal, "binomial"
    else:
        difference = design.only_predictor - design.only_reference
        assumed, null_value, name = difference, 0.0, "mcnemar"
    n_pos, n_neg = _planned_cases_by_class(design, n)
    return {
        "assumed": assumed,
        "null_value": null_value,
        "quantity": design.quantity,
        "n_pos": n_pos,
        "n_neg": n_neg,
        "hypothesis": design.alternative,
        "n_cases": n,
        "power": test.power(n, alpha),
        "half_width": test.half_width(n, alpha),
        "method": f"{name}/{design.method}",
        "note": [],
    }


def _require_reach_of_exact_rate_power(test: PlannedRateTest, power: float, alpha: float) -> None:
    # Exact power is not monotone in n, so that all numbers around the normal one are tried.
    if not test.in_reach(power, alpha):
        guess = test.normal_cases(power, alpha)
        raise InputError(
            f"`method` must be 'asymptotic' beyond {test.most} cases; about {guess:.0f} cases are"
            " needed. Pass 'asymptotic', or change the rates."
        )


def _planned_cases_by_class(design: OneRate | PairedRates, n: float) -> tuple[float, float]:
    """Return the numbers of positives and negatives of a rate, which one class has."""
    return (n, 0) if design.quantity == "tpr" else (0, n)


# --- Columns of goals, and the frame --------------------------------------------------------------


def _planning_goal_columns(goal: tuple[str, float], n_pos: float, n_neg: float) -> dict[str, float]:
    return {f"{goal[0]}_wanted": goal[1], "n_pos_unrounded": n_pos, "n_neg_unrounded": n_neg}


def _require_reachable_planning_goal(name: str, value: float, n: float) -> None:
    # The square of a distance, or of a half width, below 1e-154 is 0 in floating point.
    if not np.isfinite(n):
        raise InputError(
            f"`{name}` must be attainable; got {value!r}, which needs over 1e308 cases. Change"
            " this value, the ratio, or the distance from the null value."
        )


def planned_rows_frame(
    question: Question,
    design: PlannedDesign,
    alpha: float,
    rows: list[dict[str, Any]],
    studies: ResamplePlan | None,
) -> pd.DataFrame:
    """Return the frame of a plan; numbers that a design does not have are NaN."""
    common = {
        "design": DESIGN_NAMES[type(design)],
        "alpha": alpha,
        "n_simulations": 0,
        "test": "",
    }
    filled = [answer_row_without_result(question, {**common, **row}, row["note"]) for row in rows]
    seed, number = (studies.seed, studies.n_resamples) if studies else (None, None)
    return estimate_frame(question, filled, grouped=False, seed=seed, n_resamples=number)
