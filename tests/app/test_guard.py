"""What the window refuses: every attack has its test."""

from __future__ import annotations

import contextlib
import io
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

CSV = b"y,a\n1,2.5\n0,1.5\n1,3.5\n0,0.5\n"


def test_the_address_is_good_once(start):
    window = start()
    assert window.ask("GET", "/").status == 403
    window.enter()
    assert window.ask("GET", "/").status == 200
    window.cookie = ""
    again = window.ask("GET", window.entrance)
    assert again.status == 403
    assert "was used" in again.text


@pytest.mark.parametrize("token", ["", "?token=", "?token=guess", "?token=%00"])
def test_a_guessed_token_opens_nothing(start, token):
    window = start()
    assert window.ask("GET", f"/enter{token}").status == 403
    window.enter()


def test_the_cookie_is_strict(start):
    window = start()
    found = window.ask("GET", window.entrance)
    words = found.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(words)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "", None])
def test_another_host_is_refused(window, host):
    assert window.ask("GET", "/", Host=host).status in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", None])
def test_another_origin_changes_nothing(window, origin):
    for path in ("/example", "/file", "/run/auc"):
        assert window.ask("POST", path, body={}, Origin=origin).status == 403


def test_another_page_cannot_read(window):
    found = window.ask("GET", "/", Origin="http://evil.example")
    assert found.status == 403
    found = window.ask("GET", "/")
    assert not [name for name in found.headers if name.startswith("access-control")]
    assert "default-src 'none'" in found.headers["content-security-policy"]
    assert "unsafe" not in found.headers["content-security-policy"]
    assert found.headers["cache-control"] == "no-store"


def test_it_listens_on_this_computer_alone(window):
    table = Path("/proc/net/tcp")
    if not table.exists():
        pytest.skip("only Linux lists its sockets in a file")
    rows = [line.split() for line in table.read_text().splitlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A"]
    mine = [at for at in listening if at.endswith(f":{window.port:04X}")]
    assert mine == [f"0100007F:{window.port:04X}"]


@pytest.mark.parametrize(
    "name", ["../../evil.csv", "..\\\\evil.csv", "/etc/evil.csv", "a/../b.csv"]
)
def test_a_name_has_no_folder(window, name):
    key = window.key_of(name, CSV)
    page = window.ask("GET", f"/file/{key}")
    assert page.status == 200
    kept = list(window.folder.rglob("*.csv"))
    assert all(path.parent.name.startswith("file-") for path in kept)
    assert {path.name for path in kept} <= {"evil.csv", "b.csv"}


@pytest.mark.parametrize(
    "path", ["/job/../x", "/job/x/..%2f..%2fetc%2fpasswd", "/file/..%2fx", "/style.css/../x"]
)
def test_paths_lead_nowhere(window, path):
    assert window.ask("GET", path).status in (404, 422)


def test_a_file_of_500_mb_is_refused(window):
    found = window.ask("POST", "/file", body=b"x", Content_Length=str(500 * 2**20))
    assert found.status == 413


def test_a_body_without_a_length_is_counted(window, monkeypatch):
    # The limit of this window is that of the package: 210 chunks of 1 MB pass it.
    import http.client

    def chunks():
        side = "----side"
        yield (
            f'--{side}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        ).encode()
        for _ in range(210):
            yield b"0" * 2**20

    connection = http.client.HTTPConnection("127.0.0.1", window.port, timeout=60)
    own = f"127.0.0.1:{window.port}"
    headers = {"Host": own, "Origin": f"http://{own}", "Cookie": window.cookie,
               "Content-Type": "multipart/form-data; boundary=----side"}  # fmt: skip
    try:
        connection.request("POST", "/file", chunks(), headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # the window has hung up
    finally:
        connection.close()
    assert window.ask("GET", "/").status == 200


def test_10_000_columns_are_refused(window):
    names = ",".join(f"c{k}" for k in range(10_000))
    key = window.key_of("wide.csv", f"{names}\n{','.join('1' * 10_000)}\n".encode())
    page = window.ask("GET", f"/file/{key}")
    assert page.status == 200
    assert "must have at most 500 columns" in page.text


def test_a_zip_bomb_is_not_unpacked(window):
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for k in range(11):
            archive.writestr(f"xl/part{k}.xml", b"0" * (100 * 2**20))
    assert len(kept.getvalue()) < 10 * 2**20
    found = window.upload("bomb.xlsx", kept.getvalue())
    assert found.status == 422
    assert "must unpack to at most" in found.text


def test_marks_in_names_and_labels_are_text(window):
    script = "<script>alert(1)</script>"
    lines = f'y,"{script}"\n"<b>ill</b>",2\nwell,1\n"<b>ill</b>",4\nwell,3\n=1+1,2\n'.replace(
        "=1+1,2\n", ""
    )
    key = window.key_of("marks.csv", lines.encode())
    values = {"upload": key, "outcome": "y", "positive": "<b>ill</b>", "scores": script}
    pages = [window.ask("GET", f"/file/{key}"), window.answered("auc", **values)[1]]
    for page in pages:
        assert page.status == 200
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert(1)" in page.text
    assert "<b>ill" not in pages[1].text


def test_two_windows_share_nothing(start):
    first, second = start(), start()
    first.enter()
    second.enter()
    key = first.key_of("a.csv", CSV)
    assert second.ask("GET", f"/file/{key}").status == 422
    assert second.ask("GET", "/", Cookie=first.cookie).status == 403


@pytest.mark.parametrize("number", ["SIGTERM", "SIGINT"])
def test_nothing_is_left_after_an_end_in_mid_work(start, number):
    window = start()
    window.enter()
    rows = "".join(f"{k % 2},{(k * 7919) % 1000}\n" for k in range(20_000))
    key = window.key_of("a.csv", f"y,a\n{rows}".encode())
    values = {"upload": key, "outcome": "y", "scores": "a", "positive": "1", "resamples": "200000"}
    found = window.ask("POST", "/run/band", body={**values, "method": "fixed-width"})
    assert found.status == 303
    time.sleep(1.5)
    kept = [path for path in window.folder.iterdir() if path.name.startswith("rocstats-")]
    assert len(kept) == 1
    window.end(signal=getattr(signal, number))
    assert [path for path in window.folder.iterdir() if path.name.startswith("rocstats-")] == []
    others = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended since
            others.append(command.read_bytes().decode("utf-8", "replace"))
    assert not [command for command in others if str(window.folder) in command]


def test_nothing_is_logged(window):
    window.key_of("secret-name.csv", CSV)
    said = window.said.read_text()
    assert "Ctrl+C" in said
    assert "secret-name" not in said


def test_without_its_packages_the_command_says_what_to_install():
    code = "import sys; sys.modules['uvicorn'] = None; from rocstats.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", code, "app"], capture_output=True, text=True)
    assert run.returncode == 2
    assert "pip install 'rocstats[app]'" in run.stderr
