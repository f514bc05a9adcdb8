"""What a planned comparison of areas assumes and tests: one small description a design."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, read_range
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.inference.planning.design_checks import (
    require_comparison,
    require_pilot,
    require_side,
)
from rocstats.sample.sample import Sample
from rocstats.stats.areas.delong import areas_of
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.influence.areas import area_covariance
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative
from rocstats.stats.planning.variance import MODELS, Binormal

AreaModel = Literal["binormal", "obuchowski", "hanley-mcneil"]
PairedModel = Literal["binormal", "obuchowski"]
OneNullVariance = Literal["mann-whitney", "model"]
NullVariance = Literal["alternative", "reference"]


@dataclass(frozen=True)
class OneAUC:
    """One predictor: its area against a fixed value.

    Parameters
    ----------
    auc : float in (0, 1)
        The area that is assumed true.
    null_auc : float in (0, 1), default 0.5
        The area under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is tested; a one-sided test is at level ``alpha``, a two-sided one at ``alpha / 2`` a
        side.
    variance : {"binormal", "obuchowski", "hanley-mcneil"}, default "binormal"
        Variance of the area: of the empirical area of two normal laws of equal spread; the formula
        of Obuchowski & McClish for them, larger where the area is large; of exponential laws.
    null_variance : {"mann-whitney", "model"}, optional
        Variance under the null hypothesis: that of the Mann-Whitney test, the default if
        ``null_auc`` is 1/2 and possible only there, or that of ``variance`` at ``null_auc``.

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
        require_choice("alternative", self.alternative, ALTERNATIVES)
        require_choice("variance", self.variance, tuple(MODELS))
        require_choice("null_variance", self.null_variance, ("mann-whitney", "model", None))
        if self.null_variance == "mann-whitney" and self.null_auc != 0.5:
            raise InputError(
                "`null_variance` must be 'model' unless `null_auc` is 0.5, where alone both classes"
                f" have one law; got 'mann-whitney' at {self.null_auc!r}. Leave it out."
            )
        require_side("auc", self.auc, "null_auc", self.null_auc, self.alternative)


@dataclass(frozen=True)
class TwoAUCs:
    """Two predictors, or one in two places, on independent groups of cases of the same sizes.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1)
        The areas that are assumed true.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Of the hypothesis "difference": "greater" tests whether ``auc`` is the larger one.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        What is to be shown, by default "difference". Superiority (by the margin) and
        non-inferiority are tested at ``alpha / 2``, equivalence at ``alpha`` a side.
    margin : float in (0, 1), optional
        Margin of the other three hypotheses.
    variance : {"binormal", "obuchowski", "hanley-mcneil"}, default "binormal"
        As in ``OneAUC``.
    null_variance : {"alternative", "reference"}, default "alternative"
        Variance of the difference under the null hypothesis: V1 + V2 as assumed, which the test
        estimates; or twice that of the reference, as in the tables of Hanley & McNeil.

    Raises
    ------
    InputError
        If what is to be shown is not true as assumed, or a word or number is not possible.

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
        require_choice("variance", self.variance, tuple(MODELS))
        require_comparison(self)

    @property
    def difference(self) -> float:
        """The difference of the areas that is assumed true."""
        return self.auc - self.reference_auc


@dataclass(frozen=True)
class PairedAUCs:
    """Two predictors on the same cases, normal scores correlated in each class.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1)
        The full areas that are assumed true, also where partial ones are compared.
    correlation_pos, correlation_neg : float in (-1, 1)
        Correlations of the two predictors among positives and among negatives.
    b, reference_b : float > 0, default 1
        Slopes of the binormal curves: spread of the negatives over that of the positives. The
        intercepts follow, a = sqrt(1 + b^2) Phi^-1(auc).
    fpr_range : (float, float), optional
        Compare the partial areas over these false positive rates.
    alternative, hypothesis, margin
        As in ``TwoAUCs``; a margin is one of the areas compared, partial ones included.
    variance : {"binormal", "obuchowski"}, optional
        Variance of the empirical areas, the default; or the delta method of Obuchowski & McClish,
        which is much larger, and the only one for partial areas.
    null_variance : {"alternative", "reference"}, default "alternative"
        Variance of the difference under the null hypothesis: as assumed; or with the reference's
        variance twice (Obuchowski & McClish), which depends on which of the two is the reference.

    Raises
    ------
    InputError
        If what is to be shown is not true as assumed, or a word or number is not possible.

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
        require_choice("variance", self.variance, ("binormal", "obuchowski", None))
        if self.variance == "binormal" and not range_of(self).full:
            raise InputError(
                "`variance` must be 'obuchowski' for a partial area, for which the other is not"
                " known; got 'binormal'. Leave `variance` out."
            )
        require_comparison(self)

    @property
    def difference(self) -> float:
        """The difference of the (partial) areas that is assumed true."""
        first, second = (curve.area() for curve in curves_of(self))
        return first - second


