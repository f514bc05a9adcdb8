"""Commands that run beside the pages: each in a process of its own, which can be stopped."""

from __future__ import annotations

import asyncio
import os
import secrets
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ANSWER, FIGURE, FOLDER = "answer.csv", "figure.svg", "report"
"""What a job writes into its folder: a frame, a picture, the files of a report."""
MOST_JOBS = 4
"""Commands at a time: each may take a processor and some hundred megabytes."""


class Job:
    """A command with its answer.

    Parameters
    ----------
    command : str
        Name of the command.
    folder : pathlib.Path
        Where it writes.
    steps : sequence of sequence of str
        Arguments of the commands: the first one makes the answer. The others make its figure, tried
        in turn until one succeeds: not every answer has an axis to draw it on.
    shown : str
        The command line as the user would write it.
    address : str
        The page of the form with its values, to change them.
    """

    def __init__(
        self,
        command: str,
        folder: Path,
        steps: Sequence[Sequence[str]],
        *,
        shown: str,
        address: str,
    ) -> None:
        self.command, self.folder, self.steps = command, folder, steps
        self.shown, self.address = shown, address
        self.key = secrets.token_urlsafe(16)
        self.running = True
        # Of the first step: its exit status, None while it runs, and what it printed.
        self.status: int | None = None
        self.said = self.printed = ""
        self._drawn_by: Sequence[str] = ()
        self._task: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None

    def start(self) -> None:
        """Run the steps in the background."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End the command that runs, and wait until it has ended."""
        if not self.running or self._task is None:
            return
        self._task.cancel()
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), 3)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        self.running = False
        if self.status is None:
            self.status, self.said = 130, "rocstats: error: It was stopped."

    @property
    def has_figure(self) -> bool:
        """Whether a figure of the answer is complete."""
        return bool(self._drawn_by)

    def draw(self, name: str) -> None:
        """Draw the picture of the answer once more, as another kind of file."""
        names = {str(self.folder / FIGURE): str(self.folder / name)}
        arguments = [names.get(text, text) for text in self._drawn_by]
        subprocess.run(
            [sys.executable, "-m", "rocstats", arguments[0], "--force", *arguments[1:]],
            cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120,
        )  # fmt: skip

    async def _run(self) -> None:
        try:
            answer, *figures = self.steps
            self.status, self.printed, self.said = await self._step(answer)
            for step in figures if self.status == 0 else []:
                if (await self._step(step))[0] == 0:
                    self._drawn_by = step
                    break
        finally:
            self.running = False

    async def _step(self, arguments: Sequence[str]) -> tuple[int, str, str]:
        """Run a command; return its exit status, and what it printed on both streams."""
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "rocstats", *arguments),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Texts of both streams are read here as UTF-8, whatever the country.
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "MPLBACKEND": "Agg"},
        )
        printed, said = await self._process.communicate()
        status = self._process.returncode
        return status or 0, printed.decode("utf-8", "replace"), said.decode("utf-8", "replace")


def command_line(command: str, arguments: Sequence[str]) -> str:
    """Return a command as it is typed: quoted for the shell of this system."""
    words = ["rocstats", command, *arguments]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
