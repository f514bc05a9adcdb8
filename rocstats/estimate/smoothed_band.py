"""The score-adjusted smoothed-bootstrap band in rotated coordinates: ours, not peer-reviewed.

Resamples come from a locally smoothed pair of distributions, so that rough curves stray from a
smooth one, as the curve of a sample does from the true curve. The variance is evaluated partly at
the limit, as in score intervals. Constants were chosen by simulation and are not options
(docs/methods/smoothed-band.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.rotated import Rotation, tpr_limits_of_rotated_band, turned_curve
from rocstats.estimate.band_record import (
    Band,
    BandMethod,
    BandRequest,
    largest_empirical_tpr_at_fpr,
)
from rocstats.estimate.resample import ResamplePlan, sup_quantile
from rocstats.estimate.resample_bands import (
    chord_rotated_curves,
    clustered_rotated_curves,
    stratified_rotated_curves,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import ScoreCounts

# --- Constants ------------------------------------------------------------------------------------

# Constants and step numbers are those of docs/methods/smoothed-band.md, "Recipe of the smoothed
# band". They were chosen together so that the containment of nominal 95% bands was right in some 15
# designs, and checked in others ("Containment of the smoothed band"). Lengths are in units of h, in
# which the curve of a sample has a standard deviation of at most 1/2 at any number of cases.
GRID_SIZE = 401  # places of h; between them the limits are read along straight lines
_BIN_LENGTH = 1.0  # scores of less than this are taken together; wider bins flatten the curve
_LEAST_END_LENGTH = 0.5  # half a bin: a shorter last bin is merged with the one before
_HEAVY = 3  # cases of one score that stay tied in resamples; 6 would spread small categories
_PSEUDO_CASES = 2.0  # of each class: without them corners have no variance
_WINDOW = 2.0  # to each side, two bins: from bin to bin the slope is mostly noise
_AT_LIMIT = 0.4  # share of the variance taken at the limit; 0 is a bootstrap, 1 a score band
_FLOOR = 0.7  # of the bootstrap variance, below which the change to the limit never takes it
_ADDED = 0.36  # of the largest variance, added everywhere: .6 of the largest standard deviation
_LEAST_CHORDS = 200.0  # of h: from 20 000 cases on, half of them positive; docs/methods as above
_ROUNDING = 1e-9  # sums of lengths that reach 1 or 1/2 exactly may miss it by rounding


# --- Bins of scores -------------------------------------------------------------------------------


class ScoreBins(NamedTuple):
    """Neighbouring scores taken together, the most positive first.

    ``of_score`` is the bin of each distinct score, ``tied`` whether a bin holds a single one, and
    ``pseudo`` the share of each bin in the pseudo-cases.
    """

    of_score: IntArray
    n_pos: FloatArray
    n_neg: FloatArray
    tied: BoolArray
    pseudo: FloatArray

    @property
    def smoothed_pos(self) -> FloatArray:
        """Positives of each bin with pseudo-cases added, scaled to the same total."""
        return self._smoothed(self.n_pos)

    @property
    def smoothed_neg(self) -> FloatArray:
        """The same for negatives."""
        return self._smoothed(self.n_neg)

    def _smoothed(self, cases: FloatArray) -> FloatArray:
        total = cases.sum()
        # Scaled back to m (or n): the rotation, and the number of cases drawn, are unchanged.
        return np.asarray((cases + _PSEUDO_CASES * self.pseudo) * total / (total + _PSEUDO_CASES))


def score_bins(counts: ScoreCounts, rotation: Rotation) -> ScoreBins:
    """Return the bins of the scores (steps 2 and 3)."""
    pos, neg = (np.concatenate([[0.0], np.cumsum(c)]) for c in (counts.n_pos, counts.n_neg))
    length = pos / rotation.root_pos + neg / rotation.root_neg
    heavy = counts.n_pos + counts.n_neg >= _HEAVY
    starts = _first_score_of_each_bin(pos, neg, length, heavy)
    ends = np.append(starts[1:], len(heavy))
    of_score = np.repeat(np.arange(len(starts)), ends - starts)
    return ScoreBins(
        of_score,
        pos[ends] - pos[starts],
        neg[ends] - neg[starts],
        ends - starts == 1,
        (length[ends] - length[starts]) / rotation.h_max,
    )


def _first_score_of_each_bin(
    pos: FloatArray, neg: FloatArray, length: FloatArray, heavy: BoolArray
) -> IntArray:
    """Return the first score of each bin; ``pos``, ``neg``, ``length`` cumulate from 0."""
    heavy_at = np.append(np.flatnonzero(heavy), len(heavy))
    both_by = max(int(np.searchsorted(cases, 0, side="right")) for cases in (pos, neg))
    starts, at = [], 0
    while at < len(heavy):
        starts.append(at)
        if heavy[at]:
            at += 1
            continue
        end = int(np.searchsorted(length, length[at] + _BIN_LENGTH - _ROUNDING))
        if at == 0:  # step 2: the first bin has a case of each class before it closes
            end = max(end, both_by)
        at = min(end, int(heavy_at[np.searchsorted(heavy_at, at)]))
    return np.array(_score_bins_without_short_ends(starts, pos, neg, length, heavy), dtype=np.intp)


def _score_bins_without_short_ends(
    starts: list[int], pos: FloatArray, neg: FloatArray, length: FloatArray, heavy: BoolArray
) -> list[int]:
    """Merge the last two bins while the last is short or lacks a class, and none is heavy."""
    while len(starts) > 1 and not heavy[starts[-1]] and not heavy[starts[-2]]:
        last = starts[-1]
        short = length[-1] - length[last] < _LEAST_END_LENGTH - _ROUNDING
        if not short and pos[-1] > pos[last] and neg[-1] > neg[last]:
            break
        starts.pop()
    return starts


def smoothed_band_takes_chords(bins: ScoreBins, rotation: Rotation) -> bool:
    """Return whether resamples draw bins alone, with a deviation from the line between their ends.

    Not where all bins are tied, which have no cases to place, nor where bins have few.
    """
    return rotation.h_max >= _LEAST_CHORDS and not bins.tied.all()


# --- Variance, calibration and limits -------------------------------------------------------------


class LocalVariance(NamedTuple):
    """V_h(l) = C0 + C1 l + C2 l^2, the variance of lam at each h if the curve passes through l."""

    c0: FloatArray
    c1: FloatArray
    c2: FloatArray

    def at(self, lam: FloatArray) -> FloatArray:
        """Return the variance at one lam for each h."""
        return self.c0 + lam * (self.c1 + lam * self.c2)


def local_variance_of_rotated_curve(
    grid: FloatArray, model: FloatArray, rotation: Rotation
) -> LocalVariance:
    """Return the variance of lam at each h as a function of lam (step 5)."""
    above, below = np.minimum(grid + _WINDOW, grid[-1]), np.maximum(grid - _WINDOW, 0)
    slope = (np.interp(above, grid, model) - np.interp(below, grid, model)) / (above - below)
    # Shares of the local step that positives and negatives take (D of step 5 is ``slope``).
    w1, w0 = np.clip(0.5 - slope, 0, 1) ** 2, np.clip(0.5 + slope, 0, 1) ** 2
    r1, r0 = rotation.root_pos, rotation.root_neg
    m, n = r1**2, r0**2
    # w1^2 S1(1 - S1) + w0^2 S0(1 - S0), multiplied out in powers of l.
    return LocalVariance(
        w1 * (grid / (2 * r1) - grid**2 / (4 * m)) + w0 * (grid / (2 * r0) - grid**2 / (4 * n)),
        w1 * (1 / r1 - grid / m) - w0 * (1 / r0 - grid / n),
        -(w1 / m + w0 / n),
    )


class SmoothedBandCalibration(NamedTuple):
    """Variance s2 of the resamples at each h, the addend c2, and the quantile q."""

    variance: FloatArray
    added: float
    quantile: float


def calibrate_smoothed_band(
    draws: FloatArray, model: FloatArray, local: LocalVariance, confidence_level: float
) -> SmoothedBandCalibration | None:
    """Return the scale and the quantile of the largest scaled distance (step 6)."""
    variance = draws.var(axis=0)
    added = _ADDED * float(variance.max())
    if added < _ROUNDING**2:  # resamples that do not vary, as at an area of 0 or 1
        return None
    distance = scaled_distances(draws, model, local, variance, added)
    return SmoothedBandCalibration(variance, added, sup_quantile(distance, confidence_level))


def scaled_distances(
    draws: FloatArray, model: FloatArray, local: LocalVariance, variance: FloatArray, added: float
) -> FloatArray:
    """Return the largest distance of each draw from the model, its ends apart, over its scale."""
    at_draws = local.at(draws) - local.at(model)
    scale = np.maximum(variance + (1 - _AT_LIMIT) * at_draws, _FLOOR * variance) + added
    # Every curve has lam = 0 at the first h, and the same lam at the last.
    return np.asarray((np.abs(draws - model) / np.sqrt(scale))[:, 1:-1].max(axis=1))


def solve_smoothed_band_limits(
    observed: FloatArray,
    model: FloatArray,
    local: LocalVariance,
    calibration: SmoothedBandCalibration,
) -> Limits:
    """Return the limits of lam at each h: the roots of a quadratic, not closer than a floor."""
    variance, added, quantile = calibration
    q2, share = quantile**2, _AT_LIMIT
    fixed = variance - local.at(model) + (1 - share) * local.at(observed) + added
    # Step 7. C2 <= 0, so that qa >= 1 and the inequality holds between the two roots.
    qa = 1 - share * q2 * local.c2
    qb = -(2 * observed + share * q2 * local.c1)
    qc = observed**2 - q2 * (share * local.c0 + fixed)
    root = np.sqrt(np.maximum(qb**2 - 4 * qa * qc, 0))
    least = quantile * np.sqrt(_FLOOR * variance + added)
    low = np.minimum((-qb - root) / (2 * qa), observed - least)
    return low, np.maximum((-qb + root) / (2 * qa), observed + least)


# --- The band -------------------------------------------------------------------------------------


def smoothed_score_limits(
    sample: ScoredCases, k: int, confidence_level: float, plan: ResamplePlan
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return h and the limits of lam; None if the resamples do not vary."""
    counts = sample.counts(k)
    bins = score_bins(counts, Rotation.of(counts))
    return _limits_of_bins(sample, k, bins, confidence_level, plan)


