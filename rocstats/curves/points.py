"""The points of an ROC curve: cumulative counts from the most positive score down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.frames import Labels, make_frame, warn_of
from rocstats.sample.counts import ScoreCounts
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.sample.vectors import FloatArray

Ties = Literal["expected", "optimistic", "pessimistic"]

REFERENCES = (
    "Fawcett T. ROC graphs: notes and practical considerations for researchers."
    " HP Laboratories, 2004.",
)


@dataclass(frozen=True, eq=False)
class RocPoints:
    """Vertices of a curve from (0, 0) on: threshold on the user's scale, counts at or beyond it."""

    threshold: FloatArray
    fp: FloatArray
    tp: FloatArray

    @property
    def fpr(self) -> FloatArray:
        """False positive rate at each vertex."""
        return _share(self.fp)

    @property
    def tpr(self) -> FloatArray:
        """True positive rate at each vertex."""
        return _share(self.tp)


def _share(cumulative: FloatArray) -> FloatArray:
    """Return cumulative counts over their total, NaN for a class without members."""
    total = cumulative[-1]
    return cumulative / total if total > 0 else np.full_like(cumulative, np.nan)


def roc_points(
    counts: ScoreCounts, *, higher_is_positive: bool = True, ties: Ties = "expected"
) -> RocPoints:
    """Return the vertices of the empirical curve (Fawcett's algorithm 2)."""
    beyond = np.inf if higher_is_positive else -np.inf
    threshold = np.concatenate(([beyond], counts.score))
    fp = np.concatenate(([0.0], np.cumsum(counts.n_neg)))
    tp = np.concatenate(([0.0], np.cumsum(counts.n_pos)))
    if ties == "expected":
        return RocPoints(threshold, fp, tp)
    return _with_corners(RocPoints(threshold, fp, tp), positives_first=ties == "optimistic")


def _with_corners(points: RocPoints, *, positives_first: bool) -> RocPoints:
    """Replace each sloped segment of a tie by the L on its upper (or lower) side."""
    sloped = np.flatnonzero((np.diff(points.fp) > 0) & (np.diff(points.tp) > 0))
    before, after = sloped, sloped + 1
    corner_fp = points.fp[before if positives_first else after]
    corner_tp = points.tp[after if positives_first else before]
    return RocPoints(
        np.insert(points.threshold, after, points.threshold[after]),
        np.insert(points.fp, after, corner_fp),
        np.insert(points.tp, after, corner_tp),
    )


def roc_curve(
    sample: Sample, *, ties: Ties = "expected", by: Literal["fold"] | None = None
) -> pd.DataFrame:
    """Return the empirical ROC curve of every predictor; a row is one vertex.

    Parameters
    ----------
    ties : {"expected", "optimistic", "pessimistic"}, default "expected"
        How a group of equal scores holding both classes is drawn. "expected" gives the sloped
        segment between its ends, the mean over all orderings. "optimistic" ranks its positives
        first and "pessimistic" its negatives; the corner they add carries the tied score as its
        threshold, though no threshold attains it.
    by : {"fold"}, optional
        One curve per fold. By default the scores of all folds are pooled into one curve, which
        assumes that scores are comparable across folds (note ``pooled-folds`` as a warning).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, fpr, tpr, fp, tp``; curves in the
        order of predictors within groups. The first row of each curve is (0, 0) with an infinite
        threshold that means "beyond every score"; every distinct score has a row.

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds or a fold lacks a class, or a word is unknown.

    Notes
    -----
    At threshold c, tpr = #(positives with score >= c) / n_pos and fpr = #(negatives with
    score >= c) / n_neg ("<=" for predictors whose lower scores are positive). The curve is exact
    geometry: it carries no interval. Frequencies and weights enter as counts; clusters do not
    change a curve. In a group that lacks a class, the rate of that class is NaN.

    References
    ----------
    Fawcett (2004), sections 3 and 4, algorithm 2, figures 3 and 6.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> study.roc_curve()[["threshold", "fpr", "tpr"]].round(3)
       threshold  fpr    tpr
    0        inf  0.0  0.000
    1        0.9  0.0  0.333
    2        0.8  0.0  0.667
    3        0.7  0.5  0.667
    4        0.6  1.0  1.000
    """
    require_choice("ties", ties, ("expected", "optimistic", "pessimistic"))
    require_choice("by", by, (None, "fold"))
    if by == "fold" and sample.fold is None:
        raise InputError("`by` must stay None without folds; got 'fold'. Pass fold= to the study.")
    if by is None and sample.fold is not None:
        warn_of(["pooled-folds"])
    curves: list[tuple[tuple[str, str, str, str], RocPoints]] = []
    for group, part in sample.by_group():
        if part.n_pos == 0 or part.n_neg == 0:
            warn_of(["one-class"])
        elif by == "fold":
            require_fold_classes(part)
        pieces = part.by_fold() if by == "fold" else [("", part)]
        for k, name in enumerate(sample.predictors):
            higher = sample.higher_is_positive[k]
            for fold, piece in pieces:
                points = roc_points(piece.counts(k), higher_is_positive=higher, ties=ties)
                curves.append(((name, group, fold, ">=" if higher else "<="), points))
    return _curve_frame(curves, grouped=sample.group is not None)


def _curve_frame(
    curves: list[tuple[tuple[str, str, str, str], RocPoints]], *, grouped: bool
) -> pd.DataFrame:
    codes = np.repeat(np.arange(len(curves)), [len(points.threshold) for _, points in curves])
    texts = {
        name: Labels([labels[i] for labels, _ in curves], codes)
        for i, name in enumerate(("predictor", "group", "fold", "direction"))
        if name != "group" or grouped
    }
    numbers = {
        name: np.concatenate([getattr(points, name) for _, points in curves])
        for name in ("threshold", "fpr", "tpr", "fp", "tp")
    }
    return make_frame("roc_curve", {**texts, **numbers}, grouped=grouped, references=REFERENCES)
