"""The area that chance alone seldom reaches: critical values by class sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.frames import estimate_frame
from rocstats.inference.chance.requirements import require_candidates
from rocstats.questions import Question, columns_in
from rocstats.stats.chance.candidates import best_of
from rocstats.stats.chance.rank_sum import LARGEST_PAIRS, rank_sum_distribution, untied_counts
from rocstats.stats.intervals.quantiles import p_value, quantile

CRITICAL_AUC = Question(
    "critical_auc",
    columns_in("quantity n_pos n_neg n_candidates alpha critical_value p_value method note"),
    (
        "mann-1947",
        "forman-2005",
    ),
)
_SAME = 1e-12


def critical_auc(
    n_pos: int, n_neg: int, *, n_candidates: int | Sequence[int] = 1, alpha: float = 0.05
) -> pd.DataFrame:
    """Return the least AUC that is better than chance; a row is one number of candidates.

    Parameters
    ----------
    n_pos, n_neg : int >= 1
        Numbers of positives and negatives.
    n_candidates : int >= 1, or sequence of int, default 1
        How many predictors are tried, of which the best is looked at.
    alpha : float in (0, 1), default 0.05
        Level of the one-sided test.

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity, n_pos, n_neg, n_candidates, alpha, critical_value, p_value, method,
        note``; ``p_value`` is that of ``critical_value``, at most ``alpha``. Both are NaN if no AUC
        reaches the level (note ``unattainable-level``).

    Raises
    ------
    InputError
        If a number is not possible.

    Warns
    -----
    StatisticalWarning
        If no AUC reaches the level.

    Notes
    -----
    The least a with 1 - (1 - P(A >= a))^K <= alpha, A the area of a random scorer without ties:
    exact up to 10 000 pairs, else normal with continuity correction. K counts everything that was
    tried, tuning included; for correlated candidates the value is conservative. With ties ask
    ``versus_random``, whose law is that of the ties.

    References
    ----------
    - Mann & Whitney (1947) [mann-1947]
    - Forman (2002) [forman-2002]
    - Forman & Cohen (2005), who tabulate such values [forman-2005]

    Examples
    --------
    >>> import rocstats as rs
    >>> found = rs.critical_auc(20, 100, n_candidates=[1, 10, 100])
    >>> found[["n_candidates", "critical_value"]].round(4)
       n_candidates  critical_value
    0           1.0          0.6175
    1          10.0          0.6810
    2         100.0          0.7290
    """
    sizes = [_require_size(name, n) for name, n in (("n_pos", n_pos), ("n_neg", n_neg))]
    require_open_interval("alpha", alpha, 0, 1)
    tried = [require_candidates(n) for n in np.atleast_1d(np.asarray(n_candidates)).tolist()]
    critical = _exact if sizes[0] * sizes[1] <= LARGEST_PAIRS else _asymptotic
    rows = [_row(sizes[0], sizes[1], n, alpha, critical) for n in tried]
    return estimate_frame(CRITICAL_AUC, rows, grouped=False)


def _require_size(argument: str, n: Any) -> int:
    whole = isinstance(n, (int, np.integer)) and not isinstance(n, bool)
    if not whole or n < 1:
        raise InputError(
            f"`{argument}` must be a whole number >= 1; got {n!r}. Pass the number of cases."
        )
    return int(n)


def _row(n_pos: int, n_neg: int, n_candidates: int, alpha: float, critical: Any) -> dict[str, Any]:
    value, p, method = critical(n_pos, n_neg, n_candidates, alpha)
    return {
        "quantity": "auc",
        "n_pos": n_pos,
        "n_neg": n_neg,
        "n_candidates": n_candidates,
        "alpha": alpha,
        "critical_value": value,
        "p_value": p,
        "method": method,
        "note": ["unattainable-level"] if np.isnan(value) else [],
    }


def _exact(n_pos: int, n_neg: int, n_candidates: int, alpha: float) -> tuple[float, float, str]:
    law = rank_sum_distribution(untied_counts(n_pos, n_neg))
    p = best_of(law.upper_tails(), n_candidates)
    reached = np.flatnonzero(p <= alpha + _SAME)
    if len(reached) == 0:
        return np.nan, np.nan, "mann-whitney/exact"
    first = int(reached[0])
    pairs = n_pos * n_neg
    value = float(law.deviation[first] + pairs) / (2 * pairs)
    return value, float(p[first]), "mann-whitney/exact"


def _asymptotic(
    n_pos: int, n_neg: int, n_candidates: int, alpha: float
) -> tuple[float, float, str]:
    pairs = n_pos * n_neg
    sd = np.sqrt((n_pos + n_neg + 1) / (12 * pairs))
    level = -np.expm1(np.log1p(-alpha) / n_candidates)
    least = 0.5 + 1 / (2 * pairs) - quantile(level, np.inf) * sd
    value = float(np.ceil(least * pairs - 1e-9) / pairs)
    method = "mann-whitney/normal-continuity"
    if value > 1:
        return np.nan, np.nan, method
    p = p_value((value - 0.5 - 1 / (2 * pairs)) / sd, np.inf, "greater")
    return value, float(best_of(p, n_candidates)), method
