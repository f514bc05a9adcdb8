"""The simultaneous band for the difference of two cost curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.costs.convex_hull import hulls_of
from rocstats.curves.costs.cost_curves import least_costs
from rocstats.curves.costs.superiority import require_two
from rocstats.curves.points.roc import RocPoints
from rocstats.frames.questions import Question, counts_only, estimate_columns
from rocstats.inference.estimates.difference_bands import (
    GRID,
    DifferenceBand,
    Gaps,
    difference_band,
)
from rocstats.inference.estimates.randomness import RngLike, plan_draws
from rocstats.sample.arrays import FloatArray, Limits
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.inputs.points.rates import read_increasing_rates
from rocstats.sample.sample import Sample
from rocstats.stats.costs.bands import cost_difference_limits, cost_floor
from rocstats.stats.resampling.curves.hulls import hull_draws
from rocstats.stats.resampling.streams import ResamplePlan

COST_DIFFERENCE_BAND = Question(
    "cost_difference_band",
    estimate_columns(
        "predictor reference group probability_cost estimate ci_low ci_high "
        "confidence_level scope n_pos n_neg method note"
    ),
    ("drummond-2006", "horvath-2008", "bonett-2012"),
    # A weight is no case: neither the floor nor the resamples know how often it was seen.
    {"sample_weight": counts_only("cost_difference_band", "The band needs counts", "weights")},
)


def cost_difference_band(
    sample: Sample,
    *,
    reference: str | None = None,
    at: npt.ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the band of the difference of cost curves; a row is one pair at one probability cost.

    Parameters
    ----------
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    at : array-like of shape (g,), optional
        Increasing probability costs in [0, 1]; by default 0 to 1 by 0.005. The band holds over the
        whole range given: a range that is known beforehand makes it narrower.
    confidence_level : float in (0, 1), default 0.95
        Probability that the band of a pair holds the difference of the true cost curves at all
        probability costs given.
    n_resamples : int >= 100, default 2000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], probability_cost, estimate, ci_low, ci_high, n_pos,
        n_neg, confidence_level, scope, method, note``. ``estimate`` is the normalised cost of the
        predictor minus that of the reference: negative where the predictor costs less. ``note``
        holds ``excludes-zero`` where the band does: there, taken together, the one that costs less
        is known. A group that lacks a class has no rows.

    Raises
    ------
    InputError
        If the study has one predictor, or weights, or an argument is not possible.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``), a group lacks a class (``one-class``), predictors
        rank all cases alike (``identical-predictors``) or under 30 clusters hold a class
        (``few-clusters``), or a class has under 20 cases (``few-cases-for-band``).

    Notes
    -----
    With c = cost_fp / (cost_fp + cost_fn) and the prevalence p, the probability cost is
    x = (1 - c) p / ((1 - c) p + c (1 - p)): one axis stands for all costs and prevalences, and x is
    p where both errors cost the same. L(x) is the least of x (1 - tpr) + (1 - x) fpr over the
    thresholds (``cost_curve``), and D(x) = L1(x) - L2(x).

    The band is D -+ q s: s(x) the larger of the standard deviation of D* in resamples that both
    curves share, each with its own best thresholds, and of a floor, that of paired proportions at
    the best thresholds as they are (Bonett & Price); q the ceil((B + 1) level)-th smallest of
    sup abs(D* - D)/s, at least the normal quantile of a single place. Limits are cut at
    -+ min(x, 1 - x), which no difference exceeds: at x = 0 and 1 nothing costs anything. Cases are
    resampled within their class, clusters whole.

    Both curves are optimistic, having the best thresholds for these cases; the difference is less
    so. Predictors of very different optimism (one with few distinct scores) are compared fairly on
    new cases only, at fixed thresholds (``compare_costs``). One band a pair; several pairs are not
    adjusted for. A band that holds 0 everywhere does not show equal costs.

    References
    ----------
    - Drummond & Holte (2006), cost curves [drummond-2006]
    - Horvath, Horvath & Zhou (2008), bootstrap bands of curves [horvath-2008]
    - Bonett & Price (2012), the floor [bonett-2012]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([1, 0], 100)
    >>> study = rs.Study(y, {"good": 2 * y + rng.normal(size=200), "poor": rng.normal(size=200)})
    >>> band = study.cost_difference_band(at=[0.05, 0.5, 0.7], rng=1)
    >>> band["note"].tolist()
    ['', 'excludes-zero', 'excludes-zero']
    """
    COST_DIFFERENCE_BAND.refuse_covariates(sample)
    x = GRID if at is None else read_increasing_rates(at, what="probability costs")
    require_two(sample, "a difference of costs")
    draws = plan_draws(n_resamples, rng, progress)
    return difference_band(
        sample, COST_DIFFERENCE_BAND, _BAND, reference, x, confidence_level, draws
    )


def _draw(
    cases: ScoredCases, x: FloatArray, draws: ResamplePlan, g: int
) -> tuple[FloatArray, FloatArray]:
    # Drummond & Holte (2006): the lower envelope of the cost lines, of which the hull's vertices
    # suffice. Every resample has its own hull, so that the choice of threshold varies too.
    def read(hulls: Sequence[RocPoints]) -> FloatArray:
        return np.array([least_costs(hull, 1 - x, x) for hull in hulls])

    # Within the classes: x already holds the prevalence, which is not estimated here.
    return read(hulls_of(cases)), hull_draws(cases, read, draws.at(g)).values


def _limits(gaps: Gaps, confidence_level: float) -> Limits:
    floor = cost_floor(gaps.cases, gaps.pair, gaps.places)
    return cost_difference_limits(gaps.places, gaps.estimate, gaps.draws, floor, confidence_level)


_BAND = DifferenceBand("probability_cost", _draw, _limits)
