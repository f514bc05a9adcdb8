"""How much studies of a review differ: spread, the next study, regions and the summary curve."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import require_open_interval
from rocstats.estimate.answers import (
    answer_columns,
    answer_row_without_result,
    answer_rows,
    stacked_curve_columns,
)
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.estimate.quantiles import t_quantile
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import ESTIMATE, Question, columns_in, estimate_columns
from rocstats.inference.meta.fits import (
    NO_SPREAD,
    Fit,
    fit_restricted,
    no_heterogeneity,
    sd_limits,
    spread_covariance,
    swapped,
)
from rocstats.inference.meta.model import N_NODES
from rocstats.inference.meta.reviews import (
    BOUNDARY_CORRELATION,
    RATES,
    Review,
    fit_notes,
    fit_of,
    known_cells,
    normal_quantile,
    rate_cells,
    read_n_nodes,
    restricted_fit_of,
    review_notes,
    review_of,
)
from rocstats.study.base import warned_doubts
from rocstats.study.meta import MetaSample

# --- Questions ------------------------------------------------------------------------------------

HETEROGENEITY = Question(
    "heterogeneity",
    estimate_columns(
        f"predictor group quantity {ESTIMATE} statistic df p_value n_studies n_pos n_neg"
        " method note"
    ),
    ("chu-2006", "cox-1987", "higgins-2009"),
    adjusts=True,
)
SUMMARY_ROC = Question(
    "summary_roc",
    columns_in(
        "predictor group part study fpr fpr_low fpr_high tpr tpr_low tpr_high n_pos n_neg"
        " confidence_level method note"
    ),
    ("chu-2006", "cox-1987", "harbord-2007", "wilson-1927"),
    adjusts=True,
)

# --- Spread ---------------------------------------------------------------------------------------


def heterogeneity(
    sample: MetaSample, *, n_nodes: int = N_NODES, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Return how much the rates of studies differ, and prediction intervals of the next study.

    Use this method beside ``summary``: the mean of studies does not tell what to expect in the next
    hospital.

    Parameters
    ----------
    n_nodes : int >= 7 or 1, default 21
        Nodes a dimension of the quadrature.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_studies, n_pos, n_neg, confidence_level, method, note``. The rows are "sd_tpr" and
        "sd_tnr" (standard deviations of logits over studies), "correlation" (of both logits,
        without limits), "prediction_tpr" and "prediction_tnr" (intervals of the rates of a new
        study), and "heterogeneity" (the test that all studies have the same rates).

    Raises
    ------
    InputError
        If a number is invalid.

    Warns
    -----
    StatisticalWarning
        As for ``summary``.

    Notes
    -----
    The standard deviations maximise the restricted likelihood: the likelihood l, with the means
    replaced by their maximum, minus log det J / 2, where J is the information on the means. The
    restricted likelihood of this model is ours; maximum likelihood underestimates spread in few
    studies. Limits are where twice its loss is the squared normal quantile. The lower limit is 0
    unless 0 is rejected. The upper limit is infinite beyond 10, where nearly all rates are 0 or 1.

    A prediction interval is expit(mu -+ t sqrt(se^2 + sd^2)) with k - 2 degrees of freedom, from
    the restricted fit; NaN for two studies. In simulations of 5 to 30 studies, 95% prediction
    intervals held .87 to .96 of new studies.

    The test is 2(l - l_0), where l_0 is the likelihood without spread. Its p value is from
    chi-square with 3 degrees of freedom (1 if one rate is fitted, 2 if the correlation is fixed).
    It is conservative. A large p value does not show that studies agree: do not choose a model by
    this test.

    References
    ----------
    - Chu & Cole (2006), exact bivariate model [chu-2006]
    - Cox & Reid (1987), the adjusted profile likelihood [cox-1987]
    - Higgins, Thompson & Spiegelhalter (2009), prediction intervals [higgins-2009]

    Examples
    --------
    >>> import rocstats as rs
    >>> review = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    >>> review.heterogeneity()[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
             quantity  estimate  ci_low  ci_high
    0          sd_tpr     1.709   1.104    2.889
    1          sd_tnr     0.645   0.446    1.021
    2     correlation    -0.808     NaN      NaN
    3  prediction_tpr     0.926   0.209    0.998
    4  prediction_tnr     0.782   0.455    0.939
    5   heterogeneity       NaN     NaN      NaN
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    n_nodes = read_n_nodes(n_nodes)
    rows = []
    for group, part in sample.by_group():
        review, fit = review_of(part), restricted_fit_of(part, n_nodes)
        known = known_cells(part, group, confidence_level)
        codes = [*review_notes(part), *fit_notes(review, fit)]
        for quantity, cells in _spread_cells(part, review, fit, confidence_level):
            named = {**known, "quantity": quantity, **cells}
            rows.append(answer_row_without_result(HETEROGENEITY, named, codes))
    return answer_rows(HETEROGENEITY, sample, rows)


def _spread_cells(
    part: MetaSample, review: Review, fit: Fit, confidence_level: float
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield quantity and cells of each row about a group."""
    z = normal_quantile(confidence_level)
    restricted = f"{review.model}/restricted"
    for m, rate in enumerate(RATES):
        cells: dict[str, Any] = {"estimate": np.nan}
        if review.margins[m].is_fitted:
            low, high = sd_limits(fit if m == 0 else _with_margins_swapped(fit), z, restricted=True)
            # An estimate below the least spread is 0, as its lower limit.
            sd = fit.sd[m] if fit.sd[m] >= NO_SPREAD else 0.0
            cells = {"estimate": sd, "ci_low": low, "ci_high": high}
            cells["method"] = f"{review.model}/restricted-profile"
        yield f"sd_{rate}", cells
    correlated = review.is_correlated and not np.isnan(fit.correlation)
    yield (
        "correlation",
        {"estimate": float(np.clip(fit.correlation, -1, 1)), "method": restricted}
        if correlated
        else {"estimate": np.nan},
    )
    for m, rate in enumerate(RATES):
        yield f"prediction_{rate}", prediction_cells(review, fit, m, confidence_level)
    yield "heterogeneity", _test_cells(part, review, fit.n_nodes)


