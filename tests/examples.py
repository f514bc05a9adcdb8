"""Small data with known answers, shared by the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.columns import GLOSSARY

Y = np.repeat([1, 0], [8, 10])
D1 = np.concatenate(
    [
        [0.91, 0.85, 0.85, 0.77, 0.64, 0.58, 0.58, 0.41],
        [0.72, 0.64, 0.58, 0.45, 0.41, 0.33, 0.33, 0.21, 0.15, 0.08],
    ]
)
D2 = np.concatenate(
    [
        [0.80, 0.62, 0.71, 0.55, 0.66, 0.49, 0.30, 0.52],
        [0.60, 0.51, 0.49, 0.58, 0.35, 0.44, 0.27, 0.30, 0.19, 0.22],
    ]
)
D3 = np.array(
    [0.5, 0.9, 0.4, 0.6, 0.3, 0.8, 0.7, 0.2, 0.1, 0.6, 0.3, 0.5, 0.2, 0.4, 0.7, 0.55, 0.35, 0.45]
)
D1_CLUSTERS = np.concatenate([[1, 1, 2, 3, 3, 4, 5, 6], [1, 2, 2, 3, 4, 4, 5, 6, 7, 7]])


def patients() -> pd.DataFrame:
    """Twelve patients with every role, no missing values."""
    return pd.DataFrame(
        {
            "outcome": ["Poor", "Good"] * 6,
            "a": [5.0, 1, 4, 2, 6, 3, 2, 2, 7, 1, 3, 5],
            "b": [1.0, 3, 2, 2, 5, 4, 6, 1, 2, 2, 8, 3],
            "n": [1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 1, 2],
            "patient": ["p1", "p1", "p2", "p2", "p3", "p3", "p4", "p5", "p6", "p6", "p7", "p8"],
            "part": [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2],
            "site": ["x"] * 4 + ["y"] * 8,
        }
    )


def number_type(name: str, values: pd.Series) -> type[np.generic]:
    """Return the type of a column of numbers: int64 for counts that are all whole."""
    counts = GLOSSARY[name].kind == "count" and len(values) > 0
    return np.int64 if counts and bool((values % 1 == 0).all()) else np.float64


def t_quantile(p: float, df: Any) -> Any:
    """Quantile of t; older SciPy inverts t to nine digits, a Newton step gives the others."""
    rough = student.ppf(p, df)
    return rough - (student.cdf(rough, df) - p) / student.pdf(rough, df)


def difference_of_means(
    y_true: BoolArray, y_score: FloatArray, sample_weight: FloatArray | None = None
) -> float:
    """A statistic of the user's."""
    weight = np.ones(len(y_true)) if sample_weight is None else sample_weight
    if not (weight[y_true].any() and weight[~y_true].any()):
        return float("nan")
    pos, neg = (np.average(y_score[side], weights=weight[side]) for side in (y_true, ~y_true))
    return float(pos - neg)


def mean_own_score(
    y_true: Any, y_score: FloatArray, sample_weight: FloatArray | None = None
) -> float:
    """A statistic of several classes: the mean score of cases for their own class."""
    own = np.unique(y_true, return_inverse=True)[1]
    return float(np.average(y_score[np.arange(len(own)), own], weights=sample_weight))


# What a question must be given.
NEEDED: dict[str, dict[str, Any]] = {
    "band_likelihood_ratios": {"edges": [4]},
    "binormal_curve": {"fpr": 0.2},
    "bootstrap": {"statistic": difference_of_means},
    "compare_costs": {"cost_fp": 1, "cost_fn": 1, "threshold": 3},
    "compare_net_benefit": {"risk_threshold": 0.2},
    "compare_operating_points": {"threshold": 3},
    "covariate_auc": {"at": {"age": 60}},
    "grey_zone": {"tpr": 0.8, "tnr": 0.8},
    "lc_index": {"low": 0.2, "mode": 0.4, "high": 0.6},
    "mean_net_benefit": {"risk_threshold": (0.05, 0.4)},
    "net_benefit": {"risk_threshold": [0.1, 0.2]},
    "net_benefit_band": {"risk_threshold": (0.05, 0.4)},
    "operating_points": {"threshold": 3},
    "operating_points_versus_random": {"threshold": 3},
    "optimal_points": {"slope": 1},
    "subgroups": {"by": {"half": ["x"] * 12 + ["y"] * 12}},
    "test_performance_goals": {"threshold": 3, "tpr": 0.5, "tnr": 0.5},
}

# What takes scores as risks.
OF_RISKS = (
    "calibration",
    "calibration_band",
    "calibration_curve",
    "compare_net_benefit",
    "compare_probability_scores",
    "mean_net_benefit",
    "net_benefit",
    "net_benefit_band",
    "probability_scores",
)
