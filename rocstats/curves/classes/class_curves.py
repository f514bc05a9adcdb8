"""The curves of several classes: each class against the rest, and their averages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, get_args

import numpy as np
import pandas as pd

from rocstats.curves.classes.averages import average_columns
from rocstats.curves.points.roc import (
    Numbers,
    Texts,
    Ties,
    curve_frame,
    require_by,
    roc_columns,
    roc_points,
)
from rocstats.errors import InputError, require_choice
from rocstats.frames.making import warn_of
from rocstats.frames.questions import Question, columns_in
from rocstats.sample.base import said_of
from rocstats.sample.counts.cases import ClassCases
from rocstats.sample.multiclass import MulticlassSample

MULTICLASS_ROC_CURVE = Question(
    "multiclass_roc_curve",
    columns_in("predictor class versus group fold direction threshold fpr tpr fp tp"),
    ("fawcett-2004",),
)
Average = Literal["micro", "macro"]
AVERAGES = get_args(Average)
REST = "rest"


def require_fold_of_every_class(sample: MulticlassSample) -> None:
    """Raise InputError when a fold lacks a class that the sample has."""
    # By weight, not by number of cases: a class of weight 0 has no rates either.
    held = sample.cases.weight_of > 0
    for label, part in sample.cases.by_fold():
        lacking = np.flatnonzero(held & ~(part.weight_of > 0))
        if len(lacking):
            raise InputError(
                "`fold` must leave every class in every fold; got no case of"
                f" {[sample.classes[k] for k in lacking]} in fold {label!r}."
                " Stratify the folds, or merge them."
            )


def multiclass_roc_curve(
    sample: MulticlassSample,
    *,
    average: Average | None = None,
    ties: Ties = "expected",
    by: Literal["fold"] | None = None,
) -> pd.DataFrame:
    """Return the ROC curve of each class against the rest; a row is one vertex.

    Parameters
    ----------
    average : {"micro", "macro"}, optional
        A single curve in place of a curve for each class.

        - "micro" pools all decisions: each case is scored for each class, as a positive for its own
          class and a negative for the others. Scores for different classes must be comparable, and
          frequent classes count more.
        - "macro" is the mean of the true positive rates of the classes at each false positive rate.
          All classes count the same.
    ties : {"expected", "optimistic", "pessimistic"}, default "expected"
        How equal scores of both the class and the rest are drawn.

        - "expected": the sloped segment between the ends of the tie.
        - "optimistic": the class first. "pessimistic": the rest first.
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, versus, [group], fold, direction, threshold, fpr, tpr, fp,
        tp``; ``versus`` is "rest", and the curves are in the order of classes within predictors
        within groups. The first row of each curve is (0, 0) with an infinite threshold. The
        ``class`` of an average is "micro-average" or "macro-average"; a macro-average has no
        thresholds and no counts (NaN).

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds or a fold lacks a class, or a word is unknown.

    Notes
    -----
    The class reference formulation: for each class c, its cases are the positives, all others the
    negatives, and the scores are those of column c. The rest is a mixture: unlike a curve of two
    classes, the curve changes with the prevalences of the classes in the rest. In a group without
    the class, or without any other, a rate is NaN.

    Averages inherit the skew: each curve that enters a macro-average changes with the mix of the
    rest, and a micro-average with that of all classes. Neither is the curve of a rule that could
    be used, since a case may be called positive for several classes at once or for none. The area
    under the macro-average is the plain mean of the areas of the classes.

    References
    ----------
    - Fawcett (2004), section 7.3.1, equations 1 and 2; section 6.1 for averages at a false positive
      rate [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> scores = {"a": [0.8, 0.3, 0.1, 0.4], "b": [0.1, 0.6, 0.3, 0.7], "c": [0.1, 0.1, 0.6, 0.1]}
    >>> study = rs.MulticlassStudy(["a", "b", "c", "a"], scores)
    >>> curve = study.roc_curve()
    >>> curve.loc[curve["class"] == "b", ["class", "versus", "threshold", "fp", "tp"]]
      class versus  threshold  fp  tp
    5     b   rest        inf   0   0
    6     b   rest        0.7   1   0
    7     b   rest        0.6   1   1
    8     b   rest        0.3   2   1
    9     b   rest        0.1   3   1
    """
    average = require_choice("average", average, (None, *AVERAGES))
    ties = require_choice("ties", ties, get_args(Ties))
    by = require_by(sample, by)
    codes = ["pooled-folds"] if by is None and sample.fold is not None else []
    curves: list[tuple[Texts, Numbers]] = []
    for group, part in sample.by_group():
        if not (part.cases.weight_of > 0).all():
            codes.append("one-class")
        if by == "fold":
            require_fold_of_every_class(part)
        pieces = part.cases.by_fold() if by == "fold" else [("", part.cases)]
        for p, predictor in enumerate(sample.predictors):
            for name, columns in _curves(sample, p, average, ties):
                texts = {"predictor": predictor, "class": name, "versus": REST, "group": group}
                for fold, piece in pieces:
                    curves.append(({**texts, "fold": fold, "direction": ">="}, columns(piece)))
    warn_of(codes, said_of(sample))
    return curve_frame(MULTICLASS_ROC_CURVE, curves, sample)


def _curves(
    sample: MulticlassSample, p: int, average: Average | None, ties: Ties
) -> list[tuple[str, Callable[[ClassCases], Numbers]]]:
    """Return the name of each curve of a predictor, and the function from cases to its columns."""
    if average is not None:
        columns = partial(average_columns, average=average, ties=ties, predictor=p)
        return [(f"{average}-average", columns)]

    def of_class(cases: ClassCases, k: int) -> Numbers:
        return roc_columns(roc_points(cases.counts(k, predictor=p), ties=ties))

    # partial binds k now: a lambda in the loop would see its last value.
    return [(name, partial(of_class, k=k)) for k, name in enumerate(sample.classes)]
