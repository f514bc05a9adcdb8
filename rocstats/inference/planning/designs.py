"""Designs of planned tests of areas and of rates, their checks, and the hypotheses that they test.

Areas: one against a fixed value, two of independent groups, two of the same cases, and two of the
same cases with the variance of a pilot study. Rates: one sensitivity or specificity against a goal,
two of the same cases. A design is checked when it is made: the alternative must be true as assumed,
and a pilot must be a study of independent cases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, get_args

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange, read_range
from rocstats.errors import InputError, require_choice, require_name, require_open_interval
from rocstats.estimate.areas import areas_of_covariance
from rocstats.estimate.claim import HYPOTHESES, Hypothesis
from rocstats.estimate.influence import area_covariance
from rocstats.estimate.quantiles import ALTERNATIVES, Alternative
from rocstats.inference.planning.variances import MODELS, Binormal
from rocstats.study.sample import Sample

# --- Designs of areas -----------------------------------------------------------------------------

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
        A one-sided test has the level ``alpha``, a two-sided test ``alpha / 2`` per side.
    variance : {"binormal", "obuchowski", "hanley-mcneil"}, default "binormal"
        Variance of the area:

        - "binormal": variance of the empirical area for normal scores of equal variances (Bamber).
        - "obuchowski": delta method for the same scores; gives a larger variance for large areas.
        - "hanley-mcneil": assumes exponential scores. Use it for comparison with published tables.
    null_variance : {"mann-whitney", "model"}, optional
        Variance under the null hypothesis:

        - "mann-whitney": variance of the rank sum test; only for ``null_auc`` 1/2, where it is the
          default.
        - "model": ``variance`` evaluated at ``null_auc``.

    Raises
    ------
    InputError
        If ``auc`` contradicts the alternative, or an option or number is invalid.

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
        settle_design_options(
            self,
            alternative=ALTERNATIVES,
            variance=tuple(MODELS),
            null_variance=("mann-whitney", "model", None),
        )
        # 1/12 a case is the variance under equal distributions, which have the area 1/2.
        if self.null_variance == "mann-whitney" and self.null_auc != 0.5:
            raise InputError(
                "`null_variance` must be 'model' unless `null_auc` is 0.5 (equal distributions of"
                f" both classes); got 'mann-whitney' at {self.null_auc!r}. Leave it out."
            )
        require_assumed_side("auc", self.auc, "null_auc", self.null_auc, self.alternative)


@dataclass(frozen=True)
class TwoAUCs:
    """Design of a comparison of two areas in independent groups of cases of equal sizes.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1)
        The assumed areas.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference": "greater" tests ``auc`` > ``reference_auc``.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Hypothesis that the study tests:

        - "difference" (default): the areas differ; with a one-sided ``alternative``, ``auc`` is
          above or below ``reference_auc``.
        - "superiority": the difference exceeds ``margin``; tested at ``alpha / 2``.
        - "non-inferiority": the difference exceeds -``margin``; tested at ``alpha / 2``.
        - "equivalence": the difference is between -``margin`` and ``margin``; tested at ``alpha``
          per side.
    margin : float in (0, 1), optional
        Margin of the last three hypotheses.
    variance : {"binormal", "obuchowski", "hanley-mcneil"}, default "binormal"
        As in ``OneAUC``.
    null_variance : {"alternative", "reference"}, default "alternative"
        Variance of the difference under the null hypothesis:

        - "alternative": the sum of the variances of both assumed areas, as in the test.
        - "reference": twice the variance of the reference, as in the tables of Hanley & McNeil.

    Raises
    ------
    InputError
        If the assumed values contradict the alternative, or an option or number is invalid.

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
        settle_design_options(self, variance=tuple(MODELS))
        require_planned_comparison(self)

    @property
    def difference(self) -> float:
        """Assumed difference of the areas."""
        return self.auc - self.reference_auc


