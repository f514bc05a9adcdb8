"""Concavities of a curve, and classifiers that repair them.

A concavity is a part of the curve below the
chord of its convex hull from A to C, deepest at B. Inverting the decisions between them gives the
point A + C - B [flach-2003]; Fisher's test of the two segments tests the concavity.
Derivations: docs/methods/costs.md, "Repaired concavities".
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import hull_vertices
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import class_size_columns
from rocstats.estimate.claim import ADJUSTMENTS, Adjustment, add_adjusted_p_values_to_rows
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.words import did_you_mean
from rocstats.frame.cutoffs import next_of_given
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import Question, RoleRefusal, columns_in
from rocstats.inference.classifiers.combine import (
    COMBINED_POINTS,
    NamedPoint,
    classifier_points_frame,
)
from rocstats.study.base import print_attrs, sample_notes
from rocstats.study.columns import require_complete
from rocstats.study.points import number_array
from rocstats.study.sample import Sample
from rocstats.study.vectors import read_scores, read_vector

CONCAVITIES = Question(
    "concavities",
    columns_in(
        "predictor direction threshold_start threshold threshold_end next_score_start next_score "
        "next_score_end fpr tpr "
        "fpr_repaired tpr_repaired p_value p_adjusted n_pos n_neg method note"
    ),
    ("flach-2003", "fawcett-2004"),
    # A rule is of one curve, and Fisher's test of independent counts.
    {
        role: RoleRefusal("not be in a study whose concavities are repaired", mend, "one")
        for role, mend in (
            ("group", "Make a study of each group."),
            ("fold", "Make a study of each fold."),
            ("cluster", "Fisher's test needs independent cases: keep one case of each cluster."),
            (
                "sample_weight",
                "Fisher's test needs counts: pass frequency=, or leave the weights out.",
            ),
        )
    },
)


class NestedThresholds(NamedTuple):
    """Thresholds of A, B and C, the most conservative first; None calls no case positive."""

    first: float | None
    middle: float
    last: float


class RepairedClassifier(NamedTuple):
    """Rules that invert the decisions of a score inside its concavities.

    Attributes
    ----------
    predictor : str
        The predictor of the study.
    higher_is_positive : bool
        Its direction.
    thresholds : tuple of NestedThresholds
        Those of each concavity.
    concavities : pandas.DataFrame
        One row a concavity: thresholds, deepest point, repaired point and test.
    points : pandas.DataFrame
        For each concavity A, B and C ("observed") and the repaired point ("repaired").
    """

    predictor: str
    higher_is_positive: bool
    thresholds: tuple[NestedThresholds, ...]
    concavities: pd.DataFrame
    points: pd.DataFrame

    def apply(self, scores: Any, *, concavity: int = 0) -> BoolArray:
        """Return which new cases are called positive by the repaired rule of a concavity.

        Parameters
        ----------
        scores : array-like of shape (n,)
            Scores of the predictor on the scale of the study.
        concavity : int, default 0
            Row of ``concavities``.
        """
        if concavity not in range(len(self.thresholds)):
            raise InputError(
                f"`concavity` must be a row of `concavities`, 0 to {len(self.thresholds) - 1};"
                f" got {concavity!r}. The study has {len(self.thresholds)} concavities."
            )
        vector = read_vector(scores, "scores")
        require_complete(vector)
        values = read_scores(vector)
        cuts = self.thresholds[concavity]
        sign = 1.0 if self.higher_is_positive else -1.0
        # Above A as A, between B and C as C, between A and B not: B' = A + C - B on nested calls.
        if cuts.first is None:
            first = np.zeros(len(values), dtype=bool)
        else:
            first = sign * values >= sign * cuts.first
        between = (sign * values >= sign * cuts.last) & (sign * values < sign * cuts.middle)
        return np.asarray(first | between)


def repair_concavities(
    study: Sample,
    *,
    predictor: str | None = None,
    thresholds: Any = None,
    adjust: Adjustment = "holm",
) -> RepairedClassifier:
    """Return decision rules that repair concavities of a ROC curve, with a test of each concavity.

    Parameters
    ----------
    study : Study
        Study of the score; a row with frequency f counts as f cases.
    predictor : str, optional
        Predictor; required if the study has several.
    thresholds : three numbers, optional
        Thresholds of the points A, B and C, the strictest first. The strictest threshold is the
        highest, or the lowest if low scores indicate the positive class. An infinite first
        threshold calls no case positive. By default all concavities are found. A and C are then
        neighbours on the convex hull, and B is the vertex farthest below the line AC.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all concavities found.

    Returns
    -------
    RepairedClassifier
        ``concavities`` is a frame with the columns ``predictor, direction, threshold_start,
        threshold, threshold_end, fpr, tpr, fpr_repaired, tpr_repaired, p_value, p_adjusted, n_pos,
        n_neg, method, note``, with one row per concavity from left to right. A row has the
        thresholds of A, B and C, and the rates of B and of the repaired point B'. ``points`` has
        the columns ``predictor, kind, fpr, tpr``. Its rows are A, B, C ("observed") and B'
        ("repaired") of each concavity. ``apply(scores, concavity=0)`` gives the decisions of B' on
        other cases.

    Raises
    ------
    InputError
        If the study has groups, folds, clusters or weights; if the predictor is missing or unknown;
        if the thresholds are not nested; or if B is not below the line AC.

    Warns
    -----
    StatisticalWarning
        If the tested concavity was found in these cases (``selected-concavity``).

    Notes
    -----
    In a concavity the curve becomes steeper: the share of positives is smaller between A and B
    (higher scores) than between B and C. B' calls a case positive if A calls it positive, or if C
    but not B calls it positive. Decisions inside the concavity are thus inverted. A, B and C are
    thresholds on one score. The point B' = A + C - B is therefore exactly the reflection of B in
    the midpoint of AC.

    The test is Fisher's two-sided exact test of the table of class by segment (AB or BC). Every
    finite sample has concavities by chance. Repairs of such concavities do not help on new cases.
    For a concavity found in these cases the p value is too small, even after adjustment, and the
    rates are optimistic. Find concavities in training data, and evaluate B' on other cases. The
    test is valid for ``thresholds`` chosen beforehand. Each rule repairs one concavity. A random
    mixture of A and C (``interpolate_classifiers``) reaches the line AC without a test.

    References
    ----------
    - Fawcett (2004), section 7.4.2 and figure 11 [fawcett-2004]
    - Flach & Wu (2003) [flach-2003]

    Examples
    --------
    B = (0.4, 0.65) is below the chord from A = (0.2, 0.6) to C = (0.6, 0.9):

    >>> import rocstats as rs
    >>> y, score, n = [1, 1, 1, 1, 0, 0, 0, 0], [4, 3, 2, 1] * 2, [12, 1, 5, 2, 2, 2, 2, 4]
    >>> study = rs.Study(y, score, frequency=n)
    >>> repaired = rs.repair_concavities(study, thresholds=(4, 3, 2))
    >>> repaired.points.round(2)
      predictor      kind    fpr    tpr
    0     score  observed  0.200  0.600
    1     score  observed  0.400  0.650
    2     score  observed  0.600  0.900
    3     score  repaired  0.400  0.850
    [4 rows, 4 columns in all]
    >>> repaired.concavities["p_value"].round(3).tolist()
    [0.5]
    >>> repaired.apply([5, 4, 3, 2, 1])
    array([ True,  True, False,  True, False])
    """
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    k = _read_predictor_to_repair(study, predictor)
    CONCAVITIES.require_roles(study)
    higher = study.higher_is_positive[k]
    points = roc_points(study.cases.counts(k), higher_is_positive=higher)
    # Found in the same cases, a concavity is the deepest of many: its p value needs a warning.
    if thresholds is None:
        vertices = find_concavities(points)
        cuts, codes = points.threshold[vertices], ["selected-concavity", *sample_notes(study)]
    else:
        vertices, cuts = _read_concavity_corners(points, thresholds, higher)
        codes = sample_notes(study)
    rows = [
        _concavity_row(study, k, points, *pair, codes, given=thresholds is not None)
        for pair in zip(vertices, cuts, strict=True)
    ]
    add_adjusted_p_values_to_rows(rows, adjust)
    return RepairedClassifier(
        study.predictors[k],
        higher,
        tuple(
            NestedThresholds(None if first == 0 else float(a), float(b), float(c))
            for (first, _, _), (a, b, c) in zip(vertices, cuts, strict=True)
        ),
        estimate_frame(CONCAVITIES, rows, grouped=False, shown=print_attrs(study)),
        classifier_points_frame(
            _concavity_corner_points(study.predictors[k], points, vertices),
            COMBINED_POINTS._replace(references=CONCAVITIES.references),
        ),
    )


def _read_predictor_to_repair(study: Sample, predictor: str | None) -> int:
    if not isinstance(study, Sample):
        raise InputError(
            f"`study` must be a Study; got {type(study).__name__}. Describe the cases with Study."
        )
    if predictor is None and len(study.predictors) == 1:
        return 0
    if not isinstance(predictor, str) or predictor not in study.predictors:
        raise InputError(
            f"`predictor` must be one of {list(study.predictors)}; got"
            f" {predictor!r}.{did_you_mean(predictor, study.predictors) or ' Name the predictor.'}"
        )
    return study.predictors.index(predictor)


def _read_concavity_corners(
    points: RocPoints, thresholds: Any, higher: bool
) -> tuple[IntArray, FloatArray]:
    """Return the vertices of three given thresholds, and the thresholds, as one row each."""
    cuts = number_array(thresholds)
    if cuts.shape != (3,) or np.isnan(cuts).any():
        raise InputError(
            f"`thresholds` must be three numbers; got {thresholds!r}. Pass the thresholds of A, B"
            " and C, the strictest first."
        )
    # The vertex of the last score that is called positive; the infinite threshold is vertex 0.
    sign = -1.0 if higher else 1.0
    reached = np.searchsorted(sign * points.threshold[1:], sign * cuts, side="right")
    # No searchsorted for (0, 0): its infinite threshold is beyond infinite scores as well.
    vertices = np.where(cuts == points.threshold[0], 0, reached)
    a, b, c = vertices.tolist()
    if not a < b < c:
        calls = (points.fp + points.tp)[vertices]
        raise InputError(
            "`thresholds` must become less strict (each calls more cases positive than the"
            f" previous); got {cuts.tolist()}, which call {calls.tolist()}. Pass the strictest"
            " first."
        )
    # "not > 0" refuses NaN and a middle point on the chord, whose reflection is itself.
    if not depth_below_chord(points, a, c)[b - a] > 0:
        raise InputError(
            f"`thresholds` must have B below the line AC; got {cuts.tolist()} with B at"
            f" ({points.fpr[b]:.4g}, {points.tpr[b]:.4g}). There is nothing to repair."
        )
    return vertices[None, :], cuts[None, :]


# --- Concavities of a curve, and the points of their repair ---------------------------------------


def find_concavities(points: RocPoints) -> IntArray:
    """Return the vertices A, B and C of each concavity, a row each, from left to right.

    A and C are neighbours on the convex hull, B is the vertex deepest below their chord (the most
    conservative of several). The curve runs from (0, 0) to (1, 1) without repeated vertices.
    """
    concavities = []
    for a, c in pairwise(hull_vertices(points.fp, points.tp).tolist()):
        depth = depth_below_chord(points, a, c)
        b = int(np.argmax(depth))
        if depth[b] > 0:
            concavities.append((a, a + b, c))
    return np.array(concavities, dtype=np.intp).reshape(-1, 3)  # (0, 3) for a concave curve


def depth_below_chord(points: RocPoints, a: int, c: int) -> FloatArray:
    """Return the depth of the vertices from a to c below the chord from a to c.

    The unit is a product of counts; vertices above the chord have a negative depth.
    """
    # A cross product instead of a distance: exact for counts below 2^26.
    fp = points.fp[a : c + 1] - points.fp[a]
    tp = points.tp[a : c + 1] - points.tp[a]
    return np.asarray(tp[-1] * fp - fp[-1] * tp)


def vertex_reflected_in_chord(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]
) -> tuple[float, float]:
    """Return A + C - B: B reflected in the middle of AC (Flach & Wu 2003)."""
    return a[0] + c[0] - b[0], a[1] + c[1] - b[1]


# --- Rows -----------------------------------------------------------------------------------------


def _concavity_row(
    study: Sample,
    k: int,
    points: RocPoints,
    vertices: IntArray,
    cuts: FloatArray,
    codes: list[str],
    *,
    given: bool,
) -> dict[str, Any]:
    """Return the row of a concavity: its points, and Fisher's test of its two segments."""
    # Imported here: scipy.stats is slow to load, and most questions do without it.
    from scipy.stats import fisher_exact

    a, b, c = vertices.tolist()
    after = points.next_scores(cuts)
    after = next_of_given(after, cuts) if given else after
    # Positives and negatives between A and B, and between B and C.
    segments = np.array([np.diff(points.tp[[a, b, c]]), np.diff(points.fp[[a, b, c]])])
    repaired = vertex_reflected_in_chord(
        *((float(points.fpr[i]), float(points.tpr[i])) for i in (a, b, c))
    )
    return {
        "predictor": study.predictors[k],
        "direction": ">=" if study.higher_is_positive[k] else "<=",
        "threshold_start": cuts[0],
        "threshold": cuts[1],
        "threshold_end": cuts[2],
        "next_score_start": after[0],
        "next_score": after[1],
        "next_score_end": after[2],
        "fpr": points.fpr[b],
        "tpr": points.tpr[b],
        "fpr_repaired": repaired[0],
        "tpr_repaired": repaired[1],
        "p_value": float(fisher_exact(segments).pvalue),
        **class_size_columns(study),
        "method": "fisher/exact",
        "note": codes,
    }


def _concavity_corner_points(name: str, points: RocPoints, vertices: IntArray) -> list[NamedPoint]:
    """Return A, B, C and B' of each concavity."""
    rows: list[NamedPoint] = []
    for corners in vertices.tolist():
        positions = [(float(points.fpr[i]), float(points.tpr[i])) for i in corners]
        rows += [(name, "observed", position) for position in positions]
        rows.append((name, "repaired", vertex_reflected_in_chord(*positions)))
    return rows
