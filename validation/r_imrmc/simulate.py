"""Draw the reader studies that iMRMC is asked about: ``python validation/r_imrmc/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import ROOT, read_input, write_json
from validation.reference import as_columns, write_input

FOLDER = Path(__file__).parent
SHIPPED = ROOT.parent / "rocstats" / "datasets" / "viper_screening.csv"
SEED = 20060401
COLUMNS = ("reader", "case", "modality", "rating", "truth")
STUDY = {name: name for name in ("truth", "rating", "reader", "case", "modality")}
Keep = Callable[[int, int, int], bool]


def ratings(
    rng: np.random.Generator, n_modalities: int, n_readers: int, n_pos: int, n_neg: int
) -> npt.NDArray[np.int64]:
    """Return ratings 0 to 20 by modality, reader and case, the positives first."""
    cases = n_pos + n_neg
    truth = np.arange(cases) < n_pos
    better = 1.2 + 0.3 * np.arange(n_modalities)
    shapes = [(1, n_readers, 1), (n_modalities, n_readers, 1), (1, 1, cases)]
    shapes += [(n_modalities, 1, cases), (n_modalities, n_readers, cases)]
    noise = sum(
        sd * rng.standard_normal(shape)
        for sd, shape in zip((0.2, 0.2, 0.6, 0.3, 0.7), shapes, strict=True)
    )
    scores = noise + better[:, np.newaxis, np.newaxis] * truth
    return np.asarray(np.clip(np.rint(8 + 4 * scores), 0, 20), dtype=np.int64)


# Number of modalities, readers, positives and negatives; and whether modality i of reader j has
# case k. The sixth reader of "missing_reads" reads under the second modality alone.
STUDIES: dict[str, tuple[tuple[int, int, int, int], Keep]] = {
    "crossed": ((2, 4, 18, 22), lambda i, j, k: True),
    "three_modalities": ((3, 3, 12, 14), lambda i, j, k: True),
    "split_plot": ((2, 6, 24, 30), lambda i, j, k: j % 3 == k % 3),
    "missing_reads": (
        (2, 6, 20, 20),
        lambda i, j, k: (7 * i + 5 * j + 3 * k) % 4 > 0 and (i, j) != (0, 5),
    ),
    "partially_paired": ((2, 4, 24, 26), lambda i, j, k: k % 3 != i),
    "cases_in_modalities": ((2, 4, 30, 30), lambda i, j, k: k % 2 == i),
    "readers_in_modalities": ((2, 7, 20, 22), lambda i, j, k: (j < 3) == (i == 0)),
}


def write_viper() -> None:
    """Write the machine of the shipped study: a case's digital rating by its first reader."""
    reads = read_input(SHIPPED)
    reads_of = (reads[name] for name in ("modality", "reader", "case", "rating"))
    digital = [read for read in zip(*reads_of, strict=True) if read[0] == "FFDM"]
    order = list(dict.fromkeys(reader for _, reader, _, _ in digital))
    digital.sort(key=lambda read: order.index(read[1]))
    first: dict[int, int] = {}
    for _, _, case, rating in digital:
        first.setdefault(case, rating)
    columns = as_columns(("case", "machine"), sorted(first.items()))
    write_input(FOLDER / "viper", {"constructor": "viper"}, columns)


def main() -> None:
    """Write the input and the study of every case."""
    for number, (name, (sizes, keep)) in enumerate(STUDIES.items()):
        found = ratings(np.random.default_rng([SEED, number]), *sizes)
        rows = [
            (f"r{j + 1}", f"c{k + 1}", f"m{i + 1}", int(found[i, j, k]), int(k < sizes[2]))
            for i, j, k in np.ndindex(found.shape)
            if keep(i, j, k)
        ]
        study = {"constructor": "ReaderStudy", **STUDY}
        write_input(FOLDER / name, study, as_columns(COLUMNS, rows))
    write_viper()
    write_json(FOLDER / "simulated_with.json", {"numpy": np.__version__})


if __name__ == "__main__":
    main()
