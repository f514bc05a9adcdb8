"""The test that the area of a predictor is the same in all groups."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    require_comparable_groups,
    require_groups,
)
from rocstats.estimate.areas import size_codes, variance_name
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.strata import equality_test_of_logit_areas
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.sample import Sample, own_sample

TEST_EQUAL_GROUPS = Question(
    "test_equal_groups",
    estimate_columns(
        f"predictor group {AREA} {TEST} df_numerator hypothesis n_pos n_neg method note"
    ),
    ("delong-1988", "obuchowski-1997", "janes-2009", "welch-1951", "newcombe-2006"),
)


def test_equal_groups(sample: Sample) -> pd.DataFrame:
    """Return the test that a predictor's area is the same in all groups; a row is one predictor.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, group, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        df_numerator, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, method, note``. ``group`` is "all", the estimate and its limits are NaN,
        ``statistic`` is Welch's F with ``df_numerator`` (groups minus 1) and ``df`` degrees of
        freedom.

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
    With Q = sum_g w_g (L_g - L)^2, L the weighted mean of the k values L_g, the statistic is
    Welch's F = Q/(k - 1)/(1 + 2 (k - 2) D), with k - 1 and 1/(3 D) degrees of freedom,
    D = sum_g (1 - w_g/sum w)^2/f_g / (k^2 - 1). f_g are the degrees of freedom of v_g: the part of
    each class has 2/(sum u^4/(sum u^2)^2 - 1/N), u its N influence values, at most N - 1, and both
    are combined by Satterthwaite's rule (ours). Var(A_g) is DeLong's, Obuchowski's with clusters,
    foldwise with folds.

    Boundary rule: a group whose area is 0 or 1, or whose variance is 0 or undefined, has no logit
    with a standard error. It is not left out, nor is its area moved inwards: the test is NaN with
    the note ``group-at-boundary``. ``compare_auc(across="groups")`` compares the groups pair by
    pair there.

    Assumes independent groups and a normal logit in each. In simulations of equal areas the test
    rejected at .05 in .034 to .067 with unequal classes of 8 to 200 cases, and more rarely with 10
    of each. A large p value is no proof of homogeneity. Differences between groups may come from
    their case mix (spectrum) and not from the predictor. Under ``sample_weight`` there is no test.

    References
    ----------
    - Welch (1951) [welch-1951]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 0, 0, 0] * 2, [5, 3, 2, 4, 1, 0, 5, 4, 1, 3, 2, 4]
    >>> study = rs.Study(y, score, group=["a"] * 6 + ["b"] * 6)
    >>> study.test_equal_groups()[["group", "statistic", "df", "p_value"]].round(3)
      group  statistic     df  p_value
    0   all      0.168  5.039    0.699
    """
    TEST_EQUAL_GROUPS.refuse_covariates(sample)
    groups = require_groups(sample, "two groups or more", 2)
    rows = []
    for k, name in enumerate(sample.predictors):
        parts = [(label, own_sample(part, k)) for label, part in groups]
        require_comparable_groups(parts)
        whole = own_sample(sample, k)
        # The null value is the heterogeneity, not an area.
        cells = {**FULL_AREA, "predictor": name, "group": "all", "null_value": 0.0}
        cells |= {"hypothesis": "two-sided", **class_size_columns(whole)}
        notes = sample_notes(whole)
        result = undefined_result("weights-need-bootstrap")
        if whole.sample_weight is None:
            # On the logit scale areas near 1 are nearer to normal.
            test = equality_test_of_logit_areas([part.cases for _, part in parts], k)
            cells["df_numerator"] = test.df_numerator
            notes = [*(note for _, part in parts for note in size_codes(part.cases)), *notes]
            method = f"{variance_name(whole.cases, 'delong')}/welch"
            result = Result(
                np.nan, statistic=test.statistic, df=test.df, p_value=test.p_value, method=method
            )
            # An area of 0 or 1 has no logit; leaving its group out would hide the largest
            # difference.
            if np.isnan(test.p_value):
                result = result._replace(method="none/none", codes=("group-at-boundary",))
        rows.append(answer_row_of_result(TEST_EQUAL_GROUPS, cells, result, notes))
    return answer_rows(TEST_EQUAL_GROUPS, sample, rows)
