"""The pages from a file to an answer: every number is the command line's."""

from __future__ import annotations

import json
import re
import shlex
import sys
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

import rocstats as rs
from rocstats import cli

CSV = rs.load_breast_cancer().to_csv(index=False).encode()
CASES = {"outcome": "diagnosis", "positive": "malignant", "scores": ["area", "texture"]}


@pytest.fixture(scope="module")
def key(window):
    return window.key_of("masses.csv", CSV)


@pytest.fixture(scope="module")
def areas(window, key):
    return window.answered("auc", upload=key, **CASES)


def from_the_command_line(monkeypatch, *arguments):
    """Return the bytes of the frame that the command line writes here."""
    monkeypatch.setattr(sys, "argv", ["rocstats", *arguments, "--out", "answer.csv"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code in (None, 0)
    return Path("answer.csv").read_bytes()


ASKED = [
    ("auc", {**CASES, "level": "0.9"}),
    ("compare", {**CASES, "hypothesis": "non-inferiority", "margin": "0.05"}),
    ("points", {**CASES, "threshold": "area=600\ntexture=20", "prevalence": "0.05"}),
    ("cutpoint", {**CASES, "resamples": "200", "seed": "1"}),
]


@pytest.mark.parametrize(("command", "values"), ASKED)
def test_an_answer_is_that_of_its_command_line_and_of_its_lines(
    window, key, command, values, tmp_path, monkeypatch
):
    at, page = window.answered(command, upload=key, **values)
    assert page.status == 200, page.text
    csv = window.ask("GET", f"{at}/answer.csv").raw
    monkeypatch.chdir(tmp_path)
    Path("masses.csv").write_bytes(CSV)
    typed, lines = map(unescape, re.findall(r'class="copied">(.*?)</pre>', page.text, re.DOTALL))
    assert csv == from_the_command_line(monkeypatch, *shlex.split(typed)[1:])
    *before, last = lines.splitlines()
    names = {}
    exec("\n".join([*before, f"found = {last}"]), names)
    assert names["found"].to_csv(index=False, lineterminator="\n").encode() == csv


def test_the_table_is_the_printed_one(areas):
    _, page = areas
    study = rs.Study(
        "diagnosis", ["area", "texture"], data=rs.load_breast_cancer(), pos_label="malignant"
    )
    for text in rs.format_table(study.auc()).iloc[:, 1]:
        assert text in page.text


@pytest.mark.parametrize("ending", [".docx", ".xlsx", ".csv", ".html", ".tex", ".md"])
def test_answers_are_files(window, areas, ending):
    at, _ = areas
    found = window.ask("GET", f"{at}/answer{ending}")
    assert found.status == 200
    assert found.raw
    assert found.headers["content-disposition"] == f'attachment; filename="answer{ending}"'


@pytest.mark.parametrize(
    ("ending", "begins"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")]
)
def test_figures_are_files(window, areas, ending, begins):
    at, _ = areas
    found = window.ask("GET", f"{at}/figure{ending}")
    assert found.status == 200
    assert found.raw.startswith(begins)


def test_an_error_stands_at_its_field(window, key):
    _, page = window.answered("compare", upload=key, **CASES, hypothesis="non-inferiority")
    assert page.status == 422
    assert "`--margin` must" in unescape(page.text)
    assert re.search(r'<div class="field wrong">\s*<label for="f-margin">', page.text)
    # The choices are still there.
    assert re.search(r'name="scores" value="area" checked', page.text)


def test_what_is_needed_is_named(window, key):
    page = window.ask("POST", "/run/auc", body={"upload": key})
    assert page.status == 422
    assert "Choose: Outcome, Score." in page.text


def test_both_groups_are_shown(window, key):
    at = window.ask("POST", "/run/auc", body={"upload": key, **CASES, "preview": "yes"}).headers[
        "location"
    ]
    page = window.ask("GET", at)
    assert page.text.count('<svg viewBox="0 0 120 44"') == 5
    assert parse_qs(urlsplit(at).query)["scores"] == ["area", "texture"]


def test_a_workbook_and_what_is_not_right_in_it(window):
    text = "Alter;Marker\n40;1,5\n50;2,5\n60;n/a\n"
    key = window.key_of("klinik.csv", text.encode("cp1252"))
    page = window.ask("GET", f"/file/{key}?na=auto&decimal=%2C")
    assert "3 rows, 2 columns" in page.text
    assert page.text.count("<td>1.5</td>") == 1
    page = window.ask("GET", f"/file/{key}?header_row=many")
    assert "`--header-row` must be a number" in unescape(page.text)


def test_four_counts_and_a_plan_need_no_file(window):
    _, page = window.answered("table", tp="46", fp="9", fn="4", tn="91", prevalence="0.1")
    expected = rs.format_table(
        rs.Study.from_confusion(tp=46, fp=9, fn=4, tn=91).operating_points(
            threshold=1, prevalence=0.1
        )
    )
    assert expected.iloc[0, -3] in page.text or "0.920" in page.text
    _, page = window.answered("size", auc="0.8", null_auc="0.7", power="0.9")
    assert page.status == 200
    assert str(int(rs.sample_size(auc=0.8, null_auc=0.7, power=0.9)["n_pos"].iloc[0])) in page.text


def test_choices_are_kept_and_opened_again(window, key):
    kept = window.ask(
        "GET", "/choices/auc?upload=x&outcome=diagnosis&scores=area&scores=texture&level=0.9"
    )
    saved = json.loads(kept.text)
    assert saved["choices"] == {
        "outcome": ["diagnosis"],
        "scores": ["area", "texture"],
        "level": ["0.9"],
    }
    found = window.upload("masses.csv", CSV, ("choices", "auc.json", kept.raw))
    at = urlsplit(found.headers["location"])
    assert at.path == "/ask/auc"
    assert parse_qs(at.query)["scores"] == ["area", "texture"]
    other = window.upload("masses.csv", CSV, ("choices", "auc.json", b"[1]"))
    assert other.status == 422
    assert "must be a file that this window has saved" in other.text


def test_a_long_answer_can_be_stopped(window, key):
    values = {"upload": key, **CASES, "resamples": "2000000", "seed": "1"}
    at = window.ask("POST", "/run/cutpoint", body=values).headers["location"]
    assert "<progress" in window.ask("GET", at).text
    stopped = window.ask("POST", f"{at}/stop", body={})
    assert stopped.status == 303
    assert stopped.headers["location"].startswith("/ask/cutpoint?")
    assert "It was stopped." in window.ask("GET", at).text


def test_a_report_brings_its_page_under_its_own_policy(window, key):
    at, page = window.answered("report", upload=key, **CASES, prespecified="area=600")
    assert f'src="{at}/report.html"' in page.text
    found = window.ask("GET", f"{at}/report.html")
    policy = found.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy
    assert "unsafe" not in policy.split("style-src")[0]
    assert f'href="{at}/report.docx"' in page.text


def test_every_command_has_a_form(window, key):
    page = window.ask("GET", f"/file/{key}")
    for name in set(re.findall(r'href="/ask/([\w-]+)\?', page.text)):
        form = window.ask("GET", f"/ask/{name}?upload={key}")
        assert form.status == 200, name
        assert f'action="/run/{name}"' in form.text
