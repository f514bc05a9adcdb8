"""Whether a test notices a mutant: pytest in a copy of the project, so that no source is touched."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

from validation.mutants.making import Mutant
from validation.mutants.rooms import ROOT

Outcome = Literal["killed", "timeout", "survived"]

COPIED = ("rocstats", "tests", "validation", "docs", "examples", "pyproject.toml", "README.md",
          "CITATION.cff", "CHANGELOG.md")  # fmt: skip
# What takes longest to import is imported once, and shared by all runs of pytest.
PRELOADED = ("numpy", "pandas", "scipy.stats", "scipy.optimize", "scipy.integrate", "hypothesis",
             "matplotlib.pyplot", "statsmodels.api", "sklearn.metrics", "pytest")  # fmt: skip
# A mutant may multiply a loop or an array: five times the time of the unchanged tests, and then
# some for machines that are busy; a fraction of a usual machine's memory.
TIMES, SECONDS, BYTES = 5, 20, 8 * 2**30


@dataclass(frozen=True)
class Result:
    """What became of a mutant, and the first test that failed."""

    outcome: Outcome
    killer: str = ""


class Tree:
    """A copy of the project in which files are changed and tests are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                leave = shutil.ignore_patterns("_build", "jupyter_execute", ".pytest_cache")
                shutil.copytree(source, folder / name, ignore=leave)
            else:
                shutil.copy2(source, folder / name)
        for name in PRELOADED:
            importlib.import_module(name)

    def seconds(self, tests: list[str]) -> float:
        """Return how long the tests of the unchanged package take; they must pass."""
        start = time.monotonic()
        result = self._run(tests, None)
        if result.outcome != "survived":
            raise RuntimeError(f"{result.killer or tests} fails without any mutant")
        return time.monotonic() - start

    def ask(self, mutant: Mutant, tests: list[str], seconds: float) -> Result:
        """Change the file, run the tests until one fails, and put the file back."""
        path = self.folder / mutant.file
        text, times = path.read_text(encoding="utf-8"), path.stat()
        try:
            path.write_text(mutant.applied_to(text), encoding="utf-8")
            return self._run(tests, seconds * TIMES + SECONDS)
        finally:
            path.write_text(text, encoding="utf-8")
            # Compiled files are valid for a time of their source.
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _run(self, tests: list[str], seconds: float | None) -> Result:
        """Run pytest in a process forked from this one, which has the libraries already."""
        mine, its = multiprocessing.Pipe(duplex=False)
        # Only what is made without a mutant is kept as compiled.
        target = (self.folder, tests, its, seconds is not None)
        child = multiprocessing.get_context("fork").Process(target=_tests, args=target)
        child.start()
        its.close()
        child.join(seconds)
        late = child.is_alive()
        if child.pid is not None and late:
            os.killpg(child.pid, signal.SIGKILL)
        child.join()
        if late:
            return Result("timeout")
        if child.exitcode == 0:
            return Result("survived")
        # A package that cannot be imported fails in conftest.py, before there is any test.
        return Result("killed", mine.recv() if mine.poll() else "tests/conftest.py")


class _FirstFailure:
    """A plugin of pytest that says which test failed first."""

    def __init__(self, says: Connection) -> None:
        self.says, self.silent = says, True

    def pytest_runtest_logreport(self, report: object) -> None:
        self._note(report)

    def pytest_collectreport(self, report: object) -> None:
        self._note(report)

    def _note(self, report: object) -> None:
        if getattr(report, "failed", False) and self.silent:
            self.silent = False
            self.says.send(str(getattr(report, "nodeid", "")))


def _tests(folder: Path, tests: list[str], says: Connection, changed: bool) -> None:
    """Run pytest as a new process would, and leave with its exit code."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    os.chdir(folder)
    os.environ["PYTHONPATH"] = str(folder)
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = changed
    for name in [name for name in sys.modules if name.partition(".")[0] in {"rocstats", "tests"}]:
        del sys.modules[name]
    for name in [name for name in sys.modules if name.partition(".")[0] == "validation"]:
        del sys.modules[name]
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)

    import pytest

    options = ["-n0", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    code = pytest.main([*options, *tests], plugins=[_FirstFailure(says)])
    os._exit(int(code))
