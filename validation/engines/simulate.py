"""Draw from every engine in a cell, and compare with closed forms and with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import combinations

import numpy as np
import pandas as pd

from rocstats.curves.areas import area
from rocstats.estimate.area_variances import (
    ideal_bootstrap_area_covariance,
    ideal_bootstrap_area_variance,
)
from rocstats.estimate.permute import (
    SignedTerms,
    exact_sign_p_value,
    exchange_terms_from_values,
    midranks,
    sums_with_random_signs,
    venkatraman_begg_draws,
)
from rocstats.estimate.resample import ResamplePlan, draw_counts
from rocstats.estimate.resample_areas import (
    blocked_areas,
    blocked_shortfall,
    draw_areas,
    draw_areas_of_units,
    draw_stratified_areas,
    table_areas,
)
from rocstats.estimate.resample_curves import draw_tpr_by_order_statistics
from rocstats.facts.arrays import FloatArray
from validation.engines.cells import CELLS, FPR, SEED, Cell, kernel_of
from validation.engines.quantiles import exact_tpr_quantiles
from validation.engines.reference import (
    Moments,
    brute_clusters,
    enumerated_clusters,
    enumerated_swaps,
    step_tpr_law,
    unstratified,
)
from validation.engines.rows import Draws, Row, law

COUNTS, TABLE, BLOCKS = "counts (E1)", "table (E2)", "blocks (E5)"
CURVE, CURVE_COUNTS = "curve (E3)", "curve of counts (E1)"
STRATIFIED, TOGETHER, CLUSTERS = "units, stratified", "units, together", "units, clusters"
SIGNS, SWAPS, CHOSEN = "signs", "swaps", "chosen by size"
IDEAL, SUM, MIXTURE = "ideal bootstrap", "signed sum", "mixture"
ENUMERATED, BRUTE = "enumeration", "brute force"
KEYS = (COUNTS, TABLE, BLOCKS, CURVE, CURVE_COUNTS, STRATIFIED, TOGETHER, CLUSTERS, SIGNS, SWAPS)
LEVELS = np.array([0.025, 0.975])
MOST_ENUMERATED = 8
BRUTE_FACTOR = 4
NEARLY_ONE_VALUE = 0.99


def run(
    cells: Iterable[Cell] = CELLS, *, replicates: int | None = None, seed: int = SEED
) -> pd.DataFrame:
    """Return the comparisons of some cells; ``replicates`` in place of their own."""
    rows = [row for cell in cells for row in run_cell(cell, replicates or cell.replicates, seed)]
    return pd.DataFrame([asdict(row) for row in rows])


def run_cell(cell: Cell, replicates: int, seed: int) -> list[Row]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed."""
    runner = _Runner(cell, replicates, seed)
    rows: dict[str, Callable[[_Runner], Iterator[Row]]] = {
        "area": _area_rows,
        "folds": _fold_rows,
        "frequencies": _frequency_rows,
        "predictors": _predictor_rows,
        "clusters": _cluster_rows,
        "signs": _sign_rows,
        "swaps": _swap_rows,
    }
    return list(rows[cell.kind](runner))


class _Runner:
    """A cell's study, replicates and seeds; draws come with their names."""

    def __init__(self, cell: Cell, replicates: int, seed: int) -> None:
        self.cell, self.b, self.seed = cell, replicates, seed
        self.study = cell.study()

    def keys(self, engine: str) -> tuple[int, ...]:
        """Return the seed of an engine: all of them are independent."""
        return (self.seed, self.cell.position, KEYS.index(engine))

    def named(self, engine: str, values: FloatArray, reference: str) -> Draws:
        """Return draws with their name and reference."""
        return Draws(self.cell.name, engine, values, self.seed, reference)

    def units(self, engine: str, predictors: Iterable[int] = (0,)) -> tuple[FloatArray, int]:
        """Return the areas of resampled units, and how many resamples were redrawn."""
        found = draw_areas_of_units(
            self.study.cases,
            list(predictors),
            self.plan(engine)._replace(stratified=engine == STRATIFIED),
        )
        return found.values, found.n_redrawn

    def plan(self, engine: str) -> ResamplePlan:
        """Return the resamples of an engine."""
        seed, *keys = self.keys(engine)
        return ResamplePlan(self.b, seed, tuple(keys))


