"""The simulations of held-out laws and of partial areas in short: tables and a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from validation.coverage.summary import LOW, NOMINAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETS = {
    "tuning": "tuning",
    "held-out-1": "held-out-1 (looked at)",
    "held-out-2": "held-out-2 (looked at)",
    "held-out-3": "held-out-3 (nothing tuned)",
}
"""The sets of settings, and what each was to the effective-sample-size interval."""

ORDER = ("effective-wilson", "newcombe", "logit-t", "logit", "wald")
LEAST_SHOWN = 0.70
_OURS, _PUBLISHED = "#c05a00", "#08519c"


def coverage_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean and worst coverage, the share of settings under 0.93 and the mean width."""
    return (
        _in_order(rows)
        .groupby(["set", "method"], observed=True)
        .agg(
            mean=("coverage", "mean"),
            worst=("coverage", "min"),
            under=("coverage", lambda coverage: float(np.mean(coverage < LOW))),
            width=("mean_width", "mean"),
        )
    )


def levels_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the same at other levels, the share of settings that fall short by their marks."""
    return rows.groupby(["confidence_level", "set", "method"], sort=False).agg(
        mean=("coverage", "mean"),
        worst=("coverage", "min"),
        under=("shortfall", "mean"),
        width=("mean_width", "mean"),
    )


def balance_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean and largest share of intervals above the true area, and below it."""
    return (
        _in_order(rows)
        .groupby(["set", "method"], observed=True)
        .agg(
            above=("miss_low", "mean"),
            above_most=("miss_low", "max"),
            below=("miss_high", "mean"),
            below_most=("miss_high", "max"),
        )
    )


def shortfalls(rows: pd.DataFrame, method: str, bound: float = LOW) -> pd.DataFrame:
    """Return the settings in which a method covers less than a bound, the worst first."""
    short = rows[(rows["method"] == method) & (rows["coverage"] < bound)]
    shown = ["set", "design", "n_pos", "n_neg", "truth", "coverage", "miss_low", "miss_high"]
    return short.sort_values("coverage")[shown].reset_index(drop=True)


def heldout_figure(rows: pd.DataFrame) -> Figure:
    """Return a figure of the coverage of every setting: a panel per set, a line per method."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 3.8), layout="constrained")
    panels = figure.subplots(1, len(SETS), sharex=True, sharey=True)
    for panel, (name, title) in zip(panels, SETS.items(), strict=True):
        _draw_set(panel, rows[rows["set"] == name])
        panel.set_title(title, fontsize=9)
    panels[0].set_yticks(range(len(ORDER)), ORDER[::-1])
    panels[0].set_xticks((0.75, 0.85, 0.95))
    figure.supxlabel(
        "Coverage of 95% intervals. Dot: one setting. Bar: median. Grey: 0.93 and over.",
        fontsize=10,
    )
    return figure


def _in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows whose sets and methods sort as they are shown."""
    methods = pd.Categorical(rows["method"], [*ORDER[::-1]], ordered=True)
    return rows.assign(method=methods, set=pd.Categorical(rows["set"], [*SETS], ordered=True))


def _draw_set(panel: Axes, rows: pd.DataFrame) -> None:
    """Draw the settings of one set, spread over the line of their method; say what is cut off."""
    panel.axvspan(LOW, 1, color="0.94", zorder=0)
    panel.axvline(NOMINAL, color="0.4", linewidth=0.8)
    for line, method in enumerate(ORDER[::-1]):
        coverage = rows.loc[rows["method"] == method, "coverage"].to_numpy()
        spread = 0.28 * np.sin(12.9898 * np.arange(len(coverage)))
        color = _OURS if method.startswith("effective") else _PUBLISHED
        panel.scatter(coverage, line + spread, s=9, color=color, alpha=0.45, linewidths=0)
        panel.vlines(np.median(coverage), line - 0.4, line + 0.4, color="black", linewidth=1.6)
        if hidden := int(np.sum(coverage < LEAST_SHOWN)):
            panel.text(LEAST_SHOWN, line + 0.25, f" {hidden} below", fontsize=8, color="0.3")
    panel.set_xlim(LEAST_SHOWN, 1.003)
    panel.set_ylim(-0.6, len(ORDER) - 0.4)


def partial_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean and worst coverage over the grid of partial areas, by range and method."""
    grid = rows[rows["set"] == "grid"]
    return grid.groupby(["range_low", "range_high", "method"], sort=False).agg(
        mean=("coverage", "mean"),
        worst=("coverage", "min"),
        under=("coverage", lambda coverage: float(np.mean(coverage < LOW))),
        width=("mean_width", "mean"),
    )


def named_partial_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the named partial areas: spread, root-mean-square standard error, coverages."""
    named = rows[rows["set"] == "named"]
    ends = (
        named["range_low"].map("{:.1f}".format) + " to " + named["range_high"].map("{:.1f}".format)
    )
    sizes = named["n_pos"].astype(str) + "/" + named["n_neg"].astype(str)
    named = named.assign(sizes=sizes, range=ends)
    key = ["auc", "sizes", "range"]
    moments = ["truth", "mean", "sd", "rms_se"]
    spread = named[named["n_resamples"] == 0].groupby(key, sort=False)[moments].first()
    coverage = named.pivot(index=key, columns="method", values="coverage")
    return spread.join(
        coverage[["wald", "logit", "logit-t", "effective-wilson", "percentile", "bca"]]
    ).reset_index()


def crowded_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return coverage of areas from 0 by the negatives expected in the range, and the method."""
    closed = rows[
        rows["method"].isin(["logit", "logit-t", "effective-wilson"]) & (rows["range_low"] == 0)
    ]
    expected = (closed["n_neg"] * closed["range_high"]).round(6)
    groups = pd.cut(expected, [0, 2, 5, 10, 20], labels=["to 2", "2 to 5", "5 to 10", "over 10"])
    return closed.groupby([groups.rename("negatives"), "method"], observed=True).agg(
        settings=("coverage", "size"),
        mean=("coverage", "mean"),
        worst=("coverage", "min"),
        width=("mean_width", "mean"),
    )
