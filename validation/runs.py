"""What a recorded run was: its command, its day, the machine and the versions.

The run is written beside its results, as ``run.json``; ``docs/validation.md`` lists all of them.
"""

from __future__ import annotations

import os
import platform
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import rocstats as rs
from validation.files import read_json, write_json

NAME = "run.json"
_CPU_INFO = Path("/proc/cpuinfo")


def run_of(command: str, began: datetime) -> dict[str, Any]:
    """Return what identifies a run that ends now; ``began`` has a time zone."""
    return {
        "command": command,
        "began": began.isoformat(timespec="seconds"),
        "minutes": round((datetime.now(began.tzinfo) - began).total_seconds() / 60, 1),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "versions": {
            **{name: version(name) for name in ("numpy", "scipy", "pandas")},
            "rocstats": rs.__version__,
        },
    }


def write_run(folder: Path, run: dict[str, Any]) -> None:
    """Write what identifies a run beside its results."""
    write_json(folder / NAME, run)


def read_run(folder: Path) -> dict[str, Any]:
    """Return what identifies the run whose results are in a folder."""
    return read_json(folder / NAME)


def _cpu() -> str:
    if not _CPU_INFO.exists():
        return platform.processor()
    lines = _CPU_INFO.read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
