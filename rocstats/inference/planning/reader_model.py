"""The model of Roe and Metz: its options, and exact variances of average areas.

A term of an average area is psi(x, y), whether a positive's rating x exceeds a negative's y. The
product of two terms has the expectation P(X > Y, X' > Y'), an orthant probability of two normals
whose correlation depends on what the terms have in common: the reader or not, and both cases, the
positive, the negative or none. The variance of an average is the sum over these eight patterns of
their share of all pairs of terms times the probability less the product of both areas. Sources:
[roe-1997], [gallas-2014].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import FloatArray
from rocstats.inference.planning.simulated_studies import (
    KINDS,
    STRUCTURES,
    ReadingPlan,
    RoeMetz,
    Structure,
    roe_metz_of_areas,
    roe_metz_of_structure,
)
from rocstats.inference.planning.variances import normal_indicator_covariance
from rocstats.study.points import number_array

# --- Options: areas or separations, variances or a structure, parts of the study ------------------

Variances = Mapping[str, Any]
"""A variance of each kind, shared by all modalities or ("modality_...") of each alone."""

_MODALITY_KINDS = tuple(f"modality_{kind}" for kind in KINDS)
# Variances beyond this, or separations of that size, leave the areas 1/2 or 1 to rounding.
_LARGEST = 1e6


def read_roe_metz_model(
    auc: float | Sequence[float] | FloatArray | None,
    separation: float | Sequence[float] | None,
    structure: Structure | None,
    variances: Variances | None,
    n_modalities: int,
) -> RoeMetz:
    """Return the model with the areas or separations, one for all modalities or one for each."""
    if (auc is None) == (separation is None):
        raise InputError(
            f"`auc` or `separation` must be given, but not both; got {auc!r} and {separation!r}."
            " Pass the area of each modality."
        )
    if (structure is None) == (variances is None):
        raise InputError(
            f"`structure` or `variances` must be given, but not both; got {structure!r} and"
            f" {variances!r}. Pass a structure of Roe & Metz, such as 'HL'."
        )
    if auc is not None:
        values = _read_values_by_modality("auc", auc, n_modalities, (0, 1))
    else:
        values = _read_values_by_modality(
            "separation", separation, n_modalities, (-_LARGEST, _LARGEST)
        )
    if variances is None:
        word: Any = require_choice("structure", structure, STRUCTURES)
        return (roe_metz_of_structure if auc is None else roe_metz_of_areas)(word, values)
    model = _read_variances(variances, values)
    return model if auc is None else model.with_areas(values)


def _read_values_by_modality(
    name: str, value: Any, n: int, inside: tuple[float, float]
) -> FloatArray:
    """Return the value of each of n modalities, inside an open interval."""
    low, high = inside
    values = number_array(value)
    if (
        values.ndim != 1
        or len(values) not in (1, n)
        or not np.all((low < values) & (values < high))
    ):
        raise InputError(
            f"`{name}` must be a number strictly between {low:g} and {high:g}, or {n} of them, one"
            f" for each modality; got {value!r}. Pass one number, or {n} numbers."
        )
    return np.broadcast_to(values, (n,)).copy()


def _read_variances(variances: Any, separation: FloatArray) -> RoeMetz:
    named = dict(variances) if isinstance(variances, Mapping) else {}
    if set(named) != {*KINDS, *_MODALITY_KINDS}:
        raise InputError(
            f"`variances` must have the keys {', '.join((*KINDS, *_MODALITY_KINDS))}; got"
            f" {list(named) if named else variances!r}. Pass 0 for an effect that does not vary."
        )
    n = len(separation)
    shared = np.stack([_read_roe_metz_variance(kind, named[kind], (2,)) for kind in KINDS], axis=-1)
    own = np.stack(
        [_read_roe_metz_variance(kind, named[kind], (n, 2)) for kind in _MODALITY_KINDS], axis=-1
    )
    model = RoeMetz(separation, shared[0], shared[1], own[:, 0], own[:, 1])
    if not np.all(model.spread > 0):
        raise InputError(
            "`variances` must give the ratings of each modality a variance above 0; got 0. Pass"
            " for instance the variance of cases."
        )
    return model


def _read_roe_metz_variance(kind: str, value: Any, shape: tuple[int, ...]) -> FloatArray:
    """Return a variance by (modality and) class: one number, one a class, or all of them."""
    values = number_array(value)
    try:
        values = np.broadcast_to(values if values.size else np.nan, shape)
    except ValueError:
        values = np.full(shape, np.nan)
    if not np.all((values >= 0) & (values <= _LARGEST)):
        pairs = " or such a pair for each modality" if len(shape) > 1 else ""
        raise InputError(
            f"`variances` must have a number from 0 to {_LARGEST:g} as {kind!r}, a pair (positives,"
            f" negatives){pairs}; got {value!r}. Give variances, not standard deviations."
        )
    return values


def require_reads_in_all_parts(plan: ReadingPlan, n_modalities: int) -> None:
    """Raise InputError if a group, or a modality in it, would have no reader or no case."""
    for name in ("n_readers", "n_pos", "n_neg"):
        parted = plan.nested == "readers" if name == "n_readers" else plan.nested == "cases"
        least = plan.n_groups * (n_modalities if parted else 1)
        if getattr(plan, name) < least:
            raise InputError(
                f"`{name}` must be at least {least}, one for each group"
                f"{' and modality' if parted else ''}; got {getattr(plan, name)}."
                " Take more, or fewer groups."
            )


# --- Exact variances of average areas, without simulation -----------------------------------------


def average_patterns(model: RoeMetz, plan: ReadingPlan, i: int, k: int) -> PairPatterns:
    """Return the patterns of the average areas of modalities i and k; i = k for a variance."""
    return PairPatterns(
        pair_covariances(model, i, k), pair_counts(plan, len(model.separation), i, k)
    )


class PairPatterns(NamedTuple):
    """Covariance of two terms, and the number of pairs of terms, by pattern (2 x 4 each)."""

    covariances: FloatArray
    counts: FloatArray

    @property
    def covariance(self) -> float:
        """The covariance of both averages, each pair of reads having the same weight."""
        return float(np.sum(self.covariances * self.counts) / self.counts.sum())

    @property
    def of_readers(self) -> float:
        """Covariance of the areas that one reader has on all cases of the world."""
        return float(self.covariances[0, 3])

    @property
    def of_cases(self) -> float:
        """The covariance of both averages with the readers fixed, in expectation over readers."""
        return float(self.covariance - self.shares[2] * self.of_readers)

    @property
    def given_readers(self) -> FloatArray:
        """Covariance of the areas of one reader, and of two readers, on the same cases.

        In expectation over readers; crossed cases, without groups.
        """
        beyond = self.covariances - self.covariances[:, 3:]
        cases = self.counts[0] / self.counts[0].sum()
        return np.asarray(beyond @ cases)

    @property
    def shares(self) -> FloatArray:
        """Share of pairs of terms with the same negative, positive and reader."""
        counts = self.counts / self.counts.sum()
        return np.array([counts[:, [0, 2]].sum(), counts[:, [0, 1]].sum(), counts[0].sum()])

    @property
    def components(self) -> FloatArray:
        """Parts of the covariance of negatives, positives and readers, 0 without common ones.

        Each is the mean over the pairs of terms that have it in common, less that of all.
        """
        products = self.covariances * self.counts
        sums = [products[:, [0, 2]].sum(), products[:, [0, 1]].sum(), products[0].sum()]
        shares = self.shares * self.counts.sum()
        common = shares > 0
        means = np.divide(sums, shares, out=np.zeros(3), where=common)
        return np.where(common, means - self.covariance, 0.0)

    @property
    def numbers(self) -> FloatArray:
        """Effective numbers of negatives, positives and readers, less 1, and at least 1."""
        inverse = np.divide(1.0, self.shares, out=np.full(3, np.inf), where=self.shares > 0)
        return np.asarray(np.maximum(inverse - 1, 1.0))


def pair_covariances(model: RoeMetz, i: int, k: int) -> FloatArray:
    """Return Cov(psi, psi') of a term of modality i and one of modality k, by pattern."""
    shared_pos, shared_neg = model.shared_pos, model.shared_neg
    if i == k:
        shared_pos, shared_neg = shared_pos + model.own_pos[i], shared_neg + model.own_neg[i]
    common = _shared_rating_variance(shared_pos, _SAME_POS) + _shared_rating_variance(
        shared_neg, _SAME_NEG
    )
    scale = np.sqrt(model.spread)
    first, second = model.separation[[i, k]] / scale[[i, k]]
    correlations = common / (scale[i] * scale[k])
    return np.asarray(np.vectorize(normal_indicator_covariance)(first, second, correlations))


# By what two terms have in common: same reader, other reader; and in each row both cases, the
# positive, the negative, none. Every array of patterns has this shape (2 x 4).
_SAME_READER = np.array([[1.0], [0.0]])
_SAME_POS = np.array([1.0, 1.0, 0.0, 0.0])
_SAME_NEG = np.array([1.0, 0.0, 1.0, 0.0])


def _shared_rating_variance(variances: FloatArray, same_case: FloatArray) -> FloatArray:
    """Return the variance that two ratings of a class share, by pattern."""
    reader, case, reader_case = variances
    return np.asarray(
        reader * _SAME_READER + case * same_case + reader_case * _SAME_READER * same_case
    )


def pair_counts(plan: ReadingPlan, n_modalities: int, i: int, k: int) -> FloatArray:
    """Return the number of pairs of a term of modality i and one of modality k, by pattern.

    Two terms of different groups have nothing in common.
    """
    readers, pos, neg = (sizes.astype(np.float64) for sizes in plan.sizes(n_modalities))
    # Modalities with their own readers, or cases, have none in common.
    apart_readers, apart_cases = (plan.nested == kind and i != k for kind in ("readers", "cases"))

    def same_and_other(n: FloatArray, apart: bool) -> tuple[FloatArray, FloatArray]:
        same = np.zeros_like(n[i]) if apart else n[i]
        return same, n[i] * n[k] - same

    same_pos, other_pos = same_and_other(pos, apart_cases)
    same_neg, other_neg = same_and_other(neg, apart_cases)
    cases = [same_pos * same_neg, same_pos * other_neg, other_pos * same_neg, other_pos * other_neg]
    counts = np.stack(
        [[number @ of for of in cases] for number in same_and_other(readers, apart_readers)]
    )
    terms = [float(np.sum(readers[x] * pos[x] * neg[x])) for x in (i, k)]
    counts[1, 3] += terms[0] * terms[1] - counts.sum()
    return counts
