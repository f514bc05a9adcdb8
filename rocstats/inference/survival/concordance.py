"""The concordance of scores with times to an event: Uno's and Harrell's."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.frames.questions import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.area_inference import read_area_test
from rocstats.inference.estimates.undefined import unanswered
from rocstats.inference.survival.auc import SURVIVAL_INTERVALS, AreaAsked, SurvivalInterval
from rocstats.inference.survival.options import (
    always,
    follow_up_of,
    scores_at,
    size_codes,
    word_of,
)
from rocstats.sample.inputs.points.times import read_horizons
from rocstats.sample.survival import SurvivalSample
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.survival.concordance import (
    Pairs,
    concordance_of,
    pairs_of,
    sized_concordance,
)
from rocstats.tolerances import FEW_CASES

CONCORDANCE = Question(
    "concordance",
    estimate_columns(
        f"predictor group time quantity {ESTIMATE} {TEST} hypothesis n_pos n_neg n_censored method"
        " note"
    ),
    ("uno-2011", "harrell-1982", "newcombe-2006"),
)
ConcordanceMethod = Literal["uno", "harrell"]
CONCORDANCE_METHODS: tuple[ConcordanceMethod, ...] = get_args(ConcordanceMethod)
NO_PAIRS = "no-comparable-pairs"


class PairsAsked(NamedTuple):
    """Whose concordance, and the last time of an event that counts; infinite for all."""

    method: ConcordanceMethod
    limit: float

    def pairs(self, part: SurvivalSample) -> Pairs:
        """Return the comparable pairs of a part of the sample."""
        return pairs_of(follow_up_of(part), self.limit, weighs_g=self.method == "uno")

    def columns(self, part: SurvivalSample, pairs: Pairs) -> dict[str, Any]:
        """Return the columns that say what is estimated, and of how many."""
        n_pos, n_neg = pairs.sizes
        censored = (part.event == 0) & (part.time <= self.limit)
        return {
            "quantity": "concordance",
            "time": self.limit if np.isfinite(self.limit) else np.nan,
            "n_pos": float(n_pos),
            "n_neg": float(n_neg),
            "n_censored": float(np.count_nonzero(censored)),
        }


def concordance(
    sample: SurvivalSample,
    *,
    method: ConcordanceMethod = "uno",
    time_limit: float | None = None,
    interval: SurvivalInterval = "logit",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return the concordance of scores with times to the event; a row is one predictor.

    The concordance (C index) is the probability that of two patients, of whom one has the event
    while the other is still followed without one, the first has the higher score. Use it for
    discrimination over the whole follow-up; ``auc`` is for the risk by a given time, which the
    concordance does not describe.

    Parameters
    ----------
    method : {"uno", "harrell"}, default "uno"
        - "uno": pairs are weighted by censoring, so that the value does not depend on it.
        - "harrell": pairs count as they are seen. The value depends on follow-up, and differs
          between studies with other censoring (note ``depends-on-censoring``).
    time_limit : float > 0, optional
        Last time of an event that counts, in the unit of the study: a time by which enough patients
        are still followed. It must be given for "uno", whose late pairs have large weights; for
        "harrell" all events count by default.
    interval : {"logit", "wald"}, default "logit"
        - "logit": on the logit scale.
        - "wald": estimate -+ z se, cut at 0 and 1, as in R's survival.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" gives a lower limit at the full level (the upper one is 1) and tests
        C > ``null_value``; "less" the reverse.
    null_value : float in (0, 1), optional
        A performance goal to test against, by the statistic that the interval inverts.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], time, quantity, estimate, ci_low, ci_high, p_value, se,
        statistic, df, n_pos, n_neg, n_censored, confidence_level, null_value, hypothesis, method,
        note``. ``n_pos`` and ``n_neg`` are the patients who are the earlier, and the later, of some
        pair; a patient can be both. ``n_censored`` are those censored by ``time_limit``.

    Raises
    ------
    InputError
        If ``time_limit`` is not above 0 or lacks with "uno", or a word or number is not possible.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``: there are no pairs (``no-comparable-pairs``: NaN),
        under 20 earlier or later patients (``few-cases``), a patient who stands for more than ten
        (``weights-extreme``), and those of an area.

    Notes
    -----
    A pair (i, j) is comparable if i has the event of interest, and T_j > T_i, or T_j = T_i and j is
    censored. C is the sum of a_ij psi(M_i, M_j) over the sum of a_ij, with weights a_ij of 1
    (Harrell), or 1/G(T_i-)^2 for T_i up to ``time_limit`` (Uno). The standard error is the root of
    the sum of squared influence values, over n; for Uno's C it allows for the estimation of G,
    which R's survival takes as known. Pairs are counted by sorting, not listed.

    In simulations with 60 to 300 patients 95% logit limits of Uno's C covered .943 to .951.

    Patients who had an event of another cause are compared up to its time. To count these events as
    censoring, as R's ``concordance(Surv(time, event == 1) ~ x)`` does, give the study
    ``event == 1``.

    References
    ----------
    - Uno, Cai, Pencina, D'Agostino & Wei (2011) [uno-2011]
    - Harrell, Califf, Pryor, Lee & Rosati (1982) [harrell-1982]
    - Newcombe (2006), values of 0 and 1 [newcombe-2006]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> study = rs.SurvivalStudy(months, died, (50 - months) / 3 + 29 * k % 19, predictor="marker")
    >>> study.concordance(time_limit=14)[["estimate", "ci_low", "ci_high"]].round(3)
       estimate  ci_low  ci_high
    0     0.538   0.408    0.662
    """
    asked = read_pairs(method, time_limit)
    interval = require_choice("interval", interval, SURVIVAL_INTERVALS)
    of_area = AreaAsked(interval, read_area_test(confidence_level, alternative, null_value))
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for row in _rows(part, asked, of_area)
    ]
    return answer_rows(CONCORDANCE, sample, rows)


