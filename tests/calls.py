"""Plain calls of every public question, over few small studies with fixed data.

``CALLS`` has the plain call of each question under its name, and other methods of some questions
under "name, method". ``test_contract.py`` requires the same of each call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

import rocstats as rs
from tests.examples import difference_of_means, mean_own_score


class Call(NamedTuple):
    """A function with its options, and the study it is asked of: its class and arguments."""

    function: Callable[..., Any]
    options: Mapping[str, Any]
    kind: Callable[..., Any] | None = None
    study: Mapping[str, Any] = {}

    def answer(self) -> Any:
        """Return the answer of a study made anew."""
        if self.kind is None:
            return self.function(**self.options)
        return self.function(self.kind(**self.study), **self.options)

    def of(self, **arguments: Any) -> Call:
        """Return the call of a study with other arguments."""
        return self._replace(study={**self.study, **arguments})

    def asking(self, **options: Any) -> Call:
        """Return the call with other options."""
        return self._replace(options={**self.options, **options})

    def taken(self, rows: npt.NDArray[np.intp]) -> Call:
        """Return the call of some rows of the study, and of options with a value a row."""
        study, options = (mapped(given, lambda x: x[rows]) for given in (self.study, self.options))
        return self._replace(study=study, options=options)

    @property
    def parameters(self) -> list[str]:
        """Names of the options that the function has."""
        return list(inspect.signature(self.function).parameters)


def mapped(value: Any, change: Callable[[npt.NDArray[Any]], Any]) -> Any:
    """Return a value with its columns of N rows changed, those in dicts too."""
    if isinstance(value, Mapping):
        return {name: mapped(one, change) for name, one in value.items()}
    return change(np.asarray(value)) if np.shape(value)[:1] == (N,) else value


# --- Studies of N rows ----------------------------------------------------------------------------

N = 48
ROWS = np.arange(N)
DRAW = np.random.default_rng(3)
HALF = np.array(["x", "y"])[ROWS // 6 % 2]


def draw_risks(
    positive: npt.NDArray[Any], gap: float, spread: float = 1.0
) -> npt.NDArray[np.float64]:
    """Return tied scores in (0, 1), higher where ``positive`` and there of another spread."""
    latent = gap * (positive - 0.5) + np.where(positive, spread, 1.0) * DRAW.normal(size=N)
    return np.clip(np.round(1 / (1 + np.exp(-latent)), 1), 0.1, 0.9)


Y = ROWS % 2
# The curves cross: b is the better one at low false positive rates.
CASES: dict[str, Any] = {
    "y_true": Y,
    "y_score": {"a": draw_risks(Y, 1.5), "b": draw_risks(Y, 1.0, 2.0)},
}

CLASS = np.array(["u", "v", "w"])[ROWS % 3]
CLASSES: dict[str, Any] = {
    "y_true": CLASS,
    "y_score": {
        name: {label: draw_risks(label == CLASS, gap) for label in "uvw"}
        for name, gap in (("m", 2.0), ("n", 1.0))
    },
}


def as_shares(table: Mapping[str, npt.NDArray[np.float64]]) -> dict[str, Any]:
    """Return the scores for each class over their sum."""
    return {label: score / sum(table.values()) for label, score in table.items()}


PROBABILITIES: dict[str, Any] = {
    "y_true": CLASS,
    "y_score": {name: as_shares(table) for name, table in CLASSES["y_score"].items()},
}

CASE = ROWS // 6
READS: dict[str, Any] = {
    "truth": CASE % 2,
    "rating": np.round(DRAW.normal(3 + CASE % 2, size=N)),
    "reader": np.array(["r", "s", "t"])[ROWS % 3],
    "modality": np.array(["film", "screen"])[ROWS // 3 % 2],
    "case": CASE,
    "machine": {"ai": np.round(DRAW.normal(3 + np.arange(8) % 2))[CASE]},
}

EVENT = np.tile([1, 0, 1], N // 3)
PATIENTS: dict[str, Any] = {
    "time": np.round(1 + DRAW.exponential(4.0, N)),
    "event": EVENT,
    "score": {"a": draw_risks(EVENT, 1.5), "b": draw_risks(EVENT, 0.8)},
}

SKILL = DRAW.normal(size=N)
ITEMS: dict[str, Any] = {
    "score": {
        name: (SKILL + DRAW.normal(size=N) < ease).astype(int)
        for name, ease in (("a", 1.0), ("b", 0.4), ("c", 0.0))
    },
}
GRADES: dict[str, Any] = {
    "score": {name: np.round((SKILL > 0) * DRAW.random(N), 1) for name in "ab"},
}
# Drawn last, so that the studies above keep their scores.
LABELS: dict[str, Any] = {
    "y_true": {"u": (ROWS % 3 == 0) * 1, "v": (ROWS % 3 < 2) * 1, "w": (ROWS % 3 == 1) * 1},
    "y_score": {
        name: {
            "u": draw_risks(ROWS % 3 == 0, gap),
            "v": draw_risks(ROWS % 3 < 2, gap),
            "w": draw_risks(ROWS % 3 == 1, gap),
        }
        for name, gap in (("m", 2.0), ("n", 1.0))
    },
}

GRADED: dict[str, Any] = {
    "y_true": ROWS % 3,
    "y_score": {name: draw_risks(ROWS % 3 / 2, gap) for name, gap in (("a", 2.0), ("b", 1.0))},
}

# Marks on 12 cases, every second with a lesion or two; each reader has marks of both kinds.
MARKED = ROWS * 5 % 12
MARKS: dict[str, Any] = {
    "marks": {
        "case": MARKED,
        "rating": np.round(DRAW.normal(2 + MARKED % 2, size=N), 1),
        "lesion": np.where((MARKED % 2 == 1) & (ROWS % 8 < 5), np.where(ROWS % 7, "1", "2"), ""),
        "reader": np.array(["r", "s", "t"])[ROWS % 3],
        "modality": np.array(["film", "screen"])[ROWS // 3 % 2],
    },
    "cases": {
        "case": np.arange(12), "unit": np.arange(12) // 2, "half": ["x", "x", "y", "y"] * 3,
    },
    "lesions": {"case": [*range(1, 12, 2)] * 2, "lesion": ["1"] * 6 + ["2"] * 6},
    "reader": "reader",
    "modality": "modality",
}  # fmt: skip
REVIEW: dict[str, Any] = {
    "tp": DRAW.binomial(ROWS % 9 + 12, 0.8),
    "fp": DRAW.binomial(ROWS % 7 + 20, 0.2),
    "fn": 4 + ROWS % 3,
    "tn": 16 + ROWS % 11,
    "study": np.array([f"study {k}" for k in ROWS]),
    "covariate": {"blinded": np.array(["yes", "no"])[ROWS // 3 % 2]},
}

STUDIES: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "cases": (rs.Study, CASES),
    "folds": (rs.Study, {**CASES, "fold": HALF}),
    "groups": (rs.Study, {**CASES, "group": HALF}),
    "covariates": (rs.Study, {**CASES, "covariate": 50.0 + ROWS % 7}),
    "classes": (rs.MulticlassStudy, CLASSES),
    "labels": (rs.MultilabelStudy, LABELS),
    "probabilities": (rs.MulticlassStudy, PROBABILITIES),
    "readers": (rs.ReaderStudy, READS),
    "marks": (rs.DetectionStudy, MARKS),
    "patients": (rs.SurvivalStudy, PATIENTS),
    "ordinal": (rs.OrdinalStudy, GRADED),
    "items": (rs.ItemStudy, ITEMS),
    "grades": (rs.ItemStudy, GRADES),
    "review": (rs.MetaStudy, REVIEW),
}

ROLES: dict[Any, dict[str, Any]] = {
    rs.Study: {
        "frequency": ROWS % 3 + 1,
        "sample_weight": ROWS % 3 + 0.5,
        "cluster": ROWS // 2,
        "fold": HALF,
        "group": HALF,
        "covariate": 50.0 + ROWS % 7,
    },
    rs.MulticlassStudy: {
        "frequency": ROWS % 3 + 1,
        "sample_weight": ROWS % 3 + 0.5,
        "cluster": ROWS // 3,
        "fold": HALF,
        "group": HALF,
    },
    rs.MultilabelStudy: {
        "frequency": ROWS % 3 + 1,
        "sample_weight": ROWS % 3 + 0.5,
        "cluster": ROWS // 3,
        "fold": HALF,
        "group": HALF,
    },
    rs.ReaderStudy: {"cluster": CASE // 2, "group": np.array(["x", "y"])[CASE // 2 % 2]},
    rs.DetectionStudy: {"cluster": "unit", "group": "half"},
    rs.SurvivalStudy: {"cluster": ROWS // 2, "group": HALF},
    rs.OrdinalStudy: {"frequency": ROWS % 3 + 1, "cluster": ROWS // 3, "group": HALF},
    rs.ItemStudy: {"frequency": ROWS % 3 + 1, "cluster": ROWS // 3, "group": HALF},
    rs.MetaStudy: {"group": HALF},
}

# --- Calls of studies -----------------------------------------------------------------------------

DRAWN = {"n_resamples": 100, "rng": 1}
CUTS = {"a": {0.2: 0.3}, "b": {0.2: 0.5}}

OPTIONS: dict[str, dict[str, dict[str, Any]]] = {
    "cases": {
        "auc": {},
        "auc, logistic": {"interval": "logit", "null_value": 0.5},
        "auc, partial": {"fpr_range": (0, 0.4)},
        "auc, percentile": {"interval": "percentile", **DRAWN},
        "auc_bounds": {},
        "auc_draws": DRAWN,
        "average_precision": {},
        "average_precision, bootstrap": {"variance": "bootstrap", **DRAWN},
        "average_precision, prevalence": {"prevalence": 0.6},
        "band_likelihood_ratios": {"edges": [0.35, 0.65]},
        "binormal": {},
        "binormal, normal theory": {"method": "normal-theory"},
        "binormal_curve": {"fpr": [0.1, 0.4]},
        "binormal_curve, normal theory": {"method": "normal-theory", "fpr": [0.1, 0.4]},
        "bootstrap": {"statistic": difference_of_means, **DRAWN},
        "calibration": {},
        "calibration_band": {},
        "calibration_curve": {},
        "calibration_curve, bins": {"method": "bins", "n_bins": 3},
        "compare_auc": {},
        "compare_auc, bootstrap": {"method": "bootstrap", "interval": "percentile", **DRAWN},
        "compare_auc, correlation": {"method": "hanley-mcneil"},
        "compare_auc, margin": {"hypothesis": "non-inferiority", "margin": 0.1},
        "compare_auc, permutation": {"method": "permutation", "n_resamples": 99, "rng": 1},
        "compare_average_precision": {},
        "compare_costs": {"cost_fp": 1, "cost_fn": 3, "threshold": 0.5},
        "compare_costs, best": {"cost_fp": 1, "cost_fn": 3, **DRAWN},
        "compare_curves": {"n_resamples": 99, "rng": 1},
        "compare_net_benefit": {"risk_threshold": 0.2},
        "compare_net_benefit, mapped": {"risk_threshold": 0.2, "threshold": CUTS},
        "compare_net_benefit, treat-all": {"risk_threshold": 0.2, "reference": "treat-all"},
        "compare_net_benefit, wald": {
            "risk_threshold": 0.2, "prevalence": 0.2, "interval": "wald"
        },
        "compare_operating_points": {"threshold": 0.5},
        "compare_operating_points, beyond": {"threshold": 2.0},
        "compare_operating_points, further": {
            "threshold": 0.5,
            "quantities": ["tpr_ratio", "fpr_ratio", "accuracy", "f1", "mcc", "youden"],
        },
        "compare_operating_points, percentile": {
            "threshold": 0.5, "interval": "percentile", "quantities": ["tpr", "f1"], **DRAWN
        },
        "compare_operating_points, rates": {"fpr": [0.1, 0.5], **DRAWN},
        "compare_probability_scores": {},
        "cost_curve": {},
        "cost_difference_band": {"at": [0.2, 0.5, 0.8], **DRAWN},
        "cutpoint_draws": DRAWN,
        "cutpoints": DRAWN,
        "cutpoints, costs": {"criterion": "cost", "cost_fp": 1, "cost_fn": 5, **DRAWN},
        "cutpoints, kernel": {"method": "kernel", **DRAWN},
        "cutpoints, normal theory": {"method": "normal-theory"},
        "det_curve": {},
        "grey_zone": {"thresholds": (0.35, 0.65)},
        "grey_zone, targets": {"tpr": 0.8, "tnr": 0.8, **DRAWN},
        "lc_index": {"low": 0.1, "mode": 0.3, "high": 0.6},
        "lc_index, percentile": {
            "low": 0.1, "mode": 0.3, "high": 0.6, "interval": "percentile", **DRAWN
        },
        "lift_curve": {},
        "mean_net_benefit": {"risk_threshold": (0.1, 0.5)},
        "net_benefit": {"risk_threshold": [0.2, 0.5]},
        "net_benefit, mapped": {"risk_threshold": 0.2, "threshold": CUTS},
        "net_benefit, wald": {"risk_threshold": 0.2, "interval": "wald"},
        "net_benefit_band": {"risk_threshold": (0.1, 0.5), "n_points": 5, "rng": 1},
        "operating_points": {"threshold": [-1, 0.5, 2]},
        "operating_points, prevalence": {"threshold": 0.5, "prevalence": [0.1, 0.4]},
        "operating_points, sampled prevalence": {
            "threshold": [-1, 0.5, 2], "prevalence": 0.2, "prevalence_cases": 50
        },
        "operating_points, percentile": {"threshold": 0.5, "interval": "percentile", **DRAWN},
        "operating_points, rates": {"fpr": [0, 0.2, 1], **DRAWN},
        "operating_points_versus_random": {"threshold": [0.4, 0.6]},
        "optimal_points": {"cost_fp": 1, "cost_fn": 2},
        "pr_band": {"at": [0.5, 1.0], **DRAWN},
        "pr_curve": {},
        "probability_scores": {},
        "random_band": {},
        "random_points": {"n_points": 20, "rng": 1},
        "roc_band": {"at": [0.2, 0.5], **DRAWN},
        "roc_band, normal theory": {"method": "working-hotelling-normal", "at": [0.2, 0.5]},
        "roc_curve": {},
        "roc_difference_band": {"at": [0.2, 0.5], **DRAWN},
        "roc_hull": {},
        "subgroups": {"by": {"half": HALF}},
        "superiority_curve": {},
        "test_equal_auc": {},
        "test_performance_goals": {"threshold": 0.5, "tpr": 0.5, "tnr": 0.5},
        "versus_random": {},
        "versus_random, permutation": {"method": "permutation", "n_resamples": 99, "rng": 1},
    },
    "folds": {
        "roc_average": {},
        "roc_average, threshold": {"kind": "threshold", "n_samples": 3},
        "roc_average_difference": {"at": [0.2, 0.5], **DRAWN},
    },
    "groups": {
        "compare_auc, groups": {"across": "groups"},
        "compare_stratified_auc": {},
        "stratified_auc": {},
        "test_equal_groups": {},
    },
    "covariates": {
        "adjusted_auc": {},
        "adjusted_roc_curve": {},
        "compare_adjusted_auc": {},
        "covariate_auc": {"at": {"covariate": 53}},
    },
    "classes": {
        "auc": {},
        "auc, class reference": {"method": "ovr-weighted", "null_value": 0.5},
        "auc, percentile": {"interval": "percentile", **DRAWN},
        "compare_auc": {},
        "auc, micro": {"method": "micro"},
        "average_precision": {},
        "bootstrap": {"statistic": mean_own_score, **DRAWN},
        "calibration": {},
        "classification_report": {},
        "compare_average_precision": {},
        "compare_average_precision, micro": {"quantity": "micro_average_precision"},
        "compare_operating_points": {},
        "operating_points": {},
        "roc_band": {"at": [0.2, 0.5], **DRAWN},
        "roc_curve": {},
        "roc_curve, micro": {"average": "micro"},
    },
    "labels": {
        "auc": {},
        "auc, micro": {"average": "micro", "null_value": 0.5},
        "auc, weighted": {"average": "weighted"},
        "average_precision": {},
        "average_precision, micro": {"average": "micro"},
        "classification_report": {"threshold": 0.5},
        "compare_auc": {},
        "compare_auc, margin": {"hypothesis": "non-inferiority", "margin": 0.1},
        "compare_operating_points": {"threshold": {"u": 0.5, "v": 0.4, "w": 0.5}},
        "operating_points": {"threshold": 0.5},
    },
    "probabilities": {
        "compare_probability_scores": {},
        "compare_probability_scores, scaled": {"quantity": "scaled_brier_score"},
        "probability_scores": {},
    },
    "readers": {
        "auc": {},
        "compare_auc": {},
        "compare_operating_points": {"threshold": 3.0},
        "compare_with": {"machine": "ai"},
        "compare_with, rates": {"machine": "ai", "threshold": 3.0, "machine_threshold": 3.0},
        "components": {},
        "operating_points": {"threshold": 3.0},
        "roc_curve": {},
    },
    "marks": {
        "auc": {},
        "auc, logit": {"curve": "wafroc1", "interval": "logit-t"},
        "compare_auc": {},
        "compare_auc, delong": {"curve": "afroc", "covariance": "delong"},
        "compare_auc, readers": {"curve": "inferred-roc", "by": "reader"},
        "compare_froc_score": DRAWN,
        "compare_operating_points": {"threshold": 2.0},
        "compare_operating_points, false marks": {"false_marks": [0.5, 1], **DRAWN},
        "compare_with": {"machine": "t"},
        "components": {},
        "curve": {},
        "curve, wafroc": {"curve": "wafroc"},
        "froc_band": DRAWN,
        "froc_score": DRAWN,
        "operating_points": {"threshold": [2.0, 3.0]},
        "operating_points, any": {"threshold": "any"},
        "operating_points, false marks": {"false_marks": 0.5, **DRAWN},
        "operating_points, lroc": {"fpr": 0.2, **DRAWN},
    },
    "patients": {
        "auc": {"time": [3.0, 5.0]},
        "auc_band": {"time": [3.0, 5.0]},
        "compare_auc": {"time": 4.0},
        "compare_concordance": {"time_limit": 8.0},
        "concordance": {"time_limit": 8.0},
        "net_benefit": {"time": 4.0, "risk_threshold": [0.2, 0.5]},
        "operating_points": {"time": 4.0, "threshold": 0.5},
        "roc_curve": {"time": 4.0},
    },
    "ordinal": {
        "compare_concordance": {},
        "compare_concordance, margin": {"hypothesis": "non-inferiority", "margin": 0.1},
        "concordance": {"null_value": 0.5},
        "vus": {},
    },
    "items": {
        "accuracy": {},
        "compare_accuracy": {},
        "compare_accuracy, margin": {"hypothesis": "non-inferiority", "margin": 0.1},
    },
    "grades": {"accuracy, grades": {}, "compare_accuracy, grades": {}},
    "review": {
        "compare": {"n_nodes": 7},
        "compare, separate": {"covariance": "separate", "n_nodes": 7},
        "heterogeneity": {"n_nodes": 7},
        "influence": {"n_nodes": 7},
        "small_study_effects": {},
        "studies": {},
        "summary": {"prevalence": [0.1, 0.3]},
        "summary, profile": {"interval": "profile", "n_nodes": 7},
        "summary_roc": {"n_nodes": 7},
    },
}  # fmt: skip
"""Options by study and question, for ``Study.auc`` of the studies called "cases" and so on."""

# --- Calls of functions ---------------------------------------------------------------------------

AREAS = {"l": np.array([0.9, 0.8, 0.7, 0.75]), "m": np.array([0.6, 0.7, 0.5, 0.7])}
POSITIONS = {"p": (0.1, 0.6), "q": (0.3, 0.8)}
FEATURES = np.column_stack(list(CASES["y_score"].values()))
COUNTED = pd.DataFrame({"ill": Y, **CASES["y_score"], "half": HALF})


class Cut:
    """A learner that calls a case positive from a cut of the first feature on."""

    classes_ = (0, 1)

    def fit(self, X: Any, y: Any, sample_weight: Any) -> Cut:
        """Cut at the weighted mean."""
        self.cut = np.average(np.asarray(X)[:, 0], weights=sample_weight)
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels."""
        return (np.asarray(X)[:, 0] >= self.cut).astype(int)


