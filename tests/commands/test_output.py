from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys

import pandas as pd
import pytest

import rocstats as rs
from rocstats import cli
from rocstats.commands.output import Output, _values_common_to_all_printed_rows
from tests.commands.conftest import DESK, WANTED


def test_csv_holds_every_digit(run, data, study, tmp_path):
    status, out, _ = run("auc", data, *WANTED, "--format", "csv")
    (tmp_path / "out.csv").write_text(out, encoding="utf-8")
    assert status == 0
    pd.testing.assert_frame_equal(rs.read_csv(tmp_path / "out.csv"), study.auc())


@pytest.mark.parametrize(
    ("form", "mark"), [("text", "area"), ("markdown", "| area |"), ("latex", r"\begin{tabular}")]
)
def test_tables_in_print(run, data, form, mark):
    status, out, _ = run("compare", data, *WANTED, "--format", form, "--style", "jama")
    assert status == 0
    assert mark in out
    assert "P value" in out


@pytest.mark.parametrize("ending", [".csv", ".md", ".html", ".tex", ".docx", ".xlsx"])
def test_out_writes_what_the_library_saves(run, data, study, tmp_path, ending):
    out, other = tmp_path / f"table{ending}", tmp_path / f"other{ending}"
    status, printed, _ = run("auc", data, *WANTED, "--out", out, "--style", "jama")
    assert (status, printed) == (0, f"{out}\n")
    rs.save_table(study.auc(), other, style="jama")
    assert out.read_bytes() == other.read_bytes()


def test_out_with_json_holds_what_is_printed(run, data, tmp_path):
    out = tmp_path / "table.json"
    run("auc", data, *WANTED, "--out", out)
    assert out.read_text(encoding="utf-8") == run("auc", data, *WANTED, "--format", "json")[1]


def test_out_never_replaces_a_file_unless_forced(run, data, tmp_path):
    out = tmp_path / "table.csv"
    out.write_text("mine", encoding="utf-8")
    status, printed, err = run("auc", data, *WANTED, "--out", out)
    assert (status, printed, out.read_text(encoding="utf-8")) == (2, "", "mine")
    assert err.startswith(f"rocstats: error: `--out` must be a new file; got {str(out)!r}")
    assert run("auc", data, *WANTED, "--out", out, "--force")[0] == 0
    assert out.read_text(encoding="utf-8").startswith("predictor,")


def test_out_is_refused_before_anything_is_computed(run, tmp_path):
    _, _, err = run("auc", "no_such_file.csv", "y", "s", "--out", tmp_path / "table.doc")
    assert "`--out` must end in" in err


