"""The questions about the convex hull of ROC curves: its vertices, and the least costly point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import (
    Hull,
    curve_prevalence,
    edge_slopes,
    hull_of,
    joint_hull,
    optimal_vertex,
)
from rocstats.curves.costs import least_costs
from rocstats.curves.roc import (
    Numbers,
    RocPoints,
    Texts,
    curve_frame,
    curve_samples,
    next_of_sample,
    roc_columns,
    roc_points,
    tpr_at,
)
from rocstats.errors import InputError, require_choice, require_cost, require_open_interval
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.frame.question import BINNING_ERROR, Question, columns_in
from rocstats.study.binned import extreme_samples_of_binned_scores, is_binned, largest_deviation
from rocstats.study.sample import Sample, own_sample, require_same_cases

# --- The vertices of hulls ------------------------------------------------------------------------

Across = Literal["predictors"]
ROC_HULL = Question(
    "roc_hull",
    columns_in(
        "hull predictor group direction threshold next_score fpr tpr fp tp slope_low slope_high"
    ),
    (
        "provost-2001",
        "fawcett-2004",
    ),
    binned=True,
)


def roc_hull(sample: Sample, *, across: Across | None = None) -> pd.DataFrame:
    """Return the convex hulls of the ROC curves; a row is one vertex of a hull.

    Parameters
    ----------
    across : {"predictors"}, optional
        One hull over the curves of all predictors, with the name "all". Use it to choose both
        predictor and threshold. By default each predictor has a separate hull.

    Returns
    -------
    pandas.DataFrame
        Columns ``hull, predictor, [group], direction, threshold, next_score, fpr, tpr, fp, tp,
        slope_low, slope_high``, from (0, 0) to (1, 1). A vertex has the lowest expected cost for
        slopes from ``slope_low`` to ``slope_high`` (see Notes). ``slope_low`` is 0 in the last row,
        and ``slope_high`` is infinite in the first row. With ``across``, the vertices (0, 0) and
        (1, 1) have an empty ``predictor`` and ``direction``, and ``threshold`` NaN. If several
        predictors share another vertex, the row has the earliest of these predictors.

    Raises
    ------
    InputError
        If ``across`` is not an option.

    Notes
    -----
    Two points have the same cost if they lie on a line of slope m = cost_fp (1 - prevalence) /
    (cost_fn prevalence). A point is optimal for some m if and only if it is on the upper convex
    hull of the curve. Points inside an edge are omitted, since they are never better than the ends
    of the edge. Two points are always vertices: (0, 0), where no case is called positive, and (1,
    1), where every case is called positive. If the first edge is vertical, (0, 0) is not optimal
    for any finite slope, and its ``slope_low`` is infinite.

    The hull is computed exactly from counts and has no interval. It is optimistic, since it selects
    the best points on the same cases. A point inside an edge corresponds to a random choice between
    the rules at the ends of the edge. Frequencies and weights are used as counts. Clusters change
    nothing. Folds are pooled, with a warning. A group that lacks a class has a row of NaN.

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
    ROC_HULL.refuse_covariates(sample)
    across = require_choice("across", across, (None, "predictors"))
    pieces: list[tuple[Texts, Numbers]] = []
    for name, group, hull in _requested_roc_hulls(sample, across):
        slopes = edge_slopes(hull.points)
        # A vertex is optimal between the slopes of its two edges, which fall along the hull; the
        # missing edges of the first and the last vertex are vertical and horizontal.
        numbers = {
            **roc_columns(hull.points),
            "next_score": _next_scores_of_hull(sample, group, hull),
            "slope_low": _hull_slopes_or_nan(hull, np.append(slopes, 0.0)),
            "slope_high": _hull_slopes_or_nan(hull, np.insert(slopes, 0, np.inf)),
        }
        if is_binned(sample):
            best = _hull_of_highest_binned_curve(sample, group)
            above = tpr_at(best.fpr, best.tpr, hull.points.fpr)
            numbers[BINNING_ERROR] = largest_deviation(hull.points.tpr, [above])
        # Labels belong to a whole piece of a frame, so that each run of one owner is a piece.
        for first, after in _runs_of_hull_owners(hull.owner):
            texts = {"hull": name, **_labels_of_hull_vertex(sample, int(hull.owner[first]), group)}
            pieces.append((texts, {key: array[first:after] for key, array in numbers.items()}))
    return curve_frame(ROC_HULL, pieces, sample)


def _requested_roc_hulls(sample: Sample, across: Across | None) -> Iterator[tuple[str, str, Hull]]:
    """Yield the name, the group and the vertices of each requested hull."""
    # A shared hull is of one population of cases.
    if across == "predictors":
        require_same_cases(sample)
    for group, hulls in hulls_by_group(sample).items():
        if across == "predictors":
            yield "all", group, joint_hull(hulls)
        else:
            for k, (name, hull) in enumerate(zip(sample.predictors, hulls, strict=True)):
                n = len(hull.fp)
                yield name, group, Hull(hull, np.full(n, k), np.full(n, False))


