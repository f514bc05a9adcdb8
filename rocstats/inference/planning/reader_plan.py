"""The plan of a reader study: its design, numbers of readers and cases, the t test, its power.

The variances are those of a pilot study (Obuchowski and Rockette's components, from its frame or
from numbers [hillis-2011]), or exact under the model of Roe and Metz (``reader_model``). The power
of a t test with an estimated variance is an average over the chi-square distribution of that
variance. docs/methods/planning.md, "A reader study", derives the formulas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import product
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval, require_whole
from rocstats.estimate.claim import Hypothesis
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.readers import Effect, ustatistic_df
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import FEW_CASES
from rocstats.inference.planning.designs import (
    comparison_columns,
    is_alpha_halved,
    planned_distances_from_null,
    require_planned_comparison,
    set_design_field,
    settle_design_options,
)
from rocstats.inference.planning.reader_model import (
    PairPatterns,
    Variances,
    average_patterns,
    read_roe_metz_model,
    require_reads_in_all_parts,
)
from rocstats.inference.planning.simulated_studies import Nested, ReadingPlan, RoeMetz, Structure
from rocstats.study.points import is_whole, number_array

# --- Design ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ReaderDesign:
    """Design of a reader study that compares the average areas of two modalities.

    The variances come from a pilot study (``components``) or from the model of Roe & Metz
    (``structure`` or ``variances``). Prefer a pilot with similar readers and cases.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1), optional
        The assumed average areas over readers. Only for variances of the model.
    difference : float in (-1, 1), optional
        The assumed difference of the average areas. Only for variances of a pilot. Use the smallest
        relevant difference, not the difference in the pilot.
    components : pandas.DataFrame or mapping of str to float, optional
        Obuchowski and Rockette's components: the frame of ``ReaderStudy.components()``, or numbers
        for "modality-x-reader", "error" and "cov-1" to "cov-3". Correlations, "correlation-1" to
        "correlation-3", may replace the covariances.
    pilot_n_pos, pilot_n_neg : int >= 1, optional
        Numbers of cases of the pilot study.
    structure : {"HL", "LL", "HH", "LH"}, optional
        Variances of Roe & Metz, as in ``simulate_readers``. The first letter says whether the
        correlation of the ratings of a case is high (H) or low (L). The second letter says the same
        for the variability of readers.
    variances : mapping of str to float or sequence, optional
        Variances of the model of Roe & Metz, as in ``simulate_readers``.
    readers : {"random", "fixed"}, default "random"
        Population to which the result generalises:

        - "random": the population of readers from which the readers of the study come.
        - "fixed": only the readers of the study; fewer readers are needed.
    nested : {None, "readers", "cases"}, optional
        Whether each modality has different readers, or different cases. Only for variances of the
        model.
    alternative, hypothesis, margin
        As in ``TwoAUCs``. For a "two-sided" test, only rejections on the side of the true
        difference count.

    Raises
    ------
    InputError
        If not exactly one complete source of variances is passed; if the assumed values contradict
        the alternative; or if an option or number is invalid.

    See Also
    --------
    simulate_readers : ratings of such a study.

    References
    ----------
    - Hillis, Obuchowski & Berbaum (2011) [hillis-2011]
    - Roe & Metz (1997) [roe-1997]
    - Gallas & Hillis (2014) [gallas-2014]

    Examples
    --------
    >>> import rocstats as rs
    >>> design = rs.ReaderDesign(0.85, 0.8, structure="LH")
    >>> rs.power(design, n_readers=[5, 10], n_pos=50, n_neg=50)[["n_readers", "power"]].round(3)
       n_readers  power
    0          5  0.203
    1         10  0.374
    """

    auc: float | None = None
    reference_auc: float | None = None
    _: KW_ONLY
    difference: float | None = None
    components: Any = None
    pilot_n_pos: int | None = None
    pilot_n_neg: int | None = None
    structure: Structure | None = None
    variances: Variances | None = None
    readers: Effect = "random"
    nested: Nested | None = None
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "difference"
    margin: float | None = None

    def __post_init__(self) -> None:
        settle_design_options(self, readers=("random", "fixed"), nested=("readers", "cases", None))
        self._require_source()
        if self.components is not None:
            set_design_field(self, "components", _read_components(self.components))
            advice = "Pass the number of cases of the pilot."
            for name in ("pilot_n_pos", "pilot_n_neg"):
                require_whole(name, getattr(self, name), 1, advice)
        else:
            for name in ("auc", "reference_auc"):
                require_open_interval(name, getattr(self, name), 0, 1)
            reader_model_of(self)  # raises InputError for variances that are not possible
            set_design_field(
                self, "difference", float(self.auc or 0) - float(self.reference_auc or 0)
            )
        require_open_interval("difference", self.difference, -1, 1)
        require_planned_comparison(self)

    def _require_source(self) -> None:
        """Raise InputError unless either a pilot or a model is described."""
        source, unused = "the model", ["difference", "pilot_n_pos", "pilot_n_neg"]
        if self.components is not None:
            source, unused = "a pilot", ["auc", "reference_auc", "structure", "variances", "nested"]
        for name in unused:
            if getattr(self, name) is not None:
                raise InputError(
                    f"`{name}` must be left out of a design whose variances come from {source}; got"
                    f" {getattr(self, name)!r}. Take the variances from `components` only, or from"
                    " `structure` or `variances` only."
                )


def reader_model_of(design: ReaderDesign) -> RoeMetz:
    """Return the model of the ratings of a design that has one."""
    areas = np.array([design.auc, design.reference_auc], dtype=np.float64)
    return read_roe_metz_model(areas, None, design.structure, design.variances, 2)


# --- Components of a pilot study, from its frame or from numbers ----------------------------------


class PilotComponents(NamedTuple):
    """Variances of Obuchowski and Rockette's model with a number of cases.

    ``modality_reader`` is that of readers by modalities; ``error`` is the variance of an area from
    the sample of cases, ``cov1`` to ``cov3`` its covariances.
    """

    modality_reader: float
    error: float
    cov1: float
    cov2: float
    cov3: float

    def with_cases(self, scale: float) -> PilotComponents:
        """Return the components with the variances of case sampling times ``scale``."""
        return PilotComponents(self.modality_reader, *(scale * value for value in self[1:]))


_COMPONENT_NAMES = ("modality-x-reader", "error", "cov-1", "cov-2", "cov-3")


def _read_components(given: Any) -> PilotComponents:
    """Return the components; raise InputError unless all are there, and possible."""
    named = _pilot_components_of_frame(given) if isinstance(given, pd.DataFrame) else given
    if not isinstance(named, Mapping):
        raise InputError(
            "`components` must be a frame of ReaderStudy.components() or a mapping; got"
            f" {type(given).__name__}. Pass for instance components=pilot.components()."
        )
    values = dict(named)
    for k in "123":
        if f"cov-{k}" not in values and f"correlation-{k}" in values:
            correlation = _pilot_component(values, f"correlation-{k}")
            values[f"cov-{k}"] = correlation * _pilot_component(values, "error")
    components = PilotComponents(*(_pilot_component(values, name) for name in _COMPONENT_NAMES))
    if components.error <= 0:
        raise InputError(
            "`components` must have a variance above 0 as 'error'; got"
            f" {components.error:g}. Take a pilot with more cases."
        )
    # What the difference of one reader varies by: without it no number of cases would be too few.
    if components.error <= components.cov1:
        raise InputError(
            "`components` must have an 'error' above 'cov-1'; got"
            f" {components.error:g} and {components.cov1:g}. Check the numbers."
        )
    return components


def _pilot_components_of_frame(frame: pd.DataFrame) -> dict[str, float]:
    """Return the components of Obuchowski and Rockette's model by name."""
    missing = {"model", "component", "estimate"} - set(frame.columns)
    if missing:
        raise InputError(
            "`components` must be a frame of ReaderStudy.components(); got one without"
            f" {', '.join(sorted(missing))}. Pass for instance components=pilot.components()."
        )
    rows = frame[frame["model"] == "obuchowski-rockette"]
    if rows["component"].duplicated().any():
        raise InputError(
            "`components` must have each component once; got a frame of several groups. Take the"
            " rows of one group."
        )
    return dict(zip(rows["component"], rows["estimate"].tolist(), strict=True))