def _with_margins_swapped(fit: Fit) -> Fit:
    """Return the fit with its margins exchanged: the same maximum."""
    p, size = fit.counts.x.shape[1], fit.counts.n_coefficients
    a, d, c = fit.spread
    sd = fit.sd[1]
    # S = L L' has the same entries in the other order.
    spread = np.array([sd, a * d / sd if sd else 0.0, abs(a * c) / sd if sd else abs(a)])
    names = {**{j: (j + p) % size for j in range(size)}, size: size + 2, size + 2: size}
    return fit._replace(
        counts=swapped(fit.counts),
        beta=np.roll(fit.beta, p),
        spread=spread,
        free=tuple(sorted(names.get(j, j) for j in fit.free)),
    )


def prediction_cells(
    review: Review, fit: Fit, margin: int, confidence_level: float
) -> dict[str, Any]:
    """Return the cells of the prediction interval of a rate; NaN for fewer than three studies."""
    one = review.margins[margin]
    if not one.is_fitted or one.n_studies < 3:
        return {"estimate": np.nan}
    t = t_quantile((1 + confidence_level) / 2, one.n_studies - 2.0)
    reach = t * float(np.hypot(fit.se[margin], fit.sd[margin]))
    mean = float(fit.beta[margin])
    estimate, low, high = map(float, sp.expit(np.array([mean, mean - reach, mean + reach])))
    method = f"{review.model}/prediction-t"
    return {"estimate": estimate, "ci_low": low, "ci_high": high, "method": method}


def _test_cells(part: MetaSample, review: Review, n_nodes: int) -> dict[str, Any]:
    if not review.fitted:
        return {"estimate": np.nan, "confidence_level": np.nan}
    fit = fit_of(part, n_nodes)
    # At a maximum without spread rounding may leave less than nothing.
    statistic = max(0.0, 2 * (fit.value - no_heterogeneity(fit)))
    df = float(len(review.free) - len(review.fitted))
    return {
        "estimate": np.nan,
        "statistic": statistic,
        "df": df,
        "p_value": float(sp.chdtrc(df, statistic)),
        "confidence_level": np.nan,
        "method": f"{review.model}/likelihood-ratio",
    }


# --- The summary ROC plot -------------------------------------------------------------------------

# Points of a region: a step of 1/360 of a turn is below the width of a line.
_REGION_POINTS = 361
# Points of the curve: chords stay inside the line.
_CURVE_POINTS = 201
STUDY, POINT, CURVE = "study", "summary", "curve"
CONFIDENCE, PREDICTION = "confidence-region", "prediction-region"
"""Words of the column ``part``."""


