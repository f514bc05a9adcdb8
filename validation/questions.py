"""Questions of the harness about averaged curves (of a study) and classifiers (of columns)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.curves.average import (
    CurveSamples,
    merged_counts,
    pooled_thresholds,
    threshold_average,
    vertical_average,
)
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.estimate.bars import binomial_bars, binomial_size_of_mean_rate, t_bars
from rocstats.estimate.proportions import RateInterval

Columns = Mapping[str, Sequence[Any]]


def curves_of(study: rs.Study) -> dict[str, RocPoints]:
    """Return the curve of each fold of a study of one predictor."""
    higher = study.higher_is_positive[0]
    return {
        fold: roc_points(part.counts(0), higher_is_positive=higher)
        for fold, part in study.cases.by_fold()
    }


def vertical(study: rs.Study, *, samples: int) -> pd.DataFrame:
    """Return every curve and the mean ("mean") at FPR 0, 1/samples, ..., 1 (step 0, 1, ...)."""
    curves = curves_of(study)
    found = vertical_average(list(curves.values()), np.arange(samples + 1) / samples)
    return _long(found, list(curves), np.full(samples + 1, np.nan))


def by_threshold(
    study: rs.Study,
    *,
    samples: int | None = None,
    thresholds: Sequence[float] | None = None,
    rule: Literal["at-or-beyond", "printed"] = "at-or-beyond",
) -> pd.DataFrame:
    """Return every curve and the mean at thresholds, given or spaced evenly (step 0, 1, ...)."""
    curves = curves_of(study)
    at = pooled_thresholds(list(curves.values()), samples)
    if thresholds is not None:
        at = np.asarray(thresholds, dtype=np.float64)
    return _long(threshold_average(list(curves.values()), at, rule=rule), list(curves), at)


def merged_curve(study: rs.Study) -> pd.DataFrame:
    """Return the curve of the merged folds."""
    higher = study.higher_is_positive[0]
    counts = merged_counts(
        [part.counts(0) for _, part in study.cases.by_fold()], higher_is_positive=higher
    )
    points = roc_points(counts, higher_is_positive=higher)
    return pd.DataFrame({"threshold": points.threshold, "fpr": points.fpr, "tpr": points.tpr})


def vertex_average(
    data: Columns, *, at: Sequence[float], bars: RateInterval | Literal["t"]
) -> pd.DataFrame:
    """Return the mean at FPRs of curves given by vertices, with bars ("t", or an interval)."""
    frame = _frame(data)
    curves = [
        RocPoints(np.full(len(part), np.nan), part["fpr"].to_numpy(), part["tpr"].to_numpy())
        for _, part in frame.groupby("curve", sort=False)
    ]
    found = vertical_average(curves, np.asarray(at))
    size = binomial_size_of_mean_rate(frame.groupby("curve")["n_pos"].first().to_list())
    limits = t_bars(found.tpr, size, 0.95)
    if bars != "t":
        limits = binomial_bars(found.mean_tpr, size, bars, 0.95)
    return pd.DataFrame(
        {
            "fpr": at,
            "estimate": found.mean_tpr,
            "n_effective": limits.size,
            "ci_low": limits.low,
            "ci_high": limits.high,
        }
    )


def concavities(study: rs.Study, **arguments: Any) -> pd.DataFrame:
    """Return the concavities of a study, their corners as ``fpr_a``, ``tpr_a``, ... as well."""
    found = rs.repair_concavities(study, **arguments)
    corners = found.points[["fpr", "tpr"]].to_numpy().reshape(-1, 8)
    names = [f"{rate}_{corner}" for corner in "abcd" for rate in ("fpr", "tpr")]
    return found.concavities.assign(**dict(zip(names, corners.T, strict=True)))


def repaired(study: rs.Study, **arguments: Any) -> pd.DataFrame:
    """Return the rates of the first repaired rule, applied to the study's own cases."""
    called = rs.repair_concavities(study, **arguments).apply(study.scores[0])
    times = np.ones(len(called)) if study.frequency is None else study.frequency
    rates = {
        name: float(times[called & chosen].sum() / times[chosen].sum())
        for name, chosen in (("fpr", ~study.is_positive), ("tpr", study.is_positive))
    }
    return pd.DataFrame([{"predictor": study.predictors[0], **rates}])


def interpolated(data: Columns, **arguments: Any) -> pd.DataFrame:
    """Return share and position of the classifier between two."""
    found = rs.interpolate_classifiers(_frame(data), **arguments)
    row = {"predictor": "between", "k": found.k, "fpr": found.fpr, "tpr": found.tpr}
    return pd.DataFrame([row])


def begg_greenes(data: Columns, **arguments: Any) -> pd.DataFrame:
    """Return the rates of a table given as one row of counts."""
    return rs.begg_greenes(**{name: column[0] for name, column in data.items()}, **arguments)


def compare_published_auc(data: Columns, **arguments: Any) -> pd.DataFrame:
    """Return the difference of two areas given as one row."""
    given = {name: column[0] for name, column in data.items()}
    return rs.compare_published_auc(**given, **arguments)


def verified_auc(data: Columns, **arguments: Any) -> pd.DataFrame:
    """Return the areas of partly verified cases."""
    return rs.verified_auc(data=_frame(data), rng=1, n_resamples=100, **arguments)


def _combined(ask: Callable[..., Any]) -> Callable[..., pd.DataFrame]:
    """Return the question for the points of a combination: of positions, or of decisions."""

    def answer(data: Columns, **arguments: Any) -> pd.DataFrame:
        if "fpr" in data:
            points = ask(_frame(data), **arguments).points
        else:
            calls = {name: data[name] for name in data if name != "y_true"}
            points = ask(decisions=calls, y_true=data["y_true"], **arguments).points
        assert isinstance(points, pd.DataFrame)
        return points

    return answer


def _frame(data: Columns) -> pd.DataFrame:
    return pd.DataFrame(dict(data))


def _long(
    found: CurveSamples, names: Sequence[str], thresholds: np.ndarray[Any, Any]
) -> pd.DataFrame:
    """Return one row a curve and step, the mean over the curves last."""
    steps = len(thresholds)
    return pd.DataFrame(
        {
            "curve": np.repeat([*names, "mean"], steps),
            "step": np.tile(np.arange(steps), len(names) + 1),
            "threshold": np.tile(thresholds, len(names) + 1),
            "fpr": np.concatenate([*found.fpr, found.mean_fpr]),
            "tpr": np.concatenate([*found.tpr, found.mean_tpr]),
        }
    )


QUESTIONS: dict[str, Callable[..., pd.DataFrame]] = {
    "vertical_average": vertical,
    "threshold_average": by_threshold,
    "merged_curve": merged_curve,
    "vertex_average": vertex_average,
    "repair_concavities": concavities,
    "repaired_rates": repaired,
    "confusion_rates": lambda data, **arguments: rs.confusion_rates(_frame(data), **arguments),
    "interpolate_classifiers": interpolated,
    "begg_greenes": begg_greenes,
    "compare_published_auc": compare_published_auc,
    "verified_auc": verified_auc,
    "conjoin_classifiers": _combined(rs.conjoin_classifiers),
    "disjoin_classifiers": _combined(rs.disjoin_classifiers),
    "chain_classifiers": _combined(rs.chain_classifiers),
}
"""Averages of folds, and concavities, are asked of a study; the others of columns of input.csv."""