def _pilot_component(values: Mapping[str, Any], name: str) -> float:
    number = number_array(values.get(name))
    if number.shape != (1,) or not np.isfinite(number[0]):
        got = repr(values[name]) if name in values else f"only {', '.join(map(str, values))}"
        raise InputError(
            f"`components` must have a finite number as {name!r}; got {got}. In a pilot, two or"
            " more readers must read every case under two modalities."
        )
    return float(number[0])


# --- Options: numbers of readers and of groups ----------------------------------------------------


def read_planned_readers(design: object, n_readers: Any, n_groups: Any) -> list[tuple[int, int]]:
    """Return numbers of readers with numbers of groups, each with each; none without readers."""
    if not isinstance(design, ReaderDesign):
        for name, given in (("n_readers", n_readers), ("n_groups", n_groups)):
            if given is not None:
                raise InputError(
                    f"`{name}` must be left out of a design without readers; got {given!r}."
                    f" Describe"
                    " a reader study with ReaderDesign."
                )
        return []
    readers = _read_reader_or_group_numbers("n_readers", n_readers, "readers")
    groups = _read_reader_or_group_numbers(
        "n_groups", 1 if n_groups is None else n_groups, "groups of readers"
    )
    pairs = list(product(readers, groups))
    for r, g in pairs:
        least = _least_readers(design, g)
        if r < least:
            raise InputError(
                f"`n_readers` must be at least {least} with n_groups={g} and"
                f" {design.readers} readers; got {r}. Take more readers, or fewer groups."
            )
    return pairs


