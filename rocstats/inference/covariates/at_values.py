"""The area of each predictor at given values of the covariates [faraggi-2003].

Both classes are normal around a linear regression: the area at covariates q is
Phi(q'(b1 - b0)/sqrt(s1^2 + s0^2)), with a delta-method standard error.
Derivation: docs/methods/covariates.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.estimate.answers import (
    BELOW_CHANCE,
    answer_row_without_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    predictor_rows,
)
from rocstats.estimate.areas import (
    AreaTest,
    infer_area,
    numbers_of_independent_units,
    read_area_test,
    snap_to_boundary,
)
from rocstats.estimate.intervals import Area
from rocstats.estimate.quantiles import Alternative
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.question import AREA, TEST, Question, RoleRefusal, estimate_columns
from rocstats.inference.covariates.adjusted import (
    NO_FOLDS,
    NO_RESIDUAL_SPREAD,
    NO_WEIGHTS,
    with_covariate_case_notes,
)
from rocstats.inference.covariates.regression import (
    CovariateDesign,
    Regression,
    covariate_design,
    require_covariates,
    score_for_regression,
)
from rocstats.study.base import Covariate, sample_notes
from rocstats.study.points import number_array
from rocstats.study.sample import Sample

NO_CLUSTERS = RoleRefusal(
    "stay None for areas at given covariates, because their standard error assumes independent"
    " cases",
    "Use adjusted_auc(), which supports clusters, or leave the clusters out.",
)
COVARIATE_AUC = Question(
    "covariate_auc",
    estimate_columns(
        f"predictor group covariates {AREA} {TEST} hypothesis n_pos n_neg method note"
    ),
    ("faraggi-2003", "janes-2009"),
    {"fold": NO_FOLDS, "sample_weight": NO_WEIGHTS, "cluster": NO_CLUSTERS},
    adjusts=True,
)


class CovariateValues(NamedTuple):
    """Values of all covariates, codes for labels; ``text`` names them."""

    text: str
    numbers: tuple[float, ...]


def covariate_auc(
    sample: Sample,
    at: Mapping[str, Any],
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return areas at chosen values of the covariates; a row is one combination of values.

    Use this method to show how discrimination changes with a covariate. The method assumes a linear
    regression with normal residuals in each class. ``adjusted_auc`` needs weaker assumptions.

    Parameters
    ----------
    at : mapping of str to value or list of values
        One or several values of every covariate of the study, for example {"age": [60, 70], "sex":
        "F"}. Each combination has a row.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests area > ``null_value``; the interval then has a lower limit only.
    null_value : float in (0, 1), optional
        Area under the null hypothesis; by default there is no test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, covariates, estimate, ci_low, ci_high, p_value, se,
        statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis,
        range_low, range_high, method, note``; ``quantity`` is "covariate_auc". ``covariates`` has
        the values, for example "age = 60, sex = F".

    Raises
    ------
    InputError
        If ``at`` does not have exactly the covariates of the study; if the study has no covariates;
        if it has folds, weights or clusters; if a class has under 5 cases per coefficient; if
        covariates are collinear in a class; or if scores are infinite.

    Warns
    -----
    StatisticalWarning
        - ``values-extrapolate``: values are outside the range of a class.
        - ``no-residual-spread``: residuals do not vary.

    Notes
    -----
    The scores of each class are regressed on the covariates X. Index 1 denotes the positives, and
    index 0 the negatives. Let b1 and b0 be the coefficients, s1^2 and s0^2 the residual variances,
    and G1 and G0 the matrices (X'X)^-1. For the values q of the covariates, the area is Phi(w) with
    w = q'(b1 - b0)/sqrt(s1^2 + s0^2). Limits are Phi(w -+ z se), where se^2 = [s1^2 q'G1 q + s0^2
    q'G0 q]/(s1^2 + s0^2) + w^2 [2 s1^4/df1 + 2 s0^4/df0]/(4 (s1^2 + s0^2)^2). The degrees of
    freedom df of a class are its number of cases minus the number of coefficients. In simulations
    with normal scores, 95% limits had coverage .94 to .95.

    References
    ----------
    - Faraggi (2003) [faraggi-2003]
    - Janes & Pepe (2009) [janes-2009]

    Examples
    --------
    >>> import rocstats as rs
    >>> age = [50 + 7 * i % 20 for i in range(60)]
    >>> y = [int(i % 3 == 0) for i in range(60)]
    >>> score = [a / 10 + 0.8 * c + 11 * i % 23 / 10 for i, (a, c) in enumerate(zip(age, y))]
    >>> study = rs.Study(y, score, covariate={"age": age})
    >>> frame = study.covariate_auc({"age": [55, 65]})
    >>> frame[["covariates", "estimate", "ci_low", "ci_high"]].round(3)
      covariates  estimate  ci_low  ci_high
    0   age = 55     0.780   0.604     0.90
    1   age = 65     0.785   0.594     0.91
    """
    COVARIATE_AUC.require_roles(sample)
    test = read_area_test(confidence_level, alternative, null_value)
    require_covariates(sample)
    values = _read_combinations(at, sample._covariates)
    labels = [label for label, _ in sample.by_group()]
    rows = predictor_rows(
        sample, lambda part, g, k: _rows_at_values(part, labels[g], k, values, test)
    )
    return answer_rows(COVARIATE_AUC, sample, rows)


