"""Random classifiers in ROC space, by class sizes alone: their points, and bands of their curves.

The curve of a random scorer without ties depends on the class sizes m and n alone. At k flagged
negatives its true positives are BetaBinomial(m, k + 1, n - k), at k flagged cases hypergeometric.
The simultaneous band has the critical distance of the Kolmogorov statistic max |TPR - FPR|, from
counted lattice paths [hodges-1958].
Derivations: docs/methods/chance.md.
"""

from __future__ import annotations

from math import gcd
from typing import Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval, require_whole
from rocstats.estimate.answers import (
    answer_columns,
    answerable_groups,
    answerable_predictors,
    require_at_most_cases,
)
from rocstats.estimate.band_record import Scope
from rocstats.estimate.resample import RngLike, draw_random_classifiers, resolve_seed
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, IntArray, Limits
from rocstats.frame.make import Labels, make_frame, warn_of_doubts
from rocstats.frame.question import BINNING_ERROR, Question, RoleRefusal, columns_in, counts_only
from rocstats.inference.chance.areas import MOST_SHUFFLED
from rocstats.study.base import print_attrs, question_for, sample_notes, warned_doubts
from rocstats.study.binned import is_binned
from rocstats.study.sample import Sample


def _random_classifier_role_refusals(question: str, shape: str) -> dict[str, RoleRefusal]:
    """Return the refusals of clusters and weights by a question about random classifiers."""
    # The counts of a random scorer are beta-binomial, or hypergeometric, for independent cases.
    return {
        "cluster": RoleRefusal(
            f"not be in a study for {question}",
            f"The {shape} needs independent cases: keep one case of each cluster.",
            "cluster=",
        ),
        "sample_weight": counts_only(question, f"The {shape} needs counts", "sample_weight="),
    }


# --- Points of random classifiers -----------------------------------------------------------------

RANDOM_POINTS = Question(
    "random_points",
    columns_in("predictor group fpr tpr fp tp"),
    ("forman-2002",),
    _random_classifier_role_refusals("random_points", "cloud"),
    binned=True,
)


def random_points(sample: Sample, *, n_points: int = 1000, rng: RngLike = None) -> pd.DataFrame:
    """Return ROC points of simulated random classifiers; a row is one classifier.

    Parameters
    ----------
    n_points : int >= 1, default 1000
        Number of random classifiers in each group.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the random decisions; the frame records a seed that reproduces
        them.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, tpr, fp, tp``; ``predictor`` is "random". A group that
        lacks a class has no rows.

    Raises
    ------
    InputError
        If an argument is invalid, or the study has clusters or weights.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.

    Notes
    -----
    A random classifier calls k of the N cases positive at random, where k is uniform on 0, ..., N.
    If m of the cases are positive, the number of true positives is Hypergeometric(N, m, k). Only
    the numbers of cases matter, not the scores. Set ``n_points`` to the number of classifiers that
    were tried. If the best of these classifiers is inside the cloud of points, it may be no better
    than chance. The points are for display. For a test, use ``versus_random`` with
    ``n_candidates``.

    References
    ----------
    - Forman (2002), random classifiers as the baseline of the best of many [forman-2002]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> points = study.random_points(n_points=40, rng=1)
    >>> bool((points["tpr"] - points["fpr"]).max() < 14 / 20 - 8 / 30)
    True
    """
    advice = "Pass how many random classifiers to draw."
    n_points = require_whole("n_points", n_points, 1, advice)
    RANDOM_POINTS.require_roles(sample)
    seed = resolve_seed(rng)
    codes = ["pooled-folds"] if sample.fold is not None else []
    groups, pieces = [], []
    for g, group, part in answerable_groups(sample, codes):
        require_at_most_cases(
            part.n_pos + part.n_neg, MOST_SHUFFLED, "random guesses", "Pass fewer."
        )
        # A stream for each group: a further group does not change the others.
        fp, tp = draw_random_classifiers(int(part.n_pos), int(part.n_neg), n_points, (seed, g))
        groups.append(group)
        pieces.append(np.stack([fp / part.n_neg, tp / part.n_pos, fp, tp]))
    warn_of_doubts(codes, warned_doubts(sample))
    rows = np.repeat(np.arange(len(groups)), n_points)
    points = np.concatenate([np.empty((4, 0)), *pieces], axis=1)
    columns = {
        "predictor": Labels(["random"], np.zeros(len(rows), dtype=np.intp)),
        **dict(zip(("fpr", "tpr", "fp", "tp"), points, strict=True)),
    }
    if sample.group is not None:
        columns["group"] = Labels(groups, rows)
    if is_binned(sample):  # the class sizes are known
        columns[BINNING_ERROR] = np.zeros(len(rows))
    return make_frame(
        question_for(RANDOM_POINTS, sample),
        columns,
        grouped=sample.group is not None,
        group=sample.group,
        seed=seed,
        shown=print_attrs(sample),
    )


