"""What all resampling shares: the plan of resamples, random streams, weights, counts in cells.

A question is resampled by engines: E1 by case, E2 by count table, E3 curves at fixed FPRs, E5 and
E6 by blocks of areas and of curves, E7 cutpoints in two stages, E8 smoothed curves by chords.
Areas are in resample_areas, curves in resample_curves (at false positive rates) and resample_bands
(in rotated coordinates), any other statistic in resample_statistics, cutpoints in
inference/cutpoints/rule. The draws of a question depend on its seed, its kind, n and the count
table of the predictor alone: not on the other predictors, nor on a progress bar. See
docs/methods/resampling.md, "Engines".

Cells are distinct scores, straight pieces of a curve, bins or blocks. Their counts are multinomial,
or those of drawn cases, or of whole clusters; of very many cells, normal counts of blocks of
neighbouring ones (docs/methods/resampling.md, "Blocks of a curve").
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from rocstats.curves.rotated import AnyCounts
from rocstats.errors import InputError, require_flag, require_whole
from rocstats.estimate.quantiles import order_rank
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.study.base import BaseSample
from rocstats.study.cases import ClassCases, ScoredCases, WeightedRows

if TYPE_CHECKING:
    from tqdm import tqdm


# --- Seed, number and kind of the resamples, as requested -----------------------------------------

RngLike = int | np.random.SeedSequence | np.random.Generator | None


def resolve_seed(rng: Any) -> int:
    """Return the one integer from which all draws of a question come.

    None draws 48 random bits; a Generator gives one integer.
    """
    _require_random_source(rng)
    # 48 bits: exact as a float (below 2^53), so in JSON and in a spreadsheet; among 10^6 seeds
    # two are equal with probability 0.002.
    if rng is None:
        return secrets.randbits(48)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**48))
    if isinstance(rng, np.random.SeedSequence):
        return int(rng.generate_state(1, np.uint64)[0] >> np.uint64(16))
    return int(rng)


def _require_random_source(rng: Any) -> None:
    # bool is a subclass of int: True is no seed.
    whole = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0
    if not (whole or rng is None or isinstance(rng, np.random.Generator | np.random.SeedSequence)):
        raise InputError(
            f"`rng` must be None, a whole number >= 0, a SeedSequence or a Generator; got {rng!r}."
            " Pass an integer to make the result repeatable."
        )


def require_drawing(
    n_resamples: Any, rng: Any, progress: bool, stratified: bool | None = None, *, least: int = 100
) -> None:
    """Raise InputError for wrong options of draws; for answers that need not draw."""
    require_resamples(n_resamples, least)
    _require_random_source(rng)
    require_flag("progress", progress)
    _require_whole_clusters(stratified, clustered=False)


def require_resamples(n_resamples: Any, least: int = 100, *, advised: int = 2000) -> int:
    """Return ``n_resamples`` as int; raise InputError unless it is a whole number >= ``least``."""
    advice = f"Use {advised} or more for printed results."
    return require_whole("n_resamples", n_resamples, least, advice)


def plan_draws(
    n_resamples: Any, rng: Any, progress: bool, *, least: int = 100, advised: int = 2000
) -> ResamplePlan:
    """Return the resamples of a question; raise InputError for wrong options of draws."""
    require_flag("progress", progress)
    number = require_resamples(n_resamples, least, advised=advised)
    return ResamplePlan(number, resolve_seed(rng), progress=progress)


def plan_resamples(
    cases: ScoredCases | ClassCases | BaseSample,
    n_resamples: Any,
    stratified: bool | None,
    rng: Any,
    progress: bool,
    *,
    apart: bool = True,
) -> ResamplePlan:
    """Return the resampling plan of a sample; raise InputError for invalid arguments.

    ``apart`` says whether an area holds the class sizes fixed: one that depends on the class shares
    would lack the variance of those shares.
    """
    clustered = cases.cluster is not None
    _require_whole_clusters(stratified, clustered=clustered)
    # A cluster may hold both classes, so that whole clusters cannot keep the class sizes.
    chosen = apart and not clustered if stratified is None else bool(stratified)
    return plan_draws(n_resamples, rng, progress)._replace(stratified=chosen)


def _require_whole_clusters(stratified: bool | None, *, clustered: bool) -> None:
    if stratified is not None:
        require_flag("stratified", stratified)
    if stratified and clustered:
        raise InputError(
            "`stratified` must not be True when the study has clusters, because whole clusters"
            " are resampled; got True. Leave it out."
        )


# --- Resamples that lack a class ------------------------------------------------------------------

Resampled = Literal[
    "areas", "curves", "bands", "rates", "calls", "reader-rates", "class-areas", "verified-areas"
]
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


# Folds, clusters and unverified cases leave a resample without a class, each with its own way out.
_TOO_FEW: dict[Resampled, str] = {
    "areas": "`n_resamples` resamples must hold both classes in every fold; got almost none that"
    " do. Resample the classes apart (stratified=True), or merge folds.",
    "curves": "`n_resamples` resamples must hold both classes in every fold; got almost none that"
    " do. Merge folds.",
    "bands": "`n_resamples` resamples of clusters must hold both classes; got almost none that do."
    " Use the interval of the area instead.",
    "rates": "`n_resamples` resamples of clusters must hold both classes; got almost none that do."
    " Compare at thresholds instead.",
    "calls": "`n_resamples` resamples must hold both classes; got almost none that do. Pass more"
    " cases or clusters of the smaller class.",
    "reader-rates": "`n_resamples` resamples must hold both classes of every reader's cases; got"
    " almost none that do. Leave out the readers with few cases, or pass threshold= instead.",
    "class-areas": "`n_resamples` resamples must hold every class in every fold; got almost none"
    " that do. Resample the classes apart (stratified=True), or merge folds.",
    "verified-areas": "`n_resamples` resamples must hold verified cases of both classes; got"
    " almost none that do. Verify more cases.",
}


@contextmanager
def enough_valid_resamples() -> Iterator[None]:
    """Raise InputError where an engine finds almost no resample with the classes that it needs."""
    try:
        yield
    except TooFewValidResamplesError as failure:
        raise InputError(_TOO_FEW[failure.resampled]) from failure


def redrawn_notes(n_redrawn: int) -> list[str]:
    """Return the note on resamples that lacked a class and were drawn again, if there are any."""
    return [f"resamples-redrawn={n_redrawn}"] if n_redrawn else []


# --- Random streams: one recorded integer, child streams, chunks ----------------------------------

_Result = TypeVar("_Result")

# Temporaries of 2^16 numbers of 8 bytes (half a MiB) stay in the second-level cache, and bound the
# memory whatever the number of resamples. No draw depends on this number.
DRAWS_PER_CHUNK = 2**16
_FIRST_STRATUM = 2**16  # beyond all keys that name a column, a fold or what is drawn


def child_random_stream(seed: int, *keys: int) -> np.random.Generator:
    """Return the generator of a child stream, keyed by positions (of column, fold, class).

    The last key names what is drawn: 0 negatives, 1 positives, 2 whole units, from 3 on the rest.
    """
    # Spawned by position, not drawn in turn: a further predictor or fold leaves the others' streams
    # as they were. SFC64 is the fastest of numpy's generators.
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=keys)))


class Streams:
    """Child streams of one key, one for each stratum, that go on from chunk to chunk.

    Draws of one stream that fill several strata in turn would depend on the size of the chunks.
    """

    def __init__(self, seed: int, *keys: int) -> None:
        self._seed, self._keys = seed, keys
        self._made = [child_random_stream(seed, *keys)]

    def __getitem__(self, stratum: int) -> np.random.Generator:
        """Return the stream of a stratum; the first is that of the key itself."""
        for number in range(len(self._made), stratum + 1):
            self._made.append(child_random_stream(self._seed, *self._keys, _FIRST_STRATUM + number))
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
        return child_random_stream(self.seed, *self.keys, *keys)

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
        """Return the results of all resamples, their first axis; arguments of ``valid_parts``."""
        values, total_redrawn = np.empty(0), 0
        for part, drawn, n_redrawn in self.valid_parts(draws_each, draw, resampled):
            if part.start == 0:
                values = np.empty((self.n_resamples, *drawn.shape[1:]))
            values[part], total_redrawn = drawn, n_redrawn
        return ValidDraws(values, total_redrawn)

    def valid_parts(
        self, draws_each: int, draw: Callable[[int], FloatArray], resampled: Resampled
    ) -> Iterator[tuple[slice, FloatArray, int]]:
        """Yield parts of the resamples, their results, and the number of resamples redrawn so far.

        ``draw`` makes so many resamples and returns the results of those that hold the classes
        needed.
        """
        # Results are kept in the order of the stream, each gap filled by what it draws next.
        filled, n_redrawn = 0, 0
        for part in self.chunks(draws_each):
            drawn = []
            while filled < part.stop:
                wanted = part.stop - filled
                valid = draw(wanted)
                if len(valid):
                    drawn.append(valid)
                filled += len(valid)
                n_redrawn += wanted - len(valid)
                require_valid_resamples(filled, n_redrawn, resampled)
            yield part, drawn[0] if len(drawn) == 1 else np.concatenate(drawn), n_redrawn


NO_RESAMPLES = ResamplePlan(0, 0)
"""The plan of a closed form."""


# --- Quantiles of draws ---------------------------------------------------------------------------


def sup_quantile(distances: FloatArray, confidence_level: float) -> float:
    """Return the critical value of a simultaneous band: rank ceil((B + 1) level) of B distances."""
    rank = order_rank(confidence_level, len(distances))
    return float(np.partition(distances, rank - 1)[rank - 1])


def percentile_limits_of_draws(draws: FloatArray, level: float) -> Limits:
    """Return percentile limits of each column of draws: order statistics ceil((B + 1) p)."""
    # Ranks r and B + 1 - r leave equally many draws outside on both sides
    # (docs/methods/resampling.md, "Order statistics as limits"); a partition needs no sort.
    total = len(draws)
    rank = order_rank((1 - level) / 2, total)
    ordered = np.partition(draws, (rank - 1, total - rank), axis=0)
    return ordered[rank - 1], ordered[total - rank]


# --- Bootstrap weights of rows: the number of times a row is drawn, times its weight --------------


Counts = npt.NDArray[np.int64]


def draw_weights(
    streams: Streams, cases: ScoredCases, size: int, *, stratified: bool
) -> FloatArray:
    """Return size x rows bootstrap weights of the rows.

    ``stratified`` resamples the cases of each class in each fold apart; else all cases, or clusters
    whole.
    """
    if stratified:
        return draw_weights_of_strata(streams, cases, rows_by_class_and_fold(cases), size)
    return draw_weights_of_units(streams, cases, [np.arange(len(cases.is_positive))], size)


def resamples_with_both_classes(weights: FloatArray | Counts, is_positive: BoolArray) -> BoolArray:
    """Return which resamples, given as r x rows weights, hold a positive and a negative."""
    drawn = weights > 0
    return np.asarray((drawn & is_positive).any(axis=1) & (drawn & ~is_positive).any(axis=1))


def rows_by_class_and_fold(cases: ScoredCases) -> list[IntArray]:
    """Return the rows of each class in each fold."""
    codes = np.zeros(len(cases.is_positive), int) if cases.fold is None else cases.fold.codes
    return [
        np.flatnonzero((codes == label) & (cases.is_positive == positive))
        for label in np.unique(codes)
        for positive in (True, False)
    ]


def draw_weights_of_units(
    streams: Streams, cases: WeightedRows, strata: Sequence[IntArray], size: int
) -> FloatArray:
    """Return size x rows weights of resamples of clusters, if there are any, or of strata."""
    if cases.cluster is None:
        return draw_weights_of_strata(streams, cases, strata, size)
    # A subset of a study may lack clusters: its own are numbered without gaps.
    present, units = np.unique(cases.cluster.codes, return_inverse=True)
    drawn = draw_counts(streams[0], size, len(present)).take(units, axis=1)
    return np.asarray(drawn * weight_of_each_drawn_row(cases, frequency=True), dtype=np.float64)


def draw_weights_of_strata(
    streams: Streams, cases: WeightedRows, strata: Sequence[IntArray], size: int
) -> FloatArray:
    """Return size x rows weights; a row with frequency f is drawn as f cases."""
    # A fold, or a part of the rows, may lack cases of a class: nothing is drawn from these strata.
    weights = np.zeros((size, sum(map(len, strata))))
    for number, rows in enumerate(strata):
        if not len(rows) or (cases.frequency is not None and not cases.frequency[rows].any()):
            continue
        rng = streams[number]
        if cases.frequency is None:
            weights[:, rows] = draw_counts(rng, size, len(rows))
        else:
            # Rows are never expanded to cases: a table of millions costs its cells only.
            share = cases.frequency[rows]
            total = share.sum()
            weights[:, rows] = rng.multinomial(int(total), share / total, size=size)
    return weights * weight_of_each_drawn_row(cases, frequency=False)


def weight_of_each_drawn_row(cases: WeightedRows, *, frequency: bool) -> FloatArray | float:
    """Return the weight of each drawn row, times its frequency if rows were drawn whole."""
    parts = [cases.sample_weight, cases.frequency if frequency else None]
    given = [part for part in parts if part is not None]
    return np.prod(given, axis=0) if given else 1.0


def draw_counts(rng: np.random.Generator, size: int, n: int) -> Counts:
    """Return size x n counts of each of n units in resamples of n units."""
    # A multinomial with equal shares, but n integers cost less than n binomials. Offsets by row let
    # one call count all resamples.
    drawn = rng.integers(0, n, size=(size, n))
    drawn += np.arange(0, size * n, n)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)


# --- Random numbers of a few lines: lots, random classifiers, refits, outcomes, points of a cube --


def draw_random_booleans(n: int, share: float, seed: int) -> BoolArray:
    """Return n independent booleans, each true with probability ``share``.

    Lots choose between two classifiers, case by case, which interpolates between their points.
    """
    return np.asarray(child_random_stream(seed).random(n) < share)


def draw_random_classifiers(
    n_pos: int, n_neg: int, n_points: int, seed: tuple[int, ...]
) -> tuple[IntArray, IntArray]:
    """Return the false and the true positives of random classifiers.

    The number of cases called positive is uniform on 0, ..., N; the cases are chosen at random.
    """
    # Without replacement the true positives are hypergeometric: no labels need shuffling.
    rng = child_random_stream(*seed, 7)
    called = rng.integers(0, n_pos + n_neg, size=n_points, endpoint=True)
    tp = np.asarray(rng.hypergeometric(n_pos, n_neg, called), dtype=np.intp)
    return called - tp, tp


def draw_rows_for_refits(
    is_positive: BoolArray, n_resamples: int, seed: int
) -> tuple[IntArray, int]:
    """Return n_resamples x n rows drawn with replacement, and the number of redrawn resamples.

    All rows are drawn together; a resample that lacks a class is drawn again.
    """
    rng, n = child_random_stream(seed, 5), len(is_positive)
    rows = np.empty((n_resamples, n), dtype=np.intp)
    n_redrawn = 0
    for number in range(n_resamples):
        drawn = rng.integers(0, n, size=n)
        # No bound on redraws: where the sample has both classes, a resample lacks one with a
        # probability of at most 1/2 (n = 2), of 1/e with a single positive among many.
        while is_positive[drawn].all() or not is_positive[drawn].any():
            drawn = rng.integers(0, n, size=n)
            n_redrawn += 1
        rows[number] = drawn
    return rows, n_redrawn


def redraw_outcomes(
    risk: FloatArray, number: IntArray, draws: ResamplePlan
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield numbers of positives and of negatives of rows of so many cases with a risk each."""
    rng = draws.stream(3)
    for _ in draws.watched(range(draws.n_resamples)):
        events = rng.binomial(number, risk).astype(np.float64)
        yield events, number - events


