"""Critical areas: the least AUC that is significantly above 1/2, by class sizes.

The p value of one scorer comes from the rank-sum distribution without ties, exact or normal
[mann-1947]; that of the best of K candidates is 1 - (1 - p)^K [forman-2005].
Derivations: docs/methods/chance.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from rocstats.errors import require_open_interval, require_whole
from rocstats.estimate.quantiles import t_p_value, t_quantile
from rocstats.estimate.rank_sum import LARGEST_PAIRS, rank_sum_distribution, untied_counts
from rocstats.facts.tolerances import SAME, WHOLE
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import Question, columns_in
from rocstats.inference.chance.areas import p_value_of_best_candidate, require_candidates

CRITICAL_AUC = Question(
    "critical_auc",
    columns_in("quantity n_pos n_neg n_candidates alpha critical_value p_value method note"),
    ("mann-1947", "forman-2005"),
)


def critical_auc(
    n_pos: int, n_neg: int, *, n_candidates: int | Sequence[int] = 1, alpha: float = 0.05
) -> pd.DataFrame:
    """Return the least AUC significantly above 1/2; a row is one number of candidates.

    Parameters
    ----------
    n_pos, n_neg : int >= 1
        Numbers of positives and negatives.
    n_candidates : int >= 1, or sequence of int, default 1
        Number of tried predictors, of which the best is tested.
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
    exact up to 10 000 pairs, else normal with continuity correction. K counts all tried predictors,
    tuning included; for correlated candidates the value is conservative. With ties use
    ``versus_random``, whose null distribution depends on the ties.

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
    0             1          0.6175
    1            10          0.6810
    2           100          0.7290
    """
    advice = "Pass the number of cases."
    n_pos, n_neg = (require_whole(*n, 1, advice) for n in (("n_pos", n_pos), ("n_neg", n_neg)))
    require_open_interval("alpha", alpha, 0, 1)
    listed = n_candidates if isinstance(n_candidates, (list, tuple, np.ndarray)) else [n_candidates]
    critical = _exact_critical_area if n_pos * n_neg <= LARGEST_PAIRS else _normal_critical_area
    rows = []
    for tried in [require_candidates(n) for n in listed]:
        value, p, method = critical(n_pos, n_neg, tried, alpha)
        rows.append(
            {
                "quantity": "auc",
                "n_pos": n_pos,
                "n_neg": n_neg,
                "n_candidates": tried,
                "alpha": alpha,
                "critical_value": value,
                "p_value": p,
                "method": method,
                "note": ["unattainable-level"] if np.isnan(value) else [],
            }
        )
    return estimate_frame(CRITICAL_AUC, rows, grouped=False)


def _exact_critical_area(
    n_pos: int, n_neg: int, n_candidates: int, alpha: float
) -> tuple[float, float, str]:
    """Return the critical value by the exact null distribution, its p value and the method."""
    distribution = rank_sum_distribution(untied_counts(n_pos, n_neg))
    p = p_value_of_best_candidate(distribution.upper_tails(), n_candidates)
    # Upper tails fall along the areas, so that the first at the level is the least area.
    reached = np.flatnonzero(p <= alpha + SAME)
    # Even an area of 1 has the p value 1/C(N, m): with few cases that is above the level.
    if len(reached) == 0:
        return np.nan, np.nan, "mann-whitney/exact"
    first = int(reached[0])
    pairs = n_pos * n_neg
    # The distribution is that of 2 m n (A - 1/2), a whole number.
    value = float(distribution.deviation[first] + pairs) / (2 * pairs)
    return value, float(p[first]), "mann-whitney/exact"


def _normal_critical_area(
    n_pos: int, n_neg: int, n_candidates: int, alpha: float
) -> tuple[float, float, str]:
    """Return the critical value by the normal approximation, its p value and the method."""
    pairs = n_pos * n_neg
    # Mann & Whitney 1947: Var A = (N + 1)/(12 m n) without ties.
    sd = np.sqrt((n_pos + n_neg + 1) / (12 * pairs))
    # The level of each of K independent tests, 1 - (1 - alpha)^(1/K), without cancellation.
    level = -np.expm1(np.log1p(-alpha) / n_candidates)
    least = 0.5 + 1 / (2 * pairs) - t_quantile(level, np.inf) * sd
    # Areas without ties are multiples of 1/(m n).
    value = float(np.ceil(least * pairs - WHOLE) / pairs)
    method = "mann-whitney/normal-continuity"
    if value > 1:
        return np.nan, np.nan, method
    p = t_p_value((value - 0.5 - 1 / (2 * pairs)) / sd, np.inf, "greater")
    return value, float(p_value_of_best_candidate(p, n_candidates)), method