# Written in half, then ended by a signal to the process, as a scheduler or a closed terminal sends.
ENDED = """
import os, signal, sys
from pathlib import Path
from rocstats import cli

def half(self, content):
    with self.open("wb") as file:
        file.write(content[:20])
    os.kill(os.getpid(), signal.{name})

Path.write_bytes = half
# Under nohup it is ignored, which the command respects.
signal.signal(signal.{name}, signal.SIG_DFL)
cli.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a signal")
@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_leaves_the_old_file_and_no_half_one(tmp_path, name, status):
    out = tmp_path / "table.csv"
    out.write_text("old", encoding="utf-8")
    words = ("table", "670", "202", "74", "640", "--out", str(out), "--force")
    code = ENDED.format(name=name)
    ended = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=False)
    assert ended.returncode == status
    assert b"Traceback" not in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
    assert out.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("ending", ["csv", "json", "svg"])
def test_a_replaced_file_keeps_its_permissions_and_links(run, data, tmp_path, ending):
    real, link = tmp_path / f"real.{ending}", tmp_path / f"link.{ending}"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o600)
    link.symlink_to(real)
    command = "plot" if ending == "svg" else "auc"
    assert run(command, data, *WANTED, "--out", link, "--force")[:2] == (0, f"{link}\n")
    assert link.is_symlink()
    assert len(real.read_bytes()) > 100
    assert real.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["patients.csv", "sub/../patients.csv", "link.csv", "hard.csv"])
def test_out_is_never_the_file_that_is_read(run, data, tmp_path, name):
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.csv").symlink_to(data)
    (tmp_path / "hard.csv").hardlink_to(data)
    before = data.read_bytes()
    out = f"{tmp_path}/{name}"
    status, printed, err = run("auc", data, *WANTED, "--out", out, "--force")
    assert (status, printed, data.read_bytes()) == (2, "", before)
    message = f"`--out` must be a different file from the data; got {out!r}, the same file as"
    assert err.startswith(f"rocstats: error: {message} {str(data)!r}.")


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("plot", "DATA", *WANTED, "--out", "PICTURE"), "--out"),
        (("calibration", "DATA", "diagnosis", "area", "--figure", "PICTURE"), "--figure"),
        (("net-benefit", "DATA", "diagnosis", "area", "--figure", "PICTURE"), "--figure"),
        (("subgroups", "DATA", *WANTED, "--by", "texture", "--figure", "PICTURE"), "--figure"),
        (("table", "--file", "DATA", "--figure", "PICTURE"), "--figure"),
    ],
)
def test_no_figure_replaces_the_file_that_is_read(run, data, tmp_path, words, option):
    picture = tmp_path / "roc.svg"
    picture.symlink_to(data)
    before = data.read_bytes()
    names = {"DATA": data, "PICTURE": picture}
    more = ("--risk-threshold", "0.1") if words[0] == "net-benefit" else ()
    status, _, err = run(*(names.get(word, word) for word in words), *more, "--force")
    assert (status, data.read_bytes()) == (2, before)
    assert f"`{option}` must be a different file from the data" in err


def test_standard_input_is_not_replaced_either(data):
    before = data.read_bytes()
    command = [sys.executable, "-m", "rocstats", "auc", "-", *WANTED, "--out", str(data), "--force"]
    with data.open("rb") as rows:
        ended = subprocess.run(command, stdin=rows, capture_output=True, check=False)
    assert (ended.returncode, data.read_bytes()) == (2, before)
    assert b"the same file as '-'" in ended.stderr


def test_digits_are_those_of_the_library(run, data, study):
    out = run("auc", data, *WANTED, "--digits", "1")[1]
    for cell in rs.format_table(study.auc(), digits=1)["AUC (95% CI)"]:
        assert cell in out


def test_a_wide_table_has_a_column_for_each_measure(run, data, study):
    words = ("--threshold", "area=600", "--quantity", "tpr", "--quantity", "tnr")
    out = run("points", data, *WANTED, *words, "--layout", "wide")[1]
    points = study.operating_points(threshold={"area": 600}, quantities=["tpr", "tnr"])
    table = rs.format_table(points, layout="wide")
    assert out.startswith(table.to_string(index=False))
    assert len(table) == 1


def test_labels_are_printed_and_csv_keeps_the_names(run, data):
    words = ("--label", "area=Nuclear area", "--outcome-name", "cancer")
    assert "Nuclear area" in run("auc", data, *WANTED, *words)[1]
    assert "\narea," in run("auc", data, *WANTED, *words, "--format", "csv")[1]


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_values_of_all_rows_are_said_once(run, form):
    words = ("--auc", "0.8", "--n-pos", "40", "--n-pos", "60", "--n-neg", "50")
    status, out, _ = run("power", *words, "--format", form)
    assert status == 0
    assert "50; assumed 0.8; " in out
    assert "In all rows: design one-auc; " in out


def test_a_long_curve_is_printed_whole(run, data, study):
    out = run("curve", data, "diagnosis", "area", "--positive", "malignant")[1]
    table = out.split("\n\n")[0].splitlines()
    assert len(table) == 1 + (study.roc_curve()["predictor"] == "area").sum()


@pytest.mark.parametrize(("watched", "bars"), [(True, True), (False, False)])
def test_bars_are_for_a_terminal_only(run, data, monkeypatch, watched, bars):
    seen = []
    monkeypatch.setattr(rs.Study, "auc", lambda _, **asked: seen.append(asked["progress"]))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched, raising=False)
    monkeypatch.setattr(Output, "write", lambda *_, **__: None)
    run("auc", data, *WANTED)
    assert seen == [bars]


def test_a_closed_pipe_is_silent():
    ended = with_a_closed_pipe("-m", "rocstats", "table", "670", "202", "74", "640")
    said = [line for line in ended.stderr.splitlines() if "true positives" not in line]
    assert (ended.returncode, said) == (141, [])


def test_the_help_is_silent_too_and_loads_no_heavy_library():
    # One process for both: to start one takes a second.
    ended = with_a_closed_pipe("-X", "importtime", "-m", "rocstats", "--help")
    lines = ended.stderr.splitlines()
    imports = [line for line in lines if line.startswith("import time:")]
    assert (ended.returncode, lines) == (141, imports)
    loaded = {line.rpartition("|")[2].strip() for line in imports}
    assert "rocstats.cli" in loaded
    assert not loaded.intersection(("matplotlib", "scipy.stats", "statsmodels", "jinja2"))


# --- Streams that lack letters --------------------------------------------------------------------


@pytest.fixture
def run_in(app, data, monkeypatch):
    """Run a command of the file of patients; return what it wrote in an encoding, and its notes."""
    monkeypatch.setattr(cli, "app", app)

    def call(encoding, command, *words):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2)]
        monkeypatch.setattr(sys, "stdout", streams[0])
        monkeypatch.setattr(sys, "stderr", streams[1])
        monkeypatch.setattr(sys, "argv", ["rocstats", command, *map(str, (data, *words))])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        for stream in streams:
            stream.flush()
        assert not stop.value.code
        return [stream.buffer.getvalue().decode(encoding) for stream in streams]

    return call


def in_ascii(text):
    for sign, spelling in {"≥": ">=", "≤": "<=", "−": "-", "“": '"', "”": '"'}.items():
        text = text.replace(sign, spelling)
    return text


POINTS = ("points", *WANTED, "--threshold", "texture=20", "--threshold", "area=700")
PRINTED = [
    POINTS,
    (*POINTS, "--layout", "wide"),
    (*POINTS, "--format", "markdown"),
    ("cutpoint", *WANTED, "--seed", "1", "--resamples", "100", "--methods"),
    ("compare", "diagnosis", "texture", "area", *WANTED[3:]),
]


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "latin-1"])
@pytest.mark.parametrize("words", PRINTED)
def test_a_stream_without_signs_has_them_spelled_and_every_number(run_in, words, encoding):
    whole, notes = run_in("utf-8", *words)
    printed = run_in(encoding, *words)
    assert any(sign in whole for sign in "≥−")
    assert list(map(in_ascii, printed)) == list(map(in_ascii, (whole, notes)))


def test_names_that_a_stream_lacks_are_escaped(run_in):
    named = ("--label", "area=Fläche µ≥面🙂")
    text, _ = run_in("cp1252", "auc", *WANTED, *named)
    assert "Fläche µ>=\\u9762\\ud83d\\ude42" in text


def test_json_on_any_stream_holds_the_same(run_in, data):
    renamed = data.read_text(encoding="utf-8").replace("texture", "µ≥面", 1)
    data.write_text(renamed, encoding="utf-8")
    words = ("auc", "diagnosis", "µ≥面", "--positive", "malignant", "--format", "json")
    rows = [json.loads(run_in(encoding, *words)[0]) for encoding in ("utf-8", "cp1252", "cp437")]
    assert rows[0][0]["predictor"] == "µ≥面"
    assert rows[0] == rows[1] == rows[2]


def test_a_pipe_of_another_encoding_is_no_traceback():
    words = ["table", "161", "51", "10", "347", "--layout", "wide"]
    ended = subprocess.run(
        [sys.executable, "-m", "rocstats", *words], capture_output=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert ended.returncode == 0
    assert "LR-" in ended.stdout.decode("cp1252")


def with_a_closed_pipe(*words):
    """Run Python with words; nobody reads what it prints."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run(
            [sys.executable, *words], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writing)


