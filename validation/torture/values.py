"""Values of options: words and flags from the annotations, numbers and columns by name."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

import rocstats as rs
from rocstats.facts.measures import FURTHER, MEASURES
from rocstats.inference.classes.label_points import LABEL_MEASURES
from validation.torture.studies import Parts, Rng


class Drawing(NamedTuple):
    """What a recipe may look at: the generator, the study's parts, and the question."""

    rng: Rng
    parts: Parts
    question: str

    def pick(self, *values: Any) -> Any:
        """Return one of the values, each as likely."""
        return values[int(self.rng.integers(len(values)))]

    @property
    def names(self) -> list[str]:
        """Names of the predictors."""
        return list(self.parts.scores)

    @property
    def cut(self) -> list[str]:
        """Names of what has a threshold: predictors, or labels."""
        of_labels = self.parts.kind is rs.MultilabelStudy
        return list(self.parts.arguments["y_true"]) if of_labels else self.names


Recipe = Callable[[Drawing], Any]

WRONG: tuple[Any, ...] = (
    None, "no", "", -1, 0, 1, 2.0, float("nan"), float("inf"), -float("inf"), True, [], [0.1],
    {}, (0, 1), (1, 0), object(), 10**400, np.float64(0.5), np.array([0.5]), 1e-320, b"x", 1j,
    np.array("delong"), {"a": None}, [[0.1], [0.2, 0.3]], {1, 2},
)  # fmt: skip
"""Values that are wrong for nearly every option, and right for a few."""


def words_of(annotation: Any) -> list[Any]:
    """Return the words that an annotation allows, [] where it allows anything but words."""
    if typing.get_origin(annotation) is Literal:
        return list(typing.get_args(annotation))
    return [word for part in typing.get_args(annotation) for word in words_of(part)]


