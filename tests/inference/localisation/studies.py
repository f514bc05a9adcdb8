"""Studies of marks with known answers, and the definitions as slow loops, for the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs

CURVES = ("wafroc", "afroc", "wafroc1", "afroc1", "inferred-roc", "lroc")


def hand_tables() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return two cases without lesions, three with one or two, and six marks."""
    marks = [("a", 3, ""), ("a", 1, ""), ("d", 2, ""), ("e", 5, ""), ("c", 4, "1"), ("d", 3, "1")]
    return (
        pd.DataFrame(marks, columns=["case", "rating", "lesion"]),
        pd.DataFrame({"case": list("abcde")}),
        pd.DataFrame({"case": list("cdde"), "lesion": ["1", "1", "2", "1"]}),
    )


def hand() -> rs.DetectionStudy:
    """Return the study of docs/methods/localisation.md, "Worked numbers"."""
    return rs.DetectionStudy(*hand_tables())


def example(**options: Any) -> rs.DetectionStudy:
    """Return the study of the shipped marks."""
    return rs.DetectionStudy(
        *rs.load_marks_example(), reader="reader", modality="modality", **options
    )


def simulated_marks(seed: int = 8) -> pd.DataFrame:
    """Return the marks from which the shipped file was written."""
    r = np.random.RandomState(seed)
    n_neg, n = 30, 55
    lesions = [(k, name) for k in range(n_neg, n) for name in range(1 + (k - n_neg) % 3)]
    frail, shift, hard = r.gamma(2, 0.5, n), r.normal(size=n), r.normal(size=len(lesions))
    rows = []
    for modality, mu, nu, lam in (("A", 1.8, 0.8, 0.8), ("B", 1.2, 0.65, 1.2)):
        for reader in range(4):
            for k in range(n):
                for _ in range(r.poisson(lam * frail[k])):
                    rows.append((k, reader, modality, 0.45 * shift[k] + 0.9 * r.normal(), np.nan))
            for h, (k, name) in zip(hard, lesions, strict=True):
                z = mu + 0.3 * reader + 0.55 * h + 0.45 * shift[k] + 0.7 * r.normal()
                if r.uniform() < nu:
                    rows.append((k, reader, modality, z, name))
    columns = ["case", "reader", "modality", "rating", "lesion"]
    return pd.DataFrame(rows, columns=columns).round({"rating": 1})


def random_study(
    rng: np.random.Generator, *, n: int = 14, silent: float = 0.0, **options: Any
) -> rs.DetectionStudy:
    """Return a study with ties, missed lesions, cases without marks, and unequal weights."""
    n_lesions = np.where(np.arange(n) % 2, rng.integers(1, 4, n), 0)
    lesions = pd.DataFrame(
        [(k, f"l{i}", rng.integers(1, 5)) for k in range(n) for i in range(n_lesions[k])],
        columns=["case", "lesion", "weight"],
    )
    cases = pd.DataFrame(
        {"case": range(n), "unit": rng.integers(0, 1 + n // 2, n), "site": np.arange(n) // 2 % 2}
    )
    rows = []
    for modality in "AB":
        for reader in "rst":
            for k in range(n):
                for _ in range(rng.poisson(0.8)):
                    rows.append((k, int(rng.integers(0, 5)), "", reader, modality))
            for k, name, _ in lesions.itertuples(index=False):
                for _ in range(int(rng.integers(0, 3))):
                    rows.append((k, int(rng.integers(1, 7)), name, reader, modality))
    marks = pd.DataFrame(rows, columns=["case", "rating", "lesion", "reader", "modality"])
    marks = marks[rng.random(len(marks)) >= silent]
    return rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality", **options)


def psi(a: float, b: float) -> float:
    """Return 1 if b is higher, 1/2 if equal, else 0."""
    return 1.0 if a < b else 0.5 if a == b else 0.0


def slow_area(
    study: rs.DetectionStudy, curve: str, i: int, reader: str, v: np.ndarray[Any, Any]
) -> float:
    """Return an area by its definition as a loop over pairs, with weights of the cases."""
    marks, n = study.marks_of(i, reader), len(study.is_positive)
    x = [max([-np.inf, *marks.false_rating[marks.false_case == k]]) for k in range(n)]
    rated = [[] for _ in range(n)]
    for k, w, z in zip(study.lesion_case, study.lesion_weight, marks.found, strict=True):
        rated[k].append((w if curve.startswith("w") else 1.0, z))
    if curve in ("inferred-roc", "lroc"):
        for k in range(n):
            best = max([-np.inf, *(z for _, z in rated[k])])
            located = best if best >= x[k] else -np.inf
            h = max(x[k], best) if curve == "inferred-roc" else located
            rated[k] = [(1.0, h)] if study.is_positive[k] else []
    against = [k for k in range(n) if curve.endswith("1") or not study.is_positive[k]]
    total = pairs = 0.0
    for k in against:
        for k2 in range(n):
            for w, z in rated[k2]:
                missed = curve == "lroc" and z == -np.inf
                total += v[k] * v[k2] * w * (0.0 if missed else psi(x[k], z))
                pairs += v[k] * v[k2] * w
    return total / pairs if pairs else np.nan
