"""Conjunctions, disjunctions and chains of classifiers.

A combination has possible points (the bounds of Boole and Frechet), the point under independence
within each class and, if decisions are known, the observed point. A chain applies classifiers in
turn, the most conservative first, until a positive call: the disjunction of those on the convex
hull. All after [fawcett-2004].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import hull_vertices
from rocstats.curves.roc import tpr_at
from rocstats.errors import InputError, require_open_interval
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.tolerances import SAME
from rocstats.frame.make import make_frame
from rocstats.frame.question import Question, columns_in
from rocstats.study.tables import Classifiers, Position, read_calls, read_classifiers

# --- Conjunctions and disjunctions ----------------------------------------------------------------

CombinationRule = Literal["conjunction", "disjunction"]
NamedPoint = tuple[str, str, Position]
"""Predictor, kind and (fpr, tpr) of a point."""
COMBINED_POINTS = Question(
    "combined_points",
    columns_in("predictor kind fpr tpr"),
    ("fawcett-2004",),
)
_RULE_WORDS = {"conjunction": " and ", "disjunction": " or "}


class CombinedClassifier(NamedTuple):
    """A conjunction or disjunction of classifiers.

    Attributes
    ----------
    names : tuple of str
        The classifiers combined.
    rule : {"conjunction", "disjunction"}
        Whether all classifiers must call a case positive, or any.
    points : pandas.DataFrame
        Points of the classifiers and of their combination: ``predictor, kind, fpr, tpr``.
    """

    names: tuple[str, ...]
    rule: CombinationRule
    points: pd.DataFrame

    def apply(self, decisions: Any) -> BoolArray:
        """Return whether the combination calls each new case positive.

        Parameters
        ----------
        decisions : dict of array-like, or dataframe
            Decisions of each classifier on the same cases, by name: booleans, 0/1 or -1/1.
        """
        return combine(read_calls(decisions, self.names), self.rule)


def conjoin_classifiers(
    positions: Any = None, *, decisions: Any = None, y_true: Any = None, pos_label: Any = None
) -> CombinedClassifier:
    """Return the conjunction of classifiers: positive if all of them are positive.

    Parameters
    ----------
    positions : dict of (fpr, tpr), or dataframe, optional
        ROC points of two or more named classifiers. A frame has the columns ``predictor, fpr,
        tpr``, as from ``confusion_rates``. Required without ``decisions``.
    decisions : dict of array-like, or dataframe, optional
        Decisions of the classifiers on the same cases, as booleans, 0/1 or -1/1; passed instead of
        ``positions``.
    y_true : array-like of shape (n,), optional
        Labels of the cases in ``decisions``; required with ``decisions``.
    pos_label : object, optional
        Label of the positive class in ``y_true``. Needed unless the labels are 0/1, -1/1 or
        booleans.

    Returns
    -------
    CombinedClassifier
        ``apply(decisions)`` gives the decisions of the combination on other cases. ``points`` is a
        frame with the columns ``predictor, kind, fpr, tpr``; a row is a point of this ``kind``:

        - "observed": each classifier and, with ``decisions``, the combination.
        - "lower-bound", "upper-bound": opposite corners of the rectangle of possible rates.
        - "independent": the combination of classifiers that are independent within each class.

    Raises
    ------
    InputError
        If there are fewer than two classifiers; if a rate is outside [0, 1]; if a decision is not
        binary; if the numbers of cases differ; or if a class is missing.

    Notes
    -----
    Each rate of a conjunction of k classifiers is between max(0, sum of their rates - (k - 1)) and
    the least rate. Every such pair of rates is possible. The lower bound in the paper is 0, which
    is right only if the rates sum to at most k - 1. Under independence within each class the rates
    multiply. Classifiers trained for the same task agree more often than independent classifiers,
    so their observed rates are higher than under independence. There is no interval. If the
    combination was selected on these cases, evaluate it on other cases (section 7.4.5).

    References
    ----------
    - Fawcett (2004), section 7.4.3 and figure 12 [fawcett-2004]

    Examples
    --------
    Figure 12's expected position (0.08, 0.42):

    >>> import rocstats as rs
    >>> both = rs.conjoin_classifiers({"c1": (0.2, 0.6), "c2": (0.4, 0.7)})
    >>> both.points.round(2)
       predictor         kind    fpr    tpr
    0         c1     observed  0.200  0.600
    1         c2     observed  0.400  0.700
    2  c1 and c2  lower-bound  0.000  0.300
    3  c1 and c2  upper-bound  0.200  0.600
    4  c1 and c2  independent  0.080  0.420
    [5 rows, 4 columns in all]
    >>> both.apply({"c1": [1, 1, 0, 0], "c2": [1, 0, 1, 0]})
    array([ True, False, False, False])
    """
    return _combination("conjunction", positions, decisions, y_true, pos_label)


def disjoin_classifiers(
    positions: Any = None, *, decisions: Any = None, y_true: Any = None, pos_label: Any = None
) -> CombinedClassifier:
    """Return the disjunction of classifiers: positive if any of them is positive.

    Parameters
    ----------
    positions, decisions, y_true, pos_label
        As in ``conjoin_classifiers``.

    Returns
    -------
    CombinedClassifier
        As from ``conjoin_classifiers``.

    Raises
    ------
    InputError
        As in ``conjoin_classifiers``.

    Notes
    -----
    Each rate of the disjunction is between the largest rate and min(1, sum of the rates), and every
    such pair of rates is possible. Under independence a rate is 1 - (1 - r1)(1 - r2)...; for two
    classifiers this is r1 + r2 - r1 r2. If classifiers agree more often than independent
    classifiers, the observed rates are lower.

    References
    ----------
    - Fawcett (2004), section 7.4.3 and figure 12 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> either = rs.disjoin_classifiers({"c1": (0.2, 0.6), "c2": (0.4, 0.7)})
    >>> either.points.round(2)
      predictor         kind    fpr    tpr
    0        c1     observed  0.200  0.600
    1        c2     observed  0.400  0.700
    2  c1 or c2  lower-bound  0.400  0.700
    3  c1 or c2  upper-bound  0.600  1.000
    4  c1 or c2  independent  0.520  0.880
    [5 rows, 4 columns in all]
    """
    return _combination("disjunction", positions, decisions, y_true, pos_label)


def _combination(
    rule: CombinationRule, positions: Any, decisions: Any, y_true: Any, pos_label: Any
) -> CombinedClassifier:
    classifiers = read_classifiers(positions, decisions, y_true, pos_label, least=2)
    rows = points_before_combination(classifiers) + combined_points(classifiers, rule)
    return CombinedClassifier(classifiers.names, rule, classifier_points_frame(rows))


def combine(calls: BoolArray, rule: CombinationRule) -> BoolArray:
    """Return the decisions of a combination from those of its classifiers, of shape (k, n)."""
    return np.asarray(calls.all(axis=0) if rule == "conjunction" else calls.any(axis=0))


def rate_bounds(rates: FloatArray, rule: CombinationRule) -> tuple[float, float]:
    """Return the lower and upper bound of a rate of a combination (Boole, Frechet)."""
    # The outer min and max keep the bounds in order where the sum of the rates is off by rounding.
    if rule == "conjunction":
        high = float(rates.min())
        return min(max(0.0, float(rates.sum()) - (len(rates) - 1)), high), high
    low = float(rates.max())
    return low, max(min(1.0, float(rates.sum())), low)


def independent_rate(rates: FloatArray, rule: CombinationRule) -> float:
    """Return the rate of a combination if its classifiers are independent within the class."""
    return float(np.prod(rates) if rule == "conjunction" else 1 - np.prod(1 - rates))


# --- Rows of points -------------------------------------------------------------------------------


def points_before_combination(classifiers: Classifiers) -> list[NamedPoint]:
    """Return the points of the classifiers before they are combined."""
    positions = zip(classifiers.names, classifiers.fpr, classifiers.tpr, strict=True)
    return [(name, "observed", (float(fpr), float(tpr))) for name, fpr, tpr in positions]


def combined_points(classifiers: Classifiers, rule: CombinationRule) -> list[NamedPoint]:
    """Return the bounds of a combination, its point under independence and, if known, its own."""
    name = _RULE_WORDS[rule].join(classifiers.names)
    fpr_low, fpr_high = rate_bounds(classifiers.fpr, rule)
    tpr_low, tpr_high = rate_bounds(classifiers.tpr, rule)
    expected = independent_rate(classifiers.fpr, rule), independent_rate(classifiers.tpr, rule)
    rows: list[NamedPoint] = [
        (name, "lower-bound", (fpr_low, tpr_low)),
        (name, "upper-bound", (fpr_high, tpr_high)),
        (name, "independent", expected),
    ]
    if classifiers.calls is not None and classifiers.is_positive is not None:
        called = combine(classifiers.calls, rule)
        positive = classifiers.is_positive
        rows.append((name, "observed", (called[~positive].mean(), called[positive].mean())))
    return rows


def classifier_points_frame(
    rows: Sequence[NamedPoint], question: Question = COMBINED_POINTS
) -> pd.DataFrame:
    """Return the frame of the points of classifiers and their combinations; a row is a point."""
    # There may be no rows, as for a curve without concavities, which zip(*rows) could not unpack.
    columns = {
        "predictor": [predictor for predictor, _, _ in rows],
        "kind": [kind for _, kind, _ in rows],
        "fpr": [fpr for _, _, (fpr, _) in rows],
        "tpr": [tpr for _, _, (_, tpr) in rows],
    }
    return make_frame(question, columns, grouped=False)


# --- Chains ---------------------------------------------------------------------------------------


class ClassifierChain(NamedTuple):
    """Classifiers applied in turn until one calls the case positive.

    Attributes
    ----------
    names : tuple of str
        The classifiers of the chain, the most conservative first.
    left_out : tuple of str
        Classifiers that the chain leaves out: below the hull, or above the highest cost.
    points : pandas.DataFrame
        Points of the classifiers and of the chain after each of them: ``predictor, kind, fpr,
        tpr``.
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    points: pd.DataFrame

    def apply(self, decisions: Any) -> BoolArray:
        """Return whether the chain calls each new case positive.

        Parameters
        ----------
        decisions : dict of array-like, or dataframe
            Decisions of each classifier of the chain on the same cases, by name: booleans, 0/1 or
            -1/1.
        """
        return combine(read_calls(decisions, self.names), "disjunction")


