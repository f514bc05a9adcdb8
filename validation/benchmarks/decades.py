"""The questions of a study at 10^3 to 10^7 cases, in sorts of the same scores.

A row grows no faster than n log n if its ratio to ``np.argsort`` does not grow from one decade to
the next: argsort does n log n work, and leaves the caches as n grows, as any question does.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from scipy.special import expit

import rocstats as rs
from rocstats.estimate.bands import BandName
from validation.benchmarks.data import DATA, Data, Floats, Labels, make_scores
from validation.benchmarks.results import LARGE, Contender, Result, fewer_if_slow, race

TOPIC = "questions at each decade"
SIZES = (10**3, 10**4, 10**5, 10**6, LARGE)
TIED: Mapping[str, int] = {"auc": 10**6, "roc_curve": 10**6}
"""Asked of tied scores too, up to so many cases."""

GROWTH = 1.5
"""How much the ratio may grow in a decade: as much as a busy machine moves a median."""
STEEPEST = "largest growth of a ratio over a tenth of the cases"

Work = Literal["n log n", "2000 x n, then bounded", "2000 x n", "9999 x n", "pairs to 20,000 cases"]
FASTER_THAN_N_LOG_N: Work = "pairs to 20,000 cases"


class Row(NamedTuple):
    """A question, how its work grows with n cases, and the most cases that the table has of it.

    "2000 x n, then bounded": resamples case by case where there are few cases, of blocks of cases
    beyond; what is left is n log n.
    """

    ask: Callable[[rs.Study], pd.DataFrame]
    work: Work = "n log n"
    largest: int = LARGE


def _band(method: BandName, study: rs.Study) -> pd.DataFrame:
    fpr_range = (0.05, 0.95) if method == "regional" else None
    return study.roc_band(method, fpr_range=fpr_range, rng=1)


ONE: Mapping[str, Row] = {
    "auc": Row(lambda s: s.auc()),
    "auc(fpr_range=)": Row(lambda s: s.auc(fpr_range=(0, 0.1))),
    "auc(variance='bootstrap')": Row(lambda s: s.auc(variance="bootstrap")),
    "auc(interval='percentile')": Row(
        lambda s: s.auc(interval="percentile", rng=1), "2000 x n, then bounded"
    ),
    "auc_bounds": Row(lambda s: s.auc_bounds()),
    "average_precision": Row(lambda s: s.average_precision()),
    "band_likelihood_ratios": Row(lambda s: s.band_likelihood_ratios(edges=[0, 0.5, 1])),
    "grey_zone": Row(lambda s: s.grey_zone((0, 1))),
    "grey_zone(tpr=, tnr=)": Row(lambda s: s.grey_zone(tpr=0.9, tnr=0.9, rng=1), "2000 x n", 10**4),
    "roc_curve": Row(lambda s: s.roc_curve()),
    "pr_curve": Row(lambda s: s.pr_curve()),
    "lift_curve": Row(lambda s: s.lift_curve()),
    "det_curve": Row(lambda s: s.det_curve()),
    "roc_hull": Row(lambda s: s.roc_hull()),
    "optimal_points": Row(lambda s: s.optimal_points(slope=1)),
    "cost_curve": Row(lambda s: s.cost_curve()),
    "operating_points": Row(lambda s: s.operating_points(threshold=0.5)),
    "operating_points(fpr=)": Row(
        lambda s: s.operating_points(fpr=0.1, rng=1), "2000 x n, then bounded"
    ),
    "operating_points_versus_random": Row(
        lambda s: s.operating_points_versus_random(threshold=0.5)
    ),
    "test_performance_goals": Row(
        lambda s: s.test_performance_goals(threshold=0.5, tpr=0.6, tnr=0.6)
    ),
    "cutpoints": Row(lambda s: s.cutpoints(rng=1), "2000 x n, then bounded"),
    "versus_random": Row(lambda s: s.versus_random()),
    "versus_random('brunner-munzel')": Row(lambda s: s.versus_random(method="brunner-munzel")),
    "versus_random('permutation')": Row(
        lambda s: s.versus_random(method="permutation", rng=1), "9999 x n", 10**4
    ),
    "random_band": Row(lambda s: s.random_band()),
    "binormal": Row(lambda s: s.binormal()),
    "pr_band": Row(lambda s: s.pr_band(prevalence=0.2, rng=1), "2000 x n, then bounded"),
    **{
        f"roc_band('{name}')": Row(partial(_band, name), "2000 x n, then bounded")
        for name in get_args(BandName)
    },
}
"""Of one predictor."""

TWO: Mapping[str, Row] = {
    "compare_auc": Row(lambda s: s.compare_auc()),
    "compare_auc('bootstrap')": Row(
        lambda s: s.compare_auc(method="bootstrap"), FASTER_THAN_N_LOG_N
    ),
    "compare_auc('permutation')": Row(
        lambda s: s.compare_auc(method="permutation", rng=1), "9999 x n", 10**5
    ),
    "compare_average_precision": Row(lambda s: s.compare_average_precision()),
    "compare_operating_points": Row(lambda s: s.compare_operating_points(threshold=0.5)),
    "test_equal_auc": Row(lambda s: s.test_equal_auc()),
    "superiority_curve": Row(lambda s: s.superiority_curve()),
    "compare_curves": Row(lambda s: s.compare_curves(rng=1), "9999 x n", 10**4),
    "compare_costs": Row(
        lambda s: s.compare_costs(cost_fp=1, cost_fn=5, threshold=0.5, prevalence=0.5)
    ),
    "roc_difference_band": Row(lambda s: s.roc_difference_band(rng=1), "2000 x n", 10**4),
    "cost_difference_band": Row(lambda s: s.cost_difference_band(rng=1), "2000 x n", 10**4),
}
"""Of two predictors of the same cases."""

RISKS: Mapping[str, Row] = {
    "net_benefit": Row(lambda s: s.net_benefit(risk_threshold=0.5)),
    "net_benefit_band": Row(
        lambda s: s.net_benefit_band(risk_threshold=(0.4, 0.8), rng=1), "2000 x n, then bounded"
    ),
    "mean_net_benefit": Row(lambda s: s.mean_net_benefit(risk_threshold=(0.4, 0.8))),
    "calibration": Row(lambda s: s.calibration()),
    "calibration_curve": Row(lambda s: s.calibration_curve()),
    "calibration_band": Row(lambda s: s.calibration_band()),
    "probability_scores": Row(lambda s: s.probability_scores()),
}
"""Of one predictor whose scores are risks."""

TWO_RISKS: Mapping[str, Row] = {
    "compare_net_benefit": Row(lambda s: s.compare_net_benefit(risk_threshold=0.5)),
    "compare_probability_scores": Row(lambda s: s.compare_probability_scores()),
}
"""Of two predictors whose scores are risks."""

QUESTIONS: Mapping[str, Row] = {**ONE, **RISKS, **TWO, **TWO_RISKS}


def rows_at(n: int, data: Data) -> Mapping[str, Row]:
    """Return the questions that the table has at n cases."""
    return {
        name: row
        for name, row in QUESTIONS.items()
        if n <= (row.largest if data == "continuous" else TIED.get(name, 0))
    }


def decade_cases() -> Iterator[Result]:
    """Time every question at every decade, the building of the study included."""
    for n in SIZES:
        for data in DATA:
            yield from question_cases(n, data)


def question_cases(n: int, data: Data) -> Iterator[Result]:
    """Time the questions at n cases against one argsort of the first predictor."""
    if not (rows := rows_at(n, data)):
        return
    y, (first, second) = make_scores(n, 2, data)
    contenders = [Contender("np.argsort", lambda: np.argsort(first))]
    risks = expit(first), expit(second)
    for name, row in rows.items():
        a, b = risks if name in RISKS or name in TWO_RISKS else (first, second)
        scores = {"a": a, "b": b} if name in TWO or name in TWO_RISKS else a
        contenders.append(Contender(name, partial(_ask, row, y, scores)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        yield from race(TOPIC, n, data, contenders, repeats=fewer_if_slow, clock=time.process_time)


def steepest(results: Sequence[Result]) -> Iterator[Result]:
    """Yield the growth of the steepest row of each decade, and of every row beyond the bound.

    Rows whose work is known to grow faster say so, and are left out.
    """
    mine = {(r.what, r.data, r.n): r for r in results if r.topic == TOPIC}
    for n in SIZES[1:]:
        grown = [
            (r.ratio / before.ratio, r)
            for (what, data, size), r in mine.items()
            if size == n and (before := mine.get((what, data, n // 10)))
            if QUESTIONS[what].work != FASTER_THAN_N_LOG_N
        ]
        grown.sort(key=lambda each: each[0], reverse=True)
        for place, (growth, r) in enumerate(grown):
            if place == 0 or growth > GROWTH:
                words = (f"{r.what}, {r.data}", growth, "its ratio at n / 10", r.repeats)
                yield Result("growth", STEEPEST, n, *words, clock=r.clock)


def _ask(row: Row, y: Labels, scores: Floats | dict[str, Floats]) -> pd.DataFrame:
    return row.ask(rs.Study(y, scores))
