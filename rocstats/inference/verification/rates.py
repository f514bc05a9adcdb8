"""Sensitivity and specificity of a test from counts, when only some of the cases were verified.

Verification depends on the test result only, so that the shares within a result are unbiased
[begg-1983].
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval, require_text
from rocstats.estimate.answers import answer_row_of_result
from rocstats.estimate.bars import binomial_bars
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.quantiles import t_quantile
from rocstats.facts import scipy_special as sp
from rocstats.facts.methods import Word
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.study.points import is_whole
from rocstats.study.tables import read_cells

# --- Question -------------------------------------------------------------------------------------

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
    """Return rates of a test, corrected for verification bias; a row is one rate.

    Parameters
    ----------
    tp, fp : int >= 0
        Numbers of verified cases with a positive test: ``tp`` with the condition, ``fp`` without
        the condition.
    fn, tn : int >= 0
        Numbers of verified cases with a negative test: ``fn`` with the condition, ``tn`` without
        the condition.
    n_test_positive, n_test_negative : int
        Numbers of all cases, verified or not, with a positive test and with a negative test.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    predictor : str, default "test"
        Name of the test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, kind, quantity, estimate, ci_low, ci_high, se, n_pos, n_neg, n_cases,
        confidence_level, method, note``. Four rows have the ``kind`` "missing-at-random" (``tpr,
        tnr, ppv, npv``). For comparison, the uncorrected ``tpr`` and ``tnr`` have the ``kind``
        "verified-only". ``n_pos`` and ``n_neg`` count verified cases. ``n_cases`` counts all cases.

    Raises
    ------
    InputError
        If a count is negative or not whole; if there are more verified cases than cases; or if no
        case with a positive test, or no case with a negative test, was verified.

    Warns
    -----
    StatisticalWarning
        - ``verification-bias``: the row has a rate of verified cases only.
        - ``zero-verified-cell``: a rate is 0 or 1.
        - ``none-verified``: a rate is NaN, since no verified case has the condition or all verified
          cases have it.

    Notes
    -----
    Let n+ and n- be the numbers of all cases with a positive and with a negative test. Let a =
    tp/(tp + fp) and b = fn/(fn + tn) be the shares of verified cases with the condition, for a
    positive and for a negative test. Then tpr = n+ a/(n+ a + n- b) and tnr = n- (1 - b)/(n- (1 -
    b) + n+ (1 - a)). The logit of tpr has the variance (n+ + n-)/(n+ n-) + fp/(tp (tp + fp)) +
    tn/(fn (fn + tn)). For tnr, exchange cases with and without the condition in this formula. The
    predictive values need no correction. They are computed from verified cases, with Wilson's
    limits. If a rate is 0 or 1, one limit equals the rate. The other limit is computed with 1/2
    added to each cell.

    The estimate assumes that verification depends only on the result of this test (missing at
    random). If verification also depends on symptoms or on a second test, the correction is wrong.
    In this situation, model the probability of verification and use ``verified_auc``. The data
    cannot show whether such a variable was missed.

    References
    ----------
    - Begg & Greenes (1983) [begg-1983]

    Examples
    --------
    Results of a liver scan. 263 of 429 patients with a positive test and 81 of 221 patients with a
    negative test were verified:

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
    _require_verified_among_tested("n_test_positive", n_test_positive, tp + fp)
    _require_verified_among_tested("n_test_negative", n_test_negative, fn + tn)
    about = {
        "predictor": predictor,
        "confidence_level": confidence_level,
        "n_pos": tp + fn,
        "n_neg": fp + tn,
        "n_cases": n_test_positive + n_test_negative,
    }
    # The specificity is the sensitivity with test results and conditions exchanged.
    diseased = VerifiedCounts(tp, fn, fp, tn, n_test_positive, n_test_negative)
    healthy = VerifiedCounts(tn, fp, fn, tp, n_test_negative, n_test_positive)
    corrected = {
        "tpr": _begg_greenes_rate(diseased, confidence_level),
        "tnr": _begg_greenes_rate(healthy, confidence_level),
        # Predictive values are conditional on the result, as verification is: they are unbiased.
        "ppv": _share_of_verified_cases(tp, tp + fp, confidence_level),
        "npv": _share_of_verified_cases(tn, fn + tn, confidence_level),
    }
    alone = {
        "tpr": _share_of_verified_cases(tp, tp + fn, confidence_level),
        "tnr": _share_of_verified_cases(tn, fp + tn, confidence_level),
    }
    rows = [
        answer_row_of_result(
            BEGG_GREENES, {**about, "kind": kind, "quantity": quantity}, result, codes
        )
        for kind, results, codes in (
            ("missing-at-random", corrected, []),
            ("verified-only", alone, ["verification-bias"]),
        )
        for quantity, result in results.items()
    ]
    return estimate_frame(BEGG_GREENES, rows, grouped=False)


