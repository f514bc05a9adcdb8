"""Shares of a 2x2 table with their influence values: differences and ratios, paired or not.

A share (sensitivity, specificity, a predictive value) is a mean over the cases in its denominator,
its influence value (event - share)/size there and 0 elsewhere. Sums of products over cases, or over
the sums of clusters, are variances and covariances; likelihood ratios and all ratios of two
classifiers come from them on the log scale. Moskowitz & Pepe's (2006) ratios of predictive values
and Gu & Pepe's (2009) of likelihood ratios are special cases.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from rocstats.estimate.bars import ClusterUnits, cluster_units
from rocstats.estimate.influence import df_of_cluster_numbers, satterthwaite
from rocstats.estimate.proportions import (
    Limit,
    mover_limit,
    wilson_limit_of_proportion,
    z_where_limit_reaches_null,
)
from rocstats.estimate.quantiles import Alternative, limits_at_both_quantiles, t_p_value
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size, equal_clusters
from rocstats.facts.tolerances import clear_rounding

# --- Names of shares and ratios, as requested -----------------------------------------------------

ShareName = Literal["tpr", "tnr", "ppv", "npv"]
RatioName = Literal["ppv", "npv", "lr_positive", "lr_negative", "tpr", "fpr"]
RATIOS: tuple[RatioName, ...] = ("ppv", "npv", "lr_positive", "lr_negative")


# --- Shares, and means among some of the cases ----------------------------------------------------


class WeightedCases(NamedTuple):
    """The cases that shares are taken over; ``weight`` is the number of cases of each row."""

    is_positive: BoolArray
    weight: FloatArray
    cluster: IntArray | None


@dataclass(frozen=True, eq=False)
class EstimatedMeasure(ABC):
    """A value of a classifier, the influence of each unit on it, and its own confidence limit.

    Units are cases, or clusters; the value is NaN where it is undefined.
    """

    value: float
    influence: FloatArray

    @cached_property
    def variance(self) -> float:
        """Variance of the value, 0 below its rounding error; NaN for a single cluster."""
        return clear_rounding(float(self.influence @ self.influence))

    @abstractmethod
    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile, negative for the lower one."""


@dataclass(frozen=True, eq=False)
class Share(EstimatedMeasure):
    """A share with its count, its independent units, and the influence value of each unit.

    Units are the cases of the denominator, or the clusters that hold one, by Kish's number; their
    influence values are those of ``unit_influence``. Limits allow for ``unequal`` clusters.
    """

    count: float
    size: float
    n_units: float
    unequal: ClusterUnits | None = None

    def stretch(self, at: float) -> float:
        """Return how many times longer a normal quantile is for unequal clusters, else 1."""
        return quantile_stretch_for_clusters(self.unequal, at)

    def stretched(self, at: float) -> FloatArray:
        """Return the influence values for a limit at a normal quantile: as they are for 0."""
        return self.influence if at == 0 else self.stretch(at) * self.influence

    @property
    def effective_size(self) -> float:
        """Number of independent cases with this variance; of units where there is none."""
        spread = self.value * (1 - self.value)
        # Of independent cases p(1 - p)/v is n; of clusters n over the design effect.
        return spread / self.variance if spread > 0 and self.variance > 0 else self.n_units

    def limit(self, at: float) -> float:
        """Return Wilson's limit of effective size at a normal quantile."""
        # Wilson's limits depend on z^2/n: a size over the square of a stretch has a longer z.
        size = self.effective_size / self.stretch(at) ** 2
        return wilson_limit_of_proportion(self.value * size, size, at)


def quantile_stretch_for_clusters(unequal: ClusterUnits | None, at: float) -> float:
    """Return the factor of a normal quantile for unequal clusters; 1 for None.

    Of the clusters of several classes the longest counts.
    """
    return 1.0 if unequal is None else float(unequal.stretch(float(sp.ndtr(-abs(at)))).max())