def fixed_points_of_unit_cube(n: int, dimension: int) -> FloatArray:
    """Return n points of the unit cube that look random and are the same in every call."""
    return child_random_stream(0).random((n, dimension))


# --- Counts of stratified resamples in cells: a cell is a distinct score, or a bin of scores ------

# A cell of a multinomial costs as much as some 15 counted cases, and each score is a cell of both
# classes: below 30 cases a score, counting cases is cheaper. Both draw the same distribution.
CASES_PER_CELL = 30


def multinomial_tables(
    n_pos: FloatArray, n_neg: FloatArray, plan: ResamplePlan
) -> Iterator[tuple[slice, Counts, Counts]]:
    """Yield parts of stratified resamples with their positives and negatives in each cell."""
    # One stream a class: the negatives that are drawn do not depend on the positives.
    m, n = n_pos.sum(), n_neg.sum()
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    for part in plan.chunks(len(n_pos)):
        size = part.stop - part.start
        pos = of_pos.multinomial(int(m), n_pos / m, size=size)
        yield part, pos, of_neg.multinomial(int(n), n_neg / n, size=size)


def resampled_cells(
    cases: ScoredCases, cell: IntArray, n_pos: FloatArray, n_neg: FloatArray, plan: ResamplePlan
) -> Iterator[tuple[slice, AnyCounts, AnyCounts]]:
    """Yield parts of the resamples with their counts of positives and negatives in each cell.

    ``cell`` is that of each case; the classes are resampled apart, clusters whole.
    """
    if cases.cluster is not None:
        yield from _clustered_cells(cases, cell, len(n_pos), plan)
        return
    total = n_pos.sum() + n_neg.sum()
    if total > CASES_PER_CELL * len(n_pos):
        yield from multinomial_tables(n_pos, n_neg, plan)
        return
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    for part in plan.chunks(int(total)):
        size = part.stop - part.start
        yield part, counted_cells(of_pos, n_pos, size), counted_cells(of_neg, n_neg, size)


