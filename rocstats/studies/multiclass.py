"""The study of an outcome of several classes."""

from __future__ import annotations

from rocstats.curves.classes.class_curves import multiclass_roc_curve
from rocstats.inference.classes.areas import multiclass_auc
from rocstats.inference.classes.bands import multiclass_roc_band
from rocstats.inference.classes.called import multiclass_operating_points
from rocstats.inference.classes.comparison import multiclass_compare_auc
from rocstats.sample.multiclass import MulticlassSample
from rocstats.studies.naming import names_its_methods


@names_its_methods
class MulticlassStudy(MulticlassSample):  # noqa: D101 (its docstring is that of MulticlassSample)
    __doc__ = MulticlassSample.__doc__

    auc = multiclass_auc
    compare_auc = multiclass_compare_auc
    operating_points = multiclass_operating_points
    roc_band = multiclass_roc_band
    roc_curve = multiclass_roc_curve
