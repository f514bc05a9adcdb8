"""The committed comparisons in short."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from validation.engines.rows import allowance

TABLE = Path(__file__).with_name("engines.csv")


def read_engines() -> pd.DataFrame:
    """Return the committed comparisons."""
    return pd.read_csv(TABLE)


def use_of_allowance(rows: pd.DataFrame) -> pd.Series[float]:
    """Return the deviation of each ratio as a share of what it may be; above 1 is a failure."""
    allowed = [
        allowance(*cells)
        for cells in zip(rows["statistic"], rows["monte_carlo_se"], rows["replicates"], strict=True)
    ]
    is_distance = rows["statistic"].str.startswith("distance")
    deviation = (rows["ratio"] - 1).abs().where(~is_distance, rows["ratio"])
    return pd.Series(deviation.to_numpy() / np.array(allowed), index=rows.index)


def summarise(rows: pd.DataFrame) -> pd.DataFrame:
    """Return for each engine how many comparisons there are and how large the deviations.

    ``z_rms`` is the root mean square of deviations in Monte-Carlo standard errors, 1 if all is
    well; ``sd_worst`` the ratio of standard deviations farthest from 1; ``of_allowance`` the
    largest deviation as a share of what is allowed.
    """
    marked = rows.assign(
        used=use_of_allowance(rows),
        z=(rows["ratio"] - 1) / rows["monte_carlo_se"].replace(0, np.nan),
        sd=rows["ratio"].where(rows["statistic"].str.startswith("sd")),
    )
    groups = marked.groupby("engine", sort=False)
    return groups.agg(
        cells=("cell", "nunique"),
        comparisons=("ratio", "size"),
        sd_worst=("sd", _farthest),
        z_rms=("z", lambda z: float(np.sqrt(np.nanmean(z**2)))),
        of_allowance=("used", "max"),
    ).reset_index()


def _farthest(ratios: pd.Series[float]) -> float:
    values = ratios.dropna().to_numpy()
    return float(values[np.argmax(np.abs(values - 1))]) if len(values) else float("nan")
