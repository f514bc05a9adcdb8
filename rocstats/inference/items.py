"""Shares of items that systems do right, or their mean grades, and differences on the same items.

Items that are right or wrong and independent make a table of counts: Wilson's limits, McNemar's
test, Tango's limits. Grades, and items in clusters, have influence values, Wilson's limits with an
effective number of items, and t tests of paired differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.claim import Adjustment, Claim, Hypothesis, HypothesisPlan, read_claim
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import (
    Result,
    result_without_variance,
    undefined_result,
    wald_result,
)
from rocstats.estimate.influence import small_sample_factor
from rocstats.estimate.paired_tables import (
    PAIRED_INTERVALS,
    PAIRED_TESTS,
    PairedInterval,
    PairedTest,
    cross_table,
    paired_rate_difference,
)
from rocstats.estimate.quantiles import Alternative, limits_at_both_quantiles, t_quantile
from rocstats.estimate.shares import (
    Share,
    ShareDifference,
    WeightedCases,
    mean_among,
    satterthwaite_df_by_class,
)
from rocstats.facts.arrays import effective_size
from rocstats.facts.tolerances import FEW_CASES, FEW_CLUSTERS
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.items import ItemSample

# --- Questions ------------------------------------------------------------------------------------

ACCURACY = Question(
    "accuracy",
    estimate_columns(
        f"predictor group quantity {ESTIMATE} n_items n_clusters n_effective method note"
    ),
    ("wilson-1927", "korn-1998", "miller-2024"),
)
COMPARE_ACCURACY = Question(
    "compare_accuracy",
    estimate_columns(
        f"predictor reference group quantity {ESTIMATE} {TEST} p_adjusted hypothesis n_better"
        " n_worse n_items n_clusters method note"
    ),
    (
        *("mcnemar-1947", "fagerland-2013", "tango-1998", "newcombe-1998"),
        *("carter-2017", "holm-1979", "miller-2024"),
    ),
)


def accuracy(sample: ItemSample, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Return each system's share of correct items, or its mean grade, with intervals.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of systems.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, n_items, n_clusters,
        n_effective, confidence_level, method, note``. ``quantity`` is "accuracy" if all scores of
        the study are 0 or 1, else "mean_score". ``n_clusters`` is NaN without clusters.
        ``n_effective`` is the effective number of items that the limits use.

    Raises
    ------
    InputError
        If the level is not a number in (0, 1).

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``:

        - ``one-item``: there is only one item or one cluster.
        - ``few-item-clusters``: clusters are few or of very unequal size.
        - ``few-items``: fewer than 20 items have grades.

    Notes
    -----
    The estimate p is the mean of the scores x_i of the n items. Larger clusters therefore count
    more. If items are independent and right or wrong, the limits are Wilson's. Otherwise the limits
    are Wilson's for p (1 - p) / v items, where v is the estimated variance of p. With I clusters c,
    v = I/(I - 1) sum_c (sum_{i in c} (x_i - p) / n)^2, and quantiles are larger if clusters are
    unequal. For independent grades each item is a cluster, and the quantile is from t. Without the
    factor I/(I - 1), v is Miller's clustered variance.

    In simulations of 30 to 500 items, 95% limits had coverage .91 to 1.00. The exception was
    samples of 30 independent grades with a mean of .98, with coverage .80 to .83.

    Intervals apply to new items like these. Do not compare systems by whether their intervals
    overlap: use ``compare_accuracy``, which allows for the pairing by items.

    References
    ----------
    - Wilson (1927) [wilson-1927]
    - Korn & Graubard (1998), effective size [korn-1998]
    - Miller (2024), clustered standard errors of evaluations [miller-2024]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ItemStudy({"large": [1] * 42 + [0] * 8, "small": [1] * 35 + [0] * 15})
    >>> study.accuracy()[["predictor", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      predictor  quantity  estimate  ci_low  ci_high
    0     large  accuracy      0.84   0.715    0.917
    1     small  accuracy      0.70   0.562    0.809
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = []
    for group, part in sample.by_group():
        cases = items_as_cases(part)
        for k, name in enumerate(part.predictors):
            share = mean_score(part, cases, k)
            result, n_effective = mean_score_with_limits(part, share, confidence_level)
            known = {
                **_item_columns(part, group, "mean_score" if part.graded else "accuracy"),
                "predictor": name,
                "confidence_level": confidence_level,
                "n_effective": n_effective,
            }
            rows.append(answer_row_of_result(ACCURACY, known, result, _item_notes(part)))
    return answer_rows(ACCURACY, sample, rows)


def compare_accuracy(
    sample: ItemSample,
    *,
    reference: str | None = None,
    test: PairedTest | None = None,
    interval: PairedInterval | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of the accuracies of systems on the same items; a row is one pair.

    Parameters
    ----------
    reference : str, optional
        System to compare all others with; default: every pair, earlier minus later.
    test : {"mid-p", "exact", "asymptotic"}, optional
        Form of McNemar's test. Unavailable with clusters, grades or margins, for which there is
        only one test.

        - "mid-p" (default): counts half the probability of the observed table. Its error rate is
          close to the level.
        - "exact": its error rate is never above the level, but it has less power.
        - "asymptotic": the score test. Use it if the systems differ on many items.
    interval : {"tango", "newcombe"}, optional
        Limits of the difference. Unavailable with clusters or grades, for which there is only one
        interval.

        - "tango" (default): inverts the score test.
        - "newcombe": Newcombe's method 10.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d.

        - "difference" (default): d is not 0; with a one-sided ``alternative``, d > 0 or d < 0.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter, chosen before the data are seen. Required for
        non-inferiority and equivalence; default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference"; "greater" means that the predictor is more accurate.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all pairs and groups; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence, it is 2 ``confidence_level`` - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_better, n_worse, n_items, n_clusters, confidence_level,
        null_value, hypothesis, method, note``. ``quantity`` is "accuracy_difference" or
        "mean_score_difference", predictor minus reference. ``n_better`` counts the items on which
        the predictor has the higher score. ``n_worse`` counts the items on which the reference has
        the higher score. ``df`` is NaN if the p value is exact and does not use the statistic.

    Raises
    ------
    InputError
        If the study has only one system; if an option or number is invalid; or if options cannot be
        combined.

    Warns
    -----
    StatisticalWarning
        As in ``accuracy``. Also if two systems have the same score on every item, or if their
        differences cancel in every cluster (``no-discordance``).

    Notes
    -----
    For independent items that are right or wrong: the predictor alone is right on b of the n items,
    and the reference alone on c items. Then d = (b - c)/n. In McNemar's test, b has a binomial
    distribution with b + c trials and probability 1/2. The mid-p value counts half of P(b). The
    statistic is Tango's score z at the null value; for the null value 0, z^2 = (b - c)^2/(b + c).
    The p value of z is used for test="asymptotic" and for margins. Tango's limits invert the test
    by z. The mid-p value and the limits can disagree, for example with b = 4, c = 0.

    For grades, the method is the paired t test with t limits, on the differences d_i of the items
    (``scipy.stats.ttest_rel``). The variance of d is v = n/(n - 1) sum (d_i - d)^2 / n^2, with n -
    1 degrees of freedom. With I clusters c, v = I/(I - 1) sum_c (sum_{i in c} (d_i - d) / n)^2,
    with J - 1 degrees of freedom. Here J is the effective number of clusters: the number of equal
    clusters with the same information.

    Simulations had 30 to 500 items, some in 20 to 60 clusters of very unequal size. Tests of equal
    systems at level .05 rejected in .00 to .06 of the samples. 95% limits had coverage .93 to 1.00.

    Assumes independent items (clusters). If a system was run several times, do not pass the runs as
    independent items: all runs of an item are one cluster. Do not use this test to choose the best
    of many systems on the items by which they were ranked.

    References
    ----------
    - McNemar (1947) [mcnemar-1947]
    - Fagerland, Lydersen & Laake (2013), mid-p [fagerland-2013]
    - Tango (1998) [tango-1998]
    - Newcombe (1998), method 10 [newcombe-1998]
    - Carter, Schnepel & Steigerwald (2017), unequal clusters [carter-2017]
    - Holm (1979) [holm-1979]
    - Miller (2024), paired differences of evaluations [miller-2024]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ItemStudy(
    ...     {"large": [1, 1, 0, 0], "small": [1, 0, 1, 0]}, frequency=[107, 32, 14, 67]
    ... )
    >>> found = study.compare_accuracy()
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
      predictor reference  estimate  ci_low  ci_high  p_value
    0     large     small     0.082   0.022    0.144    0.008
    """
    claim = read_claim(
        sample,
        reference,
        hypothesis,
        margin,
        alternative,
        0.0,
        adjust,
        confidence_level,
        scores="score",
    )
    test, interval = _read_item_test_and_interval(sample, test, interval, claim.tested)
    differences = _item_differences(sample, claim, test, interval)
    return comparison_frame(COMPARE_ACCURACY, sample, claim.adjust, differences)


