"""Bootstrap areas of several classes: every row and every predictor from the same resamples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ClassCases
from rocstats.stats.classes.rows import ClassRow, MulticlassMethod, class_rows, is_known
from rocstats.stats.resampling.areas import ResamplePlan, redrawn_notes
from rocstats.stats.resampling.counts import Ranking, ranked, weighted_areas
from rocstats.stats.resampling.streams import Streams, valid_draws
from rocstats.stats.resampling.weights import strata_weights, unit_weights


class ClassDraws(NamedTuple):
    """Areas (rows x predictors x resamples; NaN where a class has no cases), and their notes."""

    values: FloatArray
    notes: tuple[str, ...]


def draw_class_areas(
    cases: ClassCases, method: MulticlassMethod, plan: ResamplePlan, g: int
) -> ClassDraws:
    """Return resampled areas of the rows of a summary, means over the folds of a resample.

    Cases of each class (in each fold) are resampled apart if ``stratified``, else all cases
    together, and clusters whole. Resamples in which a fold lacks a class are redrawn.
    """
    *rows, summary = class_rows(cases, method)
    known = [row for row in rows if is_known(cases, row)]
    predictors = range(cases.n_predictors)
    shape = len(rows) + 1, len(predictors)
    if not known:
        return ClassDraws(np.full((*shape, plan.n_resamples), np.nan), ())
    folds = _folds(cases, known)
    places = [rows.index(row) for row in known]
    streams = Streams(plan.seed, g, 2)

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

    n_rows, progress = len(cases.class_codes), plan.progress
    values, n_redrawn = valid_draws(
        plan.n_resamples, n_rows, draw, "class-areas", progress=progress
    )
    by_row = np.ascontiguousarray(values.transpose(1, 2, 0))
    return ClassDraws(by_row, redrawn_notes(n_redrawn))


class _Term(NamedTuple):
    """Rows of the positives and of the negatives of an area, with their ranking by predictor."""

    pos: IntArray
    neg: IntArray
    rankings: list[Ranking]


def _folds(cases: ClassCases, rows: Sequence[ClassRow]) -> list[list[list[_Term]]]:
    """Return the terms of each row in each fold."""
    everyone = np.zeros(len(cases.class_codes), dtype=np.intp)
    labels = everyone if cases.fold is None else cases.fold.codes
    return [
        [[_term(cases, labels == label, *term) for term in row.terms] for row in rows]
        for label in np.unique(labels)
    ]


def _term(cases: ClassCases, inside: Any, k: int, versus: int | None) -> _Term:
    codes = cases.class_codes
    pos = np.flatnonzero(inside & (codes == k))
    others = codes != k if versus is None else codes == versus
    neg = np.flatnonzero(inside & others)
    rankings = [ranked(scores[k, pos], scores[k, neg]) for scores in cases.scores]
    return _Term(pos, neg, rankings)


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


def _areas(weights: FloatArray, fold: Sequence[Sequence[_Term]]) -> FloatArray:
    """Return rows x predictors x resamples areas in one fold."""
    return np.array([np.mean([_term_areas(weights, term) for term in row], axis=0) for row in fold])


def _term_areas(weights: FloatArray, term: _Term) -> FloatArray:
    pos_weight, neg_weight = weights.take(term.pos, axis=1), weights.take(term.neg, axis=1)
    return np.array([weighted_areas(pos_weight, neg_weight, ranks) for ranks in term.rankings])


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
