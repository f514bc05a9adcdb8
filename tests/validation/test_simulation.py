"""The record of a simulation: its marks, its run and its command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.bounds import too_high, too_low
from validation.files import ROOT
from validation.simulation import (
    Bound,
    Simulation,
    Variant,
    batches,
    collect,
    main,
    misses,
    over,
    shortfalls,
    simulations_in,
    stream,
    tally,
    under,
    under_margin,
)

PACKAGES = ("coverage", "size", "power", "roe_metz")
SIMULATIONS = {
    f"{package}/{name}": one
    for package in PACKAGES
    for name, one in simulations_in(f"validation.{package}").items()
}


def test_every_table_is_of_a_simulation():
    tables = {
        f"{package}/{path.stem}" for package in PACKAGES for path in ROOT.glob(f"{package}/*.csv")
    }
    # Digits of a page, with which tests compare the tables of bands.
    assert tables - {"coverage/bands_printed"} == {*SIMULATIONS}


@pytest.mark.parametrize("name", SIMULATIONS)
def test_committed_marks_seeds_and_columns_are_those_of_the_record(name):
    one = SIMULATIONS[name]
    table = one.read()
    assert tuple(table)[len(table.columns) - len(one.ends) :] == one.ends
    if "seed" in table:
        assert set(table["seed"]) == {one.seed}
    for mark, beyond in one.marks_of(table).items():
        marked = table[mark].astype(str).isin(["True", "shortfall"])
        assert marked.tolist() == beyond.tolist()
    if "shortfall" in table and name != "size/mover_limits":  # its marks are names of methods
        assert one.bounds


TABLE = pd.DataFrame({
    "share": [0.92, 0.93, 0.96, np.nan], "level": [0.95, 0.9, 0.95, 0.95],
    "n": [1900, 1900, 1900, 1900], "kind": ["a", "a", "b", "a"],
})  # fmt: skip


@pytest.mark.parametrize(
    ("bound", "beyond"),
    [
        (Bound("share", under, 0.93, None), [True, False, False, False]),
        (Bound("share", over, 0.93, None), [False, False, True, False]),
        (Bound("share", over, 0.93, None, where="kind == 'a'"), [False, False, False, False]),
        (Bound("share", under_margin, "level", None), [True, False, False, False]),
        # the error of .95 in 1900 samples is .005
        (Bound("share", too_low, 0.95, "n"), [True, False, False, False]),
        (Bound("1 - share", too_high, 0.05, "n / 4"), [False, False, False, False]),
        (Bound("1 - share", too_high, 0.05, "n"), [True, False, False, False]),
    ],
)
def test_bounds_by_hand(bound, beyond):
    assert bound.beyond(TABLE).tolist() == beyond


def drawn(cell, replicates, seed, more=0):
    """Yield two rows of a cell."""
    rng = stream(seed, cell)
    for name in "ab":
        mean = float(rng.standard_normal(replicates).mean())
        yield {"cell": cell, "name": name, "mean": mean + more, "last": replicates}


@pytest.fixture
def simulation(tmp_path):
    return Simulation(
        table=tmp_path / "drawn.csv", shows="Means.", cells=[0, 1, Variant(1, {"more": 5})],
        rows=drawn, replicates=lambda cell: 30 if cell == 0 else 20, seed=3,
        bounds=(Bound("mean", over, 4, None),), ends=("shortfall", "last", "seed"), digits=3,
    )  # fmt: skip


def test_a_run_has_rows_marks_and_the_order_of_columns(simulation):
    table = simulation.run()
    assert list(table) == ["cell", "name", "mean", "shortfall", "last", "seed"]
    assert table["last"].tolist() == [30, 30, 20, 20, 20, 20]
    assert table["shortfall"].tolist() == [False] * 4 + [True] * 2
    assert (table["mean"] == table["mean"].round(3)).all()
    assert set(table["seed"]) == {3}
    pd.testing.assert_frame_equal(shortfalls(table), table.tail(2))


def test_some_cells_are_those_of_the_whole_run(simulation):
    table = simulation.run()
    again = simulation.run([simulation.cells[2]])
    pd.testing.assert_frame_equal(again, table.tail(2).reset_index(drop=True))
    pd.testing.assert_frame_equal(simulation.run(jobs=2), table)
    assert not simulation.run(seed=4)["mean"].equals(table["mean"])


def test_a_row_alone_and_an_exact_table(tmp_path):
    exact = Simulation(tmp_path / "exact.csv", "Squares.", [2, 3], lambda cell: {"square": cell**2})
    assert exact.run(replicates=5)["square"].tolist() == [4, 9]


def test_the_command_keeps_the_table_from_other_numbers(tmp_path, capsys):
    name = "moves"
    committed = SIMULATIONS[f"coverage/{name}"].table.read_bytes()
    output = tmp_path / "moves.csv"
    main("validation.coverage", [name, "--cell", "1", "0", "--replicates", "40"])
    assert "8 rows, shortfalls: 0" in capsys.readouterr().out
    main("validation.coverage", [name, "--cell", "0", "--output", str(output)])
    lines = committed.decode().splitlines()
    assert output.read_text("utf-8").splitlines() == lines[:5]
    assert SIMULATIONS[f"coverage/{name}"].table.read_bytes() == committed


def test_what_simulations_share():
    child = np.random.SeedSequence(5, spawn_key=(2, 7))
    assert stream(5, 2, 7).random() == np.random.default_rng(child).random()
    assert batches(250, 100) == [100, 100, 50]
    found = collect([{"a": 1}, {}, {"a": 2, "b": (3, 4)}])
    assert {key: values.tolist() for key, values in found.items()} == {"a": [1, 2], "b": [[3, 4]]}
    limits = np.array([[0.1, 0.5], [0.3, 0.6], [0.0, 0.15], [0.2, 0.3]])
    counted = {"coverage": 0.5, "se": 0.25, "miss_low": 0.25, "miss_high": 0.25}
    assert tally(limits, 0.2) == counted | {"mean_width": 0.2375}
    low, high = limits.T
    assert misses(low, high, 0.2) == {"coverage": 0.5, "above": 0.25, "below": 0.25}
