"""The cutpoint that looks best in the sample: its threshold, and its measures less the optimism."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocstats.curves.points.chosen_vertices import AlikeThresholds, candidates, choose, last_alike
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.frames.questions import BINNING_ERROR
from rocstats.inference.points.binned_cutpoints import BinnedOptimum
from rocstats.inference.points.cutpoint_plan import CutpointPlan, PlacedDraws, curve_point
from rocstats.sample.arrays import IntArray, binary_unit, in_unit
from rocstats.sample.binned import is_binned
from rocstats.sample.sample import Sample
from rocstats.stats.intervals.quantiles import order_rank
from rocstats.stats.points.cutpoint_limits import (
    Estimate,
    corrected_estimates,
    corrected_predictive_values,
    rate_sizes,
)


def chosen_rows(
    part: Sample, g: int, k: int, plan: CutpointPlan, level: float, codes: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the empirical cutpoint of predictor ``k`` in group ``g``."""
    criterion, _ = plan.of(part.cases)
    counts = part.cases.counts(k)
    curve = roc_points(counts, higher_is_positive=part.higher_is_positive[k])
    columns = candidates(counts, criterion)
    fp, tp = curve.fp[np.newaxis], curve.tp[np.newaxis]
    first = choose(fp, tp, columns, criterion)
    drawn = plan.draw(part.cases, curve, g, k)
    alike = AlikeThresholds.of(curve, first, last_alike(fp, tp, first))
    vertex, threshold = int(first[0]), float(alike.at(drawn.at)[0])
    codes = [*drawn.draws.codes, *codes]
    # Vertex 0 is (0, 0): a threshold beyond every score, which is infinite and no decision rule.
    if vertex == 0:
        codes = ["nobody-positive", *codes]
    point = curve_point(curve, vertex, threshold)
    row = _threshold_row(curve, threshold, drawn, level, codes)
    errors: dict[str, float] = {}
    if is_binned(part):
        optimum = BinnedOptimum.of(part, k, criterion, curve, vertex)
        errors = optimum.errors(criterion, threshold, plan.prevalence)
        row["ci_low"], row["ci_high"] = optimum.whole_bins(row["ci_low"], row["ci_high"])
    yield {**point, **row, BINNING_ERROR: errors.get("threshold", 0.0)}
    sizes = rate_sizes(part.cases, k, vertex)
    estimates = corrected_estimates(curve, vertex, drawn.draws, criterion, sizes, level)
    source = "binomial" if part.cluster is None else "clusters"
    for quantity, estimate in estimates.items():
        limits = "wilson" if quantity in ("tpr", "tnr") else "mover"
        method = f"{source}/{limits}-corrected"
        row = _chosen_row(quantity, estimate, method, codes)
        yield {**point, **row, BINNING_ERROR: errors.get(quantity, 0.0)}
    if plan.prevalence is None:
        return
    values = corrected_predictive_values(curve, vertex, drawn.draws, sizes, level, plan.prevalence)
    for quantity, estimate in values.items():
        own = ["adjusted-cells"] if estimate.adjusted else []
        method = f"{source}/mercaldo-corrected"
        if np.isnan(estimate.value):
            own, method = ["no-calls"], "none/none"
        row = _chosen_row(quantity, estimate, method, [*own, *codes])
        row |= {"prevalence": plan.prevalence, BINNING_ERROR: errors.get(quantity, 0.0)}
        yield {**point, **row}


def _chosen_row(quantity: str, estimate: Estimate, method: str, codes: list[str]) -> dict[str, Any]:
    """Return the columns of a measure less its optimism."""
    return {
        "apparent": estimate.apparent,
        "optimism": estimate.optimism,
        "estimate": estimate.value,
        "se": estimate.se,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "quantity": quantity,
        # The optimism is that of this cutpoint on new cases, so these limits are about it, not
        # about the best cutpoint of the population (docs/methods/points.md, "Best cutpoints").
        "target": "chosen",
        "method": method,
        "note": codes,
    }


def _threshold_row(
    curve: RocPoints, chosen: float, drawn: PlacedDraws, level: float, codes: list[str]
) -> dict[str, Any]:
    """Return the row of the threshold, with percentile limits for the optimal cutpoint."""
    rank = order_rank((1 - level) / 2, len(drawn.threshold))
    if drawn.at == "observed":
        low, high, limits = _observed_limits(curve, drawn.draws.vertex, rank)
    else:
        # Any of the thresholds that decide alike may be the best: from the lower ends to the upper.
        ends = np.sort(drawn.alike, axis=0)
        low, high = np.sort(ends[0])[rank - 1], np.sort(ends[1])[-rank]
        limits = "both-ends"
    if limits == "neighbours":
        codes = ["single-cutpoint", *codes]
    unit = binary_unit(drawn.threshold)
    scaled = in_unit(drawn.threshold, unit)
    # Infinite thresholds have no standard deviation; thresholds that are all alike show none.
    spread = np.isfinite(scaled).all() and np.ptp(scaled) > 0
    return {
        "apparent": chosen,
        # A threshold is no performance, so that no choice can flatter it.
        "optimism": np.nan,
        "estimate": chosen,
        "se": unit * float(scaled.std(ddof=1)) if spread else np.nan,
        "ci_low": float(low),
        "ci_high": float(high),
        "quantity": "threshold",
        "target": "optimal",
        "method": f"resamples/{limits}",
        "note": codes,
    }


def _observed_limits(curve: RocPoints, vertices: IntArray, rank: int) -> tuple[float, float, str]:
    """Return percentiles of observed thresholds; their neighbours where the percentiles agree."""
    ordered = np.sort(vertices)
    first, last = int(ordered[rank - 1]), int(ordered[-rank])
    # All central resamples chose one score: any cutpoint between its neighbours decides alike, and
    # limits without width would claim a precision that a discrete score cannot have.
    single = first == last
    if single:
        first, last = max(first - 1, 0), last + 1
    # Beyond the least positive score there is none: everybody is called positive there.
    thresholds = np.append(curve.threshold, -curve.threshold[0])
    low, high = sorted((float(thresholds[first]), float(thresholds[last])))
    return low, high, "neighbours" if single else "percentile"