def summary_roc(
    sample: MetaSample, *, n_nodes: int = N_NODES, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Return the points of a summary ROC plot: studies, mean, both regions and the curve.

    Use this method for ``plot_summary_roc``. The confidence region is about the mean of all
    studies, the prediction region about the rates of the next study.

    Parameters
    ----------
    n_nodes : int >= 7 or 1, default 21
        Nodes a dimension of the quadrature.
    confidence_level : float in (0, 1), default 0.95
        Level of the regions, and of the limits of single studies.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], part, study, fpr, fpr_low, fpr_high, tpr, tpr_low, tpr_high,
        n_pos, n_neg, confidence_level, method, note``. ``part`` is "study" (a row each, with Wilson
        limits), "summary" (the means with t limits), "confidence-region", "prediction-region"
        (closed outlines) or "curve". Other parts have no limits and numbers.

    Raises
    ------
    InputError
        If a number is invalid.

    Warns
    -----
    StatisticalWarning
        As for ``summary``.

    Notes
    -----
    The confidence region is (m - mu)' V^-1 (m - mu) <= q with q = 2(k - 1)/(k - 2) F(2, k - 2)
    (Hotelling), on the logit scale. The prediction region has the same q, the means of the
    restricted fit (see ``heterogeneity``), and V + S, where S is the covariance of the logits over
    studies. If their correlation is beyond .99, S is of a fit without correlation.

    The curve is logit tpr = Lambda exp(-beta/2) + exp(-beta) logit fpr with beta = log(sd_2/sd_1)
    and Lambda = sqrt(sd_2/sd_1) mu_1 + sqrt(sd_1/sd_2) mu_2. This is the curve of Rutter and
    Gatsonis. It is returned only between the least and the greatest false positive rate of the
    studies. There is no curve if the correlation is not negative or a standard deviation is 0 (note
    ``no-threshold-effect``): thresholds then do not explain how studies differ. There are no
    regions and no curve if fewer than five studies have both classes, or if a margin is perfect.

    The area under this curve is not an answer: it belongs to no threshold and no study.

    References
    ----------
    - Chu & Cole (2006), exact bivariate model [chu-2006]
    - Cox & Reid (1987), the adjusted profile likelihood [cox-1987]
    - Harbord, Deeks, Egger, Whiting & Sterne (2007), both models of a summary curve [harbord-2007]
    - Wilson (1927) [wilson-1927]

    Examples
    --------
    >>> import rocstats as rs
    >>> review = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    >>> review.summary_roc()["part"].value_counts(sort=False).to_dict()
    {'study': 14, 'summary': 1, 'confidence-region': 361, 'prediction-region': 361, 'curve': 201}
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    n_nodes = read_n_nodes(n_nodes)
    pieces = []
    for group, part in sample.by_group():
        codes = review_notes(part, fit_of(part, n_nodes))
        texts = {"predictor": part.predictors[0], "group": group}
        for piece in _pieces_of_plot(part, n_nodes, confidence_level, codes):
            note = "; ".join(codes)
            pieces.append({**texts, "confidence_level": confidence_level, **piece, "note": note})
        warn_of_doubts(codes, warned_doubts(sample))
    return answer_columns(SUMMARY_ROC, sample, stacked_curve_columns(SUMMARY_ROC, pieces))


