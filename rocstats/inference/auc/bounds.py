"""Bounds of an area over all values that missing scores could have [horowitz-2000].

Of m positives and n negatives with a score, m n A pairs are ranked right; a positives and b
negatives have none. A_worst = m n A/((m + a)(n + b)); A_best counts every pair with a missing score
as right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.areas import area
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.estimate import Result
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.question import AREA, BINNING_ERROR, Question, RoleRefusal, estimate_columns
from rocstats.study.binned import binning_error
from rocstats.study.count_tables import LabelledScores, ScoreCounts, count_scores_of
from rocstats.study.sample import Sample, own_sample

AUC_BOUNDS = Question(
    "auc_bounds",
    estimate_columns(f"predictor group {AREA} n_pos n_neg method note"),
    ("horowitz-2000", "cohen-2016"),
    # Areas over folds are means and weights are no counts: neither is a number of pairs.
    dict.fromkeys(
        ("fold", "sample_weight"),
        RoleRefusal(
            "stay None for bounds, which count pairs of all cases", "Make a study without it."
        ),
    ),
    binned=True,
)


def auc_bounds(sample: Sample) -> pd.DataFrame:
    """Return the AUC and its bounds over all values of missing scores; a row is one area.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, n_pos, n_neg,
        confidence_level, range_axis, range_low, range_high, method, note``. Each predictor has
        three rows. ``quantity`` is "auc" for the cases with a score, and "auc_worst" and "auc_best"
        for all cases. ``n_pos`` and ``n_neg`` count the cases of each row. Standard errors and
        limits are NaN (note ``no-interval``).

    Raises
    ------
    InputError
        If the study has folds or weights.

    Warns
    -----
    StatisticalWarning
        - ``unplaced-cases``: rows without a label or group were omitted, and the bounds ignore
          these rows.
        - ``one-class``: a group lacks a class.

    Notes
    -----
    The bounds are for studies with missing scores. ``nan_policy="omit"`` and
    ``nan_policy="available"`` give the same bounds. Enter indeterminate results as missing scores.

    Let A be the AUC of the m positives and n negatives with a score. Let a further positives and b
    further negatives have no score. In the worst case, every positive without a score ranks below
    all negatives, and every negative without a score ranks above all positives. Then A_worst = m n
    A / ((m + a)(n + b)). The best case is the reverse order. Then A_best = 1 - m n (1 - A) / ((m +
    a)(n + b)). The bounds assume nothing about the reasons for missing scores. The bounds are
    sharp: some values of the missing scores attain them. If no score is missing, both bounds are A.

    The bounds of a predictor depend only on the missing scores of this predictor. Rows that lack
    another score or a cluster count as complete. Clusters do not change the bounds. The bounds do
    not include sampling error. The interval of ``auc()`` is for complete cases. It is valid for all
    cases only if scores are missing completely at random.

    References
    ----------
    - Horowitz & Manski (2000) (worst-case bounds) [horowitz-2000]
    - Cohen et al (2016), items 15 and 16 (STARD: indeterminate and missing results) [cohen-2016]

    Examples
    --------
    One positive and one negative have no score. The other cases form 9 of the 16 pairs, and 8 of
    these 9 pairs are ranked correctly:

    >>> import numpy as np
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 1, 0, 0, 0, 0], [5, 4, 2, np.nan, 3, 1, 0, np.nan]
    >>> study = rs.Study(y, score, nan_policy="omit")
    >>> study.auc_bounds()[["quantity", "estimate", "n_pos", "n_neg"]].round(3)
        quantity  estimate  n_pos  n_neg
    0        auc     0.889      3      3
    1  auc_worst     0.500      4      4
    2   auc_best     0.938      4      4
    """
    AUC_BOUNDS.require_roles(sample)
    group_codes = [None] if sample.group is None else sample.group.present.tolist()
    rows = [
        {"predictor": name, "group": group, **row}
        for group_code, (group, part) in zip(group_codes, sample.by_group(), strict=True)
        for k, name in enumerate(sample.predictors)
        for row in _area_bound_rows(part, k, group_code)
    ]
    return answer_rows(AUC_BOUNDS, sample, rows)


def _area_bound_rows(sample: Sample, k: int, group: int | None) -> list[dict[str, Any]]:
    """Return the rows of predictor ``k``: complete cases, worst and best case."""
    counted = _count_cases_with_missing_scores(sample, k, group)
    m, n = counted.counts.total_pos, counted.counts.total_neg
    # Everything in numbers of pairs: the bounds differ by a count of pairs, not of areas.
    right = area(counted.counts) * m * n if m > 0 and n > 0 else 0.0
    pairs = (m + counted.missing_pos) * (n + counted.missing_neg)
    missing = (counted.missing_pos, counted.missing_neg)
    notes = [f"unplaced-cases={counted.unplaced:.0f}"] if counted.unplaced else []
    notes += [f"rows-dropped={counted.n_rows}"] if counted.n_rows else []
    # Counts have no missing scores, so that all three areas are the same.
    error = binning_error(sample, lambda one: _area_of_complete_cases(one, k, group))
    rows = []
    for quantity, number, total, (more_pos, more_neg), word in (
        ("auc", right, m * n, (0.0, 0.0), "complete-cases"),
        ("auc_worst", right, pairs, missing, "worst-case"),
        # Each new pair is ranked right, whether one or both of its cases are missing.
        ("auc_best", right + pairs - m * n, pairs, missing, "best-case"),
    ):
        cells = {**FULL_AREA, "quantity": quantity, BINNING_ERROR: error}
        cells |= {"n_pos": m + more_pos, "n_neg": n + more_neg}
        result = Result(np.nan, codes=("one-class", "no-interval"))
        if total > 0:
            result = Result(number / total, method=f"{word}/none", codes=("no-interval",))
        rows.append(answer_row_of_result(AUC_BOUNDS, cells, result, notes))
    return rows


class CountsWithMissingScores(NamedTuple):
    """Counts of the cases with a score, and the numbers of cases without one.

    ``unplaced`` cases have no label or group; ``n_rows`` are the rows that do not enter counts.
    """

    counts: ScoreCounts
    missing_pos: float
    missing_neg: float
    unplaced: float
    n_rows: int


def _count_cases_with_missing_scores(
    sample: Sample, k: int, group: int | None
) -> CountsWithMissingScores:
    """Count the cases of predictor ``k``, also in rows that lack the score of another."""
    dropped = sample.dropped
    if dropped is None and (sample.own_dropped is None or sample.from_tables):
        return CountsWithMissingScores(own_sample(sample, k).cases.counts(k), 0.0, 0.0, 0.0, 0)
    number = np.ones(len(sample.is_positive)) if sample.frequency is None else sample.frequency
    score, positive, unplaced = sample.scores[k], sample.is_positive, 0.0
    n_rows = 0 if sample.own_dropped is None else sample.own_dropped[k] - sample.n_dropped
    if dropped is not None:
        here, unplaced = dropped.placed(group), dropped.n_lost(group)
        score = np.concatenate([score, dropped.scores[k, here]])
        positive = np.concatenate([positive, dropped.is_positive[here]])
        number = np.concatenate([number, dropped.frequency[here]])
        placed = (
            dropped.is_labelled if group is None else dropped.is_labelled & (dropped.group >= 0)
        )
        n_rows += int(np.count_nonzero(~placed | np.isnan(dropped.scores[k])))
    missing = np.isnan(score)
    kept = ~missing & (number > 0)
    higher = sample.higher_is_positive[k]
    counts = count_scores_of(LabelledScores(score[kept], positive[kept], number[kept], higher))
    missing_pos, missing_neg = (number[missing & side].sum() for side in (positive, ~positive))
    return CountsWithMissingScores(counts, float(missing_pos), float(missing_neg), unplaced, n_rows)


def _area_of_complete_cases(sample: Sample, k: int, group: int | None) -> float:
    """Return the area of the cases with a score; NaN without both classes."""
    counts = _count_cases_with_missing_scores(sample, k, group).counts
    return area(counts) if counts.total_pos > 0 and counts.total_neg > 0 else np.nan
