"""The area under the curve of each predictor, with its interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.area import area
from rocstats.errors import require_choice, require_open_interval
from rocstats.frames import estimate_frame
from rocstats.glossary import FULL_AREA
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.stats.areas import (
    Interval,
    Variance,
    estimate_area,
    infer,
    require_known,
    size_codes,
    variance_name,
)
from rocstats.stats.intervals import ALTERNATIVES, Alternative

REFERENCES = (
    "DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845.",
    "Hanley JA, McNeil BJ. Radiology 1982;143:29-36.",
    "Newcombe RG. Stat Med 2006;25:559-573.",
    "Obuchowski NA. Biometrics 1997;53:567-578.",
)


def auc(
    sample: Sample,
    *,
    variance: Variance = "delong",
    interval: Interval = "logit",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return the area under the ROC curve; a row is the AUC of one predictor (in one group).

    Parameters
    ----------
    variance : str, default "delong"
        "delong" (Obuchowski's form with clusters; foldwise with folds), "hanley-mcneil" (from the
        AUC and the class sizes alone, exponential scores), "hanley-mcneil-data" (their Q1 and Q2
        from the data), "unbiased" (Bamber), "bootstrap" (the stratified bootstrap with infinitely
        many resamples, in closed form). With clusters only "delong" is defined.
    interval : str, default "logit"
        "logit", "wald", "probit" go with any variance; "logit-t" with "delong" (Satterthwaite
        degrees of freedom; with clusters their number minus 1); "newcombe" and
        "hanley-mcneil-score" take the variance at the limit, clusters entering as cases; "exact" is
        logit inside (0, 1) and distribution-free at 0 and 1. The last three need a study without
        folds. The default is the literature's best all-round choice that is published.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" gives a lower limit at the full level (the upper one is 1) and tests
        AUC > ``null_value``; "less" the reverse.
    null_value : float in (0, 1), optional
        A performance goal to test against, by the statistic that the interval inverts. To test
        against chance at small n, an exact rank test serves better than a null value of 0.5.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, range_axis, range_low, range_high, estimate, se,
        ci_low, ci_high, confidence_level, null_value, statistic, df, p_value, hypothesis, n_pos,
        n_neg, method, note``.

    Raises
    ------
    InputError
        If a word is unknown, a pair makes no sense, a role cannot be honoured, or a fold lacks a
        class.

    Warns
    -----
    StatisticalWarning
        Once for each doubt that stands in ``note``: ``auc-at-boundary``, ``few-cases`` and so on.

    Notes
    -----
    Estimate: A = P(X > Y) + P(X = Y)/2 over all pairs of a positive X and a negative Y, the
    Wilcoxon-Mann-Whitney statistic with mid-ranks. DeLong: Var = S10/m + S01/n, the sample
    variances of the placements. Logit interval: expit(logit A -+ z se/(A(1 - A))).

    Where the variance is 0 or undefined (A of 0 or 1, a class with one case), limits come from
    Newcombe's method 5, whatever ``interval`` says, and ``method`` and ``note`` say so: no interval
    has zero width. Under ``sample_weight`` only the estimate is given. A group that lacks a class
    has a row of NaN.

    Assumes independent cases (independent clusters with ``cluster=``). With folds the target is
    the average performance of the fitted models, not of the learning algorithm. Not for scores of
    a model on its own training data.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), equations 4-6; Hanley & McNeil (1982); Bamber (1975);
    Newcombe (2006), method 5; Obuchowski (1997); LeDell, Petersen & van der Laan (2015);
    Bandos, Rockette & Gur (2007); Fawcett (2004), section 5.

    Examples
    --------
    The CT ratings of Hanley & McNeil (1982), whose standard error they print as 0.032:

    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.auc(variance="hanley-mcneil", interval="wald")[["estimate", "se"]].round(3)
       estimate     se
    0     0.893  0.032
    """
    require_known(sample, variance, interval)
    require_choice("alternative", alternative, ALTERNATIVES)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if null_value is not None:
        require_open_interval("null_value", null_value, 0, 1)
    asked = {
        "confidence_level": confidence_level,
        "alternative": alternative,
        "null_value": np.nan if null_value is None else float(null_value),
    }
    rows = []
    for group, part in sample.by_group():
        for k, name in enumerate(sample.predictors):
            row = _row(part, k, variance, interval, asked)
            rows.append({"predictor": name, "group": group, **row})
    return estimate_frame("auc", rows, grouped=sample.group is not None, references=REFERENCES)


def _row(
    sample: Sample, k: int, variance: Variance, interval: Interval, asked: dict[str, Any]
) -> dict[str, Any]:
    row = {
        **FULL_AREA,
        "confidence_level": asked["confidence_level"],
        "null_value": asked["null_value"],
        "hypothesis": asked["alternative"],
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
    }
    if sample.n_pos == 0 or sample.n_neg == 0:
        return {**row, **_without_interval(np.nan, ["one-class", *sample.notes()])}
    require_fold_classes(sample)
    if sample.sample_weight is not None:
        value = float(np.mean([area(part.counts(k)) for _, part in sample.by_fold()]))
        return {**row, **_without_interval(value, ["weights-need-bootstrap", *sample.notes()])}
    estimate = estimate_area(sample, k, variance)
    found = infer(estimate, interval, **asked)
    return {
        **row,
        "estimate": estimate.value,
        "se": np.sqrt(estimate.variance),
        "ci_low": found.ci_low,
        "ci_high": found.ci_high,
        "statistic": found.statistic,
        "df": found.df,
        "p_value": found.p_value,
        "method": f"{variance_name(sample, variance)}/{found.method}",
        "note": [*found.codes, *size_codes(sample), *sample.notes()],
    }


def _without_interval(value: float, codes: list[str]) -> dict[str, Any]:
    undefined = dict.fromkeys(("se", "ci_low", "ci_high", "statistic", "df", "p_value"), np.nan)
    return {**undefined, "estimate": value, "method": "none/none", "note": codes}
