"""Random streams of the resampling engines: one recorded integer, child streams, chunks.

The draws of a question depend on its seed, its kind, n and the count table of the predictor alone:
not on the other predictors, nor on a progress bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import numpy as np

from rocstats.sample.arrays import FloatArray, Limits
from rocstats.stats.intervals.quantiles import order_rank

if TYPE_CHECKING:
    from tqdm import tqdm

_Result = TypeVar("_Result")
Resampled = Literal[
    "areas", "curves", "bands", "rates", "reader-rates", "class-areas", "verified-areas"
]
# Temporaries of 2^16 numbers of 8 bytes (half a MiB) stay in the second-level cache, and bound the
# memory whatever the number of resamples. No draw depends on this number.
DRAWS_PER_CHUNK = 2**16

# A cell of a multinomial costs as much as some 15 counted cases, and each score is a cell of both
# classes: below 30 cases a score, counting cases is cheaper. Both draw the same distribution.
CASES_PER_CELL = 30

_FIRST_STRATUM = 2**16  # beyond all keys that name a column, a fold or what is drawn

_MOST_REDRAWN = 1000  # for each resample kept: beyond it a question would take a thousand times
_SPARE = 10  # at one valid resample in a thousand, 10 000 draws hold none with probability 5e-5


class TooFewValidResamplesError(ArithmeticError):
    """Almost no resample holds the classes that are needed; ``resampled`` says for what."""

    def __init__(self, resampled: Resampled) -> None:
        super().__init__(f"almost no resample holds the classes that {resampled} need")
        self.resampled: Resampled = resampled


def require_valid_resamples(n_kept: int, n_redrawn: int, resampled: Resampled) -> None:
    """Raise TooFewValidResamplesError when under about one resample in a thousand was kept."""
    if n_redrawn > _MOST_REDRAWN * (n_kept + _SPARE):
        raise TooFewValidResamplesError(resampled)


def stream(seed: int, *keys: int) -> np.random.Generator:
    """Return the generator of a child stream, keyed by positions (of column, fold, class).

    The last key names what is drawn: 0 negatives, 1 positives, 2 whole units, from 3 on the rest.
    """
    # Spawned by position, not drawn in turn: a further predictor or fold leaves the others' streams
    # as they were. SFC64 is the fastest of numpy's generators.
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=keys)))


def redrawn_notes(n_redrawn: int) -> list[str]:
    """Return the note on resamples that lacked a class and were drawn again, if there are any."""
    return [f"resamples-redrawn={n_redrawn}"] if n_redrawn else []


class Streams:
    """Child streams of one key, one for each stratum, that go on from chunk to chunk.

    Draws of one stream that fill several strata in turn would depend on the size of the chunks.
    """

    def __init__(self, seed: int, *keys: int) -> None:
        self._seed, self._keys = seed, keys
        self._made = [stream(seed, *keys)]

    def __getitem__(self, stratum: int) -> np.random.Generator:
        """Return the stream of a stratum; the first is that of the key itself."""
        for number in range(len(self._made), stratum + 1):
            self._made.append(stream(self._seed, *self._keys, _FIRST_STRATUM + number))
        return self._made[stratum]


class ValidDraws(NamedTuple):
    """Results of resamples that hold the classes needed, and the number of resamples redrawn."""

    values: FloatArray
    n_redrawn: int = 0


class ResamplePlan(NamedTuple):
    """How many resamples are drawn, and from which stream.

    ``seed`` is the integer that frames record, ``keys`` the positions (of group, predictor, fold)
    that name a child stream. Areas and hulls resample the classes apart, unless ``stratified`` is
    False.
    """

    n_resamples: int
    seed: int
    keys: tuple[int, ...] = ()
    progress: bool = False
    stratified: bool = True

    def at(self, *keys: int) -> ResamplePlan:
        """Return the same plan for a child stream."""
        return self._replace(keys=(*self.keys, *keys))

    def stream(self, *keys: int) -> np.random.Generator:
        """Return the generator of a child stream."""
        return stream(self.seed, *self.keys, *keys)

    def streams(self, *keys: int) -> Streams:
        """Return the child streams of the strata of a key."""
        return Streams(self.seed, *self.keys, *keys)

    def chunks(self, draws_each: int) -> Iterator[slice]:
        """Yield slices of the resamples whose temporaries fit the cache.

        ``progress`` shows a bar for work that takes over two seconds.
        """
        total, size = self.n_resamples, max(1, DRAWS_PER_CHUNK // max(draws_each, 1))
        with self._bar() as bar:
            for start in range(0, total, size):
                stop = min(start + size, total)
                yield slice(start, stop)
                if bar is not None:
                    bar.update(stop - start)

    def watched(self, results: Iterable[_Result]) -> Iterator[_Result]:
        """Yield results that are made one by one, one a resample, with the same bar."""
        with self._bar() as bar:
            for result in results:
                yield result
                if bar is not None:
                    bar.update()

    def _bar(self) -> AbstractContextManager[tqdm[Any] | None]:
        if not self.progress:
            return nullcontext()
        from tqdm import tqdm

        return tqdm(total=self.n_resamples, delay=2, unit="resample")

    def valid(
        self, draws_each: int, draw: Callable[[int], FloatArray], resampled: Resampled
    ) -> ValidDraws:
        """Return valid draws (their first axis).

        ``draw`` makes so many resamples and returns the results of those that hold the classes
        needed.
        """
        # Results are kept in the order of the stream, each gap filled by what it draws next.
        values, filled, n_redrawn = np.empty(0), 0, 0
        for part in self.chunks(draws_each):
            while filled < part.stop:
                wanted = part.stop - filled
                valid = draw(wanted)
                if len(valid):
                    if filled == 0:
                        values = np.empty((self.n_resamples, *valid.shape[1:]))
                    values[filled : filled + len(valid)] = valid
                filled += len(valid)
                n_redrawn += wanted - len(valid)
                require_valid_resamples(filled, n_redrawn, resampled)
        return ValidDraws(values, n_redrawn)


NO_RESAMPLES = ResamplePlan(0, 0)
"""The plan of a closed form."""


def sup_quantile(distances: FloatArray, confidence_level: float) -> float:
    """Return the critical value of a simultaneous band: rank ceil((B + 1) level) of B distances."""
    rank = order_rank(confidence_level, len(distances))
    return float(np.partition(distances, rank - 1)[rank - 1])


def percentile_limits(draws: FloatArray, level: float) -> Limits:
    """Return percentile limits of each column of draws: order statistics ceil((B + 1) p)."""
    # Ranks r and B + 1 - r leave equally many draws outside on both sides
    # (docs/methods/resampling.md, "Order statistics as limits"); a partition needs no sort.
    total = len(draws)
    rank = order_rank((1 - level) / 2, total)
    ordered = np.partition(draws, (rank - 1, total - rank), axis=0)
    return ordered[rank - 1], ordered[total - rank]
