"""A simulation as a record: its cells, what gives the rows of a cell, its bounds, its table.

``python -m validation.coverage NAME`` makes the table ``NAME.csv`` of that folder again;
``--cell 3`` prints the rows of one cell. Folders ``size``, ``power`` and ``roe_metz`` do the same.
"""

from __future__ import annotations

import argparse
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from validation.bounds import below_margin

Row = dict[str, Any]


# --- Bounds ---------------------------------------------------------------------------------------


def under(share: Any, bound: Any, _samples: Any) -> Any:
    """Return whether shares are under a bound, without allowance for error."""
    return share < bound


def over(share: Any, bound: Any, _samples: Any) -> Any:
    """Return whether shares are over a bound, without allowance for error."""
    return share > bound


def under_margin(share: Any, level: Any, _samples: Any) -> Any:
    """Return whether shares are under a level less the margin of ``validation.bounds``."""
    return below_margin(share, level)


class Bound(NamedTuple):
    """A bound of one column, set before the run, and the column that marks rows beyond it.

    ``rule`` is one of this file, or ``too_low`` or ``too_high`` of ``validation.bounds``. What it
    takes are columns, expressions of columns or numbers: the shares of ``column``, their ``level``
    and the number of ``samples``. ``where`` selects the rows that have the bound.
    """

    column: str
    rule: Callable[[Any, Any, Any], Any]
    level: float | str
    samples: str | None = "replicates"
    where: str = ""
    mark: str = "shortfall"

    def beyond(self, table: pd.DataFrame) -> npt.NDArray[np.bool_]:
        """Return which rows are beyond the bound; none where the column has no value."""
        share, level, samples = (
            _values(table, asked) for asked in (self.column, self.level, self.samples)
        )
        found = np.asarray(self.rule(share, level, samples), dtype=bool)
        return found & np.asarray(table.eval(self.where)) if self.where else found


def _values(table: pd.DataFrame, asked: float | str | None) -> Any:
    """Return a column, an expression of columns, or the number itself."""
    if not isinstance(asked, str):
        return asked
    return table[asked] if asked in table else table.eval(asked)


# --- Simulations ----------------------------------------------------------------------------------


class Variant(NamedTuple):
    """A cell, with further arguments of the function that gives its rows."""

    cell: Any
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Simulation:
    """A committed table, and what makes it again.

    table
        The committed file; its name without ``.csv`` is that of the command line.
    shows
        What the table shows, in one sentence.
    cells
        The settings, or their positions, in the order of the table.
    rows
        Gives the rows of a cell, or its only row, by ``replicates`` and ``seed``. Random numbers
        depend on the cell and the seed alone.
    replicates
        Samples of a cell in the committed table: a number, or a function of the cell. None of an
        exact table, whose ``rows`` take the cell alone.
    seed
        The seed of the committed table; None of an exact one.
    bounds
        Set before the run; a row beyond one of them is marked.
    ends
        The last columns of the table in their order. Marks of bounds, and ``seed`` where it is
        named here, are added to the rows.
    digits
        Decimals of all numbers of the table; None where ``rows`` rounds its columns.
    words
        Whether a mark is the word "shortfall" or nothing, instead of True or False.
    """

    table: Path
    shows: str
    cells: Sequence[Any]
    rows: Callable[..., Row | Iterable[Row]]
    replicates: int | Callable[[Any], int] | None = None
    seed: int | None = None
    bounds: tuple[Bound, ...] = ()
    ends: tuple[str, ...] = ()
    digits: int | None = None
    words: bool = False

    @property
    def name(self) -> str:
        """Name on the command line."""
        return self.table.stem

    def read(self) -> pd.DataFrame:
        """Return the committed table."""
        return pd.read_csv(self.table)

    def run(
        self,
        cells: Sequence[Any] | None = None,
        *,
        replicates: int | None = None,
        seed: int | None = None,
        jobs: int = 1,
    ) -> pd.DataFrame:
        """Return the table of all cells, or of some, with its marks."""
        chosen = self.cells if cells is None else cells
        seed = self.seed if seed is None else seed
        sizes = [self.size_of(cell, replicates) for cell in chosen]
        if jobs == 1:
            found = list(map(partial(_rows_of, self.rows, seed), chosen, sizes))
        else:
            with ProcessPoolExecutor(jobs) as pool:
                found = list(pool.map(partial(_rows_of, self.rows, seed), chosen, sizes))
        table = pd.DataFrame([row for of_cell in found for row in of_cell])
        if "seed" in self.ends:
            table["seed"] = seed
        for name, marks in self.marks_of(table).items():
            table[name] = np.where(marks, "shortfall", "") if self.words else marks
        table = table[[*(c for c in table if c not in self.ends), *self.ends]]
        return table if self.digits is None else table.round(self.digits)

    def size_of(self, cell: Any, asked: int | None) -> int | None:
        """Return the number of replicates of a cell: the one asked for, or the committed one."""
        if asked is not None and self.replicates is not None:
            return asked
        return self.replicates(cell) if callable(self.replicates) else self.replicates

    def marks_of(self, table: pd.DataFrame) -> dict[str, npt.NDArray[np.bool_]]:
        """Return which rows of a table are beyond a bound, by the column that marks them."""
        return {
            name: np.logical_or.reduce([b.beyond(table) for b in self.bounds if b.mark == name])
            for name in dict.fromkeys(bound.mark for bound in self.bounds)
        }


