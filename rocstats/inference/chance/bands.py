"""Where random scorers lie: bands around the diagonal, and random classifiers themselves."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames import Labels, make_frame, warn_of
from rocstats.inference.estimates.randomness import RngLike, resolve_seed
from rocstats.inference.estimates.undefined import answerable_groups
from rocstats.questions import Question, Refusal, columns_in, counts_only
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.sample import Sample
from rocstats.stats.chance.random_curves import (
    LARGEST_GRID,
    beta_binomial_limits,
    hypergeometric_limits,
    kolmogorov_critical,
)
from rocstats.stats.resampling.guesses import draw_guesses

RANDOM_BAND = Question(
    "random_band",
    columns_in(
        "predictor group fpr fpr_low fpr_high tpr tpr_low tpr_high confidence_level scope method"
    ),
    (
        "hodges-1958",
        "campbell-1994",
    ),
    {
        "cluster": Refusal(
            "not be given to a study that is asked for random_band",
            "The band needs independent cases: keep one case of each cluster.",
            "cluster=",
        ),
        "sample_weight": counts_only("random_band", "The band needs counts", "sample_weight="),
    },
)

RANDOM_POINTS = Question(
    "random_points",
    columns_in("predictor group fpr tpr fp tp"),
    ("forman-2002",),
    {
        "cluster": Refusal(
            "not be given to a study that is asked for random_points",
            "The cloud needs independent cases: keep one case of each cluster.",
            "cluster=",
        ),
        "sample_weight": counts_only("random_points", "The cloud needs counts", "sample_weight="),
    },
)
Scope = Literal["pointwise", "simultaneous"]
Reading = Literal["fpr", "flagged"]
_LARGEST_ROWS = 500
_LIMITS = ("fpr", "fpr_low", "fpr_high", "tpr", "tpr_low", "tpr_high")


def random_band(
    sample: Sample,
    *,
    at: Reading = "fpr",
    confidence_level: float = 0.95,
    scope: Scope = "pointwise",
) -> pd.DataFrame:
    """Return the band that holds the curve of a random scorer; a row is one false positive rate.

    Parameters
    ----------
    at : {"fpr", "flagged"}, default "fpr"
        Where a curve is read: at each false positive rate, or at each number of cases called
        positive (flagged), for a threshold that flags a number fixed beforehand, such as the top
        ten. Then a row is one such number. The simultaneous band is read at rates only.
    confidence_level : float in (0, 1), default 0.95
        Probability that a random scorer stays inside: at each rate, or everywhere.
    scope : {"pointwise", "simultaneous"}, default "pointwise"
        "pointwise" is for a rate chosen beforehand; "simultaneous" for the whole curve, and for a
        point picked from it.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, fpr_low, fpr_high, tpr, tpr_low, tpr_high,
        confidence_level, scope, method``: a row for every number k of negatives called positive,
        k = 0, ..., n_neg, or of cases, k = 0, ..., n_pos + n_neg (501 evenly spaced ones if there
        are more). ``tpr`` is the diagonal, and the band is the same for every predictor. The ends
        of a row are (``fpr_low``, ``tpr_high``) and (``fpr_high``, ``tpr_low``); at a false
        positive rate all three rates are the same. A group that lacks a class has no rows.

    Raises
    ------
    InputError
        If an argument is not possible, or the study has clusters or weights.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``) or a group lacks a class (``one-class``).

    Notes
    -----
    Pointwise: of a random scorer without ties the true positives above the (k + 1)-th highest
    negative, which is the upper end of the curve's vertical step at k/n, are
    BetaBinomial(m, k + 1, n - k); limits are its central quantiles. That some point of a curve
    leaves this band means little: over a curve many chances add up.

    Where k of N cases are flagged, ties or not, the true positives of a random scorer are
    Hypergeometric(N, m, k); ``fpr`` and ``tpr`` are k/N, their means. A row is a part of the line
    m TPR + n FPR = k.

    Simultaneous: abs(TPR - FPR) < d at all points, d the critical value of the two-sample
    Kolmogorov-Smirnov statistic, which is the largest Youden index in size. Exact up to 10^6 pairs
    by counting lattice paths, else asymptotic. A curve that touches the band's edge is beyond
    chance. Limits are cut at 0 and 1; a sample so small that no curve is beyond chance has the
    whole square.

    Bands at rates are for scores without ties and conservative with them, where ``versus_random``
    with ``statistic="youden"`` is the sharper test.

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
    require_choice("at", at, ("fpr", "flagged"))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    require_choice("scope", scope, ("pointwise", "simultaneous"))
    if at == "flagged" and scope == "simultaneous":
        raise InputError(
            "`at` must be 'fpr' for the simultaneous band, which is one of the whole curve; got"
            " 'flagged'. Leave `at` out, or use scope='pointwise'."
        )
    RANDOM_BAND.require_roles(sample)
    codes = ["pooled-folds"] if sample.fold is not None else []
    names, groups, sizes, methods = [], [], [], []
    pieces: list[FloatArray] = []
    for _, group, part in answerable_groups(sample, codes):
        sizes_of_classes = int(part.n_pos), int(part.n_neg)
        if at == "flagged":
            band, method = _band_of_flagged(*sizes_of_classes, confidence_level), "hypergeometric"
        else:
            band, method = _band(*sizes_of_classes, confidence_level, scope)
        for name in sample.predictors:
            names.append(name)
            groups.append(group)
            methods.append(method)
            sizes.append(band.shape[1])
            pieces.append(band)
    warn_of(codes)
    rows = np.repeat(np.arange(len(names)), sizes)
    band = np.concatenate([np.empty((len(_LIMITS), 0)), *pieces], axis=1)
    columns = {
        "predictor": Labels(names, rows),
        **dict(zip(_LIMITS, band, strict=True)),
        "confidence_level": np.full(len(rows), confidence_level),
        "scope": Labels([scope], np.zeros(len(rows), dtype=np.intp)),
        "method": Labels(methods, rows),
    }
    if sample.group is not None:
        columns["group"] = Labels(groups, rows)
    return make_frame(RANDOM_BAND, columns, grouped=sample.group is not None)


