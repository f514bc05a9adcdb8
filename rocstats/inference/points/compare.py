"""Operating points of two classifiers compared: rates, predictive values, likelihood ratios, sums.

The classifiers have the same cases, or one classifier is compared on two groups. Points lie at
thresholds, where calls are counted, or at a rate, where the other rate is compared by resamples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.curves.roc import called_positive
from rocstats.errors import InputError, require_choice
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    Hypothesis,
    HypothesisPlan,
    hypothesis_columns,
    read_hypothesis,
)
from rocstats.estimate.compare import (
    ComparedAcross,
    ComparedRow,
    PairToCompare,
    comparison_frame,
    group_pairs,
    predictor_pairs,
)
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.paired_tables import (
    PAIRED_INTERVALS,
    PAIRED_TESTS,
    Calls,
    PairedInterval,
    PairedTable,
    PairedTest,
    chi_square_of_both_rates,
    chi_square_of_both_shares,
    kosinski_score_of_calls,
    mover_measure_difference,
    paired_predictive_value_difference,
    paired_rate_difference,
    paired_table,
    share_ratio_with_limits,
    tabulated_calls,
    unpaired_share_difference,
)
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.rates import Axis
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    plan_draws,
    redrawn_notes,
    require_drawing,
)
from rocstats.estimate.resample_calls import (
    CalledSide,
    called_difference,
    called_ratio,
    called_sides,
    few_effective_cases,
)
from rocstats.estimate.shares import (
    RATIOS,
    RatioName,
    ShareDifference,
    ShareName,
    ratio_of_classifier_shares,
)
from rocstats.facts.arrays import FloatArray
from rocstats.facts.words import as_known, did_you_mean, listed
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.points.paired_measures import (
    SUMS,
    SumName,
    accuracy_share,
    correlation_difference,
    difference_of_rate_sums,
    f1_difference,
    paired_rate_ratio,
    unpaired_rate_ratio,
)
from rocstats.inference.points.resampled_rates import (
    RatesAtFpr,
    resampled_difference,
    resampled_tprs_of_pair,
    tpr_differences_of_pair,
)
from rocstats.study.base import require_cases
from rocstats.study.points import number_array, read_single_thresholds
from rocstats.study.sample import Sample

# --- Question -------------------------------------------------------------------------------------

COMPARE_OPERATING_POINTS = Question(
    "compare_operating_points",
    estimate_columns(
        "predictor reference group quantity direction threshold next_score reference_direction "
        "reference_threshold reference_next_score fpr tpr "
        f"{ESTIMATE} {TEST} p_adjusted hypothesis n_pos n_neg n_resamples method "
        "note"
    ),
    (
        *("mcnemar-1947", "fagerland-2013", "tango-1998"),
        *("newcombe-1998", "newcombe-1998-independent", "kosinski-2013"),
        *("moskowitz-2006", "gu-2009", "zou-2008", "linnet-1987"),
        *("tang-2003", "koopman-1984"),
    ),
    advice={
        "weights-need-bootstrap": "compare_operating_points(threshold=..., interval='percentile',"
        " rng=1) resamples the cases with their weights",
    },
)
ComparedInterval = PairedInterval | Literal["percentile"]


def compare_operating_points(
    sample: Sample,
    *,
    threshold: float | Mapping[str, float] | None = None,
    fpr: float | Sequence[float] | None = None,
    tpr: float | Sequence[float] | None = None,
    quantities: Sequence[str] | None = None,
    reference: str | None = None,
    across: ComparedAcross = "predictors",
    test: PairedTest | None = None,
    interval: ComparedInterval | None = None,
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
        Threshold on the scale of the scores, chosen before these data were seen. A mapping has a
        threshold for each predictor to compare. Scores at or above the threshold are called
        positive. With ``higher_is_positive=False``, scores at or below the threshold are called
        positive.
    fpr : float or sequence of float in [0, 1), optional
        False positive rates at which sensitivities are compared; pass ``fpr`` instead of
        ``threshold``.
    tpr : float or sequence of float in (0, 1], optional
        Sensitivities at which specificities are compared; pass ``tpr`` instead of ``threshold``.
    quantities : sequence of str, optional
        Measures to compare at thresholds.

        - Default: tpr, tnr, both_rates, ppv, npv, ppv_ratio, npv_ratio, lr_positive_ratio and
          lr_negative_ratio.
        - Also available: tpr_ratio and fpr_ratio (relative rates), accuracy, f1, mcc, kappa,
          balanced_accuracy and youden.
        - With a ``margin``: the default is tpr and tnr. All differences are available; ratios
          and both_rates are not.
    reference : str, optional
        Predictor (or group) to compare all others with; default: every pair, earlier minus later.
    across : {"predictors", "groups"}, default "predictors"
        Comparison to make.

        - "predictors": predictors on the same cases (paired), in each group.
        - "groups": independent groups, for each predictor (unpaired).
    test : {"mid-p", "exact", "asymptotic"}, optional
        Form of McNemar's test for rates and accuracy on the same cases, or of Fisher's test across
        groups. There is no choice for studies with clusters, or with a ``margin``, ``fpr`` or
        ``tpr``.

        - "mid-p" (default): counts half the probability of the observed table. Its size is close to
          the nominal level.
        - "exact": its size is never above the nominal level; it has less power.
        - "asymptotic": the score test. Choose it for many discordant cases.
    interval : {"tango", "newcombe", "percentile"}, optional
        Limits at thresholds. "tango" and "newcombe" are for rates and accuracy, in studies without
        clusters.

        - "tango" (default): inverts the score test; only for predictors on the same cases.
        - "newcombe": Newcombe's method 10; required across groups.
        - "percentile": order statistics of resamples, for all quantities except both_rates. It
          gives the only limits for weighted cases. For unweighted cases the other limits have
          better coverage.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d.

        - "difference" (default): d is not 0; ``alternative`` names the direction.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter, chosen before the data were seen. For superiority
        the default is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference". "greater" means that the predictor has a larger value
        than the reference (a ratio above 1).
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over the rows of one quantity (at one value of ``fpr`` or
        ``tpr``); intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the coverage is 2 level - 1.
    n_resamples : int >= 100, default 2000
        Number of resamples, for ``fpr``, ``tpr`` and "percentile" only.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, direction, reference_direction,
        threshold, next_score, reference_threshold, reference_next_score, fpr, tpr, estimate,
        ci_low, ci_high, p_value, p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level,
        null_value, hypothesis, n_resamples, method, note``. A ``quantity`` that ends in "_ratio" is
        the value of the predictor divided by the value of the reference. Its ``null_value`` is 1,
        and its ``se`` has the scale of the ratio. "both_rates" is a two-sided chi-square test that
        both rates are equal. It has no estimate. All other quantities end in "_difference". They
        are the value of the predictor minus the value of the reference. To get the difference of
        false positive rates, change the sign of "tnr_difference". With ``fpr`` the only quantity is
        "tpr_difference". With ``tpr`` the only quantity is "tnr_difference". An exact p value is
        not computed from ``statistic``; ``df`` is then NaN.

    Raises
    ------
    InputError
        If there is nothing to compare; if no or several of ``threshold``, ``fpr`` and ``tpr`` are
        passed; if an option or number is invalid; or if options cannot be combined.

    Warns
    -----
    StatisticalWarning
        - ``no-discordance``: two predictors never differ.
        - ``zero-cell``: a ratio has an empty cell.
        - ``no-calls``: no case is called positive.
        - ``pooled-folds``: folds are pooled.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``weights-need-bootstrap``: the study has weights, and only estimates are returned.

    Notes
    -----
    Rates on the same cases: let m be the number of positives. The predictor alone calls b of these
    positives positive, and the reference alone calls c of them positive. Then d = (b - c)/m. For
    negatives, b and c count correct negative calls. Under the null hypothesis of McNemar's test b
    is Binomial(b + c, 1/2). The mid-p value counts half of P(b). The statistic is Tango's score z
    at the null value; z^2 = (b - c)^2/(b + c) at 0. The p value of z is used for test="asymptotic"
    and for margins. Tango's limits invert this test. The mid-p value and the limits can disagree,
    for example with b = 4, c = 0. Newcombe's limits are his method 10.

    Predictive values: limits of differences combine Wilson limits by MOVER. The test is Kosinski's
    weighted score test. Ratios of predictive values and of likelihood ratios have normal limits on
    the log scale. The variance of these ratios is computed from influence values. It equals the
    variance of Moskowitz & Pepe and of Gu & Pepe. Do not use predictive values of a case-control
    study. Across groups, variances are added. Rates, accuracy and predictive values then have
    Newcombe's hybrid limits.

    Relative rates: the limits of Tang, Tang & Chan invert the score test. These limits exist even
    if a cell is empty. At a ratio of 1 this test is McNemar's asymptotic test. Across groups the
    limits are Koopman's. A ratio with denominator 0 is infinite (``empty-cell``).

    Other differences on the same cases: accuracy is treated as a rate over all cases. For
    balanced_accuracy and youden, MOVER combines Tango's limits of both classes. For f1, mcc and
    kappa, MOVER combines the limits of ``operating_points``, using the correlation of the influence
    values. The tests of these five measures invert the limits. The test of predictive values with a
    margin also inverts the limits. The measures accuracy, f1, mcc and kappa depend on the share of
    positives in the study (note ``study-prevalence``). Do not use these four measures in a
    case-control study.

    Clusters: influence values are summed within clusters. The variance is multiplied by I/(I - 1)
    for I clusters. A rate p has Wilson limits with the effective size p(1 - p)/variance, at most n.
    MOVER combines the limits of both rates, using their correlation. The test inverts the combined
    limits. Relative rates have limits on the log scale.

    With ``fpr`` the threshold is estimated too. Both curves are evaluated at this rate in
    stratified resamples of cases, or of whole clusters. The MOVER limits use the variances and the
    correlation over resamples. With ``tpr`` the same method is applied with exchanged classes.

    "percentile": the cases of each class are resampled with their weights. Clusters are resampled
    as a whole. Each group is resampled separately. Both predictors are applied to the same
    resamples. For quantities that depend on the share of positives in the study, all cases are
    resampled together. The test inverts the limits. If a rate of a predictor is 0 or 1, resamples
    vary too little. A difference then has MOVER limits from effective numbers of cases, without
    correlation (note ``rate-at-boundary``). A ratio then has no limits.

    For clusters of unequal size, limits are widened by the ratio of two t quantiles. This rule is
    not published elsewhere; see docs/methods/areas.md. In simulations with 40 and 150 clusters of
    unequal size, tests rejected equal predictors in .00 to .08 of samples. Tests without this ratio
    rejected in .00 to .25 of samples.

    Thresholds must be chosen on other data. Folds are pooled. Therefore every case must be in one
    fold only, or repeats of a case must form one cluster.

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
    - Tang, Tang & Chan (2003) [tang-2003]
    - Koopman (1984) [koopman-1984]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> found = study.compare_operating_points(threshold={"area": 700, "texture": 20})
    >>> found[["quantity", "estimate", "ci_low", "ci_high", "p_value"]].head(2).round(3)
             quantity  estimate  ci_low  ci_high  p_value
    0  tpr_difference     0.090   0.001    0.177    0.047
    1  tnr_difference     0.204   0.157    0.255    0.000
    >>> found = study.compare_operating_points(
    ...     threshold={"area": 700, "texture": 20}, quantities=["tpr_ratio", "f1"]
    ... )
    >>> found[["quantity", "estimate", "ci_low", "ci_high", "null_value"]].round(3)
            quantity  estimate  ci_low  ci_high  null_value
    0      tpr_ratio     1.134   1.002    1.287         1.0
    1  f1_difference     0.191   0.124    0.255         0.0
    """
    tested = read_hypothesis(hypothesis, margin, alternative, 0.0, confidence_level)
    across = require_choice("across", across, get_args(ComparedAcross))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    axis, rates = _read_compared_rates(threshold, fpr, tpr)
    require_drawing(n_resamples, rng, progress)
    if across == "predictors":
        require_cases(sample, "a comparison of predictors")
    COMPARE_OPERATING_POINTS.require_roles(sample)
    interval = require_choice("interval", interval, (None, *PAIRED_INTERVALS, "percentile"))
    resampled = interval == "percentile"
    by_counts = sample.sample_weight is None and not resampled
    words = _read_compared_quantities(quantities, tested, axis, by_counts=by_counts)
    test, limits = _read_paired_test_and_interval(sample, test, interval, tested, across, axis)
    pairs_of = predictor_pairs if across == "predictors" else group_pairs
    draws = None
    if resampled or (axis is not None and by_counts):
        draws = plan_draws(n_resamples, rng, progress)
    if axis is None:
        at = read_single_thresholds(threshold, sample.predictors)
        pairs = pairs_of(sample, list(at), reference)
        if by_counts:
            differences = _point_differences_at_thresholds(pairs, at, words, test, limits, tested)
        else:
            differences = _resampled_point_differences(pairs, at, words, tested, draws)
    else:
        pairs = pairs_of(sample, sample.predictors, reference)
        differences = _point_differences_at_rates(pairs, axis, rates, tested, draws)
    # One family a quantity: sensitivity and specificity answer different questions.
    within = ("quantity",) if axis is None else ("quantity", axis)
    return comparison_frame(
        COMPARE_OPERATING_POINTS, sample, adjust, differences, within=within, draws=draws
    )


