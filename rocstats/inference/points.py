"""Rates of one curve at thresholds, with intervals on both axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.average import vertex_at
from rocstats.curves.points import roc_points
from rocstats.errors import require_choice, require_open_interval
from rocstats.frames import estimate_frame
from rocstats.sample.clusters import cluster_numbers
from rocstats.sample.sample import Sample
from rocstats.sample.thresholds import read_thresholds
from rocstats.sample.vectors import FloatArray, IntArray
from rocstats.stats.bars import (
    Bars,
    ClassRows,
    binomial_bars,
    clustered_bars,
    clustered_rate_variance,
    each_level,
    no_bars,
)

REFERENCES = (
    "Wilson EB. J Am Stat Assoc 1927;22:209-212.",
    "Clopper CJ, Pearson ES. Biometrika 1934;26:404-413.",
    "Fawcett T. ROC graphs: notes and practical considerations for researchers."
    " HP Laboratories, 2004.",
)
PointInterval = Literal["wilson", "clopper-pearson", "agresti-coull", "jeffreys", "wald"]
POINT_INTERVALS: tuple[PointInterval, ...] = (
    "wilson",
    "clopper-pearson",
    "agresti-coull",
    "jeffreys",
    "wald",
)
QUANTITIES = ("tpr", "fpr", "tnr")
_FEW_CLUSTERS = 30


@dataclass(frozen=True)
class _Asked:
    """Which intervals; ``level`` is that of one of them."""

    interval: PointInterval
    joint: bool
    confidence_level: float

    @property
    def level(self) -> float:
        return each_level(self.confidence_level) if self.joint else self.confidence_level


def operating_points(
    sample: Sample,
    *,
    threshold: float | Sequence[float] | Mapping[str, float | Sequence[float]],
    interval: PointInterval = "wilson",
    joint: bool = False,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return the rates at thresholds with intervals; a row is one rate at one threshold.

    Parameters
    ----------
    threshold : float, sequence of float, or mapping of str to them
        Thresholds on the user's scale, fixed beforehand; a mapping gives each predictor its own.
        1 for a study made with ``from_confusion``.
    interval : {"wilson", "clopper-pearson", "agresti-coull", "jeffreys", "wald"}, default "wilson"
        Limits of a proportion.
    joint : bool, default False
        Whether the limits of both axes hold together, as a rectangle around the point: each is then
        at the level sqrt(confidence_level).
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of an interval, or with ``joint`` of the rectangle.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, direction, threshold, fpr, tpr, reading, prevalence,
        fp, tp, estimate, se, ci_low, ci_high, confidence_level, n_pos, n_neg, n_effective,
        n_resamples, method, note``. Three rows a threshold: ``quantity`` "tpr" (sensitivity), "fpr"
        and "tnr" (specificity, 1 - fpr). ``fpr, tpr`` are the point itself, in each of its rows.
        ``n_effective`` is the number of cases that the limits allow for. ``reading`` is
        "threshold"; ``prevalence`` is NaN, these rates having none.

    Raises
    ------
    InputError
        If a threshold is no number, names no predictor, or a word is unknown.

    Warns
    -----
    StatisticalWarning
        If a group lacks a class (``one-class``), folds are pooled (``pooled-folds``), under 30
        clusters hold a class (``few-clusters``), or cases have weights (``weights-need-bootstrap``,
        no limits).

    Notes
    -----
    At a threshold fixed beforehand TP ~ Binomial(n_pos, tpr) and FP ~ Binomial(n_neg, fpr),
    independently, so that both intervals at the level sqrt(c) hold together with probability c. A
    threshold read off these data, such as the best one or that of a chosen false positive rate, is
    not fixed: its limits are too narrow.

    Limits come from statsmodels' ``proportion_confint``, cut at 0 and 1; those of a rate of 0 begin
    at 0 and those of 1 end at 1 (which changes Jeffreys' only). A Wald interval of a rate
    of 0 or 1 has no width: there Wilson's stands (note ``no-width``). A rate of a point at an end
    of the curve, where nobody or everybody is called positive, is 0 or 1 whatever the cases; its
    interval is that of any other such rate, and wide rather than narrow.

    Clusters: with p = sum x_i / sum n_i over I clusters that hold the class,
    Var = I/(I - 1) sum (x_i - p n_i)^2 / (sum n_i)^2, and the interval has the sample size
    p(1 - p)/Var; a cluster counts as one case where they do not vary. Frequencies are counts.

    References
    ----------
    Wilson (1927); Clopper & Pearson (1934); Fawcett (2004), section 6.2, bars on both axes.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=670, fn=74, fp=202, tn=640)
    >>> points = study.operating_points(threshold=1)
    >>> points[["quantity", "estimate", "ci_low", "ci_high"]].round(4)
      quantity  estimate  ci_low  ci_high
    0      tpr    0.9005  0.8769   0.9200
    1      fpr    0.2399  0.2123   0.2699
    2      tnr    0.7601  0.7301   0.7877
    """
    require_choice("interval", interval, POINT_INTERVALS)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    asked = _Asked(interval, joint, confidence_level)
    wanted = read_thresholds(threshold, sample.predictors)
    rows = [
        {"predictor": name, "group": group, **row}
        for group, part in sample.by_group()
        for k, name in enumerate(sample.predictors)
        if len(wanted[name])
        for row in _rows(part, k, wanted[name], asked)
    ]
    return estimate_frame(
        "operating_points", rows, grouped=sample.group is not None, references=REFERENCES
    )


