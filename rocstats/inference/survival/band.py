"""Areas at several times with limits that hold at all of them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from rocstats.errors import require_open_interval
from rocstats.frames.questions import ESTIMATE, Question, estimate_columns
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.area_inference import read_area_test
from rocstats.inference.estimates.undefined import unanswered
from rocstats.inference.survival.auc import AreaAsked
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
from rocstats.stats.survival.areas import area_at, sized_area
from rocstats.stats.survival.bands import band_level
from rocstats.stats.survival.printed import BAND
from rocstats.stats.survival.status import Controls

SURVIVAL_AUC_BAND = Question(
    "survival_auc_band",
    estimate_columns(
        f"predictor group time controls quantity {ESTIMATE} scope n_pos n_neg n_censored method"
        " note"
    ),
    ("blanche-2013", "hung-chiang-2010", "newcombe-2006"),
)


def survival_auc_band(
    sample: SurvivalSample,
    *,
    time: float | Sequence[float],
    controls: Controls = "not-case",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return areas at several times with a simultaneous band; a row is one predictor at one time.

    Use it for a graph of discrimination over time, or for a claim about several times. For one
    time ``auc`` is narrower.

    Parameters
    ----------
    time : sequence of float > 0
        Times of the band, in the unit of the study. The band holds at these times; rows are in
        their ascending order.
    controls : {"not-case", "event-free"}, default "not-case"
        Who is a control at a time, as in ``auc``.
    confidence_level : float in (0, 1), default 0.95
        Level of the whole band of one predictor.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], time, controls, quantity, estimate, ci_low, ci_high, se,
        n_pos, n_neg, n_censored, confidence_level, scope, method, note``.

    Raises
    ------
    InputError
        As ``auc``.

    Warns
    -----
    StatisticalWarning
        As ``auc``.

    Notes
    -----
    Limits are expit(logit A -+ c se/(A(1 - A))); c is the quantile of the largest of correlated
    normal variables, whose correlation is that of the influence values at the times. Nothing is
    drawn: the same study has the same band. An area of 0 or 1 has Newcombe's limits at the level of
    c. More times make a band wider, but little where they are close; 100 times take some seconds.

    In simulations with 100 to 1000 patients and four times, 95% bands held all true areas in .936
    to .954 of samples.

    References
    ----------
    - Blanche, Dartigues & Jacqmin-Gadda (2013), section 3 [blanche-2013]
    - Hung & Chiang (2010) [hung-chiang-2010]
    - Newcombe (2006), areas of 0 and 1 [newcombe-2006]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> study = rs.SurvivalStudy(months, died, (50 - months) / 3 + 29 * k % 19, predictor="marker")
    >>> band = study.auc_band(time=[8, 11, 14])
    >>> band[["time", "estimate", "ci_low", "ci_high"]].round(3)
       time  estimate  ci_low  ci_high
    0   8.0     0.556   0.321    0.769
    1  11.0     0.654   0.415    0.834
    2  14.0     0.620   0.368    0.820
    """
    asked = read_times_asked(time, controls)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = [
        {"group": group, "scope": "simultaneous", "confidence_level": confidence_level, **row}
        for group, part in sample.by_group()
        for row in _rows(part, asked, confidence_level)
    ]
    return answer_rows(SURVIVAL_AUC_BAND, sample, rows)


def _rows(part: SurvivalSample, asked: Horizons, level: float) -> Iterator[dict[str, Any]]:
    """Yield the rows of one group, by predictor and time."""
    statuses = list(asked.statuses(part))
    defined = [at for at in statuses if at.is_defined]
    for k, name in enumerate(part.predictors):
        found = {at.t: area_at(at, scores_at(part, k)) for at in defined}
        each = band_level(defined[0].follow_up, list(found.values()), level) if defined else level
        of_area = AreaAsked("logit", read_area_test(each, "two-sided", None))
        for at in statuses:
            known = {"predictor": name, "quantity": "auc", "controls": asked.controls}
            known |= status_columns(at)
            if not at.is_defined:
                codes = [NO_STATUS, *always(part)]
                yield unanswered(SURVIVAL_AUC_BAND, known, codes)
                continue
            columns, codes = of_area.columns(sized_area(found[at.t], at), word_of(part, "ipcw"))
            columns["method"] = columns["method"].replace("/logit", f"/{BAND}")
            yield {**known, **columns, "note": [*codes, *status_codes(part, at)]}