# --- Options: place, quantities, test and interval ------------------------------------------------


def _read_compared_rates(threshold: Any, fpr: Any, tpr: Any) -> tuple[Axis | None, FloatArray]:
    """Return the axis of the given rates, None for thresholds, and the rates."""
    places = {"threshold": threshold, "fpr": fpr, "tpr": tpr}
    given = [name for name, value in places.items() if value is not None]
    if len(given) != 1:
        raise InputError(
            "`threshold` must be given, or `fpr` or `tpr` instead; got"
            f" {' and '.join(given) or 'none of them'}. Pass one of them."
        )
    if threshold is not None:
        return None, np.empty(0)
    axis: Axis = "fpr" if tpr is None else "tpr"
    rates = number_array(places[axis])
    # At the far end of the axis the other rate is 1 on any curve.
    inside = rates < 1 if axis == "fpr" else rates > 0
    if rates.ndim != 1 or len(rates) == 0 or not np.all((rates >= 0) & (rates <= 1) & inside):
        of, words = ("[0, 1)", "false positive") if axis == "fpr" else ("(0, 1]", "true positive")
        raise InputError(
            f"`{axis}` must be a number in {of}, or a sequence of them; got {places[axis]!r}."
            f" Pass {words} rates."
        )
    return axis, rates


