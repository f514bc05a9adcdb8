"""The upper convex hull of ROC curves, and the vertex that costs least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.points.roc import (
    Numbers,
    RocPoints,
    Texts,
    curve_frame,
    curve_samples,
    roc_points,
)
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.questions import Question, columns_in
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.sample import Sample

Across = Literal["predictors"]

OPTIMAL_POINTS = Question(
    "optimal_points",
    columns_in(
        "predictor group direction threshold slope cost_fp cost_fn prevalence fpr "
        "tpr fp tp expected_cost"
    ),
    (
        "provost-2001",
        "fawcett-2004",
    ),
)

ROC_HULL = Question(
    "roc_hull",
    columns_in("hull predictor group direction threshold fpr tpr fp tp slope_low slope_high"),
    (
        "provost-2001",
        "fawcett-2004",
    ),
)

# Sums of weights, and slopes worked out from costs, that differ by less are equal.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Hull:
    """Vertices of a hull from (0, 0) to (1, 1).

    ``owner`` is the number of the predictor whose point it is (the earliest of several), -1 at
    the ends that all have; ``tied`` says that several predictors share the vertex.
    """

    points: RocPoints
    owner: IntArray
    tied: BoolArray


@dataclass(frozen=True)
class _Conditions:
    """What decides which point costs least; NaN is what was not given."""

    slope: float
    cost_fp: float
    cost_fn: float
    prevalence: float

    def at(self, points: RocPoints) -> _Conditions:
        """Return the conditions on a curve, whose prevalence is taken where none was given."""
        if not np.isnan(self.slope):
            return self
        share = share_of_positives(points) if np.isnan(self.prevalence) else self.prevalence
        slope = self.cost_fp * (1 - share) / (self.cost_fn * share)
        return _Conditions(slope, self.cost_fp, self.cost_fn, share)


def hull_vertices(x: FloatArray, y: FloatArray) -> IntArray:
    """Return where the vertices of the upper convex hull stand, points on an edge left out.

    The points come by rising x, at equal x by rising y, each once. A point on or below the line
    between its neighbours is no vertex, so all such points go at once, again and again. Few going
    at once could take long; then the monotone chain finishes, so that the time is linear.
    """
    at = np.arange(len(x))
    while True:
        dx, dy = np.diff(x), np.diff(y)
        falls = dx[:-1] * dy[1:] < dy[:-1] * dx[1:]
        left = np.concatenate(([0], np.flatnonzero(falls) + 1, [len(x) - 1]))
        few_went = len(left) > 0.9 * len(x)
        if len(left) == len(x):
            return at
        x, y, at = x[left], y[left], at[left]
        if few_went:
            return at[_monotone_chain(x.tolist(), y.tolist())]


def _monotone_chain(x: list[float], y: list[float]) -> list[int]:
    """Return where the vertices stand, going back over those that a later point puts below."""
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (x[b] - x[a]) * (y[i] - y[b]) < (y[b] - y[a]) * (x[i] - x[b]):
                break
            kept.pop()
        kept.append(i)
    return kept


def hull_of(points: RocPoints) -> RocPoints:
    """Return the hull vertices of a curve; one vertex of NaN where a class has no members."""
    if not (points.fp[-1] > 0 and points.tp[-1] > 0):
        return RocPoints(*np.full((3, 1), np.nan))
    at = _distinct(points.fp, points.tp)
    at = at[hull_vertices(points.fp[at], points.tp[at])]
    return RocPoints(points.threshold[at], points.fp[at], points.tp[at])


def joint_hull(hulls: Sequence[RocPoints]) -> Hull:
    """Return the hull of the hulls of several predictors on the same cases."""
    if len(hulls) == 1 or np.isnan(hulls[0].fp[0]):
        n = len(hulls[0].fp)
        alone = len(hulls) == 1
        return Hull(hulls[0], np.full(n, 0 if alone else -1), np.full(n, not alone))
    fp = _without_rounding(np.concatenate([hull.fp for hull in hulls]))
    tp = _without_rounding(np.concatenate([hull.tp for hull in hulls]))
    threshold = np.concatenate([hull.threshold for hull in hulls])
    owner = np.repeat(np.arange(len(hulls)), [len(hull.fp) for hull in hulls])
    order = np.lexsort((owner, tp, fp))
    fp, tp = fp[order], tp[order]
    first = _distinct(fp, tp)
    tied = np.diff(first, append=len(fp)) > 1
    at = hull_vertices(fp[first], tp[first])
    chosen = order[first[at]]
    threshold, owner = threshold[chosen], owner[chosen]
    threshold[[0, -1]], owner[[0, -1]] = np.nan, -1
    return Hull(RocPoints(threshold, fp[first[at]], tp[first[at]]), owner, tied[at])


def _distinct(x: FloatArray, y: FloatArray) -> IntArray:
    """Return where each point that differs from the one before it stands."""
    moves = np.ones(len(x), dtype=bool)
    moves[1:] = (x[1:] != x[:-1]) | (y[1:] != y[:-1])
    return np.flatnonzero(moves)


def _without_rounding(values: FloatArray) -> FloatArray:
    """Return the values, those that differ by rounding only (sums of weights) made equal."""
    order = np.argsort(values)
    ascending = values[order]
    new = np.diff(ascending, prepend=-np.inf) > _ROUNDING * ascending[-1]
    equal = np.empty_like(values)
    equal[order] = ascending[new][np.cumsum(new) - 1]
    return equal


def edge_slopes(hull: RocPoints) -> FloatArray:
    """Return the slope of each edge of a hull in the unit square, infinite where it is upright."""
    with np.errstate(divide="ignore"):
        slopes: FloatArray = np.diff(hull.tp) / np.diff(hull.fp) * (hull.fp[-1] / hull.tp[-1])
    return slopes


def optimal_vertex(hull: RocPoints, slope: float) -> int:
    """Return the vertex that iso-performance lines of a slope touch, the lower end of an edge."""
    return int(np.count_nonzero(edge_slopes(hull) > slope * (1 + _ROUNDING)))


def hulls_of(cases: ScoredCases) -> list[RocPoints]:
    """Return the hull of every predictor's curve."""
    return [
        hull_of(roc_points(cases.counts(k), higher_is_positive=higher))
        for k, higher in enumerate(cases.higher_is_positive)
    ]


