"""Starts the window: a server on the loopback address, for as long as the command runs."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import webbrowser
from collections.abc import Iterator, Mapping
from pathlib import Path

import typer
import uvicorn

from rocstats.app.data import Upload, safe_name
from rocstats.app.forms import Command
from rocstats.app.guard import ENTRANCE, Guard
from rocstats.app.pages import Window


def serve(
    commands: Mapping[str, Command], file: Path | None, *, port: int = 0, browser: bool = True
) -> None:
    """Serve the pages until the process is interrupted; all files go with it.

    Parameters
    ----------
    commands : mapping of str to callable
        The commands that can be asked, by their names.
    file : pathlib.Path or None
        A file to begin with.
    port : int, default 0
        Port of 127.0.0.1; 0 is a free one.
    browser : bool, default True
        Whether to open the address in the browser.
    """
    with _private_folder() as folder, socket.socket() as listening:
        listening.bind(("127.0.0.1", port))
        listening.listen()  # a browser that is quicker than the server waits
        window = Window(commands, folder)
        if file is not None:
            upload = Upload(safe_name(file.name), file.resolve())
            window.uploads[upload.key] = upload
            window.first = f"/file/{upload.key}"
        guard = Guard(window.pages(), port=listening.getsockname()[1], first=window.first)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}{ENTRANCE}?token={guard.token}"
        typer.echo(f"rocstats: open {address}", err=True)
        typer.echo("rocstats: Ctrl+C ends it; nothing leaves this computer.", err=True)
        if browser:
            webbrowser.open(address)
        settings = uvicorn.Config(
            guard, log_level="error", access_log=False, lifespan="on", server_header=False,
            timeout_graceful_shutdown=3,
        )  # fmt: skip
        uvicorn.Server(settings).run([listening])


@contextlib.contextmanager
def _private_folder() -> Iterator[Path]:
    """Give a folder that only this user can read, and remove it at any ordinary end.

    Uploads of some megabytes are spooled to the folder of temporary files: here into the same one.
    """
    with tempfile.TemporaryDirectory(prefix="rocstats-", ignore_cleanup_errors=True) as name:
        before = tempfile.tempdir
        tempfile.tempdir = name
        try:
            yield Path(name)
        finally:
            tempfile.tempdir = before