def _clustered_cells(
    cases: ScoredCases, cell: IntArray, n_cells: int, plan: ResamplePlan
) -> Iterator[tuple[slice, AnyCounts, AnyCounts]]:
    """Yield parts of resamples of whole clusters with their counts in each cell.

    ``cell`` is the cell of each case. Class sizes vary; a resample that lacks a class is redrawn.
    """
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=False)
        weights = weights[resamples_with_both_classes(weights, cases.is_positive)]
        sides = (
            _weighted_cells(weights[:, rows], cell[rows], n_cells)
            for rows in (cases.is_positive, ~cases.is_positive)
        )
        return np.stack(tuple(sides), axis=1)

    for part, drawn, _ in plan.valid_parts(len(cell), draw, "bands"):
        yield part, drawn[:, 0], drawn[:, 1]


def _weighted_cells(weight: FloatArray, cell: IntArray, n_cells: int) -> FloatArray:
    """Return the sums of the weights of each row of a matrix by cell."""
    size = len(weight)
    place = cell + np.arange(0, size * n_cells, n_cells)[:, np.newaxis]
    sums = np.bincount(place.ravel(), weights=weight.ravel(), minlength=size * n_cells)
    return np.asarray(sums.reshape(size, n_cells), dtype=np.float64)


def multinomial_cells(rng: np.random.Generator, weight: FloatArray, size: int) -> AnyCounts:
    """Return size x cells multinomial counts of as many draws as the weights add up to."""
    total = weight.sum()
    return rng.multinomial(round(total), weight / total, size=size)  # smoothed weights: not whole


