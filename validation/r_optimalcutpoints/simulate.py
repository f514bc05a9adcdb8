"""Draw the samples that R is asked about: ``python validation/r_optimalcutpoints/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.samples import continuous, rounded, write_samples

HIGHER, LOWER = (
    {"y_true": "truth", "y_score": "a", "higher_is_positive": k} for k in (True, False)
)
SAMPLES = {
    "continuous_100": (continuous(40, 60, (1.0,)), HIGHER),
    "ties_200": (rounded(60, 140, (1.4,), 0.2), HIGHER),
    "lower_is_positive": (continuous(50, 30, (-1.1,)), LOWER),
}

if __name__ == "__main__":
    write_samples(Path(__file__).parent, 2014_11, SAMPLES)
