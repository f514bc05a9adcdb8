"""Draws the arguments of reader studies: few readers and cases, in all designs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import rocstats as rs
from validation.torture.studies import Parts, Rng, draw_scores

MACHINE = "ai"
"""Name of the machine of a study that has one."""


class ReaderParts(Parts):
    """The keyword arguments of a reader study."""

    __slots__ = ()

    @property
    def scores(self) -> dict[str, Any]:
        """Ratings by modality."""
        modality, rating = self.arguments["modality"], self.arguments["rating"]
        return {str(name): rating[modality == name] for name in dict.fromkeys(modality)}

    def with_scores(self, scores: dict[str, Any]) -> Parts:
        """Return the parts with other ratings by modality."""
        rating = self.arguments["rating"].copy()
        for name, values in scores.items():
            rating[self.arguments["modality"] == name] = values
        return self.replaced(rating=rating)

    def __len__(self) -> int:
        return len(self.arguments["truth"])


def draw_readers(rng: Rng) -> ReaderParts:
    """Return the parts of a reader study; a share of them is refused when it is built."""
    sizes = [int(rng.choice([1, 2, 2, 3])), int(rng.choice([1, 2, 3, 4, 5]))]
    n_cases = int(rng.choice([2, 3, 5, 8, 13]))
    positive = np.arange(n_cases) < rng.integers(1, n_cases)
    i, j, k = (axis.ravel() for axis in np.indices((*sizes, n_cases)))
    rating = np.empty(len(k))
    for a in range(sizes[0]):
        for b in range(sizes[1]):
            rating[(i == a) & (j == b)] = draw_scores(rng, positive)
    if rng.random() < 0.1:  # all readers are perfect under the first modality
        rating = np.where(i == 0, positive[k], rating).astype(float)
    made = _design(rng, i, j, k)
    given: dict[str, Any] = {
        "truth": positive[k].astype(int),
        "rating": rating,
        "reader": np.char.add("r", j.astype(str)),
        "case": k,
        "modality": np.char.add("m", i.astype(str)),
    }
    if rng.random() < 0.2:
        given["cluster"] = k // 2
    if rng.random() < 0.15:
        given["group"] = np.where(k % 2, "x", "y")
    arguments = {name: values[made] for name, values in given.items()}
    if rng.random() < 0.6:
        arguments["machine"] = {MACHINE: draw_scores(rng, positive)[k][made]}
    if rng.random() < 0.15:
        arguments["higher_is_positive"] = False
    return ReaderParts(rs.ReaderStudy, arguments)


def _design(rng: Rng, i: Any, j: Any, k: Any) -> npt.NDArray[np.bool_]:
    """Return which reads were made."""
    share, groups = float(rng.choice([0.95, 0.6, 0.3])), 2
    kind = int(rng.choice(6, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.1]))
    designs = (
        np.ones(len(k), dtype=bool),
        rng.random(len(k)) < share,
        j % groups == k % groups,  # split plot
        j % (i.max() + 1) == i,  # readers nested in modalities
        k % (i.max() + 1) == i,  # cases nested in modalities
        (i == 0) | (k % 3 > 0),  # partially paired
    )
    made = np.asarray(designs[kind])
    return made if made.any() else np.ones(len(k), dtype=bool)
