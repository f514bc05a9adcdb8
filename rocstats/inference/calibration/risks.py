"""Predicted risks of cases with their population, and helpers of the methods of calibration.

``Risks`` has means over the population that the cases come from: the cases themselves, or one of
another prevalence. The rest reads the options (prevalence, clipping, number of points), refuses
scores that are no risks, and makes the rows and notes.
Derivations: docs/methods/calibration.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, class_size_columns, lacks_class
from rocstats.estimate.areas import size_codes
from rocstats.estimate.benefit import mean_benefit
from rocstats.estimate.estimate import Estimate, Result
from rocstats.estimate.influence import df_of_mean_of_squares, satterthwaite
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.shares import WeightedCases, satterthwaite_df_by_class
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.frame.question import Question
from rocstats.study.base import BaseSample, sample_notes
from rocstats.study.sample import Sample, own_sample

# --- Risks, means over the population, and quantiles ----------------------------------------------


class Risks(NamedTuple):
    """Predicted risks of cases, and the prevalence of the population where it is given.

    Without a prevalence the cases are themselves a sample of the population.
    """

    risk: FloatArray
    cases: WeightedCases
    prevalence: float | None = None

    @property
    def outcome(self) -> FloatArray:
        """1 for a positive, 0 for a negative."""
        return self.cases.is_positive.astype(np.float64)

    @property
    def logit(self) -> FloatArray:
        """Logits of the risks."""
        return np.asarray(sp.logit(self.risk))

    @property
    def has_logits(self) -> bool:
        """Whether every risk has a logit: risks of 0 and 1 have none."""
        return bool(((self.risk > 0) & (self.risk < 1)).all())

    @property
    def size(self) -> float:
        """Number of cases."""
        return float(self.cases.weight.sum())

    @property
    def is_plain(self) -> bool:
        """Whether cases are independent and a sample of the population."""
        return self.cases.cluster is None and self.prevalence is None

    @property
    def is_single(self) -> bool:
        """Whether all cases have the same risk."""
        return bool(self.risk.min() == self.risk.max())

    @property
    def has_line(self) -> bool:
        """Whether a line or a spline of the logits can be fitted: they differ, and all exist."""
        return self.has_logits and not self.is_single

    @property
    def cluster_prefix(self) -> str:
        """What comes before the name of a variance in ``method``: "cluster-" of clusters."""
        return "" if self.cases.cluster is None else "cluster-"

    @property
    def weight(self) -> FloatArray:
        """How many cases each row stands for; they sum to the number of cases."""
        positive, weight = self.cases.is_positive, self.cases.weight
        if self.prevalence is None:
            return weight
        # Class weights give each class its share in the population.
        shares = np.where(positive, self.prevalence, 1 - self.prevalence)
        sums = np.where(positive, weight[positive].sum(), weight[~positive].sum())
        return np.asarray(weight * shares * self.size / sums)

    @property
    def share(self) -> float:
        """Share of positives of the cases."""
        return float(self.cases.weight @ self.outcome) / self.size

    @property
    def sampled(self) -> Risks:
        """The cases as they were sampled: each counts once, and class sizes stay fixed."""
        return self if self.prevalence is None else self._replace(prevalence=self.share)

    @property
    def shift(self) -> float:
        """What sampling by class adds to the logit of each risk; 0 in a cohort."""
        if self.prevalence is None:
            return 0.0
        return float(sp.logit(self.share) - sp.logit(self.prevalence))

    def average(self, values: FloatArray) -> float:
        """Return a mean over the population."""
        return float(self.weight @ values) / self.size

    def mean(self, values: FloatArray) -> Estimate:
        """Return a mean over the population, with the influence values of units."""
        return mean_benefit(self.cases, values, self.prevalence)

    def units(self, values: FloatArray) -> FloatArray:
        """Return influence values of units from those of cases, one row an estimate."""
        return np.stack([self.mean(row).influence for row in values])

    def skewed_mean(self, values: FloatArray) -> SkewedMean:
        """Return a mean over the population with its skewness and its degrees of freedom."""
        mean = self.mean(values)
        units, se = self._units_of(mean.influence), mean.se
        skewness = float(units.number @ units.influence**3) / se**3 if se > 0 else 0.0
        return SkewedMean(mean.value, se, skewness, units.df)

    def df(self, influence: FloatArray) -> float:
        """Return the degrees of freedom of a variance from influence values.

        Of cases sampled by class they depend on the values, of which a few may be large.
        """
        if self.prevalence is None or self.cases.cluster is not None:
            return satterthwaite_df_by_class(self.cases, influence)
        return self._units_of(influence).df

    def _units_of(self, influence: FloatArray) -> _RiskUnits:
        """Return the influence of single units, with their independent samples."""
        cluster = self.cases.cluster
        if cluster is not None:
            units = influence[np.unique(cluster)]
            return _RiskUnits(units, np.ones(len(units)), [np.ones(len(units), dtype=bool)])
        count, positive = self.cases.weight, self.cases.is_positive
        # A row of several cases has their number's root in it (``unit_influence``).
        units = influence / np.sqrt(np.where(count > 0, count, 1.0))
        return _RiskUnits(units, count, [positive, ~positive])

    def with_outcome(self, is_positive: BoolArray) -> Risks:
        """Return the same risks with other outcomes."""
        return self._replace(cases=self.cases._replace(is_positive=is_positive))


class _RiskUnits(NamedTuple):
    """Influence of single units, how often each counts, and their independent samples."""

    influence: FloatArray
    number: FloatArray
    sides: list[BoolArray]

    @property
    def df(self) -> float:
        """Degrees of freedom of the sum of squares, from the values themselves."""
        pairs = [(self.influence[side], self.number[side]) for side in self.sides]
        parts = np.array([number @ values**2 for values, number in pairs])
        return float(
            satterthwaite(parts, np.array([df_of_mean_of_squares(*pair) for pair in pairs]))
        )


def quantiles_of_weighted_risks(
    values: FloatArray, weight: FloatArray, shares: FloatArray
) -> FloatArray:
    """Return quantiles of values that stand for several cases each, as if all were listed.

    They are those of type 7 (Hyndman & Fan 1996), the default of R and of NumPy.
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[order])
    place = np.maximum(reached[-1] - 1, 0.0) * shares
    below = np.floor(place)
    ends = [
        values[order][np.minimum(np.searchsorted(reached, rank, side="right"), len(values) - 1)]
        for rank in (below, below + 1)
    ]
    return np.asarray(ends[0] + (place - below) * (ends[1] - ends[0]))


