"""The committed times are complete, of one run, within bounds, and what the page shows."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from tests.oracles import definitions as oracles
from validation.benchmarks import decades, first_calls, side_by_side
from validation.benchmarks.calls import QUESTIONS as CALLS
from validation.benchmarks.calls import call_name
from validation.benchmarks.data import DATA
from validation.benchmarks.first_calls import fresh_name
from validation.benchmarks.gates import GATES, judge
from validation.benchmarks.record import HERE, PEER_TABLE, TABLE, digest
from validation.benchmarks.results import (
    NOT_INSTALLED,
    Gate,
    Result,
    read_results,
)
from validation.runs import read_run

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


@pytest.fixture(scope="module")
def results():
    return read_results(TABLE)


@pytest.fixture(scope="module")
def peers():
    return pd.read_csv(PEER_TABLE, keep_default_na=False)


def test_every_question_has_its_row_at_every_decade(results):
    found = [(r.what, r.n, r.data) for r in results if r.topic == decades.TOPIC]
    expected = [
        (name, n, data) for n in decades.SIZES for data in DATA for name in decades.rows_at(n, data)
    ]
    assert found == expected
    calls = {(r.what, r.n) for r in results}
    assert calls >= {(call_name(name), 1000) for name in CALLS}
    first = {fresh_name(name) for name in first_calls.QUESTIONS}
    assert calls >= {(name, 1000) for name in first}


def test_every_peer_has_its_row_in_all_data_and_sizes(peers):
    expected = {
        (peer.name, data, n)
        for data, sizes in side_by_side.SIZES.items()
        for n in sizes
        for peer in (side_by_side.OURS_HERE, *side_by_side.PEERS, side_by_side.PROC)
        if n <= peer.largest
    }
    found = list(zip(peers["peer"], peers["data"], peers["n"], strict=True))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_nothing_absent_is_committed(results, peers):
    assert all(r.note != NOT_INSTALLED for r in results)
    assert (peers["note"] != NOT_INSTALLED).all()


def test_both_files_are_of_one_run():
    header = read_run(HERE)
    assert header["files"] == {path.name: digest(path) for path in (TABLE, PEER_TABLE)}
    machine = {"cpu", "cores", "system", "python", "versions"}
    assert {"command", "began", "minutes"} | machine <= set(header)
    assert {"numpy", "scipy", "pandas", "rocstats"} == set(header["versions"])
    assert header["cpu"]
    assert isinstance(header["keeps_memory"], bool)


def test_committed_times_keep_every_gate(results):
    gates = judge(results)
    assert gates["pass"].all(), gates[~gates["pass"]].to_string()
    assert set(gates["gate"]) == {gate.what for gate in GATES}


def test_a_gate_without_a_measurement_is_not_passed():
    assert not judge([])["pass"].any()


def test_a_row_that_grows_faster_than_n_log_n_is_found():
    def row(name, n, ratio):
        return Result(decades.TOPIC, name, n, "continuous", ratio, "np.argsort", 3, clock="CPU")

    slow = "compare_auc('bootstrap')"
    rows = [row("auc", 10**3, 2.0), row("auc", 10**4, 1.0), row("auc", 10**5, 1.6)]
    rows += [row(slow, 10**4, 1.0), row(slow, 10**5, 9.0)]  # said to grow with the pairs of cases
    rows += [row("roc_curve", 10**4, 1.0), row("roc_curve", 10**5, 1.7)]
    found = {(r.n, r.data): r.ratio for r in decades.steepest(rows)}
    assert found == {
        (10**4, "auc, continuous"): 0.5,
        (10**5, "roc_curve, continuous"): 1.7,
        (10**5, "auc, continuous"): 1.6,
    }
    assert Gate(decades.STEEPEST, 10**5, 1.5) in GATES


def test_the_exact_area_is_that_of_all_pairs():
    c = side_by_side.make_probabilities(10**3, "tied")
    assert side_by_side.exact_area(c.y, c.first) == oracles.kernel(c.y == 1, c.first).mean()


@pytest.mark.parametrize("many", [2, 5, 200])
def test_uniform_thresholds_are_counted_one_by_one(many):
    rng = np.random.default_rng(3)
    y, probability = rng.integers(0, 2, 400), np.round(rng.random(400), 2)
    # the ends lie outside of [0, 1]: all cases are above the first, none above the last
    thresholds = [-1.0, *(i / (many - 1) for i in range(1, many - 1)), 2.0]
    fpr, tpr = ([np.mean(probability[y == k] > t) for t in thresholds] for k in (0, 1))
    corners = list(pairwise(zip(fpr, tpr, strict=True)))
    expected = sum((x0 - x1) * (t0 + t1) / 2 for (x0, t0), (x1, t1) in corners)
    found = side_by_side.uniform_thresholds(y, probability, many)
    assert found == pytest.approx(expected, abs=1e-12)


def test_bins_of_one_score_each_leave_nothing_out():
    c = side_by_side.make_probabilities(10**3, "tied")
    exact = side_by_side.exact_area(c.y, c.first)
    assert side_by_side.equal_counts(c.y, c.first, 1000) == pytest.approx(exact, abs=1e-12)
    coarse = side_by_side.equal_counts(c.y, c.first, 5)
    assert 0 < exact - coarse < 0.05  # chords of a concave curve lie below it


def test_peers_are_as_accurate_as_the_table_says(peers):
    ours = peers[peers["peer"] == "rocstats auc"]
    assert (ours["error"].astype(float).abs() < 1e-12).all()
    c = side_by_side.make_probabilities(10**4, "prevalence 0.5 %")
    exact = side_by_side.exact_area(c.y, c.first)
    rows = peers[(peers["n"] == 10**4) & (peers["data"] == "prevalence 0.5 %")].set_index("peer")
    here = [peer for peer in side_by_side.PEERS if peer.package in ("numpy", "scipy")]
    assert len(here) == 4
    for peer in here:
        error = peer.area(peer.make(None, c)()) - exact
        assert float(rows.loc[peer.name, "error"]) == pytest.approx(error, rel=0.006, abs=1e-12)


def test_the_page_takes_its_numbers_from_the_tables(results):
    text = PAGE.read_text(encoding="utf-8")
    cells = re.findall(r"```\{code-cell\}[^\n]*\n(?::tags:[^\n]*\n)?(.*?)```", text, re.DOTALL)
    shown = []
    page = SimpleNamespace(table=lambda heads, rows: shown.append(list(rows)))
    names = {"page": page}
    for cell in cells:
        if "import page" not in cell and "rs.Study(" not in cell:
            exec(cell, names)  # its assertions are of the sentences around it
    assert all(shown)
    assert len(shown) >= text.count('wide("') > 5
    assert set(re.findall(r'wide\("([^"]+)"', text)) <= {r.topic for r in results}
