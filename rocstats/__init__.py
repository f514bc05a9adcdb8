"""Statistical inference for ROC analysis: a study is asked, pandas frames answer."""

from importlib import import_module
from typing import TYPE_CHECKING

from rocstats._version import __version__
from rocstats.datasets.loaders import load_breast_cancer, load_ct_ratings, load_fawcett_instances
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frames import read_csv

if TYPE_CHECKING:
    from rocstats.curves.classifiers.chain import chain_classifiers
    from rocstats.curves.classifiers.combine import conjoin_classifiers, disjoin_classifiers
    from rocstats.curves.classifiers.confusion import confusion_rates
    from rocstats.curves.classifiers.sweep import sweep_class_weight
    from rocstats.inference.areas.optimism import optimism_corrected_auc
    from rocstats.inference.chance.critical import critical_auc
    from rocstats.inference.chance.pipeline import permute_pipeline
    from rocstats.inference.classifiers.interpolation import interpolate_classifiers
    from rocstats.inference.classifiers.repair import repair_concavities
    from rocstats.inference.learners import compare_learners, compare_over_datasets
    from rocstats.inference.planning.designs import OneAUC, PairedAUCs, PilotAUCs, TwoAUCs
    from rocstats.inference.planning.power import power
    from rocstats.inference.planning.rate_designs import OneRate, PairedRates
    from rocstats.inference.planning.sample_size import sample_size
    from rocstats.inference.verification.areas import verified_auc
    from rocstats.inference.verification.begg_greenes import begg_greenes
    from rocstats.present.plots.bands import plot_roc_difference
    from rocstats.present.plots.chance import plot_random_points
    from rocstats.present.plots.costs import plot_cost, plot_cost_difference, plot_superiority
    from rocstats.present.plots.cutpoints import plot_cutpoint_draws, plot_scores
    from rocstats.present.plots.detection import plot_det
    from rocstats.present.plots.hull import plot_hull
    from rocstats.present.plots.planning import plot_power
    from rocstats.present.plots.points import plot_measures
    from rocstats.present.plots.precision_recall import plot_lift, plot_pr
    from rocstats.present.plots.predictive_values import plot_predictive_values
    from rocstats.present.plots.roc import plot_roc
    from rocstats.present.report.report import report
    from rocstats.present.tables import format_table, save_table
    from rocstats.sample.inputs.benefits import cost_benefit_matrix
    from rocstats.sample.stacking import stack_test_sets
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
    "OneAUC": "rocstats.inference.planning.designs",
    "OneRate": "rocstats.inference.planning.rate_designs",
    "PairedAUCs": "rocstats.inference.planning.designs",
    "PairedRates": "rocstats.inference.planning.rate_designs",
    "PilotAUCs": "rocstats.inference.planning.designs",
    "TwoAUCs": "rocstats.inference.planning.designs",
    "begg_greenes": "rocstats.inference.verification.begg_greenes",
    "chain_classifiers": "rocstats.curves.classifiers.chain",
    "compare_learners": "rocstats.inference.learners",
    "compare_over_datasets": "rocstats.inference.learners",
    "confusion_rates": "rocstats.curves.classifiers.confusion",
    "conjoin_classifiers": "rocstats.curves.classifiers.combine",
    "cost_benefit_matrix": "rocstats.sample.inputs.benefits",
    "critical_auc": "rocstats.inference.chance.critical",
    "disjoin_classifiers": "rocstats.curves.classifiers.combine",
    "format_table": "rocstats.present.tables",
    "interpolate_classifiers": "rocstats.inference.classifiers.interpolation",
    "optimism_corrected_auc": "rocstats.inference.areas.optimism",
    "permute_pipeline": "rocstats.inference.chance.pipeline",
    "plot_cost": "rocstats.present.plots.costs",
    "plot_cost_difference": "rocstats.present.plots.costs",
    "plot_cutpoint_draws": "rocstats.present.plots.cutpoints",
    "plot_det": "rocstats.present.plots.detection",
    "plot_hull": "rocstats.present.plots.hull",
    "plot_lift": "rocstats.present.plots.precision_recall",
    "plot_measures": "rocstats.present.plots.points",
    "plot_power": "rocstats.present.plots.planning",
    "plot_pr": "rocstats.present.plots.precision_recall",
    "plot_predictive_values": "rocstats.present.plots.predictive_values",
    "plot_random_points": "rocstats.present.plots.chance",
    "plot_roc": "rocstats.present.plots.roc",
    "plot_roc_difference": "rocstats.present.plots.bands",
    "plot_scores": "rocstats.present.plots.cutpoints",
    "plot_superiority": "rocstats.present.plots.costs",
    "power": "rocstats.inference.planning.power",
    "repair_concavities": "rocstats.inference.classifiers.repair",
    "report": "rocstats.present.report.report",
    "sample_size": "rocstats.inference.planning.sample_size",
    "save_table": "rocstats.present.tables",
    "stack_test_sets": "rocstats.sample.stacking",
    "sweep_class_weight": "rocstats.curves.classifiers.sweep",
    "verified_auc": "rocstats.inference.verification.areas",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module 'rocstats' has no attribute {name!r}")
        return getattr(import_module(_LATER[name]), name)

    def __dir__() -> list[str]:
        return __all__