# --- Means of skewed values -----------------------------------------------------------------------

# Below it the transformation is the identity but for rounding, which its division would amplify.
_NO_SKEWNESS = 1e-6


class SkewedMean(NamedTuple):
    """A mean with its standard error, its skewness and the degrees of freedom of its variance.

    Hall's transformation of t takes the skewness out [hall-1992]; its quantiles are of t (ours).
    """

    value: float
    se: float
    skewness: float
    df: float

    def t(self, null: float) -> float:
        """Return Hall's t of a null value: x + k x^2/3 + k^2 x^3/27 + k/6.

        It is infinite where nothing varies.
        """
        if self.se == 0:
            return float(np.sign(self.value - null)) * np.inf if self.value != null else 0.0
        x, k = (self.value - null) / self.se, self.skewness
        return x + k * x**2 / 3 + k**2 * x**3 / 27 + k / 6

    def limit(self, at: float) -> float:
        """Return the null value whose t is minus ``at``: an upper limit for a positive one."""
        k, shifted = self.skewness, -at - self.skewness / 6
        x = 3 / k * (np.cbrt(1 + k * shifted) - 1) if abs(k) > _NO_SKEWNESS else shifted
        return self.value - self.se * float(x)

    def reach(self, level: float) -> float:
        """Return the quantile of t of a two-sided level."""
        return float(t_quantile((1 + level) / 2, self.df))


# --- Options: the population and its prevalence ---------------------------------------------------


class RiskPopulation(NamedTuple):
    """The prevalence of the population where it is given, and how near risks may come to 0 or 1."""

    prevalence: float | None
    clip: float | None = None

    def risks(self, part: Sample, k: int) -> Risks:
        """Return the risks of a predictor, with the cases of a part of the sample."""
        risk = part.scores[k]
        if self.clip is not None:
            risk = np.clip(risk, self.clip, 1 - self.clip)
        weight = np.ones(len(risk)) if part.cases.weight is None else part.cases.weight
        cluster = None if part.cluster is None else part.cluster.codes
        return Risks(risk, WeightedCases(part.is_positive, weight, cluster), self.prevalence)


