"""Time the package against numpy's sort and its peers, as ratios inside one run.

Without an option, measures everything and prints it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TypeVar

from validation.benchmarks.bands import band_cases, band_memory
from validation.benchmarks.bounded import SIZES, bounded_cases
from validation.benchmarks.calls import call_cases
from validation.benchmarks.curves import option_cases
from validation.benchmarks.cutpoints import cutpoint_cases
from validation.benchmarks.data import DATA
from validation.benchmarks.decades import decade_cases
from validation.benchmarks.engines import (
    area_cases,
    curve_cases,
    exact_curve_cases,
    forced_cases,
    growth_of_engines,
    memory_cases,
    permutation_cases,
    unit_cases,
)
from validation.benchmarks.first_calls import first_cases
from validation.benchmarks.gates import judge
from validation.benchmarks.kernels import delong_cases, measure_cases, table_cases
from validation.benchmarks.many import many_cases
from validation.benchmarks.memory import keep_memory
from validation.benchmarks.questions import (
    compare_cases,
    import_cases,
    overhead_cases,
)
from validation.benchmarks.r_peers import r_cases
from validation.benchmarks.readers import reader_cases, reader_memory
from validation.benchmarks.record import as_peer_table, missing_peers, write
from validation.benchmarks.results import LARGE, Result, as_table, as_text
from validation.benchmarks.side_by_side import peer_cases
from validation.benchmarks.sorting import key_cases, plain_cases

Each = TypeVar("Each")


def gate_results() -> Iterator[Result]:
    """Yield what the gates need, without peers."""
    yield from decade_cases()
    yield from _sorting()
    yield from overhead_cases(10**3)
    yield from call_cases()
    yield from compare_cases(10**6, 4, "continuous")
    yield from compare_cases(10**5, 20, "continuous")
    yield from option_cases(10**6)
    for data in DATA:
        for n in (10**4, 10**5, 10**6):
            yield from table_cases(n, data)
            yield from delong_cases(n, 8, data)
        yield from measure_cases(10**6, data)
        for n in (10**3, 10**4):
            yield from area_cases(n, data, 2000)
    for n in (10**3, 10**4):
        yield from permutation_cases(n)
    yield from _bands()
    yield from _cutpoints()
    yield from _bounded()
    yield from growth_of_engines()
    yield from memory_cases()
    yield from _readers()
    yield from import_cases()
    yield from first_cases()
    yield from many_cases()


def all_results() -> Iterator[Result]:
    """Yield every result."""
    yield from decade_cases()
    yield from _questions()
    yield from _sorting()
    yield from _kernels()
    yield from _engines()
    yield from _bands()
    yield from _cutpoints()
    yield from _bounded()
    yield from growth_of_engines()
    yield from memory_cases()
    yield from option_cases(10**6)
    yield from _readers()
    yield from import_cases()
    yield from first_cases()
    yield from many_cases()
    for n, n_boot in ((10**3, 2000), (10**4, 500), (10**5, 20)):
        yield from r_cases(n, "continuous", n_boot)


def _questions() -> Iterator[Result]:
    yield from overhead_cases(10**3)
    yield from call_cases()
    for n, k in ((10**6, 4), (10**5, 8), (10**5, 20)):
        for data in DATA:
            yield from compare_cases(n, k, data)


def _kernels() -> Iterator[Result]:
    for n in (10**3, 10**4, 10**5, 10**6):
        for data in DATA:
            yield from table_cases(n, data)
    yield from table_cases(LARGE, "continuous")
    for data in DATA:
        yield from measure_cases(10**6, data)
    for n in (10**3, 10**4, 10**5):
        yield from delong_cases(n, 2, "continuous")
    for n in (10**4, 10**5, 10**6):
        for data in DATA:
            yield from delong_cases(n, 8, data)


def _engines() -> Iterator[Result]:
    for n, n_resamples, peers in ((10**3, 2000, 2000), (10**4, 2000, 2000), (10**5, 200, 20)):
        yield from area_cases(n, "continuous", n_resamples, peers=peers)
        yield from area_cases(n, "100 distinct", n_resamples)
    yield from area_cases(10**6, "continuous", 2000)
    for n in (10**4, 10**5):
        yield from forced_cases(n, "100 distinct")
    yield from forced_cases(10**6, "continuous")
    for n in (10**3, 10**4, 10**5):
        yield from unit_cases(n)
    for n, peers in ((10**3, 500), (10**4, 200), (10**5, 10), (10**6, 0)):
        yield from curve_cases(n, peers=peers)
        yield from exact_curve_cases(n)
    for n, peers in ((10**3, 200), (10**4, 50), (10**5, 5)):
        yield from permutation_cases(n, peers=peers)


def _sorting() -> Iterator[Result]:
    for n in (5 * 10**4, 10**5, 10**6):
        yield from key_cases(n)
    for data in DATA:
        yield from plain_cases(10**6, data)


def _bands() -> Iterator[Result]:
    for data in DATA:
        yield from band_cases(10**4, data)
    yield from band_memory(10**6)


def _cutpoints() -> Iterator[Result]:
    for data in DATA:
        yield from cutpoint_cases(10**4, data)


def _bounded() -> Iterator[Result]:
    for n in SIZES:
        yield from bounded_cases(n)


def _readers() -> Iterator[Result]:
    yield from reader_cases(500)
    yield from reader_memory(5000)


def main() -> None:
    """Run the benchmarks that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m validation.benchmarks", description=__doc__)
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--record", action="store_true", help="write the files of a run")
    only.add_argument("--gates", action="store_true", help="what the bounds need; 1 if one breaks")
    asked = parser.parse_args()
    if asked.record and (absent := missing_peers()):
        parser.error(f"--record must have every peer; not installed: {', '.join(absent)}")
    began, keeps_memory = datetime.now(UTC), keep_memory()
    results = _watched(gate_results() if asked.gates else all_results())
    if not asked.gates:
        peers = _watched(peer_cases())
        print(f"\n{as_text(as_table(results))}\n\npeers\n{as_peer_table(peers).to_string()}")
    if asked.record:
        write(results, peers, began, keeps_memory=keeps_memory)
    gates = judge(results)
    print(f"\ngates\n{gates.to_string(index=False)}")
    if asked.gates and not gates["pass"].all():
        sys.exit(1)


def _watched(found: Iterator[Each]) -> list[Each]:
    """Return all, with a dot on the screen for each."""
    every = []
    for each in found:
        print(".", end="", file=sys.stderr, flush=True)
        every.append(each)
    return every


if __name__ == "__main__":
    main()
