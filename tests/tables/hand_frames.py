"""Frames of answers written down by hand, for tests of what is made of frames."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.roc import ROC_CURVE
from rocstats.frame.make import estimate_frame, make_frame
from rocstats.inference.auc.auc import AUC
from rocstats.inference.auc.compare import COMPARE_AUC
from rocstats.inference.auc.equality import TEST_EQUAL_AUC
from rocstats.inference.precision_recall.average_precision import AVERAGE_PRECISION

NAN, INF = float("nan"), float("inf")
AREA = {"quantity": "auc", "range_axis": "fpr", "range_low": 0.0, "range_high": 1.0}
UNTESTED = {"null_value": NAN, "statistic": NAN, "df": NAN, "p_value": NAN}
COMMON = {
    "se": 0.04,
    "confidence_level": 0.95,
    "hypothesis": "two-sided",
    "n_pos": 41.0,
    "n_neg": 72.0,
    "n_resamples": 0.0,
    "note": [],
}


def area_row(predictor: str, estimate: float, low: float, high: float, **more: Any) -> dict:
    row = {**AREA, **UNTESTED, **COMMON, "method": "delong/logit"}
    return {
        **row,
        "predictor": predictor,
        "estimate": estimate,
        "ci_low": low,
        "ci_high": high,
        **more,
    }


def difference_row(
    predictor: str, reference: str, estimate: float, low: float, high: float, **more: Any
) -> dict:
    tested = {"null_value": 0.0, "statistic": 1.0, "df": INF, "p_value": 0.3, "p_adjusted": 0.3}
    row = area_row(predictor, estimate, low, high, method="delong/wald", reference=reference)
    return {**row, **tested, **more}


def auc_frame(*rows: dict) -> pd.DataFrame:
    return estimate_frame(AUC, rows, grouped="group" in rows[0])


def compare_frame(*rows: dict) -> pd.DataFrame:
    return estimate_frame(COMPARE_AUC, rows, grouped="group" in rows[0])


def equality_frame(statistic: float, df: float, p_value: float) -> pd.DataFrame:
    row = area_row("all", NAN, NAN, NAN, se=NAN, confidence_level=NAN, method="delong/chi2")
    tested = {"null_value": 0.0, "statistic": statistic, "df": df, "p_value": p_value}
    return estimate_frame(TEST_EQUAL_AUC, [{**row, **tested}], grouped=False)


def precision_frame(*estimates: tuple[str, str, float], grouped: bool = False) -> pd.DataFrame:
    """Predictor, group and average precision; the other area is half of it."""
    rows = [
        {
            "predictor": predictor,
            "group": group,
            "quantity": quantity,
            "estimate": value,
            **dict.fromkeys(("se", "ci_low", "ci_high", "confidence_level"), NAN),
            "prevalence": 0.25,
            "n_pos": 4.0,
            "n_neg": 12.0,
            "method": "none/none",
            "note": ["no-interval"],
        }
        for predictor, group, value in estimates
        for quantity, value in (("average_precision", value), ("pr_auc", value / 2))
    ]
    return estimate_frame(AVERAGE_PRECISION, rows, grouped=grouped)


def curve_frame(curves: list[tuple[str, str, list[tuple[float, float]]]]) -> pd.DataFrame:
    """Predictor, fold and the points (fpr, tpr) of each curve."""
    columns: dict[str, list[Any]] = {
        name: []
        for name in ("predictor", "fold", "direction", "threshold", "fpr", "tpr", "fp", "tp")
    }
    for predictor, fold, points in curves:
        for i, (fpr, tpr) in enumerate(points):
            values = (predictor, fold, ">=", INF if i == 0 else -float(i), fpr, tpr)
            for name, value in zip(columns, (*values, 72 * fpr, 41 * tpr), strict=True):
                columns[name].append(value)
    # As in a frame of csv of an earlier version: thresholds are then printed in full.
    return make_frame(ROC_CURVE, {**columns, "next_score": math.nan}, grouped=False)


def long_curve(n: int) -> pd.DataFrame:
    """A staircase of n points whose steps are far smaller than a printed line."""
    steps = np.random.default_rng(1).random(n - 1) < np.linspace(0.9, 0.1, n - 1)
    tpr = np.concatenate([[0.0], np.cumsum(steps)])
    fpr = np.concatenate([[0.0], np.cumsum(~steps)])
    return pd.DataFrame(
        {"predictor": "score", "fold": "", "fpr": fpr / fpr[-1], "tpr": tpr / tpr[-1]}
    )