def hulls_by_group(sample: Sample) -> dict[str, list[RocPoints]]:
    """Return the hulls in each group ("" without groups), with the warnings of any curve."""
    parts = {texts["group"]: cases for texts, _, cases in curve_samples(sample, by=None)}
    return {group: hulls_of(cases) for group, cases in parts.items()}


def _asked_hulls(sample: Sample, across: Across | None) -> Iterator[tuple[str, str, Hull]]:
    """Yield the name of each hull asked for, its group, and the hull."""
    for group, hulls in hulls_by_group(sample).items():
        if across == "predictors":
            yield "all", group, joint_hull(hulls)
        else:
            for k, (name, hull) in enumerate(zip(sample.predictors, hulls, strict=True)):
                n = len(hull.fp)
                yield name, group, Hull(hull, np.full(n, k), np.full(n, False))


def _texts_of(sample: Sample, owner: int, group: str) -> dict[str, str]:
    """Return whose vertex it is; one that all predictors have is nobody's."""
    if owner < 0:
        return {"predictor": "", "group": group, "direction": ""}
    direction = ">=" if sample.higher_is_positive[owner] else "<="
    return {"predictor": sample.predictors[owner], "group": group, "direction": direction}


def _vertices(points: RocPoints) -> dict[str, FloatArray]:
    """Return the columns that every vertex has."""
    return {
        "threshold": points.threshold,
        "fpr": points.fpr,
        "tpr": points.tpr,
        "fp": points.fp,
        "tp": points.tp,
    }