def random_points(sample: Sample, *, n_points: int = 1000, rng: RngLike = None) -> pd.DataFrame:
    """Return classifiers that guess, in ROC space; a row is one random classifier.

    Parameters
    ----------
    n_points : int >= 1, default 1000
        How many random classifiers (of each group).
    rng : int, SeedSequence, Generator or None
        Source of the guesses; the frame records one integer that repeats them.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, tpr, fp, tp``; ``predictor`` is "random". A group that
        lacks a class has no rows.

    Raises
    ------
    InputError
        If an argument is not possible, or the study has clusters or weights.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``) or a group lacks a class (``one-class``).

    Notes
    -----
    A random classifier calls k cases positive, k uniform on 0, ..., N, whichever they are: the
    true positives are Hypergeometric(N, m, k). Only the numbers of cases matter, not the scores.
    Where the best of a study's classifiers lies within the cloud of as many random ones as were
    tried, it has shown nothing. The cloud is for the eye: ``versus_random`` with ``n_candidates``
    is the test.

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
    n_points = _require_points(n_points)
    RANDOM_POINTS.require_roles(sample)
    seed = resolve_seed(rng)
    codes = ["pooled-folds"] if sample.fold is not None else []
    groups, pieces = [], []
    for g, group, part in answerable_groups(sample, codes):
        fp, tp = draw_guesses(int(part.n_pos), int(part.n_neg), n_points, (seed, g))
        groups.append(group)
        pieces.append(np.stack([fp / part.n_neg, tp / part.n_pos, fp, tp]))
    warn_of(codes)
    rows = np.repeat(np.arange(len(groups)), n_points)
    points = np.concatenate([np.empty((4, 0)), *pieces], axis=1)
    columns = {
        "predictor": Labels(["random"], np.zeros(len(rows), dtype=np.intp)),
        **dict(zip(("fpr", "tpr", "fp", "tp"), points, strict=True)),
    }
    if sample.group is not None:
        columns["group"] = Labels(groups, rows)
    return make_frame(
        RANDOM_POINTS,
        columns,
        grouped=sample.group is not None,
        seed=seed,
    )


def _require_points(n_points: Any) -> int:
    whole = isinstance(n_points, (int, np.integer)) and not isinstance(n_points, bool)
    if not whole or n_points < 1:
        raise InputError(
            f"`n_points` must be a whole number >= 1; got {n_points!r}."
            " Pass how many random classifiers to draw."
        )
    return int(n_points)


def _band(n_pos: int, n_neg: int, confidence_level: float, scope: Scope) -> tuple[FloatArray, str]:
    """Return the columns of a band at false positive rates, and the method."""
    fpr = _thinned(n_neg) / n_neg
    if scope == "pointwise":
        low, high = beta_binomial_limits(n_pos, n_neg, _thinned(n_neg), confidence_level)
        return np.stack([fpr, fpr, fpr, fpr, low, high]), "beta-binomial"
    d = kolmogorov_critical(n_pos, n_neg, 1 - confidence_level)
    exact = n_pos * n_neg <= LARGEST_GRID
    low, high = np.maximum(fpr - d, 0.0), np.minimum(fpr + d, 1.0)
    method = f"kolmogorov/{'exact' if exact else 'asymptotic'}"
    return np.stack([fpr, fpr, fpr, fpr, low, high]), method


def _band_of_flagged(n_pos: int, n_neg: int, confidence_level: float) -> FloatArray:
    """Return the columns of a band at numbers of cases flagged."""
    flagged = _thinned(n_pos + n_neg)
    low, high = hypergeometric_limits(n_pos, n_neg, flagged, confidence_level)
    mean = flagged / (n_pos + n_neg)
    of_neg = (flagged - high) / n_neg, (flagged - low) / n_neg
    return np.stack([mean, *of_neg, mean, low / n_pos, high / n_pos])


def _thinned(n: int) -> IntArray:
    """Return 0, ..., n, or evenly spaced ones of them."""
    if n > _LARGEST_ROWS:
        return np.arange(_LARGEST_ROWS + 1) * n // _LARGEST_ROWS
    return np.arange(n + 1)
