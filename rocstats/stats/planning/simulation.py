"""Power by simulation: binormal studies are drawn and the package's own test is asked of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.areas.estimates import infer
from rocstats.stats.chance.rank_sum import (
    LARGEST_PAIRS,
    deviation_of,
    null_variance,
    rank_sum_distribution,
    standardised,
    untied_counts,
)
from rocstats.stats.comparison.contrasts import infer_contrast
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.influence.areas import satterthwaite
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.quantiles import Alternative, p_value
from rocstats.stats.intervals.rates.proportions import proportion_limits
from rocstats.stats.resampling.binormal import BinormalScores, Scores, draw_studies

_CONTRAST = np.array([1.0, -1.0])
_ROUNDING = 1e-30  # a variance below it is that of placements that are all alike
Answer = tuple[bool, float]
"""Whether the test of one study found what is true, and the width of its interval."""


@dataclass(frozen=True)
class SimulatedPower:
    """How often the test found what is true, with Wilson's 95% limits; ``test`` names it.

    ``half_width`` is the mean over the studies whose interval is defined.
    """

    power: float
    low: float
    high: float
    half_width: float
    test: str


@dataclass(frozen=True)
class Drawn:
    """How many studies are drawn, of how many positives and negatives, from which seed."""

    sizes: tuple[int, int]
    n_simulations: int
    seed: int


@dataclass(frozen=True)
class OneTest:
    """The test of one area, assumed to be ``auc``, against ``null_auc``."""

    auc: float
    null_auc: float
    alternative: Alternative


@dataclass(frozen=True)
class TwoTest:
    """The tests of a difference of two areas, which all must reject, by their own levels.

    ``correlations`` are those of the predictors in positives and negatives if they are measured on
    the same cases.
    """

    curves: Sequence[BinormalScores]
    correlations: tuple[float, float]
    paired: bool
    tests: Sequence[HypothesisPlan]


@dataclass(frozen=True, eq=False)
class _Study:
    """Areas of the predictors of one drawn study and their placements (k x n)."""

    v10: FloatArray
    v01: FloatArray

    @property
    def areas(self) -> FloatArray:
        return np.asarray(self.v10.mean(axis=1))

    def components(self, weights: FloatArray) -> FloatArray:
        """Return both parts of DeLong's variance of a weighted sum of the areas."""
        return np.array(
            [np.var(weights @ part, ddof=1) / part.shape[1] for part in (self.v10, self.v01)]
        )


def one_area_power(
    asked: OneTest, curve: BinormalScores, drawn: Drawn, alpha: float
) -> SimulatedPower:
    """Return the share of drawn studies whose area differs from the null value to the right side.

    ``curve`` is the law that the scores are drawn from, with the area that is assumed.
    """
    test, name = _rank_test(drawn.sizes) if asked.null_auc == 0.5 else (None, "delong/logit")
    return _share(_answers_of_one(asked, curve, drawn, alpha, test), drawn.n_simulations, name)


def two_areas_power(asked: TwoTest, drawn: Drawn, alpha: float) -> SimulatedPower:
    """Return the share of drawn studies in which all tests of the difference reject."""
    name = "delong/wald" if asked.paired else "delong/wald-t"
    return _share(_answers_of_two(asked, drawn, alpha), drawn.n_simulations, name)


def _share(answers: Iterable[Answer], n_simulations: int, test: str) -> SimulatedPower:
    rejected, widths = np.array(list(answers)).T
    count = float(rejected.sum())
    low, high = proportion_limits(count, n_simulations, "wilson", 0.95, "two-sided")
    known = widths[np.isfinite(widths)]
    half_width = float(known.mean() / 2) if len(known) else float("nan")
    return SimulatedPower(count / n_simulations, low, high, half_width, test)


