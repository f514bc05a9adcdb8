"""Statistical inference for ROC analysis: a study is asked, pandas frames answer."""

from rocstats._version import __version__
from rocstats.datasets.loaders import load_breast_cancer, load_ct_ratings, load_fawcett_instances
from rocstats.errors import InputError, StatisticalWarning
from rocstats.frames import read_csv
from rocstats.studies.study import Study

__all__ = [
    "InputError",
    "StatisticalWarning",
    "Study",
    "__version__",
    "load_breast_cancer",
    "load_ct_ratings",
    "load_fawcett_instances",
    "read_csv",
]
