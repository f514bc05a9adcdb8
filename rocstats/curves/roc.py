"""The points of an ROC curve: cumulative counts from the top score down; DET curves.

Truth-state runs are neighbouring scores whose cases are all of one class. A run is a straight piece
of the curve, so that merging its scores leaves the curve unchanged, and a likelihood of ranks up to
a constant factor.

Also shared by all questions about curves: the curves of a sample, and their frame. The DET curve
(detection error tradeoff) has both error rates on normal-deviate scales.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.columns import POINT
from rocstats.facts.scipy_special import ndtri
from rocstats.facts.tolerances import SAME
from rocstats.frame.cutoffs import next_of_given
from rocstats.frame.make import Labels, make_frame, warn_of_doubts
from rocstats.frame.question import BINNING_ERROR, CURVE, Question, columns_in
from rocstats.study.base import BaseSample, print_attrs, question_for, require_cases, warned_doubts
from rocstats.study.binned import extreme_samples_of_binned_scores, is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample, own_sample, require_fold_classes

Ties = Literal["expected", "optimistic", "pessimistic"]

Texts = Mapping[str, str]
"""Labels of a curve (predictor, group, ...): a word for each text column of its rows."""

Numbers = Mapping[str, FloatArray]
"""The vertices of a curve: an array for each number column of its rows, all equally long."""

CurveError = Callable[[Numbers, list[ScoreCounts]], FloatArray]
"""The bound on the error at each row, from its numbers and the tables of the extreme curves."""


# --- The points of a curve ------------------------------------------------------------------------


class RocPoints(NamedTuple):
    """Vertices of a curve from (0, 0) on: thresholds, and counts of cases at or beyond them."""

    threshold: FloatArray
    fp: FloatArray
    tp: FloatArray

    @property
    def fpr(self) -> FloatArray:
        """False positive rate at each vertex."""
        return _roc_rates_of_counts(self.fp, self.fp[-1])

    @property
    def tpr(self) -> FloatArray:
        """True positive rate at each vertex."""
        return _roc_rates_of_counts(self.tp, self.tp[-1])

    @property
    def next_score(self) -> FloatArray:
        """Nearest score that each vertex does not call positive; infinite at the last vertex."""
        # The corner of a tie has the threshold of the vertex after it.
        found = np.append(self.threshold[1:], -self.threshold[0])
        return np.where(found == self.threshold, np.append(found[1:], found[-1]), found)

    def next_scores(self, threshold: FloatArray) -> FloatArray:
        """Return the nearest score that each threshold does not call positive; NaN of NaN."""
        score = np.append(self.threshold[1:], -self.threshold[0])
        # searchsorted needs ascending scores; where higher ones are positive they descend.
        sign = -1.0 if self.threshold[0] > 0 else 1.0
        place = np.searchsorted(sign * score, sign * threshold, side="right")
        place = np.where(threshold == self.threshold[0], 0, place)
        return np.append(score, np.nan)[np.where(np.isnan(threshold), len(score), place)]

    @property
    def fnr(self) -> FloatArray:
        """False negative rate at each vertex, from counts: 1 - tpr would lose small rates."""
        return _roc_rates_of_counts(self.tp[-1] - self.tp, self.tp[-1])


def _roc_rates_of_counts(counts: FloatArray, total: float) -> FloatArray:
    """Return counts divided by their total; NaN for a class without members."""
    return counts / total if total > 0 else np.full_like(counts, np.nan)


def called_positive(
    score: FloatArray, threshold: float, *, higher_is_positive: bool = True
) -> BoolArray:
    """Return which scores are called positive: none at the threshold of the vertex (0, 0)."""
    # That vertex has an infinite threshold; infinite scores are called at the one after it.
    if threshold == (np.inf if higher_is_positive else -np.inf):
        return np.zeros(len(score), dtype=bool)
    return np.asarray(score >= threshold if higher_is_positive else score <= threshold)


def roc_points(
    counts: ScoreCounts, *, higher_is_positive: bool = True, ties: Ties = "expected"
) -> RocPoints:
    """Return the vertices of the empirical curve (Fawcett's algorithm 2)."""
    # No case is called positive at the first vertex, whichever direction scores have.
    beyond = np.inf if higher_is_positive else -np.inf
    threshold = np.concatenate(([beyond], counts.score))
    fp = np.concatenate(([0.0], np.cumsum(counts.n_neg)))
    tp = np.concatenate(([0.0], np.cumsum(counts.n_pos)))
    if ties == "expected":
        return RocPoints(threshold, fp, tp)
    return _roc_points_with_tie_corners(
        RocPoints(threshold, fp, tp), positives_first=ties == "optimistic"
    )


def _roc_points_with_tie_corners(points: RocPoints, *, positives_first: bool) -> RocPoints:
    """Replace each sloped segment of a tie by two edges at a right angle, above or below it."""
    sloped = np.flatnonzero((np.diff(points.fp) > 0) & (np.diff(points.tp) > 0))
    before, after = sloped, sloped + 1
    corner_fp = points.fp[before if positives_first else after]
    corner_tp = points.tp[after if positives_first else before]
    return RocPoints(
        np.insert(points.threshold, after, points.threshold[after]),
        np.insert(points.fp, after, corner_fp),
        np.insert(points.tp, after, corner_tp),
    )


def tpr_at(fpr: FloatArray, tpr: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return the largest TPR of a curve at each FPR wanted, linear between its vertices.

    ``fpr`` is ascending from 0 to 1. A rate within 1e-12 of a vertex is that vertex.
    """
    # k/10 as a float need not be the float of the quotient of counts that it means. The last of
    # several vertices at a rate is the top of a vertical step.
    last = np.searchsorted(fpr, wanted + SAME, side="right") - 1
    following = np.minimum(last + 1, len(fpr) - 1)
    beyond, gap = wanted - fpr[last], fpr[following] - fpr[last]
    between = (beyond > SAME) & (gap > 0)
    share = np.divide(beyond, gap, out=np.zeros(len(wanted)), where=between)
    return np.asarray(tpr[last] + share * (tpr[following] - tpr[last]))


def lowest_tpr_at(fpr: FloatArray, tpr: FloatArray, at: FloatArray) -> FloatArray:
    """Return the least TPR of a curve at each FPR: at a vertical step its bottom."""
    # The bottom of a step is the top of the curve turned by 180 degrees.
    return 1 - tpr_at(1 - fpr[::-1], 1 - tpr[::-1], 1 - at)


def roc_columns(points: RocPoints) -> Numbers:
    """Return the number columns of an ROC curve."""
    return {name: getattr(points, name) for name in POINT}


def next_of_sample(
    sample: Sample, k: int, threshold: Sequence[float] | FloatArray, *, given: bool = False
) -> FloatArray:
    """Return the nearest score of predictor ``k`` that each threshold does not call positive.

    It is NaN of binned scores, and of thresholds that were ``given`` by the user as a decimal
    number.
    """
    threshold = np.asarray(threshold, dtype=np.float64)
    # A number between two bins may lie inside one of them.
    if is_binned(sample):
        return np.full(len(threshold), np.nan)
    counts, higher = sample.cases.counts(k), sample.higher_is_positive[k]
    found = roc_points(counts, higher_is_positive=higher).next_scores(threshold)
    return next_of_given(found, threshold) if given else found


# --- Truth-state runs -----------------------------------------------------------------------------


def run_numbers(n_pos: FloatArray, n_neg: FloatArray) -> IntArray:
    """Return the run number of each score, from 0; a score without cases joins the run before."""
    kept = n_pos + n_neg > 0
    pos, neg = n_pos[kept] > 0, n_neg[kept] > 0
    mixed = pos & neg
    # A tie of both classes is a sloped piece of its own: it ends one run and starts the next.
    starts = mixed[1:] | mixed[:-1] | (pos[1:] != pos[:-1])
    number = np.zeros(len(kept), dtype=np.intp)
    number[kept] = np.concatenate([[0], np.cumsum(starts)])
    return np.asarray(np.maximum.accumulate(number))


# --- The question ---------------------------------------------------------------------------------

ROC_CURVE = Question(
    "roc_curve",
    columns_in(f"{CURVE} fpr tpr fp tp"),
    ("fawcett-2004",),
    binned=True,
)


def roc_curve(
    sample: Sample, *, ties: Ties = "expected", by: Literal["fold"] | None = None
) -> pd.DataFrame:
    """Return the empirical ROC curve of every predictor; a row is one vertex.

    Parameters
    ----------
    ties : {"expected", "optimistic", "pessimistic"}, default "expected"
        Treatment of scores that are tied between the classes.

        - "expected": a sloped line segment, which is the mean over all orderings of the tied cases.
        - "optimistic": positives are ranked first.
        - "pessimistic": negatives are ranked first.

        "optimistic" and "pessimistic" add a corner to the curve for each tie. The row of a corner
        has the tied score as ``threshold``, but no threshold gives the rates of a corner.
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, next_score, fpr, tpr, fp, tp``;
        curves are sorted by group, then predictor. The first row of each curve is (0, 0) with an
        infinite threshold. Every distinct score has a row.

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds; if ``by="fold"`` and a fold lacks a class; or
        if an option is unknown.

    Notes
    -----
    At threshold c, tpr is the share of positives with score >= c, and fpr is the share of negatives
    with score >= c. If lower scores of the predictor are positive, <= replaces >=. The curve is
    computed exactly from counts and has no interval. Frequencies and weights are used as counts.
    Clusters do not change a curve. In a group that lacks a class, the rate of that class is NaN.

    References
    ----------
    - Fawcett (2004), sections 3 and 4, algorithm 2, figures 3 and 6 [fawcett-2004]

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
    ROC_CURVE.refuse_covariates(sample)
    ties = require_choice("ties", ties, ("expected", "optimistic", "pessimistic"))
    if ties != "expected" and is_binned(sample):
        raise InputError(
            "`ties` must be 'expected' for binned scores, because bins are not ties; got"
            f" {ties!r}. Leave it out, or count the scores with exact=True."
        )

    def columns(counts: ScoreCounts, higher_is_positive: bool) -> Numbers:
        return roc_columns(roc_points(counts, higher_is_positive=higher_is_positive, ties=ties))

    return curve_answer(ROC_CURVE, sample, columns, by=by)


# --- Parts that all questions about curves share --------------------------------------------------


def curve_answer(
    question: Question,
    sample: Sample,
    columns: Callable[[ScoreCounts, bool], Numbers],
    *,
    by: Literal["fold"] | None,
    error: CurveError | None = None,
) -> pd.DataFrame:
    """Return the frame of a question about curves: every predictor in every group (and fold).

    Parameters
    ----------
    question : Question
        The question; the frame has its columns and references.
    sample : Sample
        The sample whose curves are returned.
    columns : callable
        Gives the number columns of a curve from its counts and the direction of the predictor.
    by : {"fold"}, optional
        A curve for each fold. By default folds are pooled, with a warning.
    error : callable, optional
        Gives the bound on the error that bins make at each row, from the columns of the curve and
        the count tables of the highest and the lowest curve of the same bins. By default it is 0:
        bins leave the vertices between them where they are.
    """
    curves = []
    parts = dict(sample.by_group()) if is_binned(sample) else {}
    for texts, k, cases in curve_samples(sample, by=by):
        counts, higher = cases.counts(k), sample.higher_is_positive[k]
        numbers = columns(counts, higher)
        if parts:
            tables = [
                one.cases.counts(k)
                for one in extreme_samples_of_binned_scores(parts[texts["group"]])
            ]
            size = np.zeros(len(numbers["threshold"]))
            # A number between two bins may lie inside one of them.
            unknown = {"next_score": np.full(len(size), np.nan)}
            bound = {BINNING_ERROR: error(numbers, tables) if error else size}
            numbers = {**numbers, **unknown, **bound}
        curves.append((texts, numbers))
    return curve_frame(question, curves, sample)


def curve_samples(
    sample: Sample, *, by: Literal["fold"] | None
) -> list[tuple[dict[str, str], int, ScoredCases]]:
    """Return the labels of each curve, the number of its predictor, and its cases.

    Curves come in the order of folds within predictors within groups. A fold without a class is an
    InputError; a group without a class, and pooled folds, give a warning.
    """
    by = require_by(sample, by)
    codes = ["pooled-folds"] if by is None and sample.fold is not None else []
    curves: list[tuple[dict[str, str], int, ScoredCases]] = []
    for group, part in sample.by_group():
        for k, name in enumerate(sample.predictors):
            own = own_sample(part, k)
            if own.cases.lacks_class:
                codes.append("one-class")
            elif by == "fold":
                require_fold_classes(own)
            pieces = own.cases.by_fold() if by == "fold" else [("", own.cases)]
            direction = ">=" if sample.higher_is_positive[k] else "<="
            for fold, piece in pieces:
                texts = {"predictor": name, "group": group, "fold": fold, "direction": direction}
                curves.append((texts, k, piece))
    # After all groups: each doubt is warned of once, whatever the number of curves.
    warn_of_doubts(codes, warned_doubts(sample))
    return curves


def require_by(sample: BaseSample, by: Literal["fold"] | None) -> Literal["fold"] | None:
    """Return ``by``; raise InputError unless None, or "fold" for a sample with folds."""
    by = require_choice("by", by, (None, "fold"))
    if by == "fold":
        require_cases(sample, "curves of folds")
    if by == "fold" and sample.fold is None:
        raise InputError("`by` must stay None without folds; got 'fold'. Pass fold= to the study.")
    return by


def curve_frame(
    question: Question,
    curves: Sequence[tuple[Texts, Numbers]],
    sample: BaseSample,
) -> pd.DataFrame:
    """Return the frame of a question about curves, one curve below the other.

    Parameters
    ----------
    question : Question
        The question; the frame has its columns and references.
    curves : sequence of pairs
        Texts and numbers of each curve, with the same names throughout.
    sample : BaseSample
        The study; without groups the text ``group`` is left out.
    """
    first_texts, first_numbers = curves[0]
    grouped, question = sample.group is not None, question_for(question, sample)
    # Labels are stored once a curve, with a code a row: a million vertices need no million strings.
    codes = np.repeat(np.arange(len(curves)), [len(next(iter(n.values()))) for _, n in curves])
    texts = {
        name: Labels([labels[name] for labels, _ in curves], codes)
        for name in first_texts
        if name != "group" or grouped
    }
    # A single curve of millions of points is not copied.
    numbers = first_numbers
    if len(curves) > 1:
        numbers = {name: np.concatenate([n[name] for _, n in curves]) for name in first_numbers}
    return make_frame(
        question,
        {**texts, **numbers},
        grouped=grouped,
        group=sample.group,
        shown=print_attrs(sample),
    )


# --- The DET curve: both error rates on normal-deviate scales -------------------------------------

DET_CURVE = Question(
    "det_curve",
    columns_in(f"{CURVE} fpr fnr fpr_deviate fnr_deviate fp tp"),
    (
        "martin-1997",
        "fawcett-2004",
    ),
    binned=True,
)


def det_curve(sample: Sample, *, by: Literal["fold"] | None = None) -> pd.DataFrame:
    """Return the DET curve (detection error tradeoff) of every predictor; a row is one threshold.

    Parameters
    ----------
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, next_score, fpr, fnr, fpr_deviate,
        fnr_deviate, fp, tp``. Deviates are infinite for rates of 0 and 1. The first row of a curve
        has fpr 0 and fnr 1; the last row has fpr 1 and fnr 0.

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds; if ``by="fold"`` and a fold lacks a class; or
        if an option is unknown.

    Notes
    -----
    The false negative rate is fnr = 1 - tpr. The deviate of a rate is its probit (standard normal
    quantile). The DET curve is the ROC curve with fnr instead of tpr, and with both axes stretched
    near 0 and 1. Curves of good predictors are then easier to distinguish. If scores are normal in
    both classes, the curve is a straight line of slope -sd_neg/sd_pos. An uninformative predictor
    has fnr_deviate = -fpr_deviate. The axes are scaled by normal deviates, not by logarithms.

    The curve is computed exactly from counts and has no interval. Frequencies and weights are used
    as counts. Clusters do not change a curve. In a group that lacks a class, the rate of that class
    is NaN.

    References
    ----------
    - Martin, Doddington, Kamm, Ordowski & Przybocki (1997) [martin-1997]
    - Fawcett (2004), section 7.5.1 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> columns = ["threshold", "fpr", "fnr", "fpr_deviate", "fnr_deviate"]
    >>> study.det_curve()[columns].round(3)
       threshold  fpr    fnr  fpr_deviate  fnr_deviate
    0        inf  0.0  1.000         -inf          inf
    1        0.9  0.0  0.667         -inf        0.431
    2        0.8  0.0  0.333         -inf       -0.431
    3        0.7  0.5  0.333          0.0       -0.431
    4        0.6  1.0  0.000          inf         -inf
    """
    DET_CURVE.refuse_covariates(sample)
    return curve_answer(DET_CURVE, sample, _det_columns, by=by)


def _det_columns(counts: ScoreCounts, higher_is_positive: bool) -> Numbers:
    """Return the number columns of a DET curve."""
    points = roc_points(counts, higher_is_positive=higher_is_positive)
    # fnr comes from counts: the deviate of 1 - tpr would lose all digits of a small rate.
    return {
        "threshold": points.threshold,
        "next_score": points.next_score,
        "fpr": points.fpr,
        "fnr": points.fnr,
        "fp": points.fp,
        "tp": points.tp,
        "fpr_deviate": ndtri(points.fpr),
        "fnr_deviate": ndtri(points.fnr),
    }
