"""Power of a study of given numbers of cases."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from rocstats.frames.questions import Question, columns_in
from rocstats.inference.estimates.randomness import RngLike
from rocstats.inference.planning.numbers import read_numbers, read_numbers_of_one
from rocstats.inference.planning.planned_tests import planned_test
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.inference.planning.readers.design import ReaderDesign
from rocstats.inference.planning.readers.rows import read_readers, reader_rows
from rocstats.inference.planning.request import Design, read_design, read_request
from rocstats.inference.planning.rows import CITED, PLAN, SIMULATED, area_row, plan_frame, rate_row

POWER = Question("power", columns_in(f"{PLAN} {SIMULATED}"), CITED)


def power(
    design: Design | None = None,
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
    """Return the power of a study; a row is one pair of numbers of cases, and of readers.

    Parameters
    ----------
    design : OneAUC, TwoAUCs, PairedAUCs, PilotAUCs, OneRate, PairedRates, ReaderDesign, optional
        The assumptions and the planned test.
    auc, null_auc : float in (0, 1), optional
        Instead of ``design``: ``OneAUC(auc, null_auc=null_auc)``, ``null_auc`` 1/2 by default.
    n_pos, n_neg : int >= 2, or sequence of int
        Numbers of cases, in each group if there are two; sequences are read in parallel. Areas need
        both; a rate needs that of its class alone. Of a reader study they are those of the whole
        study.
    n_readers : int >= 1, or sequence of int, optional
        Readers of the whole study, for a ``ReaderDesign`` only; two or more random ones.
    n_groups : int >= 1, or sequence of int, optional
        Groups of readers, each of which reads its own part of the cases (split plot); by default 1:
        every reader reads every case. Each number of readers is combined with each number of groups
        and each pair of numbers of cases.
    alpha : float in (0, 0.5), default 0.05
        One minus the confidence level, as in ``sample_size``.
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
        assumed, null_value, margin, hypothesis, alpha, power_simulated, power_low, power_high,
        half_width_simulated, n_simulations, test, method, note``, as in ``sample_size``. For
        ``plot_power``.

    Raises
    ------
    InputError
        If a number is missing or not possible, an argument does not fit the design, or the design
        cannot be simulated (a pilot, a partial area, a rate,
        over 50 000 cases of a class).

    Warns
    -----
    StatisticalWarning
        If a class has under 20 cases and nothing is simulated (``few-planned-cases``).

    Notes
    -----
    Power = Phi((D - z sd0)/sd1), the symbols as in ``sample_size``; of a two-sided test only
    rejections on the side of the truth count. That of a ``ReaderDesign`` is P(T > t) with the
    noncentral t distribution and the degrees of freedom of the planned test; see ``sample_size``.

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
    design = read_design(design, auc, null_auc)
    plan = read_request(design, alpha, simulate, n_simulations, rng, progress)
    readers = read_readers(design, n_readers, n_groups)
    if isinstance(design, ReaderDesign):
        rows = reader_rows(design, readers, read_numbers(n_pos, n_neg), alpha)
    elif isinstance(design, (OneRate, PairedRates)):
        rows = [rate_row(design, n, alpha) for n in read_numbers_of_one(design, n_pos, n_neg)]
    else:
        test = planned_test(design)
        rows = [area_row(design, test, sizes, plan) for sizes in read_numbers(n_pos, n_neg)]
    return plan_frame(POWER, rows, plan)
