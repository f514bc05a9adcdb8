"""One test for all predictors: that their areas are equal."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocstats.curves.superiority import require_two_predictors
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
)
from rocstats.estimate.areas import size_codes, variance_name
from rocstats.estimate.contrasts import all_contrasts_test
from rocstats.estimate.covariance import AvailableInfluence, available_influence
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.influence import AreaCovariance, area_covariance
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.sample import Sample, own_sample, require_fold_classes, require_same_cases

TEST_EQUAL_AUC = Question(
    "test_equal_auc",
    estimate_columns(f"predictor group {AREA} {TEST} hypothesis n_pos n_neg method note"),
    ("delong-1988", "obuchowski-1997", "zhou-gatsonis-1996"),
)


def test_equal_auc(sample: Sample) -> pd.DataFrame:
    """Return the global test that all predictors have the same area; a row is one test.

    Returns
    -------
    pandas.DataFrame
        The columns are the columns of ``auc()``. ``predictor`` is "all", the estimate and its
        limits are NaN, and ``statistic`` is chi-square.

    Raises
    ------
    InputError
        If the study has a single predictor.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    The statistic is chi2 = (L a)' (L S L')^- (L a). Here a is the vector of the areas, L is the
    matrix that takes differences of successive areas, and ^- is the generalised inverse. S is the
    covariance of the areas (DeLong; Obuchowski with clusters). The degrees of freedom are rank(L S
    L'). Therefore a duplicate predictor changes nothing. Each group has a row and is tested
    separately. In a study with ``nan_policy="available"`` S is computed as in ``compare_auc``, and
    ``n_pos`` and ``n_neg`` count all cases.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988), equation 9 [delong-1988]
    - Zhou & Gatsonis (1996), for predictors measured in different cases [zhou-gatsonis-1996]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], {"a": [5, 4, 3, 1, 2, 2, 0, 1],
    ...                                             "b": [4, 5, 1, 2, 3, 1, 1, 0]})
    >>> study.test_equal_auc()[["statistic", "df", "p_value"]].round(3)
       statistic   df  p_value
    0      0.024  1.0    0.877
    """
    TEST_EQUAL_AUC.refuse_covariates(sample)
    require_two_predictors(sample, "a test of equality")
    if sample.from_tables:
        require_same_cases(sample)
    # Successive differences: any k - 1 independent contrasts give the same statistic.
    weights = np.eye(len(sample.predictors))[:-1] - np.eye(len(sample.predictors))[1:]
    rows = [
        answer_row_of_result(
            TEST_EQUAL_AUC,
            {
                **FULL_AREA,
                "predictor": "all",
                "group": group,
                "null_value": 0.0,
                "hypothesis": "two-sided",
                **class_size_columns(part),
            },
            *_global_area_test(part, weights),
        )
        for group, part in sample.by_group()
    ]
    return answer_rows(TEST_EQUAL_AUC, sample, rows)


def _global_area_test(sample: Sample, weights: FloatArray) -> tuple[Result, list[str]]:
    """Return the test that contrasts of all areas are 0, and the notes on the cases."""
    # One sample if all have the same cases.
    samples = list(dict.fromkeys(own_sample(sample, k) for k in range(len(sample.predictors))))
    if any(map(lacks_class, samples)):
        return undefined_result("one-class"), sample_notes(sample)
    for part in samples:
        require_fold_classes(part)
    if sample.sample_weight is not None:
        return undefined_result("weights-need-bootstrap"), sample_notes(sample)
    shared = sample.own_dropped is None
    covariance: AreaCovariance | AvailableInfluence
    if shared:
        covariance = area_covariance(sample.cases, range(len(sample.predictors)))
    else:
        covariance = available_influence(sample.all_cases, [part.cases for part in samples])
    notes = [note for part in samples for note in size_codes(part.cases)]
    notes += [*([] if shared else ["available-cases"]), *sample_notes(sample)]
    if not np.isfinite(covariance.covariance).all():
        return undefined_result("single-case"), notes
    # DeLong et al (1988), equation 9, with a generalised inverse for predictors given twice.
    statistic, df, p = all_contrasts_test(weights, covariance)
    # The note that explains an answer without numbers comes first.
    if np.isnan(statistic):
        notes.insert(0, "no-variance")
    elif df == 0:
        notes.insert(0, "identical-predictors")
    if np.isin(covariance.area, (0.0, 1.0)).any():
        notes.insert(0, "auc-at-boundary")
    method = f"{'' if shared else 'available-'}{variance_name(sample.all_cases, 'delong')}/chi2"
    return Result(np.nan, statistic=statistic, df=df, p_value=p, method=method), notes
