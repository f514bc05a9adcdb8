"""The options of each call, from the signature of its question and from bases."""

from __future__ import annotations

import inspect
import re
import typing
from typing import Any

import numpy as np

from validation.torture.values import words_of

DRAWN: dict[str, Any] = {"n_resamples": 100, "n_simulations": 100, "rng": 7}
VALUES: dict[str, list[Any]] = {
    "confidence_level": [0.9, 1.5],
    "null_value": [0.5, 0.1, 2.0],
    "fpr_range": [(0.0, 0.2), (0.1, 0.6), (0.5, 0.2)],
    "tpr_range": [(0.8, 1.0), (0.3, 0.7)],
    "prevalence": [0.1, 1.0],
    "clip": [0.01, 0.7],
    "reference": ["b", "nobody"],
    "n_bins": [3, 5],
    "n_points": [10, 1],
    "n_samples": [5],
    "n_candidates": [1, 10],
    "cost_fp": [2.0],
    "cost_fn": [5.0],
    "slope": [0.5, 2.0],
    "fpr": [0.1, [0.0, 0.1, 0.5]],
    "tpr": [0.9, [0.5, 0.9]],
    "at": [[0.1, 0.5], 0.2],
    "future": [20],
    "beta": [2],
    "prevalence_cases": [50.0],
    "apparent_prevalence": [(7, 60)],
    "time_limit": [10.0],
    "threshold": [0.5, {"a": 0.4, "b": 0.6}],
    "thresholds": [[0.3, 0.7]],
    "tnr": [0.9],
    "contrasts": [{"first": [1, -1]}],
    "machine_threshold": [0.5],
    "margin": [0.05],
    "labels": [],
    "progress": [],
    "rng": [],
    "n_resamples": [10],
    "data": [],
    "predictor": [],
}
CLAIMS: list[dict[str, Any]] = [
    {"hypothesis": "superiority"},
    {"hypothesis": "superiority", "margin": 0.03},
    {"hypothesis": "non-inferiority", "margin": 0.05},
    {"hypothesis": "equivalence", "margin": 0.2},
    {"hypothesis": "equivalence", "margin": 0.2, "confidence_level": 0.9},
]


def _wins(y: Any, s: Any) -> float:
    return float((s[y][:, None] > s[~y]).mean() + (s[y][:, None] == s[~y]).mean() / 2)


def _called(y: Any, s: Any) -> dict[str, float]:
    cut = np.median(s)
    return {"tpr": float((s[y] > cut).mean()), "fpr": float((s[~y] > cut).mean())}


