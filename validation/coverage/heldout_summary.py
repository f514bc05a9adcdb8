"""The simulations of held-out laws and of partial areas in short: tables and a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from validation.coverage.summary import LOW, NOMINAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETS = {"tuning": "set 0: tuned on", "held-out-1": "set 1: looked at", "held-out-2": "set 2: apart"}
"""The sets of settings, and what each was to the effective-sample-size intervals."""

ORDER = ("effective-wilson-t", "effective-wilson", "newcombe", "logit-t", "logit", "wald")
LEAST_SHOWN = 0.70


def coverage_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean and worst coverage, the share of settings under 0.93 and the mean width."""
    return _by_set(rows).agg(
        mean=("coverage", "mean"),
        worst=("coverage", "min"),
        under=("coverage", lambda coverage: float(np.mean(coverage < LOW))),
        width=("mean_width", "mean"),
    )


def balance_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean and largest share of intervals above the true area, and below it."""
    return _by_set(rows).agg(
        above=("miss_low", "mean"),
        above_most=("miss_low", "max"),
        below=("miss_high", "mean"),
        below_most=("miss_high", "max"),
    )


def shortfalls(rows: pd.DataFrame, method: str, bound: float = LOW) -> pd.DataFrame:
    """Return the settings in which a method covers less than a bound, the worst first."""
    short = rows[(rows["method"] == method) & (rows["coverage"] < bound)]
    shown = ["set", "design", "n_pos", "n_neg", "truth", "coverage", "miss_low", "miss_high"]
    return short.sort_values("coverage")[shown].reset_index(drop=True)


def heldout_figure(rows: pd.DataFrame) -> Figure:
    """Return a figure of the coverage of every setting: a panel per set, a line per method."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.6), layout="constrained")
    panels = figure.subplots(1, len(SETS), sharex=True, sharey=True)
    for panel, (name, title) in zip(panels, SETS.items(), strict=True):
        _draw_set(panel, rows[rows["set"] == name])
        panel.set_title(title, fontsize=11)
    panels[0].set_yticks(range(len(ORDER)), ORDER[::-1])
    figure.supxlabel("Coverage of 95% intervals; a dot is one setting, the bar their median")
    return figure


def _by_set(rows: pd.DataFrame) -> pd.core.groupby.DataFrameGroupBy:
    names = pd.Categorical(rows["method"], [*ORDER[::-1]], ordered=True)
    return rows.assign(method=names, set=pd.Categorical(rows["set"], [*SETS])).groupby(
        ["set", "method"], observed=True
    )


def _draw_set(panel: Axes, rows: pd.DataFrame) -> None:
    """Draw the settings of one set, spread over the line of their method; say what is cut off."""
    panel.axvspan(LOW, 1, color="0.94", zorder=0)
    panel.axvline(NOMINAL, color="0.4", linewidth=0.8)
    for line, method in enumerate(ORDER[::-1]):
        coverage = rows.loc[rows["method"] == method, "coverage"].to_numpy()
        spread = 0.28 * np.sin(12.9898 * np.arange(len(coverage)))
        color = "#c05a00" if method.startswith("effective") else "#08519c"
        panel.scatter(coverage, line + spread, s=9, color=color, alpha=0.45, linewidths=0)
        panel.vlines(np.median(coverage), line - 0.4, line + 0.4, color="black", linewidth=1.6)
        if hidden := int(np.sum(coverage < LEAST_SHOWN)):
            panel.text(LEAST_SHOWN, line + 0.25, f" {hidden} below", fontsize=8, color="0.3")
    panel.set_xlim(LEAST_SHOWN, 1.003)
    panel.set_ylim(-0.6, len(ORDER) - 0.4)
