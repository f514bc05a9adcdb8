"""The files of one run: its results, the peers, and a header that says which run it was."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from validation.benchmarks.r_peers import has_proc
from validation.benchmarks.results import NOT_INSTALLED, Result, as_table
from validation.benchmarks.side_by_side import PEERS, PeerRow
from validation.runs import run_of, write_run

HERE = Path(__file__).parent
TABLE, PEER_TABLE = HERE / "results.csv", HERE / "peers.csv"
_ROUNDED = ("in_argsorts", "in_ours", "error", "error_in_se")


def missing_peers() -> list[str]:
    """Return the packages that a recorded run needs and that are not installed."""
    absent = sorted({peer.package for peer in PEERS if find_spec(peer.package) is None})
    return absent if has_proc() else [*absent, "R with pROC"]


def as_peer_table(rows: Sequence[PeerRow]) -> pd.DataFrame:
    """Return the peers as a frame, times and errors with three digits."""
    table = pd.DataFrame(rows, columns=list(PeerRow._fields))
    for name in _ROUNDED:
        table[name] = [float(f"{value:.3g}") for value in table[name]]
    return table


def write(
    results: Sequence[Result],
    peers: Sequence[PeerRow],
    began: datetime,
    *,
    keeps_memory: bool,
) -> None:
    """Write both tables, and the header with their digests: rows of another run would show."""
    for path, table in ((TABLE, as_table(results)), (PEER_TABLE, as_peer_table(peers))):
        kept = table[table["note"] != NOT_INSTALLED]
        kept.to_csv(path, index=False, lineterminator="\n")
    run = run_of("python -m validation.benchmarks --record", began)
    files = {path.name: digest(path) for path in (TABLE, PEER_TABLE)}
    write_run(HERE, {**run, "files": files, "keeps_memory": keeps_memory})


def digest(path: Path) -> str:
    """Return the SHA-256 of a text, whatever its line ends are on this machine."""
    return hashlib.sha256(path.read_text(encoding="utf-8").encode()).hexdigest()
