"""Chains of classifiers: applied in turn, the most conservative first, until a positive call."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.classifiers.combine import (
    combination_rows,
    combine,
    observed_rows,
    points_frame,
)
from rocstats.curves.costs.convex_hull import hull_vertices
from rocstats.errors import InputError, require_open_interval
from rocstats.sample.arrays import BoolArray
from rocstats.sample.inputs.classifiers import Classifiers, read_calls, read_classifiers
from rocstats.tolerances import SAME


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
    """Return the chain of the classifiers on the hull, each applied if those before call negative.

    Parameters
    ----------
    positions : dict of (fpr, tpr), or dataframe, optional
        ROC points of named classifiers; a frame has the columns ``predictor, fpr, tpr``, as
        ``confusion_rates`` gives them. Needed without ``decisions``.
    decisions : dict of array-like, or dataframe, optional
        Decisions of the classifiers on the same cases, in place of ``positions``: booleans, 0/1 or
        -1/1.
    y_true : array-like of shape (n,), optional
        Labels of the cases in ``decisions``; needed with them.
    pos_label : object, optional
        Label of the positive class in ``y_true``; never guessed but for 0/1, -1/1 and booleans.
    max_cost : float > 0, optional
        Highest tolerable expected cost of a case: the chain ends with the most liberal classifier
        on the hull whose own point costs no more. By default the chain has all on the hull.
    cost_fp, cost_fn : float > 0, optional
        Cost of a false positive and of a false negative; needed with ``max_cost``.
    prevalence : float in (0, 1), optional
        Share of positives where the chain will be used; needed with ``max_cost``.

    Returns
    -------
    ClassifierChain
        ``names`` is the order of the chain, ``left_out`` the others; ``apply(decisions)`` gives the
        decisions of the chain on other cases. ``points`` has the classifiers, then the chain of the
        first two, three, ...: columns and kinds are those of ``conjoin_classifiers``.

    Raises
    ------
    InputError
        If no classifier is on the hull or cheap enough, costs and prevalence come without
        ``max_cost`` or it without them, a number is out of its range, a decision is neither yes nor
        no, cases do not correspond, or a class is missing.

    Notes
    -----
    The chain is the disjunction of its classifiers. The hull is that of all classifiers with (0, 0)
    and (1, 1). A classifier on an edge counts as on the hull, unless another classifier is better
    in one rate and no worse in the other. Expected cost of a case:
    cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr).

    A chain may do worse than the points of its classifiers suggest: every classifier after the
    first sees only cases that the earlier ones called negative, where its rates differ. The
    "independent" point ignores this, the "observed" point does not. If each classifier calls
    positive all cases that the one before does, as thresholds on one score do, the chain is its
    last classifier. Judge the chain on other cases than those that gave the hull (section 7.4.5).

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
      predictor         kind   fpr  tpr
    3    a or b  lower-bound  0.30  0.8
    4    a or b  upper-bound  0.40  1.0
    5    a or b  independent  0.37  0.9
    """
    classifiers = read_classifiers(positions, decisions, y_true, pos_label)
    kept = on_hull(classifiers)
    chosen = [i for i in conservative_first(classifiers) if kept[i]]
    if not chosen:
        raise InputError(
            f"`{'decisions' if positions is None else 'positions'}` must have a classifier on the"
            " convex hull; got none above the diagonal. Negate those below it."
        )
    conditions = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}
    _require_conditions(max_cost, conditions)
    if max_cost is not None:
        chosen = _cheap_enough(chosen, classifiers, max_cost, **conditions)
    rows = observed_rows(classifiers)
    for end in range(2, len(chosen) + 1):
        rows += combination_rows(classifiers.take(chosen[:end]), "disjunction")
    names = classifiers.take(chosen).names
    left_out = tuple(name for name in classifiers.names if name not in names)
    return ClassifierChain(names, left_out, points_frame(rows))


def conservative_first(classifiers: Classifiers) -> list[int]:
    """Return the order of the classifiers by rising FPR, at equal FPR by rising TPR."""
    return [int(i) for i in np.lexsort((classifiers.tpr, classifiers.fpr))]


def on_hull(classifiers: Classifiers) -> BoolArray:
    """Return whether each classifier is on the hull of all and no other is better in both rates."""
    # Points on an edge are kept, which the vertices of the hull leave out: each point is compared
    # with the height of the hull at its FPR, up to rounding of the interpolation.
    corners = np.array([[0.0, 0.0], [1.0, 1.0]])
    points = np.vstack([corners, np.column_stack([classifiers.fpr, classifiers.tpr])])
    fpr, tpr = np.unique(points, axis=0).T
    vertices = hull_vertices(fpr, tpr)
    reached = tpr_at(fpr[vertices], tpr[vertices], classifiers.fpr) - SAME
    return np.asarray((classifiers.tpr >= reached) & ~_dominated(classifiers))


def _dominated(classifiers: Classifiers) -> BoolArray:
    """Return whether another classifier is better in one rate and no worse in the other."""
    fpr, tpr = classifiers.fpr, classifiers.tpr
    # [i, j]: classifier i against classifier j, the chosen column.
    no_worse = (fpr[:, None] <= fpr) & (tpr[:, None] >= tpr)
    better = (fpr[:, None] < fpr) | (tpr[:, None] > tpr)
    return np.asarray((no_worse & better).any(axis=0))


def _require_conditions(max_cost: float | None, conditions: dict[str, float | None]) -> None:
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


def _cheap_enough(
    chosen: list[int], of: Classifiers, max_cost: float, cost_fp: Any, cost_fn: Any, prevalence: Any
) -> list[int]:
    """Return the chain up to its last classifier of tolerable cost."""
    # A costlier classifier may come before it: the chain is cut by its end only, as in Fawcett.
    costs = cost_fp * (1 - prevalence) * of.fpr + cost_fn * prevalence * (1 - of.tpr)
    ends = [end for end, i in enumerate(chosen, start=1) if costs[i] <= max_cost]
    if not ends:
        raise InputError(
            f"`max_cost` must allow a classifier on the hull; got {max_cost:g}, and the cheapest"
            f" costs {min(costs[i] for i in chosen):g}. Allow more."
        )
    return chosen[: ends[-1]]
