"""Where randomness enters: one recorded integer, child streams, the choice of engine, progress.

The draws of a question are a function of its seed, the question, n and the predictor's own count
table: not of how many predictors were asked, of the size of a chunk, or of a progress bar.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.intervals.quantiles import order_rank

Resampled = Literal["areas", "curves", "rates", "class-areas", "verified-areas"]
DRAWS_PER_CHUNK = 2**16  # temporaries of this size stay in the second-level cache
_MOST_REDRAWN = 1000  # for each resample kept: beyond it a question would take a thousand times
_SPARE = 10  # at one valid resample in a thousand, 10 000 draws hold none with probability 5e-5


class TooFewValidResamplesError(ArithmeticError):
    """Almost no resample holds the classes that are needed; ``resampled`` says for what."""

    def __init__(self, resampled: Resampled) -> None:
        super().__init__(f"almost no resample holds the classes that {resampled} need")
        self.resampled = resampled


def require_valid_resamples(n_kept: int, n_redrawn: int, resampled: Resampled) -> None:
    """Raise TooFewValidResamplesError when under about one resample in a thousand was kept."""
    if n_redrawn > _MOST_REDRAWN * (n_kept + _SPARE):
        raise TooFewValidResamplesError(resampled)


def stream(seed: int, *keys: int) -> np.random.Generator:
    """Return the generator of a child stream, keyed by positions (of column, fold, class)."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=keys)))


def chunks(n_resamples: int, draws_each: int, *, progress: bool = False) -> Iterator[slice]:
    """Yield slices of the replicates whose temporaries fit the cache.

    ``progress`` shows a bar for work that takes over two seconds.
    """
    from tqdm import tqdm

    size = max(1, DRAWS_PER_CHUNK // max(draws_each, 1))
    with tqdm(total=n_resamples, delay=2, disable=not progress, unit="resample") as bar:
        for start in range(0, n_resamples, size):
            stop = min(start + size, n_resamples)
            yield slice(start, stop)
            bar.update(stop - start)


def sup_quantile(distances: FloatArray, confidence_level: float) -> float:
    """Return the ceil((B + 1) level)-th smallest of B distances: what a simultaneous band takes."""
    rank = order_rank(confidence_level, len(distances))
    return float(np.partition(distances, rank - 1)[rank - 1])


def percentile_limits(draws: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return percentile limits of each column of draws: order statistics ceil((B + 1) p)."""
    total = len(draws)
    rank = order_rank((1 - level) / 2, total)
    ordered = np.partition(draws, (rank - 1, total - rank), axis=0)
    return ordered[rank - 1], ordered[total - rank]
