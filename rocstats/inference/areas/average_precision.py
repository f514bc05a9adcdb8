"""The areas under the precision-recall curve of each predictor, with bootstrap intervals."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import precision_recall
from rocstats.curves.areas.precision_bounds import precision_errors
from rocstats.errors import require_choice, require_open_interval
from rocstats.frames.questions import BINNING_ERROR, ESTIMATE, Question, estimate_columns
from rocstats.inference.estimates.answers import answer_rows, rows_of
from rocstats.inference.estimates.randomness import (
    RngLike,
    enough_valid_resamples,
    plan_draws,
    require_drawing,
)
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import row_codes
from rocstats.sample.binned import is_binned
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.stats.areas.estimates import size_codes
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.logit import LOGIT_LIMITS
from rocstats.stats.intervals.methods.resampled import percentile
from rocstats.stats.intervals.record import limits
from rocstats.stats.resampling.statistic import draw_statistics
from rocstats.stats.resampling.streams import ResamplePlan, redrawn_notes
from rocstats.tolerances import NO_SPREAD

AVERAGE_PRECISION = Question(
    "average_precision",
    estimate_columns(f"predictor group quantity {ESTIMATE} n_pos n_neg method note"),
    ("boyd-2013", "efron-1993", "davis-2006", "keilwagen-2014", "fawcett-2004"),
    binned=True,
)

QUANTITIES = {
    "average_precision": precision_recall.average_precision,
    "pr_auc": precision_recall.pr_area,
}

PrecisionInterval = Literal["logit", "percentile"]


class _Plan(NamedTuple):
    """Interval, level and resamples of an answer that has limits."""

    interval: PrecisionInterval
    confidence_level: float
    draws: ResamplePlan


def average_precision(
    sample: Sample,
    *,
    interval: PrecisionInterval | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return average precision and PR AUC; a row is one area of one predictor (in one group).

    Parameters
    ----------
    interval : {"logit", "percentile"}, optional
        By default there is no interval, since both take resamples.

        - "logit": the standard deviation of the resamples on the logit scale; recommended.
        - "percentile": the order statistics of the resamples.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of an interval.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, n_pos, n_neg,
        confidence_level, method, note``. Two rows a predictor: ``quantity`` "average_precision",
        then "pr_auc". Without ``interval`` the standard error, limits and level are NaN and
        ``note`` says ``no-interval``. The number of resamples and their seed are in ``attrs``.

    Raises
    ------
    InputError
        If a word or number is not possible, or a fold lacks a class.

    Warns
    -----
    StatisticalWarning
        If a group lacks a class (``one-class``; its row is NaN), and with an interval once for each
        doubt in ``note``.

    Notes
    -----
    average_precision = sum over distinct scores of (R_k - R_{k-1}) P_k, with recall R_k and
    precision P_k at the k-th highest score; equal scores enter together, so that the order of the
    rows does not matter. pr_auc is the exact area under the interpolated curve that ``pr_curve``
    gives, in closed form. The two differ by the shape between the points, by little when scores
    are many. Both are 1 for perfect separation and the prevalence when all scores are equal.

    Intervals resample positives and negatives apart, in each fold; clusters are resampled whole,
    and a resample without both classes is drawn again (note ``resamples-redrawn``). ``se`` is the
    standard deviation of the resampled values; logit limits are
    expit(logit A -+ z se/(A (1 - A))). Both rows of a predictor use the same resamples. Where
    resamples cannot vary as samples do (perfect separation, a class with one case) there are no
    limits (note ``no-resampled-spread``). Stratified resamples hold the prevalence at the sample's:
    the interval is for a population of this prevalence. With few positives, or values near 1,
    both intervals cover less than they say (note ``few-cases``). The work grows with the number of
    distinct scores times ``n_resamples``.

    With folds both are means over folds. Under ``sample_weight`` counts are sums of weights; a
    weight goes with its case into a resample. An uninformative predictor has the prevalence on
    average, not 0.5: do not compare samples of different prevalence, nor use these for case-control
    data, whose prevalence is made by design.

    References
    ----------
    - Boyd, Eng & Page (2013), average precision; also a logit interval, with a binomial standard
      error [boyd-2013]
    - Efron & Tibshirani (1993), chapters 6 and 13 [efron-1993]
    - Davis & Goadrich (2006), interpolated area [davis-2006]
    - Keilwagen, Grosse & Grau (2014), interpolated area [keilwagen-2014]
    - Fawcett (2004), section 3.2 [fawcett-2004]

    Examples
    --------
    By hand, average_precision is (1 + 1 + 3/5)/3, and pr_auc is (1 + 1 + 1/2 + log(5/3)/4)/3:

    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> study.average_precision()[["quantity", "estimate", "n_pos", "n_neg"]].round(3)
                quantity  estimate  n_pos  n_neg
    0  average_precision     0.867      3      2
    1             pr_auc     0.876      3      2

    With an interval:

    >>> y, score = [1, 0, 1, 0, 0] * 10, list(range(25, 0, -1)) * 2
    >>> frame = rs.Study(y, score).average_precision(interval="logit", rng=1)
    >>> frame[["quantity", "estimate", "se", "ci_low", "ci_high"]].round(1)
                quantity  estimate   se  ci_low  ci_high
    0  average_precision       0.5  0.1     0.4      0.7
    1             pr_auc       0.5  0.1     0.3      0.7
    """
    interval = require_choice("interval", interval, (None, *get_args(PrecisionInterval)))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    # A wrong number is refused without an interval too; the source is not touched then.
    require_drawing(n_resamples, rng, progress)
    plan = None
    if interval is not None:
        plan = _Plan(interval, confidence_level, plan_draws(n_resamples, rng, progress))
    rows = rows_of(sample, lambda part, g, k: _rows(part, g, k, plan))
    return answer_rows(AVERAGE_PRECISION, sample, rows, plan.draws if plan else None)