MEASURES = [
    "tpr",
    "tnr",
    "fpr",
    "fnr",
    "ppv",
    "npv",
    "lr_positive",
    "lr_negative",
    "odds_ratio",
    "accuracy",
    "balanced_accuracy",
    "youden",
    "f1",
    "mcc",
    "kappa",
    "false_discovery",
    "false_omission",
    "number_needed_to_diagnose",
]
PAIRED_MEASURES = [
    "tpr",
    "tnr",
    "ppv",
    "npv",
    "tpr_ratio",
    "fpr_ratio",
    "lr_positive_ratio",
    "lr_negative_ratio",
    "balanced_accuracy",
    "youden",
    "accuracy",
    "f1",
    "mcc",
]
BASES: dict[str, list[dict[str, Any]]] = {
    "band_likelihood_ratios": [{"edges": [0.3, 0.6]}, {"edges": [0.5], "prevalence": [0.1, 0.4]}],
    "bootstrap": [
        {"statistic": _wins},
        {"statistic": _called},
        {"statistic": _wins, "reference": "b"},
    ],
    "calibration": [
        {},
        {"quantities": ["ici", "e50", "e90", "miscalibration", "spiegelhalter_z"]},
        {"prevalence": 0.1, "clip": 0.01},
    ],
    "compare_costs": [
        {"cost_fp": 1.0, "cost_fn": 3.0},
        {"cost_fp": 1, "cost_fn": 1, "threshold": {"a": 0.4, "b": 0.6}},
    ],
    "compare_net_benefit": [
        {"risk_threshold": 0.3},
        {"risk_threshold": [0.2, 0.5], "reference": "treat-all"},
        {"risk_threshold": 0.3, "threshold": {"a": {0.3: 0.4}, "b": {0.3: 0.5}}},
    ],
    "compare_operating_points": [
        {"threshold": 0.5},
        {"threshold": 0.5, "quantities": PAIRED_MEASURES},
        {"fpr": 0.2},
        {"tpr": 0.8},
        {"threshold": {"a": 0.4, "b": 0.6}, "quantities": ["tpr", "tnr"], "test": "exact"},
    ],
    "covariate_auc": [
        {"at": {"covariate": [55, 65]}},
        {"at": {"covariate": ["F", "M"]}},
        {"at": {"covariate_1": 0.5, "covariate_2": [0, 1]}},
    ],
    "cutpoints": [
        {},
        {"criterion": "fixed-tpr", "tpr": 0.8},
        {"criterion": "fixed-fpr", "fpr": 0.2},
        {"criterion": "cost", "cost_fp": 1.0, "cost_fn": 4.0, "prevalence": 0.2},
        {"criterion": "youden", "method": "kernel"},
        {"criterion": lambda tpr, fpr: tpr - 2 * fpr},
    ],
    "grey_zone": [{"thresholds": [0.3, 0.7]}, {"tpr": 0.9, "tnr": 0.9}],
    "lc_index": [{"low": 0.1, "mode": 0.3, "high": 0.6}],
    "mean_net_benefit": [
        {"risk_threshold": (0.1, 0.5)},
        {"risk_threshold": (0.1, 0.5), "reference": "treat-all"},
    ],
    "net_benefit": [
        {"risk_threshold": 0.3},
        {"risk_threshold": [0.1, 0.3, 0.6]},
        {"risk_threshold": 0.3, "threshold": {"a": {0.3: 0.4}, "b": {0.3: 0.5}}},
    ],
    "net_benefit_band": [
        {"risk_threshold": (0.1, 0.5)},
        {"risk_threshold": (0.1, 0.5), "reference": "treat-all"},
    ],
    "operating_points": [
        {"threshold": 0.5},
        {"fpr": [0.1, 0.3], "tpr": None},
        {"tpr": 0.8},
        {"threshold": [0.3, 0.5], "quantities": MEASURES},
        {"threshold": 0.5, "quantities": MEASURES, "prevalence": 0.1},
        {"fpr": 0.2, "reading": "attained", "quantities": MEASURES},
        {"threshold": 0.5, "quantities": ["f_beta", "f1"], "beta": 2},
        {"threshold": 0.5, "quantities": ["true_prevalence"], "apparent_prevalence": (9, 60)},
        {"threshold": 3.0},
    ],
    "operating_points_versus_random": [{"threshold": 0.5}],
    "subgroups": [
        {"by": "GROUPS"},
        {"by": "GROUPS", "quantity": "tpr", "threshold": 0.5},
        {"by": "GROUPS", "quantity": "youden", "threshold": 0.5},
        {"by": "GROUPS", "quantity": "lr_positive", "threshold": 0.5},
    ],
    "test_performance_goals": [{"threshold": 0.5, "tpr": 0.6, "tnr": 0.5}],
    "compare_with": [
        {"machine": "ai"},
        {"machine": "ai", "threshold": 2.0, "machine_threshold": 0.5},
    ],
    "one_against_rest": [{"k": 0}, {"k": 2, "predictor": 1}],
    "n_of": [{"k": 1}],
    "machine_scores": [{"machine": "ai"}],
    "machine_study": [{"machine": "ai"}],
    "without": [{"modality": "m1"}],
    "curve": [{"i": 0, "j": 1}],
    "auc_band": [{"time": [4.0, 8.0, 12.0]}],
}
SURVIVAL: dict[str, list[dict[str, Any]]] = {
    "concordance": [{"time_limit": 10.0}, {"method": "harrell"}],
    "compare_concordance": [{"time_limit": 10.0}, {"method": "harrell"}],
    "auc": [{"time": [5.0, 10.0]}],
    "compare_auc": [{"time": [5.0, 10.0]}],
    "roc_curve": [{"time": 8.0}],
    "operating_points": [{"threshold": 0.5, "time": [5.0, 10.0]}],
    "net_benefit": [{"risk_threshold": [0.3, 0.5], "time": 8.0}],
}
CLASSES: dict[str, list[dict[str, Any]]] = {
    "operating_points": [{}, {"quantities": ["ppv", "tpr", "f1"]}]
}
LABELS: dict[str, list[dict[str, Any]]] = {
    "operating_points": [{"threshold": 0.5}, {"threshold": {"0": 0.5, "1": 0.2, "2": 0.8}}],
    "classification_report": [{"threshold": 0.5}],
    "compare_operating_points": [{"threshold": 0.5}],
    "label_study": [{"label": "1"}],
}
READERS: dict[str, list[dict[str, Any]]] = {
    "operating_points": [{"threshold": 2.0}, {"fpr": 0.3}],
    "compare_operating_points": [{"threshold": 2.0}, {"fpr": 0.3}],
}