def roc_hull(sample: Sample, *, across: Across | None = None) -> pd.DataFrame:
    """Return the convex hulls of the ROC curves; a row is one vertex of a hull.

    Parameters
    ----------
    across : {"predictors"}, optional
        One hull over the curves of all predictors, named "all": the rules worth keeping when a
        predictor may be chosen with the threshold. By default each predictor has its own hull.

    Returns
    -------
    pandas.DataFrame
        Columns ``hull, predictor, [group], direction, threshold, fpr, tpr, fp, tp, slope_low,
        slope_high``, from (0, 0) to (1, 1). The vertex has the least expected cost for slopes from
        ``slope_low`` (0 in the last row) to ``slope_high`` (infinite in the first). Across
        predictors, (0, 0) and (1, 1) belong to all: ``predictor`` and ``direction`` are "" and
        ``threshold`` is NaN; another vertex that several share is given to the earliest.

    Raises
    ------
    InputError
        If ``across`` is an unknown word.

    Notes
    -----
    Two points cost the same if they lie on a line of slope m = cost_fp (1 - prevalence) /
    (cost_fn prevalence); a point can be optimal for some m iff it is on the upper convex hull of
    the curve. Points inside an edge are left out: they are never better than its ends.
    (0, 0) and (1, 1), calling nobody or everybody positive, are always vertices; where the first
    edge is upright (``slope_low`` infinite) (0, 0) is optimal for no finite slope.

    Exact geometry on counts, in O(n log n) for the sort and O(n) after it; no interval. The hull
    flatters: it is the best of the curve's points on the cases that drew it. Edges are reached by
    drawing lots between the rules at their ends. Frequencies and weights enter as counts, clusters
    change nothing, folds are pooled (with a warning). A group without a class has a row of NaN.

    References
    ----------
    - Fawcett (2004), section 7.1 [fawcett-2004]
    - Provost & Fawcett (2001) [provost-2001]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    >>> study.roc_hull()[["threshold", "fpr", "tpr", "slope_low", "slope_high"]].round(3)
       threshold    fpr    tpr  slope_low  slope_high
    0        inf  0.000  0.000        inf         inf
    1        0.8  0.000  0.667        1.0         inf
    2        0.6  0.333  1.000        0.0         1.0
    3        0.4  1.000  1.000        0.0         0.0
    """
    require_choice("across", across, (None, "predictors"))
    pieces: list[tuple[Texts, Numbers]] = []
    for name, group, hull in _asked_hulls(sample, across):
        slopes = edge_slopes(hull.points)
        numbers = {
            **_vertices(hull.points),
            "slope_low": _undefined_like(hull, np.append(slopes, 0.0)),
            "slope_high": _undefined_like(hull, np.insert(slopes, 0, np.inf)),
        }
        for first, after in _runs(hull.owner):
            texts = {"hull": name, **_texts_of(sample, int(hull.owner[first]), group)}
            pieces.append((texts, {key: array[first:after] for key, array in numbers.items()}))
    return curve_frame(ROC_HULL, pieces, grouped=sample.group is not None)


def _runs(owner: IntArray) -> Iterator[tuple[int, int]]:
    """Yield where each run of equal owners begins and where the next one does."""
    starts = np.flatnonzero(np.diff(owner, prepend=-2)).tolist()
    return zip(starts, [*starts[1:], len(owner)], strict=True)


def _undefined_like(hull: Hull, slopes: FloatArray) -> FloatArray:
    return np.where(np.isnan(hull.points.fp), np.nan, slopes)