def counted_cells(rng: np.random.Generator, weight: FloatArray, size: int) -> AnyCounts:
    """Return multinomial counts by drawing and counting cases."""
    cell_of_case = np.repeat(np.arange(len(weight)), weight.astype(np.intp))
    total, cells = len(cell_of_case), len(weight)
    drawn = cell_of_case.take(rng.integers(0, total, size=(size, total)))
    drawn += np.arange(0, size * cells, cells)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * cells).reshape(size, cells)


# --- Blocks of neighbouring cells, and their normal counts ----------------------------------------

# The supremum misses O(1/D + n^(-1/4) D^(-1/2)) of itself with D blocks: below .3 % in
# validation/blocks/bands.csv, where 2000 resamples have a Monte-Carlo error of 1.5 %.
LEAST_BLOCKS = 2048
# Curves of fewer straight pieces a block are resampled by cases, or by pieces: a bridge between the
# ends of a block is too rough a model of few pieces (with 2 to 5 the mean misses up to .6 %).
_CELLS_PER_BLOCK = 8
_FEW_EXPECTED = 10.0  # a normal count is below 0 with a probability of 1 in 1000 there


def takes_blocks(n_cells: int) -> bool:
    """Return whether a curve with this number of segments is resampled by blocks."""
    return n_cells > _CELLS_PER_BLOCK * LEAST_BLOCKS