@dataclass(frozen=True)
class PairedAUCs:
    """Design of a comparison of two areas on the same cases, with correlated normal scores.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1)
        The assumed areas over the whole range, also for a comparison of partial areas.
    correlation_pos, correlation_neg : float in (-1, 1)
        Correlations of the two predictors among positives and among negatives.
    b, reference_b : float > 0, default 1
        Slopes of the binormal curves: standard deviation of negatives divided by standard deviation
        of positives. The intercepts are a = sqrt(1 + b^2) Phi^-1(auc).
    fpr_range : (float, float), optional
        Compare the partial areas over these false positive rates.
    alternative, hypothesis, margin
        As in ``TwoAUCs``; for partial areas the margin is a difference of partial areas.
    variance : {"binormal", "obuchowski"}, optional
        Variance of the areas:

        - "binormal" (default): variance of the empirical areas.
        - "obuchowski": delta method; gives a much larger variance. Required for partial areas.
    null_variance : {"alternative", "reference"}, default "alternative"
        Variance of the difference under the null hypothesis:

        - "alternative": variance under the assumed areas.
        - "reference": the variance of the reference for both predictors (Obuchowski & McClish). It
          depends on the choice of the reference.

    Raises
    ------
    InputError
        If the assumed values contradict the alternative, or an option or number is invalid.

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
        settle_design_options(self, variance=("binormal", "obuchowski", None))
        # The covariance of empirical partial areas has no closed form like Bamber's.
        if self.variance == "binormal" and not planned_range(self).full:
            raise InputError(
                "`variance` must be 'obuchowski' for a partial area, because 'binormal' has no"
                " formula for it; got 'binormal'. Leave `variance` out."
            )
        require_planned_comparison(self)

    @property
    def difference(self) -> float:
        """Assumed difference of the (partial) areas."""
        first, second = (curve.area() for curve in planned_binormal_curves(self))
        return first - second


def planned_range(design: PairedAUCs) -> AreaRange:
    """Return the range of the compared areas, (0, 1) for full areas."""
    return read_range(design.fpr_range, None) or FULL_RANGE


def planned_binormal_curves(design: TwoAUCs | PairedAUCs) -> tuple[Binormal, Binormal]:
    """Return the binormal curves of predictor and reference."""
    slopes, over = (1.0, 1.0), FULL_RANGE
    if isinstance(design, PairedAUCs):
        slopes, over = (design.b, design.reference_b), planned_range(design)
    return (
        Binormal.of_area(design.auc, slopes[0], over),
        Binormal.of_area(design.reference_auc, slopes[1], over),
    )


# --- Design with the variance of a pilot study ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class PilotAUCs:
    """Design of a comparison of two areas on the same cases, with the variance from a pilot study.

    Parameters
    ----------
    pilot : Study
        Pilot study of independent cases, without clusters, folds, groups and weights.
    predictor, reference : str, optional
        The predictors to be compared; by default the two predictors of the pilot.
    difference : float in (-1, 1), optional
        The assumed difference of the areas; by default the difference in the pilot. The difference
        in a pilot is uncertain. It is too large if the pilot was selected for a large difference.
    alternative, hypothesis, margin
        As in ``TwoAUCs``.
    null_variance : {"alternative", "reference"}, default "alternative"
        As in ``PairedAUCs``.

    Raises
    ------
    InputError
        If the assumed values contradict the alternative; if a predictor is unknown; if the pilot
        has clusters, folds, groups or weights, or a class with one case; or if both predictors have
        the same ranking of all cases of the pilot.

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
        _require_pilot(self.pilot)
        columns = pilot_predictor_positions(self)
        covariance = area_covariance(self.pilot.cases, columns)
        contrast = np.array([1.0, -1.0])
        # Without a variance every number of cases would do; "not >" refuses NaN as well.
        if not contrast @ covariance.covariance @ contrast > 0:
            raise InputError(
                "`pilot` must have predictors with different rankings of the cases; got a"
                " difference without variance. Choose other predictors."
            )
        if self.difference is None:
            first, second = areas_of_covariance(self.pilot.cases, covariance).value.tolist()
            set_design_field(self, "difference", first - second)
        require_open_interval("difference", self.difference, -1, 1)
        require_planned_comparison(self)


def pilot_predictor_positions(design: PilotAUCs) -> tuple[int, int]:
    """Return the positions of predictor and reference in the pilot."""
    names = design.pilot.predictors
    given = (design.predictor, design.reference)
    if all(name is None for name in given) and len(names) == 2:
        return 0, 1
    for argument, name in zip(("predictor", "reference"), given, strict=True):
        require_name(argument, name, names)
    if design.predictor == design.reference:
        raise InputError(
            f"`reference` must be a different predictor from {design.predictor!r}; got the same."
            f" The predictors are {list(names)}."
        )
    return names.index(str(design.predictor)), names.index(str(design.reference))


# --- Designs of rates -----------------------------------------------------------------------------

PlannedRate = Literal["tpr", "tnr"]
RateMethod = Literal["exact", "asymptotic"]
PairedRateMethod = Literal["mid-p", "exact", "asymptotic"]


