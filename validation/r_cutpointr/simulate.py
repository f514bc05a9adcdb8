"""Draw the samples that R is asked about: ``python validation/r_cutpointr/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.samples import continuous, ratings, write_samples

HIGHER, LOWER = (
    {"y_true": "truth", "y_score": "a", "higher_is_positive": k} for k in (True, False)
)
SAMPLES = {
    "continuous_80": (continuous(30, 50, (1.2,)), HIGHER),
    "ratings_120": (ratings(50, 70, (1.2,), (-0.5, 0.3, 0.8, 1.6)), HIGHER),
    "lower_is_positive": (continuous(45, 35, (-0.9,)), LOWER),
}

if __name__ == "__main__":
    write_samples(Path(__file__).parent, 2021_04, SAMPLES)