# --- The band of a random scorer ------------------------------------------------------------------

RANDOM_BAND = Question(
    "random_band",
    columns_in(
        "predictor group fpr fpr_low fpr_high tpr tpr_low tpr_high confidence_level scope method"
    ),
    ("hodges-1958", "campbell-1994"),
    _random_classifier_role_refusals("random_band", "band"),
    binned=True,
)
BandAt = Literal["fpr", "flagged"]
# Steps of 0.002, finer than a figure shows; each row of a large study costs a beta-binomial.
_LARGEST_ROWS = 500
# Log factorials up to the number of cases: at 10^7 80 MB, and a second.
_MOST_FACTORIALS = 10_000_000
_BAND_COLUMNS = ("fpr", "fpr_low", "fpr_high", "tpr", "tpr_low", "tpr_high")


def random_band(
    sample: Sample,
    *,
    at: BandAt = "fpr",
    confidence_level: float = 0.95,
    scope: Scope = "pointwise",
) -> pd.DataFrame:
    """Return the band that contains the curve of a random scorer; a row is one FPR.

    Parameters
    ----------
    at : {"fpr", "flagged"}, default "fpr"
        Coordinate at which limits are computed:

        - "fpr": at each false positive rate.
        - "flagged": at each number of cases called positive. Use it for thresholds that flag a
          fixed number of cases, such as the ten highest scores. Pointwise only.
    confidence_level : float in (0, 1), default 0.95
        Probability that the curve of a random scorer is inside the band, at each rate or everywhere
        (see ``scope``).
    scope : {"pointwise", "simultaneous"}, default "pointwise"
        - "pointwise": for one rate chosen beforehand.
        - "simultaneous": for the whole curve, and for a point chosen after seeing the curve.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, fpr_low, fpr_high, tpr, tpr_low, tpr_high,
        confidence_level, scope, method``. With "fpr" there is a row for every number k of negatives
        called positive, from 0 to n_neg. With "flagged" k is the number of all cases called
        positive, from 0 to n_pos + n_neg. If this gives over 501 rows, 501 evenly spaced values of
        k are used. ``tpr`` is on the diagonal, and the band is the same for every predictor. The
        limits of a row are the points (``fpr_low``, ``tpr_high``) and (``fpr_high``, ``tpr_low``).
        With "fpr" all three false positive rates of a row are equal. A group that lacks a class has
        no rows.

    Raises
    ------
    InputError
        If an argument is invalid, or the study has clusters or weights.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.

    Notes
    -----
    Let the study have m positives, n negatives and N = m + n cases.

    Pointwise: for a random scorer without ties, let J be the number of positives above the (k +
    1)-th highest negative. J is BetaBinomial(m, k + 1, n - k). J gives the upper end of the
    vertical step of the curve at k/n. Limits are central quantiles. One point of the curve outside
    this band is weak evidence, because a curve has many points.

    If k of N cases are called positive, the number of true positives of a random scorer is
    Hypergeometric(N, m, k), also with ties. This applies to "flagged". ``fpr`` and ``tpr`` then
    have the expected value k/N. A row describes a segment of the line m TPR + n FPR = k.

    Simultaneous: abs(TPR - FPR) < d at all points. Here d is the critical value of the two-sample
    Kolmogorov-Smirnov statistic, which is the largest absolute Youden index. Up to 10^6 pairs of a
    positive and a negative, the value d is exact (by counting lattice paths). Above this number it
    is asymptotic. A curve that touches the edge of the band differs significantly from chance.
    Limits are cut at 0 and 1. With very few cases no curve can differ significantly from chance.
    The band is then the whole square.

    Bands with "fpr" are for scores without ties. With ties these bands are conservative, and
    ``versus_random(statistic="youden")`` has more power.

    References
    ----------
    - Hodges (1958), lattice paths [hodges-1958]
    - Campbell (1994), bands of this shape [campbell-1994]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> study.random_band()[["fpr", "tpr_low", "tpr_high"]].iloc[[3, 15]]
        fpr  tpr_low  tpr_high
    3   0.1     0.00      0.35
    15  0.5     0.25      0.80
    >>> study.random_band(at="flagged")[["fpr_low", "fpr_high", "tpr_low", "tpr_high"]].iloc[[5]]
        fpr_low  fpr_high  tpr_low  tpr_high
    5  0.033333  0.166667      0.0       0.2
    """
    at = require_choice("at", at, get_args(BandAt))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    scope = require_choice("scope", scope, get_args(Scope))
    if at == "flagged" and scope == "simultaneous":
        raise InputError(
            "`at` must be 'fpr' for the simultaneous band, which is for the whole curve; got"
            " 'flagged'. Leave `at` out, or use scope='pointwise'."
        )
    RANDOM_BAND.require_roles(sample)
    codes = ["pooled-folds"] if sample.fold is not None else []
    names, groups, sizes, methods = [], [], [], []
    pieces: list[FloatArray] = []
    bands: dict[tuple[float, float], tuple[FloatArray, str]] = {}
    for _, group, _, name, part in answerable_predictors(sample, codes):
        # The band depends on class sizes alone: one for all predictors with the same cases.
        size = part.n_pos, part.n_neg
        if size not in bands:
            if scope == "pointwise":
                advice = "Use scope='simultaneous', or pass fewer."
                require_at_most_cases(sum(size), _MOST_FACTORIALS, "limits at each rate", advice)
            bands[size] = _random_band_columns(
                int(part.n_pos), int(part.n_neg), at, confidence_level, scope
            )
        band, method = bands[size]
        names.append(name)
        groups.append(group)
        methods.append(method)
        sizes.append(band.shape[1])
        pieces.append(band)
    warn_of_doubts([*codes, *sample_notes(sample)], warned_doubts(sample))
    rows = np.repeat(np.arange(len(names)), sizes)
    band = np.concatenate([np.empty((len(_BAND_COLUMNS), 0)), *pieces], axis=1)
    columns = {
        "predictor": Labels(names, rows),
        "group": Labels(groups, rows),
        **dict(zip(_BAND_COLUMNS, band, strict=True)),
        "confidence_level": np.full(len(rows), confidence_level),
        "scope": Labels([scope], np.zeros(len(rows), dtype=np.intp)),
        "method": Labels(methods, rows),
    }
    if is_binned(sample):  # the class sizes are known
        columns[BINNING_ERROR] = np.zeros(len(rows))
    return answer_columns(RANDOM_BAND, sample, columns)