def hints_of(function: Any) -> dict[str, Any]:
    """Return the annotations of a function whose names are known at run time."""
    target = function.__init__ if inspect.isclass(function) else function
    space = {**vars(typing), **getattr(target, "__globals__", {})}
    found = {}
    for name, text in getattr(target, "__annotations__", {}).items():
        try:
            found[name] = eval(text, space) if isinstance(text, str) else text
        except NameError:
            continue
    return found


def options_of(function: Any, bases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the options of each call: the bases, then the first base with one option changed."""
    hints = hints_of(function)
    names = [n for n in inspect.signature(function).parameters if n not in ("self", "sample")]
    always = {n: v for n, v in DRAWN.items() if n in names}
    calls = [{**always, **base} for base in bases]
    first = calls[0]
    for name in names:
        words = words_of(hints.get(name))
        values = [*words, "no-such-word"] if words else []
        if hints.get(name) is bool or bool in typing.get_args(hints.get(name)):
            values += [] if name == "progress" else [True, False]
        values += VALUES.get(name, []) if name not in bases[0] or name in DRAWN else []
        for value in values:
            more = {name: value}
            if name == "hypothesis" and value in ("non-inferiority", "equivalence"):
                more["margin"] = 0.1
            if name == "alternative":
                one_value = "null_value" in names and "hypothesis" not in names
                more |= {"null_value": 0.6} if one_value else {}
            calls.append({**first, **more})
    if "hypothesis" in names:
        calls += [{**first, **claim} for claim in CLAIMS if claim.keys() <= set(names)]
        calls += [{**base, **CLAIMS[2]} for base in calls[1 : len(bases)]]
    methods, intervals = (words_of(hints.get(n)) for n in ("method", "interval"))
    if methods and intervals:
        calls += [{**first, "method": m, "interval": i} for m in methods for i in intervals]
    variances = words_of(hints.get("variance"))
    if variances and intervals:
        calls += [{**first, "variance": v, "interval": i} for v in variances[1:] for i in intervals]
    return [c for c in calls if all(n in names or v is not None for n, v in c.items())]


def option_text(options: dict[str, Any]) -> str:
    """Return options as text that stays the same."""
    shown = {
        n: getattr(v, "__name__", v) if callable(v) else v
        for n, v in options.items()
        if DRAWN.get(n, ...) != v
    }
    text = ", ".join(f"{n}={v!r}" for n, v in shown.items())
    return re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", text))[:300]
