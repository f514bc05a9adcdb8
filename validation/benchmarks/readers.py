"""Reader studies: U-statistics against whole matrices of pairs, and peaks of memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import modality_difference
from rocstats.facts.arrays import FloatArray
from rocstats.inference.planning.simulated_studies import (
    ReadingPlan,
    draw_simulated_reads,
    roe_metz_of_areas,
)
from rocstats.inference.readers.ustatistics import UStatistics
from rocstats.study.cases import Reads
from validation.benchmarks.results import Contender, Result, peak_of, race

TOPIC = "reader studies"
N_READERS = 10
U_STATISTICS = "U-statistics, 2 modalities x 10 readers"
JACKKNIFE = "jackknife and analysis of variance, 2 modalities x 10 readers"


def reader_cases(n: int) -> Iterator[Result]:
    """Time the difference of two modalities against moments from whole matrices of pairs."""
    reads = _reads(n)
    contenders = [
        Contender("whole matrices of pairs", lambda: naive_variance(reads)),
        Contender(U_STATISTICS, lambda: UStatistics(reads).difference(0, 1)),
        Contender(JACKKNIFE, lambda: _by_table(reads)),
    ]
    yield from race(TOPIC, n, "continuous, fully crossed", contenders)


def reader_memory(n: int) -> Iterator[Result]:
    """Measure the peak of memory beyond the ratings."""
    reads = _reads(n)
    for what, task in (
        (U_STATISTICS, lambda: UStatistics(reads).difference(0, 1)),
        (JACKKNIFE, lambda: _by_table(reads)),
    ):
        yield peak_of(TOPIC, f"peak memory of {what}", n, "continuous, memory", task)


def naive_variance(reads: Reads) -> float:
    """Return the unbiased variance of the difference, every pair of cases of a curve at once.

    Every reader read every case under both modalities.
    """
    t, r, m = reads.pos.shape
    n = reads.n_neg
    pos, neg = reads.pos.reshape(t * r, m, 1), reads.neg.reshape(t * r, 1, n)
    kernel = (pos > neg) + 0.5 * (pos == neg)
    flat, rows, columns = kernel.reshape(t * r, -1), kernel.sum(axis=2), kernel.sum(axis=1)
    total = rows.sum(axis=1)
    same = [flat @ flat.T, rows @ rows.T, columns @ columns.T, np.outer(total, total)]
    signs = np.where(np.arange(t) == 0, 1.0, -1.0).repeat(r)
    readers = np.tile(np.eye(r), (t, t)).astype(bool)
    free = _distinct([float(signs @ (q * ~readers) @ signs) for q in same])
    pairs = r * (r - 1) * m * (m - 1) * n * (n - 1)
    mean = float(signs @ total) / (r * m * n)
    return float(mean**2 - free / pairs)


def _distinct(sums: list[float]) -> float:
    both, of_pos, of_neg, every = sums
    return every - of_pos - of_neg + both


def _by_table(reads: Reads) -> object:
    return modality_difference(reader_table(reads, "jackknife"), 0, 1, "random", "random")


def _reads(n: int) -> Reads:
    areas: FloatArray = np.array([0.85, 0.85])
    plan = ReadingPlan(N_READERS, n // 2, n // 2)
    return draw_simulated_reads(roe_metz_of_areas("HL", areas), plan, np.random.default_rng(n))
