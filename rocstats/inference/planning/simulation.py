"""Power by simulation: binormal studies are drawn and the package's own test is asked of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, curves_of
from rocstats.sample.arrays import FloatArray
from rocstats.stats.areas.estimates import infer
from rocstats.stats.chance.rank_sum import (
    LARGEST_PAIRS,
    deviation_of,
    null_variance,
    rank_law,
    standardised,
    untied_counts,
)
from rocstats.stats.comparison.contrasts import infer_contrast
from rocstats.stats.comparison.hypotheses import Asked
from rocstats.stats.influence.areas import satterthwaite
from rocstats.stats.intervals.area_intervals import Alternative, Area, p_value
from rocstats.stats.intervals.proportions import proportion_limits
from rocstats.stats.planning import Binormal
from rocstats.stats.resampling.binormal import Scores, draw_studies

SimulatedDesign = OneAUC | TwoAUCs | PairedAUCs
_CONTRAST = np.array([1.0, -1.0])


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


def simulate_power(
    design: SimulatedDesign,
    n_pos: int,
    n_neg: int,
    alpha: float,
    n_simulations: int,
    seed: int,
) -> SimulatedPower:
    """Return the share of drawn studies in which the test finds what the design assumes."""
    sizes = (n_pos, n_neg)
    if isinstance(design, OneAUC):
        found, test = _one(design, sizes, alpha, n_simulations, seed)
    else:
        found, test = _two(design, sizes, alpha, n_simulations, seed)
    rejected, widths = np.array(list(found)).T
    count = float(rejected.sum())
    low, high = proportion_limits(count, n_simulations, "wilson", 0.95, "two-sided")
    known = widths[np.isfinite(widths)]
    half_width = float(known.mean() / 2) if len(known) else float("nan")
    return SimulatedPower(count / n_simulations, low, high, half_width, test)


def _one(
    design: OneAUC, sizes: tuple[int, int], alpha: float, n_simulations: int, seed: int
) -> tuple[Iterator[tuple[bool, float]], str]:
    test, name = _rank_test(sizes) if design.null_auc == 0.5 else (None, "delong/logit")

    def answers() -> Iterator[tuple[bool, float]]:
        curves = [Binormal.of_area(design.auc, 1.0)]
        for scores in draw_studies(curves, (0.0, 0.0), sizes, n_simulations, seed):
            area = _area(_placed(scores), 0)
            keywords = {"confidence_level": 1 - alpha, "null_value": design.null_auc}
            found = infer(area, "logit", alternative="two-sided", **keywords)  # type: ignore[arg-type]
            p = (
                p_value(found.statistic, found.df, design.alternative)
                if test is None
                else test(area.value, design.alternative)
            )
            right = (area.value > design.null_auc) == (design.auc > design.null_auc)
            yield bool(p <= alpha and right), found.ci_high - found.ci_low

    return answers(), name


def _rank_test(sizes: tuple[int, int]) -> tuple[Callable[[float, Alternative], float], str]:
    """Return the test against chance that ``versus_random`` takes by itself for such sizes."""
    counts, pairs = untied_counts(*sizes), sizes[0] * sizes[1]
    if pairs <= LARGEST_PAIRS:
        law = rank_law(counts)

        def exact(area: float, side: Alternative) -> float:
            return law.p_value(deviation_of(area, *sizes), side)

        return exact, "mann-whitney/exact"
    variance = null_variance(counts)

    def normal(area: float, side: Alternative) -> float:
        return p_value(standardised(area - 0.5, variance, 0.5 / pairs, side), np.inf, side)

    return normal, "mann-whitney/normal-continuity"


def _two(
    design: TwoAUCs | PairedAUCs,
    sizes: tuple[int, int],
    alpha: float,
    n_simulations: int,
    seed: int,
) -> tuple[Iterator[tuple[bool, float]], str]:
    paired = isinstance(design, PairedAUCs)
    correlations = (0.0, 0.0)
    if isinstance(design, PairedAUCs):
        curves: Sequence[Binormal] = curves_of(design)
        correlations = (design.correlation_pos, design.correlation_neg)
    else:
        curves = [Binormal.of_area(auc, 1.0) for auc in (design.auc, design.reference_auc)]
    tests = _tests(design, alpha)

    def answers() -> Iterator[tuple[bool, float]]:
        for scores in draw_studies(curves, correlations, sizes, n_simulations, seed):
            study = _placed(scores)
            areas = [_area(study, k) for k in (0, 1)]
            variance, df = _paired_variance(study) if paired else _unpaired_variance(study)
            identical = variance == 0 and study.areas[0] == study.areas[1] not in (0.0, 1.0)
            results = [
                infer_contrast(_CONTRAST, areas, variance, df, asked, identical=identical)
                for asked in (_asked(1 - alpha, "two-sided", 0.0), *tests)
            ]
            rejected = all(
                found.p_value <= 1 - asked.confidence_level
                for found, asked in zip(results[1:], tests, strict=True)
            )
            yield rejected, results[0].ci_high - results[0].ci_low

    return answers(), "delong/wald" if paired else "delong/wald-t"


def _tests(design: TwoAUCs | PairedAUCs, alpha: float) -> list[Asked]:
    """Return the one-sided tests that all must reject: on the side of the truth."""
    margin = design.margin or 0.0
    halved = _asked(1 - alpha / 2, "greater", 0.0)
    if design.hypothesis == "superiority":
        return [_asked(1 - alpha / 2, "greater", margin)]
    if design.hypothesis == "non-inferiority":
        return [_asked(1 - alpha / 2, "greater", -margin)]
    if design.hypothesis == "equivalence":
        return [_asked(1 - alpha, "greater", -margin), _asked(1 - alpha, "less", margin)]
    if design.alternative != "two-sided":
        return [_asked(1 - alpha, design.alternative, 0.0)]
    return [halved if design.difference > 0 else _asked(1 - alpha / 2, "less", 0.0)]


def _asked(confidence_level: float, alternative: Alternative, null_value: float) -> Asked:
    return Asked(
        confidence_level, alternative, null_value, alternative, ((null_value, alternative),)
    )


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
    variance = float(components.sum())
    return Area(float(study.areas[k]), variance if variance > 1e-30 else 0.0, df, m, n, min(m, n))


def _paired_variance(study: _Study) -> tuple[float, float]:
    variance = float(study.components(_CONTRAST).sum())
    return variance if variance > 1e-30 else 0.0, np.inf


def _unpaired_variance(study: _Study) -> tuple[float, float]:
    components = np.concatenate([study.components(weights) for weights in np.eye(2)])
    sizes = np.array([study.v10.shape[1], study.v01.shape[1]] * 2)
    return float(components.sum()), satterthwaite(components, sizes - 1.0)
