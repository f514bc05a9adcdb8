"""The studies that are asked: small, seeded, one for each role and edge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs


def draw_labels(n: int, seed: int) -> tuple[np.ndarray, np.random.Generator]:
    """Return labels, two fifths of them positive, and the generator of the seed."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 5 < 2).astype(int)
    return y, rng


def draw_scores(y: np.ndarray, rng: np.random.Generator, k: int = 2) -> dict[str, np.ndarray]:
    """Return k normal scores, each shifted less in the positives than the one before."""
    gaps = (1.2, 0.6, 0.2)
    common = rng.normal(size=len(y))
    return {
        n: (g * y + 0.5 * common + rng.normal(size=len(y))).round(3)
        for n, g in zip("abc", gaps[:k], strict=False)
    }


def draw_risks(y: np.ndarray, rng: np.random.Generator, k: int = 2) -> dict[str, np.ndarray]:
    """Return the same scores as risks."""
    return {n: (1 / (1 + np.exp(0.7 - v))).round(4) for n, v in draw_scores(y, rng, k).items()}


def binary_studies() -> dict[str, dict[str, Any]]:
    """Return the arguments of ``Study``, by name."""
    out: dict[str, dict[str, Any]] = {}
    y, r = draw_labels(60, 1)
    out["plain"] = {"y_true": y, "y_score": draw_scores(y, r)}
    out["risks"] = {"y_true": y, "y_score": draw_risks(y, r)}
    y, r = draw_labels(72, 2)
    rate = {n: np.clip(np.round(2.5 + v), 1, 5) for n, v in draw_scores(y, r, 3).items()}
    out["ties"] = {
        "y_true": np.where(y, "ill", "well"),
        "pos_label": "ill",
        "y_score": rate,
        "labels": {"a": "S100B, µg/L"},
        "outcome": "poor outcome",
    }
    out["groups"] = {
        "y_true": y,
        "y_score": draw_scores(y, r),
        "group": np.array(["x", "y", "z"])[(np.arange(72) // 7) % 3],
    }
    y1 = y.copy()
    third = (np.arange(72) // 7) % 3 == 2
    y1[third] = 1
    out["one-class-group"] = {
        "y_true": y1,
        "y_score": draw_risks(y1, r),
        "group": np.array(["x", "y", "z"])[(np.arange(72) // 7) % 3],
    }
    out["two-groups"] = {
        "y_true": y,
        "y_score": draw_risks(y, r),
        "group": np.column_stack([np.arange(72) // 36, ["F", "M"] * 36]),
    }
    out["clusters"] = {"y_true": y, "y_score": draw_risks(y, r), "cluster": np.arange(72) // 2}
    out["mixed-clusters"] = {
        "y_true": y,
        "y_score": draw_scores(y, r),
        "cluster": np.arange(72) % 24,
        "group": np.arange(72) % 24 < 12,
    }
    out["folds"] = {"y_true": y, "y_score": draw_scores(y, r), "fold": np.arange(72) // 5 % 3}
    out["folds-in-clusters"] = {
        "y_true": y,
        "y_score": draw_risks(y, r),
        "fold": np.arange(72) // 24,
        "cluster": np.arange(72) // 3,
    }
    out["folds-in-groups"] = {
        "y_true": y,
        "y_score": draw_scores(y, r),
        "fold": np.arange(72) % 2,
        "group": np.arange(72) // 36,
    }
    out["weights"] = {
        "y_true": y,
        "y_score": draw_risks(y, r),
        "sample_weight": r.uniform(0.2, 3, 72).round(2),
    }
    out["frequencies"] = {
        "y_true": y[:30],
        "y_score": draw_risks(y[:30], r),
        "frequency": np.arange(30) % 4,
    }
    out["covariate"] = {
        "y_true": y,
        "y_score": draw_scores(y, r),
        "covariate": r.normal(60, 8, 72).round(1),
    }
    out["category"] = {
        "y_true": y,
        "y_score": draw_scores(y, r),
        "covariate": np.array(["F", "M"])[np.arange(72) // 3 % 2],
    }
    out["two-covariates"] = {
        "y_true": y,
        "y_score": draw_scores(y, r, 1),
        "covariate": np.column_stack([r.normal(size=72).round(1), np.arange(72) % 2]),
    }
    out["separated"] = {
        "y_true": y[:20],
        "y_score": {"a": y[:20] + np.arange(20) / 40, "b": draw_scores(y[:20], r)["b"]},
    }
    out["below-chance"] = {
        "y_true": y[:40],
        "y_score": {n: -v for n, v in draw_scores(y[:40], r).items()},
    }
    out["lower"] = {
        "y_true": y,
        "y_score": {"a": -draw_scores(y, r)["a"], "b": draw_scores(y, r)["b"]},
        "higher_is_positive": {"a": False, "b": True},
    }
    out["constant"] = {
        "y_true": y[:20],
        "y_score": {"a": np.full(20, 0.4), "b": draw_risks(y[:20], r)["b"]},
    }
    out["alike"] = {
        "y_true": y[:30],
        "y_score": {"a": (v := draw_risks(y[:30], r)["a"]), "b": v**2},
    }
    out["tiny"] = {
        "y_true": [1, 0, 1, 0],
        "y_score": {"a": [0.9, 0.2, 0.4, 0.6], "b": [0.5, 0.1, 0.5, 0.3]},
    }
    out["two-cases"] = {"y_true": [1, 0], "y_score": [0.9, 0.2]}
    out["infinite"] = {
        "y_true": y[:25],
        "y_score": {"a": np.where(np.arange(25) % 9 == 1, np.inf, draw_scores(y[:25], r)["a"])},
    }
    out["certain"] = {
        "y_true": y[:40],
        "y_score": {
            "a": np.where(np.arange(40) % 9 == 0, y[:40], draw_risks(y[:40], r)["a"]),
            "b": draw_risks(y[:40], r)["b"],
        },
    }
    holes = draw_scores(y, r)
    holes["a"] = np.where(np.arange(72) % 11 == 3, np.nan, holes["a"])
    out["available"] = {"y_true": y, "y_score": holes, "nan_policy": "available"}
    out["omitted"] = {"y_true": y, "y_score": holes, "nan_policy": "omit"}
    out["many"] = {
        "y_true": y,
        "y_score": {f"p{i}": v for i, v in enumerate(r.normal(size=(8, 72)).round(2) + 0.4 * y)},
    }
    return out


def counted_studies() -> dict[str, Any]:
    """Return functions that make studies without rows of cases, by name."""
    y, r = draw_labels(120, 3)
    frame = pd.DataFrame(
        {
            "ill": y,
            **draw_scores(y, r),
            "site": np.where(np.arange(120) % 2, "x", "y"),
            "patient": np.arange(120) // 2,
        }
    )
    exact = rs.count_scores(frame, "ill", "a")
    return {
        "counts": lambda: rs.Study.from_counts(exact, predictor="a"),
        "bins": lambda: rs.Study.from_counts(
            rs.count_scores(frame, "ill", "a", bits=6, exact=True), predictor="a"
        ),
        "binned-groups": lambda: rs.Study.from_counts(
            rs.count_scores(frame, "ill", "a", by="site", bits=10, exact=True), predictor="a"
        ),
        "confusion": lambda: rs.Study.from_confusion(tp=40, fn=10, fp=5, tn=95, predictor="card"),
        "samples": lambda: rs.Study.from_samples(
            positives=frame.a[y == 1], negatives=frame.a[y == 0]
        ),
        "leaves": lambda: rs.Study.from_leaves(
            {"class": [1, 0, 1, 0], "matched": [20, 30, 10, 5], "errors": [2, 9, 4, 1]}, pos_label=1
        ),
    }


ITEMS = {"large": 0.2, "small": 0.8, "old": 1.2}
"""Systems, and how much they need to do an item right."""


def other_studies() -> dict[str, tuple[type, dict[str, Any]]]:
    """Return the class and the arguments of studies of the other kinds, by name."""
    y, r = draw_labels(60, 4)
    time = np.ceil(r.exponential(8, 60) + 2 * (1 - y)).astype(float)
    event = np.where(r.random(60) < 0.25, 0, np.where(r.random(60) < 0.8, 1, 2))
    score = {
        "new": (-time / 6 + r.normal(size=60)).round(2),
        "old": (-time / 12 + r.normal(size=60)).round(2),
    }
    risk = {n: (1 / (1 + np.exp(-v))).round(3) for n, v in score.items()}
    i, j, k = (axis.ravel() for axis in np.indices((2, 4, 24)))
    truth = (k % 3 == 0).astype(int)
    rating = np.clip(
        np.round(
            1.5 * truth + 0.4 * i * truth + r.normal(size=24)[k] * 0.6 + r.normal(size=len(k)) + 2
        ),
        0,
        6,
    )
    reads = {
        "truth": truth,
        "rating": rating,
        "reader": np.char.add("r", j.astype(str)),
        "case": k,
        "modality": np.char.add("m", i.astype(str)),
    }

    def kept(rows: np.ndarray, **more: Any) -> dict[str, Any]:
        return {n: v[rows] for n, v in {**reads, **more}.items()}

    ai = (truth + r.normal(size=24)[k]).round(2)
    classes = r.integers(0, 3, 60)
    table = {
        m: {str(c): ((classes == c) * g + r.normal(size=60)).round(2) for c in range(3)}
        for m, g in (("m", 1.2), ("n", 0.6))
    }
    solved = {m: (r.normal(size=60) + time / 9 > ease).astype(int) for m, ease in ITEMS.items()}
    # Made of the classes, so that no random number of the studies above is another one.
    several = {"0": classes == 0, "1": classes > 0, "2": np.arange(60) % 3 == 0}
    labels = {"y_true": several, "y_score": table}
    S, R, M, L = rs.SurvivalStudy, rs.ReaderStudy, rs.MulticlassStudy, rs.MultilabelStudy
    return {
        "survival": (S, {"time": time, "event": event == 1, "score": risk}),
        "competing": (S, {"time": time, "event": event, "score": score}),
        "survival-clusters": (
            S,
            {"time": time, "event": event, "score": score, "cluster": np.arange(60) // 2},
        ),
        "survival-groups": (
            S,
            {
                "time": time,
                "event": event == 1,
                "score": risk,
                "group": np.where(np.arange(60) % 2, "x", "y"),
            },
        ),
        "readers": (R, reads),
        "readers-machine": (R, {**reads, "machine": {"ai": ai}}),
        "readers-clusters": (R, kept(np.ones(len(k), bool), cluster=k // 2)),
        "readers-groups": (R, kept(np.ones(len(k), bool), group=np.where(k % 2, "x", "y"))),
        "split-plot": (R, kept(j % 2 == k % 2)),
        "nested-readers": (R, kept(j % 2 == i)),
        "unbalanced": (R, kept((i * 7 + j * 3 + k) % 9 > 0)),
        "one-modality": (R, kept(i == 0)),
        "items": (rs.ItemStudy, {"score": solved}),
        "items-clusters": (
            rs.ItemStudy,
            {"score": solved, "cluster": np.arange(60) // 3, "group": np.arange(60) // 30},
        ),
        "items-graded": (rs.ItemStudy, {"score": {"a": risk["new"], "b": risk["old"]}}),
        "ordinal": (rs.OrdinalStudy, {"y_true": classes, "y_score": risk}),
        "ordinal-clusters": (
            rs.OrdinalStudy,
            {
                "y_true": classes,
                "y_score": risk,
                "cluster": np.arange(60) // 3,
                "group": np.arange(60) // 30,
            },
        ),
        "classes": (M, {"y_true": classes.astype(str), "y_score": table}),
        "classes-groups": (
            M,
            {
                "y_true": classes.astype(str),
                "y_score": table,
                "group": np.where(np.arange(60) % 2, "x", "y"),
            },
        ),
        "classes-folds": (
            M,
            {"y_true": classes.astype(str), "y_score": table, "fold": np.arange(60) % 2},
        ),
        "classes-clusters": (
            M,
            {"y_true": classes.astype(str), "y_score": table, "cluster": np.arange(60) // 2},
        ),
        "labels": (L, labels),
        "labels-groups": (L, {**labels, "group": np.where(np.arange(60) % 2, "x", "y")}),
        "labels-folds": (L, {**labels, "fold": np.arange(60) % 2}),
        "labels-clusters": (L, {**labels, "cluster": np.arange(60) // 2}),
    }


ASKED_EVERYTHING = {"plain", "risks", "counts", "survival", "readers-machine", "classes"}