def _least_readers(design: ReaderDesign, n_groups: int) -> int:
    """Return the fewest readers, who need a variance between them unless they are fixed."""
    of_each = 2 if design.nested == "readers" else 1
    if design.readers == "fixed":
        return n_groups * of_each
    # The analysis of variance compares readers within groups, U-statistics all readers.
    return n_groups + 1 if design.components is not None else max(n_groups, 2) * of_each


def _read_reader_or_group_numbers(name: str, given: Any, what: str) -> list[int]:
    values = [] if given is None else np.atleast_1d(np.asarray(given, dtype=object)).tolist()
    if not values or not all(is_whole(value, 1) for value in values):
        raise InputError(
            f"`{name}` must be whole numbers >= 1; got {given!r}. Pass numbers of {what}."
        )
    return [int(value) for value in values]


# --- Rows -----------------------------------------------------------------------------------------


def reader_power_rows(
    design: ReaderDesign,
    readers: Sequence[tuple[int, int]],
    cases: Sequence[tuple[int, int]],
    alpha: float,
) -> list[dict[str, Any]]:
    """Return a row for each number of readers, of groups and of cases."""
    return [
        _power_row(design, _reading_plan(design, *of_readers, *of_cases), alpha)
        for of_readers, of_cases in product(readers, cases)
    ]


def reader_sample_size_rows(
    design: ReaderDesign,
    goals: Sequence[tuple[str, float]],
    readers: Sequence[tuple[int, int]],
    ratio: float,
    alpha: float,
) -> list[dict[str, Any]]:
    """Return a row of the fewest cases for each goal and number of readers; NaN if none do."""
    rows = []
    for (name, value), of_readers in product(goals, readers):
        plan = _reading_plan_with_fewest_cases(design, (name, value), of_readers, ratio, alpha)
        if plan is None:
            row = {
                **_test_columns(design, _reading_plan(design, *of_readers, 2, 2)),
                **dict.fromkeys(("n_pos", "n_neg", "n_cases", "power", "half_width"), np.nan),
                "note": ["more-readers-needed"],
            }
        else:
            row = _power_row(design, plan, alpha)
        unrounded = {"n_pos_unrounded": row["n_pos"], "n_neg_unrounded": row["n_neg"]}
        rows.append({**row, f"{name}_wanted": value, **unrounded})
    return rows


def _reading_plan(
    design: ReaderDesign, n_readers: int, n_groups: int, n_pos: int, n_neg: int
) -> ReadingPlan:
    return ReadingPlan(n_readers, n_pos, n_neg, n_groups, design.nested)