def shares_of(cases: WeightedCases, called: BoolArray) -> dict[ShareName, Share]:
    """Return the shares of a classifier that calls some of the cases positive."""
    positive = cases.is_positive
    return {
        "tpr": share_among(cases, among=positive, event=called),
        "tnr": share_among(cases, among=~positive, event=~called),
        "ppv": share_among(cases, among=called, event=positive),
        "npv": share_among(cases, among=~called, event=~positive),
    }


def share_among(cases: WeightedCases, *, among: BoolArray, event: BoolArray) -> Share:
    """Return the share of some of the cases that have an event."""
    return mean_among(cases, among=among, values=event.astype(np.float64))


def mean_among(cases: WeightedCases, *, among: BoolArray, values: FloatArray) -> Share:
    """Return the mean of values in [0, 1] among some of the cases, a share of 0 and 1."""
    size = float(cases.weight[among].sum())
    held = values[among]
    count = float(cases.weight[among] @ held)
    value = count / size if size > 0 else np.nan
    if size > 0 and (held == held[0]).all():  # their sum may be rounded, their mean is not
        value = float(held[0])
    # An empty denominator has no influence; the share itself is NaN.
    influence = np.where(among, values - value, 0.0) / max(size, 1.0)
    if cases.cluster is None:
        return Share(value, unit_influence(cases, influence, size), count, size, size)
    units = units_among(cases, among)
    of_units = unit_influence(cases, influence, float(units.number[0]))
    unequal = units if units.unequal else None
    return Share(value, of_units, count, size, float(units.effective[0]), unequal)


def units_among(cases: WeightedCases, among: BoolArray) -> ClusterUnits:
    """Return the clusters that hold some of the cases."""
    assert cases.cluster is not None
    sizes = np.bincount(cases.cluster[among], cases.weight[among])
    return cluster_units(sizes[np.newaxis].astype(np.float64))


def mean_and_influence_among_cases(
    cases: WeightedCases, values: FloatArray, among: BoolArray
) -> tuple[float, FloatArray]:
    """Return the mean of values among some of the cases, and the influence values of units."""
    size = float(cases.weight[among].sum())
    mean = float(cases.weight[among] @ values[among]) / size
    influence = np.where(among, values - mean, 0.0) / size
    n_units = size if cases.cluster is None else cluster_count(cases.cluster[among])
    return mean, unit_influence(cases, influence, n_units)


def cluster_count(cluster: IntArray) -> float:
    """Return the number of clusters that have a case."""
    # Counting needs no sort.
    return float(np.count_nonzero(np.bincount(cluster)))


def unit_influence(cases: WeightedCases, influence: FloatArray, n_units: float) -> FloatArray:
    """Return the influence values of units, whose squares sum to the variance.

    Unit i is row i (values times the root of its weight) or cluster i (sums of values, times the
    root of I/(I - 1) for I clusters; NaN for a single one).
    """
    if cases.cluster is None:
        return np.asarray(influence * np.sqrt(cases.weight))
    sums = np.bincount(cases.cluster, weights=influence * cases.weight)
    return np.asarray(sums * np.sqrt(n_units / (n_units - 1) if n_units > 1 else np.nan))


def effective_units(cases: WeightedCases, influence: FloatArray) -> float:
    """Return (sum u^2)^2 / sum u^4 of influence values, a row as often as it counts."""
    if cases.cluster is not None:
        return effective_size(influence**2)
    times = np.maximum(cases.weight, np.finfo(np.float64).tiny)
    return effective_size(influence**2 / times, times)


def satterthwaite_df_by_class(cases: WeightedCases, influence: FloatArray) -> float:
    """Return Satterthwaite's degrees of freedom of a variance from influence values of units.

    Positives and negatives are independent samples, and so are clusters with one class or the
    other or both; each part has the degrees of freedom of as many equal units.
    """
    sides = (cases.is_positive, ~cases.is_positive)
    if cases.cluster is None:
        kinds = list(sides)
        numbers = [float(cases.weight[side].sum()) for side in sides]
    else:
        n = int(cases.cluster.max(initial=-1)) + 1
        share = [np.bincount(cases.cluster[side], cases.weight[side], n) for side in sides]
        of_pos, of_neg = (part / max(part.sum(), 1.0) for part in share)
        here = np.array([1, 2]) @ (np.array([of_pos, of_neg]) > 0)
        kinds = [here == kind for kind in np.unique(here[here > 0])]
        numbers = [equal_clusters((of_pos + of_neg)[kind]) for kind in kinds]
    parts = np.array([float(influence[kind] @ influence[kind]) for kind in kinds])
    return float(satterthwaite(parts, df_of_cluster_numbers(numbers)))