# --- Columns of one band --------------------------------------------------------------------------


def _random_band_columns(
    n_pos: int, n_neg: int, at: BandAt, confidence_level: float, scope: Scope
) -> tuple[FloatArray, str]:
    """Return the columns of a band, and the method."""
    if at == "flagged":
        return _random_band_columns_by_flagged(n_pos, n_neg, confidence_level), "hypergeometric"
    fpr = _thinned_case_numbers(n_neg) / n_neg
    if scope == "pointwise":
        low, high = random_tpr_beta_binomial_limits(
            n_pos, n_neg, _thinned_case_numbers(n_neg), confidence_level
        )
        return np.stack([fpr, fpr, fpr, fpr, low, high]), "beta-binomial"
    d = kolmogorov_critical(n_pos, n_neg, 1 - confidence_level)
    exact = n_pos * n_neg <= LARGEST_GRID
    # An infinite d, where no distance is significant, gives 0 and 1.
    low, high = np.maximum(fpr - d, 0.0), np.minimum(fpr + d, 1.0)
    method = f"kolmogorov/{'exact' if exact else 'asymptotic'}"
    return np.stack([fpr, fpr, fpr, fpr, low, high]), method


def _random_band_columns_by_flagged(n_pos: int, n_neg: int, confidence_level: float) -> FloatArray:
    """Return the columns of a band at numbers of cases flagged."""
    flagged = _thinned_case_numbers(n_pos + n_neg)
    low, high = random_tp_hypergeometric_limits(n_pos, n_neg, flagged, confidence_level)
    mean = flagged / (n_pos + n_neg)
    # On a line of k flagged cases more true positives are fewer false positives: ends exchange.
    of_neg = (flagged - high) / n_neg, (flagged - low) / n_neg
    return np.stack([mean, *of_neg, mean, low / n_pos, high / n_pos])


