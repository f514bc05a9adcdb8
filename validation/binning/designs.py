"""Random studies whose scores are put into bins: the scores, and the table of their counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

import rocstats as rs

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class Made(NamedTuple):
    """Cases of a study: classes, scores, group of each case, direction, and bin of each case."""

    positive: Bools
    score: Floats
    group: npt.NDArray[np.str_]
    higher: bool
    bin: Floats

    def exact(self) -> rs.Study:
        """Return the study of all scores."""
        return rs.Study(
            self.positive,
            {"score": self.score},
            group={"site": self.group},
            higher_is_positive=self.higher,
        )

    def binned(self) -> rs.Study:
        """Return the study of the counts of the bins."""
        return rs.Study.from_counts(self.table(), higher_is_positive=self.higher)

    def table(self) -> pd.DataFrame:
        """Return the counts of the bins of each group."""
        cases = pd.DataFrame(
            {"site": self.group, "bin": self.bin, "score": self.score, "positive": self.positive}
        )
        cells = cases.groupby(["site", "bin"], sort=True).agg(
            score=("score", "min"),
            score_high=("score", "max"),
            n_pos=("positive", "sum"),
            n=("positive", "size"),
        )
        cells["n_neg"] = cells["n"] - cells["n_pos"]
        return cells.reset_index()[["site", "score", "score_high", "n_pos", "n_neg"]]


def _normal(rng: Rng, positive: Bools) -> Floats:
    return np.asarray(rng.normal(rng.uniform(-0.5, 2.5) * positive, 1.0))


def _heavy_tailed(rng: Rng, positive: Bools) -> Floats:
    return np.asarray(rng.standard_cauchy(len(positive)) + positive)


def _near_zero(rng: Rng, positive: Bools) -> Floats:
    """Return probabilities piled near 0, as of a rare disease."""
    return np.asarray(rng.beta(0.1 + 0.3 * positive, 5.0))


def _one_ulp_apart(rng: Rng, positive: Bools) -> Floats:
    """Return scores that are neighbouring numbers around a power of two."""
    steps = rng.integers(-3, 4, len(positive)) + positive * rng.integers(0, 2, len(positive))
    return np.asarray(4.0 + np.where(steps < 0, 0.5, 1.0) * steps * np.spacing(4.0))


def _negative(rng: Rng, positive: Bools) -> Floats:
    return np.asarray(-rng.exponential(1.0 + 2.0 * ~positive))


def _rounded(rng: Rng, positive: Bools) -> Floats:
    """Return scores with real ties, some of which have bins of their own."""
    return np.asarray(np.round(rng.normal(positive, 1.0) * 4) / 4)


SCORES: dict[str, Callable[[Rng, Bools], Floats]] = {
    "normal": _normal,
    "heavy tails": _heavy_tailed,
    "near zero": _near_zero,
    "one ulp apart": _one_ulp_apart,
    "negative": _negative,
    "rounded": _rounded,
}
DESIGNS = (*SCORES, "one bin", "several groups", "ten bits")


def make(design: str, rng: Rng) -> Made:
    """Return a random study of a design."""
    n_groups = 3 if design == "several groups" else 1
    parts = [_part(design, rng) for _ in range(n_groups)]
    sites = np.repeat([f"site {g}" for g in range(n_groups)], [len(p[0]) for p in parts])
    positive, score, bins = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Made(positive, score, sites, bool(rng.random() < 0.7), bins)


def _part(design: str, rng: Rng) -> tuple[Bools, Floats, Floats]:
    most = 2000 if design == "ten bits" else 200
    m, n = (int(np.exp(rng.uniform(np.log(2), np.log(most)))) for _ in range(2))
    positive = np.repeat([True, False], [m, n])
    kind = design if design in SCORES else str(rng.choice(list(SCORES)))
    score = SCORES[kind](rng, positive)
    if design == "one bin":
        return positive, score, np.zeros(m + n)
    if design == "ten bits":  # the bins of count_scores, where few cases share one
        return positive, score, _bits(score, 10)
    # Neighbouring numbers share all but their last bits: bins of bits would hold them all.
    by_bits = kind != "one ulp apart" and rng.random() < 0.6
    bins = _bits(score, int(rng.integers(0, 5))) if by_bits else _cuts(score, rng)
    return positive, score, bins


def _bits(score: Floats, bits: int) -> Floats:
    """Return the lower edge of each score's bin of some significant bits after the first."""
    mantissa, exponent = np.frexp(score)
    scale = 2.0 ** (1 + bits)
    return np.asarray(np.ldexp(np.floor(mantissa * scale) / scale, exponent))


def _cuts(score: Floats, rng: Rng) -> Floats:
    """Return the number of the bin between random cuts, some of them next to each other."""
    distinct = np.unique(score)
    cut = distinct[rng.random(len(distinct)) < rng.choice([0.05, 0.2, 0.5, 0.9])]
    return np.searchsorted(cut, score, side="right").astype(float)
