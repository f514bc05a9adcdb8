"""The study of a binary outcome, with a method for each question."""

from __future__ import annotations

from rocstats.curves.areas.lift import lift_curve
from rocstats.curves.areas.precision_recall import pr_curve
from rocstats.curves.costs.cost_curves import cost_curve
from rocstats.curves.costs.hull import optimal_points, roc_hull
from rocstats.curves.costs.superiority import superiority_curve
from rocstats.curves.points.detection import det_curve
from rocstats.curves.points.roc import roc_curve
from rocstats.inference.areas.auc import auc
from rocstats.inference.areas.average_precision import average_precision
from rocstats.inference.areas.draws import auc_draws
from rocstats.inference.areas.equal_groups import test_equal_groups
from rocstats.inference.areas.incomplete import auc_bounds
from rocstats.inference.areas.strata import stratified_auc
from rocstats.inference.bands.average_differences import roc_average_difference
from rocstats.inference.bands.averages import roc_average
from rocstats.inference.bands.curves import roc_band
from rocstats.inference.bands.differences import roc_difference_band
from rocstats.inference.bands.precision_recall import pr_band
from rocstats.inference.binormal.binormal import binormal
from rocstats.inference.binormal.curve import binormal_curve
from rocstats.inference.calibration.band import calibration_band
from rocstats.inference.calibration.calibration import calibration
from rocstats.inference.calibration.comparison import compare_probability_scores
from rocstats.inference.calibration.curve import calibration_curve
from rocstats.inference.calibration.probability_scores import probability_scores
from rocstats.inference.chance.areas import versus_random
from rocstats.inference.chance.bands import random_band
from rocstats.inference.chance.points import operating_points_versus_random
from rocstats.inference.chance.random_points import random_points
from rocstats.inference.comparison.areas import compare_auc
from rocstats.inference.comparison.average_precision import compare_average_precision
from rocstats.inference.comparison.curves import compare_curves
from rocstats.inference.comparison.equality import test_equal_auc
from rocstats.inference.comparison.points import compare_operating_points
from rocstats.inference.comparison.strata import compare_stratified_auc
from rocstats.inference.costs.bands import cost_difference_band
from rocstats.inference.costs.comparison import compare_costs
from rocstats.inference.costs.lc_index import lc_index
from rocstats.inference.costs.mean_net_benefit import mean_net_benefit
from rocstats.inference.costs.net_benefit import net_benefit
from rocstats.inference.costs.net_benefit_bands import net_benefit_band
from rocstats.inference.costs.net_benefit_comparison import compare_net_benefit
from rocstats.inference.covariates.adjusted_auc import adjusted_auc
from rocstats.inference.covariates.at_values import covariate_auc
from rocstats.inference.covariates.comparison import compare_adjusted_auc
from rocstats.inference.covariates.curve import adjusted_roc_curve
from rocstats.inference.points.cutpoint_draws import cutpoint_draws
from rocstats.inference.points.cutpoints import cutpoints
from rocstats.inference.points.goals import test_performance_goals
from rocstats.inference.points.operating_points import operating_points
from rocstats.inference.statistics import bootstrap
from rocstats.inference.subgroups.subgroups import subgroups
from rocstats.inference.zones.band_likelihood_ratios import band_likelihood_ratios
from rocstats.inference.zones.grey_zone import grey_zone
from rocstats.sample.sample import Sample
from rocstats.studies.confusion import FromConfusion
from rocstats.studies.counts import FromCounts
from rocstats.studies.estimators import FromEstimators
from rocstats.studies.naming import names_its_methods
from rocstats.studies.samples import FromSamples


@names_its_methods
class Study(FromEstimators, FromSamples, FromConfusion, FromCounts):  # noqa: D101 (its docstring is that of Sample, written once)
    __doc__ = Sample.__doc__

    # Functions of other modules as methods: a question stays with its topic, and is found here.
    adjusted_auc = adjusted_auc
    adjusted_roc_curve = adjusted_roc_curve
    auc = auc
    auc_bounds = auc_bounds
    auc_draws = auc_draws
    average_precision = average_precision
    binormal = binormal
    binormal_curve = binormal_curve
    band_likelihood_ratios = band_likelihood_ratios
    bootstrap = bootstrap
    calibration = calibration
    calibration_band = calibration_band
    calibration_curve = calibration_curve
    compare_adjusted_auc = compare_adjusted_auc
    compare_auc = compare_auc
    compare_average_precision = compare_average_precision
    compare_costs = compare_costs
    compare_curves = compare_curves
    compare_net_benefit = compare_net_benefit
    compare_operating_points = compare_operating_points
    compare_probability_scores = compare_probability_scores
    compare_stratified_auc = compare_stratified_auc
    cost_curve = cost_curve
    cost_difference_band = cost_difference_band
    covariate_auc = covariate_auc
    cutpoint_draws = cutpoint_draws
    cutpoints = cutpoints
    det_curve = det_curve
    grey_zone = grey_zone
    lc_index = lc_index
    lift_curve = lift_curve
    mean_net_benefit = mean_net_benefit
    net_benefit = net_benefit
    net_benefit_band = net_benefit_band
    operating_points = operating_points
    operating_points_versus_random = operating_points_versus_random
    optimal_points = optimal_points
    pr_band = pr_band
    pr_curve = pr_curve
    random_band = random_band
    probability_scores = probability_scores
    random_points = random_points
    roc_average = roc_average
    roc_average_difference = roc_average_difference
    roc_band = roc_band
    roc_curve = roc_curve
    roc_difference_band = roc_difference_band
    roc_hull = roc_hull
    stratified_auc = stratified_auc
    subgroups = subgroups
    superiority_curve = superiority_curve
    test_equal_auc = test_equal_auc
    versus_random = versus_random
    test_equal_groups = test_equal_groups
    test_performance_goals = test_performance_goals
