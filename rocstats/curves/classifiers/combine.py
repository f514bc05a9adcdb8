"""Conjunctions and disjunctions of classifiers: their possible and observed ROC points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.frames.making import make_frame
from rocstats.frames.questions import Question, columns_in
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.inputs.classifiers import Classifiers, Position, read_calls, read_classifiers

Rule = Literal["conjunction", "disjunction"]
Row = tuple[str, str, Position]
"""Predictor, kind and (fpr, tpr) of a point."""

COMBINED_POINTS = Question(
    "combined_points",
    columns_in("predictor kind fpr tpr"),
    ("fawcett-2004",),
)

_WORD = {"conjunction": " and ", "disjunction": " or "}


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
    rule: Rule
    points: pd.DataFrame

    def apply(self, decisions: Any) -> BoolArray:
        """Return whether the combination calls each new case positive.

        Parameters
        ----------
        decisions : dict of array-like, or dataframe
            Decisions of each classifier on the same cases, by name: booleans, 0/1 or -1/1.
        """
        return combine(read_calls(decisions, self.names), self.rule)


def combine(calls: BoolArray, rule: Rule) -> BoolArray:
    """Return the decisions of a combination from those of its classifiers, of shape (k, n)."""
    return np.asarray(calls.all(axis=0) if rule == "conjunction" else calls.any(axis=0))


def bounds(rates: FloatArray, rule: Rule) -> tuple[float, float]:
    """Return the lower and upper bound of a rate of a combination (Boole, Frechet)."""
    # The outer min and max keep the bounds in order where the sum of the rates is off by rounding.
    if rule == "conjunction":
        high = float(rates.min())
        return min(max(0.0, float(rates.sum()) - (len(rates) - 1)), high), high
    low = float(rates.max())
    return low, max(min(1.0, float(rates.sum())), low)


def independent(rates: FloatArray, rule: Rule) -> float:
    """Return the rate of a combination if its classifiers are independent within the class."""
    return float(np.prod(rates) if rule == "conjunction" else 1 - np.prod(1 - rates))


def points_frame(rows: Sequence[Row], question: Question = COMBINED_POINTS) -> pd.DataFrame:
    """Return the frame of the points of classifiers and their combinations; a row is a point."""
    # There may be no rows, as for a curve without concavities, which zip(*rows) could not unpack.
    columns = {
        "predictor": [predictor for predictor, _, _ in rows],
        "kind": [kind for _, kind, _ in rows],
        "fpr": [fpr for _, _, (fpr, _) in rows],
        "tpr": [tpr for _, _, (_, tpr) in rows],
    }
    return make_frame(question, columns, grouped=False)


def observed_rows(classifiers: Classifiers) -> list[Row]:
    """Return the points of the classifiers before they are combined."""
    positions = zip(classifiers.names, classifiers.fpr, classifiers.tpr, strict=True)
    return [(name, "observed", (float(fpr), float(tpr))) for name, fpr, tpr in positions]


def combination_rows(classifiers: Classifiers, rule: Rule) -> list[Row]:
    """Return the bounds of a combination, its point under independence and, if known, its own."""
    name = _WORD[rule].join(classifiers.names)
    fpr_low, fpr_high = bounds(classifiers.fpr, rule)
    tpr_low, tpr_high = bounds(classifiers.tpr, rule)
    expected = independent(classifiers.fpr, rule), independent(classifiers.tpr, rule)
    rows: list[Row] = [
        (name, "lower-bound", (fpr_low, tpr_low)),
        (name, "upper-bound", (fpr_high, tpr_high)),
        (name, "independent", expected),
    ]
    if classifiers.calls is not None and classifiers.is_positive is not None:
        called = combine(classifiers.calls, rule)
        positive = classifiers.is_positive
        rows.append((name, "observed", (called[~positive].mean(), called[positive].mean())))
    return rows


def conjoin_classifiers(
    positions: Any = None, *, decisions: Any = None, y_true: Any = None, pos_label: Any = None
) -> CombinedClassifier:
    """Return the conjunction: the classifier that calls a case positive if all of several do.

    Parameters
    ----------
    positions : dict of (fpr, tpr), or dataframe, optional
        ROC points of two or more named classifiers; a frame has the columns ``predictor, fpr,
        tpr``, as ``confusion_rates`` gives them. Needed without ``decisions``.
    decisions : dict of array-like, or dataframe, optional
        Decisions of the classifiers on the same cases, in place of ``positions``: booleans, 0/1 or
        -1/1.
    y_true : array-like of shape (n,), optional
        Labels of the cases in ``decisions``; needed with them.
    pos_label : object, optional
        Label of the positive class in ``y_true``; never guessed but for 0/1, -1/1 and booleans.

    Returns
    -------
    CombinedClassifier
        ``apply(decisions)`` gives the decisions of the combination on other cases. ``points`` is a
        frame with the columns ``predictor, kind, fpr, tpr``; a row is a point of this ``kind``:

        - "observed": each classifier and, with ``decisions``, the combination.
        - "lower-bound", "upper-bound": the corners of the rectangle that must hold the combination.
        - "independent": the combination, if the classifiers are independent within each class.

    Raises
    ------
    InputError
        If there are not two classifiers or more, a rate is outside [0, 1], a decision is neither
        yes nor no, cases do not correspond, or a class is missing.

    Notes
    -----
    Each rate lies between max(0, sum of the rates - (k - 1)) and the least of the rates, and every
    such pair of rates can occur. The paper prints 0 as the lower bound; that is the bound only
    where the rates do not sum to more than k - 1. Under independence within each class the rates
    multiply. Classifiers trained for the same end agree more often than that: the observed point
    then has higher rates than the independent one.

    A combination chosen for its position on these cases must be judged on others
    (section 7.4.5). No interval is given.

    References
    ----------
    - Fawcett (2004), section 7.4.3 and figure 12 [fawcett-2004]

    Examples
    --------
    Figure 12's expected position (0.08, 0.42):

    >>> import rocstats as rs
    >>> both = rs.conjoin_classifiers({"c1": (0.2, 0.6), "c2": (0.4, 0.7)})
    >>> both.points.round(2)
       predictor         kind   fpr   tpr
    0         c1     observed  0.20  0.60
    1         c2     observed  0.40  0.70
    2  c1 and c2  lower-bound  0.00  0.30
    3  c1 and c2  upper-bound  0.20  0.60
    4  c1 and c2  independent  0.08  0.42
    >>> both.apply({"c1": [1, 1, 0, 0], "c2": [1, 0, 1, 0]})
    array([ True, False, False, False])
    """
    return _combination("conjunction", positions, decisions, y_true, pos_label)


def disjoin_classifiers(
    positions: Any = None, *, decisions: Any = None, y_true: Any = None, pos_label: Any = None
) -> CombinedClassifier:
    """Return the disjunction: the classifier that calls a case positive if any of several does.

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
        As ``conjoin_classifiers`` does.

    Notes
    -----
    Each rate lies between the largest of the rates and min(1, their sum), and every such pair of
    rates can occur. Under independence a rate is 1 - (1 - r1)(1 - r2)..., for two classifiers
    r1 + r2 - r1 r2. Where classifiers agree more often, the observed rates are lower.

    References
    ----------
    - Fawcett (2004), section 7.4.3 and figure 12 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> either = rs.disjoin_classifiers({"c1": (0.2, 0.6), "c2": (0.4, 0.7)})
    >>> either.points.round(2)
      predictor         kind   fpr   tpr
    0        c1     observed  0.20  0.60
    1        c2     observed  0.40  0.70
    2  c1 or c2  lower-bound  0.40  0.70
    3  c1 or c2  upper-bound  0.60  1.00
    4  c1 or c2  independent  0.52  0.88
    """
    return _combination("disjunction", positions, decisions, y_true, pos_label)


def _combination(
    rule: Rule, positions: Any, decisions: Any, y_true: Any, pos_label: Any
) -> CombinedClassifier:
    classifiers = read_classifiers(positions, decisions, y_true, pos_label, least=2)
    rows = observed_rows(classifiers) + combination_rows(classifiers, rule)
    return CombinedClassifier(classifiers.names, rule, points_frame(rows))
