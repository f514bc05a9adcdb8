"""Time the package against numpy's sort and its peers, as ratios inside one run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from validation.benchmarks.cases import LARGE, Result, compare_cases, import_cases, single_cases
from validation.benchmarks.gates import broken

TABLE = Path(__file__).with_name("results.csv")


def quick_results() -> Iterator[Result]:
    """Yield what the gates need, and the small sizes."""
    for n in (10**3, 10**4, 10**6):
        yield from single_cases(n, "continuous")
    yield from compare_cases(10**6, 4, "continuous")
    yield from import_cases()


def all_results() -> Iterator[Result]:
    """Yield every result."""
    for n in (10**3, 10**4, 10**5, 10**6):
        yield from single_cases(n, "continuous")
        yield from single_cases(n, "100 distinct")
    yield from single_cases(LARGE, "continuous")
    for n, k in ((10**6, 2), (10**6, 4), (10**5, 8)):
        yield from compare_cases(n, k, "continuous")
        yield from compare_cases(n, k, "100 distinct")
    yield from import_cases()


def as_table(results: Sequence[Result]) -> pd.DataFrame:
    """Return the results as a frame, with the versions they hold for."""
    table = pd.DataFrame([asdict(result) for result in results])
    table["n"] = table["n"].astype("Int64")
    table["ratio"] = table["ratio"].round(2)
    return table.assign(numpy=np.__version__, pandas=pd.__version__)


def as_text(table: pd.DataFrame) -> str:
    """Return the ratios in print, a column per size."""
    sizes = [f"{n:.0e}" if n > 0 else "-" for n in table["n"].fillna(0)]
    wide = table.assign(n=sizes).pivot_table(
        index=["what", "baseline", "data"], columns="n", values="ratio", sort=False
    )
    return wide.reset_index().to_string(index=False, na_rep="")


def main() -> None:
    """Run the benchmarks that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m validation.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sizes; writes no file")
    parser.add_argument("--gates", action="store_true", help="exit with 1 when a gate is broken")
    asked = parser.parse_args()
    results = list(quick_results() if asked.quick else all_results())
    table = as_table(results)
    print(as_text(table))
    if not asked.quick:
        table.to_csv(TABLE, index=False, lineterminator="\n")
    complaints = broken(results)
    for complaint in complaints:
        print(f"gate broken: {complaint}")
    if asked.gates and complaints:
        sys.exit(1)


if __name__ == "__main__":
    main()