BOTH_RATES: tuple[ShareName, ShareName] = ("tpr", "tnr")
BOTH_PREDICTIVE_VALUES: tuple[ShareName, ShareName] = ("ppv", "npv")
RATE_RATIOS: dict[str, RatioName] = {"tpr_ratio": "tpr", "fpr_ratio": "fpr"}
# These mean something at the share of positives in the study alone.
OF_STUDY_PREVALENCE = ("accuracy", "f1", "mcc", "kappa")


def default_compared_quantities(tested: HypothesisPlan) -> tuple[str, ...]:
    """Return the quantities of the rows of a pair by default: with a margin, rates alone."""
    if not tested.is_plain:
        return BOTH_RATES
    # Both rates together make a chi-square, which has no side.
    both = ("both_rates",) if tested.alternative == "two-sided" else ()
    return (*BOTH_RATES, *both, *BOTH_PREDICTIVE_VALUES, *(f"{name}_ratio" for name in RATIOS))


def possible_compared_quantities(tested: HypothesisPlan) -> tuple[str, ...]:
    """Return the quantities that can be requested: with a margin, all differences."""
    # A margin of a ratio would be on the scale of ratios.
    more = tuple(RATE_RATIOS) if tested.is_plain else BOTH_PREDICTIVE_VALUES
    return (*default_compared_quantities(tested), *more, *OF_STUDY_PREVALENCE, *SUMS)