def chain_classifiers(
    positions: Any = None,
    *,
    decisions: Any = None,
    y_true: Any = None,
    pos_label: Any = None,
    max_cost: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
) -> ClassifierChain:
    """Return a chain of classifiers on the ROC hull, applied until one calls the case positive.

    Parameters
    ----------
    positions : dict of (fpr, tpr), or dataframe, optional
        ROC points of named classifiers. A frame has the columns ``predictor, fpr, tpr``, as from
        ``confusion_rates``. Required without ``decisions``.
    decisions : dict of array-like, or dataframe, optional
        Decisions of the classifiers on the same cases, as booleans, 0/1 or -1/1; passed instead of
        ``positions``.
    y_true : array-like of shape (n,), optional
        Labels of the cases in ``decisions``; required with ``decisions``.
    pos_label : object, optional
        Label of the positive class in ``y_true``. Needed unless the labels are 0/1, -1/1 or
        booleans.
    max_cost : float > 0, optional
        Highest acceptable expected cost per case. The chain ends with the most liberal classifier
        on the hull whose cost is at most this value. By default the chain has all classifiers on
        the hull.
    cost_fp, cost_fn : float > 0, optional
        Cost of a false positive and of a false negative; required with ``max_cost``.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use; required with ``max_cost``.

    Returns
    -------
    ClassifierChain
        ``names`` is the order of the chain. ``left_out`` has the other classifiers.
        ``apply(decisions)`` gives the decisions of the chain on other cases. ``points`` has a row
        for each classifier, then for the chain of the first two classifiers, of the first three,
        and so on. Its columns and kinds are as in ``conjoin_classifiers``.

    Raises
    ------
    InputError
        If no classifier on the hull has an acceptable cost; if ``max_cost``, costs and prevalence
        are not passed together; if a number is out of range; if a decision is not binary; if the
        numbers of cases differ; or if a class is missing.

    Notes
    -----
    The chain is the disjunction of its classifiers. The hull is the convex hull of all classifiers,
    (0, 0) and (1, 1). A classifier on an edge of the hull is included, unless another classifier
    dominates it: better in one rate, and not worse in the other rate. Expected cost of a case:
    cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr).

    A chain may be worse than the points of its classifiers suggest. Every later classifier is
    applied only to cases that earlier classifiers called negative. Its rates in these cases differ
    from its rates in all cases. The "observed" point includes this effect, and the "independent"
    point ignores it. With thresholds on one score, the chain equals its last classifier. Evaluate
    the chain on new cases, not on the cases of the hull (section 7.4.5).

    References
    ----------
    - Fawcett (2004), section 7.4.4 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> chain = rs.chain_classifiers({"b": (0.3, 0.8), "a": (0.1, 0.5), "c": (0.5, 0.7)})
    >>> chain.names, chain.left_out
    (('a', 'b'), ('c',))
    >>> chain.points.tail(3).round(2)
      predictor         kind    fpr    tpr
    3    a or b  lower-bound  0.300  0.800
    4    a or b  upper-bound  0.400  1.000
    5    a or b  independent  0.370  0.900
    [3 rows, 4 columns in all]
    """
    classifiers = read_classifiers(positions, decisions, y_true, pos_label)
    kept = are_classifiers_on_hull(classifiers)
    # The most conservative first: by rising FPR, at equal FPR by rising TPR.
    order = np.lexsort((classifiers.tpr, classifiers.fpr)).tolist()
    chosen = [i for i in order if kept[i]]
    if not chosen:
        raise InputError(
            f"`{'decisions' if positions is None else 'positions'}` must have a classifier on the"
            " convex hull; got none above the diagonal. Negate the classifiers below the"
            " diagonal."
        )
    conditions = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}
    _require_chain_cost_conditions(max_cost, conditions)
    if max_cost is not None:
        chosen = _affordable_chain(chosen, classifiers, max_cost, **conditions)
    rows = points_before_combination(classifiers)
    for end in range(2, len(chosen) + 1):
        rows += combined_points(classifiers.take(chosen[:end]), "disjunction")
    names = classifiers.take(chosen).names
    left_out = tuple(name for name in classifiers.names if name not in names)
    return ClassifierChain(names, left_out, classifier_points_frame(rows))


