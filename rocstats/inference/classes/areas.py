"""Areas under the curve of several classes: each against the rest, or of every two.

The areas and their influence values are in ``estimate/classes.py`` [hand-2001]. A row is the area
of two classes, or of a class and the rest; the last row of a predictor is the summary.
Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.areas import AreaTest, infer_area, read_area_test
from rocstats.estimate.classes import (
    MULTICLASS_METHODS,
    ClassResult,
    ClassRow,
    MulticlassMethod,
    class_and_counterpart_sizes,
    class_result_with_covariance,
    class_results,
    class_size_codes,
)
from rocstats.estimate.estimate import undefined_result
from rocstats.estimate.intervals import percentile_method
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    plan_resamples,
    require_drawing,
)
from rocstats.estimate.resample_areas import AreaDraws, draw_class_areas
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.inference.classes.curves import REST
from rocstats.study.base import sample_notes
from rocstats.study.multiclass import MulticlassSample, require_fold_of_every_class

MULTICLASS_AUC = Question(
    "multiclass_auc",
    estimate_columns(
        f"predictor class versus group {AREA} {TEST} hypothesis n_pos n_neg n_resamples method note"
    ),
    ("fawcett-2004", "hand-2001", "provost-domingos-2001", "delong-1988", "obuchowski-1997"),
)
MulticlassInterval = Literal["logit", "wald", "probit", "logit-t", "percentile"]


def multiclass_auc(
    sample: MulticlassSample,
    *,
    method: MulticlassMethod = "ovo-macro",
    interval: MulticlassInterval = "logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
    n_resamples: int = 2000,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return AUCs of class pairs, or of each class against the rest, and their summary.

    Parameters
    ----------
    method : {"ovo-macro", "ovo-weighted", "ovr-macro", "ovr-weighted", "micro"}
        Areas and their summary. The words combine the options ``multi_class`` and ``average`` of
        scikit-learn's ``roc_auc_score``.

        - "ovo-macro" (default; also "hand-till"): the area of each pair of classes, and the mean M
          of these areas (Hand and Till). M does not depend on the sizes of the classes.
        - "ovo-weighted": the same areas, and their weighted mean. The weight of a pair is
          proportional to its share of the cases.
        - "ovr-macro": the area of each class against the rest, as in ``roc_curve``, and the plain
          mean of these areas.
        - "ovr-weighted" (also "class-reference"): the area of each class against the rest, and the
          mean of these areas weighted by prevalence (Provost and Domingos). The mean depends on the
          class mix.
        - "micro": the area of each class against the rest. Each case has one decision for each
          class, and the summary is the area of all these decisions pooled. Scores of different
          classes must be comparable.
    interval : {"logit", "wald", "probit", "logit-t", "percentile"}, default "logit-t"
        - "logit", "probit": normal limits on the logit or probit scale, from influence values.
        - "wald": normal limits of the area itself, from influence values.
        - "logit-t": t limits on the logit scale, with Satterthwaite's degrees of freedom.
        - "percentile": order statistics of resamples; needed for weighted cases.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of rows.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests area > ``null_value`` and gives a lower limit at the full level; the upper
        limit is 1. "less" tests area < ``null_value`` and gives an upper limit.
    null_value : float in (0, 1), optional
        Value to test every area against: 0.5 for chance, or a performance goal. By default there is
        no test.
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
        Columns ``predictor, class, versus, [group], quantity, estimate, ci_low, ci_high, p_value,
        se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis,
        range_low, range_high, n_resamples, method, note``. ``n_pos`` counts the cases of ``class``,
        and ``n_neg`` the cases of ``versus``. In the row of the summary ``class`` is "all",
        ``versus`` is "", and both counts are NaN.

    Raises
    ------
    InputError
        If an option is unknown; if a number is out of range; if a fold lacks a class; or if
        ``stratified=True`` and the study has clusters.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``. ``one-class``: a group lacks a class; areas of
        that class and the mean are NaN. ``auc-at-boundary``, ``few-cases`` and others as in
        ``Study.auc``.

    Notes
    -----
    By Hand and Till, A(i, j) = [A(i|j) + A(j|i)]/2, where A(i|j) is the AUC of the scores for class
    i on the cases of classes i and j alone. For C classes, M is 2/(C(C - 1)) times the sum of A(i,
    j) over pairs. The mean of Provost and Domingos is the sum over classes of AUC(c) p(c), where
    p(c) is the share of class c among the cases (or their weights). For "ovo-weighted", the pair i,
    j has the weight (p(i) + p(j))/(C - 1). These means depend only on the ranks within each column
    of scores. With two classes, M is the mean of the AUCs of the two columns. If one column ranks
    the cases in the reverse order of the other, every number equals the number from ``Study.auc``.

    The influence of a case on an area A is (V - A)/n (DeLong). Here n is the size of its class, and
    V is its placement: the share of cases of the other class that its score orders correctly. Its
    influence on a mean of areas is the mean of its influences on these areas. The variance is the
    sum of squared influence values, multiplied by n/(n - 1) in each class. With clusters, influence
    is first summed by cluster (Obuchowski). A class against the rest is a binary study, in which
    the class mix of the rest is random. The shares p(c) are random too. A case of class c therefore
    has the additional term (B(c) - A)/N in its influence on a weighted mean A. Here B(c) is the
    mean of the areas of class c, and N is the number of cases. For "micro", a case is a cluster of
    C decisions: one positive and C - 1 negative decisions.

    If the variance is 0 or undefined (an area of 0 or 1, a class with one case), limits are from
    Newcombe's method 5. For a mean, these limits use the class sizes of the smallest pair. No
    interval has zero width. With folds, every area is the mean over folds. Do not use the mean to
    choose thresholds: it is not the area under any curve. Do not use scores of a model on its
    training data.

    References
    ----------
    - Hand & Till (2001), equations 3 and 7 [hand-2001]
    - Provost & Domingos (2001) [provost-domingos-2001]
    - Fawcett (2004), section 7.3.2 [fawcett-2004]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> scores = {
    ...     "a": [0.8, 0.3, 0.1, 0.4, 0.5, 0.4],
    ...     "b": [0.1, 0.6, 0.3, 0.7, 0.2, 0.5],
    ...     "c": [0.1, 0.1, 0.6, 0.1, 0.3, 0.2],
    ... }
    >>> study = rs.MulticlassStudy(["a", "b", "c", "a", "c", "b"], scores)
    >>> columns = ["class", "versus", "estimate", "ci_low", "ci_high"]
    >>> study.auc(interval="logit")[columns].round(3)
      class versus  estimate  ci_low  ci_high
    0     a      b     0.688   0.107    0.976
    1     a      c     0.875   0.228    0.994
    2     b      c     1.000   0.386    1.000
    3   all            0.854   0.345    0.985
    """
    method = require_choice("method", method, MULTICLASS_METHODS)
    interval = require_choice("interval", interval, get_args(MulticlassInterval))
    test = read_area_test(confidence_level, alternative, null_value)
    require_drawing(n_resamples, rng, progress, stratified)
    plan = None
    if interval == "percentile":
        plan = plan_class_resamples(sample, method, n_resamples, stratified, rng, progress)
    rows = list(_class_area_rows(sample, method, interval, test, plan))
    return answer_rows(MULTICLASS_AUC, sample, rows, plan)


