"""Comparison of learning methods, instead of single fitted models.

- ``compare_learners``: learners on one data set, compared over the folds of a cross-validation.
- ``compare_over_datasets``: learners compared over several data sets.
- ``optimism_corrected_auc``: the area of a model on new cases, estimated from its training cases.
- ``permute_pipeline``: a test whether a whole pipeline, with its tuning, is better than chance.
- ``stack_test_sets``: one study whose folds are several test sets.
"""

from __future__ import annotations

from rocstats.inference.auc.optimism import optimism_corrected_auc
from rocstats.inference.chance.pipeline import permute_pipeline
from rocstats.inference.learners import compare_learners, compare_over_datasets
from rocstats.study.stacking import stack_test_sets

__all__ = [
    "compare_learners",
    "compare_over_datasets",
    "optimism_corrected_auc",
    "permute_pipeline",
    "stack_test_sets",
]
