"""Whether a test notices a mutant: pytest in a copy of the project, no source is touched."""

from __future__ import annotations

import compileall
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

OUTPUT, CONFTEST = "pytest.txt", "tests/conftest.py"
Tests = list[list[str]]
Outcome = Literal["killed", "timeout", "survived"]

COPIED = ("rocstats", "tests", "validation", "docs", "examples", "conftest.py", "pyproject.toml",
          "README.md", "CITATION.cff", "CHANGELOG.md")  # fmt: skip
# What takes longest to import is imported once, and shared by all runs of pytest, which then
# warns that it cannot rewrite the assertions of its plugins.
PRELOADED = ("numpy", "pandas", "scipy.stats", "scipy.optimize", "scipy.integrate", "hypothesis",
             "matplotlib.pyplot", "statsmodels.api", "sklearn.metrics", "pytest",
             "xdist.plugin")  # fmt: skip
# A mutant may make a loop endless or an array huge. No test takes a quarter of these CPU seconds.
SECONDS, BYTES = 60, 8 * 2**30


@dataclass(frozen=True)
class Result:
    """What became of a mutant, and the first test that failed."""

    outcome: Outcome
    killer: str = ""


class Tree:
    """A copy of the project in which files are changed and tests are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                leave = shutil.ignore_patterns(
                    "_build", "jupyter_execute", ".pytest_cache", "node_modules"
                )
                shutil.copytree(source, folder / name, ignore=leave)
            else:
                shutil.copy2(source, folder / name)
        for name in PRELOADED:
            importlib.import_module(name)

    def compile(self) -> None:
        """Compile what every run reads; what a mutant compiles to is not kept."""
        for name in ("rocstats", "validation"):
            compileall.compile_dir(self.folder / name, quiet=1)
        self._run([["tests", "--collect-only"]], keep=True)

    def require(self, tests: Tests) -> None:
        """Raise if one of the tests fails without any mutant."""
        result = self._run(tests)
        if result.outcome != "survived":
            raise RuntimeError(f"{result.killer} fails without any mutant:\n{self.text(OUTPUT)}")

    def text(self, file: str) -> str:
        """Return the text of a file of the copy."""
        return (self.folder / file).read_text(encoding="utf-8")

    def ask(self, mutant: Mutant, tests: Tests) -> Result:
        """Change the file, run the tests until one fails, and put the file back."""
        path = self.folder / mutant.file
        text, times = self.text(mutant.file), path.stat()
        try:
            path.write_text(mutant.applied_to(text), encoding="utf-8")
            return self._run(tests)
        finally:
            path.write_text(text, encoding="utf-8")
            # Compiled files are valid for a time of their source.
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _run(self, tests: Tests, *, keep: bool = False) -> Result:
        """Run pytest in a process forked from this one, which has the libraries already."""
        for place in (place.partition("::")[0] for part in tests for place in part):
            # pytest would fail for a missing file as for a mutant.
            assert place[0] == "-" or (self.folder / place).exists(), f"{place} is not in the copy"
        mine, its = multiprocessing.Pipe(duplex=False)
        fork = multiprocessing.get_context("fork")
        child = fork.Process(target=_tests, args=(self.folder, tests, its, keep))
        child.start()
        its.close()
        child.join()
        if child.exitcode == 0:
            return Result("survived")
        if child.exitcode == -signal.SIGXCPU:
            return Result("timeout")
        try:
            return Result("killed", mine.recv())
        except EOFError:  # a package that cannot be imported stops conftest.py, before any test
            return Result("killed", CONFTEST)


class _FirstFailure:
    """A plugin of pytest that says which test failed first, and gives each its time."""

    def __init__(self, says: Connection) -> None:
        self.says, self.silent = says, True

    def pytest_runtest_logstart(self) -> None:
        _allow(SECONDS)

    def pytest_runtest_logreport(self, report: object) -> None:
        self._note(report)

    def pytest_collectreport(self, report: object) -> None:
        self._note(report)

    def _note(self, report: object) -> None:
        if getattr(report, "failed", False) and self.silent:
            self.silent = False
            self.says.send(str(getattr(report, "nodeid", "")))


def _allow(seconds: int) -> None:
    """End this process after so many more seconds of computing."""
    used = round(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, resource.RLIM_INFINITY))


def _tests(folder: Path, tests: Tests, says: Connection, keep: bool) -> None:
    """Run pytest as a new process would, and leave with its exit code."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    _allow(SECONDS)
    sys.dont_write_bytecode = not keep
    os.chdir(folder)
    os.environ["PYTHONPATH"] = str(folder)
    sys.path.insert(0, str(folder))
    for name in [*sys.modules]:
        if name.partition(".")[0] in {"rocstats", "tests", "validation"}:
            del sys.modules[name]
    output = os.open(folder / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)

    import pytest

    options = ["-n0", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider",
               "-W", "ignore::pytest.PytestAssertRewriteWarning"]  # fmt: skip
    # A function of the package whose name begins with "test" is no test, but has examples.
    of_package = ["-o", "python_functions=", "-o", "python_classes="]
    note = _FirstFailure(says)
    for part in tests:
        more = of_package if any(place.startswith("rocstats/") for place in part) else []
        code = pytest.main([*options, *more, *part], plugins=[note]) if part else 0
        if code not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            os._exit(int(code))
    os._exit(0)