def hulls_by_group(sample: Sample) -> dict[str, list[RocPoints]]:
    """Return the hull of each predictor by group ("" without groups); warn as any curve does."""
    hulls: dict[str, list[RocPoints]] = {}
    for texts, k, cases in curve_samples(sample, by=None):
        points = roc_points(cases.counts(k), higher_is_positive=sample.higher_is_positive[k])
        hulls.setdefault(texts["group"], []).append(hull_of(points))
    return hulls


def _hull_slopes_or_nan(hull: Hull, slopes: FloatArray) -> FloatArray:
    """Set the slopes of a hull without vertices, that of a group without a class, to NaN."""
    return np.where(np.isnan(hull.points.fp), np.nan, slopes)


def _runs_of_hull_owners(owner: IntArray) -> Iterator[tuple[int, int]]:
    """Yield the first vertex of each run of equal owners, and the first vertex after the run."""
    # Owners are -1 or more: a -2 before them makes the first vertex start a run.
    starts = np.flatnonzero(np.diff(owner, prepend=-2)).tolist()
    return zip(starts, [*starts[1:], len(owner)], strict=True)


def _labels_of_hull_vertex(sample: Sample, owner: int, group: str) -> dict[str, str]:
    """Label a vertex with its predictor and direction; "" for (0, 0) and (1, 1) of a joint hull."""
    if owner < 0:
        return {"predictor": "", "group": group, "direction": ""}
    direction = ">=" if sample.higher_is_positive[owner] else "<="
    return {"predictor": sample.predictors[owner], "group": group, "direction": direction}


def _next_scores_of_hull(sample: Sample, group: str, hull: Hull) -> FloatArray:
    """Return the nearest score that each vertex of a hull does not call positive."""
    part = dict(sample.by_group())[group]
    found = np.full(len(hull.owner), np.nan)
    # A hull leaves out vertices: the next score is one of the curve.
    for k in np.unique(hull.owner[hull.owner >= 0]).tolist():
        mine = hull.owner == k
        found[mine] = next_of_sample(own_sample(part, k), k, hull.points.threshold[mine])
    return found


def _hull_of_highest_binned_curve(sample: Sample, group: str) -> RocPoints:
    """Return the hull of the highest curve of the bins of the one predictor of counts."""
    best, _ = extreme_samples_of_binned_scores(dict(sample.by_group())[group])
    return hull_of(roc_points(best.cases.counts(0), higher_is_positive=best.higher_is_positive[0]))


# --- The least costly point -----------------------------------------------------------------------

OPTIMAL_POINTS = Question(
    "optimal_points",
    columns_in(
        "predictor group direction threshold next_score slope cost_fp cost_fn prevalence fpr "
        "tpr fp tp expected_cost"
    ),
    (
        "provost-2001",
        "fawcett-2004",
    ),
    binned=True,
)