def _rows(sample: Sample, k: int, thresholds: FloatArray, asked: _Asked) -> list[dict[str, Any]]:
    """Return the rows of predictor ``k``, three a threshold."""
    curve = roc_points(sample.counts(k), higher_is_positive=sample.higher_is_positive[k])
    vertex = vertex_at(curve, thresholds)
    fpr, tpr = curve.fpr[vertex], curve.tpr[vertex]
    rates = {"tpr": tpr, "fpr": fpr, "tnr": _share_left(curve.fp, vertex)}
    found = {name: _bars(sample, k, name, rate, vertex, asked) for name, rate in rates.items()}
    common = _common_codes(sample, asked)
    return [
        {
            "quantity": name,
            "direction": ">=" if sample.higher_is_positive[k] else "<=",
            "threshold": threshold,
            "fpr": fpr[i],
            "tpr": tpr[i],
            "reading": "threshold",
            "prevalence": np.nan,
            "fp": curve.fp[vertex[i]],
            "tp": curve.tp[vertex[i]],
            "estimate": rates[name][i],
            **_limits(found[name], i, asked, common),
            "n_pos": sample.n_pos,
            "n_neg": sample.n_neg,
            "n_resamples": 0,
        }
        for i, threshold in enumerate(thresholds)
        for name in QUANTITIES
    ]


def _share_left(called: FloatArray, vertex: IntArray) -> FloatArray:
    """Return the share not called positive, from counts: 1 - fpr would lose small shares."""
    total = called[-1]
    return (total - called[vertex]) / total if total > 0 else np.full(len(vertex), np.nan)


@dataclass(frozen=True, eq=False)
class _Found:
    """The bars of a rate at every threshold, and what they are called."""

    bars: Bars
    source: str
    codes: list[str]


def _bars(
    sample: Sample, k: int, name: str, rate: FloatArray, vertex: IntArray, asked: _Asked
) -> _Found:
    """Return the bars of one rate at every threshold."""
    positive = name == "tpr"
    size = sample.n_pos if positive else sample.n_neg
    if size == 0:
        return _Found(no_bars(len(rate)), "none", [])
    if sample.sample_weight is not None:
        return _Found(no_bars(len(rate)), "none", ["weights-need-bootstrap"])
    if sample.cluster is None:
        return _Found(binomial_bars(rate, size, asked.interval, asked.level), "binomial", [])
    variance = clustered_rate_variance([_class_rows(sample, k, vertex, positive=positive)])
    of_pos, of_neg, _ = cluster_numbers(sample)
    n_clusters = of_pos if positive else of_neg
    bars = clustered_bars(rate, n_clusters, variance, asked.interval, asked.level)
    return _Found(bars, "clusters", ["few-clusters"] if n_clusters < _FEW_CLUSTERS else [])


def _class_rows(sample: Sample, k: int, vertex: IntArray, *, positive: bool) -> ClassRows:
    chosen = sample.is_positive == positive
    frequency = np.ones(len(chosen)) if sample.frequency is None else sample.frequency
    cluster = sample.cluster.codes  # type: ignore[union-attr]
    return ClassRows(sample.codes(k)[chosen], cluster[chosen], frequency[chosen], vertex)


def _common_codes(sample: Sample, asked: _Asked) -> list[str]:
    codes = ["one-class"] if min(sample.n_pos, sample.n_neg) == 0 else []
    codes += ["pooled-folds"] if sample.fold is not None else []
    codes += [f"joint-level={asked.confidence_level:g}"] if asked.joint else []
    return [*codes, *sample.notes()]


def _limits(found: _Found, i: int, asked: _Asked, common: list[str]) -> dict[str, Any]:
    """Return what an interval adds to a row."""
    bars, replaced = found.bars, bool(found.bars.replaced[i])
    if found.source == "none":
        method = "none/none"
    else:
        method = f"{found.source}/{'wilson' if replaced else asked.interval}"
    return {
        "se": bars.se[i],
        "ci_low": bars.low[i],
        "ci_high": bars.high[i],
        "confidence_level": asked.level,
        "n_effective": bars.size[i],
        "method": method,
        "note": [*(["no-width"] if replaced else []), *found.codes, *common],
    }
