"""Concordance of scores with times to an event (Uno's and Harrell's), and its differences.

It is the share of comparable pairs in which the earlier patient has the higher score. A pair is
comparable if the earlier patient has the event of interest, and the other is followed longer, or
is censored at the same time. Pairs are counted without being listed: patients in the order of their
scores are split by the bits of their place in time, and in each part those of the later half that
come before one of the earlier half have lower scores. That takes a number of passes through the
patients that is the logarithm of their number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import answer_rows, result_row
from rocstats.estimate.areas import read_area_test, snapped
from rocstats.estimate.claim import Adjustment, Hypothesis
from rocstats.estimate.compare import Claim, Compared, compare, read_claim
from rocstats.estimate.estimate import undefined
from rocstats.estimate.intervals import Area
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.tolerances import FEW_CASES
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.survival.areas import (
    SURVIVAL_INTERVALS,
    ScoreCodes,
    SurvivalInterval,
    area_result,
    error_word,
    follow_up_of,
    ratio_difference,
    scores_at,
    study_codes,
    variance_of,
)
from rocstats.inference.survival.follow_up import CASE, CENSORED, EXTREME, OTHER, FollowUp, Ratio
from rocstats.study.points import read_horizons
from rocstats.study.survival import SurvivalSample

# --- Question: the concordance of each predictor --------------------------------------------------

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


def concordance(
    sample: SurvivalSample,
    *,
    method: ConcordanceMethod = "uno",
    time_limit: float | None = None,
    interval: SurvivalInterval = "logit-t",
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
    interval : {"logit-t", "logit", "wald"}, default "logit-t"
        - "logit-t": on the logit scale, with Satterthwaite's degrees of freedom.
        - "logit": the same with normal quantiles, which is too short with few events.
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

    Patients who are the earlier of a pair, those who are only the later, and others are independent
    samples: ``df`` is Satterthwaite's. In simulations with 60 to 300 patients 95% limits of
    Uno's C by "logit-t" covered .947 to .952, by "logit" .943 to .949; with 5 to 10 events .89 to
    .93 and .85 to .90.

    Patients who had an event of another cause are compared up to its time, and are in no pair from
    then on (``competing-until-event``), where ``auc(time=)`` keeps them as controls. To count these
    events as censoring, as R's ``concordance(Surv(time, event == 1) ~ x)`` does, give the study
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
    0     0.538   0.403    0.667
    """
    method = require_choice("method", method, CONCORDANCE_METHODS)
    limit = _read_time_limit(method, time_limit)
    interval = require_choice("interval", interval, SURVIVAL_INTERVALS)
    test = read_area_test(confidence_level, alternative, null_value)
    rows = []
    for group, part in sample.by_group():
        pairs = _comparable_pairs(part, method, limit)
        columns = {"group": group, **_concordance_columns(part, pairs, limit), **test.columns()}
        for k, name in enumerate(part.predictors):
            known = {**columns, "predictor": name}
            if not pairs.total > 0:
                rows.append(result_row(CONCORDANCE, known, undefined(NO_PAIRS), study_codes(part)))
                continue
            found = sized_concordance(concordance_of(pairs, scores_at(part, k)), pairs)
            result = area_result(found, interval, test, error_word(part, method))
            rows.append(result_row(CONCORDANCE, known, result, pair_codes(part, pairs)))
    return answer_rows(CONCORDANCE, sample, rows)


def _read_time_limit(method: ConcordanceMethod, time_limit: Any) -> float:
    """Return the last event time that counts, infinity for all; Uno's estimator must have one."""
    if time_limit is None:
        if method == "uno":
            raise InputError(
                "`time_limit` must be given for the method 'uno'; got None. Pass the last time at"
                " which enough patients are still followed, or method='harrell'."
            )
        return np.inf
    limits = read_horizons(time_limit, "time_limit")
    if len(limits) > 1:
        raise InputError(
            f"`time_limit` must be one number; got {time_limit!r}. Ask once for each limit."
        )
    return float(limits[0])


def _comparable_pairs(part: SurvivalSample, method: ConcordanceMethod, limit: float) -> Pairs:
    return pairs_of(follow_up_of(part), limit, weighs_g=method == "uno")


def _concordance_columns(part: SurvivalSample, pairs: Pairs, limit: float) -> dict[str, Any]:
    """Return the columns that say what is estimated, and of how many."""
    n_pos, n_neg = pairs.sizes
    censored = (part.event == 0) & (part.time <= limit)
    return {
        "quantity": "concordance",
        "time": limit if np.isfinite(limit) else np.nan,
        "n_pos": float(n_pos),
        "n_neg": float(n_neg),
        "n_censored": float(np.count_nonzero(censored)),
    }


# --- Comparable pairs, and the concordance with the influence of each patient ---------------------


