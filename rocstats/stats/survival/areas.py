"""Areas at a time: cases against controls with weights for censoring, and their influence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.stats.areas.delong import snapped
from rocstats.stats.influence.values import products
from rocstats.stats.intervals.area import Area
from rocstats.stats.survival.follow_up import FollowUp
from rocstats.stats.survival.status import Ratio, StatusAt
from rocstats.tolerances import cleared


class Scores(NamedTuple):
    """Scores of a predictor as numbers of the distinct ones, from the least risk up."""

    codes: IntArray
    size: int


def scores_of(values: FloatArray, *, higher: bool) -> Scores:
    """Return scores as codes; with ``higher`` False the highest score has the code 0."""
    distinct, codes = np.unique(values, return_inverse=True)
    codes = codes if higher else len(distinct) - 1 - codes
    return Scores(codes.astype(np.intp, copy=False), len(distinct))


def area_at(at: StatusAt, scores: Scores) -> Ratio:
    """Return A = sum a_i b_j psi(M_i, M_j)/(sum a sum b) with the influence of each patient.

    a and b are the weights of cases and controls, psi is 1 where the case has the higher score and
    1/2 where both are equal.
    """
    case, control = at.case_weight, at.control_weight
    of_case = _share_below(control, scores)
    value = float(case @ of_case) / float(case.sum())
    of_control = 1 - _share_below(case, scores)
    residual = case * (of_case - value) / case.sum()
    residual += control * (of_control - value) / control.sum()
    return Ratio(snapped(value), at.influence(residual))


def variance_of(follow_up: FollowUp, influence: FloatArray, *, unbiased: bool = True) -> float:
    """Return the variance of an estimate from the influence of each patient, 0 if it is rounding.

    NaN for a single patient or cluster.
    """
    units = follow_up.units(influence[np.newaxis], unbiased=unbiased)
    return cleared(float(products(units, units)[0, 0]))


def sized_area(found: Ratio, at: StatusAt) -> Area:
    """Return an area at a time with its variance, and with the numbers of its units."""
    m, n = at.n_units or (np.count_nonzero(at.is_case), np.count_nonzero(at.is_control))
    variance = variance_of(at.follow_up, found.influence)
    return Area(found.value, variance, np.inf, float(m), float(n), float(min(m, n)))


def _share_below(weight: FloatArray, scores: Scores) -> FloatArray:
    """Return the share of the weight that has a lower score than each patient, ties as a half."""
    at_score = np.bincount(scores.codes, weights=weight, minlength=scores.size)
    up_to = np.cumsum(at_score)
    below = (up_to - at_score / 2) / up_to[-1]
    return np.asarray(below[scores.codes])
