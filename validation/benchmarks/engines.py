"""The resampling engines: areas, curves, clusters and permutations, their growth and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.stats import rankdata

import rocstats as rs
from rocstats.estimate.permute import (
    SignedTerms,
    exchange_terms_from_values,
    midranks,
    sums_with_random_signs,
    venkatraman_begg_draws,
)
from rocstats.estimate.resample import DRAWS_PER_CHUNK, ResamplePlan, child_random_stream
from rocstats.estimate.resample_areas import (
    draw_areas,
    draw_areas_of_units,
    draw_stratified_areas,
    engine_for_bootstrap_areas,
)
from rocstats.estimate.resample_curves import draw_tpr_by_order_statistics
from rocstats.facts.arrays import FloatArray
from validation.benchmarks.data import Data, make_scores
from validation.benchmarks.peers import bootstrap_peers, curve_peers, permutation_peers
from validation.benchmarks.results import (
    REPEATS,
    REPEATS_LONG,
    Contender,
    Result,
    peak_of,
    race,
)
from validation.benchmarks.timing import Task, median_seconds
from validation.engines.quantiles import exact_tpr_quantiles

DRAWN = "drawing n integers"
N_RESAMPLES = 2000
N_PERMUTATIONS = 9999
FPR = np.linspace(0, 1, 101)
_WORDS = {"counts": "counts (E1)", "table": "table (E2)", "blocks": "blocks (E5)"}
_SEED = 20040316


def area_cases(n: int, data: Data, n_resamples: int, *, peers: int = 0) -> Iterator[Result]:
    """Time resampled areas, by the engine that the sizes call for, per resample.

    ``peers`` is how many resamples the peers do: they are slow.
    """
    y, (scores,) = make_scores(n, 1, data)
    study = rs.Study(y, scores)
    engine = _WORDS[engine_for_bootstrap_areas(study.cases.counts(0), has_frequency=False)]
    drawn = min(n_resamples, 2 * 10**7 // n)
    public = Contender(
        'auc(interval="percentile")', lambda: study.auc(interval="percentile", rng=1), n_resamples
    )
    contenders = [
        integers(n, drawn),
        Contender("np.argsort", lambda: np.argsort(scores)),
        Contender("resampled AUC", lambda: _areas(study, n_resamples), n_resamples),
        *([public] if n_resamples == N_RESAMPLES else []),
        *(bootstrap_peers(y, scores, peers) if peers else []),
    ]
    yield from race("resampled AUC", n, f"{data}, {engine}", contenders, repeats=REPEATS_LONG)


def forced_cases(n: int, data: Data) -> Iterator[Result]:
    """Time the counts engine where another one is taken, to show why."""
    y, (scores,) = make_scores(n, 1, data)
    study, size = rs.Study(y, scores), max(20, 10**7 // n)
    study.cases.codes(0)
    contenders = [
        integers(n, size),
        Contender(
            "resampled AUC, counts all the same",
            lambda: draw_stratified_areas(study.cases, [0], ResamplePlan(size, _SEED)),
            size,
        ),
    ]
    data_words = f"{data}, counts (E1)"
    yield from race("resampled AUC", n, data_words, contenders, repeats=REPEATS_LONG)


def unit_cases(n: int) -> Iterator[Result]:
    """Time joint resampling of predictors, of all cases together, and of clusters of four."""
    y, scores = make_scores(n, 8, "continuous")
    study = rs.Study(y, np.stack(scores, axis=1))
    clustered = rs.Study(y, scores[0], cluster=np.arange(n) // 4)
    size = max(20, 4 * 10**6 // n)
    units = partial(
        draw_areas_of_units, predictors=[0], plan=ResamplePlan(size, _SEED, stratified=False)
    )
    contenders = [
        integers(n, size),
        *(
            Contender(
                f"{k} AUCs, shared resamples",
                partial(draw_stratified_areas, study.cases, range(k), ResamplePlan(size, _SEED)),
                size,
            )
            for k in (2, 8)
        ),
        Contender("AUC, all cases resampled together", lambda: units(study.cases), size),
        Contender("AUC, clusters of 4 resampled", lambda: units(clustered.cases), size),
    ]
    yield from race("joint and clustered resamples", n, "continuous, units", contenders)


def curve_cases(n: int, *, peers: int = 0) -> Iterator[Result]:
    """Time resampled curves at 101 false positive rates, per resample."""
    y, (scores,) = make_scores(n, 1, "continuous")
    study = rs.Study(y, scores)
    contenders = [
        integers(n, min(N_RESAMPLES, 2 * 10**7 // n)),
        Contender("curve draws (E3)", lambda: _curves(study), N_RESAMPLES),
        *(curve_peers(y, scores, FPR, peers) if peers else []),
    ]
    yield from race("curves at 101 FPRs", n, "continuous, curves", contenders, repeats=REPEATS_LONG)


def exact_curve_cases(n: int) -> Iterator[Result]:
    """Time the exact limits of the same 101 rates, which need no resamples, against 2000 draws."""
    y, (scores,) = make_scores(n, 1, "continuous")
    study, levels = rs.Study(y, scores), np.array([0.025, 0.975])

    def exact() -> list[FloatArray]:
        return [exact_tpr_quantiles(study.cases.counts(0), float(fpr), levels) for fpr in FPR]

    contenders = [
        Contender("2000 curve draws (E3)", lambda: _curves(study)),
        Contender("exact limits of 101 TPRs", exact),
    ]
    yield from race("curves at 101 FPRs", n, "continuous, curves", contenders)


def permutation_cases(n: int, *, peers: int = 0) -> Iterator[Result]:
    """Time paired permutations of the area and of the whole curve, per permutation."""
    y, (first, second) = make_scores(n, 2, "continuous")
    study = rs.Study(y, {"a": first, "b": second})
    one, other = (rankdata(score) for score in (first, second))
    few = 2 * 10**6 // n
    contenders = [
        integers(n, 10 * few),
        Contender("paired permutations of the AUC", lambda: _signs(study), N_PERMUTATIONS),
        Contender(
            "paired permutations of the curve (Venkatraman)",
            lambda: venkatraman_begg_draws(study.is_positive, one, other, ResamplePlan(few, _SEED)),
            few,
        ),
        *(permutation_peers(y, first, second, peers) if peers else []),
    ]
    yield from race("permutations", n, "continuous, paired", contenders, repeats=REPEATS_LONG)


def growth_of_engines() -> Iterator[Result]:
    """Time the curve draws, and Venkatraman's permutations, at two sizes."""
    cases: tuple[tuple[str, Callable[[int], Task], int, int], ...] = (
        ("curve draws (E3) grow", _curve_task, 10**4, 10**6),
        ("permutations of the curve (Venkatraman) grow", _venkatraman_task, 10**3, 10**4),
    )
    for what, task, before, n in cases:
        tasks = {str(size): task(size) for size in (before, n)}
        seconds = median_seconds(tasks, repeats=REPEATS)
        ratio = seconds[str(n)] / seconds[str(before)]
        words = ("continuous, growth", ratio, f"the same at n / {n // before}", REPEATS)
        yield Result("growth", what, n, *words, clock="wall")


