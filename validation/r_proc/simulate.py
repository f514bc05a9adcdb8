"""Draw the samples that R is asked about: ``python validation/r_proc/simulate.py``.

Scores are rounded, so that input.csv holds the very numbers both programs see. ``make.R`` then
writes expected.csv.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import read_input
from validation.reference import write_readme
from validation.samples import (
    Columns,
    Draw,
    continuous,
    distinct,
    labels,
    normal,
    of,
    ratings,
    rounded,
    write_samples,
)

COMMAND = "python validation/r_proc/simulate.py && Rscript validation/r_proc/make.R"
N_POINTS = 90  # the curves of samples up to this size are compared point by point, in make.R too

ASKED = """Asked of pROC, the R package most used for ROC analysis, its direction and levels given
explicitly: areas, DeLong variances and covariances, Wald limits (before and after they are cut at 0
and 1) and the tests of two curves."""
POINTS = " Also the points of the curve."
GROUPS = """ Of the unpaired test only the statistic is compared: pROC's degrees of freedom
take the two total sample sizes, the package's Satterthwaite's rule over all four components."""
AGREE = " All rows are `computed` and agree to a relative 1e-10."
SOURCE = """Source: simulated; Robin X, Turck N, Hainard A, et al. pROC: an open-source package for
R and S+ to analyze and compare ROC curves. BMC Bioinformatics 2011;12:77."""


@dataclass(frozen=True)
class Sample:
    """One case: what it is about, how it is drawn, how the study reads it."""

    name: str
    title: str
    text: str
    draw: Draw
    study: dict[str, Any]


def near_perfect(rng: np.random.Generator) -> Columns:
    """Return two markers, of which the first ranks one pair of 2400 wrong."""
    truth = labels(40, 60)
    a = np.concatenate([np.linspace(1, 3, 40), np.linspace(-2, 0.9, 60)])
    a[0] = 0.88
    return {"truth": truth, "a": np.round(a, 4), "b": distinct(rng, rng.normal(2.5 * truth))}


def perfect(rng: np.random.Generator) -> Columns:
    """Return a marker that ranks all pairs right."""
    truth = labels(15, 20)
    return {"truth": truth, "a": distinct(rng, rng.uniform(0, 1, 35) + 1.5 * truth)}


def lower(rng: np.random.Generator) -> Columns:
    """Return two markers that are low in the positives, the second with ties."""
    truth = labels(35, 45)
    a, b = normal(rng, truth, (-1.2, -0.8), 0.4)
    return {"truth": truth, "a": distinct(rng, a), "b": np.round(b, 1)}


def mixed(rng: np.random.Generator) -> Columns:
    """Return markers of which the second is low in the positives."""
    truth = labels(40, 50)
    a, b, c = normal(rng, truth, (1.1, -0.9, 0.6), 0.3)
    return {"truth": truth, "a": distinct(rng, a), "b": distinct(rng, b), "c": np.round(c, 1)}


def nearly_identical(rng: np.random.Generator) -> Columns:
    """Return two markers that differ in six cases."""
    truth = labels(70, 80)
    a = distinct(rng, rng.normal(truth))
    b = a.copy()
    b[[3, 20, 41, 77, 100, 140]] += np.array([0.5, -0.4, 0.3, 0.6, -0.5, 0.2])
    return {"truth": truth, "a": a, "b": np.round(b, 4)}


def skewed(rng: np.random.Generator) -> Columns:
    """Return log-normal scores in the millions and in the thousandths."""
    truth = labels(60, 90)
    a, b = normal(rng, truth, (0.9, 0.7), 0.6)
    large = np.round(np.exp(2 * a) * 1e6)
    return {
        "outcome": np.where(truth, "Poor", "Good"),
        "a": large,
        "b": np.round(np.exp(b) / 1e3, 8),
    }


def worse_than_chance(rng: np.random.Generator) -> Columns:
    """Return a marker whose direction is given wrongly."""
    truth = labels(25, 25)
    return {"truth": truth, "a": distinct(rng, rng.normal(-0.9 * truth))}


def table(rng: np.random.Generator) -> Columns:
    """Return a rating table with counts."""
    pos, neg = rng.multinomial(64, [0.05, 0.1, 0.2, 0.25, 0.4]), [38, 21, 16, 9, 0]
    return {
        "truth": labels(5, 5),
        "rating": np.tile(np.arange(1, 6), 2),
        "count": np.concatenate([pos, neg]),
    }


def groups(
    sizes: dict[str, tuple[int, int]], shifts: tuple[float, ...], step: float | None
) -> Draw:
    """Return a drawing of independent groups, one marker shifted differently in each."""

    def draw(rng: np.random.Generator) -> Columns:
        truth, group, score = [], [], []
        for (name, (m, n)), shift in zip(sizes.items(), shifts, strict=True):
            of_group = labels(m, n)
            drawn = rng.normal(shift * of_group)
            truth.append(of_group)
            group.append(np.repeat(name, m + n))
            score.append(distinct(rng, drawn) if step is None else np.round(drawn / step) * step)
        return {
            "truth": np.concatenate(truth),
            "site": np.concatenate(group),
            "a": np.round(np.concatenate(score), 4),
        }

    return draw


SAMPLES = [
    Sample(
        "continuous_10",
        "Ten cases",
        "5 positives and 5 negatives, no ties.",
        continuous(5, 5, (0.8, 0.3)),
        of("a", "b"),
    ),
    Sample(
        "continuous_24",
        "Twenty-four cases",
        "14 positives and 10 negatives, no ties.",
        continuous(14, 10, (1.0, 0.2)),
        of("a", "b"),
    ),
    Sample(
        "continuous_100",
        "A hundred cases",
        "40 positives and 60 negatives, two correlated markers without ties.",
        continuous(40, 60, (1.2, 0.8)),
        of("a", "b"),
    ),
    Sample(
        "continuous_1000",
        "A thousand cases",
        "300 positives and 700 negatives, two strongly correlated markers without ties.",
        continuous(300, 700, (1.0, 0.9), 0.8),
        of("a", "b"),
    ),
    Sample(
        "continuous_20000",
        "Twenty thousand cases",
        "6000 positives and 14 000 negatives, so 84 million pairs, without a tie.",
        continuous(6000, 14000, (0.7,), decimals=5),
        of("a"),
    ),
    Sample(
        "ties_heavy_60",
        "Heavy ties",
        "25 positives and 35 negatives on a scale of whole numbers.",
        rounded(25, 35, (0.9, 0.4), 1.0),
        of("a", "b"),
    ),
    Sample(
        "ties_rounded_200",
        "Some ties",
        "90 positives and 110 negatives, scores rounded to one decimal.",
        rounded(90, 110, (1.0, 0.7), 0.1),
        of("a", "b"),
    ),
    Sample(
        "ratings_5_109",
        "Three readers, five categories",
        "51 positives and 58 negatives, rated from 1 to 5 by three readers.",
        ratings(51, 58, (1.6, 1.3, 1.1), (-0.5, 0.3, 0.8, 1.6)),
        of("a", "b", "c"),
    ),
    Sample(
        "ratings_5_skewed",
        "Ratings that crowd in the lowest category",
        "60 positives and 240 negatives; nearly all negatives and many positives are rated 1.",
        ratings(60, 240, (1.2, 0.9), (1.3, 1.7, 2.2, 2.8)),
        of("a", "b"),
    ),
    Sample(
        "ratings_5000",
        "Many cases, five categories",
        "1000 positives and 4000 negatives rated from 1 to 5: nearly a million tied pairs.",
        ratings(1000, 4000, (1.0, 0.95), (-0.5, 0.3, 0.8, 1.6), 0.7),
        of("a", "b"),
    ),
    Sample(
        "few_positives_10_500",
        "Ten positives, five hundred negatives",
        "The rare positives carry nearly all of the variance.",
        continuous(10, 500, (1.2, 0.6), decimals=3),
        of("a", "b"),
    ),
    Sample(
        "few_negatives_500_10",
        "Five hundred positives, ten negatives",
        "The rare negatives carry nearly all of the variance.",
        rounded(500, 10, (1.2, 0.6), 0.05),
        of("a", "b"),
    ),
    Sample(
        "near_perfect_40_60",
        "Nearly perfect",
        "The first marker ranks a few pairs of 2400 wrong: its Wald limit exceeds 1.",
        near_perfect,
        of("a", "b"),
    ),
    Sample(
        "perfect_15_20",
        "Perfect separation",
        "Every positive above every negative: an area of 1, of which only the estimate is compared."
        " pROC's variance is 0 and its interval [1, 1]; the package gives an honest one.",
        perfect,
        of("a"),
    ),
    Sample(
        "lower_is_positive",
        "Lower scores are positive",
        '35 positives and 45 negatives; pROC is given direction ">". The second marker has ties.',
        lower,
        of("a", "b", higher_is_positive=False),
    ),
    Sample(
        "worse_than_chance",
        "An area under one half",
        "25 positives and 25 negatives, higher scores in the negatives, the direction kept.",
        worse_than_chance,
        of("a"),
    ),
    Sample(
        "three_correlated",
        "Three correlated markers",
        "50 positives and 70 negatives; pairwise tests, adjusted by R's p.adjust.",
        continuous(50, 70, (1.2, 0.9, 0.6), 0.6),
        of("a", "b", "c"),
    ),
    Sample(
        "three_opposed",
        "Two markers that move against each other",
        "45 positives and 55 negatives; a negative correlation makes the covariance negative.",
        continuous(45, 55, (0.9, 0.7), -0.6),
        of("a", "b"),
    ),
    Sample(
        "mixed_direction",
        "Markers of both directions",
        "40 positives and 50 negatives, the second marker low in the positives. pROC warns"
        " against comparing curves of different direction, so it is given the second one negated.",
        mixed,
        of("a", "b", "c", higher_is_positive={"b": False}),
    ),
    Sample(
        "nearly_identical",
        "Two markers that differ in six cases",
        "70 positives and 80 negatives; the variance of the difference is a small difference of"
        " large numbers.",
        nearly_identical,
        of("a", "b"),
    ),
    Sample(
        "skewed_text_labels",
        "Skewed scores, labels in words",
        "60 cases with a poor and 90 with a good outcome, log-normal scores in the millions and in"
        " the thousandths.",
        skewed,
        {"y_true": "outcome", "y_score": ["a", "b"], "pos_label": "Poor"},
    ),
    Sample(
        "rating_table",
        "A table of counts",
        "64 positives and 84 negatives as a table of five ratings with counts, one of them 0;"
        " R sees each case on its own.",
        table,
        of("rating", frequency="count"),
    ),
    Sample(
        "groups_two",
        "Two independent groups",
        "25 + 35 cases at one site, 60 + 80 at another, no ties.",
        groups({"north": (25, 35), "south": (60, 80)}, (1.3, 0.7), None),
        of("a", group="site"),
    ),
    Sample(
        "groups_three_ties",
        "Three independent groups with ties",
        "Sites of 20 + 30, 40 + 25 and 30 + 60 cases, scores rounded to halves.",
        groups({"x": (20, 30), "y": (40, 25), "z": (30, 60)}, (1.2, 0.5, 0.9), 0.5),
        of("a", group="site"),
    ),
]


def readme_of(sample: Sample, n_rows: int) -> str:
    """Return the README of a case but its last line."""
    asked = ASKED
    if "group" in sample.study:
        asked += GROUPS
    elif n_rows <= N_POINTS and "frequency" not in sample.study:
        asked += POINTS
    paragraphs = [fill(text, 100) for text in (sample.text, asked + AGREE, SOURCE)]
    return "\n\n".join([f"# {sample.title}", *paragraphs])


if __name__ == "__main__":
    folder = Path(__file__).parent
    write_samples(folder, 20040316, {one.name: (one.draw, one.study) for one in SAMPLES})
    for one in SAMPLES:
        first, *_ = read_input(folder / one.name / "input.csv").values()
        write_readme(folder / one.name, readme_of(one, len(first)), COMMAND)
