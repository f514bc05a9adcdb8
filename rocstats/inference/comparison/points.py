"""Differences and ratios of rates, predictive values and likelihood ratios of two classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.frames.questions import ESTIMATE, TEST, Question, Refusal, estimate_columns
from rocstats.inference.comparison.point_pairs import rows_at_rates, rows_at_thresholds
from rocstats.inference.comparison.point_rows import PointChoice
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.hypotheses import read_hypothesis
from rocstats.inference.estimates.pairs import Across, group_pairs, predictor_pairs
from rocstats.inference.estimates.randomness import RngLike, plan_draws, require_drawing
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array, read_single_thresholds
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.hypotheses import Hypothesis, HypothesisPlan
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.comparison.paired_table import PAIRED_TESTS, PairedTest
from rocstats.stats.comparison.point_tests import PAIRED_INTERVALS, PairedInterval, is_plain
from rocstats.stats.intervals.quantiles import Alternative

COMPARE_OPERATING_POINTS = Question(
    "compare_operating_points",
    estimate_columns(
        "predictor reference group quantity direction threshold reference_direction "
        "reference_threshold fpr "
        f"{ESTIMATE} {TEST} p_adjusted hypothesis n_pos n_neg n_resamples method "
        "note"
    ),
    (
        *("mcnemar-1947", "fagerland-2013", "tango-1998"),
        *("newcombe-1998", "newcombe-1998-independent", "kosinski-2013"),
        *("moskowitz-2006", "gu-2009", "zou-2008", "linnet-1987"),
    ),
    # McNemar's, Fisher's and Tango's methods are of tables of counts.
    {
        "sample_weight": Refusal(
            "stay None for a comparison of points, which counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)


def compare_operating_points(
    sample: Sample,
    *,
    threshold: float | Mapping[str, float] | None = None,
    fpr: float | Sequence[float] | None = None,
    reference: str | None = None,
    across: Across = "predictors",
    test: PairedTest | None = None,
    interval: PairedInterval | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return comparisons of operating points; a row is one quantity of one pair of predictors.

    Parameters
    ----------
    threshold : float, or mapping of str to float, optional
        Threshold on the scale of the scores, fixed before these data were seen; a mapping gives
        each predictor its own, and leaves out those that are not compared. Scores at or above it
        are called positive, at or below it with ``higher_is_positive=False``.
    fpr : float or sequence of float in [0, 1), optional
        In place of thresholds: false positive rates at which sensitivities are compared.
    reference : str, optional
        Predictor (or group) to compare all others with; default: every pair, earlier minus later.
    across : {"predictors", "groups"}, default "predictors"
        What is compared.

        - "predictors": predictors on the same cases (paired), in each group.
        - "groups": independent groups, for each predictor (unpaired).
    test : {"mid-p", "exact", "asymptotic"}, optional
        McNemar's test of rates on the same cases, Fisher's across groups. Not with clusters,
        margins or ``fpr``, which have one test each.

        - "mid-p" (default): half the probability of the table seen; near its level.
        - "exact": never above its level, and of less power.
        - "asymptotic": the score test; for many discordant cases.
    interval : {"tango", "newcombe"}, optional
        Limits of rates; no choice with clusters or ``fpr``.

        - "tango" (default): inverts the score test; on the same cases only.
        - "newcombe": method 10; the only one across groups.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d; with a margin the rows are those of rates alone.

        - "difference" (default): d is not 0, by ``alternative``.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference of rates that does not matter, chosen before the data were seen; 0 where
        none is given for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference"; "greater" is a larger rate, or ratio above 1, of the
        predictor.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over the rows of one quantity (at one false positive rate);
        intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the interval has 2 level - 1.
    n_resamples : int >= 100, default 2000
        Number of resamples, for ``fpr`` only.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, direction, reference_direction,
        threshold, reference_threshold, fpr,
        estimate, ci_low, ci_high, p_value, p_adjusted, se, statistic, df, n_pos, n_neg,
        confidence_level, null_value, hypothesis, n_resamples, method, note``. ``quantity``: "tpr",
        "tnr", "ppv" and "npv" are differences (predictor minus reference); "ppv_ratio",
        "npv_ratio", "lr_positive_ratio" and "lr_negative_ratio" are predictor over reference, their
        ``null_value`` is 1 and their se on the scale of the ratio; "both_rates", if two-sided, has
        no estimate: its chi-square tests that both rates are equal. The false positive rate is the
        mirror image of "tnr". With ``fpr`` there is "tpr" alone at each rate. ``df`` is NaN where
        the p value is exact and does not come from the statistic.

    Raises
    ------
    InputError
        If there is nothing to compare, thresholds and rates are both or neither given, a word or
        number is not possible, words do not go together, or the study has weights.

    Warns
    -----
    StatisticalWarning
        If two never differ (``no-discordance``), a ratio has an empty cell (``zero-cell``), nobody
        is called (``no-calls``), folds are pooled, clusters are few, or a group lacks a class.

    Notes
    -----
    Of the m positives b are called by the predictor alone, c by the reference alone; d = (b - c)/m,
    and among negatives likewise with those not called. McNemar: b is Binomial(b + c, 1/2), the
    mid-p value counts half of P(b). The statistic is Tango's score z at the null value, z^2 =
    (b - c)^2/(b + c) at 0; its p value serves for test="asymptotic" and all margins. Tango's limits
    invert it; mid-p and limits can disagree, as with b = 4, c = 0. Newcombe's are his method 10.

    Predictive values: differences with limits by MOVER on Wilson limits, tested by Kosinski's
    weighted score; ratios, those of likelihood ratios too, on the log scale with the influence
    values of the cases, which is Moskowitz & Pepe's and Gu & Pepe's variance. In a case-control
    study predictive values mean nothing. Across groups variances add; rates and predictive values
    have Newcombe's hybrid limits.

    Clusters: influence values are summed by cluster (times I/(I - 1)); limits of differences come
    from Wilson limits of effective size p(1 - p)/variance, at most n, by MOVER with their
    correlation, and the test inverts them. At a given FPR the threshold is estimated too: both
    curves are read at the rate in stratified resamples of the cases (whole clusters); limits are
    such MOVER limits with the variances and correlation of the resamples.

    Thresholds must not have been chosen on the same data. Folds are pooled, which assumes that
    every case is in one fold, or that repeats of a case are one cluster.

    References
    ----------
    - McNemar (1947) [mcnemar-1947]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]
    - Tango (1998) [tango-1998]
    - Newcombe (1998), method 10, for the same cases [newcombe-1998]
    - Newcombe (1998), method 10, for independent cases [newcombe-1998-independent]
    - Kosinski (2013) [kosinski-2013]
    - Moskowitz & Pepe (2006) [moskowitz-2006]
    - Gu & Pepe (2009) [gu-2009]
    - Zou & Donner (2008) [zou-2008]
    - Linnet (1987) [linnet-1987]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> found = study.compare_operating_points(threshold={"area": 700, "texture": 20})
    >>> found[["quantity", "estimate", "ci_low", "ci_high", "p_value"]].head(2).round(3)
      quantity  estimate  ci_low  ci_high  p_value
    0      tpr     0.090   0.001    0.177    0.047
    1      tnr     0.204   0.157    0.255    0.000
    """
    tested = read_hypothesis(hypothesis, margin, alternative, 0.0, confidence_level)
    require_choice("across", across, get_args(Across))
    require_choice("adjust", adjust, ADJUSTMENTS)
    _require_one_place(threshold, fpr)
    require_drawing(n_resamples, rng, progress)
    COMPARE_OPERATING_POINTS.require_roles(sample)
    choice = _choice(sample, test, interval, tested, across, at_fpr=fpr is not None)
    plan = predictor_pairs if across == "predictors" else group_pairs
    draws = None
    if fpr is None:
        at = read_single_thresholds(threshold, sample.predictors)
        rows = rows_at_thresholds(plan(sample, list(at), reference), at, choice, tested)
    else:
        rates = _read_rates(fpr)
        draws = plan_draws(n_resamples, rng, progress)
        rows = rows_at_rates(plan(sample, sample.predictors, reference), rates, tested, draws)
    # One family a quantity: sensitivity and specificity answer different questions.
    adjust_rows(rows, adjust, within=("quantity",) if draws is None else ("quantity", "fpr"))
    return answer_rows(COMPARE_OPERATING_POINTS, sample, rows, draws)


