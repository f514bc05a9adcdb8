"""Draws the arguments of studies of marks: few cases, tied ratings, readers without marks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs
from validation.torture.studies import Parts, Rng

READERS, MODALITIES = ("r", "s", "t"), ("film", "screen", "third")


class DetectionParts(Parts):
    """The keyword arguments of a study of marks."""

    __slots__ = ()

    @property
    def scores(self) -> dict[str, Any]:
        """Ratings by modality."""
        marks = self.arguments["marks"]
        names = np.asarray(marks["modality"], dtype=object)
        known = {str(name): marks["rating"][names == name] for name in dict.fromkeys(names)}
        return known or {MODALITIES[0]: np.zeros(1)}

    def with_scores(self, scores: dict[str, Any]) -> Parts:
        """Return the parts with other ratings by modality."""
        marks = self.arguments["marks"]
        names, rating = np.asarray(marks["modality"], dtype=object), marks["rating"].copy()
        for name, values in scores.items():
            if (names == name).any():
                rating[names == name] = values
        return self.replaced(marks={**marks, "rating": rating})

    def __len__(self) -> int:
        return len(self.arguments["marks"]["rating"])


def draw_detection(rng: Rng) -> DetectionParts:
    """Return the parts of a study of marks; a share of them is refused when it is built."""
    n = int(rng.choice([1, 2, 3, 5, 8, 13, 24]))
    n_pos = int(rng.integers(0 if rng.random() < 0.05 else 1, n + 1))
    number = rng.integers(1, 4, n_pos)
    lesions = {
        "case": np.repeat(np.arange(n_pos), number),
        "lesion": np.concatenate([np.arange(k) for k in number] or [np.empty(0, dtype=int)]),
        "weight": rng.choice([1.0, 1.0, 2.0, 0.5, 1e-3, 1e3], int(number.sum())),
    }
    readers = READERS[: int(rng.integers(1, 4))]
    modalities = MODALITIES[: int(rng.choice([1, 2, 2, 3]))]
    often = float(rng.choice([0.0, 0.05, 0.6, 2.0], p=[0.05, 0.15, 0.5, 0.3]))
    seen = float(rng.choice([0.0, 0.3, 0.8, 1.0]))
    scale = float(rng.choice([1.0, 1.0, 1e-9, 1e9]))
    digits = int(rng.choice([0, 1, 9]))
    rows: list[tuple[Any, ...]] = []
    for modality in modalities:
        for reader in readers:
            for case in range(n):
                rows += [
                    (case, rng.normal(), "", reader, modality) for _ in range(rng.poisson(often))
                ]
            for case, lesion in zip(lesions["case"], lesions["lesion"], strict=True):
                times = (rng.random() < seen) + (rng.random() < 0.05)
                rows += [
                    (case, rng.normal(1.0), str(lesion), reader, modality) for _ in range(times)
                ]
    columns: list[Any] = list(zip(*rows, strict=True)) or [()] * 5
    arguments: dict[str, Any] = {
        "marks": {
            "case": np.array(columns[0], dtype=int),
            "rating": np.round(np.array(columns[1], dtype=float), digits) * scale,
            "lesion": np.array(columns[2], dtype=object),
            # All names are there, also of readers without marks.
            "reader": pd.Categorical(columns[3], list(readers)),
            "modality": pd.Categorical(columns[4], list(modalities)),
        },
        "cases": {
            "case": np.arange(n),
            "unit": np.arange(n) // 2,
            "site": np.where(np.arange(n) % 2, "x", "y"),
            "truth": (np.arange(n) < n_pos).astype(int),
        },
        "lesions": lesions,
        "reader": "reader",
        "modality": "modality",
    }
    shares = {"cluster": 0.25, "group": 0.2, "weight": 0.2, "truth": 0.2, "machine": 0.3}
    values = {
        "cluster": "unit", "group": "site", "weight": "weight", "truth": "truth",
        "machine": readers[-1],
    }  # fmt: skip
    drawn = {name: values[name] for name, share in shares.items() if rng.random() < share}
    return DetectionParts(rs.DetectionStudy, {**arguments, **drawn})