def _read_compared_quantities(
    wanted: Any, tested: HypothesisPlan, axis: Axis | None, *, by_counts: bool
) -> tuple[str, ...]:
    """Return the quantities of the rows of a pair, as requested or by default."""

    def without_test(words: tuple[str, ...]) -> tuple[str, ...]:
        # The chi-square of both rates is one of counts.
        return words if by_counts else tuple(word for word in words if word != "both_rates")

    if wanted is None:
        return without_test(default_compared_quantities(tested))
    if axis is not None:
        raise InputError(
            "`quantities` must stay None with `fpr` or `tpr`, because only the other rate is"
            f" compared; got {wanted!r}. Leave `quantities` out."
        )
    possible = without_test(possible_compared_quantities(tested))
    words = [as_known(word, possible) for word in listed(wanted)]
    unknown = [word for word in words if not (isinstance(word, str) and word in possible)]
    if unknown or not words or len(set(words)) < len(words):
        raise InputError(
            f"`quantities` must be some of {', '.join(possible)} for these options, each once; got"
            f" {listed(wanted)!r}. Leave `quantities` out to get the default"
            f" measures.{did_you_mean(unknown[0], possible) if unknown else ''}"
        )
    return tuple(words)


def _read_paired_test_and_interval(
    sample: Sample,
    test: PairedTest | None,
    interval: ComparedInterval | None,
    tested: HypothesisPlan,
    across: str,
    axis: Axis | None,
) -> tuple[PairedTest, PairedInterval]:
    """Return test and interval of counts; raise InputError where there is no choice."""
    test = require_choice("test", test, (None, *PAIRED_TESTS))
    side = "false" if axis == "fpr" else "true"
    at_rate = {
        f"at a {side} positive rate, where the test inverts the limits": axis is not None,
    }
    resampled, weighted = interval == "percentile", sample.sample_weight is not None
    clustered = "when the study has clusters, where the test inverts the limits"
    _require_unset_paired_option(
        "test",
        test,
        {
            **at_rate,
            clustered: sample.cluster is not None,
            "with interval='percentile', where the test inverts the limits": resampled,
            "when the study has weights, which are no counts": weighted,
            # With a margin the score test of Tango is the only one whose null value is not 0.
            f"for the hypothesis {tested.hypothesis!r}, which has one test": not tested.is_plain,
        },
    )
    _require_unset_paired_option(
        "interval",
        interval,
        {**at_rate, clustered: sample.cluster is not None and not resampled},
    )
    if weighted and interval is not None and not resampled:
        raise InputError(
            "`interval` must be 'percentile' when the study has weights, or None for estimates"
            f" alone; got {interval!r}. Pass interval='percentile'."
        )
    if across == "groups" and interval == "tango":
        raise InputError(
            "`interval` must be 'newcombe' when groups are compared, which share no cases; got"
            " 'tango'. Leave `interval` out."
        )
    return test or "mid-p", "tango" if interval is None or interval == "percentile" else interval


