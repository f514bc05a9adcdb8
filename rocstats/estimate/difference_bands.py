"""Simultaneous bands of the difference of two curves on the same cases: ROC or cost curves.

``difference_band`` is one loop over groups and pairs of predictors for every kind of curve. Limits
are of equal precision: the same number of standard deviations everywhere, each with the floor of a
paired difference of proportions [bonett-2012].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import require_open_interval
from rocstats.estimate.answers import answer_columns, answerable_groups, stacked_curve_columns
from rocstats.estimate.band_answers import (
    few_cases_for_band_codes,
    few_clusters_for_band_codes,
)
from rocstats.estimate.bands import equal_precision_band_reach
from rocstats.estimate.claim import index_pairs
from rocstats.estimate.resample import ResamplePlan, enough_valid_resamples
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.facts.tolerances import SAME
from rocstats.frame.make import Labels, warn_of_doubts
from rocstats.frame.question import Question
from rocstats.study.base import sample_notes, warned_doubts
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample

# --- Bands of all pairs of predictors -------------------------------------------------------------

# Both error rates and probability costs from 0 to 1: steps of 0.005 resolve 200 cases of a class.
GRID = np.arange(201) / 200

PredictorPair = tuple[int, int]


class CurveDifferences(NamedTuple):
    """The difference of two curves at places, and in each resample."""

    cases: ScoredCases
    pair: PredictorPair
    places: FloatArray
    estimate: FloatArray
    draws: FloatArray


class DifferenceBand(NamedTuple):
    """How one kind of curve is resampled, and how its differences are limited, at given places.

    ``quantity`` is what a curve has at a place, ``along`` the column of the places.
    ``draw`` returns the curves of all predictors, then their resamples (resamples x predictors x
    places); ``limits`` those of a pair from its difference and the resampled differences.
    """

    quantity: str
    along: str
    draw: Callable[[ScoredCases, FloatArray, ResamplePlan, int], tuple[FloatArray, FloatArray]]
    limits: Callable[[CurveDifferences, float], Limits]


def difference_band(
    sample: Sample,
    question: Question,
    band: DifferenceBand,
    reference: str | None,
    places: FloatArray,
    confidence_level: float,
    draws: ResamplePlan,
) -> pd.DataFrame:
    """Return the simultaneous bands of the differences of all pairs in all groups."""
    require_open_interval("confidence_level", confidence_level, 0, 1)
    question.require_roles(sample)
    pairs = index_pairs(sample.predictors, reference)
    codes = ["pooled-folds"] if sample.fold is not None else []
    curves: list[dict[str, Any]] = []
    pair_codes: list[str] = []
    for g, group, part in answerable_groups(sample, codes):
        cases = part.cases.pooled()
        # The resamples are shared by all predictors, so that differences keep their correlation;
        # the stream is keyed by the group, so that groups are drawn independently.
        with enough_valid_resamples():
            values, resampled = band.draw(cases, places, draws, g)
        for i, j in pairs:
            estimate, (low, high) = values[i] - values[j], np.full((2, len(places)), np.nan)
            # Equal ranks give equal curves in every resample: a band without width would claim
            # certainty.
            if np.array_equal(cases.codes(i), cases.codes(j)):
                of_pair = ["identical-predictors", *sample_notes(part)]
            else:
                gaps = CurveDifferences(
                    cases, (i, j), places, estimate, resampled[:, i] - resampled[:, j]
                )
                low, high = band.limits(gaps, confidence_level)
                of_pair = [
                    *few_cases_for_band_codes(cases),
                    *few_clusters_for_band_codes(cases),
                    *sample_notes(part),
                ]
            pair_codes += of_pair
            curves.append(
                {
                    "predictor": sample.predictors[i],
                    "reference": sample.predictors[j],
                    "group": group,
                    "quantity": band.quantity,
                    band.along: places,
                    "estimate": estimate,
                    "ci_low": low,
                    "ci_high": high,
                    "confidence_level": confidence_level,
                    "scope": "simultaneous",
                    "n_pos": part.n_pos,
                    "n_neg": part.n_neg,
                    "method": "bootstrap",
                    "note": "; ".join(of_pair),
                }
            )
    warn_of_doubts([*codes, *pair_codes], warned_doubts(sample))
    columns = difference_band_columns(question, curves)
    return answer_columns(question, sample, columns, draws)


def difference_band_columns(
    question: Question, curves: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the columns of bands of differences, with ``excludes-zero`` where a band does."""
    columns = stacked_curve_columns(question, curves)
    codes = np.repeat(np.arange(len(curves)), [len(curve["estimate"]) for curve in curves])
    # Every band has two notes: that of places where it does not exclude 0, and that of others.
    notes = [
        note
        for curve in curves
        for note in (curve["note"], "; ".join(filter(None, ["excludes-zero", curve["note"]])))
    ]
    # False for NaN limits: identical predictors exclude nothing.
    differs = (columns["ci_low"] > 0) | (columns["ci_high"] < 0)
    return {**columns, "note": Labels(notes, 2 * codes + differs)}


