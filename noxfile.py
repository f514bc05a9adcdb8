#!/usr/bin/env -S python3 -m nox -f
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""What is checked, one session each: `nox -l` lists them, `nox -s lint types` runs two.

`.ci/run` runs all of them, each in a fresh environment.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import zipfile
from functools import partial
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "venv"  # what the README tells a newcomer to make
nox.options.reuse_existing_virtualenvs = True

PROJECT = nox.project.load_toml("pyproject.toml")
TEXTS = {".cff", ".css", ".html", ".js", ".json", ".md", ".py", ".toml", ".yaml", ".yml"}
FAST = "not (slow or office or browser or engines)"
MADE = {"_build", "jupyter_execute", "__pycache__", "build", "dist", "node_modules"}


@nox.session(default=False)
def readme(session: nox.Session) -> None:
    """Install the package and write a report, as the README says."""
    text = Path("README.md").read_text(encoding="utf-8")
    command = re.search(r"^pip install (.+) && (rocstats .+)$", text, re.MULTILINE)
    if command is None:
        session.error("README.md has no line that installs the package and writes a report")
    session.install(*shlex.split(command[1]))
    session.chdir(session.create_tmp())
    session.run(*shlex.split(command[2]))


@nox.session(default=False)
def shells(session: nox.Session) -> None:
    """Type the lines of the README into each shell of this system, in a copy of the directory."""
    text = Path("README.md").read_text(encoding="utf-8")
    typed = {
        language: re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for language in ("sh", "bat")
    }
    started = {
        "bat": [["cmd", "/d"], ["powershell", "-NoProfile", "-Command", "-"]],
        "sh": [["sh", "-e"]],
    }
    language = "bat" if os.name == "nt" else "sh"
    lines = typed[language]
    if lines is None:
        session.error(f"README.md has no lines for the shells of this system ({language})")
    for shell in started[language]:
        copy = Path(session.create_tmp()) / shell[0]
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(".", copy, ignore=shutil.ignore_patterns(".git", ".nox", ".venv", "report"))
        subprocess.run(shell, input=lines[1], text=True, cwd=copy, check=True)
        if not (copy / "report" / "report.html").is_file():
            session.error(f"the lines of README.md wrote no report in {shell[0]}")
    # The same by the installers of commands, each in folders of its own.
    session.install("uv", "pipx")
    home = Path(session.create_tmp()).resolve()
    env = {
        "UV_TOOL_DIR": str(home / "uv"),
        "UV_TOOL_BIN_DIR": str(home / "uv-bin"),
        "PIPX_HOME": str(home / "pipx"),
        "PIPX_BIN_DIR": str(home / "pipx-bin"),
    }
    for command in re.findall(r"`((?:uv tool|pipx) install [^`]+)`", text):
        session.run(*shlex.split(command), "--force", env=env)
    for folder in ("uv-bin", "pipx-bin"):
        session.run(str(home / folder / "rocstats"), "--version", external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the whole suite; what follows `--` goes to pytest."""
    session.install("-e", ".[test]")
    session.run("pytest", *session.posargs)


@nox.session(default=False)
def engines(session: nox.Session) -> None:
    """Count with DuckDB, Dask, Spark and PostgreSQL; Java and the server must be there."""
    session.install("-e", ".[engines]")
    session.run("pytest", "-m", "engines", *session.posargs)


@nox.session(default=False)
def golden(session: nox.Session) -> None:
    """Compare all answers with the frozen ones, by the versions they were frozen with."""
    session.install("-c", "validation/golden/constraints.txt", "-e", ".[files]")
    session.run("python", "-m", "validation.golden", "--check", *session.posargs)


@nox.session(default=False)
def oldest(session: nox.Session) -> None:
    """Run the fast tests with the oldest supported versions."""
    constraints = Path(session.create_tmp()) / "oldest.txt"
    constraints.write_text("\n".join(lowest_versions()), encoding="utf-8")
    session.install("-c", str(constraints), "-e", ".[test]")
    # The other sessions have one thread of BLAS.
    env = {"OPENBLAS_NUM_THREADS": "2"}
    session.run("pytest", "-q", "-m", FAST, *session.posargs, env=env)


@nox.session(default=False)
def processor(session: nox.Session) -> None:
    """Run the fast tests as an older processor would: other kernels of BLAS, no vector units."""
    session.install("-e", ".[test]")
    found = "import numpy; print(*numpy.show_config('dicts')['SIMD Extensions'].get('found', []))"
    features = str(session.run("python", "-c", found, silent=True)).split()
    env = {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": " ".join(features)}
    session.run("pytest", "-q", "-m", FAST, *session.posargs, env=env)


@nox.session(default=False)
def package(session: nox.Session) -> None:
    """Build the wheel and the source archive; use the wheel where nothing else is."""
    session.install("build", "twine")
    made = Path(session.create_tmp()).absolute()
    for folder in ("dist", "empty"):
        shutil.rmtree(made / folder, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(made / "dist"))
    (wheel,), (source,) = made.glob("dist/*.whl"), made.glob("dist/*.tar.gz")
    session.run("twine", "check", "--strict", str(wheel), str(source))
    with zipfile.ZipFile(wheel) as archive:
        absent = package_files().difference(archive.namelist())
    if absent:
        session.error(f"The wheel lacks {', '.join(sorted(absent))}")
    session.run("python", "-m", "venv", str(made / "empty"))
    commands = next(path for path in (made / "empty").iterdir() if path.name in {"bin", "Scripts"})
    session.chdir(made)  # away from the sources
    run = partial(session.run, external=True)
    run(str(commands / "python"), "-m", "pip", "install", f"{wheel}[files]")
    run(str(commands / "rocstats"), "--version")
    run(str(commands / "rocstats"), "report", "--example", "--out", "report")
    use = (
        "import rocstats as rs; rs.load_viper(); print([getattr(rs, each) for each in rs.__all__])"
    )
    run(str(commands / "python"), "-c", use, silent=True)


@nox.session
def lint(session: nox.Session) -> None:
    """Run the linters of `.pre-commit-config.yaml`, installed as packages."""
    session.install(*group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    files = text_files()  # hundreds of names: these commands are not echoed
    session.run("check-toml", *ending(files, ".toml"), log=False)
    session.run("check-yaml", *ending(files, ".yaml", ".yml", ".cff"), log=False)
    session.run("check-case-conflict", *files, log=False)
    session.run("debug-statement-hook", *ending(files, ".py"), log=False)
    session.run("end-of-file-fixer", *files, log=False)
    session.run("trailing-whitespace-fixer", *files, log=False)
    session.run("codespell", *files, log=False)
    session.run("rumdl", "check", ".")
    session.run("zizmor", "--offline", "--no-progress", ".github")
    for name in files:
        if "\ufffd" in Path(name).read_text(encoding="utf-8"):
            session.error(f"{name} has a character that could not be read")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the package, the validation and the tests."""
    session.install("-e", ".[test,lint]")
    session.run("mypy")
    session.run("basedpyright")


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the pages; a warning or a failing cell is an error.

    `nox -s docs -- "pandas==2.2.3"` builds them with the version named.
    """
    session.install("-e", ".[docs]", *session.posargs)
    html = f"{session.create_tmp()}/html"
    # `.ci/run` exports Agg, with which cells of a notebook end without their figures.
    inline = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    session.run("sphinx-build", "-W", "--keep-going", "-q", "-b", "html", "docs", html, env=inline)


@nox.session(default=False)
def review(session: nox.Session) -> None:
    """Hold the repository to the Scientific Python development guide."""
    session.install(*group("review"))
    session.run("repo-review", ".")


def group(name: str) -> list[str]:
    """Return the requirements of a group, those of the extra it stands for in its place.

    They are installed without the package, which a linter does not import.
    """
    extras = PROJECT["project"]["optional-dependencies"]
    requirements = nox.project.dependency_groups(PROJECT, name)
    return extras[name] if requirements == (f"rocstats[{name}]",) else list(requirements)


def lowest_versions() -> list[str]:
    """Return the lower bounds of pyproject.toml as constraints."""
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *extras["files"], *extras["test"]]
    lowest = [requirement.replace(">=", "==") for requirement in wanted if ">=" in requirement]
    # Later ones deprecate what matplotlib, and typer, of that age call.
    return [*lowest, "pyparsing<3.3", "click<8.5"]


def text_files() -> list[str]:
    """Return the texts that people write; data, and what is built, are not among them."""
    folders = [
        Path(name)
        for name in (".ci", ".github", "docs", "examples", "rocstats", "tests", "validation")
    ]
    found = [*Path().iterdir(), *(path for folder in folders for path in folder.rglob("*"))]
    return sorted(
        str(path)
        for path in found
        if path.is_file() and path.suffix in TEXTS and not MADE.intersection(path.parts)
    )


def package_files() -> set[str]:
    """Return the files of the package, its data, templates and list of public names included."""
    found = (path for path in Path("rocstats").rglob("*") if path.is_file())
    return {path.as_posix() for path in found if not MADE.intersection(path.parts)}


def ending(files: list[str], *suffixes: str) -> list[str]:
    """Return the files with one of the suffixes."""
    return [name for name in files if name.endswith(suffixes)]


if __name__ == "__main__":
    nox.main()
