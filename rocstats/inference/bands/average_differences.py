"""Mean differences of two ROC curves over folds, with bars.

The vertical averages (algorithm 4 of [fawcett-2004]) are subtracted fold by fold. Their limits are
MOVER from effective bars with the correlation of shared resamples [zou-2008], or t over the folds.
Where all folds have the same difference, t limits would have no width: Newcombe's limits for two
samples replace them [newcombe-1998].
Derivations: docs/methods/averages.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
)
from rocstats.estimate.band_answers import few_clusters_for_band_codes
from rocstats.estimate.band_record import largest_empirical_tpr_at_fpr
from rocstats.estimate.bars import (
    Bars,
    binomial_bars,
    binomial_size_of_mean_rate,
    effective_size_bars,
    rates_snapped_to_0_and_1,
)
from rocstats.estimate.claim import index_pairs
from rocstats.estimate.compare import ComparedRow
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    plan_draws,
    redrawn_notes,
)
from rocstats.estimate.resample_curves import AveragedCurveSpread, averaged_curve_covariance
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.facts.tolerances import FEW_CASES_AT_RATE, NO_SPREAD
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.bands.average_limits import (
    average_bars_called,
    require_bars,
    require_test_sets,
)
from rocstats.inference.bands.bands import require_two_predictors
from rocstats.study.base import sample_notes
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_numbers, clusters_span_folds
from rocstats.study.points import read_common_rates, require_samples
from rocstats.study.sample import Sample, require_fold_classes

# --- Differences of averages over folds -----------------------------------------------------------

ROC_AVERAGE_DIFFERENCE = Question(
    "roc_average_difference",
    estimate_columns(
        f"predictor reference group kind quantity fpr {ESTIMATE} n_pos n_neg "
        "n_curves n_resamples method note"
    ),
    ("fawcett-2004", "zou-2008", "newcombe-1998", "nadeau-2003"),
)
DifferenceBarKind = Literal["effective", "t"]


def roc_average_difference(
    sample: Sample,
    *,
    bars: DifferenceBarKind = "effective",
    reference: str | None = None,
    at: float | Sequence[float] | None = None,
    n_samples: int = 11,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return differences of vertically averaged ROC curves; a row is one pair at one FPR.

    Parameters
    ----------
    bars : {"effective", "t"}, default "effective"
        Method of the limits.

        - "effective": combines the effective bars of both averages, using their correlation over
          shared resamples. These limits describe the fitted models on new cases.
        - "t": uses the standard deviation of the differences over the folds. These limits include
          part of the variation between training sets.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    at : float or sequence of float, optional
        False positive rates in [0, 1]. By default ``n_samples`` rates are used.
    n_samples : int >= 2, default 11
        Number of rates, evenly spaced from 0 to 1; ignored with ``at``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval at one rate.
    n_resamples : int >= 100, default 2000
        Number of resamples of effective bars.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], kind, quantity, fpr, estimate, ci_low, ci_high, se,
        n_pos, n_neg, confidence_level, n_curves, n_resamples, method, note``. ``quantity`` is
        "tpr_difference": the mean true positive rate of the predictor minus the mean rate of the
        reference.

    Raises
    ------
    InputError
        If the study has no folds or fewer than two predictors; if a fold lacks a class; if an
        argument is invalid; or if ``bars`` is "t" and a cluster has cases in several folds.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``, for example ``few-negatives-per-curve`` (a
        curve has under 50 negatives).

    Notes
    -----
    Let R_1i(t) and R_2i(t) be the curves of both predictors in fold i, at the false positive rate
    t. D(t) is the mean of R_1i(t) - R_2i(t) over K folds. Both predictors have the same cases.

    "effective": let p1 and p2 be the averages of both predictors, with effective limits (l1, u1)
    and (l2, u2) (see ``roc_average``). Let phi be the correlation of both averages over shared
    resamples. The lower limit is D - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2) + (u2 - p2)^2).
    The upper limit uses u1 instead of l1, and l2 instead of u2. If the resampled difference does
    not vary, the value 0 replaces phi (note ``no-paired-spread``). Cases are resampled within each
    class and fold, or as whole clusters.

    "t": limits are D -+ t_{K-1} s/sqrt(K). Here s is the standard deviation of the K differences,
    and t_{K-1} is the quantile of t with K - 1 degrees of freedom. If all folds have the same
    difference, Newcombe's limits for unpaired proportions are used. They are computed from the
    Wilson limits of both averages.

    The limits are valid at one rate chosen beforehand, not at all rates together. They describe the
    fitted models on new cases. Only "t" includes variation between training sets. "t"
    underestimates this variation, since folds of a cross-validation share training cases. Curves
    are not compared at equal thresholds, since predictors have different scales.

    References
    ----------
    - Fawcett (2004), section 6 [fawcett-2004]
    - Zou & Donner (2008), limits of a difference from the limits of its parts [zou-2008]
    - Newcombe (1998), limits of a difference from the limits of its parts [newcombe-1998]
    - Nadeau & Bengio (2003), variance over folds [nadeau-2003]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(1)
    >>> y = np.tile([1, 0], 250)
    >>> scores = {"net": y + rng.normal(size=500), "svm": rng.normal(size=500)}
    >>> study = rs.Study(y, scores, fold=np.repeat(range(5), 100))
    >>> frame = study.roc_average_difference(at=[0.5], rng=1)
    >>> bool(frame["ci_low"].iloc[0] > 0)
    True
    """
    ROC_AVERAGE_DIFFERENCE.refuse_covariates(sample)
    bars = require_choice("bars", bars, get_args(DifferenceBarKind))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    count = require_samples(n_samples)
    fpr = np.arange(count) / (count - 1) if at is None else read_common_rates(at)
    draws = plan_draws(n_resamples, rng, progress)
    require_test_sets(sample)
    require_two_predictors(sample)
    if clusters_span_folds(sample.cases):
        require_bars(bars, "spanning clusters")
    pairs = index_pairs(sample.predictors, reference)
    differences = _difference_rows(sample, pairs, bars, fpr, confidence_level, draws)
    rows = [answer_row_of_result(ROC_AVERAGE_DIFFERENCE, *each) for each in differences]
    resampling = average_bars_called(bars).resamples
    return answer_rows(ROC_AVERAGE_DIFFERENCE, sample, rows, draws if resampling else None)


