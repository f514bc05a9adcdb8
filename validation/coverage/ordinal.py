"""Coverage and size of concordances of ordered classes and of volumes under the ROC surface."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

from rocstats.estimate.areas import infer_area, read_area_test
from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.ordinal import (
    OrdinalCounts,
    concordance_influence,
    ordinal_concordances,
    ordinal_volumes,
    volume_influence,
)
from rocstats.facts.arrays import Factor, FloatArray, IntArray
from rocstats.inference.classes.ordinal import ordinal_difference
from rocstats.study.ordinal import OrdinalSample
from validation.bounds import too_high, too_low
from validation.simulation import (
    Bound,
    Simulation,
    collect,
    columns_of,
    misses,
    share_error,
    stream,
)

TABLE = Path(__file__).with_name("ordinal.csv")
SEED = 20261129
SHARES = {
    (3, "even"): (1 / 3, 1 / 3, 1 / 3),
    (3, "rare"): (0.6, 0.3, 0.1),
    (5, "even"): (0.2, 0.2, 0.2, 0.2, 0.2),
    (5, "rare"): (0.4, 0.3, 0.15, 0.1, 0.05),
}


@dataclass(frozen=True)
class OrdinalCell:
    """Cases of ordered classes, and two predictors that are equally good.

    Scores of class k are N(k gap, 1); those of both predictors have the correlation 1/2. With
    ``grades`` above 0 they are cut into so many grades of equal width from -1.5 to 1.5 beyond the
    lowest and the highest mean. ``size`` is the number of cases of a cluster, whose members share
    their class and half of the variance of their scores; 1: no clusters.
    """

    position: int
    classes: int
    mix: str
    n: int
    gap: float
    grades: int = 0
    size: int = 1

    @property
    def share(self) -> FloatArray:
        """Probability of each class."""
        return np.array(SHARES[self.classes, self.mix])

    @cached_property
    def cuts(self) -> FloatArray:
        """Cuts between the grades; the finest are so fine that ties are rare."""
        top = (self.classes - 1) * self.gap
        if self.grades:
            return np.linspace(-1.5, top + 1.5, self.grades + 1)[1:-1]
        return np.linspace(-7, top + 7, 20_001)

    def truths(self) -> dict[str, float]:
        """Return the true concordance and the true volume, from the probability of each score."""
        means = self.gap * np.arange(self.classes)[:, np.newaxis]
        below = ndtr(self.cuts - means)
        ends = np.zeros((self.classes, 1))
        table = self.share[:, np.newaxis] * np.diff(below, axis=1, prepend=ends, append=ends + 1)
        counts = OrdinalCounts(table, np.zeros(1, dtype=np.intp), np.zeros(1, dtype=np.intp))
        return {
            "concordance": concordance_influence(counts)[0],
            "vus": volume_influence(counts)[0],
        }

    def draw(self, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
        """Return classes and scores (predictors x cases), two units of a class or more."""
        units = self.n // self.size
        while True:
            of_unit = rng.choice(self.classes, units, p=self.share)
            if np.bincount(of_unit, minlength=self.classes).min() > 1:
                break
        codes = np.repeat(of_unit, self.size)
        parts = rng.standard_normal((3, self.n))
        if self.size > 1:
            shared = np.repeat(rng.standard_normal((3, units)), self.size, axis=1)
            parts = np.sqrt(0.5) * (shared + parts)
        scores = self.gap * codes + np.sqrt(0.5) * (parts[0] + parts[1:])
        if self.grades:
            scores = np.searchsorted(self.cuts, scores).astype(np.float64)
        return codes, scores


SIZES, GAPS = (50, 150, 500), (0.5, 1.5)
SINGLE: list[tuple[Any, ...]] = [
    (classes, mix, n, gap) for (classes, mix), n, gap in product(SHARES, SIZES, GAPS)
]
TIED: list[tuple[Any, ...]] = [
    (classes, "rare", n, gap, 5) for classes, n, gap in product((3, 5), (50, 150), GAPS)
]
CLUSTERED: list[tuple[Any, ...]] = [
    (classes, "rare", n, 0.5, 0, 3) for classes, n in product((3, 5), (150, 450))
]
CELLS = tuple(
    OrdinalCell(position, *cell) for position, cell in enumerate([*SINGLE, *TIED, *CLUSTERED])
)

TEST = read_area_test(0.95, "two-sided", None)
PLAN = read_hypothesis("difference", None, "two-sided", 0.0, 0.95)


def ordinal_answers(cell: OrdinalCell, rng: np.random.Generator) -> dict[Any, tuple[float, ...]]:
    """Return the limits of the first predictor, and limits and p value of the difference.

    They are those of the frames, without the time that frames and checks take.
    """
    codes, scores = cell.draw(rng)
    cluster = None
    if cell.size > 1:
        units = cell.n // cell.size
        cluster = Factor(("",) * units, np.arange(cell.n) // cell.size)
    part = OrdinalSample._of(
        {
            "predictors": ("a", "b"),
            "classes": tuple(map(str, range(cell.classes))),
            "higher_is_positive": (True, True),
            "scores": scores,
            "class_codes": codes,
            "cluster": cluster,
        }
    )
    areas, volumes = ordinal_concordances(part), ordinal_volumes(part)
    assert areas is not None
    assert volumes is not None
    found: dict[Any, tuple[float, ...]] = {}
    for name, of in (("concordance", areas), ("vus", volumes)):
        value = infer_area(of.of(0), "logit-t", TEST)
        found[name, "value"] = value.ci_low, value.ci_high, np.nan
    gap = ordinal_difference(areas, 0, 1, PLAN, "influence")
    found["concordance", "difference"] = gap.ci_low, gap.ci_high, gap.p_value
    return found


def run_ordinal_cell(cell: OrdinalCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each value and one for the difference of the concordances."""
    rng, truths = stream(seed, cell.position), cell.truths()
    drawn = collect(ordinal_answers(cell, rng) for _ in range(replicates))
    rows = []
    for (name, row), answers in drawn.items():
        low, high, p = answers[~np.isnan(answers[:, 0])].T
        truth = truths[name] if row == "value" else 0.0
        covered = misses(low, high, truth)
        rows.append(
            {
                **columns_of(cell, "classes mix n gap grades size"),
                "quantity": name,
                "row": row,
                "truth": round(truth, 6),
                "samples": len(low),
                **{key: round(float(value), 6) for key, value in covered.items()},
                "error": share_error(float(covered["coverage"]), len(low)),
                "width": round(float(np.mean(high - low)), 6),
                "rejected": round(float(np.mean(p < 0.05)), 6) if row == "difference" else np.nan,
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size for three and five ordered classes, one of them rare in some cells.",
    cells=CELLS,
    rows=run_ordinal_cell,
    replicates=500,
    seed=SEED,
    bounds=(
        Bound("coverage", too_low, 0.95, samples="samples"),
        Bound("rejected", too_high, 0.05, samples="samples"),
    ),
    ends=("shortfall",),
)
read_ordinal = SIMULATION.read