def _require_verified_among_tested(name: str, tested: Any, verified: float) -> None:
    """Raise InputError unless some of the tested cases were verified, and no more than all."""
    if not is_whole(tested, verified):
        raise InputError(
            f"`{name}` must be a whole number, at least the {verified:g} verified cases; got"
            f" {tested!r}. Pass the number of all cases with this result."
        )
    # P(condition | result) is estimated in these cases; Bayes' rule needs it for both results.
    if verified == 0:
        raise InputError(
            f"`{name}` must include verified cases; got none of {tested:g}. Without verified"
            " cases the rates cannot be estimated."
        )


PRINTED = (
    Word(
        "begg-greenes",
        "by the method of Begg and Greenes for verification that depends on the result of the test",
        ("begg-1983",),
    ),
)
"""The word for the standard error, in ``method``."""


# --- Rates with their limits ----------------------------------------------------------------------


def _begg_greenes_rate(cells: VerifiedCounts, confidence_level: float) -> Result:
    """Return a rate corrected for verification bias (Begg & Greenes 1983)."""
    rate = cells.rate()
    if np.isnan(rate):
        return undefined_result("none-verified")
    low, high = verified_limits(cells, confidence_level)
    method = "begg-greenes/logit"
    if cells.has_zero:
        return Result(rate, np.nan, low, high, method=method, codes=("zero-verified-cell",))
    se = rate * (1 - rate) * np.sqrt(cells.logit_variance())  # delta method
    return Result(rate, se, low, high, method=method)


def _share_of_verified_cases(count: float, total: float, confidence_level: float) -> Result:
    """Return a share of verified cases with Wilson's limits."""
    if total == 0:
        return undefined_result("none-verified")
    # binomial_bars takes arrays of rates, such as the points of a curve.
    rate = np.array([count / total])
    bars = binomial_bars(rate, total, "wilson", confidence_level)
    estimate, se, low, high = (float(each[0]) for each in (rate, bars.se, bars.low, bars.high))
    return Result(estimate, se, low, high, method="binomial/wilson")


# --- Rates, limits and standard errors (Begg & Greenes 1983) --------------------------------------


class VerifiedCounts(NamedTuple):
    """Verified cases by true class and test result, and all tested cases by test result.

    ``positive`` and ``negative`` are verified cases of the class whose rate is estimated, by test
    result; ``other_positive`` and ``other_negative`` those of the other class. ``n_positive`` and
    ``n_negative`` are all cases with the result, verified or not.
    """

    positive: float
    negative: float
    other_positive: float
    other_negative: float
    n_positive: float
    n_negative: float

    @property
    def has_zero(self) -> bool:
        """Whether one of the results has no verified case of the class."""
        return self.positive == 0 or self.negative == 0

    def rate(self) -> float:
        """Return the share of positive results in the class; NaN if no verified case has it."""
        # Bayes' rule: verification depends on the result only, so that the shares within a result
        # are unbiased (docs/methods/verification.md, "Rates of a test").
        of_positive = self.positive / (self.positive + self.other_positive)
        of_negative = self.negative / (self.negative + self.other_negative)
        expected = self.n_positive * of_positive
        total = expected + self.n_negative * of_negative
        return expected / total if total > 0 else float("nan")

    def logit_variance(self) -> float:
        """Return the variance of the logit of the rate (Begg & Greenes); infinite with a zero."""
        if self.has_zero:
            return float("inf")
        n = self.n_positive + self.n_negative
        of_positive = self.other_positive / (self.positive * (self.positive + self.other_positive))
        of_negative = self.other_negative / (self.negative * (self.negative + self.other_negative))
        return n / (self.n_positive * self.n_negative) + of_positive + of_negative

    def smoothed(self) -> VerifiedCounts:
        """Return the counts with 1/2 added to each verified cell."""
        # The variance of the logit stays finite (docs/methods/verification.md, "Rates of a test").
        return VerifiedCounts(
            self.positive + 0.5,
            self.negative + 0.5,
            self.other_positive + 0.5,
            self.other_negative + 0.5,
            self.n_positive,
            self.n_negative,
        )


def verified_limits(cells: VerifiedCounts, confidence_level: float) -> tuple[float, float]:
    """Return logit limits, from smoothed cells where a cell is 0; at 0 or 1 that is a limit."""
    rate = cells.rate()
    if np.isnan(rate):
        return float("nan"), float("nan")
    used = cells.smoothed() if cells.has_zero else cells
    centre, sd = sp.logit(used.rate()), np.sqrt(used.logit_variance())
    step = t_quantile((1 + confidence_level) / 2, np.inf) * sd
    low, high = float(sp.expit(centre - step)), float(sp.expit(centre + step))
    return (0.0 if rate == 0 else low), (1.0 if rate == 1 else high)
