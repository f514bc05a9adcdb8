"""The study of a binary outcome: described once, asked everything."""

from __future__ import annotations

from rocstats.curves.points import roc_curve
from rocstats.inference.auc import auc
from rocstats.inference.comparison import compare_auc, test_equal_auc
from rocstats.sample.sample import Sample


class Study(Sample):  # noqa: D101 (its docstring is that of Sample, written once)
    __doc__ = Sample.__doc__

    auc = auc
    compare_auc = compare_auc
    roc_curve = roc_curve
    test_equal_auc = test_equal_auc
