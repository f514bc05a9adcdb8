"""Designs of planned tests of areas: one area, two independent areas, two paired areas."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, read_range
from rocstats.errors import InputError, require_open_interval
from rocstats.inference.planning.design_checks import require_comparison, require_side, settle_words
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative
from rocstats.stats.planning.variance import MODELS, Binormal

AreaModel = Literal["binormal", "obuchowski", "hanley-mcneil"]
PairedModel = Literal["binormal", "obuchowski"]
OneNullVariance = Literal["mann-whitney", "model"]
NullVariance = Literal["alternative", "reference"]


@dataclass(frozen=True)
class OneAUC:
    """Design of a test of one area against a fixed value.

    Parameters
    ----------
    auc : float in (0, 1)
        The assumed area.
    null_auc : float in (0, 1), default 0.5
        The area under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        A one-sided test is at the level ``alpha``, a two-sided one at ``alpha / 2`` a side.
    variance : {"binormal", "obuchowski", "hanley-mcneil"}, default "binormal"
        Variance of the area:

        - "binormal": of the empirical area, scores normal with equal variances (Bamber).
        - "obuchowski": delta method for the same scores, larger where the area is large.
        - "hanley-mcneil": exponential scores, for comparison with published tables.
    null_variance : {"mann-whitney", "model"}, optional
        Variance under the null hypothesis:

        - "mann-whitney": of the rank sum test; only for, and default at, ``null_auc`` 1/2.
        - "model": that of ``variance`` at ``null_auc``.

    Raises
    ------
    InputError
        If ``auc`` is not where the alternative says, or a word or number is not possible.

    References
    ----------
    - Bamber (1975) [bamber-1975]
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]
    - Hanley & McNeil (1982) [hanley-mcneil-1982]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.OneAUC(0.8, null_auc=0.7, alternative="greater").variance
    'binormal'
    """

    auc: float
    _: KW_ONLY
    null_auc: float = 0.5
    alternative: Alternative = "two-sided"
    variance: AreaModel = "binormal"
    null_variance: OneNullVariance | None = None

    def __post_init__(self) -> None:
        require_open_interval("auc", self.auc, 0, 1)
        require_open_interval("null_auc", self.null_auc, 0, 1)
        settle_words(
            self,
            alternative=ALTERNATIVES,
            variance=tuple(MODELS),
            null_variance=("mann-whitney", "model", None),
        )
        # 1/12 a case is the variance under equal distributions, which have the area 1/2.
        if self.null_variance == "mann-whitney" and self.null_auc != 0.5:
            raise InputError(
                "`null_variance` must be 'model' unless `null_auc` is 0.5, where alone both classes"
                f" have one distribution; got 'mann-whitney' at {self.null_auc!r}. Leave it out."
            )
        require_side("auc", self.auc, "null_auc", self.null_auc, self.alternative)


@dataclass(frozen=True)
class TwoAUCs:
    """Design of a comparison of two areas on independent groups of cases of the same sizes.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1)
        The assumed areas.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference": "greater" tests ``auc`` > ``reference_auc``.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Hypothesis that the study is to show:

        - "difference" (default): the areas differ, by ``alternative``.
        - "superiority": the difference exceeds ``margin``; tested at ``alpha / 2``.
        - "non-inferiority": the difference exceeds -``margin``; tested at ``alpha / 2``.
        - "equivalence": the difference lies between; tested at ``alpha`` a side.
    margin : float in (0, 1), optional
        Margin of the last three hypotheses.
    variance : {"binormal", "obuchowski", "hanley-mcneil"}, default "binormal"
        As in ``OneAUC``.
    null_variance : {"alternative", "reference"}, default "alternative"
        Variance of the difference under the null hypothesis:

        - "alternative": V1 + V2 as assumed, which the test estimates.
        - "reference": twice that of the reference, as in the tables of Hanley & McNeil.

    Raises
    ------
    InputError
        If the alternative is not true as assumed, or a word or number is not possible.

    References
    ----------
    - Hanley & McNeil (1982) [hanley-mcneil-1982]
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.TwoAUCs(0.75, 0.75, hypothesis="non-inferiority", margin=0.05).margin
    0.05
    """

    auc: float
    reference_auc: float
    _: KW_ONLY
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "difference"
    margin: float | None = None
    variance: AreaModel = "binormal"
    null_variance: NullVariance = "alternative"

    def __post_init__(self) -> None:
        require_open_interval("auc", self.auc, 0, 1)
        require_open_interval("reference_auc", self.reference_auc, 0, 1)
        settle_words(self, variance=tuple(MODELS))
        require_comparison(self)

    @property
    def difference(self) -> float:
        """Assumed difference of the areas."""
        return self.auc - self.reference_auc


@dataclass(frozen=True)
class PairedAUCs:
    """Design of a comparison of two areas on the same cases, scores normal and correlated.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1)
        The assumed full areas, also where partial areas are compared.
    correlation_pos, correlation_neg : float in (-1, 1)
        Correlations of the two predictors among positives and among negatives.
    b, reference_b : float > 0, default 1
        Slopes of the binormal curves: standard deviation of negatives over that of positives. The
        intercepts follow, a = sqrt(1 + b^2) Phi^-1(auc).
    fpr_range : (float, float), optional
        Compare the partial areas over these false positive rates.
    alternative, hypothesis, margin
        As in ``TwoAUCs``; for partial areas the margin is a difference of partial areas.
    variance : {"binormal", "obuchowski"}, optional
        Variance of the areas:

        - "binormal" (default): of the empirical areas.
        - "obuchowski": delta method, much larger; the only one for partial areas.
    null_variance : {"alternative", "reference"}, default "alternative"
        Variance of the difference under the null hypothesis:

        - "alternative": as assumed.
        - "reference": with the reference's variance twice (Obuchowski & McClish), which depends on
          which of the two predictors is the reference.

    Raises
    ------
    InputError
        If the alternative is not true as assumed, or a word or number is not possible.

    References
    ----------
    - Bamber (1975) [bamber-1975]
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> planned = rs.PairedAUCs(0.85, 0.8, correlation_pos=0.5, correlation_neg=0.5)
    >>> round(planned.difference, 3)
    0.05
    """

    auc: float
    reference_auc: float
    _: KW_ONLY
    correlation_pos: float
    correlation_neg: float
    b: float = 1.0
    reference_b: float = 1.0
    fpr_range: tuple[float, float] | None = None
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "difference"
    margin: float | None = None
    variance: PairedModel | None = None
    null_variance: NullVariance = "alternative"

    def __post_init__(self) -> None:
        for name in ("auc", "reference_auc"):
            require_open_interval(name, getattr(self, name), 0, 1)
        for name in ("correlation_pos", "correlation_neg"):
            require_open_interval(name, getattr(self, name), -1, 1)
        for name in ("b", "reference_b"):
            require_open_interval(name, getattr(self, name), 0, np.inf)
        settle_words(self, variance=("binormal", "obuchowski", None))
        # The covariance of empirical partial areas has no closed form like Bamber's.
        if self.variance == "binormal" and not range_of(self).full:
            raise InputError(
                "`variance` must be 'obuchowski' for a partial area, for which the other is not"
                " known; got 'binormal'. Leave `variance` out."
            )
        require_comparison(self)

    @property
    def difference(self) -> float:
        """Assumed difference of the (partial) areas."""
        first, second = (curve.area() for curve in curves_of(self))
        return first - second


def range_of(design: PairedAUCs) -> AreaRange:
    """Return the range of the compared areas, (0, 1) for full areas."""
    return read_range(design.fpr_range, None) or FULL_RANGE


def curves_of(design: TwoAUCs | PairedAUCs) -> tuple[Binormal, Binormal]:
    """Return the binormal curves of predictor and reference."""
    slopes, over = (1.0, 1.0), FULL_RANGE
    if isinstance(design, PairedAUCs):
        slopes, over = (design.b, design.reference_b), range_of(design)
    return (
        Binormal.of_area(design.auc, slopes[0], over),
        Binormal.of_area(design.reference_auc, slopes[1], over),
    )
