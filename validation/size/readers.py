"""Size of tests of reader studies, and coverage of averages.

Ratings are drawn from the model of Roe and Metz with equal areas, or with a difference at the
margin. Each study is answered by the engines that the questions of ``ReaderStudy`` ask.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats
from scipy.special import ndtr

from rocstats.estimate.intervals import Area
from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import (
    ReaderBoundaryLimits,
    ReaderEstimate,
    ReaderInterval,
    reader_average_result,
    reader_difference,
)
from rocstats.inference.planning.simulated_studies import (
    Nested,
    ReadingPlan,
    RoeMetz,
    Structure,
    draw_simulated_reads,
    ratings_in_levels,
    roe_metz_of_areas,
)
from rocstats.inference.readers.endpoints import called_reads
from rocstats.inference.readers.engines import Engine, beside_machine, reader_engine
from rocstats.inference.readers.plan import ReaderPlan
from rocstats.study.cases import Reads
from validation.bounds import too_high, too_low
from validation.simulation import Bound, Simulation, batches, over, share_error, stream, under

TABLE = Path(__file__).with_name("readers.csv")
SEED = 19970401
LEVEL = 0.95
LIMITS: dict[str, ReaderInterval] = {"logit": "logit-t", "wald": "wald"}
# Published before the run: a size of .05 lies between .03 and .075 at 2000 studies.
SIZE_BOUNDS = (0.6, 1.5)
_BATCH = 250
FIRST = 20
"""Studies of a cell that a test draws again: their mean standard error is ``first_se``."""
Floats = npt.NDArray[np.float64]

_TABLES = ("jackknife", "delong", "unbiased", "bootstrap")
METHODS: dict[str, ReaderPlan] = {
    **{
        f"obuchowski-rockette-{word}": ReaderPlan(
            "obuchowski-rockette",
            word,  # type: ignore[arg-type]
            "random",
            "random",
        )
        for word in _TABLES
    },
    "u-statistic": ReaderPlan("u-statistic", "jackknife", "random", "random"),
    "u-statistic-centred": ReaderPlan("u-statistic-centred", "jackknife", "random", "random"),
}
"""Analyses that generalise to other readers and other cases."""

NARROWER: dict[str, ReaderPlan] = {
    "readers fixed": ReaderPlan("obuchowski-rockette", "jackknife", "fixed", "random"),
    "paired t over readers": ReaderPlan("obuchowski-rockette", "jackknife", "random", "fixed"),
}
"""Analyses for these readers, or for these cases alone, asked about others."""

POOLED = "pooled ratings"
"""DeLong's test of the ratings of all readers, as if each read were a case of its own."""


class ReaderCell(NamedTuple):
    """A design, a structure of Roe and Metz, numbers of readers and cases, and true areas.

    ``quantity`` "tpr" calls ratings from midway between the classes on; ``levels`` cuts ratings
    into ordered levels; ``machine`` is 1 where readers of one modality are compared with a machine.
    """

    design: str
    structure: Structure
    n_readers: int
    n_pos: int
    n_neg: int
    n_groups: int = 1
    missing: float = 0.0
    auc: float = 0.855
    auc_reference: float = 0.855
    quantity: str = "auc"
    levels: int = 0
    machine: int = 0

    @property
    def null(self) -> float:
        """True difference, which is the null value."""
        return round(self.auc - self.auc_reference, 10)

    @property
    def alpha(self) -> float:
        """Level of the test: one-sided at a margin."""
        return round((1 - LEVEL) / (2 if self.null else 1), 10)

    @property
    def model(self) -> RoeMetz:
        """Means and variances of the ratings; a machine, modality 1, shares the cases alone."""
        model = roe_metz_of_areas(self.structure, np.array([self.auc, self.auc_reference]))
        if not self.machine:
            return model
        shared = model.shared_pos * np.array([0.0, 1.0, 0.0])
        own = model.own_pos + (model.shared_pos - shared)
        own[1, 0] = 0.0
        alone = RoeMetz(model.separation, shared, shared, own, own)
        return alone.with_areas(np.array([self.auc, self.auc_reference]))

    @property
    def plan(self) -> ReadingPlan:
        """Who reads what."""
        of = {"readers nested in modalities": "readers", "cases nested in modalities": "cases"}
        nested: Nested | None = of.get(self.design)  # type: ignore[assignment]
        sizes = self.n_readers, self.n_pos, self.n_neg
        return ReadingPlan(*sizes, self.n_groups, nested, self.missing)

    @property
    def methods(self) -> list[str]:
        """The analyses of the design."""
        plain = self.quantity == "auc" and not (self.machine or self.null or self.levels)
        narrower = (*NARROWER, POOLED) if plain and self.design == "fully crossed" else ()
        # Where reads are spread evenly centring changes nothing: one design shows it.
        uneven = self.design in ("missing reads", "partially paired")
        centred = uneven or (self.design, self.structure, self.n_groups) == ("split plot", "HL", 3)
        methods = [name for name in METHODS if centred or name != "u-statistic-centred"]
        return [*methods, *narrower]