@dataclass(frozen=True)
class OneRate:
    """Design of a test of a sensitivity, or a specificity, against a goal.

    Parameters
    ----------
    quantity : {"tpr", "tnr"}
        "tpr" is sensitivity and needs positives only; "tnr" is specificity and needs negatives
        only.
    rate : float in (0, 1)
        The assumed rate.
    goal : float in (0, 1), optional
        The rate under the null hypothesis. Without ``goal``, only the half width of an interval can
        be planned.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        As in ``test_performance_goals``: a one-sided test has the level ``alpha``, a two-sided test
        ``alpha / 2`` per side.
    method : {"exact", "asymptotic"}, default "exact"
        - "exact": power of the exact binomial test.
        - "asymptotic": normal formula for the score test.

    Raises
    ------
    InputError
        If ``rate`` contradicts the alternative, or an option or number is invalid.

    References
    ----------
    - Clopper & Pearson (1934), limits of the exact test [clopper-1934]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.OneRate("tpr", 0.9, goal=0.8).alternative
    'greater'
    """

    quantity: PlannedRate
    rate: float
    _: KW_ONLY
    goal: float | None = None
    alternative: Alternative = "greater"
    method: RateMethod = "exact"

    def __post_init__(self) -> None:
        settle_design_options(self, quantity=get_args(PlannedRate))
        require_open_interval("rate", self.rate, 0, 1)
        settle_design_options(self, alternative=ALTERNATIVES, method=("exact", "asymptotic"))
        # Without a goal there is no test, and a half width is all that can be planned.
        if self.goal is not None:
            require_open_interval("goal", self.goal, 0, 1)
            require_assumed_side("rate", self.rate, "goal", self.goal, self.alternative)


@dataclass(frozen=True)
class PairedRates:
    """Design of McNemar's test: two sensitivities, or specificities, on the same cases.

    Parameters
    ----------
    quantity : {"tpr", "tnr"}
        "tpr" is sensitivity and needs positives only; "tnr" is specificity and needs negatives
        only.
    only_predictor, only_reference : float in (0, 1)
        Shares of the class that only the predictor, or only the reference, classifies correctly.
        Their difference is the difference of the rates. For rates r1 and r2 with independent
        errors, the shares are r1 (1 - r2) and r2 (1 - r1). Both shares are smaller if errors occur
        in the same cases.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests whether the predictor has the higher rate.
    method : {"mid-p", "exact", "asymptotic"}, default "mid-p"
        - "mid-p": power of McNemar's mid-p test, advised by Fagerland, Lydersen & Laake.
        - "exact": power of the conditional exact test, which is conservative.
        - "asymptotic": normal formula for McNemar's chi-square.

    Raises
    ------
    InputError
        If the shares contradict the alternative, or an option or number is invalid.

    References
    ----------
    - McNemar (1947) [mcnemar-1947]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.PairedRates("tpr", only_predictor=0.15, only_reference=0.05).method
    'mid-p'
    """

    quantity: PlannedRate
    _: KW_ONLY
    only_predictor: float
    only_reference: float
    alternative: Alternative = "two-sided"
    method: PairedRateMethod = "mid-p"

    def __post_init__(self) -> None:
        settle_design_options(self, quantity=get_args(PlannedRate))
        for name in ("only_predictor", "only_reference"):
            require_open_interval(name, getattr(self, name), 0, 1)
        # They are cells of one table of the class; the other two cells hold the rest.
        if self.only_predictor + self.only_reference > 1:
            raise InputError(
                "`only_predictor` and `only_reference` must sum to at most 1; got"
                f" {self.only_predictor!r} and {self.only_reference!r}. They are shares of a"
                " class."
            )
        settle_design_options(
            self, alternative=ALTERNATIVES, method=("mid-p", "exact", "asymptotic")
        )
        require_assumed_side(
            "only_predictor",
            self.only_predictor,
            "only_reference",
            self.only_reference,
            self.alternative,
        )


# --- Checks of a design ---------------------------------------------------------------------------


def settle_design_options(design: Any, **allowed: Collection[str | None]) -> None:
    """Set each field of a frozen design to the option that it spells, or raise InputError."""
    for name, words in allowed.items():
        set_design_field(design, name, require_choice(name, getattr(design, name), words))


def set_design_field(design: Any, name: str, value: Any) -> None:
    """Set a field of a frozen design, in ``__post_init__`` alone."""
    object.__setattr__(design, name, value)


# Where the truth must lie for a test to have power; elsewhere more cases never raise it.
_ON_SIDE: dict[Alternative, tuple[str, Callable[[float], bool]]] = {
    "two-sided": ("different from", lambda distance: distance != 0),
    "greater": ("above", lambda distance: distance > 0),
    "less": ("below", lambda distance: distance < 0),
}