def _require_unset_paired_option(
    argument: str, value: str | None, reasons: Mapping[str, bool]
) -> None:
    """Raise InputError for an option that has a value where one of the reasons holds."""
    for why, holds in reasons.items():
        if holds and value is not None:
            raise InputError(
                f"`{argument}` must stay None {why}; got {value!r}. Leave `{argument}` out."
            )


# --- Differences of all pairs ---------------------------------------------------------------------


def _point_differences_at_thresholds(
    pairs: Sequence[PairToCompare],
    thresholds: Mapping[str, float],
    words: Sequence[str],
    test: PairedTest,
    interval: PairedInterval,
    tested: HypothesisPlan,
) -> Iterator[ComparedRow]:
    """Yield the quantities of each pair at the thresholds of its predictors."""
    # Calls are made once for each predictor of a group, however many pairs it is in.
    calls: dict[tuple[int, int], Calls] = {}
    for pair in pairs:
        at = [thresholds[pair.samples[0].predictors[k]] for k in pair.predictors]
        known = _compared_point_columns(pair, tested) | pair.cutoffs(at, given=True)
        if pair.lacks_class:
            results = dict.fromkeys(words, undefined_result("one-class"))
        else:
            both = pair.calls(at, calls)
            results = quantities_of_compared_calls(
                *both, words, test, interval, tested, paired=pair.paired
            )
        codes = _compared_point_notes(pair)
        for quantity, result in results.items():
            yield _quantity_columns(known, quantity), _with_limits_moved_apart(result), codes


