"""Bands around the diagonal that contain the curve of a random scorer."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames.making import Labels, warn_of
from rocstats.frames.questions import (
    BINNING_ERROR,
    Question,
    Refusal,
    columns_in,
    counts_only,
)
from rocstats.inference.estimates.answers import answer_columns
from rocstats.inference.estimates.limits_of_size import require_at_most
from rocstats.inference.estimates.undefined import answerable_predictors
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.base import row_codes, said_of
from rocstats.sample.binned import is_binned
from rocstats.sample.sample import Sample
from rocstats.stats.chance import random_curves

RANDOM_BAND = Question(
    "random_band",
    columns_in(
        "predictor group fpr fpr_low fpr_high tpr tpr_low tpr_high confidence_level scope method"
    ),
    ("hodges-1958", "campbell-1994"),
    {
        # The counts of a random scorer are beta-binomial, or hypergeometric, for independent cases.
        "cluster": Refusal(
            "not be given to a study that is asked for random_band",
            "The band needs independent cases: keep one case of each cluster.",
            "cluster=",
        ),
        "sample_weight": counts_only("random_band", "The band needs counts", "sample_weight="),
    },
    binned=True,
)

Scope = Literal["pointwise", "simultaneous"]
Reading = Literal["fpr", "flagged"]
# Steps of 0.002, finer than a figure shows; each row of a large study costs a beta-binomial.
_LARGEST_ROWS = 500
# Log factorials up to the number of cases: at 10^7 80 MB, and a second.
_MOST_CASES = 10_000_000
_WIDER = "Use scope='simultaneous', or pass fewer."
_LIMITS = ("fpr", "fpr_low", "fpr_high", "tpr", "tpr_low", "tpr_high")


def random_band(
    sample: Sample,
    *,
    at: Reading = "fpr",
    confidence_level: float = 0.95,
    scope: Scope = "pointwise",
) -> pd.DataFrame:
    """Return the band that contains the curve of a random scorer; a row is one FPR.

    Parameters
    ----------
    at : {"fpr", "flagged"}, default "fpr"
        Where the curve is read:

        - "fpr": at each false positive rate.
        - "flagged": at each number of cases called positive, for a threshold that flags a fixed
          number, such as the top ten. A row is then one number. Pointwise only.
    confidence_level : float in (0, 1), default 0.95
        Probability that a random scorer stays inside: at each rate, or everywhere.
    scope : {"pointwise", "simultaneous"}, default "pointwise"
        - "pointwise": for a rate chosen beforehand.
        - "simultaneous": for the whole curve, and for a point chosen from it.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, fpr_low, fpr_high, tpr, tpr_low, tpr_high,
        confidence_level, scope, method``: a row for every number k of negatives called positive,
        k = 0, ..., n_neg, or of cases, k = 0, ..., n_pos + n_neg (501 evenly spaced numbers if
        there are more). ``tpr`` is the diagonal, and the band is the same for every predictor. The
        ends of a row are (``fpr_low``, ``tpr_high``) and (``fpr_high``, ``tpr_low``); at a false
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
    BetaBinomial(m, k + 1, n - k); limits are its central quantiles. A single point of a curve
    outside this band means little, because a curve has many points.

    Where k of N cases are flagged, ties or not, the true positives of a random scorer are
    Hypergeometric(N, m, k); ``fpr`` and ``tpr`` are k/N, their means. A row is a part of the line
    m TPR + n FPR = k.

    Simultaneous: abs(TPR - FPR) < d at all points, d the critical value of the two-sample
    Kolmogorov-Smirnov statistic, which is the largest Youden index in size. Exact up to 10^6 pairs
    by counting lattice paths, else asymptotic. A curve that touches the band's edge differs from
    chance. Limits are cut at 0 and 1; where no curve of so few cases can differ from chance, the
    band is the whole square.

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
    at = require_choice("at", at, ("fpr", "flagged"))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    scope = require_choice("scope", scope, ("pointwise", "simultaneous"))
    if at == "flagged" and scope == "simultaneous":
        raise InputError(
            "`at` must be 'fpr' for the simultaneous band, which is one of the whole curve; got"
            " 'flagged'. Leave `at` out, or use scope='pointwise'."
        )
    RANDOM_BAND.require_roles(sample)
    codes = ["pooled-folds"] if sample.fold is not None else []
    names, groups, sizes, methods = [], [], [], []
    pieces: list[FloatArray] = []
    made: dict[tuple[float, float], tuple[FloatArray, str]] = {}
    for _, group, _, name, own in answerable_predictors(sample, codes):
        # The band depends on class sizes alone: one for all predictors with the same cases.
        size = own.n_pos, own.n_neg
        if size not in made:
            if scope == "pointwise":
                require_at_most(sum(size), _MOST_CASES, "limits at each rate", _WIDER)
            made[size] = _band(int(own.n_pos), int(own.n_neg), at, confidence_level, scope)
        band, method = made[size]
        names.append(name)
        groups.append(group)
        methods.append(method)
        sizes.append(band.shape[1])
        pieces.append(band)
    warn_of([*codes, *row_codes(sample)], said_of(sample))
    rows = np.repeat(np.arange(len(names)), sizes)
    band = np.concatenate([np.empty((len(_LIMITS), 0)), *pieces], axis=1)
    columns = {
        "predictor": Labels(names, rows),
        "group": Labels(groups, rows),
        **dict(zip(_LIMITS, band, strict=True)),
        "confidence_level": np.full(len(rows), confidence_level),
        "scope": Labels([scope], np.zeros(len(rows), dtype=np.intp)),
        "method": Labels(methods, rows),
    }
    if is_binned(sample):  # the class sizes are known
        columns[BINNING_ERROR] = np.zeros(len(rows))
    return answer_columns(RANDOM_BAND, sample, columns)


