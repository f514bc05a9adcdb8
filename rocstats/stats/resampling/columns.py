"""Weights of rows added up by score: the count tables of many resamples of the same cases."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases


class ScoreColumns(NamedTuple):
    """Rows of one class in the order of a predictor's scores, with the code of each score."""

    rows: IntArray
    codes: IntArray
    n_scores: int

    def tables(self, weights: FloatArray) -> FloatArray:
        """Return the weight at each score (r x d) of resamples of all rows."""
        sums = np.zeros((len(weights), self.n_scores))
        if len(self.rows):
            # Scores of the other class only get no start: reduceat does not sum an empty run to 0.
            starts = np.flatnonzero(np.diff(self.codes, prepend=-1))
            drawn = weights.take(self.rows, axis=1)
            sums[:, self.codes[starts]] = np.add.reduceat(drawn, starts, axis=1)
        return sums


Columns = tuple[ScoreColumns, ScoreColumns]
"""Positives and negatives by the scores of a predictor."""


def fold_rows(cases: ScoredCases) -> list[IntArray]:
    """Return the rows of each fold; all rows without folds."""
    if cases.fold is None:
        return [np.arange(len(cases.is_positive))]
    return [np.flatnonzero(cases.fold.codes == code) for code in cases.fold.present]


def score_columns(cases: ScoredCases, rows: IntArray, k: int) -> Columns:
    """Return the positives and the negatives among some rows for predictor ``k``."""
    kept, codes = np.unique(cases.codes(k)[rows], return_inverse=True)
    sides = []
    for positive in (True, False):
        members = np.flatnonzero(cases.is_positive[rows] == positive)
        # Stable: weights of a tie are summed in the order of rows, on every processor.
        order = members[np.argsort(codes[members], kind="stable")]
        sides.append(ScoreColumns(rows[order], codes[order], len(kept)))
    return sides[0], sides[1]
