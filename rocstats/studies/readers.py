"""The study of several readers who rate the same cases."""

from __future__ import annotations

from rocstats.inference.readers.auc import reader_auc
from rocstats.inference.readers.comparison import reader_compare_auc
from rocstats.inference.readers.components import reader_components
from rocstats.inference.readers.curves import reader_roc_curve
from rocstats.inference.readers.machine import reader_compare_with
from rocstats.inference.readers.points import (
    reader_compare_operating_points,
    reader_operating_points,
)
from rocstats.sample.readers import ReaderSample
from rocstats.studies.machines import WithMachines
from rocstats.studies.naming import names_its_methods


@names_its_methods
class ReaderStudy(WithMachines):  # noqa: D101 (its docstring is that of ReaderSample)
    __doc__ = ReaderSample.__doc__

    auc = reader_auc
    compare_auc = reader_compare_auc
    compare_operating_points = reader_compare_operating_points
    compare_with = reader_compare_with
    components = reader_components
    operating_points = reader_operating_points
    roc_curve = reader_roc_curve
