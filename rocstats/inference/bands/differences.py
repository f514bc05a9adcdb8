"""The simultaneous band for the difference of two ROC curves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.frames.questions import Question, counts_only, estimate_columns
from rocstats.inference.bands.options import require_compared
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
from rocstats.stats.bands.difference import difference_limits, discordance_floor
from rocstats.stats.bands.equal_precision import resolved_rates
from rocstats.stats.bands.record import empirical_curve
from rocstats.stats.resampling.curves.averages import average_draws
from rocstats.stats.resampling.streams import ResamplePlan

ROC_DIFFERENCE_BAND = Question(
    "roc_difference_band",
    estimate_columns(
        "predictor reference group fpr estimate ci_low ci_high confidence_level "
        "scope n_pos n_neg method note"
    ),
    ("horvath-2008", "bonett-2012"),
    # A weight is no case: neither the floor nor the resamples know how often it was seen.
    {"sample_weight": counts_only("roc_difference_band", "The band needs counts", "weights")},
)


def roc_difference_band(
    sample: Sample,
    *,
    reference: str | None = None,
    at: npt.ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the band of the difference of two curves; a row is one pair at one FPR.

    Parameters
    ----------
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    at : array-like of shape (g,), optional
        Increasing false positive rates in [0, 1]; by default 0 to 1 by 0.005.
    confidence_level : float in (0, 1), default 0.95
        Probability that the band of a pair holds the difference of the true curves at all rates.
    n_resamples : int >= 100, default 2000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], fpr, estimate, ci_low, ci_high, n_pos, n_neg,
        confidence_level, scope, method, note``. ``estimate`` is the TPR of the predictor minus that
        of the reference; ``scope`` is "simultaneous". ``note`` holds ``excludes-zero`` where the
        band does: at those rates, taken together, the curves differ. A group that lacks a class has
        no rows.

    Raises
    ------
    InputError
        If the study has fewer than two predictors, or weights, or an argument is not possible.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``), a group lacks a class (``one-class``), predictors
        rank all cases alike (``identical-predictors``), a class has under 20 cases
        (``few-cases-for-band``) or under 30 clusters hold a class (``few-clusters``).

    Notes
    -----
    With D(t) = R1(t) - R2(t) and D*(t) its values in resamples that both curves share, the band is
    D(t) -+ q s(t): s the larger of the standard deviation of D* and of a floor, that of paired
    proportions at fixed thresholds (Bonett & Price), q the ceil((B + 1) level)-th smallest of
    sup abs(D* - D)/s over the rates from 1/n_neg to 1 - 1/n_neg, at least the normal quantile of a
    single rate. Nearer to the ends nothing is said: there the limits are -1 and 1. Cases are
    resampled within their class, clusters whole.

    Curves that cross have no better predictor: the band says at which rates each is above. One
    band a pair; several pairs are not adjusted for. An equal area does not mean equal curves, and
    a band that holds 0 everywhere does not show them equal.

    References
    ----------
    - Horvath, Horvath & Zhou (2008), bootstrap bands of curves [horvath-2008]
    - Bonett & Price (2012), the floor [bonett-2012]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([1, 0], 100)
    >>> study = rs.Study(y, {"good": 2 * y + rng.normal(size=200), "poor": rng.normal(size=200)})
    >>> band = study.roc_difference_band(at=[0.05, 0.2, 0.9], rng=1)
    >>> band["note"].tolist()
    ['excludes-zero', 'excludes-zero', '']
    """
    ROC_DIFFERENCE_BAND.refuse_covariates(sample)
    fpr = GRID if at is None else read_increasing_rates(at)
    require_compared(sample)
    draws = plan_draws(n_resamples, rng, progress)
    return difference_band(
        sample, ROC_DIFFERENCE_BAND, _BAND, reference, fpr, confidence_level, draws
    )


def _draw(
    cases: ScoredCases, fpr: FloatArray, draws: ResamplePlan, g: int
) -> tuple[FloatArray, FloatArray]:
    everyone = range(cases.n_predictors)
    curves = np.array([empirical_curve(cases, k, fpr) for k in everyone])
    return curves, average_draws(cases, everyone, fpr, draws.at(g)).values


def _limits(gaps: Gaps, confidence_level: float) -> Limits:
    # Where few positives are discordant, resamples vary too little: Bonett & Price (2012) add one
    # discordant case on either side. Nearer to the ends than 1/n, thresholds are not told apart.
    floor = discordance_floor(gaps.cases, gaps.pair, gaps.places)
    inside = resolved_rates(gaps.places, gaps.cases.n_neg)
    return difference_limits(gaps.estimate, gaps.draws, floor, inside, confidence_level)


_BAND = DifferenceBand("fpr", _draw, _limits)