def optimal_points(
    sample: Sample,
    *,
    slope: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    across: Across | None = None,
) -> pd.DataFrame:
    """Return the point of lowest expected cost of every predictor; a row is one predictor.

    Parameters
    ----------
    slope : float > 0, optional
        Slope of the iso-performance lines in the unit square. Pass it instead of costs and
        prevalence.
    cost_fp, cost_fn : float > 0, optional
        Cost of a false positive and of a false negative, in one unit. Required if ``slope`` is not
        passed. Equal costs and the prevalence of the sample give the threshold of highest accuracy.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use. Default: the share in the sample or group
        (weighted with ``sample_weight``). This default is right only for a random sample of that
        population. Required for case-control samples, where the share of positives was chosen.
    across : {"predictors"}, optional
        One row for the best point over all predictors. By default each predictor has a row.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], direction, threshold, next_score, slope, cost_fp, cost_fn,
        prevalence, fpr, tpr, fp, tp, expected_cost``. With ``slope``, costs, prevalence and
        expected cost are NaN. With ``across``, a best point (0, 0) or (1, 1) has an empty
        ``predictor`` and ``threshold`` NaN.

    Raises
    ------
    InputError
        If ``slope`` is passed with a cost or ``prevalence``; if neither ``slope`` nor both costs
        are passed; or if a number is out of range.

    Notes
    -----
    The expected cost of a case is cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr). The
    cost is lowest where a line of slope m = cost_fp (1 - prevalence) / (cost_fn prevalence) touches
    the convex hull. If the line touches a whole edge, the end with the lower fpr is returned. If
    several predictors share the point, the earliest predictor is returned. The point depends only
    on the ratio of the costs and the prevalence.

    The point is the best point on these cases. Its cost is therefore optimistic. Evaluate the point
    on new cases. To correct for optimism and to get an interval, use ``cutpoints``. Folds are
    pooled, with a warning. A group that lacks a class has a row of NaN.

    References
    ----------
    - Fawcett (2004), sections 3.1 and 7.1, figure 4 [fawcett-2004]
    - Provost & Fawcett (2001) [provost-2001]

    Examples
    --------
    The scores of Fawcett's figure 4. A threshold of 0.5 classifies 80 % of the cases correctly, and
    the optimal threshold classifies all cases correctly:

    >>> import rocstats as rs
    >>> y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    >>> score = [0.99999, 0.99999, 0.99993, 0.99986, 0.99964, 0.99955,
    ...          0.68139, 0.50961, 0.48880, 0.44951]
    >>> best = rs.Study(y, score).optimal_points(cost_fp=1, cost_fn=1)
    >>> best[["threshold", "fpr", "tpr", "expected_cost"]]
       threshold  fpr  tpr  expected_cost
    0    0.99955  0.0  1.0            0.0
    """
    OPTIMAL_POINTS.refuse_covariates(sample)
    across = require_choice("across", across, (None, "predictors"))
    conditions = read_conditions(slope, cost_fp, cost_fn, prevalence)
    pieces: list[tuple[Texts, Numbers]] = []
    for _, group, hull in _requested_roc_hulls(sample, across):
        here = conditions.at(hull.points)
        best = optimal_vertex(hull.points, here.slope)
        columns = {
            **roc_columns(hull.points),
            "next_score": _next_scores_of_hull(sample, group, hull),
        }
        vertex = {name: array[best : best + 1] for name, array in columns.items()}
        # Fawcett 2004, section 7.1; NaN where a slope was given in place of the costs.
        cost = here.cost_fp * (1 - here.prevalence) * vertex["fpr"]
        cost += here.cost_fn * here.prevalence * (1 - vertex["tpr"])
        decided_by = {name: np.array([value]) for name, value in here._asdict().items()}
        texts = _labels_of_hull_vertex(sample, int(hull.owner[best]), group)
        numbers = {**vertex, **decided_by, "expected_cost": cost}
        if is_binned(sample):
            numbers[BINNING_ERROR] = _binning_error_of_least_cost(
                vertex, here, _hull_of_highest_binned_curve(sample, group)
            )
        pieces.append((texts, numbers))
    return curve_frame(OPTIMAL_POINTS, pieces, sample)


class CostConditions(NamedTuple):
    """Slope of the iso-performance lines, and costs and prevalence behind it; NaN if not given."""

    slope: float
    cost_fp: float
    cost_fn: float
    prevalence: float

    def at(self, points: RocPoints) -> CostConditions:
        """Return the conditions with a slope; prevalence is that of the curve unless given."""
        if not np.isnan(self.slope):
            return self
        share = curve_prevalence(points) if np.isnan(self.prevalence) else self.prevalence
        # Provost & Fawcett 2001: lines of this slope join points of equal expected cost.
        slope = self.cost_fp * (1 - share) / (self.cost_fn * share)
        return CostConditions(slope, self.cost_fp, self.cost_fn, share)


def read_conditions(
    slope: float | None, cost_fp: float | None, cost_fn: float | None, prevalence: float | None
) -> CostConditions:
    """Return validated conditions: a slope alone, or both costs with or without a prevalence."""
    given: dict[str, Any] = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}
    if slope is not None:
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"`{name}` must stay None when `slope` is given, which replaces costs and"
                    f" prevalence; got {value!r}. Leave one of them out."
                )
        require_open_interval("slope", slope, 0, np.inf)
        return CostConditions(float(slope), np.nan, np.nan, np.nan)
    for name in ("cost_fp", "cost_fn"):
        if given[name] is None:
            raise InputError(
                f"`{name}` must be given without `slope`; got None. Pass cost_fp= and cost_fn= (1"
                " and 1 for accuracy), or slope=."
            )
        require_cost(name, given[name])
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    share = np.nan if prevalence is None else float(prevalence)
    return CostConditions(np.nan, float(given["cost_fp"]), float(given["cost_fn"]), share)


def _binning_error_of_least_cost(
    vertex: Numbers, here: CostConditions, best: RocPoints
) -> FloatArray:
    """Return how much less the cost of the best point of all scores can be.

    In the unit of the costs; of slope fpr + 1 - tpr where a slope was given.
    """
    given = np.isnan(here.cost_fp)
    of_fp = here.slope if given else here.cost_fp * (1 - here.prevalence)
    of_fn = 1.0 if given else here.cost_fn * here.prevalence
    cost = of_fp * vertex["fpr"] + of_fn * (1 - vertex["tpr"])
    return largest_deviation(cost, [least_costs(best, np.array([of_fp]), np.array([of_fn]))])
