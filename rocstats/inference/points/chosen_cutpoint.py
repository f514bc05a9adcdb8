"""The cutpoint that looks best in the sample: its threshold, and its measures less the optimism."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocstats.curves.points.chosen_vertices import candidates, choose
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.inference.points.cutpoint_plan import CutpointPlan, curve_point
from rocstats.sample.arrays import binary_unit
from rocstats.sample.sample import Sample
from rocstats.stats.intervals.quantiles import order_rank
from rocstats.stats.points.cutpoint_limits import corrected_estimates, rate_sizes
from rocstats.stats.resampling.curves.cutpoints import CutpointDraws


def chosen_rows(
    part: Sample, g: int, k: int, plan: CutpointPlan, level: float, codes: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the empirical cutpoint of predictor ``k`` in group ``g``."""
    criterion, _ = plan.of(part.cases)
    counts = part.cases.counts(k)
    curve = roc_points(counts, higher_is_positive=part.higher_is_positive[k])
    columns = candidates(counts, criterion)
    vertex = int(choose(curve.fp[np.newaxis], curve.tp[np.newaxis], columns, criterion)[0])
    draws = plan.draw(part.cases, g, k)
    # Vertex 0 is (0, 0): a threshold beyond every score, which is infinite and no decision rule.
    if vertex == 0:
        codes = ["nobody-positive", *codes]
    point = curve_point(curve, vertex, float(curve.threshold[vertex]))
    yield {**point, **_threshold_row(curve, vertex, draws, level, codes)}
    sizes = rate_sizes(part.cases, k, vertex)
    estimates = corrected_estimates(curve, vertex, draws, criterion, sizes, level)
    source = "binomial" if part.cluster is None else "clusters"
    for quantity, estimate in estimates.items():
        limits = "wilson" if quantity in ("tpr", "tnr") else "mover"
        yield {
            **point,
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
            "method": f"{source}/{limits}-corrected",
            "note": codes,
        }


def _threshold_row(
    curve: RocPoints, vertex: int, draws: CutpointDraws, confidence_level: float, codes: list[str]
) -> dict[str, Any]:
    """Return the row of the threshold, with percentile limits for the optimal cutpoint."""
    ordered = np.sort(draws.vertex)
    rank = order_rank((1 - confidence_level) / 2, len(ordered))
    first, last = int(ordered[rank - 1]), int(ordered[-rank])
    limits = "percentile"
    # All central resamples chose one score: any cutpoint between its neighbours decides alike, and
    # limits without width would claim a precision that a discrete score cannot have.
    if first == last:
        first, last, limits = max(first - 1, 0), last + 1, "neighbours"
        codes = ["single-cutpoint", *codes]
    # Beyond the least positive score there is none: everybody is called positive there.
    thresholds = np.append(curve.threshold, -curve.threshold[0])
    low, high = sorted((float(thresholds[first]), float(thresholds[last])))
    chosen = float(curve.threshold[vertex])
    drawn = curve.threshold[draws.vertex]
    unit = binary_unit(drawn)
    # Infinite thresholds have no standard deviation; thresholds that are all alike show none.
    varies = np.isfinite(drawn).all() and drawn.min() < drawn.max()
    return {
        "apparent": chosen,
        # A threshold is no performance, so that no choice can flatter it.
        "optimism": np.nan,
        "estimate": chosen,
        "se": unit * float((drawn / unit).std(ddof=1)) if varies else np.nan,
        "ci_low": low,
        "ci_high": high,
        "quantity": "threshold",
        "target": "optimal",
        "method": f"resamples/{limits}",
        "note": codes,
    }
