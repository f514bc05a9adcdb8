"""Learning methods compared: not one fitted predictor, but the method that fits it.

- ``compare_learners``: two learners on one data set, from the folds of a cross-validation.
- ``compare_over_datasets``: learners ranked over several data sets.
- ``optimism_corrected_auc``: the area of a model on new cases, estimated from its training cases.
- ``permute_pipeline``: whether a whole pipeline does better than chance, its tuning included.
- ``stack_test_sets``: several test sets as the folds of one study.
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