def _read_item_test_and_interval(
    sample: ItemSample,
    test: PairedTest | None,
    interval: PairedInterval | None,
    tested: HypothesisPlan,
) -> tuple[PairedTest, PairedInterval]:
    """Return test and limits of a table of counts; raise InputError where there is no choice."""
    test = require_choice("test", test, (None, *PAIRED_TESTS))
    interval = require_choice("interval", interval, (None, *PAIRED_INTERVALS))
    inverted = {
        "for grades, which have one test": sample.graded,
        "when the study has clusters, which have one test": sample.cluster is not None,
    }
    scored = {f"for the hypothesis {tested.hypothesis!r}, which has one test": not tested.is_plain}
    for argument, value, reasons in (
        ("test", test, {**inverted, **scored}),
        ("interval", interval, inverted),
    ):
        why = next((why for why, holds in reasons.items() if holds), None)
        if value is not None and why is not None:
            raise InputError(
                f"`{argument}` must stay None {why}; got {value!r}. Leave `{argument}` out."
            )
    return test or "mid-p", interval or "tango"


# --- Means and differences of one group -----------------------------------------------------------


def items_as_cases(part: ItemSample) -> WeightedCases:
    """Return the items as cases, all of one class."""
    everyone = np.ones(part.scores.shape[1], dtype=bool)
    return WeightedCases(
        everyone, part.weight, None if part.cluster is None else part.cluster.codes
    )