def block_starts(share: FloatArray, n_blocks: int) -> IntArray:
    """Return the first cell of each of about ``n_blocks`` blocks of neighbouring cells.

    Blocks have equal sums of shares. Cells are whole; one of half a block or more is a block by
    itself.
    """
    # Shares are those of a cell in the positives plus those in the negatives: a rare class is then
    # cut as finely as the other.
    upto = np.cumsum(share)
    edges = np.searchsorted(upto, upto[-1] * np.arange(n_blocks) / n_blocks, "right")
    heavy = np.flatnonzero(share >= upto[-1] / 2 / n_blocks)
    starts = np.unique(np.concatenate([[0], edges, heavy, heavy + 1]))
    return starts[starts < len(share)]


def normal_counts(rng: np.random.Generator, weight: FloatArray, size: int) -> FloatArray:
    """Return size x cells normal numbers with the weights as means and variances.

    Shares of their sum have the covariances of multinomial counts, and the same limits.
    """
    # Counts below 0 stay: cut at 0, blocks of 12 cases would raise the 95% quantile by a fifth.
    counts = rng.standard_normal((size, len(weight)))
    counts *= np.sqrt(weight)
    counts += weight
    return counts


def draw_few_or_many_in_cells(streams: Streams, weight: FloatArray, size: int) -> FloatArray:
    """Return size x cells numbers with the weights as means and variances, few of them whole.

    As ``normal_counts``, but Poisson where a normal number would be too coarse a count.
    """
    few = weight < _FEW_EXPECTED
    if few.all():
        return streams[1].poisson(weight, (size, len(weight))).astype(np.float64)
    # Normal numbers for all columns: to put most of them in place would take longer.
    counts = normal_counts(streams[0], weight, size)
    if few.any():
        counts[:, few] = streams[1].poisson(weight[few], (size, int(few.sum())))
    return counts