def _require_one_place(threshold: Any, fpr: Any) -> None:
    if (threshold is None) == (fpr is None):
        given = "neither" if fpr is None else "both"
        raise InputError(
            f"`threshold` must be given, or `fpr` in place of it; got {given}. Pass one of them."
        )


def _choice(
    sample: Sample,
    test: PairedTest | None,
    interval: PairedInterval | None,
    tested: HypothesisPlan,
    across: str,
    *,
    at_fpr: bool,
) -> PointChoice:
    """Return test and interval of independent cases; raise InputError where there is no choice."""
    require_choice("test", test, (None, *PAIRED_TESTS))
    require_choice("interval", interval, (None, *PAIRED_INTERVALS))
    inverted = {
        "at a false positive rate, where the test inverts the limits": at_fpr,
        "when the study has clusters, where the test inverts the limits": sample.cluster
        is not None,
    }
    # With a margin the score test of Tango is the only one whose null value is not 0.
    scored = {f"for the hypothesis {tested.hypothesis!r}, which has one test": not is_plain(tested)}
    _require_unset("test", test, {**inverted, **scored})
    _require_unset("interval", interval, inverted)
    if across == "groups" and interval == "tango":
        raise InputError(
            "`interval` must be 'newcombe' when groups are compared, who share no cases; got"
            " 'tango'. Leave `interval` out."
        )
    return PointChoice(test or "mid-p", interval or "tango")


def _require_unset(argument: str, value: str | None, reasons: Mapping[str, bool]) -> None:
    for why, holds in reasons.items():
        if holds and value is not None:
            raise InputError(
                f"`{argument}` must stay None {why}; got {value!r}. Leave `{argument}` out."
            )


def _read_rates(fpr: Any) -> FloatArray:
    rates = number_array(fpr)
    if rates.ndim != 1 or len(rates) == 0 or not np.all((rates >= 0) & (rates < 1)):
        raise InputError(
            f"`fpr` must be a number in [0, 1), or a sequence of them; got {fpr!r}."
            " Pass false positive rates."
        )
    return rates
