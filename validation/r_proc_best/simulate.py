"""Draw the samples that pROC is asked about: ``python validation/r_proc_best/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import write_csv, write_json
from validation.r_proc.simulate import continuous, rounded

FOLDER = Path(__file__).parent
SEED = 2011_03
SAMPLES = {
    "continuous_90": continuous(35, 55, (1.1,)),
    "ties_160": rounded(60, 100, (1.3,), 0.2),
    "lower_is_positive": continuous(40, 30, (-1.0,)),
    # Several thresholds have the same Youden index; in the second also the same distance.
    "equally_good_lower_24": continuous(12, 12, (-0.8,)),
    "equally_good_24": continuous(12, 12, (0.8,)),
}


def main() -> None:
    """Write the input and the study of every sample."""
    for number, (name, draw) in enumerate(SAMPLES.items()):
        folder = FOLDER / name
        folder.mkdir(exist_ok=True)
        columns = draw(np.random.default_rng([SEED, number]))
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        write_csv(folder / "input.csv", list(columns), rows)
        study = {"y_true": "truth", "y_score": "a", "higher_is_positive": "lower" not in name}
        write_json(folder / "study.json", study)
    write_json(FOLDER / "simulated_with.json", {"numpy": np.__version__})


if __name__ == "__main__":
    main()
