"""Bands of the precision-recall curve: bands of the ROC curve carried over at a prevalence.

At a recall the precision falls as the false positive rate rises. Its limits are those of the least
and the largest false positive rate at which a curve inside the band reaches the recall.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.precision import read_at_recall
from rocstats.curves.roc import roc_points
from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import answer_columns, answerable_predictors, stacked_curve_columns
from rocstats.estimate.band_answers import band_codes, band_or_joint_band, require_band_method
from rocstats.estimate.band_record import Band, BandRequest
from rocstats.estimate.bands import BANDS, BandName
from rocstats.estimate.bars import sidak_level_of_each_axis
from rocstats.estimate.difference_bands import GRID
from rocstats.estimate.precision import prevalence_of_precision_row, read_precision_prevalence
from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.resample import NO_RESAMPLES, RngLike, plan_draws, require_drawing
from rocstats.estimate.shares import WeightedCases, share_among
from rocstats.estimate.tables import Sampling
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, columns_in, counts_only
from rocstats.study.base import sample_notes, warned_doubts
from rocstats.study.cases import ScoredCases
from rocstats.study.points import read_increasing_rates
from rocstats.study.sample import Sample

# --- Question -------------------------------------------------------------------------------------

PR_BAND = Question(
    "pr_band",
    columns_in(
        "predictor group tpr ppv ppv_low ppv_high prevalence confidence_level scope method note"
    ),
    ("campbell-1994", "davis-2006"),
    {"sample_weight": counts_only("pr_band", "The band needs counts", "weights")},
)
_NO_BAND = " (an area of 0 or 1, a single score, a fit without a maximum)"
# Precision at a low prevalence hangs on small rates: the steps get shorter down to 5e-7.
_FPR_GRID = np.union1d(GRID, GRID[1] * np.geomspace(1e-4, 1, 61)[:-1])


def pr_band(
    sample: Sample,
    method: BandName = "fixed-width",
    *,
    prevalence: float | None = None,
    sampling: Sampling = "cohort",
    confidence_level: float = 0.95,
    at: npt.ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return a band around the precision-recall curve of every predictor; a row is one recall.

    Parameters
    ----------
    method : str, default "fixed-width"
        Any method of ``roc_band`` with a simultaneous band, except "regional". Pointwise methods
        are refused, since limits at a false positive rate are not limits at a recall.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, treated as exact. By default the share in the
        study is used (see ``sampling``).
    sampling : {"cohort", "case-control"}, default "cohort"
        Origin of the share of positives in the study, as in ``operating_points``.

        - "cohort": the cases are a random sample of the population. Their share of positives is an
          estimate, and the band includes its error (note ``estimated-prevalence``).
        - "case-control": the share was chosen, and ``prevalence`` is required.
    confidence_level : float in (0, 1), default 0.95
        Probability that the band contains the whole true curve.
    at : array-like of shape (g,), optional
        Recalls of the rows in [0, 1], in increasing order. The default is 0.005 to 1 in steps of
        0.005.
    n_resamples : int >= 100, default 2000
        Number of resamples. Ignored for methods that need no resampling.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], tpr, ppv, ppv_low, ppv_high, prevalence, confidence_level,
        scope, method, note``. Recall is ``tpr``, and precision is ``ppv``. A group that lacks a
        class has no rows.

    Raises
    ------
    InputError
        If an argument is invalid, or ``roc_band`` refuses the method for the study.

    Warns
    -----
    StatisticalWarning
        For the reasons listed in ``roc_band``.

    Notes
    -----
    Let pi be the prevalence. Let a point of the ROC curve have FPR f and TPR t. The
    precision-recall curve then has the point (t, p), where p = pi t/(pi t + (1 - pi) f). A band
    that contains the whole ROC curve therefore contains the whole precision-recall curve, with the
    same probability. The lower limit at a recall r is the precision at the false positive rate f1.
    Here f1 is the smallest f at which the whole ROC band is at r or above. The upper limit is the
    precision at the false positive rate f2. Here f2 is the largest f at which the whole ROC band is
    below r. The grid of f is finer near 0. At low recalls the upper limit is 1.

    In a cohort, pi has Wilson's limits. With clusters, these limits use the effective number of
    cases. The lower limit of the precision uses the lower limit of pi, and the upper limit uses the
    upper limit of pi. The ROC band and the limits of pi each have the level
    sqrt(``confidence_level``). Together they have at least the level ``confidence_level``, since
    the ROC band is valid for any class sizes. Bands are wide at low recall, above all if positives
    are rare. The precision there depends on the few negatives with the highest scores.

    References
    ----------
    - Campbell (1994), the band of the ROC curve [campbell-1994]
    - Davis & Goadrich (2006), points of both curves [davis-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> band = study.pr_band("joint", at=[0.3, 0.8], prevalence=0.2)
    >>> band[["tpr", "ppv_low", "ppv", "ppv_high"]].round(2)
       tpr  ppv_low   ppv  ppv_high
    0  0.3     0.25  0.82       1.0
    1  0.8     0.17  0.54       1.0
    """
    PR_BAND.require_roles(sample)
    words = [one.word for one in BANDS if one.scope == "simultaneous" and not one.needs_range]
    method = require_choice("method", method, words)
    kind = require_band_method(sample, method, None, None)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    population = read_precision_prevalence(prevalence, sampling)
    level = sidak_level_of_each_axis(confidence_level) if population.random else confidence_level
    recalls = GRID[1:] if at is None else read_increasing_rates(at, 0.0, 1.0)
    require_drawing(n_resamples, rng, progress)
    plan = plan_draws(n_resamples, rng, progress) if kind.resamples else NO_RESAMPLES
    pooled = ["pooled-folds"] if sample.fold is not None else []
    codes = list(pooled)
    curves: list[dict[str, Any]] = []
    for g, group, k, name, part in answerable_predictors(sample, codes):
        request = BandRequest(_FPR_GRID, level, plan.at(g, k))
        band, used = band_or_joint_band(part.cases, k, kind, request, none=_NO_BAND)
        notes = band_codes(part.cases, kind, band, used)
        codes += notes
        estimated = ["estimated-prevalence"] if population.random else []
        pi = prevalence_of_precision_row(part, population)
        if kind.fitted:
            curve = _fitted_precision(band, recalls, pi)
        else:
            curve = _empirical_precision(part.cases, k, recalls, pi)
        pi_limits = _pr_band_prevalence_limits(part.cases, level) if population.random else (pi, pi)
        low, high = precision_band_limits(_FPR_GRID, band.low, band.high, recalls, pi_limits)
        curves.append(
            {
                "predictor": name,
                "group": group,
                "tpr": recalls,
                "ppv": curve,
                "ppv_low": low,
                "ppv_high": high,
                "prevalence": pi,
                "confidence_level": confidence_level,
                "scope": kind.scope,
                "method": used,
                "note": "; ".join([*notes, *pooled, *estimated, *sample_notes(part)]),
            }
        )
    warn_of_doubts([*codes, *sample_notes(sample)], warned_doubts(sample))
    return answer_columns(PR_BAND, sample, stacked_curve_columns(PR_BAND, curves), plan)


