"""Two published areas compared: no cases are needed, only the areas and their standard errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval, require_text, require_whole
from rocstats.estimate.answers import answer_row_of_result
from rocstats.estimate.area_variances import hanley_mcneil_exponential_variance
from rocstats.estimate.claim import Hypothesis, hypothesis_columns, read_hypothesis
from rocstats.estimate.estimate import wald_result
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.methods import Word
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import AREA, TEST, Question, estimate_columns

COMPARE_PUBLISHED_AUC = Question(
    "compare_published_auc",
    estimate_columns(
        f"predictor reference {AREA} {TEST} hypothesis n_pos n_neg reference_n_pos reference_n_neg"
        " method note"
    ),
    ("hanley-mcneil-1982", "hanley-mcneil-1983"),
)

PRINTED = (
    Word(
        "published",
        "from the published standard errors and the correlation of the areas",
        ("hanley-mcneil-1983",),
    ),
    Word(
        "published-hanley-mcneil",
        "by the exponential approximation of Hanley and McNeil from the published areas, numbers of"
        " cases and correlation",
        ("hanley-mcneil-1982", "hanley-mcneil-1983"),
    ),
)
"""The words for standard errors of published areas, in ``method``."""

# The largest standard error of an area: one positive, one negative, an area of 1/2.
_LARGEST_SE = 0.5


def compare_published_auc(
    auc: float,
    reference_auc: float,
    *,
    se: float | None = None,
    reference_se: float | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    reference_n_pos: int | None = None,
    reference_n_neg: int | None = None,
    correlation: float = 0.0,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    confidence_level: float = 0.95,
    predictor: str = "test",
    reference: str = "reference",
) -> pd.DataFrame:
    """Return the difference of two published areas, with its test, in one row.

    Use this function if the scores of the patients are not at hand. With the scores, use
    ``Study.compare_auc``, which estimates the correlation of the areas.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1)
        The areas.
    se, reference_se : float in (0, 0.5), optional
        Their standard errors. The standard error of an area with 95% Wald limits is the width of
        the interval divided by 3.92.
    n_pos, n_neg : int >= 1, optional
        Numbers of positives and negatives of the first area. They replace the standard error, if it
        was not published.
    reference_n_pos, reference_n_neg : int >= 1, optional
        Numbers of positives and negatives of the other area. With a ``correlation`` other than 0,
        the defaults are ``n_pos`` and ``n_neg``: the same patients.
    correlation : float in (-1, 1), default 0
        Correlation of the areas, which is not the correlation of the scores. It is 0 for two groups
        of patients. For two tests of the same patients it is usually positive; 0 then gives wide
        limits.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, the first area minus the other area.

        - "difference" (default): d is not ``null_value``, in the direction of ``alternative``.
        - "superiority": d > ``margin``, tested one-sided at (1 - confidence_level)/2. The interval
          is two-sided.
        - "non-inferiority": d > -``margin``, tested in the same way.
        - "equivalence": -``margin`` < d < ``margin``; the level of the interval is 2
          confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter; no default, except 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    predictor, reference : str
        Names of the two tests; by default "test" and "reference".

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_pos, n_neg, reference_n_pos, reference_n_neg, confidence_level, null_value,
        hypothesis, range_axis, range_low, range_high, method, note``; ``quantity`` is
        "auc_difference". Numbers of cases are missing where only standard errors were passed.

    Raises
    ------
    InputError
        If a value is out of its range; if an area has neither a standard error nor both numbers of
        cases, or has both; or if options cannot be combined.

    Notes
    -----
    d = A1 - A2 has the standard error sqrt(s1^2 + s2^2 - 2 r s1 s2), with the standard errors s1
    and s2 and the correlation r of the areas. The test is z = (d - null_value)/se; the limits are
    d -+ z se, cut at -1 and 1. A standard error that was not published is computed from the area
    and the numbers of cases: s^2 = [A (1 - A) + (m - 1)(Q1 - A^2) + (n - 1)(Q2 - A^2)]/(m n), where
    Q1 = A/(2 - A) and Q2 = 2 A^2/(1 + A).

    With DeLong's standard errors and their correlation, the row has the numbers of
    ``compare_auc(interval="wald")`` for the same cases, and so its coverage. The limits assume that
    both areas are normal. They are too short for small samples and for areas near 1. Published
    areas may have been selected because they are large. Two areas of different populations may
    differ for other reasons than the tests.

    References
    ----------
    - Hanley & McNeil (1982), the standard error from the numbers of cases [hanley-mcneil-1982]
    - Hanley & McNeil (1983), two areas of the same cases [hanley-mcneil-1983]

    Examples
    --------
    >>> import rocstats as rs
    >>> frame = rs.compare_published_auc(0.85, 0.78, se=0.03, reference_se=0.035, correlation=0.5)
    >>> frame[["quantity", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
             quantity  estimate  ci_low  ci_high  p_value
    0  auc_difference      0.07   0.006    0.134    0.033
    """
    for name, value in (("auc", auc), ("reference_auc", reference_auc)):
        require_open_interval(name, value, 0, 1)
    require_open_interval("correlation", correlation, -1, 1)
    for name, text in (("predictor", predictor), ("reference", reference)):
        require_text(name, text)
    plan = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    if correlation != 0 and reference_se is None:
        reference_n_pos = n_pos if reference_n_pos is None else reference_n_pos
        reference_n_neg = n_neg if reference_n_neg is None else reference_n_neg
    first = _standard_error(auc, "", se, n_pos, n_neg)
    other = _standard_error(
        reference_auc, "reference_", reference_se, reference_n_pos, reference_n_neg
    )
    variance = first**2 + other**2 - 2 * correlation * first * other
    word = "published" if se is not None and reference_se is not None else PRINTED[1].word
    result = wald_result(auc - reference_auc, variance**0.5, plan, word, ends=(-1.0, 1.0))
    cells: dict[str, Any] = {
        **FULL_AREA,
        **hypothesis_columns(plan),
        "quantity": "auc_difference",
        "predictor": predictor,
        "reference": reference,
        **{
            name: np.nan if number is None else float(number)
            for name, number in (
                ("n_pos", n_pos),
                ("n_neg", n_neg),
                ("reference_n_pos", reference_n_pos),
                ("reference_n_neg", reference_n_neg),
            )
        },
    }
    row = answer_row_of_result(COMPARE_PUBLISHED_AUC, cells, result, [])
    return estimate_frame(COMPARE_PUBLISHED_AUC, [row], grouped=False)


def _standard_error(
    auc: float, prefix: str, se: float | None, n_pos: int | None, n_neg: int | None
) -> float:
    """Return the published standard error of an area, or that of its numbers of cases."""
    numbers = {f"{prefix}n_pos": n_pos, f"{prefix}n_neg": n_neg}
    given = [name for name, number in numbers.items() if number is not None]
    if se is not None and given:
        raise InputError(
            f"`{given[0]}` must be left out with `{prefix}se`; got {numbers[given[0]]!r}. Leave one"
            " of them out."
        )
    if se is not None:
        require_open_interval(f"{prefix}se", se, 0, _LARGEST_SE)
        return float(se)
    if len(given) < len(numbers):
        raise InputError(
            f"`{prefix}se` must be given, or both `{prefix}n_pos` and `{prefix}n_neg`; got none."
            " Pass the standard error, or the numbers of cases."
        )
    m, n = (require_whole(name, number, 1, "Pass a count.") for name, number in numbers.items())
    return float(hanley_mcneil_exponential_variance(auc, m, n) ** 0.5)