def optimal_points(
    sample: Sample,
    *,
    slope: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    across: Across | None = None,
) -> pd.DataFrame:
    """Return the least costly point of every predictor; a row is one predictor's best rule.

    Parameters
    ----------
    slope : float > 0, optional
        Slope of the iso-performance lines in the unit square, in place of costs and prevalence.
    cost_fp, cost_fn : float > 0, optional
        Cost of a false positive and of a false negative, in one unit; needed without ``slope``.
        Equal costs and the sample's own prevalence give the threshold of highest accuracy.
    prevalence : float in (0, 1), optional
        Share of positives where the rule will be used. Default: that of the sample (of the group;
        of the weights under ``sample_weight``), right only if the sample was drawn from there.
        Case-control samples, whose share of positives was designed, must not leave it out.
    across : {"predictors"}, optional
        One row for the best point over all predictors. By default each predictor has a row.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], direction, threshold, slope, cost_fp, cost_fn, prevalence,
        fpr, tpr, fp, tp, expected_cost``. When ``slope`` is given, costs, prevalence and expected
        cost are NaN. Across predictors, a best point (0, 0) or (1, 1) is nobody's: ``predictor``
        is "" and ``threshold`` NaN.

    Raises
    ------
    InputError
        If neither a slope nor both costs are given, or both are, or a number is out of its range.

    Notes
    -----
    Expected cost of a case: cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr). It is
    least where a line of slope m = cost_fp (1 - prevalence) / (cost_fn prevalence) touches the
    convex hull. If it touches along an edge, the more conservative end is given: the one with the
    lower fpr; likewise the earlier predictor where several share the point. Only the ratio of the
    costs moves the point.

    The point is the best on these very cases, so its cost there is optimistic; judge it on new
    cases. Not an estimate of a population cutpoint: no interval is given. Folds are pooled (with
    a warning). A group without a class has a row of NaN.

    References
    ----------
    - Fawcett (2004), sections 3.1 and 7.1, figure 4 [fawcett-2004]
    - Provost & Fawcett (2001) [provost-2001]

    Examples
    --------
    Figure 4 of Fawcett: calling scores above 0.5 positive is right in 80 % of the cases, another
    threshold is right in all of them:

    >>> import rocstats as rs
    >>> y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> score = [0.99999, 0.99999, 0.99993, 0.99986, 0.99964, 0.99955,
    ...          0.68139, 0.50961, 0.48880, 0.44951]
    >>> best = rs.Study(y, score).optimal_points(cost_fp=1, cost_fn=1)
    >>> best[["threshold", "fpr", "tpr", "expected_cost"]]
       threshold  fpr  tpr  expected_cost
    0    0.99955  0.0  1.0            0.0
    """
    require_choice("across", across, (None, "predictors"))
    given = _read_conditions(slope, cost_fp, cost_fn, prevalence)
    pieces: list[tuple[Texts, Numbers]] = []
    for _, group, hull in _asked_hulls(sample, across):
        asked = given.at(hull.points)
        best = optimal_vertex(hull.points, asked.slope)
        vertex = {name: array[best : best + 1] for name, array in _vertices(hull.points).items()}
        cost = asked.cost_fp * (1 - asked.prevalence) * vertex["fpr"]
        cost += asked.cost_fn * asked.prevalence * (1 - vertex["tpr"])
        conditions = {name: np.array([value]) for name, value in vars(asked).items()}
        texts = _texts_of(sample, int(hull.owner[best]), group)
        pieces.append((texts, {**vertex, **conditions, "expected_cost": cost}))
    return curve_frame(OPTIMAL_POINTS, pieces, grouped=sample.group is not None)


def _read_conditions(
    slope: float | None, cost_fp: float | None, cost_fn: float | None, prevalence: float | None
) -> _Conditions:
    """Return either a slope or both costs, each in its range; NaN is what was not given."""
    given: dict[str, Any] = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}
    if slope is not None:
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"`{name}` must stay None when `slope` is given, which stands for costs and"
                    f" prevalence; got {value!r}. Leave one of them out."
                )
        require_open_interval("slope", slope, 0, np.inf)
        return _Conditions(float(slope), np.nan, np.nan, np.nan)
    for name in ("cost_fp", "cost_fn"):
        if given[name] is None:
            raise InputError(
                f"`{name}` must be given when `slope` is not; got None."
                " Pass cost_fp= and cost_fn= (1 and 1 for accuracy), or slope=."
            )
        require_open_interval(name, given[name], 0, np.inf)
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    share = np.nan if prevalence is None else float(prevalence)
    return _Conditions(np.nan, float(given["cost_fp"]), float(given["cost_fn"]), share)


def share_of_positives(points: RocPoints) -> float:
    """Return the share of positives among the cases (or weights) that a curve counts."""
    return float(points.tp[-1] / (points.tp[-1] + points.fp[-1]))