# --- Weights of rows added up by score: the count tables of many resamples of the same cases ------


class ScoreColumns(NamedTuple):
    """Rows of one class in the order of a predictor's scores, with the code of each score."""

    rows: IntArray
    codes: IntArray
    n_scores: int

    def tables(self, weights: FloatArray) -> FloatArray:
        """Return the weight at each score (r x d) of resamples of all rows."""
        sums = np.zeros((len(weights), self.n_scores))
        if len(self.rows):
            # Scores of the other class only get no start: reduceat does not sum an empty run to 0.
            starts = np.flatnonzero(np.diff(self.codes, prepend=-1))
            drawn = weights.take(self.rows, axis=1)
            sums[:, self.codes[starts]] = np.add.reduceat(drawn, starts, axis=1)
        return sums


Columns = tuple[ScoreColumns, ScoreColumns]
"""Positives and negatives by the scores of a predictor."""


def fold_rows(cases: ScoredCases) -> list[IntArray]:
    """Return the rows of each fold; all rows without folds."""
    if cases.fold is None:
        return [np.arange(len(cases.is_positive))]
    return [np.flatnonzero(cases.fold.codes == code) for code in cases.fold.present]


def score_columns(cases: ScoredCases, rows: IntArray, k: int) -> Columns:
    """Return the positives and the negatives among some rows for predictor ``k``."""
    kept, codes = np.unique(cases.codes(k)[rows], return_inverse=True)
    sides = []
    for positive in (True, False):
        members = np.flatnonzero(cases.is_positive[rows] == positive)
        # Stable: weights of a tie are summed in the order of rows, on every processor.
        order = members[np.argsort(codes[members], kind="stable")]
        sides.append(ScoreColumns(rows[order], codes[order], len(kept)))
    return sides[0], sides[1]
