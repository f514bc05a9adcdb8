"""Youden's cutpoint of smoothed score distributions: normal in each class, or kernel-smoothed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.roc import roc_points
from rocstats.inference.points.cutpoint_plan import curve_point
from rocstats.sample.arrays import binary_unit
from rocstats.sample.sample import Sample
from rocstats.stats.points.kernel_youden import (
    clustered_products,
    independent_products,
    kernel_youden,
)
from rocstats.stats.points.smooth_youden import SmoothCut, normal_youden, smooth_limits
from rocstats.tolerances import NO_SPREAD

CutMethod = Literal["empirical", "normal-theory", "kernel"]
# The order of the values of a SmoothCut.
QUANTITIES = ("threshold", "tpr", "tnr", "youden")


def smooth_rows(
    part: Sample, k: int, method: CutMethod, level: float, codes: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the optimal cutpoint of the smoothed distributions of predictor ``k``."""
    sign = 1.0 if part.higher_is_positive[k] else -1.0
    unit = sign * binary_unit(part.cases.counts(k).score)
    cut = _smooth_cut(part, k, method, unit)
    curve = roc_points(part.cases.counts(k), higher_is_positive=part.higher_is_positive[k])
    threshold = unit * float(cut.values[0])
    if np.isnan(threshold):
        codes = ["no-smooth-cutpoint", *codes]
        point: dict[str, float] = dict.fromkeys(("threshold", "fpr", "tpr", "fp", "tp"), np.nan)
    else:
        point = curve_point(curve, int(vertex_at(curve, np.array([threshold]))[0]), threshold)
    apparent = {"tpr": point["tpr"], "tnr": 1 - point["fpr"]}
    apparent["youden"] = point["tpr"] - point["fpr"]
    values = (threshold, *cut.values[1:].tolist())
    errors = (abs(unit) * float(cut.se[0]), *cut.se[1:].tolist())
    for quantity, value, se in zip(QUANTITIES, values, errors, strict=True):
        scale = "probit" if quantity in ("tpr", "tnr") else "wald"
        low, high = smooth_limits(value, se, quantity, level)
        # Distributions that hardly overlap: rates of 0 or 1 have no standard error.
        # A threshold has the unit of the scores, which may be as small as they please.
        least = 0.0 if quantity == "threshold" else NO_SPREAD
        certain = not np.isnan(value) and not high - low > least
        low, high = (np.nan, np.nan) if certain else (low, high)
        # At its maximum the index changes only by the square of a shift of the cut.
        short = method == "kernel" and quantity != "youden" and not np.isnan(low)
        notes = ["no-variance"] if certain else ["kernel-limits-short"] if short else []
        yield {
            **point,
            "apparent": apparent.get(quantity, np.nan),
            # The smoothed optimum estimates the population's directly; nothing is resampled.
            "optimism": np.nan,
            "estimate": value,
            "se": se,
            "ci_low": low,
            "ci_high": high,
            "quantity": quantity,
            "target": "optimal",
            "method": f"{method}/{scale}",
            "note": [*notes, *codes],
        }


def _smooth_cut(part: Sample, k: int, method: CutMethod, unit: float) -> SmoothCut:
    """Return the optimal cutpoint of the scores in ``unit``, whose sign makes higher positive."""
    counts = part.cases.counts(k)
    score = counts.score / unit
    if method == "normal-theory":
        return normal_youden(score, counts.n_pos, counts.n_neg)
    gather = independent_products(counts.n_pos, counts.n_neg)
    if part.cluster is not None:
        frequency = np.ones(len(part.is_positive)) if part.frequency is None else part.frequency
        # The count table has lost which cases share a cluster: their codes bring it back.
        gather = clustered_products(
            part.cases.codes(k), part.is_positive, frequency, part.cluster.codes
        )
    return kernel_youden(score, counts.n_pos, counts.n_neg, gather)