def _thinned_case_numbers(n: int) -> IntArray:
    """Return 0, ..., n, or 501 evenly spaced numbers of them."""
    # Whole numbers times n before the division: exact, and both ends are there.
    if n > _LARGEST_ROWS:
        return np.arange(_LARGEST_ROWS + 1) * n // _LARGEST_ROWS
    return np.arange(n + 1)


# --- Pointwise limits: beta-binomial and hypergeometric -------------------------------------------

# With 10^5 cases log-factorials reach 10^6, so that probabilities are off by up to some 1e-10: a
# level that is reached exactly must not be missed by that.
_LEVEL_ROUNDING = 1e-10
# Standard deviations beyond which there is no mass that matters: a beta-binomial has exponential
# tails where few negatives are flagged, or few are not, and is nearly normal elsewhere; so is a
# hypergeometric.
_SKEWED_SDS, _NORMAL_SDS, _NORMAL_FROM = 40, 9, 400


def random_tpr_beta_binomial_limits(
    n_pos: int, n_neg: int, flagged: IntArray, confidence_level: float
) -> Limits:
    """Return central limits of the TPR of a random scorer where ``flagged`` negatives are called.

    The true positives above the (k + 1)-th highest negative are BetaBinomial(m, k + 1, n - k): the
    upper end of the vertical step at the false positive rate k/n. At k = n the TPR is 1.
    """
    tail = (1 - confidence_level) / 2
    levels = np.array([tail, 1 - tail])
    limits = np.ones((len(flagged), 2))
    log_factorial = sp.gammaln(np.arange(n_pos + n_neg + 1) + 1.0)
    for row, k in enumerate(flagged):
        if k < n_neg:
            limits[row] = (
                _beta_binomial_quantiles(n_pos, n_neg, int(k), levels, log_factorial) / n_pos
            )
    return limits[:, 0], limits[:, 1]


def _beta_binomial_quantiles(
    m: int, n: int, k: int, levels: FloatArray, log_factorial: FloatArray
) -> FloatArray:
    """Return quantiles of T ~ BetaBinomial(m, k + 1, n - k).

    P(T = t) = C(t + k, t) C(m - t + n - k - 1, m - t) / C(m + n, m).
    """
    mean = m * (k + 1) / (n + 1)
    spread = np.sqrt(mean * (n - k) / (n + 1) * (m + n + 1) / (n + 2))
    tp = _true_positives_with_mass(mean, spread, 0, m, min(k, n - k))
    f = log_factorial
    ways = f[tp + k] - f[tp] - f[k] + f[m - tp + n - k - 1] - f[m - tp] - f[n - k - 1]
    return _least_true_positives_at_levels(tp, ways - (f[m + n] - f[m] - f[n]), levels)


def random_tp_hypergeometric_limits(
    n_pos: int, n_neg: int, flagged: IntArray, confidence_level: float
) -> Limits:
    """Return central limits of the true positives among ``flagged`` cases called at random."""
    tail = (1 - confidence_level) / 2
    levels = np.array([tail, 1 - tail])
    log_factorial = sp.gammaln(np.arange(n_pos + n_neg + 1) + 1.0)
    limits = np.array(
        [_hypergeometric_quantiles(n_pos, n_neg, int(k), levels, log_factorial) for k in flagged]
    )
    return limits[:, 0], limits[:, 1]


