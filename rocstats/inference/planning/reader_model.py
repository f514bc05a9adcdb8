"""The model of Roe and Metz: simulated reader studies, and exact variances of average areas.

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
import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, require_choice, require_whole
from rocstats.estimate.binormal import bivariate_normal
from rocstats.estimate.resample import RngLike, resolve_seed
from rocstats.estimate.simulate import (
    KINDS,
    STRUCTURES,
    Nested,
    ReadingPlan,
    RoeMetz,
    Structure,
    draw_reads,
    in_levels,
    structured,
    structured_areas,
)
from rocstats.facts import special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.references import require_keys
from rocstats.facts.tolerances import SAME_TO_ROUNDING
from rocstats.study.cases import Reads
from rocstats.study.points import number_array

# --- Question: a simulated reader study -----------------------------------------------------------

_CITED = ("roe-1997", "gallas-2014")


def simulate_readers(
    *,
    n_readers: int,
    n_pos: int,
    n_neg: int,
    n_modalities: int = 2,
    auc: float | Sequence[float] | None = None,
    separation: float | Sequence[float] | None = None,
    structure: Structure | None = None,
    variances: Variances | None = None,
    n_groups: int = 1,
    nested: Nested | None = None,
    missing: float = 0.0,
    n_levels: int | None = None,
    rng: RngLike = None,
) -> pd.DataFrame:
    """Return the ratings of one simulated reader study; a row is one read.

    To try an analysis, or a design, on data whose truth is known. To plan a study, use
    ``ReaderDesign``, which needs no simulation.

    Parameters
    ----------
    n_readers : int >= 1
        Readers of the whole study.
    n_pos, n_neg : int >= 1
        Positive and negative cases of the whole study.
    n_modalities : int >= 1, default 2
        Modalities.
    auc : float in (0, 1), or sequence of float
        Area of each modality in expectation over readers, or one for all.
    separation : float, or sequence of float
        Instead of ``auc``: mean rating of positives less that of negatives.
    structure : {"HL", "LL", "HH", "LH"}
        Variances of Roe & Metz. First letter: high or low correlation of the ratings of a case;
        second letter: high or low variability of readers:

        - "HL": cases 0.3, readers by cases 0.2, readers 0.0055.
        - "LL": cases 0.1, readers by cases 0.2 (0.6 of a modality), readers 0.0055.
        - "HH": as "HL", readers 0.011 at the separation 0.75, 0.030 at 1.5, 0.056 at 2.5.
        - "LH": as "LL", readers as "HH".
    variances : mapping of str to float or sequence
        Instead of ``structure``: variances "reader", "case" and "reader_case" of the effects that
        all modalities share, and "modality_reader", "modality_case" and "modality_reader_case" of
        those of each modality alone. Each is one number >= 0, or a pair (positives, negatives);
        those of modalities also a pair for each modality.
    n_groups : int >= 1, default 1
        Split plot: groups of readers, each of which reads its own part of the cases. As many as
        readers: every reader has their own cases.
    nested : {None, "readers", "cases"}
        Whether each modality has its own readers, or its own cases; None: neither.
    missing : float in [0, 1), default 0
        Share of the planned reads of each class that are not made, taken at random.
    n_levels : int >= 2, optional
        Ratings as levels 1 to ``n_levels``, cut at the same values for all readers.
    rng : int, SeedSequence, Generator or None
        Source of the draws; the frame records one integer that repeats it.

    Returns
    -------
    pandas.DataFrame
        Columns ``truth`` (0 or 1), ``rating``, ``reader``, ``case`` (1 and up, positives first) and
        ``modality``, by modality, reader and case; reads that are not made have no row. The seed is
        in ``attrs["rocstats"]["seed"]``.

    Raises
    ------
    InputError
        Unless one of ``auc`` and ``separation`` and one of ``structure`` and ``variances`` is
        given; if a number is not possible, or a group or a modality would lack readers or cases.

    Notes
    -----
    A rating of case k by reader j under modality i is mu_i truth + R_j + C_k + (RC)_jk + R_ij +
    C_ik + (RC)_ijk, all effects normal, independent, and other ones for positives than for
    negatives. The area in expectation is Phi(mu_i/sqrt(v)), v the sum of all variances of both
    classes. Between the separations of Roe & Metz the variance of a reader of high variability is
    interpolated (ours), beyond them it stays. Levels are cut at the quantiles j/``n_levels`` of a
    normal distribution with the mean and variance of all ratings (ours).

    References
    ----------
    - Roe & Metz (1997), table 1 [roe-1997]
    - Gallas & Hillis (2014), other variances for each class and modality [gallas-2014]

    Examples
    --------
    >>> import rocstats as rs
    >>> drawn = rs.simulate_readers(
    ...     n_readers=4, n_pos=10, n_neg=20, auc=[0.8, 0.85], structure="HL", n_levels=5, rng=1
    ... )
    >>> len(drawn), sorted(drawn["modality"].unique())
    (240, ['modality 1', 'modality 2'])
    """
    t = require_whole("n_modalities", n_modalities, 1, "Pass the number of modalities.")
    model = read_model(auc, separation, structure, variances, t)
    plan = _read_plan(n_readers, n_pos, n_neg, n_groups, nested, missing)
    _require_all_parts(plan, t)
    if n_levels is not None:
        n_levels = require_whole("n_levels", n_levels, 2, "Leave it out for continuous ratings.")
    seed = resolve_seed(rng)
    reads = draw_reads(model, plan, np.random.default_rng(seed))
    frame = _read_rows(reads if n_levels is None else in_levels(reads, model, n_levels))
    frame.attrs["rocstats"] = {
        "function": "simulate_readers",
        "version": __version__,
        "seed": seed,
        "n_resamples": None,
        "references": require_keys(_CITED),
    }
    return frame


def _read_plan(
    n_readers: Any, n_pos: Any, n_neg: Any, n_groups: Any, nested: Any, missing: Any
) -> ReadingPlan:
    sizes = {"n_readers": n_readers, "n_pos": n_pos, "n_neg": n_neg, "n_groups": n_groups}
    read = {
        name: require_whole(name, value, 1, "Pass the number of the whole study.")
        for name, value in sizes.items()
    }
    nested = require_choice("nested", nested, ("readers", "cases", None))
    number = isinstance(missing, (int, float)) and not isinstance(missing, bool)
    if not (number and 0 <= missing < 1):
        raise InputError(
            f"`missing` must be a number from 0 to below 1; got {missing!r}. Pass a share of reads."
        )
    return ReadingPlan(**read, nested=nested, missing=float(missing))


def _require_all_parts(plan: ReadingPlan, n_modalities: int) -> None:
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


# --- Model: areas or separations, and variances or a structure ------------------------------------

Variances = Mapping[str, Any]
"""A variance of each kind, shared by all modalities or ("modality_...") of each alone."""

MODALITY_KINDS = tuple(f"modality_{kind}" for kind in KINDS)
# Variances beyond this, or separations of that size, leave the areas 1/2 or 1 to rounding.
_LARGEST = 1e6


def read_model(
    auc: float | Sequence[float] | FloatArray | None,
    separation: float | Sequence[float] | None,
    structure: Structure | None,
    variances: Variances | None,
    n_modalities: int,
) -> RoeMetz:
    """Return the model with the areas or separations, one for all modalities or one for each."""
    if (auc is None) == (separation is None):
        raise InputError(
            f"`auc` or `separation` must be given, and only one; got {auc!r} and {separation!r}."
            " Pass the area of each modality."
        )
    if (structure is None) == (variances is None):
        raise InputError(
            f"`structure` or `variances` must be given, and only one; got {structure!r} and"
            f" {variances!r}. Pass a structure of Roe & Metz, such as 'HL'."
        )
    if auc is not None:
        values = _by_modality("auc", auc, n_modalities, (0, 1))
    else:
        values = _by_modality("separation", separation, n_modalities, (-_LARGEST, _LARGEST))
    if variances is None:
        word: Any = require_choice("structure", structure, STRUCTURES)
        return (structured if auc is None else structured_areas)(word, values)
    model = _model_of_variances(variances, values)
    return model if auc is None else model.with_areas(values)


def _by_modality(name: str, value: Any, n: int, inside: tuple[float, float]) -> FloatArray:
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
            f" a modality; got {value!r}. Pass one or {n}."
        )
    return np.broadcast_to(values, (n,)).copy()


def _model_of_variances(variances: Any, separation: FloatArray) -> RoeMetz:
    named = dict(variances) if isinstance(variances, Mapping) else {}
    if set(named) != {*KINDS, *MODALITY_KINDS}:
        raise InputError(
            f"`variances` must have the keys {', '.join((*KINDS, *MODALITY_KINDS))};"
            f" got {list(named) if named else variances!r}. Give 0 for what does not vary."
        )
    n = len(separation)
    shared = np.stack([_variance(kind, named[kind], (2,)) for kind in KINDS], axis=-1)
    own = np.stack([_variance(kind, named[kind], (n, 2)) for kind in MODALITY_KINDS], axis=-1)
    model = RoeMetz(separation, shared[0], shared[1], own[:, 0], own[:, 1])
    if not np.all(model.spread > 0):
        raise InputError(
            "`variances` must leave the ratings of each modality a variance above 0; got 0. Give"
            " the variance of a case, say."
        )
    return model


def _variance(kind: str, value: Any, shape: tuple[int, ...]) -> FloatArray:
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


# --- Exact variances of average areas, without simulation -----------------------------------------

# By what two terms have in common: same reader, other reader; and in each row both cases, the
# positive, the negative, none. Every array of patterns has this shape (2 x 4).
_SAME_READER = np.array([[1.0], [0.0]])
_SAME_POS = np.array([1.0, 1.0, 0.0, 0.0])
_SAME_NEG = np.array([1.0, 0.0, 1.0, 0.0])


class Patterns(NamedTuple):
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


def patterns(model: RoeMetz, plan: ReadingPlan, i: int, k: int) -> Patterns:
    """Return the patterns of the average areas of modalities i and k; i = k for a variance."""
    return Patterns(pair_covariances(model, i, k), pair_counts(plan, len(model.separation), i, k))


def variance_of_average(model: RoeMetz, plan: ReadingPlan, i: int) -> float:
    """Return the variance of the average area of a modality."""
    return patterns(model, plan, i, i).covariance


def variance_of_difference(model: RoeMetz, plan: ReadingPlan, i: int, k: int) -> float:
    """Return the variance of the difference of the average areas of two modalities."""
    both = patterns(model, plan, i, k).covariance
    return variance_of_average(model, plan, i) + variance_of_average(model, plan, k) - 2 * both


def pair_covariances(model: RoeMetz, i: int, k: int) -> FloatArray:
    """Return Cov(psi, psi') of a term of modality i and one of modality k, by pattern."""
    shared_pos, shared_neg = model.shared_pos, model.shared_neg
    if i == k:
        shared_pos, shared_neg = shared_pos + model.own_pos[i], shared_neg + model.own_neg[i]
    common = _shared_variance(shared_pos, _SAME_POS) + _shared_variance(shared_neg, _SAME_NEG)
    scale = np.sqrt(model.spread)
    h, k_ = model.separation[[i, k]] / scale[[i, k]]
    if h + k_ > 0:
        # The same by symmetry; probabilities near 1 would leave rounding as their difference.
        h, k_ = -h, -k_
    product = float(sp.ndtr(h) * sp.ndtr(k_))
    correlations = common / (scale[i] * scale[k])
    return np.asarray(np.vectorize(_orthant)(h, k_, correlations) - product)


def _shared_variance(variances: FloatArray, same_case: FloatArray) -> FloatArray:
    """Return the variance that two ratings of a class share, by pattern."""
    reader, case, reader_case = variances
    return np.asarray(
        reader * _SAME_READER + case * same_case + reader_case * _SAME_READER * same_case
    )


def _orthant(h: float, k: float, r: float) -> float:
    """Return P(X <= h, Y <= k) of standard normals with correlation r, 0 <= r <= 1."""
    # At r = 1 both are one variable; a sum of variances over itself is 1 to rounding.
    if r > 1 - SAME_TO_ROUNDING:
        return float(sp.ndtr(min(h, k)))
    return float(bivariate_normal(h, np.array(k), r))


def pair_counts(plan: ReadingPlan, n_modalities: int, i: int, k: int) -> FloatArray:
    """Return the number of pairs of a term of modality i and one of modality k, by pattern.

    Two terms of different groups have nothing in common.
    """
    readers, pos, neg = (sizes.astype(np.float64) for sizes in plan.sizes(n_modalities))
    own_readers, own_cases = (plan.nested == kind and i != k for kind in ("readers", "cases"))

    def same_and_other(n: FloatArray, apart: bool) -> tuple[FloatArray, FloatArray]:
        same = np.zeros_like(n[i]) if apart else n[i]
        return same, n[i] * n[k] - same

    same_pos, other_pos = same_and_other(pos, own_cases)
    same_neg, other_neg = same_and_other(neg, own_cases)
    cases = [same_pos * same_neg, same_pos * other_neg, other_pos * same_neg, other_pos * other_neg]
    counts = np.stack(
        [[number @ of for of in cases] for number in same_and_other(readers, own_readers)]
    )
    terms = [float(np.sum(readers[x] * pos[x] * neg[x])) for x in (i, k)]
    counts[1, 3] += terms[0] * terms[1] - counts.sum()
    return counts


# --- Frame of the reads ---------------------------------------------------------------------------


def _read_rows(reads: Reads) -> pd.DataFrame:
    """Return one row a read, by modality, reader and case, the positives first."""
    ratings = np.concatenate([reads.pos, reads.neg], axis=2)
    modality, reader, case = np.nonzero(~np.isnan(ratings))
    return pd.DataFrame(
        {
            "truth": (case < reads.n_pos).astype(np.int64),
            "rating": ratings[modality, reader, case],
            "reader": _numbered("reader", ratings.shape[1])[reader],
            "case": case + 1,
            "modality": _numbered("modality", ratings.shape[0])[modality],
        }
    )


def _numbered(word: str, n: int) -> Any:
    return np.array([f"{word} {number}" for number in range(1, n + 1)], dtype=object)
