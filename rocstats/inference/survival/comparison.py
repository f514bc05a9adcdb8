"""Differences of areas at a time of predictors on the same patients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from rocstats.frames.glossary import FULL_AREA
from rocstats.frames.questions import AREA, TEST, Question, estimate_columns
from rocstats.inference.estimates.undefined import unanswered
from rocstats.inference.survival.differences import (
    Differences,
    answer_differences,
    read_differences,
    result_columns,
)
from rocstats.inference.survival.options import (
    NO_STATUS,
    Horizons,
    always,
    read_times_asked,
    scores_at,
    status_codes,
    status_columns,
    word_of,
)
from rocstats.sample.survival import SurvivalSample
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.comparison.multiplicity import Adjustment
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.survival.areas import area_at
from rocstats.stats.survival.differences import difference
from rocstats.stats.survival.status import Controls, StatusAt

SURVIVAL_COMPARE_AUC = Question(
    "survival_compare_auc",
    estimate_columns(
        f"predictor reference group time controls {AREA} {TEST} p_adjusted hypothesis n_pos n_neg"
        " n_censored method note"
    ),
    ("blanche-2013", "hung-chiang-2010"),
)


def survival_compare_auc(
    sample: SurvivalSample,
    *,
    time: float | Sequence[float],
    controls: Controls = "not-case",
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of areas at given times; a row is one pair of predictors at one time.

    Parameters
    ----------
    time : float > 0, or sequence of them
        Times, in the unit of the study.
    controls : {"not-case", "event-free"}, default "not-case"
        Who is a control at a time, as in ``auc``.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of the areas, as in ``Study.compare_auc``.

        - "difference" (default): d is not ``null_value``, by ``alternative``.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter; 0 where none is given for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis "difference".
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows, times included; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the interval has 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], time, controls, quantity, estimate, ci_low,
        ci_high, p_value, p_adjusted, se, statistic, df, n_pos, n_neg, n_censored,
        confidence_level, null_value, hypothesis, range_axis, range_low, range_high, method,
        note``. ``estimate`` is the area of the predictor minus that of the reference.

    Raises
    ------
    InputError
        As ``auc``; if the study has one predictor, or words do not go together.

    Warns
    -----
    StatisticalWarning
        As ``auc``; if both rank all patients alike (``no-discordance``), or the difference has no
        variance (``no-variance``).

    Notes
    -----
    The standard error is that of the difference of the influence values of each patient, so that
    the correlation of both areas is allowed for. Limits are normal. In simulations with 100 to 1000
    patients 95% limits covered .929 to .957.

    References
    ----------
    - Blanche, Dartigues & Jacqmin-Gadda (2013), section 3.3 [blanche-2013]
    - Hung & Chiang (2010) [hung-chiang-2010]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> scores = {"new": (50 - months) / 3 + 29 * k % 19, "old": (50 - months) / 4 + 17 * k % 23}
    >>> study = rs.SurvivalStudy(months, died, scores)
    >>> found = study.compare_auc(time=[8, 14])
    >>> found[["time", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
       time  estimate  ci_low  ci_high  p_value
    0   8.0     0.003  -0.266    0.272    0.980
    1  14.0    -0.007  -0.300    0.287    0.965
    """
    times = read_times_asked(time, controls)
    asked = read_differences(
        sample, reference, hypothesis, margin, alternative, null_value, adjust, confidence_level
    )
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for row in _rows(part, times, asked)
    ]
    return answer_differences(SURVIVAL_COMPARE_AUC, sample, asked, rows)


def _rows(part: SurvivalSample, times: Horizons, asked: Differences) -> Iterator[dict[str, Any]]:
    """Yield the rows of one group, by pair of predictors and time."""
    by_time = [_rows_at(part, at, times.controls, asked) for at in times.statuses(part)]
    for rows in zip(*by_time, strict=True):
        yield from rows


def _rows_at(
    part: SurvivalSample, at: StatusAt, controls: Controls, asked: Differences
) -> list[dict[str, Any]]:
    """Return the rows of one time."""
    known = {**FULL_AREA, **status_columns(at), "controls": controls}
    each = [{**known, **asked.columns(part, pair)} for pair in asked.pairs]
    if not at.is_defined:
        codes = [NO_STATUS, *always(part)]
        return [unanswered(SURVIVAL_COMPARE_AUC, row, codes) for row in each]
    areas = [area_at(at, scores_at(part, k)) for k in range(len(part.predictors))]
    word, codes = word_of(part, "ipcw"), status_codes(part, at)
    found = [
        difference(at.follow_up, areas[first], areas[second], asked.plan, word)
        for first, second in asked.pairs
    ]
    return [{**row, **result_columns(one, codes)} for row, one in zip(each, found, strict=True)]
