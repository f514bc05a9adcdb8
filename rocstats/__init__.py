"""Statistical inference for ROC analysis: a study is asked, pandas frames answer."""

from rocstats._version import __version__
from rocstats.curves.chain import chain_classifiers
from rocstats.curves.combine import conjoin_classifiers, disjoin_classifiers
from rocstats.curves.confusion import confusion_rates
from rocstats.curves.sweep import sweep_class_weight
from rocstats.datasets.loaders import load_breast_cancer, load_ct_ratings, load_fawcett_instances
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frames import read_csv
from rocstats.inference.critical import critical_auc
from rocstats.inference.crossvalidation import optimism_corrected_auc
from rocstats.inference.interpolation import interpolate_classifiers
from rocstats.inference.pipeline import permute_pipeline
from rocstats.inference.repair import repair_concavities
from rocstats.present.plots.costs import plot_cost, plot_superiority
from rocstats.present.plots.detection import plot_det
from rocstats.present.plots.hull import plot_hull
from rocstats.present.plots.precision import plot_lift, plot_pr
from rocstats.present.plots.roc import plot_roc
from rocstats.present.report.report import report
from rocstats.present.tables import format_table, save_table
from rocstats.sample.benefits import cost_benefit_matrix
from rocstats.studies.multiclass import MulticlassStudy
from rocstats.studies.study import Study

__all__ = [
    "InputError",
    "MulticlassStudy",
    "StatisticalWarning",
    "Study",
    "__version__",
    "chain_classifiers",
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
    "plot_det",
    "plot_hull",
    "plot_lift",
    "plot_pr",
    "plot_roc",
    "plot_superiority",
    "read_csv",
    "repair_concavities",
    "report",
    "save_table",
    "sweep_class_weight",
]
