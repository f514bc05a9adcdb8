"""Classifiers that decide yes or no: their rates, and new classifiers made of them.

- ``confusion_rates``: the rates of each confusion table.
- ``conjoin_classifiers``, ``disjoin_classifiers``: positive if all, or any, say so.
- ``chain_classifiers``: asked in turn until one says positive.
- ``interpolate_classifiers``: a classifier on the line between two others, by a random choice.
- ``repair_concavities``: a score whose decisions are inverted where its curve is concave.
- ``sweep_class_weight``: the curve of a learner that is fitted once for each class weight.
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
