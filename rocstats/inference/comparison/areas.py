"""Differences of areas between predictors or groups, with intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy.typing as npt
import pandas as pd

from rocstats.curves.areas.partial import FULL_RANGE, read_range
from rocstats.errors import require_choice
from rocstats.frames.questions import AREA, TEST, Question, estimate_columns
from rocstats.inference.comparison.area_rows import OWN_SIZES, difference_rows
from rocstats.inference.comparison.options import Drawing, read_choice, require_possible
from rocstats.inference.comparison.rows import compare_families, plan_rows
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.hypotheses import read_hypothesis
from rocstats.inference.estimates.pairs import Across
from rocstats.inference.estimates.randomness import RngLike
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.hanley_mcneil import Correlation
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.comparison.multiplicity import AreaAdjustment
from rocstats.stats.comparison.plan import DifferenceInterval, Method
from rocstats.stats.intervals.quantiles import Alternative

COMPARE_AUC = Question(
    "compare_auc",
    estimate_columns(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos "
        "n_neg n_resamples method note"
    ),
    (
        *("delong-1988", "obuchowski-1997", "bandos-2005", "hanley-mcneil-1983"),
        *("zou-2008", "holm-1979", "zhou-gatsonis-1996"),
    ),
    own_columns=OWN_SIZES[2:],
    binned=True,
)


def compare_auc(
    sample: Sample,
    *,
    method: Method = "delong",
    reference: str | None = None,
    across: Across = "predictors",
    contrasts: Mapping[str, Sequence[float]] | npt.ArrayLike | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: AreaAdjustment = "holm",
    confidence_level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    interval: DifferenceInterval | None = None,
    correlation: Correlation | None = None,
    same_scale: bool = False,
    n_resamples: int | None = None,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return differences of areas; a row is one pair of predictors (or groups) or one contrast.

    Parameters
    ----------
    method : str, default "delong"
        Test, and covariance of the areas.

        - "delong": covariance of the placements; Obuchowski's with clusters, foldwise with folds.
        - "permutation": Bandos, Rockette & Gur's exchange of values within cases, beside DeLong's
          interval; every exchange up to 20 units, else random ones. For areas above 0.9 of few
          cases.
        - "permutation-asymptotic": its normal form.
        - "bootstrap": infinitely many resamples in closed form, or ``interval="percentile"``.
        - "hanley-mcneil": exponential standard errors and a correlation of the scores (1983).
    reference : str, optional
        Predictor (or group) to compare all others with; default: every pair, earlier minus later.
    across : {"predictors", "groups"}, default "predictors"
        What is compared.

        - "predictors": predictors on the same cases (paired), in each group.
        - "groups": groups, for each predictor (unpaired); partially paired through clusters that
          have cases in several groups, such as patients who are in both.
    contrasts : mapping of str to sequence of float, or array-like of shape (q, k), optional
        Weights of the k areas, one row for each of q linear combinations, which replace the pairs.
        Each sums to 0. ``predictor`` holds its name (or "contrast_1", ...), ``reference``
        "contrast".
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, the area of the predictor minus that of the reference.

        - "difference" (default): d is not ``null_value``, by ``alternative``.
        - "superiority": d > ``margin``, one-sided at (1 - confidence_level)/2, two-sided interval.
        - "non-inferiority": d > -``margin``, likewise.
        - "equivalence": -``margin`` < d < ``margin``, 1 - confidence_level a side; the interval has
          the level 2 confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter; there is no default (0 for superiority).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; its interval has a lower limit
        only.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "single-step", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame.

        - "holm": Holm's step-down; valid under any dependence.
        - "single-step": by the joint normal distribution; makes the intervals simultaneous too.
        - "bonferroni": the number of tests times p; never more powerful than "holm".
        - "none": for a single comparison chosen beforehand.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; with "single-step" of all of them together.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of partial areas:
        0 <= low < high <= 1. ``margin`` and ``null_value`` are differences of partial areas then.
    interval : {"t", "wald", "mover", "percentile"}, optional
        Limits of the differences; default "mover" with a ``margin`` above 0, else "t" ("wald" for
        "hanley-mcneil").

        - "t": d -+ t se, with Satterthwaite's degrees of freedom; not for "hanley-mcneil".
        - "wald": d -+ z se, as most programs print; liberal if a class has few cases.
        - "mover": combines the logit limits of both areas, given their correlation.
        - "percentile": order statistics of resamples that the predictors share; "bootstrap" only.
    correlation : str, optional
        For "hanley-mcneil": the correlation of the scores in each class.

        - "pearson" (default), "kendall" (for ratings): mean of both classes, as in their table.
        - "pearson-by-class", "kendall-by-class": that of each class with its own weight.
    same_scale : bool, default False
        For "permutation": whether scores of all predictors have the same units, so that the scores
        are exchanged (exact test). Default: their ranks.
    n_resamples : int >= 99 (permutation) or 100 (percentile), optional
        Number of random exchanges (default 9999) or of resamples (default 2000).
    stratified : bool, optional
        Whether each class is resampled apart (default); not with clusters, which are drawn whole.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, n_resamples, method, note``. Across groups, ``group`` and
        ``reference`` hold the two groups and the counts are the sums of both. ``quantity`` is
        "partial_auc" over a range. ``method`` has a third part where the p value is not that of the
        interval. With ``nan_policy="available"`` also ``reference_n_pos, reference_n_neg,
        n_pos_shared, n_neg_shared``: cases with a score of the predictor (``n_pos, n_neg``; of a
        contrast, with any of its scores), of the reference, and of both.

    Raises
    ------
    InputError
        If there is nothing to compare, a name or word is unknown, a contrast does not sum to 0, a
        margin is missing, or a method cannot honour a role of the study.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    Paired: d = A1 - A2, Var = S11 + S22 - 2 S12 from the covariance of the placements (DeLong), of
    their cluster sums (Obuchowski), or foldwise; limits d -+ t se, cut at -1 and 1. With a the part
    of Var over the m positives and b that over the n negatives, t has the degrees of freedom
    (a + b)^2/(a^2/(m - 1) + b^2/(n - 1)); with clusters, numbers of clusters; with folds, sums over
    folds. Unpaired: the variances and the sums add up over the groups. Partial areas: each case's
    share of the part in place of its placement; over a range of FPR of width h, h n replaces n in
    the degrees of freedom, and h m replaces m over one of sensitivities.

    MOVER: lower = d - sqrt(x^2 - 2 r x y + y^2), x = A1 - l1, y = u2 - A2, with (l, u) the logit t
    limits of each area and r the correlation of the areas; upper likewise. The test inverts it.

    Predictors with their own cases (``nan_policy="available"``): each area and variance from its
    own cases, S12 = sum (V1 - A1)(V2 - A2)/sqrt(m1 (m1 - 1) m2 (m2 - 1)) over the shared positives
    plus that over the shared negatives (Zhou & Gatsonis; the small-sample factor is ours, DeLong's
    with the same cases). Cases with one score are samples of their own in the degrees of freedom.
    "delong" only. Assumes that scores are missing completely at random (note ``available-cases``).

    R's pROC and SAS print z for paired areas: pass ``interval="wald"`` for their numbers.

    Permutation: d is linear in the signs of the exchanges, so that its variance under the null
    hypothesis is a sum of squares, and z exact. It tests that the predictors are exchangeable, not
    only that areas are equal. Clusters are exchanged whole. Exchanging scores of one scale is
    exact, exchanging ranks of different scales approximate. At areas above 0.9 and with 30 cases or
    fewer the other tests reject too rarely (note ``high-areas-few-cases``).

    "hanley-mcneil" takes the correlation of the areas from the formula behind their table
    (bivariate normal scores of equal variances); equality with the printed table is not verified.
    Across groups there is no correlation. It does not hold its level if class sizes or standard
    deviations differ (note ``unequal-spread``).

    Where an area is 0 or 1, or the variance of d is 0, limits come from each area's own Newcombe
    limits by MOVER: lower = d - sqrt((A1 - l1)^2 + (u2 - A2)^2); the test inverts them. Over a
    range they too count h n negatives, or h m positives. Predictors that rank all cases alike have
    d = 0, p = 1 and no interval.

    Not for nested models compared on their training data, where DeLong's null distribution is not
    normal.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]
    - Zhou & Gatsonis (1996), for own cases of each predictor [zhou-gatsonis-1996]
    - Bandos, Rockette & Gur (2005) [bandos-2005]
    - Bandos, Rockette & Gur (2007) [bandos-2007]
    - Hanley & McNeil (1983) [hanley-mcneil-1983]
    - Zou & Donner (2008) [zou-2008]
    - Holm (1979) [holm-1979]
    - Schuirmann (1987), for equivalence [schuirmann-1987]
    - Liu, Ma, Wu & Tai (2006), for margins of areas [liu-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> study.compare_auc()[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture     0.162   0.119    0.206
    >>> frame = study.compare_auc(hypothesis="superiority", margin=0.1)
    >>> frame[["null_value", "statistic", "p_value"]].round(4)
       null_value  statistic  p_value
    0         0.1      2.833   0.0023
    """
    COMPARE_AUC.refuse_covariates(sample)
    across = require_choice("across", across, get_args(Across))
    adjust = require_choice("adjust", adjust, get_args(AreaAdjustment))
    over = read_range(fpr_range, tpr_range) or FULL_RANGE
    tested = read_hypothesis(
        hypothesis,
        margin,
        alternative,
        null_value,
        confidence_level,
        largest=over.width,
    )
    drawing = Drawing(n_resamples, stratified, rng, progress)
    choice = read_choice(sample, method, interval, correlation, same_scale, over, drawing, tested)
    require_possible(sample, choice, tested, across=across, contrasts=contrasts, adjust=adjust)
    planned = plan_rows(sample, across, reference, contrasts)
    compared = compare_families(sample, choice, planned, across, adjust)
    rows = difference_rows(compared, planned, tested, adjust)
    # Up to 20 units all exchanges are listed: such an answer has drawn nothing.
    resampled = any(row["n_resamples"] for row in rows)
    question = COMPARE_AUC.of_own_cases() if sample.own_cases else COMPARE_AUC
    return answer_rows(question, sample, rows, choice.plan if resampled else None)
