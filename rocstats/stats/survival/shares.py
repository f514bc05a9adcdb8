"""Rates, predictive values and net benefits at a time, as shares with weights for censoring.

A share is a ratio of weighted sums, its influence that of ``StatusAt``, and its limits are Wilson's
of as many independent patients as have its variance. Without censoring they are those of counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.comparison.paired_shares import Share
from rocstats.stats.costs.net_benefit import Benefit, Stakes, Standardized
from rocstats.stats.influence.values import small_sample
from rocstats.stats.survival.areas import Scores
from rocstats.stats.survival.follow_up import CENSORED
from rocstats.stats.survival.status import Ratio, StatusAt

MEASURES = ("tpr", "tnr", "ppv", "npv", "prevalence")


class Curve(NamedTuple):
    """Vertices of a curve at a time, one for each distinct score, the largest risk first.

    ``fp`` and ``tp`` are the weights of controls and cases with this score or one of more risk,
    ``censored`` the number of patients without a status.
    """

    fp: FloatArray
    tp: FloatArray
    censored: FloatArray


def curve_at(at: StatusAt, scores: Scores) -> Curve:
    """Return the curve of a predictor; the first vertex, at (0, 0), is left out."""
    of = at.follow_up
    unknown = ((of.time <= at.t) & (of.status == CENSORED)).astype(np.float64)
    sides = (
        np.bincount(scores.codes, weights=weight, minlength=scores.size)[::-1].cumsum()
        for weight in (at.control_weight, at.case_weight, unknown)
    )
    return Curve(*sides)


def measures_at(at: StatusAt, called: BoolArray) -> dict[str, Share]:
    """Return rates, predictive values and the prevalence; NaN where nobody is in a denominator."""
    case, control = at.is_case, at.is_control
    known = case | control
    among = {
        "tpr": (case & called, case),
        "tnr": (control & ~called, control),
        "ppv": (case & called, known & called),
        "npv": (control & ~called, known & ~called),
        "prevalence": (case, known),
    }
    return {name: share_at(at, *sides) for name, sides in among.items()}


def share_at(at: StatusAt, event: BoolArray, among: BoolArray) -> Share:
    """Return the weighted share of some patients that have an event."""
    found = at.ratio(event.astype(np.float64), among.astype(np.float64))
    return _share(at, found, float(at.weight @ among), among)


def benefit_at(at: StatusAt, called: BoolArray, stakes: Stakes) -> Benefit:
    """Return the net benefit of treating who is called positive, in cases found a patient."""
    parts = (_of_all(at, at.is_case & called), _of_all(at, at.is_control & called))
    return _benefit(at, parts, stakes.factors())


def over_treat_all_at(at: StatusAt, called: BoolArray, stakes: Stakes) -> Benefit:
    """Return the net benefit less that of treating all: controls spared, less cases missed."""
    parts = (_of_all(at, at.is_control & ~called), _of_all(at, at.is_case & ~called))
    gain, loss = stakes.factors()
    return _benefit(at, parts, (loss, gain))


def standardized_at(at: StatusAt, called: BoolArray, stakes: Stakes) -> Standardized:
    """Return the net benefit over the share of cases, which is its largest possible value."""
    benefit, cases = benefit_at(at, called, stakes), at.mean(at.is_case.astype(np.float64))
    share, value = cases.value, benefit.value / cases.value
    influence = (benefit.influence - value * _units(at, cases, unbiased=True)) / share
    return Standardized(value, influence, benefit, share, (-np.inf, 1.0), of_ratio=True)


def _benefit(at: StatusAt, parts: tuple[Share, Share], factors: tuple[float, float]) -> Benefit:
    influence = factors[0] * parts[0].influence - factors[1] * parts[1].influence
    value = factors[0] * parts[0].value - factors[1] * parts[1].value
    clustered, ends = at.follow_up.cluster is not None, (-factors[1], factors[0])
    return Benefit(value, unbiased(at) * influence, parts, factors, ends, clustered)


def unbiased(at: StatusAt) -> float:
    """Return the factor of an unbiased standard error of a share; clusters have theirs already."""
    # Of Wilson's limits the variance of a share has the divisor n, as that of a binomial.
    of = at.follow_up
    return 1.0 if of.cluster is not None else float(np.sqrt(small_sample(of.size)))


def _of_all(at: StatusAt, event: BoolArray) -> Share:
    """Return the share of all patients that has an event by the time."""
    found = at.mean(event.astype(np.float64))
    return _share(at, found, float(at.follow_up.size), at.is_case | at.is_control)


def _share(at: StatusAt, found: Ratio, size: float, among: BoolArray) -> Share:
    clustered = at.follow_up.cluster is not None
    influence = _units(at, found, unbiased=clustered)
    return Share(found.value, influence, found.value * size, size, _independent(at, among))


def _units(at: StatusAt, found: Ratio, *, unbiased: bool) -> FloatArray:
    """Return the influence of units, whose squares sum to the variance."""
    units = at.follow_up.units(found.influence[np.newaxis], unbiased=unbiased)
    return np.asarray(units[0])


def _independent(at: StatusAt, among: BoolArray) -> float:
    """Return Kish's number of equally weighted patients (clusters) among some, for no variance."""
    weight = np.where(among, at.weight, 0.0)
    if at.follow_up.cluster is not None:
        weight = np.bincount(at.follow_up.cluster, weights=weight)
    squares = float(weight @ weight)
    return float(weight.sum()) ** 2 / squares if squares > 0 else 0.0