def test_a_file_name_in_another_encoding_is_named_in_the_report(
    run, refused, data, tmp_path, monkeypatch
):
    file = data.rename(tmp_path / "stra\udcdfe.csv")
    words = (file, "diagnosis", "area", "--positive", "malignant", "--out", tmp_path / "report")
    assert run("report", *words)[0] == 0
    assert "stra\ufffde.csv" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    said = refused("auc", *words[:5], "--label", "area=Fl\udce4che")
    assert "`--label` must be text that can be written; got 'Fl\\udce4che'" in said
    said = refused("report", *words[:5], "--title", "Fl\udce4che", "--out", tmp_path / "x")
    assert "`--title` must be text that can be written" in said


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("name", ["saturated", "round"])
def test_a_printed_cutoff_calls_the_same_cases(run, name, form):
    path = DESK / f"{name}.csv"
    risk = pd.read_csv(path)["risk"]
    words = ("ill", "risk", "--seed", "1", "--format")
    _, out, _ = run("cutpoint", path, *words, "csv")
    used = pd.read_csv(io.StringIO(out))["threshold"].iloc[0]
    _, out, _ = run("cutpoint", path, *words, form)
    printed = {float(text) for text in re.findall(r"≥ (\d\.\d+)", out)}
    assert printed
    for cutoff in printed:
        assert (risk >= cutoff).equals(risk >= used)


def test_a_cutoff_that_all_rows_share_is_said_so_that_it_calls_alike():
    data = pd.read_csv(DESK / "saturated.csv")
    frame = rs.Study("ill", "risk", data=data).cutpoints(rng=1)
    (line,) = _values_common_to_all_printed_rows(rs.brief(frame))
    assert "next_score" not in line
    cutoff = float(re.search(r"; threshold (\S+);", line).group(1))
    assert (data["risk"] >= cutoff).equals(data["risk"] >= frame["threshold"].iloc[0])


def test_methods_come_with_numbered_references(run, data):
    _, out, _ = run("compare", data, *WANTED, "--methods")
    paragraph, *references = out.split("\n\n")[-1].splitlines()
    assert "by the Mann-Whitney statistic, ties counting one half [1]." in paragraph
    assert "by the method of DeLong et al [2]." in paragraph
    assert [line[:13] for line in references] == ["1. Hanley JA,", "2. DeLong ER,"]