def _pieces_of_plot(
    part: MetaSample, n_nodes: int, confidence_level: float, codes: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the columns of each part of the plot of a group; notes are added to ``codes``."""
    review, fit = review_of(part), fit_of(part, n_nodes)
    has_curve = review.is_correlated and _has_threshold_effect(fit)
    if review.is_correlated and not has_curve:
        codes.append("no-threshold-effect")
    for name, table in zip(part.studies_of_rows, part.tables.T, strict=True):
        yield {**_study_point(table, confidence_level), "part": STUDY, "study": name}
    blank = dict.fromkeys(("fpr_low", "fpr_high", "tpr_low", "tpr_high", "n_pos", "n_neg"), np.nan)
    limited = [
        rate_cells(
            review,
            fit,
            m,
            t_quantile((1 + confidence_level) / 2, review.df([m])),
            "t",
            confidence_level,
        )
        for m in (0, 1)
    ]
    tpr, tnr = ([c.get(n, np.nan) for n in ("estimate", "ci_low", "ci_high")] for c in limited)
    yield {
        "part": POINT,
        "study": "",
        "fpr": np.array([1 - tnr[0]]),
        "fpr_low": 1 - tnr[2],
        "fpr_high": 1 - tnr[1],
        "tpr": np.array([tpr[0]]),
        "tpr_low": tpr[1],
        "tpr_high": tpr[2],
        "n_pos": part.n_pos,
        "n_neg": part.n_neg,
        "method": f"{review.model}/t",
    }
    if review.is_correlated:
        for word, outline in regions_of(part, n_nodes, confidence_level).items():
            method = "hotelling" if word == CONFIDENCE else "hotelling-restricted"
            yield {
                **blank, "part": word, "study": "", "fpr": outline[0], "tpr": outline[1],
                "method": f"{review.model}/{method}",
            }  # fmt: skip
    if has_curve:
        fpr = _range_of_curve(part.tables)
        yield {
            **blank, "part": CURVE, "study": "", "fpr": fpr, "tpr": curve_of(fit).at(fpr),
            "method": f"{review.model}/none",
        }  # fmt: skip


def _study_point(table: FloatArray, confidence_level: float) -> dict[str, Any]:
    tp, fn, fp, tn = map(float, table)
    cells: dict[str, Any] = {"n_pos": tp + fn, "n_neg": fp + tn, "method": "binomial/wilson"}
    for rate, count, people in (("fpr", fp, fp + tn), ("tpr", tp, tp + fn)):
        values = [np.nan] * 3
        if people:
            share = count / people
            limits = binomial_limits_of_rates(share, people, "wilson", confidence_level)
            values = [share, *map(float, limits)]
        cells[rate] = np.array(values[:1])
        cells[f"{rate}_low"], cells[f"{rate}_high"] = values[1:]
    return cells


def regions_of(
    part: MetaSample, n_nodes: int, confidence_level: float
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return the outlines (fpr, tpr) of both regions."""
    review, fit = review_of(part), fit_of(part, n_nodes)
    q = hotelling_quantile(review.n_both, confidence_level)
    restricted = restricted_fit_of(part, n_nodes)
    if abs(restricted.correlation) > BOUNDARY_CORRELATION:
        restricted = fit_restricted(fit, correlated=False)
    spread = restricted.covariance + spread_covariance(restricted.spread)
    return {
        CONFIDENCE: _outline(fit.beta, q * fit.covariance),
        PREDICTION: _outline(restricted.beta, q * spread),
    }


def hotelling_quantile(n_studies: int, confidence_level: float) -> float:
    """Return 2(k - 1)/(k - 2) F(2, k - 2), whose quantile has a closed form."""
    k = n_studies
    f = (k - 2) / 2 * ((1 - confidence_level) ** (-2 / (k - 2)) - 1)
    return float(2 * (k - 1) / (k - 2) * f)


def _outline(mean: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
    angle = np.linspace(0, 2 * np.pi, _REGION_POINTS)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:  # singular but for rounding
        sizes, axes = np.linalg.eigh(covariance)
        root = axes * np.sqrt(np.maximum(sizes, 0.0))
    logits = mean[:, None] + root @ circle
    tpr, tnr = sp.expit(logits)
    return 1 - tnr, tpr


class SummaryCurve(NamedTuple):
    """The parameters of the summary curve of Rutter and Gatsonis."""

    accuracy: float
    threshold: float
    shape: float

    def at(self, fpr: FloatArray) -> FloatArray:
        """Return the sensitivity at false positive rates."""
        # logit 0 is minus infinity, and the curve begins at (0, 0).
        logits = self.accuracy * np.exp(-self.shape / 2) + np.exp(-self.shape) * sp.logit(fpr)
        return np.asarray(sp.expit(logits))


def curve_of(fit: Fit) -> SummaryCurve:
    """Return the summary curve of a fit whose standard deviations are positive."""
    sd1, sd2 = fit.sd
    first = float(np.sqrt(sd2 / sd1) * fit.beta[0])
    second = float(np.sqrt(sd1 / sd2) * fit.beta[1])
    return SummaryCurve(first + second, (first - second) / 2, float(np.log(sd2 / sd1)))


def _has_threshold_effect(fit: Fit) -> bool:
    return min(fit.sd) >= NO_SPREAD and fit.correlation < 0


def _range_of_curve(tables: FloatArray) -> FloatArray:
    fp, tn = tables[2:, tables[2:].sum(axis=0) > 0]
    rates = fp / (fp + tn)
    return np.linspace(rates.min(), rates.max(), _CURVE_POINTS)