# --- Limits of equal precision, and the floor of their standard deviation -------------------------


def difference_band_limits(
    estimate: FloatArray,
    draws: FloatArray,
    floor: FloatArray,
    inside: BoolArray,
    confidence_level: float,
) -> Limits:
    """Return limits D -+ q s of equal precision, at the rates ``inside`` all at once.

    q s is ``equal_precision_reach``. At other rates the limits are -1 and 1.
    """
    low, high = np.full(len(estimate), -1.0), np.ones(len(estimate))
    if inside.any():
        reach = equal_precision_band_reach(estimate, draws, floor, inside, confidence_level)
        low[inside] = np.maximum(estimate - reach, -1.0)[inside]
        high[inside] = np.minimum(estimate + reach, 1.0)[inside]
    return low, high


def discordance_floor(cases: ScoredCases, pair: tuple[int, int], fpr: FloatArray) -> FloatArray:
    """Return the standard deviation of the paired difference of two TPRs at given thresholds.

    The thresholds are those of each FPR. With b and c positives that one predictor alone calls,
    p1 = (b + 1)/(m + 2) and p2 = (c + 1)/(m + 2): sqrt((p1 + p2 - (p1 - p2)^2)/(m + 2)) (Bonett &
    Price 2012), never 0.
    """
    n_called = np.array([_scores_called_at_fpr(cases, k, fpr) for k in pair])
    return np.asarray(np.sqrt(discordance_variance(cases, pair, n_called, positive=True)))


def discordance_variance(
    cases: ScoredCases, pair: tuple[int, int], n_called: IntArray, *, positive: bool
) -> FloatArray:
    """Return the variance of the difference of the shares that two predictors call in a class.

    Predictor ``pair[i]`` calls its ``n_called[i, g]`` most positive distinct scores (g places).
    """
    inside = np.flatnonzero(cases.is_positive == positive)
    weight = None if cases.frequency is None else cases.frequency.take(inside)
    size = cases.n_pos if positive else cases.n_neg
    first, second = (cases.codes(k).take(inside) for k in pair)
    # Neighbouring places often call the same scores: each pair of calls is tabulated once.
    places, back = np.unique(n_called, axis=1, return_inverse=True)
    shares = [
        [np.average(alone, weights=weight) for alone in (a & ~b, b & ~a)]
        for a, b in ((first < u, second < v) for u, v in places.T)
    ]
    # Bonett & Price 2012: one case more in each discordant cell, two in all, so never 0.
    p1, p2 = (np.array(shares).T * size + 1) / (size + 2)
    return np.asarray(((p1 + p2 - (p1 - p2) ** 2) / (size + 2))[back.ravel()])


def _scores_called_at_fpr(cases: ScoredCases, k: int, fpr: FloatArray) -> IntArray:
    """Return the largest number of distinct scores called positive at each FPR."""
    fp = np.cumsum(cases.counts(k).n_neg) / cases.n_neg
    return np.searchsorted(fp, fpr + SAME, side="right")