def memory_cases() -> Iterator[Result]:
    """Measure the peak of memory beyond the study while areas are resampled, output included."""
    for n, n_resamples in ((10**4, 2000), (10**4, 20_000), (10**5, 2000), (10**6, 2000)):
        y, (scores,) = make_scores(n, 1, "continuous")
        study = rs.Study(y, scores)
        what = f"peak memory of {n_resamples} resampled AUCs"
        areas = partial(_areas, study, n_resamples)
        yield peak_of("memory", what, n, "continuous, memory", areas)


def integers(n: int, n_resamples: int) -> Contender:
    """Return the baseline: as many integers as the resamples have cases, in chunks for the cache.

    One array of them all would take up to twice as long: its memory is new.
    """
    total = n * n_resamples

    def draw() -> None:
        rng = child_random_stream(_SEED)
        for start in range(0, total, DRAWS_PER_CHUNK):
            rng.integers(0, n, min(DRAWS_PER_CHUNK, total - start))

    return Contender(DRAWN, draw, n_resamples)


def _areas(study: rs.Study, n_resamples: int) -> FloatArray:
    return draw_areas(study.cases, 0, ResamplePlan(n_resamples, _SEED)).values


def _curves(study: rs.Study) -> FloatArray:
    return draw_tpr_by_order_statistics(
        study.cases.counts(0), FPR, ResamplePlan(N_RESAMPLES, _SEED)
    )


def _signs(study: rs.Study) -> FloatArray:
    terms = exchange_terms_from_values(
        study.is_positive, midranks(study.cases, 0), midranks(study.cases, 1)
    )
    return sums_with_random_signs(SignedTerms(terms), ResamplePlan(N_PERMUTATIONS, _SEED))


def _curve_task(n: int) -> partial[FloatArray]:
    y, (scores,) = make_scores(n, 1, "continuous")
    return partial(_curves, rs.Study(y, scores))


def _venkatraman_task(n: int) -> partial[FloatArray]:
    y, scores = make_scores(n, 2, "continuous")
    first, second = (rankdata(score) for score in scores)
    return partial(venkatraman_begg_draws, y == 1, first, second, ResamplePlan(N_RESAMPLES, _SEED))