# --- Options: values of the covariates ------------------------------------------------------------


def _read_combinations(at: Any, covariates: tuple[Covariate, ...]) -> list[CovariateValues]:
    """Return every combination of the values; raise InputError for wrong names or values."""
    names = [covariate.name for covariate in covariates]
    if not isinstance(at, Mapping) or sorted(map(str, at)) != sorted(names):
        got = list(at) if isinstance(at, Mapping) else at
        raise InputError(
            f"`at` must map each of the covariates {names} to one or more values; got {got!r}. Pass"
            f" for instance {{{names[0]!r}: ...}}."
        )
    given = {str(name): value for name, value in at.items()}
    each = [_read_covariate_values(given[covariate.name], covariate) for covariate in covariates]
    return [
        CovariateValues(
            ", ".join(f"{name} = {text}" for name, (text, _) in zip(names, one, strict=True)),
            tuple(number for _, number in one),
        )
        for one in product(*each)
    ]


def _read_covariate_values(given: Any, covariate: Covariate) -> list[tuple[str, float]]:
    """Return the text and the number (code) of each value of one covariate."""
    if covariate.levels:
        several = [given] if isinstance(given, str) or not np.ndim(given) else list(given)
        texts = [str(value) for value in several]
        unknown = [text for text in texts if text not in covariate.levels]
        if unknown or not texts:
            raise InputError(
                f"`at` must have labels of {covariate.name!r}, which are"
                f" {list(covariate.levels)[:20]}; got {unknown}. Pass one of them."
            )
        return [(text, float(covariate.levels.index(text))) for text in texts]
    numbers = number_array(given)
    if numbers.ndim != 1 or len(numbers) == 0 or not np.isfinite(numbers).all():
        raise InputError(
            f"`at` must have finite numbers for {covariate.name!r}; got {given!r}."
            " Pass one number, or a list."
        )
    return [(f"{number:g}", float(number)) for number in numbers]


# --- Rows -----------------------------------------------------------------------------------------