def are_classifiers_on_hull(classifiers: Classifiers) -> BoolArray:
    """Return whether each classifier is on the hull of all and no other is better in both rates."""
    # Points on an edge are kept, which the vertices of the hull leave out: each point is compared
    # with the height of the hull at its FPR, up to rounding of the interpolation.
    corners = np.array([[0.0, 0.0], [1.0, 1.0]])
    points = np.vstack([corners, np.column_stack([classifiers.fpr, classifiers.tpr])])
    fpr, tpr = np.unique(points, axis=0).T
    vertices = hull_vertices(fpr, tpr)
    reached = tpr_at(fpr[vertices], tpr[vertices], classifiers.fpr) - SAME
    return np.asarray((classifiers.tpr >= reached) & ~_are_dominated_classifiers(classifiers))


def _are_dominated_classifiers(classifiers: Classifiers) -> BoolArray:
    """Return whether another classifier is better in one rate and no worse in the other."""
    fpr, tpr = classifiers.fpr, classifiers.tpr
    # [i, j]: classifier i against classifier j, the chosen column.
    no_worse = (fpr[:, None] <= fpr) & (tpr[:, None] >= tpr)
    better = (fpr[:, None] < fpr) | (tpr[:, None] > tpr)
    return np.asarray((no_worse & better).any(axis=0))