@cache
def annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of the parameters, those of a class by its constructor."""
    return typing.get_type_hints(function.__init__ if inspect.isclass(function) else function)


def recipe_of(recipes: Mapping[str, Recipe], question: str, name: str) -> Any:
    """Return how an option is drawn, of this question if it has its own; None if nothing is."""
    return recipes.get(f"{question}.{name}") or recipes.get(name)


def draw_value(
    recipes: Mapping[str, Recipe], function: Callable[..., Any], name: str, given: Drawing
) -> Any:
    """Return a value of an option; LookupError if nothing says how to draw it."""
    if given.rng.random() < 0.02:
        return given.pick(*WRONG)
    recipe = recipe_of(recipes, given.question, name)
    annotation = annotations_of(function).get(name)
    words = words_of(annotation)
    if words and (recipe is None or given.rng.random() < 0.8):
        return given.pick(*words)
    if recipe is not None:
        return recipe(given)
    if annotation is bool or bool in typing.get_args(annotation):
        return given.pick(True, False)
    raise LookupError(f"{given.question}: no recipe for the option {name!r}")


def one_of(*values: Any) -> Recipe:
    """Return the recipe that picks one of the values."""
    return lambda given: given.pick(*values)


def _rate(given: Drawing) -> float:
    edges = (0.0, 1.0, 0.5, 0.1, 1 / 3, 1e-12, 1 - 1e-12)
    return float(given.pick(*edges, given.rng.random()))


def _share(given: Drawing) -> float:
    return float(given.pick(0.5, 0.1, 0.9, 1e-9, 1 - 1e-9, given.rng.uniform(0.01, 0.99)))


def _rates(given: Drawing) -> Any:
    if given.rng.random() < 0.4:
        return _rate(given)
    return [_rate(given) for _ in range(given.rng.integers(1, 5))]


def _range(given: Drawing) -> tuple[float, float]:
    if given.rng.random() < 0.15:
        return _rate(given), _rate(given)
    low, high = sorted(given.rng.choice([0, 0.1, 0.2, 0.3, 0.5, 0.9, 0.99, 1], 2, replace=False))
    return float(low), float(high)


def _threshold(given: Drawing) -> float:
    score = given.parts.scores[given.pick(*given.names)]
    if isinstance(score, dict):
        score = score[given.pick(*score)]
    edges = (0.0, np.inf, -np.inf, float(np.median(score)))
    return float(given.pick(*edges, *np.asarray(score)[:6]))


def _thresholds(given: Drawing) -> Any:
    kind = given.rng.random()
    if kind < 0.4:
        return _threshold(given)
    if kind < 0.7:
        return [_threshold(given) for _ in range(given.rng.integers(1, 5))]
    return {name: _threshold(given) for name in given.cut}


def _one_threshold(given: Drawing) -> Any:
    single = given.rng.random() < 0.5
    return _threshold(given) if single else {name: _threshold(given) for name in given.cut}


def _contrasts(given: Drawing) -> Any:
    weights = given.rng.integers(-2, 3, len(given.names)).astype(float)
    return given.pick({"first": weights.tolist()}, [weights], np.eye(len(given.names)))


def _cost(given: Drawing) -> float:
    return float(given.pick(1.0, 2.0, 0.5, 1e-6, 1e6, 1e49))


def _criterion(tpr: Any, fpr: Any) -> Any:
    return tpr - 2 * fpr


def _area(y_true: Any, y_score: Any) -> float:
    neg = np.sort(y_score[~y_true])
    placed = [np.searchsorted(neg, y_score[y_true], side).mean() for side in ("left", "right")]
    return float(sum(placed)) / (2 * len(neg))


def _called(y_true: Any, y_score: Any) -> dict[str, float]:
    # Undefined where nobody is called positive, infinite where no negative is.
    tp, fp = (np.count_nonzero(y_score[side] > 0) for side in (y_true, ~y_true))
    ratio = tp / fp if fp else np.inf
    return {"ppv": tp / (tp + fp) if tp + fp else np.nan, "ratio": ratio, "tp": float(tp)}


def _own_highest(y_true: Any, y_score: Any) -> dict[str, float]:
    """Statistics of several classes, which scaled scores do not change."""
    own = np.unique(y_true, return_inverse=True)[1]
    return {
        "highest": float((y_score.argmax(axis=1) == own).mean()),
        "first": float((y_score[own == 0, 0] > 0).mean()),
    }


def _statistic(given: Drawing) -> Any:
    others = (lambda y, s: len(y), _failing)
    if given.parts.kind is rs.MulticlassStudy:
        return given.pick(_own_highest, _own_highest, _own_highest, *others)
    return given.pick(_area, _area, _called, *others)


def _failing(y_true: Any, y_score: Any) -> float:
    raise ZeroDivisionError("in the user's function")


def _quantities(given: Drawing) -> list[str]:
    size = int(given.rng.integers(1, 5))
    words = [*MEASURES, *FURTHER, "f_beta", "true_prevalence"]
    if given.parts.kind is rs.MultilabelStudy:
        words = list(LABEL_MEASURES)
    return [str(name) for name in given.rng.choice(words, size, replace=False)]


def _risk(given: Drawing) -> float:
    return float(given.pick(0.5, 0.1, 0.01, 0.99, 1e-9, given.rng.uniform(0.01, 0.99)))


def _risk_range(given: Drawing) -> tuple[float, float]:
    low, high = sorted((_risk(given), _risk(given)))
    return low, high


def _cuts(given: Drawing) -> Any:
    # Few drawn scores are risks: most questions map them, at the risk thresholds that they ask for.
    at = (0.5, 0.1, 0.01, 0.99, 1e-9)
    steps = np.argsort(np.argsort(at))
    return {
        name: dict(zip(at, np.sort(given.rng.choice(score, 5))[steps].tolist(), strict=True))
        for name, score in given.parts.scores.items()
    }


def _compared(given: Drawing) -> list[str]:
    if given.parts.kind is rs.MultilabelStudy:
        return _quantities(given)
    words = ["tpr", "tnr", "balanced_accuracy", "youden"]
    # The others have no margin, and both rates together no side.
    if given.rng.random() < 0.7:
        words += ["tpr_ratio", "fpr_ratio", "accuracy", "f1", "mcc", "ppv", "lr_positive_ratio"]
    size = int(given.rng.integers(1, len(words)))
    return [str(name) for name in given.rng.choice(words, size, replace=False)]


def _by(given: Drawing) -> Any:
    n = len(given.parts)
    levels = given.rng.integers(0, given.pick(1, 2, 3, 40), n)
    return {"first": levels, "second": given.pick(np.full(n, "a"), levels % 2)}


def _edges(given: Drawing) -> Any:
    return sorted({_threshold(given) for _ in range(int(given.pick(1, 2, 5)))})


def _two_thresholds(given: Drawing) -> Any:
    pair = sorted((_threshold(given), _threshold(given)))
    return given.pick(pair, dict.fromkeys(given.names, pair))


def _machine(given: Drawing) -> Any:
    cases = np.unique(given.parts.arguments.get("case", []))
    by_case = {case: float(given.rng.integers(4)) for case in cases.tolist()}
    return given.pick("ai", "ai", by_case, *given.names)


NUMBERS: dict[str, Recipe] = {
    "alpha": one_of(0.05, 0.01, 0.2, 0.499, 1e-9),
    "apparent_prevalence": one_of((3, 20), (0, 5), (7, 7), (300.0, 1000.0)),
    "at": _rates,
    "beta": one_of(1, 2, 0.5, 1e-6, 1e6),
    "covariate_auc.at": one_of(
        {"covariate": 60.0},
        {"covariate": [55, 1e9]},
        {"covariate": 0.5},
        {"covariate": ["F", "M"]},
        {"covariate_1": 60, "covariate_2": [0, 1]},
    ),
    "confidence_level": one_of(0.95, 0.95, 0.9, 0.5, 0.99, 0.01, 0.999999),
    "by": one_of("setting", None),
    "compare.reference": one_of("clinic", "hospital", None),
    "clip": one_of(None, 1e-6, 0.01, 0.49),
    "contrasts": _contrasts,
    "cost_fn": _cost,
    "cost_fp": _cost,
    "criterion": lambda given: _criterion,
    "false_marks": one_of([1 / 8, 1, 8], [0.5], 1.0, 0.25, [1e-9, 1e9], 0.0),
    "fpr": _rates,
    "fpr_range": _range,
    "future": one_of(1, 5, 30, 1000.0),
    "high": one_of(0.6, 0.9, 1.0, 0.5),
    "k": one_of(0, 1, 2, 3),
    "label": lambda given: given.pick(*given.cut),
    "low": one_of(0.0, 0.1, 0.3),
    "machine": _machine,
    "machine_threshold": one_of(0.0, 1.0, 0.5, np.inf),
    "margin": one_of(0.05, 0.1, 0.5, 1e-9, 0.999),
    "modality": lambda given: given.pick(*given.names),
    "mode": one_of(0.1, 0.3, 0.5),
    "name": one_of(None, "value"),
    "n_bins": one_of(2, 3, 4, 5, 20),
    "n_candidates": one_of(1, 2, 10, 10**6),
    "n_jobs": one_of(None, 1),
    "n_nodes": one_of(21, 7, 1),
    "n_points": one_of(1, 10, 50),
    "n_resamples": one_of(100, 100, 100, 101),
    "n_samples": one_of(1, 2, 3, 11),
    "null_value": one_of(0.5, 0.0, 0.1, -0.1, 0.7, 1e-9, 0.999999),
    "predictor": lambda given: given.pick(*given.names),
    "prevalence": _share,
    "prevalence_cases": one_of(1, 10, 1000.5, 1e9),
    "progress": one_of(False),
    "quantities": _quantities,
    "reference": lambda given: given.pick(*given.names),
    "risk_threshold": one_of(0.1, 0.5, [0.01, 0.1, 0.5], [0.99, 1e-9]),
    "net_benefit_band.risk_threshold": _risk_range,
    "mean_net_benefit.risk_threshold": _risk_range,
    "net_benefit.threshold": _cuts,
    "compare_net_benefit.threshold": _cuts,
    "compare_net_benefit.reference": lambda given: given.pick("treat-all", *given.names),
    "net_benefit_band.reference": lambda given: given.pick("treat-all", *given.names),
    "mean_net_benefit.reference": lambda given: given.pick("treat-all", *given.names),
    "shift_prevalence.p": lambda given: given.pick(_rate(given), [_rate(given), _share(given)]),
    "shift_prevalence.source": _share,
    "shift_prevalence.target": _share,
    "rng": lambda given: given.pick(int(given.rng.integers(10**6)), 0, np.random.SeedSequence(7)),
    "summary.quantities": one_of(["tpr"], ["tnr", "dor"]),
    "slope": one_of(1.0, 0.5, 1e-12, 1e12),
    "time": one_of(3.0, [1.0, 2.5, 4.0], 5, [4, 0.1], 1e9),
    "time_limit": one_of(3.0, 4, 100.0, None),
    "thresholds": lambda given: [_threshold(given) for _ in range(3)],
    "tnr": _rate,
    "tpr": _rates,
    "tpr_range": _range,
    "threshold": _thresholds,
    "compare_costs.threshold": _one_threshold,
    "compare_with.threshold": _one_threshold,
    "compare_operating_points.threshold": _one_threshold,
    "compare_operating_points.quantities": _compared,
    "test_performance_goals.threshold": _one_threshold,
    "test_performance_goals.tpr": _share,
    "test_performance_goals.tnr": _share,
    "cutpoints.tpr": _share,
    "cutpoints.fpr": _share,
    "cutpoint_draws.tpr": _share,
    "cutpoint_draws.fpr": _share,
    "edges": _edges,
    "grey_zone.thresholds": _two_thresholds,
    "grey_zone.tpr": _share,
    "grey_zone.tnr": _share,
    "band_likelihood_ratios.prevalence": lambda given: given.pick(_share(given), [0.1, 0.5]),
    "subgroups.by": _by,
    "subgroups.data": one_of(None),
    "subgroups.quantity": one_of("auc", "auc", "tpr", "ppv", "lr_positive", "youden"),
    "subgroups.threshold": _one_threshold,
    "bootstrap.statistic": _statistic,
    "operating_points.prevalence": lambda given: given.pick(_share(given), [0.1, 0.5]),
    "one_against_rest.predictor": one_of(0, 1),
}
"""How the options of the questions of a study are drawn, by name or by question and name."""
