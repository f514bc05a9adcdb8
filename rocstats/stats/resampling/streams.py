"""Where randomness enters: one recorded integer, child streams, the choice of engine, progress.

The draws of a question are a function of its seed, the question, n and the predictor's own count
table: not of how many predictors were asked, of the size of a chunk, or of a progress bar.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.stats.intervals.quantiles import order_rank

RngLike = int | np.random.SeedSequence | np.random.Generator | None
DRAWS_PER_CHUNK = 2**16  # temporaries of this size stay in the second-level cache


def resolve_seed(rng: Any) -> int:
    """Return the one integer from which all draws of a question come.

    None draws 48 random bits; a Generator is asked once for an integer.
    """
    if rng is None:
        return secrets.randbits(48)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**48))
    if isinstance(rng, np.random.SeedSequence):
        return int(rng.generate_state(1, np.uint64)[0] >> np.uint64(16))
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    raise InputError(
        f"`rng` must be None, a whole number >= 0, a SeedSequence or a Generator; got {rng!r}."
        " Pass an integer to make the result repeatable."
    )


def require_resamples(n_resamples: Any, least: int = 100, *, advised: int = 2000) -> int:
    """Return ``n_resamples`` as int; raise InputError unless it is a whole number >= ``least``."""
    whole = isinstance(n_resamples, (int, np.integer)) and not isinstance(n_resamples, bool)
    if not whole or n_resamples < least:
        raise InputError(
            f"`n_resamples` must be a whole number >= {least}; got {n_resamples!r}."
            f" Use {advised} or more for printed results."
        )
    return int(n_resamples)


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