def _band(
    n_pos: int, n_neg: int, at: Reading, confidence_level: float, scope: Scope
) -> tuple[FloatArray, str]:
    """Return the columns of a band, and the method."""
    if at == "flagged":
        return _band_of_flagged(n_pos, n_neg, confidence_level), "hypergeometric"
    fpr = _thinned(n_neg) / n_neg
    if scope == "pointwise":
        low, high = random_curves.beta_binomial_limits(
            n_pos, n_neg, _thinned(n_neg), confidence_level
        )
        return np.stack([fpr, fpr, fpr, fpr, low, high]), "beta-binomial"
    d = random_curves.kolmogorov_critical(n_pos, n_neg, 1 - confidence_level)
    exact = n_pos * n_neg <= random_curves.LARGEST_GRID
    # An infinite d, where no distance is significant, gives 0 and 1.
    low, high = np.maximum(fpr - d, 0.0), np.minimum(fpr + d, 1.0)
    method = f"kolmogorov/{'exact' if exact else 'asymptotic'}"
    return np.stack([fpr, fpr, fpr, fpr, low, high]), method


def _band_of_flagged(n_pos: int, n_neg: int, confidence_level: float) -> FloatArray:
    """Return the columns of a band at numbers of cases flagged."""
    flagged = _thinned(n_pos + n_neg)
    low, high = random_curves.hypergeometric_limits(n_pos, n_neg, flagged, confidence_level)
    mean = flagged / (n_pos + n_neg)
    # On a line of k flagged cases more true positives are fewer false positives: ends exchange.
    of_neg = (flagged - high) / n_neg, (flagged - low) / n_neg
    return np.stack([mean, *of_neg, mean, low / n_pos, high / n_pos])


def _thinned(n: int) -> IntArray:
    """Return 0, ..., n, or 501 evenly spaced numbers of them."""
    # Whole numbers times n before the division: exact, and both ends are there.
    if n > _LARGEST_ROWS:
        return np.arange(_LARGEST_ROWS + 1) * n // _LARGEST_ROWS
    return np.arange(n + 1)
