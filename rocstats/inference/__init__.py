"""Questions with estimates and intervals. A topic is a folder or a file; none imports another.

auc               areas: auc, stratified_auc, optimism_corrected_auc, auc_bounds, auc_draws;
                  compared: compare_auc, compare_stratified_auc, test_equal_auc, test_equal_groups
binormal          the fitted binormal curve: binormal, binormal_curve
precision_recall  average_precision, compare_average_precision, pr_band
chance            better than chance: versus_random, critical_auc, random_points, random_band,
                  operating_points_versus_random, permute_pipeline
bands             curves: roc_average, roc_average_difference, roc_band, roc_difference_band,
                  compare_curves
points            measures at thresholds or rates: operating_points, compare_operating_points,
                  test_performance_goals
cutpoints         thresholds chosen by a criterion: cutpoints, cutpoint_draws
zones             ranges of scores: band_likelihood_ratios, grey_zone
costs             compare_costs, cost_difference_band, lc_index; net_benefit, mean_net_benefit,
                  compare_net_benefit, net_benefit_band
calibration       predicted risks: calibration, calibration_curve, calibration_band;
                  probability_scores, compare_probability_scores
covariates        adjusted_auc, compare_adjusted_auc, adjusted_roc_curve, covariate_auc
subgroups         subgroups: one measure in each, with the test of interaction
classes           several classes: multiclass_auc, multiclass_compare_auc, multiclass_roc_curve,
                  multiclass_roc_band, multiclass_operating_points
                  ordered classes: ordinal_concordance, ordinal_compare_concordance, vus
items             systems on the same items, right or wrong or graded: accuracy,
                  compare_accuracy
meta              reviews: studies, summary, summary_roc, heterogeneity, compare, influence,
                  small_study_effects; pool_areas over studies or centres
verification      only some cases verified: verified_auc, begg_greenes
imputation        pool_imputations
statistics        bootstrap: any statistic of the user's
learners          areas over folds or data sets: compare_learners, compare_over_datasets
classifiers       made from others: conjoin_classifiers, disjoin_classifiers, chain_classifiers,
                  confusion_rates, interpolate_classifiers, repair_concavities, sweep_class_weight
readers           reader studies: reader_auc, reader_compare_auc, reader_operating_points,
                  reader_compare_operating_points, reader_compare_with (a machine),
                  reader_components, reader_roc_curve
localisation      marks of lesions: detection_auc, detection_compare_auc, detection_compare_with,
                  detection_components, detection_operating_points, detection_froc_score, both
                  compared, detection_curve, detection_froc_band
survival          times to an event: survival_auc, survival_compare_auc, survival_auc_band,
                  survival_roc_curve, survival_operating_points, survival_net_benefit,
                  concordance, compare_concordance
planning          sample_size, power, simulate_readers; designs: OneAUC, TwoAUCs, PairedAUCs,
                  PilotAUCs, OneRate, PairedRates, ReaderDesign
"""