def require_assumed_side(
    argument: str, value: float, other: str, null: float, side: Alternative
) -> None:
    """Raise InputError unless the assumed value is under the alternative hypothesis."""
    where, holds = _ON_SIDE[side]
    if not holds(value - null):
        raise InputError(
            f"`{argument}` must be {where} `{other}` for the alternative {side!r}; got {value!r}"
            f" and {null!r}. Change one of them: the value contradicts the alternative, so no"
            f" sample size gives power."
        )


def require_planned_comparison(design: Any) -> None:
    """Raise InputError unless a comparison has a hypothesis that is true as assumed."""
    settle_design_options(design, alternative=ALTERNATIVES, hypothesis=HYPOTHESES)
    if hasattr(design, "null_variance"):
        settle_design_options(design, null_variance=("alternative", "reference"))
    if design.hypothesis != "difference":
        _require_margin(design)
        return
    if design.margin is not None:
        raise InputError(
            f"`margin` must stay None for the hypothesis 'difference'; got {design.margin!r}."
            " Pass a hypothesis with a margin."
        )
    difference, side = design.difference, design.alternative
    if not _ON_SIDE[side][1](difference):
        raise InputError(
            f"`difference` of the predictor from the reference must be {_ON_SIDE[side][0]} 0 for"
            f" the alternative {side!r}; got {difference:g}. Change the areas: the difference"
            f" contradicts the alternative, so no sample size gives power."
        )


def _require_margin(design: Any) -> None:
    difference, margin, hypothesis = design.difference, design.margin, design.hypothesis
    if margin is None:
        raise InputError(
            f"`margin` must be given for the hypothesis {hypothesis!r}; got None. Pass the"
            " largest difference of areas that does not matter."
        )
    # No margin of 0: superiority by 0 is the one-sided "difference".
    require_open_interval("margin", margin, 0, 1)
    # A design of readers has no null variance: its t test estimates the variance.
    defaults = {"alternative": "two-sided", "null_variance": "alternative"}
    values = {name: getattr(design, name) for name in defaults if hasattr(design, name)}
    if any(value != defaults[name] for name, value in values.items()):
        raise InputError(
            f"{' and '.join(f'`{name}`' for name in values)} must be left out for {hypothesis!r},"
            f" whose margin determines both; got {' and '.join(map(repr, values.values()))}."
            f" Leave them"
            " out."
        )
    if not min(planned_distances_from_null(design)) > 0:
        raise InputError(
            f"`margin` must agree with the assumed difference and {hypothesis}; got a difference"
            f" of {difference:g} and the margin {margin!r}. The difference contradicts the claim,"
            " so no sample size gives power."
        )


def _require_pilot(pilot: Any) -> None:
    """Raise InputError unless a study can serve as a pilot of independent cases."""
    if not isinstance(pilot, Sample):
        raise InputError(
            f"`pilot` must be a Study; got {type(pilot).__name__}. Describe the pilot with Study."
        )
    # Planned numbers are of independent cases: a pilot's variance must be one of cases as well.
    for role in ("cluster", "fold", "group", "sample_weight", "covariate"):
        if getattr(pilot, role) is not None:
            raise InputError(
                f"`pilot` must have no {role}, which DeLong's variance per case does not support;"
                f" got a study with {role}=. Pass a pilot without it."
            )
    # DeLong's variance has the divisors n_pos - 1 and n_neg - 1.
    if min(pilot.n_pos, pilot.n_neg) < 2:
        raise InputError(
            "`pilot` must have two cases of each class; got"
            f" {pilot.n_pos:g} positives and {pilot.n_neg:g} negatives. Plan without a pilot."
        )


# --- What a comparison of areas tests -------------------------------------------------------------


def is_alpha_halved(design: Any) -> bool:
    """Return whether each one-sided test of a comparison is at half of alpha."""
    # Two one-sided tests at alpha each make up an equivalence test at alpha.
    return bool(design.hypothesis != "equivalence" and design.alternative == "two-sided")


def planned_distances_from_null(design: Any) -> tuple[float, ...]:
    """Return the distances of the assumed difference from the null value of each test.

    One-sided at a margin, as the tests of ``compare_auc``: larger differences are better.
    """
    difference, margin = float(design.difference or 0.0), design.margin or 0.0
    return {
        "difference": (abs(difference),),
        "superiority": (difference - margin,),
        "non-inferiority": (difference + margin,),
        "equivalence": (margin - difference, margin + difference),
    }[design.hypothesis]


def comparison_columns(design: Any) -> dict[str, Any]:
    """Return the columns on the assumptions and the test of a comparison."""
    plain = design.hypothesis == "difference"
    return {
        "assumed": design.difference,
        "null_value": 0.0,
        "margin": np.nan if design.margin is None else design.margin,
        "hypothesis": design.alternative if plain else design.hypothesis,
    }