def _difference_rows(
    sample: Sample,
    pairs: Sequence[tuple[int, int]],
    kind: DifferenceBarKind,
    fpr: FloatArray,
    level: float,
    draws: ResamplePlan,
) -> Iterator[ComparedRow]:
    """Yield the mean difference of each pair at each rate, in each group."""
    for g, (group, part) in enumerate(sample.by_group()):
        curves, spread = None, None
        if not lacks_class(part):
            require_fold_classes(part)
            curves = _fold_tprs(part.cases, fpr)
            # All predictors in one set of resamples, once for a group: every pair takes its
            # correlation from the same matrix. Under weights a spread over curves is the only one
            # that is valid.
            if kind == "effective" and part.sample_weight is None:
                with enough_valid_resamples():
                    predictors = range(len(part.predictors))
                    spread = averaged_curve_covariance(part.cases, predictors, fpr, draws.at(g))
        for pair in pairs:
            results = [undefined_result("one-class")] * len(fpr)
            if curves is not None:
                results = _mean_differences(part.cases, pair, curves, spread, kind, level)
            for rate, result in zip(fpr.tolist(), results, strict=True):
                n_resamples = 0
                if spread is not None and result.method != "none/none":
                    n_resamples = spread.n_resamples
                columns = {
                    "group": group,
                    "predictor": part.predictors[pair[0]],
                    "reference": part.predictors[pair[1]],
                    "kind": "vertical",
                    "quantity": "tpr",
                    "fpr": rate,
                    "confidence_level": level,
                    **class_size_columns(part),
                    "n_curves": len(part.cases.by_fold()),
                    "n_resamples": n_resamples,
                }
                yield columns, result, sample_notes(part)


# --- The mean difference of two predictors over the folds -----------------------------------------


def _fold_tprs(cases: ScoredCases, fpr: FloatArray) -> FloatArray:
    """Return the TPRs of every predictor (first axis) on every fold at every rate."""
    folds = [part for _, part in cases.by_fold()]
    # Fawcett (2004), algorithm 4, before the mean: its differences are taken fold by fold.
    return np.array(
        [
            [largest_empirical_tpr_at_fpr(part, k, fpr) for part in folds]
            for k in range(cases.n_predictors)
        ]
    )


