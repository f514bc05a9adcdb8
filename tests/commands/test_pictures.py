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


def test_the_report_and_its_files(run, data, tmp_path):
    out = tmp_path / "new" / "report"
    status, printed, _ = run("report", data, *WANTED, "--out", out)
    assert status == 0
    names = {
        "report.html",
        "auc.csv",
        "roc_curve.csv",
        "compare_auc.csv",
        "test_equal_auc.csv",
        "roc_band.csv",
        "roc.svg",
        "roc.png",
    }
    assert {path.name for path in out.iterdir()} == names
    assert {Path(line).name for line in printed.splitlines()} == names
    pd.testing.assert_frame_equal(rs.read_csv(out / "auc.csv"), expected_auc())
    assert (out / "roc.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_example_needs_no_arguments(run, tmp_path):
    status, _, _ = run("report", "--example", "--out", tmp_path / "r")
    page = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert status == 0
    assert "malignan" in page
