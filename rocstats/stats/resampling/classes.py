"""Bootstrap areas of several classes: every row and every predictor from the same resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ClassCases
from rocstats.stats.classes import ClassRow, MulticlassMethod, class_rows, is_known
from rocstats.stats.resampling.counts import (
    Ranking,
    ranked,
    strata_weights,
    unit_weights,
    weighted_areas,
)
from rocstats.stats.resampling.streams import chunks, require_valid_resamples, stream


@dataclass(frozen=True)
class ClassPlan:
    """How to resample: the seed is the one integer that frames record."""

    n_resamples: int
    stratified: bool
    seed: int
    progress: bool


@dataclass(frozen=True, eq=False)
class ClassDraws:
    """Areas (rows x predictors x resamples; NaN where a class has no cases), and their notes."""

    values: FloatArray
    codes: tuple[str, ...]


def draw_class_areas(
    cases: ClassCases, method: MulticlassMethod, plan: ClassPlan, g: int
) -> ClassDraws:
    """Return resampled areas of the rows of a summary, means over the folds of a resample.

    Cases of each class (in each fold) are resampled apart if ``stratified``, else all cases
    together, and clusters whole. Resamples in which a fold lacks a class are redrawn.
    """
    *rows, summary = class_rows(cases, method)
    known = [row for row in rows if is_known(cases, row)]
    predictors = range(cases.n_predictors)
    values = np.full((len(rows) + 1, len(predictors), plan.n_resamples), np.nan)
    if not known:
        return ClassDraws(values, ())
    folds = _folds(cases, known)
    places = [rows.index(row) for row in known]
    rng, filled, n_redrawn = stream(plan.seed, g, 2), 0, 0
    for part in chunks(plan.n_resamples, len(cases.class_codes), progress=plan.progress):
        while filled < part.stop:
            weights = _draw(rng, cases, part.stop - filled, plan.stratified)
            found = np.mean([_areas(weights, fold) for fold in folds], axis=0)
            valid = ~np.isnan(found).any(axis=(0, 1))
            kept = slice(filled, filled + int(valid.sum()))
            values[places, :, kept] = found[..., valid]
            if is_known(cases, summary) and len(known) == len(rows):
                share = _shares(cases, weights[valid], rows, method)
                values[-1, :, kept] = np.einsum("br,rkb->kb", share, found[..., valid])
            n_redrawn += len(valid) - int(valid.sum())
            filled = kept.stop
            require_valid_resamples(filled, n_redrawn, "class-areas")
    return ClassDraws(values, (f"resamples-redrawn={n_redrawn}",) if n_redrawn else ())


@dataclass(frozen=True, eq=False)
class _Term:
    """The rows of the positives and of the negatives of an area, and its ranking by predictor."""

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


def _draw(rng: np.random.Generator, cases: ClassCases, size: int, stratified: bool) -> FloatArray:
    """Return size x rows weights: how much each row counts in a resample."""
    if not stratified:
        return unit_weights(rng, cases, [np.arange(len(cases.class_codes))], size)
    codes = cases.class_codes
    if cases.fold is not None:
        codes = codes + cases.fold.codes * cases.n_classes
    strata = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    return strata_weights(rng, cases, strata, size)


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
