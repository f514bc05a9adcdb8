"""The scale on which estimates are nearer to normal, and equality of estimates on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rocstats.facts import special as sp
from rocstats.facts.arrays import FloatArray


class Scale(NamedTuple):
    """A scale of estimates: its word, its function, the slope of it, and the way back."""

    word: str
    forward: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    back: Callable[[Any], Any]


IDENTITY = Scale("wald", lambda x: x, np.ones_like, lambda x: x)
LOGIT = Scale("logit", sp.logit, lambda x: 1 / (x * (1 - x)), sp.expit)
LOG = Scale("log", np.log, lambda x: 1 / x, np.exp)

# fmt: off
_PROPORTIONS = frozenset((
    "auc", "adjusted_auc", "covariate_auc", "stratified_auc", "corrected_auc",
    "partial_auc_standardized", "mean_tpr", "mean_tnr",
    "average_precision", "pr_auc", "tpr", "tnr", "fpr", "fnr", "ppa", "npa", "overall_agreement",
    "ppv", "npv", "false_discovery", "false_omission", "accuracy", "balanced_accuracy", "f1",
))
# fmt: on


def scale_of(quantity: str, *, difference: bool) -> Scale:
    """Return the scale of a quantity, or of a difference: logit of proportions, log of ratios."""
    if quantity.endswith("_ratio") or quantity in ("lr", "lr_positive", "lr_negative"):
        return LOG
    return LOGIT if quantity in _PROPORTIONS and not difference else IDENTITY


def equal_on_scale(
    scale: Scale, estimate: FloatArray, se: FloatArray
) -> tuple[float, float, float]:
    """Return Cochran's Q, its df and p of "independent estimates are equal".

    NaN where an estimate is at an end of the scale or has no standard error.
    """
    df = float(len(estimate) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        values, errors = scale.forward(estimate), se * scale.slope(estimate)
    if df < 1 or not np.all(np.isfinite(values) & np.isfinite(errors) & (errors > 0)):
        return float("nan"), df, float("nan")
    weights = errors**-2.0
    mean = np.dot(weights, values) / weights.sum()
    statistic = float(np.dot(weights, (values - mean) ** 2))
    return statistic, df, float(sp.chdtrc(df, statistic))