def _area_rows(runner: _Runner) -> Iterator[Row]:
    counts = runner.study.cases.counts(0)
    mean, sd = area(counts), np.sqrt(ideal_bootstrap_area_variance(counts))
    draws = {
        COUNTS: draw_stratified_areas(runner.study.cases, [0], runner.plan(COUNTS))[0],
        TABLE: table_areas(counts, runner.plan(TABLE)),
        STRATIFIED: runner.units(STRATIFIED)[0][0],
        BLOCKS: blocked_areas(counts, runner.plan(BLOCKS)),
    }
    named = [runner.named(engine, values, IDEAL) for engine, values in draws.items()]
    for found in named:
        short = blocked_shortfall(counts) if found.engine == BLOCKS else 0.0
        yield found.mean(mean)
        yield found.sd(float(sd) * (1 - short))
    for one, other in combinations(named, 2):
        yield law(one, other)
    yield from _unit_rows(runner, TOGETHER, unstratified(kernel_of(runner.study)), MIXTURE)
    yield from _curve_rows(runner)


def _unit_rows(runner: _Runner, engine: str, expected: Moments, reference: str) -> Iterator[Row]:
    """Yield the rows of resampled units, some of whose resamples may have been redrawn."""
    areas, n_redrawn = runner.units(engine)
    found = runner.named(engine, areas[0], reference)
    size = expected.replicates
    yield found.mean(expected.mean, se=expected.sd / np.sqrt(size) if size else 0.0)
    yield found.sd(expected.sd, replicates=size)
    if expected.lacking > 0.01:
        total = runner.b + n_redrawn
        yield found.share(n_redrawn / total, expected.lacking, "share redrawn", total)


def _curve_rows(runner: _Runner) -> Iterator[Row]:
    """Yield the rows of the curve draws: against their exact law, and against counted curves."""
    drawn = draw_tpr_by_order_statistics(runner.study.cases.counts(0), FPR, runner.plan(CURVE))
    counted = _counted_curves(runner)
    for g, fpr in enumerate(FPR):
        found = runner.named(CURVE, drawn[:, g], MIXTURE)
        yield from _tpr_rows(runner, found, float(fpr))
        other = runner.named(CURVE_COUNTS, counted[:, g], "")
        yield law(found, other, f" at fpr {fpr:g}")
    for g in range(1, len(FPR)):
        rise = runner.named(CURVE, drawn[:, g] - drawn[:, g - 1], "")
        other = runner.named(CURVE_COUNTS, counted[:, g] - counted[:, g - 1], "")
        yield law(rise, other, f", rise from fpr {FPR[g - 1]:g} to {FPR[g]:g}")


def _tpr_rows(runner: _Runner, found: Draws, fpr: float) -> Iterator[Row]:
    """Yield the rows of a TPR against its exact law, none if that is nearly one value."""
    values, mass = step_tpr_law(runner.study, fpr)
    if mass.max() > NEARLY_ONE_VALUE:
        return
    mean = float(mass @ values)
    variance = float(mass @ (values - mean) ** 2)
    kurtosis = float(mass @ (values - mean) ** 4) / variance**2
    at = f" of tpr at fpr {fpr:g}"
    yield found.mean(mean, of=at)
    yield found.sd(float(np.sqrt(variance)), kurtosis=kurtosis, of=at)
    quantiles = exact_tpr_quantiles(runner.study.cases.counts(0), fpr, LEVELS)
    for level, quantile in zip(LEVELS, quantiles, strict=True):
        reached = float(np.mean(found.values <= quantile + 1e-9))
        expected = min(float(mass[values <= quantile + 1e-9].sum()), 1.0)
        yield found.share(reached, expected, f"share up to the {level:g} quantile{at}")


