"""The area by rocstats and by others: how long it takes, how far off it is, what is returned.

All are given the same probabilities. Rules that read the curve at fixed thresholds are written here
in numpy; the engines that use them differ in speed, not in their error. Wall time, since some peers
use threads.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from statistics import median
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import stats
from scipy.integrate import trapezoid
from scipy.special import expit, logit

import rocstats as rs
from validation.benchmarks.data import SEED, Floats, Labels
from validation.benchmarks.peers import SCIPY, peer
from validation.benchmarks.r_peers import areas_in_r
from validation.benchmarks.results import NOT_INSTALLED, Contender, failure, fewer_if_slow
from validation.benchmarks.timing import Task, seconds_in_turns

PeerData = Literal["continuous", "tied", "prevalence 0.5 %"]
SIZES: Mapping[PeerData, tuple[int, ...]] = {
    "continuous": (10**3, 10**4, 10**6),
    "tied": (10**3, 10**4, 10**6),
    "prevalence 0.5 %": (10**4, 10**6),  # 50 and 5000 positives
}
NUMPY = f"numpy {np.__version__}"
RELEASE = f"rocstats {rs.__version__}"
SORT = "np.argsort"
AREA, INTERVAL = "area", "area, interval"
_MOST_OF_A_BAND = 10**4  # rocci resamples every case 2000 times


class PeerRow(NamedTuple):
    """Times in sorts and in our own answer; the error of the area, also in standard errors."""

    peer: str
    software: str
    n: int
    data: str
    in_argsorts: float
    ours: str
    in_ours: float
    error: float
    error_in_se: float
    returns: str
    repeats: int
    note: str = ""


class Cases(NamedTuple):
    """Labels and the probabilities of two predictors."""

    y: Labels
    first: Floats
    second: Floats


class Peer(NamedTuple):
    """A task, what it is compared with, the area in its answer, and the most cases it is given."""

    name: str
    package: str
    ours: str
    returns: str
    make: Callable[[Any, Cases], Task]
    area: Callable[[Any], float]
    largest: int = 10**6


OURS: Mapping[str, Callable[[Cases], object]] = {
    "auc": lambda c: rs.Study(c.y, c.first).auc(),
    "roc_curve": lambda c: rs.Study(c.y, c.first).roc_curve(),
    "versus_random": lambda c: rs.Study(c.y, c.first).versus_random(),
    "compare_auc": lambda c: rs.Study(c.y, {"a": c.first, "b": c.second}).compare_auc(),
    "roc_band(rng=1)": lambda c: rs.Study(c.y, c.first).roc_band(rng=1),
}


def _curve_of(_: Any, c: Cases) -> Task:
    from sklearn import metrics

    return lambda: metrics.roc_curve(c.y, c.first)


def _area_of(_: Any, c: Cases) -> Task:
    from sklearn import metrics

    return lambda: metrics.roc_auc_score(c.y, c.first)


def _pauc(pauc: Any, c: Cases) -> Task:
    def ask() -> object:
        roc = pauc.ROC(c.y, c.first, direction="<")
        return roc.auc, pauc.ci_auc(roc)

    return ask


def _mann_whitney(_: Any, c: Cases) -> Task:
    def ask() -> object:
        pos, neg = c.first[c.y == 1], c.first[c.y == 0]
        return stats.mannwhitneyu(pos, neg, method="asymptotic").statistic / (len(pos) * len(neg))

    return ask


def _uniform(many: int, _: Any, c: Cases) -> Task:
    return lambda: uniform_thresholds(c.y, c.first, many)


PEERS: tuple[Peer, ...] = (
    Peer("sklearn roc_auc_score", "sklearn", "auc", AREA, _area_of, float),
    Peer(
        "sklearn roc_curve", "sklearn", "roc_curve", "curve", _curve_of,
        lambda curve: float(trapezoid(curve[1], curve[0])),
    ),
    Peer("scipy mannwhitneyu", "scipy", "versus_random", "area, p value", _mann_whitney, float),
    Peer("pauc ROC + ci_auc, DeLong", "pauc", "auc", INTERVAL, _pauc, lambda found: found[0]),
    Peer(
        "confidenceinterval roc_auc_score", "confidenceinterval", "auc", INTERVAL,
        lambda module, c: lambda: module.roc_auc_score(c.y, c.first),
        lambda found: found[0],
    ),
    Peer(
        "MLstatkit Delong_test", "MLstatkit", "compare_auc", "p value, interval of each area",
        lambda module, c: lambda: module.Delong_test(c.y, c.first, c.second),
        lambda found: found[4],
    ),
    Peer(
        "rocci roc_band", "rocci", "roc_band(rng=1)", "band, area, interval",
        lambda module, c: lambda: module.roc_band(c.y, c.first, random_state=1),
        lambda band: band.auc,
        _MOST_OF_A_BAND,
    ),
    *(
        Peer(
            f"rule: {many} uniform thresholds", "numpy", "auc", AREA,
            partial(_uniform, many), float,
        )
        for many in (200, 1000)
    ),
    Peer(
        "rule: 1000 bins of equal count", "numpy", "auc", AREA,
        lambda _, c: lambda: equal_counts(c.y, c.first, 1000), float,
    ),
)  # fmt: skip


def _not_here(_: Any, __: Cases) -> Task:
    raise NotImplementedError  # timed among our own answers, or inside R


OURS_HERE = Peer("rocstats auc", "rocstats", "auc", INTERVAL, _not_here, float)
PROC = Peer("pROC roc + ci.auc, DeLong", "pROC", "auc", INTERVAL, _not_here, float)


def peer_cases() -> Iterator[PeerRow]:
    """Yield the rows of all peers, data and sizes."""
    for data, sizes in SIZES.items():
        for n in sizes:
            yield from compared(n, data)


def compared(n: int, data: PeerData) -> list[PeerRow]:
    """Return what each peer does with n cases, our own answer first."""
    c = make_probabilities(n, data)
    peers = [each for each in PEERS if n <= each.largest]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few cases and of ties, by us and by others
        tried = [_try(each, c) for each in peers]
        own = rs.Study(c.y, c.first).auc().iloc[0]
        measured = Measured(n, data, exact_area(c.y, c.first), own["se"], _timed(tried, c))
    rows = [measured.row(OURS_HERE, own["estimate"])]
    rows += [measured.row(x.peer, x.area, x.contender.software, x.note) for x in tried]
    return [*rows, _in_r(measured, c)]


class Tried(NamedTuple):
    """A peer called once: the area it finds, or a note why there is none."""

    peer: Peer
    contender: Contender
    area: float
    note: str


class Measured(NamedTuple):
    """The seconds of all turns of tasks with the same cases, and what the area should be."""

    n: int
    data: PeerData
    area: float
    se: float
    turns: Mapping[str, list[float]]

    def row(self, peer: Peer, area: float, software: str = RELEASE, note: str = "") -> PeerRow:
        """Return the row of a peer that has turns, or a note why not."""
        turns = self.turns.get(peer.name, [])
        seconds = median(turns) if turns else np.nan
        return self.row_of(peer, area, seconds, len(turns), software, note)

    def row_of(
        self, peer: Peer, area: float, seconds: float, repeats: int, software: str, note: str
    ) -> PeerRow:
        """Return the row of a peer that took so many seconds."""
        sort, ours = (median(self.turns[name]) for name in (SORT, peer.ours))
        off = area - self.area
        times = (seconds / sort, peer.ours, seconds / ours, off, off / self.se)
        return PeerRow(peer.name, software, self.n, self.data, *times, peer.returns, repeats, note)


def make_probabilities(n: int, data: PeerData) -> Cases:
    """Return cases with the probability of a positive, given a normal score of AUC 0.76.

    Tied probabilities have two decimals.
    """
    rng = np.random.default_rng([SEED, n, len(data)])
    prevalence = 0.005 if data == "prevalence 0.5 %" else 0.5
    y = (rng.permutation(n) < round(n * prevalence)).astype(np.int64)
    # Bayes with N(0, 1) and N(1, 1): the log of the likelihood ratio is the score minus 1/2.
    first, second = (expit(y + rng.standard_normal(n) - 0.5 + logit(prevalence)) for _ in range(2))
    if data == "tied":
        first, second = np.round(first, 2), np.round(second, 2)
    return Cases(y, first, second)


def exact_area(y: Labels, scores: Floats) -> float:
    """Return the area as a quotient of whole numbers: pairs in order, and half the ties."""
    pos, neg = scores[y == 1], np.sort(scores[y == 0])
    twice = sum(int(np.searchsorted(neg, pos, side).sum()) for side in ("left", "right"))
    return float(Fraction(twice, 2 * len(pos) * len(neg)))


def uniform_thresholds(y: Labels, probability: Floats, n_thresholds: int) -> float:
    """Return the trapezoids between evenly spaced thresholds from below 0 to beyond 1.

    The rule of tf.keras.metrics.AUC, which has 200 of them by default.
    """
    # How many of the thresholds i/(n - 1) lie below; the first lies below all.
    exceeded = np.maximum(np.ceil(probability * (n_thresholds - 1)).astype(np.int64), 1)
    rates = []
    for is_class in (y == 0, y == 1):
        counts = np.bincount(exceeded[is_class], minlength=n_thresholds)
        rates.append(np.append(0, counts[::-1].cumsum()) / counts.sum())
    return float(trapezoid(rates[1], rates[0]))


def equal_counts(y: Labels, probability: Floats, n_bins: int) -> float:
    """Return the trapezoids between bins of equally many distinct scores.

    The rule of Spark's BinaryClassificationEvaluator, which has 1000 of them by default.
    """
    order = np.argsort(-probability)
    tp, fp = (np.cumsum(y[order] == value) for value in (1, 0))
    ends = np.append(np.flatnonzero(np.diff(probability[order])), len(y) - 1)
    size = max(1, len(ends) // n_bins)
    kept = np.append(ends[size - 1 : -1 : size], ends[-1])
    return float(trapezoid(np.append(0, tp[kept]), np.append(0, fp[kept])) / (tp[-1] * fp[-1]))


def _contender(each: Peer, c: Cases) -> Contender:
    own = {"numpy": NUMPY, "scipy": SCIPY}
    if each.package in own:
        return Contender(each.name, each.make(None, c), software=own[each.package])
    return peer(each.name, each.package, lambda module: each.make(module, c))


def _try(each: Peer, c: Cases) -> Tried:
    contender = _contender(each, c)
    if contender.task is None:
        return Tried(each, contender, np.nan, NOT_INSTALLED)
    try:
        return Tried(each, contender, each.area(contender.task()), "")
    except Exception as problem:
        return Tried(each, contender, np.nan, failure(problem))


def _timed(tried: Sequence[Tried], c: Cases) -> dict[str, list[float]]:
    """Return the seconds of a sort, of our own answers, and of the peers that work, in turns."""
    tasks: dict[str, Task] = {SORT: lambda: np.argsort(c.first)}
    tasks |= {name: partial(ask, c) for name, ask in OURS.items()}
    tasks |= {x.peer.name: x.contender.task for x in tried if x.contender.task and not x.note}
    turns = seconds_in_turns(tasks, repeats=fewer_if_slow)
    return {**turns, OURS_HERE.name: turns["auc"]}


def _in_r(measured: Measured, c: Cases) -> PeerRow:
    found = areas_in_r(c.y, c.first)
    if isinstance(found, str):
        return measured.row(PROC, np.nan, "pROC", found)
    return measured.row_of(PROC, found.area, found.seconds, found.repeats, found.software, "")
