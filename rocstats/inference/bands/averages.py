"""Averages of the ROC curves of several test sets, with error bars.

The question, the plan of its bars and places, and the roles that allow them. Curves are averaged at
false positive rates or at thresholds (algorithms 4 and 5 of [fawcett-2004]), or merged into one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.curves.roc import next_of_sample
from rocstats.errors import InputError, require_choice, require_flag, require_open_interval
from rocstats.estimate.answers import answer_rows, class_size_columns, lacks_class, predictor_rows
from rocstats.estimate.resample import RngLike, enough_valid_resamples, plan_draws
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.bands.average_limits import (
    AVERAGE_BARS,
    AverageKind,
    AveragePlan,
    BarKind,
    BarRole,
    MeanRate,
    average_bars_called,
    average_rate,
    curves_to_average,
    require_bars,
    require_bars_of_merged,
    require_test_sets,
    sampled_rates,
    undefined_mean_rates,
)
from rocstats.study.base import REPEATED, sample_notes
from rocstats.study.clusters import clusters_span_folds
from rocstats.study.points import read_rates, read_thresholds, require_samples
from rocstats.study.sample import Sample, require_fold_classes

ROC_AVERAGE = Question(
    "roc_average",
    estimate_columns(
        f"predictor group kind quantity direction threshold next_score fpr "
        f"{ESTIMATE} n_pos n_neg n_effective n_curves n_resamples method note"
    ),
    ("fawcett-2004", "provost-1998", "linnet-1987", "macskassy-2004"),
)
AverageInterval = Literal["wilson", "normal", "clopper-pearson"]
AveragePlaces = float | Sequence[float] | Mapping[str, float | Sequence[float]]


def roc_average(
    sample: Sample,
    kind: AverageKind = "vertical",
    *,
    bars: BarKind = "binomial",
    interval: AverageInterval = "wilson",
    at: AveragePlaces | None = None,
    n_samples: int = 11,
    joint: bool = False,
    independent: bool = True,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the mean ROC curve of the folds with error bars; a row is one rate at one point.

    Parameters
    ----------
    kind : {"vertical", "threshold", "merged"}, default "vertical"
        Averaging method. "threshold" and "merged" need scores that are comparable across folds.

        - "vertical": averages true positive rates at fixed false positive rates.
        - "threshold": averages both rates at fixed thresholds.
        - "merged": gives points of the pooled curve of all folds, without averaging.
    bars : {"binomial", "effective", "t", "percentile"}, default "binomial"
        Method of the error bars; the formulas are in Notes. With ``sample_weight`` only "t" and
        "percentile" have limits.

        - "binomial": Fawcett's bars; for rates at a threshold that was chosen beforehand.
        - "effective": includes the uncertainty of the estimated threshold; for sensitivity at a
          false positive rate.
        - "t": uses the standard deviation over the curves; for curves of different cases.
        - "percentile": order statistics of the curves; for curves from resamples of one test set.
    interval : {"wilson", "normal", "clopper-pearson"}, default "wilson"
        Limits of binomial bars; ignored for other bars.

        - "wilson": the score interval. Its coverage is close to the level even with few cases.
        - "normal": symmetric limits. Choose them for many cases and rates far from 0 and 1.
        - "clopper-pearson": its coverage is never below the level. It is wide.
    at : float, sequence of float, or mapping of str to them, optional
        Points at which the curves are averaged. These are false positive rates in [0, 1] for
        "vertical", and thresholds on the scale of the scores for other kinds. A mapping gives
        separate points for each predictor.
    n_samples : int >= 2, default 11
        Number of points; ignored with ``at``. Rates are evenly spaced from 0 to 1; 11 rates are 0,
        0.1, ..., 1. Thresholds are evenly spaced among the distinct scores. The first threshold
        calls no case positive. The last threshold calls every case positive.
    joint : bool, default False
        Whether the limits of both rates at a threshold are simultaneous. Each rate then has the
        level sqrt(confidence_level).
    independent : bool, default True
        Whether the folds have different cases, as in one cross-validation. Pass False for curves
        from resamples or repeats of one test set, since these curves share cases.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of a bar. With ``joint`` it is the coverage of both bars of a point.
    n_resamples : int >= 100, default 2000
        Number of resamples of effective bars. The column ``n_resamples`` is 0 if a formula replaces
        resampling.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], kind, quantity, direction, threshold, next_score, fpr,
        estimate, ci_low, ci_high, se, n_pos, n_neg, n_effective, confidence_level, n_curves,
        n_resamples, method, note``. For "vertical" there is one row for each ``fpr``: ``quantity``
        is "tpr", and ``threshold`` is NaN. For other kinds there are two rows for each
        ``threshold``: ``quantity`` is "fpr" in the first and "tpr" in the second, and the column
        ``fpr`` is NaN. ``n_effective`` is the effective number of cases that the limits use.

    Raises
    ------
    InputError
        If the study has no folds; if a fold lacks a class; if an argument is invalid; or if the
        bars are unavailable for this ``kind``, for this value of ``independent`` or for clusters.
        The message names the available bars.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``. Examples are ``few-negatives-per-curve`` (a
        curve has under 50 negatives) and ``folds-share-thresholds`` (all folds have the same
        thresholds).

    Notes
    -----
    R_i(t) is the TPR of curve i at FPR t. At a vertical step, R_i(t) is the top of the step.
    Between vertices, R_i(t) is interpolated linearly. The average is the unweighted mean of K
    curves. At threshold c the rates of a curve are the shares of negatives and of positives that
    are called positive. Curve i has P_i positives and N_i negatives. A mean p has these bars:

    - "binomial": limits of a proportion p of n = K^2 / sum(1/P_i) positives. For ``fpr``, N_i
      replaces P_i. For this n, p(1 - p)/n is the variance of the mean. The bars are correct for
      rates at a fixed threshold. At a false positive rate the bars ignore the estimation of the
      thresholds. Their coverage is then too low (note ``conditional-on-threshold``). It is lowest
      for steep curves and few negatives.
    - "effective": Wilson's limits with n_eff = q(1 - q)/V cases. V is the bootstrap variance within
      folds, or q(1 - q)/(n + z^2) if this value is larger. Here q = (n p + z^2/2)/(n + z^2), and z
      is the normal quantile. V includes both terms of the variance of a curve, Var R_i(t) = R_i(1 -
      R_i)/P_i + R_i'(t)^2 t(1 - t)/N_i. At thresholds a formula gives V, and ``n_resamples`` is 0.
      At rates a formula gives V only if no positive has the same score as a negative. Clusters are
      resampled as a whole.
    - "t": limits are p -+ t_{K-1} s/sqrt(K). Here s is the standard deviation over the K curves,
      and t_{K-1} is the quantile of t with K - 1 degrees of freedom.
    - "percentile": order statistics of the curves. They need ``independent=False`` and are for
      curves from resamples.

    The vertical average uses the top of each step. Therefore the average is too high if curves have
    few negatives. No error bar corrects this bias.

    With ``independent=False``, n is the number of clusters that have a positive. Pass ``cluster=``
    with the label of the case, so that a repeated case counts once. If the study has no clusters, n
    is the harmonic mean of the P_i. K resamples of one test set contain no more information than
    the test set. With ``independent=False``, "t" is refused, and "effective" needs clusters. With
    ``independent=True`` and clusters, "binomial" is refused.

    The pooled curve ("merged") has binomial and effective bars only, since a single curve has no
    variation between curves. Here n is the number of positives. With ``sample_weight`` only "t" and
    "percentile" have limits. Limits of zero width are replaced by Wilson's limits (note
    ``no-width``).

    References
    ----------
    - Fawcett (2004), section 6, algorithms 4 and 5 (corrected), figure 8 [fawcett-2004]
    - Provost, Fawcett & Kohavi (1998) [provost-1998]
    - Linnet (1987), variance at an estimated threshold [linnet-1987]
    - Macskassy & Provost (2004) [macskassy-2004]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> y, fold = np.tile([1, 1, 0, 0], 50), np.repeat(["a", "b"], 100)
    >>> study = rs.Study(y, np.arange(200) * 7 % 101 + 40 * y, fold=fold)
    >>> average = study.roc_average(at=[0.2, 0.5])
    >>> average[["fpr", "estimate", "ci_low", "ci_high", "n_effective"]].round(2)
       fpr  estimate  ci_low  ci_high  n_effective
    0  0.2      0.57    0.47     0.66        100.0
    1  0.5      0.91    0.84     0.95        100.0
    """
    ROC_AVERAGE.refuse_covariates(sample)
    draws = plan_draws(n_resamples, rng, progress)
    kind = require_choice("kind", kind, get_args(AverageKind))
    bars = require_choice("bars", bars, [record.word for record in AVERAGE_BARS])
    interval = require_choice("interval", interval, get_args(AverageInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    # The other bars have limits of their own: a word that changed nothing would mislead.
    if interval != "wilson" and bars != "binomial":
        raise InputError(
            f"`interval` must stay 'wilson' unless bars='binomial'; got {interval!r} with"
            f" bars={bars!r}. Leave it out."
        )
    require_flag("joint", joint)
    require_flag("independent", independent)
    if joint and kind == "vertical":
        raise InputError(
            "`joint` must stay False for a vertical average, which has bars on one axis only;"
            " got True. Leave it out, or average by threshold."
        )
    # Before the roles of the study: no study can give a merged curve a spread between curves.
    if kind == "merged":
        require_bars_of_merged(bars)
    n_samples = require_samples(n_samples)
    plan = AveragePlan(kind, bars, interval, joint, independent, confidence_level, n_samples, draws)
    require_test_sets(sample)
    require_bars(plan.bars, *_bar_roles(sample, plan))
    places = _read_average_places(at, sample, plan)
    rows = predictor_rows(sample, lambda part, g, k: _average_rows(part, g, k, places, plan))
    resampling = average_bars_called(plan.bars).resamples
    return answer_rows(ROC_AVERAGE, sample, rows, plan.draws if resampling else None)


# --- Options: the roles of the curves, and the places ---------------------------------------------


def _bar_roles(sample: Sample, plan: AveragePlan) -> list[BarRole]:
    """Return the roles in which the curves meet their bars, the first refusal first."""
    if plan.independent:
        roles: list[BarRole] = ["sets"]
        if sample.cluster is not None:
            roles.append("clustered sets")
        return [*roles, "spanning clusters"] if clusters_span_folds(sample.all_cases) else roles
    return ["repeats"] if sample.cluster is not None else ["repeats", "unnamed repeats"]


def _read_average_places(
    at: AveragePlaces | None, sample: Sample, plan: AveragePlan
) -> dict[str, FloatArray] | None:
    """Return the places of each predictor; None where thresholds are taken from the scores."""
    if at is not None:
        if plan.kind == "vertical":
            return read_rates(at, sample.predictors)
        return read_thresholds(at, sample.predictors, argument="at")
    # Division of whole numbers: linspace would print 0.30000000000000004.
    if plan.kind == "vertical":
        return dict.fromkeys(sample.predictors, np.arange(plan.n_samples) / (plan.n_samples - 1))
    return None


# --- Rows -----------------------------------------------------------------------------------------


def _average_rows(
    sample: Sample, g: int, k: int, places: Mapping[str, FloatArray] | None, plan: AveragePlan
) -> list[dict[str, Any]]:
    at = None if places is None else places[sample.predictors[k]]
    # A mapping may leave a predictor without places, and so without rows.
    if at is not None and len(at) == 0:
        return []
    if lacks_class(sample):
        undefined = undefined_mean_rates(sample.cases, k, at, plan)
        return _mean_rate_rows(sample, k, *undefined, plan, given=at is not None)
    require_fold_classes(sample)
    # Fawcett (2004), algorithms 4 and 5.
    averaged = curves_to_average(sample.cases, k, at, plan)
    with enough_valid_resamples():
        means = {
            axis: average_rate(averaged, axis, values, g, plan)
            for axis, values in sampled_rates(averaged, plan).items()
        }
    return _mean_rate_rows(sample, k, averaged.places, means, plan, given=at is not None)


def _mean_rate_rows(
    sample: Sample,
    k: int,
    places: FloatArray,
    means: dict[str, MeanRate],
    plan: AveragePlan,
    *,
    given: bool,
) -> list[dict[str, Any]]:
    """Return the rows place by place, the axes of one after the other."""
    # A point of the curve is a pair of rates: its two rows are neighbours.
    vertical = plan.kind == "vertical"
    rows = []
    next_score = np.full(len(places), np.nan)
    if not vertical:
        next_score = next_of_sample(sample, k, places, given=given)
    # Bars of dependent curves allow for cases that several curves share.
    notes = [note for note in sample_notes(sample) if plan.independent or note != REPEATED]
    for i, place in enumerate(places):
        for axis, mean in means.items():
            bars, replaced = mean.bars, bool(mean.bars.replaced[i])
            rows.append(
                {
                    "kind": plan.kind,
                    "quantity": axis,
                    "direction": ">=" if sample.higher_is_positive[k] else "<=",
                    "threshold": np.nan if vertical else place,
                    "next_score": next_score[i],
                    "fpr": place if vertical else np.nan,
                    "estimate": mean.estimate[i],
                    "se": bars.se[i],
                    "ci_low": bars.low[i],
                    "ci_high": bars.high[i],
                    "confidence_level": plan.level,
                    **class_size_columns(sample),
                    "n_effective": bars.size[i],
                    "n_curves": len(sample.cases.by_fold()),
                    "n_resamples": mean.n_resamples,
                    "method": mean.method_without_width if replaced else mean.method,
                    "note": [*(["no-width"] if replaced else []), *mean.notes, *notes],
                }
            )
    return rows
