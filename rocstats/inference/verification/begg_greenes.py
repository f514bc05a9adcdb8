"""Sensitivity and specificity when only some tested cases were verified."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval, require_text
from rocstats.frames.making import estimate_frame
from rocstats.frames.questions import ESTIMATE, Question, estimate_columns
from rocstats.sample.inputs.confusion_tables import read_cells
from rocstats.sample.inputs.points.thresholds import is_whole
from rocstats.stats.bands.bars import binomial_bars
from rocstats.stats.verification import Verified, verified_limits, verified_se

BEGG_GREENES = Question(
    "begg_greenes",
    estimate_columns(f"predictor kind quantity {ESTIMATE} n_pos n_neg n_cases method note"),
    ("begg-1983",),
)


def begg_greenes(
    *,
    tp: float,
    fp: float,
    fn: float,
    tn: float,
    n_test_positive: float,
    n_test_negative: float,
    confidence_level: float = 0.95,
    predictor: str = "test",
) -> pd.DataFrame:
    """Return the rates of a test corrected for verification bias; a row is one rate.

    Parameters
    ----------
    tp, fp : int >= 0
        Verified cases with a positive test, with and without the condition.
    fn, tn : int >= 0
        Verified cases with a negative test, with and without the condition.
    n_test_positive, n_test_negative : int
        All cases with a positive, and with a negative test, verified or not.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    predictor : str, default "test"
        Name of the test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, kind, quantity, estimate, ci_low, ci_high, se, n_pos, n_neg, n_cases,
        confidence_level, method, note``. Four rows of the ``kind`` "missing-at-random" (``tpr, tnr,
        ppv, npv``), and the uncorrected ``tpr`` and ``tnr`` of the "verified-only" for comparison.
        ``n_pos`` and ``n_neg`` count verified cases, ``n_cases`` all.

    Raises
    ------
    InputError
        If a count is negative or not whole, there are more verified cases than cases, or no case
        was verified among those with a positive (or with a negative) test.

    Warns
    -----
    StatisticalWarning
        ``verification-bias``: the rates of verified cases alone. ``zero-verified-cell``: a rate of
        0 or 1. ``none-verified``: no verified case has (or lacks) the condition, its rate is NaN.

    Notes
    -----
    With a = tp/(tp + fp) and b = fn/(fn + tn), n+ and n- the numbers of all tested:
    tpr = n+ a/(n+ a + n- b), tnr = n- (1 - b)/(n- (1 - b) + n+ (1 - a)). The logit of tpr has the
    variance (n+ + n-)/(n+ n-) + fp/(tp (tp + fp)) + tn/(fn (fn + tn)), that of tnr the same with
    the conditions exchanged. The predictive values are those of the verified, with Wilson's
    limits: they need no correction. Where a rate is 0 or 1 its other limit comes from cells with
    1/2 added to each.

    Assumes that verification depends on the result of this test only, not on the condition given
    the result (missing at random). If verification depends on more (symptoms, a second test), the
    correction is wrong: model the probability of verification and use ``verified_auc``. The data
    cannot show that no such variable is missing.

    References
    ----------
    - Begg & Greenes (1983) [begg-1983]

    Examples
    --------
    A liver scan: 263 of 429 positive and 81 of 221 negative patients were verified.

    >>> import rocstats as rs
    >>> frame = rs.begg_greenes(
    ...     tp=231, fp=32, fn=27, tn=54, n_test_positive=429, n_test_negative=221
    ... )
    >>> frame[["kind", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
                    kind quantity  estimate  ci_low  ci_high
    0  missing-at-random      tpr     0.836   0.783    0.879
    1  missing-at-random      tnr     0.738   0.656    0.807
    2  missing-at-random      ppv     0.878   0.833    0.912
    3  missing-at-random      npv     0.667   0.559    0.760
    4      verified-only      tpr     0.895   0.852    0.927
    5      verified-only      tnr     0.628   0.522    0.723
    """
    require_text("predictor", predictor)
    read_cells({"tp": tp, "fn": fn, "fp": fp, "tn": tn})
    require_open_interval("confidence_level", confidence_level, 0, 1)
    _require_tested("n_test_positive", n_test_positive, tp + fp)
    _require_tested("n_test_negative", n_test_negative, fn + tn)
    about = {
        "predictor": predictor,
        "confidence_level": confidence_level,
        "n_pos": tp + fn,
        "n_neg": fp + tn,
        "n_cases": n_test_positive + n_test_negative,
    }
    # The specificity is the sensitivity with test results and conditions exchanged.
    diseased = Verified(tp, fn, fp, tn, n_test_positive, n_test_negative)
    healthy = Verified(tn, fp, fn, tp, n_test_negative, n_test_positive)
    corrected = {"kind": "missing-at-random"}
    alone = {"kind": "verified-only"}
    rows = [
        {**corrected, "quantity": "tpr", **_corrected(diseased, confidence_level)},
        {**corrected, "quantity": "tnr", **_corrected(healthy, confidence_level)},
        {**corrected, "quantity": "ppv", **_binomial(tp, tp + fp, confidence_level)},
        {**corrected, "quantity": "npv", **_binomial(tn, fn + tn, confidence_level)},
        {**alone, "quantity": "tpr", **_binomial(tp, tp + fn, confidence_level, biased=True)},
        {**alone, "quantity": "tnr", **_binomial(tn, fp + tn, confidence_level, biased=True)},
    ]
    return estimate_frame(BEGG_GREENES, [{**about, **row} for row in rows], grouped=False)


def _corrected(cells: Verified, confidence_level: float) -> dict[str, Any]:
    """Return the columns of a rate corrected for verification bias (Begg & Greenes 1983)."""
    rate = cells.rate()
    low, high = verified_limits(cells, confidence_level)
    codes = (
        ["none-verified"] if np.isnan(rate) else ["zero-verified-cell"] if cells.has_zero else []
    )
    return {
        "estimate": rate,
        "se": verified_se(cells),
        "ci_low": low,
        "ci_high": high,
        "method": "none/none" if np.isnan(rate) else "begg-greenes/logit",
        "note": codes,
    }


def _binomial(
    count: float, total: float, confidence_level: float, *, biased: bool = False
) -> dict[str, Any]:
    """Return the columns of a share of verified cases with Wilson's limits."""
    codes = ["verification-bias"] if biased else []
    # Predictive values are conditional on the result, as verification is: they are unbiased.
    if total == 0:
        undefined = dict.fromkeys(("estimate", "se", "ci_low", "ci_high"), np.nan)
        return {**undefined, "method": "none/none", "note": ["none-verified", *codes]}
    # binomial_bars takes arrays of rates, such as the points of a curve.
    rate = np.array([count / total])
    bars = binomial_bars(rate, total, "wilson", confidence_level)
    return {
        "estimate": rate[0],
        "se": bars.se[0],
        "ci_low": bars.low[0],
        "ci_high": bars.high[0],
        "method": "binomial/wilson",
        "note": codes,
    }


def _require_tested(name: str, tested: Any, verified: float) -> None:
    """Raise InputError unless some of the tested cases were verified, and no more than all."""
    if not is_whole(tested, verified):
        raise InputError(
            f"`{name}` must be a whole number, at least the {verified:g} verified cases; got"
            f" {tested!r}. Pass the number of all cases with this result."
        )
    # P(condition | result) is estimated in these cases; Bayes' rule needs it for both results.
    if verified == 0:
        raise InputError(
            f"`{name}` must be of cases of which some were verified; got none of {tested:g}."
            " Without any the rates are not identified."
        )
