"""Draw the samples that pROC is asked about: ``python validation/r_proc_best/simulate.py``.

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
    "continuous_90": (continuous(35, 55, (1.1,)), HIGHER),
    "ties_160": (rounded(60, 100, (1.3,), 0.2), HIGHER),
    "lower_is_positive": (continuous(40, 30, (-1.0,)), LOWER),
    # Several thresholds have the same Youden index; in the second also the same distance.
    "equally_good_lower_24": (continuous(12, 12, (-0.8,)), LOWER),
    "equally_good_24": (continuous(12, 12, (0.8,)), HIGHER),
}

if __name__ == "__main__":
    write_samples(Path(__file__).parent, 2011_03, SAMPLES)
