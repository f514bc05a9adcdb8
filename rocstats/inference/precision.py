"""The areas under the precision-recall curve of each predictor, without an interval."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocstats.curves import precision_recall
from rocstats.frames import estimate_frame
from rocstats.sample.sample import Sample, require_fold_classes

REFERENCES = (
    "Boyd K, Eng KH, Page CD. Proc ECML PKDD 2013:451-466.",
    *precision_recall.REFERENCES,
)

QUANTITIES = {
    "average_precision": precision_recall.average_precision,
    "pr_auc": precision_recall.pr_area,
}


def average_precision(sample: Sample) -> pd.DataFrame:
    """Return average precision and PR AUC; a row is one of them, of one predictor (in one group).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, se, ci_low, ci_high, confidence_level,
        n_pos, n_neg, method, note``. Two rows a predictor: ``quantity`` "average_precision", then
        "pr_auc". Standard error, limits and level are NaN and ``note`` says ``no-interval``.

    Raises
    ------
    InputError
        If a fold lacks a class.

    Warns
    -----
    StatisticalWarning
        If a group lacks a class (``one-class``); its row is NaN.

    Notes
    -----
    average_precision = sum over distinct scores of (R_k - R_{k-1}) P_k, with recall R_k and
    precision P_k at the k-th highest score; equal scores enter together, so that the order of the
    rows does not matter. pr_auc is the exact area under the interpolated curve that ``pr_curve``
    gives, in closed form. The two differ by the shape between the points, by little when scores
    are many. Both are 1 for perfect separation and the prevalence when all scores are equal.

    With folds both are means over folds. Under ``sample_weight`` counts are sums of weights.
    Clusters do not change an estimate. An uninformative predictor has the prevalence on average,
    not 0.5: do not compare samples of different prevalence, nor use these for case-control data,
    whose prevalence is made by design. For an estimate with an interval ask for ``auc``.

    References
    ----------
    Boyd, Eng & Page (2013), section 3 (average precision); Davis & Goadrich (2006), section 4, and
    Keilwagen, Grosse & Grau (2014) (interpolated area); Fawcett (2004), section 3.2.

    Examples
    --------
    By hand, average_precision is (1 + 1 + 3/5)/3, and pr_auc is (1 + 1 + 1/2 + log(5/3)/4)/3:

    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> study.average_precision()[["quantity", "estimate", "n_pos", "n_neg"]].round(3)
                quantity  estimate  n_pos  n_neg
    0  average_precision     0.867    3.0    2.0
    1             pr_auc     0.876    3.0    2.0
    """
    rows = []
    for group, part in sample.by_group():
        if part.n_pos > 0 and part.n_neg > 0:
            require_fold_classes(part)
        for k, name in enumerate(sample.predictors):
            for quantity, estimate in _estimates(part, k).items():
                one_class = ["one-class"] if np.isnan(estimate) else []
                row = {
                    "predictor": name,
                    "group": group,
                    "quantity": quantity,
                    "estimate": estimate,
                    **dict.fromkeys(("se", "ci_low", "ci_high", "confidence_level"), np.nan),
                    "n_pos": part.n_pos,
                    "n_neg": part.n_neg,
                    "method": "none/none",
                    "note": [*one_class, "no-interval", *part.notes()],
                }
                rows.append(row)
    return estimate_frame(
        "average_precision", rows, grouped=sample.group is not None, references=REFERENCES
    )


def _estimates(sample: Sample, k: int) -> dict[str, float]:
    """Return the areas of predictor ``k``, means over folds; NaN where a class has no weight."""
    folds = [part.counts(k) for _, part in sample.by_fold()]
    if any(counts.total_pos == 0 or counts.total_neg == 0 for counts in folds):
        return dict.fromkeys(QUANTITIES, np.nan)
    return {
        quantity: float(np.mean([area(counts) for counts in folds]))
        for quantity, area in QUANTITIES.items()
    }