def _limits_of_bins(
    sample: ScoredCases, k: int, bins: ScoreBins, confidence_level: float, plan: ResamplePlan
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    counts = sample.counts(k)
    rotation = Rotation.of(counts)
    grid = np.arange(GRID_SIZE) * rotation.h_max / (GRID_SIZE - 1)
    if sample.cluster is None:
        draw = (
            chord_rotated_curves
            if smoothed_band_takes_chords(bins, rotation)
            else stratified_rotated_curves
        )
        draws = draw(bins.smoothed_pos, bins.smoothed_neg, bins.tied, grid, plan)
    else:
        draws = clustered_rotated_curves(
            sample, bins.of_score.take(sample.codes(k)), bins.pseudo, bins.tied, _PSEUDO_CASES,
            grid, plan,
        )  # fmt: skip
    # The limits are around the curve of the sample, their scale around the smoothed model.
    observed = np.interp(grid, *turned_curve(counts.n_pos, counts.n_neg, rotation))
    model = np.interp(grid, *turned_curve(bins.smoothed_pos, bins.smoothed_neg, rotation))
    local = local_variance_of_rotated_curve(grid, model, rotation)
    calibration = calibrate_smoothed_band(draws, model, local, confidence_level)
    if calibration is None:
        return None
    low, high = solve_smoothed_band_limits(observed, model, local, calibration)
    return grid, low, high


def _smoothed_score_band(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    counts = cases.counts(k)
    rotation = Rotation.of(counts)
    bins = score_bins(counts, rotation)
    limits = _limits_of_bins(cases, k, bins, request.confidence_level, request.plan)
    if limits is None:
        return None
    low, high = tpr_limits_of_rotated_band(rotation, *limits, request.at)
    blocked = cases.cluster is None and smoothed_band_takes_chords(bins, rotation)
    codes = ("blocked-resamples",) if blocked else ()
    return Band(largest_empirical_tpr_at_fpr(cases, k, request.at), low, high, codes)


SMOOTHED_SCORE = BandMethod(
    "smoothed-score",
    "score-adjusted bands from a smoothed bootstrap",
    _smoothed_score_band,
    published=False,
)
