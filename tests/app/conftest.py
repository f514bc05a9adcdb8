"""A window that runs in a process of its own, and what a browser and an intruder send to it."""

from __future__ import annotations

import contextlib
import http.client
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode, urlsplit

import pytest

SIDE = "----rocstats-side"


class Window:
    """A running window: its process, its address, and the cookie of its browser."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.said = folder / f"said-{id(self)}.txt"
        with self.said.open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "rocstats", "app", "--no-browser", *arguments],
                stderr=said, env={**os.environ, "TMPDIR": str(folder)},
            )  # fmt: skip
        for _ in range(600):
            line = self.said.read_text().partition("\n")[0]
            if "Ctrl+C" in self.said.read_text():
                break
            time.sleep(0.1)
        assert line.startswith("rocstats: open http://127.0.0.1:"), line
        self.address = line.split(" open ")[1].strip()
        self.port = urlsplit(self.address).port
        self.entrance = self.address.split(str(self.port), 1)[1]
        self.cookie = ""

    def enter(self) -> None:
        """Exchange the one-time address for the cookie."""
        found = self.ask("GET", self.entrance)
        assert found.status == 303
        self.cookie = found.headers["set-cookie"].split(";")[0]

    def ask(self, method, path, *, body=None, **headers):
        """Send a request; return its status, headers and text."""
        own: dict[str, str | None] = {"Host": f"127.0.0.1:{self.port}"}
        if method == "POST":
            own["Origin"] = f"http://127.0.0.1:{self.port}"
        if self.cookie:
            own["Cookie"] = self.cookie
        own |= {name.replace("_", "-"): text for name, text in headers.items()}
        sent = {name: text for name, text in own.items() if text is not None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True)
        content = (
            body if isinstance(body, bytes | type(None)) else urlencode(body, doseq=True).encode()
        )
        if content is not None:
            sent.setdefault("Content-Length", str(len(content)))
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        for name, text in sent.items():
            connection.putheader(name, text)
        connection.endheaders(content)
        answer = connection.getresponse()
        raw = answer.read()
        found = {name.lower(): text for name, text in answer.getheaders()}
        connection.close()
        text = raw.decode("utf-8", "replace")
        return SimpleNamespace(status=answer.status, headers=found, text=text, raw=raw)

    def upload(self, name, content, *more):
        """Send a file; return the answer. ``more`` are further (field, name, content)."""
        parts = b""
        for part, file, data in (("file", name, content), *more):
            head = f'Content-Disposition: form-data; name="{part}"; filename="{file}"'
            parts += f"--{SIDE}\r\n{head}\r\n\r\n".encode() + data + b"\r\n"
        kind = f"multipart/form-data; boundary={SIDE}"
        return self.ask("POST", "/file", body=parts + f"--{SIDE}--\r\n".encode(), Content_Type=kind)

    def key_of(self, name, content):
        """Send a file; return its key."""
        found = self.upload(name, content)
        assert found.status == 303, found.text
        return found.headers["location"].removeprefix("/file/")

    def answered(self, command, **values):
        """Ask a question and wait; return the address of the answer, and its page."""
        found = self.ask("POST", f"/run/{command}", body=values)
        assert found.status == 303, found.text
        at = found.headers["location"]
        for _ in range(600):
            page = self.ask("GET", at)
            if "<progress" not in page.text and "being drawn" not in page.text:
                return at, page
            time.sleep(0.1)
        raise TimeoutError(at)

    def end(self, *, signal=None):
        """End the window; return its exit status."""
        if signal is None:
            self.process.terminate()
        else:
            self.process.send_signal(signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(20)
        self.process.kill()
        raise AssertionError("the window did not end")


@pytest.fixture
def start(tmp_path):
    """Return a function that starts a window, which ends with the test."""
    started = []

    def start_window(*arguments):
        window = Window(tmp_path, *arguments)
        started.append(window)
        return window

    yield start_window
    for window in started:
        if window.process.poll() is None:
            window.end()


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    """Return one window for the tests of a file."""
    opened = Window(tmp_path_factory.mktemp("window"))
    opened.enter()
    yield opened
    opened.end()