@dataclass(frozen=True, eq=False)
class Pairs:
    """The comparable pairs by their earlier patient: weight, and the numbers of later ones.

    ``key`` numbers the times so that the later of a comparable pair has the larger number;
    ``weighs_g`` says that weights are 1/G^2.
    """

    follow_up: FollowUp
    weight: FloatArray
    key: IntArray
    later: FloatArray
    weighs_g: bool

    @property
    def total(self) -> float:
        """Sum of the weights of all pairs."""
        return float(self.weight @ self.later)

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of patients who are the earlier, and the later, of some pair."""
        return int(np.count_nonzero(self.weight)), int(np.count_nonzero(self.earlier_weight))

    @property
    def n_units(self) -> tuple[int, int] | None:
        """Numbers of clusters with such patients; None without clusters."""
        return self.follow_up.clusters_with(self.weight > 0, self.earlier_weight > 0)

    @property
    def has_few_clusters(self) -> bool:
        """Whether such patients are in few clusters, by their effective number."""
        return self.follow_up.has_few_clusters(self.weight > 0, self.earlier_weight > 0)

    @property
    def has_competing(self) -> bool:
        """Whether a patient had an event of another cause, and is in no later pair."""
        of, last = self.follow_up, self.follow_up.time[self.weight > 0].max(initial=0.0)
        return bool(((of.status == OTHER) & (of.time < last)).any())

    def df(self, influence: FloatArray) -> float:
        """Return the degrees of freedom of a variance from the influence of each patient."""
        return self.follow_up.df(influence, [self.weight * self.later, self.earlier_weight])

    @property
    def has_extreme_weights(self) -> bool:
        """Whether a patient with the event stands for more than ten."""
        return bool(self.weight.max(initial=0.0) > EXTREME**2)

    @cached_property
    def earlier_weight(self) -> FloatArray:
        """Sum over the pairs of which each patient is the later one of their weights."""
        sums = np.bincount(self.key, weights=self.weight)
        return np.asarray((np.cumsum(sums) - sums)[self.key], dtype=np.float64)


def pairs_of(follow_up: FollowUp, limit: float, *, weighs_g: bool) -> Pairs:
    """Return the comparable pairs with an event up to a time limit, each 1 (Harrell's) or 1/G^2.

    With ``weighs_g`` they are Uno's, with G read just before the event.
    """
    is_case = follow_up.status == CASE
    # Of equal times an event comes before the censored, and two events are no pair.
    key = 2 * follow_up.place + (follow_up.status == CENSORED)
    number = np.bincount(key, minlength=2 * len(follow_up.times))
    later = (follow_up.size - np.cumsum(number))[key].astype(np.float64)
    weight = (is_case & (later > 0) & (follow_up.time <= limit)).astype(np.float64)
    if weighs_g:
        weighed = weight > 0
        weight[weighed] /= follow_up.uncensored[follow_up.place[weighed]] ** 2
    return Pairs(follow_up, weight, key, later, weighs_g)


def concordance_of(pairs: Pairs, scores: ScoreCodes) -> Ratio:
    """Return C = sum of weight x psi over comparable pairs / sum of weight, with its influence.

    psi is 1 where the earlier patient has the higher score, 1/2 where both are equal
    [harrell-1982]; weights of 1/G^2 make it Uno's [uno-2011], and add their own influence.
    """
    weight, of = pairs.weight, pairs.follow_up
    as_earlier, as_later = _concordant_sums(pairs, scores)
    total = pairs.total
    value = float(weight @ as_earlier) / total
    earlier = weight * (as_earlier - value * pairs.later) / total
    later = (as_later - value * pairs.earlier_weight) / total
    influence = of.size * (earlier + later)
    if pairs.weighs_g:
        influence += 2 * of.of_weights(earlier, of.place)
    return Ratio(snapped(value), influence)


def sized_concordance(found: Ratio, pairs: Pairs) -> Area:
    """Return a concordance with its variance, and with the numbers of its units."""
    m, n = pairs.n_units or pairs.sizes
    variance = variance_of(pairs.follow_up, found.influence, unbiased=False)
    df = pairs.df(found.influence)
    return Area(found.value, variance, df, float(m), float(n), float(min(m, n)))


def _concordant_sums(pairs: Pairs, scores: ScoreCodes) -> tuple[FloatArray, FloatArray]:
    """Return by earlier patient the sum of psi, and by later patient the sum of weight x psi."""
    # Ties count as a half: the mean of both ways to order the patients that have equal scores.
    ways = [
        _sums_in_order(pairs, np.lexsort((side, scores.codes))) for side in (pairs.key, -pairs.key)
    ]
    first, second = ((a + b) / 2 for a, b in zip(*ways, strict=True))
    return first, second


def _sums_in_order(pairs: Pairs, order: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the same sums where later patients of a pair count if they come before in ``order``.

    ``order`` lists the patients by ascending scores.
    """
    n, key, weight = len(order), pairs.key, pairs.weight
    number, sums = np.zeros(n), np.zeros(n)
    for bit in reversed(range(int(key.max()).bit_length())):
        half = (key[order] >> bit) & 1
        part = key[order] >> (bit + 1)
        start = np.searchsorted(part, part)  # parts are in ascending order
        # Of each patient: the later ones before it in its part, and the earlier ones after it.
        late = np.concatenate([[0.0], np.cumsum(half)])
        number[order] += np.where(half == 0, late[:-1] - late[start], 0.0)
        early = np.concatenate([[0.0], np.cumsum(np.where(half == 0, weight[order], 0.0))])
        end = np.searchsorted(part, part, side="right")
        sums[order] += np.where(half == 1, early[end] - early[1:], 0.0)
        # A stable split of each part into its halves.
        order = order[np.argsort(key[order] >> bit, kind="stable")]
    return number, sums


# --- Notes ----------------------------------------------------------------------------------------

NO_PAIRS = "no-comparable-pairs"


def pair_codes(part: SurvivalSample, pairs: Pairs) -> list[str]:
    """Return the notes of a row about pairs."""
    codes = ["few-cases"] if min(pairs.sizes) < FEW_CASES else []
    if pairs.has_few_clusters:
        codes.append("few-clusters")
    if pairs.has_competing:
        codes.append("competing-until-event")
    if not pairs.weighs_g:
        codes.append("depends-on-censoring")
    elif pairs.has_extreme_weights:
        codes.append("weights-extreme")
    return [*codes, *study_codes(part)]


# --- Question: differences of predictors on the same patients -------------------------------------

COMPARE_CONCORDANCE = Question(
    "compare_concordance",
    estimate_columns(
        f"predictor reference group time quantity {ESTIMATE} {TEST} p_adjusted hypothesis n_pos"
        " n_neg n_censored method note"
    ),
    ("uno-2011", "harrell-1982"),
)


def compare_concordance(
    sample: SurvivalSample,
    *,
    method: ConcordanceMethod = "uno",
    time_limit: float | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of concordances; a row is one pair of predictors.

    Parameters
    ----------
    method : {"uno", "harrell"}, default "uno"
        As in ``concordance``.
    time_limit : float > 0, optional
        Last time of an event that counts; must be given for "uno".
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference, as in ``compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter; 0 where none is given for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis "difference".
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the interval has 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], time, quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, n_censored, confidence_level, null_value,
        hypothesis, method, note``. ``estimate`` is the concordance of the predictor minus that of
        the reference.

    Raises
    ------
    InputError
        As ``concordance``; if the study has one predictor, or words do not go together.

    Warns
    -----
    StatisticalWarning
        As ``concordance`` and ``compare_auc``.

    Notes
    -----
    The standard error is that of the difference of the influence values of each patient. Limits and
    test are of t, with the degrees of freedom of ``concordance``.

    References
    ----------
    - Uno, Cai, Pencina, D'Agostino & Wei (2011) [uno-2011]
    - Harrell, Califf, Pryor, Lee & Rosati (1982) [harrell-1982]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> scores = {"new": (50 - months) / 3 + 29 * k % 19, "old": (50 - months) / 4 + 17 * k % 23}
    >>> study = rs.SurvivalStudy(months, died, scores)
    >>> found = study.compare_concordance(time_limit=14)
    >>> found[["time", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
       time  estimate  ci_low  ci_high  p_value
    0  14.0    -0.031  -0.205    0.143    0.721
    """
    method = require_choice("method", method, CONCORDANCE_METHODS)
    limit = _read_time_limit(method, time_limit)
    claim = read_claim(
        sample,
        reference,
        hypothesis,
        margin,
        alternative,
        null_value,
        adjust,
        confidence_level,
        scores="score",
    )
    differences = _concordance_differences(sample, method, limit, claim)
    return compare(COMPARE_CONCORDANCE, sample, claim.adjust, differences)


def _concordance_differences(
    sample: SurvivalSample, method: ConcordanceMethod, limit: float, claim: Claim
) -> Iterator[Compared]:
    for group, part in sample.by_group():
        pairs = _comparable_pairs(part, method, limit)
        columns = {"group": group, **_concordance_columns(part, pairs, limit)}
        values = []
        if pairs.total > 0:
            values = [
                concordance_of(pairs, scores_at(part, k)) for k in range(len(part.predictors))
            ]
        for first, second in claim.pairs:
            known = {**columns, **claim.words(part, (first, second))}
            if not values:
                yield known, undefined(NO_PAIRS), study_codes(part)
                continue
            result = ratio_difference(
                pairs.follow_up,
                values[first],
                values[second],
                claim.plan,
                error_word(part, method),
                pairs.df,
                unbiased=False,
            )
            yield known, result, pair_codes(part, pairs)
