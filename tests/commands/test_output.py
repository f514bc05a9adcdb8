from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import rocstats as rs
from rocstats import cli

WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")


def test_csv_holds_every_digit(run, data, tmp_path):
    status, out, _ = run("auc", data, *WANTED, "--format", "csv")
    (tmp_path / "out.csv").write_text(out, encoding="utf-8")
    assert status == 0
    pd.testing.assert_frame_equal(rs.read_csv(tmp_path / "out.csv"), expected_auc())


def test_json_holds_every_digit(run, data):
    _, out, _ = run("auc", data, *WANTED, "--format", "json")
    rows = json.loads(out)
    assert rows[0]["estimate"] == expected_auc()["estimate"][0]
    assert rows[0]["p_value"] is None


@pytest.mark.parametrize(
    ("form", "mark"), [("text", "area"), ("markdown", "| area |"), ("latex", r"\begin{tabular}")]
)
def test_tables_in_print(run, data, form, mark):
    status, out, _ = run("compare", data, *WANTED, "--format", form, "--style", "jama")
    assert status == 0
    assert mark in out
    assert "P value" in out
