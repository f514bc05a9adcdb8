"""The data of all measurements: normal scores of AUC 0.76 at prevalence 1/2, untied or tied."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

Data = Literal["continuous", "100 distinct"]
Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

SEED = 20040316
DATA: tuple[Data, ...] = ("continuous", "100 distinct")


def make_scores(n: int, k: int, data: Data) -> tuple[Labels, list[Floats]]:
    """Return labels of prevalence 1/2 and k correlated normal scores of AUC 0.76."""
    rng = np.random.default_rng([SEED, n, k])
    y = rng.integers(0, 2, n)
    shared = rng.standard_normal(n)
    scores = [y + np.sqrt(0.5) * (shared + rng.standard_normal(n)) for _ in range(k)]
    if data == "continuous":
        return y, scores
    shares = np.arange(1, 100) / 100
    return y, [
        np.searchsorted(np.quantile(score, shares), score).astype(np.float64) for score in scores
    ]
