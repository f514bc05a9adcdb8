"""Statistical inference for ROC analysis: a study is asked, pandas frames answer."""

from rocstats import classifiers, learners, planning, verification
from rocstats._version import __version__
from rocstats.curves.classifiers.chain import chain_classifiers
from rocstats.curves.classifiers.combine import conjoin_classifiers, disjoin_classifiers
from rocstats.curves.classifiers.confusion import confusion_rates
from rocstats.curves.classifiers.sweep import sweep_class_weight
from rocstats.datasets.loaders import (
    load_breast_cancer,
    load_ct_ratings,
    load_fawcett_instances,
    load_viper,
)
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frames.making import read_csv
from rocstats.frames.screen import brief
from rocstats.inference.areas.optimism import optimism_corrected_auc
from rocstats.inference.chance.critical import critical_auc
from rocstats.inference.chance.pipeline import permute_pipeline
from rocstats.inference.classifiers.interpolation import interpolate_classifiers
from rocstats.inference.classifiers.repair import repair_concavities
from rocstats.inference.learners import compare_learners, compare_over_datasets
from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs
from rocstats.inference.planning.pilot_design import PilotAUCs
from rocstats.inference.planning.power import power
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.inference.planning.readers.design import ReaderDesign
from rocstats.inference.planning.readers.simulated import simulate_readers
from rocstats.inference.planning.sample_size import sample_size
from rocstats.inference.verification.areas import verified_auc
from rocstats.inference.verification.begg_greenes import begg_greenes
from rocstats.present.plots.bands import plot_roc_difference
from rocstats.present.plots.chance import plot_random_points
from rocstats.present.plots.costs import plot_cost, plot_cost_difference, plot_superiority
from rocstats.present.plots.cutpoints import plot_cutpoint_draws, plot_scores
from rocstats.present.plots.detection import plot_det
from rocstats.present.plots.forest import plot_forest
from rocstats.present.plots.hull import plot_hull
from rocstats.present.plots.planning import plot_power
from rocstats.present.plots.points import plot_measures
from rocstats.present.plots.precision_recall import plot_lift, plot_pr
from rocstats.present.plots.predictive_values import plot_predictive_values
from rocstats.present.plots.readers import plot_readers
from rocstats.present.plots.roc import plot_roc
from rocstats.present.report.report import report
from rocstats.present.tables import format_table, save_table
from rocstats.sample.engines.counting import count_scores
from rocstats.sample.engines.merging import merge_counts
from rocstats.sample.engines.sql import count_sql
from rocstats.sample.inputs.benefits import cost_benefit_matrix
from rocstats.sample.inputs.files.reading import read_table
from rocstats.sample.stacking import stack_test_sets
from rocstats.studies.multiclass import MulticlassStudy
from rocstats.studies.paired import PairedCounts
from rocstats.studies.pairing import count_paired
from rocstats.studies.readers import ReaderStudy
from rocstats.studies.study import Study

__all__ = [
    "InputError",
    "MulticlassStudy",
    "OneAUC",
    "OneRate",
    "PairedAUCs",
    "PairedCounts",
    "PairedRates",
    "PilotAUCs",
    "ReaderDesign",
    "ReaderStudy",
    "StatisticalWarning",
    "Study",
    "TwoAUCs",
    "__version__",
    "begg_greenes",
    "brief",
    "chain_classifiers",
    "classifiers",
    "compare_learners",
    "compare_over_datasets",
    "confusion_rates",
    "conjoin_classifiers",
    "cost_benefit_matrix",
    "count_paired",
    "count_scores",
    "count_sql",
    "critical_auc",
    "disjoin_classifiers",
    "format_table",
    "interpolate_classifiers",
    "learners",
    "load_breast_cancer",
    "load_ct_ratings",
    "load_fawcett_instances",
    "load_viper",
    "merge_counts",
    "optimism_corrected_auc",
    "permute_pipeline",
    "planning",
    "plot_cost",
    "plot_cost_difference",
    "plot_cutpoint_draws",
    "plot_det",
    "plot_forest",
    "plot_hull",
    "plot_lift",
    "plot_measures",
    "plot_power",
    "plot_pr",
    "plot_predictive_values",
    "plot_random_points",
    "plot_readers",
    "plot_roc",
    "plot_roc_difference",
    "plot_scores",
    "plot_superiority",
    "power",
    "read_csv",
    "read_table",
    "repair_concavities",
    "report",
    "sample_size",
    "save_table",
    "simulate_readers",
    "stack_test_sets",
    "sweep_class_weight",
    "verification",
    "verified_auc",
]