_AREAS = {"auc": 0.96, "auc_reference": 0.96}
CELLS = (
    ReaderCell("fully crossed", "HL", 5, 50, 50),
    ReaderCell("fully crossed", "LL", 5, 50, 50),
    ReaderCell("fully crossed", "HH", 5, 50, 50),
    ReaderCell("fully crossed", "LH", 5, 50, 50),
    ReaderCell("fully crossed", "LH", 3, 25, 25),
    ReaderCell("fully crossed", "HL", 8, 25, 75),
    ReaderCell("fully crossed", "HL", 5, 50, 50, **_AREAS),  # type: ignore[arg-type]
    ReaderCell("fully crossed", "LH", 3, 25, 25, **_AREAS),  # type: ignore[arg-type]
    ReaderCell("fully crossed", "HL", 5, 50, 50, levels=5),
    ReaderCell("fully crossed", "HL", 5, 50, 50, auc=0.855, auc_reference=0.905),
    ReaderCell("fully crossed", "HL", 5, 50, 50, quantity="tpr"),
    ReaderCell("fully crossed", "LH", 5, 50, 50, quantity="tpr"),
    ReaderCell("split plot", "HL", 6, 60, 60, n_groups=2),
    ReaderCell("split plot", "LH", 6, 60, 60, n_groups=2),
    ReaderCell("split plot", "HL", 6, 60, 60, n_groups=3),
    ReaderCell("split plot", "LH", 6, 60, 60, n_groups=3),
    ReaderCell("missing reads", "HL", 5, 50, 50, missing=0.2),
    ReaderCell("missing reads", "LH", 5, 50, 50, missing=0.2),
    ReaderCell("partially paired", "HL", 5, 50, 50),
    ReaderCell("partially paired", "LH", 5, 50, 50),
    ReaderCell("readers nested in modalities", "HL", 10, 50, 50),
    ReaderCell("readers nested in modalities", "LH", 10, 50, 50),
    ReaderCell("cases nested in readers", "HL", 5, 100, 100, n_groups=5),
    ReaderCell("cases nested in readers", "LH", 5, 100, 100, n_groups=5),
    ReaderCell("cases nested in modalities", "HL", 5, 100, 100),
    ReaderCell("cases nested in modalities", "LH", 5, 100, 100),
    ReaderCell("machine, fully crossed", "HL", 5, 50, 50, machine=1),
    ReaderCell("machine, fully crossed", "LH", 5, 50, 50, machine=1),
    ReaderCell("machine, split plot", "HL", 8, 40, 40, n_groups=2, machine=1),
    ReaderCell("machine, split plot", "LH", 8, 40, 40, n_groups=2, machine=1),
)


class Simulated(NamedTuple):
    """A cell with its model, the threshold midway between the classes, and the true average."""

    cell: ReaderCell
    model: RoeMetz
    threshold: float
    truth: float

    @classmethod
    def of(cls, cell: ReaderCell) -> Simulated:
        """Return what does not change between the studies of a cell."""
        model = cell.model
        threshold = float(model.separation.mean()) / 2
        truth = cell.auc
        if cell.quantity == "tpr":
            spread = model.shared_pos.sum() + model.own_pos[0].sum()
            truth = float(ndtr((model.separation[0] - threshold) / np.sqrt(spread)))
        # Levels have another area than the ratings they are made of.
        return cls(cell, model, threshold, float("nan") if cell.levels else truth)

    def draw(self, rng: np.random.Generator) -> Reads:
        """Return the ratings of one study; modality 1 is the machine's, with all cases."""
        cell, plan = self.cell, self.cell.plan
        if not cell.machine:
            reads = draw_simulated_reads(self.model, plan, rng)
            if cell.design == "partially paired":
                reads = partially_paired(reads)
            return ratings_in_levels(reads, self.model, cell.levels) if cell.levels else reads
        reads = draw_simulated_reads(self.model, plan._replace(n_groups=1), rng)
        for ratings in (reads.pos, reads.neg):
            ratings[0][~plan.planned(1, ratings.shape[2])[0]] = np.nan
        return reads

    def engine(self, reads: Reads, plan: ReaderPlan) -> Engine:
        """Return what answers for one study."""
        if self.cell.quantity == "tpr":
            at = np.full(len(reads.pos), self.threshold)
            return reader_engine(called_reads(reads, at, "tpr"), plan._replace(is_rate=True))
        return reader_engine(reads, plan)

    def difference(self, engine: Engine) -> ReaderEstimate:
        """Return modality 0 minus modality 1, or the readers minus the machine."""
        if not self.cell.machine:
            return engine.difference(0, 1)
        pos, neg = (side[1, 0] for side in (engine.reads.pos, engine.reads.neg))
        return engine.minus_machine(beside_machine(engine.reads, 0, pos, neg), None)

    def covered(self, average: ReaderEstimate, reads: Reads) -> list[bool]:
        """Return which of ``LIMITS`` hold the true average of modality 0."""
        # Cases that nobody read under the modality are not cases of its average.
        m, n = (
            float(np.count_nonzero((~np.isnan(side[0])).any(axis=0)))
            for side in (reads.pos, reads.neg)
        )
        rate = self.cell.quantity == "tpr"
        area = Area(*average[:3], m, n, m if rate else min(m, n))
        boundary = ReaderBoundaryLimits(rate)
        found = [reader_average_result(area, boundary, word, LEVEL, "") for word in LIMITS.values()]
        return [result.ci_low <= self.truth <= result.ci_high for result in found]


