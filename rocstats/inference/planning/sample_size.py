"""Numbers of cases for a wanted power or precision."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.frames.questions import Question, columns_in
from rocstats.inference.estimates.randomness import RngLike
from rocstats.inference.planning.numbers import read_goals
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.inference.planning.readers.design import ReaderDesign
from rocstats.inference.planning.readers.rows import read_readers, reader_size_row
from rocstats.inference.planning.request import Design, read_design, read_request
from rocstats.inference.planning.rows import (
    CITED,
    PLAN,
    SIMULATED,
    area_size_row,
    plan_frame,
    rate_size_row,
)

SAMPLE_SIZE = Question(
    "sample_size",
    columns_in(
        f"{PLAN} power_wanted half_width_wanted n_pos_unrounded n_neg_unrounded {SIMULATED}"
    ),
    CITED,
)


def sample_size(
    design: Design | None = None,
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
    """Return the numbers of cases of a study; a row is one wanted power or half width.

    Parameters
    ----------
    design : OneAUC, TwoAUCs, PairedAUCs, PilotAUCs, OneRate, PairedRates, ReaderDesign, optional
        The assumptions and the planned test.
    auc, null_auc : float in (0, 1), optional
        Instead of ``design``: ``OneAUC(auc, null_auc=null_auc)``, ``null_auc`` 1/2 by default.
    power : float in (alpha, 1), or sequence of float, optional
        Wanted probability to reject the null hypothesis if the assumptions hold.
    half_width : float in (0, 0.5), or sequence of float, optional
        Wanted half width of the normal interval at the level ``1 - alpha``; instead of ``power``.
    ratio : float > 0, optional
        Negatives per positive, by default 1; not for rates, which are of one class.
    n_readers, n_groups : int >= 1, or sequence of int, optional
        Readers and groups of readers of the whole study, as in ``power``; for a ``ReaderDesign``
        only, which has a row for each of them.
    alpha : float in (0, 0.5), default 0.05
        One minus the confidence level, spent on these sides:

        - two-sided tests, superiority and non-inferiority: ``alpha / 2`` a side.
        - one-sided tests and equivalence: ``alpha`` a side.
    simulate : bool, default False
        Whether to simulate studies of these sizes and apply the real test to each.
    n_simulations : int >= 100, default 2000
        Number of simulated studies; 2000 give the power to about 0.02.
    rng : int, SeedSequence, Generator or None
        Source of the simulation; the frame records one integer that repeats it.
    progress : bool, default False
        Whether to show a bar for a simulation that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``design, quantity, n_readers, n_groups, n_pos, n_neg, n_cases, power, half_width,
        assumed, null_value, margin, hypothesis, alpha, power_wanted, half_width_wanted,
        n_pos_unrounded, n_neg_unrounded, power_simulated, power_low, power_high,
        half_width_simulated, n_simulations, test, method, note``. ``power`` and
        ``half_width`` are those of the rounded numbers. ``n_pos`` and ``n_neg`` are those of each
        group if there are two (note ``per-group``); ``n_cases`` is the total. Without a simulation
        its columns are NaN,
        ``n_simulations`` 0 and ``test`` "". ``n_readers`` and ``n_groups`` are NaN but for a
        ``ReaderDesign``. Numbers of cases are NaN where no number of cases gives so few readers the
        wanted power (note ``more-readers-needed``).

    Raises
    ------
    InputError
        Unless exactly one of ``power`` and ``half_width`` is given, and possible; if an argument
        does not fit the design, or the design cannot be simulated (a pilot, a partial area, a
        rate, over 50 000 cases of a class).

    Warns
    -----
    StatisticalWarning
        If a class has under 20 cases and nothing is simulated (``few-planned-cases``), or readers
        are too few for any number of cases (``more-readers-needed``).

    Notes
    -----
    n_pos = (z sqrt(V0) + z_power sqrt(V1))^2/D^2 with D the distance of the truth from the null
    value, V0 and V1 the variances of one positive and its negatives under both, see the design;
    for non-inferiority D is the difference plus the margin, and V0 = V1. Equivalence solves
    Phi(.) + Phi(.) - 1 = power for its two tests. n_pos = z^2 V1/half_width^2 for an interval.
    Numbers are rounded up. Exact tests of rates take the least number from which on the power is
    never below the wanted power.

    The normal approximation is poor for few cases and for areas near 1: simulate. A simulation
    draws normal scores (binormal, correlated in each class) and applies ``versus_random`` to each
    study (``OneAUC`` against 1/2), ``auc(null_value=)`` or ``compare_auc`` (t, MOVER with a
    margin). Limits of the simulated power are Wilson's at 95%. The simulated half width is that of
    the default interval.

    A ``ReaderDesign`` is planned for the t test of Obuchowski and Rockette with the degrees of
    freedom of Hillis; in groups, or where each modality has its own readers or cases, and with
    variances of the model, for that of U-statistics. With components of a pilot and its cases c*,
    the variances of case sampling are divided by c/c*, 1/c = 1/n_pos + 1/n_neg. Variances of the
    model are exact. The least numbers of cases are found by search; groups are of equal size.

    Do not compute the power of a completed study at its own estimate: that power says nothing
    beyond the p value.

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
    design = read_design(design, auc, null_auc)
    plan = read_request(design, alpha, simulate, n_simulations, rng, progress)
    goals = read_goals(design, power, half_width, alpha)
    readers = read_readers(design, n_readers, n_groups)
    if isinstance(design, (OneRate, PairedRates)):
        # A ratio would be ignored in silence: the other class does not enter a rate.
        if ratio is not None:
            raise InputError(
                f"`ratio` must stay out for a rate, which rests on one class; got {ratio!r}."
                " Leave it out."
            )
        rows = [rate_size_row(design, goal, alpha) for goal in goals]
    else:
        ratio = 1.0 if ratio is None else ratio
        require_open_interval("ratio", ratio, 0, np.inf)
        if isinstance(design, ReaderDesign):
            wanted = product(goals, readers)
            rows = [reader_size_row(design, *of, ratio, alpha) for of in wanted]
        else:
            rows = [area_size_row(design, goal, ratio, plan) for goal in goals]
    return plan_frame(SAMPLE_SIZE, rows, plan)