# --- Rows -----------------------------------------------------------------------------------------


def _class_area_rows(
    sample: MulticlassSample,
    method: MulticlassMethod,
    interval: MulticlassInterval,
    test: AreaTest,
    plan: ResamplePlan | None,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of each group, predictor after predictor."""
    for g, (group, part) in enumerate(sample.by_group()):
        results, drawn = group_areas(part, method, None if plan is None else plan.at(g))
        for p, name in enumerate(part.predictors):
            for number, result in enumerate(results):
                no_limits, codes = multiclass_area_notes(part, result, drawn)
                if no_limits:
                    found = undefined_result(no_limits, float(result.area[p]))._replace(
                        method="none"
                    )
                else:
                    limits = None if drawn is None else percentile_method(drawn.values[number, p])
                    found = infer_area(result.of(p), interval, test, limits)
                # An area of 0 or 1 has Newcombe's limits instead: no resamples then.
                resamples = plan if found.method == "percentile" else None
                known = {
                    "predictor": name,
                    "group": group,
                    **_class_columns(part, result.row),
                    **FULL_AREA,
                    **test.columns(),
                    "n_resamples": 0 if resamples is None else resamples.n_resamples,
                }
                found = found._replace(method=f"{method}/{found.method}")
                yield answer_row_of_result(MULTICLASS_AUC, known, found, codes)


def _class_columns(part: MulticlassSample, row: ClassRow) -> dict[str, Any]:
    """Return the columns of the compared classes and their sizes; "all" for the summary."""
    n_pos, n_neg = class_and_counterpart_sizes(part.cases, row)
    sizes = {"n_pos": n_pos, "n_neg": n_neg}
    if row.positive is None:
        return {"class": "all", "versus": "", **sizes}
    versus = REST if row.versus is None else part.classes[row.versus]
    return {"class": part.classes[row.positive], "versus": versus, **sizes}


# --- The areas of a group, and their resamples ----------------------------------------------------


def plan_class_resamples(
    sample: MulticlassSample,
    method: MulticlassMethod,
    n_resamples: int,
    stratified: bool | None,
    rng: RngLike,
    progress: bool,
) -> ResamplePlan:
    """Return how the cases of all classes are resampled."""
    # All others depend on the class shares, which resamples by class would fix.
    apart = method == "ovo-macro"
    return plan_resamples(sample.cases, n_resamples, stratified, rng, progress, apart=apart)


def group_areas(
    part: MulticlassSample, method: MulticlassMethod, plan: ResamplePlan | None
) -> tuple[list[ClassResult], AreaDraws | None]:
    """Return the areas of each row of a group, the summary last, and their resamples.

    Weighted cases have the variance of the resamples; without these, only their areas are valid.
    """
    # A mean over folds needs every area in every fold.
    require_fold_of_every_class(part)
    results = list(class_results(part.cases, method))
    if plan is None:
        return results, None
    with enough_valid_resamples():
        drawn = draw_class_areas(part.cases, method, plan)
    # Weights without a model of how cases got them have a variance by resampling only.
    if part.sample_weight is not None:
        results = [
            class_result_with_covariance(result, np.atleast_2d(np.cov(draws, ddof=1)))
            for result, draws in zip(results, drawn.values, strict=True)
        ]
    return results, drawn


def multiclass_area_notes(
    part: MulticlassSample, result: ClassResult, drawn: AreaDraws | None
) -> tuple[str, list[str]]:
    """Return why the areas of a row have no limits ("" where they have), and the other notes."""
    if np.isnan(result.area).any():
        return "one-class", sample_notes(part)
    if drawn is None and part.sample_weight is not None:
        return "weights-need-bootstrap", sample_notes(part)
    redrawn = () if drawn is None else drawn.notes
    return "", [*redrawn, *class_size_codes(part.cases, result), *sample_notes(part)]
