"""Predictive values at a prevalence from outside the study (Mercaldo et al. 2007). Arrays only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.curves.points.measures import Cells
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.intervals.quantiles import quantile
from rocstats.tolerances import NO_SPREAD


class PredictiveLimits(NamedTuple):
    """Centre and limits of predictive values; ``adjusted`` marks adjusted cells."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    adjusted: BoolArray


def ppv_limits(
    cells: Cells,
    prevalence: float,
    confidence_level: float,
    *,
    prevalence_cases: float = np.inf,
    correlation: float = 0.0,
    adjusted: bool | None = None,
) -> PredictiveLimits:
    """Return logit limits of the positive predictive value.

    Parameters
    ----------
    cells : Cells
        Counts.
    prevalence, confidence_level : float in (0, 1)
        Share of positives where the rule is used; level of the limits.
    prevalence_cases : float, default infinite
        Number of other cases in which the prevalence was estimated; infinite for a known one.
    correlation : float in [-1, 1], default 0
        That of TPR and FPR, where clusters have cases of both classes.
    adjusted : bool, optional
        Whether z^2/2 is added to each cell; by default where there are no true or no false
        positives, or no negative calls.
    """
    z = quantile((1 + confidence_level) / 2, np.inf)
    used, where = _cells(cells, z**2 / 2, adjusted)
    n_pos, n_neg = used.tp + used.fn, used.fp + used.tn
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.log(used.tp / n_pos) - np.log(used.fp / n_neg) + sp.logit(prevalence)
        of_tpr, of_fpr = used.fn / (used.tp * n_pos), used.tn / (used.fp * n_neg)
        variance = _of_difference(of_tpr, of_fpr, correlation)
        # An estimated prevalence adds 1/(M p(1 - p)), the variance of its logit; a known one 0.
        reach = z * np.sqrt(variance + 1 / (prevalence_cases * prevalence * (1 - prevalence)))
    return PredictiveLimits(
        sp.expit(centre), sp.expit(centre - reach), sp.expit(centre + reach), where
    )


def npv_limits(
    cells: Cells,
    prevalence: float,
    confidence_level: float,
    *,
    prevalence_cases: float = np.inf,
    correlation: float = 0.0,
    adjusted: bool | None = None,
) -> PredictiveLimits:
    """Return logit limits of the negative predictive value: those of the mirrored table.

    Parameters
    ----------
    cells : Cells
        Counts.
    prevalence, confidence_level : float in (0, 1)
        Share of positives where the rule is used; level of the limits.
    prevalence_cases : float, default infinite
        Number of other cases in which the prevalence was estimated; infinite for a known one.
    correlation : float in [-1, 1], default 0
        That of TPR and FPR, which TNR and FNR have too: both signs change.
    adjusted : bool, optional
        Whether z^2/2 is added to each cell; by default where there are no true or no false
        negatives, or no positive calls.
    """
    # With classes and calls exchanged NPV is PPV at the share of negatives.
    mirrored = Cells(tp=cells.tn, fn=cells.fp, fp=cells.fn, tn=cells.tp)
    return ppv_limits(
        mirrored,
        1 - prevalence,
        confidence_level,
        prevalence_cases=prevalence_cases,
        correlation=correlation,
        adjusted=adjusted,
    )


def _of_difference(first: FloatArray, second: FloatArray, correlation: float) -> FloatArray:
    """Return the variance of a difference from those of its terms, as independent if it is 0."""
    independent = first + second
    variance = independent - 2 * correlation * np.sqrt(first * second)
    # Rates that vary as one leave a ratio that does not vary: limits would have no width.
    return np.asarray(np.where(variance > NO_SPREAD, variance, independent))


def _cells(cells: Cells, added: float, adjusted: bool | None) -> tuple[Cells, BoolArray]:
    counts = (cells.tp, cells.fn, cells.fp, cells.tn)
    # The logit is infinite without true, or without false, positives; without any case that is
    # called negative its variance is 0. One of fn and tn may be 0.
    where = (cells.tp == 0) | (cells.fp == 0) | ((cells.fn == 0) & (cells.tn == 0))
    if adjusted is not None:
        where = np.full(where.shape, adjusted)
    return Cells(*(np.where(where, count + added, count) for count in counts)), where
