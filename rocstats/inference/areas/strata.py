"""The area adjusted for the group: over pairs of cases of the same group."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.areas.ranks import area_of
from rocstats.errors import require_choice
from rocstats.frames.glossary import FULL_AREA
from rocstats.frames.questions import AREA, BINNING_ERROR, TEST, Question, estimate_columns
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.area_inference import AreaTest, inferred_columns, read_area_test
from rocstats.inference.estimates.strata import require_strata, strata_codes
from rocstats.inference.estimates.undefined import unanswered
from rocstats.sample.base import row_codes
from rocstats.sample.binned import binning_error
from rocstats.sample.sample import Sample, own_sample
from rocstats.stats.areas.estimates import size_codes, variance_name
from rocstats.stats.areas.strata import (
    stratified_areas,
    stratified_covariance,
    stratified_newcombe,
)
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.intervals.records import AREA_INTERVALS

STRATIFIED_AUC = Question(
    "stratified_auc",
    estimate_columns(f"predictor group {AREA} {TEST} hypothesis n_pos n_neg method note"),
    ("delong-1988", "obuchowski-1997", "janes-2009", "cochran-1954", "newcombe-2006"),
    binned=True,
)

StratifiedInterval = Literal["logit", "wald", "probit", "logit-t"]
# A stratified area is a mean of areas, as one over folds is: the closed forms that folds allow.
INTERVALS = tuple(
    record.word
    for record in AREA_INTERVALS
    if not record.resampled and "folds" not in record.refuses
)


def stratified_auc(
    sample: Sample,
    *,
    interval: StratifiedInterval = "logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return the area over pairs of cases of the same group; a row is one predictor.

    Parameters
    ----------
    interval : {"logit", "wald", "probit", "logit-t"}, default "logit-t"
        Scale and quantiles of the limits.

        - "logit": on the logit scale.
        - "wald": on the scale of the area; for many cases and areas far from 1.
        - "probit": on the probit scale.
        - "logit-t": logit with Satterthwaite degrees of freedom; the default of ``auc`` too.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" gives a lower limit at the full level (the upper one is 1) and tests
        AUC > ``null_value``; "less" the reverse.
    null_value : float in (0, 1), optional
        A performance goal to test against, on the scale of the interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, group, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low, range_high,
        method, note``; ``quantity`` is "stratified_auc", ``group`` "all". The counts are of the
        groups that hold both classes.

    Raises
    ------
    InputError
        If the study has no groups, no group holds both classes, a word is unknown, or a fold lacks
        a class.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    The estimate is the share of pairs, among all pairs of a positive and a negative of the same
    group (centre, scanner, reader), that are ranked right, ties half:
    A = sum_g w_g A_g, w_g = m_g n_g / sum_h m_h n_h, m_g and n_g the numbers of positives and
    negatives. A predictor whose level differs between centres, or centres whose prevalence
    differs, change the pooled ``auc`` and not this one. Weights by pairs make it an average over
    pairs, dominated by large balanced groups; where areas differ between groups
    (``test_equal_groups``) it depends on their sizes.

    The variance adds up the influence values of every case, times w_g: sum_g w_g^2 Var(A_g) with
    DeLong's Var, the w_g taken as fixed. With clusters influence is summed by cluster first,
    across groups too, as Obuchowski's. With folds A_g is the mean over the folds in the group. A
    group that lacks a class holds no pairs and counts for nothing (note
    ``strata-without-pairs``). Where the variance is 0 or undefined (A of 0 or 1; a group with a
    single positive or negative, note ``single-case``) limits are the roots of
    (A - t)^2 = z^2 sum_g w_g^2 v_g(t), v_g Newcombe's method 5, which supposes equal areas.
    Under ``sample_weight`` pairs are weighted and only the estimate is given.

    Each predictor has its own row; ``compare_stratified_auc`` compares them. Assumes that groups
    are fixed and cases (clusters) independent.

    References
    ----------
    - Janes & Pepe (2009) (adjusted curve for discrete covariates, there weighted by positives)
      [janes-2009]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]
    - Newcombe (2006), method 5 [newcombe-2006]

    Examples
    --------
    Each centre ranks 7 of its 9 pairs right; centre b measures two units more, which the pooled
    area takes for errors:

    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 0, 0, 0] * 2, [5, 3, 2, 4, 1, 0, 7, 5, 4, 6, 3, 2]
    >>> study = rs.Study(y, score, group=["a"] * 6 + ["b"] * 6)
    >>> study.stratified_auc()[["group", "quantity", "estimate", "se"]].round(3)
      group        quantity  estimate     se
    0   all  stratified_auc     0.778  0.176
    >>> rs.Study(y, score).auc()[["quantity", "estimate", "se"]].round(3)
      quantity  estimate     se
    0      auc     0.736  0.156
    """
    STRATIFIED_AUC.refuse_covariates(sample)
    interval = require_choice("interval", interval, INTERVALS)
    test = read_area_test(confidence_level, alternative, null_value)
    rows = [
        {"predictor": name, "group": "all", **_stratified(sample, k, interval, test)}
        for k, name in enumerate(sample.predictors)
    ]
    return answer_rows(STRATIFIED_AUC, sample, rows)


def _stratified(
    whole: Sample, k: int, interval: StratifiedInterval, test: AreaTest
) -> dict[str, Any]:
    strata, sample = require_strata(whole, k), own_sample(whole, k)
    area = stratified_areas(stratified_covariance(sample.cases, strata, [k]), strata)[0]
    codes = strata_codes(whole, strata)
    known = {
        **FULL_AREA,
        "quantity": "stratified_auc",
        "estimate": area.value,
        **test.columns(),
        # A group without pairs has no share in the estimate, nor in its counts.
        "n_pos": sum(stratum.cases.n_pos for stratum in strata),
        "n_neg": sum(stratum.cases.n_neg for stratum in strata),
    }
    note = ["weights-need-bootstrap", *codes, *row_codes(sample)]
    row = unanswered(STRATIFIED_AUC, known, note)
    if sample.sample_weight is not None:
        return row
    # False for NaN too (a class with one case): both fall back to Newcombe's method 5, whose
    # variance is a function of the limit and not of the placements.
    defined = area.variance > 0
    inference = (
        test.infer(area, interval)
        if defined
        else test.infer(area, "newcombe", stratified_newcombe(strata))
    )
    return {
        **row,
        **inferred_columns(area, inference),
        BINNING_ERROR: binning_error(whole, lambda one: _value(one, k)),
        "method": f"stratified-{variance_name(sample.cases, 'delong')}/{inference.method}",
        "note": [*inference.codes, *size_codes(sample.cases), *codes, *row_codes(sample)],
    }


def _value(whole: Sample, k: int) -> float:
    """Return the area over the pairs of all strata."""
    strata = require_strata(whole, k)
    shares = np.array([stratum.share for stratum in strata])
    return float(shares @ np.array([area_of(stratum.cases, k) for stratum in strata]))