def _rows(sample: Sample, g: int, k: int, plan: _Plan | None) -> list[dict[str, Any]]:
    """Return the rows of both areas of predictor ``k`` in group ``g``."""
    if not lacks_class(sample):
        require_fold_classes(sample)
    estimates = _estimates(sample, k)
    one_class = any(np.isnan(value) for value in estimates.values())
    codes = [*(["one-class"] if one_class else []), "no-interval", *row_codes(sample)]
    sizes = {"n_pos": sample.n_pos, "n_neg": sample.n_neg}
    about = unanswered(AVERAGE_PRECISION, sizes, codes)
    errors = precision_errors(sample, k) if is_binned(sample) and not one_class else {}
    rows = [
        {**about, "quantity": name, "estimate": value, BINNING_ERROR: errors.get(name, np.nan)}
        for name, value in estimates.items()
    ]
    if plan is None or one_class:
        return rows
    # One call for both areas: they share every resample, so that their rows are comparable.
    with enough_valid_resamples():
        draws = draw_statistics(sample.cases, k, list(QUANTITIES.values()), plan.draws.at(g))
    codes = [*redrawn_notes(draws.n_redrawn), *size_codes(sample.cases), *row_codes(sample)]
    return [
        {**row, **_with_interval(estimate, values, sample, plan, codes)}
        for row, estimate, values in zip(rows, estimates.values(), draws.values, strict=True)
    ]


def _with_interval(
    estimate: float, draws: FloatArray, sample: Sample, plan: _Plan, codes: list[str]
) -> dict[str, Any]:
    """Return what an interval adds to a row; no limits where resamples cannot vary."""
    se = float(np.std(draws, ddof=1))
    m, n = sample.n_pos, sample.n_neg
    # A class of one case is the same case in every resample, whose spread then lacks a term.
    if min(m, n) == 1 or np.ptp(draws) < NO_SPREAD:
        return {"note": ["no-resampled-spread", *codes]}
    # Infinite degrees of freedom: normal quantiles, as in the logit interval of Boyd et al (2013).
    # Weights may round an area below 1 to 1, whose logit is infinite.
    interval = plan.interval if 0 < estimate < 1 else "percentile"
    method = LOGIT_LIMITS if interval == "logit" else percentile(draws)
    low, high = limits(
        method, Area(estimate, se**2, np.inf, m, n, min(m, n)), plan.confidence_level, "two-sided"
    )
    return {
        "se": se,
        "ci_low": low,
        "ci_high": high,
        "confidence_level": plan.confidence_level,
        "method": f"resamples/{interval}",
        "note": codes,
    }


def _estimates(sample: Sample, k: int) -> dict[str, float]:
    """Return the areas of predictor ``k``, means over folds; NaN where a class has no weight."""
    folds = [part.counts(k) for _, part in sample.cases.by_fold()]
    # Totals, not numbers of cases: all weights of a class may be 0.
    if any(counts.total_pos == 0 or counts.total_neg == 0 for counts in folds):
        return dict.fromkeys(QUANTITIES, np.nan)
    return {
        quantity: float(np.mean([area(counts.n_pos, counts.n_neg) for counts in folds]))
        for quantity, area in QUANTITIES.items()
    }