def _answers_of_one(
    asked: OneTest,
    curve: BinormalScores,
    drawn: Drawn,
    alpha: float,
    test: Callable[[float, Alternative], float] | None,
) -> Iterator[Answer]:
    studies = draw_studies([curve], (0.0, 0.0), drawn.sizes, drawn.n_simulations, drawn.seed)
    for scores in studies:
        area = _area(_placed(scores), 0)
        found = infer(
            area,
            "logit",
            confidence_level=1 - alpha,
            alternative="two-sided",
            null_value=asked.null_auc,
        )
        p = (
            p_value(found.statistic, found.df, asked.alternative)
            if test is None
            else test(area.value, asked.alternative)
        )
        right = (area.value > asked.null_auc) == (asked.auc > asked.null_auc)
        yield bool(p <= alpha and right), found.ci_high - found.ci_low


def _rank_test(sizes: tuple[int, int]) -> tuple[Callable[[float, Alternative], float], str]:
    """Return the test against chance that ``versus_random`` takes by itself for such sizes."""
    counts, pairs = untied_counts(*sizes), sizes[0] * sizes[1]
    if pairs <= LARGEST_PAIRS:
        law = rank_sum_distribution(counts)

        def exact(area: float, side: Alternative) -> float:
            return law.p_value(deviation_of(area, *sizes), side)

        return exact, "mann-whitney/exact"
    variance = null_variance(counts)

    def normal(area: float, side: Alternative) -> float:
        return p_value(standardised(area - 0.5, variance, 0.5 / pairs, side), np.inf, side)

    return normal, "mann-whitney/normal-continuity"


def _answers_of_two(asked: TwoTest, drawn: Drawn, alpha: float) -> Iterator[Answer]:
    interval = HypothesisPlan(1 - alpha, "two-sided", 0.0, "two-sided", ((0.0, "two-sided"),))
    studies = draw_studies(
        asked.curves, asked.correlations, drawn.sizes, drawn.n_simulations, drawn.seed
    )
    for scores in studies:
        study = _placed(scores)
        areas = [_area(study, k) for k in (0, 1)]
        variance, df = _paired_variance(study) if asked.paired else _unpaired_variance(study)
        identical = variance == 0 and study.areas[0] == study.areas[1] not in (0.0, 1.0)
        results = [
            infer_contrast(_CONTRAST, areas, variance, df, plan, identical=identical)
            for plan in (interval, *asked.tests)
        ]
        rejected = all(
            found.p_value <= 1 - plan.confidence_level
            for found, plan in zip(results[1:], asked.tests, strict=True)
        )
        yield rejected, results[0].ci_high - results[0].ci_low


def _placed(scores: Scores) -> _Study:
    """Return the placements: normal scores have no ties."""
    pos, neg = scores
    v10 = [np.searchsorted(np.sort(y), x) / len(y) for x, y in zip(pos, neg, strict=True)]
    v01 = [1 - np.searchsorted(np.sort(x), y) / len(x) for x, y in zip(pos, neg, strict=True)]
    return _Study(np.array(v10), np.array(v01))


def _area(study: _Study, k: int) -> Area:
    components = study.components(np.eye(len(study.v10))[k])
    m, n = study.v10.shape[1], study.v01.shape[1]
    df = satterthwaite(components, np.array([m - 1.0, n - 1.0]))
    variance = _unless_rounding(float(components.sum()))
    return Area(float(study.areas[k]), variance, df, m, n, min(m, n))


def _paired_variance(study: _Study) -> tuple[float, float]:
    return _unless_rounding(float(study.components(_CONTRAST).sum())), np.inf


def _unpaired_variance(study: _Study) -> tuple[float, float]:
    components = np.concatenate([study.components(weights) for weights in np.eye(2)])
    sizes = np.array([study.v10.shape[1], study.v01.shape[1]] * 2)
    return float(components.sum()), satterthwaite(components, sizes - 1.0)


def _unless_rounding(variance: float) -> float:
    return variance if variance > _ROUNDING else 0.0
