"""Calibration curves: the share of events at each predicted risk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import rocstats.special as sp
from rocstats.errors import require_choice
from rocstats.frames.making import Labels, warn_of
from rocstats.frames.questions import Question, estimate_columns
from rocstats.inference.calibration.options import (
    codes_of,
    grid,
    read_population,
    require_points,
)
from rocstats.inference.estimates.answers import answer_columns
from rocstats.inference.estimates.undefined import answerable_predictors
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import said_of
from rocstats.sample.sample import Sample
from rocstats.stats.calibration.curves import CURVE_METHODS, CurveMethod, fit_isotonic, fit_spline
from rocstats.stats.calibration.risks import Risks

CALIBRATION_CURVE = Question(
    "calibration_curve",
    estimate_columns("predictor group quantity risk estimate prevalence n_pos n_neg method note"),
    ("harrell-2015", "austin-2019", "dimitriadis-2021", "van-calster-2016"),
)


def calibration_curve(
    sample: Sample,
    *,
    method: CurveMethod = "spline",
    n_points: int = 100,
    prevalence: float | None = None,
    clip: float | None = None,
) -> pd.DataFrame:
    """Return calibration curves: the share of events at each risk; a row is one predicted risk.

    Parameters
    ----------
    method : {"spline", "isotonic"}, default "spline"
        - "spline": logistic regression on a restricted cubic spline of the logit; smooth.
        - "isotonic": the share of events may only rise with the risk (CORP); in steps, without any
          choice to make. Risks of 0 and 1 are allowed.
    n_points : int from 2 to 1000, default 100
        Number of risks, evenly spaced from the 1st to the 99th percentile of those of the cases;
        the distinct risks there if they are fewer.
    prevalence : float in (0, 1), optional
        Share of positives in the population that the risks are for, as in ``calibration``.
    clip : float in (0, 0.5), optional
        Risks below ``clip`` and above 1 - ``clip`` are moved there, as in ``calibration``.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, risk, estimate, prevalence, n_pos, n_neg, method,
        note``. ``risk`` is the predicted risk, ``estimate`` the share of events there; ``quantity``
        is "observed_risk". A group that lacks a class has no rows.

    Raises
    ------
    InputError
        If scores lie outside [0, 1], lower ones are positive, some are 0 or 1 without ``clip`` (of
        the spline), or an argument is not possible.

    Warns
    -----
    StatisticalWarning
        If a class has under 100 cases (``curve-imprecise``) or under 20 (``few-cases``), folds are
        pooled (``pooled-folds``), clusters are few (``few-clusters``), a group lacks a class
        (``one-class``), risks separate the classes (``separation``) or are all alike
        (``single-risk``).

    Notes
    -----
    The spline has Harrell's basis with knots at the quantiles .05, .35, .65 and .95 of the logits;
    .1, .5 and .9 with under 40 cases of a class; fewer where quantiles are tied. It is a straight
    line on the logit scale beyond the outer knots.

    A calibrated model has the diagonal up to chance: see ``calibration_band``.

    References
    ----------
    - Harrell (2015), restricted cubic splines [harrell-2015]
    - Austin & Steyerberg (2019) [austin-2019]
    - Dimitriadis, Gneiting & Jordan (2021), CORP [dimitriadis-2021]
    - Van Calster, Nieboer, Vergouwe, De Cock et al (2016) [van-calster-2016]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 40
    >>> risk = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 40
    >>> study = rs.Study(y, risk, predictor="risk")
    >>> study.calibration_curve(method="isotonic")[["risk", "estimate"]].round(3)
       risk  estimate
    0   0.1      0.00
    1   0.2      0.00
    2   0.3      0.75
    3   0.4      0.75
    4   0.6      0.75
    5   0.7      0.75
    6   0.9      1.00
    """
    CALIBRATION_CURVE.require_roles(sample)
    method = require_choice("method", method, CURVE_METHODS)
    number = require_points(n_points)
    population = read_population(sample, prevalence, clip, logits=method == "spline")
    codes: list[str] = []
    pieces = []
    for _, group, k, name, part in answerable_predictors(sample, codes):
        risks = population.risks(part, k)
        at = grid(risks, number)
        value, doubts = curve_at(risks, at, method)
        known: dict[str, Any] = {"prevalence": risks.mean(risks.outcome).value}
        notes = [*doubts, *codes_of(part, curve=True)]
        codes += notes
        known |= {"predictor": name, "group": group, "n_pos": part.n_pos, "n_neg": part.n_neg}
        pieces.append((known, {"risk": at, "estimate": value}, notes))
    warn_of(codes, said_of(sample))
    columns = piece_columns(pieces, ("risk", "estimate"))
    columns["method"] = Labels([method], np.zeros(len(columns["risk"]), dtype=np.intp))
    return answer_columns(CALIBRATION_CURVE, sample, columns)


def curve_at(risks: Risks, at: FloatArray, method: CurveMethod) -> tuple[FloatArray, list[str]]:
    """Return a curve at some risks, and the notes that say why it has none."""
    if method == "isotonic":
        return fit_isotonic(risks).at(at), []
    spline = fit_spline(risks)
    if spline is None:
        return np.full(len(at), np.nan), [no_spline(risks)]
    return np.asarray(sp.expit(spline.eta(sp.logit(at)))), []


def no_spline(risks: Risks) -> str:
    """Return the note that says why a spline could not be fitted."""
    return "single-risk" if risks.risk.min() == risks.risk.max() else "separation"


Piece = tuple[dict[str, Any], dict[str, FloatArray], list[str]]


def piece_columns(pieces: list[Piece], numbers: tuple[str, ...]) -> dict[str, Any]:
    """Return the columns of curves: what is known of each, its numbers, and its notes."""
    lengths = [len(values[numbers[0]]) for _, values, _ in pieces]
    rows = np.repeat(np.arange(len(pieces)), lengths)
    columns: dict[str, Any] = {
        # The empty array gives a column its type where no group has both classes.
        name: np.concatenate([np.empty(0), *(values[name] for _, values, _ in pieces)])
        for name in numbers
    }
    for name in ("predictor", "group"):
        columns[name] = Labels([known[name] for known, _, _ in pieces], rows)
    for name in ("prevalence", "n_pos", "n_neg"):
        columns[name] = np.array([known[name] for known, _, _ in pieces])[rows]
    notes = ["; ".join(dict.fromkeys(codes)) for _, _, codes in pieces]
    columns["note"] = Labels(notes, rows)
    columns["quantity"] = Labels(["observed_risk"], np.zeros(len(rows), dtype=np.intp))
    return columns