def read_pairs(method: Any, time_limit: Any) -> PairsAsked:
    """Return whose concordance is asked for; raise InputError for Uno's without a time limit."""
    method = require_choice("method", method, CONCORDANCE_METHODS)
    if time_limit is None:
        if method == "uno":
            raise InputError(
                "`time_limit` must be given for the method 'uno'; got None. Pass the last time at"
                " which enough patients are still followed, or method='harrell'."
            )
        return PairsAsked(method, np.inf)
    limits = read_horizons(time_limit, "time_limit")
    if len(limits) > 1:
        raise InputError(
            f"`time_limit` must be one number; got {time_limit!r}. Ask once for each limit."
        )
    return PairsAsked(method, float(limits[0]))


def pair_codes(part: SurvivalSample, pairs: Pairs) -> list[str]:
    """Return the notes of a row about pairs."""
    codes = ["few-cases"] if min(pairs.sizes) < FEW_CASES else []
    codes += size_codes(pairs.n_units)
    if not pairs.weighs_g:
        codes.append("depends-on-censoring")
    elif pairs.has_extreme_weights:
        codes.append("weights-extreme")
    return [*codes, *always(part)]


def _rows(part: SurvivalSample, asked: PairsAsked, of_area: AreaAsked) -> list[dict[str, Any]]:
    """Return the rows of one group."""
    pairs = asked.pairs(part)
    known = {**asked.columns(part, pairs), **of_area.test.columns()}
    if not pairs.total > 0:
        codes = [NO_PAIRS, *always(part)]
        return [
            unanswered(CONCORDANCE, {**known, "predictor": name}, codes) for name in part.predictors
        ]
    rows = []
    for k, name in enumerate(part.predictors):
        found = sized_concordance(concordance_of(pairs, scores_at(part, k)), pairs)
        columns, codes = of_area.columns(found, word_of(part, asked.method))
        rows.append(
            {**known, "predictor": name, **columns, "note": [*codes, *pair_codes(part, pairs)]}
        )
    return rows
