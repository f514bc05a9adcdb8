"""Draw the samples that ROCR is asked about: ``python validation/r_rocr/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.samples import Columns, continuous, ratings, rounded, write_samples


def negative_on_top(rng: np.random.Generator) -> Columns:
    """Return twenty and thirty scores without a tie, the highest one of a negative."""
    columns = continuous(20, 30, (1.0,))(rng)
    columns["a"][-1] = columns["a"].max() + 1
    return columns


STUDY = {"y_true": "truth", "y_score": "a"}
SAMPLES = {
    "continuous_50": (negative_on_top, STUDY),
    "ratings_120": (ratings(50, 70, (1.2,), (-0.5, 0.3, 0.8, 1.6)), STUDY),
    "skewed_ties_300": (rounded(15, 285, (1.5,), 0.25), STUDY),
}

if __name__ == "__main__":
    write_samples(Path(__file__).parent, 19970915, SAMPLES)
