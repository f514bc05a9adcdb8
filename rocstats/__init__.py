"""Statistical inference for ROC analysis: a study is asked, pandas frames answer."""

from importlib import import_module
from typing import TYPE_CHECKING

from rocstats._version import __version__
from rocstats.datasets.loaders import load_breast_cancer, load_ct_ratings, load_fawcett_instances
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frames import read_csv

if TYPE_CHECKING:
    from rocstats.curves.chain import chain_classifiers
    from rocstats.curves.combine import conjoin_classifiers, disjoin_classifiers
    from rocstats.curves.confusion import confusion_rates
    from rocstats.curves.sweep import sweep_class_weight
    from rocstats.inference.critical import critical_auc
    from rocstats.inference.crossvalidation import optimism_corrected_auc
    from rocstats.inference.design import power, sample_size
    from rocstats.inference.interpolation import interpolate_classifiers
    from rocstats.inference.learners import compare_learners, compare_over_datasets
    from rocstats.inference.pipeline import permute_pipeline
    from rocstats.inference.repair import repair_concavities
    from rocstats.inference.verification import begg_greenes
    from rocstats.inference.verified_auc import verified_auc
    from rocstats.present.plots.bands import plot_roc_difference
    from rocstats.present.plots.chance import plot_random_points
    from rocstats.present.plots.costs import plot_cost, plot_cost_difference, plot_superiority
    from rocstats.present.plots.cutpoints import plot_cutpoint_draws, plot_scores
    from rocstats.present.plots.design import plot_power
    from rocstats.present.plots.detection import plot_det
    from rocstats.present.plots.hull import plot_hull
    from rocstats.present.plots.precision import plot_lift, plot_pr
    from rocstats.present.plots.roc import plot_roc
    from rocstats.present.plots.thresholds import plot_measures, plot_predictive_values
    from rocstats.present.report.report import report
    from rocstats.present.tables import format_table, save_table
    from rocstats.sample.benefits import cost_benefit_matrix
    from rocstats.sample.stacking import stack_test_sets
    from rocstats.stats.planning.designs import OneAUC, PairedAUCs, PilotAUCs, TwoAUCs
    from rocstats.stats.planning.rate_designs import OneRate, PairedRates
    from rocstats.studies.multiclass import MulticlassStudy
    from rocstats.studies.study import Study

__all__ = [
    "InputError",
    "MulticlassStudy",
    "OneAUC",
    "OneRate",
    "PairedAUCs",
    "PairedRates",
    "PilotAUCs",
    "StatisticalWarning",
    "Study",
    "TwoAUCs",
    "__version__",
    "begg_greenes",
    "chain_classifiers",
    "compare_learners",
    "compare_over_datasets",
    "confusion_rates",
    "conjoin_classifiers",
    "cost_benefit_matrix",
    "critical_auc",
    "disjoin_classifiers",
    "format_table",
    "interpolate_classifiers",
    "load_breast_cancer",
    "load_ct_ratings",
    "load_fawcett_instances",
    "optimism_corrected_auc",
    "permute_pipeline",
    "plot_cost",
    "plot_cost_difference",
    "plot_cutpoint_draws",
    "plot_det",
    "plot_hull",
    "plot_lift",
    "plot_measures",
    "plot_power",
    "plot_pr",
    "plot_predictive_values",
    "plot_random_points",
    "plot_roc",
    "plot_roc_difference",
    "plot_scores",
    "plot_superiority",
    "power",
    "read_csv",
    "repair_concavities",
    "report",
    "sample_size",
    "save_table",
    "stack_test_sets",
    "sweep_class_weight",
    "verified_auc",
]

# Loaded when first asked for: a study brings the questions, and each of them its tools.
_LATER = {
    "MulticlassStudy": "rocstats.studies.multiclass",
    "Study": "rocstats.studies.study",
    "OneAUC": "rocstats.stats.planning.designs",
    "OneRate": "rocstats.stats.planning.rate_designs",
    "PairedAUCs": "rocstats.stats.planning.designs",
    "PairedRates": "rocstats.stats.planning.rate_designs",
    "PilotAUCs": "rocstats.stats.planning.designs",
    "TwoAUCs": "rocstats.stats.planning.designs",
    "begg_greenes": "rocstats.inference.verification",
    "chain_classifiers": "rocstats.curves.chain",
    "compare_learners": "rocstats.inference.learners",
    "compare_over_datasets": "rocstats.inference.learners",
    "confusion_rates": "rocstats.curves.confusion",
    "conjoin_classifiers": "rocstats.curves.combine",
    "cost_benefit_matrix": "rocstats.sample.benefits",
    "critical_auc": "rocstats.inference.critical",
    "disjoin_classifiers": "rocstats.curves.combine",
    "format_table": "rocstats.present.tables",
    "interpolate_classifiers": "rocstats.inference.interpolation",
    "optimism_corrected_auc": "rocstats.inference.crossvalidation",
    "permute_pipeline": "rocstats.inference.pipeline",
    "plot_cost": "rocstats.present.plots.costs",
    "plot_cost_difference": "rocstats.present.plots.costs",
    "plot_cutpoint_draws": "rocstats.present.plots.cutpoints",
    "plot_det": "rocstats.present.plots.detection",
    "plot_hull": "rocstats.present.plots.hull",
    "plot_lift": "rocstats.present.plots.precision",
    "plot_measures": "rocstats.present.plots.thresholds",
    "plot_power": "rocstats.present.plots.design",
    "plot_pr": "rocstats.present.plots.precision",
    "plot_predictive_values": "rocstats.present.plots.thresholds",
    "plot_random_points": "rocstats.present.plots.chance",
    "plot_roc": "rocstats.present.plots.roc",
    "plot_roc_difference": "rocstats.present.plots.bands",
    "plot_scores": "rocstats.present.plots.cutpoints",
    "plot_superiority": "rocstats.present.plots.costs",
    "power": "rocstats.inference.design",
    "repair_concavities": "rocstats.inference.repair",
    "report": "rocstats.present.report.report",
    "sample_size": "rocstats.inference.design",
    "save_table": "rocstats.present.tables",
    "stack_test_sets": "rocstats.sample.stacking",
    "sweep_class_weight": "rocstats.curves.sweep",
    "verified_auc": "rocstats.inference.verified_auc",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module 'rocstats' has no attribute {name!r}")
        return getattr(import_module(_LATER[name]), name)

    def __dir__() -> list[str]:
        return __all__