def _counted_curves(runner: _Runner) -> FloatArray:
    """Return curves of resampled counts, read as steps by their definition."""
    study, rng = runner.study, np.random.default_rng(runner.keys(CURVE_COUNTS))
    pos, neg = (
        np.sort(study.scores[0][mask])[::-1] for mask in (study.is_positive, ~study.is_positive)
    )
    m, n = len(pos), len(neg)
    above = np.searchsorted(-pos, -neg, "left")
    curves = np.empty((runner.b, len(FPR)))
    size = max(1, 2**17 // (m + n))
    for start in range(0, runner.b, size):
        rows = min(size, runner.b - start)
        false = np.cumsum(draw_counts(rng, rows, n), axis=1)
        true = np.zeros((rows, m + 1))
        np.cumsum(draw_counts(rng, rows, m), axis=1, out=true[:, 1:])
        for g, fpr in enumerate(FPR):
            threshold = (false <= np.floor(fpr * n + 1e-9)).sum(axis=1)
            curves[start : start + rows, g] = true[np.arange(rows), above[threshold]] / m
    return curves


def _fold_rows(runner: _Runner) -> Iterator[Row]:
    parts = [part.counts(0) for _, part in runner.study.cases.by_fold()]
    mean = float(np.mean([area(counts) for counts in parts]))
    sd = float(np.sqrt(sum(ideal_bootstrap_area_variance(counts) for counts in parts))) / len(parts)
    chosen = draw_areas(runner.study.cases, 0, runner.plan(COUNTS)).values
    yield from _beside_units(runner, runner.named(CHOSEN, chosen, IDEAL), mean, sd)


def _frequency_rows(runner: _Runner) -> Iterator[Row]:
    counts = runner.study.cases.counts(0)
    one = runner.named(TABLE, table_areas(counts, runner.plan(TABLE)), IDEAL)
    sd = float(np.sqrt(ideal_bootstrap_area_variance(counts)))
    yield from _beside_units(runner, one, area(counts), sd)


def _beside_units(runner: _Runner, one: Draws, mean: float, sd: float) -> Iterator[Row]:
    """Yield the rows of an engine and of resampled units, and of both laws."""
    other = runner.named(STRATIFIED, runner.units(STRATIFIED)[0][0], IDEAL)
    for found in (one, other):
        yield found.mean(mean)
        yield found.sd(sd)
    yield law(one, other)


def _predictor_rows(runner: _Runner) -> Iterator[Row]:
    """Yield the spread of each area, and of each difference, on shared resamples."""
    study, predictors = runner.study, range(runner.cell.n_predictors)
    expected = ideal_bootstrap_area_covariance(study.cases, predictors)
    engines = {
        COUNTS: draw_stratified_areas(study.cases, predictors, runner.plan(COUNTS)),
        STRATIFIED: runner.units(STRATIFIED, predictors)[0],
    }
    for engine, areas in engines.items():
        for k in predictors:
            found = runner.named(engine, areas[k], IDEAL)
            yield found.sd(float(np.sqrt(expected[k, k])), of=f" of predictor {k + 1}")
        for k, j in combinations(predictors, 2):
            found = runner.named(engine, areas[k] - areas[j], IDEAL)
            variance = expected[k, k] + expected[j, j] - 2 * expected[k, j]
            yield found.sd(float(np.sqrt(variance)), of=f" of predictor {k + 1} - {j + 1}")
    terms = _exchange_terms(runner)
    yield _signs(runner, terms).sd(float(np.sqrt(terms @ terms)))


def _cluster_rows(runner: _Runner) -> Iterator[Row]:
    study = runner.study
    if runner.cell.units <= MOST_ENUMERATED:
        yield from _unit_rows(runner, CLUSTERS, enumerated_clusters(study), ENUMERATED)
        return
    seed = (runner.seed, runner.cell.position, len(KEYS))
    expected = brute_clusters(study, BRUTE_FACTOR * runner.b, seed)
    yield from _unit_rows(runner, CLUSTERS, expected, BRUTE)


def _sign_rows(runner: _Runner) -> Iterator[Row]:
    terms = _exchange_terms(runner)
    yield _signs(runner, terms).sd(float(np.sqrt(terms @ terms)))
    extreme = _signs(runner, terms, ENUMERATED)
    share = float(np.mean(np.abs(extreme.values) >= abs(terms.sum()) - 1e-12))
    yield extreme.share(share, exact_sign_p_value(terms), "p value")


def _exchange_terms(runner: _Runner) -> FloatArray:
    cases = runner.study.cases
    return exchange_terms_from_values(
        runner.study.is_positive, midranks(cases, 0), midranks(cases, 1)
    )


def _signs(runner: _Runner, terms: FloatArray, reference: str = SUM) -> Draws:
    return runner.named(
        SIGNS, sums_with_random_signs(SignedTerms(terms), runner.plan(SIGNS)), reference
    )


def _swap_rows(runner: _Runner) -> Iterator[Row]:
    study = runner.study
    ranks = np.argsort(np.argsort(np.concatenate(list(study.scores)))).astype(np.float64)
    first, second = ranks[: runner.cell.n], ranks[runner.cell.n :]
    every = enumerated_swaps(study.is_positive, first, second)
    drawn = venkatraman_begg_draws(study.is_positive, first, second, runner.plan(SWAPS))
    found = runner.named(SWAPS, drawn, ENUMERATED)
    yield found.mean(float(every.mean()))
    yield found.sd(float(every.std()))
    share = float(np.mean(drawn >= every[0]))
    yield found.share(share, float(np.mean(every >= every[0])), "p value")
