"""The simulated coverage in short: a table over all cells, and a figure of every cell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from validation.coverage.designs import AREAS, DESIGNS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AUC_TABLE = Path(__file__).with_name("auc.csv")
RESAMPLED_TABLE = Path(__file__).with_name("auc_resampled.csv")
NOMINAL = 0.95
LOW = 0.93
_BLUES = ("#9ecae1", "#4292c6", "#08519c", "#041e42")


def read_auc() -> pd.DataFrame:
    """Return the committed simulation of the AUC, a row per cell and method."""
    return pd.read_csv(AUC_TABLE)


def summarise(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean, least and largest coverage over the cells of each method, in order of rows.

    ``share_low`` is the share of cells that cover less than 0.93; ``miss_low`` and ``miss_high``
    are means of the shares of intervals above, and below, the true area.
    """
    groups = rows.groupby("method", sort=False)
    return groups.agg(
        mean=("coverage", "mean"),
        min=("coverage", "min"),
        max=("coverage", "max"),
        share_low=("coverage", lambda coverage: float(np.mean(coverage < LOW))),
        miss_low=("miss_low", "mean"),
        miss_high=("miss_high", "mean"),
        mean_width=("mean_width", "mean"),
    ).reset_index()


def coverage_figure(rows: pd.DataFrame) -> Figure:
    """Return a figure of the coverage of every cell: a panel per design, a line per method."""
    from matplotlib.figure import Figure

    methods = list(summarise(rows).sort_values("mean")["method"])
    figure = Figure(figsize=(10, 0.9 + 0.38 * len(methods)), layout="constrained")
    axes = figure.subplots(1, len(DESIGNS), sharex=True, sharey=True)
    for panel, design in zip(axes, DESIGNS, strict=True):
        _draw_panel(panel, rows[rows["design"] == design], methods)
        panel.set_title(design.replace("-", " "))
    axes[0].set_yticks(range(len(methods)), methods)
    figure.supxlabel("Coverage of 95% intervals; each dot is one pair of class sizes")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(AREAS), frameon=False)
    return figure


def _draw_panel(panel: Axes, rows: pd.DataFrame, methods: list[str]) -> None:
    """Draw the cells of one design, the areas of a method under one another."""
    panel.axvline(NOMINAL, color="0.4", linewidth=0.8)
    panel.axvspan(LOW, 1, color="0.94", zorder=0)
    for k, auc in enumerate(AREAS):
        cells = rows[rows["auc"] == auc]
        line = cells["method"].map(methods.index) + 0.18 * (1.5 - k)
        panel.scatter(
            cells["coverage"], line, s=14, color=_BLUES[k], label=f"AUC {auc:.2f}", linewidths=0
        )
    panel.set_ylim(-0.6, len(methods) - 0.4)
    panel.grid(axis="y", color="0.9", linewidth=0.6)
    panel.set_axisbelow(True)