# --- Precision at recalls: of the sample, or of a fitted curve ------------------------------------


def _fitted_precision(band: Band, recalls: FloatArray, prevalence: float) -> FloatArray:
    """Return the precision of a fitted curve, whose FPR at a recall is read between places."""
    # A fitted curve may reach 1 in floating point before the end: its first rate there counts.
    tpr, first = np.unique(band.tpr, return_index=True)
    fpr = np.interp(recalls, tpr, _FPR_GRID[first])
    found = precision_at(recalls, fpr, prevalence)
    return np.where(np.isnan(found), 1.0, found)


def _empirical_precision(
    cases: ScoredCases, k: int, recalls: FloatArray, prevalence: float
) -> FloatArray:
    """Return the precision of the interpolated curve of the sample at recalls."""
    points = roc_points(cases.pooled().counts(k))
    read = read_at_recall(points, recalls)
    found = precision_at(read.tp / points.tp[-1], read.fp / points.fp[-1], prevalence)
    # The limit at recall 0: the precision is constant up to the first vertex.
    first = int(np.argmax(points.fp + points.tp > 0))
    start = precision_at(points.tpr[first:], points.fpr[first:], prevalence)[0]
    return np.where(np.isnan(found), start, found)


def precision_at(tpr: FloatArray, fpr: FloatArray, prevalence: float) -> FloatArray:
    """Return pi t/(pi t + (1 - pi) f) of points of a ROC curve; NaN where nothing is called."""
    true, called = prevalence * tpr, prevalence * tpr + (1 - prevalence) * fpr
    undefined = np.full(np.shape(called), np.nan)
    return np.asarray(np.divide(true, called, out=undefined, where=called > 0))


# --- Limits of the precision ----------------------------------------------------------------------


def _pr_band_prevalence_limits(cases: ScoredCases, level: float) -> tuple[float, float]:
    """Return Wilson's limits of the share of positives, with clusters of its effective size."""
    reach = float(sp.ndtri((1 + level) / 2))
    positive, n = cases.is_positive, cases.n_pos + cases.n_neg
    if cases.cluster is None:
        return wilson_limit_of_proportion(cases.n_pos, n, -reach), wilson_limit_of_proportion(
            cases.n_pos, n, reach
        )
    count = np.ones(len(positive)) if cases.frequency is None else cases.frequency
    units = WeightedCases(positive, count, cases.cluster.codes)
    share = share_among(units, among=np.ones_like(positive), event=positive)
    return share.limit(-reach), share.limit(reach)


def precision_band_limits(
    fpr: FloatArray,
    low: FloatArray,
    high: FloatArray,
    recall: FloatArray,
    prevalence: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """Return both limits of the precision at each recall, from a band at increasing FPRs.

    ``prevalence`` has its lower and its upper limit.
    """
    least, largest = fpr_limits_at_recall(fpr, low, high, recall)
    ends = zip((largest, least), prevalence, strict=True)
    lower, upper = (precision_at(recall, rate, share) for rate, share in ends)
    # At recall 0 no rate is excluded, nor any precision.
    return np.where(recall > 0, lower, 0.0), np.where(recall > 0, upper, 1.0)


def fpr_limits_at_recall(
    fpr: FloatArray, low: FloatArray, high: FloatArray, recall: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest FPR at which a curve inside a band reaches each recall.

    The band is known at increasing ``fpr``; a curve does not fall between them.
    """
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    # The curve reaches a recall after any rate at which the band is below it; at a rate where the
    # band ends in just this recall it may reach it there, but for recall 1, where bands end early.
    place = np.searchsorted(high, recall, side="left")
    here = np.minimum(place, len(fpr) - 1)
    exact = (high[here] == recall) & (recall < 1)
    least = np.where(exact, fpr[here], fpr[np.maximum(place - 1, 0)])
    # It has reached it at the first rate at which the whole band has.
    place = np.searchsorted(low, recall, side="left")
    largest = np.where(place < len(fpr), fpr[np.minimum(place, len(fpr) - 1)], 1.0)
    return least, largest
