"""The test that the area of a predictor is the same in all groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.estimate.answers import (
    answer_rows,
    class_sizes,
    require_comparable,
    require_groups,
    unanswered,
)
from rocstats.estimate.areas import estimate_area, size_codes, variance_name
from rocstats.estimate.strata import equal_logits
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.study.base import row_codes
from rocstats.study.sample import Sample, own_sample

TEST_EQUAL_GROUPS = Question(
    "test_equal_groups",
    estimate_columns(f"predictor group {AREA} {TEST} hypothesis n_pos n_neg method note"),
    ("delong-1988", "obuchowski-1997", "janes-2009", "cochran-1954", "newcombe-2006"),
)


def test_equal_groups(sample: Sample) -> pd.DataFrame:
    """Return the test that a predictor's area is the same in all groups; a row is one predictor.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, group, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low, range_high,
        method, note``. ``group`` is "all", the estimate and its limits are NaN, ``statistic`` is
        chi-square with the number of groups minus 1 degrees of freedom.

    Raises
    ------
    InputError
        If the study has fewer than two groups, a group lacks a class, or a cluster spans groups.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    Let L_g = logit A_g with variance v_g = Var(A_g) / (A_g (1 - A_g))^2 and weight w_g = 1/v_g.
    The statistic is sum_g w_g (L_g - L)^2, L the weighted mean of the L_g: Cochran's Q. Var(A_g) is
    DeLong's, Obuchowski's with clusters, foldwise with folds.

    Boundary rule: a group whose area is 0 or 1, or whose variance is 0 or undefined, has no logit
    with a standard error. It is not left out, nor is its area moved inwards: the test is NaN with
    the note ``group-at-boundary``. ``compare_auc(across="groups")`` compares the groups pair by
    pair there.

    Assumes independent groups and a normal logit in each: with few cases in a group the test is
    conservative. A large p value is no proof of homogeneity. Differences between groups may come
    from their case mix (spectrum) and not from the predictor. Under ``sample_weight`` there is no
    test.

    References
    ----------
    - Cochran (1954) [cochran-1954]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 0, 0, 0] * 2, [5, 3, 2, 4, 1, 0, 5, 4, 1, 3, 2, 4]
    >>> study = rs.Study(y, score, group=["a"] * 6 + ["b"] * 6)
    >>> study.test_equal_groups()[["group", "statistic", "df", "p_value"]].round(3)
      group  statistic   df  p_value
    0   all      0.168  1.0    0.682
    """
    TEST_EQUAL_GROUPS.refuse_covariates(sample)
    groups = require_groups(sample, "two groups or more", 2)
    rows = []
    for k, name in enumerate(sample.predictors):
        parts = [(label, own_sample(part, k)) for label, part in groups]
        require_comparable(parts)
        answer = _heterogeneity(own_sample(sample, k), [part for _, part in parts], k)
        rows.append({"predictor": name, "group": "all", **answer})
    return answer_rows(TEST_EQUAL_GROUPS, sample, rows)


def _heterogeneity(sample: Sample, parts: list[Sample], k: int) -> dict[str, Any]:
    columns = {
        **FULL_AREA,
        # The null value is the heterogeneity, not an area.
        "null_value": 0.0,
        "hypothesis": "two-sided",
        **class_sizes(sample),
    }
    row = unanswered(TEST_EQUAL_GROUPS, columns, [])
    if sample.sample_weight is not None:
        return {**row, "note": ["weights-need-bootstrap", *row_codes(sample)]}
    # Cochran's Q on the logit scale, where areas near 1 are nearer to normal.
    statistic, df, p = equal_logits(
        [estimate_area(part.cases, k, "delong", spread=False) for part in parts]
    )
    codes = [code for part in parts for code in size_codes(part.cases)] + row_codes(sample)
    # An area of 0 or 1 has no logit; leaving its group out would hide the largest difference.
    if np.isnan(statistic):
        return {**row, "df": df, "note": ["group-at-boundary", *codes]}
    method = f"{variance_name(sample.cases, 'delong')}/chi2"
    return {**row, "statistic": statistic, "df": df, "p_value": p, "method": method, "note": codes}
