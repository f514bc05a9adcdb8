"""Draw the samples that R is asked about: ``python validation/r_cutpointr/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import write_csv, write_json
from validation.r_proc.simulate import continuous, ratings

FOLDER = Path(__file__).parent
SEED = 2021_04
SAMPLES = {
    "continuous_80": continuous(30, 50, (1.2,)),
    "ratings_120": ratings(50, 70, (1.2,), (-0.5, 0.3, 0.8, 1.6)),
    "lower_is_positive": continuous(45, 35, (-0.9,)),
}
LOWER = {"lower_is_positive"}


def main() -> None:
    """Write the input and the study of every sample."""
    for number, (name, draw) in enumerate(SAMPLES.items()):
        folder = FOLDER / name
        folder.mkdir(exist_ok=True)
        columns = draw(np.random.default_rng([SEED, number]))
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        write_csv(folder / "input.csv", list(columns), rows)
        study = {"y_true": "truth", "y_score": "a", "higher_is_positive": name not in LOWER}
        write_json(folder / "study.json", study)
    write_json(FOLDER / "simulated_with.json", {"numpy": np.__version__})


if __name__ == "__main__":
    main()
