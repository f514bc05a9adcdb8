"""Coverage of the intervals of a chosen cutpoint.

Limits are held against both things that they could be about: the cutpoint that was chosen in the
sample, which has true rates of its own, and the optimal one of the population. ``cutpoint_sizes``
has small classes and classes of unequal sizes, with the threshold at the midpoint and at the
observed score; ``cutpoint_values`` the predictive values of the chosen cutpoint.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from rocstats.curves.criteria import THRESHOLDS_AT, ThresholdAt
from rocstats.errors import StatisticalWarning
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.estimate.quantiles import order_rank
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import cells_at, measure
from rocstats.inference.cutpoints.cutpoints import cutpoints
from rocstats.inference.cutpoints.draws import cutpoint_draws
from rocstats.inference.cutpoints.smooth import normal_cutpoint
from rocstats.study.sample import Sample
from validation.bounds import too_low
from validation.coverage.simulate import LEVEL
from validation.simulation import Bound, Simulation, columns_of, stream, tally

TABLE = Path(__file__).with_name("cutpoints.csv")
SEED = 20070412
N_RESAMPLES = 1000
# Kernel limits take four times as long as others: they are found for the first data sets of a cell.
N_KERNEL = 700
# A test runs these again in a second and finds the same numbers.
N_FIRST = 8
Z = 1.959963984540054
Law = Literal["normal", "normal-sd-2", "log-normal", "clusters"]
_CLUSTER = 5
_CORRELATION = 0.5


@dataclass(frozen=True)
class CutCell:
    """One simulated study: negatives N(0, 1), positives N(shift, sd^2), sd 1 or 2.

    There are ``size`` positives and as many negatives, or ``others``. ``log-normal`` has the
    exponentials of such scores; in ``clusters`` five positives and five negatives share half of the
    variance of their scores. Predictive values are at ``prevalence``, which moves their logits and
    the limits of these by one number, so that their coverage is the same at any.
    """

    position: int
    law: Law
    size: int
    shift: float
    others: int | None = None
    prevalence: float = 0.1

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return self.size if self.others is None else self.others

    @property
    def sd(self) -> float:
        """Standard deviation of the positives."""
        return 2.0 if self.law == "normal-sd-2" else 1.0

    @property
    def is_positive(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The classes, the positives first."""
        return np.arange(self.size + self.n_neg) < self.size

    @property
    def cluster(self) -> FloatArray | None:
        """The cluster of each case."""
        if self.law != "clusters":
            return None
        return np.asarray(np.arange(2 * self.size) % self.size // _CLUSTER, dtype=np.float64)

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the scores of one study."""
        noise = rng.standard_normal(self.size + self.n_neg)
        if self.cluster is not None:
            shared = rng.standard_normal(self.size // _CLUSTER)[self.cluster.astype(np.intp)]
            noise = np.sqrt(_CORRELATION) * shared + np.sqrt(1 - _CORRELATION) * noise
        scores = np.where(self.is_positive, self.shift + self.sd * noise, noise)
        return np.asarray(np.exp(scores) if self.law == "log-normal" else scores)

    @property
    def optimal(self) -> float:
        """The best threshold of the population."""
        cut = normal_cutpoint((0.0, 1.0, self.shift, self.sd**2))
        return float(np.exp(cut)) if self.law == "log-normal" else cut

    def measures(self, threshold: FloatArray) -> dict[str, FloatArray]:
        """Return the true measures at thresholds."""
        with np.errstate(divide="ignore"):
            cut = np.log(threshold) if self.law == "log-normal" else threshold
        tpr, tnr = ndtr((self.shift - cut) / self.sd), ndtr(cut)
        shares = cells_at(tpr, 1 - tnr, self.prevalence)
        values = {name: measure(name, shares) for name in ("ppv", "npv")}
        return {"threshold": threshold, "tpr": tpr, "tnr": tnr, "youden": tpr + tnr - 1, **values}


DESIGNS: tuple[tuple[Law, int, float], ...] = (
    ("normal", 50, 1.0),
    ("normal", 200, 1.0),
    ("normal", 50, 2.0),
    ("normal", 200, 2.0),
    ("normal-sd-2", 50, 1.0),
    ("normal-sd-2", 200, 1.0),
    ("log-normal", 50, 1.0),
    ("log-normal", 200, 1.0),
    ("clusters", 200, 1.0),
)
CELLS = tuple(CutCell(i, *design) for i, design in enumerate(DESIGNS))

SPREADS: tuple[tuple[Law, float], ...] = (("normal", 1.0), ("normal-sd-2", 2.0))
SIZES = ((20, 20), (50, 50), (20, 100), (200, 50))
AREAS = (0.8, 0.9)
SIZE_CELLS = tuple(
    CutCell(i, law, n_pos, float(ndtri(area) * np.hypot(1, sd)), n_neg)
    for i, ((law, sd), area, (n_pos, n_neg)) in enumerate(
        product(SPREADS, AREAS, SIZES), start=len(CELLS)
    )
)
"""Small classes and classes of unequal sizes, with areas of 0.8 and 0.9."""

VALUE_CELLS = (*CELLS, *SIZE_CELLS)

Limits = dict[tuple[str, str, str], tuple[float, float, float]]
"""Quantity, target and method: the centre, and both limits."""


def limits_of(cell: CutCell, scores: FloatArray, number: int) -> tuple[float, Limits]:
    """Return the chosen threshold, and every interval of one data set; its number is the seed."""
    sample = Sample(cell.is_positive, scores, cluster=cell.cluster)
    asked: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": number}
    found: Limits = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StatisticalWarning)
        frame = cutpoints(sample, **asked)
        _keep(found, frame)
        if cell.cluster is None:
            _keep(found, cutpoints(sample, method="normal-theory"))
        if number < N_KERNEL:
            _keep(found, cutpoints(sample, method="kernel", **asked))
        draws = cutpoint_draws(sample, **asked)
    frame = frame.set_index("quantity")
    _keep_usual(found, frame, draws)
    return float(frame["threshold"].iloc[0]), found


def limits_at(
    threshold_at: ThresholdAt, cell: CutCell, scores: FloatArray, number: int
) -> tuple[float, Limits]:
    """Return the chosen threshold and the intervals of ``cutpoints`` of one data set."""
    found: Limits = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StatisticalWarning)
        frame = cutpoints(
            Sample(cell.is_positive, scores),
            threshold_at=threshold_at,
            n_resamples=N_RESAMPLES,
            rng=number,
        )
    # Where the resamples agree the limits are found in another way: these are no cell of their own.
    frame["method"] = frame["method"].str.replace("neighbours", "percentile")
    _keep(found, frame)
    return float(frame["threshold"].iloc[0]), found


def value_limits(cell: CutCell, scores: FloatArray, number: int) -> tuple[float, Limits]:
    """Return the chosen threshold and the intervals of its predictive values in one data set."""
    sample = Sample(cell.is_positive, scores, cluster=cell.cluster)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StatisticalWarning)
        frame = cutpoints(sample, prevalence=cell.prevalence, n_resamples=N_RESAMPLES, rng=number)
    values = frame[frame["quantity"].isin(["ppv", "npv"])]
    found: Limits = {}
    # A cutpoint that calls nobody positive has no predictive values: they count as not given.
    _keep(found, values.assign(method=values["method"].replace("none/none", _of_values(cell))))
    return float(frame["threshold"].iloc[0]), found


def _of_values(cell: CutCell) -> str:
    return f"{'binomial' if cell.cluster is None else 'clusters'}/mercaldo-corrected"


def _percentiles(values: FloatArray) -> tuple[float, float]:
    """Return the order statistics that are percentile limits."""
    ordered = np.sort(values)
    rank = order_rank((1 - LEVEL) / 2, len(ordered))
    return float(ordered[rank - 1]), float(ordered[-rank])


def _keep(found: Limits, frame: pd.DataFrame) -> None:
    names = ["quantity", "target", "method", "estimate", "ci_low", "ci_high"]
    rows = frame[names].itertuples(index=False, name=None)
    for quantity, target, method, centre, low, high in rows:
        found[quantity, target, method] = (centre, low, high)


def _keep_usual(found: Limits, frame: pd.DataFrame, draws: pd.DataFrame) -> None:
    """Keep what other software prints, each against both targets."""
    low_index, high_index = _percentiles((draws["tpr"] - draws["fpr"]).to_numpy())
    apparent, corrected = (float(frame[name]["youden"]) for name in ("apparent", "estimate"))
    rates = frame.loc[["tpr", "tnr"], "apparent"].to_numpy()
    sizes = frame.loc[["tpr", "tnr"], ["n_pos", "n_neg"]].to_numpy().diagonal()
    reach = Z * float(np.sqrt(np.sum(rates * (1 - rates) / sizes)))
    low, high = binomial_limits_of_rates(rates, sizes, "clopper-pearson", LEVEL)
    for target in ("chosen", "optimal"):
        found["youden", target, "percentile"] = (apparent, low_index, high_index)
        found["youden", target, "wald"] = (apparent, apparent - reach, apparent + reach)
        found["youden", target, "wald-corrected"] = (
            corrected,
            corrected - reach,
            corrected + reach,
        )
        for i, name in enumerate(("tpr", "tnr")):
            found[name, target, "clopper-pearson"] = (rates[i], low[i], high[i])


def run_cell(
    cell: CutCell,
    replicates: int,
    seed: int,
    limits: Callable[[CutCell, FloatArray, int], tuple[float, Limits]] = limits_of,
) -> list[dict[str, Any]]:
    """Return a row per interval and target; random numbers depend on the cell and the seed only.

    ``bias`` is the mean of the centre less the truth. Limits of no fit count as missing the truth.
    """
    rng = stream(seed, cell.position)
    drawn = [limits(cell, cell.draw(rng), number) for number in range(replicates)]
    chosen = cell.measures(np.array([threshold for threshold, _ in drawn]))
    optimal = cell.measures(np.full(replicates, cell.optimal))
    rows = []
    for key in dict.fromkeys(key for _, found in drawn for key in found):
        quantity, target, method = key
        # The first data sets of a cell, or all of them.
        centre, low, high = np.array([found[key] for _, found in drawn if key in found]).T
        given = ~np.isnan(low)
        truth_of = (chosen if target == "chosen" else optimal)[quantity][: len(given)]
        truth = truth_of[given]
        rows.append(
            {
                **columns_of(cell, "law size shift"),
                "quantity": quantity,
                "target": target,
                "method": method,
                "replicates": len(given),
                "share_given": float(given.mean()),
                "bias": round(float(np.mean(centre[given] - truth)), 6),
                **tally(np.column_stack([low, high])[given], truth),
                **_of_first(low, high, truth_of),
            }
        )
    return rows


def _of_first(low: FloatArray, high: FloatArray, truth: FloatArray) -> dict[str, float]:
    """Return how many of the first data sets are covered, and the mean width of their limits."""
    low, high, truth = low[:N_FIRST], high[:N_FIRST], truth[:N_FIRST]
    return {
        "first_covered": int(np.count_nonzero((low <= truth) & (truth <= high))),
        "first_width": round(float(np.mean(high - low)), 6),
    }


def size_rows(cell: CutCell, replicates: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of small and unequal classes, both ways to report the threshold."""
    for at in THRESHOLDS_AT:
        for row in run_cell(cell, replicates, seed, partial(limits_at, at)):
            del row["first_covered"], row["first_width"]
            yield _by_sizes(cell, row, threshold_at=at)


def value_rows(cell: CutCell, replicates: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of predictive values of the chosen cutpoint."""
    for row in run_cell(cell, replicates, seed, value_limits):
        yield _by_sizes(cell, row, prevalence=cell.prevalence)


def _by_sizes(cell: CutCell, row: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a row with the size of each class."""
    sizes = {"law": cell.law, "n_pos": cell.size, "n_neg": cell.n_neg}
    rest = {name: value for name, value in row.items() if name not in ("law", "size", "shift")}
    return {**sizes, "shift": round(cell.shift, 12), **more, **rest}


def _simulation(name: str, shows: str, cells: Any, rows: Any, replicates: int) -> Simulation:
    return Simulation(
        table=TABLE.with_name(f"{name}.csv"),
        shows=shows,
        cells=cells,
        rows=rows,
        replicates=replicates,
        seed=SEED,
        bounds=(Bound("coverage", too_low, LEVEL),),
        ends=("seed", "shortfall"),
    )


SIMULATION = _simulation(
    "cutpoints", "Coverage of the intervals of a chosen cutpoint.", CELLS, run_cell, 1500
)
OF_SIZES = _simulation(
    "cutpoint_sizes",
    "Coverage at a chosen cutpoint in small and unequal classes.",
    SIZE_CELLS,
    size_rows,
    1000,
)
OF_VALUES = _simulation(
    "cutpoint_values", "Coverage of predictive values of a chosen cutpoint.", VALUE_CELLS,
    value_rows, 1000,
)  # fmt: skip
read_cutpoints = SIMULATION.read
read_sizes = OF_SIZES.read
read_values = OF_VALUES.read