def _resampled_point_differences(
    pairs: Sequence[PairToCompare],
    thresholds: Mapping[str, float],
    words: Sequence[str],
    tested: HypothesisPlan,
    draws: ResamplePlan | None,
) -> Iterator[ComparedRow]:
    """Yield the quantities of each pair with limits from resamples; without ``draws``, with none.

    Rules on the same cases share the resamples of their group.
    """
    sides: dict[int, dict[int, CalledSide]] = {}
    for pair in pairs:
        at = [thresholds[pair.samples[0].predictors[k]] for k in pair.predictors]
        known = _compared_point_columns(pair, tested) | pair.cutoffs(at, given=True)
        codes = _compared_point_notes(pair)
        if pair.lacks_class:
            nothing = undefined_result("one-class")
            yield from ((_quantity_columns(known, word), nothing, codes) for word in words)
            continue
        for g, part in zip(pair.groups, pair.samples, strict=True):
            if g not in sides:
                sides[g] = _called_sides_of_group(
                    part, thresholds, words, None if draws is None else draws.at(g)
                )
        known["n_resamples"] = 0 if draws is None else draws.n_resamples
        first, second = (sides[g][k] for g, k in zip(pair.groups, pair.predictors, strict=True))
        for word in words:
            name = word.removesuffix("_ratio")
            compare = called_difference if name == word else called_ratio
            result = compare(name, first, second, tested)
            drawn = (first,) if pair.paired else (first, second)
            redrawn = sum(side.n_redrawn(name) for side in drawn)
            few = any(few_effective_cases(side.sizes) for side in drawn) and draws is not None
            yield (
                _quantity_columns(known, word),
                _with_limits_moved_apart(_noted_of_study_prevalence(word, result)),
                [*codes, *redrawn_notes(redrawn), *(["few-cases"] if few else [])],
            )


def _called_sides_of_group(
    part: Sample,
    thresholds: Mapping[str, float],
    words: Sequence[str],
    draws: ResamplePlan | None,
) -> dict[int, CalledSide]:
    """Return the rules of a group by the position of their predictor."""
    cases = part.cases.pooled()
    places = [part.predictors.index(name) for name in thresholds]
    called = np.array(
        [
            called_positive(
                cases.scores[k], threshold, higher_is_positive=cases.higher_is_positive[k]
            )
            for k, threshold in zip(places, thresholds.values(), strict=True)
        ]
    )
    names = [word.removesuffix("_ratio") for word in words]
    return dict(zip(places, called_sides(cases, called, names, draws), strict=True))


def _quantity_columns(known: Mapping[str, Any], quantity: str) -> dict[str, Any]:
    """Return the columns of a row of one quantity."""
    # Hypotheses are about differences; a ratio without a difference is 1.
    null = {"null_value": 1.0} if quantity.endswith("_ratio") else {}
    return {**known, "quantity": quantity, **null}


def _noted_of_study_prevalence(quantity: str, result: Result) -> Result:
    """Return a result with the note on a quantity at the share of positives in the study."""
    if quantity not in OF_STUDY_PREVALENCE or math.isnan(result.estimate):
        return result
    return result._replace(codes=(*result.codes, "study-prevalence"))


