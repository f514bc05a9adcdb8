"""Draw the samples that ROCR is asked about: ``python validation/r_rocr/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import write_csv, write_json
from validation.r_proc.simulate import Columns, continuous, ratings, rounded

FOLDER = Path(__file__).parent
SEED = 19970915


def negative_on_top(rng: np.random.Generator) -> Columns:
    """Return twenty and thirty scores without a tie, the highest one of a negative."""
    columns = continuous(20, 30, (1.0,))(rng)
    columns["a"][-1] = columns["a"].max() + 1
    return columns


SAMPLES = {
    "continuous_50": negative_on_top,
    "ratings_120": ratings(50, 70, (1.2,), (-0.5, 0.3, 0.8, 1.6)),
    "skewed_ties_300": rounded(15, 285, (1.5,), 0.25),
}


def main() -> None:
    """Write the input and the study of every sample."""
    for number, (name, draw) in enumerate(SAMPLES.items()):
        folder = FOLDER / name
        folder.mkdir(exist_ok=True)
        columns = draw(np.random.default_rng([SEED, number]))
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        write_csv(folder / "input.csv", list(columns), rows)
        write_json(folder / "study.json", {"y_true": "truth", "y_score": "a"})
    write_json(FOLDER / "simulated_with.json", {"numpy": np.__version__})


if __name__ == "__main__":
    main()
