"""Arguments of the functions beside the studies: planning, learners, verification, classifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs
from validation.torture.studies import Floats, draw_study
from validation.torture.values import Drawing, Recipe, one_of


class Cut:
    """A learner that cuts the first feature where the weighted errors are least."""

    classes_ = (0, 1)

    def fit(self, X: Any, y: Any, sample_weight: Any) -> Cut:
        """Return the fitted learner."""
        X, y = np.asarray(X), np.asarray(y)
        wrong = [np.sum(sample_weight * ((X[:, 0] >= x) != (y == y.max()))) for x in X[:, 0]]
        self.cut, self.labels = X[int(np.argmin(wrong)), 0], np.array([y.min(), y.max()])
        return self

    def predict(self, X: Any) -> Any:
        """Return the labels."""
        return self.labels[(np.asarray(X)[:, 0] >= self.cut).astype(int)]


class Tree:
    """A fitted tree: the leaf of a case is the rounded first feature."""

    classes_ = np.array([0, 1])

    def predict_proba(self, X: Any) -> Floats:
        """Return the shares of both classes at the leaf of each case."""
        share = 1 / (1 + np.exp(-np.clip(np.round(np.asarray(X)[:, 0]), -9, 9)))
        return np.column_stack([1 - share, share])


def _fit(X: Any, y: Any) -> Callable[[Any], Any]:
    # With labels in place of probabilities the model knows the direction of its best column.
    truth = np.asarray(y) == np.asarray(y).max()
    gaps = np.nan_to_num(X[truth].mean(axis=0) - X[~truth].mean(axis=0))
    best = int(np.argmax(np.abs(gaps)))
    return lambda rows: rows[:, best] * np.sign(gaps[best])


def _fit_and_score(X: Any, y: Any) -> float:
    truth = np.asarray(y) == np.asarray(y).max()
    return float(np.nan_to_num(X[truth, 0].mean() - X[~truth, 0].mean()))


def _features(given: Drawing) -> Floats:
    return given.rng.normal(size=(len(given.parts), 2)).round(1)


def _labels(given: Drawing) -> Any:
    # Shares of positives differ; a case more or less is one mismatched length in twenty.
    n = len(given.parts) + int(given.rng.random() < 0.05)
    return (given.rng.random(n) < given.pick(0.5, 0.5, 0.1, 1.0)).astype(int)


def _calls(given: Drawing) -> dict[str, Any]:
    n = len(given.parts)
    names = ["A", "B", "C"][: int(given.rng.integers(1, 4))]
    return {name: (given.rng.random(n) < 0.5).astype(given.pick(int, bool)) for name in names}


def _positions(given: Drawing) -> Any:
    names = ["A", "B", "C"][: int(given.pick(2, 2, 3, 1))]
    found = {name: (_rate(given), _rate(given)) for name in names}
    if given.rng.random() < 0.3:
        fpr, tpr = zip(*found.values(), strict=True)
        return pd.DataFrame({"predictor": names, "fpr": fpr, "tpr": tpr})
    return found


def _rate(given: Drawing) -> float:
    return float(given.pick(0, 1, 0.5, 0.2, given.rng.random()))


def _tables(given: Drawing) -> dict[str, tuple[int, ...]]:
    counts = (0, 0, 1, 3, 10, 10**6)
    return {name: tuple(given.pick(*counts) for _ in range(4)) for name in ("A", "B")}


def _areas(given: Drawing) -> Any:
    shape = int(given.pick(1, 2, 3, 10)), int(given.pick(1, 2, 2, 3))
    areas = given.rng.random(shape).round(int(given.pick(1, 3, 16)))
    if given.rng.random() < 0.15:
        areas[:, -1] = areas[:, 0] - given.pick(0.0, 0.0, areas[:, 0].min())
    return given.pick(areas, {f"l{j}": column for j, column in enumerate(areas.T)})


def _leaves(given: Drawing) -> dict[str, Any]:
    n = int(given.rng.integers(1, 6))
    matched = given.rng.integers(0, given.pick(2, 9, 10**6), n)
    return {
        "class": given.rng.integers(0, 2, n),
        "matched": matched,
        "errors": (matched * given.rng.random(n)).astype(int),
    }


def _estimators(given: Drawing) -> Any:
    return given.pick(Tree(), {"a": Tree()}, {"a": Tree(), "b": Tree()})


def _results(given: Drawing) -> Any:
    """Return what a cross-validation in two folds leaves, of one classifier or two."""
    rows = np.arange(len(given.parts))
    found = {
        "estimator": [Tree(), Tree()],
        "indices": {"test": [rows[::2], rows[1::2]]},
    }
    return given.pick(found, {"a": found}, {"a": found, "b": found})


def _scores(given: Drawing) -> Any:
    score = given.rng.normal(size=given.rng.integers(0, 9)).round(1)
    return given.pick(score, score, {"a": score}, {"a": score, "b": -score})


def _benefits(given: Drawing) -> Any:
    gain = given.pick(1.0, 0.0, given.rng.random(len(given.parts)))
    return {"Y": {"p": gain, "n": given.pick(-1, -1e300, 0)}, "N": {"p": given.pick(0, -2), "n": 0}}


def _study(given: Drawing) -> Any:
    """Return a study; where the drawn one is refused, one that is not."""
    try:
        return draw_study(given.rng).build()
    except rs.InputError:
        return rs.Study([1, 0, 1, 0], {"a": [3, 1, 2, 2], "b": [1, 2, 3, 0]})


def _probability(given: Drawing) -> Any:
    n = len(given.parts)
    known = np.clip(given.rng.random(n), given.pick(1e-9, 0.2, 0.99), 1)
    return given.pick(known, np.ones(n), lambda X, verified: np.full(len(verified), 0.7))


def _folds(given: Drawing) -> Any:
    """Return a number of folds, or pairs of training and test rows, some of them incomplete."""
    rows, number = np.arange(len(given.parts)), given.pick(2, 3, 5)
    last = given.pick(number, number, number - 1)
    pairs = [(rows[rows % number != k], rows[rows % number == k]) for k in range(last)]
    return given.pick(number, pairs, pairs)


def of_parts(name: str) -> Recipe:
    """Return the recipe that takes an argument of the drawn study."""
    return lambda given: given.parts.arguments.get(name)


_AREA = one_of(0.5, 0.7, 0.8, 0.9, 0.6, 1e-6, 1 - 1e-9)
_COUNT = one_of(0, 1, 5, 20, 10**6)
_CASES = one_of(1, 2, 5, 12, 50, [10, 20], 300)


def _cells_of_tests(given: Drawing) -> Any:
    """Return the confusion tables of some tests."""
    k = int(given.rng.integers(1, 4))
    cells = {name: [_COUNT(given) for _ in range(k)] for name in ("tp", "fn", "fp", "tn")}
    table = {"predictor": ["p", "q", "r"][:k], **cells}
    return given.pick(table, pd.DataFrame(table))


def _cells(given: Drawing) -> Any:
    """Return counts of scores, exact or in bins, that now and then overlap or lack a class."""
    rng, n = given.rng, int(given.rng.integers(1, 8))
    edges = np.sort(rng.choice(50, 2 * n, replace=False)) / given.pick(1.0, 8.0, 1e-300)
    low, high = edges[::2], given.pick(edges[1::2], edges[1::2], edges[::2], edges[::-1][::2])
    counts = {"score": low, "score_high": high}
    counts |= {name: rng.integers(0, given.pick(2, 9, 1000), n) for name in ("n_pos", "n_neg")}
    if given.pick(True, False, False):
        counts["group"] = rng.choice(["a", "b"], n)
    return given.pick(pd.DataFrame(counts), counts)


def _counted_rows(given: Drawing) -> Any:
    """Return a frame of cases with two scores, groups and patients; some scores are missing."""
    rng, n = given.rng, int(given.rng.integers(2, 40))
    scores = rng.normal(size=(2, n)).round(given.pick(0, 1, 9)) * given.pick(
        1.0, 1.0, 1e-300, 1e300
    )
    if given.pick(*[False] * 15, True):
        scores[0, 0] = given.pick(np.nan, np.inf, -np.inf)
    frame = pd.DataFrame({"ill": rng.integers(0, 2, n), "s": scores[0], "t": scores[1]})
    frame["group"], frame["patient"] = rng.choice(["a", "b"], n), rng.integers(0, n, n)
    return given.pick(frame, frame, frame.to_dict("list"))


def _parts_of_counts(given: Drawing) -> Any:
    """Return tables of counts; some have groups that others lack."""
    return [pd.DataFrame(_cells(given)) for _ in range(given.rng.integers(1, 4))]


def _variances(given: Drawing) -> Any:
    """Return variances of the ratings of readers; some lack one, or have a wrong shape."""
    kinds = ("reader", "case", "reader_case")
    names = [*kinds, *(f"modality_{kind}" for kind in kinds)][: given.pick(*[6] * 20, 5)]
    return {name: given.pick(*[0.0, 0.1, 0.3, (0.1, 0.4)] * 8, 1e-9, [1, 2, 3]) for name in names}


def _components(given: Drawing) -> Any:
    """Return the components of a pilot with readers."""
    named = {"modality-x-reader": given.pick(0.0003, -0.0001, 0.0), "error": 0.002, "cov-1": 0.0009}
    named |= {"cov-2": given.pick(0.0008, 0.0, 0.003), "correlation-3": given.pick(0.3, 0.9)}
    frame = pd.DataFrame({"component": list(named), "estimate": list(named.values())})
    return given.pick(named, frame.assign(model="obuchowski-rockette"), None)


RECIPES: dict[str, Recipe] = {
    "X": _features,
    "X_test": _features,
    "areas": _areas,
    "auc": _AREA,
    "b": one_of(1.0, 0.5, 2.0, 1e-6),
    "benefits": _benefits,
    "cluster": of_parts("cluster"),
    "components": _components,
    "correlation_neg": one_of(0.0, 0.5, -0.5, 0.999999),
    "correlation_pos": one_of(0.0, 0.5, -0.5, 0.999999),
    "data": one_of(None),
    "decisions": _calls,
    "difference": one_of(0.1, -0.1, 0.5, 1e-9),
    "estimator": lambda given: Cut(),
    "estimators": _estimators,
    "fit": lambda given: _fit,
    "fit_and_score": lambda given: _fit_and_score,
    "cv": _folds,
    "display_labels": one_of(None, None, {"score": "Net <b>, µg/L"}, {"1": "Ill"}),
    "fn": _COUNT,
    "fold": of_parts("fold"),
    "fp": _COUNT,
    "frequency": of_parts("frequency"),
    "goal": one_of(0.5, 0.8, 0.95, 1e-9),
    "group": of_parts("group"),
    "half_width": one_of(0.05, 0.1, [0.1, 0.2], 0.4, 1e-4),
    "higher_is_positive": of_parts("higher_is_positive"),
    "labels": one_of(None, None, {"score": "Net <b>, µg/L"}, {"test": "Net"}),
    "leaves": _leaves,
    "max_cost": one_of(0.5, 1e-9, 10.0),
    "missing": one_of(0.0, 0.2, 0.999),
    "n_candidates": one_of(1, 5, [1, 10, 1000]),
    "n_groups": one_of(1, 2, 3, [1, 2]),
    "n_levels": one_of(None, 2, 5, 1000),
    "n_modalities": one_of(1, 2, 3),
    "n_neg": one_of(1, 2, 5, 12, 50, 300),
    "n_pos": one_of(1, 2, 5, 12, 50, 300),
    "n_positive_calls": one_of(0, 5, 100.5),
    "n_readers": one_of(1, 2, 5, 12, [3, 8]),
    "n_simulations": one_of(100),
    "n_test": one_of(1, 10, 1e-300, 1e300),
    "n_test_negative": _COUNT,
    "n_test_positive": _COUNT,
    "n_train": one_of(1, 9, 1e300),
    "negatives": _scores,
    "nested": one_of(None, None, "readers", "cases"),
    "null_auc": one_of(0.5, 0.7, 0.6, 1e-9),
    "only_predictor": one_of(0.1, 0.2, 1e-9, 0.9),
    "only_reference": one_of(0.05, 0.1, 1e-9),
    "outcome": one_of(None, "Poor outcome", "50% & <more>"),
    "pilot": _study,
    "pilot_n_neg": one_of(1, 12, 50),
    "pilot_n_pos": one_of(1, 12, 50),
    "pos_label": of_parts("pos_label"),
    "positions": _positions,
    "positives": _scores,
    "power": one_of(0.8, 0.9, [0.8, 0.9], 0.51, 0.999999),
    "power.n_neg": _CASES,
    "power.n_pos": _CASES,
    "predictor": one_of("test"),
    "PilotAUCs.predictor": one_of("a", "b"),
    "PilotAUCs.reference": one_of("a", "b"),
    "probability": _probability,
    "rate": one_of(0.7, 0.9, 0.5, 1e-9),
    "readers": one_of("random", "random", "fixed"),
    "label": one_of("ill"),
    "merge_counts.counts": _parts_of_counts,
    "score": one_of("s", "t"),
    "table": one_of("visits", ["clinic", "visits"]),
    "tolerance": one_of(1e-3, 1e-2, 1e-5),
    "ratio": one_of(1.0, 2, 0.5, 1e-3, 50),
    "reference": one_of("l1", "l0"),
    "reference_auc": _AREA,
    "reference_b": one_of(1.0, 0.5, 1e6),
    "repair_concavities.predictor": one_of("a"),
    "results": _results,
    "sample_weight": of_parts("sample_weight"),
    "separation": one_of(0.0, 1.5, [1.0, 2.0], 1e3),
    "simulate_readers.n_groups": one_of(1, 1, 2, 3),
    "simulate_readers.n_readers": one_of(1, 2, 5, 12),
    "simulate": one_of(False, False, False, False, False, False, False, False, False, True),
    "structure": one_of("HL", "LL", "HH", "LH"),
    "studies": lambda given: [_study(given) for _ in range(given.rng.integers(1, 3))],
    "study": _study,
    "tables": _tables,
    "tn": _COUNT,
    "tp": _COUNT,
    "from_confusion.table": _cells_of_tests,
    "bits": one_of(1, 5, 10, 30, 50),
    "by": one_of("group", ["group"], ()),
    "count_paired.cluster": one_of("patient"),
    "count_paired.higher_is_positive": one_of(True, {"t": False}),
    "count_paired.pos_label": one_of(0, 1),
    "count_paired.score": one_of(["s", "t"], ["t", "s"], ["s"]),
    "count_scores.pos_label": one_of(0, 1),
    "count_sql.pos_label": one_of(0, 1, "ill", True),
    "frame": _counted_rows,
    "from_counts.counts": _cells,
    "from_counts.higher_is_positive": one_of(True, False),
    "tree": lambda given: Tree(),
    "variances": _variances,
    "verified": lambda given: given.rng.random(len(given.parts)) < given.pick(0.5, 0.8, 1.0),
    "weights": one_of([0.5, 1.0, 2.0], [1e-9], [1.0, 1.0, 1e9]),
    "y": _labels,
    "y_score": of_parts("y_score"),
    "y_test": _labels,
    "y_true": _labels,
    "interpolate_classifiers.fpr": _rate,
    "interpolate_classifiers.tpr": _rate,
    "interpolate_classifiers.k": _rate,
    "verified_auc.y_true": of_parts("y_true"),
    "compare_published_auc.correlation": one_of(0.0, 0.4, -0.3, 0.999, -0.999),
    "compare_published_auc.n_neg": one_of(30, 1, 10**6),
    "compare_published_auc.n_pos": one_of(40, 1, 10**6),
    "compare_published_auc.predictor": one_of("new test"),
    "compare_published_auc.reference": one_of("old test"),
    "reference_n_neg": one_of(30, 1, 10**6),
    "reference_n_pos": one_of(40, 1, 10**6),
    "reference_se": one_of(0.03, 0.2, 0.49, 1e-9),
    "se": one_of(0.03, 0.2, 0.49, 1e-9),
    "permute_pipeline.n_resamples": one_of(19, 99),
    "design": lambda given: None,
}
"""How the arguments of the functions are drawn; questions.py draws the design of a plan."""

DESIGNS: tuple[type, ...] = (
    rs.OneAUC, rs.TwoAUCs, rs.PairedAUCs, rs.PilotAUCs, rs.OneRate, rs.PairedRates,
    rs.ReaderDesign,
)  # fmt: skip
"""The designs that a plan may have."""