@dataclass(frozen=True, eq=False)
class PilotAUCs:
    """Two predictors on the same cases, the variance taken from a pilot study by DeLong's method.

    Parameters
    ----------
    pilot : Study
        The pilot: independent cases, without clusters, folds, groups and weights.
    predictor, reference : str, optional
        The predictors to be compared; default, if the pilot has two: the first and the second.
    difference : float in (-1, 1), optional
        The difference of the areas that is assumed true; by default the one seen in the pilot,
        which is uncertain, and too large where the pilot was chosen for it.
    alternative, hypothesis, margin
        As in ``TwoAUCs``.
    null_variance : {"alternative", "reference"}, default "alternative"
        As in ``PairedAUCs``.

    Raises
    ------
    InputError
        If what is to be shown is not true as assumed, a predictor is not known, the pilot has
        roles that DeLong's variance does not honour or a class of one, or the predictors rank
        all its cases alike.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> pilot = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> round(rs.PilotAUCs(pilot).difference, 3)
    0.162
    """

    pilot: Sample
    _: KW_ONLY
    predictor: str | None = None
    reference: str | None = None
    difference: float | None = None
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "difference"
    margin: float | None = None
    null_variance: NullVariance = "alternative"

    def __post_init__(self) -> None:
        require_pilot(self.pilot)
        columns = columns_of(self)
        covariance = area_covariance(self.pilot.cases, columns)
        contrast = np.array([1.0, -1.0])
        if not contrast @ covariance.covariance @ contrast > 0:
            raise InputError(
                "`pilot` must have predictors whose areas differ by chance, too; got a variance of"
                " 0. Take predictors that rank the cases differently."
            )
        if self.difference is None:
            first, second = (area.value for area in areas_of(self.pilot.cases, covariance))
            object.__setattr__(self, "difference", first - second)
        require_open_interval("difference", self.difference, -1, 1)
        require_comparison(self)


def range_of(design: PairedAUCs) -> AreaRange:
    """Return the range of the areas that are compared."""
    return read_range(design.fpr_range, None) or FULL_RANGE


def curves_of(design: PairedAUCs) -> tuple[Binormal, Binormal]:
    """Return the curves of predictor and reference."""
    over = range_of(design)
    return (
        Binormal.of_area(design.auc, design.b, over),
        Binormal.of_area(design.reference_auc, design.reference_b, over),
    )


def columns_of(design: PilotAUCs) -> tuple[int, int]:
    """Return the positions of predictor and reference in the pilot."""
    names = design.pilot.predictors
    asked = (design.predictor, design.reference)
    if asked == (None, None) and len(names) == 2:
        return 0, 1
    for argument, name in zip(("predictor", "reference"), asked, strict=True):
        require_choice(argument, name, names)
    if design.predictor == design.reference:
        raise InputError(
            f"`reference` must be another predictor than {design.predictor!r}; got the same."
            f" The predictors are {list(names)}."
        )
    return names.index(str(design.predictor)), names.index(str(design.reference))