def _power_row(design: ReaderDesign, plan: ReadingPlan, alpha: float) -> dict[str, Any]:
    """Return the row of the power with numbers of readers and cases."""
    require_reads_in_all_parts(plan, 2)
    test = planned_reader_test(design, plan)
    return {
        **_test_columns(design, plan),
        "n_pos": plan.n_pos,
        "n_neg": plan.n_neg,
        "n_cases": plan.n_pos + plan.n_neg,
        "power": _planned_power(design, test, alpha),
        "half_width": test.half_width(alpha),
        "note": ["few-planned-cases"] if min(plan.n_pos, plan.n_neg) < FEW_CASES else [],
    }


def _test_columns(design: ReaderDesign, plan: ReadingPlan) -> dict[str, Any]:
    """Return the columns of readers, of the planned test, and of where its variances come from."""
    if design.components is not None:
        method = "obuchowski-rockette/pilot"
    else:
        crossed = plan.n_groups == 1 and design.nested is None
        method = f"{'obuchowski-rockette' if crossed else 'u-statistic'}/roe-metz"
    return {
        "quantity": "auc",
        "n_readers": plan.n_readers,
        "n_groups": plan.n_groups,
        **comparison_columns(design),
        "method": method,
    }


def _planned_power(design: ReaderDesign, test: PlannedReaderTest, alpha: float) -> float:
    return test.power(
        planned_distances_from_null(design), alpha / 2 if is_alpha_halved(design) else alpha
    )


# Cases of a class beyond which no study goes: if so many do not do, readers are too few.
_MOST_PLANNED = 10**7