def mean_score(part: ItemSample, cases: WeightedCases, k: int) -> Share:
    """Return the mean score of a system, a share if scores are 0 or 1."""
    share = mean_among(cases, among=cases.is_positive, values=part.scores[k])
    if not part.graded or part.cluster is not None:
        return share
    # Of grades, unlike 0 and 1, the mean does not tell the variance: unbiased, as of clusters.
    factor = np.sqrt(small_sample_factor(part.n_items))
    return replace(share, influence=factor * share.influence)


def mean_score_with_limits(
    part: ItemSample, share: Share, confidence_level: float
) -> tuple[Result, float]:
    """Return a mean score with its limits, and the effective number of items behind them."""
    if np.isnan(share.variance):
        return undefined_result("one-item", share.value), np.nan
    df = part.n_items - 1 if part.graded and part.cluster is None else np.inf
    low, high = limits_at_both_quantiles(share.limit, confidence_level, "two-sided", 0.0, 1.0, df)
    se = float(np.sqrt(share.variance))
    if part.cluster is None and not part.graded:
        return Result(share.value, se, low, high, method="binomial/wilson"), part.n_items
    size = share.effective_size / share.stretch(t_quantile((1 + confidence_level) / 2, np.inf)) ** 2
    word = "influence" if part.cluster is None else "clusters"
    return Result(share.value, se, low, high, method=f"{word}/wilson"), size


def _item_differences(
    sample: ItemSample, claim: Claim, test: PairedTest, interval: PairedInterval
) -> Iterator[ComparedRow]:
    """Yield the difference of each pair of systems in each group."""
    quantity = "mean_score_difference" if sample.graded else "accuracy_difference"
    for (group, part), pair in product(sample.by_group(), claim.pairs):
        first, second = (part.scores[k] for k in pair)
        known = {
            **_item_columns(part, group, quantity),
            **claim.words(part, pair),
            "n_better": float(part.weight[first > second].sum()),
            "n_worse": float(part.weight[first < second].sum()),
        }
        yield (
            known,
            difference_of_items(part, *pair, test, interval, claim.tested),
            _item_notes(part),
        )


def difference_of_items(
    part: ItemSample,
    i: int,
    j: int,
    test: PairedTest,
    interval: PairedInterval,
    plan: HypothesisPlan,
) -> Result:
    """Return the difference of the mean scores of two systems, with its limits and test."""
    cases = items_as_cases(part)
    if part.graded or part.cluster is not None:
        means = mean_score(part, cases, i), mean_score(part, cases, j)
        return _difference_by_influence(part, cases, ShareDifference(*means, paired=True), plan)
    right = part.scores[i] == 1, part.scores[j] == 1
    table = cross_table(cases, *right, cases.is_positive)
    return paired_rate_difference(table, test, interval, plan)


def _difference_by_influence(
    part: ItemSample, cases: WeightedCases, difference: ShareDifference, plan: HypothesisPlan
) -> Result:
    """Return a difference of mean scores with limits and test of t, as of paired samples."""
    variance = difference.variance
    if np.isnan(variance):
        return undefined_result("one-item", difference.estimate)
    if variance == 0:
        return result_without_variance(difference.estimate, 0.0, plan)
    word = "influence" if part.cluster is None else "cluster-influence"
    df = satterthwaite_df_by_class(cases, *difference.influence)
    return wald_result(difference.estimate, float(np.sqrt(variance)), plan, word, (-1.0, 1.0), df)


# --- Columns and notes ----------------------------------------------------------------------------


def _item_columns(part: ItemSample, group: str, quantity: str) -> dict[str, Any]:
    """Return the columns that all rows of a group share."""
    return {
        "group": group,
        "quantity": quantity,
        "n_items": part.n_items,
        "n_clusters": part.n_clusters,
    }


def _item_notes(part: ItemSample) -> list[str]:
    """Return the notes of all rows of a group."""
    averaged = [f"samples-averaged={part.most_samples}"] if part.most_samples > 1 else []
    codes = [*averaged, *sample_notes(part)]
    if part.cluster is not None:
        if effective_size(np.bincount(part.cluster.codes, part.weight)) < FEW_CLUSTERS:
            codes.append("few-item-clusters")
    elif part.graded and part.n_items < FEW_CASES:
        codes.append("few-items")
    return codes