def _point_differences_at_rates(
    pairs: Sequence[PairToCompare],
    axis: Axis,
    rates: FloatArray,
    tested: HypothesisPlan,
    draws: ResamplePlan | None,
) -> Iterator[ComparedRow]:
    """Yield the differences of each pair at given rates of ``axis``: those of the other rate.

    Without ``draws`` there are estimates only, of weighted cases.
    """
    # A specificity at a sensitivity is a sensitivity of the mirrored curve at an FPR.
    of_fpr = axis == "fpr"
    fpr, quantity = (rates, "tpr") if of_fpr else (1 - rates, "tnr")
    resampled: dict[int, RatesAtFpr] = {}
    for pair in pairs:
        known, codes = (
            _compared_point_columns(pair, tested) | {"quantity": quantity},
            _compared_point_notes(pair),
        )
        if pair.lacks_class:
            results = [undefined_result("one-class")] * len(rates)
        elif draws is None:
            results = [
                undefined_result("weights-need-bootstrap", gap)
                for gap in tpr_differences_of_pair(pair, fpr, mirrored=not of_fpr).tolist()
            ]
        else:
            first, second = resampled_tprs_of_pair(pair, fpr, draws, resampled, mirrored=not of_fpr)
            k, versus = pair.predictors
            results = [
                resampled_difference(
                    first.rate(k, at), second.rate(versus, at), tested, paired=pair.paired
                )
                for at in range(len(rates))
            ]
            # Each group once: a paired row has one set of resamples, an unpaired row two.
            redrawn = sum(resampled[g].n_redrawn for g in dict.fromkeys(pair.groups))
            codes += redrawn_notes(redrawn)
            known["n_resamples"] = draws.n_resamples
        for rate, result in zip(rates.tolist(), results, strict=True):
            yield {**known, axis: rate}, _with_limits_moved_apart(result), codes


def _compared_point_columns(pair: PairToCompare, tested: HypothesisPlan) -> dict[str, Any]:
    """Return the columns that all rows of a pair share."""
    return {
        **pair.columns(),
        **pair.directions(),
        **hypothesis_columns(tested),
        "n_resamples": 0,
    }


def _compared_point_notes(pair: PairToCompare) -> list[str]:
    # Few cases are no doubt for tables, which have exact and score methods; few clusters are one
    # for the normal limits of clusters.
    return pair.codes(of_size=["few-clusters"])


def _with_limits_moved_apart(result: Result) -> Result:
    """Return a result whose limits, if one number at levels near 0, are its neighbours."""
    low, high = result.ci_low, result.ci_high
    if low == high:
        # Towards the middle of the range, whose ends limits must not pass.
        low, high = (np.nextafter(low, 0), high) if low > 0 else (low, np.nextafter(high, 1))
    return result._replace(ci_low=float(low), ci_high=float(high))


# --- Comparison of one pair at thresholds ---------------------------------------------------------


def quantities_of_compared_calls(
    first: Calls,
    second: Calls,
    words: Sequence[str],
    test: PairedTest,
    interval: PairedInterval,
    tested: HypothesisPlan,
    *,
    paired: bool,
) -> dict[str, Result]:
    """Return the quantities of two classifiers on the same cases, or of one on two groups."""
    if paired:
        first, second = tabulated_calls(first, second)
    else:
        # Each group by itself: the eight kinds of cases of a pair would need the same cases.
        (first, _), (second, _) = tabulated_calls(first, first), tabulated_calls(second, second)
    pair = _ComparedCalls(first, second, paired, test, interval, tested)
    results = {}
    for word in words:
        results[word] = _noted_of_study_prevalence(word, pair.result(word))
    return results