def _require_chain_cost_conditions(
    max_cost: float | None, conditions: dict[str, float | None]
) -> None:
    """Raise InputError unless ``max_cost`` and all conditions are given, or none of them."""
    for name, value in conditions.items():
        if (value is None) != (max_cost is None):
            given = "max_cost" if value is None else name
            raise InputError(
                f"`{name}` must be given with `max_cost` and only with it; got {given} alone."
                " Pass max_cost=, cost_fp=, cost_fn= and prevalence=, or none of them."
            )
    if max_cost is not None:
        for name, high in {"cost_fp": np.inf, "cost_fn": np.inf, "prevalence": 1.0}.items():
            require_open_interval(name, conditions[name], 0, high)
        require_open_interval("max_cost", max_cost, 0, np.inf)


def _affordable_chain(
    chosen: list[int], of: Classifiers, max_cost: float, cost_fp: Any, cost_fn: Any, prevalence: Any
) -> list[int]:
    """Return the chain up to its last classifier of tolerable cost."""
    # A costlier classifier may come before it: the chain is cut by its end only, as in Fawcett.
    costs = cost_fp * (1 - prevalence) * of.fpr + cost_fn * prevalence * (1 - of.tpr)
    ends = [end for end, i in enumerate(chosen, start=1) if costs[i] <= max_cost]
    if not ends:
        raise InputError(
            f"`max_cost` must be at least the lowest cost on the hull; got {max_cost:g}, and the"
            f" cheapest costs {min(costs[i] for i in chosen):g}. Pass a larger max_cost."
        )
    return chosen[: ends[-1]]