def _rows_of(
    rows: Callable[..., Row | Iterable[Row]], seed: int | None, cell: Any, replicates: int | None
) -> list[Row]:
    cell, more = cell if isinstance(cell, Variant) else (cell, {})
    drawn = {} if replicates is None else {"replicates": replicates, "seed": seed}
    found = rows(cell, **drawn, **more)
    return [found] if isinstance(found, dict) else list(found)


def shortfalls(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table that it marks."""
    marks = [name for name in table if str(name).endswith("shortfall")]
    unmarked = table[marks].fillna("").isin([False, ""]).all(axis=1)
    return table[~unmarked]


# --- What simulations have in common --------------------------------------------------------------


def stream(seed: int, *key: int) -> np.random.Generator:
    """Return the random numbers of a seed and the key of a cell, or of a cell and a sample."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def batches(replicates: int, size: int) -> list[int]:
    """Return the sizes of batches of at most ``size`` samples."""
    return [min(size, replicates - start) for start in range(0, replicates, size)]


def collect(samples: Iterable[Mapping[Any, Any]]) -> dict[Any, npt.NDArray[Any]]:
    """Return by key what samples gave: an array over the samples that have the key."""
    found: dict[Any, list[Any]] = {}
    for sample in samples:
        for key, value in sample.items():
            found.setdefault(key, []).append(value)
    return {key: np.array(values) for key, values in found.items()}


def columns_of(cell: Any, names: str) -> Row:
    """Return some attributes of a cell, which are columns of its rows."""
    return {name: getattr(cell, name) for name in names.split()}


def share_error(share: float, samples: float) -> float:
    """Return the Monte-Carlo standard error of a share, with six decimals."""
    return round(float(np.sqrt(share * (1 - share) / samples)), 6)


def misses(low: Any, high: Any, truth: Any) -> Row:
    """Return the coverage of limits, and the shares of limits above and below the truth."""
    above, below = np.mean(low > truth), np.mean(high < truth)
    return {"coverage": 1 - above - below, "above": above, "below": below}


def tally(limits: npt.NDArray[np.float64], truth: Any) -> dict[str, float]:
    """Return what limits (samples x 2) cover of one truth, or of one a sample.

    Coverage has its Monte-Carlo standard error; ``miss_low`` is the share of samples whose truth is
    below the lower limit, ``miss_high`` of those above the upper one.
    """
    low, high = limits.T
    coverage = float(np.mean((low <= truth) & (truth <= high)))
    return {
        "coverage": coverage,
        "se": share_error(coverage, len(limits)),
        "miss_low": float(np.mean(truth < low)),
        "miss_high": float(np.mean(truth > high)),
        "mean_width": round(float(np.mean(high - low)), 6),
    }


# --- The command line -----------------------------------------------------------------------------


def simulations_in(package: str) -> dict[str, Simulation]:
    """Return the simulations of the modules of a package by name."""
    names = [module.name for module in pkgutil.iter_modules(import_module(package).__path__)]
    modules = [import_module(f"{package}.{name}") for name in names if name != "__main__"]
    values = (value for module in modules for value in vars(module).values())
    return {one.name: one for one in values if isinstance(one, Simulation)}


def main(package: str, arguments: Sequence[str] | None = None) -> None:
    """Make the table of a simulation again, or print the rows of some of its cells.

    Other cells, numbers of samples and seeds than the committed ones never replace the table.
    """
    found = simulations_in(package)
    listed = "\n".join(f"  {name}: {one.shows}" for name, one in sorted(found.items()))
    parser = argparse.ArgumentParser(
        prog=f"python -m {package}",
        description=f"Make a simulated table again.\n\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    only = next(iter(found)) if len(found) == 1 else None
    parser.add_argument(
        "name", choices=list(found), metavar="NAME", nargs="?" if only else None, default=only
    )
    parser.add_argument("--replicates", type=int, help="samples a cell; default: as committed")
    parser.add_argument("--seed", type=int, help="default: that of the committed table")
    parser.add_argument("--cell", type=int, nargs="+", help="print the rows of these cells alone")
    parser.add_argument("--jobs", type=int, default=1, help="processes; default 1")
    parser.add_argument("--output", type=Path, help="csv to write; default: the committed one")
    asked = parser.parse_args(arguments)
    simulation = found[asked.name]
    cells = None if asked.cell is None else [simulation.cells[k] for k in asked.cell]
    table = simulation.run(cells, replicates=asked.replicates, seed=asked.seed, jobs=asked.jobs)
    as_committed = cells is None and asked.replicates is None and asked.seed is None
    if asked.output or as_committed:
        table.to_csv(asked.output or simulation.table, index=False, lineterminator="\n")
    short = shortfalls(table)
    shown = short if cells is None else table
    if len(shown):
        print(shown.to_string(index=False))
    print(f"{len(table)} rows, shortfalls: {len(short)}. {simulation.shows}")