def read_risk_population(sample: Sample, prevalence: Any, clip: Any = None) -> RiskPopulation:
    """Return the population; raise InputError for scores that are no risks."""
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
        prevalence = float(prevalence)
    if clip is not None:
        require_open_interval("clip", clip, 0, 0.5)
        clip = float(clip)
    for k, name in enumerate(sample.predictors):
        _require_scores_are_risks(
            name, own_sample(sample, k).scores[k], higher=sample.higher_is_positive[k]
        )
    return RiskPopulation(prevalence, clip)


def _require_scores_are_risks(name: str, score: FloatArray, *, higher: bool) -> None:
    if not higher:
        raise InputError(
            f"`higher_is_positive` must be True for a risk; got False for {name!r}. Pass risks of"
            " the positive class."
        )
    if len(score) and not 0 <= score.min() <= score.max() <= 1:
        raise InputError(
            f"`y_score` must be risks in [0, 1]; got scores of {name!r} from {score.min():g} to"
            f" {score.max():g}. Pass the risks that a fitted model predicts."
        )


def require_cohort_to_redraw_outcomes(
    sample: BaseSample, prevalence: float | None, what: str
) -> None:
    """Raise InputError unless outcomes can be redrawn case by case."""
    for role in ("cluster", "sample_weight"):
        if getattr(sample, role) is not None:
            raise InputError(
                f"`{role}` must stay None for {what}, which needs independent outcomes of single"
                f" cases; got a study with {role}=. Leave this quantity out."
            )
    if prevalence is not None:
        raise InputError(
            f"`prevalence` must stay None for {what}, which treats the cases as a sample of the"
            f" population; got {prevalence!r}. Leave this quantity out."
        )


# --- Points of a curve ----------------------------------------------------------------------------

# The ends of curves: beyond these percentiles of the risks there are too few cases to show one.
_CURVE_ENDS = np.array([0.01, 0.99])


def calibration_risk_grid(risks: Risks, n_points: int) -> FloatArray:
    """Return where a curve is shown, from the 1st to the 99th percentile of the risks.

    Evenly spaced risks, or the distinct ones of the cases if they are fewer.
    """
    low, high = quantiles_of_weighted_risks(risks.risk, risks.cases.weight, _CURVE_ENDS)
    inside = np.unique(risks.risk[(risks.risk >= low) & (risks.risk <= high)])
    if len(inside) <= n_points:
        return np.asarray(inside)
    return np.linspace(low, high, n_points)


# --- Rows and notes -------------------------------------------------------------------------------


def calibration_row(
    question: Question,
    part: Sample,
    risks: Risks,
    cells: dict[str, Any],
    result: Result,
) -> dict[str, Any]:
    """Return the row of a quantity of risks; of a study with weights the estimate alone."""
    cells = {**cells, **class_size_columns(part)}
    if lacks_class(part):
        return answer_row_of_result(question, cells, result, calibration_case_notes(part))
    if part.sample_weight is not None:
        result = Result(result.estimate, codes=("weights-need-bootstrap", *result.codes))
    cells["prevalence"] = risks.mean(risks.outcome).value
    # The scaled score divides by the share of positives, of which there may be few.
    notes = calibration_case_notes(part, unequal=cells["quantity"] == "scaled_brier_score")
    return answer_row_of_result(question, cells, result, notes)


def calibration_case_notes(
    part: Sample, *, curve: bool = False, unequal: bool = False
) -> list[str]:
    """Return the notes on the cases of a row; ``unequal`` as in ``are_few_cases``."""
    notes = size_codes(part.cases, unequal=unequal)
    sizes = [note for note in notes if note in ("few-cases", "few-clusters")]
    # Van Calster et al. (2016): calibration curves need 200 cases of each class, or 100 at least.
    imprecise = ["curve-imprecise"] if curve and min(part.n_pos, part.n_neg) < 100 else []
    folds = ["pooled-folds"] if part.fold is not None else []
    return [*folds, *sizes, *imprecise, *sample_notes(part)]
