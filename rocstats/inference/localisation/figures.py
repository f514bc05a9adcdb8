"""Areas of marks, the influence of each case on them, and their covariance over readers.

With x_k the highest false mark of case k, z_kl the highest mark on its lesion l, and psi(a, b) = 1
if a < b, 1/2 if equal, else 0, every area is a weighted mean of psi over pairs of a case and a
lesion [chakraborty-2016]. A lesion that was missed, and a case without marks, rank below all marks.
One jackknife formula serves all areas, with and without clusters, and needs no loop over cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.estimate.areas import snap_to_boundary
from rocstats.estimate.influence import (
    matrix_product_in_blocks,
    satterthwaite,
    small_sample_factor,
)
from rocstats.estimate.intervals import Area, ClassVariances
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.tolerances import clear_rounding
from rocstats.study.base import cached
from rocstats.study.detection import CurveMarks, DetectionSample

# --- The areas by word ----------------------------------------------------------------------------

MarksCurve = Literal["wafroc", "afroc", "wafroc1", "afroc1", "inferred-roc", "lroc"]


class MarksArea(NamedTuple):
    """An area of marks: its word, its quantity, and what it is made of.

    ``all_false`` says that false marks on positive cases count too; ``by_case`` that each positive
    case has one rating in place of those of its lesions; ``equal_lesions`` that all lesions of the
    study have the same weight.
    """

    word: str
    quantity: str
    all_false: bool = False
    by_case: bool = False
    equal_lesions: bool = False


MARKS_AREAS = {
    one.word: one
    for one in (
        MarksArea("wafroc", "wafroc_auc"),
        MarksArea("afroc", "afroc_auc", equal_lesions=True),
        MarksArea("wafroc1", "wafroc1_auc", all_false=True),
        MarksArea("afroc1", "afroc1_auc", all_false=True, equal_lesions=True),
        MarksArea("inferred-roc", "inferred_auc", by_case=True),
        MarksArea("lroc", "lroc_auc", by_case=True),
    )
}


def require_cases_for(sample: DetectionSample, area: MarksArea) -> None:
    """Raise InputError if the area needs cases without lesions and a group has none."""
    if area.equal_lesions and sample.weighted:
        raise InputError(
            f"`curve` must not be {area.word!r} in a study with weight=, because this curve gives"
            " all lesions the same weight; got weights. Use 'wafroc' or 'wafroc1', or leave weight="
            " out."
        )
    if area.all_false:
        return
    for label, part in sample.by_group():
        if part.n_neg == 0:
            where = f" in group {label!r}" if label else ""
            raise InputError(
                f"`curve` must be 'wafroc1' or 'afroc1' if every case has a lesion; got"
                f" {area.word!r}, and no case without a lesion{where}. Pass curve='wafroc1', or add"
                " cases without lesions."
            )


# --- Pairs of cases and lesions -------------------------------------------------------------------


class _Pairs(NamedTuple):
    """Codes of ratings that are compared: x of cases, and z of lesions with their case and weight.

    ``counted`` marks the cases whose x enters the area. Codes are ranks of ratings, 0 without one.
    """

    x: IntArray
    counted: BoolArray
    z: IntArray
    at: IntArray
    weight: FloatArray


def _pairs(sample: DetectionSample, marks: CurveMarks, area: MarksArea) -> _Pairs:
    n = len(sample.is_positive)
    x, z, at, weight = np.full(n, -np.inf), marks.found, sample.lesion_case, sample.lesion_weight
    np.maximum.at(x, marks.false_case, marks.false_rating)
    if area.by_case:
        on_lesion = np.full(n, -np.inf)
        np.maximum.at(on_lesion, at, z)
        at = np.flatnonzero(sample.is_positive)
        if area.word == "lroc":
            # Located if the highest mark of the case is on a lesion, also where a false one ties.
            z = np.where(on_lesion[at] >= x[at], on_lesion[at], -np.inf)
        else:
            z = np.maximum(on_lesion, x)[at]
        weight = np.ones(len(at))
    elif area.equal_lesions:
        weight = np.ones(len(at))
    counted = np.ones(n, dtype=bool) if area.all_false else ~sample.is_positive
    ratings = np.unique(np.concatenate([x, z]))
    ratings = ratings[np.isfinite(ratings)]
    x_codes, z_codes = (
        np.where(np.isfinite(each), np.searchsorted(ratings, each) + 1, 0) for each in (x, z)
    )
    if area.word == "lroc":
        # A case that was not located is below a case without marks, and does not tie with it.
        z_codes = np.where(z_codes == 0, -1, z_codes)
    return _Pairs(x_codes, counted, z_codes, at, weight)


def _psi(x: IntArray, z: IntArray) -> FloatArray:
    return np.asarray((x < z) + 0.5 * (x == z), dtype=np.float64)


class MarksInfluence(NamedTuple):
    """An area, the influence of each case on it, and the area without each unit.

    Influences of positives carry 1/(sum of weights), those of negatives 1/n. A unit is a case or a
    cluster.
    """

    value: float
    influence: FloatArray
    without: FloatArray


def marks_influence(
    sample: DetectionSample, marks: CurveMarks, area: MarksArea, units: IntArray
) -> MarksInfluence:
    """Return an area of marks with the influence of each case, and the area without each unit."""
    pairs = _pairs(sample, marks, area)
    n, positive = len(sample.is_positive), sample.is_positive
    n_x, total = np.count_nonzero(pairs.counted), pairs.weight.sum()
    # Placements of lesions among the x, and of each x among the lesions.
    x = np.sort(pairs.x[pairs.counted])
    above = np.searchsorted(x, pairs.z, "left") + np.searchsorted(x, pairs.z, "right")
    of_lesions = np.bincount(pairs.at, pairs.weight * above, n) / (2 * n_x)
    order = np.argsort(pairs.z, kind="stable")
    z, through = pairs.z[order], np.concatenate([[0.0], np.cumsum(pairs.weight[order])])
    ends = (through[np.searchsorted(z, pairs.x, side)] for side in ("left", "right"))
    of_case = np.where(pairs.counted, 1 - sum(ends) / (2 * total), 0.0)
    value = float(of_lesions.sum() / total)
    weight: FloatArray = np.bincount(pairs.at, pairs.weight, n).astype(np.float64)
    influence = np.where(positive, (of_lesions - value * weight) / total, 0.0)
    if area.all_false:
        # The cases of each class are a sample of their own: their mix is fixed.
        for side in (positive, ~positive):
            if side.any():
                influence[side] += (of_case[side] - of_case[side].mean()) / n
    else:
        influence[~positive] += (of_case[~positive] - value) / n_x
    return MarksInfluence(
        float(snap_to_boundary(value)),
        influence,
        _areas_without_units(pairs, of_lesions, of_case, weight, units),
    )


def _areas_without_units(
    pairs: _Pairs, of_lesions: FloatArray, of_case: FloatArray, weight: FloatArray, units: IntArray
) -> FloatArray:
    """Return the area without each unit: (S - n P - W b + inside)/((n - n_g)(W - W_g)).

    S = n sum P is the sum over pairs. P, W_g, b and n_g are sums over the unit; the pairs inside it
    are lost once, not twice.
    """
    n_units = int(units.max(initial=-1)) + 1
    n_x, total = np.count_nonzero(pairs.counted), pairs.weight.sum()
    lost_lesions, lost_weight, lost_x, lost_cases = (
        np.bincount(units, each, n_units) for each in (of_lesions, weight, pairs.counted, of_case)
    )
    left = n_x * of_lesions.sum() - n_x * lost_lesions - total * lost_cases
    left += _pairs_inside_units(pairs, units, n_units)
    # Without the last case of a class there is no area.
    kept = (lost_x < n_x) & (np.bincount(units[pairs.at], minlength=n_units) < len(pairs.at))
    found = np.full(n_units, np.nan)
    np.divide(left, (n_x - lost_x) * (total - lost_weight), out=found, where=kept)
    return found


def _pairs_inside_units(pairs: _Pairs, units: IntArray, n_units: int) -> FloatArray:
    """Return the weighted sum of psi over the pairs of a case and a lesion of each unit."""
    cases = np.flatnonzero(pairs.counted)
    cases = cases[np.argsort(units[cases], kind="stable")]
    size = np.bincount(units[cases], minlength=n_units)
    start = np.cumsum(size) - size
    of_lesion = units[pairs.at]
    # Each lesion is repeated for every counted case of its unit.
    times = size[of_lesion]
    lesion = np.repeat(np.arange(len(pairs.z)), times)
    within = np.arange(len(lesion)) - np.repeat(np.cumsum(times) - times, times)
    case = cases[start[of_lesion[lesion]] + within]
    inside = pairs.weight[lesion] * _psi(pairs.x[case], pairs.z[lesion])
    return np.bincount(of_lesion[lesion], inside, n_units).astype(np.float64)


# --- Sums over units ------------------------------------------------------------------------------


def units_of(sample: DetectionSample) -> IntArray:
    """Return the unit of each case, its cluster or itself, numbered without gaps."""
    if sample.cluster is None:
        return np.arange(len(sample.is_positive))
    return np.unique(sample.cluster.codes, return_inverse=True)[1].ravel()


def class_parts(
    influence: FloatArray, other: FloatArray, sample: DetectionSample
) -> tuple[FloatArray, FloatArray]:
    """Return parts of a covariance (k x l) of influences (k x n, l x n), and their df.

    Without clusters they are those of positives and of negatives, DeLong's; with clusters, of
    Obuchowski's sums over the clusters with positives only, with negatives only, and with both.
    """
    positive = sample.is_positive
    if sample.cluster is None:
        sides = [side for side in (positive, ~positive) if side.any()]
        parts = [
            small_sample_factor(float(np.count_nonzero(side)))
            * matrix_product_in_blocks(influence[:, side], other[:, side])
            for side in sides
        ]
        return np.array(parts), np.array([np.count_nonzero(side) - 1.0 for side in sides])
    units = units_of(sample)
    n_units = int(units.max()) + 1
    has = [np.bincount(units[side], minlength=n_units) > 0 for side in (positive, ~positive)]
    factors = [small_sample_factor(float(np.count_nonzero(one))) for one in has if one.any()]
    factors += [small_sample_factor(float(n_units))] if len(factors) == 2 else []
    sums = [
        [_sums_by_unit(each * side, units, n_units) for side in (positive, ~positive)]
        for each in (influence, other)
    ]
    parts, df = [], []
    for kind in (has[0] & ~has[1], has[1] & ~has[0], has[0] & has[1]):
        if not kind.any():
            continue
        (pos, neg), (pos_2, neg_2) = ([one[:, kind] for one in side] for side in sums)
        part = factors[0] * matrix_product_in_blocks(pos, pos_2)
        if len(factors) > 1:
            part = part + factors[1] * matrix_product_in_blocks(neg, neg_2)
            mixed = matrix_product_in_blocks(pos, neg_2) + matrix_product_in_blocks(neg, pos_2)
            part = part + factors[2] * mixed
        parts.append(part)
        df.append(max(np.count_nonzero(kind) - 1.0, 1.0))
    return np.array(parts), np.array(df)


def _sums_by_unit(values: FloatArray, units: IntArray, n_units: int) -> FloatArray:
    sums = [np.bincount(units, row, n_units) for row in values]
    return np.array(sums, dtype=np.float64)


def jackknife_covariance(without: FloatArray) -> FloatArray:
    """Return (G - 1)/G times the sum of products of estimates without each of G units (k x G)."""
    deviations = without - without.mean(axis=1, keepdims=True)
    return matrix_product_in_blocks(deviations, deviations) / small_sample_factor(without.shape[1])


# --- All areas of a group -------------------------------------------------------------------------


class MarksAreas(NamedTuple):
    """Areas of curves with the influence of each case (k x n), and without each unit (k x G)."""

    value: FloatArray
    influence: FloatArray
    without: FloatArray
    empty: BoolArray


def marks_areas(
    part: DetectionSample, area: MarksArea, modalities: Sequence[int], readers: Sequence[str]
) -> MarksAreas:
    """Return the areas of readers under modalities, modality by modality."""
    found, empty = [], []
    for i in modalities:
        for reader in readers:
            compute = partial(_one_curve, part, area, i, reader)
            one, is_empty = cached(part, (area.word, i, reader), compute)
            found.append(one)
            empty.append(is_empty)
    return MarksAreas(
        np.array([one.value for one in found]),
        np.stack([one.influence for one in found]),
        np.stack([one.without for one in found]),
        np.array(empty),
    )


def _one_curve(
    part: DetectionSample, area: MarksArea, i: int, reader: str
) -> tuple[MarksInfluence, bool]:
    marks = part.marks_of(i, reader)
    return marks_influence(part, marks, area, units_of(part)), marks.is_empty


def lone_area(part: DetectionSample, value: float, influence: FloatArray) -> Area:
    """Return the area of one curve with DeLong's variance, its parts and its degrees of freedom."""
    parts, df = class_parts(influence[np.newaxis], influence[np.newaxis], part)
    variance = float(clear_rounding(parts.sum()))
    n_pos, n_neg = numbers_of_units(part)
    spread = _spread(part, influence, variance, n_pos, n_neg)
    return Area(
        value,
        variance,
        float(satterthwaite(parts[:, 0, 0], df)),
        n_pos,
        n_neg,
        min(n_pos, n_neg),
        spread,
    )


