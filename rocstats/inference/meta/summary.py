"""Mean sensitivity and specificity of the studies of a review, ratios and predictive values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_without_result, answer_rows
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.estimate.quantiles import t_quantile
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import LOG, LOGIT, PREDICTIVE_VALUES, Scale
from rocstats.facts.words import as_known, listed
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.meta.fits import Fit, profile_limits
from rocstats.inference.meta.model import N_NODES
from rocstats.inference.meta.reviews import (
    RATES,
    Review,
    fit_of,
    known_cells,
    rate_cells,
    read_n_nodes,
    review_notes,
    review_of,
)
from rocstats.study.base import sample_notes
from rocstats.study.meta import MetaSample
from rocstats.study.points import read_prevalences

# --- Questions ------------------------------------------------------------------------------------

STUDIES = Question(
    "studies",
    estimate_columns(f"predictor group study quantity tp fp {ESTIMATE} n_pos n_neg method note"),
    ("wilson-1927",),
    adjusts=True,
)
SUMMARY = Question(
    "summary",
    estimate_columns(
        f"predictor group quantity prevalence {ESTIMATE} n_studies n_pos n_neg method note"
    ),
    ("chu-2006", "reitsma-2005"),
    adjusts=True,
)
RATIOS = ("odds_ratio", "lr_positive", "lr_negative")
SummaryInterval = Literal["t", "wald", "profile"]


def studies(sample: MetaSample, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Return sensitivity and specificity of each study with Wilson limits.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], study, quantity, estimate, ci_low, ci_high, se, tp, fp, n_pos,
        n_neg, confidence_level, method, note``: two rows for each study, "tpr" and "tnr". A study
        without people of a class has NaN there, with the note ``one-sided-study``.

    Raises
    ------
    InputError
        If the level is not a number in (0, 1).

    Notes
    -----
    The estimate is the share of correct calls, and its limits are Wilson's. Each study is analysed
    alone: the model of ``summary`` is not used.

    References
    ----------
    - Wilson (1927) [wilson-1927]

    Examples
    --------
    >>> import rocstats as rs
    >>> review = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    >>> review.studies()[["study", "quantity", "estimate", "ci_low", "ci_high"]].head(2).round(3)
      study quantity  estimate  ci_low  ci_high
    0     1      tpr     0.839   0.722    0.913
    1     1      tnr     0.880   0.856    0.900
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = []
    for group, part in sample.by_group():
        for name, table in zip(part.studies_of_rows, part.tables.T, strict=True):
            tp, fn, fp, tn = map(float, table)
            known = {
                "predictor": part.predictors[0],
                "group": group,
                "study": name,
                "tp": tp,
                "fp": fp,
                "n_pos": tp + fn,
                "n_neg": fp + tn,
                "confidence_level": confidence_level,
            }
            for quantity, correct, people in zip(RATES, (tp, tn), (tp + fn, fp + tn), strict=True):
                cells = _share_cells(correct, people, confidence_level)
                codes = sample_notes(part) + ([] if people else ["one-sided-study"])
                rows.append(
                    answer_row_without_result(
                        STUDIES, {**known, "quantity": quantity, **cells}, codes
                    )
                )
    return answer_rows(STUDIES, sample, rows)


def _share_cells(correct: float, people: float, confidence_level: float) -> dict[str, Any]:
    if not people:
        return {"estimate": np.nan}
    rate = correct / people
    low, high = binomial_limits_of_rates(rate, people, "wilson", confidence_level)
    return {
        "estimate": rate,
        "se": float(np.sqrt(rate * (1 - rate) / people)),
        "ci_low": float(low),
        "ci_high": float(high),
        "method": "binomial/wilson",
    }


def summary(
    sample: MetaSample,
    *,
    quantities: Sequence[str] | None = None,
    prevalence: float | Sequence[float] | None = None,
    interval: SummaryInterval = "t",
    n_nodes: int = N_NODES,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return the mean sensitivity and specificity of the studies, ratios and predictive values.

    Use this method to report a test from several studies. The means are of a typical study, not of
    the pooled people. For the range of the next study see ``heterogeneity``.

    Parameters
    ----------
    quantities : sequence of str, optional
        Some of "tpr", "tnr", "odds_ratio", "lr_positive" and "lr_negative"; by default all, and
        with interval="profile" both rates.
    prevalence : float in (0, 1), or sequence of float, optional
        Shares of diseased people where the test is used: for each share two more rows, "ppv" and
        "npv".
    interval : {"t", "wald", "profile"}, default "t"
        Limits of the means:

        - "t": quantiles of t with k - 1 degrees of freedom. For any number of studies.
        - "wald": normal quantiles. For comparison with other programs: limits are too narrow.
        - "profile": where twice the loss of log-likelihood is the squared normal quantile. For
          rates of ten studies or more.
    n_nodes : int >= 7 or 1, default 21
        Nodes a dimension of the quadrature. 1 is Laplace's approximation, as in lme4, glmmTMB and
        MetaDTA.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, prevalence,
        n_studies, n_pos, n_neg, confidence_level, method, note``. ``se`` is on the scale of the
        estimate.

    Raises
    ------
    InputError
        If a quantity, an interval or a number is invalid; or if profile limits are requested of
        ratios or predictive values, which have none.

    Warns
    -----
    StatisticalWarning
        For fewer than 10 studies (``few-studies``), or fewer than five with both classes, whose
        correlation is fixed at 0 (``correlation-fixed``). If no study has a wrong call of a class,
        or none has a correct call (``perfect-margin``). If each study has a rate of 0 or 1, and
        both occur (``rates-all-or-none``).

    Notes
    -----
    The true positives of study i are Binomial(n1_i, expit(mu_1 + b_1i)), the true negatives
    Binomial(n0_i, expit(mu_2 + b_2i)). The pair (b_1i, b_2i) is bivariate normal over studies. The
    likelihood is maximised with adaptive Gauss-Hermite quadrature. No number is added to counts.

    Sensitivity is expit(mu_1), specificity expit(mu_2), with limits expit(mu -+ t se). Limits of
    ratios are on the log scale, those of predictive values on the logit scale, by the delta method
    with the same quantile: logit ppv = logit prevalence + log LR+, logit npv = -logit prevalence -
    log LR-.

    With a perfect margin, the rate is 1 (or 0), with limits of Clopper and Pearson of the totals.
    The other rate is fitted alone; ratios and predictive values are NaN.

    In simulations of 5 to 30 studies, 95% limits had coverage .93 to .99 ("t"), .87 to .94 ("wald")
    and .90 to .95 ("profile"). Assumes that studies are independent, and that logits are normal.

    References
    ----------
    - Chu & Cole (2006), exact bivariate model [chu-2006]
    - Reitsma, Glas, Rutjes, Scholten, Bossuyt & Zwinderman (2005) [reitsma-2005]

    Examples
    --------
    >>> import rocstats as rs
    >>> review = rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    >>> found = review.summary(prevalence=0.05)
    >>> found[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
          quantity  estimate  ci_low  ci_high
    0          tpr     0.925   0.819    0.971
    1          tnr     0.782   0.713    0.838
    2   odds_ratio    44.151  20.506   95.061
    3  lr_positive     4.239   3.352    5.361
    4  lr_negative     0.096   0.040    0.228
    5          ppv     0.182   0.150    0.220
    6          npv     0.995   0.988    0.998
    """
    interval = require_choice("interval", interval, get_args(SummaryInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    n_nodes = read_n_nodes(n_nodes)
    requests = _read_requests(quantities, read_prevalences(prevalence), interval)
    rows = []
    for group, part in sample.by_group():
        review, fit = review_of(part), fit_of(part, n_nodes)
        known = known_cells(part, group, confidence_level)
        codes = review_notes(part, fit)
        for quantity, share in requests:
            cells = (
                _mean_rate_cells(review, fit, RATES.index(quantity), interval, confidence_level)
                if quantity in RATES
                else _ratio_cells(review, fit, quantity, share, interval, confidence_level)
            )
            named = {**known, "quantity": quantity, "prevalence": share, **cells}
            rows.append(answer_row_without_result(SUMMARY, named, codes))
    return answer_rows(SUMMARY, sample, rows)


def _read_requests(
    quantities: Any, shares: Sequence[float], interval: SummaryInterval
) -> list[tuple[str, float]]:
    """Return each requested quantity with its prevalence; profile limits are of rates alone."""
    allowed = (*RATES, *RATIOS)
    wanted = listed(quantities)
    asked = list(RATES if interval == "profile" else allowed)
    if quantities is not None:
        asked = [as_known(word, allowed) for word in wanted]
    if not asked or not set(asked) <= set(allowed) or len(set(asked)) < len(asked):
        raise InputError(
            f"`quantities` must be some of {', '.join(allowed)}, each once; got {wanted!r}. Pass"
            " prevalence= for predictive values."
        )
    requests = [(word, np.nan) for word in asked]
    requests += [(word, share) for share in shares for word in PREDICTIVE_VALUES]
    beyond = [word for word, _ in requests if word not in RATES]
    if interval == "profile" and beyond:
        raise InputError(
            f"`interval` must be 't' or 'wald' for {beyond[0]}; got 'profile', which has limits of"
            " tpr and tnr only. Ask for these alone, or pass interval='t'."
        )
    return requests


def _mean_rate_cells(
    review: Review, fit: Fit, margin: int, interval: SummaryInterval, confidence_level: float
) -> dict[str, Any]:
    df = review.df([margin]) if interval == "t" else np.inf
    t = t_quantile((1 + confidence_level) / 2, df)
    cells = rate_cells(review, fit, margin, t, interval, confidence_level)
    if interval == "profile" and review.margins[margin].is_fitted:
        low, high = profile_limits(fit, margin, t)
        cells |= {"ci_low": float(LOGIT.back(low)), "ci_high": float(LOGIT.back(high))}
    return cells


def _ratio_cells(
    review: Review,
    fit: Fit,
    quantity: str,
    share: float,
    interval: SummaryInterval,
    confidence_level: float,
) -> dict[str, Any]:
    """Return the cells of a ratio, or of a predictive value at a prevalence."""
    if len(review.fitted) < 2:
        return {"estimate": np.nan}
    t = t_quantile((1 + confidence_level) / 2, review.df() if interval == "t" else np.inf)
    if quantity in RATIOS:
        cells = _cells_on_scale(_log_ratio(fit, quantity), LOG, t)
    else:
        ratio, sign = {"ppv": ("lr_positive", 1), "npv": ("lr_negative", -1)}[quantity]
        odds = _log_ratio(fit, ratio)
        value = sign * (float(LOGIT.forward(share)) + odds.value)
        cells = _cells_on_scale(odds._replace(value=value), LOGIT, t)
    return {**cells, "method": f"{review.model}/{interval}"}


class _OnScale(NamedTuple):
    """A value on a scale with its standard error."""

    value: float
    se: float


def _log_ratio(fit: Fit, quantity: str) -> _OnScale:
    """Return the logarithm of a ratio of the mean rates, by the delta method."""
    tpr, tnr = map(float, LOGIT.back(fit.beta))
    weights: dict[str, tuple[float, FloatArray]] = {
        "odds_ratio": (float(fit.beta.sum()), np.array([1.0, 1.0])),
        "lr_positive": (np.log(tpr) - np.log1p(-tnr), np.array([1 - tpr, tnr])),
        "lr_negative": (np.log1p(-tpr) - np.log(tnr), np.array([-tpr, tnr - 1])),
    }
    value, weight = weights[quantity]
    return _OnScale(float(value), float(np.sqrt(weight @ fit.covariance @ weight)))


def _cells_on_scale(one: _OnScale, scale: Scale, t: float) -> dict[str, Any]:
    ends = np.array([one.value, one.value - t * one.se, one.value + t * one.se])
    estimate, low, high = map(float, scale.back(ends))
    se = one.se / float(scale.slope(estimate))
    return {"estimate": estimate, "se": se, "ci_low": low, "ci_high": high}
