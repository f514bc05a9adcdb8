"""Where the curve of a random scorer lies: bands around the diagonal."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames import Labels, make_frame, warn_of
from rocstats.sample.sample import Sample
from rocstats.sample.vectors import FloatArray
from rocstats.stats.chance import LARGEST_GRID, beta_binomial_limits, kolmogorov_critical

REFERENCES = (
    "Hodges JL. Ark Mat 1958;3:469-486.",
    "Campbell G. Stat Med 1994;13:499-508.",
)
Scope = Literal["pointwise", "simultaneous"]
_LARGEST_ROWS = 500
_REFUSED = {
    "cluster": "The band needs independent cases: keep one case of each cluster.",
    "sample_weight": "The band needs counts: pass frequency=, or leave the weights out.",
}


def random_band(
    sample: Sample, *, confidence_level: float = 0.95, scope: Scope = "pointwise"
) -> pd.DataFrame:
    """Return the band that holds the curve of a random scorer; a row is one false positive rate.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Probability that a random scorer stays inside: at each rate, or everywhere.
    scope : {"pointwise", "simultaneous"}, default "pointwise"
        "pointwise" is for a rate chosen beforehand; "simultaneous" for the whole curve, and for a
        point picked from it.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, tpr, tpr_low, tpr_high, confidence_level, scope,
        method``: a row for every number k of negatives called positive, k = 0, ..., n_neg (501
        evenly spaced ones if there are more). ``tpr`` is the diagonal, and the band is the same for
        every predictor. A group that lacks a class has no rows.

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

    Simultaneous: abs(TPR - FPR) < d at all points, d the critical value of the two-sample
    Kolmogorov-Smirnov statistic, which is the largest Youden index in size. Exact up to 10^6 pairs
    by counting lattice paths, else asymptotic. A curve that touches the band's edge is beyond
    chance. Limits are cut at 0 and 1; a sample so small that no curve is beyond chance has the
    whole square.

    Both are for scores without ties and conservative with them, where ``versus_random`` with
    ``statistic="youden"`` is the sharper test.

    References
    ----------
    Hodges (1958), lattice paths; Campbell (1994), bands of this shape.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> study.random_band()[["fpr", "tpr_low", "tpr_high"]].iloc[[3, 15]]
        fpr  tpr_low  tpr_high
    3   0.1     0.00      0.35
    15  0.5     0.25      0.80
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    require_choice("scope", scope, ("pointwise", "simultaneous"))
    _require_counts(sample)
    codes = ["pooled-folds"] if sample.fold is not None else []
    names, groups, sizes, methods = [], [], [], []
    pieces: list[FloatArray] = []
    for group, part in sample.by_group():
        if part.n_pos == 0 or part.n_neg == 0:
            codes.append("one-class")
            continue
        band, method = _band(int(part.n_pos), int(part.n_neg), confidence_level, scope)
        for name in sample.predictors:
            names.append(name)
            groups.append(group)
            methods.append(method)
            sizes.append(band.shape[1])
            pieces.append(band)
    warn_of(codes)
    rows = np.repeat(np.arange(len(names)), sizes)
    fpr, tpr, low, high = np.concatenate([np.empty((4, 0)), *pieces], axis=1)
    columns = {
        "predictor": Labels(names, rows),
        "fpr": fpr,
        "tpr": tpr,
        "tpr_low": low,
        "tpr_high": high,
        "confidence_level": np.full(len(rows), confidence_level),
        "scope": Labels([scope], np.zeros(len(rows), dtype=np.intp)),
        "method": Labels(methods, rows),
    }
    if sample.group is not None:
        columns["group"] = Labels(groups, rows)
    return make_frame(
        "random_band", columns, grouped=sample.group is not None, references=REFERENCES
    )


def _require_counts(sample: Sample) -> None:
    for role, mend in _REFUSED.items():
        if getattr(sample, role) is not None:
            raise InputError(
                f"`{role}` must not be given to a study that is asked for random_band; got"
                f" {role}=. {mend}"
            )


def _band(n_pos: int, n_neg: int, confidence_level: float, scope: Scope) -> tuple[FloatArray, str]:
    """Return rates, diagonal and limits as the rows of an array, and the method."""
    flagged = np.arange(n_neg + 1)
    if n_neg > _LARGEST_ROWS:
        flagged = np.arange(_LARGEST_ROWS + 1) * n_neg // _LARGEST_ROWS
    fpr = flagged / n_neg
    if scope == "pointwise":
        low, high = beta_binomial_limits(n_pos, n_neg, flagged, confidence_level)
        return np.stack([fpr, fpr, low, high]), "beta-binomial"
    d = kolmogorov_critical(n_pos, n_neg, 1 - confidence_level)
    exact = n_pos * n_neg <= LARGEST_GRID
    low, high = np.maximum(fpr - d, 0.0), np.minimum(fpr + d, 1.0)
    return np.stack([fpr, fpr, low, high]), f"kolmogorov/{'exact' if exact else 'asymptotic'}"
