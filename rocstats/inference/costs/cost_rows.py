"""The rows of differences of expected costs, at fixed thresholds and at those of least cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.curves.costs.convex_hull import hulls_of, optimal_vertex, share_of_positives
from rocstats.curves.costs.cost_curves import least_costs
from rocstats.curves.points.roc import RocPoints
from rocstats.inference.estimates.hypotheses import hypothesis_columns
from rocstats.inference.estimates.pairs import Pair
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.arrays import FloatArray
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.calls import Calls, tabulated
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.point_tests import PointComparison, is_plain, undefined
from rocstats.stats.costs import differences
from rocstats.stats.costs.differences import Costs
from rocstats.stats.resampling.curves.hulls import hull_draws
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws, redrawn_notes

_COSTS = ("estimate", "se", "ci_low", "ci_high")
_FEW = ("few-clusters", "few-cases")
_NUMBERS = ("statistic", "df", "p_value", "method")


def rows_at_thresholds(
    pairs: Sequence[Pair], thresholds: Mapping[str, float], costs: Costs, tested: HypothesisPlan
) -> list[dict[str, Any]]:
    """Return the rows of each pair at thresholds fixed before these cases were seen."""
    calls: dict[tuple[int, int], Calls] = {}
    rows = []
    for pair in pairs:
        at = (thresholds[pair.words["predictor"]], thresholds[pair.words["reference"]])
        result = undefined("one-class")
        if not pair.lacks_class:
            result = differences.at_fixed_thresholds(
                _difference(pair, at, calls, costs), tested.over(costs.unit)
            )
        rows.append(_row(pair, at, costs, tested, result))
    return rows


def _difference(
    pair: Pair, at: Sequence[float], calls: dict[tuple[int, int], Calls], costs: Costs
) -> differences.CostDifference:
    """Return the difference in units of the larger cost; ``calls`` caches calls of predictors."""
    # Without clusters the eight kinds of cases (class and both calls) replace the single cases.
    first, second = tabulated(*pair.calls(at, calls))
    return differences.cost_difference(first.cases, first.called, second.called, costs.relative)


def rows_at_least_costs(
    pairs: Sequence[Pair], costs: Costs, tested: HypothesisPlan, draws: ResamplePlan
) -> list[dict[str, Any]]:
    """Return the rows of each pair at the thresholds of least cost in these cases."""
    # Once for a group: every pair reads the same resamples, and keeps their correlation.
    resampled: dict[int, tuple[list[float], ValidDraws]] = {}
    calls: dict[tuple[int, int], Calls] = {}
    rows = []
    for pair in pairs:
        part, g = pair.samples[0], pair.groups[0]
        if lacks_class(part):
            rows.append(_row(pair, (np.nan, np.nan), costs, tested, undefined("one-class")))
            continue
        if g not in resampled:
            resampled[g] = _best_thresholds(part, costs), _least_costs(part, costs, g, draws)
        thresholds, drawn = resampled[g]
        i, j = pair.predictors
        at = (thresholds[i], thresholds[j])
        # Equal ranks have equal least costs in every resample: no spread, and nothing to test.
        if np.array_equal(part.cases.codes(i), part.cases.codes(j)):
            p = 1.0 if is_plain(tested) else np.nan
            result = PointComparison(0.0, p_value=p, codes=("identical-predictors",))
        else:
            gaps = drawn.values[:, i] - drawn.values[:, j]
            result = differences.at_selected_thresholds(
                _difference(pair, at, calls, costs), gaps, tested.over(costs.unit)
            )
        row = _row(pair, at, costs, tested, result)
        row["n_resamples"] = draws.n_resamples
        row["note"] += redrawn_notes(drawn.n_redrawn)
        rows.append(row)
    return rows


def _best_thresholds(sample: Sample, costs: Costs) -> list[float]:
    """Return the threshold of each predictor with the least cost; the stricter one of two."""
    of_neg, of_pos = costs.shares(sample.prevalence)
    hulls = hulls_of(sample.cases)
    return [float(hull.threshold[optimal_vertex(hull, of_neg / of_pos)]) for hull in hulls]


def _least_costs(sample: Sample, costs: Costs, g: int, draws: ResamplePlan) -> ValidDraws:
    """Return the least cost of each predictor in resamples, in units of the larger cost."""
    relative = costs.relative

    # The prevalence of the resample unless it is given: the share of positives is then estimated
    # from the same cases, and its sampling error belongs to the cost.
    def read(hulls: Sequence[RocPoints]) -> FloatArray:
        of_neg, of_pos = np.array([relative.shares(share_of_positives(hull)) for hull in hulls]).T
        least = [
            least_costs(hull, of_neg[k : k + 1], of_pos[k : k + 1]) for k, hull in enumerate(hulls)
        ]
        return np.concatenate(least)

    # With the prevalence given, the class sizes carry no information and stay fixed.
    plan = draws.at(g)._replace(stratified=costs.prevalence is not None)
    with enough_valid_resamples():
        return hull_draws(sample.cases.pooled(), read, plan)


def _row(
    pair: Pair,
    at: tuple[float, float],
    costs: Costs,
    tested: HypothesisPlan,
    result: PointComparison,
) -> dict[str, Any]:
    own = pair.samples[0].prevalence
    return {
        **pair.columns(),
        **pair.directions(),
        **{name: getattr(result, name) for name in _NUMBERS},
        **{name: costs.unit * getattr(result, name) for name in _COSTS},
        "quantity": "expected_cost",
        "threshold": at[0],
        "reference_threshold": at[1],
        "cost_fp": costs.cost_fp,
        "cost_fn": costs.cost_fn,
        "prevalence": own if costs.prevalence is None else costs.prevalence,
        **hypothesis_columns(tested),
        "n_resamples": 0,
        # Wald limits cover less with few cases; Tango's, of fixed thresholds, do not.
        "note": [
            *result.codes,
            *pair.codes(of_size=_FEW if "/wald" in result.method else _FEW[:1]),
        ],
    }
