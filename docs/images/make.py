"""Draw the figures of the README and of the start page: python docs/images/make.py.

The picture of the report needs a browser, and is left as it is without one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import rocstats as rs
from validation.coverage.heldout import read_heldout

HERE = Path(__file__).parent
# What a laptop shows of the page without scrolling.
WINDOW = "1180,1010"


def draw_roc() -> None:
    """Draw the curves of three predictors."""
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "rocstats"
    study = rs.Study(
        "diagnosis",
        ["concave_points", "area", "texture"],
        data=rs.load_breast_cancer(),
        pos_label="malignant",
    )
    ax = rs.plot_roc(study.roc_curve(), auc=study.auc())
    ax.figure.savefig(HERE / "readme_roc.svg", metadata={"Date": None})


def draw_models() -> None:
    """Draw the differences of three new models from the one in use, and a margin."""
    rng = np.random.default_rng(5)
    y = rng.random(1500) < 0.3
    shared = rng.normal(size=1500)
    strengths = {"new, large": 1.75, "new, small": 1.42, "new, tiny": 1.1, "in use": 1.4}
    scores = {
        name: strength * y + 0.8 * shared + 0.6 * rng.normal(size=1500)
        for name, strength in strengths.items()
    }
    found = rs.Study(y, scores).compare_auc(reference="in use")
    figure, ax = plt.subplots(figsize=(3.35, 2.6), layout="constrained")
    for place, row in enumerate(found.itertuples()):
        ax.plot([row.ci_low, row.ci_high], [-place] * 2, color="#17204f", linewidth=1.6)
        ax.plot(row.estimate, -place, "s", color="#17204f", markersize=6)
    ax.axvline(0, color="0.5", linestyle=":", linewidth=0.8)
    ax.axvline(-0.01, color="#a8321a", linewidth=0.8)
    ax.set_ylim(-2.6, 0.8)
    ax.text(-0.012, 0.5, "margin", fontsize=7.5, color="#a8321a", ha="right")
    ax.set_xticks([-0.1, -0.05, 0, 0.05])
    ax.set_yticks([0, -1, -2], found["predictor"], fontsize=8)
    ax.tick_params(axis="x", labelsize=7.5)
    ax.set_xlabel("AUC, new model minus the one in use", fontsize=8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    figure.savefig(HERE / "models.svg", metadata={"Date": None})


def draw_coverage() -> None:
    """Draw how often three intervals of an area cover, over all simulated settings."""
    cells = read_heldout()
    figure, ax = plt.subplots(figsize=(3.35, 2.6), layout="constrained")
    for line, method in enumerate(["wald", "newcombe", "logit-t"]):
        coverage = cells.loc[cells["method"] == method, "coverage"]
        # spread at random, so that the many settings near the level can be seen
        heights = line + np.random.default_rng(1).uniform(-0.3, 0.3, len(coverage))
        look = {"color": "#17204f", "alpha": 0.35, "linewidths": 0}
        ax.scatter(coverage, heights, s=3, **look)
    ax.axvline(0.95, color="#a8321a", linewidth=0.8)
    ax.set_yticks([0, 1, 2], ["Wald", "Newcombe", "default"], fontsize=8)
    ax.tick_params(axis="x", labelsize=7.5)
    ax.set_xlabel("Coverage of 95% intervals, a dot a setting", fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "coverage.png", dpi=200, metadata={"Software": None})


def show_report() -> None:
    """Take a picture of the report that `rocstats report --example` writes."""
    browser = shutil.which("chromium")
    if browser is None:
        print("no browser: report.png stays as it is")
        return
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with TemporaryDirectory() as folder:
        command = ["rocstats", "report", "--example", "--kind", "html", "--out", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        view = f"{(Path(folder) / 'report.html').as_uri()}#p=texture&prev=10"
        subprocess.run(
            [browser, "--headless", *root, "--disable-gpu", "--hide-scrollbars",
             f"--window-size={WINDOW}", "--virtual-time-budget=3000",
             f"--screenshot={HERE / 'report.png'}", view],
            check=True, capture_output=True,
        )  # fmt: skip


if __name__ == "__main__":
    draw_roc()
    draw_models()
    draw_coverage()
    show_report()
