"""Coverage of relative rates and of differences of accuracy, F1, MCC and Youden's index.

Two classifiers are simulated on the same cohort, or on two. Tests of all but accuracy invert these
limits, so that their size is one minus the coverage of a true equality; ``rejected`` is how often
McNemar's mid-p test (Fisher's, of groups) of accuracy rejects at 5%.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from rocstats.estimate import paired_tables as point_tests
from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.estimate import Result
from rocstats.estimate.paired_tables import Calls, tang_limit, tango_limit
from rocstats.estimate.shares import WeightedCases
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import Cells, measure
from rocstats.inference.points import paired_measures as kernels
from rocstats.inference.points.compare import quantities_of_compared_calls
from validation.bounds import too_high, too_low
from validation.coverage.points import DISEASED, FIRST, SECOND, PointCell, draw, setting_of
from validation.simulation import Bound, Simulation, collect, stream, tally

TABLE = Path(__file__).with_name("point_measures.csv")
LEVEL = 0.95
SEED = 20031217
FIRST_SAMPLES = 25
"""Samples of each cell whose result a test finds again."""

QUANTITIES = ("tpr_ratio", "fpr_ratio", "accuracy", "youden", "f1", "mcc")
METHODS = {"paired": QUANTITIES, "groups": QUANTITIES[2:]}
"""Quantities of two tests on one cohort, and on two: Koopman's limits are in ``measures.csv``."""

COHORTS = ((40, 0.5), (100, 0.5), (100, 0.2), (400, 0.5))
"""Cases, and the share of positives."""

RATES = (
    ((0.8, 0.8), (0.8, 0.8)),
    ((0.9, 0.8), (0.7, 0.85)),
    ((0.95, 0.95), (0.95, 0.95)),
    ((0.97, 0.9), (0.97, 0.9)),
)
"""Sensitivities and specificities of both."""

CELLS = tuple(
    PointCell(i, size, prevalence, *rates, agreement)
    for i, ((size, prevalence), rates, agreement) in enumerate(
        product(COHORTS, RATES, (0.0, 0.6, 0.9))
    )
)


def truth(cell: PointCell) -> dict[str, float]:
    """Return the true ratios and differences."""
    one, other = (_values(cell, called) for called in (FIRST, SECOND))
    ratios = {f"{name}_ratio": one[name] / other[name] for name in ("tpr", "fpr")}
    return ratios | {name: one[name] - other[name] for name in QUANTITIES[2:]}


def _values(cell: PointCell, called: Any) -> dict[str, float]:
    parts = [cell.law[d & c].sum() for d in (DISEASED, ~DISEASED) for c in (called, ~called)]
    cells = Cells(*(np.array([part]) for part in parts))
    names = ("tpr", "fpr", *QUANTITIES[2:])
    return {name: float(measure(name, cells)[0]) for name in names}


def run_cell(cell: PointCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of one cell; a sample without both classes is drawn again."""
    rng = stream(seed, cell.position)
    with limits_alone():
        drawn = collect(dict(_answers(cell, rng)) for _ in range(replicates))
    true = truth(cell)
    return [
        {
            **setting_of(cell),
            "quantity": name,
            "method": method,
            "replicates": replicates,
            **_tally(name, found, true[name]),
        }
        for (method, name), found in drawn.items()
    ]


def _answers(
    cell: PointCell, rng: np.random.Generator
) -> Iterator[tuple[tuple[str, str], tuple[float, ...]]]:
    """Yield limits and P value of one sample, by method and quantity."""
    counts, others = draw(cell, rng), draw(cell, rng)
    for method, second in (("paired", counts), ("groups", others)):
        for name, row in _rows(counts, second, method).items():
            yield (method, name), (row.ci_low, row.ci_high, row.p_value)


def _rows(counts: FloatArray, others: FloatArray, method: str) -> dict[str, Result]:
    plan = read_hypothesis("difference", None, "two-sided", 0.0, LEVEL)
    first = Calls(WeightedCases(DISEASED, counts, None), FIRST)
    second = Calls(WeightedCases(DISEASED, others, None), SECOND)
    paired = method == "paired"
    return quantities_of_compared_calls(
        first, second, METHODS[method], "mid-p", "tango", plan, paired=paired
    )


def _tally(name: str, found: FloatArray, true: float) -> dict[str, float]:
    first, known = found[:FIRST_SAMPLES], found[~np.isnan(found[:, :2]).any(axis=1)]
    if len(known) == 0 or np.any(known[:, 0] >= known[:, 1]):
        raise ArithmeticError("an interval has no width, or no sample has one")
    counted = tally(known[:, :2], true)
    del counted["mean_width"]
    equal = abs(true - name.endswith("_ratio")) < 1e-9
    rejected = float(np.mean(found[:, 2] < 0.05)) if name == "accuracy" and equal else np.nan
    return {
        "truth": round(true, 10),
        "defined": len(known) / len(found),
        **counted,
        "median_width": round(float(np.median(known[:, 1] - known[:, 0])), 6),
        "rejected": rejected,
        "first_covered": int(np.sum((first[:, 0] <= true) & (true <= first[:, 1]))),
    }


_TANGO, _TANG = lru_cache(None)(tango_limit), lru_cache(None)(tang_limit)


@contextmanager
def limits_alone() -> Iterator[None]:
    """Leave out what takes long: tests that invert limits, and limits of a table found before.

    Such tests need a root search each, and say nothing that coverage does not. Cohorts share the
    tables of a class, whose limits need a root search too.
    """
    with (
        mock.patch.object(point_tests, "tango_limit", _TANGO),
        mock.patch.object(kernels, "tango_limit", _TANGO),
        mock.patch.object(kernels, "tang_limit", _TANG),
        mock.patch.object(point_tests, "z_where_limit_reaches_null", return_value=0.0),
        mock.patch.object(kernels, "z_where_limit_reaches_null", return_value=0.0),
    ):
        yield


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of relative rates and of differences of measures of two operating points.",
    cells=CELLS,
    rows=run_cell,
    replicates=4000,
    seed=SEED,
    bounds=(
        Bound("coverage", too_low, LEVEL, samples="replicates * defined"),
        Bound("rejected", too_high, 1 - LEVEL),
    ),
    ends=("shortfall", "seed"),
)