# --- Differences ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MeasureDifference:
    """First measure minus second; ``paired`` says that both are of the same cases.

    ``furthest`` is the largest difference that the range of the measure allows.
    """

    first: EstimatedMeasure
    second: EstimatedMeasure
    paired: bool
    furthest: float = 1.0

    @property
    def estimate(self) -> float:
        """The difference."""
        return self.first.value - self.second.value

    @property
    def influence(self) -> tuple[FloatArray, ...]:
        """Influence values of the units of each independent sample."""
        if self.paired:
            # Differences of values, not v1 + v2 - 2 cov, which cancels for alike classifiers.
            return (self.first.influence - self.second.influence,)
        return self.first.influence, -self.second.influence

    @cached_property
    def variance(self) -> float:
        """Variance of the difference, 0 below its rounding error."""
        variance = sum(float(part @ part) for part in self.influence)
        apart = self.first.variance + self.second.variance
        return clear_rounding(variance, apart) if self.paired else apart

    @cached_property
    def correlation(self) -> float:
        """Correlation of both measures; 0 where one has no variance."""
        scale = self.first.variance * self.second.variance
        if not self.paired or not scale > 0:
            return 0.0
        return float(self.first.influence @ self.second.influence) / float(np.sqrt(scale))

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile: MOVER on the limits of both measures."""
        first = self.first.limit(at) - self.first.value
        second = self.second.limit(-at) - self.second.value
        return mover_limit(
            self.estimate, first, second, self.correlation, at, furthest=self.furthest
        )


@dataclass(frozen=True, eq=False)
class ShareDifference(MeasureDifference):
    """First share minus second."""

    first: Share
    second: Share


# --- Ratios ---------------------------------------------------------------------------------------


class RatioResult(NamedTuple):
    """A ratio with the standard error of its logarithm; NaN where there is none.

    ``alike`` says that the two differ in no unit, so that the ratio has no variance. In unequal
    clusters ``reach`` is the distance of the logarithm from its limit at a normal quantile.
    """

    estimate: float
    log_se: float
    alike: bool = False
    reach: Limit | None = None

    def limits(self, confidence_level: float, alternative: Alternative) -> tuple[float, float]:
        """Return both limits; a one-sided alternative moves the other limit to 0 or infinity."""

        def limit(at: float) -> float:
            reach = at * self.log_se if self.reach is None else self.reach(at)
            with np.errstate(over="ignore"):  # a limit beyond every number is infinite
                return self.estimate * float(np.exp(reach))

        return limits_at_both_quantiles(limit, confidence_level, alternative, 0.0, np.inf)

    def test(self, alternative: Alternative) -> tuple[float, float]:
        """Return z and p value of a ratio of 1; of unequal clusters z inverts the limits."""
        log, reach = float(np.log(self.estimate)), self.reach
        if reach is None:
            z = log / self.log_se
        else:
            z = z_where_limit_reaches_null(lambda at: log + reach(at), log, 0.0)
        return z, t_p_value(z, np.inf, alternative)


def ratio_of_classifier_shares(
    name: RatioName,
    first: dict[ShareName, Share],
    second: dict[ShareName, Share],
    *,
    paired: bool,
) -> RatioResult:
    """Return the ratio first/second of a rate, predictive value or likelihood ratio.

    The estimate is NaN where it would be 0/0 or infinite.
    """
    above, below = _numerator_and_denominator(name, first), _numerator_and_denominator(name, second)
    # Cross products: a likelihood ratio with an empty denominator is never formed.
    parts = (above[0] * below[1], above[1] * below[0])
    estimate = parts[0] / parts[1] if parts[1] != 0 else np.nan
    if not estimate > 0:
        return RatioResult(estimate, np.nan)

    def variances(at: float) -> tuple[float, float]:
        """Return the variance of the logarithm, and without its covariance, at a quantile."""
        logs = [_log_influence(name, shares, at) for shares in (first, second)]
        apart = float(logs[0] @ logs[0] + logs[1] @ logs[1])
        return float((logs[0] - logs[1]) @ (logs[0] - logs[1])) if paired else apart, apart

    variance, apart = variances(0.0)
    if clear_rounding(variance, apart) == 0:
        return RatioResult(estimate, np.nan, alike=apart > 0)
    log_se = float(np.sqrt(variance))
    if all(shares[part].unequal is None for shares in (first, second) for part in _PARTS[name]):
        return RatioResult(estimate, log_se)

    def reach(at: float) -> float:
        # Parts of unlike stretch may cancel more than the parts as they are: never shorter limits.
        return at * float(np.sqrt(max(variances(at)[0], variance)))

    return RatioResult(estimate, log_se, reach=reach)


# The shares that each quantity is made of.
_PARTS: dict[RatioName, tuple[ShareName, ...]] = {
    "ppv": ("ppv",),
    "npv": ("npv",),
    "lr_positive": ("tpr", "tnr"),
    "lr_negative": ("tpr", "tnr"),
    "tpr": ("tpr",),
    "fpr": ("tnr",),
}


def _numerator_and_denominator(
    name: RatioName, shares: dict[ShareName, Share]
) -> tuple[float, float]:
    """Return a rate, predictive value or likelihood ratio as numerator and denominator."""
    tpr, tnr = shares["tpr"], shares["tnr"]
    # 1 - TNR as a count over a size, which is 0 exactly where it is 0.
    if name == "lr_positive":
        return tpr.value, (tnr.size - tnr.count) / tnr.size
    if name == "lr_negative":
        return (tpr.size - tpr.count) / tpr.size, tnr.value
    if name == "fpr":
        return (tnr.size - tnr.count) / tnr.size, 1.0
    return shares[name].value, 1.0


def _log_influence(name: RatioName, shares: dict[ShareName, Share], at: float) -> FloatArray:
    """Return the influence values of the logarithm of a rate, predictive value or LR.

    Those of each share are as many times larger as its limit at a normal quantile is further, 1 at
    the quantile 0.
    """
    # d log(p) = dp/p (Moskowitz & Pepe 2006), d log(LR+) = d log TPR - d log FPR (Gu & Pepe 2009).
    tpr, tnr = shares["tpr"], shares["tnr"]
    if name == "lr_positive":
        return tpr.stretched(at) / tpr.value + tnr.stretched(at) / (1 - tnr.value)
    if name == "lr_negative":
        return -tpr.stretched(at) / (1 - tpr.value) - tnr.stretched(at) / tnr.value
    if name == "fpr":
        return -tnr.stretched(at) / (1 - tnr.value)
    return shares[name].stretched(at) / shares[name].value


# --- Kosinski's test of predictive values ---------------------------------------------------------


def kosinski_score_of_shares(
    first: Share, second: Share, both_event: float, both_size: float
) -> float:
    """Return Kosinski's (2013) z of equal predictive values; NaN where nothing varies or is called.

    ``both_size`` cases count for both shares (both classifiers call them so), ``both_event`` of
    them with the event. With the pooled value p the statistic is the difference over
    sqrt((p(1 - p) - 2C)(1/n1 + 1/n2)), C = (events (1 - p)^2 + others p^2)/(n1 + n2).
    """
    total = first.size + second.size
    if min(first.size, second.size) == 0:
        return np.nan
    pooled = (first.count + second.count) / total
    common = (both_event * (1 - pooled) ** 2 + (both_size - both_event) * pooled**2) / total
    variance = (pooled * (1 - pooled) - 2 * common) * (1 / first.size + 1 / second.size)
    # Each term is at most 1/4 and rounds to 1e-16; with one discordant case the variance is about
    # 2/n^2, above 1e-15 for up to 4e7 cases.
    if not variance > 1e-15:
        return np.nan
    return float((first.value - second.value) / np.sqrt(variance))
