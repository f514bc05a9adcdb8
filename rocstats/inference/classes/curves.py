"""ROC curves of each class against the rest, their averages, and simultaneous bands for them.

Averages over the classes are "micro" (all decisions pooled) or "macro" (mean of the curves). With
``adjust="bonferroni"`` each band has the level 1 - alpha/C of C classes, so that all bands of a
classifier hold together.
Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.average import average_columns
from rocstats.curves.roc import (
    Numbers,
    Texts,
    Ties,
    curve_frame,
    require_by,
    roc_columns,
    roc_points,
)
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_columns, stacked_curve_columns
from rocstats.estimate.band_answers import band_codes, band_columns_at_fpr, band_or_joint_band
from rocstats.estimate.band_record import BandRequest
from rocstats.estimate.bands import band_method
from rocstats.estimate.difference_bands import GRID
from rocstats.estimate.resample import NO_RESAMPLES, RngLike, plan_draws, require_drawing
from rocstats.facts.tolerances import WHOLE
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, columns_in, counts_only
from rocstats.study.base import sample_notes, warned_doubts
from rocstats.study.multiclass import MulticlassSample, require_fold_of_every_class
from rocstats.study.points import read_increasing_rates

# --- Curves ---------------------------------------------------------------------------------------

MULTICLASS_ROC_CURVE = Question(
    "multiclass_roc_curve",
    columns_in("predictor class versus group fold direction threshold next_score fpr tpr fp tp"),
    ("fawcett-2004",),
)
Average = Literal["micro", "macro"]
AVERAGES = get_args(Average)
REST = "rest"


def multiclass_roc_curve(
    sample: MulticlassSample,
    *,
    average: Average | None = None,
    ties: Ties = "expected",
    by: Literal["fold"] | None = None,
) -> pd.DataFrame:
    """Return the ROC curve of each class against the rest; a row is one vertex.

    Parameters
    ----------
    average : {"micro", "macro"}, optional
        Average over classes, in place of a curve for each class.

        - "micro" pools all decisions: each case is scored for each class, as a positive for its own
          class and a negative for the others. Scores for different classes must be comparable, and
          frequent classes count more.
        - "macro" is the mean of the true positive rates of the classes at each false positive rate.
          All classes count the same.
    ties : {"expected", "optimistic", "pessimistic"}, default "expected"
        Treatment of scores that are tied between the class and the rest.

        - "expected": a sloped line segment.
        - "optimistic": the class is ranked first.
        - "pessimistic": the rest is ranked first.
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, versus, [group], fold, direction, threshold, next_score, fpr,
        tpr, fp, tp``; ``versus`` is "rest". Curves are sorted by group, then predictor, then class.
        The first row of each curve is (0, 0) with an infinite threshold. The ``class`` of an
        average is "micro-average" or "macro-average"; a macro-average has no thresholds and no
        counts (NaN).

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds or a fold lacks a class, or an option is
        unknown.

    Notes
    -----
    This is the class reference formulation. For each class c, the cases of class c are the
    positives, and all other cases are the negatives. Column c has the scores. Unlike a curve of two
    classes, the curve depends on the prevalences of the classes in the rest. A rate is NaN in a
    group without the class or without any other class.

    Averages depend on the class mix too. Each curve in a macro-average depends on the mix of the
    rest. A micro-average depends on the mix of all classes. Neither average is the curve of a
    usable rule, since a case may be called positive for several classes or for none. The area under
    the macro-average is the unweighted mean of the areas of the classes.

    References
    ----------
    - Fawcett (2004), section 7.3.1, equations 1 and 2; section 6.1 for averages at a false positive
      rate [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> scores = {"a": [0.8, 0.3, 0.1, 0.4], "b": [0.1, 0.6, 0.3, 0.7], "c": [0.1, 0.1, 0.6, 0.1]}
    >>> study = rs.MulticlassStudy(["a", "b", "c", "a"], scores)
    >>> curve = study.roc_curve()
    >>> curve.loc[curve["class"] == "b", ["class", "versus", "threshold", "fp", "tp"]]
      class versus  threshold  fp  tp
    5     b   rest        inf   0   0
    6     b   rest        0.7   1   0
    7     b   rest        0.6   1   1
    8     b   rest        0.3   2   1
    9     b   rest        0.1   3   1
    """
    average = require_choice("average", average, (None, *AVERAGES))
    ties = require_choice("ties", ties, get_args(Ties))
    by = require_by(sample, by)
    codes = ["pooled-folds"] if by is None and sample.fold is not None else []
    names = sample.classes if average is None else [f"{average}-average"]
    curves: list[tuple[Texts, Numbers]] = []
    for group, part in sample.by_group():
        if not (part.cases.weight_of > 0).all():
            codes.append("one-class")
        if by == "fold":
            require_fold_of_every_class(part)
        folds = part.cases.by_fold() if by == "fold" else [("", part.cases)]
        for p, predictor in enumerate(sample.predictors):
            for k, name in enumerate(names):
                texts = {"predictor": predictor, "class": name, "versus": REST, "group": group}
                for fold, cases in folds:
                    if average is None:
                        columns = roc_columns(roc_points(cases.counts(k, predictor=p), ties=ties))
                    else:
                        columns = average_columns(cases, average, ties, predictor=p)
                    curves.append(({**texts, "fold": fold, "direction": ">="}, columns))
    warn_of_doubts(codes, warned_doubts(sample))
    return curve_frame(MULTICLASS_ROC_CURVE, curves, sample)


# --- Bands ----------------------------------------------------------------------------------------

MULTICLASS_ROC_BAND = Question(
    "multiclass_roc_band",
    columns_in(
        "predictor class versus group fpr tpr tpr_low tpr_high confidence_level scope method note"
    ),
    ("campbell-1994", "fawcett-2004"),
    # Both bands are of empirical distributions of counts.
    {"sample_weight": counts_only("roc_band", "The band needs counts", "weights")},
)
ClassBandMethod = Literal["fixed-width", "joint"]
BandAdjustment = Literal["bonferroni", "none"]


def multiclass_roc_band(
    sample: MulticlassSample,
    method: ClassBandMethod = "fixed-width",
    *,
    adjust: BandAdjustment = "bonferroni",
    confidence_level: float = 0.95,
    at: npt.ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return a band around the curve of each class against the rest; a row is one point of a curve.

    Parameters
    ----------
    method : {"fixed-width", "joint"}, default "fixed-width"
        - "fixed-width": Campbell's band of constant width along the slope -sqrt(n_neg/n_pos), by
          resampling.
        - "joint": from Kolmogorov's limits of both score distributions. The coverage is guaranteed,
          but the band is wide.
    adjust : {"bonferroni", "none"}, default "bonferroni"
        - "bonferroni": with C classes, each band has the level 1 - (1 - confidence_level)/C. All
          bands of a predictor (in a group) are then simultaneous with ``confidence_level``.
        - "none": each band has ``confidence_level``.
    confidence_level : float in (0, 1), default 0.95
        Probability that the bands contain the whole true curves.
    at : array-like of shape (g,), optional
        False positive rates of the rows, increasing, in [0, 1]; by default 0 to 1 in steps of
        0.005.
    n_resamples : int >= 100, default 2000
        Number of resamples; many classes or a high level need more.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, versus, [group], fpr, tpr, tpr_low, tpr_high, confidence_level,
        scope, method, note``. ``tpr`` is the curve of the sample (the top of a vertical step).
        ``scope`` is "simultaneous". ``method`` has the part "/joint" if the joint band replaces the
        requested band, and ends in the adjustment. ``note`` has ``blocked-resamples`` if blocks of
        neighbouring scores were resampled, as in ``roc_band`` of a binary study. A group has no
        rows for a class that it lacks.

    Raises
    ------
    InputError
        If an argument is invalid; if the study has weights; if the study has clusters but needs the
        joint band; or if there are too few resamples for the level of one band.

    Warns
    -----
    StatisticalWarning
        As in ``Study.roc_band``:

        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``few-clusters``: a class is in under 30 clusters.
        - ``joint-band``: the joint band replaces the requested band.

    Notes
    -----
    The positives are the cases of the class. The negatives are the cases of all other classes, in
    the mix of the sample. Each band equals the band of ``Study.roc_band`` for these cases. The
    curves share cases; Bonferroni's inequality allows for that.

    References
    ----------
    - Campbell (1994) [campbell-1994]
    - Fawcett (2004), section 7.3.1, for the curves [fawcett-2004]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> y = np.repeat([0, 1, 2], 40)
    >>> score = np.random.default_rng(1).normal(size=(120, 3)) + 2 * np.eye(3)[y]
    >>> band = rs.MulticlassStudy(y, score).roc_band(at=[0.1, 0.3], rng=1)
    >>> band[["class", "fpr", "tpr_low", "tpr", "tpr_high"]].round(2)
      class  fpr  tpr_low   tpr  tpr_high
    0     0  0.1     0.07  0.92       1.0
    1     0  0.3     0.87  0.98       1.0
    2     1  0.1     0.44  0.90       1.0
    3     1  0.3     0.84  0.95       1.0
    4     2  0.1     0.44  0.92       1.0
    5     2  0.3     0.82  0.92       1.0
    """
    method = require_choice("method", method, get_args(ClassBandMethod))
    adjust = require_choice("adjust", adjust, get_args(BandAdjustment))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    places = GRID if at is None else read_increasing_rates(at)
    MULTICLASS_ROC_BAND.require_roles(sample)
    kind, plan = band_method(method), NO_RESAMPLES
    if sample.cluster is not None and not kind.clusters:
        raise InputError(
            f"`method` must be 'fixed-width' when the study has clusters; got {method!r}."
            " The joint band assumes independent cases."
        )
    alpha = (1 - confidence_level) / (len(sample.classes) if adjust == "bonferroni" else 1)
    require_drawing(n_resamples, rng, progress)
    if kind.resamples:
        _require_resamples_for_class_bands(n_resamples, alpha)
        plan = plan_draws(n_resamples, rng, progress)
    pooled = ["pooled-folds"] if sample.fold is not None else []
    codes = list(pooled)
    bands: list[dict[str, Any]] = []
    for g, (group, part) in enumerate(sample.by_group()):
        if not (part.cases.weight_of > 0).all():
            codes.append("one-class")
        for p, predictor in enumerate(part.predictors):
            for k, name in enumerate(part.classes):
                # A class needs cases, and a rest.
                if not 0 < part.n_of[k] < part.n_of.sum():
                    continue
                # A stream for each curve: another class or predictor does not change this one.
                request = BandRequest(places, 1 - alpha, plan.at(g, p, k))
                cases = part.one_against_rest(k, predictor=p).cases
                none = f" for class {name!r} (an area of 0 or 1, a single score)"
                band, used = band_or_joint_band(cases, 0, kind, request, none=none)
                notes = band_codes(cases, kind, band, used)
                codes += notes
                bands.append(
                    {
                        "predictor": predictor,
                        "class": name,
                        "versus": REST,
                        "group": group,
                        **band_columns_at_fpr(places, band),
                        "confidence_level": confidence_level,
                        "scope": "simultaneous",
                        "method": used if adjust == "none" else f"{used}/{adjust}",
                        "note": "; ".join([*notes, *pooled, *sample_notes(sample)]),
                    }
                )
    warn_of_doubts([*codes, *sample_notes(sample)], warned_doubts(sample))
    columns = stacked_curve_columns(MULTICLASS_ROC_BAND, bands)
    return answer_columns(MULTICLASS_ROC_BAND, sample, columns, plan)


def _require_resamples_for_class_bands(n_resamples: int, alpha: float) -> None:
    """Raise InputError if resamples are too few for the level of one band."""
    # The largest of B resampled distances is the 1 - 1/(B + 1) quantile.
    least = int(np.ceil(1 / alpha - WHOLE)) - 1
    if n_resamples < least:
        raise InputError(
            f"`n_resamples` must be at least {least} for bands of level {1 - alpha:.6g} each; got"
            f" {n_resamples}. Pass ten times as many, or a lower confidence_level."
        )