def _reading_plan_with_fewest_cases(
    design: ReaderDesign,
    goal: tuple[str, float],
    readers: tuple[int, int],
    ratio: float,
    alpha: float,
) -> ReadingPlan | None:
    """Return the plan with the least numbers of cases that reach a goal; None if none do."""
    # Numbers are multiples of the parts of a study, which are of equal size.
    step = readers[1] * (2 if design.nested == "cases" else 1)

    def plan(k: int) -> ReadingPlan:
        return _reading_plan(design, *readers, step * k, step * max(ceil(ratio * k - 1e-9), 1))

    def reached(k: int) -> bool:
        test = planned_reader_test(design, plan(k))
        if goal[0] == "half_width":
            return test.half_width(alpha) <= goal[1]
        return _planned_power(design, test, alpha) >= goal[1]

    # At least two cases of each class and part, as for every other plan.
    low, high = 1, 2
    while not reached(high):
        low, high = high, 2 * high
        if step * high * max(ratio, 1.0) > _MOST_PLANNED:
            return None
    if high == 2:
        return plan(2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return plan(high)


# --- Planned test: variance and degrees of freedom ------------------------------------------------


def planned_reader_test(design: ReaderDesign, plan: ReadingPlan) -> PlannedReaderTest:
    """Return the planned test with numbers of readers and cases."""
    if design.components is None:
        return model_reader_test(reader_model_of(design), plan, design.readers)
    # docs/methods/planning.md: c*/c where the share of positives stays; else as if a positive and a
    # negative had the same variance.
    pilot = 1 / float(design.pilot_n_pos or 0) + 1 / float(design.pilot_n_neg or 0)
    components: PilotComponents = design.components
    scaled = components.with_cases((1 / plan.n_pos + 1 / plan.n_neg) / pilot)
    return pilot_reader_test(scaled, plan.n_readers, plan.n_groups, design.readers)


def pilot_reader_test(
    components: PilotComponents, n_readers: int, n_groups: int, readers: Effect
) -> PlannedReaderTest:
    """Return the test of Obuchowski and Rockette with the components of the planned cases.

    With ``n_groups`` > 1 each group of readers reads its own part of the cases, so that readers of
    different groups share none.
    """
    # A group has 1/g of the cases, and g times the variance of case sampling.
    tau, s2, cov1, cov2, cov3 = components.with_cases(n_groups)
    of_group = np.diff(-(-np.arange(n_groups + 1) * n_readers // n_groups))
    # Readers with whom a reader shares the cases, the reader included; r without groups.
    sharing = float(np.sum(of_group**2)) / n_readers
    tau, between = max(tau, 0.0), max(cov2 - cov3, 0.0)
    if readers == "fixed":
        return PlannedReaderTest(2 * (s2 - cov1 + (sharing - 1) * between) / n_readers, np.inf)
    total = tau + s2 - cov1 + (sharing - 1) * between
    square = tau + s2 - cov1 - (cov2 - cov3)
    df = (n_readers - n_groups) * (total / square) ** 2 if square > 0 else np.inf
    return PlannedReaderTest(2 * total / n_readers, df)


def model_reader_test(model: RoeMetz, plan: ReadingPlan, readers: Effect) -> PlannedReaderTest:
    """Return the test that the first two modalities differ, under the model of Roe & Metz.

    The variance is exact. Where every reader reads every case, the degrees of freedom are those of
    Obuchowski and Rockette's test, else those of U-statistics.
    """
    each = [average_patterns(model, plan, i, i) for i in (0, 1)]
    between = average_patterns(model, plan, 0, 1)
    if plan.n_groups == 1 and plan.nested is None:
        return pilot_reader_test(
            expected_reader_components(each, between), plan.n_readers, 1, readers
        )
    if readers == "fixed":
        return PlannedReaderTest(
            sum(part.of_cases for part in each) - 2 * between.of_cases,
            np.inf,
        )
    variance = each[0].covariance + each[1].covariance - 2 * between.covariance
    return PlannedReaderTest(variance, ustatistic_df(each, between, variance))


def expected_reader_components(each: list[PairPatterns], between: PairPatterns) -> PilotComponents:
    """Return the expectation of Obuchowski and Rockette's components, every case read by all."""
    error, cov2 = np.mean([part.given_readers for part in each], axis=0)
    cov1, cov3 = between.given_readers
    of_readers = np.mean([part.of_readers for part in each]) - between.of_readers
    return PilotComponents(float(of_readers), *map(float, (error, cov1, cov2, cov3)))


# --- Power of the planned test --------------------------------------------------------------------


class PlannedReaderTest(NamedTuple):
    """Variance of the difference of two modalities, and degrees of freedom of its t test."""

    variance: float
    df: float

    def power(self, distances: tuple[float, ...], level: float) -> float:
        """Return the probability to reject on the side of the truth.

        ``distances`` are those of the truth from each null value, which are all to be rejected at
        the one-sided ``level``.
        """
        se, quantile = np.sqrt(self.variance), self._quantile(level)
        root, weight = _chi_quadrature(self.df)
        # Given the estimated standard error, each test asks for a part of the normal line; two of
        # them ask for what lies between.
        passed = [sp.ndtr(distance / se - quantile * root) for distance in distances]
        both = np.maximum(np.sum(passed, axis=0) - (len(passed) - 1), 0.0)
        return float(weight @ both)

    def half_width(self, alpha: float) -> float:
        """Return half the width of the two-sided interval at the level 1 - alpha."""
        return self._quantile(alpha / 2) * float(np.sqrt(self.variance))

    def _quantile(self, level: float) -> float:
        """Return the upper quantile, of a level below 1/2."""
        # Not below 0: below 1e-308 SciPy's quantile of t has the sign of the other side.
        return abs(float(sp.ndtri(level) if self.df > _NORMAL_DF else sp.stdtrit(self.df, level)))


# Places of the chi-square at which power is averaged: the trapezoidal rule on the logarithm is
# exact to rounding here, for every number of degrees of freedom from 1 on.
_N_PLACES = 2001
# Beyond these degrees of freedom t is normal to rounding.
_NORMAL_DF = 1e15


def _chi_quadrature(df: float) -> tuple[FloatArray, FloatArray]:
    """Return places of sqrt(chi-square/df) and their probabilities."""
    if df > _NORMAL_DF:
        return np.ones(1), np.ones(1)
    # With x = ln(chi-square/df) the density is proportional to exp(df/2 (x - e^x)): about normal
    # with the variance 2/df, but with an exponential tail on the left.
    spread = np.sqrt(2 / df)
    x = np.linspace(-10 * spread - 80 / df, min(10 * spread, 5.0), _N_PLACES)
    weight = np.exp(df / 2 * (x - np.expm1(x)))
    return np.exp(x / 2), weight / weight.sum()
