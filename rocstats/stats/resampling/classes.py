"""Bootstrap areas of several classes: every row and every predictor from the same resamples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ClassCases
from rocstats.stats.classes.rows import ClassRow, MulticlassMethod, class_rows, is_known
from rocstats.stats.resampling.areas import AreaDraws
from rocstats.stats.resampling.counts import RankedSides, ranked
from rocstats.stats.resampling.streams import ResamplePlan, Streams, redrawn_notes
from rocstats.stats.resampling.weights import strata_weights, unit_weights


def draw_class_areas(cases: ClassCases, method: MulticlassMethod, plan: ResamplePlan) -> AreaDraws:
    """Return resampled areas of the rows of a summary, means over the folds of a resample.

    Their shape is rows x predictors x resamples; they are NaN where a class has no cases.

    Cases of each class (in each fold) are resampled apart if ``stratified``, else all cases
    together, and clusters whole. Resamples in which a fold lacks a class are redrawn.
    """
    *rows, summary = class_rows(cases, method)
    known = [row for row in rows if is_known(cases, row)]
    predictors = range(cases.n_predictors)
    shape = len(rows) + 1, len(predictors)
    if not known:
        return AreaDraws(np.full((*shape, plan.n_resamples), np.nan), ())
    folds = _folds(cases, known)
    places = [rows.index(row) for row in known]
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = _draw(streams, cases, size, plan.stratified)
        areas = np.mean([_areas(weights, fold) for fold in folds], axis=0)
        # Any row: a class may lack in one pair of classes and not in another.
        valid = ~np.isnan(areas).any(axis=(0, 1))
        values = np.full((*shape, int(valid.sum())), np.nan)
        values[places] = areas[..., valid]
        if is_known(cases, summary) and len(known) == len(rows):
            # Class shares of the resample, not of the sample: their spread is part of the variance
            # of the mean weighted by prevalence.
            share = _shares(cases, weights[valid], rows, method)
            values[-1] = np.einsum("br,rkb->kb", share, areas[..., valid])
        return values.transpose(2, 0, 1)

    draws = plan.valid(len(cases.class_codes), draw, "class-areas")
    by_row = np.ascontiguousarray(draws.values.transpose(1, 2, 0))
    return AreaDraws(by_row, tuple(redrawn_notes(draws.n_redrawn)))


def _folds(cases: ClassCases, rows: Sequence[ClassRow]) -> list[list[list[RankedSides]]]:
    """Return the terms of each row in each fold."""
    everyone = np.zeros(len(cases.class_codes), dtype=np.intp)
    labels = everyone if cases.fold is None else cases.fold.codes
    return [
        [[_term(cases, labels == label, *term) for term in row.terms] for row in rows]
        for label in np.unique(labels)
    ]


def _term(cases: ClassCases, inside: Any, k: int, versus: int | None) -> RankedSides:
    codes = cases.class_codes
    pos = np.flatnonzero(inside & (codes == k))
    others = codes != k if versus is None else codes == versus
    neg = np.flatnonzero(inside & others)
    rankings = [ranked(scores[k, pos], scores[k, neg]) for scores in cases.scores]
    return RankedSides(pos, neg, rankings)


def _draw(streams: Streams, cases: ClassCases, size: int, stratified: bool) -> FloatArray:
    """Return size x rows bootstrap weights of the rows."""
    if not stratified:
        return unit_weights(streams, cases, [np.arange(len(cases.class_codes))], size)
    codes = cases.class_codes
    if cases.fold is not None:
        # A number for each pair of fold and class.
        codes = codes + cases.fold.codes * cases.n_classes
    strata = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    return strata_weights(streams, cases, strata, size)


def _areas(weights: FloatArray, fold: Sequence[Sequence[RankedSides]]) -> FloatArray:
    """Return rows x predictors x resamples areas in one fold."""
    return np.array([np.mean([term.areas(weights) for term in row], axis=0) for row in fold])


def _shares(
    cases: ClassCases,
    weights: FloatArray,
    rows: Sequence[ClassRow],
    method: MulticlassMethod,
) -> FloatArray:
    """Return resamples x rows weights of the areas in the summary of each resample."""
    if method == "hand-till":
        return np.tile([row.share for row in rows], (len(weights), 1))
    of_class = cases.class_codes == np.arange(cases.n_classes)[:, np.newaxis]
    sums = weights @ of_class.T
    return np.asarray(sums / sums.sum(axis=1, keepdims=True))
