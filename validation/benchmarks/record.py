"""The files of one run: its results, the peers, and a header that says which run it was."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from validation.benchmarks.r_peers import has_proc
from validation.benchmarks.results import NOT_INSTALLED, Result, as_table
from validation.benchmarks.side_by_side import PEERS, PeerRow

TABLE = Path(__file__).with_name("results.csv")
PEER_TABLE = Path(__file__).with_name("peers.csv")
HEADER = Path(__file__).with_name("run.json")
_PACKAGES = ("numpy", "scipy", "pandas", "rocstats")
_CPU_INFO = Path("/proc/cpuinfo")
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
    header = {**_header(began), "keeps_memory": keeps_memory}
    HEADER.write_text(json.dumps(header, indent=2) + "\n", encoding="utf-8")


def read_header() -> dict[str, Any]:
    """Return what the header says of the run."""
    header: dict[str, Any] = json.loads(HEADER.read_text(encoding="utf-8"))
    return header


def digest(path: Path) -> str:
    """Return the SHA-256 of a text, whatever its line ends are on this machine."""
    return hashlib.sha256(path.read_text(encoding="utf-8").encode()).hexdigest()


def _header(began: datetime) -> dict[str, Any]:
    return {
        "began": began.isoformat(timespec="seconds"),
        "minutes": round((datetime.now(began.tzinfo) - began).total_seconds() / 60, 1),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in _PACKAGES},
        "files": {path.name: digest(path) for path in (TABLE, PEER_TABLE)},
    }


def _cpu() -> str:
    if not _CPU_INFO.exists():
        return platform.processor()
    lines = _CPU_INFO.read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