def _rows_at_values(
    part: Sample, group: str, k: int, values: list[CovariateValues], test: AreaTest
) -> list[dict[str, Any]]:
    """Return the row of predictor ``k`` at each combination of values."""
    columns = {
        **FULL_AREA,
        "quantity": "covariate_auc",
        **test.columns(),
        **class_size_columns(part),
    }
    if lacks_class(part):
        codes = ["one-class", *sample_notes(part)]
        return [
            answer_row_without_result(COVARIATE_AUC, {**columns, "covariates": one.text}, codes)
            for one in values
        ]
    design = covariate_design(part, group)
    for positive in (False, True):
        design.require_fit(positive=positive)
    score = score_for_regression(part, k, design)
    positives, negatives = (design.fit(score, positive=positive) for positive in (True, False))
    rows = []
    for one in values:
        known = {**columns, "covariates": one.text}
        area = area_at_values(_design_row(one, design, part), positives, negatives)
        if np.isnan(area.value):
            codes = [NO_RESIDUAL_SPREAD, *sample_notes(part)]
            rows.append(answer_row_without_result(COVARIATE_AUC, known, codes))
            continue
        found = infer_area(
            Area(area.value, area.se**2, np.inf, *numbers_of_independent_units(part.cases)),
            "probit",
            test,
        )
        codes = [*found.codes, *_extrapolation_notes(one, design, part)]
        codes += [BELOW_CHANCE] if found.ci_high < 0.5 else []
        method = f"regression/{found.method}"
        note = with_covariate_case_notes(part, codes)
        rows.append({**known, **found.columns(), "method": method, "note": note})
    return rows


def _design_row(values: CovariateValues, design: CovariateDesign, part: Sample) -> FloatArray:
    """Return the row of the design matrix at given values."""
    columns = [np.ones(1)]
    for term, number in zip(design.terms, values.numbers, strict=True):
        if term.covariate.levels and int(number) not in term.present:
            raise InputError(
                f"`at` must have labels that occur in the cases; got"
                f" {term.covariate.levels[int(number)]!r} for {term.covariate.name!r}"
                f"{design.where}. Leave it out."
            )
        columns += term.columns(np.array([number]))
    return np.concatenate(columns)


def _extrapolation_notes(
    values: CovariateValues, design: CovariateDesign, part: Sample
) -> list[str]:
    """Return the note on values beyond the range of a class."""
    assert part.covariate is not None
    for term, number, row in zip(design.terms, values.numbers, part.covariate, strict=True):
        if term.covariate.levels:
            continue
        for members in (design.is_positive, ~design.is_positive):
            if not row[members].min() <= number <= row[members].max():
                return ["values-extrapolate"]
    return []


# --- Estimator with its standard error ------------------------------------------------------------


class ValueAtCovariates(NamedTuple):
    """An area and its standard error; both NaN where neither class varies around its regression."""

    value: float
    se: float


def area_at_values(
    at: FloatArray, positives: Regression, negatives: Regression
) -> ValueAtCovariates:
    """Return Phi(q'(b1 - b0)/sqrt(s1^2 + s0^2)) with its standard error [faraggi-2003].

    By the delta method, w the argument of Phi: the variance of w is
    [s1^2 q'G1 q + s0^2 q'G0 q]/(s1^2 + s0^2)
    + w^2 [2 s1^4/df1 + 2 s0^4/df0]/(4 (s1^2 + s0^2)^2), G = (X'X)^-1.
    """
    both = (positives, negatives)
    spread = sum(one.s**2 for one in both)
    if not spread > 0:
        return ValueAtCovariates(np.nan, np.nan)
    gap = float(at @ (positives.coefficients - negatives.coefficients))
    deviate = gap / np.sqrt(spread)
    # Var(s^2) = 2 s^4/df; the coefficients and s^2 of normal errors are independent.
    of_line = sum(one.s**2 * float(at @ one.inverse @ at) for one in both) / spread
    of_spread = sum(2 * one.s**4 / one.df for one in both) / (4 * spread**2)
    se = np.sqrt(of_line + deviate**2 * of_spread)
    density = np.exp(-(deviate**2) / 2) / np.sqrt(2 * np.pi)
    return ValueAtCovariates(snap_to_boundary(float(sp.ndtr(deviate))), float(density * se))
