"""The simulated bands in short: tables of containment and width, and a figure of every cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from validation.coverage.band_methods import read_methods
from validation.coverage.bands import TABLE, read_bands

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOMINAL = 0.95
LOW = 0.93
CELL = ["design", "n_pos", "n_neg"]
_COLOURS = ("#041e42", "#08519c", "#4292c6", "#9ecae1", "#a8321a", "#dba92a")


def read_rotated() -> pd.DataFrame:
    """Return the simulation of the rotated bands and of the envelope on the same samples."""
    peer = pd.read_csv(TABLE.with_name("bands_rocci.csv"))
    return pd.concat([read_bands(), peer], ignore_index=True)


def compare_widths(rows: pd.DataFrame) -> pd.DataFrame:
    """Return containment and width of each band over the cells of each set.

    ``under`` is the share of cells that contain less than 0.93; ``width_ratio`` the mean over cells
    of the mean width over that of the fixed-width band, ``narrower`` the share of cells below 1.
    """
    fixed = rows[rows["method"] == "fixed-width"].set_index(["set", *CELL])["mean_width"]
    ratio = rows["mean_width"] / fixed.reindex(pd.MultiIndex.from_frame(rows[["set", *CELL]])).array
    groups = rows.assign(ratio=ratio).groupby(["set", "method"], sort=False)
    return groups.agg(
        cells=("containment", "size"),
        mean=("containment", "mean"),
        worst=("containment", "min"),
        most=("containment", "max"),
        under=("containment", lambda containment: float(np.mean(containment < LOW))),
        width_ratio=("ratio", "mean"),
        narrower=("ratio", lambda ratio: float(np.mean(ratio < 1))),
    )


def every_cell(rows: pd.DataFrame) -> pd.DataFrame:
    """Return "containment / mean width" of each cell, a column a band."""
    shown = [
        f"{containment:.3f} / {width:.3f}"
        for containment, width in zip(rows["containment"], rows["mean_width"], strict=True)
    ]
    return rows.assign(shown=shown).pivot_table(
        index=CELL, columns="method", values="shown", sort=False, aggfunc="first"
    )


def summarise_methods() -> pd.DataFrame:
    """Return mean, least and largest containment and the mean width of every kind of band."""
    groups = read_methods().groupby("method", sort=False)
    return groups.agg(
        mean=("containment", "mean"),
        worst=("containment", "min"),
        most=("containment", "max"),
        mean_width=("mean_width", "mean"),
    )


def band_figure() -> Figure:
    """Return a figure of the containment of every cell: a line a band, a colour a design."""
    from matplotlib.figure import Figure

    rows = read_methods()
    ours = read_bands().query("method == 'smoothed-score' and set == 'main'")
    rows = pd.concat([rows, ours[ours["design"].isin(rows["design"])]], ignore_index=True)
    methods = list(rows.groupby("method")["containment"].mean().sort_values().index)
    figure = Figure(figsize=(8, 0.9 + 0.34 * len(methods)), layout="constrained")
    panel = figure.subplots()
    panel.axvspan(LOW, 1, color="0.94", zorder=0)
    panel.axvline(NOMINAL, color="0.4", linewidth=0.8)
    for k, (design, cells) in enumerate(rows.groupby("design", sort=False)):
        line = cells["method"].map(methods.index) + 0.15 * (1.5 - k)
        panel.scatter(
            cells["containment"], line, s=14, color=_COLOURS[k], label=design, linewidths=0
        )
    panel.set_yticks(range(len(methods)), methods)
    panel.set(ylim=(-0.6, len(methods) - 0.4), xlim=(-0.02, 1.02))
    panel.grid(axis="y", color="0.9", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.set_xlabel("Share of samples whose 95% band holds the whole true curve")
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure
