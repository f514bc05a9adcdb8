"""What a review rests on: the influence of each study, and effects of small studies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import answer_row_without_result, answer_rows
from rocstats.estimate.quantiles import t_p_value, t_quantile
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.meta.fits import Fit, fit_model
from rocstats.inference.meta.model import N_NODES
from rocstats.inference.meta.reviews import (
    FEW_STUDIES,
    RATES,
    fit_of,
    known_cells,
    rate_cells,
    read_n_nodes,
    read_review,
    review_notes,
    review_of,
)
from rocstats.study.base import sample_notes
from rocstats.study.meta import MetaSample

# --- Questions ------------------------------------------------------------------------------------

INFLUENCE = Question(
    "influence",
    estimate_columns(
        f"predictor group study quantity {ESTIMATE} cook_distance n_studies n_pos n_neg method note"
    ),
    ("chu-2006",),
    adjusts=True,
)
SMALL_STUDY_EFFECTS = Question(
    "small_study_effects",
    estimate_columns(
        f"predictor group quantity {ESTIMATE} null_value statistic df p_value n_studies n_pos n_neg"
        " method note"
    ),
    ("deeks-2005",),
    adjusts=True,
)

# --- Influence ------------------------------------------------------------------------------------


def influence(
    sample: MetaSample, *, n_nodes: int = N_NODES, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Return the mean sensitivity and specificity without each study, and its Cook's distance.

    Use this method to see whether a result rests on a single study. A study with large influence is
    no reason to leave it out: read it again.

    Parameters
    ----------
    n_nodes : int >= 7 or 1, default 21
        Nodes a dimension of the quadrature.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], study, quantity, estimate, ci_low, ci_high, se, cook_distance,
        n_studies, n_pos, n_neg, confidence_level, method, note``: two rows for each study that is
        left out, "tpr" and "tnr" of the others. ``cook_distance`` is of both means together.

    Raises
    ------
    InputError
        If a group has two studies only; or if a number is invalid.

    Warns
    -----
    StatisticalWarning
        As for ``summary``.

    Notes
    -----
    The model is fitted again without study i. Cook's distance is d' V^-1 d/2, where d is the change
    of the means on the logit scale, and V is their covariance in all studies. If one rate is
    fitted, the divisor is 1. The correlation is free, or fixed, as in the fit of all studies.

    References
    ----------
    - Chu & Cole (2006), exact bivariate model [chu-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> review = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    >>> found = review.influence()
    >>> found[found["study"] == "8"][["study", "quantity", "estimate", "cook_distance"]].round(4)
       study quantity  estimate  cook_distance
    14     8      tpr    0.8889         0.4396
    15     8      tnr    0.7995         0.4396
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    n_nodes = read_n_nodes(n_nodes)
    rows = []
    for group, part in sample.by_group():
        if part.n_studies < 3:
            place = f" in group {group!r}" if group else ""
            raise InputError(
                f"`tp` must have at least three studies for influence; got {part.n_studies}{place}."
                " Leave this group out."
            )
        codes = review_notes(part, fit_of(part, n_nodes))
        for i, name in enumerate(part.studies_of_rows):
            others = np.delete(part.tables, i, axis=1)
            known = {
                **known_cells(part, group, confidence_level),
                "study": name,
                "n_studies": part.n_studies - 1,
                "n_pos": float(others[:2].sum()),
                "n_neg": float(others[2:].sum()),
            }
            for quantity, cells, more in _cells_without(part, others, n_nodes, confidence_level):
                named = {**known, "quantity": quantity, **cells}
                rows.append(answer_row_without_result(INFLUENCE, named, [*codes, *more]))
    return answer_rows(INFLUENCE, sample, rows)


def _cells_without(
    part: MetaSample, others: FloatArray, n_nodes: int, confidence_level: float
) -> list[tuple[str, dict[str, Any], list[str]]]:
    """Return quantity, cells and notes of the rates of all studies but one."""
    whole = review_of(part)
    review = read_review(others, correlated=whole.is_correlated)
    fit = fit_model(review.counts, review.free, n_nodes)
    distance = np.nan
    if review.fitted == whole.fitted and whole.fitted:
        distance = _cook_distance(fit_of(part, n_nodes), fit, whole.fitted)
    perfect = ["perfect-margin"] * any(margin.is_perfect for margin in review.margins)
    rows = []
    for m, quantity in enumerate(RATES):
        t = t_quantile((1 + confidence_level) / 2, review.df([m]))
        cells = rate_cells(review, fit, m, t, "t", confidence_level)
        rows.append((quantity, {**cells, "cook_distance": distance}, perfect))
    return rows


def _cook_distance(fit: Fit, without: Fit, margins: list[int]) -> float:
    step = (without.beta - fit.beta)[margins]
    covariance = fit.covariance[np.ix_(margins, margins)]
    return float(step @ np.linalg.solve(covariance, step)) / len(margins)


# --- Effects of small studies ---------------------------------------------------------------------


def small_study_effects(sample: MetaSample, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Return the test of Deeks that small studies have other odds ratios than large ones.

    Use this method once, before results are read. A small p value may come from unpublished
    studies, or from true differences between small and large studies. The test has little power if
    studies differ.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_studies, n_pos, n_neg, confidence_level, null_value, method, note``, a row for each
        group. The estimate is the slope of the log odds ratio on ESS^-1/2.

    Raises
    ------
    InputError
        If a group has fewer than 10 studies with both classes; if these have one size; or if the
        level is not a number in (0, 1).

    Notes
    -----
    The log odds ratio, with 0.5 added to all cells, is regressed on ESS^-1/2 with the weights ESS =
    4 n_1 n_0/(n_1 + n_0), the effective sample size. The p value is from t with k - 2 degrees of
    freedom. No other method here adds a number to counts. Studies without a class are left out.

    References
    ----------
    - Deeks, Macaskill & Irwig (2005) [deeks-2005]

    Examples
    --------
    >>> import rocstats as rs
    >>> review = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    >>> review.small_study_effects()[["estimate", "se", "p_value"]].round(4)
       estimate       se  p_value
    0  -59.6116  23.3133   0.0251
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = []
    for group, part in sample.by_group():
        both = (part.tables[:2].sum(axis=0) > 0) & (part.tables[2:].sum(axis=0) > 0)
        place = f" in group {group!r}" if group else ""
        if both.sum() < FEW_STUDIES:
            raise InputError(
                f"`tp` must have at least {FEW_STUDIES} studies with both classes for"
                f" small_study_effects; got {int(both.sum())}{place}. With fewer studies the test"
                " has no power: leave it out."
            )
        cells = _deeks_cells(part.tables[:, both], place, confidence_level)
        known = {**known_cells(part, group, confidence_level), "n_studies": int(both.sum())}
        named = {**known, "quantity": "small_study_slope", **cells}
        codes = sample_notes(part)
        codes += [f"one-sided-study={int((~both).sum())}"] * (not both.all())
        codes += [f"studies-shared={part.n_shared}"] * (part.n_shared > 0)
        rows.append(answer_row_without_result(SMALL_STUDY_EFFECTS, named, codes))
    return answer_rows(SMALL_STUDY_EFFECTS, sample, rows)


def _deeks_cells(tables: FloatArray, place: str, confidence_level: float) -> dict[str, Any]:
    tp, fn, fp, tn = tables + 0.5
    n_pos, n_neg = tables[:2].sum(axis=0), tables[2:].sum(axis=0)
    size = 4 * n_pos * n_neg / (n_pos + n_neg)
    if np.ptp(size) == 0:
        raise InputError(
            "`tp` must have studies of different sizes for small_study_effects; got one effective"
            f" size, {size[0]:g}, of all{place}. Leave the test out."
        )
    y, x = np.log(tp * tn / (fp * fn)), size**-0.5
    centre = np.average(x, weights=size)
    spread = float(size @ (x - centre) ** 2)
    slope = float(size @ ((x - centre) * y)) / spread
    rest = y - np.average(y, weights=size) - slope * (x - centre)
    df = len(y) - 2.0
    se = float(np.sqrt(size @ rest**2 / df / spread))
    cells: dict[str, Any] = {"estimate": slope, "null_value": 0.0, "df": df, "method": "deeks/t"}
    if not se > 0:
        return cells
    t = t_quantile((1 + confidence_level) / 2, df)
    return {
        **cells,
        "se": se,
        "ci_low": slope - t * se,
        "ci_high": slope + t * se,
        "statistic": slope / se,
        "p_value": t_p_value(slope / se, df, "two-sided"),
    }