def fit_first(X: Any, y: Any) -> Any:
    """Return a model whose score is the first feature."""
    return lambda rows: np.asarray(rows)[:, 0]


def gap_of_first(X: Any, y: Any) -> float:
    """Return the difference between the classes in the mean of the first feature."""
    first, positive = np.asarray(X)[:, 0], np.asarray(y) == 1
    return float(first[positive].mean() - first[~positive].mean())


def combined_points(**given: Any) -> pd.DataFrame:
    """Return the points of a combination of classifiers."""
    return rs.conjoin_classifiers(**given).points


def concavities(**given: Any) -> pd.DataFrame:
    """Return the concavities that a repair finds."""
    return rs.repair_concavities(rs.Study(**given)).concavities


POOLED = [
    "predictor",
    "quantity",
    "estimate",
    "se",
    "ci_low",
    "ci_high",
    "confidence_level",
    "method",
    "note",
]
"""The columns of all estimates."""


def pooled_areas(y_true: Any, imputations: Any) -> pd.DataFrame:
    """Return the pooled areas of imputed scores."""
    areas = [rs.Study(y_true, scores).auc() for scores in imputations]
    return rs.pool_imputations(
        [frame[[name for name in frame if name in POOLED]] for frame in areas]
    )


FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "begg_greenes": (
        rs.begg_greenes,
        {"tp": 30, "fp": 10, "fn": 4, "tn": 40, "n_test_positive": 60, "n_test_negative": 90},
    ),
    "class_weight_sweep": (
        rs.sweep_class_weight,
        {
            "estimator": Cut(),
            "X": FEATURES,
            "y": Y,
            "X_test": FEATURES[::-1],
            "y_test": Y[::-1],
            "weights": [0.5, 1, 2],
        },
    ),
    "combined_points": (combined_points, {"positions": POSITIONS}),
    "compare_learners": (rs.compare_learners, {"areas": AREAS, "n_train": 9, "n_test": 1}),
    "compare_published_auc": (
        rs.compare_published_auc,
        {"auc": 0.85, "reference_auc": 0.78, "se": 0.03, "reference_se": 0.04},
    ),
    "compare_over_datasets": (rs.compare_over_datasets, {"areas": AREAS}),
    "concavities": (concavities, {"y_true": Y, "y_score": CASES["y_score"]["b"]}),
    "confusion_rates": (rs.confusion_rates, {"tables": {"p": (10, 3, 4, 20), "q": (5, 5, 5, 5)}}),
    "count_scores": (
        rs.count_scores,
        {"frame": COUNTED, "label": "ill", "score": "a"},
    ),
    "critical_auc": (rs.critical_auc, {"n_pos": 20, "n_neg": 30, "n_candidates": [1, 10]}),
    "merge_counts": (rs.merge_counts, {"counts": [rs.count_scores(COUNTED, "ill", "a")] * 2}),
    "optimism_corrected_auc": (
        rs.optimism_corrected_auc,
        {"fit": fit_first, "X": FEATURES, "y": Y, **DRAWN},
    ),
    "permute_pipeline": (
        rs.permute_pipeline,
        {"fit_and_score": gap_of_first, "X": FEATURES, "y": Y, "n_resamples": 99, "rng": 1},
    ),
    "pool_areas": (
        rs.pool_areas,
        {"frames_or_table": pd.DataFrame({"auc": [0.8, 0.7, 0.75], "se": [0.03, 0.02, 0.04]})},
    ),
    "pool_imputations": (
        pooled_areas,
        {
            "y_true": Y,
            "imputations": [CASES["y_score"], {"a": FEATURES[::-1, 0], "b": FEATURES[:, 1]}],
        },
    ),
    "power": (rs.power, {"auc": 0.8, "n_pos": [20, 30], "n_neg": [40, 50]}),
    "sample_size": (rs.sample_size, {"auc": 0.8, "power": [0.8, 0.9]}),
    "verified_auc": (
        rs.verified_auc,
        {**CASES, "verified": ROWS % 4 > 0, "probability": 0.5 + ROWS / 100, **DRAWN},
    ),
}
"""Functions beside the studies, by the names of their declarations."""


def calls_of_studies() -> dict[str, Call]:
    """Return the calls of ``OPTIONS``."""
    found = {}
    for study, calls in OPTIONS.items():
        kind, arguments = STUDIES[study]
        for name, options in calls.items():
            function = getattr(kind, name.partition(",")[0])
            found[f"{kind.__name__}.{name}"] = Call(function, options, kind, arguments)
    return found


OF_STUDIES = calls_of_studies()
CALLS = {**OF_STUDIES, **{name: Call(*given) for name, given in FUNCTIONS.items()}}
