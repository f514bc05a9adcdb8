"""Classifiers that decide yes or no: error rates, and combinations of classifiers.

- ``confusion_rates``: the error rates of each confusion table.
- ``conjoin_classifiers``: a case is positive if all classifiers call it positive.
- ``disjoin_classifiers``: a case is positive if any classifier calls it positive.
- ``chain_classifiers``: classifiers are applied in turn until one calls the case positive.
- ``interpolate_classifiers``: a random choice between two classifiers for each case.
- ``repair_concavities``: decisions on a score are inverted inside a concavity of its curve.
- ``sweep_class_weight``: ROC points of a learner that is fitted once for each class weight.
"""

from __future__ import annotations

from rocstats.inference.classifiers.combine import (
    chain_classifiers,
    conjoin_classifiers,
    disjoin_classifiers,
)
from rocstats.inference.classifiers.confusion import confusion_rates
from rocstats.inference.classifiers.interpolate import interpolate_classifiers
from rocstats.inference.classifiers.repair import repair_concavities
from rocstats.inference.classifiers.sweep import sweep_class_weight

__all__ = [
    "chain_classifiers",
    "confusion_rates",
    "conjoin_classifiers",
    "disjoin_classifiers",
    "interpolate_classifiers",
    "repair_concavities",
    "sweep_class_weight",
]