def _mean_differences(
    cases: ScoredCases,
    pair: tuple[int, int],
    curves: FloatArray,
    spread: AveragedCurveSpread | None,
    kind: DifferenceBarKind,
    level: float,
) -> list[Result]:
    """Return the mean difference of two predictors at every rate, with limits."""
    differences = curves[pair[0]] - curves[pair[1]]
    # Reading the top of a step biases each curve upwards, by up to its slope over n: the mean over
    # folds keeps that bias, so that the smallest fold decides.
    few = min(part.n_neg for _, part in cases.by_fold()) < FEW_CASES_AT_RATE
    notes = [*(["few-negatives-per-curve"] if few else []), *few_clusters_for_band_codes(cases)]
    no_limits_because = ""
    # Equal curves are not enough: different rankings may agree at every one of a few places.
    if not differences.any() and _rank_folds_alike(cases, pair):
        no_limits_because = "identical-predictors"
    elif kind == "t" and len(differences) == 1:
        no_limits_because = "single-curve"
    elif kind == "effective" and spread is None:
        no_limits_because = "weights-need-bootstrap"
    estimate = differences.mean(axis=0)
    if no_limits_because:
        return [Result(value, codes=(no_limits_because, *notes)) for value in estimate.tolist()]
    method = unpaired_method = "resamples/mover-wilson"
    if spread is None:
        bars = _fold_difference_bars(cases, pair, curves, level)
        method, unpaired_method = "curves/t", "curves/newcombe-hybrid"
    else:
        bars = _resampled_difference_bars(cases, pair, curves, spread, level)
        notes = [*redrawn_notes(spread.n_redrawn), *notes]
    columns = (estimate, bars.se, bars.low, bars.high)
    results = [
        Result(value, se, low, high, method=method, codes=tuple(notes))
        for value, se, low, high in zip(*(column.tolist() for column in columns), strict=True)
    ]
    for i in np.flatnonzero(bars.unpaired).tolist():
        unpaired = ("no-paired-spread", *notes)
        results[i] = results[i]._replace(method=unpaired_method, codes=unpaired)
    return results


def _rank_folds_alike(cases: ScoredCases, pair: tuple[int, int]) -> bool:
    """Return whether two predictors rank the cases of every fold alike."""
    i, j = pair
    return all(
        np.array_equal(_ranks_within_folds(part, i), _ranks_within_folds(part, j))
        for _, part in cases.by_fold()
    )


def _ranks_within_folds(cases: ScoredCases, k: int) -> IntArray:
    """Return the rank of each case of a fold, equal for equal scores."""
    # Codes number the scores of the whole study: within a fold only their order counts.
    return np.unique(cases.codes(k), return_inverse=True)[1]


def _fold_difference_bars(
    cases: ScoredCases, pair: tuple[int, int], curves: FloatArray, level: float
) -> DifferenceBars:
    """Return t limits; Newcombe's for two samples where all folds have the same difference."""
    bars = paired_t_bars(curves[pair[0]] - curves[pair[1]], level)
    if not bars.unpaired.any() or cases.sample_weight is not None:
        return bars
    # t limits of no width would claim that the difference is known. Newcombe (1998), method 10 for
    # independent samples, ignores the pairing, which usually widens the limits.
    rates = _mean_tprs_over_folds(curves, pair)
    size = _positives_behind_mean_tpr(cases, np.zeros(rates.shape, dtype=bool))
    first, second = (binomial_bars(rates[i], size[i], "wilson", level) for i in (0, 1))
    apart = mover_bars_of_mean_differences(
        rates, (first, second), np.zeros(rates.shape[1]), np.zeros(rates.shape)
    )
    return bars._replace(
        low=np.where(bars.unpaired, apart.low, bars.low),
        high=np.where(bars.unpaired, apart.high, bars.high),
    )


