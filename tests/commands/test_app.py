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


def test_the_installed_command_runs():
    found = subprocess.run(
        [sys.executable, "-m", "rocstats", "--version"], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == rs.__version__
