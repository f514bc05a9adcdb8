"""Differences of the summary areas of classifiers of several classes, on the same cases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.estimate.claim import (
    DIFFERENCE_INTERVALS,
    Adjustment,
    Claim,
    DifferenceInterval,
    Hypothesis,
    default_difference_interval,
    read_claim,
)
from rocstats.estimate.classes import (
    MULTICLASS_METHODS,
    ClassResult,
    MulticlassMethod,
    rank_alike,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.contrasts import contrast_variance, infer_contrast
from rocstats.estimate.estimate import undefined_result
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.resample import ResamplePlan, RngLike, require_drawing
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.tolerances import SAME_TO_ROUNDING
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.inference.classes.areas import (
    group_areas,
    multiclass_area_notes,
    plan_class_resamples,
)
from rocstats.study.multiclass import MulticlassSample

MULTICLASS_COMPARE_AUC = Question(
    "multiclass_compare_auc",
    estimate_columns(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos "
        "n_neg n_resamples method note"
    ),
    ("hand-2001", "provost-domingos-2001", "delong-1988", "zou-2008", "holm-1979"),
)


def multiclass_compare_auc(
    sample: MulticlassSample,
    *,
    method: MulticlassMethod = "ovo-macro",
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    interval: DifferenceInterval | None = None,
    n_resamples: int = 2000,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return differences of the mean multiclass area; a row is one pair of classifiers.

    Parameters
    ----------
    method : {"ovo-macro", "ovo-weighted", "ovr-macro", "ovr-weighted", "micro"}
        Summary of the areas to compare, as in ``auc``; default "ovo-macro" (Hand and Till).
    reference : str, optional
        Classifier to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Tested hypothesis about predictor minus reference:

        - "difference" (default): the difference is not ``null_value``; with a one-sided
          ``alternative`` it is above or below ``null_value``.
        - "superiority": the difference is > ``margin``; one-sided test at (1 - confidence_level)/2.
        - "non-inferiority": the difference is > -``margin``; one-sided test at (1 -
          confidence_level)/2.
        - "equivalence": the difference is between -``margin`` and ``margin``; two one-sided tests
          at 1 - confidence_level. The level of the interval is 2 confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required for non-inferiority and equivalence;
        default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; the interval has only a lower
        limit.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    interval : {"t", "wald", "mover", "percentile"}, optional
        Limits of the differences. The default is "mover" if ``margin`` is above 0, else "t".

        - "t", "wald": quantiles of t or of the normal distribution, with the variance from
          influence values.
        - "mover": combines the logit limits of both means with their correlation.
        - "percentile": order statistics of resamples that the classifiers share; needed for
          weights.
    n_resamples : int >= 100, default 2000
        Number of resamples of "percentile".
    stratified : bool, optional
        Whether each class is resampled separately; default True for "ovo-macro" without clusters.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, n_resamples, method, note``. Without ``reference`` the
        earlier classifier is the predictor. ``n_pos`` and ``n_neg`` are NaN.
        ``quantity`` is "auc_difference".

    Raises
    ------
    InputError
        If the study has only one classifier; if a fold lacks a class; or if an option or number is
        invalid.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``, as in ``Study.compare_auc``.

    Notes
    -----
    The estimate is the difference d of the two means. The influence of a case on d is the
    difference of its influences on both means, so that the variance allows for the pairing. With
    clusters, influence is summed by cluster. The default limits are d -+ t se(d), where t is a
    quantile with Satterthwaite's degrees of freedom over the classes. If a mean is 0 or 1, or the
    variance of d is 0, limits combine the Newcombe limits of both means (MOVER). Two classifiers
    that give the same ranking of all cases in every class have d = 0, p = 1 and no interval.

    Classifiers with equal means may differ in every pair of classes; compare the rows of ``auc``.

    References
    ----------
    - Hand & Till (2001), equation 7 [hand-2001]
    - Provost & Domingos (2001) [provost-domingos-2001]
    - DeLong, DeLong & Clarke-Pearson (1988), for the pairing [delong-1988]
    - Zou & Donner (2008) [zou-2008]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = np.repeat([0, 1, 2], 40)
    >>> sharp, blunt = (draw.normal(size=(120, 3)) + gain * np.eye(3)[y] for gain in (2, 1))
    >>> study = rs.MulticlassStudy(y, {"sharp": sharp, "blunt": blunt})
    >>> study.compare_auc()[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0     sharp     blunt     0.184   0.131    0.236
    """
    method = require_choice("method", method, MULTICLASS_METHODS)
    interval = require_choice("interval", interval, (None, *DIFFERENCE_INTERVALS))
    claim = read_claim(
        sample, reference, hypothesis, margin, alternative, null_value, adjust, confidence_level
    )
    interval = default_difference_interval(claim.tested) if interval is None else interval
    require_drawing(n_resamples, rng, progress, stratified)
    plan = None
    if interval == "percentile":
        plan = plan_class_resamples(sample, method, n_resamples, stratified, rng, progress)
    differences = _summary_differences(sample, method, interval, claim, plan)
    return comparison_frame(MULTICLASS_COMPARE_AUC, sample, claim.adjust, differences, draws=plan)


def _summary_differences(
    sample: MulticlassSample,
    method: MulticlassMethod,
    interval: DifferenceInterval,
    claim: Claim,
    plan: ResamplePlan | None,
) -> Iterator[ComparedRow]:
    """Yield the differences of the pairs in each group."""
    for g, (group, part) in enumerate(sample.by_group()):
        results, drawn = group_areas(part, method, None if plan is None else plan.at(g))
        # The summary is the last result; all its areas share one covariance of the classifiers.
        summary = results[-1]
        no_limits, codes = multiclass_area_notes(part, summary, drawn)
        for pair in claim.pairs:
            weights = np.zeros(len(summary.area))
            weights[list(pair)] = 1.0, -1.0
            if no_limits:
                gap = float(weights @ summary.area)
                result = undefined_result(no_limits, gap)._replace(method="none")
            else:
                result = infer_contrast(
                    weights,
                    [summary.of(p) for p in range(len(weights))],
                    summary.covariance,
                    np.inf if interval == "wald" else summary.contrast_df(weights),
                    claim.tested,
                    identical=_are_identical(part, method, summary, weights, pair),
                    mover=interval == "mover",
                    # One set of resamples for all classifiers: paired as the cases are.
                    draws=None if drawn is None else weights @ drawn.values[-1],
                )
            resamples = plan if result.method == "percentile" else None
            # Without numbers of cases: no class is the positive one.
            known = {
                "group": group,
                **FULL_AREA,
                **claim.words(part, pair),
                "n_resamples": 0 if resamples is None else resamples.n_resamples,
            }
            yield known, result._replace(method=f"{method}/{result.method}"), codes


def _are_identical(
    part: MulticlassSample,
    method: MulticlassMethod,
    summary: ClassResult,
    weights: FloatArray,
    pair: tuple[int, int],
) -> bool:
    """Whether two classifiers rank all cases alike, or have equal placements."""
    if rank_alike(part.cases, pair, pooled=method == "micro"):
        return True
    values = summary.area[list(pair)]
    # Two areas of 1 are equal by chance as well; inside (0, 1), a difference without variance means
    # equal placements.
    inside = bool(((values > 0) & (values < 1)).all())
    alike = abs(float(values[0] - values[1])) < SAME_TO_ROUNDING
    return inside and alike and contrast_variance(weights, summary.covariance) == 0