def _resampled_difference_bars(
    cases: ScoredCases,
    pair: tuple[int, int],
    curves: FloatArray,
    spread: AveragedCurveSpread,
    level: float,
) -> DifferenceBars:
    """Return MOVER limits from the effective bars of both averages and their correlation."""
    variances = np.stack([spread.covariance[:, k, k] for k in pair])
    rates, size = (
        _mean_tprs_over_folds(curves, pair),
        _positives_behind_mean_tpr(cases, variances > NO_SPREAD),
    )
    first, second = (effective_size_bars(rates[i], size[i], variances[i], level) for i in (0, 1))
    # Zou & Donner (2008), with the correlation that the shared resamples give.
    return mover_bars_of_mean_differences(
        rates, (first, second), spread.covariance[:, pair[0], pair[1]], variances
    )


def _mean_tprs_over_folds(curves: FloatArray, pair: tuple[int, int]) -> FloatArray:
    """Return the mean TPR of both predictors over the folds, at each rate."""
    return np.stack([rates_snapped_to_0_and_1(curves[k].mean(axis=0)) for k in pair])


def _positives_behind_mean_tpr(cases: ScoredCases, varies: BoolArray) -> FloatArray:
    """Return the number of positives of a mean rate; of a cluster one where nothing varies."""
    # A mean of K shares has the variance of a share of K^2 / sum(1/P_i) positives.
    size = binomial_size_of_mean_rate([part.n_pos for _, part in cases.by_fold()])
    # Where nothing varies, no variance ratio says what a cluster is worth: it counts as one case.
    if cases.cluster is None:
        return np.full(varies.shape, size)
    return np.where(varies, size, min(float(cluster_numbers(cases)[0]), size))


# --- Limits of differences of rates: t over pairs of curves, and MOVER ----------------------------


class DifferenceBars(NamedTuple):
    """Limits and standard errors of differences; ``unpaired`` marks places without pairing."""

    low: FloatArray
    high: FloatArray
    se: FloatArray
    unpaired: BoolArray


def paired_t_bars(differences: FloatArray, confidence_level: float) -> DifferenceBars:
    """Return t limits within [-1, 1] of mean differences over K pairs of curves (rows).

    NaN where the differences do not vary.
    """
    n_curves, n_places = differences.shape
    if n_curves == 1:
        nothing = np.full(n_places, np.nan)
        return DifferenceBars(nothing, nothing, nothing, np.zeros(n_places, dtype=bool))
    mean = differences.mean(axis=0)
    se = differences.std(axis=0, ddof=1) / np.sqrt(n_curves)
    # The differences of K pairs are K independent values, whatever the pairing inside each.
    reach = t_quantile((1 + confidence_level) / 2, n_curves - 1) * se
    still = se <= NO_SPREAD
    low, high = np.maximum(mean - reach, -1.0), np.minimum(mean + reach, 1.0)
    return DifferenceBars(np.where(still, np.nan, low), np.where(still, np.nan, high), se, still)


def mover_bars_of_mean_differences(
    rates: FloatArray, bars: tuple[Bars, Bars], covariance: FloatArray, variances: FloatArray
) -> DifferenceBars:
    """Return limits of rates[0] - rates[1] from the bars of both and their correlation.

    With phi the correlation of resamples the lower limit is
    D - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2) + (u2 - p2)^2), the upper limit likewise
    (Newcombe 1998, method 10; Zou & Donner 2008). Where that has no width phi is 0.
    """
    first, second = bars
    spread = np.sqrt(variances[0] * variances[1])
    phi = np.divide(covariance, spread, out=np.zeros(len(covariance)), where=spread > NO_SPREAD)
    # Covariance and variances are those of resamples: rounding can take |phi| past 1.
    phi = np.clip(phi, -1.0, 1.0)
    se2 = np.maximum(variances[0] + variances[1] - 2 * covariance, 0.0)

    def limits(phi: FloatArray) -> Limits:
        down1, up1 = rates[0] - first.low, first.high - rates[0]
        down2, up2 = rates[1] - second.low, second.high - rates[1]
        below = np.sqrt(np.maximum(down1**2 - 2 * phi * down1 * up2 + up2**2, 0.0))
        above = np.sqrt(np.maximum(up1**2 - 2 * phi * up1 * down2 + down2**2, 0.0))
        value = rates[0] - rates[1]
        return np.maximum(value - below, -1.0), np.minimum(value + above, 1.0)

    # Curves that move together in every resample would leave limits without width.
    unpaired = se2 <= NO_SPREAD
    low, high = limits(np.where(unpaired, 0.0, phi))
    return DifferenceBars(low, high, np.sqrt(se2), unpaired)
