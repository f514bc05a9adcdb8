"""The study of a binary outcome: described once, asked everything."""

from __future__ import annotations

from rocstats.curves.costs import cost_curve
from rocstats.curves.detection import det_curve
from rocstats.curves.hull import optimal_points, roc_hull
from rocstats.curves.lift import lift_curve
from rocstats.curves.points import roc_curve
from rocstats.curves.precision_recall import pr_curve
from rocstats.curves.superiority import superiority_curve
from rocstats.inference.auc import auc
from rocstats.inference.average_differences import roc_average_difference
from rocstats.inference.averages import roc_average
from rocstats.inference.bands import roc_band
from rocstats.inference.baseline import versus_random
from rocstats.inference.binormal import binormal, binormal_curve
from rocstats.inference.chance_points import operating_points_versus_random
from rocstats.inference.comparison import compare_auc
from rocstats.inference.cost_bands import cost_difference_band
from rocstats.inference.cost_comparison import compare_costs
from rocstats.inference.curve_comparison import compare_curves
from rocstats.inference.curve_differences import roc_difference_band
from rocstats.inference.cutpoint_draws import cutpoint_draws
from rocstats.inference.cutpoints import cutpoints
from rocstats.inference.draws import auc_draws
from rocstats.inference.equality import test_equal_auc
from rocstats.inference.goals import test_performance_goals
from rocstats.inference.incomplete import auc_bounds
from rocstats.inference.loss import lc_index
from rocstats.inference.null_band import random_band, random_points
from rocstats.inference.point_comparison import compare_operating_points
from rocstats.inference.points import operating_points
from rocstats.inference.precision import average_precision
from rocstats.inference.stratified import compare_stratified_auc
from rocstats.inference.subgroups import stratified_auc, test_equal_groups
from rocstats.sample.sample import Sample


class Study(Sample):  # noqa: D101 (its docstring is that of Sample, written once)
    __doc__ = Sample.__doc__

    auc = auc
    auc_bounds = auc_bounds
    auc_draws = auc_draws
    average_precision = average_precision
    binormal = binormal
    binormal_curve = binormal_curve
    compare_auc = compare_auc
    compare_costs = compare_costs
    compare_curves = compare_curves
    compare_operating_points = compare_operating_points
    compare_stratified_auc = compare_stratified_auc
    cost_curve = cost_curve
    cost_difference_band = cost_difference_band
    cutpoint_draws = cutpoint_draws
    cutpoints = cutpoints
    det_curve = det_curve
    lc_index = lc_index
    lift_curve = lift_curve
    operating_points = operating_points
    operating_points_versus_random = operating_points_versus_random
    optimal_points = optimal_points
    pr_curve = pr_curve
    random_band = random_band
    random_points = random_points
    roc_average = roc_average
    roc_average_difference = roc_average_difference
    roc_band = roc_band
    roc_curve = roc_curve
    roc_difference_band = roc_difference_band
    roc_hull = roc_hull
    stratified_auc = stratified_auc
    superiority_curve = superiority_curve
    test_equal_auc = test_equal_auc
    versus_random = versus_random
    test_equal_groups = test_equal_groups
    test_performance_goals = test_performance_goals
