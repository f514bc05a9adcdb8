"""Classifiers between two others: a random choice, case by case, between their decisions.

The point of an interpolated classifier is on the line between those of the two, as far along it as
the share of the cases that the second one decides [fawcett-2004].
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeGuard

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.estimate.resample import draw_random_booleans, resolve_seed
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.tolerances import SAME
from rocstats.inference.classifiers.combine import (
    classifier_points_frame,
    points_before_combination,
)
from rocstats.study.tables import Classifiers, read_calls, read_positions


class DrawnDecisions(NamedTuple):
    """Decisions of an interpolated classifier on new cases.

    Attributes
    ----------
    decisions : ndarray of bool, shape (n,)
        Whether a case is called positive.
    from_second : ndarray of bool, shape (n,)
        Whether the second classifier decided.
    seed : int
        Passed as ``rng``, repeats the random choices.
    """

    decisions: BoolArray
    from_second: BoolArray
    seed: int


class InterpolatedClassifier(NamedTuple):
    """A classifier on the line between two others.

    Attributes
    ----------
    names : tuple of str
        The two classifiers.
    k : float
        Share of the cases that the second classifier decides, in [0, 1].
    fpr, tpr : float
        Expected position.
    points : pandas.DataFrame
        Positions of all three classifiers: ``predictor, kind, fpr, tpr``.
    """

    names: tuple[str, str]
    k: float
    fpr: float
    tpr: float
    points: pd.DataFrame

    def apply(self, decisions: Any, *, rng: Any = None) -> DrawnDecisions:
        """Return the decisions on new cases, with the seed of the random choices.

        Parameters
        ----------
        decisions : dict of array-like, or dataframe
            Decisions of both classifiers on the same cases, by name: booleans, 0/1 or -1/1.
        rng : int, SeedSequence, Generator or None
            Source of the random choices. Do not pass the same integer for every small batch: the
            same places would always get the second classifier.
        """
        first, second = read_calls(decisions, self.names)
        seed = resolve_seed(rng)
        from_second = draw_random_booleans(len(first), self.k, seed)
        return DrawnDecisions(np.where(from_second, second, first), from_second, seed)


def interpolate_classifiers(
    positions: Any,
    *,
    k: float | None = None,
    fpr: float | None = None,
    tpr: float | None = None,
    n_positive_calls: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
) -> InterpolatedClassifier:
    """Return a random mixture of two classifiers with a required rate or number of positive calls.

    Parameters
    ----------
    positions : dict of (fpr, tpr), or dataframe
        ROC points of two named classifiers. A frame has the columns ``predictor, fpr, tpr``, as
        from ``confusion_rates``.
    k : float in [0, 1], optional
        Share of the cases that the second classifier decides. Give exactly one of ``k``, ``fpr``,
        ``tpr`` and ``n_positive_calls``.
    fpr, tpr : float in [0, 1], optional
        Required rate, between the rates of the two classifiers.
    n_positive_calls : float >= 0, optional
        Number of cases to call positive (a budget), between the numbers of positive calls of the
        two classifiers.
    n_pos, n_neg : float > 0, optional
        Expected numbers of positives and negatives among the cases; required with
        ``n_positive_calls``.

    Returns
    -------
    InterpolatedClassifier
        ``points`` is a frame with the columns ``predictor, kind, fpr, tpr``; rows are both
        classifiers ("observed") and the mixture ("interpolated"). ``k`` is the share of the second
        classifier. ``fpr`` and ``tpr`` are the expected rates. ``apply(decisions, rng=)`` chooses a
        classifier at random for each new case and returns the ``decisions`` with the ``seed``.

    Raises
    ------
    InputError
        If the number of classifiers is not two; if not exactly one of ``k``, ``fpr``, ``tpr`` and
        ``n_positive_calls`` is passed; if no mixture has the required value; or if a number is out
        of range.

    Notes
    -----
    C = A + k (B - A): the second classifier B decides a case with probability k, else the first
    classifier A. With ``n_positive_calls`` c, k = (c - c_A)/(c_B - c_A) with c_X = fpr_X n_neg +
    tpr_X n_pos. The point is an expected value: in a sample the random choices add variation.

    The mixture is never better than the hull of A and B. Decisions on the same case may differ
    between runs. Use a mixture for budgets, not for the care of single patients. The sampling error
    of the points is ignored; evaluate the mixture on other cases (section 7.4.5).

    References
    ----------
    - Fawcett (2004), section 7.4.1 and figure 10. The figure has k = 0.53 and C = (.18, .42),
      because C was rounded before k was computed [fawcett-2004]

    Examples
    --------
    A letter goes to 800 of 4000 clients; 6 % of all 4000 would respond (CoIL Challenge 2000):

    >>> import rocstats as rs
    >>> between = rs.interpolate_classifiers(
    ...     {"A": (0.1, 0.2), "B": (0.25, 0.6)}, n_positive_calls=800, n_pos=240, n_neg=3760
    ... )
    >>> round(between.k, 4), round(between.fpr, 4), round(between.tpr, 4)
    (0.5697, 0.1855, 0.4279)
    >>> drawn = between.apply({"A": [0, 0, 1, 1], "B": [1, 1, 1, 1]}, rng=1)
    >>> drawn.seed, len(drawn.decisions)
    (1, 4)
    """
    classifiers = read_positions(positions)
    if len(classifiers.names) != 2:
        raise InputError(
            f"`positions` must hold two classifiers; got {len(classifiers.names)}. Pass exactly"
            " two classifiers."
        )
    conditions = {"k": k, "fpr": fpr, "tpr": tpr, "n_positive_calls": n_positive_calls}
    given = {name: value for name, value in conditions.items() if value is not None}
    if len(given) != 1:
        raise InputError(
            f"`k` must be given, or `fpr`, `tpr` or `n_positive_calls`; got {list(given) or 'none'}"
            ". Pass exactly one of them."
        )
    ((name, target),) = given.items()
    ends = _conditions_at_ends(name, classifiers, n_pos, n_neg)
    share = _mixing_share_of_second_classifier(name, target, ends)
    # Expected rates are linear in k: the condition has one solution (Fawcett 2004, section 7.4.1).
    a, b = np.column_stack([classifiers.fpr, classifiers.tpr])
    position = (1 - share) * a + share * b
    first, second = classifiers.names
    point = (float(position[0]), float(position[1]))
    rows = [
        *points_before_combination(classifiers),
        (f"{first} to {second}", "interpolated", point),
    ]
    return InterpolatedClassifier((first, second), share, *point, classifier_points_frame(rows))


def _conditions_at_ends(name: str, classifiers: Classifiers, n_pos: Any, n_neg: Any) -> FloatArray:
    """Return the values of both classifiers for the quantity of the condition."""
    # Class sizes turn rates into numbers of calls; for a rate they would be ignored in silence.
    counts = {"n_pos": n_pos, "n_neg": n_neg}
    for argument, count in counts.items():
        if name != "n_positive_calls" and count is not None:
            raise InputError(
                f"`{argument}` must stay None without `n_positive_calls`; got {count!r}."
                " Leave it out."
            )
        if name == "n_positive_calls" and not (_is_plain_number(count) and 0 < count < np.inf):
            raise InputError(
                f"`{argument}` must be a number > 0 with `n_positive_calls`; got {count!r}. Pass"
                " the expected number of such cases."
            )
    # The line n_neg FPR + n_pos TPR = calls of Fawcett 2004, figure 10.
    if name == "n_positive_calls":
        return np.asarray(n_neg * classifiers.fpr + n_pos * classifiers.tpr)
    return {"k": np.array([0.0, 1.0]), "fpr": classifiers.fpr, "tpr": classifiers.tpr}[name]


def _mixing_share_of_second_classifier(name: str, target: Any, ends: FloatArray) -> float:
    """Return where the target lies between the ends: 0 at the first, 1 at the second."""
    low, high = float(ends.min()), float(ends.max())
    # Numbers of calls are sums of products: a target at an end may be beyond it by rounding.
    slack = SAME * max(high, 1.0)
    if not (_is_plain_number(target) and low - slack <= target <= high + slack):
        raise InputError(
            f"`{name}` must lie between the values of the classifiers, {low:g} and {high:g}; got"
            f" {target!r}. Pass a value between them, or classifiers whose values lie on both"
            " sides."
        )
    if low == high:
        raise InputError(
            f"`{name}` must differ between the classifiers; got {target!r} for both."
            " Pass k= or another condition."
        )
    return float(np.clip((target - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0))


def _is_plain_number(value: Any) -> TypeGuard[float]:
    # True is an int in Python, but never a rate.
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
