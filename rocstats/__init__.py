"""Statistical inference for ROC analysis: a study is asked, pandas frames answer."""

from rocstats._version import __version__
from rocstats.datasets.loaders import load_breast_cancer, load_ct_ratings, load_fawcett_instances
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frames import read_csv
from rocstats.present.plots.roc import plot_roc
from rocstats.present.report.report import report
from rocstats.present.tables import format_table, save_table
from rocstats.studies.study import Study

__all__ = [
    "InputError",
    "StatisticalWarning",
    "Study",
    "__version__",
    "format_table",
    "load_breast_cancer",
    "load_ct_ratings",
    "load_fawcett_instances",
    "plot_roc",
    "read_csv",
    "report",
    "save_table",
]
