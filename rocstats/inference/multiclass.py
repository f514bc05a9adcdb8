"""The area under the curve for several classes: each against the rest, or every two."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.multiclass import (
    PREDICTOR,
    REST,
    class_areas,
    pair_areas,
    require_fold_of_every_class,
)
from rocstats.errors import require_choice
from rocstats.frames import estimate_frame
from rocstats.sample.multiclass import MulticlassSample
from rocstats.sample.vectors import FloatArray

MulticlassMethod = Literal["hand-till", "class-reference"]

REFERENCES = (
    "Fawcett T. ROC graphs: notes and practical considerations for researchers."
    " HP Laboratories, 2004.",
    "Hand DJ, Till RJ. Machine Learning 2001;45:171-186.",
    "Provost F, Domingos P. CeDER Working Paper IS-00-04, New York University, 2001.",
)

SUMMARY = {"class": "all", "versus": "", "n_pos": np.nan, "n_neg": np.nan}


def multiclass_auc(
    sample: MulticlassSample, *, method: MulticlassMethod = "hand-till"
) -> pd.DataFrame:
    """Return the areas of several classes; a row is one area, the last (of a group) their mean.

    Parameters
    ----------
    method : {"hand-till", "class-reference"}, default "hand-till"
        "hand-till" gives the area of every two classes and their plain mean M, which does not
        depend on how many cases of each class there are: the default for that reason.
        "class-reference" gives the area of each class against the rest and the mean weighted by
        prevalence, which belongs to the curves of ``roc_curve`` but changes with the class
        distribution.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, versus, [group], quantity, estimate, se, ci_low, ci_high,
        confidence_level, n_pos, n_neg, method, note``. ``n_pos`` counts the cases of ``class`` and
        ``n_neg`` those of ``versus``. In the summary row ``class`` is "all" and ``versus`` "".
        There is no interval: ``se``, the limits and the level are NaN (note ``no-interval``).

    Raises
    ------
    InputError
        If ``method`` is unknown or a fold lacks a class.

    Warns
    -----
    StatisticalWarning
        ``one-class``: a group lacks a class; areas that involve it, and the summary, are NaN.

    Notes
    -----
    Hand and Till: A(i, j) = [A(i|j) + A(j|i)]/2, where A(i|j) is the AUC of the scores for class i
    on the cases of classes i and j alone; M = 2/(C(C - 1)) times the sum of A(i, j) over pairs.
    Provost and Domingos: the sum over classes of AUC(c) p(c), p(c) the share of the cases (of
    their weights, if they have any) that class c has. Both see only the ranks within a column of
    scores. With two classes M is the mean of the AUCs of the two columns.

    With folds every area is the mean over folds. Not for deciding on thresholds: neither summary
    is the area under any one curve that could be drawn.

    References
    ----------
    Hand & Till (2001), equations 3 and 7; Provost & Domingos (2001); Fawcett (2004),
    section 7.3.2.

    Examples
    --------
    >>> import rocstats as rs
    >>> scores = {"a": [0.8, 0.3, 0.1, 0.4], "b": [0.1, 0.6, 0.3, 0.7], "c": [0.1, 0.1, 0.6, 0.1]}
    >>> study = rs.MulticlassStudy(["a", "b", "c", "a"], scores)
    >>> study.auc()[["class", "versus", "estimate"]].round(3)
      class versus  estimate
    0     a      b     0.750
    1     a      c     1.000
    2     b      c     1.000
    3   all            0.917
    """
    require_choice("method", method, tuple(_ROWS))
    rows = []
    for group, part in sample.by_group():
        require_fold_of_every_class(part)
        for row in _ROWS[method](part):
            rows.append({"group": group, **row, **_about(row["estimate"], method, part.notes())})
    grouped = sample.group is not None
    return estimate_frame("multiclass_auc", rows, grouped=grouped, references=REFERENCES)


def _class_reference_rows(sample: MulticlassSample) -> list[dict[str, Any]]:
    areas = _over_folds(class_areas, sample)
    n_of = sample.n_of
    rows = [
        {
            "class": name,
            "versus": REST,
            "estimate": areas[k],
            "n_pos": n_of[k],
            "n_neg": n_of.sum() - n_of[k],
        }
        for k, name in enumerate(sample.classes)
    ]
    share = sample.weight_of / sample.weight_of.sum()
    return [*rows, {**SUMMARY, "estimate": float(np.dot(share, areas))}]


def _hand_till_rows(sample: MulticlassSample) -> list[dict[str, Any]]:
    areas = _over_folds(pair_areas, sample)
    n_of, names = sample.n_of, sample.classes
    rows = [
        {
            "class": names[i],
            "versus": names[j],
            "estimate": (areas[i, j] + areas[j, i]) / 2,
            "n_pos": n_of[i],
            "n_neg": n_of[j],
        }
        for i, j in combinations(range(len(names)), 2)
    ]
    return [*rows, {**SUMMARY, "estimate": float(np.mean([row["estimate"] for row in rows]))}]


_ROWS: dict[str, Callable[[MulticlassSample], list[dict[str, Any]]]] = {
    "hand-till": _hand_till_rows,
    "class-reference": _class_reference_rows,
}


def _over_folds(
    areas: Callable[[MulticlassSample], FloatArray], sample: MulticlassSample
) -> FloatArray:
    return np.asarray(np.mean([areas(part) for _, part in sample.by_fold()], axis=0))


def _about(estimate: float, method: str, notes: list[str]) -> dict[str, Any]:
    without = dict.fromkeys(("se", "ci_low", "ci_high", "confidence_level"), np.nan)
    code = "one-class" if np.isnan(estimate) else "no-interval"
    return {
        "predictor": PREDICTOR,
        "quantity": "auc",
        **without,
        "method": f"{method}/none",
        "note": [code, *notes],
    }