def numbers_of_units(part: DetectionSample) -> tuple[float, float]:
    """Return the numbers of cases, or of clusters, with and without lesions.

    Without negatives the false marks are those of the positive cases.
    """
    units = units_of(part)
    n_pos, n_neg = (
        float(len(np.unique(units[side]))) for side in (part.is_positive, ~part.is_positive)
    )
    return n_pos, n_neg or n_pos


def _spread(
    part: DetectionSample, influence: FloatArray, variance: float, n_pos: float, n_neg: float
) -> ClassVariances:
    """Return effective numbers of cases, and the parts of the variance of each class.

    Clusters shrink the numbers of cases as they raise the variance, at most to their own numbers,
    as for areas under ROC curves.
    """
    sides = part.is_positive, ~part.is_positive
    alone = np.array(
        [
            small_sample_factor(float(np.count_nonzero(side))) * np.sum(influence[side] ** 2)
            if side.any()
            else 0.0
            for side in sides
        ]
    )
    share = float(alone.sum() / variance) if variance > 0 else 0.0
    cases = [float(np.count_nonzero(side)) for side in sides]
    cases[1] = cases[1] or cases[0]
    sizes = [min(max(n * share, units), n) for n, units in zip(cases, (n_pos, n_neg), strict=True)]
    split = alone / share if share > 0 else np.zeros(2)
    return ClassVariances(*sizes, *split.tolist())


def lone_difference_df(part: DetectionSample, influence: FloatArray) -> float:
    """Return Satterthwaite's degrees of freedom of a difference of two areas of one reader."""
    parts, df = class_parts(influence[np.newaxis], influence[np.newaxis], part)
    return float(satterthwaite(parts[:, 0, 0], df))