def _hypergeometric_quantiles(
    m: int, n: int, k: int, levels: FloatArray, log_factorial: FloatArray
) -> FloatArray:
    """Return quantiles of T ~ Hypergeometric(m + n, m, k).

    P(T = t) = C(m, t) C(n, k - t) / C(m + n, k).
    """
    share = k / (m + n)
    spread = np.sqrt(m * share * (1 - share) * n / max(m + n - 1, 1))
    tp = _true_positives_with_mass(m * share, spread, max(0, k - n), min(m, k), min(k, m + n - k))
    f = log_factorial
    of_pos = f[m] - f[tp] - f[m - tp]
    of_neg = f[n] - f[k - tp] - f[n - k + tp]
    return _least_true_positives_at_levels(
        tp, of_pos + of_neg - (f[m + n] - f[k] - f[m + n - k]), levels
    )


def _true_positives_with_mass(
    mean: float, spread: float, least: int, most: int, n_flagged: int
) -> IntArray:
    """Return the numbers of true positives whose probability is not negligible."""
    width = (_SKEWED_SDS if n_flagged < _NORMAL_FROM else _NORMAL_SDS) * spread
    return np.arange(max(least, int(mean - width) - 1), min(most, int(mean + width) + 1) + 1)


def _least_true_positives_at_levels(
    tp: IntArray, log_mass: FloatArray, levels: FloatArray
) -> FloatArray:
    """Return the least numbers at which the distribution function reaches each level."""
    first = np.searchsorted(np.cumsum(np.exp(log_mass)), levels - _LEVEL_ROUNDING)
    return tp[np.minimum(first, len(tp) - 1)].astype(np.float64)


# --- Simultaneous limits: the Kolmogorov statistic ------------------------------------------------

LARGEST_GRID = 1e6
"""Pairs up to which the lattice paths of the Kolmogorov statistic are counted."""


def kolmogorov_critical(n_pos: int, n_neg: int, alpha: float) -> float:
    """Return the least distance d with P(max abs(TPR - FPR) >= d) <= alpha; infinite if none.

    The statistic is a multiple of 1/lcm(m, n). Beyond 10^6 pairs d is asymptotic.
    """
    if n_pos * n_neg > LARGEST_GRID:
        return float(sp.kolmogi(alpha) * np.sqrt(1 / n_pos + 1 / n_neg))
    # Bisection over the multiples: the p value falls with the distance.
    step = gcd(n_pos, n_neg)
    low, high = 0, n_pos * n_neg // step  # P(max >= 0) = 1
    if 1 - share_of_random_curves_inside(n_pos, n_neg, high * step) > alpha + _LEVEL_ROUNDING:
        return float("inf")
    while high - low > 1:
        middle = (low + high) // 2
        p = 1 - share_of_random_curves_inside(n_pos, n_neg, middle * step)
        low, high = (low, middle) if p <= alpha + _LEVEL_ROUNDING else (middle, high)
    return high * step / (n_pos * n_neg)


def share_of_random_curves_inside(n_pos: int, n_neg: int, reach: int) -> float:
    """Return the share of curves on which abs(i n - j m) < reach at all i of m, j of n.

    A curve is a lattice path from (0, 0) to (m, n), each of the C(m + n, m) equally probable under
    chance (Hodges 1958).
    """
    # Lattice paths are counted row by row: cumulative sums of the row before, inside the bounds.
    # Each row is divided by its largest number, as the counts would overflow.
    m, n = sorted((n_pos, n_neg))
    paths = np.zeros(n + 1)
    paths[0] = 1
    log_scale = 0.0
    for i in range(m + 1):
        first = max(0, (i * n - reach) // m + 1)
        last = min(n, -((-i * n - reach) // m) - 1)
        if last < first:
            return 0.0
        inside = np.cumsum(paths[first : last + 1])
        largest = float(inside[-1])
        if largest == 0:
            return 0.0
        paths[:] = 0
        paths[first : last + 1] = inside / largest
        log_scale += np.log(largest)
    log_all = sp.gammaln(m + n + 1) - sp.gammaln(m + 1) - sp.gammaln(n + 1)
    return float(min(1.0, paths[n] * np.exp(log_scale - log_all)))
