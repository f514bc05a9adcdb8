"""Cutoffs that a study names: set beforehand, or chosen after seeing the data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.criteria import CRITERIA
from rocstats.facts.measures import PREDICTIVE_VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator


# Quantile dots: each is 1 in 50 resamples.
_DOTS = 50

# The logistic function of it is 1, and of its negative 0, to all digits.
_CERTAIN = 1000.0


class Preset(NamedTuple):
    """A cutoff with its results, as JSON builtins."""

    threshold: float
    next_score: float
    """The nearest score that is not called positive; NaN to print the threshold in full."""
    record: dict[str, Any]


def presets_of(
    cutpoints: pd.DataFrame | None, draws: pd.DataFrame | None, points: pd.DataFrame | None
) -> list[Preset]:
    """Return the cutoffs of one predictor and group; those set beforehand come first.

    Parameters
    ----------
    cutpoints, draws, points : pandas.DataFrame or None
        Rows of one predictor and group, of ``study.cutpoints()``, ``study.cutpoint_draws()`` and
        ``study.operating_points(threshold=...)``.

    Returns
    -------
    list of Preset
        Without cutoffs that are infinite, which call everybody or nobody positive.
    """
    found = [*_prespecified_presets(points), *_chosen_presets(cutpoints, draws)]
    return [preset for preset in found if math.isfinite(preset.threshold)]


def _prespecified_presets(points: pd.DataFrame | None) -> Iterator[Preset]:
    if points is None:
        return
    points = points[points["reading"] == "threshold"]
    for number, (_, rows) in enumerate(points.groupby("threshold", sort=False), 1):
        yield Preset(
            float(rows["threshold"].iloc[0]),
            float(rows["next_score"].iloc[0]),
            {
                "key": f"prespecified-{number}",
                "kind": "prespecified",
                "name": "",  # the cutoff itself, which is known with its decimals
                "threshold_low": None,
                "threshold_high": None,
                "draws": [],
                "partly": False,
                **_accuracy_of_preset(rows),
            },
        )


def _chosen_presets(cutpoints: pd.DataFrame | None, draws: pd.DataFrame | None) -> Iterator[Preset]:
    if cutpoints is None:
        return
    for word, rows in cutpoints.groupby("criterion", sort=False):
        name = str(word)
        cut = rows[rows["quantity"] == "threshold"].iloc[0]
        yield Preset(
            float(cut["estimate"]),
            float(cut["next_score"]),
            {
                "key": name,
                "kind": "chosen",
                "name": CRITERIA[name].phrase if name in CRITERIA else name,
                "threshold_low": number_or_none(cut["ci_low"]),
                "threshold_high": number_or_none(cut["ci_high"]),
                "draws": []
                if draws is None
                else _quantiles_of_resampled_cutpoints(draws[draws["criterion"] == word]),
                "partly": bool(rows["note"].str.contains("few-cases-for-cutpoint").any()),
                **_accuracy_of_preset(rows),
            },
        )


def _quantiles_of_resampled_cutpoints(draws: pd.DataFrame) -> list[float]:
    """Return 50 quantiles of the resampled cutpoints, without those that call nobody positive."""
    values = draws["threshold"].to_numpy(dtype=np.float64)
    if len(values) == 0:
        return []
    # Order statistics: a mean of two cutpoints may be none.
    places = (np.arange(_DOTS) + 0.5) / _DOTS
    dots = np.quantile(values, places, method="inverted_cdf")
    return [float(value) for value in dots[np.isfinite(dots)]]


def _accuracy_of_preset(rows: pd.DataFrame) -> dict[str, Any]:
    """Return both rates and both predictive values; None if missing."""
    by_quantity = {str(row["quantity"]): row for _, row in rows.iloc[::-1].iterrows()}
    rates = {name: _preset_rate_as_json(by_quantity[name]) for name in ("tpr", "tnr")}
    values = {name: _predictive_value(by_quantity.get(name), name) for name in PREDICTIVE_VALUES}
    return {**rates, **values}


def _preset_rate_as_json(row: pd.Series) -> dict[str, float | None]:
    apparent = row.get("apparent", math.nan)
    return {
        "estimate": number_or_none(row["estimate"]),
        "low": number_or_none(row["ci_low"]),
        "high": number_or_none(row["ci_high"]),
        "apparent": number_or_none(row["estimate"] if math.isnan(apparent) else apparent),
    }


def _predictive_value(row: pd.Series | None, name: str) -> dict[str, float] | None:
    """Return a predictive value and its limits as logits less that of the prevalence.

    By Bayes' rule they are the same at every prevalence: logarithms of a likelihood ratio. None
    for a value at the prevalence of the study itself, whose limits allow for its error.
    """
    if row is None or "study-prevalence" in row["note"] or not 0 < row["prevalence"] < 1:
        return None
    found = row[["estimate", "ci_low", "ci_high"]].to_numpy(dtype=np.float64)
    if np.isnan(found).any():
        return None
    shares = found if name == "ppv" else 1 - found[[0, 2, 1]]
    ratio, low, high = (_logit(share) - _logit(row["prevalence"]) for share in shares)
    ends = (max(-_CERTAIN, min(_CERTAIN, end)) for end in (ratio, low, high))
    return dict(zip(("log_ratio", "low", "high"), ends, strict=True))


def _logit(share: float) -> float:
    if share in (0.0, 1.0):
        return math.copysign(math.inf, share - 0.5)
    return math.log(share) - math.log1p(-share)


def number_or_none(value: Any) -> float | None:
    """Return a finite number, or None: JSON has no other."""
    number = float(value)
    return number if math.isfinite(number) else None