class _ComparedCalls(NamedTuple):
    """The calls of two classifiers, or of one on two groups, and how they are compared."""

    first: Calls
    second: Calls
    paired: bool
    test: PairedTest
    interval: PairedInterval
    tested: HypothesisPlan

    @property
    def clustered(self) -> bool:
        return self.first.cases.cluster is not None

    @property
    def has_table(self) -> bool:
        """Whether both call the same independent cases, so that a table counts them."""
        return self.paired and not self.clustered

    @property
    def source(self) -> str:
        """Where variances come from, as ``method`` says it."""
        return "cluster-influence" if self.clustered else "influence"

    def result(self, quantity: str) -> Result:
        """Return the comparison of a quantity."""
        calls = self.first, self.second, self.tested, self.source
        results: dict[str, Callable[[], Result]] = {
            **{name: partial(self._rate, name) for name in BOTH_RATES},
            "both_rates": self._both_rates,
            **{name: partial(self._predictive_value, name) for name in BOTH_PREDICTIVE_VALUES},
            **{f"{name}_ratio": partial(self._ratio, name) for name in RATIOS},
            **{word: partial(self._rate_ratio, name) for word, name in RATE_RATIOS.items()},
            "accuracy": self._accuracy,
            "f1": partial(f1_difference, *calls, paired=self.paired),
            "mcc": partial(correlation_difference, "mcc", *calls, paired=self.paired),
            "kappa": partial(correlation_difference, "kappa", *calls, paired=self.paired),
            **{name: partial(self._sum, name) for name in SUMS},
        }
        return results[quantity]()

    def _rate(self, name: ShareName) -> Result:
        if self.has_table:
            return paired_rate_difference(self._table(name), self.test, self.interval, self.tested)
        return self._without_table(self._share_difference(name))

    def _without_table(self, difference: ShareDifference) -> Result:
        """Return a difference of shares of clusters, or of groups."""
        if self.clustered:
            # A table of counts has no clusters: influence values are summed by cluster instead.
            return mover_measure_difference(difference, self.tested, f"{self.source}/wilson-mover")
        return unpaired_share_difference(difference, self.test, self.tested)

    def _share_difference(self, name: ShareName) -> ShareDifference:
        shares = self.first.shares[name], self.second.shares[name]
        return ShareDifference(*shares, self.paired)

    def _table(self, name: str) -> PairedTable:
        """Return the table of right calls of a class; of calls for the false positive rate."""
        positive = self.first.cases.is_positive
        among = positive if name == "tpr" else ~positive
        return paired_table(self.first, self.second, among=among, event=name != "tnr")

    def _both_rates(self) -> Result:
        if self.clustered:
            return chi_square_of_both_shares([self._share_difference(name) for name in BOTH_RATES])
        return chi_square_of_both_rates([self._rate(name) for name in BOTH_RATES])

    def _predictive_value(self, name: ShareName) -> Result:
        difference = self._share_difference(name)
        if not self.has_table:
            return self._without_table(difference)
        if not self.tested.is_plain:  # Kosinski's score is that of equal values
            return mover_measure_difference(difference, self.tested, f"{self.source}/wilson-mover")
        # Kosinski (2013): the denominators of both values are different cases.
        score = kosinski_score_of_calls(self.first, self.second, difference, event=name == "ppv")
        return paired_predictive_value_difference(difference, score, self.tested)

    def _ratio(self, name: RatioName) -> Result:
        # Gu & Pepe (2009), Moskowitz & Pepe (2006): the log of a ratio is nearer to normal.
        shares = self.first.shares, self.second.shares
        found = ratio_of_classifier_shares(name, *shares, paired=self.paired)
        return share_ratio_with_limits(found, self.tested, f"{self.source}/log")

    def _rate_ratio(self, name: RatioName) -> Result:
        if self.clustered:
            return self._ratio(name)
        if self.paired:
            return paired_rate_ratio(self._table(name), self.tested)
        of_tpr = name == "tpr"
        difference = self._share_difference("tpr" if of_tpr else "tnr")
        one, other = (
            (share.count if of_tpr else share.size - share.count, share.size)
            for share in (difference.first, difference.second)
        )
        return unpaired_rate_ratio(one, other, self.tested)

    def _accuracy(self) -> Result:
        if self.has_table:
            tables = [self._table(name) for name in BOTH_RATES]
            right = PairedTable(*(sum(cells) for cells in zip(*tables, strict=True)))
            return paired_rate_difference(right, self.test, self.interval, self.tested)
        first, second = (accuracy_share(one) for one in (self.first, self.second))
        return self._without_table(ShareDifference(first, second, self.paired))

    def _sum(self, name: SumName) -> Result:
        sensitivity, specificity = BOTH_RATES
        rates = self._share_difference(sensitivity), self._share_difference(specificity)
        tables = None
        if self.has_table:
            tables = self._table(sensitivity), self._table(specificity)
        return difference_of_rate_sums(name, rates, tables, self.tested, self.source)
