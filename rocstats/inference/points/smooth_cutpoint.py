"""Youden's cutpoint of smoothed score distributions: normal in each class, or kernel-smoothed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.roc import roc_points
from rocstats.inference.points.cutpoint_plan import curve_point
from rocstats.sample.arrays import FloatArray, binary_unit, in_unit
from rocstats.sample.sample import Sample
from rocstats.stats.intervals.quantiles import order_rank
from rocstats.stats.points.kernel_youden import kernel_youden, skewness
from rocstats.stats.points.smooth_youden import normal_youden, smooth_limits
from rocstats.stats.resampling.curves.rotated import resampled_cells
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.tolerances import NO_SPREAD

CutMethod = Literal["empirical", "normal-theory", "kernel"]
# Smoothing moves the crossing of skewed densities (docs/points/cutpoints.md, "Smoothed cutpoints").
# Of classes of 50 normal scores 1 in 200 has a larger skewness, of log-normal ones 98 in 100.
_SKEWED = 1.0
Found = tuple[FloatArray, FloatArray, FloatArray]
# The order of the values of a smooth cut.
QUANTITIES = ("threshold", "tpr", "tnr", "youden")


def smooth_rows(
    part: Sample, k: int, method: CutMethod, plan: ResamplePlan, level: float, codes: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the optimal cutpoint of the smoothed distributions of predictor ``k``."""
    sign = 1.0 if part.higher_is_positive[k] else -1.0
    unit = sign * binary_unit(part.cases.counts(k).score)
    if method == "normal-theory":
        biased, (values, errors, limits) = False, _normal(part, k, unit, level)
    else:
        counts = part.cases.counts(k)
        classes = (counts.n_pos, counts.n_neg)
        biased = any(abs(skewness(in_unit(counts.score, unit), n)) > _SKEWED for n in classes)
        values, errors, limits = _kernel(part, k, unit, plan, level)
    curve = roc_points(part.cases.counts(k), higher_is_positive=part.higher_is_positive[k])
    threshold = unit * float(values[0])
    if np.isnan(threshold):
        codes = ["no-smooth-cutpoint", *codes]
        point: dict[str, float] = dict.fromkeys(("threshold", "fpr", "tpr", "fp", "tp"), np.nan)
    else:
        point = curve_point(curve, int(vertex_at(curve, np.array([threshold]))[0]), threshold)
    apparent = {"tpr": point["tpr"], "tnr": 1 - point["fpr"]}
    apparent["youden"] = point["tpr"] - point["fpr"]
    rows = zip(QUANTITIES, (threshold, *values[1:].tolist()), errors, limits, strict=True)
    for quantity, value, se, ends in rows:
        # Distributions that hardly overlap: rates of 0 or 1 have no standard error.
        # A threshold has the unit of the scores, which may be as small as they please.
        size, least = (unit, 0.0) if quantity == "threshold" else (1.0, NO_SPREAD)
        low, high = sorted((ends * size).tolist())
        certain = not np.isnan(value) and not high - low > least
        low, high = (np.nan, np.nan) if certain else (low, high)
        # At its maximum the index changes only by the square of a shift of the cut.
        short = biased and quantity != "youden" and not np.isnan(low)
        notes = ["no-variance"] if certain else ["kernel-limits-short"] if short else []
        scale = "probit" if quantity in ("tpr", "tnr") else "wald"
        yield {
            **point,
            "apparent": apparent.get(quantity, np.nan),
            # The smoothed optimum estimates the population's directly: no choice flatters it.
            "optimism": np.nan,
            "estimate": value,
            "se": 0.0 if certain else abs(size) * float(se),
            "ci_low": low,
            "ci_high": high,
            "quantity": quantity,
            "target": "optimal",
            "method": f"{method}/{'percentile' if method == 'kernel' else scale}",
            "note": [*notes, *codes],
        }


def _normal(part: Sample, k: int, unit: float, level: float) -> Found:
    """Return the values in ``unit``, standard errors and limits of normal distributions."""
    counts = part.cases.counts(k)
    cut = normal_youden(in_unit(counts.score, unit), counts.n_pos, counts.n_neg)
    limits = [
        smooth_limits(value, se, quantity, level)
        for value, se, quantity in zip(cut.values.tolist(), cut.se, QUANTITIES, strict=True)
    ]
    return cut.values, cut.se, np.array(limits)


def _kernel(part: Sample, k: int, unit: float, plan: ResamplePlan, level: float) -> Found:
    """Return the same of kernel-smoothed distributions, whose resamples have own bandwidths."""
    counts = part.cases.counts(k)
    # The most positive score comes first in a count table; ``unit`` makes it the highest.
    cut = kernel_youden(in_unit(counts.score[::-1], unit), counts.n_pos[::-1], counts.n_neg[::-1])
    if np.isnan(cut.values[0]):
        return cut.values, np.full(4, np.nan), np.full((4, 2), np.nan)
    draws = np.empty((4, plan.n_resamples))
    codes = part.cases.codes(k).astype(np.intp)
    for at, pos, neg in resampled_cells(part.cases, codes, counts.n_pos, counts.n_neg, plan):
        draws[:, at] = cut.resampled(pos[:, ::-1], neg[:, ::-1])
    rank, ordered = order_rank((1 - level) / 2, plan.n_resamples), np.sort(draws, axis=1)
    return cut.values, draws.std(axis=1, ddof=1), ordered[:, [rank - 1, -rank]]
