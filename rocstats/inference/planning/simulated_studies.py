"""Simulated studies: ratings of readers by the model of Roe & Metz, and scores of predictors.

A rating of case k by reader j under modality i is mean + R_j + C_k + (RC)_jk, effects shared by all
modalities, + R_ij + C_ik + (RC)_ijk, effects of the modality alone [roe-1997]. All are independent
and normal, and drawn for positives and negatives apart: a reader has one effect among positives and
another one among negatives. With one reading there is no error apart from (RC)_ijk. Scores of
planned studies are normal in each class, predictors correlated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from rocstats.estimate.resample import child_random_stream
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.study.cases import Reads

# --- The model of Roe & Metz, and its structures --------------------------------------------------

Structure = Literal["HL", "LL", "HH", "LH"]
Nested = Literal["readers", "cases"]

KINDS = ("reader", "case", "reader_case")
"""The kinds of effects, in the order of every array of variances."""

# Roe & Metz (1997), table 1: separations of the classes (areas .702, .855 and .961 of a reader at
# the mean), and variances of a reader of low and of high variability there.
_SEPARATIONS = (0.75, 1.5, 2.5)
_READER_VARIANCES = {"L": (0.0055, 0.0055, 0.0055), "H": (0.011, 0.030, 0.056)}
# The same: variances of a case and of reader by case, shared and of a modality. They sum to 1.
_SHARED_VARIANCES = {"H": (0.3, 0.2), "L": (0.1, 0.2)}
_MODALITY_VARIANCES = {"H": (0.3, 0.2), "L": (0.1, 0.6)}
STRUCTURES: tuple[Structure, ...] = ("HL", "LL", "HH", "LH")
# The separation depends on the readers' variance and that on the separation; a step shrinks the
# error by .1 or more, so that 30 steps leave rounding alone.
_SEPARATION_STEPS = 30


class RoeMetz(NamedTuple):
    """Means and variances of the ratings of a reader study.

    ``separation`` (t) is how far the mean of the positives lies above that of the negatives, by
    modality. The variances have the order of ``KINDS`` in their last axis: ``shared_pos`` and
    ``shared_neg`` (3) those of effects shared by all modalities, ``own_pos`` and ``own_neg``
    (t x 3) those of the effects of each modality alone.
    """

    separation: FloatArray
    shared_pos: FloatArray
    shared_neg: FloatArray
    own_pos: FloatArray
    own_neg: FloatArray

    @property
    def spread(self) -> FloatArray:
        """Variance of a positive's rating less a negative's, by modality."""
        shared = self.shared_pos.sum() + self.shared_neg.sum()
        return np.asarray(shared + (self.own_pos + self.own_neg).sum(axis=1))

    @property
    def areas(self) -> FloatArray:
        """Areas in expectation over readers, by modality."""
        return np.asarray(sp.ndtr(self.separation / np.sqrt(self.spread)))

    def with_areas(self, areas: FloatArray) -> RoeMetz:
        """Return the model with the separations that have these areas."""
        return self._replace(separation=sp.ndtri(areas) * np.sqrt(self.spread))


def roe_metz_of_structure(structure: Structure, separation: FloatArray) -> RoeMetz:
    """Return the model of a structure of Roe & Metz.

    Between their three separations the variance of a reader is interpolated linearly at the mean
    separation, beyond them it is that of the nearest.
    """
    data, readers = structure
    reader = float(np.interp(separation.mean(), _SEPARATIONS, _READER_VARIANCES[readers]))
    shared = np.array([reader, *_SHARED_VARIANCES[data]])
    own = np.tile([reader, *_MODALITY_VARIANCES[data]], (len(separation), 1))
    return RoeMetz(separation, shared, shared, own, own)


def roe_metz_of_areas(structure: Structure, areas: FloatArray) -> RoeMetz:
    """Return the model of a structure of Roe & Metz with these areas."""
    model = roe_metz_of_structure(structure, np.zeros(len(areas)))
    for _ in range(_SEPARATION_STEPS):
        model = roe_metz_of_structure(structure, model.with_areas(areas).separation)
    return model


# --- Who reads what -------------------------------------------------------------------------------


class ReadingPlan(NamedTuple):
    """Numbers of readers and cases of the whole study, and who reads what.

    With ``n_groups`` > 1 each group of readers reads its own part of the cases (split plot); one
    reader a group nests the cases in readers. ``nested`` gives each modality its own part of the
    readers or of the cases. ``missing`` is the share of the remaining reads that are not made,
    taken at random.
    """

    n_readers: int
    n_pos: int
    n_neg: int
    n_groups: int = 1
    nested: Nested | None = None
    missing: float = 0.0

    def planned(self, n_modalities: int, n_cases: int) -> BoolArray:
        """Return which reads of the cases of a class are planned, shape (t, r, cases)."""
        reader_group = equal_runs(self.n_readers, self.n_groups)
        same_group = reader_group[:, None] == equal_runs(n_cases, self.n_groups)
        reads = np.broadcast_to(same_group, (n_modalities, *same_group.shape))
        modality = np.arange(n_modalities)[:, None, None]
        if self.nested == "readers":
            reader_modality = _modality_in_turn(self.n_readers, self.n_groups, n_modalities)
            return np.asarray(reads & (modality == reader_modality[:, None]))
        if self.nested == "cases":
            case_modality = _modality_in_turn(n_cases, self.n_groups, n_modalities)
            return np.asarray(reads & (modality == case_modality))
        return reads

    def sizes(self, n_modalities: int) -> tuple[IntArray, IntArray, IntArray]:
        """Return the numbers of readers, positives and negatives, each by modality and group."""
        group, modality = np.arange(self.n_groups + 1), np.arange(n_modalities)[:, None]

        def counted(n: int, apart: bool) -> IntArray:
            whole = np.diff(-(-group * n // self.n_groups))  # the sizes of ``equal_runs``
            if not apart:
                return np.tile(whole, (n_modalities, 1))
            return np.asarray((whole - modality + n_modalities - 1) // n_modalities)

        own_cases = self.nested == "cases"
        return (
            counted(self.n_readers, self.nested == "readers"),
            counted(self.n_pos, own_cases),
            counted(self.n_neg, own_cases),
        )


def equal_runs(n: int, n_parts: int) -> IntArray:
    """Return the part of each of n members, in runs as equal as possible."""
    return np.arange(n) * n_parts // n


def _modality_in_turn(n: int, n_parts: int, n_modalities: int) -> IntArray:
    """Return the modality of each of n members, in turn within their part."""
    part = equal_runs(n, n_parts)
    place = np.arange(n) - np.searchsorted(part, part)
    return np.asarray(place % n_modalities)


# --- Ratings of a simulated reader study ----------------------------------------------------------


def draw_simulated_reads(
    model: RoeMetz, plan: ReadingPlan, generator: np.random.Generator
) -> Reads:
    """Return the ratings of one simulated study, NaN where a read is not made."""
    # All reads are drawn and those not planned blanked: effects of different readers and cases are
    # independent, so that the others have the distribution of their own design.
    neg = _draw_class_ratings(
        model.shared_neg, model.own_neg, (plan.n_readers, plan.n_neg), generator
    )
    pos = _draw_class_ratings(
        model.shared_pos, model.own_pos, (plan.n_readers, plan.n_pos), generator
    )
    pos += model.separation[:, None, None]
    for ratings in (neg, pos):
        made = plan.planned(len(model.separation), ratings.shape[2])
        if plan.missing:
            made = made & _simulated_reads_not_missing(made, plan.missing, generator)
        ratings[~made] = np.nan
    return Reads(pos, neg)


def _draw_class_ratings(
    shared: FloatArray, own: FloatArray, sizes: tuple[int, int], generator: np.random.Generator
) -> FloatArray:
    """Return the ratings of a class less their mean, shape (t, r, cases)."""
    r, n = sizes
    ratings = np.zeros((len(own), r, n))
    for kind, shape in enumerate([(r, 1), (1, n), (r, n)]):
        ratings += np.sqrt(shared[kind]) * generator.standard_normal(shape)
        each = generator.standard_normal((len(own), *shape))
        ratings += np.sqrt(own[:, kind])[:, None, None] * each
    return ratings


def _simulated_reads_not_missing(
    made: BoolArray, missing: float, generator: np.random.Generator
) -> BoolArray:
    """Return all reads but a share of those made, drawn without replacement."""
    kept, planned = np.ones(made.size, dtype=bool), np.flatnonzero(made)
    kept[generator.permutation(planned)[: round(missing * len(planned))]] = False
    return kept.reshape(made.shape)


def ratings_in_levels(reads: Reads, model: RoeMetz, n_levels: int) -> Reads:
    """Return the ratings as levels 1 to ``n_levels``, cut at the same values for all readers.

    The values are quantiles at j / n_levels of a normal distribution with the mean and variance of
    the ratings of as many positives as negatives, averaged over modalities.
    """
    mean = float(model.separation.mean()) / 2
    spread = float(model.spread.mean()) / 2 + float(np.mean(model.separation**2)) / 4
    cuts = mean + np.sqrt(spread) * sp.ndtri(np.arange(1, n_levels) / n_levels)

    def levels(ratings: FloatArray) -> FloatArray:
        return np.where(np.isnan(ratings), np.nan, np.searchsorted(cuts, ratings) + 1.0)

    return reads._replace(pos=levels(reads.pos), neg=levels(reads.neg))


# --- Scores of planned studies: normal in each class, predictors correlated -----------------------

Scores = tuple[FloatArray, FloatArray]
"""Scores of the positives (k x n_pos) and of the negatives (k x n_neg) by k predictors."""


def draw_studies(
    curves: Sequence[tuple[float, float]],
    correlations: tuple[float, float],
    sizes: tuple[int, int],
    n_simulations: int,
    seed: int,
) -> Iterator[Scores]:
    """Yield studies of one predictor, or of two with correlations among positives and negatives.

    Negatives are N(0, 1), positives N(a/b, 1/b^2), each predictor with its own a and b.
    """
    # One stream in the order of studies: the first of many are those of a shorter simulation.
    rng = child_random_stream(seed, 6)
    shift, slope = np.array(curves).T[:, :, np.newaxis]
    for _ in range(n_simulations):
        pos, neg = (
            _correlated_deviates(rng.standard_normal((len(curves), n)), correlation)
            for n, correlation in zip(sizes, correlations, strict=True)
        )
        yield (pos + shift) / slope, neg


def _correlated_deviates(deviates: FloatArray, correlation: float) -> FloatArray:
    if len(deviates) > 1:
        # Cholesky's factor of a 2 x 2 correlation matrix; the product keeps digits near 1.
        rest = np.sqrt((1 - correlation) * (1 + correlation))
        deviates[1] = correlation * deviates[0] + rest * deviates[1]
    return deviates
