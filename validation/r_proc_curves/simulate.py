"""Draw the samples whose curves pROC compares: ``python validation/r_proc_curves/simulate.py``.

Scores have no ties, of which both programs break a different one. ``make.R`` then writes
expected.csv.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import write_readme
from validation.samples import Array, Columns, Draw, of, write_samples

COMMAND = "python validation/r_proc_curves/simulate.py && Rscript validation/r_proc_curves/make.R"

PAIRED = """Asked of pROC: the statistic E of Venkatraman and Begg's paired test, which has no
random part when no scores are tied. P values are random and are not compared."""
UNPAIRED = """Asked of pROC: the statistic of Venkatraman's unpaired test. Its integral agrees with
the package's where both groups have the same numbers of positives and of negatives (the curves then
have their corners at the same places) and their lowest case is of the same class (pROC leaves the
first interval out), which is so here. Elsewhere pROC's mixing share takes the first sample's size
twice, and trapezoids over corners of both curves overstate the integral where the curves cross
between them."""
SOURCE = """Source: simulated; Robin X, Turck N, Hainard A, et al. pROC: an open-source package for
R and S+ to analyze and compare ROC curves. BMC Bioinformatics 2011;12:77; Venkatraman ES, Begg CB.
Biometrika 1996;83:835; Venkatraman ES. Biometrics 2000;56:1134."""


@dataclass(frozen=True)
class Sample:
    """One case: what it is about, how it is drawn, how the study reads it."""

    name: str
    title: str
    draw: Draw
    study: dict[str, Any]


def distinct(scores: Array) -> Array:
    """Return scores rounded to eight decimals; stop if two are equal."""
    rounded = np.round(scores, 8)
    if len(np.unique(rounded)) < len(rounded):
        raise ValueError("two scores are tied: take another seed")
    return np.asarray(rounded)


def markers(
    m: int, n: int, shifts: tuple[float, ...], spreads: tuple[float, ...], shared: float
) -> Draw:
    """Return a drawing of correlated markers; spreads are those of the positives."""

    def draw(rng: np.random.Generator) -> Columns:
        truth = np.repeat([1, 0], [m, n])
        common = rng.standard_normal(m + n) * np.sqrt(shared)
        columns: Columns = {"truth": truth}
        for name, shift, spread in zip("abc", shifts, spreads, strict=False):
            noise = common + np.sqrt(1 - shared) * rng.standard_normal(m + n)
            columns[name] = distinct(np.where(truth, shift + spread * noise, noise))
        return columns

    return draw


def sites(m: int, n: int, shifts: tuple[float, float]) -> Draw:
    """Return a drawing of two groups of equal sizes, the lowest case of each a negative."""

    def draw(rng: np.random.Generator) -> Columns:
        truth = np.tile(np.repeat([1, 0], [m, n]), 2)
        site = np.repeat(["north", "south"], m + n)
        score = rng.standard_normal(len(truth)) + truth * np.where(site == "north", *shifts)
        for name in ("north", "south"):
            lowest = np.flatnonzero((site == name) & (truth == 0))[0]
            score[lowest] = score[site == name].min() - 0.1
        return {"truth": truth, "site": site, "a": distinct(score)}

    return draw


PLAIN = (1.0, 1.0, 1.0)
SAMPLES = [
    Sample("pair_10", "Ten cases", markers(5, 5, (0.9, 0.2), PLAIN, 0.5), of("a", "b")),
    Sample("pair_24", "Twenty-four cases", markers(14, 10, (1, 0.3), PLAIN, 0.5), of("a", "b")),
    Sample("pair_100", "A hundred cases", markers(40, 60, (1.2, 0.8), PLAIN, 0.5), of("a", "b")),
    Sample("pair_400", "Four hundred cases", markers(150, 250, (1, 1), PLAIN, 0.8), of("a", "b")),
    Sample("rare_12_150", "Few positives", markers(12, 150, (1.2, 0.5), PLAIN, 0.3), of("a", "b")),
    Sample("rare_150_12", "Few negatives", markers(150, 12, (1.2, 0.5), PLAIN, 0.3), of("a", "b")),
    Sample(
        "crossing_100",
        "Curves that cross",
        markers(50, 50, (1.19, 2.66), (1.0, 3.0, 1.0), 0.5),
        of("a", "b"),
    ),
    Sample(
        "three_120",
        "Three markers",
        markers(50, 70, (1.2, 0.9, 0.4), PLAIN, 0.6),
        of("a", "b", "c"),
    ),
    Sample(
        "lower_80",
        "Lower scores are positive",
        markers(35, 45, (-1.2, -0.5), PLAIN, 0.4),
        of("a", "b", higher_is_positive=False),
    ),
    Sample(
        "groups_60", "Two groups of 25 + 35 cases", sites(25, 35, (1.4, 0.6)), of("a", group="site")
    ),
    Sample(
        "groups_16", "Two groups of 9 + 7 cases", sites(9, 7, (0.5, 1.5)), of("a", group="site")
    ),
    Sample(
        "groups_240", "Two groups of 40 + 200 cases", sites(40, 200, (1, 1)), of("a", group="site")
    ),
]


if __name__ == "__main__":
    folder = Path(__file__).parent
    write_samples(folder, 19960835, {one.name: (one.draw, one.study) for one in SAMPLES})
    for one in SAMPLES:
        asked = UNPAIRED if "group" in one.study else PAIRED
        paragraphs = [fill(text, 100) for text in (asked, SOURCE)]
        write_readme(folder / one.name, "\n\n".join([f"# {one.title}", *paragraphs]), COMMAND)