def partially_paired(reads: Reads) -> Reads:
    """Return the reads without every third case of each modality, another one for each."""
    for side in (reads.pos, reads.neg):
        side[0, :, 0::3] = side[1, :, 1::3] = np.nan
    return reads


class Answers(NamedTuple):
    """The answers of one method to the studies of a batch, an entry a study."""

    value: list[float]
    variance: list[float]
    df: list[float]
    replaced: list[bool]
    covered: list[list[bool]]


def pooled(reads: Reads) -> ReaderEstimate:
    """Return the difference of the areas of all reads, each taken for a case of its own."""
    shape = len(reads.pos), 1, -1
    merged = Reads(reads.pos.reshape(shape), reads.neg.reshape(shape))
    return reader_difference(reader_table(merged, "delong"), 0, 1, 0)


def run_batch(cell: ReaderCell, seed: int, batch: int, studies: int) -> dict[str, Answers]:
    """Return the answers to some studies; their random numbers hang on seed, cell and batch."""
    rng = stream(seed, CELLS.index(cell), batch)
    simulated = Simulated.of(cell)
    answers = {name: Answers([], [], [], [], []) for name in cell.methods}
    for _ in range(studies):
        reads = simulated.draw(rng)
        for name, kept in answers.items():
            _answer(simulated, reads, name, kept)
    return answers


def _answer(simulated: Simulated, reads: Reads, name: str, kept: Answers) -> None:
    """Add the answer of a method to one study."""
    if name == POOLED:
        found = pooled(reads)
    else:
        engine = simulated.engine(reads, {**METHODS, **NARROWER}[name])
        found = simulated.difference(engine)
        if name in METHODS:
            kept.covered.append(simulated.covered(engine.average(0), reads))
    kept.value.append(found.value)
    kept.variance.append(found.variance)
    kept.df.append(found.df)
    kept.replaced.append("bootstrap-variance" in found.codes)


def run_cell(cell: ReaderCell, replicates: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return a row a method."""
    found = [run_batch(cell, seed, i, size) for i, size in enumerate(batches(replicates, _BATCH))]
    return [_row(cell, name, [batch[name] for batch in found]) for name in cell.methods]


def _row(cell: ReaderCell, name: str, parts: list[Answers]) -> dict[str, Any]:
    value, variance, df, replaced = (
        np.concatenate([np.asarray(batch[k], dtype=float) for batch in parts]) for k in range(4)
    )
    covered = np.array([row for batch in parts for row in batch.covered])
    with np.errstate(invalid="ignore", divide="ignore"):
        t = (value - cell.null) / np.sqrt(variance)
    # A comparison with NaN is false: a study without a variance rejects nothing.
    rejected = stats.t.sf(t if cell.null else np.abs(t), df) < (1 - LEVEL) / 2
    size, n = float(np.mean(rejected)), len(value)
    shares = covered.mean(axis=0) if len(covered) and cell.levels == 0 else (np.nan, np.nan)
    return {
        **cell._asdict(),
        "method": name,
        "studies": n,
        "alpha": cell.alpha,
        "size": size,
        "size_se": share_error(size, n),
        **{f"coverage_{k}": float(share) for k, share in zip(LIMITS, shares, strict=True)},
        "mean_se": round(float(np.sqrt(np.nanmean(variance))), 6),
        "first_se": float(f"{np.sqrt(np.nanmean(variance[:FIRST])):.10g}"),
        "sd": round(float(np.std(value, ddof=1)), 6),
        "median_df": round(float(np.nanmedian(df)), 4),
        "undefined": int(np.count_nonzero(~(variance > 0))),
        "replaced": int(replaced.sum()),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Size of tests of reader studies, and coverage of the limits of averages.",
    cells=CELLS,
    rows=run_cell,
    replicates=2000,
    seed=SEED,
    bounds=(
        Bound("size / alpha", under, SIZE_BOUNDS[0], samples=None),
        Bound("size / alpha", over, SIZE_BOUNDS[1], samples=None),
        Bound("size", too_high, "alpha", samples="studies"),
        Bound("coverage_logit", too_low, LEVEL, samples="studies"),
    ),
    ends=("seed", "shortfall"),
)
